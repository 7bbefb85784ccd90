"""Every measure: its name, its function, which way is better; each function's docstring is its definition and source."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from contextpack_core.evaluation.measures import abstention, answers, citations, evidence, retrieval
from contextpack_core.evaluation.observed import Observed


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure as a value: ``of`` gives its value for one case, None where the case does not have what it needs."""

    name: str
    of: Callable[[Observed], float | None]
    better: str = "higher"

    @property
    def definition(self) -> str:
        """What it is, in a sentence."""
        return " ".join((self.of.__doc__ or "").split("\n\n")[0].split())


MEASURES: Mapping[str, Measure] = {
    measure.name: measure
    for measure in (
        Measure("retrieved", evidence.retrieved),
        Measure("recall_at_10", retrieval.recall_at_10),
        Measure("ndcg_at_10", retrieval.ndcg_at_10),
        Measure("reciprocal_rank", retrieval.reciprocal_rank),
        Measure("evidence_recall", evidence.evidence_recall),
        Measure("whole_evidence", evidence.whole_evidence),
        Measure("cited", evidence.cited),
        Measure("supported", evidence.supported),
        Measure("tokens", evidence.tokens, "lower"),
        Measure("repeated_share", evidence.repeated_share, "lower"),
        Measure("stale_edition", evidence.stale_edition, "lower"),
        Measure("citation_validity", citations.citation_validity),
        Measure("citation_coverage", citations.citation_coverage),
        Measure("citation_support", citations.citation_support),
        Measure("citation_precision", citations.citation_precision),
        Measure("citation_recall", citations.citation_recall),
        Measure("figure_support", citations.figure_support),
        Measure("faithfulness", citations.faithfulness),
        Measure("miss_rate", abstention.miss_rate, "lower"),
        Measure("overdecline_rate", abstention.overdecline_rate, "lower"),
        Measure("answer_correctness", answers.answer_correctness),
    )
}
