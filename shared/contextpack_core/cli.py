"""The entry point of the command ``contextpack``: starts it, or says what to install."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; without the extra ``cli`` say in one line how to get it, and end with 2."""
    try:
        from contextpack_core.commands import app
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in ("typer", "rich"):
            raise
        sys.stderr.write(f"contextpack: the command line needs {missing.name}: pip install 'contextpack-rag[cli]'\n")
        sys.exit(2)
    app()
