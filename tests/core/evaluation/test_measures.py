"""Measures against values worked out by hand: tests/data/evaluation/measures.jsonl."""

from __future__ import annotations

import json
import random
from datetime import date
from pathlib import Path

import pytest

from contextpack_core import Policy
from contextpack_core.evaluation.cases import Case
from contextpack_core.evaluation.convert import from_trec, read_qrels, read_run
from contextpack_core.evaluation.measures import MEASURES
from contextpack_core.evaluation.measures.answers import token_f1
from contextpack_core.evaluation.run import Setup, record_of

ROOT = Path(__file__).parents[3]
ROWS = [json.loads(line) for line in (ROOT / "tests/data/evaluation/measures.jsonl").read_text(encoding="utf-8").splitlines()]
SETTINGS = Setup(Policy(), date(2026, 6, 1))


@pytest.mark.parametrize("row", ROWS, ids=[row["case"]["qid"] for row in ROWS])
def test_a_measure_has_the_value_worked_out_by_hand(row):
    """Each named measure has its value, and those that do not apply have none."""
    values = record_of(Case.from_dict(row["case"]), SETTINGS)["values"]

    assert {name: values.get(name) for name in row["want"]} == row["want"], row["why"]
    assert [name for name in row.get("without", ()) if name in values] == []


def test_every_measure_is_covered_by_hand():
    """No measure is without a value worked out by hand, the plain count of tokens aside."""
    assert {name for row in ROWS for name in row["want"]} | {"tokens"} == set(MEASURES)


def test_every_measure_stands_in_the_docs():
    """docs/evaluation.md names each measure, and each has a definition."""
    page = (ROOT / "docs/evaluation.md").read_text(encoding="utf-8")

    assert [name for name in MEASURES if f"`{name}`" not in page] == []
    assert [name for name, measure in MEASURES.items() if not measure.definition] == []


@pytest.mark.parametrize(
    ("answer", "reference", "wanted"),
    [
        ("The cat sat", "a cat sat", 1.0),
        ("cat", "cat dog", 2 / 3),
        ("cat cat", "cat", 2 / 3),
        ("cat", "dog", 0.0),
        ("", "", 1.0),
        ("", "x", 0.0),
        ("東京タワー", "東京", 4 / 7),
        ("ภาษาไทย!", "ภาษา", 8 / 11),
        ("한국어는 좋다", "한국어는", 2 / 3),
    ],
)
def test_token_f1(answer, reference, wanted):
    """Words count as often as both have them, characters where no blanks are between words; articles do not."""
    assert token_f1(answer, reference) == pytest.approx(wanted)


def test_recall_over_documents_agrees_with_the_usual_definition():
    """With gold documents and room for all, the measure is recall as evaluation tools define it: relevant retrieved of relevant."""
    ranked, relevant = ["d3", "d1", "d7"], ["d1", "d2", "d3", "d4"]
    case = Case.from_dict(
        {
            "qid": "q",
            "question": "q",
            "candidates": [{"id": d, "doc_id": d, "text": f"The text of {d}."} for d in ranked],
            "gold": [{"doc_id": d} for d in relevant],
        }
    )

    values = record_of(case, SETTINGS)["values"]

    assert values["retrieved"] == values["evidence_recall"] == len(set(ranked) & set(relevant)) / len(relevant)


def test_measures_of_the_retriever_agree_with_trec_eval(tmp_path):
    """Recall, nDCG and reciprocal rank of 40 judged queries, ties and unjudged documents among them, are those of ir_measures."""
    ir_measures = pytest.importorskip("ir_measures")
    chance = random.Random(11)
    documents = [f"d{i:03}" for i in range(120)]
    run = [(q, d, chance.randrange(30) / 4) for q in range(40) for d in chance.sample(documents, 60)]
    grades = [(q, d, chance.randrange(2)) for q in range(40) for d in chance.sample(documents, chance.randrange(1, 25))]
    grades += [(q, "d000", 1) for q in range(40) if (q, "d000", 0) not in grades and (q, "d000", 1) not in grades]
    (tmp_path / "run").write_text("".join(f"q{q} Q0 {d} 0 {score} made\n" for q, d, score in run))
    (tmp_path / "qrels").write_text("".join(f"q{q} 0 {d} {grade}\n" for q, d, grade in grades))
    queries, corpus = {f"q{q}": f"question {q}" for q in range(40)}, {d: f"The text of {d}." for d in documents}
    cases = from_trec(queries, read_qrels(tmp_path / "qrels"), read_run(tmp_path / "run"), corpus, depth=60)

    theirs: dict[str, dict[str, float]] = {}
    names = {"R@10": "recall_at_10", "nDCG@10": "ndcg_at_10", "RR": "reciprocal_rank", "R@60": "retrieved"}
    measures = [ir_measures.parse_measure(name) for name in names]
    judged, ranked = ir_measures.read_trec_qrels(str(tmp_path / "qrels")), ir_measures.read_trec_run(str(tmp_path / "run"))
    for found in ir_measures.iter_calc(measures, judged, ranked):
        theirs.setdefault(found.query_id, {})[names[str(found.measure)]] = round(found.value, 6)

    ours = {case.qid: record_of(case, SETTINGS)["values"] for case in cases if len(case.gold)}
    assert len(ours) > 30
    assert {q: {name: values[name] for name in names.values()} for q, values in ours.items()} == {q: theirs[q] for q in ours}
