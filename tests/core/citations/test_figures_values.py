"""What is read where: numbers, units, money, dates and names in their many spellings."""

from __future__ import annotations

from decimal import Decimal
from itertools import product

import pytest

from contextpack_core.citations.figures import find_figures
from contextpack_core.citations.figures.scan import scan
from contextpack_core.citations.figures.tables import MEASURES, SCALES, SHARED_SIGNS

NUMBERS = """
1,200 = 1200 | 1 200 = 1200 | 1'200 = 1200 | 1’200.50 = 1200.5 | 12,34,567 = 1234567 | 1.234.567 = 1234567
1,234.56 = 1234.56 | 1.234,56 = 1234.56 | 1,2 = 1.2 | 0.125 = 0.125 | .4 = 0.4 | ,75 = 0.75 | 1 , 200 = 1200
١٬٢٣٤٫٥ = 1234.5 | १५०० = 1500 | １２０ = 120 | 2.4×10⁵ = 240000 | 2.4x10^5 = 240000 | 1.2e-3 = 0.0012 | 10^6 = 1000000
6 3/4 = 6.75 | 3½ = 3.5 | 3/4 = 0.75 | ½ = 0.5 | -6 = -6 | −6 = -6 | –6 = -6 | minus six = -6 | +14 = 14 | zero = 0
twenty-one = 21 | three hundred and forty-one = 341 | a hundred and five = 105 | two thousand and five = 2005
a dozen = 12 | half a dozen = 6 | half a million = 500000 | two and a half = 2.5 | two and a half million = 2500000
three quarters of = 0.75 | two thirds = 0.6666666666666666666666666666666666666667 | one in five = 0.2
4 out of 5 = 0.8 | 2 million = 2000000 | 2.5bn = 2500000000 | 4K = 4000 | 3k = 3000 | 3.5 lakh = 350000
2 lakh crore = 2000000000000 | einundzwanzig = 21 | zweihundertfünfzig = 250 | dreitausendvierhundert = 3400
quatre-vingt-dix-sept = 97 | vingt et un = 21 | treinta y dos = 32 | doscientos = 200 | 三十 = 30 | 两百 = 200
三万零一十五 = 30015 | 二万六千亿 = 2600000000000 | 8億5千万 = 850000000 | 3.5万 = 35000 | 五分之一 = 0.2 | 2亿 = 200000000
12\u00a0345 678 and 1.5 = 12345 | 12\u202f345\u00a0678 = 12345678
"""


def _pairs(lines: str) -> list[tuple[str, str]]:
    """The texts with what is expected of each: " | " between pairs, " = " inside one."""
    return [
        (text, value) for row in lines.strip().splitlines() for text, _, value in (p.rpartition(" = ") for p in row.split(" | "))
    ]


@pytest.mark.parametrize(("text", "value"), _pairs(NUMBERS))
def test_reads_numbers(text: str, value: str) -> None:
    """A number has its value in every spelling."""
    assert find_figures(text)[0].value == Decimal(value)


KINDS = """
5 % = percent % | five per cent = percent % | 3 ‰ = percent ‰ | 25 bps = percent bp | 5 percentage points = points pp
9 Prozentpunkte = points pp | %15 = percent % | 百分之五 = percent % | US$12 = money USD | A$12 = money AUD
$12 = money $ | €18 = money EUR | 18 € = money EUR | EUR 18 = money EUR | £1.2bn = money GBP | CHF 5.- = money CHF
Rs. 500 = money INR | R$10 = money BRL | 50 cents = money cent | 5 million US dollars = money USD
3,5 Mio. € = money EUR | 2,5 milliards d'euros = money EUR | 500 kr = money kr | 12 U.S. dollars = money USD
$5 USD = money USD | R91,250 = money ZAR | 500 mg = quantity mg | 340 m² = quantity m² | 340 m2 = quantity m²
-12 °C = quantity °C | 25°C = quantity °C | 15 Nm = quantity Nm | 60 km/h = quantity km/h | 90 mg/dl = quantity mg/dl
500 GiB = quantity GiB | 12 bar = quantity bar | 12 بار = quantity bar | 30-day = duration day
12 consecutive months = duration month | 5 business days = duration business day | 2 h 30 min = duration min
two and a half years = duration year | two hours and a half = duration h | 2時間半 = duration h | 3rd = ordinal None
third = ordinal None | twenty-first = ordinal None | 第三 = ordinal None | 16:9 = ratio None
v1.29.3 = identifier version | 10.0.0.1 = identifier version | E1042 = identifier e | COVID-19 = identifier covid
#842 = identifier issue | ISO 9001 = identifier iso | section 4.2 = identifier section | 555-0147 = identifier phone
+49 30 1234567 = identifier phone | 27b = identifier code | 第3章 = identifier section
"""


@pytest.mark.parametrize(("text", "expected"), _pairs(KINDS))
def test_reads_kinds_and_units(text: str, expected: str) -> None:
    """A figure is of the kind and in the unit that its surroundings say."""
    figures = find_figures(text)

    assert [f"{figure.kind} {figure.unit}" for figure in figures] == [expected]


DATES = """
2026-01-15 = 2026-01-15 | 15.01.2026 = 2026-01-15 | 15/01/2026 = 2026-01-15 | 15 January 2026 = 2026-01-15
January 15, 2026 = 2026-01-15 | Jan. 1st, 2026 = 2026-01-01 | 15. Januar 2026 = 2026-01-15
1er janvier 2026 = 2026-01-01 | 15 de enero de 2026 = 2026-01-15 | 20130305 = 2013-03-05 | 2021年8月9日 = 2021-08-09
二〇二六年一月十五日 = 2026-01-15 | 令和8年4月1日 = 2026-04-01 | 平成33年 = 2021 | 2022-05-06T14:03:00Z = 2022-05-06
January 2026 = 2026-01 | 2006-09 = 2006-09 | in 2026 = 2026 | 14 June = --06-14 | Q1 2026 = 2026-Q1 | 1Q20 = 2020-Q1
Q1 = --Q1 | first quarter of 2020 = 2020-Q1 | third quarter 2021 = 2021-Q3 | H1 2021 = 2021-H1
second half of 2021 = 2021-H2 | FY2025 = 2025 | fiscal year 2025 = 2025 | the 1990s = 199x | the 19th century = 18xx
17:30 = 17:30 | 5:30 pm = 17:30 | 5 pm = 17:00 | 12 am = 00:00 | noon = 12:00 | 17.30 Uhr = 17:30 | 17h30 = 17:30
下午5点30分 = 17:30 | 29 February 2025 = 2025-02-29
3-5 December 2025 = 2025-12-03 | 3. bis 5. Dezember 2025 = 2025-12-03 | 3 grudnia 2025 = 2025-12-03 | 3 Μαΐου 2026 = 2026-05-03
"""


@pytest.mark.parametrize(("text", "expected"), _pairs(DATES))
def test_reads_dates_and_times(text: str, expected: str) -> None:
    """A date or time has the precision that it is written in, and no more."""
    assert str(find_figures(text)[0].value) == expected


@pytest.mark.parametrize(
    "text",
    [
        "No one complained; give it one try, keep the one on the left, and hold on a second.",
        "For once, hundreds of people and several thousand more came first, second to none, open 24/7.",
        "It may rain; the troops march; we met an August guest called April.",
        "A third party may act; the media is half empty.",
        "It is so [1], [P2], 【P3】, [^4], [Source 5].",
        "1. Vent.\n2) Wait.\n(3) Close.",
        "See https://example.org/2024/05?id=99 and a12@example.org, `x = 5`.\n```\nsleep 99\n```",
    ],
)
def test_leaves_alone_what_counts_nothing(text: str) -> None:
    """Pronouns, vague amounts, months that are words, marks, list numbers, addresses and code are no figures."""
    assert find_figures(text) == ()


def test_the_ends_of_a_range_share_what_stands_once() -> None:
    """Unit, scale, currency and year that are written at one end hold for both."""
    texts = ["10–15 bar", "between 10 and 15 bar", "$5 to 10 million", "10-15 %", "3–5 June 2024", "May to July in 2018", "3 x 4 m"]

    found = [[(str(figure.value), figure.unit) for figure in find_figures(text)] for text in texts]

    assert found == [
        [("10", "bar"), ("15", "bar")],
        [("10", "bar"), ("15", "bar")],
        [("5E+6", "$"), ("1.0E+7", "$")],
        [("10", "%"), ("15", "%")],
        [("2024-06-03", None), ("2024-06-05", None)],
        [("2018-05", None), ("2018-07", None)],
        [("3", "m"), ("4", "m")],
    ]


@pytest.mark.parametrize("spelling", sorted(name for name in MEASURES if not name.endswith("$") or name == "$"))
def test_every_spelling_of_the_tables_is_read(spelling: str) -> None:
    """No unit or currency stands in the tables in a spelling that the reader cannot reach."""
    measure = MEASURES[spelling]
    blank = "" if spelling[0] > "\u2e7f" else " "

    found = scan(f"共5{blank}{spelling}x" if not blank else f"5{blank}{spelling},", (measure.languages.split() or [None])[0])

    assert [quantity.unit for quantity in found] == [measure.symbol] or spelling == "in"


@pytest.mark.parametrize("spelling", sorted(SCALES))
def test_every_scale_word_multiplies(spelling: str) -> None:
    """Each scale word of the tables multiplies the number before it."""
    size, languages = SCALES[spelling]
    blank = "" if spelling[0] > "\u2e7f" else " "

    found = scan(f"5{blank}{spelling}", (languages.split() or [None])[0])

    assert [quantity.written for quantity in found] == [(5 * size,)]


def test_shared_signs_are_currencies() -> None:
    """A sign that several countries use stands for codes that the tables know."""
    assert {code for codes in SHARED_SIGNS.values() for code in codes} <= set(MEASURES)


def test_the_short_way_to_a_plain_figure_gives_what_the_long_one_does() -> None:
    """A second blank before the number, which no short way takes, moves the figures by one place and changes nothing else."""
    before = (
        "within",
        "le train part de la gare en",
        "more than",
        "at least",
        "in the region of",
        "negative",
        "section",
        "age",
        "two",
    )
    units = "days seconds years kg cm m in e x h am min euros percent sec quarters people May and o'clock".split()
    behind = ("", ".", ",", " or more", " and a half", " or less", " 30", ")", "/day", " in May 2024")
    for head, number, unit, tail in product(before, ("0", "7", "30", "365", "2024"), units, behind):
        at = len(f"It is {head} ")

        short = scan(f"It is {head} {number} {unit}{tail}")

        moved = [q._replace(start=q.start + (q.start >= at), end=q.end + (q.end > at)) for q in short]
        assert moved == list(scan(f"It is {head}  {number} {unit}{tail}"))
