"""The cases to unfold: gold found and not found, and marked where it stands."""

from __future__ import annotations

import re
from datetime import date

from contextpack_core import Policy
from contextpack_core.evaluation.cases import Case
from contextpack_core.evaluation.observed import observe
from contextpack_core.evaluation.report_cases import case_html, marked

HITS = [
    {"id": "a", "doc_id": "claim", "start": 0, "end": 37, "text": "A claim must be filed within 30 days."},
    {"id": "b", "doc_id": "office", "start": 0, "end": 32, "text": "The office is closed on Sundays."},
]


def shown(**more):
    """The HTML of a case, and what is marked in it."""
    case = Case.from_dict({"qid": "q", "question": "How long?", "candidates": HITS, **more})
    page = case_html(observe(case, Policy(), date(2026, 1, 1)), None)
    return page, re.findall("<mark>(.*?)</mark>", page, re.DOTALL)


def test_marks_that_overlap_are_one():
    """Escaped text, each stretch marked once."""
    assert marked("a<b>cd", [(0, 3), (1, 4), (5, 6)]) == "<mark>a&lt;b</mark><mark>&gt;</mark>c<mark>d</mark>"


def test_each_gold_span_is_listed():
    """The one that the evidence holds, the one of which it holds a part, and the one that it lacks, whose text nobody knows."""
    page, marks = shown(
        gold=[
            {"doc_id": "claim", "start": 0, "end": 21},
            {"doc_id": "claim", "start": 29, "end": 46},
            {"doc_id": "gone", "start": 0, "end": 9},
        ]
    )

    assert re.findall("<li>(.*?)(?:<blockquote|</li>)", page) == [
        "<bdi>claim, 0–21</bdi> <b>found</b>",
        "<bdi>claim, 29–46</bdi> <b>44% found</b>",
        "<bdi>gone, 0–9</bdi> <b>not found</b>",
    ]
    assert marks == ["A claim must be filed", "30 days."]


def test_the_name_of_a_gold_document_is_not_marked_in_a_text():
    """Its passages are, each in its head."""
    page, marks = shown(gold=[{"doc_id": "claim"}, {"doc_id": "gone"}])

    assert re.findall("<li>(.*?)</li>", page) == [
        "<bdi>document claim</bdi> <b>found</b>",
        "<bdi>document gone</bdi> <b>not found</b>",
    ]
    assert marks == ["gold"]
    assert "A claim must be filed within 30 days." in page


def test_a_quotation_is_marked_from_word_to_word():
    """“0 days” does not stand in “30 days”."""
    assert shown(gold=[{"quote": "30  days"}])[1] == ["30 days"]
    assert shown(gold=[{"quote": "0 days"}])[1] == []
    assert shown(candidates=[{"id": "a", "text": "In 30  \n days, or 130 days; 0 days"}], gold=[{"quote": "0 days"}])[1] == [
        "0 days"
    ]
    assert shown(candidates=[{"id": "a", "text": "In 30  \n days."}], gold=[{"quote": "30 days"}])[1] == ["30  \n days"]
    assert shown(candidates=[{"id": "a", "text": "我在北京工作"}], gold=[{"quote": "北京"}])[1] == ["北京"]


def test_a_chunk_is_marked_though_it_begins_within_a_word():
    """It is long, and stands in a passage that was joined."""
    text = "A claim must be filed within thirty days of the loss, in writing."
    hits = [{"id": i, "doc_id": "d", "start": a, "end": b, "text": text[a:b]} for i, a, b in (("a", 0, 20), ("b", 19, len(text)))]

    assert shown(candidates=hits, gold=["b"])[1] == ["gold", text[19:]]


def test_a_gold_candidate_is_marked_in_head_and_text():
    """By its id, and its whole text."""
    page, marks = shown(gold=["b"])

    assert "<li><bdi>candidate b</bdi> <b>found</b>" in page
    assert marks == ["gold", "The office is closed on Sundays."]


def test_nothing_foreign_turns_or_breaks_the_line_it_stands_in():
    """A question with a mark that turns what follows, and a control character."""
    page, _ = shown(question="How\u202e long\x1b?", answer="30 <days> [P1].")

    assert "<bdi>How\u202e long␛?</bdi> <em>no failure</em>" in page
    assert "<b>Answer</b> <bdi>30 &lt;days&gt; [P1].</bdi>" in page


def test_labels_are_cited_in_what_the_answer_was_written_from():
    """The pack of the policy has a passage of that label too, which nobody cited."""
    page, _ = shown(gold=["b"], answer="A claim must be filed within 30 days [P2].", sources={"P1": "x", "P2": HITS[0]["text"]})

    assert re.findall("<h4>(.*?)</h4>", page) == [
        "<bdi>P1</bdi>",
        "<bdi>P2</bdi> · cited",
        "<bdi>P1</bdi> · <bdi>claim</bdi> · 21 tokens",
        "<bdi>P2</bdi> · <bdi>office</bdi> · 20 tokens · <mark>gold</mark>",
    ]


def test_without_a_pack_gold_is_looked_for_in_what_the_answer_was_written_from():
    """Texts by label, and nothing else."""
    page, marks = shown(
        candidates=None, gold=[{"quote": "30 days"}, {"quote": "in May"}], answer="30 days [A].", sources={"A": HITS[0]["text"]}
    )

    assert re.findall("<li>(.*?)<blockquote", page) == [
        "<bdi>quotation</bdi> <b>found</b>",
        "<bdi>quotation</bdi> <b>not found</b>",
    ]
    assert marks == ["30 days"]
