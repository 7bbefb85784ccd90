"""Whether a figure that stands in a passage stands there for the same thing: another row's, another year's, or its neighbour's."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from contextpack_core.citations.figures.quantity import Quantity
from contextpack_core.citations.figures.rows import Line, lines_of, words_of
from contextpack_core.citations.figures.tables import FUNCTION_WORDS
from contextpack_core.patterns import pattern

# Wrongly accusing a right answer is worse here than missing a wrong one: figures are only taken to be another's where the
# passage says in the claim's own words what this one's is.


def belongs_elsewhere(claim: str, at: int, figure: Quantity, found: Quantity, passage: str, locale: str | None) -> Quantity | None:
    """The figure that the passage gives in the claim's own words, where the one that the claim gives stands with other words.

    ``at`` is where the claim begins in the answer, ``found`` the place where its figure was met.
    """
    rows = lines_of(passage, locale)
    home = _row_at(rows, found.start)
    if home is None:
        return None
    # Three ways to tell, the plainest first: a table's row of another name, another part of the sentence, another sentence.
    if (
        other := _of_another_label(claim, found, home, passage, locale)
        or _of_another_part(claim, found, home, rows, passage, locale)
    ) is not None:
        return other
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


def _row_at(rows: Sequence[Line], at: int) -> Line | None:
    for row in rows:
        if row.start <= at < row.end:
            return row
    return None


def _comparable(quantity: Quantity, other: Quantity) -> bool:
    return quantity.kind == other.kind and quantity.unit == other.unit


# ---------------------------------------------------------------- another line of a Markdown table


def _of_another_label(claim: str, found: Quantity, home: Line, passage: str, locale: str | None) -> Quantity | None:
    """The figure in the same column of the one row that the claim names, where its figure stands in a row that it does not name."""
    if not _is_line(home, passage):
        return None
    column = passage.count("|", home.start, found.start)
    lower, named = claim.lower(), None
    for label, row in _labels(passage, locale):
        if label in lower and _is_word(label, lower):
            if row is home or named is not None:
                return None
            named = row
    if named is None:
        return None
    for quantity in named.quantities:
        if quantity.kind == found.kind and passage.count("|", named.start, quantity.start) == column:
            return None if quantity.value == found.value else quantity
    return None


@lru_cache(maxsize=64)
def _labels(passage: str, locale: str | None) -> tuple[tuple[str, Line], ...]:
    """What the lines of Markdown tables are called: their first cells, without markup; none for figures."""
    lines = [row for row in lines_of(passage, locale) if _is_line(row, passage)]
    named = [(passage[row.start : row.end].strip().strip("|").split("|")[0].strip("*_` ").lower(), row) for row in lines]
    return tuple([(label, row) for label, row in named if any(map(str.isalpha, label))])


def _is_line(row: Line, passage: str) -> bool:
    """Whether the row is a line of a Markdown table, with two cells and more."""
    line = passage[row.start : row.end].strip()
    return line.startswith("|") and line.count("|", 1, -1) > 0


def _is_word(word: str, text: str) -> bool:
    """Whether the text has the word as a whole one, at its first place."""
    at = text.find(word)
    return not (text[at - 1 : at].isalnum() or text[at + len(word) : at + len(word) + 1].isalnum())


# ---------------------------------------------------------------- another part of the sentence


def _of_another_part(
    claim: str, found: Quantity, home: Line, rows: Sequence[Line], passage: str, locale: str | None
) -> Quantity | None:
    """The figure of the part of the sentence that the claim speaks of, where its own stands in another: "6 euros for A, 8 for B".

    The claim has all words that only the one part has, and lacks one that only the other has.
    """
    parts = _parts(passage, locale, home.start)
    mine = next((part for part in parts if any(q.start == found.start for q in part.figures)), None)
    if mine is None or not mine.only or any(q.value == found.value for part in parts if part is not mine for q in part.figures):
        return None
    if any(q.value == found.value for row in rows if row is not home for q in row.quantities):
        return None
    topic = _content(claim)
    if mine.only <= topic:
        return None
    for part in parts:
        same = [quantity for quantity in part.figures if _is_rival(quantity, found, passage)]
        if same and part.only and part.only <= topic and part is not mine:
            return same[0]
    return None


def _is_rival(quantity: Quantity, found: Quantity, passage: str) -> bool:
    """Whether two figures are of one kind; numbers without a unit are if they count the same."""
    if quantity.kind != found.kind or found.kind != "number":
        return quantity.kind == found.kind
    behind = [_COUNTED.match(passage, q.end) for q in (quantity, found)]
    return bool(behind[0] and behind[1] and behind[0][1].lower() == behind[1][1].lower())


_COUNTED = pattern(r" ([^\W\d_]+)")


class _Part(NamedTuple):
    """The figures of a part of a sentence, and the words that no other part has."""

    figures: tuple[Quantity, ...]
    only: frozenset[str]


_MOST_PARTS = 8
_AND = pattern(r"\b(?:and|while|whereas|but|or|und|oder|während|aber|et|mais|y|mientras)\b", re.I)


@lru_cache(maxsize=512)
def _parts(passage: str, locale: str | None, start: int) -> tuple[_Part, ...]:
    """The row that begins at ``start``, cut at the last comma between two of its figures, else at the last "and"; empty if one."""
    home = _row_at(lines_of(passage, locale), start)
    figures = [q for q in home.quantities if q.kind not in ("date", "time", "identifier", "ordinal")] if home is not None else []
    if home is None or not 1 < len(figures) <= _MOST_PARTS:
        return ()
    found: list[tuple[list[Quantity], frozenset[str]]] = []
    begin, members = home.start, [figures[0]]
    for left, right in pairwise(figures):
        gap = passage[left.end : right.start]
        cut = max(gap.rfind(","), gap.rfind(";"))
        if cut < 0:
            cut = max((match.start() for match in _AND.finditer(gap)), default=-1)
        if cut >= 0 and right.side != _SECOND:
            found.append((members, _words_of(members, passage, begin, left.end + cut)))
            begin, members = left.end + cut, []
        members.append(right)
    found.append((members, _words_of(members, passage, begin, home.end)))
    if len(found) < 2:
        return ()
    return tuple(
        [
            _Part(tuple(members), words.difference(*[other for at, (_, other) in enumerate(found) if at != i]))
            for i, (members, words) in enumerate(found)
        ]
    )


_SECOND = 2


def _words_of(members: Sequence[Quantity], passage: str, begin: int, end: int) -> frozenset[str]:
    """The words of a part without its figures."""
    text, at = [], begin
    for quantity in members:
        text.append(passage[at : quantity.start])
        at = quantity.end
    return _content(" ".join([*text, passage[at:end]]))


def _content(text: str) -> frozenset[str]:
    return words_of(text.lower()) - _JOINING


_JOINING = (
    frozenset("and but while whereas those them they their und oder aber während".split())
    | FUNCTION_WORDS["de"]
    | FUNCTION_WORDS["fr"]
)
_YEAR_BEHIND = pattern(r",?\s(?:in|for|during|at the end of|as of)\s(?:fiscal |the year )?((?:19|20)\d\d)(?!\d)")


def _of_another_year(behind: str, found: Quantity, home: Line) -> Quantity | None:
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
    rows = lines_of(passage, locale)
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
    last = text[max(0, quantity.start - at - 6) : quantity.start - at].split()
    ends = [f"{last[-1].lower()} it"] if last and last[-1].lower() in _ENDS else []  # rose from 4 to 5
    words = [word if len(word) == 1 else word.lower().rstrip("s") for word in _TOKEN.findall(near)]
    dates = [str(other.value) for other in quantities if other.kind == "date" and text[other.start - at : other.end - at] in near]
    return frozenset([word for word in words if word not in FUNCTION_WORDS["en"]] + dates + ends)


_ENDS = frozenset("from to von auf de à a".split())
