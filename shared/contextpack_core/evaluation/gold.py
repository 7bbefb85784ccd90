"""Gold: how much of the labelled evidence stands in what a retriever, a pack or a citation holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from contextpack_core.evaluation.cases import Gold, GoldSpan
from contextpack_core.text import normal
from contextpack_core.values import Candidate, Evidence, Source

WHOLE = 0.9
"""A span counts as there when this share of its visible characters is."""
COPY = 40
"""A gold span of at least so many characters also counts where its whole text stands in another document."""


class Block(NamedTuple):
    """A text that may hold evidence: its stretches of documents, the candidates in it, and the text as it came."""

    ids: tuple[str, ...]
    places: tuple[tuple[str, int, int], ...]
    documents: tuple[str, ...]
    raw: str

    @property
    def text(self) -> str:
        """The text for comparison; made only when asked for, as most gold is found by its place."""
        return _plain(self.raw)


@dataclass(frozen=True, slots=True)
class Held:
    """How much of the gold is held: the share of all of it, and for each item of it its share."""

    share: float
    items: tuple[float, ...]

    @property
    def whole(self) -> bool:
        """Whether each item is there: a span with at least 90 % of its visible characters."""
        return all(share >= WHOLE for share in self.items)


def candidate_blocks(candidates: Sequence[Candidate]) -> tuple[Block, ...]:
    """What the retriever handed over, as blocks."""
    return tuple([Block((c.id,), _place(c.source), (c.source.doc_id,), c.text) for c in candidates])


def evidence_blocks(evidence: Iterable[Evidence]) -> tuple[Block, ...]:
    """What a pack admitted, as blocks; duplicates that were dropped in favour of a passage count as held by it."""
    blocks = []
    for item in evidence:
        passage = item.passage
        own = tuple([(passage.source.doc_id, p.span.start, p.span.end) for p in passage.pieces if p.span is not None])
        documents = (passage.source.doc_id, *[source.doc_id for source in passage.also_in])
        others = tuple([place for source in passage.also_in for place in _place(source)])
        blocks.append(Block(passage.candidate_ids, own + others, documents, passage.text))
    return tuple(blocks)


def held_in(gold: Gold, blocks: Sequence[Block], texts: Mapping[GoldSpan, str]) -> Held | None:
    """How much of the gold the blocks hold; None where there is no gold.

    Spans are counted by visible characters: one counts when a block says that it holds that place, or when the whole text of the
    span (at least 40 characters) stands in a block. Ids and documents count when a block holds them; an id also when its text
    does, quotes when their text stands in a block, blanks and look-alike quotes aside. ``texts`` are the texts of spans, where
    known.
    """
    if not len(gold):
        return None
    if gold.spans:
        sizes, shares = zip(*[_span_share(span, blocks, texts.get(span)) for span in gold.spans], strict=True)
        return Held(sum(size * share for size, share in zip(sizes, shares, strict=True)) / max(1, sum(sizes)), tuple(shares))
    if gold.ids:
        present = {name for block in blocks for name in block.ids}
        shares = tuple([float(name in present) for name in gold.ids])
    elif gold.documents:
        present = {name for block in blocks for name in block.documents}
        shares = tuple([float(name in present) for name in gold.documents])
    else:
        shares = tuple([float(any(normal(quote) in block.text for block in blocks)) for quote in gold.quotes])
    return Held(sum(shares) / len(shares), shares)


def texts_of(gold: Gold, candidates: Sequence[Candidate]) -> dict[GoldSpan, str]:
    """The texts of the gold spans: as labelled, else as candidates hold them whole or in parts; unknown characters are U+FFFD."""
    found = {}
    for span in gold.spans:
        if span.text is not None:
            found[span] = span.text
            continue
        parts = ["\ufffd"] * (span.end - span.start)
        for candidate in candidates:
            place = candidate.source.span
            if place is None or candidate.source.doc_id != span.doc_id or len(place) != len(candidate.text):
                continue
            start, end = max(place.start, span.start), min(place.end, span.end)
            if start < end:
                parts[start - span.start : end - span.start] = candidate.text[start - place.start : end - place.start]
        found[span] = "".join(parts)
    return found


def with_copies(gold: Gold, held: Held, copies: Mapping[str, str], blocks: Sequence[Block]) -> Held:
    """The same, where a gold id whose text (``copies``) stands in a block counts as held."""
    if not gold.ids or held.share == 1:
        return held
    shares = tuple(
        [
            1.0 if share or (name in copies and any(normal(copies[name]) in block.text for block in blocks)) else 0.0
            for name, share in zip(gold.ids, held.items, strict=True)
        ]
    )
    return Held(sum(shares) / len(shares), shares)


def _place(source: Source) -> tuple[tuple[str, int, int], ...]:
    span = source.span
    return () if span is None else ((source.doc_id, span.start, span.end),)


def _span_share(span: GoldSpan, blocks: Sequence[Block], text: str | None) -> tuple[int, float]:
    """The visible characters of a span, and the share of them that is held."""
    length = span.end - span.start
    text = text if text is not None else "\ufffd" * length
    size = _visible(text)
    parts = [
        (max(start, span.start) - span.start, min(end, span.end) - span.start)
        for block in blocks
        for doc_id, start, end in block.places
        if doc_id == span.doc_id and start < span.end and end > span.start
    ]
    if (0, length) in parts:
        return size, 1.0
    marks = bytearray(length)
    for start, end in parts:
        marks[start:end] = b"\x01" * (end - start)
    held = marks.count(1)
    if held == length:
        return size, 1.0
    if length >= COPY and "\ufffd" not in text:
        plain = _plain(text)
        if any(plain in block.text for block in blocks):
            return size, 1.0
    if not held:
        return size, 0.0
    return size, sum([mark for mark, character in zip(marks, text, strict=True) if not character.isspace()]) / max(1, size)


@lru_cache(maxsize=256)
def _plain(text: str) -> str:
    """The text for comparison; of a case each is asked for many times."""
    return normal(text)


@lru_cache(maxsize=64)
def _visible(text: str) -> int:
    return len("".join(text.split()))
