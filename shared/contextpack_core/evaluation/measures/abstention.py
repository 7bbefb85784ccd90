"""Measures of declining: is an answer given where the evidence has none, and withheld where it has one."""

from __future__ import annotations

from contextpack_core.evaluation.observed import Observed


def cell(observed: Observed) -> tuple[str, str] | None:
    """The cell of the abstention matrix: ``present`` or ``absent``, ``answered`` or ``declined``; None where one is not known.

    Present: what the answer was written from, its own sources or else the evidence, holds all of the gold. A case without gold is
    as its label ``answerable`` says, but that an empty pack holds no answer; one labelled as not answerable is absent whatever the
    evidence holds. Without an answer, ``declined`` is what the pack says before generation.
    """
    if observed.answer_present is None or observed.declined is None:
        return None
    return "present" if observed.answer_present else "absent", "declined" if observed.declined else "answered"


def miss_rate(observed: Observed) -> float | None:
    """Of the cases whose answer is absent from the evidence, those that were answered all the same (misses of the refusal).

    The complement of the rejection rate of Chen et al. (2024), "Benchmarking Large Language Models in Retrieval-Augmented
    Generation".
    """
    found = cell(observed)
    return None if found is None or found[0] == "present" else float(found[1] == "answered")


def overdecline_rate(observed: Observed) -> float | None:
    """Of the cases whose answer is present in the evidence, those that were declined."""
    found = cell(observed)
    return None if found is None or found[0] == "absent" else float(found[1] == "declined")
