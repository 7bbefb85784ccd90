"""How the time grows with texts and lists made to slow a reader down: exit code 1 where one grows faster than n ** 1.5.

python tests/benchmarks/growth.py [--only quotations]
"""

from __future__ import annotations

import argparse
import itertools
import math
import random
import sys
import time
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from contextpack_core.admission.groups import compared_groups
from contextpack_core.citations.check import check
from contextpack_core.citations.claims import split_claims
from contextpack_core.citations.figures.match import hold
from contextpack_core.citations.figures.rows import lines_of
from contextpack_core.citations.figures.scan import scan
from contextpack_core.citations.folding import fold
from contextpack_core.citations.marks import parse_citations
from contextpack_core.citations.quote_marks import find_quotes
from contextpack_core.citations.quotes import locate_quote
from contextpack_core.citations.stream import CitationStream
from contextpack_core.grounding.abstention import is_refusal
from contextpack_core.questions.as_of import read_question
from contextpack_core.questions.parts import sub_questions
from contextpack_core.stages.dedup import DedupSettings, drop_duplicates
from contextpack_core.stages.merge import MergeSettings, find_joins
from contextpack_core.stages.versions import VersionSettings, prefer_versions
from contextpack_core.values import Candidate, Source, Span
from tests import hostile

STEPS = 8  # times that the longest is as long as the shortest
STEEPEST = 1.5

Work = Callable[[], object]


def _figures(text: str) -> Work:
    def work() -> None:
        for remembered in (scan, hold, lines_of):
            remembered.cache_clear()
        scan(text, None, True)
        for line in lines_of(text):
            _ = line.cells, line.words

    return work


def _stream(text: str) -> Work:
    def work() -> None:
        stream = CitationStream({"P1": "A b.", "P2": "It runs."})
        for char in text:
            stream.feed(char)

    return work


_SOURCES = {"P1": 'It "as in [P2] above" runs. ' * 500, "P2": "Keep dry. " * 500}

TEXTS: dict[str, tuple[Callable[[str], Work], Sequence[str], int]] = {
    "figures, few": (_figures, hostile.BARREN, 100_000),
    "figures, all": (_figures, hostile.FERTILE, 12_000),
    "quotation marks": (lambda text: lambda: find_quotes(text), hostile.QUOTATION_MARKS, 64_000),
    "quotations": (lambda text: lambda: locate_quote(text + " x", {"P1": text + " y"}), hostile.QUOTATIONS, 64_000),
    "folding": (lambda text: lambda: fold(text), hostile.MARKUP, 64_000),
    "claims": (lambda text: lambda: split_claims(text), hostile.CLAIMS, 64_000),
    "citation marks": (lambda text: lambda: parse_citations(text, ["P1", "P2"]), hostile.CITATION_MARKS, 64_000),
    "stream, a character a feed": (_stream, hostile.STREAMED, 16_000),
    "whole check": (lambda text: lambda: check(text, _SOURCES), hostile.ANSWERS, 16_000),
    "refusals": (lambda text: lambda: is_refusal(text), hostile.REFUSALS, 64_000),
    "questions": (lambda text: lambda: sub_questions(text), hostile.QUESTIONS, 64_000),
}
"""What reads a text, units of the texts that it is given, and the size of the longest in characters."""


def _template(n: int) -> Work:
    text = "the {} lamp of the panel turns green when the pump of the line has run for some time and the valve is closed"
    fills = ["".join(letters) for letters in itertools.islice(itertools.product("bcdfghk", repeat=5), n)]
    texts = [Candidate(fill, text.format(fill), Source(fill)) for fill in fills]
    return lambda: drop_duplicates(texts, DedupSettings())


def _copies(n: int) -> Work:
    copies = [Candidate(str(i), "The valve of the line is closed when the pump runs.", Source(str(i))) for i in range(n)]
    return lambda: drop_duplicates(copies, DedupSettings())


def _windows(n: int) -> Work:
    text = "".join(random.Random(1).choices("abcdef ", k=4 * n + 400))
    spans = [Span(4 * k, 4 * k + 400) for k in range(n)]
    windows = [Candidate(str(k), text[span.start : span.end], Source("d", span=span)) for k, span in enumerate(spans)]
    return lambda: find_joins(windows, None, MergeSettings())


_RUNS = itertools.count()


def _editions(n: int) -> Work:
    def edition(i: int) -> Candidate:
        named: dict[str, Any] = {"superseded_by": f"e{i + 1}"} if i < n - 1 else {}
        return Candidate(f"e{i}", "Fee.", Source(f"e{i}", family="fees", edition=f"{run}.{i}", **named))

    run = next(_RUNS)  # names that were read before are remembered
    row, day = [edition(i) for i in range(n)], date(2026, 1, 1)
    return lambda: prefer_versions(row, day, VersionSettings())


def _days(n: int) -> Work:
    first, run = date(2000, 1, 1), next(_RUNS)
    days = [first + timedelta(days=i) for i in range(n)]
    row = [
        Candidate(f"e{i}", "Fee.", Source(f"e{i}", family="fees", edition=f"{run}.{i}", effective_from=day))
        for i, day in enumerate(days)
    ]
    question = read_question("What is the fee?", days[-1])
    return lambda: prefer_versions(row, days[n // 2], VersionSettings(), question)


def _groups(n: int) -> Work:
    hits = [Candidate(f"h{i}", "The excess is 500.", Source(f"h{i}"), metadata={"product": f"tariff-{i}"}) for i in range(n)]
    return lambda: compared_groups(hits, "What is the excess?", lambda match: match.shares, "product", ())


LISTS: dict[str, tuple[Callable[[int], Work], int]] = {
    "texts of one template": (_template, 8000),
    "copies of one text": (_copies, 8000),
    "windows over one text": (_windows, 8000),
    "editions that name their successor": (_editions, 16_000),
    "editions of one day after another": (_days, 8000),
    "groups of one candidate each": (_groups, 4000),
}
"""What goes through a list, and the length of the longest."""


def seconds(make: Callable[[], Work]) -> float:
    """The least time of three."""
    spent = []
    for _ in range(3):
        work = make()
        start = time.process_time()
        work()
        spent.append(time.process_time() - start)
    return min(spent)


def exponent(short: Callable[[], Work], long: Callable[[], Work]) -> tuple[float, float]:
    """The slope of log(time) over log(size), and the milliseconds of the longer; what takes no millisecond has no slope."""
    least, most = seconds(short), seconds(long)
    return (math.log(most / max(least, 1e-4)) / math.log(STEPS) if most > 1e-3 else 0.0), 1000 * most


def measured(only: str) -> list[tuple[str, str, int, float, float]]:
    """For each reader its steepest unit: name, unit, size, exponent, milliseconds."""
    rows = []
    for name, (reader, units, size) in TEXTS.items():
        if only in name:
            found = []
            for unit in units:
                short, long = hostile.many(unit, size // STEPS), hostile.many(unit, size)
                found.append((unit, *exponent(partial(reader, short), partial(reader, long))))
            unit, slope, spent = max(found, key=lambda each: each[1])
            rows.append((name, repr(unit), size, slope, spent))
    for name, (make, length) in LISTS.items():
        if only in name:
            rows.append((name, "", length, *exponent(partial(make, length // STEPS), partial(make, length))))
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="rows whose name has this in it")
    rows = measured(parser.parse_args().only)
    print(f"| what is read | steepest of its units | length | exponent over {STEPS} times the length | ms |\n|---|---|---|---|---|")
    for name, unit, size, slope, spent in rows:
        print(f"| {name} | {f'`{unit}`' if unit else ''} | {size:,} | {slope:.2f} | {spent:.0f} |")
    return int(any(slope > STEEPEST for *_, slope, _ in rows))


if __name__ == "__main__":
    sys.exit(main())
