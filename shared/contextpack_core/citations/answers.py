"""Answers: plain text, or a mapping with the text, its claims and whether it declines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from contextpack_core.errors import AnswerError
from contextpack_core.values import Span


@dataclass(frozen=True, slots=True)
class DeclaredClaim:
    """A claim as a structured answer declares it."""

    text: str
    labels: tuple[str, ...] = ()
    quotes: tuple[str, ...] = ()
    span: Span | None = None
    """Where it stands in the text of the answer, where that is known."""
    called: str = ""
    """What a problem calls a label that is no evidence, where the label itself tells a reader nothing."""
    detail: str = ""
    """Why its label names no passage, where more is known than that."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The text of an answer and what it declares beside the text."""

    text: str
    claims: tuple[DeclaredClaim, ...] = ()
    abstains: bool = False


def read_answer(answer: str | Mapping[str, Any] | None) -> Answer:
    """An answer as the model gave it: a text, or ``{"answer": …, "claims": [{"text", "labels", "quote"}], "abstain": …}``.

    A pydantic model counts as the mapping that it dumps. Without ``answer`` the text is that of the claims. ``None`` is the
    empty answer.

    Raises:
        AnswerError: it is something else; the message names the key.
    """
    if answer is None or isinstance(answer, str):
        return Answer(answer or "")
    if hasattr(answer, "model_dump"):
        answer = answer.model_dump()
    if not isinstance(answer, Mapping):
        raise AnswerError(f"answer: {type(answer).__name__} — a text, or a mapping with 'answer' or 'claims'")
    claims = tuple([_claim(item, f"answer.claims[{i}]") for i, item in enumerate(_list(answer.get("claims"), "answer.claims"))])
    text = answer.get("answer")
    if text is None:
        text = "\n".join([claim.text for claim in claims])
    if not isinstance(text, str):
        raise AnswerError(f"answer.answer: {type(text).__name__} — a text")
    return Answer(text, claims, bool(answer.get("abstain")))


def _claim(item: Any, where: str) -> DeclaredClaim:
    if isinstance(item, str):
        return DeclaredClaim(item)
    if not isinstance(item, Mapping) or not isinstance(item.get("text"), str):
        raise AnswerError(f"{where}: {type(item).__name__} — a text, or a mapping with 'text', 'labels' and 'quote'")
    return DeclaredClaim(item["text"], _texts(item.get("labels"), f"{where}.labels"), _texts(item.get("quote"), f"{where}.quote"))


def _texts(value: Any, where: str) -> tuple[str, ...]:
    return tuple([_text(item, where) for item in ([value] if isinstance(value, str) else _list(value, where))])


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise AnswerError(f"{where}: {type(value).__name__} — a text, or a list of texts")
    return value


def _list(value: Any, where: str) -> Sequence[Any]:
    if value is None:
        return ()
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Sequence):
        raise AnswerError(f"{where}: {type(value).__name__} — a list")
    return value
