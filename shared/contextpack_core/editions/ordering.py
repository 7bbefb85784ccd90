"""Orders the editions of one family: dates, years, quarters, dotted numbers, pre-releases, revisions, ordinals."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from contextpack_core.dates import month_of
from contextpack_core.patterns import pattern


@dataclass(frozen=True, slots=True)
class EditionKey:
    """How one edition is ordered: keys of one ``scheme`` compare, first by ``numbers``, then within one ``series`` by ``stage``.

    ``stage`` is below that of the plain release for pre-releases and above it for hotfixes; None: nothing orders the words that
    follow the numbers. A lone letter is a series of its own: ``5a`` comes before ``5b``, but before or after ``5``?
    """

    scheme: str
    numbers: tuple[int, ...]
    stage: tuple[tuple[float, ...], ...] | None = ((0,),)
    series: str = ""


def edition_key(text: str) -> EditionKey | None:
    """The key of an edition that is read by itself; None for words, which have no order."""
    readings = _readings(text)
    return readings[0] if readings else None


def edition_keys(texts: Iterable[str]) -> dict[str, EditionKey | None]:
    """The keys of the editions of one family: the first scheme that reads all of them reads each (``2011-12`` may be two things).

    Where no scheme reads all, each is read by itself, and keys of different schemes do not compare.
    """
    readings = {text: _readings(text) for text in texts}
    schemes = [[key.scheme for key in keys] for keys in readings.values() if keys]
    common = next((scheme for scheme in schemes[0] if all(scheme in found for found in schemes)), None) if schemes else None
    keys: dict[str, EditionKey | None] = {}
    for text, found in readings.items():
        keys[text] = next((key for key in found if key.scheme == common), found[0] if found else None)
    return keys


def age_of(start: date | None, name: str | None, superseded: bool) -> tuple[object, ...]:
    """What sorts editions oldest first: their start, then whether another replaced them, then their order; no date is oldest."""
    key = edition_key(name) if name else None
    order = (key.scheme, key.numbers, key.stage or ()) if key else ("", (), ())
    return start or date.min, not superseded, order


def edition_day(text: str) -> date | None:
    """The first day of the day, month or year after which an edition is named; None where it is named otherwise."""
    key = edition_key(text)
    if key is None or key.scheme != "year":
        return None
    year, month, day = (*key.numbers[:3], 1, 1)[:3]
    try:
        return date(year, month, day)
    except ValueError:
        return None


def compare_editions(one: str, other: str) -> int | None:
    """-1, 0 or 1 as the first edition is older than, as old as, or newer than the other; None where nothing orders them."""
    keys = edition_keys((one, other))
    return _compare(keys[one], keys[other])


def highest_editions(texts: Iterable[str]) -> tuple[tuple[str, ...], str | None]:
    """The editions that no other of the family is known to be newer than, and a sentence if nothing decides between them.

    Editions that are words, or of a scheme of their own, stay: a guess would be silent. Order is that of the texts.
    """
    keys = edition_keys(dict.fromkeys(texts))
    newest: dict[str, tuple[int, ...]] = {}
    latest: dict[tuple[str, tuple[int, ...], str], tuple[tuple[float, ...], ...]] = {}
    for key in filter(None, keys.values()):
        newest[key.scheme] = max(newest.get(key.scheme, ()), key.numbers)
        if key.stage is not None:
            series = (key.scheme, key.numbers, key.series)
            latest[series] = max(latest.get(series, key.stage), key.stage)

    def is_highest(key: EditionKey) -> bool:
        if key.numbers != newest[key.scheme]:
            return False
        return key.stage is None or key.stage == latest[key.scheme, key.numbers, key.series]

    highest = tuple(text for text, key in keys.items() if key is None or is_highest(key))
    return highest, _why_undecided(highest, keys)


def _why_undecided(highest: tuple[str, ...], keys: Mapping[str, EditionKey | None]) -> str | None:
    """None where one edition, or several spellings of one, are the highest."""
    found = [keys[text] for text in highest]
    if len(found) < 2 or (found[0] is not None and found[0].stage is not None and all(key == found[0] for key in found)):
        return None
    if any(key is None for key in found):
        return "words have no order"
    if len({key.scheme for key in found if key}) > 1:
        return "they are numbered in different ways"
    return "nothing orders what follows their numbers"


def _compare(one: EditionKey | None, other: EditionKey | None) -> int | None:
    if one is None or other is None or one.scheme != other.scheme:
        return None
    if one.numbers != other.numbers:
        return 1 if one.numbers > other.numbers else -1
    if one.stage is None or other.stage is None or one.series != other.series:
        return None
    return (one.stage > other.stage) - (one.stage < other.stage)


# Words that announce an edition and say nothing about its order.
_ANNOUNCING = frozenset([
    "v", "ver", "vers", "version", "release", "rel", "r", "rev", "revision", "revised", "edition", "ed", "edn", "eds", "issue",
    "build", "no", "nr", "num", "number", "as", "of", "status", "stand", "ausgabe", "auflage", "fassung", "édition", "revisión",
    "revisione", "révision", "edición", "edizione", "edição", "versión", "versione", "versão", "wydanie", "wersja", "издание",
    "версия", "редакция", "utgave", "utgåva", "udgave", "versie", "uitgave", "the", "level", "update", "dated", "from", "vom",
    "du", "del",
])  # fmt: skip
_ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth",
)  # fmt: skip
# The stage of what follows the numbers: below 0 before the release, above it after; PEP 440 and Maven agree on this order.
_STAGES: dict[str, float] = {
    "dev": -90, "nightly": -90, "canary": -90,
    "draft": -80, "wip": -80, "entwurf": -80,
    "prealpha": -50,
    "a": -40, "alpha": -40,
    "b": -30, "beta": -30,
    "m": -20, "milestone": -20, "ea": -20,
    "c": -10, "rc": -10, "cr": -10, "pre": -10, "preview": -10, "candidate": -10,
    "snapshot": -5,
    "final": 0, "ga": 0, "release": 0, "stable": 0, "lts": 0, "rtm": 0,
    "post": 10, "rev": 10, "r": 10, "p": 10, "pl": 10, "patch": 10, "hotfix": 10, "fix": 10, "sp": 10, "u": 10, "update": 10,
    "errata": 10, "erratum": 10, "corrigendum": 10, "amendment": 10, "amended": 10, "nachtrag": 10, "addendum": 10, "supplement":
    10,
}  # fmt: skip
_RELEASED: tuple[float, ...] = (0,)
_LONGEST = 120
_SEPARATORS = pattern(r"[\s._\-:,/()+~#№]+")


@lru_cache(maxsize=4096)
def _readings(text: str) -> tuple[EditionKey, ...]:
    """Every way to read the edition, the likeliest first."""
    if len(text) > _LONGEST:
        return ()
    text = unicodedata.normalize("NFKC", text).casefold().partition("+")[0].strip()  # semver: a build decides nothing
    if _EITHER_WAY.fullmatch(text):
        return ()
    for read in (_by_period, _by_day):
        if found := read(text):
            return tuple(found)
    keys = dict.fromkeys(key for read in (_by_number, _by_ordinal, _by_roman, _by_letter) for key in read(text))
    return tuple(sorted(keys, key=lambda key: key.stage is None))  # "2nd" is the ordinal, no 2 with a word that has no order


_PERIOD = pattern(
    r"(?P<year>\d{4})[-\s/]?(?P<kind>[qhwst])(?P<part>\d\d?)|(?P<kind2>[qhwst])(?P<part2>\d\d?)[-\s/]*(?P<year2>\d{4})"
)
_FISCAL = pattern(
    r"(?:fy|fiscal year|financial year|gj|geschäftsjahr|exercice|ejercicio)[-\s]?(?P<year>\d{4}|\d\d)(?:[-/](?P<end>\d{4}|\d\d))?"
)


def _by_period(text: str) -> list[EditionKey]:
    """``2026Q1``, ``Q1 2026``, half-years and weeks, and fiscal years (``FY25``, ``FY2025/26``)."""
    if found := _PERIOD.fullmatch(text):
        year, part = int(found["year"] or found["year2"]), int(found["part"] or found["part2"])
        return [EditionKey(f"year-{found['kind'] or found['kind2']}", (year, part))]
    if found := _FISCAL.fullmatch(text):
        return [EditionKey("fiscal year", (int(found["year"]) + (2000 if len(found["year"]) == 2 else 0),))]
    return []


_EITHER_WAY = pattern(r"\d\d?[/-]\d\d?[/-]\d{4}")  # day and month in either order
_DAY_FIRST = pattern(r"(?:(?P<day>\d\d?)\.\s?)?(?P<month>0?[1-9]|1[0-2])[./-]\s?(?P<year>(?:19|20|21)\d\d)")
_NAMED_DAY = pattern(
    r"(?:(?P<day>\d\d?)(?:st|nd|rd|th|er|\.)?[-\s]\s?(?:of\s|de\s)?)?(?P<month>[^\W\d_]{3,12})\.?[-\s]\s?(?:(?P<day2>\d\d?)(?:st|nd|rd|th)?,\s?)?(?:de\s)?(?P<year>\d{4})"
)


def _by_day(text: str) -> list[EditionKey]:
    """``01.07.2026``, ``07/2026``, ``1 July 2026``, ``July 2026``: the year comes last."""
    words, text = _without_announcement(text)
    if words:
        return []
    if found := _DAY_FIRST.fullmatch(text):
        return [EditionKey("year", _integers((found["year"], found["month"], found["day"])))]
    found = _NAMED_DAY.fullmatch(text)
    month = month_of(found["month"]) if found else None
    if not found or not month:
        return []
    day = found["day"] or found["day2"]
    return [EditionKey("year", (int(found["year"]), month, *([int(day)] if day else [])))]


_YEAR_FIRST = pattern(r"(?:1[5-9]|20|21)\d\d(?:[-/._:]\d\d?(?!\d)(?:[-/._:]\d{1,3}(?![\da-su-y]))*)?(?!\d)")
_STAMP = pattern(r"((?:19|20|21)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?:[t\s_-]?(\d\d)(\d\d)(\d\d)?z?)?")
_TIME = pattern(r"(?:[t\s](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?)?z?")
_NUMBERS = pattern(r"(?:(?P<epoch>\d{1,6})!)?(?P<numbers>\d{1,18}(?:[._:]\d{1,18})*)")


def _by_number(text: str) -> list[EditionKey]:
    """Years and ISO dates, CalVer, dotted numbers of any depth, semver and PEP 440 with what follows them.

    A year alone may also be a number. Where other words come before the numbers they must be the same in both editions, and a
    single number is none ("part 2").
    """
    words, text = _without_announcement(text)
    prefix = "".join([f" {word}" for word in words])
    if stamp := _STAMP.fullmatch(text):
        return [EditionKey(f"year{prefix}", _integers(stamp.groups()))]
    readings = []
    if found := _YEAR_FIRST.match(text):
        numbers, rest = _integers(re.split(r"\D", found[0])), text[found.end() :]
        if time := _TIME.fullmatch(rest):
            numbers, rest = numbers + _integers(time.groups()), ""
        readings.append(EditionKey(f"year{prefix}", numbers, *_stage(rest)))
        if len(numbers) > 1:
            return readings
    if found := _NUMBERS.match(text):
        numbers = _integers(re.split(r"\D", found["numbers"]))
        if len(numbers) > 1 or all(_STAGES.get(word, 0) < 0 for word in words):
            while len(numbers) > 1 and numbers[-1] == 0:
                numbers = numbers[:-1]
            readings.append(EditionKey(f"number{prefix}", (int(found["epoch"] or 0), *numbers), *_stage(text[found.end() :])))
    return readings


def _without_announcement(text: str) -> tuple[list[str], str]:
    """The words before the first digit, without those that only announce an edition; and the rest, with a month before it."""
    start = re.search(r"\d", text)
    if start is None:
        return [], text
    words = [word for word in _SEPARATORS.split(text[: start.start()]) if word and word not in _ANNOUNCING]
    rest = text[start.start() :]
    return (words[:-1], f"{words[-1]} {rest}") if words and month_of(words[-1]) else (words, rest)


def _integers(parts: Iterable[str | None]) -> tuple[int, ...]:
    return tuple([int(part) for part in parts if part])


_WORD_AND_NUMBER = pattern(r"([^\W\d_]+)(\d{0,9})")


def _stage(rest: str) -> tuple[tuple[tuple[float, ...], ...] | None, str]:
    """What follows the numbers, as stage and series: pre-releases, the release, what mends it; None for words that have no order.

    A pre-release word that another follows counts higher than all its numbers (semver: ``alpha.1`` before ``alpha.beta``).
    """
    if len(rest) == 1 and "a" <= rest <= "z":
        return ((ord(rest),),), "letter"
    stages: list[tuple[float, ...]] = []
    for field in _SEPARATORS.split(rest):
        if not field or (field in _ANNOUNCING and field not in _STAGES):
            continue
        if field.isdigit() and len(field) <= 9:
            stages = _numbered(stages, int(field))
            continue
        pairs = _WORD_AND_NUMBER.findall(field)
        if "".join([word + number for word, number in pairs]) != field or any(word not in _STAGES for word, _ in pairs):
            return None, ""
        for word, number in pairs:
            if _STAGES[word]:
                stages = _followed(stages, _STAGES[word])
                stages.append((_STAGES[word], int(number)) if number else (_STAGES[word],))
    return (*_followed(stages, 0), _RELEASED), ""


def _followed(stages: list[tuple[float, ...]], following: float) -> list[tuple[float, ...]]:
    """The stages with a number for the last word, which another follows."""
    if not stages or len(stages[-1]) > 1:
        return stages
    above_all_numbers = stages[-1][0] < 0 and -90 < following < -5
    return [*stages[:-1], (stages[-1][0], float("inf") if above_all_numbers else 0)]


def _numbered(stages: list[tuple[float, ...]], number: int) -> list[tuple[float, ...]]:
    """``rc.2`` and ``hotfix 3`` number the word; a number alone comes after the release, as in ``1.0-1``."""
    if stages and len(stages[-1]) == 1:
        return [*stages[:-1], (stages[-1][0], number)]
    return [*stages, (10, number)]


_ORDINAL = pattern(r"(?:第\s?)?(\d{1,4})\s?(?:st|nd|rd|th|\.|er|ere|ère|e|eme|ème|ª|º|a|o|de|版|판)?")


def _by_ordinal(text: str) -> list[EditionKey]:
    """``2nd edition``, ``second edition``, ``2. Auflage``, ``第2版``."""
    words = [word for word in re.split(r"[\s,]+", text) if word and word.strip(".") not in _ANNOUNCING]
    if len(words) != 1:
        return []
    if words[0] in _ORDINALS:
        return [EditionKey("number", (0, _ORDINALS.index(words[0]) + 1))]
    found = _ORDINAL.fullmatch(words[0])
    return [EditionKey("number", (0, int(found[1])))] if found else []


_ROMAN = pattern(r"(?=[ivx])(x{0,3})(ix|iv|v?i{0,3})")
_ROMAN_VALUES = {"": 0, "i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9}


def _by_roman(text: str) -> list[EditionKey]:
    """``III``, ``Edition IV``: up to 39."""
    words = [word for word in _SEPARATORS.split(text) if word]
    words = [word for word in words if word not in _ANNOUNCING] or words[-1:]
    if len(words) != 1 or not (found := _ROMAN.fullmatch(words[0])):
        return []
    return [EditionKey("roman", (10 * len(found[1]) + _ROMAN_VALUES[found[2]],))]


_LETTER = pattern(r"([a-z]{1,2})(\d{0,3})")


def _by_letter(text: str) -> list[EditionKey]:
    """``Rev C``, ``Issue AA`` (after Z), ``Rev C2``; a letter alone may name a variant and is not ordered."""
    words = [word for word in _SEPARATORS.split(text) if word]
    if len(words) < 2 or any(word not in _ANNOUNCING for word in words[:-1]) or not (found := _LETTER.fullmatch(words[-1])):
        return []
    letters = found[1]
    return [EditionKey("letter", (len(letters), *(ord(c) for c in letters), int(found[2] or 0)))]
