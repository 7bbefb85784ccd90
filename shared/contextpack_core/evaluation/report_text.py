"""Foreign texts in a report: none of them steers a terminal, breaks a page, or turns the line that it stands in."""

from __future__ import annotations

from html import escape

from contextpack_core.tokens import without_surrogates


def for_terminal(value: object) -> str:
    """The text with what a terminal would obey, or no output can take, written as an escape such as ``\\x1b``."""
    text = str(value)
    if text.isprintable():
        return text
    return "".join([c if c.isprintable() or c in _BLANKS else c.encode("unicode_escape").decode() for c in text])


_BLANKS = "\u00a0\u2002\u2003\u2007\u2009\u202f\u3000"


def for_output(text: str, encoding: str | None) -> str:
    """The text with an escape for each character that the encoding of an output does not have."""
    return text.encode(encoding or "utf-8", "backslashreplace").decode(encoding or "utf-8")


def for_page(value: object) -> str:
    """The text as HTML: a control character as its picture, what a page must not hold as U+FFFD."""
    return escape(_visible(str(value)), quote=True)


def isolated(value: object) -> str:
    """A foreign text inside of a line, as HTML: its direction, and marks that turn it, end with it."""
    return f"<bdi>{for_page(value)}</bdi>"


def sentence(value: object) -> str:
    """Words of the report with foreign ones between them, as HTML: marks that would turn what follows are written out."""
    return for_page(str(value).translate(_TURNING))


def for_plot(value: object, most: int = 28) -> str:
    """The text on one line that matplotlib draws as it is: no formula; a long one ends in an ellipsis."""
    return shortened(" ".join(_visible(str(value).translate(_TURNING)).split()), most).replace("$", r"\$")


def shortened(text: str, most: int) -> str:
    """The text, or its beginning and an ellipsis: at most so many characters."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def counted(n: int, what: str) -> str:
    """``1 case``, ``2 cases``."""
    return f"{n} {what if n == 1 else what + 's'}"


def _visible(text: str) -> str:
    return without_surrogates(text).translate(_PICTURES)


_NO_TEXT = [0xFFFE + plane for plane in range(0, 0x110000, 0x10000)] + [0xFFFF + plane for plane in range(0, 0x110000, 0x10000)]
_PICTURES = {
    **{code: 0x2400 + code for code in range(0x20) if chr(code) not in "\t\n\r"},
    **dict.fromkeys([*range(0x80, 0xA0), *range(0xFDD0, 0xFDF0), *_NO_TEXT], 0xFFFD),
    0x7F: 0x2421,
}
_TURNING = {code: f"\\u{code:04x}" for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))}
