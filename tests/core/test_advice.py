"""What to do where evidence worth having is missing from a pack."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextpack_core import Action, Advice, Outcome, Pack, Policy, pack


def record(name: str, text: str, **metadata: Any) -> dict[str, Any]:
    return {"id": name, "text": text, "metadata": {"doc_id": f"doc-{name}", **metadata}}


def words(text: str) -> int:
    return len(text.split())


def quarters(text: str) -> int:
    return len(text) // 4


def run(
    records: list[dict[str, Any]], query: str = "", evidence: int = 4000, count: Callable[[str], int] = words, **budget: Any
) -> Pack:
    policy = Policy.from_dict({"budget": {"evidence": evidence, **budget}, "render": {"format": "bracket", "header": []}})
    return pack(records, query, policy, count_tokens=count)


BOILERS = [record(f"{n}", f"Boiler {n} has a pressure of {n} bar and a red gauge.") for n in range(3)]


def test_a_pack_that_lacks_nothing_has_no_advice() -> None:
    """READY, and nothing to do."""
    made = run(BOILERS, "What is the boiler pressure?")

    assert (made.outcome, made.advice) == (Outcome.READY, ())


def test_a_larger_budget_and_a_narrower_question() -> None:
    """Where the budget kept something out; the documents that hold something are named."""
    made = run(BOILERS, "What is the boiler pressure?", 15)

    assert made.outcome is Outcome.PARTIAL
    assert made.advice == (
        Advice(Action.RAISE_BUDGET, "raise budget.evidence to 40 tokens", 40),
        Advice(Action.NARROW, "ask about one of the 3 documents that hold something: doc-0, doc-1, doc-2"),
    )
    assert made.trace.notices == ("2 candidates worth having did not fit whole: a budget of 40 tokens would hold them",)
    assert run(BOILERS, "What is the boiler pressure?", 40).outcome is Outcome.READY


def test_the_window_is_named_where_it_is_too_small() -> None:
    """With a limit of the whole input, what keeps the evidence out has to be raised: both lines, or the limit alone."""
    both = run(BOILERS, "What is the boiler pressure?", 30, input_limit=35, instructions=20)
    limit = run(BOILERS, "What is the boiler pressure?", 4000, input_limit=35, instructions=20)

    assert both.advice[0].text == "raise budget.evidence to 40 tokens, and budget.input_limit to 60 tokens or a larger window"
    assert limit.advice[0].text == "raise budget.input_limit to 60 tokens or a larger window"


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ({}, "raise budget.evidence to 40 tokens, and budget.input_limit to 60 tokens or a larger window"),
        ({"answer": 0}, "raise budget.evidence to 40 tokens, and budget.input_limit to 60 tokens or a larger window"),
        (
            {"evidence": 14},
            "raise intents.gauges.budget.evidence to 40 tokens, and budget.input_limit to 60 tokens or a larger window",
        ),
        (
            {"input_limit": 36},
            "raise budget.evidence to 40 tokens, and intents.gauges.budget.input_limit to 60 tokens or a larger window",
        ),
    ],
)
def test_the_setting_that_holds_for_the_question_is_named(changed: dict[str, int], text: str) -> None:
    """Where the intent of the question changes a line of the budget, raising that of the policy would do nothing."""
    policy = Policy.from_dict(
        {
            "budget": {"evidence": 15, "input_limit": 35, "instructions": 20},
            "render": {"format": "bracket", "header": []},
            "intents": {"gauges": {"cues": ["pressure"], "budget": changed}, "other": {"budget": {"evidence": 1}}},
        }
    )
    made = pack(BOILERS, "What is the boiler pressure?", policy, count_tokens=lambda text: len(text.split()))

    assert (made.intent, made.advice[0].text) == ("gauges", text)


def test_one_document_is_no_choice() -> None:
    """There is nothing to narrow the question to."""
    one = [{**each, "metadata": {"doc_id": "d", "title": "Boilers"}} for each in BOILERS]

    assert [advice.action for advice in run(one, "What is the boiler pressure?", 15).advice] == [Action.RAISE_BUDGET]


QUESTION = "What is the boiler pressure and where is the garden key?"
KEY = record("k", "The garden key is with the porter.")


@pytest.mark.parametrize(
    ("query", "records", "about"),
    [
        (QUESTION, BOILERS, ["where is the garden key"]),
        (QUESTION, [*BOILERS, KEY], []),
        ("Compare Vulcan and Boiler", BOILERS, ["Vulcan"]),
        ("Compare Vulcan and Boiler", [*BOILERS, record("v", "It is of brass.", title="Vulcan")], []),
        ("Where is the garden key?", BOILERS, []),
        (QUESTION, [], []),
    ],
)
def test_a_second_search_for_what_is_missing(query: str, records: list[dict[str, Any]], about: list[str]) -> None:
    """A part of whose words less than half stand in the evidence, a thing that no evidence names; also if all fitted."""
    made = run(records, query)

    assert [(a.action, a.about) for a in made.advice] == [(Action.SEARCH_AGAIN, each) for each in about]
    assert made.outcome is (Outcome.READY if records else Outcome.EMPTY)


def test_a_thing_that_was_retrieved_needs_room_rather_than_a_search() -> None:
    """Where candidates that found no room name the thing compared, the advice says how many, and how to give it its share."""
    tariffs = [record(f"{name}-{n}", f"{name} covers hail up to {n} euros.") for name in ("Basic", "Plus") for n in (1, 2, 3)]
    made = run(tariffs, "Compare Basic with Plus", 24)

    assert [advice.text for advice in made.advice if advice.about] == [
        "no evidence for 'Plus', but 3 candidates that were left out name it: "
        "give each thing its share by budget.per_group, or search for it once more"
    ]
    assert not [advice for advice in run(tariffs, "Compare Basic with Plus", 24, per_group={"tokens": 12}).advice if advice.about]


def test_advice_is_saved_and_shown() -> None:
    """In the saved pack and in notebooks, where nothing of it is markup; not in the trace, which holds no word of the question."""
    made = run(BOILERS, "Compare <b>Vulcan</b> and Boiler", 15)

    assert Pack.from_dict(json.loads(json.dumps(made.to_dict()))).advice == made.advice
    assert "<p><b>Advice</b> <bdi>raise budget.evidence to 40 tokens</bdi></p>" in made._repr_html_()
    assert "Vulcan" in made._repr_html_()
    assert "<b>Vulcan" not in made._repr_html_()
    assert "Vulcan" not in json.dumps(made.trace.to_dict())


@given(
    st.lists(st.integers(1, 60), min_size=1, max_size=25),
    st.integers(5, 400),
    st.sampled_from(["evidence", "rank", "weighted"]),
    st.sampled_from(["skip", "stop"]),
    st.sampled_from([QUESTION, "boiler pressure", "Compare Boiler and Key", ""]),
    st.sampled_from([None, {"tokens": 50}, {"by": "doc_id", "tokens": 30}]),
    st.sampled_from([words, quarters]),
)
def test_the_budget_that_is_advised_holds_everything(
    sizes: list[int],
    evidence: int,
    strategy: str,
    when_full: str,
    query: str,
    per_group: dict[str, Any] | None,
    count: Callable[[str], int],
) -> None:
    """Packed again with so many tokens nothing worth having is missing."""
    words = ["boiler", "pressure", "key", "garden", "is.", "red"]
    records = [record(f"c{n}", " ".join([words[(n * k) % 6] for k in range(size)])) for n, size in enumerate(sizes)]
    budget: dict[str, Any] = {"strategy": strategy, "when_full": when_full, "per_group": per_group}
    made = run(records, query, evidence, count, **budget)

    raised = [advice.tokens for advice in made.advice if advice.tokens is not None]
    assert bool(raised) == (made.outcome is Outcome.PARTIAL) or made.outcome is Outcome.EMPTY
    for tokens in raised:
        assert tokens > evidence
        assert run(records, query, tokens, count, **budget).outcome is Outcome.READY


def test_a_budget_that_was_tried_and_failed_is_not_advised() -> None:
    """Where the budget for all candidates, by the estimate, turns out too small, the advice is a larger one."""
    records = [record(name, ("a fee is due. " * 40)[:size].strip()) for name, size in (("c0", 28), ("c1", 461))]
    policy = Policy.from_dict({"budget": {"evidence": 20}})
    made = pack(records, "what fee is paid?", policy, count_tokens=quarters)

    assert made.outcome is Outcome.PARTIAL
    assert made.advice[0].tokens is not None
    ample = Policy.from_dict({"budget": {"evidence": made.advice[0].tokens}})
    assert pack(records, "what fee is paid?", ample, count_tokens=quarters).outcome is Outcome.READY
