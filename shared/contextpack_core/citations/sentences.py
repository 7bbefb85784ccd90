"""Where sentences end, in the languages that answers are often written in."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from contextpack_core.dates import MONTH_NAMES
from contextpack_core.patterns import pattern


def sentence_ends(text: str, start: int, end: int) -> Iterator[int]:
    """The places between ``start`` and ``end`` behind which a new sentence may begin: terminator and closing quotes included.

    A dot ends nothing inside a number, a name or an address, behind an abbreviation or an initial, before a small letter, or
    while a quotation is open that closes later. The end of the text itself is not reported.
    """
    quotations = _quotations(text, start, end)
    for found in _TERMINATOR.finditer(text, start, end):
        at = found.end()
        if at >= end or (quotations and _is_inside(at, quotations)):
            continue
        if text[found.start()] in _WIDE or (
            (text[at].isspace() or text[at] in _OPENERS) and _ends_sentence(text, start, found, end)
        ):
            yield at


_CLOSERS = "\"'”’»)›】」』）"
_OPENERS = "[［【〔"
_WIDE = "。！？｡．।॥؟۔።։"
# One class in front, so that the search leaps from one terminator to the next.
_TERMINATOR = pattern(rf"[.!?…‼⁇⁈⁉{_WIDE}][.!?…{_WIDE}]*[{re.escape(_CLOSERS)}*_]*")
_WORD_BEFORE = pattern(r"[^\s(\[{\"'“„«‘*_/]+\Z")
_NEXT_WORD = pattern(r"[\s\"'“„«‘(*_¿¡]*([^\W_]+)?")
_MARKS_AHEAD = pattern(r"(?:\s*[\[［【〔][^\[\]］】〕\n]{1,60}[\]］】〕])*")
_DOTTED = pattern(r"(?:[^\W\d_]{1,2}\.)+[^\W\d_]{1,2}\Z")
_LONGEST_QUOTATION = 400

# Never end a sentence.
_OPEN = frozenset(
    """
    dr mr mrs ms prof st mt rev hon gen col lt sgt capt cmdr vs approx ca cf resp incl excl est dept ext esp viz aka ed eds
    trans univ hr fr herr hrsg bzw bspw evtl ggf inkl exkl zzgl vgl sog zb dh ua ungef
    mme mlle mm mgr ste av env ex
    sr sra srta dña avda pág ej
    eg ie z
    """.split()
)
# End none before a number, a Roman numeral or a single letter.
_BEFORE_NUMBER = frozenset(
    """
    no nos nr nrn nº fig figs eq eqs sec sect art arts abs ch chap p pp pg s ss vol vols tab abb kap ziff lit nº num núm para
    paras cl ref refs anm bd bl rn rz ver v item step app anh
    """.split()
)
# End one only before a word that likes to begin sentences.
_MAYBE = frozenset(
    """
    etc inc ltd co corp jr sr al bros plc llc gmbh usw uvm ff jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed
    thu fri sat sun min max std tel str dia temp avg ave blvd rd hwy am pm ad bc ph
    """.split()
)
_STARTERS = frozenset(
    """
    the a an it its this that these those there he she they we you i his her their our my your in on at by for from with as
    if when while after before since during however but and or so because although though then thus therefore also no not
    each every all both some any only der die das ein eine es er sie wir ihr dies diese dieser im in am bei nach vor für wenn
    aber und oder dann auch nicht kein keine le la les un une il elle ils elles nous vous ce cette ces dans en si mais et el
    los las una ella ellos esto esta este """.split()
)
_COUNTED = frozenset([*MONTH_NAMES, "jahrhundert", "quartal", "halbjahr", "etage", "stock", "klasse"])
_ROMAN = pattern(r"[IVXLC]+\Z")


def _ends_sentence(text: str, start: int, found: re.Match[str], end: int) -> bool:
    ahead = _MARKS_AHEAD.match(text, found.end(), end)
    following = _NEXT_WORD.match(text, ahead.end() if ahead else found.end(), end)
    word = (following[1] if following else None) or ""
    terminator = found[0].rstrip(_CLOSERS + "*_")
    if word[:1].islower() and terminator != ".":
        return False
    if not word or not terminator.startswith((".", "…")) or "!" in terminator or "?" in terminator:
        return True
    before = _WORD_BEFORE.search(text, max(start, found.start() - 40), found.start())
    return before is None or not _abbreviates(before[0], word, text[max(start, before.start() - 5) : before.start()])


def _abbreviates(token: str, word: str, earlier: str) -> bool:
    """Whether the dot behind a token belongs to it, given the next word and the end of the word before it."""
    low = token.lower().rstrip(".")
    begins = word.lower() in _STARTERS and word[0].isupper()
    if low in _OPEN or low.replace(".", "") in _OPEN:
        return True
    if low in _BEFORE_NUMBER:
        return not word[0].isupper() or bool(_ROMAN.match(word)) or (len(word) == 1 and word.isalpha() and not begins)
    if low.isdigit():
        ordinal = word[0].islower() or word.lower() in _COUNTED or (not begins and _GERMAN_ARTICLE.search(earlier))
        return len(low) <= 2 and bool(ordinal)
    if low in _MAYBE or _DOTTED.match(token):
        return not begins
    if len(token) == 1 and token.isupper():
        return not begins
    return word[0].islower() and len(low) <= 4


_GERMAN_ARTICLE = pattern(r"\b(?:am|im|zum|vom|de[rmns]|das|die|ab)\s\Z", re.I)
_QUOTES = (("`", "`"), ('"', '"'), ("“", "”"), ("„", "“"), ("«", "»"), ("「", "」"), ("『", "』"))


def _quotations(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The quotations and inline code that open and close between the two places, none inside another, in order."""
    found: list[tuple[int, int]] = []
    for opener, closer in _QUOTES:
        at = text.find(opener, start, end)
        while at >= 0:
            stop = text.find(closer, at + 1, min(end, at + _LONGEST_QUOTATION))
            if stop >= 0:
                found.append((at, stop + 1))
            at = text.find(opener, max(stop, at) + 1, end)
    outer: list[tuple[int, int]] = []
    for a, b in sorted(found):
        if outer and a < outer[-1][1]:
            outer[-1] = (outer[-1][0], max(b, outer[-1][1]))
        else:
            outer.append((a, b))
    return outer


def _is_inside(at: int, quotations: list[tuple[int, int]]) -> bool:
    place = bisect_right(quotations, (at, 0)) - 1
    return place >= 0 and at < quotations[place][1]
