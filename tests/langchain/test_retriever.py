"""PackingRetriever: a retriever and a packer as one retriever."""

from __future__ import annotations

import asyncio
from datetime import date

import pytest
from langchain_classic.chains import create_retrieval_chain
from langchain_classic.chains.combine_documents import create_stuff_documents_chain
from langchain_core.documents import Document
from langchain_core.language_models import FakeListChatModel
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import RunnableLambda
from langchain_core.tools import create_retriever_tool

from contextpack_core import request_scope
from langchain_contextpack import ContextPacker, FamilySearch, PackingRetriever
from tests.langchain.conftest import Hits

DAY = date(2026, 6, 1)
ON_THE_DAY = {"configurable": {"contextpack": {"as_of": "2025-06-01"}}}


@pytest.fixture
def retriever(hits: Hits) -> PackingRetriever:
    return PackingRetriever(retriever=hits, packer=ContextPacker(as_of=DAY, content="text"))


def texts(documents: list[Document]) -> list[str]:
    return [document.page_content for document in documents]


def test_it_packs_for_the_day_of_the_request(retriever: PackingRetriever) -> None:
    """Directly invoked, it reads the request from its config; without one the packer's own day holds."""
    assert texts(retriever.invoke("excess?"))[0] == "The excess is 500 euros."
    assert texts(retriever.invoke("excess?", config=ON_THE_DAY))[0] == "The excess is 350 euros."
    assert texts(asyncio.run(retriever.ainvoke("excess?", config=ON_THE_DAY)))[0] == "The excess is 350 euros."


def test_it_works_in_a_retrieval_chain(retriever: PackingRetriever, hits: Hits) -> None:
    """The chain takes it for a retriever, asks it the question alone, and passes the request on."""
    prompt = ChatPromptTemplate.from_messages([("system", "{context}"), ("human", "{input}")])
    chain = create_retrieval_chain(retriever, create_stuff_documents_chain(FakeListChatModel(responses=["Yes."]), prompt))
    result = chain.invoke({"input": "excess?"}, config=ON_THE_DAY)

    assert hits.asked == ["excess?"]
    assert texts(result["context"])[0] == "The excess is 350 euros."


def test_it_works_in_a_tool(retriever: PackingRetriever) -> None:
    """A retriever tool returns the packed texts; the request comes from the scope around."""
    tool = create_retriever_tool(retriever, "wordings", "Looks up wordings.")
    with request_scope(as_of=date(2025, 6, 1)):
        found = tool.invoke({"query": "excess?"})

    assert found == "The excess is 350 euros.\n\nThe fee is 20 euros."


def test_any_runnable_is_a_retriever(documents: list[Document]) -> None:
    """The inner retriever may be a chain."""
    retriever = PackingRetriever(retriever=RunnableLambda(lambda query: documents[2:]))

    assert len(retriever.invoke("fee?")) == 1


def test_a_second_retrieval_finds_the_edition_that_applied(documents: list[Document]) -> None:
    """It is asked once, with the families of the hits and the day; what it finds is ranked after the hits."""
    searches: list[FamilySearch] = []

    def by_family(search: FamilySearch) -> list[Document]:
        searches.append(search)
        return [d for d in documents if d.metadata.get("family") in search.families]

    packer = ContextPacker(as_of=DAY, content="text")
    retriever = PackingRetriever(retriever=Hits(found=documents[:1]), packer=packer, by_family=by_family)

    assert texts(retriever.invoke("excess?")) == ["The excess is 500 euros."]
    assert searches == [FamilySearch("excess?", ("wording",), DAY)]


def test_a_second_retrieval_may_be_a_coroutine(documents: list[Document]) -> None:
    """Awaited in ainvoke; invoke says that it cannot."""

    async def by_family(search: FamilySearch) -> list[Document]:
        return documents

    retriever = PackingRetriever(retriever=Hits(found=documents[:1]), packer=ContextPacker(as_of=DAY), by_family=by_family)

    assert len(asyncio.run(retriever.ainvoke("excess?"))) == 2
    with pytest.raises(TypeError, match="ainvoke"):
        retriever.invoke("excess?")


def test_hits_without_families_are_not_searched_for(documents: list[Document]) -> None:
    """Nothing to look for, nothing is looked for."""
    retriever = PackingRetriever(retriever=Hits(found=documents[2:]), by_family=lambda search: pytest.fail("asked"))

    assert len(retriever.invoke("fee?")) == 1


def test_a_wrong_setting_is_an_error(hits: Hits) -> None:
    """Nothing is silently ignored."""
    with pytest.raises(ValueError, match="paker"):
        PackingRetriever(retriever=hits, paker=ContextPacker())
