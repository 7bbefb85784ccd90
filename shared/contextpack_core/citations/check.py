"""The second spine: from an answer to a report."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from contextpack_core.citations.answers import Answer, DeclaredClaim, read_answer
from contextpack_core.citations.claims import outline
from contextpack_core.citations.figures import check_figures
from contextpack_core.citations.labels import Vocabulary, vocabulary
from contextpack_core.citations.marks import scan
from contextpack_core.citations.opposites import find_opposites
from contextpack_core.citations.problems import find_problems, support_problems
from contextpack_core.citations.quotes import check_quotes, locate_quote
from contextpack_core.citations.report import Problem, Report, ReportStatus
from contextpack_core.citations.settings import DEFAULT_SETTINGS, CitationSettings
from contextpack_core.citations.sources import Sources, quoted_in, read_sources
from contextpack_core.citations.support import (
    AsyncSupportJudge,
    BatchSupportJudge,
    Support,
    SupportJudge,
    ajudge_claims,
    statements_of,
    support_of,
)
from contextpack_core.citations.values import Citation, CitationStatus, Claim, ClaimKind, Quote, SourceText
from contextpack_core.errors import ArgumentError
from contextpack_core.grounding.abstention import is_advice, is_refusal
from contextpack_core.pack import Pack
from contextpack_core.patterns import pattern
from contextpack_core.values import Span

Judge = SupportJudge | BatchSupportJudge


def check(
    answer: str | Mapping[str, Any] | None,
    sources: Pack | Mapping[str, Any] | None,
    *,
    question: str = "",
    settings: CitationSettings = DEFAULT_SETTINGS,
    judge: SupportJudge | BatchSupportJudge | None = None,
) -> Report:
    """What an answer cites, and whether it holds: labels, quotations, figures, editions, statements without a source.

    ``answer`` is a text, or the mapping of a structured answer: ``{"answer": …, "claims": [{"text", "labels", "quote"}],
    "abstain": …}``. ``sources`` are the pack that the answer was written from, live or saved, or plain texts by label; with None
    every citation is NOT_CHECKED, with an empty pack or mapping it is UNKNOWN: there was nothing to cite. With a ``judge`` the
    report also says whether the cited passages support each claim; support is reported apart from validity.

    Raises:
        AnswerError: the answer or the sources are of another kind.
        ArgumentError: the settings or the judge are.
    """
    if not isinstance(settings, CitationSettings):
        raise ArgumentError(f"settings: {type(settings).__name__} — CitationSettings, such as policy.citations")
    if not (judge is None or callable(judge) or hasattr(judge, "judge_all")):
        raise ArgumentError(
            f"judge: {type(judge).__name__} — a judge, such as LexicalJudge(), or a function of a claim and its passages"
        )
    said = read_answer(answer)
    evidence = None if sources is None else read_sources(sources)
    return check_answer(said, evidence, question, settings, judge)


def check_answer(said: Answer, evidence: Sources | None, question: str, settings: CitationSettings, judge: Judge | None) -> Report:
    """The report on an answer and sources that are read already."""
    words = label_vocabulary(evidence, settings)
    marks = scan(said.text, words, None if evidence is None else quoted_in(evidence))
    read = outline(said.text, marks)
    claims, citations = _with_declared(said, read.claims, marks.citations, words)
    claims = _with_general(_with_refusals(claims, settings.refusals), settings.general)
    if not claims and is_refusal(said.text.lstrip("# "), settings.refusals):  # as a heading, which is no claim
        said = replace(said, abstains=True)
    if evidence is None:
        return Report(_status(said, claims, citations, (), False), said.text, claims, citations, marks=settings.marks)
    quotes = _quotes(said, claims, citations, marks.code, evidence, settings, question)
    figures = check_figures(
        said.text,
        claims,
        evidence.texts,
        question=question,
        stale=evidence.stale,
        where=settings.figures,
        skip=(*read.skipped, *[mark.span for mark in marks.citations]),
        locale=settings.locale,
    )
    opposites = find_opposites(claims, citations, evidence.texts)
    problems = find_problems(claims, citations, quotes, figures, opposites, evidence, settings)
    status = _status(said, claims, citations, problems)
    validity, coverage = _validity(citations, evidence.texts), _coverage(claims, evidence.texts)
    report = Report(
        status,
        said.text,
        claims,
        citations,
        quotes,
        figures,
        validity,
        coverage,
        problems=problems,
        sources=evidence.texts,
        marks=settings.marks,
    )
    return report if judge is None else with_support(report, support_of(judge, claims, citations, evidence.texts))


def with_support(report: Report, support: Sequence[Support]) -> Report:
    """The report with a judge's verdict on each of its claims; what the passages do not support is a problem."""
    problems = (*report.problems, *support_problems(report.claims, support))
    flagged = report.status is ReportStatus.GROUNDED and len(problems) > len(report.problems)
    return replace(report, support=tuple(support), problems=problems, status=ReportStatus.FLAGGED if flagged else report.status)


async def judge_report(
    report: Report, judge: SupportJudge | BatchSupportJudge | AsyncSupportJudge, *, seconds: float | None = None
) -> Report:
    """The report with the judge's verdicts, for an event loop: what ``check`` with a judge would say, without blocking.

    After so many ``seconds`` every claim is ``unknown``.
    """
    claims, passages = statements_of(report.claims, report.citations, report.sources)
    return with_support(report, await ajudge_claims(judge, claims, passages, seconds=seconds))


def label_vocabulary(evidence: Sources | None, settings: CitationSettings) -> Vocabulary:
    """The labels that an answer may cite under these settings; without evidence whatever looks like one."""
    if evidence is None:
        return vocabulary(None, settings.marks, settings.also)
    return vocabulary(evidence.texts.keys(), settings.marks, settings.also, evidence.dropped)


# ---------------------------------------------------------------- what a structured answer declares


def _with_declared(
    said: Answer, claims: tuple[Claim, ...], citations: tuple[Citation, ...], words: Vocabulary
) -> tuple[tuple[Claim, ...], tuple[Citation, ...]]:
    """The claims with the labels that the answer declares for them, and those labels as citations."""
    for declared in said.claims:
        span = _place(declared, said.text)
        inside = [i for i, claim in enumerate(claims) if claim.span.start < span.end and span.start < claim.span.end]
        marked = {label for i in inside for label in claims[i].labels}
        new = [label for label in declared.labels if label not in marked]
        citations += tuple([_declared_citation(label, declared, span, words) for label in new])
        claims = tuple(
            [replace(c, labels=tuple(dict.fromkeys((*c.labels, *new)))) if i in inside else c for i, c in enumerate(claims)]
        )
    return claims, tuple(sorted(citations, key=lambda c: c.span))


def _place(declared: DeclaredClaim, text: str) -> Span:
    """Where the declared claim stands in the text; all of the text if it does not stand there."""
    if declared.span is not None:
        return declared.span
    at = text.find(declared.text.strip())
    return Span(at, at + len(declared.text.strip())) if at >= 0 and declared.text.strip() else Span(0, len(text))


def _declared_citation(label: str, declared: DeclaredClaim, span: Span, words: Vocabulary) -> Citation:
    reading, called = words.read(label), declared.called or label
    if reading is None:
        return Citation(called, (label,), span, CitationStatus.UNKNOWN, declared.detail or f"{label} is no label")
    return Citation(called, reading.labels, span, reading.status, reading.detail)


# ---------------------------------------------------------------- the parts


def _with_refusals(claims: tuple[Claim, ...], known: Collection[str]) -> tuple[Claim, ...]:
    """The claims, of which those that decline are refusals, and advice behind a refusal is a remark."""
    found: list[Claim] = []
    declined = False
    for claim in claims:
        kind = claim.kind
        if kind is ClaimKind.STATEMENT and is_refusal(claim.text, known) and not (claim.labels and _GOES_ON.search(claim.text)):
            kind = ClaimKind.REFUSAL
            declined = True
        elif kind is ClaimKind.STATEMENT and declined and is_advice(claim.text):
            kind = ClaimKind.REMARK
        found.append(claim if kind is claim.kind else replace(claim, kind=kind))
    return tuple(found)


# A sentence that cites and declines in one is a statement: "it is red [P1], but the documents do not say how long".
_GOES_ON = pattern(
    r"[,;，；] ?(?:but|although|though|while|however|yet|aber|jedoch|obwohl|mais|bien que|pero|aunque|但|不过)", re.IGNORECASE
)


def _with_general(claims: tuple[Claim, ...], openings: Collection[str]) -> tuple[Claim, ...]:
    """The claims, of which those that say that they are general knowledge, and cite nothing, are remarks."""
    if not openings:
        return claims
    starts = tuple([opening.casefold() for opening in openings])
    return tuple(
        [
            replace(claim, kind=ClaimKind.REMARK)
            if claim.kind is ClaimKind.STATEMENT and not claim.labels and claim.text.lstrip("*_-• ").casefold().startswith(starts)
            else claim
            for claim in claims
        ]
    )


def _quotes(
    said: Answer,
    claims: tuple[Claim, ...],
    citations: tuple[Citation, ...],
    code: Sequence[Span],
    evidence: Sources,
    settings: CitationSettings,
    question: str,
) -> tuple[Quote, ...]:
    """The quotations in the text, then those that a structured answer declares."""
    found = check_quotes(said.text, claims, evidence.texts, settings, citations=citations, skip=code, question=question)
    if settings.quotes == "ignore":
        return found
    return found + tuple([locate_quote(q, evidence.texts, c.labels or None) for c in said.claims for q in c.quotes])


def _status(
    said: Answer, claims: Sequence[Claim], citations: Sequence[Citation], problems: Sequence[Problem], checked: bool = True
) -> ReportStatus:
    statements = [claim for claim in claims if claim.kind is ClaimKind.STATEMENT]
    declines = said.abstains or any(claim.kind is ClaimKind.REFUSAL for claim in claims)
    if declines and not any(claim.labels for claim in statements) and (said.abstains or not statements):
        return ReportStatus.ABSTAINED
    if not claims:
        return ReportStatus.EMPTY
    if not citations:
        return ReportStatus.UNCITED
    if not checked:
        return ReportStatus.NOT_CHECKED
    return ReportStatus.FLAGGED if problems else ReportStatus.GROUNDED


def _validity(citations: Sequence[Citation], texts: Mapping[str, SourceText]) -> float | None:
    named = [label in texts for citation in citations for label in citation.labels]
    return sum(named) / len(named) if named else None


def _coverage(claims: Sequence[Claim], texts: Mapping[str, SourceText]) -> float | None:
    statements = [claim for claim in claims if claim.kind is ClaimKind.STATEMENT]
    cited = [claim for claim in statements if any(label in texts for label in claim.labels)]
    return len(cited) / len(statements) if statements else None
