"""Whether passages entail a claim: what a judge says, and how claims are put before one."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextvars import copy_context
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Any, Protocol, TypeVar, runtime_checkable

from contextpack_core.citations.values import Citation, Claim, ClaimKind, SourceText

T = TypeVar("T")


class SupportLabel(StrEnum):
    """What the passages say of a claim; ``unknown`` is no verdict, and never counts as support."""

    SUPPORTED = "supported"
    PARTIALLY_SUPPORTED = "partially_supported"
    NOT_SUPPORTED = "not_supported"
    CONTRADICTED = "contradicted"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Support:
    """A judge's verdict: the label, how well supported the claim is from 0 to 1 (None: nobody knows), and why in a sentence."""

    label: SupportLabel
    score: float | None = None
    why: str = ""


class SupportJudge(Protocol):
    """Judges a claim against the passages it cites, given by label."""

    def __call__(self, claim: str, passages: Mapping[str, str], /) -> Support: ...


@runtime_checkable
class BatchSupportJudge(Protocol):
    """A judge that takes all claims of an answer at once: ``passages[i]`` are those that ``claims[i]`` cites."""

    def judge_all(self, claims: Sequence[str], passages: Sequence[Mapping[str, str]], /) -> Sequence[Support]: ...


@runtime_checkable
class AsyncSupportJudge(Protocol):
    """A judge that takes all claims of an answer at once and does not block the event loop."""

    def ajudge_all(self, claims: Sequence[str], passages: Sequence[Mapping[str, str]], /) -> Awaitable[Sequence[Support]]: ...


Passages = Mapping[str, str] | Sequence[Mapping[str, str]]
"""Passages by label, the same for every claim; or one such mapping for each claim."""


def judge_claims(judge: SupportJudge | BatchSupportJudge, claims: Sequence[str], passages: Passages) -> tuple[Support, ...]:
    """One verdict for each claim, in order. A judge that raises, or answers with anything but verdicts, gives ``unknown``.

    A claim without passages is not put before the judge: it is ``unknown`` too.
    """
    asked, those = _cited_only(claims, passages)
    if isinstance(judge, BatchSupportJudge):
        verdicts = _attempt_all(judge, asked, those)
    else:
        verdicts = [_attempt(judge, claim, held) for claim, held in zip(asked, those, strict=True)]
    return _in_order(claims, passages, verdicts)


async def ajudge_claims(
    judge: SupportJudge | BatchSupportJudge | AsyncSupportJudge,
    claims: Sequence[str],
    passages: Passages,
    *,
    seconds: float | None = None,
) -> tuple[Support, ...]:
    """``judge_claims`` for an event loop, which waits so many ``seconds`` at most: then every claim is ``unknown``.

    An ``AsyncSupportJudge`` is awaited; another judge runs in a thread of its own.
    """
    import asyncio  # it takes an import a while, and most checks have no judge to wait for

    asked, those = _cited_only(claims, passages)
    if not asked:
        return _in_order(claims, passages, ())
    waiting: Awaitable[Sequence[Support]]
    if isinstance(judge, AsyncSupportJudge):
        waiting = judge.ajudge_all(asked, those)
    else:
        waiting = in_thread(judge_claims, judge, asked, those)
    try:
        verdicts = _checked(await asyncio.wait_for(waiting, seconds), len(asked))
    except Exception as error:
        verdicts = [_unknown(error)] * len(asked)
    return _in_order(claims, passages, verdicts)


async def in_thread(function: Callable[..., T], *arguments: Any) -> T:
    """What the function returns, run in a thread and context of its own; one that is no longer awaited runs on to its end."""
    import asyncio
    from concurrent.futures import ThreadPoolExecutor

    thread = ThreadPoolExecutor(1)
    try:
        return await asyncio.get_running_loop().run_in_executor(thread, partial(copy_context().run, function, *arguments))
    finally:
        thread.shutdown(wait=False)


def statements_of(
    claims: Sequence[Claim], citations: Sequence[Citation], sources: Mapping[str, SourceText]
) -> tuple[list[str], list[dict[str, str]]]:
    """What ``judge_claims`` takes, from the parts of a report: each claim without its marks, and the texts that it cites.

    Questions, lead-ins, remarks and refusals state nothing that a passage could support: they get no texts.
    """
    texts = [_without_marks(claim, citations) for claim in claims]
    cited = [claim.labels if claim.kind is ClaimKind.STATEMENT else () for claim in claims]
    return texts, [{label: sources[label].text for label in labels if label in sources} for labels in cited]


def support_of(
    judge: SupportJudge | BatchSupportJudge,
    claims: Sequence[Claim],
    citations: Sequence[Citation],
    sources: Mapping[str, SourceText],
) -> tuple[Support, ...]:
    """The judge's verdict on each claim of an answer."""
    return judge_claims(judge, *statements_of(claims, citations, sources))


# ---------------------------------------------------------------- asking


def _cited_only(claims: Sequence[str], passages: Passages) -> tuple[list[str], list[Mapping[str, str]]]:
    """The claims that have passages, and these."""
    pairs = [(claim, held) for claim, held in zip(claims, _each(claims, passages), strict=True) if held]
    return [claim for claim, _ in pairs], [held for _, held in pairs]


def _each(claims: Sequence[str], passages: Passages) -> Sequence[Mapping[str, str]]:
    return [passages] * len(claims) if isinstance(passages, Mapping) else passages


def _attempt(judge: SupportJudge, claim: str, passages: Mapping[str, str]) -> Support:
    try:
        return _checked([judge(claim, passages)], 1)[0]
    except Exception as error:
        return _unknown(error)


def _attempt_all(judge: BatchSupportJudge, claims: Sequence[str], passages: Sequence[Mapping[str, str]]) -> Sequence[Support]:
    if not claims:
        return []
    try:
        return _checked(judge.judge_all(claims, passages), len(claims))
    except Exception as error:
        return [_unknown(error)] * len(claims)


def _checked(verdicts: Any, wanted: int) -> list[Support]:
    """The verdicts, each that is none replaced by ``unknown``; all of them if they are not as many as the claims."""
    found = list(verdicts)
    if len(found) != wanted:
        return [Support(SupportLabel.UNKNOWN, None, f"the judge gave {len(found)} verdicts for {wanted} claims")] * wanted
    return [_sound(verdict) for verdict in found]


def _sound(verdict: Any) -> Support:
    if not isinstance(verdict, Support) or not isinstance(verdict.label, SupportLabel):
        return Support(SupportLabel.UNKNOWN, None, f"the judge gave no verdict but {type(verdict).__name__}")
    if verdict.score is not None and not (math.isfinite(verdict.score) and 0 <= verdict.score <= 1):
        return Support(SupportLabel.UNKNOWN, None, f"the judge gave a score of {verdict.score}, which is not between 0 and 1")
    return verdict


def _unknown(error: Exception) -> Support:
    return Support(SupportLabel.UNKNOWN, None, f"the judge failed: {type(error).__name__}: {str(error)[:200]}".rstrip(": "))


def _in_order(claims: Sequence[str], passages: Passages, verdicts: Sequence[Support]) -> tuple[Support, ...]:
    """The verdicts, with ``unknown`` for the claims that were not put before the judge."""
    following = iter(verdicts)
    nothing = Support(SupportLabel.UNKNOWN, None, "there is no passage to judge it by")
    return tuple([next(following) if held else nothing for held in _each(claims, passages)])


def _without_marks(claim: Claim, citations: Sequence[Citation]) -> str:
    parts: list[str] = []
    done = claim.span.start
    for mark in citations:
        start, end = mark.span.start - claim.span.start, mark.span.end - claim.span.start
        if start >= 0 and claim.text[start:end] == mark.text:  # a label that is declared beside the text is no mark in it
            parts.append(claim.text[done - claim.span.start : mark.span.start - claim.span.start].rstrip())
            done = mark.span.end
    return "".join([*parts, claim.text[done - claim.span.start :]]).strip()
