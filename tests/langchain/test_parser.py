"""CitationOutputParser: checks behind a model, whole and streamed."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from langchain_classic.output_parsers import RetryWithErrorOutputParser
from langchain_core.documents import Document
from langchain_core.exceptions import OutputParserException
from langchain_core.language_models import FakeListChatModel, FakeListLLM, GenericFakeChatModel
from langchain_core.load import dumpd, load
from langchain_core.messages import AIMessage
from langchain_core.outputs import Generation
from langchain_core.prompt_values import StringPromptValue

from contextpack_core import Policy
from langchain_contextpack import CitationOutputParser, ContextPacker

SOURCES = {"P1": "The excess is 500 euros."}
RIGHT = "The excess is 500 euros [P1]."
WRONG = "The excess is 525 euros [P1]."


def parser(on_violation: str = "report") -> CitationOutputParser:
    return CitationOutputParser(policy=Policy(citations={"on_violation": on_violation})).with_sources(SOURCES)


@pytest.mark.parametrize(
    ("answer", "status"), [(RIGHT, "GROUNDED"), (WRONG, "FLAGGED"), ("", "EMPTY"), ("I do not know.", "ABSTAINED")]
)
def test_it_gives_answer_and_report(answer: str, status: str) -> None:
    """All ways into a parser give the same."""
    results = [
        parser().invoke(answer),
        parser().invoke(AIMessage(answer)),
        parser().parse(answer),
        parser().parse_result([Generation(text=answer)]),
        asyncio.run(parser().ainvoke(AIMessage(answer))),
        asyncio.run(parser().aparse(answer)),
        asyncio.run(parser().aparse_result([Generation(text=answer)])),
    ]

    assert [(r["answer"], r["citations"]["status"]) for r in results] == [(answer, status)] * len(results)


def test_a_model_that_writes_json_is_checked_by_what_it_says() -> None:
    """The answer is what the model wrote; the report is on the text in it, however it came."""
    text = json.dumps({"answer": "It is 525 euros.", "claims": [{"text": "It is 525 euros.", "labels": ["P1"]}]})
    streamed = list(parser().transform(iter([text[:30], text[30:]])))

    for result in (parser().invoke(AIMessage(text)), {"answer": "".join(s.get("answer", "") for s in streamed), **streamed[-1]}):
        assert (result["answer"], result["citations"]["answer"], result["citations"]["status"]) == (
            text,
            "It is 525 euros.",
            "FLAGGED",
        )


@pytest.mark.parametrize("model", [FakeListChatModel, FakeListLLM, GenericFakeChatModel])
def test_streamed_as_whole(model: type) -> None:
    """Chat models, text models, characters and words: the joined stream is what invoke returns."""

    def made() -> Any:
        return model(messages=iter([AIMessage(RIGHT)])) if model is GenericFakeChatModel else model(responses=[RIGHT])

    async def achunks() -> list[Any]:
        return [chunk async for chunk in (made() | parser()).astream("?")]

    whole = (made() | parser()).invoke("?")
    for chunks in (list((made() | parser()).stream("?")), asyncio.run(achunks())):
        total = chunks[0]
        for chunk in chunks[1:]:
            total = total + chunk
        assert dict(total) == dict(whole)
        assert list(chunks[-1]) == ["citations"]


def test_an_empty_stream_has_a_report() -> None:
    """A model that says nothing is reported as empty."""
    [only] = list(parser().transform(iter([""])))

    assert (only["answer"], only["citations"]["status"]) == ("", "EMPTY")


@pytest.mark.parametrize("on_violation", ["raise", "retry"])
def test_a_violation_is_an_exception_for_the_model(on_violation: str) -> None:
    """The feedback is in the message, so that parsers which send only that can use it."""
    with pytest.raises(OutputParserException, match="525") as raised:
        parser(on_violation).invoke(WRONG)

    assert raised.value.send_to_llm
    assert raised.value.llm_output == WRONG
    assert "525" in str(raised.value.observation)


def test_a_retry_parser_mends_the_answer() -> None:
    """LangChain's own retry parser asks the model again, with the feedback."""
    retry = RetryWithErrorOutputParser.from_llm(parser=parser("raise"), llm=FakeListChatModel(responses=[RIGHT]))

    assert retry.parse_with_prompt(WRONG, StringPromptValue(text="What is the excess?"))["answer"] == RIGHT


def test_strip() -> None:
    """The marks of an answer with problems are taken out, streamed too."""
    assert parser("strip").invoke(WRONG)["answer"] == "The excess is 525 euros."
    assert [chunk.get("answer") for chunk in parser("strip").transform(iter(["The excess ", "is 525 euros [P1]."]))] == [
        "The excess is 525 euros."
    ]
    assert parser("strip").invoke('{"answer": "The excess is 525 euros [P1].", "claims": []}')["answer"] == (
        '{"answer": "The excess is 525 euros.", "claims": []}'
    )


@pytest.mark.parametrize("what", ["raise", "strip", "retry"])
def test_a_shadow_only_reports(what: str) -> None:
    """The model saw no labels: its answer is handed on."""
    policy = Policy.from_dict({"citations": {"on_violation": what}, "rollout": {"mode": "shadow"}})

    result = CitationOutputParser(policy=policy).with_sources(SOURCES).invoke(WRONG)

    assert (result["answer"], result["citations"]["status"]) == (WRONG, "FLAGGED")


def test_without_sources_nothing_is_judged() -> None:
    """Every citation is NOT_CHECKED."""
    report = CitationOutputParser().invoke(WRONG)["citations"]

    assert [c["status"] for c in report["citations"]] == ["NOT_CHECKED"]
    assert report["figures"] == []


def test_sources_are_bound_to_a_copy() -> None:
    """The parser that others hold does not change; packed documents, packs and mappings are sources."""
    shared = CitationOutputParser()
    documents = ContextPacker().invoke([Document(page_content=SOURCES["P1"])])

    for sources in (documents, ContextPacker().pack_for([Document(page_content=SOURCES["P1"])], ""), SOURCES):
        assert shared.with_sources(sources).invoke(RIGHT)["citations"]["status"] == "GROUNDED"
    assert shared.sources is None


def test_dumpd_and_load_round_trip() -> None:
    """The settings come back, the sources of a request do not."""
    wire = json.loads(json.dumps(dumpd(parser("raise"))))
    back = load(wire, allowed_objects=[CitationOutputParser], valid_namespaces=["langchain_contextpack"])

    assert back.policy == parser("raise").policy
    assert back.sources is None
