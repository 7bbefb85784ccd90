"""What a candidate is worth: its own odds, and what candidates near by say for it."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextpack_core.admission.worth import SIGNALS, Match, Weights, by_evidence, by_rank
from contextpack_core.values import Candidate, Join, Joins, Source


def chain_of(*places: int, overlap: int = 0, glue: str = "") -> Joins:
    """The candidates of these places, each going on from the one before it."""
    names = [f"c{place}" for place in places]
    return Joins((tuple(names),), {(a, b): Join(a, b, overlap=overlap, glue=glue) for a, b in pairwise(names)})


def worth(texts: list[str], joins: Joins | None = None, question: str = "", docs: str = "") -> list[float]:
    """What each of the texts is worth, of documents of their own unless ``docs`` has a letter for each."""
    candidates = [Candidate(f"c{i}", text, Source(docs[i] if docs else f"d{i}")) for i, text in enumerate(texts)]
    return by_evidence(candidates, joins or Joins(), Match(question, texts), Weights())


def test_odds_of_a_candidate_by_itself() -> None:
    """Rank and match, and its own relevance once more as the best of its document; nothing comes from other documents."""
    first, second = worth(["nothing", "the pump"], question="pump")

    own = [0.0, SIGNALS["rank"] * math.log(2) + SIGNALS["match"] + SIGNALS["match_squared"]]
    assert first == pytest.approx(own[0] + SIGNALS["document"] * math.exp(own[0] - own[1]))
    assert second == pytest.approx(own[1] + SIGNALS["document"])


def test_the_best_of_the_document_by_odds_speaks_for_it() -> None:
    """Not the first by rank: a later candidate with the words of the question does."""
    texts = ["nothing", "nothing", "the pump", "nothing"]
    one, other = worth(texts, question="pump", docs="abaa")[0], worth(texts, question="pump", docs="abba")[0]

    third = SIGNALS["rank"] * math.log(3) + SIGNALS["match"] + SIGNALS["match_squared"]
    assert one - other == pytest.approx(SIGNALS["document"] * (1 - math.exp(-third)))


def test_near_text_says_more_than_text_farther_off() -> None:
    """What the best of a chain adds to the others falls with the characters from middle to middle, glue with them, overlap not."""
    size = 400
    texts = ["x" * size] * 4
    apart = [value - other for value, other in zip(worth(texts, chain_of(0, 1)), worth(texts), strict=True)]
    overlapping = [a - b for a, b in zip(worth(texts, chain_of(0, 1, overlap=100)), worth(texts), strict=True)]
    glued = [a - b for a, b in zip(worth(texts, chain_of(0, 1, glue="y" * 100)), worth(texts), strict=True)]
    over_two = [a - b for a, b in zip(worth(texts, chain_of(0, 2, 1)), worth(texts), strict=True)]

    fade = math.exp(-size / 800)
    third = math.exp(SIGNALS["rank"] * math.log(3))
    assert apart[1] == pytest.approx(SIGNALS["neighbours"] * fade)
    assert overlapping[1] == pytest.approx(SIGNALS["neighbours"] * math.exp(-300 / 800))
    assert glued[1] == pytest.approx(SIGNALS["neighbours"] * math.exp(-500 / 800))
    assert over_two[1] == pytest.approx(SIGNALS["neighbours"] * (fade**2 + third * fade))
    assert apart[2:] == [0.0, 0.0]


def test_what_speaks_for_others_comes_before_them() -> None:
    """A candidate right beside the best one is not worth more for that than the best one is."""
    first, second = worth(["One two.", "Three four."], chain_of(0, 1))

    assert second == first
    assert worth(["One two.", "Three four."])[1] < worth(["One two.", "Three four."])[0]


@given(st.lists(st.sampled_from(["the pump", "a valve", "pump and valve", "soup"]), min_size=1, max_size=12), st.data())
def test_neighbours_take_nothing_away(texts: list[str], data: st.DataObject) -> None:
    """No candidate is worth less for being joined to others, and the best of a chain stays its best."""
    order = data.draw(st.permutations(range(len(texts))))
    joined, alone = [worth(texts, joins, "pump valve") for joins in (chain_of(*order), None)]

    assert all(math.isfinite(value) for value in joined)
    assert all(value >= other for value, other in zip(joined, alone, strict=True))
    assert joined[alone.index(max(alone))] == max(joined)


def test_rank_alone() -> None:
    """The strategy ``rank`` looks at nothing else; the second has the odds that a rank of two leaves."""
    candidates = [Candidate(f"c{i}", "pump", Source("d")) for i in range(3)]
    found = by_rank(candidates, chain_of(0, 1, 2), Match("pump", ["pump"] * 3), Weights())

    assert found == [SIGNALS["rank_alone"] * math.log(at) for at in (1, 2, 3)]
