"""The size of an answer in a given form: the JSON that will be written, counted."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Annotated, Any, TypeGuard, get_args, get_origin

from pydantic import BaseModel

from contextpack_core.errors import ArgumentError
from contextpack_core.tokens import TokenCounter, as_counter


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

    Raises:
        ArgumentError: ``schema`` is no pydantic class.
    """
    if not is_form(schema):
        raise ArgumentError(f"schema: {_named(schema)} — a pydantic class, such as GroundedAnswer")
    count = as_counter(count_tokens, tokenizer)
    shape, texts = _shape(schema, text, items, count)
    return count(json.dumps(shape, default=str)) + texts


def is_form(schema: Any) -> TypeGuard[type[BaseModel]]:
    """Whether it is a pydantic class, the form of an answer."""
    return isinstance(schema, type) and issubclass(schema, BaseModel)


def _named(schema: Any) -> str:
    """What was given: a class by its name, an object as one of its class."""
    return f"the class {schema.__name__}" if isinstance(schema, type) else f"an object of {type(schema).__name__}"


def _shape(
    kind: Any, text: int, items: int, count: Callable[[str], int], length: int | None = None, within: tuple[Any, ...] = ()
) -> tuple[Any, int]:
    """JSON data of that form with empty texts, and the tokens that the texts take besides; a form within itself is left empty."""
    if is_form(kind):
        if kind in within:
            return None, 0
        within = (*within, kind)
        shape, texts = {}, 0
        for name, field in kind.model_fields.items():
            if field.examples:
                shape[name] = max(field.examples, key=lambda example: len(json.dumps(example, default=str)))
                continue
            most = next((m.max_length for m in field.metadata if hasattr(m, "max_length")), None)
            shape[name], more = _shape(field.annotation, text, items, count, most, within)
            texts += more
        return shape, texts
    origin, parts = get_origin(kind), [part for part in get_args(kind) if part is not type(None)]
    if origin in (list, tuple, set, frozenset):
        shape_of_one, texts = _shape(parts[0] if parts else str, text, items, count, None, within)
        number = min(items, length) if length is not None else items
        return [shape_of_one] * number, texts * number
    if origin is Annotated:
        return _shape(parts[0], text, items, count, length, within)
    if origin is dict:
        shape_of_one, texts = _shape(parts[1], text, items, count, None, within)
        return {f"key{i}": shape_of_one for i in range(items)}, texts * items
    if parts and all(isinstance(part, str) for part in parts):  # a Literal: its longest value
        return max(parts, key=len), 0
    if parts:  # a union: its largest member
        shapes = [_shape(part, text, items, count, length, within) for part in parts]
        return max(shapes, key=lambda found: (found[1], len(str(found[0]))))
    if kind is bool:
        return False, 0
    if kind in (int, float):
        return 1000, 0
    return "", text if length is None else min(text, length)
