"""Evaluations: whole, interrupted, spread over processes, compared, tuned."""

from __future__ import annotations

import json
from datetime import date, datetime

import pytest

from contextpack_core import LexicalJudge, Policy, pack
from contextpack_core.evaluation.cases import Case, CasesError, Gold, dump_cases
from contextpack_core.evaluation.compare import compare, compare_orders, order_prompts, paired
from contextpack_core.evaluation.run import EvaluationError, Setup, _Rows, evaluate, evaluate_dataset, summarise
from contextpack_core.evaluation.sampling import SampledChecks
from contextpack_core.evaluation.tune import tune

DAY = date(2026, 1, 1)
TIGHT = Policy.from_dict({"budget": {"evidence": 60}})


def case(i, **more):
    texts = [
        f"Rule {i} says that {word} must be kept for {i + 10} days in the store." for word in ("apples", "pears", "plums", "nuts")
    ]
    return Case.from_dict(
        {
            "qid": f"q{i:02}",
            "question": f"How long is it kept by rule {i}?",
            "candidates": [{"id": f"{i}-{n}", "doc_id": f"{i}-{n}", "text": t, "score": 1 - n / 10} for n, t in enumerate(texts)],
            "gold": [f"{i}-{2 if i % 2 else 0}"],
            "intent": "plums" if i % 2 else "apples",
            **more,
        }
    )


CASES = tuple(case(i) for i in range(40))


@pytest.fixture
def path(tmp_path):
    dump_cases(CASES, tmp_path / "cases.jsonl")
    return tmp_path / "cases.jsonl"


def test_an_evaluation_has_measures_in_all_and_by_intent(path):
    """All evidence fits; the same from a file as from memory, but for the signature of the cases."""
    found = evaluate(path, as_of=DAY)

    assert found.overall["whole_evidence"].to_dict() == {"value": 1.0, "low": 0.912378, "high": 1.0, "n": 40, "method": "wilson"}
    assert {intent: e["whole_evidence"].n for intent, e in found.by_intent.items()} == {"apples": 20, "plums": 20}
    assert found.records == evaluate(CASES, as_of=DAY).records
    assert found.signature["policy"] == Policy().fingerprint
    json.dumps(found.to_dict(), allow_nan=False)


def test_processes_make_the_same_bytes(path, tmp_path):
    """Two processes write the records of one, in the order of the file."""
    evaluate(path, as_of=DAY, out=tmp_path / "one.jsonl")
    evaluate(path, as_of=DAY, out=tmp_path / "two.jsonl", workers=2)

    assert (tmp_path / "one.jsonl").read_bytes() == (tmp_path / "two.jsonl").read_bytes()


def test_an_interrupted_run_goes_on(path, tmp_path):
    """Records that are there are not made again, half a line is cut off, and the end is that of a run in one go."""
    out, whole = tmp_path / "records.jsonl", tmp_path / "whole.jsonl"
    expected = evaluate(path, as_of=DAY, out=whole)
    lines = whole.read_bytes().splitlines(keepends=True)
    out.write_bytes(b"".join(lines[:11]) + lines[11][:25])
    seen = []

    found = evaluate(path, as_of=DAY, out=out, progress=lambda done, total: seen.append((done, total)))

    assert seen == [(n, 40) for n in range(10, 41)]
    assert found == expected
    assert out.read_bytes() == whole.read_bytes()


def test_records_of_another_evaluation_are_not_mixed_in(path, tmp_path):
    """The message names what differs."""
    out = tmp_path / "records.jsonl"
    evaluate(path, as_of=DAY, out=out)

    with pytest.raises(EvaluationError, match=r"records of another evaluation \(policy differs\)"):
        evaluate(path, TIGHT, as_of=DAY, out=out)
    out.write_text("{}\n")
    with pytest.raises(EvaluationError, match="no records of an evaluation"):
        evaluate(path, as_of=DAY, out=out)


def test_a_case_that_cannot_be_run_is_reported_and_left_out():
    """The others are measured."""
    bad = Case("bad", "q", sources={"format": 99, "evidence": []}, answer="So it is [P1].")

    found = evaluate((CASES[0], bad), as_of=DAY)

    assert [record["qid"] for record in found.records] == ["q00"]
    assert found.faults == ("bad: PackError: pack.format: 99 — this release reads formats up to 1",)


def failing(made, question):
    """A model that is down for one question."""
    if "rule 1?" in question:
        raise TimeoutError("no answer within 30 s")
    return "It is kept for 10 days [P1]."


def mended(made, question):
    """The same model when it is up again, under the name of the other one."""
    return "It is kept for 10 days [P1]."


@pytest.mark.parametrize(
    ("more", "error"),
    [
        ({"generate": failing}, "TimeoutError: no answer within 30 s"),
        ({"retrieve": lambda case: None}, "TypeError: 'NoneType' object is not iterable"),
        ({"retrieve": lambda case: [3]}, "CandidateError: candidates[0]: int — a Candidate or a mapping is wanted"),
        ({"retrieve": lambda case: 1 / 0}, "ZeroDivisionError: division by zero"),
        ({}, "EvaluationError: retriever: 'bm25' — give the evaluation retrieve={'bm25': function}"),
        (
            {"retrieve": {"dense": lambda case: [], "sparse": lambda case: []}},
            "EvaluationError: retriever: 'bm25' — one of dense, sparse",
        ),
    ],
)
def test_what_a_case_makes_raise_is_told_with_the_case(more, error):
    """The others are measured; nothing but the user ends the run."""
    wrong = case(1) if "generate" in more else Case("q01", "How long is it kept by rule 1?", retriever="bm25")

    found = evaluate([CASES[0], wrong, CASES[2]], as_of=DAY, **more)

    assert [record["qid"] for record in found.records] == ["q00", "q02"]
    assert found.faults == (f"q01: {error}",)


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit])
def test_the_user_ends_the_run(stop):
    """An interruption is no fault of a case."""

    def stopping(made, question):
        raise stop

    with pytest.raises(stop):
        evaluate(CASES[:1], as_of=DAY, generate=stopping)


def test_a_case_whose_function_raised_is_run_again(tmp_path, monkeypatch):
    """A run that goes on asks for it once more; the record of a faulty case stays as it is."""
    out = tmp_path / "records.jsonl"
    first = evaluate(CASES[:3], as_of=DAY, out=out, generate=failing)
    monkeypatch.setattr(mended, "__qualname__", "failing")

    second = evaluate(CASES[:3], as_of=DAY, out=out, generate=mended)

    assert first.faults == ("q01: TimeoutError: no answer within 30 s",)
    assert second.faults == ()
    assert [record["qid"] for record in second.records] == ["q00", "q01", "q02"]
    assert [json.loads(line).get("qid") for line in out.read_text().splitlines()] == [None, "q00", "q02", "q01"]


def test_another_judge_does_not_go_on_with_the_records(tmp_path):
    """Judges, retrievers and models are told apart by name; what has none is not gone on with at all."""
    out = tmp_path / "records.jsonl"
    evaluate(CASES[:3], as_of=DAY, out=out, generate=failing, judge=LexicalJudge())

    with pytest.raises(EvaluationError, match=r"\(judge differs\)"):
        evaluate(CASES[:3], as_of=DAY, out=out, generate=failing, judge=LexicalJudge(0.9))
    with pytest.raises(EvaluationError, match=r"\(generate differs\)"):
        evaluate(CASES[:3], as_of=DAY, out=out, generate=mended, judge=LexicalJudge())
    evaluate(CASES[:3], as_of=DAY, out=tmp_path / "other.jsonl", generate=lambda made, question: "")
    with pytest.raises(
        EvaluationError, match="which nobody can tell from another — take a function of a module, or give it a version"
    ):
        evaluate(CASES[:3], as_of=DAY, out=tmp_path / "other.jsonl", generate=lambda made, question: "")


def test_cases_name_one_of_the_retrievers():
    """Those without candidates and with a name; a function alone is asked for all that have none."""
    hits = {name: [{"id": name, "text": f"The fee is 20 euros, says {name}."}] for name in ("dense", "sparse")}
    named = [Case(name, "What is the fee?", gold=Gold(ids=(name,)), retriever=name) for name in hits]
    retrieve = {name: lambda case, name=name: hits[name] for name in hits}

    found = evaluate([*named, Case("none", "What is the fee?", gold=Gold(ids=("x",)))], as_of=DAY, retrieve=retrieve)

    assert [record["values"].get("retrieved") for record in found.records] == [1.0, 1.0, None]
    assert evaluate(named, as_of=DAY, retrieve=lambda case: hits[case.retriever]).overall["retrieved"].value == 1.0


def test_scores_of_any_size_make_a_record():
    """A gap that is no number is left out."""
    hits = [
        {"id": name, "text": f"The fee of {name} is 20 euros.", "score": n} for name, n in (("apples", 1e308), ("nuts", -1e308))
    ]

    found = evaluate([Case("q", "What is the fee?", hits)], as_of=DAY)

    assert (found.faults, found.records[0]["signals"][:2]) == ((), [1e308, None])


def test_the_reader_is_told_what_to_know():
    """Notes, in the JSON too."""
    found = evaluate([case(i, access=["staff"]) for i in range(12)], as_of=DAY)

    assert found.notes == (
        "12 cases name access, and the policy does not enforce it (access.enforce): what the asker may not see counts as evidence.",
    )
    assert found.to_dict()["notes"] == list(found.notes)


def test_wrong_lines_stop_the_evaluation_or_are_left_out(path):
    """All faults at once; with skip_faulty they are told with the results."""
    with path.open("a") as file:
        file.write('{"qid": ""}\n{"qid": "q00", "question": "again"}\n')

    with pytest.raises(CasesError) as caught:
        evaluate(path, as_of=DAY)
    found = evaluate(path, as_of=DAY, skip_faulty=True)

    assert len(caught.value.faults) == len(found.faults) == 3
    assert len(found.records) == 40


def test_candidates_and_answers_can_be_made_on_the_way():
    """A retriever for cases without candidates, a model for cases without an answer."""
    bare = Case("q", "What is the fee?", reference=("20 euros",))
    hits = [{"id": "a", "text": "The fee is 20 euros."}]

    found = evaluate(
        [bare], as_of=DAY, retrieve=lambda c: hits, generate=lambda made, question: f"20 euros [{made.evidence[0].label}]."
    )

    assert found.overall["answer_correctness"].value == 1.0
    assert found.overall["citation_validity"].value == 1.0


def test_the_matrix_counts_present_and_absent():
    """What is answered and declined, by whether the evidence has the answer."""
    told, silent = "Rule 0 says that apples must be kept for 10 days in the store [P1].", "The documents do not say."
    cases = [case(0, qid="a", answer=told), case(0, qid="b", answer=silent), case(0, qid="c", answer=silent, answerable=False)]

    assert evaluate(cases, as_of=DAY).matrix == {
        "present": {"answered": 1, "declined": 1},
        "absent": {"answered": 0, "declined": 1},
    }


def test_names_that_are_not_known_are_refused():
    """The message lists those that are."""
    with pytest.raises(EvaluationError, match="one of lexical, none"):
        evaluate(CASES[:1], judge="oracle")
    with pytest.raises(EvaluationError, match="one of local, ray"):
        evaluate(CASES[:1], engine="cloud")


class Table(list):
    """What a batch of a Ray data set can do, as far as it is asked."""

    to_pylist = list.copy


def test_a_table_of_cases_makes_the_records_of_the_file(path):
    """Days that a reader of tables made times of, and empty cells, are what they were; a row that is no case is a record too."""
    pyarrow = pytest.importorskip("pyarrow")
    rows = [{**c.to_dict(), "as_of": datetime(2026, 1, 1), "answer": None} for c in CASES[:3]] + [{"qid": "bad"}]

    made = _Rows(Setup(Policy(), DAY, curve_share=1.0))(Table(rows))

    assert isinstance(made, pyarrow.Table)
    records = [json.loads(line) for line in made.column("record").to_pylist()]
    assert records[:3] == list(evaluate(CASES[:3], as_of=DAY).records)
    assert records[3] == {"qid": "bad", "error": "case: question: None — a text"}


def test_a_row_of_a_table_is_read_as_it_was_written():
    """A table has one type for all rows: objects have the keys of all of them, with nulls, and days are times."""
    pytest.importorskip("pyarrow")
    answered = {"qid": "a", "question": "How long?", "answer": "30 days [P2]."}
    checked = SampledChecks(1.0).check("It is kept for 10 days [P1].", pack(CASES[0].candidates, "How long?", as_of=DAY)).record
    editions = [{"id": "x", "doc_id": "x", "text": "It is kept for 10 days.", "edition": "2024-01-01"}]
    broken = {**answered, "answer": {"raw": "It is kept", "parsed": None, "parsing_error": "no JSON"}}
    rows = [
        {**answered, "sources": {"P2": "You have 30 days."}},
        {"qid": "b", "question": "How long?", "candidates": editions, "gold": ["x"]},
        {**checked, "qid": "c", "as_of": "2026-01-01"},
        {**broken, "qid": "d", "sources": {"P1": "So."}},
    ]
    as_table = [
        {**rows[0], "sources": {"P1": None, **rows[0]["sources"]}, "as_of": None},
        {**rows[1], "candidates": [{**editions[0], "edition": datetime(2024, 1, 1), "title": None}]},
        {**rows[2], "as_of": date(2026, 1, 1), "sources": {**rows[2]["sources"], "as_of": datetime(2026, 1, 1), "P1": None}},
        rows[3],
    ]

    made = _Rows(Setup(Policy(), DAY))(Table(as_table))

    records = [json.loads(line) for line in made.column("record").to_pylist()]
    local = evaluate([Case.from_dict(row) for row in rows], as_of=DAY, curve_cases=0)
    assert records[:3] == list(local.records)
    assert (f"d: {records[3]['error']}",) == local.faults
    assert records[3]["error"].startswith("AnswerError: answer.parsed: None (no JSON)")


def test_lines_of_text_are_read_as_those_of_a_file(path):
    """Rows with nothing but ``text``: no types at all, and a line that is no JSON is a record with an error."""
    pytest.importorskip("pyarrow")
    rows = [{"text": line} for line in [*path.read_text().splitlines()[:3], "nonsense", '{"qid": "x"}', "[1]"]]

    made = _Rows(Setup(Policy(), DAY))(Table(rows))

    records = [json.loads(line) for line in made.column("record").to_pylist()]
    assert records == [
        *evaluate(CASES[:3], as_of=DAY, curve_cases=0).records,
        {"qid": "", "error": "case: no JSON: Expecting value in column 1, in 'nonsense'"},
        {"qid": "x", "error": "case: question: None — a text"},
        {"qid": "", "error": "case: an array — an object with qid and question is wanted, in '[1]'"},
    ]


def test_records_are_summed_up_in_any_order():
    """The numbers are those of the order of their ids; one that several have is a fault and counts once."""
    records = list(evaluate(CASES, TIGHT, as_of=DAY).records)
    faulty = {"qid": "", "error": "case: no JSON"}
    doubled = [faulty, *reversed(records), {**records[3], "intent": "other"}, records[5], {"qid": "", "error": "case: empty"}]

    found = summarise(doubled, {"cases": "x"}, TIGHT)

    assert found.overall == evaluate(CASES, TIGHT, as_of=DAY).overall
    assert found.faults == (*[f"q0{i}: qid — given to 2 records" for i in (3, 5)], "case: empty", "case: no JSON")
    assert found == summarise(doubled[::-1], {"cases": "x"}, TIGHT)


def test_two_policies_differ_where_one_has_less_room():
    """A tight budget loses gold of the third rank; what the retriever found is equal."""
    first = evaluate(CASES, as_of=DAY, judge=LexicalJudge())
    second = evaluate(CASES, TIGHT, as_of=DAY, judge=LexicalJudge())

    verdicts = {d.measure: d.verdict for d in compare(first, second).overall}

    assert verdicts["whole_evidence"] == "worse"
    assert verdicts["tokens"] == "better"
    assert verdicts["retrieved"] == "no difference seen"
    assert compare(first, second).broken == compare(second, first).fixed != ()
    with pytest.raises(EvaluationError, match="not of the same cases"):
        compare(first, evaluate(CASES[:3], as_of=DAY))


def test_a_difference_that_may_be_chance_is_no_difference():
    """Wins and losses that balance leave 0 inside the interval."""
    assert paired("whole_evidence", [(0.0, 1.0), (1.0, 0.0)] * 10).verdict == "no difference seen"
    assert paired("whole_evidence", [(0.0, 1.0)] * 9 + [(1.0, 0.0)]).verdict == "better"


def test_orders_are_compared_where_the_evidence_ranked_low():
    """Only the cases with gold of rank 3 or lower are asked, under both orders."""
    asked = []

    def last(made, question):
        asked.append(question)
        return f"{made.evidence[-1].passage.text} [{made.evidence[-1].label}]"

    found = compare_orders(CASES, Policy.from_dict({"budget": {"strategy": "rank"}}), last, as_of=DAY)

    assert {d.measure: d.n for d in found.overall}["citation_validity"] == 20
    assert set(asked) == {c.question for c in CASES if c.intent == "plums"}
    with pytest.raises(EvaluationError, match="generate"):
        compare_orders(CASES, Policy())
    with pytest.raises(EvaluationError, match="ranked third or lower"):
        compare_orders(CASES[:1], Policy(), last)


def test_orders_are_compared_by_recorded_answers():
    """Prompts for both orders, answers that name their prompt: the comparison is that of answers written on the way."""
    policy = Policy.from_dict({"budget": {"strategy": "rank"}})

    def first(made, question):
        return f"{made.evidence[0].passage.text} [{made.evidence[0].label}]"

    prompts = list(order_prompts(CASES, policy, as_of=DAY))
    answers = [{**p, "answer": f"{p['evidence'].splitlines()[1]} [P1]"} for p in prompts]

    assert len(prompts) == 40
    assert [p["order"] for p in prompts[:2]] == ["best_first", "edges"]
    assert len({p["prompt"] for p in prompts}) > 20
    recorded = compare_orders(CASES, policy, answers=answers, as_of=DAY)
    assert recorded == compare_orders(CASES, policy, first, as_of=DAY)
    assert {d.measure: d.n for d in compare_orders(CASES, policy, answers=answers[:5], as_of=DAY).overall}["citation_validity"] == 2
    with pytest.raises(EvaluationError, match="no case has an answer under both orders"):
        compare_orders(CASES, policy, answers=answers[:1], as_of=DAY)
    with pytest.raises(EvaluationError, match="answers to other prompts than these: q01 best_first"):
        compare_orders(CASES, policy, answers=[{**a, "prompt": "old"} for a in answers], as_of=DAY)


def test_tuning_takes_the_cheapest_policy_that_is_good_enough():
    """Every trial is told, and the figures are of cases that it was not chosen by."""
    found = tune(CASES, budgets=(60, 150, 4000), floors=(None,), as_of=DAY)

    best = max(trial.value for trial in found.trials)
    assert found.chosen.value >= best - 0.01
    assert found.chosen.tokens == min(trial.tokens for trial in found.trials if trial.value >= best - 0.01)
    assert found.chosen.policy.budget.evidence == found.chosen.settings["evidence"]
    assert len(found.before.records) == len(found.after.records) == 20
    json.dumps(found.to_dict(), allow_nan=False)
    with pytest.raises(EvaluationError, match="none of the cases has it"):
        tune(CASES, measure="answer_correctness", as_of=DAY)
    with pytest.raises(EvaluationError, match="one where higher is better"):
        tune(CASES, measure="tokens", as_of=DAY)


@pytest.mark.parametrize("read", ["read_text", "read_json"])
def test_ray_data_makes_the_records_of_the_file(path, tmp_path, read):
    """Read as lines of text or as a table, written on the cluster, and summed up in whatever order they come back."""
    data = pytest.importorskip("ray.data")
    cases = getattr(data, read)(str(path))

    evaluate_dataset(cases, TIGHT, as_of=DAY, curve_share=1.0).write_parquet(str(tmp_path / "records"))

    rows = data.read_parquet(str(tmp_path / "records")).take_all()
    made, local = [json.loads(row["record"]) for row in rows], evaluate(path, TIGHT, as_of=DAY)
    found = summarise(made, local.signature, TIGHT)
    assert (found.records, found.overall, found.by_intent) == (local.records, local.overall, local.by_intent)


def test_a_ray_cluster_makes_the_same_bytes(path, tmp_path):
    """The engine ray writes the records of the local one."""
    pytest.importorskip("ray")
    evaluate(path, as_of=DAY, out=tmp_path / "local.jsonl")
    evaluate(path, as_of=DAY, out=tmp_path / "ray.jsonl", engine="ray", workers=2)

    assert (tmp_path / "local.jsonl").read_bytes() == (tmp_path / "ray.jsonl").read_bytes()


def test_a_day_of_the_policy_is_that_of_cases_that_name_none() -> None:
    """As everywhere: the day that is given, else the policy's, else today; the signature has it."""
    hits = [
        {
            "id": "old",
            "doc_id": "h25",
            "family": "home",
            "edition": "2025",
            "effective_from": "2025-01-01",
            "text": "The cap is 5 EUR.",
        },
        {
            "id": "new",
            "doc_id": "h26",
            "family": "home",
            "edition": "2026",
            "effective_from": "2026-01-01",
            "text": "The cap is 6 EUR.",
        },
    ]
    case = Case.from_dict({"qid": "q", "question": "What is the cap?", "candidates": hits, "gold": ["old"]})
    policy = Policy.from_dict({"versions": {"as_of": "2025-06-01"}})
    own, given = evaluate([case], policy), evaluate([case], policy, as_of=date(2026, 6, 1))

    assert [(found.signature["as_of"], found.overall["evidence_recall"].value) for found in (own, given)] == [
        ("2025-06-01", 1),
        ("2026-06-01", 0),
    ]
