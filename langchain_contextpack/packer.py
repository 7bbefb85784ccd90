"""ContextPacker: one object that is a Runnable, a document compressor and a document transformer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path
from time import perf_counter
from typing import Any, Literal

from langchain_core.callbacks import AsyncCallbackManagerForChainRun, CallbackManagerForChainRun, Callbacks
from langchain_core.documents import BaseDocumentCompressor, BaseDocumentTransformer, Document
from langchain_core.prompts import BasePromptTemplate, format_document
from langchain_core.runnables import RunnableConfig, RunnableSerializable, ensure_config
from pydantic import ConfigDict, Field

from contextpack_core import (
    Candidate,
    Choice,
    Embedder,
    Evidence,
    Pack,
    Policy,
    PolicyField,
    RenderSettings,
    RequestScope,
    TakesPolicy,
    day_for,
    log_trace,
    note_pack,
    pack,
    request_for,
)
from langchain_contextpack.documents import candidates_of, document_of, documents_of, request_in

PackerInput = Sequence[Document] | dict[str, Any]


class ContextPacker(
    TakesPolicy, RunnableSerializable[PackerInput, list[Document]], BaseDocumentCompressor, BaseDocumentTransformer
):
    """Packs retrieved documents into labelled evidence that fits the budget.

    Stands after a retriever in a chain (``retriever | packer``), as ``base_compressor`` of a ``ContextualCompressionRetriever``,
    in a ``DocumentCompressorPipeline``, and takes ``transform_documents``. As a Runnable it takes documents, or a dict with
    ``documents`` (or ``context``) and ``query`` (or ``question``, ``input``). It returns new documents, one an evidence, in prompt
    order, and changes nothing it is given.

    Per request: ``config={"configurable": {"contextpack": {"access": [...], "as_of": "2026-03-01", "intent": "procedure"}}}``, else
    what a surrounding ``request_scope`` says, else the fields of this object.
    """

    model_config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)

    policy: PolicyField = Policy()
    content: Literal["rendered", "text"] = "rendered"
    """``rendered``: the page content is the labelled envelope. ``text``: it is verbatim; label and header fields are metadata."""
    separator: str = "\n\n"
    """What the chain puts between two documents: it is priced."""
    access: tuple[str, ...] | None = None
    as_of: date | None = None
    document_prompt: BasePromptTemplate[str] | None = None
    """The prompt with which the chain formats each document, if not its bare page content: it is priced."""
    used: Any = Field(default=None, exclude=True)
    """Measured lines of the budget: a mapping, or a callable of the query that returns one; it may take ``intent`` too."""
    count_tokens: Any = Field(default=None, exclude=True)
    documents: Any = Field(default=None, exclude=True)
    """Source texts by document id, to verify offsets and fill gaps: a mapping or a callable."""
    classify: Callable[[str], str | None] | None = Field(default=None, exclude=True)
    """Names the intent of a query in the place of the cues, where the request names none; None: no intent."""
    embed: Embedder | None = Field(default=None, exclude=True)
    """Makes vectors of texts, as one more signal of what is worth its tokens, such as ``StaticModel()``; local, since it is waited
    for."""
    on_pack: Callable[[Pack], object] | None = Field(default=None, exclude=True)
    """Called with every pack."""

    @classmethod
    def from_yaml(cls, path_or_text: str | Path, **overrides: Any) -> ContextPacker:
        """The packer with the policy in a YAML file or text; ``overrides`` are further fields of the packer."""
        return cls(policy=Policy.from_yaml(path_or_text), **overrides)

    # ---- the Runnable

    def invoke(self, input: PackerInput, config: RunnableConfig | None = None, **kwargs: Any) -> list[Document]:
        """The documents of one request, packed."""
        return self._call_with_config(self._packed_input, input, config, **kwargs)

    async def ainvoke(self, input: PackerInput, config: RunnableConfig | None = None, **kwargs: Any) -> list[Document]:
        """As ``invoke``; packing takes milliseconds and waits for nothing, so it runs where it is called."""

        return await self._acall_with_config(self._apacked_input, input, config, **kwargs)

    async def _apacked_input(
        self, given: PackerInput, run_manager: AsyncCallbackManagerForChainRun, config: RunnableConfig
    ) -> list[Document]:
        return self._packed_given(given, config)

    def _packed_input(self, given: PackerInput, run_manager: CallbackManagerForChainRun, config: RunnableConfig) -> list[Document]:
        return self._packed_given(given, config)

    def _packed_given(self, given: PackerInput, config: RunnableConfig) -> list[Document]:
        if isinstance(given, Mapping):
            documents, query = _first(given, ("documents", "context")), _first(given, ("query", "question", "input"))
        else:
            documents, query = given, ""
        return self.packed(documents, query, config)

    # ---- the compressor and the transformer

    def compress_documents(self, documents: Sequence[Document], query: str, callbacks: Callbacks | None = None) -> list[Document]:
        """The documents, packed for the query."""
        return self.packed(documents, query)

    async def acompress_documents(
        self, documents: Sequence[Document], query: str, callbacks: Callbacks | None = None
    ) -> list[Document]:
        """As ``compress_documents``."""
        return self.packed(documents, query)

    def transform_documents(self, documents: Sequence[Document], **kwargs: Any) -> list[Document]:
        """The documents, packed; a ``query`` may be given by name."""
        return self.packed(documents, kwargs.get("query", ""))

    async def atransform_documents(self, documents: Sequence[Document], **kwargs: Any) -> list[Document]:
        """As ``transform_documents``."""
        return self.packed(documents, kwargs.get("query", ""))

    # ---- all of them

    def packed(
        self, documents: Sequence[Document], query: str, config: RunnableConfig | None = None, choice: Choice | None = None
    ) -> list[Document]:
        """The documents of one request as new documents, one an evidence, in prompt order."""
        documents = list(documents)
        if self.policy.rollout.mode == "off":
            return documents
        made = self.pack_for(documents, query, config, choice)
        if self.policy.rollout.mode == "shadow":
            return documents
        originals = _by_id(candidates_of(documents, self.policy.fields), documents)
        return documents_of(made, self.policy.under(made.intent).render, self.content, originals)

    def pack_for(
        self, documents: Sequence[Document], query: str, config: RunnableConfig | None = None, choice: Choice | None = None
    ) -> Pack:
        """The pack of one request; ``on_pack`` and the trace's sink see it too. ``choice`` is what ``choose`` said."""
        candidates = candidates_of(documents, self.policy.fields)
        request = self._request(config)
        choice = choice or self.choose(query, config)
        start = perf_counter()
        made = pack(
            candidates,
            query,
            self.policy,
            as_of=request.as_of,
            access=request.access,
            used=self.used,
            documents=self.documents,
            embed=self.embed,
            count_tokens=self.count_tokens,
            envelope=self._envelope(candidates, documents, choice.policy.render),
            intent=choice,
        )
        log_trace(made, self.policy.trace, perf_counter() - start)
        note_pack(made)
        if self.on_pack is not None:
            self.on_pack(made)
        return made

    def choose(self, query: str, config: RunnableConfig | None = None) -> Choice:
        """The intent of a request: what its config says, else the scope around, else the classifier, else the cues."""
        intent = self._request(config).intent
        return self.policy.choose(query, intent if intent is not None else self.classify)

    def day_for(self, query: str, config: RunnableConfig | None = None) -> date:
        """The as-of date that a pack of this query would have."""
        return day_for(query, self.choose(query, config).policy, self._request(config).as_of)

    def _request(self, config: RunnableConfig | None) -> RequestScope:
        """Who asks, as of when and with what intent."""
        return request_for(request_in(config or ensure_config()), access=self.access, as_of=self.as_of)

    def _envelope(
        self, candidates: Sequence[Candidate], documents: Sequence[Document], settings: RenderSettings
    ) -> Callable[[Sequence[Evidence]], str] | None:
        """How the chain will render the evidence, where that is not the way of the policy."""
        prompt = self.document_prompt
        if prompt is None and self.content == "rendered" and self.separator == settings.separator:
            return None
        originals = _by_id(candidates, documents)

        def as_sent(evidence: Sequence[Evidence]) -> str:
            made = [document_of(item, {}, settings, self.content, originals) for item in evidence]
            texts = [d.page_content if prompt is None else format_document(d, prompt) for d in made]
            return self.separator.join(texts)

        return as_sent

    # ---- serialization

    @classmethod
    def is_lc_serializable(cls) -> bool:
        """``dumpd`` writes the settings; callables are not written."""
        return True

    @property
    def lc_attributes(self) -> dict[str, Any]:
        """The fields that ``dumpd`` could not write by itself, as plain data."""
        return {
            "policy": self.policy.to_dict(),
            "access": None if self.access is None else list(self.access),
            "as_of": None if self.as_of is None else self.as_of.isoformat(),
        }


def _first(given: Mapping[str, Any], keys: Sequence[str]) -> Any:
    """The value of the first of the keys that is there."""
    for key in keys:
        if key in given:
            return given[key]
    raise ValueError(f"ContextPacker: one of {', '.join(keys)} is wanted, the input has {', '.join(map(str, given)) or 'nothing'}")


def _by_id(candidates: Sequence[Candidate], documents: Sequence[Document]) -> dict[str, Document]:
    return {candidate.id: document for candidate, document in zip(candidates, documents, strict=True)}
