"""One case observed: packed, answered, checked, and compared with what is labelled; every measure reads this."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from typing import Any

from contextpack_core.citations.check import Judge, check, with_support
from contextpack_core.citations.lexical import LexicalJudge
from contextpack_core.citations.report import Report, ReportStatus
from contextpack_core.citations.support import Support, SupportLabel, judge_claims, statements_of, support_of
from contextpack_core.citations.values import Claim, ClaimKind
from contextpack_core.evaluation.cases import Case
from contextpack_core.evaluation.gold import Block, Held, candidate_blocks, evidence_blocks, held_in, texts_of, with_copies
from contextpack_core.grounding.declining import Signals, decline, signals_of
from contextpack_core.pack import Pack, pack
from contextpack_core.policy import Policy
from contextpack_core.received import read_candidates
from contextpack_core.values import Candidate

Retrieve = Callable[[Case], Iterable[Any]]
"""From a case to the candidates for its question, best first."""

Generate = Callable[[Pack, str], str | Mapping[str, Any]]
"""From a pack and the question to an answer."""

JUDGES: Mapping[str, Judge | None] = {"lexical": LexicalJudge(), "none": None}


@dataclass(frozen=True)
class Observed:
    """What happened to one case. What it lacks is None: the pack without candidates, the report without an answer."""

    case: Case
    policy: Policy
    candidates: tuple[Candidate, ...] | None
    pack: Pack | None
    report: Report | None
    judge: Judge | None

    # ---- the funnel

    @cached_property
    def retrieved(self) -> Held | None:
        """The gold among the candidates."""
        return None if self.candidates is None else self.held(self.candidate_blocks)

    @cached_property
    def admitted(self) -> Held | None:
        """The gold in the evidence."""
        return None if self.pack is None else self.held(self.blocks)

    @cached_property
    def cited(self) -> Held | None:
        """The gold in the passages that the answer's statements cite."""
        return None if self.report is None else self.held(self._blocks_under(self.cited_labels))

    @cached_property
    def supported(self) -> Held | None:
        """The gold in the passages cited by statements that the judge found supported and with which nothing else is wrong."""
        if self.report is None or self.report.support is None:
            return None
        faults = [problem.span for problem in self.report.problems if problem.span is not None]
        labels: dict[str, None] = {}
        for claim, verdict in self.statements:
            wrong = any(span.start < claim.span.end and claim.span.start < span.end for span in faults)
            if verdict is not None and verdict.label is SupportLabel.SUPPORTED and not wrong:
                labels.update(dict.fromkeys(claim.labels))
        return self.held(self._blocks_under(tuple(labels)))

    # ---- the answer

    @cached_property
    def statements(self) -> tuple[tuple[Claim, Support | None], ...]:
        """The statements of the answer, each with the judge's verdict where there is a judge."""
        if self.report is None:
            return ()
        verdicts: Sequence[Support | None] = self.report.support or [None] * len(self.report.claims)
        return tuple([(c, v) for c, v in zip(self.report.claims, verdicts, strict=True) if c.kind is ClaimKind.STATEMENT])

    @property
    def cited_labels(self) -> tuple[str, ...]:
        """The labels that exist and that statements cite, in order of first use."""
        known = self.report.sources if self.report else {}
        return tuple(dict.fromkeys([label for claim, _ in self.statements for label in claim.labels if label in known]))

    @property
    def declined(self) -> bool | None:
        """Whether the answer declines, or without an answer whether the pack says that none should be tried; None without both."""
        if self.report is not None:
            return self.report.status in (ReportStatus.ABSTAINED, ReportStatus.EMPTY)
        return None if self.pack is None else self.pack_declines

    @cached_property
    def pack_declines(self) -> bool:
        """Whether the model would not be asked."""
        return self.pack is not None and decline(self.pack, self.policy, self.case.question) is not None

    @cached_property
    def answer_present(self) -> bool | None:
        """Whether the answer can be had from the evidence: all of the gold is in it; without gold, what the label says."""
        if self.case.answerable is False:
            return False
        if self.admitted is not None:
            return self.admitted.whole
        return self.case.answerable

    @cached_property
    def signals(self) -> Signals | None:
        """What speaks for an answer in the evidence."""
        return None if self.pack is None else signals_of(self.pack, self.case.question)

    def entailed(self, claim: str, passages: Mapping[str, str]) -> bool:
        """Whether the judge finds the claim supported by the passages together."""
        assert self.judge is not None
        return bool(passages) and judge_claims(self.judge, [claim], passages)[0].label is SupportLabel.SUPPORTED

    @cached_property
    def texts_of_statements(self) -> tuple[tuple[str, dict[str, str]], ...]:
        """Each statement without its marks, and the texts that it cites, by label."""
        if self.report is None:
            return ()
        texts, cited = statements_of(self.report.claims, self.report.citations, self.report.sources)
        return tuple([(t, p) for t, p, c in zip(texts, cited, self.report.claims, strict=True) if c.kind is ClaimKind.STATEMENT])

    # ---- blocks

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """The evidence of the pack as blocks."""
        return evidence_blocks(self.pack.evidence) if self.pack is not None else ()

    @cached_property
    def candidate_blocks(self) -> tuple[Block, ...]:
        """The candidates as blocks, best first."""
        return candidate_blocks(sorted(self.candidates or (), key=lambda c: c.rank or 0))

    @cached_property
    def gold_labels(self) -> tuple[str, ...]:
        """The labels of the evidence that holds a part of the gold, in prompt order."""
        if self.pack is None:
            return ()
        pairs = zip(self.pack.evidence, self.blocks, strict=True)
        return tuple([item.label for item, block in pairs if (held := self.held([block])) is not None and held.share > 0])

    @cached_property
    def gold_rank(self) -> int | None:
        """The place of the best candidate that holds a part of the gold; None where none does."""
        places = enumerate(self.candidate_blocks, 1)
        return next((i for i, block in places if (held := self.held([block])) is not None and held.share > 0), None)

    @cached_property
    def gold_texts(self) -> dict[Any, str]:
        """The texts of the gold spans."""
        return texts_of(self.case.gold, self.candidates or ())

    def _blocks_under(self, labels: Sequence[str]) -> tuple[Block, ...]:
        if self.report is None:
            return ()
        own = {item.label: block for item, block in zip(self.pack.evidence, self.blocks, strict=True)} if self.pack else {}
        return tuple([own.get(label) or _block_of(self.report, label) for label in labels])

    def held(self, blocks: Sequence[Block]) -> Held | None:
        """How much of the gold the blocks hold; None where there is no gold."""
        held = held_in(self.case.gold, blocks, self.gold_texts)
        if held is None or not self.case.gold.ids:
            return held
        wanted = set(self.case.gold.ids)
        copies = {c.id: c.text for c in self.candidates or () if c.id in wanted}
        return with_copies(self.case.gold, held, copies, blocks)


def observe(
    case: Case,
    policy: Policy,
    as_of: date,
    judge: Judge | None = None,
    *,
    retrieve: Retrieve | None = None,
    generate: Generate | None = None,
) -> Observed:
    """The case packed, answered and checked.

    Candidates are those of the case, else what ``retrieve`` hands over. The answer is the recorded one, else what ``generate``
    writes, unless the pack says that none should be tried. A recorded answer with ``sources`` is checked against those; where
    these are a saved pack and the case has no candidates, that pack is the one measured.

    Raises:
        ContextPackError: the candidates, the sources or the answer are no such thing, or the policy leaves no room.
    """
    given = case.candidates if case.candidates is not None or retrieve is None else tuple(retrieve(case))
    candidates = None if given is None else read_candidates(given, policy.fields)
    saved = _saved_pack(case)
    chosen = policy.for_intent(case.intent if case.intent in policy.intents else None)
    packed = saved
    if candidates is not None:
        packed = pack(candidates, case.question, chosen, as_of=case.as_of or as_of, access=case.access)
    observed = Observed(case, chosen, candidates, packed, None, judge)
    answer = case.answer
    if answer is None and generate is not None and packed is not None:
        answer = "" if observed.pack_declines else generate(packed, case.question)
    if answer is None:
        return observed
    sources: Any = saved or case.sources or packed
    report = check(answer, sources, question=case.question, settings=chosen.citations)
    return replace(observed, report=_judged(report, case, judge))


def _saved_pack(case: Case) -> Pack | None:
    return Pack.from_dict(case.sources) if case.sources is not None and "format" in case.sources else None


def _judged(report: Report, case: Case, judge: Judge | None) -> Report:
    """The report with verdicts: the recorded ones where there is one for each claim, else those of the judge."""
    recorded = [_verdict(item) for item in case.support or ()]
    if recorded and len(recorded) == len(report.claims):
        return with_support(report, recorded)
    return report if judge is None else with_support(report, support_of(judge, report.claims, report.citations, report.sources))


def _verdict(item: Mapping[str, Any]) -> Support:
    label = item.get("label")
    known = label if label in set(SupportLabel) else SupportLabel.UNKNOWN
    score = item.get("score")
    return Support(SupportLabel(known), score if isinstance(score, int | float) else None, str(item.get("why") or ""))


def _block_of(report: Report, label: str) -> Block:
    """A source as a block; that of a plain text holds no place of a document."""
    found = report.sources[label]
    doc_id = found.source.doc_id if found.source else None
    places = tuple([(doc_id, at, at + end - start) for start, end, at in found.pieces]) if doc_id else ()
    return Block((label,), places, (doc_id,) if doc_id else (), found.text)
