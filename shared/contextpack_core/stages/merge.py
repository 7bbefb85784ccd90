"""Finds which candidates of one document go on from each other, proven by their text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import TypeVar

from pydantic import Field

from contextpack_core.offsets import Documents, by_edition, contradict, has_place, misplaced, reader, stands_in
from contextpack_core.passages import GAP_MARK
from contextpack_core.settings import Settings
from contextpack_core.values import Candidate, Join, Joins, Span

__all__ = ["Documents", "MergeSettings", "find_joins"]

K = TypeVar("K", bound=Hashable)
Seam = Callable[[Candidate, Candidate], Join | None]
"""How the second goes on from the first, which starts before it; None where nothing proves that it does."""
Frames = Mapping[str, Hashable]
"""For each candidate with an offset that counts, from where it counts: two offsets of different frames do not compare."""


class MergeSettings(Settings):
    """How far apart two stretches of one document may stand and still make one passage."""

    max_gap: int = Field(80, ge=0)
    """The longest gap, in characters, that is filled from the document or marked."""


def find_joins(
    candidates: Sequence[Candidate], documents: Documents | None, settings: MergeSettings, *, fill_gaps: bool = True
) -> Joins:
    """What the texts prove about which candidates go on from which.

    Only candidates of one edition of one document with the same access labels join. Where the document is given, what stands in
    it at its span is joined by it. Where it is not, two spans join if the texts read the same where they overlap, or if they touch
    and the metadata are equal or a link says so; but not in an edition that holds an impossible offset or two candidates that
    contradict each other. Without offsets to go by, linked candidates join if one ends as the other begins.

    Args:
        fill_gaps: fill gaps from the document; else mark all but white space, for a caller who may not see the whole document.
    """
    read = reader(documents)
    chains: list[tuple[str, ...]] = []
    between: dict[tuple[str, str], Join] = {}
    notices: list[str] = []
    editions = by_edition(candidates)
    editions_of = Counter([doc_id for doc_id, *_ in editions]) if documents else {}
    for (doc_id, *_), places in editions.items():
        if len(places) == 1 or not doc_id:
            continue
        members = [candidates[i] for i in places]
        text = read(doc_id)
        if text is not None:
            frames: Frames = {c.id: None for c in members if stands_in(c, text)}
            seam = _in_document(text, settings.max_gap, fill_gaps and editions_of[doc_id] == 1)
        elif contradict(members) or (not all(map(has_place, members)) and any(map(misplaced, members))):
            notices.append(f"the offsets of document {doc_id!r} are not believed: only links join its parts")
            frames, seam = {}, _by_offsets(settings.max_gap, ())
        else:
            frames = {c.id: _frame(c) for c in members if c.source.span is not None}
            seam = _by_offsets(settings.max_gap, members)
        for group in _by_access(members):
            following = _following(group, frames, seam)
            for chain in _chains(group, following):
                chains.append(tuple([c.id for c in chain]))
                joins = [following[c.id] for c in chain[:-1]] + _beyond_neighbours(chain, frames, seam)
                between.update({(join.left, join.right): join for join in joins})
    return Joins(tuple(chains), between, tuple(notices))


def _by_access(members: list[Candidate]) -> Iterable[list[Candidate]]:
    if not any([c.source.access for c in members]):
        return [members]
    return _grouped(members, lambda c: frozenset(c.source.access) if c.source.access else None).values()


def _grouped(candidates: Iterable[Candidate], key: Callable[[Candidate], K]) -> dict[K, list[Candidate]]:
    groups: dict[K, list[Candidate]] = {}
    for candidate in candidates:
        groups.setdefault(key(candidate), []).append(candidate)
    return groups


# ---- what an offset counts from

_OF_ONE_CHUNK = frozenset(
    """
    chunk idx index id ids uuid pk score rank distance similarity relevance token tokens length len size hash checksum embedding
    vector summary keyword keywords entities questions start end offset char chars bbox coordinates page pages loc lines prev
    previous next seq sequence position order number count text content
    """.split()
)
_OF_A_PART = frozenset(("section", "header", "heading", "headings", "chapter", "row", "sheet", "slide", "part"))
_WORDS_OF_KEY = re.compile(r"[^\W\d_]+")


def _frame(candidate: Candidate) -> Hashable:
    """What says where the offset counts from: header splitters and parent nodes restart at 0, and differ in the other metadata."""
    source = candidate.source
    place = candidate.parent_id, source.section, source.title, source.uri
    if not candidate.metadata:
        return place
    return *place, *sorted([(str(key), repr(value)) for key, value in candidate.metadata.items() if _tells_part(str(key))])


@lru_cache(maxsize=4096)
def _tells_part(key: str) -> bool:
    """Whether a metadata key is not one of those whose value differs from chunk to chunk anyway."""
    words = _WORDS_OF_KEY.findall(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", key).lower())
    return not _OF_ONE_CHUNK.intersection(words) or bool(_OF_A_PART.intersection(words))


# ---- seams

_STRIPPED = 2  # characters of white space that splitters strip between two chunks; measured: of 4,500 such gaps one was none
_STRIPPED_LINKED = 4  # the same, where a link says that nothing else stands between
_STRIPPED_GLUE = "\n"  # stands for such white space, which is not known exactly
_PAGE_OVERLAP = 16  # characters that chunks of two pages share only if one goes on from the other


def _in_document(text: str, max_gap: int, fill_gaps: bool) -> Seam:
    """The seam of candidates that stand in a document whose text is at hand."""

    def seam(left: Candidate, right: Candidate) -> Join | None:
        before, after = _ends(left, right)
        if before >= after:
            return Join(left.id, right.id, overlap=before - after)
        if after - before > max_gap:
            return None
        gap = text[before:after]
        if fill_gaps or gap.isspace():
            return Join(left.id, right.id, glue=gap, glue_span=Span(before, after))
        return Join(left.id, right.id, glue=GAP_MARK)

    return seam


def _by_offsets(max_gap: int, members: Sequence[Candidate]) -> Seam:
    """The seam of candidates whose offsets nothing speaks against."""

    stripped: bool | None = None  # whether no text has white space at its ends: then a short gap is what the splitter took away

    def seam(left: Candidate, right: Candidate) -> Join | None:
        nonlocal stripped
        before, after = _ends(left, right)
        gap = after - before
        if gap > max_gap:
            return None
        linked, same_page = _linked(left, right), left.source.page == right.source.page
        if gap < 0:  # they read the same there: else the edition would not be believed
            return Join(left.id, right.id, overlap=-gap) if same_page or linked or -gap >= _PAGE_OVERLAP else None
        if not (linked or same_page):
            return None
        if gap and not linked and stripped is None:
            stripped = bool(members) and not any(c.text[:1].isspace() or c.text[-1:].isspace() for c in members)
        if gap > (_STRIPPED_LINKED if linked else _STRIPPED if stripped else 0):
            return Join(left.id, right.id, glue=GAP_MARK)
        if not linked and _linked_elsewhere(left, right):
            return None
        return Join(left.id, right.id, glue=_STRIPPED_GLUE if gap else "")

    return seam


def _ends(left: Candidate, right: Candidate) -> tuple[int, int]:
    """Where the left one ends and where the right one starts."""
    assert left.source.span is not None
    assert right.source.span is not None
    return left.source.span.end, right.source.span.start


def _linked(left: Candidate, right: Candidate) -> bool:
    """Whether either of the two links says so; chained parsers set only the previous one."""
    return right.previous_id == left.id or left.next_id == right.id


def _linked_elsewhere(left: Candidate, right: Candidate) -> bool:
    return left.next_id not in (None, right.id) or right.previous_id not in (None, left.id)


# ---- chains


def _following(group: Sequence[Candidate], frames: Frames, seam: Seam) -> dict[str, Join]:
    """For each candidate that another one goes on from: how. No two go on from one, and none goes on from two."""
    following: dict[str, Join] = {}
    placed = [c for c in group if c.id in frames]
    for members in _grouped(placed, lambda c: frames[c.id]).values():
        if len(members) > 1:
            following.update([(join.left, join) for join in _sweep(members, seam)])
    if not any([c.previous_id or c.next_id for c in group]):
        return following
    preceded = {join.right for join in following.values()}
    for left, right in _linked_pairs(group):
        if left.id not in following and right.id not in preceded and (join := _linked_join(left, right, group, frames, seam)):
            following[left.id] = join
            preceded.add(right.id)
    return following


def _sweep(members: Iterable[Candidate], seam: Seam) -> Iterator[Join]:
    """The joins of neighbours in document order; one that stands inside another joins nothing."""
    last: Candidate | None = None
    furthest = 0
    for (_, negative_end), candidate in sorted([(_place(c), c) for c in members], key=itemgetter(0)):
        if last is not None:
            if -negative_end <= furthest:
                continue
            if join := seam(last, candidate):
                yield join
        last, furthest = candidate, -negative_end


def _place(candidate: Candidate) -> tuple[int, int]:
    span = candidate.source.span
    assert span is not None
    return span.start, -span.end


def _linked_pairs(group: Sequence[Candidate]) -> Iterator[tuple[Candidate, Candidate]]:
    """Each two of which a link says that one follows the other, unless links disagree on it."""
    by_id = {c.id: c for c in group}
    pairs: dict[tuple[str, str], None] = {}
    for c in group:
        if c.previous_id in by_id:
            pairs[c.previous_id, c.id] = None
        if c.next_id in by_id:
            pairs[c.id, c.next_id] = None
    if not pairs:
        return
    lefts, rights = Counter([left for left, _ in pairs]), Counter([right for _, right in pairs])
    for left, right in pairs:
        if left != right and lefts[left] == rights[right] == 1:
            yield by_id[left], by_id[right]


def _linked_join(left: Candidate, right: Candidate, group: Sequence[Candidate], frames: Frames, seam: Seam) -> Join | None:
    """The join of two linked candidates that no sweep joined: by offsets of different frames, else by what their texts share."""
    if left.id in frames and right.id in frames:
        if frames[left.id] == frames[right.id] or not _place(left) < _place(right) or _place(left)[1] <= _place(right)[1]:
            return None
        join = seam(left, right)
        return None if join is None or join.glue == GAP_MARK else join
    overlap = _border(left.text, right.text)
    shared = right.text[:overlap]
    others = [c.text for c in group[:_WITNESSES] if c is not left and c is not right]
    return Join(left.id, right.id, overlap=overlap) if overlap and not any(shared in text for text in others) else None


_BORDER = 20  # characters that prove an overlap of linked neighbours without offsets,
_BORDER_VARIETY = 8  # if there are so many different ones: a row of dashes proves nothing,
_WITNESSES = 64  # and if none of so many others has them: what a document repeats may stand there twice


def _border(left: str, right: str) -> int:
    """How many characters the end of the left text and the beginning of the right one share; 0 if few, or if they come again.

    Of several lengths the least is looked at: where there are two, its characters come again.
    """
    head, found = right[:_BORDER], 0
    at = left.find(head, max(0, len(left) - len(right) + 1)) if len(head) == _BORDER else -1
    while at >= 0:
        if right.startswith(left[at:]):
            found = len(left) - at
        at = left.find(head, at + 1)
    shared = right[:found]
    repeated = left.find(shared) < len(left) - found or right.find(shared, 1) >= 0
    return found if len(set(shared)) >= _BORDER_VARIETY and not repeated else 0


def _chains(group: Sequence[Candidate], following: Mapping[str, Join]) -> Iterator[list[Candidate]]:
    """The candidates that join, each chain in document order; a circle of links is no chain."""
    if not following:
        return
    by_id = {c.id: c for c in group}
    preceded = {join.right for join in following.values()}
    for candidate in group:
        if candidate.id in following and candidate.id not in preceded:
            chain = [candidate]
            while (join := following.get(chain[-1].id)) is not None:
                chain.append(by_id[join.right])
            yield chain


_LOOK_AHEAD = 32  # members after one of a chain that are tried: more than splitters let overlap


def _beyond_neighbours(chain: Sequence[Candidate], frames: Frames, seam: Seam) -> list[Join]:
    """The joins of members that are no neighbours in the chain and overlap or touch: one between them may not be admitted."""
    joins = []
    for i, left in enumerate(chain[:-2]):
        for right in chain[i + 2 : i + 2 + _LOOK_AHEAD]:
            if left.id not in frames or frames.get(right.id, left) != frames[left.id]:
                break
            before, after = _ends(left, right)
            join = seam(left, right) if after - before <= _STRIPPED_LINKED else None
            if join is None or join.glue == GAP_MARK:
                break
            joins.append(join)
    return joins
