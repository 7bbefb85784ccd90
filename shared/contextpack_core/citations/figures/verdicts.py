"""What became of each figure of an answer: it stands in what is cited, elsewhere, in an old edition, follows, or stands nowhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cached_property, partial
from itertools import pairwise
from typing import Any, Literal

from contextpack_core.citations.figures.bind import belongs_elsewhere, have_changed_places
from contextpack_core.citations.figures.counts import counted_behind, counted_in
from contextpack_core.citations.figures.derive import Rows, between_dates, derive
from contextpack_core.citations.figures.find import figure_of
from contextpack_core.citations.figures.match import Held, Match, claim_keys, declines, hold, look_up
from contextpack_core.citations.figures.provenance import IN_HEADER, Header
from contextpack_core.citations.figures.quantity import Quantity
from contextpack_core.citations.figures.rates import period_of, rate_of, rates_agree
from contextpack_core.citations.figures.rows import Row, cell_of, lines_of
from contextpack_core.citations.figures.scan import scan
from contextpack_core.citations.figures.tables import EXACT
from contextpack_core.citations.values import Claim, Figure, FigureStatus, SourceText
from contextpack_core.citations.verbatim import find_verbatim
from contextpack_core.patterns import pattern
from contextpack_core.values import Span


def check_figures(
    answer: str,
    claims: Sequence[Claim],
    sources: Mapping[str, SourceText],
    *,
    question: str = "",
    stale: Sequence[SourceText] = (),
    where: Literal["cited", "any", "ignore"] = "cited",
    skip: Sequence[Span] = (),
    locale: str | None = None,
) -> tuple[Figure, ...]:
    """The figures of the answer, each with what became of it, in order.

    A figure is looked for in the passages that its claim cites (with ``where="any"``, or where the claim cites nothing, in all),
    then, if it is a date, a year or a number without a unit, in what their headers say (edition, days, page), then in texts of
    dropped editions (``stale``), in the question, among results of arithmetic, and in the other passages.
    ``skip`` are spans of the answer that are no prose: citation marks, code. ``locale`` decides what the texts leave open.
    """
    if where == "ignore":
        return ()
    readable = _blanked(answer, skip)
    quantities = scan(readable, locale, True)
    if not quantities:
        return ()
    evidence = _Evidence(readable, sources, stale, question, where == "any", locale)
    found: list[Figure] = []
    for claim, members in _by_claim(quantities, claims, len(answer)):
        judged = _Claimed(claim.span, members, evidence, claim.labels)
        found += [figure_of(quantity, answer, **judged.verdict(index)) for index, quantity in enumerate(members)]
    return tuple(found)


def _by_claim(quantities: Sequence[Quantity], claims: Sequence[Claim], length: int) -> list[tuple[Claim, list[Quantity]]]:
    """The quantities with the claim they stand in, in order; what stands in none belongs to a claim without citations."""
    grouped: list[tuple[Claim, list[Quantity]]] = []
    following = sorted(claims, key=lambda claim: (claim.span.start, claim.span.end))
    at = 0
    for quantity in quantities:
        while at < len(following) and following[at].span.end <= quantity.start:
            at += 1
        claim = following[at] if at < len(following) and following[at].span.start <= quantity.start else None
        if claim is None:
            claim = Claim("", Span(quantity.start, min(quantity.end, length)))
        if not grouped or grouped[-1][0] is not claim:
            grouped.append((claim, []))
        grouped[-1][1].append(quantity)
    return grouped


class _Evidence:
    """What an answer's figures may stand in."""

    def __init__(
        self,
        answer: str,
        sources: Mapping[str, SourceText],
        stale: Sequence[SourceText],
        question: str,
        anywhere: bool,
        locale: str | None,
    ) -> None:
        self.answer = answer
        self.sources, self.stale, self.anywhere, self.locale = sources, stale, anywhere, locale
        self.question = question
        self._headers: dict[str, Header | None] = {}
        self._rows: tuple[tuple[str, ...], Rows] | None = None

    def held(self, label: str) -> Held:
        """The figures of a passage; one that nothing asks for is never read."""
        return hold(self.sources[label].text, self.locale)

    def rows(self, labels: tuple[str, ...]) -> Rows:
        """The rows of these passages; kept until others are asked for, as figures that follow each other mostly cite the same."""
        if self._rows is None or self._rows[0] != labels:
            lines = [(label, lines_of(self.sources[label].text, self.locale)) for label in labels]
            self._rows = labels, Rows([Row(label, line) for label, found in lines for line in found])
        return self._rows[1]

    def header(self, label: str) -> Header | None:
        """What is known of where a passage stands; None for a plain text. Made when a figure stands in no cited text."""
        if label not in self._headers:
            source = self.sources[label].source
            self._headers[label] = None if source is None else Header(source)
        return self._headers[label]

    def cited(self, labels: Sequence[str]) -> tuple[str, ...]:
        """The passages to look in first."""
        if self.anywhere or not labels:
            return tuple(self.sources)
        return tuple([label for label in dict.fromkeys(labels) if label in self.sources])


class _Claimed:
    """The figures of one claim against the evidence."""

    def __init__(self, span: Span, quantities: Sequence[Quantity], evidence: _Evidence, labels: Sequence[str]) -> None:
        self.start, self.quantities, self.evidence = span.start, quantities, evidence
        self.text = evidence.answer[span.start : span.end]
        self.cited = evidence.cited(labels)
        self.says_minus: bool | None = None
        self.others: dict[int, str] = {}
        """What the cited passages have in the same digits but cannot be meant, by where the claim's figure begins."""
        self.matches = [self._best(quantity, self.cited) for quantity in quantities]

    @cached_property
    def scales(self) -> list[float]:
        """The scales that the cited passages state for their tables."""
        return sorted({float(scale) for label in self.cited for scale in self.evidence.held(label).scales})

    def lowered(self) -> bool:
        """Whether claim or question say minus in words."""
        if self.says_minus is None:
            self.says_minus = declines(f"{self.text} {self.evidence.question}")
        return self.says_minus

    @cached_property
    def verbatim(self) -> str | None:
        """The cited passage that has the claim word for word, if one has."""
        text = self.text.replace("\x00", " ")
        return next((label for label in self.cited if find_verbatim(text, self.evidence.sources[label].text) is not None), None)

    def verdict(self, index: int) -> dict[str, Any]:
        """Status, label, derivation and detail of the figure at ``index``. What a passage says word for word has no fault."""
        found = self._verdict(index)
        if found.get("status") in _FAULTS and self.verbatim is not None:
            return {"status": FigureStatus.SUPPORTED, "label": self.verbatim, "exempt": False}
        return found

    def _verdict(self, index: int) -> dict[str, Any]:
        quantity, match = self.quantities[index], self.matches[index]
        if match is not None and match[1].sure and not match[1].rounded:
            if (how := self._inverted(index) or self._misplaced(index, *match)) is not None:
                return {"status": FigureStatus.UNSUPPORTED, "detail": how}
            return {"status": FigureStatus.SUPPORTED, "label": match[0], "detail": match[1].how, "exempt": False}
        if quantity.kind == "identifier":
            return self._name_verdict(quantity)
        if (label := self._in_header(quantity)) is not None:
            return {"status": FigureStatus.SUPPORTED, "label": label, "detail": f"{IN_HEADER} of {label}"}
        if match is None and (other := self.others.get(quantity.start)) is not None:
            return {"status": FigureStatus.UNSUPPORTED, "detail": other}
        if match is not None and not match[1].sure:
            return {"status": FigureStatus.AMBIGUOUS, "label": match[0], "detail": _readings(quantity, match[1])}
        others = tuple([label for label in self.evidence.sources if label not in self.cited])
        elsewhere = self._best(quantity, others)
        if elsewhere is None and (old := self._stale(quantity)) is not None:
            return {"status": FigureStatus.STALE, "detail": old}
        if self.evidence.question and self._is_restated(quantity):
            return {"status": FigureStatus.RESTATED, "detail": "stands in the question"}
        if match is not None:
            return {"status": FigureStatus.DERIVED, "label": match[0], "derivation": match[1].how}
        if (derived := self._derived(quantity) or self._counted(quantity)) is not None:
            return {"status": FigureStatus.DERIVED, "label": derived[0], "derivation": derived[1]}
        if (unscaled := self._unscaled(quantity)) is not None:
            return {"status": FigureStatus.AMBIGUOUS, "label": unscaled[0], "detail": unscaled[1]}
        if elsewhere is not None and elsewhere[1].sure:
            where = f"stands in {elsewhere[0]}, not in what is cited" if self.cited else f"stands in {elsewhere[0]}"
            return {"status": FigureStatus.ELSEWHERE, "label": elsewhere[0], "detail": where}
        return {"status": FigureStatus.UNSUPPORTED, "detail": self._nearest(quantity)}

    def _best(self, quantity: Quantity, labels: Sequence[str]) -> tuple[str, Match] | None:
        """The surest place in these passages, the first of equals."""
        best: tuple[str, Match] | None = None
        for label in labels:
            held = self.evidence.held(label)
            match = look_up(quantity, held, self.lowered, partial(self._agrees, quantity, label, held))
            if match is None:
                continue
            if match.sure and not match.rounded:
                return label, match
            if best is None or (match.sure and not best[1].sure):
                best = label, match
        return best

    def _agrees(self, quantity: Quantity, label: str, held: Held, found: Quantity) -> bool:
        """Whether the figure of a passage may be meant: per the same, not denied, and written alike where it is a version."""
        answer = self.evidence.answer
        rate = held.rate(found)
        rated = not rate or rates_agree(rate, rate_of(quantity, answer))
        denied = _is_denied(found, held.text) and not _is_denied(quantity, answer)
        if rated and not denied and not _are_versions(quantity, answer, found, held.text):
            return True
        self.others.setdefault(quantity.start, f"{label} has “{_with_words(held, found)}”")
        return False

    def _name_verdict(self, quantity: Quantity) -> dict[str, Any]:
        """A name with digits is no claim, unless the passage has another one of its kind."""
        name = str(quantity.value)
        for label in self.cited:
            if _has_name(self.evidence.held(label).text.lower(), name):
                return {"status": FigureStatus.SUPPORTED, "label": label, "exempt": False}
        if (header := self._in_header(quantity)) is not None:
            return {"status": FigureStatus.SUPPORTED, "label": header, "detail": f"{IN_HEADER} of {header}", "exempt": False}
        for label in self.cited if quantity.unit != "passage" else ():
            held = self.evidence.held(label)
            if (indices := held.names.get(quantity.unit or "")) is not None:
                shown = _written(held, held.quantities[indices[0]])
                return {"status": FigureStatus.UNSUPPORTED, "exempt": False, "detail": f"{label} has {shown}"}
        return {}

    def _in_header(self, quantity: Quantity) -> str | None:
        """The cited passage whose header says the figure."""
        if quantity.kind not in _HEADER_KINDS:
            return None
        for label in self.cited:
            header = self.evidence.header(label)
            if header is not None and header.has(quantity, self.evidence.answer, self.evidence.locale):
                return label
        return None

    def _inverted(self, index: int) -> str | None:
        """Says so if the passage has the claim's range the other way round, or a range with but one of its ends."""
        side = self.quantities[index].side
        pair = index if side == 1 else index - 1
        if not side or pair < 0 or pair + 1 >= len(self.quantities) or self.quantities[pair + 1].side != 2:
            return None
        low, high = self.quantities[pair], self.quantities[pair + 1]
        if low.readings == high.readings:
            return None
        both = low.kind != "date" and None not in self.matches[pair : pair + 2]
        wrong, ends = None, [False, False]
        for label in self.cited:
            held = self.evidence.held(label)
            for left, right in pairwise(held.quantities):
                if left.side != 1 or right.side != 2 or left.kind != right.kind:
                    continue
                begins, stops = _same(low, left), _same(high, right)
                if begins and stops:
                    return None
                ends = [ends[0] or begins, ends[1] or stops]
                if (both and (begins or stops)) or (_same(low, right) and _same(high, left)):
                    wrong = wrong or f"{label} has the range as {_written(held, left)} to {_written(held, right)}"
        return None if all(ends) else wrong  # from the beginning of one range to the end of the next

    def _misplaced(self, index: int, label: str, match: Match) -> str | None:
        """Says so if the only cited passage with the figure has it for another thing than the claim."""
        quantity, found, held = self.quantities[index], match.found, self.evidence.held(label)
        alike = sum([count for (kind, _), count in held.kinds.items() if kind == found.kind])
        if quantity.kind not in _BOUND_KINDS or alike < 2 or len(self.quantities) > _CROWDED:
            return None
        how = self._for_another_thing(index, label, match)
        if how is None or any(look_up(quantity, self.evidence.held(other), self.lowered) for other in self.cited if other != label):
            return None
        return how

    def _for_another_thing(self, index: int, label: str, match: Match) -> str | None:
        """What the passage has the figure for, if that is another thing than the claim's."""
        quantity, found, held = self.quantities[index], match.found, self.evidence.held(label)
        text, locale = self.evidence.sources[label].text, self.evidence.locale
        rivals = [
            i
            for i, other in enumerate(self.quantities)
            if other.kind in _BOUND_KINDS and (self.matches[i] is not None or self._in_header(other) is None)
        ]
        if len(rivals) == 1:
            right = belongs_elsewhere(self.text, self.start, quantity, found, text, locale)
            if right is None:
                return None
            return f"{label} has {_written(held, right)} for this, and {_written(held, found)} for something else"
        place = rivals.index(index)
        for near in [*rivals[max(0, place - 1) : place], *rivals[place + 1 : place + 2]]:
            other, best = self.quantities[near], self.matches[near]
            if best is None or best[0] != label or (other.kind, other.unit) != (quantity.kind, quantity.unit):
                continue
            if have_changed_places(self.text, self.start, self.quantities, (index, near), text, (found, best[1].found), locale):
                return f"{label} has {_written(held, found)} and {_written(held, best[1].found)} the other way round"
        return None

    def _stale(self, quantity: Quantity) -> str | None:
        """Which dropped edition alone has the figure, and which applied."""
        for old in self.evidence.stale:
            match = look_up(quantity, hold(old.text, self.evidence.locale), self.lowered)
            if match is not None and match.sure and not match.rounded:
                return _old_and_new(old, self.evidence.sources)
        return None

    def _is_restated(self, quantity: Quantity) -> bool:
        match = look_up(quantity, hold(self.evidence.question, self.evidence.locale), self.lowered)
        return match is not None and match.sure and not match.rounded

    def _derived(self, quantity: Quantity, scale: Decimal | None = None) -> tuple[str, str] | None:
        """The label and the arithmetic that give the figure; with ``scale`` if the tables, which state none, are meant in it."""
        evidence = self.evidence
        if len(self.quantities) > _CROWDED:
            return None
        scales = self.scales if scale is None else [float(scale)]
        stated = [other for other, match in zip(self.quantities, self.matches, strict=True) if match is not None and match[1].sure]
        cells = [cell for other in stated if (cell := cell_of(other, evidence.answer)) is not None]
        found = between_dates(quantity, stated) or derive(
            quantity,
            self.text,
            evidence.question,
            lambda: evidence.rows(self.cited),
            scales,
            cells,
            period_of(rate_of(quantity, evidence.answer)),
        )
        if found is None:
            return None
        shown = " ".join(evidence.answer[quantity.start : quantity.end].split())
        return found[0] or self.cited[0], f"{found[1]} = {shown}"

    def _unscaled(self, quantity: Quantity) -> tuple[str, str] | None:
        """Where the figure stands or follows, if a table that states no scale is meant in that of the claim."""
        if quantity.scale == 1 or self.scales or len(self.quantities) > _CROWDED:
            return None
        rows = self.evidence.rows(self.cited).rows
        if sum([row.tabular for row in rows]) < _A_TABLE:
            return None
        value = float(quantity.written[0]) / float(quantity.scale)
        for row in rows:
            for cell in row.cells if row.tabular else ():
                if (
                    abs(abs(cell.value) - abs(value)) <= 1e-9 * abs(value)
                    and not cell.scaled
                    and cell.dimension not in ("percent", "n")
                ):
                    return row.label, f"{row.label} has {cell.text} in a table that states no scale"
        derived = self._derived(quantity, quantity.scale)
        return None if derived is None else (derived[0], f"{derived[1]}, from a table that states no scale")

    def _counted(self, quantity: Quantity) -> tuple[str | None, str] | None:
        """The list whose items the figure counts: behind it in the answer, or in a cited passage under the same word."""
        if quantity.kind != "number" or quantity.doubtful or quantity.value not in _COUNTS:
            return None
        answer = self.evidence.answer
        if (how := counted_behind(answer, quantity.end, int(quantity.written[0]))) is not None:
            return None, how
        for label in self.cited:
            if (
                how := counted_in(
                    self.evidence.sources[label].text, answer[quantity.end : quantity.end + 120], int(quantity.written[0])
                )
            ) is not None:
                return label, how
        return None

    def _nearest(self, quantity: Quantity) -> str:
        """The closest figure of the same kind in the cited passages, as a sentence."""
        best: tuple[Decimal, str] | None = None
        for label in self.cited:
            held = self.evidence.held(label)
            for other in held.quantities:
                if other.kind != quantity.kind:
                    continue
                distance = _distance(quantity, other)
                if best is None or distance < best[0]:
                    best = distance, f"{label} has {_written(held, other)}"
        if best is not None:
            return best[1]
        return "no cited passage has a figure of this kind" if self.cited else "nothing is cited that exists"


_A_TABLE = 3
_CROWDED = 60
"""A claim with more figures is a table in one line; what its figures say of each other would cost the square of their number."""
_COUNTS = frozenset([Decimal(count) for count in range(2, 13)])
_HEADER_KINDS = frozenset(["date", "number", "ordinal", "identifier"])
_BOUND_KINDS = frozenset(["number", "money", "percent", "points", "quantity", "duration"])


def _are_versions(claim: Quantity, answer: str, found: Quantity, text: str) -> bool:
    """Whether two numbers of one value, written differently behind one name, are two versions: Redis 10.4 is not Redis 10.40."""
    if claim.surface == found.surface or claim.unit or found.unit or "." not in claim.surface or "." not in found.surface:
        return False
    names = [_NAME.search(text[max(0, q.start - 40) : q.start]) for text, q in ((answer, claim), (text, found))]
    return bool(names[0] and names[1] and names[0][1].lower() == names[1][1].lower())


def _is_denied(quantity: Quantity, text: str) -> bool:
    """Whether the text says that it is not this figure: "8443, not 443"."""
    ahead = text[max(0, quantity.start - _AHEAD) : quantity.start].rstrip(" $€£").lower()
    return ahead.endswith(_DENYING) and f" {ahead}".endswith(_DENYING_WORDS)


_AHEAD = 16
_DENYING = ("not", "nicht", "instead of", "rather than", "statt")
_DENYING_WORDS = tuple([f"{before}{words}" for words in _DENYING for before in " ,;("])
_NAME = pattern(r"([A-Z][^\W\d_]+) \Z")


def _with_words(held: Held, quantity: Quantity) -> str:
    """The figure with the words behind it, up to the next comma."""
    ahead = held.text[max(0, quantity.start - _AHEAD) : quantity.start].split()
    words = held.text[quantity.start : quantity.end] + _BEHIND.match(held.text, quantity.end)[0]  # type: ignore[index]
    words = f"{ahead[-1]} {words}" if ahead and _is_denied(quantity, held.text) else words
    return " ".join(words.split())


_BEHIND = pattern(r"(?:[ \u00a0/][^\W\d_]{1,30}){0,3}")
_FAULTS = frozenset([FigureStatus.UNSUPPORTED, FigureStatus.STALE, FigureStatus.ELSEWHERE, FigureStatus.AMBIGUOUS])


def _has_name(text: str, name: str) -> bool:
    """Whether the name stands in the lower-case text as a whole or as its first parts: 4.1 is in 4.1.2 and in v4.1, not in 4.10."""
    at = text.find(name)
    while at >= 0:
        before, behind = text[max(0, at - 2) : at], text[at + len(name) : at + len(name) + 1]
        inside = before[-1:].isalnum() and (before[-1] != "v" or before[:-1].isalnum())
        inside = inside or (name[:1].isdigit() and before[-1:] in _PARTS and before[:1].isdigit() and len(before) == 2)
        if not inside and not behind.isalnum():
            return True
        at = text.find(name, at + 1)
    return False


_PARTS = frozenset(".,")


def _same(claim: Quantity, found: Quantity) -> bool:
    return bool(set(claim_keys(claim)) & set(found.readings))


def _distance(quantity: Quantity, other: Quantity) -> Decimal:
    if quantity.readings and other.readings and quantity.readings[0][0] == other.readings[0][0]:
        a, b = quantity.readings[0][1], other.readings[0][1]
        if isinstance(a, Decimal) and isinstance(b, Decimal):
            return EXACT.subtract(a, b).copy_abs()
    return Decimal("Infinity")


def _written(held: Held, quantity: Quantity) -> str:
    return " ".join(held.text[quantity.start : quantity.end].split())


def _readings(quantity: Quantity, match: Match) -> str:
    """What cannot be told apart."""
    keys = quantity.doubtful if quantity.doubtful else match.found.doubtful
    values = dict.fromkeys(
        str(value) for _, value in ((*quantity.readings, *keys) if quantity.doubtful else (*match.found.readings, *keys))
    )
    return "can be read as " + " or as ".join(values)


def _old_and_new(old: SourceText, sources: Mapping[str, SourceText]) -> str:
    """The sentence that names the edition with the figure and the one that applied."""
    mine = old.source
    name = _edition(old)
    if mine is not None and mine.family is not None:
        for label, source in sources.items():
            if source.source is not None and source.source.family == mine.family:
                return f"stands only in {name}; {_edition(source)} applied ({label})"
    return f"stands only in {name}, which was dropped"


def _edition(text: SourceText) -> str:
    source = text.source
    if source is None:
        return text.label
    if source.edition:
        return f"edition {source.edition} of {source.family or source.doc_id}"
    return f"{source.doc_id} (from {source.effective_from.isoformat()})" if source.effective_from else source.doc_id


def _blanked(answer: str, skip: Sequence[Span]) -> str:
    """The answer with the spans to skip made unreadable, each character by one."""
    if not skip:
        return answer
    parts, at = [], 0
    for span in sorted(skip):
        if span.start >= at:
            parts += [answer[at : span.start], "\x00" * (span.end - span.start)]
            at = span.end
    return "".join([*parts, answer[at:]])
