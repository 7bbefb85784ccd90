"""The commands eval, tune, orders and judge."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from contextpack_core.commands import app
from contextpack_core.evaluation.intervals import estimate
from contextpack_core.evaluation.records import RecordsFile
from contextpack_core.evaluation.report import Gate

CASE = {
    "qid": "q<1>",
    "question": "Which fruit is <b>red</b>?",
    "candidates": [
        {"id": "a", "doc_id": "x", "start": 0, "end": 38, "text": "Apples </pre> are red & $weet, they say"[:38]},
        {"id": "b", "doc_id": "y", "start": 0, "end": 16, "text": "Pears are green."},
    ],
    "gold": [{"doc_id": "x", "start": 0, "end": 21}],
    "intent": "$colour",
    "answer": "Pears are green [P2].",
    "reference": "Apples",
    "answerable": True,
}
OTHER = {**CASE, "qid": "q2", "intent": None, "answerable": False}


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cases.jsonl").write_text("".join(json.dumps(c) + "\n" for c in (CASE, OTHER)))
    (tmp_path / "a.yaml").write_text("budget: {evidence: 500}\n")
    (tmp_path / "b.yaml").write_text("budget: {evidence: 20}\n")
    return lambda *arguments: CliRunner().invoke(app, [*arguments, "--as-of", "2026-01-01", "--workers", "1"])


def test_eval_writes_tables_page_json_and_records(run, tmp_path):
    """Two policies, compared; the page is one file that loads nothing, and texts in it are texts."""
    result = run("eval", "cases.jsonl", "--policy", "a.yaml", "--against", "b.yaml", "--out", "out")

    assert result.exit_code == 0, result.output
    assert "whole_evidence" in result.stdout
    assert "NOT_CITED" in result.stdout
    assert "a.yaml against b.yaml: differences are a.yaml minus b.yaml" in result.stdout
    data = json.loads((tmp_path / "out/report.json").read_text())
    assert data["failures"] == {"ANSWERED_ABSENT": 1, "NOT_CITED": 1}
    assert (data["comparison"]["first"], data["comparison"]["second"]) == ("b.yaml", "a.yaml")
    assert [d["difference"] > 0 for d in data["comparison"]["overall"] if d["measure"] == "tokens"] == [True]
    assert {d["measure"] for d in data["comparison"]["overall"]} >= {"tokens", "evidence_recall"}
    assert len((tmp_path / "out/records.jsonl").read_text().splitlines()) == 3
    page = (tmp_path / "out/report.html").read_text()
    assert [found for found in re.findall(r"""(?:src|href)=["']?([^"'\s>]*)""", page) if not found.startswith("#")] == []
    assert "<b>red</b>" not in page
    assert "<mark>Apples &lt;/pre&gt; are red</mark>" in page
    svgs = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    assert len(svgs) >= 3
    for svg in svgs:
        ElementTree.fromstring(svg)


@pytest.mark.parametrize("count", [1, 2])
def test_a_file_of_one_or_two_cases_is_evaluated(run, tmp_path, count):
    """Too few to suggest a budget, and it says so."""
    only = {**CASE, "candidates": CASE["candidates"][:1], "answer": "Apples are red [P1]."}
    cases = [{**only, "qid": str(i)} for i in range(count)]
    (tmp_path / "cases.jsonl").write_text("".join(json.dumps(c) + "\n" for c in cases))

    result = run("eval", "cases.jsonl", "--out", "out")

    assert result.exit_code == 0, result.output
    knee = json.loads((tmp_path / "out/report.json").read_text())["knees"]["all"]
    assert (knee["n"], knee["budget"]) == (count, None)
    assert f"all: no budget suggested: {count} with a curve are too few, at least 20 cases are wanted" in result.stdout


def test_where_no_budget_is_suggested_a_sentence_says_why(run, tmp_path):
    """In tables and page, and of the tuning too."""
    hits = [{"id": "a", "doc_id": "a", "text": "Apples are red."}, {"id": "b", "doc_id": "b", "text": "Apples are sweet. " * 9}]
    cases = [{"qid": str(i), "question": "How are apples?", "candidates": hits, "gold": ["a", "b"]} for i in range(6)]
    (tmp_path / "cases.jsonl").write_text("".join(json.dumps(c) + "\n" for c in cases))

    result = run("eval", "cases.jsonl", "--out", "out")
    tuned = run("tune", "cases.jsonl", "--out", "tuned", "--budgets", "4000")

    assert json.loads((tmp_path / "out/report.json").read_text())["knees"]["all"]["budget"] is None
    assert "all: no budget suggested: 6 with a curve are too few" in result.stdout
    assert "no budget suggested: 6 with a curve are too few" in (tmp_path / "out/report.html").read_text()
    assert re.search(r"knee: \d+ tokens \(\d+–\d+\); no budget suggested: 3 with a curve are too few", tuned.stdout)


def test_the_cases_of_the_docs_are_evaluated(run, tmp_path):
    """The file that the first snippet of the page writes."""
    page = (Path(__file__).parents[3] / "docs/evaluation.md").read_text(encoding="utf-8")
    exec(re.findall(r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)[0], {})

    result = run("eval", "cases.jsonl", "--out", "out")

    assert result.exit_code == 0, result.output
    assert json.loads((tmp_path / "out/report.json").read_text())["failures"] == {"UNSUPPORTED": 1}


def test_the_same_input_makes_the_same_page(run, tmp_path):
    """No clock, no random ids."""
    run("eval", "cases.jsonl", "--out", "one")
    run("eval", "cases.jsonl", "--out", "two")

    assert (tmp_path / "one/report.html").read_bytes() == (tmp_path / "two/report.html").read_bytes()


def test_a_bound_that_is_not_kept_ends_with_1(run):
    """At least for measures where higher is better, at most for the others; what is kept ends with 0."""
    kept = run("eval", "cases.jsonl", "--out", "out", "--fail-under", "evidence_recall=1", "--fail-under", "tokens=500", "--json")
    broken = run("eval", "cases.jsonl", "--out", "out", "--fail-under", "cited=0.5", "--fail-under", "tokens=1")

    assert kept.exit_code == 0
    assert json.loads(kept.stdout)["gates"] == {"broken": [], "kept": True}
    assert broken.exit_code == 1
    assert "cited: 0, at least 0.5 was wanted" in broken.stderr
    assert "at most 1 was wanted" in broken.stderr


def test_a_bound_is_kept_at_equality():
    """As values are reported: a mean may be a hair below what it is."""
    mean = {"evidence_recall": estimate([0.7, 0.7, 0.7])}

    assert mean["evidence_recall"].value < 0.7
    assert Gate("evidence_recall", 0.7).broken_by(mean) is None
    assert Gate("evidence_recall", 0.70001).broken_by(mean) == "evidence_recall: 0.7, at least 0.70001 was wanted"


def test_cases_that_could_not_be_run_end_with_2(run, tmp_path):
    """After everything is written, and whatever bounds are kept; with --skip-faulty they are left out."""
    wrong = {**CASE, "qid": "wrong", "sources": {"format": 99, "evidence": []}}
    (tmp_path / "cases.jsonl").write_text("".join(json.dumps(c) + "\n" for c in (CASE, wrong, {**wrong, "qid": "w2"})))

    ended = run("eval", "cases.jsonl", "--out", "out", "--fail-under", "evidence_recall=0.9")
    report = (tmp_path / "out/report.json").read_text()
    skipped = run("eval", "cases.jsonl", "--out", "out", "--fail-under", "evidence_recall=0.9", "--skip-faulty")

    assert (ended.exit_code, skipped.exit_code) == (2, 0)
    assert ended.stderr == (
        "contextpack: 2 of 3 cases could not be run, the first: wrong: PackError: pack.format: 99 — this release reads formats up "
        "to 1 — mend them, or leave them out with --skip-faulty\n"
    )
    assert len(json.loads(report)["faults"]) == 2


def test_a_run_that_is_stopped_says_how_far_it_came(run, tmp_path, monkeypatch):
    """And the same command goes on from there."""
    written = RecordsFile.write

    def stopping(file, line):
        written(file, line)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(RecordsFile, "write", stopping)
        stopped = run("eval", "cases.jsonl", "--out", "out")
    again = run("eval", "cases.jsonl", "--out", "out")

    assert stopped.exit_code == 130
    assert stopped.stderr == "contextpack: stopped: 0 of 2 cases are done; the same command goes on from there\n"
    assert again.exit_code == 0
    assert len((tmp_path / "out/records.jsonl").read_text().splitlines()) == 3


def test_records_of_another_day_are_gone_on_with_by_naming_it(run):
    """The message has what to add to the command."""
    run("eval", "cases.jsonl", "--out", "out")

    result = CliRunner().invoke(app, ["eval", "cases.jsonl", "--out", "out", "--as-of", "2026-01-02"])

    assert result.exit_code == 2
    assert "(as_of differs): they are of 2026-01-01 — go on with --as-of 2026-01-01" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("eval", "none.jsonl", "--out", "out"), "none.jsonl: cannot be read"),
        (("eval", "bad.jsonl", "--out", "out"), "bad.jsonl:1: qid: None"),
        (("eval", "bad.jsonl", "--out", "out", "--skip-faulty"), "bad.jsonl: not one case could be evaluated"),
        (("eval", "cases.jsonl", "--out", "out", "--fail-under", "luck=1"), "no measure 'luck'"),
        (("eval", "cases.jsonl", "--out", "out", "--fail-under", "cited=much"), "a number"),
        (("eval", "cases.jsonl", "--out", "out", "--fail-under", "cited=nan"), "'nan' — a number, as in cited=0.8"),
        (("eval", "cases.jsonl", "--out", "out", "--fail-under", "cited=inf"), "'inf' — a number, as in cited=0.8"),
        (("eval", "cases.jsonl", "--out", "out", "--judge", "nli"), "one of lexical, none; for another one evaluate(…, judge=…)"),
        (("eval", "cases.jsonl", "--out", "a.yaml"), "a.yaml"),
        (("eval", "cases.jsonl", "--out", "a.yaml/below"), "cannot be"),
        (("eval", "cases.jsonl", "--out", "folder"), "cannot be"),
        (("tune", "many.jsonl", "--out", "a.yaml", "--budgets", "100"), "cannot be written"),
        (("tune", "cases.jsonl", "--out", "out", "--budgets", "few"), "whole numbers"),
    ],
)
def test_wrong_input_ends_with_2_and_one_line(run, tmp_path, arguments, said):
    """What is wrong, and what would be right; never a traceback."""
    (tmp_path / "folder/records.jsonl").mkdir(parents=True)
    (tmp_path / "many.jsonl").write_text("".join(json.dumps({**CASE, "qid": str(i)}) + "\n" for i in range(6)))
    (tmp_path / "bad.jsonl").write_text('{"question": "q"}\n')

    result = run(*arguments)

    assert result.exit_code == 2, result.output
    assert said in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert "Traceback" not in result.output


def test_tune_writes_a_policy_that_reads_back(run, tmp_path):
    """The policy, what was tried, and the page on the other part."""
    cases = [{**CASE, "qid": str(i)} for i in range(6)]
    (tmp_path / "cases.jsonl").write_text("".join(json.dumps(c) + "\n" for c in cases))

    result = run("tune", "cases.jsonl", "--out", "out", "--budgets", "100,4000")

    assert result.exit_code == 0, result.output
    assert "chosen: evidence" in result.stdout
    assert CliRunner().invoke(app, ["policy", "validate", "out/policy.yaml"]).exit_code == 0
    assert json.loads((tmp_path / "out/tuning.json").read_text())["trials"]
    assert (tmp_path / "out/report.html").exists()


def test_eval_suggests_a_threshold_with_its_bound(run, tmp_path):
    """In tables, page and JSON, as YAML to paste; with an error that none keeps it says so."""
    cases = [
        {
            "qid": str(i),
            "question": f"What is the fee of plan {i}?",
            "candidates": [{"id": "a", "text": f"Plan {i} costs {i} euros.", "score": 0.9 - i / 1000 if i % 2 else 0.2 + i / 1000}],
            "answerable": bool(i % 2),
        }
        for i in range(200)
    ]
    (tmp_path / "cases.jsonl").write_text("".join(json.dumps(c) + "\n" for c in cases))

    result = run("eval", "cases.jsonl", "--out", "out", "--error", "0.2")

    assert result.exit_code == 0, result.output
    score, coverage = json.loads((tmp_path / "out/report.json").read_text())["thresholds"]
    assert "Answering from a score of " in result.stdout
    assert "No threshold on the coverage keeps wrong answers to 20%" in result.stdout
    assert score["yaml"] in result.stdout
    assert coverage["yaml"] is None
    page = (tmp_path / "out/report.html").read_text()
    assert f"<pre>{score['yaml']}</pre>" in page
    (tmp_path / "suggested.yaml").write_text(score["yaml"])
    again = run("eval", "cases.jsonl", "--out", "again", "--policy", "suggested.yaml", "--fail-under", "miss_rate=0.2", "--json")
    assert again.exit_code == 0, again.output


def test_orders_without_a_case_to_compare_ends_with_2(run, tmp_path):
    """The evidence ranks first: there is nothing to answer, and no file to answer it in."""
    result = CliRunner().invoke(app, ["orders", "cases.jsonl", "--out", "out", "--as-of", "2026-01-01"])

    assert result.exit_code == 2
    assert "there is no case to compare — the evidence of one must be ranked third or lower" in result.stderr
    assert not (tmp_path / "out/prompts.jsonl").exists()


def test_the_curve_may_be_left_out(run, tmp_path):
    """No case is packed under other budgets, and there is no knee."""
    run("eval", "cases.jsonl", "--out", "out", "--curve-cases", "0")

    assert json.loads((tmp_path / "out/report.json").read_text())["knees"] == {}
    assert 'curve"' not in (tmp_path / "out/records.jsonl").read_text()


def test_orders_writes_prompts_and_compares_their_answers(run, tmp_path):
    """Two steps, with a model of the user's between them."""
    hits = [{"id": str(n), "doc_id": str(n), "text": f"Rule {n} says {n + 10} days."} for n in range(4)]
    cases = [{"qid": f"q{i}", "question": "How long?", "candidates": hits, "gold": ["3" if i else "0"]} for i in range(3)]
    (tmp_path / "cases.jsonl").write_text("".join(json.dumps(c) + "\n" for c in cases))
    order = CliRunner()

    made = order.invoke(app, ["orders", "cases.jsonl", "--out", "out", "--as-of", "2026-01-01"])
    prompts = [json.loads(line) for line in (tmp_path / "out/prompts.jsonl").read_text().splitlines()]
    answers = [{**{k: p[k] for k in ("qid", "order", "prompt")}, "answer": "It is 13 days [P1]."} for p in prompts]
    (tmp_path / "answers.jsonl").write_text("".join(json.dumps(a) + "\n" for a in answers))
    told = order.invoke(app, ["orders", "cases.jsonl", "--out", "out", "--as-of", "2026-01-01", "--answers", "answers.jsonl"])
    bad = order.invoke(app, ["orders", "cases.jsonl", "--out", "out", "--answers", "a.yaml"])

    assert made.exit_code == 0, made.output
    assert "4 prompts of 2 cases" in made.stdout
    assert told.exit_code == 0, told.output
    assert "edges against best_first" in told.stdout
    assert re.search(r"measure +best_first +edges +difference", told.stdout)
    assert {d["n"] for d in json.loads((tmp_path / "out/orders.json").read_text())["overall"]} == {2}
    assert bad.exit_code == 2
    assert "a.yaml:1: an object with qid, order, prompt and answer is wanted" in bad.stderr


def test_judge_tells_how_far_a_judge_can_be_trusted(run, tmp_path):
    """Confusion and sentences, or JSON; the judge at hand or recorded verdicts."""
    near, far = "Claims are filed within 30 days.", "The office is in Oslo."
    pairs = [{"claim": near, "passage": near, "label": "SUPPORTS", "verdict": False}] * 5
    pairs += [{"claim": far, "passage": near, "label": "REFUTES", "verdict": False}] * 5
    (tmp_path / "pairs.jsonl").write_text("".join(json.dumps(p) + "\n" for p in pairs))
    invoke = CliRunner().invoke

    lexical = invoke(app, ["judge", "pairs.jsonl"])
    recorded = invoke(app, ["judge", "pairs.jsonl", "--judge", "recorded", "--json"])
    unknown = invoke(app, ["judge", "pairs.jsonl", "--judge", "oracle"])

    assert lexical.exit_code == 0, lexical.output
    assert "Agrees with people on 100% of 10 claims" in lexical.stdout
    assert json.loads(recorded.stdout)["confusion"]["supported"] == {"supported": 0, "unsupported": 5}
    assert unknown.exit_code == 2
    assert "lexical, recorded, or a folder" in unknown.stderr


def test_an_output_that_lacks_characters_gets_escapes(run, tmp_path):
    """A report in ASCII, with an id of half a character and one that a terminal would obey, is whole, and ends with 0."""
    cases = [{**CASE, "qid": qid} for qid in ("q\x1b]0;owned\x07", "q\ud800")]
    (tmp_path / "cases.jsonl").write_text("".join(json.dumps(c) + "\n" for c in cases))

    result = CliRunner(charset="ascii").invoke(
        app, ["eval", "cases.jsonl", "--out", "out", "--against", "b.yaml", "--workers", "1"]
    )

    assert result.exit_code == 0, result.output
    assert "0.000\\u20130" in result.stdout
    assert "fails only under policy: none" in result.stdout
    assert {c for c in result.stdout if not c.isprintable()} <= {"\n"}
