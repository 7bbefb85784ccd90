# Needs the extras llamaindex and cli (its search makes the hits): pip install 'contextpack-rag[llamaindex,cli]'
"""LlamaIndex: one postprocessor in the query engine that is there, and an engine around it that checks."""

from __future__ import annotations

from typing import Any

from llama_index.core.base.response.schema import Response
from llama_index.core.llms import CompletionResponse, CompletionResponseGen, CustomLLM, LLMMetadata
from llama_index.core.llms.callbacks import llm_completion_callback
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from contextpack_core import request_scope
from contextpack_core.demo import harbourline, harbourline_search
from llamaindex_contextpack import CheckedQueryEngine, ContextPackPostprocessor

QUESTION = "What excess do I pay for an escape of water claim?"
search = harbourline_search()


class Hits(BaseRetriever):
    """The retriever that is there already."""

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        found = search(query_bundle.query_str)
        return [NodeWithScore(node=TextNode(id_=hit["id"], text=hit["text"], metadata=hit), score=hit["score"]) for hit in found]


class Recorded(CustomLLM):
    """A model that gives a recorded answer: last year's excess."""

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(context_window=8000, num_output=400)

    @llm_completion_callback()
    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        return CompletionResponse(text="The excess for escape of water is 350 euros [P1].")

    @llm_completion_callback()
    def stream_complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponseGen:
        raise NotImplementedError


def main() -> None:
    """Print the answer, its sources, and the verdict on it."""
    policy = harbourline().joinpath("policy.yaml").read_text(encoding="utf-8")
    packer = ContextPackPostprocessor.from_yaml(policy)
    engine = CheckedQueryEngine(RetrieverQueryEngine.from_args(Hits(), llm=Recorded(), node_postprocessors=[packer]))

    with request_scope(access=["public"], as_of="2026-06-01"):
        response = engine.query(QUESTION)
    assert isinstance(response, Response)
    report = (response.metadata or {})["contextpack"]
    print(response.response)
    print(report["status"], [problem["text"] for problem in report["problems"]])


if __name__ == "__main__":
    main()
