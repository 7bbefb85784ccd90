"""Engines: work that cannot travel, processes that end."""

from __future__ import annotations

import os
from datetime import date

import pytest

from contextpack_core.evaluation.engines import EvaluationError, local
from contextpack_core.evaluation.run import evaluate
from tests.core.evaluation.test_run import CASES

DAY = date(2026, 1, 1)


def ended(case):
    """Work in whose midst the process is ended."""
    os._exit(9)


def test_work_that_cannot_travel_says_what_to_do():
    """A function of a function is known to this process alone."""
    with pytest.raises(EvaluationError, match=r"workers=2: judge, retrieve or generate cannot travel .* or take workers=1"):
        evaluate(CASES[:2], as_of=DAY, generate=lambda made, question: "", workers=2)


def test_a_process_that_is_ended_says_how_to_go_on():
    """No traceback of the pool's own."""
    with pytest.raises(EvaluationError, match=r"a worker process was ended.* run it again"):
        list(local(ended, range(40), 2))


def test_lines_come_in_the_order_of_the_cases():
    """However many batches are under way."""
    assert list(local(str, range(200), 2)) == [str(i) for i in range(200)]
