"""Of candidates alike, keeps one."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from contextpack_core.decisions import Drop, Reason, Step
from contextpack_core.settings import Settings
from contextpack_core.text import folded
from contextpack_core.values import Candidate


class DedupSettings(Settings):
    """When two candidates count as the same text."""

    near: float | None = Field(0.92, ge=0, le=1)
    """Similarity from which two texts are near-duplicates, 0 to 1; null switches the search off."""


def drop_duplicates(candidates: Sequence[Candidate], settings: DedupSettings) -> Step[Candidate]:
    """Of candidates alike, keep the one that the retriever ranked highest."""
    seen: dict[tuple[str, str | None], Candidate] = {}
    kept, drops = [], []
    for c in candidates:
        key = (folded(c.text), c.source.edition)
        if key in seen:
            drops.append(Drop(c.id, Reason.DUPLICATE, "the same text", in_favour_of=seen[key].id))
        else:
            seen[key] = c
            kept.append(c)
    return Step("dedup", tuple(kept), tuple(drops))
