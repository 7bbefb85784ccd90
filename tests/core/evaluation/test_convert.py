"""From common formats to cases."""

from __future__ import annotations

import json

import pytest

from contextpack_core.evaluation.cases import Case, CasesError, Gold
from contextpack_core.evaluation.convert import from_beir, from_llamaindex, from_ragas, from_trec, read_qrels, read_run

RUN = "q1 Q0 d2 1 0.5 bm25\nq1 Q0 d1 2 0.9 bm25\nq1 Q0 d3 3 0.5 bm25\n"


def test_a_beir_folder_and_a_run_are_cases(tmp_path):
    """Documents graded above 0 are gold; candidates come by score, equal ones as trec_eval has them: the later name first."""
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td9\t0\n")
    (tmp_path / "queries.jsonl").write_text('{"_id": "q1", "text": "Which fruit?"}\n{"_id": "q2", "text": "not judged"}\n')
    corpus = [{"_id": d, "title": "T" if d == "d1" else "", "text": f"text of {d}"} for d in ("d1", "d2", "d3")]
    (tmp_path / "corpus.jsonl").write_text("".join(json.dumps(r) + "\n" for r in corpus))
    (tmp_path / "run.trec").write_text(RUN)

    assert from_beir(tmp_path, tmp_path / "run.trec") == (
        Case(
            "q1",
            "Which fruit?",
            (
                {"id": "d1", "text": "text of d1", "doc_id": "d1", "rank": 1, "score": 0.9, "title": "T"},
                {"id": "d3", "text": "text of d3", "doc_id": "d3", "rank": 2, "score": 0.5},
                {"id": "d2", "text": "text of d2", "doc_id": "d2", "rank": 3, "score": 0.5},
            ),
            Gold(documents=("d1",)),
        ),
    )


def test_trec_files_are_read_and_their_faults_named(tmp_path):
    """Four columns of grades, six of a run."""
    qrels, run = tmp_path / "qrels", tmp_path / "run"
    qrels.write_text("q1 0 d1 2\nq1 0 d2 0\n")
    run.write_text(RUN)

    assert read_qrels(qrels) == {"q1": {"d1": 2, "d2": 0}}
    assert read_run(run) == {"q1": [("d1", 0.9), ("d3", 0.5), ("d2", 0.5)]}
    assert from_trec({"q1": "q"}, read_qrels(qrels), read_run(run), {"d1": "one"}, depth=1)[0].candidates == (
        {"id": "d1", "text": "one", "doc_id": "d1", "rank": 1, "score": 0.9},
    )
    run.write_text("q1 Q0 d1 1\n")
    qrels.write_text("q1 0 d1 2\nq1 0 d2 good\n")
    with pytest.raises(CasesError, match=":1: six columns"):
        read_run(run)
    with pytest.raises(CasesError, match=":2: query, document"):
        read_qrels(qrels)


@pytest.mark.parametrize(
    "record",
    [
        {
            "user_input": "q",
            "retrieved_contexts": ["one", "two"],
            "reference_contexts": ["one"],
            "response": "a [P1]",
            "reference": "a",
        },
        {"question": "q", "contexts": ["one", "two"], "reference_contexts": ["one"], "answer": "a [P1]", "ground_truth": "a"},
    ],
)
def test_ragas_records_of_both_spellings_are_cases(record):
    """Contexts are the candidates and the labelled sources."""
    assert from_ragas([record]) == (
        Case(
            "1",
            "q",
            ({"id": "c1", "text": "one", "rank": 1}, {"id": "c2", "text": "two", "rank": 2}),
            Gold(quotes=("one",)),
            answer="a [P1]",
            reference=("a",),
            sources={"P1": "one", "P2": "two"},
        ),
    )


def test_llamaindex_data_sets_are_cases(tmp_path):
    """A labelled data set in a file, and one of queries, corpus and relevant documents."""
    path = tmp_path / "rag_dataset.json"
    path.write_text(json.dumps({"examples": [{"query": "q", "reference_contexts": ["one"], "reference_answer": "a"}]}))

    assert from_llamaindex(path) == (Case("0", "q", gold=Gold(quotes=("one",)), reference=("a",)),)
    assert from_llamaindex({"queries": {"x": "q"}, "corpus": {"n1": "one"}, "relevant_docs": {"x": ["n1"]}}) == (
        Case("x", "q", gold=Gold(ids=("n1",))),
    )
    with pytest.raises(CasesError, match="examples"):
        from_llamaindex({})
    with pytest.raises(CasesError, match=r"examples\[0\]: question"):
        from_llamaindex({"examples": [{"query": None}]})
