"""Thresholds for declining, fitted with a bound."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contextpack_core import Threshold, calibrate_threshold, upper_bound


@pytest.mark.parametrize(
    ("errors", "n", "confidence", "bound"),
    [(0, 29, 0.95, 1 - 0.05 ** (1 / 29)), (1, 1, 0.95, 1.0), (0, 1, 0.95, 0.95), (3, 50, 0.95, 0.147837), (5, 10, 0.975, 0.812914)],
)
def test_the_upper_bound_is_clopper_and_pearsons(errors, n, confidence, bound):
    """As in the tables: the closed form for no error, and known values."""
    assert math.isclose(upper_bound(errors, n, confidence), bound, rel_tol=1e-4)


def test_the_lowest_threshold_within_the_bound_is_taken():
    """Where the good and the bad part, all good ones are answered; equal scores are answered together."""
    cases = [(float(i), i >= 300) for i in range(1000)]

    found = calibrate_threshold(cases, 0.1)

    assert (found.value, found.n, found.answered, found.errors, found.bound) == (260.0, 1000, 740, 40, 0.1)
    assert calibrate_threshold([(1.0, True)] * 10, 0.1) == Threshold(math.inf, 0.1, 1.0, 0.95, 10, 0, 0)
    assert calibrate_threshold([(1.0, True)] * 100, 0.1).answered == 100


@pytest.mark.parametrize(("starts", "answered", "errors"), [(1, 0, 0), (3, 304, 12)])
def test_a_bad_beginning_does_not_end_the_search(starts, answered, errors):
    """With errors among the highest scores the sequence from the top ends at once; one that starts lower goes on."""
    cases = [(float(-i), not (i < 8 or i >= 300)) for i in range(400)]

    found = calibrate_threshold(cases, 0.1, starts=starts)

    assert (found.answered, found.errors) == (answered, errors)


def test_the_sequence_ends_at_the_first_threshold_that_fails():
    """What lies below may keep to the error again: to look on there would be one test more."""
    cases = [(float(-i), not 100 <= i < 140) for i in range(1000)]

    found = calibrate_threshold(cases, 0.1, steps=100, starts=1)

    assert (found.answered, found.errors) == (100, 0)
    assert upper_bound(40, 1000) < 0.1


def test_the_bound_holds_on_cases_that_were_not_seen():
    """Of many fits, at most one in twenty has a true error above what it states, and most answer nearly what could be answered."""
    failures, found = 0, []
    for seed in range(200):
        draw = random.Random(seed)
        cases = [(score, draw.random() < score) for score in [draw.random() for _ in range(300)]]
        value = calibrate_threshold(cases, 0.2).value
        true_error = (1 - value) / 2 if value <= 1 else 0.0  # the mean of 1 - score above the threshold
        failures += true_error > 0.2
        found.append(value)
    assert failures <= 10
    assert 0.6 <= sorted(found)[100] < 0.95


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=60))
def test_a_threshold_tells_what_it_does(cases):
    """Its numbers are those of the cases it is applied to, in whatever order they come."""
    found = calibrate_threshold(cases, 0.3)

    answered = [right for score, right in cases if score >= found.value]
    assert (found.answered, found.errors) == (len(answered), answered.count(False))
    assert found.bound == (0.3 if answered else 1.0)
    assert not answered or upper_bound(found.errors, found.answered, 1 - 0.05 / 3) <= 0.3 + 1e-9
    assert calibrate_threshold(cases[::-1], 0.3) == found


@pytest.mark.parametrize(
    ("cases", "options", "message"),
    [
        ([], {}, "at least one"),
        ([(math.nan, True)], {}, r"cases\[0\]: \(nan, True\) — a pair of a score, which is a number"),
        ([(1.0, True), (None, True)], {}, r"cases\[1\]: \(None, True\)"),
        ([("0.5", True)], {}, r"cases\[0\]"),
        ([(True, True)], {}, r"cases\[0\]"),
        ([(math.inf, True)], {}, r"cases\[0\]"),
        ([(10**400, True)], {}, r"cases\[0\]"),
        ([(1.0, "no")], {}, r"cases\[0\]"),
        ([(1.0, None)], {}, r"cases\[0\]"),
        ([0.5], {}, r"cases\[0\]"),
        ([(1.0, True, 2)], {}, r"cases\[0\]"),
        ([(1.0, True)], {"error": 0.0}, "error=0.0 — a share between 0 and 1"),
        ([(1.0, True)], {"error": "0.1"}, "error='0.1'"),
        ([(1.0, True)], {"confidence": 1}, "confidence=1 — a share"),
        ([(1.0, True)], {"steps": 0}, "steps=0 — a whole number from 1 on"),
        ([(1.0, True)], {"starts": 1.5}, "starts=1.5"),
        ([(1.0, True)], {"method": "guess"}, "clopper_pearson"),
    ],
)
def test_what_cannot_be_calibrated(cases, options, message):
    """The message says what is wanted."""
    with pytest.raises(ValueError, match=message):
        calibrate_threshold(cases, **options)
