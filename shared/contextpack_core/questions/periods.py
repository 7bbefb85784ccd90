"""Finds the days, months, quarters and years that a question names."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from typing import Literal

from contextpack_core.dates import month_of
from contextpack_core.patterns import pattern
from contextpack_core.questions.roles import Role, role_of

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of days that a question names: from ``start`` up to but not including ``end``; ``text`` are its words.

    ``relation`` says how the question refers to it: at that time, before it, or since; ``role`` what it is for the question.
    """

    start: date
    end: date
    text: str
    relation: Literal["at", "before", "since"] = "at"
    role: Role = "asked"

    def day(self, today: date) -> date:
        """The day that stands for the period: its last one, today if it is not over yet, the day before it for ``before``."""
        if self.relation == "before":
            return self.start - _DAY
        return today if self.start <= today < self.end else self.end - _DAY


_YEAR = r"(?P<year>(?:19|20)\d\d)"
_WORD = r"(?P<word>[^\W\d_]{3,12})"
_BEGIN, _END = r"(?<![./+-])(?<![^\W\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af])", r"(?![\w/+-]|[.,]\d|\s?%)"
_OF = r"(?:(?:of|de|del)[\s-]|d['’]\s?)?"  # a word of its own: december begins with de
_ORDINAL = r"(?:st|nd|rd|th|er|ste|de|o|°|\.)?"  # º without accents is o
# What makes a bare year, or a month in figures, a date. The weak ones also stand before amounts.
_STRONG = (
    "in during throughout year early late mid before since after until till through im jahr jahre jahres stand seit vor "
    "nach bis ende anfang mitte galt gilt galten gelten war waren wurde wurden hatte betrug sich en annee depuis avant "
    "apres fin debut ano desde nel anno dal em jaar sinds voor w od przed i ar under в с до за v roce edition version "
    "edicion fassung ausgabe"
)
_WEAK = "of for from by on per von aus fur de du pour para del van z na"
_ARTICLE = r"(?:(?:the|dem|den|le|il|el) )?"
_CUE = pattern(rf"(?:^|[^\w])(?:(?P<strong>{'|'.join(_STRONG.split())}|as of|as at)|{'|'.join(_WEAK.split())})[\s-]+{_ARTICLE}$")
_SUFFIX = pattern(
    r"\s?(?:年|년|году|год\b|г\.|roku\b|r\.|yilinda|(?:edition|version|release|terms|policy|wording|fassung|ausgabe)\b)|['’]s\b"
)
_UNIT_WORDS = (
    "eur usd gbp chf euros? dollars? pounds? francs? franken pln zl kg g km m cm mm mi miles? l kwh mw mb gb kb bytes? "
    "tokens? words? chars characters? pages? days? weeks? months? hours? minutes? seconds? points? people persons? users? "
    "customers? employees? items? pieces? units? times tagen? worter zeichen seiten stunden jours? mots heures? dias? "
    "palabras horas? personen stuck"
)
_UNIT = pattern(rf"\s?(?:[€$£¥%]|(?:{'|'.join(_UNIT_WORDS.split())})\b)")
_AND_WORDS = r"and|or|to|vs\.?|versus|with|und|oder|bis|mit|et|ou|a|y|o|e|ed|en|met|i|do|и|по"
_AND = rf"(?:\s(?:{_AND_WORDS})\s(?:the |in |dem |von )?|\s?(?:[–—→]|->)\s?)"
_AND_YEAR = pattern(rf"{_AND}(?:§|{_YEAR}{_END})")  # § stands for what was read already
_YEAR_AND = pattern(rf"(?:(?:19|20)\d\d|§){_AND}$")

_Days = tuple[date, date]
_Reader = Callable[[re.Match[str], str, date], "_Days | None"]
_UNCLEAR: _Days = (date.max, date.min)
_MOST_WEIGHED = 24  # dates; who names more asks about no one day
_BEFORE = 40  # characters before a date in which the words that belong to it are looked for


def find_periods(text: str, today: date) -> tuple[list[Period], list[str]]:
    """The days, months, quarters and years that a text without accents names, in order; and the dates that can be two days.

    A figure is a date only where something says so: ``in 2024`` and ``March 2025`` are, ``form 2024-17``, ``2024 euros`` are not.
    """
    found: dict[int, Period] = {}
    unclear: dict[int, str] = {}
    masked = text
    for expression, read in _patterns():
        for match in expression.finditer(masked):
            days = read(match, masked, today)
            if days is None:
                continue
            if days == _UNCLEAR:
                unclear[match.start()] = match[0]
            else:
                found[match.start()] = _related(days, match, text, "asked" if len(found) < _MOST_WEIGHED else "told")
            masked = f"{masked[: match.start()]}{'§' * len(match[0])}{masked[match.end() :]}"
    return list(dict.fromkeys(found[at] for at in sorted(found))), [unclear[at] for at in sorted(unclear)]


_THE_YEAR = r"(?:the |l')?(?:(?:year|jahr|jahre|annee|ano|anno|jaar|end of|ende|fin|finales de|fine) )?(?:de )?$"
_PRIOR = pattern(
    r"\b(?:before|prior to|earlier than|vor(?: dem)?|bevor|avant(?: le)?|antes del?|antes do|prima d(?:i|el|ell')|voor"
    r"|przed|до|перед|до конца)\s?" + _THE_YEAR
)
_SINCE = pattern(
    r"\b(?:since|after|seit(?: dem)?|nach(?: dem)?|depuis(?: le)?|apres(?: le)?|desde(?: el)?|despues del?|dopo"
    r"|dal(?:l')?|sinds|после|od|с|начиная с)\s?" + _THE_YEAR
)
_PRIOR_BEHIND = pattern(r"\s?(?:年|年度)?(?:之前|以前|より前|前に|이전|년 전)")
_SINCE_BEHIND = pattern(r"\s?(?:年|年度)?(?:以来|之后|以后|以降|から|부터|이후|년 이후|起)|\s(?:onwards?|and later|and after|on)\b")
_FIRST = pattern(r"\b(?:(?:start|beginning) of|early|anfang|beginn|debut|principios de|inizio|inicio de)[\s-](?:the )?$")
_LAST = pattern(r"\b(?:end of|late|ende|fin|finales de|fine|fim de)[\s-](?:the )?$")


def _related(days: _Days, match: re.Match[str], text: str, role: Role) -> Period:
    """The period with what the words around it make of it."""
    start, end = days
    before = text[max(0, match.start() - _BEFORE) : match.start()]
    if _FIRST.search(before):
        end = start + _DAY
    elif _LAST.search(before):
        start = end - _DAY
    words = match[0].strip()
    relation: Literal["at", "before", "since"] = "at"
    if _PRIOR.search(before) or _PRIOR_BEHIND.match(text, match.end()):
        relation = "before"
    elif _SINCE.search(before) or _SINCE_BEHIND.match(text, match.end()):
        relation = "since"
    return Period(start, end, words, relation, role_of(text, match.start(), match.end()) if role == "asked" else role)


def _day(match: re.Match[str], text: str, today: date) -> _Days | None:
    """A whole date with its month in figures or words."""
    parts = match.groupdict()
    month = month_of(parts["word"]) if parts.get("word") else int(match["month"])
    return _one_day(int(match["year"]), month, int(match["day"]))


def _day_range(match: re.Match[str], text: str, today: date) -> _Days | None:
    """The days from one to another: ``3-5 December 2025``, ``28 December to 2 January 2026``."""
    month = month_of(match["word"])
    earlier = month_of(match["other"]) if match.groupdict().get("other") else month
    if month is None or earlier is None:
        return None
    year = int(match["year"])
    first, last = _one_day(year - (earlier > month), earlier, int(match["first"])), _one_day(year, month, int(match["day"]))
    return (first[0], last[1]) if first and last and first < last else None


def _one_day(year: int, month: int | None, day: int) -> _Days | None:
    try:
        start = date(year, month or 0, day)
    except ValueError:
        return None
    return start, start + _DAY


def _day_or_month_first(match: re.Match[str], text: str, today: date) -> _Days | None:
    """A date with slashes or hyphens that ends with the year: either order is in use."""
    one, two, year = int(match["one"]), int(match["two"]), match["year"]
    if len(year) == 2:
        return _UNCLEAR if match["sep"] == "/" and 1 <= min(one, two) <= 12 and max(one, two) <= 31 else None
    readings = {days for month, day in ((two, one), (one, two)) if (days := _one_day(int(year), month, day))}
    return _UNCLEAR if len(readings) > 1 else readings.pop() if readings else None


def _month(match: re.Match[str], text: str, today: date) -> _Days | None:
    """A month; in figures only after a word that makes it a date."""
    parts = match.groupdict()
    if parts.get("word"):
        month = month_of(parts["word"])
    else:
        cue = _CUE.search(text[max(0, match.start() - _BEFORE) : match.start()]) or "月" in match[0] or "월" in match[0]
        month = int(match["month"]) if cue else None
    return _months(int(match["year"]), month, 1) if month and 1 <= month <= 12 and not _UNIT.match(text, match.end()) else None


def _months(year: int, month: int, number: int) -> _Days:
    """So many months from the first of this one."""
    return date(year, month, 1), _shifted(date(year, month, 1), number)


def _shifted(day: date, months: int) -> date:
    """The same day so many months later or earlier, or the last of that month."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


_QUARTERS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": 4}


def _quarter(match: re.Match[str], text: str, today: date) -> _Days | None:
    named = match["quarter"]
    return _months(int(match["year"]), 3 * (_QUARTERS.get(named) or int(named[0])) - 2, 3)


def _year(match: re.Match[str], text: str, today: date) -> _Days | None:
    """A bare year: after a word that makes it a date, before one, or beside another year."""
    year, before = int(match["year"]), text[max(0, match.start() - _BEFORE) : match.start()]
    if _UNIT.match(text, match.end()):
        return None
    partner = _AND_YEAR.match(text, match.end())
    cue = _CUE.search(before)
    told = (
        (partner and not _UNIT.match(text, partner.end()))
        or _YEAR_AND.search(before)
        or _SUFFIX.match(text, match.end())
        or (cue and (cue["strong"] or year % 100))
    )
    return (date(year, 1, 1), date(year + 1, 1, 1)) if told else None


_TO = r"(?:\s?[-–—]\s?|\s(?:to|until|till|through|bis|au|al?|tot|do|по)\s(?:the )?)"
_FROM = rf"(?P<first>\d\d?){_ORDINAL}"
_OTHER = r"(?P<other>[^\W\d_]{3,12})\.?"
_DATES: list[tuple[str, _Reader]] = [
    (
        rf"{_BEGIN}{_FROM}{_TO}(?P<day>\d\d?){_ORDINAL}(?:[\s-]{{1,2}}|(?<=\.)){_OF}{_WORD}\.?,?[\s-]{{1,2}}{_OF}{_YEAR}{_END}",
        _day_range,
    ),
    (rf"(?<!\w){_WORD}\.?\s(?:the )?{_FROM}{_TO}(?P<day>\d\d?){_ORDINAL},?\s{_YEAR}{_END}", _day_range),
    (
        rf"{_BEGIN}{_FROM}(?:\s|(?<=\.)){_OF}{_OTHER}{_TO}(?P<day>\d\d?){_ORDINAL}\s{_OF}{_WORD}\.?,?\s{_OF}{_YEAR}{_END}",
        _day_range,
    ),
    (rf"(?<!\w){_OTHER}\s{_FROM}{_TO}{_WORD}\.?\s(?P<day>\d\d?){_ORDINAL},?\s{_YEAR}{_END}", _day_range),
    (rf"{_BEGIN}{_YEAR}(?P<sep>[-/.])(?P<month>\d\d?)(?P=sep)(?P<day>\d\d?){_END}", _day),
    (rf"{_BEGIN}(?P<day>\d\d?)\.\s?(?P<month>\d\d?)\.\s?{_YEAR}{_END}", _day),
    (
        rf"{_BEGIN}(?P<one>\d\d?)(?P<sep>[/-])(?P<two>\d\d?)(?P=sep)(?P<year>(?:19|20)\d\d|\d\d){_END}",
        _day_or_month_first,
    ),
    (rf"{_BEGIN}(?P<day>\d\d?){_ORDINAL}(?:[\s-]{{1,2}}|(?<=\.)){_OF}{_WORD}\.?,?[\s-]{{1,2}}{_OF}{_YEAR}{_END}", _day),
    (rf"(?<!\w){_WORD}\.?\s(?:the )?(?P<day>\d\d?){_ORDINAL},?\s{_YEAR}{_END}", _day),
    (rf"{_BEGIN}{_YEAR}\.?\s{_WORD}\.?\s(?P<day>\d\d?)\.?{_END}", _day),
    (rf"{_YEAR}\s?[年년]\s?(?P<month>\d\d?)\s?[月월]\s?(?P<day>\d\d?)\s?[日일]", _day),
    (rf"{_YEAR}\s?[年년]\s?(?P<month>\d\d?)\s?[月월]", _month),
    (rf"(?<!\w){_WORD}\.?,?[\s-]{_OF}{_YEAR}{_END}", _month),
    (rf"{_BEGIN}(?P<month>0?[1-9]|1[0-2])[/.]{_YEAR}{_END}", _month),
    (rf"{_BEGIN}{_YEAR}-(?P<month>0[1-9]|1[0-2]){_END}", _month),
    (rf"(?<!\w)q(?P<quarter>[1-4])[\s/-]?{_OF}{_YEAR}{_END}", _quarter),
    (rf"{_BEGIN}{_YEAR}[\s-]?q(?P<quarter>[1-4])(?!\w)", _quarter),
    (
        rf"(?<!\w)(?P<quarter>first|second|third|fourth|last|1st|2nd|3rd|4th|[1-4]\.) (?:quarter|quartal) {_OF}{_YEAR}{_END}",
        _quarter,
    ),
    (rf"{_BEGIN}{_YEAR}(?![\w/+-]*[\d/+-]|[.,]\d|\s?%)", _year),
]


# ---------------------------------------------------------------- days that count from today


def _year_from(offset: int) -> _Reader:
    return lambda match, text, today: (date(today.year + offset, 1, 1), date(today.year + offset + 1, 1, 1))


def _month_from(offset: int) -> _Reader:
    def read(match: re.Match[str], text: str, today: date) -> _Days:
        first = _shifted(today.replace(day=1), offset)
        return first, _shifted(first, 1)

    return read


def _quarter_from(offset: int) -> _Reader:
    def read(match: re.Match[str], text: str, today: date) -> _Days:
        first = _shifted(date(today.year, 3 * ((today.month - 1) // 3) + 1, 1), 3 * offset)
        return first, _shifted(first, 3)

    return read


def _week_from(offset: int) -> _Reader:
    def read(match: re.Match[str], text: str, today: date) -> _Days:
        monday = today + timedelta(days=7 * offset - today.weekday())
        return monday, monday + timedelta(days=7)

    return read


def _day_from(offset: int) -> _Reader:
    return lambda match, text, today: (today + timedelta(days=offset), today + timedelta(days=offset + 1))


_NUMBERS = {
    word: number
    for number, words in enumerate(
        (
            "a an one ein eine einem einer einen un une uno una um uma een jeden rok",
            "two zwei deux dos due dois duas twee dwa",
            "three drei trois tres tre drie trzy",
            "four vier quatre cuatro quattro quatro cztery",
            "five funf cinq cinco cinque vijf piec",
            "six sechs seis sei zes szesc",
            "seven sieben sept siete sette sete zeven",
            "eight acht huit ocho otto oito osiem",
            "nine neun neuf nueve nove negen",
            "ten zehn dix diez dieci dez tien",
            "eleven elf onze once undici",
            "twelve zwolf douze doce dodici doze twaalf",
        ),
        1,
    )
    for word in words.split()
}
_UNITS = {
    "day": "days? tag tage tagen jours? dias? giorn[oi] dag dagen dni",
    "week": "weeks? wochen? semaines? semanas? settiman[ae] week weken tygodnie",
    "month": "months? monate?n? mois mes(?:es)? mes[ei] maand(?:en)? miesiace",
    "year": "years? jahre?n? ans? annees? anos? ann[oi] jaar lata",
}
_N = rf"(?P<n>\d{{1,3}}|{'|'.join(sorted(_NUMBERS, key=len, reverse=True))})"
_UNITS_NAMED = "|".join(rf"(?P<{unit}>{'|'.join(words.split())})" for unit, words in _UNITS.items())


def _ago(match: re.Match[str], text: str, today: date) -> _Days | None:
    number = int(match["n"]) if match["n"].isdigit() else _NUMBERS[match["n"]]
    try:
        if match["month"] or match["year"]:
            day = _shifted(today, -number * (12 if match["year"] else 1))
        else:
            day = today - timedelta(days=number * (7 if match["week"] else 1))
    except (ValueError, OverflowError):
        return None
    return day, day + _DAY


_FROM_TODAY: list[tuple[_Reader, tuple[str, ...]]] = [
    (
        _year_from(-1),
        (
            r"\b(?<!the )(?:last|previous) year\b(?! of)", r"\b(?:letzte|vorige|vergangene)[nms] jahr", r"\bvorjahr(?:es|s)?\b",
            r"\bl'an(?:nee)? (?:derniere?|passee?)\b", r"\bano pasado\b", r"\banno (?:scorso|passato)\b", r"\bscorso anno\b",
            r"\bano passado\b", r"\b(?:vorig|afgelopen|verleden) jaar\b", r"\b(?:w )?(?:zeszlym|ubieglym) roku\b",
            r"\b(?:zeszlego|ubieglego) roku\b", r"\b(?:в |за )?прошл(?:ом|ого|ыи) год[ау]?\b", "去年", "上一年", "昨年", "작년",
            "지난해",
        ),
    ),
    (
        _year_from(0),
        (
            r"\bthis year\b", r"\bdiese[sm] jahr", r"\bcette annee\b", r"\beste ano\b", r"\bquest'anno\b", r"\bdit jaar\b",
            r"\bw tym roku\b", r"\bв этом году\b", "今年", "올해",
        ),
    ),
    (
        _year_from(1),
        (
            r"\bnext year\b", r"\b(?:nachste|kommende)[nms] jahr", r"\bl'an(?:nee)? prochaine?\b",
            r"\bano que viene\b", r"\banno prossimo\b", r"\bprossimo anno\b", r"\bproximo ano\b", r"\bvolgend jaar\b",
            r"\bw przyszlym roku\b",
            r"\bв следующем году\b", "来年", "明年", "내년",
        ),
    ),
    (
        _month_from(-1),
        (
            r"\b(?<!the )last month\b(?! of)", r"\b(?:letzten|vorigen) monat", r"\bmois (?:dernier|passe)\b", r"\bmes pasado\b",
            r"\bmese scorso\b", r"\bscorso mese\b", r"\bmes passado\b", r"\bvorige maand\b", r"\bw zeszlym miesiacu\b",
            r"\bв прошлом месяце\b", "先月", "上个月", "지난달",
        ),
    ),
    (
        _month_from(0),
        (
            r"\bthis month\b", r"\bdiese[nm] monat", r"\bce mois-ci\b", r"\beste mes\b", r"\bquesto mese\b", r"\bdeze maand\b",
            "今月", "这个月",
        ),
    ),
    (
        _month_from(1),
        (
            r"\bnext month\b", r"\bnachsten monat", r"\bmois prochain\b", r"\bproximo mes\b", r"\bmese prossimo\b",
            r"\bvolgende maand\b", "来月", "下个月",
        ),
    ),
    (
        _quarter_from(-1),
        (r"\b(?<!the )last quarter\b(?! of)", r"\bletzte[nms] quartal", r"\btrimestre dernier\b", r"\btrimestre pasado\b"),
    ),
    (
        _week_from(-1),
        (
            r"\b(?<!the )last week\b(?! of)", r"\bletzte[nr]? woche\b", r"\bsemaine (?:derniere|passee)\b", r"\bsemana pasada\b",
            r"\bsettimana scorsa\b", r"\bscorsa settimana\b", r"\bvorige week\b",
        ),
    ),
    (
        _day_from(-1),
        (
            r"\byesterday\b", r"\bgestern\b", r"\bayer\b", r"\bieri\b", r"\bontem\b", r"\bgisteren\b", r"\bwczoraj\b", r"\bвчера\b",
            "昨日", "昨天", "어제",
        ),
    ),
    (
        _day_from(1),
        (r"\btomorrow\b", r"\bdemain\b", r"\bdomani\b", r"\bamanha\b", r"\bjutro\b", r"\bзавтра\b", "明日", "明天", "내일"),
    ),
    (_ago, (rf"\b{_N}\s(?:{_UNITS_NAMED})\s(?:ago|fa|geleden|temu)\b",)),
    (_ago, (rf"\b(?:vor|il y a|hace|ha)\s{_N}\s(?:{_UNITS_NAMED})\b",)),
]  # fmt: skip


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], _Reader], ...]:
    """In the order in which they are tried; compiled when the first question needs them."""
    return tuple((re.compile(pattern), read) for pattern, read in [("|".join(words), read) for read, words in _FROM_TODAY] + _DATES)
