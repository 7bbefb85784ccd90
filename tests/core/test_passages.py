"""From joined candidates to a passage, and to an excerpt of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextpack_core.passages import GAP_MARK, assemble, cut, passage_of
from contextpack_core.values import Candidate, Join, Joins, Passage, Piece, Source, Span


def candidate(name: str, text: str, start: int | None = None, **source: object) -> Candidate:
    span = None if start is None else Span(start, start + len(text))
    return Candidate(name, text, Source("d", span=span, **source))  # type: ignore[arg-type]


def test_overlap_stands_once() -> None:
    """The piece of the right candidate starts where the left one ends; the source runs over both."""
    members = [candidate("a", "red oak ash", 0, section="1", page="3-4"), candidate("b", "ash elm", 8, section="2", page="4-5")]
    joins = Joins((("a", "b"),), {("a", "b"): Join("a", "b", overlap=3)})

    passage = assemble(members, joins)

    source = Source("d", span=Span(0, 15), section="1", page="3-5")
    assert passage.pieces == (Piece("a", "red oak ash", Span(0, 11)), Piece("b", " elm", Span(11, 15)))
    assert (passage.text, passage.source, passage.candidate_ids) == ("red oak ash elm", source, ("a", "b"))


def test_glue_is_inserted() -> None:
    """Glue goes with the candidate before it, is marked as inserted and has a span only if it was filled from the document."""
    members = [candidate("a", "one", 0), candidate("b", "two", 4), candidate("c", "three", 30)]
    joins = Joins(
        (("a", "b", "c"),),
        {("a", "b"): Join("a", "b", glue=" ", glue_span=Span(3, 4)), ("b", "c"): Join("b", "c", glue=GAP_MARK)},
    )

    passage = assemble(members, joins)

    assert passage.pieces == (
        Piece("a", "one", Span(0, 3)),
        Piece("a", " ", Span(3, 4), inserted=True),
        Piece("b", "two", Span(4, 7)),
        Piece("b", " […] ", None, inserted=True),
        Piece("c", "three", Span(30, 35)),
    )
    assert (passage.text, passage.source.span) == ("one two […] three", Span(0, 35))


def test_a_span_that_does_not_fit_is_not_claimed() -> None:
    """A candidate whose span is longer than its text claims none, and the passage neither."""
    passage = assemble([Candidate("a", "one", Source("d", span=Span(0, 9)))], Joins())

    assert passage == passage_of([Piece("a", "one")], Source("d"))


def test_sources_of_duplicates_are_listed_once() -> None:
    """Two members with the same further source list it once."""
    also = (Source("x"), Source("y"))
    members = [Candidate("a", "one", Source("d"), also_in=also), Candidate("b", "two", Source("d"), also_in=also[:1])]

    assert assemble(members, Joins((), {("a", "b"): Join("a", "b")})).also_in == also


@pytest.mark.parametrize(
    ("pages", "expected"),
    [
        ((3, 3), 3),
        ((3, 4), "3-4"),
        (("3-4", "4-5"), "3-5"),
        (("9–10", "11"), "9-11"),
        ((None, 7), 7),
        ((None, None), None),
        (("iv", "v"), "iv, v"),
        ((0, 1), "0-1"),
        (("A-2", "A-3"), "A-2, A-3"),
    ],
)
def test_pages_run_from_the_first_to_the_last(pages: tuple[int | str | None, ...], expected: int | str | None) -> None:
    """Numbers that differ become a range, other pages a list."""
    members = [candidate("a", "one", 0, page=pages[0]), candidate("b", "two", 3, page=pages[1])]

    assert assemble(members, Joins((), {("a", "b"): Join("a", "b")})).source.page == expected


PASSAGE = Passage(
    "u",
    (
        Piece("a", "Stop the pump.", Span(10, 24)),
        Piece("a", "\n", None, inserted=True),
        Piece("b", "Close it. Log it.", Span(26, 43)),
    ),
    Source("d", span=Span(10, 43)),
    (Source("x"),),
)


def test_an_excerpt_keeps_exact_spans() -> None:
    """Stretches come in the order of the text with a mark between; each piece keeps its place in the document."""
    excerpt = cut(PASSAGE, [(25, 32), (0, 4)])

    expected = [
        Piece("a", "Stop", Span(10, 14)),
        Piece("a", " […] ", None, inserted=True),
        Piece("b", "Log it.", Span(36, 43)),
    ]
    assert excerpt == passage_of(expected, Source("d", span=Span(10, 43)), (Source("x"),))


def test_stretches_that_touch_are_one() -> None:
    """Touching and overlapping stretches have no mark between them, and the whole is the passage itself."""
    assert cut(PASSAGE, [(0, 20), (15, 32)]) is PASSAGE
    assert cut(PASSAGE, [(0, 4), (4, 8), (9, 9)]).text == "Stop the"


@pytest.mark.parametrize("keep", [[], [(3, 3)], [(0, 99)]])
def test_an_impossible_excerpt_is_an_error(keep: list[tuple[int, int]]) -> None:
    """Nothing kept, or a stretch beyond the text, is named in the error."""
    with pytest.raises(ValueError, match="stretches of text between 0 and 32"):
        cut(PASSAGE, keep)


@given(st.lists(st.tuples(st.integers(0, 32), st.integers(0, 32)).map(sorted).map(tuple), min_size=1))
def test_excerpts_say_where_they_are_from(keep: list[tuple[int, int]]) -> None:
    """Whatever is kept, every piece with a span reads as the passage does there."""
    if not any(start < end for start, end in keep):
        return
    document = " " * 10 + "Stop the pump.\n\nClose it. Log it."

    for piece in cut(PASSAGE, keep).pieces:
        assert piece.span is None or document[piece.span.start : piece.span.end] == piece.text
