"""Recognises editions of one document where no metadata say so: by title or path, and by near-identical text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache, reduce
from operator import or_
from typing import NamedTuple

from contextpack_core.dates import MONTHS, bare
from contextpack_core.editions.families import shortened
from contextpack_core.likeness import Likeness, members, wording
from contextpack_core.patterns import pattern
from contextpack_core.values import Candidate

_ALIKE = 0.75  # of two passages, by which documents are confirmed to be editions of one
_ALIKE_VERSIONS = 0.5  # the same, where title or path name versions


def infer_families(candidates: Sequence[Candidate]) -> tuple[tuple[Candidate, ...], tuple[str, ...]]:
    """The candidates with the families that were recognised, and a remark for each; those with a family stay as they are.

    Two documents are editions of one if their titles or paths are the same but for a version or a date, neither contradicts it,
    edition or date differ, and two of their passages have much the same text. If only dates tell them apart the text must be nearly
    the same, no name exchanged for another, and the title no kind of document that has one for each period, such as a report. An
    edition that only the title or path tells is put into the source.
    """
    homes: dict[str, tuple[str, str | None]] = {}
    taken = {c.source.family for c in candidates}
    remarks = []
    for group in _groups([c for c in candidates if not c.source.family and c.source.doc_id]):
        for family in _confirmed(group):
            name = family[0].title or family[0].path
            if name in taken:
                name = f"{name} ({family[0].id})"
            taken.add(name)
            homes |= {document.id: (name, document.edition) for document in family}
            remarks.append(f"recognised as editions of one document: {', '.join([shortened(document.id) for document in family])}")
    if not homes:
        return tuple(candidates), ()
    return tuple([_at_home(c, homes) for c in candidates]), tuple(remarks)


def _at_home(candidate: Candidate, homes: dict[str, tuple[str, str | None]]) -> Candidate:
    source = candidate.source
    if source.family or source.doc_id not in homes:
        return candidate
    family, edition = homes[source.doc_id]
    return replace(candidate, source=replace(source, family=family, edition=source.edition or edition))


# ---- what titles and paths say


@dataclass(slots=True, eq=False)
class _Document:
    """One document: its title and path without versions, what tells its edition, its passages, best first.

    ``has_version``: title or path hold a version, and not only a date.
    """

    id: str
    title: str
    path: str
    edition: str | None
    has_version: bool
    effective: date | None
    texts: list[str] = field(default_factory=list)


def _groups(candidates: Sequence[Candidate]) -> list[list[_Document]]:
    """The documents that have one title, or without a title one path, versions aside; only where there are several."""
    documents: dict[str, _Document] = {}
    groups: dict[tuple[str, str], list[_Document]] = {}
    for candidate in candidates:
        source = candidate.source
        document = documents.get(source.doc_id)
        if document is None:
            document = documents[source.doc_id] = _document(candidate)
            key = ("title", document.title) if document.title else ("path", document.path)
            if key[1]:
                groups.setdefault(key, []).append(document)
        document.texts.append(candidate.text)
    return [group for group in groups.values() if len(group) > 1]


def _document(candidate: Candidate) -> _Document:
    source = candidate.source
    title = _without_version(source.title or "")
    paths = [_without_version(path) for path in dict.fromkeys((source.doc_id, source.uri or ""))]
    path = next((path for path in paths if path.version or _IS_PATH.search(path.rest)), _NO_NAME)
    if not _SAYS_SOMETHING.search(title.rest):
        title = _NO_NAME
    named = title.is_version and _is_specific(title.rest)
    edition = source.edition or title.version or path.version
    return _Document(source.doc_id, title.rest, path.rest, edition, named or path.is_version, source.effective_from)


_SAYS_SOMETHING = pattern(r"[^\W\d_]{3}")
_IS_PATH = pattern(r"/.*[^\W\d_]{3}|[^\W\d_]{3}[^/]*\.[a-z]{2,5}$", re.IGNORECASE)
_MONTH = "|".join(sorted(MONTHS, key=lambda word: (-len(word), word)))
_VERSION = pattern(
    rf"""(?<![^\W_])(?:
        (?:version|ver|v|rev|revision|edition|ed|release|rel|stand)[\s._-]?(?P<named>\d+(?:[._]\d+)*(?:[-.]?(?:rc|beta|alpha)[.-]?\d*)?|[a-z])
        |(?P<ordinal>\d+(?:st|nd|rd|th)|first|second|third|fourth|fifth)\s(?:edition|ed\.|revision)
        |(?P<day>(?:\d{{1,2}}\.?\s)?(?:{_MONTH})\.?,?\s(?:\d{{1,2}},\s)?(?:19|20)\d\d)
        |(?P<date>(?:19|20)\d\d(?:[-_./]?(?:0[1-9]|1[0-2])(?:[-_./]?(?:0[1-9]|[12]\d|3[01]))?)?(?P<hash>-[0-9a-f]{{7,40}})?)
        |(?P<dotted>\d+(?:\.\d+)+(?:[-.]?(?:rc|beta|alpha|snapshot)[.-]?\d*)?)
    )(?![^\W_])""",
    re.VERBOSE,
)


class _Name(NamedTuple):
    """A title or path with ``#`` in the place of each version and date; the first of them; whether it is more than a date."""

    rest: str
    version: str | None = None
    is_version: bool = False


_NO_NAME = _Name("")


def _without_version(text: str) -> _Name:
    text = bare(text[:400])
    found = next(_VERSION.finditer(text), None)
    if found is None:
        return _Name(text)
    version = next(part for part in (found["named"], found["ordinal"], found["dotted"], found["date"], found["day"]) if part)
    is_date = bool(found["day"] or (found["date"] and not found["hash"]))
    return _Name(_VERSION.sub("#", text), version, not is_date)


# ---- what the text confirms


def _confirmed(group: Sequence[_Document]) -> Iterator[list[_Document]]:
    """The documents of a group that their texts prove to be editions of one.

    Documents that stand in one family already are not compared any more: a hundred editions cost little more than one.
    """
    texts = _Texts(group)
    family_of = list(range(len(group)))  # the number of its first document, found by way of others
    texts_of = list(texts.of)  # of each family

    def first_of(number: int) -> int:
        while family_of[number] != number:
            family_of[number] = number = family_of[family_of[number]]
        return number

    for b in range(len(group)):
        may_be_alike = {j: texts.likeness.enter(j) & ~texts.of[b] for j in members(texts.of[b])}
        others = reduce(or_, may_be_alike.values(), 0)
        while others:
            a = texts.document[next(members(others))]
            if _may_be_editions(group[a], group[b]) and _are_editions(group[a], group[b], texts, may_be_alike, texts.of[a]):
                first, last = sorted((first_of(a), first_of(b)))
                family_of[last] = first
                texts_of[first] |= texts_of[last]
                others &= ~texts_of[first]
            others &= ~texts.of[a]
    families: dict[int, list[_Document]] = {}
    for number, document in enumerate(group):
        families.setdefault(first_of(number), []).append(document)
    yield from (family for family in families.values() if len(family) > 1)


class _Texts:
    """The texts of a group of documents, numbered; ``of`` a document which they are, as a mask of ``Likeness``."""

    def __init__(self, group: Sequence[_Document]) -> None:
        texts = [text for document in group for text in document.texts]
        self.document = [number for number, document in enumerate(group) for _ in document.texts]
        self.of = [0] * len(group)
        for text, number in enumerate(self.document):
            self.of[number] |= 1 << text
        self.near = _ALIKE_VERSIONS if any(document.has_version for document in group) else _ALIKE
        self.likeness = Likeness([wording(text) for text in texts], self.near)
        self.names = cache(lambda i: frozenset(_NAME.findall(texts[i])))
        self.words = cache(lambda i: frozenset(_WORD.findall(texts[i])))

    def exchange_names(self, i: int, j: int) -> bool:
        """Whether each has a name that the other lacks: two products, services or countries with one wording."""
        return not (self.names(i) <= self.words(j) or self.names(j) <= self.words(i))


def _are_editions(a: _Document, b: _Document, texts: _Texts, may_be_alike: Mapping[int, int], texts_of_a: int) -> bool:
    """Whether two of their passages are alike enough, and without a version in both names none of them exchanges names."""
    versions = a.has_version and b.has_version
    if not versions and (not _is_specific(a.title or a.path) or _is_periodical(a)):
        return False
    near, proven = texts.near if versions else _ALIKE, False
    for j, others in may_be_alike.items():
        for i in members(others & texts_of_a):
            if texts.likeness.of(i, j) < near:
                continue
            if versions:
                return True
            if texts.exchange_names(i, j):
                return False
            proven = True
    return proven


def _may_be_editions(a: _Document, b: _Document) -> bool:
    """Neither path nor title contradicts it, and something tells the two apart."""
    if a.path and b.path and a.path != b.path:
        return False
    if a.title != b.title:
        return False
    return (a.edition or b.edition or a.effective or b.effective) is not None and (
        (a.edition, a.effective) != (b.edition, b.effective)
    )


# Titles of such words alone are those of everybody's documents.
_ANYBODYS = frozenset([
    "privacy", "policy", "policies", "terms", "term", "service", "services", "conditions", "condition", "use", "usage",
    "agreement", "notice", "statement", "legal", "cookie", "cookies", "data", "protection", "acceptable", "refund",
    "refunds", "manual", "guide", "handbook", "faq", "general", "index", "readme", "documentation", "docs", "document",
    "user", "users", "page", "home", "help", "about", "contact", "imprint", "license", "licence", "changelog", "release",
    "notes", "untitled", "the", "and", "for", "our", "your", "with", "sale", "rules", "community", "guidelines",
    "standards", "copyright", "security", "commercial", "claims", "additional", "business", "website", "agb", "allgemeine",
    "geschaftsbedingungen", "datenschutz", "datenschutzerklarung", "nutzungsbedingungen", "impressum", "bedingungen",
    "handbuch", "anleitung", "generales", "utilisation", "politique", "confidentialite", "mentions", "legales", "politica",
    "privacidad", "privacidade", "terminos", "condiciones", "uso", "termini", "condizioni", "servizio", "regulamin",
    "polityka", "ad", "ads", "advertising", "publishing", "publisher", "content", "creator", "seller", "partner",
    "developer", "developers", "program", "programme", "customer", "customers", "account", "payment", "payments",
    "delivery", "shipping", "returns", "warranty", "installation", "instructions", "reference", "overview", "introduction",
    "appendix", "annex",
])  # fmt: skip
# Of such documents each period has its own: none replaces another.
_PERIODICALS = frozenset([
    "report", "reports", "minutes", "invoice", "invoices", "newsletter", "news", "blog", "posts", "press", "quarterly",
    "annual", "monthly", "weekly", "daily", "agenda", "log", "logs", "results", "earnings", "balance", "diary", "journal",
    "budget", "bericht", "berichte", "jahresbericht", "geschaftsbericht", "protokoll",
    "protokolle", "rechnung", "rechnungen", "rapport", "rapports", "compte", "facture", "factures", "informe", "informes",
    "acta", "actas", "factura", "relazione", "verbale", "fattura", "sprawozdanie",
])  # fmt: skip


def _is_specific(title: str) -> bool:
    """Whether a title names what it is about, and not only its kind."""
    return any(len(word) > 2 and word not in _ANYBODYS for word in _LETTERS.findall(title))


def _is_periodical(document: _Document) -> bool:
    return not _PERIODICALS.isdisjoint(_LETTERS.findall(f"{document.title} {document.path}"))


_LETTERS = pattern(r"[^\W\d_]+")
_NAME = pattern(r"(?<=[a-z,;:] )[A-Z][\w&'-]+")

_WORD = pattern(r"[\w&'-]+")
