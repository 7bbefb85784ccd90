"""The words that turn a statement into its opposite, in the languages that answers are often written in."""

from __future__ import annotations

import re

from contextpack_core.patterns import pattern

_WORDS = (
    "not", "no", "never", "nor", "neither", "none", "nothing", "nobody", "nowhere", "cannot", "without", "unless", "except",
    "nicht", "kein", "keine", "keinen", "keinem", "keiner", "keines", "nie", "niemals", "ohne", "weder", "nichts", "niemand",
    "ne", "pas", "jamais", "sans", "aucun", "aucune", "non", "rien", "sauf",
    "nunca", "jamás", "sin", "ningún", "ninguna", "ninguno", "tampoco", "salvo",
    "não", "sem", "nem", "nenhum", "nenhuma", "senza", "nessun", "nessuna", "né",
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


def cut_negation(text: str, start: int, end: int) -> str:
    """The negation right before or right behind ``text[start:end]``, in the same clause, that bears on it; empty if there is none.

    "pay for damage" is cut out of "we will not pay for damage", and "der Motor startet" out of "der Motor startet nicht". Auxiliary
    verbs may stand between. "Without" and its kin deny a noun, which may be quoted alone.
    """
    before = _BEFORE.search(text[max(0, start - _WINDOW) : start])
    if before is not None:
        return before[1]
    behind = _BEHIND.match(text, end, end + _WINDOW)
    return "" if behind is None else behind[1]


_WINDOW = 60
_BEARING = (
    r"not|never|cannot|nor|neither|no|[^\W\d_]{1,8}n['’]t|nicht|nie|niemals|keine?[nmrs]?|pas|jamais|nunca|não|non|niet|geen|inte|"
    "ikke"
)
_BETWEEN = "be|been|being|have|has|to|longer|circumstances?|events?|case|way|werden|wird|wurden?|sind|ist|falls?|weise|être|ser"
_BEFORE = pattern(rf"(?<![^\W_])({_BEARING})(?:\s+(?:{_BETWEEN})){{0,3}}[\s*_`]*\Z", re.IGNORECASE)
_BEHIND = pattern(r"[ \n]{1,3}(not|never|nicht|nie|niemals|keine?[nmrs]?)(?![^\W_])(?!\s(?:only|nur)\b)", re.IGNORECASE)
