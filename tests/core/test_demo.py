"""The demonstration shows what the README says."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

from contextpack_core import tokens
from contextpack_core.demo import harbourline_documents, harbourline_search, run_demo, split


@pytest.fixture(scope="module")
def shown() -> str:
    """What the demonstration prints."""
    output = io.StringIO()
    assert run_demo(Console(file=output, width=200)) == 0
    return output.getvalue()


def test_each_question_has_its_outcome(shown: str) -> None:
    """Evidence for four questions, and none for the one that the documents do not answer."""
    assert re.findall(r"^as of 2026-06-01 · intent (\w+) · (\w+)", shown, re.MULTILINE) == [
        ("none", "READY"),
        ("procedure", "READY"),
        ("comparison", "READY"),
        ("none", "DECLINE"),
        ("none", "READY"),
    ]


def test_passages_are_shown_as_they_are() -> None:
    """However narrow the terminal is, a line of a passage stays a line."""
    narrow = io.StringIO()
    run_demo(Console(file=narrow, width=60))

    assert '<passage id="P1" title="Home policy wording" edition="2026" effective="from 2026-01-01">\n' in narrow.getvalue()


@pytest.mark.parametrize(("approximate", "noted"), [(True, True), (False, False)])
def test_a_count_that_is_a_bound_is_marked(monkeypatch: pytest.MonkeyPatch, approximate: bool, noted: bool) -> None:
    """Without a token table the numbers are upper bounds, and say so."""
    monkeypatch.setattr(tokens, "_exact", lambda encoding: None if approximate else len)
    shown = io.StringIO()
    run_demo(Console(file=shown, width=200))

    assert (" tokens (at most: no token table was found" in shown.getvalue()) is noted


def test_a_comparison_has_both_values(shown: str) -> None:
    """The standard excess of both editions is in the evidence, the older one first."""
    old, new = (shown.index(f"The standard Excess is {euros} euros for each event") for euros in (300, 450))

    assert old < new


def test_nothing_forbidden_is_shown(shown: str) -> None:
    """The internal note is named among what was left out, and its text is nowhere."""
    assert "NO_ACCESS" in shown
    assert "7,500 euros without a second signature" not in shown


def test_the_answers_come_out_as_they_should(shown: str) -> None:
    """Supported, invented, last year's with both editions named, and a citation to what was dropped."""
    assert "figure 500 euros: SUPPORTED" in shown
    assert "figure 525 euros: UNSUPPORTED" in shown
    assert "figure 350 euros: STALE — stands only in edition 2025 of home-policy; edition 2026 of home-policy applied" in shown
    assert re.search(r"\[home-policy-2025\.md:\d+\] cites what was left out of the evidence: edition 2025", shown)


def test_the_documents_are_long_enough_to_matter() -> None:
    """Fifteen pages of 500 words and more, in overlapping chunks whose offsets are right."""
    documents = harbourline_documents()

    assert sum(len(text.split()) for text in documents.values()) > 15 * 500
    for text in documents.values():
        assert [chunk for start, chunk in split(text) if text[start : start + len(chunk)] != chunk] == []
    assert len(harbourline_search().chunks) > 100
