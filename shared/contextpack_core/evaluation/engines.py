"""Engines: how the work on many cases is spread; each gives the same lines in the same order."""

from __future__ import annotations

import gc
import multiprocessing
import os
import pickle
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from importlib import import_module
from itertools import islice
from multiprocessing.connection import wait
from typing import Any

from contextpack_core.errors import ContextPackError


class EvaluationError(ContextPackError, ValueError):
    """An evaluation cannot be made; the message says what would be right."""


Engine = Callable[[Callable[[Any], str], Iterable[Any], int], Iterator[str]]
"""From the work on one case, the cases and the number of workers to one line for each case, in their order."""

BATCH = 16
"""Cases that travel together."""


def local(work: Callable[[Any], str], cases: Iterable[Any], workers: int) -> Iterator[str]:
    """In this process, or in several; at most two batches a process are under way, so memory does not grow with the cases.

    Raises:
        EvaluationError: the work cannot travel to other processes, or one of them ended.
    """
    if workers <= 1:
        yield from map(work, cases)
        return
    packed = _packed(work, workers)
    batches = _batches(cases)
    try:
        with ProcessPoolExecutor(workers, initializer=_settle) as pool:
            under_way: deque[Future[list[str]]] = deque(
                pool.submit(_unpack_and_work, packed, b) for b in islice(batches, 2 * workers)
            )
            while under_way:
                lines = under_way.popleft().result()
                under_way.extend(pool.submit(_unpack_and_work, packed, b) for b in islice(batches, 1))
                yield from lines
    except BrokenProcessPool:
        raise EvaluationError(
            "a worker process was ended, perhaps for want of memory — run it again: what stands in the records is not made twice"
        ) from None


def ray(work: Callable[[Any], str], cases: Iterable[Any], workers: int) -> Iterator[str]:
    """On the Ray cluster that is connected, or one of this machine with ``workers`` processors; needs the extra ``ray``.

    Raises:
        ImportError: Ray is not installed.
    """
    try:
        cluster: Any = import_module("ray")
    except ImportError as error:
        raise ImportError("the engine ray needs Ray: pip install 'contextpack-rag[ray]'") from error
    if not cluster.is_initialized():
        cluster.init(num_cpus=max(1, workers), include_dashboard=False, log_to_driver=False)
    shared, remote = cluster.put(work), cluster.remote(_work_on)
    most = 2 * max(1, int(cluster.cluster_resources().get("CPU", 1)))
    batches = _batches(cases)
    under_way = deque(remote.remote(shared, batch) for batch in islice(batches, most))
    while under_way:
        lines = cluster.get(under_way.popleft())
        under_way.extend(remote.remote(shared, batch) for batch in islice(batches, 1))
        yield from lines


ENGINES: Mapping[str, Engine] = {"local": local, "ray": ray}


def _batches(cases: Iterable[Any]) -> Iterator[list[Any]]:
    left = iter(cases)
    while batch := list(islice(left, BATCH)):
        yield batch


def _packed(work: Callable[[Any], str], workers: int) -> bytes:
    try:
        return pickle.dumps(work)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise EvaluationError(
            f"workers={workers}: judge, retrieve or generate cannot travel to other processes ({error}) — name functions of a "
            "module, or take workers=1"
        ) from None


def _settle() -> None:
    """A process of ours collects garbage seldom, and never looks at what was there before: a sixth of its time otherwise.

    It ends with the one that started it, however that ends: a pool whose owner is killed waits for work for ever.
    """
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    if (owner := multiprocessing.parent_process()) is not None:
        threading.Thread(target=_end_with, args=(owner.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


def _unpack_and_work(packed: bytes, batch: list[Any]) -> list[str]:
    return _work_on(_unpacked(packed), batch)


@lru_cache(maxsize=1)
def _unpacked(packed: bytes) -> Callable[[Any], str]:
    """The work, unpacked once a process: it holds the policy."""
    return pickle.loads(packed)  # type: ignore[no-any-return]


def _work_on(work: Callable[[Any], str], batch: list[Any]) -> list[str]:
    return [work(case) for case in batch]
