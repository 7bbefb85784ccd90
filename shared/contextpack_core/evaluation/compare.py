"""Two policies side by side: differences by case, with the interval that says whether there is one."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from typing import Any

from contextpack_core.evaluation.cases import Case
from contextpack_core.evaluation.intervals import CONFIDENCE, RESAMPLES, SEED, resampled
from contextpack_core.evaluation.measures import MEASURES
from contextpack_core.evaluation.observed import Generate, observe
from contextpack_core.evaluation.run import Evaluation, EvaluationError, Setup, evaluate, record_of
from contextpack_core.policy import Policy
from contextpack_core.stages.order import OrderSettings
from contextpack_core.text import content_id


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
    return _comparison(first.records, second.records, seed)


def _comparison(first: Sequence[Mapping[str, Any]], second: Sequence[Mapping[str, Any]], seed: int) -> Comparison:
    others = {record["qid"]: record for record in second}
    pairs = [(record, others[record["qid"]]) for record in first if record["qid"] in others]
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


ORDERS = ("best_first", "edges")


def compare_orders(
    cases: Iterable[Case],
    policy: Policy,
    generate: Generate | None = None,
    *,
    answers: Iterable[Mapping[str, Any]] | None = None,
    as_of: date | None = None,
    seed: int = SEED,
) -> Comparison:
    """The order ``edges`` against ``best_first`` on the cases whose evidence the retriever ranked third or lower.

    Order shows in answers only: ``generate`` writes one from each pack, or ``answers`` are those that were recorded for the prompts
    of ``order_prompts``, each with ``qid``, ``order``, ``prompt`` and ``answer``; a case counts with an answer under either order.
    These are the cases of "Lost in the Middle" (Liu et al. 2024): with the best evidence first the order of the rest cannot matter
    much.

    Raises:
        EvaluationError: there is neither, an answer is to another prompt, or there are no such cases.
    """
    if (generate is None) is (answers is None):
        raise EvaluationError("compare_orders: generate — a function from a pack and a question to an answer, or recorded answers")
    day = as_of or date.today()
    chosen = [replace(case, answer=None, sources=None) for case in _ranked_low(cases, policy, day)]
    if not chosen:
        raise EvaluationError("compare_orders: in no case is the evidence ranked third or lower")
    ordered = [_ordered(policy, by) for by in ORDERS]
    answered = [chosen, chosen] if answers is None else _answered(chosen, policy, tuple(answers), day)
    pairs = zip(answered, ordered, strict=True)
    first, second = [evaluate(asked, one, as_of=day, generate=generate, seed=seed) for asked, one in pairs]
    return _comparison(first.records, second.records, seed)


def order_prompts(cases: Iterable[Case], policy: Policy, *, as_of: date | None = None) -> Iterator[dict[str, str]]:
    """What a model is to answer for ``compare_orders``: for each case whose evidence ranked third or lower, and each order, the
    question and the evidence as it is rendered. ``prompt`` names the text: an answer to another one is not taken.
    """
    day = as_of or date.today()
    for case in _ranked_low(cases, policy, day):
        for by in ORDERS:
            text = _rendered(case, policy, by, day)
            yield {"qid": case.qid, "order": by, "prompt": content_id(text), "question": case.question, "evidence": text}


def _ranked_low(cases: Iterable[Case], policy: Policy, day: date) -> Iterator[Case]:
    for case in cases:
        if (record_of(case, Setup(policy, day, None)).get("gold_rank") or 0) >= _THIRD:
            yield case


_THIRD = 3


def _ordered(policy: Policy, by: str) -> Policy:
    return policy.model_copy(update={"order": OrderSettings.model_validate({"by": by})})


def _rendered(case: Case, policy: Policy, by: str, day: date) -> str:
    made = observe(replace(case, answer=None, sources=None), _ordered(policy, by), day).pack
    return made.text if made is not None else ""


def _answered(chosen: Sequence[Case], policy: Policy, answers: Sequence[Mapping[str, Any]], day: date) -> list[list[Case]]:
    """For each order the cases with the answers recorded under it, as far as they have one under both."""
    given = {(str(record.get("qid")), record.get("order")): record for record in answers}
    both = [case for case in chosen if all((case.qid, by) in given for by in ORDERS)]
    if not both:
        raise EvaluationError(
            "compare_orders: no case has an answer under both orders — qid, order, prompt and answer in each record"
        )
    stale = [
        f"{case.qid} {by}"
        for case in both
        for by in ORDERS
        if given[case.qid, by].get("prompt") != content_id(_rendered(case, policy, by, day))
    ]
    if stale:
        more = f" and {len(stale) - 5} more" if len(stale) > 5 else ""
        raise EvaluationError(f"answers to other prompts than these: {', '.join(stale[:5])}{more} — make the prompts anew")
    return [[replace(case, answer=given[case.qid, by].get("answer")) for case in both] for by in ORDERS]
