"""The candidates that the budget has let in so far, whole or in part, and the passages that they make."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from contextpack_core.passages import assemble, cut
from contextpack_core.values import Candidate, Join, Joins, Passage

Stretch = tuple[int, int]
"""From which character of a candidate's text up to which."""


class Selection:
    """Which candidates are in; one goes by its place in the list, which is its place in the ranking."""

    def __init__(self, candidates: Sequence[Candidate], joins: Joins) -> None:
        self.candidates = candidates
        self.held: dict[int, list[Stretch] | None] = {}  # the stretches of its text that are in; None: all of it
        at = {candidate.id: i for i, candidate in enumerate(candidates)}
        self._joins = joins
        self._chains = [[at[name] for name in chain] for chain in joins.chains]
        self._place = {i: (k, place) for k, chain in enumerate(self._chains) for place, i in enumerate(chain)}
        self._taken: list[list[int]] = [[] for _ in self._chains]  # per chain the places that are in, ascending
        self._starting: dict[int, list[int]] = {}  # per chain where in its whole text each member begins
        self._made: dict[tuple[int, ...], Passage] = {}  # of whole candidates, by run,
        self._cut: dict[tuple[tuple[int, ...], tuple[Stretch, ...]], Passage] = {}  # and of stretches of their text
        self._passages: list[Passage] | None = None

    def is_whole(self, i: int) -> bool:
        """Whether all of the candidate's text is in."""
        if i not in self.held:
            return not self.candidates[i].text
        stretches = self.held[i]
        return stretches is None or sum([b - a for a, b in stretches]) == len(self.candidates[i].text)

    def add(self, i: int, stretch: Stretch | None = None) -> None:
        """Let the candidate in, or a stretch of its text."""
        self._passages = None
        if i not in self.held and i in self._place:
            k, place = self._place[i]
            insort(self._taken[k], place)
        stretches = self.held.setdefault(i, None if stretch is None else [])
        if stretch is None:
            self.held[i] = None
        elif stretches is not None:
            insort(stretches, stretch)

    def remove(self, i: int, stretch: Stretch | None = None) -> None:
        """Take the candidate out again, or a stretch of its text."""
        self._passages = None
        stretches = self.held[i]
        if stretch is not None and stretches is not None:
            stretches.remove(stretch)
        if stretch is None or not stretches:
            del self.held[i]
            if i in self._place:
                k, place = self._place[i]
                self._taken[k].remove(place)

    def clear(self) -> None:
        """Take everything out."""
        self._passages = None
        self.held.clear()
        for taken in self._taken:
            taken.clear()

    def is_joined(self, i: int) -> bool:
        """Whether another candidate goes on from it, or it from another one."""
        return i in self._place

    def has_neighbour(self, i: int) -> bool:
        """Whether a candidate that it joins is in."""
        return bool(self._taken[self._place[i][0]]) and self.neighbours(i) != (None, None)

    def beside(self, i: int) -> Sequence[int]:
        """The candidates that come before and after it in its chain, in or not."""
        if i not in self._place:
            return ()
        k, place = self._place[i]
        return self._chains[k][max(0, place - 1) : place + 2]

    def neighbours(self, i: int) -> tuple[int | None, int | None]:
        """The nearest candidates that are in, before and after it in its document, if it joins them."""
        if i not in self._place:
            return None, None
        k, place = self._place[i]
        chain, taken = self._chains[k], self._taken[k]
        at = bisect_left(taken, place)
        after = at + (at < len(taken) and taken[at] == place)
        left = chain[taken[at - 1]] if at else None
        right = chain[taken[after]] if after < len(taken) else None
        return (
            left if left is not None and self.join(left, i) else None,
            right if right is not None and self.join(i, right) else None,
        )

    def new_stretch(self, i: int) -> Stretch:
        """Which part of the candidate's text is not in already, as the end or the beginning of one that is in whole."""
        left, right = self.neighbours(i)
        start, end = 0, len(self.candidates[i].text)
        if left is not None and self.is_whole(left) and (join := self.join(left, i)):
            start = join.overlap
        if right is not None and self.is_whole(right) and (join := self.join(i, right)):
            end -= join.overlap
        return start, max(start, end)

    def is_complete(self, i: int) -> bool:
        """Whether all of the candidate's text is in, what others hold of it included."""
        if i not in self.held:
            return False
        start, end = self.new_stretch(i)
        return self.is_whole(i) or sum([b - a for a, b in self.held[i] or ()]) >= end - start

    def touches(self, i: int, stretch: Stretch) -> bool:
        """Whether a stretch of the candidate's text begins or ends where something that is in ends or begins."""
        start, end = self.new_stretch(i)
        if any(stretch[0] == b or stretch[1] == a for a, b in self.held.get(i) or ()):
            return True
        return (stretch[0] == start > 0) or (stretch[1] == end < len(self.candidates[i].text))

    def join(self, left: int, right: int) -> Join | None:
        """How one candidate goes on from another, if that is proven."""
        return self._joins.between.get((self.candidates[left].id, self.candidates[right].id))

    def position(self, i: int, at: int) -> tuple[int, int]:
        """A place in the candidate's text that is the same for the same place in the text of one that overlaps it."""
        if i not in self._place:
            return -1 - i, at
        k, place = self._place[i]
        if k not in self._starting:
            self._starting[k] = list(self._starts(self._chains[k]))
        return k, self._starting[k][place] + at

    def passages(self) -> list[Passage]:
        """The passages that all of it makes, best first."""
        if self._passages is None:
            self._passages = [self.passage(run) for run in sorted(self._runs(), key=min)]
        return self._passages

    def shown(self) -> Collection[int]:
        """The candidates of which a passage has a piece: all that are in, unless another one holds the stretches of it."""
        if all(stretches is None for stretches in self.held.values()):
            return self.held
        names = {name for passage in self.passages() for name in passage.candidate_ids}
        return {i for i in self.held if self.candidates[i].id in names}

    def passage(self, run: tuple[int, ...]) -> Passage:
        """The passage of candidates of which each goes on from the one before it."""
        passage = self._made.get(run)
        if passage is None:
            passage = self._made[run] = assemble([self.candidates[i] for i in run], self._joins)
        if not any(map(self.held.get, run)):
            return passage
        kept = tuple(self._kept(run, passage.text))
        if (run, kept) not in self._cut:
            self._cut[run, kept] = cut(passage, kept)
        return self._cut[run, kept]

    def _runs(self) -> Iterator[tuple[int, ...]]:
        for i in self.held:
            if i not in self._place:
                yield (i,)
        for chain, taken in zip(self._chains, self._taken, strict=True):
            if taken:
                run = [chain[taken[0]]]
                for left, right in pairwise([chain[place] for place in taken]):
                    if self.join(left, right) is None:
                        yield tuple(run)
                        run = []
                    run.append(right)
                yield tuple(run)

    def _kept(self, run: Sequence[int], text: str) -> list[Stretch]:
        """The stretches of the run's text that are in; white space between two of them too."""
        kept: list[Stretch] = []
        for i, start in zip(run, self._starts(run), strict=True):
            for a, b in self.held.get(i) or ((0, len(self.candidates[i].text)),):
                kept.append((start + a, start + b))
        if len(run) > 1:
            kept.sort()
        merged: list[Stretch] = []
        for a, b in kept:
            if merged and (a <= merged[-1][1] or text[merged[-1][1] : a].isspace()):
                merged[-1] = merged[-1][0], max(merged[-1][1], b)
            else:
                merged.append((a, b))
        return [(a, a + len(text[a:b].rstrip()) if b < len(text) else b) for a, b in merged]

    def _starts(self, run: Sequence[int]) -> Iterator[int]:
        """Where in the run's text the text of each member begins."""
        start = 0
        yield start
        for left, right in pairwise(run):
            join = self.join(left, right)
            assert join is not None
            start += len(self.candidates[left].text) + len(join.glue) - join.overlap
            yield start
