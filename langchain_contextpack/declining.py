"""answer_or_decline: asks the model only where the evidence can answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.documents import Document
from langchain_core.runnables import Runnable, RunnableBranch, RunnableConfig, RunnableLambda, RunnablePassthrough
from langchain_core.runnables.base import coerce_to_runnable

from contextpack_core import Pack, Policy, decline, packs_made
from langchain_contextpack.documents import pack_of

DECLINED = "declined"
"""The key under which it stands that, and why, the model was not asked; None where it was."""


def answer_or_decline(
    chain: Any,
    policy: Policy | None = None,
    *,
    retriever: Runnable[Any, Any] | None = None,
    answer_key: str = "answer",
    context_key: str = "context",
    question_key: str = "input",
) -> Runnable[dict[str, Any], dict[str, Any]]:
    """A Runnable of ``{"input": question}`` that adds ``context``, ``answer`` and ``declined``.

    ``retriever`` finds the packed documents of a question (a ``PackingRetriever``, or a retriever with a ``ContextPacker`` behind
    it); without it they are expected under ``context`` of the input. ``chain`` gets that dict and returns the answer: it is what
    ``create_stuff_documents_chain`` makes, or ``prompt | model | StrOutputParser()``. Where the evidence cannot answer, ``chain``
    is not called; the answer is then a message that says what was searched and why it does not do, and ``declined`` is that as
    plain data. Only with ``retriever`` can the message name documents of which no passage was good enough.

    Answers are streamed as the chain streams them. ``CitationGuard`` may stand behind it.
    """
    policy = policy or Policy()
    branches = _Branches(policy, retriever, context_key, question_key)
    look = RunnableLambda(branches.look, afunc=branches.alook, name="look_for_evidence")
    answer: Any = RunnablePassthrough.assign(**{answer_key: coerce_to_runnable(chain)})
    refuse: Any = RunnablePassthrough.assign(**{answer_key: RunnableLambda(_message, name="decline")})
    return look | RunnableBranch((_is_declined, refuse), answer)


def _is_declined(given: Mapping[str, Any]) -> bool:
    return given[DECLINED] is not None


def _message(given: Mapping[str, Any]) -> str:
    return str(given[DECLINED]["message"])


class _Branches:
    """The step before the branch: finds the evidence and decides."""

    def __init__(self, policy: Policy, retriever: Runnable[Any, Any] | None, context: str, question: str) -> None:
        self.policy, self.retriever = policy, retriever
        self.context, self.question = context, question

    def look(self, given: dict[str, Any], config: RunnableConfig) -> dict[str, Any]:
        if self.retriever is None:
            return self._decided(given, self._given_documents(given), [])
        with packs_made() as packs:
            documents = self.retriever.invoke(self._asked(given), config)
        return self._decided(given, documents, packs)

    async def alook(self, given: dict[str, Any], config: RunnableConfig) -> dict[str, Any]:
        if self.retriever is None:
            return self._decided(given, self._given_documents(given), [])
        with packs_made() as packs:
            documents = await self.retriever.ainvoke(self._asked(given), config)
        return self._decided(given, documents, packs)

    def _given_documents(self, given: Mapping[str, Any]) -> Sequence[Document]:
        if self.context not in given:
            has = ", ".join(map(str, given)) or "nothing"
            raise ValueError(f"answer_or_decline: the input has no {self.context!r}, only {has} — or give retriever=")
        return list(given[self.context])

    def _asked(self, given: Mapping[str, Any]) -> str:
        if self.question not in given:
            has = ", ".join(map(str, given)) or "nothing"
            raise ValueError(f"answer_or_decline: the input has no {self.question!r}, only {has}")
        return str(given[self.question])

    def _decided(self, given: dict[str, Any], documents: Sequence[Document], packs: Sequence[Pack]) -> dict[str, Any]:
        pack = packs[-1] if packs else pack_of(documents)
        unpacked = bool(documents) and not pack.evidence  # documents that no packer made: nothing is known against them
        declined = None if unpacked else decline(pack, self.policy, str(given.get(self.question, "")))
        return {**given, self.context: documents, DECLINED: None if declined is None else declined.to_dict()}
