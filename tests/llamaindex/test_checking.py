"""check_response, CheckedQueryEngine, CitationEvaluator: answers of LlamaIndex, checked."""

from __future__ import annotations

import asyncio
import json
from datetime import date
from typing import Any

import pytest
from llama_index.core.base.response.schema import AsyncStreamingResponse, PydanticResponse, Response, StreamingResponse
from llama_index.core.evaluation import BatchEvalRunner
from llama_index.core.query_engine import CitationQueryEngine, RetrieverQueryEngine
from llama_index.core.schema import NodeWithScore
from pydantic import BaseModel

from contextpack_core import ArgumentError, CitationError, GroundedAnswer, Policy
from llamaindex_contextpack import (
    CheckedQueryEngine,
    CitationEvaluator,
    ContextPackPostprocessor,
    acheck_response,
    check_response,
)
from tests.llamaindex.conftest import Found, Recorded

RIGHT = "The excess is 500 euros [P1]."
WRONG = "The excess is 525 euros [P1]."
STALE = "The excess is 350 euros [P1]."


@pytest.fixture
def packed(nodes: list[NodeWithScore]) -> list[NodeWithScore]:
    return ContextPackPostprocessor(as_of=date(2026, 6, 1)).postprocess_nodes(nodes)


def engine(nodes: list[NodeWithScore], *answers: str, on_violation: str = "report", streaming: bool = False) -> CheckedQueryEngine:
    packer = ContextPackPostprocessor(as_of=date(2026, 6, 1))
    inner = RetrieverQueryEngine.from_args(
        Found(nodes), llm=Recorded(answers=list(answers)), node_postprocessors=[packer], streaming=streaming
    )
    return CheckedQueryEngine(inner, Policy(citations={"on_violation": on_violation}))


def tokens(text: str) -> Any:
    yield from text


async def atokens(text: str) -> Any:
    for character in text:
        yield character


@pytest.mark.parametrize(("answer", "status"), [(RIGHT, "GROUNDED"), (WRONG, "FLAGGED"), (STALE, "FLAGGED")])
def test_every_response_type(packed: list[NodeWithScore], answer: str, status: str) -> None:
    """Whole, streamed and asynchronous responses are checked alike, and keep their text."""
    streamed = StreamingResponse(tokens(answer), packed)
    later = AsyncStreamingResponse(atokens(answer), packed)

    found = [
        check_response(Response(answer, packed)),
        check_response(streamed),
        asyncio.run(acheck_response(later)),
    ]
    assert [report.status for report in found] == [status] * 3
    assert (streamed.response_txt, str(later.response_txt)) == (answer, answer)


def test_a_structured_response(packed: list[NodeWithScore]) -> None:
    """A pydantic answer is checked by its fields."""

    class Structured(BaseModel):
        answer: str

    assert check_response(PydanticResponse(Structured(answer=RIGHT), packed)).status == "GROUNDED"


def test_an_unread_asynchronous_stream_is_not_read_blocking(packed: list[NodeWithScore]) -> None:
    """The error says what to call instead."""
    with pytest.raises(TypeError, match="acheck_response"):
        check_response(AsyncStreamingResponse(atokens(RIGHT), packed))


def test_an_empty_response_is_empty(packed: list[NodeWithScore]) -> None:
    """None is not the word None."""
    assert check_response(Response(None, packed)).status == "EMPTY"


def test_nodes_that_nobody_packed(nodes: list[NodeWithScore]) -> None:
    """They are P1, P2 … in their order."""
    assert check_response(Response("It is 500 euros [P2].", nodes)).status == "GROUNDED"


def test_a_citation_query_engine(nodes: list[NodeWithScore]) -> None:
    """Its own numbers are the labels; with packed nodes, last year's figure is stale all the same."""
    packer = ContextPackPostprocessor(as_of=date(2026, 6, 1), content="text")
    statuses = []
    for answer in ("The excess is 500 euros [1].", "The excess is 350 euros [1]."):
        llm = Recorded(answers=[answer])
        response = CitationQueryEngine(Found(nodes), llm=llm, node_postprocessors=[packer]).query("excess?")
        statuses += [figure.status for figure in check_response(response).figures]

    assert statuses == ["SUPPORTED", "STALE"]


def test_the_engine_adds_the_report(nodes: list[NodeWithScore]) -> None:
    """Sync and async, as plain data."""
    checked = engine(nodes, STALE)
    for response in (checked.query("excess?"), asyncio.run(checked.aquery("excess?"))):
        assert isinstance(response, Response)
        assert response.response == STALE
        assert json.loads(json.dumps(response.metadata))["contextpack"]["figures"][0]["status"] == "STALE"


def test_a_stream_is_wrapped_and_not_read(nodes: list[NodeWithScore]) -> None:
    """The report is there once the stream has been read to its end."""
    response = engine(nodes, WRONG, streaming=True).query("excess?")
    assert isinstance(response, StreamingResponse)
    before = dict(response.metadata or {})
    text = "".join(response.response_gen)

    assert "contextpack" not in before
    assert (text, response.metadata["contextpack"]["status"]) == (WRONG, "FLAGGED")


def test_an_asynchronous_stream_too(nodes: list[NodeWithScore]) -> None:
    """Read by the user's own loop."""

    async def ask() -> tuple[str, Any]:
        response = await engine(nodes, WRONG, streaming=True).aquery("excess?")
        assert isinstance(response, AsyncStreamingResponse)
        return "".join([delta async for delta in response.async_response_gen()]), response.metadata

    text, metadata = asyncio.run(ask())
    assert (text, metadata["contextpack"]["status"]) == (WRONG, "FLAGGED")


def test_raise_strip_and_retry(nodes: list[NodeWithScore]) -> None:
    """What the policy does to an answer with problems, whole and streamed."""
    with pytest.raises(CitationError, match="525"):
        engine(nodes, WRONG, on_violation="raise").query("excess?")
    stream = engine(nodes, WRONG, on_violation="raise", streaming=True).query("excess?")
    with pytest.raises(CitationError, match="525"):
        list(stream.response_gen)
    assert engine(nodes, WRONG, on_violation="strip").query("?").response == "The excess is 525 euros."
    assert str(engine(nodes, WRONG, on_violation="strip", streaming=True).query("?")) == "The excess is 525 euros."
    retried = engine(nodes, WRONG, RIGHT, on_violation="retry")
    assert retried.query("excess?").metadata["contextpack"]["status"] == "GROUNDED"
    assert asyncio.run(engine(nodes, WRONG, RIGHT, on_violation="retry").aquery("excess?")).response == RIGHT
    prompts = retried.query_engine._response_synthesizer._llm.prompts
    assert len(prompts) == 2
    assert "525" in prompts[1]


@pytest.mark.parametrize("answers", [(WRONG,), (WRONG, RIGHT)], ids=["strip", "retry"])
def test_a_stream_stays_a_stream(nodes: list[NodeWithScore], answers: tuple[str, ...]) -> None:
    """Also where it had to be read first: callers read it as they read every answer of a streaming engine."""
    what = "strip" if len(answers) == 1 else "retry"
    expected = "The excess is 525 euros." if what == "strip" else RIGHT

    async def ask() -> tuple[str, Any]:
        response = await engine(nodes, *answers, on_violation=what, streaming=True).aquery("excess?")
        return "".join([delta async for delta in response.async_response_gen()]), response.metadata["contextpack"]["status"]

    response = engine(nodes, *answers, on_violation=what, streaming=True).query("excess?")
    read = "".join(response.response_gen), response.metadata["contextpack"]["status"]

    status = "FLAGGED" if what == "strip" else "GROUNDED"
    assert [read, asyncio.run(ask())] == [(expected, status)] * 2


def test_a_structured_response_is_stripped_as_one(nodes: list[NodeWithScore]) -> None:
    """Of its marks and its declared claims; it stays what it was."""
    claims = [{"text": "The excess is 525 euros", "labels": ["P1"]}]
    written = json.dumps({"answer": WRONG, "claims": claims, "confidence": 0.5})
    packer = ContextPackPostprocessor(as_of=date(2026, 6, 1))
    inner = RetrieverQueryEngine.from_args(
        Found(nodes), llm=Recorded(answers=[written]), output_cls=GroundedAnswer, node_postprocessors=[packer]
    )

    response = CheckedQueryEngine(inner, {"citations": {"on_violation": "strip"}}).query("excess?")

    assert isinstance(response, PydanticResponse)
    assert response.response == GroundedAnswer(answer="The excess is 525 euros.", confidence=0.5)
    assert response.metadata["contextpack"]["status"] == "FLAGGED"


@pytest.mark.parametrize("what", ["raise", "strip", "retry"])
def test_a_shadow_only_reports(nodes: list[NodeWithScore], what: str) -> None:
    """The model saw no labels: its answer is handed on, and it is asked once."""
    policy = Policy.from_dict({"citations": {"on_violation": what}, "rollout": {"mode": "shadow"}})
    checked = CheckedQueryEngine(engine(nodes, WRONG, RIGHT).query_engine, policy)

    response = checked.query("excess?")

    assert (response.response, response.metadata["contextpack"]["status"]) == (WRONG, "FLAGGED")


def test_the_evaluator(packed: list[NodeWithScore]) -> None:
    """Grounded answers pass; the score is the share of sound statements; the feedback says what is wrong."""
    evaluator = CitationEvaluator()
    good = evaluator.evaluate_response("excess?", Response(RIGHT, packed))
    bad = evaluator.evaluate_response("excess?", Response(f"{RIGHT} {STALE}", packed))
    plain = evaluator.evaluate("excess?", "It is 500 euros [P1].", ["The excess is 500 euros."])

    assert [(r.passing, r.score) for r in (good, bad, plain)] == [(True, 1.0), (False, 0.5), (True, 1.0)]
    assert "350 euros" in (bad.feedback or "")


def test_the_evaluator_does_not_raise() -> None:
    """What cannot be evaluated is an invalid result, so that batch runners do not wait and try again."""
    runner = BatchEvalRunner({"citations": CitationEvaluator()}, workers=2)
    found = asyncio.run(runner.aevaluate_response_strs(["?"], ["It is 500 euros [P1]."], [["It is 500 euros."]]))

    assert found["citations"][0].passing
    assert CitationEvaluator().evaluate("?", None, None).invalid_reason == "response and contexts are wanted"


def test_a_policy_is_a_policy_or_its_settings() -> None:
    """The settings as a mapping are read; the path of a file is refused at once, with what would be right."""
    assert CitationEvaluator({"citations": {"quotes": "required"}}).policy == Policy.from_dict(
        {"citations": {"quotes": "required"}}
    )
    with pytest.raises(ArgumentError, match=r"policy: str — a Policy, .* read by Policy\.from_yaml\(\"app\.yaml\"\)"):
        CitationEvaluator("app.yaml")
    with pytest.raises(ArgumentError, match="policy: str"):
        check_response(Response("It is red [P1]."), policy="app.yaml")
