"""Curves: knees and thresholds."""

from __future__ import annotations

import math
from datetime import date

import pytest

from contextpack_core import Policy
from contextpack_core.evaluation.cases import Case
from contextpack_core.evaluation.curves import (
    CURVE_CASES,
    FRACTIONS,
    LEAST,
    ThresholdPoint,
    has_curve,
    knee_of,
    kneedle,
    labelled_signals,
    recall_curve,
    threshold_curve,
)
from contextpack_core.evaluation.run import Setup, evaluate, record_of

DAY = date(2026, 1, 1)


def test_the_knee_of_the_papers_example():
    """y = -1/x + 5 for x from 0 to 0.9, as in the paper's figure 2: the knee is at 0.22."""
    xs = [i / 10 for i in range(10)]
    curve = [(x, -1 / (x + 0.1) + 5) for x in xs]

    assert curve[kneedle(curve)][0] == pytest.approx(0.2)


@pytest.mark.parametrize(
    ("why", "ys"),
    [
        ("a straight line", [i / 9 for i in range(10)]),
        ("it rises ever faster", [math.exp(i) for i in range(10)]),
        ("it is flat", [1.0] * 10),
        ("too few points", [0.0, 1.0]),
        ("no place of it is above its neighbours", [0.0, 0.0, 1.0]),
        ("it falls from the start", [1.0, 0.5, 0.0]),
        ("all of the rise is at the end", [0.0] * 9 + [1.0]),
    ],
)
def test_a_curve_without_a_knee_has_none(why, ys):
    """No knee is made up."""
    assert kneedle([(float(i), y) for i, y in enumerate(ys)]) is None, why


def test_cases_without_a_knee_have_none():
    """The whole budget is needed, in one case and in two."""
    late = {"curve": [[50, 0.0], [100, 1.0]]}

    assert knee_of([late]) is None
    assert knee_of([late, late]) is None


STEEP = {"curve": [[100, 1.0], [200, 1.0], [1000, 1.0]]}
LATE = {"curve": [[100, 0.0], [200, 1.0], [1000, 1.0]]}


def test_the_mean_curve_is_read_off_between_the_budgets_of_each_case():
    """Two cases, one that needs a budget of 100, one that needs 200; one with a smaller budget of its own stays as it ends."""
    curve = recall_curve([STEEP, LATE], points=21)
    assert curve[:5] == ((0.0, 0.0), (50.0, 0.25), (100.0, 0.5), (150.0, 0.75), (200.0, 1.0))
    assert recall_curve([LATE, {"curve": [[400, 0.5]]}], points=6)[1:4] == ((200.0, 0.625), (400.0, 0.75), (600.0, 0.75))
    assert recall_curve([]) == ()


def test_a_knee_has_an_interval_and_suggests_a_budget():
    """The interval goes as far as the budgets beside it, of which more is not known; the budget is its upper end, rounded up to
    fifty; the same for the same seed.
    """
    cases = [STEEP, STEEP, LATE] * 10
    knee = knee_of(cases, points=11)

    assert (knee.tokens, knee.low, knee.high, knee.budget, knee.n) == (200.0, 100.0, 1000.0, 1000, 30)
    assert knee == knee_of(cases, points=11)
    assert knee_of([]) is None


@pytest.mark.parametrize(("n", "budget"), [(LEAST, 400), (LEAST - 1, None)])
def test_few_cases_suggest_no_budget(n, budget):
    """How many are wanted is said."""
    knee = knee_of([{"curve": [[125, 0.3], [250, 0.9], [375, 0.95], [500, 1.0]]}] * n)

    assert (knee.tokens, knee.low, knee.high, knee.budget) == (250.0, 125.0, 375.0, budget)
    if budget is None:
        assert knee.says == "no budget suggested: 19 with a curve are too few, at least 20 cases are wanted"


def test_no_budget_is_suggested_where_the_curve_goes_on_rising():
    """At the budget above the knee there is less than nine tenths of what there is at the end."""
    case = {"curve": [[100, 0.5], [200, 0.55], [1000, 1.0]]}
    knee = knee_of([case] * 20)

    assert (knee.tokens, knee.recall, knee.high, knee.budget, knee.end) == (100.0, 0.5, 200.0, None, 1.0)
    assert knee.to_dict()["budget"] is None
    assert knee.says == (
        "no budget suggested: recall is 0.50 at the knee (100 tokens) and 1.00 at the end of the curve, "
        "of which even the upper end of the knee's interval keeps less than 0.9"
    )


@pytest.mark.parametrize(("share", "budget"), [(0.9, 200), (0.89, None)])
def test_a_suggested_budget_keeps_nine_tenths_of_the_recall_at_the_end(share, budget):
    """The bound itself is enough."""
    knee = knee_of([{"curve": [[100, 0.85], [200, share], [900, 1.0], [1000, 1.0]]}] * 20, points=11)

    assert (knee.tokens, knee.budget) == (100.0, budget)


def asked(i, **more):
    """A case whose gold ranks third of three."""
    texts = [f"Dogs of kind {i} bark at night.", f"Apples of kind {i} are red and sweet.", f"Pears of kind {i} are green and hard."]
    hits = [{"id": f"{n}", "doc_id": f"{n}", "text": text} for n, text in enumerate(texts)]
    return Case.from_dict({"qid": f"q{i}", "question": "Which one?", "candidates": hits, "gold": ["2"], **more})


def test_the_curve_of_a_case_is_what_it_measures_under_each_budget():
    """Packs of their own, to the token: an evaluation under a budget of the curve has the recall that the curve says."""
    ranked = {"budget": {"evidence": 120, "strategy": "rank"}}
    curve = record_of(asked(0), Setup(Policy.from_dict(ranked), DAY, curve_share=1.0))["curve"]

    assert [budget for budget, _ in curve] == [*[int(120 * fraction) for fraction in FRACTIONS], 120]
    assert sorted({share for _, share in curve}) == [0.0, 1.0]
    for budget, share in curve:
        smaller = Policy.from_dict({"budget": {"evidence": budget, "strategy": "rank"}})
        assert share == record_of(asked(0), Setup(smaller, DAY)).get("values", {}).get("evidence_recall", 0.0), budget


def test_the_curve_of_a_case_keeps_to_its_intent_its_day_and_its_asker():
    """Settings of the intent that a cue announces; a candidate of another day, or that the asker may not see, is in no pack."""
    policy = Policy.from_dict(
        {
            "access": {"enforce": True},
            "versions": {"prefer": "in_force"},
            "intents": {"short": {"cues": ["which"], "budget": {"evidence": 800}}},
        }
    )
    setup = Setup(policy, DAY, curve_share=1.0)
    later = {"family": "fruit", "effective_from": "2027-01-01"}
    hits = [{"id": "2", "doc_id": "2", "text": "Pears are green.", "access": ["staff"], **later}]

    assert record_of(asked(0, access=["staff"], candidates=hits, as_of="2027-06-01"), setup)["curve"] == [
        [50, 1.0], [100, 1.0], [200, 1.0], [300, 1.0], [400, 1.0], [600, 1.0], [800, 1.0],
    ]  # fmt: skip
    assert {s for _, s in record_of(asked(0, access=["staff"], candidates=hits), setup)["curve"]} == {0.0}
    assert {s for _, s in record_of(asked(0, access=[], candidates=hits, as_of="2027-06-01"), setup)["curve"]} == {0.0}


def test_without_gold_or_candidates_there_is_no_curve():
    """Nothing to reach, or nothing to pack."""
    setup = Setup(Policy(), DAY, curve_share=1.0)

    assert "curve" not in record_of(asked(0, gold=[]), setup)
    assert "curve" not in record_of(asked(0, candidates=None, answer="Pears.", sources={"P1": "Pears."}), setup)


def test_a_seeded_sample_of_the_cases_has_a_curve():
    """The same cases whatever their order, others under another seed; all of a small set, none if none are wanted."""
    cases = [asked(i) for i in range(60)]

    def curved(**options):
        records = evaluate(cases, as_of=DAY, judge="none", **options).records
        return {record["qid"] for record in records if "curve" in record}

    some = curved(curve_cases=20)
    assert some == {case.qid for case in cases if has_curve(case.qid, 20 / 60)}
    assert 10 <= len(some) <= 30
    assert some != curved(curve_cases=20, seed=8)
    assert (len(curved()), curved(curve_cases=0)) == (60, set())
    assert 150 <= sum(has_curve(str(i), CURVE_CASES / 10_000) for i in range(10_000)) <= 250


RECORDS = [{"signals": [score, None, None], "answerable": right} for score, right in [(1, False), (2, True), (3, False), (4, True)]]


def test_a_threshold_curve_counts_what_declining_costs():
    """Four cases, of which those with scores 2 and 4 can be answered."""
    assert threshold_curve(RECORDS) == (
        ThresholdPoint(1, 1.0, 1.0, 0.5),
        ThresholdPoint(2, 0.75, 1.0, pytest.approx(1 / 3)),
        ThresholdPoint(3, 0.5, 0.5, 0.5),
        ThresholdPoint(4, 0.25, 0.5, 0.0),
    )
    assert threshold_curve([RECORDS[3], *RECORDS, RECORDS[1]], points=2) == (
        ThresholdPoint(1, 1.0, 1.0, pytest.approx(1 / 3)),
        ThresholdPoint(4, pytest.approx(1 / 3), 0.5, 0.0),
    )
    assert threshold_curve(RECORDS, "gap") == ()
    with pytest.raises(ValueError, match="one of score, gap, coverage"):
        labelled_signals(RECORDS, "mood")


def test_of_two_knees_the_higher_one_counts():
    """A small bend first, the real one later."""
    ys = [0.0, 0.15, 0.16, 0.17, 0.9, 0.95, 0.96, 0.97, 0.98, 1.0]

    assert kneedle([(float(i), y) for i, y in enumerate(ys)]) == 4
