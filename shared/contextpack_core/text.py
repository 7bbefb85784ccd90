"""Text in, text out: folding for comparison, and stable content ids."""

from __future__ import annotations

import hashlib
import unicodedata


def content_id(*parts: object) -> str:
    """Sixteen hex digits that depend on the parts alone; any text may stand in them, lone surrogates included."""
    joined = "\x1f".join("" if part is None else str(part) for part in parts)
    return hashlib.blake2b(joined.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def folded(text: str) -> str:
    """The text for comparison: NFKC, case folded, white space runs as one blank, ends stripped."""
    if text.isascii():
        return " ".join(text.lower().split())
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
