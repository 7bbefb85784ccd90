"""docs/policy.md names every setting, and what it shows works.

``python -m tests.test_policy_docs`` writes its tables anew.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from contextpack_core.grounding.wording import NAMES, SENTENCES, WORDINGS, placeholders
from contextpack_core.policy import Policy
from contextpack_core.template import settings_table, spellings_table

PAGE = Path(__file__).parents[1] / "docs" / "policy.md"


def wording_table() -> str:
    """Every sentence as Markdown: its name, its placeholders with those in bold that it needs, and the English text."""
    rows = []
    for name, text in WORDINGS["en"].items():
        needed = SENTENCES[name].needed
        also = [each for each in placeholders(text) if each not in needed]
        held = ", ".join([f"**`{{{each}}}`**" for each in needed] + [f"`{{{each}}}`" for each in also])
        label = "`abstain` (set by `grounding.abstain`)" if name == "abstain" else f"`{name}`"
        shown = text.replace("|", "\\|").replace("\n", "<br>")
        rows.append(f"| {label} | {held} | {shown} |")
    return "\n".join(["| name | placeholders | English |", "|---|---|---|", *rows, ""])


TABLES = {"spellings": spellings_table, "wording": wording_table, "settings": settings_table}


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def with_tables(page: str) -> str:
    for name, table in TABLES.items():
        before, _, rest = page.partition(f"<!-- {name} -->\n")
        after = rest.partition("<!-- end -->")[2]
        page = f"{before}<!-- {name} -->\n{table()}<!-- end -->{after}"
    return page


def test_every_setting_stands_in_the_page_with_its_default_and_meaning():
    """The tables are those of the schema; after a change of a setting the page is written anew."""
    page = PAGE.read_text(encoding="utf-8")

    assert page == with_tables(page), "run: python -m tests.test_policy_docs"


def test_the_tables_name_every_setting():
    """Each key of each section has a row."""
    table = settings_table()

    for name, value in Policy().model_dump().items():
        for key in value if isinstance(value, dict) and value else [None]:
            assert f"| `{name}.{key}` |" in table or f"| `{name}` |" in table


def test_the_table_of_the_sentences_names_each_with_its_placeholders():
    """Those that it needs stand out."""
    table = wording_table()

    assert [name for name in NAMES if f"| `{name}` |" not in table] == []
    assert "| `cite` | **`{mark}`**, `{mark2}` | Cite right behind each statement" in table
    assert "| `low_score` | `{score}`, `{least}` | The best passage has a score of {score}; {least} is asked for. |" in table


@pytest.mark.parametrize("text", blocks("yaml"))
def test_the_policies_of_the_page_are_right(text):
    """They load, and read back the same."""
    policy = Policy.from_yaml(text)

    assert policy != Policy()
    assert Policy.from_yaml(policy.to_yaml()) == policy


def test_the_code_of_the_page_runs():
    """From top to bottom, as one program; its assertions hold."""
    code = blocks("python")

    assert len(code) >= 4
    exec("\n".join(code), {})


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
