"""Which searches a question needs beside its own, and one ranking made of what they find: read by the adapters."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import zip_longest
from typing import Literal, NamedTuple

from pydantic import Field

from contextpack_core.questions.parts import MOST, SubQuestion, sub_questions
from contextpack_core.settings import Settings

FOUND_FOR = "found_for"
"""The metadata key under which a hit says which of the things compared, or which part of the question, it was found for."""


class RetrievalSettings(Settings):
    """Further searches for a question that compares things or has several parts."""

    sub_queries: int = Field(0, ge=0, le=MOST)
    """At most so many further searches: one for each thing that the question compares, else one for each of its parts. 0: none."""
    fuse: Literal["turns", "ranks"] = "turns"
    """One ranking of all: the best of each search in turn, or by the sum of reciprocal ranks."""


class Placed(NamedTuple):
    """A hit in the ranking of all: which search, which of its hits, and what it was found for: by the further search that ranked it
    highest, None where only the question itself found it."""

    search: int
    place: int
    found_for: str | None = None


def searches_for(question: str, settings: RetrievalSettings, names: Iterable[str] = ()) -> tuple[SubQuestion, ...]:
    """The further searches that a question needs, in its order, or (); ``names`` are things that may be compared."""
    return sub_questions(question, names)[: settings.sub_queries] if settings.sub_queries else ()


def merge_hits(
    rankings: Sequence[Sequence[Hashable]], searches: Sequence[SubQuestion], settings: RetrievalSettings
) -> list[Placed]:
    """One ranking of what the question and its further searches found, each hit once, where it ranks highest.

    ``rankings`` hold the keys of the hits, best first: those of the question itself, then those of each of the ``searches``. Equal
    keys are one hit.
    """
    placed = _FUSIONS[settings.fuse](rankings)
    further = _first_places(rankings[1:])
    found = [further.get(rankings[at.search][at.place]) for at in placed]
    return [at._replace(found_for=searches[best.search].about if best else None) for at, best in zip(placed, found, strict=True)]


def _in_turns(rankings: Sequence[Sequence[Hashable]]) -> list[Placed]:
    """The best of each search, then the second ones."""
    first = _first_places(rankings)
    turns = zip_longest(*[[Placed(search, place) for place in range(len(keys))] for search, keys in enumerate(rankings)])
    return [at for turn in turns for at in turn if at is not None and first[rankings[at.search][at.place]] == at]


_EVEN = 60  # Cormack, Clarke and Buettcher 2009


def _by_ranks(rankings: Sequence[Sequence[Hashable]]) -> list[Placed]:
    """By the sum of reciprocal ranks over the searches."""
    first = _first_places(rankings)
    sums = dict.fromkeys(first, 0.0)
    for keys in rankings:
        for place, key in enumerate(dict.fromkeys(keys), 1):
            sums[key] += 1 / (_EVEN + place)
    return [first[key] for key in sorted(first, key=lambda key: (-sums[key], first[key].place, first[key].search))]


def _first_places(rankings: Sequence[Sequence[Hashable]]) -> dict[Hashable, Placed]:
    """Where each hit ranks highest."""
    first: dict[Hashable, Placed] = {}
    for search, keys in enumerate(rankings):
        for place, key in enumerate(keys):
            if key not in first or place < first[key].place:
                first[key] = Placed(search, place)
    return first


_FUSIONS: dict[str, Callable[[Sequence[Sequence[Hashable]]], list[Placed]]] = {"turns": _in_turns, "ranks": _by_ranks}
