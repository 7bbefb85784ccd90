"""The second spine: from an answer to a report."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pydantic import BaseModel

from contextpack_core.citations.answers import Answer, read_answer
from contextpack_core.citations.claims import outline
from contextpack_core.citations.declared import Placed, contradicted, place_declared, with_declared, with_provider_marks
from contextpack_core.citations.figures import check_figures
from contextpack_core.citations.labels import Vocabulary, vocabulary
from contextpack_core.citations.marks import scan
from contextpack_core.citations.opposites import find_opposites
from contextpack_core.citations.problems import find_problems, support_problems, with_declared_problems
from contextpack_core.citations.quotes import check_quotes, locate_quote, with_cut
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
from contextpack_core.citations.values import Citation, Claim, ClaimKind, Figure, Quote, SourceText
from contextpack_core.errors import ArgumentError
from contextpack_core.grounding.abstention import Refusal, declines_in_set_words, is_advice, is_refusal, read_refusal
from contextpack_core.pack import Pack
from contextpack_core.values import Span

Judge = SupportJudge | BatchSupportJudge


def check(
    answer: str | Mapping[str, Any] | BaseModel | None,
    sources: Pack | Mapping[str, Any] | None,
    *,
    question: str = "",
    settings: CitationSettings = DEFAULT_SETTINGS,
    judge: SupportJudge | BatchSupportJudge | None = None,
) -> Report:
    """What an answer cites, and whether it holds: labels, quotations, figures, editions, statements without a source.

    ``answer`` is a text, or a structured answer: ``GroundedAnswer``, ``{"answer": …, "claims": [{"text", "labels", "quote"}],
    "abstain": …}``, or that as JSON. Each declared claim is checked by its own labels, and serves the statements that it restates
    and that have no mark. ``sources`` are the pack that the answer was written from, live or saved, or plain texts by label; with
    None every citation is NOT_CHECKED, with an empty pack or mapping it is UNKNOWN: there was nothing to cite. With a ``judge`` the
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
    marks = with_provider_marks(scan(said.text, words, None if evidence is None else quoted_in(evidence)), said, words)
    read = outline(said.text, marks)
    if len(read.claims) > 1 and not (marks.citations or said.claims) and declines_in_set_words(said.text, settings.refusals):
        return _declined(said.text, read.claims, evidence, settings)
    placed = place_declared(said, read.claims, marks.citations, words) if said.claims else []
    claims, citations = with_declared(read.claims, marks.citations, placed) if placed else (read.claims, marks.citations)
    claims, declines = _with_refusals(claims, settings.refusals)
    claims = _with_general(claims, settings.general)
    if not claims and is_refusal(said.text.lstrip("# "), settings.refusals):  # as a heading, which is no claim
        said = replace(said, abstains=True)
    states = _states(said, claims, settings.refusals)
    partial = states and (declines or said.abstains or said.lacks)
    if evidence is None:
        status = _status(said, claims, citations, (), states, False)
        return Report(status, said.text, claims, citations, partial=partial, marks=settings.marks)
    declared = _on_their_own(said, placed, claims, evidence, question, settings) if placed else ()
    refused = [claim.span for claim in claims if claim.kind is ClaimKind.REFUSAL]  # asserts no figure and quotes no passage
    quotes = _quotes(said, placed, claims, citations, (*marks.code, *refused), evidence, settings, question)
    skip = (*read.skipped, *refused, *[mark.span for mark in marks.citations])
    figures = _figures(said, claims, skip, evidence, settings, question)
    opposites = find_opposites(claims, marks.citations, evidence.texts)
    problems = find_problems(claims, citations, quotes, figures, opposites, evidence, settings)
    if said.claims or said.fault:
        problems = with_declared_problems(problems, said.fault, contradicted(placed, read.claims), declared)
    status = _status(said, claims, citations, problems, states)
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
        declared=declared,
        partial=partial,
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


def _on_their_own(
    said: Answer, placed: Sequence[Placed], claims: Sequence[Claim], evidence: Sources, question: str, settings: CitationSettings
) -> tuple[Report, ...]:
    """The report on each declared claim as an answer of its own, by its own labels; without any, by those of what it restates.

    Claims that are whole statements of the text and have no other labels than these are checked there, and so are those that come
    with their place, a provider's citations.
    """
    cited = {label for claim in claims for label in claim.labels} | {label for item in placed for label in item.labels}
    open_conflicts = tuple([conflict for conflict in evidence.conflicts if not cited.issuperset(conflict.labels)])
    evidence = replace(evidence, conflicts=open_conflicts)
    without_quotes = settings.model_copy(update={"quotes": "optional"}) if settings.quotes == "required" else settings
    is_alone = len(placed) == 1 and placed[0].claim.text == said.text
    reports = []
    for item in placed if not is_alone else ():
        labels = item.labels or tuple(dict.fromkeys([label for i in item.inside for label in claims[i].labels]))
        as_there = item.whole and all(set(labels) == set(claims[i].labels) for i in item.inside)
        if item.claim.span is None and not as_there:
            alone = Answer(item.claim.text, (replace(item.claim, labels=item.claim.labels or labels),))
            # That a statement quotes nothing is a problem of the text, where the claim stands there.
            reports.append(check_answer(alone, evidence, question, without_quotes if item.span else settings, None))
    return tuple(reports)


# ---------------------------------------------------------------- the parts


def _declined(text: str, claims: Sequence[Claim], evidence: Sources | None, settings: CitationSettings) -> Report:
    """The report on a message that declines before generation: why, and what was searched, are remarks of whoever declines."""
    kinds = [ClaimKind.REMARK if i else ClaimKind.REFUSAL for i in range(len(claims))]
    claims = tuple([replace(claim, kind=kind) for claim, kind in zip(claims, kinds, strict=True)])
    return Report(ReportStatus.ABSTAINED, text, claims, sources=evidence.texts if evidence else {}, marks=settings.marks)


def _with_refusals(claims: tuple[Claim, ...], known: Collection[str]) -> tuple[tuple[Claim, ...], bool]:
    """The claims, of which those that decline are refusals and advice behind one is a remark; and whether any declines, if in part.

    A sentence that declines and states is a statement, and has to cite.
    """
    found: list[Claim] = []
    declined = partly = False
    for claim in claims:
        kind = claim.kind
        if kind in (ClaimKind.STATEMENT, ClaimKind.LEAD_IN):
            refusal = read_refusal(claim.text.rstrip(":： "), known)
            partly = partly or refusal is not Refusal.NONE
            if kind is ClaimKind.STATEMENT and refusal is Refusal.WHOLE:
                kind = ClaimKind.REFUSAL
                declined = True
            elif kind is ClaimKind.STATEMENT and declined and is_advice(claim.text):
                kind = ClaimKind.REMARK
        found.append(claim if kind is claim.kind else replace(claim, kind=kind))
    return tuple(found), partly


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
    placed: Sequence[Placed],
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
    return found + tuple([_declared_quote(quote, item, evidence) for item in placed for quote in item.claim.quotes])


def _declared_quote(quote: str, placed: Placed, evidence: Sources) -> Quote:
    """The quotation of a declared claim, with the claim's place in the text."""
    found = replace(locate_quote(quote, evidence.texts, placed.labels or None), span=placed.span)
    return with_cut(found, placed.claim.text.replace(quote, " "), evidence.texts)


def _figures(
    said: Answer, claims: Sequence[Claim], skip: Sequence[Span], evidence: Sources, settings: CitationSettings, question: str
) -> tuple[Figure, ...]:
    """The figures in the text but for what is skipped, such as code and the marks."""
    return check_figures(
        said.text,
        claims,
        evidence.texts,
        question=question,
        stale=evidence.stale,
        where=settings.figures,
        skip=skip,
        locale=settings.locale,
    )


def _states(said: Answer, claims: Sequence[Claim], known: Collection[str]) -> bool:
    """Whether anything is stated, in the text or in a declared claim."""
    in_text = any(claim.kind is ClaimKind.STATEMENT for claim in claims)
    return in_text or any(claim.text.strip() and not is_refusal(claim.text, known) for claim in said.claims)


def _status(
    said: Answer,
    claims: Sequence[Claim],
    citations: Sequence[Citation],
    problems: Sequence[Problem],
    states: bool,
    checked: bool = True,
) -> ReportStatus:
    declines = said.abstains or any(claim.kind is ClaimKind.REFUSAL for claim in claims)
    asserts = states or any(problem.kind in ("figure", "quote", "opposite") for problem in problems)
    if declines and not asserts:
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
