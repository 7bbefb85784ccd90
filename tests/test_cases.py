"""Every case of ``tests/cases`` has its expected outcome; an arguable case may have another one."""

from __future__ import annotations

from pathlib import Path

import pytest

import contextpack_core
from tests.run_cases import judge, read_cases

CASES = [case for _, cases in read_cases(Path(__file__).parent / "cases", None) for case in cases]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['area']}-{case['id']}")
def test_case(case: dict) -> None:
    """The case comes out as its file says."""
    verdict, problems = judge(contextpack_core, case)

    if case.get("arguable") and verdict == "fail":
        pytest.skip(f"arguable: {problems[0]}")
    assert (verdict, problems) == ("pass", [])
