"""Only what the caller may see goes on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextpack_core.decisions import Drop, Reason, Step
from contextpack_core.stages.access import AccessSettings, keep_permitted
from contextpack_core.values import Candidate, Source

ENFORCED = AccessSettings(enforce=True)
BY_TENANT = AccessSettings(enforce=True, field="tenant")
UNKNOWN = Drop("a", Reason.ACCESS_UNKNOWN, "it names no access label")
REFUSED = Drop("a", Reason.NO_ACCESS, "the caller holds none of its labels")
NOBODY = Drop("a", Reason.NO_ACCESS, "the caller's labels are not known")


def candidate(access=None, **metadata):
    return Candidate("a", "Body", Source("d", access=access), metadata=metadata)


def drops(one, held, settings=ENFORCED):
    return keep_permitted([one], held, settings).drops


def test_everything_is_kept_when_access_is_not_enforced():
    """Labels, held or not, drop nothing then."""
    candidates = [candidate(), candidate(("board",))]

    assert keep_permitted(candidates, None, AccessSettings()) == Step("access", tuple(candidates))


def test_one_held_label_is_enough():
    """A candidate with several labels is for whoever holds any of them."""
    one = candidate(("staff", "board"))

    assert keep_permitted([one], ["board", "guest"], ENFORCED) == Step("access", (one,))


@pytest.mark.parametrize("labels", [None, ()])
def test_without_a_label_nobody_may_see_it(labels):
    """A missing label is unknown, not public."""
    assert drops(candidate(labels), ["staff"]) == (UNKNOWN,)
    assert drops(candidate(labels), None) == (UNKNOWN,)


@pytest.mark.parametrize(
    ("held", "drop"), [(None, NOBODY), ([], REFUSED), (["guest"], REFUSED), ([""], REFUSED), ([None], REFUSED)]
)
def test_a_caller_without_a_fitting_label_sees_nothing(held, drop):
    """No identity is no permission."""
    assert drops(candidate(("staff",)), held) == (drop,)


def test_a_single_text_is_one_label_on_both_sides():
    """``access="staff"`` holds the label staff and not its letters."""
    assert drops(candidate(("s",)), "staff") == (REFUSED,)
    assert drops(candidate(("staff",)), "staff") == ()
    assert drops(candidate(tenant="t1"), "t", BY_TENANT) == (REFUSED,)


def test_labels_are_compared_exactly():
    """Case, blanks and commas are part of a label."""
    for label in ("Staff", "staff ", "staff,board", "staf"):
        assert drops(candidate(tenant=label), ["staff"], BY_TENANT) == (REFUSED,)


def test_a_number_is_the_label_that_it_is_written_as():
    """Tenants are often numbers, in the store or at the caller."""
    assert drops(candidate(tenant=7), [7], BY_TENANT) == ()
    assert drops(candidate(tenant="7"), [7], BY_TENANT) == ()
    assert drops(candidate(tenant=7), ["7"], BY_TENANT) == ()
    assert drops(candidate(tenant=True), ["True", True, 1], BY_TENANT) == (UNKNOWN,)


def test_the_named_field_is_the_only_one():
    """Labels found under another spelling do not open what the named field does not."""
    assert drops(candidate(("staff",)), ["staff"], BY_TENANT) == (UNKNOWN,)
    assert drops(candidate(("staff",), tenant="board"), ["staff"], BY_TENANT) == (REFUSED,)
    assert drops(candidate(("board",), tenant="staff"), ["staff"], BY_TENANT) == ()


def test_the_named_field_may_be_nested():
    """Dots reach into nested metadata."""
    settings = AccessSettings(enforce=True, field="security.groups")

    assert drops(candidate(security={"groups": ["staff"]}), {"staff"}, settings) == ()
    assert drops(candidate(security={"groups": []}), {"staff"}, settings) == (UNKNOWN,)


@pytest.mark.parametrize("enforce", [True, False])
def test_what_is_kept_carries_its_labels(enforce):
    """Later stages see under which labels a text stands, enforced or not; the candidate handed in is not changed."""
    given_one = candidate(tenant=["b", "a"])

    kept = keep_permitted([given_one], ["a"], AccessSettings(enforce=enforce, field="tenant")).kept

    assert [c.source.access for c in kept] == [("b", "a")]
    assert given_one.source.access is None


LABELS = st.none() | st.text("ab", max_size=2) | st.lists(st.text("ab", max_size=2), max_size=3) | st.booleans() | st.integers(0, 2)


@given(st.lists(LABELS, max_size=5), st.none() | st.lists(st.text("ab", max_size=2), max_size=3))
def test_no_label_no_way_in(values, held):
    """Whatever stands in the field, what is kept names a held label, the rest is dropped once, and no detail tells a label."""
    candidates = [Candidate(str(i), "Body", Source("d"), metadata={"tenant": value}) for i, value in enumerate(values)]

    step = keep_permitted(candidates, held, BY_TENANT)

    assert all(set(c.source.access or ()) & set(held or ()) for c in step.kept)
    assert sorted([c.id for c in step.kept] + [d.candidate_id for d in step.drops]) == sorted(c.id for c in candidates)
    assert {d.detail for d in step.drops} <= {UNKNOWN.detail, REFUSED.detail, NOBODY.detail}
