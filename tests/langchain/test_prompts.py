"""The prompt's contract as a ChatPromptTemplate."""

from __future__ import annotations

from datetime import date

import pytest
from langchain_classic.chains import create_retrieval_chain
from langchain_classic.chains.combine_documents import create_stuff_documents_chain
from langchain_core.documents import Document
from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_core.prompts import ChatPromptTemplate

from contextpack_core import Policy, grounded_head, grounded_messages, lint_prompt, request_scope
from langchain_contextpack import ContextPacker, PackingRetriever, grounded_prompt
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
    assert listed == "Passages:\n" + "\n\n".join([d.page_content for d in result["context"]]) + "\n\nQuestion: q"
    assert grounded_prompt().invoke({"context": [Document("x")], "input": "q"}).messages[-1].content.startswith("Passages:\nx\n")
