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
Read = Callable[[Any], Any]

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
    kind: Any = type(value)
    if kind is str:
        return _escaped(value)
    if value is None or kind is int or kind is bool:
        return value
    if kind is tuple or kind is list:
        return [to_plain(item) for item in value]
    if kind is Span:
        return [value.start, value.end]
    names = _names_of(kind)
    return _other(value) if names is None else _object(value, names)


def from_plain(kind: type[T], saved: Any, where: str) -> T:
    """The value of that dataclass which ``to_plain`` wrote; keys it does not know are ignored.

    Raises:
        PackError: the data are no such value; the message names the place and what is wanted there.
    """
    hint: Any = kind
    try:
        value: T = _reader(hint)(saved)
    except _Wrong as wrong:
        raise PackError(f"{where}{wrong.path}: {wrong.said}") from None
    return value


def check_format(saved: Any) -> None:
    """Raises PackError unless the data say that they are a pack in a form this release reads."""
    if not isinstance(saved, Mapping):
        raise PackError(
            f"pack: {type(saved).__name__} — the mapping that Pack.to_dict gave (a JSON text goes through json.loads first)"
        )
    found = saved.get("format")
    if type(found) is not int or not 1 <= found <= FORMAT:
        raise PackError(f"pack.format: {found!r} — this release reads formats up to {FORMAT}")


def _object(value: Any, names: Sequence[str]) -> dict[str, Any]:
    plain = {}
    for name in names:
        item = getattr(value, name)
        if item is not None and item != ():
            plain[name] = to_plain(item)
    return plain


@cache
def _names_of(kind: Any) -> tuple[str, ...] | None:
    """The fields of a dataclass that are saved; None for what is no dataclass."""
    unsaved: Set[str] = _UNSAVED.get(kind, frozenset())
    return tuple(f.name for f in fields(kind) if f.init and f.name not in unsaved) if is_dataclass(kind) else None


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


# ---- reading, by the types that the dataclasses name


class _Wrong(Exception):
    """What is wrong, at a path that grows on the way out: where all is well, none is made."""

    def __init__(self, said: str, path: str = "") -> None:
        self.said, self.path = said, path

    def inside(self, place: str) -> _Wrong:
        return _Wrong(self.said, place + self.path)


def _wanted(saved: Any, wanted: str) -> _Wrong:
    shown = repr(saved)
    return _Wrong(f"{shown if len(shown) <= 60 else shown[:59] + '…'} — {wanted}")


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


def _dataclass(kind: Any) -> Read:
    @cache
    def plan() -> list[tuple[str, Read, Any]]:  # later: a value may hold values of its own kind
        hints, saved = get_type_hints(kind), _names_of(kind) or ()
        return [(f.name, _reader(hints[f.name]), _default(f, hints[f.name])) for f in fields(kind) if f.name in saved]

    def read(saved: Any) -> Any:
        if not isinstance(saved, Mapping):
            raise _wanted(saved, "an object")
        found, name = {}, ""
        try:
            for name, read_field, default in plan():
                if name in saved:
                    found[name] = read_field(saved[name])
                elif default is MISSING:
                    raise _Wrong("missing")
                elif default is not _OWN:
                    found[name] = default
        except _Wrong as wrong:
            raise wrong.inside(f".{name}") from None
        try:
            return kind(**found)
        except (TypeError, ValueError) as error:
            raise _Wrong(str(error)) from error

    return read


_OWN = object()


def _default(field: Any, hint: Any) -> Any:
    """What a field is that was left out because it was empty: None, (), its own default; MISSING where it may not be left out."""
    if field.default is not MISSING or field.default_factory is not MISSING:
        return _OWN
    if get_origin(hint) is tuple:
        return ()
    return None if type(None) in get_args(hint) else MISSING


def _any_of(readers: Sequence[Read]) -> Read:
    def read(saved: Any) -> Any:
        if saved is None and optional:
            return None
        first: _Wrong | None = None
        for one in others:
            try:
                return one(saved)
            except _Wrong as wrong:
                first = first or wrong
        assert first is not None
        raise first

    optional = _SCALARS[type(None)] in readers
    others = [one for one in readers if one is not _SCALARS[type(None)]]
    return read


def _many(one: Read) -> Read:
    def read(saved: Any) -> Any:
        if not isinstance(saved, list | tuple):
            raise _wanted(saved, "an array")
        found: list[Any] = []
        try:
            for item in saved:
                found.append(one(item))  # noqa: PERF401 - how many there are tells where it went wrong
        except _Wrong as wrong:
            raise wrong.inside(f"[{len(found)}]") from None
        return tuple(found)

    return read


def _fixed(readers: Sequence[Read]) -> Read:
    def read(saved: Any) -> Any:
        if not isinstance(saved, list | tuple) or len(saved) != len(readers):
            raise _wanted(saved, f"an array of {len(readers)}")
        found: list[Any] = []
        try:
            for one, item in zip(readers, saved, strict=True):
                found.append(one(item))
        except _Wrong as wrong:
            raise wrong.inside(f"[{len(found)}]") from None
        return tuple(found)

    return read


def _mapping(one: Read) -> Read:
    def read(saved: Any) -> Any:
        if not isinstance(saved, Mapping):
            raise _wanted(saved, "an object")
        found, key = {}, ""
        try:
            for key, item in saved.items():
                found[_text(key)] = one(item)
        except _Wrong as wrong:
            raise wrong.inside(f".{key}") from None
        return found

    return read


def _span(saved: Any) -> Span:
    if (
        isinstance(saved, list | tuple)
        and len(saved) == 2
        and type(saved[0]) is type(saved[1]) is int
        and 0 <= saved[0] <= saved[1]
    ):
        return Span(saved[0], saved[1])
    raise _wanted(saved, "[start, end] with 0 <= start <= end")


def _date(saved: Any) -> date:
    try:
        return date.fromisoformat(saved)
    except (TypeError, ValueError):
        raise _wanted(saved, "a day such as 2026-03-01") from None


def _member(kind: type[Enum]) -> Read:
    members = {member.value: member for member in kind}

    def read(saved: Any) -> Any:
        if isinstance(saved, str) and saved in members:
            return members[saved]
        raise _wanted(saved, f"one of {', '.join(map(str, members))}")

    return read


def _text(saved: Any) -> str:
    if type(saved) is not str:
        raise _wanted(saved, "a text")
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), saved) if _ESCAPE in saved else saved


def _scalar(kinds: tuple[type, ...], wanted: str) -> Read:
    def read(saved: Any) -> Any:
        if type(saved) not in kinds:
            raise _wanted(saved, wanted)
        return saved

    return read


_SCALARS: dict[Any, Read] = {
    str: _text,
    int: _scalar((int,), "a whole number"),
    float: _scalar((int, float), "a number"),
    bool: _scalar((bool,), "true or false"),
    type(None): _scalar((type(None),), "null"),
}
