"""check_response, CitationEvaluator: answers of LlamaIndex, checked."""

from __future__ import annotations

import asyncio
from datetime import date
from typing import Any

import pytest
from llama_index.core.base.response.schema import AsyncStreamingResponse, PydanticResponse, Response, StreamingResponse
from llama_index.core.evaluation import BatchEvalRunner
from llama_index.core.query_engine import CitationQueryEngine
from llama_index.core.schema import NodeWithScore
from pydantic import BaseModel

from llamaindex_contextpack import CitationEvaluator, ContextPackPostprocessor, acheck_response, check_response
from tests.llamaindex.conftest import Found, Recorded

RIGHT = "The excess is 500 euros [P1]."
WRONG = "The excess is 525 euros [P1]."
STALE = "The excess is 350 euros [P1]."


@pytest.fixture
def packed(nodes: list[NodeWithScore]) -> list[NodeWithScore]:
    return ContextPackPostprocessor(as_of=date(2026, 6, 1)).postprocess_nodes(nodes)


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
