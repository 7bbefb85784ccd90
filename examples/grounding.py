# Needs the extras langchain and cli (its search makes the hits): pip install 'contextpack-rag[langchain,cli]'
"""Grounding: a question that is declined, a strict and an augmented answer, and a provider's own citations, checked.

Runs offline: where a model stands in an application, a fixed answer stands here.
"""

from __future__ import annotations

from datetime import date
from typing import Any

from langchain_core.documents import Document
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langchain_core.output_parsers import StrOutputParser
from langchain_core.runnables import RunnableLambda

from contextpack_core import Pack, Policy, anthropic_documents, check_native, grounded_messages, lint_prompt, pack
from contextpack_core.demo import harbourline, harbourline_search
from langchain_contextpack import CitationGuard, ContextPacker, PackingRetriever, answer_or_decline, grounded_prompt

POLICY = Policy.from_yaml(harbourline().joinpath("policy.yaml").read_text(encoding="utf-8"))
AUGMENTED = POLICY.model_copy(update={"grounding": POLICY.grounding.model_copy(update={"pattern": "augmented"})})
QUESTION = "What excess do I pay for an escape of water claim?"
DAY = date(2026, 6, 1)


def main() -> None:
    """Print the four cases."""
    declined = ask("Which vaccinations does my puppy need before travelling to Iceland?", POLICY, answer="never asked for")
    print("declined:", declined["answer"], "->", declined["citations"]["status"])

    label = excess_label(evidence())
    strict = ask(QUESTION, POLICY, answer=f"The excess for escape of water is 500 euros [{label}].")
    print("strict:", strict["answer"], "->", strict["citations"]["status"])

    framed = f"An excess is the part of a claim that you bear yourself; for escape of water it is 500 euros [{label}]."
    augmented = ask(QUESTION, AUGMENTED, answer=framed)
    print("augmented:", augmented["answer"], "->", augmented["citations"]["status"])

    native()
    messages = grounded_messages(POLICY, QUESTION, evidence())
    print("what would break the prompt cache:", lint_prompt(messages) or "nothing")


def ask(question: str, policy: Policy, *, answer: str) -> dict[str, Any]:
    """A chain as an application has it: retrieve and pack, decline or ask the model, check."""
    model = GenericFakeChatModel(messages=iter([AIMessage(answer)]))
    packing = PackingRetriever(retriever=RunnableLambda(search), packer=ContextPacker(policy=policy, as_of=DAY, access=("public",)))
    chain = answer_or_decline(grounded_prompt(policy, as_of=DAY) | model | StrOutputParser(), policy, retriever=packing)
    return (chain | CitationGuard(policy=policy)).invoke({"input": question})


def native() -> None:
    """Two answers whose citations the provider guarantees: one is right, one has last year's figure behind a valid pointer."""
    made = evidence()
    blocks = anthropic_documents(made)  # these go into the request, in front of the question
    number = next(i for i, block in enumerate(blocks) if "Escape of Water Excess" in block["source"]["data"])
    data = blocks[number]["source"]["data"]
    words = data[data.index("6.2 Escape of Water Excess") :].split("\n")[0]
    start = data.index(words)
    for figure in (500, 350):
        pointer = {
            "type": "char_location",
            "cited_text": words,
            "document_index": number,
            "start_char_index": start,
            "end_char_index": start + len(words),
        }
        answer = [{"type": "text", "text": f"The excess for escape of water is {figure} euros.", "citations": [pointer]}]
        report = check_native(answer, made, question=QUESTION)
        print("native:", report.answer, "->", report.status, *report.problems)


def evidence() -> Pack:
    """The pack of the question about the excess."""
    return pack(harbourline_search()(QUESTION), QUESTION, POLICY, as_of=DAY, access={"public"})


def excess_label(made: Pack) -> str:
    """The label of the passage with the clause on the excess."""
    return next(item.label for item in made.evidence if "6.2 Escape of Water Excess" in item.passage.text)


def search(question: str) -> list[Document]:
    """The hits as documents, which is what a retriever of LangChain gives."""
    hits = harbourline_search()(question)
    return [Document(hit["text"], id=hit["id"], metadata={k: v for k, v in hit.items() if k not in ("id", "text")}) for hit in hits]


if __name__ == "__main__":
    main()
