"""Curves: what smaller budgets reach, with the knee and the budget that follows, and what a threshold for declining costs."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

from contextpack_core.errors import BudgetError
from contextpack_core.evaluation.intervals import CONFIDENCE, SEED, numpy_module
from contextpack_core.pack import pack
from contextpack_core.text import content_id

if TYPE_CHECKING:
    from contextpack_core.evaluation.observed import Observed

Points = tuple[tuple[float, float], ...]
"""Pairs of x and y, x rising."""


CURVE_CASES = 200
"""How many cases of an evaluation get a recall curve, about: each costs a pack under each of the smaller budgets."""
FRACTIONS = (1 / 16, 1 / 8, 1 / 4, 3 / 8, 1 / 2, 3 / 4)
"""The smaller budgets of a curve, as shares of the case's own."""
LEAST = 20
"""A knee of fewer cases suggests no budget."""
ENOUGH = 0.9
"""The share of the recall at the end of a curve that a suggested budget keeps."""


@dataclass(frozen=True, slots=True)
class Knee:
    """Where a larger evidence budget stops paying: the knee of a recall curve, its interval over cases, and the budget it suggests.

    ``tokens``, ``low`` and ``high`` are evidence budgets; the interval is that of a bootstrap, as far as the budgets measured on
    either side. ``budget`` is the upper end of the interval, rounded up to fifty; None of
    fewer than ``LEAST`` (20) cases, and where the curve has there less than ``ENOUGH`` (0.9) of the recall at its end, ``end``: a
    knee is where the curve bends, and it may go on rising. ``found`` is the share of the resampled curves that have a knee.
    """

    tokens: float
    recall: float
    low: float
    high: float
    budget: int | None
    found: float
    n: int
    end: float

    @property
    def says(self) -> str:
        """The budget that it suggests, or why it suggests none, in one sentence."""
        if self.budget is not None:
            return f"suggested budget: {self.budget} tokens"
        if self.n < LEAST:
            return f"no budget suggested: {self.n} with a curve are too few, at least {LEAST} cases are wanted"
        what = f"recall is {self.recall:.2f} at the knee ({self.tokens:.0f} tokens) and {self.end:.2f} at the end of the curve"
        return f"no budget suggested: {what}, of which even the upper end of the knee's interval keeps less than {ENOUGH}"

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data."""
        return {name: None if value is None else round(value, 4) for name, value in asdict(self).items()}


def has_curve(qid: str, share: float, seed: int = SEED) -> bool:
    """Whether a case is among the ``share`` of the cases that get a curve; it hangs on its id and the seed alone."""
    return int(content_id("curve", seed, qid), 16) < share * 2**64


def curve_of(observed: Observed, as_of: date) -> list[list[float]] | None:
    """What smaller budgets reach in one case: pairs of an evidence budget and the share of the gold in the pack under it.

    Each is a pack of its own, made under the settings that held for the case; the last is the one at hand. The share is 0 where a
    budget has no room for a pack. None without gold or candidates. ``as_of`` is the day for cases that name none.
    """
    case, made = observed.case, observed.pack
    if made is None or observed.candidates is None or (admitted := observed.admitted) is None:
        return None
    settings, whole = observed.policy.for_intent(made.intent), made.budget.evidence
    points = []
    for budget in sorted({max(1, int(whole * fraction)) for fraction in FRACTIONS} - {whole}):
        smaller = settings.model_copy(update={"budget": settings.budget.model_copy(update={"evidence": budget})})
        try:
            under = pack(observed.candidates, case.question, smaller, as_of=case.as_of or as_of, access=case.access)
            held = observed.held(observed.blocks_of(under))
        except BudgetError:
            held = None
        points.append([budget, round(held.share, 6) if held is not None else 0.0])
    return [*points, [whole, round(admitted.share, 6)]]


_POINTS = 81
"""Points of a mean curve: each of ``FRACTIONS`` is one of them."""


def recall_curve(records: Sequence[Mapping[str, Any]], points: int = _POINTS) -> Points:
    """The mean recall of the cases that have a curve, at evenly spread evidence budgets up to the largest of the policy.

    Between the budgets of a case its share of the gold is read off linearly; beyond its own budget it stays what it is there.
    """
    grid, rows = _rows(records, points)
    if not len(rows):
        return ()
    return tuple(zip(grid, [total / (_MILLION * len(rows)) for total in rows.sum(axis=0).tolist()], strict=True))


def knee_of(
    records: Sequence[Mapping[str, Any]],
    *,
    seed: int = SEED,
    resamples: int = 200,
    confidence: float = CONFIDENCE,
    points: int = _POINTS,
) -> Knee | None:
    """The knee of the mean recall curve, with its interval over cases; None where there is none.

    The curve reaches as far as the budget of the policy: a knee beyond it cannot be seen.
    """
    grid, rows = _rows(records, points)
    n = len(rows)
    if not n:
        return None
    numpy = numpy_module()
    curve = [total / (_MILLION * n) for total in rows.sum(axis=0).tolist()]
    at = kneedle(list(zip(grid, curve, strict=True)))
    if at is None:
        return None
    generator = numpy.random.Generator(numpy.random.PCG64(seed))
    seen = []
    for _ in range(resamples):
        counts = numpy.bincount(generator.integers(0, n, size=n), minlength=n).astype(float)
        found = kneedle(list(zip(grid, (counts @ rows).tolist(), strict=True)))
        if found is not None:
            seen.append(grid[found])
    seen.sort()
    low, high = (_quantile(seen, (1 - confidence) / 2), _quantile(seen, (1 + confidence) / 2)) if seen else (grid[at], grid[at])
    low, high = _as_measured(records, min(low, grid[at]), max(high, grid[at]), grid[1] / 2)
    budget = math.ceil(high / 50) * 50
    kept = curve[bisect_right(grid, budget + _SLACK) - 1]
    suggested = budget if n >= LEAST and kept >= ENOUGH * curve[-1] else None
    return Knee(grid[at], curve[at], low, high, suggested, len(seen) / max(1, resamples), n, curve[-1])


def _as_measured(records: Sequence[Mapping[str, Any]], low: float, high: float, near: float) -> tuple[float, float]:
    """The interval as far as the measured budgets on either side of it, as nothing is known of what lies between."""
    measured = {budget for record in records for budget, _ in record.get("curve") or ()}
    before = max([budget for budget in measured if budget < low - near], default=0)
    return float(before), float(min([budget for budget in measured if budget > high + near], default=high))


_MILLION = 1_000_000
"""Shares are summed as whole millionths: floats hold such sums exactly, in whichever order a machine adds them up."""


def _rows(records: Sequence[Mapping[str, Any]], points: int) -> tuple[list[float], Any]:
    """Evenly spread budgets, and for each case a row with its share of the gold at each, in millionths."""
    numpy = numpy_module()
    curves = sorted([record["curve"] for record in records if record.get("curve")])  # what is resampled hangs on no order
    most = max([curve[-1][0] for curve in curves], default=0)
    grid = [most * i / (points - 1) for i in range(points)] if most else []
    rows = numpy.empty((len(curves) if grid else 0, len(grid)))
    for row, curve in zip(rows, curves, strict=False):
        budgets, shares = zip((0, 0.0), *curve, strict=True)
        row[:] = numpy.round(numpy.interp(grid, budgets, shares) * _MILLION)
    return grid, rows


_SLACK = 1e-9  # a budget at a point of the grid counts there, whatever the division lost


_FLAT = 1e-9  # a straight line rises above itself by what floats round


def kneedle(curve: Sequence[tuple[float, float]], sensitivity: float = 1.0) -> int | None:
    """The place of the knee of a rising curve that flattens; None where it has none.

    Kneedle (Satopää, Albrecht, Irwin and Raghavan 2011, "Finding a 'Kneedle' in a Haystack"): both axes are scaled to 0…1; a local
    maximum of y - x is a knee when y - x then falls by ``sensitivity`` times the mean step of x before it rises to another one.
    Of several knees the highest one counts. The paper smoothes first; a mean over cases is smooth enough.
    """
    if len(curve) < 3:
        return None
    xs, ys = [x for x, _ in curve], [y for _, y in curve]
    width, height = max(xs) - min(xs), max(ys) - min(ys)
    if width <= 0 or height <= 0:
        return None
    above = [(y - min(ys)) / height - (x - min(xs)) / width for x, y in curve]
    step = sensitivity / (len(curve) - 1)
    peaks = [i for i in range(1, len(above) - 1) if above[i - 1] < above[i] >= above[i + 1] and above[i] > _FLAT]
    knees = []
    for i, following in pairwise([*peaks, len(above)]):
        if min(above[i + 1 : following], default=above[i]) < above[i] - step:
            knees.append(i)
    return max(knees, key=lambda i: (above[i], -i), default=None)


# ---------------------------------------------------------------- thresholds for declining


@dataclass(frozen=True, slots=True)
class ThresholdPoint:
    """At ``value`` or above, answer: the share of cases then answered, of answerable ones answered, and of answered ones that are
    not answerable.
    """

    value: float
    answered: float
    kept: float
    wrong: float


def threshold_curve(records: Sequence[Mapping[str, Any]], signal: str = "score", points: int = 200) -> tuple[ThresholdPoint, ...]:
    """What declining below a threshold does, from loose to strict, on the cases of which ``labelled_signals`` knows what is right.

    A step function: a threshold between two points does what the upper one does, as no case lies between them; of more than
    ``points`` signals as many are told, evenly. ``signal``: ``score``, ``gap`` or ``coverage`` of the evidence. This is the
    risk–coverage curve of selective answering (El-Yaniv and Wiener 2010). For a threshold with a stated bound, give
    ``labelled_signals`` to ``calibrate_threshold``.
    """
    cases = sorted(labelled_signals(records, signal), reverse=True)
    n, rights = len(cases), list(accumulate([int(right) for _, right in cases]))
    ends = [i for i in range(n) if i + 1 == n or cases[i + 1][0] != cases[i][0]][::-1]
    if len(ends) > points:
        ends = [ends[round(i * (len(ends) - 1) / (points - 1))] for i in range(points)]
    return tuple(
        [
            ThresholdPoint(cases[i][0], (i + 1) / n, rights[i] / rights[-1] if rights[-1] else 0.0, 1 - rights[i] / (i + 1))
            for i in ends
        ]
    )


def labelled_signals(records: Sequence[Mapping[str, Any]], signal: str = "score") -> tuple[tuple[float, bool], ...]:
    """Pairs of a signal and whether answering is right: as ``answerable`` says, or without that label whether all of the gold is in
    the evidence.

    Raises:
        ValueError: there is no such signal.
    """
    if signal not in _SIGNALS:
        raise ValueError(f"signal: {signal!r} — one of {', '.join(_SIGNALS)}")
    place = _SIGNALS.index(signal)
    pairs = [(record["signals"][place], _should_answer(record)) for record in records if record.get("signals")]
    return tuple([(value, right) for value, right in pairs if value is not None and right is not None])


def _should_answer(record: Mapping[str, Any]) -> bool | None:
    if record.get("answerable") is not None:
        return bool(record["answerable"])
    whole = record.get("values", {}).get("whole_evidence")  # not its cell, which an answer with sources of its own has by these
    return None if whole is None else whole == 1


_SIGNALS = ("score", "gap", "coverage")


def _quantile(ranked: Sequence[float], share: float) -> float:
    place = share * (len(ranked) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ranked) - 1)
    return ranked[low] + (ranked[high] - ranked[low]) * (place - low)
