"""Made-up report pages with tables and prose, questions about them, right answers, and answers made wrong on purpose."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

LABELS = (
    "Net sales|Cost of sales|Gross profit|Research and development|Selling, general and administrative|"
    "Operating income|Interest expense|Other income, net|Income before income taxes|Provision for income taxes|"
    "Net income|Cash and cash equivalents|Accounts receivable|Inventories|Prepaid expenses|Total current assets|"
    "Property and equipment|Goodwill|Intangible assets|Deferred revenue|Accrued liabilities|Long-term debt|"
    "Depreciation and amortization|Stock-based compensation|Capital expenditures|Americas|Europe|Asia Pacific|"
    "Software|Services|Hardware|Subscription|Licenses|Maintenance|Domestic|Foreign|Service cost|Interest cost|"
    "Expected return on plan assets"
).split("|")


@dataclass(frozen=True)
class Sample:
    """A page, a question about it, its right answer, and what kind of answer it is."""

    page: str
    question: str
    answer: str
    kind: str


def samples(seed: int, count: int) -> Iterator[Sample]:
    """``count`` samples, the same for the same seed."""
    pick = random.Random(seed)
    for _ in range(count):
        yield _sample(pick)


def _sample(pick: random.Random) -> Sample:
    years = [str(year) for year in range(2019, 2019 - pick.choice((2, 3, 3)), -1)]
    scale = pick.choice(("thousand", "million", "million", ""))
    digits = pick.choice((3, 4, 5, 6))
    decimals = pick.choice((0, 0, 0, 1))
    names = pick.sample(LABELS, pick.randint(5, 16))
    table = {name: [_value(pick, digits, decimals) for _ in years] for name in names}
    page = _page(pick, years, scale, table, decimals)
    question, answer, kind = _question(pick, years, scale, table, decimals)
    return Sample(page, question, answer, kind)


def _value(pick: random.Random, digits: int, decimals: int) -> float:
    value = round(pick.uniform(10 ** (digits - 1), 10**digits), decimals)
    return -value if pick.random() < 0.08 else value


def _shown(value: float, decimals: int, dollar: str = "") -> str:
    text = f"{dollar}{abs(value):,.{decimals}f}"
    return f"({text})" if value < 0 else text


def _page(pick: random.Random, years: list[str], scale: str, table: dict[str, list[float]], decimals: int) -> str:
    glue = pick.choice((" | ", "\t", "  ", " "))
    note = pick.choice(_NOTES[scale])
    head = pick.choice(("Years ended December 31,", "Fiscal year ended June 30,", "As of December 31,", ""))
    notes, changes = pick.random() < 0.2, pick.random() < 0.2
    names = [pick.choice(("", "Fiscal ")) + year for year in years] if pick.random() < 0.3 else years
    lines = [
        f"{head} {note}".strip(),
        glue.join([*([""] if glue != " " else []), *(["Note"] if notes else []), *names, *(["Change"] if changes else [])]),
    ]
    for row, (name, values) in enumerate(table.items()):
        dollar = "$ " if row == 0 or pick.random() < 0.1 else ""
        cells = [_shown(value, decimals, dollar) for value in values]
        change = [f"{(values[0] - values[1]) / abs(values[1]) * 100:.0f}%"] if changes else []
        lines.append(glue.join([name, *([str(pick.randint(1, 30))] if notes else []), *cells, *change]))
    name, values = pick.choice(list(table.items()))
    unit = f" {scale}" if scale else ""
    prose = (
        f"{name} was ${_shown(abs(values[0]), decimals)}{unit} in {years[0]}, "
        f"compared with ${_shown(abs(values[1]), decimals)}{unit} in {years[1]}. "
        f"The effective tax rate was {pick.uniform(15, 35):.1f}% in {years[0]} and {pick.uniform(15, 35):.1f}% in {years[1]}. "
        f"We had {pick.randint(1000, 90000):,} employees in {pick.randint(3, 60)} countries."
    )
    return "\n".join([*lines, "", prose])


_NOTES = {
    "thousand": ("(in thousands)", "$'000", "(dollars in thousands)", "(US$ thousands)"),
    "million": ("(in millions)", "(dollars in millions)", "($ in millions)", "$m", "€ million"),
    "": ("(in dollars)", ""),
}


def _question(
    pick: random.Random, years: list[str], scale: str, table: dict[str, list[float]], decimals: int
) -> tuple[str, str, str]:
    kind = pick.choice(("span", "change", "percent", "mean", "sum", "ratio", "share", "years", "gap"))
    name, values = pick.choice(list(table.items()))
    other, others = pick.choice([pair for pair in table.items() if pair[0] != name])
    at = pick.randrange(len(years) - 1)
    year, before = years[at], years[at + 1]
    new, old = values[at], values[at + 1]
    unit = f" {scale}" if scale else ""
    if pick.random() < 0.5:
        name, other = _paraphrased(pick, name), _paraphrased(pick, other)
    if kind == "span":
        return f"What was the {name.lower()} in {year}?", f"{_shown(new, decimals)}{unit}", kind
    if kind == "change":
        return f"What is the change in {name} between {before} and {year}?", f"{_plain(new - old, decimals)}{unit}", kind
    if kind == "percent":
        return (
            f"What is the percentage change in {name} from {before} to {year}?",
            f"{_plain((new - old) / abs(old) * 100, 2)}%",
            kind,
        )
    if kind == "mean":
        chosen = values if pick.random() < 0.5 else [new, old]
        span = f"for {years[0]}, {' and '.join(years[1:])}" if len(chosen) == len(values) else f"between {before} and {year}"
        return f"What is the average {name} {span}?", f"{_plain(sum(chosen) / len(chosen), 2)}{unit}", kind
    if kind == "sum":
        return f"What is the total {name} and {other} in {year}?", f"{_plain(new + others[at], decimals)}{unit}", kind
    if kind == "ratio":
        return f"What is the ratio of {name} to {other} in {year}?", _plain(new / others[at], 2), kind
    if kind == "share":
        return f"What is the {name} as a percentage of {other} in {year}?", f"{_plain(new / others[at] * 100, 2)}%", kind
    if kind == "years":
        return f"What is the total {name} for the years {years[-1]} to {years[0]}?", f"{_plain(sum(values), decimals)}{unit}", kind
    return f"How much did {name} differ from {other} in {year}?", f"{_plain(abs(new - others[at]), decimals)}{unit}", kind


def _paraphrased(pick: random.Random, name: str) -> str:
    """The row's name as someone asks for it: in lower case, perhaps without one of its words."""
    words = name.lower().split()
    if len(words) > 2:
        del words[pick.randrange(len(words))]
    return "the " + " ".join(words)


def _plain(value: float, decimals: int) -> str:
    text = f"{value:.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


# ---------------------------------------------------------------- wrong answers

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_OTHER_SCALE = {"thousand": "million", "million": "billion"}


def wrong(sample: Sample, pick: random.Random) -> dict[str, str]:
    """The answer with its number ten times as large, with two digits swapped, and with another scale; only real changes."""
    made = {}
    match = _NUMBER.search(sample.answer)
    assert match is not None
    digits = match[0].replace(",", "")
    head, _, tail = digits.partition(".")
    larger = head + (tail[0] if tail else "0") + (f".{tail[1:]}" if len(tail) > 1 else "")
    made["ten times"] = sample.answer[: match.start()] + larger + sample.answer[match.end() :]
    places = [
        i
        for i in range(len(digits) - 1)
        if digits[i] != digits[i + 1] and "." not in digits[i : i + 2] and not (i == 0 and digits[1] == "0")
    ]
    if places:
        at = pick.choice(places)
        swapped = digits[:at] + digits[at + 1] + digits[at] + digits[at + 2 :]
        made["digits"] = sample.answer[: match.start()] + swapped + sample.answer[match.end() :]
    for word, other in _OTHER_SCALE.items():
        if word in sample.answer:
            made["scale"] = sample.answer.replace(word, other)
    if "%" in sample.answer:
        made["scale"] = sample.answer.replace("%", " basis points")
    return made
