"""Gold: how much of the labelled evidence stands in what a retriever, a pack or a citation holds."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, takewhile
from typing import NamedTuple

from contextpack_core.citations.borders import is_one_word
from contextpack_core.citations.values import SourceText
from contextpack_core.decisions import Drop, Reason
from contextpack_core.evaluation.cases import Gold, GoldSpan
from contextpack_core.text import normal
from contextpack_core.values import Candidate, Evidence, Passage, Source

WHOLE = 0.9
"""A span counts as there when this share of its visible characters is."""
COPY = 40
"""A gold span or candidate of at least so many characters also counts where its whole text stands in another one."""

Place = tuple[str, int, int]
"""A stretch of a document: its id, start and end in code points, end exclusive."""


class Block(NamedTuple):
    """A text that may hold evidence: its stretches of documents, the candidates in it, and the text as it came."""

    ids: tuple[str, ...]
    places: tuple[Place, ...]
    documents: tuple[str, ...]
    raw: str

    @property
    def text(self) -> str:
        """The text for comparison; made only when asked for, as most gold is found by its place."""
        return _plain(self.raw)


class KnownText(NamedTuple):
    """What is known of the text of a gold span: stretches in order and apart, each with the text it is from and its start there."""

    span: GoldSpan
    parts: tuple[tuple[int, int, str, int], ...]

    @property
    def whole(self) -> str | None:
        """The text, where all of it is known from one place."""
        if len(self.parts) == 1 and self.parts[0][:2] == (self.span.start, self.span.end):
            start, end, text, at = self.parts[0]
            return text[at : at + end - start]
        if _merged([part[:2] for part in self.parts]) == [(self.span.start, self.span.end)]:
            return "".join([text[at : at + end - start] for start, end, text, at in self.parts])
        return None

    def visible(self, start: int, end: int) -> int:
        """The characters between two places of the document that are no blanks; one that nobody knows is taken for none."""
        blanks = 0
        for first, last, text, at in self.parts:
            left, right = max(start, first), min(end, last)
            if left < right:
                blanks += right - left - _visible(text[at + left - first : at + right - first])
        return end - start - blanks


@dataclass(frozen=True, slots=True)
class Held:
    """How much of the gold is held: the share of all of it, and for each item of it its share."""

    share: float
    items: tuple[float, ...]

    @property
    def whole(self) -> bool:
        """Whether each item is there: a span with at least 90 % of its visible characters."""
        return all(share >= WHOLE for share in self.items)


# ---------------------------------------------------------------- what may hold evidence


def candidate_blocks(candidates: Sequence[Candidate]) -> tuple[Block, ...]:
    """What the retriever handed over, as blocks."""
    return tuple([Block((c.id,), _place(c.source), (c.source.doc_id,), c.text) for c in candidates])


def evidence_blocks(evidence: Iterable[Evidence], winners: Mapping[Place, Candidate] | None = None) -> tuple[Block, ...]:
    """What a pack admitted, as blocks; duplicates that were dropped in favour of a passage count as held by it.

    The place of a duplicate counts as far as the text of its winner is in the passage. ``winners`` are the candidates that were
    kept, by the place of the duplicate; where one is not known, the passage has to be about as long as the duplicate.
    """
    blocks = []
    for item in evidence:
        passage = item.passage
        own = tuple([(passage.source.doc_id, p.span.start, p.span.end) for p in passage.pieces if p.span is not None])
        documents, copied = (passage.source.doc_id, *[source.doc_id for source in passage.also_in]), []
        for source in passage.also_in:
            for place in _place(source):
                copied += _copied(place, (winners or {}).get(place), passage, own)
        blocks.append(Block(passage.candidate_ids, (*own, *copied), documents, passage.text))
    return tuple(blocks)


def winners_of(drops: Iterable[Drop], candidates: Iterable[Candidate]) -> dict[Place, Candidate]:
    """The candidates that were kept, by the places of the duplicates that were dropped in their favour."""
    known = {candidate.id: candidate for candidate in candidates}
    found = {}
    for drop in drops:
        loser, winner = known.get(drop.candidate_id), known.get(drop.in_favour_of or "")
        if drop.reason in DUPLICATES and loser is not None and winner is not None:
            found.update(dict.fromkeys(_place(loser.source), winner))
    return found


DUPLICATES = frozenset({Reason.DUPLICATE, Reason.CONTAINED, Reason.NEAR_DUPLICATE})


def source_block(source: SourceText, candidates: Sequence[Block]) -> Block:
    """A text that an answer was written from as a block: with its own place, and what the candidates are whose texts it holds.

    Without candidates its label is its id, as gold ids can name nothing else then.
    """
    text = _plain(source.text)
    held = [block for block in candidates if _is_copy(block.text, text)]
    ids = [name for block in held for name in block.ids] if candidates else [source.label]
    places = [place for block in held for place in block.places]
    documents = [name for block in held for name in block.documents]
    if source.source is not None:
        doc_id = source.source.doc_id
        documents.append(doc_id)
        places += [(doc_id, at, at + end - start) for start, end, at in source.pieces]
    return Block(tuple(ids), tuple(places), tuple(documents), source.text)


# ---------------------------------------------------------------- how much is held


def held_in(
    gold: Gold, blocks: Sequence[Block], texts: Mapping[GoldSpan, KnownText], copies: Mapping[str, Copies] | None = None
) -> Held | None:
    """How much of the gold the blocks hold; None where there is no gold. What stands in the gold twice counts once.

    Spans are counted by visible characters: one counts when a block says that it holds that place, or when the whole text of the
    span (at least 40 characters) stands in a block. Ids and documents count when a block holds them, an id also when a block holds
    a copy of it (``copies``); quotes when their text stands in a block as whole words, blanks and look-alike quotes aside.
    ``texts`` are the texts of spans, as far as known.
    """
    if gold.spans:
        return _spans_held(gold.spans, blocks, texts)
    if gold.ids:
        present = {name for block in blocks for name in block.ids}
        lacking = copies if copies and not present.issuperset(gold.ids) else {}
        return _held(gold.ids, [name in present or (name in lacking and lacking[name].in_any(blocks)) for name in gold.ids])
    if gold.documents:
        present = {name for block in blocks for name in block.documents}
        return _held(gold.documents, [name in present for name in gold.documents])
    if gold.quotes:
        quotes = [_plain(quote) for quote in gold.quotes]
        return _held(quotes, [any(_stands_in(quote, block.text) for block in blocks) for quote in quotes])
    return None


class Copies(NamedTuple):
    """The text of a gold candidate, and the ids of the candidates that have the same."""

    text: str
    ids: frozenset[str]

    def in_any(self, blocks: Iterable[Block]) -> bool:
        """Whether a block holds such a candidate, or the text: that is all of the block, or long enough to be no chance."""
        return any(not self.ids.isdisjoint(block.ids) or _is_copy(self.text, block.text) for block in blocks)


def copies_of(gold: Gold, candidates: Sequence[Candidate]) -> dict[str, Copies]:
    """The copies of the gold candidates, by id."""
    wanted = {c.id: _plain(c.text) for c in candidates if c.id in gold.ids}
    same: dict[str, set[str]] = {text: set() for text in wanted.values() if text}
    for candidate in candidates if same else ():
        if (text := _plain(candidate.text)) in same:
            same[text].add(candidate.id)
    return {name: Copies(text, frozenset(same[text])) for name, text in wanted.items() if text}


def is_found_by_text(gold: Gold, texts: Mapping[GoldSpan, KnownText]) -> bool:
    """Whether the gold can be found in plain texts, of which no document is known."""
    known = [texts[span] for span in gold.spans]
    return not gold.documents and all(text.span.end - text.span.start >= COPY and text.whole is not None for text in known)


def texts_of(gold: Gold, candidates: Sequence[Candidate]) -> dict[GoldSpan, KnownText]:
    """What is known of the texts of the gold spans: as labelled, else as candidates hold them whole or in parts."""
    return {span: KnownText(span, _known_parts(span, candidates)) for span in gold.spans}


# ---------------------------------------------------------------- places


def _place(source: Source) -> tuple[Place, ...]:
    span = source.span
    return () if span is None else ((source.doc_id, span.start, span.end),)


def _copied(copy: Place, winner: Candidate | None, passage: Passage, own: Sequence[Place]) -> list[Place]:
    """The stretches of a dropped copy that the passage holds: those of its winner, at the same offsets."""
    doc_id, start, end = copy
    if winner is None:
        return [copy] if len(passage.text) >= WHOLE * (end - start) else []
    span = winner.source.span
    if span is None or len(span) != len(winner.text):
        return [copy] if _plain(winner.text) in _plain(passage.text) else []
    kept = _merged([(max(at, span.start), min(to, span.end)) for _, at, to in own if at < span.end and to > span.start])
    if kept == [(span.start, span.end)]:
        return [copy]
    return [(doc_id, start + at - span.start, start + to - span.start) for at, to in kept] if len(span) == end - start else []


def _known_parts(span: GoldSpan, candidates: Sequence[Candidate]) -> tuple[tuple[int, int, str, int], ...]:
    if span.text is not None:
        return ((span.start, span.end, span.text, 0),)
    found = []
    for candidate in candidates:
        place = candidate.source.span
        if place is None or candidate.source.doc_id != span.doc_id or len(place) != len(candidate.text):
            continue
        start, end = max(place.start, span.start), min(place.end, span.end)
        if (start, end) == (span.start, span.end):
            return ((start, end, candidate.text, start - place.start),)
        if start < end:
            found.append((start, end, candidate.text, start - place.start))
    parts, reached = [], span.start
    for start, end, text, at in sorted(found, key=lambda part: part[:2]):
        begin = max(start, reached)
        if begin < end:
            parts.append((begin, end, text, at + begin - start))
            reached = end
    return tuple(parts)


def _merged(stretches: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The stretches in order, those that overlap or touch as one."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(stretches):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


# ---------------------------------------------------------------- shares


def _held(names: Sequence[Hashable], found: Sequence[bool]) -> Held:
    """The share of different names that are found."""
    once = dict(zip(names, found, strict=True))
    return Held(sum(once.values()) / len(once), tuple([float(there) for there in found]))


def _spans_held(spans: Sequence[GoldSpan], blocks: Sequence[Block], texts: Mapping[GoldSpan, KnownText]) -> Held:
    known = [texts.get(span) or KnownText(span, ()) for span in spans]
    parts = [_span_parts(text, blocks) for text in known]
    if len(spans) == 1 and parts[0] in ([], [(spans[0].start, spans[0].end)]):  # nearly always: none of it, or all
        share = float(bool(parts[0]))
        return Held(share, (share,))
    counts = [_counted(text, held) for text, held in zip(known, parts, strict=True)]
    items = tuple([held / size if size else float(bool(there)) for (held, size), there in zip(counts, parts, strict=True)])
    if len(spans) > 1 and _overlap(spans):
        counts = _counted_once(known, parts)
    size = sum([size for _, size in counts])
    return Held(sum([held for held, _ in counts]) / size if size else min(items), items)


def _span_parts(known: KnownText, blocks: Sequence[Block]) -> list[tuple[int, int]]:
    """The stretches of the document, within the span, that are held."""
    span = known.span
    whole = (span.start, span.end)
    parts = [
        (max(start, span.start), min(end, span.end))
        for block in blocks
        for doc_id, start, end in block.places
        if doc_id == span.doc_id and start < span.end and end > span.start
    ]
    if whole in parts:
        return [whole]
    if len(parts) > 1 and (parts := _merged(parts)) == [whole]:
        return parts
    if span.end - span.start >= COPY and (text := known.whole) is not None:
        plain = _plain(text)
        if any(_stands_in(plain, block.text) for block in blocks):
            return [whole]
    return parts


def _counted(known: KnownText, parts: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """The visible characters of the span that are held, and all of them."""
    size = known.visible(known.span.start, known.span.end)
    if list(parts) == [(known.span.start, known.span.end)]:
        return size, size
    return sum([known.visible(start, end) for start, end in parts]), size


def _overlap(spans: Sequence[GoldSpan]) -> bool:
    ordered = sorted([(span.doc_id, span.start, span.end) for span in spans])
    return any(doc == after and end > start for (doc, _, end), (after, start, _) in pairwise(ordered))


def _counted_once(known: Sequence[KnownText], parts: Sequence[Sequence[tuple[int, int]]]) -> list[tuple[int, int]]:
    """For each span what ``_counted`` says of the part of it that no span before it has, by the document."""
    held: dict[str, list[tuple[int, int]]] = {}
    for text, found in zip(known, parts, strict=True):
        held.setdefault(text.span.doc_id, []).extend(found)
    merged = {doc_id: _merged(found) for doc_id, found in held.items()}
    counts, reached = [], dict.fromkeys(held, 0)
    for text in sorted(known, key=lambda text: (text.span.start, text.span.end)):
        span = text.span
        start = max(span.start, reached[span.doc_id])
        if start < span.end:
            within = _within(merged[span.doc_id], start, span.end)
            counts.append((sum([text.visible(at, to) for at, to in within]), text.visible(start, span.end)))
            reached[span.doc_id] = span.end
    return counts


def _within(stretches: Sequence[tuple[int, int]], start: int, end: int) -> list[tuple[int, int]]:
    """The parts of the stretches, in order and apart, between two places."""
    first = max(0, bisect_right(stretches, (start, start)) - 1)
    near = takewhile(lambda stretch: stretch[0] < end, map(stretches.__getitem__, range(first, len(stretches))))
    return [(max(at, start), min(to, end)) for at, to in near if to > start]


# ---------------------------------------------------------------- texts


def _is_copy(wanted: str, text: str) -> bool:
    """Whether the text, both in normal form, is the wanted one, or holds it where it is too long to stand there by chance."""
    return wanted != "" and (wanted == text or (len(wanted) >= COPY and _stands_in(wanted, text)))


def _stands_in(wanted: str, text: str) -> bool:
    """Whether the text holds the wanted one, both in normal form, as whole words and numbers.

    A long text may begin and end within a word, as chunks do, but not within a number. Occurrences that overlap are looked at once,
    so that the time stays linear.
    """
    if not wanted or (at := text.find(wanted)) < 0:
        return False
    letters = len(wanted) < COPY
    while at >= 0:
        end = at + len(wanted)
        if not (_goes_on(text, at, letters) or _goes_on(text, end, letters)):
            return True
        at = text.find(wanted, end)
    return False


def _goes_on(text: str, at: int, letters: bool) -> bool:
    """Whether a number, or if ``letters`` count a word, goes on over the place in the text."""
    before, after = text[max(0, at - 2) : at], text[at : at + 2]
    if not before or not after:
        return False
    left, right = before[-1], after[0]
    if letters and left.isalnum() and right.isalnum() and left.isascii() and right.isascii():
        return True
    if left.isdigit() and (right.isdigit() or (right in _IN_NUMBERS and after[1:].isdigit())):
        return True
    if right.isdigit() and left in _IN_NUMBERS and before[:-1].isdigit():
        return True
    return letters and is_one_word(left, right)


_IN_NUMBERS = ".,'٫٬"


@lru_cache(maxsize=256)
def _plain(text: str) -> str:
    """The text for comparison; of a case each is asked for many times."""
    return normal(text)


@lru_cache(maxsize=64)
def _visible(text: str) -> int:
    return len("".join(text.split()))
