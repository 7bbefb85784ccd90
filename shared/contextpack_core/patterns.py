"""Regular expressions that are compiled when they are first used: an import pays for none that it does not need."""

from __future__ import annotations

import re
from typing import Any, cast


def pattern(expression: str, flags: int = 0) -> re.Pattern[str]:
    """What ``re.compile`` gives, compiled at its first use; a wrong expression is an error only then."""
    return cast("re.Pattern[str]", _Pattern(expression, flags))


class _Pattern:
    """Stands for a compiled pattern; after the first use its methods are attributes of this object, which costs no detour."""

    def __init__(self, expression: str, flags: int) -> None:
        self._expression, self._flags = expression, flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self._expression, self._flags)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)

    def __repr__(self) -> str:
        return f"pattern({self._expression!r})"


_METHODS = ("search", "match", "fullmatch", "findall", "finditer", "split", "sub", "subn")
