"""Windows that reach over an edge: they read a copy with the edge around it, whatever lies outside, at every size."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.lib.stride_tricks import sliding_window_view
from tests.plans import optimise

import tolang
from tolang.idioms.contraction import contraction_of
from tolang.lower.steps import lower
from tolang.plan.nest import Each, Nest, Plan, Select, Step
from tolang.plan.traversal import inner_steps, occurrences, scalars_of

Array = np.ndarray[Any, Any]
Pair = tuple[int, int]


def windows(x: Array, kernel: Pair, strides: Pair, dilations: Pair, pads: tuple[int, ...], outside: float) -> Array:
    """All windows of the last two axes, as two more axes."""
    edges = [(0, 0), (0, 0), (pads[0], pads[2]), (pads[1], pads[3])]
    padded = np.pad(x, edges, constant_values=outside)
    reach = tuple((k - 1) * d + 1 for k, d in zip(kernel, dilations, strict=True))
    every = sliding_window_view(padded, reach, axis=(2, 3))
    return every[:, :, :: strides[0], :: strides[1], :: dilations[0], :: dilations[1]]


def guards(plan: Plan) -> int:
    def inside(step: Step) -> int:
        found = (one.scalar for scalar in scalars_of(step) for one in occurrences(scalar))
        own = sum(isinstance(one, Select) and one.guard is not None for one in found)
        return own + sum(inside(one) for one in inner_steps(step))

    return sum(inside(step) for step in plan.steps)


def convolution(kernel: Pair, strides: Pair, dilations: Pair, pads: tuple[int, ...]) -> str:
    attributes = f"strides={list(strides)}, dilations={list(dilations)}, pads={list(pads)}, group=3"
    return f"use onnx\ntol x: f32 [n,3,h,v]\ntol w: f32 [3,1,{kernel[0]},{kernel[1]}]\ny := Conv(x, w, {attributes})"


pairs = st.tuples(st.integers(1, 3), st.integers(1, 3))


@settings(max_examples=25, deadline=None)
@given(pairs, pairs, pairs, st.tuples(*[st.integers(0, 3)] * 4), st.tuples(*[st.integers(1, 9)] * 2))
def test_each_channel_with_its_own_window(
    kernel: Pair, strides: Pair, dilations: Pair, pads: tuple[int, ...], size: Pair
) -> None:
    reach = [(k - 1) * d + 1 for k, d in zip(kernel, dilations, strict=True)]
    if any(n + pads[axis] + pads[axis + 2] < reach[axis] for axis, n in enumerate(size)):
        return
    program = tolang.compile(convolution(kernel, strides, dilations, pads), engine="cpu", fallback=False)
    generator = np.random.default_rng(sum(size))
    w = generator.normal(size=(3, 1, *kernel)).astype("f4")
    x = generator.normal(size=(2, 3, *size)).astype("f4")
    expected = np.einsum("nchvab,cab->nchv", windows(x, kernel, strides, dilations, pads, 0), w[:, 0])
    np.testing.assert_allclose(program(x, w), expected, rtol=1e-4, atol=1e-4)  # sums of up to nine products


@pytest.mark.parametrize("size", [(1, 1), (2, 9), (30, 41)])
def test_largest_of_windows(size: Pair) -> None:
    """What lies outside is below everything."""
    text = "tol x: R [c,h,v]\nat(k, i, j) = if i > 0 and i <= h and j > 0 and j <= v then x[k,i,j] else -Inf\n"
    text += "y := map(x, reduce(map(tol[3,3], at(k, i+a-2, j+b-2), [a,b]), max, -Inf), [k,i,j])"
    x = np.random.default_rng(1).normal(size=(3, *size))
    expected = windows(x[None], (3, 3), (1, 1), (1, 1), (1, 1, 1, 1), -np.inf).max((-2, -1))[0]
    program = tolang.compile(text, engine="cpu", fallback=False)
    assert guards(optimise(lower(program.core))) == 0
    assert np.array_equal(program(x), expected)


def test_no_window_has_a_guard() -> None:
    plan = lower(tolang.compile(convolution((3, 3), (1, 1), (1, 1), (1, 1, 1, 1))).core)
    assert guards(plan)
    done = optimise(plan)
    assert guards(done) == 0
    (each,) = (step for step in done.steps if isinstance(step, Each))
    assert sum(isinstance(step, Nest) for step in each.steps) == 3


def test_without_channels_the_border_is_told_apart() -> None:
    """A copy of all there is would be as large as it is."""
    text = "tol x: R [h,v]\npadded(i, j) = if i > 0 and i <= h and j > 0 and j <= v then x[i,j] else 0\n"
    text += "y := map(x, reduce(map(tol[3,3], padded(i+a-2, j+b-2), [a,b]), add, 0), [i,j])"
    plan = optimise(lower(tolang.compile(text).core))
    assert not any("edge" in str(getattr(step, "buffer", "")) for step in plan.steps)
    x = np.random.default_rng(3).normal(size=(6, 7))
    expected = windows(x[None, None], (3, 3), (1, 1), (1, 1), (1, 1, 1, 1), 0).sum((-2, -1))[0, 0]
    np.testing.assert_allclose(tolang.compile(text, engine="cpu")(x), expected, rtol=1e-12, atol=1e-12)


def test_windows_of_what_was_moved_read_it_once() -> None:
    """Places along both axes of an image are one coordinate of what is read."""
    text = "use onnx\ntol x: f32 [n,h*v,3]\ntol w: f32 [3,1,3,3]\ntol like: f32 [h,v]\n"
    text += "moved = map(tol[n,3,h*v], x[i,k,j], [i,j,k])\n"
    text += "y := Conv(reshape(moved, [n,3,|like|]), w, pads=[1,1,1,1], group=3)"
    program = tolang.compile(text, engine="cpu", fallback=False)
    assert guards(optimise(lower(program.core))) == 0
    generator = np.random.default_rng(4)
    x, w = generator.normal(size=(2, 20, 3)).astype("f4"), generator.normal(size=(3, 1, 3, 3)).astype("f4")
    image = x.transpose(0, 2, 1).reshape(2, 3, 4, 5)
    expected = np.einsum("nchvab,cab->nchv", windows(image, (3, 3), (1, 1), (1, 1), (1, 1, 1, 1), 0), w[:, 0])
    found = program(x, w, np.zeros((4, 5), "f4"))
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4)  # sums of nine products


def test_windows_in_rows_read_a_copy_too() -> None:
    text = convolution((3, 3), (1, 1), (1, 1), (1, 1, 1, 1)).replace("y :=", "y =") + "\nz := GlobalAveragePool(y)"
    done = optimise(lower(tolang.compile(text).core))
    assert guards(done) == 0
    (each,) = (step for step in done.steps if isinstance(step, Each))
    assert len(each.iterators) == 2


def test_groups_of_channels_are_a_contraction() -> None:
    text = "use onnx\ntol x: f32 [n,12,h]\ntol w: f32 [24,4,1]\ny := Conv(x, w, group=3)"
    (nest,) = (step for step in optimise(lower(tolang.compile(text).core)).steps if isinstance(step, Nest))
    found = contraction_of(nest)
    assert found is not None
    assert [len(one) for one in (found.batch, found.rows, found.columns)] == [1, 1, 2]


@pytest.mark.parametrize(
    "made",
    [
        "x = map(u, exp(*) + u[i,11-j,c], [i,j,c])",
        "x = reshape(map(tol[640], exp(-k/700) + k/7, k), [4,10,16])",
        "v = map(tol[40,16], exp(u[|tol[(r-1)/10]|[1]+1, (r-1)%10+1, c]), [r,c])\nx = reshape(v, [4,10,16])",
        "v = map(tol[16,4,10], exp(u[i,j,c]), [c,i,j])\nx = map(tol[4,10,16], v[c,i,j] * 2, [i,j,c])",
        "x = map(tol[4,10,16], reduce(map(tol[16], u[i,j,k] * m[k,c], k), add, 0), [i,j,c])",
    ],
)
def test_what_is_computed_inside_an_edge_is_what_would_be_copied_there(made: str) -> None:
    """However it was written, and though others read it, too."""
    source = (
        f"tol u: f32 [4,10,16]\ntol w: f32 [3,16]\ntol m: f32 [16,16]\n{made}\n"
        "at(i, j, c) = if j > 0 and j <= 10 then x[i,j,c] else 0\n"
        "y := map(x, reduce(map(tol[3], at(i, j+a-2, c) * w[a,c], a), add, 0) + *, [i,j,c])"
    )
    generator = np.random.default_rng(1)
    data = [generator.random(shape, dtype=np.float32) for shape in ((4, 10, 16), (3, 16), (16, 16))]
    found = tolang.compile(source, engine="cpu", fallback=False)(*data)
    np.testing.assert_allclose(found, tolang.compile(source, engine="interpret")(*data), rtol=1e-5)
