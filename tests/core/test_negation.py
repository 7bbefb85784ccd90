"""Negations in several languages."""

import pytest

from contextpack_core.likeness import wording
from contextpack_core.negation import DENYING, negations


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It is not so, and nobody can't say no.", ("not", "nobody", "not", "no")),
        ("It isn’t known to be noted or nothing-like.", ("not", "nothing")),
        ("Das ist kein Hut, nicht ohne Grund.", ("kein", "nicht", "ohne")),
        ("Il ne va pas.", ("ne", "pas")),
        ("不可能没有", ("不", "没")),
        ("使えません", ("ません",)),
        ("Knots and notes are north of Norway.", ()),
    ],
)
def test_negations(text: str, found: tuple[str, ...]) -> None:
    """The words that negate, in order and in lower case; words that only hold their letters do not."""
    assert negations(text) == found


def test_what_denies_keeps_two_texts_apart() -> None:
    """Every negation is among the words that no two duplicates may differ in."""
    assert [word for word in sorted(DENYING) if wording(word).marks != wording(word).words] == []
    assert {"not", "ohne", "jamais", "fail", "prohibited"} <= DENYING
