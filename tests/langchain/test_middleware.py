"""An agent whose retrieval results are packed together and whose answer is checked."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from dataclasses import dataclass
from datetime import date
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.structured_output import ProviderStrategy, ToolStrategy
from langchain_core.documents import Document
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.tools import create_retriever_tool
from langgraph.checkpoint.memory import InMemorySaver
from pydantic import BaseModel

import langchain_contextpack
from contextpack_core import ArgumentError, CitationError, GroundedAnswer, Policy, grounded_head
from langchain_contextpack import ContextPacker
from langchain_contextpack.middleware import NOTHING_LEFT, ContextPackMiddleware
from tests.langchain.conftest import Hits

OLD, NEW, FEE = "The excess is 350 euros.", "The excess is 500 euros.", "The fee is 20 euros."


class Listener(GenericFakeChatModel):
    """A model that remembers what it was asked, and takes tools."""

    seen: list[Any] = []  # noqa: RUF012

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return self

    def _generate(self, messages: Any, *args: Any, **kwargs: Any) -> Any:
        self.seen.append(messages)
        return super()._generate(messages, *args, **kwargs)


def calls(*names: str) -> AIMessage:
    return AIMessage("", tool_calls=[{"name": name, "args": {"query": "q"}, "id": f"call_{name}"} for name in names])


def tool(name: str, *found: Document) -> Any:
    return create_retriever_tool(Hits(found=list(found)), name, "Searches.", response_format="content_and_artifact")


def agent(
    replies: list[AIMessage], policy: Policy | None = None, middleware: dict[str, Any] | None = None, **options: Any
) -> tuple[Any, Listener]:
    old = Document(OLD, id="old", metadata={"doc_id": "w25", "family": "w", "edition": "2025", "effective_from": "2025-01-01"})
    new = Document(NEW, id="new", metadata={"doc_id": "w26", "family": "w", "edition": "2026", "effective_from": "2026-01-01"})
    fee = Document(FEE, id="fee", metadata={"doc_id": "fees"})
    model = Listener(messages=iter(replies), seen=[])
    packing = ContextPackMiddleware(policy, as_of=date(2026, 6, 1), count_tokens=len, **(middleware or {}))
    tools = [tool("rules", new, fee), tool("archive", old, fee)]
    return create_agent(model, tools, middleware=[packing], **options), model


ASK = {"messages": [HumanMessage("What is the excess?")]}


@pytest.mark.parametrize("run", [lambda a: a.invoke(ASK), lambda a: asyncio.run(a.ainvoke(ASK))])
def test_all_results_of_a_request_are_packed_together(run):
    """Old editions and duplicates go, labels run through, each call is answered, the state keeps the messages."""
    made, model = agent([calls("rules", "archive"), AIMessage("The excess is 500 euros [P1]. The fee is 20 euros [P2].")])

    state = run(made)

    shown = [message.content for message in model.seen[-1] if isinstance(message, ToolMessage)]
    assert shown == [
        f'<passage id="P1" edition="2026" effective="from 2026-01-01">\n{NEW}\n</passage>\n\n<passage id="P2">\n{FEE}\n</passage>',
        NOTHING_LEFT,
    ]
    kept = [message.content for message in state["messages"] if isinstance(message, ToolMessage)]
    assert kept == [f"{NEW}\n\n{FEE}", f"{OLD}\n\n{FEE}"]
    assert state["citations"]["status"] == "GROUNDED"
    assert "contextpack" not in state


def test_the_answer_is_checked():
    """Last year's figure behind a valid label is a problem; with ``raise`` it is an error."""
    replies = [calls("rules", "archive"), AIMessage("The excess is 350 euros [P1].")]

    state = agent(list(replies))[0].invoke(ASK)
    strict = agent(list(replies), Policy.from_dict({"citations": {"on_violation": "raise"}}))[0]

    assert (state["citations"]["status"], state["citations"]["figures"][0]["status"]) == ("FLAGGED", "STALE")
    with pytest.raises(CitationError, match="350 euros"):
        strict.invoke(ASK)


def test_labels_hold_for_the_thread():
    """In the next turn, after a checkpoint, the passages of the turn before keep theirs."""
    replies = [calls("archive"), AIMessage("The fee is 20 euros [P2]."), calls("rules"), AIMessage("It is 500 euros [P3].")]
    made, model = agent(replies, checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "1"}}

    first = made.invoke({"messages": [HumanMessage("The fee?")]}, config)
    second = made.invoke({"messages": [HumanMessage("The excess?")]}, config)

    shown = [message.content for message in model.seen[-1] if isinstance(message, ToolMessage)]
    assert first["citations"]["status"] == "GROUNDED"
    assert f'<passage id="P3" edition="2026" effective="from 2026-01-01">\n{NEW}' in shown[1]
    assert [f'<passage id="P2">\n{FEE}' in content for content in shown].count(True) == 1
    assert second["citations"]["status"] == "GROUNDED"


def test_an_agent_without_retrieval_is_left_alone():
    """No artifact of documents, nothing to pack, nothing to check."""
    state = agent([AIMessage("Hello.")])[0].invoke(ASK)

    assert state["messages"][-1].content == "Hello."
    assert "citations" not in state


WRONG, RIGHT = "The excess is 350 euros [P1].", "The excess is 500 euros [P1]."
RUNS = pytest.mark.parametrize("run", [lambda a: a.invoke(ASK), lambda a: asyncio.run(a.ainvoke(ASK))])


def on_violation(what: str, **more: Any) -> Policy:
    return Policy.from_dict({"citations": {"on_violation": what}, **more})


def answers(state: Any) -> list[str]:
    return [str(message.text) for message in state["messages"] if isinstance(message, AIMessage) and message.text]


@RUNS
def test_retry_sends_what_is_wrong_back_to_the_model(run):
    """The model sees its answer and the feedback; only the second answer enters the state, and the report is on that."""
    made, model = agent([calls("rules", "archive"), AIMessage(WRONG), AIMessage(RIGHT)], on_violation("retry"))

    state = run(made)

    assert answers(state) == [RIGHT]
    assert state["citations"]["status"] == "GROUNDED"
    *before, answer, feedback = model.seen[-1]
    assert before == model.seen[-2]
    assert (answer.text, feedback.type) == (WRONG, "human")
    assert "350 euros" in feedback.text
    assert sum(message.type == "human" for message in state["messages"]) == 1


@RUNS
@pytest.mark.parametrize(("options", "asked"), [({}, 2), ({"retries": 2}, 3)])
def test_retry_is_bounded(run, options, asked):
    """After so many retries the last answer stands, with its report."""
    made, model = agent([calls("rules", "archive"), *[AIMessage(WRONG)] * 5], on_violation("retry"), middleware=options)

    state = run(made)

    assert len(model.seen) == 1 + asked
    assert (answers(state), state["citations"]["status"]) == ([WRONG], "FLAGGED")


def test_retry_leaves_a_good_answer_alone():
    """Nothing is wrong: the model is asked once."""
    made, model = agent([calls("rules", "archive"), AIMessage(RIGHT)], on_violation("retry"))

    assert answers(made.invoke(ASK)) == [RIGHT]
    assert len(model.seen) == 2


@RUNS
def test_strip_takes_the_marks_out(run):
    """The answer takes the place of the one with marks; the report says what was wrong with that."""
    made, _ = agent([calls("rules", "archive"), AIMessage(WRONG)], on_violation("strip"))

    state = run(made)

    assert answers(state) == ["The excess is 350 euros."]
    assert (state["citations"]["status"], state["citations"]["figures"][0]["status"]) == ("FLAGGED", "STALE")


@pytest.mark.parametrize("what", ["strip", "raise", "retry"])
def test_nothing_is_done_to_an_answer_while_the_rollout_is_a_shadow(what):
    """The model saw no labels: the report is there, the answer is as it was, and it was asked for once."""
    made, model = agent([calls("rules", "archive"), AIMessage(WRONG)], on_violation(what, rollout={"mode": "shadow"}))

    state = made.invoke(ASK)

    assert (answers(state), state["citations"]["status"], len(model.seen)) == ([WRONG], "FLAGGED", 2)


def test_the_policy_comes_from_yaml() -> None:
    """As with the other classes, further arguments beside it; a path in the place of a policy is an error that says how."""
    assert ContextPackMiddleware.from_yaml("budget: {evidence: 99}", name="second").policy == Policy(budget={"evidence": 99})
    assert ContextPackMiddleware.from_yaml("{}", name="second").name == "second"
    with pytest.raises(ArgumentError, match=r"^policy: str — a Policy, .* or ContextPackMiddleware\.from_yaml"):
        ContextPackMiddleware("policy.yaml")


TEXT_ALONE = [*ASK["messages"], calls("search"), ToolMessage(f"[P1] {NEW}", tool_call_id="call_search")]


@pytest.mark.parametrize("violation", ["report", "strip", "raise", "retry"])
def test_an_answer_that_cites_where_nothing_was_packed_is_reported_as_not_checked(violation):
    """A tool that returns text alone leaves nothing to check labels against: the report says so and why, and the answer stays."""
    policy = Policy.from_dict({"citations": {"on_violation": violation}})

    state = agent([AIMessage("It is 500 euros [P1] [P2].")], policy)[0].invoke({"messages": TEXT_ALONE})

    report = state["citations"]
    assert report["status"] == "NOT_CHECKED"
    assert [(problem["kind"], problem["what"], problem["wanted"]) for problem in report["problems"]] == [
        (
            "citation",
            "[P1], [P2] could not be checked",
            "no tool handed over a document, so nothing was packed: a retrieval tool hands them over with "
            'response_format="content_and_artifact"',
        )
    ]
    assert state["messages"][-1].content == "It is 500 euros [P1] [P2]."


def test_where_nothing_was_packed_a_report_is_on_the_last_answer():
    """None on an answer that cites nothing, and none of the turn before; none at all while the rollout is off."""
    replies = [AIMessage("It is 500 euros [P1]."), AIMessage("You are welcome.")]
    made, _ = agent(list(replies), checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "1"}}
    off, _ = agent(list(replies), Policy.from_dict({"rollout": {"mode": "off"}}))

    first = made.invoke({"messages": TEXT_ALONE}, config)
    second = made.invoke({"messages": [HumanMessage("Thanks.")]}, config)

    assert [state["citations"]["status"] for state in (first, second)] == ["NOT_CHECKED", "UNCITED"]
    assert "citations" not in off.invoke({"messages": TEXT_ALONE})
    assert "citations" not in agent(replies[1:])[0].invoke({"messages": TEXT_ALONE})


def test_a_star_needs_no_further_extra():
    """The middleware needs the extra ``agents``: it is there by its name, and a star leaves it out."""
    code = "import sys; sys.modules['langchain'] = None; from langchain_contextpack import *; print(ContextPacker.__name__)"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout

    assert printed == "ContextPacker\n"
    assert langchain_contextpack.ContextPackMiddleware is ContextPackMiddleware


def test_retries_are_one_or_more():
    """None at all is another setting."""
    with pytest.raises(ValueError, match="retries: 0 — 1 or more"):
        ContextPackMiddleware(retries=0)


def test_passages_of_a_packing_retriever_are_packed_without_their_envelopes():
    """A tool may search through a retriever that packs already: the model sees one envelope a passage."""
    found = ContextPacker().compress_documents([Document(NEW, metadata={"doc_id": "w26"})], "")
    model = Listener(messages=iter([calls("rules"), AIMessage(RIGHT)]), seen=[])

    create_agent(model, [tool("rules", *found)], middleware=[ContextPackMiddleware(count_tokens=len)]).invoke(ASK)

    shown = [message.content for message in model.seen[-1] if isinstance(message, ToolMessage)]
    assert shown == [f'<passage id="P1">\n{NEW}\n</passage>']


# ---- structured answers


@dataclass
class Plain:
    """A form of a user's own."""

    answer: str


class OtherForm(BaseModel):
    """A form without an answer."""

    total: int


def structured(strategy: Any, **fields: Any) -> AIMessage:
    """What a model writes under that strategy."""
    if isinstance(strategy, ToolStrategy):
        return AIMessage("", tool_calls=[{"name": strategy.schema.__name__, "args": fields, "id": "answer"}])
    return AIMessage(json.dumps(fields))


STRATEGIES = pytest.mark.parametrize(
    "strategy", [ToolStrategy(GroundedAnswer), ProviderStrategy(GroundedAnswer)], ids=["tool", "provider"]
)


def grounded(text: str) -> dict[str, Any]:
    return {"answer": text, "claims": [{"text": text.removesuffix(" [P1]."), "labels": ["P1"]}]}


@RUNS
@STRATEGIES
@pytest.mark.parametrize("form", [GroundedAnswer, Plain])
def test_a_structured_response_is_checked(run, strategy, form):
    """Last year's figure in it is found, as in a text; also in a form of a user's own that has an answer."""
    strategy = type(strategy)(form)
    fields = grounded(WRONG) if form is GroundedAnswer else {"answer": WRONG}
    made, _ = agent([calls("rules", "archive"), structured(strategy, **fields)], response_format=strategy)

    state = run(made)

    assert state["structured_response"].answer == WRONG
    assert (state["citations"]["status"], state["citations"]["answer"]) == ("FLAGGED", WRONG)
    assert {figure["status"] for figure in state["citations"]["figures"]} == {"STALE"}


@RUNS
@STRATEGIES
def test_what_the_policy_does_to_a_structured_response(run, strategy):
    """It raises, strips text and declared claims, or asks again: the first response and the feedback do not enter the state."""

    def answering(what: str, *texts: str) -> tuple[Any, Listener]:
        replies = [calls("rules", "archive"), *[structured(strategy, **grounded(text)) for text in texts]]
        return agent(replies, on_violation(what), response_format=strategy)

    with pytest.raises(CitationError, match="350 euros"):
        run(answering("raise", WRONG)[0])
    stripped = run(answering("strip", WRONG)[0])
    again, model = answering("retry", WRONG, RIGHT)
    retried = run(again)

    assert stripped["structured_response"] == GroundedAnswer(answer="The excess is 350 euros.")
    assert stripped["citations"]["status"] == "FLAGGED"
    assert "The excess is 350 euros." in str(stripped["messages"][-1])
    assert "P1" not in str(stripped["messages"][-2:] if isinstance(strategy, ToolStrategy) else stripped["messages"][-1])
    assert (retried["structured_response"].answer, retried["citations"]["status"]) == (RIGHT, "GROUNDED")
    assert "350 euros" in model.seen[-1][-1].text
    last = [message.type for message in model.seen[-1]][-3:]
    assert last == (
        ["ai", "tool", "human"] if isinstance(strategy, ToolStrategy) else ["tool", "ai", "human"]
    )  # each call answered
    assert WRONG not in str(retried["messages"])


@STRATEGIES
def test_a_structured_response_of_a_shadow_is_only_reported(strategy):
    """As a text is."""
    policy = on_violation("raise", rollout={"mode": "shadow"})
    replies = [calls("rules", "archive"), structured(strategy, **grounded(WRONG))]

    state = agent(replies, policy, response_format=strategy)[0].invoke(ASK)

    assert (state["structured_response"].answer, state["citations"]["status"]) == (WRONG, "FLAGGED")


@pytest.mark.parametrize("documents", [True, False])
def test_a_form_that_cannot_be_read_is_reported_as_not_checked(documents):
    """The report says why; nothing else is done about it."""
    replies = [*([calls("rules")] if documents else []), structured(ToolStrategy(OtherForm), total=3)]
    made, _ = agent(replies, on_violation("raise"), response_format=ToolStrategy(OtherForm))

    state = made.invoke(ASK)

    (problem,) = state["citations"]["problems"]
    assert (state["structured_response"], state["citations"]["status"]) == (OtherForm(total=3), "NOT_CHECKED")
    assert problem["what"] == "OtherForm could not be checked"
    assert problem["wanted"].startswith("answer")


def test_a_response_that_had_to_be_asked_for_again():
    """One that does not fit its form is no answer yet: the report is on that which does."""
    strategy = ToolStrategy(GroundedAnswer)
    replies = [calls("rules"), structured(strategy, claims=3), structured(strategy, **grounded(RIGHT))]
    made, model = agent(replies, on_violation("raise"), response_format=strategy)

    state = made.invoke(ASK)

    assert (state["structured_response"].answer, state["citations"]["status"], len(model.seen)) == (RIGHT, "GROUNDED", 3)


# ---- what the model is told


@RUNS
@pytest.mark.parametrize(
    ("own", "expected"), [(None, "{rules}"), ("Be kind.", "Be kind.\n\n{rules}"), ([{"type": "text", "text": "Be kind."}], None)]
)
def test_the_model_is_told_the_rules(run, own, expected):
    """Behind the agent's own prompt, the same at each call, with the day; the state holds no system message."""
    prompt = own if isinstance(own, str | None) else SystemMessage(own)
    made, model = agent([calls("rules"), AIMessage(RIGHT)], middleware={"instruct": True}, system_prompt=prompt)

    state = run(made)

    rules = f"{grounded_head(Policy())}\n\nThe answer must be true for this day: 2026-06-01"
    told = [messages[0].content for messages in model.seen]
    assert told == [expected.format(rules=rules) if expected else [*own, {"type": "text", "text": rules}]] * 2
    assert [message.type for message in state["messages"]] == ["human", "ai", "tool", "ai"]


def test_the_rules_are_those_of_intent_and_form():
    """The question's intent words the head, the config's day is told, and a GroundedAnswer is explained."""
    policy = Policy.from_dict({"intents": {"chat": {"grounding": {"pattern": "augmented"}}}})
    strategy = ToolStrategy(GroundedAnswer)
    replies = [structured(strategy, answer="x", abstain=True)]
    made, model = agent(replies, policy, middleware={"instruct": True}, response_format=strategy)

    made.invoke(ASK, {"configurable": {"contextpack": {"intent": "chat", "as_of": "2025-01-01"}}})

    assert model.seen[0][0].content == (
        f"{grounded_head(policy, intent='chat', structured=True)}\n\nThe answer must be true for this day: 2025-01-01"
    )


def test_a_shadow_tells_the_model_nothing():
    """Its prompt is the agent's own."""
    made, model = agent([AIMessage("x")], Policy(rollout={"mode": "shadow"}), {"instruct": True}, system_prompt="Be kind.")

    made.invoke(ASK)

    assert model.seen[0][0].content == "Be kind."
