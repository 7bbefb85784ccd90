"""What stands in the place of a structured answer that is declined or stripped."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from contextpack_core import GroundedAnswer, GroundedClaim, declined_answer, stripped_answer


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("What is the excess?", ["What is the excess?"]),
        ("What is the excess and how do I report a claim?", ["What is the excess", "how do I report a claim"]),
        ("Compare the excess of Basic and Plus", ["Compare the excess of Basic and Plus"]),
        ("  ", []),
    ],
)
def test_a_declined_answer_abstains_and_says_what_is_missing(question, missing):
    """Each part of the question, or the whole of it."""
    assert declined_answer("We cannot say.", question) == GroundedAnswer(answer="We cannot say.", abstain=True, missing=missing)


@dataclass
class Own:
    """A form of a user's own."""

    answer: str
    claims: list[str] = field(default_factory=list)
    total: int = 3


def test_a_stripped_answer_stays_of_its_kind():
    """With the new text and without claims; the rest stays, and what was given is not changed."""
    given = [
        GroundedAnswer(answer="It is 5 [P1].", claims=[GroundedClaim(text="It is 5", labels=["P1"])], confidence=0.5),
        {"answer": "It is 5 [P1].", "total": 3},
        Own("It is 5 [P1].", ["It is 5"]),
        {"raw": "r", "parsed": GroundedAnswer(answer="It is 5 [P1]."), "parsing_error": None},
        "no form at all",
    ]

    assert [stripped_answer(answer, "It is 5.") for answer in given] == [
        GroundedAnswer(answer="It is 5.", confidence=0.5),
        {"answer": "It is 5.", "total": 3},
        Own("It is 5."),
        {"raw": "r", "parsed": GroundedAnswer(answer="It is 5."), "parsing_error": None},
        "no form at all",
    ]
    assert given[0].answer == "It is 5 [P1]."
