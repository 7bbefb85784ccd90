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
from contextpack_core.citations.marks import Marks, scan
from contextpack_core.citations.restating import Said, clauses, is_of, words_of
from contextpack_core.citations.values import Citation, CitationStatus, Claim, ClaimKind
from contextpack_core.values import Span


@dataclass(frozen=True, slots=True)
class Placed:
    """A declared claim, the claims of the text that say it (by their number), and where it stands there, None for a paraphrase.

    ``whole``: it is found there as whole statements. ``citations`` are its labels. ``serves`` are those of ``inside`` that say
    nothing beside it and the other declared claims, and so may have its labels.
    """

    claim: DeclaredClaim
    inside: tuple[int, ...]
    span: Span | None
    whole: bool
    citations: tuple[Citation, ...]
    serves: tuple[int, ...] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        """Its labels as the sources spell them."""
        return tuple(dict.fromkeys([label for citation in self.citations for label in citation.labels]))


def with_provider_marks(marks: Marks, said: Answer, words: Vocabulary) -> Marks:
    """The marks of the text with those that a provider cites by; what looks like another mark in such a place is none."""
    places: dict[Span, list[DeclaredClaim]] = {}
    for claim in said.claims:
        if claim.is_mark and claim.span is not None:
            places.setdefault(claim.span, []).append(claim)
    if not places:
        return marks
    found = list[Citation]()
    for span in sorted(places):
        if not found or found[-1].span.end <= span.start:
            found.append(_provider_mark(span, places[span], said.text, words))
    ends = [mark.span.end for mark in found]
    for mark in marks.citations:
        behind = bisect_right(ends, mark.span.start)
        if behind == len(ends) or mark.span.end <= found[behind].span.start:
            found.append(mark)
    return replace(marks, citations=tuple(sorted(found, key=lambda c: c.span)))


def place_declared(said: Answer, claims: Sequence[Claim], marks: Sequence[Citation], words: Vocabulary) -> list[Placed]:
    """Where the declared claims stand: word for word, but for case, typography and marks, else in the statements most like them."""
    text = _Text(said.text, claims, marks)
    placed: list[Placed] = []
    where: list[list[Span]] = []
    for declared in said.claims:
        own = scan(declared.text, words).citations
        names = declared.labels or [label for mark in own for label in mark.labels]
        spans = [declared.span] if declared.span is not None else text.find(_unseen(declared.text, own))
        inside = text.overlapped(spans) if spans else text.alike(declared.text, bool(names))
        around = [*spans, *[claims[i].span for i in inside]] or [Span(0, len(said.text))]
        place = spans[0] if spans else Span(min(span.start for span in around), max(span.end for span in around))
        citations = tuple([_citation(name, declared, place, words) for name in names])
        whole = declared.span is None and text.is_whole(spans, inside)
        placed.append(Placed(declared, inside, spans[0] if spans else None, whole, citations))
        where.append(spans)
    served = text.served(placed, where)
    return [replace(item, serves=tuple([i for i in item.inside if i in served])) for item in placed]


def with_declared(
    claims: tuple[Claim, ...], marks: tuple[Citation, ...], placed: Sequence[Placed]
) -> tuple[tuple[Claim, ...], tuple[Citation, ...]]:
    """The claims, of which those without a mark have the labels declared for them, and the citations with these.

    A reader goes by the mark: a statement that has one is checked by it alone. The citations of a provider, which come with
    their place, are such marks too.
    """
    found, citations = list(claims), list(marks)
    for item in placed:
        takes = [i for i in item.inside if item.claim.span is not None or (i in item.serves and not claims[i].labels)]
        has = {label for i in item.inside for label in found[i].labels}
        new = [citation for citation in item.citations if not has.issuperset(citation.labels)]
        # Beside marks, only what is wrong with a label is worth saying.
        beside = bool(item.inside) and not takes and all(claims[i].labels for i in item.inside)
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


def _provider_mark(span: Span, claims: Sequence[DeclaredClaim], text: str, words: Vocabulary) -> Citation:
    """The mark for all passages that are cited there; for the first of what is none, if there are none."""
    cited = [_citation(label, claim, span, words) for claim in claims for label in claim.labels]
    labels = dict.fromkeys([label for one in cited if one.status is CitationStatus.VALID for label in one.labels])
    return Citation(text[span.start : span.end], tuple(labels), span, CitationStatus.VALID) if labels else cited[0]


def _citation(label: str, declared: DeclaredClaim, span: Span, words: Vocabulary) -> Citation:
    reading, called = words.read(label), declared.called or label
    if reading is None:
        return Citation(called, (label,), span, CitationStatus.UNKNOWN, declared.detail or f"{label} is no label")
    return Citation(called, reading.labels, span, reading.status, reading.detail)


# ---------------------------------------------------------------- where a claim stands

_MOST_PLACES = 20
_MOSTLY = 0.5


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

    def alike(self, text: str, has_labels: bool) -> tuple[int, ...]:
        """The statements, at most so many, that restate a claim, those with most of its words; else a short answer behind it.

        That is the only statement of a text without marks: "Yes, it does." A claim without labels serves none: it is checked by the
        labels of those that are most like it, whatever else they say.
        """
        said = Said(text)
        if not has_labels:
            likeness = {i: said.likeness(own) for i, own in self._said.items()}
            best = max(likeness.values(), default=0.0)
            return tuple([i for i, share in likeness.items() if share and share >= min(best, _MOSTLY)][:_MOST_PLACES])
        shares = {i: said.restated_by(own) for i, own in self._said.items()}
        near = sorted([i for i, share in shares.items() if share], key=lambda i: -shares[i])
        if near or len(shares) > 1 or any(claim.labels for claim in self._claims):
            return tuple(sorted(near[:_MOST_PLACES]))
        return tuple([i for i, own in self._said.items() if said.is_behind(own)])

    def served(self, placed: Sequence[Placed], where: Sequence[Sequence[Span]]) -> set[int]:
        """The claims of the text with no clause that says something of its own, beside the declared claims with labels in it."""
        words, places = dict[int, set[str]](), dict[int, list[Span]]()
        for item, spans in zip(placed, where, strict=True):
            for i in item.inside if item.labels else ():
                words.setdefault(i, set()).update(words_of(item.claim.text))
                places.setdefault(i, []).extend(spans)
        return {i for i, own in words.items() if not self._adds(self._claims[i].span, own, places[i])}

    def _adds(self, claim: Span, words: set[str], places: Sequence[Span]) -> bool:
        parts = list(clauses(self._unmarked, claim))
        return len(parts) > 1 and any(
            not is_of(words_of(self._unmarked[part.start : part.end]), words, bool(places))
            and not any(place.start < part.end and part.start < place.end for place in places)
            for part in parts
        )

    @cached_property
    def _said(self) -> dict[int, Said]:
        statements = [(i, claim) for i, claim in enumerate(self._claims) if claim.kind is ClaimKind.STATEMENT]
        return {i: Said(self._unmarked[claim.span.start : claim.span.end]) for i, claim in statements}

    @cached_property
    def _unmarked(self) -> str:
        return _unseen(self._text, self._marks)

    @cached_property
    def _folded(self) -> Folded:
        return fold(self._unmarked)


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
