"""Claims: an answer as sentences, list items and table rows, each with the labels it cites."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from contextpack_core.citations.labels import vocabulary
from contextpack_core.citations.marks import Marks, scan
from contextpack_core.citations.sentences import sentence_ends
from contextpack_core.citations.values import Citation, Claim, ClaimKind
from contextpack_core.patterns import pattern
from contextpack_core.values import Span


def split_claims(text: str) -> tuple[Claim, ...]:
    """The checkable statements of an answer in order: its sentences, list items and table rows, each with the marks that
    belong to it.

    A mark behind the full stop belongs to the sentence before it, and so does one on a line of its own. Headings, the head
    of a table, code and a closing list of sources are no claims. ``labels`` are whatever looks like a label.
    """
    return outline(text, scan(text, vocabulary(None))).claims


@dataclass(frozen=True, slots=True)
class Outline:
    """The claims of a text, and the stretches of it that state nothing: code, list markers, a closing list of sources."""

    claims: tuple[Claim, ...]
    skipped: tuple[Span, ...]


def outline(text: str, marks: Marks) -> Outline:
    """The claims of a text whose marks are known. A claim has all labels that its marks name, unknown ones too."""
    reader = _Reader(text, marks)
    for line in _lines(text, marks.code):
        reader.take(line)
    return Outline(reader.finish(), tuple(sorted(reader.skipped)))


# ---------------------------------------------------------------- lines

_MARKER = pattern(r"[ \t]*(?:[-*+•‣◦▪–—][ \t]+|\(?(?:\d{1,3}|[a-z]|[ivx]{2,4})[.)](?=[ \t\[【]|$)[ \t]*|\(?[A-Z]\)[ \t]+)")
_QUOTE_SIGN = pattern(r"[ \t]*(?:>[ \t]?)+")
_HEADING = pattern(r"[ \t]{0,3}#{1,6}(?:[ \t]|$)")
_BOLD_LINE = pattern(r"[ \t]*(?:\*\*[^*\n]+\*\*|__[^_\n]+__):?[ \t\r]*\Z")
_RULE = pattern(r"[ \t]*(?:[-*_=][ \t]*){3,}\r?\Z")
_TABLE_RULE = pattern(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-*:?[ \t]*)*\r?\Z")
_SOURCES = pattern(
    r"[ \t]*(?:#{1,6}[ \t]*)?[*_]*(?:sources?|references?|citations?|bibliography|quellen(?:angaben|verzeichnis)?|belege|"
    r"sources? citées?|références?|fuentes?|referencias?|参考文献|来源|出典|引用)[*_]*[ \t]*[:：]?[*_]*[ \t\r]*\Z",
    re.IGNORECASE,
)
_LOOK_BACK = 200
_ENDS_STATEMENT = tuple('.!?…。！？｡:：;；"”»」)]】］*_')


@dataclass(frozen=True, slots=True)
class _Line:
    """A line without its break; ``start`` is behind the marker of a list item or the sign of a quotation."""

    at: int
    start: int
    end: int
    text: str
    kind: str  # text, item, row, head, blank, rule, code


def _lines(text: str, code: Sequence[Span]) -> Iterator[_Line]:
    at, blocks = 0, iter(code)
    block = next(blocks, None)
    length = len(text)
    while at < length:
        if block is not None and at >= block.start:
            yield _Line(at, at, block.end, "", "code")
            at = block.end + 1 if text[block.end : block.end + 1] == "\n" else block.end
            block = next(blocks, None)
            continue
        end = text.find("\n", at)
        end = length if end < 0 else end
        yield _line(text[at:end], at, end)
        at = end + 1


def _line(line: str, at: int, end: int) -> _Line:
    first = line.lstrip()[:1]
    if not first:
        return _Line(at, at, end, line, "blank")
    start = at
    if first == ">" and (sign := _QUOTE_SIGN.match(line)):
        start += sign.end()
        line = line[sign.end() :]
        first = line.lstrip()[:1]
    if first and first in "|:-*_=#":
        if _TABLE_RULE.match(line) or _RULE.match(line):
            return _Line(at, start, end, line, "rule")
        if first == "|":
            return _Line(at, start, end, line, "row")
        if _HEADING.match(line) or _BOLD_LINE.match(line):
            return _Line(at, start, end, line, "head")
    if marker := _MARKER.match(line):
        return _Line(at, start + marker.end(), end, line[marker.end() :], "item")
    return _Line(at, start, end, line, "text")


# ---------------------------------------------------------------- from lines to claims


class _Reader:
    """Gathers lines into paragraphs, items and rows, and cuts those into claims."""

    def __init__(self, text: str, marks: Marks) -> None:
        self._text = text
        self._citations = marks.citations
        self._starts = [c.span.start for c in marks.citations]
        self._claims: list[Claim] = []
        self._open: tuple[int, int] | None = None  # the paragraph or item that goes on
        self._row: _Line | None = None  # a table row that may be the head
        self._inherited: tuple[str, ...] = ()
        self._listing_sources = False
        self.skipped: list[Span] = [*marks.code]

    def take(self, line: _Line) -> None:
        """Add the next line."""
        if self._row is not None:
            self._close_row(is_head=line.kind == "rule" and "-" in line.text)
        if self._listing_sources and line.kind not in ("blank", "code"):
            if line.kind == "item" or self._mark_at(line.start) is not None:
                self.skipped.append(Span(line.at, line.end))
                return
            self._listing_sources = False
        if line.kind == "text" and self._open is not None and self._goes_on(line):
            self._open = (self._open[0], line.end)
            return
        self._close()
        if (
            line.end - line.start < 60
            and line.kind in ("text", "head", "item")
            and _SOURCES.match(self._text, line.start, line.end)
        ):
            self._listing_sources = True
            self.skipped.append(Span(line.at, line.end))
        elif line.kind == "row":
            self._row = line
        elif line.kind == "head" and self._mark_at(line.start, line.end) is None:
            self._inherited = ()
        elif line.kind in ("text", "item", "head"):
            self._begin(line)

    def _begin(self, line: _Line) -> None:
        if line.kind == "item":
            self.skipped.append(Span(line.at, line.start))
        elif not self._text[line.at : line.start + 1].startswith((" ", "\t")):
            self._inherited = ()
        self._open = (line.start, line.end)

    def finish(self) -> tuple[Claim, ...]:
        """All claims."""
        if self._row is not None:
            self._close_row(is_head=False)
        self._close()
        return tuple(self._claims)

    def _goes_on(self, line: _Line) -> bool:
        """Whether a line goes on with the paragraph: a sentence was broken over two lines, or the line holds marks alone."""
        assert self._open is not None
        if self._without_marks(line.start, line.end) is None:
            return True
        before = self._text[max(self._open[0], self._open[1] - _LOOK_BACK) : self._open[1]].rstrip()
        first = line.text.lstrip()[:1]
        return not before.endswith(_ENDS_STATEMENT) and (
            first.islower() or before.endswith(",") or len(before) - before.rfind("\n") > 60
        )

    def _close_row(self, *, is_head: bool) -> None:
        assert self._row is not None
        if not is_head or self._mark_at(self._row.start, self._row.end) is not None:
            self._add(self._row.start, self._row.end)
        self._row = None

    def _close(self) -> None:
        """Cut what is open into sentences."""
        if self._open is None:
            return
        (start, end), self._open = self._open, None
        begin = start
        marks_lead = self._marks_lead(start, end)
        for stop in (*sentence_ends(self._text, start, end), end):
            if stop <= begin:  # it lies in marks that belong to the sentence before
                continue
            if not marks_lead:
                stop = self._past_marks(stop, end)
            self._add(begin, stop)
            begin = stop

    def _marks_lead(self, start: int, end: int) -> bool:
        """Whether marks stand before what they support: the paragraph begins with one and ends without."""
        if self._mark_at(start, end) is None or self._mark_at(start) is None:
            return False
        last = self._citations[bisect_left(self._starts, end) - 1]
        return _WORD.search(self._text, last.span.end, end) is not None

    def _past_marks(self, at: int, end: int) -> int:
        """Behind the marks that follow, as long as nothing stands between them but blanks."""
        for i in range(bisect_left(self._starts, at), len(self._citations)):
            span = self._citations[i].span
            if span.start >= end or self._text[at : span.start].strip():
                break
            at = span.end
        return at

    def _add(self, start: int, end: int) -> None:
        """Add the statement between the two places; marks alone go to the statement before."""
        statement = self._text[start:end].lstrip()
        start = end - len(statement)
        statement = statement.rstrip()
        end = start + len(statement)
        bare = self._without_marks(start, end)
        labels = self._labels(start, end)
        if bare is None:
            if labels and self._claims:
                self._claims[-1] = _with_more(self._claims[-1], labels, self._text, end)
            return
        kind = _kind_of(bare)
        if kind is ClaimKind.LEAD_IN:
            self._inherited = labels
        elif not labels and kind is ClaimKind.STATEMENT:
            labels = self._inherited
        self._claims.append(Claim(statement, Span(start, end), labels, kind))

    def _labels(self, start: int, end: int) -> tuple[str, ...]:
        marks = self._citations[bisect_left(self._starts, start) : bisect_left(self._starts, end)]
        return tuple(dict.fromkeys([label for mark in marks for label in mark.labels])) if marks else ()

    def _without_marks(self, start: int, end: int) -> str | None:
        """The words between the two places; None if there are none."""
        parts, at = [], start
        for mark in self._citations[bisect_left(self._starts, start) : bisect_left(self._starts, end)]:
            parts.append(self._text[at : mark.span.start])
            at = mark.span.end
        bare = " ".join([*parts, self._text[at:end]]).strip()
        return bare if _WORD.search(bare) else None

    def _mark_at(self, start: int, end: int | None = None) -> Citation | None:
        """The mark that begins at the place, blanks aside; with ``end`` any mark between the two."""
        i = bisect_left(self._starts, start)
        if i == len(self._citations):
            return None
        found = self._citations[i]
        if end is not None:
            return found if found.span.start < end else None
        return None if self._text[start : found.span.start].strip() else found


def _with_more(claim: Claim, labels: tuple[str, ...], text: str, end: int) -> Claim:
    span = Span(claim.span.start, end)
    return Claim(text[span.start : span.end], span, tuple(dict.fromkeys(claim.labels + labels)), claim.kind)


_WORD = pattern(r"[^\W_]")
_REMARK = pattern(
    r"(?:(?:yes|no|correct|right|true|false|sure|certainly|of course|absolutely|ok|okay|hello|hi|thanks|thank you|ja|nein|oui|non|"
    r"sí|是的|不是|はい|いいえ)[.,!。！]*|(?:i )?hope (?:this|that) helps?\b.*|(?:please )?(?:let me know|feel free)\b.*|"
    r"if you (?:have|need|would like)\b[^,]*, (?:please|just|feel free|let me know|do not|don['’]t|i['’]|i |we )[^,]*|"
    r"(?:great|good) question\b.*)\Z",
    re.IGNORECASE | re.DOTALL,
)


def _kind_of(bare: str) -> ClaimKind:
    """What sort of statement the words are."""
    end = bare[-1] if bare[-1].isalnum() or bare[-1] == "." else bare.rstrip("*_\"'”’»)」 ")[-1:]
    if end in "?？؟":
        return ClaimKind.QUESTION
    if end in ":：":
        return ClaimKind.LEAD_IN
    return ClaimKind.REMARK if len(bare) < 160 and _REMARK.match(bare) else ClaimKind.STATEMENT
