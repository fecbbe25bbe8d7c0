"""Tiles that write their results themselves: the same numbers as an interpreter's, wherever these lie, in all cuts."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest
from tests.plans import optimise

import tolang
from tolang.engines.cpu.contraction.results import result_of
from tolang.engines.cpu.runtime.native import host_target
from tolang.idioms.contraction import contraction_of
from tolang.lower.steps import lower
from tolang.plan.nest import Nest
from tolang.schedule.tile import tile_of

CASES = """
import numpy as np, tolang

generator = np.random.default_rng(8)

def product(storage, form):
    return f"tol a: {storage} [n,k]\\ntol b: {storage} [k,m]\\nc := {form}"

SUM = "map(tol[n,m], reduce(map(tol[k], a[i,p] * b[p,j], p), add, 0), [i,j])"
FORMS = {
    SUM: lambda a, b: a @ b,
    "map(tol[m,n], reduce(map(tol[k], a[i,p] * b[p,j], p), add, 0), [j,i])": lambda a, b: (a @ b).T,
    "map(tol[n,m], reduce(map(tol[k], a[i,p] * b[p,j], p), add, 3), [i,j])": lambda a, b: a @ b + 3,
    "map(tol[n,m], reduce(map(tol[k], a[i,p] * b[p,j], p), add, 0) + 1, [i,j])": lambda a, b: a @ b + 1,
    "map(tol[n,m], reduce(map(tol[k], a[i,p] + b[p,j], p), min, 1000), [i,j])": lambda a, b: (a[:, :, None] + b).min(1),
    "map(tol[n+2,m+1], if i > 1 and i < n+2 and j > 1 then reduce(map(tol[k], a[i-1,p] * b[p,j-1], p), add, 0) else 7, [i,j])":
        lambda a, b: np.pad(a @ b, ((1, 1), (1, 0)), constant_values=7),
}
OTHERS = {
    "tol a: f32 [h,w,k]\\ntol b: f32 [k,m]\\nc := map(tol[h,w,m], reduce(map(tol[k], a[i,j,p] * b[p,l], p), add, 0), [i,j,l])":
        ((5, 7, 300), (300, 140), lambda a, b: a @ b),
    "tol a: f32 [n,k]\\ntol b: f32 [k,u,v]\\nc := map(tol[n,u,v], reduce(map(tol[k], a[i,p] * b[p,j,l], p), add, 0), [i,j,l])":
        ((23, 300), (300, 5, 47), lambda a, b: np.einsum("nk,kuv->nuv", a, b)),
    "tol a: f32 [s,n,k]\\ntol b: f32 [s,k,m]\\nc := map(tol[s,n,m], reduce(map(tol[k], a[t,i,p] * b[t,p,j], p), add, 0), [t,i,j])":
        ((5, 31, 260), (5, 260, 135), lambda a, b: a @ b),
    "tol a: f32 [n,s,k]\\ntol b: f32 [s,k,m]\\nc := map(tol[n,s,m], reduce(map(tol[k], a[i,t,p] * b[t,p,j], p), add, 0), [i,t,j])":
        ((31, 3, 260), (3, 260, 135), lambda a, b: np.einsum("nsk,skm->nsm", a, b)),
}
BATCH = next(source for source in OTHERS if "tol[s,n,m]" in source)
WIDTHS = (8, 16, 24, 32, 48, 64, 96)  # the last columns are all that a narrow tile has, or a part of it

def check(source, a, b, expected):
    for threads in (1, 3):
        found = tolang.compile(source, engine="cpu", fallback=False, threads=threads)(a, b)
        assert np.array_equal(found, expected), (source, threads, a.shape, b.shape)

def whole(shape, kind):
    return generator.integers(-9, 9, shape).astype(kind)  # sums of such numbers are exact in any order

for storage, kind in (("f32", np.float32), ("f64", np.float64), ("i32", np.int32), ("Z", np.int64)):
    for form, expected in FORMS.items():
        for n, k, m in ((1, 1, 1), (12, 64, 128), (29, 700, 150), (64, 1030, 64), (97, 9, 330)):
            a, b = whole((n, k), kind), whole((k, m), kind)
            check(product(storage, form), a, b, expected(a, b))
for source, (left, right, expected) in OTHERS.items():
    a, b = whole(left, np.float32), whole(right, np.float32)
    check(source, a, b, expected(a, b))
for n in (13, 24):  # the last tile has fewer rows than others, or all
    for m in WIDTHS:
        a, b = whole((40, n, 20), np.float32), whole((40, 20, m), np.float32)
        check(BATCH, a, b, a @ b)
print("equal")
"""


@pytest.mark.sampled(2)
@pytest.mark.parametrize("guard", ["", "end", "start"])
@pytest.mark.parametrize("caches", ["32K,128K,1M", "48K,2M,8M"])
def test_results_are_those_of_numpy(caches: str, guard: str) -> None:
    """Of small caches depths are cut, and sums rest in the result; of large ones they are written there at the end.

    Nothing is written beside a result: where memory is guarded, that would end the process.
    """
    environment = os.environ | {"TOL_CACHES": caches} | ({"TOL_GUARD": guard} if guard else {})
    found = subprocess.run(
        [sys.executable, "-c", CASES], env=environment, capture_output=True, text=True, check=False, timeout=240
    )
    assert found.stdout == "equal\n", found.stderr


PRODUCT = "tol a: f32 [100,300]\ntol b: f32 [300,200]\nc := "


@pytest.mark.parametrize(
    ("form", "themselves"),
    [
        ("map(tol[100,200], reduce(map(tol[300], a[i,p] * b[p,j], p), add, 0), [i,j])", True),
        ("map(tol[100,200], reduce(map(tol[300], a[i,p] + b[p,j], p), min, Inf), [i,j])", True),
        ("map(tol[100,200], reduce(map(tol[300], a[i,p] * b[p,j], p), add, 0) + 1, [i,j])", False),
    ],
)
def test_who_writes_results(form: str, themselves: bool) -> None:
    """Tiles do where an element is what the fold gives; else what is around the fold has to be computed."""
    steps = [s for s in optimise(lower(tolang.compile(PRODUCT + form).core)).steps if isinstance(s, Nest)]
    found = [contraction for step in steps if (contraction := contraction_of(step)) is not None]
    assert found
    frame: Any = None  # it is asked for addresses alone
    for contraction in found:
        result = result_of(frame, contraction, tile_of(contraction, host_target()), "f32")
        assert (result is not None) == themselves
