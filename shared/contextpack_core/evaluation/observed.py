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
from contextpack_core.evaluation.cases import Case, Gold, GoldSpan
from contextpack_core.evaluation.gold import (
    Block,
    Copies,
    Held,
    KnownText,
    candidate_blocks,
    copies_of,
    evidence_blocks,
    held_in,
    is_found_by_text,
    source_block,
    texts_of,
    winners_of,
)
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
    """What happened to one case. What it lacks is None: the pack without candidates, the report without an answer.

    ``pack`` is the one that the policy makes, ``written_from`` the one that the answer was written from: the same, or a saved one,
    or None, where the answer has plain texts of its own or nothing. Labels of the answer are those of what it was written from.
    """

    case: Case
    policy: Policy
    candidates: tuple[Candidate, ...] | None
    pack: Pack | None
    report: Report | None
    judge: Judge | None
    written_from: Pack | None = None

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
        return None if self.report is None else self._held_under(self.cited_labels)

    @cached_property
    def supported(self) -> Held | None:
        """The gold in the passages cited by statements that the judge found supported and with which nothing else is wrong.

        None also where verdicts are missing on which it hangs.
        """
        if self.report is None or self.report.support is None:
            return None
        faults = [problem.span for problem in self.report.problems if problem.span is not None]
        labels: dict[str, None] = {}
        perhaps: dict[str, None] = {}
        for (claim, _), supported in zip(self.statements, self.verdicts, strict=True):
            wrong = any(span.start < claim.span.end and claim.span.start < span.end for span in faults)
            if supported is not False and not wrong:
                perhaps.update(dict.fromkeys(claim.labels))
                labels.update(dict.fromkeys(claim.labels if supported else ()))
        held = self._held_under(tuple(labels))
        return held if len(perhaps) == len(labels) or held == self._held_under(tuple(perhaps)) else None

    # ---- the answer

    @cached_property
    def statements(self) -> tuple[tuple[Claim, Support | None], ...]:
        """The statements of the answer, each with the judge's verdict where there is a judge."""
        if self.report is None:
            return ()
        verdicts: Sequence[Support | None] = self.report.support or [None] * len(self.report.claims)
        return tuple([(c, v) for c, v in zip(self.report.claims, verdicts, strict=True) if c.kind is ClaimKind.STATEMENT])

    @cached_property
    def verdicts(self) -> tuple[bool | None, ...]:
        """For each statement whether the judge finds it supported by what it cites; None where there is no verdict on that.

        A statement that cites nothing is not supported by what it cites.
        """
        found: list[bool | None] = []
        for (_, verdict), (_, passages) in zip(self.statements, self.texts_of_statements, strict=True):
            label = SupportLabel.UNKNOWN if verdict is None else verdict.label
            found.append(None if label is SupportLabel.UNKNOWN and passages else label is SupportLabel.SUPPORTED)
        return tuple(found)

    @property
    def missing_verdicts(self) -> int:
        """How many statements cite and have no verdict, although there is a judge."""
        return 0 if self.report is None or self.report.support is None else self.verdicts.count(None)

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
        """Whether the answer can be had from what it was, or would be, written from.

        All of the gold is in it; without gold, what the label says, but that nothing can be had from an empty pack.
        """
        if self.case.answerable is False or not len(self.case.gold):
            return self.case.answerable and (not self.has_sources or bool(self.source_blocks))
        held = self._held_under(tuple(self.source_blocks))
        return None if held is None else held.whole

    @property
    def has_sources(self) -> bool:
        """Whether it is known what the answer was, or would be, written from."""
        return self.pack is not None or (self.report is not None and self.case.sources is not None)

    @cached_property
    def signals(self) -> Signals | None:
        """What speaks for an answer in the evidence."""
        return None if self.pack is None else signals_of(self.pack, self.case.question)

    def entailed(self, claim: str, passages: Mapping[str, str]) -> bool | None:
        """Whether the judge finds the claim supported by the passages together; None where it gives no verdict."""
        assert self.judge is not None
        if not passages:
            return False
        label = judge_claims(self.judge, [claim], passages)[0].label
        return None if label is SupportLabel.UNKNOWN else label is SupportLabel.SUPPORTED

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
        return () if self.pack is None else self.blocks_of(self.pack)

    def blocks_of(self, made: Pack) -> tuple[Block, ...]:
        """The evidence of a pack of these candidates as blocks."""
        copied = any([item.passage.also_in for item in made.evidence])
        return evidence_blocks(made.evidence, winners_of(made.trace.drops, self.candidates or ()) if copied else {})

    @cached_property
    def candidate_blocks(self) -> tuple[Block, ...]:
        """The candidates as blocks, best first."""
        return candidate_blocks(sorted(self.candidates or (), key=lambda c: c.rank or 0))

    @cached_property
    def source_blocks(self) -> Mapping[str, Block]:
        """What the answer was written from, by label; without an answer the evidence of the pack."""
        made = self.pack if self.report is None else self.written_from
        if made is not None:
            return _by_label(made, self.blocks if made is self.pack else self.blocks_of(made))
        sources = self.report.sources if self.report is not None else {}
        return {label: source_block(source, self.candidate_blocks) for label, source in sources.items()}

    @property
    def reads_pack(self) -> bool:
        """Whether the answer was, or would be, written from the pack, so that its labels are those of the evidence."""
        return self.pack is not None and (self.report is None or self.written_from is self.pack)

    @cached_property
    def gold_labels(self) -> tuple[str, ...]:
        """The labels of the evidence of the pack that holds a part of the gold, in prompt order."""
        return () if self.pack is None else self._with_gold(_by_label(self.pack, self.blocks))

    @cached_property
    def gold_sources(self) -> tuple[str, ...]:
        """The labels of what the answer was written from that hold a part of the gold."""
        return self.gold_labels if self.reads_pack else self._with_gold(self.source_blocks)

    @cached_property
    def gold_rank(self) -> int | None:
        """The place of the best candidate that holds a part of the gold; None where none does."""
        places = enumerate(self.candidate_blocks, 1)
        return next((i for i, block in places if (held := self.held([block])) is not None and held.share > 0), None)

    @cached_property
    def gold_texts(self) -> dict[GoldSpan, str]:
        """The texts of the gold spans; that of one which is not known whole is U+FFFD."""
        return {span: known.whole or "\ufffd" for span, known in self._known_texts.items()}

    @cached_property
    def _known_texts(self) -> dict[GoldSpan, KnownText]:
        return texts_of(self.case.gold, self.candidates or ())

    @cached_property
    def _copies(self) -> dict[str, Copies]:
        return copies_of(self.case.gold, self.candidates or ()) if self.case.gold.ids else {}

    def held(self, blocks: Sequence[Block], gold: Gold | None = None) -> Held | None:
        """How much of the gold, that of the case where none is given, the blocks hold; None where there is no gold."""
        return held_in(self.case.gold if gold is None else gold, blocks, self._known_texts, self._copies)

    def _held_under(self, labels: Sequence[str]) -> Held | None:
        """The gold under these labels of what the answer was written from; None where nobody knows what that was.

        Nor where those are plain texts, of which nobody knows the documents, and the gold cannot be found by its text.
        """
        blocks = self.source_blocks
        placed = not blocks or any([block.documents for block in blocks.values()])
        if not self.has_sources or not (placed or is_found_by_text(self.case.gold, self._known_texts)):
            return None
        return self.held([blocks[label] for label in labels if label in blocks])

    def _with_gold(self, blocks: Mapping[str, Block]) -> tuple[str, ...]:
        return tuple([label for label, block in blocks.items() if (held := self.held([block])) is not None and held.share > 0])


def _by_label(made: Pack, blocks: Sequence[Block]) -> dict[str, Block]:
    return {item.label: block for item, block in zip(made.evidence, blocks, strict=True)}


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
    written_from = packed if case.sources is None or case.answer is None else saved
    sources: Any = case.sources if written_from is None else written_from
    report = check(answer, sources, question=case.question, settings=chosen.citations)
    return replace(observed, report=_judged(report, case, judge), written_from=written_from)


def _saved_pack(case: Case) -> Pack | None:
    return Pack.from_dict(case.sources) if case.sources is not None and {"format", "evidence"} <= case.sources.keys() else None


def _judged(report: Report, case: Case, judge: Judge | None) -> Report:
    """The report with verdicts: those recorded of a recorded answer where there is one for each claim, else those of the judge."""
    recorded = [_verdict(item) for item in case.support or ()] if case.answer is not None else []
    if recorded and len(recorded) == len(report.claims):
        return with_support(report, recorded)
    return report if judge is None else with_support(report, support_of(judge, report.claims, report.citations, report.sources))


def _verdict(item: Mapping[str, Any]) -> Support:
    label = item.get("label")
    known = label if label in set(SupportLabel) else SupportLabel.UNKNOWN
    score = item.get("score")
    return Support(SupportLabel(known), score if isinstance(score, int | float) else None, str(item.get("why") or ""))
