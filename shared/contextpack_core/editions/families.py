"""Finds which candidates are editions of one document, and of which edition each is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from graphlib import CycleError, TopologicalSorter

from contextpack_core.dates import read_date
from contextpack_core.editions.ordering import age_of, edition_key
from contextpack_core.patterns import pattern
from contextpack_core.text import folded
from contextpack_core.values import Candidate


@dataclass(slots=True, eq=False)
class Edition:
    """One edition of a family: its candidates, best first. ``name`` is None where the metadata give none."""

    name: str | None
    start: date | None
    until: date | None
    status: str = ""
    members: list[Candidate] = field(default_factory=list)

    @property
    def dated(self) -> bool:
        return self.start is not None or self.until is not None

    @property
    def label(self) -> str:
        """The edition for people: its name, else its document."""
        return f"edition {shortened(self.name)}" if self.name else f"document {shortened(self.members[0].source.doc_id)}"

    def __str__(self) -> str:
        if self.start and self.until:
            return f"{self.label} (in force {self.start} until {self.until})"
        if self.start:
            return f"{self.label} (in force from {self.start})"
        return f"{self.label} (in force until {self.until})" if self.until else f"{self.label} (no date)"


@dataclass(frozen=True, slots=True)
class Family:
    """The candidates that are editions of one document, in their order, or of one section of it."""

    name: str
    members: list[Candidate]
    section: bool = False


def families_of(candidates: Sequence[Candidate], granularity: Mapping[str, str]) -> list[Family]:
    """The families of the candidates; those without one stand in none.

    A family whose granularity is ``section`` counts as one family a section. Documents without a family that name one another
    as successor are one.
    """
    families: dict[tuple[str, str], list[Candidate]] = {}
    links = False
    for candidate in candidates:
        source = candidate.source
        if source.family:
            section = _section(candidate, granularity) if granularity else ""
            families.setdefault((source.family, section), []).append(candidate)
        elif source.superseded_by or source.supersedes:
            links = True
    found = [Family(_name(*key), members, bool(key[1])) for key, members in families.items()]
    return found + _chains([c for c in candidates if not c.source.family]) if links else found


def hold_several_editions(candidates: Iterable[Candidate]) -> bool:
    """Whether any family has candidates of more than one edition."""
    first: dict[str, tuple[str | None, date | None]] = {}
    for c in candidates:
        mark = (c.source.edition, c.source.effective_from)
        if c.source.family and first.setdefault(c.source.family, mark) != mark:
            return True
    return False


def editions_of(members: Sequence[Candidate]) -> list[Edition]:
    """The editions of one family, in the order in which they come.

    A candidate whose dates are missing belongs to the one dated edition of the same name; if it has no name either, to that of
    its document. Without a name each document is an edition. The end of an impossible range is left out.
    """
    marks = [_marks(candidate) for candidate in members]
    homes = _homes(members, marks) if any(not (mark[1] or mark[2]) for mark in marks) else {}
    editions: dict[tuple[_Mark, str, str], Edition] = {}
    for candidate, mark in zip(members, marks, strict=True):
        if homes and not (mark[1] or mark[2]):
            home = homes.get(("edition", mark[0]) if mark[0] else ("document", candidate.source.doc_id), set())
            mark = next(iter(home)) if len(home) == 1 else mark
        status = folded(candidate.source.status) if candidate.source.status else ""
        key = (mark, status, "" if mark[0] else candidate.source.doc_id)
        if key not in editions:
            editions[key] = Edition(*mark, status)
        editions[key].members.append(candidate)
    return list(editions.values())


@dataclass(frozen=True, slots=True)
class Links:
    """Which edition names which as its successor: those among the candidates, and the names of those that are not.

    ``circle`` holds editions that replace one another in a circle; the links between them are left out.
    """

    successors: Mapping[Edition, Sequence[Edition]]
    missing: Mapping[Edition, Sequence[str]]
    circle: Sequence[Edition] = ()


def links_of(editions: Sequence[Edition]) -> Links:
    """What ``superseded_by`` and ``supersedes`` say: each names a document, or an edition of this family."""
    successors: dict[Edition, list[Edition]] = {}
    missing: dict[Edition, list[str]] = {}
    index = _index(editions)
    for edition in editions:
        for name in dict.fromkeys(name for c in edition.members for name in names_of(c.source.superseded_by)):
            found = _found(name, index)
            successors.setdefault(edition, []).extend(e for e in found if e is not edition)
            if not found:
                missing.setdefault(edition, []).append(name)
        for name in dict.fromkeys(name for c in edition.members for name in names_of(c.source.supersedes)):
            for replaced in _found(name, index):
                if replaced is not edition:
                    successors.setdefault(replaced, []).append(edition)
    circle: list[Edition] = []
    while found := _a_circle(successors):
        circle.extend(found)
        for edition in found:
            successors[edition] = [e for e in successors[edition] if e not in found]
    return Links(successors, missing, tuple(dict.fromkeys(circle)))


_LONGEST_NAME = 80


def shortened(name: str) -> str:
    """The name as a sentence can hold it."""
    return name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…"


def oldest_first(editions: Iterable[Edition]) -> list[Edition]:
    """The editions by age."""
    return sorted(editions, key=lambda e: age_of(e.start, e.name, any(c.source.superseded_by for c in e.members)))


def names_of(names: str | Iterable[str] | None) -> tuple[str, ...]:
    """The names of other editions that a ``superseded_by`` or ``supersedes`` holds."""
    if not names:
        return ()
    return (names,) if isinstance(names, str) else tuple([name for name in names if name and isinstance(name, str)])


_Mark = tuple[str | None, date | None, date | None]


def _marks(candidate: Candidate) -> _Mark:
    """Name, start and end of the candidate's edition."""
    source = candidate.source
    start, until = _day(source.effective_from), _day(source.effective_until)
    return source.edition or None, start, None if start and until and until < start else until


def _homes(members: Sequence[Candidate], marks: Sequence[_Mark]) -> dict[tuple[str, str], set[_Mark]]:
    """The dated editions of each name, and of each document."""
    homes: dict[tuple[str, str], set[_Mark]] = {}
    for candidate, mark in zip(members, marks, strict=True):
        if mark[1] or mark[2]:
            homes.setdefault(("document", candidate.source.doc_id), set()).add(mark)
            if mark[0]:
                homes.setdefault(("edition", mark[0]), set()).add(mark)
    return homes


def _day(value: date | None) -> date | None:
    return value if value is None or type(value) is date else read_date(value)


_SECTION_WORD = pattern(r"^(?:section|sec\.?|clause|article|art\.?|§+|ziffer)\s*")


def _section(candidate: Candidate, granularity: Mapping[str, str]) -> str:
    """The section that is replaced by itself; empty where the family is replaced as a whole."""
    family, section = candidate.source.family or "", candidate.source.section
    if not section or granularity.get(family, granularity.get("*")) != "section":
        return ""
    return _SECTION_WORD.sub("", folded(section))


def _name(family: str, section: str) -> str:
    return f"family {shortened(family)}, section {shortened(section)}" if section else f"family {shortened(family)}"


def _chains(candidates: Sequence[Candidate]) -> list[Family]:
    """The documents that are linked with one another."""
    root = {c.source.doc_id: c.source.doc_id for c in candidates}

    def root_of(doc_id: str) -> str:
        while root[doc_id] != doc_id:
            root[doc_id] = root[root[doc_id]]
            doc_id = root[doc_id]
        return doc_id

    for c in candidates:
        for name in (*names_of(c.source.superseded_by), *names_of(c.source.supersedes)):
            if name in root:
                root[root_of(name)] = root_of(c.source.doc_id)
    chains: dict[str, list[Candidate]] = {}
    for c in candidates:
        chains.setdefault(root_of(c.source.doc_id), []).append(c)
    linked = [members for members in chains.values() if any(c.source.doc_id != members[0].source.doc_id for c in members)]
    return [Family(f"document {shortened(members[0].source.doc_id)}", members) for members in linked]


_Index = dict[object, list[Edition]]


def _index(editions: Sequence[Edition]) -> _Index:
    """The editions by document, by name, and by what the name means (``v2.0`` is ``2``)."""
    index: _Index = {}
    for edition in editions:
        keys: list[object] = [("document", c.source.doc_id) for c in edition.members]
        if edition.name:
            keys += [("name", folded(edition.name)), ("key", edition_key(edition.name))]
        for key in dict.fromkeys(keys):
            index.setdefault(key, []).append(edition)
    return index


def _found(name: str, index: _Index) -> list[Edition]:
    """The editions that a name means, by the first way in which it means any."""
    key = edition_key(name)
    ways: list[object] = [("document", name), ("name", folded(name)), *([("key", key)] if key and key.stage else [])]
    return next((index[way] for way in ways if way in index), [])


def _a_circle(successors: Mapping[Edition, Sequence[Edition]]) -> list[Edition]:
    try:
        TopologicalSorter(successors).prepare()
    except CycleError as error:
        return list(dict.fromkeys(error.args[1]))
    return []
