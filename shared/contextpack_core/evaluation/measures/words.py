"""Words of a text in whichever script, for measures that count them."""

from __future__ import annotations

import unicodedata

from contextpack_core.citations.folding import UNSPACED
from contextpack_core.patterns import pattern


def words_of(text: str) -> list[str]:
    """The words of the text, punctuation aside; in scripts that put no blanks between words each character is one."""
    if not text.isascii():  # vowel signs and accents belong to the letter before them
        text = "".join([c if c.isalnum() or unicodedata.category(c)[0] == "M" else " " for c in text])
        return spaced(text).split()
    return _WORD.findall(text)


def spaced(text: str) -> str:
    """The text with blanks around each character of a script that puts none between words."""
    if text.isascii() or not _UNSPACED.search(text):
        return text
    return _UNSPACED.sub(r" \g<0> ", text)


_WORD = pattern(r"[^\W_]+")
_UNSPACED = pattern(f"[{UNSPACED}]")
