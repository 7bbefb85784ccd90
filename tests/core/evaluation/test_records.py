"""Records on disk: taken up again, locked, and made by something with a name."""

from __future__ import annotations

import json
from functools import partial

import pytest

from contextpack_core import LexicalJudge, PromptedJudge
from contextpack_core.evaluation import records
from contextpack_core.evaluation.engines import EvaluationError
from contextpack_core.evaluation.records import RecordsFile, identity_of, is_nameless

SIGNATURE = {"cases": "c", "as_of": "2026-01-02", "generate": "none", "id": "1"}
HEAD = json.dumps({"signature": SIGNATURE}) + "\n"
GOOD = json.dumps({"qid": "a", "values": {}}) + "\n"
OTHER = json.dumps({"qid": "b", "error": "PackError: format"}) + "\n"


@pytest.mark.parametrize(
    ("content", "left"),
    [
        ("", HEAD),
        (HEAD[:9], HEAD),
        (HEAD[:30], HEAD),
        (HEAD, HEAD),
        (HEAD + GOOD + OTHER, HEAD + GOOD + OTHER),
        (HEAD + GOOD + OTHER[:9], HEAD + GOOD),
        (HEAD + GOOD + "\n" + "nonsense\n" + OTHER, HEAD + GOOD + OTHER),
        (HEAD + '{"a": 1}\n[1]\n5\n{"qid": "q0"}\n{"qid": 1, "values": {}}\n' + GOOD, HEAD + GOOD),
        (HEAD + GOOD + "\x00" * 40, HEAD + GOOD),
        (HEAD + '{"qid": "c", "error": "TimeoutError: ", "again": true}\n' + GOOD, HEAD + GOOD),
    ],
)
def test_what_is_no_record_is_taken_out(tmp_path, content, left):
    """Half lines, damaged ones, those of a case that is to be run again; the others stay."""
    path = tmp_path / "records.jsonl"
    path.write_text(content)

    with RecordsFile(path, SIGNATURE) as file:
        assert path.read_text() == left
        assert list(file.done) == [json.loads(line)["qid"] for line in left.splitlines()[1:]]
        file.write("{}")
    assert path.read_text() == left + "{}\n"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{}\n", "no records of an evaluation — name another place"),
        ("my notes", "no records of an evaluation"),
        (HEAD.replace('"c"', '"d"').replace('"1"', '"2"'), r"another evaluation \(cases differs\) — name another place, or delete"),
        (
            HEAD.replace("01-02", "01-01").replace('"1"', '"2"'),
            r"another evaluation \(as_of differs\): they are of 2026-01-01 — go on with --as-of 2026-01-01",
        ),
    ],
)
def test_a_file_of_something_else_is_left_as_it_is(tmp_path, content, said):
    """The message says what would be right."""
    path = tmp_path / "records.jsonl"
    path.write_text(content)

    with pytest.raises(EvaluationError, match=said):
        RecordsFile(path, SIGNATURE).__enter__()
    assert path.read_text() == content


def test_two_runs_do_not_write_one_file(tmp_path, monkeypatch):
    """The second is told; after the first has ended, it may."""
    monkeypatch.setattr(records, "_ATTEMPTS", 2)
    path = tmp_path / "records.jsonl"
    with RecordsFile(path, SIGNATURE), pytest.raises(EvaluationError, match="another run writes here — wait until it has ended"):
        RecordsFile(path, SIGNATURE).__enter__()

    with RecordsFile(path, SIGNATURE) as file:
        assert file.done == {}


def test_records_of_a_function_without_a_name_are_not_gone_on_with(tmp_path):
    """Nobody knows whether it is the same one; a file without records is begun."""
    path, nameless = tmp_path / "records.jsonl", {**SIGNATURE, "generate": "m.f.<locals>.<lambda>"}
    with RecordsFile(path, nameless) as file:
        file.write(GOOD.strip())

    with pytest.raises(EvaluationError, match=r"records made with generate=m\.f\.<locals>\.<lambda>, .* give it a version"):
        RecordsFile(path, nameless).__enter__()


def of_a_module(case):
    """A retriever."""


class Model:
    """A model with a method."""

    version = "2026-01"

    def write(self, made, question):
        """An answer."""


def with_version(function, version):
    function.version = version
    return function


HERE = __name__


@pytest.mark.parametrize(
    ("made_by", "name"),
    [
        (of_a_module, f"{HERE}.of_a_module"),
        (Model(), f"{HERE}.Model 2026-01"),
        (Model().write, f"{HERE}.Model.write 2026-01"),
        ({"b": of_a_module, "a": Model()}, f"a: {HERE}.Model 2026-01, b: {HERE}.of_a_module"),
        (with_version(lambda case: [], 3), "3"),
        (PromptedJudge(of_a_module), f"contextpack_core.citations.prompted.PromptedJudge(complete={HERE}.of_a_module)"),
        (LexicalJudge(0.6, 0.3), "contextpack_core.citations.lexical.LexicalJudge(partial=0.3, supported=0.6)"),
    ],
)
def test_what_makes_records_has_a_name(made_by, name):
    """Module and qualified name, the version it is given, the functions it holds."""
    assert identity_of(made_by) == name
    assert not is_nameless(name)


@pytest.mark.parametrize(
    "made_by", [lambda case: [], partial(of_a_module, 1), PromptedJudge(lambda prompt: ""), {"a": lambda case: []}]
)
def test_what_is_known_in_one_run_alone_has_none(made_by):
    """Lambdas, partial functions, and what holds such."""
    assert is_nameless(identity_of(made_by))
