"""PackingRetriever: a retriever and a packer as one retriever, with the further searches that a question needs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import Runnable, RunnableConfig, ensure_config
from langchain_core.runnables.config import patch_config
from pydantic import ConfigDict, Field

from contextpack_core import FOUND_FOR, Choice, SubQuestion, merge_hits, searches_for
from langchain_contextpack.documents import candidates_of
from langchain_contextpack.packer import ContextPacker


@dataclass(frozen=True, slots=True)
class FamilySearch:
    """What a second retrieval asks for: the families among the hits, and the day on which an edition of them must be in force."""

    query: str
    families: tuple[str, ...]
    as_of: date


SecondSearch = Callable[[FamilySearch], Sequence[Document]] | Callable[[FamilySearch], Awaitable[Sequence[Document]]]


class PackingRetriever(BaseRetriever):
    """Retrieves, then packs: for ``create_retrieval_chain``, retriever tools and wherever a ``BaseRetriever`` is wanted.

    With ``by_family`` there is one second retrieval: it gets the families of the hits and the as-of date, looks in the store with
    a metadata filter, and what it finds is ranked after the hits. So the edition that applied gets in although another edition of
    it read more like the question.

    With ``retrieval.sub_queries`` in the policy, or in that of the question's intent, there is one search more for each thing that
    the question compares, else for each of its parts. All are made at once, and what they find becomes one ranking in which each
    document stands once. Its metadata then say under ``found_for`` what it was found for, so that ``budget.per_group`` can give
    each its share.
    """

    model_config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)

    retriever: Runnable[str, list[Document]]
    packer: ContextPacker = Field(default_factory=ContextPacker)
    by_family: SecondSearch | None = Field(default=None, exclude=True)

    def invoke(self, input: str, config: RunnableConfig | None = None, **kwargs: Any) -> list[Document]:
        """The packed documents of a query; the request stands in ``config["configurable"]["contextpack"]``."""
        return super().invoke(input, config, packing_config=ensure_config(config), **kwargs)

    async def ainvoke(self, input: str, config: RunnableConfig | None = None, **kwargs: Any) -> list[Document]:
        """As ``invoke``."""
        return await super().ainvoke(input, config, packing_config=ensure_config(config), **kwargs)

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,
        packing_config: RunnableConfig | None = None,
        **kwargs: Any,
    ) -> list[Document]:
        choice, config = self.packer.choose(query, packing_config), _for_child(packing_config, run_manager)
        searches = self._searches(query, choice)
        if searches:
            found = self.retriever.batch([query, *[search.text for search in searches]], config, **kwargs)
            hits = self._fused(found, searches, choice)
        else:
            hits = self.retriever.invoke(query, config, **kwargs)
        search = self._second_search(query, hits, packing_config)
        more = self.by_family(search) if search and self.by_family else []
        if isinstance(more, Awaitable):
            if isinstance(more, Coroutine):
                more.close()
            raise TypeError("by_family: a coroutine function — call the retriever with ainvoke")
        return self.packer.packed([*hits, *more], query, packing_config, choice)

    async def _aget_relevant_documents(
        self,
        query: str,
        *,
        run_manager: AsyncCallbackManagerForRetrieverRun,
        packing_config: RunnableConfig | None = None,
        **kwargs: Any,
    ) -> list[Document]:
        choice, config = self.packer.choose(query, packing_config), _for_child(packing_config, run_manager)
        searches = self._searches(query, choice)
        if searches:
            found = await self.retriever.abatch([query, *[search.text for search in searches]], config, **kwargs)
            hits = self._fused(found, searches, choice)
        else:
            hits = await self.retriever.ainvoke(query, config, **kwargs)
        search = self._second_search(query, hits, packing_config)
        more = self.by_family(search) if search and self.by_family else []
        if isinstance(more, Awaitable):
            more = await more
        return self.packer.packed([*hits, *more], query, packing_config, choice)

    def _searches(self, query: str, choice: Choice) -> tuple[SubQuestion, ...]:
        """The further searches that the question needs; none where nothing is packed."""
        if self.packer.policy.rollout.mode != "on":
            return ()
        groups = choice.policy.budget.per_group
        return searches_for(query, choice.policy.retrieval, groups.names if groups else ())

    def _fused(self, found: Sequence[Sequence[Document]], searches: Sequence[SubQuestion], choice: Choice) -> list[Document]:
        """One ranking of what the question and the further searches found."""
        keys = [[candidate.id for candidate in candidates_of(hits, self.packer.policy.fields)] for hits in found]
        placed = merge_hits(keys, searches, choice.policy.retrieval)
        return [_labelled(found[at.search][at.place], at.found_for) for at in placed]

    def _second_search(self, query: str, hits: Sequence[Document], config: RunnableConfig | None) -> FamilySearch | None:
        """What to look for once more, if a second retrieval is wanted and the hits belong to families."""
        if self.by_family is None:
            return None
        sources = [candidate.source for candidate in candidates_of(hits, self.packer.policy.fields)]
        families = tuple(dict.fromkeys(source.family for source in sources if source.family is not None))
        return FamilySearch(query, families, self.packer.day_for(query, config)) if families else None


def _labelled(document: Document, about: str | None) -> Document:
    """The document, or a copy whose metadata say what it was found for."""
    return document if about is None else document.model_copy(update={"metadata": {**document.metadata, FOUND_FOR: about}})


def _for_child(
    config: RunnableConfig | None, run_manager: CallbackManagerForRetrieverRun | AsyncCallbackManagerForRetrieverRun
) -> RunnableConfig:
    """The config for the inner retriever: the same request, its run below ours."""
    return patch_config(config, callbacks=run_manager.get_child())
