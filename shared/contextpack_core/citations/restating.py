"""Whether a statement restates what a declared claim says: the words that both have, their figures and their negations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from contextpack_core.citations.figures import find_figures
from contextpack_core.citations.lexical import content_words
from contextpack_core.negation import negations
from contextpack_core.patterns import pattern
from contextpack_core.values import Span

_HALF = 0.5
_NEARLY_ALL = 0.75
_SOME = 0.25
_SHORT = 3  # content words


class Said:
    """What a statement or a claim says."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.words = words_of(text)

    def restated_by(self, statement: Said) -> float:
        """How much of each of the two the other has, the sum of both shares; 0.0 where the statement does not restate this claim.

        It restates it where neither share is small and both make one whole: a statement can say less than its claim, or more. One
        that leaves the figures of the claim out has nearly all its words from it: "at any time" is not "within 14 days". Neither
        may have other figures than the other, or deny what the other says.
        """
        of_statement, of_claim = self._shares(statement)
        if min(of_claim, of_statement) < _SOME or of_statement + of_claim < 1 or self._differs(statement, of_statement):
            return 0.0
        return of_statement + of_claim

    def likeness(self, statement: Said) -> float:
        """The share of the words of the shorter one that both have."""
        return max(self._shares(statement))

    def is_behind(self, answer: Said) -> bool:
        """Whether an answer of a few words can rest on this claim: "Yes, it does."; a bare no says nothing of what it denies."""
        of_answer, _ = self._shares(answer)
        if len(answer.words) > _SHORT or (of_answer and self._differs(answer, of_answer)):
            return False
        return bool(of_answer) or _NO.match(answer._text) is not None or not self._contradicts(answer)

    def _shares(self, statement: Said) -> tuple[float, float]:
        """The share of the words of the statement, and that of the words of the claim, that both have."""
        shared = len(self.words & statement.words)
        return shared / max(1, len(statement.words)), shared / max(1, len(self.words))

    def _differs(self, statement: Said, of_statement: float) -> bool:
        leaves_out = bool(self._figures) and not statement._figures and of_statement < _NEARLY_ALL
        return leaves_out or self._contradicts(statement)

    def _contradicts(self, other: Said) -> bool:
        if self._denies != other._denies:
            return True
        kinds = self._figures.keys() & other._figures.keys()
        return any(self._figures[kind].isdisjoint(other._figures[kind]) for kind in kinds)

    @cached_property
    def _denies(self) -> bool:
        return bool(negations(_BOUND.sub(" ", self._text)))

    @cached_property
    def _figures(self) -> dict[tuple[str, str | None], set[str]]:
        """The values by kind and unit."""
        found: dict[tuple[str, str | None], set[str]] = {}
        for figure in find_figures(self._text):
            if not figure.exempt:
                found.setdefault((figure.kind, figure.unit), set()).add(str(figure.value))
        return found


def words_of(text: str) -> set[str]:
    """The stems of its content words, and its numbers."""
    return {*content_words(text), *_NUMBER.findall(text)}


def clauses(text: str, within: Span) -> Iterator[Span]:
    """The parts of a statement between which stands "and", "but" or a semicolon; and of those the parts between commas and dashes
    that are clauses of their own: they have a verb, and hang on no other.
    """
    for part in _split(text, within, _JOINT):
        yield part
        for clause in _split(text, part, _PAUSE):
            if clause != part and _VERB.search(text, clause.start, clause.end) and not _HANGS.match(text, clause.start, clause.end):
                yield clause


def is_of(clause: set[str], words: set[str], more_than_half: bool = False) -> bool:
    """Whether a clause says nothing of its own beside these words: half of its words are among them, or it is but one word."""
    shared = len(clause & words)
    return len(clause) < 2 or shared > len(clause) * _HALF or (shared == len(clause) * _HALF and not more_than_half)


def _split(text: str, within: Span, joints: re.Pattern[str]) -> Iterator[Span]:
    start = within.start
    for joint in joints.finditer(text, within.start, within.end):
        yield Span(start, joint.start())
        start = joint.end()
    yield Span(start, within.end)


_NUMBER = pattern(r"\d+")
_NO = pattern(r"\W{0,4}(?:no|nein|non|não|nee|нет|不|否|没有)\s?(?:[,.;:!，。！]|\Z)", re.IGNORECASE)
_BOUND = pattern(
    r"\b(?:no (?:more|less|fewer|later|earlier|longer) than|not (?:only|just)|nicht nur|nicht mehr als|pas plus de|no solo"
    r"|no más de)\b",
    re.IGNORECASE,
)
_JOINT = pattern(
    r"[;；]|[,，]?\s(?:and|but|while|whereas|although|though|obwohl|bien que|aunque"
    r"|und|aber|sondern|während|et|mais|tandis que|y|e|pero|mientras que)\s"
    r"|[,，](?:而|但|并|且)",
    re.IGNORECASE,
)
_PAUSE = pattern(r"[,，–—]|\s-\s")
_VERB = pattern(
    r"\b(?:is|are|was|were|has|have|does|do|can|may|must|will|ist|sind|hat|haben|kann|muss|wird|werden|gilt|est|sont|ont|peut|doit"
    r"|es|son|está|hay|puede|debe)\b|[是不为可]",
    re.IGNORECASE,
)
_HANGS = pattern(
    r"\W{0,4}(?:(?:if|as|when|where|unless|once|provided|according|under|which|who|that|whose|since|because|so|yes|no|wenn|falls"
    r"|sofern|weil|nach|laut|gemäß|wie|da|dass|die|der|das|also|si|selon|comme|lorsque|qui|que|donc|según|como|cuando|porque)\b"
    r"|如果|根据|因为|所以)",
    re.IGNORECASE,
)
