"""Where a text may be cut."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from contextpack_core.admission.cuts import sentences_of


def sentences(text: str) -> list[str]:
    return [text[a:b] for a, b in sentences_of(text)]


def test_sentences_keep_the_white_space_after_them() -> None:
    """Sentences end at marks that white space follows; quotes and brackets belong to them."""
    text = 'The fee is 40 EUR. It rose "by half." (See the table below!)  Why is that so? Because.'

    assert sentences(text) == [
        "The fee is 40 EUR. ",
        'It rose "by half." ',
        "(See the table below!)  ",
        "Why is that so? ",
        "Because.",
    ]


def test_abbreviations_numbers_and_initials_end_nothing() -> None:
    """A dot inside a number, an address or an abbreviation, or behind an initial, is no end."""
    text = "Dr. Smith paid 5.3 million to J. Doe, e.g. for approx. five of www.example.org pages. The rest went home."

    assert sentences(text) == [
        "Dr. Smith paid 5.3 million to J. Doe, e.g. for approx. five of www.example.org pages. ",
        "The rest went home.",
    ]


def test_a_figure_ends_a_sentence_before_a_small_letter() -> None:
    """What follows a number begins a sentence even without a capital letter."""
    assert sentences("q1 q1 q1 q1. q2 q2 q2 q2.") == ["q1 q1 q1 q1. ", "q2 q2 q2 q2."]


def test_lines_are_cut_and_a_heading_goes_with_what_follows() -> None:
    """List items and table rows stand alone; a short line does not."""
    text = "Limits\n- the first item of the list\n- the second item of the list\n| row | with | cells | 40 |\n"

    assert sentences(text) == [
        "Limits\n- the first item of the list\n",
        "- the second item of the list\n",
        "| row | with | cells | 40 |\n",
    ]


def test_sentences_of_other_scripts() -> None:
    """Ideographic and other full stops need no blank after them."""
    assert sentences("水泵每周检查一次压力表。读数记录在维护日志中！") == ["水泵每周检查一次压力表。", "读数记录在维护日志中！"]
    assert sentences("यह पहला वाक्य है। यह दूसरा वाक्य है।") == ["यह पहला वाक्य है। ", "यह दूसरा वाक्य है।"]


@given(st.text(st.sampled_from("ab .!?\n。…\"'’)\u200b\ud800Z9"), max_size=80))
def test_the_stretches_are_the_whole_text(text: str) -> None:
    """Nothing is lost, whatever the text holds."""
    assert text == "".join(sentences(text))
