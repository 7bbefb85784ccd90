"""Whether a figure that stands in a passage stands there for the same thing: another row's, another year's, or its neighbour's."""

from __future__ import annotations

import re
from collections.abc import Sequence

from contextpack_core.citations.figures.quantity import Quantity
from contextpack_core.citations.figures.rows import Row, rows_of, words_of
from contextpack_core.citations.figures.tables import FUNCTION_WORDS
from contextpack_core.patterns import pattern

# Wrongly accusing a right answer is worse here than missing a wrong one: figures are only taken to be another's where the
# passage says in the claim's own words what this one's is.


def belongs_elsewhere(claim: str, at: int, figure: Quantity, found: Quantity, passage: str, locale: str | None) -> Quantity | None:
    """The figure that the passage gives in the claim's own words, where the one that the claim gives stands with other words.

    ``at`` is where the claim begins in the answer, ``found`` the place where its figure was met.
    """
    rows = rows_of(passage, "", locale)
    home = _row_at(rows, found.start)
    if home is None:
        return None
    if (other := _of_another_year(claim[figure.end - at :], found, home)) is not None:
        return other
    topic = words_of((claim[: figure.start - at] + " " + claim[figure.end - at :]).lower())
    if len(topic) < 2 or topic <= home.words or _ANAPHORA.match(passage, home.start) is not None:
        return None
    rival = None
    for row in rows:
        if row is home or not topic <= row.words:
            continue
        same = [quantity for quantity in row.quantities if _comparable(quantity, found)]
        if not same or any(quantity.value == found.value for quantity in same):
            return None
        rival = rival or (row, same[0])
    if rival is None:
        return None
    told_apart = home.words - topic and ((home.tabular and rival[0].tabular) or topic & home.words)
    return rival[1] if told_apart else None


_ANAPHORA = pattern(r"[\s*•-]*(?:It|This|These|Those|They|That|He|She|Which|Both|Thereafter|Otherwise|Then)\b", re.I)


def _row_at(rows: Sequence[Row], at: int) -> Row | None:
    for row in rows:
        if row.start <= at < row.end:
            return row
    return None


def _comparable(quantity: Quantity, other: Quantity) -> bool:
    return quantity.kind == other.kind and quantity.unit == other.unit


_YEAR_BEHIND = pattern(r",?\s(?:in|for|during|at the end of|as of)\s(?:fiscal |the year )?((?:19|20)\d\d)(?!\d)")


def _of_another_year(behind: str, found: Quantity, home: Row) -> Quantity | None:
    """The figure of the year that the claim names right behind its own, where the table has its own under another year."""
    match = _YEAR_BEHIND.match(behind)
    if match is None or not any(cell.year == match[1] for cell in home.cells):
        return None
    mine = next((cell for cell in home.cells if cell.start == found.start), None)
    right = next(cell for cell in home.cells if cell.year == match[1])  # there is one
    if mine is None or not mine.year or mine.year == match[1] or mine.value == right.value:
        return None
    return next((quantity for quantity in home.quantities if quantity.start == right.start), None)


# ---------------------------------------------------------------- figures that changed places

_SPLIT = pattern(
    r"[,;，、；|\n]|\b(?:and|while|whereas|but|or|compared|versus|vs|from|to|against|und|während|et|tandis|y|mientras)\b"
)
_TOKEN = pattern(r"[^\W\d_]+")


def have_changed_places(
    claim: str,
    at: int,
    figures: Sequence[Quantity],
    pair: tuple[int, int],
    passage: str,
    found: tuple[Quantity, Quantity],
    locale: str | None,
) -> bool:
    """Whether two figures of a claim stand in the passage each with the words that the claim gives the other."""
    rows = rows_of(passage, "", locale)
    homes = [row for quantity in found if (row := _row_at(rows, quantity.start)) is not None]
    if len(homes) < 2 or found[0].start == found[1].start:
        return False
    contexts = [_context(claim, at, figures, figures[index]) for index in pair]
    for home, quantity in zip(homes, found, strict=True):
        contexts.append(_context(passage[home.start : home.end], home.start, home.quantities, quantity))
    if not all(contexts):
        return False
    mine, theirs = contexts[:2], contexts[2:]
    only = [theirs[0] - theirs[1], theirs[1] - theirs[0]]
    crossed = mine[0] & only[1] and mine[1] & only[0]
    return bool(crossed) and not mine[0] & only[0] and not mine[1] & only[1]


def _context(text: str, at: int, quantities: Sequence[Quantity], quantity: Quantity) -> frozenset[str]:
    """The words and dates between a figure and its neighbours, up to the nearest comma or "and" on either side.

    Of what stands in the text as a date there are none: a number that a year in brackets was taken for.
    """
    figures = [other for other in quantities if other.kind not in ("date", "time", "identifier")]
    index = next((i for i, other in enumerate(figures) if other.start == quantity.start), None)
    if index is None:
        return frozenset()
    left_edge = figures[index - 1].end - at if index else 0
    right_edge = figures[index + 1].start - at if index + 1 < len(figures) else len(text)
    left = text[left_edge : quantity.start - at]
    right = text[quantity.end - at : right_edge]
    if index:
        left = _SPLIT.split(left)[-1]
    if index + 1 < len(figures):
        right = _SPLIT.split(right)[0]
    near = f"{left} {right}"
    words = [word if len(word) == 1 else word.lower().rstrip("s") for word in _TOKEN.findall(near)]
    dates = [str(other.value) for other in quantities if other.kind == "date" and text[other.start - at : other.end - at] in near]
    return frozenset([word for word in words if word not in FUNCTION_WORDS["en"]] + dates)
