"""Finds the groups of candidates of which each is to have its share of the budget: what a question compares, and its parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from contextpack_core.parts import entities_in, name_key, parts_of
from contextpack_core.values import Candidate, Source
from contextpack_core.worth import Match


def compared_groups(candidates: Sequence[Candidate], by: str | None, names: Sequence[str], query: str) -> list[list[int]]:
    """The places of the candidates of each thing that a comparison is about, in the order of ``names``, the question or the ranking.

    With ``by`` a group is a value of that source field or metadata key: one of ``names`` if there are any, else one that the
    question names if it names two, else any. Without it a group is what the question names, and the candidates are those that name
    it: a candidate that names two is in both groups.
    """
    if by is None:
        wanted = tuple(names) or entities_in(query)
        return [members for name in wanted if (members := _naming(candidates, name))]
    groups: dict[str, list[int]] = {}
    for i, candidate in enumerate(candidates):
        if (value := _value_of(candidate, by)) is not None:
            groups.setdefault(value, []).append(i)
    keys = {name_key(value): value for value in reversed(groups)}
    wanted = tuple(names) or entities_in_values(query, list(groups))
    return [groups[keys[key]] for name in wanted if (key := name_key(name)) in keys] if wanted else list(groups.values())


def entities_in_values(query: str, values: Sequence[str]) -> tuple[str, ...]:
    """Those of the values that the query names, if they are two or more."""
    named = entities_in(query, values)
    return named if set(named) <= set(values) else ()


def part_groups(query: str, texts: Sequence[str], worth_of: Callable[[Match], Sequence[float]]) -> list[list[int]]:
    """For each part of the question the places of all candidates, those first that are worth most to that part; [] for one part."""
    parts = parts_of(query)
    return [best_first(worth_of(Match(part, texts))) for part in parts]


def best_first(worth: Sequence[float]) -> list[int]:
    """The places by what they are worth."""
    return sorted(range(len(worth)), key=lambda i: (-worth[i], i))


def _value_of(candidate: Candidate, by: str) -> str | None:
    """The value that names the candidate's group: a field of its source, or else a metadata key."""
    value = getattr(candidate.source, by) if by in Source.__dataclass_fields__ else candidate.metadata.get(by)
    return None if value is None or value == "" else str(value)


def _naming(candidates: Sequence[Candidate], name: str) -> list[int]:
    """The candidates whose document, title or section names it, and those whose text does if there are none of these."""
    key = name_key(name)
    places = [
        " ".join(map(str, filter(None, (c.source.doc_id, c.source.title, c.source.section, c.source.family)))) for c in candidates
    ]
    headed = [i for i, place in enumerate(places) if _names(place, key)]
    return headed or [i for i, candidate in enumerate(candidates) if _names(candidate.text, key)]


def _names(text: str, key: str) -> bool:
    """Whether a text holds a name on word borders."""
    low = name_key(text)
    at = low.find(key)
    while at >= 0:
        end = at + len(key)
        if not (low[at - 1 : at].isalnum() and key[0].isascii()) and not (low[end : end + 1].isalnum() and key[-1].isascii()):
            return True
        at = low.find(key, at + 1)
    return False
