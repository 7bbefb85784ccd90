"""Text in, text out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextpack_core.text import content_id, folded, is_plain, normal


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  Close\tthe\n\n valve ", "close the valve"),
        ("‘Don’t’ – “ﬁne”", "'don't' - \"fine\""),
        ("im\u00adprove\u200b the\ufeff \u202eflow\u202c", "improve the flow"),
        ("Ｖａｌｖｅ\u00a012\u202fbar", "valve 12 bar"),
        ("10² m is not 102 m, 1½ not 11⁄2", "10² m is not 102 m, 1½ not 11⁄2"),
        ("STRASSE ẞ", "strasse ss"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("", ""),
    ],
)
def test_folded_sees_through_layout_alone(text: str, expected: str) -> None:
    """Case, white space, quotes, dashes and what cannot be seen are folded; a superscript stays one."""
    assert folded(text) == expected


@given(st.text())
def test_the_normal_form_is_its_own(text: str) -> None:
    """The normal form of a normal form is itself, for any text."""
    once = normal(text)

    assert normal(once) == once


def test_plain_texts_need_no_folding() -> None:
    """Only what NFKC changes is not plain."""
    assert [is_plain(text) for text in ("valve", "Größe “5”", "ﬁne", "a\u00a0b")] == [True, True, False, False]


def test_content_ids_depend_on_the_parts_alone() -> None:
    """The same parts give the same id, lone surrogates too; the border between two parts counts."""
    ids = [content_id("a", "b"), content_id("a", "b"), content_id("ab", ""), content_id("\ud800")]

    assert [len(name) for name in ids] == [16] * 4
    assert ids[0] == ids[1]
    assert len(set(ids)) == 3
