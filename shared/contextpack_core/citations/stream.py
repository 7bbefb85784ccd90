"""The answer as it comes: text at once, citations as soon as they are certain, the report at the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from contextpack_core.citations.answers import read_answer
from contextpack_core.citations.check import check_answer, label_vocabulary
from contextpack_core.citations.marks import MAX_CODE, MarkScanner
from contextpack_core.citations.report import Report
from contextpack_core.citations.settings import DEFAULT_SETTINGS, CitationSettings
from contextpack_core.citations.sources import quoted_in, read_sources
from contextpack_core.citations.support import BatchSupportJudge, SupportJudge
from contextpack_core.citations.values import Citation
from contextpack_core.errors import AnswerError
from contextpack_core.pack import Pack
from contextpack_core.patterns import pattern

MAX_HELD = 64
"""So many characters of text are held back at most, while a bracket may become a mark."""


@dataclass(frozen=True, slots=True)
class TextDelta:
    """The next stretch of the answer, marks included: all of them together are the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class CitationSeen:
    """A citation is certain now. Its text was given out before, mostly at the end of the ``TextDelta`` just before."""

    citation: Citation


class CitationStream:
    """Checks an answer while it comes in pieces. Where it is cut changes neither the events, joined, nor the report.

    Text that cannot become a mark is given out at once. A bracket that may become one is held until that is known, but never
    more than ``MAX_HELD`` characters. Inside what may be inline code the text goes out and only the ``CitationSeen`` waits,
    for at most ``MAX_CODE`` characters of ``citations.marks``. Without ``sources`` every citation is ``NOT_CHECKED`` and
    nothing else is judged. One stream serves one answer, in one thread.
    """

    def __init__(
        self,
        sources: Pack | Mapping[str, Any] | None = None,
        *,
        question: str = "",
        settings: CitationSettings = DEFAULT_SETTINGS,
        judge: SupportJudge | BatchSupportJudge | None = None,
    ) -> None:
        self._evidence = None if sources is None else read_sources(sources)
        self._question = question
        self._settings = settings
        self._judge = judge
        quoted = None if self._evidence is None else quoted_in(self._evidence)
        self._scanner = MarkScanner(label_vocabulary(self._evidence, settings), quoted)
        self._matters = self._scanner.special.search
        self._pieces: list[str] = []
        self._scanned = 0  # pieces that the scanner has
        self._length = 0  # their characters
        self._ahead = 0  # characters behind the place the scanner has reached
        self._held = ""
        self._quiet = False  # nothing is open: text without a bracket, tick or line end goes straight through
        self._report: Report | None = None

    def feed(self, chunk: str) -> list[TextDelta | CitationSeen]:
        """What is certain now: text in order, and each citation behind the text of its mark.

        Raises:
            AnswerError: the chunk is no text, or the stream is finished.
        """
        if self._quiet and chunk.__class__ is str and self._matters(chunk) is None:
            self._pieces.append(chunk)
            return [TextDelta(chunk)] if chunk else []
        return self._feed_carefully(chunk)

    def finish(self) -> Report:
        """The report on the whole answer, as ``check`` gives it; its ``tail`` has the events that were still held."""
        if self._report is None:
            new = "".join(self._pieces[self._scanned :])
            citations = self._scanner.add(new) + self._scanner.run(final=True)
            tail = self._events(citations, self._length + len(new), self._length + len(new))
            report = check_answer(read_answer("".join(self._pieces)), self._evidence, self._question, self._settings, self._judge)
            self._report = replace(report, tail=tuple(tail))
            self._quiet = False
        return self._report

    def _feed_carefully(self, chunk: str) -> list[TextDelta | CitationSeen]:
        if not isinstance(chunk, str):
            raise AnswerError(f"chunk: {type(chunk).__name__} — a text")
        if self._report is not None:
            raise AnswerError("feed: the stream is finished — one CitationStream serves one answer")
        if not chunk:
            return []
        self._pieces.append(chunk)
        self._held += chunk
        scanner = self._scanner
        if scanner.waiting == "code" and _CODE_MATTERS.search(chunk) is None and self._ahead + len(chunk) < MAX_CODE:
            self._ahead += len(chunk)
            text, self._held = self._held, ""
            return [TextDelta(text)]
        new = "".join(self._pieces[self._scanned :])
        citations = scanner.add(new)
        self._scanned = len(self._pieces)
        self._length += len(new)
        self._matters = scanner.special.search
        kept = self._length - scanner.offset - scanner.pos if scanner.waiting == "mark" else 0
        self._ahead = len(scanner.text) - scanner.pos
        events = self._events(citations, self._length, self._length - (kept if kept <= MAX_HELD else 0))
        self._quiet = not scanner.waiting and not self._held
        return events

    def _events(self, citations: Sequence[Citation], length: int, until: int) -> list[TextDelta | CitationSeen]:
        """Give out the held text up to ``until``, each citation behind its mark. ``length`` is where the held text ends."""
        events: list[TextDelta | CitationSeen] = []
        begin = at = length - len(self._held)
        for citation in citations:
            end = min(citation.span.end, until)
            if end > at:
                events.append(TextDelta(self._held[at - begin : end - begin]))
                at = end
            events.append(CitationSeen(citation))
        if until > at:
            events.append(TextDelta(self._held[at - begin : until - begin]))
            at = until
        self._held = self._held[at - begin :]
        return events


_CODE_MATTERS = pattern(r"[`\n]")
