"""Gold: what counts as held, beyond the values worked out by hand in tests/data/evaluation/measures.jsonl."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextpack_core import Pack, Policy
from contextpack_core.evaluation.cases import Case, Gold, GoldSpan
from contextpack_core.evaluation.gold import Block, Copies, Held, KnownText, evidence_blocks, held_in, texts_of
from contextpack_core.evaluation.observed import observe
from contextpack_core.evaluation.run import Setup, record_of
from contextpack_core.values import Candidate, Source, Span

DAY = date(2026, 6, 1)
TEXT = "".join([f"Sentence number {i} tells about topic t{i} in the garden of the house. " for i in range(60)])
COPIES = {
    "qid": "q",
    "question": "What does sentence number 3 tell about topic t3?",
    "candidates": [
        {"id": "a", "doc_id": "d1", "start": 0, "end": len(TEXT), "text": TEXT, "score": 0.9},
        {"id": "b", "doc_id": "d2", "start": 100, "end": 100 + len(TEXT), "text": TEXT, "score": 0.8},
    ],
}
ROOM_FOR_A_PART = Policy.from_dict({"budget": {"evidence": 150}})


def place(number: int, doc_id: str, shift: int) -> dict[str, object]:
    start, end = TEXT.index(f"Sentence number {number} "), TEXT.index(f"Sentence number {number + 1} ")
    return {"doc_id": doc_id, "start": shift + start, "end": shift + end}


@pytest.mark.parametrize(("doc_id", "shift"), [("d1", 0), ("d2", 100)])
@pytest.mark.parametrize(("number", "share"), [(3, 1.0), (55, 0.0)])
def test_the_place_of_a_dropped_copy_is_held_as_far_as_the_text_of_its_winner_is(doc_id, shift, number, share):
    """Of an excerpt only what is in it, under the document of the copy as under its own."""
    case = Case.from_dict({**COPIES, "gold": [place(number, doc_id, shift)]})

    assert observe(case, ROOM_FOR_A_PART, DAY).admitted == Held(share, (share,))


@pytest.mark.parametrize("gold", [place(55, "d1", 0), place(55, "d2", 100)])
def test_what_was_cut_out_of_the_winner_was_lost_to_the_budget(gold):
    """Not in the stage that dropped its duplicate."""
    found = record_of(Case.from_dict({**COPIES, "gold": [gold]}), Setup(ROOM_FOR_A_PART, DAY))["diagnosis"]

    assert (found["failure"], found["stage"], found["reason"]) == ("DROPPED", "budget", "BUDGET")


def test_the_place_of_a_copy_in_a_saved_pack_takes_a_passage_of_its_length():
    """The pack alone does not say which candidate stood for which."""
    made = observe(Case.from_dict(COPIES), ROOM_FOR_A_PART, DAY).pack
    whole = observe(Case.from_dict(COPIES), Policy(), DAY).pack

    blocks = [evidence_blocks(Pack.from_dict(saved.to_dict()).evidence)[0] for saved in (made, whole)]
    assert [{doc_id for doc_id, _, _ in block.places} for block in blocks] == [{"d1"}, {"d1", "d2"}]


def candidate(name: str, text: str, at: int | None = None) -> Candidate:
    return Candidate(name, text, Source("d", None if at is None else Span(at, at + len(text))))


def test_texts_are_known_in_parts():
    """A span that candidates hold in parts has their texts, each character once; the rest is taken for visible."""
    span = GoldSpan("d", 2, 20)
    known = texts_of(Gold(spans=(span,)), [candidate("b", "gh ij", 6), candidate("a", "ab cd ef", 0)])[span]

    assert [(start, end, text[at : at + end - start]) for start, end, text, at in known.parts] == [(2, 8, " cd ef"), (8, 11, " ij")]
    assert (known.visible(2, 20), known.visible(0, 6), known.whole) == (15, 4, None)


def test_a_text_is_whole_from_parts_that_touch():
    """As from one candidate that holds it."""
    span = GoldSpan("d", 0, 6)
    parts = [candidate("a", "abc", 0), candidate("b", "def", 3)]

    assert texts_of(Gold(spans=(span,)), parts)[span].whole == "abcdef"


@pytest.mark.parametrize(
    ("text", "held"),
    [("Pay within 30 days", True), ("Within 30 days", False), ("Pay within 130 days", False), ("other", False)],
)
def test_an_id_is_held_by_a_block_that_is_a_copy(text, held):
    """A text of under forty characters has to be all of the block."""
    copies = {"a": Copies("Pay within 30 days", frozenset({"a"}))}

    assert held_in(Gold(ids=("a",)), [Block(("x",), (), (), text)], {}, copies) == Held(float(held), (float(held),))
    assert held_in(Gold(ids=("a",)), [Block(("x",), (), (), text + ". " + text)], {}, copies) == Held(0.0, (0.0,))


def test_a_long_copy_may_begin_within_a_word_and_not_within_a_number():
    """Chunks are cut anywhere; a number that goes on is another one."""
    wanted = "30 days are what a claim may take at the most, no less"
    block = [Block((), (), (), f"1{wanted}.")]

    assert held_in(Gold(quotes=(wanted,)), block, {}).share == 0
    assert held_in(Gold(quotes=(wanted[4:],)), block, {}).share == 1


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 12)), min_size=1, max_size=6), st.data())
def test_the_share_of_spans_is_that_of_the_characters_that_some_span_names(spans, data):
    """Counted one by one: visible characters that are in a span and in a block, of those in a span."""
    text = data.draw(st.text("ab ", min_size=50, max_size=50))
    places = data.draw(st.lists(st.tuples(st.integers(0, 45), st.integers(1, 10)), max_size=4))
    gold = Gold(spans=tuple([GoldSpan("d", start, start + n) for start, n in spans]))
    blocks = [Block((), (("d", start, start + n),), (), "") for start, n in places]

    named = {i for start, n in spans for i in range(start, start + n) if text[i] != " "}
    there = {i for start, n in places for i in range(start, start + n)}
    found = held_in(gold, blocks, {span: KnownText(span, ((0, 50, text, 0),)) for span in gold.spans})
    if named:
        assert found.share == pytest.approx(len(named & there) / len(named))
