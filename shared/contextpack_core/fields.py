"""Reads plain records: which metadata spelling feeds which field of a candidate and its source."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence, Set
from datetime import date
from decimal import Decimal
from enum import Enum
from functools import cached_property, lru_cache
from pathlib import PurePath
from typing import Any, NamedTuple
from uuid import UUID

from contextpack_core.blanks import says_nothing
from contextpack_core.dates import day_after, first_day_without, read_date
from contextpack_core.errors import CandidateError
from contextpack_core.settings import Settings, Texts
from contextpack_core.text import content_id


class FieldMap(Settings):
    """For each field the metadata keys to look at, in order: a key or a list of keys.

    A key with dots (``location.s3Location.uri``) also reaches into nested metadata. The field's own name comes next, then the
    common spellings of loaders, splitters and vector stores; of several the first whose value says something is taken.
    """

    doc_id: Texts = ()
    """The document that a chunk was cut from; else where it stands (``uri``), else its file name."""
    family: Texts = ()
    """What all editions of one document share."""
    edition: Texts = ()
    """The version of the document."""
    effective_from: Texts = ()
    """The first day on which the edition applies."""
    effective_until: Texts = ()
    """The first day on which it no longer applies."""
    effective_through: Texts = ()
    """The last day on which it applies, for metadata that count that day in; it goes before ``effective_until``."""
    superseded_by: Texts = ()
    """The edition that replaces this one, by document id or edition."""
    supersedes: Texts = ()
    """The edition that this one replaces."""
    status: Texts = ()
    """Draft, final, withdrawn …"""
    section: Texts = ()
    """The heading that the chunk stands under; a list of headings is joined."""
    title: Texts = ()
    """The title of the document."""
    page: Texts = ()
    """The page as printed, else its number."""
    uri: Texts = ()
    """Where the document can be opened: a URL or a path."""
    authority: Texts = ()
    """How much the source counts, 0 to 1."""
    access: Texts = ()
    """The labels of which a caller needs one; ``access.field`` goes before this."""
    language: Texts = ()
    """The language of the text."""
    start: Texts = ()
    """The offset in the document at which the text starts, in characters."""
    end: Texts = ()
    """The offset at which it ends, exclusive."""
    id: Texts = ()
    """The chunk's own id."""
    text: Texts = ()
    """The chunk's text."""
    score: Texts = ()
    """The retriever's score; higher is better."""

    @cached_property
    def _places(self) -> Callable[[_Keys], _Places]:
        """Where the fields of a record stand, by its keys; remembered for the last shapes: the records of a store are alike."""
        plan = _plan_of(self)
        return lru_cache(maxsize=_SHAPES)(lambda keys: _places_of(keys, plan))


_COMMON_ONLY = FieldMap()


def read_record(record: Mapping[str, Any], fields: FieldMap | None = None) -> tuple[dict[str, Any], dict[str, Any]]:
    """The arguments of ``Candidate`` and those of its ``Source`` (``span`` as a pair), from a plain record.

    A record is flat, or keeps its metadata or all of itself in a mapping inside (``metadata``, ``meta``, ``payload``,
    ``_source``, ``node`` …). Without any document id the document is the text itself, so that no two chunks share one by accident.

    Raises:
        CandidateError: the record is no mapping.
    """
    if not isinstance(record, Mapping):
        raise CandidateError(f"{type(record).__name__} — a Candidate or a mapping with at least a text")
    metadata, wrappers = _layers_of(record)
    layers = metadata + wrappers
    places = (fields or _COMMON_ONLY)._places((len(metadata), *[tuple(layer) for layer in layers]))
    own, source = _found_in(layers, places.own), _found_in(layers, places.source)
    text = own.setdefault("text", "")
    own.setdefault("id", "")
    own["metadata"] = _all_metadata(metadata, layers, places.beside)
    if "effective_through" in source:
        source["effective_until"] = source.pop("effective_through")
    span = _span(source.pop("start", None), source.pop("end", None), source.pop("bare_start", None), len(text))
    if span:
        source["span"] = span
    if places.headed and "section" not in source and (headings := _headings(layers[0])):
        source["section"] = headings
    if "doc_id" not in source:
        source["doc_id"] = content_id("text", text)
    return own, source


def metadata_value(metadata: Mapping[Any, Any], key: str) -> Any:
    """The value under a key, or under a path of keys with dots between them; None where there is none."""
    return metadata[key] if key in metadata else _at_path(metadata, key)


def _at_path(value: Any, path: str) -> Any:
    for part in path.split("."):
        if isinstance(value, Mapping):
            value = value.get(part)
        elif isinstance(value, list | tuple) and part.isdecimal() and int(part) < len(value):
            value = value[int(part)]
        else:
            return None
    return value


def read_labels(value: Any) -> tuple[str, ...] | None:
    """The access labels in a metadata value: one text or number, or a list or set of them; None where there are none.

    A text is one label whatever it holds: ``"legal,board"`` is not split, so it opens to nobody by accident.
    """
    if isinstance(value, list | tuple):
        labels = [label for item in value if (label := _label(item))]
    elif isinstance(value, Set):
        labels = sorted([label for item in value if (label := _label(item))])
    else:
        labels = [label] if (label := _label(value)) else []
    return tuple(dict.fromkeys(labels)) or None


# ---- the layers of a record

_METADATA = frozenset(("metadata", "meta", "cmetadata", "attributes"))
_WRAPPERS = frozenset(
    "payload properties entity _source node document kwargs _additional chunk documentMetadata structData derivedStructData".split()
)
_MOST_LAYERS = 8


def _layers_of(record: Mapping[str, Any]) -> tuple[list[Mapping[str, Any]], list[Mapping[str, Any]]]:
    """The metadata in a record, and the record with the mappings that it wraps; the innermost first. Metadata are closed."""
    wrappers = [record]
    metadata: list[Mapping[str, Any]] = []
    for layer in wrappers:
        for key in layer:
            if key in _METADATA:
                if (inner := _mapping(layer[key])) is not None:
                    metadata.append(inner)
            elif key in _WRAPPERS and isinstance(layer[key], Mapping) and len(wrappers) < _MOST_LAYERS:
                wrappers.append(layer[key])
    return metadata[::-1], wrappers[::-1]


def _mapping(value: Any) -> Mapping[str, Any] | None:
    """Metadata; some stores keep them as JSON text."""
    if isinstance(value, Mapping):
        return value
    if isinstance(value, str) and value.startswith("{"):
        try:
            read = json.loads(value)
        except (ValueError, RecursionError):
            return None
        return read if isinstance(read, dict) else None
    return None


def _all_metadata(
    metadata: Sequence[Mapping[str, Any]], layers: Sequence[Mapping[str, Any]], beside: Sequence[tuple[int, str]]
) -> Mapping[str, Any]:
    """The user's metadata, untouched; or a copy with whatever else the record says of the chunk, if there is more."""
    more = {key: layers[layer][key] for layer, key in beside}
    if more.get("type") == "Document":
        del more["type"]
    if not more and len(metadata) == 1:
        return metadata[0]
    for layer in reversed(metadata):
        more.update(layer)
    return more


_STRUCTURE = frozenset(
    [
        *_METADATA,
        *_WRAPPERS,
        "id",
        "_id",
        "id_",
        "text",
        "page_content",
        "content",
        "score",
        "_score",
        "rank",
        "tokens",
        "embedding",
    ]
) | {"vector", "values", "relationships", "previous_id", "next_id", "parent_id"}


# ---- finding the fields


class _Hit(NamedTuple):
    """A key feeds a field: how early it is asked for, whether the outermost layer goes first, and how its value is read."""

    field: str
    order: int
    outer_first: bool
    read: Callable[[Any], Any]


# For each key what it feeds; the common spellings stand there also without case and underscores.
_Plan = Mapping[str, tuple[_Hit, ...]]

# How many layers of a record are metadata, and the keys of each.
_Keys = tuple[Any, ...]

# The places to look at, in order: the field, the layer and the key, and how the value there is read.
_Looks = tuple[tuple[str, int, str, Callable[[Any], Any]], ...]


class _Places(NamedTuple):
    """Where the fields of a candidate and those of its source stand in records of one shape.

    ``beside`` are the layers and keys outside the metadata that say something else of the chunk, the outermost first; ``headed``
    says that the first layer has headings by level.
    """

    own: _Looks
    source: _Looks
    beside: tuple[tuple[int, str], ...]
    headed: bool


_A_LAYER = 1000
_OWN_FIRST = 100
_SHAPES = 256


def _places_of(keys: _Keys, plan: _Plan) -> _Places:
    """For each field where its value may stand in records with these keys, the place that is asked first in front."""
    closed, *layers = keys
    found: dict[str, list[tuple[int, tuple[int, str, Callable[[Any], Any]]]]] = {}
    for layer, names in enumerate(layers):
        depth = len(layers) - 1 - layer
        for key in names:
            if not isinstance(key, str) or (key == "version" and depth == 0 and len(layers) > 1):
                continue  # beside a payload, the version is that of the store's record
            for field, order, outer_first, read in plan.get(key) or plan.get(_loose(key), ()):
                found.setdefault(field, []).append((order + depth * _A_LAYER * outer_first, (layer, key, read)))
    looks = [(field, *look) for field, ordered in found.items() for _, look in sorted(ordered, key=lambda entry: entry[0])]
    return _Places(
        tuple([look for look in looks if look[0] in _OWN_FIELDS]),
        tuple([look for look in looks if look[0] not in _OWN_FIELDS]),
        tuple([(i, key) for i in range(len(layers) - 1, closed - 1, -1) for key in layers[i] if key not in _STRUCTURE]),
        not _HEADER_KEYS.isdisjoint(layers[0]),
    )


def _found_in(layers: Sequence[Mapping[str, Any]], looks: _Looks) -> dict[str, Any]:
    """For each field the first value that says something."""
    found: dict[str, Any] = {}
    for field, layer, key, read in looks:
        if field not in found and (value := layers[layer][key]) is not None and (said := read(value)) is not None:
            found[field] = said
    return found


@lru_cache(maxsize=4096)
def _loose(key: str) -> str:
    """The key without case and what stands between words; stores begin keys of their own with an underscore: those stay."""
    return key if key.startswith("_") else key.lower().replace("_", "").replace("-", "").replace(" ", "")


def _span(start: int | None, end: int | None, bare_start: int | None, length: int) -> tuple[int, int] | None:
    """The span, where its length is that of the text. ``start`` alone is often a time: it counts only beside an end."""
    if start is None and end is not None:
        start = bare_start
    if start is None or (end is not None and end - start != length):
        return None
    return start, start + length


def _headings(metadata: Mapping[str, Any]) -> str | None:
    """The headings that LangChain's header splitters keep under a key each."""
    levels = [read for key in sorted(_HEADER_KEYS) if key in metadata and (read := _text(metadata[key]))]
    return " > ".join(levels) or None


_HEADER_KEYS = frozenset([f"Header {level}" for level in range(1, 7)])


# ---- reading values: each gives None for what says nothing


def _plain(value: Any) -> Any:
    """The number of a numeric library as a plain one; anything else as it is."""
    item = getattr(value, "item", None)
    if item is None or isinstance(value, str | int | float | Mapping) or not callable(item):
        return value
    try:
        return item()
    except (TypeError, ValueError):
        return None


def _text(value: Any) -> str | None:
    if type(value) is str:
        return value.strip() or None
    value = _plain(value)
    if isinstance(value, Enum):
        value = value.value
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    if isinstance(value, float):
        value = int(value) if value.is_integer() else value if math.isfinite(value) else None
    if isinstance(value, bool) or not isinstance(value, _WRITTEN):
        return None
    return str(value).strip() or None


# What has one way to be written; anything else would show its address in memory, or braces.
_WRITTEN = (str, int, float, Decimal, date, UUID, PurePath)


def _said(value: Any) -> str | None:
    """A text, unless it stands for one that is missing: documents whose family is ``N/A`` are no family."""
    read = _text(value)
    return None if read is None or says_nothing(read) else read


def _first_text(value: Any) -> str | None:
    """Some loaders list what can only be one, such as the language."""
    if isinstance(value, list | tuple):
        return next((read for item in value if (read := _text(item))), None)
    return _text(value)


def _joined_text(value: Any) -> str | None:
    if isinstance(value, list | tuple):
        return " > ".join([read for item in value if (read := _text(item))]) or None
    return _text(value)


def _name(value: Any) -> str | None:
    """An id. LlamaIndex's vector stores write ``"None"`` for a node without a document."""
    read = _text(value)
    return None if read in ("None", "null", "nan", "NaN") else read


def _names(value: Any) -> str | tuple[str, ...] | None:
    if isinstance(value, list | tuple):
        return tuple([read for item in value if (read := _name(item))]) or None
    return _name(value)


def _page(value: Any) -> int | str | None:
    """A page is shown, not calculated with: ``12``, ``iv``, ``4-5``; a list is written out."""
    if isinstance(value, list | tuple):
        return ", ".join([str(read) for item in value if (read := _page(item)) is not None]) or None
    if isinstance(value, str):
        return value.strip() or None
    return _offset(value)


def _offset(value: Any) -> int | None:
    """A whole number from 0 on; some stores keep all numbers as floats, or as text."""
    if type(value) is not int:
        value = _plain(value)
        if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < _DIGITS:
            value = int(value)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool):
            return None
    return value if 0 <= value < _BEYOND else None


_DIGITS = 16
_BEYOND = 10**_DIGITS


def _number(value: Any) -> float | None:
    if type(value) is float:
        return value if math.isfinite(value) else None
    value = _plain(value)
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _share(value: Any) -> float | None:
    number = _number(value)
    return number if number is not None and 0 <= number <= 1 else None


def _label(value: Any) -> str | None:
    """One access label, exactly as written; what is no text or number is no label."""
    value = _plain(value)
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    return str(value) if str(value).strip() else None


def _body(value: Any) -> str | None:
    """The text itself, never stripped; some services wrap it in ``{"text": …}`` or in a list of such parts."""
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, Mapping):
        inner = value.get("text")
        return inner if isinstance(inner, str) else None
    if isinstance(value, list):
        parts = [part for item in value if isinstance(item, Mapping) and isinstance(part := item.get("text"), str)]
        return "\n\n".join(parts) or None
    return None


def _vector(value: Any) -> tuple[float, ...] | None:
    value = value.tolist() if callable(getattr(value, "tolist", None)) else value
    if not isinstance(value, list | tuple):
        return None
    try:
        return tuple(map(float, value)) or None
    except (TypeError, ValueError):
        return None


# ---- the spellings

# For each field: how its value is read, and the keys in the order in which they are asked for.
_SOURCE_FIELDS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "doc_id": (
        _name,
        "doc_id document_id ref_doc_id relationships.1.node_id source_document_id source_id source_uri source_url source file_path"
        " uri url path link"
        " x-amz-bedrock-kb-source-uri location.s3Location.uri location.webLocation.url source_metadata.x-amz-bedrock-kb-source-uri"
        " file_id file_name filename dl_meta.origin.filename",
    ),
    "family": (_said, "family doc_family document_family family_id"),
    "edition": (_said, "edition version doc_version document_version revision"),
    "effective_from": (read_date, "effective_from effective_date effective valid_from"),
    "effective_until": (first_day_without, "effective_until effective_to valid_until valid_to"),
    "effective_through": (day_after, "effective_through valid_through"),
    "superseded_by": (_names, "superseded_by replaced_by"),
    "supersedes": (_names, "supersedes replaces"),
    "status": (_said, "status"),
    "section": (_joined_text, "section section_title heading headings header_path dl_meta.headings chapter"),
    "title": (_first_text, "title document_title doc_title source_display_name"),
    # PyPDF counts pages from 0 and gives the printed page as the label: a reader looks for the label.
    "page": (
        _page,
        "page_label page page_number page_no x-amz-bedrock-kb-document-page-number loc.pageNumber pageSpan.pageStart"
        " dl_meta.doc_items.0.prov.0.page_no",
    ),
    "uri": (
        _first_text,
        "uri url source_url source_uri link source file_path path x-amz-bedrock-kb-source-uri location.s3Location.uri"
        " location.webLocation.url source_metadata.x-amz-bedrock-kb-source-uri",
    ),
    "authority": (_share, "authority"),
    "access": (read_labels, "access acl access_labels access_groups allowed_groups"),
    "language": (_first_text, "language lang languages"),
    "start": (_offset, "start_char_idx start_index split_idx_start start_char start_offset"),
    "bare_start": (_offset, "start"),
    "end": (_offset, "end_char_idx end_index end_char end_offset end"),
}
_OWN_FIELDS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "id": (_name, "id _id id_ node_id chunk_id uuid pk point_id element_id x-amz-bedrock-kb-chunk-id"),
    "text": (_body, "text page_content content chunk_text chunk document body"),
    # A reranker's score is the later one. Distances are no scores: they are not read, and not turned round.
    "score": (
        _number,
        "relevance_score rerank_score score _score @search.reranker_score @search.score similarity_score similarity certainty",
    ),
    "rank": (_offset, "rank"),
    "tokens": (_offset, "tokens token_count"),
    "embedding": (_vector, "embedding vector values"),
    "previous_id": (_name, "previous_id prev_id previous_chunk_id relationships.2.node_id"),
    "next_id": (_name, "next_id next_chunk_id relationships.3.node_id"),
    "parent_id": (_name, "parent_id relationships.4.node_id"),
}


COMMON_SPELLINGS: Mapping[str, tuple[str, ...]] = {
    name: tuple((_OWN_FIELDS.get(name) or _SOURCE_FIELDS[name])[1].split()) for name in FieldMap.model_fields
}
"""For each field of the map the keys that are looked at after the map's own, in this order."""


def _plan_of(fields: FieldMap) -> _Plan:
    plan: dict[str, list[_Hit]] = {}
    for table, outer_first in ((_OWN_FIELDS, True), (_SOURCE_FIELDS, False)):
        for field, (read, spellings) in table.items():
            for order, key in enumerate(spellings.split(), _OWN_FIRST):
                hit = _Hit(field, order, outer_first, read)
                for spelling in {key: 0, _loose(key): 0}:
                    plan.setdefault(spelling, []).append(hit)
                _add_path(plan, key, hit)
    for field, (read, _) in {**_OWN_FIELDS, **_SOURCE_FIELDS}.items():
        for order, key in enumerate(getattr(fields, field, ())):
            hit = _Hit(field, order, False, read)
            plan[key] = [*(plan.get(key) or plan.get(_loose(key)) or []), hit]
            _add_path(plan, key, hit)
    return {key: tuple(hits) for key, hits in plan.items()}


def _add_path(hits: dict[str, list[_Hit]], key: str, hit: _Hit) -> None:
    """A key with dots is also a path: its first part is the key under which the rest is looked up."""
    first, _, rest = key.partition(".")
    if first and rest:
        read = hit.read
        inside = hit._replace(read=lambda value: read(_at_path(value, rest)))
        hits.setdefault(first, []).append(inside)
