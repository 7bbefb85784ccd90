"""check_message: checks the citations that a provider put beside the text of a message."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.documents import Document
from langchain_core.messages import AIMessage, BaseMessage

from contextpack_core import AnswerError, Pack, Policy, Report, check_native, policy_of
from langchain_contextpack.documents import pack_of


def check_message(
    message: AIMessage,
    sources: Pack | Sequence[Document],
    *,
    policy: Policy | Mapping[str, Any] | None = None,
    question: str = "",
    judge: Any = None,
    first_document: int = 0,
) -> Report:
    """The report on a message with provider citations, whole or added up from its chunks.

    ``sources`` are the pack that the request was made from (``anthropic_documents(pack)``, ``anthropic_search_results(pack)``), or
    the packed documents. Citations are read from ``message.content_blocks``, where LangChain keeps those of every provider, and
    from ``additional_kwargs`` and ``response_metadata`` where chat completions and Gemini have them. ``first_document`` is how
    many citable documents stood in the request before those of the pack.

    Raises:
        AnswerError: ``message`` is no message.
        ArgumentError: ``sources`` are neither a pack nor documents, or ``policy`` is neither a policy nor the settings of one.
    """
    if not isinstance(message, BaseMessage):
        raise AnswerError(f"message: {type(message).__name__} — the AIMessage that the model returned is wanted")
    pack = sources if isinstance(sources, Pack) else pack_of(sources)
    settings = policy_of(policy).citations
    return check_native(_blocks(message), pack, question=question, settings=settings, judge=judge, first_document=first_document)


def _blocks(message: AIMessage) -> Mapping[str, Any]:
    content = message.content
    if isinstance(content, str) or not any(isinstance(block, str) for block in content):
        content = [dict(block) for block in message.content_blocks]
    # else it is a stream whose texts came as plain strings: content_blocks would leave them out
    return {
        "content": content,
        "annotations": message.additional_kwargs.get("annotations"),
        "grounding_metadata": message.response_metadata.get("grounding_metadata"),  # content_blocks lack what is no web page
    }
