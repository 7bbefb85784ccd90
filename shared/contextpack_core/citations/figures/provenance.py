"""Whether a date, a year or a number without a unit is what a passage's header says: its edition, its days, its page."""

from __future__ import annotations

import re
from datetime import date, timedelta

from contextpack_core.citations.figures.match import hold, look_up
from contextpack_core.citations.figures.quantity import Quantity
from contextpack_core.citations.figures.tables import IDENTIFIER_CUES
from contextpack_core.patterns import pattern
from contextpack_core.values import Source

IN_HEADER = "stands in the header"
"""How the detail of a figure begins that the header of a passage says."""


class Header:
    """What is known of where a passage stands, as texts in which figures are looked for."""

    __slots__ = ("_all", "_edition", "_page", "_section", "_words")

    def __init__(self, source: Source) -> None:
        first, end = source.effective_from, source.effective_until
        last = end - timedelta(days=1) if end is not None and end > date.min else None
        days = [day.isoformat() for day in (first, last, end) if day is not None]
        names = [name for name in (source.title, source.section, source.family, source.doc_id, source.uri) if name]
        self._page = "" if source.page is None else _plain(str(source.page))
        self._section = _plain(f"{source.section or ''} {source.title or ''}")
        self._edition = _plain(f"{source.edition or ''} {source.title or ''}")
        self._all = _plain(" ; ".join([source.edition or "", *days, *names]))
        self._words: frozenset[str] | None = None

    def has(self, quantity: Quantity, text: str, locale: str | None = None) -> bool:
        """Whether the header says this figure of ``text``; never for what has a unit, nor for a number that may count something."""
        written = _plain(text[quantity.start : quantity.end])
        if quantity.kind == "identifier":
            return self._has_name(str(quantity.value), quantity.unit)
        if quantity.kind == "date" and _is_whole_year(quantity) is None:
            match = look_up(quantity, hold(self._all, locale))
            return match is not None and match.sure and match.found.kind == "date"
        if quantity.kind not in ("date", "number", "ordinal") or quantity.unit is not None or quantity.bound:
            return False
        ahead = text[max(0, quantity.start - 48) : quantity.start]
        before = _WORDS_BEFORE.findall(ahead.lower())[-3:]
        behind = [word.lower() for word in _WORDS_BEHIND.match(text, quantity.end).groups() if word]  # type: ignore[union-attr]
        if (year := _is_whole_year(quantity)) is not None and (
            (quantity.kind == "date" and ahead.endswith(("(", "（"))) or self._speaks_of_a_year(quantity, before, behind)
        ):
            return _has_token(self._all, year)
        cue = before[-1] if before else ""
        kind = IDENTIFIER_CUES.get(cue)
        if kind in ("page", "section"):
            return self._has_name(written, kind)
        if cue in _EDITIONS and _has_token(self._edition, written):
            return True
        if behind and behind[0] in _EDITIONS and quantity.kind == "ordinal":
            return _has_token(self._edition, written) or _has_token(self._edition, str(quantity.value))
        if behind and behind[0] in ("of", "der", "des", "de", "du") and (behind[-1] in _EDITIONS or behind[-1] in self.words):
            return quantity.kind == "number" and _has_token(self._section, written)
        return (
            cue.isalpha()
            and cue not in _SMALL
            and re.search(rf"(?<!\w){cue}[\s._/-]{re.escape(written)}(?![\w.]\w)", self._all) is not None
        )

    @property
    def words(self) -> frozenset[str]:
        """The words of title and names, small words left out."""
        if self._words is None:
            self._words = frozenset(word for word in _WORD.findall(self._all) if len(word) > 3) - _SMALL
        return self._words

    def _has_name(self, name: str, kind: str | None) -> bool:
        if kind == "page":
            return _has_token(self._page, name)
        return _has_token(self._section if kind == "section" else self._all, name)

    def _speaks_of_a_year(self, quantity: Quantity, before: list[str], behind: list[str]) -> bool:
        """Whether the words around tell that a year is meant: "since 2026", "the 2026 edition"; not "2026 people"."""
        last = before[-1] if before else ""
        following = behind[0] if behind else ""
        if any(word in _EDITIONS or word in self.words for word in (last, following)):
            return True
        if quantity.kind == "number" and following.endswith("s"):
            return False
        if last == "of":
            return len(before) > 1 and (before[-2] in _EDITIONS or before[-2] in self.words or before[-2] in _BEFORE_OF)
        if last in ("the", "this", "its", "our"):
            return bool(following)
        return last in _TEMPORAL


def _is_whole_year(quantity: Quantity) -> str | None:
    """The year, if it is one without month and day."""
    value = str(quantity.value)
    return value if quantity.kind != "ordinal" and len(value) == 4 and value.isdecimal() and "1900" <= value <= "2199" else None


def _has_token(text: str, token: str) -> bool:
    """Whether the number stands in the text as a whole one: "7.1" is no part of "17.1" or "7.12"."""
    token = _plain(token).rstrip(".")
    return bool(token) and re.search(rf"(?<!\d)(?<!\d[.,]){re.escape(token)}(?!\d)(?![.,]\d)", text) is not None


def _plain(text: str) -> str:
    return text.lower().replace("–", "-").replace("\x00", " ")


_WORD = pattern(r"[^\W\d_]+")
_WORDS_BEFORE = pattern(r"[^\W\d_]+\.?|\d+")
_WORDS_BEHIND = pattern(r"(?:[ \u00a0-]([^\W\d_]+)(?: ([^\W\d_]+)(?: ([^\W\d_]+))?)?)?")
_EDITIONS = frozenset(
    "edition editions version wording wordings policy terms conditions handbook manual guide guideline guidelines release revision "
    "issue rules document tariff year ausgabe auflage fassung stand bedingungen bedingungswerk tarif handbuch police jahr "
    "édition année conditions règlement edición versión año condiciones póliza edizione versione 版 年版".split()
)
_TEMPORAL = frozenset(
    "in since from until till by during before after through under effective starting beginning as for seit ab bis vom im von nach "
    "laut gemäß für depuis en dès jusqu desde hasta dal fino".split()
)
_BEFORE_OF = frozenset(
    "as end start beginning middle january february march april may june july august september october november december".split()
)
_SMALL = frozenset(
    "the a an and or of in on at to is are was were for from by with under since until than about over that this sets says "
    "der die das dem den des und oder ist sind le la les de du et ou un une el los las y o es son".split()
)
