"""From LangChain documents to candidates, and from a pack back to documents."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from langchain_core.documents import Document

from contextpack_core import (
    Candidate,
    Evidence,
    FieldMap,
    Pack,
    RenderSettings,
    gather_pack,
    header_of,
    read_candidates,
    render_one,
    share_pack,
    text_carried,
)

KEY = "contextpack"
"""The metadata key under which a document carries its evidence."""

Content = Literal["rendered", "text"]


def candidates_of(documents: Iterable[Document | Mapping[str, Any]], fields: FieldMap) -> tuple[Candidate, ...]:
    """The candidates that the documents are, in their order; a document that went through a checkpoint may be a mapping.

    Of documents that a packer made the passages are packed again, without their envelopes.
    """
    records = []
    for document in documents:
        if isinstance(document, Document):
            record = {"id": document.id, "text": document.page_content, "metadata": document.metadata}
        elif isinstance(document, Mapping):
            record = {"id": document.get("id"), "text": document.get("page_content"), "metadata": document.get("metadata")}
        else:
            raise TypeError(f"documents: {type(document).__name__} — a list of Document is wanted")
        records.append(_unpacked(record))
    return read_candidates(records, fields)


def _unpacked(record: dict[str, Any]) -> dict[str, Any]:
    """The record of a document that a packer made with the text alone: an envelope is not packed into another one."""
    metadata = record["metadata"]
    text = text_carried(metadata.get(KEY)) if isinstance(metadata, Mapping) else None
    if text is None:
        return record
    return {**record, "text": text, "metadata": {key: value for key, value in metadata.items() if key not in (KEY, "label")}}


def documents_of(pack: Pack, settings: RenderSettings, content: Content, originals: Mapping[str, Document]) -> list[Document]:
    """One document an evidence, in prompt order; ``originals`` are the retrieved documents by candidate id.

    A document made of one candidate keeps that candidate's id and metadata; a joined one has the metadata of its first member.
    ``label`` is added, and under the key ``contextpack`` what a checker needs; with ``content="text"`` the header fields too, empty
    where unknown, so that a ``document_prompt`` can name them.
    """
    shares = share_pack(pack)
    return [document_of(item, share, settings, content, originals) for item, share in zip(pack.evidence, shares, strict=True)]


def document_of(
    item: Evidence, share: dict[str, Any], settings: RenderSettings, content: Content, originals: Mapping[str, Document]
) -> Document:
    """The document of one evidence, with its share of the pack."""
    members = item.passage.candidate_ids
    first = originals.get(members[0]) if members else None
    metadata = copy.deepcopy(first.metadata) if first is not None else {}
    metadata.pop("page_content", None)  # format_document would let it stand in for the text
    if content == "text":
        shown = header_of(item.passage, settings)
        metadata |= {name: shown.get(name, "") for name in settings.header}
    metadata |= {"label": item.label, KEY: share}
    return Document(
        id=first.id if first is not None and len(members) == 1 else item.passage.uid,
        page_content=item.passage.text if content == "text" else render_one(item, settings),
        metadata=metadata,
    )


def pack_of(documents: Sequence[Document | Mapping[str, Any]]) -> Pack:
    """The pack that documents from a packer carry, put together again.

    Documents that were dropped since are missing in it; without the first of them it has no account of what was left out, and a
    check still works. Documents that never went through a packer are left aside.
    """
    metadata = [_metadata_of(document) for document in documents]
    return gather_pack([held[KEY] for held in metadata if isinstance(held.get(KEY), Mapping)])


def sources_of(documents: Any) -> Pack | dict[str, str]:
    """What an answer over these documents may cite: their pack, or their texts as ``P1``, ``P2`` … where no packer made them."""
    if isinstance(documents, Pack):
        return documents
    if isinstance(documents, Mapping):
        return dict(documents)
    if isinstance(documents, str):
        raise TypeError(
            "context: str — the documents that the packer returned are wanted, not their text: keep them beside it (context_key=)"
        )
    held = list(documents)
    if any(KEY in _metadata_of(document) for document in held):
        return pack_of(held)
    return {f"P{number}": _text_of(document) for number, document in enumerate(held, 1)}


def _metadata_of(document: Document | Mapping[str, Any]) -> Mapping[str, Any]:
    return document.metadata if isinstance(document, Document) else document.get("metadata") or {}


def _text_of(document: Document | Mapping[str, Any]) -> str:
    return document.page_content if isinstance(document, Document) else str(document.get("page_content") or "")
