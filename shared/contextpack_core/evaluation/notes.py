"""Notes: what the reader of an evaluation should know before the numbers are believed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from contextpack_core.evaluation.intervals import Estimate
from contextpack_core.policy import Policy

FEW = 10
"""Means over fewer cases are named in a note."""


def notes_of(records: Sequence[Mapping[str, Any]], overall: Mapping[str, Estimate], policy: Policy) -> tuple[str, ...]:
    """One sentence for each thing to know, if it is so, in this order."""
    found = (
        _access(records, policy),
        _sampled(records),
        _missing_verdicts(records),
        _without_citations(records),
        _few(overall),
    )
    return tuple([note for note in found if note])


def _access(records: Sequence[Mapping[str, Any]], policy: Policy) -> str:
    n = sum([1 for record in records if record.get("access")])
    if not n or policy.access.enforce:
        return ""
    name = "1 case names" if n == 1 else f"{n} cases name"
    return f"{name} access, and the policy does not enforce it (access.enforce): what the asker may not see counts as evidence."


def _sampled(records: Sequence[Mapping[str, Any]]) -> str:
    kinds = Counter([_rule(record) for record in records if record.get("chosen")])
    if len(kinds) < 2:
        return ""
    told = ", ".join([f"{n} by {rule}" for rule, n in sorted(kinds.items())])
    return (
        f"{sum(kinds.values())} cases are answers that SampledChecks chose by different rules ({told}): no random sample, so a "
        "mean over them is none over all answers — take the records of each rule apart: "
        "estimates([r for r in found.records if r['chosen'] == 'rate'])."
    )


def _rule(record: Mapping[str, Any]) -> str:
    return f"rate {record.get('rate')}" if record["chosen"] == "rate" else str(record["chosen"])


def _missing_verdicts(records: Sequence[Mapping[str, Any]]) -> str:
    missing = [record["unknown"] for record in records if record.get("unknown")]
    if not missing:
        return ""
    n = sum([int(one) for one in missing if isinstance(one, int)])
    cases = "1 case" if len(missing) == 1 else f"{len(missing)} cases"
    verdicts = "1 verdict of the judge is" if n == 1 else f"{n} verdicts of the judge are"
    return f"{verdicts} missing, in {cases}: it was down or gave none; what needs them was not measured there."


def _without_citations(records: Sequence[Mapping[str, Any]]) -> str:
    answered = [record["values"] for record in records if "citation_coverage" in record["values"]]
    if not answered or any([values["citation_coverage"] or "citation_validity" in values for values in answered]):
        return ""
    return (
        f"Not one answer of {len(answered)} cites a passage: if they were written without labels, as those of RAGAS data sets are, "
        "cited, supported, citation_coverage, citation_recall and NOT_CITED say nothing about them."
    )


def _few(overall: Mapping[str, Estimate]) -> str:
    few = [f"{name} ({found.n})" for name, found in overall.items() if found.n < FEW]
    return f"Measured on fewer than {FEW} cases: {', '.join(few)}; their intervals say little." if few else ""
