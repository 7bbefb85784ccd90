"""SubQueryRetriever: any retriever, with the further searches that a question needs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.prompts.mixin import PromptMixinType
from llama_index.core.schema import NodeWithScore, QueryBundle

from contextpack_core import FOUND_FOR, Choice, Policy, SubQuestion, merge_hits, policy_of, request_for, searches_for


class SubQueryRetriever(BaseRetriever):
    """Retrieves for the question, and once more for each thing that it compares, else for each of its parts.

    How many further searches there are says ``retrieval.sub_queries`` of the policy, or of that of the question's intent: give it
    the policy of the postprocessor. What all of them find becomes one ranking in which each node stands once; copies of the nodes
    say in their metadata under ``found_for`` what they were found for, so that ``budget.per_group`` can give each its share.
    """

    def __init__(
        self,
        retriever: BaseRetriever,
        policy: Policy | Mapping[str, Any] | None = None,
        *,
        classify: Callable[[str], str | None] | None = None,
    ) -> None:
        super().__init__(callback_manager=retriever.callback_manager)
        self.retriever = retriever
        self.policy = policy_of(policy)
        self.classify = classify

    def _get_prompt_modules(self) -> PromptMixinType:
        return {}

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        choice, searches = self._searches(query_bundle.query_str)
        if not searches:
            return self.retriever.retrieve(query_bundle)
        found = [self.retriever.retrieve(asked) for asked in (query_bundle, *[search.text for search in searches])]
        return _fused(found, searches, choice)

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        choice, searches = self._searches(query_bundle.query_str)
        if not searches:
            return await self.retriever.aretrieve(query_bundle)
        asked = (query_bundle, *[search.text for search in searches])
        return _fused(await asyncio.gather(*map(self.retriever.aretrieve, asked)), searches, choice)

    def _searches(self, query: str) -> tuple[Choice, tuple[SubQuestion, ...]]:
        """What the question's intent is, and the further searches that it needs; none where nothing is packed."""
        intent = request_for(None).intent
        choice = self.policy.choose(query, intent if intent is not None else self.classify)
        if self.policy.rollout.mode != "on":
            return choice, ()
        groups = choice.policy.budget.per_group
        return choice, searches_for(query, choice.policy.retrieval, groups.names if groups else ())


def _fused(found: Sequence[Sequence[NodeWithScore]], searches: Sequence[SubQuestion], choice: Choice) -> list[NodeWithScore]:
    """One ranking of what the question and the further searches found."""
    keys = [[item.node.node_id for item in nodes] for nodes in found]
    placed = merge_hits(keys, searches, choice.policy.retrieval)
    return [_labelled(found[at.search][at.place], at.found_for) for at in placed]


def _labelled(item: NodeWithScore, about: str | None) -> NodeWithScore:
    """The node, or a copy whose metadata say what it was found for, unseen by models."""
    if about is None:
        return item
    node = item.node.model_copy(
        update={
            "metadata": {**item.node.metadata, FOUND_FOR: about},
            "excluded_llm_metadata_keys": [*item.node.excluded_llm_metadata_keys, FOUND_FOR],
            "excluded_embed_metadata_keys": [*item.node.excluded_embed_metadata_keys, FOUND_FOR],
        }
    )
    return NodeWithScore(node=node, score=item.score)
