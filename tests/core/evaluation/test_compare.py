"""Two policies, or two orders, side by side."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from contextpack_core import Policy
from contextpack_core.evaluation.cases import Case
from contextpack_core.evaluation.compare import compare, compare_orders, order_prompts, paired
from contextpack_core.evaluation.run import EvaluationError, evaluate

DAY = date(2026, 1, 1)
RANKED = Policy.from_dict({"budget": {"strategy": "rank"}})


def asked(i, **more):
    """A case whose gold ranks third of four."""
    texts = [f"Rule {i} says that {word} must be kept for {i + 10} days." for word in ("apples", "pears", "plums", "nuts")]
    hits = [{"id": f"{i}-{n}", "doc_id": f"{i}-{n}", "text": text} for n, text in enumerate(texts)]
    question = f"How long is it kept by rule {i}?"
    return Case.from_dict({"qid": f"q{i}", "question": question, "candidates": hits, "gold": [f"{i}-2"], **more})


CASES = [asked(i) for i in range(8)]


def first(made, question):
    """An answer that repeats the first passage."""
    return f"{made.evidence[0].passage.text} [{made.evidence[0].label}]"


@pytest.mark.parametrize(
    ("n", "verdict"), [(1, "too few cases"), (5, "too few cases"), (6, "better")], ids=["one", "five", "enough for a sign test"]
)
def test_few_cases_show_no_difference(n, verdict):
    """Equal differences of few cases would have an interval of width 0."""
    found = paired("evidence_recall", [(0.2, 0.3)] * n)

    assert (found.verdict, found.low is None, found.high is None) == (verdict, n < 6, n < 6)
    assert found.to_dict()["verdict"] == verdict


def test_evaluations_of_other_days_or_judges_do_not_compare():
    """The message names both; whoever wants that very comparison says so."""
    one = evaluate(CASES, as_of=DAY, judge="none")
    other = evaluate(CASES, as_of=date(2026, 1, 2))

    with pytest.raises(EvaluationError, match="as_of: 2026-01-01 and 2026-01-02; judge: none and lexical"):
        compare(one, other)
    assert {d.verdict for d in compare(one, other, anyway=True).overall} == {"no difference seen"}
    assert compare(one, evaluate(CASES, RANKED, as_of=DAY, judge="none")).notes == ()


def test_an_answer_that_is_null_is_none():
    """A case counts with an answer under either order; the others are named."""
    answers = [{**prompt, "answer": "They are kept [P1]."} for prompt in order_prompts(CASES, RANKED, as_of=DAY)]
    answers[0]["answer"] = None

    found = compare_orders(CASES, RANKED, answers=answers, as_of=DAY)

    assert {d.measure: d.n for d in found.overall}["citation_validity"] == 7
    assert found.notes == ("1 case left out, as there is no answer under both orders: q0",)
    assert found.to_dict()["notes"] == list(found.notes)


def test_a_recorded_verdict_is_of_another_answer():
    """It does not judge what is written for an order."""
    judged = [replace(case, support=({"label": "not_supported"},)) for case in CASES]

    assert compare_orders(judged, RANKED, first, as_of=DAY) == compare_orders(CASES, RANKED, first, as_of=DAY)


def test_the_orders_hold_for_each_intent():
    """An intent with an order of its own gets the two that are compared."""
    policy = Policy.from_dict({**RANKED.to_dict(), "intents": {"procedure": {"cues": ["how long"], "order": {"by": "document"}}}})

    prompts = order_prompts(CASES, policy, as_of=DAY)

    assert list(prompts) == list(order_prompts(CASES, RANKED, as_of=DAY))
    assert len({prompt["prompt"] for prompt in prompts}) == 16


def test_cases_whose_prompts_are_the_same_are_not_asked():
    """One passage has one order: nobody writes or counts two answers to one prompt, and the case is named."""
    alone = asked(9, gold=["9-3"])
    alone = replace(
        alone, candidates=tuple([{**hit, "text": "" if n < 3 else hit["text"]} for n, hit in enumerate(alone.candidates)])
    )
    written = []

    def count(made, question):
        written.append(question)
        return first(made, question)

    prompts = order_prompts([*CASES, alone], RANKED, as_of=DAY)
    found = compare_orders([*CASES, alone], RANKED, count, as_of=DAY)

    assert (len(prompts), prompts.same) == (16, ("q9",))
    assert prompts.says == "16 prompts of 8 cases; 1 case left out, as the prompt is the same under both orders: q9"
    assert found.notes == ("1 case left out, as the prompt is the same under both orders: q9",)
    assert (len(written), alone.question in written) == (16, False)


def test_nothing_to_ask_is_an_error():
    """Evidence that ranks first, or prompts that are the same."""
    with pytest.raises(EvaluationError, match="there is no case to compare — the evidence of one must be ranked third or lower"):
        order_prompts([asked(0, gold=["0-0"])], RANKED, as_of=DAY)
    with pytest.raises(EvaluationError, match="there is no case to compare"):
        compare_orders([], RANKED, first, as_of=DAY)
