"""Span, Source, Candidate, Passage, Evidence: frozen values, in the order in which a text passes through them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from contextpack_core.fields import FieldMap, read_record
from contextpack_core.frozen import quickly_made


@quickly_made
@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Where a text stands in its document: code points, end exclusive.

    Raises:
        ValueError: the span is impossible (negative, or its end lies before its start).
    """

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"Span({self.start}, {self.end}): 0 <= start <= end is required")

    def __len__(self) -> int:
        return self.end - self.start


@quickly_made
@dataclass(frozen=True, slots=True)
class Source:
    """Where a text stands: document, place in it, edition. This is the provenance; only ``doc_id`` is required.

    ``effective_from`` and ``effective_until`` bound the half-open range of days on which the edition applies.
    ``superseded_by`` and ``supersedes`` name other editions of the family, by document id or edition.
    ``access`` holds the labels of which a caller needs one; ``authority`` is between 0 and 1.
    """

    doc_id: str
    span: Span | None = None
    section: str | None = None
    title: str | None = None
    page: int | str | None = None
    uri: str | None = None
    family: str | None = None
    edition: str | None = None
    effective_from: date | None = None
    effective_until: date | None = None
    superseded_by: str | tuple[str, ...] | None = None
    supersedes: str | tuple[str, ...] | None = None
    status: str | None = None
    authority: float | None = None
    access: tuple[str, ...] | None = None
    language: str | None = None


@quickly_made
@dataclass(frozen=True, slots=True)
class Candidate:
    """One hit as a retriever handed it over. ``rank`` starts at 1 and decides; scores of two retrievers do not compare.

    ``tokens`` is what the retriever claims and is not trusted; ``metadata`` is the untouched original. ``also_in`` are the
    sources of the duplicates that were dropped in favour of this one.
    """

    id: str
    text: str
    source: Source
    rank: int | None = None
    score: float | None = None
    tokens: int | None = None
    embedding: tuple[float, ...] | None = None
    previous_id: str | None = None
    next_id: str | None = None
    parent_id: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict, hash=False)
    also_in: tuple[Source, ...] = ()

    @classmethod
    def from_mapping(cls, record: Mapping[str, Any], fields: FieldMap | None = None) -> Candidate:
        """The candidate that a plain record describes, whichever common spelling its metadata uses.

        Values that say nothing (``""``, ``None``, ``NaN``, an offset of -1, an unreadable date) are missing values.
        A missing id stays empty here; ``pack`` gives it a reproducible one.
        """
        own, source = read_record(record, fields)
        span = source.pop("span", None)
        return cls(**own, source=Source(**source, span=None if span is None else Span(*span)))


@quickly_made
@dataclass(frozen=True, slots=True)
class Join:
    """How the candidate ``right`` goes on from ``left``: the characters they share, or the glue between them.

    ``overlap`` first characters of ``right`` are the last ones of ``left``. ``glue`` is text between the two; ``glue_span`` says
    where it stands in the document, and is None for a mark that stands for an unknown gap. All zero: they touch.
    """

    left: str
    right: str
    overlap: int = 0
    glue: str = ""
    glue_span: Span | None = None


@dataclass(frozen=True, slots=True)
class Joins:
    """What ``find_joins`` proved. ``chains`` are candidate ids in document order, each joined to the next.

    ``between`` also holds the joins of candidates that are not neighbours in their chain, where their texts overlap or touch.
    A candidate that joins nothing stands in no chain. ``notices`` are remarks for the trace.
    """

    chains: tuple[tuple[str, ...], ...] = ()
    between: Mapping[tuple[str, str], Join] = field(default_factory=dict, hash=False)
    notices: tuple[str, ...] = ()


@quickly_made
@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a passage: the candidate it comes from and its span in the document.

    ``inserted`` is glue, which comes from no candidate: it goes with the one before it, and has a span only if it was filled from
    the document.
    """

    candidate_id: str
    text: str
    span: Span | None = None
    inserted: bool = False


@quickly_made
@dataclass(frozen=True, slots=True)
class Passage:
    """One contiguous text of one edition, made of one or more joined candidates.

    ``uid`` depends on document, edition, span and text only. ``also_in`` are the sources of its dropped duplicates,
    ``conflicts_with`` the labels of passages that say otherwise, if the header shows them.
    ``candidate_ids`` are the members in text order; a member whose text another one holds may have no piece of its own.
    """

    uid: str
    pieces: tuple[Piece, ...]
    source: Source
    also_in: tuple[Source, ...] = ()
    conflicts_with: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        pieces = self.pieces
        return pieces[0].text if len(pieces) == 1 else "".join([piece.text for piece in pieces])

    @property
    def candidate_ids(self) -> tuple[str, ...]:
        if len(self.pieces) == 1 and (only := self.pieces[0].candidate_id) is not None:
            return (only,)
        return tuple(dict.fromkeys([piece.candidate_id for piece in self.pieces]))


@quickly_made
@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage that the budget admitted: its label for the model and its price in tokens, envelope included.

    The label is empty until the passage is rendered: labels are given once, last. The tokens of all evidence add up to
    those of the rendered text.
    """

    label: str
    passage: Passage
    tokens: int
