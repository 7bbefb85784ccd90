"""Per what a figure is meant."""

import pytest

from contextpack_core import check
from contextpack_core.citations.figures.rates import period_of, rate_of, rates_agree
from contextpack_core.citations.figures.scan import scan


@pytest.mark.parametrize(
    ("text", "rate"),
    [
        ("It is EUR 100 per month.", {"month"}),
        ("It is $20/hour.", {"hour"}),
        ("It is 60 euros a year.", {"year"}),
        ("It is 60 euros p.a.", {"year"}),
        ("Send 100 requests per second.", {"second"}),
        ("It is 10 euros per person per night.", {"person", "night"}),
        ("It is 10 euros for each person.", {"person"}),
        ("It is 500 euros per calendar year.", {"year"}),
        ("Es sind 12,50 Euro monatlich.", {"month"}),
        ("Es sind monatlich 12,50 Euro.", {"month"}),
        ("Es sind 500 Euro Selbstbeteiligung je Schadenfall.", {"claim"}),
        ("Der Jahresbeitrag beträgt 60 Euro.", {"year"}),
        ("The monthly fee is 60 euros.", {"month"}),
        ("C'est 12 euros par mois.", {"month"}),
        ("It is 12 euros per tile.", {"tile?"}),
        ("It is 12 euros per insurance year.", {"year"}),
        ("It is 12 euros per person and night.", {"person", "night"}),
        ("It is 12 euros per person and costs more.", {"person"}),
        ("Es sind 12 Euro je Kalenderjahr.", {"year"}),
        ("Es sind 12 Euro pro Nacht und Person.", {"person", "night"}),
        ("The monthly report, 60 pages long.", set()),
        ("Pay monthly. It is 60 euros.", set()),
        ("Es waren 60 Euro im Jahr 2025.", set()),
        ("It is 60 euros.", set()),
    ],
)
def test_rate_of(text: str, rate: set[str]) -> None:
    """The denominator stands behind the figure, or over an amount of money in the same clause; a dated year is none."""
    assert rate_of(scan(text)[0], text) == rate


@pytest.mark.parametrize(
    ("one", "other", "agree"),
    [
        ({"month"}, {"month"}, True),
        ({"month"}, set(), True),
        ({"night"}, {"person", "night"}, True),
        ({"month"}, {"year"}, False),
        ({"year"}, {"claim"}, False),
        ({"person"}, {"group"}, False),
        ({"traveller?"}, {"person"}, True),
        ({"traveller?"}, {"year"}, False),
        ({"person", "night"}, {"head?", "night"}, True),
    ],
)
def test_rates_agree(one: set[str], other: set[str], agree: bool) -> None:
    """A rate that one side leaves out, and a thing without a known name, are no contradiction."""
    assert rates_agree(frozenset(one), frozenset(other)) is agree


def test_period_of() -> None:
    """Of what a figure is meant per, the span of time."""
    assert (period_of(frozenset({"person", "night"})), period_of(frozenset({"person"}))) == ("night", "")


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("The fee is EUR 100 per month", "The fee is EUR 100 per year."),
        ("The excess is EUR 500 per year", "The excess is EUR 500 per claim."),
        ("The limit is 100 requests per second", "The limit is 100 requests per minute."),
        ("Der Beitrag ist 12,50 Euro jährlich", "Der Beitrag ist 12,50 Euro monatlich."),
        ("The monthly fee is 60 euros", "The fee is 60 euros a year."),
    ],
)
def test_another_denominator_is_not_supported(claim: str, passage: str) -> None:
    """A figure that the passage has per something else stands nowhere; with the passage's own words, or none, it is supported."""
    wrong = check(f"{claim} [P1].", {"P1": passage}).figures
    right = check(f"{passage.rstrip('.')} [P1].", {"P1": passage}).figures

    assert [figure.status for figure in wrong] == ["UNSUPPORTED"]
    assert "P1 has “" in wrong[0].detail
    assert [figure.status for figure in right] == ["SUPPORTED"]


def test_a_rate_asked_about_is_not_restated() -> None:
    """What the passage contradicts does not come from the question."""
    report = check("It is EUR 100 per month [P1].", {"P1": "It is EUR 100 per year."}, question="Is it EUR 100 per month?")

    assert [figure.status for figure in report.figures] == ["UNSUPPORTED"]
