"""LlmJudge: a LlamaIndex model says whether the passages support a claim."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any

from llama_index.core.base.llms.types import CompletionResponse, CompletionResponseGen, LLMMetadata
from llama_index.core.base.response.schema import Response
from llama_index.core.llms import CustomLLM
from llama_index.core.llms.callbacks import llm_completion_callback
from llama_index.core.schema import NodeWithScore, TextNode

from contextpack_core import check
from llamaindex_contextpack import LlmJudge, acheck_response

TEXT = "The excess is 500 euros."
ANSWER = "The excess is 500 euros [P1]. It is due at once [P1]."


class Judging(CustomLLM):
    """Says of the first claim that it is supported, of the others that they are not."""

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata()

    @llm_completion_callback()
    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        ids = list(dict.fromkeys(re.findall(r'"id":\s*"([^"]+)"', prompt.rpartition("user: ")[2])))
        verdicts = [{"id": i, "label": "not_supported" if n else "supported", "why": "so"} for n, i in enumerate(ids)]
        return CompletionResponse(text=json.dumps({"verdicts": verdicts}))

    @llm_completion_callback()
    def stream_complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponseGen:
        raise NotImplementedError


def test_it_judges() -> None:
    """Asked at once or awaited, each claim gets its verdict."""
    response = Response(ANSWER, [NodeWithScore(node=TextNode(text=TEXT))])
    reports = [
        check(ANSWER, {"P1": TEXT}, judge=LlmJudge(Judging())),
        asyncio.run(acheck_response(response, judge=LlmJudge(Judging()))),
    ]

    assert [[support.label for support in report.support or ()] for report in reports] == [["supported", "not_supported"]] * 2
