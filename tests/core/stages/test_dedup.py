"""Of candidates alike, one is kept."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextpack_core.decisions import Drop, Reason, Step
from contextpack_core.stages.dedup import DedupSettings, drop_duplicates
from contextpack_core.values import Candidate, Source, Span

SEAL = "The new seal would improve the flow at full load in all nine units of plant A."


def candidate(name: str, text: str, doc: str = "d", start: int | None = None, **source: object) -> Candidate:
    span = None if start is None else Span(start, start + len(text))
    return Candidate(name, text, Source(doc, span=span, **source))  # type: ignore[arg-type]


def run(*candidates: Candidate, near: float | None = 0.92) -> Step[Candidate]:
    ranked = [replace(c, rank=rank) for rank, c in enumerate(candidates, 1)]
    return drop_duplicates(ranked, DedupSettings(near=near))


def kept(step: Step[Candidate]) -> list[str]:
    return [c.id for c in step.kept]


def fates(step: Step[Candidate]) -> list[tuple[str, str, str | None]]:
    return [(d.candidate_id, d.reason.name, d.in_favour_of) for d in step.drops]


# ---- inside another one


def test_the_text_around_wins_at_the_better_rank() -> None:
    """An excerpt ranked first gives its rank and its source to the text around it."""
    excerpt = candidate("b", "Close the valve.", start=15)
    other = candidate("x", "Another text.", "e")
    whole = candidate("a", "Stop the pump. Close the valve. Log it.", start=0)

    step = run(excerpt, other, whole)

    assert step.kept == (replace(whole, rank=1, also_in=(excerpt.source,)), replace(other, rank=2))
    assert step.drops == (Drop("b", Reason.CONTAINED, "all its 16 characters stand in the other's 39", "a"),)


def test_containment_is_proven_by_text() -> None:
    """A span inside another one is not enough: the text must stand there, in the same edition, under the same labels."""
    whole = candidate("a", "Stop the pump. Close the valve. Log it.", start=0)
    wrong = [
        candidate("b", "Open the valve.", start=15),
        candidate("c", "Close the valve.", start=14),
        candidate("d", "Close the valve.", start=15, edition="2"),
        candidate("e", "Close the valve.", start=15, access=("board",)),
        candidate("f", "Close the valve.", "other", start=15),
    ]

    assert [kept(run(whole, one)) for one in wrong] == [["a", one.id] for one in wrong]


def test_the_same_place_twice_is_a_duplicate() -> None:
    """A chunk that two retrievers found is one; its source is no further one."""
    step = run(candidate("a", "Close it.", start=5), candidate("b", "Close it.", start=5))

    assert [(c.id, c.also_in) for c in step.kept] == [("a", ())]
    assert step.drops == (Drop("b", Reason.DUPLICATE, "the same 9 characters at the same place", "a"),)


def test_many_inside_one() -> None:
    """What stands inside goes, however deep; what only overlaps stays."""
    text = "abcdefghij" * 3
    parts = [candidate(f"{a}-{b}", text[a:b], start=a) for a, b in [(3, 9), (0, 20), (4, 6), (15, 30), (16, 20), (0, 4)]]

    step = run(*parts)

    assert kept(step) == ["0-20", "15-30"]
    assert {d.candidate_id: d.in_favour_of for d in step.drops} == {"3-9": "0-20", "4-6": "0-20", "16-20": "15-30", "0-4": "0-20"}


def test_a_child_stands_in_its_parent() -> None:
    """Without offsets a child gives way to its parent, if its text stands there."""
    parent = candidate("p", "Stop the pump. Close the valve. Log it.")
    child = replace(candidate("c", "Close the valve. "), parent_id="p")
    stranger = replace(candidate("s", "Open the valve."), parent_id="p")
    secret = replace(candidate("x", "Log it.", access=("board",)), parent_id="p")
    later = replace(candidate("e", "Log it.", edition="2"), parent_id="p")
    step = run(child, stranger, secret, later, parent)

    assert (kept(step), fates(step)) == (["p", "s", "x", "e"], [("c", "CONTAINED", "p")])


def test_parents_of_each_other_do_no_harm() -> None:
    """Two equal texts that name each other as parent are one duplicate."""
    a, b = replace(candidate("a", "One."), parent_id="b"), replace(candidate("b", "One."), parent_id="a")

    assert fates(run(a, b)) == [("b", "DUPLICATE", "a")]


# ---- the same text


def test_the_same_text_in_two_documents() -> None:
    """The better rank wins whatever the score, and keeps the other's source."""
    first, second = candidate("a", "Close the valve first.", "a.txt"), candidate("b", "Close the valve first.", "b.txt")
    step = run(replace(first, score=0.1), replace(second, score=0.9))

    assert [(c.id, c.rank, c.also_in) for c in step.kept] == [("a", 1, (second.source,))]
    assert step.drops == (Drop("b", Reason.DUPLICATE, "the same 22 characters, case and white space aside", "a"),)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Close the  Valve first.\n", "close the valve first."),
        ("“Close” it – now", '"close" it - now'),
        ("of\ufb01ce \uff11\uff12", "office 12"),
        ("STRASSE ÄÖ", "strasse äö"),
        ("合同有效 ", "合同有效"),
        ("im\u00adprove the flow", "improve the flow"),
        ("\ud800 half", "\ud800  half"),
    ],
)
def test_layout_and_case_are_no_difference(a: str, b: str) -> None:
    """White space, case, quotes, dashes and letter forms do not make two texts; the kept one is as it was."""
    step = run(candidate("a", a, "a"), candidate("b", b, "b"))

    assert ([c.text for c in step.kept], len(step.drops)) == ([a], 1)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("10² m", "102 m"),
        ("5 MW", "5 mW"),
        ("run tar -C x", "run tar -c x"),
        ("1.5", "15"),
        ("12", "21"),
        ("open", "shut"),
        ("no more", "no: more"),
    ],
)
def test_small_things_that_mean_something_else(a: str, b: str) -> None:
    """Raised figures, units and switches whose case counts, and short cells are not the same."""
    assert kept(run(candidate("a", a, "a"), candidate("b", b, "b"))) == ["a", "b"]


@pytest.mark.parametrize(
    ("a", "b", "one"),
    [
        ({"family": "f", "edition": "1"}, {"family": "f", "edition": "2"}, False),
        ({"family": "f", "edition": "1"}, {"family": "f"}, False),
        ({"family": "f", "edition": "1"}, {"family": "f", "edition": "1"}, True),
        ({"family": "f", "edition": "1"}, {"family": "g", "edition": "2"}, True),
        ({"family": "f", "edition": "1"}, {}, True),
        ({"edition": "1"}, {"edition": "2"}, False),
        ({"edition": "1"}, {}, True),
        ({"effective_from": date(2025, 1, 1)}, {"effective_from": date(2026, 1, 1)}, False),
        ({"access": ("staff",)}, {"access": ("board",)}, False),
        ({"access": ("staff", "board")}, {"access": ("board", "staff")}, True),
        ({"access": ("staff",)}, {}, False),
    ],
)
@pytest.mark.parametrize("text", ["Close the valve first.", SEAL + "\0", SEAL])
def test_editions_and_labels_never_stand_in_for_each_other(
    a: dict[str, object], b: dict[str, object], one: bool, text: str
) -> None:
    """Neither the same text nor one alike goes where another edition of the family, or another access label, says it."""
    other = text.replace("\0", " ").replace("The new", "A new")
    step = run(candidate("a", text.replace("\0", ""), "a", **a), candidate("b", other, "b", **b))

    assert kept(step) == (["a"] if one else ["a", "b"])


def test_equal_texts_at_two_places_are_one() -> None:
    """The second place is kept as a source."""
    first, second = candidate("a", "Check seal.", start=14), candidate("b", "Check seal.", start=40)

    assert [(c.id, c.source, c.also_in) for c in run(first, second).kept] == [("a", first.source, (second.source,))]


# ---- alike


def test_near_duplicates_say_how_alike_they_are() -> None:
    """What is alike and says no more goes in favour of the better rank; null switches that off."""
    first, second = candidate("a", SEAL, "a"), candidate("b", SEAL.replace("would", "would also"), "b")

    step = run(first, second)

    assert step.drops == (Drop("b", Reason.NEAR_DUPLICATE, "0.97 alike", "a"),)
    assert [(c.id, c.also_in) for c in step.kept] == [("a", (second.source,))]
    assert kept(run(first, second, near=None)) == ["a", "b"]
    assert kept(run(first, second, near=0.99)) == ["a", "b"]


def test_likeness_does_not_drift() -> None:
    """What is alike only to a text that was dropped itself stays."""
    first = "the crew checks pump and valve of each line before log and book are signed by an officer who was present"
    second = first.replace("pump", "pump hose").replace("valve", "valve seat")
    third = second.replace("log", "paper log").replace("book", "paper book")

    step = run(candidate("a", first, "a"), candidate("b", second, "b"), candidate("c", third, "c"))

    assert (kept(step), fates(step)) == (["a", "c"], [("b", "NEAR_DUPLICATE", "a")])
    assert fates(run(candidate("b", second, "b"), candidate("c", third, "c"))) == [("c", "NEAR_DUPLICATE", "b")]


def test_a_template_filled_in_twice_is_two_texts() -> None:
    """Texts that differ in a code, a name, a figure or the thing they are about all stay."""
    template = "To clear {} hold the {} button until the lamp turns {} and then wait {} minutes before the next try."
    fills = [
        ("E1042", "reset", "green", "five"),
        ("E1043", "reset", "green", "five"),
        ("E1042", "start", "green", "five"),
        ("E1042", "reset", "red", "five"),
        ("E1042", "reset", "green", "six"),
    ]
    texts = [template.format(*fill) for fill in fills]

    assert len(run(*[candidate(str(i), text, str(i)) for i, text in enumerate(texts)], near=0.8).kept) == len(texts)


def test_overlapping_windows_are_left_to_the_joins() -> None:
    """Two windows of one document that share most of their text are not alike: joining them loses nothing."""
    text = "the crew stops pump and valve before log and book are signed by an officer of the"
    windows = text[:-7], text[4:]

    assert kept(run(*[candidate(w[:3], w, start=text.index(w)) for w in windows])) == ["the", "cre"]
    assert kept(run(*[candidate(w[:3], w) for w in windows])) == ["the"]


def test_the_winner_is_the_one_that_is_kept() -> None:
    """No drop names a candidate that was dropped itself, and sources come best rank first."""
    part = candidate("part", "Close the valve.", "x", start=15)
    best = candidate("best", "Stop the pump, close the valve and then log the pressure of the line.", "y")
    alike = candidate("alike", "Stop the pump, close the valve, and then log the pressure of the line", "z")
    whole = candidate("whole", "Stop the pump. Close the valve. Log it.", "x", start=0)
    same = candidate("same", "stop the pump. close the valve. log it.", "w")

    step = run(best, same, part, alike, whole)

    assert fates(step) == [("part", "CONTAINED", "same"), ("alike", "NEAR_DUPLICATE", "best"), ("whole", "DUPLICATE", "same")]
    assert [(c.id, [s.doc_id for s in c.also_in]) for c in step.kept] == [("best", ["z"]), ("same", ["x", "x"])]


# ---- laws

texts = st.sampled_from(
    ["Stop.", "stop.", SEAL, SEAL + " ", SEAL.replace("nine", "ten"), SEAL.replace("The", "A"), "", "x" * 30, "\ud800"]
)
sources = st.builds(
    Source,
    doc_id=st.sampled_from(["", "d", "e"]),
    span=st.none() | st.builds(lambda start, size: Span(start, start + size), st.integers(0, 4), st.integers(0, 90)),
    family=st.sampled_from([None, "f"]),
    edition=st.sampled_from([None, "1", "2"]),
    access=st.sampled_from([None, ("a",), ("a", "b")]),
)


@given(st.lists(st.tuples(texts, sources, st.sampled_from([None, "0", "1", "2"])), max_size=10))
def test_every_candidate_is_kept_or_dropped_in_favour_of_one_that_is(items: Sequence[tuple[str, Source, str | None]]) -> None:
    """Whatever comes in, each candidate has one fate, ranks stay in order, and no source of a drop is lost."""
    candidates = [Candidate(str(i), text, source, rank=i + 1, parent_id=parent) for i, (text, source, parent) in enumerate(items)]

    step = drop_duplicates(candidates, DedupSettings())

    assert sorted(kept(step) + [d.candidate_id for d in step.drops]) == sorted(c.id for c in candidates)
    assert {d.in_favour_of for d in step.drops} <= set(kept(step))
    assert [c.rank for c in step.kept] == sorted(c.rank or 0 for c in step.kept)
    winners = {c.id: c for c in step.kept}
    for drop in step.drops:
        winner = winners[drop.in_favour_of or ""]
        assert candidates[int(drop.candidate_id)].source in (winner.source, *winner.also_in)
    assert step == drop_duplicates(candidates, DedupSettings())


def test_a_long_list() -> None:
    """Two thousand texts of one template stay apart, and of as many copies of one text one stays."""
    text = "the {} lamp of the panel turns green when the pump of the line has run for some time and the valve is closed"
    fills = ["".join(letters) for letters in itertools.islice(itertools.product("bcdfghk", repeat=4), 2000)]

    template = run(*[candidate(fill, text.format(fill), fill) for fill in fills])
    copies = run(*[candidate(fill, text, fill) for fill in fills])

    assert (len(template.kept), len(copies.kept)) == (2000, 1)
