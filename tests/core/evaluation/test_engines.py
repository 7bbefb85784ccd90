"""Engines: work that cannot travel, processes that end."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from datetime import date
from pathlib import Path

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


KILLED = """
import os, signal
from contextpack_core.evaluation.engines import local
from tests.core.evaluation.test_engines import named

for line in local(named, range(100), 2):
    print(line, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def named(case):
    """Work that tells in which process it was done."""
    return str(os.getpid())


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc")
def test_workers_end_with_a_driver_that_is_killed():
    """Nothing is left that waits for work."""
    ended = subprocess.run(
        [sys.executable, "-c", KILLED], capture_output=True, text=True, cwd=Path(__file__).parents[3], timeout=60
    )
    worker = int(ended.stdout.split()[0])

    assert ended.returncode == -9
    for _ in range(100):
        if not running(worker):
            break
        time.sleep(0.1)
    assert not running(worker)


def running(process):
    """Whether the process is there, and no zombie that nobody has waited for."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_lines_come_in_the_order_of_the_cases():
    """However many batches are under way."""
    assert list(local(str, range(200), 2)) == [str(i) for i in range(200)]
