"""Which answers get the judge, and the records that the evaluation reads."""

from __future__ import annotations

import json
from datetime import date

import pytest

from contextpack_core import Support, SupportLabel, pack
from contextpack_core.evaluation.cases import Case, load_cases
from contextpack_core.evaluation.run import estimates, evaluate
from contextpack_core.evaluation.sampling import SampledChecks, has_figures, has_problems
from contextpack_core.text import content_id

DAY = date(2026, 1, 1)
PACK = pack([{"id": "a", "text": "A claim must be filed within 30 days."}], "How long?", as_of=date(2026, 1, 1))


def agreeing(claim, passages):
    return Support(SupportLabel.SUPPORTED, 0.9, "so it says")


def test_the_choice_hangs_on_content_alone_and_keeps_its_rate():
    """The same answers every time, about as many as the rate says, and more with a greater one."""
    answers = [f"answer {i}" for i in range(2000)]
    chosen = [a for a in answers if SampledChecks(0.1).chosen("q", a)]

    assert chosen == [a for a in answers if SampledChecks(0.1).chosen("q", a)]
    assert 150 < len(chosen) < 250
    assert set(chosen) < {a for a in answers if SampledChecks(0.2).chosen("q", a)}
    assert [SampledChecks(rate).chosen("q", "a") for rate in (0.0, 1.0)] == [False, True]
    with pytest.raises(ValueError, match="a share between 0 and 1"):
        SampledChecks(2)


def test_answers_of_a_kind_are_always_judged():
    """A figure brings the judge; without one, and without the luck of the draw, the check is by program alone."""
    checks = SampledChecks(0.0, always=has_figures)

    judged = checks.check("A claim must be filed within 30 days [P1].", PACK, judge=agreeing)
    plain = checks.check("A claim must be filed soon [P1].", PACK, judge=agreeing)

    assert (judged.why, judged.report.support[0].why) == ("always", "so it says")
    assert (plain.why, plain.record, plain.report.support) == (None, None, None)
    assert SampledChecks(0.0, always=has_problems).check("Nonsense [P9].", PACK).why == "always"


def test_the_evaluation_reads_the_records_with_their_verdicts(tmp_path):
    """The recorded verdicts come before the evaluation's own judge, and the pack is the one of the day."""
    record = SampledChecks(1.0).check("It must be lodged in a month [P1].", PACK, question="How long?", judge=agreeing).record
    path = tmp_path / "sampled.jsonl"
    path.write_text(json.dumps(record) + "\n")

    found = evaluate(path)

    assert found.overall["citation_support"].value == 1.0
    assert found.overall["tokens"].value == PACK.tokens


def test_an_answer_that_is_given_again_counts_again(tmp_path):
    """The same question and answer from several processes, in one file: each line is a case, under any number of workers; a ticket
    can name it.
    """
    checks, path = SampledChecks(1.0), tmp_path / "sampled.jsonl"
    for qid in (None, None, "ticket 7", None, "ticket 7"):
        checked = checks.check("It must be lodged in a month [P1].", PACK, question="How long?", qid=qid, judge=agreeing)
        with path.open("a") as file:
            file.write(json.dumps(checked.record) + "\n")

    found = evaluate(path, as_of=DAY)

    name = content_id("How long?", "It must be lodged in a month [P1].")
    assert [r["qid"] for r in found.records] == [name, f"{name}#2", "ticket 7", f"{name}#3", "ticket 7#2"]
    assert found.overall["citation_support"].n == 5
    assert found.records == evaluate(path, as_of=DAY, workers=2, out=tmp_path / "out").records
    assert found.records == evaluate(load_cases(path), as_of=DAY).records


def test_a_mean_over_answers_chosen_by_different_rules_is_none_over_all():
    """A note says so, and how to take those of one rule apart; of one rule there is nothing to say."""
    right, wrong = "A claim must be filed within 30 days [P1].", "A claim must be filed soon [P1]."
    checks = SampledChecks(0.5, always=has_figures)
    records = [checks.check(right, PACK, question=f"How long, {i}?", judge=agreeing).record for i in range(2)]
    records += [c.record for i in range(9) if (c := checks.check(wrong, PACK, question=f"How long, {i}?", judge=agreeing)).record]

    found = evaluate([Case.from_dict(record) for record in records], as_of=DAY)

    few = len(records) - 2
    assert found.notes[0] == (
        f"{len(records)} cases are answers that SampledChecks chose by different rules (2 by always, {few} by rate 0.5): "
        "no random sample, so a mean over them is none over all answers — take the records of each rule apart: "
        "estimates([r for r in found.records if r['chosen'] == 'rate'])."
    )
    assert estimates([r for r in found.records if r["chosen"] == "rate"])["citation_support"].n == few > 0
    assert not any("SampledChecks" in note for note in evaluate([Case.from_dict(records[0])], as_of=DAY).notes)
