"""A trace says what a pack was made with and what became of each candidate, and no more than its reader may know."""

from __future__ import annotations

import json
from datetime import date

import pytest

from contextpack_core import ContextPackError, Policy, pack

AS_OF = date(2026, 6, 1)


def made(query="What is the fee?", access=("staff",), **policy):
    return pack(
        [
            {"id": "a", "text": "red oak ash elm", "metadata": {"doc_id": "t", "start_index": 0, "end": 15, "acl": "staff"}},
            {"id": "b", "text": "elm fir yew", "metadata": {"doc_id": "t", "start_index": 12, "end": 23, "acl": "staff"}},
            {"id": "c", "text": "The fee is 50 EUR.", "metadata": {"doc_id": "f", "edition": "2026", "acl": "staff"}},
            {"id": "d", "text": "the fee is  50 EUR.", "metadata": {"doc_id": "g", "edition": "2026", "acl": "staff"}},
            {"id": "x", "text": "Merger plan.", "metadata": {"doc_id": "h", "acl": "board"}},
            {"id": "y", "text": "", "metadata": {"doc_id": "i", "acl": "staff"}},
        ],
        query,
        Policy.from_dict({"access": {"enforce": True, "field": "acl"}, **policy}),
        as_of=AS_OF,
        access=access,
        count_tokens=len,
    )


def test_a_trace_as_data():
    """Everything a log needs: what it was made with, what went in, how many fell out for which reason; no text at all."""
    trace = made().trace.to_dict()
    policy = trace.pop("policy")

    assert policy == Policy.from_dict({"access": {"enforce": True, "field": "acl"}}).fingerprint
    assert json.loads(json.dumps(trace, allow_nan=False)) == {
        "steps": [
            {"stage": "access", "kept": 5},
            {
                "stage": "relevance",
                "kept": 4,
                "drops": [{"candidate_id": "y", "reason": "EMPTY_TEXT", "detail": trace["steps"][1]["drops"][0]["detail"]}],
            },
            {"stage": "versions", "kept": 4},
            {
                "stage": "dedup",
                "kept": 3,
                "drops": [
                    {
                        "candidate_id": "d",
                        "reason": "DUPLICATE",
                        "detail": trace["steps"][3]["drops"][0]["detail"],
                        "in_favour_of": "c",
                    }
                ],
            },
            {"stage": "merge", "kept": 3},
            {"stage": "budget", "kept": 3},
        ],
        "prompt": "en-1",
        "tokenizer": "len",
        "approximate": False,
        "withheld": 1,
        "candidates": 6,
        "as_of": "2026-06-01",
        "as_of_from": "argument",
        "outcome": "READY",
        "budget": {"evidence": 4000, "instructions": 0, "history": 0, "question": 0, "answer": 0, "margin": 0},
        "tokens": made().tokens,
        "accepted": [
            {"label": "P1", "candidate_ids": ["a", "b"], "doc_id": "t", "tokens": made().evidence[0].tokens},
            {"label": "P2", "candidate_ids": ["c"], "doc_id": "f", "edition": "2026", "tokens": made().evidence[1].tokens},
        ],
        "reasons": {"DUPLICATE": 1, "EMPTY_TEXT": 1},
    }


def test_texts_are_in_a_trace_only_when_asked_for():
    """Under ``trace.text: true`` the query and the texts of what went in; never one that is withheld."""
    quiet, loud = made().trace.to_dict(), made(trace={"text": True}).trace.to_dict()

    assert not any(word in json.dumps(quiet) for word in ("fee", "oak", "Merger"))
    assert (loud["query"], [item["text"] for item in loud["accepted"]]) == (
        "What is the fee?",
        ["red oak ash elm fir yew", "The fee is 50 EUR."],
    )
    assert "Merger" not in json.dumps(loud)


def test_a_pack_in_a_log_line_names_no_candidate_that_is_withheld():
    """Written out it tells of them what a saved one does: how many there are. Asked for by its id, one is explained."""
    found = made()

    for shown in (repr(found), str(found.trace)):
        assert "'x'" not in shown
        assert "Merger" not in shown
        assert "withheld=1" in shown
    assert "NO_ACCESS" in found.explain("x")


def test_a_trace_names_no_candidate_that_is_withheld():
    """Neither as data nor when it guesses what a wrong id may have meant."""
    trace = made().trace

    assert '"x"' not in json.dumps(trace.to_dict())
    assert [drop.candidate_id for drop in trace.drops] == ["x", "y", "d"]
    with pytest.raises(KeyError, match=r"no candidate 'xx'$"):
        trace.fate_of("xx")


@pytest.mark.parametrize(
    ("candidate", "sentence"),
    [
        ("a", f"a is in P1, joined with b ({made().evidence[0].tokens} tokens)."),
        ("c", f"c is in P2 ({made().evidence[1].tokens} tokens)."),
        ("d", f"d was left out in dedup: DUPLICATE — {made().trace.fate_of('d').drop.detail}, in favour of c."),
        ("x", "x was left out in access: NO_ACCESS — the caller holds none of its labels."),
        ("y", "y was left out in relevance: EMPTY_TEXT — it has no text."),
    ],
)
def test_a_pack_explains_one_candidate_in_a_sentence(candidate, sentence):
    """Where it went, why, and in favour of which."""
    assert made().explain(candidate) == sentence


def test_an_unknown_candidate_is_an_error_with_the_nearest_ids():
    """It is a KeyError whose message reads like one sentence."""
    packed = pack([{"id": f"chunk-{i}", "text": f"Text {i}.", "metadata": {"doc_id": str(i)}} for i in range(2)])
    with pytest.raises(KeyError) as error:
        packed.explain("chunk_1")

    assert isinstance(error.value, ContextPackError)
    assert str(error.value) == "the pack tells of no candidate 'chunk_1'; did you mean 'chunk-1' or 'chunk-0'?"


@pytest.mark.parametrize(
    ("versions", "as_of", "query", "found"),
    [
        ({}, AS_OF, "", "argument"),
        ({"as_of": "2026-01-01"}, None, "", "policy"),
        ({}, None, "", "today"),
        ({"as_of": "from_query"}, AS_OF, "What applied on 1 March 2024?", "question"),
        ({"as_of": "from_query"}, AS_OF, "What applies?", "argument"),
    ],
)
def test_a_trace_says_where_the_day_was_found(versions, as_of, query, found):
    """Given by the caller, set in the policy, named in the question, or the clock."""
    assert pack([], query, Policy.from_dict({"versions": versions}), as_of=as_of).trace.as_of_from == found


def test_the_fingerprint_is_that_of_the_settings():
    """Equal settings, equal fingerprint; an intent's settings are others."""
    plain, other = Policy(), Policy.from_dict({"budget": {"evidence": 3999}})

    assert pack([], policy=plain).trace.policy == pack([], policy=Policy.from_dict({})).trace.policy
    assert pack([], policy=plain).trace.policy != pack([], policy=other).trace.policy
