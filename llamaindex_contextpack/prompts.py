"""grounded_qa_template, grounded_refine_template: the prompt's contract as templates for response synthesizers."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.prompts import ChatPromptTemplate, PromptType

from contextpack_core import Policy, current_scope, grounded_head, grounded_refine, grounded_tail

Part = Callable[..., str]


def grounded_qa_template(
    policy: Policy | None = None, *, intent: str | None = None, as_of: date | None = None
) -> ChatPromptTemplate:
    """The ``text_qa_template``, with the variables ``context_str`` and ``query_str``.

    The system message comes first and is the same for every request of an intent; day, passages and question come last. The
    intent is that of the question where none is named. The day is that of a surrounding ``request_scope``, else ``as_of``; without
    one the line is left out.

    Raises:
        PolicyError: there is no intent of that name.
    """
    policy = _for_intent(policy, intent)
    tail = "{day_line}" + grounded_tail(policy, "{query_str}", "{context_str}")
    return _template(policy, tail, as_of, PromptType.QUESTION_ANSWER, {})


def grounded_refine_template(
    policy: Policy | None = None, *, intent: str | None = None, as_of: date | None = None
) -> ChatPromptTemplate:
    """The ``refine_template``: ``query_str``, ``existing_answer``, and the further passages as ``context_msg`` or ``context_str``.

    Raises:
        PolicyError: there is no intent of that name.
    """
    policy = _for_intent(policy, intent)
    tail = "{day_line}" + grounded_refine(policy, "{query_str}", "{context_msg}", "{existing_answer}")
    return _template(policy, tail, as_of, PromptType.REFINE, {"context_msg": _further_passages})


def _for_intent(policy: Policy | None, intent: str | None) -> Policy:
    policy = policy or Policy()
    return policy if intent is None else policy.for_query("", intent)[1].model_copy(update={"intents": {}})


def _template(policy: Policy, tail: str, as_of: date | None, kind: str, parts: dict[str, Part]) -> ChatPromptTemplate:
    """System and user message; what a function words is no template, so braces in it are text."""
    messages = [ChatMessage("{grounding}", role=MessageRole.SYSTEM), ChatMessage(tail, role=MessageRole.USER)]
    parts = {"grounding": _head(policy), "day_line": _day_line(policy, as_of), **parts}
    return ChatPromptTemplate(messages, prompt_type=kind, function_mappings=parts)


def _head(policy: Policy) -> Part:
    def head(**given: Any) -> str:
        return grounded_head(policy.choose(str(given.get("query_str", "")), current_scope().intent).policy)

    return head


def _day_line(policy: Policy, as_of: date | None) -> Part:
    def line(**given: Any) -> str:
        day = current_scope().as_of or as_of
        return "" if day is None else grounded_tail(policy, "", "", as_of=day).partition("\n\n")[0] + "\n\n"

    return line


def _further_passages(**given: Any) -> str:
    return str(given.get("context_msg") or given.get("context_str") or "")
