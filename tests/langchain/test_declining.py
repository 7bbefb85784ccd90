"""The model is asked only where the evidence can answer."""

from __future__ import annotations

import asyncio
from datetime import date
from typing import Any

import pytest
from langchain_core.language_models import FakeListChatModel
from langchain_core.output_parsers import StrOutputParser
from langchain_core.runnables import Runnable, RunnableLambda

from contextpack_core import Policy
from langchain_contextpack import CitationGuard, ContextPacker, PackingRetriever, answer_or_decline, grounded_prompt
from tests.langchain.conftest import Hits

ANSWER = "The excess is 500 euros [P1]."
STRICT = Policy.from_dict({"relevance": {"min_score": 0.5}})
MESSAGE = (
    "The documents do not answer this question. What was found is not relevant enough. Searched: w25 (edition 2025, in force from "
    "2025-01-01); w26 (edition 2026, in force from 2026-01-01); Fees. The day asked about: 2026-06-01."
)


class Asked:
    """A chain that counts how often it was asked."""

    def __init__(self) -> None:
        self.times = 0

    @property
    def chain(self) -> Runnable[Any, Any]:
        def count(given: Any) -> Any:
            self.times += 1
            return given

        return RunnableLambda(count) | grounded_prompt() | FakeListChatModel(responses=[ANSWER]) | StrOutputParser()


def packing(documents: Any, policy: Policy) -> PackingRetriever:
    return PackingRetriever(retriever=Hits(found=documents), packer=ContextPacker(policy=policy, as_of=date(2026, 6, 1)))


@pytest.fixture
def weak(documents: Any) -> Any:
    for document in documents:
        document.metadata["score"] = 0.1
    return documents


def test_without_evidence_the_model_is_not_asked(weak):
    """The dict keeps its shape; the answer says what was searched, sync, async and streamed alike."""
    asked = Asked()
    chain = answer_or_decline(asked.chain, STRICT, retriever=packing(weak, STRICT))

    results = [chain.invoke({"input": "Excess?"}), asyncio.run(chain.ainvoke({"input": "Excess?"}))]
    streamed: dict[str, Any] = {}
    for chunk in chain.stream({"input": "Excess?"}):
        streamed |= chunk

    for result in [*results, streamed]:
        assert (result["input"], result["context"], result["answer"]) == ("Excess?", [], MESSAGE)
        assert (result["declined"]["reason"], result["declined"]["message"]) == ("NOT_RELEVANT", MESSAGE)
    assert asked.times == 0


def test_with_evidence_it_is_asked_once_and_streams(documents):
    """``declined`` is None, and the answer comes in pieces."""
    asked = Asked()
    chain = answer_or_decline(asked.chain, STRICT, retriever=packing(documents, STRICT))

    chunks = list(chain.stream({"input": "Excess?"}))

    answers = [chunk["answer"] for chunk in chunks if "answer" in chunk]
    assert (len(answers) > 5, "".join(answers), asked.times) == (True, ANSWER, 1)
    assert [chunk["declined"] for chunk in chunks if "declined" in chunk] == [None]


def test_documents_that_are_given(documents):
    """Under ``context`` of the input: packed ones count, none declines, and unpacked ones are taken as they are."""
    asked = Asked()
    chain = answer_or_decline(asked.chain)

    packed = ContextPacker(as_of=date(2026, 6, 1)).compress_documents(documents, "Excess?")
    declined = [chain.invoke({"input": "q", "context": given})["declined"] for given in (packed, [], documents)]

    assert [item and item["reason"] for item in declined] == [None, "NO_EVIDENCE", None]
    assert asked.times == 2


def test_the_guard_behind_it_takes_a_message_for_an_abstention(weak):
    """Nothing in it is checked, whatever the policy does to answers with problems."""
    strict = Policy.from_dict({"relevance": {"min_score": 0.5}, "citations": {"on_violation": "raise"}})
    chain = answer_or_decline(Asked().chain, strict, retriever=packing(weak, strict)) | CitationGuard(policy=strict)

    result = chain.invoke({"input": "Excess?"})

    assert (result["answer"], result["citations"]["status"], result["citations"]["problems"]) == (MESSAGE, "ABSTAINED", [])


def test_what_is_missing_is_named():
    """No question, no documents."""
    with pytest.raises(ValueError, match="no 'context', only input — or give retriever="):
        answer_or_decline(Asked().chain).invoke({"input": "q"})
    with pytest.raises(ValueError, match="no 'input', only question"):
        answer_or_decline(Asked().chain, retriever=Hits(found=[])).invoke({"question": "q"})
