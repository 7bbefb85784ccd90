"""Plans the token budget and admits what is worth its tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticCustomError

from contextpack_core.admission.enough import within_reach
from contextpack_core.admission.filling import Filling, Rules
from contextpack_core.admission.groups import WorthTo, best_first, compared_groups, group_of, worth_to_parts
from contextpack_core.admission.left_out import Shortfall, drops_of, missing_from, shortfall_of
from contextpack_core.admission.prices import Cost
from contextpack_core.admission.worth import STRATEGIES, Match, Weights
from contextpack_core.answer_size import is_form, schema_tokens
from contextpack_core.decisions import Step
from contextpack_core.errors import BudgetError
from contextpack_core.settings import Settings, Texts
from contextpack_core.values import Candidate, Evidence, Joins


class PerGroup(Settings):
    """A minimum of tokens for each group of a comparison."""

    by: str | None = Field(None, examples=["product"])
    """A field of the source, or a metadata key, whose value names the group: the values that the question names, if it names two,
    else all. Left out: the things that the question names, with the candidates that name them."""
    tokens: int = Field(ge=1)
    """Tokens held for each group."""
    names: Texts = Field((), examples=[["Home Basic", "Home Plus"]])
    """The groups, if not those that the question names."""


ANSWERS = {"fact": 100, "short": 300, "standard": 600, "troubleshooting": 900, "procedure": 900, "detailed": 1500}
"""Answer contracts: tokens by name."""


def answer_tokens(answer: int | str) -> int:
    """The tokens of ``budget.answer``: a number, the name of a contract, or a name with its own number (``short 250``)."""
    if isinstance(answer, int):
        return answer
    name, _, size = answer.partition(" ")
    return int(size) if size else ANSWERS[name]


def _contract(answer: Any) -> Any:
    """The answer as it is written, where it is a number of tokens or names a contract, the size where it is a form; one error for
    all else."""
    if is_form(answer):
        return schema_tokens(answer)
    if type(answer) is int and answer >= 0:
        return answer
    name, _, size = answer.partition(" ") if isinstance(answer, str) else ("", "", "")
    if answer not in ANSWERS if not size else not (name.isidentifier() and _SIZE.fullmatch(size)):
        names = ", ".join(ANSWERS)
        wanted = "Input should be a whole number of tokens, 0 or more, one of {names}, or a name and a number: short 250"
        raise PydanticCustomError("answer", wanted, {"names": names})
    return answer


_SIZE = re.compile("[1-9][0-9]{0,8}")


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
    answer: Annotated[Annotated[int, Field(ge=0)] | str, BeforeValidator(_contract)] = 0
    """Tokens reserved for the answer: a number, a contract (``fact`` 100, ``short`` 300, ``standard`` 600, ``procedure`` and
    ``troubleshooting`` 900, ``detailed`` 1500), or a name with its own number, ``short 250``. In Python also a pydantic class: the
    tokens of its JSON, as ``schema_tokens`` counts them."""
    margin: int = Field(0, ge=0)
    """Tokens held back for what nobody counted."""
    strategy: Literal["evidence", "rank", "weighted"] = "evidence"
    """How candidates are valued."""
    weights: Weights = Weights()
    """What counts how much in the strategy ``weighted``."""
    until: Literal["full", "enough"] = "full"
    """Fill the budget, or stop where more adds nothing: at candidates whose odds to hold the answer, as the strategy ``evidence``
    sees them, are less than 1 to 148 of the best one's, and that stand beside none that is better in their document."""
    when_full: Literal["skip", "stop"] = "skip"
    """After the first that does not fit: try smaller ones, or stop."""
    excerpts: bool = True
    """In the strategy ``evidence``: half of the budget, at most 600 tokens, goes to the best sentences of what is not in whole."""
    oversize: Literal["excerpt", "drop"] = "excerpt"
    """What to do with a candidate larger than the whole budget: take its best sentences, or nothing."""
    per_source: int | None = Field(None, ge=1)
    """The most candidates of one document."""
    per_group: PerGroup | None = None
    """A minimum for each group."""
    parts: bool = True
    """The budget of a question of several parts is given out to these in turn, to each what is worth most to it."""


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
class BudgetStep(Step[Evidence]):
    """What was admitted, and what was worth having and did not fit."""

    shortfall: Shortfall | None = None


_LINES = ("instructions", "history", "question", "answer", "margin")


def plan_budget(settings: BudgetSettings, used: Mapping[str, int] | None = None) -> BudgetPlan:
    """The budget with measured lines put in for the planned ones.

    Raises:
        BudgetError: nothing is left for evidence, or ``used`` names no line of the budget or a count below zero.
    """
    used = used or {}
    for name, tokens in used.items():
        if name not in _LINES:
            raise BudgetError(f"used: {name!r} is no line of the budget — one of {', '.join(_LINES)}")
        if isinstance(tokens, bool) or not isinstance(tokens, int) or tokens < 0:
            raise BudgetError(f"used[{name!r}]: {tokens!r} — a number of tokens, 0 or more")
    planned = {name: getattr(settings, name) for name in _LINES} | {"answer": answer_tokens(settings.answer)}
    lines = {name: used.get(name, planned[name]) for name in _LINES}
    evidence = settings.evidence
    if settings.input_limit is not None:
        evidence = min(evidence, settings.input_limit - sum(lines.values()))
    if evidence <= 0:
        spent = "".join(f" - {name} {tokens}" for name, tokens in lines.items())
        raise BudgetError(
            f"budget: input_limit {settings.input_limit}{spent} = {evidence} tokens left for evidence — "
            f"raise budget.input_limit by {1 - evidence} or more, or lower {_largest(lines)}"
        )
    return BudgetPlan(evidence, settings.input_limit, **lines)


def _largest(lines: Mapping[str, int]) -> str:
    """The line that takes most, as advice."""
    name = max(lines, key=lambda line: lines[line])
    return f"budget.{name} ({lines[name]})"


def admit(
    candidates: Sequence[Candidate],
    joins: Joins,
    plan: BudgetPlan,
    cost: Cost,
    settings: BudgetSettings,
    query: str = "",
    nearness: Sequence[float] | None = None,
) -> BudgetStep:
    """Admit what is worth most, at marginal cost, as long as the rendered text of all of it stays within the plan.

    ``candidates`` come best first. Text that is already in is free, an envelope is paid once a passage. What comes back is best
    first too; its tokens add up to the exact count of the rendered text. A shortfall tells of evidence worth having that did not
    fit, and of the budget that would hold it. ``nearness`` of the candidates to the question comes from their vectors.
    """
    if not candidates:
        return BudgetStep("budget", ())
    rules = _rules(plan.evidence, settings)
    filling = Filling(candidates, joins, cost, rules)
    if rules.all_at_once and filling.take_all():
        return BudgetStep("budget", filling.evidence())
    match = Match(query, [candidate.text for candidate in candidates], nearness)

    def worth_to(match: Match) -> list[float]:
        return STRATEGIES[settings.strategy](candidates, joins, match, settings.weights)

    worth, groups = _worth_and_groups(candidates, query, match, worth_to, settings)
    if settings.until == "enough":
        odds = worth if settings.strategy == "evidence" else STRATEGIES["evidence"](candidates, joins, match, settings.weights)
        filling.leave_out(odds, within_reach(odds, groups, filling.chosen.beside))
    filling.take_best(worth, match, groups)

    drops, missing = tuple(drops_of(filling)), missing_from(filling)
    notices = tuple(_without_group(candidates, settings.per_group)) if drops else ()
    if not missing:
        return BudgetStep("budget", filling.evidence(), drops, notices)
    shortfall = shortfall_of(filling, missing, match, groups)
    missed, them = ("1 candidate", "it") if len(missing) == 1 else (f"{len(missing)} candidates", "them")
    notice = f"{missed} worth having did not fit whole: a budget of {shortfall.tokens} tokens would hold {them}"
    return BudgetStep("budget", filling.evidence(), drops, (*notices, notice), shortfall)


def _rules(limit: int, settings: BudgetSettings) -> Rules:
    """What the settings say about filling the room."""
    return Rules(
        limit,
        all_at_once=not settings.per_source and settings.until == "full",
        excerpts=settings.excerpts and settings.strategy == "evidence" and settings.when_full == "skip",
        stop=settings.when_full == "stop",
        cut_oversize=settings.oversize == "excerpt",
        per_source=settings.per_source,
        per_group=settings.per_group.tokens if settings.per_group else None,
    )


def _without_group(candidates: Sequence[Candidate], settings: PerGroup | None) -> Iterator[str]:
    """That a minimum for each group came to nothing, since no candidate has the field or key that names its group."""
    if settings and settings.by is not None and all(group_of(candidate, settings.by) is None for candidate in candidates):
        yield f"budget.per_group.by: no candidate has {settings.by!r}, so no group has a minimum"


def _worth_and_groups(
    candidates: Sequence[Candidate], query: str, match: Match, worth_to: WorthTo, settings: BudgetSettings
) -> tuple[Sequence[float], list[list[int]]]:
    """What each candidate is worth, and the groups that get a minimum, each with its best candidates first: those of a comparison,
    else the parts of the question. There a candidate is worth what it is to the part that it suits best, beside the best for that
    part: so none of the parts is behind another one."""
    if settings.per_group is not None:
        return worth_to(match), compared_groups(candidates, query, worth_to, settings.per_group.by, settings.per_group.names)
    by_part = settings.parts and settings.strategy == "evidence"
    parts = worth_to_parts(candidates, query, worth_to, match.nearness) if by_part else []
    if not parts:
        return worth_to(match), []
    highest = [max(part) for part in parts]
    beside = [[value - most for value in part] for part, most in zip(parts, highest, strict=True)]
    return [max(values) for values in zip(*beside, strict=True)], [best_first(range(len(candidates)), part) for part in parts]
