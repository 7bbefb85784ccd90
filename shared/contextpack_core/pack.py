"""The first spine: from candidates to a pack."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date
from enum import StrEnum
from typing import Any

from contextpack_core.decisions import Step
from contextpack_core.errors import CandidateError
from contextpack_core.policy import Policy
from contextpack_core.saved import FORMAT, check_format, from_plain, to_plain
from contextpack_core.stages.access import keep_permitted
from contextpack_core.stages.budget import BudgetPlan, Cost, admit, plan_budget
from contextpack_core.stages.dedup import drop_duplicates
from contextpack_core.stages.merge import Documents, find_joins
from contextpack_core.stages.order import order_evidence
from contextpack_core.stages.relevance import keep_relevant
from contextpack_core.stages.render import number_evidence, render
from contextpack_core.stages.versions import prefer_versions
from contextpack_core.text import content_id
from contextpack_core.tokens import TokenCounter, as_counter
from contextpack_core.trace import Trace
from contextpack_core.values import Candidate, Evidence, Passage


class Outcome(StrEnum):
    """What the pack says about generation."""

    READY = "READY"
    PARTIAL = "PARTIAL"
    EMPTY = "EMPTY"
    DECLINE = "DECLINE"


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two passages that say the same with different figures or negations, and nothing that decides between them."""

    labels: tuple[str, str]
    figures: tuple[tuple[str, ...], tuple[str, ...]]
    why: str


@dataclass(frozen=True, slots=True)
class Pack:
    """The evidence in prompt order, the rendered text, and the account of everything that was left out."""

    evidence: tuple[Evidence, ...]
    text: str
    tokens: int
    budget: BudgetPlan
    intent: str | None
    as_of: date
    outcome: Outcome
    conflicts: tuple[Conflict, ...]
    trace: Trace
    other_editions: tuple[Candidate, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The pack as strict JSON data, all that a checker needs; of candidates without access only their number."""
        shown = replace(self, trace=self.trace.without_withheld())
        return {"format": FORMAT, **{field.name: to_plain(getattr(shown, field.name)) for field in fields(shown)}}

    @classmethod
    def from_dict(cls, saved: Mapping[str, Any]) -> Pack:
        """The pack that ``to_dict`` wrote.

        Raises:
            PackError: the data are no saved pack, or one of a newer format; the message names the place.
        """
        check_format(saved)
        return from_plain(cls, saved, "pack")


def pack(
    candidates: Iterable[Candidate | Mapping[str, Any]],
    query: str = "",
    policy: Policy | None = None,
    *,
    as_of: date | None = None,
    access: Collection[str] | None = None,
    used: Mapping[str, int] | None = None,
    documents: Documents | None = None,
    count_tokens: TokenCounter | None = None,
    previous: Pack | None = None,
) -> Pack:
    """Pack the candidates of a query into evidence that fits the budget."""
    policy = policy or Policy()
    intent, policy = policy.for_query(query)
    if as_of is None:
        as_of = policy.versions.as_of if isinstance(policy.versions.as_of, date) else date.today()
    count = as_counter(count_tokens, policy.tokenizer)
    earlier = {e.passage.uid: e.label for e in previous.evidence} if previous else {}

    def lay_out(passages: Sequence[Passage | Evidence]) -> tuple[tuple[Evidence, ...], str]:
        items = [p if isinstance(p, Evidence) else Evidence("", p, 0) for p in passages]
        numbered = number_evidence(order_evidence(items, policy.order), policy.render, earlier)
        return numbered, render(numbered, policy.render)

    plan = plan_budget(policy.budget, used)
    received = _received(candidates, policy)
    permitted = keep_permitted(received, access, policy.access)
    relevant = keep_relevant(permitted.kept, policy.relevance)
    in_force = prefer_versions(relevant.kept, as_of, policy.versions)
    distinct = drop_duplicates(in_force.kept, policy.dedup)
    joins = find_joins(distinct.kept, documents, policy.merge)
    cost = Cost(count, lambda passages: lay_out(passages)[1])
    admitted = admit(distinct.kept, joins, plan, cost, policy.budget, query)
    evidence, text = lay_out(admitted.kept)

    steps = (permitted, relevant, in_force, distinct, admitted)
    return Pack(
        evidence,
        text,
        count(text) if evidence else 0,
        plan,
        intent,
        as_of,
        Outcome.READY if evidence else Outcome.EMPTY,
        (),
        Trace(tuple(_with_ids(step) for step in steps), count.name, count.approximate),
    )


def _received(candidates: Iterable[Candidate | Mapping[str, Any]], policy: Policy) -> tuple[Candidate, ...]:
    """Every candidate with an id of its own and a rank, best first."""
    received: list[Candidate] = []
    seen: dict[str, int] = {}
    for position, item in enumerate(candidates, 1):
        if isinstance(item, Mapping):
            item = Candidate.from_mapping(item, policy.fields)
        elif not isinstance(item, Candidate):
            raise CandidateError(f"candidates[{position - 1}]: {type(item).__name__} — a Candidate or a mapping")
        name = item.id or content_id(item.source.doc_id, item.source.span, item.text)
        seen[name] = seen.get(name, 0) + 1
        if seen[name] > 1:
            name = f"{name}#{seen[name]}"
        if name != item.id or item.rank is None:
            item = replace(item, id=name, rank=item.rank or position)
        received.append(item)
    return tuple(sorted(received, key=lambda c: c.rank or 0))


def _with_ids(step: Step[Any]) -> Step[str]:
    """The step with ids in the place of values."""
    kept = tuple(name for item in step.kept for name in ((item.id,) if isinstance(item, Candidate) else item.passage.candidate_ids))
    return replace(step, kept=kept)
