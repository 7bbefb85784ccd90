"""Declining before generation: when the evidence cannot answer, what the asker is told, and a threshold with a stated bound."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta
from enum import StrEnum
from numbers import Real
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
    policy = policy_of(policy)
    policy = policy.for_query("", pack.intent)[1] if pack.intent in policy.intents else policy
    grounding = policy.grounding
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

# ---------------------------------------------------------------- a threshold with a bound


@dataclass(frozen=True, slots=True)
class Threshold:
    """A threshold on a score: at ``value`` or above, answer.

    Of ``n`` labelled cases ``answered`` reach it, and ``errors`` of these should not have been answered. With probability
    ``confidence`` over the choice of the cases, the share of errors among answered ones is at most ``bound``, the ``error`` that
    was asked for. Where no threshold keeps to it, ``value`` is infinite, nothing is answered and ``bound`` is 1.
    """

    value: float
    error: float
    bound: float
    confidence: float
    n: int
    answered: int
    errors: int
    method: str = "clopper_pearson"

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain JSON data; an infinite value is None."""
        return {**asdict(self), "value": self.value if math.isfinite(self.value) else None}


def calibrate_threshold(
    cases: Iterable[tuple[float, bool]],
    error: float = 0.1,
    method: str = "clopper_pearson",
    *,
    confidence: float = 0.95,
    steps: int = 50,
    starts: int = 3,
) -> Threshold:
    """The lowest threshold at which the share of errors among answered cases is shown to be at most ``error``.

    ``cases`` are pairs of a score (higher is better) and whether answering is right there; each stands for one question. Tried are
    ``steps`` thresholds, evenly spread over the cases. From each of ``starts`` places the search goes down as long as Clopper and
    Pearson's exact bound (1934) at ``1 - (1 - confidence) / starts`` keeps to ``error``, and ends at the first that does not. The
    places are the highest threshold that answers so many that it could be shown, and others below it, each so many times more. All
    thresholds passed hold together, however many they are: fixed-sequence testing with several starts, as in Learn then Test
    (Angelopoulos, Bates, Candès, Jordan and Lei 2021).

    Raises:
        ValueError: an argument is out of its range, a case is no pair of a number and a truth value, or there are no cases.
    """
    if method != "clopper_pearson":
        raise ValueError(f"method: {method!r} — clopper_pearson")
    _check_range("error", error, 0 < error < 1 if isinstance(error, Real) else False, "a share between 0 and 1")
    _check_range("confidence", confidence, 0 < confidence < 1 if isinstance(confidence, Real) else False, "a share between 0 and 1")
    for name, number in (("steps", steps), ("starts", starts)):
        _check_range(name, number, isinstance(number, int) and number >= 1, "a whole number from 1 on")
    ranked = sorted([_case(case, i) for i, case in enumerate(cases)], key=lambda case: -case[0])
    if not ranked:
        raise ValueError("cases: none — pairs of a score and whether answering is right, at least one")
    risk = (1 - confidence) / starts
    trials = list(_trials(ranked, steps))
    best = Threshold(math.inf, error, 1.0, confidence, len(ranked), 0, 0)
    passed = -1
    for least in _starts(len(ranked), error, risk, starts):
        at = next((i for i in range(passed + 1, len(trials)) if trials[i][1] >= least), len(trials))
        while at < len(trials) and _at_most(trials[at][2], trials[at][1], error) <= risk:
            value, answered, errors = trials[at]
            best = Threshold(value, error, error, confidence, len(ranked), answered, errors)
            passed, at = at, at + 1
    return best


def _starts(n: int, error: float, risk: float, starts: int) -> list[float]:
    """How many cases the thresholds answer from which the search goes down; none where so few cases can show nothing."""
    least = math.ceil(math.log(risk) / math.log1p(-error))  # without an error among them
    return [least * (n / least) ** (start / starts) for start in range(starts)] if least <= n else []


def _check_range(name: str, value: Any, fits: bool, wanted: str) -> None:
    if not fits or isinstance(value, bool):
        raise ValueError(f"{name}={value!r} — {wanted}")


def _case(case: Any, place: int) -> tuple[float, bool]:
    """The score and whether answering is right."""
    try:
        score, right = case
        fits = isinstance(score, Real) and not isinstance(score, bool) and math.isfinite(score) and right in (True, False)
    except (TypeError, ValueError, OverflowError):
        fits = False
    if not fits:
        raise ValueError(f"cases[{place}]: {case!r} — a pair of a score, which is a number, and whether answering is right there")
    return float(score), bool(right)


def upper_bound(errors: int, n: int, confidence: float = 0.95) -> float:
    """The Clopper–Pearson upper bound of a share, one-sided: the p with which as few as ``errors`` of ``n`` have 1 - confidence.

    Raises:
        ValueError: ``errors`` is not between 0 and ``n``, or there is no case.
    """
    if not isinstance(errors, int) or not isinstance(n, int) or not 0 <= errors <= n or n == 0:
        raise ValueError(f"errors={errors!r} of n={n!r}: 0 <= errors <= n, and n at least 1")
    if errors == n:
        return 1.0
    low, high = errors / n, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _at_most(errors, n, middle) > 1 - confidence else (low, middle)
    return high


def _trials(ranked: Sequence[tuple[float, bool]], steps: int) -> Iterable[tuple[float, int, int]]:
    """(threshold, answered, errors) from strict to loose; equal scores are answered together."""
    n, seen = len(ranked), 0
    wrong = [0]
    for _, right in ranked:
        wrong.append(wrong[-1] + (not right))
    for step in range(1, steps + 1):
        at = max(1, round(n * step / steps))
        while at < n and ranked[at][0] == ranked[at - 1][0]:
            at += 1
        if at > seen:
            seen = at
            yield ranked[at - 1][0], at, wrong[at]


def _at_most(k: int, n: int, p: float) -> float:
    """The probability of at most ``k`` of ``n``, each with ``p``."""
    if p >= 1:
        return 0.0
    log_p, log_q = math.log(p) if p else -math.inf, math.log1p(-p)
    terms = [_log_choose(n, i) + (i * log_p if i else 0.0) + (n - i) * log_q for i in range(k + 1)]
    return min(1.0, math.fsum([math.exp(term) for term in terms]))


def _log_choose(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
