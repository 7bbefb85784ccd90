"""Names what in the head of a prompt differs from request to request and so breaks a provider's prefix cache."""

# ruff: noqa: E501 — a sentence or pattern on one line can be compared with its neighbours

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from contextpack_core.values import Span


@dataclass(frozen=True, slots=True)
class Finding:
    """Something in the head that looks as if it changed with the request, and where to put it; ``str()`` says both.

    ``message`` is the place of the message, counted from 0, ``span`` the place in its text.
    """

    kind: str
    text: str
    message: int
    span: Span
    advice: str

    def __str__(self) -> str:
        return f"message {self.message}, character {self.span.start}: {self.kind} {self.text!r} — {self.advice}"


_LAST = "put it into the last message, behind everything that stays the same"
_ADVICE = {
    "date": f"{_LAST}; the as-of date has its place there (as_of=)",
    "time": f"{_LAST}, or leave it out",
    "uuid": "leave it out: the model needs no ids of requests; send it as metadata of the call",
    "id": "leave it out: the model needs no ids of requests; send it as metadata of the call",
    "e-mail": f"{_LAST}, or leave it out",
    "user": f"{_LAST}, or leave it out",
    "counter": f"{_LAST}, or leave it out",
    "variable": f"a variable is filled anew for each request: {_LAST}",
    "order": "write it in one fixed order, say by name: the same lines in another order are another prefix",
    "change": f"it differs between the two requests: {_LAST}",
}
_MONTH = r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
_PATTERNS = (
    ("uuid", r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"),
    ("e-mail", r"\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}\b"),
    ("date", r"\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:\.\d{1,9})?(?:Z|[+-]\d{2}:?\d{2})?)?\b"),
    ("date", rf"\b\d{{1,2}}(?:st|nd|rd|th)?\.? {_MONTH}\.?,? \d{{4}}\b"),
    ("date", rf"\b{_MONTH}\.? \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}\b"),
    ("date", r"\b\d{1,2}[./]\d{1,2}[./]\d{4}\b"),
    ("date", r"\b\d{4}年\d{1,2}月\d{1,2}日"),
    ("time", r"\b\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]\.?m\b)?"),
    ("time", r"\b1[5-9]\d{8}(?:\d{3})?\b"),
    ("id", r"\b(?:request|session|trace|conversation|thread|correlation|user|tenant|run|message)[ _-]?id\b *[:=#]? *\S{1,80}"),
    ("id", r"\b[0-9a-f]{24,64}\b"),
    ("user", r"\b(?:current user|user(?: ?name)?|customer|logged in as|signed in as|talking to|speaking with|assisting)(?: is| name is|:|=) *[^\W\d_]\S{0,60}(?: [A-Z]\w{0,40})?"),
    ("user", r"\b(?:logged in as|signed in as|talking to|speaking with) [^\W\d_]\S{0,60}(?: [A-Z]\w{0,40})?"),
    ("counter", r"\b(?:request|turn|attempt|message|question|call|visit|iteration)(?: number| no\.?)? ?#?\d{1,9}(?: of \d{1,9})?\b"),
    ("counter", r"#\d{2,9}\b"),
    ("variable", r"(?<!\{)\{[a-zA-Z_]\w{0,40}\}(?!\})"),
    ("variable", r"\{\{ ?[a-zA-Z_]\w{0,40} ?\}\}"),
)  # fmt: skip
_SEARCHED = [(kind, re.compile(pattern, re.I if kind != "user" else 0)) for kind, pattern in _PATTERNS]


def lint_prompt(messages: Sequence[Any], other: Sequence[Any] | None = None) -> list[Finding]:
    """What in the head looks as if it changed from request to request, in the order in which it stands there.

    ``messages`` are pairs of role and text, mappings with ``content``, or message objects of a framework; the head is all of them
    but the last, or the one there is. With ``other``, the messages of another request of the same kind, the first place where the
    two heads differ is named too: whatever the pattern, that is where the cache ends.
    """
    head = _head(messages)
    found = [finding for number, text in enumerate(head) for finding in _in_text(text, number)]
    if other is not None:
        found += _difference(head, _head(other))
    return sorted(found, key=lambda finding: (finding.message, finding.span, finding.kind))


def _head(messages: Sequence[Any]) -> list[str]:
    texts = [_text(message) for message in messages]
    return texts[:-1] if len(texts) > 1 else texts


def _text(message: Any) -> str:
    """The text of a message, whatever it is: blocks of text one behind the other."""
    if isinstance(message, str):
        return message
    if isinstance(message, tuple | list):
        content: Any = message[1]
    else:
        content = message.get("content") if isinstance(message, Mapping) else getattr(message, "content", "")
    if isinstance(content, str) or content is None:
        return content or ""
    return "".join([str(block.get("text", "")) if isinstance(block, Mapping) else str(block) for block in content])


def _in_text(text: str, number: int) -> list[Finding]:
    found: list[Finding] = []
    for kind, pattern in _SEARCHED:
        for match in pattern.finditer(text):
            span = Span(match.start(), match.end())
            if not any(span.start < other.span.end and other.span.start < span.end for other in found):
                found.append(Finding(kind, match[0], number, span, _ADVICE[kind]))
    return found


_SHOWN = 60


def _difference(head: Sequence[str], other: Sequence[str]) -> list[Finding]:
    for number, (text, that) in enumerate(zip(head, other, strict=False)):
        if text != that:
            at = next((i for i, (a, b) in enumerate(zip(text, that, strict=False)) if a != b), min(len(text), len(that)))
            kind = "order" if sorted(text.splitlines()) == sorted(that.splitlines()) else "change"
            end = text.find("\n", at)
            end = min(len(text) if end < 0 else end, at + _SHOWN)
            return [Finding(kind, text[at:end], number, Span(at, max(at, end)), _ADVICE[kind])]
    if len(head) != len(other):
        number = min(len(head), len(other))
        return [
            Finding("change", f"{len(head)} messages, {len(other)} in the other request", number, Span(0, 0), _ADVICE["change"])
        ]
    return []
