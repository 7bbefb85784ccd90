"""Prompt templates."""

from __future__ import annotations

import asyncio
from datetime import date

import pytest
from llama_index.core.prompts import ChatPromptTemplate, PromptTemplate
from llama_index.core.prompts.prompt_utils import get_empty_prompt_txt

from contextpack_core import Policy, grounded_head, grounded_messages, lint_prompt, request_scope
from llamaindex_contextpack import grounded_qa_template, grounded_refine_template
from tests.llamaindex.conftest import DECLINABLE, answering


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


def test_day_and_intent_are_those_of_the_pack():
    """Those of the postprocessor's own fields too, where the engine is checked; else those of the request."""
    policy = Policy.from_dict({"intents": {"chat": {"cues": ["tell me"], "grounding": {"pattern": "augmented"}}}})
    checked, llm = answering(policy, DECLINABLE, "x")
    checked.query_engine._node_postprocessors[0].classify = lambda question: "chat"

    checked.query("Excess?")
    asyncio.run(checked.aquery("Excess?"))
    with request_scope(as_of="2026-02-01"):
        checked.query_engine.query("Excess?")

    wanted = [grounded_head(policy, intent=intent) for intent in ("chat", "chat", None)]
    heads = [head in prompt for head, prompt in zip(wanted, llm.prompts, strict=True)]
    days = [prompt.partition("this day: ")[2][:10] for prompt in llm.prompts]
    assert (heads, days) == ([True] * 3, ["2026-06-01", "2026-06-01", "2026-02-01"])


def test_a_stream_is_asked_for_with_the_day_and_intent_of_its_request():
    """LlamaIndex fills the template when the stream is read, outside of the scope in which it was asked for."""
    policy = Policy.from_dict({"intents": {"chat": {"grounding": {"pattern": "augmented"}}}})
    checked, llm = answering(policy, DECLINABLE, "x", streaming=True)

    for asked in (checked, checked.query_engine):
        with request_scope(as_of="2026-02-01", intent="chat"):
            response = asked.query("Excess?")
        list(response.response_gen)

    assert ["this day: 2026-02-01" in prompt for prompt in llm.prompts] == [True, True]
    assert [grounded_head(policy, intent="chat") in prompt for prompt in llm.prompts] == [True, True]


@pytest.mark.parametrize(
    ("as_of", "question", "day"),
    [(date(2026, 3, 1), "Fee?", "2026-03-01"), ("from_query", "What was the fee on 2024-05-05?", "2024-05-05")],
)
def test_the_day_of_policy_and_question(as_of, question, day):
    """Where neither pack nor request says one."""
    template = grounded_qa_template({"versions": {"as_of": as_of}})

    tail = template.format_messages(context_str="c", query_str=question)[1].content

    assert tail.startswith(f"The answer must be true for this day: {day}\n\nPassages:\nc\n")


def test_the_structured_prompt_is_that_of_the_core():
    """Both templates tell how to fill a GroundedAnswer."""
    head = grounded_head(Policy(), structured=True)

    qa = grounded_qa_template(structured=True).format_messages(context_str="c", query_str="q")
    refine = grounded_refine_template(structured=True).format_messages(context_msg="c", query_str="q", existing_answer="a")

    assert [messages[0].content for messages in (qa, refine)] == [head, head]


def test_templates_are_linted_over_their_fixed_parts():
    """What the policy words is fixed; a variable in the head of one's own template is named."""
    own = ChatPromptTemplate.from_messages([("system", "Be brief, {brand}. At 14:05."), ("user", "{query_str} 14:06")])

    assert lint_prompt(grounded_qa_template()) == []
    assert [(f.message, f.kind, f.text) for f in lint_prompt(own)] == [(0, "variable", "{brand}"), (0, "time", "14:05")]
    assert [f.text for f in lint_prompt(PromptTemplate("{context_str} at 14:05"))] == ["{context_str}", "14:05"]
