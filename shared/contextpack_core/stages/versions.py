"""Prefers the edition that is in force on the as-of date."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Literal

from contextpack_core.decisions import Drop, Reason, Step
from contextpack_core.settings import Settings
from contextpack_core.values import Candidate


class VersionSettings(Settings):
    """Which edition of a family is kept."""

    prefer: Literal["in_force", "all"] = "in_force"
    """``in_force``: only the edition in force on the as-of date; ``all``: every edition."""
    undated: Literal["keep", "drop", "newest"] = "keep"
    """What to do with an edition that has no date beside dated ones."""
    as_of: date | Literal["from_query"] | None = None
    """The day the answer must be true for; ``from_query``: read it from the question; None: today."""
    family: Literal["explicit", "infer"] = "explicit"
    """Where the family comes from: metadata, or opt-in recognition."""


def prefer_versions(candidates: Sequence[Candidate], as_of: date, settings: VersionSettings) -> Step[Candidate]:
    """Of each family keep the edition in force on the as-of date."""
    newest: dict[str, date] = {}
    for c in candidates:
        s = c.source
        if s.family and s.effective_from and s.effective_from <= as_of:
            newest[s.family] = max(newest.get(s.family, date.min), s.effective_from)
    kept, drops = [], []
    for c in candidates:
        s = c.source
        if settings.prefer == "all" or not s.family or s.effective_from is None or s.family not in newest:
            kept.append(c)
        elif s.effective_from > as_of:
            drops.append(Drop(c.id, Reason.NOT_YET_IN_FORCE, f"in force from {s.effective_from}"))
        elif s.effective_from < newest[s.family]:
            drops.append(Drop(c.id, Reason.SUPERSEDED, f"an edition of {newest[s.family]} was in force"))
        else:
            kept.append(c)
    return Step("versions", tuple(kept), tuple(drops))
