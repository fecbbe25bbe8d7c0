"""The same bits whatever the number of threads, the level of optimisation, the place of an element, and whether inputs are
fixed: for every strategy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.schedule.test_schedules import CASES

import tolang
from tolang.program.runner import Runner

pytestmark = pytest.mark.sampled(3)

GENERATOR = np.random.default_rng(3)
LARGE = {
    "label": GENERATOR.integers(1, 9, 30011),
    "start": GENERATOR.integers(1, 1001, 30011),
    "ways": GENERATOR.integers(1, 1001, (1000, 2)),
    "x": GENERATOR.random(300007),
    "a": GENERATOR.random((261, 515)),
    "b": GENERATOR.random((515, 133)),
}
THREADS = (1, 2, 3, 5, 8)


def data_of(name: str) -> dict[str, Any]:
    """Data of odd lengths, long enough to be shared out; lengths that a program writes stay."""
    _, small, fixed = CASES[name]
    if fixed or name == "histogram":
        return small if name != "histogram" else {"x": GENERATOR.integers(1, 9, 2_000_003)}
    if name in ("segment reduce", "owned rows"):
        return {"a": GENERATOR.random((30011, 3)), "label": LARGE["label"]}
    if name == "matrix-vector":
        return {"a": LARGE["a"], "x": LARGE["x"][:515]}
    return {key: LARGE[key] for key in small} if small.keys() <= LARGE.keys() else small


def bits(name: str, threads: int, data: dict[str, Any]) -> bytes:
    found = tolang.compile(CASES[name][0], engine="cpu", fallback=False, threads=threads)(**data)
    return np.asarray(found).tobytes()


@pytest.mark.parametrize("name", CASES)
def test_threads(name: str) -> None:
    data = data_of(name)
    assert len({bits(name, threads, data) for threads in THREADS}) == 1


@pytest.mark.parametrize("name", CASES)
def test_levels(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    data = data_of(name)
    monkeypatch.delenv("TOL_COMPILE", raising=False)
    full = bits(name, 2, data)
    monkeypatch.setenv("TOL_COMPILE", "quick")
    assert bits(name, 2, data) == full


FIXED = [name for name in CASES if CASES[name][2]]
ODD = {"sum": "reduce(a[i], add, 0)", "product": "reduce(map(a[i], (v,k) -> v*x[k]), add, 0)", "largest": "reduce(a[i], max, -Inf)",
       "exponentials": "reduce(map(a[i], exp(*)), add, 0)", "chosen": "reduce(map(a[i], if * > 0.5 then * else 0), add, 0)",
       "guarded": "reduce(map(tol[m], if k > 2 then a[i,k] else x[k], k), add, 0)", "gathered": "reduce(map(tol[m], a[i,p[k]], k), add, 0)",
       "nested": "reduce(map(tol[m], reduce(a[i], max, x[k]), k), add, 0)"}  # fmt: skip


@pytest.mark.parametrize("name", FIXED)
def test_fixed_and_free(name: str) -> None:
    """Matrices that are laid out once, and those that are packed in every call."""
    source, data, fixed = CASES[name]
    job = tolang.compile(source).job((), data)
    engine = Runner("cpu", fallback=False)
    engine.fix(job.core, {one: job.inputs[one] for one in fixed})
    laid_out = engine.run(job.core, job.inputs, job.sizes, 0)[0].to_numpy()
    assert laid_out.tobytes() == bits(name, 2, data)


@pytest.mark.parametrize("kind", ["f4", "f8"])
@pytest.mark.parametrize("name", ODD)
def test_equal_rows_of_every_length(name: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """At lengths around one vector, and around rounds of them: one result in all rows, on all threads, at both levels."""
    source = f"tol a: R [n,m]\ntol x: R [m]\ntol p: N [m]\nr := map(tol[n], {ODD[name]}, i)"
    expected = tolang.compile(source, engine="interpret")
    for length in (1, 7, 8, 9, 15, 17, 31, 33, 63, 64, 65, 127, 129, 200, 515):
        generator = np.random.default_rng(length)
        row, x, p = generator.random(length), generator.random(length), generator.permutation(length) + 1
        data = np.tile(row, (11, 1)).astype(kind), x.astype(kind), p
        found = []
        for level, threads in (("", 1), ("", 3), ("quick", 2)):
            monkeypatch.setenv("TOL_COMPILE", level)
            found.append(tolang.compile(source, engine="cpu", fallback=False, threads=threads)(*data))
        assert len({value.tobytes() for result in found for value in result}) == 1, length
        assert np.allclose(found[0], expected(*data), rtol=1e-5 if kind == "f4" else 1e-13)  # another order of sums
