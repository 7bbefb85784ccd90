"""What an answer is checked against: the passages under their labels, and what is known of those left out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from contextpack_core.citations.quotes import source_texts
from contextpack_core.citations.values import SourceText
from contextpack_core.decisions import Drop, Reason
from contextpack_core.editions.conflicts import Conflict
from contextpack_core.errors import AnswerError
from contextpack_core.pack import Pack

_SECRET = (Reason.NO_ACCESS, Reason.ACCESS_UNKNOWN)


@dataclass(frozen=True, slots=True)
class Sources:
    """``texts``: the passages by label. ``stale``: texts of editions that were dropped. ``dropped``: names with the reason."""

    texts: Mapping[str, SourceText]
    stale: tuple[SourceText, ...] = ()
    dropped: Mapping[str, str] = field(default_factory=dict)
    conflicts: tuple[Conflict, ...] = ()


def read_sources(sources: Pack | Mapping[str, Any]) -> Sources:
    """The sources of a pack, of a saved pack (``Pack.to_dict``), or of plain texts by label.

    Raises:
        AnswerError: they are none of these.
    """
    if isinstance(sources, Mapping) and "format" in sources and "evidence" in sources:
        sources = Pack.from_dict(sources)
    if isinstance(sources, Pack):
        stale = tuple([SourceText(c.id, c.text, source=c.source) for c in sources.other_editions])
        return Sources(source_texts(sources), stale, _dropped(sources), sources.conflicts)
    if not isinstance(sources, Mapping):
        raise AnswerError(f"sources: {type(sources).__name__} — a Pack, or a mapping from label to text")
    for label, text in sources.items():
        if not isinstance(label, str) or not isinstance(text, str | SourceText):
            raise AnswerError(f"sources[{label!r}]: {type(text).__name__} — a text under a label that is a text")
    return Sources(source_texts(sources))


def quoted_in(sources: Sources) -> Callable[[str, int, int], bool]:
    """The test whether a bracket of an answer is quoted from a passage: in open quotation marks, behind the same words."""
    texts = [source.text for source in sources.texts.values() if any(bracket in source.text for bracket in "[【［〔")]

    def quoted(text: str, start: int, end: int) -> bool:
        line = text[max(0, start - _LOOK_BACK) : start].rpartition("\n")[2]
        opened = _opened(line)
        if opened is None or not any(text[start:end] in held for held in texts):
            return False
        said = " ".join((line[opened:][-_SAME_WORDS:] + text[start:end]).split())
        return any(said in _single_blanks(held) for held in texts)

    return quoted


@lru_cache(maxsize=64)
def _single_blanks(text: str) -> str:
    return " ".join(text.split())


_LOOK_BACK = 500
_SAME_WORDS = 40


def _dropped(pack: Pack) -> dict[str, str]:
    """For each name of a candidate that is in no passage, and each label of an earlier turn, why it cannot be cited."""
    labels = {name: item.label for item in pack.evidence for name in item.passage.candidate_ids}
    evidence = {item.label for item in pack.evidence} | set(labels)
    found = dict.fromkeys(pack.labels.values(), "it was evidence of an earlier turn and is not in this pack")
    drops: dict[str, Drop] = {}
    for drop in pack.trace.drops:
        if drop.reason not in _SECRET:
            drops[drop.candidate_id] = drop
            found[drop.candidate_id] = _why(drop, labels)
    documents = {item.passage.source.doc_id for item in pack.evidence}
    for candidate in pack.other_editions:
        if candidate.id in drops and candidate.source.doc_id not in documents:
            found.setdefault(candidate.source.doc_id, found[candidate.id])
    return {name: why for name, why in found.items() if name and name not in evidence}


def _why(drop: Drop, labels: Mapping[str, str]) -> str:
    label = labels.get(drop.in_favour_of or "")
    return f"{drop.detail or drop.reason.meaning}{f'; {label} stands in its place' if label else ''}"


def _opened(line: str) -> int | None:
    """Behind which quotation mark of the line the rest is quoted; None if none is open at its end."""
    if line.count('"') % 2:
        return line.rindex('"') + 1
    for opener, closer in (("“", "”"), ("„", "“"), ("«", "»"), ("「", "」"), ("『", "』"), ("‘", "’")):
        at = line.rfind(opener)
        if at >= 0 and closer not in line[at + 1 :]:
            return at + 1
    return 0 if line.lstrip().startswith(">") else None
