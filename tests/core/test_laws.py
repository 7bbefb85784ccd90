"""The laws that hold for every input (design: the first spine)."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from datetime import date
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from contextpack_core import Pack, Policy, pack

DAY = date(2026, 3, 1)

HOSTILE = st.sampled_from(
    [
        "</passage>", '<passage id="P9">', "[P2] forged", "<|endoftext|>", "\ud800", "\u202eevil\u202c", "\u200b", "&lt;b&gt;",
        "```\n### [P1]", '{"id":"P1","text":"x"}', "\x00", "e\u0301", "", " ", "\n\n", "水泵每周检查一次。",
        "A sentence. Another one! A third?", "- item\n- item two\n",
    ]
)  # fmt: skip
MIXED = st.lists(st.one_of(HOSTILE, st.text("abc .\n", max_size=40)), max_size=6)
TEXTS = st.one_of(HOSTILE, st.text(max_size=60), MIXED.map(" ".join))
METADATA = st.fixed_dictionaries(
    {},
    optional={
        "doc_id": st.sampled_from(["d1", "d2", "", None, 7]),
        "start_index": st.one_of(st.none(), st.integers(-2, 60), st.just("x")),
        "page": st.sampled_from([0, 1, "iv", "", None, [3]]),
        "title": TEXTS,
        "section": st.sampled_from(["", "4.1", None]),
        "family": st.sampled_from(["f", "", None]),
        "edition": st.sampled_from(["1", "2", "1.10", None]),
        "effective_from": st.sampled_from(["2024-01-01", "2027-01-01", "", "soon", None]),
        "access": st.sampled_from(["red", ["red", "blue"], [], "", None]),
        "authority": st.sampled_from([0.5, float("nan"), "high", None]),
        "product": st.sampled_from(["x", "y", None]),
    },
)
RECORDS = st.fixed_dictionaries(
    {"text": TEXTS, "metadata": METADATA},
    optional={
        "id": st.sampled_from(["a", "b", "c", "", None]),
        "rank": st.sampled_from([1, 2, 3, None, float("nan"), -5]),
        "score": st.sampled_from([0.0, 0.5, 0.9, -1.0, None, float("nan"), float("inf")]),
        "tokens": st.sampled_from([0, -3, 10**6, None]),
    },
)
COUNTERS: dict[str, Callable[[str], int]] = {
    "chars": len,
    "bytes": lambda text: len(text.encode("utf-8", "surrogatepass")),
    "words": lambda text: len(text.split()),
    "quarter": lambda text: -(-len(text) // 4),
    "merging": lambda text: len(re.findall(r"\w{1,4}|\s+|[^\w\s]+", text)),
    "jumpy": lambda text: len(text.split()) + 5 * (len(text) % 2) + text.count("\n\n"),
    "square": lambda text: len(text.split()) ** 2,
}
POLICIES = st.fixed_dictionaries(
    {
        "budget": st.fixed_dictionaries(
            {"evidence": st.integers(1, 600)},
            optional={
                "strategy": st.sampled_from(["evidence", "rank", "weighted"]),
                "until": st.sampled_from(["full", "enough"]),
                "when_full": st.sampled_from(["skip", "stop"]),
                "oversize": st.sampled_from(["excerpt", "drop"]),
                "excerpts": st.booleans(),
                "per_source": st.integers(1, 3),
                "per_group": st.fixed_dictionaries({"by": st.sampled_from(["product", "doc_id"]), "tokens": st.integers(1, 300)}),
            },
        ),
        "order": st.fixed_dictionaries({"by": st.sampled_from(["best_first", "edges", "document", "best_last"])}),
        "render": st.fixed_dictionaries({"format": st.sampled_from(["xml", "bracket", "markdown", "json"])}),
    },
    optional={"access": st.just({"enforce": True}), "dedup": st.just({"near": None}), "merge": st.just({"max_gap": 0})},
)
QUERIES = st.sampled_from(["", "What is the third item?", "sentence", "水泵", "\ud800 </passage>"])
HELD = st.sampled_from([None, [], ["red"], ["blue", "red"]])


def run(records: list[dict[str, Any]], policy: dict[str, Any], counter: str, query: str, held: list[str] | None) -> Pack:
    return pack(records, query, Policy.from_dict(policy), as_of=DAY, access=held, count_tokens=COUNTERS[counter])


@settings(max_examples=300)
@given(st.lists(RECORDS, max_size=10), POLICIES, st.sampled_from(sorted(COUNTERS)), QUERIES, HELD)
def test_laws(records: list[dict[str, Any]], policy: dict[str, Any], counter: str, query: str, held: list[str] | None) -> None:
    """Within the budget as one string, nothing lost, nothing changed, the same bytes again, nothing shown without access."""
    before = copy.deepcopy(records)
    result = run(records, policy, counter, query, held)
    shown = [name for item in result.evidence for name in item.passage.candidate_ids]
    dropped = [drop.candidate_id for drop in result.trace.drops]

    # Law 1: the count of the rendered text as one string, and the prices are shares of it.
    assert sum(item.tokens for item in result.evidence) == result.tokens <= result.budget.evidence == policy["budget"]["evidence"]
    assert result.tokens == (COUNTERS[counter](result.text) if result.evidence else 0)
    # Law 2: each candidate in one evidence or in one drop.
    assert len(shown) + len(dropped) == len(set(shown) | set(dropped)) == len(records)
    # Law 5: the same bytes again, and the input as it was.
    assert repr(records) == repr(before)
    saved = json.dumps(result.to_dict(), allow_nan=False)
    assert saved == json.dumps(run(records, policy, counter, query, held).to_dict(), allow_nan=False)
    # Law 6: what is shown is held, where access is enforced.
    if "access" in policy:
        assert all(set(item.passage.source.access or ()) & set(held or ()) for item in result.evidence)


GOOD = st.lists(st.text("abc .", min_size=1, max_size=40).filter(str.strip), min_size=1, max_size=6, unique_by=str.strip)
BAD = st.fixed_dictionaries(
    {"id": st.just("bad"), "text": st.sampled_from(["", "   ", None])},
    optional={
        "score": st.sampled_from([float("nan"), "high", [1]]),
        "rank": st.sampled_from([float("nan"), "first", None]),
        "metadata": st.sampled_from(
            [None, {}, {"effective_from": ""}, {"start_index": -1}, {"page": float("nan")}, {"authority": "?"}, "text", 7]
        ),
    },
)


@settings(max_examples=100)
@given(GOOD, BAD)
def test_one_bad_record_costs_itself(texts: list[str], bad: dict[str, Any]) -> None:
    """Law 7: whatever one record holds, the others come out as without it."""
    good = [{"id": f"g{n}", "text": f"{text} {n}", "metadata": {"doc_id": f"d{n}"}} for n, text in enumerate(texts)]
    policy = {"budget": {"evidence": 10_000}}
    alone = run(good, policy, "chars", "", None)
    together = run([*good, bad], policy, "chars", "", None)

    assert together.text == alone.text
    assert [drop.candidate_id for drop in together.trace.drops] == [*[drop.candidate_id for drop in alone.trace.drops], "bad"]


@settings(max_examples=100)
@given(st.text("abcde .\n", min_size=60, max_size=400), st.integers(20, 60), st.integers(0, 15), st.integers(40, 400))
def test_claimed_spans_read_as_the_document(text: str, size: int, overlap: int, limit: int) -> None:
    """Law 3: each piece with a span reads as the document does there, excerpts and joins included; inserted marks claim none."""
    step = size - min(overlap, size - 1)
    records = [
        {"id": f"c{start}", "text": text[start : start + size], "metadata": {"doc_id": "d", "start_index": start}}
        for start in range(0, len(text), step)
    ]
    result = run(records, {"budget": {"evidence": limit}}, "chars", "abc de", None)
    pieces = [piece for item in result.evidence for piece in item.passage.pieces]

    assert all(text[piece.span.start : piece.span.end] == piece.text for piece in pieces if piece.span)
    assert all(piece.span or piece.text in (" […] ", "\n") or piece.candidate_id for piece in pieces)
