"""answer_or_decline: asks the model only where the evidence can answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from langchain_core.documents import Document
from langchain_core.runnables import Runnable, RunnableBranch, RunnableConfig, RunnableLambda, RunnablePassthrough
from langchain_core.runnables.base import coerce_to_runnable

from contextpack_core import ArgumentError, Declined, Pack, Policy, decline, declined_answer, log_decline, packs_made, policy_of
from langchain_contextpack.documents import carried_by, is_packed, pack_of

DECLINED = "declined"
"""The key under which it stands that, and why, the model was not asked; None where it was."""

_UNPACKED = (
    "answer_or_decline: no packer made these documents, so nothing tells whether they can answer — "
    "retriever=PackingRetriever(retriever=…, packer=ContextPacker(policy=policy)) packs them, or a ContextPacker in front; "
    "with rollout.mode: off in the policy every question is asked"
)


def answer_or_decline(
    chain: Any,
    policy: Policy | Mapping[str, Any] | None = None,
    *,
    retriever: Any = None,
    structured: bool = False,
    answer_key: str = "answer",
    context_key: str = "context",
    question_key: str = "input",
) -> Runnable[dict[str, Any], dict[str, Any]]:
    """A Runnable of ``{"input": question}`` that adds ``context``, ``answer`` and ``declined``.

    ``retriever`` finds the packed documents of a question (a ``PackingRetriever``, or a retriever with a ``ContextPacker`` behind
    it); without it they are expected under ``context`` of the input. ``chain`` gets that dict, with ``as_of`` and ``intent`` of the
    pack added, and returns the answer: it is what ``create_stuff_documents_chain`` makes, or ``prompt | model |
    StrOutputParser()``. Where the evidence cannot answer, ``chain`` is not called; the answer is then a message that says what was
    searched and why it does not do, and ``declined`` is that as plain data. With ``structured`` the message is a
    ``GroundedAnswer`` that abstains, for a chain that ends in ``with_structured_output(GroundedAnswer)``. Only with ``retriever``
    can the message name documents of which no passage was good enough.

    Answers are streamed as the chain streams them. ``CitationGuard`` may stand behind it. Give it the policy of the packer. While
    ``rollout.mode`` is not ``on`` the model is always asked; in ``shadow`` the trace's sink is told what would have been declined.

    Raises:
        ArgumentError: ``policy`` is neither a policy nor the settings of one; when it is called, its input is no mapping, or no
            packer made the documents.
        PolicyError: the settings are wrong.
        ValueError: when it is called, the input has no question, or no documents.
    """
    branches = _Branches(policy_of(policy), retriever, structured, context_key, question_key)
    look = RunnableLambda(branches.look, afunc=branches.alook, name="look_for_evidence")
    asked = _step(branches.told, "tell_day_and_intent") | coerce_to_runnable(chain)
    answer: Any = RunnablePassthrough.assign(**{answer_key: asked})
    refuse: Any = RunnablePassthrough.assign(**{answer_key: _step(branches.message, "decline")})
    return look | RunnableBranch((_step(_is_declined, "is_declined"), refuse), answer)


def _step(function: Callable[[Mapping[str, Any]], Any], name: str) -> Any:
    """The function as a Runnable with a coroutine of its own: else LangChain would start a thread."""

    async def awaited(given: Mapping[str, Any]) -> Any:
        return function(given)

    return RunnableLambda(function, afunc=awaited, name=name)


def _is_declined(given: Mapping[str, Any]) -> bool:
    return given[DECLINED] is not None


class _Branches:
    """The step before the branch, which finds the evidence and decides, and the first one of each branch."""

    def __init__(self, policy: Policy, retriever: Any, structured: bool, context: str, question: str) -> None:
        self.policy, self.structured = policy, structured
        self.retriever: Runnable[Any, Any] | None = None if retriever is None else coerce_to_runnable(retriever)
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
        return list(self._value(given, self.context, " — or give retriever="))

    def _asked(self, given: Mapping[str, Any]) -> str:
        return str(self._value(given, self.question))

    def _value(self, given: Any, key: str, otherwise: str = "") -> Any:
        if not isinstance(given, Mapping):
            raise ArgumentError(f"answer_or_decline: the input is {type(given).__name__} — a mapping like {{{key!r}: …}}")
        if key not in given:
            has = ", ".join(map(str, given)) or "nothing"
            raise ValueError(f"answer_or_decline: the input has no {key!r}, only {has}{otherwise}")
        return given[key]

    def _decided(self, given: dict[str, Any], documents: Sequence[Document], packs: Sequence[Pack]) -> dict[str, Any]:
        declined = self._declined(documents, packs, str(given.get(self.question, "")))
        acts = self.policy.rollout.mode == "on"
        return {**given, self.context: documents, DECLINED: declined.to_dict() if declined and acts else None}

    def _declined(self, documents: Sequence[Document], packs: Sequence[Pack], question: str) -> Declined | None:
        """What to say instead of asking the model, or what would have been said while the rollout is a shadow."""
        if self.policy.rollout.mode == "off":
            return None
        if not packs and documents and not is_packed(documents):
            if self.policy.rollout.mode == "shadow":
                return None
            raise ArgumentError(_UNPACKED)
        pack = packs[-1] if packs else pack_of(documents)
        declined = decline(pack, self.policy, question)
        if declined is not None:
            log_decline(pack, declined, self.policy)
        return declined

    def told(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """What the chain gets: with the day and the intent of the pack, so that the prompt says what the evidence is for."""
        carried = carried_by(given[self.context])
        day = None if carried.as_of is None else carried.as_of.isoformat()
        known = {"as_of": day, "intent": carried.intent}
        return {**given, **{name: value for name, value in known.items() if value is not None}}

    def message(self, given: Mapping[str, Any]) -> Any:
        """The answer of a question that is declined."""
        message = str(given[DECLINED]["message"])
        return declined_answer(message, str(given.get(self.question, ""))) if self.structured else message
