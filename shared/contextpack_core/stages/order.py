"""Puts the evidence into prompt order."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Literal

from contextpack_core.editions.ordering import age_of
from contextpack_core.settings import Settings
from contextpack_core.values import Evidence


class OrderSettings(Settings):
    """Where in the prompt the best evidence stands."""

    by: Literal["best_first", "edges", "document", "best_last", "oldest_first"] = "best_first"
    """``best_first``, ``edges`` (1, 3, 5, … 4, 2), ``document`` (as read), ``best_last``, ``oldest_first`` (editions by age)."""


OLDEST_FIRST = OrderSettings(by="oldest_first")
"""The order for a question that compares editions."""


def order_evidence(evidence: Sequence[Evidence], settings: OrderSettings) -> tuple[Evidence, ...]:
    """The evidence, which comes best first, in the order of the prompt; a passage stays in one piece."""
    return ORDERS[settings.by](tuple(evidence))


def best_first(evidence: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
    """As it came."""
    return evidence


def best_last(evidence: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
    """The best next to the question that follows."""
    return evidence[::-1]


def edges(evidence: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
    """The best first, the second best last, and so on inwards (Liu et al. 2023, "Lost in the Middle")."""
    return evidence[::2] + evidence[1::2][::-1]


def by_document(evidence: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
    """Reading order: documents by their best passage, the editions of a family together, inside a document by place."""
    families: dict[str, int] = {}
    documents: dict[tuple[str, str | None], int] = {}
    for item in evidence:
        families.setdefault(_family(item), len(families))
        documents.setdefault(_document(item), len(documents))

    unplaced = {_document(item) for item in evidence if item.passage.source.span is None}

    def place(at: int) -> tuple[int, int, int, int]:
        item = evidence[at]
        source = item.passage.source
        start = _page(source.page) if source.span is None or _document(item) in unplaced else source.span.start
        return families[_family(item)], documents[_document(item)], start, at

    return tuple([evidence[at] for at in sorted(range(len(evidence)), key=place)])


def oldest_first(evidence: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
    """The editions of a family by age, families by their best passage, inside an edition best first."""
    families: dict[str, int] = {}
    for item in evidence:
        families.setdefault(_family(item), len(families))

    def place(item: Evidence) -> tuple[object, ...]:
        source = item.passage.source
        return families[_family(item)], age_of(source.effective_from, source.edition, bool(source.superseded_by))

    return tuple(sorted(evidence, key=place))


ORDERS: dict[str, Callable[[tuple[Evidence, ...]], tuple[Evidence, ...]]] = {
    "best_first": best_first,
    "edges": edges,
    "document": by_document,
    "best_last": best_last,
    "oldest_first": oldest_first,
}


def _family(item: Evidence) -> str:
    return item.passage.source.family or item.passage.source.doc_id


def _document(item: Evidence) -> tuple[str, str | None]:
    return item.passage.source.doc_id, item.passage.source.edition


def _page(page: int | str | None) -> int:
    """The page as a number: front matter (iv) before page 1, the first of a range; what is no page stands at the front."""
    found = _PAGE.match(str(page).strip().lower())
    if found is None:
        return _FRONT
    if found["number"]:
        return int(found["number"])
    return (
        _FRONT
        + sum([_ROMAN[letter] for letter in found["roman"]])
        - 2 * sum([_ROMAN[a] for a, b in pairwise(found["roman"]) if _ROMAN[a] < _ROMAN[b]])
    )


_PAGE = re.compile(r"(?P<number>\d{1,9})(?!\w)|(?P<roman>[ivxlcdm]{1,12})(?!\w)")
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
_FRONT = -100_000
