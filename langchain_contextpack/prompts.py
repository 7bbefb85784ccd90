"""grounded_prompt: the prompt's contract as a ChatPromptTemplate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from langchain_core.documents import Document
from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
from langchain_core.prompts.message import BaseMessagePromptTemplate
from langchain_core.runnables import ensure_config
from pydantic import Field, field_serializer

from contextpack_core import (
    Carried,
    Policy,
    PolicyField,
    TokenCounter,
    as_counter,
    day_for,
    grounded_head,
    grounded_tail,
    policy_of,
    request_for,
)
from langchain_contextpack.documents import carried_by, request_in, text_of

HISTORY = "chat_history"
"""The optional variable for the messages of the conversation so far, between head and tail."""


def grounded_prompt(
    policy: Policy | Mapping[str, Any] | None = None,
    *,
    intent: str | None = None,
    as_of: date | str | None = None,
    structured: bool = False,
    count_tokens: TokenCounter | None = None,
) -> ChatPromptTemplate:
    """The prompt with the variables ``context`` (text, or packed documents), ``input``; optional ``as_of``, ``intent`` and
    ``chat_history``.

    The system message comes first and is the same for every request of an intent, so that a provider can cache it; day, passages
    and question come last. Braces in documents are text. With ``structured`` the head tells how to fill a ``GroundedAnswer``.

    Day and intent are those of the pack that the documents carry; where ``context`` is text, those of the variables, else of the
    call's config, else of a surrounding ``request_scope``; then the day is ``as_of`` of this function, or that of
    ``versions.as_of``, and the intent that of the question. A named ``intent`` holds for every question. Where
    ``grounding.cache_minimum`` is set and the head has that many tokens, it carries Anthropic's ``cache_control`` mark.

    Raises:
        ArgumentError: ``policy`` is neither a policy nor the settings of one.
        PolicyError: the settings are wrong, or there is no intent of that name.
        ValueError: ``as_of`` is no date; raised where the prompt is filled if it is a variable.
    """
    policy = policy_of(policy).for_intent(intent)
    head = GroundedHead(policy=policy, structured=structured, count_tokens=count_tokens)
    tail = GroundedTail(policy=policy, as_of=request_for({"as_of": as_of}).as_of if as_of else None)
    return ChatPromptTemplate.from_messages([head, MessagesPlaceholder(HISTORY, optional=True), tail])


class _Grounded(BaseMessagePromptTemplate):
    """One message that the policy words."""

    policy: PolicyField
    as_of: date | None = None

    @field_serializer("policy")
    def _plain_policy(self, policy: Policy) -> dict[str, Any]:
        return policy.to_dict()

    @classmethod
    def is_lc_serializable(cls) -> bool:
        """``dumpd`` does not write it: a saved prompt would go its own way when the policy changes."""
        return False

    def _asked(self, given: Mapping[str, Any]) -> tuple[Policy, date | None]:
        """The settings of the request's intent, and the day for which the answer must be true."""
        context, question, named = given.get("context"), str(given.get("input", "")), given.get("as_of")
        carried = Carried() if context is None or isinstance(context, str) else carried_by(context)
        request = request_for(request_in(ensure_config()), as_of=self.as_of)
        policy = self.policy.choose(question, carried.intent or given.get("intent") or request.intent).policy
        if carried.as_of is not None:
            return policy, carried.as_of
        if named:
            return policy, request_for({"as_of": named}).as_of
        if request.as_of is None and policy.versions.as_of is None:
            return policy, None
        return policy, day_for(question, policy, request.as_of)


class GroundedHead(_Grounded):
    """The first message: the same for every request of an intent."""

    structured: bool = False
    count_tokens: Any = Field(default=None, exclude=True)

    @property
    def input_variables(self) -> list[str]:
        """``input``, where the policy has intents."""
        return ["input"] if self.policy.intents else []

    def format_messages(self, **kwargs: Any) -> list[BaseMessage]:
        """One system message; a block that Anthropic caches if it is long enough for that."""
        policy, _ = self._asked(kwargs)
        head, least = grounded_head(policy, structured=self.structured), policy.grounding.cache_minimum
        if least is None or as_counter(self.count_tokens, policy.tokenizer)(head) < least:
            return [SystemMessage(head)]
        return [SystemMessage([{"type": "text", "text": head, "cache_control": {"type": "ephemeral"}}])]

    def pretty_repr(self, html: bool = False) -> str:
        """The message without an intent."""
        return grounded_head(self.policy, structured=self.structured)


class GroundedTail(_Grounded):
    """The last message of a request: day, passages, question."""

    @property
    def input_variables(self) -> list[str]:
        """``context`` and ``input``."""
        return ["context", "input"]

    def format_messages(self, **kwargs: Any) -> list[BaseMessage]:
        """One user message; ``as_of`` and ``intent`` may be among the arguments."""
        policy, day = self._asked(kwargs)
        return [HumanMessage(grounded_tail(policy, str(kwargs["input"]), _text(kwargs["context"]), as_of=day))]

    def pretty_repr(self, html: bool = False) -> str:
        """The message with the names of its variables in braces."""
        return grounded_tail(self.policy, "{input}", "{context}", as_of=self.as_of)


def _text(context: str | Sequence[Document | Mapping[str, Any]]) -> str:
    return context if isinstance(context, str) else "\n\n".join([text_of(document) for document in context])
