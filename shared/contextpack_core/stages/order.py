"""Puts the evidence into prompt order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from contextpack_core.settings import Settings
from contextpack_core.values import Evidence


class OrderSettings(Settings):
    """Where in the prompt the best evidence stands."""

    by: Literal["best_first", "edges", "document", "best_last"] = "best_first"
    """``best_first``, ``edges`` (1, 3, 5, … 4, 2), ``document`` (reading order) or ``best_last``."""


def order_evidence(evidence: Sequence[Evidence], settings: OrderSettings) -> tuple[Evidence, ...]:
    """The evidence, which comes best first, in the order of the prompt."""
    items = list(evidence)
    if settings.by == "edges":
        return tuple(items[::2] + items[1::2][::-1])
    if settings.by == "best_last":
        return tuple(items[::-1])
    if settings.by == "document":
        seen: dict[str, int] = {}
        for item in items:
            seen.setdefault(item.passage.source.doc_id, len(seen))
        return tuple(
            sorted(
                items, key=lambda e: (seen[e.passage.source.doc_id], e.passage.source.span.start if e.passage.source.span else 0)
            )
        )
    return tuple(items)
