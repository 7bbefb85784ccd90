"""Curves: recall against tokens with its knee and the budget that follows, and what a threshold for declining costs."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from contextpack_core.evaluation.intervals import CONFIDENCE, SEED, numpy_module

if TYPE_CHECKING:
    from contextpack_core.evaluation.observed import Observed

Points = tuple[tuple[float, float], ...]
"""Pairs of x and y, x rising."""


@dataclass(frozen=True, slots=True)
class Knee:
    """Where more tokens stop paying: the knee of a recall curve, its interval over cases, and the budget it suggests.

    ``budget`` is the upper end of the interval, rounded up to fifty; None where the curve has there less than ``ENOUGH`` (0.9) of
    the recall at its end, ``end``: a knee is where the curve bends, and it may go on rising. ``found`` is the share of the
    resampled curves that have a knee.
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
        what = f"recall is {self.recall:.2f} at the knee ({self.tokens:.0f} tokens) and {self.end:.2f} at the end of the curve"
        return f"no budget suggested: {what}, of which even the upper end of the knee's interval keeps less than {ENOUGH}"

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data."""
        return {name: None if value is None else round(value, 4) for name, value in asdict(self).items()}


ENOUGH = 0.9
"""The share of the recall at the end of a curve that a suggested budget keeps."""


def curve_of(observed: Observed) -> list[list[float]] | None:
    """The steps of one case: tokens so far and the share of the gold so far, its passages taken best first; None without gold.

    Best first is by the rank of the best candidate in a passage. The last step is the whole evidence.
    """
    pack = observed.pack
    if pack is None or observed.candidates is None or not len(observed.case.gold):
        return None
    ranks = {candidate.id: candidate.rank or 0 for candidate in observed.candidates}
    order = sorted(
        range(len(pack.evidence)), key=lambda i: (min([ranks.get(name, math.inf) for name in observed.blocks[i].ids], default=0), i)
    )
    tokens, steps, blocks = 0, [[0.0, 0.0]], []
    for i in order:
        tokens += pack.evidence[i].tokens
        if pack.evidence[i].label not in observed.gold_labels:
            continue
        blocks.append(observed.blocks[i])
        held = observed.held(blocks)
        if held is not None and held.share > steps[-1][1]:
            steps.append([float(tokens), round(held.share, 6)])
    if tokens > steps[-1][0]:
        steps.append([float(tokens), steps[-1][1]])
    return steps


def recall_curve(records: Sequence[Mapping[str, Any]], points: int = 80) -> Points:
    """The mean recall of the cases at evenly spread numbers of tokens, up to what the largest pack holds."""
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
    points: int = 80,
) -> Knee | None:
    """The knee of the mean recall curve, with a bootstrap interval over cases; None where there is none.

    The curve reaches as far as the budget of the packs: a knee beyond it cannot be seen.
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
    high = max(high, grid[at])
    budget = math.ceil(high / 50) * 50
    kept = curve[bisect_right(grid, budget + _SLACK) - 1]
    suggested = budget if kept >= ENOUGH * curve[-1] else None
    return Knee(grid[at], curve[at], min(low, grid[at]), high, suggested, len(seen) / max(1, resamples), n, curve[-1])


_MILLION = 1_000_000
"""Shares are summed as whole millionths: floats hold such sums exactly, in whichever order a machine adds them up."""


def _rows(records: Sequence[Mapping[str, Any]], points: int) -> tuple[list[float], Any]:
    """Evenly spread numbers of tokens, and for each case a row with its share of the gold at each, in millionths."""
    numpy = numpy_module()
    curves = [record["curve"] for record in records if record.get("curve")]
    grid = _grid(curves, points)
    rows = numpy.empty((len(curves) if grid else 0, len(grid)))
    edges = numpy.asarray(grid) + _SLACK
    for row, steps in zip(rows, curves, strict=False):
        xs, ys = zip(*steps, strict=True)
        row[:] = numpy.round(numpy.asarray(ys) * _MILLION)[numpy.searchsorted(xs, edges, side="right") - 1]
    return grid, rows


_SLACK = 1e-9  # a step at a point of the grid counts there, whatever the division lost


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


def threshold_curve(records: Sequence[Mapping[str, Any]], signal: str = "score", points: int = 40) -> tuple[ThresholdPoint, ...]:
    """What declining below a threshold does, from loose to strict, on the cases of which ``labelled_signals`` knows what is right.

    ``signal``: ``score``, ``gap`` or ``coverage`` of the evidence. This is the risk–coverage curve of selective answering (El-
    Yaniv and Wiener 2010). For a threshold with a stated bound, give ``labelled_signals`` to ``calibrate_threshold``.
    """
    cases = labelled_signals(records, signal)
    values = sorted({value for value, _ in cases})
    if len(values) > points:
        values = [values[round(i * (len(values) - 1) / (points - 1))] for i in range(points)]
    good = sum(right for _, right in cases)
    found = []
    for threshold in dict.fromkeys(values):
        answered = [right for value, right in cases if value >= threshold]
        found.append(
            ThresholdPoint(
                threshold,
                len(answered) / len(cases),
                sum(answered) / good if good else 0.0,
                1 - sum(answered) / len(answered),
            )
        )
    return tuple(found)


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
    return record["cell"][0] == "present" if record.get("cell") else None


_SIGNALS = ("score", "gap", "coverage")


def _grid(curves: Sequence[Sequence[Sequence[float]]], points: int) -> list[float]:
    most = max([curve[-1][0] for curve in curves], default=0.0)
    return [most * i / (points - 1) for i in range(points)] if most else []


def _quantile(ranked: Sequence[float], share: float) -> float:
    place = share * (len(ranked) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ranked) - 1)
    return ranked[low] + (ranked[high] - ranked[low]) * (place - low)
