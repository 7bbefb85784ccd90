"""Opposites: claims that say a passage's sentence with a negation more or less, another figure, or two of its parts exchanged."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from contextpack_core.citations.figures import find_figures
from contextpack_core.citations.sentences import sentence_ends
from contextpack_core.citations.values import Citation, Claim, ClaimKind, Figure, SourceText
from contextpack_core.citations.verbatim import find_verbatim
from contextpack_core.negation import cut_negation, negations
from contextpack_core.patterns import pattern


@dataclass(frozen=True, slots=True)
class Opposite:
    """A claim and the sentence of a cited passage that says otherwise.

    ``how`` is ``negated``, ``turned`` (a word of it for its opposite), ``refigured`` or ``exchanged``.
    """

    claim: int
    label: str
    sentence: str
    how: str


def find_opposites(
    claims: Sequence[Claim], citations: Sequence[Citation], sources: Mapping[str, SourceText]
) -> tuple[Opposite, ...]:
    """The claims of which a cited passage says the opposite in the same words; at most one for a claim.

    Only what stands in the words themselves is found. The claim's words are all in one sentence, and either one of the two
    is negated there, or has the opposite of a word (at most for at least, fell for rose), or it has other figures (of another
    tank), or two parts of it have changed places (the lift carries more than the hoist). A frame around the claim, which the
    passage need not have, is left aside: "under the 2026 edition". A
    passage that also says what the claim says clears it. Other contradictions are a judge's business.
    """
    found = []
    starts = [citation.span.start for citation in citations]
    for i, claim in enumerate(claims):
        cited = [label for label in claim.labels if label in sources]
        if claim.kind not in (ClaimKind.STATEMENT, ClaimKind.REFUSAL) or not cited:
            continue
        inside = citations[bisect_left(starts, claim.span.start) : bisect_left(starts, claim.span.end)]
        opposite = _opposite_of(_without_marks(claim, inside), cited, sources)
        if opposite is not None:
            found.append(Opposite(i, *opposite))
    return tuple(found)


def _opposite_of(text: str, cited: Sequence[str], sources: Mapping[str, SourceText]) -> tuple[str, str, str] | None:
    """Label, sentence and how, for the claim as it stands, else without its frame; the cheapest questions first."""
    for said in _wordings(text):
        near = _near(said, cited, sources)
        if not near:  # of most claims a word is nowhere in the passage
            continue
        if not _says_enough(words := _words(said)) or _stands_so(text, cited, sources):
            return None
        low = said.lower()
        if passages := [(label, held) for label in near if _has_words(held := _passage(sources[label].text), low)]:
            return _opposite(words, passages)
    return None


def _wordings(text: str) -> Iterator[str]:
    yield text
    if (core := _without_frame(text)) != text:
        yield core


def _says_enough(words: _Words) -> bool:
    """Whether there are two words to tell the claim by, or one with a word that has an opposite: "revenue fell"."""
    return len(words.content) >= _ENOUGH or bool(words.content and _sides(words.tokens))


_ENOUGH = 2


def _stands_so(text: str, cited: Sequence[str], sources: Mapping[str, SourceText]) -> bool:
    """Whether a cited passage has the claim word for word, without a negation that the claim leaves out at its ends."""
    for label in cited:
        passage = sources[label].text
        if (place := find_verbatim(text, passage)) is not None and not cut_negation(passage, *place):
            return True
    return False


def _near(text: str, cited: Sequence[str], sources: Mapping[str, SourceText]) -> list[str]:
    """The cited passages that may have all words of the text which carry it: they lack none of the long ones."""
    words = [word for word in text.lower().split() if len(word) > 6 and word.isascii() and word.isalpha()]
    long = [_carried(word).removesuffix("y") for word in words]
    return [label for label in cited if not _lacks_one(sources[label].text.lower(), long)]


def _lacks_one(text: str, words: Sequence[str]) -> bool:
    """Whether one of the words is nowhere in the text, which then need not be taken apart: most claims have such a word."""
    return any(word not in text for word in words)


_DOCUMENT = (
    r"edition|version|wording|policy|terms|document|handbook|manual|rules|passages?|ausgabe|fassung|auflage|police|bedingungen|"
    r"handbuch|édition|document|règlement|edición|versión|documento|póliza"
)
_DOCUMENT_WORDS = tuple(_DOCUMENT.replace("s?", "").split("|"))
_UNDER = (
    r"under|in|per|by|according to|as of|as from|since|from|with|nach|laut|gemäß|gemäss|unter|seit|ab|im|selon|dans|depuis|"
    r"d['’]après|según|en|desde"
)
_SINCE = r"(?:19|20)\d\d\b"
_FRAME = rf"(?:{_UNDER})\s[^,.;:\n]{{0,40}}?\b(?:(?:{_DOCUMENT})\b(?:(?:\sof)?\s{_SINCE})?|{_SINCE}(?!\s?(?:{_DOCUMENT})\b))"
_FRAME_BEFORE = pattern(rf"\s*(?:(?:yes|ja|oui|sí)\s*,\s*)?{_FRAME}\s*,?\s*", re.IGNORECASE)
_FRAME_BEHIND = pattern(rf"\s*,?\s\b{_FRAME}\s*(?=[.!?]?\s*\Z)", re.IGNORECASE)


def _without_frame(text: str) -> str:
    """The claim without the words at its beginning or end that only say by which edition or since when: "in 2026 …"."""
    low = text.lower()
    if "19" not in low and "20" not in low and not any([word in low for word in _DOCUMENT_WORDS]):
        return text  # as most: the expressions below take longer
    before = _FRAME_BEFORE.match(text)
    text = text[before.end() :] if before else text
    tail = max(0, len(text) - _LONGEST_FRAME)
    return text[:tail] + _FRAME_BEHIND.sub("", text[tail:], count=1)


_LONGEST_FRAME = 120


# ---------------------------------------------------------------- words

_TOKEN = pattern(r"[぀-ヿ一-鿿]|[^\W_぀-ヿ一-鿿]+(?:[.,'’][^\W_]+)*")
_LIGHT = frozenset(
    """
    a an the is are was were be been being am do does did has have had will would shall should can could may might must to of
    that which it its this you we i they der die das den dem des ein eine einen einem einer ist sind war waren wird werden wurde hat
    haben kann darf soll muss es zu le la les l un une des du de est sont était été a ont peut doit il elle en el los las una
    es son ser ha han puede debe se 的 了 是 在 ca wo currently now therefore thus also however accordingly hence derzeit aktuell
    somit daher actuellement donc actualmente
    """.split()
)
_OPPOSITE = {
    "size": (
        "least minimum minimal mindestens wenigstens more over above larger greater bigger longer higher older exceeding exceeds "
        "mehr über größer grösser länger höher älter plus minimo mínimo",
        "most maximum maximal höchstens less under below smaller fewer shorter lower younger "
        "weniger unter kleiner kürzer niedriger jünger moins máximo",
    ),
    "way": (
        "rose rise rises risen rising grew grow grows grown increase increases increased increasing "
        "stieg stiegen steigt steigen gestiegen wuchs wächst gewachsen erhöht erhöhte zugenommen",
        "fell fall falls fallen falling decrease decreases decreased decreasing decline declines declined dropped drops "
        "sank sanken sinkt sinken gesunken fiel fielen fällt gefallen verringert verringerte abgenommen",
    ),
}
_SIDES = {word: (axis, side) for axis, lines in _OPPOSITE.items() for side, line in enumerate(lines) for word in line.split()}
"""Words that have an opposite, and on which side of what they stand."""
_CONTRACTED = pattern(r"n['’]t\Z")


@dataclass(frozen=True, slots=True)
class _Words:
    """A sentence as lower-case words in order: ``content`` are those that carry it, negations, light words and numerals
    aside; ``order`` is the same with numerals."""

    text: str
    tokens: tuple[str, ...]
    content: frozenset[str]
    order: tuple[str, ...]

    def spans(self) -> list[tuple[int, int]]:
        """Where the tokens stand, if lower case is as long as what it was made of (else a place near by)."""
        return [match.span() for match in _TOKEN.finditer(self.text.lower())]


def _words(text: str) -> _Words:
    tokens = tuple(_TOKEN.findall(text.lower()))
    order = tuple([carried for token in tokens if (carried := _carried(token))])
    return _Words(text, tokens, frozenset([word for word in order if not _has_digit(word)]), order)


def _has_digit(word: str) -> bool:
    return not word.isalpha() and any(c.isdigit() for c in word)


@lru_cache(maxsize=16384)
def _carried(token: str) -> str:
    """The stem of a token that carries the sentence; empty for a light word, a negation and a word that has an opposite."""
    bare = _CONTRACTED.sub("", token)
    return "" if bare in _LIGHT or bare in _SIDES or negations(bare) else _stem(bare)


def _stem(word: str) -> str:
    """The word without the "s" of a plural or a verb: applies, apply."""
    if len(word) < _SHORT or not word.endswith("s") or word.endswith(("ss", "us", "is")) or not word.isascii():
        return word
    return word[:-3] + "y" if word.endswith("ies") else word[:-2] if word.endswith(("ches", "shes", "xes", "oes")) else word[:-1]


_SHORT = 5


@dataclass(frozen=True, slots=True)
class _Passage:
    """The sentences of a passage, and all its words."""

    sentences: tuple[_Words, ...]
    tokens: frozenset[str]


@lru_cache(maxsize=512)
def _passage(text: str) -> _Passage:
    """The sentences of a passage; list items, rows and paragraphs end one too."""
    found, begin = [], 0
    for block in (*_BLOCK.finditer(text), None):
        stop = block.start() if block else len(text)
        for end in (*sentence_ends(text, begin, stop), stop):
            words = _words(text[begin:end])
            begin = end
            if words.content:
                found.append(words)
    found = list({words.tokens: words for words in found}.values())
    return _Passage(tuple(found), frozenset([token for words in found for token in (*words.tokens, *words.content)]))


def _has_words(passage: _Passage, text: str) -> bool:
    """Whether all words of a claim that carry it are in the passage."""
    known = passage.tokens
    long = [_carried(word) for word in text.split() if len(word) > 6 and word not in known and word.isalpha()]
    if any(word and word not in known for word in long):
        return False
    new = frozenset(_TOKEN.findall(text)) - known
    return not any((word := _carried(token)) and not _has_digit(word) and word not in known for token in new)


_BLOCK = pattern(r"\n(?=[^\S\n]*(?:\n|[-*•|#>]|\d{1,3}[.)]\s))")


def _without_marks(claim: Claim, marks: Sequence[Citation]) -> str:
    if not marks:
        return claim.text
    parts, base, at = [], claim.span.start, 0
    for mark in marks:
        parts.append(claim.text[at : mark.span.start - base])
        at = mark.span.end - base
    return " ".join([*parts, claim.text[at:]])


# ---------------------------------------------------------------- the two ways


def _opposite(claim: _Words, passages: Iterable[tuple[str, _Passage]]) -> tuple[str, str, str] | None:
    """Label, sentence and how, unless a passage says what the claim says."""
    found = None
    for label, passage in passages:
        alike = (sentence for sentence in passage.sentences if claim.content <= sentence.content)
        for sentence in islice(alike, _MOST_ALIKE):
            if _says_the_same(claim, sentence):
                return None
            if found is None and (how := _how(claim, sentence)):
                found = (label, " ".join(sentence.text.split()), how)
    return found


_MOST_ALIKE = 50
"""A claim is held against so many sentences of a passage at most: who repeats himself more often says nothing new."""


def _says_the_same(claim: _Words, sentence: _Words) -> bool:
    window = _window(claim, sentence)
    if window is None or window.turned != (window.negated != _is_negated(claim.text)):  # not above 40 is below 40
        return False
    return _is_part(claim.order, sentence.order) or (_is_in_other_figures(claim, sentence) and _has_values(claim, sentence))


def _is_part(part: Sequence[str], whole: Sequence[str]) -> bool:
    n = len(part)
    return any(whole[i : i + n] == part for i in range(len(whole) - n + 1))


def _is_in_other_figures(claim: _Words, sentence: _Words) -> bool:
    """Whether the two say the same words around numerals that need not be the same."""
    said, stands = (tuple([word for word in words.order if not _has_digit(word)]) for words in (claim, sentence))
    return len(said) < len(claim.order) and len(stands) < len(sentence.order) and _is_part(said, stands)


def _has_values(claim: _Words, sentence: _Words) -> bool:
    """Whether the claim's figures stand where the sentence says its words.

    A figure that only takes the place of the one before ("500 euros for buildings and 250 euros for contents") stands there too,
    unless the claim says more behind its own ("250 euros for buildings").
    """
    figures, mine = find_figures(sentence.text), find_figures(claim.text)
    wanted = _values(mine)
    ends_in_figure = bool(mine) and not _words(claim.text[mine[-1].span.end :]).content
    for start, end in _places(claim, sentence):
        held = [figure for figure in figures if start <= figure.span.start < end]
        if ends_in_figure and held:
            held += _in_its_place(sentence.text, held[-1].span.end, [f for f in figures if f.span.start >= end])
        if wanted <= _values(held):
            return True
    return False


def _values(figures: Sequence[Figure]) -> frozenset[tuple[object, ...]]:
    return frozenset([(f.kind, f.value, f.unit) for f in figures])


def _places(claim: _Words, sentence: _Words) -> list[tuple[int, int]]:
    """Where the sentence says the claim's words around figures of its own, from the first of them to the last."""
    said = [word for word in claim.order if not _has_digit(word)]
    tokens = [(carried, at) for at, token in enumerate(sentence.tokens) if (carried := _carried(token))]
    words = [(word, at) for word, at in tokens if not _has_digit(word)]
    spans, last, places = sentence.spans(), len(sentence.tokens) - 1, []
    for i in range(len(words) - len(said) + 1):
        if words[i][0] != said[0] or [word for word, _ in words[i : i + len(said)]] != said:
            continue
        first, final = words[i][1], words[i + len(said) - 1][1]
        while _has_digit(claim.order[0]) and first > 0 and _has_digit(sentence.tokens[first - 1]):
            first -= 1
        while _has_digit(claim.order[-1]) and final < last and _has_digit(sentence.tokens[final + 1]):
            final += 1
        places.append((spans[first][0], spans[final][1]))
    return places


def _in_its_place(text: str, end: int, figures: Sequence[Figure]) -> list[Figure]:
    """The figures with nothing of their own before them since the last comma or "and"."""
    found = []
    for figure in figures:
        ahead = _PART.split(text[end : figure.span.start])
        if len(ahead) > 1 and not _words(ahead[-1]).content:
            found.append(figure)
        end = figure.span.end
    return found


_PART = pattern(r"[,;]|\b(?:and|or|und|oder|et|ou|y|o)\b", re.IGNORECASE)


def _how(claim: _Words, sentence: _Words) -> str | None:
    window = _window(claim, sentence)
    turned = window is not None and window.turned
    if len(claim.content) < _ENOUGH and not turned:
        return None
    if window is not None and turned != (window.negated != _is_negated(claim.text)):
        return "turned" if turned else "negated"
    if _is_in_other_figures(claim, sentence) and not _has_values(claim, sentence):
        return "refigured"
    return "exchanged" if _is_exchanged(claim, sentence) else None


def _is_negated(text: str) -> bool:
    return bool(negations(text)) and not _NOT_ONLY.search(text)


def _turns(claim: _Words, window: str) -> bool:
    """Whether the claim has the opposite of a word of the sentence: at most for at least, fell for rose."""
    said = _sides(claim.tokens)
    stands = _sides(_TOKEN.findall(window.lower())) if said else {}
    return any(axis in stands and stands[axis] != sides and not stands[axis] & sides for axis, sides in said.items())


def _sides(tokens: Iterable[str]) -> dict[str, frozenset[int]]:
    found: dict[str, frozenset[int]] = {}
    for token in tokens:
        if (held := _SIDES.get(token)) is not None:
            found[held[0]] = found.get(held[0], frozenset()) | {held[1]}
    return found


class _Window(NamedTuple):
    """Whether the part of a sentence that says a claim's words negates, and has the opposite of one of them."""

    negated: bool
    turned: bool


def _window(claim: _Words, sentence: _Words) -> _Window | None:
    """What the sentence says where it has the claim's words one after the other; None if it has not, or not closely."""
    carried = [_carried(token) for token in sentence.tokens]
    wanted = list(claim.order)
    last, elsewhere = _last_of(wanted, carried), False
    if last is None:
        elsewhere = any(_has_digit(word) for word in wanted)
        wanted = [word for word in wanted if not _has_digit(word)]
        last = _last_of(wanted, carried)
    if last is None:
        return None
    first = last - (_last_of(wanted[::-1], carried[last::-1]) or 0)
    between = [word for word in carried[first : last + 1] if word]
    if len(between) > 1.5 * len(claim.order) + 2:
        return None
    spans = sentence.spans()
    start, end = spans[first][0], spans[last][1]
    # A negation right before the first word bears on it ("do not open the hatch"), and so does one right behind the last
    # ("der Motor startet nicht"), but none beyond a comma or a stop.
    start -= len(_STOP.split(sentence.text[max(0, start - 12) : start])[-1])
    tail = _STOP.split(sentence.text[end : end + _BEHIND])[0]
    negated = _is_negated(sentence.text[start:end] + tail[:_NEAR])
    return _Window(negated, not elsewhere and _turns(claim, sentence.text[start:end] + tail))


def _last_of(wanted: Sequence[str], words: Sequence[str]) -> int | None:
    """Where the last of the wanted words stands, when they are taken in order, each as early as possible."""
    at = -1
    for word in wanted:
        try:
            at = words.index(word, at + 1)
        except ValueError:
            return None
    return at


_NEAR, _BEHIND = 6, 12
_STOP = pattern(r"[,;:.]")
_NOT_ONLY = pattern(r"\b(?:not only|nicht nur|non seulement|no sólo|no solo)\b|不仅|不但", re.IGNORECASE)
_JOINING = frozenset({"and", "or", "und", "oder", "et", "ou", "y", "o", "e", "plus", "和", "与", "及", "或"})
_SYMMETRIC = _JOINING | {
    "with",
    "is",
    "are",
    "was",
    "were",
    "equals",
    "ist",
    "sind",
    "war",
    "wird",
    "werden",
    "wurde",
    "wurden",
    "est",
    "sont",
    "es",
    "son",
    "mit",
    "avec",
    "con",
    "是",
}


def _is_exchanged(claim: _Words, sentence: _Words) -> bool:
    """Whether two parts of the sentence have changed places around words that are no mere "and"."""
    n = len(claim.tokens)
    if n < 3 or n > 60 or len(sentence.tokens) < n:
        return False
    wanted = Counter(claim.tokens)
    for at in range(len(sentence.tokens) - n + 1):
        window = sentence.tokens[at : at + n]
        if Counter(window) == wanted and window != claim.tokens:
            spans = sentence.spans()
            return _swapped(claim.tokens, window, sentence.text[spans[at][0] : spans[at + n - 1][1]])
    return False


def _swapped(said: tuple[str, ...], stands: tuple[str, ...], text: str) -> bool:
    whole = said
    first = next(i for i, (a, b) in enumerate(zip(said, stands, strict=True)) if a != b)
    last = next(i for i in range(len(said), 0, -1) if said[i - 1] != stands[i - 1])
    said, stands = said[first:last], stands[first:last]
    n = len(said)
    for left in range(1, n - 1):
        for right in range(1, n - left):
            middle = said[left : n - right]
            if stands == said[n - right :] + middle + said[:left]:
                listed = middle[0] in _JOINING and middle[1:] == whole[max(0, first - len(middle) + 1) : first]
                return not listed and not all(word in _SYMMETRIC for word in middle) and "," not in text
    return False
