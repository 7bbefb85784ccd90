"""Opposites: what is flagged, and what merely looks alike."""

from __future__ import annotations

import pytest

from contextpack_core import check

FLAGGED = [
    ("The hatch may not be opened at sea", "The hatch may be opened at sea."),
    ("Members pay no fee in May", "Members pay a fee in May."),
    ("The roof was sealed without glue", "The roof was sealed with glue."),
    ("舱门可以打开", "舱门不可以打开。"),
    ("Anna Berg hired Carl Dahl in May", "Carl Dahl hired Anna Berg in May."),
    ("Der Motor startet bei Frost", "Der Motor startet bei Frost nicht."),
]
CLEAR = [
    ("The fee is refundable", "The fee is refundable. The deposit is not refundable; the fee is not due."),
    ("The lid is red", "The lid is not only red but also hot."),
    ("The capital is Paris", "Paris is the capital."),
    ("The valve is shut", "The valve is shut, not the pump."),
    ("Either party may end it in May", "Either party may end it in May or when the other one is not able to pay in May."),
    ("Apples, pears and plums are sold", "Plums, pears and apples are sold."),
]


@pytest.mark.parametrize(("claim", "passage"), FLAGGED)
def test_an_opposite_is_a_problem(claim: str, passage: str) -> None:
    """A claim in a passage's own words that turns it round is a problem, which quotes the passage."""
    problems = check(f"{claim} [P1].", {"P1": passage}).problems

    assert [(p.kind, passage.rstrip(".。") in p.wanted) for p in problems] == [("opposite", True)]


@pytest.mark.parametrize(("claim", "passage"), CLEAR)
def test_what_only_looks_opposite_is_none(claim: str, passage: str) -> None:
    """A negation of something else, another order and a list are no problem."""
    assert check(f"{claim} [P1].", {"P1": passage}).problems == ()


def test_only_cited_passages_count() -> None:
    """A passage that is not cited contradicts nothing."""
    report = check(
        "The hatch may be opened at sea [P1].",
        {"P1": "The hatch may be opened at sea.", "P2": "The hatch may not be opened at sea."},
    )

    assert report.problems == ()
