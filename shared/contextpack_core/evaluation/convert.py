"""From common formats to cases: BEIR and TREC, RAGAS, LlamaIndex."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from contextpack_core.evaluation.cases import Case, CasesError, Gold, case_lines, json_fault

Judged = dict[str, dict[str, int]]
"""For each query the grade of each document."""

Run = dict[str, list[tuple[str, float]]]
"""For each query the documents and their scores, best first."""


def from_beir(
    folder: str | Path, run: Run | str | Path, split: str = "test", *, depth: int = 50, keep_missing: bool = False
) -> tuple[Case, ...]:
    """Cases of a BEIR folder (``corpus.jsonl``, ``queries.jsonl``, ``qrels/<split>.tsv``) and a run over it.

    A document graded above 0 is gold, whole; the run's first ``depth`` documents are the candidates. ``keep_missing`` is that of
    ``from_trec``.

    Raises:
        CasesError: a file is missing or a line of it is wrong; or what ``from_trec`` raises.
    """
    root = Path(folder)
    found = read_run(run) if isinstance(run, str | Path) else run
    queries = {str(record["_id"]): record["text"] for record in _records(root / "queries.jsonl", ("_id", "text"))}
    graded = read_qrels(root / "qrels" / f"{split}.tsv")
    wanted = {doc_id for qid in graded for doc_id, _ in found.get(qid, [])[:depth]}
    corpus = {str(r["_id"]): r for r in _records(root / "corpus.jsonl", ("_id", "text")) if str(r["_id"]) in wanted}
    return from_trec(queries, graded, found, corpus, depth=depth, keep_missing=keep_missing)


def from_trec(
    queries: Mapping[str, str],
    qrels: Judged,
    run: Run,
    corpus: Mapping[str, str | Mapping[str, Any]],
    *,
    depth: int = 50,
    keep_missing: bool = False,
) -> tuple[Case, ...]:
    """Cases of judged queries: ``corpus`` has texts, or records with ``text`` and ``title``, by document.

    A document of the run that the corpus lacks is an error, as the others would move up; with ``keep_missing`` it is a candidate
    without text, in its place.

    Raises:
        CasesError: the queries lack judged ones, the run has none of them, or the corpus lacks documents of the run.
    """
    hits = {qid: run.get(qid, [])[:depth] for qid in qrels}
    strange = [qid for qid in qrels if qid not in queries]
    missing = dict.fromkeys([doc_id for found in hits.values() for doc_id, _ in found if doc_id not in corpus])
    faults = []
    if strange:
        faults.append(f"qrels: {len(strange)} of {len(qrels)} judged queries are not among the queries: {_named(strange)}")
    if qrels and not any(hits.values()):
        faults.append(f"run: it has none of the judged queries, such as {_named(list(qrels))} — a run over these queries")
    if missing and not keep_missing:
        told = f"run: {len(missing)} documents are not in the corpus: {_named(list(missing))}"
        faults.append(f"{told} — the whole corpus, or keep_missing=True for candidates without text in their place")
    if faults:
        raise CasesError(faults)
    return tuple([_judged(qid, queries[qid], qrels[qid], hits[qid], corpus) for qid in qrels])


def read_qrels(path: str | Path) -> Judged:
    """Grades from a TREC qrels file (query, iteration, document, grade) or a BEIR one (query, document, grade, with a head).

    Raises:
        CasesError: every wrong line.
    """
    graded: Judged = {}
    faults = []
    for number, line in case_lines(path):
        cells = line.split()
        if number == 1 and _is_head(cells):
            continue
        if len(cells) not in (3, 4) or not _GRADE.fullmatch(cells[-1]):
            faults.append(f"{path}:{number}: query, document and a whole number as grade are wanted")
        elif graded.setdefault(cells[0], {}).setdefault(cells[-2], int(cells[-1])) != int(cells[-1]):
            faults.append(f"{path}:{number}: {cells[-2]} has another grade for {cells[0]} already — one grade for a document")
    if faults:
        raise CasesError(faults)
    return graded


def read_run(path: str | Path) -> Run:
    """Scores from a TREC run (query, Q0, document, rank, score, name), by falling score; ties by document, as trec_eval breaks
    them.

    Raises:
        CasesError: every wrong line, and every document that a query has twice.
    """
    found: dict[str, dict[str, float]] = {}
    faults = []
    for number, line in case_lines(path):
        cells = line.split()
        score = _number(cells[4]) if len(cells) >= _COLUMNS else None
        if score is None:
            faults.append(f"{path}:{number}: six columns are wanted: query, Q0, document, rank, score (a number), name of the run")
        elif cells[2] in found.setdefault(cells[0], {}):
            faults.append(f"{path}:{number}: {cells[2]} stands twice for {cells[0]} — each document once")
        else:
            found[cells[0]][cells[2]] = score
    if faults:
        raise CasesError(faults)
    by_document = {qid: sorted(scores.items(), reverse=True) for qid, scores in found.items()}
    return {qid: sorted(hits, key=lambda hit: hit[1], reverse=True) for qid, hits in by_document.items()}


def from_ragas(records: str | Path | Iterable[Mapping[str, Any]] | Mapping[str, Sequence[Any]]) -> tuple[Case, ...]:
    """Cases of a RAGAS data set, of the names used now or before: a file of JSON lines or one JSON array, records, or columns by
    name; lists may be arrays of numpy.

    ``user_input`` / ``question``; ``retrieved_contexts`` / ``contexts`` are the candidates, under ``retrieved_context_ids`` if it
    has them; ``reference_context_ids`` or else ``reference_contexts`` the gold, as ids or quotes; ``reference`` / ``ground_truth``
    the right answer; ``response`` / ``answer`` the answer, checked against the contexts as P1, P2, …. As a rule such an answer
    cites nothing: what is measured by citations says nothing about it then.

    Raises:
        CasesError: every wrong record.
    """
    cases: list[Case] = []
    faults: list[str] = []
    places: dict[str, str] = {}
    for where, record in _given(records):
        try:
            case = Case.from_dict(_ragas(record, where), where)
        except CasesError as error:
            faults += error.faults
            continue
        if (first := places.setdefault(case.qid, where)) != where:
            faults.append(f"{where}: id: {case.qid!r} stands in {first} already — an id of its own for each record")
        cases.append(case)
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
            dataset = json.loads(Path(dataset).read_text(encoding="utf-8-sig"))
        except OSError as error:
            raise CasesError([f"{dataset}: cannot be read: {error.strerror or error}"]) from None
        except (ValueError, RecursionError) as error:
            fault = "a byte that is no UTF-8" if isinstance(error, UnicodeDecodeError) else json_fault(error)
            raise CasesError([f"{dataset}: no JSON file: {fault}"]) from None
    cases: list[Case] = []
    faults: list[str] = []
    for where, plain in _llamaindex(dataset):
        try:
            cases.append(Case.from_dict({key: value for key, value in plain.items() if value is not None}, where))
        except CasesError as error:
            faults += error.faults
    if faults:
        raise CasesError(faults)
    return tuple(cases)


# ---------------------------------------------------------------- BEIR and TREC


def _judged(
    qid: str, question: str, grades: Mapping[str, int], hits: Sequence[tuple[str, float]], corpus: Mapping[str, Any]
) -> Case:
    candidates = [_candidate(doc_id, score, rank, corpus.get(doc_id, "")) for rank, (doc_id, score) in enumerate(hits, 1)]
    gold = tuple(sorted(doc_id for doc_id, grade in grades.items() if grade > 0))
    return Case(qid, question, tuple(candidates), Gold(documents=gold))


def _candidate(doc_id: str, score: float, rank: int, found: str | Mapping[str, Any]) -> dict[str, Any]:
    text, title = (found, None) if isinstance(found, str) else (str(found.get("text") or ""), found.get("title") or None)
    return {"id": doc_id, "text": text, "doc_id": doc_id, "rank": rank, "score": score, **({"title": title} if title else {})}


def _is_head(cells: Sequence[str]) -> bool:
    """Whether a first line names the columns, as in BEIR (``query-id``, ``corpus-id``, ``score``)."""
    return bool(cells) and cells[0].lower().startswith(("query", "qid", "topic")) and cells[-1].isalpha()


_GRADE = re.compile(r"[+-]?[0-9]{1,18}")
_COLUMNS = 6


def _number(cell: str) -> float | None:
    try:
        number = float(cell)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _named(names: Sequence[str]) -> str:
    return ", ".join(names[:_SHOWN]) + (", …" if len(names) > _SHOWN else "")


_SHOWN = 5


def _records(path: Path, keys: tuple[str, ...]) -> Iterator[Mapping[str, Any]]:
    for number, line in case_lines(path):
        try:
            record = json.loads(line)
            sound = all(isinstance(record[key], str) or (key == "_id" and type(record[key]) is int) for key in keys)
        except (ValueError, TypeError, KeyError, RecursionError):
            sound = False
        if not sound:
            raise CasesError([f"{path}:{number}: an object with the texts {' and '.join(keys)} is wanted"])
        yield record


# ---------------------------------------------------------------- RAGAS


def _given(records: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(records, str | Path):
        yield from _lines_or_array(records)
    elif isinstance(records, Mapping):
        yield from ((f"records:{i}", row) for i, row in enumerate(_rows(records), 1))
    else:
        yield from ((f"records:{i}", record) for i, record in enumerate(records, 1))


def _lines_or_array(path: str | Path) -> Iterator[tuple[str, Any]]:
    lines = case_lines(path)
    first = next(lines)
    if first[1].lstrip().startswith("["):
        text = "".join([first[1], *[line for _, line in lines]])
        yield from ((f"{path}: record {i}", record) for i, record in enumerate(_json(text, str(path)), 1))
        return
    for number, line in (first, *lines):
        yield f"{path}:{number}", _json(line, f"{path}:{number}")


def _json(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise CasesError([f"{where}: no JSON: {json_fault(error)}"]) from None


def _rows(columns: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The records that columns of one length make."""
    lists = {name: _plain(column) for name, column in columns.items()}
    sizes = {name: len(column) if isinstance(column, list | tuple) else None for name, column in lists.items()}
    if None in sizes.values() or len(set(sizes.values())) > 1:
        raise CasesError([f"records: {sizes} — records, or columns by name that are lists of one length"])
    return [dict(zip(lists, row, strict=True)) for row in zip(*lists.values(), strict=True)]


def _ragas(record: Any, where: str) -> dict[str, Any]:
    """The case in a record, as plain data.

    Raises:
        CasesError: the record is none, or its lists do not fit together.
    """
    if not isinstance(record, Mapping):
        raise CasesError([f"{where}: {type(record).__name__} — a record with user_input or question is wanted"])
    plain = {name: _plain(value) for name, value in record.items()}
    contexts = _texts(_first(plain, "retrieved_contexts", "contexts"), f"{where}: retrieved_contexts")
    names = _texts(plain.get("retrieved_context_ids"), f"{where}: retrieved_context_ids")
    if names and len(names) != len(contexts):
        told = f"{where}: retrieved_context_ids: {len(names)} ids of {len(contexts)} retrieved_contexts"
        raise CasesError([f"{told} — one for each"])
    name, answer = _first(plain, "qid", "id"), _first(plain, "response", "answer")
    made = {
        "qid": re.split(r"[: ]", where)[-1] if name is None else str(name),
        "question": _first(plain, "user_input", "question"),
        "candidates": [{"id": names[i] if names else f"c{i + 1}", "text": text, "rank": i + 1} for i, text in enumerate(contexts)],
        "gold": _ragas_gold(plain, where, named=bool(names) or not contexts),
        "reference": _texts(_first(plain, "reference", "ground_truth", "ground_truths"), f"{where}: reference"),
        "answer": answer,
        "sources": {f"P{i}": text for i, text in enumerate(contexts, 1)} if answer is not None else None,
    }
    return {key: value for key, value in made.items() if value is not None}


def _ragas_gold(plain: Mapping[str, Any], where: str, *, named: bool) -> list[dict[str, str]]:
    """Ids where the candidates have such, else quotes."""
    ids = _texts(plain.get("reference_context_ids"), f"{where}: reference_context_ids")
    quotes = _texts(plain.get("reference_contexts"), f"{where}: reference_contexts")
    if ids and not named and not quotes:
        raise CasesError([f"{where}: reference_context_ids without retrieved_context_ids — ids of both, or reference_contexts"])
    return [{"id": name} for name in ids] if ids and named else [{"quote": text} for text in quotes]


def _plain(value: Any) -> Any:
    """Arrays of numpy as lists, what is not there in a table as None."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    return None if isinstance(value, float) and math.isnan(value) else value


def _texts(value: Any, where: str) -> list[str]:
    """Texts of a list; one that stands alone is a list of one, and whole numbers are names.

    Raises:
        CasesError: something else is among them.
    """
    items = [] if value is None else [value] if isinstance(value, str) else value
    if not isinstance(items, list | tuple) or not all(isinstance(item, str) or type(item) is int for item in items):
        raise CasesError([f"{where}: {repr(value)[:60]} — a list of texts"])
    return [str(item) for item in items]


def _first(record: Mapping[str, Any], *keys: str) -> Any:
    return next((record[key] for key in keys if record.get(key) is not None), None)


# ---------------------------------------------------------------- LlamaIndex


def _llamaindex(dataset: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """The cases of a data set as plain data, each with its place."""
    if isinstance(dataset, Mapping) and isinstance(dataset.get("queries"), Mapping):
        relevant = dataset.get("relevant_docs") or {}
        if not isinstance(relevant, Mapping):
            raise CasesError(["relevant_docs: an object with the ids of the relevant nodes by query is wanted"])
        for qid, text in dataset["queries"].items():
            yield f"queries[{qid!r}]", {"qid": str(qid), "question": text, "gold": {"ids": relevant.get(qid)}}
    elif isinstance(dataset, Mapping) and isinstance(dataset.get("examples"), list):
        for i, example in enumerate(dataset["examples"]):
            where = f"examples[{i}]"
            if not isinstance(example, Mapping):
                raise CasesError([f"{where}: {type(example).__name__} — an object is wanted"])
            quotes = _texts(example.get("reference_contexts"), f"{where}: reference_contexts")
            gold = [{"quote": text} for text in quotes]
            reference = example.get("reference_answer") or None
            yield where, {"qid": str(i), "question": example.get("query"), "gold": gold, "reference": reference}
    else:
        raise CasesError(["the data set: an object with examples, or with queries, corpus and relevant_docs, is wanted"])
