"""Thresholds for declining: fitted on one half of the cases with a stated bound, tried on the other, offered as YAML."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from contextpack_core.evaluation.curves import labelled_signals
from contextpack_core.evaluation.intervals import SEED, Estimate, wilson
from contextpack_core.evaluation.report_text import counted
from contextpack_core.grounding.calibration import Threshold, calibrate_threshold
from contextpack_core.text import content_id

ERROR = 0.1
"""The share of wrong ones among the answered that a suggested threshold keeps to."""
SETTINGS: Mapping[str, str] = {"score": "min_score", "coverage": "min_coverage"}
"""The setting of ``grounding`` that takes the threshold of each signal."""


@dataclass(frozen=True, slots=True)
class ThresholdAdvice:
    """A threshold for one signal, fitted on ``fitted.n`` cases, and what it does on ``held_out`` others.

    ``wrong`` is the share of the answered ones that should not have been; ``kept`` that of the answerable ones that are answered;
    both on the held-out half, None where there are none. ``least`` is the smallest error that some threshold keeps to; None where
    none does.
    """

    signal: str
    fitted: Threshold
    held_out: int
    wrong: Estimate | None
    kept: Estimate | None
    least: float | None

    @property
    def found(self) -> bool:
        """Whether a threshold keeps to the error."""
        return math.isfinite(self.fitted.value)

    @property
    def yaml(self) -> str | None:
        """The setting, to paste into a policy; None where there is no threshold."""
        if not self.found:
            return None
        return yaml.safe_dump({"grounding": {SETTINGS[self.signal]: self.fitted.value}}, default_flow_style=None).strip()

    @property
    def says(self) -> str:
        """It in a sentence."""
        fitted = self.fitted
        sure, error = f"with {fitted.confidence:.0%} confidence, on {counted(fitted.n, 'case')}", _percent(fitted.error)
        if not self.found:
            least = "no error below 100% is kept" if self.least is None else f"the least that one keeps is {_percent(self.least)}"
            return f"No threshold on the {self.signal} keeps wrong answers to {error} of the answered {sure}: {least}."
        told = f"Answering from a {self.signal} of {fitted.value:.4g} keeps wrong answers to {error} of those {sure}."
        if self.wrong is None:
            return f"{told} On {counted(self.held_out, 'other')} nothing is answered."
        kept = f", and {self.kept.value:.0%} of the answerable are answered" if self.kept else ""
        return f"{told} On {counted(self.held_out, 'other')} {self.wrong.value:.1%} of the answered are wrong{kept}."

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data, with the sentence and the YAML."""
        return {
            "signal": self.signal,
            "fitted": self.fitted.to_dict(),
            "held_out": self.held_out,
            "wrong": self.wrong.to_dict() if self.wrong else None,
            "kept": self.kept.to_dict() if self.kept else None,
            "least": self.least,
            "says": self.says,
            "yaml": self.yaml,
        }


def _percent(share: float) -> str:
    """The share with as many digits as say something: 10%, 2.5%, 0.1%."""
    return f"{100 * share:.3g}%"


def advise_thresholds(
    records: Sequence[Mapping[str, Any]], error: float = ERROR, *, seed: int = SEED
) -> tuple[ThresholdAdvice, ...]:
    """A threshold for each signal that has a setting, where the cases hold ones to answer and ones to decline.

    A half of the cases, at most 1,000, chosen by their ids and the seed, fits; the others tell what comes of it. Whether answering
    is right is as ``labelled_signals`` says.

    Raises:
        ValueError: ``error`` is not between 0 and 1.
    """
    shuffled = _shuffled(records, seed)
    middle = min(len(shuffled) // 2, _MOST_FITTED)
    fit, held = shuffled[:middle], shuffled[middle:]
    found = [_advice(name, labelled_signals(fit, name), labelled_signals(held, name), error) for name in SETTINGS]
    return tuple([advice for advice in found if advice is not None])


_MOST_FITTED = 1000
"""Cases that fit: more do not sharpen the bound by a percentage point, and an exact bound takes time."""


def _shuffled(records: Sequence[Mapping[str, Any]], seed: int) -> list[Mapping[str, Any]]:
    return sorted(records, key=lambda record: content_id(seed, record["qid"]))


def _advice(
    signal: str, fit: Sequence[tuple[float, bool]], held: Sequence[tuple[float, bool]], error: float
) -> ThresholdAdvice | None:
    if len({right for _, right in (*fit, *held)}) < 2 or not fit:
        return None
    fitted = calibrate_threshold(fit, error)
    return _tried(signal, fitted, held, error if math.isfinite(fitted.value) else _least_error(fit, error))


def _tried(signal: str, fitted: Threshold, held: Sequence[tuple[float, bool]], least: float | None) -> ThresholdAdvice:
    answered = [right for value, right in held if value >= fitted.value]
    good = sum(right for _, right in held)
    return ThresholdAdvice(
        signal,
        fitted,
        len(held),
        wilson(answered.count(False), len(answered)) if answered else None,
        wilson(sum(answered), good) if good else None,
        least,
    )


@dataclass(frozen=True, slots=True)
class FittedThreshold:
    """A threshold on a signal that was fitted on all cases given, at most 1,000: what it does is told by others."""

    signal: str
    threshold: Threshold

    def tried_on(self, records: Sequence[Mapping[str, Any]]) -> ThresholdAdvice:
        """The threshold with what it does on these cases."""
        return _tried(self.signal, self.threshold, labelled_signals(records, self.signal), self.threshold.error)


def fit_threshold(records: Sequence[Mapping[str, Any]], error: float = ERROR, seed: int = SEED) -> FittedThreshold | None:
    """Of score and coverage the one whose threshold answers more of the answerable cases, then fewer others; None where neither
    keeps to the error, or all may be answered. Only cases with the label ``answerable`` count, and some of either kind are wanted.

    Raises:
        ValueError: ``error`` is not between 0 and 1.
    """
    labelled = [record for record in _shuffled(records, seed) if record.get("answerable") is not None][:_MOST_FITTED]
    found = []
    for signal in SETTINGS:
        cases = labelled_signals(labelled, signal)
        if len({right for _, right in cases}) < 2:
            continue
        threshold = calibrate_threshold(cases, error)
        if math.isfinite(threshold.value) and threshold.answered < threshold.n:
            found.append(FittedThreshold(signal, threshold))
    return max(found, key=lambda one: (one.threshold.answered - one.threshold.errors, -one.threshold.errors), default=None)


def _least_error(cases: Sequence[tuple[float, bool]], error: float) -> float | None:
    """The smallest whole percentage above ``error`` that a threshold keeps to; None where none does."""
    shares = [percent / 100 for percent in range(math.floor(100 * error) + 1, 100)]
    return next((share for share in shares if math.isfinite(calibrate_threshold(cases, share).value)), None)
