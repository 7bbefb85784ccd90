"""A judge that needs no model: a claim's words, figures and negations against those of the passages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from itertools import pairwise

from contextpack_core.citations.figures import find_figures
from contextpack_core.citations.folding import UNSPACED
from contextpack_core.citations.support import Support, SupportLabel
from contextpack_core.citations.values import Figure
from contextpack_core.negation import negations
from contextpack_core.patterns import pattern


class LexicalJudge:
    """Judges by coverage: the share of the claim's content words, stemmed, and of their pairs, that stand in the passages.

    A figure that no figure of its kind in the passages bears out, or a negation that the nearest sentence does not share, turns
    support into contradiction. It does not see paraphrase, and claim and passages must be in one language. Deterministic.

    Args:
        supported: the coverage from which a claim is supported; below it, it is at best partially supported.
        partial: the coverage below which a claim is not supported.
    """

    def __init__(self, supported: float = 0.55, partial: float = 0.35) -> None:
        if not 0 <= partial <= supported <= 1:
            raise ValueError(f"LexicalJudge(supported={supported}, partial={partial}): 0 <= partial <= supported <= 1 is required")
        self.supported = supported
        self.partial = partial

    def __call__(self, claim: str, passages: Mapping[str, str] | Iterable[str], /) -> Support:
        """The verdict on a claim; its score is the coverage, lowered for what does not agree."""
        texts = [passages] if isinstance(passages, str) else list(passages.values() if isinstance(passages, Mapping) else passages)
        words = content_words(claim)
        if not words:
            return Support(SupportLabel.UNKNOWN, None, "the claim has no words to look for")
        text = "\n".join(texts)
        coverage = _coverage(words, content_words(text))
        agreeing, wrong, missing = _figures(claim, text)
        opposed = _is_opposed(claim, words, text)
        score = max(0.0, coverage * (0.2 if wrong else 1.0) * (0.8 if opposed else 1.0) - (0.1 if missing else 0.0))
        return Support(
            self._label(coverage, wrong, missing, opposed), round(score, 4), _why(coverage, agreeing, wrong, missing, opposed)
        )

    def _label(self, coverage: float, wrong: Sequence[str], missing: Sequence[str], opposed: bool) -> SupportLabel:
        if coverage < self.partial:
            return SupportLabel.NOT_SUPPORTED
        if wrong or opposed:
            return SupportLabel.CONTRADICTED if coverage >= self.supported else SupportLabel.NOT_SUPPORTED
        return SupportLabel.PARTIALLY_SUPPORTED if missing or coverage < self.supported else SupportLabel.SUPPORTED


def _why(coverage: float, agreeing: Sequence[str], wrong: Sequence[str], missing: Sequence[str], opposed: bool) -> str:
    parts = [f"{coverage:.0%} of its words stand in the passages"]
    for figures, said in ((agreeing, "so does"), (wrong, "they have another figure for"), (missing, "they have no figure like")):
        if figures:
            parts.append(f"{said} {', '.join(figures[:5])}")
    if opposed:
        parts.append("only one of the two is negated")
    return "; ".join(parts)


# ---------------------------------------------------------------- words

_WORD = pattern(rf"[{UNSPACED}]{{2,}}|[^\W\d_]+(?:['’][^\W\d_]+)?")
_UNSPACED = pattern(f"[{UNSPACED}]")
_LIGHT_WORDS = frozenset(
    """
    a an the of to in on at by for with from and or as is are was were be been being it its this that these those he she they them
    his her their has have had do does did will would can could may might must should which who whom what when where there than
    then into also such not no more less fewer greater higher lower least most over above under below about around approximately
    nearly almost
    """.split()
)
_ENDINGS = (("ies", "y"), ("ing", ""), ("ed", ""), ("ly", ""), ("es", ""), ("s", ""))
_SENTENCE = pattern(r"[^.!?\n。！？]+")


def content_words(text: str) -> list[str]:
    """The stems of the content words in order; of a script without blanks, each two neighbouring characters."""
    words: list[str] = []
    for word in _WORD.findall(text):
        if _UNSPACED.match(word):
            words += [word[at : at + 2] for at in range(len(word) - 1)]
        elif (lower := word.lower()) not in _LIGHT_WORDS:
            words.append(_stem(lower))
    return words


def _stem(word: str) -> str:
    word = word.removesuffix("'s").removesuffix("’s")
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            return (word[: -len(ending)] + instead).removesuffix("e")
    return word.removesuffix("e") if len(word) > 4 else word


def _coverage(claim: Sequence[str], held: Sequence[str]) -> float:
    """The share of the claim's words that are held, and at a tenth of the weight that of its pairs of neighbours."""
    words, pairs = set(claim), set(pairwise(claim))
    of_words = len(words.intersection(held)) / len(words)
    if not pairs:
        return of_words
    return 0.9 * of_words + 0.1 * len(pairs.intersection(pairwise(held))) / len(pairs)


def _is_opposed(claim: str, words: Sequence[str], text: str) -> bool:
    """Whether the sentence with the most of the claim's words has three quarters of them, and only one of the two is negated."""
    wanted = set(words)
    shared, sentence = max(
        ((len(wanted.intersection(content_words(sentence))), sentence) for sentence in _SENTENCE.findall(text)),
        key=_first,
        default=(0, ""),
    )
    return shared * 4 >= len(wanted) * 3 and _is_negated(claim) != _is_negated(sentence)


def _first(pair: tuple[int, str]) -> int:
    return pair[0]


def _is_negated(text: str) -> bool:
    return len(negations(text)) % 2 == 1


# ---------------------------------------------------------------- figures

_MORE = r"(?:more|greater|higher|better|larger|longer|later) than|at least|no (?:less|fewer) than|over|above|exceed\w*|after|since"
_LESS = r"(?:less|fewer|lower|smaller|shorter|earlier) than|at most|no more than|up to|under|below|before|prior to|until"
_ABOUT = r"around|about|approximately|roughly|nearly|almost|some|circa"
_BOUND = pattern(rf"\b(?:(?P<more>{_MORE})|(?P<less>{_LESS})|(?P<about>{_ABOUT}))\W{{0,4}}\Z", re.IGNORECASE)
_INCLUSIVE = ("at ", "no ", "up ")
_LONGEST_BOUND = 24  # characters before a figure in which its bound is looked for


def _figures(claim: str, text: str) -> tuple[list[str], list[str], list[str]]:
    """The claim's figures: those that the text bears out, those of whose kind it has only others, and the rest."""
    held = [figure for figure in find_figures(text) if not figure.exempt]
    agreeing: list[str] = []
    wrong: list[str] = []
    missing: list[str] = []
    for figure in find_figures(claim):
        if figure.exempt:
            continue
        alike = [other for other in held if other.kind == figure.kind and (figure.kind == "date" or other.unit == figure.unit)]
        if _agrees(figure, claim, alike, text) or (not _bound_of(figure, claim) and _stands_bare(figure, held)):
            agreeing.append(figure.text)
        elif any(_has_year(other) == _has_year(figure) for other in alike):
            wrong.append(figure.text)
        else:
            missing.append(figure.text)
    return agreeing, wrong, missing


def _stands_bare(figure: Figure, held: Sequence[Figure]) -> bool:
    """Whether the same number stands there, and one of the two is without a unit."""
    return any(other.value == figure.value and (other.unit is None or figure.unit is None) for other in held)


def _has_year(figure: Figure) -> bool:
    """Whether it is no day of an unnamed year; two dates of which one is cannot differ in the year."""
    return figure.kind != "date" or not str(figure.value).startswith("--")


def _agrees(figure: Figure, claim: str, alike: Sequence[Figure], text: str) -> bool:
    """Whether a figure of the text is the claim's, or lies on the side of it that the claim names."""
    bound = _bound_of(figure, claim)
    kind = bound.lastgroup if bound else None
    if figure.kind == "date":
        return _date_agrees(str(figure.value), kind, [str(other.value) for other in alike])
    if not isinstance(figure.value, Decimal):
        return False
    value = figure.value
    values = [(other.value, other) for other in alike if isinstance(other.value, Decimal)]
    if kind is None:
        return any(there == value for there, _ in values)
    if kind == "about":
        return any(abs(there - value) * 10 <= abs(value) for there, _ in values)
    there, nearest = min(values, key=lambda pair: (abs(pair[0] - value), pair[0]), default=(None, None))
    if there is None or nearest is None:
        return False
    inclusive, same = _is_inclusive(bound), _bound_of(nearest, text)
    if there != value:  # "up to 2 million" bears out no "up to 3 million": both are limits, and not the same one
        return (there > value) == (kind == "more") and not (inclusive and _is_inclusive(same))
    return inclusive or (same is not None and same.lastgroup == kind)


def _is_inclusive(bound: re.Match[str] | None) -> bool:
    """Whether the words set a limit that itself still counts: at least, no more than, up to."""
    return bound is not None and bound[0].lower().startswith(_INCLUSIVE)


def _bound_of(figure: Figure, text: str) -> re.Match[str] | None:
    """The words right before a figure that make it a bound or an estimate."""
    return _BOUND.search(text[max(0, figure.span.start - _LONGEST_BOUND) : figure.span.start])


def _date_agrees(value: str, kind: str | None, dates: Sequence[str]) -> bool:
    """Whether a date of the text lies within the claim's (2026-01-15 in 2026-01), or before or after it as the claim says.

    A day without a year (``--01-15``) agrees with that day of any year.
    """
    for date in dates:
        if date.startswith(value) or (value.startswith("--") and date.endswith(value[1:])):
            return True
        if date.startswith("--"):
            if value.endswith(date[1:]):
                return True
        elif kind in ("more", "less") and not value.startswith("--") and (date > value) == (kind == "more"):
            return True
    return False
