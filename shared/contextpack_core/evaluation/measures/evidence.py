"""Measures of the evidence: how much of the gold comes through each stage, what it costs, and what is wrong in the window."""

from __future__ import annotations

from contextpack_core.evaluation.gold import Held
from contextpack_core.evaluation.measures.words import spaced
from contextpack_core.evaluation.observed import Observed


def retrieved(observed: Observed) -> float | None:
    """The share of the gold that stands in the candidates: the ceiling of everything behind the retriever.

    Characters of spans, else ids, documents or quotes; as of ``evidence_recall``.
    """
    return _share(observed.retrieved)


def evidence_recall(observed: Observed) -> float | None:
    """The share of the gold that stands in the evidence: visible characters of spans, else ids, documents or quotes.

    Recall as in information retrieval (Manning, Raghavan and Schütze 2008, ch. 8), over stretches of text in the place of
    documents.
    """
    return _share(observed.admitted)


def whole_evidence(observed: Observed) -> float | None:
    """1 where every gold item stands in the evidence, a span with at least 90 % of its visible characters; else 0.

    A question whose answer needs two places is answered by both or not at all.
    """
    return None if observed.admitted is None else float(observed.admitted.whole)


def cited(observed: Observed) -> float | None:
    """The share of the gold that stands in the passages that the answer's statements cite; declining answers are left out."""
    return None if observed.declined else _share(observed.cited)


def supported(observed: Observed) -> float | None:
    """The share of the gold that stands in passages cited by statements that the judge supports and with which nothing is wrong."""
    return None if observed.declined else _share(observed.supported)


def tokens(observed: Observed) -> float | None:
    """The tokens of the rendered evidence, counted as one text by the tokenizer of the policy."""
    return None if observed.pack is None else float(observed.pack.tokens)


def repeated_share(observed: Observed) -> float | None:
    """The share of the runs of eight words in the evidence that stood in it before.

    Eight words are long enough that chance repeats are rare; as n-gram duplication in Lee et al. (2022), "Deduplicating Training
    Data". In scripts that put no blanks between words each character is one.
    """
    if observed.pack is None or not observed.pack.evidence:
        return None
    total = 0
    distinct: set[tuple[str, ...]] = set()
    for item in observed.pack.evidence:
        words = spaced(item.passage.text).split()
        total += max(0, len(words) - _RUN + 1)
        distinct.update(zip(*[words[i:] for i in range(_RUN)], strict=False))
    return 1 - len(distinct) / total if total else 0.0


_RUN = 8


def stale_edition(observed: Observed) -> float | None:
    """1 where the evidence holds text of a document that the case names as stale, else 0; cases that name none are left out."""
    if observed.pack is None or not observed.case.stale:
        return None
    stale = set(observed.case.stale)
    return float(any(item.passage.source.doc_id in stale for item in observed.pack.evidence))


def _share(held: Held | None) -> float | None:
    return None if held is None else held.share
