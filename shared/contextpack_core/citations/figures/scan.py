"""From a text to the quantities in it: one pass that jumps from digit to digit and from number word to number word."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from contextpack_core.citations.figures import dates
from contextpack_core.citations.figures.dates import Moment
from contextpack_core.citations.figures.numerals import (
    HAN_DIGITS,
    HAN_SCALES,
    VULGAR,
    Code,
    Numeral,
    quotient,
    read_digits,
    read_half,
    read_han,
    read_words,
    scale_of,
)
from contextpack_core.citations.figures.tables import (
    BOUNDS,
    COMMA_DECIMAL,
    CURRENCY_SPELLINGS,
    DENOMINATORS,
    DOT_REGIONS,
    ERAS,
    EXACT,
    FUNCTION_WORDS,
    IDENTIFIER_CUES,
    MEASURES,
    MONTHS,
    NUMBER_PREFIXES,
    NUMBER_WORDS,
    ORDINALS,
    PHRASE_HEADS,
    ROUNDED,
    SCALE_LETTERS,
    SCALES,
    SHARED_SIGNS,
    YEAR_CUES,
    Measure,
)

Key = tuple[str, Decimal | str]
"""A dimension and a value in its base; equal keys are equal quantities."""


class Quantity(NamedTuple):
    """A figure as it was read.

    ``value`` is as written, scale words multiplied in. Every one of ``readings`` is meant; of ``doubtful`` only one is, and it cannot be
    told which. ``written`` are the values without a unit. ``quantum`` is the size of the last written place and ``factor`` what turns
    value and quantum into the dimension's base. ``bound`` says how the words around loosen it. An ``open`` number names nothing that it
    counts, so its unit may stand elsewhere (a table's head). ``side`` is 1 or 2 for the first and second end of a range.
    """

    start: int
    end: int
    kind: str
    value: Decimal | str
    unit: str | None = None
    readings: tuple[Key, ...] = ()
    doubtful: tuple[Key, ...] = ()
    written: tuple[Decimal, ...] = ()
    factor: Decimal = Decimal(1)
    quantum: Decimal = Decimal(0)
    bound: str = ""
    open: bool = False
    scaled: bool = False
    side: int = 0
    aside: bool = False
    """Written in brackets, so perhaps negative as accountants write it."""


class Style:
    """How one text writes numbers and dates, found out when first asked."""

    __slots__ = ("_date_order", "_decimal_mark", "_language", "locale", "lower", "text")

    def __init__(self, text: str, lower: str, locale: str | None) -> None:
        self.text, self.lower, self.locale = text, lower, locale

    @property
    def language(self) -> str | None:
        """The language of the text by its frequent words, else that of the locale; None where neither tells."""
        if not hasattr(self, "_language"):
            declared = self.locale.replace("_", "-").partition("-")[0].lower() if self.locale else None
            self._language: str | None = declared or _language(self.lower)
        return self._language

    @property
    def decimal_mark(self) -> str | None:
        if not hasattr(self, "_decimal_mark"):
            self._decimal_mark: str | None = _decimal_mark(self.text) or self._usual_mark()
        return self._decimal_mark

    def _usual_mark(self) -> str | None:
        if self.locale:
            language, _, region = self.locale.replace("_", "-").partition("-")
            return "," if language.lower() in COMMA_DECIMAL and region.upper() not in DOT_REGIONS else "."
        return "," if self.language in COMMA_DECIMAL else None

    @property
    def date_order(self) -> str | None:
        if not hasattr(self, "_date_order"):
            self._date_order: str | None = dates.order_of(self.text, self.locale)
        return self._date_order


def _language(lower: str) -> str | None:
    words = lower[:1500].split()
    counts = {name: 0 for name in FUNCTION_WORDS}
    for word in words:
        for name, frequent in FUNCTION_WORDS.items():
            if word in frequent:
                counts[name] += 1
    ranked = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return ranked[0][0] if ranked[0][1] > ranked[1][1] else None


_MARKED = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)+(?![\w]|[.,-]\d)")


def _decimal_mark(text: str) -> str | None:
    """The decimal mark that the text's own unmistakable numbers show; None where they show none or both."""
    votes = {".": 0, ",": 0}
    for match in _MARKED.finditer(text):
        token = match[0]
        last = max(token.rfind("."), token.rfind(","))
        mark, other = token[last], "," if token[last] == "." else "."
        tail = len(token) - last - 1
        if other in token:
            if token.count(mark) == 1:
                votes[mark] += 1
        elif token.count(mark) > 1:
            if all(len(group) == 3 for group in token.split(mark)[1:]):
                votes[other] += 1
        elif tail != 3 or last > 3 or token[0] == "0":
            votes[mark] += 1
    if votes["."] > 3 * votes[","]:
        return "."
    if votes[","] > 3 * votes["."]:
        return ","
    return None


# ---------------------------------------------------------------- where a figure may begin


def _trie(words: list[str]) -> str:
    """One pattern for many words, by shared beginnings, so that a text is searched in a single pass."""
    tree: dict[str, dict] = {}  # type: ignore[type-arg]
    for word in words:
        node = tree
        for character in word:
            node = node.setdefault(character, {})
        node[""] = {}
    return _branch(tree)


def _branch(node: dict) -> str:  # type: ignore[type-arg]
    options = [re.escape(character) + _branch(rest) for character, rest in sorted(node.items()) if character]
    if not options:
        return ""
    pattern = options[0] if len(options) == 1 else f"(?:{'|'.join(options)})"
    return f"(?:{pattern})?" if "" in node else pattern


_SHARE_WORDS = [
    word
    for word in DENOMINATORS
    if word not in ("third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "medio")
]
_PERIOD_WORDS = [f"{nth} {part}" for nth in ("first", "second", "third", "fourth") for part in ("quarter", "half")] + [
    "fy", "fiscal", "financial year", "geschäftsjahr", "exercice", "ejercicio",
    *(f"{nth} {part}" for nth in ("erste", "erstes", "ersten", "zweite", "zweites", "zweiten", "dritte", "drittes", "dritten", "vierte", "viertes", "vierten") for part in ("quartal", "halbjahr")),
    *(f"{nth} {part}" for nth in ("premier", "deuxième", "troisième", "quatrième", "primer", "segundo", "tercer", "cuarto") for part in ("trimestre", "semestre")),
]  # fmt: skip
_LONE_NUMBER_WORDS = [
    w for w, entry in NUMBER_WORDS.items() if w not in ("un", "une", "uno", "una", "eins", "cents", "cent", "vingts")
]
_LATIN = [
    word
    for word in {
        *_LONE_NUMBER_WORDS,
        *(s for s in SCALES if s.isalpha() and len(s) > 3 and s.isascii() or s in ("millón",)),
        *_SHARE_WORDS,
        *ORDINALS,
        *MONTHS,
        *_PERIOD_WORDS,
        "noon",
        "midnight",
        "reiwa",
        "heisei",
    }
    if len(word) > 2 or word in NUMBER_WORDS
]
_GERMAN_STARTS = "(?:ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun)?(?:hundert|tausend)"
_WORD_START = re.compile(rf"(?<![^\W\d_])(?:{_trie(sorted(_LATIN))}(?![^\W_])|{_GERMAN_STARTS}|[qh][1-4](?!\d))")
_SIGN_START = re.compile(rf"\d+|[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒{HAN_DIGITS}十拾百佰千仟万萬亿億令平昭大明民]+")

# ---------------------------------------------------------------- the scan


@lru_cache(maxsize=512)
def scan(text: str, locale: str | None = None, answer: bool = False) -> tuple[Quantity, ...]:
    """The quantities of a text, in order. In an answer citation marks and code are no text; in a source code may hold facts.

    Pure, and remembered for the last 512 texts: passages are asked about again and again.
    """
    readable = _mask(text, answer)
    lower = readable.replace("İ", "I").lower()
    scanner = _Scanner(readable, lower, Style(readable, lower, locale))
    starts = [(m.start(), "") for m in _SIGN_START.finditer(readable)]
    words = [(m.start(), m[0]) for m in _WORD_START.finditer(lower)]
    for start, word in sorted(starts + words) if words else starts:
        if start < scanner.position:
            continue
        if word:
            scanner.at_word(start, word)
        elif readable[start].isdecimal():
            scanner.at_digit(start)
        else:
            scanner.at_sign(start)
    return _share_units(tuple(scanner.found), readable, lower)


_MARK = re.compile(
    r"\[\[?\^?(?:[A-Za-z]{0,12}[ .#-]?\d{1,3}[A-Za-z]?)(?:\s?[,;\-–]\s?\^?(?:[A-Za-z]{0,12}[ .#-]?)\d{1,3})*\]\]?|【[^】\n]{1,40}】|\(P\d{1,3}\)"
)
_CODE = re.compile(r"`[^`\n]{1,300}`")
_FENCE = re.compile(r"[ >]{0,3}(`{3,}|~{3,})")
_ADDRESS = re.compile(r"(?:https?|ftp)://[^\s<>\"]{1,2000}|www\.[^\s<>\"]{1,2000}|[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,64}")
_FILLER = "\x00"


def _mask(text: str, answer: bool) -> str:
    """The text with what is no prose blanked out, each character by one."""
    if answer:
        if "```" in text or "~~~" in text:
            text = _blank_fences(text)
        if "`" in text:
            text = _CODE.sub(_fill, text)
    if "[" in text or "【" in text or "(P" in text:
        text = _MARK.sub(_fill, text)
    if "://" in text or "@" in text or "www." in text:
        text = _ADDRESS.sub(_fill, text)
    return text


def _fill(match: re.Match[str]) -> str:
    return _FILLER * (match.end() - match.start())


def _blank_fences(text: str) -> str:
    lines = text.splitlines(keepends=True)
    fence = ""
    for index, line in enumerate(lines):
        match = _FENCE.match(line)
        if fence:
            if match is not None and match[1].startswith(fence):
                fence = ""
            lines[index] = _FILLER * (len(line) - 1) + "\n" if line.endswith("\n") else _FILLER * len(line)
        elif match is not None:
            fence = match[1]
            lines[index] = _FILLER * (len(line) - 1) + "\n" if line.endswith("\n") else _FILLER * len(line)
    return "".join(lines)


_TAIL = re.compile(r"[\w./#@:+-]{1,32}$")
_TOKEN_END = re.compile(r"[\w./#-]{0,64}")
_LATIN_LETTER = re.compile(r"[A-Za-z_À-ÖØ-öø-ɏ]")
_ENUMERATOR = re.compile(r"\d{1,3}\x00*[.)](?=\s|\x00|$)")
_LINE_HEAD = re.compile(r"[\s>*#|(+•-]*$")
_PHONE = re.compile(
    r"\+\d{1,3}(?:[ \-./]?\(?\d{1,5}\)?){2,6}|\(\d{3}\)\s?\d{3}[-. ]\d{4}|(?:1-)?\d{3}[-.]\d{3}[-.]\d{4}(?!\d)|\d{3}-\d{4}(?!\d)|0\d{2,4}[ /-]\d{2,4}(?:[ -]\d{2,4}){0,4}"
)
_DIGITS = re.compile(r"\d+")
_PREFIX = re.compile(
    r"(?:(?P<bracket>\()\s?)?(?P<sign>[-−–‒+±~≈<>≤≥]?)\s?(?P<money>"
    + "|".join(
        re.escape(s)
        for s in sorted(
            (s for s in CURRENCY_SPELLINGS if not s.isascii() or not s.isalpha() or s.isupper() or s in ("Rs", "kr", "Rp", "Fr")),
            key=lambda s: (-len(s), s),
        )
        if s != "$"
    )
    + r"|U\.S\.\s?\$|\$)?\s?(?P<inner>[-−–‒]?)(?P<inner_bracket>\(?)$"
)
_MINUS = "-−–‒"
_PREFIX_ENDS = frozenset("$€£¥￥₹₩₽₺₪₫฿₱₦₴₿.rspR+±~≈<>≤≥(" + _MINUS)
_AFTER = re.compile(
    r"\x00*(?P<gap>[ \u00a0\u202f\u2009-]?)\x00*(?P<word>(?![\u0900-\u0dff\u0e00-\u0e7f])[^\W\d_]+(?:\.(?=[^\W\d_]|\s|$))?(?:[23](?![\w]))?|[\u0900-\u0dff\u0e00-\u0e7f]+|°\s?[CF](?![^\W\d_])|[%‰‱％٪°℃℉€$£¥₹₩₽₺₪₫฿₱₦₴₿¢″′Ω])"
)
_NEXT_WORD = re.compile(r"[ \u00a0-]([^\W\d_]+[.$]?)")
_FUNCTION_NEXT = FUNCTION_WORDS["en"] | frozenset(
    "and or but if when then per each more less between after before while during under over a".split()
)
_HAN_COUNTERS = frozenset(
    "个個件台臺辆輛条條年月日天人名次种種类類项項点點元円圆吨噸米公小时時分秒周週岁歳才枚本冊册回度倍折成割层層阶階楼部套组組张張家所座只隻头頭支瓶箱袋包位批场場届期版级級万亿"
)
_BARE_YEAR = re.compile(r"(?:1[5-9]|20|21)\d\d")


class _Scanner:
    """Reads one text from left to right; ``position`` is the end of what has been read."""

    def __init__(self, text: str, lower: str, style: Style) -> None:
        self.text, self.lower, self.style = text, lower, style
        self.position = 0
        self.found: list[Quantity] = []

    # -- what may begin here

    def at_digit(self, start: int) -> None:
        """A digit: part of a name, a date, a list's number, a telephone number, or a number."""
        text = self.text
        before = text[start - 1] if start else " "
        if (before.isalnum() or before in "_-/.#@+") and self._is_name(start):
            return
        words = self.lower[max(self.position, start - 32) : start].split()
        if words and words[-1] in IDENTIFIER_CUES and self._is_cued(start, words[-1]):
            return
        inside = before in ".," and text[start - 2 : start - 1].isdecimal()
        if not inside and (moments := dates.read_at_digit(text, start, self.style)):
            self._add_moments(moments)
            return
        if self._is_enumerator(start, before) or self._is_phone(start, before, words) or self._is_ratio(start):
            return
        if before in ".,·٫" and not inside and not text[start - 2 : start - 1].isalnum():
            digits = _DIGITS.match(text, start)
            assert digits is not None
            size = len(digits[0])
            self._add(Numeral(start - 1, digits.end(), Decimal(f"0.{digits[0]}"), None, Decimal(1).scaleb(-min(size, 60), EXACT)))
            return
        parts = read_digits(text, start, self.style)
        end = parts[-1].end
        following = text[end : end + 1]
        if following and following in HAN_SCALES and (numeral := read_han(text, start)) is not None:
            parts = (numeral,)
        elif text.startswith("分之", end) and (share := self._han_share(parts[-1])) is not None:
            parts = (share,)
        for part in parts:
            if isinstance(part, Code):
                self._add_name(part.start, part.end, "version")
            else:
                self._add(part)

    def at_word(self, start: int, word: str) -> None:
        """A word that is a number, a month, or begins the name of a period."""
        end = start + len(word)
        if word in MONTHS and (moments := dates.read_month(self.text, word, start, end)):
            self._add_moments(moments)
        elif word in _PERIOD_STARTS or (word[0] in "qh" and word[1:].isdecimal()):
            if self.text[start].isupper() or word in _PERIOD_STARTS:
                moment = dates.read_period(self.text, start)
                if moment is not None and (word in _PERIOD_STARTS or moment.end > end or word[0] == "q"):
                    self._add_moments((moment,))
        elif word in _HOURS:
            self._add_moments((Moment(start, end, "time", (_HOURS[word],)),))
        elif word in ("reiwa", "heisei"):
            if (moment := dates.read_era(self.text, start)) is not None:
                self._add_moments((moment,))
        elif word in NUMBER_WORDS or word not in DENOMINATORS and word not in ORDINALS:
            self._number_words(start, word)
        elif word in ORDINALS and self._is_ordinal(start, end):
            self._add(Numeral(start, end, Decimal(ORDINALS[word]), form="ordinal"))
        elif (numeral := read_half(self.text, self.lower, start)) is not None:
            self._add(numeral)

    def at_sign(self, start: int) -> None:
        """A vulgar fraction, a Chinese numeral or the name of an era."""
        text = self.text
        if (share := VULGAR.get(text[start])) is not None:
            self._add(Numeral(start, start + 1, quotient(Decimal(share[0]), share[1]), None, Decimal(0), "fraction"))
        elif text[start] in _ERA_SIGNS:
            if (moment := dates.read_era(text, start)) is not None:
                self._add_moments((moment,))
        elif text.startswith(("百分之", "千分之"), start):
            self._han_percent(start)
        elif (match := _HAN_YEAR.match(text, start)) is not None:
            parts = [read_han(part, 0) for part in match.groups() if part]
            value = "-".join([f"{int(part.value):02}" for part in parts if part is not None])
            self._add_moments((Moment(start, match.end(), "date", (value,)),))
        elif (numeral := read_han(text, start)) is not None:
            self._han_number(numeral)

    def _number_words(self, start: int, word: str) -> None:
        before = self.lower[max(self.position, start - 14) : start].split()
        last = before[-1] if before and self.lower[start - 1] in " -\u00a0" else ""
        if (word in SCALES or word in ("hundred", "cents")) and word not in _STANDALONE:
            if last not in _ARTICLE_WORDS:
                return
            numeral = read_words(self.lower, start, self.style)
            if numeral is not None:
                self._add(numeral._replace(start=start - 1 - len(last)))
            return
        if last in _VAGUE:
            return
        numeral = read_words(self.lower, start, self.style)
        if numeral is not None:
            self._add(numeral)

    def _is_ordinal(self, start: int, end: int) -> bool:
        after = self.lower[end : end + 9]
        if after[:1] in (",", ".", ":") or after.lstrip(" -").startswith(("part", "person", "worl", "of ")):
            return False
        before = self.lower[max(0, start - 5) : start].split()
        return not (before and before[-1] in ("a", "an", "one"))

    # -- names

    def _is_name(self, start: int) -> bool:
        """Whether the digit belongs to a name (``E1042``, ``COVID-19``, ``v1.29``, ``#842``), which is then added."""
        match = _TAIL.search(self.text, max(self.position, start - 32), start)
        body = match[0].rpartition(":")[2] if match is not None else ""
        if not body:
            return False
        if body == "#":
            return self._add_name(start - 1, self._token_end(start), "issue")
        letters = body.rstrip("-./#_+")
        if not letters or not _LATIN_LETTER.search(letters):
            return False
        last, lowered = body[-1], letters.lower()
        if last.isalnum() and not _LATIN_LETTER.match(last):
            return False
        measure = MEASURES.get(body) or MEASURES.get(body.lower())
        if (measure is not None and measure.kind == "money") or body in ("x", "c", "ca", "c.", "ca."):
            return False
        if last == "." and (cue := IDENTIFIER_CUES.get(body.lower())) is not None:
            return self._add_name(start, self._token_end(start), cue)
        if last in "-/+" and (lowered in NUMBER_PREFIXES or lowered in MONTHS or lowered in NUMBER_WORDS):
            return False
        if last == "/" and (MEASURES.get(letters) or MEASURES.get(lowered)):
            return False
        return self._add_name(start - len(body), self._token_end(start), "version" if lowered == "v" else lowered)

    def _token_end(self, start: int) -> int:
        match = _TOKEN_END.match(self.text, start)
        assert match is not None
        return start + len(match[0].rstrip("./#-_"))

    def _is_cued(self, start: int, word: str) -> bool:
        """Whether the word before makes the number a name (``section 4.2``, ``RFC 3339``), which is then added."""
        kind = IDENTIFIER_CUES[word]
        if kind == "phone":
            return False
        match = _REFERENCES.match(self.text, start) if kind in ("section", "page", "figure") else _REFERENCE.match(self.text, start)
        assert match is not None
        return self._add_name(start, start + len(match[0].rstrip(".-")), kind)

    def _is_enumerator(self, start: int, before: str) -> bool:
        """Whether the number only counts a list's items (``2.``, ``(2)``); such a number is passed over."""
        match = _ENUMERATOR.match(self.text, start)
        if match is None:
            return False
        line = self.text.rfind("\n", max(0, start - 16), start) + 1
        if (line or start < 16) and _LINE_HEAD.fullmatch(self.text, line, start):
            self.position = match.end()
            return True
        if before != "(" or match.end() - start > 3 or self.text[match.end() - 1] != ")":
            return False
        ahead = self.text[max(0, start - 6) : start - 1].rstrip()
        if ahead[-1:] in (":", ";", ",", ".") or ahead.endswith((" and", " or")):
            self.position = match.end()
            return True
        return False

    def _is_phone(self, start: int, before: str, words: list[str]) -> bool:
        begin = start - 1 if before in "+(" and start else start
        match = _PHONE.match(self.text, begin)
        if match is None:
            return False
        token = match[0]
        plain = len(token) == 8 and token[3] == "-"
        if plain and token[4] != "0" and not any(IDENTIFIER_CUES.get(word) == "phone" for word in words):
            return False
        return self._add_name(begin, match.end(), "phone")

    def _is_ratio(self, start: int) -> bool:
        match = _RATIO.match(self.text, start)
        if match is None:
            return False
        value = f"{int(match[1])}:{int(match[2])}"
        self._append(Quantity(start, match.end(), "ratio", value, None, (("ratio", value),)))
        return True

    def _add_name(self, start: int, end: int, kind: str) -> bool:
        value = self.lower[start:end].replace(" ", "").lstrip("#")
        if kind == "version":
            value = value.lstrip("v")
        elif kind == "phone":
            value = re.sub(r"\D", "", value)
        self._append(Quantity(start, end, "identifier", value, kind, ((f"name {kind}", value),)))
        return True

    def _add_moments(self, moments: tuple[Moment, ...]) -> None:
        for moment in moments:
            keys = tuple([(moment.kind, reading) for reading in moment.readings])
            sure, doubtful = (keys, ()) if len(keys) == 1 else ((), keys)
            if moment.kind == "date" and moment.end - moment.start == 8 and self.text[moment.start : moment.end].isdecimal():
                sure = (*sure, ("n", Decimal(self.text[moment.start : moment.end])))
            unit = moment.unit or None
            self._append(Quantity(moment.start, moment.end, moment.kind, moment.readings[0], unit, sure, doubtful))

    def _append(self, quantity: Quantity) -> None:
        self.found.append(quantity)
        self.position = max(self.position, quantity.end)

    # -- Chinese

    def _han_share(self, bottom: Numeral | Code) -> Numeral | None:
        """``五分之一``: the denominator stands first."""
        if isinstance(bottom, Code) or not bottom.value:
            return None
        top = self._number_at(bottom.end + 2)
        if top is None or bottom.value != int(bottom.value) or bottom.value > 10**6:
            return None
        return Numeral(bottom.start, top.end, quotient(top.value, int(bottom.value)), None, Decimal(0), "fraction")

    def _number_at(self, start: int) -> Numeral | None:
        if self.text[start : start + 1].isdecimal():
            part = read_digits(self.text, start, self.style)[0]
            return None if isinstance(part, Code) else part
        return read_han(self.text, start) if start < len(self.text) else None

    def _han_percent(self, start: int) -> None:
        if self.text.startswith("百分之百", start):
            top: Numeral | None = Numeral(start + 3, start + 4, Decimal(100))
        else:
            top = self._number_at(start + 3)
        if top is not None:
            share = Decimal(1) if self.text[start] == "百" else Decimal("0.1")
            value = EXACT.multiply(top.value, share)
            self._append(
                Quantity(start, top.end, "percent", value, "%", (("percent", value),), (), (value,), Decimal(1), top.quantum)
            )

    def _han_number(self, numeral: Numeral) -> None:
        text, start, end = self.text, numeral.start, numeral.end
        if text.startswith("分之", end):
            if (share := self._han_share(numeral)) is not None:
                self._add(share)
            return
        before, after = text[start - 1 : start], text[end : end + 1]
        if before == "第":
            if after not in ("方", "者"):
                kind = "section" if after and after in "章条條节節款项項页頁号號" else ""
                if kind:
                    self._append(
                        Quantity(start, end, "identifier", str(numeral.value), kind, ((f"name {kind}", str(numeral.value)),))
                    )
                else:
                    self._add(numeral._replace(form="ordinal"))
            return
        if numeral.form == "single" and (
            text[start] in "一壹壱" or not after or (after not in _HAN_COUNTERS and _han_measure(text, end) is None)
        ):
            return
        self._add(numeral._replace(form=""))

    # -- a number with its sign, scale and unit

    def _add(self, numeral: Numeral) -> None:
        text = self.text
        start, numeral, again = numeral.start, *self._said_twice(numeral)
        prefix = self._prefix(start)
        start, negative, money, bracket, bound = prefix
        end = numeral.end
        closed = bracket and text[end : end + 1] == ")" and not again
        tail = self._suffix(end + 1 if closed else end, numeral, money)
        if tail is None:
            self._add_name(numeral.start, self._token_end(numeral.start), "code")
            return
        scale, measure, end, ordinal, sure_scale = tail
        if closed and end == numeral.end + 1:
            end = numeral.end
        if numeral.form == "article" and measure is None and not again:
            return
        words = self.lower[max(0, start - 40) : start].split()
        if words and words[-1] in _MINUS_WORDS:
            negative = not negative
        if bracket:
            closed = closed or text[end : end + 1] == ")"
            if closed and self._is_accounting(start, end, numeral, money):
                negative = True
        self._build(
            numeral,
            start,
            end,
            negative,
            scale,
            measure,
            ordinal,
            bound or self._bound(words, start, end),
            bracket and closed and not negative,
        )

    def _said_twice(self, numeral: Numeral) -> tuple[Numeral, bool]:
        """``thirty (30)`` and ``26 (twenty-six)`` are one number."""
        text, end = self.text, numeral.end
        at = end + 1 if text[end : end + 1] in " \u00a0" else end
        if text[at : at + 1] != "(" or at + 1 >= len(text):
            return numeral, False
        inner = at + 1
        if text[inner].isdecimal():
            if text[numeral.start].isdecimal():
                return numeral, False
            part = read_digits(text, inner, self.style)[0]
            other = None if isinstance(part, Code) else part
        else:
            other = read_words(self.lower, inner, self.style) if self.lower[inner].isalpha() else None
        if other is None or text[other.end : other.end + 1] != ")" or other.value != numeral.value:
            return numeral, False
        return numeral._replace(end=other.end + 1), True

    def _prefix(self, start: int) -> tuple[int, bool, Measure | None, bool, str]:
        """Where the figure begins, whether a minus stands before it, its currency, whether a bracket opens, and a sign of bound."""
        text = self.text
        if not start:
            return start, False, None, False, ""
        near = text[start - 1]
        if near in " \u00a0\u202f" and start > 1:
            near = text[start - 2]
        if not (near in _PREFIX_ENDS or near.isupper() or near > "\u2000"):
            return start, False, None, False, ""
        match = _PREFIX.search(text, max(self.position, start - 16), start)
        if match is None or match.start() == start:
            return start, False, None, False, ""
        begin, negative, bound = start, False, ""
        money = None
        if match["money"]:
            ahead = match.start("money")
            if not (text[match.start("money")].isalpha() and ahead and text[ahead - 1].isalnum()):
                name = match["money"]
                money = MEASURES.get(name) or MEASURES.get(name.lower())
                begin = ahead
        sign, inner = match["sign"], match["inner"]
        if (
            inner
            and (money is not None or not sign)
            and match.end("inner") == start - len(match["inner_bracket"])
            and self._is_sign(match.start("inner"), match.end("inner"))
        ):
            negative = True
            begin = min(begin, match.start("inner"))
        if sign and (money is not None or not match["money"]) and self._is_sign(match.start("sign"), match.end("sign")):
            if sign in _MINUS:
                negative = True
            bound = {"~": "about", "≈": "about", "<": "under", ">": "over", "≤": "most", "≥": "least"}.get(sign, "")
            begin = min(begin, match.start("sign"))
        bracket = (
            bool(match["bracket"]) and begin in (start, match.end("bracket"), match.start("sign")) or bool(match["inner_bracket"])
        )
        return begin, negative, money, bracket, bound

    def _is_sign(self, at: int, end: int) -> bool:
        """Whether a dash is a sign: nothing that it could join or separate stands before it, and the number follows at once."""
        text = self.text
        if text[at] in _MINUS and text[end : end + 1].isspace():
            return False
        return not at or not (text[at - 1].isalnum() or text[at - 1] in "%)]}°$€£¥\"'”’\x00")

    def _suffix(self, end: int, numeral: Numeral, money: Measure | None) -> tuple[Decimal, Measure | None, int, bool, bool] | None:
        """Scale, measure, end, whether an ordinal ending follows; None where letters make it a code."""
        text, scale, measure, ordinal = self.text, Decimal(1), money, numeral.form == "ordinal"
        scaled = False
        for turn in range(4):
            match = _AFTER.match(text, end)
            if match is None:
                break
            gap, word, stop = match["gap"], match["word"], match.end()
            lowered = word.lower()
            glued = not gap and text[end - 1].isdecimal() and not text[end : end + 1] == "\x00"
            if word[0] > "\u2e7f" and (found := _han_measure(text, match.start("word"))) is not None:
                meaning, stop = found
                if isinstance(meaning, Decimal):
                    scale, scaled, end = EXACT.multiply(scale, meaning), True, stop
                    continue
                measure, end = meaning, stop
                break
            if glued and not scaled and lowered in _ORDINAL_ENDINGS and numeral.quantum == 1 and money is None:
                return scale, None, stop, True, scaled
            if (
                (letter := SCALE_LETTERS.get(word)) is not None
                and (glued or money is not None)
                and not scaled
                and self._is_scale(word, money)
            ):
                scale, scaled, end = EXACT.multiply(scale, letter), True, stop
                continue
            size = scale_of(lowered, self.style) or (
                scale_of(lowered + ".", self.style) if not word.endswith(".") else scale_of(lowered[:-1], self.style)
            )
            if size is not None and (len(lowered) > 1) and not (numeral.form == "fraction" and glued):
                if lowered[:-1] in SCALES and lowered.endswith(".") and lowered not in SCALES:
                    stop -= 1
                scale, scaled, end = EXACT.multiply(scale, size), True, stop
                continue
            found_measure = self._measure(match, word, lowered, gap)
            if found_measure is not None:
                other, stop = found_measure
                if measure is None or (other.kind == "money" and other.symbol in SHARED_SIGNS.get(measure.symbol, ())):
                    measure, end = other, stop
                elif other.kind == "money" and (
                    other.symbol == measure.symbol or measure.symbol in SHARED_SIGNS.get(other.symbol, ())
                ):
                    end = stop
                break
            if glued and not turn and _LATIN_LETTER.match(word) and lowered not in ("x", "fold", "ish") and not ordinal:
                return None
            break
        return scale, measure, end, ordinal, scaled

    def _is_scale(self, word: str, money: Measure | None) -> bool:
        return word in ("k", "K", "M") or money is not None

    def _measure(self, match: re.Match[str], word: str, lowered: str, gap: str) -> tuple[Measure, int] | None:
        """What the words after a number measure, longest phrase first."""
        stop = match.end()
        if lowered.rstrip(".") in PHRASE_HEADS:
            phrase, ends = lowered, [(lowered, stop)]
            at = stop
            for _ in range(2):
                following = _NEXT_WORD.match(self.text, at)
                if following is None:
                    break
                at = following.end()
                phrase = f"{phrase} {following[1].lower()}"
                ends.append((phrase, at))
            for phrase, at in reversed(ends[1:]):
                for spelling, drop in ((phrase, 0), (phrase.rstrip("."), 1)):
                    if (measure := self._known(spelling)) is not None:
                        return measure, at - (drop if phrase.endswith(".") else 0)
        if word == "in" and (gap or self.text[stop : stop + 1] == " "):
            return None
        hyphenated = _HYPHENATED.match(self.text, match.start("word"))
        if hyphenated is not None and (measure := self._known(hyphenated[0]) or self._known(hyphenated[0].lower())) is not None:
            return measure, hyphenated.end()
        measure = self._known(word)
        if measure is None and (len(word) > 2 or word in _CAPITALS or word.endswith(".")):
            measure = self._known(lowered)
        if measure is None and word.endswith("."):
            stop -= 1
            measure = self._known(word[:-1]) or (self._known(lowered[:-1]) if len(word) > 3 else None)
        if measure is None:
            return None
        if measure.kind in ("quantity", "duration") and self.text[stop : stop + 1] == "/":
            return self._rate(measure, stop)
        return measure, stop

    def _known(self, spelling: str) -> Measure | None:
        measure = MEASURES.get(spelling)
        if measure is not None and measure.languages and self.style.language not in measure.languages.split():
            return None
        return measure

    def _rate(self, measure: Measure, stop: int) -> tuple[Measure, int]:
        """``mg/dl``, ``m³/h``: one unit by another; the first alone if the second is unknown."""
        match = _AFTER.match(self.text, stop + 1)
        under = self._known(match["word"]) if match is not None and not match["gap"] else None
        if match is None or under is None or under.kind not in ("quantity", "duration"):
            return measure, stop
        (dimension, factor, _), (below, size, _) = measure.readings[0], under.readings[0]
        reading = (f"{dimension}/{below}", ROUNDED.divide(factor, size), Decimal(0))
        return Measure(f"{measure.symbol}/{under.symbol}", "quantity", (reading,)), match.end()

    def _is_accounting(self, start: int, end: int, numeral: Numeral, money: Measure | None) -> bool:
        """Whether brackets around a number mean minus: in a table, or beside a currency, not in running prose."""
        text = self.text
        open_at = text.rfind("(", max(0, start - 2), numeral.start)
        close_at = text.find(")", numeral.end, end + 1)
        if open_at < 0 or close_at < 0:
            return False
        ahead = text[max(0, open_at - 3) : open_at]
        behind = text[close_at + 1 : close_at + 4]
        ahead_near, behind_near = ahead.rstrip(" \u00a0$€£¥")[-1:], behind.lstrip(" \u00a0%")[:1]
        formatted = not text[numeral.start : numeral.end].isdecimal() or money is not None
        cell_before = (
            ahead_near in ("", "|", "\t", "\n", ":", ")", "—", "-")
            or ahead_near.isdecimal()
            or ahead[-1:] in "$€£¥"
            and ahead != ""
        )
        cell_after = behind_near in ("", "|", "\t", "\n", "(", "$", "€", "£") or behind_near.isdecimal()
        if cell_before and cell_after:
            return formatted or behind_near in ("|", "\t", "\n", "(") or ahead_near in ("|", "\t", ")")
        if formatted and end > close_at + 1:
            return True
        return formatted and not behind_near.isalpha() and (cell_before or cell_after) and money is None

    def _bound(self, words: list[str], start: int, end: int) -> str:
        """How the words around loosen the number."""
        if self.text[end : end + 1] == "+" or self.lower.startswith(
            (" or more", " or older", " and over", " and above", " or above", " plus", "以上"), end
        ):
            return "least"
        if self.lower.startswith((" or less", " or fewer", " or under", " or younger", "以下", "以内"), end):
            return "most"
        for size in (3, 2, 1):
            if len(words) >= size and (bound := BOUNDS.get(" ".join(words[-size:]).strip('("“'))) is not None:
                return bound
        if start and self.text[start - 1] > "\u2e7f":
            return BOUNDS.get(self.text[start - 2 : start]) or BOUNDS.get(self.text[start - 1]) or ""
        return ""

    def _build(
        self,
        numeral: Numeral,
        start: int,
        end: int,
        negative: bool,
        scale: Decimal,
        measure: Measure | None,
        ordinal: bool,
        bound: str,
        aside: bool,
    ) -> None:
        """The quantity with its readings in every dimension that its unit may mean."""
        values = [EXACT.multiply(v, scale) if scale != 1 else v for v in (numeral.value, numeral.other) if v is not None]
        if negative:
            values = [-v if v.is_nan() else EXACT.minus(v) for v in values]
        value, quantum = values[0], EXACT.multiply(numeral.quantum, scale)
        if numeral.form == "fraction" and measure is None and scale == 1:
            readings = (("n", value), ("percent", EXACT.multiply(value, Decimal(100))))
            self._append(Quantity(start, end, "number", value, None, readings, (), (value,), Decimal(1), Decimal(0), bound))
            return
        if ordinal:
            self._append(Quantity(start, end, "ordinal", value, None, (("ordinal", value),)))
            return
        if measure is None:
            self._append(self._bare(numeral, start, end, values, quantum, bound, aside, scale))
            return
        keys = [(dimension, _convert(v, factor, shift)) for v in values for dimension, factor, shift in measure.readings]
        size = len(measure.readings)
        if (
            measure.kind == "quantity"
            and measure.symbol == "m"
            and scale == 1
            and self.text[end - 1 : end] == "m"
            and self.text[end - 2 : end - 1].isdecimal()
        ):
            keys.insert(size, ("n", EXACT.scaleb(value, 6)))
            size += 1
        self._append(
            Quantity(
                start,
                end,
                measure.kind,
                value,
                measure.symbol,
                tuple(keys[:size]),
                tuple(keys[size:]),
                tuple(values),
                measure.readings[0][1],
                quantum,
                bound,
                False,
                scale != 1,
                0,
                aside,
            )  # fmt: skip
        )

    def _bare(
        self,
        numeral: Numeral,
        start: int,
        end: int,
        values: list[Decimal],
        quantum: Decimal,
        bound: str,
        aside: bool,
        scale: Decimal,
    ) -> Quantity:
        """A number without a unit: a year, an age, a count, or a table's cell whose unit stands in the head."""
        text = self.text
        token = text[numeral.start : numeral.end]
        following = _NEXT_WORD.match(text, end)
        noun = following is not None and following[1].lower() not in _FUNCTION_NEXT and following[1][0].isalpha()
        is_open = not noun or self.style.language != "en"
        keys = [("n", v) for v in values]
        readings, doubtful = tuple(keys[:1]), tuple(keys[1:])
        words = self.lower[max(0, start - 24) : start].split()
        last = words[-1] if words else ""
        if len(token) == 4 and token.isdecimal() and scale == 1 and _BARE_YEAR.fullmatch(token) and start == numeral.start:
            year: Key = ("date", str(int(token)))
            if last in _SURE_YEAR_CUES:
                return Quantity(start, end, "date", year[1], None, (year,))
            if last in YEAR_CUES or not noun:
                return Quantity(start, end, "date", year[1], None, (year, *readings), (), tuple(values), Decimal(1), quantum, bound)
            readings = (*readings, year)
        if last in ("age", "aged", "ages") or (last == "of" and words[-2:-1] == ["age"]):
            readings = (*readings, *[("month", EXACT.multiply(v, Decimal(12))) for v in values[:1]])
        if numeral.pieces:
            readings = (*readings, *[("n", piece) for piece in numeral.pieces])
            values = [*values, *numeral.pieces]
        return Quantity(
            start,
            end,
            "number",
            values[0],
            None,
            readings,
            doubtful,
            tuple(values),
            Decimal(1),
            quantum,
            bound,
            is_open,
            scale != 1,
            0,
            aside,
        )


def _convert(value: Decimal, factor: Decimal, shift: Decimal) -> Decimal:
    """The value in the base of its dimension."""
    if factor != 1:
        value = EXACT.multiply(value, factor)
    return EXACT.add(value, shift) if shift else value


def _han_measure(text: str, start: int) -> tuple[Measure | Decimal, int] | None:
    """The longest measure or scale in Chinese, Japanese or Korean at ``start``, and where it ends."""
    for size in range(6, 0, -1):
        word = text[start : start + size]
        if len(word) < size:
            continue
        if (measure := MEASURES.get(word)) is not None:
            return measure, start + size
        if (scale := SCALES.get(word)) is not None:
            return scale[0], start + size
    return None


# ---------------------------------------------------------------- what two neighbours share

_RANGE = re.compile(r"\s?(?:-|–|—|−|‒|~|〜|～|to|through|until|bis|à|a|al|hasta|至|到|から)\s?|\s?(?:and|und|et|y|e)\s")


def _share_units(found: tuple[Quantity, ...], text: str, lower: str) -> tuple[Quantity, ...]:
    """The quantities with what the ends of a range share: unit, scale, year."""
    result = list(found)
    for index in range(len(result) - 1):
        left, right = result[index], result[index + 1]
        if right.start - left.end > 9 or right.start <= left.end or "identifier" in (left.kind, right.kind):
            continue
        gap = lower[left.end : right.start]
        if _RANGE.fullmatch(gap) is None:
            continue
        joined = gap.strip() in ("and", "und", "et", "y", "e")
        if left.kind == right.kind == "date":
            result[index] = _with_year(left, right)
        if joined and not lower[max(0, left.start - 10) : left.start].rstrip().endswith(("between", "zwischen", "entre")):
            continue
        result[index], result[index + 1] = _as_range(result[index], right)
    return tuple(result)


def _with_year(left: Quantity, right: Quantity) -> Quantity:
    """``3 June`` before ``5 July 2024`` is of 2024."""
    value, other = str(left.value), str(right.value)
    if not value.startswith("--") or other.startswith("--") or len(right.readings) != 1:
        return left
    full = other[:4] + value[1:]
    return left._replace(value=full, readings=(("date", full),))


def _as_range(left: Quantity, right: Quantity) -> tuple[Quantity, Quantity]:
    left, right = left._replace(side=1), right._replace(side=2)
    if left.unit is None and left.kind == "number" and right.kind in _MEASURED:
        left = _like(left, right)
    elif right.unit is None and right.kind == "number" and left.kind == "money":
        right = _like(right, left)
    if right.scaled and not left.scaled and left.kind in ("number", "money") and left.written:
        times = EXACT.divide(right.written[0], _unscaled(right))
        keys = tuple(
            [(dimension, EXACT.multiply(value, times)) for dimension, value in left.readings if isinstance(value, Decimal)]
        )
        left = left._replace(
            readings=(*keys, *left.readings),
            written=(EXACT.multiply(left.written[0], times), *left.written),
            value=EXACT.multiply(left.written[0], times),
        )
    return left, right


_MEASURED = frozenset(["money", "percent", "points", "quantity", "duration"])


def _like(bare: Quantity, other: Quantity) -> Quantity:
    """A bare number with the unit of the other end."""
    measure = MEASURES.get(other.unit or "")
    if measure is None:
        return bare
    keys = tuple([(d, _convert(v, factor, shift)) for v in bare.written[:1] for d, factor, shift in measure.readings])
    return bare._replace(kind=other.kind, unit=other.unit, readings=keys, factor=other.factor, open=False)


def _unscaled(quantity: Quantity) -> Decimal:
    """The number before its scale word: the largest power of a thousand is taken out."""
    value = quantity.written[0]
    return value.scaleb(-_power(quantity.quantum), EXACT)


def _power(quantum: Decimal) -> int:
    exponent = quantum.normalize(EXACT).adjusted()
    return max(3, -(-exponent // 3) * 3) if exponent >= 0 else 3


_PERIOD_STARTS = frozenset(_PERIOD_WORDS)
_HOURS = {"noon": "12:00", "midnight": "00:00"}
_ERA_SIGNS = frozenset("令平昭大明民")
_HAN_YEAR = re.compile(
    r"([〇零一二三四五六七八九]{4})年(?:([一二三四五六七八九十]{1,3})月(?:([一二三四五六七八九十]{1,3})[日号號])?)?"
)
_STANDALONE = frozenset("mil mille cien cent hundert tausend".split())
_ARTICLE_WORDS = frozenset("a an ein eine einer einen un une per".split())
_VAGUE = frozenset("several few many numerous couple mehrere einige plusieurs quelques varios varias algunos".split())
_MINUS_WORDS = frozenset("minus negative moins menos".split())
_ORDINAL_ENDINGS = frozenset("st nd rd th er ère ème eme e º ª te ten ter o".split()) - {"e", "o"}
_CAPITALS = frozenset("CM ML HR FT OZ KM LB".split())
_REFERENCE = re.compile(r"[\d][\w.()-]{0,40}")
_REFERENCES = re.compile(r"\d[\w.()]{0,40}(?:\s?(?:-|–|,|and|und|&|to)\s?\d[\w.()]{0,40}){0,8}")
_RATIO = re.compile(r"(\d{1,6}):(\d{1,6})(?![\d:])")
_HYPHENATED = re.compile(r"[^\W\d_]{1,12}[-·⋅./][^\W\d_]{1,12}(?:\([A-Z]\))?")
_SURE_YEAR_CUES = frozenset("in since during until year years seit jahr jahre fiscal calendar copyright © anno année año".split())
