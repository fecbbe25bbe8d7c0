"""Folds inside folds whose states exchange their memory: each keeps what is its own, and gives all of it back."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import tolang
from tolang.engines.cpu.emission.function import ROOM_OF_A_STEP, SMALL_BUFFER
from tolang.engines.cpu.runtime.native import held_memory

STEPS = (
    "tol x: {kind} [{shape}]\ntol outer: N\ntol inner: N\n"
    "r := reduce(tol[outer], (p,_) -> p + reduce(tol[inner], (t,_) -> t + x, x), 0*x)"
)
MACHINE = {"float64": "f64", "float32": "f32", "int16": "i16"}
ROOM = ROOM_OF_A_STEP // 8
"""How many elements of f64 the room of a step has."""
ENDING = """\
tol x: R [n]
tol m: N
room(t, k) = map(tol[(k-1)*m], t[1] + i, i)
turned(u) = reduce(tol[3], (v,_) -> map(v, v[|v|[1]+1-i], i), u)
r := reduce(tol[2], (p,_) -> reduce(tol[5], (t,_,k) -> map(t, t[n+1-i] + reduce(turned(room(t,k)), max, 0), i), p), x)
"""


@pytest.fixture(autouse=True)
def all_is_given_back() -> Iterator[None]:
    yield
    assert held_memory() == 0


@pytest.mark.parametrize("kind", ["float64", "float32", "int16"])
@pytest.mark.parametrize("rank", [1, 2])
def test_a_fold_in_a_fold(kind: str, rank: int) -> None:
    """Numbers of inner steps that are odd leave the state in the memory of the one that followed it."""
    program = tolang.compile(
        STEPS.format(kind=MACHINE[kind], shape="n,n"[: 2 * rank - 1]), engine="cpu", fallback=False
    )
    assert "by double buffering" in program.explain().full
    volumes = [SMALL_BUFFER, ROOM - 1, ROOM, ROOM + 1, 2 * ROOM + 1, 4 * ROOM + 1, 1200]
    for volume in volumes:
        length = volume if rank == 1 else round(volume**0.5) + 1
        x = np.arange(length**rank).reshape((length,) * rank) % 7
        for outer in (1, 2, 3):
            for inner in (0, 1, 2, 3, 5):
                found = program(x.astype(kind), outer, inner)
                np.testing.assert_array_equal(found, outer * (inner + 1) * x, err_msg=f"{length}, {outer} x {inner}")


@pytest.mark.parametrize("length", [5, ROOM - 1, ROOM + 1, 1000])
def test_a_run_that_ends_between_two_steps(length: int) -> None:
    """Memory that cannot be had ends a run while states have each other's memory."""
    program, judge = (tolang.compile(ENDING, engine=one, fallback=False) for one in ("cpu", "interpret"))
    x = np.arange(length) * 1.0
    np.testing.assert_array_equal(program(x, 3), judge(x, 3))
    with pytest.raises(tolang.ToLangRunError, match="E508"):
        program(x, 10**15)
