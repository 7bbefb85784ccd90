"""Refusals by their wording: the table in tests/data/refusals, and what it does not hold."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from contextpack_core import Policy, check, decline, is_refusal, pack, split_claims
from contextpack_core.grounding.abstention import Refusal, is_advice, read_refusal
from tests import hostile

TABLES = Path(__file__).parents[2] / "data" / "refusals"
LANGUAGES = ("en", "de", "fr", "es", "zh")

REFUSALS = """\
I was unable to find an answer in the documents.
Unfortunately, the context does not provide enough information to answer.
Based on the documents, it is not possible to determine the fee.
The fee is not mentioned in the documents.
The answer is not in the provided sources.
Insufficient information.
It is unclear from the documents.
The evidence does not support an answer.
Das geht aus den Dokumenten nicht hervor.
Leider liegen dazu keine Informationen vor.
Ich weiß es nicht.
Die Frage lässt sich aus den Quellen nicht beantworten.
Je ne sais pas.
Aucune information n’est disponible à ce sujet.
Le tarif n'est pas mentionné dans les documents.
No puedo responder a esta pregunta con las fuentes proporcionadas.
La tarifa no se menciona en los documentos.
资料中未说明截止日期。
抱歉，我无法从所提供的文件中找到答案。
資料には記載がありません。"""
STATEMENTS = """\
The crew could not find the leak for 3 days.
They could not find the key in the office.
The pump does not contain oil.
The report does not include tax.
The data is stored for 30 days.
No information may be passed to third parties.
The sources of the river are not known to be polluted.
Documents do not expire before 2030.
The document is not valid without a stamp.
Records are not kept in the file.
You cannot answer the phone in the control room.
We do not sell personal data.
We cannot recover this information once it is deleted.
We do not disclose any information unless a court orders it.
There is no period in which data are kept.
There is no single answer to this question.
If material is not included in the article's licence, ask its owner.
Die Dokumente werden nicht länger als 30 Tage gespeichert.
Wir erstatten keine Gebühren.
La pompe ne contient pas d'huile.
No se permite fumar en cubierta.
舱门不可以打开。"""


def rows(language: str, kind: str) -> list[str]:
    """Texts of one language: ``R`` refusals, ``P`` answers that state and decline, ``S`` statements, ``A`` answers that decline."""
    lines = (TABLES / f"{language}.txt").read_text(encoding="utf-8").splitlines()
    return [line[2:] for line in lines if line.startswith(f"{kind} ")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_refusals_of_the_table(language: str) -> None:
    """Whoever says that the sources do not have it refuses, in whatever words, and with citations too."""
    assert [text for text in rows(language, "R") if read_refusal(text) is not Refusal.WHOLE] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_partial_answers_of_the_table(language: str) -> None:
    """Whoever states something and says what is missing, in one sentence or two, gives a partial answer and no refusal."""
    sources = {f"P{i}": "" for i in (1, 2, 3)}
    reports = {text: check(text, sources) for text in rows(language, "P")}

    assert [text for text, report in reports.items() if not report.partial or report.status == "ABSTAINED"] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_answers_of_the_table_that_only_decline(language: str) -> None:
    """Advice where to ask, and a figure or a quotation in what the sources are said not to have, leave an answer an abstention."""
    reports = {text: check(text, {"P1": ""}) for text in rows(language, "A")}

    assert [text for text, report in reports.items() if (report.status, report.problems) != ("ABSTAINED", ())] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_statements_of_the_table(language: str) -> None:
    """What is not covered, not required, or not known to the world, and what somebody else did not find or say, is a statement."""
    assert [text for text in rows(language, "S") if read_refusal(text) is Refusal.WHOLE] == []


@pytest.mark.parametrize("sentence", REFUSALS.splitlines())
def test_refusals(sentence: str) -> None:
    """A sentence that says that the sources or the speaker do not have the answer is a refusal."""
    assert is_refusal(sentence)


@pytest.mark.parametrize("sentence", STATEMENTS.splitlines())
def test_statements(sentence: str) -> None:
    """A negative statement about the world is none."""
    assert read_refusal(sentence) is Refusal.NONE


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The documents do not answer this question; the deductible is 800 euros [P1].", Refusal.PART),
        ("The documents do not answer this question; the deductible is 800 euros.", Refusal.PART),
        ("The deductible is 800 euros [P1], and a yearly cap is not mentioned.", Refusal.PART),
        ("The documents do not mention theft, fire, or damage by flood [P1].", Refusal.WHOLE),
        ("I'm sorry, but the passages do not mention theft.", Refusal.WHOLE),
        ("The passages only treat household contents [P1]; they do not mention cars.", Refusal.WHOLE),
        ("The documents — all three of them — do not mention theft.", Refusal.WHOLE),
        ("The wording does not mention theft; please call the office.", Refusal.WHOLE),
    ],
)
def test_a_clause_may_refuse_beside_one_that_states(sentence: str, expected: Refusal) -> None:
    """What a sentence states beside its refusal makes it partial; what was searched, apologies and advice state nothing."""
    assert read_refusal(sentence) is expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Please contact your insurer.", True),
        ("If you have other documents, please share them.", True),
        ("I'm sorry about that.", True),
        ("Bitte wenden Sie sich an Ihren Vermieter.", True),
        ("Please contact your insurer [P1].", False),
        ("Please contact us within a week.", False),
        ("Please note that theft is excluded.", False),
        ("If you check the box, you lose your cover.", False),
        ("You can cancel at any time.", False),
        ("You can ask for a refund.", False),
        ("I'm sorry that theft is excluded.", False),
        ("Sie können jederzeit kündigen.", False),
        ("Vous pouvez résilier à tout moment.", False),
        ("Puede cancelar en cualquier momento.", False),
        ("您可以随时取消。", False),
    ],
)
def test_advice(sentence: str, expected: bool) -> None:
    """Whom to ask and what to look up is advice; a right, a duty or a fact is none, nor is what cites."""
    assert is_advice(sentence) is expected


SOURCES = {"P1": "The excess is 500 euros. Theft is covered. Customer details are disclosed to third parties."}
DECLINES = "The passages do not say."


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ({"answer": DECLINES, "claims": [{"text": "The excess is 900 euros", "labels": ["P1"]}]}, ("FLAGGED", True)),
        ({"answer": DECLINES, "claims": [{"text": "The excess is 500 euros", "labels": ["P1"]}]}, ("GROUNDED", True)),
        ({"answer": DECLINES, "claims": [{"text": DECLINES, "labels": ["P1"]}]}, ("ABSTAINED", False)),
        ({"answer": DECLINES, "abstain": True}, ("ABSTAINED", False)),
        ({"answer": "Theft is excluded.", "abstain": True}, ("UNCITED", True)),
        ({"answer": "", "abstain": True}, ("ABSTAINED", False)),
        ("Customer details are not disclosed to third parties [P1].", ("FLAGGED", True)),
        ("The excess is not mentioned and equals 800 euros.", ("UNCITED", True)),
    ],
)
def test_no_abstention_where_something_is_stated(answer: str | dict[str, object], expected: tuple[str, bool]) -> None:
    """Whoever branches on ABSTAINED never meets an answer that states something, in its text or in a declared claim."""
    report = check(answer, SOURCES)

    assert (report.status, report.partial) == expected


def test_known_wordings() -> None:
    """A wording handed over counts in any case and with any punctuation."""
    assert is_refusal("**Keine Auskunft!**", ["keine auskunft"])


@pytest.mark.parametrize("unit", hostile.REFUSALS)
def test_a_long_text_is_no_refusal(unit: str) -> None:
    """However alike to a refusal each of its parts is, no text of a hundred thousand characters is one."""
    assert not is_refusal(hostile.many(unit, 100_000))


HITS = [
    {
        "text": "The excess is 500 euros.",
        "score": 0.9,
        "metadata": {"doc_id": "p", "title": "Policy, v. 2. Part", "edition": "2026"},
    },
    {"text": "Claims are reported within 14 days.", "score": 0.4, "metadata": {"doc_id": "claims.md"}},
]
GROUNDING = [
    {},
    {"language": "de"},
    {"abstain": "Ask the front desk. It is open from 9 to 5."},
    {"wording": {"low_score": "Too weak ({score}, {least}).", "searched": "Seen: {documents}.", "on_day": "Day: {day}."}},
]


@pytest.mark.parametrize("grounding", GROUNDING)
@pytest.mark.parametrize("hits", [HITS, []])
def test_the_message_that_declines_before_generation(grounding: dict[str, object], hits: list[dict[str, object]]) -> None:
    """It is an abstention without problems in every language shipped and in words of one's own, whatever the titles hold."""
    policy = Policy.from_dict({"grounding": {"min_score": 0.95, **grounding}})
    made = pack(hits, "What is the excess?", policy, as_of=date(2026, 6, 1))
    declined = decline(made, policy)

    assert declined is not None
    report = check(declined.message, made, settings=policy.citations)
    assert (report.status, report.problems) == ("ABSTAINED", ())


def test_no_message_with_a_citation_or_another_statement() -> None:
    """Words of such a message around an answer do not hide it."""
    sources = {"P1": "The excess is 500 euros."}
    message = "The documents do not answer this question. Nothing was found that may be used. Searched: Policy."

    assert check(message, sources).status == "ABSTAINED"
    assert check(f"The excess is 800 euros. {message}", sources).status == "UNCITED"
    assert check(f"{message} The excess is 800 euros [P1].", sources).status == "FLAGGED"


def test_the_table_is_of_single_sentences() -> None:
    """Refusals and statements are one claim each, so that they are judged as ``check`` does."""
    texts = [text for language in LANGUAGES for kind in "RS" for text in rows(language, kind)]

    assert [text for text in texts if len(split_claims(text)) != 1] == []
