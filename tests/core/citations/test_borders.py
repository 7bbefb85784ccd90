"""Borders of words and numbers."""

import pytest

from contextpack_core.citations.borders import is_whole

WHOLE = (
    *("a [12] b", "([12])", "say [port]!", "[port]. Then", "l’[hôtel] ferme", "使用[泵]吗", "[밸브]는", "**[fee]**"),
    *("the [fee]²", "A–[B]"),
)  # fmt: skip
CUT = (
    *("1[12] b", "a [12]0", "a [12].5", "4.[5] l", "a .[5] l", "-[5] °C", "−[5] °C", "$[500]", "[500]€", "[12]%", "[12] %"),
    *("[12] percent", "[4.7] million", "[10] 000 fr", "10 [000] fr", "[10]–12", "10-[12]", "<[5] kN", "[18]/24", "[10]:30"),
    *("[10]^2", "[10]²", "[3]e5", "[m]²", "trans[port]", "[night]fall", "[can]'t", "can'[t] go", "non-[stick]", "[cost]-free"),
    *("max_[gap]", "[inspec]-\ntor", "inspec-\n[tor] x", "dzienn[a]\u0328", "三[十]", "불[가능]", "trans**[port]**"),
    *("trans\u00ad[port]", "[4.]5", "4[.5]"),
)


@pytest.mark.parametrize("marked", WHOLE)
def test_whole_words_and_numbers_are_whole(marked: str) -> None:
    """What stands in brackets begins and ends at a border."""
    assert is_whole(*_unmarked(marked)) is True


@pytest.mark.parametrize("marked", CUT)
def test_parts_of_words_and_numbers_are_not(marked: str) -> None:
    """What stands in brackets is a part of something longer."""
    assert is_whole(*_unmarked(marked)) is False


def _unmarked(marked: str) -> tuple[str, int, int]:
    start, end = marked.index("["), marked.index("]") - 1
    return marked.replace("[", "", 1).replace("]", "", 1), start, end
