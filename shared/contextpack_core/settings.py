"""The base of every settings class: frozen, an unknown key is an error, and no value is silently turned into another kind."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Mapping
from datetime import date
from itertools import pairwise
from textwrap import dedent
from typing import Annotated, Any, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

# These stand above Settings because its schema is built while its class statement runs.
_STRICT = frozenset({"bool", "int", "float", "str"})


def _make_scalars_strict(schema: Any) -> None:
    """Strictness as a whole would also refuse lists for tuples and mappings for sections."""
    if isinstance(schema, dict):
        for part in schema.values():
            _make_scalars_strict(part)
        if schema.get("type") in _STRICT:
            schema["strict"] = True
        elif schema.get("type") == "date":
            checked = core_schema.no_info_before_validator_function(_not_seconds, core_schema.date_schema())
            schema.clear()
            schema.update(checked)
    elif isinstance(schema, list | tuple):
        for part in schema:
            _make_scalars_strict(part)


def _not_seconds(value: Any) -> Any:
    """Numbers would be read as seconds since 1970, even when they stand in quotes."""
    if isinstance(value, date) or (isinstance(value, str) and "-" in value):
        return value
    raise PydanticCustomError("date_type", "Input should be a date like 2026-03-01")


class Settings(BaseModel):
    """A section of the policy. Equal settings are equal values; a copy with changes comes from ``model_copy``.

    Lists are taken for tuples and mappings for sections, but scalars must be what they say: ``"4000"``, ``4000.0`` and ``true``
    are no whole number, ``yes`` is no boolean, 1.1 is no text, and 20260101 is no date.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, ser_json_inf_nan="null")

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        schema = handler(source)
        _make_scalars_strict(handler.resolve_ref_schema(schema))
        return schema

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """With the docstrings of the fields: read where a schema is asked for, not at every import."""
        schema = handler(core)
        properties = handler.resolve_ref_schema(schema).get("properties", {})
        for name, text in _docstrings_of(cls).items():
            if name in properties:
                properties[name]["description"] = text
        return schema

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy, with other values if given; these are not checked. What was worked out of the old values is not copied."""
        copied = super().model_copy(update=update, deep=deep)
        for name in copied.__dict__.keys() - type(self).model_fields.keys():
            del copied.__dict__[name]
        return copied

    def __getstate__(self) -> dict[Any, Any]:
        state = super().__getstate__()
        state["__dict__"] = {name: value for name, value in state["__dict__"].items() if name in type(self).model_fields}
        return state


def _docstrings_of(settings: type) -> dict[str, str]:
    """The text that stands below each attribute of the class."""
    try:
        (definition,) = ast.parse(dedent(inspect.getsource(settings))).body
    except OSError:  # the source is not at hand
        return {}
    assert isinstance(definition, ast.ClassDef)
    found = {}
    for pair in pairwise(definition.body):
        match pair:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                found[name] = inspect.cleandoc(text)
    return found


Texts = Annotated[
    tuple[str, ...],
    BeforeValidator(lambda value: (value,) if isinstance(value, str) else value, json_schema_input_type=str | tuple[str, ...]),
]
"""A list of texts; a single text is a list of one."""
