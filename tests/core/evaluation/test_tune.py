"""Tuning: what is searched, what is chosen, and what is said where nothing can be."""

from __future__ import annotations

import json
from datetime import date

import pytest

from contextpack_core import Policy
from contextpack_core.evaluation import tune as tuning
from contextpack_core.evaluation.cases import Case
from contextpack_core.evaluation.run import EvaluationError, evaluate
from contextpack_core.evaluation.tune import tune

DAY = date(2026, 1, 1)
QUICK = {"strategies": ("evidence",), "floors": (None,), "as_of": DAY}


def asked(i, **more):
    """A case that needs two passages of four."""
    texts = [f"Rule {i} says that {word} must be kept for {i + 10} days." for word in ("apples", "pears", "plums", "nuts")]
    hits = [{"id": f"{i}-{n}", "doc_id": f"{i}-{n}", "text": text, "score": 1 - n / 10} for n, text in enumerate(texts)]
    gold = [f"{i}-0", f"{i}-3"]
    return Case.from_dict({"qid": f"q{i:02}", "question": f"Compare rule {i} and more.", "candidates": hits, "gold": gold, **more})


CASES = [asked(i) for i in range(16)]


def test_a_trial_holds_for_every_intent():
    """A budget that an intent has for itself stays where a trial has that of the policy, and goes where it has another one."""
    policy = Policy.from_dict({"intents": {"comparison": {"cues": ["compare"], "budget": {"evidence": 2000, "margin": 1}}}})

    found = tune(CASES, policy, budgets=(30, 90), **QUICK)

    tokens = {trial.settings["evidence"]: trial.tokens for trial in found.trials}
    assert tokens[30] < tokens[90] < tokens[4000]
    intents = {trial.settings["evidence"]: trial.policy.to_dict()["intents"]["comparison"]["budget"] for trial in found.trials}
    assert intents == {4000: {"evidence": 2000, "margin": 1}, 30: {"margin": 1}, 90: {"margin": 1}}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"measure": "faithfulness"}, "measure: 'faithfulness' — tuning asks no judge: one where higher is better: retrieved,"),
        ({"measure": "recal"}, "measure: 'recal' — one where higher is better: retrieved,"),
        ({"measure": "answer_correctness"}, "none of the cases has it; there are retrieved,"),
        ({"strategies": ()}, "strategies and floors — at least one of each"),
        ({"floors": ()}, "strategies and floors — at least one of each"),
        (
            {"policy": Policy.from_dict({"budget": {"input_limit": 100, "answer": 200}})},
            "no trial could be run: 0 of 8 cases.*Budget",
        ),
    ],
)
def test_what_cannot_be_searched_is_said(options, said):
    """The real reason."""
    with pytest.raises(EvaluationError, match=said):
        tune(CASES, **{**QUICK, "budgets": (30,), **options})


def test_each_evaluation_is_a_step_of_the_progress():
    """From the first trial to the last part, the own budget among the budgets or not."""
    seen = []
    tune(CASES, budgets=(30, 4000), progress=lambda done, total: seen.append((done, total)), **QUICK)

    assert seen == [(done, 6) for done in range(1, 7)]


def test_a_trial_that_runs_fewer_cases_is_lost(monkeypatch):
    """Its mean is over other cases; the settings are told with the reason, and the progress goes on."""

    def failing(cases, policy, **options):
        found = evaluate(cases, policy, **options)
        if policy.budget.evidence != 30:
            return found
        return type(found)(found.signature, found.records[1:], found.overall, found.by_intent, ("q00: no room",), policy)

    monkeypatch.setattr(tuning, "evaluate", failing)
    seen = []
    found = tune(CASES, budgets=(30,), progress=lambda done, total: seen.append(done), **QUICK)

    assert found.lost == (
        ({"evidence": 30, "strategy": "evidence", "min_relative": None}, "7 of 8 cases could be run; q00: no room"),
    )
    assert found.to_dict()["lost"][0]["why"] == "7 of 8 cases could be run; q00: no room"
    assert "1 more could not be run" in found.why
    assert (seen, len(found.trials)) == ([1, 2, 3, 4, 5, 6], 1)


def test_an_interrupted_search_goes_on_from_its_records(tmp_path, monkeypatch):
    """No case of a trial that is written is packed again, and the same comes out."""
    whole = tune(CASES, budgets=(30,), out=tmp_path, **QUICK)
    assert len(list(tmp_path.iterdir())) >= 4
    packed = []
    with monkeypatch.context() as patch:
        patch.setattr("contextpack_core.evaluation.run.record_of", lambda case, settings: packed.append(case))
        again = tune(CASES, budgets=(30,), out=str(tmp_path), **QUICK)

    assert (packed, again.to_dict()) == ([], whole.to_dict())
    assert whole.to_dict() == tune(CASES, budgets=(30,), **QUICK).to_dict()


def labelled(n):
    """Cases whose score tells whether they can be answered, every third one not."""
    found = []
    for i in range(n):
        answerable = i % 3 > 0
        hit = {"id": f"{i}", "doc_id": f"{i}", "text": f"Rule {i} holds for apples.", "score": 0.9 if answerable else 0.1 + i / 1e4}
        gold = [f"{i}"] if answerable else []
        found.append(
            Case.from_dict({"qid": f"{i}", "question": "Which?", "candidates": [hit], "gold": gold, "answerable": answerable})
        )
    return found


def test_a_threshold_for_declining_is_calibrated_where_cases_are_to_be_declined():
    """It stands in the policy, and what it does is told of the other part; a threshold of the policy's own is left alone."""
    cases = labelled(240)

    found = tune(cases, budgets=(), **QUICK)

    assert 0.1 < found.chosen.policy.grounding.min_score == found.threshold.fitted.value <= 0.9
    assert found.chosen in found.trials
    assert found.before.matrix["absent"]["answered"] > 3 * found.after.matrix["absent"]["answered"]
    assert found.why.endswith(found.threshold.says.rstrip("."))
    assert (found.threshold.signal, found.threshold.kept.value, found.threshold.wrong.value < 0.15) == ("score", 1.0, True)
    own = tune(cases, Policy.from_dict({"grounding": {"min_coverage": 0.1}}), budgets=(), **QUICK)
    assert (own.threshold, own.chosen.policy.grounding.min_score) == (None, None)
    assert tune(cases, budgets=(), error=None, **QUICK).threshold is None
    assert tune(CASES, budgets=(), **QUICK).threshold is None
    json.dumps(found.to_dict(), allow_nan=False)
