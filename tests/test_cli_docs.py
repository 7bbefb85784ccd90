"""docs/cli.md names every command and option."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer.main

from contextpack_core.commands import app

PAGE = (Path(__file__).parents[1] / "docs" / "cli.md").read_text(encoding="utf-8")


def commands(group: Any, before: str = "") -> Iterator[tuple[str, Any]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, f"{before}{name} ")
        else:
            yield f"{before}{name}", command


def test_every_command_stands_in_the_page_with_its_options():
    """One row a command; each option in it, with its short form."""
    found = dict(commands(typer.main.get_command(app)))

    assert len(found) >= 9
    for name, command in found.items():
        row = next((line for line in PAGE.splitlines() if line.startswith((f"| `{name}`", f"| `{name} "))), "")
        options = [option for parameter in command.params for option in parameter.opts if option.startswith("-")]
        assert row, name
        assert [option for option in options if f"`{option}`" not in row] == [], name
