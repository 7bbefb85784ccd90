"""The budget plan, and what is admitted into it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextpack_core.decisions import Drop, Reason, Step
from contextpack_core.errors import BudgetError
from contextpack_core.stages.budget import BudgetPlan, BudgetSettings, Cost, admit, plan_budget
from contextpack_core.values import Candidate, Evidence, Join, Joins, Passage, Source, Span

# ---- the plan


def test_the_smaller_bound_counts() -> None:
    """Evidence gets its own limit, or what the window leaves if that is less; every line stands in the plan."""
    settings = BudgetSettings(evidence=4000, input_limit=6000, instructions=900, history=600, answer=400, margin=100)

    assert plan_budget(settings) == BudgetPlan(4000, 6000, instructions=900, history=600, answer=400, margin=100)
    assert plan_budget(settings, {"history": 2600, "question": 50}) == BudgetPlan(
        1950, 6000, instructions=900, history=2600, question=50, answer=400, margin=100
    )


def test_without_a_window_the_lines_are_noted_and_take_nothing() -> None:
    """Where no input limit is known only the evidence limit counts."""
    assert plan_budget(BudgetSettings(evidence=500, history=900), {"question": 7}) == BudgetPlan(500, history=900, question=7)


def test_nothing_left_shows_the_sum_and_the_way_out() -> None:
    """The error adds up the lines and says what to change."""
    with pytest.raises(BudgetError) as error:
        plan_budget(BudgetSettings(input_limit=1000, instructions=800, answer=100), {"history": 250})

    assert str(error.value) == (
        "budget: input_limit 1000 - instructions 800 - history 250 - question 0 - answer 100 - margin 0 = -150 tokens left for "
        "evidence — raise budget.input_limit by 151 or more, or lower budget.instructions (800)"
    )


@pytest.mark.parametrize(
    ("used", "message"),
    [
        ({"histroy": 5}, "used: 'histroy' is no line of the budget — one of instructions, history, question, answer, margin"),
        ({"history": -1}, "used['history']: -1 — a number of tokens, 0 or more"),
        ({"history": 2.5}, "used['history']: 2.5 — a number of tokens, 0 or more"),
        ({"history": True}, "used['history']: True — a number of tokens, 0 or more"),
        ({"evidence": 5}, "used: 'evidence' is no line of the budget — one of instructions, history, question, answer, margin"),
    ],
)
def test_measured_lines_are_checked(used: dict[str, Any], message: str) -> None:
    """A name that is no line, or a count that is none, is an error that says so."""
    with pytest.raises(BudgetError) as error:
        plan_budget(BudgetSettings(), used)

    assert str(error.value) == message


# ---- admission: passages in angle brackets, blanks between them, words counted


def words(text: str) -> int:
    return len(text.split())


def brackets(passages: Sequence[Passage]) -> str:
    """An envelope of two words."""
    return " ".join([f"<{n} {passage.text} >" for n, passage in enumerate(passages)])


def bare(passages: Sequence[Passage]) -> str:
    return "\n".join([passage.text for passage in passages])


def candidate(name: str, text: str, doc: str | None = None, start: int | None = None, **more: Any) -> Candidate:
    span = None if start is None else Span(start, start + len(text))
    metadata = more.pop("metadata", {})
    return Candidate(name, text, Source(doc or name, span=span, **more), metadata=metadata)


def chunk(name: str, count: int, word: str | None = None, **more: Any) -> Candidate:
    return candidate(name, " ".join([word or name] * count), **more)


def run(
    candidates: Sequence[Candidate],
    limit: int,
    query: str = "",
    joins: Joins | None = None,
    render: Callable[[Sequence[Passage]], str] = bare,
    count: Callable[[str], int] = words,
    **settings: Any,
) -> Step[Evidence]:
    return admit(candidates, joins or Joins(), BudgetPlan(limit), Cost(count, render), BudgetSettings(**settings), query)


def ids(step: Step[Evidence]) -> list[tuple[str, ...]]:
    return [item.passage.candidate_ids for item in step.kept]


def reasons(step: Step[Evidence]) -> dict[str, Reason]:
    return {drop.candidate_id: drop.reason for drop in step.drops}


def test_all_of_it_where_it_fits() -> None:
    """Nothing is left out without need, and no notice is given."""
    step = run([chunk("a", 3), chunk("b", 4)], 7)

    assert (ids(step), step.drops, step.notices) == ([("a",), ("b",)], (), ())


def test_the_limit_is_met_exactly() -> None:
    """Equal is inside; the numbers of what is left out stand in the detail."""
    step = run([chunk(name, 3) for name in "abcd"], 9)

    assert ids(step) == [("a",), ("b",), ("c",)]
    assert step.drops == (Drop("d", Reason.BUDGET, "needs about 3 tokens, 0 were left"),)


def test_the_envelope_is_paid_once_a_passage() -> None:
    """Two words of envelope a passage leave room for two of three."""
    step = run([chunk(name, 3) for name in "abc"], 14, render=brackets)

    assert ids(step) == [("a",), ("b",)]
    assert [item.tokens for item in step.kept] == [5, 5]


def test_skip_tries_smaller_ones_and_stop_does_not() -> None:
    """After the first that does not fit, a later one may."""
    candidates = [chunk("a", 30), chunk("b", 40), chunk("c", 20)]

    assert ids(run(candidates, 60)) == [("a",), ("c",)]
    assert ids(run(candidates, 60, when_full="stop")) == [("a",)]
    assert ids(run([chunk("a", 30), chunk("b", 90), chunk("c", 20)], 60, when_full="stop")) == [("a",)]


@pytest.mark.parametrize("strategy", ["rank", "evidence", "weighted"])
def test_rank_decides_where_nothing_else_speaks(strategy: str) -> None:
    """Candidates alike in all but rank come in by rank, whatever their scores."""
    candidates = [
        Candidate(n, f"{n}{n} text here", Source("d"), rank=i, score=s)
        for i, (n, s) in enumerate(zip("abc", [0.1, 0.9, 0.5], strict=True), 1)
    ]

    assert ids(run(candidates, 6, strategy=strategy)) == [("a",), ("b",)]


def test_what_matches_the_question_comes_in_before_what_does_not() -> None:
    """By evidence a lower-ranked candidate with the words of the question wins; by rank it does not."""
    candidates = [chunk("a", 4, "garden"), chunk("b", 4, "garage"), candidate("c", "the boiler pressure gauge")]

    assert ids(run(candidates, 8, "boiler pressure")) == [("a",), ("c",)]
    assert ids(run(candidates, 8, "boiler pressure", strategy="rank")) == [("a",), ("b",)]


def test_the_evidence_comes_best_ranked_first() -> None:
    """The order of admission is not the order of what comes back."""
    candidates = [chunk("a", 4, "garden"), candidate("b", "the boiler pressure gauge")]

    assert ids(run(candidates, 8, "boiler pressure")) == [("a",), ("b",)]


def test_weights_change_what_wins() -> None:
    """With authority alone the most authoritative source wins."""
    candidates = [chunk("a", 4, authority=0.1), chunk("b", 4, authority=0.9)]
    weights = {"relevance": 0, "match": 0, "novelty": 0, "authority": 1}

    assert ids(run(candidates, 4, strategy="weighted", weights=weights)) == [("b",)]


# ---- joins


def overlapping(*texts: str, overlap: int, doc: str = "d") -> tuple[list[Candidate], Joins]:
    """Chunks of one document of which each shares its first characters with the end of the one before."""
    candidates, start = [], 0
    for n, text in enumerate(texts):
        candidates.append(candidate(f"{doc}{n}", text, doc, start))
        start += len(text) - overlap
    chain = tuple([c.id for c in candidates])
    between = {pair: Join(*pair, overlap=overlap) for pair in pairwise(chain)}
    return candidates, Joins((chain,), between)


def test_text_that_is_in_already_is_free() -> None:
    """Three chunks of six words that share three with the next cost twelve, and one envelope."""
    candidates, joins = overlapping("a b c d e f", "d e f g h i", "g h i j k l", overlap=5)
    step = run(candidates, 14, joins=joins, render=brackets)

    assert [item.passage.text for item in step.kept] == ["a b c d e f g h i j k l"]
    assert (ids(step), [item.tokens for item in step.kept]) == ([("d0", "d1", "d2")], [14])


def test_a_gap_in_a_chain_makes_two_passages() -> None:
    """Members that are not joined directly stand apart when the one between them is not in."""
    candidates, joins = overlapping("alpha beta gamma", "gamma zzz yyy xxx www vvv uuu alpha", "alpha delta beta", overlap=5)
    step = run([candidates[0], candidates[2], candidates[1]], 8, joins=joins, strategy="rank")

    assert (ids(step), reasons(step)) == ([("d0",), ("d2",)], {"d1": Reason.BUDGET})


# ---- caps and minimums


def test_per_source_caps_the_candidates_of_a_document() -> None:
    """What is over the cap is dropped for it, though there is room."""
    step = run([chunk("a", 1, doc="d"), chunk("b", 1, doc="d"), chunk("c", 1, doc="d"), chunk("e", 1)], 100, per_source=2)

    assert ids(step) == [("a",), ("b",), ("e",)]
    assert step.drops == (Drop("c", Reason.SOURCE_CAP, "2 of its document are in already"),)


def test_a_cap_counts_what_is_in() -> None:
    """One that did not fit leaves its place to the next of its document."""
    step = run([chunk("a", 5, doc="d"), chunk("b", 9, doc="d"), chunk("c", 2, doc="d")], 8, per_source=2, excerpts=False)

    assert (ids(step), reasons(step)) == ([("a",), ("c",)], {"b": Reason.SOURCE_CAP})


def test_each_group_gets_its_minimum_first() -> None:
    """In a comparison the group of lower rank is not starved."""
    of = {"a": "x", "b": "x", "c": "x", "d": "y"}
    candidates = [chunk(name, 10, metadata={"product": group}) for name, group in of.items()]

    assert ids(run(candidates, 30)) == [("a",), ("b",), ("c",)]
    assert ids(run(candidates, 30, per_group={"by": "product", "tokens": 10})) == [("a",), ("b",), ("d",)]


def test_a_group_that_no_candidate_names_is_noticed() -> None:
    """A misspelt key gives nobody a minimum: a notice says so where something was left out."""
    candidates = [chunk(name, 10, metadata={"product": name}) for name in "abc"]

    assert "budget.per_group.by: no candidate has 'prodct', so no group has a minimum" in (
        run(candidates, 20, per_group={"by": "prodct", "tokens": 10}).notices
    )
    assert run(candidates, 30, per_group={"by": "prodct", "tokens": 10}).notices == ()
    assert not [each for each in run(candidates, 20, per_group={"by": "product", "tokens": 10}).notices if "per_group" in each]


def test_groups_by_a_field_of_the_source() -> None:
    """The name of a source field groups by it; minimums that exceed the budget are cut to equal shares."""
    candidates = [chunk(name, 10, doc=name[0]) for name in ("x1", "x2", "x3", "y1", "y2")]
    step = run(candidates, 40, per_group={"by": "doc_id", "tokens": 5000})

    assert ids(step) == [("x1",), ("x2",), ("y1",), ("y2",)]


def test_a_group_whose_best_does_not_fit_gets_sentences() -> None:
    """A group is not left without a word where a sentence of it fits."""
    candidates = [
        chunk("a", 10, metadata={"product": "x"}),
        candidate("b", "One two three four. Five six seven eight. Nine ten eleven twelve.", metadata={"product": "y"}),
    ]
    step = run(candidates, 15, per_group={"by": "product", "tokens": 6})

    assert [item.passage.text for item in step.kept] == [candidates[0].text, "One two three four."]


QUESTION = "How high is the boiler pressure and where is the garden key?"


def test_each_part_of_a_question_gets_its_turn() -> None:
    """A lower-ranked candidate that covers a part which the others do not comes in; with ``parts: false`` it stays out."""
    texts = ["The boiler pressure is {} bar high", "A garden key of brass hangs {}"]
    candidates = [candidate(f"{name}{n}", text.format(n)) for name, text in zip("bk", texts, strict=True) for n in range(3)]

    assert ids(run(candidates, 21, QUESTION)) == [("b0",), ("k0",), ("k1",)]
    assert ids(run(candidates, 21, QUESTION, parts=False)) == [("b0",), ("b1",), ("b2",)]
    assert ids(run(candidates, 21, QUESTION, strategy="rank")) == [("b0",), ("b1",), ("b2",)]


def test_no_part_of_a_question_is_behind_another_one() -> None:
    """What is left after the turns goes to what is near the best for its part, though the other part ranks first."""
    boiler, key = "The boiler pressure is high. It is {} bar and red.", "A garden key hangs there. It is of brass {} and red."
    candidates = [candidate(f"b{n}", boiler.format(n)) for n in range(4)] + [candidate(f"k{n}", key.format(n)) for n in range(4)]

    kept = [item.passage.text for item in run(candidates, 30, QUESTION).kept]
    assert kept == [boiler.format(0), key.format(0), "A garden key hangs there."]


def test_groups_come_before_parts() -> None:
    """Where a comparison names its groups, these share the budget."""
    candidates = [chunk(name, 10, metadata={"product": group}) for name, group in {"a": "x", "b": "x", "d": "y"}.items()]

    assert ids(run(candidates, 20, QUESTION, per_group={"by": "product", "tokens": 10})) == [("a",), ("d",)]


def test_groups_that_the_question_names() -> None:
    """Of many groups only those compared have a minimum; without a field the text tells the group."""
    candidates = [
        candidate(f"{n}{i}", f"{n} covers storm {i}", metadata={"product": n}) for n in ("Basic", "Travel", "Plus") for i in "123"
    ]
    query = "Compare Basic and Plus"

    by_field = run(candidates, 16, query, per_group={"by": "product", "tokens": 8}, strategy="rank")
    assert ids(by_field) == [("Basic1",), ("Basic2",), ("Plus1",), ("Plus2",)]
    assert ids(run(candidates, 16, query, per_group={"tokens": 8}, strategy="rank")) == ids(by_field)
    assert ids(run(candidates, 16, query, per_group={"names": ["Travel"], "tokens": 4}, strategy="rank"))[-1] == ("Travel1",)


# ---- excerpts

STEPS = "Open the red valve first. Wait for ten whole minutes. Read the pressure gauge twice. Close the valve again now."


def test_an_oversize_candidate_is_cut_to_its_best_sentences() -> None:
    """Whole sentences around the best match, in text order, with exact spans and a mark for what is left out."""
    step = run([candidate("a", STEPS, "d", 100)], 11, "What does the pressure gauge read?")

    assert ids(step) == [("a",)]
    passage = step.kept[0].passage
    assert passage.text == "Wait for ten whole minutes. Read the pressure gauge twice."
    assert [STEPS[p.span.start - 100 : p.span.end - 100] for p in passage.pieces if p.span] == [passage.text]
    assert step.notices == ("1 candidate worth having did not fit whole: a budget of 21 tokens would hold it",)


def test_a_mark_stands_where_text_is_left_out() -> None:
    """Two stretches that do not touch are parted by a mark that maps to no source."""
    text = "The pressure is 3 bar today. Nothing of interest happened here at all. The pressure gauge was read."
    step = run([candidate("a", text, "d", 0)], 13, "pressure gauge")
    passage = step.kept[0].passage

    assert passage.text == "The pressure is 3 bar today. […] The pressure gauge was read."
    assert [(p.text, p.span) for p in passage.pieces] == [(text[:28], Span(0, 28)), (" […] ", None), (text[71:], Span(71, 99))]


def test_an_oversize_candidate_can_be_dropped() -> None:
    """With ``oversize: drop`` it is too large, with the numbers."""
    step = run([candidate("a", STEPS)], 9, oversize="drop")

    assert (ids(step), step.drops) == ([], (Drop("a", Reason.TOO_LARGE, "needs 20 tokens, the whole budget is 9"),))


def test_one_endless_sentence_is_too_large() -> None:
    """What cannot be cut between sentences is left out rather than broken."""
    step = run([chunk("a", 20)], 9)

    assert (ids(step), reasons(step)) == ([], {"a": Reason.TOO_LARGE})


def test_an_oversize_candidate_leaves_room_for_others() -> None:
    """The best candidate, too large for the budget, takes at most half of the room while others wait."""
    step = run([candidate("a", STEPS), chunk("b", 6)], 12, "pressure")

    assert [item.passage.text for item in step.kept] == ["Read the pressure gauge twice.", "b b b b b b"]


def test_the_room_that_is_left_goes_to_sentences() -> None:
    """Of the first that does not fit whole the best sentence comes in; with ``excerpts: false`` it stays out."""
    candidates = [candidate("a", "The gauge is a red one and stands in the hall"), candidate("b", STEPS)]

    assert [item.passage.text for item in run(candidates, 21, "gauge").kept] == [
        candidates[0].text,
        "Wait for ten whole minutes. Read the pressure gauge twice.",
    ]
    assert ids(run(candidates, 21, "gauge", excerpts=False)) == [("a",)]
    assert ids(run(candidates, 21, "gauge", strategy="rank")) == [("a",)]


def test_sentences_go_on_from_what_is_in() -> None:
    """A sentence next to a joined neighbour needs no mark and no envelope."""
    first, second = (
        "One two three four five. Six seven eight nine ten. ",
        "Six seven eight nine ten. Alpha beta gamma. Delta epsilon zeta eta.",
    )
    candidates, joins = overlapping(first, second, overlap=len("Six seven eight nine ten. "))
    step = run(candidates, 13, joins=joins)

    assert [item.passage.text for item in step.kept] == [first + "Alpha beta gamma."]
    assert ids(step) == [("d0", "d1")]


def test_declared_tokens_are_not_trusted() -> None:
    """A candidate that claims to cost nothing is counted all the same."""
    liar = Candidate("a", "one two three four five", Source("d"), tokens=0)

    assert ids(run([liar, chunk("b", 2)], 4)) == [("b",)]


# ---- prices and notices


def test_prices_add_up_to_the_exact_count() -> None:
    """The shares of the count go by size and lose nothing to rounding."""
    step = run([chunk(name, n) for name, n in zip("abc", [1, 1, 2], strict=True)], 100, count=lambda text: words(text) + 3)

    assert [item.tokens for item in step.kept] == [2, 2, 3]


def test_a_notice_names_what_is_worth_having() -> None:
    """One in a long tail that does not fit is no loss; the second best is."""
    assert run([chunk(name, 3) for name in "abcdefgh"], 21).notices == ()
    assert run([chunk(name, 3) for name in "ab"], 3).notices == (
        "1 candidate worth having did not fit whole: a budget of 7 tokens would hold it",
    )


# ---- counters that are not additive

COUNTERS: dict[str, Callable[[str], int]] = {
    "chars": len,
    "thrice": lambda text: 3 * len(text),
    "merging": lambda text: len(re.findall(r"\w{1,4}|\s+|[^\w\s]+", text)),
    "jumpy": lambda text: len(text.split()) + 5 * (len(text) % 2) + text.count("\n"),
    "square": lambda text: len(text.split()) ** 2,
    "none": lambda text: 0,
    "first": lambda text: 7 if text else 0,
}


@given(
    st.lists(st.integers(1, 30), min_size=1, max_size=12),
    st.sampled_from(sorted(COUNTERS)),
    st.integers(1, 400),
    st.sampled_from(["evidence", "rank", "weighted"]),
    st.sampled_from(["skip", "stop"]),
)
def test_the_count_of_the_whole_is_kept(sizes: list[int], counter: str, limit: int, strategy: str, when_full: str) -> None:
    """Whatever the counter makes of parts and wholes, the text as one string is within the limit, and the prices are its count."""
    count = COUNTERS[counter]
    candidates = [chunk(f"c{n}", size) for n, size in enumerate(sizes)]
    step = run(candidates, limit, render=brackets, count=count, strategy=strategy, when_full=when_full)
    text = brackets([item.passage for item in step.kept])

    assert sum(item.tokens for item in step.kept) == (count(text) if step.kept else 0) <= limit
    assert sorted([*(name for names in ids(step) for name in names), *reasons(step)]) == sorted([c.id for c in candidates])


@given(
    st.lists(st.integers(1, 40), min_size=1, max_size=20), st.integers(1, 300), st.sampled_from(["evidence", "rank", "weighted"])
)
def test_nothing_that_fits_is_left_out(sizes: list[int], limit: int, strategy: str) -> None:
    """With a counter that adds up, no candidate that was dropped for want of room would have fitted."""
    names = "abcdefghijklmnopqrst"[: len(sizes)]
    step = run([chunk(name, size) for name, size in zip(names, sizes, strict=True)], limit, strategy=strategy)
    room = limit - sum(item.tokens for item in step.kept)

    assert all(sizes[names.index(drop.candidate_id)] > room for drop in step.drops)


@given(st.lists(st.integers(1, 40), min_size=1, max_size=20), st.integers(1, 300))
def test_stop_takes_a_beginning_of_the_ranking(sizes: list[int], limit: int) -> None:
    """Stopping at the first misfit, by rank, admits exactly the longest beginning that fits."""
    step = run([chunk(f"c{n}", size) for n, size in enumerate(sizes)], limit, strategy="rank", when_full="stop")
    expected = next((n for n in range(len(sizes)) if sum(sizes[: n + 1]) > limit), len(sizes))

    assert ids(step) == [(f"c{n}",) for n in range(expected)]


@given(
    st.lists(st.integers(30, 300), min_size=3, max_size=12),
    st.sampled_from(sorted(COUNTERS)),
    st.integers(300, 2000),
    st.sampled_from(["evidence", "rank"]),
)
def test_long_texts_keep_the_limit_too(sizes: list[int], counter: str, limit: int, strategy: str) -> None:
    """A text too long to be counted at every try is counted in the end, and what was too much goes back."""
    count = COUNTERS[counter]
    step = run([chunk(f"c{n}", size) for n, size in enumerate(sizes)], limit, render=brackets, count=count, strategy=strategy)

    assert sum(item.tokens for item in step.kept) == (count(brackets([i.passage for i in step.kept])) if step.kept else 0) <= limit


def test_what_fits_only_by_the_exact_count_comes_in_too() -> None:
    """Prices of single candidates are bounds where the counter merges; the count of the whole shows the room that is left."""

    def merging(text: str) -> int:
        return len(text) - 3 * text.count("]")

    def square(passages: Sequence[Passage]) -> str:
        return "".join([f"[{passage.text}]" + "." * (n == 0) * 9 for n, passage in enumerate(passages)])

    step = run([chunk(name, 5) for name in "abcde"], 44, render=square, count=merging, strategy="rank")

    assert (ids(step), sum(item.tokens for item in step.kept)) == ([("a",), ("b",), ("c",), ("d",)], 41)


def test_a_text_that_does_not_fit_after_all_is_as_before() -> None:
    """What is let in to fill the room goes again where the whole, counted once more, exceeds the limit."""

    def jumping(text: str) -> int:
        return len(text.split()) + (100 if text.count("|") > 4 else 0)

    def bars(passages: Sequence[Passage]) -> str:
        return " ".join([f"| {passage.text}" for passage in passages])

    candidates = [chunk(name, 350) for name in "abcd"] + [chunk("e", 150), chunk("f", 20)]
    step = run(candidates, 1600, render=bars, count=jumping, strategy="rank")

    assert (ids(step), sum(item.tokens for item in step.kept)) == ([("a",), ("b",), ("c",), ("d",)], 1404)


def test_a_long_list_is_not_counted_twice_over() -> None:
    """Of 400 candidates for a budget of 4,000 tokens less than a fifth of the text is counted beside that of the pack."""
    counted: list[int] = []

    def count(text: str) -> int:
        counted.append(words(text))
        return counted[-1]

    candidates = [candidate(f"c{n}", " ".join([f"word{n}x{k}" for k in range(60)]) + ".") for n in range(400)]
    step = run(candidates, 4000, count=count, render=brackets)
    admitted = sum(item.tokens for item in step.kept)

    assert 3900 <= admitted <= 4000
    assert sum(counted) < 2.5 * admitted < sum(words(c.text) for c in candidates)


def test_enough_leaves_room_empty() -> None:
    """With ``until: enough`` candidates that speak of something else stay out though they fit, and the drop says how far below."""
    seals = [candidate(f"s{n}", f"The seal {n} of the pump is changed every {n}00 hours of work.", "manual") for n in range(2)]
    others = [candidate(f"o{n}", f"Menu {n} has soup and bread.", f"menu{n}") for n in range(12)]
    step = run([*seals, *others], 1000, "How often is the seal of the pump changed?", until="enough")

    assert ids(step)[:2] == [("s0",), ("s1",)]
    assert step.drops[-1] == Drop("o11", Reason.BUDGET, "enough was in: its odds are 1 to 2,903 of the best one's")
    assert (step.notices, len(step.kept)) == ((), 2)
    assert run([*seals, *others], 1000, "How often is the seal of the pump changed?", until="enough", strategy="rank").notices == ()
    assert len(run([*seals, *others], 1000, "How often is the seal of the pump changed?").kept) == 14


def test_enough_does_not_cut_a_passage_off() -> None:
    """The neighbours of a good candidate come in with it, in any strategy, and so does the best of each group."""
    parts = [chunk("a", 5, doc="d"), candidate("b", "the seal is changed", "d"), chunk("c", 5, doc="d"), chunk("e", 5, doc="d")]
    far = [candidate(f"o{n}", f"other {n}", f"o{n}", metadata={"product": "x"}) for n in range(60)]
    between = {(left, right): Join(left, right, glue=" ") for left, right in pairwise("abce")}
    joins = Joins((tuple("abce"),), between)
    order = [parts[1], *far, parts[0], *parts[2:]]

    for strategy in ("evidence", "rank", "weighted"):
        step = run(order, 5000, "When is the seal changed?", joins, until="enough", strategy=strategy)
        assert ids(step)[0] == ("a", "b", "c")
    grouped = run(order, 5000, "When is the seal changed?", joins, until="enough", per_group={"by": "product", "tokens": 20})
    assert {("o0",), ("o1",)} < set(ids(grouped))


def test_enough_keeps_the_limit() -> None:
    """Where what is within reach does not fit either, the budget is filled from that alone."""
    near = [candidate(f"n{n}", " ".join([f"seal {n}"] * 20) + ".", f"n{n}") for n in range(6)]
    far = [candidate(f"o{n}", f"other {n}", f"o{n}") for n in range(90)]
    step = run([*near, *far], 60, "seal", until="enough")

    assert sum(item.tokens for item in step.kept) <= 60
    assert len(step.notices) == 1
    assert "o89" in {drop.candidate_id for drop in step.drops if drop.detail.startswith("enough was in")}


def test_the_best_sentence_comes_in_though_its_candidate_is_not_the_best() -> None:
    """A sentence with all words of the question, in the second candidate, goes before those of the first that have one each."""
    filler = "There is nothing here that anybody asked for."
    whole = " ".join(["pump valve gauge", *["more"] * 24])
    first = f"The pump is red. {filler} The valve is blue. {filler} The gauge is green."
    second = f"{filler} The pump feeds the valve and the gauge. {filler} {filler}"
    candidates = [candidate(name, text, doc="d") for name, text in (("z", whole), ("a", first), ("b", second))]

    assert [item.passage.text for item in run(candidates, 38, "pump valve gauge").kept] == [
        whole,
        "The pump feeds the valve and the gauge.",
    ]
