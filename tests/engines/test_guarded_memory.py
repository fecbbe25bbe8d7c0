"""Compiled code in memory that lies between pages nothing may touch: a read or write outside would end the process."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROGRAMS = [
    ("tol x: R [n]\nr := reduce(tol[n-1], (s,t) -> map(tol[|s|[1]-1], s[i] + s[i+1], i), x)", "np.ones(n + 1)"),
    ("tol x: R [n]\nr := reduce(x, (s,t) -> s[2:], [x,x])", "np.ones(n)"),
    ("tol x: R [n,n]\nr := reduce(tol[n-1], (s,t) -> map(tol[n,|s|[2]-1], s[i,j]+s[i,j+1], [i,j]), x)", "np.ones((n,n))"),
    ("tol x: R [n]\nr := map(x, reduce(tol[n-1], (s,t) -> s[2:], x)[1] + *)", "np.ones(n + 1)"),
    ("tol x: R [n]\nr := reduce(x, (s,t) -> if t > 0 then [s,t] else s, tol[0])", "np.arange(-2.0, n)"),
    ("tol x: R [n]\nr := reduce(x, (s,t) -> [s, s[|s|[1]] + t], [0])", "np.ones(n)"),
    ("tol x: f32 [n,n]\nr := map(x, reduce(map(tol[n], x[i,k] * x[k,j], k), add, 0), [i,j])", "np.ones((n,n), 'f4')"),
    ("tol x: f32 [n,n]\nr := map(x, reduce(map(tol[n], x[i,k] + x[k,j], k), min, Inf), [i,j])", "np.ones((n,n), 'f4')"),
    ("tol x: N [n]\nr := reduce(x, (s,e) -> put(s, e, s[e] + 1), tol[n])", "np.arange(1, n + 1)"),
    ("tol x: R [n]\nr := map(x, exp(*) + x[n + 1 - i], i)", "np.ones(n)"),
    ("tol x: u8 [n]\nr := map(x, reduce(x[max(1,i-2):min(n,i+2)], add, 0), i)", "np.ones(n, 'u1')"),
    ("tol x: R [n]\nr := sort(x)", "np.arange(n, 0.0, -1)"),
    ("tol x: R [n,n]\nr := map(x, if i < n then reduce(map(tol[n], x[i+1,k] * x[k,j], k), add, 0) else 0, [i,j])", "np.ones((n,n))"),
    ("tol x: R [n,n]\nr := map(tol[n], if i < n then reduce(map(tol[n], x[i+1,k] * x[1,k], k), add, 0) else 0, i)", "np.ones((n,n))"),
    ("tol x: R [n,n]\nr := map(tol[n], if i < n then reduce(map(tol[n], x[k,i+1], k), add, 0) else 0, i)", "np.ones((n,n))"),
    ("tol x: f32 [n]\nr := map(tol[2*n,n], if i <= n then reduce(map(tol[n], x[i] * x[k], k), add, 0) else 0, [i,j])", "np.ones(n, 'f4')"),
    ("tol x: N [n]\nr := map(x, reduce(tol[5], (s,e) -> x[s], *))", "np.roll(np.arange(1, n + 1), 1)"),
]  # fmt: skip
SIZES = (1, 2, 3, 7, 8, 17, 37, 65)
CHILD = """
import sys
import numpy as np
import tolang
for source, argument in {programs!r}:
    for strict in (False, True):
        compiled = tolang.compile(source, engine="cpu", strict=strict, fallback=False)
        judge = tolang.compile(source, engine="interpret", strict=strict)
        for n in {sizes!r}:
            x = eval(argument)
            assert np.allclose(compiled(x), judge(x)), (source, n)
print("done")
"""
OVERRUN = """
import numpy as np
from tolang.engines.cpu.runtime import guarding
import ctypes
array = guarding.copied(np.arange(5.0))
place = array.ctypes.data + {offset}
print(ctypes.c_double.from_address(place).value, flush=True)
"""


def child(code: str, guard: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "TOL_GUARD": guard, "TOL_COMPILE": "quick"}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, env=environment)


@pytest.mark.parametrize("guard", ["end", "start"])
def test_nothing_is_touched_outside(guard: str) -> None:
    done = child(CHILD.format(programs=PROGRAMS, sizes=SIZES), guard)
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr


@pytest.mark.parametrize(("guard", "inside", "outside"), [("end", 4 * 8, 5 * 8), ("start", 0, -8)])
def test_the_guard_does_stop_a_read_outside(guard: str, inside: int, outside: int) -> None:
    within = child(OVERRUN.format(offset=inside), guard)
    assert (within.returncode, within.stdout) == (0, f"{inside / 8}\n")
    beyond = child(OVERRUN.format(offset=outside), guard)
    assert beyond.returncode < 0
    assert beyond.stdout == ""


def test_an_unknown_guard_is_refused() -> None:
    done = child("import tolang; tolang.compile('r := 1', engine='cpu')()", "somewhere")
    assert "E605" in done.stderr
