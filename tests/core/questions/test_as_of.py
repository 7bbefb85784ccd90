from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextpack_core.dates import MONTHS
from contextpack_core.questions.as_of import Question, mentions, read_question
from contextpack_core.questions.changes import CHANGE_CUES, COMPARISON_CUES, OLD_AND_NEW
from contextpack_core.questions.periods import Period, find_periods

TODAY = date(2026, 6, 15)


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("What was the deductible in 2024?", date(2024, 12, 31)),
        ("What is the limit as of March 2025?", date(2025, 3, 31)),
        ("when I bought the policy on 3 May 2025", date(2025, 5, 3)),
        ("What applies on July 1st, 2026?", date(2026, 7, 1)),
        ("What applied on 2025-07-01?", date(2025, 7, 1)),
        ("What applied on 31/12/2025?", date(2025, 12, 31)),
        ("as of 2024-11, what applied?", date(2024, 11, 30)),
        ("the limit in Q3 2025", date(2025, 9, 30)),
        ("in the third quarter of 2025", date(2025, 9, 30)),
        ("at the end of 2024", date(2024, 12, 31)),
        ("at the start of 2024", date(2024, 1, 1)),
        ("before 2024", date(2023, 12, 31)),
        ("What did the 2024 edition say?", date(2024, 12, 31)),
        ("What was the fee last year?", date(2025, 12, 31)),
        ("and last month?", date(2026, 5, 31)),
        ("this year", TODAY),
        ("next year", date(2027, 12, 31)),
        ("last quarter", date(2026, 3, 31)),
        ("last week", date(2026, 6, 14)),
        ("yesterday", date(2026, 6, 14)),
        ("two years ago", date(2024, 6, 15)),
        ("30 days ago", date(2026, 5, 16)),
        ("Stand 01.07.2025", date(2025, 7, 1)),
        ("Wie hoch war die Frist im März 2025?", date(2025, 3, 31)),
        ("Was galt 2024?", date(2024, 12, 31)),
        ("Was galt vor dem 1. Juli 2025?", date(2025, 6, 30)),
        ("Was galt vor zwei Jahren?", date(2024, 6, 15)),
        ("Was galt letztes Jahr?", date(2025, 12, 31)),
        ("Quel était le plafond en mars 2024 ?", date(2024, 3, 31)),
        ("Il y a deux ans, quel était le plafond ?", date(2024, 6, 15)),
        ("le plafond l’année dernière".replace("’", "'"), date(2025, 12, 31)),
        ("¿Cuál era el límite el 3 de mayo de 2025?", date(2025, 5, 3)),
        ("¿Cuál era el límite el año pasado?", date(2025, 12, 31)),
        ("Qual era il limite nel 2024?", date(2024, 12, 31)),
        ("due anni fa", date(2024, 6, 15)),
        ("Qual era o limite em 2024?", date(2024, 12, 31)),
        ("Wat was de limiet in maart 2025?", date(2025, 3, 31)),
        ("Jaki był limit w 2024 roku?", date(2024, 12, 31)),
        ("Какой был лимит 3 мая 2025 года?", date(2025, 5, 3)),
        ("2024年の上限は", date(2024, 12, 31)),
        ("2025年5月3日に", date(2025, 5, 3)),
        ("2025년 5월", date(2025, 5, 31)),
        ("去年的上限", date(2025, 12, 31)),
    ],
)
def test_reads_the_day(question: str, day: date) -> None:
    """The day that a question names is read, as the last day of what it names, and not later than today if that is not over."""
    assert read_question(question, TODAY, dates=True).as_of == day


_MONTH_NAMES = {
    "en": "January February March April May June July August September October November December",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
}


@pytest.mark.parametrize("language", _MONTH_NAMES)
@pytest.mark.parametrize(
    "spelling",
    [
        "loss on {day} {month} {year}",
        "am {day}. {month} {year}",
        "am {day}.{month} {year}",
        "{month} {day}, {year}",
        "the {day}th of {month}, {year}",
        "el {day} de {month} de {year}",
        "{day}º de {month} del {year}",
        "de {day}de {month} {year}",
        "{day}-{month}-{year}?",
        "{day}-de-{month}-de-{year}",
    ],
)
def test_reads_every_day_of_a_year(language: str, spelling: str) -> None:
    """Each day of a leap year is read as itself, whatever the name of its month begins with."""
    months = _MONTH_NAMES[language].split()
    days = [date(2024, 1, 1) + timedelta(days=n) for n in range(366)]
    read = {
        day: read_question(spelling.format(day=day.day, month=months[day.month - 1], year=day.year), TODAY, dates=True).as_of
        for day in days
    }

    assert {day: other for day, other in read.items() if other != day} == {}


def test_reads_every_name_of_a_month() -> None:
    """Each name of a month that has three letters or more is read after a day, not only those of a few languages."""
    names = {name: month for name, month in MONTHS.items() if name.isalpha() and 3 <= len(name) <= 12}
    read = {name: read_question(f"on 3 {name} 2025", TODAY, dates=True).as_of for name in names}

    assert read == {name: date(2025, month, 3) for name, month in names.items()}


@pytest.mark.parametrize(
    "question",
    [
        "What is the limit?",
        "form 2024-17",
        "Does PEP 2024 apply?",
        "RFC 2024-11 says",
        "contract 2024-01-15-A7",
        "Regulation (EU) 2024/1689",
        "I paid 2024 euros",
        "in 2024 euros",
        "between 2000 and 2100 euros",
        "a claim of 2000 was filed",
        "2024% of it",
        "24/7/365",
        "the last year of the contract",
        "may I cancel in 30 days",
        "version 2024.1",
        "ISO 9001:2015",
        "the second of 3",
        "",
    ],
)
def test_reads_no_day(question: str) -> None:
    """Identifiers, amounts and durations are no dates, and nothing is understood."""
    assert read_question(question, TODAY, dates=True).periods == ()


def test_says_what_it_did_not_take() -> None:
    """Days that can be read in two ways, several days and beginnings leave the as-of date alone, and the notices say so."""
    questions = ["fee on 01/02/2025", "bought on 3 May 2025, claimed on 7 June 2026", "since 2024"]
    read = [read_question(question, TODAY, dates=True) for question in questions]

    assert [(q.as_of, q.notices) for q in read] == [
        (TODAY, ("'01/02/2025' can be read as two days: the as-of date stays 2026-06-15",)),
        (TODAY, ("several days are named ('3 may 2025', '7 june 2026'): the as-of date stays 2026-06-15",)),
        (TODAY, ("'2024' names a beginning: the as-of date stays 2026-06-15",)),
    ]


def test_says_what_it_understood() -> None:
    """What was understood stands in the notices, with the words and the day."""
    assert read_question("the fee last year", TODAY, dates=True).notices == ("understood 'last year' as 2025-12-31",)


def test_dates_are_read_on_request_only() -> None:
    """Without ``dates`` the as-of date is today, whatever the question names."""
    assert read_question("in 2024", TODAY) == Question("in 2024", TODAY, TODAY)


@pytest.mark.parametrize(
    ("text", "words", "first", "after"),
    [
        ("on 3-5 december 2025", "3-5 december 2025", (2025, 12, 3), (2025, 12, 6)),
        ("from 3 to 5 december 2025", "3 to 5 december 2025", (2025, 12, 3), (2025, 12, 6)),
        ("december 3–5, 2025", "december 3–5, 2025", (2025, 12, 3), (2025, 12, 6)),
        ("3rd-5th of december 2025", "3rd-5th of december 2025", (2025, 12, 3), (2025, 12, 6)),
        ("vom 3. bis 5. dezember 2025", "3. bis 5. dezember 2025", (2025, 12, 3), (2025, 12, 6)),
        ("du 3 au 5 decembre 2025", "3 au 5 decembre 2025", (2025, 12, 3), (2025, 12, 6)),
        ("del 3 al 5 de diciembre de 2025", "3 al 5 de diciembre de 2025", (2025, 12, 3), (2025, 12, 6)),
        ("28 november - 2 december 2025", "28 november - 2 december 2025", (2025, 11, 28), (2025, 12, 3)),
        ("dec 28 to jan 2, 2026", "dec 28 to jan 2, 2026", (2025, 12, 28), (2026, 1, 3)),
        ("5-3 december 2025", "december 2025", (2025, 12, 1), (2026, 1, 1)),
    ],
)
def test_days_from_one_to_another(text: str, words: str, first: tuple[int, int, int], after: tuple[int, int, int]) -> None:
    """A range of days is these days, not the month that they are in; what runs backwards is none."""
    assert find_periods(text, TODAY) == ([Period(date(*first), date(*after), words)], [])


def test_periods_in_order() -> None:
    """Periods come in the order of the question, with their relation, each once."""
    found, unclear = find_periods("between 2024 and march 2025, since 2024, before 1 july 2026, on 3/4/25", TODAY)

    assert (found, unclear) == (
        [
            Period(date(2024, 1, 1), date(2025, 1, 1), "2024"),
            Period(date(2025, 3, 1), date(2025, 4, 1), "march 2025"),
            Period(date(2024, 1, 1), date(2025, 1, 1), "2024", "since"),
            Period(date(2026, 7, 1), date(2026, 7, 2), "1 july 2026", "before"),
        ],
        ["3/4/25"],
    )


@pytest.mark.parametrize(
    "question",
    [
        "What changed between 2025 and 2026?",
        "What's new in 7.2?",
        "What changed?",
        "How has the deductible changed?",
        "Has the limit changed?",
        "Were there any changes?",
        "changes since 2024",
        "old vs new limit",
        "the old limit versus the new one",
        "difference between the old and the new limit",
        "Is the current version different from the previous one?",
        "before and after 1 July 2026",
        "Was hat sich 2026 geändert?",
        "Hat sich die Frist geändert?",
        "Unterschied zwischen alter und neuer Fassung",
        "Qu'est-ce qui a changé entre 2025 et 2026 ?",
        "¿Qué cambió entre 2025 y 2026?",
        "Cosa è cambiato nel 2026?",
        "O que mudou em 2026?",
        "Wat is er veranderd?",
        "Co się zmieniło?",
        "Что изменилось?",
        "変更点は何ですか",
        "有什么变化",
    ],
)
def test_knows_questions_about_a_change(question: str) -> None:
    """Questions about a change are known in several languages."""
    assert read_question(question, TODAY).change == "any"


@pytest.mark.parametrize(
    ("question", "change"),
    [
        ("How do I change my address?", ""),
        ("Compare plan A and plan B", "named"),
        ("Unterschied zwischen 2025 und 2026?", "named"),
        ("Do I need my old and new address?", ""),
        ("What must I do before and after surgery?", ""),
        ("What is the new limit?", ""),
        ("What is the limit?", ""),
    ],
)
def test_knows_other_questions(question: str, change: str) -> None:
    """A comparison counts only with what it names; other questions are none."""
    assert read_question(question, TODAY).change == change


def test_own_cues() -> None:
    """A cue of one's own announces a change, accents and case aside; switched off, none does."""
    own = read_question("Gib mir das Delta", TODAY, cues=["gib mir das délta"])
    off = read_question("What changed?", TODAY, changes=False)

    assert (own.change, off.change) == ("any", "")


def test_a_change_counts_from_the_later_day() -> None:
    """Of a question about a change the later day is the as-of date."""
    assert read_question("What changed between 2023 and 2024?", TODAY, dates=True).as_of == date(2024, 12, 31)


@pytest.mark.parametrize(
    ("text", "name", "found"),
    [
        ("what is new in 7.2?", "7.2", True),
        ("what is new in 7.2.1?", "7.2", False),
        ("what is new in 17.2?", "7.2", False),
        ("what is new in v7.2", "7.2", True),
        ("what is new in 7.2", "v7.2", True),
        ("the 2025 terms", "2025", True),
        ("in 2025-03", "2025", False),
        ("version 2 or 3", "2", True),
        ("2 days", "2", False),
        ("rev c please", "Rev C", True),
        ("spring issue", "Spring issue", True),
    ],
)
def test_mentions(text: str, name: str, found: bool) -> None:
    """An edition is named by its whole name; a small number needs a word before it."""
    assert mentions(text, name) is found


@given(st.text(max_size=80))
def test_reads_anything(question: str) -> None:
    """Any text is a question."""
    assert read_question(question, TODAY, dates=True).today == TODAY


def test_cues_cover_the_same_languages() -> None:
    """Every language with cues for a change has some for a comparison."""
    assert (set(CHANGE_CUES) == set(COMPARISON_CUES), set(OLD_AND_NEW) <= set(CHANGE_CUES)) == (True, True)
