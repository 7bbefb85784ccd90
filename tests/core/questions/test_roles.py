from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextpack_core import Policy, day_for
from contextpack_core.dates import bare
from contextpack_core.questions.as_of import read_question
from contextpack_core.questions.roles import asks_about_now, role_of

TODAY = date(2026, 6, 1)
FROM_QUERY = Policy.from_dict({"versions": {"as_of": "from_query"}})
QUESTIONS = [json.loads(line) for line in (Path(__file__).parents[2] / "data/questions/days.jsonl").open(encoding="utf-8")]


@pytest.mark.parametrize(("question", "day"), [(case["question"], case["day"]) for case in QUESTIONS])
def test_the_day_asked_about(question: str, day: str) -> None:
    """The day of a rule, a loss or one's own contract is asked about; that of anything else leaves today, and so does "now"."""
    assert day_for(question, FROM_QUERY, TODAY) == date.fromisoformat(day)


@pytest.mark.parametrize(
    ("question", "notices"),
    [
        ("My car was built in 2024. What is the fee?", ["'2024' is when something was built, bought or the like"]),
        ("I paid 5 euros in 2025. What is the fee?", ["'2025' is told, not asked about"]),
        ("I signed on 3 May 2024. What is the fee?", ["'3 may 2024' may be the day of a contract or of a purchase"]),
        ("What is the fee now that was 5 euros in 2025?", ["'now' asks about today, beside '2025'"]),
        ("I was born in 1990 and moved in 1990. What is the fee?", ["'1990' is when something was built, bought or the like"]),
    ],
)
def test_says_which_date_it_did_not_take(question: str, notices: list[str]) -> None:
    """A date that is not the day asked about stands in the notices with what it was taken for."""
    read = read_question(question, TODAY, dates=True)

    assert (read.as_of, list(read.notices)) == (TODAY, [f"{notice}: the as-of date stays 2026-06-01" for notice in notices])


@pytest.mark.parametrize(
    ("text", "date_", "role"),
    [
        ("is a phone bought in 2025 covered?", "2025", "fact"),
        ("i bought the policy in 2025", "2025", "asked"),
        ("do policies bought in 2025 apply?", "2025", "fact"),
        ("i signed in 2025", "2025", "perhaps"),
        ("damage in 2025 to a house built in 1990", "2025", "asked"),
        ("damage in 2025 to a house built in 1990", "1990", "fact"),
        ("what was the fee when i joined in 2024?", "2024", "asked"),
        ("in 2024, what was the fee?", "2024", "asked"),
        ("it was 5 euros in 2024. what is it?", "2024", "told"),
        ("2025年出生，费用是多少？", "2025年", "fact"),
    ],
)
def test_roles(text: str, date_: str, role: str) -> None:
    """The nearest word beside a date says what it is the date of; without one its clause does."""
    start = text.index(date_)

    assert role_of(text, start, start + len(date_)) == role


def test_now() -> None:
    """Words for today count where something is asked, not where something is told."""
    texts = [
        "What is the fee now?",
        "Now it is 5 euros. What was it in 2024?",
        "Wie hoch ist die aktuelle Gebühr?",
        "What is the fee?",
    ]

    assert [asks_about_now(bare(text)) for text in texts] == ["now", None, "aktuelle", None]


@given(
    st.lists(st.sampled_from("what was the fee in 2024 now , . ? i bought a car policy on 3 may 2025 ¿ 。 如何".split(" "))).map(
        " ".join
    )
)
def test_any_question_has_a_day(question: str) -> None:
    """Any order of words gives a day, the same each time, and never one that the question does not name."""
    read = read_question(question, TODAY, dates=True)

    assert read == read_question(question, TODAY, dates=True)
    assert read.as_of == TODAY or read.as_of in {period.day(TODAY) for period in read.periods}
