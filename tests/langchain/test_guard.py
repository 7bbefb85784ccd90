"""CitationGuard: checks the answer of a chain, whole and streamed."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from langchain_classic.chains import create_retrieval_chain
from langchain_classic.chains.combine_documents import create_stuff_documents_chain
from langchain_core.documents import Document
from langchain_core.language_models import FakeListChatModel, GenericFakeChatModel
from langchain_core.load import dumpd, load
from langchain_core.messages import AIMessage
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import Runnable, RunnableLambda

from contextpack_core import AnswerError, CitationError, GroundedAnswer, GroundedClaim, Policy
from langchain_contextpack import CitationGuard, ContextPacker, PackingRetriever
from tests.langchain.conftest import Hits

RIGHT = "The excess is 500 euros [P1]."
WRONG = "The excess is 525 euros [P1]."
STALE = "The excess is 350 euros [P1]."


def guard(on_violation: str = "report", **fields: Any) -> CitationGuard:
    return CitationGuard(policy=Policy(citations={"on_violation": on_violation}), **fields)


@pytest.fixture
def answered(documents: list[Document]) -> dict[str, Any]:
    """What a retrieval chain returns, but for the answer."""
    return {"input": "What is the excess?", "context": ContextPacker(as_of="2026-06-01").invoke(documents)}


def chain_of(hits: Hits, answer: str, words: bool) -> Runnable[dict[str, Any], dict[str, Any]]:
    model = GenericFakeChatModel(messages=iter([AIMessage(answer)] * 4)) if words else FakeListChatModel(responses=[answer])
    prompt = ChatPromptTemplate.from_messages([("system", "{context}"), ("human", "{input}")])
    retriever = PackingRetriever(retriever=hits, packer=ContextPacker(as_of="2026-06-01"))
    return create_retrieval_chain(retriever, create_stuff_documents_chain(model, prompt))


@pytest.mark.parametrize(("answer", "status"), [(RIGHT, "GROUNDED"), (WRONG, "FLAGGED"), (STALE, "FLAGGED")])
def test_it_adds_the_report(answered: dict[str, Any], answer: str, status: str) -> None:
    """The dict comes back with citations as plain data, whatever kind of answer it was."""
    for given in (answer, AIMessage(answer), {"answer": answer}):
        result = guard().invoke({**answered, "answer": given})
        assert (result["answer"], result["citations"]["status"]) == (given, status)
        json.dumps(result["citations"])


def test_a_structured_answer_is_read_in_every_form(answered: dict[str, Any]) -> None:
    """As ``with_structured_output`` gives it, alone or with the raw message, and as the JSON of a model without it."""
    said = GroundedAnswer(answer="It is 525 euros.", claims=[GroundedClaim(text="It is 525 euros.", labels=["P1"])])
    raw = AIMessage(said.model_dump_json())

    for given in (said, {"raw": raw, "parsed": said, "parsing_error": None}, raw, f"```json\n{raw.text}\n```"):
        citations = guard().invoke({**answered, "answer": given})["citations"]
        assert (citations["answer"], citations["status"]) == ("It is 525 euros.", "FLAGGED")


def test_what_is_no_answer_is_an_error(answered: dict[str, Any]) -> None:
    """A dict or an object of another form is never an empty answer."""
    with pytest.raises(AnswerError, match="answer: a mapping with 'response' — a text, or a mapping with 'answer' or 'claims'"):
        guard().invoke({**answered, "answer": {"response": WRONG}})


def test_last_years_figure_is_stale(answered: dict[str, Any]) -> None:
    """The report names the edition that the figure is from and the one that applied."""
    [figure] = guard().invoke({**answered, "answer": STALE})["citations"]["figures"]

    assert figure["status"] == "STALE"
    assert "2025" in figure["detail"]
    assert "2026" in figure["detail"]


@pytest.mark.parametrize("words", [True, False], ids=["words", "characters"])
@pytest.mark.parametrize("answer", [RIGHT, WRONG])
def test_streamed_as_whole(hits: Hits, answer: str, words: bool) -> None:
    """The answer passes as it comes, the report is the last chunk, and all chunks together are the whole result."""
    chain = chain_of(hits, answer, words) | guard()
    whole = chain.invoke({"input": "excess?"})
    chunks = list(chain.stream({"input": "excess?"}))

    async def achunks() -> list[Any]:
        return [chunk async for chunk in chain.astream({"input": "excess?"})]

    for found in (chunks, asyncio.run(achunks())):
        total = found[0]
        for chunk in found[1:]:
            total = total + chunk
        assert dict(total) == dict(whole)
        assert list(found[-1]) == ["citations"]
        assert sum("answer" in chunk for chunk in found) > 4


def test_raise(answered: dict[str, Any], hits: Hits) -> None:
    """An answer with problems is an error that carries the report; while streaming, after the last chunk."""
    with pytest.raises(CitationError, match="525") as raised:
        guard("raise").invoke({**answered, "answer": WRONG})
    assert raised.value.report.status == "FLAGGED"

    seen = []
    with pytest.raises(CitationError, match="525"):
        seen.extend(chunk.get("answer", "") for chunk in (chain_of(hits, WRONG, True) | guard("raise")).stream({"input": "?"}))
    assert guard("raise").invoke({**answered, "answer": RIGHT})["citations"]["status"] == "GROUNDED"


def test_strip(answered: dict[str, Any], hits: Hits) -> None:
    """An answer with problems goes on without its marks; a good one as it is. Streamed, it is held until then."""
    assert guard("strip").invoke({**answered, "answer": WRONG})["answer"] == "The excess is 525 euros."
    assert guard("strip").invoke({**answered, "answer": RIGHT})["answer"] == RIGHT
    streamed = [chunk for chunk in (chain_of(hits, WRONG, True) | guard("strip")).stream({"input": "?"}) if "answer" in chunk]
    assert [chunk["answer"] for chunk in streamed] == ["The excess is 525 euros."]


def test_a_structured_answer_is_stripped_as_one(answered: dict[str, Any]) -> None:
    """Of its marks and its declared claims; it stays of its kind, with the raw message beside it or not."""
    given = GroundedAnswer(answer=WRONG, claims=[GroundedClaim(text="The excess is 525 euros", labels=["P1"])])
    wanted = GroundedAnswer(answer="The excess is 525 euros.")
    forms = [
        (given, wanted),
        (given.model_dump(), wanted.model_dump()),
        ({"raw": AIMessage("x"), "parsed": given}, {"raw": AIMessage("x"), "parsed": wanted}),
        (given.model_dump_json(), json.dumps(wanted.model_dump())),
        (AIMessage(given.model_dump_json()), json.dumps(wanted.model_dump())),
        (f"```json\n{given.model_dump_json()}\n```", f"```json\n{json.dumps(wanted.model_dump())}\n```"),
    ]

    for answer, expected in forms:
        assert guard("strip").invoke({**answered, "answer": answer})["answer"] == expected


@pytest.mark.parametrize("what", ["raise", "strip", "retry"])
def test_a_shadow_only_reports(answered: dict[str, Any], hits: Hits, what: str) -> None:
    """The model saw no labels: its answer is handed on as it is, whole and as it comes."""
    policy = Policy.from_dict({"citations": {"on_violation": what}, "rollout": {"mode": "shadow"}})
    guarded = CitationGuard(policy=policy, ask_again=RunnableLambda(lambda given: RIGHT))

    result = guarded.invoke({**answered, "answer": WRONG})
    chunks = [chunk["answer"] for chunk in (chain_of(hits, WRONG, True) | guarded).stream({"input": "?"}) if "answer" in chunk]

    assert (result["answer"], result["citations"]["status"]) == (WRONG, "FLAGGED")
    assert (len(chunks) > 4, "".join(chunks)) == (True, WRONG)


def test_retry(answered: dict[str, Any]) -> None:
    """It asks once more, with the feedback, and no more than once."""
    asked: list[str] = []

    def again(given: dict[str, Any]) -> str:
        asked.append(given["feedback"])
        return WRONG if len(asked) > 1 else RIGHT

    guarded = guard("retry", ask_again=RunnableLambda(again))

    assert guarded.invoke({**answered, "answer": WRONG})["answer"] == RIGHT
    assert asyncio.run(guarded.ainvoke({**answered, "answer": WRONG}))["citations"]["status"] == "FLAGGED"
    assert len(asked) == 2
    assert "525" in asked[0]


def test_retry_needs_somebody_to_ask() -> None:
    """The setting alone is an error that names what is missing."""
    with pytest.raises(ValueError, match="ask_again"):
        guard("retry")


def test_plain_documents_are_numbered(documents: list[Document]) -> None:
    """Documents that no packer made are P1, P2 … in their order."""
    result = guard().invoke({"input": "?", "context": documents, "answer": "It is 500 euros [P2]. It is 1 euro [P9]."})

    assert [(c["labels"], c["status"]) for c in result["citations"]["citations"]] == [(["P2"], "VALID"), (["P9"], "UNKNOWN")]


def test_a_missing_key_is_named() -> None:
    """The error says which key is not there."""
    with pytest.raises(ValueError, match="no 'context', only answer"):
        guard().invoke({"answer": "x"})


def test_a_context_that_is_text_is_named() -> None:
    """A chain that joins its documents under the same key has lost what the check needs; the message says so."""
    with pytest.raises(TypeError, match="context: str — the documents that the packer returned are wanted"):
        CitationGuard().invoke({"input": "q", "context": '<passage id="P1">', "answer": RIGHT})


def test_dumpd_and_load_round_trip() -> None:
    """The settings come back."""
    given = guard("raise", answer_key="result")
    back = load(json.loads(json.dumps(dumpd(given))), allowed_objects=[CitationGuard], valid_namespaces=["langchain_contextpack"])

    assert back == given
