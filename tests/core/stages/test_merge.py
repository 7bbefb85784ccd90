"""Which candidates go on from each other."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contextpack_core.offsets import Documents, check_spans
from contextpack_core.passages import GAP_MARK, assemble
from contextpack_core.stages.dedup import DedupSettings, drop_duplicates
from contextpack_core.stages.merge import MergeSettings, find_joins
from contextpack_core.values import Candidate, Join, Joins, Passage, Source, Span

TEXT = "Stop the pump. Close the valve.\n\nOpen the drain. Wait for ten minutes. Log the pressure in the book."
NAMES = "abcdefgh"


def candidate(name: str, start: int, end: int, text: str | None = None, **fields: Any) -> Candidate:
    """The candidate of a stretch of TEXT, or of another text that claims to stand there."""
    links = {key: fields.pop(key) for key in ("previous_id", "next_id", "parent_id", "metadata") if key in fields}
    return Candidate(name, TEXT[start:end] if text is None else text, Source("d", span=Span(start, end), **fields), **links)


def without_span(name: str, text: str, **links: str) -> Candidate:
    return Candidate(name, text, Source("d"), **links)  # type: ignore[arg-type]


def joined(*candidates: Candidate, documents: Documents | None = None, max_gap: int = 80, fill_gaps: bool = True) -> Joins:
    return find_joins(candidates, documents, MergeSettings(max_gap=max_gap), fill_gaps=fill_gaps)


def only_join(joins: Joins) -> Join | None:
    """The join of the two candidates, if there is one."""
    assert len(joins.chains) == len(joins.between) <= 1
    return next(iter(joins.between.values()), None)


# ---- by the document


def test_the_document_proves_overlaps_and_fills_gaps() -> None:
    """Overlap is cut, touching needs nothing, a gap is filled with what stands there."""
    joins = joined(
        candidate("c", 33, 48), candidate("a", 0, 14), candidate("b", 10, 31), candidate("e", 48, 60), documents={"d": TEXT}
    )

    assert joins.chains == (("a", "b", "c", "e"),)
    assert joins.between == {
        ("a", "b"): Join("a", "b", overlap=4),
        ("b", "c"): Join("b", "c", glue="\n\n", glue_span=Span(31, 33)),
        ("c", "e"): Join("c", "e"),
    }


def test_a_gap_is_filled_only_as_far_as_it_may() -> None:
    """A longer gap joins nothing; where gaps are not to be filled all but white space is marked."""
    left, right, near = candidate("a", 0, 14), candidate("b", 33, 48), candidate("c", 15, 31)
    documents = {"d": TEXT}

    assert only_join(joined(left, right, documents=documents, max_gap=18)) is None
    assert only_join(joined(left, right, documents=documents, max_gap=19)) == Join(
        "a", "b", glue=TEXT[14:33], glue_span=Span(14, 33)
    )
    assert only_join(joined(left, right, documents=documents, fill_gaps=False)) == Join("a", "b", glue=GAP_MARK)
    assert only_join(joined(left, near, documents=documents, fill_gaps=False)) == Join("a", "c", glue=" ", glue_span=Span(14, 15))


def test_what_does_not_stand_in_the_document_joins_nothing() -> None:
    """A span that the document does not bear out is not believed, even where the texts agree."""
    assert only_join(joined(candidate("a", 0, 14, "Halt the pump."), candidate("b", 10, 14, "ump."), documents={"d": TEXT})) is None


def test_the_text_of_one_edition_does_not_fill_the_other() -> None:
    """With two editions under one document id it is not known whose text the document is: gaps are marked."""
    editions = [
        candidate(name, *ends, edition=edition)
        for edition in "12"
        for name, ends in ((f"a{edition}", (0, 14)), (f"b{edition}", (33, 48)))
    ]

    assert {join.glue for join in joined(*editions, documents={"d": TEXT}).between.values()} == {GAP_MARK}


# ---- by offsets


def test_overlap_joins_if_the_texts_agree() -> None:
    """The shared characters read the same on both sides."""
    assert only_join(joined(candidate("a", 0, 20), candidate("b", 15, 31))) == Join("a", "b", overlap=5)


def test_one_contradiction_and_nothing_of_the_edition_joins() -> None:
    """An overlap that reads differently, or an offset that does not fit, spoils all offsets of its edition, no others."""
    good = [candidate("a", 0, 20), candidate("b", 15, 31)]
    other = [candidate("x", 0, 20, edition="2"), candidate("y", 15, 31, edition="2")]
    contradicting = candidate("c", 50, 60, "0123456789"), candidate("e", 55, 60, "98765")
    misplaced = replace(without_span("c", "text"), metadata={"start_char_idx": 9, "end_char_idx": 2})

    for wrong in (contradicting, [misplaced]):
        joins = joined(*good, *wrong, *other)
        assert joins.chains == (("x", "y"),)
        assert joins.notices == ("the offsets of document 'd' are not believed: only links join its parts",)


def test_touching_needs_equal_metadata_or_a_link() -> None:
    """Offsets that restart in each section, sheet or parent touch by accident; those of one chunk may differ."""
    left, right = candidate("a", 0, 14), candidate("b", 14, 31)
    apart = [
        replace(right, source=replace(right.source, section="2")),
        replace(right, source=replace(right.source, page=2)),
        replace(right, metadata={"Header 2": "Safety"}),
        replace(right, metadata={"row": 7}),
        replace(right, parent_id="p"),
    ]
    numbered = replace(right, metadata={"start_index": 14, "chunk_id": "x", "chunkIndex": 1, "page_content_hash": "9"})

    assert [only_join(joined(left, one)) for one in apart] == [None] * 5
    assert [only_join(joined(left, replace(one, previous_id="a"))) for one in apart] == [Join("a", "b")] * 5
    assert [only_join(joined(left, one)) for one in (right, numbered)] == [Join("a", "b")] * 2


def test_a_link_to_something_else_denies_touching() -> None:
    """Parts that a parser numbered do not touch if another one stands between."""
    left, right = candidate("a", 0, 14), candidate("b", 14, 31)

    assert only_join(joined(replace(left, next_id="z"), right)) is None
    assert only_join(joined(left, replace(right, previous_id="z"))) is None
    assert only_join(joined(replace(left, next_id="b"), replace(right, previous_id="z"))) == Join("a", "b")


def test_stripped_white_space_is_a_line_break() -> None:
    """A gap of a character or two between texts without white space at their ends is white space; its exact form is not known."""
    left, right, far = candidate("a", 0, 14), candidate("b", 15, 31), candidate("c", 17, 31)

    assert only_join(joined(left, right)) == Join("a", "b", glue="\n")
    assert only_join(joined(left, far)) == Join("a", "c", glue=GAP_MARK)
    assert only_join(joined(left, replace(far, previous_id="a"))) == Join("a", "c", glue="\n")
    assert only_join(joined(candidate("s", 0, 15), candidate("t", 16, 31))) == Join("s", "t", glue=GAP_MARK)
    assert only_join(joined(left, right, max_gap=0)) is None


def test_a_gap_is_marked_up_to_the_limit() -> None:
    """What stands between is not known: a mark says so, and beyond the limit the two stay apart."""
    left, right = candidate("a", 0, 14), candidate("b", 33, 48)

    assert only_join(joined(left, right, max_gap=19)) == Join("a", "b", glue=GAP_MARK)
    assert only_join(joined(left, right, max_gap=18)) is None
    assert only_join(joined(left, replace(right, source=replace(right.source, page=9)))) is None


def test_chunks_of_two_pages_join_by_a_long_overlap() -> None:
    """Offsets may restart on each page: a short overlap of chunks from different pages is no proof."""
    left, right = candidate("a", 0, 31, page=1), candidate("b", 15, 48, page=2)

    assert only_join(joined(left, right)) == Join("a", "b", overlap=16)
    assert only_join(joined(candidate("a", 0, 31, page=1), candidate("b", 16, 48, page=2))) is None


@pytest.mark.parametrize(
    "other",
    [
        Source("e", span=Span(14, 31)),
        Source("d", span=Span(14, 31), edition="2"),
        Source("d", span=Span(14, 31), access=("board",)),
        Source("d"),
    ],
)
def test_nothing_joins_across(other: Source) -> None:
    """Neither documents nor editions nor access labels mix in a passage, and without offsets or links nothing joins."""
    assert only_join(joined(candidate("a", 0, 14), Candidate("b", TEXT[14:31], other))) is None


def test_two_labels_do_not_mix() -> None:
    """Each group of labels makes passages of its own."""
    parts = [candidate(label + str(start), start, start + 20, access=(label,)) for start in (0, 15) for label in ("board", "staff")]

    assert joined(*parts).chains == (("board0", "board15"), ("staff0", "staff15"))


def test_no_document_no_join() -> None:
    """Texts whose document is not known have nothing in common."""
    assert (
        only_join(joined(*[Candidate(n, TEXT[s : s + 9], Source("", span=Span(s, s + 9))) for n, s in (("a", 0), ("b", 5))]))
        is None
    )


# ---- by links


def test_linked_texts_join_by_what_they_share() -> None:
    """Without offsets the end of one must be the beginning of the other, at some length; either link will do."""
    left, right = without_span("a", TEXT[:60]), without_span("b", TEXT[35:])
    short = without_span("c", TEXT[50:], previous_id="a")

    assert only_join(joined(left, replace(right, previous_id="a"))) == Join("a", "b", overlap=25)
    assert only_join(joined(replace(left, next_id="b"), right)) == Join("a", "b", overlap=25)
    assert only_join(joined(left, right)) is None
    assert only_join(joined(left, short)) is None


SEAL = "Check the seal, then log it. "


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("First part. " + SEAL + "Rinse. " + SEAL, SEAL + "Rinse. " + SEAL + "Second part."),
        (SEAL + "First part. " + SEAL, SEAL + "Second part."),
        ("First part. " + SEAL, SEAL + "Second part. " + SEAL),
        ("First part. " + "=" * 20, "=" * 20 + " Second part."),
    ],
)
def test_an_ambiguous_overlap_is_none(left: str, right: str) -> None:
    """Where two lengths would do, where the shared text comes again, and where it is a ruler, none is taken."""
    assert only_join(joined(without_span("a", left), without_span("b", right, previous_id="a"))) is None


def test_what_a_document_repeats_proves_nothing() -> None:
    """The same border joins two linked texts, but not where a third one has it as well."""
    pair = without_span("a", "First part. " + SEAL), without_span("b", SEAL + "Second part.", previous_id="a")

    assert only_join(joined(*pair)) == Join("a", "b", overlap=len(SEAL))
    assert only_join(joined(*pair, without_span("c", "Third part. " + SEAL + "The end."))) is None


def test_links_that_disagree_join_nothing() -> None:
    """Two that follow one, one that follows two, a circle, a link to oneself or to nobody: nothing is joined by them."""
    a, b, c = candidate("a", 0, 14), candidate("b", 14, 31, section="2"), candidate("c", 14, 31, section="3")
    ends = "A text that is long enough.", "Another one, as long as that."
    circle = without_span("x", " and ".join(ends), previous_id="y"), without_span("y", " or ".join(ends[::-1]), previous_id="x")

    assert joined(replace(a, next_id="b"), b, c).chains == (("a", "b"),)
    assert joined(replace(a, next_id="b"), b, replace(c, previous_id="a")).chains == ()
    assert joined(replace(c, next_id="z"), replace(b, next_id="z"), candidate("z", 31, 48)).chains == ()
    assert joined(replace(a, previous_id="a", next_id="nobody"), b).chains == ()
    assert joined(circle[0], replace(circle[1], previous_id=None)).chains == (("y", "x"),)
    assert joined(*circle).chains == ()


# ---- chains


def test_neighbours_of_neighbours_that_overlap_are_joined_too() -> None:
    """Whoever is admitted without the one between goes on from the one before."""
    joins = joined(candidate("a", 0, 20), candidate("b", 10, 31), candidate("c", 18, 48), candidate("e", 45, 60))

    assert joins.chains == (("a", "b", "c", "e"),)
    assert sorted(joins.between) == [("a", "b"), ("a", "c"), ("b", "c"), ("c", "e")]
    assert joins.between["a", "c"] == Join("a", "c", overlap=2)


def test_one_inside_another_joins_nothing() -> None:
    """Should one that stands inside another still be there, it is passed over."""
    assert joined(candidate("a", 0, 31), candidate("b", 5, 10), candidate("c", 31, 48)).chains == (("a", "c"),)


def test_many_windows_make_one_chain() -> None:
    """Windows that each overlap hundreds of others make one chain, in the order of the text."""
    chance = random.Random(1)
    text = "".join(chance.choices("abcdef ", k=8000))
    windows = [
        Candidate(str(k), text[4 * k : 4 * k + 900], Source("d", span=Span(4 * k, min(4 * k + 900, 8000)))) for k in range(1700)
    ]

    joins = joined(*windows)

    assert joins.chains == (tuple(str(k) for k in range(1700)),)


# ---- laws: whatever the offsets count, no text comes out that the document does not have

SENTENCES = [
    "See above.",
    "Okay.",
    "Note: see terms.",
    "total total total.",
    "Größe: 5 m.",
    "红灯停。",
    "Check the seal and log it.",
]


@st.composite
def documents(draw: st.DrawFn) -> str:
    """A document in which many sentences come more than once."""
    parts = draw(
        st.lists(st.sampled_from(SENTENCES) | st.integers(0, 99).map("Item {} weighs little.".format), min_size=3, max_size=25)
    )
    return "".join(part + draw(st.sampled_from([" ", " ", "\n", "\n\n"])) for part in parts)


def chunks(text: str, size: int, overlap: int) -> list[tuple[int, str]]:
    """Windows that end between words and have no white space at their ends, as splitters make them."""
    words = [(m.start(), m.end()) for m in re.finditer(r"\S+", text)]
    found, first = [], 0
    while first < len(words):
        last = first
        while last + 1 < len(words) and words[last + 1][1] - words[first][0] <= size:
            last += 1
        found.append((words[first][0], text[words[first][0] : words[last][1]]))
        if last + 1 == len(words):
            break
        again = last + 1
        while again - 1 > first and words[last][1] - words[again - 1][0] <= overlap:
            again -= 1
        first = again
    return found


def from_the_start(text: str, cut: Sequence[tuple[int, str]]) -> list[tuple[int, str, str]]:
    return [(start, part, "") for start, part in cut]


def in_bytes(text: str, cut: Sequence[tuple[int, str]]) -> list[tuple[int, str, str]]:
    return [(len(text[:start].encode()), part, "") for start, part in cut]


def one_too_far(text: str, cut: Sequence[tuple[int, str]]) -> list[tuple[int, str, str]]:
    return [(start + k % 2, part, "") for k, (start, part) in enumerate(cut)]


def in_sections(text: str, cut: Sequence[tuple[int, str]]) -> list[tuple[int, str, str]]:
    return [(start - len(text) // 3 * (section := start // (len(text) // 3 + 1)), part, f"s{section}") for start, part in cut]


def backwards(text: str, cut: Sequence[tuple[int, str]]) -> list[tuple[int, str, str]]:
    return [(start, part, "") for (start, _), (_, part) in zip(cut, cut[::-1], strict=True)]


COUNTS = {f.__name__: f for f in (from_the_start, in_bytes, one_too_far, in_sections, backwards)}
picks = st.tuples(documents(), st.integers(15, 90), st.integers(0, 30), st.randoms(use_true_random=False))


def passages_of(candidates: Sequence[Candidate], text: str | None, **options: Any) -> list[Passage]:
    """What becomes of the candidates, and of any two of which a join says how they go on."""
    source = None if text is None else {"d": text}
    ranked = [replace(c, rank=rank) for rank, c in enumerate(candidates, 1)]
    distinct = drop_duplicates(check_spans(ranked, source).kept, DedupSettings()).kept
    joins = find_joins(distinct, source, MergeSettings(**options))
    by_id = {c.id: c for c in distinct}
    members = [name for chain in joins.chains for name in chain]
    assert len(members) == len(set(members))
    return [assemble([by_id[name] for name in run], joins) for run in (*joins.chains, *joins.between)]


def is_true(passage: Passage, text: str) -> bool:
    """Whether all that stands between two marks stands so in the text, white space aside."""
    squeezed = "".join(text.split())
    return all("".join(part.split()) in squeezed for part in passage.text.split(GAP_MARK))


@settings(max_examples=150, deadline=None)
@given(picks, st.sampled_from(sorted(COUNTS)), st.sampled_from([0, 12, 80]))
def test_with_the_document_nothing_is_made_up(pick: tuple[str, int, int, random.Random], count: str, max_gap: int) -> None:
    """Whatever the offsets count, every passage is the document's text up to marks, and so is every piece at its span."""
    text, size, overlap, chance = pick
    placed = COUNTS[count](text, chunks(text, size, overlap))
    candidates = [
        Candidate(str(k), part, Source("d", span=Span(max(0, start), max(0, start) + len(part)), section=section or None))
        for k, (start, part, section) in enumerate(placed)
        if chance.random() < 0.8
    ]

    for passage in passages_of(candidates, text, max_gap=max_gap):
        assert is_true(passage, text)
        assert passage.text in text or GAP_MARK in passage.text
        for piece in passage.pieces:
            assert piece.span is None or text[piece.span.start : piece.span.end] == piece.text


@settings(max_examples=150, deadline=None)
@given(picks, st.sampled_from(["from_the_start", "in_sections"]), st.booleans())
def test_without_the_document_nothing_is_made_up(pick: tuple[str, int, int, random.Random], count: str, linked: bool) -> None:
    """Offsets from the start of the document, and of sections that are named, join only what goes on in the document."""
    text, size, overlap, chance = pick
    placed = COUNTS[count](text, chunks(text, size, overlap))
    candidates = [
        Candidate(
            str(k),
            part,
            Source("d", span=Span(max(0, start), max(0, start) + len(part)), section=section or None),
            previous_id=str(k - 1) if linked else None,
        )
        for k, (start, part, section) in enumerate(placed)
        if chance.random() < 0.8
    ]

    assert [passage.text for passage in passages_of(candidates, None) if not is_true(passage, text)] == []


@given(st.lists(st.tuples(st.text(max_size=6), st.none() | st.integers(0, 9), st.sampled_from([None, "0", "1", "2"])), max_size=8))
def test_pieces_read_as_their_candidates_do(items: Sequence[tuple[str, int | None, str | None]]) -> None:
    """Whatever comes in, each piece that was not inserted is a stretch of its candidate, at the candidate's own span."""
    candidates = [
        Candidate(str(k), text, Source("d", span=None if start is None else Span(start, start + len(text))), previous_id=previous)
        for k, (text, start, previous) in enumerate(items)
    ]
    by_id = {c.id: c for c in candidates}

    for passage in passages_of(candidates, None):
        for piece in passage.pieces:
            whole, span = by_id[piece.candidate_id], by_id[piece.candidate_id].source.span
            if piece.inserted:
                assert piece.span is None
            else:
                assert piece.text in whole.text
            if piece.span is not None and span is not None:
                assert whole.text[piece.span.start - span.start : piece.span.end - span.start] == piece.text
