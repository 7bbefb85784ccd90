"""Judges of support: how claims are put before one, and what counts as a verdict."""

import asyncio
import threading
import time
from collections.abc import Mapping, Sequence

import pytest

from contextpack_core import (
    Span,
    Support,
    SupportLabel,
    ajudge_claims,
    check,
    judge_claims,
    parse_citations,
    split_claims,
    statements_of,
)
from contextpack_core.citations.quotes import source_texts

YES = Support(SupportLabel.SUPPORTED, 1.0, "it says so")
PASSAGES = {"P1": "The fee is waived."}


def unknown(why: str) -> Support:
    return Support(SupportLabel.UNKNOWN, None, why)


def test_a_judge_is_asked_for_each_claim_with_passages() -> None:
    """One verdict for each claim in order; a claim that cites nothing is not put before the judge."""
    asked: list[tuple[str, Mapping[str, str]]] = []

    def judge(claim: str, passages: Mapping[str, str]) -> Support:
        asked.append((claim, passages))
        return YES

    verdicts = judge_claims(judge, ["a", "b", "c"], [PASSAGES, {}, {"P2": "x"}])

    assert verdicts == (YES, unknown("there is no passage to judge it by"), YES)
    assert asked == [("a", PASSAGES), ("c", {"P2": "x"})]


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (None, "the judge gave no verdict but NoneType"),
        ("supported", "the judge gave no verdict but str"),
        (Support("supported", 1.0), "the judge gave no verdict but Support"),  # type: ignore[arg-type]
        (Support(SupportLabel.SUPPORTED, float("nan")), "the judge gave a score of nan, which is not between 0 and 1"),
        (Support(SupportLabel.SUPPORTED, 7.0), "the judge gave a score of 7.0, which is not between 0 and 1"),
        (TimeoutError(), "the judge failed: TimeoutError"),
        (RuntimeError("no model"), "the judge failed: RuntimeError: no model"),
    ],
)
def test_what_is_no_verdict_is_unknown(answer: object, why: str) -> None:
    """A judge that fails, is late or says something else never supports a claim."""

    def judge(claim: str, passages: Mapping[str, str]) -> Support:
        if isinstance(answer, Exception):
            raise answer
        return answer  # type: ignore[return-value]

    assert judge_claims(judge, ["a"], PASSAGES) == (unknown(why),)


class Batch:
    """A judge that takes all claims at once."""

    def __init__(self, verdicts: Sequence[Support] | Exception) -> None:
        self.verdicts = verdicts
        self.calls: list[tuple[list[str], list[Mapping[str, str]]]] = []

    def judge_all(self, claims: Sequence[str], passages: Sequence[Mapping[str, str]]) -> Sequence[Support]:
        self.calls.append((list(claims), list(passages)))
        if isinstance(self.verdicts, Exception):
            raise self.verdicts
        return self.verdicts


def test_a_batch_judge_is_asked_once() -> None:
    """All claims that have passages go in one call; none at all make no call."""
    judge = Batch([YES, YES])

    assert judge_claims(judge, ["a", "b", "c"], [PASSAGES, {}, PASSAGES])[1] == unknown("there is no passage to judge it by")
    assert judge_claims(judge, ["a"], {}) == (unknown("there is no passage to judge it by"),)
    assert judge.calls == [(["a", "c"], [PASSAGES, PASSAGES])]


@pytest.mark.parametrize(
    ("verdicts", "why"),
    [([YES], "the judge gave 1 verdicts for 2 claims"), (ValueError("bad reply"), "the judge failed: ValueError: bad reply")],
)
def test_a_batch_judge_that_fails_leaves_all_unknown(verdicts: Sequence[Support] | Exception, why: str) -> None:
    """Too few verdicts, or an error, say nothing of any claim."""
    assert judge_claims(Batch(verdicts), ["a", "b"], PASSAGES) == (unknown(why),) * 2


class Waiting:
    """A judge for an event loop that takes its time."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    async def ajudge_all(self, claims: Sequence[str], passages: Sequence[Mapping[str, str]]) -> Sequence[Support]:
        await asyncio.sleep(self.seconds)
        return [YES] * len(claims)


def test_a_late_judge_is_unknown() -> None:
    """After the given seconds every claim is unknown; in time, it is what the judge says."""
    late = asyncio.run(ajudge_claims(Waiting(5), ["a", "b"], PASSAGES, seconds=0.01))
    in_time = asyncio.run(ajudge_claims(Waiting(0), ["a", "b"], [PASSAGES, {}], seconds=5))

    assert late == (unknown("the judge failed: TimeoutError"),) * 2
    assert in_time == (YES, unknown("there is no passage to judge it by"))


def test_a_blocking_judge_does_not_block_the_loop() -> None:
    """It runs in a thread of its own, and is unknown when it is late."""
    threads: list[str] = []

    def judge(claim: str, passages: Mapping[str, str]) -> Support:
        threads.append(threading.current_thread().name)
        time.sleep(0.3 if claim == "slow" else 0)
        return YES

    async def run() -> tuple[object, object]:
        return await ajudge_claims(judge, ["quick"], PASSAGES), await ajudge_claims(judge, ["slow"], PASSAGES, seconds=0.01)

    assert asyncio.run(run()) == ((YES,), (unknown("the judge failed: TimeoutError"),))
    assert threading.main_thread().name not in threads


def test_claims_go_without_marks_and_with_what_they_cite() -> None:
    """A claim's text has no marks, its passages are those it cites, and a question states nothing."""
    answer = "The fee is waived [P1][P2], as a rule [P9]. Is it due [P1]? Yes, it is due."
    texts = {"P1": "one", "P2": "two"}

    statements = statements_of(split_claims(answer), parse_citations(answer, texts.keys()), source_texts(texts))

    assert statements == (["The fee is waived, as a rule.", "Is it due?", "Yes, it is due."], [texts, {}, {}])


def test_a_report_has_a_verdict_for_each_claim() -> None:
    """``check`` with a judge reports support apart from validity."""
    report = check("The fee is waived [P1]. It is due.", PASSAGES, judge=lambda claim, passages: YES)

    assert report.support == (YES, unknown("there is no passage to judge it by"))
    assert report.claims[0].span == Span(0, 23)
