"""States that are joined of vectors, each computed where it goes, and lengths from data that say how long a nest is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tolang
from tolang.ground.reporting.diagnostics import ToLangError
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.spaces import column
from tolang.plan.nest import Allocate, Assign, Bind, Buffer, Index, Load, Nest, Plan
from tolang.rewrite.concat_elimination import compute_end_to_end

RNG = np.random.default_rng(7)

WALSH = """tol x: R [2*n]
tol t: N
pairs(s) = map(tol[n], (s[2*k-1] + s[2*k], s[2*k-1] - s[2*k]), k)
stage(s) = { z = pairs(s); [z[1]', z[2]'] }
y := reduce(tol[t], (s,e) -> stage(s), x)"""
BOTH_READ = """tol x: R [2*n]
tol t: N
stage(s) = {
  z = map(tol[n], (s[2*k-1] + s[2*k], s[2*k-1] - s[2*k]), k)
  half = sum(z[1]') / (2*n)
  [map(z[1]', * - half), z[2]']
}
y := reduce(tol[t], (s,e) -> stage(s), x)"""
EXCHANGED = """tol x: R [2*n]
tol t: N
stage(s) = { z = map(tol[n], (s[k], 2*s[n+k]), k); [z[2]', z[1]'] }
y := reduce(tol[t], (s,e) -> stage(s), x)"""
BY_ROWS = """tol x: R [n]
tol t: N
stage(s, p) = {
  rows = reshape(s, [|tol[n/(2*p)]|[1], 2, p])
  z = map(tol[|tol[n/(2*p)]|[1], p], (rows[i,1,j] + rows[i,2,j], rows[i,1,j] - rows[i,2,j]), [i,j])
  reshape([flatten(z[1]'), flatten(z[2]')], [n])
}
y := reduce(tol[t], (s,e,k) -> stage(s, |tol[2^(t-k)]|[1]), x)"""


def walsh(x: Any, stages: int) -> Any:
    for _ in range(stages):
        x = np.concatenate([x[::2] + x[1::2], x[::2] - x[1::2]])
    return x


def both_read(x: Any, stages: int) -> Any:
    for _ in range(stages):
        left, right = x[::2] + x[1::2], x[::2] - x[1::2]
        x = np.concatenate([left - left.sum() / len(x), right])
    return x


def exchanged(x: Any, stages: int) -> Any:
    for _ in range(stages):
        left, right = np.split(x, 2)
        x = np.concatenate([2 * right, left])
    return x


def by_rows(x: Any, stages: int) -> Any:
    for stage in reversed(range(stages)):
        rows = x.reshape(-1, 2, 2**stage)
        x = np.concatenate([(rows[:, 0] + rows[:, 1]).ravel(), (rows[:, 0] - rows[:, 1]).ravel()])
    return x


@pytest.mark.parametrize("length", [16, 64, 1024])
@pytest.mark.parametrize(
    ("source", "judge"), [(WALSH, walsh), (BOTH_READ, both_read), (EXCHANGED, exchanged), (BY_ROWS, by_rows)]
)
def test_joined_states(source: str, judge: Any, length: int) -> None:
    x, stages = RNG.standard_normal(length), length.bit_length() - 1
    found = tolang.compile(source, engine="cpu")(x, stages)
    assert np.allclose(found, judge(x, stages), rtol=1e-12)
    expected = tolang.compile(source, engine="interpret")(
        x, stages
    )  # whose sums are in order: others to the last digits
    assert np.array_equal(expected, found) or (judge is both_read and np.allclose(expected, found, rtol=1e-12))


def test_they_are_computed_once() -> None:
    plan = tolang.compile(BY_ROWS).explain().full.split("== plan ==")[1]
    assert "buffer z" not in plan
    assert "concat elimination" in plan


@pytest.mark.parametrize("parts", ["flatten(z[1]'), flatten(z[2]')", "flatten(z[1]'), flatten(z[1]'), flatten(z[2]')"])
def test_a_length_that_does_not_fit_is_told(parts: str) -> None:
    """Nothing is written before it is known that all of a state has room."""
    source = BY_ROWS.replace("flatten(z[1]'), flatten(z[2]')", parts)
    x = RNG.standard_normal(20 if source == BY_ROWS else 64)
    codes = set()
    for engine in ("cpu", "interpret"):
        with pytest.raises(ToLangError) as told:
            tolang.compile(source, engine=engine)(x, 3)
        codes.add(told.value.code)
    assert len(codes) == 1


@pytest.mark.parametrize(("rows", "columns"), [(3, 5), (0, 10**12), (10**6, 0), (40, 1), (1, 40)])
def test_lengths_from_data(rows: int, columns: int) -> None:
    source = "tol v: Z [2]\ntol x: R [m]\ny := map(tol[v[1],v[2]], x[(i-1)*v[2] + j] + i*v[2], [i,j])"
    x = RNG.standard_normal(200)
    found = tolang.compile(source, engine="cpu")(np.array([rows, columns]), x)
    assert found.shape == (rows, columns)
    expected = x[: rows * columns].reshape(rows, columns) + (np.arange(rows) + 1.0)[:, None] * columns
    assert np.array_equal(found, expected)


@pytest.mark.parametrize("lengths", [(3, 80), (-1, 3)])
def test_lengths_from_data_outside(lengths: tuple[int, int]) -> None:
    source = "tol v: Z [2]\ntol x: R [m]\ny := map(tol[v[1],v[2]], x[(i-1)*v[2] + j], [i,j])"
    codes = set()
    for engine in ("cpu", "interpret"):
        with pytest.raises(ToLangError) as told:
            tolang.compile(source, engine=engine)(np.array(lengths), np.ones(200))
        codes.add(told.value.code)
    assert len(codes) == 1


@pytest.mark.parametrize("length", [1, 30, 100_000])
def test_places_beyond_words(length: int) -> None:
    """What would leave 64 bits at the end of a nest is left to the interpreter, and exact."""
    source = "tol v: Z [1]\nn = |tol[v[1]]|[1]\ny := map(tol[n], if i*n*n*n*n <= 5 then i else n + i, i)"
    found = tolang.compile(source, engine="cpu")(np.array([length]))
    places = np.arange(1, length + 1)
    assert np.array_equal(found, np.where(places.astype(object) * length**4 <= 5, places, places + length))


@pytest.mark.parametrize("changes", [False, True])
def test_lengths_that_change_meanwhile(changes: bool) -> None:
    """A buffer is computed where it is copied to only if that is the same place before."""
    real, whole, k, width = column("R"), column("Z"), Size.of("k"), Size.of("w")
    given, made, goal = (
        Buffer(name, real, (length,)) for name, length in (("x", width), ("s", width), ("y", Size.of(9)))
    )
    fill = Nest(("k",), (width,), ((made, (k,)),), (Load(given, (k,), column=real),))
    copy = Nest(("k",), (width,), ((goal, (k,)),), (Load(made, (k,), column=real),))
    shorter = (Assign("w", Index(Size.of(4), column=whole)),) if changes else ()
    begin = Bind("w", Index(Size.of(8), column=whole), changes)
    plan = Plan((), (given,), (begin, Allocate(made), fill, *shorter, Allocate(goal), copy), ((goal,),))
    steps = compute_end_to_end(plan).steps
    assert (steps == plan.steps) == changes
    assert sum(isinstance(step, Nest) for step in steps) == 1 + changes
