"""Further searches for a question, and one ranking of what all of them find."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextpack_core.questions.parts import SubQuestion
from contextpack_core.questions.retrieval import Placed, RetrievalSettings, merge_hits, searches_for

COMPARISON = "Compare Basic, Comfort and Plus"


def test_without_the_setting_there_are_none():
    """It is opt-in."""
    assert searches_for(COMPARISON, RetrievalSettings()) == ()


def test_there_are_at_most_so_many():
    """One for each thing compared, in the order of the question, none for a question about one thing."""
    assert searches_for(COMPARISON, RetrievalSettings(sub_queries=2)) == (
        SubQuestion("Basic", "Compare Basic, and"),
        SubQuestion("Comfort", "Compare, Comfort and"),
    )
    assert searches_for("What is Basic?", RetrievalSettings(sub_queries=2)) == ()
    assert searches_for("what of basic and plus", RetrievalSettings(sub_queries=2), ["plus", "basic"])[0].about == "basic"


A, B = SubQuestion("a", "of a"), SubQuestion("b", "of b")


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ("turns", [Placed(0, 0), Placed(1, 0, "a"), Placed(2, 0, "b"), Placed(1, 2, "a")]),
        ("ranks", [Placed(1, 0, "a"), Placed(2, 0, "b"), Placed(0, 0), Placed(1, 2, "a")]),
    ],
)
def test_each_hit_once_where_it_ranks_highest(how, expected):
    """In turns the best of each search comes first; by ranks what several searches found. What was found for what is told."""
    rankings = [["x", "y"], ["z", "z", "w"], ["y", "z"]]

    assert merge_hits(rankings, [A, B], RetrievalSettings(fuse=how)) == expected


@given(st.lists(st.lists(st.integers(0, 9), max_size=8), min_size=1, max_size=5), st.sampled_from(["turns", "ranks"]))
def test_nothing_is_lost_and_nothing_comes_twice(rankings, how):
    """Whatever was found is there once; in turns no second hit of a search comes before a first one."""
    searches = [SubQuestion(str(n), "") for n in range(1, len(rankings))]
    placed = merge_hits(rankings, searches, RetrievalSettings(fuse=how))
    keys = [rankings[at.search][at.place] for at in placed]

    assert sorted(keys) == sorted({key for keys in rankings for key in keys})
    assert all(rankings[at.search].index(key) == at.place for at, key in zip(placed, keys, strict=True))
    assert how == "ranks" or [at.place for at in placed] == sorted(at.place for at in placed)
    assert all(
        (at.found_for is None) == all(key not in each for each in rankings[1:]) for at, key in zip(placed, keys, strict=True)
    )
