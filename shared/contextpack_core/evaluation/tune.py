"""Tuning: searches budget, strategy, floor and threshold on a part of the cases and tells what came of it on the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from contextpack_core.evaluation.cases import Case, load_cases, split
from contextpack_core.evaluation.compare import Comparison, compare
from contextpack_core.evaluation.curves import CURVE_CASES, Knee, knee_of
from contextpack_core.evaluation.intervals import SEED
from contextpack_core.evaluation.measures import MEASURES
from contextpack_core.evaluation.run import Evaluation, EvaluationError, evaluate
from contextpack_core.evaluation.thresholds import ERROR, SETTINGS, FittedThreshold, ThresholdAdvice, fit_threshold
from contextpack_core.pack import day_for
from contextpack_core.policy import Policy
from contextpack_core.text import content_id

BUDGETS = (500, 1000, 1500, 2000, 3000, 4000, 6000)
STRATEGIES = ("evidence", "rank", "weighted")
FLOORS = (None, 0.2, 0.35, 0.5)
"""``relevance.min_relative``: no floor, or a share of the best score."""
JUDGED = ("supported", "citation_support", "citation_precision", "citation_recall", "faithfulness")
"""Measures that a judge makes: tuning asks none, as each trial would ask it anew."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A policy that was tried on the training part: its settings, its value of the measure, its tokens."""

    settings: Mapping[str, Any]
    value: float
    tokens: float
    policy: Policy


@dataclass(frozen=True, slots=True)
class Tuning:
    """What tuning found: every trial, the policy that was chosen and why, and how it does on cases it was not chosen by.

    ``lost`` are settings under which cases could not be run, with the reason. ``threshold`` is the one for declining that
    ``chosen.policy`` has besides, None where none was searched or found.
    """

    measure: str
    trials: tuple[Trial, ...]
    chosen: Trial
    why: str
    knee: Knee | None
    before: Evaluation
    after: Evaluation
    comparison: Comparison
    lost: tuple[tuple[Mapping[str, Any], str], ...] = ()
    threshold: ThresholdAdvice | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data."""
        return {
            "measure": self.measure,
            "trials": [{**t.settings, self.measure: round(t.value, 6), "tokens": round(t.tokens, 1)} for t in self.trials],
            "lost": [{**settings, "why": why} for settings, why in self.lost],
            "chosen": dict(self.chosen.settings),
            "why": self.why,
            "knee": self.knee.to_dict() if self.knee else None,
            "threshold": self.threshold.to_dict() if self.threshold else None,
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
    error: float | None = ERROR,
    share: float = 0.5,
    slack: float = 0.01,
    out: str | Path | None = None,
    as_of: date | None = None,
    workers: int = 1,
    seed: int = SEED,
    progress: Callable[[int, int], None] | None = None,
) -> Tuning:
    """The cheapest policy that is within ``slack`` of the best on a training part, and its figures on the other part.

    One setting is searched after the other: the strategy and the floor at the policy's own budget, then the budget. Of equal trials
    the one with fewer tokens counts, then the earlier one. A setting that a trial changes holds for every intent; one that it
    leaves as the policy has it, an intent may have otherwise. Where some case is labelled as not answerable, and the policy has no
    threshold for declining, one is calibrated last: on the training part, of score and coverage the signal that answers more of the
    answerable cases, with wrong ones bounded by ``error`` (``calibrate_threshold``); None: none.

    ``out`` is a folder for the records of each trial: an interrupted search goes on from there.

    Raises:
        CasesError: the cases are wrong. EvaluationError: there are too few, no case has the measure, or no trial could be run.
    """
    _check(measure, strategies, floors)
    base = policy or Policy()
    given = load_cases(cases) if isinstance(cases, str | Path) else tuple(cases)
    training, other = split(given, share, seed)
    if not training or not other:
        raise EvaluationError(f"tune: {len(given)} cases are too few to split — at least two are wanted")
    day = day_for("", base, as_of)
    budget = base.budget.evidence
    sizes = [tokens for tokens in budgets if tokens != budget]
    steps = _Steps(len(strategies) * len(floors) + len(sizes) + 4, progress)
    work = _Work(base, day, workers, seed, None if out is None else Path(out), share)
    search = _Search(measure, work, training, steps)

    for strategy in strategies:
        for floor in floors:
            search.attempt(evidence=budget, strategy=strategy, min_relative=floor)
    best, _ = search.cheapest(slack)
    for tokens in sizes:
        search.attempt(**{**best.settings, "evidence": tokens})
    chosen, why = search.cheapest(slack)

    largest = _with_settings(base, {**chosen.settings, "evidence": max([budget, *budgets])})
    knee = knee_of(steps.done(work.evaluation("training", training, largest, "none", CURVE_CASES)).records, seed=seed)
    fitted = None
    if error is not None and _may_decline(base, training):
        fitted = fit_threshold(work.evaluation("training", training, chosen.policy, "none").records, error, seed)
    steps.step()
    tuned = chosen if fitted is None else replace(chosen, policy=_declining(chosen.policy, fitted))
    before = steps.done(work.evaluation("other", other, base, "lexical", CURVE_CASES))
    after = steps.done(work.evaluation("other", other, tuned.policy, "lexical", CURVE_CASES))
    threshold = fitted.tried_on(after.records) if fitted is not None else None
    said = f"{measure}: {why}" if threshold is None else f"{measure}: {why}. {threshold.says.rstrip('.')}"
    trials = tuple([tuned if trial is chosen else trial for trial in search.trials])
    comparison = compare(before, after, seed=seed)
    return Tuning(measure, trials, tuned, said, knee, before, after, comparison, tuple(search.lost), threshold)


def _check(measure: str, strategies: Sequence[str], floors: Sequence[float | None]) -> None:
    """What cannot be searched, said before anything is run."""
    if not strategies or not floors:
        raise EvaluationError("tune: strategies and floors — at least one of each; a floor of None is none")
    if measure not in MEASURES or MEASURES[measure].better == "lower" or measure in JUDGED:
        why = "tuning asks no judge: " if measure in JUDGED else ""
        names = ", ".join(name for name, each in MEASURES.items() if each.better == "higher" and name not in JUDGED)
        raise EvaluationError(f"measure: {measure!r} — {why}one where higher is better: {names}")


class _Steps:
    """Progress: a step for each evaluation, whatever comes of it."""

    def __init__(self, total: int, progress: Callable[[int, int], None] | None) -> None:
        self._total, self._progress, self._n = total, progress, 0

    def done(self, found: Evaluation) -> Evaluation:
        self.step()
        return found

    def step(self) -> None:
        self._n += 1
        if self._progress:
            self._progress(self._n, self._total)


@dataclass(frozen=True, slots=True)
class _Work:
    """How the cases are evaluated, and where the records are."""

    base: Policy
    day: date
    workers: int
    seed: int
    out: Path | None
    share: float

    def evaluation(self, part: str, cases: Sequence[Case], policy: Policy, judge: str, curve_cases: int = 0) -> Evaluation:
        name = content_id(part, policy.fingerprint, judge, self.day, self.seed, self.share, curve_cases)
        file = None if self.out is None else self.out / f"{name}.jsonl"
        return evaluate(
            cases, policy, out=file, as_of=self.day, judge=judge, workers=self.workers, seed=self.seed, curve_cases=curve_cases
        )


class _Search:
    """The trials, and the settings that were lost."""

    def __init__(self, measure: str, work: _Work, cases: Sequence[Case], steps: _Steps) -> None:
        self._measure, self._work, self._cases, self._steps = measure, work, cases, steps
        self._most = 0
        self.trials: list[Trial] = []
        self.lost: list[tuple[Mapping[str, Any], str]] = []

    def attempt(self, **settings: Any) -> None:
        tried = _with_settings(self._work.base, settings)
        found = self._steps.done(self._work.evaluation("training", self._cases, tried, "none"))
        ran = len(found.records)
        if not ran or ran < self._most:  # a mean over fewer cases is no match for the others
            self.lost.append((settings, f"{ran} of {len(self._cases)} cases could be run; {found.faults[0]}"))
            return
        if self._measure not in found.overall:
            there = ", ".join(found.overall)
            raise EvaluationError(f"measure: {self._measure!r} — none of the cases has it; there are {there}")
        self._most = ran
        tokens = found.overall["tokens"].value if "tokens" in found.overall else 0.0
        self.trials.append(Trial(settings, found.overall[self._measure].value, tokens, tried))

    def cheapest(self, slack: float) -> tuple[Trial, str]:
        """The trial with the fewest tokens of those within ``slack`` of the best, and that in a sentence."""
        if not self.trials:
            raise EvaluationError(f"tune: no trial could be run: {self.lost[0][1]}")
        best = max(trial.value for trial in self.trials)
        good = [trial for trial in self.trials if trial.value >= best - slack]
        chosen = min(good, key=lambda trial: (trial.tokens, -trial.value))
        lost = f", {len(self.lost)} more could not be run" if self.lost else ""
        said = f"{chosen.value:.3f} with {chosen.tokens:.0f} tokens; the best of {len(self.trials)} trials had {best:.3f}{lost}"
        return chosen, f"{said}, and {slack:g} less will do"


def _with_settings(policy: Policy, settings: Mapping[str, Any]) -> Policy:
    """The policy with another budget, strategy and relative floor, under every intent too where the policy's own is changed."""
    plain = policy.to_dict()
    own = {"evidence": policy.budget.evidence, "strategy": policy.budget.strategy, "min_relative": policy.relevance.min_relative}
    changed = {name for name, value in settings.items() if value != own[name]}
    budget = {**plain.get("budget", {}), "evidence": settings["evidence"], "strategy": settings["strategy"]}
    relevance = {**plain.get("relevance", {}), "min_relative": settings["min_relative"]}
    intents = {name: _without(intent, changed) for name, intent in plain.get("intents", {}).items()}
    return Policy.from_dict({**plain, "budget": budget, "relevance": relevance, "intents": intents})


def _without(intent: Mapping[str, Any], names: set[str]) -> dict[str, Any]:
    """An intent without its own values of these settings."""
    kept = dict(intent)
    for section in ("budget", "relevance"):
        if section in kept:
            kept[section] = {name: value for name, value in kept[section].items() if name not in names}
    return {name: value for name, value in kept.items() if value != {}}


def _may_decline(policy: Policy, cases: Sequence[Case]) -> bool:
    """Whether a threshold is to be searched: some case should be declined, and the policy has none."""
    grounding = [policy.grounding.model_dump(), *[intent.grounding for intent in policy.intents.values()]]
    own = any(settings.get(name) is not None for settings in grounding for name in SETTINGS.values())
    return not own and any(case.answerable is False for case in cases)


def _declining(policy: Policy, fitted: FittedThreshold) -> Policy:
    """The policy with a threshold for declining."""
    plain = policy.to_dict()
    threshold = {SETTINGS[fitted.signal]: fitted.threshold.value}
    return Policy.from_dict({**plain, "grounding": {**plain.get("grounding", {}), **threshold}})
