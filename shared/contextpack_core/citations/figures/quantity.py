"""A figure as it was read: every reading in the base of its dimension, and what the words around say of it."""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple

Key = tuple[str, Decimal | str]
"""A dimension and a value in its base; equal keys are equal quantities."""


class Quantity(NamedTuple):
    """A figure as it was read.

    ``value`` is as written, scale words multiplied in; ``scale`` is what they multiply by. Every one of ``readings`` is meant; of
    ``doubtful`` only one is, and it cannot be told which. ``written`` are the values without a unit. ``quantum`` is the size of the
    last written place, and ``factor`` what turns value and quantum into the dimension's base. ``bound`` says how the words around
    loosen it. An ``open`` number names nothing that it counts, so its unit may stand elsewhere (a table's head). ``side`` is 1 or 2
    for the first and the second end of a range. ``surface`` are the digits: equal spellings mean the same, however they are read.
    """

    start: int
    end: int
    kind: str
    value: Decimal | str
    unit: str | None = None
    readings: tuple[Key, ...] = ()
    doubtful: tuple[Key, ...] = ()
    written: tuple[Decimal, ...] = ()
    factor: Decimal = Decimal(1)
    quantum: Decimal = Decimal(0)
    bound: str = ""
    open: bool = False
    scale: Decimal = Decimal(1)
    side: int = 0
    surface: str = ""
