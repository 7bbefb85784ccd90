"""Claims: kinds, labels and places, on texts that no case file holds."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contextpack_core import ClaimKind, split_claims
from tests import hostile

PARTS = [
    "It is so",
    ". ",
    "! ",
    "? ",
    " [P1]",
    "[P2]",
    "\n",
    "\n\n",
    "- ",
    "1. ",
    "| a | b |",
    "|---|",
    "# ",
    "```",
    "**b**",
    "e.g. ",
    '"',
    "。",
    "弁は",
    ": ",
    "Sources:",
]
answers = st.lists(st.sampled_from(PARTS), max_size=25).map("".join)


@given(answers)
@settings(max_examples=200, deadline=None)
def test_claims_stand_where_they_say(text: str) -> None:
    """Each claim's text is what stands at its span; claims are in order, apart, and not empty."""
    claims = split_claims(text)

    assert [text[c.span.start : c.span.end] for c in claims] == [c.text for c in claims]
    assert all(a.span.end <= b.span.start for a, b in pairwise(claims))
    assert all(any(char.isalnum() for char in c.text) for c in claims)


def test_kinds() -> None:
    """Questions, lead-ins and pleasantries are told from statements."""
    claims = split_claims("Yes. Is it shut? These leak:\n- the pump\n\nThe lid is shut. Let me know if you need more.")

    assert [(c.text, c.kind) for c in claims] == [
        ("Yes.", ClaimKind.REMARK),
        ("Is it shut?", ClaimKind.QUESTION),
        ("These leak:", ClaimKind.LEAD_IN),
        ("the pump", ClaimKind.STATEMENT),
        ("The lid is shut.", ClaimKind.STATEMENT),
        ("Let me know if you need more.", ClaimKind.REMARK),
    ]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("If you have more questions, let me know.", ClaimKind.REMARK),
        ("If you need anything else, just ask.", ClaimKind.REMARK),
        ("If you have a dog, theft is excluded.", ClaimKind.STATEMENT),
        ("If you need help, you get it for free.", ClaimKind.STATEMENT),
    ],
)
def test_an_offer_is_told_from_a_condition(text: str, kind: ClaimKind) -> None:
    """A sentence that only offers help is a pleasantry; one that begins alike and states something is a statement."""
    assert [claim.kind for claim in split_claims(text)] == [kind]


def test_items_inherit_what_introduces_them() -> None:
    """Items below a cited line have its labels unless they cite themselves; the paragraph after the list has not."""
    claims = split_claims("Both leak [P1]:\n- the pump\n- the valve [P2]\n\nThe lid is shut.")

    assert [c.labels for c in claims] == [("P1",), ("P1",), ("P2",), ()]


def test_a_mark_on_its_own_line_looks_back_over_a_blank_line() -> None:
    """Marks alone belong to the statement before them, and its span reaches to them."""
    text = "The drum is empty.\n\n[P2]\n\nThe lid is shut."
    claims = split_claims(text)

    assert [(c.text, c.labels) for c in claims] == [("The drum is empty.\n\n[P2]", ("P2",)), ("The lid is shut.", ())]


@pytest.mark.parametrize("unit", hostile.CLAIMS)
def test_a_claim_after_a_long_text(unit: str) -> None:
    """Whatever stands in a hundred thousand characters before it, it is a claim of its own with its own label."""
    last = split_claims(f"{hostile.many(unit, 100_000)}\n\nThe lid is shut [P7].")[-1]

    assert (last.text, last.labels) == ("The lid is shut [P7].", ("P7",))
