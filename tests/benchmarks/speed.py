"""How long a pack takes, as a multiple of counting every candidate once, and which stage takes how much of it.

    python tests/benchmarks/speed.py --data FOLDER [--lists N]

FOLDER holds <name>_corpus.jsonl {doc_id, text} and <name>_questions.jsonl {question}. Lists of 40, 200 and 500 chunks (400/100
characters) that were never packed before are packed at 2,000 and 8,000 tokens with tiktoken (o200k_base), every stage on; the
floor is measured just before each. Medians over the lists, in multiples of the floor; the parts are means.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import statistics
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import tiktoken

from contextpack_core import Candidate, Policy
from tests.benchmarks.packing import Cell

spine = importlib.import_module("contextpack_core.pack")
PARTS = ("read_candidates", "check_spans", "drop_duplicates", "find_joins", "admit", "find_conflicts")


def main() -> None:
    """Print one row a size and budget."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--lists", type=int, default=9)
    asked = parser.parse_args()
    encoding = tiktoken.get_encoding("o200k_base")
    sets = [path.name.removesuffix("_corpus.jsonl") for path in sorted(asked.data.glob("*_corpus.jsonl"))]
    cells = [Cell(asked.data, name, (400, 100), "reported", 0) for name in sets]
    print(f"| candidates | tokens | cold x | counting | {' | '.join(PARTS)} | ms |\n|{'---|' * (len(PARTS) + 5)}")
    turn = 0
    for size in (40, 200, 500):
        for budget in (2000, 8000):
            lists = [cells[n % len(cells)].questions[turn + n][0] for n in range(asked.lists)]
            found = [(query, cells[n % len(cells)].retrieve([query], size)[0]) for n, query in enumerate(lists)]
            turn += asked.lists
            policy = Policy.from_dict({"budget": {"evidence": budget}, "order": {"by": "edges"}})
            _row(found, policy, budget, lambda text: len(encoding.encode_ordinary(text)))


def _row(found: list[tuple[str, tuple[Candidate, ...]]], policy: Policy, budget: int, count: Callable[[str], int]) -> None:
    ratios, floors, spent = [], [], defaultdict(float)
    for query, candidates in found:
        gc.collect()
        gc.freeze()  # what the script itself holds is not to be looked through during a pack
        floor = min(_seconds(lambda: [count(c.text) for c in candidates]) for _ in range(2))  # noqa: B023 - called at once
        whole = _seconds(lambda: spine.pack(candidates, query, policy, count_tokens=count))  # noqa: B023
        ratios.append(whole / floor)
        floors.append(floor)
        with _Clocks(spent) as clocks:  # the parts are timed on a second pack, so that the clocks do not count in the first
            spine.pack(candidates, query, policy, count_tokens=clocks.timed("counting", count))
    parts = [f"{spent[name] / sum(floors):.2f}" for name in ("counting", *PARTS)]
    size, ms = len(found[0][1]), 1000 * statistics.median(floors) * statistics.median(ratios)
    print(f"| {size} | {budget} | {statistics.median(ratios):.2f} | {' | '.join(parts)} | {ms:.1f} |", flush=True)


def _seconds(work: Callable[[], Any]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


class _Clocks:
    """While it is open, the seconds of each part are added up: those of a part without those of the counting in it."""

    def __init__(self, spent: defaultdict[str, float]) -> None:
        self._spent = spent
        self._kept = {name: getattr(spine, name) for name in PARTS}

    def __enter__(self) -> _Clocks:
        for name, part in self._kept.items():
            setattr(spine, name, self.timed(name, part))
        return self

    def __exit__(self, *_: object) -> None:
        for name, part in self._kept.items():
            setattr(spine, name, part)

    def timed(self, name: str, part: Callable[..., Any]) -> Callable[..., Any]:
        def run(*args: Any, **more: Any) -> Any:
            counted, start = self._spent["counting"], time.perf_counter()
            try:
                return part(*args, **more)
            finally:
                inner = self._spent["counting"] - counted
                self._spent[name] += time.perf_counter() - start - inner

        return run


if __name__ == "__main__":
    main()
