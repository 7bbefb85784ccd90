"""Finds which candidates of one document belong together, proven by their text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pydantic import Field

from contextpack_core.settings import Settings
from contextpack_core.values import Candidate, Joins

Documents = Mapping[str, str] | Callable[[str], str | None]


class MergeSettings(Settings):
    """How far apart two stretches of one document may stand and still make one passage."""

    max_gap: int = Field(80, ge=0)
    """The longest gap, in characters, that is filled from the document or marked."""


def find_joins(candidates: Sequence[Candidate], documents: Documents | None, settings: MergeSettings) -> Joins:
    """Nothing yet."""
    return Joins()
