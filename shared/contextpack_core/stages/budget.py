"""Plans the token budget and admits what is worth its tokens."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from contextpack_core.decisions import Drop, Reason, Step
from contextpack_core.errors import BudgetError
from contextpack_core.passages import assemble
from contextpack_core.settings import Settings
from contextpack_core.values import Candidate, Evidence, Joins, Passage


class PerGroup(Settings):
    """A minimum of tokens for each group of a comparison."""

    by: str
    """A field of the source, or a metadata key, whose value names the group."""
    tokens: int = Field(ge=1)
    """Tokens held for each group."""


class BudgetSettings(Settings):
    """How many tokens the evidence may take, and how they are given out."""

    evidence: int = Field(4000, ge=1)
    """The most tokens that the rendered evidence may take."""
    input_limit: int | None = Field(None, ge=1)
    """The model's whole input window."""
    instructions: int = Field(0, ge=0)
    """Tokens of the system prompt."""
    history: int = Field(0, ge=0)
    """Tokens of the conversation so far."""
    question: int = Field(0, ge=0)
    """Tokens of the question."""
    answer: int = Field(0, ge=0)
    """Tokens reserved for the answer."""
    margin: int = Field(0, ge=0)
    """Tokens held back for what nobody counted."""
    strategy: Literal["evidence", "rank", "weighted"] = "evidence"
    """How candidates are valued."""
    when_full: Literal["skip", "stop"] = "skip"
    """After the first that does not fit: try smaller ones, or stop."""
    oversize: Literal["excerpt", "drop"] = "excerpt"
    """What to do with a passage larger than the whole budget."""
    per_source: int | None = Field(None, ge=1)
    """The most candidates of one document."""
    per_group: PerGroup | None = None
    """A minimum for each group."""


@dataclass(frozen=True, slots=True)
class BudgetPlan:
    """Every line of the budget in tokens; ``evidence`` is what the rendered evidence may take."""

    evidence: int
    input_limit: int | None = None
    instructions: int = 0
    history: int = 0
    question: int = 0
    answer: int = 0
    margin: int = 0


@dataclass(frozen=True, slots=True)
class Cost:
    """What passages cost: ``render`` lays them out as the prompt will, ``count`` counts that text as one string."""

    count: Callable[[str], int]
    render: Callable[[Sequence[Passage]], str]

    def __call__(self, passages: Sequence[Passage]) -> int:
        return self.count(self.render(passages)) if passages else 0


_LINES = ("instructions", "history", "question", "answer", "margin")


def plan_budget(settings: BudgetSettings, used: Mapping[str, int] | None = None) -> BudgetPlan:
    """The budget with measured lines put in for the planned ones.

    Raises:
        BudgetError: nothing is left for evidence.
    """
    lines = {name: (used or {}).get(name, getattr(settings, name)) for name in _LINES}
    evidence = settings.evidence
    if settings.input_limit is not None:
        evidence = min(evidence, settings.input_limit - sum(lines.values()))
        if evidence <= 0:
            spent = " - ".join(f"{name} {tokens}" for name, tokens in lines.items() if tokens)
            raise BudgetError(f"budget: input_limit {settings.input_limit} - {spent} leaves {evidence} tokens for evidence")
    return BudgetPlan(evidence, settings.input_limit, **lines)


def admit(
    candidates: Sequence[Candidate], joins: Joins, plan: BudgetPlan, cost: Cost, settings: BudgetSettings, query: str = ""
) -> Step[Evidence]:
    """Admit candidates in rank order while they fit."""
    kept: list[Passage] = []
    drops = []
    for candidate in candidates:
        passage = assemble([candidate], joins)
        if cost([*kept, passage]) <= plan.evidence:
            kept.append(passage)
        elif cost([passage]) > plan.evidence:
            drops.append(Drop(candidate.id, Reason.TOO_LARGE, "larger than the whole budget"))
        else:
            drops.append(Drop(candidate.id, Reason.BUDGET, "no room left"))
    return Step("budget", tuple(Evidence("", p, cost([p])) for p in kept), tuple(drops))
