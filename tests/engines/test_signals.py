"""Ctrl-C while compiled code runs: an exception at once, and everything works afterwards."""

from __future__ import annotations

import subprocess
import sys

import pytest

LONGEST = 5.0
"""Seconds an interrupt may take on a busy machine, of runs that last minutes; alone it takes a tenth of one."""

PRODUCT = (
    "tol a: R [n,k]\ntol b: R [k,m]\nc := map(tol[n,m], reduce(map(a[i], * * b[*,j]), add, 0), [i,j])",
    "np.ones((3, 3)), np.ones((3, 3))",
    "np.ones((9000, 9000)), np.ones((9000, 9000))",
)
FOLD = (
    "tol x: R [n]\ntol y: R [m]\nc := reduce(map(tol[n,m,1000], x[i], [i,j,k]), (s,v) -> s*0.5+v, 0)",
    "np.ones(3), np.ones(2)",
    "np.ones(100000), np.ones(100000)",
)
STATE = (
    "tol x: R [n]\ntol y: R [m]\nc := reduce(tol[m,m,m], (s,v) -> map(s, * * 0.5 + 1), x)",
    "np.ones(3), np.ones(2)",
    "np.ones(2000), np.ones(3000)",
)
ELEMENTS = (
    "tol x: R [n]\ntol y: R [m]\nc := reduce(map(tol[n,m], sin(x[i] + y[j]), [i,j]), add, 0)",
    "np.ones(3), np.ones(2)",
    "np.ones(1000000), np.ones(100000)",
)
DEEP = (
    "tol x: R [n]\ntol y: R [m]\nc := map(tol[n,n], reduce(map(tol[m,m], (x[i]+k)*(x[j]*k), [k,l]), add, 0), [i,j])",
    "np.ones(3), np.ones(2)",
    "np.ones(40), np.ones(100000)",
)
CASES = {"product": PRODUCT, "deep": DEEP, "fold": FOLD, "state": STATE, "elements": ELEMENTS}
CHILD = """
import os, signal, sys, threading, time
import numpy as np
import tolang

{handler}
for source, small, large in {cases!r}:
    program = tolang.compile(source, engine="cpu", fallback=False, threads={threads})
    small, large = eval(small), eval(large)
    before = program(*small)
    sent = []
    def send():
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)
    threading.Timer(0.3, send).start()
    try:
        program(*large)
    except {exception} as error:
        print(time.perf_counter() - sent[0])
    assert np.array_equal(before, program(*small))
"""


def interrupted(
    cases: list[tuple[str, str, str]], threads: int, handler: str = "", exception: str = "KeyboardInterrupt"
) -> list[float]:
    """How long after the signal runs ended that would have lasted minutes, one after the other in one process."""
    code = CHILD.format(cases=cases, threads=threads, handler=handler, exception=exception)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    found = [float(one) for one in done.stdout.split()]
    assert len(found) == len(cases), "a run ended before its signal"
    return found


@pytest.mark.parametrize("threads", [1, 2])
def test_interrupt(threads: int) -> None:
    took = dict(zip(CASES, interrupted(list(CASES.values()), threads), strict=True))
    assert not {name: seconds for name, seconds in took.items() if seconds >= LONGEST}


def test_exception_of_a_handler_is_raised() -> None:
    handler = "def stop(*_):\n    raise TimeoutError('late')\nsignal.signal(signal.SIGINT, stop)"
    (took,) = interrupted([FOLD], 2, handler, "TimeoutError")
    assert took < LONGEST


def test_handler_that_returns_stops_nothing() -> None:
    """Handlers run while compiled code does; it goes on where they return."""
    handler = "seen = []\ndef stop(*_):\n    seen.append(1)\n    if len(seen) == 2:\n        raise KeyboardInterrupt\n"
    handler += "    threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
    handler += "signal.signal(signal.SIGINT, stop)"
    (took,) = interrupted([FOLD], 2, handler)
    assert 0.5 < took < 1.0 + LONGEST
