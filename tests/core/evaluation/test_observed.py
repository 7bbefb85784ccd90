"""What is observed of a case: verdicts that are missing, sources of the answer's own."""

from __future__ import annotations

from datetime import date

import pytest

from contextpack_core import Policy, Support, SupportLabel
from contextpack_core.evaluation.cases import Case
from contextpack_core.evaluation.observed import observe
from contextpack_core.evaluation.run import Setup, record_of

DAY = date(2026, 6, 1)
NAMES = ("supported", "citation_support", "citation_precision", "citation_recall", "faithfulness")
CASE = {
    "qid": "q",
    "question": "How long?",
    "candidates": [
        {"id": "a", "doc_id": "x", "text": "A claim must be filed within 30 days."},
        {"id": "b", "doc_id": "y", "text": "The office is closed on Sundays."},
    ],
    "gold": ["a"],
}
BOTH = "A claim must be filed within 30 days [P1]. The office is closed on Sundays [P2]."
YES = Support(SupportLabel.SUPPORTED, 1.0, "")


def down(claim, passages, /):
    raise ConnectionError("no answer")


def down_on_offices(claim, passages, /):
    return down(claim, passages) if "office" in claim else YES


def down_on_one_passage(claim, passages, /):
    return down(claim, passages) if len(passages) == 1 else YES


def says_nothing(claim, passages, /):
    return None


def measured(judge, answer, **case):
    record = record_of(Case.from_dict({**CASE, "answer": answer, **case}), Setup(Policy(), DAY, judge))
    return {name: record["values"].get(name) for name in NAMES}, record.get("unknown")


@pytest.mark.parametrize("judge", [down, says_nothing])
def test_a_judge_that_gives_no_verdict_measures_nothing(judge):
    """It does not measure that nothing is supported; the record tells how many verdicts are missing."""
    assert measured(judge, BOTH) == (dict.fromkeys(NAMES), 2)


def test_statements_without_a_verdict_are_left_out():
    """The others are measured, and one that cites nothing is not supported by what it cites."""
    values, unknown = measured(down_on_offices, BOTH + " It is free.")

    assert values == dict.fromkeys(NAMES, 1.0) | {"citation_recall": 0.5}
    assert unknown == 1


def test_supported_is_not_measured_where_it_hangs_on_a_missing_verdict():
    """The gold stands in the passage cited by the statement without a verdict."""
    assert measured(down_on_offices, BOTH, gold=["b"])[0]["supported"] is None


def test_a_citation_whose_point_no_verdict_tells_is_left_out():
    """The two passages together support the statement; nothing is known of each alone."""
    values, _ = measured(down_on_one_passage, "A claim must be filed within 30 days [P1][P2].")

    assert (values["citation_recall"], values["citation_precision"]) == (1.0, None)


def test_recorded_verdicts_without_one_are_left_out_too():
    """As those that a judge does not give."""
    values, unknown = measured("lexical", BOTH, support=[{"label": "unknown"}, {"label": "supported"}])

    assert (values["citation_recall"], values["supported"], unknown) == (1.0, None, 1)


def test_a_generated_answer_is_written_from_the_pack():
    """Sources and verdicts that are recorded beside it belong to another answer."""
    case = Case.from_dict({**CASE, "sources": {"P1": "Apples are red."}, "support": [{"label": "not_supported"}]})

    observed = observe(case, Policy(), DAY, lambda claim, passages: YES, generate=lambda pack, question: "It is 30 days [P1].")

    assert (observed.cited.share, observed.report.support) == (1.0, (YES,))


def test_no_sources_are_not_the_pack():
    """An answer with empty sources was written from nothing."""
    case = Case.from_dict({**CASE, "sources": {}, "answer": "It is 30 days [P1]."})

    assert (observe(case, Policy(), DAY).cited.share, observe(case, Policy(), DAY).answer_present) == (0.0, False)


def test_an_answer_from_a_saved_pack_is_read_in_that_pack():
    """Its labels, the gold that it holds, and the place of a duplicate in it."""
    saved = observe(Case.from_dict({**CASE, "candidates": CASE["candidates"][::-1]}), Policy(), DAY).pack
    case = Case.from_dict({**CASE, "sources": saved.to_dict(), "answer": "It is 30 days [P2]."})

    observed = observe(case, Policy(), DAY)

    assert (observed.gold_labels, observed.gold_sources, observed.cited.share) == (("P1",), ("P2",), 1.0)
    assert not observed.reads_pack
