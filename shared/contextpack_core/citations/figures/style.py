"""How one text writes its numbers and dates: language, decimal mark, order of day and month."""

from __future__ import annotations

from contextpack_core.citations.figures.tables import COMMA_DECIMAL, DOT_REGIONS, FUNCTION_WORDS
from contextpack_core.patterns import pattern


class Style:
    """A text and how it writes, found out when first asked: most texts hold nothing that could be read in two ways.

    ``lower`` is the text in lower case, offset by offset. ``locale`` (``de``, ``en-US``) decides what the text leaves open.
    ``names_months`` says whether the text names a month, quarter or half at all; where not, no number begins a written date.
    """

    __slots__ = ("_date_order", "_decimal_mark", "_full_day", "_language", "locale", "lower", "names_months", "text")

    def __init__(self, text: str, locale: str | None) -> None:
        self.text, self.locale = text, locale.replace("_", "-") if locale else None
        self.lower = text.replace("İ", "I").lower()
        self.names_months = True

    @property
    def language(self) -> str | None:
        """The declared language, else that of the text's frequent words; None where they do not tell."""
        if not hasattr(self, "_language"):
            declared = self.locale.partition("-")[0].lower() if self.locale else None
            self._language: str | None = declared or _language(self.lower)
        return self._language

    @property
    def decimal_mark(self) -> str | None:
        """``.`` or ``,`` by the text's own unmistakable numbers, else by locale or language; None where none of them tells.

        English alone tells nothing of ``4.125``: English texts quote what others have written.
        """
        if not hasattr(self, "_decimal_mark"):
            self._decimal_mark: str | None = _decimal_mark(self.text) or self._usual_mark()
        return self._decimal_mark

    def _usual_mark(self) -> str | None:
        if self.locale:
            language, _, region = self.locale.partition("-")
            return "," if language.lower() in COMMA_DECIMAL and region.upper() not in DOT_REGIONS else "."
        return "," if self.language in COMMA_DECIMAL else None

    @property
    def full_day(self) -> bool:
        """Whether the text counts the hours of the day to 24: then "9:00" is in the morning."""
        if not hasattr(self, "_full_day"):
            self._full_day: bool = _AFTERNOON.search(self.text) is not None
        return self._full_day

    @property
    def date_order(self) -> str | None:
        """``dmy`` or ``mdy`` by the text's own dates, else by locale; None where neither tells."""
        if not hasattr(self, "_date_order"):
            self._date_order: str | None = _date_order(self.text, self.locale)
        return self._date_order


_AFTERNOON = pattern(r"(?<![\d:])(?:1[3-9]|2[0-3]):[0-5]\d")
_LANGUAGES: dict[str, tuple[str, ...]] = {
    word: tuple([language for language, frequent in FUNCTION_WORDS.items() if word in frequent])
    for word in sorted(frozenset().union(*FUNCTION_WORDS.values()))
}
_ENOUGH = 600


def _language(lower: str) -> str | None:
    """The language that more of the first words belong to than any other."""
    counts = dict.fromkeys(FUNCTION_WORDS, 0)
    for word in lower[:_ENOUGH].split():
        for language in _LANGUAGES.get(word, ()):
            counts[language] += 1
    ranked = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return ranked[0][0] if ranked[0][1] > ranked[1][1] else None


_MARKED = pattern(r"\d+(?:[.,]\d+)+(?![\w]|[.,-]\d)")


def _decimal_mark(text: str) -> str | None:
    votes = {".": 0, ",": 0}
    for match in _MARKED.finditer(text):
        token, before = match[0], text[match.start() - 1 : match.start()]
        if before and (before.isalnum() or before in "_.,"):
            continue
        last = max(token.rfind("."), token.rfind(","))
        mark, other = token[last], "," if token[last] == "." else "."
        if other in token:
            votes[mark] += token.count(mark) == 1
        elif token.count(mark) > 1:
            votes[other] += all(len(group) == 3 for group in token.split(mark)[1:])
        elif len(token) - last != 4 or last > 3 or token[0] == "0":
            votes[mark] += 1
    for mark, other in ((".", ","), (",", ".")):
        if votes[mark] > 3 * votes[other]:
            return mark
    return None


_NUMERIC_DATE = pattern(r"(?<![\d/.-])(\d{1,2})([/-])(\d{1,2})\2(?:\d{4}|\d\d)(?![\d/-])")


def _date_order(text: str, locale: str | None) -> str | None:
    """Which of the text's numeric dates have a number above 12, and where; else what the locale's region does."""
    day_first = month_first = False
    for match in _NUMERIC_DATE.finditer(text):
        first, second = int(match[1]), int(match[3])
        day_first = day_first or first > 12 >= second
        month_first = month_first or second > 12 >= first
    if day_first != month_first:
        return "dmy" if day_first else "mdy"
    language, _, region = (locale or "").lower().partition("-")
    if not language or (language == "en" and not region):
        return None
    return "mdy" if language == "en" and region in ("us", "ph") else "dmy"
