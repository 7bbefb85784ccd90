"""Prompts, declining and native citations in LlamaIndex."""

from __future__ import annotations

import asyncio
from datetime import date
from typing import Any

import pytest
from llama_index.core.base.llms.types import ChatMessage, CitationBlock, TextBlock
from llama_index.core.llms import MockLLM
from llama_index.core.prompts.prompt_utils import get_empty_prompt_txt
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.response_synthesizers import get_response_synthesizer
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from contextpack_core import Policy, grounded_head, grounded_messages, pack, request_scope
from llamaindex_contextpack import (
    CheckedQueryEngine,
    ContextPackPostprocessor,
    check_message,
    citable_blocks,
    grounded_qa_template,
    grounded_refine_template,
)

AS_OF = date(2026, 6, 1)


class Found(BaseRetriever):
    def __init__(self, nodes: list[NodeWithScore]) -> None:
        super().__init__()
        self._nodes = nodes

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return self._nodes


def node(name: str, text: str, **metadata: Any) -> NodeWithScore:
    return NodeWithScore(node=TextNode(id_=name, text=text, metadata={"doc_id": name, **metadata}), score=0.1)


NODES = [
    node("w26", "The excess is 500 euros.", title="Wording", family="w", edition="2026", effective_from="2026-01-01"),
    node("fees", "The fee is 20 euros.", title="Fees"),
]


def engine(policy: Policy, **options: Any) -> CheckedQueryEngine:
    inner = RetrieverQueryEngine(
        Found(NODES),
        get_response_synthesizer(llm=MockLLM(), text_qa_template=grounded_qa_template(policy), **options),
        node_postprocessors=[ContextPackPostprocessor(policy=policy, as_of=AS_OF)],
    )
    return CheckedQueryEngine(inner, policy=policy)


def test_the_messages_are_those_of_the_core():
    """Head and tail, byte for byte; names of variables in passages, question and glossary are text."""
    policy = Policy.from_dict({"grounding": {"glossary": {"{context_str}": "{query_str}"}}})
    template = grounded_qa_template(policy)

    messages = template.format_messages(context_str="{query_str} c", query_str="{context_str} q")

    assert {"context_str", "query_str"} <= set(template.template_vars)
    expected = grounded_messages(policy, "{context_str} q", "{query_str} c")
    assert [(m.role.value, m.content) for m in messages] == expected


def test_the_day_and_the_intent_are_those_of_the_request():
    """The scope around comes before the argument; the question picks the intent."""
    policy = Policy.from_dict({"intents": {"chat": {"cues": ["tell me"], "grounding": {"pattern": "augmented"}}}})
    template = grounded_qa_template(policy, as_of=date(2026, 1, 1)).partial_format(query_str="tell me")

    outside = template.format_messages(context_str="c")
    with request_scope(as_of="2026-02-01"):
        inside = template.format_messages(context_str="c")

    days = [messages[1].content.partition("\n")[0][-10:] for messages in (outside, inside)]
    assert days == ["2026-01-01", "2026-02-01"]
    assert outside[0].content == grounded_head(policy, intent="chat")


@pytest.mark.parametrize("name", ["context_msg", "context_str"])
def test_refining(name):
    """The further passages under either name, and the answer so far as text."""
    messages = grounded_refine_template().format_messages(
        query_str="q", existing_answer="A {query_str}", **{name: "more {query_str}"}
    )

    assert messages[1].content.startswith("Passages:\nmore {query_str}\n\nQuestion: q\n\nAbove is a part")
    assert "The answer so far:\nA {query_str}\n" in messages[1].content


def test_the_size_of_the_prompt_is_seen_by_the_framework():
    """LlamaIndex measures the empty prompt: the head is in it."""
    assert grounded_head(Policy()) in get_empty_prompt_txt(grounded_qa_template())


@pytest.mark.parametrize("options", [{}, {"streaming": True}])
@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"relevance": {"min_score": 0.5}}, "What was found is not relevant enough."),
        ({"grounding": {"min_score": 0.5}}, "The best passage has a score of 0.1; 0.5 is asked for."),
    ],
)
def test_an_empty_response_becomes_a_message(settings, reason, options):
    """It says what was searched; the report is an abstention; sync and async, streaming or not."""
    checked = engine(Policy.from_dict(settings), **options)

    responses = [checked.query("Excess?"), asyncio.run(checked.aquery("Excess?"))]

    for response in responses:
        assert response.response == (
            f"The documents do not answer this question. {reason} "
            "Searched: Wording (edition 2026, in force from 2026-01-01); Fees. The day asked about: 2026-06-01."
        )
        assert response.metadata["contextpack"]["status"] == "ABSTAINED"
        assert response.metadata["declined"]["searched"][0] == {"doc_id": "w26", "title": "Wording", "edition": "2026"}


def test_with_evidence_the_engine_answers():
    """The mock model repeats its prompt."""
    response = engine(Policy()).query("Excess?")

    assert "Question: Excess?" in response.response
    assert "declined" not in response.metadata


def test_citation_blocks_are_checked():
    """A block belongs to the text before it; last year's figure is found behind a valid pointer."""
    found = [
        {"id": n.node.node_id, "text": n.node.text, "metadata": n.node.metadata}
        for n in [*NODES, node("w25", "The excess is 350 euros.", family="w", edition="2025", effective_from="2025-01-01")]
    ]
    made = pack(found, "Excess?", as_of=AS_OF)
    block = citable_blocks(made)[0]

    def said(text: str) -> ChatMessage:
        citation = CitationBlock(
            cited_content=TextBlock(text="The excess is 500 euros."),
            source=block.source,
            title=block.title,
            additional_location_info={"search_result_index": 0, "start_block_index": 0, "end_block_index": 1},
        )
        return ChatMessage(role="assistant", blocks=[TextBlock(text=text), citation])

    reports = [check_message(said(text), made) for text in ("It is 500 euros.", "It is 350 euros.")]

    assert block.title == "P1 Wording, edition 2026"
    assert [str(report.status) for report in reports] == ["GROUNDED", "FLAGGED"]
    assert [str(figure.status) for figure in reports[1].figures] == ["STALE"]
