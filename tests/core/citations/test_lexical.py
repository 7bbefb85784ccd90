"""The judge that needs no model."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextpack_core import LexicalJudge, Support, SupportLabel

PASSAGE = "The grant of 24,750 euro is paid by the city in January 2026. Owners must not open the hatch at sea. It has 116 reviews."

VERDICTS = [
    ("The city pays the grant in January 2026.", SupportLabel.SUPPORTED),
    ("The city paid grants.", SupportLabel.SUPPORTED),
    ("The grant of 24750 euros is paid by the city.", SupportLabel.SUPPORTED),
    ("The grant of 25,750 euro is paid by the city.", SupportLabel.CONTRADICTED),
    ("The grant is paid in January 2025.", SupportLabel.CONTRADICTED),
    ("Owners must open the hatch at sea.", SupportLabel.CONTRADICTED),
    ("Owners must not open the hatch at sea.", SupportLabel.SUPPORTED),
    ("It has more than 100 reviews.", SupportLabel.SUPPORTED),
    ("It has fewer than 100 reviews.", SupportLabel.CONTRADICTED),
    ("It has more than 116 reviews.", SupportLabel.CONTRADICTED),
    ("It has at least 116 reviews.", SupportLabel.SUPPORTED),
    ("It has about 120 reviews.", SupportLabel.SUPPORTED),
    ("The grant is paid by the city before February 2026.", SupportLabel.SUPPORTED),
    ("The grant is paid by the city after February 2026.", SupportLabel.CONTRADICTED),
    ("The grant of 3 kg is paid by the city.", SupportLabel.PARTIALLY_SUPPORTED),
    ("Owners and their neighbours plant and open red hatches.", SupportLabel.PARTIALLY_SUPPORTED),
    ("Bananas are yellow as a rule.", SupportLabel.NOT_SUPPORTED),
    ("It is.", SupportLabel.UNKNOWN),
]


@pytest.mark.parametrize(("claim", "label"), VERDICTS)
def test_verdicts(claim: str, label: SupportLabel) -> None:
    """Words decide on support, figures and negations on contradiction."""
    assert LexicalJudge()(claim, {"P1": PASSAGE}).label is label


@pytest.mark.parametrize(
    ("claim", "passage", "label"),
    [
        ("Care is covered up to 3,000,000 euros.", "Care is covered up to 2,000,000 euros.", SupportLabel.CONTRADICTED),
        ("Care is covered up to 2 million euros.", "Care is covered up to 2,000,000 euros.", SupportLabel.SUPPORTED),
        ("Renters are at least 18 years old.", "Renters are at least 21 years old.", SupportLabel.CONTRADICTED),
        ("The town has at least 100 houses.", "The town has more than 120 houses.", SupportLabel.SUPPORTED),
    ],
)
def test_a_limit_is_borne_out_by_the_same_limit_alone(claim: str, passage: str, label: SupportLabel) -> None:
    """Another limit of the same kind is another rule, although what it allows may follow from it."""
    assert LexicalJudge()(claim, {"P1": passage}).label is label


def test_a_verdict_says_why() -> None:
    """The reason has the coverage and the figures."""
    verdict = LexicalJudge()("The grant of 25,750 euro is paid in January 2026.", {"P1": PASSAGE})

    assert verdict == Support(
        SupportLabel.CONTRADICTED,
        0.1933,
        "97% of its words stand in the passages; so does January 2026; they have another figure for 25,750 euro",
    )


def test_passages_are_taken_together() -> None:
    """A claim may rest on two passages, and they may come without labels."""
    claim = "The city pays the grant and the owners pay the harbour fee."
    texts = ["The city pays the grant.", "The owners pay the harbour fee."]

    assert LexicalJudge()(claim, texts) == LexicalJudge()(claim, {"P1": texts[0], "P2": texts[1]})
    assert LexicalJudge()(claim, texts).label is SupportLabel.SUPPORTED


def test_scripts_without_blanks_are_compared_by_pairs_of_characters() -> None:
    """A Japanese claim has words to look for."""
    judge = LexicalJudge()

    assert judge("弁は毎週点検する。", {"P1": "規則により弁は毎週点検する。"}).label is SupportLabel.SUPPORTED
    assert judge("弁は毎週点検する。", {"P1": "窓は赤い。"}).label is SupportLabel.NOT_SUPPORTED


def test_wrong_thresholds_are_refused() -> None:
    """The lower threshold is not above the upper one."""
    with pytest.raises(ValueError, match=r"LexicalJudge\(supported=0.2, partial=0.5\)"):
        LexicalJudge(0.2, 0.5)


@given(st.text(st.characters(), max_size=60), st.text(st.characters(), max_size=60))
def test_any_text_has_a_verdict(claim: str, passage: str) -> None:
    """Nothing crashes, a score lies between 0 and 1, and the same input has the same verdict."""
    verdict = LexicalJudge()(claim, {"P1": passage})

    assert verdict == LexicalJudge()(claim, {"P1": passage})
    assert verdict.score is None or 0 <= verdict.score <= 1
