"""What breaks a prefix cache is named."""

from __future__ import annotations

import pytest

from contextpack_core import Finding, Policy, Span, grounded_messages, lint_prompt


@pytest.mark.parametrize(
    ("text", "kind", "found"),
    [
        ("Today is 2026-11-30.", "date", "2026-11-30"),
        ("Now: 2026-11-30T14:05:00Z.", "date", "2026-11-30T14:05:00Z"),
        ("It is March 3, 2026 here.", "date", "March 3, 2026"),
        ("It is 3 March 2026 here.", "date", "3 March 2026"),
        ("Heute ist der 30.11.2026.", "date", "30.11.2026"),
        ("The time is 14:05.", "time", "14:05"),
        ("ts 1764500000 end", "time", "1764500000"),
        ("id 123e4567-e89b-12d3-a456-426614174000", "uuid", "123e4567-e89b-12d3-a456-426614174000"),
        ("Session ID: a81bc", "id", "Session ID: a81bc"),
        ("Reply to anna@example.org.", "e-mail", "anna@example.org"),
        ("You are talking to Anna Lee.", "user", "talking to Anna Lee"),
        ("The user: Anna asks.", "user", "user: Anna"),
        ("This is request #17.", "counter", "request #17"),
        ("Attempt 2 of 3.", "counter", "Attempt 2 of 3"),
        ("Hello {user_name}!", "variable", "{user_name}"),
    ],
)
def test_what_changes_with_the_request_is_found_in_the_head(text, kind, found):
    """The kind, the words, the place, and where to put it."""
    findings = lint_prompt([("system", text), ("user", text)])

    at = text.index(found)
    assert [(f.kind, f.text, f.message, f.span) for f in findings] == [(kind, found, 0, Span(at, at + len(found)))]
    assert str(findings[0]).startswith(f"message 0, character {at}: {kind} ")


@pytest.mark.parametrize("pattern", ["strict", "augmented", "disclaimer"])
@pytest.mark.parametrize("language", ["en", "de"])
def test_the_prompts_of_the_package_are_clean(pattern, language):
    """Their day and their question stand in the last message."""
    policy = Policy.from_dict({"grounding": {"pattern": pattern, "language": language}, "budget": {"answer": "short"}})

    assert lint_prompt(grounded_messages(policy, "What holds on 2026-03-01?", "x", as_of="2026-03-01")) == []


def test_ordinary_rules_are_no_findings():
    """Amounts, clauses and versions change with the documents, not with the request."""
    assert lint_prompt([("system", "Answer in 3 sentences. Clause 6.2 allows 500 euros. The user asks, you answer [P1].")]) == []


def test_messages_of_any_kind_are_read():
    """Mappings, blocks of text, objects with content."""

    class Message:
        content = "At 14:05"

    texts = [{"role": "system", "content": [{"type": "text", "text": "At 14:05"}]}, Message(), ("user", "14:05")]

    assert [(f.message, f.span) for f in lint_prompt(texts)] == [(0, Span(3, 8)), (1, Span(3, 8))]


@pytest.mark.parametrize(
    ("other", "kind", "at"),
    [("a\nb\nc", None, None), ("a\nc\nb", "order", 2), ("a\nb\nx", "change", 4), ("a\nb", "change", 3)],
)
def test_two_requests_show_where_the_cache_ends(other, kind, at):
    """The first place that differs; the same lines in another order are named so."""
    findings = lint_prompt([("system", "a\nb\nc"), ("user", "1")], [("system", other), ("user", "2")])

    assert [(f.kind, f.span.start) for f in findings] == ([] if kind is None else [(kind, at)])
    assert all(isinstance(f, Finding) for f in findings)
