"""The code in the README and the docs runs, and every word of the closed lists stands there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from contextpack_core import CitationStatus, FigureStatus, Outcome, QuoteStatus, Reason, ReportStatus, SupportLabel

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
CODE = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_code_of_a_page_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The Python blocks of a page run one after the other."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": page.stem}
    text = page.read_text(encoding="utf-8")

    for block in CODE.finditer(text):
        line = text.count("\n", 0, block.start(1))
        exec(compile("\n" * line + block[1], str(page), "exec"), names)


@pytest.mark.parametrize("words", [Reason, Outcome, CitationStatus, QuoteStatus, FigureStatus, ReportStatus, SupportLabel])
def test_each_word_of_a_closed_list_is_described(words: type) -> None:
    """Each member stands in the docs as code."""
    docs = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)

    assert [word.value for word in words if f"`{word.value}`" not in docs] == []


def test_links_lead_somewhere() -> None:
    """Each relative link of a page names a file that is there."""
    broken = [
        (page.name, target)
        for page in PAGES
        for target in re.findall(r"\]\((?!https?://|#)([^)#]+)", page.read_text(encoding="utf-8"))
        if not (page.parent / target).exists()
    ]

    assert broken == []
