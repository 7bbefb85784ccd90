"""LlmJudge: a chat model says whether the passages support a claim."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any

import pytest
from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.documents import Document
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic import Field

from contextpack_core import check
from langchain_contextpack import CitationGuard, LlmJudge

SOURCES = {"P1": "The excess is 500 euros."}
ANSWER = "The excess is 500 euros [P1]. It is due at once [P1]."


class Judging(BaseChatModel):
    """Says of each claim what it was told to say, under the ids that it was given."""

    labels: list[str]
    asked: list[list[BaseMessage]] = Field(default_factory=list)
    fails: bool = False

    @property
    def _llm_type(self) -> str:
        return "judging"

    def _generate(
        self, messages: list[BaseMessage], stop: Any = None, run_manager: CallbackManagerForLLMRun | None = None, **kwargs: Any
    ) -> ChatResult:
        self.asked.append(messages)
        if self.fails:
            raise RuntimeError("no connection")
        ids = list(dict.fromkeys(re.findall(r'"id":\s*"([^"]+)"', str(messages[-1].content))))
        verdicts = [{"id": i, "label": label, "why": "so it reads"} for i, label in zip(ids, self.labels, strict=True)]
        return ChatResult(generations=[ChatGeneration(message=AIMessage(json.dumps({"verdicts": verdicts})))])

    async def _agenerate(
        self, messages: list[BaseMessage], stop: Any = None, run_manager: AsyncCallbackManagerForLLMRun | None = None, **kwargs: Any
    ) -> ChatResult:
        return self._generate(messages)


def test_one_question_for_all_claims() -> None:
    """The model is asked once; each claim gets its verdict, and what is not supported is a problem."""
    model = Judging(labels=["supported", "not_supported"])
    report = check(ANSWER, SOURCES, judge=LlmJudge(model))

    assert [support.label for support in report.support or ()] == ["supported", "not_supported"]
    assert (len(model.asked), report.status, len(report.problems)) == (1, "FLAGGED", 1)


def test_a_model_that_fails_supports_nothing() -> None:
    """Every verdict is unknown."""
    report = check(ANSWER, SOURCES, judge=LlmJudge(Judging(labels=[], fails=True)))

    assert [support.label for support in report.support or ()] == ["unknown", "unknown"]


@pytest.mark.parametrize("asynchronous", [False, True])
def test_it_serves_the_guard(asynchronous: bool) -> None:
    """In the guard the verdicts stand in the report, whether it is awaited or not."""
    guard = CitationGuard(judge=LlmJudge(Judging(labels=["supported", "contradicted"])))
    given = {"input": "?", "context": [Document(page_content=SOURCES["P1"])], "answer": ANSWER}
    result = asyncio.run(guard.ainvoke(given)) if asynchronous else guard.invoke(given)

    assert [support["label"] for support in result["citations"]["support"]] == ["supported", "contradicted"]
