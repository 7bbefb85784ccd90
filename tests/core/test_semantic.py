"""How near candidates are to the question."""

from __future__ import annotations

import math

import pytest

from contextpack_core import ArgumentError, Candidate, Policy, Source, StaticModel, pack
from contextpack_core.semantic import nearness

POINTS = {"north": (0.0, 2.0), "east": (3.0, 0.0), "south": (0.0, -1.0)}


def towards(texts: list[str]) -> list[tuple[float, ...]]:
    return [POINTS[text] for text in texts]


def hit(text: str, *vector: float) -> Candidate:
    return Candidate(text, text, Source(text), embedding=vector or None)


def test_the_cosine_of_vectors_that_are_there() -> None:
    """The length of a vector does not matter, and nothing is embedded that has one."""
    candidates = [hit("a", 0, 5), hit("b", 1, 0), hit("c", 0, -2)]

    assert nearness("north", (0, 0.5), candidates) == [1, 0, -1]
    assert nearness("north", (0, 0.5), candidates, lambda texts: pytest.fail(f"{texts}")) == [1, 0, -1]


def test_what_is_missing_is_made_in_one_call() -> None:
    """The question and the candidates without a vector are embedded together."""
    asked: list[list[str]] = []

    def embed(texts: list[str]) -> list[tuple[float, ...]]:
        asked.append(texts)
        return towards(texts)

    assert nearness("north", None, [hit("east"), hit("b", 0, 7), hit("south")], embed) == [0, 1, -1]
    assert asked == [["east", "south", "north"]]


@pytest.mark.parametrize("useless", [(), (1.0,), (0.0, 0.0), (math.nan, 1.0), (math.inf, 1.0), (1e200, 1e200)])
def test_a_useless_vector_speaks_neither_for_nor_against(useless: tuple[float, ...]) -> None:
    """A vector of another length, without a direction or not finite gives its candidate the mean of the others."""
    odd = Candidate("odd", "odd", Source("odd"), embedding=useless)

    assert nearness("q", (0, 1), [hit("a", 0, 1), odd, hit("b", 0, -1), hit("c", 0, 1)]) == [1, 1 / 3, -1, 1]
    assert nearness("q", (0, 1), [odd]) is None
    assert nearness("q", useless, [hit("a", 0, 1)]) is None


def test_without_vectors_there_is_no_signal() -> None:
    """Candidates without vectors, or a question without one, are no error."""
    assert nearness("q", None, [hit("a", 0, 1)]) is None
    assert nearness("q", (0, 1), [hit("a")]) is None
    assert nearness("q", None, [], towards_nothing) is None


def towards_nothing(texts: list[str]) -> list[tuple[float, ...]]:
    return [(0.0, 1.0) for _ in texts]


def test_an_embedder_that_loses_texts_is_an_error() -> None:
    """The message says how many vectors there are for how many texts."""
    with pytest.raises(ValueError, match=r"^embed: 1 vectors for 2 texts$"):
        nearness("north", None, [hit("east")], lambda texts: [(0.0, 1.0)])


def test_an_embedder_must_be_a_function() -> None:
    """The name of a model is none; the message says what is wanted."""
    with pytest.raises(ArgumentError, match=r"^embed: str — a function from texts to vectors"):
        pack([{"text": "east"}], "north", embed="openai")


def test_vectors_decide_where_nothing_else_does() -> None:
    """Of candidates without a word of the question, the nearest by its vector gets the room; the pack is the same again."""
    texts = ["Tides rise and fall twice daily.", "Bread is baked before dawn today.", "Engines are oiled in the winter."]
    hits = [
        {"id": f"c{n}", "text": text, "doc_id": f"d{n}", "embedding": [float(n == 2), float(n != 2)]}
        for n, text in enumerate(texts)
    ]
    policy = Policy(budget={"evidence": 25, "excerpts": False})

    plain, near = pack(hits, "machine?", policy), pack(hits, "machine?", policy, query_embedding=[1.0, 0.0])
    assert [item.passage.candidate_ids for made in (plain, near) for item in made.evidence] == [("c0",), ("c2",)]
    assert near.to_dict() == pack(hits, "machine?", policy, query_embedding=[1.0, 0.0]).to_dict()


def test_nothing_is_embedded_that_the_caller_may_not_see() -> None:
    """An embedder gets the texts of permitted candidates alone."""
    seen: list[str] = []

    def embed(texts: list[str]) -> list[tuple[float, ...]]:
        seen.extend(texts)
        return towards_nothing(texts)

    hits = [{"text": f"text {name}", "doc_id": name, "access": name} for name in ("red", "blue")]
    pack(hits, "what?", Policy(access={"enforce": True}), access=["red"], embed=embed)

    assert seen == ["text red", "what?"]


def test_the_static_model_needs_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its table comes with its package; texts that mean the same are nearer than others, and no text breaks it."""
    pytest.importorskip("wordllama")
    monkeypatch.setattr("socket.socket.connect", lambda *_: pytest.fail("the network was used"))
    texts = ["How do I mend a car?", "Repairing an automobile", "Recipes for lentil soup", "", "\ud800", "<|endoftext|>"]
    car, repair, soup, *odd = StaticModel()(texts)

    assert len(car) == 256
    assert all(abs(math.hypot(*vector) - 1) < 1e-4 for vector in (car, repair, soup, *odd))
    assert _dot(car, repair) > _dot(car, soup) + 0.1
    assert StaticModel()([]) == []


def _dot(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))
