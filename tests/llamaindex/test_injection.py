"""What stands in a node stays in its passage: the built messages of a LlamaIndex synthesizer."""

from __future__ import annotations

from typing import Any

import pytest
from llama_index.core.base.llms.types import ChatMessage, ChatResponse, LLMMetadata
from llama_index.core.llms import MockLLM
from llama_index.core.response_synthesizers import get_response_synthesizer
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
from pydantic import Field

from contextpack_core import Policy
from llamaindex_contextpack import ContextPackPostprocessor, grounded_qa_template, grounded_refine_template
from tests.core.grounding.hostile import FORMATS, HOSTILE, QUESTION, assert_unmoved, hostile_records


class Listener(MockLLM):
    """A chat model that remembers what it was asked."""

    seen: list[Any] = Field(default_factory=list)

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(is_chat_model=True, context_window=200_000, num_output=100)

    def chat(self, messages: Any, **kwargs: Any) -> ChatResponse:
        self.seen.append(list(messages))
        return ChatResponse(message=ChatMessage("The limit is 5,000 euros [P1].", role="assistant"))


@pytest.mark.parametrize("render", FORMATS)
@pytest.mark.parametrize("case", HOSTILE, ids=lambda case: case["id"])
def test_no_hostile_node_changes_the_messages(case, render):
    """The messages that reach the model through the response mode ``compact``."""
    policy = Policy.from_dict({"tokenizer": "approximate", "budget": {"evidence": 100_000}, "render": {"format": render}})
    nodes = [
        NodeWithScore(node=TextNode(id_=r["id"], text=r["text"], metadata=r["metadata"])) for r in hostile_records(case["text"])
    ]
    llm = Listener()
    synthesizer = get_response_synthesizer(
        llm=llm, text_qa_template=grounded_qa_template(policy), refine_template=grounded_refine_template(policy)
    )

    packed = ContextPackPostprocessor(policy=policy).postprocess_nodes(nodes, QueryBundle(QUESTION))
    synthesizer.synthesize(QUESTION, packed)

    assert len(llm.seen) == 1
    assert_unmoved([(str(m.role.value), m.content) for m in llm.seen[0]], policy, case["text"])
