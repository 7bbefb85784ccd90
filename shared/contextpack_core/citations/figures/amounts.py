"""From a number to an amount: its sign, currency, scale word and unit, wherever they stand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from contextpack_core.citations.figures.numerals import Code, Numeral, read_digits, read_words, run_end, scale_of
from contextpack_core.citations.figures.quantity import Key, Quantity
from contextpack_core.citations.figures.style import Style
from contextpack_core.citations.figures.tables import (
    BETWEEN,
    BOUNDS,
    CURRENCY_SPELLINGS,
    EXACT,
    FUNCTION_WORDS,
    MEASURES,
    PHRASE_HEADS,
    ROUNDED,
    SCALE_LETTERS,
    SCALES,
    SHARED_SIGNS,
    YEAR_CUES,
    Measure,
)
from contextpack_core.patterns import pattern


class _Prefix(NamedTuple):
    """What stands before a number. ``start`` is where the figure begins; ``bracket`` says that one opens."""

    start: int
    negative: bool = False
    money: Measure | None = None
    bracket: bool = False
    bound: str = ""


class _Suffix(NamedTuple):
    """What stands behind a number, and where the figure ends."""

    end: int
    scale: Decimal = Decimal(1)
    measure: Measure | None = None
    scaled: bool = False
    ordinal: bool = False
    half: bool = False


def read_amount(style: Style, numeral: Numeral, floor: int, words: list[str]) -> Quantity | Code | None:
    """The quantity that a number is part of. ``floor`` is the end of the figure before, ``words`` are those between.

    A ``Code`` where letters that are no unit touch the digits (``27b``); None where "one" counts nothing ("give it one try").
    """
    numeral, twice = _said_twice(style, numeral)
    prefix = _prefix(style.text, numeral.start, floor)
    closed = prefix.bracket and not twice and style.text[numeral.end : numeral.end + 1] == ")"
    suffix = _suffix(style, numeral.end + closed, numeral, prefix.money)
    if suffix is None:
        return Code(numeral.start, numeral.end)
    if numeral.form in ("article", "half") and suffix.measure is None and not suffix.scaled and not twice:
        return None
    if closed and suffix.end == numeral.end + 1:
        suffix = suffix._replace(end=numeral.end)
    if prefix.start != numeral.start:
        words = style.lower[max(floor, prefix.start - 40) : prefix.start].split()
    minus = bool(words) and words[-1] in _MINUS_WORDS and not (floor and len(words) == 1)  # "three months, minus one day"
    negative = prefix.negative != minus
    if prefix.bracket and not twice and (closing := _accounting(style.text, numeral, suffix.end, prefix.money is not None)):
        negative = True
        prefix = prefix._replace(start=min(prefix.start, style.text.rfind("(", 0, numeral.start)))
        suffix = suffix._replace(end=max(suffix.end, closing))
    bound = prefix.bound or _bound(style, words, prefix.start, suffix.end)
    return _build(style, numeral, prefix.start, suffix, negative, bound, words)


def read_plain(style: Style, start: int, end: int, ahead: str, last: str) -> Quantity | None:
    """The quantity of a small whole number between a word and its unit, as in "within 30 days"; None for any other number.

    It is what ``read_amount`` gives: a short way for what most figures of prose are. ``ahead`` is the text before the number in
    lower case, and ``last`` its last word. A text that names months or halves takes the long way.
    """
    text = style.text
    if end - start > _SMALL or style.names_months or not last or last in _MINUS_WORDS:
        return None
    if not text[start - 2].isalpha() or text[start - 2] in _CURRENCIES or (plain := _PLAIN_WORD.match(text, end)) is None:
        return None
    if (word := plain[1]) not in _PLAIN_UNITS or word == "h":  # 5 h 30
        return None
    alike, stop = _plain_quantity(text[start:end], word), plain.end()
    bound = _bound(style, ahead.split() if last.strip(_BEFORE_BOUND) in _SIZES_OF_BOUND else (), start, stop)
    return Quantity._make((start, stop, *alike[2:_BOUND], bound, *alike[_BOUND + 1 :]))


_BOUND = Quantity._fields.index("bound")


@lru_cache(maxsize=4096)
def _plain_quantity(digits: str, word: str) -> Quantity:
    """A small whole number of a unit, wherever it stands; remembered, as texts of one kind repeat their terms and limits."""
    value, unit = Decimal(digits), _PLAIN_UNITS[word]
    readings = tuple([(name, _convert(value, size, shift)) for name, size, shift in unit.readings])
    return Quantity(0, 0, unit.kind, value, unit.symbol, readings, (), (value,), unit.readings[0][1], quantum=_UNIT, surface=digits)


_SMALL = 3
"""The most digits of a number that cannot be a year."""


def _said_twice(style: Style, numeral: Numeral) -> tuple[Numeral, bool]:
    """``thirty (30)`` and ``26 (twenty-six)`` are one number, which ends behind the bracket."""
    text, end = style.text, numeral.end
    at = end + 1 if text[end : end + 1] in (" ", "\u00a0") else end
    if text[at : at + 1] != "(" or at + 1 >= len(text):
        return numeral, False
    inner, other = at + 1, None
    if text[inner].isdecimal():
        if not text[numeral.start].isdecimal():
            part = read_digits(text, inner, run_end(text, inner), style)[0]
            other = None if isinstance(part, Code) else part
    elif text[inner].isalpha():
        other = read_words(style.lower, inner, style)
    if other is None or text[other.end : other.end + 1] != ")" or other.value != numeral.value:
        return numeral, False
    return numeral._replace(end=other.end + 1, form=""), True


# ---------------------------------------------------------------- before the number

_MINUS = "-−–‒"
_SIGNS = frozenset("+±~≈<>≤≥%" + _MINUS)
_SIGNS_OF_BOUND = {"~": "about", "≈": "about", "<": "under", ">": "over", "≤": "most", "≥": "least"}
_BLANKS = frozenset(" \u00a0\u202f\u2009")
_MINUS_WORDS = frozenset("minus negative moins menos".split())
_CURRENCIES: dict[str, tuple[str, ...]] = {"R": ()}
for _spelling in sorted(
    [s for s in CURRENCY_SPELLINGS if not s.isascii() or not s.isalpha() or s.isupper() or s in ("Rs", "kr", "Rp", "Fr")]
    + ["U.S. $", "U.S.$"],
    key=lambda spelling: (-len(spelling), spelling),
):
    _CURRENCIES[_spelling[-1]] = (*_CURRENCIES.get(_spelling[-1], ()), _spelling)


def _prefix(text: str, start: int, floor: int) -> _Prefix:
    """Sign, currency and bracket before the number, in any order that is in use (``-$5``, ``$-5``, ``($5``, ``EUR (5``)."""
    at, begin, negative, bound = start, start, False, ""
    if start - floor > 2 and text[start - 1] == " " and text[start - 2].isalpha() and text[start - 2] not in _CURRENCIES:
        return _Prefix(start)  # a word, as before most numbers
    bracket = at > floor and text[at - 1] == "("
    if bracket:
        at -= 1
    if at > floor and text[at - 1] in _MINUS and _is_sign(text, at - 1):
        at -= 1
        begin, negative = at, True
    near = at - 1 if at - 1 > floor and text[at - 1] in _BLANKS else at
    money = _currency(text, near, floor) if near > floor and text[near - 1] in _CURRENCIES else None
    if money is not None:
        begin = at = near - money[1]
        near = at - 1 if at - 1 > floor and text[at - 1] in _BLANKS else at
    elif bracket:
        return _Prefix(begin, negative, None, True, bound)
    if near > floor and (sign := text[near - 1]) in _SIGNS and (near == at or sign in _SIGNS_OF_BOUND):
        if sign == "%":
            return _Prefix(near - 1, negative, MEASURES["%"]) if money is None else _Prefix(begin, negative, money[0], bracket)
        if sign not in _MINUS or _is_sign(text, near - 1):
            negative = negative or sign in _MINUS
            bound = _SIGNS_OF_BOUND.get(sign, "")
            begin = at = near - 1
    bracket = bracket or (at > floor and text[at - 1] == "(")
    return _Prefix(begin, negative, money and money[0], bracket, bound)


def _currency(text: str, end: int, floor: int) -> tuple[Measure, int] | None:
    """The currency that is written right before ``end``, and its length; letters only where they are a word of their own."""
    for spelling in _CURRENCIES[text[end - 1]]:
        at = end - len(spelling)
        if at >= floor and text.startswith(spelling, at):
            if spelling[0].isalpha() and at and text[at - 1].isalnum():
                continue
            return MEASURES[spelling if len(spelling) <= 3 else spelling.lower()], len(spelling)
    if text[end - 1] == "R" and not (end > 1 and text[end - 2].isalnum()):
        return MEASURES["ZAR"], 1
    return None


def _is_sign(text: str, at: int) -> bool:
    """Whether a dash is a sign: nothing that it could join or separate stands before it."""
    return not at or text[at - 1] > "\u2e7f" or not (text[at - 1].isalnum() or text[at - 1] in "%)]}°$€£¥\"'”’\x00")


# ---------------------------------------------------------------- behind the number

_INDIC = "\u0900-\u0dff\u0e00-\u0e7f"
_AFTER = pattern(
    r"\x00*(?P<gap>[ \u00a0\u202f\u2009-]?)\x00*(?P<word>"
    r"(?:[^\W\d_]\.){2,3}(?![^\W\d_])|(?:U\.S\.\s?|[A-Za-z]{1,3})?[$£](?!\s{0,3}[\d(])"
    rf"|(?![{_INDIC}])[^\W\d_]{{1,40}}(?:\.(?=[^\W\d_]|[\s,;)]|$))?(?:[23](?![\w]))?|[{_INDIC}]{{1,40}}"
    r"|°\s?[CF](?![^\W\d_])|[%‰‱％٪°℃℉″′Ω]|[¥₹](?!\s{0,3}[\d(])|[€₩₽₺₪₫฿₱₦₴₿¢](?!\d))"
)
_NEXT_WORD = pattern(r"[ \u00a0-]([^\W\d_]{1,40}[.$]?)")
_HYPHENATED = pattern(r"[^\W\d_]{1,12}[-·⋅./][^\W\d_]{1,12}(?:\([A-Z]\))?")
_ORDINAL_ENDINGS = frozenset("st nd rd th er ère ème eme º ª te ten ter".split())
_SHOUTED = frozenset("CM ML HR FT OZ KM LB".split())
_MOST_SCALES = 4
_NOTHING = frozenset(["", ",", ";", ")", "."])
_PLAIN_WORD = pattern(r" ([A-Za-z]{1,24})(?=[ ,;)\n]|\.[ \n]|\.?$)")
_TELLING = frozenset(
    [s.rstrip(".").lower() for s in (*MEASURES, *SCALES, *SCALE_LETTERS, *PHRASE_HEADS, *BETWEEN, "de", "di", "d")]
)
"""Words that say something of the number before them; any other can be passed over at once."""
_PLAIN_UNITS = {
    word: measure
    for word, measure in MEASURES.items()
    if not measure.languages
    and word.lower() not in {*SCALES, *PHRASE_HEADS, *BETWEEN, "in"}
    and word not in SCALE_LETTERS
    and f"{word}." not in MEASURES
    and measure.symbol != "m"
}


def _suffix(style: Style, end: int, numeral: Numeral, money: Measure | None) -> _Suffix | None:
    """Scale words and unit behind the number; None where letters that are neither touch it."""
    text, ordinal = style.text, numeral.form == "ordinal"
    if text[end : end + 2].rstrip() in _NOTHING:
        return _Suffix(end, measure=money, ordinal=ordinal)
    if money is None and (plain := _PLAIN_WORD.match(text, end)) is not None:
        word = plain[1]
        if (unit := _PLAIN_UNITS.get(word)) is not None and not style.lower.startswith(" and a half", plain.end()):
            return _Suffix(plain.end(), measure=unit, ordinal=ordinal)
        if word not in _TELLING and word.lower() not in _TELLING:
            return _Suffix(end, ordinal=ordinal)
    found = _Suffix(end, measure=money, ordinal=numeral.form == "ordinal")
    for _ in range(_MOST_SCALES):
        match = _AFTER.match(text, found.end)
        if match is not None and (found.scaled or numeral.quantum >= _THOUSAND) and match["word"] in ("d", "de", "di"):
            match = _AFTER.match(text, match.end() + 1) if match["word"] == "d" else _AFTER.match(text, match.end())
        if match is None:
            return found
        word, lowered = match["word"], match["word"].lower()
        glued = not match["gap"] and text[found.end] != "\x00" and text[found.end - 1].isdecimal()
        if word[0] > "\u2e7f" and (meaning := han_measure(text, match.start("word"))) is not None:
            if isinstance(meaning[0], Measure):
                half = meaning[0].kind == "duration" and text[meaning[1] : meaning[1] + 1] == "半"
                return found._replace(measure=meaning[0], end=meaning[1] + half, half=half)
            found = found._replace(scale=EXACT.multiply(found.scale, meaning[0]), scaled=True, end=meaning[1])
            continue
        if glued and lowered in _ORDINAL_ENDINGS and not found.scaled and money is None and numeral.quantum == 1:
            return found._replace(ordinal=True, end=match.end())
        if (scale := _scale(style, match, glued, found, money is not None)) is not None:
            found = found._replace(scale=EXACT.multiply(found.scale, scale[0]), scaled=True, end=scale[1])
            continue
        if (measured := _measure(style, match, word, lowered)) is not None:
            found = _with_measure(found, *measured)
            if style.lower.startswith(" and a half", found.end):
                return found._replace(half=True, end=found.end + len(" and a half"))
            return found
        if glued and not found.scaled and word[0] < "À" and lowered not in ("x", "fold", "ish"):
            return None
        return found
    return found


def _scale(style: Style, match: re.Match[str], glued: bool, found: _Suffix, money: bool) -> tuple[Decimal, int] | None:
    """A scale word, or a letter that touches the digits or follows an amount of money (``4K``, ``$5 M``)."""
    word = match["word"]
    letter = SCALE_LETTERS.get(word)
    if (
        letter is not None
        and not found.scaled
        and (money or (glued and (word in ("k", "K", "M") or _money_follows(style, match.end()))))
    ):
        return letter, match.end()
    lowered = word.lower()
    if lowered.endswith("."):
        if (size := scale_of(lowered, style)) is not None:
            return size, match.end()
        lowered = lowered[:-1]
    size = scale_of(lowered, style) if len(lowered) > 1 else None
    return None if size is None else (size, match.start("word") + len(lowered))


def _money_follows(style: Style, end: int) -> bool:
    match = _AFTER.match(style.text, end)
    measure = None if match is None else _known(style, match["word"])
    return measure is not None and measure.kind == "money"


def _with_measure(found: _Suffix, measure: Measure, end: int) -> _Suffix:
    """A code behind an amount sharpens a shared sign ("$5 USD"); a unit behind it is another matter ("$5 per kg")."""
    before = found.measure
    if before is None or measure.symbol in SHARED_SIGNS.get(before.symbol, ()):
        return found._replace(measure=measure, end=end)
    if measure.kind == "money" and (measure.symbol == before.symbol or before.symbol in SHARED_SIGNS.get(measure.symbol, ())):
        return found._replace(end=end)
    return found


def _measure(style: Style, match: re.Match[str], word: str, lowered: str) -> tuple[Measure, int] | None:
    """What the words behind a number measure, the longest phrase first, and where it ends."""
    text, stop = style.text, match.end()
    if lowered.rstrip(".") in PHRASE_HEADS and (phrase := _phrase(style, lowered, stop)) is not None:
        return phrase
    if text[stop : stop + 1] in _JOINS_UNITS or word.endswith("."):
        hyphenated = _HYPHENATED.match(text, match.start("word"))
        if hyphenated is not None and (measure := _known(style, hyphenated[0]) or _known(style, hyphenated[0].lower())) is not None:
            return measure, hyphenated.end()
    if word == "in" and (match["gap"] or text[stop : stop + 1] == " "):
        return None
    for spelling, end in ((word, stop), (word[:-1], stop - 1)) if word.endswith(".") else ((word, stop),):
        measure = _known(style, spelling)
        if measure is None and (len(spelling) > 2 or spelling in _SHOUTED):
            measure = _known(style, spelling.lower())
        if measure is not None:
            rated = text[end : end + 1] == "/" and measure.kind in ("quantity", "duration")
            return _rate(style, measure, end) if rated else (measure, end)
    if lowered in BETWEEN and (following := _NEXT_WORD.match(text, stop)) is not None:
        measure = _known(style, following[1].lower().rstrip("."))
        if measure is not None and measure.kind == "duration":
            return measure, following.end() - following[1].endswith(".")
    return None


_JOINS_UNITS = frozenset("-·⋅./")


def _phrase(style: Style, phrase: str, at: int) -> tuple[Measure, int] | None:
    """The longest of "percentage points", "U.S. dollars", "miles per hour" that begins with these words."""
    ends = []
    for _ in range(2):
        following = _NEXT_WORD.match(style.text, at)
        if following is None:
            break
        at = following.end()
        phrase = f"{phrase} {following[1].lower()}"
        ends.append((phrase, at))
    for phrase, at in reversed(ends):
        for spelling, end in ((phrase, at), (phrase.rstrip("."), at - phrase.endswith("."))):
            if (measure := _known(style, spelling)) is not None:
                return measure, end
    return None


def _known(style: Style, spelling: str) -> Measure | None:
    measure = MEASURES.get(spelling)
    if measure is not None and measure.languages and style.language not in measure.languages.split():
        return None
    return measure


def _rate(style: Style, measure: Measure, stop: int) -> tuple[Measure, int]:
    """``mg/dl``, ``m³/h``: one unit by another; the first alone if the second is unknown."""
    match = _AFTER.match(style.text, stop + 1)
    under = _known(style, match["word"].rstrip(".")) if match is not None and not match["gap"] else None
    if match is None or under is None or under.kind not in ("quantity", "duration"):
        return measure, stop
    (dimension, factor, _), (below, size, _) = measure.readings[0], under.readings[0]
    reading = (f"{dimension}/{below}", ROUNDED.divide(factor, size), Decimal(0))
    return Measure(f"{measure.symbol}/{under.symbol}", "quantity", (reading,)), match.end() - match["word"].endswith(".")


def han_measure(text: str, start: int) -> tuple[Measure | Decimal, int] | None:
    """The longest unit or scale in Chinese, Japanese or Korean at ``start``, and where it ends."""
    for size in range(10, 0, -1):
        word = text[start : start + size]
        if (measure := MEASURES.get(word)) is not None:
            return measure, start + len(word)
        if (scale := SCALES.get(word)) is not None:
            return scale[0], start + len(word)
    return None


# ---------------------------------------------------------------- what it comes to


def _accounting(text: str, numeral: Numeral, end: int, money: bool) -> int:
    """Where brackets around a number end that mean minus: in a table or behind a currency they do, in running prose not (0)."""
    opened = text.rfind("(", max(0, numeral.start - 4), numeral.start)
    closed = text.find(")", numeral.end, end + 1)
    return closed + 1 if opened >= 0 and closed >= 0 and _is_accounting(text, numeral, opened, closed, end, money) else 0


def _is_accounting(text: str, numeral: Numeral, opened: int, closed: int, end: int, money: bool) -> bool:
    ahead, behind = text[max(0, opened - 3) : opened], text[closed + 1 : closed + 4]
    left, right = ahead.rstrip(" \u00a0$€£¥")[-1:], behind.lstrip(" \u00a0%")[:1]
    token = text[numeral.start : numeral.end]
    formatted = money or not token.isdecimal()
    if not formatted and len(token) == 4 and _BARE_YEAR.fullmatch(token):
        return False
    if right in _MINUS and behind.lstrip(" \u00a0%")[1:2].isdecimal():
        right = "0"
    aside = right in ("\x00", ".", ",", ";") or (not right and not money and closed > numeral.end)
    if aside and left.isalpha() and not _STATES.search(text, max(0, opened - 6), opened):
        return False  # an aside: "a lower limit (10,000 EUR)"
    edges = ("", "|", "\t", "\n", ":", "—", "\x00")
    cell_before = left in (*edges, ")", "-") or left.isdecimal() or ahead[-1:] in ("$", "€", "£", "¥") or ahead[-2:] == "  "
    cell_after = right in (*edges, "(", "$", "€", "£") or right.isdecimal()
    if cell_before and cell_after:
        return formatted or right not in ("", ":") or left in ("|", "\t", ")")
    if right.isdecimal() or right in ("(", "$", "€", "£", "|", "\t"):
        return True
    if formatted and end > closed + 1:  # EUR (3.2) million
        return True
    cell_after = cell_after or (right == "." and _STATES.search(text, max(0, opened - 6), opened) is not None)
    return formatted and not money and not right.isalpha() and (cell_before or cell_after)


_STATES = pattern(r"\b(?:is|was|were|are|be|of|to|at)\s$")


_AT_LEAST = (" or more", " or older", " and over", " and above", " and older", " or above", " or over", " plus", "以上")
_AT_MOST = (" or less", " or fewer", " or under", " or younger", "以下", "以内", "以內")
_LOOSENS = frozenset([words[0] for words in _AT_LEAST + _AT_MOST])


_SIZES_OF_BOUND: dict[str, tuple[int, ...]] = {
    last: tuple(sorted({len(phrase.split()) for phrase in BOUNDS if phrase.split()[-1] == last}, reverse=True))
    for last in [phrase.split()[-1] for phrase in BOUNDS]
}
"""By its last word, how many words a phrase before a number has that bounds it, the longest first."""


_BEFORE_BOUND = '("“'


def _bound(style: Style, words: Sequence[str], start: int, end: int) -> str:
    """How the words around loosen the number."""
    following = style.text[end : end + 1]
    if following in _LOOSENS:
        if style.lower.startswith(_AT_LEAST, end):
            return "least"
        if style.lower.startswith(_AT_MOST, end):
            return "most"
    elif following == "+":
        return "least"
    for size in _SIZES_OF_BOUND.get(words[-1].strip(_BEFORE_BOUND), ()) if words else ():
        if len(words) >= size and (bound := BOUNDS.get(" ".join(words[-size:]).strip(_BEFORE_BOUND))) is not None:
            return bound
    if start and style.text[start - 1] > "\u2e7f":
        return BOUNDS.get(style.text[start - 2 : start]) or BOUNDS.get(style.text[start - 1]) or ""
    return ""


_CENTURY = pattern(r"[ -](?:century|centuries|jahrhundert|siècle|siglo)\b")
_UNIT, _HALF, _THOUSAND = Decimal(1), Decimal("0.5"), Decimal(1000)


def _build(style: Style, numeral: Numeral, start: int, suffix: _Suffix, negative: bool, bound: str, words: list[str]) -> Quantity:
    """The quantity with its readings in every dimension that its unit may mean."""
    values = [numeral.value] if numeral.other is None else [numeral.value, numeral.other]
    quantum = numeral.quantum
    if suffix.scaled:
        values = [EXACT.multiply(value, suffix.scale) for value in values]
        quantum = EXACT.multiply(quantum, suffix.scale)
    if suffix.half:
        values, quantum = [EXACT.add(value, _HALF) for value in values], _HALF
    if negative:
        values = [EXACT.minus(value) for value in values]
    value, measure = values[0], suffix.measure
    surface = style.text[numeral.start : numeral.end]
    if suffix.ordinal and (century := _CENTURY.match(style.lower, suffix.end)) is not None and 0 < value < 100:
        when = f"{int(value) - 1:02}xx"
        return Quantity(start, century.end(), "date", when, None, (("date", when),), surface=surface)
    if suffix.ordinal:
        return Quantity(start, suffix.end, "ordinal", value, None, (("ordinal", value),), surface=surface)
    kind, unit, factor = "number", None, _UNIT
    doubtful: tuple[Key, ...] = ()
    if measure is not None:
        kind, unit, factor = measure.kind, measure.symbol, measure.readings[0][1]
        readings = tuple([(name, _convert(value, size, shift)) for name, size, shift in measure.readings])
        if len(values) > 1:
            doubtful = tuple([(name, _convert(v, size, shift)) for v in values[1:] for name, size, shift in measure.readings])
        if unit == "m" and style.text[numeral.end : suffix.end] == "m":
            readings = (*readings, ("n", EXACT.scaleb(value, 6)))  # 7m may be millions
    elif numeral.form == "fraction" and not suffix.scaled:
        readings = (("n", value), ("percent", EXACT.multiply(value, Decimal(100))))
    else:
        return _bare(style, numeral, start, suffix, values, quantum, bound, words)
    return Quantity(
        start,
        suffix.end,
        kind,
        value,
        unit,
        readings,
        doubtful,
        tuple(values),
        factor,
        quantum,
        bound,
        False,
        suffix.scale,
        0,
        surface,
    )


def _convert(value: Decimal, factor: Decimal, shift: Decimal) -> Decimal:
    """The value in the base of its dimension."""
    if factor != _UNIT:
        value = EXACT.multiply(value, factor)
    return EXACT.add(value, shift) if shift else value


def with_unit_of(bare: Quantity, other: Quantity) -> Quantity:
    """A bare number with the unit of another: the two ends of a range share it."""
    measure = MEASURES.get(other.unit or "")
    if measure is None:
        return bare
    keys = tuple([(d, _convert(v, factor, shift)) for v in bare.written[:1] for d, factor, shift in measure.readings])
    return bare._replace(kind=other.kind, unit=other.unit, readings=keys, factor=other.factor, open=False)


_NO_NOUN = FUNCTION_WORDS["en"] | frozenset(
    "and or but if when then per each more less between after before while during under over a will may can must".split()
)
_BARE_YEAR = pattern(r"(?:1[5-9]|20|21)\d\d")
_SURE_YEAR_CUES = frozenset("in since during until year years seit jahr jahre fiscal calendar copyright © anno année año".split())


def _bare(
    style: Style,
    numeral: Numeral,
    start: int,
    suffix: _Suffix,
    values: list[Decimal],
    quantum: Decimal,
    bound: str,
    words: list[str],
) -> Quantity:
    """A number without a unit: a year, an age, a count, or a table's cell whose unit stands in the head."""
    end, token = suffix.end, style.text[numeral.start : numeral.end]
    following = _NEXT_WORD.match(style.text, end)
    noun = following is not None and following[1].lower() not in _NO_NOUN
    kind: str = "number"
    value: Decimal | str = values[0]
    readings: tuple[Key, ...] = (("n", values[0]),)
    last = words[-1] if words else ""
    if len(token) == 4 and start == numeral.start and token.isdecimal() and not suffix.scaled and _BARE_YEAR.fullmatch(token):
        year: Key = ("date", str(int(token)))
        if last in _SURE_YEAR_CUES:
            return Quantity(start, end, "date", year[1], None, (year,), surface=token)
        if last in YEAR_CUES or (not noun and "1900" <= token < "2100"):
            kind, value, readings = "date", year[1], (year, *readings)
        else:
            readings = (*readings, year)
    if last in ("age", "aged", "ages") or words[-2:] == ["age", "of"]:
        readings = (*readings, ("month", EXACT.multiply(values[0], Decimal(12))))
    doubtful = tuple([("n", other) for other in values[1:]])
    if numeral.pieces:
        values = [*values, *numeral.pieces]
    is_open = kind == "number" and (not noun or style.language != "en")
    return Quantity(
        start, end, kind, value, None, readings, doubtful, tuple(values), _UNIT, quantum, bound, is_open, suffix.scale, 0, token
    )
