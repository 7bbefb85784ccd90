"""From LangChain documents to candidates, and from a pack back to documents."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from langchain_core.documents import Document
from langchain_core.runnables import RunnableConfig

from contextpack_core import (
    ArgumentError,
    Candidate,
    Carried,
    Evidence,
    FieldMap,
    Pack,
    RenderSettings,
    gather_pack,
    header_of,
    read_candidates,
    render_one,
    request_carried,
    share_pack,
    text_carried,
)

KEY = "contextpack"
"""The metadata key under which a document carries its evidence."""

Content = Literal["rendered", "text"]


def candidates_of(documents: Iterable[Document | Mapping[str, Any]], fields: FieldMap) -> tuple[Candidate, ...]:
    """The candidates that the documents are, in their order; a document that went through a checkpoint may be a mapping.

    Of documents that a packer made the passages are packed again, without their envelopes.

    Raises:
        ArgumentError: something among them is neither a Document nor a mapping.
    """
    records = []
    for document in documents:
        if isinstance(document, Document):
            record = {"id": document.id, "text": document.page_content, "metadata": document.metadata}
        elif isinstance(document, Mapping):
            record = {"id": document.get("id"), "text": document.get("page_content"), "metadata": document.get("metadata")}
        else:
            raise ArgumentError(f"documents: {type(document).__name__} — a list of Document is wanted")
        records.append(_unpacked(record))
    return read_candidates(records, fields)


def _unpacked(record: dict[str, Any]) -> dict[str, Any]:
    """The record of a document that a packer made with the text alone: an envelope is not packed into another one."""
    metadata = record["metadata"]
    text = text_carried(metadata.get(KEY)) if isinstance(metadata, Mapping) else None
    if text is None:
        return record
    return {**record, "text": text, "metadata": {key: value for key, value in metadata.items() if key not in (KEY, "label")}}


def documents_of(
    pack: Pack, settings: RenderSettings, content: Content, originals: Mapping[str, Document | Mapping[str, Any]]
) -> list[Document]:
    """One document an evidence, in prompt order; ``originals`` are the retrieved documents by candidate id.

    A document made of one candidate keeps that candidate's id and metadata; a joined one has the metadata of its first member.
    ``label`` is added, and under the key ``contextpack`` what a checker needs; with ``content="text"`` the header fields too, empty
    where unknown, so that a ``document_prompt`` can name them.
    """
    shares = share_pack(pack)
    return [document_of(item, share, settings, content, originals) for item, share in zip(pack.evidence, shares, strict=True)]


def document_of(
    item: Evidence,
    share: dict[str, Any],
    settings: RenderSettings,
    content: Content,
    originals: Mapping[str, Document | Mapping[str, Any]],
) -> Document:
    """The document of one evidence, with its share of the pack."""
    members = item.passage.candidate_ids
    first = originals.get(members[0]) if members else None
    metadata = dict(copy.deepcopy(_metadata_of(first))) if first is not None else {}
    metadata.pop("page_content", None)  # format_document would let it stand in for the text
    if content == "text":
        shown = header_of(item.passage, settings)
        metadata |= {name: shown.get(name, "") for name in settings.header}
    metadata |= {"label": item.label, KEY: share}
    return Document(
        id=_id_of(first) if first is not None and len(members) == 1 else item.passage.uid,
        page_content=item.passage.text if content == "text" else render_one(item, settings),
        metadata=metadata,
    )


def pack_of(documents: Sequence[Document | Mapping[str, Any]]) -> Pack:
    """The pack that documents from a packer carry, put together again.

    Documents that were dropped since are missing in it; without the first of them it has no account of what was left out, and a
    check still works. Documents that never went through a packer are left aside.

    Raises:
        ArgumentError: what was given is no list of documents.
        PackError: two of them give one label to different passages.
    """
    if isinstance(documents, str | Mapping) or not isinstance(documents, Sequence):
        raise ArgumentError(f"documents: {type(documents).__name__} — the list of documents that a packer returned is wanted")
    return gather_pack(_shares_of(documents))


def is_packed(documents: Iterable[Document | Mapping[str, Any]]) -> bool:
    """Whether a packer made one of them."""
    return bool(_shares_of(documents))


def carried_by(documents: Iterable[Document | Mapping[str, Any]]) -> Carried:
    """The day and the intent of the pack that the documents come from, as far as they tell."""
    return request_carried(_shares_of(documents))


def request_in(config: RunnableConfig) -> Any:
    """What the config of a call says of who asks, as of when and with what intent: ``config["configurable"]["contextpack"]``."""
    return (config.get("configurable") or {}).get(KEY)


def _shares_of(documents: Iterable[Document | Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    shares = [_metadata_of(document).get(KEY) for document in documents]
    return [share for share in shares if isinstance(share, Mapping)]


def sources_of(documents: Any) -> Pack | dict[str, str]:
    """What an answer over these documents may cite: their pack, or their texts as ``P1``, ``P2`` … where no packer made them.

    Raises:
        ArgumentError: they are no documents, no pack and no texts by label.
        PackError: two of them give one label to different passages.
    """
    if isinstance(documents, Pack):
        return documents
    if isinstance(documents, Mapping):
        return dict(documents)
    if isinstance(documents, str):
        raise ArgumentError(
            "context: str — the documents that the packer returned are wanted, not their text: keep them beside it (context_key=)"
        )
    if documents is None or not isinstance(documents, Iterable):
        raise ArgumentError(f"sources: {type(documents).__name__} — packed documents, a pack, or texts by label")
    held = list(documents)
    if any(KEY in _metadata_of(document) for document in held):
        return pack_of(held)
    return {f"P{number}": text_of(document) for number, document in enumerate(held, 1)}


def _metadata_of(document: Document | Mapping[str, Any]) -> Mapping[str, Any]:
    if isinstance(document, Document):
        return document.metadata
    if not isinstance(document, Mapping):
        raise ArgumentError(f"documents: {type(document).__name__} among them — a list of Document is wanted")
    metadata = document.get("metadata")
    return metadata if isinstance(metadata, Mapping) else {}


def _id_of(document: Document | Mapping[str, Any]) -> str | None:
    return document.id if isinstance(document, Document) else document.get("id")


def text_of(document: Document | Mapping[str, Any]) -> str:
    """The page content of a document, which may be a mapping after a checkpoint."""
    return document.page_content if isinstance(document, Document) else str(document.get("page_content") or "")
