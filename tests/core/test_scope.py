"""A request says once who asks and as of when."""

from __future__ import annotations

import asyncio
import threading
from datetime import date, datetime

import pytest

from contextpack_core.scope import RequestScope, current_scope, note_pack, only_pack_made, packs_made, request_for, request_scope

DAY = date(2026, 3, 1)


def test_outside_of_any_block_nothing_is_known():
    """No caller and no day."""
    assert current_scope() == RequestScope(None, None)


def test_a_block_says_who_asks_and_when():
    """The scope ends with the block, with an error too."""
    with request_scope(access=["staff"], as_of="2026-03-01") as scope:
        assert current_scope() == scope == RequestScope(("staff",), DAY)
    with pytest.raises(ZeroDivisionError), request_scope(access=["staff"]):
        1 / 0  # noqa: B018

    assert current_scope() == RequestScope()


def test_an_inner_block_changes_only_what_it_names():
    """Holding no label is something else than not saying."""
    with request_scope(access="staff", as_of=datetime(2026, 3, 1, 9)):
        with request_scope(access=[]):
            assert current_scope() == RequestScope((), DAY)
        with request_scope(as_of=date(2025, 1, 1)):
            assert current_scope() == RequestScope(("staff",), date(2025, 1, 1))
        assert current_scope() == RequestScope(("staff",), DAY)


def test_a_block_names_the_intent():
    """Inner blocks keep it until they name another one; what the call says comes first."""
    with request_scope(intent="lookup"), request_scope(access="staff"):
        assert current_scope() == RequestScope(("staff",), None, "lookup")
        assert request_for(None).intent == "lookup"
        assert request_for({"intent": "list"}).intent == "list"
    assert request_for({}).intent is None


@pytest.mark.parametrize("wrong", ["soon", "2026-02-30", 20260301])
def test_a_day_that_is_none_is_an_error(wrong):
    """The message shows the value and the right form."""
    with pytest.raises(ValueError, match=r"as_of=.*2026-03-01"), request_scope(as_of=wrong):
        pass


def test_requests_at_the_same_time_do_not_mix():
    """Each task sees its own scope, and a thread that copies nothing sees none."""

    async def one(label):
        with request_scope(access=[label]):
            await asyncio.sleep(0)
            return current_scope().access, await asyncio.to_thread(current_scope)

    async def both():
        return await asyncio.gather(one("a"), one("b"))

    assert asyncio.run(both()) == [((label,), RequestScope((label,))) for label in "ab"]
    seen = []
    with request_scope(access=["a"]):
        thread = threading.Thread(target=lambda: seen.append(current_scope()))
        thread.start()
        thread.join()
    assert seen == [RequestScope()]


def test_the_pack_that_was_made():
    """It is known where one was made in the block; of several none is the one."""
    assert only_pack_made() is None
    with packs_made():
        before = only_pack_made()
        note_pack("first")
        with packs_made():
            inner = only_pack_made()
        one = only_pack_made()
        note_pack("second")
        assert (before, inner, one, only_pack_made()) == (None, None, "first", None)
