"""Keeps the candidates that the caller may see."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from pydantic import Field

from contextpack_core.decisions import Drop, Reason, Step
from contextpack_core.fields import metadata_value, read_labels
from contextpack_core.settings import Settings
from contextpack_core.values import Candidate


class AccessSettings(Settings):
    """Whether the caller must hold one of a candidate's access labels, and where these stand."""

    enforce: bool = False
    """Drop what the caller may not see: what names no label, what names none that the caller holds, and everything
    when the caller's labels are not known."""
    field: str | None = Field(None, min_length=1, examples=["tenant"])
    """The metadata key that holds the labels (dots reach into nested metadata), and then the only one; the common spellings
    when left out. A text is one label and is never split; a list holds several, of which one is enough."""


def keep_permitted(candidates: Sequence[Candidate], held: Collection[str] | None, settings: AccessSettings) -> Step[Candidate]:
    """Keep each candidate one of whose labels the caller holds; one without labels is dropped as unknown.

    Details never name a label. What is kept carries its labels in ``source.access``, enforced or not, so that no later stage
    joins texts under different labels.
    """
    labelled = [_labelled(candidate, settings.field) for candidate in candidates]
    if not settings.enforce:
        return Step("access", tuple(labelled))
    caller = _labels(held)
    kept, drops = [], []
    for candidate in labelled:
        labels = candidate.source.access
        if not labels:
            drops.append(Drop(candidate.id, Reason.ACCESS_UNKNOWN, "it names no access label"))
        elif held is None:
            drops.append(Drop(candidate.id, Reason.NO_ACCESS, "the caller's labels are not known"))
        elif caller.isdisjoint(labels):
            drops.append(Drop(candidate.id, Reason.NO_ACCESS, "the caller holds none of its labels"))
        else:
            kept.append(candidate)
    return Step("access", tuple(kept), tuple(drops))


def _labelled(candidate: Candidate, field: str | None) -> Candidate:
    """The candidate with the labels of that metadata key, if one is named, in place of any others."""
    if field is None:
        return candidate
    labels = read_labels(metadata_value(candidate.metadata, field))
    if labels == candidate.source.access:
        return candidate
    return replace(candidate, source=replace(candidate.source, access=labels))


def _labels(held: Collection[str] | None) -> frozenset[str]:
    """The caller's labels; a single text is one label, not its letters."""
    return frozenset(read_labels([held] if isinstance(held, str) else list(held or ())) or ())
