"""Keeps the candidates that score well enough to be worth reading."""

from __future__ import annotations

from collections.abc import Sequence

from contextpack_core.decisions import Drop, Reason, Step
from contextpack_core.settings import Settings
from contextpack_core.values import Candidate


class RelevanceSettings(Settings):
    """Floors on the retriever's score. A candidate without a score passes every floor."""

    min_score: float | None = None
    """Absolute floor."""
    min_relative: float | None = None
    """Floor as a share of the best score, 0 to 1."""
    largest_gap: bool = False
    """Cut at the largest fall between two scores that follow each other."""


def keep_relevant(candidates: Sequence[Candidate], settings: RelevanceSettings) -> Step[Candidate]:
    """Keep what has text and reaches the floors."""
    kept, drops = [], []
    for candidate in candidates:
        if not candidate.text.strip():
            drops.append(Drop(candidate.id, Reason.EMPTY_TEXT, "it has no text"))
        elif settings.min_score is not None and candidate.score is not None and candidate.score < settings.min_score:
            drops.append(Drop(candidate.id, Reason.BELOW_THRESHOLD, f"{candidate.score:g} is below {settings.min_score:g}"))
        else:
            kept.append(candidate)
    return Step("relevance", tuple(kept), tuple(drops))
