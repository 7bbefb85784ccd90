"""Of candidates alike, keeps one."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from pydantic import Field

from contextpack_core.decisions import Drop, Reason, Step
from contextpack_core.likeness import Wording, alike_wordings, says_no_more, wording
from contextpack_core.offsets import edition_key, has_place
from contextpack_core.settings import Settings
from contextpack_core.text import ONE_KIND, folded, is_plain, normal
from contextpack_core.values import Candidate, Source


class DedupSettings(Settings):
    """When two candidates count as the same text."""

    near: float | None = Field(0.92, ge=0, le=1)
    """Similarity from which two texts are near-duplicates, 0 to 1; null switches the search off."""


def drop_duplicates(candidates: Sequence[Candidate], settings: DedupSettings) -> Step[Candidate]:
    """Of candidates alike, keep the one that the retriever ranked highest; ``candidates`` come by rank, each with an id of its own.

    What stands inside another candidate goes first: the one around it is kept, at the better rank of the two. Then the same text,
    whichever document it is from, case and white space aside. Then what is alike and says no more (``likeness.says_no_more``).
    Editions of one family never stand in for each other, nor do candidates with different access labels. The winner takes over
    the sources of those it stands for, in ``also_in``, best rank first.
    """
    losses: dict[int, _Loss] = {}
    for loser, loss in _contained(candidates):
        losses.setdefault(loser, loss)
    places = _best_places(len(candidates), losses)
    order = sorted([i for i in range(len(candidates)) if i not in losses], key=lambda i: places[i])
    losses.update(_same(candidates, order))
    if settings.near is not None:
        losses.update(_near(candidates, [i for i in order if i not in losses], settings.near))
    won = _losers_of(losses)
    kept = [_winner(candidates[i], [candidates[loser] for loser in won.get(i, ())]) for i in order if i not in losses]
    return Step("dedup", tuple(kept), tuple(_drops(candidates, losses)))


class _Loss(NamedTuple):
    """In favour of which candidate, by its index, and why."""

    winner: int
    reason: Reason
    detail: str


Losses = Iterator[tuple[int, _Loss]]


# ---- what stands inside another one


def _contained(candidates: Sequence[Candidate]) -> Losses:
    """What stands whole in another candidate of the same edition, by its offsets or as the child of a parent, and by its text."""
    groups: dict[Hashable, list[int]] = {}
    for i, candidate in enumerate(candidates):
        if candidate.source.doc_id and has_place(candidate):
            groups.setdefault((edition_key(candidate.source), _access(candidate)), []).append(i)
    for members in groups.values():
        if len(members) > 1:
            yield from _inside(candidates, members)
    by_id = {candidate.id: i for i, candidate in enumerate(candidates)}
    for i, child in enumerate(candidates):
        parent = by_id.get(child.parent_id) if child.parent_id else None
        if parent is not None and _holds(candidates[parent], child):
            yield i, _Loss(parent, Reason.CONTAINED, f"all its {len(child.text)} characters stand in its parent")


def _inside(candidates: Sequence[Candidate], members: Iterable[int]) -> Losses:
    """One pass in document order: who stands inside another stands inside the one that reaches furthest so far."""
    around, start, end = -1, 0, -1
    for place, negative_end, i in sorted([(*_bounds(candidates[i]), i) for i in members]):
        text = candidates[i].text
        if -negative_end > end:
            around, start, end = i, place, -negative_end
        elif candidates[around].text.startswith(text, place - start):
            if len(text) == end - start:
                yield i, _Loss(around, Reason.DUPLICATE, f"the same {len(text)} characters at the same place")
            else:
                yield i, _Loss(around, Reason.CONTAINED, f"all its {len(text)} characters stand in the other's {end - start}")


def _bounds(candidate: Candidate) -> tuple[int, int]:
    span = candidate.source.span
    assert span is not None
    return span.start, -span.end


def _holds(parent: Candidate, child: Candidate) -> bool:
    return (
        len(child.text) < len(parent.text)
        and edition_key(child.source) == edition_key(parent.source)
        and _access(child) == _access(parent)
        and child.text.strip() in parent.text
    )


def _best_places(count: int, losses: Mapping[int, _Loss]) -> list[int]:
    """For each candidate the best place in the ranking that it or one inside it holds."""
    places = list(range(count))
    for loser in losses:
        winner = _final(loser, losses)
        places[winner] = min(places[winner], loser)
    return places


# ---- the same text


def _same(candidates: Sequence[Candidate], order: Iterable[int]) -> Losses:
    """The same text, case and white space aside."""
    buckets: dict[Hashable, list[int]] = {}
    for i in order:
        candidate = candidates[i]
        winners = buckets.setdefault((_key(candidate.text), _access(candidate)), [])
        for winner in winners:
            other = candidates[winner]
            if _reads_same(candidate.text, other.text) and _may_stand_in(candidate.source, other.source):
                yield i, _Loss(winner, Reason.DUPLICATE, f"the same {len(candidate.text)} characters, case and white space aside")
                break
        else:
            winners.append(i)


_UNSEEN = bytes(set(range(128)) - set(b"0123456789abcdefghijklmnopqrstuvwxyz"))


def _key(text: str) -> bytes | str:
    """The same for texts that read the same; quick, so for some others too."""
    plain = text if is_plain(text) else normal(text)
    letters = plain.encode("ascii", "ignore")
    return letters.lower().translate(None, _UNSEEN) if 2 * len(letters) > len(plain) else folded(plain)


def _reads_same(a: str, b: str) -> bool:
    return a == b or (folded(a) == folded(b) and _cased(a) == _cased(b))


_CASED = re.compile(r"\d ?([^\W\d_]{1,3})\b|(?<![\w-])-([A-Za-z])\b")


def _cased(text: str) -> list[tuple[str, str]]:
    """What differs from the same in another case: short units (5 mW, 5 MW) and switches (-v, -V)."""
    return _CASED.findall(normal(text))


def _may_stand_in(a: Source, b: Source) -> bool:
    """Whether they are not two editions of one family. Without families two documents that both name an edition may be of one."""
    if a.family != b.family:
        return True
    if a.family is None and None in (a.edition or a.effective_from, b.edition or b.effective_from):
        return True
    return (a.edition, a.effective_from) == (b.edition, b.effective_from)


# ---- alike

_FEWEST_WORDS = 4  # short is not similar
_MOST_HOLDERS = 64  # texts of one template are not compared each with each


def _near(candidates: Sequence[Candidate], order: Sequence[int], near: float) -> Losses:
    """What is alike and says no more than a better-ranked one that is kept."""
    blocks: dict[Hashable, list[int]] = {}
    for i in order:
        blocks.setdefault((_sketch(candidates[i].text), _access(candidates[i])), []).append(i)
    for block in blocks.values():
        if len(block) > 1:
            by_marks: dict[Hashable, list[tuple[int, Wording]]] = {}
            for i in block:
                words = wording(candidates[i].text)
                if len(words.words) >= _FEWEST_WORDS:
                    by_marks.setdefault(words.marks, []).append((i, words))
            for members in by_marks.values():
                if len(members) > 1:
                    yield from _near_in_block(candidates, members, near)


# All of ASCII but figures and capital letters without A and T, with which a sentence may start; and the bytes of quotes, dashes and
# what cannot be seen.
_UNSKETCHED = bytes(set(range(128)) - set(b"0123456789BCDEFGHIJKLMNOPQRSUVWXYZ")) + bytes(
    {byte for char in ONE_KIND for byte in chr(char).encode()} | set("…".encode())
)


def _sketch(text: str) -> bytes:
    """Figures, capital letters and what is not ASCII: near-duplicates have the same ones."""
    return (text if is_plain(text) else normal(text)).encode("utf-8", "surrogatepass").translate(None, _UNSKETCHED)


def _near_in_block(candidates: Sequence[Candidate], members: Sequence[tuple[int, Wording]], near: float) -> Losses:
    """Near-duplicates among candidates that have the same marks, best rank first."""
    lost: set[int] = set()
    for a, b, similarity in alike_wordings([words for _, words in members], near, _MOST_HOLDERS):
        (winner, says), (loser, words) = members[a], members[b]
        if (
            winner not in lost
            and loser not in lost
            and _may_stand_in(candidates[loser].source, candidates[winner].source)
            and not _overlap(candidates[winner], candidates[loser])
            and says_no_more(words, says)
        ):
            lost.add(loser)
            yield loser, _Loss(winner, Reason.NEAR_DUPLICATE, f"{similarity:.2f} alike")


def _overlap(a: Candidate, b: Candidate) -> bool:
    """Whether they share a stretch of one document: those are joined, which loses nothing."""
    if a.source.span is None or b.source.span is None or edition_key(a.source) != edition_key(b.source):
        return False
    return a.source.span.start < b.source.span.end and b.source.span.start < a.source.span.end


# ---- what comes of it


_OPEN: frozenset[str] = frozenset()


def _access(candidate: Candidate) -> frozenset[str]:
    return frozenset(candidate.source.access) if candidate.source.access else _OPEN


def _final(index: int, losses: Mapping[int, _Loss]) -> int:
    """The candidate that is kept in favour of another one, itself if it lost to none."""
    while index in losses:
        index = losses[index].winner
    return index


def _losers_of(losses: Mapping[int, _Loss]) -> dict[int, list[int]]:
    losers: dict[int, list[int]] = {}
    for loser in sorted(losses):
        losers.setdefault(_final(loser, losses), []).append(loser)
    return losers


def _winner(candidate: Candidate, losers: Sequence[Candidate]) -> Candidate:
    """The candidate with the sources and the best rank of those it stands for."""
    if not losers:
        return candidate
    sources = [source for loser in losers for source in (loser.source, *loser.also_in)]
    also_in = tuple([source for source in dict.fromkeys([*candidate.also_in, *sources]) if source != candidate.source])
    ranks = [c.rank for c in (candidate, *losers) if c.rank is not None]
    return replace(candidate, rank=min(ranks, default=None), also_in=also_in)


def _drops(candidates: Sequence[Candidate], losses: Mapping[int, _Loss]) -> Iterator[Drop]:
    for loser in sorted(losses):
        loss = losses[loser]
        yield Drop(candidates[loser].id, loss.reason, loss.detail, in_favour_of=candidates[_final(loser, losses)].id)
