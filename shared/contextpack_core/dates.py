"""Reads the dates that metadata hold."""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Any

from contextpack_core.patterns import pattern

# One line a month: its names and usual short forms in the languages that dates are read in; no word stands on two lines.
_MONTH_NAMES = """
january jan januar jänner januari janvier janv enero ene gennaio gen janeiro styczeń stycznia leden ledna ocak tammikuu tammikuuta январь января січень січня ianuarie ιανουάριος ιανουαρίου január يناير जनवरी
february feb februar feber februari février févr fév febrero febbraio fevereiro fev luty lutego únor února şubat helmikuu helmikuuta февраль февраля лютий лютого februarie φεβρουάριος φεβρουαρίου február فبراير फ़रवरी फरवरी
march mar märz maerz mrz mär mars maart mrt marzo março marzec marca březen března mart maaliskuu maaliskuuta март марта березень березня martie μάρτιος μαρτίου március maret مارس मार्च
april apr avril avr abril abr aprile kwiecień kwietnia duben dubna nisan huhtikuu huhtikuuta апрель апреля квітень квітня aprilie απρίλιος απριλίου április أبريل अप्रैल
may mai mei maj mayo maggio mag maio maja květen května mayıs toukokuu toukokuuta май мая травень травня μάιος μαΐου május مايو मई
june jun juni juin junio giugno giu junho czerwiec czerwca červen června haziran kesäkuu kesäkuuta июнь июня червень червня iunie ιούνιος ιουνίου június يونيو जून
july jul juli juillet juil julio luglio lug julho lipiec lipca červenec července temmuz heinäkuu heinäkuuta июль июля липень липня iulie ιούλιος ιουλίου július يوليو जुलाई
august aug augustus août agosto ago sierpień sierpnia srpen srpna ağustos elokuu elokuuta август августа серпень серпня αύγουστος αυγούστου augusztus agustus أغسطس अगस्त
september sept sep septembre septiembre settembre setembro wrzesień września září eylül syyskuu syyskuuta сентябрь сентября вересень вересня septembrie σεπτέμβριος σεπτεμβρίου szeptember سبتمبر सितंबर
october oct oktober okt octobre octubre ottobre ott outubro październik października říjen října ekim lokakuu lokakuuta октябрь октября жовтень жовтня octombrie οκτώβριος οκτωβρίου október أكتوبر अक्टूबर
november nov novembre noviembre novembro listopad listopada listopadu kasım marraskuu marraskuuta ноябрь ноября листопад листопада noiembrie νοέμβριος νοεμβρίου نوفمبر नवंबर
december dec dezember dez décembre déc diciembre dic dicembre dezembro grudzień grudnia prosinec prosince aralık joulukuu joulukuuta декабрь декабря грудень грудня decembrie δεκέμβριος δεκεμβρίου desember ديسمبر दिसंबर
"""  # noqa: E501


def read_date(value: Any) -> date | None:
    """The day that a metadata value names; None where it names none, or could be read as two different days.

    Read are dates and datetimes (the day as written, in their own zone), ISO 8601 (a year or a month stands for its first day),
    days with dots (day first), a month in words, what HTTP and PDF write, and epoch seconds, milli-, micro- and nanoseconds (UTC).
    ``01/02/2025`` is ambiguous and read as None; zero and negative numbers are nobody's date.
    """
    if isinstance(value, str):
        return _from_text(value)
    if isinstance(value, date):
        return _plain(value)
    if value is None or isinstance(value, bool):
        return None
    if not isinstance(value, (int, float)) and callable(item := getattr(value, "item", None)):
        value = _unwrapped(item)  # the scalars of numeric libraries
        if isinstance(value, date):
            return _plain(value)
    return _from_number(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def day_after(value: Any) -> date | None:
    """The first day after the day, week, month, quarter or year that a metadata value names.

    None where it names none, or no day comes after it.
    """
    first = read_date(value)
    return _shifted(first, *_length(value)) if first else None


def first_day_without(value: Any) -> date | None:
    """The day that an exclusive end names; after an end at the last minute of a day, or of a later hour, it is the next day.

    Stores write the last day on which something applies as ``2026-06-01T23:59:59Z``, and a zone moves that by hours.
    """
    if isinstance(value, str) and ":" not in value and len(value) < len("20260601T2359") and not value.isdecimal():
        return read_date(value)
    day = read_date(value)
    return _shifted(day, days=1) if day and _ends_the_day(*_clock(value)) else day


def _plain(value: date) -> date | None:
    """A date without a time of day; some libraries have a date that is no date."""
    if type(value) is date:
        return value
    try:
        return date(value.year, value.month, value.day)
    except (TypeError, ValueError):
        return None


def _unwrapped(item: Any) -> Any:
    try:
        return item()
    except (TypeError, ValueError):
        return None


_EPOCH_UNITS = ((1e11, 1), (1e14, 1e3), (1e17, 1e6), (1e20, 1e9))


def _from_number(number: float) -> date | None:
    """Years, days written as one number (20260131), and epoch times from 1973 on, by size."""
    if not number > 0 or number >= 1e20:  # NaN too
        return None
    if number == int(number) and (1000 <= number <= 2999 or 10000101 <= number <= 29991231):
        text = str(int(number))
        return _day(int(text[:4]), int(text[4:6] or 1), int(text[6:] or 1))
    if number < 1e8:
        return None
    per_second = next(scale for limit, scale in _EPOCH_UNITS if number < limit)
    try:
        return datetime.fromtimestamp(number / per_second, UTC).date()
    except (OverflowError, ValueError, OSError):
        return None


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _length(value: Any) -> tuple[int, int]:
    """The months and days of the day, week, month, quarter or year that a value names."""
    text = unicodedata.normalize("NFKC", str(int(value) if isinstance(value, float) else value)).strip()
    for expression, length in _LENGTHS:
        if expression.fullmatch(text):
            return length
    named = _NAMED.fullmatch(text)
    return (1, 0) if named and not (named["day"] or named["day2"]) else (0, 1)


def _shifted(day: date, months: int = 0, days: int = 0) -> date | None:
    """The first of a month so many months later, or the day so many days later; None after the last year there is."""
    try:
        years, month = divmod(day.month - 1 + months, 12)
        return day.replace(year=day.year + years, month=month + 1) + timedelta(days=days)
    except (OverflowError, ValueError):
        return None


def _clock(value: Any) -> tuple[int, int, int]:
    """The hour, minute and second that a value says beside the day; midnight where it says none."""
    if isinstance(value, str) and value.strip().isdecimal() and len(value.strip()) != len("20260601235959"):
        value = float(value)
    if isinstance(value, str):
        if not (found := _CLOCK.search(value)):
            return 0, 0, 0
        hour, minute, second = found.groups()[:3] if found[1] else found.groups()[3:]
        return int(hour), int(minute), int(second or 0)
    if not isinstance(value, (int, float, date)) and callable(item := getattr(value, "item", None)):
        value = _unwrapped(item)
    if isinstance(value, (int, float)) and value >= 1e8 and not 10000101 <= value <= 29991231:
        per_second = next((scale for limit, scale in _EPOCH_UNITS if value < limit), 1)
        value = datetime.fromtimestamp(value / per_second, UTC)
    return (value.hour, value.minute, value.second) if isinstance(value, datetime) else (0, 0, 0)


def _ends_the_day(hour: int, minute: int, second: int) -> bool:
    return hour == 24 or (hour == 23 and minute == 59) or (hour >= 12 and minute == second == 59)


_ISO = pattern(
    r"(?:D:)?(?P<year>\d{4})(?:(?P<sep>[-/.])(?P<month>\d{1,2})(?:(?P=sep)(?P<day>\d{1,2}))?|(?P<month2>\d\d)(?P<day2>\d\d))?"
    r"(?:(?:T|\s|(?<=\d{8}))\s?\d\d?(?::?\d\d){0,2}(?:[.,]\d+)?\s?(?:Z|UTC|GMT|[-+]\d\d[:']?(?:\d\d)?'?)?|Z|[-+]\d\d:\d\d)?",
    re.IGNORECASE,
)
_TIME = r"(?:[T,\s]\s?\d\d?:\d\d(?::\d\d)?(?:\s?(?:Z|UTC|GMT|[-+]\d\d:?\d\d))?)?"
_DAY_FIRST = pattern(rf"(\d{{1,2}})(\.\s?|/|-)(\d{{1,2}})\2(\d{{4}}){_TIME}", re.IGNORECASE)
_QUARTER = pattern(r"(\d{4})[-\s]?Q([1-4])|Q([1-4])[-\s/]?(\d{4})", re.IGNORECASE)
_EAST_ASIAN = pattern(r"(\d{4})\s?[年년](?:\s?(\d{1,2})\s?[月월](?:\s?(\d{1,2})\s?[日일])?)?")
_NAMED = pattern(
    rf"(?:[^\W\d_]{{2,12}}\.?,?\s+)?(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th|er|\.|º)?[-\s]\s?(?:de\s+)?)?(?P<month>[^\W\d_][^\d\s,./-]{{1,15}})\.?"
    rf"(?:[-\s,]\s?(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?,)?(?:[-\s,]\s?(?:de\s+)?(?P<year>\d{{4}})){_TIME}",
    re.IGNORECASE,
)
_LENGTHS = (
    (pattern(r"\d{4}(?:\s?[年년])?"), (12, 0)),
    (pattern(r"\d{4}[-/.]\d{1,2}|\d{4}\s?[年년]\s?\d{1,2}\s?[月월]"), (1, 0)),
    (_QUARTER, (3, 0)),
    (pattern(r"\d{4}-W\d\d", re.IGNORECASE), (0, 7)),
)
_CLOCK = pattern(r"(\d\d?):(\d\d)(?::(\d\d))?|(?:(?<=\d{8})T?|(?<=-\d\d)T)(\d\d)(\d\d)(\d\d)?", re.IGNORECASE)
_LONGEST = 64


@lru_cache(4096)  # the chunks of a document all have its dates
def _from_text(text: str) -> date | None:
    text = text.strip()
    if len(text) == 10 and text[4] == text[7] == "-" and text.isascii():
        try:
            return date.fromisoformat(text)
        except ValueError:
            return None
    if not text or len(text) > _LONGEST:
        return None
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    if text.isascii() and text.replace(".", "", 1).isdigit() and len(text) != 14 and not _looks_dotted(text):
        return _from_number(float(text))
    return next((day for read in (_iso, _day_first, _quarter, _east_asian, _named) if (day := read(text))), None)


def _looks_dotted(text: str) -> bool:
    """``2026.03`` is a month, no number of seconds."""
    return len(text) <= 7 and "." in text


def _iso(text: str) -> date | None:
    found = _ISO.fullmatch(text)
    if not found:
        return _week(text)
    month, day = found["month"] or found["month2"] or 1, found["day"] or found["day2"] or 1
    return _day(int(found["year"]), int(month), int(day))


def _week(text: str) -> date | None:
    """``2026-W05`` and ``2026-W05-1``."""
    if text[4:6].upper() != "-W" or not text.isascii():
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _day_first(text: str) -> date | None:
    """Dots mean day first; with slashes and hyphens either order is in use, so only what reads one way is read."""
    found = _DAY_FIRST.fullmatch(text)
    if not found:
        return None
    first, second, year = int(found[1]), int(found[3]), int(found[4])
    if "." in found[2]:
        return _day(year, second, first)
    days = {_day(year, second, first), _day(year, first, second)} - {None}
    return days.pop() if len(days) == 1 else None


def _quarter(text: str) -> date | None:
    found = _QUARTER.fullmatch(text)
    return _day(int(found[1] or found[4]), 3 * int(found[2] or found[3]) - 2, 1) if found else None


def _east_asian(text: str) -> date | None:
    found = _EAST_ASIAN.fullmatch(text)
    return _day(int(found[1]), int(found[2] or 1), int(found[3] or 1)) if found else None


def _named(text: str) -> date | None:
    found = _NAMED.fullmatch(text)
    month = month_of(found["month"]) if found else None
    return _day(int(found["year"]), month, int(found["day"] or found["day2"] or 1)) if found and month else None


def month_of(word: str) -> int | None:
    """The number of the month that a word names, in any of the languages read here; accents and case do not matter."""
    return MONTHS.get(bare(word.rstrip(".")))


def bare(text: str) -> str:
    """The text case folded, without accents and with straight apostrophes, so that words compare however they were typed.

    Its length may change.
    """
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold().translate(_WHOLE_LETTERS))
    return unicodedata.normalize("NFC", "".join([c for c in decomposed if not unicodedata.combining(c)]))


_WHOLE_LETTERS = str.maketrans("łøđı’", "lodi'")  # what no accent comes off; and one kind of apostrophe

MONTH_NAMES = {word: number for number, line in enumerate(_MONTH_NAMES.split("\n")[1:-1], 1) for word in line.split()}
"""The number of each month by its names and short forms, in lower case, as they are written."""
MONTHS = {bare(word): number for word, number in MONTH_NAMES.items()}
"""The same, as ``bare`` makes them."""
