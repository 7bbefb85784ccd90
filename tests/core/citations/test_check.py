"""The second spine: packs as sources, structured answers, judges, and what cannot be checked."""

from __future__ import annotations

import json
from datetime import date

import pytest

from contextpack_core import (
    AnswerError,
    ArgumentError,
    CitationSettings,
    CitationStatus,
    ClaimKind,
    FigureStatus,
    Pack,
    Policy,
    ReportStatus,
    Source,
    check,
    pack,
    with_support,
)
from contextpack_core.citations.support import Support, SupportLabel
from contextpack_core.citations.values import SourceText
from tests import hostile


def handbook(**policy: object) -> Pack:
    """A pack of the edition in force; last year's edition and a candidate that is too large were left out."""
    dated = {"family": "handbook", "title": "Handbook"}
    candidates = [
        {
            "id": "old-1",
            "text": "The deductible is 500 EUR.",
            "metadata": {**dated, "doc_id": "h25", "edition": "2025", "effective_from": "2025-01-01"},
        },
        {
            "id": "new-1",
            "text": "The deductible is 750 EUR.",
            "metadata": {**dated, "doc_id": "h26", "edition": "2026", "effective_from": "2026-01-01"},
        },
        {"id": "big-1", "text": "word " * 900, "metadata": {"doc_id": "big"}},
        {"id": "x-1", "text": "The hoist carries 630 kg at most.", "metadata": {"doc_id": "m1"}},
        {"id": "x-2", "text": "The hoist carries 450 kg at most.", "metadata": {"doc_id": "m2"}},
    ]
    from contextpack_core import Policy

    return pack(candidates, "", Policy.from_dict({"budget": {"evidence": 400}, **policy}), as_of=date(2026, 5, 1))


def label_of(made: Pack, candidate: str) -> str:
    return next(e.label for e in made.evidence if candidate in e.passage.candidate_ids)


def test_the_old_editions_figure_is_stale() -> None:
    """A figure that stands only in an edition that does not apply is STALE, and the problem names both editions."""
    made = handbook()
    report = check(f"The deductible is 500 EUR [{label_of(made, 'new-1')}].", made)

    assert (report.status, [f.status for f in report.figures]) == (ReportStatus.FLAGGED, [FigureStatus.STALE])
    assert all(edition in str(report.problems[0]) for edition in ("2025", "2026"))


@pytest.mark.parametrize(
    ("name", "why"), [("old-1", "replaced by edition 2026"), ("h25", "replaced by edition 2026"), ("big-1", "the whole budget")]
)
def test_what_was_dropped_says_why(name: str, why: str) -> None:
    """Citing a candidate, or the document, that was left out is DROPPED with the reason of its drop."""
    report = check(f"It is so [{name}].", handbook())

    assert [c.status for c in report.citations] == [CitationStatus.DROPPED]
    assert why in str(report.problems[0])
    assert (report.validity, report.coverage) == (0.0, 0.0)


def test_what_the_caller_may_not_see_is_unknown() -> None:
    """A candidate without access is told by nothing: its id is an unknown label."""
    made = pack(
        [
            {"id": "s-1", "text": "Secret.", "metadata": {"doc_id": "s", "access": ["board"]}},
            {"id": "p-1", "text": "Public.", "metadata": {"doc_id": "p", "access": ["all"]}},
        ],
        "",
        access=["all"],
    )
    assert {c.status for c in check("It is so [s-1].", made).citations} <= {CitationStatus.UNKNOWN}


def test_one_side_of_a_conflict() -> None:
    """Following one of two passages that disagree is a problem unless both are cited."""
    made = handbook()
    one, two = label_of(made, "x-1"), label_of(made, "x-2")

    assert [p.kind for p in check(f"The hoist carries 630 kg [{one}].", made).problems] == ["conflict"]
    assert check(f"The hoist carries 630 kg [{one}] or 450 kg [{two}].", made).problems == ()


def test_a_saved_pack_is_enough() -> None:
    """The saved pack, as data or read back, gives the report of the live one."""
    made = handbook()
    saved = json.loads(json.dumps(made.to_dict()))
    answers = ["The deductible is 500 EUR [P1].", "So [old-1] it [big-1] is [P1].", "The hoist carries 630 kg [P2]."]

    for answer in answers:
        live = check(answer, made).to_dict()
        assert check(answer, saved).to_dict() == live
        assert check(answer, Pack.from_dict(saved)).to_dict() == live


def test_a_structured_answer() -> None:
    """Declared labels are citations of their claim, unknown ones too; declared quotations are located; the text is not needed."""
    sources = {"P1": "The fee is 40 EUR.", "P2": "The lid is red."}
    answer = {
        "claims": [
            {"text": "The fee is 40 EUR.", "labels": "P1", "quote": "fee is 40"},
            {"text": "The lid is red.", "labels": ["P7"]},
        ]
    }
    report = check(answer, sources)

    assert report.answer == "The fee is 40 EUR.\nThe lid is red."
    assert [(c.labels, c.status.value) for c in report.citations] == [(("P1",), "VALID"), (("P7",), "UNKNOWN")]
    assert [(q.text, q.status.value, q.label) for q in report.quotes] == [("fee is 40", "EXACT", "P1")]
    assert report.coverage == 0.5
    assert report.render("strip") == report.answer


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (7, "answer: int"),
        ({"answer": 7}, "answer.answer: int"),
        ({"answer": "x", "claims": "y"}, "answer.claims: str — a list"),
        ({"claims": [{"labels": ["P1"]}]}, r"answer.claims\[0\]: dict"),
        ({"claims": [{"text": "x", "labels": [1.5]}]}, r"answer.claims\[0\].labels: float"),
    ],
)
def test_no_answer(answer: object, message: str) -> None:
    """What is no answer is an error that names the place."""
    with pytest.raises(AnswerError, match=message):
        check(answer, {"P1": "x"})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("sources", "message"), [(["x"], "sources: list"), ({"P1": 3}, r"sources\['P1'\]: int"), ({1: "x"}, r"sources\[1\]: str")]
)
def test_no_sources(sources: object, message: str) -> None:
    """What are no sources is an error that names the label."""
    with pytest.raises(AnswerError, match=message):
        check("x", sources)  # type: ignore[arg-type]


@pytest.mark.parametrize("empty", [{}, pack([])])
def test_nothing_to_cite_is_not_nothing_known(empty: object) -> None:
    """Where the model was handed nothing a label is made up; only with None nothing can be said of it."""
    made_up, unknown = check("It is so [P1].", empty), check("It is so [P1].", None)

    assert (made_up.status, made_up.citations[0].status) == (ReportStatus.FLAGGED, CitationStatus.UNKNOWN)
    assert (unknown.status, unknown.citations[0].status) == (ReportStatus.NOT_CHECKED, CitationStatus.NOT_CHECKED)


@pytest.mark.parametrize("wrong", [{"marks": "label"}, Policy()])
def test_settings_of_another_kind_are_named(wrong: object) -> None:
    """A policy is not its section."""
    with pytest.raises(ArgumentError, match=r"settings: (dict|Policy) — CitationSettings, such as policy\.citations"):
        check("It is so [P1].", {}, settings=wrong)


def test_a_judge_of_another_kind_is_named() -> None:
    """The name of a judge is none: it would know nothing of any claim, in silence."""
    with pytest.raises(ArgumentError, match=r"^judge: str — a judge, such as LexicalJudge\(\)"):
        check("It is so [P1].", {"P1": "It is so."}, judge="lexical")


def test_a_judge_is_reported_apart() -> None:
    """Verdicts stand in support, one for each claim; a denial flags the report, and a judge that fails says nothing."""

    def judge(claim: str, passages: object) -> Support:
        if "red" in claim:
            raise RuntimeError("no answer")
        return Support(SupportLabel.NOT_SUPPORTED, 0.1, "it says otherwise")

    report = check("The fee is due [P1]. The lid is red [P1]. It rains.", {"P1": "The fee is due. The lid is red."}, judge=judge)

    assert report.support is not None
    assert [s.label.value for s in report.support] == ["not_supported", "unknown", "unknown"]
    assert [p.kind for p in report.problems] == ["uncited", "support"]
    plain = check("The fee is due [P1].", {"P1": "The fee is due."})
    assert (plain.status, with_support(plain, [Support(SupportLabel.CONTRADICTED, 0.0, "no")]).status) == (
        ReportStatus.GROUNDED,
        ReportStatus.FLAGGED,
    )


def test_a_partial_answer() -> None:
    """A refusal beside a grounded statement needs no citation and makes no refusal of the whole."""
    report = check(
        "The fee is 40 EUR [P1]. The documents do not state the deadline. Please ask the office.", {"P1": "The fee is 40 EUR."}
    )

    assert report.status is ReportStatus.GROUNDED
    assert [c.kind for c in report.claims] == [ClaimKind.STATEMENT, ClaimKind.REFUSAL, ClaimKind.REMARK]
    assert [c.text for c in report.refusals] == ["The documents do not state the deadline."]


def test_a_sentence_that_states_and_declines() -> None:
    """What cites and declines in one sentence is a statement."""
    report = check("The fee is 40 EUR [P1], but the documents do not state the deadline.", {"P1": "The fee is 40 EUR."})

    assert (report.status, [c.kind for c in report.claims]) == (ReportStatus.GROUNDED, [ClaimKind.STATEMENT])


def test_settings_switch_parts_off() -> None:
    """Ignored quotations and figures are not looked for; quotations can be required."""
    answer, sources = 'It says "the lid is blue and cold today" at 5 m [P1].', {"P1": "The lid is red."}

    off = check(answer, sources, settings=CitationSettings(quotes="ignore", figures="ignore"))
    required = check("The lid is red [P1].", sources, settings=CitationSettings(quotes="required"))

    assert (off.status, off.quotes, off.figures) == (ReportStatus.GROUNDED, (), ())
    assert [str(p) for p in required.problems] == ["“The lid is red [P1].” quotes nothing: quote the words that support it"]


def test_a_bracket_quoted_from_a_passage_cites_nothing() -> None:
    """Inside open quotation marks and behind the same words as in a passage, a bracket is the passage's."""
    sources = {"P1": "Proceed as in [P2] above.", "P2": "Rule: keep dry."}

    assert [c.labels for c in check('It says "Proceed as in [P2] above" [P1].', sources).citations] == [("P1",)]
    assert [c.labels for c in check("Proceed as in [P2] above.", sources).citations] == [("P2",)]
    assert [c.labels for c in check('It says "keep dry [P2]".', sources).citations] == [("P2",)]


@pytest.mark.parametrize("unit", hostile.ANSWERS)
def test_a_claim_after_a_long_answer(unit: str) -> None:
    """Whatever stands in an answer before it, and however often a passage repeats itself, a claim is held against its passage."""
    sources = {"P1": 'It "as in [P2] above" runs. ' * 500, "P2": "Keep dry. " * 500 + "It weighs 4 kg."}
    report = check(f"{hostile.many(unit, 12_000)}\n\nIt weighs 5 kg [P2].", sources)

    assert report.claims[-1].labels == ("P2",)
    assert (report.figures[-1].text, report.figures[-1].status) == ("5 kg", FigureStatus.UNSUPPORTED)


# ---------------------------------------------------------------- what the header of a passage says


def wording(text: str = "7.1 The deductible is 500 euros for each claim. See page 14.", **fields: object) -> dict[str, SourceText]:
    """One passage of the 2026 edition, on page 12."""
    known: dict[str, object] = {"title": "Policy 2026", "edition": "2026", "page": 12, "section": "7.1"}
    days = {"effective_from": date(2026, 1, 1), "effective_until": date(2027, 1, 1)}
    return {"P1": SourceText("P1", text, source=Source("wording", **{**known, **days, **fields}))}  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "answer",
    [
        "Since 1 January 2026 the deductible is 500 euros [P1].",
        "Until 31 December 2026 the deductible is 500 euros [P1].",
        "Under the 2026 edition the deductible is 500 euros [P1].",
        "The 2026 deductible is 500 euros [P1].",
        "In the edition of 2026 the deductible is 500 euros [P1].",
        "The deductible is 500 euros (2026) [P1].",
        "The deductible is 500 euros from 2026-01-01 [P1].",
        "Clause 7.1 of the wording 2026 sets 500 euros [P1].",
        "Page 12 of Policy 2026 says the deductible is 500 euros [P1].",
        "According to section 7.1 (page 12), the deductible is 500 euros [P1].",
        "Seit dem 1. Januar 2026 beträgt die Selbstbeteiligung 500 Euro [P1].",
        "Laut Ausgabe 2026 beträgt die Selbstbeteiligung 500 Euro [P1].",
    ],
)
def test_what_the_header_says_supports_a_figure(answer: str) -> None:
    """Edition, days, page and section of the cited passage are evidence as its text is."""
    report = check(answer, wording())

    assert (report.status, report.problems) == (ReportStatus.GROUNDED, ())
    assert any(f.status is FigureStatus.SUPPORTED and f.detail == "stands in the header of P1" for f in report.figures)


@pytest.mark.parametrize(
    "answer",
    [
        "Since 1 January 2024 the deductible is 500 euros [P1].",
        "Since 2 January 2026 the deductible is 500 euros [P1].",
        "Under the 2025 edition the deductible is 500 euros [P1].",
        "Policy 2025 sets 500 euros [P1].",
        "The deductible is 12 euros [P1].",
        "The deductible is 12 [P1].",
        "There are 12 claims [P1].",
        "The deductible is 7.1% [P1].",
        "The deductible is 2026 [P1].",
        "The deductible is 2026 euros [P1].",
        "2026 people claim the deductible of 500 euros [P1].",
    ],
)
def test_the_header_supports_no_amount_and_no_other_year(answer: str) -> None:
    """The number of a page or an edition is no amount, no share and no count."""
    assert check(answer, wording()).status is ReportStatus.FLAGGED


def test_a_number_in_a_title_supports_the_same_name_only() -> None:
    """ "Regulation 1215" and "the 3rd edition" are in the header; 1215 of anything else is not."""
    sources = wording(edition="3", title="Regulation 1215 on cover", page=500)

    assert check("Regulation 1215, in the 3rd edition, sets 500 euros [P1].", sources).status is ReportStatus.GROUNDED
    assert check("There are 1215 claims [P1].", sources).status is ReportStatus.FLAGGED
    assert check("It costs 500 dollars [P1].", wording("The hull is insured.", page=500)).status is ReportStatus.FLAGGED


def test_a_header_that_is_not_cited_supports_nothing() -> None:
    """The edition of P2 is no evidence for a claim that cites P1; a plain text has no header."""
    other = wording()["P1"]
    sources = {"P1": "The deductible is 500 euros.", "P2": other}

    assert check("Under the 2026 edition the deductible is 500 euros [P1].", sources).status is ReportStatus.FLAGGED


def test_a_figure_that_stands_nowhere_is_said_once() -> None:
    """The problem says "stands in no passage" once."""
    (problem,) = check("Under the 2025 edition the deductible is 500 euros [P1].", wording()).problems

    assert str(problem).count("stands in no passage") == 1


def test_a_bracket_in_an_address_cites_nothing() -> None:
    """A part of a path is no mark; a mark right behind an address is one."""
    report = check("It is 500 euros, see https://x.example/[P9] or https://x.example/a[P1].", wording())

    assert [c.text for c in report.citations] == ["[P1]"]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("The fee is 40 EUR [P1].", ("GROUNDED", False)),
        ("The fee is 40 EUR [P1]. The deadline is not mentioned.", ("GROUNDED", True)),
        ("The deadline is not mentioned, but the fee is 40 EUR [P1].", ("GROUNDED", True)),
        ("The deadline is not mentioned, but the fee is 80 EUR [P1].", ("FLAGGED", True)),
        ("I can only answer in part:\n- The fee is 40 EUR [P1].", ("GROUNDED", True)),
        ("The deadline is not mentioned in the documents [P1].", ("ABSTAINED", False)),
        ({"answer": "The fee is 40 EUR [P1].", "missing": ["the deadline"]}, ("GROUNDED", True)),
        ({"answer": "The fee is 40 EUR [P1].", "missing": [" "]}, ("GROUNDED", False)),
        ({"answer": "The fee is 80 EUR.", "abstain": True}, ("UNCITED", True)),
    ],
)
def test_an_answer_that_also_says_what_is_missing_is_partial(answer: object, expected: tuple[str, bool]) -> None:
    """It is checked by what it states; an answer that states nothing is an abstention, and no partial answer."""
    report = check(answer, {"P1": "The fee is 40 EUR."})

    assert expected == (report.status, report.partial)
    assert report.to_dict()["partial"] is report.partial
