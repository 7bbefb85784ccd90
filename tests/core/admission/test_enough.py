"""Where evidence is enough."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from contextpack_core.admission.enough import ENOUGH, within_reach


def alone(i: int) -> Iterable[int]:
    return ()


def test_what_is_far_below_the_best_is_out() -> None:
    """The odds of the best one decide; equal to the bound is still within."""
    assert within_reach([0.0, 2.0, 2.0 - ENOUGH, 1.9 - ENOUGH], (), alone) == {0, 1, 2}
    assert within_reach([], (), alone) == frozenset()


def test_what_stands_beside_a_good_one_is_in() -> None:
    """The neighbour of a good candidate is in whatever its odds; the neighbour's neighbour is not."""
    chain = {1: (0, 1, 2), 2: (1, 2, 3)}

    assert within_reach([-9.0, 3.0, -9.0, -9.0], (), lambda i: chain.get(i, ())) == {0, 1, 2}


def test_each_group_has_its_best() -> None:
    """Two of each group are in however poor they are beside the others, and those about as good as the best of the group."""
    odds = [4.0, 3.0, -4.0, -5.0, -6.0, -20.0]

    assert within_reach(odds, [[0, 1], [5, 4, 3, 2]], alone) == {0, 1, 2, 3, 4, 5}
    assert within_reach(odds, [[0, 1], [5]], alone) == {0, 1, 5}


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=20))
def test_the_best_is_never_out(odds: list[float]) -> None:
    """There is always something to read, and nothing within is worth less than what is left out."""
    within = within_reach(odds, (), alone)

    assert odds.index(max(odds)) in within
    assert all(odds[i] > odds[k] for i in within for k in set(range(len(odds))) - within)
