from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextpack_core import Evidence, Source
from contextpack_core.editions.conflicts import Conflict, Figures, find_conflicts
from contextpack_core.passages import passage_of
from contextpack_core.values import Piece

NO_FAMILY = "no family says that they are editions of one document"


def evidence(*texts: str, **source: Any) -> list[Evidence]:
    return [of(i, text, **source) for i, text in enumerate(texts, 1)]


def of(number: int, text: str, **source: Any) -> Evidence:
    return Evidence(f"P{number}", passage_of([Piece(f"c{number}", text)], Source(**({"doc_id": f"d{number}"} | source))), 1)


@pytest.mark.parametrize(
    ("one", "other", "figures"),
    [
        ("The deposit for the hall is 300 EUR.", "The deposit for the hall is 350 EUR.", (("300 EUR",), ("350 EUR",))),
        ("THE FEE, in all cases: 5 %", "The fee in all cases 7%.", (("5%",), ("7%",))),
        ("The club was founded in 1998.", "The club was founded in 1999.", (("1998",), ("1999",))),
        ("The fee is due on 2026-01-31.", "The fee is due on 2026-02-28.", (("2026-01-31",), ("2026-02-28",))),
        ("押金为300元。", "押金为350元。", (("300",), ("350",))),
        ("Die Frist beträgt 14 Tage.", "Die Frist beträgt 30 Tage.", (("14",), ("30",))),
        ("300 EUR, back in 14 days", "350 EUR, back in 21 days", (("300 EUR", "14 days"), ("350 EUR", "21 days"))),
        ("Dogs are allowed in the hall.", "Dogs are not allowed in the hall.", ((), ())),
        ("No smoking is permitted here.", "Smoking is permitted here.", ((), ())),
        ("The policy covers floods.", "The policy doesn't cover floods.", ((), ())),
        ("Acme overcompensates.", "Acme does not overcompensate.", ((), ())),
        ("You can cancel it.", "You can’t cancel it.", ((), ())),
        ("You may cancel within 30 days.", "You may not cancel within 30 days.", ((), ())),
        ("Hunde sind im Saal erlaubt.", "Hunde sind nicht im Saal erlaubt.", ((), ())),
        ("Le chien est admis.", "Le chien n'est pas admis.", ((), ())),
    ],
)
def test_finds_a_contradiction(one: str, other: str, figures: Figures) -> None:
    """Two sentences that are the same but for figures, or for a negation, are a conflict, in the middle of a text too."""
    around = evidence(f"A word before. {one}", f"Quite another text.\n{other}\nAnd more of it.")

    assert find_conflicts(around) == (Conflict(("P1", "P2"), figures, NO_FAMILY),)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The deposit for the hall is 300 EUR.", "The deposit for the garden is 350 EUR."),
        ("Room A4 has 20 seats.", "Room A5 has 20 seats."),
        ("Table 1 shows the rates.", "Table 2 shows the rates."),
        ("See section 4 for the rates.", "See section 5 for the rates."),
        ("In 2024 the fee was 30 EUR.", "In 2025 the fee was 35 EUR."),
        ("Over 100 km the fee is 5 EUR.", "Over 200 km the fee is 8 EUR."),
        ("The price is 1,000 EUR.", "The price is 1000 EUR."),
        ("The price is €1.50 each.", "The price is €1,50 each."),
        ("The price is 3 EUR.", "The price is 3 EUR."),
        ("Not all dogs are allowed.", "No cats are allowed here."),
        ("5", "7"),
        ("It was founded in 1998.", "It was founded in 1999."),
        ("Date: 2017-05-25", "Date: 2020-02-26"),
        ("Order number 01055-17 is shipped.", "Order number 02827-15 is shipped."),
        ("", ""),
    ],
)
def test_finds_none(one: str, other: str) -> None:
    """What a subject, an identifier, a year or a condition tells apart is no conflict, nor is one amount in two spellings."""
    assert find_conflicts(evidence(one, other)) == ()


def test_several_negations() -> None:
    """Each sentence of a passage that is negated counts, whatever negations stand before it."""
    negated = "No bikes, and no skates. Quite another thing. Dogs are not allowed in the hall. Cats are never allowed in the hall."

    found = find_conflicts(evidence(negated, "Cats are allowed in the hall.", "Dogs are allowed in the hall."))

    assert [c.labels for c in found] == [("P1", "P2"), ("P1", "P3")]


def test_a_table_in_two_documents() -> None:
    """Rows that stand in both documents do not contradict one another."""
    rows = "Zone one costs 5 EUR. Zone two costs 8 EUR. Each child pays 2 EUR. Each child pays 3 EUR."

    assert find_conflicts(evidence(rows, rows)) == ()


def test_three_passages() -> None:
    """Each pair is reported, in the order of the evidence, once for the same figures."""
    found = find_conflicts(evidence("The fee is 5 EUR. The fee is 5 EUR.", "The fee is 7 EUR.", "The fee is 5 EUR."))

    assert [c.labels for c in found] == [("P1", "P2"), ("P2", "P3")]


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ({}, {}, NO_FAMILY),
        ({"doc_id": "x"}, {"doc_id": "x"}, None),
        ({"doc_id": ""}, {"doc_id": ""}, NO_FAMILY),
        ({"doc_id": "x", "edition": "1"}, {"doc_id": "x", "edition": "2"}, NO_FAMILY),
        ({"effective_from": date(2024, 1, 1)}, {}, f"{NO_FAMILY} (d1 is of 2024-01-01)"),
        ({"title": "Terms Germany"}, {"title": "Terms Austria"}, None),
        ({"title": "Hall rules 2024"}, {"title": "Hall rules 2025"}, NO_FAMILY),
        ({"title": "Hall rules"}, {"title": "Hall prices"}, NO_FAMILY),
        ({"section": "Germany"}, {"section": "Austria"}, None),
        ({"section": "4.2"}, {"section": "5.1"}, NO_FAMILY),
        ({"family": "f"}, {"family": "g"}, None),
        ({"family": "f"}, {}, NO_FAMILY),
        ({"family": "f", "edition": "1"}, {"family": "f", "edition": "1"}, "both are of one edition of family f"),
        ({"family": "f", "edition": "a"}, {"family": "f", "edition": "b"}, "a and b of family f have no date"),
        (
            {"family": "f", "edition": "a", "effective_from": date(2024, 1, 1)},
            {"family": "f", "edition": "b", "effective_from": date(2024, 1, 1)},
            "editions a and b of family f began on one day",
        ),
        ({"family": "f", "effective_from": date(2024, 1, 1)}, {"family": "f", "effective_from": date(2025, 1, 1)}, None),
        ({"family": "f", "edition": "a", "superseded_by": "b"}, {"family": "f", "edition": "b"}, None),
    ],
)
def test_what_decides(one: dict[str, Any], other: dict[str, Any], why: str | None) -> None:
    """A conflict is what neither document, family, date, link, title nor section decides; the reason is told."""
    found = find_conflicts([of(1, "The fee for the hall is 30 EUR.", **one), of(2, "The fee for the hall is 40 EUR.", **other)])

    assert [c.why for c in found] == ([] if why is None else [why])


def test_a_comparison_is_no_conflict() -> None:
    """Editions that the question compares are expected to differ."""
    both = evidence("The fee is 30 EUR.", "The fee is 40 EUR.", family="f")
    undecided = [of(1, "The fee is 30 EUR.", family="f", edition="a"), of(2, "The fee is 40 EUR.", family="f", edition="b")]

    assert (len(find_conflicts(both)), find_conflicts(undecided, compares_editions=True)) == (1, ())


@given(st.lists(st.text(max_size=60), max_size=5))
def test_takes_any_text(texts: list[str]) -> None:
    """Any texts can be compared, and the same texts have the same conflicts."""
    assert find_conflicts(evidence(*texts)) == find_conflicts(evidence(*texts))


@given(
    st.lists(st.sampled_from(["The fee is 3 EUR", "The fee is 4 EUR", "No fee", "\0", "\1", "\ud800 5", ". ", "\n"]), max_size=8)
)
def test_marks_in_texts_do_no_harm(parts: list[str]) -> None:
    """Characters that are used as marks do not move a sentence into another passage."""
    found = find_conflicts(evidence("".join(parts), "The fee is 9 EUR."))

    assert all(c.labels == ("P1", "P2") for c in found)
