"""Which offsets can be believed."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from contextpack_core.decisions import Step
from contextpack_core.offsets import check_spans, contradict, has_place, misplaced, reader
from contextpack_core.values import Candidate, Source, Span

DOCUMENT = "Größe: 5 m. Höhe: 7 m. Größe: 5 m."


def candidate(name: str, text: str, span: tuple[int, int] | None = None, **source: str) -> Candidate:
    return Candidate(name, text, Source("t", span=span and Span(*span), **source))


def spans(step: Step[Candidate]) -> list[tuple[int, int] | None]:
    return [c.source.span and (c.source.span.start, c.source.span.end) for c in step.kept]


def test_the_document_decides() -> None:
    """What stands at its span keeps it, what stands at one other place gets that, what stands at several or nowhere none."""
    candidates = [
        candidate("right", "Größe: 5 m.", (23, 34)),
        candidate("bytes", "Höhe: 7 m.", (14, 25)),
        candidate("bare", "7 m.", None),
        candidate("twice", "Größe: 5 m.", (1, 12)),
        candidate("nowhere", "Breite: 9 m.", (0, 12)),
    ]

    checked = check_spans(candidates, {"t": DOCUMENT})

    assert spans(checked) == [(23, 34), (12, 22), (18, 22), None, None]
    assert checked.notices == ("3 offsets do not fit the text of document 't': 1 were found elsewhere in it, 2 are not known",)
    assert checked.drops == ()


def test_without_a_document_a_contradiction_costs_all_offsets_of_the_edition() -> None:
    """Sections that all count from 0 contradict each other; another edition keeps its offsets."""
    candidates = [
        candidate("a", "one two", (0, 7)),
        candidate("b", "six", (0, 3)),
        candidate("c", "late", (90, 94)),
        candidate("d", "one", (0, 3), edition="2"),
    ]

    checked = check_spans(candidates, None)

    assert spans(checked) == [None, None, None, (0, 3)]
    assert checked.notices == ("the offsets of document 't' contradict each other: none is believed",)


def test_what_fits_is_handed_on_as_it_is() -> None:
    """Candidates whose spans hold are the very same objects."""
    candidates = [candidate("a", "one two", (0, 7)), candidate("b", "two", (4, 7)), candidate("c", "no offset")]

    assert [a is b for a, b in zip(candidates, check_spans(candidates, None).kept, strict=True)] == [True] * 3


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ([("abcd", 0), ("cdef", 2), ("efgh", 4)], False),
        ([("abcd", 0), ("cxef", 2)], True),
        ([("abcdefgh", 0), ("bc", 1), ("gx", 6)], True),
        ([("abcdefgh", 0), ("bc", 1), ("defghij", 3), ("jk", 9)], False),
        ([("ab", 0), ("cd", 2)], False),
        ([("same", 5), ("same", 5)], False),
        ([("one.", 5), ("two.", 5)], True),
    ],
)
def test_contradictions_are_found_in_one_pass(texts: Sequence[tuple[str, int]], expected: bool) -> None:
    """Two candidates contradict each other where they claim the same characters and read differently, however many overlap."""
    candidates = [candidate(str(i), text, (start, start + len(text))) for i, (text, start) in enumerate(texts)]

    assert contradict(candidates) == expected
    assert contradict(candidates[::-1]) == expected


def test_an_offset_that_does_not_fit_is_told_from_none() -> None:
    """A span of another length, or an offset that came to nothing, is misplaced; -1 and no offset are not."""
    stale = candidate("a", "one", (0, 9))
    unread = [Candidate("b", "one", Source("t"), metadata={"start_char_idx": start}) for start in (9, 0.0, -1, None, "x")]

    assert (misplaced(stale), has_place(stale)) == (True, False)
    assert [misplaced(c) for c in unread] == [True, True, False, False, False]
    assert misplaced(candidate("c", "one", (0, 3))) is False


def test_documents_are_looked_up_once() -> None:
    """A function is asked once a document; an unknown one, and what is no text, is none."""
    asked = []

    def find(doc_id: str) -> str | None:
        asked.append(doc_id)
        return {"a": "text", "b": b"bytes"}[doc_id]  # type: ignore[return-value]

    read = reader(find)

    assert [read(name) for name in ("a", "a", "b", "c", "c")] == ["text", "text", None, None, None]
    assert asked == ["a", "b", "c"]
    assert [reader(source)("a") for source in ({"a": "text"}, {}, None)] == ["text", None, None]
