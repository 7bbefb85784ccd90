"""A text as rows: lines of a table and sentences, with the words that say what each is about and the figures to reckon with."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from contextpack_core.citations.figures.match import hold
from contextpack_core.citations.figures.quantity import Quantity
from contextpack_core.citations.figures.tables import FUNCTION_WORDS


class Cell(NamedTuple):
    """A figure to reckon with: its value in the base of its dimension, and its column and, if a head gives one, year."""

    value: float
    dimension: str
    text: str
    column: int = 0
    year: str = ""
    scaled: bool = False
    start: int = -1


class Row(NamedTuple):
    """A line of a table or a sentence. ``tabular`` says that it is a label with figures and no more."""

    label: str
    start: int
    end: int
    words: frozenset[str]
    cells: tuple[Cell, ...]
    quantities: tuple[Quantity, ...]
    tabular: bool


_BREAK = re.compile(r"\n+|(?<=[.!?;。；])\s+(?=[^\W\d_a-z]|[\"'(*-])")
_WORD = re.compile(r"[^\W\d_]{3,}")
_SHARE_HEAD = re.compile(r"%|percent|per cent|margin|\brate\b", re.I)
_RECKONED = frozenset(["number", "money", "percent", "points", "quantity", "duration"])


@lru_cache(maxsize=512)
def rows_of(text: str, label: str, locale: str | None = None) -> tuple[Row, ...]:
    """The rows of a passage that hold figures. Remembered for the last 512 passages."""
    quantities = hold(text, locale).quantities
    bounds = [0, *[match.start() for match in _BREAK.finditer(text)], len(text)]
    rows: list[Row] = []
    years: tuple[str, ...] = ()
    at = 0
    for begin, end in pairwise(bounds):
        members = []
        while at < len(quantities) and quantities[at].start < end:
            members.append(quantities[at])
            at += 1
        if not members:
            continue
        figures = [quantity for quantity in members if quantity.kind in _RECKONED and quantity.written]
        if not figures:
            heads = tuple([str(quantity.value)[:4] for quantity in members if quantity.kind == "date"])
            years = heads if len(heads) > 1 else years
            continue
        first = figures[0].start
        shares = bool(_SHARE_HEAD.search(text, begin, first))
        cells = [
            cell_of(quantity, text, column, years[column] if len(years) == len(figures) else "", shares)
            for column, quantity in enumerate(figures)
        ]
        rest = sum([quantity.end - quantity.start for quantity in members if quantity.start >= first])
        tabular = end - first - rest < 4 * len(members) + 4
        kept = tuple([cell for cell in cells if cell is not None])
        rows.append(Row(label, begin, end, words_of(text[begin:end].lower()), kept, tuple(members), tabular))
    return tuple(rows)


def cell_of(quantity: Quantity, text: str, column: int = 0, year: str = "", shares: bool = False) -> Cell | None:
    """The quantity to reckon with; None if it is none, or of a size that no sum is made of."""
    if quantity.kind not in _RECKONED or not quantity.written:
        return None
    dimension, value = quantity.readings[0] if quantity.readings else ("n", quantity.written[0])
    if not isinstance(value, Decimal) or (value and not -12 < value.adjusted() < 18):
        return None
    if dimension == "n":
        dimension = "percent" if shares and quantity.open else "open" if quantity.open else "n"
    shown = " ".join(text[quantity.start : quantity.end].split())
    return Cell(float(value), dimension, shown, column, year, quantity.scale != 1, quantity.start)


def words_of(lower: str) -> frozenset[str]:
    """What a text is about: its words of three letters and more without the plural's "s", but the very frequent ones."""
    return frozenset([word[:-1] if word[-1] == "s" else word for word in _WORD.findall(lower) if word not in FUNCTION_WORDS["en"]])
