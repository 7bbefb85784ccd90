"""Measures the choice of editions on labelled sets: families given and recognised, and what a second retrieval by family adds.

    python tests/benchmarks/editions.py --data DIR [--questions N] [--budget TOKENS]

DIR holds ``<name>_editions.jsonl`` (doc_family, doc_id, edition, effective, superseded_by, title, text) and
``<name>_questions.jsonl`` (question, as_of, doc_family, gold, wrong_edition_doc_ids). Everything is deterministic.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from hashlib import blake2b
from itertools import combinations
from pathlib import Path
from typing import Any

from contextpack_core import Candidate, Policy, Source, Span, counter_for, pack
from contextpack_core.editions.inference import infer_families

Record = dict[str, Any]


@dataclass(frozen=True)
class Chunk:
    """A stretch of one edition."""

    doc_id: str
    start: int
    text: str


@dataclass(frozen=True)
class Dataset:
    """The editions of some documents, in chunks, with questions about them."""

    name: str
    editions: dict[str, Record]
    questions: list[Record]
    chunks: list[Chunk]
    search: Callable[[str, int, Callable[[Chunk], bool]], list[Chunk]]

    def family(self, doc_id: str) -> str:
        """The family; the copies of one policy in two archives are one."""
        family: str = self.editions[doc_id]["doc_family"]
        return re.sub("^(?:contrib|pga)/", "", family)

    def range_of(self, doc_id: str) -> tuple[date, date | None]:
        """The days on which an edition applied, where the editions follow one another."""
        edition = self.editions[doc_id]
        successor = edition.get("superseded_by")
        end = self.editions[successor] if isinstance(successor, str) and successor in self.editions else None
        return day(edition), day(end) if end else None


def day(edition: Record) -> date:
    return date.fromisoformat(edition["effective"][:10])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--questions", type=int, default=30, help="per set, picked with a fixed seed")
    parser.add_argument("--budget", type=int, default=2000)
    parser.add_argument("--sets", nargs="*", help="names; all in the folder when left out")
    args = parser.parse_args()
    names = args.sets or sorted(path.name.removesuffix("_editions.jsonl") for path in args.data.glob("*_editions.jsonl"))
    sets = [load(args.data, name, args.questions) for name in names]
    print_table("Recognised pairs of editions among the 50 best hits", recognition(sets))
    print_table("A copy of each hit for another provider, a month later", copies([data for data in sets if data.name in PROVIDERS]))
    print_table(f"The window at {args.budget} tokens, percent of questions", windows(sets, args.budget))
    print_table("The right sentence in the pack, ten hits, percent of questions", second_retrieval(sets, args.budget))


# ---------------------------------------------------------------- data


def load(folder: Path, name: str, most: int) -> Dataset:
    editions = {row["doc_id"]: row for row in rows(folder / f"{name}_editions.jsonl")}
    questions = [q for q in rows(folder / f"{name}_questions.jsonl") if q.get("as_of") and not q.get("ambiguous_effective")]
    if len(questions) > most:
        questions = random.Random(0).sample(questions, most)
    chunks = [chunk for doc_id, edition in editions.items() for chunk in chunks_of(doc_id, edition["text"])]
    return Dataset(name, editions, questions, chunks, bm25(chunks, [editions[c.doc_id].get("title") or "" for c in chunks]))


def rows(path: Path) -> list[Record]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def chunks_of(doc_id: str, text: str, size: int = 900, overlap: int = 150) -> Iterable[Chunk]:
    """Chunks that end at white space."""
    start = 0
    while start < len(text):
        end = min(len(text), start + size)
        if end < len(text):
            end = max(text.rfind(" ", start + size // 2, end), text.rfind("\n", start + size // 2, end), start + size // 2)
        yield Chunk(doc_id, start, text[start:end])
        if end == len(text):
            return
        start = max(end - overlap, start + 1)


def bm25(chunks: Sequence[Chunk], titles: Sequence[str]) -> Callable[[str, int, Callable[[Chunk], bool]], list[Chunk]]:
    """Robertson and Zaragoza 2009, k1 1.2, b 0.75; ties in the order of the chunks."""
    bags = [Counter(words(f"{title} {chunk.text}")) for chunk, title in zip(chunks, titles, strict=True)]
    sizes = [bag.total() for bag in bags]
    mean = sum(sizes) / len(sizes)
    postings: dict[str, list[int]] = defaultdict(list)
    for i, bag in enumerate(bags):
        for word in bag:
            postings[word].append(i)

    def search(query: str, top: int, wanted: Callable[[Chunk], bool]) -> list[Chunk]:
        scores: dict[int, float] = defaultdict(float)
        for word in set(words(query)):
            holders = postings.get(word, [])
            weight = math.log(1 + (len(bags) - len(holders) + 0.5) / (len(holders) + 0.5))
            for i in holders:
                often = bags[i][word]
                scores[i] += weight * often * 2.2 / (often + 1.2 * (0.25 + 0.75 * sizes[i] / mean))
        best = sorted((i for i in scores if wanted(chunks[i])), key=lambda i: (-scores[i], i))
        return [chunks[i] for i in best[:top]]

    return search


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def anything(chunk: Chunk) -> bool:
    return True


# ---------------------------------------------------------------- recognition

Naming = Callable[[Record], Record]


def opaque(name: str) -> str:
    return blake2b(name.encode(), digest_size=8).hexdigest()


NAMINGS: dict[str, Naming] = {
    "path, title": lambda e: {"doc_id": e["doc_id"], "title": e.get("title")},
    "path": lambda e: {"doc_id": e["doc_id"]},
    "title, date": lambda e: {"doc_id": opaque(e["doc_id"]), "title": e.get("title"), "effective_from": day(e)},
    "title": lambda e: {"doc_id": opaque(e["doc_id"]), "title": e.get("title")},
}


def recognition(sets: Sequence[Dataset]) -> list[list[Any]]:
    """Of the pairs of documents that are joined, how many are editions of one; and of those that are, how many are joined."""
    table: list[list[Any]] = [["set", "told", "joined", "right", "precision", "there", "recall"]]
    for data in sets:
        for told, naming in NAMINGS.items():
            joined = right = there = 0
            for question in data.questions:
                hits = data.search(question["question"], 50, anything)
                names = {opaque(doc_id): doc_id for doc_id in data.editions} | {doc_id: doc_id for doc_id in data.editions}
                found, _ = infer_families(
                    [Candidate(str(i), h.text, Source(**naming(data.editions[h.doc_id]))) for i, h in enumerate(hits)]
                )
                pairs = pairs_of((c.source.family, names[c.source.doc_id]) for c in found if c.source.family)
                truth = pairs_of((data.family(h.doc_id), h.doc_id) for h in hits)
                joined, right, there = joined + len(pairs), right + len(pairs & truth), there + len(truth)
            table.append([data.name, told, joined, right, share(right, joined), there, share(right, there)])
    return table


def pairs_of(members: Iterable[tuple[str, str]]) -> set[frozenset[str]]:
    groups: dict[str, set[str]] = defaultdict(set)
    for family, doc_id in members:
        groups[family].add(doc_id)
    return {frozenset(pair) for group in groups.values() for pair in combinations(sorted(group), 2)}


PROVIDERS = ("ota_terms",)  # the sets whose titles read "provider — document"


def copies(sets: Sequence[Dataset]) -> list[list[Any]]:
    """Each hit beside a copy in which the provider has another name: how many originals and copies are joined (none should be)."""
    table: list[list[Any]] = [["set", "title", "hits", "wrongly joined"]]
    for data in sets:
        for kind in ("of the provider", "everybody's"):
            hits = wrong = 0
            for question in data.questions:
                candidates = []
                for i, hit in enumerate(data.search(question["question"], 20, anything)):
                    edition = data.editions[hit.doc_id]
                    provider, _, rest = (edition.get("title") or "").partition(" — ")
                    other = re.sub("|".join(map(re.escape, provider.split())) or "$^", "Nordwind", hit.text, flags=re.IGNORECASE)
                    for name, who, text, shift in (
                        (hit.doc_id, provider, hit.text, 0),
                        (f"copy of {hit.doc_id}", "Nordwind", other, 30),
                    ):
                        title = f"{who} — {rest}" if kind == "of the provider" else rest or "Terms of Service"
                        start = date.fromordinal(day(edition).toordinal() + shift)
                        candidates.append(Candidate(f"{i} {shift}", text, Source(opaque(name), title=title, effective_from=start)))
                found, _ = infer_families(candidates)
                by_family: dict[str, set[bool]] = defaultdict(set)
                for c in found:
                    if c.source.family:
                        by_family[c.source.family].add(c.id.endswith(" 30"))
                hits += len(candidates) // 2
                wrong += sum(len(sides) > 1 for sides in by_family.values())
            table.append([data.name, kind, hits, wrong])
    return table


# ---------------------------------------------------------------- the window


def told_nothing(data: Dataset, doc_id: str) -> Record:
    return {"title": data.editions[doc_id].get("title")}


def told_family(data: Dataset, doc_id: str) -> Record:
    """All that is known: family, edition, range of days, successor, status."""
    edition = data.editions[doc_id]
    start, end = data.range_of(doc_id)
    successor = edition.get("superseded_by")
    return {
        "title": edition.get("title"), "family": edition["doc_family"], "edition": edition["edition"], "effective_from": start,
        "effective_until": end, "status": edition.get("status"),
        "superseded_by": tuple(successor) if isinstance(successor, list) else successor,
    }  # fmt: skip


def told_dates(data: Dataset, doc_id: str) -> Record:
    return {"title": data.editions[doc_id].get("title"), "effective_from": day(data.editions[doc_id])}


WAYS: dict[str, tuple[str, Callable[[Dataset, str], Record]]] = {
    "no family": ("explicit", told_nothing),
    "family given": ("explicit", told_family),
    "family: infer": ("infer", told_dates),
    "family: infer, no dates": ("infer", told_nothing),
}


def windows(sets: Sequence[Dataset], budget: int) -> list[list[Any]]:
    table: list[list[Any]] = [["set", "way", "retrieved", "right", "right of retrieved", "wrong edition"]]
    for data in sets:
        for way, (family, told) in WAYS.items():
            outcomes = []
            for question in data.questions:
                hits = data.search(question["question"], 50, anything)
                outcomes.append(outcome_of(data, question, hits, hits, budget, family, told))
            retrieved, right, wrong = (sum(outcome[i] for outcome in outcomes) for i in range(3))
            n = len(outcomes)
            table.append([data.name, way, share(retrieved, n), share(right, n), share(right, retrieved), share(wrong, n)])
    return table


def second_retrieval(sets: Sequence[Dataset], budget: int) -> list[list[Any]]:
    """Ten hits; then ten more of the families among them, of editions in force on the day, ranked after the first."""
    table: list[list[Any]] = [["set", "one retrieval", "with the second", "wrong edition"]]
    for data in sets:
        without, with_second = [], []
        for question in data.questions:
            hits = data.search(question["question"], 10, anything)
            without.append(outcome_of(data, question, hits, hits, budget, "explicit", told_family))
            families = {data.family(hit.doc_id) for hit in hits}
            wanted = partial(applies, data, families, date.fromisoformat(question["as_of"][:10]))
            more = data.search(question["question"], 10, wanted)
            both = [*hits, *(chunk for chunk in more if chunk not in hits)]
            with_second.append(outcome_of(data, question, both, both, budget, "explicit", told_family))
        n = len(data.questions)
        table.append(
            [
                data.name,
                share(sum(o[1] for o in without), n),
                share(sum(o[1] for o in with_second), n),
                share(sum(o[2] for o in with_second), n),
            ]
        )
    return table


def applies(data: Dataset, families: set[str], asked: date, chunk: Chunk) -> bool:
    """What a metadata filter of the store lets through."""
    edition = data.editions[chunk.doc_id]
    if data.family(chunk.doc_id) not in families:
        return False
    if isinstance(edition.get("superseded_by"), list):
        return not edition["superseded_by"]
    start, end = data.range_of(chunk.doc_id)
    return start <= asked and (end is None or asked < end)


COUNT = counter_for("o200k_base")


def outcome_of(
    data: Dataset,
    question: Record,
    hits: Sequence[Chunk],
    among: Sequence[Chunk],
    budget: int,
    family: str,
    told: Callable[[Dataset, str], Record],
) -> tuple[bool, bool, bool]:
    """Whether the right sentence was retrieved, whether the pack holds it, whether the pack holds a wrong edition."""
    candidates = [
        Candidate(str(i), h.text, Source(h.doc_id, span=Span(h.start, h.start + len(h.text)), **told(data, h.doc_id)), rank=i)
        for i, h in enumerate(hits, 1)
    ]
    policy = Policy.from_dict({"budget": {"evidence": budget}, "versions": {"family": family}})
    made = pack(candidates, question["question"], policy, as_of=date.fromisoformat(question["as_of"][:10]), count_tokens=COUNT)
    texts = [(item.passage.source.doc_id, item.passage.text) for item in made.evidence]
    wrong = {doc_id for doc_id, _ in texts} & set(question.get("wrong_edition_doc_ids", ()))
    return holds(data, question, [(h.doc_id, h.text) for h in among]), holds(data, question, texts), bool(wrong)


def holds(data: Dataset, question: Record, texts: Sequence[tuple[str, str]]) -> bool:
    """Whether one of the texts is of the right edition and has the right sentence, or most of it at a chunk's end."""
    for gold in question["gold"]:
        answer = data.editions[gold["doc_id"]]["text"][gold["answer_start"] : gold["answer_end"]] if "answer_start" in gold else ""
        sentence = data.editions[gold["doc_id"]]["text"][gold["start"] : gold["end"]] if "start" in gold else ""
        around = sentence[max(0, sentence.find(answer) - 40) : sentence.find(answer) + len(answer) + 10] if answer else sentence
        if any(doc_id == gold["doc_id"] and around in text for doc_id, text in texts):
            return True
    return False


# ---------------------------------------------------------------- printing


def share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}" if whole else "-"


def print_table(title: str, table: Sequence[Sequence[Any]]) -> None:
    cells = [[str(cell) for cell in row] for row in table]
    widths = [max(len(row[i]) for row in cells) for i in range(len(cells[0]))]
    print(f"\n{title}\n")
    for row in (cells[0], ["-" * width for width in widths], *cells[1:]):
        print(
            "  ".join(
                cell.ljust(width) if i < 2 else cell.rjust(width) for i, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
        )


if __name__ == "__main__":
    main()
