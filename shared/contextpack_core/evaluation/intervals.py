"""Intervals: how far a share or a mean can be trusted."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from statistics import NormalDist
from typing import Any

SEED = 7
RESAMPLES = 1000
CONFIDENCE = 0.95
FEWEST = 6
"""Fewer cases show nothing: five that all point the same way are as good as chance at 95 % (a sign test has 2 in 32)."""
TOO_FEW = "too few cases"


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over ``n`` cases with its interval, and the method that made the interval: ``wilson`` or ``bootstrap``; of fewer than
    ``FEWEST`` (6) cases a bootstrap shows nothing: no interval, and the method is ``too few cases``.
    """

    value: float
    low: float | None
    high: float | None
    n: int
    method: str

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data, rounded to six digits."""
        return {name: round(value, 6) if isinstance(value, float) else value for name, value in asdict(self).items()}


def estimate(
    values: Sequence[float], *, seed: int = SEED, resamples: int = RESAMPLES, confidence: float = CONFIDENCE
) -> Estimate | None:
    """The mean of the values with an interval: Wilson's where each is 0 or 1, else a bootstrap; None without values."""
    if not values:
        return None
    if all(value in (0, 1) for value in values):
        return wilson(round(sum(values)), len(values), confidence)
    return bootstrap(values, seed=seed, resamples=resamples, confidence=confidence)


def wilson(successes: int, n: int, confidence: float = CONFIDENCE) -> Estimate:
    """A share with its score interval (Wilson 1927), which holds for small ``n`` and for shares near 0 and 1.

    Raises:
        ValueError: there is no case, or ``successes`` is not between 0 and ``n``.
    """
    if n < 1 or not 0 <= successes <= n:
        raise ValueError(f"wilson({successes}, {n}): 0 <= successes <= n, and n at least 1")
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share = successes / n
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    low = 0.0 if successes == 0 else max(0.0, middle - half)
    high = 1.0 if successes == n else min(1.0, middle + half)
    return Estimate(share, low, high, n, "wilson")


def bootstrap(values: Sequence[float], *, seed: int = SEED, resamples: int = RESAMPLES, confidence: float = CONFIDENCE) -> Estimate:
    """A mean with its percentile bootstrap interval (Efron 1979) over cases; the same for the same seed and in whatever order.

    Raises:
        ValueError: there are no values.
    """
    if not values:
        raise ValueError("bootstrap: at least one value is wanted")
    mean, n = math.fsum(values) / len(values), len(values)
    if n < FEWEST:
        return Estimate(mean, None, None, n, TOO_FEW)
    ordered = sorted(values)
    low, high = resampled(n, lambda chosen, all_values: all_values[chosen].mean(axis=1), ordered, seed, resamples, confidence)
    return Estimate(mean, low, high, n, "bootstrap")


def interval_text(low: float | None, high: float | None, show: Callable[[float], str], between: str = "–") -> str:
    """An interval as a text, or that there were too few cases for one."""
    return TOO_FEW if low is None or high is None else f"{show(low)}{between}{show(high)}"


def resampled(
    n: int, statistic: Callable[[Any, Any], Any], values: Any, seed: int, resamples: int, confidence: float
) -> tuple[float, float]:
    """The percentiles of a statistic over resampled cases. ``statistic`` takes a matrix of chosen places and the values."""
    numpy = numpy_module()
    generator = numpy.random.Generator(numpy.random.PCG64(seed))
    given = numpy.asarray(values, dtype=float)
    rows = max(1, 2_000_000 // max(1, n))  # memory: at most 16 MB of places at once
    found = [
        statistic(generator.integers(0, n, size=(min(rows, resamples - done), n)), given) for done in range(0, resamples, rows)
    ]
    edges = numpy.quantile(numpy.concatenate(found), [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(edges[0]), float(edges[1])


def numpy_module() -> Any:
    """numpy, or an ImportError that says what to install."""
    try:
        import numpy
    except ImportError as error:
        raise ImportError("the evaluation needs numpy: pip install 'contextpack-rag[eval]'") from error
    return numpy
