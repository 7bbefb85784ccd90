"""ContextPackPostprocessor: packs the nodes of a query engine before it answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from llama_index.core.node_parser import SentenceSplitter, TextSplitter
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.query_engine.citation_query_engine import DEFAULT_CITATION_CHUNK_OVERLAP, DEFAULT_CITATION_CHUNK_SIZE
from llama_index.core.schema import MetadataMode, NodeWithScore, QueryBundle
from llama_index.core.utils import get_tokenizer
from llama_index_instrumentation import get_dispatcher
from pydantic import ConfigDict, Field, field_serializer

from contextpack_core import (
    Candidate,
    Embedder,
    Evidence,
    Fault,
    Pack,
    Policy,
    PolicyError,
    PolicyField,
    RenderSettings,
    TakesPolicy,
    as_counter,
    decline,
    keep_applicable,
    log_decline,
    log_trace,
    measured_lines,
    note_pack,
    pack,
    request_for,
)
from llamaindex_contextpack.nodes import Content, candidates_of, image_of, is_packable, node_of, nodes_of

dispatcher = get_dispatcher(__name__)

RESPONSE_PADDING = 500
"""What the response modes ``compact`` and ``refine`` hold back of the window beside prompt and answer."""


class ContextPackPostprocessor(TakesPolicy, BaseNodePostprocessor):
    """Packs retrieved nodes into labelled evidence that fits the budget.

    Stands in ``node_postprocessors`` of a query engine, chat engine or retriever tool. It returns new nodes, one an evidence, in
    prompt order, and changes nothing it is given. Who asks, as of when and with what intent comes from a surrounding
    ``request_scope``, else from the fields of this object. With ``budget.input_limit`` in the policy, LlamaIndex's own reserve
    (``padding``) is added to the margin, so that the engine does not split the prompt.

    Without a tokenizer in the policy, tokens are counted as LlamaIndex counts them (``Settings.tokenizer``).
    """

    model_config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)

    policy: PolicyField = Policy()
    content: Content = "template"
    """``template``: the node's text stays verbatim, the model reads the envelope. ``rendered``: the text is the envelope, for
    multimodal synthesizers and memories. ``text``: verbatim without label, under ``CitationQueryEngine``, which numbers itself."""
    access: tuple[str, ...] | None = None
    as_of: date | None = None
    padding: int = Field(default=RESPONSE_PADDING, ge=0)
    used: Any = Field(default=None, exclude=True)
    """Measured lines of the budget: a mapping, or a callable of the query that returns one; it may take ``intent`` too."""
    count_tokens: Any = Field(default=None, exclude=True)
    documents: Any = Field(default=None, exclude=True)
    """Source texts by document id, to verify offsets and fill gaps: a mapping or a callable."""
    text_splitter: TextSplitter | None = Field(default=None, exclude=True)
    """With ``content="text"``: the splitter of the ``CitationQueryEngine``, where it is not that engine's default."""
    classify: Callable[[str], str | None] | None = Field(default=None, exclude=True)
    """Names the intent of a query in the place of the cues, where the request names none; None: no intent."""
    embed: Embedder | None = Field(default=None, exclude=True)
    """Makes vectors of texts, as one more signal of what is worth its tokens, such as ``StaticModel()``; local, since it is waited
    for."""
    on_pack: Callable[[Pack], object] | None = Field(default=None, exclude=True)
    """Called with every pack."""

    @classmethod
    def class_name(cls) -> str:
        """The stable name under which LlamaIndex saves it."""
        return "ContextPackPostprocessor"

    if not TYPE_CHECKING:  # for a checker the arguments are the fields

        def __init__(self, **fields: Any) -> None:
            name = fields.pop("class_name", self.class_name())
            if name != self.class_name():
                wanted = f"the settings of a {self.class_name()} are wanted"
                raise PolicyError([Fault("class_name", name, wanted)], self.class_name())
            super().__init__(**fields)

    @field_serializer("policy")
    def _plain_policy(self, policy: Policy) -> dict[str, Any]:
        return policy.to_dict()

    @field_serializer("as_of")
    def _plain_day(self, as_of: date | None) -> str | None:
        return None if as_of is None else as_of.isoformat()

    @classmethod
    def from_dict(cls, data: dict[str, Any], **kwargs: Any) -> ContextPackPostprocessor:
        """What ``to_dict`` wrote; the settings of another class or an unknown one are an error."""
        return cls(**{**data, **kwargs})

    @classmethod
    def from_yaml(cls, path_or_text: str | Path, **overrides: Any) -> ContextPackPostprocessor:
        """The postprocessor with the policy in a YAML file or text; ``overrides`` are further fields."""
        return cls(policy=Policy.from_yaml(path_or_text), **overrides)

    # ---- the postprocessor

    def _postprocess_nodes(self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None) -> list[NodeWithScore]:
        return self._packed(nodes, query_bundle)

    @dispatcher.span
    async def _apostprocess_nodes(self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None) -> list[NodeWithScore]:
        # Packing takes milliseconds and waits for nothing: a thread would cost more, and is what the base class would start.
        return self._packed(nodes, query_bundle)

    def _packed(self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None) -> list[NodeWithScore]:
        if self.policy.rollout.mode == "off":
            return list(nodes)
        query = "" if query_bundle is None else query_bundle.query_str.strip()
        made = self.pack_for(nodes, query)
        texts = [item for item in nodes if is_packable(item.node)]
        declined = decline(made, self.policy, query) if texts or not nodes else None
        if declined is not None:
            log_decline(made, declined, self.policy)
        if self.policy.rollout.mode == "shadow":
            return list(nodes)
        if declined is not None:
            return []  # without nodes an engine does not ask its model
        originals = _by_id(candidates_of(texts, self.policy.fields), texts)
        policy = self.policy.under(made.intent)
        return [*nodes_of(made, policy.render, self.content, originals), *self._images(nodes, made, policy)]

    def _images(self, nodes: Sequence[NodeWithScore], made: Pack, policy: Policy) -> list[NodeWithScore]:
        """The images without text that the caller may see, in the edition in force; no metadata of theirs goes to the model."""
        if all(is_packable(item.node) for item in nodes):
            return []
        access = request_for(None, access=self.access, as_of=self.as_of).access
        kept = keep_applicable(candidates_of(nodes, policy.fields), policy, as_of=made.as_of, access=access)
        ids = {candidate.id for candidate in kept}
        return [image_of(item) for item in nodes if not is_packable(item.node) and item.node.node_id in ids]

    def pack_for(self, nodes: Sequence[NodeWithScore], query: str = "") -> Pack:
        """The pack of one request; ``on_pack`` and the trace's sink see it too."""
        texts = [item for item in nodes if is_packable(item.node)]
        candidates = candidates_of(texts, self.policy.fields)
        request = request_for(None, access=self.access, as_of=self.as_of)
        choice = self.policy.choose(query, request.intent if request.intent is not None else self.classify)
        start = perf_counter()
        made = pack(
            candidates,
            query,
            self.policy,
            as_of=request.as_of,
            access=request.access,
            used=self._measured(query, choice.intent),
            documents=self.documents,
            embed=self.embed,
            count_tokens=self._counter(),
            envelope=self._envelope(candidates, texts, choice.policy.render),
            intent=choice,
        )
        log_trace(made, self.policy.trace, perf_counter() - start)
        note_pack(made)
        if self.on_pack is not None:
            self.on_pack(made)
        return made

    def _measured(self, query: str, intent: str | None) -> dict[str, int]:
        """The measured lines of the budget, LlamaIndex's reserve among the margin."""
        used = dict(measured_lines(self.used, query, intent) or {})
        if self.policy.budget.input_limit is not None:
            used["margin"] = used.get("margin", self.policy.budget.margin) + self.padding
        return used

    def _counter(self) -> Any:
        if self.count_tokens is not None or self.policy.tokenizer is not None:
            return self.count_tokens
        tokenizer = get_tokenizer()
        return as_counter(_Counting(tokenizer))

    def _envelope(
        self, candidates: Sequence[Candidate], nodes: Sequence[NodeWithScore], settings: RenderSettings
    ) -> Callable[[Sequence[Evidence]], str] | None:
        """How the engine will lay the nodes out, where that is not the way of the policy."""
        originals = _by_id(candidates, nodes)
        if self.content != "text" and settings.separator == SEPARATOR:
            return None

        def as_sent(evidence: Sequence[Evidence]) -> str:
            made = [node_of(item, {}, settings, self.content, originals) for item in evidence]
            texts = [node.get_content(metadata_mode=MetadataMode.LLM) for node in made]
            if self.content == "text":
                texts = [CITATION_NUMBER + piece for text in texts for piece in self._cited_pieces(text)]
            return SEPARATOR.join(texts)

        return as_sent

    def _cited_pieces(self, text: str) -> list[str]:
        """The pieces into which ``CitationQueryEngine`` splits a text before it numbers them; they overlap."""
        if self.text_splitter is None and len(text.encode("utf-8", "surrogatepass")) <= DEFAULT_CITATION_CHUNK_SIZE:
            return [text]  # it has no more tokens than bytes
        splitter = self.text_splitter or SentenceSplitter(
            chunk_size=DEFAULT_CITATION_CHUNK_SIZE, chunk_overlap=DEFAULT_CITATION_CHUNK_OVERLAP
        )
        return splitter.split_text(text)


SEPARATOR = "\n\n"
"""What LlamaIndex puts between two nodes."""
CITATION_NUMBER = "Source 99:\n"
"""What CitationQueryEngine puts before each node."""


def _by_id(candidates: Sequence[Candidate], nodes: Sequence[NodeWithScore]) -> dict[str, NodeWithScore]:
    return {candidate.id: item for candidate, item in zip(candidates, nodes, strict=True)}


class _Counting:
    """LlamaIndex's tokenizer as a counter."""

    name = "llamaindex"

    def __init__(self, tokenizer: Callable[[str], Sequence[Any]]) -> None:
        self._tokenizer = tokenizer

    def count(self, text: str) -> int:
        """The number of tokens."""
        return len(self._tokenizer(text))
