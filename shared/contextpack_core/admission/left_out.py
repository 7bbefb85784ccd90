"""What a filling of the budget left out: why, and the budget that would hold what is worth having of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, exp, log

from contextpack_core.admission.filling import BY_SENTENCE, FOR_SEAMS, Filling
from contextpack_core.admission.prices import AT_FIRST
from contextpack_core.admission.worth import Match
from contextpack_core.decisions import Drop, Reason

_WORTH_HAVING = log(10)  # odds of at least a tenth of the best one's
_TRIED = 2000  # tokens of all candidates up to which a larger budget is tried out: it takes as long as the pack
_AMPLE = 1.1  # times the estimate: what a text may cost that was not counted


@dataclass(frozen=True, slots=True)
class Shortfall:
    """Evidence worth having that did not fit whole: how many candidates, the budget in tokens that would hold them beside the
    others that are worth having, and the documents of all of these, by title or id, best first."""

    candidates: int
    tokens: int
    documents: tuple[str, ...]


def drops_of(filling: Filling) -> Iterator[Drop]:
    """Why each of the candidates that are not in is out, in rank order."""
    shown, limit, counted = filling.chosen.shown(), filling.limit, filling.prices.alone
    rate = filling.prices.per_character()
    large = limit / max(rate, 1e-9) / 2
    left, whole = f"tokens, {int(filling.room)} were left", f"tokens, the whole budget is {limit}"
    for i, candidate in enumerate(filling.candidates):
        if i in shown:
            continue
        if i in filling.beyond:
            odds = f"1 to {exp(filling.beyond[i]):,.0f}"
            yield Drop(candidate.id, Reason.BUDGET, f"enough was in: its odds are {odds} of the best one's")
            continue
        if filling.is_capped(i):
            yield Drop(candidate.id, Reason.SOURCE_CAP, f"{filling.rules.per_source} of its document are in already")
            continue
        length, tokens = len(candidate.text), counted.get(i)
        needs = f"needs about {int(rate * length + 0.5) or 1}" if tokens is None else f"needs {tokens}"
        if (tokens or 0) > limit or (length > large and filling.is_oversize(i)):
            yield Drop(candidate.id, Reason.TOO_LARGE, f"{needs} {whole}")
        else:
            yield Drop(candidate.id, Reason.BUDGET, f"{needs} {left}")


def missing_from(filling: Filling) -> list[int]:
    """The candidates worth having that are not in whole."""
    return [i for i in _worth_having(filling) if not filling.chosen.is_complete(i) and not filling.is_capped(i)]


def _worth_having(filling: Filling) -> list[int]:
    """Those whose odds are at least a tenth of the best one's, in the order in which they come in."""
    worth = filling.worth
    if not worth:
        return []
    least = max(worth) - _WORTH_HAVING
    having = [i for i, value in enumerate(worth) if value >= least and i not in filling.beyond]
    return sorted(having, key=lambda i: (-worth[i], i))


def shortfall_of(filling: Filling, missing: Sequence[int], match: Match, groups: Sequence[Sequence[int]]) -> Shortfall:
    """How much the candidates need that are worth having and are not in whole: the least of some budgets that held them when it
    was tried out, where all candidates together are short; else an estimate with a quarter to spare."""
    worth_having = _worth_having(filling)
    *estimates, ample = _guesses(filling, missing, worth_having[-1])
    if estimates[-1] <= _TRIED:
        tokens = next((limit for limit in estimates if _holds_all(filling, limit, match, groups)), ample)
    else:
        tokens = estimates[:4][-1]  # with a quarter to spare, or for all candidates where that is less
    sources = [filling.candidates[i].source for i in worth_having]
    return Shortfall(len(missing), tokens, tuple(dict.fromkeys([source.title or source.doc_id for source in sources])))


def _guesses(filling: Filling, missing: Sequence[int], last: int) -> list[int]:
    """Budgets that may do, the smaller first: for what is in whole and what is missing; that, and what is held back for
    sentences when the last of it is looked at; a tenth more; a quarter more; for all candidates; twice that."""
    prices, count = filling.prices, len(filling.candidates)
    needs = {i: prices.alone.get(i) or _AMPLE * prices.rate * prices.size_of(i) + prices.envelope for i in missing}
    whole = sum([tokens for _, stretch, tokens in filling.entries if stretch is None]) + sum(needs.values())
    before = whole - needs.get(last, 0)
    held_back = max(whole, min(before + BY_SENTENCE, 2 * before))
    size = sum([prices.size_of(i) for i in range(count)])
    everything = max(AT_FIRST * size, _AMPLE * prices.rate * size + prices.envelope * count)
    seams = 1 + 1 / (FOR_SEAMS - 1)
    guesses = [seams * whole, seams * held_back, _AMPLE * seams * held_back, 1.25 * seams * held_back]
    return [max(filling.limit + 1, ceil(n)) for n in (*[n for n in guesses if n < everything], everything, 2 * everything)]


def _holds_all(filling: Filling, limit: int, match: Match, groups: Sequence[Sequence[int]]) -> bool:
    """Whether nothing worth having is missing with a budget of so many tokens."""
    other = filling.anew(limit)
    if other.rules.all_at_once and other.take_all():
        return True
    other.take_best(filling.worth, match, groups)
    return not missing_from(other)
