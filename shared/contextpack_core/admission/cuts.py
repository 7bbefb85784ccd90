"""Where a text may be cut: between sentences, list items and table rows."""

from __future__ import annotations

import re

from contextpack_core.admission.selection import Stretch

_ENDS = re.compile(r"[.!?…。！？｡।॥؟۔።։។\n](?=[\s\"'”’»」』）)\]]|(?<=[。！？｡।॥؟۔።։។\n]))[\"'”’»」』）)\]]*\s*")
_NEEDS_SPACE = frozenset(".!?…")
_GOES_ON = frozenset(",;:.)]")
_LAST_WORD = re.compile(r"\w+(?:\.\w+)*\Z")
_SHORT_SENTENCE = 8  # characters: what is shorter goes with what follows,
_SHORT_LINE = 20  # and so does a line that is shorter than this: a heading


def sentences_of(text: str) -> list[Stretch]:
    """The stretches of the text that may stand alone, in order; together they are the whole text.

    A sentence keeps the white space after it. Lines are cut as well, so that list items and table rows are stretches. A short
    stretch, such as a heading, goes with the one after it. Nothing is cut behind an initial or an abbreviation.
    """
    stretches: list[Stretch] = []
    start, length = 0, len(text)
    for found in _ENDS.finditer(text):
        dot, end = found.span()
        mark = text[dot]
        if end == length or dot - start < (_SHORT_LINE if mark == "\n" else _SHORT_SENTENCE):
            continue
        if mark in _NEEDS_SPACE and (not text[end - 1].isspace() or text[end] in _GOES_ON):
            continue
        if mark != "." or not _abbreviates(text, start, dot, text[end].islower()):
            stretches.append((start, end))
            start = end
    if start < length:
        stretches.append((start, length))
    return stretches


def _abbreviates(text: str, start: int, dot: int, before_small_letter: bool) -> bool:
    """Whether the dot there belongs to an abbreviation: J. Smith, Dr. Smith, e.g. Paris, approx. five."""
    before = text[max(start, dot - 12) : dot]
    if "." not in before and before[-7 if before_small_letter else -4 :].isalpha() and len(before) >= 7:
        return False  # as most: a long word
    word = _LAST_WORD.search(before)
    if word is None:
        return False
    token = word[0]
    if not token.isalpha():
        return "." in token and token[0].isalpha()
    if before_small_letter:
        return len(token) <= 6
    return len(token) == 1 or (len(token) <= 3 and token[0].isupper() and not token.isupper())
