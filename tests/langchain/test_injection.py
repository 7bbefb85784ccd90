"""What stands in a document stays in its passage: the built messages of a LangChain prompt."""

from __future__ import annotations

import pytest
from langchain_classic.chains.combine_documents import create_stuff_documents_chain
from langchain_core.documents import Document
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.runnables import RunnableLambda

from contextpack_core import Policy
from langchain_contextpack import ContextPacker, grounded_prompt
from tests.core.grounding.hostile import FORMATS, HOSTILE, QUESTION, assert_unmoved, hostile_records

_ROLES = {"system": "system", "human": "user"}


@pytest.mark.parametrize("render", FORMATS)
@pytest.mark.parametrize("case", HOSTILE, ids=lambda case: case["id"])
def test_no_hostile_document_changes_the_messages(case, render):
    """The messages that reach the model through the stuff chain."""
    policy = Policy.from_dict({"tokenizer": "approximate", "budget": {"evidence": 100_000}, "render": {"format": render}})
    found = [Document(r["text"], id=r["id"], metadata=r["metadata"]) for r in hostile_records(case["text"])]
    seen: list[BaseMessage] = []

    def model(prompt):
        seen.extend(prompt.to_messages())
        return AIMessage("The limit is 5,000 euros [P1].")

    chain = create_stuff_documents_chain(RunnableLambda(model), grounded_prompt(policy))
    chain.invoke({"input": QUESTION, "context": ContextPacker(policy=policy).compress_documents(found, QUESTION)})

    assert_unmoved([(_ROLES[message.type], message.content) for message in seen], policy, case["text"])
