"""How far a share or a mean can be trusted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextpack_core.evaluation.intervals import Estimate, bootstrap, estimate, interval_text, wilson


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [
        # Newcombe (1998), Statistics in Medicine 17, table I, method 3: the score interval without continuity correction.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_has_the_published_values(successes, n, low, high):
    """The interval agrees with Newcombe's table to four digits."""
    found = wilson(successes, n)

    assert (round(found.low, 4), round(found.high, 4)) == (low, high)


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_holds_its_share_and_stays_a_share(pair):
    """0 <= low <= share <= high <= 1."""
    found = wilson(*pair)

    assert 0 <= found.low <= found.value <= found.high <= 1


def test_a_bootstrap_is_the_same_for_the_same_seed_and_narrows_with_more_cases():
    """Seeded; of the width that the normal approximation gives, about 3.92 standard errors."""
    few, many = [0.0, 0.5, 1.0] * 10, [0.0, 0.5, 1.0] * 1000

    assert bootstrap(few) == bootstrap(few)
    assert bootstrap(few) != bootstrap(few, seed=8)
    found = bootstrap(many)
    assert found.high - found.low == pytest.approx(3.92 * (1 / 6) ** 0.5 / 3000**0.5, rel=0.1)
    assert found.value == 0.5


def test_the_method_follows_the_values():
    """Zeros and ones are a share; other values a mean; no values are nothing."""
    assert estimate([1.0, 0.0, 1.0]) == wilson(2, 3)
    assert estimate([0.25] * 6) == Estimate(0.25, 0.25, 0.25, 6, "bootstrap")
    assert estimate([]) is None


def test_a_mean_of_few_cases_has_no_interval():
    """One case, or five that are equal, would have one of width 0; a share of few has Wilson's, which is wide."""
    assert estimate([0.5]) == Estimate(0.5, None, None, 1, "too few cases")
    assert estimate([0.25] * 5).to_dict() == {"value": 0.25, "low": None, "high": None, "n": 5, "method": "too few cases"}
    assert estimate([1.0]) == wilson(1, 1)
    assert [interval_text(low, 0.5, "{:.1f}".format) for low in (0.25, None)] == ["0.2–0.5", "too few cases"]


@pytest.mark.parametrize("wrong", [(2, 1), (-1, 3), (0, 0)])
def test_an_impossible_share_is_refused(wrong):
    """The message says what is required."""
    with pytest.raises(ValueError, match="0 <= successes <= n"):
        wilson(*wrong)
