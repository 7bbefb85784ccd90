"""Says what to do where evidence worth having is missing from a pack."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from contextpack_core.admission.left_out import Shortfall
from contextpack_core.admission.worth import coverage_of
from contextpack_core.policy import Choice
from contextpack_core.questions.parts import name_key, sub_questions
from contextpack_core.stages.budget import BudgetPlan
from contextpack_core.values import Candidate, Evidence, Source


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


def advise(
    shortfall: Shortfall | None,
    plan: BudgetPlan,
    choice: Choice,
    evidence: Sequence[Evidence],
    query: str,
    left_out: Sequence[Candidate] = (),
) -> tuple[Advice, ...]:
    """What would bring in what is missing; () where nothing is.

    A larger budget and, where several documents hold something, a narrower question if the budget kept something out; one more
    search for each thing that the question compares and no evidence names, else for each of its parts of whose words less than
    half stand in the evidence. A setting of the budget is named where it holds for this question: in the intent that ``choice``
    is, if that one changes it. ``left_out`` are the candidates that found no room: where they name the thing, that is said.
    """
    advice = [*_for_room(shortfall, plan, choice)] if shortfall else []
    if evidence:
        advice += [
            Advice(Action.SEARCH_AGAIN, f"no evidence for {about!r}{_remedy(about, left_out)}", about=about)
            for about in _missing(query, evidence)
        ]
    return tuple(advice)


def _for_room(shortfall: Shortfall, plan: BudgetPlan, choice: Choice) -> Iterator[Advice]:
    others = plan.instructions + plan.history + plan.question + plan.answer + plan.margin
    settings = []
    if choice.policy.budget.evidence < shortfall.tokens:
        settings.append(f"{_path_of('evidence', choice)} to {shortfall.tokens} tokens")
    if plan.input_limit is not None and plan.input_limit < shortfall.tokens + others:
        settings.append(f"{_path_of('input_limit', choice)} to {shortfall.tokens + others} tokens or a larger window")
    raised = f"raise {', and '.join(settings)}"
    yield Advice(Action.RAISE_BUDGET, raised, shortfall.tokens)
    names = shortfall.documents
    if len(names) > 1:
        shown = ", ".join(names[:_SHOWN]) + ("" if len(names) <= _SHOWN else ", …")
        yield Advice(Action.NARROW, f"ask about one of the {len(names)} documents that hold something: {shown}")


def _path_of(line: str, choice: Choice) -> str:
    """The path of the setting that holds: that of the intent where it changes the line, else that of the policy."""
    intent = choice.policy.intents.get(choice.intent) if choice.intent is not None else None
    return f"intents.{choice.intent}.budget.{line}" if intent and line in intent.budget else f"budget.{line}"


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
            named = [name_key(each) for each in (*texts, *[_head(item.passage.source) for item in evidence])]
        if not any(name_key(about) in each for each in named):
            yield about


def _remedy(about: str, left_out: Sequence[Candidate]) -> str:
    """A second search, or first a share of the budget where candidates that found no room name it."""
    key = name_key(about)
    naming = sum(key in name_key(f"{_head(candidate.source)} {candidate.text}") for candidate in left_out)
    if not naming:
        return ": search for it once more"
    found = "1 candidate that was left out names" if naming == 1 else f"{naming} candidates that were left out name"
    return f", but {found} it: give each thing its share by budget.per_group, or search for it once more"


def _head(source: Source) -> str:
    return " ".join(filter(None, (source.doc_id, source.title, source.section)))
