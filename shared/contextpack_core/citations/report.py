"""The report: what a check found, what to tell a person and the model, and the answer rendered anew."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from contextpack_core.citations.settings import mark_of
from contextpack_core.citations.values import Citation, Claim, ClaimKind, Figure, Quote, SourceText
from contextpack_core.patterns import pattern
from contextpack_core.saved import to_plain
from contextpack_core.values import Source, Span

if TYPE_CHECKING:
    from contextpack_core.citations.stream import CitationSeen, TextDelta
    from contextpack_core.citations.support import Support


class ReportStatus(StrEnum):
    """The verdict on an answer.

    ``GROUNDED``: every statement cites, and nothing is wrong. ``FLAGGED``: something is wrong; ``problems`` says what. ``UNCITED``:
    there are statements, and not one citation. ``ABSTAINED``: the answer declines. ``EMPTY``: it says nothing.
    ``NOT_CHECKED``: there were no sources to check it against.
    """

    GROUNDED = "GROUNDED"
    FLAGGED = "FLAGGED"
    UNCITED = "UNCITED"
    ABSTAINED = "ABSTAINED"
    EMPTY = "EMPTY"
    NOT_CHECKED = "NOT_CHECKED"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong in an answer: what and where in a sentence, and what would be right. ``str()`` gives both."""

    kind: str
    what: str
    wanted: str
    span: Span | None = None

    def __str__(self) -> str:
        return f"{self.what}: {self.wanted}" if self.wanted else self.what


class Rendered(str):
    """A text that was rendered anew; ``changes`` says in sentences what was done to it."""

    __slots__ = ("changes",)
    changes: tuple[str, ...]

    def __new__(cls, text: str, changes: tuple[str, ...] = ()) -> Rendered:
        made = super().__new__(cls, text)
        made.changes = changes
        return made


@dataclass(frozen=True, slots=True)
class Report:
    """What a check found. Spans are code points of ``answer``, end exclusive.

    ``validity`` is the share of the named labels that exist, ``coverage`` the share of statements with a valid citation
    (both None if there are none). ``support`` has a verdict for each claim that cites, and is None without a judge. ``tail``
    are the events that a stream still held when it was finished; it is no part of the verdict. ``declared`` has a report on each
    claim that a structured answer declares and does not state so, with these labels; its spans are those of the claim.
    ``partial``: the answer states something, and it also says, in a sentence or a part of one or under ``missing``, what the
    sources do not have. ``marks`` is the form in which the prompt asked for citations.
    """

    status: ReportStatus
    answer: str
    claims: tuple[Claim, ...] = ()
    citations: tuple[Citation, ...] = ()
    quotes: tuple[Quote, ...] = ()
    figures: tuple[Figure, ...] = ()
    validity: float | None = None
    coverage: float | None = None
    support: tuple[Support, ...] | None = None
    problems: tuple[Problem, ...] = ()
    declared: tuple[Report, ...] = ()
    partial: bool = False
    sources: Mapping[str, SourceText] = field(default_factory=dict, repr=False)
    marks: str = field(default="label", compare=False, repr=False)
    tail: tuple[TextDelta | CitationSeen, ...] = field(default=(), compare=False, repr=False)

    @property
    def uncited(self) -> tuple[Claim, ...]:
        """The statements without a valid citation."""
        return tuple(
            c for c in self.claims if c.kind is ClaimKind.STATEMENT and not any(label in self.sources for label in c.labels)
        )

    @property
    def soundness(self) -> float | None:
        """The share of statements that cite and with which nothing is wrong; None if there are no statements."""
        statements = [claim for claim in self.claims if claim.kind is ClaimKind.STATEMENT]
        places = [problem.span for problem in self.problems if problem.span is not None]
        sound = [
            claim
            for claim in statements
            if any(label in self.sources for label in claim.labels)
            and not any(span.start < claim.span.end and claim.span.start < span.end for span in places)
        ]
        return len(sound) / len(statements) if statements else None

    @property
    def refusals(self) -> tuple[Claim, ...]:
        """The sentences that decline; beside other statements the answer is partial."""
        return tuple(claim for claim in self.claims if claim.kind is ClaimKind.REFUSAL)

    def feedback(self) -> str:
        """What to send back to the model so that it writes a better answer; empty if nothing is wrong."""
        if not self.problems:
            return ""
        lines = [f"{i}. {problem}" for i, problem in enumerate(self.problems, 1)]
        marks = ", ".join([mark_of(label, self.marks) for label in self.sources]) or "none"
        return "\n".join(
            [
                "The answer cannot be used as it is:",
                *lines,
                f"The marks that cite a passage: {marks}.",
                "Write the whole answer again. Cite the passage that supports a statement right behind it, "
                "take figures and quotations from the cited passage as they stand there, and leave out what no passage supports.",
            ]
        )

    def render(self, style: str = "keep") -> Rendered:
        """The answer with its citations in another form: ``keep``, ``strip``, ``links``, ``footnotes``.

        ``keep`` changes nothing. ``strip`` takes all marks out, with the blanks before them. ``links`` gives each known
        label the address of its source (web addresses only). ``footnotes`` makes ``[^P1]`` of it and lists the sources at
        the end. The last two leave unknown labels as they are. What was done stands in ``changes`` of the result.

        Raises:
            ValueError: there is no such style.
        """
        if style not in _STYLES:
            raise ValueError(f"style: {style!r} — one of {', '.join(_STYLES)}")
        return _STYLES[style](self)

    def to_dict(self) -> dict[str, Any]:
        """The report as strict JSON data, without the texts of the sources and without ``tail``."""
        found = {
            "status": self.status.value,
            "answer": to_plain(self.answer),
            "validity": self.validity,
            "coverage": self.coverage,
            "partial": self.partial,
            "support": None if self.support is None else [to_plain(s) for s in self.support],
            "problems": [{"text": to_plain(str(p)), **to_plain(p)} for p in self.problems],
        }
        for name in ("claims", "citations", "quotes", "figures"):
            found[name] = [to_plain(item) for item in getattr(self, name)]
        found["declared"] = [report.to_dict() for report in self.declared]
        return found


# ---------------------------------------------------------------- rendering


def _keep(report: Report) -> Rendered:
    return Rendered(report.answer)


def _strip(report: Report) -> Rendered:
    """Without the marks that stand in the text; what only held them goes along: brackets, emphasis, a line of their own."""
    text, parts, at = report.answer, [], 0
    groups = _groups(report)
    for start, end in groups:
        start, end = _with_wrapping(text, start, end)
        while start > at and text[start - 1] in " \t\u00a0\u3000":
            start -= 1
        if start == 0 or text[start - 1] == "\n":
            while end < len(text) and text[end] in " \t":
                end += 1
            if end < len(text) and text[end] == "\n" and start > 0:
                end += 1
        parts.append(text[at:start])
        at = end
    stripped = "".join([*parts, text[at:]])
    return Rendered(stripped, (_counted(len(_in_text(report)), "citation mark", "taken out"),) if groups else ())


_WRAPPINGS = (("(", ")"), ("（", "）"), ("<sup>", "</sup>"), ("***", "***"), ("**", "**"))


def _with_wrapping(text: str, start: int, end: int) -> tuple[int, int]:
    for before, after in _WRAPPINGS:
        if text[max(0, start - len(before)) : start] == before and text[end : end + len(after)] == after:
            return start - len(before), end + len(after)
    return start, end


def _groups(report: Report) -> list[tuple[int, int]]:
    """The stretches that hold nothing but marks, blanks and commas between them included."""
    found: list[tuple[int, int]] = []
    for citation in _in_text(report):
        start, end = citation.span.start, citation.span.end
        if found and not report.answer[found[-1][1] : start].strip(" ,;\t"):
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found


def _in_text(report: Report) -> list[Citation]:
    """The citations that are marks of the text; those of a structured answer stand beside it."""
    return [c for c in report.citations if report.answer[c.span.start : c.span.end] == c.text and len(c.span)]


def _links(report: Report) -> Rendered:
    linked = 0

    def link(citation: Citation) -> str:
        nonlocal linked
        addresses = [_address(report.sources.get(label)) for label in citation.labels]
        if not any(addresses):
            return citation.text
        linked += sum(map(bool, addresses))
        return "".join([f"[[{n}]]({a})" if a else f"[{n}]" for n, a in zip(citation.labels, addresses, strict=True)])

    text = _replaced(report, link)
    return Rendered(text, (_counted(linked, "label", "linked to its source"),) if linked else ())


def _footnotes(report: Report) -> Rendered:
    used: dict[str, None] = {}

    def note(citation: Citation) -> str:
        if not any(label in report.sources for label in citation.labels):
            return citation.text
        used.update((label, None) for label in citation.labels if label in report.sources)
        return "".join([f"[^{label}]" if label in report.sources else f"[{label}]" for label in citation.labels])

    text = _replaced(report, note)
    if not used:
        return Rendered(text)
    notes = "\n".join([f"[^{label}]: {_description(report.sources[label])}" for label in used])
    return Rendered(f"{text.rstrip()}\n\n{notes}", (_counted(len(used), "source", "listed at the end"),))


def _replaced(report: Report, form: Callable[[Citation], str]) -> str:
    parts, at = [], 0
    for citation in _in_text(report):
        parts += [report.answer[at : citation.span.start], form(citation)]
        at = citation.span.end
    return "".join([*parts, report.answer[at:]])


_SAFE_ADDRESS = pattern(r"(?:https?://|mailto:)[^\s<>\"'`\\]+\Z", re.IGNORECASE)


def _address(source: SourceText | None) -> str | None:
    """The web address of a source; None if it has none, or one that no link should lead to."""
    uri = source.source.uri if source and source.source else None
    address = (uri or "").strip().replace(" ", "%20").replace("(", "%28").replace(")", "%29")
    return address if _SAFE_ADDRESS.match(address) else None


def _description(source: SourceText) -> str:
    """Title, section, page and edition of a source in one line."""
    known = source.source
    if known is None:
        return source.label
    parts = [known.title or known.doc_id, known.section, f"p. {known.page}" if known.page is not None else None, _edition(known)]
    address = _address(source)
    return " ".join(", ".join(part for part in parts if part).split()) + (f" <{address}>" if address else "")


def _edition(source: Source) -> str | None:
    if source.edition is None:
        return None
    since = f", in force from {source.effective_from.isoformat()}" if source.effective_from else ""
    return f"edition {source.edition}{since}"


def _counted(n: int, noun: str, done: str) -> str:
    return f"{n} {noun}{'' if n == 1 else 's'} {done}"


_STYLES: dict[str, Callable[[Report], Rendered]] = {"keep": _keep, "strip": _strip, "links": _links, "footnotes": _footnotes}
