from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from contextpack_core import Candidate, Source
from contextpack_core.editions.inference import infer_families
from contextpack_core.likeness import Likeness

TEXT = "You may cancel the contract with {} within {} days after you received it, in writing, by letter or by electronic mail."


def candidate(number: int, text: str = "", **source: Any) -> Candidate:
    return Candidate(f"c{number}", text or TEXT.format("us", 10 + number), Source(**({"doc_id": f"{number:08x}"} | source)))


def families(*candidates: Candidate) -> list[list[str]]:
    """The ids of the candidates of each family."""
    found, _ = infer_families(candidates)
    groups: dict[str, list[str]] = {}
    for c in found:
        if c.source.family:
            groups.setdefault(c.source.family, []).append(c.id)
    return list(groups.values())


D1, D2 = date(2024, 1, 1), date(2025, 1, 1)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"doc_id": "docs/v1.29/cancel.md"}, {"doc_id": "docs/v1.30/cancel.md"}),
        (
            {"doc_id": "a", "uri": "https://example.org/docs/7.0/cancel"},
            {"doc_id": "b", "uri": "https://example.org/docs/7.2/cancel"},
        ),
        ({"title": "Lyft terms, version 3"}, {"title": "Lyft Terms, Version 4"}),
        ({"title": "Gym contract (2nd edition)"}, {"title": "Gym contract (3rd edition)"}),
        ({"title": "Gym contract 2024"}, {"title": "Gym contract 2025"}),
        ({"title": "Gym contract, March 2024"}, {"title": "Gym contract, May 2025"}),
        ({"title": "Gym contract", "effective_from": D1}, {"title": "Gym contract", "effective_from": D2}),
        ({"title": "Gym contract", "edition": "A"}, {"title": "Gym contract", "edition": "B"}),
        ({"doc_id": "gym/contract-2024-01-01.pdf"}, {"doc_id": "gym/contract-2025-01-01.pdf"}),
    ],
)
def test_recognises_editions(one: dict[str, Any], other: dict[str, Any]) -> None:
    """Titles or paths that differ in version or date, or one title with two dates, name editions of one document."""
    assert families(candidate(1, **one), candidate(2, **other)) == [["c1", "c2"]]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({}, {}),
        ({"title": "Gym contract"}, {"title": "Gym contract"}),
        ({"title": "Gym contract 2024"}, {"title": "Pool contract 2025"}),
        ({"title": "Terms of Service", "effective_from": D1}, {"title": "Terms of Service", "effective_from": D2}),
        ({"title": "Privacy Policy 2024"}, {"title": "Privacy Policy 2025"}),
        ({"title": "User manual 1.0"}, {"title": "User manual 2.0"}),
        ({"title": "Gym annual report 2024"}, {"title": "Gym annual report 2025"}),
        ({"doc_id": "gym/minutes-2024-01.md"}, {"doc_id": "gym/minutes-2024-02.md"}),
        ({"doc_id": "docs/v1/cancel.md"}, {"doc_id": "docs/v2/withdraw.md"}),
        ({"title": "Gym contract 2024", "doc_id": "de/gym.md"}, {"title": "Gym contract 2025", "doc_id": "at/gym.md"}),
        ({"title": "Model 3 contract", "effective_from": D1}, {"title": "Model 5 contract", "effective_from": D2}),
        ({"title": "Gym contract 2024", "family": "x"}, {"title": "Gym contract 2025", "family": "y"}),
        ({"doc_id": "pep-0241"}, {"doc_id": "pep-0566"}),
    ],
)
def test_joins_nothing_else(one: dict[str, Any], other: dict[str, Any]) -> None:
    """Everybody's titles, reports of periods, other paths, products or families, and the same edition are not joined."""
    assert all(len(members) == 1 for members in families(candidate(1, **one), candidate(2, **other)))


def test_the_text_must_confirm_it() -> None:
    """Without text in common the same title with two versions joins nothing."""
    other = "Swimming is good for you and the water is warm in every month of the year, on Sundays as well."

    assert families(candidate(1, title="Gym contract 1.0"), candidate(2, other, title="Gym contract 2.0")) == []


def test_names_that_are_exchanged_tell_products_apart() -> None:
    """One wording with one name in the place of another is another product, service or country."""
    golf, polo = (
        candidate(n, TEXT.format(name, 14), title="Car contract", effective_from=d)
        for n, name, d in ((1, "Golf", D1), (2, "Polo", D2))
    )

    assert families(golf, polo) == []


def test_puts_the_edition_into_the_source() -> None:
    """Family and edition are put into the source, what was given stays, and a remark names the documents."""
    given = candidate(2, doc_id="docs/v1.30/a.md", edition="thirty")
    found, remarks = infer_families([candidate(1, doc_id="docs/v1.29/a.md"), given, candidate(3, title="Other")])

    assert ([(c.source.family, c.source.edition) for c in found], remarks) == (
        [("docs/#/a.md", "1.29"), ("docs/#/a.md", "thirty"), (None, None)],
        ("recognised as editions of one document: docs/v1.29/a.md, docs/v1.30/a.md",),
    )


def test_families_get_names_of_their_own() -> None:
    """A family that was given and happens to be called the same is not joined."""
    given = candidate(3, title="Other", family="gym contract #")
    found, _ = infer_families([given, candidate(1, title="Gym contract 1.0"), candidate(2, title="Gym contract 2.0")])

    name = "gym contract # (00000001)"
    assert [c.source.family for c in found] == ["gym contract #", name, name]


def test_three_editions_by_way_of_the_middle_one() -> None:
    """Editions too far apart to be alike are joined by one between them."""
    words = TEXT.split()
    texts = [" ".join(words[:20]), " ".join(words[:12] + ["x"] * 8), " ".join(words[:5] + ["x"] * 8 + ["y"] * 7)]
    found = families(*(candidate(n, text, doc_id=f"docs/v{n}.0/a.md") for n, text in enumerate(texts)))

    assert found == [["c0", "c1", "c2"]]


def test_many_editions_cost_few_comparisons(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is known to be of one family is not compared again, whatever the number of editions and of passages."""
    compared: list[tuple[int, int]] = []
    of = Likeness.of
    monkeypatch.setattr(Likeness, "of", lambda self, i, j: compared.append((i, j)) or of(self, i, j))

    editions = families(*(candidate(n, title=f"Gym contract {n // 2}.0", doc_id=f"d{n // 2}") for n in range(200)))

    assert [len(members) for members in editions] == [200]
    assert len(compared) == 99


def test_nothing_to_recognise() -> None:
    """Without documents alike the candidates come back as they are."""
    candidates = (candidate(1), candidate(2, doc_id=""))

    assert infer_families(candidates) == (candidates, ())
