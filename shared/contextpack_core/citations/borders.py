"""Where words and numbers end: no quotation is a part of one."""

from __future__ import annotations

import re
import unicodedata

from contextpack_core.citations.folding import INVISIBLE, UNSPACED
from contextpack_core.patterns import pattern


def is_whole(text: str, start: int, end: int) -> bool:
    """Whether ``text[start:end]`` (not empty) begins and ends at the border of a word or number.

    Not whole are 12 of 120, 12.5, -12, 12 %, 12-14 or 12 million, ``port`` of ``transport`` and ``known`` of ``well-known``.
    Scripts without blanks have no borders between letters.
    """
    return not (_cut_at_start(text, start) or _cut_at_end(text, start, end))


def is_unspaced(char: str) -> bool:
    """Whether the character is of a script that puts no blanks between words."""
    return _UNSPACED.match(char) is not None


_NO_READER_SEES = pattern(f"[{INVISIBLE}*_`]+")
_BEFORE = pattern(f"[{INVISIBLE}*_`]+\\Z")
_UNSPACED = pattern(f"[{UNSPACED}]")
_HAN_NUMERALS = frozenset("〇零一二三四五六七八九十百千万億兆两亿萬")
_HYPHENS = frozenset("-‐‑")
_SUPERSCRIPTS = frozenset("⁰¹²³⁴⁵⁶⁷⁸⁹")
_JOINT_BEFORE = pattern(r"[^\W\d_][-‐\u00ad][^\S\n]{0,40}\n[^\S\n]{0,40}\Z")
_JOINT_AFTER = pattern(r"[-‐\u00ad][^\S\n]{0,40}\r?\n[^\S\n]{0,40}[^\W\d_]")
_NUMBER_BEFORE = pattern(
    r"""\d[.,:/'’٫٬]\Z | (?:\A|[\s(\[])[.٫]\Z | [-‐‑‒–−+±~≈<≤≥^]\Z | (?<![a-z"/])>\Z""",
    re.VERBOSE,
)
_GROUP_BEFORE = pattern(r"(?<![\d.,])\d{1,3}[ \u00a0\u2009\u202f]\Z")
_GROUP = pattern(r"\d{3}(?!\d)")
_NUMBER_AFTER = pattern(
    r"""[.,:/'’٫٬]\d | [-‐‑‒–−]\d | \^ | [.]?[eE][-+]?\d
      | [ \u00a0\u202f]?(?:[%‰٪百千万億兆亿] | (?:per[ ]?cent | thousand | [mbt]r?illi | milliard | Mio | Mrd)\w{0,4}\b)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_GROUP_END = pattern(r"(?<![\d.,])\d{1,3}\Z")
_GROUP_AFTER = pattern(r"[ \u00a0\u2009\u202f]\d{3}(?!\d)")
_CONTRACTED = pattern(r"(?:t|s|d|m|ll|re|ve)(?!\w)")


def _cut_at_start(text: str, start: int) -> bool:
    """Whether the characters before ``start`` belong to the word or number that begins there."""
    window = text[max(0, start - 64) : start]
    if _JOINT_BEFORE.search(window):
        return True
    before = _BEFORE.sub("", window)
    first, previous = text[start], before[-1:]
    if not previous:
        return False
    if unicodedata.category(first)[0] == "M":
        return True
    if first.isdigit():
        if _NUMBER_BEFORE.search(before) or unicodedata.category(previous) == "Sc":
            return True
        if _GROUP_BEFORE.search(before) and _GROUP.match(text, start):
            return True
    elif first in ".,":
        return previous.isdigit() and text[start + 1 : start + 2].isdigit()
    if not _in_word(first):
        return unicodedata.category(first) == "Sc" and previous.isalpha() and not is_unspaced(previous)
    if previous in _HYPHENS:
        return _in_word(before[-2:-1])
    if previous in "'’":
        return _in_word(before[-2:-1]) and _CONTRACTED.match(text, start) is not None
    return is_one_word(previous, first)


def _cut_at_end(text: str, start: int, end: int) -> bool:
    """Whether the characters from ``end`` on belong to the word or number that ends there."""
    seen = _NO_READER_SEES.match(text, end)
    after = seen.end() if seen else end
    last, following = text[end - 1], text[after : after + 1]
    if not following:
        return False
    if unicodedata.category(following)[0] == "M":
        return True
    if last.isdigit() or last in _HAN_NUMERALS:
        if _NUMBER_AFTER.match(text, after) or unicodedata.category(following) == "Sc":
            return True
        if _GROUP_AFTER.match(text, after) and _GROUP_END.search(text, max(start, end - 8), end):
            return True
    elif last in ".,":
        return following.isdigit() and text[end - 2 : end - 1].isdigit()
    if not _in_word(last):
        return False
    if _JOINT_AFTER.match(text, end):
        return True
    if following in _HYPHENS or following in "'’":
        return _in_word(text[after + 1 : after + 2])
    if following in _SUPERSCRIPTS and text[max(start, end - 3) : end].isalpha() and end - start >= 3:
        return False  # a reference behind a word
    return is_one_word(last, following) and not (_is_hangul(last) and _is_hangul(following))


def is_one_word(left: str, right: str) -> bool:
    """Whether two neighbours are of one word, or of one number in Han numerals."""
    if left in _HAN_NUMERALS and right in _HAN_NUMERALS:
        return True
    return _in_word(left) and _in_word(right) and not (is_unspaced(left) or is_unspaced(right))


def _in_word(char: str) -> bool:
    return char.isalnum() or (char != "" and unicodedata.category(char)[0] == "M")


def _is_hangul(char: str) -> bool:
    """Korean particles are written to the word, so a quotation may well end before one."""
    return "가" <= char <= "힣"
