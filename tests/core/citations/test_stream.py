"""The stream: its law, what it holds back, and what it costs."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contextpack_core import AnswerError, CitationSeen, CitationStatus, CitationStream, ReportStatus, TextDelta, check
from contextpack_core.citations.stream import MAX_HELD
from tests import hostile

PARTS = [
    "[P1]", "[P1", "P2]", "[P1, P9]", "[[P1]](http://x.y)", "[", "]", "【P2】", "`", "``", "```\n", "~~~\n", "\n", "\n\n", "- ",
    "It holds 40 bar", ". ", "“keep dry” ", "\"as in [P2]\"", "弁は三つある。", "e\u0301",
    "\ud83d", "\r\n", "(", ")", "\\", " ", "x[1]", "[see the long note", "<think>", "</think>",
]  # fmt: skip
answers = st.lists(st.sampled_from(PARTS), max_size=20).map("".join)
SOURCES = {"P1": "It holds 40 bar. See as in [P2].", "P2": "Rule: keep dry."}


def streamed(answer: str, sizes: list[int], sources=SOURCES):
    stream, events, at, turn, held = CitationStream(sources), [], 0, 0, 0
    while at < len(answer):
        size = sizes[turn % len(sizes)]
        events += stream.feed(answer[at : at + size])
        at, turn = min(len(answer), at + size), turn + 1
        held = max(held, at - sum(len(e.text) for e in events if isinstance(e, TextDelta)))
    report = stream.finish()
    return report, events + list(report.tail), held


@given(answers, st.lists(st.integers(1, 9), min_size=1), st.sampled_from([SOURCES, None]))
@settings(max_examples=200, deadline=None)
def test_the_law(answer: str, sizes: list[int], sources) -> None:
    """However the answer is cut, events joined, citations and report are those of the whole, and little is held."""
    report, events, held = streamed(answer, sizes, sources)
    whole = check(answer, sources)

    assert report == whole
    assert report.to_dict() == whole.to_dict()
    assert "".join(e.text for e in events if isinstance(e, TextDelta)) == answer
    assert tuple(e.citation for e in events if isinstance(e, CitationSeen)) == whole.citations
    assert held <= MAX_HELD <= 64


@given(answers, st.lists(st.integers(1, 9), min_size=1))
@settings(max_examples=200, deadline=None)
def test_a_citation_comes_behind_its_text(answer: str, sizes: list[int]) -> None:
    """When a citation is seen, all of its mark has been given out."""
    _, events, _ = streamed(answer, sizes)
    given_out = 0
    for event in events:
        if isinstance(event, TextDelta):
            given_out += len(event.text)
        else:
            assert event.citation.span.end <= given_out


def test_events_of_a_plain_answer() -> None:
    """Text goes out at once, a mark whole with its citation, and the rest behind it."""
    stream = CitationStream(SOURCES)
    events = [stream.feed(chunk) for chunk in ("It holds", " 40 bar [P", "1]", ". End [P7]")]
    report = stream.finish()

    first, second = report.citations
    assert events == [
        [TextDelta("It holds")],
        [TextDelta(" 40 bar ")],
        [],
        [TextDelta("[P1]"), CitationSeen(first), TextDelta(". End ")],
    ]
    assert report.tail == (TextDelta("[P7]"), CitationSeen(second))
    assert (first.status, second.status) == (CitationStatus.VALID, CitationStatus.UNKNOWN)


def test_text_in_possible_code_goes_out() -> None:
    """Behind an open tick only the citation waits."""
    stream = CitationStream(SOURCES)
    events = stream.feed("Use ` as in [P1] and") + stream.feed(" so on.\n\n") + stream.feed("E")

    assert [e.text if isinstance(e, TextDelta) else e.citation.labels for e in events] == [
        "Use ` as in [P1] and", ("P1",), " so on.\n\n", "E",
    ]  # fmt: skip


def test_without_sources() -> None:
    """Without sources every citation is NOT_CHECKED, and so is the report."""
    report, _, _ = streamed("It is so [P1]. And [doc7].", [3], None)

    assert [(c.labels, c.status) for c in report.citations] == [
        (("P1",), CitationStatus.NOT_CHECKED),
        (("doc7",), CitationStatus.NOT_CHECKED),
    ]
    assert report.status is ReportStatus.NOT_CHECKED


def test_a_finished_stream_takes_no_more() -> None:
    """Finishing twice gives one report; feeding after it, or feeding no text, is an error that says so."""
    stream = CitationStream(SOURCES)
    stream.feed("It holds")
    with pytest.raises(AnswerError, match="chunk: bytes — a text"):
        stream.feed(b"x")  # type: ignore[arg-type]
    report = stream.finish()

    assert stream.finish() is report
    with pytest.raises(AnswerError, match="the stream is finished"):
        stream.feed("more")


def test_streams_share_nothing() -> None:
    """A stream that is dropped in the middle of a mark leaves no trace in the next one."""
    CitationStream(SOURCES).feed("Seal [P")

    assert streamed("1] See [P2].", [1])[0] == check("1] See [P2].", SOURCES)


@pytest.mark.parametrize("unit", hostile.STREAMED)
def test_a_long_stream(unit: str) -> None:
    """Whatever came in twenty thousand characters before it, one a feed, the report is that of the whole, and no text is lost."""
    answer = f"{hostile.many(unit, 20_000)}\n\nThe lid is shut [P2]."
    stream = CitationStream(SOURCES)
    events = [event for char in answer for event in stream.feed(char)]
    report = stream.finish()

    assert report == check(answer, SOURCES)
    assert "".join(e.text for e in (*events, *report.tail) if isinstance(e, TextDelta)) == answer
