"""How much whole evidence a budget lets through: signals off in turn, enough, questions of two parts, comparisons, advice followed.

    python tests/benchmarks/packing.py --data FOLDER [--half reported|fitted] [--questions N] [--part NAME]

FOLDER holds <name>_corpus.jsonl {doc_id, text} and <name>_questions.jsonl {question, gold: [{doc_id, start, end}]}. Documents are
chunked (400/100, 800/200, 1200/0 characters), the 50 best chunks come from BM25, budgets are in tokens of o200k_base. A question
counts where at least 90 % of the characters of each gold span stand in the pack. The weights of ``admission.worth.SIGNALS`` were
fitted on the questions at even places; ``reported`` (the default) are those at odd places. Everything is deterministic.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import bm25s
from langchain_text_splitters import RecursiveCharacterTextSplitter

from contextpack_core import (
    Candidate,
    Embedder,
    Pack,
    Policy,
    RetrievalSettings,
    Source,
    Span,
    StaticModel,
    counter_for,
    merge_hits,
    pack,
    searches_for,
)
from contextpack_core.admission.worth import SIGNALS
from contextpack_core.questions.cues import class_of
from contextpack_core.questions.parts import parts_of

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
    parser.add_argument("--part", choices=PARTS, action="append")
    asked = parser.parse_args()
    sets = [path.name.removesuffix("_corpus.jsonl") for path in sorted(asked.data.glob("*_corpus.jsonl"))]
    cells = [Cell(asked.data, name, chunking, asked.half, asked.questions) for name in sets for chunking in CHUNKINGS]
    print(f"half: {asked.half}; questions of each set: {asked.questions or 'all'}; seed: {SEED}; signals: {SIGNALS}")
    for name in asked.part or PARTS:
        PARTS[name](cells)


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


def results(cell: Cell, tasks: Sequence[Task], budget: Mapping[str, Any], embed: Embedder | None = None) -> list[tuple[bool, int]]:
    """For each question whether its evidence is whole, and the tokens of the pack."""
    policy = Policy.from_dict({"budget": dict(budget)})
    packs = (pack(task.candidates, task.question, policy, count_tokens=COUNT, embed=embed) for task in tasks)
    return [(holds(result, cell.texts, task.gold), result.tokens) for result, task in zip(packs, tasks, strict=True)]


def rate(cell: Cell, tasks: Sequence[Task], budget: Mapping[str, Any], embed: Embedder | None = None) -> float:
    """The share of questions whose evidence is whole, in percent."""
    return 100 * _mean([whole for whole, _ in results(cell, tasks, budget, embed)])


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else float("nan")


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
    rows.append(_row("until enough", cells, tasks, {"until": "enough"}))
    if find_spec("wordllama"):
        rows.append(_row("with vectors of the static model", cells, tasks, {}, Remembering(StaticModel())))
    head = ["", *[f"{cell.name} ({len(tasks[cell.name])})" for cell in cells], *[f"mean at {budget}" for budget in BUDGETS]]
    _table("Whole evidence at 1,000 tokens, percent of questions", head, rows)


class Remembering:
    """An embedder that embeds each text once."""

    def __init__(self, embed: Embedder) -> None:
        self._embed = embed
        self._known: dict[str, Sequence[float]] = {}

    def __call__(self, texts: list[str], /) -> list[Sequence[float]]:
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        self._known.update(zip(new, self._embed(new), strict=True))
        return [self._known[text] for text in texts]


def _row(
    name: str,
    cells: Sequence[Cell],
    tasks: Mapping[str, Sequence[Task]],
    settings: Mapping[str, Any],
    embed: Embedder | None = None,
) -> list[Any]:
    rates = {b: [rate(cell, tasks[cell.name], {"evidence": b, **settings}, embed) for cell in cells] for b in BUDGETS}
    return [name, *rates[1000], *[sum(values) / len(values) for values in rates.values()]]


# ---- no more than is enough


def enough(cells: Sequence[Cell]) -> None:
    """What ``until: enough`` saves of the tokens and loses of the whole evidence, by cell and by class of question."""
    ways: tuple[dict[str, Any], ...] = ({}, {"until": "enough"})
    by_cell, by_class = [], {}
    for budget in (1000, 2000, 4000):
        for cell in cells:
            tasks = list(cell.tasks())
            full, less = [results(cell, tasks, {"evidence": budget, **way}) for way in ways]
            by_cell.append([cell.name, str(budget), *_compared(full, less)])
            for task, one, other in zip(tasks, full, less, strict=True):
                found = class_of(task.question)
                sides = by_class.setdefault((found.intent if found else "no class", budget), ([], []))
                sides[0].append(one)
                sides[1].append(other)
    head = ["whole evidence, full", "enough", "tokens, full", "enough", "tokens saved, percent"]
    _table("Until enough, by set and chunking", ["", "budget", *head], by_cell)
    rows = [[name, str(len(one)), str(budget), *_compared(one, other)] for (name, budget), (one, other) in sorted(by_class.items())]
    _table("Until enough, by class of question, all sets and chunkings", ["", "packs", "budget", *head], rows)


def _compared(full: Sequence[tuple[bool, int]], less: Sequence[tuple[bool, int]]) -> list[float]:
    rates = [100 * _mean([whole for whole, _ in found]) for found in (full, less)]
    tokens = [_mean([tokens for _, tokens in found]) for found in (full, less)]
    return [*rates, *tokens, 100 * (1 - tokens[1] / tokens[0])]


# ---- questions made of two


def parts(cells: Sequence[Cell]) -> None:
    """Questions of two parts, searched for once: the evidence of both parts whole, with the coverage of parts off and on."""
    ways: dict[str, dict[str, Any]] = {"by rank": {"strategy": "rank"}, "parts off": {"parts": False}, "parts on": {}}
    rows = []
    for cell in cells:
        for same in (False, True):
            tasks = [task for task in _joined(cell, same) if _retrieved(cell, task)]
            if len(tasks) < 10:
                continue
            for budget in (500, 1000, 2000):
                rates = [rate(cell, tasks, {"evidence": budget, **way}) for way in ways.values()]
                rows.append([cell.name, "one document" if same else "two documents", str(len(tasks)), str(budget), *rates])
    _table("Questions of two parts with the evidence of both whole, percent", ["", "", "questions", "tokens", *ways], rows)


def comparison(cells: Sequence[Cell]) -> None:
    """Questions about two documents: is both sides' evidence found, by one search or one more for each side, and is it packed?"""
    sides = {"by": "found_for"}
    ways: dict[str, Any] = {
        "first-fit": None,
        "by rank": lambda budget: {"strategy": "rank"},
        "by evidence": lambda budget: {},
        "a minimum for each side": lambda budget: {"per_group": {**sides, "tokens": budget // 2}},
    }
    found, rows = [], []
    for cell in cells:
        once = list(_joined(cell, same=False))
        tasks = {how: [_searched(cell, task, how) for task in once] for how in ("turns", "ranks")}
        found.append([cell.name, str(len(once)), *[_share(cell, each) for each in (once, tasks["turns"], tasks["ranks"])]])
        kept = [task for task in tasks["turns"] if _retrieved(cell, task)]
        for budget in (1000, 2000, 4000):
            rates = [
                _first_fit(cell, kept, budget) if way is None else rate(cell, kept, {"evidence": budget, **way(budget)})
                for way in ways.values()
            ]
            rows.append([cell.name, str(len(kept)), str(budget), *rates])
    head = ["", "pairs", "one search", "one more for each side, in turns", "by reciprocal ranks"]
    _table("Both sides' evidence among 50 candidates, percent of pairs", head, found)
    _table("Both sides' evidence whole where it was found in turns, percent", ["", "pairs", "tokens", *ways], rows)


def advice(cells: Sequence[Cell]) -> None:
    """How many packs are PARTIAL, and how many of them are READY with the budget that their advice names."""
    rows = []
    for cell in cells:
        tasks = list(cell.tasks())
        for strategy in ("evidence", "rank"):
            for budget in (300, 1000):
                settings = {"evidence": budget, "strategy": strategy}
                advised = [(task, _advised(task, settings)) for task in tasks]
                needs = [(task, tokens) for task, tokens in advised if tokens]
                again = [_advised(task, {**settings, "evidence": tokens}) for task, tokens in needs]
                ready = 100 * again.count(None) / max(1, len(again))
                mean = sum(tokens for _, tokens in needs) / max(1, len(needs))
                rows.append([cell.name, strategy, str(budget), str(len(tasks)), str(len(needs)), f"{mean:.0f}", ready])
    head = ["", "strategy", "tokens", "questions", "PARTIAL", "tokens advised, mean", "of these READY, percent"]
    _table("The budget that is advised", head, rows)


def _advised(task: Task, budget: Mapping[str, Any]) -> int | None:
    made = pack(task.candidates, task.question, Policy.from_dict({"budget": dict(budget)}), count_tokens=COUNT)
    return next((advice.tokens for advice in made.advice if advice.tokens), None)


def _joined(cell: Cell, same: bool) -> Iterator[Task]:
    """Two questions as one (*… and …?*), about the same document or not, where it reads as a question of two parts."""
    chance = random.Random(SEED)
    questions = [cell.questions[i] for i in chance.sample(range(len(cell.questions)), len(cell.questions))]
    if same:
        questions.sort(key=lambda asked: asked[1][0][0])
    for (first, gold), (second, other) in zip(questions[::2], questions[1::2], strict=False):
        question = f"{first.rstrip(' ?.')} and {second[:1].lower()}{second[1:].rstrip(' ?.')}?"
        shared = {d for d, _, _ in gold} & {d for d, _, _ in other}
        if bool(shared) == same and len(parts_of(question)) == 2:
            yield Task(question, gold + other, cell.retrieve([question], 50)[0])


def _searched(cell: Cell, task: Task, how: str) -> Task:
    """The question with what it and its parts find, 50 candidates in all, each with what it was found for."""
    settings = RetrievalSettings.model_validate({"sub_queries": 4, "fuse": how})
    searches = searches_for(task.question, settings)
    found = cell.retrieve([task.question, *[search.text for search in searches]], 50)
    placed = merge_hits([[c.id for c in hits] for hits in found], searches, settings)[:50]
    candidates = []
    for rank, at in enumerate(placed, 1):
        metadata = {"found_for": at.found_for} if at.found_for else {}
        candidates.append(replace(found[at.search][at.place], rank=rank, metadata=metadata))
    return Task(task.question, task.gold, tuple(candidates))


def _retrieved(cell: Cell, task: Task) -> bool:
    everything = pack(task.candidates, "", Policy.from_dict({"budget": {"evidence": 10**6}}), count_tokens=len)
    return holds(everything, cell.texts, task.gold)


def _share(cell: Cell, tasks: Sequence[Task]) -> float:
    return 100 * sum(_retrieved(cell, task) for task in tasks) / max(1, len(tasks))


def _first_fit(cell: Cell, tasks: Sequence[Task], budget: int) -> float:
    """In rank order whole chunks that still fit, each as ``[n] text``."""
    whole = 0
    for task in tasks:
        left, taken = budget, []
        for candidate in task.candidates:
            price = COUNT(f"[{len(taken) + 1}] {candidate.text}\n\n")
            if price <= left:
                left -= price
                taken.append(candidate)
        everything = pack(taken, "", Policy.from_dict({"budget": {"evidence": 10**6}}), count_tokens=len)
        whole += holds(everything, cell.texts, task.gold)
    return 100 * whole / max(1, len(tasks))


PARTS = {"ablation": ablation, "enough": enough, "parts": parts, "comparison": comparison, "advice": advice}


if __name__ == "__main__":
    main()
