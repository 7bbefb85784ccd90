from __future__ import annotations

from datetime import date, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextpack_core.dates import month_of, read_date

JULY_1 = date(2026, 7, 1)


@pytest.mark.parametrize(
    "value",
    [
        "2026-07-01",
        " 2026-07-01 ",
        "2026/07/01",
        "2026.7.1",
        "2026-07",
        "20260701",
        20260701,
        "2026-07-01T00:00:00Z",
        "2026-07-01 23:59:59.123+02:00",
        "20260701T120000Z",
        "D:20260701120000+01'00'",
        "Wed, 01 Jul 2026 00:00:00 GMT",
        "01.07.2026",
        "1. 7. 2026",
        "1 July 2026",
        "July 1, 2026",
        "July 1st, 2026",
        "1-Jul-2026",
        "July 2026",
        "1er juillet 2026",
        "1. Juli 2026",
        "1 de julio de 2026",
        "1 июля 2026",
        "2026年7月1日",
        "２０２６-07-01",
        "2026-Q3",
        "Q3 2026",
        1782864000,
        "1782864000",
        1782864000000,
        1782864000000000,
        date(2026, 7, 1),
        datetime(2026, 7, 1, 23, tzinfo=timezone(timedelta(hours=-8))),
    ],
)
def test_reads_a_day(value: Any) -> None:
    """Every common spelling of a day is read as that day."""
    assert read_date(value) == JULY_1


def test_a_year_is_its_first_day() -> None:
    """A year, as text or number, stands for its first day."""
    assert [read_date("2026"), read_date(2026)] == [date(2026, 1, 1)] * 2


@pytest.mark.parametrize(
    ("value", "day"), [("31/12/2026", date(2026, 12, 31)), ("12/31/2026", date(2026, 12, 31)), ("05-05-2026", date(2026, 5, 5))]
)
def test_reads_slashes_that_read_one_way(value: str, day: date) -> None:
    """A day with slashes is read where only one order is possible."""
    assert read_date(value) == day


@pytest.mark.parametrize(
    "value",
    [
        None,
        "",
        "  ",
        "01/02/2026",
        "01-02-2026",
        float("nan"),
        float("inf"),
        0,
        -1,
        "0",
        True,
        "None",
        "n/a",
        "soon",
        "2026-02-30",
        "0000-00-00",
        "1.10",
        "v2026",
        "version 2026",
        "202603",
        10**40,
        "9" * 60,
        "2026-01-01" * 50,
        [2026],
        {},
        b"2026",
        "\ud800",
    ],
)
def test_reads_no_day(value: Any) -> None:
    """What says nothing, is impossible, or could be two days, is no date and no error."""
    assert read_date(value) is None


@given(
    st.dates(min_value=date(1000, 1, 1)),
    st.sampled_from(["%Y-%m-%d", "%Y/%m/%d", "%d.%m.%Y", "%d %B %Y", "%B %d, %Y", "%Y-%m-%dT%H:%M:%SZ"]),
)
def test_reads_what_was_written(day: date, form: str) -> None:
    """A day written in any unambiguous form is read back."""
    assert read_date(day.strftime(form)) == day


@given(st.one_of(st.text(max_size=40), st.floats(), st.integers(), st.binary(max_size=9)))
def test_never_raises(value: Any) -> None:
    """Any value is a day or None."""
    assert read_date(value) is None or type(read_date(value)) is date


def test_month_words() -> None:
    """Months are known in several languages, with or without accents."""
    assert [month_of(w) for w in ("février", "FEVRIER", "fév.", "Styczeń", "июля", "sunday")] == [2, 2, 2, 1, 7, None]
