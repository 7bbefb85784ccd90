"""Prompts, declining and native citations in LlamaIndex."""

from __future__ import annotations

import asyncio
import logging
from datetime import date
from typing import Any

import pytest
from llama_index.core.base.llms.types import ChatMessage, CitationBlock, TextBlock
from llama_index.core.base.response.schema import AsyncStreamingResponse, PydanticResponse, Response, StreamingResponse
from llama_index.core.llms import MockLLM
from llama_index.core.prompts import ChatPromptTemplate, PromptTemplate
from llama_index.core.prompts.prompt_utils import get_empty_prompt_txt
from llama_index.core.query_engine import CustomQueryEngine, RetrieverQueryEngine
from llama_index.core.response_synthesizers import get_response_synthesizer
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from contextpack_core import (
    AnswerError,
    ArgumentError,
    Policy,
    PolicyError,
    grounded_head,
    grounded_messages,
    lint_prompt,
    pack,
    request_scope,
)
from llamaindex_contextpack import (
    CheckedQueryEngine,
    CitationEvaluator,
    ContextPackPostprocessor,
    SubQueryRetriever,
    check_message,
    check_response,
    citable_blocks,
    grounded_qa_template,
    grounded_refine_template,
    pack_of,
)
from tests.llamaindex.conftest import Recorded

AS_OF = date(2026, 6, 1)


class Found(BaseRetriever):
    def __init__(self, nodes: list[NodeWithScore]) -> None:
        super().__init__()
        self._nodes = nodes

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return self._nodes


def node(name: str, text: str, **metadata: Any) -> NodeWithScore:
    return NodeWithScore(node=TextNode(id_=name, text=text, metadata={"doc_id": name, **metadata}), score=0.1)


NODES = [
    node("w26", "The excess is 500 euros.", title="Wording", family="w", edition="2026", effective_from="2026-01-01"),
    node("fees", "The fee is 20 euros.", title="Fees"),
]


def engine(policy: Policy, **options: Any) -> CheckedQueryEngine:
    inner = RetrieverQueryEngine(
        Found(NODES),
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


def test_the_messages_are_those_of_the_core():
    """Head and tail, byte for byte; names of variables in passages, question and glossary are text."""
    policy = Policy.from_dict({"grounding": {"glossary": {"{context_str}": "{query_str}"}}})
    template = grounded_qa_template(policy)

    messages = template.format_messages(context_str="{query_str} c", query_str="{context_str} q")

    assert {"context_str", "query_str"} <= set(template.template_vars)
    expected = grounded_messages(policy, "{context_str} q", "{query_str} c")
    assert [(m.role.value, m.content) for m in messages] == expected


def test_the_day_and_the_intent_are_those_of_the_request():
    """The scope around comes before the argument; the question picks the intent."""
    policy = Policy.from_dict({"intents": {"chat": {"cues": ["tell me"], "grounding": {"pattern": "augmented"}}}})
    template = grounded_qa_template(policy, as_of=date(2026, 1, 1)).partial_format(query_str="tell me")

    outside = template.format_messages(context_str="c")
    with request_scope(as_of="2026-02-01"):
        inside = template.format_messages(context_str="c")

    days = [messages[1].content.partition("\n")[0][-10:] for messages in (outside, inside)]
    assert days == ["2026-01-01", "2026-02-01"]
    assert outside[0].content == grounded_head(policy, intent="chat")


@pytest.mark.parametrize("name", ["context_msg", "context_str"])
def test_refining(name):
    """The further passages under either name, and the answer so far as text."""
    messages = grounded_refine_template().format_messages(
        query_str="q", existing_answer="A {query_str}", **{name: "more {query_str}"}
    )

    assert messages[1].content.startswith("Passages:\nmore {query_str}\n\nQuestion: q\n\nAbove is a part")
    assert "The answer so far:\nA {query_str}\n" in messages[1].content


def test_the_size_of_the_prompt_is_seen_by_the_framework():
    """LlamaIndex measures the empty prompt: the head is in it."""
    assert grounded_head(Policy()) in get_empty_prompt_txt(grounded_qa_template())


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
    checked = engine(Policy.from_dict(settings), **options)

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
    response = engine(Policy()).query("Excess?")

    assert "Question: Excess?" in response.response
    assert "declined" not in response.metadata


def test_citation_blocks_are_checked():
    """A block belongs to the text before it; last year's figure is found behind a valid pointer."""
    found = [
        {"id": n.node.node_id, "text": n.node.text, "metadata": n.node.metadata}
        for n in [*NODES, node("w25", "The excess is 350 euros.", family="w", edition="2025", effective_from="2025-01-01")]
    ]
    made = pack(found, "Excess?", as_of=AS_OF)
    block = citable_blocks(made)[0]

    def said(text: str) -> ChatMessage:
        citation = CitationBlock(
            cited_content=TextBlock(text="The excess is 500 euros."),
            source=block.source,
            title=block.title,
            additional_location_info={"search_result_index": 0, "start_block_index": 0, "end_block_index": 1},
        )
        return ChatMessage(role="assistant", blocks=[TextBlock(text=text), citation])

    reports = [check_message(said(text), made) for text in ("It is 500 euros.", "It is 350 euros.")]

    assert block.title == "P1 Wording, edition 2026"
    assert [str(report.status) for report in reports] == ["GROUNDED", "FLAGGED"]
    assert [str(figure.status) for figure in reports[1].figures] == ["STALE"]


def answering(policy: Policy, nodes: list[NodeWithScore], *answers: str, streaming: bool = False, **options: Any) -> Any:
    """A checked engine over a recorded model, and that model."""
    llm = Recorded(answers=list(answers))
    synthesizer = get_response_synthesizer(
        llm=llm,
        text_qa_template=grounded_qa_template(policy),
        refine_template=grounded_refine_template(policy),
        summary_template=grounded_qa_template(policy),
        streaming=streaming,
        **options,
    )
    packer = ContextPackPostprocessor(policy=policy, as_of=AS_OF)
    inner = RetrieverQueryEngine(Found(nodes), synthesizer, node_postprocessors=[packer])
    return CheckedQueryEngine(inner, policy), llm


@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize("nodes", [NODES, []])
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
@pytest.mark.parametrize("nodes", [NODES, []])
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
    checked = CheckedQueryEngine(engine(policy).query_engine, policy, structured=True)

    for response in (checked.query("Excess?"), asyncio.run(checked.aquery("Excess?"))):
        assert isinstance(response, PydanticResponse)
        assert (response.abstain, response.missing) == (True, ["Excess?"])
        assert response.answer == response.metadata["declined"]["message"]
        assert check_response(response, policy=policy).status == "ABSTAINED"


def test_day_and_intent_are_those_of_the_pack():
    """Those of the postprocessor's own fields too, where the engine is checked; else those of the request."""
    policy = Policy.from_dict({"intents": {"chat": {"cues": ["tell me"], "grounding": {"pattern": "augmented"}}}})
    checked, llm = answering(policy, NODES, "x")
    checked.query_engine._node_postprocessors[0].classify = lambda question: "chat"

    checked.query("Excess?")
    asyncio.run(checked.aquery("Excess?"))
    with request_scope(as_of="2026-02-01"):
        checked.query_engine.query("Excess?")

    wanted = [grounded_head(policy, intent=intent) for intent in ("chat", "chat", None)]
    heads = [head in prompt for head, prompt in zip(wanted, llm.prompts, strict=True)]
    days = [prompt.partition("this day: ")[2][:10] for prompt in llm.prompts]
    assert (heads, days) == ([True] * 3, ["2026-06-01", "2026-06-01", "2026-02-01"])


def test_a_stream_is_asked_for_with_the_day_and_intent_of_its_request():
    """LlamaIndex fills the template when the stream is read, outside of the scope in which it was asked for."""
    policy = Policy.from_dict({"intents": {"chat": {"grounding": {"pattern": "augmented"}}}})
    checked, llm = answering(policy, NODES, "x", streaming=True)

    for asked in (checked, checked.query_engine):
        with request_scope(as_of="2026-02-01", intent="chat"):
            response = asked.query("Excess?")
        list(response.response_gen)

    assert ["this day: 2026-02-01" in prompt for prompt in llm.prompts] == [True, True]
    assert [grounded_head(policy, intent="chat") in prompt for prompt in llm.prompts] == [True, True]


@pytest.mark.parametrize(
    ("as_of", "question", "day"),
    [(date(2026, 3, 1), "Fee?", "2026-03-01"), ("from_query", "What was the fee on 2024-05-05?", "2024-05-05")],
)
def test_the_day_of_policy_and_question(as_of, question, day):
    """Where neither pack nor request says one."""
    template = grounded_qa_template({"versions": {"as_of": as_of}})

    tail = template.format_messages(context_str="c", query_str=question)[1].content

    assert tail.startswith(f"The answer must be true for this day: {day}\n\nPassages:\nc\n")


def test_the_structured_prompt_is_that_of_the_core():
    """Both templates tell how to fill a GroundedAnswer."""
    head = grounded_head(Policy(), structured=True)

    qa = grounded_qa_template(structured=True).format_messages(context_str="c", query_str="q")
    refine = grounded_refine_template(structured=True).format_messages(context_msg="c", query_str="q", existing_answer="a")

    assert [messages[0].content for messages in (qa, refine)] == [head, head]


TAKERS = {
    "ContextPackPostprocessor": lambda policy: ContextPackPostprocessor(policy=policy),
    "CheckedQueryEngine": lambda policy: CheckedQueryEngine(engine(Policy()), policy),
    "CitationEvaluator": CitationEvaluator,
    "SubQueryRetriever": lambda policy: SubQueryRetriever(Found([]), policy),
    "grounded_qa_template": grounded_qa_template,
    "grounded_refine_template": grounded_refine_template,
    "check_response": lambda policy: check_response(Response("x"), policy=policy),
    "check_message": lambda policy: check_message(ChatMessage("x"), pack([]), policy=policy),
}


@pytest.mark.parametrize("name", TAKERS)
def test_a_policy_is_read_where_it_is_given(name):
    """Its settings are taken, and what is wrong with them comes first in the message; YAML is refused with what reads it."""
    for given in (Policy(), {"grounding": {"pattern": "augmented"}}, None):
        TAKERS[name](given)
    with pytest.raises(PolicyError, match=r"^policy grounding\.pattern: 'strictt' — one of [a-z, ]+; did you mean strict\?$"):
        TAKERS[name]({"grounding": {"pattern": "strictt"}})
    with pytest.raises(ArgumentError, match=r"^policy: str — .*; YAML is read by Policy\.from_yaml\(\"a: 1\"\)") as error:
        TAKERS[name]("a: 1")
    assert ("ContextPackPostprocessor.from_yaml" in str(error.value)) == (name == "ContextPackPostprocessor")


def test_what_is_no_message_and_what_are_no_nodes():
    """Neither ends in an attribute of None."""
    with pytest.raises(AnswerError, match=r"^message: NoneType — the ChatMessage that the model returned is wanted$"):
        check_message(None, pack([]))
    for given in (None, "text", [3], [None]):
        with pytest.raises(ArgumentError, match=r"^nodes: \w+.* is wanted$"):
            pack_of(given)


def test_templates_are_linted_over_their_fixed_parts():
    """What the policy words is fixed; a variable in the head of one's own template is named."""
    own = ChatPromptTemplate.from_messages([("system", "Be brief, {brand}. At 14:05."), ("user", "{query_str} 14:06")])

    assert lint_prompt(grounded_qa_template()) == []
    assert [(f.message, f.kind, f.text) for f in lint_prompt(own)] == [(0, "variable", "{brand}"), (0, "time", "14:05")]
    assert [f.text for f in lint_prompt(PromptTemplate("{context_str} at 14:05"))] == ["{context_str}", "14:05"]
