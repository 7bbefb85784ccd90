"""Values as strict JSON data and back, exactly, whatever their texts hold."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import MISSING, fields, is_dataclass
from datetime import date
from enum import Enum
from functools import cache
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from contextpack_core.errors import PackError
from contextpack_core.values import Candidate, Span

T = TypeVar("T")
Read = Callable[[Any, str], Any]

FORMAT = 1
"""The version of the saved form; it changes when an older release could not read it any more."""

_UNSAVED = {
    Candidate: {"metadata", "embedding", "tokens"}
}  # an application's own keys may be secrets; the sources say what is needed


def to_plain(value: Any) -> Any:
    """The value as data that ``json.dumps(…, allow_nan=False)`` writes and any UTF-8 file takes.

    Dataclasses are objects without their empty fields (None, ``()``), spans are ``[start, end]``, dates ISO texts, tuples and
    sets arrays. A number of a numeric library is its plain number; a float that JSON lacks is None. In texts a lone surrogate
    stands as U+001A and its four hex digits, and so does U+001A itself: JSON would else melt two halves into one character.
    """
    kind = type(value)
    if kind is str:
        return _escaped(value)
    if value is None or kind is int or kind is bool:
        return value
    if kind is tuple or kind is list:
        return [to_plain(item) for item in value]
    if kind is Span:
        return [value.start, value.end]
    if is_dataclass(kind):
        return _object(value, _saved_names(kind))
    return _other(value)


def from_plain(kind: type[T], saved: Any, where: str) -> T:
    """The value of that dataclass which ``to_plain`` wrote; keys it does not know are ignored.

    Raises:
        PackError: the data are no such value; the message names the place and what is wanted there.
    """
    read: Read = _reader(kind)  # type: ignore[arg-type]  # a cache wants what is hashable; a class is
    value: T = read(saved, where)
    return value


def check_format(saved: Any) -> None:
    """Raises PackError unless the data say that they are a pack in a form this release reads."""
    if not isinstance(saved, Mapping):
        raise PackError(
            f"pack: {type(saved).__name__} — the mapping that Pack.to_dict gave (a JSON text goes through json.loads first)"
        )
    found = saved.get("format")
    if type(found) is not int or not 1 <= found <= FORMAT:
        raise _wrong("pack.format", found, f"this release reads formats up to {FORMAT}")


def _object(value: Any, names: Sequence[str]) -> dict[str, Any]:
    found = ((name, getattr(value, name)) for name in names)
    return {name: to_plain(item) for name, item in found if item is not None and item != ()}


@cache
def _saved_names(kind: type[Any]) -> tuple[str, ...]:
    unsaved: Set[str] = _UNSAVED.get(kind, frozenset())
    return tuple(f.name for f in fields(kind) if f.init and f.name not in unsaved)


def _other(value: Any) -> Any:
    """What callers put into values that are typed otherwise."""
    if isinstance(value, Enum):
        return to_plain(value.value)
    if isinstance(value, str):
        return _escaped(str(value))
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, date):
        return value.isoformat()[:10]
    if isinstance(value, Mapping):
        return {_escaped(str(key)): to_plain(item) for key, item in value.items()}
    if isinstance(value, Set):
        return sorted((to_plain(item) for item in value), key=str)
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return [to_plain(item) for item in value]
    number = value.item() if callable(getattr(value, "item", None)) else None
    return to_plain(number) if isinstance(number, bool | int | float | str) else _escaped(str(value))


# ---- texts

_ESCAPE = "\x1a"
_TO_ESCAPE = re.compile("[\x1a\ud800-\udfff]")
_ESCAPED = re.compile("\x1a([0-9a-f]{4})")


def _escaped(text: str) -> str:
    if text.isascii() and _ESCAPE not in text:
        return text
    return _TO_ESCAPE.sub(lambda found: f"{_ESCAPE}{ord(found[0]):04x}", text)


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text) if _ESCAPE in text else text


# ---- reading, by the types that the dataclasses name


@cache
def _reader(hint: Any) -> Read:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return _any_of([_reader(a) for a in arguments])
    if origin is tuple:
        return _many(_reader(arguments[0])) if arguments[-1] is Ellipsis else _fixed([_reader(a) for a in arguments])
    if origin is not None and issubclass(origin, Mapping):
        return _mapping(_reader(arguments[1]))
    if hint is Span:
        return _span
    if hint is date:
        return _date
    if isinstance(origin or hint, type) and is_dataclass(origin or hint):
        return _dataclass(origin or hint)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _member(hint)
    return _SCALARS[str if isinstance(hint, TypeVar) else hint]


def _dataclass(kind: type) -> Read:
    @cache
    def plan() -> list[tuple[str, Read, bool]]:  # later: a value may hold values of its own kind
        hints = get_type_hints(kind)
        return [(f.name, _reader(hints[f.name]), _may_lack(f, hints[f.name])) for f in fields(kind) if f.name in _saved_names(kind)]

    def read(saved: Any, where: str) -> Any:
        if not isinstance(saved, Mapping):
            raise _wrong(where, saved, "an object")
        found = {}
        for name, read_field, may_lack in plan():
            if name in saved:
                found[name] = read_field(saved[name], f"{where}.{name}")
            elif not may_lack:
                raise PackError(f"{where}.{name}: missing")
        try:
            return kind(**_with_empty(kind, found))
        except (TypeError, ValueError) as error:
            raise PackError(f"{where}: {error}") from error

    return read


def _may_lack(field: Any, hint: Any) -> bool:
    return (
        field.default is not MISSING
        or field.default_factory is not MISSING
        or type(None) in get_args(hint)
        or get_origin(hint) is tuple
    )


def _with_empty(kind: type, found: dict[str, Any]) -> dict[str, Any]:
    """The arguments, with the empty value for each field that was left out because it was empty."""
    for name, empty in _empty(kind):
        found.setdefault(name, empty)
    return found


@cache
def _empty(kind: type) -> list[tuple[str, Any]]:
    hints = get_type_hints(kind)
    bare = [f for f in fields(kind) if f.default is MISSING and f.default_factory is MISSING]
    return [(f.name, () if get_origin(hints[f.name]) is tuple else None) for f in bare if _may_lack(f, hints[f.name])]


def _any_of(readers: Sequence[Read]) -> Read:
    def read(saved: Any, where: str) -> Any:
        wrong = None
        for one in readers:
            try:
                return one(saved, where)
            except PackError as error:
                wrong = wrong or error
        raise wrong or PackError(where)

    return read


def _many(one: Read) -> Read:
    def read(saved: Any, where: str) -> Any:
        if not isinstance(saved, list | tuple):
            raise _wrong(where, saved, "an array")
        return tuple([one(item, f"{where}[{i}]") for i, item in enumerate(saved)])

    return read


def _fixed(readers: Sequence[Read]) -> Read:
    def read(saved: Any, where: str) -> Any:
        if not isinstance(saved, list | tuple) or len(saved) != len(readers):
            raise _wrong(where, saved, f"an array of {len(readers)}")
        return tuple([one(item, f"{where}[{i}]") for i, (one, item) in enumerate(zip(readers, saved, strict=True))])

    return read


def _mapping(one: Read) -> Read:
    def read(saved: Any, where: str) -> Any:
        if not isinstance(saved, Mapping):
            raise _wrong(where, saved, "an object")
        return {_unescaped(key): one(item, f"{where}.{key}") for key, item in saved.items()}

    return read


def _span(saved: Any, where: str) -> Span:
    try:
        start, end = _fixed([_SCALARS[int], _SCALARS[int]])(saved, where)
        return Span(start, end)
    except ValueError as error:
        raise _wrong(where, saved, "[start, end] with 0 <= start <= end") from error


def _date(saved: Any, where: str) -> date:
    try:
        return date.fromisoformat(saved)
    except (TypeError, ValueError) as error:
        raise _wrong(where, saved, "a day such as 2026-03-01") from error


def _member(kind: type[Enum]) -> Read:
    def read(saved: Any, where: str) -> Any:
        try:
            return kind(saved)
        except ValueError as error:
            raise _wrong(where, saved, f"one of {', '.join(str(member.value) for member in kind)}") from error

    return read


def _scalar(kinds: tuple[type, ...], wanted: str) -> Read:
    def read(saved: Any, where: str) -> Any:
        if type(saved) not in kinds:
            raise _wrong(where, saved, wanted)
        return _unescaped(saved) if type(saved) is str else saved

    return read


_SCALARS: dict[Any, Read] = {
    str: _scalar((str,), "a text"),
    int: _scalar((int,), "a whole number"),
    float: _scalar((int, float), "a number"),
    bool: _scalar((bool,), "true or false"),
    type(None): _scalar((type(None),), "null"),
}


def _wrong(where: str, saved: Any, wanted: str) -> PackError:
    shown = repr(saved)
    return PackError(f"{where}: {shown if len(shown) <= 60 else shown[:59] + '…'} — {wanted}")
