"""How long calls take that are over at once."""

from __future__ import annotations

import time
from collections.abc import Callable

ROUNDS, SECONDS = 400, 0.001


def microseconds(call: Callable[[], object]) -> float:
    """The least time of a call, of many rounds that are short: few of them are disturbed where others compute, too."""
    calls, least = 1, float("inf")
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for _ in range(calls):
            call()
        took = time.perf_counter() - start
        least, calls = min(least, took / calls), max(1, round(calls * SECONDS / max(took, 1e-9)))
    return least * 1e6
