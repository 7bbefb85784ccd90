"""Thresholds for declining, suggested by labelled cases."""

from __future__ import annotations

import math
import random

import pytest
import yaml

from contextpack_core import Policy, calibrate_threshold
from contextpack_core.evaluation.thresholds import _least_error, advise_thresholds, fit_threshold


def records(n, tells, answerable=0.5):
    """Cases whose score tells so much about whether they can be answered."""
    chance = random.Random(5)
    found = []
    for i in range(n):
        right = chance.random() < answerable
        score = chance.random() + (tells if right else 0)
        found.append({"qid": f"q{i}", "signals": [score, None, 0.5], "answerable": right})
    return found


def test_a_threshold_is_fitted_on_one_half_and_tried_on_the_other():
    """The bound holds on cases it was not fitted on, and the YAML is a policy with that very threshold."""
    score, coverage = advise_thresholds(records(800, 1.0))

    assert (score.signal, score.fitted.n, score.held_out) == ("score", 400, 400)
    assert score.fitted.bound == 0.1
    assert score.wrong.value <= 0.1
    assert score.kept.value > 0.9
    assert Policy.from_yaml(score.yaml).grounding.min_score == score.fitted.value
    assert score.says == (
        f"Answering from a score of {score.fitted.value:.4g} keeps wrong answers to 10% of those with 95% "
        f"confidence, on 400 cases. On 400 others {score.wrong.value:.1%} of the answered are wrong, and {score.kept.value:.0%} of "
        "the answerable are answered."
    )
    assert not coverage.found
    assert score == advise_thresholds(records(800, 1.0)[::-1])[0]


@pytest.mark.parametrize(("error", "told"), [(0.001, "0.1%"), (0.025, "2.5%"), (0.07, "7%"), (1e-6, "0.0001%")])
def test_a_tiny_error_is_not_rounded_to_none(error, told):
    """As many digits as say something."""
    score, _ = advise_thresholds(records(400, 0.0), error)

    assert score.says.startswith(f"No threshold on the score keeps wrong answers to {told} of the answered with 95% confidence")


def test_where_no_threshold_keeps_the_error_it_says_so():
    """The least error that one keeps stands with it, and there is nothing to paste."""
    score, _ = advise_thresholds(records(400, 0.0), 0.05)

    assert (score.found, score.yaml, score.fitted.answered) == (False, None, 0)
    assert score.least > 0.4
    assert score.says.startswith("No threshold on the score keeps wrong answers to 5% of the answered with 95% confidence, on 200")
    assert score.says.endswith(f"the least that one keeps is {score.least:.0%}.")
    assert score.to_dict()["fitted"]["value"] is None


@pytest.mark.parametrize("seed", range(4))
def test_the_least_error_is_what_calibration_finds(seed):
    """The first whole percentage for which calibrate_threshold has a threshold, ties among the scores or not."""
    chance = random.Random(seed)
    cases = [(round(chance.random(), 1 if seed % 2 else 9) + right / 4, right) for right in chance.choices([True, False], k=120)]

    found = [n / 100 for n in range(1, 100) if math.isfinite(calibrate_threshold(cases, n / 100).value)]
    assert _least_error(cases, 0.01) == found[0]


def test_without_cases_of_both_kinds_there_is_nothing_to_calibrate():
    """All answerable, no label, no signal."""
    assert advise_thresholds(records(50, 0.0, answerable=1)) == ()
    assert advise_thresholds([{"qid": "a"}, {"qid": "b", "signals": [1.0, None, None]}]) == ()
    assert advise_thresholds([]) == ()


def test_without_a_label_the_gold_tells_whether_answering_is_right():
    """What holds all of its gold is to be answered."""
    unlabelled = [
        {"qid": r["qid"], "signals": r["signals"], "values": {"whole_evidence": float(r["answerable"])}} for r in records(800, 1.0)
    ]

    assert advise_thresholds(unlabelled) == advise_thresholds(records(800, 1.0))


def test_the_signal_that_answers_more_of_the_answerable_is_fitted():
    """On labelled cases alone; none where all may be answered, where none keeps to the error, or where one kind is missing."""
    cases = records(800, 1.0)
    both = [{**r, "signals": [r["signals"][0], None, float(r["answerable"])]} for r in cases]

    fitted = fit_threshold(cases)
    assert (fitted.signal, fitted.threshold.bound, fitted.threshold.n) == ("score", 0.1, 800)
    assert fitted.tried_on(records(100, 1.0)).says.startswith(f"Answering from a score of {fitted.threshold.value:.4g} keeps")
    assert fit_threshold(both).signal == "coverage"
    assert fit_threshold([{**r, "answerable": None, "cell": ["present", "answered"]} for r in cases]) is None
    assert fit_threshold(cases, 0.9) is fit_threshold(records(800, 0.0)) is fit_threshold(records(50, 1.0, answerable=1)) is None


def test_a_small_threshold_is_a_number_in_yaml():
    """1e-05 would be a text in YAML 1.1."""
    tiny = [{**r, "signals": [r["signals"][0] * 1e-5, None, None]} for r in records(800, 1.0)]

    assert isinstance(yaml.safe_load(advise_thresholds(tiny)[0].yaml)["grounding"]["min_score"], float)


def test_an_error_that_is_no_share_is_refused():
    """Between 0 and 1."""
    with pytest.raises(ValueError, match=r"error=1\.5"):
        advise_thresholds(records(20, 1.0), 1.5)
