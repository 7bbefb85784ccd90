"""Quotation marks: which pair up, and what is quoted."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextpack_core import Span
from contextpack_core.citations.quote_marks import find_quotes, is_quotation
from tests import hostile

CASES = [
    ('It says "the fee is waived" [P1].', ["the fee is waived"]),
    ("“a b c” „d e f“ «g h i» ”j k l” and »m n o«", ["a b c", "d e f", "g h i", "j k l", "m n o"]),
    ("« a b c » and ‚d e f‘ and ‹g h i›", ["a b c", "d e f", "g h i"]),
    ("規則は「弁は毎週検査する」と『手順の第三章を参照』です", ["弁は毎週検査する", "手順の第三章を参照"]),
    ('他说“阀门必须每周检查”了。"手册第三章规定"也是', ["阀门必须每周检查", "手册第三章规定"]),
    ('Mixed “a b c" and "d e f”.', ["a b c", "d e f"]),
    ("It's the dogs' bowl and the cats' toys aren't here", []),
    ("The '90s were the dogs' time, 'twas the cooks' too", []),
    ("He wrote 'stop the pumps now' and ‘don’t stop the pumps’.", ["stop the pumps now", "don’t stop the pumps"]),
    ("‘a b the pumps’ and the others’ wait", ["a b the pumps"]),
    ('A 5" pipe and a 6" pipe; 5\' 3" tall', []),
    ('It says "use a 5" pipe only" here.', ['use a 5" pipe only']),
    ('Follow "rule number 5" and "rule number 6".', ["rule number 5", "rule number 6"]),
    ("He said \"she wrote 'go home' twice\" and “they “go home” too”", ["she wrote 'go home' twice", "they “go home” too"]),
    ('Call it "a "dry" mode" now', ['a "dry" mode']),
    ("‘He said “go now” to us’ twice", ["He said “go now” to us"]),
    ('The "smart" pump', []),
    ('Open "that never ends\n\nand “another one ends” here', ["another one ends"]),
    ('Open "and then "a b c" here', ["a b c"]),
    ('<a href="x y z">t</a> and x="a b c"', []),
    ('`f("a b c")` and *"d e f"* and ("g h i")', ["d e f", "g h i"]),
    ('1. "a b c"\n2. "d e f"\n| "g h i" |', ["a b c", "d e f", "g h i"]),
    ('He said:"a b c"', ["a b c"]),
    ("x:\n\n> a b c\n> d e f\n\ny", ["a b c\n> d e f"]),
    ("> a b c\n> — the author", ["a b c"]),
    ('> "a b c" — the author', ["a b c"]),
    ("> **Note:** a b c\n\n> [!TIP]\n> d e f\n\n> ⚠️ g h i", []),
]


@pytest.mark.parametrize(("answer", "quoted"), CASES)
def test_what_is_quoted(answer: str, quoted: list[str]) -> None:
    """The outermost quoted passages of two words or more, in order."""
    assert [text for text, _ in find_quotes(answer)] == quoted


def test_nothing_in_a_skipped_span_is_quoted() -> None:
    """Marks in code neither open nor close, and a block quotation in code is none."""
    answer = '```\n"a b c"\n> d e f\n```\n"g h i"'

    assert find_quotes(answer, [Span(0, 23)]) == (("g h i", Span(25, 30)),)


@pytest.mark.parametrize(
    ("text", "sure"),
    [
        ("the fee is waived", True),
        ("keep dry", False),
        ("Safe Use of Cranes", False),
        ("Wait here. Go.", True),
        ("弁は毎週検査", True),
        ("東京駅", False),
    ],
)
def test_what_is_surely_a_quotation(text: str, sure: bool) -> None:
    """Three words or more that are no title."""
    assert is_quotation(text) is sure


@given(st.text("ab 1\"'“”„‟‘’‚‛«»‹›「」『』〝〞>`\n.", max_size=60))
def test_quotations_stand_apart_in_order(answer: str) -> None:
    """Each text is the answer's at its span, and no two overlap."""
    found = find_quotes(answer)

    assert all(answer[span.start : span.end] == text for text, span in found)
    assert all(left.end <= right.start for (_, left), (_, right) in pairwise(found))


@pytest.mark.parametrize("unit", hostile.QUOTATION_MARKS)
def test_a_quotation_after_a_hundred_thousand_marks(unit: str) -> None:
    """However many marks stand before it that close nothing, it is found."""
    before = hostile.many(unit, 100_000)
    found = find_quotes(f"{before}\n\nIt says “keep it dry at all times”.")

    assert found[-1] == ("keep it dry at all times", Span(len(before) + 11, len(before) + 35))
