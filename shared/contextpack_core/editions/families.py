"""Finds which candidates are editions of one document, and of which edition each is."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from graphlib import CycleError, TopologicalSorter
from typing import NamedTuple

from contextpack_core.blanks import names_nothing, says_nothing
from contextpack_core.dates import first_day_without, read_date
from contextpack_core.editions.ordering import age_of, edition_key, edition_keys
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


class _Told(NamedTuple):
    """What metadata say of the edition that a candidate is from."""

    name: str | None
    start: date | None
    until: date | None
    status: str
    doc_id: str


class _Known(NamedTuple):
    """What is known of the edition that a candidate is from; ``key`` tells it from others of the family, ``name`` what names it."""

    told: _Told
    name: object
    key: int


_Editions = Mapping[int, _Known]  # by the identity of a candidate


@dataclass(frozen=True, slots=True)
class Family:
    """The candidates that are editions of one document, in their order, or of one section of it."""

    name: str
    members: list[Candidate]
    section: bool = False
    known: _Editions | None = field(default=None, compare=False, repr=False)

    @property
    def editions(self) -> list[Edition]:
        """The editions, in the order in which they come; of a section, with what the chunks of other sections say of them."""
        return editions_of(self.members, self.known)


def families_of(candidates: Sequence[Candidate], granularity: Mapping[str, str]) -> list[Family]:
    """The families of the candidates; those without one stand in none.

    A family whose granularity is ``section`` counts as one family a section. A chunk without a family belongs to that of its
    document. A document without a family that is linked with one
    of a family, as its successor or the other way round, belongs to that; documents without a family that are linked are one.
    """
    families: dict[str, list[Candidate]] = {}
    single: list[Candidate] = []
    links = False
    for candidate in candidates:
        source = candidate.source
        if source.superseded_by or source.supersedes:
            links = True
        if source.family:
            families.setdefault(source.family, []).append(candidate)
        else:
            single.append(candidate)
    single = _without_a_family(candidates, single, families) if families and single else single
    chains = _chains(candidates, single, families) if links and single else []
    found: list[Family] = []
    for family, members in families.items():
        found += _by_section(family, members, granularity) if granularity else [Family(_name(family, ""), members)]
    return found + chains


def _without_a_family(
    candidates: Sequence[Candidate], single: list[Candidate], families: dict[str, list[Candidate]]
) -> list[Candidate]:
    """The candidates that really have none: a chunk whose family was lost belongs to that of its document."""
    homes: dict[str, set[str]] = {}
    for family, members in families.items():
        for candidate in members:
            homes.setdefault(candidate.source.doc_id, set()).add(family)
    lost: dict[str, list[Candidate]] = {}
    for candidate in single:
        if len(home := homes.get(candidate.source.doc_id, set())) == 1:
            lost.setdefault(min(home), []).append(candidate)
    _join(lost, families, candidates)
    moved = {id(c) for found in lost.values() for c in found}
    return [c for c in single if id(c) not in moved]


def _join(found: Mapping[str, list[Candidate]], families: dict[str, list[Candidate]], candidates: Sequence[Candidate]) -> None:
    """Put candidates into families, whose members keep their order."""
    place = {id(c): at for at, c in enumerate(candidates)} if found else {}
    for family, joining in found.items():
        families[family] = sorted([*families[family], *joining], key=lambda c: place[id(c)])


def _by_section(family: str, members: list[Candidate], granularity: Mapping[str, str]) -> list[Family]:
    """The family, or one for each of its sections, where these are replaced by themselves."""
    if granularity.get(family, granularity.get("*")) != "section":
        return [Family(_name(family, ""), members)]
    known = _known(members)
    sections: dict[str, list[Candidate]] = {}
    for candidate in members:
        sections.setdefault(_section(candidate), []).append(candidate)
    return [Family(_name(family, section), inside, bool(section), known) for section, inside in sections.items()]


def hold_several_editions(candidates: Iterable[Candidate]) -> bool:
    """Whether any family has candidates of more than one edition."""
    families: dict[str, list[Candidate]] = {}
    for candidate in candidates:
        if candidate.source.family:
            families.setdefault(candidate.source.family, []).append(candidate)
    return any(len({(one.name, one.told.start) for one in _known(members).values()}) > 1 for members in families.values())


def editions_of(members: Sequence[Candidate], known: _Editions | None = None) -> list[Edition]:
    """The editions of one family, in the order in which they come.

    What the metadata of one chunk leave out, those of others say: of the same edition of the document its name, days and status,
    and of the edition elsewhere its days, where these are not in doubt. Days that differ by one, as time zones make them, are the
    later one. Spellings of one name (``v1.0``, ``1``) are one. Without a name each document is an edition. The end of an
    impossible range is left out.
    """
    known = known if known is not None else _known(members)
    editions: dict[int, Edition] = {}
    for candidate in members:
        told, _, key = known[id(candidate)]
        if key not in editions:
            editions[key] = Edition(*told[:4])
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


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Where links lead out of a family: the edition of each document, and the editions that replace it."""

    documents: Mapping[str, Edition]
    replacing: Mapping[str, Sequence[Edition]]

    @classmethod
    def of(cls, editions: Sequence[Edition]) -> Elsewhere:
        """All that a link from any of these families may mean."""
        documents = {c.source.doc_id: edition for edition in editions for c in edition.members}
        replacing: dict[str, list[Edition]] = {}
        for edition in editions:
            for name in dict.fromkeys(name for c in edition.members for name in names_of(c.source.supersedes)):
                replacing.setdefault(name, []).append(edition)
        return cls(documents, replacing)


def links_of(editions: Sequence[Edition], elsewhere: Elsewhere | None = None) -> Links:
    """What ``superseded_by`` and ``supersedes`` say: each names a document, or an edition of this family.

    A document of another family counts too, unless it names one of this family in turn.
    """
    successors: dict[Edition, list[Edition]] = {}
    missing: dict[Edition, list[str]] = {}
    index = _index(editions)
    own = set(editions)
    for edition in editions:
        for name in dict.fromkeys(name for c in edition.members for name in names_of(c.source.superseded_by)):
            found = _found(name, index) or _found_elsewhere(name, elsewhere, index)
            successors.setdefault(edition, []).extend(e for e in found if e is not edition)
            if not found and not names_nothing(name) and not (elsewhere and name in elsewhere.documents):
                missing.setdefault(edition, []).append(name)
        for name in dict.fromkeys(name for c in edition.members for name in names_of(c.source.supersedes)):
            for replaced in _found(name, index):
                if replaced is not edition:
                    successors.setdefault(replaced, []).append(edition)
        if elsewhere:
            outside = _from_elsewhere(edition, elsewhere, index)
            successors.setdefault(edition, []).extend(e for e in outside if e not in own)
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


def _known(members: Sequence[Candidate]) -> _Editions:
    """For each candidate, what is known of its edition."""
    raw = [_metadata(candidate) for candidate in members]
    told = {one: _told(*one) for one in dict.fromkeys(raw)}
    completed = _completed(list(dict.fromkeys(told.values())))
    known = {one: completed[told[one]] for one in told}
    return {id(candidate): known[one] for candidate, one in zip(members, raw, strict=True)}


_Metadata = tuple[str | None, date | None, date | None, str | None, str]


def _metadata(candidate: Candidate) -> _Metadata:
    source = candidate.source
    return source.edition, source.effective_from, source.effective_until, source.status, source.doc_id


def _told(edition: str | None, start: date | None, until: date | None, status: str | None, doc_id: str) -> _Told:
    """What the metadata of a candidate say."""
    start = _day(start)
    if until is not None and type(until) is not date:
        until = first_day_without(until)
    status = folded(status) if status and not says_nothing(status) else ""
    return _Told(edition or None, start, _possible(start, until), status, doc_id)


def _possible(start: date | None, until: date | None) -> date | None:
    """The end, unless it lies before the start."""
    return None if start and until and until < start else until


def _completed(told: list[_Told]) -> dict[_Told, _Known]:
    """Each with what others say of the same edition, and what names that: its name, however it is spelled, else its document."""
    if len(told) == 1:
        return {told[0]: _Known(told[0], told[0].name or ("document", told[0].doc_id), 0)}
    names = _names(dict.fromkeys([one.name for one in told if one.name]))
    full = {one: one for one in told}
    for group in _grouped(told, [one.doc_id for one in told]):
        if len(group) > 1:
            full |= zip(group, _named_alike(group, names), strict=True)
            for edition in _grouped(group, [names.get(full[one].name) for one in group]):
                starts = [one.start for one in edition]
                for part in [edition] if _agree(starts) else _grouped(edition, starts):
                    full |= zip(part, _agreed([full[one] for one in part]), strict=True)
    homes: dict[object, set[tuple[date | None, date | None]]] = {}
    for one in full.values():
        if one.name and (one.start or one.until):
            homes.setdefault(names[one.name], set()).add((one.start, one.until))
    for one, now in full.items():
        if now.name and not (now.start or now.until) and len(home := homes.get(names[now.name], set())) == 1:
            ((start, until),) = home
            full[one] = now._replace(start=start, until=until)
    named = {one: names[now.name] if now.name else ("document", now.doc_id) for one, now in full.items()}
    keys: dict[object, int] = {}
    return {one: _Known(now, named[one], keys.setdefault((named[one], *now[1:4]), len(keys))) for one, now in full.items()}


def _names(names: Iterable[str]) -> dict[str | None, object]:
    """What each name of an edition stands for: the same for ``v1.0`` and ``1``, and for ``Rev A`` and ``rev a``."""
    keys = edition_keys(names)
    return {name: key if key and key.stage and "+" not in name else folded(name) for name, key in keys.items()}


def _grouped(told: Iterable[_Told], keys: Iterable[object]) -> list[list[_Told]]:
    groups: dict[object, list[_Told]] = {}
    for one, key in zip(told, keys, strict=True):
        groups.setdefault(key, []).append(one)
    return list(groups.values())


def _named_alike(document: Sequence[_Told], names: Mapping[str | None, object]) -> list[_Told]:
    """What is told of one document, with its name where some leave it out, unless it has several or begins on another day."""
    named = [one for one in document if one.name]
    starts = {one.start for one in named if one.start}
    if not named or len({names[one.name] for one in named}) > 1:
        return list(document)
    return [
        one._replace(name=named[0].name) if not one.name and (not one.start or _agree([*starts, one.start])) else one
        for one in document
    ]


_A_DAY = timedelta(days=1)


def _agree(days: Collection[date | None]) -> bool:
    """Whether the days are one: a day written in another time zone may be the one before it."""
    known = [day for day in days if day]
    return not known or max(known) - min(known) <= _A_DAY


def _agreed(edition: Sequence[_Told]) -> list[_Told]:
    """What is told of one edition of one document that began on one day, with what some leave out; what is in doubt stays."""
    start = max([one.start for one in edition if one.start], default=None)
    untils = {one.until for one in edition if one.until}
    until = _possible(start, max(untils, default=None)) if _agree(untils) else None
    statuses = {one.status for one in edition if one.status}
    status = statuses.pop() if len(statuses) == 1 else ""
    return [one._replace(start=start, until=until or _possible(start, one.until), status=one.status or status) for one in edition]


def _day(value: date | None) -> date | None:
    return value if value is None or type(value) is date else read_date(value)


_SECTION_WORD = pattern(r"^(?:section|sec\.?|clause|article|art\.?|§+|ziffer)\s*")


def _section(candidate: Candidate) -> str:
    """The section that is replaced by itself; empty for what stands in none."""
    return _SECTION_WORD.sub("", folded(candidate.source.section or ""))


def _name(family: str, section: str) -> str:
    return f"family {shortened(family)}, section {shortened(section)}" if section else f"family {shortened(family)}"


def _chains(candidates: Sequence[Candidate], single: Sequence[Candidate], families: dict[str, list[Candidate]]) -> list[Family]:
    """The documents without a family that are linked with one another; those linked with documents of one family join that.

    Only a document without a family follows a link out of its own: two families stay two.
    """
    home = {c.source.doc_id: c.source.family for c in candidates if c.source.family}
    root = {c.source.doc_id: c.source.doc_id for c in single}
    linked: dict[str, set[str]] = {}  # by a document without a family, the families that it is linked with

    def root_of(doc_id: str) -> str:
        while root[doc_id] != doc_id:
            root[doc_id] = root[root[doc_id]]
            doc_id = root[doc_id]
        return doc_id

    for c in candidates:
        one = c.source.doc_id
        for other in (*names_of(c.source.superseded_by), *names_of(c.source.supersedes)):
            if one in root and other in root:
                root[root_of(other)] = root_of(one)
            elif one in root and other in home:
                linked.setdefault(one, set()).add(home[other])
            elif other in root and one in home:
                linked.setdefault(other, set()).add(home[one])
    chains: dict[str, list[Candidate]] = {}
    joined: dict[str, set[str]] = {}
    for c in single:
        chains.setdefault(root_of(c.source.doc_id), []).append(c)
        joined.setdefault(root_of(c.source.doc_id), set()).update(linked.get(c.source.doc_id, ()))
    joining: dict[str, list[Candidate]] = {}
    for first, found in joined.items():
        if len(found) == 1:
            joining.setdefault(min(found), []).extend(chains.pop(first))
    _join(joining, families, candidates)
    alone = [members for members in chains.values() if any(c.source.doc_id != members[0].source.doc_id for c in members)]
    return [Family(f"document {shortened(members[0].source.doc_id)}", members) for members in alone]


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


def _found_elsewhere(name: str, elsewhere: Elsewhere | None, index: _Index) -> list[Edition]:
    edition = elsewhere.documents.get(name) if elsewhere else None
    return [edition] if edition and not _leads_back(edition, index) else []


def _from_elsewhere(edition: Edition, elsewhere: Elsewhere, index: _Index) -> list[Edition]:
    """The editions of other families that say that they replace a document of this edition."""
    documents = dict.fromkeys(c.source.doc_id for c in edition.members)
    return [e for doc_id in documents for e in elsewhere.replacing.get(doc_id, ()) if not _leads_back(e, index)]


def _leads_back(edition: Edition, index: _Index) -> bool:
    """Whether an edition of another family is replaced by a document of this one."""
    return any(("document", name) in index for c in edition.members for name in names_of(c.source.superseded_by))


def _a_circle(successors: Mapping[Edition, Sequence[Edition]]) -> list[Edition]:
    try:
        TopologicalSorter(successors).prepare()
    except CycleError as error:
        return list(dict.fromkeys(error.args[1]))
    return []
