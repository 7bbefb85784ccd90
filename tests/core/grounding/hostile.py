"""Hostile passages as data, and what must hold of a prompt that carries one."""

from __future__ import annotations

import json
from pathlib import Path

from contextpack_core import Policy, grounded_head, parse_rendered

HOSTILE = [json.loads(line) for line in (Path(__file__).parents[2] / "data" / "injection.jsonl").read_text("ascii").splitlines()]
FORMATS = ("xml", "bracket", "markdown", "json")
QUESTION = "What is the limit?"
BEFORE, AFTER = "The limit is 5,000 euros.", "Claims are reported within 14 days."


def hostile_records(text: str) -> list[dict[str, object]]:
    """A hostile passage, whose title is hostile too, between two plain ones."""
    texts = (BEFORE, text, AFTER)
    return [
        {"id": f"c{n}", "text": held, "metadata": {"doc_id": f"d{n}", "title": text[:80] if n == 1 else f"Document {n}"}}
        for n, held in enumerate(texts)
    ]


def assert_unmoved(messages: list[tuple[str, str]], policy: Policy, text: str) -> None:
    """Two messages, the head byte for byte, and in the frame of the tail the three passages with their labels and texts."""
    (first_role, head), (second_role, tail) = messages
    start, end = "Passages:\n", f"\n\nQuestion: {QUESTION}"

    assert (first_role, second_role) == ("system", "user")
    assert head == grounded_head(policy)
    assert tail.startswith(start)
    assert tail.endswith(end)
    read = parse_rendered(tail[len(start) : -len(end)], policy.render)
    assert [(item.label, item.text) for item in read] == [("P1", BEFORE), ("P2", text), ("P3", AFTER)]
