"""Whether the words of a claim stand in a passage just so, but for typography, and whether a negation was cut off at their ends."""

from __future__ import annotations

from contextpack_core.citations.borders import is_whole
from contextpack_core.citations.folding import fold, fold_passage
from contextpack_core.negation import cut_negation


def find_verbatim(text: str, passage: str) -> tuple[int, int] | None:
    """Where the text stands in the passage word for word; None for less than three words and for what stands there nowhere.

    A place at which no negation is cut off comes before one at which one is.
    """
    form = fold(text).text.strip(_ENDS)
    if len(form.split()) < _LEAST_WORDS:
        return None
    folded = fold_passage(passage)
    first = None
    at = folded.text.find(form)
    for _ in range(_MOST_TRIES):
        if at < 0:
            break
        place = folded.source_span(at, at + len(form))
        if place is not None and is_whole(passage, *place):
            first = first or place
            if not cut_negation(passage, *place):
                return place
        at = folded.text.find(form, at + 1)
    return first


_ENDS = " \n.!?;:,\"'“”„‘’«»*_-•"
_LEAST_WORDS = 3
_MOST_TRIES = 20
