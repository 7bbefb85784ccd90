"""How alike two texts are, and what they differ in."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contextpack_core.likeness import Difference, alike_wordings, difference, says_no_more, wording

SEAL = "The new seal would improve the flow at full load in all nine units of plant A."


def test_words_are_folded_and_marks_are_what_counts() -> None:
    """Figures, limits, names, single letters and signs are marks; articles and plain words are none."""
    found = wording("The pump P-7 runs at 1.5 bar, isn't it? Only wire b > 3.")

    assert found.words == ("the", "pump", "p", "7", "runs", "at", "1.5", "bar", "isn't", "it", "?", "only", "wire", "b", ">", "3")
    assert found.marks == ("p", "7", "1.5", "isn't", "?", "only", "b", ">", "3")


@pytest.mark.parametrize(
    "other",
    [
        "The new seal, would improve the flow – at full load – in all nine units of plant A",
        "A new seal would improve the flow at full load in all nine units of the plant A.",
        "The new seal would also improve the flow at full load in all nine units of plant A.",
        "**The new seal** would improve the flow\nat full load in all nine units of plant A.",
        "The new seal would greatly improve the flow at full load in all nine units of plant A.",
    ],
)
def test_layout_articles_and_an_added_word_say_no_more(other: str) -> None:
    """Two texts that differ in layout, in articles or in an added plain word stand for each other."""
    assert (says_no_more(wording(other), wording(SEAL)), says_no_more(wording(SEAL), wording(other))) == (True, True)


@pytest.mark.parametrize(
    "other",
    [
        SEAL.replace("would", "would not"),
        SEAL.replace("would", "wouldn't"),
        SEAL.replace("nine", "eight"),
        SEAL.replace("nine", "9"),
        SEAL.replace("plant A", "plant B"),
        SEAL.replace("full", "part"),
        SEAL.replace("improve", "worsen"),
        SEAL.replace("would", "could"),
        SEAL.replace("all nine", "nine"),
        SEAL.replace("plant A.", "plant A, except one."),
        SEAL.replace("A.", "A?"),
        SEAL.replace("flow", "unpaid flow"),
        SEAL.replace("the flow", "the flow in Rome"),
        SEAL.replace("flow", "flow rate through valves"),
        "At full load the new seal would improve the flow in all nine units of plant A.",
    ],
)
def test_what_differs_in_content_does_not_stand_in(other: str) -> None:
    """A figure, name, negation, limit or condition, a replaced, moved or newly stated thing is a difference in content."""
    assert not says_no_more(wording(other), wording(SEAL))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Der Vertrag endet am 3. Mai im Norden.", "Der Vertrag endet nicht am 3. Mai im Norden."),
        ("Le contrat prend fin en mai dans le nord.", "Le contrat ne prend pas fin en mai dans le nord."),
        ("El plan cubre los gastos con recibo original.", "El plan cubre los gastos sin recibo original."),
        ("该合同对所有客户都有效", "该合同对所有客户都不有效"),
        ("Договор действует для всех", "Договор не действует для всех"),
        ("loop while a < b holds for the item", "loop while a > b holds for the item"),
        ("connect wire a to the upper terminal", "connect wire b to the upper terminal"),
        ("the fee is $5 for each moved unit", "the fee is €5 for each moved unit"),
        ("the value is -5 at the lower end", "the value is 5 at the lower end"),
        ("error E1042 means the filter is blocked", "error E1043 means the filter is blocked"),
        ("authorised people open the cabinet", "unauthorised people open the cabinet"),
    ],
)
def test_other_languages_and_signs_count_too(a: str, b: str) -> None:
    """Negations of other languages, letters of other scripts, operators, currencies and identifiers are differences."""
    assert (says_no_more(wording(a), wording(b)), says_no_more(wording(b), wording(a))) == (False, False)


def test_spelling_of_two_countries_is_one() -> None:
    """British and American spelling say the same."""
    british, american = (
        "the colour of the centre labelled by the organisation",
        "the color of the center labeled by the organization",
    )

    assert says_no_more(wording(british), wording(american))


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("Pay 1,000 EUR within 30 days.", "Pay 1000 EUR within 14 days.", Difference(figures=(("30 days",), ("14 days",)))),
        ("The limit is 12 bar.", "The limit is 12 psi.", Difference(figures=(("12 bar",), ("12 psi",)))),
        ("A load of 5 MW", "A load of 5 mW", Difference(figures=(("5 MW",), ("5 mW",)))),
        ("It holds -3 °C", "It holds 3 °C", Difference(figures=(("-3 °C",), ("3 °C",)))),
        ("It costs $5", "It costs 5%", Difference(figures=(("$5",), ("5%",)))),
        ("All nine run", "All eight run", Difference(figures=(("nine",), ("eight",)))),
        ("It may be used", "It may not be used", Difference(negation=True, words=((), ("not",)))),
        ("a legal act", "an illegal act", Difference(negation=True, words=(("legal",), ("illegal",)))),
        ("from Rome to the coast", "from Paris to the coast", Difference(names=(("Rome",), ("Paris",)))),
        ("the door is open", "the door is closed", Difference(words=(("open",), ("closed",)))),
        ("The same, here.", "the same – here", Difference()),
    ],
)
def test_the_difference_names_what_differs(a: str, b: str, expected: Difference) -> None:
    """Figures come with sign and unit, names and other words beside them, and a negation is noticed."""
    assert difference(a, b) == expected
    assert bool(difference(a, b)) == (expected != Difference())


def test_alike_pairs_in_order() -> None:
    """Each pair comes once, the first text first, with twice the shared words by all words."""
    texts = ["a b c d e f g", "a b c d e f h", "", "x", "A, b, c, d, e, f, g!"]

    assert alike_wordings([wording(text) for text in texts], 0.8) == [(0, 1, 6 / 7), (0, 4, 1.0), (1, 4, 6 / 7)]


def test_texts_of_one_template_lead_to_no_pair_beyond_a_limit() -> None:
    """With a limit, words that too many texts share do not make them partners; what shares a rare word still is found."""
    texts = [f"press the {chr(97 + k)}x{'y' * k} button and wait for the lamp of the panel" for k in range(20)]
    found = [wording(text) for text in [*texts, texts[7]]]

    assert (7, 20, 1.0) in alike_wordings(found, 0.9, most_holders=3)
    assert len(alike_wordings(found, 0.9, most_holders=3)) < len(alike_wordings(found, 0.9))


words = st.lists(st.sampled_from(["ab", "ba", "cd", "dc", "ef", "fe", "gh", "hg", "ij", "ji", "kl"]), max_size=12)


@settings(max_examples=200)
@given(st.lists(words, max_size=8), st.sampled_from([0.0, 0.3, 0.5, 0.75, 0.9, 0.92, 1.0]))
def test_no_alike_pair_is_missed(texts: list[list[str]], near: float) -> None:
    """The filter by rare words finds what comparing each with each finds, among texts that share a word."""
    expected = [
        (i, j, 2 * shared / (len(a) + len(b)))
        for (i, a), (j, b) in combinations(enumerate(texts), 2)
        if (shared := (Counter(a) & Counter(b)).total()) and 2 * shared / (len(a) + len(b)) >= near
    ]

    found = [pair for pair in alike_wordings([wording(" ".join(text)) for text in texts], near) if pair[2]]

    assert found == expected


@given(st.text(), st.text())
def test_a_difference_goes_both_ways(a: str, b: str) -> None:
    """Exchanging the texts exchanges the sides, for any text; a text does not differ from itself."""
    there, back = difference(a, b), difference(b, a)

    assert (there.figures, there.names, there.words) == (back.figures[::-1], back.names[::-1], back.words[::-1])
    assert there.negation == back.negation
    assert difference(a, a) == Difference()
