"""What a structured answer declares: each claim checked by itself, and its labels where the text has no marks."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextpack_core import CitationSettings, GroundedAnswer, GroundedClaim, LexicalJudge, Pack, check, pack

SOURCES = {"P1": "The water deductible is 500 euros per event.", "P2": "Claims are reported within 14 days."}


def claim(text: str, *labels: str, quote: str | None = None) -> GroundedClaim:
    """A declared claim."""
    return GroundedClaim(text=text, labels=list(labels), quote=quote)


def problems(answer: str, *claims: GroundedClaim, sources: object = SOURCES, **settings: str) -> list[str]:
    """The problems of a structured answer."""
    given = GroundedAnswer(answer=answer, claims=list(claims))
    report = check(given, sources, settings=CitationSettings(**settings))  # type: ignore[arg-type]
    assert (report.status == "GROUNDED") is not bool(report.problems)
    return [str(problem) for problem in report.problems]


@pytest.mark.parametrize(
    ("answer", "claims"),
    [
        ("It is 500 euros.", [claim("It is 500 euros", "P1", quote="deductible is 500 euros")]),
        ("It is 500 euros [P1].", [claim("It is 500 euros", "P1")]),
        (
            "It is **500** euros [P1], reported within 14 days [P2].",
            [claim("it is 500 euros, reported within 14 days.", "P1", "P2")],
        ),
        ("It is 500 euros.", [claim("It is 500 euros", "p1")]),
        ("It is 500 euros.", [claim("It is 500 euros [P1].")]),
        ("It is 500 euros [P1].", [claim("The deductible is 500 euros")]),
        (
            "500 euros. Reported within 14 days.",
            [claim("A deductible of 500 euros", "P1"), claim("One has 14 days to report", "P2")],
        ),
        ("Both hold: see there.", [claim("The deductible is 500 euros", "P1")]),
        ("It is 500 euros, within 14 days.", [claim("It is 500 euros", "P1"), claim("within 14 days", "P2")]),
        ("It is 500 euros [P1]. The passages do not mention theft.", [claim("The passages do not mention theft.")]),
    ],
)
def test_right_labels_serve_the_text(answer: str, claims: list[GroundedClaim]) -> None:
    """Word for word, in other type, as a part of a sentence, in other words; with marks in the text and without."""
    assert problems(answer, *claims) == []


@pytest.mark.parametrize(
    ("answer", "claims", "wanted"),
    [
        (
            "See claims.",
            [claim("The deductible is 900 euros", "P1")],
            ["in the declared claim “The deductible is 900 euros”: “900 euros” stands in no passage: P1 has 500 euros"],
        ),
        (
            "It is 500 euros [P1].",
            [claim("Storm has a deductible of 900 euros", "P1")],
            ["in the declared claim “Storm has a deductible of 900 euros”: “900 euros” stands in no passage: P1 has 500 euros"],
        ),
        (
            "It is 500 euros [P1].",
            [claim("The deductible is 900 euros")],
            ["in the declared claim “The deductible is 900 euros”: “900 euros” stands in no passage: P1 has 500 euros"],
        ),
        (
            "It is 500 euros, within 14 days.",
            [claim("It is 500 euros", "P2"), claim("within 14 days", "P1")],
            [
                "in the declared claim “It is 500 euros”: “500 euros” stands in another passage than the cited one: stands in P1, "
                "not in what is cited",
                "in the declared claim “within 14 days”: “14 days” stands in another passage than the cited one: stands in P2, "
                "not in what is cited",
            ],
        ),
        (
            "It is 900 euros.",
            [claim("It is 900 euros", "P1")],
            ["“900 euros” stands in no passage: P1 has 500 euros"],
        ),
        (
            "It is 500 euros [P1].",
            [claim("It is 500 euros", "P1", quote="deductible is 900 euros")],
            ["the quotation “deductible is 900 euros” stands in no passage: nearest in P1: “900” is “500” there"],
        ),
        (
            "It is 500 euros [P1].",
            [claim("The water deductible is not 500 euros per event", "P1")],
            [
                "“The water deductible is not 500 euros per event” says the opposite of P1: there it reads “The water deductible "
                "is 500 euros per event.”"
            ],
        ),
        (
            "It is 500 euros [P1].",
            [claim("The moon is made of cheese")],
            ["“The moon is made of cheese” has no citation: cite the passage that says so, or leave it out"],
        ),
    ],
)
def test_each_claim_is_checked_by_its_own_labels(answer: str, claims: list[GroundedClaim], wanted: list[str]) -> None:
    """Figures, quotations and words, wherever the claim stands in the text, or not; what the text has already is said once."""
    assert problems(answer, *claims) == wanted


def test_the_mark_that_a_reader_sees_decides() -> None:
    """A statement with a mark is checked by it alone, and a claim that declares another label is a problem of its own."""
    assert problems("It is 500 euros [P2].", claim("It is 500 euros", "P1")) == [
        "“It is 500 euros” is marked with P2 in the answer, and declared with P1: cite the passage that says so in both places",
        "“500 euros” stands in another passage than the cited one: stands in P1, not in what is cited",
    ]
    assert problems("It is fixed [P2].", claim("It is fixed", "P1")) == [
        "“It is fixed” is marked with P2 in the answer, and declared with P1: cite the passage that says so in both places"
    ]


def test_a_made_up_label_is_a_problem_beside_any_mark() -> None:
    """The text cites P1, the claim P9."""
    assert problems("It is fixed [P1].", claim("It is fixed", "P9")) == ["P9 names no passage: P9 is no label (there are P1, P2)"]


def test_a_claim_serves_only_what_it_says() -> None:
    """A sentence that no claim restates needs its own citation."""
    cheese = "“The moon is cheese.” has no citation: cite the passage that says so, or leave it out"

    assert problems("It is 500 euros [P1]. The moon is cheese.", claim("the deductible amounts to 500 euros", "P1")) == [cheese]
    assert problems("It is 500 euros. The moon is cheese.", claim("It is 500 euros", "P1")) == [cheese]
    assert problems("It is 500 euros [P1]. The moon is cheese.", claim("Water flows", "P1")) == [cheese]


@pytest.mark.parametrize(
    ("answer", "claims", "labels"),
    [
        ("It is 50 days. It is 5 days.", [claim("It is 5", "P1")], [(), ("P1",)]),
        ("It is 5 days. It is so. It is 5 days.", [claim("It is 5 days", "P1")], [("P1",), (), ("P1",)]),
        ("So: 500. And: 14.", [claim("The amount is 500", "P1"), claim("The time is 14", "P2")], [("P1",), ("P2",)]),
        (
            "Water has a deductible of 500 euros for each event. Claims are reported within 14 days.",
            [claim("A deductible of 500 euros applies for each event of water; claims are to be reported in 14 days", "P1", "P2")],
            [("P1", "P2"), ("P1", "P2")],
        ),
        ("Yes, it does.", [claim("Water counts", "P1")], [("P1",)]),
        ("No, it is not.", [claim("Theft is excluded", "P1")], [("P1",)]),
        ("Yes, it does. It is so.", [claim("Water counts", "P1")], [(), ()]),
        ("You never pay anything.", [claim("The deductible is 500 euros", "P1")], [()]),
        ("You never pay. Everything is free.", [claim("The deductible is 500 euros", "P1")], [(), ()]),
        ("No deductible applies at all.", [claim("The deductible is 500 euros", "P1")], [()]),
        ("Water is not covered.", [claim("Water is covered", "P1")], [()]),
        ("Wasser ist nicht versichert.", [claim("Wasser ist versichert", "P1")], [()]),
        ("Claims can be reported at any time.", [claim("Claims are reported within 14 days", "P2")], [()]),
        ("Claims can always be reported.", [claim("Claims are reported within 14 days", "P2")], [()]),
        ("The deductible is 900 euros.", [claim("The deductible amounts to 500 euros", "P1")], [()]),
        ("Theft is excluded, and the deductible is 500 euros.", [claim("The deductible is 500 euros", "P1")], [()]),
        ("The deductible is 500 euros; theft is excluded.", [claim("The deductible is 500 euros", "P1")], [()]),
        ("Theft is excluded and the deductible amounts to 500 euros.", [claim("The deductible is 500 euros", "P1")], [()]),
        (
            "Diebstahl ist nicht dabei, und der Selbstbehalt beträgt 500 Euro.",
            [claim("der Selbstbehalt beträgt 500 Euro", "P1")],
            [()],
        ),
        ("Theft is excluded, the deductible is 500 euros.", [claim("The deductible is 500 euros", "P1")], [()]),
        ("The deductible is 500 euros – theft is excluded.", [claim("The deductible is 500 euros", "P1")], [()]),
        ("Theft is excluded, although the deductible is 500 euros.", [claim("The deductible is 500 euros", "P1")], [()]),
        ("Water is covered and fire is covered.", [claim("Water is covered", "P1")], [()]),
        ("If water is the cause, the deductible is 500 euros.", [claim("The deductible is 500 euros", "P1")], [("P1",)]),
        ("According to the policy, the deductible is 500 euros.", [claim("The deductible is 500 euros", "P1")], [("P1",)]),
        ("Yes, and the deductible is 500 euros.", [claim("The deductible is 500 euros", "P1")], [("P1",)]),
        ("Theft is covered.", [claim("Theft of bicycles is covered where they are locked to a fixed object", "P1")], [("P1",)]),
        (
            "The deductible is 500 euros, and claims are reported within 14 days.",
            [claim("The deductible is 500 euros", "P1"), claim("Report your claims within 14 days", "P2")],
            [("P1", "P2")],
        ),
    ],
)
def test_which_statements_a_claim_serves(answer: str, claims: list[GroundedClaim], labels: list[tuple[str, ...]]) -> None:
    """Those in which it stands, as whole words, wherever, or that restate it and add nothing; else the one short answer."""
    report = check(GroundedAnswer(answer=answer, claims=claims), SOURCES)

    assert [statement.labels for statement in report.claims] == labels


def test_a_part_of_a_sentence_is_checked_by_itself() -> None:
    """The rest of the sentence does not hide what it says."""
    answer = "The water deductible is not 500 euros per event, which is why a lock matters to most of the tenants [P1]."
    part = "The water deductible is not 500 euros per event"

    assert problems(answer) == []
    assert [found.partition(":")[0] for found in problems(answer, claim(part, "P1"))] == [f"“{part}” says the opposite of P1"]


def test_a_negation_cut_off_beside_a_declared_quotation() -> None:
    """It leaves out what changes its meaning, unless the claim denies in its own words or the quotation has the negation."""
    sources = {"P1": "We will not pay for damage that existed before the policy began."}
    cut, whole = "pay for damage that existed before the policy began", sources["P1"].rstrip(".")

    assert problems("Old damage is paid for [P1].", claim("Old damage is paid for", "P1", quote=cut), sources=sources) == [
        f"the quotation “{cut}” leaves out what changes its meaning: it was cut off beside “not”"
    ]
    assert problems("We do not pay for it [P1].", claim("We do not pay for it", "P1", quote=cut), sources=sources) == []
    assert problems("Old damage is left out [P1].", claim("Old damage is left out", "P1", quote=whole), sources=sources) == []


def test_a_required_quotation_is_one_that_is_declared() -> None:
    """It counts where its claim stands."""
    answer = "It is 500 euros [P1]."

    assert problems(answer, claim("It is 500 euros", "P1", quote="deductible is 500 euros"), quotes="required") == []
    assert problems(answer, claim("It is 500 euros", "P1"), quotes="required") == [
        "“It is 500 euros [P1].” quotes nothing: quote the words that support it"
    ]
    assert problems("It is 500 euros, as you may know [P1].", claim("It is 500 euros", "P1"), quotes="required") == [
        "“It is 500 euros, as you may know [P1].” quotes nothing: quote the words that support it"
    ]
    assert problems('It is "500 euros per event" [P1].', claim("The deductible is 500 euros", "P1"), quotes="required") == [
        "“The deductible is 500 euros” quotes nothing: quote the words that support it"
    ]


def test_the_report_has_reports_on_claims() -> None:
    """With spans of the claim; a claim that is a statement of the text, and has its labels, is checked there."""
    given = GroundedAnswer(answer="It is 500 euros.", claims=[claim("It is 500 euros.", "P1"), claim("Storm: 900 euros", "P1")])
    report = check(given, SOURCES)

    assert report.to_dict()["declared"] == [r.to_dict() for r in report.declared]
    assert [(r.answer, r.status.value, [f.text for f in r.figures]) for r in report.declared] == [
        ("Storm: 900 euros", "FLAGGED", ["900 euros"])
    ]


def test_a_judge_sees_the_sentence_whose_label_is_declared() -> None:
    """A label beside the text takes nothing out of it."""
    given = GroundedAnswer(answer="The water deductible is 500 euros.", claims=[claim("The water deductible is 500 euros", "P1")])
    report = check(given, SOURCES, judge=LexicalJudge())

    assert report.support is not None
    assert [verdict.label.value for verdict in report.support] == ["supported"]


def two_sides() -> Pack:
    """Two passages that disagree."""
    texts = {"a": "The hoist carries 630 kg at most.", "b": "The hoist carries 450 kg at most."}
    return pack([{"id": k, "text": t, "metadata": {"doc_id": k}} for k, t in texts.items()], as_of=date(2026, 1, 1))


def test_both_sides_of_a_conflict_may_be_two_claims() -> None:
    """One of them alone follows one side."""
    both = [claim("The hoist carries 630 kg", "P1"), claim("The hoist carries 450 kg", "P2")]

    assert problems("The sources disagree.", *both, sources=two_sides()) == []
    assert problems("See there.", both[0], sources=two_sides()) != []


WORDS = st.lists(
    st.sampled_from(["The fee", "is", "5 euros", "[P1]", "P1", "and", ".", "\n", "* ", "50", "euros."]), max_size=8
).map(" ".join)


@given(st.lists(WORDS, max_size=4), st.lists(st.sampled_from(["P1", "P2", "P9"]), max_size=2), WORDS)
def test_no_figure_is_grounded_that_stands_in_no_passage(texts: list[str], labels: list[str], answer: str) -> None:
    """In the text or in any claim, however the two are like each other; spans lie in the text."""
    given = GroundedAnswer(answer=answer, claims=[claim(text, *labels) for text in texts])
    report = check(given, {"P1": "The fee is 7 euros.", "P2": "Nothing but words."})

    assert report.status != "GROUNDED" or not any("5 euros" in text for text in [answer, *texts])
    assert all(0 <= c.span.start <= c.span.end <= len(report.answer) for c in report.citations)
