"""Measures of an answer against a right one."""

from __future__ import annotations

from collections import Counter

from contextpack_core.citations.claims import split_claims
from contextpack_core.citations.figures import check_figures
from contextpack_core.citations.values import FigureStatus, SourceText
from contextpack_core.evaluation.measures.words import words_of
from contextpack_core.evaluation.observed import Observed
from contextpack_core.text import folded


def answer_correctness(observed: Observed) -> float | None:
    """How right the answer is, 0 to 1, by the best of the references; an answer that declines an answerable question is 0.

    A reference with figures or dates is judged by these alone: the share of them that the answer holds, in whichever unit and
    spelling. Else by token F1 (``token_f1``). Cases without a reference, or labelled as not answerable, are left out.
    """
    if observed.report is None or not observed.case.reference or observed.case.answerable is False:
        return None
    if observed.declined:
        return 0.0
    answer = observed.report.render("strip")
    return max(_correctness(answer, reference) for reference in observed.case.reference)


def token_f1(answer: str, reference: str) -> float:
    """The harmonic mean of precision and recall over words, case, punctuation and English articles aside.

    Rajpurkar et al. (2016), "SQuAD"; of two texts without a word both are right or wrong together. In scripts that put no blanks
    between words each character is one, as for Chinese in MLQA (Lewis et al. 2020).
    """
    said, wanted = _words(answer), _words(reference)
    if not said or not wanted:
        return float(said == wanted)
    common = sum((Counter(said) & Counter(wanted)).values())
    return 2 * common / (len(said) + len(wanted))


def figure_recall(answer: str, reference: str) -> float | None:
    """The share of the reference's figures and dates that the answer holds; None where the reference has none."""
    figures = check_figures(reference, split_claims(reference), {"A": SourceText("A", answer)}, where="any")
    found = [figure.status for figure in figures if not figure.exempt]
    return sum(status is FigureStatus.SUPPORTED for status in found) / len(found) if found else None


def _correctness(answer: str, reference: str) -> float:
    figures = figure_recall(answer, reference)
    return token_f1(answer, reference) if figures is None else figures


def _words(text: str) -> list[str]:
    return [word for word in words_of(folded(text)) if word not in _ARTICLES]


_ARTICLES = frozenset({"a", "an", "the"})
