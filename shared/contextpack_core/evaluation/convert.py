"""From common formats to cases: BEIR and TREC, RAGAS, LlamaIndex."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from contextpack_core.evaluation.cases import Case, CasesError, Gold, case_lines

Judged = dict[str, dict[str, int]]
"""For each query the grade of each document."""

Run = dict[str, list[tuple[str, float]]]
"""For each query the documents and their scores, best first."""


def from_beir(folder: str | Path, run: Run | str | Path, split: str = "test", *, depth: int = 50) -> tuple[Case, ...]:
    """Cases of a BEIR folder (``corpus.jsonl``, ``queries.jsonl``, ``qrels/<split>.tsv``) and a run over it.

    A document graded above 0 is gold, whole; the run's first ``depth`` documents are the candidates.

    Raises:
        CasesError: a file is missing or a line of it is wrong.
    """
    root = Path(folder)
    found = read_run(run) if isinstance(run, str | Path) else run
    queries = {str(record["_id"]): str(record["text"]) for record in _records(root / "queries.jsonl", ("_id", "text"))}
    graded = read_qrels(root / "qrels" / f"{split}.tsv")
    wanted = {doc_id for qid in graded for doc_id, _ in found.get(qid, [])[:depth]}
    corpus = {str(r["_id"]): r for r in _records(root / "corpus.jsonl", ("_id", "text")) if str(r["_id"]) in wanted}
    return from_trec(queries, graded, found, corpus, depth=depth)


def from_trec(
    queries: Mapping[str, str], qrels: Judged, run: Run, corpus: Mapping[str, str | Mapping[str, Any]], *, depth: int = 50
) -> tuple[Case, ...]:
    """Cases of judged queries: ``corpus`` has texts, or records with ``text`` and ``title``, by document."""
    cases = []
    for qid, grades in qrels.items():
        if qid not in queries:
            continue
        candidates = [
            _candidate(doc_id, score, rank, corpus[doc_id])
            for rank, (doc_id, score) in enumerate(run.get(qid, [])[:depth], 1)
            if doc_id in corpus
        ]
        gold = tuple(sorted(doc_id for doc_id, grade in grades.items() if grade > 0))
        cases.append(Case(qid, queries[qid], tuple(candidates), Gold(documents=gold)))
    return tuple(cases)


def read_qrels(path: str | Path) -> Judged:
    """Grades from a TREC qrels file (query, iteration, document, grade) or a BEIR one (query, document, grade, with a head).

    Raises:
        CasesError: every wrong line.
    """
    graded: Judged = {}
    faults = []
    for number, line in case_lines(path):
        cells = line.split()
        if number == 1 and cells and not cells[-1].lstrip("-").isdigit():
            continue
        if len(cells) not in (3, 4) or not cells[-1].lstrip("-").isdigit():
            faults.append(f"{path}:{number}: query, document and a whole number as grade are wanted")
            continue
        graded.setdefault(cells[0], {})[cells[-2]] = int(cells[-1])
    if faults:
        raise CasesError(faults)
    return graded


def read_run(path: str | Path) -> Run:
    """Scores from a TREC run (query, Q0, document, rank, score, name), by falling score; ties by document, as trec_eval breaks
    them.

    Raises:
        CasesError: every wrong line.
    """
    found: Run = {}
    faults = []
    for number, line in case_lines(path):
        cells = line.split()
        try:
            found.setdefault(cells[0], []).append((cells[2], float(cells[4])))
        except (IndexError, ValueError):
            faults.append(f"{path}:{number}: six columns are wanted: query, Q0, document, rank, score, name of the run")
    if faults:
        raise CasesError(faults)
    for hits in found.values():
        hits.sort(key=lambda hit: hit[0], reverse=True)
        hits.sort(key=lambda hit: hit[1], reverse=True)
    return found


def from_ragas(records: str | Path | Iterable[Mapping[str, Any]]) -> tuple[Case, ...]:
    """Cases of a RAGAS data set, in a file of JSON lines or as records, of the names used now or before.

    ``user_input`` / ``question``; ``retrieved_contexts`` / ``contexts`` are the candidates; ``reference_contexts`` the gold, as
    quotes; ``reference`` / ``ground_truth`` the right answer; ``response`` / ``answer`` the answer, checked against the contexts
    as P1, P2, ….

    Raises:
        CasesError: every wrong record.
    """
    cases: list[Case] = []
    faults: list[str] = []
    for where, record in _given(records):
        contexts = _first(record, "retrieved_contexts", "contexts") or []
        answer = _first(record, "response", "answer")
        reference = _first(record, "reference", "ground_truth", "ground_truths") or []
        plain = {
            "qid": str(_first(record, "qid", "id") or where.rpartition(":")[2]),
            "question": _first(record, "user_input", "question"),
            "candidates": [{"id": f"c{i}", "text": text, "rank": i} for i, text in enumerate(contexts, 1)],
            "gold": [{"quote": text} for text in record.get("reference_contexts") or []],
            "reference": [reference] if isinstance(reference, str) else reference,
            "answer": answer,
            "sources": {f"P{i}": text for i, text in enumerate(contexts, 1)} if answer is not None else None,
        }
        _add(plain, where, cases, faults)
    if faults:
        raise CasesError(faults)
    return tuple(cases)


def from_llamaindex(dataset: str | Path | Mapping[str, Any]) -> tuple[Case, ...]:
    """Cases of a LlamaIndex data set, a JSON file or its data.

    A ``LabelledRagDataset`` (``examples`` with ``query``, ``reference_contexts``, ``reference_answer``) gives cases without
    candidates: hand over a ``retrieve`` to the evaluation. An ``EmbeddingQAFinetuneDataset`` (``queries``, ``corpus``,
    ``relevant_docs``) gives gold ids.

    Raises:
        CasesError: it is neither, or records of it are wrong.
    """
    if isinstance(dataset, str | Path):
        try:
            dataset = json.loads(Path(dataset).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise CasesError([f"{dataset}: no JSON file: {error}"]) from None
    if isinstance(dataset, Mapping) and isinstance(dataset.get("queries"), Mapping):
        relevant = dataset.get("relevant_docs") or {}
        return tuple(
            [Case(str(q), str(text), gold=Gold(ids=tuple(relevant.get(q) or ()))) for q, text in dataset["queries"].items()]
        )
    if not isinstance(dataset, Mapping) or not isinstance(dataset.get("examples"), list):
        raise CasesError(["the data set: an object with examples, or with queries, corpus and relevant_docs, is wanted"])
    cases: list[Case] = []
    faults: list[str] = []
    for i, example in enumerate(dataset["examples"]):
        where = f"examples[{i}]"
        if not isinstance(example, Mapping):
            faults.append(f"{where}: an object is wanted")
            continue
        plain = {
            "qid": str(i),
            "question": example.get("query"),
            "gold": [{"quote": text} for text in example.get("reference_contexts") or []],
            "reference": example.get("reference_answer") or None,
        }
        _add(plain, where, cases, faults)
    if faults:
        raise CasesError(faults)
    return tuple(cases)


def _candidate(doc_id: str, score: float, rank: int, found: str | Mapping[str, Any]) -> dict[str, Any]:
    text, title = (found, None) if isinstance(found, str) else (str(found.get("text") or ""), found.get("title") or None)
    return {"id": doc_id, "text": text, "doc_id": doc_id, "rank": rank, "score": score, **({"title": title} if title else {})}


def _records(path: Path, keys: tuple[str, ...]) -> Iterator[Mapping[str, Any]]:
    for number, line in case_lines(path):
        try:
            record = json.loads(line)
            if not all(key in record for key in keys):
                raise ValueError
        except (ValueError, TypeError, RecursionError):
            raise CasesError([f"{path}:{number}: an object with {' and '.join(keys)} is wanted"]) from None
        yield record


def _given(records: str | Path | Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if not isinstance(records, str | Path):
        yield from ((f"records:{i}", record) for i, record in enumerate(records, 1))
        return
    for number, line in case_lines(records):
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise CasesError([f"{records}:{number}: no JSON: {error}"]) from None
        yield f"{records}:{number}", record if isinstance(record, Mapping) else {}


def _first(record: Mapping[str, Any], *keys: str) -> Any:
    return next((record[key] for key in keys if record.get(key) is not None), None)


def _add(plain: Mapping[str, Any], where: str, cases: list[Case], faults: list[str]) -> None:
    try:
        cases.append(Case.from_dict({key: value for key, value in plain.items() if value is not None}, where))
    except CasesError as error:
        faults += error.faults
