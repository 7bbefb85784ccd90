"""How much whole evidence a budget lets through: each signal off in turn, and comparison questions.

    python tests/benchmarks/packing.py --data FOLDER [--half reported|fitted] [--questions N] [--part ablation|comparison]

FOLDER holds <name>_corpus.jsonl {doc_id, text} and <name>_questions.jsonl {question, gold: [{doc_id, start, end}]}. Documents are
chunked (400/100, 800/200, 1200/0 characters), the 50 best chunks come from BM25, budgets are in tokens of o200k_base. A question
counts where at least 90 % of the characters of each gold span stand in the pack. The weights of ``worth.SIGNALS`` were fitted on
the questions at even places; ``reported`` (the default) are those at odd places. Everything is deterministic.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bm25s
from langchain_text_splitters import RecursiveCharacterTextSplitter

from contextpack_core import Candidate, Pack, Policy, Source, Span, counter_for, pack
from contextpack_core.worth import SIGNALS

CHUNKINGS = ((400, 100), (800, 200), (1200, 0))
BUDGETS = (500, 1000, 2000)
SEED = 7
COUNT = counter_for("o200k_base")


@dataclass(frozen=True)
class Task:
    """A question, its candidates, and the places of what answers it."""

    question: str
    gold: tuple[tuple[str, int, int], ...]
    candidates: tuple[Candidate, ...]


def main() -> None:
    """Print the tables that are asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--half", choices=("reported", "fitted"), default="reported")
    parser.add_argument("--questions", type=int, default=0, help="at most so many of each set (a seeded sample)")
    parser.add_argument("--part", choices=("ablation", "comparison"), action="append")
    asked = parser.parse_args()
    parts = asked.part or ["ablation", "comparison"]
    sets = [path.name.removesuffix("_corpus.jsonl") for path in sorted(asked.data.glob("*_corpus.jsonl"))]
    cells = [Cell(asked.data, name, chunking, asked.half, asked.questions) for name in sets for chunking in CHUNKINGS]
    if "ablation" in parts:
        ablation(cells)
    if "comparison" in parts:
        comparison(cells)


class Cell:
    """A set in one chunking: its texts, its index, its questions."""

    def __init__(self, folder: Path, name: str, chunking: tuple[int, int], half: str, questions: int) -> None:
        self.name = f"{name} {chunking[0]}/{chunking[1]}"
        self.texts = {row["doc_id"]: row["text"] for row in _lines(folder / f"{name}_corpus.jsonl")}
        self.chunks = list(_chunks(self.texts, *chunking))
        self._index = bm25s.BM25()
        self._index.index(self._tokens([self.texts[d][a:b] for d, a, b in self.chunks]), show_progress=False)
        rows = [row for row in _lines(folder / f"{name}_questions.jsonl") if row.get("gold") and row.get("answerable", True)]
        rows = rows[half == "reported" :: 2]
        if questions and len(rows) > questions:
            rows = [rows[i] for i in sorted(random.Random(SEED).sample(range(len(rows)), questions))]
        self.questions = [(row["question"], tuple((g["doc_id"], g["start"], g["end"]) for g in row["gold"])) for row in rows]

    def tasks(self) -> Iterator[Task]:
        """The questions with the 50 best chunks of each."""
        found = self.retrieve([question for question, _ in self.questions], 50)
        for (question, gold), candidates in zip(self.questions, found, strict=True):
            yield Task(question, gold, candidates)

    def retrieve(self, queries: Sequence[str], top: int, **metadata: str) -> list[tuple[Candidate, ...]]:
        """For each query the best chunks, best first."""
        places, _ = self._index.retrieve(self._tokens(list(queries)), k=min(top, len(self.chunks)), show_progress=False)
        return [tuple(self._candidate(int(at), rank, metadata) for rank, at in enumerate(row, 1)) for row in places]

    def _candidate(self, at: int, rank: int, metadata: Mapping[str, str]) -> Candidate:
        doc_id, start, end = self.chunks[at]
        source = Source(doc_id, Span(start, end))
        return Candidate(f"{doc_id}#{start}", self.texts[doc_id][start:end], source, rank, metadata=metadata)

    @staticmethod
    def _tokens(texts: list[str]) -> Any:
        return bm25s.tokenize(texts, stopwords="en", show_progress=False)


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _chunks(texts: Mapping[str, str], size: int, overlap: int) -> Iterator[tuple[str, int, int]]:
    splitter = RecursiveCharacterTextSplitter(chunk_size=size, chunk_overlap=overlap, add_start_index=True)
    for doc_id, text in texts.items():
        for document in splitter.create_documents([text]):
            start, body = document.metadata["start_index"], document.page_content
            if start >= 0 and text.startswith(body, start):
                yield doc_id, start, start + len(body)


# ---- measuring


def holds(result: Pack, texts: Mapping[str, str], gold: Sequence[tuple[str, int, int]]) -> bool:
    """Whether at least 90 % of the characters of each gold span stand in the pack, blanks aside."""
    spans: dict[str, list[Span]] = {}
    for item in result.evidence:
        for piece in item.passage.pieces:
            if piece.span is not None:
                spans.setdefault(item.passage.source.doc_id, []).append(piece.span)
        for source in item.passage.also_in:
            if source.span is not None:
                spans.setdefault(source.doc_id, []).append(source.span)
    for doc_id, start, end in gold:
        wanted = {at for at in range(start, end) if not texts[doc_id][at].isspace()}
        found = {at for span in spans.get(doc_id, ()) for at in range(max(start, span.start), min(end, span.end))}
        if len(wanted & found) < 0.9 * len(wanted):
            return False
    return True


def rate(cell: Cell, tasks: Sequence[Task], budget: Mapping[str, Any]) -> float:
    """The share of questions whose evidence is whole, in percent."""
    policy = Policy.from_dict({"budget": dict(budget)})
    packs = (pack(task.candidates, task.question, policy, count_tokens=COUNT) for task in tasks)
    return 100 * sum(holds(result, cell.texts, task.gold) for result, task in zip(packs, tasks, strict=True)) / len(tasks)


def _table(title: str, head: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    print(f"\n{title}\n\n| {' | '.join(head)} |\n|{'---|' * len(head)}")
    for row in rows:
        print(f"| {' | '.join(cell if isinstance(cell, str) else f'{cell:.1f}' for cell in row)} |", flush=True)


# ---- each signal off in turn


def ablation(cells: Sequence[Cell]) -> None:
    """Whole evidence per cell at 1,000 tokens and the mean at each budget, with everything on and with one thing off."""
    tasks = {cell.name: list(cell.tasks()) for cell in cells}
    rows = [_row("all on", cells, tasks, {})]
    rows += [_row("by rank", cells, tasks, {"strategy": "rank"}), _row("no excerpts", cells, tasks, {"excerpts": False})]
    for names in (
        ("rank",),
        ("match", "match_squared"),
        ("match_squared",),
        ("document",),
        ("neighbours",),
        ("sentence", "around"),
    ):
        kept = dict(SIGNALS)
        SIGNALS.update(dict.fromkeys(names, 0.0))
        rows.append(_row(f"without {' and '.join(names)}", cells, tasks, {}))
        SIGNALS.update(kept)
    head = ["", *[f"{cell.name} ({len(tasks[cell.name])})" for cell in cells], *[f"mean at {budget}" for budget in BUDGETS]]
    _table("Whole evidence at 1,000 tokens, percent of questions", head, rows)


def _row(name: str, cells: Sequence[Cell], tasks: Mapping[str, Sequence[Task]], settings: Mapping[str, Any]) -> list[Any]:
    rates = {b: [rate(cell, tasks[cell.name], {"evidence": b, **settings}) for cell in cells] for b in BUDGETS}
    return [name, *rates[1000], *[sum(values) / len(values) for values in rates.values()]]


# ---- comparisons


def comparison(cells: Sequence[Cell]) -> None:
    """Questions made of two about different documents: both sides' evidence whole, where both were retrieved."""
    ways: dict[str, Callable[[int], dict[str, Any]]] = {
        "by rank": lambda budget: {"strategy": "rank"},
        "by evidence": lambda budget: {},
        "by evidence, a minimum for each side": lambda budget: {"per_group": {"by": "side", "tokens": budget // 2}},
    }
    rows = []
    for cell in cells:
        tasks = list(_pairs(cell))
        for budget in (1000, 2000, 4000):
            shares = [rate(cell, tasks, {"evidence": budget, **way(budget)}) for way in ways.values()]
            rows.append([cell.name, str(len(tasks)), str(budget), *shares])
    _table("Comparison questions with the evidence of both sides whole, percent", ["", "pairs", "tokens", *ways], rows)


def _pairs(cell: Cell) -> Iterator[Task]:
    """Each question with the next one about another document; a side's candidates are the 25 best for it and say which side."""
    chance = random.Random(SEED)
    order = chance.sample(range(len(cell.questions)), len(cell.questions))
    for i, k in zip(order[::2], order[1::2], strict=False):
        (first, gold), (second, other) = cell.questions[i], cell.questions[k]
        if {d for d, _, _ in gold} & {d for d, _, _ in other}:
            continue
        sides = [cell.retrieve([question], 25, side=name)[0] for question, name in ((first, "a"), (second, "b"))]
        merged = {c.id: c for pair in zip(*sides, strict=True) for c in reversed(pair)}
        task = Task(f"{first} {second}", gold + other, tuple(merged.values()))
        everything = pack(task.candidates, "", Policy.from_dict({"budget": {"evidence": 10**6}}), count_tokens=len)
        if holds(everything, cell.texts, task.gold):
            yield task


if __name__ == "__main__":
    main()
