"""Curves: knees and thresholds."""

from __future__ import annotations

import math
from datetime import date

import pytest

from contextpack_core import Policy
from contextpack_core.evaluation.cases import Case
from contextpack_core.evaluation.curves import ThresholdPoint, knee_of, kneedle, labelled_signals, recall_curve, threshold_curve
from contextpack_core.evaluation.run import Setup, record_of


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
    """The gold stands in the last passage alone, in one case and in two."""
    late = {"curve": [[0.0, 0.0], [100.0, 1.0]]}

    assert knee_of([late]) is None
    assert knee_of([late, late]) is None


STEEP = {"curve": [[0.0, 0.0], [100.0, 1.0], [1000.0, 1.0]]}
LATE = {"curve": [[0.0, 0.0], [200.0, 1.0], [1000.0, 1.0]]}


def test_the_mean_curve_has_the_recall_at_each_number_of_tokens():
    """Two cases, one found after 100 tokens, one after 200."""
    assert recall_curve([STEEP, LATE], points=11)[:4] == ((0.0, 0.0), (100.0, 0.5), (200.0, 1.0), (300.0, 1.0))
    assert recall_curve([]) == ()


def test_a_knee_has_an_interval_and_suggests_a_budget():
    """The budget is the upper end of the interval, rounded up to fifty; the same for the same seed."""
    knee = knee_of([STEEP, STEEP, LATE], points=11)

    assert (knee.tokens, knee.low, knee.high, knee.budget, knee.n) == (200.0, 100.0, 200.0, 200, 3)
    assert knee == knee_of([STEEP, STEEP, LATE], points=11)
    assert knee_of([]) is None


def test_no_budget_is_suggested_where_the_curve_goes_on_rising():
    """Half of the gold stands in the first 50 tokens and all of it in 104: a budget of 50 would cost the other half."""
    case = {"curve": [[0.0, 0.0], [50.0, 0.5], [104.0, 1.0]]}
    knee = knee_of([case] * 4)

    assert (round(knee.tokens), knee.recall, knee.budget, knee.end, knee.to_dict()["budget"]) == (50, 0.5, None, 1.0, None)
    assert knee.says == (
        "no budget suggested: recall is 0.50 at the knee (50 tokens) and 1.00 at the end of the curve, "
        "of which even the upper end of the knee's interval keeps less than 0.9"
    )


@pytest.mark.parametrize(("share", "budget"), [(0.9, 100), (0.89, None)])
def test_a_suggested_budget_keeps_nine_tenths_of_the_recall_at_the_end(share, budget):
    """The bound itself is enough."""
    knee = knee_of([{"curve": [[0.0, 0.0], [100.0, share], [900.0, 1.0], [1000.0, 1.0]]}], points=11)

    assert (knee.tokens, knee.budget) == (100.0, budget)


def test_a_case_has_its_own_curve():
    """Tokens of passages by rank, steps where the share of the gold rises, the whole evidence at the end."""
    texts = ["Dogs bark at night.", "Apples are red.", "Pears are green."]
    case = Case.from_dict(
        {
            "qid": "q",
            "question": "Which fruit?",
            "candidates": [{"id": str(i), "doc_id": str(i), "text": text} for i, text in enumerate(texts)],
            "gold": ["1"],
        }
    )

    record = record_of(case, Setup(Policy.from_dict({"order": {"by": "best_last"}}), date(2026, 1, 1)))

    third = record["values"]["tokens"] / 3
    assert record["curve"] == [[0.0, 0.0], [pytest.approx(2 * third, abs=2), 1.0], [record["values"]["tokens"], 1.0]]
    assert record["gold_rank"] == 2


RECORDS = [{"signals": [score, None, None], "answerable": right} for score, right in [(1, False), (2, True), (3, False), (4, True)]]


def test_a_threshold_curve_counts_what_declining_costs():
    """Four cases, of which those with scores 2 and 4 can be answered."""
    assert threshold_curve(RECORDS) == (
        ThresholdPoint(1, 1.0, 1.0, 0.5),
        ThresholdPoint(2, 0.75, 1.0, pytest.approx(1 / 3)),
        ThresholdPoint(3, 0.5, 0.5, 0.5),
        ThresholdPoint(4, 0.25, 0.5, 0.0),
    )
    assert threshold_curve(RECORDS, "gap") == ()
    with pytest.raises(ValueError, match="one of score, gap, coverage"):
        labelled_signals(RECORDS, "mood")


def test_of_two_knees_the_higher_one_counts():
    """A small bend first, the real one later."""
    ys = [0.0, 0.15, 0.16, 0.17, 0.9, 0.95, 0.96, 0.97, 0.98, 1.0]

    assert kneedle([(float(i), y) for i, y in enumerate(ys)]) == 4
