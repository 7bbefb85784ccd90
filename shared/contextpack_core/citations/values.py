"""Claim, Citation, Quote, Figure: what is found in an answer, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum

from contextpack_core.values import Source, Span


class CitationStatus(StrEnum):
    """Whether the pointer holds."""

    VALID = "VALID"
    UNKNOWN = "UNKNOWN"
    DROPPED = "DROPPED"
    NOT_CHECKED = "NOT_CHECKED"


class QuoteStatus(StrEnum):
    """Whether and how a quotation stands in the evidence."""

    EXACT = "EXACT"
    NORMALISED = "NORMALISED"
    ELIDED = "ELIDED"
    MISATTRIBUTED = "MISATTRIBUTED"
    AMBIGUOUS = "AMBIGUOUS"
    NOT_FOUND = "NOT_FOUND"


class FigureStatus(StrEnum):
    """Where a figure comes from."""

    SUPPORTED = "SUPPORTED"
    ELSEWHERE = "ELSEWHERE"
    STALE = "STALE"
    DERIVED = "DERIVED"
    RESTATED = "RESTATED"
    AMBIGUOUS = "AMBIGUOUS"
    UNSUPPORTED = "UNSUPPORTED"


@dataclass(frozen=True, slots=True)
class Citation:
    """A mark in the answer that names one or more labels; ``detail`` says why it is not valid."""

    text: str
    labels: tuple[str, ...]
    span: Span
    status: CitationStatus = CitationStatus.NOT_CHECKED
    detail: str = ""


class ClaimKind(StrEnum):
    """What sort of statement it is. Only a STATEMENT must cite."""

    STATEMENT = "STATEMENT"
    QUESTION = "QUESTION"
    LEAD_IN = "LEAD_IN"
    REMARK = "REMARK"
    REFUSAL = "REFUSAL"


@dataclass(frozen=True, slots=True)
class Claim:
    """One checkable statement of the answer (sentence, list item, table row) and the labels it cites, in order of first use.

    ``span`` covers the statement with its marks; ``text`` is the answer's text there. A list item that cites nothing has the labels
    of the line that introduces the list.
    """

    text: str
    span: Span
    labels: tuple[str, ...] = ()
    kind: ClaimKind = ClaimKind.STATEMENT


@dataclass(frozen=True, slots=True)
class Quote:
    """A quotation in the answer. ``source_span`` is where it stands in the text of the passage ``label``.

    ``document_span`` is the same place in the source document, where known. ``omitted`` is what an elision left out.
    """

    text: str
    span: Span | None
    label: str | None
    status: QuoteStatus
    source_span: Span | None = None
    document_span: Span | None = None
    omitted: tuple[str, ...] = ()
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Figure:
    """A number, amount, percentage, date, duration or other quantity.

    ``kind`` is number, money, percent, points, quantity, duration, date, time, ordinal, ratio or identifier. ``value`` is what
    is written, in ``unit``, scale words multiplied in; a date's value is the date, or as much of its ISO form as is given
    (``2026-01``); the ends of a range are two figures. ``status`` is None until it is looked for in evidence. ``derivation``
    shows the arithmetic of a DERIVED figure; ``detail`` says what was found instead. ``exempt`` marks figures that are no
    claims (kind ``identifier``).
    """

    text: str
    span: Span
    kind: str
    value: Decimal | date | str
    unit: str | None = None
    status: FigureStatus | None = None
    label: str | None = None
    derivation: str | None = None
    exempt: bool = False
    detail: str = ""


@dataclass(frozen=True, slots=True)
class SourceText:
    """A text that an answer may cite: a passage under its label, or the text of an edition that was dropped.

    ``gaps`` are the spans of marks that stand for text unknown; no quotation matches across one. ``pieces`` map stretches of
    ``text`` to the document: (start in ``text``, end in ``text``, start in the document). ``source`` is None for a plain text.
    """

    label: str
    text: str
    gaps: tuple[Span, ...] = ()
    pieces: tuple[tuple[int, int, int], ...] = ()
    source: Source | None = None
