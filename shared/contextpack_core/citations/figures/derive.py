"""Arithmetic that explains a figure: sums, differences, changes, shares, ratios, means and products of figures that are cited."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from decimal import Decimal
from itertools import combinations
from typing import NamedTuple

from contextpack_core.citations.figures.quantity import Key, Quantity
from contextpack_core.citations.figures.rows import Cell, Row, words_of
from contextpack_core.citations.figures.tables import EXACT, SHARED_SIGNS
from contextpack_core.patterns import pattern


class Rows:
    """The rows of the passages that a claim cites, and the totals of their columns, made once for all figures that ask for them."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = rows
        self._asked: tuple[frozenset[str], tuple[str, ...]] | None = None
        self._made: list[tuple[str, Result]] = []
        self._left: Iterator[tuple[str, Result]] = iter(())

    def columns(self, asked: frozenset[str], totals: tuple[str, ...]) -> Iterator[tuple[str, Result]]:
        """The totals of neighbouring rows under the years that are asked about; those made last are kept."""
        if len(self.rows) > _MOST_KEPT:
            yield from _columns(self.rows, asked, totals)
            return
        if self._asked != (asked, totals):
            self._asked, self._made, self._left = (asked, totals), [], _columns(self.rows, asked, totals)
        yield from self._made
        for result in self._left:
            self._made.append(result)
            yield result


_MOST_KEPT = 500
"""Of more rows the totals would take too much memory."""


class Result(NamedTuple):
    """What an operation gives. ``turned`` is the arithmetic for the opposite sign, where the order of the operands decides it.

    ``moves`` is 1 for a rise and -1 for a fall, 0 where it cannot be told; ``period`` is what the operands are per.
    """

    value: float
    dimension: str
    text: str
    scaled: bool
    turned: str = ""
    moves: int = 0
    period: str = ""


def derive(
    claim: Quantity,
    text: str,
    question: str,
    read_rows: Callable[[], Rows],
    scales: Sequence[float],
    stated: Sequence[Cell],
    period: str = "",
) -> tuple[str, str] | None:
    """The label and the arithmetic that give the claim's figure; None where none does, or where so many results were tried that one
    would meet it by chance.

    ``stated`` are the other figures of the claim itself: an answer that names its operands is taken at its word first. Then come
    the rows that the claim and the question speak of, with the operations they name, then everything else; the rows are read only
    where an operation is named or more than one figure stated. A figure of d digits
    may be met among the first 10^d / 10 results, so "15" needs an obvious reason and "1,843.7" hardly any.
    ``period`` is what the claim's figure is per ("a year"), if it says so.
    """
    target = _target(claim, text, scales, period)
    if target is None:
        return None
    words = _NO_SUM.sub(" ", f"{text} {question}".lower())
    tried = 0
    for label, result in _attempts(target, words, read_rows, stated):
        met = target.is_met(result)
        if met is None:
            continue
        tried += 1
        if tried > target.patience:
            return None
        if met:
            return label, result.turned if result.turned and (claim.written[0] < 0) != (result.value < 0) else result.text
    return None


_NO_SUM = pattern(r"\b(?:sums? (?:insured|assured)|insured sums?|lump sums?)\b")


def between_dates(claim: Quantity, stated: Sequence[Quantity]) -> tuple[str, str] | None:
    """The arithmetic (and no label) where the claim's duration lies between two of the dates that the claim itself states."""
    if claim.kind != "duration" or not claim.readings:
        return None
    dates = [quantity for quantity in stated if quantity.kind == "date" and len(quantity.readings) > 0]
    for first, last in combinations(dates[:_MOST_CELLS], 2):
        apart = _apart(str(first.value), str(last.value))
        if apart is not None and apart == claim.readings[0]:
            return "", f"{last.surface} − {first.surface}"
    return None


def _apart(first: str, last: str) -> Key | None:
    """Years as months, and days as seconds; None between dates of unlike precision."""
    if len(first) == len(last) == 4 and first.isdecimal() and last.isdecimal():
        return "month", Decimal(12 * abs(int(last) - int(first)))
    try:
        days = date.fromisoformat(last) - date.fromisoformat(first)
    except ValueError:
        return None
    return "time", Decimal(86400 * abs(days.days))


# ---------------------------------------------------------------- what is to be explained


class _Target(NamedTuple):
    variants: tuple[tuple[str, float, float, bool], ...]
    """Dimension, value, half of the last written place, and whether the operands must be without a scale word."""
    patience: int
    relative: bool
    """The claim says "rose by 5 %", which is no difference of percentages."""
    moves: int = 0
    period: str = ""

    def is_met(self, result: Result) -> bool | None:
        """Whether the result is what the claim says; None where it is of another dimension."""
        met = None
        for dimension, value, half, bare in self.variants:
            if not _alike(dimension, result.dimension, self.relative):
                continue
            met = False
            got, wanted = (abs(result.value), abs(value)) if result.turned else (result.value, value)
            if abs(got - wanted) <= half and not (bare and result.scaled):
                return not self._is_denied(result)
        return met

    def _is_denied(self, result: Result) -> bool:
        """Whether the claim says of its figure what the operands do not: a rise where they fall, another span of time."""
        turned = self.moves and result.moves and self.moves != result.moves
        return bool(turned or (self.period and result.period and self.period != result.period))


def _alike(wanted: str, got: str, relative: bool) -> bool:
    if wanted == got or (wanted == "percent" and got == "points" and not relative):
        return True
    if got == "open":
        return wanted not in ("percent", "points")
    if wanted == "n":
        return got not in ("percent", "points")
    return wanted in SHARED_SIGNS.get(got, ()) or got in SHARED_SIGNS.get(wanted, ())


_RELATIVE = pattern(
    r"\b(?:rose|rise[sn]?|rising|fell|fall(?:s|en)?|grew|grows?|grown|increas\w+|decreas\w+|declin\w+|dropp?\w*|gain\w*|jump\w*|up|down|stieg|fiel)\b",
    re.I,
)


_RISES = pattern(
    r"\b(?:rose|rise[sn]?|rising|grew|grow(?:s|n|ing|th)?|increas\w+|climb\w*|gain(?:s|ed)?|surged?|jump(?:s|ed)?|up(?= by| \d)|"
    r"stieg(?:en)?|"
    r"gestiegen|anstieg|wuchs|gewachsen|wachstum|zunahme|zugenommen|erhöht\w*|erhöhung|augment\w+|hausse|aument\w+|creció)\b",
    re.I,
)
_FALLS = pattern(
    r"\b(?:fell|fall(?:s|en|ing)?|declin\w+|decreas\w+|drop(?:s|ped)?|shr[aiu]nk|reduc\w+|down(?= by| \d)|"
    r"sank(?:en)?|gesunken|fiel(?:en)?|"
    r"gefallen|rückgang|abnahme|abgenommen|verringer\w+|baiss\w+|diminu\w+|disminu\w+|cayó)\b",
    re.I,
)


def moves_of(text: str) -> int:
    """1 where the words say that something rose, -1 where they say that it fell, 0 where they say neither or both."""
    return bool(_RISES.search(text)) - bool(_FALLS.search(text))


def _target(claim: Quantity, text: str, scales: Sequence[float], period: str) -> _Target | None:
    if claim.kind not in _EXPLAINED or not claim.written or not claim.readings:
        return None
    value, quantum = claim.written[0], claim.quantum
    if not value or not -12 < value.adjusted() < 18:
        return None
    if claim.bound == "about" and value == value.to_integral_value():
        quantum = max(quantum, Decimal(1).scaleb(min(30, _zeros(value)), EXACT))
    step = quantum or EXACT.scaleb(value.copy_abs(), -4)
    spelled = bool(quantum) and claim.bound != "about" and not any(map(str.isdigit, claim.surface))
    variants = []
    for dimension, base in claim.readings:
        if not isinstance(base, Decimal):
            continue
        half = float(EXACT.multiply(step, claim.factor)) / 2 * (1 + 1e-9)
        if spelled:
            half = 0.0  # "two million" rounds nothing
        if claim.unit == "bp":
            half = float(step) / 200
        variants.append((dimension, float(base), half + abs(float(base)) * 1e-12, False))
        if claim.scale != 1 and dimension not in ("percent", "points"):
            variants += [(dimension, float(base) / scale, half / scale, True) for scale in scales]
    written = max(1, value.adjusted() - step.adjusted() + 1)
    digits = (written + len(value.normalize(EXACT).as_tuple().digits) + 1) // 2
    moves = moves_of(text) if value > 0 else 0
    return _Target(tuple(variants), max(4, min(4000, 10**digits // 10)), bool(_RELATIVE.search(text)), moves, period)


_EXPLAINED = frozenset(["number", "money", "percent", "points", "quantity", "duration", "date"])


def _zeros(value: Decimal) -> int:
    exponent = value.normalize(EXACT).as_tuple().exponent
    return max(0, exponent) if isinstance(exponent, int) else 0


# ---------------------------------------------------------------- what is tried, the likeliest first

# What an answer or its question calls an operation; "*" stands for any ending.
_MOVED = (
    "chang* increas* decreas* growth grew grow* rose rise* rising fell fall* declin* drop* gain* jump* surg* "
    "reduc* improv* up down gestiegen stieg gesunken fiel wuchs zunahme abnahme augment* baiss* diminu* hausse aument* "
    "disminu* crec*"
)
_CUE_WORDS = {
    "change": _MOVED,
    "difference": f"{_MOVED} differ* variance* compar* more less fewer higher lower greater larger smaller gap longer "
    "shorter older younger exceed* between save* saving* extra additional later earlier unterschied* différence* diferencia*",
    "mean": "average* mean durchschnitt* moyenne* promedio",
    "sum": "total* sum combin* together altogether overall all aggregat* both plus insgesamt zusammen summe gesamt* "
    "ensemble juntos suma",
    "share": "percentage_of percent_of per_cent_of %_of as_a_percentage proportion* share* portion* fraction* account* constitut* "
    "represent* margin* ratio out rate anteil part porcentaje",
    "ratio": "ratio* times proportion* per double* tripl* multiple* fold each every twice half average* pro",
    "product": "multipl* times i.e. equal* amount* would comes deposit* discount* tax* fee* each per",
    "rest": "remain* rest other* left without not balance restlich* übrig*",
}
_HAN_CUES = {"change": "增减減", "difference": "增减減差", "mean": "均", "sum": "共合总總", "share": "占"}
_CUES = {
    name: pattern(
        r"(?<![^\W\d_])(?:"
        + "|".join([re.escape(word).replace(r"\*", r"\w*").replace("_", r"\s") for word in words.split()])
        + r")(?![^\W\d_])"
        + (f"|[{_HAN_CUES[name]}]" if name in _HAN_CUES else "")
    )
    for name, words in _CUE_WORDS.items()
}
_BY_KIND = {
    "percent": ("change", "share", "mean", "difference", "sum", "rest"),
    "points": ("difference",),
}
_OTHERWISE = ("sum", "difference", "mean", "ratio", "product")
_MOST_CELLS, _MOST_ROWS, _SMALL = 12, 6, 6
_YEARS = pattern(r"(?<!\d)(?:19|20)\d\d(?!\d)")


def _attempts(target: _Target, words: str, read_rows: Callable[[], Rows], stated: Sequence[Cell]) -> Iterator[tuple[str, Result]]:
    if target.period:
        yield from _by_period(target.period, read_rows().rows)
    usual = _BY_KIND.get(target.variants[0][0], _OTHERWISE)
    cued = [name for name in usual if _CUES[name].search(words)]
    if not cued and len(stated) < 2:
        return
    read = read_rows()
    rows = read.rows
    if not cued:
        yield from _labelled(rows[0].label if rows else "", stated, usual)
        return
    stages = [cued]
    ranked = _ranked(rows, words)
    near = [row for _, row in ranked[:3]]
    asked = _asked(words)
    label = near[0].label if near else rows[0].label if rows else ""
    for stage in stages:
        if len(stated) > 1:
            yield from _labelled(label, stated, stage)
    everything = [cell for row in rows for cell in row.cells]
    for stage in stages:
        if len(everything) <= _SMALL:
            yield from _labelled(label, everything, stage)
            continue
        if len(asked) < 2:
            yield from _across(near, asked, stage)
        for row in near:
            cells = _of_years(row.cells, asked)
            if len(cells) > 1 or stage == ["rest"]:
                yield from _labelled(row.label, cells, stage)
        if len(asked) > 1:
            yield from _across(near, asked, stage)
        for row in near:
            for cell in stated[:4]:
                for other in row.cells[:_MOST_CELLS]:
                    yield from _labelled(row.label, (cell, other), stage)
    for stage in stages:
        for row in near:
            yield from _labelled(row.label, row.cells, stage)
    for stage in stages[:1]:
        if totals := tuple([name for name in stage if name in ("sum", "mean")]):
            yield from read.columns(asked, totals)
        for _, row in ranked[3 : 3 + _MOST_ROWS]:
            yield from _labelled(row.label, _of_years(row.cells, asked), stage)
        yield from _across([row for _, row in ranked[:_MOST_ROWS]], asked, stage)


def _by_period(period: str, rows: Sequence[Row]) -> Iterator[tuple[str, Result]]:
    """What is said per one span of time, for another: 12.50 a month are 150 a year."""
    for row in rows:
        for cell in row.cells:
            if (times := _IN.get((period, cell.period))) is not None:
                yield row.label, Result(cell.value * times, cell.dimension, f"{times} × {cell.text}", cell.scaled, period=period)
            elif (parts := _IN.get((cell.period, period))) is not None:
                yield row.label, Result(cell.value / parts, cell.dimension, f"{cell.text} / {parts}", cell.scaled, period=period)


_IN = {
    ("year", "month"): 12, ("year", "quarter"): 4, ("year", "week"): 52, ("year", "day"): 365, ("quarter", "month"): 3,
    ("week", "day"): 7, ("day", "hour"): 24, ("hour", "minute"): 60, ("minute", "second"): 60,
}  # fmt: skip
_YEAR_RANGE = pattern(r"(?<!\d)((?:19|20)\d\d)\s?(?:to|through|-|–)\s?((?:19|20)\d\d)(?!\d)")


def _asked(words: str) -> frozenset[str]:
    """The years that claim or question name, and those inside a range that they name."""
    years = set(_YEARS.findall(words))
    for match in _YEAR_RANGE.finditer(words):
        first, last = sorted((int(match[1]), int(match[2])))
        years.update([str(year) for year in range(first, min(last, first + 20) + 1)])
    return frozenset(years)


def _ranked(rows: Sequence[Row], words: str) -> list[tuple[float, Row]]:
    """The rows by how much they speak of what is asked; a word that many rows have says little. Ties keep the text's order."""
    topic = words_of(words)
    counts: dict[str, int] = {}
    shared = []
    for row in rows:
        common = row.words & topic
        shared.append(common)
        for word in common:
            counts[word] = counts.get(word, 0) + 1
    scored = [
        (sum([1 / counts[word] for word in sorted(common)]) / (1 + len(row.words - common) / 20), -index, row)
        for index, (row, common) in enumerate(zip(rows, shared, strict=True))
    ]
    scored.sort(key=lambda entry: (-entry[0], -entry[1]))
    return [(score, row) for score, _, row in scored]


def _of_years(cells: tuple[Cell, ...], asked: frozenset[str]) -> tuple[Cell, ...]:
    """The cells of the years that are asked about, if they have at least two (or all are of one year)."""
    chosen = tuple([cell for cell in cells if cell.year in asked]) if asked else ()
    return chosen if len(chosen) > 1 else cells


def _labelled(label: str, cells: Sequence[Cell], stage: Sequence[str]) -> Iterator[tuple[str, Result]]:
    for name in stage:
        for result in _OPERATIONS[name](cells[:_MOST_CELLS]):
            yield label, result


def _across(rows: Sequence[Row], asked: frozenset[str], stage: Sequence[str]) -> Iterator[tuple[str, Result]]:
    """Figures of one column in two rows, and their sums and means in three."""
    for size in (2, 3):
        names = [name for name in stage if size == 2 or name in ("sum", "mean")]
        for chosen in combinations(rows, size):
            for cells in _same_column(chosen, asked):
                yield from _labelled(chosen[0].label, cells, names)


def _same_column(rows: Sequence[Row], asked: frozenset[str]) -> list[tuple[Cell, ...]]:
    """What stands in one column of these rows: under one year, those asked about alone; without years, counted from the right."""
    by_year = [{cell.year: cell for cell in row.cells if cell.year} for row in rows]
    shared = [year for year in by_year[0] if all(year in cells for cells in by_year)]
    if shared:
        wanted = [year for year in shared if year in asked] or shared
        return [tuple([cells[year] for cells in by_year]) for year in wanted]
    width = min(min(len(row.cells) for row in rows), _MOST_CELLS)
    return [tuple([row.cells[-column] for row in rows]) for column in range(width, 0, -1)]


def _columns(rows: Sequence[Row], asked: frozenset[str], totals: Sequence[str]) -> Iterator[tuple[str, Result]]:
    """Sums and means of neighbouring rows in one column."""
    for start in range(len(rows) - 1):
        for stop in range(start + 2, min(len(rows), start + 12) + 1):
            chosen = rows[start:stop]
            width = min(len(row.cells) for row in chosen)
            if len({len(row.cells) for row in chosen}) > 1 or not width:
                break
            for column in range(min(width, 4)):
                if asked and chosen[0].cells[column].year and chosen[0].cells[column].year not in asked:
                    continue
                cells = [row.cells[column] for row in chosen]
                for name in totals:
                    if (result := _total(cells, name)) is not None:
                        yield chosen[0].label, result


# ---------------------------------------------------------------- operations


def _common(cells: Sequence[Cell]) -> str | None:
    """The dimension that all share; a bare number goes with any."""
    dimension = "open"
    for cell in cells:
        other = cell.dimension
        if other == dimension or other == "open":
            continue
        if dimension == "open" or other in SHARED_SIGNS.get(dimension, ()):
            dimension = other
        elif dimension not in SHARED_SIGNS.get(other, ()):
            return None
    return dimension


def _pairs(cells: Sequence[Cell]) -> Iterator[tuple[Cell, Cell, str]]:
    for left, right in combinations(cells, 2):
        dimension = _common((left, right))
        if dimension is not None and left.text != right.text:
            yield left, right, dimension


def _scaled(*cells: Cell) -> bool:
    return any(cell.scaled for cell in cells)


def _sums(cells: Sequence[Cell]) -> Iterator[Result]:
    yield from _totals(cells, "sum")
    for left, right in combinations(cells, 2):  # with the tax on top
        for amount, share in ((left, right), (right, left)):
            if share.dimension == "percent" and amount.dimension not in ("percent", "points", "n", "open"):
                total = amount.value * (100 + share.value) / 100
                yield Result(total, amount.dimension, f"{amount.text} + {amount.text} × {share.text}", amount.scaled)


def _means(cells: Sequence[Cell]) -> Iterator[Result]:
    yield from _totals(cells, "mean")


def _totals(cells: Sequence[Cell], name: str) -> Iterator[Result]:
    """All cells, every two, and every run of neighbours."""
    runs: list[Sequence[Cell]] = [cells] if len(cells) > 1 else []
    runs += [list(pair) for pair in combinations(cells, 2)] if len(cells) > 2 else []
    runs += [
        cells[start:stop] for size in range(3, len(cells)) for start in range(len(cells) - size + 1) for stop in (start + size,)
    ]
    for run in runs:
        if len(run) == 2 and run[0].text == run[1].text:
            continue
        if (result := _total(run, name)) is not None:
            yield result


def _total(cells: Sequence[Cell], name: str) -> Result | None:
    dimension = _common(cells)
    periods = {cell.period for cell in cells if cell.period}
    if dimension is None or len(periods) > 1:
        return None
    period = next(iter(periods), "")
    total = sum([cell.value for cell in cells])
    shown = " + ".join([cell.text for cell in cells])
    if name == "sum":
        return Result(total, dimension, shown, _scaled(*cells), period=period)
    return Result(total / len(cells), dimension, f"({shown}) / {len(cells)}", _scaled(*cells), period=period)


def _differences(cells: Sequence[Cell]) -> Iterator[Result]:
    for left, right, dimension in _pairs(cells):
        high, low = (left, right) if left.value >= right.value else (right, left)
        kind = "points" if dimension == "percent" else dimension
        later = high.year >= low.year
        moves = _moves(*((high, low) if later else (low, high))) if high.year and low.year else 0
        shown, turned = f"{high.text} − {low.text}", f"{low.text} − {high.text}"
        yield Result(high.value - low.value, kind, shown, _scaled(left, right), turned, moves)


def _changes(cells: Sequence[Cell]) -> Iterator[Result]:
    for left, right, dimension in _pairs(cells):
        if dimension in ("percent", "points"):
            continue
        for new, old in ((left, right), (right, left)):
            if old.value:
                share = (new.value - old.value) / abs(old.value) * 100
                up, down = f"({new.text} − {old.text}) / {old.text}", f"({old.text} − {new.text}) / {old.text}"
                moves = _moves(new, old) if new.year > old.year or not (new.year and old.year) else _NEITHER
                yield Result(share, "percent", up, True, down, moves)


_NEITHER = 2
"""Of a change whose base is the later year, or of two rows of a table: it is neither a rise nor a fall."""


def _moves(new: Cell, old: Cell) -> int:
    """1 if the new value is above the old one, else -1; of two losses the larger one is the lower value."""
    if new.row >= 0 and old.row >= 0 and new.row != old.row:
        return _NEITHER
    up = abs(new.value) > abs(old.value) if new.value < 0 and old.value < 0 else new.value > old.value
    return 1 if up else -1


def _shares(cells: Sequence[Cell]) -> Iterator[Result]:
    for left, right, _ in _pairs(cells):
        for part, whole in ((left, right), (right, left)):
            if whole.value:
                yield Result(part.value / whole.value * 100, "percent", how := f"{part.text} / {whole.text}", True, how)


def _ratios(cells: Sequence[Cell]) -> Iterator[Result]:
    for left, right in combinations(cells, 2):
        for part, whole in ((left, right), (right, left)):
            if not whole.value or part.text == whole.text or whole.dimension in ("percent", "points"):
                continue
            same = _common((part, whole)) is not None
            dimension = "n" if same else part.dimension
            if same or whole.dimension in ("n", "open"):
                yield Result(part.value / whole.value, dimension, how := f"{part.text} / {whole.text}", True, how)


def _products(cells: Sequence[Cell]) -> Iterator[Result]:
    for left, right in combinations(cells, 2):
        for amount, factor in ((left, right), (right, left)):
            if factor.dimension == "percent" and amount.dimension not in ("percent", "points"):
                share = amount.value * factor.value / 100
                yield Result(share, amount.dimension, f"{amount.text} × {factor.text}", amount.scaled)
                yield Result(
                    amount.value - share, amount.dimension, f"{amount.text} − {amount.text} × {factor.text}", amount.scaled
                )
                yield Result(
                    amount.value + share, amount.dimension, f"{amount.text} + {amount.text} × {factor.text}", amount.scaled
                )
            elif factor.dimension in ("n", "open") and amount.dimension not in ("percent", "points"):
                yield Result(amount.value * factor.value, amount.dimension, f"{factor.text} × {amount.text}", True)
                if amount.dimension == factor.dimension:
                    break


def _rests(cells: Sequence[Cell]) -> Iterator[Result]:
    shares = [cell for cell in cells if cell.dimension == "percent"]
    for cell in shares:
        yield Result(100 - cell.value, "percent", f"100 % − {cell.text}", True)
    if len(shares) > 1:
        yield Result(
            100 - sum([cell.value for cell in shares]), "percent", "100 % − " + " − ".join([cell.text for cell in shares]), True
        )


_OPERATIONS: dict[str, Callable[[Sequence[Cell]], Iterator[Result]]] = {
    "sum": _sums,
    "mean": _means,
    "difference": _differences,
    "change": _changes,
    "share": _shares,
    "ratio": _ratios,
    "product": _products,
    "rest": _rests,
}
