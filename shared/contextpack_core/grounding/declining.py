"""Declining before generation: when the evidence cannot answer, and what the asker is told."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Any

from contextpack_core.admission.worth import coverage_of
from contextpack_core.errors import ArgumentError
from contextpack_core.grounding.settings import GroundingSettings
from contextpack_core.grounding.wording import filled
from contextpack_core.pack import Outcome, Pack
from contextpack_core.patterns import pattern
from contextpack_core.policy import Policy, policy_of
from contextpack_core.values import Evidence, Source


class DeclineReason(StrEnum):
    """Why the model is not asked.

    ``NO_EVIDENCE``: the pack is empty. ``NOT_RELEVANT``: no candidate reached the floors of ``relevance``. ``LOW_SCORE``,
    ``LOW_COVERAGE``: the evidence stays below ``grounding.min_score`` or ``grounding.min_coverage``. ``NO_SCORE``: none of it has
    a score, and ``grounding.unscored`` is ``decline``.
    """

    NO_EVIDENCE = "NO_EVIDENCE"
    NOT_RELEVANT = "NOT_RELEVANT"
    NO_SCORE = "NO_SCORE"
    LOW_SCORE = "LOW_SCORE"
    LOW_COVERAGE = "LOW_COVERAGE"


@dataclass(frozen=True, slots=True)
class Declined:
    """What is said in the place of an answer: the sentence of the policy, the reason, and what was searched.

    ``searched`` are the documents that the caller may see, one entry an edition, best first.
    """

    reason: DeclineReason
    message: str
    searched: tuple[Source, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data: reason, message, and document, title and edition of what was searched."""
        documents = [{"doc_id": s.doc_id, "title": s.title, "edition": s.edition} for s in self.searched]
        return {"reason": self.reason.value, "message": self.message, "searched": documents}


@dataclass(frozen=True, slots=True)
class Signals:
    """What speaks for an answer in the evidence, each higher is better; None where it cannot be told.

    ``score``: the best score of the retriever. ``gap``: how far the next evidence lies behind, as a share of the best score.
    ``coverage``: the share of the question's words that stand in the evidence.
    """

    score: float | None
    gap: float | None
    coverage: float | None


def decline(pack: Pack, policy: Policy | Mapping[str, Any] | None = None, question: str = "") -> Declined | None:
    """What to say instead of asking the model, or None if it should be asked.

    The settings are those of the pack's intent. ``grounding.min_coverage`` needs the ``question``: without it that setting declines
    nothing. What ``grounding.min_score`` does where no evidence has a score says ``grounding.unscored``.

    Raises:
        ArgumentError: ``pack`` is no pack, or ``policy`` neither a policy nor the settings of one.
        PolicyError: the settings are wrong.
    """
    if not isinstance(pack, Pack):
        raise ArgumentError(f"pack: {type(pack).__name__} — a Pack; of a saved one Pack.from_dict(…)")
    grounding = policy_of(policy).under(pack.intent).grounding
    if grounding.decline == "never" or (grounding.decline == "auto" and grounding.pattern == "disclaimer"):
        return None
    found = _reason(pack, grounding, question)
    if found is None:
        return None
    reason, why = found
    searched = searched_in(pack)
    return Declined(reason, _message(grounding, why, searched, pack), searched)


def signals_of(pack: Pack, question: str = "") -> Signals:
    """The signals by which ``decline`` judges, for calibration."""
    scores = sorted([item.score for item in pack.trace.accepted if item.score is not None], reverse=True)
    gap = (scores[0] - scores[1]) / abs(scores[0]) if len(scores) > 1 and scores[0] else None
    if gap is not None and not math.isfinite(gap):
        gap = None
    return Signals(scores[0] if scores else None, gap, coverage_of(question, [_read_of(item) for item in pack.evidence]))


def _read_of(item: Evidence) -> str:
    """What the model reads of an evidence that can hold words of the question."""
    source = item.passage.source
    return "\n".join([source.title or "", source.section or "", item.passage.text])


def searched_in(pack: Pack) -> tuple[Source, ...]:
    """The documents that the caller may see of those that were looked at, one entry an edition, best first."""
    found = [*pack.searched, *[item.passage.source for item in pack.evidence], *[c.source for c in pack.other_editions]]
    return tuple({(source.doc_id, source.edition): source for source in reversed(found)}.values())[::-1]


def _reason(pack: Pack, grounding: GroundingSettings, question: str) -> tuple[DeclineReason, str] | None:
    """Why to decline, and that as a sentence."""
    if pack.outcome is Outcome.DECLINE:
        return DeclineReason.NOT_RELEVANT, grounding.say("not_relevant")
    if not pack.evidence:
        return DeclineReason.NO_EVIDENCE, grounding.say("no_evidence")
    signals = signals_of(pack, question if grounding.min_coverage is not None else "")
    if grounding.min_score is not None and signals.score is None and grounding.unscored == "decline":
        return DeclineReason.NO_SCORE, filled(grounding.say("no_score"), {"least": f"{grounding.min_score:.3g}"})
    if grounding.min_score is not None and signals.score is not None and signals.score < grounding.min_score:
        values = {"score": f"{signals.score:.3g}", "least": f"{grounding.min_score:.3g}"}
        return DeclineReason.LOW_SCORE, filled(grounding.say("low_score"), values)
    if grounding.min_coverage is not None and signals.coverage is not None and signals.coverage < grounding.min_coverage:
        values = {"coverage": f"{signals.coverage:.0%}", "least": f"{grounding.min_coverage:.0%}"}
        return DeclineReason.LOW_COVERAGE, filled(grounding.say("low_coverage"), values)
    return None


_NAMED = 8
"""Documents that a message names; of more, and of those that have neither title nor name, it says how many."""


def _message(grounding: GroundingSettings, why: str, searched: Sequence[Source], pack: Pack) -> str:
    parts = [grounding.sentence, why]
    if named := [_named(source, grounding) for source in searched if _name(source)][:_NAMED]:
        named += [f"… (+{len(searched) - len(named)})"] if len(searched) > len(named) else []
        parts.append(filled(grounding.say("searched"), {"documents": "; ".join(named)}))
        if any(source.edition or source.effective_from for source in searched):
            parts.append(filled(grounding.say("on_day"), {"day": pack.as_of.isoformat()}))
    return " ".join(parts)


def _named(source: Source, grounding: GroundingSettings) -> str:
    """Title, edition and days of a document, on one line."""
    details = []
    if source.edition:
        details.append(filled(grounding.say("edition"), {"edition": source.edition}))
    if source.effective_from:
        details.append(filled(grounding.say("since"), {"day": source.effective_from.isoformat()}))
    if source.effective_until:
        last = max(source.effective_until - timedelta(days=1), source.effective_from or source.effective_until - timedelta(days=1))
        details.append(filled(grounding.say("until"), {"day": last.isoformat()}))
    name = _name(source)
    return f"{name} ({', '.join(' '.join(part.split()) for part in details)})" if details else name


def _name(source: Source) -> str:
    """Title, document id or address of a source, on one line; nothing where the id is one that was made from the text."""
    names = (source.title, None if _MADE_UP.fullmatch(source.doc_id) else source.doc_id, source.uri)
    return " ".join(next((name for name in names if name), "").split())


_MADE_UP = pattern(r"[0-9a-f]{16}")
