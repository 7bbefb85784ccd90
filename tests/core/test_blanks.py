from __future__ import annotations

import pytest

from contextpack_core.blanks import names_nothing, says_nothing


@pytest.mark.parametrize(
    "text", ["N/A", "n.a.", "None", "(none)", "null", "NaN", "-", "–", "—", "?", "…", " ", "", "Unknown", "不适用"]
)
def test_missing_values(text: str) -> None:
    """What stores write where there is nothing is no value, and no name."""
    assert (says_nothing(text), names_nothing(text)) == (True, True)


@pytest.mark.parametrize("text", ["no", "False", "0", "keine", "Non", "ninguno", "нет", "无", "なし"])
def test_no_as_a_name(text: str) -> None:
    """A no is no name; it may be a value, such as the code of a country."""
    assert (says_nothing(text), names_nothing(text)) == (False, True)


@pytest.mark.parametrize("text", ["1", "v2", "policy-2026", "NA-2026", "Nonesuch", "不适用条款"])
def test_names(text: str) -> None:
    """A name is one."""
    assert (says_nothing(text), names_nothing(text)) == (False, False)
