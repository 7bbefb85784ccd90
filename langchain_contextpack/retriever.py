"""PackingRetriever: a retriever and a packer as one retriever."""

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
        hits = self.retriever.invoke(query, _for_child(packing_config, run_manager), **kwargs)
        search = self._second_search(query, hits, packing_config)
        more = self.by_family(search) if search and self.by_family else []
        if isinstance(more, Awaitable):
            if isinstance(more, Coroutine):
                more.close()
            raise TypeError("by_family: a coroutine function — call the retriever with ainvoke")
        return self.packer.packed([*hits, *more], query, packing_config)

    async def _aget_relevant_documents(
        self,
        query: str,
        *,
        run_manager: AsyncCallbackManagerForRetrieverRun,
        packing_config: RunnableConfig | None = None,
        **kwargs: Any,
    ) -> list[Document]:
        hits = await self.retriever.ainvoke(query, _for_child(packing_config, run_manager), **kwargs)
        search = self._second_search(query, hits, packing_config)
        more = self.by_family(search) if search and self.by_family else []
        if isinstance(more, Awaitable):
            more = await more
        return self.packer.packed([*hits, *more], query, packing_config)

    def _second_search(self, query: str, hits: Sequence[Document], config: RunnableConfig | None) -> FamilySearch | None:
        """What to look for once more, if a second retrieval is wanted and the hits belong to families."""
        if self.by_family is None:
            return None
        sources = [candidate.source for candidate in candidates_of(hits, self.packer.policy.fields)]
        families = tuple(dict.fromkeys(source.family for source in sources if source.family is not None))
        return FamilySearch(query, families, self.packer.day_for(query, config)) if families else None


def _for_child(
    config: RunnableConfig | None, run_manager: CallbackManagerForRetrieverRun | AsyncCallbackManagerForRetrieverRun
) -> RunnableConfig:
    """The config for the inner retriever: the same request, its run below ours."""
    return patch_config(config, callbacks=run_manager.get_child())
