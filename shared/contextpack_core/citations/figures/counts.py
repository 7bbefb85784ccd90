"""Whether a small number counts the items of a list: "three modes: slow, medium and fast"."""

from __future__ import annotations

import re

from contextpack_core.patterns import pattern

_HEAD = pattern(r"[^.!?:;\n]{0,80}(?::|\bincluding|\bsuch as|\bnamely|—| – )")
_LISTED = pattern(r"[^.!?\n]{1,600}")
_SEPARATOR = pattern(r"\s*(?:[;,、，；]\s*(?:(?:and|or|und|oder|et|ou|y|o)\s)?|\s(?:and|or|und|oder|et|ou|y|o)\s)\s*")
_BULLETS = pattern(r"(?:[^\n]{0,200}\n+)(?P<items>(?:[ \t]{0,8}(?:[-*+•–]|\d{1,2}[.)]|\([a-z\d]\))\s[^\n]{1,2000}\n*){2,12})")
_ITEM = pattern(r"^[ \t]{0,8}(?:[-*+•–]|\d{1,2}[.)]|\([a-z\d]\))\s", re.M)
_NOUN = pattern(r"\s(?:[^\W\d_]{1,20}\s){0,2}?([^\W\d_]{4,20})\b")


def counted_behind(answer: str, end: int, count: int) -> str | None:
    """Says so if the answer lists that many items right behind the number that ends at ``end``."""
    bullets = _BULLETS.match(answer, end)
    if bullets is not None and len(_ITEM.findall(bullets["items"])) == count:
        return f"{count} items listed"
    head = _HEAD.match(answer, end)
    if head is None:
        return None
    listed = _LISTED.match(answer, head.end())
    return f"{count} items listed" if listed is not None and _items(listed[0]) == count else None


def counted_in(passage: str, behind: str, count: int) -> str | None:
    """Says so if the passage lists that many items under the word that follows the number in the answer."""
    noun = _NOUN.match(behind)
    if noun is None:
        return None
    stem, lower = noun[1].lower().rstrip("s"), passage.lower()
    at = lower.find(stem)
    while at >= 0:
        if (how := counted_behind(passage, at + len(stem), count)) is not None:
            return how
        at = lower.find(stem, at + 1)
    return None


def _items(text: str) -> int:
    """How many items a sentence lists; several clauses with semicolons are items whatever commas they hold."""
    if ";" in text:
        return len([part for part in text.split(";") if part.strip()])
    return len([part for part in _SEPARATOR.split(text) if part.strip()])
