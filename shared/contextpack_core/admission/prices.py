"""What texts cost in tokens: counted where it has to be, else estimated by what was counted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from contextpack_core.passages import GAP_MARK
from contextpack_core.values import Candidate, Passage


@dataclass(frozen=True, slots=True)
class Cost:
    """What passages cost: ``render`` lays them out as the prompt will, ``count`` counts that text as one string."""

    count: Callable[[str], int]
    render: Callable[[Sequence[Passage]], str]

    def __call__(self, passages: Sequence[Passage]) -> int:
        return self.count(self.render(passages)) if passages else 0


AT_FIRST = 0.18  # tokens for each unit of size, until some have been counted


class Prices:
    """The prices of candidates, each by its place in the list, and of other texts. Each count teaches ``rate``, the tokens for each
    unit of size. ``envelope`` and ``mark`` are the tokens of what surrounds a passage and of what stands for a gap; ``alone`` has
    what candidates cost as passages of their own, where that was counted."""

    def __init__(self, candidates: Sequence[Candidate], cost: Cost) -> None:
        self._candidates, self._cost = candidates, cost
        self.rate = AT_FIRST
        self.envelope, self.mark = 0, 0
        self.alone: dict[int, int] = {}
        self._tokens, self._size = 0.0, 0.0  # of all texts that were counted
        self._counted: dict[str, int] = {}
        self._sizes: dict[int, float] = {}

    def anew(self) -> Prices:
        """Prices that have learned nothing yet, and count no text twice."""
        prices = Prices(self._candidates, self._cost)
        prices._counted, prices._sizes = self._counted, self._sizes
        return prices

    def learn_envelope(self, i: int, passage: Passage) -> None:
        """Learn from one candidate, and the passage that it makes, what the envelope of a passage costs."""
        bare = self.count(self._candidates[i].text, self.size_of(i))
        self.alone[i] = self._cost([passage])
        self.envelope = max(0, self.alone[i] - bare)
        self.mark = self._cost.count(GAP_MARK)

    def learn(self, tokens: float, size: float) -> None:
        """Let the rate follow from a text of that size that has so many tokens."""
        self._tokens += max(0.0, tokens)
        self._size += size
        if self._tokens > 0 < self._size:
            self.rate = self._tokens / self._size

    def count(self, text: str, size: float) -> int:
        """The tokens of a text; the rate follows."""
        tokens = self._counted.get(text)
        if tokens is None:
            tokens = self._counted[text] = self._cost.count(text) if text else 0
        self.learn(tokens, size)
        return tokens

    def of(self, i: int) -> int:
        """What the candidate costs as a passage of its own, counted."""
        if i not in self.alone:
            self.alone[i] = self.count(self._candidates[i].text, self.size_of(i)) + self.envelope
        return self.alone[i]

    def size_of(self, i: int) -> float:
        """The size of the candidate's text."""
        size = self._sizes.get(i)
        if size is None:
            size = self._sizes[i] = size_of(self._candidates[i].text)
        return size

    def per_character(self) -> float:
        """The tokens for each character of the candidates that were looked at."""
        chars = sum([len(self._candidates[i].text) for i in self._sizes])
        return self.rate * sum(self._sizes.values()) / max(1, chars) if self._sizes else self.rate


_PLAIN = bytes([*range(ord("A"), ord("Z") + 1), *range(ord("a"), ord("z") + 1), ord(" "), *range(128, 256)])


def size_of(text: str) -> float:
    """About how large a text is for a tokenizer: bytes of UTF-8, of which figures and marks cost more than letters."""
    encoded = text.encode("utf-8", "surrogatepass")
    return len(encoded) + 4.5 * len(encoded.translate(None, _PLAIN))
