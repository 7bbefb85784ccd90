from __future__ import annotations

from datetime import date, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextpack_core.dates import bare, day_after, first_day_without, month_of, read_date

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


@pytest.mark.parametrize(
    ("value", "after"),
    [
        ("2026-06-20", date(2026, 6, 21)),
        ("1 June 2026", date(2026, 6, 2)),
        ("2026-06-01T23:59:59Z", date(2026, 6, 2)),
        (20260601, date(2026, 6, 2)),
        ("2026-W23", date(2026, 6, 8)),
        ("2026-06", date(2026, 7, 1)),
        ("2026.12", date(2027, 1, 1)),
        ("June 2026", date(2026, 7, 1)),
        ("Dezember 2026", date(2027, 1, 1)),
        ("2026年6月", date(2026, 7, 1)),
        ("2026年6月1日", date(2026, 6, 2)),
        ("2026-Q2", date(2026, 7, 1)),
        ("Q4 2026", date(2027, 1, 1)),
        ("2026", date(2027, 1, 1)),
        (2026, date(2027, 1, 1)),
        (2026.0, date(2027, 1, 1)),
        ("2026年", date(2027, 1, 1)),
        ("9999", None),
        ("9999-12-31", None),
        ("soon", None),
        (None, None),
    ],
)
def test_the_day_after(value: Any, after: date | None) -> None:
    """A day, week, month, quarter or year ends with its last day, however it is written."""
    assert day_after(value) == after


@pytest.mark.parametrize(
    ("value", "day"),
    [
        ("2026-06-01", date(2026, 6, 1)),
        ("2026-06-01T00:00:00Z", date(2026, 6, 1)),
        ("2026-06-01T12:00:00Z", date(2026, 6, 1)),
        ("2026-06-01T04:59:59Z", date(2026, 6, 1)),
        ("2026-06-01T23:59:59Z", date(2026, 6, 2)),
        ("2026-06-01 23:59:59.999+02:00", date(2026, 6, 2)),
        ("2026-06-01T23:59", date(2026, 6, 2)),
        ("2026-06-01T24:00:00", date(2026, 6, 2)),
        ("2026-06-01T21:59:59Z", date(2026, 6, 2)),
        ("20260601235959", date(2026, 6, 2)),
        ("D:20260601235959+01'00'", date(2026, 6, 2)),
        ("Mon, 01 Jun 2026 23:59:59 GMT", date(2026, 6, 2)),
        ("June 1, 2026 23:59", date(2026, 6, 2)),
        (1780358399, date(2026, 6, 2)),
        ("1780358399000", date(2026, 6, 2)),
        (20260601, date(2026, 6, 1)),
        (2026, date(2026, 1, 1)),
        (datetime(2026, 6, 1, 23, 59), date(2026, 6, 2)),
        (date(2026, 6, 1), date(2026, 6, 1)),
        ("9999-12-31T23:59:59Z", None),
        (float("nan"), None),
        ("soon at 23:59", None),
    ],
)
def test_an_end_at_the_last_minute(value: Any, day: date | None) -> None:
    """An end at the last minute of a day leaves that day in; any other end is the day that it names."""
    assert first_day_without(value) == day


@given(st.one_of(st.text(max_size=40), st.floats(), st.integers(), st.binary(max_size=9), st.dates(), st.datetimes()))
def test_ends_never_raise(value: Any) -> None:
    """Any value has an end or none; an end is at most a day after the day that is read."""
    day, end, after = read_date(value), first_day_without(value), day_after(value)

    assert end in (day, None) or (day is not None and end == day + timedelta(days=1))
    assert after is None or (day is not None and day < after)


def test_bare() -> None:
    """Letters lose their accents, also those that Unicode holds for one letter; an apostrophe is straight."""
    assert bare("Opłata, ØRE, yılı, ß, l’année") == "oplata, ore, yili, ss, l'annee"


def test_month_words() -> None:
    """Months are known in several languages, with or without accents."""
    assert [month_of(w) for w in ("février", "FEVRIER", "fév.", "Styczeń", "июля", "sunday")] == [2, 2, 2, 1, 7, None]
