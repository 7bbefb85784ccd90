"""The groups of candidates of which each is to have its share of the budget."""

from __future__ import annotations

from contextpack_core.admission.groups import best_first, compared_groups, worth_to_parts
from contextpack_core.admission.worth import Match
from contextpack_core.values import Candidate, Source


def candidate(name: str, text: str, title: str | None = None, **metadata: object) -> Candidate:
    return Candidate(name, text, Source(name, title=title), metadata=metadata)


def shares(match: Match) -> list[float]:
    return match.shares


HITS = [
    candidate("a", "The excess of Basic is 500.", product="home-basic"),
    candidate("b", "Basic covers storms.", product="home-basic"),
    candidate("c", "Plus covers hail, storms and theft.", product="home-plus"),
    candidate("d", "The excess of Plus is 200.", product="home-plus"),
    candidate("e", "The excess of Travel is 50.", product="travel"),
    candidate("f", "General terms."),
]


def groups(query: str, by: str | None = "product", names: tuple[str, ...] = ()) -> list[list[int]]:
    return compared_groups(HITS, query, shares, by, names)


def test_the_values_that_a_question_names():
    """Two or more of them, each with its best candidates for the question about it first; else all values."""
    assert groups("Compare the excess of Home Basic and Home Plus") == [[0, 1], [3, 2]]
    assert groups("What is the excess?") == [[0, 1], [3, 2], [4]]
    assert groups("What is the excess of Travel?") == [[0, 1], [3, 2], [4]]


def test_the_names_that_are_given():
    """They come before the question; a name that no candidate has is no group."""
    assert groups("excess", names=("Home Plus", "travel", "boat")) == [[3, 2], [4]]


def test_candidates_that_name_it():
    """Without a field the text tells, unless document, title or section do; one that names two is in both groups."""
    assert groups("Compare the excess of Basic and Plus", by=None) == [[0, 1], [3, 2]]
    assert groups("Compare Basic and Boats", by=None) == [[0, 1], []]
    assert groups("What is the excess?", by=None) == []
    titled = [*HITS, candidate("g", "The excess is 1.", "Plus"), candidate("h", "Nonplussed by basics.")]
    assert compared_groups(titled, "Compare Basic with Plus", shares, None, ()) == [[0, 1], [6]]


def test_a_source_field_names_groups():
    """A field of the source goes before a metadata key of that name."""
    assert groups("excess", by="doc_id", names=("a", "d")) == [[0], [3]]


def test_worth_to_each_part():
    """A number for each candidate and part; a question of one part has no parts."""
    found = worth_to_parts(HITS, "What does Basic cover and how high is the excess of Travel?", shares)

    assert [best_first(range(6), worth)[0] for worth in found] == [1, 4]
    assert [len(worth) for worth in found] == [6, 6]
    assert worth_to_parts(HITS, "What does Basic cover?", shares) == []


def test_vectors_count_for_each_part():
    """The nearness to the whole question comes to the strategy with each part."""
    near = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]

    assert worth_to_parts(HITS, "What is hail and where is the door?", lambda match: match.nearness, near) == [near, near]


def test_many_values_are_looked_for_once() -> None:
    """As many groups as candidates take no look at all names for each of them; a value without a letter is looked for nowhere."""
    hits = [candidate(f"h{i}", "The excess is 500.", product=f"tariff-{i}") for i in range(1500)]
    hits.append(candidate("none", "The excess is 200.", product="-"))

    found = compared_groups(hits, "What is the excess?", shares, "product", ())

    assert found == [[i] for i in range(1501)]
