"""Measures of the retriever's list, as BEIR and TREC take them: what is behind them no packer can mend."""

from __future__ import annotations

import math

from contextpack_core.evaluation.observed import Observed

CUT = 10
"""The depth at which BEIR reports."""


def recall_at_10(observed: Observed) -> float | None:
    """The share of the gold among the first ten that the retriever handed over.

    ``recall_10`` of trec_eval: ten documents where documents are gold, else ten candidates, by rank. Of spans the share of their
    characters.
    """
    if observed.candidates is None or not len(observed.case.gold):
        return None
    if (ranking := _ranking(observed)) is None:
        held = observed.held(observed.candidate_blocks[:CUT])
        return None if held is None else held.share
    gold = _gold(observed)
    return len(gold & set(ranking[:CUT])) / len(gold)


def ndcg_at_10(observed: Observed) -> float | None:
    """The sum of 1 / log2(1 + place) over the gold among the first ten, as a share of the best there can be; ids or documents only.

    ``ndcg_cut_10`` of trec_eval (Järvelin and Kekäläinen 2002), where a grade above 0 counts as 1.
    """
    if observed.candidates is None or (ranking := _ranking(observed)) is None:
        return None
    gold = _gold(observed)
    gain = math.fsum([1 / math.log2(1 + place) for place, name in enumerate(ranking[:CUT], 1) if name in gold])
    return gain / math.fsum([1 / math.log2(1 + place) for place in range(1, min(CUT, len(gold)) + 1)])


def reciprocal_rank(observed: Observed) -> float | None:
    """One over the place of the first gold one in the retriever's list, 0 where there is none; its mean is the MRR.

    ``recip_rank`` of trec_eval (Voorhees 1999); of spans and quotes the first candidate that holds a part of one.
    """
    if observed.candidates is None or not len(observed.case.gold):
        return None
    if (ranking := _ranking(observed)) is None:
        return 1 / observed.gold_rank if observed.gold_rank else 0.0
    gold = _gold(observed)
    return next((1 / place for place, name in enumerate(ranking, 1) if name in gold), 0.0)


def _gold(observed: Observed) -> set[str]:
    return set(observed.case.gold.ids or observed.case.gold.documents)


def _ranking(observed: Observed) -> tuple[str, ...] | None:
    """The names that the retriever handed over, best first, each once; None where gold has no names."""
    if observed.case.gold.ids:
        return tuple(dict.fromkeys([name for block in observed.candidate_blocks for name in block.ids]))
    if observed.case.gold.documents:
        return tuple(dict.fromkeys([name for block in observed.candidate_blocks for name in block.documents]))
    return None
