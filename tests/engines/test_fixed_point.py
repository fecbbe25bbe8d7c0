"""Repetitions whose steps are functions of the state alone: they end where the state stays, with the bits of all steps."""

from __future__ import annotations

import numpy as np
import pytest

import tolang

PATHS = "use linalg\ntol a: R [n,n]\ntol t: N\nr := reduce(tol[t], (d,k) -> min_plus(d,d), a)"
LINEAR = (
    "tol a: R [n,n]\ntol x: R [n]\ntol t: N\nr := reduce(tol[t], (s,k) -> map(s, sum(map(s, a[i,j]*s[j], j)), i), x)"
)
BY_STEP = LINEAR.replace("(s,k)", "(s,v,k)").replace("a[i,j]*s[j]", "a[i,j]*s[j]*(if k == 3 then 2 else 1)")
PAIRS = """\
tol a: R [n,n]
tol x: R [n]
tol t: N
start = map(x, (*, i), i)
r := reduce(tol[t], (s,k) -> map(s, (s[i][1]', sum(map(s, a[i,j] * s[j][2]', j))), i), start)
"""


def ways(n: int) -> np.ndarray:
    """A ring, along which every place is reached after as many steps as there are places."""
    lengths = np.full((n, n), np.inf)
    lengths[np.arange(n), (np.arange(n) + 1) % n] = 1.0
    np.fill_diagonal(lengths, 0.0)
    return lengths


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("steps", [0, 1, 2, 5, 6, 7, 8])
def test_paths_are_those_of_all_steps(steps: int, threads: int) -> None:
    program = tolang.compile(PATHS, engine="cpu", fallback=False, threads=threads)
    assert "by fixed point" in program.explain().full
    for n in (1, 2, 33, 64):
        along = (np.arange(n)[None, :] - np.arange(n)[:, None]) % n
        wanted = np.where(along <= 2**steps, along.astype(float), np.inf)
        np.testing.assert_array_equal(program(ways(n), steps), wanted)


def test_what_stays_is_not_computed_again() -> None:
    """Ten million products of 64 x 64 would take half an hour."""
    program = tolang.compile(PATHS, engine="cpu", fallback=False)
    np.testing.assert_array_equal(program(ways(64), 10_000_000), program(ways(64), 6))


@pytest.mark.parametrize("steps", [0, 1, 2, 3, 50, 51])
def test_states_that_come_back_go_on(steps: int) -> None:
    """A reversal, and zeros that change their sign, come back after two steps; NaN stays from the first on."""
    program, judge = (tolang.compile(LINEAR, engine=engine, fallback=False) for engine in ("cpu", "interpret"))
    generator = np.random.default_rng(3)
    signs = np.diag([-1.0, -1.0, 1.0])
    for matrix, start in (
        (np.eye(70)[::-1].copy(), generator.normal(size=70)),
        (signs, np.array([0.0, -0.0, 0.0])),
        (np.eye(70), np.where(np.arange(70) == 40, np.nan, 1.0)),
        (generator.random((70, 70)) / 50, generator.normal(size=70)),
    ):
        found, wanted = program(matrix, start, steps), judge(matrix, start, steps)
        np.testing.assert_allclose(found, wanted, rtol=1e-12)
        np.testing.assert_array_equal(np.signbit(found), np.signbit(wanted))


def test_steps_that_differ_are_all_done() -> None:
    """Where a step looks at its number, the state may stay and change again."""
    program = tolang.compile(BY_STEP, engine="cpu", fallback=False)
    assert "by double buffering" in program.explain().full
    np.testing.assert_array_equal(program(np.eye(70), np.ones(70), 9), np.full(70, 2.0))


def test_several_states_end_together() -> None:
    """One of two states stays from the first step on, the other one when all has been moved out."""
    program = tolang.compile(PAIRS, engine="cpu", fallback=False)
    assert "by fixed point" in program.explain().full
    n = 70
    for steps in (0, 1, 69, 70, 10_000_000):
        wanted = np.stack([np.arange(n) / 3, np.maximum(np.arange(1, n + 1) + min(steps, n), 0)], axis=1)
        wanted[wanted[:, 1] > n, 1] = 0
        found = program(np.eye(n, k=1), np.arange(n) / 3, steps)
        np.testing.assert_array_equal(np.stack(found.columns, axis=1), wanted)


def test_a_step_that_fails_fails_where_it_did() -> None:
    """A place outside, reached after some steps, before the state stays."""
    source = "tol x: N [n]\ntol t: N\nr := reduce(tol[t], (s,k) -> map(s, x[1 + sum(map(s, (e,j) -> if j == i then e else 0))], i), x)"
    compiled, judge = (tolang.compile(source, engine=engine, fallback=False) for engine in ("cpu", "interpret"))
    x = np.array([1, 2, 3, 3])
    np.testing.assert_array_equal(compiled(x, 50), judge(x, 50))
    x[3] = 4
    for steps, fails in ((0, False), (1, True), (30, True)):
        for program in (compiled, judge):
            if not fails:
                np.testing.assert_array_equal(program(x, steps), x)
                continue
            with pytest.raises(tolang.ToLangRunError) as caught:
                program(x, steps)
            assert caught.value.code == "E513"
