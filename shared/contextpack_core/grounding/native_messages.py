"""What a message of a provider holds: its texts, and the citations that belong to each, whichever form they have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from contextpack_core.errors import AnswerError
from contextpack_core.grounding.native_targets import is_place
from contextpack_core.patterns import pattern
from contextpack_core.values import Span

Pointer = Mapping[str, Any]
"""A citation as the provider wrote it."""


def blocks_of(message: Any) -> Iterator[tuple[str, Sequence[Pointer]]]:
    """The texts of a message in their order, each with the citations that belong to it.

    Citations beside the blocks belong to all of the text, which then is one.

    Raises:
        AnswerError: it is no message, no content blocks and no whole response.
    """
    message = _message_of(message)
    found = _cited_texts(_blocks_in(message))
    beside = [*_mappings(message.get("annotations")), *_of_gemini(message)] if _is_whole(message) else []
    if beside:
        inside = [pointer for _, pointers in found for pointer in pointers if not _repeats_gemini(pointer)]
        found = [("".join([text for text, _ in found]), [*inside, *beside])]
    return iter(found)


def span_of(pointer: Pointer, text: str, start: int) -> Span:
    """The stretch of the answer that a citation stands for: offsets count within its block; without them it is the whole block."""
    extras = pointer.get("extras") if isinstance(pointer.get("extras"), Mapping) else {}
    low, high = pointer.get("start_index"), pointer.get("end_index")
    if "start_byte" in pointer:
        low, high = _from_bytes(text, pointer["start_byte"]), _from_bytes(text, pointer["end_byte"])
        said = pointer.get("said")
        if isinstance(said, str) and said and text[low:high] != said and (at := text.find(said)) >= 0:
            low, high = at, at + len(said)  # offsets within a part of its own
    elif low is None and high is None and isinstance(extras, Mapping) and isinstance(extras.get("file_index"), int):
        high = extras["file_index"]
        low = max(text.rfind(sign, 0, max(high - 1, 0)) for sign in (".", "!", "?", "\n")) + 1
    if not is_place(low) or not is_place(high) or not low < high <= len(text):
        low, high = 0, len(text)
    while low < high and not text[low].isalnum() and text[low] not in _OPENING:
        low += 1
    return Span(start + low, start + high)


def mark_at(pointer: Pointer, text: str, span: Span) -> Span | None:
    """The mark that stands in a place of the text, with the brackets around it; None if words of the answer stand there.

    A mark is a number in brackets, a provider's marker, an address, or a link that is called by its address or the source's title:
    any other link can be a statement.
    """
    said = text[span.start : span.end]
    if not _MARKS.match(said):
        return None
    names = [str(pointer[key]).casefold() for key in ("title", "document_title") if pointer.get(key)]
    for link in _LINK.finditer(said):
        name = link[1].strip().casefold()
        if name and not name.isdigit() and name not in names and not (_HOST.match(name) and name in link[2].casefold()):
            return None
    start, end = span.start, span.end
    if (before := text[:start].rstrip(" ")).endswith(("(", "（")):
        start = len(before) - 1
    if joint := _JOINT.match(text, end):
        end = joint.end()
    return Span(start, end)


def facts_of(pointer: Pointer) -> dict[str, Any]:
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


# ---------------------------------------------------------------- the forms of a message

_WANTED = (
    "a message as a mapping with content, its content blocks, or a whole response as a mapping with candidates, choices or output"
)


def _message_of(response: Any) -> Any:
    """The message of a whole response, its first candidate; what is none comes back as it is."""
    response = _plain(response)
    if not isinstance(response, Mapping) or "content" in response or "parts" in response:
        return response
    for key in ("candidates", "choices", "output"):
        held = [_plain(item) for item in response[key]] if isinstance(response.get(key), Sequence) else []
        held = [item for item in held if isinstance(item, Mapping) and (key != "output" or item.get("type") == "message")]
        if held:
            return held[0].get("message", held[0])
    return response


def _is_whole(message: Any) -> bool:
    """Whether it is a message, and not one of its blocks."""
    return isinstance(message, Mapping) and message.get("type") in (None, "message")


def _blocks_in(message: Any) -> list[str | Mapping[str, Any]]:
    """The content blocks of a message, or the blocks themselves; what is none is left out."""
    blocks = message
    if _is_whole(message):
        blocks = message.get("content", message.get("parts"))
        if isinstance(blocks, Mapping):  # Gemini: a candidate with content.parts
            blocks = blocks.get("parts")
    elif isinstance(message, Mapping):
        blocks = [message]
    if isinstance(blocks, str):
        blocks = [{"type": "text", "text": blocks}]
    if isinstance(blocks, bytes) or not isinstance(blocks, Sequence):
        raise AnswerError(f"answer: {type(message).__name__} — {_WANTED}")
    read = [block for block in map(_plain, blocks) if isinstance(block, str | Mapping)]
    if blocks and not read:
        raise AnswerError(f"answer: a block is {type(blocks[0]).__name__} — a mapping with type and text")
    return read


def _cited_texts(blocks: Sequence[str | Mapping[str, Any]]) -> list[tuple[str, list[Pointer]]]:
    """The texts of the blocks, each with the citations in its block, or in blocks of their own behind it."""
    found: list[tuple[str, list[Pointer]]] = []
    for block in blocks:
        if isinstance(block, str):
            found.append((block, []))
        elif _kind(block) == "citation" and found:
            found[-1][1].append(block)
        elif found and not block.get("text") and _mappings(block.get("citations")):  # its text came before, as a piece of a stream
            found[-1][1].extend(_mappings(block["citations"]))
        elif _kind(block) in ("text", "output_text", "") and isinstance(block.get("text"), str) and not block.get("thought"):
            found.append((block["text"], [*_mappings(block.get("citations")), *_mappings(block.get("annotations"))]))
    return found


def _repeats_gemini(pointer: Pointer) -> bool:
    """Whether LangChain made it of Gemini's metadata: it lacks the source of what is no web page, and its offsets are bytes."""
    return "google_ai_metadata" in _mapping(pointer.get("extras"))


def _plain(value: Any) -> Any:
    """A provider's object as the mapping that it dumps."""
    return value.model_dump() if hasattr(value, "model_dump") and not isinstance(value, type) else value


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _kind(block: Mapping[str, Any]) -> str:
    return str(block.get("type") or block.get("block_type") or "")


def _mappings(value: Any) -> list[Pointer]:
    """The citations of a list, taken out of what wraps them."""
    if not isinstance(value, Sequence) or isinstance(value, str):
        return []
    found = []
    for item in map(_plain, value):
        if isinstance(item, Mapping):
            inner = item.get("url_citation") or item.get("file_citation")
            if item.get("type") == "non_standard_annotation":
                inner = item.get("value")
            found.append(inner if isinstance(inner, Mapping) else item)
    return [pointer for pointer in found if pointer.get("type") not in _MADE_BY_MODEL]


_MADE_BY_MODEL = ("container_file_citation", "file_path")
"""Annotations of OpenAI that point to files which the model made: no sources."""


def _of_gemini(message: Mapping[str, Any]) -> list[Pointer]:
    """One citation for each chunk that supports a segment; offsets of segments are bytes."""
    metadata = _mapping(message.get("groundingMetadata") or message.get("grounding_metadata"))
    chunks = metadata.get("groundingChunks") or metadata.get("grounding_chunks")
    chunks = chunks if isinstance(chunks, Sequence) else ()
    found: list[Pointer] = []
    for support in _mappings(metadata.get("groundingSupports") or metadata.get("grounding_supports")):
        segment = _mapping(support.get("segment"))
        indices = support.get("groundingChunkIndices", support.get("grounding_chunk_indices"))
        for index in indices if isinstance(indices, Sequence) else ():
            chunk = _mapping(chunks[index]) if is_place(index) and index < len(chunks) else {}
            held = _mapping(chunk.get("retrievedContext") or chunk.get("retrieved_context") or chunk.get("web"))
            found.append(
                {
                    "url": held.get("uri"),
                    "title": held.get("title"),
                    "cited_text": held.get("text"),
                    "start_byte": segment.get("startIndex", segment.get("start_index")) or 0,
                    "end_byte": segment.get("endIndex", segment.get("end_index")),
                    "said": segment.get("text"),
                }
            )
    return found


# ---------------------------------------------------------------- offsets

_OPENING = "\"'“„«([【\ue200€$£¥<-−+"

# ---------------------------------------------------------------- marks

_NAMED = r"\[([^\[\]\n]{0,200})\]\(\s?([^()\s]{1,2000})(?:\s\"[^\"\n]{0,200}\")?\s?\)"
_LINK = pattern(_NAMED)
_HOST = pattern(r"[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}\Z")
_MARK = (
    rf"(?:{_NAMED}|\[\^?\d{{1,4}}\]|【\d{{1,4}}(?:[:†][^【】\n]{{0,80}})?】|[⁰¹²³⁴-⁹]{{1,4}}"
    r"|\ue200[^\ue200-\ue202]{0,20}(?:\ue202[^\ue200-\ue202]{1,80}){1,20}\ue201|<?https?://[^\s<>()]{1,2000}>?)"
)
_MARKS = pattern(rf"[\s(（]{{0,4}}{_MARK}(?:[\s,;]{{0,4}}{_MARK}){{0,20}}[\s)）]{{0,4}}\Z")
_JOINT = pattern(r" ?[)）]|[,;] ?(?=[\[【(])")


def _from_bytes(text: str, offset: Any) -> int | None:
    return len(text.encode("utf-8", "surrogatepass")[:offset].decode("utf-8", "ignore")) if is_place(offset) else None
