"""docs/api.md names everything that the core gives out, with the first sentence of its docstring.

``python -m tests.test_api_docs`` writes its tables anew.
"""

from __future__ import annotations

import re
from inspect import getdoc, isclass, isroutine
from pathlib import Path

import contextpack_core

PAGE = Path(__file__).parents[1] / "docs" / "api.md"
HEADINGS = {  # by the beginning of the module that defines a name; the first that fits
    "packing": ("pack", "received", "advice", "values", "decisions", "trace", "stages.", "tokens", "semantic", "editions."),
    "checking": ("citations.",),
    "grounding": ("grounding.", "answer_size"),
    "settings": ("policy", "fields", "intents"),
    "errors": ("errors",),
    "adapters": ("questions.", "scope", "shares", "telemetry"),
}
SETTINGS = ("CitationSettings", "GroundingSettings", "RenderSettings", "RetrievalSettings")
ALIASES = {  # what has no docstring of its own: heading and meaning
    "TokenCounter": (
        "packing",
        "A function from a text to its number of tokens (or to the tokens), or an object with `count`, or with `encode`.",
    ),
    "Embedder": ("packing", "A function from texts to their vectors, one for each, in order."),
    "Classifier": ("settings", "A function from a question to the name of an intent, or None."),
    "PolicyField": ("adapters", "For a field of a pydantic model: a policy, or the plain data of one."),
    "FOUND_FOR": ("adapters", "The metadata key under which a hit of a further search says for what it was found."),
}


def heading_of(name: str) -> str:
    if name in ALIASES:
        return ALIASES[name][0]
    if name in SETTINGS:
        return "settings"
    module = getattr(contextpack_core, name).__module__.removeprefix("contextpack_core.")
    return next(heading for heading, beginnings in HEADINGS.items() if module.startswith(beginnings))


def meaning_of(name: str) -> str:
    if name in ALIASES:
        return ALIASES[name][1]
    value = getattr(contextpack_core, name)
    assert isclass(value) or isroutine(value), f"{name}: say in ALIASES what it is"
    paragraph = " ".join((getdoc(value) or "").partition("\n\n")[0].split())
    return re.split(r"(?<=\.) (?=[A-Z`])", paragraph)[0].replace("``", "`").replace("|", "\\|")


def table(heading: str) -> str:
    names = sorted([name for name in contextpack_core.__all__ if heading_of(name) == heading], key=str.casefold)
    rows = [f"| `{name}` | {meaning_of(name)} |\n" for name in names]
    return "".join(["| name | what it is |\n|---|---|\n", *rows])


def with_tables(page: str) -> str:
    for heading in HEADINGS:
        before, _, rest = page.partition(f"<!-- {heading} -->\n")
        after = rest.partition("<!-- end -->")[2]
        page = f"{before}<!-- {heading} -->\n{table(heading)}<!-- end -->{after}"
    return page


def test_the_page_names_everything_that_the_core_gives_out() -> None:
    """After a change of a name or a docstring the page is written anew."""
    page = PAGE.read_text(encoding="utf-8")

    assert page == with_tables(page), "run: python -m tests.test_api_docs"


def test_each_name_has_one_row() -> None:
    """No name is missing, none stands twice, and none is there that the core does not give out."""
    rows = re.findall(r"^\| `(\w+)` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)

    assert sorted(rows) == sorted(contextpack_core.__all__)


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
