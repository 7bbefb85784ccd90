"""Opposites: what is flagged, and what merely looks alike."""

from __future__ import annotations

from datetime import date

import pytest

from contextpack_core import check, pack

FLAGGED = [
    ("The hatch may not be opened at sea", "The hatch may be opened at sea."),
    ("Members pay no fee in May", "Members pay a fee in May."),
    ("The roof was sealed without glue", "The roof was sealed with glue."),
    ("舱门可以打开", "舱门不可以打开。"),
    ("Anna Berg hired Carl Dahl in May", "Carl Dahl hired Anna Berg in May."),
    ("Der Motor startet bei Frost", "Der Motor startet bei Frost nicht."),
]
CLEAR = [
    ("The fee is refundable", "The fee is refundable. The deposit is not refundable; the fee is not due."),
    ("The lid is red", "The lid is not only red but also hot."),
    ("The capital is Paris", "Paris is the capital."),
    ("The valve is shut", "The valve is shut, not the pump."),
    ("Either party may end it in May", "Either party may end it in May or when the other one is not able to pay in May."),
    ("Apples, pears and plums are sold", "Plums, pears and apples are sold."),
]


@pytest.mark.parametrize(("claim", "passage"), FLAGGED)
def test_an_opposite_is_a_problem(claim: str, passage: str) -> None:
    """A claim in a passage's own words that turns it round is a problem, which quotes the passage."""
    problems = check(f"{claim} [P1].", {"P1": passage}).problems

    assert [(p.kind, passage.rstrip(".。") in p.wanted) for p in problems] == [("opposite", True)]


@pytest.mark.parametrize(("claim", "passage"), CLEAR)
def test_what_only_looks_opposite_is_none(claim: str, passage: str) -> None:
    """A negation of something else, another order and a list are no problem."""
    assert check(f"{claim} [P1].", {"P1": passage}).problems == ()


def test_only_cited_passages_count() -> None:
    """A passage that is not cited contradicts nothing."""
    report = check(
        "The hatch may be opened at sea [P1].",
        {"P1": "The hatch may be opened at sea.", "P2": "The hatch may not be opened at sea."},
    )

    assert report.problems == ()


TERMS = (
    "The excess is 500 euros. The deductible is 750 euros. "
    "Appeals must be filed within 60 days. Reports must be filed within 30 days."
)


@pytest.mark.parametrize(
    ("answer", "flagged"),
    [
        ("Under the 2026 edition the deductible is 500 euros [P1].", True),
        ("Under the 2026 edition, the deductible is 750 euros [P1].", False),
        ("Under the 2026 edition the excess is 500 euros [P1].", False),
        ("In 2026 the deductible is 500 euros [P1].", True),
        ("In the version of 2026 the deductible is 500 euros [P1].", True),
        ("The deductible is currently 500 euros [P1].", True),
        ("The deductible is currently 750 euros [P1].", False),
        ("The deductible is 500 euros under the current policy [P1].", True),
        ("Yes, according to the policy the deductible is 750 euros [P1].", False),
        ("According to the policy, appeals must be filed within 30 days [P1].", True),
        ("Under the policy of another insurer the price is 500 euros [P1].", False),
    ],
)
def test_a_frame_around_a_claim_hides_nothing(answer: str, flagged: bool) -> None:
    """Which edition a claim speaks of, and since when, need not stand in the passage's sentence."""
    made = pack([{"text": TERMS, "doc_id": "d", "edition": "2026", "effective_from": "2026-01-01"}], as_of=date(2026, 6, 1))

    assert [problem.kind for problem in check(answer, made).problems] == (["opposite"] if flagged else [])


@pytest.mark.parametrize(
    ("claim", "passage", "opposite"),
    [
        ("The deductible is 500 euros", "The deductible is 250 euros and the excess is 500 euros.", True),
        ("Children aged 6 to 12 pay 12 euros", "Children aged 6 to 12 pay 8 euros, those aged 13 to 17 pay 12 euros.", True),
        ("Children aged 6 to 12 pay 8 euros", "Children aged 6 to 12 pay 8 euros, those aged 13 to 17 pay 12 euros.", False),
        (
            "The deductible is 250 euros for buildings",
            "The deductible is 500 euros for buildings and 250 euros for contents.",
            True,
        ),
        ("The deductible is 250 euros", "The deductible is 500 euros for buildings and 250 euros for contents.", False),
        ("Use port 443", "Use port 8443, not 443.", True),
        ("Use port 8443", "Use port 8443, not 443.", False),
        ("Use port 8443 and not 443", "Use port 8443, not 443.", False),
    ],
)
def test_another_figure_in_its_place_in_one_sentence(claim: str, passage: str, opposite: bool) -> None:
    """The claim's figure must stand where its words do; one that takes the place of the first stands there too."""
    assert (check(f"{claim} [P1].", {"P1": passage}).status == "FLAGGED") is opposite


@pytest.mark.parametrize(
    ("claim", "passage", "opposite"),
    [
        ("Notice must be given at most 60 days before", "Notice must be given at least 60 days before.", True),
        ("Store it above 40 °C", "Store it below 40 °C.", True),
        ("Do not store it above 40 °C", "Store it below 40 °C.", False),
        ("Do not store it below 40 °C", "Store it below 40 °C.", True),
        ("The maximum deposit is 100 euros", "The minimum deposit is 100 euros.", True),
        ("Files smaller than 2 GB are rejected", "Files larger than 2 GB are rejected.", True),
        ("Files up to 2 GB are accepted", "Files larger than 2 GB are rejected.", False),
        ("Die Laufzeit beträgt höchstens 24 Monate", "Die Laufzeit beträgt mindestens 24 Monate.", True),
        ("No more than 5 guests are allowed", "At most 5 guests are allowed.", False),
        ("Revenue fell 12%", "Revenue rose 12% to $4.5 billion.", True),
        ("Revenue fell 12%", "Revenue rose 5% in May. Later the drop was 12%.", False),
        ("Der Gewinn stieg um 8 Prozent", "Der Gewinn ist um 8 Prozent gesunken.", True),
        ("Orders under 50 euros ship free", "Orders over 50 euros ship free.", True),
        ("Cover applies if the house is empty", "Cover does not apply if the house is empty.", True),
        ("Cover applies if the house is let", "Cover does apply if the house is let.", False),
        ("Ab Version 11.3 wird TLS unterstützt", "TLS wird ab Version 11.3 unterstützt.", False),
    ],
)
def test_a_word_for_its_opposite(claim: str, passage: str, opposite: bool) -> None:
    """At most for at least, over for under, fell for rose turn a claim round, and with a negation more back again."""
    problems = check(f"{claim} [P1].", {"P1": passage}).problems

    assert [problem.kind for problem in problems] == (["opposite"] if opposite else [])
