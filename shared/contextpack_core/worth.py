"""What a candidate is worth to the budget, before its price."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

from pydantic import Field

from contextpack_core.settings import Settings
from contextpack_core.values import Candidate, Joins


class Weights(Settings):
    """What counts how much in the strategy ``weighted``."""

    relevance: float = Field(1.0, ge=0)
    """Rank and score."""
    novelty: float = Field(0.3, ge=0)
    """Words that no better candidate holds."""
    authority: float = Field(0.3, ge=0)
    """The source's own authority, 0 to 1."""


SUPPORT = 0.3  # share of a joined neighbour's value


def by_evidence(candidates: Sequence[Candidate], joins: Joins, query: str, weights: Weights) -> list[float]:
    """Relevance, and a share of that of the candidates it joins."""
    value = relevance(candidates)
    at = {c.id: i for i, c in enumerate(candidates)}
    worth = list(value)
    for chain in joins.chains:
        for left, right in pairwise(chain):
            a, b = at[left], at[right]
            worth[a] += SUPPORT * value[b]
            worth[b] += SUPPORT * value[a]
    return worth


def by_rank(candidates: Sequence[Candidate], joins: Joins, query: str, weights: Weights) -> list[float]:
    """The order in which the candidates come."""
    return [float(-i) for i in range(len(candidates))]


def by_weights(candidates: Sequence[Candidate], joins: Joins, query: str, weights: Weights) -> list[float]:
    """Relevance, novelty and authority, as much as the settings say."""
    seen: set[str] = set()
    worth = []
    for value, candidate in zip(relevance(candidates), candidates, strict=True):
        words = set(candidate.text.lower().split())
        novelty = len(words - seen) / len(words) if words else 0.0
        seen |= words
        authority = candidate.source.authority or 0.0
        worth.append(weights.relevance * value + weights.novelty * novelty + weights.authority * authority)
    return worth


STRATEGIES: dict[str, Callable[[Sequence[Candidate], Joins, str, Weights], list[float]]] = {
    "evidence": by_evidence,
    "rank": by_rank,
    "weighted": by_weights,
}


def relevance(candidates: Sequence[Candidate]) -> list[float]:
    """Between 0 and 1, never rising with the rank: from the scores where they go down with the rank, else from the rank."""
    scores = [c.score for c in candidates]
    if scores and scores[0] and all(map(_comparable, scores, [scores[0], *scores])):
        best = scores[0]
        return [(score / best) ** 2 for score in scores if score is not None]
    return [1 / (1 + i / 5) for i in range(len(candidates))]


def _comparable(score: float | None, before: float | None) -> bool:
    return score is not None and before is not None and math.isfinite(score) and 0 < score <= before
