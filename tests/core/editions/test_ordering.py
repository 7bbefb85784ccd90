from __future__ import annotations

from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packaging.version import Version

from contextpack_core.editions.ordering import age_of, compare_editions, edition_day, edition_key, edition_keys, highest_editions

OLDER_AND_NEWER = [
    ("1.9", "1.10"),
    ("5.1", "5.10"),
    ("9", "10"),
    ("v2", "Version 3"),
    ("2024-01-31", "2024-02-01"),
    ("2024", "2024-06"),
    ("2021-06-30-40cb383", "2021-07-13-bfa041f"),
    ("20231231", "20240101"),
    ("2024-01-01-2", "2024-01-01-10"),
    ("2024-01-01T09:00", "2024-01-01T10:00:00Z"),
    ("31.12.2024", "01.07.2025"),
    ("12/2024", "03/2025"),
    ("Stand 07.2024", "Stand: 01.2025"),
    ("July 2025", "1 August 2025"),
    ("2011-12", "2012-13"),
    ("FY24", "FY2025/26"),
    ("2025-Q4", "Q1 2026"),
    ("2024H1", "2024H2"),
    ("2026-W01", "2026-W10"),
    ("24.04", "24.10"),
    ("2024.9", "2024.10"),
    ("0.4.1-SNAPSHOT", "0.4.1"),
    ("3.1.0-alpha4", "3.1.0-RC1"),
    ("1.0.0-rc.2", "1.0.0-rc.10"),
    ("v2024.1", "v2024.1-hotfix"),
    ("10", "10 SP1"),
    ("8u292", "8u301"),
    ("4.0 draft", "4.0"),
    ("draft 3", "draft 12"),
    ("Rev B", "Rev C"),
    ("Rev Z", "Rev AA"),
    ("Rev C", "Rev C2"),
    ("2nd edition", "10th edition"),
    ("second edition", "3rd ed."),
    ("2. Auflage", "10. Auflage"),
    ("第2版", "第10版"),
    ("V", "IX"),
    ("Edition VI", "Edition IX"),
    ("ISO 9001:2008", "ISO 9001:2015"),
    ("Redis 6.2", "Redis 6.10"),
    ("2024a", "2024b"),
    ("2.0 acme", "2.1 other"),
]


@pytest.mark.parametrize(("older", "newer"), OLDER_AND_NEWER)
def test_orders(older: str, newer: str) -> None:
    """The newer edition is newer, whichever of the two is named first."""
    assert [compare_editions(older, newer), compare_editions(newer, older)] == [-1, 1]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("draft of May", "draft of June"),
        ("spring", "autumn"),
        ("A", "B"),
        ("Part 1", "Part 2"),
        ("2", "2024-01-01"),
        ("spring 2024", "autumn 2024"),
        ("Rev C", "Rev 2"),
        ("5", "5a"),
        ("2.0 acme", "2.0"),
        ("2021-07-13-bfa041f", "2021-07-13-40cb383"),
        ("", "1.0"),
        ("01/02/2025", "02/01/2025"),
        ("1" * 200, "2" * 200),
    ],
)
def test_does_not_guess(one: str, other: str) -> None:
    """Words, variants, different numberings and words behind equal numbers have no order."""
    assert [compare_editions(one, other), compare_editions(other, one)] == [None, None]


@pytest.mark.parametrize(("one", "other"), [("1.0", "1.0.0"), ("v1", "Version 1"), ("1.0.0+b1", "1.0.0+b2"), ("２.0", "2")])
def test_knows_two_spellings_of_one_edition(one: str, other: str) -> None:
    """Two spellings of one edition are as old as each other."""
    assert compare_editions(one, other) == 0


def test_follows_semver() -> None:
    """The pre-releases that semver gives as its example come in its order."""
    order = ["alpha", "alpha.1", "alpha.beta", "beta", "beta.2", "beta.11", "rc.1"]
    releases = [f"1.0.0-{stage}" for stage in order] + ["1.0.0"]

    assert [compare_editions(a, b) for a, b in pairwise(releases)] == [-1] * 7


NUMBER = st.sampled_from(["0", "1", "2", "9", "10"])
VERSION = st.builds(
    lambda epoch, numbers, pre, post, dev: f"{epoch}{'.'.join(numbers)}{pre}{post}{dev}",
    st.sampled_from(["", "", "1!"]),
    st.lists(NUMBER, min_size=1, max_size=4),
    st.sampled_from(["", "a1", "a10", "b2", "rc1", "-alpha.1", "-rc.2", "c3"]),
    st.sampled_from(["", ".post1", "-2", ".r3"]),
    st.sampled_from(["", ".dev0", ".dev10"]),
)


@given(VERSION, VERSION)
def test_follows_pep_440(one: str, other: str) -> None:
    """Versions of Python packages compare as ``packaging`` has them."""
    a, b = Version(one), Version(other)

    assert compare_editions(one, other) == (a > b) - (a < b)


@given(
    st.lists(st.one_of(VERSION, st.text(max_size=12), st.sampled_from([a for pair in OLDER_AND_NEWER for a in pair])), max_size=6)
)
def test_the_highest_are_not_lower_than_another(texts: list[str]) -> None:
    """Whatever the editions are called, some are the highest, and every other one is lower than one of these."""
    highest, _ = highest_editions(texts)
    keys = edition_keys(texts)
    comparable = [t for t in texts if t not in highest]

    assert bool(highest) == bool(texts)
    assert all(any(_lower(keys, text, top) for top in highest) for text in comparable)


def _lower(keys: dict, one: str, other: str) -> bool:
    a, b = keys[one], keys[other]
    return (
        b is not None
        and a.scheme == b.scheme
        and (a.numbers < b.numbers or (a.numbers == b.numbers and a.stage is not None and a.stage < b.stage))
    )


def test_says_why_nothing_decides() -> None:
    """Where several editions are the highest the reason is told."""
    cases = [["1.0", "1.1"], ["spring", "1.1"], ["1.1", "2024-01-01"], ["1.1 x", "1.1"], ["1.1", "1.1.0"]]

    assert [highest_editions(case) for case in cases] == [
        (("1.1",), None),
        (("spring", "1.1"), "words have no order"),
        (("1.1", "2024-01-01"), "they are numbered in different ways"),
        (("1.1 x", "1.1"), "nothing orders what follows their numbers"),
        (("1.1", "1.1.0"), None),
    ]


def test_reads_a_family_in_one_way() -> None:
    """What could be a month or a fiscal year, a year or a number, is read as the rest of the family."""
    assert [edition_keys(["2011", "3"])["2011"].scheme, edition_keys(["2011", "2012-05"])["2011"].scheme] == ["number", "year"]


def test_a_named_day() -> None:
    """An edition named after a day, month or year begins on its first day; others tell no day."""
    names = ["2024-03-05", "March 2024", "2024", "Q1 2024", "3.1", "2024.13", "spring"]

    assert [edition_day(name) for name in names] == [date(2024, 3, 5), date(2024, 3, 1), date(2024, 1, 1), None, None, None, None]


def test_age() -> None:
    """Editions sort by their start, then replaced ones first, then by their order; undated ones are oldest."""
    ages = [
        age_of(date(2025, 1, 1), "2", False),
        age_of(date(2024, 1, 1), "9", False),
        age_of(None, "b", True),
        age_of(None, "a", False),
    ]

    assert sorted(ages) == [ages[2], ages[3], ages[1], ages[0]]


def test_no_key() -> None:
    """Words have no key."""
    assert edition_key("the spring issue") is None
