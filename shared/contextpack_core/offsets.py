"""Which offsets can be believed: those that the document's text bears out, or at least no other candidate contradicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date

from contextpack_core.decisions import Step
from contextpack_core.values import Candidate, Source, Span

Documents = Mapping[str, str] | Callable[[str], str | None]
"""Source texts by document id, or a function that finds one."""

Edition = tuple[str, str | None, date | None]


def reader(documents: Documents | None) -> Callable[[str], str | None]:
    """A function that gives a document's text, each looked up once; None for what is not there or is no text."""
    if documents is None:
        return lambda doc_id: None
    find = documents.get if isinstance(documents, Mapping) else documents
    known: dict[str, str | None] = {}

    def read(doc_id: str) -> str | None:
        if doc_id not in known:
            try:
                text = find(doc_id)
            except LookupError:
                text = None
            known[doc_id] = text if isinstance(text, str) else None
        return known[doc_id]

    return read


def edition_of(source: Source) -> Edition:
    """What two candidates share that come from one edition of one document."""
    return source.doc_id, source.edition, source.effective_from


def check_spans(candidates: Sequence[Candidate], documents: Documents | None) -> Step[Candidate]:
    """The candidates with spans that can be believed; nothing is dropped.

    Where the document is given, a text that does not stand at its span gets the place where it does, if there is exactly one,
    else none. Without the document, an edition whose candidates contradict each other loses all its spans: they count from
    somewhere else than its start.
    """
    read = reader(documents)
    checked = list(candidates)
    moved: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    contradicted = []
    for (doc_id, *_), members in by_edition(candidates).items():
        text = None if documents is None else read(doc_id)
        if text is None and not contradict([candidates[i] for i in members]):
            continue
        if text is None:
            contradicted.append(doc_id)
        for i in members:
            candidate = candidates[i]
            if text is None:
                checked[i] = _at(candidate, None)
            elif not stands_in(candidate, text):
                span = _only_place(candidate.text, text)
                checked[i] = _at(candidate, span)
                if candidate.source.span is not None:
                    (lost if span is None else moved)[doc_id] += 1
    return Step("offsets", tuple(checked), (), tuple(_notices(moved, lost, contradicted)))


def by_edition(candidates: Sequence[Candidate]) -> dict[Edition, list[int]]:
    """The places of the candidates of each edition of a document, in their order."""
    groups: dict[Edition, list[int]] = {}
    for i, candidate in enumerate(candidates):
        source = candidate.source
        key = source.doc_id, source.edition, source.effective_from
        if key in groups:
            groups[key].append(i)
        else:
            groups[key] = [i]
    return groups


def stands_in(candidate: Candidate, text: str) -> bool:
    """Whether the document reads at the candidate's span as the candidate does."""
    span = candidate.source.span
    return span is not None and len(span) == len(candidate.text) and text.startswith(candidate.text, span.start)


def has_place(candidate: Candidate) -> bool:
    """Whether the candidate claims a span that its text can fill."""
    span = candidate.source.span
    return span is not None and span.end - span.start == len(candidate.text) > 0


_STARTS = ("start_char_idx", "start_index", "split_idx_start", "start_char", "start_offset")


def misplaced(candidate: Candidate) -> bool:
    """Whether the candidate came with an offset that its text cannot stand at; no offset at all is none of these."""
    if candidate.source.span is not None:
        return not has_place(candidate)
    claimed = [value for key in _STARTS if (value := candidate.metadata.get(key)) is not None]
    return any(isinstance(value, int | float) and value >= 0 for value in claimed)


def contradict(candidates: Sequence[Candidate]) -> bool:
    """Whether two of the candidates claim the same characters of a document and read differently there."""
    if len(candidates) < 2:
        return False
    claims = [(c.source.span, c.text) for c in candidates]
    placed = [(span.start, -span.end, text) for span, text in claims if span is not None and span.end - span.start == len(text)]
    placed.sort()
    # Whoever agrees with the furthest-reaching one so far agrees with all before it: each of those agreed in its turn.
    far_start, far_end, far_text = 0, 0, ""
    for start, negative_end, text in placed:
        end = -negative_end
        if start < far_end:
            shared = min(end, far_end) - start
            if not far_text.startswith(text[:shared], start - far_start):
                return True
        if end > far_end:
            far_start, far_end, far_text = start, end, text
    return False


def _only_place(part: str, text: str) -> Span | None:
    """Where the part stands in the text, if there is one such place."""
    start = text.find(part) if part else -1
    if start < 0 or text.find(part, start + 1) >= 0:
        return None
    return Span(start, start + len(part))


def _at(candidate: Candidate, span: Span | None) -> Candidate:
    return candidate if candidate.source.span == span else replace(candidate, source=replace(candidate.source, span=span))


def _notices(moved: Mapping[str, int], lost: Mapping[str, int], contradicted: Iterable[str]) -> Iterable[str]:
    for doc_id in dict.fromkeys([*moved, *lost]):
        yield (
            f"{moved.get(doc_id, 0) + lost.get(doc_id, 0)} offsets do not fit the text of document {doc_id!r}: "
            f"{moved.get(doc_id, 0)} were found elsewhere in it, {lost.get(doc_id, 0)} are not known"
        )
    for doc_id in dict.fromkeys(contradicted):
        yield f"the offsets of document {doc_id!r} contradict each other: none is believed"
