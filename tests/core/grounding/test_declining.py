"""Declining before generation."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from contextpack_core import (
    ArgumentError,
    DeclineReason,
    Pack,
    Policy,
    PolicyError,
    decline,
    is_refusal,
    pack,
    signals_of,
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


@pytest.mark.parametrize("scores", [(1e308, -1e308), (5e-324, -1.0)])
def test_a_gap_that_no_number_holds_is_none(scores):
    """It would be infinite, which no threshold and no JSON takes."""
    hits = [{"id": str(i), "text": f"The fee of group {i} is {i}0 euros.", "score": score} for i, score in enumerate(scores)]

    assert signals_of(pack(hits, QUESTION)).gap is None


def test_signals_survive_saving():
    """Best score, gap and coverage can be told from the saved pack alone."""
    packed = made(Policy())

    again = Pack.from_dict(packed.to_dict())

    assert signals_of(again, QUESTION) == signals_of(packed, QUESTION)
    assert (signals_of(packed, QUESTION).score, signals_of(packed, QUESTION).coverage) == (0.4, 1.0)
