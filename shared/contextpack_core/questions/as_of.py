"""Reads from a question the day it asks about, and whether it asks about a change."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from contextpack_core.dates import bare
from contextpack_core.questions.changes import Change, change_asked
from contextpack_core.questions.periods import Period, find_periods
from contextpack_core.questions.roles import asks_about_now

_LONGEST = 4000


@dataclass(frozen=True, slots=True)
class Question:
    """What a question says about time. ``text`` is the question as ``bare`` makes it, without the dates that it does not ask about;
    ``today`` is the day from which it counts, ``periods`` are the times asked about.

    ``change`` is ``any`` where it asks what changed, ``named`` where it compares what it names, which may be editions.
    """

    text: str
    today: date
    as_of: date
    periods: tuple[Period, ...] = ()
    change: Change = ""
    notices: tuple[str, ...] = ()

    def names(self, edition: str) -> bool:
        """Whether it names an edition. ``March 2025`` is a month, and does not name the edition 2025."""
        name, text = bare(edition).strip(), self.text
        for words in [period.text for period in self.periods if period.text not in name and len(period.text) > len("2025")]:
            text = text.replace(words, "§")
        return mentions(text, name)


def read_question(query: str, today: date, *, dates: bool = False, changes: bool = True, cues: Sequence[str] = ()) -> Question:
    """The days and the change that a question asks about; ``today`` is the as-of date where it names no day, or several.

    Args:
        query: the question; of a long text only the first 4,000 characters are read.
        today: the day from which "last year" counts.
        dates: take the as-of date from the question.
        changes: look for questions about a change.
        cues: phrases that announce one, beside those known.
    """
    text = bare(query[:_LONGEST])
    change = change_asked(text, cues) if changes else ""
    if not (dates or change):
        return Question(text, today, today)
    periods, unclear = find_periods(text, today)
    as_of, notices = _as_of(text, periods, unclear, today, change) if dates else (today, [])
    asked = tuple([period for period in periods if period.role == "asked"])
    return Question(_without_facts(text, periods), today, as_of, asked, change, tuple(notices))


def _without_facts(text: str, periods: Sequence[Period]) -> str:
    """The question without the dates that are none of documents: a phone bought in 2025 does not name the edition 2025."""
    asked = {period.text for period in periods if period.role == "asked"}
    for words in {period.text for period in periods} - asked:
        text = text.replace(words, "§")
    return text


def mentions(text: str, name: str) -> bool:
    """Whether a question, as ``bare`` makes it, names an edition; a small number only with a word before it (``version 2``)."""
    name = bare(name).strip()
    plain = re.sub(r"^(?:v\.?|version|edition|release)\s?(?=\d)", "", name)
    if len(plain) < 2 or (plain.isdigit() and len(plain) < 4):
        plain = rf"(?:\bv|\b(?:version|edition|release|rev|revision|issue|fassung|ausgabe)s?\s){re.escape(plain)}"
        return re.search(rf"{plain}(?![\w]|\.\d)", text) is not None
    return re.search(rf"(?<![\d.])(?<![^\W\dv]){re.escape(plain)}(?![\w-]|\.\d)", text) is not None


# ---------------------------------------------------------------- the as-of date


def _as_of(text: str, periods: Sequence[Period], unclear: Sequence[str], today: date, change: Change) -> tuple[date, list[str]]:
    """The day that the question asks about (of a change, the later one), and what was understood."""
    stays = f"the as-of date stays {today}"
    if unclear:
        return today, [f"{words!r} can be read as two days: {stays}" for words in unclear]
    asked = [p for p in periods if p.role == "asked"]
    now = asks_about_now(text) if asked else None
    if (change == "any" and asked) or (change and len(asked) > 1):
        days = [(p, today if now or p.relation == "since" else p.day(today)) for p in asked]
        return max(day for _, day in days), [f"understood {p.text!r} as {day}" for p, day in days if day != today]
    notices = [f"{p.text!r} names a beginning: {stays}" for p in asked if p.relation == "since"]
    named = {p.day(today): p for p in periods if p.relation != "since" and p.role in ("asked", "perhaps")}
    words = ", ".join([repr(p.text) for p in named.values()])
    if len(named) > 1:
        return today, [*notices, f"several days are named ({words}): {stays}"]
    if now and named:
        return today, [*notices, f"{now!r} asks about today, beside {words}: {stays}"]
    for day, period in named.items():
        if period.role == "asked":
            return day, [*notices, f"understood {period.text!r} as {day}"]
    aside = [p for p in periods if p.role != "asked"]
    return today, [*notices, *dict.fromkeys(f"{p.text!r} {_ASIDE[p.role]}: {stays}" for p in aside)]


_ASIDE = {
    "perhaps": "may be the day of a contract or of a purchase",
    "fact": "is when something was built, bought or the like",
    "told": "is told, not asked about",
}
