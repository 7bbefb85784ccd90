"""Reads from a question the day it asks about, and whether it asks about a change."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Literal

from contextpack_core.dates import bare
from contextpack_core.questions.periods import Period, find_periods

_LONGEST = 4000


@dataclass(frozen=True, slots=True)
class Question:
    """What a question says about time. ``text`` is the question as ``bare`` makes it, ``today`` the day from which it counts.

    ``change`` is ``any`` where it asks what changed, ``named`` where it compares what it names, which may be editions.
    """

    text: str
    today: date
    as_of: date
    periods: tuple[Period, ...] = ()
    change: Literal["", "any", "named"] = ""
    notices: tuple[str, ...] = ()


def read_question(query: str, today: date, *, dates: bool = False, changes: bool = True, cues: Sequence[str] = ()) -> Question:
    """The days and the change that a question asks about; ``today`` is the as-of date where it names no day, or several.

    Args:
        query: the question; of a long text only the first 4,000 characters are read.
        today: the day from which "last year" counts.
        dates: take the as-of date from the question.
        changes: look for questions about a change.
        cues: phrases that announce one, beside those known.
    """
    text = bare(query[:_LONGEST])
    change = _change(text, cues) if changes else ""
    if not (dates or change):
        return Question(text, today, today)
    periods, unclear = find_periods(text, today)
    as_of, notices = _as_of(periods, unclear, today, bool(change)) if dates else (today, [])
    return Question(text, today, as_of, tuple(periods), change, tuple(notices))


def mentions(text: str, name: str) -> bool:
    """Whether a question, as ``bare`` makes it, names an edition; a small number only with a word before it (``version 2``)."""
    name = bare(name).strip()
    plain = re.sub(r"^(?:v\.?|version|edition|release)\s?(?=\d)", "", name)
    if len(plain) < 2 or (plain.isdigit() and len(plain) < 4):
        plain = rf"(?:\bv|\b(?:version|edition|release|rev|revision|issue|fassung|ausgabe)s?\s){re.escape(plain)}"
        return re.search(rf"{plain}(?![\w]|\.\d)", text) is not None
    return re.search(rf"(?<![\d.])(?<![^\W\dv]){re.escape(plain)}(?![\w-]|\.\d)", text) is not None


# ---------------------------------------------------------------- changes

_NEAR = r"[^?.!]{0,40}?"  # a few words on, in the same sentence
_YEAR_FOLLOWS = r"(?=[^?.!]{0,80}?\b(?:19|20)\d\d)"

# What announces a question about a change, by language, in lower case without accents: these alone, ...
CHANGE_CUES: dict[str, tuple[str, ...]] = {
    "en": (
        r"what(?:'s|’s|s| is| has| have| was| were| will)? (?:been |be )?(?:changed?|amended)\b",
        r"what(?:'s|’s|s| is| was) new(?: in| since| with| for| from| compared|\?|$)",
        r"what(?:'s|’s|s| is| was) different (?:now|since|from the (?:old|previous|last)|in the (?:new|latest|current))\b",
        r"what changes (?:in|for|with|on|between|from|since)\b",
        r"(?:^|[?.!,;:] |\bhow )(?:has|have|did) (?!i\b|we\b|you\b|my\b|our\b|your\b)[^?.!]{1,80}? (?:changed?|evolved?)\b",
        r"\bany changes\b",
        r"\b(?:changes?|changed|amendments?|revisions?)(?: (?:were|have been|was))?(?: made)? (?:between|since|from)\b",
        rf"\b(?:old|previous|former|earlier)\b{_NEAR} (?:vs\.?|versus|compared (?:to|with)) (?:the )?(?:new|current|latest)\b",
        rf"\b(?:new|current|latest)\b{_NEAR} (?:vs\.?|versus|compared (?:to|with)) (?:the )?(?:old|previous|former|earlier|last)\b",
        rf"\bbefore and after\b{_YEAR_FOLLOWS}",
    ),
    "de": (
        r"\bwas (?:hat|haben|wird|wurde) (?:sich )?[^?.!]{0,80}?(?:geandert|verandert)",
        r"\bwas andert sich\b",
        r"(?:^|[?.!,;:] )hat sich\b[^?.!]{0,80}? (?:geandert|verandert)\b",
        r"\bwas ist neu (?:in|an|seit|ab)\b",
        r"\banderungen (?:zwischen|seit|gegenuber)\b",
        rf"\bvor und nach\b{_YEAR_FOLLOWS}",
    ),
    "fr": (
        r"\bce qui (?:a|avait) (?:ete )?(?:change|modifie)",
        r"\bquoi de neuf\b",
        r"\b(?:changements?|modifications?) (?:entre|depuis)\b",
        rf"\bavant et apres\b{_YEAR_FOLLOWS}",
    ),
    "es": (
        r"\bque (?:ha |han )?cambi(?:o|ado|aron)\b",
        r"\bque hay de nuevo\b",
        r"\bcambios (?:entre|desde)\b",
        rf"\bantes y despues\b{_YEAR_FOLLOWS}",
    ),
    "it": (r"\bcosa (?:e|sono) cambiat[oaie]\b", r"\bcambiamenti (?:tra|fra|da)\b", rf"\bprima e dopo\b{_YEAR_FOLLOWS}"),
    "pt": (r"\bo que mudou\b", r"\bmudancas (?:entre|desde)\b", rf"\bantes e depois\b{_YEAR_FOLLOWS}"),
    "nl": (r"\bwat is er (?:veranderd|gewijzigd)\b", r"\bwijzigingen (?:tussen|sinds)\b"),
    "pl": (r"\bco sie zmienilo\b", r"\bco sie zmieniło\b", r"\bzmiany (?:miedzy|od)\b"),
    "ru": (r"\bчто изменилось\b", r"\bизменения (?:между|с)\b"),
    "ja": (r"変更点", r"変わりました", r"変わった"),
    "zh": (r"有什么变化", r"有何变化", r"改了什么"),
    "ko": (r"달라졌", r"변경 ?사항"),
}
# ... these where the question names two editions, by name or by date, or an old and a new one.
COMPARISON_CUES: dict[str, tuple[str, ...]] = {
    "en": (r"\bcompar(?:e|ed|es|ing|ison)\b", r"\bdiffer(?:s|ent|ences?)?\b", r"\bversus\b", r"\bvs\b", r"\bchange[ds]?\b"),
    "de": (
        r"\bvergleich(?:e|en|t)?\b",
        r"\bunterschied(?:e|en|lich)?\b",
        r"\bunterscheidet\b",
        r"\banderung(?:en)?\b",
        r"\bgeandert\b",
    ),
    "fr": (r"\bcompare[rz]\b", r"\bcomparaison\b"),
    "es": (r"\bcomparar?\b", r"\bcomparacion\b", r"\bdiferencias?\b", r"\bcambi[oa]s?\b"),
    "it": (r"\bconfronta(?:re)?\b", r"\bdifferenz[ae]\b"),
    "pt": (r"\bdiferencas?\b", r"\bmudancas?\b"),
    "nl": (r"\bverschil(?:len)?\b", r"\bvergelijk\b"),
    "pl": (r"\broznic[aey]\b", r"\bzmiany?\b"),
    "ru": (r"\bразниц[аы]\b", r"\bотличия\b", r"\bсравни"),
    "ja": (r"違い",),
    "zh": (r"区别", r"差异"),
    "ko": (r"차이",),
}
OLD_AND_NEW: dict[str, tuple[str, ...]] = {
    "en": (
        rf"\b(?:old|previous|former|earlier|last)\b{_NEAR}\b(?:new|current|latest|present)\b",
        rf"\b(?:new|current|latest|present)\b{_NEAR}\b(?:old|previous|former|earlier|last)\b",
    ),
    "de": (rf"\b(?:alte|bisherige|vorige|fruhere)[rsnm]?\b{_NEAR}\b(?:neue|aktuelle)[rsnm]?\b",),
    "fr": (rf"\b(?:ancien(?:ne)?s?|precedente?s?)\b{_NEAR}\b(?:nouve(?:au|lle)|actuelle?)s?\b",),
    "es": (rf"\b(?:antigu[oa]|anterior)\b{_NEAR}\b(?:nuev[oa]|actual)\b",),
    "it": (rf"\b(?:vecchi[oa]|precedente)\b{_NEAR}\b(?:nuov[oa]|attuale)\b",),
    "pt": (rf"\b(?:antig[oa]|anterior)\b{_NEAR}\b(?:nov[oa]|atual)\b",),
    "nl": (rf"\b(?:oude|vorige)\b{_NEAR}\b(?:nieuwe|huidige)\b",),
    "pl": (rf"\bstar[aey]\b{_NEAR}\bnow[aey]\b",),
    "ru": (rf"\bстар(?:ая|ый|ой)\b{_NEAR}\bнов(?:ая|ый|ой)\b",),
}


def _change(text: str, cues: Sequence[str]) -> Literal["", "any", "named"]:
    change, comparison, old_and_new = _patterns()
    if change.search(text) or any(cue in text for cue in map(bare, cues) if cue):
        return "any"
    if not comparison.search(text):
        return ""
    return "any" if old_and_new.search(text) else "named"


@cache
def _patterns() -> list[re.Pattern[str]]:
    """Compiled when the first question needs them."""
    tables = (CHANGE_CUES, COMPARISON_CUES, OLD_AND_NEW)
    return [re.compile("|".join([cue for cues in table.values() for cue in cues])) for table in tables]


# ---------------------------------------------------------------- the as-of date


def _as_of(periods: Sequence[Period], unclear: Sequence[str], today: date, change: bool) -> tuple[date, list[str]]:
    """The day that the question asks about (of a change, the later one), and what was understood."""
    if unclear:
        return today, [f"{words!r} can be read as two days: the as-of date stays {today}" for words in unclear]
    if change and periods:
        days = [(p, today if p.relation == "since" else p.day(today)) for p in periods]
        return max(day for _, day in days), [f"understood {p.text!r} as {day}" for p, day in days if p.relation != "since"]
    notices = [f"{p.text!r} names a beginning: the as-of date stays {today}" for p in periods if p.relation == "since"]
    named = {p.day(today): p.text for p in periods if p.relation != "since"}
    if len(named) > 1:
        return today, [*notices, f"several days are named ({', '.join(map(repr, named.values()))}): the as-of date stays {today}"]
    for day, words in named.items():
        return day, [*notices, f"understood {words!r} as {day}"]
    return today, notices
