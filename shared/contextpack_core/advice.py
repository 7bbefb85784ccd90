"""Says what to do where evidence worth having is missing from a pack."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from contextpack_core.admission.left_out import Shortfall
from contextpack_core.admission.worth import coverage_of
from contextpack_core.questions.parts import name_key, sub_questions
from contextpack_core.stages.budget import BudgetPlan
from contextpack_core.values import Evidence


class Action(StrEnum):
    """What can be done: give the evidence more tokens, ask about less, or search for what is not there."""

    RAISE_BUDGET = "RAISE_BUDGET"
    NARROW = "NARROW"
    SEARCH_AGAIN = "SEARCH_AGAIN"


@dataclass(frozen=True, slots=True)
class Advice:
    """One thing to do, as a sentence; ``tokens`` is the budget for evidence to raise to, ``about`` what to search for once more."""

    action: Action
    text: str
    tokens: int | None = None
    about: str | None = None


def advise(shortfall: Shortfall | None, plan: BudgetPlan, evidence: Sequence[Evidence], query: str) -> tuple[Advice, ...]:
    """What would bring in what is missing; () where nothing is.

    A larger budget and, where several documents hold something, a narrower question if the budget kept something out; one more
    search for each thing that the question compares and no evidence names, else for each of its parts of whose words less than
    half stand in the evidence.
    """
    advice = [*_for_room(shortfall, plan)] if shortfall else []
    if evidence:
        advice += [
            Advice(Action.SEARCH_AGAIN, f"no evidence for {about!r}: search for it once more", about=about)
            for about in _missing(query, evidence)
        ]
    return tuple(advice)


def _for_room(shortfall: Shortfall, plan: BudgetPlan) -> Iterator[Advice]:
    others = plan.instructions + plan.history + plan.question + plan.answer + plan.margin
    raised = f"raise budget.evidence to {shortfall.tokens} tokens"
    if plan.input_limit is not None and plan.input_limit < shortfall.tokens + others:
        raised += f", and budget.input_limit to {shortfall.tokens + others} or a larger window"
    yield Advice(Action.RAISE_BUDGET, raised, shortfall.tokens)
    names = shortfall.documents
    if len(names) > 1:
        shown = ", ".join(names[:_SHOWN]) + ("" if len(names) <= _SHOWN else ", …")
        yield Advice(Action.NARROW, f"ask about one of the {len(names)} documents that hold something: {shown}")


_SHOWN = 5
_COVERED = 0.5  # share of the words of a part


def _missing(query: str, evidence: Sequence[Evidence]) -> Iterator[str]:
    """The things compared that no evidence names, or the parts whose words it does not hold."""
    sought = sub_questions(query)
    if not sought:
        return
    texts = [item.passage.text for item in evidence]
    named: list[str] = []
    for about, text in sought:
        if about == text:
            if (coverage_of(text, texts) or 0.0) < _COVERED:
                yield about
            continue
        if not named:
            heads = [" ".join(filter(None, (s.doc_id, s.title, s.section))) for s in (item.passage.source for item in evidence)]
            named = [f" {name_key(each)} " for each in (*texts, *heads)]
        if not any(name_key(about) in each for each in named):
            yield about
