"""Measures of an answer against its sources: do the pointers hold, and do the passages say what the answer says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from contextpack_core.citations.support import SupportLabel
from contextpack_core.citations.values import FigureStatus
from contextpack_core.evaluation.observed import Observed
from contextpack_core.text import folded


def citation_validity(observed: Observed) -> float | None:
    """The share of the labels named in the answer that exist."""
    return observed.report.validity if observed.report is not None else None


def citation_coverage(observed: Observed) -> float | None:
    """The share of the answer's statements with a citation that exists."""
    return observed.report.coverage if observed.report is not None else None


def citation_support(observed: Observed) -> float | None:
    """The share of the citing statements that the judge finds fully supported by what they cite; without a verdict left out."""
    verdicts = [v.label for _, v in observed.statements if v is not None and v.label is not SupportLabel.UNKNOWN]
    return verdicts.count(SupportLabel.SUPPORTED) / len(verdicts) if verdicts else None


def citation_recall(observed: Observed) -> float | None:
    """The share of the answer's statements that cite, and that all they cite, read together, supports.

    Citation recall of ALCE (Gao et al. 2023, "Enabling Large Language Models to Generate Text with Citations", §3), with the
    judge at hand in the place of its NLI model. A statement that cites and has no verdict is left out.
    """
    if observed.judge is None or not observed.has_sources:
        return None
    return _share(observed.verdicts)


def citation_precision(observed: Observed) -> float | None:
    """The share of the citations that are to the point: their statement is supported, and they are not irrelevant to it.

    Citation precision of ALCE (Gao et al. 2023, §3): a citation is irrelevant when its passage alone does not support the
    statement and the others without it still do. A label that does not exist is to no point. What has no verdict is left out.
    """
    if observed.judge is None or not observed.has_sources:
        return None
    found: list[bool | None] = []
    for (claim, _), (text, passages), entailed in zip(
        observed.statements, observed.texts_of_statements, observed.verdicts, strict=True
    ):
        if entailed is None:
            continue
        found += [entailed and label in passages and _to_the_point(observed, text, passages, label) for label in claim.labels]
    return _share(found)


def _to_the_point(observed: Observed, text: str, passages: Mapping[str, str], label: str) -> bool | None:
    """Whether the passage supports the statement alone, or the others do not without it; None where no verdict says so."""
    rest = {name: passage for name, passage in passages.items() if name != label}
    if not rest or (alone := observed.entailed(text, {label: passages[label]})):
        return True
    without = observed.entailed(text, rest)
    if without is False:
        return True
    return None if alone is None or without is None else False


def figure_support(observed: Observed) -> float | None:
    """The share of the answer's figures that stand in what is cited, follow from it by arithmetic shown, or repeat the question.

    Numbers of sections, versions and the like are no claims and are left out.
    """
    if observed.report is None:
        return None
    found = [figure.status for figure in observed.report.figures if not figure.exempt and figure.status is not None]
    return sum(status in _BORNE_OUT for status in found) / len(found) if found else None


_BORNE_OUT = frozenset({FigureStatus.SUPPORTED, FigureStatus.DERIVED, FigureStatus.RESTATED})


def faithfulness(observed: Observed) -> float | None:
    """The share of the answer's statements that the judge finds supported by what they cite, or else by the three nearest passages.

    Faithfulness of RAGAS (Es et al. 2024): statements that can be inferred from the context, whether they cite it or not. Nearest
    are the passages with the most words of the statement: a judge that reads everything for each statement takes most of an
    evaluation's time. A statement on which a verdict is missing, and that nothing else bears out, is left out.
    """
    if observed.report is None or observed.judge is None or not observed.has_sources:
        return None
    texts = {label: source.text for label, source in observed.report.sources.items()}
    words = {label: set(folded(text).split()) for label, text in texts.items()}
    found: list[bool | None] = []
    for (text, passages), cited in zip(observed.texts_of_statements, observed.verdicts, strict=True):
        near = {label: texts[label] for label in _nearest(text, words, set(passages))} if not cited else {}
        by_near = observed.entailed(text, near)
        found.append(True if cited or by_near else None if cited is None or by_near is None else False)
    return _share(found)


_NEAREST = 3


def _nearest(statement: str, words: Mapping[str, set[str]], cited: set[str]) -> list[str]:
    """The labels of the passages that share the most words with the statement; none where those are cited already."""
    mine = set(folded(statement).split())
    shared = {label: len(mine & held) for label, held in words.items()}
    nearest = sorted([label for label in words if shared[label]], key=lambda label: -shared[label])[:_NEAREST]
    return [] if cited.issuperset(nearest) else nearest


def _share(found: Sequence[bool | None]) -> float | None:
    """The share that is so, of those of which it is known."""
    known = [is_so for is_so in found if is_so is not None]
    return sum(known) / len(known) if known else None
