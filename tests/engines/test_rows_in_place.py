"""Rows that become rows of a result lie there from the beginning, whatever they are divided by."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.plans import optimise

import tolang
from tolang.lower.steps import lower
from tolang.plan.nest import Allocate, Each, Plan
from tolang.plan.traversal import inner_steps

Array = NDArray[Any]
SOFTMAX = "tol x: {kind} [n,m]\ny := softmax(x, 2)\n"
DIVIDED = """\
tol x: {kind} [n,m]
doubled = map(x, * + *)
greatest = map(tol[n], reduce(doubled[i], max, -Inf), i)
y := map(doubled, * / greatest[i], [i,j])
"""


def own_rows(plan: Plan) -> list[str]:
    """The buffers that loops over rows have for themselves."""
    loops = [step for step in plan.steps if isinstance(step, Each)]
    assert loops
    return [s.buffer.name for loop in loops for s in inner_steps(loop) if isinstance(s, Allocate)]


def planned(source: str) -> Plan:
    return optimise(lower(tolang.compile(source).core))


@pytest.mark.parametrize("source", [SOFTMAX, DIVIDED])
def test_a_row_that_becomes_one_of_the_result_needs_no_memory_of_its_own(source: str) -> None:
    assert own_rows(planned(source.format(kind="f32"))) == []


READ_LATER = DIVIDED.format(kind="f32") + "z := map(tol[n], reduce(doubled[i], add, 0), i)\n"
BACKWARDS = DIVIDED.format(kind="f32").replace("map(doubled, * / greatest[i], [i,j])", "{}").format(
    "map(tol[n,m], doubled[i,m+1-j] / greatest[i], [i,j])"
)  # fmt: skip


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        (READ_LATER, lambda d: (d / d.max(1, keepdims=True), d.sum(1))),
        (BACKWARDS, lambda d: (d[:, ::-1] / d.max(1, keepdims=True),)),
    ],
    ids=["read later", "backwards"],
)
def test_rows_that_are_still_needed_are_kept(source: str, wanted: Any) -> None:
    x = np.random.default_rng(3).integers(1, 60, (5, 70)).astype(np.float32)
    found: Any = tolang.compile(source)(x=x)
    for one, other in zip(found.values() if isinstance(found, dict) else (found,), wanted(x + x), strict=True):
        np.testing.assert_array_equal(np.asarray(one), other)


@pytest.mark.compiled("full")
@pytest.mark.parametrize("kind", ["f32", "f64"])
def test_quotients_over_what_is_divided_have_the_bits_of_divisions(kind: str) -> None:
    rng = np.random.default_rng(17)
    exponents, dtype = (30, np.dtype(np.float32)) if kind == "f32" else (250, np.dtype(np.float64))
    x = rng.standard_normal((40, 203)) * 10.0 ** rng.integers(-exponents, exponents, (40, 1))
    x = x.astype(dtype)
    tiny = np.finfo(dtype).smallest_subnormal
    x[3, 50], x[4, 60], x[5, 70], x[6, 80], x[7, :] = tiny, np.inf, np.nan, np.finfo(dtype).max / 4, 0
    x[8, 1::2], x[9, ::3] = -0.0, tiny * 3
    with np.errstate(all="ignore"):
        doubled = x + x
        wanted = doubled / doubled.max(axis=1, keepdims=True)
    found = np.asarray(tolang.compile(DIVIDED.format(kind=kind))(x=x))
    np.testing.assert_array_equal(found, wanted)
    np.testing.assert_array_equal(np.signbit(found[wanted == 0]), np.signbit(wanted[wanted == 0]))


@pytest.mark.parametrize("shape", [(3, 1), (1, 100), (4, 31), (7, 1030), (0, 5), (5, 0)])
def test_softmax_in_place_is_that_of_the_interpreter(shape: tuple[int, int]) -> None:
    x = np.random.default_rng(5).standard_normal(shape).astype(np.float32) * 40
    source = SOFTMAX.format(kind="f32")
    compiled, interpreted = (np.asarray(tolang.compile(source, engine=one)(x=x)) for one in ("cpu", "interpret"))
    # rows of a thousand are summed in another order, and exponentials are a unit in the last place off
    np.testing.assert_allclose(compiled, interpreted, rtol=2e-6, atol=float(np.finfo(np.float32).tiny))
