"""What is in, whole or in part, and the passages that it makes."""

from __future__ import annotations

from itertools import pairwise

from contextpack_core.admission.selection import Selection
from contextpack_core.values import Candidate, Join, Joins, Source, Span

TEXT = "One two three. Four five six. Seven eight nine. Ten eleven twelve."
PLACES = {"a": (0, 29), "b": (15, 47), "c": (30, 66)}


def selection() -> Selection:
    """Three chunks of one document: each shares a sentence with the next; the fourth stands alone."""
    candidates = [Candidate(n, TEXT[a:b], Source("d", Span(a, b))) for n, (a, b) in PLACES.items()]
    between = {}
    for left, right in pairwise(PLACES):
        between[left, right] = Join(left, right, overlap=PLACES[left][1] - PLACES[right][0])
    return Selection([*candidates, Candidate("x", "Something else.", Source("e"))], Joins((tuple(PLACES),), between))


def texts(chosen: Selection) -> list[str]:
    return [passage.text for passage in chosen.passages()]


def test_joined_candidates_make_one_passage() -> None:
    """Shared text stands once; what joins nothing stands apart; the passage of the best candidate comes first."""
    chosen = selection()
    for i in (3, 2, 0, 1):
        chosen.add(i)

    assert texts(chosen) == [TEXT, "Something else."]
    assert [p.candidate_ids for p in chosen.passages()] == [("a", "b", "c"), ("x",)]


def test_what_stands_beside_a_candidate() -> None:
    """Its neighbours in the document, whether they are in or not; what joins nothing has none."""
    chosen = selection()

    assert [list(chosen.beside(i)) for i in range(4)] == [[0, 1], [0, 1, 2], [1, 2], []]


def test_members_apart_make_two_passages() -> None:
    """Without the one between them the outer two are not joined; with it again they are."""
    chosen = selection()
    chosen.add(0)
    chosen.add(2)
    apart = texts(chosen)
    chosen.add(1)
    joined = texts(chosen)
    chosen.remove(1)

    assert apart == [TEXT[:29], TEXT[30:]] == texts(chosen)
    assert joined == [TEXT]


def test_neighbours_are_the_nearest_that_are_in() -> None:
    """Only what is in counts, and only if it is joined."""
    chosen = selection()
    chosen.add(0)

    assert (chosen.neighbours(1), chosen.neighbours(2), chosen.neighbours(3)) == ((0, None), (None, None), (None, None))
    chosen.add(2)
    assert chosen.neighbours(1) == (0, 2)


def test_only_text_that_is_not_in_is_new() -> None:
    """The ends that whole neighbours hold are not new; those of neighbours in part are."""
    chosen = selection()
    before = chosen.new_stretch(1)
    chosen.add(0)
    after_one = chosen.new_stretch(1)
    chosen.add(2)
    between_both = chosen.new_stretch(1)
    chosen.clear()
    chosen.add(0, (0, 15))

    assert (before, after_one, between_both, chosen.new_stretch(1)) == ((0, 32), (14, 32), (14, 15), (0, 32))


def test_stretches_make_an_excerpt() -> None:
    """A candidate in part is cut to its stretches, without the white space at their ends; stretches that touch are one."""
    chosen = selection()
    chosen.add(2, (18, 36))
    one = texts(chosen)
    chosen.add(2, (0, 18))
    whole = texts(chosen)

    assert (one, whole) == (["Ten eleven twelve."], ["Seven eight nine. Ten eleven twelve."])
    assert chosen.is_whole(2)


def test_a_mark_stands_between_stretches_that_do_not_touch() -> None:
    """Parts of joined candidates make one passage, with a mark where text is left out."""
    chosen = selection()
    chosen.add(0, (0, 15))
    chosen.add(1, (15, 32))

    assert texts(chosen) == ["One two three. […] Seven eight nine."]


def test_touching() -> None:
    """A stretch touches what it goes on from: another stretch, or a whole neighbour."""
    chosen = selection()
    chosen.add(0)
    chosen.add(2, (0, 18))

    assert [chosen.touches(1, s) for s in ((14, 20), (16, 20))] == [True, False]
    assert [chosen.touches(2, s) for s in ((18, 36), (20, 36))] == [True, False]
    assert not chosen.touches(3, (0, 15))


def test_a_place_is_the_same_in_candidates_that_overlap() -> None:
    """The end of the shared sentence is one place, whichever candidate holds it."""
    chosen = selection()

    assert chosen.position(0, 29) == chosen.position(1, 14)
    assert chosen.position(3, 29) != chosen.position(0, 29)


def test_complete_is_what_is_in_with_what_others_hold() -> None:
    """A candidate whose every new character is in is complete, though not whole."""
    chosen = selection()
    chosen.add(0)
    chosen.add(1, (14, 32))

    assert (chosen.is_complete(0), chosen.is_complete(1), chosen.is_whole(1), chosen.is_complete(2)) == (True, True, False, False)


def test_shown_is_who_has_a_piece() -> None:
    """A stretch that another member of the passage holds gives its candidate no piece of its own."""
    chosen = selection()
    chosen.add(1, (0, 14))
    alone = set(chosen.shown())
    chosen.add(0, (0, 15))

    assert (alone, set(chosen.shown()), texts(chosen)) == ({1}, {0}, [TEXT[:29]])


def test_what_is_taken_out_leaves_no_trace() -> None:
    """Stretches and candidates go as they came."""
    chosen = selection()
    chosen.add(0)
    chosen.add(1, (15, 32))
    chosen.add(1, (0, 15))
    chosen.remove(1, (0, 15))
    chosen.remove(1, (15, 32))

    assert (chosen.held, chosen.neighbours(1), texts(chosen)) == ({0: None}, (0, None), [TEXT[:29]])
