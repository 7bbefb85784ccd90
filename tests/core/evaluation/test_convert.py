"""From common formats to cases."""

from __future__ import annotations

import json
from datetime import date

import numpy
import pytest

from contextpack_core.evaluation.cases import Case, CasesError, Gold
from contextpack_core.evaluation.convert import from_beir, from_llamaindex, from_ragas, from_trec, read_qrels, read_run
from contextpack_core.evaluation.run import evaluate

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


def test_wrong_lines_of_trec_files_are_named(tmp_path):
    """The first line of grades is a head if it names the columns; a run has numbers, and each document once."""
    qrels, run = tmp_path / "qrels", tmp_path / "run"
    qrels.write_text("q1 0 d1 1.0\nq1 0 d2 good\nq1 0 d3 --1\nq1 0 d4 ²\nq1,d1,1\nq1 0 d5 1\nq1 0 d5 0\nq1 0 d6 -1\n")
    run.write_text("q1 Q0 d1 1 0.5\nq1 Q0 d1 1 nan bm25\nq1 Q0 d1 1 high bm25\nq1 Q0 d1 1 0.5 bm25\nq1 Q0 d1 2 0.4 bm25\n")

    with pytest.raises(CasesError) as grades:
        read_qrels(qrels)
    with pytest.raises(CasesError) as scores:
        read_run(run)

    wanted = "query, document and a whole number as grade are wanted"
    assert [fault.removeprefix(str(qrels)) for fault in grades.value.faults] == [
        *[f":{n}: {wanted}" for n in range(1, 6)],
        ":7: d5 has another grade for q1 already — one grade for a document",
    ]
    wanted = "six columns are wanted: query, Q0, document, rank, score (a number), name of the run"
    assert [fault.removeprefix(str(run)) for fault in scores.value.faults] == [
        *[f":{n}: {wanted}" for n in range(1, 4)],
        ":5: d1 stands twice for q1 — each document once",
    ]


def test_documents_that_the_corpus_lacks_keep_their_place_or_are_an_error():
    """Nothing moves up; ids that do not fit are told, with the first few."""
    run = {"q1": [(f"d{i}", 9.0 - i) for i in range(8)]}
    queries, qrels, corpus = {"q1": "q"}, {"q1": {"d7": 1}}, {"d7": "The text"}

    with pytest.raises(CasesError) as caught:
        from_trec({"Q1": "q"}, qrels, run, corpus)
    (case,) = from_trec(queries, qrels, run, corpus, keep_missing=True)

    assert caught.value.faults == (
        "qrels: 1 of 1 judged queries are not among the queries: q1",
        "run: 7 documents are not in the corpus: d0, d1, d2, d3, d4, … — the whole corpus, or keep_missing=True for candidates "
        "without text in their place",
    )
    assert [hit["id"] for hit in case.candidates] == [f"d{i}" for i in range(8)]
    assert evaluate([case], as_of=date(2026, 1, 1)).overall["reciprocal_rank"].value == 0.125
    with pytest.raises(CasesError, match="run: it has none of the judged queries, such as q1 — a run over these queries"):
        from_trec(queries, qrels, {"Q1": run["q1"]}, corpus)


def test_a_query_without_text_is_no_query(tmp_path):
    """The line is named."""
    (tmp_path / "queries.jsonl").write_text('{"_id": "q1", "text": null}\n')

    with pytest.raises(CasesError, match=r"queries\.jsonl:1: an object with the texts _id and text is wanted"):
        from_beir(tmp_path, {})


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


RAGAS = {"id": 5, "user_input": "q", "retrieved_contexts": ["one", "two"], "reference_contexts": ["one"], "reference": "a"}


def test_ragas_data_sets_come_in_many_forms(tmp_path):
    """JSON lines, one JSON array, columns by name, arrays of numpy with what is missing as NaN: the same cases."""
    lines, array = tmp_path / "lines.jsonl", tmp_path / "array.json"
    lines.write_text("\ufeff" + json.dumps(RAGAS) + "\n")
    array.write_text(json.dumps([RAGAS], indent=1))
    columns = {name: [value] for name, value in RAGAS.items()}
    arrays = {k: numpy.array(v, dtype=object) if isinstance(v, list) else v for k, v in RAGAS.items()}

    expected = from_ragas([RAGAS])
    assert expected[0].qid == "5"
    assert [from_ragas(form) for form in (lines, array, columns, [{**arrays, "response": float("nan")}])] == [expected] * 4


def test_ragas_ids_of_contexts_are_ids_of_candidates_and_gold():
    """Where the contexts have ids, gold is found by them; where only the reference has, by its texts."""
    named = {**RAGAS, "retrieved_context_ids": [7, "b"], "reference_context_ids": ["b"]}

    assert from_ragas([named])[0].gold == Gold(ids=("b",))
    assert [hit["id"] for hit in from_ragas([named])[0].candidates] == ["7", "b"]
    assert from_ragas([{**named, "retrieved_context_ids": None}])[0].gold == Gold(quotes=("one",))
    assert from_ragas([{**RAGAS, "retrieved_contexts": "a text"}])[0].candidates == ({"id": "c1", "text": "a text", "rank": 1},)


@pytest.mark.parametrize(
    ("records", "faults"),
    [
        ([5], ("records:1: int — a record with user_input or question is wanted",)),
        ([RAGAS, RAGAS], ("records:2: id: '5' stands in records:1 already — an id of its own for each record",)),
        ([{**RAGAS, "retrieved_contexts": ["one", None]}], ("records:1: retrieved_contexts: ['one', None] — a list of texts",)),
        ([{**RAGAS, "reference_contexts": {"a": 1}}], ("records:1: reference_contexts: {'a': 1} — a list of texts",)),
        (
            [{**RAGAS, "retrieved_context_ids": ["a"]}],
            ("records:1: retrieved_context_ids: 1 ids of 2 retrieved_contexts — one for each",),
        ),
        (
            [{**RAGAS, "reference_context_ids": ["a"], "reference_contexts": None}],
            ("records:1: reference_context_ids without retrieved_context_ids — ids of both, or reference_contexts",),
        ),
        (
            {"question": ["q"], "contexts": []},
            ("records: {'question': 1, 'contexts': 0} — records, or columns by name that are lists of one length",),
        ),
    ],
)
def test_wrong_ragas_records_are_named(records, faults):
    """No letters of a text, no half of a record."""
    with pytest.raises(CasesError) as caught:
        from_ragas(records)

    assert caught.value.faults == faults


def test_answers_without_citations_are_told():
    """As those of RAGAS are written: a note says what says nothing about them."""
    (case,) = from_ragas([{**RAGAS, "response": "It is one."}])

    assert evaluate([case], as_of=date(2026, 1, 1)).notes[0].startswith("Not one answer of 1 cites a passage")


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        ({"queries": {"x": None}}, "queries['x']: question: None — a text"),
        (
            {"queries": {"x": "q"}, "relevant_docs": ["n"]},
            "relevant_docs: an object with the ids of the relevant nodes by query is wanted",
        ),
        ({"queries": {"x": "q"}, "relevant_docs": {"x": 3}}, "queries['x']: gold.ids: 3 — a list"),
        ({"examples": [3]}, "examples[0]: int — an object is wanted"),
        ({"examples": [{"query": "q", "reference_contexts": [3.5]}]}, "examples[0]: reference_contexts: [3.5] — a list of texts"),
    ],
)
def test_wrong_llamaindex_records_are_named(data, fault):
    """With the place in the data set."""
    with pytest.raises(CasesError) as caught:
        from_llamaindex(data)

    assert caught.value.faults == (fault,)


def test_llamaindex_files_have_marks_or_are_no_json(tmp_path):
    """A byte-order mark is none of the data; what is nested too deep is told."""
    path = tmp_path / "rag_dataset.json"
    path.write_text("\ufeff" + json.dumps({"queries": {"x": "q"}, "relevant_docs": {"x": "node1"}}))

    assert from_llamaindex(path) == (Case("x", "q", gold=Gold(ids=("node1",))),)
    path.write_text("[" * 100_000)
    with pytest.raises(CasesError, match="no JSON file: nested too deep"):
        from_llamaindex(path)


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
