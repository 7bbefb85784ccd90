"""Fills a budget: what comes in whole, and what by the sentence, at the tokens of the text that is new."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush

from contextpack_core.admission.cuts import sentences_of
from contextpack_core.admission.prices import AT_FIRST, Cost, Prices, size_of
from contextpack_core.admission.selection import Selection, Stretch
from contextpack_core.admission.worth import SIGNALS, Match
from contextpack_core.values import Candidate, Evidence, Joins


@dataclass(frozen=True, slots=True)
class Rules:
    """What holds for a filling: ``limit`` is in tokens, and ``per_group`` the tokens held for each group; ``all_at_once``: all may
    come in without a look at what they are worth; ``excerpts``: a part goes by the sentence; ``stop``: the first that does not fit
    ends it; ``cut_oversize``: what is larger than the limit is cut; ``per_source`` is the most candidates of one document."""

    limit: int
    all_at_once: bool = True
    excerpts: bool = True
    stop: bool = False
    cut_oversize: bool = True
    per_source: int | None = None
    per_group: int | None = None


_NEAR = 1.4  # what is estimated above the room by more than this is not counted
_FREE = 1500  # size of the candidates that are counted whatever their estimate,
_SMALL = 100  # and size up to which all are
_SHORT = 1500  # size of a text that is counted as a whole at every try to fill it up: exact for counters that are not additive
_DOUBTS = 4  # candidates counted only to say whether they are larger than the budget
_ROUGH = 200  # tokens of room above which a sentence goes by the estimate
_CRUMBS = 200  # of so many tokens one that is left ends the search for sentences
_HELD_BACK = 0.03  # of what is estimated, and
FOR_SEAMS = 200  # of so many tokens one, until the whole is counted
_SLACK = 0.03  # share of the budget that may stay empty rather than count a long text once more
_ROUNDS = 3  # times that the text is counted as a whole in order to fill it up
BY_SENTENCE = 600  # tokens, and no more than half of a budget: what is given out by the sentence
_SEARCHED = 3  # times the room that is left: so much text is looked through for sentences,
_SEARCHED_AT_LEAST = 4  # and so many candidates


class Filling:
    """One filling of the budget. Candidates are counted as they come, sentences by an estimate that learns from that, and the whole
    text in the end.

    A candidate goes by its place in the list, which is its place in the ranking.
    """

    def __init__(self, candidates: Sequence[Candidate], joins: Joins, cost: Cost, rules: Rules) -> None:
        self.candidates, self.rules, self.limit = candidates, rules, rules.limit
        self.chosen = Selection(candidates, joins)
        self.prices = Prices(candidates, cost)
        self.worth: Sequence[float] = ()  # log odds, or what else the strategy goes by
        self.entries: list[tuple[int, Stretch | None, float]] = []  # what came in, in turn, and its tokens
        self.beyond: dict[int, float] = {}  # what is left out because enough is in, and how far its odds are below the best
        self._joins, self._cost = joins, cost
        self._splits: dict[int, Sequence[tuple[Stretch, float]]] = {}
        self._total, self._whole = 0.0, False  # tokens of what is in, and whether the text was ever counted as one string
        self._guessed = 0.0  # tokens of what is in that are estimated,
        self._guessed_size, self._guessed_beside = 0.0, 0.0  # the size of the texts that they are for, and tokens beside those
        self._free, self._doubts = float(_FREE), _DOUBTS

    def anew(self, limit: int) -> Filling:
        """A filling of another limit with the same candidates, of which nothing is in yet; no text is counted or split twice."""
        other = Filling(self.candidates, self._joins, self._cost, replace(self.rules, limit=limit))
        other.prices, other._splits, other.beyond = self.prices.anew(), self._splits, self.beyond
        return other

    @property
    def room(self) -> float:
        """The tokens that are left."""
        return self.limit - self._total - (0 if self._whole else self.limit // FOR_SEAMS) - _HELD_BACK * self._guessed

    @property
    def _by_sentence(self) -> int:
        """The tokens that are given out by the sentence."""
        return min(BY_SENTENCE, self.limit // 2) if self.rules.excerpts else 0

    def take_all(self) -> bool:
        """Let in all candidates that are not left out, if the estimate and then the exact count say that they fit."""
        places = [i for i in range(len(self.candidates)) if i not in self.beyond]
        if AT_FIRST * sum([len(self.candidates[i].text) for i in places]) > self.limit:
            return False
        if AT_FIRST * sum([self.prices.size_of(i) for i in places]) > self.limit:
            return False
        for i in places:
            self.chosen.add(i)
        self._count_whole()
        if self._total <= self.limit:
            return True
        self.chosen.clear()
        self._total, self._whole = 0.0, False
        return False

    def leave_out(self, odds: Sequence[float], within: Collection[int]) -> None:
        """Leave out the candidates that are not within reach; ``odds`` are log odds."""
        best = max(odds)
        self.beyond = {i: best - value for i, value in enumerate(odds) if i not in within}

    def take_best(self, worth: Sequence[float], match: Match, groups: Sequence[Sequence[int]] = ()) -> None:
        """Let in by worth what fits, and sentences of what does not; count the whole, then give back or fill up."""
        self.worth = worth
        if self.beyond and not self.rules.per_source and self.take_all():
            return
        order = sorted([i for i in range(len(worth)) if i not in self.beyond], key=lambda i: (-worth[i], i))
        groups = [[i for i in members if i not in self.beyond] for members in groups] if self.beyond else groups
        self.prices.learn_envelope(order[0], self.chosen.passage((order[0],)))
        self._take(self._minimum(groups), match, firm=True)
        self._take(order, match)
        self._give_back()
        for _ in range(_ROUNDS):
            if not self._fill_up(order, match):
                break

    # ---- what comes in whole

    def _minimum(self, groups: Sequence[Sequence[int]]) -> list[int]:
        """Of each group the best candidates up to its minimum, the groups in turn."""
        held_back = self._by_sentence if self.rules.per_group is None else 0  # for the sentences of all parts
        minimum = (self.limit - held_back) // max(1, len(groups))
        if self.rules.per_group is not None:
            minimum = min(minimum, self.rules.per_group)
        turns: list[tuple[int, int]] = []
        for members in groups:
            spent = 0.0
            for turn, i in enumerate(members):
                if spent < minimum:
                    turns.append((turn, i))
                    spent += self.prices.rate * self.prices.size_of(i)
        return [i for _, i in sorted(turns, key=lambda entry: entry[0])]

    def _take(self, order: Sequence[int], match: Match, firm: bool = False) -> None:
        """Let in what fits whole, in order, up to the part that is given out by the sentence; then sentences; then what is small.

        ``firm``: one that does not fit ends nothing, and gives what sentences fit.
        """
        rules = self.rules
        by_sentence = 0 if firm or self._whole else self._by_sentence
        for at, i in enumerate(order):
            if self.room <= 0:
                return
            if self.chosen.is_whole(i) or self.is_capped(i):
                continue
            if self.room > by_sentence and self._take_whole(i):
                continue
            oversize = self.is_oversize(i)
            if oversize and rules.cut_oversize:
                self._take_sentences([i], match, self.room if at + 1 == len(order) else self.room / 2)
            if rules.stop:
                return
            if rules.excerpts and not oversize:
                self._take_sentences([i] if firm else self._searched(order[at:]), match, self.room)
                if not firm:
                    self._take_small(order[at + 1 :])
                    return

    def _take_whole(self, i: int) -> bool:
        """Let the candidate in if it fits, at the price of the text that is new."""
        if i in self.chosen.held:
            return False
        new, envelope = self._new_text(i) if self.chosen.is_joined(i) else (None, self.prices.envelope)
        size, room = self.prices.size_of(i) if new is None else size_of(new), self.room
        if size > _SMALL and self.prices.rate * size > _NEAR * room:
            self._free -= size
            if self._free < 0:
                return False
        price = self._price_of(i, new, size, envelope)
        if price > room:
            return False
        self._enter(i, None, price)
        return True

    def _take_small(self, order: Iterable[int]) -> None:
        """Let in whole candidates that the room still holds; what is longer than that is not looked at."""
        candidates, chosen, room = self.candidates, self.chosen, self.room
        longest = max(_SMALL, _NEAR * room / self.prices.rate)
        for i in order:
            if room <= 0:
                return
            if len(candidates[i].text) > longest and not (chosen.is_joined(i) and chosen.has_neighbour(i)):
                continue
            if not self.is_capped(i) and self._take_whole(i):
                room = self.room
                longest = max(_SMALL, _NEAR * room / self.prices.rate)

    # ---- what comes in by the sentence

    def _searched(self, order: Iterable[int]) -> list[int]:
        """The candidates whose sentences are worth looking at, for the room that is left."""
        searched: list[int] = []
        tokens, enough = 0.0, _SEARCHED * self.room
        for i in order:
            if not (self.chosen.is_whole(i) or self.is_capped(i)) and (self.rules.cut_oversize or not self.is_oversize(i)):
                searched.append(i)
                tokens += self.prices.rate * self.prices.size_of(i)
                if len(searched) >= _SEARCHED_AT_LEAST and tokens > enough:
                    break
        return searched

    def _take_sentences(self, searched: Sequence[int], match: Match, room: float) -> None:
        """Let in the best sentences of the candidates, for at most so many tokens."""
        for _, i, stretch, size in self._sentences(searched, match):
            if room <= self.limit // _CRUMBS:
                break
            price = self.prices.rate * size
            if price > _NEAR * room or self.is_capped(i):
                continue
            rough = room > _ROUGH
            if self._is_short():
                price, rough = self._price_in_all(i, stretch), False
            else:
                text = self.candidates[i].text
                price = self._beside(i, stretch) + (price if rough else self.prices.count(text[slice(*stretch)], size))
            if price <= room:
                self._enter(i, stretch, price, size if rough else None)
                room -= price

    def _sentences(self, searched: Sequence[int], match: Match) -> Iterator[tuple[float, int, Stretch, float]]:
        """The sentences that are not in yet, the best first, each with its size; one that stands in two candidates once.

        Before each stands what it is worth, negated. The candidates come best first: one is not split before the sentences of
        better ones that it cannot outdo are used up.
        """
        chosen = self.chosen
        waiting: list[tuple[float, int, Stretch, float]] = []
        seen: set[Hashable] = set()
        most = (SIGNALS["sentence"] + SIGNALS["around"]) * max([match.shares[i] for i in searched], default=0.0)
        for i in searched:
            worth = self.worth[i]
            while waiting and waiting[0][0] <= -worth - most:
                yield heappop(waiting)
            held, joined = chosen.held.get(i) or (), chosen.is_joined(i)
            start, end = chosen.new_stretch(i) if joined else (0, len(self.candidates[i].text))
            dense = self.prices.size_of(i) / max(1, len(self.candidates[i].text))
            for stretch, bonus in self._split(i, match):
                if joined:
                    stretch = max(stretch[0], start), min(stretch[1], end)
                    if stretch[0] >= stretch[1] or (key := chosen.position(i, stretch[1])) in seen:
                        continue
                    seen.add(key)
                if stretch not in held:
                    heappush(waiting, (-worth - bonus, i, stretch, dense * (stretch[1] - stretch[0])))
        while waiting:
            yield heappop(waiting)

    def _split(self, i: int, match: Match) -> Sequence[tuple[Stretch, float]]:
        """The sentences of the candidate, each with what its own words and those around it add to what the candidate is worth."""
        split = self._splits.get(i)
        if split is None:
            text = self.candidates[i].text
            stretches = [(a, b) for a, b in sentences_of(text) if not text[a:b].isspace()]
            found = match.found(i, stretches)
            split = self._splits[i] = [
                (stretch, SIGNALS["sentence"] * match.share_of(own) + SIGNALS["around"] * match.share_of(own | before | after))
                for stretch, own, before, after in zip(stretches, found, [0, *found], [*found[1:], 0], strict=False)
            ]
        return split

    # ---- what may not come in

    def is_capped(self, i: int) -> bool:
        """Whether its document has all the candidates that the settings allow it."""
        cap = self.rules.per_source
        if cap is None or i in self.chosen.held:
            return False
        doc_id = self.candidates[i].source.doc_id
        return sum([self.candidates[held].source.doc_id == doc_id for held in self.chosen.held]) >= cap

    def is_oversize(self, i: int) -> bool:
        """Whether the candidate alone is larger than the budget; counted only where the estimate leaves a doubt."""
        about = self.prices.rate * self.prices.size_of(i)
        if i not in self.prices.alone and self.limit / 2 < about < 2 * self.limit and self._doubts:
            self._doubts -= 1
            self.prices.alone[i] = self._cost([self.chosen.passage((i,))])
        return self.prices.alone.get(i, about) > self.limit

    # ---- what it costs

    def _price_of(self, i: int, new: str | None, size: float, envelope: int) -> int:
        """What it costs to let the candidate in, of whose text ``new`` is not in already, or all of it."""
        if self._is_short():
            return self._price_in_all(i, None)
        return self.prices.of(i) if new is None else self.prices.count(new, size) + envelope

    def _new_text(self, i: int) -> tuple[str | None, int]:
        """The text that comes with the candidate, None for all of its own; and the tokens of envelopes that come or go with it."""
        left, right = self.chosen.neighbours(i)
        if left is None and right is None:
            return None, self.prices.envelope
        text = self.candidates[i].text[slice(*self.chosen.new_stretch(i))]
        if left is not None and (join := self.chosen.join(left, i)):
            text = join.glue + text
        if right is not None and (join := self.chosen.join(i, right)):
            text += join.glue
        if left is None or right is None or self.chosen.join(left, right):
            return text, 0
        return text, -self.prices.envelope

    def _beside(self, i: int, stretch: Stretch) -> int:
        """What a sentence brings beside its text: an envelope, or a mark for the gap, unless it goes on from what is in."""
        if i not in self.chosen.held and self.chosen.neighbours(i) == (None, None):
            return self.prices.envelope
        return 0 if self.chosen.touches(i, stretch) else self.prices.mark

    def _price_in_all(self, i: int, stretch: Stretch | None) -> int:
        """What the text as a whole costs more with it."""
        self.chosen.add(i, stretch)
        price = self._cost(self.chosen.passages()) - int(self._total)
        self.chosen.remove(i, stretch)
        return price

    def _is_short(self) -> bool:
        """Whether the text was counted as a whole and is short enough for that to be done at every try."""
        return self._whole and self._total < _SHORT * self.prices.rate

    # ---- the whole

    def _enter(self, i: int, stretch: Stretch | None, tokens: float, guessed: float | None = None) -> None:
        """Let it in; ``guessed`` is the size of the new text if the tokens are no count."""
        self.chosen.add(i, stretch)
        self.entries.append((i, stretch, tokens))
        self._total += tokens
        if guessed is not None:
            self._guessed += tokens
            self._guessed_size += guessed
            self._guessed_beside += tokens - self.prices.rate * guessed

    def _undo(self) -> float:
        """Take out what came in last; the tokens that should be free then."""
        i, stretch, tokens = self.entries.pop()
        self.chosen.remove(i, stretch)
        return tokens

    def _count_whole(self) -> None:
        """Count the text as one string; the rate follows by what was estimated."""
        counted = self._cost(self.chosen.passages())
        if self._guessed:
            self.prices.learn(counted - (self._total - self._guessed) - self._guessed_beside, self._guessed_size)
        self._total, self._whole = counted, True
        self._guessed = self._guessed_size = self._guessed_beside = 0.0

    def _give_back(self) -> None:
        """Count the text as one string; take out what came last until it fits."""
        self._count_whole()
        while self._total > self.limit:
            over = self._total - self.limit
            while over > 0 and self.entries:
                over -= max(1, self._undo())
            self._count_whole()

    def _fill_up(self, order: Sequence[int], match: Match) -> bool:
        """Let in what still fits, now that the exact count is known; whether that is worth another look."""
        before, counted = len(self.entries), self._total
        if self.room <= (0 if self._is_short() else _SLACK * self.limit):
            return False
        self._take(order, match)
        if len(self.entries) == before:
            return False
        self._count_whole()
        if self._total <= self.limit:
            return True
        while len(self.entries) > before:
            self._undo()
        self._total = counted
        return False

    # ---- what comes of it

    def evidence(self) -> tuple[Evidence, ...]:
        """The passages, each with its share of the exact count."""
        passages = self.chosen.passages()
        shares = _shares(int(self._total), [len(passage.text) + _ENVELOPE_SIZE for passage in passages])
        return tuple([Evidence("", passage, tokens) for passage, tokens in zip(passages, shares, strict=True)])


_ENVELOPE_SIZE = 40  # characters, about, that an envelope adds to a text


def _shares(total: int, sizes: Sequence[float]) -> list[int]:
    """The total given out by size, by largest remainder; the shares add up to it."""
    whole = sum(sizes)
    exact = [total * size / whole for size in sizes]
    shares = [int(share) for share in exact]
    short = total - sum(shares)
    for i in sorted(range(len(sizes)), key=lambda i: (shares[i] - exact[i], i))[:short]:
        shares[i] += 1
    return shares
