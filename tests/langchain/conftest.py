"""What the tests of the LangChain adapter share."""

from __future__ import annotations

import pytest
from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import Field


class Hits(BaseRetriever):
    """A retriever that finds the same documents for every query, and remembers the queries."""

    found: list[Document]
    asked: list[str] = Field(default_factory=list)

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        self.asked.append(query)
        return self.found


@pytest.fixture
def documents() -> list[Document]:
    """Two editions of a wording, the old one first, and a fee."""
    return [
        Document(
            id="old",
            page_content="The excess is 350 euros.",
            metadata={"source": "w25", "family": "wording", "edition": "2025", "effective_from": "2025-01-01", "tags": ["a"]},
        ),
        Document(
            id="new",
            page_content="The excess is 500 euros.",
            metadata={"source": "w26", "family": "wording", "edition": "2026", "effective_from": "2026-01-01", "tags": ["b"]},
        ),
        Document(page_content="The fee is 20 euros.", metadata={"source": "fees", "title": "Fees", "page": 0}),
    ]


@pytest.fixture
def hits(documents: list[Document]) -> Hits:
    """The retriever that finds them."""
    return Hits(found=documents)
