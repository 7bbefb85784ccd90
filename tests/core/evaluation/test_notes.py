"""What the reader of an evaluation is told before the numbers are believed."""

from __future__ import annotations

from contextpack_core import Policy
from contextpack_core.evaluation.intervals import Estimate
from contextpack_core.evaluation.notes import notes_of


def record(**more):
    return {"qid": "q", "values": {}, **more}


def test_labels_of_the_asker_that_nobody_enforces_are_named():
    """With a policy that enforces them there is nothing to say."""
    enforced = Policy.from_dict({"access": {"enforce": True}})
    records = [record(access=True), record(access=True), record()]

    assert notes_of(records, {}, Policy()) == (
        "2 cases name access, and the policy does not enforce it (access.enforce): what the asker may not see counts as evidence.",
    )
    assert notes_of(records, {}, enforced) == ()


def test_answers_of_several_rules_of_sampling_are_named():
    """Those that are always judged at whatever rate are of one rule."""
    always = [record(chosen="always", rate=0.1), record(chosen="always", rate=0.2)]

    assert notes_of(always, {}, Policy()) == ()
    assert notes_of([*always, record(chosen="rate", rate=0.1), record(chosen="rate", rate=0.2)], {}, Policy()) == (
        "4 cases are answers that SampledChecks chose by different rules (2 by always, 1 by rate 0.1, 1 by rate 0.2): no random "
        "sample, so a mean over them is none over all answers — take the records of each rule apart: "
        "estimates([r for r in found.records if r['chosen'] == 'rate']).",
    )


def test_verdicts_that_are_missing_are_counted():
    """A judge that was down is told from one that found no support."""
    assert notes_of([record(unknown=2), record(unknown=1), record()], {}, Policy()) == (
        "3 verdicts of the judge are missing, in 2 cases: it was down or gave none; what needs them was not measured there.",
    )


def test_answers_without_any_citation_are_named():
    """As of a data set that asks for none; one that cites something is enough to believe the others."""
    bare, cited = {"citation_coverage": 0.0}, {"citation_coverage": 0.0, "citation_validity": 0.0}

    assert notes_of([record(values=bare), record(values=bare), record()], {}, Policy()) == (
        "Not one answer of 2 cites a passage: if they were written without labels, as those of RAGAS data sets are, cited, "
        "supported, citation_coverage, citation_recall and NOT_CITED say nothing about them.",
    )
    assert notes_of([record(values=bare), record(values=cited)], {}, Policy()) == ()


def test_means_over_few_cases_are_named():
    """Each with its number of cases."""
    overall = {"cited": Estimate(1.0, 0.5, 1.0, 9, "wilson"), "tokens": Estimate(90.0, 80.0, 95.0, 10, "bootstrap")}

    assert notes_of([], overall, Policy()) == ("Measured on fewer than 10 cases: cited (9); their intervals say little.",)
