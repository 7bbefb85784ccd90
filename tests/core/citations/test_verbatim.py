"""Claims that stand word for word in a passage."""

import pytest

from contextpack_core import check
from contextpack_core.citations.verbatim import find_verbatim


@pytest.mark.parametrize(
    ("text", "passage", "found"),
    [
        ("Use port 8443, not 443.", "Use port 8443, not 443.", "Use port 8443, not 443"),
        ("“Use port 8443”", "Please **use** port\n8443 here.", "use** port\n8443"),
        ("the excess is 50", "the excess is 500", None),
        ("Use port", "Use port 8443.", None),
        ("We pay all damage", "We do not.", None),
        ("you pay the excess", "Never do you pay the excess twice. Then you pay the excess.", "you pay the excess"),
    ],
)
def test_find_verbatim(text: str, passage: str, found: str | None) -> None:
    """Typography aside, three words and more are found as whole words and numbers, first where no negation is cut off."""
    place = find_verbatim(text, passage)

    assert (None if place is None else passage[place[0] : place[1]]) == found


def test_a_place_without_a_negation_comes_first() -> None:
    """Where the words stand twice, the place that no negation bears on is taken."""
    passage = "They never pay the excess twice. You pay the excess twice."

    assert find_verbatim("pay the excess twice", passage) == (37, 57)


@pytest.mark.parametrize(
    "text",
    [
        "Use port 8443, not 443.",
        "Use TLS 1.3, not 1.2.",
        "Nicht 443, sondern 8443 ist der Port.",
        "Section 4.2, not section 4.3, applies to tenants.",
        "We pay, but not more than 2,500 euros.",
        "Plus is 2.5 times Basic (10,000 EUR).",
        "Zahlbar bis 30.06., nicht bis 30.07.",
        "Keep it below 8 °C, never at 25 °C.",
        "The Minister (10,000) and the 2nd of 3 (1/2) are no figures.",
    ],
)
def test_what_a_passage_says_word_for_word_has_no_fault(text: str) -> None:
    """A claim that is the passage's own sentence is never flagged, for its figures or as its opposite."""
    report = check(f"{text.rstrip('.')} [P1].", {"P1": text})

    assert (report.status, report.problems) == ("GROUNDED", ())


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("Use port 443", "Never use port 443."),
        ("Use TLS 1.2 here", "Use TLS 1.3, do not use TLS 1.2 here."),
        ("Der Motor startet im Winter", "Der Motor startet im Winter nicht."),
    ],
)
def test_a_claim_that_cuts_off_a_negation_is_an_opposite(claim: str, passage: str) -> None:
    """Standing word for word clears no claim whose negation was left out at its edge."""
    report = check(f"{claim} [P1].", {"P1": passage})

    assert [problem.kind for problem in report.problems] == ["opposite"]


def test_may_is_no_negation() -> None:
    """The German month Mai, spelled like the Italian "never", turns no sentence around."""
    report = check("Die Frist endet am 15.05.2026, 18:00 Uhr [P1].", {"P1": "Die Frist endet am 15. Mai 2026 um 18 Uhr."})

    assert (report.status, report.problems) == ("GROUNDED", ())
