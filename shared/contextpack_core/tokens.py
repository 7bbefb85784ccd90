"""Token counters: whatever the caller has, or one found offline by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, runtime_checkable


class HasCount(Protocol):
    def count(self, text: str) -> int: ...


class HasEncode(Protocol):
    def encode(self, text: str) -> Any: ...


TokenCounter = Callable[[str], int] | HasCount | HasEncode


@runtime_checkable
class Counter(Protocol):
    """A counter as the core uses it: callable, with a name, and a flag that says whether it only estimates (never too low)."""

    name: str
    approximate: bool

    def __call__(self, text: str) -> int: ...


class _Named:
    def __init__(self, name: str, count: Callable[[str], int], approximate: bool = False) -> None:
        self.name, self._count, self.approximate = name, count, approximate

    def __call__(self, text: str) -> int:
        return self._count(text)


def counter_for(name: str | None = None) -> Counter:
    """The counter for an encoding or model name."""
    import quicktok

    encoding = quicktok.get_encoding(name or "o200k_base")
    return _Named(name or "o200k_base", encoding.count)


def as_counter(count_tokens: TokenCounter | None, tokenizer: str | None = None) -> Counter:
    """The caller's counter (callable, ``count`` or ``encode``, in that order), or the one that the policy names."""
    if count_tokens is None:
        return counter_for(tokenizer)
    if callable(count_tokens):
        return _Named(getattr(count_tokens, "name", "custom"), count_tokens)
    if hasattr(count_tokens, "count"):
        return _Named("custom", count_tokens.count)
    return _Named("custom", lambda text: len(count_tokens.encode(text)))
