"""A product beside other threads that never rest, and its first call after a rest.

    python -m benchmarks.beside [--threads 8]

While all threads but one have somebody beside them at their cores, a product can have half of each such core, and one
whole: (1 + (T - 1) / 2) / T of its speed.  What part of that it keeps is measured here, over many calls, since who runs
when is the system's decision; and how much longer a call takes that wakes the threads than the one after it.  After a
rest the processor itself is slow to begin and its caches are empty, which one thread alone meets too: both are shown.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import tolang
from benchmarks.measure import ours
from benchmarks.row import Run
from benchmarks.rows import chosen
from tolang.engines.cpu.runtime.tier_up import improvements_end

LARGE, SMALL = "product 2048 f32", "product 256 f32"
"""Rows of the benchmark: one that takes many turns of the system's, one that is over at once."""
TURNS, REST = 30, 0.2


def product(name: str) -> Run:
    """A row's product, compiled as well as it will be."""
    ((row,),) = chosen([name]).values()
    run = ours(row)(*row.inputs(row.sizes))
    for _ in range(3):
        run()
        improvements_end()
    return run


def seconds_of(run: Run) -> float:
    begin = time.perf_counter()
    run()
    return time.perf_counter() - begin


@contextmanager
def busy(count: int) -> Iterator[None]:
    """So many processes of one thread that compute all the time, at the cores of this one."""
    with ExitStack() as stack:
        others = [
            stack.enter_context(subprocess.Popen([sys.executable, "-c", "while True: pass"])) for _ in range(count)
        ]
        try:
            time.sleep(1)
            yield
        finally:
            for one in others:
                one.kill()


def kept_share(threads: int) -> float:
    """The speed that a product keeps beside busy threads, all but one of its own number, over its fair share of it."""
    run = product(LARGE)
    alone = statistics.fmean(seconds_of(run) for _ in range(TURNS))
    with busy(threads - 1):
        beside = statistics.fmean(seconds_of(run) for _ in range(TURNS))
    return alone / beside / ((1 + (threads - 1) / 2) / threads)


def price_of_waking() -> float:
    """How many seconds longer the first call after a rest takes than the next one, in the middle of many."""
    run = product(SMALL)
    found = []
    for _ in range(TURNS):
        time.sleep(REST)
        found.append(seconds_of(run) - seconds_of(run))
    return statistics.median(found)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.beside", description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, help="threads, and as many cores; all cores if not given")
    threads = parser.parse_args().threads or len(os.sched_getaffinity(0))
    os.sched_setaffinity(0, set(sorted(os.sched_getaffinity(0))[-threads:]))
    tolang.set_threads(threads)
    print(f"{threads} threads: beside {threads - 1} others {kept_share(threads):.2f} of the fair share (0.9 wanted)")
    several = price_of_waking()
    tolang.set_threads(1)
    alone = price_of_waking()
    print(
        f"first call after a rest: {several * 1e6:.0f} µs more than the next, on one thread {alone * 1e6:.0f}: "
        f"waking others costs {(several - alone) * 1e6:.0f} µs (100 wanted)"
    )


if __name__ == "__main__":
    main()
