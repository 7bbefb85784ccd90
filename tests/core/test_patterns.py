"""Regular expressions that wait for their first use."""

from __future__ import annotations

import importlib
import pkgutil
import re
import subprocess
import sys

import pytest

import contextpack_core
from contextpack_core.patterns import _Pattern, pattern


def test_it_is_compiled_when_it_is_first_used_and_only_then(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its methods are those of the compiled pattern, whichever comes first; a wrong expression shows then."""
    compiled: list[str] = []
    real = re.compile
    monkeypatch.setattr(re, "compile", lambda expression, flags=0: compiled.append(expression) or real(expression, flags))

    words, wrong = pattern(r"[a-z]+", re.IGNORECASE), pattern("(")

    assert compiled == []
    assert [words.findall("Ab 1 c"), words.sub("x", "Ab 1 c"), words.split("1a2"), words.pattern] == [
        ["Ab", "c"],
        "x 1 x",
        ["1", "2"],
        "[a-z]+",
    ]
    assert words.match("b")
    assert not words.fullmatch("b1")
    assert set(compiled) == {"[a-z]+"}
    with pytest.raises(re.error):
        wrong.search("")


def test_every_pattern_of_the_package_is_right() -> None:
    """Those that no other test uses would show their faults late."""
    found = []
    for module in pkgutil.walk_packages(contextpack_core.__path__, "contextpack_core."):
        if not re.search(r"\.(cli|commands|demo)$", module.name):
            found += [value for value in vars(importlib.import_module(module.name)).values() if isinstance(value, _Pattern)]

    assert len(found) > 100
    assert [value for value in found if not isinstance(value.pattern, str)] == []


def test_an_import_takes_no_more_than_it_needs() -> None:
    """Neither the extras, nor the regular expressions of the checker, nor a token table."""
    script = (
        "import re, sys; n = [0]; compile = re._compiler.compile\n"
        "def counted(*a, **k): n[0] += 1; return compile(*a, **k)\n"
        "re._compiler.compile = counted\n"
        "import contextpack_core\n"
        "print(n[0], *sorted({'typer', 'rich', 'matplotlib', 'pandas', 'numpy', 'tiktoken', 'quicktok'} & set(sys.modules)))"
    )
    printed = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()

    assert int(printed[0]) < 200
    assert printed[1:] == []
