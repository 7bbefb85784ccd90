"""Finds the quoted passages of an answer by their marks."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from contextpack_core.citations.borders import is_unspaced
from contextpack_core.citations.folding import UNSPACED
from contextpack_core.patterns import pattern
from contextpack_core.values import Span


def find_quotes(answer: str, skip: Sequence[Span] = ()) -> tuple[tuple[str, Span], ...]:
    """The quoted passages of an answer in their order: the text between the marks and its span, the outermost of nested ones.

    Marks of all common kinds pair up within a paragraph, and block quotes count. Apostrophes, inches, attributes and single words
    do not, nor does anything that begins in inline code or within ``skip`` (fenced code).
    """
    if not _ANY_MARK.search(answer):
        return ()
    closed = sorted(skip)
    blocks = _block_quotes(answer, closed)
    marks = _marks(answer, sorted([*closed, *blocks]))
    doubles = _doubles(answer, marks)
    singles = _singles(answer, marks, "‘‚") + _singles(answer, _outside(marks, doubles), "'‛")
    spans = [_stripped(answer, span) for span in _outermost([*blocks, *doubles, *singles])]
    found = [(answer[span.start : span.end], span) for span in spans]
    return tuple([(text, span) for text, span in found if words_in(text) >= _LEAST_WORDS])


_LEAST_WORDS = 2
_SURE_WORDS = 3
_UNSPACED = pattern(f"[{UNSPACED}]")

_ANY_MARK = pattern(r"[\"'“”„‟‘’‚‛«»‹›「」『』〝〞〟＂>]")
_LETTER = rf"[^\W\d_{UNSPACED}]"
_MARK_OR_PARAGRAPH = pattern(
    rf"[\"“”„‟‘‚‛«»‹›「」『』〝〞〟＂]|['’](?!(?<={_LETTER}.){_LETTER})|\n[^\S\n]*+\n|(?<!`)`++[^`\n]{{1,1000}}+`++"
)  # an apostrophe inside a word is none of them
_WORD = pattern(rf"[^\W{UNSPACED}]+")

_OPENERS = frozenset('"“„‟”«»‹「『〝＂')
_CLOSES = {
    '"': '"“„', "”": "“„‟”\"", "“": "„“\"", "‟": "„", "»": "«»", "«": "»", "›": "‹",
    "」": "「", "』": "『", "〞": "〝", "〟": "〝", "＂": "＂",
}  # fmt: skip
_SINGLE_CLOSES = {"‘": "’'", "‚": "‘’'", "'": "'’", "‛": "’'"}
_STRAIGHT = frozenset("\"'＂")  # marks whose neighbours tell whether they open or close
_EITHER_WAY = _STRAIGHT | frozenset("”»")
_NO_OPENING = pattern(r"['‘‛](?:\d\ds\b|(?:tis|twas|em|til|cause|bout|n)\b)", re.IGNORECASE)


def _marks(answer: str, closed: Sequence[Span]) -> list[int]:
    """The offsets of the quotation marks and paragraph ends outside inline code and the closed spans."""
    offsets: list[int] = []
    following = 0
    for mark in _MARK_OR_PARAGRAPH.finditer(answer):
        at = mark.start()
        if answer[at] == "`":
            continue
        while following < len(closed) and closed[following].end <= at:
            following += 1
        if following == len(closed) or at < closed[following].start:
            offsets.append(at)
    return offsets


def _outside(marks: Sequence[int], spans: Sequence[Span]) -> list[int]:
    """The marks that lie in none of the spans."""
    kept: list[int] = []
    following = 0
    for at in marks:
        while following < len(spans) and spans[following].end < at:
            following += 1
        if following == len(spans) or at < spans[following].start:
            kept.append(at)
    return kept


def _doubles(answer: str, marks: Sequence[int]) -> list[Span]:
    """The spans between double marks that pair up in a paragraph, nested ones too; one that nothing closes is none."""
    pairs: list[Span] = []
    unclosed: dict[str, list[int]] = {}
    for at, offset in enumerate(marks):
        char = answer[offset]
        if char == "\n":
            unclosed.clear()
            continue
        opened = [(unclosed[kind][-1], kind) for kind in _CLOSES.get(char, "") if unclosed.get(kind)]
        if opened and _can_close(answer, offset) and not _is_inch(answer, marks, at):
            start, _ = max(opened)
            pairs.append(Span(start + 1, offset))
            for offsets in unclosed.values():
                while offsets and offsets[-1] >= start:
                    offsets.pop()
        elif char in _OPENERS and _can_open(answer, offset):
            unclosed.setdefault(char, []).append(offset)
    return pairs


def _singles(answer: str, marks: Sequence[int], openers: str) -> list[Span]:
    """The spans between single marks, of which the closing ones may be apostrophes."""
    pairs: list[Span] = []
    at = 0
    while at < len(marks):
        opens = answer[marks[at]] in openers and _can_open(answer, marks[at])
        close = _closing(answer, marks, at) if opens else None
        if close is not None:
            pairs.append(Span(marks[at] + 1, marks[close]))
            at = close
        at += 1
    return pairs


def _closing(answer: str, marks: Sequence[int], opening: int) -> int | None:
    """The index of the mark that closes before another one opens: the first that no ``s`` stands before, else the first at all."""
    kind = answer[marks[opening]]
    possible: int | None = None
    for at in range(opening + 1, len(marks)):
        offset = marks[at]
        char = answer[offset]
        if char == "\n" or (kind in _STRAIGHT and char in _OPENERS):
            break
        if char in _SINGLE_CLOSES[kind] and _can_close(answer, offset):
            if answer[offset - 1] not in "sS":
                return at
            possible = at if possible is None else possible
        elif char == kind and _can_open(answer, offset):
            break
    return possible


def _outermost(spans: Sequence[Span]) -> list[Span]:
    """The spans that begin in no other one, in order."""
    kept: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if not kept or span.start >= kept[-1].end:
            kept.append(span)
    return kept


def _can_open(answer: str, offset: int) -> bool:
    char, before, after = answer[offset], answer[offset - 1 : offset] if offset else "", answer[offset + 1 : offset + 2]
    if not after or (after.isspace() and char not in "«»"):
        return False
    if (char in "'‛" and not after.isalnum()) or _NO_OPENING.match(answer, offset):
        return False
    if char not in _EITHER_WAY or not before:
        return True
    return not (_is_letter(before) or before in "=\\.,;!?)]}%" or after in ",.;:!?)")


def _can_close(answer: str, offset: int) -> bool:
    char, before, after = answer[offset], answer[offset - 1], answer[offset + 1 : offset + 2]
    if char in _STRAIGHT or char in "’“":
        return not (before.isspace() or _is_letter(after))
    return True


def _is_inch(answer: str, marks: Sequence[int], at: int) -> bool:
    """Whether a straight mark behind a figure means inches: the next one closes and cannot open."""
    offset = marks[at]
    if answer[offset] != '"' or not answer[offset - 1].isdigit() or at + 1 == len(marks):
        return False
    following = marks[at + 1]
    return answer[following] in '"”' and _can_close(answer, following) and not _can_open(answer, following)


def _is_letter(char: str) -> bool:
    """Whether a mark beside the character stands inside a word; in scripts without blanks it may stand anywhere."""
    return char.isalnum() and not is_unspaced(char)


def _stripped(answer: str, span: Span) -> Span:
    text = answer[span.start : span.end]
    start = span.start + len(text) - len(text.lstrip())
    return Span(start, max(start, start + len(text.strip())))


def words_in(text: str) -> int:
    """Words, of which two characters make one where none are written apart."""
    return len(_WORD.findall(text)) + len(_UNSPACED.findall(text)) // 2


def is_quotation(text: str) -> bool:
    """Whether quoted words are surely somebody's words: three or more, and no title or name."""
    if words_in(text) < _SURE_WORDS:
        return False
    words = [word for word in _WORD.findall(text) if len(word) > 3 or word[0].isupper()]
    return text[-1:] in ".!?" or not words or not all(word[0].isupper() for word in words)


_BLOCK = pattern(r"^[ ]{0,3}>[^\n]*+(?:\n[ ]{0,3}>[^\n]*+)*+", re.MULTILINE)
_BLOCK_START = pattern(r"[\s>]*")
_CALLOUT = pattern(
    r"\[!|[*_#\s]*(?:note|tip|hint|info|warning|caution|important|summary|example|question|answer|source|quelle|hinweis|achtung|remarque|nota)\b[^\n]{0,20}[:*]",
    re.IGNORECASE,
)
_ATTRIBUTION = pattern(r"\n[ ]{0,3}>\s*(?:—|–|--|―)[^\n]*\Z")


def _block_quotes(answer: str, closed: Sequence[Span]) -> list[Span]:
    """The block quotes (``>``), without a last line that names the author; no call-outs, no code, none that has quotation marks."""
    spans: list[Span] = []
    following = 0
    for block in _BLOCK.finditer(answer):
        start = _BLOCK_START.match(answer, block.start(), block.end()).end()  # type: ignore[union-attr]  # it matches anywhere
        while following < len(closed) and closed[following].end <= block.start():
            following += 1
        in_code = following < len(closed) and closed[following].start <= block.start()
        first = answer[start : start + 1]
        if in_code or not first or first in "\"“„«「『‘'»" or unicodedata.category(first) == "So" or _CALLOUT.match(answer, start):
            continue
        author = _ATTRIBUTION.search(answer, start, block.end())
        spans.append(Span(start, author.start() if author else block.end()))
    return spans
