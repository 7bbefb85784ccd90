"""CheckedQueryEngine: answers with their reports, and what is said without evidence."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any

import pytest
from llama_index.core.base.response.schema import AsyncStreamingResponse, PydanticResponse, Response, StreamingResponse
from llama_index.core.llms import MockLLM
from llama_index.core.query_engine import CustomQueryEngine, RetrieverQueryEngine
from llama_index.core.response_synthesizers import get_response_synthesizer
from llama_index.core.schema import NodeWithScore

from contextpack_core import CitationError, GroundedAnswer, Policy
from llamaindex_contextpack import CheckedQueryEngine, ContextPackPostprocessor, check_response, grounded_qa_template
from tests.llamaindex.conftest import AS_OF, DECLINABLE, Found, Recorded, answering

RIGHT = "The excess is 500 euros [P1]."
WRONG = "The excess is 525 euros [P1]."
STALE = "The excess is 350 euros [P1]."


def acting(nodes: list[NodeWithScore], *answers: str, on_violation: str = "report", streaming: bool = False) -> CheckedQueryEngine:
    packer = ContextPackPostprocessor(as_of=AS_OF)
    inner = RetrieverQueryEngine.from_args(
        Found(nodes), llm=Recorded(answers=list(answers)), node_postprocessors=[packer], streaming=streaming
    )
    return CheckedQueryEngine(inner, Policy(citations={"on_violation": on_violation}))


def test_the_engine_adds_the_report(nodes: list[NodeWithScore]) -> None:
    """Sync and async, as plain data."""
    checked = acting(nodes, STALE)
    for response in (checked.query("excess?"), asyncio.run(checked.aquery("excess?"))):
        assert isinstance(response, Response)
        assert response.response == STALE
        assert json.loads(json.dumps(response.metadata))["contextpack"]["figures"][0]["status"] == "STALE"


def test_a_stream_is_wrapped_and_not_read(nodes: list[NodeWithScore]) -> None:
    """The report is there once the stream has been read to its end."""
    response = acting(nodes, WRONG, streaming=True).query("excess?")
    assert isinstance(response, StreamingResponse)
    before = dict(response.metadata or {})
    text = "".join(response.response_gen)

    assert "contextpack" not in before
    assert (text, response.metadata["contextpack"]["status"]) == (WRONG, "FLAGGED")


def test_an_asynchronous_stream_too(nodes: list[NodeWithScore]) -> None:
    """Read by the user's own loop."""

    async def ask() -> tuple[str, Any]:
        response = await acting(nodes, WRONG, streaming=True).aquery("excess?")
        assert isinstance(response, AsyncStreamingResponse)
        return "".join([delta async for delta in response.async_response_gen()]), response.metadata

    text, metadata = asyncio.run(ask())
    assert (text, metadata["contextpack"]["status"]) == (WRONG, "FLAGGED")


def test_raise_strip_and_retry(nodes: list[NodeWithScore]) -> None:
    """What the policy does to an answer with problems, whole and streamed."""
    with pytest.raises(CitationError, match="525"):
        acting(nodes, WRONG, on_violation="raise").query("excess?")
    stream = acting(nodes, WRONG, on_violation="raise", streaming=True).query("excess?")
    with pytest.raises(CitationError, match="525"):
        list(stream.response_gen)
    assert acting(nodes, WRONG, on_violation="strip").query("?").response == "The excess is 525 euros."
    assert str(acting(nodes, WRONG, on_violation="strip", streaming=True).query("?")) == "The excess is 525 euros."
    retried = acting(nodes, WRONG, RIGHT, on_violation="retry")
    assert retried.query("excess?").metadata["contextpack"]["status"] == "GROUNDED"
    assert asyncio.run(acting(nodes, WRONG, RIGHT, on_violation="retry").aquery("excess?")).response == RIGHT
    prompts = retried.query_engine._response_synthesizer._llm.prompts
    assert len(prompts) == 2
    assert "525" in prompts[1]


@pytest.mark.parametrize("answers", [(WRONG,), (WRONG, RIGHT)], ids=["strip", "retry"])
def test_a_stream_stays_a_stream(nodes: list[NodeWithScore], answers: tuple[str, ...]) -> None:
    """Also where it had to be read first: callers read it as they read every answer of a streaming engine."""
    what = "strip" if len(answers) == 1 else "retry"
    expected = "The excess is 525 euros." if what == "strip" else RIGHT

    async def ask() -> tuple[str, Any]:
        response = await acting(nodes, *answers, on_violation=what, streaming=True).aquery("excess?")
        return "".join([delta async for delta in response.async_response_gen()]), response.metadata["contextpack"]["status"]

    response = acting(nodes, *answers, on_violation=what, streaming=True).query("excess?")
    read = "".join(response.response_gen), response.metadata["contextpack"]["status"]

    status = "FLAGGED" if what == "strip" else "GROUNDED"
    assert [read, asyncio.run(ask())] == [(expected, status)] * 2


def test_a_structured_response_is_stripped_as_one(nodes: list[NodeWithScore]) -> None:
    """Of its marks and its declared claims; it stays what it was."""
    claims = [{"text": "The excess is 525 euros", "labels": ["P1"]}]
    written = json.dumps({"answer": WRONG, "claims": claims, "confidence": 0.5})
    packer = ContextPackPostprocessor(as_of=AS_OF)
    inner = RetrieverQueryEngine.from_args(
        Found(nodes), llm=Recorded(answers=[written]), output_cls=GroundedAnswer, node_postprocessors=[packer]
    )

    response = CheckedQueryEngine(inner, {"citations": {"on_violation": "strip"}}).query("excess?")

    assert isinstance(response, PydanticResponse)
    assert response.response == GroundedAnswer(answer="The excess is 525 euros.", confidence=0.5)
    assert response.metadata["contextpack"]["status"] == "FLAGGED"
    assert json.loads(acting(nodes, written, on_violation="strip").query("excess?").response) == {
        "answer": "The excess is 525 euros.",
        "claims": [],
        "confidence": 0.5,
    }


@pytest.mark.parametrize("what", ["raise", "strip", "retry"])
def test_a_shadow_only_reports(nodes: list[NodeWithScore], what: str) -> None:
    """The model saw no labels: its answer is handed on, and it is asked once."""
    policy = Policy.from_dict({"citations": {"on_violation": what}, "rollout": {"mode": "shadow"}})
    checked = CheckedQueryEngine(acting(nodes, WRONG, RIGHT).query_engine, policy)

    response = checked.query("excess?")

    assert (response.response, response.metadata["contextpack"]["status"]) == (WRONG, "FLAGGED")


# ---------------------------------------------------------------- without evidence


def declining(policy: Policy, **options: Any) -> CheckedQueryEngine:
    inner = RetrieverQueryEngine(
        Found(DECLINABLE),
        get_response_synthesizer(llm=MockLLM(), text_qa_template=grounded_qa_template(policy), **options),
        node_postprocessors=[ContextPackPostprocessor(policy=policy, as_of=AS_OF)],
    )
    return CheckedQueryEngine(inner, policy=policy)


def read(checked: CheckedQueryEngine, question: str, *, streaming: bool) -> list[tuple[str, Any]]:
    """The text and the response, sync and async, read as callers of such an engine read them."""

    async def ask() -> tuple[str, Any]:
        response = await checked.aquery(question)
        if not streaming:
            return response.response, response
        assert isinstance(response, AsyncStreamingResponse)
        return "".join([delta async for delta in response.async_response_gen()]), response

    response = checked.query(question)
    assert isinstance(response, StreamingResponse if streaming else Response)
    text = "".join(response.response_gen) if streaming else response.response
    return [(text, response), asyncio.run(ask())]


@pytest.mark.parametrize("options", [{}, {"streaming": True}])
@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"relevance": {"min_score": 0.5}}, "What was found is not relevant enough."),
        ({"grounding": {"min_score": 0.5}}, "The best passage has a score of 0.1; 0.5 is asked for."),
    ],
)
def test_an_empty_response_becomes_a_message(settings, reason, options):
    """It says what was searched; the report is an abstention; sync and async, and as a stream where the engine streams."""
    checked = declining(Policy.from_dict(settings), **options)

    responses = read(checked, "Excess?", streaming=bool(options))

    for text, response in responses:
        assert text == (
            f"The documents do not answer this question. {reason} "
            "Searched: Wording (edition 2026, in force from 2026-01-01); Fees. The day asked about: 2026-06-01."
        )
        assert response.metadata["contextpack"]["status"] == "ABSTAINED"
        assert response.metadata["declined"]["searched"][0] == {"doc_id": "w26", "title": "Wording", "edition": "2026"}


def test_with_evidence_the_engine_answers():
    """The mock model repeats its prompt."""
    response = declining(Policy()).query("Excess?")

    assert "Question: Excess?" in response.response
    assert "declined" not in response.metadata


@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize("nodes", [DECLINABLE, []])
@pytest.mark.parametrize(
    "settings", [{"grounding": {"pattern": "disclaimer"}}, {"grounding": {"decline": "never"}}], ids=["disclaimer", "never"]
)
def test_without_evidence_the_model_is_asked_where_the_policy_does_not_decline(settings, nodes, streaming):
    """It reads that there are no passages; what it may say then is checked, and cites nothing."""
    policy = Policy.from_dict({**settings, "relevance": {"min_score": 0.5}})
    general = "Not from the documents: an excess is your own share."
    said = general if policy.grounding.pattern == "disclaimer" else policy.grounding.sentence
    checked, llm = answering(policy, nodes, said, streaming=streaming)

    responses = read(checked, "What is an excess?", streaming=streaming)

    status = "UNCITED" if said == general else "ABSTAINED"
    for text, response in responses:
        assert (text, response.source_nodes, set(response.metadata)) == (said, [], {"contextpack"})
        assert (response.metadata["contextpack"]["status"], response.metadata["contextpack"]["problems"]) == (status, [])
    line = "The answer must be true for this day: 2026-06-01"
    assert len(llm.prompts) == 2
    for prompt in llm.prompts:
        assert f"{line}\n\nPassages: none were found.\n\nQuestion: What is an excess?" in prompt


@pytest.mark.parametrize("mode", ["refine", "compact", "tree_summarize", "simple_summarize", "accumulate"])
def test_every_response_mode_asks_without_evidence(mode):
    """Once, whatever it does with passages."""
    checked, llm = answering(Policy(grounding={"decline": "never"}), [], "x", response_mode=mode)

    checked.query("q")

    assert len(llm.prompts) == 1
    assert "Passages: none were found." in llm.prompts[0]


def test_an_answer_without_evidence_is_asked_for_again_over_none():
    """A figure that no passage holds is sent back; the model still reads that there are none."""
    policy = Policy.from_dict({"grounding": {"decline": "never"}, "citations": {"on_violation": "retry"}})
    checked, llm = answering(policy, [], "It is 500 euros [P1].", "It is 900 euros [P1].")

    response = checked.query("q")

    assert (response.response, response.source_nodes, len(llm.prompts)) == ("It is 900 euros [P1].", [], 2)
    assert "Passages: none were found." in llm.prompts[1]


def test_an_engine_that_cannot_be_asked_keeps_its_response():
    """Not every engine can synthesize."""

    class Closed(CustomQueryEngine):
        def custom_query(self, query_str: str) -> Response:
            ContextPackPostprocessor(as_of=AS_OF).postprocess_nodes([], query_str=query_str)
            return Response("Empty Response")

    checked = CheckedQueryEngine(Closed(), Policy(grounding={"decline": "never"}))

    assert [checked.query("q").response, asyncio.run(checked.aquery("q")).response] == ["Empty Response"] * 2


@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize("nodes", [DECLINABLE, []])
def test_a_shadow_changes_nothing_that_a_user_sees(nodes, streaming, caplog):
    """The engine's own answer or its own "Empty Response"; the log says what would have been declined."""
    settings = {"relevance": {"min_score": 0.5}, "rollout": {"mode": "shadow"}, "trace": {"sink": "logging"}}
    policy = Policy.from_dict({**settings, "citations": {"on_violation": "raise"}})
    checked, _ = answering(policy, nodes, "It is 500 euros.", streaming=streaming)
    with caplog.at_level(logging.INFO, "contextpack"):
        texts = [text for text, _ in read(checked, "Excess?", streaming=streaming)]

    assert texts == ["It is 500 euros." if nodes else "Empty Response"] * 2
    told = [record.contextpack for record in caplog.records if "acted" in record.contextpack]
    assert [(record["declined"], record["acted"]) for record in told] == [("NOT_RELEVANT" if nodes else "NO_EVIDENCE", False)] * 2


def test_a_structured_engine_declines_with_a_structured_answer():
    """It abstains and says what is missing; sync and async."""
    policy = Policy.from_dict({"relevance": {"min_score": 0.5}})
    checked = CheckedQueryEngine(declining(policy).query_engine, policy, structured=True)

    for response in (checked.query("Excess?"), asyncio.run(checked.aquery("Excess?"))):
        assert isinstance(response, PydanticResponse)
        assert (response.abstain, response.missing) == (True, ["Excess?"])
        assert response.answer == response.metadata["declined"]["message"]
        assert check_response(response, policy=policy).status == "ABSTAINED"
