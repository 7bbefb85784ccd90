"""What a structured answer declares beside its text: where each claim stands there, and which statements take its labels."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from contextpack_core.citations.answers import Answer, DeclaredClaim
from contextpack_core.citations.borders import is_whole
from contextpack_core.citations.folding import Folded, fold
from contextpack_core.citations.labels import Vocabulary
from contextpack_core.citations.lexical import content_words
from contextpack_core.citations.marks import scan
from contextpack_core.citations.values import Citation, CitationStatus, Claim, ClaimKind
from contextpack_core.patterns import pattern
from contextpack_core.values import Span


@dataclass(frozen=True, slots=True)
class Placed:
    """A declared claim, the claims of the text that say it (by their number), and where it stands there, None for a paraphrase.

    ``whole``: it stands there as whole statements. ``citations`` are its labels.
    """

    claim: DeclaredClaim
    inside: tuple[int, ...]
    span: Span | None
    whole: bool
    citations: tuple[Citation, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """Its labels as the sources spell them."""
        return tuple(dict.fromkeys([label for citation in self.citations for label in citation.labels]))


def place_declared(said: Answer, claims: Sequence[Claim], marks: Sequence[Citation], words: Vocabulary) -> list[Placed]:
    """Where the declared claims stand: word for word, but for case, typography and marks, else in the statements most like them."""
    text = _Text(said.text, claims, marks)
    placed = []
    for declared in said.claims:
        own = scan(declared.text, words).citations
        spans = [declared.span] if declared.span is not None else text.find(_unseen(declared.text, own))
        inside = text.overlapped(spans) if spans else text.alike(declared.text)
        around = [*spans, *[claims[i].span for i in inside]] or [Span(0, len(said.text))]
        place = spans[0] if spans else Span(min(span.start for span in around), max(span.end for span in around))
        names = declared.labels or [label for mark in own for label in mark.labels]
        citations = tuple([_citation(name, declared, place, words) for name in names])
        placed.append(Placed(declared, inside, spans[0] if spans else None, text.is_whole(spans, inside), citations))
    return placed


def with_declared(
    claims: tuple[Claim, ...], marks: tuple[Citation, ...], placed: Sequence[Placed]
) -> tuple[tuple[Claim, ...], tuple[Citation, ...]]:
    """The claims, of which those without a mark have the labels declared for them, and the citations with these.

    A reader goes by the mark: a statement that has one is checked by it alone. The citations of a provider, which come with
    their place, are such marks too.
    """
    found, citations = list(claims), list(marks)
    for item in placed:
        takes = [i for i in item.inside if item.claim.span is not None or not claims[i].labels]
        has = {label for i in item.inside for label in found[i].labels}
        new = [citation for citation in item.citations if not has.issuperset(citation.labels)]
        beside = bool(item.inside) and not takes  # then only what is wrong with a label is worth saying
        citations += [citation for citation in new if not beside or citation.status is not CitationStatus.VALID]
        for i in takes:
            found[i] = replace(found[i], labels=tuple(dict.fromkeys((*found[i].labels, *item.labels))))
    return tuple(found), tuple(sorted(citations, key=lambda c: c.span))


def contradicted(placed: Sequence[Placed], claims: Sequence[Claim]) -> Iterator[tuple[Placed, tuple[str, ...]]]:
    """The declared claims that stand in the text with other marks than they declare, and these marks; ``claims`` are the text's."""
    for item in placed:
        marked = tuple(dict.fromkeys([label for i in item.inside for label in claims[i].labels]))
        all_marked = bool(item.inside) and all(claims[i].labels for i in item.inside)
        known = any(citation.status is CitationStatus.VALID for citation in item.citations)  # else it is a problem already
        if item.claim.span is None and item.span and known and all_marked and set(marked).isdisjoint(item.labels):
            yield item, marked


def _citation(label: str, declared: DeclaredClaim, span: Span, words: Vocabulary) -> Citation:
    reading, called = words.read(label), declared.called or label
    if reading is None:
        return Citation(called, (label,), span, CitationStatus.UNKNOWN, declared.detail or f"{label} is no label")
    return Citation(called, reading.labels, span, reading.status, reading.detail)


# ---------------------------------------------------------------- where a claim stands

_MOST_PLACES = 20
_MOSTLY = 0.5  # of the words of the shorter one


class _Text:
    """The text of an answer, in which claims are looked for."""

    def __init__(self, text: str, claims: Sequence[Claim], marks: Sequence[Citation]) -> None:
        self._text, self._claims, self._marks = text, claims, marks
        self._starts, self._ends = [c.span.start for c in claims], [c.span.end for c in claims]

    def find(self, said: str) -> list[Span]:
        """The places of what a claim says, at most so many; none if it does not stand there."""
        folded = fold(said).text.strip(" .;,!。；，！")
        if not folded:
            return []
        places = [(at, at + len(folded)) for at in _places(self._folded.text, folded)]
        spans = [self._folded.source_span(start, end) for start, end in places if is_whole(self._folded.text, start, end)]
        return [Span(*span) for span in spans if span is not None]

    def overlapped(self, spans: Sequence[Span]) -> tuple[int, ...]:
        """The claims of the text in these places."""
        ranges = [range(bisect_right(self._ends, s.start), bisect_left(self._starts, s.end)) for s in spans]
        return tuple(dict.fromkeys([i for places in ranges for i in places]))

    def is_whole(self, spans: Sequence[Span], inside: Sequence[int]) -> bool:
        """Whether each of the claims has no words beside one of the places."""
        return bool(inside) and all(any(self._covers(span, self._claims[i].span) for span in spans) for i in inside)

    def _covers(self, place: Span, claim: Span) -> bool:
        before, behind = self._unmarked[claim.start : place.start], self._unmarked[max(place.end, claim.start) : claim.end]
        return place.start < claim.end and not any(map(str.isalnum, before + behind))

    def alike(self, said: str) -> tuple[int, ...]:
        """The statements, at most so many, that share most words with what a claim says: half of those of the shorter one, or more
        than all others do.

        Where none shares any, and the text has no mark, it may support any of them: "Yes, it does."
        """
        words = _words(said)
        shares = {i: len(words & own) / max(1, min(len(words), len(own))) for i, own in self._words.items()}
        best = max(shares.values(), default=0.0)
        if not best and any(claim.labels for claim in self._claims):
            return ()
        near = [i for i, share in shares.items() if share >= min(best, _MOSTLY)]
        return tuple(sorted(sorted(near, key=lambda i: -shares[i])[:_MOST_PLACES]))

    @cached_property
    def _words(self) -> dict[int, set[str]]:
        statements = [(i, claim) for i, claim in enumerate(self._claims) if claim.kind is ClaimKind.STATEMENT]
        return {i: _words(self._unmarked[claim.span.start : claim.span.end]) for i, claim in statements}

    @cached_property
    def _unmarked(self) -> str:
        return _unseen(self._text, self._marks)

    @cached_property
    def _folded(self) -> Folded:
        return fold(self._unmarked)


def _words(text: str) -> set[str]:
    return {*content_words(text), *_NUMBER.findall(text)}


_NUMBER = pattern(r"\d+")


def _places(text: str, wanted: str) -> Iterator[int]:
    at = text.find(wanted)
    for _ in range(_MOST_PLACES):
        if at < 0:
            return
        yield at
        at = text.find(wanted, at + len(wanted))


def _unseen(text: str, marks: Sequence[Citation]) -> str:
    """The text with its marks, and the blanks before them, made into as many characters that no reader sees."""
    parts, at = [], 0
    for mark in marks:
        before = text[at : mark.span.start].rstrip(" \t")
        parts += [before, _ZERO_WIDTH * (mark.span.end - at - len(before))]
        at = mark.span.end
    return "".join([*parts, text[at:]])


_ZERO_WIDTH = "\u200b"
