"""Citation marks: what one decision looks at, and that neither cuts nor length matter."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contextpack_core import Citation, CitationStatus, Span, parse_citations
from contextpack_core.citations import marks as marks_module
from contextpack_core.citations.labels import vocabulary
from contextpack_core.citations.marks import MarkScanner, scan
from tests import hostile

WORDS = """
[P1] [P1 P2 [ ] 【 】 ［ ］ ` `` ``` ~~~ ( ) a x _ P 1 2 , ; - – ^ : [[ ]] 泵 text [P1,P9] [1] [^1] [Source see
[guide.pdf#page=2] ```py http://x.y | # \\ > [Annual 2024 \ud800 . `a`
"""
PARTS = [
    *WORDS.split(),
    " ",
    "\n",
    "\n\n",
    "- ",
    "* ",
    "1. ",
    "    ",
    "> ",
    "e\u0301",
    "\r\n",
    "```\n",
    "[P1, p. 3]",
    "[Source 1]",
    "<thi",
    "nk>",
    "</think>",
]
VOCABULARIES = [
    vocabulary(["P1", "P2", "P3", "P12"]),
    vocabulary(["1", "2", "3"]),
    vocabulary(None),
    vocabulary(["guide.pdf#page=2", "Annual Report, 2024", "a-1x", "b-2y"]),
    vocabulary(["P1"], "footnote", ("round",), {"c7": "superseded"}),
]
answers = st.tuples(
    st.sampled_from(["", "", "<think>", " \n<think"]), st.lists(st.sampled_from(PARTS), max_size=25).map("".join)
).map("".join)


def in_pieces(text: str, sizes: list[int], words) -> tuple[list[Citation], list[Span]]:
    scanner, found, at, turn = MarkScanner(words), [], 0, 0
    while at < len(text):
        size = sizes[turn % len(sizes)]
        found += scanner.add(text[at : at + size])
        at, turn = at + size, turn + 1
    return found + scanner.run(final=True), scanner.code


@given(answers, st.lists(st.integers(1, 7), min_size=1), st.sampled_from(VOCABULARIES))
@settings(max_examples=200, deadline=None)
def test_cuts_do_not_matter(text: str, sizes: list[int], words) -> None:
    """Wherever a text is cut, the marks and the code found in it are those of the whole."""
    whole = scan(text, words)

    assert in_pieces(text, sizes, words) == (list(whole.citations), list(whole.code))


@given(answers, st.lists(st.integers(1, 3), min_size=1), st.sampled_from(VOCABULARIES))
@settings(max_examples=200, deadline=None)
def test_cuts_do_not_matter_at_the_edge_of_a_window(text: str, sizes: list[int], words) -> None:
    """The same holds where every window of a decision is almost nothing."""
    with pytest.MonkeyPatch.context() as patch:
        for name, size in {"MAX_MARK": 9, "MAX_CODE": 11, "_LINE_WINDOW": 8, "_MAX_TICKS": 4, "_CONTEXT": 30}.items():
            patch.setattr(marks_module, name, size)
        whole = scan(text, words)

        assert in_pieces(text, sizes, words) == (list(whole.citations), list(whole.code))


@given(answers)
@settings(max_examples=200, deadline=None)
def test_spans_show_the_text(text: str) -> None:
    """Each citation's text is what stands at its span, spans are in order, and none overlaps another."""
    found = parse_citations(text, ["P1", "P2", "1"])

    assert [text[c.span.start : c.span.end] for c in found] == [c.text for c in found]
    assert all(a.span.end <= b.span.start for a, b in pairwise(found))


@given(st.lists(st.sampled_from(["P1", "P2", "1", "doc 7", "a,b", "guide.pdf", "Ünï", "e-45x"]), unique=True, min_size=1))
def test_every_label_names_itself(labels: list[str]) -> None:
    """Whatever the labels are, each of them in brackets is a valid citation of itself."""
    found = [parse_citations(f"So [{label}].", labels) for label in labels]

    assert [[(c.labels, c.status) for c in marks] for marks in found] == [[((label,), CitationStatus.VALID)] for label in labels]


@pytest.mark.parametrize("unit", hostile.CITATION_MARKS)
def test_a_mark_after_a_long_text(unit: str) -> None:
    """Whatever stands in a hundred thousand characters before it, it is read."""
    last = parse_citations(f"{hostile.many(unit, 100_000)}\n\nThe lid is shut [P2].", ["P1", "P2"])[-1]

    assert (last.text, last.labels, last.status) == ("[P2]", ("P2",), CitationStatus.VALID)


@pytest.mark.parametrize("text", ["`" * 9 + "x", "[P1, " * 200, "[[P1]](" + "a" * 900, "~" * 300, "` " + "x" * 1500 + " [P1]"])
def test_fed_by_characters_the_same_is_found(text: str) -> None:
    """Texts longer than a window give the same marks whole and character by character."""
    words = vocabulary(["P1"])

    assert in_pieces(text, [1], words)[0] == list(scan(text, words).citations)


def test_details_say_what_would_be_right() -> None:
    """An unknown label comes with the label that may be meant."""
    found = parse_citations("A [1]. B [Source 2]. C [P3-P1]. D [P9, P1]. E 【P1].", ["P1", "P2"])

    assert [(c.labels, c.detail) for c in found] == [
        (("1",), "1 is no label; P1 is"),
        (("Source 2",), "Source 2 is no label; P2 is"),
        (("P3-P1",), "P3-P1 runs backwards"),
        (("P9", "P1"), "P9 is no label"),
        (("P1",), "it opens with 【 and ends with ]"),
    ]


def test_dropped_names_are_told_apart() -> None:
    """A name of a dropped candidate is DROPPED with its reason, beside the labels that exist."""
    found = parse_citations("A [c7]. B [P1, c7].", ["P1"], dropped={"c7": "superseded by P1"})

    assert [(c.labels, c.status, c.detail) for c in found] == [
        (("c7",), CitationStatus.DROPPED, "superseded by P1"),
        (("P1", "c7"), CitationStatus.DROPPED, "superseded by P1"),
    ]


def test_without_labels_nothing_is_judged() -> None:
    """With no labels to compare with, all that looks like a label is NOT_CHECKED."""
    found = parse_citations("A [P1, P2] [doc3] [x] [2024].", None)

    assert [(c.labels, c.status) for c in found] == [
        (("P1", "P2"), CitationStatus.NOT_CHECKED),
        (("doc3",), CitationStatus.NOT_CHECKED),
    ]
