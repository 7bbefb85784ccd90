"""Diagnosis: each failure, and the sentence that proves it: tests/data/evaluation/diagnosis.jsonl."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from contextpack_core import LexicalJudge, Policy, Support, SupportLabel
from contextpack_core.evaluation.cases import Case
from contextpack_core.evaluation.diagnosis import MEANINGS, Failure
from contextpack_core.evaluation.run import Setup, record_of

ROOT = Path(__file__).parents[3]
ROWS = [json.loads(line) for line in (ROOT / "tests/data/evaluation/diagnosis.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("row", ROWS, ids=[row["case"]["qid"] for row in ROWS])
def test_a_failed_case_gets_its_failure_and_a_proof(row):
    """The failure, with stage and reason where a stage dropped the evidence, and a proof with the facts in it."""
    settings = Setup(Policy.from_dict(row.get("policy", {})), date(2026, 6, 1))
    found = record_of(Case.from_dict(row["case"]), settings).get("diagnosis")

    proof = found.pop("proof") if found else ""
    assert found == row["want"]
    assert row.get("says", "") in proof


@pytest.mark.parametrize(("judge", "failed"), [("lexical", False), (LexicalJudge(), False), (lambda claim, passages: NO, True)])
def test_the_lexical_judge_names_no_failure(judge, failed):
    """It takes other words for no support; the verdict of any other judge counts."""
    case = Case.from_dict(
        {"qid": "q", "question": "q", "candidates": [{"id": "a", "text": "Apples are red."}], "answer": "Bananas grow here [P1]."}
    )

    record = record_of(case, Setup(Policy(), date(2026, 6, 1), judge))

    assert ("diagnosis" in record) is failed
    assert record["values"]["citation_support"] == 0


NO = Support(SupportLabel.NOT_SUPPORTED, 0.0, "no")


def test_evidence_that_the_budget_cut_is_named_with_what_is_left():
    """A passage of which only sentences went in says how much of the gold that is."""
    text = "Apples are red. " + "Pears are green and hang on trees in the garden behind the house. " * 20
    place = {"doc_id": "d", "start": 0, "end": len(text)}
    case = Case.from_dict(
        {"qid": "q", "question": "Are apples red?", "candidates": [{"id": "a", "text": text, **place}], "gold": [place]}
    )

    found = record_of(case, Setup(Policy.from_dict({"budget": {"evidence": 60}}), date(2026, 6, 1)))["diagnosis"]

    assert (found["failure"], found["stage"], found["reason"]) == ("DROPPED", "budget", "BUDGET")
    assert "room for a part" in found["proof"]


def test_every_failure_is_covered_meant_and_described():
    """Each member has a row, a meaning, and a place in the docs."""
    page = (ROOT / "docs/evaluation.md").read_text(encoding="utf-8")

    assert {row["want"]["failure"] for row in ROWS if row["want"]} == set(Failure) == set(MEANINGS)
    assert [failure for failure in Failure if f"`{failure}`" not in page] == []


def test_the_message_that_declines_is_a_declined_answer():
    """A recorded answer that is the package's own message is no answer to a question without one."""
    message = "The documents do not answer this question. Nothing was found that may be used. Searched: a; b."
    case = {
        "qid": "q",
        "question": "When?",
        "answerable": False,
        "answer": message,
        "candidates": [{"id": "a", "text": "The fee is 40 EUR."}],
    }
    record = record_of(Case.from_dict(case), Setup(Policy(), date(2026, 6, 1)))

    assert (record.get("diagnosis"), list(record["cell"])) == (None, ["absent", "declined"])
