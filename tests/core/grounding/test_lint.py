"""What breaks a prefix cache is named."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextpack_core import ArgumentError, Finding, Policy, Span, grounded_messages, lint_prompt


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
        ("Heute ist der 1. Juni 2026.", "date", "1. Juni 2026"),
        ("Nous sommes le 3 mars 2026", "date", "3 mars 2026"),
        ("Le 1er février 2026.", "date", "1er février 2026"),
        ("Hoy es 3 de marzo de 2026.", "date", "3 de marzo de 2026"),
        ("Сегодня 1 июня 2026 года", "date", "1 июня 2026"),
        ("2026. június 1.", "date", "2026. június 1"),
        ("今天是2026年6月1日", "date", "2026年6月1日"),
        ("今天是星期一。", "date", "今天是星期一"),
        ("It is Monday.", "date", "It is Monday"),
        ("Heute ist Dienstag.", "date", "Heute ist Dienstag"),
        ("Nous sommes mercredi.", "date", "Nous sommes mercredi"),
        ("It is 3 pm now.", "time", "It is 3 pm"),
        ("Der Nutzer heißt Jonas Weber.", "user", "Nutzer heißt Jonas Weber"),
        ("The user is Anna.", "user", "user is Anna"),
        ("L'utilisateur s'appelle Jean Dupont.", "user", "utilisateur s'appelle Jean Dupont"),
        ("El usuario se llama Ana.", "user", "usuario se llama Ana"),
        ("用户名：张伟", "user", "用户名：张伟"),
        ("Hello Anna", "user", "Hello Anna"),
        ("Be brief.\nBonjour Anna, bienvenue", "user", "Bonjour Anna"),
        ("User name: anna.schmidt", "user", "User name: anna.schmidt"),
        ("User: Anna Schmidt\nBe brief.", "user", "User: Anna Schmidt"),
        ("Session: abc123", "id", "Session: abc123"),
        ("policy no. HV-2026-00123", "id", "policy no. HV-2026-00123"),
        ("customer number is 48151623", "id", "customer number is 48151623"),
        ("Kundennummer 48151623", "id", "Kundennummer 48151623"),
        ("numéro de client 48151", "id", "numéro de client 48151"),
        ("会话ID：a81bc", "id", "会话ID：a81bc"),
        ("run 01ARZ3NDEKTSV4RRFFQ69G5FAV", "id", "01ARZ3NDEKTSV4RRFFQ69G5FAV"),
        ("The user's name is Bob.", "user", "user's name is Bob"),
        ("The customer’s full name is Anna Smith.", "user", "customer’s full name is Anna Smith"),
        ("Der Name des Nutzers ist Jonas Weber.", "user", "Name des Nutzers ist Jonas Weber"),
        ("Le nom de l'utilisateur est Jean Dupont.", "user", "Le nom de l'utilisateur est Jean Dupont"),
        ("El nombre del usuario es Ana.", "user", "El nombre del usuario es Ana"),
        ("User: bob42", "user", "User: bob42"),
        ("Logged in as jdoe.", "user", "Logged in as jdoe"),
        ("signed in as anna.smith today", "user", "signed in as anna.smith"),
        ("Tenant: acme-corp", "id", "Tenant: acme-corp"),
        ("nonce: 8f14e45f", "id", "nonce: 8f14e45f"),
        ("cache-buster=77ab", "id", "cache-buster=77ab"),
        ("As of June 2026, be brief.", "date", "As of June 2026"),
        ("Stand: Juni 2026", "date", "Stand: Juni 2026"),
        ("The year is 2026.", "date", "The year is 2026"),
        ("The current month is June 2026.", "date", "The current month is June 2026"),
        ("Das Jahr ist 2026.", "date", "Das Jahr ist 2026"),
        ("Wir haben Juni 2026.", "date", "Wir haben Juni 2026"),
        ("Nous sommes en juin 2026.", "date", "Nous sommes en juin 2026"),
        ("Estamos en 2026.", "date", "Estamos en 2026"),
        ("现在是2026年。", "date", "现在是2026年"),
        ("client ip 10.2.3.4", "address", "ip 10.2.3.4"),
        ("from 192.168.0.12 on", "address", "192.168.0.12"),
        ("from 2001:0db8:0000:0000:0000:ff00:0042:8329", "address", "2001:0db8:0000:0000:0000:ff00:0042:8329"),
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


@pytest.mark.parametrize(
    "rule",
    [
        "Answer in 3 sentences. Clause 6.2 allows 500 euros. The user asks, you answer [P1].",
        "Version 1.10.2 of the terms, release 20.3.40.5, clause 6.2.1.44, section 10.12.2024.",
        "Write 1,600,000,000 euros as 1600000000 euros, $1500000000, 1.5 bn or 12.5 %.",
        "The user is asking about cover; the customer is always right. Der Kunde ist König.",
        "Call 112 in an emergency. Message 2 counts more than message 1, in a ratio of 1:1000.",
        "User: What is covered?\nAssistant: Storm [P1].",
        "Never tell the request id, the session or the policy number, which is on the card.",
        "We are open Monday to Friday. It is Monday to Friday in every branch.",
        "Hello World is a program. Dear is a word. Say hello there.",
        "The user's name is on the card. A user logged in as an admin, or logged in as the owner, sees all. User: a person.",
        "Tenant: the person who rents. A tenant-owned flat. The year is stated as 2026 or 2027. Wir haben 2000 Euro. Salt: none.",
        "Q3 2026, FY2026 and May are periods; 2 May cases; May I?",
        "Use Python 3.11, UTF-8, ISO 8601 and GPT-4.1. Cases 2 of 3, at most 3 to 5 points.",
    ],
)
def test_ordinary_rules_are_no_findings(rule):
    """Amounts, clauses and versions change with the documents, not with the request."""
    assert lint_prompt(rule) == []


def test_messages_of_any_kind_are_read():
    """Mappings, blocks of text, objects with content."""

    class Message:
        content = "At 14:05"

    texts = [{"role": "system", "content": [{"type": "text", "text": "At 14:05"}]}, Message(), ("user", "14:05")]

    assert [(f.message, f.span) for f in lint_prompt(texts)] == [(0, Span(3, 8)), (1, Span(3, 8))]
    assert [(f.message, f.span) for f in lint_prompt({"messages": texts})] == [(0, Span(3, 8)), (1, Span(3, 8))]
    for one in ("At 14:05", ["At 14:05"], ("system", "At 14:05"), {"role": "system", "content": "At 14:05"}, Message()):
        assert [(f.message, f.span) for f in lint_prompt(one)] == [(0, Span(3, 8))]


def test_what_a_framework_makes_of_a_prompt_is_read():
    """By ``to_messages``: the positions are those of the messages."""

    class Value:
        def to_messages(self):
            return [{"content": "At 14:05"}, {"content": "At 14:06"}]

    assert [(f.message, f.text) for f in lint_prompt(Value())] == [(0, "14:05")]
    assert [f.kind for f in lint_prompt(Value(), [("system", "At 14:07"), ("user", "x")])] == ["time", "change"]


@pytest.mark.parametrize(
    ("held", "message"),
    [
        (3, "messages: int — a text, or messages"),
        (b"x", "messages: bytes"),
        ([3], r"messages\[0\]: int"),
        ([("system", "x"), None], r"messages\[1\]: NoneType"),
        ([{"content": 3}], r"messages\[0\]: its content is int"),
    ],
)
def test_what_cannot_be_read_is_named(held, message):
    """The place and what is wanted."""
    with pytest.raises(ArgumentError, match=message):
        lint_prompt(held)
    with pytest.raises(ArgumentError, match=message.replace("messages", "other", 1)):
        lint_prompt("x", held)


@given(st.text(max_size=300))
def test_findings_stand_where_they_say(text):
    """Each is a stretch of the text, and no two share a character."""
    findings = lint_prompt(text)

    assert [f.text for f in findings] == [text[f.span.start : f.span.end] for f in findings]
    assert all(a.span.end <= b.span.start for a, b in pairwise(findings))


@pytest.mark.parametrize(
    ("other", "kind", "at"),
    [("a\nb\nc", None, None), ("a\nc\nb", "order", 2), ("a\nb\nx", "change", 4), ("a\nb", "change", 3)],
)
def test_two_requests_show_where_the_cache_ends(other, kind, at):
    """The first place that differs; the same lines in another order are named so."""
    findings = lint_prompt([("system", "a\nb\nc"), ("user", "1")], [("system", other), ("user", "2")])

    assert [(f.kind, f.span.start) for f in findings] == ([] if kind is None else [(kind, at)])
    assert all(isinstance(f, Finding) for f in findings)
