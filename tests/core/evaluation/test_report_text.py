"""Foreign texts on a terminal, on a page and in a plot."""

from __future__ import annotations

from contextpack_core.evaluation.report_text import counted, for_output, for_page, for_plot, for_terminal, isolated, sentence


def test_a_terminal_gets_nothing_to_obey():
    """Control characters, halves of characters and marks of direction are written as escapes; blanks and letters stay."""
    assert for_terminal("é\u00a0中\x1b]0;x\x07\n\ud800\ufffe\u202e") == "é\u00a0中\\x1b]0;x\\x07\\n\\ud800\\ufffe\\u202e"


def test_an_output_that_lacks_a_character_gets_an_escape():
    """No report ends in an error of the encoding."""
    assert for_output("0.1–0.2 é\ud800", "latin-1") == "0.1\\u20130.2 é\\ud800"
    assert for_output("0.1–0.2 é", None) == "0.1–0.2 é"


def test_a_page_shows_what_it_cannot_hold():
    """Control characters as their pictures, the others as U+FFFD; signs of HTML are escaped, tabs and line ends stay."""
    assert for_page("<\x00\x1b\x7f\x85\ud800\ufdd0\ufffe\U0001ffff>\t\r\n") == "&lt;␀␛␡\ufffd\ufffd\ufffd\ufffd\ufffd&gt;\t\r\n"


def test_a_foreign_text_does_not_turn_its_line():
    """It stands in an element of its own, or between words of the report with the turning mark written out."""
    assert isolated("a\u202eb") == "<bdi>a\u202eb</bdi>"
    assert sentence("It held “a\u202eb\u2067”.") == "It held “a\\u202eb\\u2067”."


def test_a_name_in_a_plot_is_one_short_line():
    """Neither a formula nor longer than the plot has room for."""
    assert for_plot("$a^2$\n_b\x1b") == r"\$a^2\$ _b␛"
    assert for_plot("a" * 40) == "a" * 27 + "…"


def test_one_is_singular():
    """1 case, 0 and 2 cases."""
    assert [counted(n, "case") for n in (0, 1, 2)] == ["0 cases", "1 case", "2 cases"]
