"""Dates and times of day at the precision they are written in: days, months, quarters, halves, years, decades, clock times."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from contextpack_core.citations.figures.style import Style
from contextpack_core.citations.figures.tables import ERAS
from contextpack_core.dates import MONTH_NAMES
from contextpack_core.patterns import pattern

# A date is written as the beginning of its ISO form: 2026-01-15, 2026-01, 2026, and further 2026-Q1, 2026-H1, 199x; without a
# year --01-15, --Q1. A time of day is HH:MM or HH:MM:SS.


class Moment(NamedTuple):
    """A date or time that was read; two ``readings`` where day and month, or morning and evening, cannot be told apart."""

    start: int
    end: int
    kind: str
    readings: tuple[str, ...]
    unit: str = ""


_YEAR = r"(?:[12]\d{3}(?!\d)|['’]\d\d(?!\d))"
_JOIN = r"(?:[-–—]|to|and|through|until|till|bis|und|à|au|al?|et|y)"
_ZONE = r"(?:Z\b|UTC\b|GMT\b|[CEMPW]E?[ST]T\b|[+\-−]\d\d:?\d\d\b)"
_TIME = pattern(
    rf"(\d{{1,2}}):([0-5]\d)(?::([0-6]\d)(?:[.,]\d{{1,9}})?)?(?![\d:])(?:\s?([ap])\.?\s?m\b\.?)?(?:\s?Uhr\b)?(?:\s?({_ZONE}))?",
    re.I,
)
_TIME_DOTTED = pattern(r"(\d{1,2})(?:\.|\s?h\s?)([0-5]\d)(?!\d)(?:\s?([ap])\.?m\b\.?|\s?Uhr\b|(?<=h\d\d)|(?<=h\s\d\d))", re.I)
_TIME_HOUR = pattern(r"(\d{1,2})\s?(?:([ap])\.?m\b\.?|Uhr\b|o['’]clock\b)", re.I)
_TIME_HAN = pattern(r"(\d{1,2})\s?[点點時时](?![間间])(?:(\d{1,2})\s?分|(半)|([钟鐘整]))?")
_ISO = pattern(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?![\d])")
_NUMERIC = pattern(r"(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?!\d|[./-]\d)")
_SPACED = pattern(r"(\d{1,2})\. (\d{1,2})\. (\d{4})(?!\d)")
_YEAR_MONTH = pattern(r"([12]\d{3})-(0[1-9]|1[0-2])(?![\d-])")
_MONTH_YEAR = pattern(r"(0?[1-9]|1[0-2])/([12]\d{3})(?![\d/])")
_SEASON = pattern(r"([12]\d{3})([/–-])(\d\d)(?![\d/-])")
_COMPACT = pattern(r"((?:19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?!\d)")
_DAY_MONTH = pattern(
    rf"(\d{{1,2}})(?:st|nd|rd|th|er|º|ª|\.)?(?:\s?{_JOIN}\s?(\d{{1,2}})(?:st|nd|rd|th|er|º|\.)?)?(?:[ \u00a0\n]|-|/)?(?:of |de )?"
    rf"([^\W\d_]{{3,12}})(?:\.|\b)(?: ?,?[ \u00a0\n]?(?:-|/|of |de |del )?({_YEAR}|(?<=[ \-/])\d\d(?![\d:.,%])))?",
    re.I,
)
_AFTER_MONTH = pattern(
    rf"\.?,?[ \u00a0\n](?:the )?(\d{{1,2}})(?:st|nd|rd|th)?(?!\d|[.,:]\d|[ \u00a0\n]?%)"
    rf"(?:\s?{_JOIN}\s?(\d{{1,2}})(?:st|nd|rd|th)?(?!\d))?"
    rf"(?:(?:,|(?: ?,)?[ \u00a0\n](?:of )?)[ \u00a0\n]?({_YEAR})(?![,.]\d{{3}})"
    rf"|[ \u00a0\n](?=\d\d:\d\d:\d\d [12]\d{{3}})(\d\d:\d\d:\d\d) ([12]\d{{3}}))?"
)
_YEAR_AFTER_MONTH = pattern(rf"(?:\.?(?: ?,)?[ \u00a0\n](?:of |de |del )?|[-/])({_YEAR}|(?<=[-])\d\d(?!\d))")
_MONTH_RANGE = pattern(rf"\.?\s?{_JOIN}\s?([^\W\d_]{{3,12}})\.?,?[ \u00a0\n](?:in |of |de )?({_YEAR})")
_QUARTER_WORDS = pattern(
    r"(first|second|third|fourth|1st|2nd|3rd|4th|erste[sn]?|zweite[sn]?|dritte[sn]?|vierte[sn]?|premier|deuxième|troisième|quatrième|"
    r"primer|segundo|tercer|cuarto|[1-4](?:\.|er|e|º)?)[ -](quarter|half|quartal|halbjahr|trimestre|semestre)\b"
    rf"(?:,?[ -](?:of |in |de |du )?(?:the )?(?:fiscal |calendar |FY ?)?(?:year )?({_YEAR}))?",
    re.I,
)
_QUARTER = pattern(rf"([QHTS])([1-4])(?!\d)(?:[ \-/]?(?:of |FY ?)?({_YEAR}|(?<=[ \-/Y\dQ])\d\d(?!\d|[.,]\d)))?")
_QUARTER_FIRST = pattern(r"([1-4])([QH])[ -]?(?:FY)?(['’]?\d\d(?!\d)|[12]\d{3}(?!\d))")
_FISCAL = pattern(
    r"(?:FY|fiscal(?:[ -]year)?|financial year|Geschäftsjahr|GJ|exercice|ejercicio)"
    r"[ \u00a0-]?([12]\d{3}|['’]?\d\d)(?:([/–-])(\d{4}|\d\d))?(?!\d)",
    re.I,
)
_DECADE = pattern(r"([12]\d\d)0['’]?s\b")
_HAN_DATE = pattern(
    r"([12]\d{3}|\d\d(?=年\s?\d{1,2}\s?月))\s?[年년](?:(?:度)?第?([1-4一二三四])\s?(?:季度?|四半期|분기)|([上下])半[年期]|\s?(\d{1,2})\s?[月월](?:份|\s?(\d{1,2})\s?[日号號일])?)?"
)
_HAN_DAY = pattern(r"(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日号號일]")
_HAN_NUMBER = {c: i for i, c in enumerate("一二三四", 1)}
_ORDINAL = {
    "fir": 1,
    "pre": 1,
    "pri": 1,
    "ers": 1,
    "sec": 2,
    "deu": 2,
    "seg": 2,
    "zwe": 2,
    "thi": 3,
    "tro": 3,
    "ter": 3,
    "dri": 3,
    "fou": 4,
    "qua": 4,
    "cua": 4,
    "vie": 4,
}
# Also words of another meaning in some language: a month only with a capital letter and a year.
_PLAIN_WORDS = frozenset("may march mar mars ago dec jun set mag maj gen giu lug ott mart maret nisan".split())
_ERA = pattern(
    rf"(?:({'|'.join(re.escape(era) for era in ERAS)})\s?(\d{{1,4}}|元)\s?(?:年(?:\s?(\d{{1,2}})\s?月(?:\s?(\d{{1,2}})\s?日)?)?)?)",
    re.I,
)


def read_at_digits(text: str, start: int, stop: int, style: Style) -> tuple[Moment, ...]:
    """The dates and times that begin with the digits from ``start`` to ``stop``; empty where none does."""
    run, following = stop - start, text[stop : stop + 1]
    if run == 8:
        match = _COMPACT.match(text, start)
        return (_day(match[1], match[2], match[3], match),) if match is not None else ()
    if run > 4 or not following:
        return ()
    if following in "-/.–":
        return (
            _numeric(text, start, run, following, style)
            or (_day_month(text, start) if run < 3 else ())
            or _dotted_time(text, start, run)
        )
    if run <= 2 and following in ":h":
        return _clock(text, start, style) if following == ":" else _dotted_time(text, start, run)
    if following in "年년月월点點時时" or (following == " " and text[stop + 1 : stop + 2] in "年月"):
        return _han(text, start)
    if run == 1 and following in "QH" and (match := _QUARTER_FIRST.match(text, start)) is not None:
        return (Moment(start, match.end(), "date", (_part(match[2], match[1], _full_year(match[3])),)),)
    if run == 4 and following in "s'’" and (match := _DECADE.match(text, start)) is not None:
        return (Moment(start, match.end(), "date", (match[1] + "x",)),)
    if run <= 2 and (following in " \u00a0" or following.isalpha() or following in "ºª"):
        if following in " \u00a0" and text[stop + 1 : stop + 2] == "h" and style.language == "fr":
            return _dotted_time(text, start, run)
        written = style.names_months and _day_month(text, start)
        return written or (_hour(text, start) if text[stop + (following in " \u00a0") : stop + 2][:1] in _HOUR_STARTS else ())
    return ()


_HOUR_STARTS = frozenset("aApPuUoO")


def _day(year: str, month: str, day: str, match: re.Match[str]) -> Moment:
    return Moment(match.start(), match.end(), "date", (f"{int(year):04}-{int(month):02}-{int(day):02}",))


def _numeric(text: str, start: int, run: int, following: str, style: Style) -> tuple[Moment, ...]:
    """2026-01-15, 15.01.2026, 1/2/26, 2026-01, 01/2026, 2024/25."""
    if run == 4:
        if (match := _ISO.match(text, start)) is not None and 1 <= int(match[3]) <= 12 and 1 <= int(match[4]) <= 31:
            date = _day(match[1], match[3], match[4], match)
            if text[match.end() : match.end() + 1] in ("T", " ") and (clock := _clock(text, match.end() + 1, style)):
                return (date, *clock)
            return (date,)
        if (match := _YEAR_MONTH.match(text, start)) is not None:
            return (Moment(start, match.end(), "date", (f"{match[1]}-{match[2]}",)),)
        if (match := _SEASON.match(text, start)) is not None and int(match[3]) == (int(match[1]) + 1) % 100:
            return (
                Moment(start, match.start(2), "date", (match[1],)),
                Moment(match.start(3), match.end(), "date", (str(int(match[1]) + 1),)),
            )
        return ()
    if run > 2:
        return ()
    match = _NUMERIC.match(text, start) or (_SPACED.match(text, start) if following == "." else None)
    if match is None:
        if following == "/" and (match := _MONTH_YEAR.match(text, start)) is not None:
            return (Moment(start, match.end(), "date", (f"{match[2]}-{int(match[1]):02}",)),)
        return ()
    first, second = int(match[1]), int(match[2] if match.re is _SPACED else match[3])
    year = _full_year(match[3] if match.re is _SPACED else match[4])
    mark = "." if match.re is _SPACED else match[2]
    if mark == "." and len(match[match.lastindex or 0]) == 2 and not (1 <= first <= 31 and 1 <= second <= 12):
        return ()
    readings = []
    if first <= 31 and 1 <= second <= 12:
        readings.append(f"{year}-{second:02}-{first:02}")
    if mark != "." and second <= 31 and 1 <= first <= 12 and first != second:
        readings.append(f"{year}-{first:02}-{second:02}")
    if len(readings) == 2 and style.date_order is not None:
        readings = readings[:1] if style.date_order == "dmy" else readings[1:]
    return (Moment(start, match.end(), "date", tuple(readings)),) if readings else ()


def _full_year(year: str | None) -> str:
    """Four digits: a year of two belongs to this century up to 68, else to the last one."""
    if not year:
        return ""
    digits = year.strip("'’")
    if len(digits) != 2:
        return f"{int(digits):04}"
    return f"{(2000 if int(digits) < 69 else 1900) + int(digits)}"


def _part(letter: str, number: str, year: str) -> str:
    """A quarter or half of a year; T and S are the French and Spanish letters."""
    half = letter.upper() in "HS"
    return f"{year or '-'}-{'H' if half else 'Q'}{number}"


def _clock(text: str, start: int, style: Style) -> tuple[Moment, ...]:
    match = _TIME.match(text, start)
    if match is None or int(match[1]) > 24:
        return ()
    hours = _hours(match[1], match[2], match[3], match[4])
    return (Moment(start, match.end(), "time", hours[:1] if style.full_day else hours, (match[5] or "").upper()),)


def _hours(hour: str, minute: str | None, second: str | None, half: str | None) -> tuple[str, ...]:
    """The time as 24 hours; two readings where neither half of the day nor a leading zero is given."""
    value, rest = int(hour), f":{int(minute or 0):02}" + (f":{int(second):02}" if second else "")
    value %= 24
    if half:
        value = value % 12 + (12 if half in "pP" else 0)
    elif 0 < value < 12 and len(hour) == 1:
        return f"{value:02}{rest}", f"{value + 12:02}{rest}"
    return (f"{value:02}{rest}",)


def _dotted_time(text: str, start: int, run: int) -> tuple[Moment, ...]:
    if run > 2 or (match := _TIME_DOTTED.match(text, start)) is None or int(match[1]) > 24:
        return ()
    hours = _hours(match[1].zfill(2) if not match[3] else match[1], match[2], None, match[3])
    return (Moment(start, match.end(), "time", hours),)


def _hour(text: str, start: int) -> tuple[Moment, ...]:
    match = _TIME_HOUR.match(text, start)
    if match is None or int(match[1]) > 24:
        return ()
    return (
        Moment(
            start,
            match.end(),
            "time",
            _hours(match[1] if match[2] or match[0][-1] in "kK" else match[1].zfill(2), None, None, match[2]),
        ),
    )


def _day_month(text: str, start: int) -> tuple[Moment, ...]:
    """15 January 2026, 1st Jan, 3–5 June 2024, 15 de enero de 2026; 1st quarter 2020."""
    match = _DAY_MONTH.match(text, start)
    if match is None or (month := MONTH_NAMES.get(match[3].lower())) is None:
        if (match := _QUARTER_WORDS.match(text, start)) is not None:
            return (_quarter_words(match),)
        return ()
    if not match[4] and match[3] in _PLAIN_WORDS:
        return ()
    year, first, second = _full_year(match[4]), int(match[1]), match[2]
    if not 1 <= first <= 31 or (second and not 1 <= int(second) <= 31):
        return ()
    last = Moment(
        match.start(2) if second else start,
        match.end(4) if match[4] else match.end(3),
        "date",
        (_ymd(year, month, int(second or first)),),
    )
    if not second:
        return (last,)
    return (Moment(start, match.end(1), "date", (_ymd(year, month, first),)), last)


def _ymd(year: str, month: int, day: int) -> str:
    return f"{year or '-'}-{month:02}-{day:02}"


def read_month(text: str, word: str, start: int, end: int) -> tuple[Moment, ...]:
    """The dates that begin with the name of a month; empty where neither day nor year stands beside it."""
    month = MONTH_NAMES[word]
    plain = word in _PLAIN_WORDS and not text[start].isupper()
    if (match := _AFTER_MONTH.match(text, end)) is not None and 1 <= int(match[1]) <= 31:
        year = _full_year(match[3] or match[5])
        if plain and not year:
            return ()
        stop = match.end(3) if match[3] else match.end(2) if match[2] else match.end(1)
        if match[2]:
            first = Moment(start, match.end(1), "date", (_ymd(year, month, int(match[1])),))
            return (first, Moment(match.start(2), stop, "date", (_ymd(year, month, int(match[2])),)))
        found = [Moment(start, match.end() if match[5] else _with_ordinal(text, stop), "date", (_ymd(year, month, int(match[1])),))]
        if match[4]:
            found[0] = found[0]._replace(end=match.start(4) - 1)
            found.append(Moment(match.start(4), match.end(), "time", (match[4],)))
        return tuple(found)
    if (match := _YEAR_AFTER_MONTH.match(text, end)) is not None:
        return (Moment(start, match.end(), "date", (f"{_full_year(match[1])}-{month:02}",)),)
    if (match := _MONTH_RANGE.match(text, end)) is not None and (other := MONTH_NAMES.get(match[1].lower())) is not None:
        year = _full_year(match[2])
        first = Moment(start, end, "date", (f"{year}-{month:02}",))
        return (first, Moment(match.start(1), match.end(), "date", (f"{year}-{other:02}",)))
    return ()


def _with_ordinal(text: str, end: int) -> int:
    return end + 2 if text[end : end + 2].lower() in ("st", "nd", "rd", "th") else end


def read_period(text: str, start: int) -> Moment | None:
    """Q1 2026, first quarter of 2020, H1 2021, FY2025, an era's year; None where the word at ``start`` begins none."""
    if (match := _QUARTER_WORDS.match(text, start)) is not None:
        return _quarter_words(match)
    if (match := _QUARTER.match(text, start)) is not None and not (match[1] in "HS" and int(match[2]) > 2):
        if match[1] in "HTS" and not match[3]:
            return None
        return Moment(start, match.end(), "date", (_part(match[1], match[2], _full_year(match[3])),))
    if (match := _FISCAL.match(text, start)) is not None:
        year = _full_year(match[3]) if match[3] else _full_year(match[1])
        return Moment(start, match.end(), "date", (year,), "fiscal year")
    return None


def _quarter_words(match: re.Match[str]) -> Moment:
    first = match[1].lower()
    number = int(first[0]) if first[0].isdecimal() else _ORDINAL[first[:3]]
    letter = "H" if match[2].lower() in ("half", "halbjahr", "semestre") else "Q"
    return Moment(match.start(), match.end(), "date", (_part(letter, str(number), _full_year(match[3])),))


def read_era(text: str, start: int) -> Moment | None:
    """令和8年 is 2026; an era may be counted beyond its end."""
    match = _ERA.match(text, start)
    if match is None:
        return None
    year = ERAS[match[1].lower()] + (1 if match[2] == "元" else int(match[2]))
    value = f"{year:04}" + "".join([f"-{int(part):02}" for part in (match[3], match[4]) if part])
    return Moment(start, match.end(), "date", (value,))


def _han(text: str, start: int) -> tuple[Moment, ...]:
    """2021年8月9日, 8月9日, 2020年第一季度, 17時30分."""
    if (match := _HAN_DATE.match(text, start)) is not None:
        year = _full_year(match[1])
        if match[2]:
            value = f"{year}-Q{_HAN_NUMBER.get(match[2], match[2])}"
        elif match[3]:
            value = f"{year}-H{1 if match[3] == '上' else 2}"
        else:
            value = year + "".join([f"-{int(part):02}" for part in (match[4], match[5]) if part])
        return (Moment(start, match.end(), "date", (value,)),)
    if (match := _HAN_DAY.match(text, start)) is not None:
        return (Moment(start, match.end(), "date", (f"--{int(match[1]):02}-{int(match[2]):02}",)),)
    if (match := _TIME_HAN.match(text, start)) is not None and int(match[1]) <= 24:
        before = text[max(0, start - 2) : start]
        if before not in ("上午", "下午", "午前", "午後", "凌晨", "晚上", "早上") and not any(match.groups()[1:]):
            return ()
        late = before in ("下午", "午後", "晚上")
        half = "p" if late else "a" if before in ("上午", "午前", "凌晨", "早上") else None
        minute = "30" if match[3] else match[2]
        return (Moment(start, match.end(), "time", _hours(match[1].zfill(2) if half is None else match[1], minute, None, half)),)
    return ()


def covers(claim: str, source: str) -> bool:
    """Whether the claim's date is the source's, at the same precision or a coarser one."""
    if claim == source:
        return True
    if claim.startswith(("--Q", "--H")):
        return source[4:] == claim[1:]
    if claim.startswith("--") or source.startswith("--"):
        return claim.startswith("--") and source[4:].startswith(claim[1:])
    low, high = _days(claim)
    first, last = _days(source)
    return low <= first and last <= high


@lru_cache(maxsize=4096)
def _days(value: str) -> tuple[int, int]:
    """First and last day of a date as numbers that compare."""
    if value.endswith("xx"):
        return int(value[:-2]) * 1000000, int(value[:-2]) * 1000000 + 999999
    if value.endswith("x"):
        return int(value[:-1]) * 100000, int(value[:-1]) * 100000 + 99999
    year, _, rest = value.partition("-")
    base = int(year) * 10000
    if not rest:
        return base, base + 9999
    if rest[0] in "QH":
        months = 3 if rest[0] == "Q" else 6
        last = int(rest[1]) * months
        return base + (last - months + 1) * 100, base + last * 100 + 99
    month, _, day = rest.partition("-")
    if not day:
        return base + int(month) * 100, base + int(month) * 100 + 99
    return base + int(month) * 100 + int(day), base + int(month) * 100 + int(day)
