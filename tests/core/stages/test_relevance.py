"""What scores too low is left out, and what has no score is not."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextpack_core.decisions import Drop, Reason
from contextpack_core.stages.relevance import RelevanceSettings, keep_relevant
from contextpack_core.values import Candidate, Source


def candidates(*scores):
    return [Candidate(str(i), "Body", Source("d"), score=score) for i, score in enumerate(scores)]


def kept_scores(scores, **settings):
    return [c.score for c in keep_relevant(candidates(*scores), RelevanceSettings(**settings)).kept]


@pytest.mark.parametrize("text", ["", "  \n\t", "\u200b\ufeff", "\u00ad", "\u00a0\u3000", "\u202e\u2066", "\u2800\u3164", "\x1f"])
def test_what_shows_nothing_is_empty(text):
    """White space and invisible characters are no text."""
    step = keep_relevant([Candidate("a", text, Source("d"), score=1.0)], RelevanceSettings())

    assert (step.kept, step.drops) == ((), (Drop("a", Reason.EMPTY_TEXT, "it has no text"),))


@pytest.mark.parametrize("text", [".", "\u200bx", "é", "\ud800", "日", "🙂", "\u0301"])
def test_anything_else_is_text(text):
    """One visible character, a lone surrogate included, is enough."""
    assert len(keep_relevant([Candidate("a", text, Source("d"))], RelevanceSettings()).kept) == 1


def test_nothing_is_cut_by_default():
    """Without a floor every score passes."""
    assert kept_scores([0.0, -7.5, 1e9]) == [0.0, -7.5, 1e9]


def test_the_absolute_floor_is_the_lowest_score_kept():
    """A score equal to the floor stays; the detail names both numbers."""
    step = keep_relevant(candidates(0.9, 0.3, 0.29), RelevanceSettings(min_score=0.3))

    assert [c.score for c in step.kept] == [0.9, 0.3]
    assert step.drops == (Drop("2", Reason.BELOW_THRESHOLD, "0.29 is below min_score 0.3"),)


def test_a_floor_of_zero_is_a_floor():
    """0 is a value, not the absence of one."""
    assert kept_scores([0.0, -0.1], min_score=0) == [0.0]


@pytest.mark.parametrize("settings", [{"min_score": 0.5}, {"min_relative": 0.9}, {"largest_gap": True}])
def test_a_missing_score_passes_every_floor(settings):
    """Unknown is not zero; NaN is unknown too."""
    nan = float("nan")

    kept = kept_scores([0.9, None, 0.89, nan, 0.1, 0.1], **settings)

    assert [None if s is None or math.isnan(s) else s for s in kept] == [0.9, None, 0.89, None]


def test_the_relative_floor_is_a_share_of_the_best():
    """The best of the scores is the measure, wherever it stands."""
    step = keep_relevant(candidates(0.3, 0.8, 0.4, -2.0), RelevanceSettings(min_relative=0.5))

    assert [c.score for c in step.kept] == [0.8, 0.4]
    assert step.drops[0] == Drop("0", Reason.BELOW_THRESHOLD, "0.3 is below 0.4, which is min_relative 0.5 of the best score 0.8")


@pytest.mark.parametrize("best", [0.0, -1.5])
def test_a_best_score_that_is_not_positive_has_no_shares(best):
    """Logits below zero are not cut by a share, and the trace says so."""
    step = keep_relevant(candidates(best, -4.0), RelevanceSettings(min_relative=0.5))

    assert len(step.kept) == 2
    assert step.notices == (f"min_relative was not applied: the best score, {best:g}, is not positive",)


@pytest.mark.parametrize(
    ("scores", "kept"),
    [
        ([0.9, 0.88, 0.86, 0.3, 0.28], [0.9, 0.88, 0.86]),
        ([0.3, 0.9, 0.28, 0.86], [0.9, 0.86]),
        ([8.0, 7.5, -3.0, -3.2], [8.0, 7.5]),
        ([-1.0, -1.1, -9.0], [-1.0, -1.1]),
        ([0.9, 0.8, 0.7, 0.6], [0.9, 0.8, 0.7, 0.6]),
        ([0.9, 0.6, 0.3], [0.9, 0.6, 0.3]),
        ([0.9, 0.89, 0.889], [0.9, 0.89, 0.889]),
        ([0.9, 0.1], [0.9, 0.1]),
        ([0.5, 0.5, 0.5], [0.5, 0.5, 0.5]),
        ([0.0, 0.0, 0.0], [0.0, 0.0, 0.0]),
        ([0.9], [0.9]),
        ([], []),
    ],
)
def test_the_largest_gap_cuts_only_where_there_is_one(scores, kept):
    """A fall of more than half the way, and of 5 % of the largest score, divides; a steady decline and noise do not."""
    assert kept_scores(scores, largest_gap=True) == kept


def test_floors_are_applied_one_after_the_other():
    """What an earlier floor left out is no measure for a later one."""
    step = keep_relevant(candidates(0.9, 0.85, 0.5, 0.45, 0.1), RelevanceSettings(min_score=0.2, largest_gap=True))

    assert [c.score for c in step.kept] == [0.9, 0.85]
    assert [d.detail for d in step.drops] == [
        "0.5 is below the largest gap, from 0.85 to 0.5",
        "0.45 is below the largest gap, from 0.85 to 0.5",
        "0.1 is below min_score 0.2",
    ]


SCORES = st.lists(st.none() | st.floats(), max_size=8)


@given(SCORES, st.none() | st.floats(-2, 2), st.none() | st.floats(0, 1), st.booleans())
def test_each_candidate_is_kept_or_dropped_once(scores, min_score, min_relative, largest_gap):
    """Order is kept, no better score goes while a worse one stays, and without an absolute floor the best one stays."""
    given_ones = [Candidate(str(i), "Body", Source("d"), score=score) for i, score in enumerate(scores)]
    settings = RelevanceSettings(min_score=min_score, min_relative=min_relative, largest_gap=largest_gap)

    step = keep_relevant(given_ones, settings)

    dropped = {drop.candidate_id for drop in step.drops}
    known = [c.score for c in step.kept if c.score is not None and not math.isnan(c.score)]
    assert [c for c in given_ones if c.id not in dropped] == list(step.kept)
    assert all(c.score <= min(known) for c in given_ones if c.id in dropped and known)
    if min_score is None and any(c.score is not None and not math.isnan(c.score) for c in given_ones):
        assert known
