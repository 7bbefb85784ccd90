"""grounded_prompt: the prompt's contract as a ChatPromptTemplate."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from langchain_core.documents import Document
from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
from langchain_core.prompts.message import BaseMessagePromptTemplate
from pydantic import Field, field_serializer

from contextpack_core import Policy, PolicyField, TokenCounter, current_scope, grounded_head, grounded_tail, head_tokens

HISTORY = "chat_history"


def grounded_prompt(
    policy: Policy | None = None,
    *,
    intent: str | None = None,
    as_of: date | str | None = None,
    structured: bool = False,
    count_tokens: TokenCounter | None = None,
) -> ChatPromptTemplate:
    """The prompt with the variables ``context`` (text, or packed documents), ``input``; optional ``as_of`` and ``chat_history``.

    The system message comes first and is the same for every request of an intent, so that a provider can cache it; day, passages
    and question come last. Braces in documents are text. The intent is that of the question where none is named. Without ``as_of``
    the day is that of a surrounding ``request_scope``, else the argument of this function. Where ``grounding.cache_minimum`` is
    set and the head has that many tokens, it carries Anthropic's ``cache_control`` mark. With ``structured`` the head tells how
    to fill a ``GroundedAnswer``.

    Raises:
        PolicyError: there is no intent of that name.
    """
    policy = policy or Policy()
    if intent is not None:
        policy = policy.for_query("", intent)[1].model_copy(update={"intents": {}})
    head = GroundedHead(policy=policy, structured=structured, count_tokens=count_tokens)
    tail = GroundedTail(policy=policy, as_of=_day(as_of))
    return ChatPromptTemplate.from_messages([head, MessagesPlaceholder(HISTORY, optional=True), tail])


class _Grounded(BaseMessagePromptTemplate):
    """One message that the policy words."""

    policy: PolicyField

    @field_serializer("policy")
    def _plain_policy(self, policy: Policy) -> dict[str, Any]:
        return policy.to_dict()

    @classmethod
    def is_lc_serializable(cls) -> bool:
        """``dumpd`` does not write it: a saved prompt would go its own way when the policy changes."""
        return False


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
        policy = self.policy.choose(str(kwargs.get("input", "")), current_scope().intent).policy
        head, least = grounded_head(policy, structured=self.structured), policy.grounding.cache_minimum
        if least is None or head_tokens(policy, self.count_tokens) < least:
            return [SystemMessage(head)]
        return [SystemMessage([{"type": "text", "text": head, "cache_control": {"type": "ephemeral"}}])]

    def pretty_repr(self, html: bool = False) -> str:
        """The message without an intent."""
        return grounded_head(self.policy, structured=self.structured)


class GroundedTail(_Grounded):
    """The last message of a request: day, passages, question."""

    as_of: str = ""

    @property
    def input_variables(self) -> list[str]:
        """``context`` and ``input``."""
        return ["context", "input"]

    def format_messages(self, **kwargs: Any) -> list[BaseMessage]:
        """One user message; ``as_of`` may be among the arguments."""
        day = kwargs.get("as_of") or current_scope().as_of or self.as_of
        question = str(kwargs["input"])
        policy = self.policy.choose(question, current_scope().intent).policy
        return [HumanMessage(grounded_tail(policy, question, _text(kwargs["context"]), as_of=_day(day)))]

    def pretty_repr(self, html: bool = False) -> str:
        """The message with the names of its variables in braces."""
        return grounded_tail(self.policy, "{input}", "{context}", as_of=self.as_of or None)


def _text(context: str | Sequence[Document]) -> str:
    return context if isinstance(context, str) else "\n\n".join([document.page_content for document in context])


def _day(as_of: date | str | None) -> str:
    return as_of.isoformat() if isinstance(as_of, date) else as_of or ""
