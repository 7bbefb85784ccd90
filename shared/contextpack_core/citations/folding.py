"""Folds a text for comparison, typography and markup gone, and keeps the way back to the original offsets."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from html import unescape

from contextpack_core.patterns import pattern

ROW_END = "\x1e"
"""What the end of a table row folds to: a row is a border that no quotation crosses unseen."""

UNSPACED = (
    r"\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Tibetan, Burmese, Khmer
    r"\u2e80-\u2fdf\u3001-\u3007\u3021-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
"""Scripts that put no blanks between words (kana and Han too), for a character class."""

INVISIBLE = r"\u00ad\u034f\u061c\u0640\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff"
"""Characters that no reader sees: soft hyphens, joiners, direction marks, variation selectors, tags. For a character class."""

Stretch = tuple[int, int, int, int]
"""Start and end in the folded text, start and end in the source."""


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text. ``stretches`` are the places where its length differs from the source's; between them it goes one for one.

    ``joints`` are offsets of the folded text at which a line ended with a hyphen, which may belong to the word or not.
    """

    text: str
    stretches: tuple[Stretch, ...] = ()
    joints: tuple[int, ...] = ()

    def source_span(self, start: int, end: int) -> tuple[int, int] | None:
        """The place in the source that folded to ``text[start:end]`` (not empty); None if that cuts a character in two."""
        first, last = self._stretch_at(start), self._stretch_at(end - 1)
        if first[0] != start or last[1] != end:
            return None
        return first[2], last[3]

    def _stretch_at(self, offset: int) -> Stretch:
        """The stretch that holds the offset, or the single character that does."""
        at = bisect_right(self.stretches, offset, key=_folded_start) - 1
        if at < 0:
            return offset, offset + 1, offset, offset + 1
        stretch = self.stretches[at]
        if offset < stretch[1]:
            return stretch
        origin = stretch[3] + offset - stretch[1]
        return offset, offset + 1, origin, origin + 1


def _folded_start(stretch: Stretch) -> int:
    return stretch[0]


def fold(text: str, references: bool = False) -> Folded:
    """The text without differences of typography, line breaks, case, markup and invisible characters.

    Words, digits, signs and their order stay. The text's own reference marks (``[7]``, ``[^2]``, a superscript number behind
    a word) and the numbers of its list items go unless ``references`` is true: a quotation that has any must have the right ones.
    """
    out: list[str] = []
    stretches: list[Stretch] = []
    joints: list[int] = []
    length = done = 0
    last = ""  # the last character put out

    for token in _tokens(text):
        start, end = token.span()
        if last == " " and text[done] == " " and start > done:
            stretches.append((length, length, done, done + 1))
            done += 1
        if start > done:
            out.append(text[done:start])
            length += start - done
            last = text[start - 1]
        done = end
        kind = token.lastgroup or ""
        if kind == "letters":
            parts = [folded_char(char) for char in token.group()]
            new = "".join(parts)
            if len(new) != len(parts) or "" in parts:
                at = length
                for place, part in enumerate(parts, start):
                    if len(part) != 1:
                        stretches.append((at, at + len(part), place, place + 1))
                    at += len(part)
        else:
            new = _KEPT[kind](token.group(), last) if references and kind in _KEPT else _RULES[kind](text, start, end, last)
            if kind == "joint":
                joints.append(length)
            elif last == " " and new[:1] == " ":
                new = new[1:]
            if len(new) != end - start:
                stretches.append((length, length + len(new), start, end))
        out.append(new)
        length += len(new)
        last = new[-1:] or last

    if last == " " and text[done : done + 1] == " ":
        stretches.append((length, length, done, done + 1))
        done += 1
    out.append(text[done:])
    folded = "".join(out).lower()
    if not unicodedata.is_normalized("NFD", folded):
        folded = unicodedata.normalize("NFD", folded)  # all is decomposed by now: this only puts marks in order
    return Folded(folded, tuple(stretches), tuple(joints))


fold_passage = lru_cache(maxsize=256)(fold)
"""``fold`` for texts that are looked at again and again."""


def _tokens(text: str) -> Iterator[re.Match[str]]:
    """Everything that is not simply copied. To look for its first character first is ten times faster."""
    at = 0
    while special := _SPECIAL.search(text, at):
        token = _TOKEN.match(text, special.start())
        if token is not None:
            yield token
        at = token.end() if token is not None else special.end()


@lru_cache(maxsize=20_000)
def folded_char(char: str) -> str:
    """What one character folds to, whatever stands beside it: decomposed for compatibility, case folded, digits as ASCII."""
    if char in _CHARACTERS:
        return _CHARACTERS[char]
    decimal = unicodedata.decimal(char, None)
    if decimal is not None:
        return str(decimal)
    once = unicodedata.normalize("NFKD", char).casefold()
    if once == char:
        return char
    return "".join([folded_char(part) if part != char else part for part in unicodedata.normalize("NFKD", once)])


_CHARACTERS = {
    **dict.fromkeys("‐‑‒–−", "-"),
    **dict.fromkeys("‘’‚‛ʼ´′「」『』｢｣«»‹›", "'"),
    **dict.fromkeys("®™℠", ""),
    "≥": ">=", "≤": "<=", "⩾": ">=", "⩽": "<=", "≠": "!=", "±": "+/-", "×": "x", "→": "->", "⋯": "...", "∼": "~", "〜": "~",
    "⁄": "/", "∕": "/", "。": ".", "٪": "%", "٫": ".", "٬": ",",
}  # fmt: skip

_SUPERSCRIPTS, _SUBSCRIPTS = "⁰¹²³⁴-⁹", "₀-₉"
_COUNTED = r"¼-¾⅐-↉①-⒛⓪-⓿❶-➓㉑-㉟㊀-㊉㊱-㊿"  # fractions and circled numbers: one character, several digits
_DOUBLE_MARKS = '"“”„‟″〝〞＂'

_TOKEN = pattern(
    rf"""
      (?P<letters> [^\x00-\x7f\s{INVISIBLE}‐‑«»‹›—―⸺⁺⁻{_SUPERSCRIPTS}{_SUBSCRIPTS}{_COUNTED}{_DOUBLE_MARKS}]++ )
    | (?P<joint> [-‐‑](?<=[^\W\d_].)[^\S\r\n]*+(?:\r\n?|\n)[^\S\r\n]*+(?=[^\W\d_]) )
    | (?P<invisible> \u00ad[^\S\r\n]*+(?:\r\n?|\n)[^\S\r\n]*+(?=[^\W\d_]) | [{INVISIBLE}]++ )
    | (?P<dash> \s*+(?:-{{2,}}+|[—―⸺]++)\s*+ )
    | (?P<reference>
          [^\S\n]*+\[(?:\s?\d{{1,3}}\s?(?:[,;–-]\s?\d{{1,3}}\s?){{0,20}}|\^[^\]\s]{{1,20}})\](?:\([^()\s]{{0,400}}\))?+
        | [⁺⁻]?[{_SUPERSCRIPTS}]++ )
    | (?P<pipe> [^\S\n]++\|[^\S\n]*+ | \|(?=[^\S\n]|\Z)[^\S\n]*+ | ^\| | [^\S\n]*+[•‣▪◦●■][^\S\n]*+ )
    | (?P<number> [^\S\n]*+\n\s*+\d{{1,2}}[.)][^\S\n]++(?=[^\W\d_]) )
    | (?P<line> [^\S\n]*+\n\s*+(?:>[>\s]*+(?!\d))?+(?:(?:\#{{1,6}}|[-*+•‣▪◦●■])[^\S\n]++(?!\d))?+ )
    | (?P<guillemet> [«‹](?<!\w.)[^\S\n]++ | [^\S\n]++[»›](?!\w) )
    | (?P<blank> \s{{2,}}+ | [^\S ] | [ ](?=[]):;!?}}%‰°℃℉…{UNSPACED}]|[.,](?!\d)) | [ ](?<=[(\[{{{UNSPACED}].) )
    | (?P<entity> &(?:\#\d{{1,7}}|\#[xX][0-9a-fA-F]{{1,6}}|[A-Za-z][A-Za-z0-9]{{1,31}}); )
    | (?P<tag> </?(?:b|i|u|em|strong|span|a|code|mark|small|font|tt|kbd|ins|p|br|div|li|ul|ol|td|tr|th|table|h[1-6])
               (?:\s[^<>=]{{0,40}}=[^<>]{{0,300}})?\s{{0,3}}/?> )
    | (?P<escape> \\[!-/:-@\[-`{{-~] )
    | (?P<link> !?\[(?=[^\[\]\n]{{1,300}}+\]\()
        | \]\([^()\s]{{0,400}}+(?:\([^()\s]{{0,80}}+\)[^()\s]{{0,80}}+){{0,3}}+(?:\s"[^"\n]{{0,200}}")?\) )
    | (?P<emphasis> \*++ | _++ | `++ )
    | (?P<mark> [{_DOUBLE_MARKS}] | '' )
    | (?P<subscript> [{_SUBSCRIPTS}]++ )
    | (?P<counted> [{_COUNTED}] )
    | (?P<other> [‐‑«»‹›⁺⁻] )
    """,
    re.VERBOSE | re.MULTILINE,
)
_SPECIAL = pattern(  # what may begin a token; a blank, a hyphen or an apostrophe does so only beside certain others
    rf"[^A-Za-z0-9.,;:()/$%=+?{{}}@^~](?:(?<=[^ '-])|(?=[-\s—―⸺\[|»›\]):;!?}}%‰°℃℉…•‣▪◦●■.,'{UNSPACED}])|(?<=[(\[{{{UNSPACED}].))"
)
_CELLS = pattern(r"\s\|\s")
_LETTER_OR_UNSPACED = pattern(f"[{UNSPACED}]")


def _nothing(text: str, start: int, end: int, last: str) -> str:
    return ""


def _dash(text: str, start: int, end: int, last: str) -> str:
    """A dash between words has blanks; one between two figures is a range."""
    return "-" if text[start : start + 1] in "-—―⸺" and last.isdigit() and text[end : end + 1].isdigit() else " - "


def _superscript(text: str, start: int, end: int, last: str) -> str:
    """A power behind a figure, a reference behind a word (``fee²`` is none: ``m²`` is a unit), and otherwise the digits."""
    if text[end - 1] == "]" or text[end - 1] == ")":
        return ""
    if (text[max(0, start - 3) : start].isalpha() and start >= 3) or last in tuple(".,;:)'"):
        return ""
    return _raised(text[start:end], last)


def _raised(digits: str, last: str) -> str:
    plain = "".join([folded_char(digit) for digit in digits])
    return "^" + plain if last.isdigit() else plain


def _kept_reference(token: str, last: str) -> str:
    """The reference without its blanks and link."""
    if "[" not in token:
        return _raised(token, last)
    return (" " if token[0] != "[" else "") + "".join(token[: token.index("]") + 1].split()).replace("–", "-")


def _kept_number(token: str, last: str) -> str:
    return f" {token.strip()} "


def _line(text: str, start: int, end: int, last: str) -> str:
    """A border between two rows of a table, else a blank."""
    before = text[text.rfind("\n", 0, start) + 1 : start]
    following = text.find("\n", end)
    after = text[end : following if following >= 0 else len(text)]
    if before.rstrip().endswith("|") or after.startswith("|") or (_CELLS.search(before) and _CELLS.search(after)):
        return ROW_END
    return _blank(text, start, end, last)


def _blank(text: str, start: int, end: int, last: str) -> str:
    """One blank, or none where some set one and some do not: inside brackets, before punctuation, beside Han."""
    following = text[end : end + 1]
    if following in ".," and not text[end + 1 : end + 2].isdigit():
        return "" if following else " "
    if (
        following in "):;!?]}%‰°℃℉…"
        or last in tuple("([{")
        or _LETTER_OR_UNSPACED.match(following)
        or _LETTER_OR_UNSPACED.match(last)
    ):
        return ""
    return " "


def _entity(text: str, start: int, end: int, last: str) -> str:
    plain = unescape(text[start:end])
    return text[start:end] if plain == text[start:end] else fold(plain).text


def _tag(text: str, start: int, end: int, last: str) -> str:
    name = text[start:end].strip("</>").split()[0].lower()
    return ROW_END if name == "tr" else " " if name in _BLOCK_TAGS else ""


_BLOCK_TAGS = frozenset(("p", "br", "div", "li", "ul", "ol", "td", "th", "table", "h1", "h2", "h3", "h4", "h5", "h6"))


def _escape(text: str, start: int, end: int, last: str) -> str:
    return fold(text[end - 1 : end]).text


def _emphasis(text: str, start: int, end: int, last: str) -> str:
    """Nothing, but where the characters are no markup: ``3 * 4``, ``a*b``, ``max_gap``, ``____``."""
    before, after = text[start - 1 : start] if start else "", text[end : end + 1]
    alone = (not before or before.isspace()) and (not after or after.isspace())
    inside = before.isalnum() and after.isalnum() and text[start] != "`" and end - start == 1
    return text[start:end] if alone or inside else ""


def _mark(text: str, start: int, end: int, last: str) -> str:
    """One sign for all quotation marks; behind a figure it may mean inches, and these are not feet."""
    return '"' if last.isdigit() else "'"


def _guillemet(text: str, start: int, end: int, last: str) -> str:
    return "'"


def _subscript(text: str, start: int, end: int, last: str) -> str:
    return ("_" if last.isdigit() else "") + "".join([folded_char(digit) for digit in text[start:end]])


def _counted(text: str, start: int, end: int, last: str) -> str:
    """``2½`` is 2 1/2, not 21/2."""
    return (" " if last.isdigit() else "") + folded_char(text[start])


def _other(text: str, start: int, end: int, last: str) -> str:
    return folded_char(text[start])


def _space(text: str, start: int, end: int, last: str) -> str:
    return " "


_RULES: dict[str, Callable[[str, int, int, str], str]] = {
    "joint": _nothing,
    "invisible": _nothing,
    "dash": _dash,
    "reference": _superscript,
    "pipe": _space,
    "number": _line,
    "line": _line,
    "guillemet": _guillemet,
    "blank": _blank,
    "entity": _entity,
    "tag": _tag,
    "escape": _escape,
    "link": _nothing,
    "emphasis": _emphasis,
    "mark": _mark,
    "subscript": _subscript,
    "counted": _counted,
    "other": _other,
}
_KEPT: dict[str, Callable[[str, str], str]] = {"reference": _kept_reference, "number": _kept_number}
