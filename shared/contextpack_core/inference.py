"""Recognises editions of one document where no metadata say so: by title or path, and by near-identical text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import NamedTuple

from contextpack_core.dates import MONTHS, bare
from contextpack_core.families import shortened
from contextpack_core.likeness import alike_pairs
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


_SAYS_SOMETHING = re.compile(r"[^\W\d_]{3}")
_IS_PATH = re.compile(r"/.*[^\W\d_]{3}|[^\W\d_]{3}[^/]*\.[a-z]{2,5}$", re.IGNORECASE)
_MONTH = "|".join(sorted(MONTHS, key=lambda word: (-len(word), word)))
_VERSION = re.compile(
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
    """The documents of a group that their texts prove to be editions of one."""
    texts = [(document, text) for document in group for text in document.texts]
    near = _ALIKE_VERSIONS if any(document.has_version for document in group) else _ALIKE
    confirmed: set[tuple[_Document, _Document]] = set()
    doubted: set[tuple[_Document, _Document]] = set()
    for i, j, similarity in alike_pairs([text for _, text in texts], near):
        (a, one), (b, other) = texts[i], texts[j]
        if a is b or not _may_be_editions(a, b):
            continue
        if a.has_version and b.has_version:
            confirmed.add((a, b))
        elif similarity >= _ALIKE and _is_specific(a.title or a.path) and not _is_periodical(a):
            (doubted if _exchange_names(one, other) else confirmed).add((a, b))
    home = {document: document for document in group}

    def home_of(document: _Document) -> _Document:
        while home[document] is not document:
            home[document] = home[home[document]]
            document = home[document]
        return document

    for a, b in sorted(confirmed - doubted, key=lambda pair: (group.index(pair[0]), group.index(pair[1]))):
        home[home_of(b)] = home_of(a)
    families: dict[_Document, list[_Document]] = {}
    for document in group:
        families.setdefault(home_of(document), []).append(document)
    yield from (family for family in families.values() if len(family) > 1)


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


_LETTERS = re.compile(r"[^\W\d_]+")
_NAME = re.compile(r"(?<=[a-z,;:] )[A-Z][\w&'-]+")


def _exchange_names(a: str, b: str) -> bool:
    """Whether each has a name that the other lacks: two products, services or countries with one wording."""
    ours, theirs = set(_NAME.findall(a)), set(_NAME.findall(b))
    return bool(ours - set(_WORD.findall(b))) and bool(theirs - set(_WORD.findall(a)))


_WORD = re.compile(r"[\w&'-]+")
