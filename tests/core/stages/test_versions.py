from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from contextpack_core import Candidate, Source
from contextpack_core.decisions import Drop, Reason
from contextpack_core.questions.as_of import read_question
from contextpack_core.stages.versions import VersionSettings, VersionStep, prefer_versions

TODAY = date(2026, 6, 1)


def candidate(
    name: str, edition: str | None = None, start: date | None = None, until: date | None = None, **source: Any
) -> Candidate:
    told = {"doc_id": name, "family": "fees", "edition": edition, "effective_from": start, "effective_until": until} | source
    return Candidate(name, f"Fee {name}.", Source(**told))


def prefer(candidates: list[Candidate], as_of: date = TODAY, question: str = "", **settings: Any) -> VersionStep:
    return prefer_versions(candidates, as_of, VersionSettings(**settings), read_question(question, as_of) if question else None)


def ids(candidates: Iterable[Candidate]) -> list[str]:
    return [c.id for c in candidates]


def replace_status(one: Candidate, status: str) -> Candidate:
    return replace(one, source=replace(one.source, status=status))


OLD = candidate("old", "2025", date(2025, 1, 1), date(2026, 1, 1))
OLD_OPEN = candidate("old", "2025", date(2025, 1, 1))
NEW = candidate("new", "2026", date(2026, 1, 1))
NEXT = candidate("next", "2027", date(2027, 1, 1))


def test_keeps_the_edition_in_force() -> None:
    """Of a family the edition in force stays; each drop names both editions, their days, and the best candidate of the winner."""
    step = prefer([OLD, NEXT, NEW])

    applies = "edition 2026 (in force from 2026-01-01) applies"
    assert step == VersionStep(
        "versions",
        (NEW,),
        (
            Drop(
                "old",
                Reason.EXPIRED,
                f"edition 2025 (in force 2025-01-01 until 2026-01-01) had ended by 2026-06-01; {applies}",
                "new",
            ),
            Drop(
                "next",
                Reason.NOT_YET_IN_FORCE,
                f"edition 2027 (in force from 2027-01-01) takes effect after 2026-06-01; {applies}",
                "new",
            ),
        ),
        (),
        (OLD, NEXT),
    )


def test_says_what_replaced_an_edition() -> None:
    """A newer start replaces an edition without an end, and the sentence names both."""
    step = prefer([candidate("a", "1", date(2024, 1, 1)), candidate("b", "2", date(2025, 1, 1))])

    detail = "edition 1 (in force from 2024-01-01) was replaced by edition 2 (in force from 2025-01-01)"
    assert step.drops == (Drop("a", Reason.SUPERSEDED, detail, "b"),)


def test_drops_all_where_none_is_in_force() -> None:
    """Where no retrieved edition is in force all are dropped, and a notice says what is known."""
    step = prefer([OLD, NEXT], date(2026, 6, 1))

    notice = (
        "family fees: no retrieved edition is in force on 2026-06-01; edition 2025 (in force 2025-01-01 until 2026-01-01) had "
        "ended by 2026-06-01; edition 2027 (in force from 2027-01-01) takes effect after 2026-06-01"
    )
    assert (step.kept, [d.reason for d in step.drops], [d.in_favour_of for d in step.drops], step.notices) == (
        (),
        [Reason.EXPIRED, Reason.NOT_YET_IN_FORCE],
        [None, None],
        (notice,),
    )


def test_names_a_successor_that_was_not_retrieved() -> None:
    """An edition whose successor was not retrieved is dropped, and drop and notice name the successor."""
    step = prefer([candidate("a", "1", date(2020, 1, 1), superseded_by="fees-2026")])

    assert (step.drops, step.notices) == (
        (Drop("a", Reason.SUPERSEDED, "edition 1 (in force from 2020-01-01) was replaced by fees-2026, which was not retrieved"),),
        ("family fees: no retrieved edition is in force on 2026-06-01; not retrieved: fees-2026",),
    )


def test_reports_what_nothing_decides() -> None:
    """Editions that nothing orders are kept, and a notice names them and the reason."""
    start = date(2024, 1, 1)
    step = prefer([candidate("a", "spring", start), candidate("b", "autumn", start)])

    notice = (
        "family fees: nothing decides between edition spring (in force from 2024-01-01) and edition autumn (in force from "
        "2024-01-01) (words have no order); all are kept"
    )
    assert ([c.id for c in step.kept], step.notices) == (["a", "b"], (notice,))


def test_reports_undated_editions_and_circles() -> None:
    """An undated edition beside a dated one, and links in a circle, stand in the notices."""
    undated = prefer([candidate("a", "A"), candidate("b", "2", date(2025, 1, 1))])
    circle = prefer([candidate("a", "x", superseded_by="y"), candidate("b", "y", superseded_by="x")])

    assert (undated.notices, circle.notices[0]) == (
        ("family fees: edition A (no date): kept beside edition 2 (in force from 2025-01-01)",),
        "family fees: edition x (no date) and edition y (no date) replace one another in a circle; these links are not followed",
    )


def test_reports_what_a_question_compares() -> None:
    """A question about a change keeps the editions that it names, and a notice names them oldest first."""
    step = prefer([NEW, OLD, NEXT], question="What changed between 2025 and 2026?")

    notice = (
        "family fees: the question compares edition 2025 (in force 2025-01-01 until 2026-01-01) and edition 2026 (in force from "
        "2026-01-01): these are kept, oldest first"
    )
    assert ([c.id for c in step.kept], [d.candidate_id for d in step.drops], step.notices) == (["new", "old"], ["next"], (notice,))


def test_only_one_edition_to_compare() -> None:
    """Where the family has one edition only, a question about a change is answered from that."""
    assert prefer([NEW], question="What changed?") == VersionStep("versions", (NEW,))


def test_long_chains_are_followed_to_their_end() -> None:
    """A chain of a thousand successors ends in the last one."""
    chain = [candidate(str(i), f"x{i}", superseded_by=f"x{i + 1}") for i in range(1000)]
    step = prefer([*chain, candidate("last", "x1000")])

    assert ([c.id for c in step.kept], {d.in_favour_of for d in step.drops}) == (["last"], {"last"})


def test_status_and_what_it_displaces() -> None:
    """A draft displaces nothing, however that is said; a status that nobody knows counts as in force, and a notice names it."""
    drafts = [prefer([OLD_OPEN, replace_status(NEW, s)]) for s in ("DRAFT v3", "Not final", "pending approval", "deleted")]
    unknown = prefer([OLD_OPEN, replace_status(NEW, "Sealed")])

    assert [(ids(step.kept), step.drops[0].reason, step.notices) for step in drafts] == [(["old"], Reason.WITHDRAWN, ())] * 4
    assert (ids(unknown.kept), unknown.notices) == (
        ["new"],
        ("family fees: the status 'sealed' of edition 2026 is not known: it counts as in force",),
    )


def test_chunks_of_an_edition_stand_and_fall_together() -> None:
    """An end, a status or a start that one chunk lacks comes from the others of its document and edition."""
    start = date(2026, 1, 1)
    told = [
        ({"until": date(2026, 5, 1)}, {}),
        ({"status": "draft"}, {}),
        ({"status": "withdrawn"}, {"start": None}),
        ({"until": date(2026, 5, 1)}, {"edition": None}),
    ]
    steps = [
        prefer(
            [
                OLD_OPEN,
                *(candidate(n, **({"edition": "2", "start": start, "doc_id": "d"} | o)) for n, o in zip("ab", two, strict=True)),
            ]
        )
        for two in told
    ]

    assert [(ids(step.kept), [d.reason for d in step.drops]) for step in steps] == [
        (["old"], [Reason.EXPIRED] * 2),
        (["old"], [Reason.WITHDRAWN] * 2),
        (["old"], [Reason.WITHDRAWN] * 2),
        (["old"], [Reason.EXPIRED] * 2),
    ]


def test_a_day_apart_is_one_edition() -> None:
    """A start that another time zone made a day earlier is that of the other chunks of the document and edition."""
    days = [date(2026, 1, 1), date(2025, 12, 31)]
    chunks = [candidate(str(n), "2", day, doc_id="d") for n, day in enumerate(days)]

    assert prefer([*chunks, OLD_OPEN], date(2026, 1, 1)).kept == tuple(chunks)
    assert prefer([*chunks, OLD_OPEN], date(2025, 12, 31)).kept == (OLD_OPEN,)


def test_spellings_of_one_edition() -> None:
    """An undated chunk belongs to the dated edition of its name, however that is spelled."""
    for old, spelled, new in (("v1.0", "1", "v2.0"), ("Rev A", "rev a", "Rev B"), ("2nd edition", "Edition 2", "3rd edition")):
        old_one, new_one = candidate("old", old, date(2025, 1, 1)), candidate("new", new, date(2026, 1, 1))

        assert prefer([old_one, candidate("x", spelled), new_one]).kept == (new_one,)
    assert ids(prefer([candidate("x", "2"), candidate("new", "v2.0", date(2026, 1, 1))], undated="drop").kept) == ["x", "new"]


def test_documents_without_a_family_that_do_not_apply() -> None:
    """Without a family nothing is dropped; what its own metadata say does not apply is named in a notice."""
    told: list[dict[str, Any]] = [
        {"status": "withdrawn"},
        {"until": date(2020, 1, 1)},
        {"start": date(2030, 1, 1)},
        {"superseded_by": "x"},
        {"status": "active", "start": date(2020, 1, 1)},
        {"superseded_by": "n/a"},
    ]
    candidates = [candidate(str(n), family=None, **one) for n, one in enumerate(told)]
    step = prefer(candidates)

    kept = "is kept, since it has no family: document"
    assert (step.kept, step.notices) == (
        tuple(candidates),
        (
            f"document 0 {kept} 0 (no date) has the status withdrawn",
            f"document 1 {kept} 1 (in force until 2020-01-01) had ended by 2026-06-01",
            f"document 2 {kept} 2 (in force from 2030-01-01) takes effect after 2026-06-01",
            f"document 3 {kept} 3 (no date) was replaced by x, which was not retrieved",
        ),
    )
    assert len(prefer([candidate(str(n), family=None, status="void") for n in range(20)]).notices) == 9


def test_links_across_families() -> None:
    """A document of another family replaces one from its own start on; what replaces it in turn is no loss of both."""
    old = candidate("a", start=date(2020, 1, 1), superseded_by="b")
    new = candidate("b", family="g", start=date(2026, 1, 1))
    later = candidate("b", family="g", start=date(2027, 1, 1))
    back = candidate("b", family="g", start=date(2026, 1, 1), superseded_by="a")
    named = [candidate("a"), candidate("b", family="g", start=date(2026, 1, 1), supersedes="a")]
    ended = candidate("b", family="g", start=date(2025, 1, 1), until=date(2026, 1, 1))

    assert [ids(prefer([old, other]).kept) for other in (new, later, back)] == [["b"], ["a"], ["a", "b"]]
    assert [(d.reason, d.in_favour_of) for d in prefer(named).drops] == [(Reason.SUPERSEDED, "b")]
    assert [(d.reason, d.in_favour_of) for d in prefer([old, ended]).drops] == [(Reason.SUPERSEDED, None), (Reason.EXPIRED, None)]


def test_links_between_a_family_and_a_document_without_one() -> None:
    """A document without a family that is linked with one of a family stands in that family."""
    new = candidate("b", start=date(2026, 1, 1))
    says_so = candidate("b", start=date(2026, 1, 1), supersedes="a")

    assert prefer([candidate("a", family=None, superseded_by="b"), new]).kept == (new,)
    assert prefer([candidate("a", family=None), says_so]).kept == (says_so,)


def test_placeholders_are_no_successors() -> None:
    """What stores write where there is no successor replaces nothing."""
    for nothing in ("N/A", "-", "–", "?", "false", "none", "keine", "0", ("n/a",)):
        assert prefer([candidate("a", "1", superseded_by=nothing)]) == VersionStep(
            "versions", (candidate("a", "1", superseded_by=nothing),)
        )


def test_inferred_families() -> None:
    """With ``family: infer`` editions are recognised by path and text; kept candidates carry what was recognised."""
    text = "To install the server, download the archive for your system, unpack it and run the installer with the option {}."
    old, new = (
        Candidate(v, text.format(o), Source(f"docs/v{v}/install.md")) for v, o in (("1.9", "--quiet"), ("1.10", "--silent"))
    )
    step = prefer([old, new], family="infer")

    assert (
        [(c.id, c.source.edition) for c in (*step.kept, *step.dropped)],
        [d.reason for d in step.drops],
        step.notices,
        prefer([old, new]).kept,
    ) == (
        [("1.10", "1.10"), ("1.9", "1.9")],
        [Reason.SUPERSEDED],
        (
            "recognised as editions of one document: docs/v1.9/install.md, docs/v1.10/install.md",
            "family docs/#/install.md: no edition has a date: edition 1.10 (no date) is the highest, whatever the day",
        ),
        (old, new),
    )


DAYS = [date(2024, 1, 1), date(2025, 1, 1), date(2025, 1, 3), date(2026, 1, 1)]  # a day apart is one, see below
DATES = st.sampled_from([None, None, *DAYS])
NAMES = st.one_of(st.none(), st.sampled_from(["1", "2", "1.10", "1.9", "2025", "spring", "Rev B", ""]))
CANDIDATES = st.lists(
    st.builds(
        dict,
        edition=NAMES,
        effective_from=DATES,
        effective_until=DATES,
        family=st.sampled_from([None, "f", "g"]),
        superseded_by=st.sampled_from([None, None, "d1", "2", "nowhere", ("d2", "1.10")]),
        supersedes=st.sampled_from([None, None, "d0", "1"]),
        status=st.sampled_from([None, None, "draft", "superseded", "active"]),
        section=st.sampled_from([None, "4"]),
    ),
    max_size=8,
)
SETTINGS = st.builds(
    VersionSettings,
    undated=st.sampled_from(["keep", "drop", "newest"]),
    granularity=st.sampled_from([{}, {"f": "section"}]),
    family=st.sampled_from(["explicit", "infer"]),
)
QUESTIONS = st.sampled_from(["", "What changed?", "What changed between 2025 and 2026?", "compare 1.9 and 1.10"])


@given(CANDIDATES, SETTINGS, QUESTIONS, st.sampled_from(DAYS))
def test_laws(records: list[dict[str, Any]], settings: VersionSettings, query: str, as_of: date) -> None:
    """Each candidate is kept or dropped once, in order; a drop is in favour of a kept one; what applies is not out of its range."""
    candidates = [Candidate(f"c{i}", f"Text {i}.", Source(doc_id=f"d{i % 5}", **record)) for i, record in enumerate(records)]
    question = read_question(query, as_of)
    step = prefer_versions(candidates, as_of, settings, question)

    kept = [c.id for c in step.kept]
    dropped = [d.candidate_id for d in step.drops]
    assert sorted([*kept, *dropped]) == [c.id for c in candidates]
    assert [kept, dropped] == [sorted(kept), sorted(dropped)]
    assert all(d.in_favour_of is None or d.in_favour_of in kept for d in step.drops)
    assert step == prefer_versions(candidates, as_of, settings, question)
    if not question.change:
        assert not [c for c in step.kept if c.source.family and _out_of_range(c.source, as_of)]


def _out_of_range(source: Source, as_of: date) -> bool:
    start, until = source.effective_from, source.effective_until
    if start and until and until < start:
        until = None
    return bool((start and as_of < start) or (until and until <= as_of))


@given(st.lists(st.integers(0, 400), min_size=1, max_size=6, unique=True), st.integers(-10, 420))
def test_a_chain_of_dated_editions_has_one_in_force(starts: list[int], day: int) -> None:
    """Of editions that begin one after the other exactly the last begun is kept, none before the first."""
    first = date(2025, 1, 1)
    editions = [candidate(str(s), str(s), first + timedelta(days=s)) for s in starts]
    expected = max((s for s in starts if s <= day), default=None)

    kept = [c.id for c in prefer(editions, first + timedelta(days=day)).kept]
    assert kept == ([] if expected is None else [str(expected)])


def test_a_long_row_of_editions() -> None:
    """Each names the next one as its successor; all stand back for the last."""
    row = [candidate(f"e{i}", str(i), superseded_by=f"e{i + 1}" if i < 15999 else None) for i in range(16000)]

    step = prefer(row)

    assert step.kept == (row[-1],)
    assert {drop.in_favour_of for drop in step.drops} == {"e15999"}
