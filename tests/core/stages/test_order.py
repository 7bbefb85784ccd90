"""Where in the prompt the evidence stands."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextpack_core.stages.order import ORDERS, OrderSettings, order_evidence
from contextpack_core.values import Evidence, Passage, Piece, Source, Span


def item(name: str, doc_id: str = "d", start: int | None = None, **source: object) -> Evidence:
    """An evidence with one piece, named after its candidate."""
    span = None if start is None else Span(start, start + len(name))
    return Evidence("", Passage(name, (Piece(name, name, span),), Source(doc_id, span, **source)), 1)  # type: ignore[arg-type]


def names(evidence: tuple[Evidence, ...]) -> str:
    return "".join([e.passage.uid for e in evidence])


@pytest.mark.parametrize(
    ("count", "expected"), [(0, ""), (1, "1"), (2, "12"), (3, "132"), (4, "1342"), (5, "13542"), (6, "135642"), (9, "135798642")]
)
def test_edges(count: int, expected: str) -> None:
    """The best stands first, the second best last, and so on inwards, for every count."""
    evidence = [item(str(n)) for n in range(1, count + 1)]

    assert expected == names(order_evidence(evidence, OrderSettings(by="edges")))


def test_best_first_and_best_last() -> None:
    """Best first leaves the order as it came, best last turns it round."""
    evidence = [item(name) for name in "abc"]

    assert tuple(names(order_evidence(evidence, OrderSettings(by=by))) for by in ("best_first", "best_last")) == ("abc", "cba")


def test_document_puts_documents_by_their_best_and_passages_by_place() -> None:
    """Documents come in the order of their best passage, and the passages of one in reading order."""
    evidence = [item("a", "x", 50), item("b", "y", 9), item("c", "x", 0), item("d", "y", 1)]

    assert names(order_evidence(evidence, OrderSettings(by="document"))) == "cadb"


def test_document_keeps_the_editions_of_a_family_together() -> None:
    """Another document does not stand between two editions of one family."""
    evidence = [
        item("a", "old", 5, family="f", edition="1"),
        item("b", "other", 0),
        item("c", "new", 0, family="f", edition="2"),
        item("d", "old", 0, family="f", edition="1"),
    ]

    assert names(order_evidence(evidence, OrderSettings(by="document"))) == "dacb"


def test_document_goes_by_page_where_a_place_is_not_known() -> None:
    """Pages are compared as numbers, front matter first, the start of a range; what is no page stands at the front."""
    pages = {"a": 12, "b": "2", "c": "iv", "d": "ix", "e": "3-4", "f": None, "g": "Annex"}
    evidence = [item(name, page=page) for name, page in pages.items()]

    assert names(order_evidence(evidence, OrderSettings(by="document"))) == "fgcdbea"


def test_document_does_not_compare_a_page_with_a_place() -> None:
    """Where one passage of a document has no place, all go by page."""
    evidence = [item("a", start=900, page=1), item("b", page=3), item("c", start=5, page=2)]

    assert names(order_evidence(evidence, OrderSettings(by="document"))) == "acb"


def test_oldest_first_puts_editions_by_age() -> None:
    """A question about a change reads the old edition before the new one."""
    evidence = [item("a", "n", edition="2", family="f"), item("b", "o", edition="1", family="f"), item("c", "z")]

    assert names(order_evidence(evidence, OrderSettings(by="oldest_first"))) == "bac"


@given(
    st.lists(st.tuples(st.sampled_from("xyz"), st.none() | st.integers(0, 50), st.sampled_from([None, 1, "iv", "7", "", "mmxx"]))),
    st.sampled_from(sorted(ORDERS)),
)
def test_every_order_is_a_permutation_and_stable(places: list[tuple[str, int | None, object]], by: str) -> None:
    """Nothing is lost, nothing is broken up, and the same comes out again."""
    evidence = [item(f"{n}", doc_id, start, page=page) for n, (doc_id, start, page) in enumerate(places)]
    ordered = order_evidence(evidence, OrderSettings(by=by))  # type: ignore[arg-type]

    assert sorted(map(id, evidence)) == sorted(map(id, ordered))
    assert ordered == order_evidence(evidence, OrderSettings(by=by))  # type: ignore[arg-type]


@given(st.lists(st.tuples(st.sampled_from("xyz"), st.integers(0, 50)), unique=True))
def test_document_order_reads_on(places: list[tuple[str, int]]) -> None:
    """In document order each document stands in one stretch, and its places ascend."""
    ordered = order_evidence([item("p", doc_id, start) for doc_id, start in places], OrderSettings(by="document"))
    keys = [(e.passage.source.doc_id, e.passage.source.span.start) for e in ordered if e.passage.source.span]
    documents = [doc_id for doc_id, _ in keys]

    assert len(set(documents)) == sum(a != b for a, b in pairwise([None, *documents]))
    assert all(a[0] != b[0] or a[1] < b[1] for a, b in pairwise(keys))
