"""Calibration: a threshold for declining, fitted on labelled questions, with a stated bound on the errors."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from numbers import Real
from typing import Any


@dataclass(frozen=True, slots=True)
class Threshold:
    """A threshold on a score: at ``value`` or above, answer.

    Of ``n`` labelled cases ``answered`` reach it, and ``errors`` of these should not have been answered. With probability
    ``confidence`` over the choice of the cases, the share of errors among answered ones is at most ``bound``, the ``error`` that
    was asked for. Where no threshold keeps to it, ``value`` is infinite, nothing is answered and ``bound`` is 1.
    """

    value: float
    error: float
    bound: float
    confidence: float
    n: int
    answered: int
    errors: int
    method: str = "clopper_pearson"

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain JSON data; an infinite value is None."""
        return {**asdict(self), "value": self.value if math.isfinite(self.value) else None}


def calibrate_threshold(
    cases: Iterable[tuple[float, bool]],
    error: float = 0.1,
    method: str = "clopper_pearson",
    *,
    confidence: float = 0.95,
    steps: int = 50,
    starts: int = 3,
) -> Threshold:
    """The lowest threshold at which the share of errors among answered cases is shown to be at most ``error``.

    ``cases`` are pairs of a score (higher is better) and whether answering is right there; each stands for one question. Tried are
    ``steps`` thresholds, evenly spread over the cases. From each of ``starts`` places the search goes down as long as Clopper and
    Pearson's exact bound (1934) at ``1 - (1 - confidence) / starts`` keeps to ``error``, and ends at the first that does not. The
    places are the highest threshold that answers so many that it could be shown, and others below it, each so many times more. All
    thresholds passed hold together, however many they are: fixed-sequence testing with several starts, as in Learn then Test
    (Angelopoulos, Bates, Candès, Jordan and Lei 2021).

    Raises:
        ValueError: an argument is out of its range, a case is no pair of a number and a truth value, or there are no cases.
    """
    if method != "clopper_pearson":
        raise ValueError(f"method: {method!r} — clopper_pearson")
    _check_range("error", error, 0 < error < 1 if isinstance(error, Real) else False, "a share between 0 and 1")
    _check_range("confidence", confidence, 0 < confidence < 1 if isinstance(confidence, Real) else False, "a share between 0 and 1")
    for name, number in (("steps", steps), ("starts", starts)):
        _check_range(name, number, isinstance(number, int) and number >= 1, "a whole number from 1 on")
    ranked = sorted([_case(case, i) for i, case in enumerate(cases)], key=lambda case: -case[0])
    if not ranked:
        raise ValueError("cases: none — pairs of a score and whether answering is right, at least one")
    risk = (1 - confidence) / starts
    trials = list(_trials(ranked, steps))
    best = Threshold(math.inf, error, 1.0, confidence, len(ranked), 0, 0)
    passed = -1
    for least in _starts(len(ranked), error, risk, starts):
        at = next((i for i in range(passed + 1, len(trials)) if trials[i][1] >= least), len(trials))
        while at < len(trials) and _at_most(trials[at][2], trials[at][1], error) <= risk:
            value, answered, errors = trials[at]
            best = Threshold(value, error, error, confidence, len(ranked), answered, errors)
            passed, at = at, at + 1
    return best


def _starts(n: int, error: float, risk: float, starts: int) -> list[float]:
    """How many cases the thresholds answer from which the search goes down; none where so few cases can show nothing."""
    least = math.ceil(math.log(risk) / math.log1p(-error))  # without an error among them
    return [least * (n / least) ** (start / starts) for start in range(starts)] if least <= n else []


def _check_range(name: str, value: Any, fits: bool, wanted: str) -> None:
    if not fits or isinstance(value, bool):
        raise ValueError(f"{name}={value!r} — {wanted}")


def _case(case: Any, place: int) -> tuple[float, bool]:
    """The score and whether answering is right."""
    try:
        score, right = case
        fits = isinstance(score, Real) and not isinstance(score, bool) and math.isfinite(score) and right in (True, False)
    except (TypeError, ValueError, OverflowError):
        fits = False
    if not fits:
        raise ValueError(f"cases[{place}]: {case!r} — a pair of a score, which is a number, and whether answering is right there")
    return float(score), bool(right)


def upper_bound(errors: int, n: int, confidence: float = 0.95) -> float:
    """The Clopper–Pearson upper bound of a share, one-sided: the p with which as few as ``errors`` of ``n`` have 1 - confidence.

    Raises:
        ValueError: ``errors`` is not between 0 and ``n``, or there is no case.
    """
    if not isinstance(errors, int) or not isinstance(n, int) or not 0 <= errors <= n or n == 0:
        raise ValueError(f"errors={errors!r} of n={n!r}: 0 <= errors <= n, and n at least 1")
    if errors == n:
        return 1.0
    low, high = errors / n, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _at_most(errors, n, middle) > 1 - confidence else (low, middle)
    return high


def _trials(ranked: Sequence[tuple[float, bool]], steps: int) -> Iterable[tuple[float, int, int]]:
    """(threshold, answered, errors) from strict to loose; equal scores are answered together."""
    n, seen = len(ranked), 0
    wrong = [0]
    for _, right in ranked:
        wrong.append(wrong[-1] + (not right))
    for step in range(1, steps + 1):
        at = max(1, round(n * step / steps))
        while at < n and ranked[at][0] == ranked[at - 1][0]:
            at += 1
        if at > seen:
            seen = at
            yield ranked[at - 1][0], at, wrong[at]


def _at_most(k: int, n: int, p: float) -> float:
    """The probability of at most ``k`` of ``n``, each with ``p``."""
    if p >= 1:
        return 0.0
    log_p, log_q = math.log(p) if p else -math.inf, math.log1p(-p)
    terms = [_log_choose(n, i) + (i * log_p if i else 0.0) + (n - i) * log_q for i in range(k + 1)]
    return min(1.0, math.fsum([math.exp(term) for term in terms]))


def _log_choose(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
