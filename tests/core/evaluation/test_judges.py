"""Judges judged."""

from __future__ import annotations

import pytest

from contextpack_core import Support, SupportLabel
from contextpack_core.evaluation.cases import CasesError
from contextpack_core.evaluation.intervals import wilson
from contextpack_core.evaluation.judges import (
    LabelledPair,
    assess_judge,
    assess_verdicts,
    auc,
    cohen_kappa,
    load_pairs,
    load_verdicts,
    noise_floor,
)


def of(*counts):
    """Truth and verdict of so many (both, missed, false alarm, neither)."""
    pairs = [(True, True), (True, False), (False, True), (False, False)]
    flat = [pair for pair, n in zip(pairs, counts, strict=True) for _ in range(n)]
    return [t for t, _ in flat], [s for _, s in flat]


def test_kappa_of_a_worked_example():
    """20, 5, 10, 15 of 50: agreement 0.7, by chance 0.5, so 0.4."""
    assert cohen_kappa(*of(20, 5, 10, 15)) == pytest.approx(0.4)
    assert cohen_kappa(*of(5, 0, 0, 0)) is None


@pytest.mark.parametrize(
    ("scored", "wanted"),
    [
        ([(0.9, True), (0.8, True), (0.2, False)], 1.0),
        ([(0.1, True), (0.9, False)], 0.0),
        ([(0.5, True), (0.5, False)], 0.5),
        ([(0.9, True), (0.4, True), (0.5, False), (0.4, False)], 0.625),
        ([(0.9, True)], None),
    ],
)
def test_auc_counts_pairs_in_the_right_order(scored, wanted):
    """Ties count half; without both kinds there is none."""
    assert auc(scored) == wanted


def test_the_noise_floor_grows_as_the_judge_gets_worse():
    """A perfect judge leaves the sampling noise, 1.96 * sqrt(2 * 0.25 / 100); errors divide it by s + t - 1."""
    assert noise_floor(*of(50, 0, 0, 50)) == pytest.approx(1.96 * (0.5 / 100) ** 0.5, rel=1e-3)
    assert noise_floor(*of(40, 10, 10, 40)) == pytest.approx(1.96 * (0.5 / 100) ** 0.5 / 0.6, rel=1e-3)
    assert noise_floor(*of(25, 25, 25, 25)) is None
    assert noise_floor(*of(5, 5, 0, 0)) is None


CLOSE, FAR = "Apples are red and sweet.", "The fruit has a crimson hue."
PAIRS = [LabelledPair(CLOSE, CLOSE, True), LabelledPair(FAR, CLOSE, True), LabelledPair("Apples are blue.", CLOSE, False)] * 20


def literal(claim, passages):
    """A judge that knows only the very words."""
    found = claim in passages["P1"]
    return Support(SupportLabel.SUPPORTED if found else SupportLabel.NOT_SUPPORTED, float(found))


def test_a_judge_that_misses_paraphrase_is_found_out():
    """Confusion, agreement and the two shares that show the bias."""
    report = assess_judge(literal, PAIRS)

    assert report.confusion == {
        "supported": {"supported": 20, "unsupported": 20},
        "unsupported": {"supported": 0, "unsupported": 20},
    }
    assert (report.agreement, report.near, report.far) == (wilson(40, 60), wilson(20, 20), wilson(0, 20))
    assert (report.paraphrase_bias, report.auc, report.unknown) == (1.0, 0.75, 0)
    assert any("misses paraphrase" in line for line in report.says)


def test_a_judge_that_fails_supports_nothing():
    """What it raises is no verdict."""

    def broken(claim, passages):
        raise RuntimeError("no model")

    report = assess_judge(broken, PAIRS)

    assert (report.unknown, report.noise, report.auc) == (60, None, None)
    assert report.says[-1] == "It is no better than chance: its verdicts show nothing."


def test_pairs_are_read_with_the_labels_of_common_data_sets(tmp_path):
    """Every wrong line is named."""
    path = tmp_path / "pairs.jsonl"
    path.write_text(
        '{"claim": "c", "passage": "p", "label": "SUPPORTS"}\n{"claim": "c", "passage": "p", "label": "NOT ENOUGH INFO"}\n'
    )

    assert load_pairs(path) == (LabelledPair("c", "p", True), LabelledPair("c", "p", False))
    path.write_text('{"claim": "c", "label": true}\n{"claim": "c", "passage": "p", "label": "perhaps"}\n' + "[" * 100_000)
    with pytest.raises(CasesError) as caught:
        load_pairs(path)
    assert [fault.split(":")[1] for fault in caught.value.faults] == ["1", "2", "3"]


def test_a_label_counts_where_supported_is_null(tmp_path):
    """Tables write null for what a row does not have."""
    path = tmp_path / "pairs.jsonl"
    path.write_text('{"claim": "c", "passage": "p", "supported": null, "label": "SUPPORTS"}\n')

    assert load_pairs(path) == (LabelledPair("c", "p", True),)


def test_recorded_verdicts_are_assessed_line_by_line(tmp_path):
    """A pair that was judged twice counts with both of its verdicts, each against its own label."""
    path = tmp_path / "pairs.jsonl"
    path.write_text(
        '{"claim": "a", "passage": "p", "label": true, "verdict": "contradicted", "score": 0.2}\n'
        '{"claim": "a", "passage": "p", "label": true, "verdict": true}\n'
        '{"claim": "c", "passage": "p", "label": false, "verdict": "entailment"}\n'
    )

    verdicts = load_verdicts(path)

    assert verdicts == (Support(SupportLabel.CONTRADICTED, 0.2), Support(SupportLabel.SUPPORTED), Support(SupportLabel.SUPPORTED))
    assert assess_verdicts(verdicts, load_pairs(path)).confusion == {
        "supported": {"supported": 1, "unsupported": 1},
        "unsupported": {"supported": 1, "unsupported": 0},
    }
    with pytest.raises(ValueError, match="2 verdicts on 3 labelled pairs"):
        assess_verdicts(verdicts[:2], load_pairs(path))


def test_wrong_verdicts_are_named(tmp_path):
    """No verdict, a score that is none, no JSON."""
    path = tmp_path / "pairs.jsonl"
    path.write_text('{"claim": "a", "passage": "p"}\n{"claim": "a", "passage": "p", "verdict": true, "score": 2}\n' + "[" * 100_000)

    with pytest.raises(CasesError) as caught:
        load_verdicts(path)
    assert [fault.split(":")[1] for fault in caught.value.faults] == ["1", "2", "3"]
