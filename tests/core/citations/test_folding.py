"""Folding: what is one text, what is not, and the way back to the source."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextpack_core.citations.folding import ROW_END, fold, folded_char
from tests import hostile

ONE_TEXT = [
    ("Quotes ‘a’ “b” «c» „d“", "Quotes 'a' \"b\" 'c' \"d\""),
    ("ﬁnal oﬄine", "final offline"),
    ("e\u0301te\u0301", "ÉTÉ"),
    ("STRAẞE", "straße"),
    ("a \u00a0 b\t\nc", "a b c"),
    ("so\u00adft\u200b hy\u00ad\nphen", "soft hyphen"),
    ("assess-\n  ment", "assessment"),
    ("10–12 and −3 and non‑slip", "10-12 and -3 and non-slip"),
    ("a—b", "a -- b"),
    ("10—12", "10-12"),
    ("wait … now", "wait ... now"),
    ("**bold** _it_ `code`", "bold it code"),
    ("[text](https://example.org/a_(b)) end", "text end"),
    ("a &amp; b&nbsp;c &#8217;d", "a & b c ’d"),
    ("<b>x</b><br/>y", "x y"),
    ("> quoted\n> twice", "> quoted twice"),
    ("## Head\n- item", "## Head item"),
    ("ＡＢＣ１２", "abc12"),
    ("٣٤", "34"),
    ("20 ℃", "20°C"),
    ("x ≥ 2 × 3", "x >= 2 x 3"),
    ("the fee [7], due [ 3 , 5 ] now[^2].", "the fee, due now."),
    ("failed¹ here", "failed here"),
    ("弁 は\n毎週", "弁は毎週"),
    ("prêt !", "prêt!"),
    ("la la™", "la la"),
]

OTHER_TEXTS = [
    ("10²", "102"),
    ("10²", "10"),
    ("2½", "21/2"),
    ("max_gap", "maxgap"),
    ("3 * 4", "3 4"),
    ('5"', "5'"),
    ("drift\n- 0.2", "drift 0.2"),
    ("10-\n12", "1012"),
    ("salt -- \nwater", "saltwater"),
    ("é", "e"),
    ("[2024]", ""),
    ("a.5", "a 5"),
    ("| a |\n| b |", "a b"),
]


@pytest.mark.parametrize(("left", "right"), ONE_TEXT)
def test_typography_and_markup_fold_away(left: str, right: str) -> None:
    """Two spellings of one text fold to the same."""
    assert fold(left).text.strip() == fold(right).text.strip()


@pytest.mark.parametrize(("left", "right"), OTHER_TEXTS)
def test_what_means_something_else_stays_different(left: str, right: str) -> None:
    """Texts that say different things fold differently."""
    assert fold(left).text.strip() != fold(right).text.strip()


def test_references_are_kept_on_request() -> None:
    """Reference marks stay, without blanks and links, when the quotation has some itself."""
    folded = fold("fee [ 7 , 9 ] and note² of [3](https://example.org)", references=True)

    assert folded.text == "fee [7,9] and note2 of [3]"


def test_the_end_of_a_row_is_a_border() -> None:
    """Cells of a row stand apart by blanks, rows by a border."""
    assert fold("| a | b |\n| c | d |").text.strip() == f"a b {ROW_END} c d"


def test_the_way_back_is_exact() -> None:
    """A place in the folded text leads to the characters it was made of, and none leads into the middle of one."""
    source = "A suﬃcient &amp; **bold** te\u00adst"
    folded = fold(source)
    at = folded.text.index("sufficient")

    assert folded.source_span(at, at + len("sufficient")) == (2, 10)
    assert folded.source_span(at, at + 3) is None
    start = folded.text.index("& bold")
    assert folded.source_span(start, len(folded.text)) == (11, len(source))


def test_hyphens_at_line_ends_are_remembered() -> None:
    """A joint is an offset of the folded text at which the source had a hyphen and a line end."""
    assert fold("a well-\nknown in-\n spector").joints == (6, 14)


@given(st.text(st.characters(), max_size=60) | st.text("a1 -\n\t*_`[](){}|&;#<>\"'’“”…—.,\u00ad\u200b\u0301ﬁ½²新가\\", max_size=60))
def test_every_fold_leads_back(text: str) -> None:
    """For any text, the spans of single folded characters are in order and within the source."""
    folded = fold(text)
    spans = [span for at in range(len(folded.text)) if (span := folded.source_span(at, at + 1))]

    assert spans == sorted(spans)
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert unicodedata.is_normalized("NFD", folded.text)


def test_no_character_changes_its_length_late() -> None:
    """What a character folds to is lower case and decomposed already, so that lengths are known when it is folded."""
    chars = [chr(code) for code in range(0x20000)]

    assert [c for c in chars if len(folded_char(c).lower()) != len(folded_char(c))] == []
    assert [c for c in chars if not unicodedata.is_normalized("NFD", folded_char(c).lower())] == []


@pytest.mark.parametrize("unit", hostile.MARKUP)
def test_what_follows_a_long_text(unit: str) -> None:
    """Whatever stands in sixty thousand characters before it, a word folds as ever, and to its place."""
    text = f"{hostile.many(unit, 60_000)}\n\nKeep it Dry"
    found = fold(text)

    assert found.text.endswith("keep it dry")
    assert found.source_span(len(found.text) - 3, len(found.text)) == (len(text) - 3, len(text))
