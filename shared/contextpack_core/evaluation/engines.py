"""Engines: how the work on many cases is spread; each gives the same lines in the same order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from importlib import import_module
from itertools import islice
from typing import Any

Engine = Callable[[Callable[[Any], str], Iterable[Any], int], Iterator[str]]
"""From the work on one case, the cases and the number of workers to one line for each case, in their order."""

BATCH = 16
"""Cases that travel together."""


def local(work: Callable[[Any], str], cases: Iterable[Any], workers: int) -> Iterator[str]:
    """In this process, or in several; at most two batches a process are under way, so memory does not grow with the cases."""
    if workers <= 1:
        yield from map(work, cases)
        return
    batches = _batches(cases)
    with ProcessPoolExecutor(workers) as pool:
        under_way: deque[Future[list[str]]] = deque(pool.submit(_work_on, work, b) for b in islice(batches, 2 * workers))
        while under_way:
            lines = under_way.popleft().result()
            under_way.extend(pool.submit(_work_on, work, b) for b in islice(batches, 1))
            yield from lines


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


def _work_on(work: Callable[[Any], str], batch: list[Any]) -> list[str]:
    return [work(case) for case in batch]
