"""Units of texts that a careless reader takes quadratic time for, by what reads them.

The tests ask whether what stands behind thousands of them is read as ever; ``benchmarks/growth.py`` measures how the time grows.
"""

BARREN = (
    *("1", "(", " ", "-", ".", ",", "$", "%", "[1,", "【", "a-", "a1", "@a", "http://", "二〇", "分之", "hundred ", "million "),
    *("May ", "FY", "zwei", "hundert", "\x00", "1'000", "1e9", "half ", "令和", "[P1"),
)
"""Few figures, or none."""

FERTILE = (
    *("1-", "1,", "1.1 ", "1/", "1:", "1 x ", "1\n", "(1) ", "1. ", "two ", "twenty-", "May 1 ", "$1", "1 of ", "1 mg/"),
    *("+49 30 1", "1½", "一百个"),
)
"""All figures."""

QUOTATION_MARKS = (
    *('"', "'", "“", "”", "„", "‘“", "“‘„«‹「『〝‚", ' "a', " 'a", "s' ", '5" ', "> ", "\n>", '\n\n"', "“a ‘b „c ", "`", '> "a\n'),
)

QUOTATIONS = ("aa ", "a … ", "[a] ", "\u00adb", "… ", '"a b c" ', "新")

MARKUP = (
    *("[", "[a", "](", "[x](", "]((b)", "[1,", "[ 1", "*", "a*", "_", "`", "\\", "&", "&#1", "<a ", "<b x=", "-", "- ", " — "),
    *("| ", "|\n", "\n- ", "\n> ", "a-\n", "\u00ad", "e\u0301", '5"', "''", "¹", "½", "« ", "…", "[...", "ﬃ", "新 ", " ", "\n"),
)

CLAIMS = (
    *("a. ", '"a. ', "“", "- \n", "[P1] ", "| a |\n", "! ", "e.g. ", "。", "`a. ", "A.", "1. ", "> ", "a\n", "Sources:\n"),
    *(". [P1]", "   "),
)

CITATION_MARKS = (
    *("[", "[[", "[P1,", "[P1", "` ", "``` ", "~~~\n", "```\n", "【", "\\", "[P1](", "[[P1]](a", "x[1]", "[1][1]"),
    *("[P1-P999999]", "- ", "\n", "a\n", "`a\n", "> ", "[source ", "[P1 P1 ", "]", "[^1]: "),
)

STREAMED = ("A [P1] b. ", "[", "[P1, ", "` ", "`a\n", "```\n", "[[P1]](a", "text ", "\n", "- `", "(", "【", "[P1](a")

ANSWERS = (
    *("It runs [P1]. ", 'It says "as in [P2] above" [P1]. ', '"as in [P2] above ', "| a | [P1] |\n", "It does not run [P1]. "),
    *("`a [P1] ", "[P9] "),
)

REFUSALS = ("the documents do not ", "i cannot ", "dokumente nicht ", "not in the ", "没有文档", "the the ", "no information is ")

QUESTIONS = ("A and ", '"', "between ", "and how ", "x vs ", "什么，", "和", "“„", "? ", "A")


def many(unit: str, size: int) -> str:
    """So many of a unit that they come to the size in characters, or a little less."""
    return unit * (size // len(unit))
