"""No text keeps the figures behind it from being read."""

from __future__ import annotations

from decimal import Decimal

import pytest

from contextpack_core.citations.figures.rows import lines_of
from contextpack_core.citations.figures.scan import scan
from tests import hostile


@pytest.mark.parametrize(
    ("unit", "size"), [*[(unit, 100_000) for unit in hostile.BARREN], *[(unit, 12_000) for unit in hostile.FERTILE]]
)
def test_a_figure_after_a_long_text(unit: str, size: int) -> None:
    """Whatever stands before it, it is the last figure of the text, and of its last row."""
    before = f"{hostile.many(unit, size)}\n\n"
    text = f"{before}The tank holds 77 litres."

    lines = lines_of(text)
    cells = [line.cells for line in lines]  # read when asked for, those of the long text too
    assert cells[-1][-1].text == "77 litres"
    for last in (scan(text, None, True)[-1], lines[-1].quantities[-1]):
        assert (last.start, last.value, last.unit) == (len(before) + 15, Decimal(77), "l")
