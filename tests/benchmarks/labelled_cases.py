"""Makes case files for `contextpack eval` of public labelled sets, retrieved with BM25: a seeded sample of each.

    python tests/benchmarks/labelled_cases.py --data FOLDER --out FOLDER [--cases 120] [--chunk 800] [--overlap 200]

Writes clapnq.jsonl (answerable and unanswerable questions), covidqa.jsonl, policyrepos.jsonl (editions, with the day of the
question) and expertqa.jsonl (recorded answers with their sources), as far as the sets are in the folder.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import bm25s

from contextpack_core.evaluation.cases import Case, dump_cases, sample

Record = Mapping[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--cases", type=int, default=120)
    parser.add_argument("--chunk", type=int, default=800)
    parser.add_argument("--overlap", type=int, default=200)
    parser.add_argument("--top", type=int, default=50)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for name in ("clapnq", "covidqa", "policyrepos"):
        documents = options.data / f"{name}_{'editions' if name == 'policyrepos' else 'corpus'}.jsonl"
        if documents.exists():
            chunks = list(chunks_of(read(documents), options.chunk, options.overlap))
            given = sample(read(options.data / f"{name}_questions.jsonl"), options.cases)
            write(options.out / f"{name}.jsonl", [retrieved_case(q, hits) for q, hits in retrieved(given, chunks, options.top)])
    if (options.data / "expertqa_answers.jsonl").exists():
        answers, claims = (read(options.data / f"expertqa_{part}.jsonl") for part in ("answers", "claims"))
        write(options.out / "expertqa.jsonl", sample(answered_cases(answers, claims), options.cases))


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def write(path: Path, cases: Sequence[Case]) -> None:
    print(f"{path}: {dump_cases(cases, path)} cases")


def chunks_of(documents: Sequence[Record], size: int, overlap: int) -> Iterator[dict[str, Any]]:
    """Stretches of the documents with what is known of them; they end at a blank where there is one."""
    known = ("doc_id", "title", "edition", "effective", "superseded_by")
    for document in documents:
        text, start = document["text"], 0
        about = {key: document[key] for key in known if document.get(key)}
        if "doc_family" in document:
            about["family"] = document["doc_family"]
        while start < len(text):
            end = min(len(text), start + size)
            if end < len(text):
                end = max(text.rfind(" ", start + size // 2, end) + 1, start + size // 2)
            yield {**about, "start": start, "end": end, "text": text[start:end]}
            start = end if end == len(text) else end - overlap


def retrieved(questions: Sequence[Record], chunks: Sequence[Record], top: int) -> Iterator[tuple[Record, list[Record]]]:
    """Each question with the chunks that BM25 ranks highest."""
    index = bm25s.BM25()
    index.index(bm25s.tokenize([f"{c['title']}\n{c['text']}" for c in chunks], show_progress=False), show_progress=False)
    for question in questions:
        tokens = bm25s.tokenize([question["question"]], show_progress=False)
        found, scores = index.retrieve(tokens, k=min(top, len(chunks)), show_progress=False)
        ranked = enumerate(zip(found[0], scores[0], strict=True), 1)
        yield (
            question,
            [{**chunks[i], "id": f"c{i}", "rank": rank, "score": float(score)} for rank, (i, score) in ranked if score > 0],
        )


def retrieved_case(question: Record, hits: Sequence[Record]) -> Case:
    gold = [{key: span[key] for key in ("doc_id", "start", "end")} for span in question["gold"]]
    plain = {
        "qid": question["qid"],
        "question": question["question"],
        "candidates": hits,
        "gold": gold,
        "answerable": question.get("answerable"),
        "as_of": question.get("as_of"),
        "stale": question.get("wrong_edition_doc_ids"),
        "reference": question.get("answers"),
    }
    return Case.from_dict({key: value for key, value in plain.items() if value is not None})


def answered_cases(answers: Sequence[Record], claims: Sequence[Record]) -> list[Case]:
    """Recorded answers with the passages that their claims were judged by."""
    passages: dict[tuple[str, str], dict[str, str]] = {}
    for claim in claims:
        held = passages.setdefault((claim["question"], claim["system"]), {})
        held.update({str(item["n"]): item["text"] for item in claim["evidence"]})
    found = [(answer, passages.get((answer["question"], answer["system"]))) for answer in answers]
    return [
        Case(answer["id"], answer["question"], answer=answer["answer"], sources=sources, intent=answer["system"])
        for answer, sources in found
        if sources
    ]


if __name__ == "__main__":
    main()
