"""A text as rows: lines of a table and sentences, with the words that say what each is about and the figures to reckon with."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple

from contextpack_core.citations.figures.match import hold
from contextpack_core.citations.figures.quantity import Quantity
from contextpack_core.citations.figures.rates import period_of, rate_of
from contextpack_core.citations.figures.tables import FUNCTION_WORDS
from contextpack_core.patterns import pattern


class Cell(NamedTuple):
    """A figure to reckon with: its value in the base of its dimension, its year if one is named, and per what time.

    ``row`` is where its row begins, in a table under a head of years.
    """

    value: float
    dimension: str
    text: str
    year: str = ""
    scaled: bool = False
    start: int = -1
    period: str = ""
    row: int = -1


class Line:
    """A line of a table or a sentence; what it is about and what can be reckoned with is read when first asked for.

    ``tabular`` says that it is a label with figures and no more. ``years`` has for each of ``figures`` the year over or beside it,
    "" where none is named, and None for one that belongs to the label.
    """

    def __init__(
        self,
        text: str,
        span: tuple[int, int],
        quantities: tuple[Quantity, ...],
        figures: Sequence[Quantity],
        years: Sequence[str | None],
        *,
        tabular: bool,
        headed: bool,
    ) -> None:
        self.text, self.start, self.end = text, *span
        self.quantities, self.tabular = quantities, tabular
        self._figures, self._years, self._headed = figures, years, headed

    @cached_property
    def words(self) -> frozenset[str]:
        """What it is about."""
        return words_of(self.text[self.start : self.end].lower())

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """Its figures to reckon with."""
        shares = bool(_SHARE_HEAD.search(self.text, self.start, self._figures[0].start))
        dated = zip(self._figures, self._years, strict=True)
        cells = [cell_of(quantity, self.text, year, shares) for quantity, year in dated if year is not None]
        return tuple([cell._replace(row=self.start) if self._headed else cell for cell in cells if cell is not None])


class Row(NamedTuple):
    """A line of the passage with this label."""

    label: str
    line: Line

    @property
    def words(self) -> frozenset[str]:
        return self.line.words

    @property
    def cells(self) -> tuple[Cell, ...]:
        return self.line.cells

    @property
    def tabular(self) -> bool:
        return self.line.tabular


_BREAK = pattern(r"\n+|(?<=[.!?;。；])\s+(?=[^\W\d_a-z]|[\"'(*-])")
_WORD = pattern(r"[^\W\d_]{3,}")
_SHARE_HEAD = pattern(r"%|percent|per cent|margin|\brate\b", re.I)
_RECKONED = frozenset(["number", "money", "percent", "points", "quantity", "duration"])


@lru_cache(maxsize=512)
def lines_of(text: str, locale: str | None = None) -> tuple[Line, ...]:
    """The lines and sentences of a passage that hold figures. Remembered for the last 512 passages."""
    quantities = hold(text, locale).quantities
    bounds = [0, *[match.start() for match in _BREAK.finditer(text)], len(text)]
    lines: list[Line] = []
    head = _Head()
    at = 0
    for begin, end in pairwise(bounds):
        first = at
        while at < len(quantities) and quantities[at].start < end:
            at += 1
        members = quantities[first:at]
        line = text[begin:end]
        figures = [quantity for quantity in members if quantity.kind in _RECKONED and quantity.written]
        if not figures:
            crossing = first > 0 and quantities[first - 1].end > begin  # "December 31,\n2019 2018"
            head = _head(line, begin, quantities[first - crossing : at]) or head
            continue
        start = figures[0].start
        filled = sum([quantity.end - quantity.start for quantity in members if quantity.start >= start])
        tabular = end - start - filled < 4 * len(members) + 4
        headed = tabular and bool(head.years)
        years = _years_over(head, line, begin, figures) if headed or (tabular and _mark_of(line)) else _years_beside(members)
        lines.append(Line(text, (begin, end), tuple(members), figures, years, tabular=tabular, headed=headed))
    return tuple(lines)


class _Head(NamedTuple):
    """The years over a table's columns: in order, and by column where a mark parts the columns; and whether notes have a column."""

    years: tuple[str, ...] = ()
    columns: tuple[tuple[int, str], ...] = ()
    mark: str = ""
    noted: bool = False


def _head(line: str, begin: int, quantities: Sequence[Quantity]) -> _Head | None:
    dates = [q for q in quantities if q.kind == "date" and str(q.value)[0] != "-"]
    if len(dates) < 2:
        return None
    years, mark = [str(q.value)[:4] for q in dates], _mark_of(line)
    columns = tuple(zip(_columns_of(line, begin, dates, mark), years, strict=True)) if mark else ()
    return _Head(tuple(years), columns, mark, "note" in line.lower())


def _mark_of(line: str) -> str:
    """What parts the columns of a line."""
    return "|" if "|" in line else "\t" if "\t" in line else ""


def _columns_of(line: str, begin: int, quantities: Sequence[Quantity], mark: str) -> list[int]:
    """How many marks stand before each quantity."""
    columns = []
    at = column = 0
    for quantity in quantities:
        stop = max(at, quantity.start - begin)
        column += line.count(mark, at, stop)
        at = stop
        columns.append(column)
    return columns


def _years_over(head: _Head, line: str, begin: int, figures: Sequence[Quantity]) -> list[str | None]:
    """The year over each figure ("" where none is; None for a figure in the row's label).

    By column where marks part them; else by order, from the second where the row begins with the number of a note.
    """
    mark = _mark_of(line)
    if mark:
        columns = _columns_of(line, begin, figures, mark)
        label = 1 if line.lstrip().startswith(mark) else 0
        if head.mark == mark:
            over = dict(head.columns)
            return [None if column <= label else over.get(column, "") for column in columns]
    extra = len(figures) - len(head.years)
    if extra < 0 or not head.years:
        return [""] * len(figures)
    first = figures[0]
    small = extra > 0 and first.quantum == 1 and first.written[0] < _SMALL
    noted = small and (head.noted or (extra == 1 and figures[1].written[0].copy_abs() >= _SMALL))
    return ["", *head.years, *[""] * (extra - 1)] if noted else [*head.years, *[""] * extra]


def _years_beside(members: Sequence[Quantity]) -> list[str | None]:
    """In a sentence, the year that is named between a figure and the next, or before each where years and figures take turns."""
    kinds = [member.kind == "date" if member.kind not in _RECKONED or not member.written else None for member in members]
    if len(kinds) > 1 and kinds == [True, None] * (len(kinds) // 2):
        return [str(member.value)[:4] for member in members[::2]]
    years: list[str | None] = []
    for member in members:
        if member.kind in _RECKONED and member.written:
            years.append("")
        elif years and not years[-1] and member.kind == "date":
            years[-1] = str(member.value)[:4]
    return years


_SMALL = Decimal(100)


def cell_of(quantity: Quantity, text: str, year: str = "", shares: bool = False) -> Cell | None:
    """The quantity to reckon with; None if it is none, or of a size that no sum is made of."""
    if quantity.kind not in _RECKONED or not quantity.written:
        return None
    dimension, value = quantity.readings[0] if quantity.readings else ("n", quantity.written[0])
    if not isinstance(value, Decimal) or (value and not -12 < value.adjusted() < 18):
        return None
    if dimension == "n":
        dimension = "percent" if shares and quantity.open else "open" if quantity.open else "n"
    shown = " ".join(text[quantity.start : quantity.end].split())
    return Cell(float(value), dimension, shown, year, quantity.scale != 1, quantity.start, period_of(rate_of(quantity, text)))


def words_of(lower: str) -> frozenset[str]:
    """What a text is about: its words of three letters and more without the plural's "s", but the very frequent ones."""
    return frozenset([word[:-1] if word[-1] == "s" else word for word in _WORD.findall(lower) if word not in FUNCTION_WORDS["en"]])
