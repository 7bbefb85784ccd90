"""How an answer is checked: the ``citations`` section of the policy."""

from __future__ import annotations

from typing import Literal

from contextpack_core.settings import Settings

MARKS = {"label": "[{label}]", "footnote": "[^{label}]", "number": "[{number}]"}
"""How a citation is written, by ``citations.marks``."""


def mark_of(label: str, marks: str) -> str:
    """The mark that cites a label in that form; a label that ends without a number is written out."""
    number = label[len(label.rstrip("0123456789")) :]
    return MARKS[marks].format(label=label, number=number or label)


class CitationSettings(Settings):
    """What the checker expects of an answer, and what happens when it is not met."""

    marks: Literal["label", "footnote", "number"] = "label"
    """The form of a citation that the prompt asks for."""
    also: tuple[Literal["round", "footnote", "number"], ...] = ()
    """Further forms that count: ``(P1)``, ``[^P1]`` and ``[^1]``, ``[1]`` for P1."""
    quotes: Literal["optional", "required", "ignore"] = "optional"
    """Whether quotations are located in the evidence."""
    figures: Literal["cited", "any", "ignore"] = "cited"
    """Where a figure must stand: in the passages the claim cites, in any passage, or it is not looked for."""
    on_violation: Literal["report", "strip", "raise", "retry"] = "report"
    """What an adapter does with an answer that has problems."""
    refusals: tuple[str, ...] = ()
    """Sentences that decline to answer, besides the wordings that are recognised; say, the one that the prompt asks for."""
    general: tuple[str, ...] = ()
    """Openings of sentences that say themselves that they are general knowledge: these need no citation. That of the prompt under
    ``grounding.pattern: disclaimer`` is known."""
    locale: str | None = None
    """How numbers and dates are written (``de``, ``en-US``) where a text itself leaves it open; inferred when left out."""


DEFAULT_SETTINGS = CitationSettings()
