"""From joined candidates to one contiguous passage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from contextpack_core.text import content_id
from contextpack_core.values import Candidate, Joins, Passage, Piece, Source, Span


def assemble(members: Sequence[Candidate], joins: Joins) -> Passage:
    """The passage that the members make, in their order; each is joined to the next."""
    first = members[0]
    pieces = [Piece(first.id, first.text, first.source.span)]
    for left, right in zip(members, members[1:], strict=False):
        join = joins.between[left.id, right.id]
        if join.glue:
            pieces.append(Piece(None, join.glue, join.glue_span))
        span = right.source.span
        pieces.append(
            Piece(right.id, right.text[join.overlap :], None if span is None else Span(span.start + join.overlap, span.end))
        )
    return passage_of(pieces, _common_source(members), tuple(s for m in members for s in m.also_in))


def passage_of(pieces: Sequence[Piece], source: Source, also_in: tuple[Source, ...] = ()) -> Passage:
    """A passage with its content id."""
    text = "".join([piece.text for piece in pieces])
    uid = content_id(source.doc_id, source.edition, source.span, text)
    return Passage(uid, tuple(pieces), source, also_in)


def _common_source(members: Sequence[Candidate]) -> Source:
    """The first member's source with a span over all of them."""
    if len(members) == 1:
        return members[0].source
    first, last = members[0].source.span, members[-1].source.span
    return replace(members[0].source, span=None if first is None or last is None else Span(first.start, last.end))
