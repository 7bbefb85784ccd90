"""Citations of providers, from plain blocks; the real clients are tried in the tests of the LangChain adapter."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextpack_core import (
    AnswerError,
    ArgumentError,
    Pack,
    Span,
    anthropic_documents,
    anthropic_search_results,
    check_native,
    pack,
    read_native,
)

WORDS = "The excess is 500 euros."
HOME = {"title": "Home policy", "family": "home"}


def made_from(text: str = WORDS) -> Pack:
    return pack(
        [
            {
                "id": "new",
                "text": text,
                "metadata": {
                    **HOME,
                    "doc_id": "d26",
                    "edition": "2026",
                    "effective_from": "2026-01-01",
                    "url": "https://x.example/26",
                    "start_index": 10,
                },
            },
            {
                "id": "old",
                "text": "The excess is 350 euros.",
                "metadata": {
                    **HOME,
                    "doc_id": "d25",
                    "edition": "2025",
                    "effective_from": "2025-01-01",
                    "url": "https://x.example/25",
                },
            },
            {"id": "claims", "text": "Claims are reported within 14 days.", "metadata": {"doc_id": "claims.md", "title": "Claims"}},
        ],
        "excess",
        as_of=date(2026, 6, 1),
    )


MADE = made_from()


def test_the_blocks_of_a_request():
    """One an evidence, in prompt order, each with its label, its text and citations enabled; edition and days cannot be cited."""
    assert anthropic_documents(MADE, cache=True) == [
        {
            "type": "document",
            "source": {"type": "text", "media_type": "text/plain", "data": WORDS},
            "title": "P1 Home policy, edition 2026",
            "citations": {"enabled": True},
            "context": "edition 2026, in force from 2026-01-01",
        },
        {
            "type": "document",
            "source": {"type": "text", "media_type": "text/plain", "data": "Claims are reported within 14 days."},
            "title": "P2 Claims",
            "citations": {"enabled": True},
            "cache_control": {"type": "ephemeral"},
        },
    ]
    assert anthropic_search_results(MADE)[0] == {
        "type": "search_result",
        "source": "https://x.example/26",
        "title": "P1 Home policy, edition 2026",
        "content": [{"type": "text", "text": WORDS}],
        "citations": {"enabled": True},
    }


@given(st.text(min_size=1, max_size=80).filter(lambda text: text.strip()))
def test_every_text_can_be_sent(text):
    """Lone surrogates cannot; what stands for them has the same length, so that offsets hold."""
    made = made_from(text + "\ud83d!")
    data = anthropic_documents(made)[0]["source"]["data"]

    data.encode("utf-8")
    assert len(data) == len(made.evidence[0].passage.text)


@pytest.mark.parametrize(
    ("pointer", "labels", "source_span", "edition"),
    [
        ({"document_index": 0, "cited_text": WORDS, "start_char_index": 0, "end_char_index": 24}, ("P1",), Span(0, 24), "2026"),
        (
            {"document_index": 0, "cited_text": "500 euros", "start_char_index": 3, "end_char_index": 5},
            ("P1",),
            Span(14, 23),
            "2026",
        ),
        ({"document_index": 1}, ("P2",), None, None),
        ({"search_result_index": 1, "source": "claims.md", "title": "P2 Claims"}, ("P2",), None, None),
        ({"title": "P2"}, ("P2",), None, None),
        ({"title": "P2 CLAIMS."}, ("P2",), None, None),
        ({"title": "P2 whatever"}, ("‹P2 whatever›",), None, None),
        ({"type": "citation", "url": "https://x.example/26", "title": "Home policy"}, ("P1",), None, "2026"),
        ({"type": "citation", "url": "https://x.example/25", "title": "Home policy"}, ("old",), None, None),
        ({"title": "Home policy", "cited_text": "The excess is 350 euros."}, ("old",), None, None),
        ({"title": "Home policy"}, ("P1",), None, "2026"),
        ({"type": "file_citation", "filename": "claims.md"}, ("P2",), None, None),
        ({"cited_text": "reported within 14 days"}, ("P2",), Span(11, 34), None),
        ({"document_index": 9}, ("‹document 9›",), None, None),
        ({"document_index": 0, "document_title": "P1 Home policy, edition 2026"}, ("P1",), None, "2026"),
        ({"document_index": 0, "document_title": "Home policy"}, ("P1",), None, "2026"),
        ({"document_index": 0, "document_title": "P1 Home policy, edition 2025"}, ("old",), None, None),
        ({"document_index": 0, "document_title": "Weather"}, ("‹Weather›",), None, None),
        ({"document_index": 1, "document_title": "P1 Home policy, edition 2026"}, ("‹P1 Home policy, edition 2026›",), None, None),
        ({"document_index": 0, "document_title": "P2 Home policy, edition 2026"}, ("‹P2 Home policy, edition 2026›",), None, None),
        ({"document_index": 0, "document_title": None, "cited_text": "The excess is 350 euros."}, ("old",), None, None),
        ({"search_result_index": 0, "source": "https://x.example/26", "title": "Our house rules"}, ("P1",), None, "2026"),
        ({"search_result_index": 0, "source": "https://x.example/25", "title": "Home policy"}, ("old",), None, None),
        ({"search_result_index": 5, "source": "https://x.example/25", "title": "Home policy"}, ("old",), None, None),
        ({"search_result_index": 5, "source": "https://x.example/26", "title": "P1"}, ("‹P1›",), None, None),
        ({"search_result_index": 0, "source": "https://y.example"}, ("‹https://y.example›",), None, None),
        ({"search_result_index": 0, "source": "https://x.example/26", "title": "Claims"}, ("‹Claims›",), None, None),
        ({"url": "https://x.example/26", "title": "P1 Home policy, edition 2025"}, ("old",), None, None),
        ({"url": "https://x.example/26", "title": "Home policy, edition 2025"}, ("old",), None, None),
        ({"url": "https://x.example/26", "title": "A page of the insurer"}, ("P1",), None, "2026"),
        ({"url": "HTTPS://X.example:443/26/?utm_source=openai#part"}, ("P1",), None, "2026"),
        ({"url": "https://x.example/25?utm_source=openai&utm_medium=a"}, ("old",), None, None),
        ({"url": "https://x.example/26?edition=2025"}, ("‹https://x.example/26?edition=2025›",), None, None),
        ({"url": "https://x.example/26/more"}, ("‹https://x.example/26/more›",), None, None),
        ({"url": "https://[x/26", "source": "http://x.example:99999999/26"}, ("‹https://[x/26›",), None, None),
        ({"url": "https://y.example", "title": "P. 1"}, ("‹P. 1›",), None, None),
        ({"type": "citation", "title": "Home policy, edition 2026"}, ("P1",), None, "2026"),
        ({"type": "citation", "title": "Home policy, edition 2026", "cited_text": WORDS}, ("P1",), Span(0, 24), "2026"),
        ({"type": "citation", "title": "Home policy, edition 2025"}, ("old",), None, None),
        (
            {"type": "citation", "title": "Home policy, edition 2026", "cited_text": "The excess is 350 euros."},
            ("old",),
            None,
            None,
        ),
        ({"type": "citation", "title": "Home policy, edition 2024"}, ("‹Home policy, edition 2024›",), None, None),
        ({"type": "citation", "title": "Policy, edition"}, ("‹Policy, edition›",), None, None),
        (
            {"type": "citation", "url": "https://x.example/26", "title": "Home policy", "cited_text": "The excess is 350 euros."},
            ("old",),
            None,
            None,
        ),
        ({"url": "https://x.example/26", "cited_text": "excess is 350"}, ("old",), None, None),
        ({"url": "https://x.example/26", "cited_text": "The  excess is 500 euros."}, ("P1",), Span(0, 24), "2026"),
        ({}, ("‹no source›",), None, None),
    ],
)
def test_each_pointer_leads_to_its_passage(pointer, labels, source_span, edition):
    """By place, label, address, file, title, words; to a candidate of another edition; or to nothing, as the provider calls it."""
    (found,) = read_native([{"type": "text", "text": "It is so.", "citations": [pointer]}], MADE).citations

    assert (found.labels, found.source_span, found.source and found.source.edition) == (labels, source_span, edition)
    if source_span and edition:
        assert found.document_span == Span(10 + source_span.start, 10 + source_span.end)


@pytest.mark.parametrize(
    ("message", "spans"),
    [
        ([{"text": "It is 500. ", "citations": []}, {"text": "Yes, 500.", "citations": [{"document_index": 0}]}], [Span(11, 20)]),
        ([{"type": "text", "text": "So: ", "annotations": [{"url": "u", "start_index": 0, "end_index": 99}]}], [Span(0, 4)]),
        (
            {"content": "ab. cd.", "annotations": [{"type": "url_citation", "url_citation": {"start_index": 4, "end_index": 7}}]},
            [Span(4, 7)],
        ),
        (
            {
                "content": {"parts": [{"text": "Äö. "}, {"text": "Zahl."}]},
                "groundingMetadata": {
                    "groundingChunks": [{"web": {"uri": "u"}}, {"web": {"uri": "v"}}],
                    "groundingSupports": [{"segment": {"startIndex": 6, "endIndex": 11}, "groundingChunkIndices": [0, 1]}],
                },
            },
            [Span(4, 9), Span(4, 9)],
        ),
        (
            {
                "parts": [{"text": "Äö. "}, {"text": "Zahl."}],
                "groundingMetadata": {
                    "groundingChunks": [{"web": {"uri": "u"}}],
                    "groundingSupports": [
                        {"segment": {"partIndex": 1, "endIndex": 5, "text": "Zahl."}, "groundingChunkIndices": [0]}
                    ],
                },
            },
            [Span(4, 9)],
        ),
        (
            [{"type": "text", "text": "A."}, {"type": "citation", "cited_content": {"text": WORDS}, "source": "d26", "title": ""}],
            [Span(0, 2)],
        ),
        ("No citations at all.", []),
    ],
)
def test_where_a_citation_stands_in_the_answer(message, spans):
    """Offsets count within a block, Gemini's in bytes of a part; without any, or with impossible ones, it is the whole block."""
    assert [found.span for found in read_native(message, MADE).citations] == spans


@pytest.mark.parametrize(
    ("title", "labels"),
    [
        ("Bicycles, Cover", ("P1",)),
        ("Bicycles, Cover, edition 2026", ("P1",)),
        ("bicycles, edition 2026", ("P1",)),
        ("Bicycles", ("P1",)),
        ("Bicycles, Cover, edition 2025", ("old",)),
        ("Bicycles, edition 2025", ("old",)),
        ("Bicycles, Exclusions", ("‹Bicycles, Exclusions›",)),
        ("Cover", ("‹Cover›",)),
    ],
)
@pytest.mark.parametrize("cited", [None, "Theft of bicycles is covered"])
def test_a_title_with_section_and_edition(title, labels, cited):
    """It is enough without address and label, as a provider gives back what a document block was called."""
    metadata = {"title": "Bicycles", "section": "Cover", "family": "bicycles", "effective_from": "2025-01-01", "edition": "2025"}
    now = {**metadata, "doc_id": "b26", "effective_from": "2026-01-01", "edition": "2026"}
    texts = [("new", "Theft of bicycles is covered.", now), ("old", "Theft is no matter.", {**metadata, "doc_id": "b25"})]
    made = pack([{"id": i, "text": text, "metadata": data} for i, text, data in texts], "theft", as_of=date(2026, 6, 1))
    pointer = {"type": "citation", "title": title, "cited_text": cited if "2025" not in title else None}

    assert read_native([{"text": "It is.", "citations": [pointer]}], made).citations[0].labels == labels


URL = "https://x.example/26?utm_source=openai"
LINK = f"([x.example]({URL}))"


def annotated(text, *marks, **facts):
    """A block of OpenAI with one citation of a web page for each of the marks, in their order."""
    pointers, at = [], 0
    for mark in marks:
        at = text.index(mark, at)
        pointers.append({"type": "url_citation", "url": URL, "start_index": at, "end_index": at + len(mark), **facts})
        at += len(mark)
    return [{"type": "output_text", "text": text, "annotations": pointers}]


@pytest.mark.parametrize(
    ("text", "marks", "statements"),
    [
        (f"The excess is 500 euros. {LINK}", [LINK], [(f"The excess is 500 euros. {LINK}", ("P1",))]),
        (f"The excess is 500 euros. {LINK}", [LINK[1:-1]], [(f"The excess is 500 euros. {LINK}", ("P1",))]),
        (f"The excess is 500 euros {LINK}.", [LINK], [(f"The excess is 500 euros {LINK}.", ("P1",))]),
        (
            f"- The excess is 500 euros. {LINK}\n- It is fixed. {LINK}",
            [LINK, LINK],
            [(f"The excess is 500 euros. {LINK}", ("P1",)), (f"It is fixed. {LINK}", ("P1",))],
        ),
        (
            f"The excess is 500 euros. {LINK} It is fixed. {LINK}",
            [LINK, LINK],
            [(f"The excess is 500 euros. {LINK}", ("P1",)), (f"It is fixed. {LINK}", ("P1",))],
        ),
        ("The excess is 500 euros.[1]", ["[1]"], [("The excess is 500 euros.[1]", ("P1",))]),
        ("The excess is 500 euros [1]. So.", ["[1]"], [("The excess is 500 euros [1].", ("P1",)), ("So.", ())]),
        ("The excess is 500 euros.【1†home】", ["【1†home】"], [("The excess is 500 euros.【1†home】", ("P1",))]),
        (f"The excess is 500 euros. {URL}", [URL], [(f"The excess is 500 euros. {URL}", ("P1",))]),
        (f"It is so. The excess is 500 euros. {LINK}", [LINK], [("It is so.", ()), (f"The excess is 500 euros. {LINK}", ("P1",))]),
        (
            "[The excess is 900 euros.](https://x.example/26)",
            ["[The excess is 900 euros.](https://x.example/26)"],
            [("[The excess is 900 euros.](https://x.example/26)", ("P1",))],
        ),
    ],
)
def test_a_citation_of_nothing_but_a_mark_serves_the_statement_before(text, marks, statements):
    """A link behind the full stop, a number, a marker or an address; a link in which words of the answer stand is none."""
    report = check_native(annotated(text, *marks), MADE)

    assert [(claim.text, claim.labels) for claim in report.claims] == statements
    assert [c.labels for c in report.citations] == [("P1",)] * len(marks)
    assert ("900" in text) is any(figure.status == "UNSUPPORTED" for figure in report.figures)


def test_a_mark_is_taken_out_with_the_others():
    """The report knows where it stands; one that leads nowhere is no other label."""
    assert str(check_native(annotated(f"It is 500 euros. {LINK}", LINK), MADE).render("strip")) == "It is 500 euros."
    assert [str(p) for p in check_native(annotated("It is 500.[1]", "[1]", url="https://y.example"), MADE).problems] == [
        "“500” stands in another passage than the cited one: stands in P1",
        "‹https://y.example› names no passage: no source of the pack is called so (there are P1, P2)",
    ]


def test_a_mark_of_several_sources():
    """One place, two citations."""
    blocks = annotated("Report it.[1]", "[1]")
    blocks[0]["annotations"].append({**blocks[0]["annotations"][0], "url": "claims.md"})

    report = check_native(blocks, MADE)

    assert [(c.text, c.labels, str(c.status)) for c in report.citations] == [("[1]", ("P1", "P2"), "VALID")]
    assert (report.status, report.claims[0].labels) == ("GROUNDED", ("P1", "P2"))


@pytest.mark.parametrize(
    "made_by_model",
    [
        {"type": "container_file_citation", "container_id": "c", "file_id": "f", "filename": "chart.png"},
        {"type": "file_path", "file_id": "f", "index": 3},
        {"type": "non_standard_annotation", "value": {"type": "file_path", "file_path": {"file_id": "f"}}},
    ],
)
def test_files_that_the_model_made_are_no_sources(made_by_model):
    """They stand among the annotations, beside a citation that holds."""
    blocks = [{"type": "text", "text": WORDS, "annotations": [{"type": "file_citation", "filename": "Home policy"}, made_by_model]}]

    assert [c.labels for c in read_native(blocks, MADE).citations] == [("P1",)]
    assert check_native(blocks, MADE).status == "GROUNDED"


def test_documents_before_those_of_the_pack_are_counted():
    """The provider numbers all that a request holds."""
    blocks = [{"type": "text", "text": "It is so.", "citations": [{"document_index": 2}]}]

    assert [read_native(blocks, MADE, first_document=n).citations[0].labels for n in (0, 1, 2)] == [
        ("‹document 2›",),
        ("P2",),
        ("P1",),
    ]


def test_what_was_left_out_says_why():
    """A pointer to another edition is no made-up label: the reason stands in the report."""
    blocks = [{"text": "It is 350 euros.", "citations": [{"url": "https://x.example/25"}]}]

    report = check_native(blocks, MADE)

    assert [(c.labels, str(c.status)) for c in report.citations] == [(("old",), "DROPPED")]
    assert [str(figure.status) for figure in report.figures] == ["STALE"]


@pytest.mark.parametrize("message", [None, 3, b"x", {"content": 3}, [3], [None], {"candidates": []}, {"choices": [3]}])
def test_what_is_no_message(message):
    """The error says what is wanted."""
    with pytest.raises(AnswerError, match="a mapping"):
        read_native(message, MADE)


@pytest.mark.parametrize("call", [read_native, check_native])
@pytest.mark.parametrize("sources", [{"P1": WORDS}, [1], None, MADE.to_dict()])
def test_what_is_no_pack(call, sources):
    """Texts under labels have neither sources nor editions; neither can they become blocks."""
    with pytest.raises(ArgumentError, match=r"pack: \w+ — the Pack that the request was made from; of a saved one Pack.from_dict"):
        call([{"type": "text", "text": WORDS}], sources)
    for blocks in (anthropic_documents, anthropic_search_results):
        with pytest.raises(ArgumentError, match="pack: "):
            blocks(sources)


def test_editions_that_differ_in_what_makes_no_other_address():
    """Then the address as it stands decides; without its fragment it is that of both, and the edition in force is meant."""
    first, old = made_from().evidence[0], made_from().other_editions[0]
    first = replace(first, passage=replace(first.passage, source=replace(first.passage.source, uri="https://x.example/home#2026")))
    old = replace(old, source=replace(old.source, uri="https://x.example/home#2025"))
    made = replace(made_from(), evidence=(first,), other_editions=(old,))

    for index in ({}, {"search_result_index": 0}):
        pointers = [{"url": f"https://x.example/home{end}", **index} for end in ("#2026", "#2025", "", "#other")]
        found = [read_native([{"text": "So.", "citations": [pointer]}], made).citations[0].labels for pointer in pointers]
        assert found == [("P1",), ("old",), ("P1",), ("P1",)]


GEMINI = {
    "content": {"parts": [{"text": "Let me see.", "thought": True}, {"text": "So it is."}], "role": "model"},
    "groundingMetadata": {
        "groundingChunks": [{"retrievedContext": {"uri": "https://x.example/26", "title": "Home policy"}}, None],
        "groundingSupports": [
            {"segment": {"endIndex": 9, "text": "So it is."}, "groundingChunkIndices": [0]},
            {"segment": "x", "groundingChunkIndices": 3},
            None,
        ],
    },
}
ANNOTATION = {"type": "url_citation", "url": "https://x.example/26", "start_index": 0, "end_index": 9}


@pytest.mark.parametrize(
    "response",
    [
        GEMINI,
        {"candidates": [GEMINI, {"content": {"parts": [{"text": "Or not."}]}}]},
        {"choices": [{"message": {"content": "So it is.", "annotations": [{"type": "url_citation", "url_citation": ANNOTATION}]}}]},
        {
            "output": [
                {"type": "reasoning", "summary": []},
                {"type": "message", "content": [{"type": "output_text", "text": "So it is.", "annotations": [ANNOTATION]}]},
            ]
        },
        [None, {"text": "So it is.", "citations": [None, {"document_index": 0}]}, 3],
    ],
)
def test_a_whole_response_is_its_first_candidate(response):
    """Of Gemini, of OpenAI's two interfaces; thoughts are no answer, and what is no block or no citation costs itself alone."""

    class Dumps:
        def model_dump(self):
            return response

    for given_as in (response, Dumps()) if isinstance(response, dict) else (response,):
        read = read_native(given_as, MADE)
        assert (read.text, [(c.labels, c.span) for c in read.citations]) == ("So it is.", [(("P1",), Span(0, 9))])


FACTS = st.fixed_dictionaries(
    {},
    optional={
        "document_index": st.integers(-1, 3) | st.booleans() | st.text(max_size=2),
        "title": st.sampled_from(["P1", "P2 Claims", "Home policy", "Home policy, edition 2025", ""]) | st.text(max_size=5),
        "source": st.sampled_from(["https://x.example/26", "https://x.example/25#a", "claims.md"]) | st.text(max_size=5),
        "cited_text": st.sampled_from([WORDS, "The excess is 350 euros."]) | st.text(max_size=5),
    },
)


@given(FACTS)
def test_no_pointer_to_the_old_edition_leads_to_the_new_one(facts):
    """Whatever else it says; and every citation leads to passages, to a candidate, or to what it is called."""
    (found,) = read_native([{"text": "It is so.", "citations": [facts]}], MADE).citations

    if facts.get("source") == "https://x.example/25#a" or facts.get("title") == "Home policy, edition 2025":
        assert "P1" not in found.labels
    assert set(found.labels) <= {"P1", "P2", "old"} or found.labels == (found.called,)
