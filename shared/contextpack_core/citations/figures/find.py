"""The figures of a text as values to show: what is written where, of which kind, and its value."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

from contextpack_core.citations.figures.quantity import Quantity
from contextpack_core.citations.figures.scan import scan
from contextpack_core.citations.values import Figure
from contextpack_core.values import Span


def find_figures(text: str, locale: str | None = None) -> tuple[Figure, ...]:
    """The figures of a text, in order: numbers, amounts, percentages, dates, times, durations and other quantities.

    ``locale`` (``de``, ``en-US``) decides what the text itself leaves open: decimal marks, the order of numeric dates.
    Citation marks, list numbers and code are no figures; names that hold digits are, exempt, of kind ``identifier``.
    """
    return tuple([figure_of(quantity, text) for quantity in scan(text, locale, True)])


def figure_of(quantity: Quantity, text: str, **verdict: Any) -> Figure:
    """The figure to show for a quantity; a whole date as a ``date``, unless no calendar has it. ``verdict`` are further fields."""
    span = Span(quantity.start, quantity.end)
    value: Decimal | date | str = quantity.value
    if quantity.kind == "date" and isinstance(value, str) and len(value) == 10:
        try:
            value = date.fromisoformat(value)
        except ValueError:
            value = quantity.value
    verdict.setdefault("exempt", quantity.kind == "identifier")
    return Figure(text[span.start : span.end], span, quantity.kind, value, quantity.unit, **verdict)
