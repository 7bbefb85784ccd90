"""Citation marks: which brackets of an answer name labels, and which are code, links, indices or prose."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from contextpack_core.citations.labels import Reading, Vocabulary, vocabulary
from contextpack_core.citations.values import Citation, CitationStatus
from contextpack_core.patterns import pattern
from contextpack_core.values import Span

MAX_MARK = 400
"""A mark is at most this long between its brackets; so is the address behind a doubled one."""

MAX_CODE = 1000
"""Inline code is at most this long: whether a mark stands in code is known after so many characters."""

Quoted = Callable[[str, int, int], bool]
"""Whether the bracket at these offsets of a text is quoted from a passage, and so cites nothing."""


def parse_citations(
    text: str,
    labels: Collection[str] | None,
    *,
    marks: str = "label",
    also: Collection[str] = (),
    dropped: Mapping[str, str] | None = None,
    quoted: Quoted | None = None,
) -> tuple[Citation, ...]:
    """The citation marks of an answer, in order, each with the span of its whole bracket in code points.

    ``[P1]``, ``[P1, P2]``, ``[P1; P2]``, ``[P1-P3]``, ``【P1】``, ``[[P1]]``, ``[[P1]](address)``, ``[ P 1 ]``,
    ``[Source P1]`` and ``[P1, p. 14]`` name labels. Code, escaped brackets, links, an index (``a[1]``), a block of reasoning
    before the answer (``<think>``) and prose do not.
    A bracket that looks like a label but is none of ``labels``, or that is malformed, is UNKNOWN. With ``labels=None`` all that
    looks like a label is reported as NOT_CHECKED.

    Args:
        marks: the form that the prompt asked for: with ``number`` ``[1]`` names P1, with ``footnote`` ``[^1]`` does.
        also: forms that count besides, ``round`` (``(P1)``), ``footnote``, ``number``.
        dropped: names of candidates that were left out, each with the reason: they are DROPPED.
        quoted: tells whether a bracket is quoted from a passage; such a bracket is no citation.
    """
    return scan(text, vocabulary(labels, marks, also, dropped), quoted).citations


@dataclass(frozen=True, slots=True)
class Marks:
    """The citations of a text, and where its blocks of code, and of reasoning before the answer, stand."""

    citations: tuple[Citation, ...]
    code: tuple[Span, ...]


def scan(text: str, words: Vocabulary, quoted: Quoted | None = None) -> Marks:
    """The marks of a whole text."""
    scanner = MarkScanner(words, quoted)
    scanner.text = text
    return Marks(tuple(scanner.run(final=True)), tuple(scanner.code))


# ---------------------------------------------------------------- where the marks stand

_PAIRS = {"[": "]", "［": "］", "【": "】", "〔": "〕", "(": ")", "（": "）"}
_SQUARE = "[［【〔"
_CLOSERS = "]］】〕)）"
_ANY_BRACKET = re.escape("[]［］【】〔〕`")
_CONTENT = pattern(rf"[^{_ANY_BRACKET}]*")
_ROUND_CONTENT = pattern(rf"[^{_ANY_BRACKET}()（）]*")
_BLANK_LINE = pattern(r"\n[ \t\r]*\n")
_SPECIAL = pattern(rf"[{re.escape(_SQUARE)}`\n]")
_SPECIAL_ROUND = pattern(rf"[{re.escape(_SQUARE)}(（`\n]")
_NEWLINE = pattern(r"\n")

_THINKING = pattern(r"\s*<(think(?:ing)?)>", re.IGNORECASE)
_THOUGHT = pattern(r"</think(?:ing)?>", re.IGNORECASE)
_THOUGHT_MAY_END = pattern(">")

_LIST_MARKER = r"(?:[-*+•]|\d{1,9}[.)])"
_LINE_WINDOW = 256
_LINE_HEAD = pattern(rf"[ \t>]*(?:{_LIST_MARKER}[ \t]+)*(`{{3,}}|~{{3,}})")
_LINE_UNDECIDED = pattern(rf"[ \t>]*(?:{_LIST_MARKER}[ \t]+)*(?:[-*+•]|\d{{1,9}}[.)]?|`*|~*)\Z")
_FENCE_END = pattern(r"[ \t>]*(`{3,}|~{3,})[ \t\r]*(?=\n|\Z)")
_FENCE_END_UNDECIDED = pattern(r"[ \t>]*(?:`*|~*)[ \t\r]*\Z")

_TICKS = pattern(r"`+")
_MAX_TICKS = 64
# Inline code ends at as many ticks, or not at all: it does not reach over the start of another block.
_BLOCK_START = rf"\n[ \t]*(?:\r?\n|```|~~~|{_LIST_MARKER}[ \t]|#{{1,6}}[ \t]|[>|])"
_CODE_STOP = pattern(rf"`+|{_BLOCK_START}")
_BLOCK_UNDECIDED = pattern(r"\n[ \t]*(?:\r|[-*+•]|\d{1,9}[.)]?|#{1,6}|`{1,2}|~{1,2})?\Z")

_DESTINATION = pattern(r"\([^\s)]*")
_ADDRESS = pattern(r"[/.#:]")
_DEFINITION = pattern(r":[ \t]*(?:<|https?:|www\.|[./#]|file:|mailto:)", re.I)
_DEFINITION_WINDOW = 16
_IDENTIFIER = pattern(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_CONTEXT = 700
"""How much text before the place it has reached a scanner keeps: what a decision may look back at."""


class MarkScanner:
    """Finds marks in a text that may arrive in pieces; where it is cut does not change what is found.

    Every decision looks at a bounded window: what is undecided when the text so far ends stays so until more of it comes.
    ``waiting`` tells for what: ``""`` (nothing is open), ``"mark"`` (a bracket may become one), ``"line"`` (a line has just
    begun), ``"code"`` (only a tick or a line end matters).
    """

    __slots__ = (
        "_fence",
        "_fence_start",
        "_line_start",
        "_quoted",
        "_special",
        "_thinking",
        "_words",
        "code",
        "offset",
        "pos",
        "text",
        "waiting",
    )

    def __init__(self, words: Vocabulary, quoted: Quoted | None = None) -> None:
        self._words = words
        self._quoted = quoted
        self._special = _SPECIAL_ROUND if words.round else _SPECIAL
        self._fence = ""
        self._fence_start = 0
        self._line_start = True
        self._thinking = False
        self.code: list[Span] = []
        self.text = ""
        self.offset = 0
        self.pos = 0
        self.waiting = "line"

    def add(self, piece: str) -> list[Citation]:
        """The marks that are decided now that this piece follows."""
        spare = self.pos - _CONTEXT
        if spare > _CONTEXT:
            self.text = self.text[spare:]
            self.offset += spare
            self.pos -= spare
        self.text += piece
        return self.run(final=False)

    def run(self, *, final: bool) -> list[Citation]:
        """The marks from ``pos`` on, as far as they are decided; all of them when nothing follows."""
        found: list[Citation] = []
        while True:
            if self._thinking and not self._pass_thought(final):
                break
            if self._line_start and not self._begin_line(final):
                break
            special = self.special.search(self.text, self.pos)
            if special is None:
                self.pos = len(self.text)
                self.waiting = ""
                if final and self._fence:
                    self.code.append(Span(self._fence_start, self.offset + self.pos))
                break
            self.pos = special.start()
            char = self.text[self.pos]
            if char == "\n":
                self.pos += 1
                self._line_start = True
            elif char == "`":
                if not self._pass_code(final):
                    break
            elif not self._pass_bracket(found, final):
                break
        return found

    @property
    def special(self) -> re.Pattern[str]:
        """What can matter next, when nothing is waited for: text without it goes by."""
        if self._thinking:
            return _THOUGHT_MAY_END
        return _NEWLINE if self._fence else self._special

    def _begin_line(self, final: bool) -> bool:
        """Whether it is known if this line opens or closes a fence; if it does, the line is passed."""
        text, start = self.text, self.pos
        stop = start + _LINE_WINDOW
        partial = len(text) < stop and not final
        if self.offset + start == 0:
            if partial and "<thinking>".startswith(text.lstrip().lower()):
                self.waiting = "line"
                return False
            if _THINKING.match(text, 0, _LINE_WINDOW):
                self._thinking, self._line_start = True, False
                return self._pass_thought(final)
        undecided, head = (_FENCE_END_UNDECIDED, _FENCE_END) if self._fence else (_LINE_UNDECIDED, _LINE_HEAD)
        if partial and undecided.match(text, start):
            self.waiting = "line"
            return False
        found = head.match(text, start, stop)
        if found is None:
            self._line_start = False
            return True
        ticks = found.group(1)
        if self._fence:
            if ticks[0] == self._fence[0] and len(ticks) >= len(self._fence):
                self._fence = ""
                self.pos = found.end()
                self.code.append(Span(self._fence_start, self.offset + self.pos))
            self._line_start = False
            return True
        end = text.find("\n", found.end(), stop)
        if end < 0 and partial and (ticks[0] == "~" or text.find("`", found.end()) < 0):
            self.waiting = "code"
            return False
        end = min(stop, len(text)) if end < 0 else end
        if ticks[0] == "~" or text.find("`", found.end(), end) < 0:
            self._fence = ticks
            self._fence_start = self.offset + start
            self.pos = end
        self._line_start = False
        return True

    def _pass_thought(self, final: bool) -> bool:
        """Whether the block of reasoning before the answer has ended; if it has, it is passed."""
        end = _THOUGHT.search(self.text, self.pos)
        if end is None:
            self.waiting = ""
            self.pos = len(self.text) if final else max(self.pos, len(self.text) - len("</thinking>"))
            if final:
                self.code.append(Span(0, self.offset + self.pos))
            return False
        self._thinking = False
        self.pos = end.end()
        self.code.append(Span(0, self.offset + self.pos))
        return True

    def _pass_code(self, final: bool) -> bool:
        """Whether it is known if these ticks open inline code; if they do, it is passed, else they are."""
        text, start = self.text, self.pos
        run = _TICKS.match(text, start, start + _MAX_TICKS)
        assert run is not None
        after = run.end()
        if after == len(text) and after - start < _MAX_TICKS and not final:
            self.waiting = "line"
            return False
        ticks = after - start - _escaped(text, start)
        seen, stop = after, after + MAX_CODE
        partial = len(text) < stop and not final
        while ticks:
            found = _CODE_STOP.search(text, seen, stop)
            if partial and (found is None or (found.end() == len(text) and found[0][0] == "`")):
                line = text.rfind("\n", seen)
                self.waiting = "line" if found or (line >= 0 and _BLOCK_UNDECIDED.match(text, line)) else "code"
                return False
            if found is None or found[0][0] == "\n":
                break
            seen = found.end()
            if len(found[0]) == ticks:
                after = seen
                break
        self.pos = after
        return True

    def _pass_bracket(self, found: list[Citation], final: bool) -> bool:
        """Whether it is known if the bracket at ``pos`` is a mark; if it is, it is added and passed, else only the bracket is."""
        text, start = self.text, self.pos
        if _escaped(text, start) or _is_index(text, start) or _is_in_address(text, start):
            self.pos += 1
            return True
        opener = text[start]
        inner = start + 1
        if inner == len(text) and not final:
            self.waiting = "mark"
            return False
        doubled = inner < len(text) and text[inner] == opener and opener in _SQUARE
        inner += doubled
        end = (_ROUND_CONTENT if opener in "(（" else _CONTENT).match(text, inner, inner + MAX_MARK).end()  # type: ignore[union-attr]
        content = text[inner:end]
        open_still = end == len(text) or (doubled and end + 1 == len(text) and text[end] == _PAIRS[opener])
        if open_still and not final and self._words.viable(content):
            self.waiting = "mark"
            return False
        if end == inner:
            self.pos += 1
            return True
        reading = self._read(content, doubled, start, end)
        if reading is None:
            self.pos += 1
            return True
        end = self._end_of_mark(start, end + 1 + doubled, doubled, reading, final)
        if end is None:
            self.waiting = "mark"
            return False
        if end:
            found.append(self._citation(reading, start, end))
        self.pos = end or start + 1
        return True

    def _read(self, content: str, doubled: bool, start: int, end: int) -> Reading | None:
        """What the bracket names; None for prose and for what a passage says."""
        opener, closer = self.text[start], self.text[end : end + 1 + doubled]
        family = _PAIRS[opener]
        if not closer or closer[0] not in _CLOSERS or (doubled and closer != family * 2) or _BLANK_LINE.search(content):
            return None
        reading = self._words.read(content, round_brackets=opener in "(（")
        if reading is None or (self._quoted is not None and self._quoted(self.text, start, end + len(closer))):
            return None
        if closer[0] != family:
            return Reading((content.strip(),), CitationStatus.UNKNOWN, f"it opens with {opener} and ends with {closer[0]}")
        return reading

    def _end_of_mark(self, start: int, end: int, doubled: bool, reading: Reading, final: bool) -> int | None:
        """Where the mark ends; 0 if it is the text of a link or begins a definition, None if that is not known yet."""
        text = self.text
        if text[end - 1] != "]":
            return end
        if end == len(text):
            return end if final else None
        if text[end] == "(":
            found = _DESTINATION.match(text, end, end + MAX_MARK)
            assert found is not None
            stop = found.end()
            if stop == len(text) and stop - end < MAX_MARK:
                return end if final else None
            if text[stop : stop + 1] == ")":
                return stop + 1 if doubled else 0
            return 0 if not doubled and (stop - end == MAX_MARK or _ADDRESS.search(found[0])) else end
        if text[end] == ":" and self._begins_line(start):
            if reading.footnote:
                return 0
            found = _DEFINITION.match(text, end, end + _DEFINITION_WINDOW)
            if found is None and len(text) < end + _DEFINITION_WINDOW and not final:
                return None
            return 0 if found else end
        return end

    def _begins_line(self, start: int) -> bool:
        before = self.text[max(0, start - 4) : start]
        head = before.rpartition("\n")[2]
        return not head.strip(" ") and len(head) < 4 and (len(before) > len(head) or (start == len(head) and self.offset == 0))

    def _citation(self, reading: Reading, start: int, end: int) -> Citation:
        span = Span(self.offset + start, self.offset + end)
        return Citation(self.text[start:end], reading.labels, span, reading.status, reading.detail)


def _escaped(text: str, at: int) -> bool:
    """Whether a backslash takes the meaning from the character."""
    before = at
    while before > 0 and at - before < _LINE_WINDOW and text[before - 1] == "\\":
        before -= 1
    return (at - before) % 2 == 1


def _is_in_address(text: str, at: int) -> bool:
    """Whether the bracket is a part of an address's path or query: ``https://x.example/[P9]``; not what follows an address."""
    return text[at - 1 : at] in _ADDRESS_PARTS and _ADDRESS_HEAD.search(text, max(0, at - 256), at) is not None


_ADDRESS_PARTS = frozenset("/=&?")
_ADDRESS_HEAD = pattern(r"(?:https?|ftp)://[^\s<>\"]*\Z")


def _is_index(text: str, at: int) -> bool:
    """Whether the bracket indexes a variable: ``a[1]``, ``x1[P1]``, ``row_sums[2]``, ``a[1][2]``, ``f()[1]``; not ``mill[3]``."""
    for _ in range(3):
        if not at or text[at - 1] != "]":
            break
        opening = text.rfind("[", max(0, at - 64), at)
        if opening < 0:
            break
        at = opening
    if not at or not (text[at - 1].isalnum() or text[at - 1] in "_)"):
        return False
    found = _IDENTIFIER.search(text, max(0, at - 32), at)
    if found is None:
        return text[max(0, at - 2) : at] == "()"
    name, before = found[0], text[found.start() - 1 : found.start()]
    if name in _VARIABLES or "_" in name:
        return not before.isalnum()
    # One small letter is a variable, and so is a capital behind an operator; "vitamin C[P1]" cites.
    if not (name[0].islower() and name[1:].isdigit()) and len(name) > 1:
        return False
    return before in _OPERATORS if name[0].isupper() and before else not before or before.isspace() or before in _OPERATORS


_OPERATORS = "$=+*({,<>!&|"
_VARIABLES = frozenset("arr args argv buf vec tmp idx ptr obj foo baz nums vals elems attrs cfg str".split())
