"""citable_blocks, check_message: a pack for models that cite by themselves, and the check of what they cite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from llama_index.core.base.llms.types import ChatMessage, CitableBlock, TextBlock
from llama_index.core.schema import NodeWithScore

from contextpack_core import AnswerError, Pack, Policy, Report, anthropic_search_results, check_native, policy_of
from llamaindex_contextpack.nodes import pack_of


def citable_blocks(pack: Pack) -> list[CitableBlock]:
    """One block an evidence, in prompt order; the title begins with the label."""
    return [
        CitableBlock(title=block["title"], source=block["source"], content=[TextBlock(text=block["content"][0]["text"])])
        for block in anthropic_search_results(pack)
    ]


def check_message(
    message: ChatMessage,
    sources: Pack | Sequence[NodeWithScore],
    *,
    policy: Policy | Mapping[str, Any] | None = None,
    question: str = "",
    judge: Any = None,
    first_document: int = 0,
) -> Report:
    """The report on a message whose citations are ``CitationBlock``s behind the text that they belong to.

    ``sources`` are the pack that the request was made from, or the packed nodes. The answer of the report is the texts of the
    message one behind the other, without the line breaks that ``message.content`` puts between them.

    Raises:
        AnswerError: ``message`` is no ``ChatMessage``.
        ArgumentError: ``sources`` are neither a pack nor nodes, or ``policy`` is neither a policy nor the settings of one.
    """
    if not isinstance(message, ChatMessage):
        raise AnswerError(f"message: {type(message).__name__} — the ChatMessage that the model returned is wanted")
    pack = sources if isinstance(sources, Pack) else pack_of(sources)
    blocks = [block.model_dump() for block in message.blocks]
    settings = policy_of(policy).citations
    return check_native(blocks, pack, question=question, settings=settings, judge=judge, first_document=first_document)
