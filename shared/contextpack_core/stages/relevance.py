"""Keeps the candidates that score well enough to be worth reading."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from pydantic import Field

from contextpack_core.decisions import Drop, Reason, Step
from contextpack_core.settings import Settings
from contextpack_core.values import Candidate


class RelevanceSettings(Settings):
    """Floors on the retriever's score, where higher is better. A candidate without a score passes every floor."""

    min_score: float | None = Field(None, examples=[0.3])
    """The lowest score that is kept."""
    min_relative: float | None = Field(None, ge=0, le=1, examples=[0.5])
    """The lowest share of the best score that is kept, 0 to 1; not applied when the best score is not positive."""
    largest_gap: bool = False
    """Cut at the largest fall between two scores that follow each other, if it is a real one: more than half of the way from
    the best score to the worst, and at least 5 % of the score that is largest by amount; three scores are needed."""

    @property
    def asks_for_scores(self) -> bool:
        return self.min_score is not None or self.min_relative is not None or self.largest_gap


def keep_relevant(candidates: Sequence[Candidate], settings: RelevanceSettings) -> Step[Candidate]:
    """Keep what has visible text and reaches the floors, one after the other: absolute, relative, gap."""
    drops = {i: Drop(c.id, Reason.EMPTY_TEXT, "it has no text") for i, c in enumerate(candidates) if not _VISIBLE.search(c.text)}
    notices: list[str] = []
    for floor_of in _FLOORS if settings.asks_for_scores else ():
        scores = {i: c.score for i, c in enumerate(candidates) if i not in drops and c.score is not None and c.score == c.score}
        floor, why = floor_of(list(scores.values()), settings)
        if floor is None:
            notices += [why] if why else []
            continue
        for i, score in scores.items():
            if score < floor:
                drops[i] = Drop(candidates[i].id, Reason.BELOW_THRESHOLD, f"{score:g} is below {why}")
    kept = tuple(c for i, c in enumerate(candidates) if i not in drops)
    return Step("relevance", kept, tuple(drops[i] for i in sorted(drops)), tuple(notices))


_VISIBLE = re.compile(
    "[^\\s\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0]"
)

Floor = tuple[float | None, str]
"""The lowest score kept and what it is called; or None and, if the floor was asked for in vain, why it does not hold."""


def _absolute(scores: Sequence[float], settings: RelevanceSettings) -> Floor:
    if settings.min_score is None:
        return None, ""
    return settings.min_score, f"min_score {settings.min_score:g}"


def _relative(scores: Sequence[float], settings: RelevanceSettings) -> Floor:
    if settings.min_relative is None or not scores:
        return None, ""
    best = max(scores)
    if best <= 0:
        return None, f"min_relative was not applied: the best score, {best:g}, is not positive"
    floor = best * settings.min_relative
    return floor, f"{floor:g}, which is min_relative {settings.min_relative:g} of the best score {best:g}"


def _gap(scores: Sequence[float], settings: RelevanceSettings) -> Floor:
    ranked = sorted(scores, reverse=True)
    if not settings.largest_gap or len(ranked) < 3:
        return None, ""
    fall, upper, lower = max((a - b, a, b) for a, b in pairwise(ranked))
    way, size = ranked[0] - ranked[-1], max(abs(ranked[0]), abs(ranked[-1]))
    if fall <= way * _HALF or fall < size * _REAL:
        return None, ""
    return upper, f"the largest gap, from {upper:g} to {lower:g}"


_HALF = 0.5 + 1e-9  # equal falls are no gap, however they round
_REAL = 0.05
_FLOORS = (_absolute, _relative, _gap)
