"""Text in, text out: a normal form for comparison, and stable content ids."""

from __future__ import annotations

import hashlib
import re
import unicodedata


def content_id(*parts: object) -> str:
    """Sixteen hex digits that depend on the parts alone; any text may stand in them, lone surrogates included."""
    joined = "\x1f".join("" if part is None else str(part) for part in parts)
    return hashlib.blake2b(joined.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def folded(text: str) -> str:
    """The normal form of the text without case."""
    return normal(text).casefold()


def normal(text: str) -> str:
    """The text for comparison: NFKC, one kind of quotes and dashes, nothing invisible, white space as one blank, ends stripped.

    Superscripts, subscripts and fractions stay as they are: 10² is not 102.
    """
    if not text.isascii():
        if _VARIANTS.search(text):
            text = text.translate(ONE_KIND)
        if not is_plain(text):
            text = "".join([part if _RAISED.match(part) else unicodedata.normalize("NFKC", part) for part in _RAISED.split(text)])
    return " ".join(text.split())


def is_plain(text: str) -> bool:
    """Whether NFKC leaves the text as it is: no ligatures, full-width letters, no-break spaces or the like."""
    return text.isascii() or unicodedata.is_normalized("NFKC", text)


_RAISED = re.compile("([\u00b2\u00b3\u00b9\u00bc-\u00be\u2070-\u209c\u2150-\u215f\u2189]+)")
ONE_KIND: dict[int, str | None] = {
    # Quotes and dashes: one of each.
    **dict.fromkeys(map(ord, "\u2018\u2019\u201a\u201b"), "'"),
    **dict.fromkeys(map(ord, "\u201c\u201d\u201e\u201f\u00ab\u00bb\u2039\u203a"), '"'),
    **dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"), "-"),
    # Cannot be seen: soft hyphen, zero-width space, word joiners, byte order mark, direction marks, variation selectors. The
    # zero-width joiner and non-joiner stay: in some scripts they spell.
    **dict.fromkeys([0x00AD, 0x061C, 0x200B, 0x200E, 0x200F, 0xFE0E, 0xFE0F, 0xFEFF]),
    **dict.fromkeys([*range(0x202A, 0x202F), *range(0x2060, 0x2065), *range(0x2066, 0x206A)]),
}
_VARIANTS = re.compile("[" + "".join(map(chr, ONE_KIND)) + "]")
