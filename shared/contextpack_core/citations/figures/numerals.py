"""Numbers however they are written: digits with separators, words in four languages, Chinese and Japanese numerals, fractions."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple

from contextpack_core.citations.figures.style import Style
from contextpack_core.citations.figures.tables import (
    ARTICLES,
    DENOMINATORS,
    EXACT,
    LONG_BILLION,
    NUMBER_WORDS,
    ORDINALS,
    OTHER_LANGUAGE_WORDS,
    ROUNDED,
    SCALES,
)
from contextpack_core.patterns import pattern

MAX_DIGITS = 60
"""A longer run of digits is no quantity but a code, and is compared as text."""

VULGAR = {
    "½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅕": (1, 5), "⅖": (2, 5), "⅗": (3, 5), "⅘": (4, 5),
    "⅙": (1, 6), "⅚": (5, 6), "⅐": (1, 7), "⅛": (1, 8), "⅜": (3, 8), "⅝": (5, 8), "⅞": (7, 8), "⅑": (1, 9), "⅒": (1, 10),
}  # fmt: skip

_BLANK = " \u00a0\u202f\u2009"
_NUMERAL = pattern(
    rf"(?P<digits>\d{{1,3}}(?:[{_BLANK}]\d{{3}}(?!\d))+(?:[.,٫]\d+(?![.,]?\d))?"
    r"|\d{1,3}(?: , \d{3}(?!\d))+(?: ?\. ?\d+)?"
    r"|\d+(?:[.,'’ʼ٬٫，．·_]\d+)*)"
    r"(?P<power>[eE][+\-−]?\d{1,20}(?![\w])|\s?[x×·*]\s?10(?:\^\(?[+\-−]?\d{1,20}\)?|[⁻⁺]?[⁰¹²³⁴-⁹]{1,6}))?"
)
_FRACTION = pattern(
    rf"(?:[{_BLANK}](\d{{1,3}})[/⁄](\d{{1,4}})(?![\d/]))|[{_BLANK}]?([½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒])|[/⁄](\d{{1,4}})(?![\d/]|\.\d)"
)
_TEN_TO = pattern(r"\^[+\-−]?\d{1,9}|[⁻⁺]?[⁰¹²³⁴-⁹]{1,6}")
_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺−", "0123456789-+-")
_GROUP_MARKS = "'’ʼ_٬"


class Numeral(NamedTuple):
    """A number that was read: its end in the text, value, the second reading where there is one, and the size of its last place."""

    start: int
    end: int
    value: Decimal
    other: Decimal | None = None
    quantum: Decimal = Decimal(1)
    form: str = ""
    """``fraction`` and ``ordinal`` are kept apart from plain numbers; ``article`` is "one", which seldom counts."""
    pieces: tuple[Decimal, ...] = ()
    """The numbers that stand there if the blanks between the groups separate instead."""


class Code(NamedTuple):
    """Digits that are no number (``1.29.3``, ``10.0.0.1``, a run too long to count)."""

    start: int
    end: int


def run_end(text: str, start: int) -> int:
    """Where the digits that begin at ``start`` end."""
    match = _RUN.match(text, start)
    return match.end() if match is not None else start


_RUN = pattern(r"\d+")
_GOES_ON = frozenset(".,'’ʼ٬٫，．·_eExX×*/⁄^⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒")


def read_digits(text: str, start: int, end: int, style: Style) -> tuple[Numeral | Code, ...]:
    """The numbers that begin with the digits from ``start`` to ``end``: one, or several where commas only list them (``7,8,9``)."""
    following = text[end : end + 1]
    if following in _BLANK and following:
        following = text[end + 1 : end + 2]
    if following not in _GOES_ON and not following.isdecimal() and end - start <= MAX_DIGITS:
        return (Numeral(start, end, Decimal(text[start:end])),)
    match = _NUMERAL.match(text, start)
    assert match is not None
    token, end = match["digits"], match.end("digits")
    if len(token) > MAX_DIGITS:
        return (Code(start, end),)
    parts = _split(token, start, style)
    last = parts[-1]
    if isinstance(last, Code):
        return parts
    if token == "10" and (raised := _TEN_TO.match(text, end)) is not None:
        return (_raise(Numeral(start, end, Decimal(1)), "10" + raised[0], raised.end()),)
    if match["power"] is not None:
        return (*parts[:-1], _raise(last, match["power"], match.end()))
    if len(parts) == 1 and (whole := _add_fraction(text, last, token)) is not None:
        return (whole,)
    return parts


_THREES = pattern(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")


def _split(token: str, start: int, style: Style) -> tuple[Numeral | Code, ...]:
    """What a token of digits and separators says."""
    end = start + len(token)
    if token.isdecimal():
        return (Numeral(start, end, Decimal(token)),)
    if (token.count(",") > 1 or "." in token) and _THREES.fullmatch(token):  # 1,234,567 and 1,234.5 have one reading
        whole, _, decimals = token.partition(".")
        return (_number(start, end, whole.replace(",", ""), decimals),)
    marks = {c for c in token if not c.isdecimal()}
    if not marks.isdisjoint(_BLANK):
        return (_spaced(token, start, style),)
    plain = token.translate(_PLAIN_MARKS)
    if not marks.isdisjoint(_GROUP_MARKS):
        head, _, tail = _cut_decimals(plain)
        groups = re.split(f"[{_GROUP_MARKS}]", head)
        if all(len(group) == 3 for group in groups[1:]) and len(groups[0]) <= 3 and not set(head) & {".", ","}:
            return (_number(start, end, "".join(groups), tail),)
        return (Code(start, end),)
    if "٫" in marks:
        head, _, tail = plain.rpartition(".")
        return (_number(start, end, re.sub(r"\D", "", head), tail),)
    if "." in plain and "," in plain:
        return _two_marks(plain, start, style)
    mark = "." if "." in plain else ","
    pieces = plain.split(mark)
    if len(pieces) == 2:
        return _one_mark(pieces[0], mark, pieces[1], start, end, style)
    if (
        all(len(p) == 3 for p in pieces[1:])
        and len(pieces[0]) <= 3
        and not (mark == "." and len(pieces) == 4 and _is_address(pieces))
    ):
        return (_number(start, end, "".join(pieces), ""),)
    if mark == "," and _is_indian(pieces):
        return (_number(start, end, "".join(pieces), ""),)
    return (Code(start, end),) if mark == "." else _listed(pieces, start)


_PLAIN_MARKS = str.maketrans({"，": ",", "．": ".", "٫": ".", "·": "."})


def _spaced(token: str, start: int, style: Style) -> Numeral:
    """Groups of three between blanks. In English a plain blank seldom groups: columns of a table look the same."""
    if " , " in token:
        head, _, tail = token.partition(".")
        return _number(start, start + len(token), re.sub(r"\D", "", head), tail.strip())
    if " " in token and style.language in (None, "en"):
        if style.decimal_mark == ".":
            first = token.split(" ", 1)[0]
            return Numeral(start, start + len(first), Decimal(re.sub(r"\D", "", first)))  # no-break blanks may group it
        pieces = tuple([Decimal(piece) for piece in token.split() if piece.isdecimal()]) if style.language == "en" else ()
    else:
        pieces = ()
    head, _, tail = _cut_decimals(token)
    return _number(start, start + len(token), re.sub(r"\D", "", head), tail)._replace(pieces=pieces)


def _cut_decimals(token: str) -> tuple[str, str, str]:
    """The token cut at its last dot or comma."""
    at = max(token.rfind("."), token.rfind(","), token.rfind("٫"))
    return (token[:at], token[at], token[at + 1 :]) if at >= 0 else (token, "", "")


def _number(start: int, end: int, whole: str, decimals: str, other: Decimal | None = None) -> Numeral:
    if decimals:
        return Numeral(start, end, Decimal(f"{whole or '0'}.{decimals}"), other, Decimal(1).scaleb(-len(decimals), EXACT))
    return Numeral(start, end, Decimal(whole), other)


def _two_marks(plain: str, start: int, style: Style) -> tuple[Numeral | Code, ...]:
    """Dot and comma in one token: the last one is the decimal mark, if it stands once and the others group."""
    head, mark, tail = _cut_decimals(plain)
    groups = re.split("[.,]", head)
    if mark not in head and ((all(len(g) == 3 for g in groups[1:]) and len(groups[0]) <= 3) or _is_indian(groups)):
        return (_number(start, start + len(plain), "".join(groups), tail),)
    if "," in plain:
        found: list[Numeral | Code] = []
        at = start
        for piece in plain.split(","):
            found.extend(_split(piece, at, style))
            at += len(piece) + 1
        return tuple(found)
    return (Code(start, start + len(plain)),)


def _one_mark(whole: str, mark: str, tail: str, start: int, end: int, style: Style) -> tuple[Numeral | Code, ...]:
    """One dot or comma: a decimal mark, unless exactly three digits follow one to three."""
    if len(tail) != 3 or len(whole) > 3 or whole[0] == "0":
        if mark == "," and style.decimal_mark == "." and style.language in (None, "en"):
            return _listed([whole, tail], start)
        return (_number(start, end, whole, tail),)
    decimal = _number(start, end, whole, tail)
    if style.decimal_mark == mark:
        return (decimal,)
    grouped = Decimal(whole + tail)
    if style.decimal_mark is not None or (mark == "," and style.language in (None, "en")):
        return (Numeral(start, end, grouped),)
    if mark == ",":
        return (Numeral(start, end, grouped, decimal.value),)
    return (decimal._replace(other=grouped),)


def _is_indian(groups: list[str]) -> bool:
    """1,00,000: two digits a group, the last has three."""
    return len(groups) >= 3 and len(groups[0]) <= 2 and len(groups[-1]) == 3 and all(len(g) == 2 for g in groups[1:-1])


def _is_address(pieces: list[str]) -> bool:
    return all(int(p) <= 255 for p in pieces)


def _listed(pieces: list[str], start: int) -> tuple[Numeral, ...]:
    found = []
    for piece in pieces:
        found.append(Numeral(start, start + len(piece), Decimal(piece)))
        start += len(piece) + 1
    return tuple(found)


def _raise(numeral: Numeral, power: str, end: int) -> Numeral:
    """The number times ten to the power that follows it. An exponent of any size costs nothing: it is never written out."""
    digits = re.sub(r"[()^\s]", "", power.translate(_SUPERSCRIPT))
    exponent = int(digits[1:] if digits[0] in "eE" else digits.partition("10")[2])
    exponent = max(-(10**9), min(10**9, exponent))
    return Numeral(numeral.start, end, EXACT.scaleb(numeral.value, exponent), None, EXACT.scaleb(numeral.quantum, exponent))


def _add_fraction(text: str, numeral: Numeral, token: str) -> Numeral | None:
    """``6 3/4``, ``3 ½``, ``3/4``; None where no fraction follows."""
    if not token.isdecimal() or (match := _FRACTION.match(text, numeral.end)) is None:
        return None
    upper, lower, vulgar, under = match.groups()
    if vulgar:
        top, bottom = VULGAR[vulgar]
    elif under is not None:
        top, bottom = 0, int(under)
        if not bottom or len(token) > 4 or int(token) >= bottom or (int(token), bottom) == (24, 7):
            return None
        return Numeral(numeral.start, match.end(), quotient(numeral.value, bottom), None, Decimal(0), "fraction")
    else:
        top, bottom = int(upper), int(lower)
        if not 0 < top < bottom:
            return None
    return Numeral(numeral.start, match.end(), EXACT.add(numeral.value, quotient(Decimal(top), bottom)), None, Decimal(0))


def quotient(top: Decimal, bottom: int) -> Decimal:
    """Exact where it ends within 40 digits; else the same 40 digits for every spelling of the fraction."""
    return ROUNDED.divide(top, Decimal(bottom))


# ---------------------------------------------------------------- words

_WORD = pattern(r"[^\W\d_]{1,60}")
_JOINTS = frozenset([" ", "-", "\u00a0", "\u2010", "\u2011", "\n"])
_MOST_WORDS = 14
_AND = {"and": "en", "und": "de", "et": "fr", "y": "es"}
_HALVES = {"anderthalb": Decimal("1.5"), "eineinhalb": Decimal("1.5"), "zweieinhalb": Decimal("2.5"), "dreieinhalb": Decimal("3.5")}
_ORDINAL_UNITS = {"first": 1, "second": 2} | {word: value for word, value in ORDINALS.items() if value < 10}
_GERMAN = pattern(
    r"(?:(?P<thousands>[a-zäöüß]*?)tausend)?(?:und)?(?:(?P<hundreds>[a-zäöüß]{0,6}?)hundert)?(?:und)?(?P<rest>[a-zäöüß]*)"
)


def read_words(lower: str, start: int, style: Style) -> Numeral | None:
    """The number that the words from ``start`` on spell, as far as they go together; None where they spell none."""
    words = _words_from(lower, start)
    if words and (half := _HALVES.get(words[0][0])) is not None:
        return Numeral(start, words[0][2], half, None, Decimal(0))
    total, group, last, taken = 0, None, "", 0
    quantum = Decimal(1)
    index = 0
    while index < len(words):
        word = words[index][0]
        if word in _AND and index and last in ("hundred", "scale", "tens") and index + 1 < len(words):
            if last == "scale" and _and_a_half(words, index) is not None:
                break
            joined = NUMBER_WORDS.get(words[index + 1][0])
            if joined is None or (last == "tens") != (word in ("et", "y")) or joined.part not in ("small", "tens", "full"):
                break
            index += 1
            continue
        entry = _entry(word, style, alone=not index)
        if entry is not None:
            grown = _grow(group, last, *entry)
            if grown is None:
                break
            group, last = grown
        elif (scale := scale_of(word, style)) is not None and scale >= 12:
            if group is None and last not in ("", "scale"):
                break
            if group is None and last == "scale":
                total *= int(scale)
            else:
                total += (1 if group is None else group) * int(scale)
            group, last, quantum = None, "scale", scale
        else:
            break
        index += 1
        taken = index
    if not taken:
        return None
    if last != "scale":
        quantum = Decimal(1)
    value = Decimal(total + (group or 0))
    end = words[taken - 1][2]
    return _finish(words, taken, Numeral(start, end, value, None, quantum), last, lower)


def _words_from(lower: str, start: int) -> list[tuple[str, int, int]]:
    """The words from ``start`` on that single blanks or hyphens join, up to the first that is no part of a number."""
    words: list[tuple[str, int, int]] = []
    at = start
    while len(words) < _MOST_WORDS and (match := _WORD.match(lower, at)) is not None:
        word = match[0]
        words.append((word, at, match.end()))
        at = match.end()
        if lower[at : at + 1] not in _JOINTS or (word not in _PARTS and "hundert" not in word and "tausend" not in word):
            break
        at += 1
    return words


_PARTS = frozenset([*NUMBER_WORDS, *SCALES, *_AND, *DENOMINATORS, *ORDINALS, "a", "an", "first"])


def _entry(word: str, style: Style, alone: bool) -> tuple[str, int] | None:
    """The part and value of a number word in this text."""
    entry = NUMBER_WORDS.get(word)
    if entry is None:
        value = _german(word) if "hundert" in word or "tausend" in word else None
        return None if value is None else ("full", value)
    if alone and word in OTHER_LANGUAGE_WORDS and style.language != entry.language:
        return None
    return entry.part, entry.value


def _german(word: str) -> int | None:
    """``zweihundertfünfzig``, ``dreitausendvierhundert``; None if something else is in the word."""
    match = _GERMAN.fullmatch(word)
    if match is None:
        return None
    value = 0
    for part, size in ((match["thousands"], 1000), (match["hundreds"], 100), (match["rest"], 1)):
        if part is None or (part == "" and size == 1):
            continue
        if part in ("", "ein"):
            factor = 1
        elif (entry := NUMBER_WORDS.get(part)) is not None and entry.language == "de" and entry.part != "hundred":
            factor = entry.value
        elif size == 1000 and "hundert" in part and (inner := _german(part)) is not None:
            factor = inner
        else:
            return None
        value += factor * size
    return value


def _grow(group: int | None, last: str, part: str, value: int) -> tuple[int, str] | None:
    """The group with one more word, and what that word was; None if it does not go on so."""
    if part == "hundred":
        if group is None:
            return value, "hundred"
        return (group * 100, "hundred") if last in ("small", "tens", "full") and 0 < group < 100 else None
    if group is None:
        return value, "hundred" if part == "hundreds" else part
    if part == "hundreds":
        return None
    if last == "hundred":
        return group + value, part
    if last == "tens" and part == "small" and (0 < value < 10 or group % 100 in (60, 80)):
        return group + value, "small"
    if last == "small" and part == "small" and group % 20 == 10 and value in (7, 8, 9):  # dix-sept
        return group + value, "small"
    if last == "small" and part == "tens" and value == 20 and group % 100 == 4:  # quatre-vingt
        return group + 76, "tens"
    return None


def scale_of(word: str, style: Style) -> Decimal | None:
    """What a scale word multiplies by in this text; None for any other word."""
    found = SCALES.get(word)
    if found is None:
        return None
    value, languages = found
    if languages and style.language not in languages.split():
        return None
    if word in LONG_BILLION and style.language in ("de", "fr"):
        return Decimal("1e12")
    return value


def _finish(words: list[tuple[str, int, int]], taken: int, numeral: Numeral, last: str, lower: str) -> Numeral:
    """What may follow: a denominator, an ordinal ending, "and a half"; or nothing, and "one" alone is marked as such."""
    following = words[taken][0] if taken < len(words) else ""
    if last == "small" and numeral.value < 20 and taken == 1 and (bottom := DENOMINATORS.get(following)) is not None:
        end = words[taken][2]
        plural_quarters = bottom == 4 and following == "quarters" and lower[numeral.end] != "-" and lower[end : end + 3] != " of"
        if not plural_quarters and following not in ("second", "medio", "media") and numeral.value:
            return Numeral(numeral.start, end, quotient(numeral.value, bottom), None, Decimal(0), "fraction")
    if last == "tens" and (unit := _ORDINAL_UNITS.get(following)) is not None and lower[numeral.end] == "-":
        return Numeral(numeral.start, words[taken][2], EXACT.add(numeral.value, Decimal(unit)), None, Decimal(1), "ordinal")
    if (half := _and_a_half(words, taken)) is not None:
        part, end = half
        size = numeral.quantum if last == "scale" else Decimal(1)
        return Numeral(numeral.start, end, EXACT.add(numeral.value, EXACT.multiply(part, size)), None, Decimal(0))
    if taken == 1 and words[0][0] in ARTICLES:
        return numeral._replace(form="article")
    return numeral


def _and_a_half(words: list[tuple[str, int, int]], index: int) -> tuple[Decimal, int] | None:
    """The fraction that "and a half", "and three quarters" add, and where it ends."""
    if index + 2 >= len(words) or words[index][0] not in _AND:
        return None
    top, bottom = words[index + 1][0], DENOMINATORS.get(words[index + 2][0])
    if bottom is None:
        return None
    entry = NUMBER_WORDS.get(top)
    value = 1 if top in ("a", "an", "one") else entry.value if entry is not None and entry.value < bottom else 0
    return (quotient(Decimal(value), bottom), words[index + 2][2]) if value else None


def read_half(style: Style, start: int) -> Numeral | None:
    """``half a million``, ``a quarter of``, ``die Hälfte``: a share named by its denominator."""
    lower = style.lower
    words = _words_from(lower, start)
    word, _, end = words[0]
    bottom = DENOMINATORS[word]
    following = words[1][0] if len(words) > 1 else ""
    before = lower[max(0, start - 8) : start].split()
    article = bool(before) and before[-1] in _ONE and lower[start - 1] in " -\u00a0"
    begin = start - 1 - len(before[-1]) if article else start
    if word == "half":
        if following in ("a", "an") and len(words) > 2:
            return Numeral(start, words[1][2], Decimal("0.5"), None, Decimal(0), "half")
        if following in ("of", "the", "all", "its", "their"):
            return Numeral(begin, end, Decimal("0.5"), None, Decimal(0), "fraction")
        return None
    if word in _HALF_OF_A_UNIT:
        if style.language != _HALF_OF_A_UNIT[word]:
            return None
        return Numeral(start, end, Decimal("0.5"), None, Decimal(0), "half")
    if word in ("hälfte", "moitié", "mitad"):
        return Numeral(start, end, Decimal("0.5"), None, Decimal(0), "fraction")
    if article and (following in ("of", "der", "des", "de", "del") or word in _SURE_SHARES):
        return Numeral(begin, end, quotient(Decimal(1), bottom), None, Decimal(0), "fraction")
    return None


_HALF_OF_A_UNIT = {"halb": "de", "halbe": "de", "halben": "de", "media": "es", "demi": "fr", "demie": "fr"}
_ONE = frozenset("a an one ein einem eines einen un une".split())
_SURE_SHARES = frozenset("drittel viertel fünftel sechstel achtel zehntel tiers tercio".split())


# ---------------------------------------------------------------- Chinese and Japanese

_HAN_DIGITS = {
    c: v
    for v, chars in enumerate(["零〇", "一壹壱", "二贰貳弐两兩", "三叁參参", "四肆", "五伍", "六陆陸", "七柒", "八捌", "九玖"])
    for c in chars
}
_HAN_SMALL = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000, "천": 1000, "백": 100}
_HAN_LARGE = {"万": 10**4, "萬": 10**4, "만": 10**4, "亿": 10**8, "億": 10**8, "억": 10**8, "兆": 10**12, "조": 10**12}
HAN_DIGITS = "".join(_HAN_DIGITS)
HAN_SCALES = "".join(_HAN_SMALL) + "".join(_HAN_LARGE)
_HAN_TOKEN = pattern(rf"(?P<digits>\d+(?:[.,．]\d+)*)|(?P<han>[{HAN_DIGITS}])|(?P<scale>[{HAN_SCALES}])")
_HAN_RUN = pattern(rf"(?:[{HAN_DIGITS}{HAN_SCALES}]|\d+(?:[.,．]\d+)*(?=[{HAN_SCALES}])){{1,40}}")
_VAGUE_HAN = frozenset("数數几幾多")


def read_han(text: str, start: int) -> Numeral | None:
    """A number in Chinese numerals or myriads (``三十``, ``8億5千万``, ``二〇二六``); None where it is vague or part of a word."""
    match = _HAN_RUN.match(text, start)
    if match is None:
        return None
    run, end = match[0], match.end()
    if text[start - 1 : start] in _VAGUE_HAN or text[end : end + 1] in ("余", "餘", "多", "几", "幾"):
        return None
    tokens = [(m.lastgroup or "", m[0]) for m in _HAN_TOKEN.finditer(run)]
    if all(kind == "han" for kind, _ in tokens):
        if len(tokens) > 1:
            return Numeral(start, end, Decimal("".join(str(_HAN_DIGITS[c]) for _, c in tokens)))
        return Numeral(start, end, Decimal(_HAN_DIGITS[run]), form="single")
    if all(kind == "scale" for kind, _ in tokens) and run[0] != "十" and run[0] != "拾":
        return None
    value = _han_value(tokens)
    form = "single" if run in ("十", "拾") else ""
    return Numeral(start, end, value, None, _han_quantum(tokens), form)


def _han_value(tokens: list[tuple[str, str]]) -> Decimal:
    total, section, number, largest, step = Decimal(0), Decimal(0), None, 0, 0
    for kind, token in tokens:
        if kind == "digits":
            number, step = Decimal(token.replace(",", "").replace("．", ".")) if token.count(".") < 2 else Decimal(0), 0
        elif kind == "han":
            digit = _HAN_DIGITS[token]
            if digit == 0:
                step = 0
            number = (
                Decimal(digit) if number is None or not number else EXACT.add(EXACT.multiply(number, Decimal(10)), Decimal(digit))
            )
        elif token in _HAN_SMALL:
            step = _HAN_SMALL[token]
            section = EXACT.add(section, EXACT.multiply(Decimal(1) if number is None or not number else number, Decimal(step)))
            number = None
        else:
            step = _HAN_LARGE[token]
            section = EXACT.add(section, number or Decimal(0))
            if largest and step > largest:
                total = EXACT.multiply(EXACT.add(total, section), Decimal(step))
            else:
                total = EXACT.add(total, EXACT.multiply(section or Decimal(1), Decimal(step)))
            section, number, largest = Decimal(0), None, step
    if number is not None and step >= 100 and tokens[-2][0] == "scale" and tokens[-1][0] == "han":
        number = EXACT.multiply(number, Decimal(step // 10))  # 两万五 is 25,000
    return EXACT.add(total, EXACT.add(section, number or Decimal(0)))


def _han_quantum(tokens: list[tuple[str, str]]) -> Decimal:
    kind, token = tokens[-1]
    size = Decimal(_HAN_LARGE.get(token) or _HAN_SMALL.get(token) or 1)
    if kind == "scale" and len(tokens) > 1 and "." in tokens[-2][1]:
        return EXACT.scaleb(size, -len(tokens[-2][1].rpartition(".")[2]))
    return size
