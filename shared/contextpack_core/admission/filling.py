"""Fills a budget: what comes in whole, what by the sentence, and what stays out, at the tokens of the text that is new."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from math import ceil, exp, log

from contextpack_core.admission.cuts import sentences_of
from contextpack_core.admission.selection import Selection, Stretch
from contextpack_core.admission.worth import SIGNALS, Match
from contextpack_core.decisions import Drop, Reason
from contextpack_core.passages import GAP_MARK
from contextpack_core.values import Candidate, Evidence, Joins, Passage


@dataclass(frozen=True, slots=True)
class Cost:
    """What passages cost: ``render`` lays them out as the prompt will, ``count`` counts that text as one string."""

    count: Callable[[str], int]
    render: Callable[[Sequence[Passage]], str]

    def __call__(self, passages: Sequence[Passage]) -> int:
        return self.count(self.render(passages)) if passages else 0


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


@dataclass(frozen=True, slots=True)
class Shortfall:
    """Evidence worth having that did not fit whole: how many candidates, the budget in tokens that would hold them beside the
    others that are worth having, and the documents of all of these, by title or id, best first."""

    candidates: int
    tokens: int
    documents: tuple[str, ...]


_AT_FIRST = 0.18  # tokens for each unit of size, until some have been counted
_NEAR = 1.4  # what is estimated above the room by more than this is not counted
_FREE = 1500  # size of the candidates that are counted whatever their estimate,
_SMALL = 100  # and size up to which all are
_SHORT = 1500  # size of a text that is counted as a whole at every try to fill it up: exact for counters that are not additive
_DOUBTS = 4  # candidates counted only to say whether they are larger than the budget
_ROUGH = 200  # tokens of room above which a sentence goes by the estimate
_CRUMBS = 200  # of so many tokens one that is left ends the search for sentences
_HELD_BACK = 0.03  # of what is estimated, and
_FOR_SEAMS = 200  # of so many tokens one, until the whole is counted
_SLACK = 0.03  # share of the budget that may stay empty rather than count a long text once more
_ROUNDS = 3  # times that the text is counted as a whole in order to fill it up
_BY_SENTENCE = 600  # tokens, and no more than half of a budget: what is given out by the sentence
_SEARCHED = 3  # times the room that is left: so much text is looked through for sentences,
_SEARCHED_AT_LEAST = 4  # and so many candidates
_TRIED = 2000  # tokens of all candidates up to which a larger budget is tried out: it takes as long as the pack
_AMPLE = 1.1  # times the estimate: what a text may cost that was not counted
_WORTH_HAVING = log(10)  # odds of at least a tenth of the best one's


class Filling:
    """One filling of the budget. Candidates are counted as they come, sentences by an estimate that learns from that, and the whole
    text in the end.

    A candidate goes by its place in the list, which is its place in the ranking.
    """

    def __init__(self, candidates: Sequence[Candidate], joins: Joins, cost: Cost, rules: Rules) -> None:
        self._candidates, self._cost, self._rules, self._limit = candidates, cost, rules, rules.limit
        self._chosen, self._joins = Selection(candidates, joins), joins
        self._worth: Sequence[float] = ()
        self._entries: list[tuple[int, Stretch | None, float]] = []  # what came in, in turn, and its tokens
        self._total, self._whole = 0.0, False  # tokens of what is in, and whether the text was ever counted as one string
        self._guessed, self._guessed_size, self._guessed_beside = 0.0, 0.0, 0.0  # what of it is estimated: tokens, size of the
        # texts, and tokens beside those
        self._rate = _AT_FIRST  # tokens for each unit of size
        self._tokens, self._size = 0.0, 0.0  # of all texts that were counted
        self._envelope, self._mark = 0, 0  # tokens
        self._alone: dict[int, int] = {}  # what a candidate costs as a passage of its own, where that was counted
        self._counted: dict[str, int] = {}
        self._sizes: dict[int, float] = {}
        self._splits: dict[int, Sequence[tuple[Stretch, float]]] = {}
        self._free, self._doubts = float(_FREE), _DOUBTS
        self._beyond: dict[int, float] = {}  # what is left out because enough is in, and how far its odds are below the best
        self.beside = self._chosen.beside

    @property
    def _room(self) -> float:
        """The tokens that are left."""
        return self._limit - self._total - (0 if self._whole else self._limit // _FOR_SEAMS) - _HELD_BACK * self._guessed

    def take_all(self) -> bool:
        """Let in all candidates that are not left out, if the estimate and then the exact count say that they fit."""
        places = [i for i in range(len(self._candidates)) if i not in self._beyond]
        if _AT_FIRST * sum([len(self._candidates[i].text) for i in places]) > self._limit:
            return False
        if _AT_FIRST * sum([self._size_of(i) for i in places]) > self._limit:
            return False
        for i in places:
            self._chosen.add(i)
        self._count_whole()
        if self._total <= self._limit:
            return True
        self._chosen.clear()
        self._total, self._whole = 0.0, False
        return False

    def leave_out(self, odds: Sequence[float], within: Collection[int]) -> None:
        """Leave out the candidates that are not within reach; ``odds`` are log odds."""
        best = max(odds)
        self._beyond = {i: best - value for i, value in enumerate(odds) if i not in within}

    def take_best(self, worth: Sequence[float], match: Match, groups: Sequence[Sequence[int]] = ()) -> None:
        """Let in by worth what fits, and sentences of what does not; count the whole, then give back or fill up."""
        self._worth = worth
        if self._beyond and not self._rules.per_source and self.take_all():
            return
        order = sorted([i for i in range(len(worth)) if i not in self._beyond], key=lambda i: (-worth[i], i))
        groups = [[i for i in members if i not in self._beyond] for members in groups] if self._beyond else groups
        self._learn_envelope(order[0])
        self._take(self._minimum(groups), match, firm=True)
        self._take(order, match)
        self._give_back()
        for _ in range(_ROUNDS):
            if not self._fill_up(order, match):
                break

    # ---- what comes in

    def _minimum(self, groups: Sequence[Sequence[int]]) -> list[int]:
        """Of each group the best candidates up to its minimum, the groups in turn."""
        minimum = self._limit // max(1, len(groups))
        if self._rules.per_group is not None:
            minimum = min(minimum, self._rules.per_group)
        turns: list[tuple[int, int]] = []
        for members in groups:
            spent = 0.0
            for turn, i in enumerate(members):
                if spent < minimum:
                    turns.append((turn, i))
                    spent += self._rate * self._size_of(i)
        return [i for _, i in sorted(turns, key=lambda entry: entry[0])]

    def _take(self, order: Sequence[int], match: Match, firm: bool = False) -> None:
        """Let in what fits whole, in order, up to the part that is given out by the sentence; then sentences; then what is small.

        ``firm``: one that does not fit ends nothing, and gives what sentences fit.
        """
        rules = self._rules
        by_sentence = min(_BY_SENTENCE, self._limit // 2) if rules.excerpts and not (firm or self._whole) else 0
        for at, i in enumerate(order):
            if self._room <= 0:
                return
            if self._chosen.is_whole(i) or self._is_capped(i):
                continue
            if self._room > by_sentence and self._take_whole(i):
                continue
            oversize = self._is_oversize(i)
            if oversize and rules.cut_oversize:
                self._take_sentences([i], match, self._room if at + 1 == len(order) else self._room / 2)
            if rules.stop:
                return
            if rules.excerpts and not oversize:
                self._take_sentences([i] if firm else self._searched(order[at:]), match, self._room)
                if not firm:
                    self._take_small(order[at + 1 :])
                    return

    def _take_small(self, order: Iterable[int]) -> None:
        """Let in whole candidates that the room still holds; what is longer than that is not looked at."""
        candidates, chosen, room = self._candidates, self._chosen, self._room
        longest = max(_SMALL, _NEAR * room / self._rate)
        for i in order:
            if room <= 0:
                return
            if len(candidates[i].text) > longest and not (chosen.is_joined(i) and chosen.has_neighbour(i)):
                continue
            if not self._is_capped(i) and self._take_whole(i):
                room = self._room
                longest = max(_SMALL, _NEAR * room / self._rate)

    def _take_whole(self, i: int) -> bool:
        """Let the candidate in if it fits, at the price of the text that is new."""
        if i in self._chosen.held:
            return False
        new, envelope = self._new_text(i) if self._chosen.is_joined(i) else (None, self._envelope)
        size, room = self._size_of(i) if new is None else _size_of(new), self._room
        if size > _SMALL and self._rate * size > _NEAR * room:
            self._free -= size
            if self._free < 0:
                return False
        price = self._price_of(i, new, size, envelope)
        if price > room:
            return False
        self._enter(i, None, price)
        return True

    def _price_of(self, i: int, new: str | None, size: float, envelope: int) -> int:
        """What it costs to let the candidate in, of whose text ``new`` is not in already, or all of it."""
        if self._is_short():
            return self._price_in_all(i, None)
        if new is not None:
            return self._count(new, size) + envelope
        if i not in self._alone:
            self._alone[i] = self._count(self._candidates[i].text, size) + envelope
        return self._alone[i]

    def _new_text(self, i: int) -> tuple[str | None, int]:
        """The text that comes with the candidate, None for all of its own; and the tokens of envelopes that come or go with it."""
        left, right = self._chosen.neighbours(i)
        if left is None and right is None:
            return None, self._envelope
        text = self._candidates[i].text[slice(*self._chosen.new_stretch(i))]
        if left is not None and (join := self._chosen.join(left, i)):
            text = join.glue + text
        if right is not None and (join := self._chosen.join(i, right)):
            text += join.glue
        if left is None or right is None or self._chosen.join(left, right):
            return text, 0
        return text, -self._envelope

    def _searched(self, order: Iterable[int]) -> list[int]:
        """The candidates whose sentences are worth looking at, for the room that is left."""
        searched: list[int] = []
        tokens, enough = 0.0, _SEARCHED * self._room
        for i in order:
            if not (self._chosen.is_whole(i) or self._is_capped(i)) and (self._rules.cut_oversize or not self._is_oversize(i)):
                searched.append(i)
                tokens += self._rate * self._size_of(i)
                if len(searched) >= _SEARCHED_AT_LEAST and tokens > enough:
                    break
        return searched

    def _take_sentences(self, searched: Sequence[int], match: Match, room: float) -> None:
        """Let in the best sentences of the candidates, for at most so many tokens."""
        for _, i, stretch, size in self._sentences(searched, match):
            if room <= self._limit // _CRUMBS:
                break
            price = self._rate * size
            if price > _NEAR * room or self._is_capped(i):
                continue
            rough = room > _ROUGH
            if self._is_short():
                price, rough = self._price_in_all(i, stretch), False
            else:
                text = self._candidates[i].text
                price = self._beside(i, stretch) + (price if rough else self._count(text[slice(*stretch)], size))
            if price <= room:
                self._enter(i, stretch, price, size if rough else None)
                room -= price

    def _sentences(self, searched: Sequence[int], match: Match) -> Iterator[tuple[float, int, Stretch, float]]:
        """The sentences that are not in yet, the best first, each with its size; one that stands in two candidates once.

        Before each stands what it is worth, negated. The candidates come best first: one is not split before the sentences of
        better ones that it cannot outdo are used up.
        """
        chosen = self._chosen
        waiting: list[tuple[float, int, Stretch, float]] = []
        seen: set[Hashable] = set()
        most = (SIGNALS["sentence"] + SIGNALS["around"]) * max([match.shares[i] for i in searched], default=0.0)
        for i in searched:
            worth = self._worth[i]
            while waiting and waiting[0][0] <= -worth - most:
                yield heappop(waiting)
            held, joined = chosen.held.get(i) or (), chosen.is_joined(i)
            start, end = chosen.new_stretch(i) if joined else (0, len(self._candidates[i].text))
            dense = self._size_of(i) / max(1, len(self._candidates[i].text))
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
            text = self._candidates[i].text
            stretches = [(a, b) for a, b in sentences_of(text) if not text[a:b].isspace()]
            found = match.found(i, stretches)
            split = self._splits[i] = [
                (stretch, SIGNALS["sentence"] * match.share_of(own) + SIGNALS["around"] * match.share_of(own | before | after))
                for stretch, own, before, after in zip(stretches, found, [0, *found], [*found[1:], 0], strict=False)
            ]
        return split

    def _is_capped(self, i: int) -> bool:
        """Whether its document has all the candidates that the settings allow it."""
        cap = self._rules.per_source
        if cap is None or i in self._chosen.held:
            return False
        doc_id = self._candidates[i].source.doc_id
        return sum([self._candidates[held].source.doc_id == doc_id for held in self._chosen.held]) >= cap

    def _is_oversize(self, i: int) -> bool:
        """Whether the candidate alone is larger than the budget; counted only where the estimate leaves a doubt."""
        about = self._rate * self._size_of(i)
        if i not in self._alone and self._limit / 2 < about < 2 * self._limit and self._doubts:
            self._doubts -= 1
            self._alone[i] = self._cost([self._chosen.passage((i,))])
        return self._alone.get(i, about) > self._limit

    def _is_short(self) -> bool:
        """Whether the text was counted as a whole and is short enough for that to be done at every try."""
        return self._whole and self._total < _SHORT * self._rate

    def _enter(self, i: int, stretch: Stretch | None, tokens: float, guessed: float | None = None) -> None:
        """Let it in; ``guessed`` is the size of the new text if the tokens are no count."""
        self._chosen.add(i, stretch)
        self._entries.append((i, stretch, tokens))
        self._total += tokens
        if guessed is not None:
            self._guessed += tokens
            self._guessed_size += guessed
            self._guessed_beside += tokens - self._rate * guessed

    # ---- prices

    def _size_of(self, i: int) -> float:
        size = self._sizes.get(i)
        if size is None:
            size = self._sizes[i] = _size_of(self._candidates[i].text)
        return size

    def _beside(self, i: int, stretch: Stretch) -> int:
        """What a sentence brings beside its text: an envelope, or a mark for the gap, unless it goes on from what is in."""
        if i not in self._chosen.held and self._chosen.neighbours(i) == (None, None):
            return self._envelope
        return 0 if self._chosen.touches(i, stretch) else self._mark

    def _price_in_all(self, i: int, stretch: Stretch | None) -> int:
        """What the text as a whole costs more with it."""
        self._chosen.add(i, stretch)
        price = self._cost(self._chosen.passages()) - int(self._total)
        self._chosen.remove(i, stretch)
        return price

    def _count(self, text: str, size: float) -> int:
        """The tokens of a text; the rate follows."""
        tokens = self._counted.get(text)
        if tokens is None:
            tokens = self._counted[text] = self._cost.count(text) if text else 0
        self._learn(tokens, size)
        return tokens

    def _learn(self, tokens: float, size: float) -> None:
        self._tokens += max(0.0, tokens)
        self._size += size
        if self._tokens > 0 < self._size:
            self._rate = self._tokens / self._size

    def _learn_envelope(self, first: int) -> None:
        """Learn from one candidate what the envelope of a passage costs."""
        bare = self._count(self._candidates[first].text, self._size_of(first))
        self._alone[first] = self._cost([self._chosen.passage((first,))])
        self._envelope = max(0, self._alone[first] - bare)
        self._mark = self._cost.count(GAP_MARK)

    # ---- the whole

    def _count_whole(self) -> None:
        """Count the text as one string; the rate follows by what was estimated."""
        counted = self._cost(self._chosen.passages())
        if self._guessed:
            self._learn(counted - (self._total - self._guessed) - self._guessed_beside, self._guessed_size)
        self._total, self._whole = counted, True
        self._guessed = self._guessed_size = self._guessed_beside = 0.0

    def _give_back(self) -> None:
        """Count the text as one string; take out what came last until it fits."""
        self._count_whole()
        while self._total > self._limit:
            over = self._total - self._limit
            while over > 0 and self._entries:
                over -= max(1, self._undo())
            self._count_whole()

    def _fill_up(self, order: Sequence[int], match: Match) -> bool:
        """Let in what still fits, now that the exact count is known; whether that is worth another look."""
        before, counted = len(self._entries), self._total
        if self._room <= (0 if self._is_short() else _SLACK * self._limit):
            return False
        self._take(order, match)
        if len(self._entries) == before:
            return False
        self._count_whole()
        if self._total <= self._limit:
            return True
        while len(self._entries) > before:
            self._undo()
        self._total = counted
        return False

    def _undo(self) -> float:
        """Take out what came in last; the tokens that should be free then."""
        i, stretch, tokens = self._entries.pop()
        self._chosen.remove(i, stretch)
        return tokens

    # ---- what comes of it

    def evidence(self) -> tuple[Evidence, ...]:
        """The passages, each with its share of the exact count."""
        passages = self._chosen.passages()
        shares = _shares(int(self._total), [len(passage.text) + _ENVELOPE_SIZE for passage in passages])
        return tuple([Evidence("", passage, tokens) for passage, tokens in zip(passages, shares, strict=True)])

    def drops(self) -> Iterator[Drop]:
        """Why each of the others is out, in rank order."""
        shown, capped, known = self._chosen.shown(), self._rules.per_source is not None, self._alone
        sizes = self._sizes
        rate = (
            self._rate * sum(sizes.values()) / max(1, sum([len(self._candidates[i].text) for i in sizes])) if sizes else self._rate
        )
        large = self._limit / max(rate, 1e-9) / 2
        left, whole = f"tokens, {int(self._room)} were left", f"tokens, the whole budget is {self._limit}"
        for i, candidate in enumerate(self._candidates):
            if i in shown:
                continue
            if i in self._beyond:
                odds = f"1 to {exp(self._beyond[i]):,.0f}"
                yield Drop(candidate.id, Reason.BUDGET, f"enough was in: its odds are {odds} of the best one's")
                continue
            if capped and self._is_capped(i):
                yield Drop(candidate.id, Reason.SOURCE_CAP, f"{self._rules.per_source} of its document are in already")
                continue
            length, tokens = len(candidate.text), known.get(i)
            needs = f"needs about {int(rate * length + 0.5) or 1}" if tokens is None else f"needs {tokens}"
            if (tokens or 0) > self._limit or (length > large and self._is_oversize(i)):
                yield Drop(candidate.id, Reason.TOO_LARGE, f"{needs} {whole}")
            else:
                yield Drop(candidate.id, Reason.BUDGET, f"{needs} {left}")

    def missing(self) -> list[int]:
        """The candidates worth having that are not in whole."""
        return [i for i in self._worth_having() if not self._chosen.is_complete(i) and not self._is_capped(i)]

    def _worth_having(self) -> list[int]:
        """Those whose odds are at least a tenth of the best one's, in the order in which they come in."""
        if not self._worth:
            return []
        least = max(self._worth) - _WORTH_HAVING
        having = [i for i, worth in enumerate(self._worth) if worth >= least and i not in self._beyond]
        return sorted(having, key=lambda i: (-self._worth[i], i))

    def shortfall(self, missing: Sequence[int], match: Match, groups: Sequence[Sequence[int]]) -> Shortfall:
        """How much the candidates need that are worth having and are not in whole: the least of some budgets that held them when it
        was tried out, where all candidates together are short; else an estimate with a quarter to spare."""
        worth_having = self._worth_having()
        tries = self._guesses(missing, worth_having[-1])
        if tries[-1] <= _TRIED:
            tokens = next((n for n in tries if self._holds_all(n, match, groups)), tries[-1])
        else:
            tokens = tries[min(3, len(tries) - 1)]
        sources = [self._candidates[i].source for i in worth_having]
        return Shortfall(len(missing), tokens, tuple(dict.fromkeys([source.title or source.doc_id for source in sources])))

    def _guesses(self, missing: Sequence[int], last: int) -> list[int]:
        """Budgets that may do, the smaller first: for what is in whole and what is missing; that, and what is held back for
        sentences when the last of it is looked at; a tenth more; a quarter more; for all candidates."""
        prices = {i: self._alone.get(i) or self._bound(i) for i in missing}
        whole = sum([tokens for _, stretch, tokens in self._entries if stretch is None]) + sum(prices.values())
        before = whole - prices.get(last, 0)
        held_back = max(whole, min(before + _BY_SENTENCE, 2 * before))
        size = sum([self._size_of(i) for i in range(len(self._candidates))])
        everything = max(_AT_FIRST * size, _AMPLE * self._rate * size + self._envelope * len(self._candidates))
        seams = 1 + 1 / (_FOR_SEAMS - 1)
        guesses = [seams * whole, seams * held_back, _AMPLE * seams * held_back, 1.25 * seams * held_back]
        return [max(self._limit + 1, ceil(n)) for n in (*[n for n in guesses if n < everything], everything)]

    def _bound(self, i: int) -> float:
        """What a candidate may cost that was not counted."""
        return _AMPLE * self._rate * self._size_of(i) + self._envelope

    def _holds_all(self, tokens: int, match: Match, groups: Sequence[Sequence[int]]) -> bool:
        """Whether nothing worth having is missing with a budget of so many tokens."""
        other = Filling(self._candidates, self._joins, self._cost, replace(self._rules, limit=tokens))
        other._counted, other._sizes, other._splits = self._counted, self._sizes, self._splits
        other._beyond = self._beyond
        if self._rules.all_at_once and other.take_all():
            return True
        other.take_best(self._worth, match, groups)
        return not other.missing()


_ENVELOPE_SIZE = 40  # characters, about, that an envelope adds to a text


_PLAIN = bytes([*range(ord("A"), ord("Z") + 1), *range(ord("a"), ord("z") + 1), ord(" "), *range(128, 256)])


def _size_of(text: str) -> float:
    """About how large a text is for a tokenizer: bytes of UTF-8, of which figures and marks cost more than letters."""
    encoded = text.encode("utf-8", "surrogatepass")
    return len(encoded) + 4.5 * len(encoded.translate(None, _PLAIN))


def _shares(total: int, sizes: Sequence[float]) -> list[int]:
    """The total given out by size, by largest remainder; the shares add up to it."""
    whole = sum(sizes)
    exact = [total * size / whole for size in sizes]
    shares = [int(share) for share in exact]
    short = total - sum(shares)
    for i in sorted(range(len(sizes)), key=lambda i: (shares[i] - exact[i], i))[:short]:
        shares[i] += 1
    return shares
