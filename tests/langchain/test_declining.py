"""The model is asked only where the evidence can answer."""

from __future__ import annotations

import asyncio
import logging
from datetime import date
from typing import Any

import pytest
from langchain_classic.chains.combine_documents import create_stuff_documents_chain
from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import AIMessage
from langchain_core.output_parsers import StrOutputParser
from langchain_core.runnables import Runnable, RunnableLambda

from contextpack_core import ArgumentError, GroundedAnswer, Policy, PolicyError, grounded_head
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
    """Under ``context`` of the input: packed ones count, none declines."""
    asked = Asked()
    chain = answer_or_decline(asked.chain)

    packed = ContextPacker(as_of=date(2026, 6, 1)).compress_documents(documents, "Excess?")
    declined = [chain.invoke({"input": "q", "context": given})["declined"] for given in (packed, [])]

    assert [item and item["reason"] for item in declined] == [None, "NO_EVIDENCE"]
    assert asked.times == 1


@pytest.mark.parametrize("mode", ["on", "shadow", "off"])
def test_documents_that_no_packer_made(weak, mode):
    """Nothing tells whether they can answer: an error that says what packs them, unless the rollout is not on."""
    asked = Asked()
    policy = {"grounding": {"min_score": 0.5}, "rollout": {"mode": mode}}
    given = [
        (answer_or_decline(asked.chain, policy, retriever=Hits(found=weak)), {"input": "Excess?"}),
        (answer_or_decline(asked.chain, policy), {"input": "Excess?", "context": weak}),
    ]

    for chain, question in given:
        if mode == "on":
            with pytest.raises(ArgumentError, match=r"no packer made these .* packer=ContextPacker\(policy=policy\)\) packs them"):
                chain.invoke(question)
        else:
            assert chain.invoke(question)["declined"] is None
    assert asked.times == (0 if mode == "on" else 2)


@pytest.mark.parametrize("settings", [{"relevance": {"min_score": 0.5}}, {"grounding": {"min_score": 0.99}}])
@pytest.mark.parametrize("given", [True, False])
def test_a_shadow_changes_nothing_that_a_user_sees(weak, caplog, settings, given):
    """The model is asked over the documents as they came, with the prompt as it was; the log says what would have been declined."""
    policy = Policy.from_dict({**settings, "rollout": {"mode": "shadow"}, "trace": {"sink": "logging"}})
    seen: list[Any] = []
    chain = RunnableLambda(lambda prompted: seen.append(prompted) or ANSWER)
    retriever = packing(weak, policy)
    with caplog.at_level(logging.INFO, "contextpack"):
        if given:
            result = answer_or_decline(chain, policy).invoke({"input": "Excess?", "context": retriever.invoke("Excess?")})
        else:
            result = answer_or_decline(chain, policy, retriever=retriever).invoke({"input": "Excess?"})

    assert result == {"input": "Excess?", "context": weak, "answer": ANSWER, "declined": None}
    assert seen == [{"input": "Excess?", "context": weak, "declined": None}]
    told = [
        (record.contextpack["declined"], record.contextpack["acted"]) for record in caplog.records if "acted" in record.contextpack
    ]
    reason = "NOT_RELEVANT" if "relevance" in settings else "LOW_SCORE"
    assert told == ([] if given else [(reason, False)])  # documents of a shadow carry no pack


def test_a_decline_is_logged(weak, caplog):
    """Where the policy sends its traces: reason, documents, and which pack it was; neither question nor texts."""
    policy = Policy.from_dict({"relevance": {"min_score": 0.5}, "trace": {"sink": "logging"}})
    with caplog.at_level(logging.INFO, "contextpack"):
        answer_or_decline(Asked().chain, policy, retriever=packing(weak, policy)).invoke({"input": "Excess?"})

    assert caplog.records[-1].contextpack == {
        "declined": "NOT_RELEVANT",
        "acted": True,
        "searched": ["w25", "w26", "fees"],
        "intent": None,
        "as_of": "2026-06-01",
        "outcome": "DECLINE",
        "policy": policy.fingerprint,
    }


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("Excess?", ["Excess?"]),
        ("What is the excess and how do I report a claim?", ["What is the excess", "how do I report a claim"]),
    ],
)
def test_a_structured_chain_declines_with_a_structured_answer(weak, question, missing):
    """It abstains and says what is missing; the guard behind it takes it for an abstention."""
    chain = answer_or_decline(Asked().chain, STRICT, retriever=packing(weak, STRICT), structured=True)

    result = (chain | CitationGuard(policy=STRICT)).invoke({"input": question})

    assert result["answer"] == GroundedAnswer(answer=MESSAGE, abstain=True, missing=missing)
    assert (result["citations"]["status"], result["citations"]["answer"]) == ("ABSTAINED", MESSAGE)


INTENTS = {"intents": {"chat": {"cues": ["tell me"], "grounding": {"pattern": "augmented"}}}}


@pytest.mark.parametrize("stuffed", [True, False])
@pytest.mark.parametrize(
    ("packer", "config", "day", "intent"),
    [
        ({}, {"as_of": "2025-06-01", "intent": "chat"}, "2025-06-01", "chat"),
        ({"as_of": date(2026, 2, 1), "classify": lambda question: "chat"}, {}, "2026-02-01", "chat"),
        ({"as_of": date(2026, 2, 1)}, {}, "2026-02-01", None),
    ],
)
def test_the_prompt_says_what_the_pack_was_made_for(documents, stuffed, packer, config, day, intent):
    """Day and intent of the config, or of the packer's own fields, are those of head and tail."""
    policy = Policy.from_dict(INTENTS)
    seen: list[Any] = []
    model = RunnableLambda(lambda prompt: seen.append(prompt.to_messages()) or AIMessage(ANSWER))
    prompt = grounded_prompt(policy)
    chain = create_stuff_documents_chain(model, prompt) if stuffed else prompt | model
    retriever = PackingRetriever(retriever=Hits(found=documents), packer=ContextPacker(policy=policy, **packer))
    asking = answer_or_decline(chain, policy, retriever=retriever)

    results = [asking.invoke({"input": "Excess?"}, {"configurable": {"contextpack": config}})]
    results.append(asyncio.run(asking.ainvoke({"input": "Excess?"}, {"configurable": {"contextpack": config}})))

    assert [set(result) for result in results] == [{"input", "context", "answer", "declined"}] * 2
    for head, tail in seen:
        assert tail.content.startswith(f"The answer must be true for this day: {day}\n\nPassages:\n<passage")
        assert head.content == grounded_head(policy, intent=intent)
    assert len(seen) == 2


def test_it_starts_no_thread(documents, monkeypatch):
    """Its steps are coroutines, whether it declines or asks."""
    packed = ContextPacker(as_of=date(2026, 6, 1)).compress_documents(documents, "Excess?")
    chain = answer_or_decline(grounded_prompt())

    async def ask() -> list[bool]:
        monkeypatch.setattr(asyncio.get_running_loop(), "run_in_executor", None)
        results = [await chain.ainvoke({"input": "Excess?", "context": given}) for given in (packed, [])]
        return [result["declined"] is None for result in results]

    assert asyncio.run(ask()) == [True, False]


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
    with pytest.raises(ArgumentError, match=r"^answer_or_decline: the input is str — a mapping like \{'input': …\}$"):
        answer_or_decline(Asked().chain, retriever=Hits(found=[])).invoke("What?")


def test_the_policy_is_read_at_once():
    """A mapping is one; a wrong one is an error where the chain is made."""
    assert (
        answer_or_decline(Asked().chain, {"grounding": {"decline": "never"}}).invoke({"input": "q", "context": []})["answer"]
        == ANSWER
    )
    with pytest.raises(PolicyError, match=r"^policy grounding\.pattern: 'strictt' — one of"):
        answer_or_decline(Asked().chain, {"grounding": {"pattern": "strictt"}})
    with pytest.raises(ArgumentError, match=r"YAML is read by Policy\.from_yaml"):
        answer_or_decline(Asked().chain, "policy.yaml")
