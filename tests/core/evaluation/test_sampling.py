"""Which answers get the judge, and the records that the evaluation reads."""

from __future__ import annotations

import json
from datetime import date

import pytest

from contextpack_core import Support, SupportLabel, pack
from contextpack_core.evaluation.run import evaluate
from contextpack_core.evaluation.sampling import SampledChecks, has_figures, has_problems

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
