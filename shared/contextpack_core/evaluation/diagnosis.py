"""Diagnosis: which step lost a failed case, and the sentence that proves it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from contextpack_core.citations.lexical import LexicalJudge
from contextpack_core.citations.report import Problem
from contextpack_core.citations.values import CitationStatus, FigureStatus, QuoteStatus
from contextpack_core.decisions import Reason
from contextpack_core.errors import UnknownCandidateError
from contextpack_core.evaluation.cases import Gold
from contextpack_core.evaluation.gold import WHOLE, Block, Held
from contextpack_core.evaluation.observed import Observed
from contextpack_core.text import normal
from contextpack_core.trace import Fate, Trace


class Failure(StrEnum):
    """What went wrong: a closed list, in the order in which it is looked for."""

    ANSWERED_ABSENT = "ANSWERED_ABSENT"
    SUPERSEDED_EDITION = "SUPERSEDED_EDITION"
    NOT_RETRIEVED = "NOT_RETRIEVED"
    DROPPED = "DROPPED"
    DECLINED_PRESENT = "DECLINED_PRESENT"
    CITED_WRONGLY = "CITED_WRONGLY"
    NOT_CITED = "NOT_CITED"
    UNSUPPORTED = "UNSUPPORTED"

    @property
    def meaning(self) -> str:
        """The failure as half a sentence, for people."""
        return MEANINGS[self]


MEANINGS: dict[Failure, str] = {
    Failure.ANSWERED_ABSENT: "answered although the case is labelled as not answerable",
    Failure.SUPERSEDED_EDITION: "what must not come is in the evidence, or an edition that does not apply in the answer",
    Failure.NOT_RETRIEVED: "the retriever did not hand the evidence over",
    Failure.DROPPED: "a stage left the evidence out",
    Failure.DECLINED_PRESENT: "declined although the evidence has the answer",
    Failure.CITED_WRONGLY: "a citation, quotation or figure points to the wrong place",
    Failure.NOT_CITED: "the evidence was admitted, and the answer does not cite it",
    Failure.UNSUPPORTED: "what is cited does not support the statement",
}


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Why a case failed; for DROPPED the ``stage`` and the ``reason``. ``proof`` is a sentence with the facts in it."""

    failure: Failure
    proof: str
    stage: str | None = None
    reason: str | None = None

    def to_dict(self) -> dict[str, str]:
        """Plain JSON data."""
        found = {"failure": self.failure.value, "proof": self.proof, "stage": self.stage, "reason": self.reason}
        return {name: value for name, value in found.items() if value is not None}


def diagnose(observed: Observed) -> Diagnosis | None:
    """The first thing that went wrong, from the retriever to the answer; None where nothing did, as far as labels and answer
    tell.
    """
    return next((found for look in _LOOKS if (found := look(observed)) is not None), None)


# ---------------------------------------------------------------- one look for each failure


def _answered_absent(observed: Observed) -> Diagnosis | None:
    if observed.report is None or observed.case.answerable is not False or observed.declined:
        return None
    said = observed.statements[0][0].text if observed.statements else observed.report.answer
    return Diagnosis(Failure.ANSWERED_ABSENT, f"The case is labelled as not answerable, and the answer states “{_short(said)}”.")


def _superseded_edition(observed: Observed) -> Diagnosis | None:
    stale = set(observed.case.stale)
    for item in observed.pack.evidence if observed.pack else ():
        source = item.passage.source
        if source.doc_id in stale:
            day = f" on {observed.pack.as_of}" if observed.pack else ""
            edition = f" (edition {source.edition})" if source.edition else ""
            found = f"{item.label} is from {source.doc_id}{edition}, which the case names as stale{day}"
            return Diagnosis(Failure.SUPERSEDED_EDITION, f"{found}: “{_short(item.passage.text)}”.")
    for figure in observed.report.figures if observed.report else ():
        if figure.status is FigureStatus.STALE and not figure.exempt:
            return Diagnosis(
                Failure.SUPERSEDED_EDITION,
                f"The answer's figure “{figure.text}” {figure.detail or 'stands only in a dropped edition'}.",
            )
    return None


def _not_retrieved(observed: Observed) -> Diagnosis | None:
    held = observed.retrieved
    if (
        held is None
        or held.whole
        or observed.case.answerable is False
        or (observed.admitted is not None and observed.admitted.whole)
    ):
        return None
    missing = _missing(observed, held)
    assert observed.candidates is not None
    parts = "" if held.items[missing[0]] == 0 else f" (they hold {held.items[missing[0]]:.0%} of it)"
    more = f", and {len(missing) - 1} more" if len(missing) > 1 else ""
    which = _gold_name(observed, missing[0])
    return Diagnosis(Failure.NOT_RETRIEVED, f"None of the {len(observed.candidates)} candidates holds {which} whole{parts}{more}.")


def _dropped(observed: Observed) -> Diagnosis | None:
    """The gold was retrieved whole and is not in the evidence whole: the fate of the best candidate that holds what is missing."""
    if observed.admitted is None or observed.admitted.whole or observed.pack is None or observed.candidates is None:
        return None
    if observed.case.answerable is False:  # its gold, if it names any, is none for this asker
        return None
    missing = _missing(observed, observed.admitted)
    which = _gold_name(observed, missing[0])
    for name in _holders(observed, missing):
        fate = _fate_of(name, observed.pack.trace)
        if fate is not None and fate.drop is not None:
            reason = fate.drop.reason.value
            return Diagnosis(Failure.DROPPED, f"It held {which}. {fate}", fate.stage, reason)
    share = observed.admitted.items[missing[0]]
    return Diagnosis(
        Failure.DROPPED,
        f"The budget had room for a part of the passage: the evidence holds {share:.0%} of {which}.",
        "budget",
        Reason.BUDGET.value,
    )


def _declined_present(observed: Observed) -> Diagnosis | None:
    if not observed.declined or not observed.answer_present:
        return None
    if observed.report is None:
        known = "its evidence holds all of the gold" if len(observed.case.gold) else "the case is labelled as answerable"
        return Diagnosis(Failure.DECLINED_PRESENT, f"The pack says that the model should not be asked, and {known}.")
    where = observed.gold_sources
    place = f"{', '.join(where)} holds the gold" if where else "the case is labelled as answerable"
    return Diagnosis(Failure.DECLINED_PRESENT, f"The answer says “{_short(observed.report.answer)}”, and {place}.")


def _cited_wrongly(observed: Observed) -> Diagnosis | None:
    report = observed.report
    if report is None:
        return None
    bad = [mark.span for mark in report.citations if mark.status in (CitationStatus.UNKNOWN, CitationStatus.DROPPED)]
    bad += [quote.span for quote in report.quotes if quote.status is QuoteStatus.MISATTRIBUTED and quote.span is not None]
    bad += [figure.span for figure in report.figures if figure.status is FigureStatus.ELSEWHERE and not figure.exempt]
    found = [p for p in report.problems if p.kind in ("citation", "quote", "figure") and p.span in bad]
    found.sort(key=lambda problem: problem.kind != "citation")  # a label that does not exist explains what stands elsewhere
    return Diagnosis(Failure.CITED_WRONGLY, _sentence(found[0])) if found else None


def _not_cited(observed: Observed) -> Diagnosis | None:
    if observed.report is None or observed.declined or not observed.statements:
        return None
    cited = observed.cited_labels
    if observed.cited is None:
        if observed.report.sources and not cited:
            return Diagnosis(Failure.NOT_CITED, f"“{_short(observed.statements[0][0].text)}” and nothing else cites a passage.")
        return None
    if observed.cited.share > 0:
        return None
    where = observed.gold_sources
    if not where:
        return None
    return Diagnosis(Failure.NOT_CITED, f"The gold stands in {', '.join(where)}; the answer cites {', '.join(cited) or 'nothing'}.")


def _unsupported(observed: Observed) -> Diagnosis | None:
    """A figure, quotation or opposite, or a verdict; that of the lexical judge is none, as it takes paraphrase for a fault."""
    if observed.report is None:
        return None
    recorded = observed.case.answer is not None and len(observed.case.support or ()) == len(observed.report.claims)
    by_words = isinstance(observed.judge, LexicalJudge) and not recorded
    kinds = ("figure", "quote", "opposite", *(() if by_words else ("support",)))
    for problem in observed.report.problems:
        if problem.kind in kinds:
            return Diagnosis(Failure.UNSUPPORTED, _sentence(problem))
    return None


_LOOKS: Sequence[Callable[[Observed], Diagnosis | None]] = (
    _answered_absent,
    _superseded_edition,
    _not_retrieved,
    _dropped,
    _declined_present,
    _cited_wrongly,
    _not_cited,
    _unsupported,
)


# ---------------------------------------------------------------- words for the proofs


def _missing(observed: Observed, held: Held) -> list[int]:
    """Which items of the gold are not held whole, each once."""
    items = [_item(observed.case.gold, i) for i in range(len(held.items))]
    first = {item: i for i, item in reversed(list(enumerate(items)))}
    return [i for i, share in enumerate(held.items) if share < WHOLE and first[items[i]] == i]


def _holders(observed: Observed, missing: Sequence[int]) -> Iterator[str]:
    """The candidates that hold a part of the missing gold, best first."""
    gold = observed.case.gold
    for i in missing:
        item = _item(gold, i)
        for block in observed.candidate_blocks:
            if _holds_part(item, block, observed):
                yield block.ids[0]


def _fate_of(name: str, trace: Trace) -> Fate | None:
    """What became of the candidate; of a duplicate, which is in the pack as far as the kept one is, what became of that one."""
    try:
        fate = trace.fate_of(name)
        if fate.drop is not None and fate.drop.reason in (Reason.DUPLICATE, Reason.CONTAINED) and fate.drop.in_favour_of:
            return trace.fate_of(fate.drop.in_favour_of)
    except UnknownCandidateError:
        return None
    return fate


def _holds_part(item: Gold, block: Block, observed: Observed) -> bool:
    held = observed.held([block], item)
    return held is not None and held.share > 0


def _item(gold: Gold, i: int) -> Gold:
    """The gold with its item ``i`` alone."""
    if gold.spans:
        return Gold(spans=(gold.spans[i],))
    if gold.ids:
        return Gold(ids=(gold.ids[i],))
    return Gold(documents=(gold.documents[i],)) if gold.documents else Gold(quotes=(gold.quotes[i],))


def _gold_name(observed: Observed, i: int) -> str:
    gold = observed.case.gold
    if gold.spans:
        span = gold.spans[i]
        text = observed.gold_texts.get(span) or ""
        quoted = f"“{_short(text)}” ({span.doc_id}, {span.start}–{span.end})"
        return quoted if text and "\ufffd" not in text else f"{span.doc_id}, {span.start}–{span.end}"
    if gold.ids:
        return f"the candidate {gold.ids[i]}"
    return f"the document {gold.documents[i]}" if gold.documents else f"“{_short(gold.quotes[i])}”"


def _sentence(problem: Problem) -> str:
    said = str(problem).rstrip(". ").replace(f"{_ELSEWHERE}: stands in", "stands in")  # says already where
    return f"{said[:1].upper()}{said[1:]}."


_ELSEWHERE = "stands in another passage than the cited one"


def _short(text: str) -> str:
    text = normal(text)
    return text if len(text) <= 120 else text[:119].rstrip() + "…"
