"""Structured answers: the form in which a model declares its claims, and how to read it, whole or broken off."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any, get_args, get_origin

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from contextpack_core.errors import AnswerError
from contextpack_core.tokens import TokenCounter, as_counter


def _as_list(value: Any) -> Any:
    """One text is a list of one, nothing an empty list."""
    return [] if value is None else [value] if isinstance(value, str) and value.strip() else value or []


def _labels(value: Any) -> Any:
    """Labels without brackets; several in one text are several."""
    listed = _as_list(value)
    if not isinstance(listed, list | tuple):
        return value
    return [name for item in listed for name in (_LABEL.findall(item) if isinstance(item, str) else [item])]


_LABEL = re.compile(r"[^\s\[\](),;，；、]+")

Texts = Annotated[list[str], BeforeValidator(_as_list)]


class GroundedClaim(BaseModel):
    """One statement of the answer and what supports it."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    text: str
    """The statement, as it stands in the answer."""
    labels: Annotated[list[str], BeforeValidator(_labels)] = Field(default_factory=list, examples=[["P1", "P3"]])
    """The labels of the passages that support it, such as P1."""
    quote: str | None = None
    """The decisive words of one of these passages, word for word."""


class GroundedAnswer(BaseModel):
    """An answer with its claims declared: for ``with_structured_output``, structured LLMs, and plain JSON. ``check`` takes it."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    answer: str
    """The whole answer, with its citation marks."""
    claims: list[GroundedClaim] = Field(default_factory=list)
    """Its statements."""
    confidence: float | None = Field(None, allow_inf_nan=False)
    """How sure the answer is, from 0 to 1."""
    abstain: bool = False
    """Whether the passages do not answer the question at all."""
    missing: Texts = Field(default_factory=list)
    """What the question asks and the passages do not say."""


def read_grounded_answer(text: str | Mapping[str, Any]) -> GroundedAnswer:
    """The answer in a model's JSON, in a code fence or behind some words too.

    Raises:
        AnswerError: there is no JSON, it is broken off or wrong; the message names the place, and ``salvaged`` of the error is the
            part that can be used: whole claims only, the text of the answer as far as it came. None if there is no such part.
    """
    if isinstance(text, Mapping):
        return _validated(text, None)
    if not isinstance(text, str):
        raise AnswerError(f"answer: {type(text).__name__} — JSON as text, or a mapping")
    start = text.find("{")
    if start < 0:
        raise AnswerError('answer: no JSON object — {"answer": …, "claims": […]} is wanted')
    try:
        data, _ = _DECODER.raw_decode(text, start)
    except (json.JSONDecodeError, RecursionError) as error:
        at = getattr(error, "pos", start)
        why = getattr(error, "msg", "nested too deep")
        rest = _repaired(text, start)
        salvaged = _salvage(rest) if rest is not None else None
        whole = "broken off" if at >= len(text.rstrip()) or "Unterminated" in why else f"wrong JSON ({why})"
        raise AnswerError(f"answer, character {at}: {whole}; {_said(salvaged)}", salvaged) from error
    return _validated(data, text)


def schema_tokens(
    schema: type[BaseModel],
    count_tokens: TokenCounter | None = None,
    *,
    text: int = 60,
    items: int = 5,
    tokenizer: str | None = None,
) -> int:
    """How many tokens an answer in this form takes: for the budget's line ``answer``, as ``used={"answer": …}``.

    A text counts as ``text`` tokens (or its ``max_length`` in characters, if that is fewer), a list as ``items`` entries (or its
    ``max_length``), a field with examples as the longest of them; keys, brackets and values that can be told are counted as
    the JSON that is written.
    """
    count = as_counter(count_tokens, tokenizer)
    shape, texts = _shape(schema, text, items, count)
    return count(json.dumps(shape, default=str)) + texts


# ---------------------------------------------------------------- reading what is wrong


def _validated(data: Any, text: str | None) -> GroundedAnswer:
    try:
        return GroundedAnswer.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        salvaged = _salvage(data)
        place = ".".join(["answer", *[str(part) for part in first["loc"]]])
        raise AnswerError(f"{place}: {first['msg']}; {_said(salvaged)}", salvaged) from error


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
            good[name] = [claim for claim in value if _is_right(GroundedClaim, claim)]
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


def _repaired(text: str, start: int) -> Any:
    """The data up to where they are broken off: unfinished values are left out, but for the text under the first ``answer``."""
    stack: list[str] = []
    safe: tuple[int, tuple[str, ...]] = (start, ())  # where a value has ended, and what was open there
    at, size = start, len(text)
    while at < size:
        sign = text[at]
        if sign == '"':
            end = _end_of_string(text, at)
            if end < 0:
                if len(stack) == 1 and _ANSWER_KEY.search(text, max(start, at - 40), at):
                    return _loads(_without_half_escape(text[start:]) + '"' + "".join(reversed(stack)))
                break
            at = end
            continue
        if sign in "{[":
            stack.append("}" if sign == "{" else "]")
            if sign == "[" and len(stack) <= _WHOLE:
                safe = (at + 1, tuple(stack))
        elif sign in "}]":
            if not stack or stack.pop() != sign:
                break
            if len(stack) <= _WHOLE:
                safe = (at + 1, tuple(stack))
            if not stack:
                break
        elif sign == "," and len(stack) <= _WHOLE:
            safe = (at, tuple(stack))
        at += 1
    end, opened = safe
    while end > start:
        found = _loads(text[start:end].rstrip().rstrip(",") + "".join(reversed(opened)))
        if found is not None:
            return found
        end = text.rfind(",", start, end)
        if end < 0 or len(opened) > 1:
            return None
    return None


_WHOLE = 2  # open brackets up to which what is complete is worth having: fields of the answer, and whole claims
_ANSWER_KEY = re.compile(r'"answer"\s*:\s*\Z')


def _end_of_string(text: str, at: int) -> int:
    """Behind the string that begins there; -1 if it does not end."""
    at += 1
    while at < len(text):
        if text[at] == "\\":
            at += 1
        elif text[at] == '"':
            return at + 1
        at += 1
    return -1


def _without_half_escape(text: str) -> str:
    return re.sub(r"\\(?:u[0-9a-fA-F]{0,3})?\Z", "", text) if not text.endswith("\\\\") else text


def _loads(text: str) -> Any:
    try:
        return _DECODER.decode(text)
    except (json.JSONDecodeError, RecursionError):
        return None


_LONGEST_INTEGER = 4000  # digits; int() reads no more than 4300


def _integer(digits: str) -> int | float:
    """The number, as a float where it has more digits than Python reads."""
    return int(digits) if len(digits) <= _LONGEST_INTEGER else float(digits)


_DECODER = json.JSONDecoder(strict=False, parse_int=_integer)


# ---------------------------------------------------------------- the size of a form


def _shape(kind: Any, text: int, items: int, count: Callable[[str], int], length: int | None = None) -> tuple[Any, int]:
    """JSON data of that form with empty texts, and the tokens that the texts take besides."""
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        shape, texts = {}, 0
        for name, field in kind.model_fields.items():
            if field.examples:
                shape[name] = max(field.examples, key=lambda example: len(json.dumps(example, default=str)))
                continue
            most = next((m.max_length for m in field.metadata if hasattr(m, "max_length")), None)
            shape[name], more = _shape(field.annotation, text, items, count, most)
            texts += more
        return shape, texts
    origin, parts = get_origin(kind), [part for part in get_args(kind) if part is not type(None)]
    if origin in (list, tuple, set, frozenset):
        shape_of_one, texts = _shape(parts[0] if parts else str, text, items, count)
        number = min(items, length) if length is not None else items
        return [shape_of_one] * number, texts * number
    if origin is Annotated:
        return _shape(parts[0], text, items, count, length)
    if origin is dict:
        shape_of_one, texts = _shape(parts[1], text, items, count)
        return {f"key{i}": shape_of_one for i in range(items)}, texts * items
    if parts and all(isinstance(part, str) for part in parts):  # a Literal: its longest value
        return max(parts, key=len), 0
    if parts:  # a union: its largest member
        return max([_shape(part, text, items, count, length) for part in parts], key=lambda found: (found[1], len(str(found[0]))))
    if kind is bool:
        return False, 0
    if kind in (int, float):
        return 1000, 0
    return "", text if length is None else min(text, length)
