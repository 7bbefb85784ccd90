"""The prompt's contract."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextpack_core import (
    CitationStatus,
    Policy,
    PolicyError,
    check,
    grounded_day,
    grounded_head,
    grounded_messages,
    grounded_refine,
    grounded_tail,
    head_tokens,
    is_refusal,
    measured_prompt,
    pack,
    parse_citations,
)
from contextpack_core.grounding.wording import NAMES, SENTENCES, WORDINGS, filled, wording_faults

TEXTS = st.text(max_size=200)


def policy_with(**sections: object) -> Policy:
    return Policy.from_dict(sections)


@given(TEXTS, TEXTS, TEXTS, TEXTS, st.dates())
def test_the_head_is_the_same_for_all_requests(question, context, other_question, other_context, day):
    """Whatever is asked and found, two requests of one policy share the head byte for byte."""
    policy = policy_with(grounding={"glossary": {"excess": "what you pay yourself"}}, budget={"answer": "short"})

    first = grounded_messages(policy, question, context, as_of=day)
    second = grounded_messages(policy, other_question, other_context)

    assert [role for role, _ in first] == ["system", "user"]
    assert first[0][1].encode() == second[0][1].encode() == grounded_head(policy).encode()


@given(TEXTS, TEXTS)
def test_question_and_passages_stand_in_the_tail_as_they_are(question, context):
    """Braces, names of variables and line breaks in them are text."""
    text = grounded_tail(Policy(), question, context or "-", as_of=date(2026, 3, 1))

    day = "The answer must be true for this day: 2026-03-01"
    shown = f"Passages:\n{context or '-'}" if (context or "-").strip() else "Passages: none were found."
    assert text == f"{day}\n\n{shown}\n\nQuestion: {question}"


@pytest.mark.parametrize(
    ("marks", "label", "mark"),
    [("label", "P", "[P1]"), ("label", "Doc", "[Doc1]"), ("footnote", "P", "[^P1]"), ("number", "P", "[1]")],
)
def test_the_citation_that_is_asked_for_is_the_one_that_is_read(marks, label, mark):
    """The mark shown to the model is a valid citation under the same settings."""
    policy = policy_with(render={"label": label}, citations={"marks": marks})

    head = grounded_head(policy)
    report = check(f"The fee is 40 euros {mark}.", {f"{label}1": "The fee is 40 euros."}, settings=policy.citations)

    assert f"like this: {mark}." in head
    assert [(c.labels, c.status) for c in report.citations] == [((f"{label}1",), CitationStatus.VALID)]


@pytest.mark.parametrize("pattern", ["strict", "augmented", "disclaimer"])
@pytest.mark.parametrize("language", sorted(WORDINGS))
def test_each_pattern_says_its_own_and_all_rules(pattern, language):
    """The pattern's sentence, the citation format, the exact refusal, conflicts, and that passages are data."""
    policy = policy_with(grounding={"pattern": pattern, "language": language})
    say, values = policy.grounding.say, {"general": policy.grounding.say("general")}

    head = grounded_head(policy)

    assert filled(say(pattern), values) in head
    assert not any(filled(say(other), values) in head for other in ("strict", "augmented", "disclaimer") if other != pattern)
    assert [name for name in ("role", "copy", "conflict", "untrusted") if say(name) not in head] == []
    assert f": {policy.grounding.sentence}\n" in head
    assert "{" not in head


def test_the_day_is_a_sentence_of_its_own():
    """Whole, whatever its wording; empty without a day."""
    policy = policy_with(grounding={"wording": {"as_of": "The day:\n\n{day}"}})

    assert grounded_day(policy, date(2026, 3, 1)) == "The day:\n\n2026-03-01" == grounded_day(policy, "2026-03-01")
    assert grounded_day(policy, None) == grounded_day(policy, "") == ""


@pytest.mark.parametrize("language", sorted(WORDINGS))
def test_all_languages_have_all_sentences(language):
    """The same names, the same variables in each, and a refusal that the checker recognises by its wording."""
    table = WORDINGS[language]

    assert table.keys() == WORDINGS["en"].keys()
    assert {name: _variables(text) for name, text in table.items()} == {n: _variables(t) for n, t in WORDINGS["en"].items()}
    assert is_refusal(table["abstain"])


def _variables(text: str) -> list[str]:
    return sorted({part.split("}")[0] for part in text.split("{")[1:]})


def test_the_checker_knows_the_sentence_of_the_policy():
    """A refusal in words of one's own is an abstention, also one that only an intent asks for."""
    policy = policy_with(
        grounding={"abstain": "Ask the front desk."},
        intents={"legal": {"cues": ["law"], "grounding": {"abstain": "Ask a lawyer."}}},
    )

    assert policy.citations.refusals == ("Ask the front desk.", "Ask a lawyer.")
    assert "write exactly this sentence and nothing else: Ask the front desk.\n" in grounded_head(policy)
    assert [str(check(text, {"P1": "x"}, settings=policy.citations).status) for text in policy.citations.refusals] == [
        "ABSTAINED"
    ] * 2
    assert Policy.from_yaml(policy.to_yaml()) == policy


def test_general_knowledge_that_is_marked_needs_no_citation():
    """Under ``disclaimer`` only, and a figure in it is still looked for."""
    answer = "The fee is 40 euros [P1]. Not from the documents: fees are common in this trade. {}"
    sources = {"P1": "The fee is 40 euros."}
    loose, strict = policy_with(grounding={"pattern": "disclaimer"}), Policy()

    def status(more: str, policy: Policy) -> str:
        return str(check(answer.format(more), sources, settings=policy.citations).status)

    assert loose.citations.general == ("Not from the documents:",)
    assert [status("", loose), status("", strict)] == ["GROUNDED", "FLAGGED"]
    assert status("Not from the documents: others ask for 90 euros.", loose) == "FLAGGED"
    assert Policy.from_yaml(loose.to_yaml()) == loose


def test_the_intent_of_the_question_picks_the_pattern():
    """As it picks every other setting; the pack's intent counts where there is a pack."""
    policy = policy_with(intents={"chat": {"cues": ["tell me"], "grounding": {"pattern": "augmented"}}})
    made = pack([{"id": "a", "text": "The fee is 40 euros."}], "tell me the fee", policy, as_of=date(2026, 3, 1))

    heads = [grounded_messages(policy, question, "x")[0][1] for question in ("the fee?", "Tell me the fee")]
    from_pack = grounded_messages(policy, "the fee?", made)

    assert heads == [grounded_head(policy), grounded_head(policy, intent="chat")]
    assert "only explain words" in heads[1]
    assert from_pack[0][1] == heads[1]
    assert from_pack[1][1] == f"The answer must be true for this day: 2026-03-01\n\nPassages:\n{made.text}\n\nQuestion: the fee?"


def test_what_the_policy_adds():
    """Quotations, length, words of the field and examples, in this order; the examples' braces are text."""
    example = {"question": "Fee?", "context": "[P1] {fee}", "answer": "40 euros [P1]."}
    policy = policy_with(
        budget={"answer": "short 100"},
        citations={"quotes": "required"},
        grounding={"glossary": {"fee": "a price {x}"}, "few_shot": [example]},
    )

    head = grounded_head(policy, structured=True)

    say = policy.grounding.say
    tail = (
        f"Keep the whole answer under about 70 words.\n\n{say('structured')}\n\nWords of this field:\n- fee: a price {{x}}\n\n"
        f"{say('examples')}\n\nPassages:\n[P1] {{fee}}\nQuestion: Fee?\nAnswer: 40 euros [P1]."
    )
    assert head.endswith(tail)
    assert say("quotes") in head


def test_a_sentence_of_the_policy_replaces_the_shipped_one():
    """From YAML; the version that stands in the trace tells."""
    policy = Policy.from_yaml('grounding: {wording: {role: "You write {}.", question: "Q: {question}"}}')
    made = pack([{"id": "a", "text": "x"}], "q", policy, count_tokens=len)

    head, tail = [text for _, text in grounded_messages(policy, "q?", "ctx")]

    assert head.startswith("You write {}.\n\n")
    assert tail == "Passages:\nctx\n\nQ: q?"
    assert made.trace.prompt == policy.grounding.version
    assert policy.grounding.version.startswith("en-1+")
    assert Policy().grounding.version == "en-1"


@pytest.mark.parametrize(
    ("yaml", "message"),
    [
        ("grounding: {wording: {rolle: x}}", "there is no sentence 'rolle', did you mean 'role'? one of role, strict"),
        ("grounding: {wording: {zzz: x}}", "there is no sentence 'zzz': one of role, strict"),
        ("grounding: {wording: {abstains: x}}", "there is no sentence 'abstains': one of role, "),
        ("grounding: {wording: {abstain: x}}", "'abstain' is the setting grounding.abstain"),
        ("grounding: {wording: {cite: Cite.}}", "cite should hold {mark}, the citation mark that the checker reads"),
        ("grounding: {wording: {decline: No.}}", "decline should hold {sentence}, the exact sentence that the checker takes for a"),
        (
            "grounding: {wording: {example: '{question}'}}",
            "example should hold {context} and {answer}, passages, question and answer",
        ),
        (
            "grounding: {wording: {role: 'I am {brand}'}}",
            "role holds {brand}, which nothing fills: it can hold {mark}, {mark2}, {label}",
        ),
        (
            "grounding: {wording: {low_score: '{best}'}}",
            "low_score holds {best}, which nothing fills: it can hold {score}, {least}",
        ),
        ("grounding: {wording: {passages: '{n} passages'}}", "passages holds {n}, which nothing fills: it can hold none"),
        ("grounding: {wording: {cite: x, role: '{y}'}}", "that the checker reads; role holds {y}"),
        ("grounding: {unscored: maybe}", "one of answer, decline"),
        ("grounding: {language: fr}", "'fr' is not shipped, de, en are; it lacks in wording role, strict, augmented"),
        ("grounding: {language: fr}", "on_day, edition, since, until, and the setting grounding.abstain"),
        ("grounding: {abstain: ' '}", "one sentence on one line"),
        ("grounding: {pattern: loose}", "strict"),
        ("budget: {answer: long}", "one of fact, short, standard"),
        ("budget: {answer: short 0}", "short 250"),
    ],
)
def test_wrong_settings_say_what_would_be_right(yaml, message):
    """Each is a fault of the policy."""
    with pytest.raises(PolicyError) as error:
        Policy.from_yaml(yaml)

    assert message in str(error.value)


def test_another_language_needs_all_its_sentences():
    """With them it is as good as a shipped one."""
    sentences = {name: " ".join([f"{name}!", *[f"{{{each}}}" for each in SENTENCES[name].needed]]) for name in NAMES}
    grounding = {"language": "fr", "wording": sentences, "abstain": "Je ne sais pas."}

    head = grounded_head(policy_with(grounding=grounding))

    assert head == "role!\n\nstrict!\n\ncite! [P1]\n\ncopy!\n\ndecline! Je ne sais pas.\n\nconflict!\n\nuntrusted!"
    with pytest.raises(PolicyError, match=r"it lacks in wording refine, until$"):
        policy_with(grounding={**grounding, "wording": {n: s for n, s in sentences.items() if n not in ("refine", "until")}})


@pytest.mark.parametrize("language", sorted(WORDINGS))
def test_the_placeholders_of_a_sentence_are_those_that_the_table_of_them_names(language):
    """What the shipped sentences hold is what they need and may hold, so that they could be overridden by themselves."""
    table = {name: text for name, text in WORDINGS[language].items() if name != "abstain"}

    assert SENTENCES.keys() == WORDINGS[language].keys()
    assert list(wording_faults(table)) == []


def test_the_head_is_measured_for_the_budget():
    """The function of the question that adapters take as used=: exact for the head, and the pack's plan has it."""
    policy = policy_with(budget={"input_limit": 5000, "answer": "short"})
    used = measured_prompt(policy, len)
    made = pack([{"id": "a", "text": "The fee is 40 euros."}], "Fee?", policy, used=used("Fee?"), count_tokens=len)

    head = len(grounded_head(policy))
    assert head_tokens(policy, len) == head
    assert head_tokens(policy, len, structured=True) == len(grounded_head(policy, structured=True)) > head
    assert measured_prompt(policy, len, structured=True)("Fee?") == {
        **used("Fee?"),
        "instructions": head_tokens(policy, len, structured=True),
    }
    assert (made.budget.instructions, made.budget.answer) == (head, 300)
    whole = sum(len(text) for _, text in grounded_messages(policy, "Fee?", made))
    assert whole <= head + made.budget.question + made.tokens


def test_the_measured_prompt_is_that_of_the_intent():
    """Of the one named, else of the one that the question announces; ``pack`` takes the function as it is."""
    policy = policy_with(
        intents={"chat": {"cues": ["tell me"], "grounding": {"pattern": "augmented"}}, "law": {"budget": {"answer": 40}}}
    )
    heads = {name: head_tokens(policy, len, intent=name) for name in (None, "chat", "law")}

    measured = [measured_prompt(policy, len, intent=name)("Tell me the fee")["instructions"] for name in (None, "chat", "law")]
    made = pack([{"id": "a", "text": "x"}], "Tell me the fee", policy, used=measured_prompt(policy, len), count_tokens=len)

    assert measured == [heads["chat"], heads["chat"], heads["law"]]
    assert made.budget.instructions == heads["chat"]
    named = pack([{"id": "a", "text": "x"}], "Tell me", policy, used=measured_prompt(policy, len), count_tokens=len, intent="law")
    assert named.budget.instructions == heads["law"]  # whatever the question announces
    with pytest.raises(PolicyError, match="one of chat, law"):
        measured_prompt(policy, len, intent="other")


def test_the_refining_tail():
    """Passages and question as ever, then the answer so far."""
    text = grounded_refine(Policy(), "Fee?", "ctx {x}", "40 {question} [P1].")

    assert text.startswith("Passages:\nctx {x}\n\nQuestion: Fee?\n\nAbove is")
    assert "The answer so far:\n40 {question} [P1].\n" in text


@pytest.mark.parametrize(
    ("answer", "tokens"),
    [(0, 0), (250, 250), ("short", 300), ("troubleshooting", 900), ("troubleshooting 700", 700), ("letter 40", 40)],
)
def test_an_answer_contract_is_a_number_of_tokens(answer, tokens):
    """By number, by name, or both; the pack offers it as the most that the model may write."""
    policy = policy_with(budget={"answer": answer})

    assert pack([], "q", policy, count_tokens=len).budget.answer == tokens
    assert Policy.from_yaml(policy.to_yaml()) == policy


def test_marks_of_the_head_parse():
    """Both marks of the rule, one behind the other."""
    assert [c.labels for c in parse_citations("x [P1][P3]", ["P1", "P3"])] == [("P1",), ("P3",)]
