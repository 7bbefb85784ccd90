"""Whatever takes a policy takes the settings of one, and refuses others in our own words, where it is made."""

from __future__ import annotations

import inspect
from typing import Any

import pytest
from langchain_core.messages import AIMessage

from contextpack_core import AnswerError, ArgumentError, PackError, Policy, PolicyError, pack
from langchain_contextpack import (
    CitationGuard,
    CitationOutputParser,
    ContextPacker,
    ContextPackMiddleware,
    PackingRetriever,
    answer_or_decline,
    check_message,
    grounded_prompt,
    pack_of,
)
from langchain_contextpack.documents import sources_of

TAKERS = {
    "ContextPacker": lambda policy: ContextPacker(policy=policy),
    "CitationGuard": lambda policy: CitationGuard(policy=policy),
    "CitationOutputParser": lambda policy: CitationOutputParser(policy=policy),
    "ContextPackMiddleware": ContextPackMiddleware,
    "grounded_prompt": grounded_prompt,
    "answer_or_decline": lambda policy: answer_or_decline(lambda given: "x", policy),
    "check_message": lambda policy: check_message(AIMessage("x"), pack([]), policy=policy),
}
CLASSES = ("ContextPacker", "CitationGuard", "CitationOutputParser", "ContextPackMiddleware")
WRONG = {"grounding": {"pattern": "strictt"}}


@pytest.mark.parametrize("name", TAKERS)
def test_a_policy_may_be_plain_data(name):
    """None is the default."""
    for given in (Policy(), {}, {"grounding": {"pattern": "augmented"}}, None):
        TAKERS[name](given)


@pytest.mark.parametrize("name", TAKERS)
def test_what_is_wrong_with_it_comes_first_in_the_message(name):
    """No word of pydantic's about a class that the user did not write."""
    with pytest.raises(PolicyError) as error:
        TAKERS[name](WRONG)

    assert str(error.value).startswith("policy grounding.pattern: 'strictt' — one of")
    assert "pydantic" not in str(error.value)


@pytest.mark.parametrize("name", TAKERS)
def test_yaml_is_refused_with_what_reads_it(name):
    """Only what there is: classes read YAML, functions do not."""
    read_by = f" or {name}.from_yaml(" if name in CLASSES else ""
    with pytest.raises(ArgumentError) as error:
        TAKERS[name]("a: 1")

    assert str(error.value) == (
        "policy: str — a Policy, or the settings of one as a mapping; YAML is read by "
        f'Policy.from_yaml("a: 1"){read_by}' + ('"a: 1")' if read_by else "")
    )


@pytest.mark.parametrize("made", [ContextPacker, CitationGuard, CitationOutputParser])
def test_the_arguments_are_the_fields(made):
    """An editor shows them, and an unknown one is an error."""
    assert set(made.model_fields) - {"name"} <= set(inspect.signature(made).parameters)
    with pytest.raises(ValueError, match="polcy"):
        made(polcy={})


def test_a_guard_that_cannot_retry():
    """The message says what is missing, and nothing before it."""
    with pytest.raises(PolicyError, match=r"^policy citations\.on_violation: 'retry' — with CitationGuard it needs ask_again="):
        CitationGuard(policy={"citations": {"on_violation": "retry"}})


def test_a_field_of_another_model_is_one_too():
    """A packer inside of a retriever is read as its data."""
    with pytest.raises((PolicyError, ValueError), match="strictt"):
        PackingRetriever(retriever=lambda query: [], packer={"policy": WRONG})


@pytest.mark.parametrize("given", [None, "text", {"a": 1}, 3, [3], [None]])
def test_what_are_no_documents(given):
    """The error says what is wanted."""
    with pytest.raises(ArgumentError, match=r"wanted$"):
        pack_of(given)


def test_what_is_no_message_and_what_are_no_sources():
    """Neither ends in an attribute of None."""
    for message in (None, "It is 500 euros.", {"content": "x"}):
        with pytest.raises(AnswerError, match=r"^message: \w+ — the AIMessage that the model returned is wanted$"):
            check_message(message, pack([]))
    with pytest.raises(ArgumentError, match="documents: NoneType"):
        check_message(AIMessage("x"), None)
    with pytest.raises(ArgumentError, match="sources: NoneType"):
        sources_of(None)


def test_documents_of_two_packs_with_one_label():
    """They cannot be one pack."""
    packer: Any = ContextPacker()
    first, second = [packer.compress_documents([d], "q") for d in ({"page_content": "One."}, {"page_content": "Two."})]
    with pytest.raises(PackError, match="label 'P1' stands for two passages"):
        pack_of([*first, *second])
