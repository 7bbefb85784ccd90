from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextpack_core import pack
from contextpack_core.dates import bare
from contextpack_core.questions.changes import (
    CHANGE_CUES,
    COMPARISON_CUES,
    DOCUMENTS,
    LOOSE_CUES,
    OLD_AND_NEW,
    PERSONAL_CUES,
    change_asked,
)

TODAY = date(2026, 6, 1)
QUESTIONS = [json.loads(line) for line in (Path(__file__).parents[2] / "data/questions/changes.jsonl").open(encoding="utf-8")]


def edition(year: int) -> dict[str, Any]:
    return {
        "id": str(year),
        "text": f"The fee is {year} cents.",
        "doc_id": f"d{year}",
        "family": "fees",
        "edition": str(year),
        "effective_from": f"{year}-01-01",
    }


EDITIONS = [edition(year) for year in (2024, 2025, 2026)]


def editions_for(question: str) -> list[str | None]:
    return [item.passage.source.edition for item in pack(EDITIONS, question, as_of=TODAY).evidence]


@pytest.mark.parametrize("question", [case["question"] for case in QUESTIONS if not case["change"]])
def test_everyday_questions(question: str) -> None:
    """A question about a change in somebody's life, or none at all, is answered from the edition in force alone."""
    assert editions_for(question) == ["2026"]


@pytest.mark.parametrize("question", [case["question"] for case in QUESTIONS if case["change"]])
def test_questions_about_a_change(question: str) -> None:
    """A question about a change of the documents gets the edition in force beside an older one, oldest first."""
    found = editions_for(question)

    assert (len(found) > 1, found[-1]) == (True, "2026")


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("What changed since 2024?", ["2024", "2026"]),
        ("What changed since March 2024?", ["2024", "2026"]),
        ("What changed since 1 January 2025?", ["2025", "2026"]),
        ("What changed between 2024 and 2025?", ["2024", "2025"]),
        ("What is new in 2025?", ["2024", "2025"]),
        ("What changed in March 2025?", ["2025", "2026"]),
        ("What changed in 2019?", ["2025", "2026"]),
        ("What changed for phones bought in 2024?", ["2025", "2026"]),
        ("Compare phones bought in 2024 and in 2025", ["2026"]),
        ("What changed in 2025, and what applies now?", ["2024", "2025", "2026"]),
        ("What changed between 2024 and 2025, and what applies today?", ["2024", "2025", "2026"]),
        ("How does the 2024 edition differ from the current one?", ["2024", "2026"]),
        ("Is the current fee higher than in 2024?", ["2024", "2026"]),
    ],
)
def test_which_editions_are_compared(question: str, found: list[str]) -> None:
    """The editions that are named are compared; the one in force is left out only where another one is named by its name."""
    assert editions_for(question) == found


def test_each_sentence_by_itself() -> None:
    """What tells of a person in one sentence does not hide the question about the documents in another one."""
    texts = [
        "I moved in 2025. What changed in the terms?",
        "What changed in the terms if I moved in 2025?",
        "Was ändert sich zum 1. Januar 2026?",
        "Was ändert sich, wenn ich zum 1. Januar 2026 umziehe?",
    ]

    assert [change_asked(bare(text)) for text in texts] == ["any", "", "any", ""]


def test_a_cue_of_ones_own_counts_anywhere() -> None:
    """A cue of one's own is not weighed against what tells of a person."""
    assert change_asked("if i move, give me the delta", ["the délta"]) == "any"


def test_languages() -> None:
    """Every language with cues for a change has some for a comparison and for what tells of a person."""
    assert set(CHANGE_CUES) == set(COMPARISON_CUES) == set(PERSONAL_CUES)
    assert (set(LOOSE_CUES) | set(OLD_AND_NEW) | set(DOCUMENTS)) <= set(CHANGE_CUES)


@given(st.text(max_size=200))
def test_reads_anything(text: str) -> None:
    """Any text is read, and is a question about a change, a comparison or neither."""
    assert change_asked(bare(text)) in ("", "any", "named")
