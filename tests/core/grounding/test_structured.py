"""Structured answers: read, salvaged, declined, stripped."""

from __future__ import annotations

import contextlib
import json
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from contextpack_core import (
    AnswerError,
    GroundedAnswer,
    GroundedClaim,
    check,
    declined_answer,
    read_grounded_answer,
    stripped_answer,
)

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
        ('{"answer": "a", "confidence": 90}', "answer.confidence: 90 — a number from 0 to 1", "a"),
        ('{"answer": "a", "claims": "b"}', "answer.claims: 'b' — a list of mappings", "a"),
        ('{"answer": "a", "claims": [{"text": "b", "labels": [1.5]}]}', "answer.claims.0.labels.0: 1.5 — a list of labels", "a"),
        ('{"answer": "a", "abstain": "perhaps"}', "answer.abstain: 'perhaps' — true or false", "a"),
        ('{"note": "a"}', "answer.answer: is missing — a text", None),
        ('{"answer": "say \\', "broken off", "say "),
        ('{"answer": "say \\ud83d', "broken off", "say "),
        ('{"answer": "say \\u00', "broken off", "say "),
        ('{"answer": "say \\ud83d\\ude00', "broken off", "say \U0001f600"),
        ('{"answer": "a", "n": ' + '{"n": ' * 60 + "1}", "nested too deep", "a"),
        ("[" * 5000 + "{", "character", None),
        ('{"answer": "a", "confidence": NaN}', "answer.confidence: nan — a number from 0 to 1", "a"),
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


ANSWER = '"answer": "It is 500 euros [P1]."'


@pytest.mark.parametrize(
    "text",
    [
        f"{{{ANSWER},}}",
        f'{{{ANSWER} "claims": []}}',
        f"{{/* draft */ {ANSWER}, // the end\n}}",
        "{'answer': 'It is 500 euros [P1].', 'abstain': False, 'confidence': None}",
        '{answer: "It is 500 euros [P1].", claims: []}',
        f"Using {{P1}} and {{a: b}} I say: {{{ANSWER}}}",
        f'<think>{{"answer": "no"}}</think>{{{ANSWER}}}',
        f'{{"answer": "no"}}</think>\n{{{ANSWER}}}',
        f'Draft: {{"answer": "no"}}. Final: {{{ANSWER}}}. {{"note": "done"}}',
        f'{{"GroundedAnswer": {{{ANSWER}}}}}',
        f'{{"name": "GroundedAnswer", "arguments": {{{ANSWER}}}}}',
        json.dumps({"function": {"name": "GroundedAnswer", "arguments": f"{{{ANSWER}}}"}}),
        f'{{"type": "object", "parameters": {{{ANSWER}}}}}',
    ],
)
def test_what_leaves_no_doubt_is_read(text):
    """Commas, comments, single quotes, bare keys; words and reasoning before it; the arguments of a call."""
    assert read_grounded_answer(text) == GroundedAnswer(answer="It is 500 euros [P1].")


def test_a_mapping_is_taken_out_of_its_wrapper():
    """The arguments of a tool call, as data."""
    assert read_grounded_answer({"name": "GroundedAnswer", "arguments": {"answer": "a"}}) == GroundedAnswer(answer="a")


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ('{"answer": "He said "no" to it.", "claims": []}', 'He said "no" to it.'),
        ('{"answer": "Say "yes", then go.", "claims": [{"text": "a", "labels": ["P1"]}]}', 'Say "yes", then go.'),
        ("{'answer': 'it's so', 'claims': []}", "it's so"),
    ],
)
def test_a_quotation_mark_without_its_backslash_is_guessed_and_said(text, answer):
    """The guess is what is salvaged, never the answer."""
    with pytest.raises(AnswerError, match="a quotation mark inside a text, without its backslash; salvaged") as error:
        read_grounded_answer(text)

    assert error.value.salvaged.answer == answer


@pytest.mark.parametrize(
    ("text", "salvaged"),
    [
        (
            f"{{{ANSWER}, 'claims': [{{'text': 'a', 'labels': ['P1'],}}, {{'text': 'b', 'lab",
            [GroundedClaim(text="a", labels=["P1"])],
        ),
        (f'{{"name": "GroundedAnswer", "arguments": {{{ANSWER}, "cl', []),
        (f'{{"name": "GroundedAnswer", "arguments": {{{ANSWER}, "claims": []}}', []),
        (f'Draft: {{"answer": "no"}}. Final: {{{ANSWER}', []),
        (f"{{{ANSWER}, claims: oh no}}", []),
    ],
)
def test_the_salvage_of_what_is_broken_in_two_ways(text, salvaged):
    """Broken off in Python's spelling, in a wrapper, as the last of two; a value that is none."""
    with pytest.raises(AnswerError, match="answer, character") as error:
        read_grounded_answer(text)

    assert error.value.salvaged == GroundedAnswer(answer="It is 500 euros [P1].", claims=salvaged)


def test_reasoning_that_is_not_over_holds_no_answer():
    """What a model only considered is not what it says."""
    for text in ('<think>{"answer": "no"}', '{"answer": "no"}</think> I do not know.'):
        with pytest.raises(AnswerError, match="no JSON object"):
            read_grounded_answer(text)


@pytest.mark.parametrize("end", ['"confidence": 0.5', '"abstain": tru', '"abstain": true', '"missing": ["the d', '"missing": nul'])
def test_half_a_value_is_none(end):
    """A number, a word or an entry that may have gone on is not salvaged."""
    with pytest.raises(AnswerError, match="broken off") as error:
        read_grounded_answer(f'{{"answer": "a", {end}')

    assert error.value.salvaged == GroundedAnswer(answer="a")


@given(st.recursive(st.none() | st.booleans() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_json_is_read_as_json(value):
    """Whatever else an object holds, and however it is spelt, its answer is what the reader of JSON says."""
    for text in (
        json.dumps({"answer": "a\\\n\U0001f600", "note": value}),
        json.dumps({"note": value, "answer": "a\\\n\U0001f600"}),
    ):
        assert read_grounded_answer(text).answer == "a\\\n\U0001f600"


@given(st.text(alphabet=st.sampled_from("{}[]\",:'\\ aP1/*\n") | st.characters(), max_size=60))
def test_no_text_breaks_the_reader(text):
    """It is an answer or an AnswerError, for the checker too."""
    for whole in (text, f'{{"answer": "{text}', f'{{"answer": "a", {text}}}'):
        with contextlib.suppress(AnswerError):
            read_grounded_answer(whole)
        with contextlib.suppress(AnswerError):
            check(whole, SOURCES)


@given(st.text(), st.text())
def test_what_is_escaped_is_read_back_by_the_lenient_reader(answer, text):
    """A trailing comma changes nothing else: all escapes of JSON are understood."""
    whole = json.dumps({"answer": answer, "claims": [{"text": text}]})

    assert read_grounded_answer(f"{whole[:-1]},}}") == GroundedAnswer(answer=answer, claims=[GroundedClaim(text=text)])


def test_claims_as_models_write_them():
    """Null, texts, labels that are numbers."""
    assert read_grounded_answer('{"answer": "x", "claims": null}').claims == []
    assert read_grounded_answer(
        '{"answer": "x", "claims": ["x", {"text": "y", "labels": [1, "2"]}, {"text": "z", "labels": 3}]}'
    ).claims == [
        GroundedClaim(text="x"),
        GroundedClaim(text="y", labels=["1", "2"]),
        GroundedClaim(text="z", labels=["3"]),
    ]


def test_the_confidence_is_a_share():
    """Made directly too; the schema that a provider gets has no limits, which some refuse."""
    with pytest.raises(ValidationError, match="a number from 0 to 1 is wanted"):
        GroundedAnswer(answer="x", confidence=90)

    assert "minimum" not in json.dumps(GroundedAnswer.model_json_schema())


# ---------------------------------------------------------------- what takes its place


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("What is the excess?", ["What is the excess?"]),
        ("What is the excess and how do I report a claim?", ["What is the excess", "how do I report a claim"]),
        ("Compare the excess of Basic and Plus", ["Compare the excess of Basic and Plus"]),
        ("  ", []),
    ],
)
def test_a_declined_answer_abstains_and_says_what_is_missing(question, missing):
    """Each part of the question, or the whole of it."""
    assert declined_answer("We cannot say.", question) == GroundedAnswer(answer="We cannot say.", abstain=True, missing=missing)


@dataclass
class Own:
    """A form of a user's own."""

    answer: str
    claims: list[str] = field(default_factory=list)
    total: int = 3


def test_a_stripped_answer_stays_of_its_kind():
    """With the new text and without claims; the rest stays, and what was given is not changed."""
    given = [
        GroundedAnswer(answer="It is 5 [P1].", claims=[GroundedClaim(text="It is 5", labels=["P1"])], confidence=0.5),
        {"answer": "It is 5 [P1].", "total": 3},
        Own("It is 5 [P1].", ["It is 5"]),
        {"raw": "r", "parsed": GroundedAnswer(answer="It is 5 [P1]."), "parsing_error": None},
        "It is 5 [P1].",
        '{"answer": "It is 5 [P1].", "claims": [{"text": "It is 5 [P1]."}], "confidence": 0.5}',
        '<think>[P1]</think>```json\n{"GroundedAnswer": {"answer": "Es sind über 5 [P1]."}}\n```',
        5,
    ]

    assert [stripped_answer(answer, "It is 5.") for answer in given] == [
        GroundedAnswer(answer="It is 5.", confidence=0.5),
        {"answer": "It is 5.", "total": 3},
        Own("It is 5."),
        {"raw": "r", "parsed": GroundedAnswer(answer="It is 5."), "parsing_error": None},
        "It is 5.",
        '{"answer": "It is 5.", "claims": [], "confidence": 0.5}',
        '```json\n{"answer": "It is 5."}\n```',
        5,
    ]
    assert given[0].answer == "It is 5 [P1]."
