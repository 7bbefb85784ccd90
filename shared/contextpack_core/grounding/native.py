"""Providers' own citations: content blocks made from a pack, and what comes back checked like any other citation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

from contextpack_core.citations.answers import Answer, DeclaredClaim
from contextpack_core.citations.check import check_answer
from contextpack_core.citations.quotes import locate_quote
from contextpack_core.citations.report import Report
from contextpack_core.citations.settings import DEFAULT_SETTINGS, CitationSettings
from contextpack_core.citations.sources import read_sources
from contextpack_core.citations.support import BatchSupportJudge, SupportJudge
from contextpack_core.citations.values import QuoteStatus, SourceText
from contextpack_core.errors import AnswerError
from contextpack_core.pack import Pack
from contextpack_core.values import Evidence, Source, Span

_LONGEST_TITLE = 400


def anthropic_documents(pack: Pack, *, cache: bool = False) -> list[dict[str, Any]]:
    """One plain-text ``document`` block an evidence, in prompt order, with citations enabled (``char_location``).

    The title begins with the label; ``context``, which cannot be cited, says edition and days. With ``cache`` the last block
    carries a ``cache_control`` mark.
    """
    blocks: list[dict[str, Any]] = []
    for item in pack.evidence:
        block = {
            "type": "document",
            "source": {"type": "text", "media_type": "text/plain", "data": _sound(item.passage.text)},
            "title": _title(item),
            "citations": {"enabled": True},
        }
        if context := _edition(item.passage.source):
            block["context"] = context
        blocks.append(block)
    return _cached(blocks) if cache else blocks


def anthropic_search_results(pack: Pack, *, cache: bool = False) -> list[dict[str, Any]]:
    """One ``search_result`` block an evidence, in prompt order, with citations enabled (``search_result_location``)."""
    blocks: list[dict[str, Any]] = [
        {
            "type": "search_result",
            "source": _sound(item.passage.source.uri or item.passage.source.doc_id),
            "title": _title(item),
            "content": [{"type": "text", "text": _sound(item.passage.text)}],
            "citations": {"enabled": True},
        }
        for item in pack.evidence
    ]
    return _cached(blocks) if cache else blocks


@dataclass(frozen=True, slots=True)
class NativeCitation:
    """One citation of a provider, mapped to the pack.

    ``span`` is the stretch of the answer that it stands for. ``labels`` are the passages that it points to: several where the
    provider names only the document. For what is no evidence they hold the name of the dropped candidate, or what the
    provider called it. ``cited_text`` is the text of the source as the provider gave it, ``source_span`` where it stands in the
    passage, ``document_span`` where in the document, and ``source`` with its edition is that of the passage; None if not known.
    """

    span: Span
    labels: tuple[str, ...]
    cited_text: str | None = None
    source_span: Span | None = None
    document_span: Span | None = None
    source: Source | None = None


@dataclass(frozen=True, slots=True)
class NativeAnswer:
    """The text of an answer, its blocks one behind the other, and the provider's citations, each once."""

    text: str
    citations: tuple[NativeCitation, ...]


def read_native(blocks: Any, pack: Pack, *, first_document: int = 0) -> NativeAnswer:
    """The answer and its citations, whichever form the provider gave them.

    ``blocks`` are a message as a mapping (``content``; ``annotations`` or ``groundingMetadata`` beside it), or its content blocks:
    those of Anthropic (``citations``), of OpenAI (``annotations``), LangChain's standard blocks, or LlamaIndex's (``citation``
    blocks behind the text they belong to). ``first_document`` is how many citable documents stood in the request before those of
    the pack.

    Raises:
        AnswerError: it is none of these.
    """
    resolve = _Resolver(pack, first_document)
    text, found = "", []
    for block_text, pointers in _blocks_of(blocks):
        start = len(text)
        text += block_text
        for pointer in pointers:
            span = _span_of(pointer, block_text, start)
            found.append(resolve(pointer, span, text[span.start : span.end]))
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
    """
    read = read_native(blocks, pack, first_document=first_document)
    claims = [DeclaredClaim(read.text[c.span.start : c.span.end], c.labels, _quotes_of(c, pack), c.span) for c in read.citations]
    said = Answer(read.text, tuple(claims))
    return check_answer(said, read_sources(pack), question, settings, judge)


def _quotes_of(citation: NativeCitation, pack: Pack) -> tuple[str, ...]:
    """The cited text, if it is to be found in the evidence: that of a dropped candidate is not there."""
    labels = {item.label for item in pack.evidence}
    return (citation.cited_text,) if citation.cited_text and any(label in labels for label in citation.labels) else ()


# ---------------------------------------------------------------- blocks for a provider


def _title(item: Evidence) -> str:
    source = item.passage.source
    parts = [source.title or source.doc_id, source.section, f"edition {source.edition}" if source.edition else None]
    return " ".join(_sound(f"{item.label} {', '.join(part for part in parts if part)}").split())[:_LONGEST_TITLE]


def _edition(source: Source) -> str:
    parts = [
        f"edition {source.edition}" if source.edition else "",
        f"in force from {source.effective_from.isoformat()}" if source.effective_from else "",
        f"until before {source.effective_until.isoformat()}" if source.effective_until else "",
    ]
    return _sound(", ".join(part for part in parts if part))


def _cached(blocks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [*blocks[:-1], {**blocks[-1], "cache_control": {"type": "ephemeral"}}] if blocks else blocks


def _sound(text: str) -> str:
    """The text without lone surrogates, which no request can carry; offsets stay."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") if _lone(text) else text


def _lone(text: str) -> bool:
    return any("\ud800" <= sign <= "\udfff" for sign in text)


# ---------------------------------------------------------------- what comes back

_Pointer = Mapping[str, Any]


def _blocks_of(message: Any) -> Iterator[tuple[str, Sequence[_Pointer]]]:
    """The texts of a message in their order, each with the citations that belong to it."""
    beside: list[_Pointer] = []
    blocks = message
    if (isinstance(message, Mapping) and "type" not in message) or (
        isinstance(message, Mapping) and message.get("type") == "message"
    ):
        blocks = message.get("content", message.get("parts"))
        if isinstance(blocks, Mapping):  # Gemini: a candidate with content.parts
            blocks = blocks.get("parts")
        beside = [*_mappings(message.get("annotations")), *_of_gemini(message)]
    elif isinstance(message, Mapping):
        blocks = [message]
    if isinstance(blocks, str):
        blocks = [{"type": "text", "text": blocks}]
    if isinstance(blocks, bytes) or not isinstance(blocks, Sequence):
        raise AnswerError(f"answer: {type(message).__name__} — a message as a mapping, or its content blocks")
    found: list[tuple[str, list[_Pointer]]] = []
    for block in blocks:
        if isinstance(block, str):
            found.append((block, []))
        elif not isinstance(block, Mapping):
            raise AnswerError(f"answer: a block is {type(block).__name__} — a mapping with type and text")
        elif _kind(block) == "citation" and found:
            found[-1][1].append(block)
        elif found and not block.get("text") and _mappings(block.get("citations")):  # its text came before, as a piece of a stream
            found[-1][1].extend(_mappings(block["citations"]))
        elif isinstance(block.get("text"), str) and _kind(block) in ("text", "output_text", ""):
            found.append((block["text"], [*_mappings(block.get("citations")), *_mappings(block.get("annotations"))]))
    if beside:
        whole = "".join([text for text, _ in found])
        found = [(whole, [*[pointer for _, pointers in found for pointer in pointers], *beside])]
    return iter(found)


def _kind(block: Mapping[str, Any]) -> str:
    return str(block.get("type") or block.get("block_type") or "")


def _mappings(value: Any) -> list[_Pointer]:
    """The citations of a list, taken out of what wraps them."""
    if not isinstance(value, Sequence) or isinstance(value, str):
        return []
    found = []
    for item in value:
        if isinstance(item, Mapping):
            inner = item.get("url_citation") or item.get("file_citation")
            if item.get("type") == "non_standard_annotation":
                inner = item.get("value")
            found.append(inner if isinstance(inner, Mapping) else item)
    return found


def _of_gemini(message: Mapping[str, Any]) -> list[_Pointer]:
    """One citation for each chunk that supports a segment; offsets of segments are bytes."""
    metadata = message.get("groundingMetadata") or message.get("grounding_metadata")
    if not isinstance(metadata, Mapping):
        return []
    chunks = _mappings(metadata.get("groundingChunks") or metadata.get("grounding_chunks"))
    found: list[_Pointer] = []
    for support in _mappings(metadata.get("groundingSupports") or metadata.get("grounding_supports")):
        segment = support.get("segment") or {}
        start = segment.get("startIndex", segment.get("start_index", 0))
        end = segment.get("endIndex", segment.get("end_index"))
        for index in support.get("groundingChunkIndices", support.get("grounding_chunk_indices")) or ():
            chunk = chunks[index] if isinstance(index, int) and 0 <= index < len(chunks) else {}
            held = chunk.get("retrievedContext") or chunk.get("retrieved_context") or chunk.get("web") or {}
            found.append(
                {
                    "url": held.get("uri"),
                    "title": held.get("title"),
                    "cited_text": held.get("text"),
                    "start_byte": start,
                    "end_byte": end,
                }
            )
    return found


def _span_of(pointer: _Pointer, text: str, start: int) -> Span:
    """The stretch of the answer that a citation stands for: offsets count within its block; without them it is the whole block."""
    extras = pointer.get("extras") if isinstance(pointer.get("extras"), Mapping) else {}
    low, high = pointer.get("start_index"), pointer.get("end_index")
    if "start_byte" in pointer:
        low, high = _from_bytes(text, pointer["start_byte"]), _from_bytes(text, pointer["end_byte"])
    elif low is None and high is None and isinstance(extras, Mapping) and isinstance(extras.get("file_index"), int):
        high = extras["file_index"]
        low = max(text.rfind(sign, 0, max(high - 1, 0)) for sign in (".", "!", "?", "\n")) + 1
    if not _is_place(low) or not _is_place(high) or not low < high <= len(text):
        low, high = 0, len(text)
    while low < high and not text[low].isalnum() and text[low] not in _OPENING:
        low += 1
    return Span(start + low, start + high)


_OPENING = "\"'“„«([€$£¥<-−+"


def _is_place(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _from_bytes(text: str, offset: Any) -> int | None:
    return len(text.encode("utf-8", "surrogatepass")[:offset].decode("utf-8", "ignore")) if _is_place(offset) else None


class _Resolver:
    """Finds the passage that a citation points to: by its place in the request, by its label, by its document, by its words."""

    def __init__(self, pack: Pack, first_document: int) -> None:
        self._pack, self._first = pack, first_document
        self._texts: Mapping[str, SourceText] = read_sources(pack).texts

    def __call__(self, pointer: _Pointer, span: Span, said: str) -> NativeCitation:
        facts = _facts(pointer)
        cited = facts.get("cited_text")
        indexed = "document_index" in facts or "search_result_index" in facts
        if not isinstance(cited, str) or not cited.strip() or (not indexed and cited.strip() == said.strip()):
            cited = None  # Gemini, as LangChain hands it on, repeats the answer there
        labels, dropped = self._pointed_at(facts, cited)
        if not labels:
            return NativeCitation(span, (dropped or _called(facts),), cited)
        place = self._place(facts, labels, cited)
        document = place[1] if place else None
        source = next(item.passage.source for item in self._pack.evidence if item.label == (place[2] if place else labels[0]))
        return NativeCitation(span, (place[2],) if place else labels, cited, place[0] if place else None, document, source)

    def _pointed_at(self, facts: _Pointer, cited: str | None) -> tuple[tuple[str, ...], str | None]:
        """The labels of the passages, or none and the candidate of another edition, if it is one of those."""
        evidence = self._pack.evidence
        index = facts.get("document_index", facts.get("search_result_index"))
        if _is_place(index):
            at = index - self._first
            return ((evidence[at].label,), None) if 0 <= at < len(evidence) else ((), None)
        titles = [str(facts[key]) for key in ("title", "document_title") if facts.get(key)]
        for title in titles:
            if (label := title.split(" ", 1)[0]) in self._texts:
                return (label,), None
        addresses = [str(facts[key]) for key in ("source", "url", "uri", "filename", "file_id") if facts.get(key)]
        for name in [*addresses, *titles]:
            found = self._of_document(name, cited)
            if found[0] or found[1]:
                return found
        return self._of_document(None, cited) if cited and not addresses and not titles else ((), None)

    def _of_document(self, name: str | None, cited: str | None) -> tuple[tuple[str, ...], str | None]:
        """The same among the passages and candidates of a document (None: of all); the cited words decide between editions."""
        evidence = [item for item in self._pack.evidence if name is None or name in _names_of(item.passage.source)]
        others = [c for c in self._pack.other_editions if name is None or name in _names_of(c.source)]
        if cited:
            if holders := [item.label for item in evidence if cited.strip() in item.passage.text]:
                return tuple(holders), None
            if old := next((c.id for c in others if cited.strip() in c.text), None):
                return (), old
        if name is None:
            return (), None
        return (tuple(item.label for item in evidence), None) if evidence else ((), others[0].id if others else None)

    def _place(self, facts: _Pointer, labels: Sequence[str], cited: str | None) -> tuple[Span, Span | None, str] | None:
        """Where the cited words stand: in the passage, in the document, and under which label."""
        low, high = facts.get("start_char_index"), facts.get("end_char_index")
        texts = {label: self._texts[label] for label in labels}
        if len(labels) == 1 and _is_place(low) and _is_place(high):
            text = texts[labels[0]].text
            if low < high <= len(text) and (cited is None or text[low:high].strip() == cited.strip()):
                return Span(low, high), _in_document(texts[labels[0]], low, high), labels[0]
        if cited is None:
            return None
        quote = locate_quote(cited, texts, labels)
        if quote.status in (QuoteStatus.EXACT, QuoteStatus.NORMALISED) and quote.label and quote.source_span:
            return quote.source_span, quote.document_span, quote.label
        return None


def _facts(pointer: _Pointer) -> dict[str, Any]:
    """All that a citation says of its source, whatever it is wrapped in."""
    facts = dict(pointer)
    for wrapper in ("extras", "additional_location_info"):
        if isinstance(pointer.get(wrapper), Mapping):
            facts = {**pointer[wrapper], **facts}
    content = pointer.get("cited_content")
    if isinstance(content, Mapping):
        facts["cited_text"] = content.get("text")
    elif isinstance(content, str):
        facts["cited_text"] = content
    return facts


def _names_of(source: Source) -> Iterable[str]:
    names = [source.uri, source.doc_id, source.title]
    names += [name.rsplit("/", 1)[-1] for name in (source.uri, source.doc_id) if name and "/" in name]
    return [name for name in names if name]


def _called(facts: _Pointer) -> str:
    """What the provider calls a source that is none of the pack's, in words that can be no label."""
    for key in ("document_title", "title", "filename", "url", "source", "file_id"):
        if facts.get(key):
            return f"‹{' '.join(str(facts[key]).split())}›"
    index = facts.get("document_index", facts.get("search_result_index"))
    return f"‹document {index}›" if index is not None else "‹no source›"


def _in_document(source: SourceText, low: int, high: int) -> Span | None:
    """The place in the document, where one piece of the passage holds all of it."""
    for start, end, document in source.pieces:
        if start <= low and high <= end:
            return Span(document + low - start, document + high - start)
    return None
