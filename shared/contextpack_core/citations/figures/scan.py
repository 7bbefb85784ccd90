"""From a text to the quantities in it: one pass that jumps from digit to digit and from number word to number word."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache

from contextpack_core.citations.figures import dates
from contextpack_core.citations.figures.amounts import han_measure, read_amount, read_plain
from contextpack_core.citations.figures.dates import Moment
from contextpack_core.citations.figures.neighbours import join_neighbours
from contextpack_core.citations.figures.numerals import (
    HAN_DIGITS,
    HAN_SCALES,
    MAX_DIGITS,
    VULGAR,
    Code,
    Numeral,
    quotient,
    read_digits,
    read_half,
    read_han,
    read_words,
    run_end,
)
from contextpack_core.citations.figures.quantity import Quantity
from contextpack_core.citations.figures.style import Style
from contextpack_core.citations.figures.tables import (
    DENOMINATORS,
    EXACT,
    IDENTIFIER_CUES,
    MEASURES,
    NUMBER_PREFIXES,
    NUMBER_WORDS,
    ORDINALS,
    SCALES,
    Measure,
)
from contextpack_core.dates import MONTH_NAMES
from contextpack_core.patterns import pattern

# ---------------------------------------------------------------- where a figure may begin

_NTH = {
    "quarter half": "first second third fourth",
    "quartal halbjahr": "erste erstes ersten zweite zweites zweiten dritte drittes dritten vierte viertes vierten",
    "trimestre semestre": "premier deuxième troisième quatrième primer segundo tercer cuarto",
}
_NTHS = frozenset(nth for line in _NTH.values() for nth in line.split())
_PARTS = tuple([f" {part}" for parts in _NTH for part in parts.split()] + ["-quarter", "-half"])
_STEMS = ("quart", "hal", "mestre")  # one of them is in each part
_PERIOD_STARTS = frozenset("fy fiscal financial geschäftsjahr exercice ejercicio q1 q2 q3 q4 h1 h2".split())
_SHARE_WORDS = frozenset(DENOMINATORS) - frozenset("second third fourth fifth sixth seventh eighth ninth tenth medio".split())
_HOURS = {"noon": "12:00", "midnight": "00:00"}
_STARTS = (
    frozenset([word for word in NUMBER_WORDS if word not in ("un", "une", "uno", "una", "eins", "cents", "cent", "vingts")])
    | frozenset([word for word in SCALES if word.isalpha() and len(word) > 3])
    | frozenset(MONTH_NAMES)
    | frozenset(ORDINALS)
    | _SHARE_WORDS
    | _PERIOD_STARTS
    | _NTHS
    | frozenset([*_HOURS, "mil", "reiwa", "heisei", "anderthalb", "eineinhalb", "zweieinhalb", "dreieinhalb"])
)
_LATIN_STARTS = {
    word.encode("latin-1"): word for word in sorted(_STARTS) if word.encode("latin-1", "ignore").decode("latin-1") == word
}
_LATIN_SET = frozenset(_LATIN_STARTS)
_LETTERS = bytes([code if chr(code).isalnum() else 32 for code in range(256)])
_OTHER_SCRIPTS = pattern("[\u0370-\u0dff]")
_OTHER_WORDS = pattern(r"[\u0370-\u0dff]+")
_GERMAN_STARTS = pattern(r"(?<![^\W\d_])(?:ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun)?(?:hundert|tausend)")
_FY = pattern(r"(?<![^\W\d_])fy(?=\d)")


def _word_starts(lower: str) -> list[tuple[int, int, str]]:
    """Where number words, months and names of periods begin.

    The words of the text are met with those that may begin a figure as two sets, and only what both hold is looked for: most
    texts hold none or two, and a search for hundreds of words at each place would cost more than all the rest.
    """
    hits = _LATIN_SET.intersection(lower.encode("latin-1", "replace").translate(_LETTERS).split())
    found: list[tuple[int, int, str]] = []
    for hit in sorted(hits):
        word = _LATIN_STARTS[hit]
        at = lower.find(word)
        while at >= 0:
            end = at + len(word)
            if not (lower[at - 1 : at].isalnum() or lower[end : end + 1].isalnum()):
                found.append((at, end, word))
            at = lower.find(word, end)
    if "hundert" in lower or "tausend" in lower:
        found += [(m.start(), m.end(), m[0]) for m in _GERMAN_STARTS.finditer(lower)]
    if "fy" in lower:
        found += [(m.start(), m.end(), m[0]) for m in _FY.finditer(lower)]
    if _OTHER_SCRIPTS.search(lower) is not None:
        found += [(m.start(), m.end(), m[0]) for m in _OTHER_WORDS.finditer(lower) if m[0] in _STARTS]
    return found


_ASCII_SIGNS = pattern("[0-9]+")
_SIGNS = pattern(rf"\d+|[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒{HAN_DIGITS}十拾百佰千仟万萬亿億令平昭大明民]+")

# ---------------------------------------------------------------- the scan


@lru_cache(maxsize=512)
def scan(text: str, locale: str | None = None, answer: bool = False) -> tuple[Quantity, ...]:
    """The quantities of a text, in order. In an answer citation marks and code are no text; in a source code may hold facts.

    Pure, and remembered for the last 512 texts: passages are asked about again and again.
    """
    style = Style(_mask(text, answer), locale)
    readable, lower = style.text, style.lower
    scanner = _Scanner(style)
    signs = _ASCII_SIGNS if readable.isascii() else _SIGNS
    starts = [(*m.span(), "") for m in signs.finditer(readable)]
    words = _word_starts(lower)
    style.names_months = any(word in MONTH_NAMES for _, _, word in words) or (
        any(stem in lower for stem in _STEMS) and any(part in lower for part in _PARTS)
    )
    starts += words
    starts.sort()
    for start, end, word in starts:
        if start < scanner.position:
            continue
        if word:
            scanner.at_word(start, word)
        elif readable[start].isdecimal():
            scanner.at_digits(start, end)
        else:
            scanner.at_sign(start)
    return join_neighbours(scanner.found, lower)


_MARK = pattern(
    r"\[\[?\^?(?:[A-Za-z]{0,12}[ .#-]?\d{1,3}[A-Za-z]?)"
    r"(?:\s?[,;\-–]\s?\^?(?:[A-Za-z]{0,12}[ .#-]?)\d{1,3})*\]\]?|【[^】\n]{1,40}】|\(P\d{1,3}\)"
)
_CODE = pattern(r"`[^`\n]{1,300}`")
_FENCE = pattern(r"[ >]{0,3}(`{3,}|~{3,})")
_ADDRESS = pattern(r"(?:https?|ftp)://[^\s<>\"]{1,2000}|www\.[^\s<>\"]{1,2000}|[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,64}")
_FILLER = "\x00"


def _mask(text: str, answer: bool) -> str:
    """The text with what is no prose blanked out and digits of all scripts as 0 to 9, each character by one."""
    if not text.isascii() and _FOREIGN.search(text) is not None:
        text = text.translate(_AS_ASCII)
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


_ZEROS = (
    "\u0660\u06f0\u07c0\u0966\u09e6\u0a66\u0ae6\u0b66\u0be6\u0c66\u0ce6\u0d66\u0de6\u0e50\u0ed0\u0f20\u1040\u1090\u17e0\u1810"
    "\u1946\u19d0\u1a80\u1a90\u1b50\u1bb0\u1c40\u1c50\ua620\ua8d0\ua900\ua9d0\ua9f0\uaa50\uabf0\uff10"
)
_AS_ASCII: dict[int, str | int] = {ord(zero) + value: str(value) for zero in _ZEROS for value in range(10)}
_AS_ASCII |= str.maketrans("：／－﹣％﹪＋（）＄￥", ":/--%%+()$¥")
_FOREIGN = pattern(r"[^\D0-9]|[：／－﹣％﹪＋（）＄￥]")


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


_OPENING = "(\"'“„«»‘*_["
_TAIL = pattern(r"[\w./#@:+-]{1,32}$")
_TOKEN_END = pattern(r"[\w./#-]{0,64}")
_LATIN_LETTER = pattern(r"[A-Za-z_À-ÖØ-öø-ɏ]")
_ENUMERATOR = pattern(r"\d{1,3}\x00*[.)](?=\s|\x00|$)")
_SECTION = pattern(r"\d{1,2}(?:\.\d{1,2}){1,4}\.?(?=\s{1,3}([^\W\d_a-z][^\W\d_]{1,20}))")
_MEASURING = frozenset([*MEASURES, *SCALES, *MONTH_NAMES])
"""Words that make "2.5 Million" at the head of a line an amount, where "2.5 Fees" is a section."""
_LINE_HEAD = pattern(r"(?:[\s\x00>*#|(+•-]|\d{1,2}[.)]\s)*$")
_FORM = pattern(r"(\d{1,4})-([A-Z]{1,4})\d{1,4}(?![^\W_])")
_PHONE = pattern(
    r"\+\d{1,3}[ \-./(](?!000)(?:[ \-./(]?\d{2,10}[)]?){2,5}(?!\d)|\(\d{3}\)\s?\d{3}[-. ]\d{4}"
    r"|(?:1-)?\d{3}[-.]\d{3}[-.]\d{4}(?!\d)|\d{3}-\d{4}(?!\d)|0\d{2,4}[ /-]\d{2,10}(?:[ -]\d{2,6}){0,4}(?!\d)"
)
_POINTS = ".,·٫"
_ENDS_ENUMERATOR = frozenset(".)\x00")
_BEFORE_PHONE = frozenset("+(")
_IN_PHONE = frozenset("-. )/")
_HAN_COUNTERS = frozenset(
    "个個件台臺辆輛条條年月日天人名次种種类類项項点點元円圆吨噸米公小时時分秒周週岁歳才枚本冊册回度倍折成割层層阶階楼部套组組张張家所座只隻头頭支瓶箱袋包位批场場届期版级級万亿"
)


class _Scanner:
    """Reads one text from left to right; ``position`` is the end of what has been read."""

    def __init__(self, style: Style) -> None:
        self.text, self.lower, self.style = style.text, style.lower, style
        self.position = 0
        self.found: list[Quantity] = []

    # -- what may begin here

    def at_digits(self, start: int, end: int) -> None:
        """A run of digits: part of a name, a date, a list's number, a telephone number, or a number."""
        text = self.text
        before, following = text[start - 1 : start], text[end : end + 1]
        if before in ("^", "{") or text[start:end] == "000":  # x^2, $'000
            return
        alone = before == following == " "  # as most figures of prose: none of what glues digits to their neighbours
        if not alone and self._is_glued(start, end, before, following):
            return
        ahead = self.lower[max(self.position, start - 40) : start]
        last = (ahead.rsplit(None, 1) or ("",))[-1]
        if (cue := last.lstrip(_OPENING)) in IDENTIFIER_CUES and self._is_cued(start, cue):
            return
        if alone and (found := read_plain(self.style, start, end, ahead, last)) is not None:
            self._append(found)
            return
        words = ahead.split()
        inside = before in (".", ",") and text[start - 2 : start - 1].isdecimal()
        if not inside and (moments := dates.read_at_digits(text, start, end, self.style)):
            self._add_moments(moments)
        elif (
            (following in _ENDS_ENUMERATOR and self._is_enumerator(start, before))
            or (self._may_be_phone(start, before, following) and self._is_phone(start, before, words))
            or (following == ":" and self._is_ratio(start))
        ):
            return
        elif before in _POINTS and before and not inside and not text[start - 2 : start - 1].isalnum():
            quantum = Decimal(1).scaleb(-min(end - start, MAX_DIGITS), EXACT)
            self._add(Numeral(start - 1, end, Decimal(f"0.{text[start:end]}"), quantum=quantum), words)
        else:
            self._add_number(start, end, words)

    def _is_glued(self, start: int, end: int, before: str, following: str) -> bool:
        """Whether the digits are part of a name, or of an expression that is read as a whole; which is then passed, or added."""
        text = self.text
        if text.startswith("24/7", start):
            self.position = start + len("24/7")
        elif following == "-" and (form := _FORM.match(text, start)) is not None:
            self._add_name(start, form.end(), f"{form[1]}-{form[2]}".lower())
        elif before == "第":
            self._han_number(Numeral(start, end, Decimal(text[start:end][:MAX_DIGITS])))
        else:
            return bool(before) and (before.isalnum() or before in "_-/.#@+") and self._is_name(start)
        return True

    def _add_number(self, start: int, end: int, words: list[str]) -> None:
        """The number or numbers that begin with the digits, with what Chinese may add to them."""
        parts = read_digits(self.text, start, end, self.style)
        end = parts[-1].end
        following = self.text[end : end + 1]
        if following > "\u2e7f":
            measure = han_measure(self.text, end)
            weighed = measure is not None and isinstance(measure[0], Measure)  # 5千克 are kilograms, no thousands
            if not weighed and following in HAN_SCALES and (numeral := read_han(self.text, start)) is not None:
                parts = (numeral,)
            elif self.text.startswith("分之", end) and (share := self._han_share(parts[-1])) is not None:
                parts = (share,)
        for part in parts:
            if isinstance(part, Code):
                self._add_name(part.start, part.end, "version")
            else:
                self._add(part, words if part is parts[0] else [])

    def at_word(self, start: int, word: str) -> None:
        """A word that is a number, a month, or begins the name of a period."""
        end = start + len(word)
        if word in MONTH_NAMES:
            self._add_moments(dates.read_month(self.text, word, start, end))
        elif word in _NTHS and self.lower.startswith(_PARTS, end):
            self._add_period(start, end)
        elif word in _PERIOD_STARTS:
            if len(word) > 2 or self.text[start].isupper():
                self._add_period(start, end)
        elif word in _HOURS:
            self._add_moments((Moment(start, end, "time", (_HOURS[word],)),))
        elif word in ("reiwa", "heisei"):
            self._add_moments(tuple([m for m in (dates.read_era(self.text, start),) if m is not None]))
        elif word in ORDINALS:
            if self._is_ordinal(start, end):
                self._add(Numeral(start, end, Decimal(ORDINALS[word]), form="ordinal"))
            elif word in DENOMINATORS and (numeral := read_half(self.style, start)) is not None:
                self._add(numeral)
        elif word in DENOMINATORS:
            if (numeral := read_half(self.style, start)) is not None:
                self._add(numeral)
        elif word not in _NTHS:
            self._number_words(start, word)

    def _add_period(self, start: int, end: int) -> None:
        moment = dates.read_period(self.text, start)
        if moment is not None and (moment.end > end or self.text[start] == "Q"):
            self._add_moments((moment,))

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
            value = value if match[1] else f"--{value}"
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
            one_in = numeral.form == "article" and _IN_NUMBER.match(self.lower, numeral.end) is not None
            self._add(numeral._replace(form="") if one_in else numeral)

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
        if not body or (body[-1] == "R" and _RAND.match(self.text, start) is not None):
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
        if last in "-/+" and (lowered in NUMBER_PREFIXES or lowered in MONTH_NAMES or lowered in NUMBER_WORDS):
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
        name = match[0].rstrip(".-")
        name = name[: name.find(")")] if name.find("(") < 0 < name.find(")") else name  # (page 12)
        return self._add_name(start, start + len(name), kind)

    def _is_enumerator(self, start: int, before: str) -> bool:
        """Whether the number only counts a list's items (``2.``, ``(2)``); such a number is passed over."""
        match = _ENUMERATOR.match(self.text, start) or _SECTION.match(self.text, start)
        if match is None or (match.re is _SECTION and match[1].lower() in _MEASURING):
            return False
        line = self.text.rfind("\n", max(0, start - 16), start) + 1
        if (line or start < 16) and _LINE_HEAD.fullmatch(self.text, line, start):
            self.position = match.end()
            return True
        if match.re is _SECTION:
            return False
        if before != "(" or match.end() - start > 3 or self.text[match.end() - 1] != ")":
            return False
        ahead = self.text[max(0, start - 6) : start - 1].rstrip()
        if ahead[-1:] in (":", ";", ",", ".") or ahead.endswith((" and", " or")) or self._has_neighbour(start, match.end()):
            self.position = match.end()
            return True
        return False

    def _has_neighbour(self, start: int, end: int) -> bool:
        """Whether the next or the last number of an inline list stands near: "(1) … or (2) …"."""
        number = int(self.text[start : end - 1].strip("\x00"))
        return (
            self.text.find(f"({number + 1})", end, end + 600) >= 0
            or self.text.find(f"({number - 1})", max(0, start - 600), start) >= 0
        )

    def _may_be_phone(self, start: int, before: str, following: str) -> bool:
        """A quick look, as most numbers stand between blanks; of those a telephone number begins with a zero."""
        return before in _BEFORE_PHONE or (following in _IN_PHONE and (following != " " or self.text[start] == "0"))

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
            surface = self.text[moment.start : moment.end]
            self._append(Quantity(moment.start, moment.end, moment.kind, moment.readings[0], unit, sure, doubtful, surface=surface))

    def _append(self, quantity: Quantity) -> None:
        self.found.append(quantity)
        self.position = max(self.position, quantity.end)

    # -- Chinese

    def _han_share(self, bottom: Numeral | Code) -> Numeral | None:
        """``五分之一``: the denominator stands first."""
        if isinstance(bottom, Code) or not 0 < bottom.value <= _MOST_PARTS or bottom.value != bottom.value.to_integral_value():
            return None
        top = self._number_at(bottom.end + 2)
        if top is None:
            return None
        return Numeral(bottom.start, top.end, quotient(top.value, int(bottom.value)), None, Decimal(0), "fraction")

    def _number_at(self, start: int) -> Numeral | None:
        if self.text[start : start + 1].isdecimal():
            part = read_digits(self.text, start, run_end(self.text, start), self.style)[0]
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
            text[start] in "一壹壱" or not after or (after not in _HAN_COUNTERS and han_measure(text, end) is None)
        ):
            return
        self._add(numeral._replace(form=""))

    def _add(self, numeral: Numeral, words: list[str] | None = None) -> None:
        """The number with its sign and unit; ``words`` are those before it, where they are known."""
        if words is None:
            words = self.lower[max(self.position, numeral.start - 40) : numeral.start].split()
        found = read_amount(self.style, numeral, self.position, words)
        if isinstance(found, Code):
            self._add_name(found.start, self._token_end(found.start), "code")
        elif found is not None:
            self._append(found)


_IN_NUMBER = pattern(
    r" (?:in|out of|of) (?:\d{1,6}\b(?![.,]\d)|(?:two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|fifty|hundred)\b)"
)
_MOST_PARTS = 10**6
_ERA_SIGNS = frozenset("令平昭大明民")
_HAN_NUMBER = "[一二三四五六七八九十]{1,3}"
_HAN_YEAR = pattern(
    rf"([〇零一二三四五六七八九]{{4}})年(?:({_HAN_NUMBER})月(?:({_HAN_NUMBER})[日号號])?)?|({_HAN_NUMBER})月({_HAN_NUMBER})[日号號]"
)
_STANDALONE = frozenset("mil mille cien cent hundert tausend".split())
_ARTICLE_WORDS = frozenset("a an ein eine einer einen un une per".split())
_VAGUE = frozenset("several few many numerous couple mehrere einige plusieurs quelques varios varias algunos".split())
_REFERENCE = pattern(r"\d[\w.():-]{0,40}")
_RAND = pattern(r"\d{1,3}(?:[ ,]\d{3})+|\d+(?:\.\d+)?\s?(?:million|billion|thousand|bn|m)\b")
_REFERENCES = pattern(r"\d[\w.()]{0,40}(?:\s?(?:-|–|,|and|und|&|to)\s?\d[\w.()]{0,40}){0,8}")
_RATIO = pattern(r"(\d{1,6}):(\d{1,6})(?![\d:])")
