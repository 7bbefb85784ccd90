"""Problems: what is wrong in a checked answer, each in a sentence with what would be right."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from contextpack_core.citations.declared import Placed
from contextpack_core.citations.figures.provenance import IN_HEADER
from contextpack_core.citations.opposites import Opposite
from contextpack_core.citations.quotes import quote_holds
from contextpack_core.citations.report import Problem, Report
from contextpack_core.citations.settings import CitationSettings
from contextpack_core.citations.sources import Sources
from contextpack_core.citations.support import Support, SupportLabel
from contextpack_core.citations.values import (
    Citation,
    CitationStatus,
    Claim,
    ClaimKind,
    Figure,
    FigureStatus,
    Quote,
    QuoteStatus,
    SourceText,
)
from contextpack_core.editions.conflicts import Conflict
from contextpack_core.patterns import pattern
from contextpack_core.values import Span


def find_problems(
    claims: Sequence[Claim],
    citations: Sequence[Citation],
    quotes: Sequence[Quote],
    figures: Sequence[Figure],
    opposites: Sequence[Opposite],
    sources: Sources,
    settings: CitationSettings,
) -> tuple[Problem, ...]:
    """Everything wrong, in the order of the answer."""
    found = [
        *_citation_problems(citations, sources.texts),
        *_uncited(claims),
        *_quote_problems(quotes, claims, settings, sources.texts),
        *_figure_problems(figures),
        *_opposite_problems(opposites, claims, figures),
        *_conflict_problems(sources.conflicts, claims),
    ]
    return tuple(sorted(found, key=lambda p: p.span or Span(0, 0)))


def with_declared_problems(
    problems: Sequence[Problem],
    fault: str,
    contradicted: Iterable[tuple[Placed, Sequence[str]]],
    declared: Sequence[Report],
) -> tuple[Problem, ...]:
    """The problems with those of the form of a structured answer, and of the claims it declares, of which none is said twice."""
    found = (
        [Problem("form", fault, "one whole JSON object is wanted, with a text as 'answer' and a list of 'claims'")] if fault else []
    )
    found += problems
    for item, marked in contradicted:
        text = _short(item.claim.text)
        what = f"“{text}” is marked with {_listed(marked)} in the answer, and declared with {_listed(item.labels)}"
        found.append(Problem("citation", what, "cite the passage that says so in both places", item.span))
    said = {(problem.kind, problem.what) for problem in found}
    for report in declared:
        text = _short(report.answer)
        for problem in report.problems:
            if (problem.kind, problem.what) not in said:
                what = problem.what if text in problem.what else f"in the declared claim “{text}”: {problem.what}"
                found.append(Problem(problem.kind, what, problem.wanted))
    return tuple(sorted(found, key=lambda p: p.span or Span(0, 0)))


def support_problems(claims: Sequence[Claim], support: Sequence[Support]) -> tuple[Problem, ...]:
    """What a judge says the cited passages do not support."""
    return tuple(
        [
            Problem("support", f"“{_short(claim.text)}” {_SUPPORT_FAULTS[verdict.label]}", verdict.why, claim.span)
            for claim, verdict in zip(claims, support, strict=True)
            if claim.kind is ClaimKind.STATEMENT and verdict.label in _SUPPORT_FAULTS
        ]
    )


_SUPPORT_FAULTS = {
    SupportLabel.NOT_SUPPORTED: "is not supported by what it cites",
    SupportLabel.PARTIALLY_SUPPORTED: "is supported only in part by what it cites",
    SupportLabel.CONTRADICTED: "is contradicted by what it cites",
}


def _citation_problems(citations: Sequence[Citation], texts: Mapping[str, SourceText]) -> Iterator[Problem]:
    known = f"{'there are' if len(texts) > 1 else 'there is'} {_listed(list(texts))}"
    for mark in citations:
        if mark.status is CitationStatus.DROPPED:
            yield Problem("citation", f"{mark.text} cites what was left out of the evidence", mark.detail, mark.span)
        elif mark.status is CitationStatus.UNKNOWN:
            yield Problem("citation", f"{mark.text} names no passage", f"{mark.detail} ({known})", mark.span)


def _uncited(claims: Sequence[Claim]) -> Iterator[Problem]:
    """Statements without a mark; a mark that names no passage is a problem of its own."""
    for claim in claims:
        if claim.kind is ClaimKind.STATEMENT and not claim.labels:
            yield Problem(
                "uncited", f"“{_short(claim.text)}” has no citation", "cite the passage that says so, or leave it out", claim.span
            )


def _quote_problems(
    quotes: Sequence[Quote], claims: Sequence[Claim], settings: CitationSettings, texts: Mapping[str, SourceText]
) -> Iterator[Problem]:
    for quote in quotes:
        if not quote_holds(quote):
            yield Problem("quote", f"the quotation “{_short(quote.text)}” {_QUOTE_FAULTS[quote.status]}", quote.detail, quote.span)
    if settings.quotes == "required":
        for claim in claims:
            if claim.kind is ClaimKind.STATEMENT and any(label in texts for label in claim.labels):
                inside = any(q.span and claim.span.start <= q.span.start < claim.span.end for q in quotes)
                if not inside:
                    yield Problem("quote", f"“{_short(claim.text)}” quotes nothing", "quote the words that support it", claim.span)


_QUOTE_FAULTS = {
    QuoteStatus.NOT_FOUND: "stands in no passage",
    QuoteStatus.MISATTRIBUTED: "stands in another passage than the cited one",
    QuoteStatus.ELIDED: "leaves out what changes its meaning",
    QuoteStatus.AMBIGUOUS: "stands in several places",
    QuoteStatus.EXACT: "",
    QuoteStatus.NORMALISED: "",
}


def _figure_problems(figures: Sequence[Figure]) -> Iterator[Problem]:
    for figure in figures:
        if _has_fault(figure) and figure.status is not None:
            yield Problem("figure", f"“{figure.text}” {_FIGURE_FAULTS[figure.status]}", figure.detail, figure.span)


def _has_fault(figure: Figure) -> bool:
    return not figure.exempt and figure.status in _FIGURE_FAULTS


_FIGURE_FAULTS = {
    FigureStatus.UNSUPPORTED: "stands in no passage",
    FigureStatus.ELSEWHERE: "stands in another passage than the cited one",
    FigureStatus.STALE: "is from an edition that does not apply",
    FigureStatus.AMBIGUOUS: "can be read in two ways",
}


def _opposite_problems(opposites: Sequence[Opposite], claims: Sequence[Claim], figures: Sequence[Figure]) -> Iterator[Problem]:
    for opposite in opposites:
        claim = claims[opposite.claim]
        if opposite.how == "refigured":
            mine = [f for f in figures if claim.span.start <= f.span.start < claim.span.end]
            if any(_has_fault(f) for f in mine) or _differs_by_header(mine, opposite.sentence):
                continue  # the figure itself is a problem already, or only the edition's is new: "the 2026 deductible is 500 euros"
        what = f"“{_short(claim.text)}” {_OPPOSITES[opposite.how]} {opposite.label}"
        yield Problem("opposite", what, f"there it reads “{_short(opposite.sentence)}”", claim.span)


def _differs_by_header(figures: Sequence[Figure], sentence: str) -> bool:
    """Whether all figures but those of the passage's header stand in the sentence."""
    others = [figure for figure in figures if not figure.detail.startswith(IN_HEADER)]
    return len(others) < len(figures) and all(digits in sentence for f in others for digits in _DIGITS.findall(f.text))


_DIGITS = pattern(r"\d[\d.,]*")
_OPPOSITES = {
    "negated": "says the opposite of",
    "turned": "says the opposite of",
    "refigured": "has another figure than",
    "exchanged": "exchanges parts of",
}


def _conflict_problems(conflicts: Sequence[Conflict], claims: Sequence[Claim]) -> Iterator[Problem]:
    """A statement that takes one side where two passages disagree, unless the answer cites both."""
    cited = {label for claim in claims for label in claim.labels}
    for conflict in conflicts:
        for i, label in enumerate(conflict.labels):
            other = conflict.labels[1 - i]
            if label not in cited or other in cited:
                continue
            for claim in claims:
                if claim.kind is ClaimKind.STATEMENT and label in claim.labels and _takes_side(claim.text, conflict.figures[i]):
                    why = f"{conflict.why}: say that they disagree and cite both"
                    yield Problem(
                        "conflict", f"“{_short(claim.text)}” follows {label}, but {other} says otherwise", why, claim.span
                    )


def _takes_side(text: str, figures: Sequence[str]) -> bool:
    return not figures or any(figure in text for figure in figures)


def _listed(labels: Sequence[str]) -> str:
    if not labels:
        return "none"
    return ", ".join(labels) if len(labels) <= 8 else f"{labels[0]} … {labels[-1]}"


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 90 else text[:89].rstrip() + "…"
