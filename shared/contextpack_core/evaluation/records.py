"""Records on disk: written as they come, one run at a time, and read back by the run that goes on."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import IO, Any

from contextpack_core.evaluation.engines import EvaluationError

Record = dict[str, Any]
"""What came of one case, as JSON data: its values by measure, its cell of the abstention matrix, its diagnosis, its curve."""


class RecordsFile:
    """The file of records: a line with the signature, then a line for each case as soon as it is done; or no file at all.

    ``done`` are the records that an interrupted run left. What is no record, such as half a line at the end, is taken out, and so
    is the record of a case for which a function of the user's raised an error (``again``): these cases are run again.
    """

    def __init__(self, path: str | Path | None, signature: Mapping[str, Any]) -> None:
        self._path, self._signature = Path(path) if path is not None else None, signature
        self._file: IO[bytes] | None = None
        self.done: dict[str, Record] = {}

    def __enter__(self) -> RecordsFile:
        if self._path is None:
            return self
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self._path.open("a+b", buffering=0)
        except OSError as error:
            raise EvaluationError(f"{self._path}: cannot be written: {error.strerror or error}") from None
        try:
            self._take_up(self._file)
        except BaseException:
            self._file.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def write(self, line: str) -> None:
        """One more line, on disk before the next case."""
        if self._file is None:
            return
        content = line.encode() + b"\n"
        try:
            whole = self._file.write(content) == len(content)
        except OSError as error:
            raise EvaluationError(f"{self._path}: cannot be written: {error.strerror or error}") from None
        if not whole:
            raise EvaluationError(f"{self._path}: cannot be written: no space is left")

    def _take_up(self, file: IO[bytes]) -> None:
        """Reads what is there, and leaves no line that is no record.

        Raises:
            EvaluationError: another run writes here, or the file holds something else, or records of another evaluation.
        """
        attempts = 1
        while not _locked(file):
            if attempts == _ATTEMPTS:
                raise EvaluationError(f"{self._path}: another run writes here — wait until it has ended, or name another place")
            attempts += 1
            time.sleep(_PAUSE)
        file.seek(0)
        content = file.read()
        first, *lines = found = content.split(b"\n")
        own = json.dumps({"signature": dict(self._signature)}).encode()
        if not lines and (own.startswith(first) or first.startswith(_BEGINNING)):
            first = own  # nothing yet, or not even the first line was finished
        else:
            self._check_signature(first)
        kept = [first]
        for line in lines:
            if (record := _record_in(line)) is not None:
                self.done[record["qid"]] = record
                kept.append(line)
        whole = b"\n".join([*kept, b""])
        if whole != content:  # from the first line that is none on: those before it stay where they are
            same = sum([len(mine) + 1 for mine, _ in takewhile(lambda pair: pair[0] is pair[1], zip(kept, found, strict=False))])
            file.truncate(same)
            file.write(whole[same:])

    def _check_signature(self, line: bytes) -> None:
        try:
            found = json.loads(line)["signature"]
            name = found["id"]
        except (ValueError, KeyError, TypeError, RecursionError):
            raise EvaluationError(f"{self._path}: no records of an evaluation — name another place") from None
        if name != self._signature["id"]:
            raise EvaluationError(f"{self._path}: records of another evaluation {_differing(found, self._signature)}")
        for part in _MADE_BY:
            if is_nameless(str(self._signature.get(part))):
                raise EvaluationError(
                    f"{self._path}: records made with {part}={self._signature[part]}, which nobody can tell from another — take a "
                    f"function of a module, or give it a version (function.version = '1'); or name another place"
                )


def _differing(found: Mapping[str, Any], signature: Mapping[str, Any]) -> str:
    differ = [name for name, value in signature.items() if found.get(name) != value and name != "id"]
    said = f"({', '.join(differ)} {'differs' if len(differ) == 1 else 'differ'})"
    if differ == ["as_of"]:
        return f"{said}: they are of {found['as_of']} — go on with --as-of {found['as_of']}, or name another place, or delete it"
    return f"{said} — name another place, or delete it"


_ATTEMPTS = 30
_PAUSE = 0.1
"""Seconds between attempts: processes of a run that was killed hold its lock until they have noticed."""
_BEGINNING = b'{"signature": {'
_MADE_BY = ("judge", "retrieve", "generate")


def _record_in(line: bytes) -> Record | None:
    """The record in a line; None where there is none, or one that is to be made again."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(record, dict) or not isinstance(record.get("qid"), str) or record.get("again"):
        return None
    return record if isinstance(record.get("values"), dict) or isinstance(record.get("error"), str) else None


def _locked(file: IO[bytes]) -> bool:
    """Whether the file is this run's alone from now on until it is closed; also true where the system has no locks for it."""
    try:
        if sys.platform == "win32":
            import msvcrt

            file.seek(_FAR)  # locked bytes cannot be read there: one behind all that is written
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except (ImportError, OSError):
        return True
    return True


_FAR = 1 << 40


# ---------------------------------------------------------------- who made them


def identity_of(made_by: Any) -> str:
    """The name by which another run knows a judge or function again: module and qualified name, its ``name`` and ``version`` or
    else the functions that it holds.

    A lambda and a function of a function are known in one run alone, unless they have a name or version: ``is_nameless``.
    """
    if isinstance(made_by, Mapping):
        return ", ".join([f"{name}: {identity_of(made_by[name])}" for name in sorted(made_by)])
    known = made_by if hasattr(made_by, "__qualname__") else type(made_by)
    where = f"{known.__module__}.{known.__qualname__}"
    owner = getattr(made_by, "__self__", made_by)
    given = [str(value) for key in ("name", "version") if isinstance(value := getattr(owner, key, None), str | int | float)]
    if given:
        return " ".join([*([] if is_nameless(where) else [where]), *given])
    if isinstance(made_by, partial):  # its arguments have no name
        return f"<{where}>"
    held = (
        [] if known is made_by else sorted([f"{key}={said}" for key, value in _held(made_by) if (said := _held_name(value, where))])
    )
    return f"{where}({', '.join(held)})" if held else where


def is_nameless(identity: str) -> bool:
    """Whether another run could not tell it from another one."""
    return "<" in identity


def _held(made_by: Any) -> list[tuple[str, Any]]:
    return [(key.lstrip("_"), value) for key, value in getattr(made_by, "__dict__", {}).items()]


def _held_name(value: Any, where: str) -> str:
    """A function that is held, or a number that a judge of this package is set to; of the rest nothing: it may be secret."""
    if hasattr(value, "__qualname__"):
        return f"{value.__module__}.{value.__qualname__}"
    numeric = isinstance(value, int | float) and where.startswith("contextpack_core.")
    return str(value) if numeric else ""
