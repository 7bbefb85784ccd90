"""Of candidates alike, keeps one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from pydantic import Field

from contextpack_core.decisions import Drop, Reason, Step
from contextpack_core.likeness import Wording, alike_wordings, says_no_more, wording
from contextpack_core.offsets import by_edition, edition_of, has_place
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
    if len(candidates) < 2:
        return Step("dedup", tuple(candidates))
    losses: dict[int, _Loss] = {}
    for loser, loss in _contained(candidates):
        losses.setdefault(loser, loss)
    places = _best_places(len(candidates), losses)
    order = sorted([i for i in range(len(candidates)) if i not in losses], key=places.__getitem__)
    texts = [candidate.text for candidate in candidates]
    plain = [text if text.isascii() or is_plain(text) else normal(text) for text in texts]
    as_bytes = _joined(plain)
    losses.update(_same(candidates, order, _keys(plain, as_bytes)))
    if settings.near is not None:
        losses.update(_near(candidates, [i for i in order if i not in losses], _sketches(as_bytes), settings.near))
    if not losses:
        return Step("dedup", tuple(candidates))
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
    for (doc_id, *_), members in by_edition(candidates).items():
        if doc_id and len(members) > 1:
            for group in _by_access(candidates, [i for i in members if has_place(candidates[i])]):
                if len(group) > 1:
                    yield from _inside(candidates, group)
    if not any([candidate.parent_id for candidate in candidates]):
        return
    by_id = {candidate.id: i for i, candidate in enumerate(candidates)}
    for i, child in enumerate(candidates):
        parent = by_id.get(child.parent_id) if child.parent_id else None
        if parent is not None and _holds(candidates[parent], child):
            yield i, _Loss(parent, Reason.CONTAINED, f"all its {len(child.text)} characters stand in its parent")


def _by_access(candidates: Sequence[Candidate], members: list[int]) -> Iterable[list[int]]:
    """Those of one set of access labels."""
    if not any([candidates[i].source.access for i in members]):
        return [members]
    groups: dict[frozenset[str], list[int]] = {}
    for i in members:
        groups.setdefault(_access(candidates[i]), []).append(i)
    return groups.values()


def _inside(candidates: Sequence[Candidate], members: Iterable[int]) -> Losses:
    """One pass in document order: who stands inside another stands inside the one that reaches furthest so far."""
    around, start, end = -1, 0, -1
    spans = [(candidates[i].source.span, i) for i in members]
    for place, negative_end, i in sorted([(span.start, -span.end, i) for span, i in spans if span is not None]):
        if -negative_end > end:
            around, start, end = i, place, -negative_end
            continue
        text = candidates[i].text
        if candidates[around].text.startswith(text, place - start):
            if len(text) == end - start:
                yield i, _Loss(around, Reason.DUPLICATE, f"the same {len(text)} characters at the same place")
            else:
                yield i, _Loss(around, Reason.CONTAINED, f"all its {len(text)} characters stand in the other's {end - start}")


def _holds(parent: Candidate, child: Candidate) -> bool:
    return (
        len(child.text) < len(parent.text)
        and edition_of(child.source) == edition_of(parent.source)
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


def _same(candidates: Sequence[Candidate], order: Sequence[int], keys: Sequence[Hashable]) -> Losses:
    """The same text, case and white space aside; texts that read the same have the same key."""
    for block in _alike_by(keys, order, candidates):
        winners: list[int] = []
        for i in block:
            candidate = candidates[i]
            for winner in winners:
                other = candidates[winner]
                if _reads_same(candidate.text, other.text) and _may_stand_in(candidate.source, other.source):
                    detail = f"the same {len(candidate.text)} characters, case and white space aside"
                    yield i, _Loss(winner, Reason.DUPLICATE, detail)
                    break
            else:
                winners.append(i)


def _alike_by(keys: Sequence[Hashable], order: Sequence[int], candidates: Sequence[Candidate]) -> Iterator[list[int]]:
    """The candidates of the order in blocks of more than one, by their keys and access labels."""
    blocks: dict[Hashable, list[int]] = {key: [] for key, count in Counter(keys).items() if count > 1}
    for i in order if blocks else ():
        if keys[i] in blocks:
            blocks[keys[i]].append(i)
    for block in blocks.values():
        yield from [group for group in _by_access(candidates, block) if len(group) > 1]


def _joined(texts: Sequence[str]) -> bytes:
    """The texts as one, to be looked at in one go, with a byte between two that stands in none."""
    joined = b"\0".join([text.encode("utf-8", "surrogatepass") for text in texts])
    return joined if joined.count(b"\0") < len(texts) else _joined([text.replace("\0", " ") for text in texts])


_LOWER = bytes(range(256)).lower()
_NO_LETTERS = bytes([byte for byte in range(1, 256) if not chr(byte).isascii() or not chr(byte).isalnum()])


def _keys(texts: Sequence[str], joined: bytes) -> list[bytes | str]:
    """For each text what is the same for texts that read the same; quick, so for some others too."""
    keys: list[bytes | str] = [*joined.translate(_LOWER, _NO_LETTERS).split(b"\0")]
    for i, text in enumerate(texts):
        if not text.isascii() and 2 * len(text.encode("ascii", "ignore")) <= len(text):
            keys[i] = folded(text)
    return keys


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


def _near(candidates: Sequence[Candidate], order: Sequence[int], sketches: Sequence[bytes], near: float) -> Losses:
    """What is alike and says no more than a better-ranked one that is kept; near-duplicates have the same sketch."""
    for block in _alike_by(sketches, order, candidates):
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
_UNSKETCHED = bytes(set(range(1, 128)) - set(b"0123456789BCDEFGHIJKLMNOPQRSUVWXYZ")) + bytes(
    {byte for char in ONE_KIND for byte in chr(char).encode()} | set("…".encode())
)


def _sketches(joined: bytes) -> list[bytes]:
    """For each text its figures, capital letters and what is not ASCII."""
    return joined.translate(None, _UNSKETCHED).split(b"\0")


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
    if a.source.span is None or b.source.span is None or edition_of(a.source) != edition_of(b.source):
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
