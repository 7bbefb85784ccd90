from __future__ import annotations

from datetime import date, datetime
from typing import Any

from contextpack_core import Candidate, Source
from contextpack_core.editions.families import editions_of, families_of, hold_several_editions, links_of, names_of


def candidate(name: str, **source: Any) -> Candidate:
    return Candidate(name, f"Text {name}.", Source(**({"doc_id": name} | source)))


def ids(candidates: list[Candidate]) -> list[str]:
    return [c.id for c in candidates]


def test_groups_by_family() -> None:
    """Families come in the order of their first candidate; candidates without one stand in none."""
    found = families_of([candidate("a", family="f"), candidate("b"), candidate("c", family="g"), candidate("d", family="f")], {})

    assert [(f.name, ids(f.members), f.section) for f in found] == [("family f", ["a", "d"], False), ("family g", ["c"], False)]


def test_groups_by_section() -> None:
    """A family that is amended by section counts as one a section, however the section is written; the rest is one."""
    members = [candidate(n, family="f", section=s) for n, s in (("a", "Section 4"), ("b", "§ 4"), ("c", "5"), ("d", None))]

    found = [(f.name, ids(f.members), f.section) for f in families_of(members, {"f": "section"})]
    assert found == [("family f, section 4", ["a", "b"], True), ("family f, section 5", ["c"], True), ("family f", ["d"], False)]


def test_long_family_names_are_not_mixed_up() -> None:
    """Two families whose names begin alike stay two."""
    found = families_of([candidate("a", family="x" * 200 + "a"), candidate("b", family="x" * 200 + "b")], {})

    assert [ids(f.members) for f in found] == [["a"], ["b"]]


def test_linked_documents_are_a_family() -> None:
    """Documents without a family that name one another are one, over any chain; a link out of reach makes none."""
    members = [
        candidate("a", superseded_by="b"),
        candidate("b"),
        candidate("c", supersedes=("b",)),
        candidate("d", superseded_by="x"),
    ]

    assert [(f.name, ids(f.members)) for f in families_of(members, {})] == [("document a", ["a", "b", "c"])]


def test_editions() -> None:
    """Candidates of one name and range are one edition; without a name each document is one; a lost date comes from its sisters."""
    day = date(2024, 1, 1)
    members = [
        candidate("a", edition="1", effective_from=day),
        candidate("b", edition="1"),
        candidate("c", doc_id="x", effective_from=day),
        candidate("d", doc_id="x"),
        candidate("e", edition="2"),
        candidate("f", doc_id="y", effective_from=day),
    ]

    found = [(e.name, e.start, ids(e.members)) for e in editions_of(members)]
    assert found == [("1", day, ["a", "b"]), (None, day, ["c", "d"]), ("2", None, ["e"]), (None, day, ["f"])]


def test_a_lost_family_or_section_costs_nothing() -> None:
    """A chunk without a family belongs to that of its document, and one of another section has the days of its document."""
    day = date(2024, 1, 1)
    members = [
        candidate("a", doc_id="x", family="f", edition="1", effective_from=day, section="3"),
        candidate("b", doc_id="x", section="4"),
        candidate("c", doc_id="x", family="f", section="4"),
        candidate("d", doc_id="y"),
    ]

    assert [ids(f.members) for f in families_of(members, {})] == [["a", "b", "c"]]
    found = [(f.name, [(e.name, e.start, ids(e.members)) for e in f.editions]) for f in families_of(members, {"f": "section"})]
    assert found == [
        ("family f, section 3", [("1", day, ["a"])]),
        ("family f, section 4", [("1", day, ["b", "c"])]),
    ]


def test_what_is_in_doubt_is_not_taken_from_others() -> None:
    """Where chunks of one document disagree, or another document says it, what a chunk lacks stays open."""
    first, second = date(2024, 1, 1), date(2024, 6, 1)
    members = [
        candidate("a", doc_id="x", edition="1", effective_from=first, status="draft"),
        candidate("b", doc_id="x", edition="1", effective_from=second),
        candidate("c", doc_id="x", edition="1"),
        candidate("d", doc_id="y", edition="1", effective_from=first),
        candidate("e", doc_id="x"),
    ]

    found = [(e.name, e.start, e.status, ids(e.members)) for e in editions_of(members)]
    assert found == [
        ("1", first, "draft", ["a"]),
        ("1", second, "", ["b"]),
        ("1", None, "", ["c", "e"]),
        ("1", first, "", ["d"]),
    ]


def test_linked_documents_join_a_family() -> None:
    """Over any chain, documents without a family join the one family that they are linked with; two families stay two."""
    members = [
        candidate("a", superseded_by="b"),
        candidate("b", superseded_by="c"),
        candidate("c", family="f"),
        candidate("d", family="f", supersedes="e"),
        candidate("e", family="g"),
        candidate("x", superseded_by=("c", "e")),
    ]

    assert [(f.name, ids(f.members)) for f in families_of(members, {})] == [("family f", ["a", "b", "c", "d"]), ("family g", ["e"])]


def test_dates_of_any_type() -> None:
    """A datetime or a text where a date should be is read; the end of an impossible range is left out."""
    start: Any = datetime(2024, 1, 1, 12)
    end: Any = "2020-01-01"
    last: Any = datetime(2024, 5, 31, 23, 59, 59)

    found = editions_of([candidate("a", effective_from=start, effective_until=end)])
    assert [(e.start, e.until, str(e)) for e in found] == [(date(2024, 1, 1), None, "document a (in force from 2024-01-01)")]
    assert [e.until for e in editions_of([candidate("a", effective_until=last)])] == [date(2024, 6, 1)]


def test_links() -> None:
    """Links find documents, names and what a name means, from both sides; what is not there is missing."""
    editions = editions_of(
        [
            candidate("a", edition="1", superseded_by=("b", "zz")),
            candidate("b", edition="v2.0"),
            candidate("c", edition="3", supersedes="2"),
        ]
    )
    a, b, c = editions

    links = links_of(editions)
    assert (dict(links.successors), dict(links.missing), links.circle) == ({a: [b], b: [c]}, {a: ["zz"]}, ())


def test_circles_are_found() -> None:
    """The links of a circle are left out; one that leads into it stays."""
    editions = editions_of(
        [
            candidate("a", superseded_by="b"),
            candidate("b", superseded_by="c"),
            candidate("c", superseded_by="b"),
            candidate("d", superseded_by="d"),
        ]
    )
    a, b, c, d = editions

    links = links_of(editions)
    assert ({e: list(s) for e, s in links.successors.items()}, set(links.circle)) == ({a: [b], b: [], c: [], d: []}, {b, c})


def test_names() -> None:
    """One name, several, none; what is no text is no name."""
    odd: Any = ["a", "", 3, "b"]

    assert [names_of("x"), names_of(("x", "y")), names_of(None), names_of(odd)] == [("x",), ("x", "y"), (), ("a", "b")]


def test_several_editions() -> None:
    """Only two editions of one family are several."""
    a, b, other = (
        candidate("a", family="f", edition="1"),
        candidate("b", family="f", edition="2"),
        candidate("c", family="g", edition="2"),
    )

    assert [
        hold_several_editions(cs) for cs in ([a, b], [a, other], [a, a], [candidate("x", edition="1"), candidate("y", edition="2")])
    ] == [
        True,
        False,
        False,
        False,
    ]
