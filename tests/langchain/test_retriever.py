"""PackingRetriever: a retriever and a packer as one retriever."""

from __future__ import annotations

import asyncio
from datetime import date
from typing import Any

import pytest
from langchain_classic.chains import create_retrieval_chain
from langchain_classic.chains.combine_documents import create_stuff_documents_chain
from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.language_models import FakeListChatModel
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableLambda
from langchain_core.tools import create_retriever_tool
from pydantic import Field

from contextpack_core import Policy, request_scope
from langchain_contextpack import ContextPacker, FamilySearch, PackingRetriever, pack_of
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


# ---- further searches

SHELF = [
    Document(page_content=f"{name}: the excess is {n}00 euros.", metadata={"source": f"{name}-{n}"})
    for n in range(1, 6)
    for name in ("Basic", "Plus")
]
COMPARING = Policy.from_yaml("""
intents:
  comparison:
    retrieval: {sub_queries: 4}
    budget: {evidence: 70, per_group: {by: found_for, tokens: 30}}
""")


class Shelf(BaseRetriever):
    """A retriever that finds what holds the last name of the query, the first one's if there are two."""

    asked: list[str] = Field(default_factory=list)

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        self.asked.append(query)
        name = next((name for name in ("Basic", "Plus") if name in query), "")
        return [document for document in SHELF if document.page_content.startswith(name)][:3]


def comparing(**options: object) -> PackingRetriever:
    packer = ContextPacker(policy=COMPARING, content="text", count_tokens=lambda text: len(text.split()) * 5, **options)
    return PackingRetriever(retriever=Shelf(), packer=packer)


@pytest.mark.parametrize("ask", [lambda r, q: r.invoke(q), lambda r, q: asyncio.run(r.ainvoke(q))])
def test_a_comparison_searches_for_each_thing(ask: Any) -> None:
    """The question alone finds one side; with a search for each, both have their share of the budget, and say what they are for."""
    retriever = comparing()
    found = ask(retriever, "Compare the excess of Basic and Plus")

    assert sorted(retriever.retriever.asked) == [
        "Compare the excess of Basic and",
        "Compare the excess of Basic and Plus",
        "Compare the excess of and Plus",
    ]
    assert [(d.metadata["source"], d.metadata["found_for"]) for d in found] == [("Basic-1", "Basic"), ("Plus-1", "Plus")]
    assert pack_of(found).intent == "comparison"
    assert "found_for" not in SHELF[0].metadata


def test_another_question_is_searched_for_once() -> None:
    """No comparison, no further search; nor where the request names another intent, or nothing is packed."""
    retriever = comparing()
    retriever.invoke("What is the excess of Basic and Plus?")
    with request_scope(intent="none"):
        retriever.invoke("Compare Basic and Plus")
    watching = COMPARING.model_copy(update={"rollout": COMPARING.rollout.model_copy(update={"mode": "shadow"})})
    shadow = PackingRetriever(retriever=Shelf(), packer=ContextPacker(policy=watching))

    assert [d.page_content for d in shadow.invoke("Compare Basic and Plus")] == [d.page_content for d in SHELF[:6:2]]
    assert len(retriever.retriever.asked) == 2
    assert len(shadow.retriever.asked) == 1


def test_the_classifier_is_asked_once() -> None:
    """For the searches and for the pack."""
    asked: list[str] = []
    comparing(classify=lambda query: asked.append(query) or "comparison").invoke("Basic or Plus?")

    assert asked == ["Basic or Plus?"]


def test_a_wrong_setting_is_an_error(hits: Hits) -> None:
    """Nothing is silently ignored."""
    with pytest.raises(ValueError, match="paker"):
        PackingRetriever(retriever=hits, paker=ContextPacker())
