"""Where a provider's citation points: the passage on which all agree that it says of its source, or why it is none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeGuard
from urllib.parse import urlsplit

from contextpack_core.citations.quotes import locate_quote
from contextpack_core.citations.values import QuoteStatus, SourceText
from contextpack_core.pack import Pack
from contextpack_core.patterns import pattern
from contextpack_core.values import Candidate, Evidence, Source

Facts = Mapping[str, Any]
"""What a citation says of its source, by the names that the providers use."""

LONGEST_TITLE = 400
"""Characters of the title of a document block; one that is longer is cut."""


@dataclass(frozen=True, slots=True)
class Target:
    """The labels of the passages; or none, and the candidate of another edition, or why the citation leads nowhere."""

    labels: tuple[str, ...] = ()
    dropped: Candidate | None = None
    why: str = ""


_NOWHERE = Target()


class Targets:
    """Finds what a citation points to among the passages of a pack and the editions that were dropped for them."""

    def __init__(self, pack: Pack, texts: Mapping[str, SourceText], first_document: int) -> None:
        self._evidence, self._others = pack.evidence, pack.other_editions
        self._texts, self._first = texts, first_document
        self._stems = tuple({label.rstrip("0123456789") for label in (*texts, *pack.labels.values())})

    def target_of(self, facts: Facts, cited: str | None) -> Target:
        """Its target, by the first that there is of place in the request, label in the title, address, title and cited words.

        The others must not name another document or edition: a request can hold other results than those of the pack.
        """
        titles = [str(facts[key]) for key in ("title", "document_title") if facts.get(key)]
        index = index_of(facts)
        if is_place(index):
            at = index - self._first
            item = self._evidence[at] if 0 <= at < len(self._evidence) else None
            addresses = [str(facts[key]) for key in ("source", "url", "uri") if facts.get(key)]
            return self._against(item, f"place {index} of the request", addresses, titles, cited)
        addresses = [str(facts[key]) for key in ("source", "url", "uri", "filename", "file_id") if facts.get(key)]
        for title in titles:
            item = next((item for item in self._evidence if item.label == title.split(" ", 1)[0]), None)
            if item is not None:
                return self._against(item, "the label", addresses, titles, cited)
        for address in addresses:
            found = self._of_document(address, cited)
            if found != _NOWHERE:
                return self._unless_other_edition(found, titles)
        for title in titles:
            found = self._of_document(title, cited)
            if found != _NOWHERE:
                return found
        for title in titles:
            found = self._of(*self._titled(title), cited)
            if found != _NOWHERE:
                return found
        return self._of_document(None, cited) if cited and not addresses and not titles else _NOWHERE

    def _against(
        self, item: Evidence | None, by: str, addresses: Sequence[str], titles: Sequence[str], cited: str | None
    ) -> Target:
        """The passage to which ``by`` leads, if address, title and cited words are not those of another."""
        at_home = False
        for address in addresses:
            evidence, others = self._named(address)
            if item is None or (item not in evidence and (others or not _says_the_same(address, _sources(item)))):
                return self._other(item, by, address, others, cited)
            at_home = True
        for title in titles:
            if item and self._fits(title, item):
                continue
            others = self._titled_so(title)
            if others or not at_home or any(self._fits(title, other) for other in self._evidence if other is not item):
                return self._other(item, by, title, others, cited)
        if item is None:
            return Target(why=f"{by} is none of the pack's; {_REQUEST}")
        if cited and not _holds(item, cited) and (old := next((c for c in self._others if cited.strip() in c.text), None)):
            return Target(dropped=old)
        return Target((item.label,))

    def _other(self, item: Evidence | None, by: str, name: str, others: Sequence[Candidate], cited: str | None) -> Target:
        """What a name leads to that is not the passage's own: another edition of it, else a contradiction."""
        if others:
            return Target(dropped=next((c for c in others if cited and cited.strip() in c.text), others[0]))
        leads = f"{by} is that of {item.label}" if item else f"{by} is none of the pack's"
        theirs = next((i.label for i in self._evidence if _is_at(name, _sources(i)) or self._fits(name, i)), None)
        named = f"{_shortened(name)} is that of {theirs}" if theirs else f"{_shortened(name)} is no source of the pack"
        return Target(why=f"{leads}, but {named}; {_REQUEST}")

    def _fits(self, title: str, item: Evidence) -> bool:
        """Whether a title says nothing that the passage's own label, title, section, edition and names do not."""
        label, rest = self._split(title)
        sources = _sources(item)
        if label not in ("", item.label):
            return _says_the_same(title, sources)  # a document can be called "P2 …"
        if not _folded(rest):
            return bool(label)
        if any(_folded(rest) == _folded(title_of(source)) for source in sources):
            return True
        return _says_the_same(rest, sources) and not any(_folded(rest) == _folded(title_of(c.source)) for c in self._others)

    def _titled_so(self, title: str) -> list[Candidate]:
        """The candidates of other editions that a title, behind a label or not, can be that of."""
        rest = self._split(title)[1]
        return [c for c in self._others if _folded(rest) and _says_the_same(rest, [c.source])]

    def _split(self, title: str) -> tuple[str, str]:
        """The label that a title begins with, of this pack or another, and the rest."""
        first, _, rest = title.partition(" ")
        stem = first.rstrip("0123456789")
        return (first, rest) if stem != first and stem in self._stems else ("", title)

    def _unless_other_edition(self, found: Target, titles: Sequence[str]) -> Target:
        """The passages of an address, unless the title beside it is that of an edition that was dropped, and not theirs."""
        items = [item for item in self._evidence if item.label in found.labels]
        for title in titles:
            old = next(iter(self._titled_so(title)), None)
            if items and old and not any(self._fits(title, item) for item in items):
                return Target(dropped=old)
        return found

    def _of_document(self, name: str | None, cited: str | None) -> Target:
        """The passages of a document, or a dropped candidate; with None for the name those that hold the cited words."""
        if name is None:
            return self._that_hold(self._evidence, self._others, cited) if cited else _NOWHERE
        return self._of(*self._named(name), cited)

    def _of(self, evidence: Sequence[Evidence], others: Sequence[Candidate], cited: str | None) -> Target:
        """The passages, or a candidate of another edition; the cited words decide between editions."""
        if cited and (evidence or others) and (found := self._that_hold(evidence, others, cited)) != _NOWHERE:
            return found
        if evidence:
            return Target(tuple([item.label for item in evidence]))
        return Target(dropped=others[0]) if others else _NOWHERE

    def _that_hold(self, evidence: Sequence[Evidence], others: Sequence[Candidate], cited: str) -> Target:
        """Those of the passages that hold the cited words, else the candidate of another edition that does.

        An edition can have an address and a title of its own: if none of ``others`` has the words, any other may.
        """
        if holders := [item.label for item in evidence if cited.strip() in item.passage.text]:
            return Target(tuple(holders))
        if any(_holds(item, cited) for item in evidence):
            return _NOWHERE
        old = next((c for c in (*others, *self._others) if cited.strip() in c.text), None)
        return Target(dropped=old) if old else _NOWHERE

    def _titled(self, title: str) -> tuple[Sequence[Evidence], Sequence[Candidate]]:
        """The passages and the candidates of other editions whose title it is, with section or edition."""
        return (
            [item for item in self._evidence if any(_is_titled(title, source) for source in _sources(item))],
            [c for c in self._others if _is_titled(title, c.source)],
        )

    def _named(self, name: str) -> tuple[Sequence[Evidence], Sequence[Candidate]]:
        """The passages and the candidates of other editions that have a name as it is; if there are none, that have its address."""
        for same in (_is_name, _is_at):  # two editions can differ in what makes no other address, say in the fragment
            evidence = [item for item in self._evidence if same(name, _sources(item))]
            others = [c for c in self._others if same(name, [c.source])]
            if evidence or others:
                break
        return evidence, others


_REQUEST = "a request can hold other results: first_document= counts those before the pack's"


def index_of(facts: Facts) -> Any:
    """The place in the request, as Anthropic counts documents and search results."""
    return facts.get("document_index", facts.get("search_result_index"))


def is_place(value: Any) -> TypeGuard[int]:
    """Whether it can be a place: a whole number from 0 on."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def title_of(source: Source) -> str:
    """What a document block is called: title, section and edition."""
    parts = [source.title or source.doc_id, source.section, f"edition {source.edition}" if source.edition else None]
    return ", ".join(part for part in parts if part)


def _is_titled(title: str, source: Source) -> bool:
    """Whether it is the title of a source with its section, its edition or both behind it."""
    whole = [source, replace(source, section=None), replace(source, edition=None), replace(source, section=None, edition=None)]
    return _folded(title) in [_folded(title_of(one)) for one in whole]


# ---------------------------------------------------------------- names, addresses, titles


def _sources(item: Evidence) -> list[Source]:
    return [item.passage.source, *item.passage.also_in]


def _names(source: Source) -> Iterator[str]:
    names = [source.uri, source.doc_id, source.title]
    names += [name.rsplit("/", 1)[-1] for name in (source.uri, source.doc_id) if name and "/" in name]
    yield from (sound(name) for name in names if name)


def _is_name(name: str, sources: Iterable[Source]) -> bool:
    return any(name in _names(source) for source in sources)


def _is_at(name: str, sources: Iterable[Source]) -> bool:
    address = _same_address(name)
    return any(address == _same_address(other) for source in sources for other in _names(source))


def _same_address(name: str) -> str:
    """The name; of a web address what makes it another page: without fragment, ``utm_…``, default port and slash at the end."""
    scheme, colon, _ = name.partition("://")
    if not colon or scheme.lower() not in _PORTS:
        return name
    try:
        parts = urlsplit(name)
        port = parts.port
    except ValueError:  # no address after all
        return name
    host = (parts.hostname or "").lower() + ("" if port in (None, _PORTS[parts.scheme]) else f":{port}")
    query = "&".join([item for item in parts.query.split("&") if item and not item.lower().startswith("utm_")])
    return f"{parts.scheme}://{host}{parts.path.rstrip('/')}{f'?{query}' if query else ''}"


_PORTS = {"http": 80, "https": 443}


def _says_the_same(title: str, sources: Iterable[Source]) -> bool:
    """Whether a title is a name of a source, or all its words stand in the title, section and edition of one."""
    text = _folded(title)
    for source in sources:
        own = _folded(title_of(source))
        if set(text.split()) <= set(own.split()) or any(text == _folded(name) for name in _names(source)):
            return True
        if len(text) > LONGEST_TITLE - 40 and own.startswith(text):  # it was cut
            return True
    return False


def _folded(text: str) -> str:
    return " ".join(_WORDS.findall(sound(text).casefold()))


_WORDS = pattern(r"\w+")


def _holds(item: Evidence, cited: str) -> bool:
    """Whether the words stand in the passage, but for blanks and signs."""
    text = item.passage.text
    if cited.strip() in text:
        return True
    found = locate_quote(cited, {item.label: text}, [item.label])
    return found.status in (QuoteStatus.EXACT, QuoteStatus.NORMALISED)


def _shortened(name: str) -> str:
    name = " ".join(name.split())
    return f"‹{name if len(name) <= 90 else name[:89].rstrip() + '…'}›"


def sound(text: str) -> str:
    """The text without lone surrogates, which no request can carry; offsets stay."""
    if text.isascii() or not any("\ud800" <= sign <= "\udfff" for sign in text):
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
