"""Every section refuses what is not what it says."""

from __future__ import annotations

from datetime import date

import pytest
from pydantic import ValidationError

from contextpack_core.settings import Settings, Texts


class Inner(Settings):
    """A section inside."""

    number: int = 1
    """A number."""


class Sample(Settings):
    """A section with each kind of value."""

    number: int | None = 4
    """A number."""
    share: float = 0.5
    """A share."""
    active: bool = False
    """A switch."""
    word: str = "x"
    """A word."""
    day: date | None = None
    """A day."""
    words: tuple[str, ...] = ()
    """Words."""
    texts: Texts = ()
    """Words, or one."""
    counts: dict[str, int] = {}  # noqa: RUF012
    """Counts."""
    inner: Inner = Inner()
    """A section."""


@pytest.mark.parametrize(
    ("name", "value", "read_as"),
    [
        ("number", 5, 5),
        ("number", None, None),
        ("share", 1, 1.0),
        ("active", True, True),
        ("day", "2026-03-01", date(2026, 3, 1)),
        ("day", date(2026, 3, 1), date(2026, 3, 1)),
        ("words", ["a", "b"], ("a", "b")),
        ("texts", "a", ("a",)),
        ("texts", ["a", "b"], ("a", "b")),
        ("counts", {"a": 1}, {"a": 1}),
        ("inner", {"number": 2}, Inner(number=2)),
    ],
)
def test_plain_data_are_taken(name, value, read_as):
    """Lists serve as tuples, mappings as sections, ISO texts as dates, whole numbers as numbers."""
    assert getattr(Sample(**{name: value}), name) == read_as


@pytest.mark.parametrize(
    ("name", "value"),
    [("number", wrong) for wrong in ("5", 5.0, True, [5])]
    + [("share", wrong) for wrong in ("0.5", True, float("nan"), float("inf"))]
    + [("active", wrong) for wrong in ("yes", "true", 1, 0, None)]
    + [("word", wrong) for wrong in (1.1, 1, True, None, b"x")]
    + [("day", wrong) for wrong in ("soon", "2026-02-30", 20260101, 86400, "86400", 0.0, True)]
    + [("words", wrong) for wrong in ("ab", [1], [True], {"a": 1}, None)]
    + [("texts", wrong) for wrong in (1, [1], None)]
    + [("counts", wrong) for wrong in ({"a": "1"}, {"a": True}, [1])]
    + [("inner", wrong) for wrong in (None, [], {"numbr": 1}, {"number": "1"})]
    + [("unknown", 1)],
)
def test_nothing_is_turned_into_another_kind(name, value):
    """Text is no number, a number no text, a truth value neither, seconds no date, and an unknown key an error."""
    with pytest.raises(ValidationError):
        Sample(**{name: value})


def test_settings_do_not_change():
    """A setting cannot be assigned; equal settings are equal."""
    with pytest.raises(ValidationError):
        Sample().number = 5

    assert Sample(number=5) == Sample(number=5) != Sample()
