"""The report: rendering, feedback and its saved form."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contextpack_core import Candidate, CitationSettings, Report, Source, check, pack

PARTS = [
    "[P1]",
    "[P12]",
    "[P1, P9]",
    "[[P2]](http://x.y)",
    "([P1])",
    "**[P2]**",
    " ",
    "\n",
    "It is so",
    ".",
    ",",
    "- ",
    "[not a mark]",
    "`[P1]`",
    "【P2】",
    "泵",
]
answers = st.lists(st.sampled_from(PARTS), max_size=20).map("".join)
SOURCES = {"P1": "It is so.", "P2": "It is so.", "P12": "It is so."}


@given(answers)
@settings(max_examples=200, deadline=None)
def test_stripping_takes_marks_and_nothing_else(answer: str) -> None:
    """Without its marks the answer has its other characters in order, and no mark is left."""
    report = check(answer, SOURCES)
    stripped = report.render("strip")
    kept = [c for i, c in enumerate(answer) if not any(m.span.start <= i < m.span.end for m in report.citations)]

    loose = " \t\n\u3000,;()*"
    assert [c for c in stripped if c not in loose] == [c for c in kept if c not in loose]
    assert report.render("keep") == answer


@given(answers)
@settings(max_examples=200, deadline=None)
def test_the_report_is_strict_data(answer: str) -> None:
    """A report is written as strict JSON whatever the answer holds."""
    assert json.loads(json.dumps(check(answer + "\ud800", SOURCES).to_dict(), allow_nan=False).encode())["status"]


def manual() -> Report:
    source = Source("m", title="Manual (2nd)", section="3.2", page=14, uri="https://example.invalid/a (b)", edition="2")
    evil = Source("x", title="X", uri="javascript:alert(1)")
    made = pack([Candidate("a", "The lid is red.", source), Candidate("b", "The pump is hot.", evil)], "lid")
    return check("The lid is red [P1]. The pump is hot [P1, P2]. See [P7].", made)


def test_links() -> None:
    """Known labels get the address of their source; a script is no address, and unknown labels stay as they are."""
    linked = manual().render("links")

    address = "https://example.invalid/a%20%28b%29"
    assert linked == f"The lid is red [[P1]]({address}). The pump is hot [[P1]]({address})[P2]. See [P7]."
    assert linked.changes == ("2 labels linked to its source",)


def test_footnotes() -> None:
    """Each source is listed once with what is known of it."""
    assert manual().render("footnotes") == (
        "The lid is red [^P1]. The pump is hot [^P1][^P2]. See [P7].\n\n"
        "[^P1]: Manual (2nd), 3.2, p. 14, edition 2 <https://example.invalid/a%20%28b%29>\n"
        "[^P2]: X"
    )


def test_an_unknown_style_is_named() -> None:
    """A style that does not exist is an error that lists those that do."""
    with pytest.raises(ValueError, match="style: 'html' — one of keep, strip, links, footnotes"):
        manual().render("html")


def test_feedback_and_problems() -> None:
    """Problems stand in the order of the answer; the feedback has them and the labels; a good answer needs none."""
    report = check("It is red. It is so [P9]. It is 5 m long [P1].", {"P1": "It is 4 m long.", "P2": "It is so."})

    assert [str(p) for p in report.problems] == [
        "“It is red.” has no citation: cite the passage that says so, or leave it out",
        "[P9] names no passage: P9 is no label (there are P1, P2)",
        f"“5 m” stands in no passage: {report.figures[0].detail}",
    ]
    assert report.feedback().splitlines()[1:5] == [
        *(f"{i}. {p}" for i, p in enumerate(report.problems, 1)),
        "The marks that cite a passage: [P1], [P2].",
    ]
    assert check("It is so [P1].", SOURCES).feedback() == ""


@pytest.mark.parametrize(("marks", "shown"), [("label", "[P1], [note]"), ("footnote", "[^P1], [^note]"), ("number", "[1], [note]")])
def test_feedback_shows_the_marks_that_the_prompt_asked_for(marks: str, shown: str) -> None:
    """In the form of the policy; a label without a number is written out."""
    report = check("It is red.", {"P1": "It is 4 m long.", "note": "It is so."}, settings=CitationSettings(marks=marks))

    assert report.feedback().splitlines()[2] == f"The marks that cite a passage: {shown}."
