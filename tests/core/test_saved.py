"""A pack written as JSON is the same pack when it is read, and what is no pack is refused with the place."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from enum import IntEnum
from pathlib import PurePosixPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contextpack_core import Candidate, Pack, PackError, Policy, Source, Span, pack
from contextpack_core.saved import FORMAT, from_plain, to_plain

AS_OF = date(2026, 6, 1)


def rich_pack(text="red oak ash elm", title="Trees", **options):
    """A pack with a joined passage, a duplicate, another edition, and something too large."""
    return pack(
        [
            {"id": "a", "text": text, "metadata": {"doc_id": "t", "start_char_idx": 0, "end_char_idx": len(text), "title": title}},
            {"id": "d", "text": text, "metadata": {"doc_id": "u", "page": 0}},
            {"id": "new", "text": "It costs 50 EUR.", "metadata": {"doc_id": "2", "family": "f", "effective_from": "2026-01-01"}},
            {"id": "old", "text": "It costs 40 EUR.", "metadata": {"doc_id": "1", "family": "f", "effective_from": "2025-01-01"}},
            {"id": "e", "text": "z " * 900, "metadata": {"doc_id": "v", "secret": "hunter2"}},
        ],
        "What is the fee?",
        Policy.from_dict({"budget": {"evidence": 600, "oversize": "drop"}}),
        as_of=AS_OF,
        count_tokens=len,
        **options,
    )


def through_json(made: Pack) -> Pack:
    return Pack.from_dict(json.loads(json.dumps(made.to_dict(), allow_nan=False)))


def test_a_pack_comes_back_as_it_was():
    """Evidence with spans, drops, budget, trace, labels and the text; what is known of other editions too."""
    made = rich_pack()
    back = through_json(made)

    assert {drop.candidate_id: drop.reason.value for drop in made.trace.drops} == {
        "d": "DUPLICATE",
        "old": "SUPERSEDED",
        "e": "TOO_LARGE",
    }
    assert replace(back, other_editions=()) == replace(made, other_editions=())
    assert [(c.id, c.text, c.source, c.score) for c in back.other_editions] == [
        (c.id, c.text, c.source, c.score) for c in made.other_editions
    ]
    assert back.to_dict() == made.to_dict()
    assert back.to_dict()["format"] == FORMAT


def test_metadata_of_candidates_are_not_saved():
    """They may hold secrets, and no check needs them."""
    assert "hunter2" not in json.dumps(rich_pack().to_dict())


def test_of_candidates_without_access_only_the_number_is_saved():
    """Neither their ids nor their texts, and asking for one is like asking for one that never was."""
    made = pack(
        [
            {"id": "open", "text": "Open text.", "metadata": {"doc_id": "a", "acl": ["staff"]}},
            {"id": "closed-7", "text": "Merger plan.", "metadata": {"doc_id": "secret-doc", "acl": ["board"], "title": "Merger"}},
            {"id": "unlabelled-8", "text": "No label.", "metadata": {"doc_id": "nobody"}},
        ],
        policy=Policy.from_dict({"access": {"enforce": True, "field": "acl"}}),
        access=["staff"],
        as_of=AS_OF,
    )
    wire = json.dumps(made.to_dict())
    back = through_json(made)

    assert [word for word in ("closed-7", "unlabelled-8", "secret-doc", "Merger", "No label", "board") if word in wire] == []
    assert (back.trace.withheld, back.trace.candidates, back.trace.drops) == (2, 3, ())
    assert through_json(back) == back
    assert made.explain("closed-7").startswith("closed-7 was left out in access: NO_ACCESS")
    with pytest.raises(KeyError, match=r"no candidate 'closed-7'$"):
        back.explain("closed-7")


SURROGATES = st.text(
    st.one_of(st.characters(), st.characters(categories=["Cs"]), st.sampled_from("\x1a0d8\ud83d\ude00")), max_size=12
)


@settings(max_examples=60, deadline=None)
@given(text=SURROGATES.filter(str.strip), title=SURROGATES)
def test_any_text_survives_every_way_of_writing(text, title):
    """Two lone halves stay two, with ``ensure_ascii`` or without, and the data are valid UTF-8."""
    made = rich_pack(text, title)
    written = json.dumps(made.to_dict(), ensure_ascii=False, allow_nan=False).encode("utf-8")
    back = Pack.from_dict(json.loads(written))

    assert back == through_json(made)
    assert (back.text, back.evidence, back.labels) == (made.text, made.evidence, made.labels)


class _Scalar:
    def item(self):
        return 3


class _Level(IntEnum):
    HIGH = 2


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        ("a\udfffb\x1a", "a\x1adfffb\x1a001a"),
        (_Scalar(), 3),
        (_Level.HIGH, 2),
        (True, True),
        (0.25, 0.25),
        (float("nan"), None),
        (float("inf"), None),
        (Decimal("1.5"), "1.5"),
        (PurePosixPath("a/b"), "a/b"),
        (date(2026, 1, 2), "2026-01-02"),
        (Span(1, 2), [1, 2]),
        ({"b", "a"}, ["a", "b"]),
        ({"k\ud800": (1, None)}, {"k\x1ad800": [1, None]}),
        (Source("d", page=0, title=""), {"doc_id": "d", "title": "", "page": 0}),
        (
            Candidate("a", "t", Source("d"), 1, metadata={"k": "v"}, embedding=(0.1,)),
            {"id": "a", "text": "t", "source": {"doc_id": "d"}, "rank": 1},
        ),
    ],
)
def test_what_is_written_is_plain(value, plain):
    """Whatever a caller put into a value."""
    assert to_plain(value) == plain


@dataclass(frozen=True)
class _Tree:
    name: str
    parts: tuple[_Tree, ...] = ()
    pair: tuple[int, str] | None = None


def test_values_in_values_are_read():
    """Also of their own kind."""
    tree = _Tree("a", (_Tree("b", pair=(1, "x")), _Tree("c")))

    assert to_plain(tree) == {"name": "a", "parts": [{"name": "b", "pair": [1, "x"]}, {"name": "c"}]}
    assert from_plain(_Tree, to_plain(tree), "tree") == tree


def _changed(path, value):
    data = json.loads(json.dumps(rich_pack().to_dict()))
    *way, last = path
    place = data
    for key in way:
        place = place[key]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return data


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (None, "pack: NoneType — the mapping that Pack.to_dict gave"),
        ("{}", "json.loads"),
        ({}, "pack.format: None — this release reads formats up to 1"),
        (_changed(["format"], 2), "pack.format: 2 — "),
        (_changed(["format"], True), "pack.format: True — "),
        (_changed(["text"], ...), "pack.text: missing"),
        (_changed(["tokens"], "9"), "pack.tokens: '9' — a whole number"),
        (_changed(["tokens"], True), "pack.tokens: True — a whole number"),
        (_changed(["as_of"], "soon"), "pack.as_of: 'soon' — a day such as 2026-03-01"),
        (_changed(["outcome"], "FINE"), "pack.outcome: 'FINE' — one of READY, PARTIAL"),
        (_changed(["evidence"], {}), "pack.evidence: {} — an array"),
        (_changed(["evidence", 0, "label"], 1), r"pack.evidence\[0\].label: 1 — a text"),
        (_changed(["evidence", 0, "passage", "pieces", 0, "span"], [3]), r"pieces\[0\].span: \[3\] — \[start, end\]"),
        (_changed(["evidence", 0, "passage", "pieces", 0, "span"], [3, 1]), r"pieces\[0\].span: \[3, 1\] — "),
        (_changed(["evidence", 0, "passage", "source"], []), r"passage.source: \[\] — an object"),
        (_changed(["evidence", 0, "passage", "source", "doc_id"], ...), "passage.source.doc_id: missing"),
        (_changed(["trace", "steps", 3, "drops", 0, "reason"], "WHIM"), r"trace.steps\[3\].drops\[0\].reason: 'WHIM' — one of"),
        (_changed(["evidence", 1, "label"], "P1"), "pack.evidence: the label P1 stands for two passages"),
    ],
)
def test_what_is_no_saved_pack_is_refused_with_the_place(data, message):
    """The error names the path, the value and what would be right."""
    with pytest.raises(PackError, match=message):
        Pack.from_dict(data)


def test_unknown_keys_are_ignored():
    """A later release of the same format may write more."""
    data = rich_pack().to_dict()
    data["evidence"][0]["colour"] = "red"

    assert Pack.from_dict(data).evidence == rich_pack().evidence
