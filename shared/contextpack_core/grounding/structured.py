"""Structured answers: the form in which a model declares its claims, reading it whole or broken off, what takes its place."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import is_dataclass, replace
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import PydanticCustomError

from contextpack_core.citations.answers import label_names
from contextpack_core.errors import AnswerError
from contextpack_core.grounding.written_json import answer_object, unwrapped, whole_answer_object
from contextpack_core.questions.parts import parts_of


def _as_list(value: Any) -> Any:
    """One text is a list of one, nothing an empty list."""
    return [] if value is None else [value] if isinstance(value, str) and value.strip() else value or []


def _claims(value: Any) -> Any:
    """Nothing is no claims; a text in the list is a claim without labels."""
    if not isinstance(value, list | tuple):
        return [] if value is None else value
    return [{"text": item} if isinstance(item, str) else item for item in value]


def _from_0_to_1(value: float | None) -> float | None:
    # A limit in the field itself would enter the JSON schema, and not every provider takes one there.
    if value is not None and not 0 <= value <= 1:
        raise PydanticCustomError("confidence", "a number from 0 to 1 is wanted")
    return value


Texts = Annotated[list[str], BeforeValidator(_as_list)]


class GroundedClaim(BaseModel):
    """One statement of the answer and what supports it."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    text: str
    """The statement, as it stands in the answer."""
    labels: Annotated[list[str], BeforeValidator(label_names)] = Field(default_factory=list, examples=[["P1", "P3"]])
    """The labels of the passages that support it, such as P1."""
    quote: str | None = None
    """The decisive words of one of these passages, word for word."""


class GroundedAnswer(BaseModel):
    """An answer with its claims declared: for ``with_structured_output``, structured LLMs, and plain JSON. ``check`` takes it."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    answer: str
    """The whole answer, with its citation marks."""
    claims: Annotated[list[GroundedClaim], BeforeValidator(_claims)] = Field(default_factory=list)
    """Its statements."""
    confidence: Annotated[float | None, AfterValidator(_from_0_to_1)] = None
    """How sure the answer is, from 0 to 1."""
    abstain: bool = False
    """Whether the passages do not answer the question at all."""
    missing: Texts = Field(default_factory=list)
    """What the question asks and the passages do not say."""


def read_grounded_answer(text: str | Mapping[str, Any]) -> GroundedAnswer:
    """The answer in a model's JSON: bare, in a code fence, behind words or ``<think>``, or in the arguments of a tool call.

    Of several objects the last with an ``answer`` counts. What leaves no doubt is read as it is meant: a comma too many or
    missing, comments, single quotation marks, one text or number for a list, ``null`` for nothing.

    Raises:
        AnswerError: there is no such JSON, it is broken off or wrong, or a quotation mark lacks its backslash; the message names
            the place, and ``salvaged`` of the error is the part that can be used: whole claims only, the text of the answer as far
            as it came. None if there is no such part.
    """
    if isinstance(text, Mapping):
        data = unwrapped(text)
        return _validated(text if data is None else data)
    if not isinstance(text, str):
        raise AnswerError(f"answer: {type(text).__name__} — JSON as text, or a mapping")
    written = answer_object(text)
    if written is None:
        raise AnswerError('answer: no JSON object — {"answer": …, "claims": […]} is wanted')
    if written.fault:
        salvaged = _salvage(written.data)
        raise AnswerError(f"answer, character {written.place}: {written.fault}; {_said(salvaged)}", salvaged)
    return _validated(written.data)


def declined_answer(message: str, question: str = "") -> GroundedAnswer:
    """The message of a decline as an answer that abstains; ``missing`` are the parts of the question, or the whole of it."""
    missing = parts_of(question) or [question.strip()]
    return GroundedAnswer(answer=message, abstain=True, missing=[part for part in missing if part])


def stripped_answer(answer: Any, text: str) -> Any:
    """An answer of the same kind with this text and no declared claims: what it declares would look verified too.

    Of plain text it is the text; of a text that is a structured answer in JSON it is JSON, in a code fence if there was one. Of
    what LangChain parsed with ``include_raw=True`` it is the parsed one. What is no text and neither a pydantic model, a mapping
    nor a dataclass, or has no ``answer``, comes back as it is.
    """
    if isinstance(answer, str):
        written = whole_answer_object(answer)
        return text if written is None else _in_json(answer, {**written.data, **_stripped(written.data, text)})
    if isinstance(answer, BaseModel):
        return answer.model_copy(update=_stripped(type(answer).model_fields, text))
    if isinstance(answer, Mapping) and "raw" in answer and "parsed" in answer:
        return {**answer, "parsed": stripped_answer(answer["parsed"], text)}
    if isinstance(answer, Mapping):
        return {**answer, **_stripped(answer, text)}
    if is_dataclass(answer) and not isinstance(answer, type):
        return replace(answer, **_stripped(answer.__dataclass_fields__, text))
    return answer


# ---------------------------------------------------------------- reading what is wrong


def _validated(data: Any) -> GroundedAnswer:
    try:
        return GroundedAnswer.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(["answer", *[str(part) for part in first["loc"]]])
        found = "is missing" if first["type"] == "missing" else _shown(first["input"])
        field = next((part for part in reversed(first["loc"]) if part in _WANTED), "")
        salvaged = _salvage(data)
        raise AnswerError(f"{place}: {found} — {_WANTED[field]}; {_said(salvaged)}", salvaged) from error


_WANTED = {
    "": "a mapping with 'answer'",
    "answer": "a text",
    "claims": "a list of mappings with 'text', 'labels' and 'quote'",
    "text": "a text",
    "labels": 'a list of labels, such as ["P1"]',
    "quote": "a text, or null",
    "confidence": "a number from 0 to 1, or null",
    "abstain": "true or false",
    "missing": "a list of texts",
}


def _shown(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else shown[:59] + "…"


def _said(salvaged: GroundedAnswer | None) -> str:
    if salvaged is None:
        return "nothing of it can be used"
    return f"salvaged: {len(salvaged.answer)} characters of the answer, {len(salvaged.claims)} whole claims"


def _salvage(data: Any) -> GroundedAnswer | None:
    """The parts that are right: the text, each claim by itself, the other fields one by one."""
    if not isinstance(data, Mapping):
        return None
    good: dict[str, Any] = {}
    for name, value in data.items():
        if name == "claims" and isinstance(value, list):
            good[name] = [claim for claim in _claims(value) if _is_right(GroundedClaim, claim)]
        elif name in GroundedAnswer.model_fields and _is_right(GroundedAnswer, {"answer": "", name: value}):
            good[name] = value
    if not good.get("answer") and good.get("claims"):
        good["answer"] = "\n".join([claim["text"] for claim in good["claims"]])
    return GroundedAnswer.model_validate(good) if good.get("answer") else None


def _is_right(kind: type[BaseModel], data: Any) -> bool:
    try:
        kind.model_validate(data)
    except ValidationError:
        return False
    return True


# ---------------------------------------------------------------- what takes its place


def _in_json(answer: str, data: Mapping[str, Any]) -> str:
    written = json.dumps(data, ensure_ascii=False)
    return f"```json\n{written}\n```" if answer.rstrip().endswith("```") else written


def _stripped(fields: Mapping[str, Any], text: str) -> dict[str, Any]:
    """The new values of the fields that are there."""
    return {name: value for name, value in (("answer", text), ("claims", [])) if name in fields}
