"""The cases to unfold in a report: the proof, the answer, each item of the gold, and the evidence with the gold marked in it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate

from contextpack_core.citations.borders import is_one_word
from contextpack_core.evaluation.cases import Case
from contextpack_core.evaluation.gold import COPY, WHOLE
from contextpack_core.evaluation.observed import Observed
from contextpack_core.evaluation.report_text import for_page, isolated, sentence, shortened
from contextpack_core.evaluation.run import failure_name
from contextpack_core.values import Evidence


def case_html(observed: Observed, diagnosis: Mapping[str, str] | None) -> str:
    """A case to unfold."""
    case = observed.case
    name = failure_name(diagnosis) if diagnosis else "no failure"
    parts = [f"<p class='proof'>{sentence(diagnosis['proof'])}</p>"] if diagnosis else []
    if case.reference:
        parts.append(f"<p><b>Reference</b> {isolated(case.reference[0])}</p>")
    if observed.report is not None:
        parts.append(f"<p><b>Answer</b> {isolated(observed.report.answer)}</p>")
        parts += [f"<p class='problem'>{sentence(problem)}</p>" for problem in observed.report.problems[:10]]
    parts.append(_gold_html(observed))
    texts = _gold_texts(observed)
    if observed.report is not None and not observed.reads_pack:
        parts.append("<p><b>The answer was written from</b></p>")
        parts += [_source(label, source.text, observed, texts) for label, source in observed.report.sources.items()]
    if observed.pack is not None:
        parts.append("<p><b>Evidence</b></p>")
        parts += [_passage(item, observed, texts) for item in observed.pack.evidence]
    head = f"<summary><code>{isolated(case.qid)}</code> {isolated(case.question)} <em>{for_page(name)}</em></summary>"
    return f"<details>{head}{''.join(parts)}</details>"


def marked(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text as HTML with the stretches in ``<mark>``; those that overlap are one."""
    parts, at = [], 0
    for start, end in sorted(spans):
        start = max(start, at)
        if start < end:
            parts += [for_page(text[at:start]), f"<mark>{for_page(text[start:end])}</mark>"]
            at = end
    return "".join([*parts, for_page(text[at:])])


def _gold_html(observed: Observed) -> str:
    """Each item of the gold, and whether it stands in the evidence, or without a pack in what the answer was written from."""
    items = _gold_items(observed)
    if not items:
        return ""
    held = observed.admitted
    if observed.pack is None and observed.answer_present is not None:
        held = observed.held(tuple(observed.source_blocks.values()))
    shares = held.items if held is not None else [None] * len(items)
    lines = [
        f"<li>{isolated(where)}{f' <b>{_found(share)}</b>' if share is not None else ''}"
        + (f"<blockquote dir='auto'>{for_page(shortened(text, _LONGEST))}</blockquote>" if text else "")
        + "</li>"
        for (where, text), share in list(zip(items, shares, strict=False))[:_ITEMS]
    ]
    more = f"<p>… and {len(items) - _ITEMS} more</p>" if len(items) > _ITEMS else ""
    return f"<p><b>Gold</b></p><ul>{''.join(lines)}</ul>{more}"


_ITEMS = 100
_LONGEST = 2000


def _found(share: float) -> str:
    if share >= WHOLE:
        return "found"
    return f"{share:.0%} found" if share else "not found"


def _gold_items(observed: Observed) -> list[tuple[str, str]]:
    """Where each item of the gold stands, and its text as far as it is known."""
    gold = observed.case.gold
    if gold.spans:
        known = observed.gold_texts
        texts = [text if "\ufffd" not in (text := known.get(span) or "") else "" for span in gold.spans]
        return [(f"{span.doc_id}, {span.start}–{span.end}", text) for span, text in zip(gold.spans, texts, strict=True)]
    if gold.ids:
        candidates = {c.id: c.text for c in observed.candidates or ()}
        return [(f"candidate {name}", candidates.get(name, "")) for name in gold.ids]
    if gold.documents:
        return [(f"document {name}", "") for name in gold.documents]
    return [("quotation", quote) for quote in gold.quotes]


def _gold_texts(observed: Observed) -> list[str]:
    """The texts that are marked where they stand."""
    return [text for _, text in _gold_items(observed) if text]


def _passage(item: Evidence, observed: Observed, texts: Sequence[str]) -> str:
    passage, source = item.passage, item.passage.source
    gold = observed.case.gold
    documents = {source.doc_id, *[other.doc_id for other in passage.also_in]}
    edition = f" · {isolated(source.edition)}" if source.edition else ""
    head = f"{isolated(item.label)} · {isolated(source.title or source.doc_id)}{edition} · {item.tokens} tokens"
    head += " · cited" if observed.reads_pack and item.label in observed.cited_labels else ""
    if not documents.isdisjoint(gold.documents) or not set(passage.candidate_ids).isdisjoint(gold.ids):
        head += " · <mark>gold</mark>"
    body = marked(passage.text, [*_spans_in(item, observed.case), *_found_in(passage.text, texts)])
    return f"<h4>{head}</h4><pre dir='auto'>{body}</pre>"


def _source(label: str, text: str, observed: Observed, texts: Sequence[str]) -> str:
    shown = shortened(text, _LONGEST_SOURCE)
    cited = " · cited" if label in observed.cited_labels else ""
    return f"<h4>{isolated(label)}{cited}</h4><pre dir='auto'>{marked(shown, _found_in(shown, texts))}</pre>"


_LONGEST_SOURCE = 4000


def _spans_in(item: Evidence, case: Case) -> list[tuple[int, int]]:
    """Where gold spans stand in the passage's text."""
    found, offset = [], 0
    for piece in item.passage.pieces:
        if piece.span is not None:
            for gold in case.gold.spans:
                start, end = max(piece.span.start, gold.start), min(piece.span.end, gold.end)
                if gold.doc_id == item.passage.source.doc_id and start < end:
                    found.append((offset + start - piece.span.start, offset + end - piece.span.start))
        offset += len(piece.text)
    return found


def _found_in(text: str, wanted: Sequence[str]) -> list[tuple[int, int]]:
    """Where the texts stand whole in the text for the first time, from word to word, however the blanks are."""
    words = [match.span() for match in re.finditer(r"\S+", text)]
    plain = " ".join([text[start:end] for start, end in words])
    places = list(accumulate([end - start + 1 for start, end in words], initial=0))

    def place_of(at: int) -> int:
        word = bisect_right(places, at) - 1
        return words[word][0] + at - places[word]

    found = []
    for each in wanted:
        one = " ".join(each.split())
        if (at := _whole_in(plain, one)) is not None:
            found.append((place_of(at), place_of(at + len(one) - 1) + 1))
    return found


def _whole_in(text: str, wanted: str) -> int | None:
    """Where the wanted text begins that no word goes on before or behind, or which is long: chunks begin and end within words.

    Occurrences that overlap are looked at once, so that the time stays linear.
    """
    at = text.find(wanted) if wanted else -1
    while at >= 0:
        end = at + len(wanted)
        cut = is_one_word(text[at - 1 : at], text[at]) or is_one_word(text[end - 1], text[end : end + 1])
        if not cut or len(wanted) >= COPY:
            return at
        at = text.find(wanted, end)
    return None
