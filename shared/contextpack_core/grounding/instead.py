"""What stands in the place of a structured answer: the one that declines, and the one without its citation marks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import is_dataclass, replace
from typing import Any

from pydantic import BaseModel

from contextpack_core.grounding.structured import GroundedAnswer
from contextpack_core.questions.parts import parts_of


def declined_answer(message: str, question: str = "") -> GroundedAnswer:
    """The message of a decline as an answer that abstains; ``missing`` are the parts of the question, or the whole of it."""
    missing = parts_of(question) or [question.strip()]
    return GroundedAnswer(answer=message, abstain=True, missing=[part for part in missing if part])


def stripped_answer(answer: Any, text: str) -> Any:
    """A structured answer of the same kind with this text and no declared claims: what it declares would look verified too.

    Of what LangChain parsed with ``include_raw=True`` it is the parsed one. What is neither a pydantic model, a mapping nor a
    dataclass, or has no ``answer``, comes back as it is.
    """
    if isinstance(answer, BaseModel):
        return answer.model_copy(update=_stripped(type(answer).model_fields, text))
    if isinstance(answer, Mapping) and "raw" in answer and "parsed" in answer:
        return {**answer, "parsed": stripped_answer(answer["parsed"], text)}
    if isinstance(answer, Mapping):
        return {**answer, **_stripped(answer, text)}
    if is_dataclass(answer) and not isinstance(answer, type):
        return replace(answer, **_stripped(answer.__dataclass_fields__, text))
    return answer


def _stripped(fields: Mapping[str, Any], text: str) -> dict[str, Any]:
    """The new values of the fields that are there."""
    return {name: value for name, value in (("answer", text), ("claims", [])) if name in fields}
