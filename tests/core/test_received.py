"""What a retriever handed over, read."""

from __future__ import annotations

import math

import pytest

from contextpack_core import Candidate, CandidateError, Source, read_candidates


def test_every_candidate_has_an_id_of_its_own() -> None:
    """The second of a name gets a number, and never one that was given already."""
    names = ["a", "a#2", "a", "b", "a"]

    assert [c.id for c in read_candidates([{"id": name, "text": "x"} for name in names])] == ["a", "a#2", "a#3", "b", "a#4"]


def test_without_an_id_the_content_names_it() -> None:
    """The same text of the same document has the same id each time, another text another one."""
    first, again, other = [read_candidates([{"text": text, "doc_id": "d"}])[0].id for text in ("one", "one", "two")]

    assert first == again != other


def test_ranks_and_scores_can_be_compared() -> None:
    """A rank that is missing or no number is the position, a score that is no number is none."""
    sound = Candidate("a", "x", Source("d"), rank=7, score=0.5)
    broken = [Candidate(name, "x", Source("d"), rank=rank, score=math.nan) for name, rank in (("b", None), ("c", math.inf))]
    read = read_candidates([sound, *broken])

    assert [(c.id, c.rank, c.score) for c in read] == [("a", 7, 0.5), ("b", 2, None), ("c", 3, None)]
    assert read[0] is sound


def test_what_is_no_candidate_is_named_with_its_place() -> None:
    """The error says which entry it is, and what is wanted."""
    with pytest.raises(CandidateError) as raised:
        read_candidates([{"text": "x"}, "y"])

    assert str(raised.value) == "candidates[1]: str — a Candidate or a mapping is wanted"
