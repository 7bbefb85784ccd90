"""What stands in a passage stays in its passage: the built messages of the core."""

from __future__ import annotations

import pytest

from contextpack_core import Policy, grounded_messages, pack
from tests.core.grounding.hostile import FORMATS, HOSTILE, QUESTION, assert_unmoved, hostile_records


def test_there_are_enough_hostile_passages():
    """At least forty, each once."""
    assert len({case["text"] for case in HOSTILE}) >= 40


@pytest.mark.parametrize("render", FORMATS)
@pytest.mark.parametrize("case", HOSTILE, ids=lambda case: case["id"])
def test_no_hostile_passage_changes_the_messages(case, render):
    """Roles, head, frame, labels and texts are those of any other passage, in each format."""
    policy = Policy.from_dict({"tokenizer": "approximate", "budget": {"evidence": 100_000}, "render": {"format": render}})
    made = pack(hostile_records(case["text"]), QUESTION, policy)

    assert_unmoved(grounded_messages(policy.model_copy(), QUESTION, made.text), policy, case["text"])
