"""Plain records of every origin become candidates."""

from __future__ import annotations

import copy
import uuid
from datetime import date, datetime
from enum import Enum
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextpack_core.errors import CandidateError
from contextpack_core.fields import FieldMap, metadata_value, read_labels
from contextpack_core.values import Candidate, Source, Span


class Number:
    """A number of a numeric library."""

    def __init__(self, value):
        self.value = value

    def item(self):
        return self.value


def read(record, **fields):
    return Candidate.from_mapping(record, FieldMap.model_validate(fields))


def source_of(metadata, text="Some text.", **fields):
    return read({"text": text, "metadata": metadata}, **fields).source


# One line an origin: the record as it comes, the candidate's fields, the source's fields.
ORIGINS = {
    "ours": (
        {"id": "a", "text": "Body", "score": 0.0, "rank": 2, "tokens": 9, "metadata": {"doc_id": "d", "page": 0}},
        {"id": "a", "score": 0.0, "rank": 2, "tokens": 9},
        {"doc_id": "d", "page": 0},
    ),
    "flat": (
        {"id": 7, "text": "Body", "doc_id": "d", "title": "T", "product": "home"},
        {"id": "7", "metadata": {"doc_id": "d", "title": "T", "product": "home"}},
        {"doc_id": "d", "title": "T"},
    ),
    "langchain, PyPDF": (
        {
            "id": None,
            "page_content": "Body",
            "metadata": {"source": "a.pdf", "page": 0, "page_label": "i", "total_pages": 2, "start_index": 4},
            "type": "Document",
        },
        {"id": ""},
        {"doc_id": "a.pdf", "uri": "a.pdf", "page": "i", "span": Span(4, 8)},
    ),
    "langchain, headers": (
        {"page_content": "Body", "metadata": {"Header 1": "Claims", "Header 2": "Water", "source": "a.md"}},
        {},
        {"doc_id": "a.md", "uri": "a.md", "section": "Claims > Water"},
    ),
    "langchain, dumps": (
        {
            "lc": 1,
            "type": "constructor",
            "id": ["langchain", "schema", "document", "Document"],
            "kwargs": {"id": "a", "page_content": "Body", "metadata": {"source": "s"}},
        },
        {"id": "a"},
        {"doc_id": "s", "uri": "s"},
    ),
    "llamaindex": (
        {
            "node": {
                "id_": "n1",
                "text": "Body",
                "start_char_idx": 10,
                "end_char_idx": 14,
                "metadata": {"file_path": "/d/a.md", "file_name": "a.md", "last_modified_date": "2026-01-01"},
                "relationships": {
                    "1": {"node_id": "doc-1", "metadata": {}},
                    "2": {"node_id": "n0", "metadata": {}},
                    "3": {"node_id": "n2", "metadata": {}},
                    "4": {"node_id": "p1", "metadata": {}},
                },
                "class_name": "TextNode",
            },
            "score": 0.5,
            "class_name": "NodeWithScore",
        },
        {"id": "n1", "score": 0.5, "previous_id": "n0", "next_id": "n2", "parent_id": "p1"},
        {"doc_id": "doc-1", "uri": "/d/a.md", "span": Span(10, 14)},
    ),
    "llamaindex in a vector store": (
        {"id": "a", "text": "Body", "metadata": {"doc_id": "None", "document_id": "None", "ref_doc_id": "r"}},
        {"id": "a"},
        {"doc_id": "r"},
    ),
    "pinecone": (
        {"id": "v1", "score": 0.7, "values": [0.5, 1], "metadata": {"text": "Body", "source": "s", "page": 3.0, "version": 2026.0}},
        {"id": "v1", "score": 0.7, "embedding": (0.5, 1.0)},
        {"doc_id": "s", "uri": "s", "page": 3, "edition": "2026"},
    ),
    "qdrant": (
        {"id": 3, "version": 12, "score": 0.4, "payload": {"page_content": "Body", "metadata": {"source": "s", "_id": "x"}}},
        {"id": "3", "score": 0.4},
        {"doc_id": "s", "uri": "s"},
    ),
    "qdrant under langchain": (
        {"page_content": "Body", "metadata": {"source": "s", "_id": "x", "_collection_name": "c"}},
        {"id": "x"},
        {"doc_id": "s", "uri": "s"},
    ),
    "weaviate": (
        {"uuid": uuid.UUID(int=5), "properties": {"text": "Body", "source": "s"}, "metadata": {"distance": 0.2, "certainty": 0.9}},
        {"id": "00000000-0000-0000-0000-000000000005", "score": 0.9},
        {"doc_id": "s", "uri": "s"},
    ),
    "milvus": (
        {"id": 9, "distance": 0.2, "entity": {"text": "Body", "pk": 9, "source": "s"}},
        {"id": "9", "score": None},
        {"doc_id": "s", "uri": "s"},
    ),
    "pgvector": (
        {"id": "a", "document": "Body", "cmetadata": {"source": "s"}, "embedding": "[1,2]"},
        {"id": "a", "embedding": None},
        {"doc_id": "s", "uri": "s"},
    ),
    "chroma": (
        {"id": "a", "document": "Body", "metadata": {"source": "s"}, "distance": 0.1},
        {"id": "a", "score": None},
        {"doc_id": "s", "uri": "s"},
    ),
    "elasticsearch": (
        {"_index": "i", "_id": "e1", "_score": 7.5, "_source": {"text": "Body", "metadata": {"source": "s", "id": "doc"}}},
        {"id": "e1", "score": 7.5},
        {"doc_id": "s", "uri": "s"},
    ),
    "azure": (
        {
            "@search.score": 0.03,
            "@search.reranker_score": 2.5,
            "chunk_id": "c1",
            "chunk": "Body",
            "title": "T",
            "metadata": '{"source": "s", "page": 2}',
        },
        {"id": "c1", "score": 2.5},
        {"doc_id": "s", "uri": "s", "title": "T", "page": 2},
    ),
    "bedrock": (
        {
            "content": {"text": "Body", "type": "TEXT"},
            "location": {"type": "S3", "s3Location": {"uri": "s3://b/a.pdf"}},
            "score": 0.6,
            "metadata": {"x-amz-bedrock-kb-chunk-id": "k", "x-amz-bedrock-kb-document-page-number": 4.0},
        },
        {"id": "k", "score": 0.6},
        {"doc_id": "s3://b/a.pdf", "uri": "s3://b/a.pdf", "page": 4},
    ),
    "vertex": (
        {
            "chunk": {
                "id": "c",
                "content": "Body",
                "documentMetadata": {"uri": "gs://b/a", "title": "T"},
                "pageSpan": {"pageStart": 2},
            }
        },
        {"id": "c"},
        {"doc_id": "gs://b/a", "uri": "gs://b/a", "title": "T", "page": 2},
    ),
    "unstructured": (
        {
            "type": "NarrativeText",
            "element_id": "e",
            "text": "Body",
            "metadata": {"filename": "a.pdf", "page_number": 2, "languages": ["eng"], "last_modified": "2026-01-01T00:00:00"},
        },
        {"id": "e"},
        {"doc_id": "a.pdf", "page": 2, "language": "eng"},
    ),
    "haystack": (
        {"id": "h", "content": "Body", "score": 0.2, "meta": {"source_id": "d", "split_idx_start": 6, "page_number": 1}},
        {"id": "h", "score": 0.2},
        {"doc_id": "d", "span": Span(6, 10), "page": 1},
    ),
    "docling": (
        {
            "page_content": "Body",
            "metadata": {
                "source": "s",
                "dl_meta": {"headings": ["A", "B"], "doc_items": [{"prov": [{"page_no": 3}]}], "origin": {"filename": "f"}},
            },
        },
        {},
        {"doc_id": "s", "uri": "s", "section": "A > B", "page": 3},
    ),
    "openai": (
        {
            "file_id": "f1",
            "filename": "a.md",
            "score": 0.5,
            "attributes": {"lang": "en"},
            "content": [{"type": "text", "text": "Body"}],
        },
        {"score": 0.5},
        {"doc_id": "f1", "language": "en"},
    ),
    "a reranker": (
        {"index": 0, "relevance_score": 0.9, "document": {"text": "Body", "id": "a", "source": "s"}},
        {"id": "a", "score": 0.9},
        {"doc_id": "s", "uri": "s"},
    ),
}


@pytest.mark.parametrize("origin", ORIGINS)
def test_a_record_is_read_whichever_store_it_comes_from(origin):
    """Id, text, score and place are found under the spellings of loaders, splitters, vector stores and rerankers."""
    record, own, source = ORIGINS[origin]
    before = copy.deepcopy(record)

    candidate = read(record)

    assert candidate.text == "Body"
    assert {name: getattr(candidate, name) for name in own} == own
    assert candidate.source == Source(**source)
    assert record == before


def test_the_own_map_goes_first_then_the_own_name_then_the_common_spellings():
    """Of several keys that say something the earliest asked for wins, wherever it stands in the record."""
    metadata = {"url": "common", "uri": "own name", "og:url": "mapped"}

    assert source_of(metadata, uri=["missing", "og:url"]).uri == "mapped"
    assert source_of(metadata).uri == "own name"
    assert source_of({"url": "common"}).uri == "common"
    assert source_of({"og:url": "mapped", "a": " "}, uri=["a", "og:url"]).uri == "mapped"


def test_a_mapped_key_may_be_a_single_text_and_a_path():
    """``fields`` takes a key or a list of keys, and dots reach into nested metadata and lists."""
    metadata = {"loc": {"where": ["x", {"page": 4}]}, "a.b": "dotted", "a": {"b": "nested"}}

    assert source_of(metadata, page="loc.where.1.page", title="a.b", uri="loc.gone.deep").page == 4
    assert source_of(metadata, title="a.b").title == "dotted"
    assert source_of({"a": {"b": "nested"}}, title="a.b").title == "nested"


def test_text_id_and_score_can_be_mapped():
    """A store with words of its own needs the map alone."""
    candidate = read({"nr": 4, "inhalt": "Body", "wert": "0.5"}, id="nr", text="inhalt", score="wert")

    assert (candidate.id, candidate.text, candidate.score) == ("4", "Body", 0.5)


@pytest.mark.parametrize("name", ["Source", "SOURCE", "sourceUri", "source-uri", "filePath", "Source URL"])
def test_case_and_underscores_of_common_spellings_do_not_matter(name):
    """``filePath``, ``file_path`` and ``File Path`` are one spelling."""
    assert source_of({name: "s"}).uri == "s"


@pytest.mark.parametrize("nothing", [None, "", "  ", "\t\n", float("nan"), Number(float("nan")), [], {}, object(), True, b""])
def test_what_says_nothing_is_missing(nothing):
    """An empty, blank, not-a-number or unreadable value leaves its field out, and only that."""
    names = ("title", "section", "page", "uri", "family", "edition", "effective_from", "language", "authority", "access")
    source = source_of(dict.fromkeys(names, nothing) | {"doc_id": "d"})

    assert source == Source("d")


@pytest.mark.parametrize(
    ("offset", "span"),
    [(5, Span(5, 15)), (0, Span(0, 10)), (5.0, Span(5, 15)), ("5", Span(5, 15)), (Number(5), Span(5, 15))]
    + [(wrong, None) for wrong in (-1, "-1", 5.5, True, None, float("nan"), float("inf"), "five", [5], 10**30)],
)
def test_an_offset_is_a_whole_number_from_zero_on(offset, span):
    """Numbers of any library and digits count; -1, fractions, truth values and the rest are no offset."""
    assert source_of({"start_index": offset, "doc_id": "d"}).span == span
    assert source_of({"start_char_idx": offset, "end_char_idx": 15 if span == Span(5, 15) else 10, "doc_id": "d"}).span == span


def test_a_span_must_be_as_long_as_the_text():
    """Offsets that a later edit of the text made wrong are no span."""
    assert source_of({"start_char_idx": 2, "end_char_idx": 30, "doc_id": "d"}).span is None
    assert source_of({"start_char_idx": 9, "end_char_idx": 2, "doc_id": "d"}).span is None


def test_a_start_without_an_end_is_often_a_time():
    """``start`` counts only beside an ``end`` that fits the text."""
    assert source_of({"start": 30, "doc_id": "d"}).span is None
    assert source_of({"start": 30, "end": 40, "doc_id": "d"}).span == Span(30, 40)
    assert source_of({"start": 30, "doc_id": "d"}, start="start").span == Span(30, 40)


@pytest.mark.parametrize(
    ("page", "read_as"),
    [
        (12, 12),
        ("12", "12"),
        ("iv", "iv"),
        ("4-5", "4-5"),
        ([3, 4], "3, 4"),
        ([3, None, "v"], "3, v"),
        (0, 0),
        (3.0, 3),
        (Number(3), 3),
        (-1, None),
        ({"a": 1}, None),
        ([], None),
        (float("nan"), None),
    ],
)
def test_a_page_is_shown_not_calculated_with(page, read_as):
    """Numbers, numerals, ranges and lists are kept in the form in which a reader looks them up."""
    assert source_of({"doc_id": "d", "page": page}).page == read_as


def test_the_printed_page_goes_before_the_counted_one():
    """PyPDF counts from 0 and gives the label beside it; a reader opens the page by its label."""
    assert source_of({"page": 3, "page_label": "4"}).page == "4"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("1.10", "1.10"),
        (1.5, "1.5"),
        (2.0, "2"),
        (2026, "2026"),
        (date(2026, 3, 1), "2026-03-01"),
        (" a ", "a"),
        (b"v1", "v1"),
        (Number(3), "3"),
        (uuid.UUID(int=1), str(uuid.UUID(int=1))),
        (PurePosixPath("a/b"), "a/b"),
        (Enum("E", "x").x, "1"),
    ],
)
def test_what_has_one_way_to_be_written_is_read_as_text(value, text):
    """Numbers, dates, paths and ids of other types serve as text; floats that stores make of whole numbers lose their zero."""
    assert source_of({"doc_id": "d", "edition": value}).edition == text


@pytest.mark.parametrize("day", ["2026-03-01", date(2026, 3, 1), datetime(2026, 3, 1, 12), "2026-03-01T00:00:00Z", "01.03.2026"])
def test_a_date_is_read_in_every_form(day):
    """The day is the same however it is written."""
    assert source_of({"effective_date": day, "doc_id": "d"}).effective_from == date(2026, 3, 1)


@pytest.mark.parametrize(
    ("last", "until"),
    [
        ("2025-12-31", date(2026, 1, 1)),
        (date(2025, 12, 31), date(2026, 1, 1)),
        ("2025-12-31T23:59:59Z", date(2026, 1, 1)),
        ("2024-02", date(2024, 3, 1)),
        ("2025-12", date(2026, 1, 1)),
        ("June 2026", date(2026, 7, 1)),
        ("2026年6月", date(2026, 7, 1)),
        ("2026-Q2", date(2026, 7, 1)),
        ("2025", date(2026, 1, 1)),
        (2025.0, date(2026, 1, 1)),
        (2025, date(2026, 1, 1)),
        ("9999-12-31", None),
        ("9999", None),
        ("soon", None),
    ],
)
def test_a_last_day_that_counts_is_followed_by_the_end(last, until):
    """What is in force to the end of a day, month, quarter or year ends with the day after; the last day of all is an open end."""
    assert source_of({"doc_id": "d", "validThrough": last}).effective_until == until


@pytest.mark.parametrize("end", ["2026-06-01T23:59:59Z", "2026-06-01 23:59", datetime(2026, 6, 1, 23, 59, 59), 1780358399])
def test_an_end_at_the_end_of_a_day(end):
    """An end at the last minute of a day leaves that day in."""
    assert source_of({"doc_id": "d", "effective_until": end}).effective_until == date(2026, 6, 2)


@pytest.mark.parametrize("nothing", ["N/A", "none", "-", "?", "unknown"])
def test_a_placeholder_is_no_value(nothing):
    """What stores write where there is nothing is no family, edition or status; the next spelling is asked."""
    metadata = {"doc_id": "d", "family": nothing, "edition": nothing, "status": nothing, "version": "2"}

    assert source_of(metadata) == Source("d", edition="2")


def test_a_last_day_goes_before_the_end():
    """A key that the map names as the last day is read so, though it is a common spelling of the end."""
    metadata = {"doc_id": "d", "valid_to": "2025-12-31", "effective_until": "2024-01-01"}

    assert source_of(metadata, effective_through=["valid_to"]).effective_until == date(2026, 1, 1)
    assert source_of(metadata).effective_until == date(2024, 1, 1)


def test_an_unreadable_date_costs_only_itself():
    """The next spelling that can be read is taken; else the field is missing."""
    assert source_of({"effective_from": "soon", "valid_from": "2026-01-01"}).effective_from == date(2026, 1, 1)
    assert source_of({"doc_id": "d", "effective_from": "2026-02-30", "title": "T"}) == Source("d", title="T")


def test_when_a_file_was_touched_is_not_when_an_edition_applies():
    """``last_modified`` and ``creation_date`` count only when the map says so."""
    metadata = {"doc_id": "d", "last_modified": "2026-01-01", "creation_date": "2025-01-01", "date": "2024-01-01"}

    assert source_of(metadata).effective_from is None
    assert source_of(metadata, effective_from=["last_modified"]).effective_from == date(2026, 1, 1)


def test_chunks_without_any_document_id_share_none():
    """Two texts about which nothing is known are two documents; the same text is the same one each time."""
    first, second = source_of({}, "Alpha."), source_of({}, "Beta.")

    assert first.doc_id != second.doc_id
    assert first == source_of({}, "Alpha.")
    assert source_of({"title": "FAQ"}, "Alpha.").doc_id != source_of({"title": "FAQ"}, "Beta.").doc_id


@pytest.mark.parametrize("metadata", [None, "not JSON", "[1]", 5, ["a"], "{broken", "[" * 100_000])
def test_metadata_that_are_no_mapping_are_none(metadata):
    """The text and its id still count."""
    candidate = read({"id": "a", "text": "plain text", "metadata": metadata})

    assert (candidate.id, candidate.text, dict(candidate.metadata)) == ("a", "plain text", {})


def test_keys_that_are_no_text_do_no_harm():
    """Metadata may have numbers, tuples and None as keys."""
    metadata = {5: "x", None: "y", ("a", 1): "z", "doc_id": "d"}

    candidate = read({"text": "t", "metadata": metadata})

    assert candidate.source == Source("d")
    assert candidate.metadata is metadata


def test_the_metadata_stay_as_they_are():
    """The candidate holds the caller's own mapping; keys beside it are put with a copy of it, and none is lost."""
    metadata = {"source": "s", "tags": ["x"]}

    assert read({"id": "a", "text": "t", "score": 1, "metadata": metadata}).metadata is metadata
    assert read({"page_content": "t", "type": "Document", "metadata": metadata}).metadata is metadata
    assert read({"text": "t", "tenant": "t1", "metadata": metadata}).metadata == {"tenant": "t1", "source": "s", "tags": ["x"]}
    assert read({"text": "t", "metadata": {"text": "the user's own", "tenant": "inner"}, "tenant": "outer"}).metadata == {
        "text": "the user's own",
        "tenant": "inner",
    }


@pytest.mark.parametrize("text", [None, 42, True, ["a"], {"x": "y"}, float("nan")])
def test_a_record_without_a_text_has_an_empty_one(text):
    """What is no text is not made one."""
    assert read({"id": "a", "text": text}).text == ""


def test_an_empty_text_is_not_replaced_by_metadata():
    """A text that is there and empty stays empty; one that is missing is looked for further in."""
    assert read({"text": "", "metadata": {"content": "a summary"}}).text == ""
    assert read({"metadata": {"content": "a body"}}).text == "a body"


def test_a_text_is_never_stripped():
    """Offsets count from its first character."""
    assert read({"text": "  a\n"}).text == "  a\n"
    assert read({"text": b"caf\xc3\xa9 \xff"}).text == "café \ufffd"


@pytest.mark.parametrize(
    ("score", "read_as"),
    [(0.0, 0.0), (0, 0.0), (-3.5, -3.5), ("0.8", 0.8), (Number(0.5), 0.5)]
    + [(wrong, None) for wrong in (None, "", "HIGH", float("nan"), "nan", float("inf"), True, [1], 10**400)],
)
def test_a_score_is_a_finite_number(score, read_as):
    """0 is a score; what is not finite or not a number is none."""
    assert read({"text": "t", "score": score}).score == read_as


def test_the_rerankers_score_is_the_later_one():
    """In metadata a reranker's score goes before the retriever's; the score that stands on the record itself goes before both."""
    assert read({"text": "t", "metadata": {"score": 0.2, "relevance_score": 0.9}}).score == 0.9
    assert read({"text": "t", "score": 0.4, "metadata": {"relevance_score": 0.9}}).score == 0.4


def test_a_distance_is_no_score():
    """It is neither read nor turned round."""
    assert read({"text": "t", "distance": 0.1, "metadata": {"_distance": 0.1}}).score is None


@pytest.mark.parametrize(
    ("value", "labels"),
    [("staff", ("staff",)), (["b", "a", "b"], ("b", "a")), ({"b", "a"}, ("a", "b")), (7, ("7",)), ("legal,board", ("legal,board",))]
    + [(("a", None, "", " ", 3), ("a", "3")), (frozenset({"x"}), ("x",))]
    + [(none, None) for none in (None, "", " ", [], [None], True, {"read": ["a"]}, 1.5, object())],
)
def test_labels_are_read_without_guessing(value, labels):
    """A text is one label, a list or set several; what is no label opens nothing."""
    assert read_labels(value) == labels


def test_what_is_no_mapping_is_an_error():
    """The message says what would be right."""
    with pytest.raises(CandidateError, match="int — a Candidate or a mapping"):
        Candidate.from_mapping(5)


def test_a_map_reads_alike_after_a_copy_with_changes():
    """What was worked out for one map does not survive into a changed copy."""
    old = FieldMap(uri=("a",))
    assert Candidate.from_mapping({"text": "t", "a": "1", "b": "2"}, old).source.uri == "1"

    new = old.model_copy(update={"uri": ("b",)})

    assert Candidate.from_mapping({"text": "t", "a": "1", "b": "2"}, new).source.uri == "2"
    assert (old, new) == (FieldMap(uri="a"), FieldMap(uri=["b"]))


def test_records_with_the_same_keys_are_each_read_for_themselves():
    """Which spelling feeds a field is decided by the values of the record at hand, not by those of one before it."""
    records = [
        {"text": "a", "source": "s1", "file_path": "f1", "metadata": {"version": "1"}, "version": 7},
        {"text": "b", "source": "", "file_path": "f2", "metadata": {"version": None}, "version": 7},
        {"text": "c", "source": "s3", "file_path": None, "metadata": {"version": "3"}, "version": 7},
    ]

    sources = [Candidate.from_mapping(record).source for record in records]

    assert sources == [Source("s1", uri="s1", edition="1"), Source("f2", uri="f2"), Source("s3", uri="s3", edition="3")]


def test_a_key_of_a_kind_of_text_is_read_as_that_text():
    """Libraries of numbers make keys of their own kind, which equal plain ones: one record's keys say nothing of another's kind."""

    class Key(str):
        __slots__ = ()

    candidates = [Candidate.from_mapping({"text": "t", kind("family"): "f"}) for kind in (Key, str)]

    assert [candidate.source.family for candidate in candidates] == ["f", "f"]


def test_metadata_value_prefers_the_key_itself():
    """A key with dots is looked up as it is before it is taken for a path."""
    assert metadata_value({"a.b": 1, "a": {"b": 2}}, "a.b") == 1
    assert metadata_value({"a": {"b": 2}}, "a.b") == 2
    assert metadata_value({"a": [5]}, "a.0") == 5
    assert metadata_value({"a": "x"}, "a.b") is None


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.binary(max_size=4) | st.dates(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4) | st.integers(), inner, max_size=3),
    max_leaves=6,
)
KEYS = st.sampled_from(
    [
        "doc_id",
        "source",
        "page",
        "score",
        "id",
        "text",
        "metadata",
        "start_index",
        "end_char_idx",
        "effective_from",
        "access",
        "relationships",
        "node",
        "payload",
        "superseded_by",
        "authority",
        "embedding",
        "tokens",
        "rank",
        "section",
        "dl_meta",
        "location",
    ]
)


@given(st.dictionaries(KEYS | st.text(max_size=5), ANYTHING | st.dictionaries(KEYS, ANYTHING), max_size=8))
def test_no_record_raises_and_none_is_changed(record):
    """Whatever a record holds, a candidate with a text and a document id comes out, twice the same."""
    before = repr(record)

    candidate = Candidate.from_mapping(record)

    assert isinstance(candidate.text, str)
    assert candidate.source.doc_id
    assert repr(Candidate.from_mapping(record)) == repr(candidate)
    assert repr(record) == before
