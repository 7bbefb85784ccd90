"""A question is taken apart into its parts, and into the things that it compares."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextpack_core.questions.parts import MOST, SubQuestion, entities_in, narrowed, parts_of, sub_questions
from tests import hostile

PARTS = {
    "What is the excess and how do I report a claim?": ("What is the excess", "how do I report a claim"),
    "What is the excess? How do I report a claim?": ("What is the excess", "How do I report a claim"),
    "what is the excess; where do I report a claim": ("what is the excess", "where do I report a claim"),
    "Is theft covered, and does it include bikes, and what is the excess?": (
        "Is theft covered",
        "does it include bikes",
        "what is the excess",
    ),
    "Tell me what the excess is and when it is due.": ("Tell me what the excess is", "when it is due."),
    "Wie hoch ist die Selbstbeteiligung und wie melde ich einen Schaden?": (
        "Wie hoch ist die Selbstbeteiligung",
        "wie melde ich einen Schaden",
    ),
    "Quelle est la franchise et comment déclarer un sinistre ?": ("Quelle est la franchise", "comment déclarer un sinistre"),
    "¿Cuál es la franquicia y cómo declaro un siniestro?": ("¿Cuál es la franquicia", "cómo declaro un siniestro"),
    "Qual è la franchigia e come denuncio un sinistro?": ("Qual è la franchigia", "come denuncio un sinistro"),
    "Hoeveel is het eigen risico en hoe meld ik schade?": ("Hoeveel is het eigen risico", "hoe meld ik schade"),
    "Qual é a franquia e como participo um sinistro?": ("Qual é a franquia", "como participo um sinistro"),
    "免赔额是多少，如何申请理赔？": ("免赔额是多少", "如何申请理赔"),
    "免責金額はいくらで、どうやって請求しますか": ("免責金額はいくらで", "どうやって請求しますか"),
}
ONE = [
    "",
    "What is the excess?",
    "Which policy covers theft and hail?",
    "Explain when and how to file a claim",
    "Who wrote it and when?",
    "I have the Basic tariff. What is the excess?",
    "What is the excess? Thank you!",
    "What is the excess? What is the excess?",
    "who led it and was criticized by the press",  # was: a question word in another language
    "请问北京，上海有什么",
    "theft and hail",
]


@pytest.mark.parametrize("question", PARTS)
def test_a_question_of_parts(question):
    """Each part in its own words, in eight languages."""
    assert parts_of(question) == PARTS[question]


@pytest.mark.parametrize("question", ONE)
def test_one_question_has_no_parts(question):
    """A statement, an empty part or the same once more make no second one."""
    assert parts_of(question) == ()


ENTITIES = {
    "Compare Home Basic with Home Plus": ("Home Basic", "Home Plus"),
    "What is the difference between Basic and Plus?": ("Basic", "Plus"),
    "How does the storm cover of Home Basic differ from that of Home Plus?": ("Home Basic", "Home Plus"),
    "Compare the iPhone 15, the Galaxy S24 and the Pixel 8": ("iPhone 15", "Galaxy S24", "Pixel 8"),
    "Compare plan A and plan B": ("A", "B"),
    'Is "travel light" better than "travel full"?': ("travel light", "travel full"),
    "Sind „Reise leicht“ und „Reise voll“ gleich?": ("Reise leicht", "Reise voll"),
    "Was ist der Unterschied zwischen Basis und Komfort?": ("Basis", "Komfort"),
    "difference between russian blue and british blue cat": ("russian blue", "british blue cat"),
    "term life vs whole life": ("term life", "whole life"),
    "基础版和高级版有什么区别？": ("基础版", "高级版"),
    "When did Portugal and Spain sign it?": ("Portugal", "Spain"),
    "Who is Ada Lovelace?": (),
    "Was Napoleon defeated at Waterloo?": (),
    "Compare them": (),
    "Was deckt Basis?": (),
    "": (),
}


@pytest.mark.parametrize("question", ENTITIES)
def test_the_things_that_a_question_compares(question):
    """Quoted, capitalised, or on both sides of between and versus; one alone is no comparison."""
    assert entities_in(question) == ENTITIES[question]


def test_known_names_come_first():
    """Whatever their case and hyphens, on word borders; of two in one place the longer; one alone does not count."""
    known = ["home", "home-plus", "hom", "b"]

    assert entities_in("Compare HOME PLUS and home", known) == ("home-plus", "home")
    assert entities_in("Is Home better than Travel?", known) == ("Home", "Travel")
    assert entities_in("比较基础版和高级版", ["高级版", "基础版"]) == ("基础版", "高级版")


def test_a_question_about_one_thing_alone():
    """The others are taken out, in whatever case; a name inside of a longer one stays whole."""
    assert sub_questions("Compare the excess of home plus and Home.", ["home", "home-plus"]) == (
        SubQuestion("home-plus", "Compare the excess of home-plus and."),
        SubQuestion("home", "Compare the excess of and home."),
    )
    assert narrowed("Basic or Plus or 2?", "Plus", ["Basic", "Plus", "2"]) == "or Plus or?"
    assert narrowed("Basic, “Plus” or -?", "-", ["-", "Basic"]) == ", “Plus” or -?"


def test_parts_are_asked_for_where_nothing_is_compared():
    """Each part is about itself."""
    question = "What is the excess and how do I report a claim?"

    assert sub_questions(question) == tuple(SubQuestion(part, part) for part in PARTS[question])
    assert sub_questions("What is the excess?") == ()


@given(st.text(max_size=300), st.lists(st.text(max_size=8), max_size=4))
def test_no_question_raises(question, known):
    """Whatever it holds: none or some, each once, and the same again."""
    for found in (parts_of(question), entities_in(question, known)):
        assert len(found) == len(set(found)) != 1
        assert len(found) <= MOST
    assert sub_questions(question, known) == sub_questions(question, known)


@pytest.mark.parametrize("piece", hostile.QUESTIONS)
def test_of_a_long_question_the_beginning_is_read(piece):
    """What stands behind the four thousandth character makes no part."""
    start = hostile.many(piece, 5_000)

    assert sub_questions(start + "What is the excess? Who pays it?") == sub_questions(start)
