"""What the parts of a pack tell of the request that it was made for."""

from __future__ import annotations

from datetime import date

import pytest

from contextpack_core import Carried, Policy, pack, request_carried, share_pack

MADE = pack(
    [{"id": name, "text": f"The {name} rate is {n} euros.", "metadata": {"doc_id": name}} for n, name in enumerate(("a", "b"), 3)],
    "tell me",
    Policy.from_dict({"intents": {"chat": {"cues": ["tell me"]}}}),
    as_of=date(2026, 6, 1),
)


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (share_pack(MADE), Carried(date(2026, 6, 1), "chat")),
        (share_pack(MADE)[1:], Carried(date(2026, 6, 1), None)),
        ([None, "x", {}, {"as_of": "soon", "pack": "x"}, {"pack": {"intent": 3}}], Carried()),
        ([], Carried()),
    ],
)
def test_parts_tell_the_day_and_the_first_one_the_intent(parts, expected):
    """What is no part of a pack tells nothing."""
    assert request_carried(parts) == expected
