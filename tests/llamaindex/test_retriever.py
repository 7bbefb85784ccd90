"""SubQueryRetriever: any retriever, with the further searches that a question needs."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from llama_index.core import get_response_synthesizer
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import MetadataMode, NodeWithScore, QueryBundle

from contextpack_core import ArgumentError, Policy, request_scope
from llamaindex_contextpack import ContextPackPostprocessor, SubQueryRetriever
from tests.llamaindex.conftest import Recorded, node

SHELF = [node(f"{name}-{n}", f"{name}: the excess is {n}00 euros.", 1 / n) for n in range(1, 6) for name in ("Basic", "Plus")]
POLICY = Policy.from_yaml("""
intents:
  comparison:
    retrieval: {sub_queries: 4}
    budget: {evidence: 110, per_group: {by: found_for, tokens: 50}}
""")


class Shelf(BaseRetriever):
    """A retriever that finds what holds a name of the query, the first one's if there are two."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        self.asked.append(query_bundle.query_str)
        name = next((name for name in ("Basic", "Plus") if name in query_bundle.query_str), "")
        return [item for item in SHELF if item.node.get_content().startswith(name)][:3]


def names(nodes: list[NodeWithScore]) -> list[tuple[str, str | None]]:
    return [(item.node.node_id, item.node.metadata.get("found_for")) for item in nodes]


@pytest.mark.parametrize("ask", [lambda r, q: r.retrieve(q), lambda r, q: asyncio.run(r.aretrieve(q))])
def test_a_comparison_searches_for_each_thing(ask: Any) -> None:
    """Both sides are found, in turns; the nodes that were given stay as they were, and no model sees what they are for."""
    shelf = Shelf()
    found = ask(SubQueryRetriever(shelf, POLICY), "Compare the excess of Basic and Plus")

    assert sorted(shelf.asked) == [
        "Compare the excess of Basic and",
        "Compare the excess of Basic and Plus",
        "Compare the excess of and Plus",
    ]
    assert names(found) == [(f"{name}-{n}", name) for n in (1, 2, 3) for name in ("Basic", "Plus")]
    assert "found_for" not in SHELF[0].node.metadata
    assert "found_for" not in found[0].node.get_content(MetadataMode.LLM)


def test_another_question_is_handed_on() -> None:
    """No comparison, no further search; nor where the scope names another intent."""
    shelf = Shelf()
    retriever = SubQueryRetriever(shelf, POLICY, classify=lambda query: "comparison")

    assert names(SubQueryRetriever(shelf).retrieve("Compare Basic and Plus")) == [(f"Basic-{n}", None) for n in (1, 2, 3)]
    with request_scope(intent="none"):
        retriever.retrieve("Basic or Plus?")
    assert len(shelf.asked) == 2
    assert len(retriever.retrieve("Basic or Plus?")) == 6


def test_a_postprocessor_is_no_policy() -> None:
    """What is wanted is said when the retriever is made, not with the first question."""
    with pytest.raises(ArgumentError, match=r"^policy: ContextPackPostprocessor — a Policy, or the settings of one"):
        SubQueryRetriever(Shelf(), ContextPackPostprocessor())


def test_each_side_has_its_share_in_an_engine() -> None:
    """With the postprocessor of the same policy the model reads evidence of both."""
    model = Recorded(answers=["Basic has 100, Plus too."])
    packer = ContextPackPostprocessor(policy=POLICY, count_tokens=lambda text: len(text.split()) * 5)
    engine = RetrieverQueryEngine(
        retriever=SubQueryRetriever(Shelf(), POLICY),
        node_postprocessors=[packer],
        response_synthesizer=get_response_synthesizer(llm=model),
    )
    engine.query("Compare the excess of Basic and Plus")

    assert "Basic: the excess is 100 euros." in model.prompts[0]
    assert "Plus: the excess is 100 euros." in model.prompts[0]
