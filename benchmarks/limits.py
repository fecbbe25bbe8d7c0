"""What the machine can do at the most with so many threads, as far as it can be measured: a roof for every row.

Operations a second are those of the faster of two products of large matrices, NumPy's and ours; bytes a second those of
the fastest of a sum, a copy and NumPy's copy of much more than the caches hold.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

import tolang
from benchmarks.rows.products import PRODUCT
from tolang.ground.dataclasses import dataclass

SIDE, LENGTH = 1024, 1 << 25
SECONDS = 0.6


@dataclass(frozen=True)
class Limits:
    """Operations on 32-bit floats, and bytes to and from memory, a second."""

    operations: float
    bytes: float

    def seconds(self, operations: float, moved: float, width: int) -> float:
        """The least time for operations on numbers of a width, and so many bytes that are read or written."""
        return max(operations * width / 4 / self.operations, moved / self.bytes)


def best(run: Callable[[], Any]) -> float:
    """The shortest of some calls, in seconds."""
    run()
    found, end = float("inf"), time.perf_counter() + SECONDS / 3
    while time.perf_counter() < end or found == float("inf"):
        begin = time.perf_counter()
        run()
        found = min(found, time.perf_counter() - begin)
    return found


def measured() -> Limits:
    """The limits of this process, with the threads that its environment gives everybody."""
    a = np.ones((SIDE, SIDE), np.float32)
    source = PRODUCT.format(space="f32", times="* * b[*,j]", plus="add", zero=0)
    product = tolang.compile(source, engine="cpu", fallback=False)
    operations = 2.0 * SIDE**3 / min(best(lambda: a @ a), best(lambda: product(a, a)))
    x = np.ones(LENGTH, np.float32)
    add_up = tolang.compile("tol x: f32 [n]\nr := reduce(x, add, 0)", engine="cpu", fallback=False)
    copy = tolang.compile("tol x: f32 [n]\nr := map(x, -*)", engine="cpu", fallback=False)
    moves: list[tuple[int, Callable[[], Any]]] = [(1, lambda: add_up(x)), (2, lambda: copy(x)), (2, x.copy)]
    return Limits(operations, max(times * x.nbytes / best(run) for times, run in moves))
