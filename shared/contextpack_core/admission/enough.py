"""Says which candidates more room would be wasted on: where evidence is enough."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

ENOUGH = 5.0
"""Log odds below the best candidate's down to which another one is worth reading: 1 to 148. Chosen on half of the labelled
questions of two sets (tests/benchmarks/README.md)."""

_OF_EACH_GROUP = 2  # candidates that each part of a question, or each thing compared, has at least


def within_reach(odds: Sequence[float], groups: Iterable[Sequence[int]], beside: Callable[[int], Iterable[int]]) -> frozenset[int]:
    """The places of the candidates that can still add something to the answer.

    These are those whose log odds are at most ``ENOUGH`` below the best; of each group, whose best come first, the first two and
    those as near to the best of the group; and those that stand ``beside`` one of all these in its document, so that no answer is
    cut off in its middle.
    """
    near = set(_near(range(len(odds)), odds))
    for members in groups:
        near.update(members[:_OF_EACH_GROUP], _near(members, odds))
    return frozenset(near.union(*[beside(i) for i in near]))


def _near(members: Sequence[int], odds: Sequence[float]) -> list[int]:
    least = max([odds[i] for i in members], default=0.0) - ENOUGH
    return [i for i in members if odds[i] >= least]
