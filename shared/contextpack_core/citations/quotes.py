"""Finds the quotations of an answer and locates each in the evidence, by its characters and never by likeness."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import cached_property
from itertools import islice, pairwise

from contextpack_core.citations.borders import is_whole
from contextpack_core.citations.folding import ROW_END, Folded, fold, fold_passage
from contextpack_core.citations.quote_marks import find_quotes, is_quotation, words_in
from contextpack_core.citations.settings import CitationSettings
from contextpack_core.citations.values import Citation, Claim, Quote, QuoteStatus, SourceText
from contextpack_core.negation import cut_negation, negations
from contextpack_core.pack import Pack
from contextpack_core.patterns import pattern
from contextpack_core.values import Evidence, Span

LONGEST_OMISSION = 500
"""Characters that an ellipsis may leave out: two sentences further apart are two quotations."""


def locate_quote(
    quote: str,
    passages: Mapping[str, str] | Mapping[str, SourceText] | Pack,
    label: str | Sequence[str] | None = None,
) -> Quote:
    """Where a quotation stands: word for word (EXACT), but for typography and markup (NORMALISED), or with omissions (ELIDED).

    ``label`` is what the answer cites, one label or several: a quotation that stands in another passage only is MISATTRIBUTED.
    One that stands twice in a passage, or in two passages of which none is cited, is AMBIGUOUS, and the first place is given.
    Everything else is NOT_FOUND: a digit, a sign, a word or a negation more or less is never forgiven, and no quotation begins or
    ends inside a longer word or number, or runs over a gap. ``detail`` says what is wrong; an ELIDED quotation has one when the
    omission hides a negation or a figure.
    """
    cited = () if label is None else (label,) if isinstance(label, str) else tuple(label)
    return _located(quote, source_texts(passages), cited, explained=True)


def source_texts(passages: Mapping[str, str] | Mapping[str, SourceText] | Pack) -> dict[str, SourceText]:
    """The passages under their labels; those of a pack with their gaps and their places in the documents."""
    if isinstance(passages, Pack):
        return {item.label: _source_text(item) for item in passages.evidence}
    return {name: text if isinstance(text, SourceText) else SourceText(name, text) for name, text in passages.items()}


def _source_text(evidence: Evidence) -> SourceText:
    gaps: list[Span] = []
    pieces: list[tuple[int, int, int]] = []
    end = 0
    for piece in evidence.passage.pieces:
        start, end = end, end + len(piece.text)
        if piece.span is not None:
            pieces.append((start, end, piece.span.start))
        elif piece.inserted and not piece.text.isspace():
            gaps.append(Span(start, end))
    return SourceText(evidence.label, evidence.passage.text, tuple(gaps), tuple(pieces), evidence.passage.source)


def _located(quote: str, sources: Mapping[str, SourceText], cited: Sequence[str], *, explained: bool) -> Quote:
    """The quotation in what it cites, else elsewhere, else nowhere; ``explained`` then looks for the nearest text."""
    plain = quote.strip()
    wanted = _Wanted(plain, _without_marks(plain, sources))
    named = [sources[name] for name in dict.fromkeys(cited) if name in sources]
    others = [source for name, source in sources.items() if name not in cited]

    if found := _locate(wanted, named, several_are_fine=True):
        return _as_quote(quote, found)
    if found := _locate(wanted, others, several_are_fine=bool(cited)):
        if cited:
            detail = f"stands in {found.source.label}, not in {', '.join(cited)}"
            found = replace(found, status=QuoteStatus.MISATTRIBUTED, detail=detail)
        return _as_quote(quote, found)
    detail = _what_differs(wanted, named or others) if explained else ""
    return Quote(quote, None, cited[0] if cited else None, QuoteStatus.NOT_FOUND, detail=detail)


# ---------------------------------------------------------------- what is looked for


@dataclass(frozen=True)
class _Wanted:
    """A quotation, with and without citation marks in it, in the forms in which it may stand; each is made when it is needed."""

    plain: str
    bare: str

    @cached_property
    def exact(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((self.plain, self.bare))) if any(map(str.isalnum, self.bare)) else ()

    @cached_property
    def folded(self) -> tuple[str, ...]:
        forms = [form for text in dict.fromkeys((self.bare, self._clear)) for form in _folded_forms(text, self.references)]
        return tuple(dict.fromkeys(forms))

    @cached_property
    def parts(self) -> _Parts | None:
        return _parts(self._clear, self.references)

    @cached_property
    def references(self) -> bool:
        """Whether it has reference marks or item numbers itself, so that those of the passage count."""
        return _REFERENCE.search(self.bare) is not None

    @cached_property
    def _clear(self) -> str:
        """Without an editor's asides and changes of case: ``[sic]``, ``[t]he``."""
        return _MERGED.sub(r"\1", _ASIDE.sub("", self.bare)) if "[" in self.bare else self.bare


@dataclass(frozen=True, slots=True)
class _Parts:
    """The parts between omissions, each in its folded forms, and how many characters may be left out before each.

    ``elided`` tells an ellipsis from mere editor's brackets.
    """

    forms: tuple[tuple[str, ...], ...]
    limits: tuple[int, ...]
    elided: bool


_MARK = pattern(r"\s*[\[【(]([^\[\]【】()]{1,80})[\]】)]")
_REFERENCE = pattern(r"\[\s?\d|\[\^|[⁰¹²³⁴-⁹]|(?<!\S)\d{1,2}[.)]\s")
_ASIDE = pattern(r"\s*\[(?:sic|emphasis [^\[\]]{1,40}|Hervorhebung [^\[\]]{1,40}|italics [^\[\]]{1,40})[.!]?\]", re.IGNORECASE)
_MERGED = pattern(r"\[(\w)\](?=\w)")  # "[t]he": a letter in other case
_OMISSION = pattern(r"[\[(]?\s?(?:…|⋯|\.\s?\.\s?\.(?:\s?\.)*+)++\s?[\])]?|\[(?P<inserted>[^\[\]\d^]{1,80})\]")
_LONGEST_REPLACEMENT = 80  # what the editor's words in brackets may stand for
_MOST_PARTS = 32


def _without_marks(quote: str, labels: Collection[str]) -> str:
    """The quotation without the citation marks that a model put inside it."""
    if "[" not in quote and "【" not in quote and "(" not in quote:
        return quote
    known = {label.casefold() for label in labels}

    def unless_citation(mark: re.Match[str]) -> str:
        names = re.split(r"[\s,;–-]+", mark[1].strip().casefold())
        return "" if known.issuperset(names) else mark[0]

    return _MARK.sub(unless_citation, quote).strip()


def _folded_forms(text: str, references: bool) -> list[str]:
    """The folded text; and without quotation marks around it and the full stop or comma that is put inside by habit."""
    whole = fold(text, references).text.strip()
    inner = whole.strip("'\" ") if whole[:1] in "'\"" and whole[-1:] in "'\"" else whole
    bare = _EDGE_DASHES.sub("", inner)
    trimmed = bare if bare.endswith("..") else bare.rstrip(" .,;:'")
    return [form for form in dict.fromkeys((whole, inner, bare, trimmed)) if any(map(str.isalnum, form))]


_EDGE_DASHES = pattern(r"\A(?:- )+|(?: -)+\Z")


def _parts(quote: str, references: bool) -> _Parts | None:
    """The quotation in parts, if it has ellipses or editor's brackets; None too if the editor put in a negation."""
    forms: list[tuple[str, ...]] = []
    limits: list[int] = []
    elided = False
    done = limit = 0
    for omission in islice(_OMISSION.finditer(quote), _MOST_PARTS):
        inserted = omission["inserted"]
        if inserted and negations(inserted):
            return None
        if part := _folded_forms(quote[done : omission.start()], references):
            forms.append(tuple(part))
            limits.append(limit)
            limit = 0
        done = omission.end()
        limit = max(limit, _LONGEST_REPLACEMENT if inserted else LONGEST_OMISSION)
        elided = elided or not inserted
    if not done or _OMISSION.search(quote, done):
        return None
    if part := _folded_forms(quote[done:], references):
        forms.append(tuple(part))
        limits.append(limit)
    if sum(words_in(part[0]) for part in forms) < _LEAST_ELIDED:
        return None
    return _Parts(tuple(forms), tuple(limits), elided)


_LEAST_ELIDED = 2


# ---------------------------------------------------------------- where it stands


@dataclass(frozen=True, slots=True)
class _Found:
    status: QuoteStatus
    source: SourceText
    start: int
    end: int
    omitted: tuple[str, ...] = ()
    detail: str = ""


def _locate(wanted: _Wanted, sources: Sequence[SourceText], several_are_fine: bool) -> _Found | None:
    """The best place in the sources: a word-for-word one in any of them before a folded one, and that before an elided one."""
    for look, status in ((_exact, QuoteStatus.EXACT), (_normalised, QuoteStatus.NORMALISED)):
        found: list[_Found] = []
        for source in sources:
            places = list(islice(look(wanted, source), 2))
            if not places:
                continue
            if len(places) > 1:
                return _Found(QuoteStatus.AMBIGUOUS, source, *places[0], detail=f"stands more than once in {source.label}")
            found.append(_Found(status, source, *places[0]))
            if several_are_fine:
                break
        if len(found) > 1:
            return replace(
                found[0], status=QuoteStatus.AMBIGUOUS, detail=f"stands in {found[0].source.label} and in {found[1].source.label}"
            )
        if found:
            return found[0]
    parts = wanted.parts
    return next(filter(None, (_elided(parts, wanted.references, source) for source in sources)), None) if parts else None


def _exact(wanted: _Wanted, source: SourceText) -> Iterator[tuple[int, int]]:
    for form in wanted.exact:
        hit = False
        for start in _occurrences(source.text, form):
            if _stands_whole(source, start, start + len(form)):
                hit = True
                yield start, start + len(form)
        if hit:
            return


def _normalised(wanted: _Wanted, source: SourceText) -> Iterator[tuple[int, int]]:
    if not wanted.folded:
        return
    folded = fold_passage(source.text, wanted.references)
    for form in wanted.folded:
        hit = False
        for start, end in _folded_places(form, folded, source):
            hit = True
            yield _with_markup(source.text, start, end)
        if hit:
            return


_MOST_TRIES = 1000  # places looked at before giving up: hostile text can hold one at every character


def _occurrences(text: str, form: str) -> Iterator[int]:
    at = text.find(form)
    for _ in range(_MOST_TRIES):
        if at < 0:
            return
        yield at
        at = text.find(form, at + 1)


def _folded_places(form: str, folded: Folded, source: SourceText) -> Iterator[tuple[int, int]]:
    """The whole places of a folded form, as offsets of the source."""
    hit = False
    for at in _occurrences(folded.text, form):
        place = folded.source_span(at, at + len(form))
        if place is not None and _stands_whole(source, *place):
            hit = True
            yield place
    if folded.joints and "-" in form and not hit:
        yield from _places_with_joints(form, folded, source)


def _places_with_joints(form: str, folded: Folded, source: SourceText) -> Iterator[tuple[int, int]]:
    """The places of a form that has a hyphen where the source has one at the end of a line."""
    kept = [at for at, char in enumerate(folded.text) if char != "-"]
    bare, joints = "".join([folded.text[at] for at in kept]), frozenset(folded.joints)
    for first in _occurrences(bare, form.replace("-", "")):
        end = at = kept[first]
        for char in form:
            if folded.text[end : end + 1] == char:
                end += 1
            elif char != "-" or end not in joints:
                break
        else:
            place = folded.source_span(at, end)
            if place is not None and _stands_whole(source, *place):
                yield place


def _elided(parts: _Parts, references: bool, source: SourceText) -> _Found | None:
    """The closest places of the parts in their order."""
    folded = fold_passage(source.text, references)
    places: list[list[tuple[int, int]]] = []
    for forms in parts.forms:
        of_part = next(filter(None, (list(_folded_places(form, folded, source)) for form in forms)), None)
        if of_part is None:
            return None
        places.append(of_part)
    chains = filter(None, (_chain(first, places[1:], parts.limits[1:]) for first in places[0]))
    best = min(chains, key=lambda chain: (chain[-1][1] - chain[0][0], chain[0][0]), default=None)
    if best is None or _crosses_gap(source, best[0][0], best[-1][1]):
        return None
    between = [source.text[left[1] : right[0]].strip() for left, right in pairwise(best)]
    omitted = tuple([text for text in between if any(map(str.isalnum, text))])
    status = QuoteStatus.ELIDED if omitted or parts.elided else QuoteStatus.NORMALISED
    start, end = _with_markup(source.text, best[0][0], best[-1][1])
    return _Found(status, source, start, end, omitted, _what_is_hidden(omitted))


def _chain(
    first: tuple[int, int], following: Sequence[Sequence[tuple[int, int]]], limits: Sequence[int]
) -> list[tuple[int, int]] | None:
    """From a place of the first part on, the nearest place of each part after it; None if one is missing or too far off."""
    chain = [first]
    for places, limit in zip(following, limits, strict=True):
        end = chain[-1][1]
        at = bisect_left(places, (end, end))
        if at == len(places) or places[at][0] - end > limit:
            return None
        chain.append(places[at])
    return chain


def _what_is_hidden(omitted: Sequence[str]) -> str:
    """The negations and figures among the words left out, as a sentence; empty if there are none."""
    text = " … ".join(omitted)
    hidden = [*negations(text), *_FIGURE.findall(text)]
    return f"the omission hides {', '.join(dict.fromkeys(hidden))}" if hidden else ""


_FIGURE = pattern(r"\d+(?:[.,]\d+)*")


def _with_markup(text: str, start: int, end: int) -> tuple[int, int]:
    """The place with the markup of which it holds the other half: ``**shall** be`` begins before the stars."""
    opening = _OPENING.search(text, max(0, start - 3), start)
    if opening:
        closes = text.find("](" if opening[0] == "[" else opening[0], start, end)
        if closes >= 0 and not text[closes - 1].isspace() and "[" not in text[start:closes]:
            start = opening.start()
    closing = _CLOSING.match(text, end)
    if closing:
        opens = text.rfind("[" if closing[0][0] == "]" else closing[0], start, end)
        if opens >= 0 and (opens == start or not text[opens - 1].isalnum()) and "](" not in text[opens:end]:
            end = closing.end()
    return start, end


_OPENING = pattern(r"(?:\*{1,3}|_{1,3}|`{1,3}|\[)\Z")
_CLOSING = pattern(r"\*{1,3}|_{1,3}|`{1,3}|\]\([^()\s]{0,400}\)")


def _as_quote(quote: str, found: _Found) -> Quote:
    span = Span(found.start, found.end)
    document_span = _document_span(found.source, span)
    return Quote(quote, None, found.source.label, found.status, span, document_span, found.omitted, found.detail)


def _document_span(source: SourceText, span: Span) -> Span | None:
    """The place in the document: from the first to the last of its characters that stand there."""
    held = [
        (origin + max(span.start, start) - start, origin + min(span.end, end) - start)
        for start, end, origin in source.pieces
        if start < span.end and span.start < end
    ]
    return Span(min(at for at, _ in held), max(end for _, end in held)) if held else None


def _stands_whole(source: SourceText, start: int, end: int) -> bool:
    return is_whole(source.text, start, end) and not _crosses_gap(source, start, end)


def _crosses_gap(source: SourceText, start: int, end: int) -> bool:
    return any(gap.start < end and start < gap.end for gap in source.gaps)


# ---------------------------------------------------------------- what is said of one that stands nowhere


def _what_differs(wanted: _Wanted, sources: Sequence[SourceText]) -> str:
    """A sentence that names the passage with the most words of the quotation in its order, and the first differences."""
    if not wanted.folded:
        return "there are no words in it"
    words = wanted.folded[0].split()[:_WORDS_COMPARED]
    places: dict[str, list[int]] = {}
    for at, word in enumerate(words):
        places.setdefault(word, []).append(at)
    best: tuple[int, int, list[str], str] = (0, 0, [], "")
    for source in sources:
        there = fold_passage(source.text, wanted.references).text.replace(ROW_END, " ").split()
        offsets = Counter([at - place for at, word in enumerate(there) for place in places.get(word, ())[:_PLACES_COMPARED]])
        if offsets and (hit := max(offsets.items(), key=_most_words_then_first))[1] > best[0]:
            best = (hit[1], hit[0], there, source.label)
    shared, offset, there, label = best
    if shared < max(2, len(words) * 2 // 5):
        return "nothing like it stands in " + (", ".join([source.label for source in sources]) or "any passage")
    window = there[max(0, offset - 2) : max(0, offset) + len(words) + 3]
    codes = SequenceMatcher(None, words, window, autojunk=False).get_opcodes()
    while codes and codes[0][0] == "insert":
        codes = codes[1:]
    while codes and codes[-1][0] == "insert":
        codes = codes[:-1]
    differences = [
        _difference(" ".join(words[start:end]), " ".join(window[there_start:there_end]))
        for code, start, end, there_start, there_end in codes
        if code != "equal"
    ]
    return f"nearest in {label}: " + "; ".join(differences[:3] or ["the words stand there, but not as one text"])


_WORDS_COMPARED = 80
_PLACES_COMPARED = 4


def _most_words_then_first(item: tuple[int, int]) -> tuple[int, int]:
    return item[1], -item[0]


def _difference(said: str, stands: str) -> str:
    if not stands:
        return f"“{said[:80]}” is not there"
    return f"“{stands[:80]}” is left out" if not said else f"“{said[:80]}” is “{stands[:80]}” there"


# ---------------------------------------------------------------- the quotations of an answer


def check_quotes(
    answer: str,
    claims: Sequence[Claim],
    sources: Mapping[str, SourceText],
    settings: CitationSettings,
    *,
    citations: Sequence[Citation] = (),
    skip: Sequence[Span] = (),
    question: str = "",
) -> tuple[Quote, ...]:
    """Every quotation of the answer in its order, located in what it cites.

    A quotation cites the marks directly behind it (found among ``citations``), else those of its ``claims``, else those of the
    claim before that introduces it. Quoted words that may be a term, a name or a title are left out unless they stand where they
    should; so are words from the ``question``. Nothing within ``skip`` (code) opens a quotation.
    """
    if settings.quotes == "ignore":
        return ()
    asked = {"question": SourceText("question", question)} if question else {}
    explained = 0
    located: dict[tuple[str, tuple[str, ...]], Quote] = {}
    quotes: list[Quote] = []
    for text, span in find_quotes(answer, skip):
        cited = _cited_by(answer, span, claims, citations)
        key = text, cited
        if key not in located:
            located[key] = _located(_BLOCK_PREFIX.sub("\n", text), sources, cited, explained=explained < _MOST_EXPLAINED)
            explained += located[key].status is QuoteStatus.NOT_FOUND
        found = with_cut(replace(located[key], text=text, span=span), _beside(answer, span, claims), sources)
        holds = found.status not in (QuoteStatus.NOT_FOUND, QuoteStatus.MISATTRIBUTED)
        if holds or (is_quotation(text) and _located(text, asked, (), explained=False).status is QuoteStatus.NOT_FOUND):
            quotes.append(found)
    return tuple(quotes)


def with_cut(quote: Quote, own_words: str, sources: Mapping[str, SourceText]) -> Quote:
    """The quotation as one with an omission, if a negation beside it was cut off that the words around it do not give.

    ``own_words`` are what the statement says beside the quotation.
    """
    if quote.source_span is None or quote.label is None or quote.status not in _IN_ONE_PLACE:
        return quote
    cut = cut_negation(sources[quote.label].text, quote.source_span.start, quote.source_span.end)
    if not cut or negations(own_words):
        return quote
    detail = f"it was cut off beside “{cut}”"
    return replace(quote, status=QuoteStatus.ELIDED, omitted=(*quote.omitted, cut), detail=detail)


def _beside(answer: str, span: Span, claims: Sequence[Claim]) -> str:
    """What the claim says beside the quotation at that place."""
    at = bisect_left(claims, span.start, key=_end_of)
    begin = min(claims[at].span.start, span.start) if at < len(claims) else 0
    end = max(claims[at].span.end, span.end) if at < len(claims) else len(answer)
    return f"{answer[begin : span.start]} {answer[span.end : end]}"


_IN_ONE_PLACE = frozenset([QuoteStatus.EXACT, QuoteStatus.NORMALISED, QuoteStatus.ELIDED])
_MOST_EXPLAINED = 20  # quotations of one answer for which the nearest text is looked for


def quote_holds(quote: Quote) -> bool:
    """Whether a quotation stands where it should, and no omission hides a negation or a figure."""
    if quote.status is QuoteStatus.ELIDED:
        return not quote.detail
    return quote.status in (QuoteStatus.EXACT, QuoteStatus.NORMALISED, QuoteStatus.AMBIGUOUS)


def _cited_by(answer: str, span: Span, claims: Sequence[Claim], citations: Sequence[Citation]) -> tuple[str, ...]:
    """The labels that a quotation cites, in their order; empty if it cites nothing."""
    labels: list[str] = []
    end = span.end
    for at in range(bisect_left(citations, span.start, key=_start_of), len(citations)):
        mark = citations[at]
        if mark.span.start >= span.end and not _BEFORE_MARK.fullmatch(answer, end, mark.span.start):
            break
        labels += mark.labels
        end = max(end, mark.span.end)
    first = bisect_left(claims, span.start, key=_end_of)
    if not labels:
        quoted_in = range(first, bisect_left(claims, span.end, key=_start_of))
        labels = [label for at in quoted_in for label in claims[at].labels]
    if not labels and first > 0 and not _PARAGRAPH.search(answer, claims[first - 1].span.end, span.start):
        labels += claims[first - 1].labels if claims[first - 1].text.rstrip(" *_").endswith(":") else ()
    return tuple(dict.fromkeys(labels))


_BEFORE_MARK = pattern(r"[\s\"”“»«’‘'」』›*_.,;:!?。)]{0,8}")
_BLOCK_PREFIX = pattern(r"\n[^\S\n]{0,8}>[^\S\n]?")
_PARAGRAPH = pattern(r"\n[^\S\n]*\n[^\S\n]*(?!>)\S")


def _start_of(part: Citation | Claim) -> int:
    return part.span.start


def _end_of(claim: Claim) -> int:
    return claim.span.end
