"""Declining before generation."""

from __future__ import annotations

import math
import random
from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contextpack_core import (
    ArgumentError,
    DeclineReason,
    Pack,
    Policy,
    PolicyError,
    Threshold,
    calibrate_threshold,
    decline,
    is_refusal,
    pack,
    signals_of,
    upper_bound,
)

AS_OF = date(2026, 6, 1)
QUESTION = "What is the excess?"


def candidate(name: str, text: str, score: float, **metadata: Any) -> dict[str, Any]:
    return {"id": name, "text": text, "score": score, "metadata": {"doc_id": name, **metadata}}


HOME = {"title": "Home policy", "family": "home"}
FOUND = [
    candidate("home-2026", "The excess is 500 euros.", 0.4, **HOME, edition="2026", effective_from="2026-01-01"),
    candidate(
        "home-2025",
        "The excess is 350 euros.",
        0.3,
        **HOME,
        edition="2025",
        effective_from="2025-01-01",
        effective_until="2026-01-01",
    ),
    candidate("note", "Secret note on the excess.", 0.2, title="Secret note", access=["staff"]),
]


def made(policy: Policy, question: str = QUESTION, found: Any = FOUND) -> Pack:
    return pack(found, question, policy, as_of=AS_OF, access=["public"], count_tokens=len)


def test_what_is_relevant_enough_is_answered():
    """With evidence and without floors the model is asked."""
    assert decline(made(Policy()), Policy(), QUESTION) is None


def test_below_the_floor_the_message_says_what_was_searched():
    """Documents and editions, best first, and the day; of what the caller may not see nothing, neither here nor in the data."""
    policy = Policy.from_dict({"relevance": {"min_score": 0.5}, "access": {"enforce": True}})
    found = [{**item, "metadata": {"access": ["public"], **item["metadata"]}} for item in FOUND]

    declined = decline(made(policy, found=found), policy, QUESTION)

    assert declined is not None
    assert declined.message == (
        "The documents do not answer this question. What was found is not relevant enough. Searched: Home policy (edition 2026, "
        "in force from 2026-01-01); Home policy (edition 2025, in force from 2025-01-01, until 2025-12-31). "
        "The day asked about: 2026-06-01."
    )
    assert declined.to_dict() == {
        "reason": "NOT_RELEVANT",
        "message": declined.message,
        "searched": [
            {"doc_id": "home-2026", "title": "Home policy", "edition": "2026"},
            {"doc_id": "home-2025", "title": "Home policy", "edition": "2025"},
        ],
    }
    assert is_refusal(declined.message.split(". ")[0])


def test_nothing_found_is_declined():
    """Also where all of it is withheld: the message does not say so."""
    policy = Policy.from_dict({"access": {"enforce": True}})

    nothing, withheld = decline(made(policy, found=[]), policy), decline(made(policy, found=FOUND[2:]), policy)

    assert nothing == withheld
    assert nothing is not None
    assert (nothing.reason, nothing.searched) == (DeclineReason.NO_EVIDENCE, ())


@pytest.mark.parametrize(
    ("grounding", "reason"),
    [
        ({"min_score": 0.4}, None),
        ({"min_score": 0.41}, DeclineReason.LOW_SCORE),
        ({"min_coverage": 1.0}, None),
        ({"min_coverage": 1.0, "decline": "never"}, None),
    ],
)
def test_the_evidence_must_reach_the_thresholds(grounding, reason):
    """Scores and words of the question, each with its numbers in the message."""
    policy = Policy.from_dict({"grounding": grounding})

    declined = decline(made(policy), policy, QUESTION)

    assert (declined and declined.reason) == reason
    assert declined is None or "has a score of 0.4; 0.41 is asked for." in declined.message


def test_words_of_the_question_that_no_passage_has():
    """Half of them is too few where all are asked for; without the question nothing can be said."""
    policy = Policy.from_dict({"grounding": {"min_coverage": 0.9}})
    question = "excess for earthquake"
    packed = made(policy, question)

    declined = decline(packed, policy, question)

    assert declined is not None
    assert (declined.reason, "50% of the question's words; 90%" in declined.message) == (DeclineReason.LOW_COVERAGE, True)
    assert decline(packed, policy) is None


def test_evidence_without_a_score():
    """Whether to answer says a setting, and the trace that min_score cannot be applied; where it can, nothing is said."""
    bare = [{**item, "score": None} for item in FOUND]
    answer, refuse, never = [
        Policy.from_dict({"grounding": {"min_score": 0.9, **more}})
        for more in ({}, {"unscored": "decline"}, {"unscored": "decline", "decline": "never"})
    ]

    declined = [decline(made(policy, found=bare), policy, QUESTION) for policy in (answer, refuse, never)]

    assert declined[0] is declined[2] is None
    assert declined[1] is not None
    assert (declined[1].reason, "have no score; 0.9 is asked for." in declined[1].message) == (DeclineReason.NO_SCORE, True)
    assert [made(policy, found=found).trace.notices for policy, found in ((answer, FOUND), (never, bare), (Policy(), bare))] == [
        ()
    ] * 3
    assert made(answer, found=bare).trace.notices == (
        "grounding.min_score cannot be applied, no evidence has a score: grounding.unscored says whether to answer or to decline",
    )


def test_documents_without_a_name_are_counted():
    """An id that was made of the text tells an asker nothing; without any name nothing is said of them."""
    policy = Policy.from_dict({"grounding": {"min_score": 0.9}})
    nameless = [{"id": n, "text": text, "score": 0.1} for n, text in (("a", "Storm is covered."), ("b", "Claims in 14 days."))]

    some, none = [decline(made(policy, found=found), policy) for found in ([*FOUND[:1], *nameless], nameless)]

    assert some is not None
    assert none is not None
    assert "Searched: Home policy (edition 2026, in force from 2026-01-01); … (+2). The day" in some.message
    assert none.message == "The documents do not answer this question. The best passage has a score of 0.1; 0.9 is asked for."


def test_the_policy_may_be_plain_data():
    """As everywhere; what is no policy and no pack is named."""
    packed = made(Policy())

    assert decline(packed, {"grounding": {"min_score": 0.5}}) == decline(
        packed, Policy.from_dict({"grounding": {"min_score": 0.5}})
    )
    assert decline(packed) is None
    with pytest.raises(ArgumentError, match="policy: str — a Policy, or the settings of one as a mapping"):
        decline(packed, "policy.yaml")
    with pytest.raises(PolicyError, match=r"grounding\.min_scor"):
        decline(packed, {"grounding": {"min_scor": 0.5}})
    with pytest.raises(ArgumentError, match=r"pack: dict — a Pack; of a saved one Pack.from_dict"):
        decline(packed.to_dict(), Policy())


def test_strictness_is_that_of_the_intent():
    """One intent answers from general knowledge, the others decline; always means always."""
    policy = Policy.from_dict(
        {
            "relevance": {"min_score": 0.9},
            "intents": {
                "chat": {"cues": ["chat"], "grounding": {"pattern": "disclaimer"}},
                "law": {"cues": ["law"], "grounding": {"pattern": "disclaimer", "decline": "always", "abstain": "Ask a lawyer."}},
            },
        }
    )

    found = [decline(made(policy, question), policy, question) for question in ("fee?", "chat: fee?", "law: fee?")]

    assert [item and item.message.split(".")[0] for item in found] == [
        "The documents do not answer this question",
        None,
        "Ask a lawyer",
    ]


def test_signals_survive_saving():
    """Best score, gap and coverage can be told from the saved pack alone."""
    packed = made(Policy())

    again = Pack.from_dict(packed.to_dict())

    assert signals_of(again, QUESTION) == signals_of(packed, QUESTION)
    assert (signals_of(packed, QUESTION).score, signals_of(packed, QUESTION).coverage) == (0.4, 1.0)


# ---------------------------------------------------------------- thresholds


@pytest.mark.parametrize(
    ("errors", "n", "confidence", "bound"),
    [(0, 29, 0.95, 1 - 0.05 ** (1 / 29)), (1, 1, 0.95, 1.0), (0, 1, 0.95, 0.95), (3, 50, 0.95, 0.147837), (5, 10, 0.975, 0.812914)],
)
def test_the_upper_bound_is_clopper_and_pearsons(errors, n, confidence, bound):
    """As in the tables: the closed form for no error, and known values."""
    assert math.isclose(upper_bound(errors, n, confidence), bound, rel_tol=1e-4)


def test_the_lowest_threshold_within_the_bound_is_taken():
    """Where the good and the bad part, all good ones are answered; equal scores are answered together."""
    cases = [(float(i), i >= 300) for i in range(1000)]

    found = calibrate_threshold(cases, 0.1)

    assert (found.value, found.n, found.answered, found.errors, found.bound) == (260.0, 1000, 740, 40, 0.1)
    assert calibrate_threshold([(1.0, True)] * 10, 0.1) == Threshold(math.inf, 0.1, 1.0, 0.95, 10, 0, 0)
    assert calibrate_threshold([(1.0, True)] * 100, 0.1).answered == 100


@pytest.mark.parametrize(("starts", "answered", "errors"), [(1, 0, 0), (3, 304, 12)])
def test_a_bad_beginning_does_not_end_the_search(starts, answered, errors):
    """With errors among the highest scores the sequence from the top ends at once; one that starts lower goes on."""
    cases = [(float(-i), not (i < 8 or i >= 300)) for i in range(400)]

    found = calibrate_threshold(cases, 0.1, starts=starts)

    assert (found.answered, found.errors) == (answered, errors)


def test_the_sequence_ends_at_the_first_threshold_that_fails():
    """What lies below may keep to the error again: to look on there would be one test more."""
    cases = [(float(-i), not 100 <= i < 140) for i in range(1000)]

    found = calibrate_threshold(cases, 0.1, steps=100, starts=1)

    assert (found.answered, found.errors) == (100, 0)
    assert upper_bound(40, 1000) < 0.1


def test_the_bound_holds_on_cases_that_were_not_seen():
    """Of many fits, at most one in twenty has a true error above what it states, and most answer nearly what could be answered."""
    failures, found = 0, []
    for seed in range(200):
        draw = random.Random(seed)
        cases = [(score, draw.random() < score) for score in [draw.random() for _ in range(300)]]
        value = calibrate_threshold(cases, 0.2).value
        true_error = (1 - value) / 2 if value <= 1 else 0.0  # the mean of 1 - score above the threshold
        failures += true_error > 0.2
        found.append(value)
    assert failures <= 10
    assert 0.6 <= sorted(found)[100] < 0.95


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=60))
def test_a_threshold_tells_what_it_does(cases):
    """Its numbers are those of the cases it is applied to, in whatever order they come."""
    found = calibrate_threshold(cases, 0.3)

    answered = [right for score, right in cases if score >= found.value]
    assert (found.answered, found.errors) == (len(answered), answered.count(False))
    assert found.bound == (0.3 if answered else 1.0)
    assert not answered or upper_bound(found.errors, found.answered, 1 - 0.05 / 3) <= 0.3 + 1e-9
    assert calibrate_threshold(cases[::-1], 0.3) == found


@pytest.mark.parametrize(
    ("cases", "options", "message"),
    [
        ([], {}, "at least one"),
        ([(math.nan, True)], {}, r"cases\[0\]: \(nan, True\) — a pair of a score, which is a number"),
        ([(1.0, True), (None, True)], {}, r"cases\[1\]: \(None, True\)"),
        ([("0.5", True)], {}, r"cases\[0\]"),
        ([(True, True)], {}, r"cases\[0\]"),
        ([(math.inf, True)], {}, r"cases\[0\]"),
        ([(10**400, True)], {}, r"cases\[0\]"),
        ([(1.0, "no")], {}, r"cases\[0\]"),
        ([(1.0, None)], {}, r"cases\[0\]"),
        ([0.5], {}, r"cases\[0\]"),
        ([(1.0, True, 2)], {}, r"cases\[0\]"),
        ([(1.0, True)], {"error": 0.0}, "error=0.0 — a share between 0 and 1"),
        ([(1.0, True)], {"error": "0.1"}, "error='0.1'"),
        ([(1.0, True)], {"confidence": 1}, "confidence=1 — a share"),
        ([(1.0, True)], {"steps": 0}, "steps=0 — a whole number from 1 on"),
        ([(1.0, True)], {"starts": 1.5}, "starts=1.5"),
        ([(1.0, True)], {"method": "guess"}, "clopper_pearson"),
    ],
)
def test_what_cannot_be_calibrated(cases, options, message):
    """The message says what is wanted."""
    with pytest.raises(ValueError, match=message):
        calibrate_threshold(cases, **options)
