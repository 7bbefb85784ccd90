"""A pack as a small piece of HTML, for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from contextpack_core.tokens import without_surrogates
from contextpack_core.trace import Trace
from contextpack_core.values import Evidence

_SHOWN = 200  # characters of a passage


def pack_html(evidence: Sequence[Evidence], trace: Trace, advice: Sequence[str] = ()) -> str:
    """A line on the pack, what to do if something is missing, a table of its evidence and one of what was left out, all escaped.

    Of candidates without access only the number is shown.
    """
    shown = trace.without_withheld()
    rows = [_evidence_row(item) for item in evidence]
    drops = [(d.candidate_id, step.stage, d.reason.value, d.detail, d.in_favour_of) for step in shown.steps for d in step.drops]
    return (
        f"<div><p><b>Pack</b> {_cell(_summary(shown))}</p>{''.join([f'<p><b>Advice</b> {_cell(text)}</p>' for text in advice])}"
        f"{_table(('label', 'document', 'edition', 'page', 'tokens', 'text'), rows)}"
        f"{_table(('left out', 'stage', 'reason', 'detail', 'in favour of'), drops)}</div>"
    )


def _summary(trace: Trace) -> str:
    limit = f" of {trace.budget.evidence}" if trace.budget else ""
    estimated = " (at most)" if trace.approximate else ""
    withheld = f", {trace.withheld} of {trace.candidates} candidates withheld" if trace.withheld else ""
    return f"{trace.outcome}: {trace.tokens}{limit} tokens{estimated}, as of {trace.as_of}{withheld}"


def _evidence_row(item: Evidence) -> tuple[object, ...]:
    source, text = item.passage.source, item.passage.text
    beginning = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
    return item.label, source.title or source.doc_id, source.edition, source.page, item.tokens, beginning


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = ["".join([f"<td>{_cell(value)}</td>" for value in row]) for row in rows]
    if not lines:
        return ""
    names = "".join([f"<th>{name}</th>" for name in head])
    return f"<table><thead><tr>{names}</tr></thead><tbody>{''.join([f'<tr>{line}</tr>' for line in lines])}</tbody></table>"


def _cell(value: object) -> str:
    """A value as text of its own direction; a notebook cannot take a lone surrogate."""
    return "" if value is None or value == "" else f"<bdi>{escape(without_surrogates(str(value)))}</bdi>"
