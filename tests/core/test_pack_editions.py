from __future__ import annotations

import json
from datetime import date, datetime
from typing import Any

import pytest

from contextpack_core import Pack, Policy, day_for, pack
from contextpack_core.errors import PolicyError


def hit(name: str, text: str, **metadata: Any) -> dict[str, Any]:
    return {"id": name, "text": text, "metadata": {"doc_id": name} | metadata}


OLD = hit("old", "The fee is 30 EUR.", family="fees", edition="2025", effective_from="2025-01-01")
NEW = hit("new", "The fee is 40 EUR.", family="fees", edition="2026", effective_from="2026-01-01")
TODAY = date(2026, 6, 1)
FROM_QUERY = Policy.from_dict({"versions": {"as_of": "from_query"}})


def ids(made: Pack) -> list[str]:
    return [name for item in made.evidence for name in item.passage.candidate_ids]


def test_the_day_comes_from_the_question() -> None:
    """Pack, trace and ``day_for`` have the day that the question names, and say where it was found."""
    made = pack([OLD, NEW], "What was the fee in 2025?", FROM_QUERY, as_of=TODAY)

    day = date(2025, 12, 31)
    assert (made.as_of, made.trace.as_of, made.trace.as_of_from, ids(made)) == (day, day, "question", ["old"])
    assert day_for("What was the fee in 2025?", FROM_QUERY, TODAY) == day


def test_the_argument_is_today_and_the_fallback() -> None:
    """Where the question names no day the argument is the day, and "last year" counts from it."""
    plain = pack([OLD, NEW], "What is the fee?", FROM_QUERY, as_of=TODAY)

    assert (plain.as_of, plain.trace.as_of_from, ids(plain)) == (TODAY, "argument", ["new"])
    assert day_for("the fee last year", FROM_QUERY, date(2020, 5, 5)) == date(2019, 12, 31)


def test_a_day_of_another_type() -> None:
    """A datetime or a text that names a day will do; what names none is an error that shows it."""
    odd: Any = ["2025-06-01", datetime(2025, 6, 1, 12)]

    assert [pack([OLD, NEW], as_of=day).as_of for day in odd] == [date(2025, 6, 1)] * 2
    with pytest.raises(PolicyError, match="as_of: 'soon' — a date"):
        pack([OLD, NEW], as_of=odd[0].replace("2025-06-01", "soon"))


def test_a_comparison_comes_oldest_first() -> None:
    """For a question about a change the editions come oldest first, whatever the order of the policy, and are no conflict."""
    made = pack([NEW, OLD], "What changed?", Policy.from_dict({"order": {"by": "best_last"}}), as_of=TODAY)

    assert (ids(made), made.conflicts, [item.label for item in made.evidence]) == (["old", "new"], (), ["P1", "P2"])


def test_one_edition_keeps_the_order_of_the_policy() -> None:
    """Where no family has two editions a question about a change changes no order."""
    made = pack([NEW, hit("x", "Other.")], "What changed?", Policy.from_dict({"order": {"by": "best_last"}}), as_of=TODAY)

    assert ids(made) == ["x", "new"]


def test_a_header_shows_conflicts() -> None:
    """On request each passage names those that say otherwise; that is priced, and is saved with the pack."""
    policy = Policy.from_dict({"render": {"header": ["conflicts_with"]}})
    made = pack(
        [hit("a", "The fee is 30 EUR."), hit("b", "The fee is 40 EUR."), hit("c", "Nothing.")], "", policy, count_tokens=len
    )

    assert made.text == (
        '<passage id="P1" conflicts_with="P2">\nThe fee is 30 EUR.\n</passage>\n\n'
        '<passage id="P2" conflicts_with="P1">\nThe fee is 40 EUR.\n</passage>\n\n'
        '<passage id="P3">\nNothing.\n</passage>'
    )
    assert made.tokens == len(made.text)
    assert Pack.from_dict(json.loads(json.dumps(made.to_dict()))) == made


@pytest.mark.parametrize("budget", range(40, 200, 7))
def test_conflicts_in_the_header_stay_within_the_budget(budget: int) -> None:
    """The header of one passage grows when another one gets in; the text never exceeds the budget."""
    policy = Policy.from_dict({"render": {"header": ["conflicts_with"]}, "budget": {"evidence": budget}})
    made = pack([hit(str(i), f"The fee is {i} EUR.") for i in range(6)], "", policy, count_tokens=len)

    assert len(made.text) == made.tokens <= budget
