"""Both error rates of the figure check: right answers that are flagged, and wrong ones that pass, with 95 % Wilson intervals.

    python tests/benchmarks/figures.py [--count N] [--revisions FILE]

Measured on made-up report pages (``figure_tables``: computed answers over tables in many layouts), on the case files of
numbers and dates, on ``figure_pairs.jsonl`` (an answer and a passage a line, whole reports; half of them were not looked at while
the check was made), and on FILE: JSON lines ``{"id", "claim", "passage", "numbers_supported", "kind"}`` of revised sentences,
without the rows of which the label is itself wrong (MISLABELLED). Everything is deterministic.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from contextpack_core import check
from contextpack_core.citations.report import ReportStatus
from contextpack_core.citations.values import FigureStatus
from contextpack_core.evaluation.intervals import wilson

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.benchmarks.figure_tables import samples, wrong

CASES = Path(__file__).parents[1] / "cases"
PAIRS = Path(__file__).with_name("figure_pairs.jsonl")
ALARMS = {FigureStatus.UNSUPPORTED, FigureStatus.STALE, FigureStatus.ELSEWHERE}
Counts = dict[str, list[bool]]
MISLABELLED = {
    "rev-9-same": "Section 10 against Section 3: the label looks at the days only",
    "rev-73-same": "US$500 against €500",
    "rev-113-same": "€500 against £500",
    "rev-114-same": "£500 against €500",
    "rev-219-on": "6 months, where the passage has 24 months and 6 years",
    "rev-232-same": "6 days against 6 months",
}
"""Rows labelled as supported that are not, and why: the labels compare digits and see no units."""


def main() -> None:
    """Prints a line a set and kind of answer."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--count", type=int, default=500, help="made-up questions")
    options.add_argument("--revisions", type=Path, help="revised sentences, as JSON lines")
    chosen = options.parse_args()
    _show("made-up reports", *_reports(chosen.count))
    _show("cases", *_cases())
    _show("pairs", *_pairs())
    if chosen.revisions is not None:
        _show("revisions", *_revisions(chosen.revisions))


def _is_flagged(answer: str, sources: Mapping[str, str], question: str = "") -> bool:
    return any(figure.status in ALARMS for figure in check(answer, sources, question=question).figures)


def _reports(count: int) -> tuple[Counts, Counts]:
    """Right answers flagged and wrong answers passed, by what is asked and by what was changed."""
    flagged: Counts = defaultdict(list)
    passed: Counts = defaultdict(list)
    for sample in samples(seed=7, count=count):
        flagged[sample.kind].append(_is_flagged(f"The answer is {sample.answer} [P1].", {"P1": sample.page}, sample.question))
        for how, answer in wrong(sample, random.Random(sample.question)).items():
            passed[how].append(not _is_flagged(f"The answer is {answer} [P1].", {"P1": sample.page}, sample.question))
    return flagged, passed


def _cases() -> tuple[Counts, Counts]:
    """Figures of the case files that must be supported but raise an alarm, and figures that must raise one but do not."""
    flagged: Counts = defaultdict(list)
    passed: Counts = defaultdict(list)
    for path in sorted(CASES.glob("*_gate*.jsonl")):
        for record in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
            given = record["given"]
            if given["call"] != "check" or record.get("arguable"):
                continue
            found = check(given["answer"], given["sources"], question=given.get("question", "")).figures
            for wanted in record["expect"].get("figures", ()):
                start, end = wanted["at"]
                alarm = any(f.status in ALARMS for f in found if f.span.start < end and start < f.span.end)
                expected = {FigureStatus(status) for status in wanted["status"]}
                if expected <= ALARMS:
                    passed[path.stem].append(not alarm)
                elif not expected & ALARMS:
                    flagged[path.stem].append(alarm)
    return flagged, passed


def _pairs() -> tuple[Counts, Counts]:
    """Right answers of which anything is flagged, and wrong ones of which nothing is."""
    flagged: Counts = defaultdict(list)
    passed: Counts = defaultdict(list)
    for row in map(json.loads, PAIRS.read_text(encoding="utf-8").splitlines()):
        alarm = check(row["answer"].rstrip(".") + " [P1].", {"P1": row["passage"]}).status != ReportStatus.GROUNDED
        if row["holds"]:
            flagged[row["half"]].append(alarm)
        else:
            passed[row["half"]].append(not alarm)
    return flagged, passed


def _revisions(path: Path) -> tuple[Counts, Counts]:
    flagged: Counts = defaultdict(list)
    passed: Counts = defaultdict(list)
    for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
        if row["id"].startswith(tuple(MISLABELLED)):
            continue
        alarm = _is_flagged(row["claim"].rstrip(".") + " [P1].", {"P1": row["passage"]})
        if row["numbers_supported"]:
            flagged[row["kind"]].append(alarm)
        else:
            passed[row["kind"]].append(not alarm)
    return flagged, passed


def _show(name: str, flagged: Counts, passed: Counts) -> None:
    for title, counts in (("right, but flagged", flagged), ("wrong, but passed", passed)):
        total = [error for errors in counts.values() for error in errors]
        for kind, members in [*sorted(counts.items()), ("all", total)]:
            found = wilson(sum(members), len(members))
            share = f"{sum(members):5} of {len(members):5}  {found.low:6.2%} to {found.high:6.2%}"
            print(f"{name:16}  {title:18}  {kind:22}  {share}")


if __name__ == "__main__":
    main()
