"""Which metadata spelling feeds which field of a candidate and its source."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from contextpack_core.settings import Settings


class FieldMap(Settings):
    """For each field the metadata keys to look at, in order; the field's own name and the common spellings come after them."""

    doc_id: tuple[str, ...] = ()
    family: tuple[str, ...] = ()
    edition: tuple[str, ...] = ()
    effective_from: tuple[str, ...] = ()
    effective_until: tuple[str, ...] = ()
    superseded_by: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    status: tuple[str, ...] = ()
    section: tuple[str, ...] = ()
    title: tuple[str, ...] = ()
    page: tuple[str, ...] = ()
    uri: tuple[str, ...] = ()
    authority: tuple[str, ...] = ()
    access: tuple[str, ...] = ()
    language: tuple[str, ...] = ()
    start: tuple[str, ...] = ()
    end: tuple[str, ...] = ()


_COMMON: dict[str, tuple[str, ...]] = {
    "doc_id": ("doc_id", "document_id", "ref_doc_id", "source", "file_path", "url", "file_name"),
    "start": ("start_char_idx", "start_index", "start"),
    "end": ("end_char_idx", "end"),
    "page": ("page", "page_label", "page_number"),
    "uri": ("uri", "url", "source", "file_path"),
    "effective_from": ("effective_from", "effective_date", "effective"),
}


def read_record(record: Mapping[str, Any], fields: FieldMap) -> tuple[dict[str, Any], dict[str, Any]]:
    """The arguments of ``Candidate`` and those of its ``Source`` (``span`` as a pair), from a plain record."""
    metadata = record.get("metadata") or {}
    text = record.get("text") or ""
    score = record.get("score")
    if score is not None:
        score = float(score)
        score = None if math.isnan(score) else score

    def find(name: str) -> Any:
        for key in (*getattr(fields, name, ()), *_COMMON.get(name, (name,))):
            for holder in (metadata, record):
                value = holder.get(key)
                if value is not None and value != "":
                    return value
        return None

    source: dict[str, Any] = {}
    for name in FieldMap.model_fields:
        if name in ("start", "end"):
            continue
        value = find(name)
        if value is None:
            continue
        if name.startswith("effective"):
            try:
                value = value if isinstance(value, date) else datetime.fromisoformat(str(value)).date()
            except ValueError:
                continue
        elif name == "access":
            value = (value,) if isinstance(value, str) else tuple(value)
        elif name not in ("page", "authority"):
            value = str(value)
        source[name] = value
    start, end = find("start"), find("end")
    if isinstance(start, int) and start >= 0:
        end = start + len(text) if end is None else end
        if end - start == len(text):
            source["span"] = (start, end)
    source.setdefault("doc_id", "")
    own = {
        "id": str(record.get("id") or ""),
        "text": text,
        "rank": record.get("rank"),
        "score": score,
        "tokens": record.get("tokens"),
        "metadata": metadata,
    }
    return own, source
