"""A query announces its intent by a cue."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextpack_core.intents import Decision, IntentSettings, cues_of, decide_intent


def decide(query, **cues):
    return decide_intent(query, cues_of({name: IntentSettings(cues=each) for name, each in cues.items()}))


@pytest.mark.parametrize(
    ("cue", "query"),
    [
        ("compare", "Compare the two"),
        ("compare", "please, COMPARE!"),
        ("how do i", "How  do\nI file a claim?"),
        ("vs.", "2025 vs. 2026"),
        ("c++", "what is C++?"),
        ("what's new", "What’s new in 2026?"),
        ("step-by-step", "step‑by‑step please"),
        ("unterschied", "Was ist der UNTERSCHIED?"),
        ("straße", "WELCHE STRASSE"),
        ("café", "cafe\u0301 rules"),
        ("比较", "请比较这两个版本"),
        ("違い", "２つの違いは何ですか"),
        ("compare", "ｃｏｍｐａｒｅ it"),
        ("мой", "где МОЙ полис"),
    ],
)
def test_a_cue_is_found_whatever_its_case_blanks_and_width(cue, query):
    """Case, blanks, apostrophes, dashes and width do not matter; scripts without blanks have no word borders."""
    assert decide(query, one=cue) == Decision("one", cue)


@pytest.mark.parametrize(
    ("cue", "query"),
    [
        ("list", "Listing of enlisted items"),
        ("vs", "canvas"),
        ("how do i", "how do it"),
        ("compare", "incomparable"),
        ("a b", "a c b"),
        ("old", "gold"),
        ("compare", ""),
        ("1", "12"),
        ("мой", "мойка"),
    ],
)
def test_a_cue_inside_a_word_is_none(cue, query):
    """``list`` does not stand in ``listing``."""
    assert decide(query, one=cue) is None


def test_the_first_intent_with_a_cue_in_the_query_is_taken():
    """The order in the policy decides, not the length of the cue, its place in the query or how many there are."""
    query = "How do I compare the difference between the two?"

    assert decide(query, a=["compare"], b=["how do i", "difference between"]) == Decision("a", "compare")
    assert decide(query, b=["how do i", "difference between"], a=["compare"]) == Decision("b", "how do i")
    assert decide(query, a=["nothing"], b=["two", "compare"]) == Decision("b", "two")


def test_an_intent_without_cues_is_never_announced():
    """It can only be taken by name."""
    assert decide("anything", a=[]) is None


def test_only_the_settings_given_are_changes():
    """What an intent leaves out, a default included, it does not change; what it gives, a default included, it does."""
    intent = IntentSettings(cues="x", budget={"evidence": 4000}, order={})

    assert intent.changes == {"budget": {"evidence": 4000}}


@given(st.text(max_size=60), st.lists(st.text(min_size=1, max_size=8).filter(lambda cue: cue.split()), max_size=4))
def test_no_query_and_no_cue_raises(query, cues):
    """Whatever the texts hold, the decision is one of the cues or none, and the same again."""
    try:
        intents = {"a": IntentSettings(cues=tuple(cues))}
    except ValueError:
        return  # a cue of nothing visible
    found = decide_intent(query, cues_of(intents))

    assert found is None or found.cue in cues
    assert found == decide_intent(query, cues_of(intents))
