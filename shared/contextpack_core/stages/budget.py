"""Plans the token budget and admits what is worth its tokens."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from pydantic import Field

from contextpack_core.decisions import Drop, Reason, Step
from contextpack_core.errors import BudgetError
from contextpack_core.passages import assemble
from contextpack_core.settings import Settings
from contextpack_core.values import Candidate, Evidence, Joins, Passage
from contextpack_core.worth import STRATEGIES, Weights


class PerGroup(Settings):
    """A minimum of tokens for each group of a comparison."""

    by: str
    """A field of the source, or a metadata key, whose value names the group."""
    tokens: int = Field(ge=1)
    """Tokens held for each group."""


class BudgetSettings(Settings):
    """How many tokens the evidence may take, and how they are given out."""

    evidence: int = Field(4000, ge=1)
    """The most tokens that the rendered evidence may take."""
    input_limit: int | None = Field(None, ge=1)
    """The model's whole input window."""
    instructions: int = Field(0, ge=0)
    """Tokens of the system prompt."""
    history: int = Field(0, ge=0)
    """Tokens of the conversation so far."""
    question: int = Field(0, ge=0)
    """Tokens of the question."""
    answer: int = Field(0, ge=0)
    """Tokens reserved for the answer."""
    margin: int = Field(0, ge=0)
    """Tokens held back for what nobody counted."""
    strategy: Literal["evidence", "rank", "weighted"] = "evidence"
    """How candidates are valued."""
    weights: Weights = Weights()
    """What counts how much in the strategy ``weighted``."""
    when_full: Literal["skip", "stop"] = "skip"
    """After the first that does not fit: try smaller ones, or stop."""
    oversize: Literal["excerpt", "drop"] = "excerpt"
    """What to do with a passage larger than the whole budget."""
    per_source: int | None = Field(None, ge=1)
    """The most candidates of one document."""
    per_group: PerGroup | None = None
    """A minimum for each group."""


@dataclass(frozen=True, slots=True)
class BudgetPlan:
    """Every line of the budget in tokens; ``evidence`` is what the rendered evidence may take."""

    evidence: int
    input_limit: int | None = None
    instructions: int = 0
    history: int = 0
    question: int = 0
    answer: int = 0
    margin: int = 0


@dataclass(frozen=True, slots=True)
class Cost:
    """What passages cost: ``render`` lays them out as the prompt will, ``count`` counts that text as one string."""

    count: Callable[[str], int]
    render: Callable[[Sequence[Passage]], str]

    def __call__(self, passages: Sequence[Passage]) -> int:
        return self.count(self.render(passages)) if passages else 0


_LINES = ("instructions", "history", "question", "answer", "margin")


def plan_budget(settings: BudgetSettings, used: Mapping[str, int] | None = None) -> BudgetPlan:
    """The budget with measured lines put in for the planned ones.

    Raises:
        BudgetError: nothing is left for evidence, or ``used`` names no line of the budget or a count below zero.
    """
    used = used or {}
    for name, tokens in used.items():
        if name not in _LINES:
            raise BudgetError(f"used: {name!r} is no line of the budget — one of {', '.join(_LINES)}")
        if isinstance(tokens, bool) or not isinstance(tokens, int) or tokens < 0:
            raise BudgetError(f"used[{name!r}]: {tokens!r} — a number of tokens, 0 or more")
    lines = {name: used.get(name, getattr(settings, name)) for name in _LINES}
    evidence = settings.evidence
    if settings.input_limit is not None:
        evidence = min(evidence, settings.input_limit - sum(lines.values()))
    if evidence <= 0:
        spent = "".join(f" - {name} {tokens}" for name, tokens in lines.items())
        raise BudgetError(
            f"budget: input_limit {settings.input_limit}{spent} = {evidence} tokens left for evidence — "
            f"raise budget.input_limit by {1 - evidence} or more, or lower {_largest(lines)}"
        )
    return BudgetPlan(evidence, settings.input_limit, **lines)


def _largest(lines: Mapping[str, int]) -> str:
    """The line that takes most, as advice."""
    name = max(lines, key=lambda line: lines[line])
    return f"budget.{name} ({lines[name]})"


def admit(
    candidates: Sequence[Candidate], joins: Joins, plan: BudgetPlan, cost: Cost, settings: BudgetSettings, query: str = ""
) -> Step[Evidence]:
    """Admit what is worth most, at marginal cost, as long as the rendered text of all of it stays within the plan.

    ``candidates`` come best first. Text that is already in is free, an envelope is paid once a passage. What comes back is best
    first too; its tokens add up to the exact count of the rendered text. The way: estimate how far the order of worth reaches,
    count that text once as a whole, give back or add at the exact price of one passage, count once more.
    """
    worth = STRATEGIES[settings.strategy](candidates, joins, query, settings.weights)
    order = sorted(range(len(candidates)), key=lambda i: (-worth[i], i))
    chosen = _Selection(candidates, joins, cost, plan.evidence, settings)
    chosen.learn_rate(order)
    chosen.fill(order)
    total = chosen.settle(order)
    passages = chosen.passages()
    prices = _shares(total, [chosen.size_of(passage) for passage in passages])
    evidence = tuple(Evidence("", passage, price) for passage, price in zip(passages, prices, strict=True))
    return Step("budget", evidence, tuple(chosen.drops(order, total)))


_SAMPLE = 3  # candidates counted to learn how many tokens a byte is
_SHORT = 4000  # bytes of text that are counted as a whole at every try: exact for counters that are not additive
_FREE = 2000  # bytes of left-over candidates that are tried whatever their estimate
_NEAR = 1.6  # an estimate above the room by more than this is not tried
_ROUNDS = 4  # corrections before things are only given back


class _Selection:
    """The candidates that are in so far, and about how large their text is.

    Sizes are bytes of UTF-8, which say more about tokens than characters do. A candidate goes by its index, which is its rank.
    """

    def __init__(self, candidates: Sequence[Candidate], joins: Joins, cost: Cost, limit: int, settings: BudgetSettings) -> None:
        self.candidates, self.joins, self.cost, self.limit, self.settings = candidates, joins, cost, limit, settings
        self.sizes = [_bytes(c.text) for c in candidates]
        at = {c.id: i for i, c in enumerate(candidates)}
        self.chains = [[at[name] for name in chain] for chain in joins.chains]
        self.place = {i: (k, place) for k, chain in enumerate(self.chains) for place, i in enumerate(chain)}
        self.taken: list[list[int]] = [[] for _ in self.chains]  # per chain the places that are in, ascending
        self.held: set[int] = set()
        self.size = 0.0  # of the text that is in, without envelopes
        self.count = 0  # passages that are in
        self.rate = 0.25  # tokens a byte
        self.envelope = 0.0  # bytes
        self.sources: dict[str, int] = {}
        self.made: dict[tuple[int, ...], Passage] = {}
        self.priced: dict[tuple[int, ...], int] = {}

    # ------------------------------------------------------------ estimates

    def learn_rate(self, order: Sequence[int]) -> None:
        """Take the tokens of a byte from the first few candidates."""
        sample = [self._passage((i,)) for i in sorted(order[:_SAMPLE])]
        if sample:
            text = self.cost.render(sample)
            size = _bytes(text)
            self.rate = self.cost.count(text) / max(1, size)
            self.envelope = max(0.0, (size - sum(self.sizes[i] for i in order[:_SAMPLE])) / len(sample))

    def fill(self, order: Sequence[int]) -> None:
        """Admit in order while the estimate says that it fits."""
        room = self.limit / self.rate if self.rate else float("inf")
        for i in order:
            size, count = self._growth(i)
            if self.size + size + (self.count + count) * self.envelope <= room and not self._capped(i):
                self._add(i, size, count)
            elif self.settings.when_full == "stop":
                break

    def _estimate(self, i: int) -> float:
        size, count = self._growth(i)
        return self.rate * (size + count * self.envelope)

    def _growth(self, i: int) -> tuple[float, int]:
        """How many bytes and passages come to the selection with the candidate."""
        if i not in self.place:
            return self.sizes[i], 1
        left, right = self._neighbours(i)
        size, count = float(self.sizes[i]), 1
        if left is not None:
            size, count = size + self._seam(left, i), count - 1
        if right is not None:
            size, count = size + self._seam(i, right), count - 1
        if left is not None and right is not None and self._joined(left, right):
            size, count = size - self._seam(left, right), count + 1
        return max(0.0, size), count

    def _neighbours(self, i: int) -> tuple[int | None, int | None]:
        """The nearest candidates that are in and that the candidate joins, before and after it."""
        k, place = self.place[i]
        chain, taken = self.chains[k], self.taken[k]
        at = bisect_left(taken, place)
        after = at + 1 if at < len(taken) and taken[at] == place else at
        left = chain[taken[at - 1]] if at else None
        right = chain[taken[after]] if after < len(taken) else None
        return (
            left if left is not None and self._joined(left, i) else None,
            right if right is not None and self._joined(i, right) else None,
        )

    def _joined(self, left: int, right: int) -> bool:
        return (self.candidates[left].id, self.candidates[right].id) in self.joins.between

    def _seam(self, left: int, right: int) -> float:
        """How many bytes the join adds: the glue, less the overlap."""
        join = self.joins.between[self.candidates[left].id, self.candidates[right].id]
        text = self.candidates[right].text
        return _bytes(join.glue) - join.overlap * self.sizes[right] / max(1, len(text))

    # ------------------------------------------------------------ in and out

    def _capped(self, i: int) -> bool:
        cap = self.settings.per_source
        return cap is not None and self.sources.get(self.candidates[i].source.doc_id, 0) >= cap

    def _add(self, i: int, size: float, count: int) -> None:
        self.size += size
        self.count += count
        self.held.add(i)
        self._enter(i, 1)
        if i in self.place:
            k, place = self.place[i]
            insort(self.taken[k], place)

    def _remove(self, i: int) -> None:
        self.held.discard(i)
        self._enter(i, -1)
        if i in self.place:
            k, place = self.place[i]
            self.taken[k].remove(place)
        size, count = self._growth(i)
        self.size -= size
        self.count -= count

    def _enter(self, i: int, number: int) -> None:
        name = self.candidates[i].source.doc_id
        self.sources[name] = self.sources.get(name, 0) + number

    # ------------------------------------------------------------ exact prices

    def settle(self, order: Sequence[int]) -> int:
        """Bring the selection as near to the limit as its exact count allows; the exact count of its text."""
        position = {i: at for at, i in enumerate(order)}
        total = self.cost(self.passages())
        for _ in range(_ROUNDS):
            if total and self.size:
                self.rate = total / (self.size + self.count * self.envelope)
            expected = self._give_back(total, position)
            expected, more = self._top_up(expected, order, position)
            if not more and expected == total:
                return total
            total = self.cost(self.passages())
        while total > self.limit:
            self._remove(max(self.held, key=position.__getitem__))
            total = self.cost(self.passages())
        return total

    def _give_back(self, total: int, position: Mapping[int, int]) -> int:
        """Take out what is worth least until the text should fit; what it should cost then."""
        if total > self.limit:
            for i in sorted(self.held, key=position.__getitem__, reverse=True):
                total -= self._price(i, total, leaving=True)
                self._remove(i)
                if total <= self.limit:
                    break
        return total

    def _top_up(self, total: int, order: Sequence[int], position: Mapping[int, int]) -> tuple[int, bool]:
        """Add what still fits, in order; what the text should cost then, and whether anything was added."""
        free, more = _FREE, False
        for i in order:
            if total >= self.limit:
                break
            if i in self.held or self._capped(i):
                continue
            room = self.limit - total
            if self._estimate(i) > _NEAR * room:
                free -= self.sizes[i]
                if free < 0:
                    if self.settings.when_full == "stop":
                        break
                    continue
            price = self._price(i, total)
            if price <= room:
                self._add(i, *self._growth(i))
                total, more = total + price, True
            elif self.settings.when_full == "stop":
                break
        return total, more

    def _price(self, i: int, total: int, leaving: bool = False) -> int:
        """The tokens that come with the candidate, or go with it; of short texts by counting the whole."""
        if leaving:
            self._remove(i)
        if self.size + self.count * self.envelope < _SHORT:
            self._add(i, *self._growth(i))
            whole = self.cost(self.passages())
            if not leaving:
                self._remove(i)
            if leaving:
                self._remove(i)
                rest = self.cost(self.passages())
                self._add(i, *self._growth(i))
                return whole - rest
            return whole - total
        before = [self._run(n) for n in self._around(i)]
        self._add(i, *self._growth(i))
        now = self._run(i)
        if not leaving:
            self._remove(i)
        return self._block(now) - sum(self._block(run) for run in dict.fromkeys(before))

    def _around(self, i: int) -> list[int]:
        return [n for n in self._neighbours(i) if n is not None] if i in self.place else []

    def _block(self, run: tuple[int, ...]) -> int:
        if run not in self.priced:
            self.priced[run] = self.cost([self._passage(run)])
        return self.priced[run]

    # ------------------------------------------------------------ passages

    def passages(self) -> list[Passage]:
        """The passages of all that is in, best first."""
        return [self._passage(run) for run in sorted(self._runs(), key=min)]

    def _runs(self) -> Iterator[tuple[int, ...]]:
        for i in self.held:
            if i not in self.place:
                yield (i,)
        for chain, taken in zip(self.chains, self.taken, strict=True):
            if taken:
                yield from self._split([chain[place] for place in taken])

    def _split(self, members: Sequence[int]) -> Iterator[tuple[int, ...]]:
        run = [members[0]]
        for left, right in pairwise(members):
            if not self._joined(left, right):
                yield tuple(run)
                run = []
            run.append(right)
        yield tuple(run)

    def _run(self, i: int) -> tuple[int, ...]:
        """The members of the passage that holds the candidate."""
        if i not in self.place:
            return (i,)
        k, _ = self.place[i]
        chain = self.chains[k]
        return next(run for run in self._split([chain[place] for place in self.taken[k]]) if i in run)

    def _passage(self, run: tuple[int, ...]) -> Passage:
        if run not in self.made:
            self.made[run] = assemble([self.candidates[i] for i in run], self.joins)
        return self.made[run]

    def size_of(self, passage: Passage) -> float:
        return _bytes(passage.text) + self.envelope

    # ------------------------------------------------------------ left out

    def drops(self, order: Sequence[int], total: int) -> Iterable[Drop]:
        """Why each of the others is out, in rank order."""
        room = self.limit - total
        for i, candidate in enumerate(self.candidates):
            if i in self.held:
                continue
            alone = self.rate * (self.sizes[i] + self.envelope)
            if self._capped(i):
                yield Drop(candidate.id, Reason.SOURCE_CAP, f"{self.settings.per_source} of its document are in already")
            elif alone > self.limit / 2 and (alone > 3 * self.limit or self._block((i,)) > self.limit):
                yield Drop(candidate.id, Reason.TOO_LARGE, f"needs about {round(alone)} tokens alone, the budget is {self.limit}")
            else:
                yield Drop(candidate.id, Reason.BUDGET, f"needs about {max(1, round(self._estimate(i)))} tokens, {room} were left")


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def _shares(total: int, sizes: Sequence[float]) -> list[int]:
    """The total given out by size, by largest remainder; the shares add up to it."""
    whole = sum(sizes)
    exact = [total * size / whole for size in sizes] if whole else [0.0] * len(sizes)
    shares = [int(share) for share in exact]
    short = total - sum(shares)
    for i in sorted(range(len(sizes)), key=lambda i: (shares[i] - exact[i], i))[:short]:
        shares[i] += 1
    return shares
