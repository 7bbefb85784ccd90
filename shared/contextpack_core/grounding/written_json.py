"""JSON as models write it: in a fence, behind words and reasoning, wrapped, with a comma or a quotation mark amiss, broken off."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from contextpack_core.patterns import pattern


@dataclass(frozen=True, slots=True)
class Written:
    """An object in a text, and where it ends.

    ``fault`` says why it is not all that was meant (broken off, no JSON from there on), or what was guessed; empty if it can be
    relied on. ``place`` is where the fault is. Commas too many or too few, comments, single quotation marks, bare keys and
    Python's ``True`` and ``None`` leave no doubt and are none. Of what is broken off, ``data`` has what is whole: of a list the
    whole entries, and an unfinished text only under ``answer``.
    """

    data: Mapping[str, Any]
    end: int
    fault: str = ""
    place: int = 0


_ANSWER_FIELDS = ("answer", "claims", "abstain")
"""What tells an answer from other data."""


def answer_object(text: str) -> Written | None:
    """The last object in the text that has an ``answer``, taken out of what wraps it; else one with ``claims``, else any.

    What stands in ``<think>`` before the answer is not looked at. None if there is no object.
    """
    objects = list(_objects(text))
    found = [written for written in map(_unwrapped, objects) if written is not None]
    with_text = [written for written in found if "answer" in written.data]
    return (with_text or found or objects)[-1] if objects else None


def whole_answer_object(text: str) -> Written | None:
    """The object with an answer that is all of the text, but for reasoning before it and a code fence around it.

    Its ``answer`` is a text; or null, beside ``claims`` or ``abstain``.
    """
    if "{" not in text or '"' not in text:
        return None
    head = _HEAD.match(text)
    if head is None:
        return None
    read = _read(text, head.end())
    if not read.fault and _TAIL.match(text, read.end) is None:
        return None
    written = _unwrapped(read)
    return written if written is not None and _is_answered(written.data) else None


def _is_answered(data: Mapping[str, Any]) -> bool:
    if data.get("answer", "") is None:
        return "claims" in data or "abstain" in data
    return isinstance(data.get("answer"), str)


def unwrapped(data: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The answer in what wraps it: ``{"GroundedAnswer": {…}}``, the arguments of a tool call; None if there is none."""
    written = _unwrapped(Written(data, 0))
    return written.data if written is not None and not written.fault else None


_THINKING = r"<think(?:ing)?>"
_THOUGHT = pattern(r"</think(?:ing)?>", re.IGNORECASE)
_HEAD = pattern(rf"\s*(?:{_THINKING}(?:(?!</think).)*+</think(?:ing)?>\s*)?(?:```[a-z]*\s*)?(?=\{{)", re.IGNORECASE | re.DOTALL)
_TAIL = pattern(r"\s*(?:```\s*)?\Z")
_START = pattern(
    rf"\{{(?=\s*+(?:[\"'}}]|[A-Za-z_]\w*+\s*+:|/[/*]|\Z))|(?P<thinking>{_THINKING})|(?P<thought></think(?:ing)?>)", re.IGNORECASE
)
_MOST_STARTS = 20  # objects that are tried: an answer has one or two, a hostile text has a brace at every character


def _objects(text: str) -> Iterator[Written]:
    """The objects of a text in order, those in reasoning left out."""
    at, found = 0, list[Written]()
    while len(found) < _MOST_STARTS and (sign := _START.search(text, at)):
        if sign["thinking"]:
            closed = _THOUGHT.search(text, sign.end())
            at = closed.end() if closed else len(text)
        elif sign["thought"]:  # the prompt had opened it
            found.clear()
            at = sign.end()
        else:
            found.append(_read(text, sign.start()))
            at = max(found[-1].end, sign.end())
    return iter(found)


_WRAPPERS = ("GroundedAnswer", "arguments", "parameters", "args", "input", "function")
_MOST_WRAPPERS = 4


def _unwrapped(written: Written, depth: int = 0) -> Written | None:
    data = written.data
    if any(name in data and not isinstance(data[name], Mapping) for name in _ANSWER_FIELDS):
        return written
    inner = [data[name] for name in _WRAPPERS if name in data] or (list(data.values()) if len(data) == 1 else [])
    for value in inner if depth < _MOST_WRAPPERS else ():
        if isinstance(value, str) and (head := _HEAD.match(value)):
            read = _read(value, head.end())
            value, written = read.data, replace(written, fault=written.fault or read.fault, place=written.place or read.place)
        if isinstance(value, Mapping) and (found := _unwrapped(replace(written, data=value), depth + 1)):
            return found
    return None


# ---------------------------------------------------------------- reading one object


def _read(text: str, start: int) -> Written:
    """The object that begins there."""
    try:
        data, end = _DECODER.raw_decode(text, start)
    except (json.JSONDecodeError, RecursionError):
        return _Reader(text, start).read()
    return Written(data, end)


_LONGEST_INTEGER = 4000  # digits; int() reads no more than 4300


def _integer(digits: str) -> int | float:
    """The number, as a float where it has more digits than Python reads."""
    return int(digits) if len(digits) <= _LONGEST_INTEGER else float(digits)


_DECODER = json.JSONDecoder(strict=False, parse_int=_integer)

_BROKEN_OFF = "broken off"
_DEEPEST = 40

_BLANKS = pattern(r"(?:\s++|/\*.*?\*/|//[^\n]*+)*+", re.DOTALL)
_KEY = pattern(r"(?:\"([^\"\n]{0,100})\"|'([^'\n]{0,100})'|([A-Za-z_]\w{0,99}))(?=\s*+:)")
_HALF_KEY = pattern(r"(?:\"[^\"\n]*+\"?|'[^'\n]*+'?|\w++)\s*+\Z")
_LITERAL = pattern(r"[^\s,:{}\[\]\"'/]++")
_LITERALS = {"true": True, "True": True, "false": False, "False": False, "null": None, "None": None, "NaN": float("nan")}
_NUMBER = pattern(r"[-+]?(?:\d++\.?\d*+|\.\d++)(?:[eE][-+]?\d++)?\Z")
_UNTIL = {'"': pattern(r"(?:[^\"\\]++|\\.)*+", re.DOTALL), "'": pattern(r"(?:[^'\\]++|\\.)*+", re.DOTALL)}

# Which quotation mark ends a text is told by what follows: the next key or the end of the object, or the next entry of the list.
_GAP = r"(?:\s++|/\*[^*]{0,200}\*/|//[^\n]{0,200}\n)*+"
_NEXT_KEY = r"(?:\"[^\"\n]{0,100}\"|'[^'\n]{0,100}'|[A-Za-z_]\w{0,99})\s*+(?::|\Z)"
_ENDS_MEMBER = pattern(rf"{_GAP}(?:[}}\]]|\Z|{_NEXT_KEY}|,{_GAP}(?:{_NEXT_KEY}|[\"'][^\"'\n]{{0,100}}\Z|\}}|\Z))")
_NEXT_ENTRY = r"[\"'{\[\]\d-]|(?:true|false|null|True|False|None)\b|\Z"
_ENDS_ENTRY = pattern(rf"{_GAP}(?:[}}\]]|\Z|,{_GAP}(?:{_NEXT_ENTRY}))|\s++[\"']")


class _Stopped(Exception):
    """Nothing can be read from here on; the message says why."""


class _Reader:
    """Reads one object leniently, once from the left to the right; what was read before it had to stop is kept."""

    def __init__(self, text: str, start: int) -> None:
        self._text = text
        self._at = start
        self._guess: int | None = None  # where a quotation mark was first taken for a part of a text
        self._half = ""

    def read(self) -> Written:
        """The object that begins at the place."""
        found: dict[str, Any] = {}
        try:
            self._object(found, 0)
        except _Stopped as stopped:
            return Written(found, self._at, str(stopped), self._at)
        if self._guess is not None:
            return Written(found, self._at, "a quotation mark inside a text, without its backslash", self._guess)
        return Written(found, self._at)

    def _object(self, found: dict[str, Any], depth: int) -> None:
        self._at += 1
        while (sign := self._next()) != "}":
            if sign == ",":
                self._at += 1
                continue
            key = self._key()
            opening = self._next()
            if opening in "{[":
                found[key] = {} if opening == "{" else []
                self._fill(found[key], depth)
            else:
                found[key] = self._scalar(opening, _ENDS_MEMBER, found if key == "answer" else None)
        self._at += 1

    def _list(self, found: list[Any], depth: int) -> None:
        self._at += 1
        while (sign := self._next()) != "]":
            if sign == ",":
                self._at += 1
            elif sign in "{[":
                entry: dict[str, Any] | list[Any] = {} if sign == "{" else []
                self._fill(entry, depth)
                found.append(entry)
            else:
                found.append(self._scalar(sign, _ENDS_ENTRY, None))
        self._at += 1

    def _fill(self, found: dict[str, Any] | list[Any], depth: int) -> None:
        if depth > _DEEPEST:
            raise _Stopped("nested too deep")
        if isinstance(found, dict):
            self._object(found, depth + 1)
        else:
            self._list(found, depth + 1)

    def _next(self) -> str:
        """The next character that is no blank and in no comment."""
        blanks = _BLANKS.match(self._text, self._at)
        assert blanks is not None
        self._at = blanks.end()
        if self._at >= len(self._text):
            raise _Stopped(_BROKEN_OFF)
        return self._text[self._at]

    def _key(self) -> str:
        found = _KEY.match(self._text, self._at)
        if found is None:
            half = _HALF_KEY.match(self._text, self._at)
            raise _Stopped(_BROKEN_OFF if half else "wrong JSON (a key and a colon are wanted)")
        self._at = found.end()
        self._next()
        self._at += 1
        return _plain(found[1] or found[2] or found[3] or "")

    def _scalar(self, sign: str, ends: re.Pattern[str], keep_half: dict[str, Any] | None) -> Any:
        """A text, number or word; an unfinished text is put under ``answer`` of ``keep_half``."""
        if sign in "\"'":
            return self._string(sign, ends, keep_half)
        found = _LITERAL.match(self._text, self._at)
        if found is None:
            raise _Stopped("wrong JSON (a value is wanted)")
        if found.end() == len(self._text):
            raise _Stopped(_BROKEN_OFF)
        if found[0] not in _LITERALS and _NUMBER.match(found[0]) is None:
            raise _Stopped("wrong JSON (a value is wanted)")
        self._at = found.end()
        if found[0] in _LITERALS:
            return _LITERALS[found[0]]
        return _integer(found[0]) if found[0].isdigit() else float(found[0])

    def _string(self, quote: str, ends: re.Pattern[str], keep_half: dict[str, Any] | None) -> str:
        start = seen = self._at + 1
        while True:
            run = _UNTIL[quote].match(self._text, seen)
            assert run is not None
            end = run.end()
            if end >= len(self._text) or self._text[end] != quote:  # the end of the text, or a backslash before it
                if keep_half is not None:
                    keep_half["answer"] = _plain(_without_half_escape(self._text[start:]))
                self._at = len(self._text)
                raise _Stopped(_BROKEN_OFF)
            if ends.match(self._text, end + 1):
                self._at = end + 1
                return _plain(self._text[start:end])
            if self._guess is None:
                self._guess = end
            seen = end + 1


_ESCAPE = pattern(r"\\(?:u([0-9a-fA-F]{4})|([\\\"'/bfnrt]))")
_MEANS = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_WHOLE_ESCAPES = pattern(r"(?:[^\\]++|\\u[0-9a-fA-F]{4}|\\[^u])*+", re.DOTALL)


def _plain(raw: str) -> str:
    """The text without its escapes; a backslash that begins none stays."""
    if "\\" not in raw:
        return raw
    text = _ESCAPE.sub(lambda sign: chr(int(sign[1], 16)) if sign[1] else _MEANS.get(sign[2], sign[2]), raw)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")  # two halves of a character are one


def _without_half_escape(raw: str) -> str:
    """The unfinished text without the beginning of an escape, or of a character of two, at its end."""
    whole = _WHOLE_ESCAPES.match(raw)
    assert whole is not None
    raw = raw[: whole.end()] if len(raw) - whole.end() < 6 else raw
    return _HALF_CHARACTER.sub("", raw)


_HALF_CHARACTER = pattern(r"\\u[dD][89abAB][0-9a-fA-F]{2}\Z")
