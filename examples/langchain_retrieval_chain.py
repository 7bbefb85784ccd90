# Needs langchain-classic and the extras langchain and cli: pip install 'contextpack-rag[langchain,cli]' langchain-classic
"""LangChain, create_retrieval_chain: the retriever becomes a packing retriever, nothing else changes."""

from __future__ import annotations

from langchain_classic.chains import create_retrieval_chain
from langchain_classic.chains.combine_documents import create_stuff_documents_chain
from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.retrievers import BaseRetriever

from contextpack_core import request_scope
from contextpack_core.demo import harbourline, harbourline_search
from langchain_contextpack import CitationGuard, ContextPacker, PackingRetriever

QUESTION = "How do I make a claim after a burst pipe, step by step?"
ANSWER = "Stop the damage from growing [P1]. Report the claim within 30 days [P1]."
search = harbourline_search()


class Hits(BaseRetriever):
    """The retriever that is there already."""

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        return [Document(id=hit["id"], page_content=hit["text"], metadata=hit) for hit in search(query)]


def main() -> None:
    """Print the answer, and the verdict on it."""
    policy = harbourline().joinpath("policy.yaml").read_text(encoding="utf-8")
    retriever = PackingRetriever(retriever=Hits(), packer=ContextPacker.from_yaml(policy))
    prompt = ChatPromptTemplate.from_messages([("system", "Cite the passages.\n\n{context}"), ("human", "{input}")])
    model = GenericFakeChatModel(messages=iter([AIMessage(ANSWER)]))
    chain = create_retrieval_chain(retriever, create_stuff_documents_chain(model, prompt)) | CitationGuard()

    with request_scope(access=["public"], as_of="2026-06-01"):
        result = chain.invoke({"input": QUESTION})
    print(result["answer"])
    print(result["citations"]["status"], [problem["text"] for problem in result["citations"]["problems"]])


if __name__ == "__main__":
    main()
