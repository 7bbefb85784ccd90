"""How many cases a second the evaluation packs and checks, what that makes of 10,000, and its memory; a made-up set.

python tests/benchmarks/evaluating.py --cases 500 --workers 2
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import tempfile
import time
from datetime import date
from pathlib import Path

from contextpack_core.evaluation.run import evaluate

WORDS = (
    "claim policy holder loss damage insurer premium cover excess notice water fire theft report repair cost limit period contract "
    "clause section annex party written form office branch agent payment refund renewal date month year term general special duty"
).split()


def made_case(number: int, candidates: int) -> dict[str, object]:
    """A question on one of its candidates, which overlap as the chunks of documents do, and an answer with a figure."""
    chance = random.Random(number)
    hits: list[dict[str, object]] = []
    for i in range(candidates // 5):
        sentences = [
            " ".join(chance.choices(WORDS, k=14)).capitalize() + f" within {chance.randrange(1, 90)} days. " for _ in range(12)
        ]
        document = "".join(sentences)
        hits += [{"doc_id": f"d{i}", "start": at, "end": at + 400, "text": document[at : at + 400]} for at in range(0, 1000, 200)]
    chance.shuffle(hits)
    hits = [{"id": f"c{rank}", "rank": rank, "score": 1 / rank, **hit} for rank, hit in enumerate(hits, 1)]
    gold = hits[chance.randrange(3)]
    return {
        "qid": str(number),
        "question": " ".join(str(gold["text"]).split()[3:11]),
        "candidates": hits,
        "gold": [{"doc_id": gold["doc_id"], "start": gold["start"], "end": gold["end"]}],
        "answer": f"{' '.join(str(gold['text']).split()[:12])} [P1]. It is 30 days [P2].",
        "reference": "30 days",
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=500)
    parser.add_argument("--candidates", type=int, default=50)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--engine", default="local")
    parser.add_argument("--judge", default="none", help="lexical also judges support, which takes longer than all the rest")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cases.jsonl"
        with path.open("w", encoding="utf-8") as file:
            file.writelines(json.dumps(made_case(i, options.candidates)) + "\n" for i in range(options.cases))
        size = path.stat().st_size
        before, start, cpu = _loop(), time.perf_counter(), _cpu()
        found = evaluate(
            path,
            out=Path(folder) / "records.jsonl",
            as_of=date(2026, 1, 1),
            judge=options.judge,
            workers=options.workers,
            engine=options.engine,
        )
        seconds, used, after = time.perf_counter() - start, _cpu() - cpu, _loop()
        records = (Path(folder) / "records.jsonl").stat().st_size
    each, load = 1000 * used / options.cases, os.getloadavg()[0]
    print(f"{len(found.records)} cases: {seconds:.1f} s, {each:.1f} ms of processor each, load {load:.1f}")
    print(f"cases {size / 1e6:.0f} MB, records {records / 1e6:.1f} MB; most memory: driver {_most(0)} MB, a worker {_most(1)} MB")
    print(f"a loop of 300,000 rounds took {before:.0f} ms before and {after:.0f} ms after: what this machine gave")
    print(f"10,000 cases at this rate: {10_000 * seconds / options.cases:.0f} s; by processor time, two cores: {5 * each:.0f} s")


def _most(children: int) -> int:
    """The most memory that this process, or the largest of its children, has held."""
    who = resource.RUSAGE_CHILDREN if children else resource.RUSAGE_SELF
    return round(resource.getrusage(who).ru_maxrss / 1024)


def _loop() -> float:
    """Milliseconds of processor for a fixed piece of work, the best of five."""
    times = []
    for _ in range(5):
        start, total = time.process_time(), 0
        for i in range(300_000):
            total += i * i % 7
        times.append(time.process_time() - start)
    return 1000 * min(times)


def _cpu() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


if __name__ == "__main__":
    main()
