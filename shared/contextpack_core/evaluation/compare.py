"""Two policies side by side: differences by case, with the interval that says whether there is one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from typing import Any

from contextpack_core.evaluation.cases import Case
from contextpack_core.evaluation.intervals import CONFIDENCE, RESAMPLES, SEED, resampled
from contextpack_core.evaluation.measures import MEASURES
from contextpack_core.evaluation.observed import Generate
from contextpack_core.evaluation.run import Evaluation, EvaluationError, evaluate
from contextpack_core.policy import Policy
from contextpack_core.stages.order import OrderSettings


@dataclass(frozen=True, slots=True)
class Difference:
    """A measure under two policies on the same ``n`` cases: ``first``, ``second``, second minus first, and its interval."""

    measure: str
    first: float
    second: float
    difference: float
    low: float
    high: float
    n: int

    @property
    def verdict(self) -> str:
        """``better``, ``worse`` or ``no difference seen``: the second policy as against the first."""
        if self.low <= 0 <= self.high:
            return "no difference seen"
        way = MEASURES[self.measure].better
        return "better" if (self.difference > 0) is (way == "higher") else "worse"

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data, with the verdict."""
        rounded = {name: round(value, 6) if isinstance(value, float) else value for name, value in asdict(self).items()}
        return {**rounded, "verdict": self.verdict}


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two evaluations of the same cases: differences over all cases and by intent, and the cases that only one of them fails."""

    overall: tuple[Difference, ...]
    by_intent: Mapping[str, tuple[Difference, ...]]
    fixed: tuple[str, ...]
    broken: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data."""
        return {
            "overall": [difference.to_dict() for difference in self.overall],
            "by_intent": {intent: [d.to_dict() for d in found] for intent, found in self.by_intent.items()},
            "fixed": list(self.fixed),
            "broken": list(self.broken),
        }


def compare(first: Evaluation, second: Evaluation, *, seed: int = SEED) -> Comparison:
    """The second evaluation against the first, by paired bootstrap over cases (Efron and Tibshirani 1993, ch. 16).

    Raises:
        EvaluationError: the two are not of the same cases.
    """
    if first.signature.get("cases") != second.signature.get("cases"):
        raise EvaluationError("compare: the two evaluations are not of the same cases — evaluate both on one file")
    others = {record["qid"]: record for record in second.records}
    pairs = [(record, others[record["qid"]]) for record in first.records if record["qid"] in others]
    intents = sorted({mine["intent"] for mine, _ in pairs if mine.get("intent")})
    by_intent = {intent: _differences([p for p in pairs if p[0].get("intent") == intent], seed) for intent in intents}
    fixed = tuple([mine["qid"] for mine, other in pairs if mine.get("diagnosis") and not other.get("diagnosis")])
    broken = tuple([mine["qid"] for mine, other in pairs if other.get("diagnosis") and not mine.get("diagnosis")])
    return Comparison(_differences(pairs, seed), by_intent, fixed, broken)


def _differences(pairs: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]], seed: int) -> tuple[Difference, ...]:
    found = []
    for name in MEASURES:
        values = [(a["values"][name], b["values"][name]) for a, b in pairs if name in a["values"] and name in b["values"]]
        if values:
            found.append(paired(name, values, seed))
    return tuple(found)


def paired(measure: str, values: Sequence[tuple[float, float]], seed: int = SEED) -> Difference:
    """The mean of the differences with its percentile bootstrap interval: a case counts with both of its values or not at all."""
    differences = [b - a for a, b in values]
    if any(differences):
        low, high = resampled(
            len(values), lambda chosen, given: given[chosen].mean(axis=1), differences, seed, RESAMPLES, CONFIDENCE
        )
    else:
        low = high = 0.0
    n = len(values)
    means = [math.fsum(column) / n for column in zip(*values, strict=True)]
    return Difference(measure, means[0], means[1], math.fsum(differences) / n, low, high, n)


def compare_orders(
    cases: Sequence[Case], policy: Policy, generate: Generate | None = None, *, as_of: date | None = None, seed: int = SEED
) -> Comparison:
    """The order ``edges`` against ``best_first`` on the cases whose evidence the retriever ranked third or lower.

    Order shows in answers only: ``generate`` writes one from each pack. These are the cases of "Lost in the Middle" (Liu et al.
    2024): with the best evidence first the order of the rest cannot matter much.

    Raises:
        EvaluationError: there is no ``generate``, or there are no such cases.
    """
    if generate is None:
        raise EvaluationError("compare_orders: generate — a function from a pack and a question to an answer is wanted")
    day = as_of or date.today()
    ranks = evaluate(cases, policy, as_of=day, judge="none").records
    low = {record["qid"] for record in ranks if record.get("gold_rank", 0) >= _THIRD}
    chosen = [replace(case, answer=None, sources=None) for case in cases if case.qid in low]
    if not chosen:
        raise EvaluationError("compare_orders: in no case is the evidence ranked third or lower")
    orders = [policy.model_copy(update={"order": OrderSettings(by=by)}) for by in ("best_first", "edges")]
    first, second = [evaluate(chosen, ordered, as_of=day, generate=generate, seed=seed) for ordered in orders]
    return compare(first, second, seed=seed)


_THIRD = 3
