"""Answers: plain text, or a mapping with the text, its claims and whether it declines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from contextpack_core.errors import AnswerError
from contextpack_core.grounding.written_json import Written, unwrapped, whole_answer_object
from contextpack_core.patterns import pattern
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
    is_mark: bool = False
    """Whether its place holds nothing but a mark, such as the link to the source."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The text of an answer and what it declares beside the text."""

    text: str
    claims: tuple[DeclaredClaim, ...] = ()
    abstains: bool = False
    fault: str = ""
    """What is wrong with the JSON that it was written in; what could be read stands in the other fields."""
    lacks: bool = False
    """Whether it declares something as missing."""


def read_answer(answer: Any) -> Answer:
    """An answer as the model gave it: a text, or ``{"answer": …, "claims": [{"text", "labels", "quote"}], "abstain": …}``.

    A text that is such JSON, bare or in a code fence, counts as what it holds; a pydantic model as the mapping that it dumps;
    ``{"raw": …, "parsed": …, "parsing_error": …}`` as what was parsed. Without ``answer`` the text is that of the claims. ``None``
    is the empty answer.

    Raises:
        AnswerError: it is something else; the message names the key.
    """
    if answer is None or isinstance(answer, str):
        written = whole_answer_object(answer) if answer else None
        return Answer(answer or "") if written is None else _written(written)
    data = answer.model_dump() if hasattr(answer, "model_dump") else answer
    if not isinstance(data, Mapping):
        raise AnswerError(f"answer: {type(answer).__name__} — a text, or a mapping with 'answer' or 'claims'")
    if "parsed" in data and "raw" in data:
        return _parsed(data)
    found = unwrapped(data)
    if found is None:
        raise AnswerError(f"answer: {_described(answer, data)} — a text, or a mapping with 'answer' or 'claims'")
    return _structured(found)


def label_names(value: Any) -> Any:
    """Labels without brackets; several in one text are several, a whole number is its digits, nothing is none."""
    listed = [value] if isinstance(value, str | int) else [] if value is None else value
    if not isinstance(listed, list | tuple):
        return value
    return [name for item in listed for name in _names(item)]


def _names(item: Any) -> list[Any]:
    if isinstance(item, int) and not isinstance(item, bool):
        return [str(item)]
    return _LABEL.findall(item) if isinstance(item, str) else [item]


_LABEL = pattern(r"[^\s\[\](){}\"'【】,;，；、]+")


# ---------------------------------------------------------------- the forms


def _written(written: Written) -> Answer:
    """The answer in JSON. Where that is broken off or wrong, what is right in it: the text, and whole claims."""
    fault = f"the answer is no whole JSON, from character {written.place} on: {written.fault}" if written.fault else ""
    try:
        return replace(_structured(written.data), fault=fault)
    except AnswerError as error:
        claims = [claim for claim in _items(written.data.get("claims")) if _is_claim(claim)]
        return replace(_structured({**written.data, "claims": claims}), fault=fault or f"the answer is wrong JSON: {error}")


def _items(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _is_claim(item: Any) -> bool:
    try:
        _claim(item, "")
    except AnswerError:
        return False
    return True


def _parsed(data: Mapping[Any, Any]) -> Answer:
    """What LangChain parsed, with ``include_raw=True``."""
    if data["parsed"] is None:
        why = f" ({data['parsing_error']})" if data.get("parsing_error") else ""
        wanted = "a structured answer; read_grounded_answer has what can be salvaged of the raw one"
        raise AnswerError(f"answer.parsed: None{why} — {wanted}")
    return read_answer(data["parsed"])


def _described(answer: Any, data: Mapping[Any, Any]) -> str:
    keys = ", ".join([repr(key) for key in list(data)[:5]]) or "nothing"
    return f"{'a mapping' if answer is data else type(answer).__name__} with {keys}{' …' if len(data) > 5 else ''}"


def _structured(data: Mapping[Any, Any]) -> Answer:
    claims = tuple([_claim(item, f"answer.claims[{i}]") for i, item in enumerate(_list(data.get("claims"), "answer.claims"))])
    text, abstains = data.get("answer"), _truth(data.get("abstain"))
    if text is None or (isinstance(text, str) and not text.strip() and claims and not abstains):
        text = "\n".join([claim.text for claim in claims])
    if not isinstance(text, str):
        raise AnswerError(f"answer.answer: {type(text).__name__} — a text")
    return Answer(text, claims, abstains, lacks=_has_words(data.get("missing")))


def _has_words(value: Any) -> bool:
    items = value if isinstance(value, list | tuple) else [value]
    return any(isinstance(item, str) and item.strip() for item in items)


def _truth(value: Any) -> bool:
    if isinstance(value, str):
        return value.strip().lower() in ("true", "yes", "1")
    return bool(value)


def _claim(item: Any, where: str) -> DeclaredClaim:
    if isinstance(item, str):
        return DeclaredClaim(item)
    if not isinstance(item, Mapping) or not isinstance(item.get("text"), str):
        raise AnswerError(f"{where}: {type(item).__name__} — a text, or a mapping with 'text', 'labels' and 'quote'")
    return DeclaredClaim(
        item["text"], _labels(item.get("labels"), f"{where}.labels"), _quotations(item.get("quote"), f"{where}.quote")
    )


def _labels(value: Any, where: str) -> tuple[str, ...]:
    """The labels as they are written; in brackets, they are taken out of these."""
    listed = [value] if isinstance(value, str | int) else _list(value, where)
    return tuple([_text(name, where) for item in listed for name in (_names(item) if _is_bracketed(item) else [item])])


def _is_bracketed(item: Any) -> bool:
    return not isinstance(item, str) or item.strip()[:1] in ("[", "【", "(")


def _quotations(value: Any, where: str) -> tuple[str, ...]:
    """The quotations; one without a word in it is none, as models fill the field in where there is nothing to quote."""
    listed = [value] if isinstance(value, str) else _list(value, where)
    return tuple([text for item in listed if item is not None and any(map(str.isalnum, text := _text(item, where)))])


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
