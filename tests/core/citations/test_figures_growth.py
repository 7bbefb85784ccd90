"""No text drives the reading of figures to more than linear time."""

from __future__ import annotations

import time

import pytest

from contextpack_core.citations.figures.match import hold
from contextpack_core.citations.figures.rows import rows_of
from contextpack_core.citations.figures.scan import scan

BARREN = [
    *(
        "1",
        "(",
        " ",
        "-",
        ".",
        ",",
        "$",
        "%",
        "`",
        "[1,",
        "【",
        "a-",
        "a1",
        "@a",
        "http://",
        "二〇",
        "分之",
        "hundred ",
        "million ",
    ),
    *("May ", "FY", "zwei", "hundert", "\x00", "1'000", "1e9", "half ", "令和", "[P1"),
]
"""Units of texts with few figures or none; 100 kB of each."""
FERTILE = [
    "1-",
    "1,",
    "1.1 ",
    "1/",
    "1:",
    "1 x ",
    "1\n",
    "(1) ",
    "1. ",
    "two ",
    "twenty-",
    "May 1 ",
    "$1",
    "1 of ",
    "1 mg/",
    "+49 30 1",
    "1½",
    "一百个",
]
"""Units of texts that are all figures; 12 kB of each."""


def _seconds(unit: str, size: int) -> float:
    text = unit * (size // len(unit))
    for cache in (scan, hold, rows_of):
        cache.cache_clear()
    started = time.process_time()
    scan(text, None, True)
    rows_of(text, "P1")
    return time.process_time() - started


@pytest.mark.parametrize(("unit", "size"), [*[(unit, 100_000) for unit in BARREN], *[(unit, 12_000) for unit in FERTILE]])
def test_grows_with_the_text(unit: str, size: int) -> None:
    """Eight times the text takes about eight times the time; quadratic growth would take sixty-four times as long."""
    small = min(_seconds(unit, size // 8) for _ in range(2))
    large = _seconds(unit, size)

    assert large < 24 * max(small, 0.002)
