"""How alike two texts are, and what they differ in."""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from contextpack_core.negation import DENYING, negations
from contextpack_core.patterns import pattern
from contextpack_core.text import normal


class Wording(NamedTuple):
    """The words of a text without case, and those among them, with the signs, that no two duplicates may differ in.

    Such marks are figures, negations, conditions and limits, what is written with a capital letter or other letters than A to Z,
    single letters, operators and question marks; in the order of the text.
    """

    words: tuple[str, ...]
    marks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """What the first text has and the second has not, and the other way round; it is true if there is anything.

    ``figures`` come with their sign and unit, ``names`` are words with a capital letter, ``words`` all others that mean something.
    ``negation``: they differ in a negation, or one has the negated form of a word of the other.
    """

    figures: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    negation: bool = False
    names: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    words: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())

    def __bool__(self) -> bool:
        return self.negation or any(map(any, (self.figures, self.names, self.words)))


# ---- words

# A word or a figure with its inner separators; else a sign that can change what is said. White space, quotes, dashes, brackets and
# full stops in any script are layout.
_TOKEN = pattern(
    r"\w+(?:(?<=\d)[.,:/'-](?=\d)\w+|'(?:t|s|re|ve|ll|d|m)\b)*"
    r"|[%$^~+?<>=]|(?<![\w)])-(?=\.?\d)|(?<=\w)[*/](?=\w)|!(?==)"
    "|[^\x00-\x7f\\w\\s\u00a1\u00b7\u00bf\u2010-\u2027\u3001\u3002\uff0c\uff0e\uff1a\uff1b\uff01]"
)
_MINOR = frozenset(
    """
    a an the this that these those of also please very really quite indeed thus hence therefore however moreover furthermore
    then so well actually simply clearly
    """.split()
)
_LIMITS = frozenset(
    """
    only except excepting unless if until till solely merely just instead otherwise but though although whether while when
    once all any some every each both either most many few several more less least fewer must may might should shall can could
    would will ought need needs before after above below over under up down in out on off to from within beyond against
    between inside outside minimum maximum min max about around approximately nearly almost roughly exactly partly partially
    wholly fully usually normally generally often sometimes always former formerly previous previously obsolete deprecated
    draft optional optionally voluntary temporary temporarily new old true false yes open closed shut start stop left right
    first last and or nur ausser falls wenn sofern alle jede jeder jedes einige muss darf kann soll sollte vor nach bis ab
    oder und seulement si sauf tous toute toutes doit peut avant apres ou et solo salvo excepto todos todas debe puede antes
    despues soltanto eccetto alleen behalve bara kun tylko pouze csak sadece hanya
    """.split()
)
_NUMBERS = frozenset(
    """
    zero two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
    nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion trillion dozen half third
    quarter double triple twice thrice one second fourth fifth sixth tenth null eins zwei drei vier sechs sieben acht neun
    zehn elf zwanzig hundert tausend deux trois quatre cinq sept huit neuf dix vingt cent mille dos tres cuatro cinco seis
    siete ocho nueve diez veinte cien mil medio mitad due tre quattro cinque sei sette otto nove dieci cento
    """.split()
)
_UNITS = frozenset(
    """
    bar mbar psi pa kpa mpa hpa atm mm cm dm m km in inch inches ft foot feet yd yards mi mile miles nm um mg g kg t ton tons
    tonne tonnes lb lbs oz ml cl dl l hl litre litres liter liters gal gallon gallons ms s sec secs second seconds min mins
    minute minutes h hr hrs hour hours day days week weeks month months year years decade decades v mv kv a ma w kw mw gw kwh
    mwh j kj mj cal kcal n kn hz khz mhz ghz b kb mb gb tb kib mib gib bit bits byte bytes c f k percent pct permille usd eur
    gbp chf jpy cny inr euro euros dollar dollars pound pounds cents pence hundred thousand million billion trillion mol mmol
    rpm db lux kmh mph am pm
    """.split()
)
_GUARDED = DENYING | _LIMITS | _NUMBERS
_NEGATING = ("un", "in", "im", "il", "ir", "non", "dis", "mis", "anti")


def wording(text: str) -> Wording:
    """The words and the marks of a text."""
    tokens = _TOKEN.findall(normal(text))
    words = [token.casefold() for token in tokens]
    marks = [word for token, word in zip(tokens, words, strict=True) if not _is_plain(token, word)]
    return Wording(tuple(words), tuple(marks))


def _is_plain(token: str, word: str) -> bool:
    """Whether a word may be there or not without changing what no two duplicates differ in."""
    return word in _MINOR or (len(word) > 1 and token == word and token.isascii() and token.isalpha() and word not in _GUARDED)


# ---- alike


class Likeness:
    """How alike the texts of a list are, by Dice over words: twice the number of words two share, divided by that of both.

    A set of texts is a mask here: bit ``i`` stands for the text ``i``. Sets of thousands are joined and cut in one operation.
    """

    def __init__(self, wordings: Sequence[Wording], near: float) -> None:
        self._wordings, self._near = wordings, near
        self._frequency: Counter[str] = Counter()
        for text in wordings:
            self._frequency.update(text.words)
        self._holders: dict[str, int] = {}
        self._bits: dict[tuple[str, int], int] = {}
        self._bags: dict[int, int] = {}

    def enter(self, j: int, most_holders: int | None = None) -> int:
        """Those of the texts entered before that may be ``near`` alike to the text ``j``; later ones are compared with it too.

        Only pairs that share one of their rarest words are: two texts that are alike enough must (prefix filter; Bayardo, Ma and
        Srikant 2007). With ``most_holders`` a word that more texts than that have among their rarest leads to no pair: this keeps
        texts that all follow one template from being compared each with each.
        """
        found = 0
        for word in _rarest(self._wordings[j].words, self._frequency, self._near):
            holders = self._holders.get(word, 0)
            if most_holders is None or holders.bit_count() <= most_holders:
                found |= holders
                self._holders[word] = holders | 1 << j
        return found

    def of(self, i: int, j: int) -> float:
        """How alike the two are, from 0 to 1; 0.0 too where their lengths alone say that it is less than ``near``."""
        a, b = len(self._wordings[i].words), len(self._wordings[j].words)
        if 2 * min(a, b) < self._near * (a + b):
            return 0.0
        return 2 * (self._bag(i) & self._bag(j)).bit_count() / max(1, a + b)

    def _bag(self, i: int) -> int:
        """The words of a text with a bit for each: the second "the" of a text has one of its own."""
        if i not in self._bags:
            seen: dict[str, int] = {}
            bits = []
            for word in self._wordings[i].words:
                seen[word] = seen.get(word, 0) + 1
                bits.append(self._bits.setdefault((word, seen[word]), len(self._bits)))
            self._bags[i] = _mask(bits)
        return self._bags[i]


def _mask(bits: Sequence[int]) -> int:
    mask = bytearray(max(bits, default=0) // 8 + 1)
    for bit in bits:
        mask[bit >> 3] |= 1 << (bit & 7)
    return int.from_bytes(mask, "little")


def members(mask: int) -> Iterator[int]:
    """The texts in a set of them, in order."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def alike_wordings(wordings: Sequence[Wording], near: float, most_holders: int | None = None) -> list[tuple[int, int, float]]:
    """Each two texts that are at least ``near`` alike (0 to 1), as ``(i, j, similarity)`` with i < j, in this order.

    ``most_holders``: see ``Likeness.enter``.
    """
    likeness = Likeness(wordings, near)
    found = [(i, j, likeness.of(i, j)) for j in range(len(wordings)) for i in members(likeness.enter(j, most_holders))]
    return sorted([pair for pair in found if pair[2] >= near])


def _rarest(words: Sequence[str], frequency: Counter[str], near: float) -> list[str]:
    """So many of the rarest words that every text alike enough has one of them among its own rarest."""
    fewest_shared = math.ceil(len(words) * near / (2 - near) - 1e-9)
    ordered = sorted(words, key=lambda word: (frequency[word], word))
    return list(dict.fromkeys(ordered[: len(words) - fewest_shared + 1]))


# ---- different

_OWN_WORDS = 2  # plain words that a duplicate may have and its winner lacks


def _content_of(text: Wording) -> tuple[str, ...]:
    """The words that say something, in order, articles and the like left out."""
    return tuple([word for word in text.words if word not in _MINOR])


def says_no_more(loser: Wording, winner: Wording) -> bool:
    """Whether the loser says what the winner says, in the same order, but for a few plain words that either may have besides.

    Nothing is replaced: of two texts that both have words of their own, each says something that the other does not.
    """
    if loser.marks != winner.marks:
        return False
    own, others = _content_of(loser), _content_of(winner)
    if len(own) - len(others) > _OWN_WORDS:
        return False
    extra = _left_over(own, others) if len(own) <= len(others) else _left_over(others, own)
    return extra is not None and not any(word.startswith(_NEGATING) for word in extra)


def _left_over(shorter: Sequence[str], longer: Sequence[str]) -> list[str] | None:
    """The words of the longer text beside those of the shorter one; None if these do not all stand in it, in their order."""
    extra: list[str] = []
    at = 0
    for word in longer:
        if at < len(shorter) and (word == shorter[at] or _spelling(word) == _spelling(shorter[at])):
            at += 1
        elif len(extra) == len(longer) - len(shorter):
            return None
        else:
            extra.append(word)
    return extra


_SPELLINGS = (
    (pattern(r"^(.{3,})(i|y)s(e|ed|es|er|ers|ing|ation|ations)$"), r"\1\2z\3"),
    (pattern(r"^(.{2,})our(s|ed|ing|able|ite|ful|less)?$"), r"\1or\2"),
    (pattern(r"^(.{2,}[tb])re(s)?$"), r"\1er\2"),
    (pattern(r"^(.{3,})ll(ed|ing|er|ers)$"), r"\1l\2"),
    (pattern(r"^(.{3,})ogue(s)?$"), r"\1og\2"),
)


def _spelling(word: str) -> str:
    """The word as spelt in America, roughly: good enough to compare by."""
    for british, american in _SPELLINGS:
        word = british.sub(american, word)
    return word


def difference(a: str, b: str) -> Difference:
    """What two texts differ in, whatever the order of their words."""
    first, second = _TOKEN.findall(normal(a)), _TOKEN.findall(normal(b))
    own, others = _figures(first), _figures(second)
    only_a, only_b = _apart(_plain_words(first), _plain_words(second))
    return Difference(
        figures=(_beyond(own, others), _beyond(others, own)),
        negation=Counter(negations(a)) != Counter(negations(b)) or _is_negated(only_a, only_b) or _is_negated(only_b, only_a),
        names=(_names(only_a), _names(only_b)),
        words=(_others(only_a), _others(only_b)),
    )


def _figures(tokens: Sequence[str]) -> list[str]:
    """The figures, number words and identifiers, with their sign and unit."""
    figures = []
    for i, token in enumerate(tokens):
        if not _is_figure(token):
            continue
        sign = tokens[i - 1] if i and _is_sign(tokens[i - 1]) else ""
        number = token.casefold() if token.isalpha() else _ungrouped(token)
        figures.append(f"{sign}{number}{_unit(tokens[i + 1 : i + 3])}")
    return figures


def _is_figure(token: str) -> bool:
    return any(map(str.isdigit, token)) if not token.isalpha() else token.casefold() in _NUMBERS


def _is_sign(token: str) -> bool:
    return token in "-+<>~=≤≥±≈" or unicodedata.category(token[0]) == "Sc"


def _ungrouped(figure: str) -> str:
    """1,000 as 1000."""
    return figure.replace(",", "") if _GROUPED.fullmatch(figure) else figure


_GROUPED = pattern(r"\d{1,3}(?:,\d{3})+")


def _unit(following: Sequence[str]) -> str:
    """The unit that follows a figure. Its case counts where it is short: mW is not MW."""
    if not following:
        return ""
    unit = following[0]
    if unit.casefold() in _UNITS:
        return f" {unit if len(unit) <= _CASED_UNIT else unit.casefold()}"
    if unit == "°" and len(following) > 1:
        return f" °{following[1]}"
    return unit if unit == "%" or (not unit[0].isalnum() and not unit.isascii()) else ""


_CASED_UNIT = 3


def _plain_words(tokens: Sequence[str]) -> list[str]:
    """The words that are neither figures nor the units of figures."""
    words = []
    for before, token in zip(["", *tokens], tokens, strict=False):
        unit = before == "°" or (before and _is_figure(before) and token.casefold() in _UNITS)
        if token[0].isalpha() and not unit and not _is_figure(token):
            words.append(token)
    return words


def _apart(a: Sequence[str], b: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What each list of words has and the other has not, case aside, in its order."""
    return _beyond(a, b, str.casefold), _beyond(b, a, str.casefold)


def _beyond(own: Sequence[str], other: Sequence[str], key: Callable[[str], str] = str) -> tuple[str, ...]:
    left = Counter(map(key, other))
    beyond = []
    for item in own:
        left[key(item)] -= 1
        if left[key(item)] < 0:
            beyond.append(item)
    return tuple(beyond)


def _is_negated(own: Sequence[str], other: Sequence[str]) -> bool:
    """Whether one of the other text's words is a negated form of one of the own words."""
    others = set(map(str.casefold, other))
    return any(prefix + word.casefold() in others for word in own for prefix in _NEGATING)


def _names(words: Sequence[str]) -> tuple[str, ...]:
    return tuple([word for word in words if word != word.casefold() and word.casefold() not in _MINOR])


def _others(words: Sequence[str]) -> tuple[str, ...]:
    return tuple([word for word in words if word == word.casefold() and word not in _MINOR])
