"""The forms in which an answer comes, and what is no answer."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest
from pydantic import BaseModel

from contextpack_core import AnswerError, CitationSettings, CitationStream, GroundedAnswer, GroundedClaim, check

SOURCES = {"P1": "The water deductible is 500 euros per event.", "P2": 'The file reads {"answer": "42", "port": 8080}.'}
WRONG = GroundedAnswer(answer="It is 800 euros.", claims=[GroundedClaim(text="It is 800 euros.", labels=["P1"])])
RIGHT = GroundedAnswer(answer="It is 500 euros.", claims=[GroundedClaim(text="It is 500 euros.", labels=["P1"])])


def forms(answer: GroundedAnswer) -> list[Any]:
    """The answer in every form that is read."""
    text = answer.model_dump_json()
    return [
        answer,
        answer.model_dump(),
        text,
        answer.model_dump_json(indent=2),
        f"```json\n{text}\n```\n",
        f"```\n{text}\n```",
        f'<think>\n{{"answer": "It is 7 euros."}}\n</think>\n\n{text}',
        f"{text[:-1]},}}",
        {"GroundedAnswer": answer.model_dump()},
        {"name": "GroundedAnswer", "arguments": text},
        json.dumps({"name": "GroundedAnswer", "arguments": answer.model_dump()}),
        {"raw": SimpleNamespace(content=""), "parsed": answer, "parsing_error": None},
        {"raw": None, "parsed": answer.model_dump(), "parsing_error": None},
    ]


@pytest.mark.parametrize("form", range(len(forms(RIGHT))))
def test_a_structured_answer_is_read_in_every_form(form: int) -> None:
    """As an object, as data, as JSON, bare and in a fence, in the arguments of a call, with the raw message beside it."""
    right, wrong = check(forms(RIGHT)[form], SOURCES), check(forms(WRONG)[form], SOURCES)

    assert (right.status, right.answer, right.claims[0].labels) == ("GROUNDED", "It is 500 euros.", ("P1",))
    assert (wrong.status, wrong.answer, [f.status for f in wrong.figures]) == ("FLAGGED", "It is 800 euros.", ["UNSUPPORTED"])


class Reply(BaseModel):
    text: str


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ({"response": "It is 800 euros"}, "answer: a mapping with 'response' — a text, or a mapping with 'answer' or 'claims'"),
        (Reply(text="It is 800 euros"), "answer: Reply with 'text' — a text, or a mapping with 'answer' or 'claims'"),
        ({}, "answer: a mapping with nothing — a text, or a mapping with 'answer' or 'claims'"),
        (["It is 800 euros"], "answer: list — a text, or a mapping with 'answer' or 'claims'"),
        ({"answer": ["It is 800 euros"]}, "answer.answer: list — a text"),
        (
            {"raw": None, "parsed": None, "parsing_error": ValueError("no call")},
            r"answer.parsed: None \(no call\) — a structured answer; read_grounded_answer has what can be salvaged of the raw one",
        ),
    ],
)
def test_what_is_no_answer_is_never_empty(answer: Any, message: str) -> None:
    """The error names what was given, and what is wanted."""
    with pytest.raises(AnswerError, match=f"^{message}$"):
        check(answer, SOURCES)


@pytest.mark.parametrize(
    "prose",
    [
        'Put this into the file [P2]:\n```json\n{"answer": "42", "port": 8080}\n```',
        '```json\n{"port": 8080}\n```',
        '{"answer": 42}',
        '{"answer": "42"} is what the file holds [P2].',
        '```json\n{"answer": "42"}\n```\nThe deductible is 800 euros [P1].',
    ],
)
def test_an_answer_that_shows_json_is_prose(prose: str) -> None:
    """Only a text that is nothing but an object with a text as ``answer`` is a structured one; what stands beside it is checked."""
    report = check(prose, SOURCES)

    assert report.answer == prose
    assert ("800" in prose) is any(figure.status == "UNSUPPORTED" for figure in report.figures)


@pytest.mark.parametrize(
    ("text", "said", "fault"),
    [
        (
            '{"answer": "It is 500 euros [P1].", "claims": [{"text": "It is',
            "It is 500 euros [P1].",
            "the answer is no whole JSON, from character 62 on: broken off",
        ),
        ('{"answer": "It is 500 eur', "It is 500 eur", "the answer is no whole JSON, from character 25 on: broken off"),
        (
            '{"answer": "It is "500 euros" [P1].", "claims": []}',
            'It is "500 euros" [P1].',
            "the answer is no whole JSON, from character 18 on: a quotation mark inside a text, without its backslash",
        ),
        (
            '{"answer": "It is 500 euros [P1].", "claims": "none"}',
            "It is 500 euros [P1].",
            "the answer is wrong JSON: answer.claims: str — a list",
        ),
        (
            '{"answer": "It is 500 euros [P1].", "claims": [{"labels": ["P1"]}, "It is 500 euros"]}',
            "It is 500 euros [P1].",
            "the answer is wrong JSON: answer.claims[0]: dict — a text, or a mapping with 'text', 'labels' and 'quote'",
        ),
    ],
)
def test_json_that_is_wrong_is_a_problem(text: str, said: str, fault: str) -> None:
    """A text is no error, whatever a model wrote: what can be read is checked, and the report says what is wrong."""
    report = check(text, SOURCES)

    assert (report.answer, str(report.problems[0]).partition(": one whole")[0]) == (said, fault)
    assert report.status in ("FLAGGED", "UNCITED")


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_a_stream_of_json_ends_in_the_same_report(size: int) -> None:
    """The text goes out as it comes, and is read when it is whole."""
    text = f"```json\n{WRONG.model_dump_json()}\n```"
    stream = CitationStream(SOURCES)
    for start in range(0, len(text), size):
        stream.feed(text[start : start + size])

    assert stream.finish().to_dict() == check(text, SOURCES).to_dict()


def test_what_models_write_for_the_fields() -> None:
    """Null and texts for claims, numbers and brackets for labels, words for truth."""
    sources = {"1": "The deductible is 500 euros.", "2": "Within 14 days."}

    def labels(*claims: Any) -> tuple[str, ...]:
        return check({"answer": "It is 500 euros.", "claims": list(claims)}, sources).claims[0].labels

    assert check({"answer": "It is 500 euros [1].", "claims": None}, sources).status == "GROUNDED"
    assert labels({"text": "It is 500 euros", "labels": 1}) == labels({"text": "It is 500 euros", "labels": [1]}) == ("1",)
    assert labels({"text": "It is 500 euros", "labels": "[1], [2]"}) == ("1", "2")
    assert labels("It is 500 euros [1]") == ("1",)
    assert check({"answer": "It is 500 euros [1].", "abstain": "false"}, sources).status == "GROUNDED"
    assert check({"answer": "No.", "abstain": "true"}, sources).status == "ABSTAINED"


@pytest.mark.parametrize("quote", ["", "  ", "“”", "…", [""], ["", None], None])
def test_an_empty_quotation_is_none(quote: Any) -> None:
    """Models fill the field in where they quote nothing; where a quotation is required, it is missing."""
    answer = {"answer": "It is 500 euros.", "claims": [{"text": "It is 500 euros.", "labels": ["P1"], "quote": quote}]}
    required = check(answer, SOURCES, settings=CitationSettings(quotes="required"))

    assert (check(answer, SOURCES).status, check(answer, SOURCES).quotes) == ("GROUNDED", ())
    assert [str(problem) for problem in required.problems] == ["“It is 500 euros.” quotes nothing: quote the words that support it"]


@pytest.mark.parametrize(
    ("text", "said", "status"),
    [
        ('{"answer": null, "abstain": true}', "", "ABSTAINED"),
        ('```json\n{"answer": null, "claims": null, "abstain": "true"}\n```', "", "ABSTAINED"),
        ('{"answer": null, "claims": [{"text": "It is 800 euros.", "labels": ["P1"]}]}', "It is 800 euros.", "FLAGGED"),
        ('{"answer": null}', '{"answer": null}', "UNCITED"),
    ],
)
def test_json_without_an_answer(text: str, said: str, status: str) -> None:
    """Null is no text, as in a mapping, where claims or the abstention stand beside it."""
    report = check(text, SOURCES)

    assert (report.answer, report.status) == (said, status)


def test_claims_without_a_text_are_the_text() -> None:
    """An empty answer with claims says these."""
    report = check({"answer": "", "claims": [{"text": "It is 800 euros.", "labels": ["P1"]}]}, SOURCES)

    assert (report.answer, report.status) == ("It is 800 euros.", "FLAGGED")
