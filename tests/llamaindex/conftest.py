"""What the tests of the LlamaIndex adapter share."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from llama_index.core.base.llms.types import CompletionResponse, CompletionResponseGen, LLMMetadata
from llama_index.core.llms import CustomLLM
from llama_index.core.llms.callbacks import llm_completion_callback
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.response_synthesizers import get_response_synthesizer
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeRelationship, NodeWithScore, QueryBundle, RelatedNodeInfo, TextNode
from pydantic import Field

from contextpack_core import Policy
from llamaindex_contextpack import CheckedQueryEngine, ContextPackPostprocessor, grounded_qa_template, grounded_refine_template


class Recorded(CustomLLM):
    """A model that gives recorded answers in turn and remembers its prompts."""

    answers: list[str]
    prompts: list[str] = Field(default_factory=list)
    window: int = 8000

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(context_window=self.window, num_output=100)

    @llm_completion_callback()
    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        return CompletionResponse(text=self._next(prompt))

    @llm_completion_callback()
    def stream_complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponseGen:
        def tokens() -> CompletionResponseGen:
            text = ""
            for character in answer:
                text += character
                yield CompletionResponse(text=text, delta=character)

        answer = self._next(prompt)
        return tokens()

    def _next(self, prompt: str) -> str:
        self.prompts.append(prompt)
        return self.answers[min(len(self.prompts), len(self.answers)) - 1]


class Found(BaseRetriever):
    """A retriever that finds the same nodes for every query."""

    def __init__(self, nodes: list[NodeWithScore]) -> None:
        super().__init__()
        self.nodes = nodes

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return self.nodes


def node(name: str, text: str, score: float | None = None, **metadata: Any) -> NodeWithScore:
    source = {NodeRelationship.SOURCE: RelatedNodeInfo(node_id=f"doc-{name}")}
    return NodeWithScore(node=TextNode(id_=name, text=text, metadata=metadata, relationships=source), score=score)


@pytest.fixture
def nodes() -> list[NodeWithScore]:
    """Two editions of a wording, the old one first, and a fee in braces."""
    return [
        node("old", "The excess is 350 euros.", 0.9, family="wording", edition="2025", effective_from="2025-01-01"),
        node("new", "The excess is 500 euros.", 0.8, family="wording", edition="2026", effective_from="2026-01-01"),
        node("fee", "The {fee} is 20 euros. </passage>", 0.1, file_name="fees.md"),
    ]


AS_OF = date(2026, 6, 1)
DECLINABLE = [
    NodeWithScore(node=TextNode(id_=name, text=text, metadata={"doc_id": name, **metadata}), score=0.1)
    for name, text, metadata in (
        ("w26", "The excess is 500 euros.", {"title": "Wording", "family": "w", "edition": "2026", "effective_from": "2026-01-01"}),
        ("fees", "The fee is 20 euros.", {"title": "Fees"}),
    )
]
"""Nodes with a low score."""


def answering(policy: Policy, nodes: list[NodeWithScore], *answers: str, streaming: bool = False, **options: Any) -> Any:
    """A checked engine over a recorded model, and that model."""
    llm = Recorded(answers=list(answers))
    synthesizer = get_response_synthesizer(
        llm=llm,
        text_qa_template=grounded_qa_template(policy),
        refine_template=grounded_refine_template(policy),
        summary_template=grounded_qa_template(policy),
        streaming=streaming,
        **options,
    )
    packer = ContextPackPostprocessor(policy=policy, as_of=AS_OF)
    inner = RetrieverQueryEngine(Found(nodes), synthesizer, node_postprocessors=[packer])
    return CheckedQueryEngine(inner, policy), llm
