"""Providers' own citations: content blocks made from a pack, and what comes back checked like any other citation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from contextpack_core.citations.answers import Answer, DeclaredClaim
from contextpack_core.citations.check import check_answer
from contextpack_core.citations.quotes import locate_quote
from contextpack_core.citations.report import Report
from contextpack_core.citations.settings import DEFAULT_SETTINGS, CitationSettings
from contextpack_core.citations.sources import read_sources
from contextpack_core.citations.support import BatchSupportJudge, SupportJudge
from contextpack_core.citations.values import QuoteStatus, SourceText
from contextpack_core.errors import ArgumentError
from contextpack_core.grounding.native_messages import Pointer, blocks_of, facts_of, mark_at, span_of
from contextpack_core.grounding.native_targets import LONGEST_TITLE, Facts, Target, Targets, index_of, is_place, sound, title_of
from contextpack_core.pack import Pack
from contextpack_core.values import Evidence, Source, Span


def anthropic_documents(pack: Pack, *, cache: bool = False) -> list[dict[str, Any]]:
    """One plain-text ``document`` block an evidence, in prompt order, with citations enabled (``char_location``).

    The title begins with the label; ``context``, which cannot be cited, says edition and days. With ``cache`` the last block
    carries a ``cache_control`` mark.

    Raises:
        ArgumentError: ``pack`` is no pack.
    """
    blocks: list[dict[str, Any]] = []
    for item in _a_pack(pack).evidence:
        block = {
            "type": "document",
            "source": {"type": "text", "media_type": "text/plain", "data": sound(item.passage.text)},
            "title": _title(item),
            "citations": {"enabled": True},
        }
        if context := _edition(item.passage.source):
            block["context"] = context
        blocks.append(block)
    return _cached(blocks) if cache else blocks


def anthropic_search_results(pack: Pack, *, cache: bool = False) -> list[dict[str, Any]]:
    """One ``search_result`` block an evidence, in prompt order, with citations enabled (``search_result_location``).

    Raises:
        ArgumentError: ``pack`` is no pack.
    """
    blocks: list[dict[str, Any]] = [
        {
            "type": "search_result",
            "source": sound(item.passage.source.uri or item.passage.source.doc_id),
            "title": _title(item),
            "content": [{"type": "text", "text": sound(item.passage.text)}],
            "citations": {"enabled": True},
        }
        for item in _a_pack(pack).evidence
    ]
    return _cached(blocks) if cache else blocks


@dataclass(frozen=True, slots=True)
class NativeCitation:
    """One citation of a provider, mapped to the pack.

    ``span`` is the stretch of the answer that it stands for. ``labels`` are the passages that it points to: several where the
    provider names only the document. For what is no evidence they hold the name of the dropped candidate, or what the
    provider called it; ``called`` is then that name, or title and edition, and ``detail`` why it is none. ``cited_text`` is the
    text of the source as the provider gave it, ``source_span`` where it stands in the passage, ``document_span`` where in the
    document, and ``source`` with its edition is that of the passage; None if not known. ``is_mark``: the span holds nothing but
    the mark, a link or a number, which stands for the statement before it.
    """

    span: Span
    labels: tuple[str, ...]
    cited_text: str | None = None
    source_span: Span | None = None
    document_span: Span | None = None
    source: Source | None = None
    called: str = ""
    detail: str = ""
    is_mark: bool = False


@dataclass(frozen=True, slots=True)
class NativeAnswer:
    """The text of an answer, its blocks one behind the other, and the provider's citations, each once."""

    text: str
    citations: tuple[NativeCitation, ...]


def read_native(blocks: Any, pack: Pack, *, first_document: int = 0) -> NativeAnswer:
    """The answer and its citations, whichever form the provider gave them.

    ``blocks`` are a message as a mapping (``content``; ``annotations`` or ``groundingMetadata`` beside it), or its content blocks:
    those of Anthropic (``citations``), of OpenAI (``annotations``), LangChain's standard blocks, or LlamaIndex's (``citation``
    blocks behind the text they belong to). Of a whole response of Gemini (``candidates``) or of OpenAI (``choices``, ``output``)
    it is the first candidate. Objects of a provider's package count as what their ``model_dump`` gives. A block that is none costs
    that block. ``first_document`` is how many citable documents stood in the request before those of the pack.

    All that a citation says of its source must agree: place in the request, address, title, cited text. One that names another
    edition leads to that dropped candidate, whatever its place; one that contradicts itself leads nowhere.

    Raises:
        AnswerError: it is none of these.
        ArgumentError: ``pack`` is no pack.
    """
    _a_pack(pack)
    resolve = _Resolver(pack, first_document)
    text, found = "", []
    for block_text, pointers in blocks_of(blocks):
        start = len(text)
        text += block_text
        for pointer in pointers:
            span = span_of(pointer, block_text, start)
            cited = resolve(pointer, span, text[span.start : span.end])
            mark = mark_at(pointer, text, span)
            found.append(cited if mark is None else replace(cited, span=mark, is_mark=True))
    return NativeAnswer(text, tuple(dict.fromkeys(found)))


def check_native(
    blocks: Any,
    pack: Pack,
    *,
    question: str = "",
    settings: CitationSettings = DEFAULT_SETTINGS,
    judge: SupportJudge | BatchSupportJudge | None = None,
    first_document: int = 0,
) -> Report:
    """The report on an answer with a provider's citations: labels, editions, figures and quotations as ``check`` looks at them.

    A pointer that the provider guarantees can still lead to an edition that was not in force, or to a passage that does not hold
    the figure.

    Raises:
        AnswerError: ``blocks`` are no message and no content blocks.
        ArgumentError: ``pack`` is no pack, or settings or judge are of another kind.
    """
    read = read_native(blocks, pack, first_document=first_document)
    claims = [
        DeclaredClaim(read.text[c.span.start : c.span.end], c.labels, _quotes_of(c, pack), c.span, c.called, c.detail, c.is_mark)
        for c in read.citations
    ]
    said = Answer(read.text, tuple(claims))
    return check_answer(said, read_sources(pack), question, settings, judge)


def _a_pack(pack: Any) -> Pack:
    """The pack itself: a mapping of texts has neither sources nor editions."""
    if not isinstance(pack, Pack):
        wanted = "the Pack that the request was made from; of a saved one Pack.from_dict(…)"
        raise ArgumentError(f"pack: {type(pack).__name__} — {wanted}")
    return pack


def _quotes_of(citation: NativeCitation, pack: Pack) -> tuple[str, ...]:
    """The cited text, if it is to be found in the evidence: that of a dropped candidate is not there."""
    labels = {item.label for item in pack.evidence}
    return (citation.cited_text,) if citation.cited_text and any(label in labels for label in citation.labels) else ()


# ---------------------------------------------------------------- blocks for a provider


def _title(item: Evidence) -> str:
    return " ".join(sound(f"{item.label} {title_of(item.passage.source)}").split())[:LONGEST_TITLE]


def _edition(source: Source) -> str:
    parts = [
        f"edition {source.edition}" if source.edition else "",
        f"in force from {source.effective_from.isoformat()}" if source.effective_from else "",
        f"until before {source.effective_until.isoformat()}" if source.effective_until else "",
    ]
    return sound(", ".join(part for part in parts if part))


def _cached(blocks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [*blocks[:-1], {**blocks[-1], "cache_control": {"type": "ephemeral"}}] if blocks else blocks


# ---------------------------------------------------------------- what comes back


class _Resolver:
    """Reads a citation: the passage that it points to, and the place of the cited words in it."""

    def __init__(self, pack: Pack, first_document: int) -> None:
        self._pack = pack
        self._texts: Mapping[str, SourceText] = read_sources(pack).texts
        self._targets = Targets(pack, self._texts, first_document)

    def __call__(self, pointer: Pointer, span: Span, said: str) -> NativeCitation:
        facts = facts_of(pointer)
        cited = facts.get("cited_text")
        if not isinstance(cited, str) or not cited.strip() or (index_of(facts) is None and cited.strip() == said.strip()):
            cited = None  # Gemini, as LangChain hands it on, repeats the answer there
        target = self._targets.target_of(facts, cited)
        if not target.labels:
            name, called = _nowhere(target, facts)
            return NativeCitation(span, (name,), cited, called=called, detail=target.why or ("" if target.dropped else _NO_SOURCE))
        labels = target.labels
        place = self._place(facts, labels, cited)
        document = place[1] if place else None
        source = next(item.passage.source for item in self._pack.evidence if item.label == (place[2] if place else labels[0]))
        return NativeCitation(span, (place[2],) if place else labels, cited, place[0] if place else None, document, source)

    def _place(self, facts: Facts, labels: Sequence[str], cited: str | None) -> tuple[Span, Span | None, str] | None:
        """Where the cited words stand: in the passage, in the document, and under which label."""
        low, high = facts.get("start_char_index"), facts.get("end_char_index")
        texts = {label: self._texts[label] for label in labels}
        if len(labels) == 1 and is_place(low) and is_place(high):
            text = texts[labels[0]].text
            if low < high <= len(text) and (cited is None or text[low:high].strip() == cited.strip()):
                return Span(low, high), _in_document(texts[labels[0]], low, high), labels[0]
        if cited is None:
            return None
        quote = locate_quote(cited, texts, labels)
        if quote.status in (QuoteStatus.EXACT, QuoteStatus.NORMALISED) and quote.label and quote.source_span:
            return quote.source_span, quote.document_span, quote.label
        return None


_NO_SOURCE = "no source of the pack is called so"


def _nowhere(target: Target, facts: Facts) -> tuple[str, str]:
    """The name of what is no evidence, and what to call it: a candidate's id tells a reader nothing, its title and edition do."""
    if target.dropped is None:
        return _called(facts), _called(facts)
    return target.dropped.id, f"‹{' '.join(title_of(target.dropped.source).split())}›"


def _called(facts: Facts) -> str:
    """What the provider calls a source that is none of the pack's, in words that can be no label."""
    for key in ("document_title", "title", "filename", "url", "source", "file_id"):
        if facts.get(key):
            return f"‹{' '.join(str(facts[key]).split())}›"
    index = index_of(facts)
    return f"‹document {index}›" if index is not None else "‹no source›"


def _in_document(source: SourceText, low: int, high: int) -> Span | None:
    """The place in the document, where one piece of the passage holds all of it."""
    for start, end, document in source.pieces:
        if start <= low and high <= end:
            return Span(document + low - start, document + high - start)
    return None
