"""What a candidate is worth to the question, before its price: the strategies of the budget, and the weights they stand on."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from pydantic import Field

from contextpack_core.settings import Settings
from contextpack_core.values import Candidate, Joins


class Weights(Settings):
    """What counts how much in the strategy ``weighted``."""

    relevance: float = Field(1.0, ge=0)
    """The rank."""
    match: float = Field(0.5, ge=0)
    """Share of the question's words in the text."""
    novelty: float = Field(0.3, ge=0)
    """Share of words that no better candidate has."""
    authority: float = Field(0.3, ge=0)
    """The source's own authority, 0 to 1."""


SIGNALS = {
    "rank": -0.9,  # the logarithm of the rank
    "match": 7.6,  # the share of the question's words that stand in the text, rare ones counting more
    "match_squared": -3.3,
    "semantic": 4.0,  # the cosine with the question, where there are vectors
    "document": 1.3,  # the best relevance in the same document
    "neighbours": 3.0,  # the relevance of the candidates that it hangs together with, the less the farther off
    "sentence": 1.0,  # the share of the question's words in the sentence itself
    "around": 1.0,  # the same for the sentence and its two neighbours
    "rank_alone": -1.15,  # the rank in the strategy ``rank``, where nothing else speaks
}
"""What speaks for a candidate, as log odds: fitted by logistic regression on half of the labelled questions of two sets, rounded;
then ``rank``, ``document``, ``neighbours`` and ``semantic`` by trial on that half (tests/benchmarks/README.md). Relevance is what
rank, match and vectors make of the odds, as a share of the best candidate's.
``sentence`` and ``around`` order the sentences of candidates that do not fit whole."""


class Match:
    """How much of a question texts hold, by the beginnings of its words; a word counts more the fewer of the texts have it."""

    def __init__(self, question: str, texts: Iterable[str], nearness: Sequence[float] | None = None) -> None:
        self._low = low = [text.lower() for text in texts]
        self._held: list[list[tuple[str, int]]] = [[] for _ in low]  # the words in each text, each with its bit
        self._rarities: list[float] = []
        shares = [0.0] * len(low)
        for term in terms_of(question):
            holders = [i for i, text in enumerate(low) if term in text]
            if len(term) <= _SHORT_WORD:
                holders = [i for i in holders if _stands_alone(term, low[i])]
            if holders:  # what no text has tells nothing
                rarity = math.log(1 + (len(low) - len(holders) + 0.5) / (len(holders) + 0.5))  # Robertson and Spärck Jones
                word = term, 1 << len(self._rarities)
                self._rarities.append(rarity)
                for i in holders:
                    shares[i] += rarity
                    self._held[i].append(word)
        self._whole = sum(self._rarities) or 1.0
        self._shares: dict[int, float] = {0: 0.0}
        self.shares = [share / self._whole for share in shares]
        """The share of each of the texts, between 0 and 1."""
        self.nearness = nearness or [0.0] * len(low)
        """How near each of the texts is to the question by vectors, -1 to 1; 0 without vectors."""

    def found(self, i: int, stretches: Iterable[tuple[int, int]]) -> list[int]:
        """For stretches of the text ``i`` the words of the question that stand there, a bit for each."""
        low, held = self._low[i], self._held[i]
        found = []
        for start, end in stretches:
            part, bits = low[start:end], 0
            for term, bit in held:
                if term in part and (len(term) > _SHORT_WORD or _stands_alone(term, part)):
                    bits |= bit
            found.append(bits)
        return found

    def share_of(self, found: int) -> float:
        """The share of words with these bits, between 0 and 1."""
        share = self._shares.get(found)
        if share is None:
            held = [rarity for at, rarity in enumerate(self._rarities) if found >> at & 1]
            share = self._shares[found] = sum(held) / self._whole
        return share


_WORD = re.compile(r"[^\W_]+")
_SHORT_WORD = 3  # characters up to which a word has to stand alone
_STEM = 0.6  # share of a longer word that has to stand there: endings differ
_UNSPACED = re.compile("[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_EMPTY = frozenset(
    """
    a an and any are as at be been but by can could did do does for from had has have he her him his how i if in into is it its
    just me my no not of on or our out she should so some such than that the their them then there these they this those to us
    was we were what when where which who whom whose why will with would you your
    aber als am an auch auf aus bei bin bis das dass dem den der des die doch ein eine einem einen einer eines er es für hat
    haben ich ihr im in ist kann man mit nach nicht noch nur ob oder sich sie sind so um und uns unter vom von vor wann war
    warum was wegen welche welcher welches wenn wer werden wie wird wo zu zum zur über
    au aux avec ce ces cette comment dans de des du elle en est et il ils je la le les leur mais ne nous on ou où par pas pour
    pourquoi quand que quel quelle quelles quels qui quoi sa sans se ses son sont sur un une vous
    al como con cual cuando cuál cuándo cuánto cuáles cómo del donde dónde el ella en es esta este la las lo los más no para
    pero por porque que quién qué se si sin sobre son su sus un una y
    che chi come con cosa da dei del della di dove e gli ha i il in la le lo nel non o per perché quale quali quando quanto sono
    su un una è
    com da das do dos em não na no o os onde para pelo por qual quais quando quem se um uma
    aan dat de een en er het hoe in is met niet of om op te van voor waar wanneer wat wie zijn
    """.split()
)
"""Words that say nothing about what a question is after, in the languages of Western Europe."""


def terms_of(question: str) -> tuple[str, ...]:
    """What to look for in texts: the beginnings of the question's words; of unspaced scripts, each two neighbouring characters."""
    terms: dict[str, None] = {}
    for word in _WORD.findall(question.lower()):
        if _UNSPACED.search(word):
            terms.update(dict.fromkeys([word[at : at + 2] for at in range(max(1, len(word) - 1))]))
        elif len(word) > 1 and word not in _EMPTY:
            terms[word[: max(_SHORT_WORD + 1, math.ceil(len(word) * _STEM))]] = None
    return tuple(terms)


def coverage_of(question: str, texts: Iterable[str]) -> float | None:
    """The share of the question's words of which the beginning stands in one of the texts; None if it has no such words."""
    terms, low = terms_of(question), [text.lower() for text in texts]
    return sum([any(_holds(text, term) for text in low) for term in terms]) / len(terms) if terms else None


def _holds(low: str, term: str) -> bool:
    """Whether the term stands in a text in lower case."""
    return term in low and (len(term) > _SHORT_WORD or _stands_alone(term, low))


def _stands_alone(term: str, low: str) -> bool:
    """Whether a short word stands there as a word; a pair of characters of an unspaced script always does."""
    if _UNSPACED.match(term):
        return True
    at = low.find(term)
    while at >= 0:
        end = at + len(term)
        if not (at and low[at - 1].isalnum()) and not (end < len(low) and low[end].isalnum()):
            return True
        at = low.find(term, at + 1)
    return False


# ---- strategies: log odds for each candidate, which come best first

Strategy = Callable[[Sequence[Candidate], Joins, Match, Weights], list[float]]


def by_evidence(candidates: Sequence[Candidate], joins: Joins, match: Match, weights: Weights) -> list[float]:
    """The rank and the match with the question, and vectors if there are any; and what all these say of others near by.

    Scores are not looked at: what they add to the rank was measured to be nothing, and scores of two retrievers do not compare.
    """
    own = _own(match)
    highest = max(own, default=0.0)
    relevance = [math.exp(value - highest) for value in own]
    best: dict[str, float] = {}
    for candidate, value in zip(candidates, relevance, strict=True):
        best[candidate.source.doc_id] = max(value, best.get(candidate.source.doc_id, 0.0))
    chains = _chains(candidates, joins)
    nearby = _nearby(chains, candidates, joins, relevance)
    worth = [
        value + SIGNALS["document"] * best[candidate.source.doc_id] + SIGNALS["neighbours"] * beside
        for candidate, value, beside in zip(candidates, own, nearby, strict=True)
    ]
    for chain in chains:
        most = worth[max(chain, key=lambda i: (own[i], -i))]
        for i in chain:
            worth[i] = min(worth[i], most)  # what speaks for others comes in before them
    return worth


def _own(match: Match) -> list[float]:
    """What rank, match and vectors say for each candidate by itself."""
    return [
        SIGNALS["rank"] * math.log(at) + (SIGNALS["match"] + SIGNALS["match_squared"] * share) * share + SIGNALS["semantic"] * near
        for at, (share, near) in enumerate(zip(match.shares, match.nearness, strict=True), 1)
    ]


def _chains(candidates: Sequence[Candidate], joins: Joins) -> list[list[int]]:
    """The places of the candidates that hang together, chain by chain."""
    at = {candidate.id: i for i, candidate in enumerate(candidates)}
    return [[at[name] for name in chain] for chain in joins.chains]


_FADES = 800  # characters over which what a text near by says for another one falls to 0.37: a paragraph or two


def _nearby(
    chains: Sequence[Sequence[int]], candidates: Sequence[Candidate], joins: Joins, relevance: Sequence[float]
) -> list[float]:
    """For each candidate the relevance of the others in its chain, each the less the farther off its middle is."""
    nearby = [0.0] * len(candidates)
    for chain in chains:
        fading = [math.exp(-_distance(candidates[left], candidates[right], joins) / _FADES) for left, right in pairwise(chain)]
        for order, fades in ((chain, fading), (chain[::-1], fading[::-1])):
            carried = 0.0
            for (before, i), fade in zip(pairwise(order), fades, strict=True):
                carried = (carried + relevance[before]) * fade
                nearby[i] += carried
    return nearby


def _distance(left: Candidate, right: Candidate, joins: Joins) -> float:
    """The characters from the middle of one text to that of the text that goes on from it."""
    join = joins.between[left.id, right.id]
    return (len(left.text) + len(right.text)) / 2 + len(join.glue) - join.overlap


def by_rank(candidates: Sequence[Candidate], joins: Joins, match: Match, weights: Weights) -> list[float]:
    """The rank alone."""
    return [SIGNALS["rank_alone"] * math.log(at) for at in range(1, len(candidates) + 1)]


def by_weights(candidates: Sequence[Candidate], joins: Joins, match: Match, weights: Weights) -> list[float]:
    """Relevance, match, novelty and authority, each between 0 and 1, as much as the settings say."""
    seen: set[str] = set()
    worth = []
    for at, (candidate, share) in enumerate(zip(candidates, match.shares, strict=True)):
        words = set(candidate.text.lower().split())
        novelty = len(words - seen) / len(words) if words else 0.0
        seen |= words
        value = weights.relevance * (at + 1) ** -0.5 + weights.match * share
        value += weights.novelty * novelty + weights.authority * (candidate.source.authority or 0.0)
        worth.append(math.log(max(value, 1e-9)))
    return worth


STRATEGIES: dict[str, Strategy] = {"evidence": by_evidence, "rank": by_rank, "weighted": by_weights}
