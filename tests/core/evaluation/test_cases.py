"""Cases read from lines, with an error for each that is wrong."""

from __future__ import annotations

from datetime import date

import pytest

from contextpack_core.evaluation.cases import Case, CasesError, Gold, GoldSpan, dump_cases, load_cases, sample, split

FULL = {
    "qid": "q1",
    "question": "What is the excess?",
    "candidates": [{"id": "a", "text": "The excess is 500 euros."}],
    "gold": [{"doc_id": "d", "start": 0, "end": 3, "text": "The"}],
    "intent": "lookup",
    "as_of": "2026-03-01",
    "access": ["staff"],
    "answer": "500 euros [P1].",
    "reference": "500 euros",
    "answerable": True,
    "stale": ["p25"],
    "sources": {"P1": "The excess is 500 euros."},
    "support": [{"label": "supported"}],
}


def test_a_case_reads_every_key():
    """Texts that may be lists are lists; the day is a date."""
    assert Case.from_dict(FULL) == Case(
        "q1",
        "What is the excess?",
        ({"id": "a", "text": "The excess is 500 euros."},),
        Gold(spans=(GoldSpan("d", 0, 3, "The"),)),
        "lookup",
        date(2026, 3, 1),
        ("staff",),
        "500 euros [P1].",
        ("500 euros",),
        True,
        ("p25",),
        {"P1": "The excess is 500 euros."},
        ({"label": "supported"},),
    )


@pytest.mark.parametrize(
    ("gold", "read"),
    [
        (["a", {"id": "b"}], Gold(ids=("a", "b"))),
        ([{"doc_id": "d"}], Gold(documents=("d",))),
        ([{"quote": "so it is"}], Gold(quotes=("so it is",))),
        ({"quotes": ["so it is"]}, Gold(quotes=("so it is",))),
        ({"spans": [{"doc_id": "d", "start": 1, "end": 2}]}, Gold(spans=(GoldSpan("d", 1, 2),))),
        ({"ids": ["a"]}, Gold(ids=("a",))),
        ({"ids": "abc"}, Gold(ids=("abc",))),
        ({"quotes": "claim"}, Gold(quotes=("claim",))),
        ({"documents": "d1"}, Gold(documents=("d1",))),
        ({"spans": {"doc_id": "d", "start": 1, "end": 2}}, Gold(spans=(GoldSpan("d", 1, 2),))),
        ("abc", Gold(ids=("abc",))),
        (None, Gold()),
    ],
)
def test_gold_comes_in_several_forms(gold, read):
    """Spans, ids, documents, quotes; what stands alone is a list of one."""
    assert Case.from_dict({"qid": "q", "question": "q", "gold": gold}).gold == read


@pytest.mark.parametrize(
    ("more", "fault"),
    [
        ({"gold": {"spans": 3}}, "gold.spans: 3 — a list"),
        ({"gold": {"ids": True}}, "gold.ids: True — a list"),
        (
            {"gold": [{"doc_id": "d", "start": 1, "end": 2, "text": "ab"}]},
            "gold[0].text: 2 code points, the span has 1 — those of the span",
        ),
        ({"gold": [{"doc_id": "d", "start": 1, "end": 2, "text": 7}]}, "gold[0].text: 7 — the text of the span"),
        ({"candidates": {"id": "a", "text": "t"}}, "candidates: {'id': 'a', 'text': 't'} — a list of objects"),
        ({"candidates": "text"}, "candidates: 'text' — a list of objects"),
        ({"sources": {"P1": 3}}, "sources.P1: 3 — a text"),
        (
            {"support": [{"label": "SUPORTED"}]},
            "support[0].label: 'SUPORTED' — one of supported, partially_supported, not_supported, contradicted, unknown",
        ),
        ({"rate": 2}, "rate: 2 — a number from 0 to 1"),
        ({"golds": ["a"]}, "golds: no key of a case — did you mean gold?"),
        ({"answerible": True}, "answerible: no key of a case — did you mean answerable?"),
        ({"Candidate": []}, "Candidate: no key of a case — did you mean candidates?"),
        ({"as-of": "2026-01-01"}, "as-of: no key of a case — did you mean as_of?"),
    ],
)
def test_what_would_be_lost_in_silence_is_a_fault(more, fault):
    """A value of a wrong kind, a text that does not fit its span, a key that looks like one that is lacking."""
    with pytest.raises(CasesError) as caught:
        Case.from_dict({"qid": "q", "question": "q", **more})

    assert caught.value.faults == (f"case: {fault}",)


def test_other_keys_are_let_be():
    """A key of one's own, also one that looks like a key that the case has."""
    assert Case.from_dict({"qid": "q", "question": "q", "gold": ["a"], "golds": 1, "team": "x", "notes": []}).gold.ids == ("a",)


def test_what_is_written_is_read_back(tmp_path):
    """Lone surrogates in texts and empty lists of candidates and labels included."""
    cases = (Case.from_dict(FULL), Case("q2", "half a \ud800 pair", ()), Case("q3", "q", None, Gold(documents=("d",)), access=()))

    assert dump_cases(cases, tmp_path / "cases.jsonl") == 3
    assert load_cases(tmp_path / "cases.jsonl") == cases


def test_every_fault_is_named_with_its_line(tmp_path):
    """All lines are read, and each fault says what would be right."""
    path = tmp_path / "cases.jsonl"
    path.write_bytes(
        b'{"qid": "a", "question": "q"}\n'
        b"\n"
        b'{"qid": "a", "question": "again"}\n'
        b'{"question": "", "gold": [{"doc_id": "d", "start": 3, "end": 3}, 7], "as_of": "soon", "answerable": "no"}\n'
        b"{nonsense\n"
        b'["a list"]\n'
        b'{"qid": "b", "question": "\xff"}\n'
        b'{"qid": "c", "question": "q", "gold": ["x", {"quote": "y"}], "candidates": ["text"]}\n'
        b'{"qid": "d", "question": "q", "rate": ' + b"9" * 5000 + b"}\n" + b"[" * 100_000 + b"\n"
        b"\xef\xbb\xbf\n\xc2\xa0\n" + b'\xef\xbb\xbf{"qid": "e", "question": "q"}\n'
    )

    with pytest.raises(CasesError) as caught:
        load_cases(path)

    assert [fault.removeprefix(str(path)) for fault in caught.value.faults] == [
        ":3: qid: 'a' stands in line 1 already — an id of its own for each case",
        ":4: qid: None — a text that no other case has",
        ":4: question: '' — a text",
        ":4: gold[0]: [3, 3] — start and end in code points, 0 <= start < end",
        ":4: gold[1]: 7 — an id, or an object with doc_id, start and end, with quote, or with id",
        ":4: as_of: 'soon' — a day such as 2026-03-01",
        ":4: answerable: 'no' — true or false",
        ":5: no JSON: Expecting property name enclosed in double quotes in column 2",
        ":6: an array — an object with qid and question is wanted",
        ":7: a byte that is no UTF-8 — save the file as UTF-8",
        ":8: candidates[0]: 'text' — an object",
        ":8: gold: ['ids', 'quotes'] — one kind in a case: their shares cannot be added up",
        ":9: no JSON: a number with too many digits",
        ":10: no JSON: nested too deep",
    ]


@pytest.mark.parametrize(("content", "said"), [(None, "cannot be read"), (b"\n \n", "it is empty")])
def test_a_file_without_cases_is_refused(tmp_path, content, said):
    """No file, or nothing in it."""
    if content is not None:
        (tmp_path / "cases.jsonl").write_bytes(content)

    with pytest.raises(CasesError, match=said):
        load_cases(tmp_path / "cases.jsonl")


CASES = tuple(Case(str(i), "q", intent="even" if i % 2 == 0 else "odd") for i in range(20))


def test_a_sample_keeps_the_order_and_hangs_on_the_seed():
    """The same cases for the same seed; all of them when there are no more."""
    chosen = sample(CASES, 5)

    assert chosen == sample(CASES, 5) != sample(CASES, 5, seed=8)
    assert sorted(chosen, key=lambda c: int(c.qid)) == list(chosen)
    assert sample(CASES, 99) == CASES


def test_a_split_takes_its_share_of_each_intent():
    """Two parts that make the whole, the same for the same seed."""
    first, second = split(CASES, 0.3)

    assert [sum(c.intent == name for c in first) for name in ("even", "odd")] == [3, 3]
    assert sorted((*first, *second), key=lambda c: int(c.qid)) == list(CASES)
    assert split(CASES, 0.3) == (first, second) != split(CASES, 0.3, seed=8)
    with pytest.raises(ValueError, match="between 0 and 1"):
        split(CASES, 1)


def test_a_split_of_many_small_intents_has_its_share():
    """The largest remainders get one more: none of the parts is empty."""
    cases = tuple(Case(str(i), "q", intent=f"intent {i}") for i in range(100))

    assert [len(split(cases, share)[0]) for share in (0.3, 0.5, 0.6)] == [30, 50, 60]
    assert split(cases) == split(cases) != split(cases, seed=8)


def test_sampled_answers_that_were_given_again_are_cases_of_their_own(tmp_path):
    """The second is ``#2``; a case that no sampling kept must have its own qid."""
    path = tmp_path / "sampled.jsonl"
    again = '{"qid": "a", "question": "q", "chosen": "rate", "rate": 0.1}\n'
    path.write_text(again + '{"qid": "a#2", "question": "q"}\n' + again + again)

    assert [case.qid for case in load_cases(path)] == ["a", "a#2", "a#3", "a#4"]


def test_a_message_shows_the_first_faults_and_counts_the_others():
    """A file of another format has a fault in each line; the error holds all of them."""
    error = CasesError([f"line {i}" for i in range(25)])

    assert str(error).splitlines() == [*[f"line {i}" for i in range(20)], "… and 5 more of the kind"]
    assert len(error.faults) == 25
    assert str(CasesError(["one"])) == "one"


def test_a_message_says_one_sentence_once():
    """Where it is said first, and of how many more lines; another file or another sentence is told apart, and no fault is lost."""
    faults = [*[f"a.jsonl:{n}: no verdict: text" for n in range(1, 22)], "a.jsonl:9: other", "b.jsonl:1: other", "b.jsonl:4: other"]
    error = CasesError(faults)

    assert str(error).splitlines() == [
        "a.jsonl:1 (and 20 more lines): no verdict: text",
        "a.jsonl:9: other",
        "b.jsonl:1 (and 1 more line): other",
    ]
    assert error.faults == tuple(faults)
