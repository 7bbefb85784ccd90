"""Keeps the candidates that the caller may see."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from contextpack_core.decisions import Drop, Reason, Step
from contextpack_core.settings import Settings
from contextpack_core.values import Candidate


class AccessSettings(Settings):
    """Whether the caller must hold a candidate's access label, and in which metadata field it stands."""

    enforce: bool = False
    """Drop what the caller may not see; without labels of the caller, everything."""
    field: str | None = None
    """The metadata key that holds the labels; the common spellings when left out."""


def keep_permitted(candidates: Sequence[Candidate], held: Collection[str] | None, settings: AccessSettings) -> Step[Candidate]:
    """Keep each candidate one of whose labels the caller holds; a candidate without labels is dropped as unknown."""
    if not settings.enforce:
        return Step("access", tuple(candidates))
    kept, drops = [], []
    for candidate in candidates:
        labels = candidate.source.access
        if not labels:
            drops.append(Drop(candidate.id, Reason.ACCESS_UNKNOWN, "it names no access label"))
        elif held is None or not set(labels) & set(held):
            drops.append(Drop(candidate.id, Reason.NO_ACCESS, "the caller holds none of its labels"))
        else:
            kept.append(candidate)
    return Step("access", tuple(kept), tuple(drops))
