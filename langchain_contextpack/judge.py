"""LlmJudge: any LangChain chat model as a support judge."""

from __future__ import annotations

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

from contextpack_core import JudgePrompt, PromptedJudge


class LlmJudge(PromptedJudge):
    """Asks the model once for all claims of an answer; a model that fails gives ``unknown``, never ``supported``.

    Passages and claims are put as data into one JSON document, and a verdict counts only under the id that was given for it.
    """

    def __init__(self, model: BaseChatModel) -> None:
        super().__init__(
            lambda prompt: str(model.invoke(_messages(prompt)).text),
            lambda prompt: _areply(model, prompt),
        )


async def _areply(model: BaseChatModel, prompt: JudgePrompt) -> str:
    return str((await model.ainvoke(_messages(prompt))).text)


def _messages(prompt: JudgePrompt) -> list[BaseMessage]:
    return [SystemMessage(prompt.system), HumanMessage(prompt.user)]
