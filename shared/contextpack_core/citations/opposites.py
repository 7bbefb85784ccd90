"""Opposites: claims that say a passage's sentence with a negation more or less, or with two of its parts exchanged."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from contextpack_core.citations.sentences import sentence_ends
from contextpack_core.citations.values import Citation, Claim, ClaimKind, SourceText
from contextpack_core.negation import negations


@dataclass(frozen=True, slots=True)
class Opposite:
    """A claim and the sentence of a cited passage that says otherwise; ``how`` is ``negated`` or ``exchanged``."""

    claim: int
    label: str
    sentence: str
    how: str


def find_opposites(
    claims: Sequence[Claim], citations: Sequence[Citation], sources: Mapping[str, SourceText]
) -> tuple[Opposite, ...]:
    """The claims of which a cited passage says the opposite in the same words; at most one for a claim.

    Only what stands in the words themselves is found: the claim's words are all in one sentence, and either one of the two
    is negated there, or two parts of it have changed places (the lift carries more than the hoist). A passage that also says
    what the claim says clears it. Other contradictions are a judge's business.
    """
    found = []
    for i, claim in enumerate(claims):
        cited = [label for label in claim.labels if label in sources]
        if claim.kind is not ClaimKind.STATEMENT or not cited:
            continue
        words = _words(_without_marks(claim, citations))
        if len(words.content) < 3:
            continue
        opposite = _opposite(words, [(label, sources[label].text) for label in cited])
        if opposite is not None:
            found.append(Opposite(i, *opposite))
    return tuple(found)


# ---------------------------------------------------------------- words

_TOKEN = re.compile(r"[぀-ヿ一-鿿]|[^\W_぀-ヿ一-鿿]+(?:[.,'’][^\W_]+)*")
_LIGHT = frozenset(
    """
    a an the is are was were be been being am do does did has have had will would shall should can could may might must to of
    that which it its this you we i they der die das den dem des ein eine einen einem einer ist sind war waren wird werden wurde hat
    haben kann darf soll muss es zu le la les l un une des du de est sont était été a ont peut doit il elle en el los las una
    es son ser ha han puede debe se 的 了 是 在 ca wo
    """.split()  # noqa: SIM905
)
_CONTRACTED = re.compile(r"n['’]t\Z")


@dataclass(frozen=True, slots=True)
class _Words:
    """A sentence as lower-case words in order: ``content`` are those that carry it, negations and light words aside."""

    text: str
    tokens: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    content: frozenset[str]
    order: tuple[str, ...]


def _words(text: str) -> _Words:
    found = [(match[0].lower(), match.span()) for match in _TOKEN.finditer(text)]
    tokens = tuple([word for word, _ in found])
    order = tuple([t for t in (_CONTRACTED.sub("", token) for token in tokens) if t not in _LIGHT and not negations(t)])
    return _Words(text, tokens, tuple([span for _, span in found]), frozenset(order), order)


@lru_cache(maxsize=512)
def _sentences(text: str) -> tuple[_Words, ...]:
    """The sentences of a passage; list items, rows and paragraphs end one too."""
    found, begin = [], 0
    for block in (*_BLOCK.finditer(text), None):
        stop = block.start() if block else len(text)
        for end in (*sentence_ends(text, begin, stop), stop):
            words = _words(text[begin:end])
            begin = end
            if words.content:
                found.append(words)
    return tuple(found)


_BLOCK = re.compile(r"\n(?=[^\S\n]*(?:\n|[-*•|#>]|\d{1,3}[.)]\s))")


def _without_marks(claim: Claim, citations: Sequence[Citation]) -> str:
    parts, at = [], claim.span.start
    for mark in citations:
        if claim.span.start <= mark.span.start < claim.span.end:
            parts.append(claim.text[at - claim.span.start : mark.span.start - claim.span.start])
            at = mark.span.end
    return " ".join([*parts, claim.text[at - claim.span.start :]])


# ---------------------------------------------------------------- the two ways


def _opposite(claim: _Words, passages: Iterable[tuple[str, str]]) -> tuple[str, str, str] | None:
    """Label, sentence and how, unless a passage says what the claim says."""
    found = None
    for label, text in passages:
        for sentence in _sentences(text):
            if not claim.content <= sentence.content:
                continue
            if _says_the_same(claim, sentence):
                return None
            if found is None and (how := _how(claim, sentence)):
                found = (label, " ".join(sentence.text.split()), how)
    return found


def _says_the_same(claim: _Words, sentence: _Words) -> bool:
    n = len(claim.order)
    same_order = any(sentence.order[i : i + n] == claim.order for i in range(len(sentence.order) - n + 1))
    return same_order and _negated(claim) == _negated_within(claim, sentence)


def _how(claim: _Words, sentence: _Words) -> str | None:
    if len(sentence.content - claim.content) <= len(claim.content) and _negated(claim) != _negated_within(claim, sentence):
        return "negated"
    if _is_exchanged(claim, sentence):
        return "exchanged"
    return None


def _negated(words: _Words) -> bool:
    return bool(negations(words.text)) and not _NOT_ONLY.search(words.text)


def _negated_within(claim: _Words, sentence: _Words) -> bool:
    """Whether the sentence negates between the first and the last of the claim's words."""
    places = [i for i, token in enumerate(sentence.tokens) if _CONTRACTED.sub("", token) in claim.content]
    if not places:
        return False
    start = sentence.spans[places[0]][0]
    head = sentence.text[:start]
    # A negation right before the first word still bears on it: "do not open the hatch".
    start = max(0, len(head) - 12) if negations(head[-12:]) and not any(c in head[-12:] for c in ",;:.") else start
    within = sentence.text[start : sentence.spans[places[-1]][1] + 6]
    return bool(negations(within)) and not _NOT_ONLY.search(within)


_NOT_ONLY = re.compile(r"\b(?:not only|nicht nur|non seulement|no sólo|no solo)\b|不仅|不但", re.IGNORECASE)
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
    if n < 5 or n > 60 or len(sentence.tokens) < n:
        return False
    wanted = Counter(claim.tokens)
    for at in range(len(sentence.tokens) - n + 1):
        window = sentence.tokens[at : at + n]
        if Counter(window) == wanted and window != claim.tokens:
            return _swapped(claim.tokens, window, sentence.text[sentence.spans[at][0] : sentence.spans[at + n - 1][1]])
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
