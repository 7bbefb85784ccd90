"""Whether a statement restates a declared claim."""

from __future__ import annotations

import pytest

from contextpack_core import Span
from contextpack_core.citations.restating import Said, clauses, is_of


@pytest.mark.parametrize(
    ("claim", "statement", "share"),
    [
        ("Theft is covered", "Theft is covered", 2.0),
        ("Theft of bicycles is covered everywhere", "Theft is covered", 1.5),
        ("Theft is covered", "Theft is not covered", 0.0),
        ("The fee is no more than 5 euros", "The fee is at most 5 euros", 2.0),
        ("The fee is 5 euros", "The fee is 6 euros", 0.0),
        ("The fee is 5 euros", "A fee has to be paid", 0.0),
        ("Fire", "Theft of bicycles", 0.0),
        ("", "", 0.0),
    ],
)
def test_how_much_a_statement_restates(claim: str, statement: str, share: float) -> None:
    """The sum of the shares of both, and nothing where they differ in a figure or a negation, or one leaves the figure out."""
    assert Said(claim).restated_by(Said(statement)) == share


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Theft is excluded, and the fee is 5 euros.", ["Theft is excluded", "the fee is 5 euros."]),
        ("Feuer ist versichert; Diebstahl aber nicht.", ["Feuer ist versichert", " Diebstahl", "nicht."]),
        ("不赔偿盗窃，但赔偿火灾。", ["不赔偿盗窃", "赔偿火灾。"]),
        ("Sand and", ["Sand and"]),
        (
            "Fire is covered, theft is not, as it says.",
            ["Fire is covered, theft is not, as it says.", "Fire is covered", " theft is not"],
        ),
        ("With fire, theft and water.", ["With fire, theft", "water."]),
    ],
)
def test_the_clauses_of_a_statement(text: str, parts: list[str]) -> None:
    """They stand between words that add one to another."""
    assert [text[part.start : part.end] for part in clauses(text, Span(0, len(text)))] == parts


def test_what_a_clause_says_of_its_own() -> None:
    """One word, or half of the words elsewhere, are nothing; where a claim stands beside it, it takes more than half."""
    assert not is_of({"fire", "fee"}, {"theft", "fee"}, more_than_half=True)
    assert [is_of(clause, {"theft", "fee"}) for clause in ({"fire"}, {"fire", "fee"}, {"fire", "water", "fee"})] == [
        True,
        True,
        False,
    ]
