"""The size of an answer in a given form."""

from __future__ import annotations

import pytest
from pydantic import BaseModel, Field

from contextpack_core import ArgumentError, GroundedAnswer, GroundedClaim, Policy, pack, schema_tokens


class Ticket(BaseModel):
    title: str = Field(max_length=10)
    steps: list[str] = Field(max_length=3)
    urgent: bool
    note: str | None = None


class Node(BaseModel):
    name: str
    below: list[Node] = []


def test_the_size_of_a_form_is_counted() -> None:
    """The JSON that is written, and so many tokens for each text."""
    shape = '{"title": "", "steps": ["", "", ""], "urgent": false, "note": ""}'

    assert schema_tokens(Ticket, len, text=60) == len(shape) + 10 + 3 * 60 + 60
    assert schema_tokens(Ticket, len, text=5, items=1) == len(shape) - len(', "", ""') + 5 + 5 + 5
    assert schema_tokens(GroundedAnswer) > schema_tokens(GroundedClaim) > 100


def test_a_form_within_itself_is_counted_once() -> None:
    """A tree of any depth has a size."""
    assert schema_tokens(Node, len, text=5, items=2) == len('{"name": "", "below": [null, null]}') + 5


@pytest.mark.parametrize(
    ("form", "named"),
    [(dict, "the class dict"), (Ticket(title="a", steps=[], urgent=True), "an object of Ticket"), ({}, "an object of dict")],
)
def test_what_is_no_form_is_named(form: object, named: str) -> None:
    """A class of another kind, an answer instead of its class, data."""
    with pytest.raises(ArgumentError, match=f"^schema: {named} — a pydantic class, such as GroundedAnswer$"):
        schema_tokens(form)  # type: ignore[arg-type]


def test_a_form_is_the_length_of_an_answer() -> None:
    """In a policy made in Python the class stands for the size of its JSON, which is what the policy says in YAML."""
    policy = Policy(budget={"answer": GroundedAnswer})

    assert policy.budget.answer == schema_tokens(GroundedAnswer)
    assert policy == Policy.from_dict({"budget": {"answer": GroundedAnswer}}) == Policy.from_yaml(policy.to_yaml())
    assert f"answer: {schema_tokens(GroundedAnswer)}\n" in policy.to_yaml()
    assert pack([{"id": "a", "text": "A text.", "metadata": {"doc_id": "a"}}], "", policy).budget.answer == policy.budget.answer
