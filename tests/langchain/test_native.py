"""Provider citations through the real clients, against a server on loopback that answers in the providers' wire formats."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage

from contextpack_core import Pack, Span, anthropic_documents, anthropic_search_results, pack, read_native
from langchain_contextpack import check_message

anthropic = pytest.importorskip("langchain_anthropic")
openai = pytest.importorskip("langchain_openai")

QUESTION = "What is the excess for escape of water?"
WORDS = "The excess for escape of water is 500 euros."
CLAIMS = "Claims are reported within 14 days."
OLD_WORDS = "The excess for escape of water is 350 euros."


@pytest.fixture
def made() -> Pack:
    def wording(edition: str, text: str, start: int) -> dict[str, Any]:
        metadata = {
            "doc_id": f"home-{edition}.md",
            "title": "Home policy",
            "family": "home",
            "edition": edition,
            "effective_from": f"{edition}-01-01",
            "url": f"https://docs.example/home-{edition}",
            "start_index": start,
        }
        return {"id": f"c{edition}", "text": text, "metadata": metadata}

    return pack(
        [
            wording("2026", f"{WORDS} It is 200 euros with a leak detector.", 100),
            wording("2025", OLD_WORDS, 90),
            {"id": "claims", "text": "Claims are reported within 14 days.", "metadata": {"doc_id": "claims.md", "title": "Claims"}},
        ],
        QUESTION,
        as_of=date(2026, 6, 1),
    )


class Provider:
    """The server: what it was asked, and what it answers by path, whole or as events."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.whole: dict[str, Any] = {}
        self.events: list[dict[str, Any]] = []
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                provider.asked.append(asked)
                streamed = bool(asked.get("stream"))
                data = ("".join(map(_event, provider.events)) if streamed else json.dumps(provider.whole)).encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream" if streamed else "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}"


def _event(event: dict[str, Any]) -> str:
    name = f"event: {event['type']}\n" if "type" in event else ""
    return f"{name}data: {json.dumps(event)}\n\n"


@pytest.fixture
def provider() -> Iterator[Provider]:
    served = Provider()
    yield served
    served.server.shutdown()
    served.server.server_close()


def claude(provider: Provider) -> Any:
    return anthropic.ChatAnthropic(
        model="claude-of-a-test", api_key="none", base_url=provider.url, max_retries=0, max_tokens=100, stream_usage=False
    )


def gpt(provider: Provider, **options: Any) -> Any:
    return openai.ChatOpenAI(model="gpt-4.1", api_key="none", base_url=f"{provider.url}/v1", max_retries=0, **options)


def char_location(index: int, text: str, start: int = 0) -> dict[str, Any]:
    return {
        "type": "char_location",
        "cited_text": text,
        "document_index": index,
        "document_title": ("P1 Home policy, edition 2026", "P2 Claims")[index],
        "start_char_index": start,
        "end_char_index": start + len(text),
    }


def anthropic_answer(blocks: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-of-a-test",
        "content": blocks,
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }


def anthropic_events(blocks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The blocks as a stream: texts in two pieces, then one delta a citation."""
    start = {**anthropic_answer([]), "stop_reason": None}
    events: list[dict[str, Any]] = [{"type": "message_start", "message": start}]
    for index, block in enumerate(blocks):
        cited = block.get("citations", [])
        opening = {"type": "text", "text": "", **({"citations": []} if cited else {})}
        events.append({"type": "content_block_start", "index": index, "content_block": opening})
        half = len(block["text"]) // 2
        pieces = [{"type": "text_delta", "text": piece} for piece in (block["text"][:half], block["text"][half:])]
        deltas = [*pieces, *[{"type": "citations_delta", "citation": citation} for citation in cited]]
        events += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
        events.append({"type": "content_block_stop", "index": index})
    delta = {"stop_reason": "end_turn", "stop_sequence": None}
    return [*events, {"type": "message_delta", "delta": delta, "usage": {"output_tokens": 1}}, {"type": "message_stop"}]


def added_up(chunks: Any) -> AIMessage:
    whole = None
    for chunk in chunks:
        whole = chunk if whole is None else whole + chunk
    assert isinstance(whole, AIMessageChunk)
    return whole


GOOD = [
    {"type": "text", "text": "According to the policy, "},
    {
        "type": "text",
        "text": "the excess for escape of water is 500 euros",
        "citations": [char_location(0, WORDS), char_location(0, WORDS)],
    },
    {"type": "text", "text": ". "},
    {
        "type": "text",
        "text": "Claims are reported within 14 days.",
        "citations": [char_location(1, "Claims are reported within 14 days.")],
    },
]


@pytest.mark.parametrize("streamed", [False, True])
def test_anthropic_documents_and_their_citations(provider, made, streamed):
    """Each pointer becomes its label, whole and streamed; the request carries the pack's documents with citations enabled."""
    provider.whole, provider.events = anthropic_answer(GOOD), anthropic_events(GOOD)
    request = [HumanMessage([*anthropic_documents(made), {"type": "text", "text": QUESTION}])]

    model = claude(provider)
    message = added_up(model.stream(request)) if streamed else model.invoke(request)
    report = check_message(message, made, question=QUESTION)

    sent = provider.asked[0]["messages"][0]["content"]
    assert [block["type"] for block in sent] == ["document", "document", "text"]
    assert [block["citations"] for block in sent[:2]] == [{"enabled": True}] * 2
    assert sent[0]["source"]["data"] == made.evidence[0].passage.text
    text = "".join([block["text"] for block in GOOD])
    assert (report.answer, str(report.status), report.problems) == (text, "GROUNDED", ())
    first, second = text.index("the excess"), text.index("Claims")
    assert [(c.labels, c.span) for c in report.citations] == [
        (("P1",), Span(first, first + 43)),
        (("P2",), Span(second, second + 35)),
    ]
    assert [(q.label, str(q.status), q.document_span) for q in report.quotes] == [
        ("P1", "EXACT", Span(100, 144)),
        ("P2", "EXACT", None),
    ]


@pytest.mark.parametrize("streamed", [False, True])
def test_anthropic_search_results(provider, made, streamed):
    """A search result location leads to its label as well."""
    citation = {
        "type": "search_result_location",
        "cited_text": WORDS,
        "search_result_index": 0,
        "source": "https://docs.example/home-2026",
        "title": "P1 Home policy",
        "start_block_index": 0,
        "end_block_index": 1,
    }
    blocks = [{"type": "text", "text": "It is 500 euros.", "citations": [citation]}]
    provider.whole, provider.events = anthropic_answer(blocks), anthropic_events(blocks)
    request = [HumanMessage([*anthropic_search_results(made), {"type": "text", "text": QUESTION}])]

    model = claude(provider)
    message = added_up(model.stream(request)) if streamed else model.invoke(request)
    report = check_message(message, made, question=QUESTION)

    assert [block["type"] for block in provider.asked[0]["messages"][0]["content"]] == ["search_result", "search_result", "text"]
    assert (str(report.status), [c.labels for c in report.citations]) == ("GROUNDED", [("P1",)])


@pytest.mark.parametrize("streamed", [False, True])
def test_a_valid_pointer_does_not_save_last_years_figure(provider, made, streamed):
    """The pointer is to the edition in force, the figure is that of the one before: that is a problem."""
    blocks = [{"type": "text", "text": "The excess for escape of water is 350 euros.", "citations": [char_location(0, WORDS)]}]
    provider.whole, provider.events = anthropic_answer(blocks), anthropic_events(blocks)

    model = claude(provider)
    message = added_up(model.stream(QUESTION)) if streamed else model.invoke(QUESTION)
    report = check_message(message, made, question=QUESTION)

    assert str(report.status) == "FLAGGED"
    assert [(f.text, str(f.status)) for f in report.figures] == [("350 euros", "STALE")]


def test_a_pointer_into_an_edition_that_does_not_apply(provider, made):
    """A store of the provider's own can hold last year's edition: the citation is DROPPED, with the reason."""
    annotation = {
        "type": "url_citation",
        "url": "https://docs.example/home-2025",
        "title": "Home policy",
        "start_index": 0,
        "end_index": 44,
    }
    provider.whole = openai_response(OLD_WORDS, [annotation])

    report = check_message(gpt(provider, use_responses_api=True).invoke(QUESTION), made, question=QUESTION)

    assert [(c.labels, str(c.status)) for c in report.citations] == [(("c2025",), "DROPPED")]
    assert report.citations[0].detail.startswith("edition 2025 (in force from 2025-01-01) was replaced by edition 2026")
    assert str(report.problems[0]).startswith("‹Home policy, edition 2025› cites what was left out of the evidence: edition 2025")


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize(
    ("source", "title", "status", "detail"),
    [
        ("https://docs.example/home-2025", "Home policy", "DROPPED", "edition 2025 (in force from 2025-01-01) was replaced by"),
        ("https://docs.example/home-2026", "P1 Home policy, edition 2025", "DROPPED", "edition 2025 (in force from"),
        (
            "https://evil.example/x",
            "Home policy",
            "UNKNOWN",
            "place 0 of the request is that of P1, but ‹https://evil.example/x› is",
        ),
        ("claims.md", "P2 Claims", "UNKNOWN", "place 0 of the request is that of P1, but ‹claims.md› is that of P2"),
    ],
)
def test_a_pointer_must_agree_with_itself(provider, made, source, title, status, detail, streamed):
    """A request can hold the results of an earlier turn: its place says P1, its source or title another edition or document."""
    citation = {
        "type": "search_result_location",
        "cited_text": CLAIMS if "claims" in source else WORDS,
        "search_result_index": 0,
        "source": source,
        "title": title,
        "start_block_index": 0,
        "end_block_index": 1,
    }
    blocks = [{"type": "text", "text": "It is so.", "citations": [citation]}]
    provider.whole, provider.events = anthropic_answer(blocks), anthropic_events(blocks)

    model = claude(provider)
    message = added_up(model.stream(QUESTION)) if streamed else model.invoke(QUESTION)
    report = check_message(message, made, question=QUESTION)

    assert (str(report.status), [str(c.status) for c in report.citations]) == ("FLAGGED", [status])
    assert report.citations[0].detail.startswith(detail)


def test_geminis_retrieved_context_through_langchain(made):
    """LangChain's annotations lack its source, and count bytes as characters: the metadata of the response have both."""
    text = "Für Wasser: 500 Euro. Claims are reported within 14 days."
    chunks = [
        {"retrieved_context": {"uri": "https://docs.example/home-2026", "title": "Home policy", "text": WORDS}},
        {"retrieved_context": {"uri": None, "title": "claims.md", "text": CLAIMS}},
    ]
    supports = [
        {"segment": {"start_index": 0, "end_index": 22, "text": text[:21]}, "grounding_chunk_indices": [0]},
        {"segment": {"start_index": 23, "end_index": 58, "text": text[22:]}, "grounding_chunk_indices": [1]},
    ]
    metadata = {"grounding_chunks": chunks, "grounding_supports": supports}
    message = AIMessage(text, response_metadata={"model_provider": "google_genai", "grounding_metadata": metadata})
    assert [block["annotations"][0].get("url") for block in message.content_blocks] == [None]

    report = check_message(message, made, question=QUESTION)

    assert (str(report.status), report.problems) == ("GROUNDED", ())
    assert [(c.labels, c.span) for c in report.citations] == [(("P1",), Span(0, 21)), (("P2",), Span(22, 57))]


def url_citation(url: str, end: int) -> dict[str, Any]:
    return {"type": "url_citation", "url": url, "title": "Home policy", "start_index": 0, "end_index": end}


def openai_response(text: str, annotations: list[dict[str, Any]]) -> dict[str, Any]:
    part = {"type": "output_text", "text": text, "annotations": annotations, "logprobs": []}
    item = {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "content": [part]}
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 0,
        "model": "gpt-4.1",
        "status": "completed",
        "output": [item],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
    }


def openai_events(text: str, annotations: list[dict[str, Any]]) -> list[dict[str, Any]]:
    done = openai_response(text, annotations)
    item = done["output"][0]
    place = {"item_id": "msg_1", "output_index": 0, "content_index": 0}
    part = {"type": "output_text", "text": "", "annotations": []}
    events: list[dict[str, Any]] = [
        {"type": "response.created", "response": {**done, "output": [], "status": "in_progress"}},
        {"type": "response.output_item.added", "output_index": 0, "item": {**item, "content": [], "status": "in_progress"}},
        {"type": "response.content_part.added", **place, "part": part},
    ]
    events += [{"type": "response.output_text.delta", **place, "delta": d, "logprobs": []} for d in (text[:7], text[7:])]
    events += [
        {"type": "response.output_text.annotation.added", **place, "annotation_index": number, "annotation": annotation}
        for number, annotation in enumerate(annotations)
    ]
    events += [
        {"type": "response.output_text.done", **place, "text": text, "logprobs": []},
        {"type": "response.content_part.done", **place, "part": item["content"][0]},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": done},
    ]
    return [{**event, "sequence_number": number} for number, event in enumerate(events)]


@pytest.mark.parametrize("streamed", [False, True])
def test_openai_file_citations(provider, made, streamed):
    """A file name leads to the passage of that document; the statement before the place is what it stands for."""
    text = "The excess for escape of water is 500 euros. Claims are reported within 14 days."
    annotations = [
        {"type": "file_citation", "file_id": "f1", "filename": "home-2026.md", "index": 44},
        {"type": "file_citation", "file_id": "f2", "filename": "claims.md", "index": 80},
    ]
    provider.whole, provider.events = openai_response(text, annotations), openai_events(text, annotations)

    model = gpt(provider, use_responses_api=True)
    message = added_up(model.stream(QUESTION)) if streamed else model.invoke(QUESTION)
    report = check_message(message, made, question=QUESTION)

    assert (report.answer, str(report.status)) == (text, "GROUNDED")
    assert [(c.labels, c.span) for c in report.citations] == [(("P1",), Span(0, 44)), (("P2",), Span(45, 80))]


@pytest.mark.parametrize("streamed", [False, True])
def test_openai_url_citations_stand_where_they_say(provider, made, streamed):
    """Offsets are those of the answer; a sentence without one is uncited."""
    text = "It is 500 euros. Claims are reported within 14 days."
    annotations = [
        {"type": "url_citation", "url": "https://docs.example/home-2026", "title": "Home", "start_index": 0, "end_index": 16}
    ]
    provider.whole, provider.events = openai_response(text, annotations), openai_events(text, annotations)

    model = gpt(provider, use_responses_api=True)
    message = added_up(model.stream(QUESTION)) if streamed else model.invoke(QUESTION)
    report = check_message(message, made, question=QUESTION)

    assert [(c.labels, c.span) for c in report.citations] == [(("P1",), Span(0, 16))]
    assert [claim.text for claim in report.uncited] == ["Claims are reported within 14 days."]


def test_openai_chat_completions(provider, made):
    """There annotations stand beside the content: in the raw message, and the checker reads that."""
    message = {
        "role": "assistant",
        "content": "It is 500 euros.",
        "annotations": [
            {
                "type": "url_citation",
                "url_citation": {"url": "https://docs.example/home-2026", "title": "Home", "start_index": 0, "end_index": 16},
            }
        ],
    }

    assert [(c.labels, c.span) for c in read_native(message, made).citations] == [(("P1",), Span(0, 16))]


def test_the_answer_repeated_as_cited_text_is_no_quotation(made):
    """Gemini's segments, as LangChain hands them on, hold the answer's own words: they are not looked for in the passage."""
    annotation = {
        "type": "citation",
        "url": "https://docs.example/home-2026",
        "title": "Home",
        "cited_text": "It is 500 euros.",
        "start_index": 0,
        "end_index": 16,
    }
    message = AIMessage([{"type": "text", "text": "It is 500 euros.", "annotations": [annotation]}])

    report = check_message(message, made, question=QUESTION)

    assert (str(report.status), report.quotes, [c.labels for c in report.citations]) == ("GROUNDED", (), [("P1",)])
