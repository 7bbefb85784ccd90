"""From joined candidates to one contiguous passage, and from a passage to an excerpt of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import fields, replace
from itertools import pairwise
from operator import attrgetter

from contextpack_core.text import content_id
from contextpack_core.values import Candidate, Joins, Passage, Piece, Source, Span

GAP_MARK = " […] "
"""Stands in a passage for text that is left out or not known; it maps to no source."""


def assemble(members: Sequence[Candidate], joins: Joins) -> Passage:
    """The passage that the members make, in their order; each is joined to the next.

    Each piece with a span reads as its candidate does there; a candidate whose offsets do not fit its text claims none.
    """
    first = members[0]
    if len(members) == 1:
        piece = _piece(first, 0)
        source = first.source if first.source.span is piece.span else _spanning(first.source, None)
        also_in = tuple(dict.fromkeys(first.also_in)) if first.also_in else ()
        return Passage(_uid(source, first.text), (piece,), source, also_in)
    pieces = [_piece(first, 0)]
    for left, right in pairwise(members):
        join = joins.between[left.id, right.id]
        if join.glue:
            pieces.append(Piece(left.id, join.glue, join.glue_span, inserted=True))
        pieces.append(_piece(right, join.overlap))
    also_in = tuple(dict.fromkeys([source for member in members for source in member.also_in]))
    return passage_of(pieces, _common_source(members, pieces), also_in)


def cut(passage: Passage, keep: Sequence[tuple[int, int]]) -> Passage:
    """The passage with only the stretches ``keep`` of its text (code points of ``passage.text``), a mark between two of them.

    The pieces keep exact spans; the source's span runs from the first kept character to the last. A member of whose text
    nothing is kept is no longer among ``candidate_ids``.

    Raises:
        ValueError: nothing is kept, or a stretch ends beyond the text.
    """
    stretches = _merged(keep)
    length = sum([len(piece.text) for piece in passage.pieces])
    if not stretches or stretches[-1][1] > length:
        raise ValueError(f"keep={list(keep)}: stretches of text between 0 and {length}, not empty")
    if stretches == [(0, length)]:
        return passage
    pieces: list[Piece] = []
    for start, end in stretches:
        if pieces:
            pieces.append(Piece(pieces[-1].candidate_id, GAP_MARK, inserted=True))
        pieces.extend(_within(passage.pieces, start, end))
    return passage_of(pieces, _spanning(passage.source, _hull(pieces)), passage.also_in)


def passage_of(pieces: Sequence[Piece], source: Source, also_in: tuple[Source, ...] = ()) -> Passage:
    """A passage with its content id."""
    return Passage(_uid(source, "".join([piece.text for piece in pieces])), tuple(pieces), source, also_in)


def _uid(source: Source, text: str) -> str:
    span = source.span
    return content_id(source.doc_id, source.edition, None if span is None else f"{span.start}-{span.end}", text)


def _piece(candidate: Candidate, skipped: int) -> Piece:
    """The candidate's text without its first ``skipped`` characters, which the passage already holds."""
    span, text = candidate.source.span, candidate.text
    if span is not None and span.end - span.start != len(text):
        span = None
    if not skipped:
        return Piece(candidate.id, text, span)
    return Piece(candidate.id, text[skipped:], None if span is None else Span(span.start + skipped, span.end))


def _common_source(members: Sequence[Candidate], pieces: Sequence[Piece]) -> Source:
    """The first member's source, with a span and pages over all of them."""
    source, page = _spanning(members[0].source, _hull(pieces)), _pages([m.source.page for m in members])
    return source if page == source.page else replace(source, page=page)


_BUT_DOC_ID_AND_SPAN = attrgetter(*[field.name for field in fields(Source)][2:])


def _spanning(source: Source, span: Span | None) -> Source:
    """The source with another span: ``replace`` takes four times as long."""
    return source if source.span == span else Source(source.doc_id, span, *_BUT_DOC_ID_AND_SPAN(source))


def _hull(pieces: Sequence[Piece]) -> Span | None:
    """From the first character to the last, where every candidate's text says where it stands."""
    spans = [piece.span for piece in pieces if not piece.inserted]
    if not spans or any(span is None for span in spans):
        return None
    known = [span for span in spans if span is not None]
    return Span(known[0].start, known[-1].end)


def _pages(pages: Sequence[int | str | None]) -> int | str | None:
    """One page as it is, several numbers as a range, other pages as a list."""
    known = list(dict.fromkeys([page for page in pages if page is not None]))
    if len(known) <= 1:
        return known[0] if known else None
    if not all(_NUMBERED.fullmatch(str(page)) for page in known):
        return ", ".join(map(str, known))
    numbers = [int(number) for page in known for number in _NUMBER.findall(str(page))]
    return f"{min(numbers)}-{max(numbers)}" if min(numbers) < max(numbers) else known[0]


_NUMBER = re.compile(r"\d+")
_NUMBERED = re.compile(r"\d+(?:\s*[-–,]\s*\d+)*")


def _merged(stretches: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The stretches in order, those that overlap or touch as one, empty ones left out."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(stretches):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(merged[-1][1], end)
        elif start < end:
            merged.append((start, end))
    return merged


def _within(pieces: Sequence[Piece], start: int, end: int) -> list[Piece]:
    """The parts of the pieces that lie in a stretch of the passage's text."""
    found = []
    offset = 0
    for piece in pieces:
        text, span = piece.text, piece.span
        first, last = max(start - offset, 0), min(end - offset, len(text))
        if first < last:
            there = None if span is None else Span(span.start + first, span.start + last)
            found.append(Piece(piece.candidate_id, text[first:last], there, piece.inserted))
        offset += len(text)
    return found
