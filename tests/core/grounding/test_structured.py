"""Structured answers."""

from __future__ import annotations

import json

import pytest
from pydantic import BaseModel, Field

from contextpack_core import AnswerError, GroundedAnswer, GroundedClaim, check, read_grounded_answer, schema_tokens

WHOLE = GroundedAnswer(
    answer="The fee is 40 euros [P1]. Reports within 14 days [P2].",
    claims=[
        GroundedClaim(text="The fee is 40 euros", labels=["P1"], quote="fee is 40 euros"),
        GroundedClaim(text="Reports within 14 days", labels=["P2"]),
    ],
    confidence=0.9,
    missing=["the deadline"],
)
SOURCES = {"P1": "The fee is 40 euros.", "P2": "Reports within 14 days."}
TEXT = WHOLE.model_dump_json()


@pytest.mark.parametrize("text", [TEXT, f"Here it is:\n```json\n{TEXT}\n```\nDone.", json.dumps(json.loads(TEXT), indent=2)])
def test_json_is_read_wherever_it_stands(text):
    """Bare, in a fence, behind words."""
    assert read_grounded_answer(text) == WHOLE


def test_the_checker_takes_it():
    """As the model object, with quotations and labels beside the text."""
    report = check(WHOLE, SOURCES)

    assert (str(report.status), [q.label for q in report.quotes]) == ("GROUNDED", ["P1"])
    assert str(check(GroundedAnswer(answer="No.", abstain=True), SOURCES).status) == "ABSTAINED"
    flagged = check(
        GroundedAnswer(answer="The fee is 40 euros.", claims=[GroundedClaim(text="The fee is 40 euros.", labels=["P9"])]), SOURCES
    )
    assert str(flagged.status) == "FLAGGED"


def test_what_models_write_for_lists():
    """One text for a list, labels in brackets, null."""
    claim = {"text": "x", "labels": "[P1], [P2]"}

    read = read_grounded_answer({"answer": "x", "claims": [claim], "missing": "the day"})

    assert (read.claims[0].labels, read.missing) == (["P1", "P2"], ["the day"])
    assert read_grounded_answer('{"answer": "x", "missing": null}').missing == []


@pytest.mark.parametrize("end", range(1, len(TEXT)))
def test_broken_off_anywhere_only_whole_parts_are_salvaged(end):
    """Each claim as it was or not at all, the text a beginning of the text; never half a label."""
    with pytest.raises(AnswerError, match="character") as error:
        read_grounded_answer(TEXT[:end])

    salvaged = error.value.salvaged
    if salvaged is not None:
        assert WHOLE.answer.startswith(salvaged.answer)
        assert salvaged.claims == WHOLE.claims[: len(salvaged.claims)]
    if TEXT.index('"claims"') < end:
        assert salvaged is not None
        assert salvaged.answer == WHOLE.answer


@pytest.mark.parametrize(
    ("text", "place", "answer"),
    [
        ("I do not know.", "no JSON object", None),
        ('{"answer": 3}', "answer.answer", None),
        ('{"answer": "a", "claims": [{"text": 1}, {"text": "b"}]}', "answer.claims.0.text", "a"),
        ('{"answer": "a", "confidence": "very"}', "answer.confidence", "a"),
        ('{"claims": [{"text": "a"}]}', "answer.answer", "a"),
        ("{'answer': 'a'}", "character 1", None),
        ('{"answer": "say \\', "broken off", "say "),
        ("[" * 5000 + "{", "character", None),
        ('{"answer": "a", "confidence": NaN}', "answer.confidence: Input should be a finite number", "a"),
        pytest.param('{"answer": "a", "confidence": ' + "9" * 5000 + "}", "answer.confidence", "a", id="long-number"),
        pytest.param('{"answer": "a", "n": ' + "9" * 5000 + ', "claims": [{', "broken off", "a", id="long-number-broken-off"),
    ],
)
def test_what_is_wrong_names_its_place(text, place, answer):
    """And holds what is right."""
    with pytest.raises(AnswerError) as error:
        read_grounded_answer(text)

    assert place in str(error.value)
    assert (error.value.salvaged and error.value.salvaged.answer) == answer


class Ticket(BaseModel):
    title: str = Field(max_length=10)
    steps: list[str] = Field(max_length=3)
    urgent: bool
    note: str | None = None


def test_the_size_of_a_form_is_counted():
    """The JSON that is written, and so many tokens for each text."""
    shape = '{"title": "", "steps": ["", "", ""], "urgent": false, "note": ""}'

    assert schema_tokens(Ticket, len, text=60) == len(shape) + 10 + 3 * 60 + 60
    assert schema_tokens(Ticket, len, text=5, items=1) == len(shape) - len(', "", ""') + 5 + 5 + 5
    assert schema_tokens(GroundedAnswer) > schema_tokens(GroundedClaim) > 100
