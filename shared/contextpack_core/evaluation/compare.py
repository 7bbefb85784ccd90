"""Two policies side by side: differences by case, with the interval that says whether there is one."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from typing import Any

from contextpack_core.evaluation.cases import Case
from contextpack_core.evaluation.intervals import CONFIDENCE, FEWEST, RESAMPLES, SEED, TOO_FEW, resampled
from contextpack_core.evaluation.measures import MEASURES
from contextpack_core.evaluation.observed import Generate, observe
from contextpack_core.evaluation.run import Evaluation, EvaluationError, Setup, evaluate, record_of
from contextpack_core.pack import day_for
from contextpack_core.policy import Policy
from contextpack_core.text import content_id


@dataclass(frozen=True, slots=True)
class Difference:
    """A measure under two policies on the same ``n`` cases: ``first``, ``second``, second minus first, and its interval; None of
    fewer than ``FEWEST`` (6) cases.
    """

    measure: str
    first: float
    second: float
    difference: float
    low: float | None
    high: float | None
    n: int

    @property
    def verdict(self) -> str:
        """``better``, ``worse``, ``no difference seen`` or ``too few cases``: the second policy as against the first."""
        if self.low is None or self.high is None:
            return TOO_FEW
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
    """Two evaluations of the same cases: differences over all cases and by intent, and the cases that only one of them fails.

    ``notes`` are sentences on cases that were left out of it.
    """

    overall: tuple[Difference, ...]
    by_intent: Mapping[str, tuple[Difference, ...]]
    fixed: tuple[str, ...]
    broken: tuple[str, ...]
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data."""
        return {
            "overall": [difference.to_dict() for difference in self.overall],
            "by_intent": {intent: [d.to_dict() for d in found] for intent, found in self.by_intent.items()},
            "fixed": list(self.fixed),
            "broken": list(self.broken),
            "notes": list(self.notes),
        }


def compare(first: Evaluation, second: Evaluation, *, seed: int = SEED, anyway: bool = False) -> Comparison:
    """The second evaluation against the first, by paired bootstrap over cases (Efron and Tibshirani 1993, ch. 16).

    ``anyway``: compare them also if they differ in more than policy and answers, where that is what the comparison shall tell.

    Raises:
        EvaluationError: the two are not of the same cases, or of another day, judge or version of the measures.
    """
    if first.signature.get("cases") != second.signature.get("cases"):
        raise EvaluationError("compare: the two evaluations are not of the same cases — evaluate both on one file")
    differ = [f"{name}: {first.signature.get(name)} and {second.signature.get(name)}" for name in _ALIKE]
    differ = [told for told, name in zip(differ, _ALIKE, strict=True) if first.signature.get(name) != second.signature.get(name)]
    if differ and not anyway:
        raise EvaluationError(
            f"compare: the two evaluations have not the same {'; '.join(differ)} — evaluate both alike, or compare(…, anyway=True)"
        )
    return _comparison(first.records, second.records, seed)


_ALIKE = ("as_of", "judge", "measures")
"""What two evaluations must have in common beside their cases."""


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
    low: float | None
    high: float | None
    if len(values) < FEWEST:
        low = high = None
    elif any(differences):
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
    of ``order_prompts``, each with ``qid``, ``order``, ``prompt`` and ``answer``; a case counts with an answer under either order,
    and without one (none, or null) is left out, as is a case whose prompt is the same under both: the notes tell. Recorded
    ``support`` belongs to another answer and is not used. These are the cases of "Lost in the Middle" (Liu et al. 2024): with the
    best evidence first the order of the rest cannot matter much.

    Raises:
        EvaluationError: there is neither, an answer is to another prompt, or there are no such cases.
    """
    if (generate is None) is (answers is None):
        raise EvaluationError("compare_orders: generate — a function from a pack and a question to an answer, or recorded answers")
    day = day_for("", policy, as_of)
    asked, same = _asked(cases, policy, day)
    notes = [_told(same, "the prompt is the same under both orders")] if same else []
    bare = [case for case, _ in asked]
    answered = [bare, bare]
    if answers is not None:
        answered, missing = _answered(asked, tuple(answers))
        notes += [_told(missing, "there is no answer under both orders")] if missing else []
    pairs = zip(answered, [_ordered(policy, by) for by in ORDERS], strict=True)
    first, second = [evaluate(some, one, as_of=day, generate=generate, seed=seed, curve_cases=0) for some, one in pairs]
    return replace(_comparison(first.records, second.records, seed), notes=tuple(notes))


@dataclass(frozen=True, slots=True)
class OrderPrompts:
    """What a model is to answer for ``compare_orders``, and the cases that it need not be asked, as both orders make one prompt."""

    prompts: tuple[Mapping[str, str], ...]
    same: tuple[str, ...]

    def __iter__(self) -> Iterator[Mapping[str, str]]:
        return iter(self.prompts)

    def __len__(self) -> int:
        return len(self.prompts)

    @property
    def says(self) -> str:
        """How many prompts of how many cases there are to answer, and which cases are left out."""
        n = len(self.prompts) // len(ORDERS)
        told = f"{len(self.prompts)} prompts of {n} case{'' if n == 1 else 's'}"
        return f"{told}; {_told(self.same, 'the prompt is the same under both orders')}" if self.same else told


def order_prompts(cases: Iterable[Case], policy: Policy, *, as_of: date | None = None) -> OrderPrompts:
    """What a model is to answer for ``compare_orders``: for each case whose evidence ranked third or lower, and each order, the
    question and the evidence as it is rendered. ``prompt`` names the text: an answer to another one is not taken.

    Raises:
        EvaluationError: there is nothing to ask.
    """
    asked, same = _asked(cases, policy, day_for("", policy, as_of))
    prompts = [
        {"qid": case.qid, "order": by, "prompt": content_id(text), "question": case.question, "evidence": text}
        for case, texts in asked
        for by, text in texts.items()
    ]
    return OrderPrompts(tuple(prompts), tuple(same))


Asked = tuple[Case, Mapping[str, str]]
"""A case without its recorded answer, and the evidence as each order renders it."""


def _asked(cases: Iterable[Case], policy: Policy, day: date) -> tuple[list[Asked], list[str]]:
    """The cases that the orders are compared on, and the ids of those whose prompt is the same under both.

    Raises:
        EvaluationError: there are none.
    """
    asked: list[Asked] = []
    same = []
    orders = {by: _ordered(policy, by) for by in ORDERS}
    for case in cases:
        if (record_of(case, Setup(policy, day, None)).get("gold_rank") or 0) < _THIRD:
            continue
        bare = replace(case, answer=None, sources=None, support=None)
        texts = {by: _rendered(bare, ordered, day) for by, ordered in orders.items()}
        if len(set(texts.values())) > 1:
            asked.append((bare, texts))
        else:
            same.append(case.qid)
    if not asked:
        alike = f"; {_told(same, 'the prompt is the same under both orders')}" if same else ""
        raise EvaluationError(f"orders: there is no case to compare — the evidence of one must be ranked third or lower{alike}")
    return asked, same


_THIRD = 3


def _ordered(policy: Policy, by: str) -> Policy:
    """The policy with that order, whatever the intent."""
    plain = policy.to_dict()
    intents = {
        name: {section: changed for section, changed in intent.items() if section != "order"}
        for name, intent in plain.get("intents", {}).items()
    }
    return Policy.from_dict({**plain, "order": {"by": by}, "intents": intents})


def _rendered(case: Case, policy: Policy, day: date) -> str:
    made = observe(case, policy, day).pack
    return made.text if made is not None else ""


def _told(qids: Sequence[str], why: str) -> str:
    """The cases that are left out, with the reason, in a sentence."""
    n, more = len(qids), f" and {len(qids) - 5} more" if len(qids) > 5 else ""
    return f"{n} case{'' if n == 1 else 's'} left out, as {why}: {', '.join(qids[:5])}{more}"


def _answered(asked: Sequence[Asked], answers: Sequence[Mapping[str, Any]]) -> tuple[list[list[Case]], list[str]]:
    """For each order the cases with the answers recorded under it, if they have one under both, and the ids of the others."""
    given = {(str(record.get("qid")), record.get("order")): record for record in answers if record.get("answer") is not None}
    both = [(case, texts) for case, texts in asked if all((case.qid, by) in given for by in ORDERS)]
    missing = [case.qid for case, _ in asked if not all((case.qid, by) in given for by in ORDERS)]
    if not both:
        raise EvaluationError(
            "compare_orders: no case has an answer under both orders — qid, order, prompt and answer in each record"
        )
    stale = [
        f"{case.qid} {by}"
        for case, texts in both
        for by, text in texts.items()
        if given[case.qid, by].get("prompt") != content_id(text)
    ]
    if stale:
        more = f" and {len(stale) - 5} more" if len(stale) > 5 else ""
        raise EvaluationError(f"answers to other prompts than these: {', '.join(stale[:5])}{more} — make the prompts anew")
    return [[replace(case, answer=given[case.qid, by]["answer"]) for case, _ in both] for by in ORDERS], missing
