"""The words that turn a statement into its opposite, in the languages that answers are often written in."""

from __future__ import annotations

import re

from contextpack_core.patterns import pattern

_WORDS = (
    "not", "no", "never", "nor", "neither", "none", "nothing", "nobody", "nowhere", "cannot", "without", "unless", "except",
    "nicht", "kein", "keine", "keinen", "keinem", "keiner", "keines", "nie", "niemals", "ohne", "weder", "nichts", "niemand",
    "ne", "pas", "jamais", "sans", "aucun", "aucune", "non", "rien", "sauf",
    "nunca", "jamás", "sin", "ningún", "ninguna", "ninguno", "tampoco", "salvo",
    "não", "sem", "nem", "nenhum", "nenhuma", "mai", "senza", "nessun", "nessuna", "né",
    "niet", "geen", "nooit", "zonder", "inte", "ej", "aldrig", "utan", "ikke", "ei", "bez", "nigdy", "değil", "yok",
    "не", "нет", "ни", "без", "никогда", "нельзя", "لا", "لم", "لن", "ليس", "بدون", "غير", "नहीं", "बिना", "안", "못", "없이",
)  # fmt: skip
DENYING = frozenset([*_WORDS, *"""
    cant dont wont hardly barely scarcely rarely seldom fail fails failed lack lacks lacking refuse refused reject rejected
    deny denied prohibited forbidden banned excluded exclude excludes excluding exempt invalid void ni nada niente ingen
    inget aldri uden uten nikdy nu soha hayir tidak bukan tanpa jangan
""".split()])  # fmt: skip
"""These and the words that deny in another way: what one of two texts has and the other has not is no detail."""
_PARTS = r"n['’]t(?!\w)|[不没沒無无未非勿莫]|ない|ません|않|없|아니"
_NEGATION = pattern(rf"(?<!\w)(?:{'|'.join(_WORDS)})(?!\w)|{_PARTS}", re.IGNORECASE)


def negations(text: str) -> tuple[str, ...]:
    """The negations of a text in their order, in lower case; ``n't`` is ``not``. Some languages share words: a few are none."""
    return tuple(["not" if word.startswith(("n'", "n’")) else word for word in map(str.lower, _NEGATION.findall(text))])
