"""The spine: from candidates to a pack."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

import pytest

import contextpack_core
from contextpack_core import (
    ArgumentError,
    BudgetError,
    Candidate,
    CandidateError,
    Evidence,
    Outcome,
    Pack,
    Policy,
    Source,
    keep_applicable,
    pack,
)

AMPLE: dict[str, Any] = {"budget": {"evidence": 20000}}


def record(name: str, text: str | None = None, **more: Any) -> dict[str, Any]:
    return {"id": name, "text": f"Body of {name}." if text is None else text, "metadata": {"doc_id": f"doc-{name}"}, **more}


def run(records: Any, query: str = "", policy: dict[str, Any] | None = None, **options: Any) -> Pack:
    options.setdefault("count_tokens", len)
    return pack(records, query, Policy.from_dict(AMPLE if policy is None else policy), **options)


def order(result: Pack) -> list[str]:
    return [name for item in result.evidence for name in item.passage.candidate_ids]


def labels(result: Pack) -> dict[str, str]:
    return {name: item.label for item in result.evidence for name in item.passage.candidate_ids}


def fates(result: Pack) -> dict[str, str]:
    return {drop.candidate_id: drop.reason.value for drop in result.trace.drops}


# ---- intake


def test_a_pack_without_anything_set() -> None:
    """Candidates alone make a labelled, counted text."""
    result = pack([record("a"), record("b")], count_tokens=len)

    assert result.text == '<passage id="P1">\nBody of a.\n</passage>\n\n<passage id="P2">\nBody of b.\n</passage>'
    assert (result.tokens, result.outcome, order(result)) == (len(result.text), Outcome.READY, ["a", "b"])
    assert sum(item.tokens for item in result.evidence) == result.tokens


def test_a_generator_is_read_once() -> None:
    """What cannot be read twice is read once."""
    assert order(run(record(name) for name in "abc")) == ["a", "b", "c"]


def test_candidates_and_mappings_mix() -> None:
    """Both kinds of records are taken, in one list."""
    assert order(run([Candidate("x", "Body of x.", Source("d")), record("a")])) == ["x", "a"]


@pytest.mark.parametrize(
    ("ranks", "expected"),
    [
        ([3, 1, 2], "bca"),
        ([None, None, None], "abc"),
        ([2, float("nan"), 1], "cab"),
        ([1, 1, 1], "abc"),
        ([0, -1, 5], "bac"),
        ([1, True, 2], "abc"),
        ([float("inf"), 5, 3], "acb"),
    ],
)
def test_rank_decides(ranks: list[Any], expected: str) -> None:
    """The order is by rank; a rank that is none is the place in the list; ties stay in the order in which they came."""
    candidates = [
        Candidate(n, f"Body of {n}.", Source(n), rank=r, score=1 - 0.1 * i)
        for i, (n, r) in enumerate(zip("abc", ranks, strict=True))
    ]

    assert order(run(candidates)) == list(expected)


def test_every_candidate_gets_an_id_of_its_own() -> None:
    """Ids that come twice are numbered, past those that are taken; missing ones are made of the content."""
    texts = ["One.", "Two.", "Three.", "Four.", "Five."]
    names = ["a", "a", "a#2", "", None]
    result = run([{"id": name, "text": text, "metadata": {}} for name, text in zip(names, texts, strict=True)])
    again = run([{"id": name, "text": text, "metadata": {}} for name, text in zip(names, texts, strict=True)])

    assert order(result)[:3] == ["a", "a#2", "a#2#2"]
    assert len(set(order(result))) == 5
    assert order(result) == order(again)


@pytest.mark.parametrize("bad", ["a text", 7, None, ["id", "a"]])
def test_what_is_no_candidate_is_an_error_with_its_place(bad: object) -> None:
    """The message names the place in the list, the type, and what is wanted."""
    with pytest.raises(CandidateError) as error:
        run([record("a"), bad])

    assert str(error.value) == f"candidates[1]: {type(bad).__name__} — a Candidate or a mapping is wanted"


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        ({"candidates": None}, "candidates: NoneType — a list of candidates or mappings"),
        ({"query": None}, "query: NoneType — a text; leave it out where there is none"),
        ({"query": b"q"}, "query: bytes — a text; leave it out where there is none"),
        ({"policy": {"budget": {}}}, "policy: dict — a Policy, such as Policy.from_dict(…) or Policy.from_yaml(…)"),
        ({"policy": None}, "policy: NoneType — a Policy, such as Policy.from_dict(…) or Policy.from_yaml(…)"),
        (
            {"used": [1]},
            "used: list — a mapping from a line of the budget to its tokens, or a function of the query that gives one",
        ),
        ({"used": lambda query: 900}, "used: the function gave int — a mapping from a line of the budget to its tokens"),
        ({"documents": ["text"]}, "documents: list — a mapping from document id to text, or a function"),
        ({"previous": {}}, "previous: dict — a Pack; of a saved one Pack.from_dict(…)"),
    ],
)
def test_an_argument_of_another_kind_is_named(arguments: dict[str, Any], wanted: str) -> None:
    """With its kind and what is wanted in its place."""
    with pytest.raises(ArgumentError) as caught:
        pack(**({"candidates": []} | arguments))

    assert str(caught.value) == wanted
    assert isinstance(caught.value, TypeError)


def test_what_is_measured_can_hang_on_the_query() -> None:
    """A function of the query gives the lines of the budget, or None for none."""
    policy = Policy.from_dict({"budget": {"input_limit": 1000, "instructions": 100}})

    made = pack([], "Why?", policy, used=lambda query: {"question": len(query)})

    assert (made.budget.instructions, made.budget.question) == (100, 4)
    assert pack([], "Why?", policy, used=lambda query: None).budget.question == 0


def test_one_bad_record_costs_itself() -> None:
    """No text, no text at all and a score that is no number leave the others alone."""
    broken: Any = [Candidate("n", None, Source("d")), Candidate("s", "Body of s.", Source("e"), score=float("nan"))]  # type: ignore[arg-type]
    result = run([record("a"), record("b", ""), *broken, record("c")])

    assert (order(result), fates(result)) == (["a", "s", "c"], {"b": "EMPTY_TEXT", "n": "EMPTY_TEXT"})


# ---- the intent

WITH_INTENTS = {"intents": {"comparison": {"order": {"by": "best_last"}}, "short": {"cues": [], "budget": {"evidence": 50}}}}


def test_a_cue_picks_the_intent_and_the_trace_names_it() -> None:
    """The cue is the policy's, not the question's words; without one nothing is said."""
    result = run([record("a"), record("b")], "What is the DIFFERENCE  between a and b?", WITH_INTENTS)

    assert (order(result), result.intent, result.trace.intent_from) == (["b", "a"], "comparison", "cue 'difference between'")
    assert run([record("a")], "of a", WITH_INTENTS).trace.intent_from is None


def test_the_caller_names_the_intent_or_gives_a_classifier() -> None:
    """Both come before the cues; a classifier that finds none leaves the policy as it is."""
    asked: list[str] = []

    def classify(query: str) -> str | None:
        asked.append(query)
        return "short" if "short" in query else None

    named = run([record("a"), record("b")], "compare", WITH_INTENTS, intent="short")
    assert (order(named), named.intent, named.trace.intent_from) == (["a"], "short", "argument")
    classified = run([record("a"), record("b")], "compare in short", WITH_INTENTS, intent=classify)
    assert (order(classified), classified.intent, classified.trace.intent_from) == (["a"], "short", "classifier")
    none = run([record("a"), record("b")], "compare", WITH_INTENTS, intent=classify)
    assert (order(none), none.intent, none.trace.notices) == (["a", "b"], None, ())
    assert asked == ["compare in short", "compare"]


def test_an_intent_that_is_none_changes_nothing_but_the_trace() -> None:
    """Settings, evidence and access are those without an intent; a notice says why, without a word of the question."""
    policy = {**WITH_INTENTS, "access": {"enforce": True, "field": "acl"}}
    records = [record("a"), record("b", metadata={"doc_id": "d", "acl": "staff"})]
    plain = run(records, "about b", policy, access=["staff"])
    wrong = run(records, "about b", policy, access=["staff"], intent=lambda query: query)

    assert wrong.trace.notices == ("the classifier names none of comparison, short: the settings stay as they are",)
    assert wrong.trace.steps[0].stage == "intents"
    assert (wrong.text, wrong.budget, fates(wrong)) == (plain.text, plain.budget, fates(plain))
    assert Pack.from_dict(wrong.to_dict()).trace.notices == wrong.trace.notices


# ---- budget


def test_measured_lines_narrow_the_evidence() -> None:
    """What the adapter measured counts in the place of what was planned, and stands in the pack."""
    policy = {"budget": {"evidence": 500, "input_limit": 200, "history": 20}}
    result = run([record("a"), record("b"), record("c")], policy=policy, used={"history": 90, "question": 10})

    assert (result.budget.evidence, result.budget.history, result.budget.question) == (100, 90, 10)
    assert (order(result), fates(result)) == (["a", "b"], {"c": "BUDGET"})


def test_nothing_left_is_an_error_before_any_work() -> None:
    """The budget is planned before the candidates are read."""
    with pytest.raises(BudgetError):
        run((1 / 0 for _ in "a"), policy={"budget": {"input_limit": 100, "instructions": 100}})


def test_an_envelope_of_the_host_is_priced_and_stored() -> None:
    """What the host renders is what is counted, and what stands in the pack."""

    def host(evidence: Sequence[Evidence]) -> str:
        return "\n---\n".join([f"{item.label}: {item.passage.text}" for item in evidence])

    result = run([record(name) for name in "abc"], policy={"budget": {"evidence": 35}}, envelope=host)

    assert (result.text, result.tokens) == ("P1: Body of a.\n---\nP2: Body of b.", 33)
    assert fates(result) == {"c": "BUDGET"}


# ---- outcome


def test_outcomes() -> None:
    """Ready, partial, empty or declined: what generation can count on."""
    two = [record("a", score=0.2), record("b", score=0.1)]
    small = {"budget": {"evidence": 40}}
    found = {
        "all in": run(two).outcome,
        "the second best did not fit": run(two, policy=small).outcome,
        "no candidates": run([]).outcome,
        "no text": run([record("a", " ")]).outcome,
        "too large": run([record("a", "word " * 50)], policy=small).outcome,
        "below the floor": run(two, policy={**AMPLE, "relevance": {"min_score": 0.5}}).outcome,
        "no access": run(two, policy={**AMPLE, "access": {"enforce": True}}).outcome,
    }

    assert found == {
        "all in": Outcome.READY,
        "the second best did not fit": Outcome.PARTIAL,
        "no candidates": Outcome.EMPTY,
        "no text": Outcome.EMPTY,
        "too large": Outcome.EMPTY,
        "below the floor": Outcome.DECLINE,
        "no access": Outcome.EMPTY,
    }


def test_an_empty_pack_has_no_text() -> None:
    """Nothing renders as nothing and costs nothing, with an envelope of the host too."""
    result = run([], envelope=lambda evidence: f"{len(evidence)} passages")

    assert (result.evidence, result.text, result.tokens) == ((), "", 0)


# ---- turns


def test_labels_last_over_turns() -> None:
    """The same passage keeps its label, whatever the order; a label is never given to another, not even after a turn without it."""
    first = run([record("w"), record("d"), record("g")])
    second = run([record("n"), record("d"), record("w")], previous=first)
    third = run([record("g"), record("m"), record("n")], previous=second)

    assert labels(first) == {"w": "P1", "d": "P2", "g": "P3"}
    assert labels(second) == {"n": "P4", "d": "P2", "w": "P1"}
    assert labels(third) == {"g": "P3", "m": "P5", "n": "P4"}


def test_labels_last_through_a_saved_pack() -> None:
    """A pack read back knows all labels given before."""
    first = run([record("w"), record("d")])
    second = run([record("x")], previous=Pack.from_dict(first.to_dict()))
    third = run([record("d")], previous=Pack.from_dict(second.to_dict()))

    assert (labels(second), labels(third)) == ({"x": "P3"}, {"d": "P2"})


# ---- dates and editions


def test_the_day_comes_from_the_call_then_from_the_policy() -> None:
    """The argument comes first; without both it is today."""
    dated = {**AMPLE, "versions": {"as_of": "2024-02-01"}}

    assert run([], policy=dated, as_of=date(2025, 1, 1)).as_of == date(2025, 1, 1)
    assert run([], policy=dated).as_of == date(2024, 2, 1)
    assert run([]).as_of == date.today()


def test_displaced_editions_are_kept_for_the_checker() -> None:
    """The candidates that a better edition displaced stand in the pack whole."""
    editions = [
        record("old", metadata={"doc_id": "o", "family": "f", "effective_from": "2024-01-01"}),
        record("new", metadata={"doc_id": "n", "family": "f", "effective_from": "2025-01-01"}),
    ]
    result = run(editions, as_of=date(2025, 6, 1))

    assert (order(result), fates(result)) == (["new"], {"old": "SUPERSEDED"})
    assert [(c.id, c.text) for c in result.other_editions] == [("old", "Body of old.")]


# ---- order


def test_the_order_of_the_prompt_numbers_the_labels() -> None:
    """Labels are given last, in the order in which the model reads."""
    result = run([record(name) for name in "abcd"], policy={**AMPLE, "order": {"by": "edges"}})

    assert (order(result), [item.label for item in result.evidence]) == (["a", "c", "d", "b"], ["P1", "P2", "P3", "P4"])


def test_the_public_face() -> None:
    """What a user needs is imported from one place."""
    assert {"pack", "Pack", "Policy", "Outcome", "Candidate", "Source", "Span"} <= set(contextpack_core.__all__)


def test_what_is_handed_on_beside_a_pack_is_under_access_and_edition():
    """Of what the caller may see the edition in force on the day, else nothing."""
    found = [
        Candidate("old", "", Source("a", family="f", effective_from=date(2025, 1, 1), access=("staff",))),
        Candidate("new", "", Source("b", family="f", effective_from=date(2026, 1, 1), access=("staff",))),
        Candidate("secret", "", Source("c", access=("board",))),
    ]
    policy = Policy.from_dict({"access": {"enforce": True}})

    assert keep_applicable(found, policy, as_of=date(2025, 6, 1), access=["staff"]) == (found[0],)
    assert keep_applicable(found, policy, as_of=date(2026, 6, 1), access=["staff"]) == (found[1],)
    assert keep_applicable(found, policy, as_of=date(2026, 6, 1)) == ()
