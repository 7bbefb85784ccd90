"""A policy is read with every fault named, written so that it reads back the same, and changed by a query's intent."""

from __future__ import annotations

import json
import pickle
from datetime import date
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import settings as run
from hypothesis import strategies as st
from pydantic import ValidationError

from contextpack_core.errors import Fault, PolicyError
from contextpack_core.policy import Choice, Policy
from contextpack_core.questions.cues import Decision
from contextpack_core.stages.budget import BudgetSettings, PerGroup
from contextpack_core.values import Candidate

INTENTS = """\
budget: {evidence: 3000}
intents:
  comparison:
    cues: [compare, versus]
    budget: {evidence: 6000, per_group: {by: product, tokens: 2500}}
  procedure:
    cues: how do i
    order: {by: document}
  lookup: {budget: {evidence: 1000}}
"""


def faults(yaml_text):
    with pytest.raises(PolicyError) as caught:
        Policy.from_yaml(yaml_text)
    return [str(fault) if fault.line is None else f"{fault.line} {fault}" for fault in caught.value.faults]


# ---- wrong settings

# One line a kind: the YAML, and every fault with its line.
WRONG = {
    "a misspelt key": ("budget:\n  evidense: 4000\n", ["2 budget.evidense: 4000 — no such setting; did you mean evidence?"]),
    "a value by another word": (
        "citations: {on_violation: reask}\nintents: {a: {citations: {on_violation: ask-again}}}\norder: {by: reask}\n",
        [
            "1 citations.on_violation: 'reask' — one of report, strip, raise, retry; did you mean retry?",
            "2 intents.a.citations.on_violation: 'ask-again' — one of report, strip, raise, retry; did you mean retry?",
            "3 order.by: 'reask' — one of best_first, edges, document, best_last, oldest_first",
        ],
    ),
    "a misspelt section": ("budgets: {evidence: 1}\n", ["1 budgets: {'evidence': 1} — no such setting; did you mean budget?"]),
    "another way to write": (
        "relevance: {minScore: 0.4}\nmerge: {max-gap: 3}\n",
        [
            "1 relevance.minScore: 0.4 — no such setting; did you mean min_score?",
            "2 merge.max-gap: 3 — no such setting; did you mean max_gap?",
        ],
    ),
    "the wrong section": ("order:\n  evidence: 4000\n", ["2 order.evidence: 4000 — belongs in budget"]),
    "no section": ("evidence: 4000\n", ["1 evidence: 4000 — belongs in budget"]),
    "indented too far": (
        "budget:\n  evidence: 1\n  order: {by: edges}\n",
        ["3 budget.order: {'by': 'edges'} — order is a section of its own: it belongs one or more levels up"],
    ),
    "another library's word": (
        "top_n: 5\nmax_tokens: 9\n",
        [
            "1 top_n: 5 — no such setting; did you mean budget.evidence, which counts tokens, not hits?",
            "2 max_tokens: 9 — no such setting; did you mean budget.evidence?",
        ],
    ),
    "an application's own file": (
        "model: gpt-4o\ntemperature: 0\n",
        [
            "1 model: 'gpt-4o' — no such setting; did you mean rollout.mode?; an application's own settings can stand beside a key "
            "contextpack: then those of contextpack stand under it",
            f"2 temperature: 0 — no such setting; here stand {', '.join(Policy.model_fields)}; an application's own settings can "
            "stand beside a key contextpack: then those of contextpack stand under it",
        ],
    ),
    "a misspelt root key": (
        "context_pack: {budget: 1}\n",
        ["1 context_pack: {'budget': 1} — no such setting; did you mean contextpack?"],
    ),
    "under the root key": (
        "contextpack:\n  dedup:\n    neer: 1\n",
        ["3 contextpack.dedup.neer: 1 — no such setting; did you mean near?"],
    ),
    "in an intent": (
        "intents:\n  a:\n    cues: [x]\n    budget:\n      evidense: 4\n    dedup: {near: 2}\n",
        [
            "5 intents.a.budget.evidense: 4 — no such setting; did you mean evidence?",
            "6 intents.a.dedup.near: 2 — at most 1",
        ],
    ),
    "in an intent, the wrong section": ("intents: {a: {evidence: 4}}\n", ["1 intents.a.evidence: 4 — belongs in budget"]),
    "a part that is required": (
        "budget:\n  per_group:\n    by: product\n",
        ["2 budget.per_group.tokens: None — is required"],
    ),
    "what is to be switched off": (
        "dedup: {near: off}\nversions: {compare: no}\nmerge: {max_gap: off}\n",
        [
            "1 dedup.near: 'off' — a number; null for none",
            "2 versions.compare: 'no' — one of auto, off; did you mean off?",
            "3 merge.max_gap: 'off' — a whole number",
        ],
    ),
    "numbers of another base, and none that fits": (
        "budget:\n  evidence: 0x10\n  margin: 0o17\n  history: 0b2\n  question: 99999999999999999999\n",
        [
            "2 budget.evidence: '0x10' — a whole number, in decimal figures: write 16",
            "3 budget.margin: '0o17' — a whole number, in decimal figures: write 15",
            "4 budget.history: '0b2' — a whole number, in decimal figures",
            "5 budget.question: '99999999999999999999' — a whole number of at most 18 figures",
        ],
    ),
    "several at once": (
        "dedup: {near: 1.7}\nbudget:\n  evidence: -5\n  history: x\n",
        [
            "1 dedup.near: 1.7 — at most 1",
            "3 budget.evidence: -5 — at least 1",
            "4 budget.history: 'x' — a whole number",
        ],
    ),
    "numbers": (
        "merge: {max_gap: 4_000}\nbudget:\n  evidence: '4000'\n  margin: 010\n"
        "  history: 12:30\n  question: 4e3\n  instructions: true\n",
        [
            "1 merge.max_gap: '4_000' — a whole number: write 4000",
            "3 budget.evidence: '4000' — a whole number: write 4000, without quotes",
            "4 budget.margin: '010' — a whole number: write 10; a leading zero makes it octal in YAML 1.1",
            "5 budget.history: '12:30' — a whole number; YAML 1.1 takes colons for base 60",
            "6 budget.question: 4000.0 — a whole number: write 4000",
            "7 budget.instructions: True — a whole number",
        ],
    ),
    "a number with a comma": (
        "budget: {evidence: 4,000}\n",
        ["1 budget.000: None — numbers take no comma: write the digits together"],
    ),
    "fractions": (
        "dedup: {near: '0,9'}\nrelevance:\n  min_score: 30%\n  min_relative: .nan\n",
        [
            "1 dedup.near: '0,9' — a number: write 0.9",
            "3 relevance.min_score: '30%' — a number: write 0.3",
            "4 relevance.min_relative: nan — a finite number",
        ],
    ),
    "booleans": (
        "access:\n  enforce: yes\ntrace: {text: 'true'}\n",
        [
            "2 access.enforce: 'yes' — true or false: write true",
            "3 trace.text: 'true' — true or false: write true, without quotes",
        ],
    ),
    "no text": (
        "tokenizer: 1.10\nintents: {a: {cues: [2026, true, no]}}\n",
        [
            '1 tokenizer: 1.1 — text: write "1.10", in quotes',
            '2 intents.a.cues[0]: 2026 — text: write "2026", in quotes',
            '2 intents.a.cues[1]: True — text: write "true", in quotes',
        ],
    ),
    "no date": (
        "versions:\n  as_of: 2026-02-30\n",
        ["2 versions.as_of: '2026-02-30' — a date that exists, like 2026-03-01 or from_query"],
    ),
    "a date in seconds": (
        "versions: {as_of: 20260101}\n",
        ["1 versions.as_of: 20260101 — a date that exists, like 2026-03-01 or from_query"],
    ),
    "a choice that YAML 1.1 made a boolean": (
        "rollout: {mode: true}\n",
        ['1 rollout.mode: True — one of on, shadow, off: write "on", in quotes'],
    ),
    "an unknown choice": ("rollout: {mode: of}\n", ["1 rollout.mode: 'of' — one of on, shadow, off; did you mean off?"]),
    "no section but a value": ("budget: 4000\n", ["1 budget: 4000 — a mapping of settings, such as {evidence: 4000}"]),
    "no section but a word": ("order: edges\n", ["1 order: 'edges' — a mapping of settings, such as {by: edges}"]),
    "no section but a switch": ("access: true\n", ["1 access: True — a mapping of settings, such as {enforce: true}"]),
    "a metadata key for the field": (
        "fields: {effective_to: ends}\n",
        ["1 fields.effective_to: 'ends' — no such setting; did you mean fields.effective_until?"],
    ),
    "nothing": ("budget: {evidence: }\n", ["1 budget.evidence: None — a whole number; leave the key out for the default"]),
    "a list": ("- a\n- b\n", ["1 (file): ['a', 'b'] — a mapping of settings: sections such as budget, each with its keys"]),
    "a text": ("just text\n", ["1 (file): 'just text' — a mapping of settings: sections such as budget, each with its keys"]),
    "a list under the root key": (
        "app: 1\ncontextpack: [a]\n",
        ["2 contextpack: ['a'] — a mapping of settings: sections such as budget, each with its keys"],
    ),
    "a key twice": (
        "budget:\n  evidence: 1000\n  answer: 1\n  evidence: 2000\n",
        ["4 budget.evidence: '2000' — it stands twice, on line 2 too: keep one"],
    ),
    "a section twice": ("budget: {}\norder: {}\nbudget: {}\n", ["3 budget: '…' — it stands twice, on line 1 too: keep one"]),
    "the root key twice": ("contextpack: {}\ncontextpack: {}\n", ["2 contextpack: '…' — it stands twice, on line 1 too: keep one"]),
    "twice and misspelt": (
        "budget: {evidense: 1}\nbudget: {}\n",
        [
            "1 budget.evidense: 1 — no such setting; did you mean evidence?",
            "2 budget: '…' — it stands twice, on line 1 too: keep one",
        ],
    ),
    "a tag in a list": ("fields: {uri: [a, !x b]}\n", ["1 fields.uri[1]: '!x' — plain values only: tags are not read"]),
    "an empty cue": (
        "intents: {a: {cues: [' ']}}\n",
        ["1 intents.a.cues: [' '] — cues that hold at least one visible character each"],
    ),
    "an intent that opens what is closed": (
        "access: {enforce: true}\nintents:\n  a:\n    access: {enforce: false}\n",
        ["4 intents.a.access.enforce: False — true: who may see what cannot hang on the words of a query"],
    ),
    "an intent that looks for labels elsewhere": (
        "access: {enforce: true, field: tenant}\nintents:\n  a: {access: {field: group}}\n  b: {access: {field: null}}\n",
        [
            "3 intents.a.access.field: 'group' — \"tenant\": who may see what cannot hang on the words of a query",
            '4 intents.b.access.field: None — "tenant": who may see what cannot hang on the words of a query',
        ],
    ),
}


@pytest.mark.parametrize("kind", WRONG)
def test_every_fault_is_named_with_its_line_and_what_would_be_right(kind):
    """One error lists all faults in the order of the file: path, value, and the right key or form."""
    yaml_text, expected = WRONG[kind]

    assert faults(yaml_text) == expected


def test_the_message_begins_with_the_file_and_the_line(tmp_path):
    """An editor jumps to ``policy.yaml:3``; a text has no name but policy."""
    path = tmp_path / "policy.yaml"
    path.write_text("# mine\nbudget:\n  evidense: 4000\n", encoding="utf-8")

    with pytest.raises(PolicyError) as caught:
        Policy.from_yaml(path)

    assert str(caught.value) == f"{path}:3 budget.evidense: 4000 — no such setting; did you mean evidence?"
    assert caught.value.faults == (Fault("budget.evidense", 4000, "no such setting; did you mean evidence?", 3),)
    assert isinstance(caught.value, ValueError)
    assert pickle.loads(pickle.dumps(caught.value)).faults == caught.value.faults


def test_a_long_value_is_cut_in_the_message():
    """The fault keeps the value; the message shows its beginning."""
    (line,) = faults(f"budget: {'x' * 5000}\n")

    assert len(line) < 200


@pytest.mark.parametrize("wrong", [None, 5, ["a"], "text", b"x"])
def test_data_that_are_no_mapping_are_an_error(wrong):
    """``from_dict`` takes a mapping."""
    if wrong is None:
        assert Policy.from_dict(wrong) == Policy()
        return
    with pytest.raises(PolicyError, match="a mapping of settings"):
        Policy.from_dict(wrong)


def test_data_are_checked_as_files_are():
    """The same rules without lines; sets have no order, keys are text, and depth is bounded."""
    deep = {}
    for _ in range(100):
        deep = {"a": deep}
    circle = {}
    circle["budget"] = circle
    with pytest.raises(PolicyError) as caught:
        Policy.from_dict({"budget": {"evidense": 1, "evidence": "4"}, "render": {"header": {"title"}}, 5: 1, "order": deep})

    assert [fault.path for fault in caught.value.faults[:3]] == ["(file)", "render.header", "order" + ".a" * 32]
    assert {fault.path for fault in caught.value.faults} >= {"budget.evidense", "budget.evidence"}
    with pytest.raises(PolicyError):
        Policy.from_dict(circle)


def test_data_may_hold_what_python_has_for_it():
    """Dates, tuples, numbers of numeric libraries and settings objects are taken; the root key works."""

    class Number:
        def item(self):
            return 5

    settings = {
        "versions": {"as_of": date(2026, 3, 1)},
        "fields": {"uri": ("a", "b")},
        "budget": BudgetSettings(evidence=7),
        "merge": {"max_gap": Number()},
    }

    policy = Policy.from_dict({"contextpack": settings, "app": object()})

    assert policy.to_dict() == {
        "versions": {"as_of": "2026-03-01"},
        "fields": {"uri": ["a", "b"]},
        "budget": {"evidence": 7},
        "merge": {"max_gap": 5},
    }


# ---- right settings


@pytest.mark.parametrize(
    ("yaml_text", "settings"),
    [
        ("", {}),
        ("\n# nothing but a comment\n", {}),
        ("null\n", {}),
        ("{}", {}),
        ("contextpack:\n", {}),
        ("budget:\norder:\n  # by: edges\nintents:\n", {}),
        ("intents: {a: }\n", {"intents": {"a": {}}}),
        ("intents: {a: {budget: , cues: x}}\n", {"intents": {"a": {"cues": ["x"]}}}),
        ("rollout: {mode: off}\n", {"rollout": {"mode": "off"}}),
        ("rollout: {mode: on}\n", {}),
        ("versions: {as_of: 2026-03-01}\n", {"versions": {"as_of": "2026-03-01"}}),
        ("versions: {as_of: '2026-03-01'}\n", {"versions": {"as_of": "2026-03-01"}}),
        ("tokenizer: 2026-03-01\n", {"tokenizer": "2026-03-01"}),
        ("tokenizer: no\n", {"tokenizer": "no"}),
        ("tokenizer: 0x1F\n", {"tokenizer": "0x1F"}),
        ("tokenizer: ${HOME}\n", {"tokenizer": "${HOME}"}),
        ("dedup: {near: .5}\n", {"dedup": {"near": 0.5}}),
        ("dedup: {near: 5e-1}\n", {"dedup": {"near": 0.5}}),
        ("dedup: {near: 1}\n", {"dedup": {"near": 1.0}}),
        ("dedup: {near: ~}\n", {"dedup": {"near": None}}),
        ("fields: {uri: url}\n", {"fields": {"uri": ["url"]}}),
        ("app: {y: !env X, 1: 2}\napp: twice\ncontextpack: {order: {by: edges}}\n", {"order": {"by": "edges"}}),
        ("app: &b {evidence: 9}\ncontextpack: {budget: *b}\n", {"budget": {"evidence": 9}}),
        ("x: &b {evidence: 9, answer: 2}\ncontextpack: {budget: {<<: *b, answer: 3}}\n", {"budget": {"evidence": 9, "answer": 3}}),
        ("\ufefforder: {by: edges}\n", {"order": {"by": "edges"}}),
        ("budget: {evidence: !!int '5'}\n", {"budget": {"evidence": 5}}),
    ],
)
def test_what_is_right_is_read(yaml_text, settings):
    """Only ``true`` and ``false`` are booleans, dates are dates only where one is wanted, and an empty section has the defaults."""
    policy = Policy.from_yaml(yaml_text)

    assert policy.to_dict() == settings
    assert Policy.from_yaml(policy.to_yaml()) == policy


def test_a_file_is_found_by_path_or_by_name(tmp_path, monkeypatch):
    """A Path is a file; a text is a file where there is one by that name, and YAML else."""
    path = tmp_path / "policy.yaml"
    path.write_text("\ufefforder: {by: edges}\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    for given_one in (path, str(path), "policy.yaml", Path("policy.yaml")):
        assert Policy.from_yaml(given_one).order.by == "edges"
    assert Policy.from_yaml("order: {by: edges}").order.by == "edges"


@pytest.mark.parametrize(
    "missing", ["policy.yaml", "conf/policy.yml", Path("order: {by: edges}"), "/no/such/file", "C:\\policy.yaml"]
)
def test_a_file_that_is_not_there_is_said_to_be_missing(missing, tmp_path, monkeypatch):
    """A name without a file is not taken for YAML."""
    monkeypatch.chdir(tmp_path)

    with pytest.raises(PolicyError, match="there is no such file"):
        Policy.from_yaml(missing)


def test_a_file_that_cannot_be_read_is_an_error(tmp_path):
    """A folder, bytes that are no UTF-8, and a value that is neither path nor text."""
    latin = tmp_path / "latin.yaml"
    latin.write_bytes(b"tokenizer: caf\xe9\n")

    with pytest.raises(PolicyError, match="text in UTF-8"):
        Policy.from_yaml(latin)
    with pytest.raises(PolicyError, match="a file that can be read"):
        Policy.from_yaml(tmp_path)
    with pytest.raises(PolicyError, match="a path, or YAML text"):
        Policy.from_yaml(5)
    with pytest.raises(PolicyError):
        Policy.from_yaml("x" * 5000)
    with pytest.raises(PolicyError):
        Policy.from_yaml("nul\0nul")


def test_the_defaults_need_no_line():
    """``to_yaml`` writes what differs; with ``defaults`` it writes everything."""
    assert Policy().to_yaml() == "{}\n"
    full = yaml.safe_load(Policy().to_yaml(defaults=True))

    assert set(full) == set(Policy.model_fields)
    assert Policy.from_yaml(Policy().to_yaml(defaults=True)) == Policy()


TEXTS = st.text(max_size=12) | st.sampled_from(
    [
        "on",
        "no",
        "1.10",
        "010",
        "1e3",
        "1_000",
        "12:30",
        "2026-03-01",
        "~",
        "null",
        "true",
        "<<",
        "=",
        ".5",
        ".nan",
        "- a",
        "a: b",
        "# x",
        "\n",
        " x ",
        "�",
        "\u2028",
        "\x85",
        "\ufeff",
        "𝔸",
        "'",
        '"',
        "!x",
        "&a",
        "*a",
        "0x1F",
        "0o7",
        "+1",
        "1.",
        "1e",
        "%",
        "\x7f",
    ]
)


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "tokenizer": TEXTS.filter(str.strip),
            "fields": st.dictionaries(st.sampled_from(["uri", "family", "id"]), st.lists(TEXTS, max_size=3), max_size=2),
            "render": st.builds(lambda text: {"separator": text}, TEXTS),
            "versions": st.builds(lambda day: {"as_of": day.isoformat()}, st.dates()),
            "relevance": st.builds(lambda floor: {"min_score": floor}, st.floats(allow_nan=False, allow_infinity=False)),
            "intents": st.dictionaries(
                TEXTS, st.builds(lambda n: {"cues": ["x"], "budget": {"evidence": n}}, st.integers(1, 9000)), max_size=3
            ),
        },
    )
)
@run(deadline=None)
def test_a_policy_reads_back_the_same_whatever_its_texts_hold(settings):
    """Written and read again it is equal, in the order of its intents, and YAML 1.1 readers see the same data."""
    try:
        policy = Policy.from_dict(settings)
    except PolicyError:
        return  # a bound of a section
    again = Policy.from_yaml(policy.to_yaml())

    assert again == policy
    assert list(again.intents) == list(policy.intents)
    assert again.fingerprint == policy.fingerprint
    assert yaml.safe_load(policy.to_yaml()) == policy.to_dict()


# ---- bounds and hostile files


@pytest.mark.parametrize(
    "tag",
    [
        "!!python/object:os.system {}",
        "!!python/name:os.system",
        "!!python/object/apply:os.system [ls]",
        "!env HOME",
        "!!binary aGk=",
    ],
)
def test_a_tag_is_never_followed(tag):
    """No class is imported and nothing is looked up."""
    (line,) = faults(f"tokenizer: {tag}\n")

    assert line.startswith("1 tokenizer: ")
    assert line.endswith("plain values only: tags are not read")


HOSTILE = {
    "aliases that multiply": "a: &a [x,x,x,x,x,x,x,x,x,x]\n"
    + "".join(f"{chr(98 + i)}: &{chr(98 + i)} [{','.join(['*' + chr(97 + i)] * 10)}]\n" for i in range(9)),
    "an alias inside itself": "budget: &b {per_group: *b}\n",
    "a merge with itself": "budget: &b {<<: *b}\n",
    "a merge of no mapping": "budget: {<<: 5}\n",
    "deep lists": "budget: " + "[" * 100_000 + "\n",
    "deep mappings": "budget: " + "{a: " * 5_000 + "\n",
    "a tab": "budget:\n\tevidence: 3\n",
    "an open bracket": "budget: {evidence: 3\n",
    "an open quote": "budget: 'x\n",
    "an unknown alias": "budget: *nope\n",
    "a control character": "budget: \x07\n",
    "two documents": "---\nbudget: {}\n---\nbudget: {}\n",
    "a key that is a list": "? [a, b]\n: c\n",
    "a key that is a number": "intents: {2026: {cues: [x]}}\n",
    "a tag that does not hold": "budget: {evidence: !!int x}\n",
    "a directive": "%YAML 9.9\n---\nbudget: {}\n",
    "two million characters": "budget:\n" + " " * 2_000_000,
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_what_is_no_policy_is_one_clear_error(kind):
    """Broken, endless or recursive YAML ends in a PolicyError, soon."""
    with pytest.raises(PolicyError) as caught:
        Policy.from_yaml(HOSTILE[kind])

    assert all(fault.wanted for fault in caught.value.faults)
    assert len(str(caught.value)) < 1_000


@run(deadline=None)
@given(st.text(st.characters(codec="utf-8"), max_size=40))
def test_any_text_is_a_policy_or_a_policy_error(text):
    """Nothing else is raised."""
    try:
        Policy.from_yaml(text + "\n")
    except PolicyError as error:
        assert error.faults  # noqa: PT017  # either outcome is right


# ---- intents


def test_without_a_cue_the_policy_is_the_same_object():
    """Nothing is made for a query that no intent takes."""
    policy = Policy.from_yaml(INTENTS)

    assert policy.for_query("Tell me of storms") == (None, policy)
    assert policy.for_query("Tell me of storms")[1] is policy
    assert Policy().for_query("compare")[0] is None


def test_an_intent_changes_what_it_names_and_leaves_the_rest():
    """Each key given takes the place of that key; the same policy comes out each time."""
    policy = Policy.from_yaml(INTENTS)

    name, changed = policy.for_query("Compare A versus B")

    assert name == "comparison"
    assert changed.budget == BudgetSettings(evidence=6000, per_group=PerGroup(by="product", tokens=2500))
    assert (changed.order, changed.intents) == (policy.order, policy.intents)
    assert policy.budget.evidence == 3000
    assert policy.for_query("compare again")[1] is changed
    assert policy.intent_of("Compare A versus B") == Decision("comparison", "compare")


def test_the_caller_may_name_the_intent():
    """Then no cue is looked for; a name that does not exist is an error."""
    policy = Policy.from_yaml(INTENTS)

    name, changed = policy.for_query("Compare A versus B", intent="lookup")

    assert (name, changed.budget.evidence) == ("lookup", 1000)
    with pytest.raises(PolicyError, match="'look' — one of comparison, procedure, lookup"):
        policy.for_query("", intent="look")
    with pytest.raises(PolicyError, match="no intents"):
        Policy().for_query("", intent="look")


def test_a_policy_can_be_held_to_one_intent():
    """Its settings then hold whatever is asked; one that does not exist is an error."""
    policy = Policy.from_yaml(INTENTS)

    assert policy.for_intent("lookup") == Policy.from_dict({"budget": {"evidence": 1000}})
    assert policy.for_intent(None) is policy
    with pytest.raises(PolicyError, match="'no such' — one of comparison, procedure, lookup"):
        policy.for_intent("no such")


@pytest.mark.parametrize(("mode", "acts"), [("on", True), ("shadow", False), ("off", False)])
def test_an_answer_is_acted_on_only_while_the_rollout_is_on(mode, acts):
    """And only as the policy wants it."""
    policy = Policy.from_dict({"citations": {"on_violation": "strip"}, "rollout": {"mode": mode}})

    assert [policy.acts_on("strip", "retry"), policy.acts_on("strip"), policy.acts_on("raise")] == [acts, acts, False]


def test_an_intent_named_without_cues_has_the_built_in_ones():
    """After the cues that the policy writes; with ``[]`` it is taken by name only, also after writing and reading."""
    policy = Policy.from_yaml("intents: {mine: {cues: what is new}, lookup: {}, list: {cues: []}}")

    for each in (policy, Policy.from_yaml(policy.to_yaml())):
        assert each.intent_of("What is covered?") == Decision("lookup", "what is")
        assert each.intent_of("What is new?") == Decision("mine", "what is new")
        assert each.intent_of("List all exclusions") is None
        assert each.for_query("", intent="list")[0] == "list"
    assert Policy().intent_of("What is covered?") is None


def test_a_choice_says_by_what_the_intent_was_found():
    """A cue, the name that the caller gives, or the classifier; a choice made before comes back as it is."""
    policy = Policy.from_yaml(INTENTS)

    by_cue = policy.choose("Compare them")
    assert by_cue == Choice("comparison", policy.under("comparison"), "cue 'compare'")
    assert policy.choose("Compare them", "lookup") == Choice("lookup", policy.under("lookup"), "argument")
    assert policy.choose("Compare them", lambda query: query.split()[0].replace("Compare", "lookup")).by == "classifier"
    assert policy.choose("Compare them", lambda query: None) == Choice(None, policy)
    assert policy.choose("anything", by_cue) is by_cue
    assert policy.under("no such intent") is policy.under(None) is policy


def _raises(query):
    raise KeyError(query)


async def _later(query):
    return "lookup"


@pytest.mark.parametrize(
    ("given", "remark"),
    [
        ("secret", "the argument names none of comparison, procedure, lookup: the settings stay as they are"),
        ("", "the argument names none of comparison, procedure, lookup: the settings stay as they are"),
        (lambda query: query, "the classifier names none of comparison, procedure, lookup: the settings stay as they are"),
        (_raises, "the classifier raised KeyError: the settings stay as they are"),
        (_later, "the classifier gives no name of an intent but something of type coroutine: the settings stay as they are"),
        (
            lambda query: ["lookup"],
            "the classifier gives no name of an intent but something of type list: the settings stay as they are",
        ),
        (7, "the argument gives no name of an intent but something of type int: the settings stay as they are"),
    ],
)
@pytest.mark.filterwarnings("error")
def test_what_names_no_intent_changes_nothing(given, remark):
    """The policy itself holds, whatever cues stand in the query; the remark does not repeat what was given."""
    policy = Policy.from_yaml(INTENTS)

    assert policy.choose("Compare the secret", given) == Choice(None, policy, None, (remark,))


def test_an_intent_that_a_policy_does_not_name_changes_nothing():
    """A built-in class is no intent until the policy names it."""
    remark = "the argument names an intent, and this policy has none: the settings stay as they are"

    assert Policy().choose("How do I file a claim?", "procedure") == Choice(None, Policy(), None, (remark,))


def test_a_setting_equal_to_the_default_still_changes():
    """An intent can put a default back where the policy has another value, also after writing and reading."""
    policy = Policy.from_yaml("budget: {evidence: 9}\nintents: {a: {cues: [x], budget: {evidence: 4000}}}\n")

    for each in (policy, Policy.from_yaml(policy.to_yaml())):
        assert each.for_query("x")[1].budget.evidence == 4000


def test_a_copy_with_changes_forgets_what_was_worked_out():
    """Intents of a changed copy build on the new settings."""
    policy = Policy.from_yaml(INTENTS)
    policy.for_query("how do i")
    before = policy.fingerprint

    changed = policy.model_copy(update={"budget": BudgetSettings(evidence=77)})

    assert changed.for_query("how do i")[1].budget.evidence == 77
    assert changed.fingerprint != before == policy.fingerprint


def test_a_used_policy_equals_an_unused_one():
    """Also after pickling, which leaves behind what was worked out."""
    used, unused = Policy.from_yaml(INTENTS), Policy.from_yaml(INTENTS)
    used.for_query("how do i")
    Candidate.from_mapping({"text": "x"}, used.fields)

    for copy in (used, pickle.loads(pickle.dumps(used)), used.model_copy(deep=True)):
        assert copy == unused
        assert copy.for_query("compare")[1] == unused.for_query("compare")[1]


def test_a_built_policy_keeps_access_enforced():
    """An intent cannot open what the policy closes, however the policy was made."""
    policy = Policy(access={"enforce": True}, intents={"a": {"cues": "x", "access": {"enforce": False, "field": "f"}}})

    assert policy.for_query("x")[1].access.model_dump() == {"enforce": True, "field": None}


def test_a_built_policy_is_checked_by_pydantic():
    """Keyword arguments that are wrong raise pydantic's own error."""
    with pytest.raises(ValidationError):
        Policy(budget={"evidence": "4"})


def test_equal_policies_have_one_fingerprint():
    """However they were written; another value, or another order of intents, gives another one."""
    one, two = Policy.from_yaml("budget: {evidence: 4000}\n"), Policy()
    swapped = Policy.from_yaml("intents: {b: {cues: y}, a: {cues: x}}")

    assert one.fingerprint == two.fingerprint
    assert Policy.from_yaml("budget: {evidence: 4001}\n").fingerprint != two.fingerprint
    assert Policy.from_yaml("intents: {a: {cues: x}, b: {cues: y}}").fingerprint != swapped.fingerprint


# ---- the schema


def test_the_schema_describes_every_setting():
    """Each has a description of its own or of its section, and a default that says something or an example; the whole is JSON."""
    schema = Policy.json_schema()
    json.dumps(schema, allow_nan=False)

    for name, definition in schema["$defs"].items():
        assert definition.get("description"), name
        for key, setting in definition.get("properties", {}).items():
            assert setting.get("description") or "$ref" in setting, f"{name}.{key}"
            shown = setting.get("default") is not None or "examples" in setting or "$ref" in setting
            assert shown, f"{name}.{key} has no default that shows its form: give it Field(examples=[…])"


def test_the_schema_knows_the_root_key_and_the_intents():
    """With ``contextpack`` only what stands under it is the policy; an intent's parts are the sections themselves."""
    schema = Policy.json_schema()

    assert schema["if"] == {"required": ["contextpack"]}
    assert schema["then"] == {"properties": {"contextpack": schema["else"]}}
    assert schema["$defs"]["IntentSettings"]["properties"]["budget"]["$ref"] == "#/$defs/BudgetSettings"
    assert schema["$defs"]["FieldMap"]["properties"]["uri"]["anyOf"][0] == {"type": "string"}
