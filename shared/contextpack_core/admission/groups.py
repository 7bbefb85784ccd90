"""Finds the groups of candidates of which each is to have its share of the budget: what a question compares, and its parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from contextpack_core.admission.worth import Match
from contextpack_core.questions.parts import entities_in, name_key, narrowing, parts_of
from contextpack_core.values import Candidate, Source

WorthTo = Callable[[Match], Sequence[float]]


def worth_to_parts(
    candidates: Sequence[Candidate], query: str, worth_to: WorthTo, nearness: Sequence[float] | None = None
) -> list[Sequence[float]]:
    """For each part of the question what each candidate is worth to it; [] where it has one part. ``nearness`` is that of each
    candidate to the whole question by vectors."""
    texts = [candidate.text for candidate in candidates]
    return [worth_to(Match(part, texts, nearness)) for part in parts_of(query)]


def compared_groups(
    candidates: Sequence[Candidate], query: str, worth_to: WorthTo, by: str | None, names: Sequence[str]
) -> list[list[int]]:
    """The places of the candidates of each thing that is compared, those first that are worth most to the question about it alone.

    With ``by`` a group is a value of that source field or metadata key: one of ``names`` if there are any, else one that the
    question names if it names two, else any. Without it a group is one of ``names``, else what the question names, and its
    candidates are those that name it: a candidate that names two is in both groups.
    """
    groups = _by_value(candidates, by, names, query) if by is not None else _by_name(candidates, names, query)
    texts = [candidate.text for candidate in candidates]
    keeping = narrowing(query, groups)
    questions = {name: keeping(name) for name in groups}
    worth = {question: worth_to(Match(question, texts)) for question in dict.fromkeys(questions.values())}
    return [best_first(members, worth[questions[name]]) for name, members in groups.items()]


def _by_value(candidates: Sequence[Candidate], by: str, names: Sequence[str], query: str) -> dict[str, list[int]]:
    groups: dict[str, list[int]] = {}
    for i, candidate in enumerate(candidates):
        if (value := group_of(candidate, by)) is not None:
            groups.setdefault(value, []).append(i)
    wanted = {name_key(name) for name in names or entities_in(query, groups)}
    named = {value: members for value, members in groups.items() if name_key(value) in wanted}
    return named if names or len(named) > 1 else groups


def group_of(candidate: Candidate, by: str) -> str | None:
    """The value that names the candidate's group: a field of its source, or else a metadata key."""
    value = getattr(candidate.source, by) if by in Source.__dataclass_fields__ else candidate.metadata.get(by)
    return None if value is None or value == "" else str(value)


def _by_name(candidates: Sequence[Candidate], names: Sequence[str], query: str) -> dict[str, list[int]]:
    """The candidates whose document, title or section names it, and those whose text does where there are none of these."""
    heads = [_head(candidate.source) for candidate in candidates]
    groups = {}
    for name in names or entities_in(query):
        key = name_key(name)
        members = [i for i, head in enumerate(heads) if _holds(head, key)]
        groups[name] = members or [i for i, candidate in enumerate(candidates) if _holds(name_key(candidate.text), key)]
    return groups


def _head(source: Source) -> str:
    return name_key(" ".join([part for part in (source.doc_id, source.family, source.title, source.section) if part]))


def _holds(text: str, key: str) -> bool:
    """Whether a text holds a name on word borders; scripts without blanks have none."""
    at = text.find(key) if key else -1
    while at >= 0:
        before, after = text[at - 1 : at] if at else "", text[at + len(key) : at + len(key) + 1]
        if not (key.isascii() and (before.isalnum() or after.isalnum())):
            return True
        at = text.find(key, at + 1)
    return False


def best_first(places: Sequence[int], worth: Sequence[float]) -> list[int]:
    """The places of those first that are worth most."""
    return sorted(places, key=lambda i: (-worth[i], i))
