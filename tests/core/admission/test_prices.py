"""What texts cost: counted once, else estimated by what was counted."""

from __future__ import annotations

from contextpack_core import Candidate, Source
from contextpack_core.admission.prices import AT_FIRST, Cost, Prices, size_of

CANDIDATES = [Candidate("a", "one two", Source("d")), Candidate("b", "one two three", Source("d"))]


class Counting:
    """Counts words, and how often it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, text: str) -> int:
        self.asked.append(text)
        return len(text.split())


def prices(count: Counting) -> Prices:
    return Prices(CANDIDATES, Cost(count, lambda passages: " ".join([passage.text for passage in passages])))


def test_figures_and_marks_are_larger_than_letters() -> None:
    """A letter, a blank or a byte of another script is 1, anything else of ASCII 5.5."""
    assert [size_of(text) for text in ("", "ab c", "é", "a1", ".")] == [0, 4, 2, 6.5, 5.5]


def test_the_rate_follows_what_was_counted() -> None:
    """Until something is counted it is a guess; then it is the tokens for each unit of size of all that was."""
    learned = prices(Counting())
    before = learned.rate
    learned.of(0)
    learned.of(1)

    assert (before, learned.rate) == (AT_FIRST, 5 / 20)


def test_a_text_is_counted_once() -> None:
    """Also where prices begin anew, which have learned nothing from it."""
    count = Counting()
    first = prices(count)
    first.of(0)
    again = first.anew()

    assert (again.rate, again.alone) == (AT_FIRST, {})
    assert (again.of(0), count.asked) == (2, ["one two"])
