"""The figures of a text, and what becomes of an answer's figures."""

from __future__ import annotations

import decimal
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextpack_core.citations.check import check
from contextpack_core.citations.figures import check_figures, find_figures
from contextpack_core.citations.figures.scan import scan
from contextpack_core.citations.values import Claim, Figure, FigureStatus, SourceText
from contextpack_core.values import Source, Span


def test_says_of_each_figure_where_it_stands_what_kind_it_is_and_its_value() -> None:
    """A figure carries its text, span, kind, value as written with scale words multiplied in, and unit; a whole day is a date."""
    text = "From 15 January 2026 the fee of EUR 1.2 million rises by 4.5 % within 30 days (v2.1.0)."

    assert find_figures(text) == (
        Figure("15 January 2026", Span(5, 20), "date", date(2026, 1, 15)),
        Figure("EUR 1.2 million", Span(32, 47), "money", Decimal("1200000"), "EUR"),
        Figure("4.5 %", Span(57, 62), "percent", Decimal("4.5"), "%"),
        Figure("30 days", Span(70, 77), "duration", Decimal(30), "day"),
        Figure("v2.1.0", Span(79, 85), "identifier", "2.1.0", "version", exempt=True),
    )


@pytest.mark.parametrize(
    ("text", "locale", "value"),
    [
        ("4.125", "de", Decimal(4125)),
        ("4.125", "en", Decimal("4.125")),
        ("4.125", "de-CH", Decimal("4.125")),
        ("4,125", "de", Decimal("4.125")),
        ("4,125", "en-GB", Decimal(4125)),
        ("01/02/2026", "en-US", date(2026, 1, 2)),
        ("01/02/2026", "en-GB", date(2026, 2, 1)),
        ("01/02/2026", "de", date(2026, 2, 1)),
    ],
)
def test_a_locale_decides_what_the_text_leaves_open(text: str, locale: str, value: object) -> None:
    """A declared locale settles decimal marks and the order of numeric dates."""
    assert [figure.value for figure in find_figures(text, locale)] == [value]


def test_the_text_outweighs_the_locale() -> None:
    """What a text's own numbers show is not overruled by a declared locale."""
    assert [figure.value for figure in find_figures("2.5 and 1,500", "de")] == [Decimal("2.5"), Decimal(1500)]


def _check(
    answer: str, sources: Mapping[str, str], *labels: str, **options: object
) -> list[tuple[str, FigureStatus | None, str | None, str]]:
    claims = [Claim(answer, Span(0, len(answer)), labels)]
    texts = {label: SourceText(label, text) for label, text in sources.items()}
    figures = check_figures(answer, claims, texts, **options)  # type: ignore[arg-type]
    return [(figure.text, figure.status, figure.label, figure.derivation or figure.detail) for figure in figures]


@pytest.mark.parametrize(
    ("answer", "passage", "expected"),
    [
        ("It costs $12", "Price: 12 USD", (FigureStatus.SUPPORTED, "P1", "")),
        ("It costs $13", "Price: 12 USD", (FigureStatus.UNSUPPORTED, None, "P1 has 12 USD")),
        ("It costs 4.125", "Price 4125", (FigureStatus.AMBIGUOUS, "P1", "can be read as 4.125 or as 4125")),
        ("Some 1.2 million visits", "1,234,567 visits", (FigureStatus.SUPPORTED, "P1", "1,234,567 rounded")),
        ("There were 1.2 million visits", "1,234,567 visits", (FigureStatus.DERIVED, "P1", "1,234,567 rounded")),
        ("It costs in the region of 500 euros", "487 euros", (FigureStatus.SUPPORTED, "P1", "487 euros rounded")),
        ("It has over 1,000 staff", "1,042 staff", (FigureStatus.DERIVED, "P1", "1,042 is more than that")),
        ("Both hold 70 l together", "One holds 30 l, one 40 l.", (FigureStatus.DERIVED, "P1", "30 l + 40 l = 70 l")),
        ("The loss was 1,234", "Result | (1,234) | 50", (FigureStatus.SUPPORTED, "P1", "the sign is in the words")),
        ("The lift carries 630 kg", "The lift carries 450 kg. The hoist carries 630 kg.",
         (FigureStatus.UNSUPPORTED, None, "P1 has 450 kg for this, and 630 kg for something else")),
        ("It shows E1043", "E1042 means a jam.", (FigureStatus.UNSUPPORTED, None, "P1 has E1042")),
        ("It shows E1043", "The lamp is lit.", (None, None, "")),
    ],
)  # fmt: skip
def test_says_what_became_of_a_figure(answer: str, passage: str, expected: tuple[FigureStatus | None, str | None, str]) -> None:
    """Each status names its passage, and its arithmetic or what was found instead."""
    (figure,) = _check(answer, {"P1": passage}, "P1")

    assert figure[1:] == expected


def test_looks_where_the_settings_say() -> None:
    """A figure of an uncited passage is ELSEWHERE, supported with ``any``, and not reported at all with ``ignore``."""
    sources = {"P1": "Rebates are granted yearly.", "P2": "The rebate is 40%."}

    found = [_check("The rebate is 40%", sources, "P1", where=where) for where in ("cited", "any", "ignore")]

    assert found == [
        [("40%", FigureStatus.ELSEWHERE, "P2", "stands in P2, not in what is cited")],
        [("40%", FigureStatus.SUPPORTED, "P2", "")],
        [],
    ]


def test_a_claim_without_citations_is_looked_up_everywhere() -> None:
    """Where nothing is cited, any passage may hold the figure; where only an unknown label is, none does."""
    sources = {"P1": "Rebates are granted yearly.", "P2": "The rebate is 40%."}

    found = [_check("The rebate is 40%", sources, *labels)[0][1] for labels in ((), ("P9",))]

    assert found == [FigureStatus.SUPPORTED, FigureStatus.ELSEWHERE]


def test_a_figure_of_a_dropped_edition_is_stale() -> None:
    """STALE names the edition that alone has the figure, and the one that applied."""
    old = SourceText("old", "The deductible is 250 euro.", source=Source("w24", family="W", edition="2024-01"))
    new = SourceText("P1", "The deductible is 300 euro.", source=Source("w26", family="W", edition="2026-01"))
    answer = "The deductible is 250 euro."

    (figure,) = check_figures(answer, [Claim(answer, Span(0, len(answer)), ("P1",))], {"P1": new}, stale=[old])

    assert (figure.status, figure.label, figure.detail) == (
        FigureStatus.STALE,
        None,
        "stands only in edition 2024-01 of W; edition 2026-01 of W applied (P1)",
    )


def test_a_figure_of_the_question_is_restated() -> None:
    """What the question says needs no source."""
    found = _check("For 40 m it drops 2 bar", {"P1": "The drop is 2 bar."}, "P1", question="What is the drop over 40 m?")

    assert found == [("40 m", FigureStatus.RESTATED, None, "stands in the question"), ("2 bar", FigureStatus.SUPPORTED, "P1", "")]


def test_skipped_spans_hold_no_figures() -> None:
    """A mark that the caller names is not read, and a unit may stand behind it."""
    answer = "It weighs 38{7} kilograms"

    assert _check(answer, {"P1": "Weight: 38 kg"}, "P1", skip=[Span(12, 15)]) == [
        ("38{7} kilograms", FigureStatus.SUPPORTED, "P1", "")
    ]


def test_the_callers_decimal_context_changes_nothing() -> None:
    """Figures are exact whatever precision the caller has set."""
    text = "1,234,567.891 kg, 2/3, -5.25 °C, 1e900000000, 8億5千万"
    scan.cache_clear()
    expected = find_figures(text)
    scan.cache_clear()

    with decimal.localcontext() as context:
        context.prec = 2
        found = find_figures(text)

    assert found == expected


_ALPHABET = "0123456789.,'’ \u00a0-−–()[]%$€£¥/:½²abcdeghklmnoprstuxyzPQHFY一二十百万億年月日分之٠٣०五\n`#@\u200f\ud800"


@given(st.text(alphabet=_ALPHABET, max_size=60) | st.text(max_size=60))
def test_any_text_can_be_read(text: str) -> None:
    """No text raises, and every span cuts the figure's text out of it, in order and without overlap."""
    figures = find_figures(text)

    assert [text[figure.span.start : figure.span.end] for figure in figures] == [figure.text for figure in figures]
    assert all(left.span.end <= right.span.start for left, right in pairwise(figures))


@given(st.text(alphabet=_ALPHABET, max_size=40), st.text(alphabet=_ALPHABET, max_size=40))
def test_any_answer_can_be_checked(answer: str, passage: str) -> None:
    """No answer and passage raise, every figure that is no name gets a status, and again the same."""
    claims = [Claim(answer, Span(0, len(answer)), ("P1",))]
    sources = {"P1": SourceText("P1", passage)}

    found = check_figures(answer, claims, sources, question=passage)

    assert found == check_figures(answer, claims, sources, question=passage)
    assert all(figure.status is not None or figure.exempt for figure in found)


def _grouped(value: int, mark: str) -> str:
    return f"{value:,}".replace(",", mark)


_STYLES = [(",", "."), (".", ","), ("\u202f", ","), ("'", "."), ("’", ","), ("", "."), ("", ",")]


@given(st.integers(0, 10**9), st.integers(0, 99), st.sampled_from(_STYLES), st.sampled_from(["", "kg", "%", "days"]), st.booleans())
def test_a_number_in_any_style_has_its_value(whole: int, cents: int, style: tuple[str, str], unit: str, minus: bool) -> None:
    """Groups and decimals in every common style come out as the number that was written."""
    group, mark = style
    number = f"{'−' if minus else ''}{_grouped(whole, group)}{mark}{cents:02}"
    text = f"Total: {number}{' ' if unit else ''}{unit}"

    (figure,) = find_figures(text)

    assert figure.value == Decimal(f"{'-' if minus else ''}{whole}.{cents:02}")


@given(st.integers(10, 10**7), st.data())
def test_a_changed_digit_never_passes(number: int, data: st.DataObject) -> None:
    """A count with one digit replaced is not supported by the passage, in whatever style either is written."""
    digits = str(number)
    place = data.draw(st.integers(0, len(digits) - 1))
    other = data.draw(st.sampled_from([d for d in "123456789" if d != digits[place]]))
    wrong = int(digits[:place] + other + digits[place + 1 :])
    mark = data.draw(st.sampled_from(["", ","]))

    found = _check(f"It holds {_grouped(wrong, mark)} bolts.", {"P1": f"It holds {number:,} bolts."}, "P1")

    assert [figure[1] for figure in found] == [FigureStatus.UNSUPPORTED]


@given(
    st.dates(date(1900, 1, 1), date(2099, 12, 31)),
    st.sampled_from(["%d %B %Y", "%B %d, %Y", "%Y-%m-%d", "%d.%m.%Y", "%Y年%m月%d日", "%d-%b-%Y"]),
)
def test_a_day_in_any_spelling_is_that_day(day: date, spelling: str) -> None:
    """A full date comes out as the day, however it is spelled."""
    (figure,) = find_figures(f"Date: {day.strftime(spelling)}")

    assert (figure.kind, figure.value) == ("date", day)


@pytest.mark.parametrize(
    "text", ["1e900000000分之1", "one in 1e900000000", "5 to 1e900000000 million", "1e-900000000 °C", "9" * 5000]
)
def test_an_enormous_number_costs_nothing(text: str) -> None:
    """An exponent is never written out, and a run of digits too long to count is compared as text."""
    assert _check(text, {"P1": "12"}, "P1", question=text)


def test_a_year_in_brackets_is_no_figure_that_changed_places() -> None:
    """A number of the claim that stands in the passage as a date is compared with no neighbour's words."""
    acts = (
        "Five acts are often mentioned : The Revenue Act of 1776 , the Indemnity Act ( 1776 ) , the Commissioners of Customs Act "
        "( 1767 ) , the Vice Admiralty Court Act ( 1777 ) , and the New York Restraining Act ( 1776 . ) ."
    )
    report = check(f"{acts[:130]} [P1].", {"P1": acts})

    assert [(figure.text, figure.status.value) for figure in report.figures] == [
        ("Five", "SUPPORTED"),
        ("1776", "SUPPORTED"),
        ("1776", "SUPPORTED"),
        ("1767", "SUPPORTED"),
    ]


@pytest.mark.parametrize(
    ("claim", "passage", "status"),
    [
        ("It needs version 3.1", "It needs version 3.10.", "UNSUPPORTED"),
        ("It needs version 3.10", "It needs version 3.10.", "SUPPORTED"),
        ("It needs version 3", "It needs version 3.10.", "SUPPORTED"),
        ("It needs v3.1", "It needs v3.1.", "SUPPORTED"),
        ("Section 4.1 applies", "Section 4.10 applies.", "UNSUPPORTED"),
        ("Release 2.4.1 has it", "Release 2.4.10 has it.", "UNSUPPORTED"),
        ("You need Redis 10.4", "You need Redis 10.40 here.", "UNSUPPORTED"),
        ("The rate is 10.4", "The rate was 10.40.", "SUPPORTED"),
        ("Call 0800 123457", "Call 0800 123456.", "UNSUPPORTED"),
        ("Call 0800 123456", "Phone: 0800 123 456", "SUPPORTED"),
        ("Call +49 30 901821", "Call +49 30 901820.", "UNSUPPORTED"),
        ("Call 030 901820", "Call +49 30 901820.", "SUPPORTED"),
        ("File Form 8-K2", "File Form 8-K1.", "UNSUPPORTED"),
        ("File Form 8-K2", "Form 8-K2 must be filed.", "SUPPORTED"),
    ],
)
def test_identifiers_compare_as_written(claim: str, passage: str, status: str) -> None:
    """Versions, sections and telephone numbers are no decimals: each part counts, and a first part stands for all below it."""
    found = check(f"{claim} [P1].", {"P1": passage}).figures

    assert [figure.status for figure in found] == [status]
