"""A run step by step: what each stage kept and dropped, what it was run with, and the fate of one candidate."""

from __future__ import annotations

import collections
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from datetime import date
from difflib import get_close_matches
from typing import Any

from contextpack_core.decisions import Drop, Reason, Step
from contextpack_core.errors import UnknownCandidateError
from contextpack_core.policy import Choice, Policy
from contextpack_core.saved import to_plain
from contextpack_core.stages.budget import BudgetPlan
from contextpack_core.tokens import Counter
from contextpack_core.values import Candidate, Evidence


@dataclass(frozen=True, slots=True)
class Accepted:
    """An evidence as the trace names it: label, candidates in text order, document, edition and price; its text if asked for.

    ``score`` is the best that the retriever gave to one of the candidates.
    """

    label: str
    candidate_ids: tuple[str, ...]
    doc_id: str
    edition: str | None
    tokens: int
    text: str | None = None
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Trace:
    """The steps of one pack in the order in which they ran; ``kept`` holds candidate ids.

    ``withheld`` is how many candidates the caller may not see: a saved trace tells no more of them. ``candidates`` is how many came
    in. ``intent_from`` says what the intent was found by: a cue, which it names, the ``argument`` or the ``classifier``.
    ``as_of_from`` says where the as-of date was found: ``argument``, ``policy``, ``question`` or ``today``. ``policy`` is the
    fingerprint of the settings, ``prompt`` the version of the wording that the model reads. ``query`` and the texts of what was
    accepted are there only under ``trace.text: true``.
    """

    steps: tuple[Step[str], ...]
    tokenizer: str = ""
    approximate: bool = False
    policy: str = ""
    withheld: int = 0
    candidates: int = 0
    intent: str | None = None
    as_of: date | None = None
    as_of_from: str = ""
    outcome: str = ""
    budget: BudgetPlan | None = None
    tokens: int = 0
    accepted: tuple[Accepted, ...] = ()
    query: str | None = None
    prompt: str = ""
    intent_from: str | None = None

    @property
    def drops(self) -> tuple[Drop, ...]:
        return tuple(drop for step in self.steps for drop in step.drops)

    @property
    def notices(self) -> tuple[str, ...]:
        """The remarks of all steps."""
        return tuple(notice for step in self.steps for notice in step.notices)

    def fate_of(self, candidate_id: str) -> Fate:
        """What became of the candidate: the evidence it is in, or its drop.

        Raises:
            UnknownCandidateError: there was no such candidate, or the trace does not tell of it; also a KeyError.
        """
        for item in self.accepted:
            if candidate_id in item.candidate_ids:
                return Fate(candidate_id, "budget", evidence=item)
        for step in self.steps:
            for drop in step.drops:
                if drop.candidate_id == candidate_id:
                    return Fate(candidate_id, step.stage, drop=drop)
        raise UnknownCandidateError(candidate_id, self._like(candidate_id))

    def without_withheld(self) -> Trace:
        """The trace that may be shown to the caller: of candidates without access only their number."""
        withheld = sum(drop.reason in _WITHHELD for drop in self.drops)
        if not withheld:
            return self
        steps = [replace(step, drops=tuple(drop for drop in step.drops if drop.reason not in _WITHHELD)) for step in self.steps]
        return replace(self, steps=tuple(steps), withheld=max(self.withheld, withheld))

    def to_dict(self) -> dict[str, Any]:
        """The trace as strict JSON data for logs: ids, numbers and reasons. Of candidates without access only their number."""
        shown = self.without_withheld()
        written: dict[str, Any] = to_plain(shown)
        written["reasons"] = dict(sorted(collections.Counter(drop.reason.value for drop in shown.drops).items()))
        written["steps"] = [{**step, "kept": len(step.get("kept", ()))} for step in written.get("steps", ())]
        return written

    def __repr__(self) -> str:
        """As ``to_dict``, for a log line that a pack has got into: of candidates without access only their number."""
        shown = self.without_withheld()
        return f"Trace({', '.join([f'{field.name}={getattr(shown, field.name)!r}' for field in fields(shown)])})"

    def _like(self, candidate_id: str) -> list[str]:
        shown = self.without_withheld()
        names = [name for item in shown.accepted for name in item.candidate_ids] + [drop.candidate_id for drop in shown.drops]
        return get_close_matches(candidate_id, names, 3)


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of one candidate, and in which stage; as a text it is one sentence."""

    candidate_id: str
    stage: str
    evidence: Accepted | None = None
    drop: Drop | None = None

    def __str__(self) -> str:
        if self.evidence is not None:
            return f"{self.candidate_id} is in {self.evidence.label}{self._company()} ({self.evidence.tokens} tokens)."
        assert self.drop is not None
        why = self.drop.detail.rstrip(".") or self.drop.reason.meaning
        favour = f", in favour of {self.drop.in_favour_of}" if self.drop.in_favour_of else ""
        return f"{self.candidate_id} was left out in {self.stage}: {self.drop.reason.value} — {why}{favour}."

    def _company(self) -> str:
        others = [name for name in self.evidence.candidate_ids if name != self.candidate_id] if self.evidence else []
        return f", joined with {' and '.join(others)}" if others else ""


_WITHHELD = frozenset({Reason.NO_ACCESS, Reason.ACCESS_UNKNOWN})


def trace_of(
    steps: Sequence[Step[Any]],
    evidence: Sequence[Evidence],
    query: str,
    choice: Choice,
    count: Counter,
    plan: BudgetPlan,
    *,
    outcome: str,
    as_of: date,
    as_of_from: str,
) -> Trace:
    """The trace of one pack: ``steps`` from access to budget as the stages returned them, and what they were run with."""
    permitted, relevant = steps[:2]
    policy = choice.policy
    chosen = (Step("intents", permitted.kept, (), choice.remarks),) if choice.remarks else ()
    accepted = _accepted(evidence, relevant.kept, text=policy.trace.text)
    unscored = (Step("grounding", tuple(evidence), (), (_UNSCORED,)),) if _lacks_scores(accepted, policy) else ()
    return Trace(
        tuple([_with_ids(step) for step in (*chosen, *steps, *unscored)]),
        tokenizer=count.name,
        approximate=count.approximate,
        policy=policy.fingerprint,
        withheld=len(permitted.drops),
        candidates=len(permitted.kept) + len(permitted.drops),
        intent=choice.intent,
        intent_from=choice.by,
        as_of=as_of,
        as_of_from=as_of_from,
        outcome=outcome,
        budget=plan,
        tokens=sum([item.tokens for item in evidence]),
        accepted=accepted,
        query=query if policy.trace.text else None,
        prompt=policy.grounding.version,
    )


_UNSCORED = (
    "grounding.min_score cannot be applied, no evidence has a score: grounding.unscored says whether to answer or to decline"
)


def _lacks_scores(accepted: Sequence[Accepted], policy: Policy) -> bool:
    """Whether the policy asks for a score that none of the evidence has."""
    return (
        policy.grounding.min_score is not None
        and policy.grounding.decline != "never"
        and bool(accepted)
        and all(item.score is None for item in accepted)
    )


def _with_ids(step: Step[Any]) -> Step[str]:
    """The step with ids in the place of values."""
    if step.kept and isinstance(step.kept[0], Evidence):
        names = [name for item in step.kept for name in item.passage.candidate_ids]
    else:
        names = [item.id for item in step.kept]
    return Step(step.stage, tuple(names), step.drops, step.notices)


def _accepted(evidence: Sequence[Evidence], candidates: Sequence[Candidate], *, text: bool) -> tuple[Accepted, ...]:
    """The evidence as a trace names it, with its text only if asked for; the candidates have the scores."""
    scores = {candidate.id: candidate.score for candidate in candidates if candidate.score is not None}
    accepted = []
    for item in evidence:
        passage, names = item.passage, item.passage.candidate_ids
        shown = passage.text if text else None
        score = max([scores[name] for name in names if name in scores], default=None)
        accepted.append(Accepted(item.label, names, passage.source.doc_id, passage.source.edition, item.tokens, shown, score))
    return tuple(accepted)
