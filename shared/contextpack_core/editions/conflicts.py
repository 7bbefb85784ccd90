"""Finds passages that say the same with different figures, or one of them negated, where nothing decides between them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import combinations
from typing import NamedTuple

from contextpack_core.editions.families import shortened
from contextpack_core.likeness import difference
from contextpack_core.text import folded
from contextpack_core.values import Evidence, Source

Figures = tuple[tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two passages that say the same with different figures or negations, and nothing that decides between them.

    ``figures`` are those that differ, as each passage has them; none where a negation is the difference.
    """

    labels: tuple[str, str]
    figures: Figures
    why: str


def find_conflicts(evidence: Sequence[Evidence], *, compares_editions: bool = False) -> tuple[Conflict, ...]:
    """The conflicts between passages of different documents or editions, in the order of the evidence.

    Looked for are sentences that are the same, whatever their case, spaces and signs, but for figures or for a negation. What an
    identifier, a year, a condition, another family, title or section tells apart is no conflict, nor what the dates or links of two
    editions of one family decide. ``compares_editions``: the question asks for the difference.
    """
    found: dict[tuple[int, int, Figures], Conflict] = {}
    for one, other in _alike(evidence) if len(evidence) > 1 else ():
        a, b = evidence[one.at], evidence[other.at]
        why = _undecided(a.passage.source, b.passage.source, one.text, compares_editions)
        figures = _at_odds(one.text, other.text) if why else None
        if why and figures is not None:
            found.setdefault((one.at, other.at, figures), Conflict((a.label, b.label), figures, why))
    return tuple([found[key] for key in sorted(found)])


def mark_conflicts(evidence: Sequence[Evidence], *, compares_editions: bool = False) -> tuple[Evidence, ...]:
    """The labelled evidence, each passage with the labels of those it is in conflict with."""
    others: dict[str, list[str]] = {}
    for conflict in find_conflicts(evidence, compares_editions=compares_editions):
        for label, other in (conflict.labels, conflict.labels[::-1]):
            others.setdefault(label, []).append(other)
    return tuple([_marked(item, tuple(dict.fromkeys(others.get(item.label, ())))) for item in evidence])


def _marked(item: Evidence, others: tuple[str, ...]) -> Evidence:
    return replace(item, passage=replace(item.passage, conflicts_with=others)) if others else item


# ---- sentences that may say the same


class _Sentence(NamedTuple):
    """A sentence and the place of its passage in the evidence."""

    at: int
    text: str


_NEXT_SENTENCE, _NEXT_PASSAGE = b"\0", b"\1"
_BETWEEN = b"\0\1\0 "
_NO_LETTERS = bytes([c for c in range(2, 128) if not chr(c).isalpha()])
_SHORTEST = 10  # letters of a sentence that a negation can turn round
_MOST_ALIKE = 12  # sentences of one wording that are compared each with each


def _alike(evidence: Sequence[Evidence]) -> Iterator[tuple[_Sentence, _Sentence]]:
    """Pairs of sentences of different passages, in their order, that are the same but for figures, or but for a negation.

    Most evidence holds none, so all of it is looked through at once, as bytes; only what is alike is looked at more closely.
    """
    texts = [item.passage.text for item in evidence]
    lower = _spelt_out(_in_sentences([text.lower() for text in texts]))
    frames = _letters(lower).split(_NEXT_SENTENCE)
    counts = Counter(frames)
    repeated = {frame for frame, count in counts.items() if count > 1} - {b"", _NEXT_PASSAGE}
    turned = _turned_frames(lower, counts)
    if not repeated and not turned:
        return
    wanted = repeated.union(turned.values())
    alike: dict[bytes, list[_Sentence]] = {}
    negating: list[tuple[bytes, _Sentence]] = []
    at = 0
    for k, (sentence, frame) in enumerate(zip(_in_sentences(texts).split(_NEXT_SENTENCE), frames, strict=True)):
        if sentence == _NEXT_PASSAGE:
            at += 1
        elif frame in wanted or k in turned:
            said = _Sentence(at, sentence.decode("utf-8", "surrogatepass").strip())
            if frame in wanted:
                alike.setdefault(frame, []).append(said)
            if k in turned:
                negating.append((turned[k], said))
    for same in alike.values():
        if len(same) > 1:
            yield from _contradicting(same[:_MOST_ALIKE])
    for turned_frame, negated in negating:
        for other in alike[turned_frame][:_MOST_ALIKE]:
            if other.at != negated.at:
                yield min(negated, other), max(negated, other)


def _in_sentences(texts: Sequence[str]) -> bytes:
    """The texts as one, with a mark between two sentences, and another one between two texts."""
    text = _NEXT_PASSAGE.join([text.encode("utf-8", "surrogatepass") for text in texts])
    if _NEXT_SENTENCE in text or text.count(_NEXT_PASSAGE) >= len(texts):
        return _in_sentences([text.replace("\0", " ").replace("\1", " ") for text in texts])
    return text.replace(b"\n", b". ").replace(b". ", b"\0 ").replace(_NEXT_PASSAGE, _BETWEEN)


def _spelt_out(lower: bytes) -> bytes:
    """The text with a blank before the first word and after the last one, and ``n't`` in full."""
    lower = b" %b " % lower
    for short, long in _SHORTENED if b"n't" in lower or _N_T in lower else ():
        lower = lower.replace(short, long)
    return lower


_N_T = "n’t".encode()
_SHORTENED = ((_N_T, b"n't"), (b"can't", b"cannot"), (b"won't", b"will not"), (b"n't", b" not"))


def _letters(lower: bytes) -> bytes:
    return lower.translate(None, _NO_LETTERS)


def _turned_frames(lower: bytes, known: Container[bytes]) -> dict[int, bytes]:
    """For the place of each sentence with a negation, its letters without it, if another sentence has those."""
    turned: dict[int, bytes] = {}
    sentences = lower.split(_NEXT_SENTENCE)
    place = before = 0
    for found in _FROM_NEGATION.finditer(lower):
        place += lower.count(_NEXT_SENTENCE, before, found.start())
        before = found.start()
        letters = _letters(_without_negation(sentences[place]) or b"")
        if len(letters) >= _SHORTEST and letters in known:
            turned[place] = letters
    return turned


# What stands in a sentence with a negation, and in its place without.
_NEGATIONS = {
    sign.encode(): positive.encode()
    for sign, positive in {
        " not ": " ", " no ": " ", " cannot ": " can ", " never ": " ", " nicht ": " ", " kein": " ein", " pas ": " ",
        " nunca ": " ", " non ": " ", " não ": " ", " niet ": " ", " geen ": " een ", " не ": " ",
    }.items()
}  # fmt: skip
_FROM_NEGATION = re.compile(rb"(?:%b)[^\0]*" % b"|".join(map(re.escape, _NEGATIONS)))  # to the end of the sentence
_DO_NOT = re.compile(rb" d(?:o not |id not |(oes) not (\w+))")
_NE_BEFORE_PAS = re.compile(rb" n(?:e |'|\xe2\x80\x99)([\w\x80-\xff]+) pas ")


def _without_negation(lower: bytes) -> bytes | None:
    """A sentence without its first negation, in the order of the table; None if it has none."""
    for sign in _NEGATIONS:
        if sign in lower:
            return _without(sign, lower)
    return None


def _without(sign: bytes, lower: bytes) -> bytes:
    """A sentence without the negation that stands in it."""
    if sign == b" not " and (found := _DO_NOT.search(lower)):
        turned = b" %bs" % found[2] if found[1] else b" "
        return lower[: found.start()] + turned + lower[found.end() :]
    if sign == b" pas ":
        return _NE_BEFORE_PAS.sub(rb" \1 ", lower, count=1)
    return lower.replace(sign, _NEGATIONS[sign], 1)


def _contradicting(alike: Sequence[_Sentence]) -> Iterator[tuple[_Sentence, _Sentence]]:
    """Those of different passages whose figures differ. A passage that also says what the other one says does not contradict it."""
    figures = [tuple(_FIGURE.findall(sentence.text)) for sentence in alike]
    said = {(sentence.at, own) for sentence, own in zip(alike, figures, strict=True)}
    for (one, ones), (other, others) in combinations(zip(alike, figures, strict=True), 2):
        if one.at != other.at and ones != others and (one.at, others) not in said and (other.at, ones) not in said:
            yield one, other


_FIGURE = re.compile(r"\d+(?:[.,:/'-]\d+)*")


# ---- what differs


def _at_odds(a: str, b: str) -> Figures | None:
    """The figures in which two sentences of the same words are at odds; none where it is a negation; None if they are not."""
    if _REFERS.match(a) or _STAMP.fullmatch(a):
        return None
    differs = difference(a, b)
    if differs.negation:
        return None if any(differs.figures) or _turned(a) != _turned(b) else ((), ())
    if not a.isascii() and _FIGURE.split(a) == _FIGURE.split(b):  # where blanks do not part the words
        pairs = [pair for pair in zip(_FIGURE.findall(a), _FIGURE.findall(b), strict=True) if pair[0] != pair[1]]
        ours, theirs = ([pair[side] for pair in pairs] for side in (0, 1))
    elif any(differs.words) or any(map(any, differs.names)):
        return None
    else:
        ours, theirs = map(list, differs.figures)
    if not ours or not theirs or _same_amounts(ours, theirs):
        return None
    if _tells_apart(ours, a) or _tells_apart(theirs, b) or (max(len(ours), len(theirs)) > 1 and _CONDITION.search(a)):
        return None
    return tuple(ours), tuple(theirs)


# What "it" is stands elsewhere; a date with one word is that of the document.
_REFERS = re.compile(
    r"\W*(?:it|its|he|his|she|her|they|their|this|these|those|er|sie|es|dies\w*|il|elle|ils|elles)\b", re.IGNORECASE
)
_STAMP = re.compile(r"\W*(?:[^\W\d_]+\W+){0,2}\d{1,4}([-./])\d{1,2}\1\d{1,4}\W*")


def _turned(text: str) -> bytes:
    """The letters of a sentence without its first negation."""
    lower = _spelt_out(text.lower().encode("utf-8", "surrogatepass"))
    return _letters(_without_negation(lower) or lower)


_NUMBER = re.compile(r"\d+(?:[.,' ]\d+)*")


def _same_amounts(ours: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether the figures are the same in another spelling: ``€1.50`` and ``1,50 EUR``."""
    return len(ours) == len(theirs) and all(_readings(one) & _readings(other) for one, other in zip(ours, theirs, strict=True))


def _readings(figure: str) -> set[tuple[Decimal, str]]:
    """Each number that the figure can be, with the words of its unit; a sign of money is a unit that goes with any."""
    found = _NUMBER.search(figure)
    if not found:
        return {(Decimal(_WORDS.get(figure.split()[0], -1)), " ".join(figure.split()[1:]))}
    unit = _MONEY.sub("", (figure[: found.start()] + figure[found.end() :]).casefold()).strip()
    plain = found[0].replace(" ", "").replace("'", "")
    spellings = {plain.replace(",", ""), plain.replace(".", "").replace(",", "."), plain.replace(",", ".")}
    return {(Decimal(s).normalize(), unit) for s in spellings if s.count(".") < 2}


_MONEY = re.compile(r"[€$£¥]|\b(?:eur|usd|gbp|euros?|dollars?|pounds?)\b")
_WORDS = {
    word: number
    for number, word in [
        *enumerate(["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"], 1),
        (14, "fourteen"), (15, "fifteen"), (20, "twenty"), (30, "thirty"), (40, "forty"), (50, "fifty"), (60, "sixty"),
        (90, "ninety"),
    ]
}  # fmt: skip
_DATE = re.compile(r"\d{1,4}-\d{1,2}-\d{1,4}")
_YEAR = re.compile(r"(?:19|20)\d\d")
_NAMING = (
    r"(?:section|sec|article|art|clause|table|fig|figure|page|pages|no|nr|number|step|chapter|part|version|v|release|edition|room"
    r"|line|item|annex|appendix|rule|form|id|abschnitt|artikel|ziffer|seite|tabelle|kapitel|schritt|§+|#)"
)


def _tells_apart(figures: Sequence[str], text: str) -> bool:
    """Whether one of the figures names what the sentence is about: an identifier, or a year beside another figure."""
    if len(figures) > 1 and any(_YEAR.fullmatch(figure) for figure in figures):
        return True
    for figure in figures:
        number = figure.split()[0].lstrip("+-")
        if re.search(r"\d", number) and re.search(r"[^\W\d_]|\d{3}-\d", number.strip("€$£¥")) and not _DATE.fullmatch(number):
            return True
        if re.search(rf"\b{_NAMING}\.?\s?{re.escape(number)}(?!\w)", text, re.IGNORECASE):
            return True
    return False


# With a condition in figures the others may be the rows of one table.
_CONDITION = re.compile(
    r"\b(?:over|under|above|below|between|from|than|up to|exceed\w*|at least|if|when|bis|ab|über|unter|wenn|plus de|moins de)\b",
    re.IGNORECASE,
)


# ---- what decides


def _undecided(a: Source, b: Source, sentence: str, compares_editions: bool) -> str | None:
    """Why nothing decides between two sources; None if they are one document, are about different things, or something decides."""
    if a.doc_id == b.doc_id and a.doc_id and (a.edition, a.effective_from) == (b.edition, b.effective_from):
        return None
    if a.family and b.family:
        return None if a.family != b.family or compares_editions else _undecided_editions(a, b)
    if not _one_subject(a.title, b.title, sentence) or not _one_subject(a.section, b.section, sentence):
        return None
    dates = [f"{shortened(s.doc_id)} is of {s.effective_from}" for s in (a, b) if s.effective_from]
    return "no family says that they are editions of one document" + (f" ({', '.join(dates)})" if dates else "")


def _undecided_editions(a: Source, b: Source) -> str | None:
    if a.superseded_by or b.superseded_by or a.supersedes or b.supersedes:
        return None
    if a.effective_from and b.effective_from and a.effective_from != b.effective_from:
        return None
    family = f"family {shortened(a.family or '')}"
    if a.edition == b.edition:
        return f"both are of one edition of {family}"
    unknown = [shortened(s.edition or s.doc_id) for s in (a, b) if not s.effective_from]
    if unknown:
        return f"{' and '.join(unknown)} of {family} {'have' if len(unknown) > 1 else 'has'} no date"
    return f"editions {shortened(a.edition or a.doc_id)} and {shortened(b.edition or b.doc_id)} of {family} began on one day"


def _one_subject(a: str | None, b: str | None, sentence: str) -> bool:
    """Whether two titles are about one thing: the same words, or one in common that the sentence names too."""
    ours, theirs, named = ({word for word in _WORD.findall(folded(text or "")) if len(word) > 2} for text in (a, b, sentence))
    return not ours or not theirs or ours == theirs or bool(ours & theirs & named)


_WORD = re.compile(r"[^\W\d_]+")
