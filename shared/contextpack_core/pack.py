"""The first spine: from candidates to a pack."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import date
from enum import StrEnum
from inspect import signature
from typing import Any

from contextpack_core.admission.prices import Cost
from contextpack_core.advice import Advice, advise
from contextpack_core.dates import read_date
from contextpack_core.decisions import Reason, Step
from contextpack_core.editions.conflicts import Conflict, find_conflicts
from contextpack_core.editions.families import hold_several_editions
from contextpack_core.errors import ArgumentError, Fault, PackError, PolicyError
from contextpack_core.html import pack_html
from contextpack_core.intents import Classifier
from contextpack_core.layout import Envelope, Layout
from contextpack_core.offsets import Documents, check_spans, reader
from contextpack_core.policy import Choice, Policy
from contextpack_core.questions.as_of import Question, read_question
from contextpack_core.received import read_candidates
from contextpack_core.saved import FORMAT, check_format, from_plain, to_plain
from contextpack_core.semantic import Embedder, nearness
from contextpack_core.stages.access import keep_permitted
from contextpack_core.stages.budget import BudgetPlan, BudgetStep, admit, plan_budget
from contextpack_core.stages.dedup import drop_duplicates
from contextpack_core.stages.merge import find_joins
from contextpack_core.stages.order import OLDEST_FIRST
from contextpack_core.stages.relevance import keep_relevant
from contextpack_core.stages.versions import prefer_versions
from contextpack_core.tokens import TokenCounter, as_counter
from contextpack_core.trace import Trace, trace_of
from contextpack_core.values import Candidate, Evidence, Source


class Outcome(StrEnum):
    """What the pack says about generation.

    ``READY``: nothing worth having is missing. ``PARTIAL``: the budget kept out, in whole or in part, a candidate whose odds to
    hold the answer are at least a tenth of the best one's (``admission.worth.SIGNALS``); ``Pack.advice`` says what to do.
    ``EMPTY``: no evidence. ``DECLINE``: there were candidates, none relevant enough.
    """

    READY = "READY"
    PARTIAL = "PARTIAL"
    EMPTY = "EMPTY"
    DECLINE = "DECLINE"


@dataclass(frozen=True, slots=True)
class Pack:
    """The evidence in prompt order, the rendered text, and the account of everything that was left out.

    ``tokens`` is the exact count of ``text``. ``other_editions`` are the candidates that a better edition displaced. ``labels``
    are all labels given so far, by passage uid: those of this pack and of the turns before it. ``searched`` are the documents that
    the caller may see, one entry an edition, where a pack is without evidence. ``advice`` says how to get what is missing.
    """

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
    labels: Mapping[str, str] = field(default_factory=dict, hash=False)
    searched: tuple[Source, ...] = ()
    advice: tuple[Advice, ...] = ()

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
        read = from_plain(cls, saved, "pack")
        labels = [item.label for item in read.evidence]
        for label in labels:
            if labels.count(label) > 1:
                raise PackError(f"pack.evidence: the label {label} stands for two passages")
        return read

    def explain(self, candidate_id: str) -> str:
        """What became of a candidate, in one sentence.

        Raises:
            UnknownCandidateError: the pack tells of no such candidate; also a KeyError.
        """
        return str(self.trace.fate_of(candidate_id))

    def _repr_html_(self) -> str:
        """The pack as two small tables, for notebooks."""
        return pack_html(self.evidence, self.trace, [advice.text for advice in self.advice])


_DEFAULT = Policy()
Used = Mapping[str, int] | Callable[..., Mapping[str, int] | None]
"""Measured lines of the budget, or a function of the query that gives them; one that takes ``intent`` gets that too."""


def pack(
    candidates: Iterable[Candidate | Mapping[str, Any]],
    query: str = "",
    policy: Policy = _DEFAULT,
    *,
    as_of: date | None = None,
    access: Collection[str] | None = None,
    used: Used | None = None,
    documents: Documents | None = None,
    count_tokens: TokenCounter | None = None,
    previous: Pack | None = None,
    envelope: Envelope | None = None,
    intent: str | Classifier | Choice | None = None,
    embed: Embedder | None = None,
    query_embedding: Sequence[float] | None = None,
) -> Pack:
    """The candidates of a query as labelled evidence within the budget, with a reason for everything that was left out.

    Args:
        candidates: what a retriever found, in any order where ranks are given, else best first; read once.
        query: the question; it picks the intent and the place of an excerpt.
        policy: all settings.
        as_of: the day the answer must be true for; None: that of the policy, else today. With ``versions.as_of: from_query`` it is
            the day from which the question counts, and the answer where it names none.
        access: the labels this caller holds.
        used: measured tokens for lines of the budget: instructions, history, question, answer, margin; or a function of the query
            that gives them, such as ``measured_prompt(policy)``, with ``intent=`` if it takes that.
        documents: source texts, or a function from document id to text, to verify offsets and fill gaps.
        count_tokens: a callable, or an object with ``count`` or ``encode``; None: the tokenizer of the policy.
        previous: the pack of an earlier turn: the same passage keeps its label, and no label is given to another.
        envelope: renders the labelled evidence in the place of ``policy.render``: what it returns is priced and is ``Pack.text``.
        intent: an intent of the policy, or a callable that names one for the query; None: the cues decide. What names none leaves
            the policy as it is, and a notice says so.
        embed: makes vectors of the query and of what the caller may see and has none, such as ``StaticModel()``; local, since it is
            waited for.
        query_embedding: the vector of the query, where the candidates carry theirs (``Candidate.embedding``).

    Raises:
        ArgumentError: an argument is of a kind that cannot be used.
        BudgetError: nothing is left for evidence.
        CandidateError: an entry of ``candidates`` is neither a Candidate nor a mapping.
        TokenizerError: there is no counter by the name in the policy.
        ValueError: ``embed`` returns another number of vectors than it was given texts.
    """
    _check_kinds(candidates, query, policy, used, documents, previous)
    choice = policy.choose(query, intent)
    policy = choice.policy
    plan = plan_budget(policy.budget, measured_lines(used, query, choice.intent))
    count = as_counter(count_tokens, policy.tokenizer)
    labels = dict(previous.labels) if previous else {}
    read = reader(documents) if documents is not None else None
    received = sorted(read_candidates(candidates, policy.fields), key=lambda c: c.rank or 0)

    permitted = keep_permitted(received, access, policy.access)
    relevant = keep_relevant(permitted.kept, policy.relevance)
    families = policy.versions.family == "infer" or any(c.source.family for c in relevant.kept)
    question = _question_for(query, policy, as_of, changes=families)
    in_force = prefer_versions(relevant.kept, question.as_of, policy.versions, question)
    compares = bool(question.change) and hold_several_editions(in_force.kept)
    placed = check_spans(in_force.kept, read)
    distinct = drop_duplicates(placed.kept, policy.dedup)
    joins = find_joins(distinct.kept, read, policy.merge, fill_gaps=not policy.access.enforce)
    near = nearness(query, query_embedding, distinct.kept, embed)
    layout = Layout(OLDEST_FIRST if compares else policy.order, policy.render, labels, envelope, compares=compares)
    admitted = admit(distinct.kept, joins, plan, Cost(count, layout.text_of), policy.budget, query, near)
    evidence, text = layout.lay_out(admitted.kept)

    outcome = _outcome(evidence, relevant, admitted)
    merged = Step("merge", distinct.kept, (), (*placed.notices, *joins.notices))
    steps = (permitted, relevant, in_force, distinct, merged, admitted)
    day, day_from = question.as_of, _day_from(question, policy, as_of)
    return Pack(
        evidence=evidence,
        text=text,
        tokens=sum([item.tokens for item in evidence]),
        budget=plan,
        intent=choice.intent,
        as_of=day,
        outcome=outcome,
        conflicts=find_conflicts(evidence, compares_editions=compares),
        trace=trace_of(steps, evidence, query, choice, count, plan, outcome=outcome.value, as_of=day, as_of_from=day_from),
        other_editions=in_force.dropped,
        labels=labels | {item.passage.uid: item.label for item in evidence},
        searched=() if evidence else _documents_of(permitted.kept),
        advice=advise(admitted.shortfall, plan, choice, evidence, query, _left_out(distinct, admitted)),
    )


def _check_kinds(candidates: Any, query: Any, policy: Any, used: Any, documents: Any, previous: Any) -> None:
    """Refuse what would fail later, or be taken for something else."""
    for name, value, fits, wanted in (
        ("candidates", candidates, isinstance(candidates, Iterable), "a list of candidates or mappings"),
        ("query", query, isinstance(query, str), "a text; leave it out where there is none"),
        ("policy", policy, isinstance(policy, Policy), "a Policy, such as Policy.from_dict(…) or Policy.from_yaml(…)"),
        (
            "used",
            used,
            used is None or isinstance(used, Mapping) or callable(used),
            "a mapping from a line of the budget to its tokens, or a function of the query that gives one",
        ),
        (
            "documents",
            documents,
            documents is None or isinstance(documents, Mapping) or callable(documents),
            "a mapping from document id to text, or a function",
        ),
        ("previous", previous, previous is None or isinstance(previous, Pack), "a Pack; of a saved one Pack.from_dict(…)"),
    ):
        if not fits:
            raise ArgumentError(f"{name}: {type(value).__name__} — {wanted}")


def measured_lines(used: Used | None, query: str, intent: str | None = None) -> Mapping[str, int] | None:
    """The measured lines of the budget, asked for this query where they hang on it, and for its intent if the function takes it.

    Raises:
        ArgumentError: the function gave no mapping.
    """
    if used is None or isinstance(used, Mapping):
        return used
    lines: Any = used(query, intent=intent) if _takes_intent(used) else used(query)
    if lines is not None and not isinstance(lines, Mapping):
        raise ArgumentError(f"used: the function gave {type(lines).__name__} — a mapping from a line of the budget to its tokens")
    return lines


def _takes_intent(function: Callable[..., Any]) -> bool:
    try:
        return "intent" in signature(function).parameters
    except (TypeError, ValueError):  # a function that does not say what it takes
        return False


def day_for(query: str, policy: Policy, as_of: date | None = None) -> date:
    """The day that the answer must be true for: the one given, else that of the policy, else today: the one look at a clock.

    With ``versions.as_of: from_query`` a day that the question names comes first.
    """
    return _question_for(query, policy, as_of).as_of


def keep_applicable(
    candidates: Sequence[Candidate], policy: Policy, *, as_of: date, access: Collection[str] | None = None
) -> tuple[Candidate, ...]:
    """The candidates that the caller may see, of the editions in force on the day: for what is handed on beside a pack."""
    permitted = keep_permitted(candidates, access, policy.access)
    return tuple(prefer_versions(permitted.kept, as_of, policy.versions).kept)


def _question_for(query: str, policy: Policy, as_of: date | None = None, *, changes: bool = True) -> Question:
    """What the question says about time, as far as the policy wants it read; ``changes``: whether it may ask about a change.

    Raises:
        PolicyError: ``as_of`` is given, and no day.
    """
    settings = policy.versions
    given = read_date(as_of or settings.as_of)
    if as_of and not given:
        raise PolicyError([Fault("as_of", as_of, "a date, or a day such as 2026-01-31")], "pack()")
    changes = changes and settings.prefer == "in_force" and settings.compare == "auto"
    dates = settings.as_of == "from_query"
    return read_question(query, given or date.today(), dates=dates, changes=changes, cues=settings.change_cues)


def _outcome(evidence: Sequence[Evidence], relevant: Step[Candidate], admitted: BudgetStep) -> Outcome:
    """What generation can count on."""
    if evidence:
        return Outcome.PARTIAL if admitted.shortfall else Outcome.READY
    floors = any(drop.reason is Reason.BELOW_THRESHOLD for drop in relevant.drops)
    return Outcome.DECLINE if floors and not relevant.kept else Outcome.EMPTY


def _left_out(distinct: Step[Candidate], admitted: BudgetStep) -> list[Candidate]:
    """The candidates that found no room."""
    dropped = {drop.candidate_id for drop in admitted.drops}
    return [candidate for candidate in distinct.kept if candidate.id in dropped]


def _day_from(question: Question, policy: Policy, as_of: date | None) -> str:
    """Where the as-of date was found."""
    if question.as_of != question.today:
        return "question"
    if as_of:
        return "argument"
    return "policy" if isinstance(policy.versions.as_of, date) else "today"


def _documents_of(candidates: Sequence[Candidate]) -> tuple[Source, ...]:
    """The documents of the candidates, best first, each edition once, without the place in them."""
    sources = [replace(c.source, span=None, section=None, page=None, access=None) for c in candidates]
    return tuple(dict.fromkeys(sources))
