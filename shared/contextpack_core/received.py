"""Reads what a retriever handed over: every candidate with an id that no other has, and with a rank."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from contextpack_core.errors import CandidateError
from contextpack_core.fields import FieldMap
from contextpack_core.text import content_id
from contextpack_core.values import Candidate

_FIELDS = FieldMap()


def read_candidates(records: Iterable[Candidate | Mapping[str, Any]], fields: FieldMap = _FIELDS) -> tuple[Candidate, ...]:
    """Every candidate with an id that no other has and with a rank, in the order in which they came.

    Raises:
        CandidateError: an entry is neither a Candidate nor a mapping.
    """
    received: list[Candidate] = []
    names: dict[str, int] = {}  # with the copies of each that were counted
    for position, item in enumerate(records, 1):
        if isinstance(item, Mapping):
            item = Candidate.from_mapping(item, fields)
        elif not isinstance(item, Candidate):
            raise CandidateError(f"candidates[{position - 1}]: {type(item).__name__} — a Candidate or a mapping is wanted")
        received.append(_sound(item, position, names))
    return tuple(received)


def _sound(item: Candidate, position: int, names: dict[str, int]) -> Candidate:
    """The candidate with an id that no other has, a rank that can be compared, and no score that is no number.

    Its id is entered into ``names``.
    """
    named = type(item.id) is str and item.id and item.id not in names
    if named and type(item.text) is str and type(item.rank) is int and type(item.score) is float and math.isfinite(item.score):
        names[item.id] = 1
        return item  # as most are
    text = item.text if isinstance(item.text, str) else ""
    name = wanted = str(item.id or "") or content_id(item.source.doc_id, item.source.span, text)
    while name in names:
        names[wanted] += 1
        name = f"{wanted}#{names[wanted]}"
    names[name] = 1
    rank = item.rank if _is_number(item.rank) else position
    score = item.score if _is_number(item.score) else None
    if name is item.id and text is item.text and rank is item.rank and score is item.score:
        return item
    return replace(item, id=name, text=text, rank=rank, score=score)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
