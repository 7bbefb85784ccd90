# Needs the extras langchain and cli (its search makes the hits): pip install 'contextpack-rag[langchain,cli]'
"""LangChain, LCEL: one packer between retriever and prompt, one guard behind the model."""

from __future__ import annotations

from langchain_core.documents import Document
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import RunnableLambda, RunnablePassthrough

from contextpack_core.demo import harbourline, harbourline_search
from langchain_contextpack import CitationGuard, ContextPacker

QUESTION = "What excess do I pay for an escape of water claim?"
ANSWER = "The excess for escape of water is 350 euros [P1]."  # last year's
search = harbourline_search()


def retrieve(query: str) -> list[Document]:
    """What a retriever returns."""
    return [Document(id=hit["id"], page_content=hit["text"], metadata=hit) for hit in search(query)]


def main() -> None:
    """Print the prompt that the model gets, the streamed answer, and its report."""
    policy = harbourline().joinpath("policy.yaml").read_text(encoding="utf-8")
    packer = ContextPacker.from_yaml(policy)
    prompt = ChatPromptTemplate.from_template("Answer from the passages, cite their labels.\n\n{passages}\n\nQuestion: {input}")
    model = GenericFakeChatModel(messages=iter([AIMessage(ANSWER)] * 2))

    chain = (
        RunnablePassthrough.assign(documents=RunnableLambda(lambda given: retrieve(given["input"])))
        | RunnablePassthrough.assign(context=packer)
        | RunnablePassthrough.assign(passages=lambda given: "\n\n".join(d.page_content for d in given["context"]))
        | RunnablePassthrough.assign(answer=prompt | model | StrOutputParser())
        | CitationGuard()
    )

    request = {"configurable": {"contextpack": {"access": ["public"], "as_of": "2026-06-01"}}}
    for chunk in chain.stream({"input": QUESTION}, config=request):
        print(chunk.get("answer", ""), end="")
        report = chunk.get("citations")
    print(f"\n{report['status']}: {'; '.join(problem['text'] for problem in report['problems'])}")


if __name__ == "__main__":
    main()
