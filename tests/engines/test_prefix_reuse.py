"""What is left of a buffer is handed on with its memory, or copied where that is much more."""

from __future__ import annotations

import ctypes
import sys

import numpy as np
import pytest

import tolang
from tolang.engines.cpu.runtime.guarding import guard
from tolang.engines.cpu.runtime.native import held_memory

SELECTED = "tol x: R [n]\ntol y: R [n]\nr := reduce(x, (s,t,i) -> if t < 0.5 then [s, t + y[i]] else s, tol[0])"
TWICE = """\
tol x: R [n]
s = reduce(x, (s,t) -> if t < 0.5 then [s,t] else s, tol[0])
r := s
q := map(s, * + 1)
"""
N = 1 << 18


@pytest.mark.parametrize("threads", [1, 2, 3, 8])
def test_results_are_those_of_copies(threads: int) -> None:
    program = tolang.compile(SELECTED, engine="cpu", fallback=False, threads=threads)
    assert "by prefix reuse" in program.explain().full
    for n in (0, 1, 3, 1000, 70_000):
        y = np.arange(n) / 8
        for share in (0.0, 0.1, 0.249, 0.25, 0.26, 0.5, 1.0):
            x = np.where(np.arange(n) < share * n, 0.25, 0.75)
            np.testing.assert_array_equal(program(x, y), (x + y)[x < 0.5])
    assert held_memory() == 0


def test_results_of_several_calls_lie_apart() -> None:
    program = tolang.compile(SELECTED, engine="cpu", fallback=False)
    n = 50_000
    found = [program(np.full(n, 0.25 if k % 3 else 0.75), np.full(n, float(k))) for k in range(12)]
    for k, one in enumerate(found):
        assert one.tolist() == ([k + 0.25] * n if k % 3 else [])
        one += 1  # it is nobody else's
    assert held_memory() == 0


@pytest.mark.skipif(not sys.platform.startswith("linux") or guard() != "", reason="asks the memory of Linux")
@pytest.mark.parametrize(("kept", "in_place"), [(9, False), (N // 5, False), (N // 3, True), (N, True)])
def test_memory_is_handed_on_where_most_of_it_is_used(kept: int, in_place: bool) -> None:
    """Memory that a selection had for all elements is the result's, or there for the next run."""
    program = tolang.compile(SELECTED, engine="cpu", fallback=False)
    x = np.where(np.arange(N) < kept, 0.25, 0.75)
    found = program(x, x)
    assert found.tolist() == [0.5] * kept
    usable = ctypes.CDLL(None).malloc_usable_size
    usable.argtypes, usable.restype = [ctypes.c_void_p], ctypes.c_size_t
    assert (usable(found.ctypes.data) >= 8 * N) == in_place


def test_what_others_read_is_copied() -> None:
    program = tolang.compile(TWICE, engine="cpu", fallback=False)
    x = np.random.default_rng(1).random(40_000)
    found = program(x)
    np.testing.assert_array_equal(found["r"], x[x < 0.5])
    np.testing.assert_array_equal(found["q"], x[x < 0.5] + 1)


def test_rows_of_tables_are_handed_on_column_by_column() -> None:
    source = "use tables\ntol k: Z [n]\ntol x: R [n]\nr := select((k,x), row -> row[2]' < 0.5)"
    program = tolang.compile(source, engine="cpu", fallback=False)
    assert program.explain().full.count("by prefix reuse") == 1
    x = np.random.default_rng(2).random(5_000)
    keys, values = program(np.arange(5_000), x).columns
    np.testing.assert_array_equal(keys, np.flatnonzero(x < 0.5))
    np.testing.assert_array_equal(values, x[x < 0.5])


def test_a_fault_after_it_leaves_nothing_held() -> None:
    source = "tol x: R [n]\ntol k: N [n]\nr := reduce(x, (s,t) -> if t < 0.5 then [s,t] else s, tol[0])\nq := map(k, e -> x[e])"
    program = tolang.compile(source, engine="cpu", fallback=False)
    n = 40_000
    with pytest.raises(tolang.ToLangError, match="outside"):
        program(np.full(n, 0.25), np.full(n, n + 1))
    assert held_memory() == 0
    good = program(np.full(n, 0.25), np.full(n, 7))
    assert good["q"].tolist() == good["r"].tolist() == [0.25] * n
