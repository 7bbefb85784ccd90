"""Tuning: searches budget, strategy and floor on a part of the cases and tells what came of it on the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from contextpack_core.errors import BudgetError
from contextpack_core.evaluation.cases import Case, load_cases, split
from contextpack_core.evaluation.compare import Comparison, compare
from contextpack_core.evaluation.curves import Knee, knee_of
from contextpack_core.evaluation.intervals import SEED
from contextpack_core.evaluation.measures import MEASURES
from contextpack_core.evaluation.run import Evaluation, EvaluationError, evaluate
from contextpack_core.policy import Policy

BUDGETS = (500, 1000, 1500, 2000, 3000, 4000, 6000)
STRATEGIES = ("evidence", "rank", "weighted")
FLOORS = (None, 0.2, 0.35, 0.5)
"""``relevance.min_relative``: no floor, or a share of the best score."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A policy that was tried on the training part: its settings, its value of the measure, its tokens."""

    settings: Mapping[str, Any]
    value: float
    tokens: float
    policy: Policy


@dataclass(frozen=True, slots=True)
class Tuning:
    """What tuning found: every trial, the policy that was chosen and why, and how it does on cases it was not chosen by."""

    measure: str
    trials: tuple[Trial, ...]
    chosen: Trial
    why: str
    knee: Knee | None
    before: Evaluation
    after: Evaluation
    comparison: Comparison

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data."""
        return {
            "measure": self.measure,
            "trials": [{**t.settings, self.measure: round(t.value, 6), "tokens": round(t.tokens, 1)} for t in self.trials],
            "chosen": dict(self.chosen.settings),
            "why": self.why,
            "knee": self.knee.to_dict() if self.knee else None,
            "held_out": {"before": self.before.to_dict(), "after": self.after.to_dict(), "comparison": self.comparison.to_dict()},
        }


def tune(
    cases: str | Path | Iterable[Case],
    policy: Policy | None = None,
    *,
    measure: str = "evidence_recall",
    budgets: Sequence[int] = BUDGETS,
    strategies: Sequence[str] = STRATEGIES,
    floors: Sequence[float | None] = FLOORS,
    share: float = 0.5,
    slack: float = 0.01,
    as_of: date | None = None,
    workers: int = 1,
    seed: int = SEED,
    progress: Callable[[int, int], None] | None = None,
) -> Tuning:
    """The cheapest policy that is within ``slack`` of the best on a training part, and its figures on the other part.

    One setting is searched after the other: the strategy and the floor at the policy's own budget, then the budget. Of equal trials
    the one with fewer tokens counts, then the earlier one.

    Raises:
        CasesError: the cases are wrong. EvaluationError: there are too few, or no case has the measure.
    """
    if measure in MEASURES and MEASURES[measure].better == "lower":
        names = ", ".join(name for name, each in MEASURES.items() if each.better == "higher")
        raise EvaluationError(f"measure: {measure!r} — one where higher is better: {names}")
    base = policy or Policy()
    day = as_of or date.today()
    given = load_cases(cases) if isinstance(cases, str | Path) else tuple(cases)
    training, other = split(given, share, seed)
    if not training or not other:
        raise EvaluationError(f"tune: {len(given)} cases are too few to split — at least two are wanted")
    total = len(strategies) * len(floors) + len(budgets) + 2
    trials: list[Trial] = []

    def step() -> None:
        if progress:
            progress(len(trials), total)

    def attempt(**settings: Any) -> None:
        try:
            tried = _with_settings(base, settings)
            found = evaluate(training, tried, as_of=day, judge="none", workers=workers, seed=seed).overall
        except BudgetError:
            return
        if measure not in found:
            raise EvaluationError(f"measure: {measure!r} — none of the cases has it; there are {', '.join(found)}")
        trials.append(Trial(settings, found[measure].value, found["tokens"].value if "tokens" in found else 0.0, tried))
        step()

    budget = base.budget.evidence
    for strategy in strategies:
        for floor in floors:
            attempt(evidence=budget, strategy=strategy, min_relative=floor)
    best, _ = _cheapest(trials, slack)
    for tokens in budgets:
        if tokens != budget:
            attempt(evidence=tokens, strategy=best.settings["strategy"], min_relative=best.settings["min_relative"])
    chosen, why = _cheapest(trials, slack)
    largest = _with_settings(base, {**chosen.settings, "evidence": max([budget, *budgets])})
    knee = knee_of(evaluate(training, largest, as_of=day, judge="none", workers=workers, seed=seed).records, seed=seed)
    before = evaluate(other, base, as_of=day, workers=workers, seed=seed)
    after = evaluate(other, chosen.policy, as_of=day, workers=workers, seed=seed)
    if progress:
        progress(total, total)
    return Tuning(measure, tuple(trials), chosen, f"{measure}: {why}", knee, before, after, compare(before, after, seed=seed))


def _with_settings(policy: Policy, settings: Mapping[str, Any]) -> Policy:
    """The policy with another budget, strategy and relative floor."""
    plain = policy.to_dict()
    budget = {**plain.get("budget", {}), "evidence": settings["evidence"], "strategy": settings["strategy"]}
    relevance = {**plain.get("relevance", {}), "min_relative": settings["min_relative"]}
    return Policy.from_dict({**plain, "budget": budget, "relevance": relevance})


def _cheapest(trials: Sequence[Trial], slack: float) -> tuple[Trial, str]:
    """The trial with the fewest tokens of those within ``slack`` of the best, and that in a sentence."""
    best = max(trial.value for trial in trials)
    good = [trial for trial in trials if trial.value >= best - slack]
    chosen = min(good, key=lambda trial: (trial.tokens, -trial.value))
    said = f"{chosen.value:.3f} with {chosen.tokens:.0f} tokens; the best of {len(trials)} trials had {best:.3f}"
    return chosen, f"{said}, and {slack:g} less will do"
