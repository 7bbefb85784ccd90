"""The prompt's contract as a ChatPromptTemplate."""

from __future__ import annotations

import asyncio
from datetime import date

import pytest
from langchain_classic.chains import create_retrieval_chain
from langchain_classic.chains.combine_documents import create_stuff_documents_chain
from langchain_core.documents import Document
from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
from langchain_core.runnables import RunnableLambda

from contextpack_core import ArgumentError, Policy, PolicyError, grounded_head, grounded_messages, lint_prompt, request_scope
from langchain_contextpack import ContextPacker, PackingRetriever, grounded_prompt, pack_of
from tests.langchain.conftest import Hits


def test_the_messages_are_those_of_the_core():
    """Head and tail, byte for byte; braces in documents and question are text."""
    policy = Policy.from_dict({"grounding": {"glossary": {"{input}": "{context}"}}})
    prompt = grounded_prompt(policy)

    messages = prompt.invoke({"context": "{boo} {input}", "input": "{what}?", "as_of": "2026-03-01"}).messages

    assert isinstance(prompt, ChatPromptTemplate)
    assert prompt.input_variables == ["context", "input"]
    (_, head), (_, tail) = grounded_messages(policy, "{what}?", "{boo} {input}", as_of="2026-03-01")
    assert messages == [SystemMessage(head), HumanMessage(tail)]
    assert [f.kind for f in lint_prompt(messages)] == ["variable", "variable"]  # the glossary of this test


def test_the_turns_before_stand_between_head_and_tail():
    """So the head stays a prefix."""
    history = [HumanMessage("Hello"), AIMessage("Hello.")]

    messages = grounded_prompt().invoke({"context": "c", "input": "q", "chat_history": history}).messages

    assert [message.type for message in messages] == ["system", "human", "ai", "human"]
    assert messages[1:3] == history


@pytest.mark.parametrize(
    ("given", "scope", "argument", "day"),
    [
        ({"as_of": date(2026, 1, 1)}, "2026-02-01", "2026-03-01", "2026-01-01"),
        ({}, "2026-02-01", "2026-03-01", "2026-02-01"),
        ({}, None, date(2026, 3, 1), "2026-03-01"),
        ({}, None, None, None),
    ],
)
def test_the_day_of_the_request(given, scope, argument, day):
    """The variable, else the scope around, else the argument; else there is no such line."""
    prompt = grounded_prompt(as_of=argument)

    with request_scope(as_of=scope):
        tail = prompt.invoke({"context": "c", "input": "q", **given}).messages[-1].content

    line = "" if day is None else f"The answer must be true for this day: {day}\n\n"
    assert tail == f"{line}Passages:\nc\n\nQuestion: q"


def test_the_intent_of_the_question_picks_the_head():
    """Also through the template; a named intent holds for every question."""
    policy = Policy.from_dict({"intents": {"chat": {"cues": ["tell me"], "grounding": {"pattern": "augmented"}}}})

    def head(prompt: ChatPromptTemplate, question: str) -> str:
        return prompt.invoke({"context": "c", "input": question}).messages[0].content

    plain, chat = grounded_head(policy), grounded_head(policy, intent="chat")
    assert plain != chat
    assert [head(grounded_prompt(policy), q) for q in ("fee?", "tell me the fee")] == [plain, chat]
    assert head(grounded_prompt(policy, intent="chat"), "fee?") == chat


DAYS = Policy.from_dict({"intents": {"chat": {"cues": ["tell me"], "grounding": {"pattern": "augmented"}}}})
CONFIG = {"configurable": {"contextpack": {"as_of": "2025-06-01", "intent": "chat"}}}


def prompts_of(documents, packer, prompt, config, stuffed=True):
    """The messages that the model of a retrieval chain gets: whole, awaited and streamed."""
    seen = []
    model = RunnableLambda(lambda given: seen.append(given.to_messages()) or AIMessage("x"))
    retriever = PackingRetriever(retriever=Hits(found=documents), packer=packer)
    answer = create_stuff_documents_chain(model, prompt) if stuffed else prompt | model
    chain = create_retrieval_chain(retriever, answer)
    result = chain.invoke({"input": "Fee?"}, config)
    assert asyncio.run(chain.ainvoke({"input": "Fee?"}, config))["context"] == result["context"]
    list(chain.stream({"input": "Fee?"}, config))
    return seen, pack_of(result["context"])


@pytest.mark.parametrize("stuffed", [True, False])
def test_day_and_intent_of_the_calls_config_are_those_of_pack_and_prompt(documents, stuffed):
    """In create_retrieval_chain as it is made in every tutorial: one config for both."""
    seen, made = prompts_of(documents, ContextPacker(policy=DAYS), grounded_prompt(DAYS), CONFIG, stuffed)

    assert (made.as_of, made.intent, len(seen)) == (date(2025, 6, 1), "chat", 3)
    for head, tail in seen:
        assert head.content == grounded_head(DAYS, intent="chat")
        assert tail.content.startswith("The answer must be true for this day: 2025-06-01\n\nPassages:\n<passage")


def test_day_and_intent_are_those_that_the_documents_carry(documents):
    """Whatever the prompt was told besides: evidence of one day is not put under another."""
    packer = ContextPacker(policy=DAYS, as_of=date(2026, 2, 1), classify=lambda question: "chat")
    packed = packer.compress_documents(documents, "Fee?")
    given = {"context": packed, "input": "Fee?", "as_of": "2025-01-01", "intent": "other"}
    plain = [document.model_dump() for document in packed]  # as after a checkpoint

    with request_scope(as_of="2024-01-01", intent="other"):
        head, tail = grounded_prompt(DAYS, as_of="2023-01-01").invoke(given).messages
        same = grounded_prompt(DAYS).invoke({**given, "context": plain}).messages

    assert [head.content, tail.content] == [text for _, text in grounded_messages(DAYS, "Fee?", pack_of(packed))]
    assert head.content == grounded_head(DAYS, intent="chat")
    assert same == [head, tail]


@pytest.mark.parametrize(
    ("as_of", "question", "config", "day"),
    [
        (date(2026, 3, 1), "Fee?", {}, "2026-03-01"),
        (date(2026, 3, 1), "Fee?", CONFIG, "2025-06-01"),
        ("from_query", "What was the fee on 2024-05-05?", {}, "2024-05-05"),
        ("from_query", "What was the fee on 2024-05-05?", CONFIG, "2024-05-05"),
        ("from_query", "Fee?", CONFIG, "2025-06-01"),
    ],
)
def test_the_day_of_policy_and_question(as_of, question, config, day):
    """Where the passages are text, the day is found as the packer finds it."""
    prompt = grounded_prompt(Policy(versions={"as_of": as_of}))

    tail = prompt.invoke({"context": "c", "input": question}, config).messages[-1].content

    assert tail.startswith(f"The answer must be true for this day: {day}\n\n")


def test_a_day_is_a_date():
    """A variable that is none is an error where the prompt is filled, an argument where it is made."""
    with pytest.raises(ValueError, match="as_of='yesterday': a date, or text like 2026-03-01"):
        grounded_prompt(as_of="yesterday")
    with pytest.raises(ValueError, match="as_of='yesterday'"):
        grounded_prompt().invoke({"context": "c", "input": "q", "as_of": "yesterday"})


def test_a_policy_may_be_a_mapping():
    """What is wrong with it reads as ours, and names nothing that does not exist."""
    assert grounded_prompt({"grounding": {"pattern": "augmented"}}) == grounded_prompt(Policy(grounding={"pattern": "augmented"}))
    with pytest.raises(PolicyError, match=r"^policy grounding\.pattern: 'strictt' — one of"):
        grounded_prompt({"grounding": {"pattern": "strictt"}})
    with pytest.raises(ArgumentError, match=r"YAML is read by Policy\.from_yaml\(\"grounding: \{\}\"\)$"):
        grounded_prompt("grounding: {}")


def test_the_structured_head_is_the_one_that_is_counted_for_the_cache():
    """It is longer than the plain one."""
    counts = [len(grounded_head(Policy())), len(grounded_head(Policy(), structured=True))]
    policy = Policy(grounding={"cache_minimum": sum(counts) // 2})

    contents = [
        grounded_prompt(policy, structured=structured, count_tokens=len).invoke({"context": "c", "input": "q"}).messages[0].content
        for structured in (False, True)
    ]

    assert [type(content) for content in contents] == [str, list]


@pytest.mark.parametrize(("minimum", "marked"), [(None, False), (100_000, False), (50, True)])
def test_a_long_head_is_marked_for_the_cache(minimum, marked):
    """As a block with cache_control, only from the number of tokens that the policy names."""
    policy = Policy.from_dict({"grounding": {"cache_minimum": minimum}})

    content = grounded_prompt(policy).invoke({"context": "c", "input": "q"}).messages[0].content

    head = grounded_head(policy)
    assert content == ([{"type": "text", "text": head, "cache_control": {"type": "ephemeral"}}] if marked else head)


def test_in_a_retrieval_chain(documents):
    """create_retrieval_chain needs no change; packed documents given as a list work as well."""
    packing = PackingRetriever(retriever=Hits(found=documents), packer=ContextPacker(as_of=date(2026, 6, 1)))
    answer = create_stuff_documents_chain(FakeListChatModel(responses=["500 euros [P1]."]), grounded_prompt())

    result = create_retrieval_chain(packing, answer).invoke({"input": "Excess?"})
    listed = grounded_prompt().invoke({"context": result["context"], "input": "q"}).messages[-1].content

    assert result["answer"] == "500 euros [P1]."
    (_, tail) = grounded_messages(Policy(), "q", pack_of(result["context"]))[1]
    assert listed == tail
    assert grounded_prompt().invoke({"context": [Document("x")], "input": "q"}).messages[-1].content.startswith("Passages:\nx\n")


def test_a_template_is_linted_over_its_fixed_parts():
    """Variables of the head are named, doubled braces are text, and the conversation before the last message is not the head."""
    conversation = MessagesPlaceholder("chat_history")
    head = "Be brief, {brand}. Write {{x}}. At 14:05."
    template = ChatPromptTemplate.from_messages([("system", head), conversation, ("human", "{input} 14:06")])

    filled = template.invoke({"brand": "x", "chat_history": [], "input": "q"})

    assert [(f.message, f.kind, f.text) for f in lint_prompt(template)] == [(0, "variable", "{brand}"), (0, "time", "14:05")]
    assert [(f.message, f.kind) for f in lint_prompt(filled)] == [(0, "variable"), (0, "time")]  # the filled text reads {x}
    assert [f.text for f in lint_prompt([conversation, ("system", "x"), ("human", "q")])] == ["{chat_history}"]
    assert lint_prompt(grounded_prompt()) == []
    assert lint_prompt(grounded_prompt(structured=True, as_of="2026-03-01")) == []
