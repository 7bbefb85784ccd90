"""grounded_qa_template, grounded_refine_template: the prompt's contract as templates for response synthesizers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, NamedTuple

from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.prompts import ChatPromptTemplate, PromptType

from contextpack_core import (
    Policy,
    current_scope,
    day_for,
    grounded_day,
    grounded_head,
    grounded_refine,
    grounded_tail,
    only_pack_made,
    policy_of,
    request_for,
)


def grounded_qa_template(
    policy: Policy | Mapping[str, Any] | None = None,
    *,
    intent: str | None = None,
    as_of: date | str | None = None,
    structured: bool = False,
) -> ChatPromptTemplate:
    """The ``text_qa_template``, with the variables ``context_str`` and ``query_str``.

    The system message comes first and is the same for every request of an intent; day, passages and question come last. With
    ``structured`` the head tells how to fill a ``GroundedAnswer``.

    Inside of a ``CheckedQueryEngine`` day and intent are those of the pack. Elsewhere they are those of a surrounding
    ``request_scope``; then the day is ``as_of`` of this function, or that of ``versions.as_of``, and the intent that of the
    question. A named ``intent`` holds for every question. Without a day the line is left out.

    Raises:
        ArgumentError: ``policy`` is neither a policy nor the settings of one.
        PolicyError: the settings are wrong, or there is no intent of that name.
        ValueError: ``as_of`` is no date.
    """
    request = _Request(policy, intent, as_of, structured)
    tail = grounded_tail(request.policy, "{query_str}", "")
    return _template(request, "context_str", tail, PromptType.QUESTION_ANSWER)


def grounded_refine_template(
    policy: Policy | Mapping[str, Any] | None = None,
    *,
    intent: str | None = None,
    as_of: date | str | None = None,
    structured: bool = False,
) -> ChatPromptTemplate:
    """The ``refine_template``: ``query_str``, ``existing_answer``, and the further passages as ``context_msg`` or ``context_str``.

    Day, intent and ``structured`` are as in ``grounded_qa_template``, and so are the errors.
    """
    request = _Request(policy, intent, as_of, structured)
    tail = grounded_refine(request.policy, "{query_str}", "", "{existing_answer}")
    return _template(request, "context_msg", tail, PromptType.REFINE)


class _Asked(NamedTuple):
    """For which day and with what intent; ``packed`` where that is the pack's own word."""

    as_of: date | None = None
    intent: str | None = None
    packed: bool = False


_ASKED = "contextpack_asked"


class _Template(ChatPromptTemplate):  # type: ignore[no-redef]  # it has a field kwargs
    """Keeps for which request its question was put in: a stream fills it later, when the blocks around the request are left."""

    def partial_format(self, **known: Any) -> ChatPromptTemplate:
        filled = super().partial_format(**known)
        asked = _asked_now()
        if any(asked):
            filled.kwargs[_ASKED] = asked  # type: ignore[assignment]  # read by the functions, and by nothing else
        return filled


def _asked_now() -> _Asked:
    """What the pack of the request around says, else the scope around."""
    if (made := only_pack_made()) is not None:
        return _Asked(made.as_of, made.intent, True)
    scope = current_scope()
    return _Asked(scope.as_of, scope.intent)


def _template(request: _Request, passages: str, tail: str, kind: str) -> ChatPromptTemplate:
    """System and user message; what a function words is no template, so braces in it are text."""
    rest = tail.removeprefix(request.policy.grounding.say("no_passages"))
    messages = [
        ChatMessage("{grounding}", role=MessageRole.SYSTEM),
        ChatMessage(f"{{day_line}}{{{passages}}}{rest}", role=MessageRole.USER),
    ]
    parts: dict[str, Callable[..., str]] = {"grounding": request.head, "day_line": request.day_line, passages: request.passages}
    made: Callable[..., ChatPromptTemplate] = _Template  # for a checker a subclass takes the fields
    return made(messages, prompt_type=kind, function_mappings=parts)


class _Request:
    """Words what hangs on the request, when the template is filled."""

    def __init__(
        self, policy: Policy | Mapping[str, Any] | None, intent: str | None, as_of: date | str | None, structured: bool
    ) -> None:
        self.policy = policy_of(policy).for_intent(intent)
        self.as_of = None if as_of is None else request_for({"as_of": as_of}).as_of
        self.structured = structured

    def __deepcopy__(self, memo: Any) -> _Request:
        return self  # nothing in it changes, and LlamaIndex copies a template for each request

    def head(self, **given: Any) -> str:
        return grounded_head(self._policy(given), structured=self.structured)

    def day_line(self, **given: Any) -> str:
        day = grounded_day(self.policy, self._day(given))
        return f"{day}\n\n" if day else ""

    def passages(self, **given: Any) -> str:
        say, text = self.policy.grounding.say, str(given.get("context_msg") or given.get("context_str") or "")
        return say("no_passages") if text.strip() in ("", say("no_passages")) else f"{say('passages')}\n{text}"

    def _asked(self, given: Mapping[str, Any]) -> _Asked:
        """What is known of the request; nothing of a pack whose passages the rollout does not hand on."""
        asked: _Asked = given.get(_ASKED) or _asked_now()
        return _Asked() if asked.packed and self.policy.rollout.mode != "on" else asked

    def _policy(self, given: Mapping[str, Any]) -> Policy:
        return self.policy.choose(str(given.get("query_str", "")), self._asked(given).intent).policy

    def _day(self, given: Mapping[str, Any]) -> date | None:
        asked, policy = self._asked(given), self._policy(given)
        if asked.packed:
            return asked.as_of
        stated = asked.as_of or self.as_of
        known = stated is not None or policy.versions.as_of is not None
        return day_for(str(given.get("query_str", "")), policy, stated) if known else None
