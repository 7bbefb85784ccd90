"""LlmJudge: any LlamaIndex model as a support judge."""

from __future__ import annotations

from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.llms import LLM

from contextpack_core import JudgePrompt, PromptedJudge


class LlmJudge(PromptedJudge):
    """Asks the model once for all claims of an answer; a model that fails gives ``unknown``, never ``supported``.

    Passages and claims are put as data into one JSON document, and a verdict counts only under the id that was given for it.
    """

    def __init__(self, llm: LLM) -> None:
        super().__init__(
            lambda prompt: llm.chat(_messages(prompt)).message.content or "",
            lambda prompt: _areply(llm, prompt),
        )


async def _areply(llm: LLM, prompt: JudgePrompt) -> str:
    return (await llm.achat(_messages(prompt))).message.content or ""


def _messages(prompt: JudgePrompt) -> list[ChatMessage]:
    return [
        ChatMessage(role=MessageRole.SYSTEM, content=prompt.system),
        ChatMessage(role=MessageRole.USER, content=prompt.user),
    ]
