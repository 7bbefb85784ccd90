"""Frozen dataclasses that are made as fast as open ones."""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import Any, TypeVar

T = TypeVar("T")


def quickly_made(cls: type[T]) -> type[T]:
    """The frozen dataclass with slots, whose instances take a quarter of the time to make and are what they were.

    What is frozen sets each of its own fields through ``object.__setattr__``: two fifths of what reading a candidate costs. So an
    instance is of an open class with the same slots until its fields are set, and of its own from then on.
    """
    plain: Any = cls.__init__
    names = [field.name for field in fields(cls)]  # type: ignore[arg-type]
    unset = [field for field in fields(cls) if field.default_factory is not MISSING]  # type: ignore[arg-type]
    scope: dict[str, Any] = {
        "open_it": object.__setattr__,
        "opened": type(cls.__name__, (), {"__slots__": names}),
        "closed": cls,
        "plain": plain,
        **{f"make_{field.name}": field.default_factory for field in unset},
    }
    lines = [
        f"def __init__(self, {', '.join(names)}):",
        f"if type(self) is not closed: return plain(self, {', '.join(names)})",  # a class of its own has a layout of its own
        *[f"if type({field.name}) is unset: {field.name} = make_{field.name}()" for field in unset],
        "open_it(self, '__class__', opened)",
        *[f"self.{name} = {name}" for name in names],
        "self.__class__ = closed",
        *(["self.__post_init__()"] if hasattr(cls, "__post_init__") else []),
    ]
    if unset:
        scope["unset"] = type(plain.__defaults__[names.index(unset[0].name) - len(names)])
    exec("\n ".join(lines), scope)
    quick = scope["__init__"]
    quick.__defaults__, quick.__annotations__, quick.__qualname__ = plain.__defaults__, plain.__annotations__, plain.__qualname__
    cls.__init__ = quick  # type: ignore[method-assign]
    return cls
