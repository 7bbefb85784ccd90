"""The command line, run in this process and as a command of its own."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

import contextpack_core
from contextpack_core.commands import app
from contextpack_core.policy import Policy
from contextpack_core.template import policy_template

OLD = {
    "id": "old",
    "text": "The deductible is 400 EUR.",
    "score": 0.9,
    "metadata": {"doc_id": "p25", "family": "home", "edition": "2025", "effective_from": "2025-01-01"},
}
NEW = {
    "id": "new",
    "text": "The deductible is 500 EUR.",
    "score": 0.8,
    "metadata": {"doc_id": "p26", "family": "home", "edition": "2026", "effective_from": "2026-01-01"},
}
SECRET = {"id": "board-7", "text": "Merger plan", "metadata": {"doc_id": "s", "acl": ["board"], "title": "Merger"}}
DAY = ("--as-of", "2026-06-01")
WORDED = "tokenizer: o200k_base\nbudget: {evidence: 500}\n"


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def invoke(*arguments, given=None):
        return CliRunner().invoke(app, [str(a) for a in arguments], input=given)

    return invoke


@pytest.fixture
def hits(tmp_path):
    path = tmp_path / "hits.jsonl"
    path.write_text("".join(json.dumps(c) + "\n" for c in (OLD, NEW)), encoding="utf-8")
    return path


# ---- pack


def test_pack_prints_the_text_for_the_prompt(run, hits):
    """The rendered evidence goes to the output, a line on the pack to the errors."""
    result = run("pack", hits, "--query", "What is the deductible?", *DAY)

    assert (result.exit_code, result.stdout) == (
        0,
        '<passage id="P1" edition="2026" effective="from 2026-01-01">\nThe deductible is 500 EUR.\n</passage>\n',
    )
    assert re.fullmatch(r"READY: 1 passage, \d+ of 4000 tokens( \(at most\))?, 1 left out, as of 2026-06-01\n", result.stderr)


def test_pack_says_what_it_wrote(run, hits):
    """With ``--out`` the output stays empty; the line on the pack names the file."""
    result = run("pack", hits, "--query", "What is the deductible?", *DAY, "--out", "pack.jsonl")

    assert (result.exit_code, result.stdout) == (0, "")
    assert re.fullmatch(
        r"READY: 1 passage, \d+ of 4000 tokens( \(at most\))?, 1 left out, as of 2026-06-01; written to pack.jsonl\n", result.stderr
    )


@pytest.mark.parametrize("form", ["lines", "array", "record", "records", "stdin", "bom"])
def test_pack_reads_json_lines_arrays_and_the_standard_input(run, tmp_path, form):
    """Candidates as lines or as an array, or a record that brings its query with it, give the same pack."""
    path = tmp_path / "hits.json"
    request = {"query": "q", "candidates": [OLD, NEW]}
    lines = json.dumps(OLD) + "\n\n" + json.dumps(NEW)
    texts = {"array": json.dumps([OLD, NEW], indent=1), "record": json.dumps(request, indent=1), "records": json.dumps([request])}
    path.write_text(("\ufeff" if form == "bom" else "") + texts.get(form, lines), encoding="utf-8")

    if form == "stdin":
        result = run("pack", "-", "-q", "q", "--json", *DAY, given=lines)
    else:
        result = run("pack", path, "-q", "q", "--json", *DAY)

    assert result.exit_code == 0
    assert json.loads(result.stdout)["trace"]["accepted"][0]["candidate_ids"] == ["new"]


def test_pack_takes_many_queries(run, tmp_path):
    """Each record is a query with its own candidates, day and labels; each gives a line, also where nothing was found."""
    path = tmp_path / "queries.jsonl"
    records = [
        {"query": "now", "candidates": [OLD, NEW]},
        {"query": "then", "candidates": [OLD, NEW], "as_of": "2025-06-01"},
        {"query": "nothing", "candidates": []},
    ]
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")

    result = run("pack", path, *DAY, "--out", "packs.jsonl")

    packs = [json.loads(line) for line in Path("packs.jsonl").read_text(encoding="utf-8").splitlines()]
    assert (result.exit_code, result.stdout) == (0, "")
    assert [p["trace"].get("accepted", [{}])[0].get("candidate_ids") for p in packs] == [["new"], ["old"], None]
    assert result.stderr == "3 queries: 2 READY, 1 EMPTY; written to packs.jsonl\n"
    assert run("pack", path, *DAY).stderr == f"contextpack: {path}: 3 queries — add --json, or --out FILE\n"
    assert len(run("pack", path, *DAY, "--json").stdout.splitlines()) == 3


def test_pack_keeps_to_the_policy_and_the_callers_labels(run, tmp_path):
    """Without a label that fits nothing comes out, and nothing of it is told; then the exit code is 1."""
    hits, policy = tmp_path / "hits.json", tmp_path / "policy.yaml"
    hits.write_text(json.dumps([SECRET]), encoding="utf-8")
    policy.write_text("access: {enforce: true, field: acl}\n", encoding="utf-8")

    refused = run("pack", hits, "-q", "q", "-p", policy, "--access", "staff", "--access", "guest", "--json", *DAY)
    allowed = run("pack", hits, "-q", "q", "-p", policy, "-a", "staff", "-a", "board", "--json", *DAY)

    assert (refused.exit_code, allowed.exit_code) == (1, 0)
    assert not any(secret in refused.output for secret in ("board", "Merger"))
    assert json.loads(refused.stdout)["outcome"] == "EMPTY"


def test_pack_declines_with_1(run, hits, tmp_path):
    """Candidates that are all below the floor are no evidence."""
    policy = tmp_path / "policy.yaml"
    policy.write_text("relevance: {min_score: 5}\n", encoding="utf-8")

    result = run("pack", hits, "-q", "q", "-p", policy, *DAY)

    assert result.exit_code == 1
    assert result.stderr.startswith("DECLINE: 0 passages, 0 of 4000 tokens")
    assert result.stderr.endswith(", 2 left out, as of 2026-06-01\n")


def test_pack_gives_advice(run, hits, tmp_path):
    """What to do if something worth having did not fit stands behind the line on the pack, and in the account of a saved one."""
    policy = tmp_path / "policy.yaml"
    policy.write_text("budget: {evidence: 50}\nversions: {prefer: all}\n", encoding="utf-8")

    result = run("pack", hits, "-q", "q", "-p", policy, *DAY)
    assert result.stderr.startswith("PARTIAL: ")
    assert "\nadvice: raise budget.evidence to " in result.stderr
    run("pack", hits, "-q", "q", "-p", policy, *DAY, "--out", tmp_path / "pack.jsonl")
    assert "\nadvice: raise budget.evidence to " in run("explain", tmp_path / "pack.jsonl").stdout


def test_pack_may_be_told_the_intent(run, hits, tmp_path):
    """Then no cue is looked for."""
    policy = tmp_path / "policy.yaml"
    policy.write_text("intents:\n  all: {versions: {prefer: all}}\n  other: {cues: q}\n", encoding="utf-8")

    result = run("pack", hits, "-q", "q", "-p", policy, "--intent", "all", *DAY)

    assert result.stderr.startswith("READY: 2 passages")


# One line a kind: the file's text, the further arguments, and the complaint.
WRONG = {
    "no file": (None, ["-q", "q"], "contextpack: in.json: there is no such file"),
    "no query": (json.dumps([OLD]), [], "contextpack: in.json: candidates without a query — add --query"),
    "empty": ("", ["-q", "q"], "contextpack: in.json: it is empty — JSON lines or a JSON array are wanted"),
    "no JSON": ("hello", ["-q", "q"], "contextpack: in.json:1: no JSON: Expecting value"),
    "a broken array": ('[{"id": 1},\n', ["-q", "q"], "contextpack: in.json:2: no JSON: Expecting value"),
    "a broken line": ('{"id": "a"}\n{"id": \n', ["-q", "q"], "contextpack: in.json:2: no JSON: Expecting value"),
    "a number": ("5", ["-q", "q"], "contextpack: in.json: a number — a candidate is wanted, as in the other records"),
    "a text among candidates": (
        '[{"text": "a"}, "b"]',
        ["-q", "q"],
        "contextpack: in.json[1]: a text — a candidate is wanted, as in the other records",
    ),
    "mixed records": (
        '{"query": "q", "candidates": []}\n{"text": "a"}\n',
        [],
        "contextpack: in.json:2: an object — a record with query and candidates is wanted, as in the other records",
    ),
    "a record without a query": ('{"candidates": []}', [], "contextpack: in.json: no query — give the record one, or add --query"),
    "a saved pack": (
        '{"format": 1, "evidence": [], "text": ""}',
        ["-q", "q"],
        "contextpack: in.json: a saved pack — what a retriever found is wanted: this is packed already",
    ),
    "candidates under another name": (
        '{"query": "q", "hits": [{"text": "a"}]}',
        ["-q", "q"],
        "contextpack: in.json: an object without a text — are these the candidates, under 'hits'? Give that list alone, or call it "
        "candidates",
    ),
    "no list": ('{"query": "q", "candidates": 5}', [], "contextpack: in.json: candidates is a number — a list is wanted"),
    "no candidate": (
        '{"query": "q", "candidates": [5]}',
        [],
        "contextpack: in.json: candidates[0]: int — a Candidate or a mapping is wanted",
    ),
    "a day in a record": (
        '{"query": "q", "candidates": [], "as_of": "soon"}',
        [],
        "contextpack: in.json: as_of: 'soon' — a date that exists, like 2026-03-01",
    ),
    "labels in a record": (
        '{"query": "q", "candidates": [], "access": 5}',
        [],
        "contextpack: in.json: access is a number — a list of labels is wanted",
    ),
    "a day": (
        json.dumps([OLD]),
        ["-q", "q", "--as-of", "2026-02-30"],
        "contextpack: --as-of: '2026-02-30' — a date that exists, like 2026-03-01",
    ),
    "no policy": (
        json.dumps([OLD]),
        ["-q", "q", "-p", "no.yaml"],
        "contextpack: no.yaml (file): 'no.yaml' — there is no such file in",
    ),
    "no intent": (json.dumps([OLD]), ["-q", "q", "--intent", "x"], "contextpack: policy intents: 'x' — this policy has no intents"),
    "an unknown option": (json.dumps([OLD]), ["--qeury", "q"], "contextpack pack: No such option"),
    "nowhere to write": (
        json.dumps([OLD]),
        ["-q", "q", "-o", "no/such/dir.jsonl"],
        "contextpack: no/such/dir.jsonl: cannot be written",
    ),
    "too deep": ("[" * 100_000, ["-q", "q"], "contextpack: in.json: nested too deep"),
}


@pytest.mark.parametrize("kind", WRONG)
def test_wrong_input_is_one_line_and_exit_2(run, kind):
    """What is wrong, where, and the fix; no traceback, nothing on the output."""
    text, arguments, complaint = WRONG[kind]
    if text is not None:
        Path("in.json").write_text(text, encoding="utf-8")

    result = run("pack", "in.json", *arguments)

    assert (result.exit_code, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 1
    assert result.stderr.startswith(complaint)


def test_bytes_that_are_no_utf8_are_said_to_be_so(run):
    """With the place of the first one."""
    Path("in.json").write_bytes(b'["caf\xe9"]')

    assert run("pack", "in.json", "-q", "q").stderr == "contextpack: in.json: byte 5 is no UTF-8 — save the file as UTF-8\n"


def test_every_fault_of_a_policy_is_a_line(run, hits):
    """Two wrong settings, two lines."""
    Path("p.yaml").write_text("budget:\n  evidense: 1\ndedup: {near: 2}\n", encoding="utf-8")

    result = run("pack", hits, "-q", "q", "-p", "p.yaml")

    assert result.exit_code == 2
    assert result.stderr.splitlines() == [
        "contextpack: p.yaml:2 budget.evidense: 1 — no such setting; did you mean evidence?",
        "contextpack: p.yaml:3 dedup.near: 2 — at most 1",
    ]


def test_what_a_terminal_would_obey_is_shown_as_an_escape(run, tmp_path):
    """Escape sequences in texts and ids do not reach the terminal; JSON holds them as they are."""
    hits = tmp_path / "hits.json"
    hits.write_text(json.dumps([{"id": "a\x1b[31m", "text": "red\x1b[31m \udfff\u202e"}]), encoding="utf-8")

    shown = run("pack", hits, "-q", "q", *DAY).output
    saved = run("pack", hits, "-q", "q", "--json", *DAY).stdout
    Path("pack.json").write_text(saved, encoding="utf-8")

    assert "\x1b" not in shown + run("explain", "pack.json").output
    assert "\u202e" not in shown
    assert "\\x1b[31m" in run("explain", "pack.json").stdout


# ---- explain, check


@pytest.fixture
def saved(run, hits):
    Path("pack.json").write_text(run("pack", hits, "-q", "What is the deductible?", "--json", *DAY).stdout, encoding="utf-8")
    return "pack.json"


def test_explain_says_what_became_of_a_candidate(run, saved):
    """In one sentence, by its id or the label of its passage; with 1 and the nearest id if there is none."""
    assert run("explain", saved, "new").stdout.startswith("new is in P1 (")
    assert run("explain", saved, "old").stdout.startswith("old was left out in versions: SUPERSEDED — ")
    assert run("explain", saved, "P1").stdout.startswith("new is in P1 (")
    missing = run("explain", saved, "ne")
    assert (missing.exit_code, missing.stderr) == (1, "contextpack: the pack tells of no candidate 'ne'; did you mean 'new'?\n")


def test_explain_shows_the_whole_account(run, saved):
    """Every candidate stands in one of two tables, and the budget below."""
    result = run("explain", saved)

    lines = result.stdout.splitlines()
    assert result.exit_code == 0
    assert lines[0].startswith("READY: 1 passage")
    assert lines[2].split()[:4] == ["P1", "new", "p26", "2026"]
    assert lines[4].split()[:3] == ["old", "versions", "SUPERSEDED"]
    assert lines[-1] == "budget: evidence 4000"


def test_explain_finds_one_of_several_packs(run, tmp_path, hits):
    """``--number`` picks a line."""
    one = json.dumps({"query": "a", "candidates": [OLD]})
    Path("many.jsonl").write_text(one + "\n" + json.dumps({"query": "b", "candidates": [NEW]}) + "\n", encoding="utf-8")
    run("pack", "many.jsonl", "-o", "packs.jsonl", *DAY)

    assert run("explain", "packs.jsonl", "new", "-n", "2").exit_code == 0
    assert run("explain", "packs.jsonl", "new").exit_code == 1
    assert run("explain", "packs.jsonl", "-n", "3").stderr == "contextpack: packs.jsonl: --number 3 — the file holds 2 packs\n"


@pytest.mark.parametrize("text", ["{}", "[]", "5", '{"format": 99}', '{"format": 1}', "null"])
def test_what_is_no_pack_is_one_line(run, text):
    """The place and what is wanted there."""
    Path("pack.json").write_text(text, encoding="utf-8")

    for command in (["explain", "pack.json"], ["check", "answer.txt", "--pack", "pack.json"]):
        Path("answer.txt").write_text("Yes.", encoding="utf-8")
        result = run(*command)
        assert (result.exit_code, len(result.stderr.splitlines())) == (2, 1)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (json.dumps(OLD) + "\n" + json.dumps(NEW), "pack.json:1: a candidate"),
        ('{"query": "q", "candidates": []}', "pack.json: a query with candidates"),
        ("[5]", "pack.json[0]: a number"),
    ],
)
def test_what_is_yet_to_be_packed_is_told_how(run, text, kind):
    """Hits in the place of a pack: what they are, and the command that makes a pack of them."""
    Path("pack.json").write_text(text, encoding="utf-8")

    result = run("explain", "pack.json")

    assert (result.exit_code, result.stderr) == (
        2,
        f"contextpack: {kind} — a saved pack is wanted: contextpack pack FILE --query … --out pack.jsonl makes one\n",
    )


@pytest.mark.skipif(not hasattr(contextpack_core, "check"), reason="the checker is not here yet")
def test_check_names_the_problems(run, saved):
    """0 without any, 1 with some; JSON holds the whole report."""
    Path("good.txt").write_text("The deductible is 500 EUR [P1].", encoding="utf-8")
    Path("bad.txt").write_text("The deductible is 600 EUR [P1].", encoding="utf-8")

    good, bad = run("check", "good.txt", "--pack", saved), run("check", "bad.txt", "--pack", saved)

    assert (good.exit_code, good.stdout) == (0, "GROUNDED\n")
    assert (bad.exit_code, bad.stdout.splitlines()[0]) == (1, "FLAGGED")
    assert "600 EUR" in bad.stdout
    assert json.loads(run("check", "bad.txt", "--pack", saved, "--json").stdout)["status"] == "FLAGGED"
    assert run("check", "-", "--pack", saved, given="The deductible is 500 EUR [P1].").exit_code == 0
    assert run("check", "-", "--pack", "-").exit_code == 2


# ---- policy


def test_policy_init_writes_every_setting(run):
    """The file reads as the defaults, names each setting, and is not written over."""
    result = run("policy", "init")
    text = Path("contextpack.yaml").read_text(encoding="utf-8")

    assert (result.exit_code, result.stdout) == (
        0,
        f"{Path('contextpack.yaml').resolve()}: written; edit it, then: contextpack policy validate contextpack.yaml\n",
    )
    assert text == policy_template() == run("policy", "init", "-").stdout
    assert Policy.from_yaml(Path("contextpack.yaml")) == Policy()
    again = run("policy", "init")
    assert (again.exit_code, again.stderr.split(";")[0]) == (2, "contextpack: contextpack.yaml: there is a file already")
    assert run("policy", "init", "--force").exit_code == 0


def test_every_example_of_the_template_is_right():
    """With the comment signs before the examples taken away the file still reads, and then it names every setting."""
    text = re.sub(r"(?m)^( *)#(?=[^ ]| {2})", r"\1", policy_template())

    examples = yaml.safe_load(text)["contextpack"]

    assert Policy.from_yaml(text) != Policy()
    assert examples.keys() == Policy.model_fields.keys()
    for name, section in Policy().model_dump().items():
        if isinstance(section, dict) and section:
            assert examples[name].keys() == section.keys()


def test_policy_validate_names_every_fault(run):
    """0, 1 with the faults, 2 without a file."""
    Path("good.yaml").write_text("order: {by: edges}\n", encoding="utf-8")
    Path("bad.yaml").write_text("contextpack:\n  dedup:\n    neer: 0.9\n", encoding="utf-8")

    assert (run("policy", "validate", "good.yaml").exit_code, run("policy", "validate", "good.yaml").stdout) == (
        0,
        "good.yaml: valid\n",
    )
    bad = run("policy", "validate", "bad.yaml")
    assert (bad.exit_code, bad.stderr) == (1, "bad.yaml:3 contextpack.dedup.neer: 0.9 — no such setting; did you mean near?\n")
    assert run("policy", "validate", "none.yaml").exit_code == 2


@pytest.mark.parametrize(("name", "noted"), [("gpt-4o", False), ("approximate", False), ("claude-opus-4", True)])
def test_policy_validate_notes_a_tokenizer_that_can_only_be_bounded(run, name, noted):
    """A model whose encoding is not public is right, and counted approximately: that is said."""
    Path("policy.yaml").write_text(f"tokenizer: {name}\n", encoding="utf-8")

    result = run("policy", "validate", "policy.yaml")

    note = f"note: tokenizer {name!r}: no public encoding is known for it: tokens are bounded from above, not counted\n"
    assert (result.exit_code, result.stdout, result.stderr) == (0, "policy.yaml: valid\n", note if noted else "")


def test_policy_validate_notes_an_intent_that_no_question_announces(run):
    """A misspelt class has no built-in cues: that is said, unless the policy itself says that there are none."""
    Path("policy.yaml").write_text("intents: {comparision: {}, ours: {}, named: {cues: []}, lookup: {}}\n", encoding="utf-8")

    result = run("policy", "validate", "policy.yaml")

    assert (result.exit_code, result.stdout, result.stderr.splitlines()) == (
        0,
        "policy.yaml: valid\n",
        [
            "note: intents.comparision: it has no cues, so it is taken by name only; did you mean comparison?",
            "note: intents.ours: it has no cues, so it is taken by name only",
        ],
    )


def test_policy_show_prints_what_holds(run):
    """Every setting, only those that differ, or those that hold for a query."""
    Path("p.yaml").write_text("budget: {evidence: 9}\nintents: {cmp: {cues: [versus], budget: {evidence: 7}}}\n", encoding="utf-8")

    everything = yaml.safe_load(run("policy", "show").stdout)
    asked = run("policy", "show", "p.yaml", "--query", "a versus b", "--changed").stdout

    assert everything == Policy().to_dict(defaults=True)
    assert yaml.safe_load(run("policy", "show", "p.yaml", "--changed").stdout)["budget"] == {"evidence": 9}
    assert asked == "# intent: cmp, by the cue 'versus'\nbudget:\n  evidence: 7\n"
    assert run("policy", "show", "p.yaml", "--query", "c", "--changed").stdout == "# intent: none\nbudget:\n  evidence: 9\n"
    assert run("policy", "show", "p.yaml", "--intent", "no").exit_code == 2


def test_policy_schema_is_json(run):
    """The same that ``Policy.json_schema`` gives."""
    assert json.loads(run("policy", "schema").stdout) == Policy.json_schema()


# ---- as a command of its own


RUN = "from contextpack_core.cli import main; main()"


def command(*arguments, given=b"", code=RUN):
    return subprocess.run([sys.executable, "-c", code, *map(str, arguments)], input=given, capture_output=True, timeout=60)


def test_the_command_runs_on_its_own(hits, tmp_path):
    """Output, errors and exit codes are those of a process."""
    good = command("pack", hits, "-q", "q", *DAY)
    wrong = command("pack", tmp_path / "no.json", "-q", "q")
    usage = command("pack")

    assert (good.returncode, good.stdout.count(b"<passage ")) == (0, 1)
    assert (wrong.returncode, wrong.stdout, wrong.stderr.count(b"\n")) == (2, b"", 1)
    assert (usage.returncode, usage.stderr.count(b"\n")) == (2, 1)
    assert command("--version").stdout.decode().strip() == f"contextpack {contextpack_core.__version__}"
    assert b"Traceback" not in wrong.stderr + usage.stderr


def test_an_output_that_takes_only_ascii_gets_escapes(hits, tmp_path):
    """A character that cannot be written does not end the command."""
    hits.write_text(json.dumps({"id": "a", "text": "fünf 日本"}), encoding="utf-8")
    code = f"import sys; [s.reconfigure(encoding='ascii') for s in (sys.stdout, sys.stderr)]; {RUN}"

    text, data = (command("pack", hits, "-q", "é", *more, *DAY, code=code) for more in ([], ["--json"]))

    assert (text.returncode, data.returncode) == (0, 0)
    assert b"f\\xfcnf \\u65e5\\u672c" in text.stdout
    assert "fünf 日本" in json.loads(data.stdout)["text"]


def test_the_base_install_names_the_extra():
    """Without typer there is one line that says what to install."""
    code = "import sys; sys.modules['typer'] = None; " + RUN

    result = command("pack", code=code)

    assert (result.returncode, result.stdout) == (2, b"")
    assert result.stderr == b"contextpack: the command line needs typer: pip install 'contextpack-rag[cli]'\n"


@pytest.mark.parametrize("name", ["eval", "tune"])
def test_a_command_that_needs_a_further_extra_names_it(tmp_path, name):
    """With the extra ``cli`` alone there is one line that says what to install."""
    cases = tmp_path / "cases.jsonl"
    cases.write_text(
        "".join(json.dumps({"qid": str(n), "question": "q", "candidates": [], "gold": ["a"]}) + "\n" for n in range(2))
    )
    code = "import sys; sys.modules['numpy'] = sys.modules['matplotlib'] = None; " + RUN

    result = command(name, cases, "--out", tmp_path / "out", code=code)

    assert (result.returncode, result.stdout) == (2, b"")
    assert result.stderr == b"contextpack: the evaluation needs numpy: pip install 'contextpack-rag[eval]'\n"


def test_a_reader_that_goes_away_is_no_traceback(hits):
    """As ``contextpack pack … | head`` does."""
    code = "import os, sys; r, w = os.pipe(); os.close(r); os.dup2(w, 1); " + RUN

    result = command("pack", hits, "-q", "q", *DAY, code=code)

    assert b"Traceback" not in result.stderr
    assert result.returncode == 1
