"""The evaluation in tables and as JSON."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from contextpack_core import Policy
from contextpack_core.evaluation.compare import compare, paired
from contextpack_core.evaluation.report import (
    Against,
    Names,
    abstention_tables,
    compared_head,
    compared_row,
    names_of,
    print_report,
    print_tuning,
    report_data,
)
from contextpack_core.evaluation.run import summarise
from contextpack_core.evaluation.tune import Trial, Tuning

OLD_NEW = Names(policy="new.yaml", against="old.yaml")


def record(qid, recall, tokens, **more):
    return {"qid": qid, "values": {"evidence_recall": recall, "tokens": tokens}, **more}


def evaluation(policy, *records):
    return summarise(list(records), {"cases": "c", "policy": policy, "id": policy}, Policy())


NOT_RETRIEVED = {"failure": "NOT_RETRIEVED", "proof": "None of the candidates holds it."}
NEW = evaluation("n", *[record(f"q{i:02}", 1.0, 2000, intent="lookup") for i in range(20)])
OLD = evaluation("o", *[record(f"q{i:02}", 0.5, 500, intent="lookup", diagnosis=NOT_RETRIEVED) for i in range(20)])


def printed(found, *more, width=120, how=print_report):
    console = Console(file=io.StringIO(), width=width, highlight=False, markup=False, emoji=False)
    how(console, found, *more)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]


@pytest.mark.parametrize(
    ("policy", "against", "names"),
    [
        ("new.yaml", "old.yaml", ("new.yaml", "old.yaml")),
        ("a/b/new.yaml", "old.yaml", ("new.yaml", "old.yaml")),
        ("a/new/policy.yaml", "a/old/policy.yaml", ("new/policy.yaml", "old/policy.yaml")),
        (None, "old.yaml", ("policy", "old.yaml")),
        ("new.yaml", None, ("new.yaml", "against")),
        ("x/a/policy.yaml", "y/a/policy.yaml", ("policy", "against")),
        ("policy.yaml", "policy.yaml", ("policy", "against")),
        (None, "policy", ("policy", "against")),
    ],
)
def test_policies_are_called_by_their_files(policy, against, names):
    """With the folder where that tells them apart, and by their part where nothing does."""
    assert names_of(policy and Path(policy), against and Path(against)) == names


def test_a_comparison_reads_as_the_policy_against_the_other():
    """The columns have the names, the difference is policy minus against, a failure is one under a name, signatures are two."""
    lines = printed(NEW, Against(OLD, compare(OLD, NEW), OLD_NEW))

    assert lines[0] == "20 cases under new.yaml"
    start = lines.index("new.yaml against old.yaml: differences are new.yaml minus old.yaml")
    assert [line.split() for line in lines[start + 1 : start + 4]] == [
        ["measure", "old.yaml", "new.yaml", "difference", "95", "%", "n", "new.yaml", "is"],
        ["evidence_recall", "0.500", "1.000", "+0.5000", "+0.5000", "…", "+0.5000", "20", "better"],
        ["tokens", "500", "2000", "+1500.0", "+1500.0", "…", "+1500.0", "20", "worse"],
    ]
    assert lines[start + 4] == "differences by intent"
    assert lines[start + 6].split()[:4] == ["lookup", "evidence_recall", "0.500", "1.000"]
    assert lines[-4:] == [
        "fails only under old.yaml: q00, q01, q02, q03, q04 and 15 more",
        "fails only under new.yaml: none",
        "signature of new.yaml: cases:c policy:n id:n",
        "signature of old.yaml: cases:c policy:o id:o",
    ]


def test_the_data_name_both_policies():
    """``second`` minus ``first``, and either signature."""
    data = report_data(NEW, Against(OLD, compare(OLD, NEW), OLD_NEW))

    assert (data["comparison"]["first"], data["comparison"]["second"]) == ("old.yaml", "new.yaml")
    assert data["comparison"]["overall"][0]["difference"] == 0.5
    assert data["comparison"]["fixed"] == [f"q{i:02}" for i in range(20)]
    assert (data["signature"]["id"], data["against"]["signature"]["id"]) == ("n", "o")


def test_a_difference_is_in_plain_decimals():
    """No powers of ten, and no sign on what rounds to nothing."""
    assert compared_row(paired("tokens", [(500, 1500), (500, 1540)] * 9))[1:4] == ("500", "1520", "+1020.0")
    assert compared_row(paired("cited", [(0.5, 0.5), (0.5, 0.49998)] * 9))[3] == "0.0000"
    assert compared_row(paired("cited", [(0.5, 0.5)] * 9))[3:5] == ("0.0000", "0.0000 … 0.0000")
    assert compared_head(OLD_NEW) == ("measure", "old.yaml", "new.yaml", "difference", "95 %", "n", "new.yaml is")


def test_each_intent_has_its_interval_and_n():
    """As many beside each other as the terminal is wide; the others are named by their number."""
    found = evaluation("p", *[record(f"q{i}", i % 2, 10, intent=f"intent-{i % 8}") for i in range(16)])

    narrow = printed(found, width=90)
    start = narrow.index("by intent")

    assert narrow[start + 1].split() == ["measure", "intent-0", "95", "%", "n", "intent-1", "95", "%", "n"]
    assert narrow[start + 2].split() == ["evidence_recall", "0.000", "0.000–0.658", "2", "1.000", "0.342–1.000", "2"]
    assert "… and 2 intents more, in report.json" in narrow


def test_notes_stand_first():
    """On the terminal and in the data."""
    found = replace(NEW, notes=("3 cases name access, which the policy does not enforce.",))

    assert printed(found)[0] == "note: 3 cases name access, which the policy does not enforce."
    assert next(iter(report_data(found).items())) == ("notes", ["3 cases name access, which the policy does not enforce."])


def test_without_an_answer_the_matrix_tells_what_the_pack_would_do():
    """Cases with and without an answer are counted apart."""
    asked = [record(f"q{i}", 1.0, 10, cell=["present", "answered"]) for i in range(2)]
    declined = record("q2", 1.0, 10, cell=["absent", "declined"], status="ABSTAINED")

    assert abstention_tables(evaluation("p", *asked, declined)) == [
        (("1 case with an answer", "answered", "declined"), [("answer present", "0", "0"), ("answer absent", "0", "1")]),
        (("2 cases without an answer", "would be asked", "not asked"), [("answer present", "2", "0"), ("answer absent", "0", "0")]),
    ]
    assert any(line.startswith("No case has an answer") for line in printed(evaluation("p", *asked)))
    assert not any(line.startswith("No case has an answer") for line in printed(evaluation("p", declined)))


def test_nothing_foreign_steers_the_terminal():
    """Intents, ids, faults and notes."""
    wild = "q\x1b]0;owned\x07\x1b[2J\ud800"
    found = evaluation("p", record(wild, 1.0, 10, intent=wild), {"qid": f"{wild}2", "error": wild})

    lines = printed(replace(found, notes=(wild,)), Against(found, compare(found, found), Names(wild, "other")))

    assert not [c for line in lines for c in line if c != " " and not c.isprintable()]
    assert f"left out: {'q' + chr(92)}x1b]0;owned\\x07\\x1b[2J\\ud8002: q\\x1b]0;owned\\x07\\x1b[2J\\ud800" in lines


def test_tuning_leads_with_what_was_chosen():
    """Why, what was lost, every trial with the chosen one marked, then the chosen policy against the one before."""
    trials = [
        Trial({"evidence": size, "min_relative": floor}, size / 4000, size, Policy()) for size, floor in ((500, None), (2000, 0.35))
    ]
    lost = (({"evidence": 1, "min_relative": None}, "BudgetError: no room"),)
    tuning = Tuning("evidence_recall", tuple(trials), trials[1], "it is best", None, OLD, NEW, compare(OLD, NEW), lost)

    lines = printed(tuning, how=print_tuning)

    assert lines[:2] == ["chosen: evidence 2000, min_relative 0.35", "it is best"]
    assert [line.split() for line in lines[2:8]] == [
        "2 trials on the part that it was chosen by".split(),
        ["evidence", "min_relative", "evidence_recall", "tokens"],
        ["500", "none", "0.125", "500"],
        ["2000", "0.35", "0.500", "2000", "chosen"],
        "not tried: evidence 1, min_relative none: BudgetError: no room".split(),
        "On the part that it was not chosen by:".split(),
    ]
    assert lines[8] == "20 cases under chosen policy"
    assert "chosen policy against policy before: differences are chosen policy minus policy before" in lines
