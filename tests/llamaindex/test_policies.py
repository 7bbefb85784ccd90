"""A policy is taken in one way, wherever it is given."""

from __future__ import annotations

import pytest
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.base.response.schema import Response

from contextpack_core import ArgumentError, Policy, PolicyError, pack
from llamaindex_contextpack import (
    CheckedQueryEngine,
    CitationEvaluator,
    ContextPackPostprocessor,
    SubQueryRetriever,
    check_message,
    check_response,
    grounded_qa_template,
    grounded_refine_template,
)
from tests.llamaindex.conftest import Found, answering

TAKERS = {
    "ContextPackPostprocessor": lambda policy: ContextPackPostprocessor(policy=policy),
    "CheckedQueryEngine": lambda policy: CheckedQueryEngine(answering(Policy(), [])[0], policy),
    "CitationEvaluator": CitationEvaluator,
    "SubQueryRetriever": lambda policy: SubQueryRetriever(Found([]), policy),
    "grounded_qa_template": grounded_qa_template,
    "grounded_refine_template": grounded_refine_template,
    "check_response": lambda policy: check_response(Response("x"), policy=policy),
    "check_message": lambda policy: check_message(ChatMessage("x"), pack([]), policy=policy),
}


@pytest.mark.parametrize("name", TAKERS)
def test_a_policy_is_read_where_it_is_given(name):
    """Its settings are taken, and what is wrong with them comes first in the message; YAML is refused with what reads it."""
    for given in (Policy(), {"grounding": {"pattern": "augmented"}}, None):
        TAKERS[name](given)
    with pytest.raises(PolicyError, match=r"^policy grounding\.pattern: 'strictt' — one of [a-z, ]+; did you mean strict\?$"):
        TAKERS[name]({"grounding": {"pattern": "strictt"}})
    with pytest.raises(ArgumentError, match=r"^policy: str — .*; YAML is read by Policy\.from_yaml\(\"a: 1\"\)") as error:
        TAKERS[name]("a: 1")
    assert ("ContextPackPostprocessor.from_yaml" in str(error.value)) == (name == "ContextPackPostprocessor")


def test_a_policy_is_a_policy_or_its_settings() -> None:
    """The settings as a mapping are read; the path of a file is refused at once, with what would be right."""
    assert CitationEvaluator({"citations": {"quotes": "required"}}).policy == Policy.from_dict(
        {"citations": {"quotes": "required"}}
    )
    with pytest.raises(ArgumentError, match=r"policy: str — a Policy, .* read by Policy\.from_yaml\(\"app\.yaml\"\)"):
        CitationEvaluator("app.yaml")
    with pytest.raises(ArgumentError, match="policy: str"):
        check_response(Response("It is red [P1]."), policy="app.yaml")
