"""A query announces its intent by a cue."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextpack_core.intents import IntentSettings, classes_of, cues_of, decide_intent
from contextpack_core.questions.cues import CUES, Decision, class_of

QUESTIONS = [json.loads(line) for line in (Path(__file__).parents[1] / "data" / "question_classes.jsonl").open(encoding="utf-8")]


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


# ---- built-in classes


@pytest.mark.parametrize("row", QUESTIONS, ids=lambda row: row["question"])
def test_a_question_has_its_class_in_every_language(row):
    """The built-in cues know the six classes in nine languages, with accents or without, and what is none of them."""
    found = class_of(row["question"])

    assert (found and found.intent) == row["class"]


def test_the_questions_cover_the_table():
    """Every class in every language of the table is asked for at least once."""
    asked = {(row["class"], row["language"]) for row in QUESTIONS if row["class"]}

    assert asked == {(intent, language) for intent, languages in CUES.items() for language in languages}


@pytest.mark.parametrize("intent", CUES)
def test_each_cue_announces_its_class_or_a_narrower_one(intent):
    """No cue is dead: alone it announces its class, or one that stands above it in the table."""
    order = list(CUES)
    for cues in CUES[intent].values():
        for cue in map(str.strip, cues.split("|")):
            found = class_of(cue)
            assert found is not None
            assert order.index(found.intent) <= order.index(intent), cue


def test_a_class_that_is_not_named_is_not_taken_for_one_that_is():
    """A comparison is no lookup where only lookups have settings, though it holds cues of both."""
    question = "What is the difference between the two?"

    assert decide_intent(question, (), {"lookup"}) is None
    assert decide_intent(question, (), {"lookup", "comparison"}) == Decision("comparison", "difference between")


def test_only_names_without_cues_have_the_built_in_ones():
    """Own cues, or an empty list of them, take their place; a name that is no class has none."""
    intents = {
        "lookup": IntentSettings(),
        "list": IntentSettings(cues=()),
        "procedure": IntentSettings(cues="steps"),
        "mine": IntentSettings(),
    }

    assert classes_of(intents) == {"lookup"}


@given(st.text(max_size=200))
def test_no_question_raises(question):
    """Whatever it holds, its class is one of the table or none, and the cue one of that class."""
    found = class_of(question)

    assert found is None or any(found.cue in map(str.strip, cues.split("|")) for cues in CUES[found.intent].values())


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
