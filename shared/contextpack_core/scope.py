"""Who asks, as of when and with what intent, inside a ``with`` block: read by the adapters, never by the core."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class RequestScope:
    """The caller's access labels, the as-of date and the intent; None where no surrounding block says it."""

    access: tuple[str, ...] | None = None
    as_of: date | None = None
    intent: str | None = None


_NOBODY = RequestScope()
_SCOPE: ContextVar[RequestScope] = ContextVar("contextpack_request", default=_NOBODY)


@contextmanager
def request_scope(
    *, access: Collection[str] | str | None = None, as_of: date | str | None = None, intent: str | None = None
) -> Iterator[RequestScope]:
    """Every pack that an adapter makes inside the block is for this caller, this day and this intent.

    ``access`` are the labels that the caller holds (a text is one label; an empty list holds none); ``as_of`` is a date or its
    ISO text; ``intent`` names an intent of the policy, in the place of what the question announces. What is left out is taken from
    the block around. Threads and tasks started inside inherit the scope as far as they copy the context, as asyncio tasks and
    LangChain's executors do.

    Raises:
        ValueError: ``as_of`` is no date.
    """
    outer = _SCOPE.get()
    inner = RequestScope(
        outer.access if access is None else _labels(access),
        outer.as_of if as_of is None else _day(as_of),
        outer.intent if intent is None else intent,
    )
    token = _SCOPE.set(inner)
    try:
        yield inner
    finally:
        _SCOPE.reset(token)


_PACKS: ContextVar[list[Any] | None] = ContextVar("contextpack_packs", default=None)


@contextmanager
def packs_made() -> Iterator[list[Any]]:
    """The list of the packs that adapters make inside the block, filled as they make them.

    So the caller of a pipeline gets the pack even where no passage came through that could carry it.
    """
    made: list[Any] = []
    token = _PACKS.set(made)
    try:
        yield made
    finally:
        _PACKS.reset(token)


def note_pack(pack: Any) -> None:
    """Put a pack on the list of the innermost ``packs_made`` block around, if there is one."""
    if (made := _PACKS.get()) is not None:
        made.append(pack)


def only_pack_made() -> Any:
    """The pack of the innermost ``packs_made`` block around, where exactly one was made in it; else None.

    So what words the prompt of a request can say what its evidence was packed for.
    """
    made = _PACKS.get()
    return made[0] if made is not None and len(made) == 1 else None


def current_scope() -> RequestScope:
    """The scope of the innermost ``request_scope`` block around; an empty one outside of any."""
    return _SCOPE.get()


def request_for(
    asked: Mapping[str, Any] | None, *, access: Collection[str] | None = None, as_of: date | None = None
) -> RequestScope:
    """Who asks, as of when and with what intent: what the call says, else the scope around, else the object's own settings.

    Raises:
        ValueError: ``asked`` is no mapping, holds a key that is none of a request, or its ``as_of`` is no date.
    """
    if asked is not None and not isinstance(asked, Mapping):
        raise ValueError(f"contextpack: {asked!r} — a mapping with access, as_of and intent is wanted")
    asked = asked or {}
    if unknown := sorted(str(key) for key in asked if key not in ("access", "as_of", "intent")):
        raise ValueError(f"contextpack.{unknown[0]}: not a setting of a request — one of access, as_of, intent")
    scope = current_scope()
    held = asked.get("access")
    day = asked.get("as_of")
    return RequestScope(
        _labels(held) if held is not None else scope.access if scope.access is not None else _labels(access),
        _day(day) if day is not None else scope.as_of or as_of,
        asked["intent"] if asked.get("intent") is not None else scope.intent,
    )


def _labels(access: Collection[str] | str | None) -> tuple[str, ...] | None:
    return (access,) if isinstance(access, str) else None if access is None else tuple(access)


def _day(value: date | str) -> date:
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    try:
        return date.fromisoformat(value)
    except (TypeError, ValueError):
        raise ValueError(f"as_of={value!r}: a date, or text like 2026-03-01") from None
