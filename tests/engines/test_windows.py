"""Windows: contractions whose columns are read from a copy, held against NumPy's own windows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.plans import optimise

import tolang
from tolang.lower.steps import lower
from tolang.plan.printer import print_plan
from tolang.program.runner import Runner

Array = np.ndarray[Any, Any]
PLANE = """tol x: {kind} [n,c,h,w]
tol k: {kind} [m,c,r,s]
at(i,q,y,z) = if y >= 1 and y <= h and z >= 1 and z <= w then {read} else {outside}
taps(i,o,y,z) = map(k[o], * {by} at(i, q, (y-1)*{step} + (u-1)*{apart} + 1 - {pad}, (z-1)*{step} + (v-1)*{apart} + 1 - {pad}), [q,u,v])
tol result = [n, m, (h + 2*{pad} - (r-1)*{apart} - 1)/{step} + 1, (w + 2*{pad} - (s-1)*{apart} - 1)/{step} + 1]
y := map(result, reduce(taps(i,o,y,z), {fold}, {initial}), [i,o,y,z])
"""
SHAPES = [
    (1, 3, 9, 9, 5, 3, 3), (2, 5, 17, 23, 13, 3, 5), (1, 70, 7, 7, 20, 3, 3), (3, 2, 1, 1, 4, 1, 1), (2, 4, 30, 6, 9, 2, 3),
    (1, 1, 5, 64, 8, 1, 7), (0, 3, 7, 7, 2, 3, 3), (1, 3, 7, 7, 0, 3, 3), (1, 0, 7, 7, 3, 3, 3), (1, 130, 14, 14, 33, 3, 3),
    (2, 30, 10, 11, 50, 3, 3), (1, 260, 7, 6, 70, 1, 1),
]  # fmt: skip
"""The last two have so many maps, and so long folds, that maps fill vectors on some machines."""


def source(step: int = 1, pad: int = 0, apart: int = 1, **parts: str) -> str:
    usual = {"kind": "f32", "read": "x[i,q,y,z]", "outside": "0", "by": "*", "fold": "add", "initial": "0"}
    return PLANE.format(step=step, pad=pad, apart=apart, **usual | parts)


def windows(x: Array, r: int, s: int, step: int, pad: int, apart: int, outside: float = 0.0) -> Array:
    """All windows of images: image, channel, place, place within."""
    padded = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)), constant_values=outside)
    shape = ((r - 1) * apart + 1, (s - 1) * apart + 1)
    found = np.lib.stride_tricks.sliding_window_view(padded, shape, axis=(2, 3))
    return found[:, :, ::step, ::step, ::apart, ::apart]


def data(shape: tuple[int, ...], kind: str = "f4") -> tuple[Array, Array]:
    n, c, h, w, m, r, s = shape
    generator = np.random.default_rng(sum(shape))
    return generator.standard_normal((n, c, h, w)).astype(kind), generator.standard_normal((m, c, r, s)).astype(kind)


@pytest.mark.parametrize(
    ("step", "pad", "apart"), [(1, 0, 1), (1, 1, 1), (2, 1, 1), (3, 2, 1), (1, 2, 2), (2, 3, 3), (5, 0, 1)]
)
def test_against_windows_of_numpy(step: int, pad: int, apart: int) -> None:
    """Images of every size, none and one among them; windows that move, that are wide, that reach over edges."""
    program = tolang.compile(source(step, pad, apart), engine="cpu", fallback=False)
    for shape in SHAPES:
        x, k = data(shape)
        if min(shape[2] + 2 * pad - (shape[5] - 1) * apart, shape[3] + 2 * pad - (shape[6] - 1) * apart) < 1:
            continue
        cut = windows(x, *shape[5:], step, pad, apart)
        expected = np.einsum("nchwrs,mcrs->nmhw", cut.astype("f8"), k.astype("f8"))
        found = program(x, k)
        assert found.shape == expected.shape, shape
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4, err_msg=str(shape))


def test_weights_that_are_fixed_are_of_any_shape() -> None:
    """What is known of fixed weights is known of these alone."""
    program = tolang.compile(source(2, 1), engine="cpu", fallback=False)
    for shape in ((2, 30, 9, 8, 50, 3, 3), (1, 30, 9, 8, 20, 3, 3), (1, 260, 9, 8, 50, 1, 1)):
        x, k = data(shape)
        expected = np.einsum("nchwrs,mcrs->nmhw", windows(x, *shape[5:], 2, 1, 1).astype("f8"), k.astype("f8"))
        fixed = program.fix(k=k)
        for _ in range(2):
            np.testing.assert_allclose(fixed(x), expected, rtol=1e-4, atol=1e-4)
        with pytest.raises(tolang.ToLangError, match=r"shape|length"):
            fixed(x[:, 1:])


def test_other_folds_functions_and_edges() -> None:
    """Largest sums over windows, with an edge that never wins; an operand of which something is computed first."""
    parts: dict[str, Any] = {"outside": "-Inf", "by": "+", "fold": "max", "initial": "-Inf", "kind": "f64"}
    x, k = data((2, 3, 11, 13, 7, 3, 3), "f8")
    found = tolang.compile(source(1, 1, **parts), engine="cpu", fallback=False)(x, k)
    cut = windows(x, 3, 3, 1, 1, 1, -np.inf)
    expected = (cut[:, None] + k[None, :, :, None, None]).max(axis=(2, 5, 6))
    assert np.array_equal(found, expected)
    squared = tolang.compile(source(2, 1, read="x[i,q,y,z]^2 + 1", kind="f64"), engine="cpu", fallback=False)(x, k)
    inside = np.pad(np.ones_like(x), ((0, 0), (0, 0), (1, 1), (1, 1)))
    cut = windows(x, 3, 3, 2, 1, 1) ** 2 + windows(inside, 3, 3, 2, 0, 1)
    np.testing.assert_allclose(squared, np.einsum("nchwrs,mcrs->nmhw", cut, k), rtol=1e-12, atol=1e-12)


def test_one_and_three_dimensions() -> None:
    line = "tol x: R [c,n]\ntol k: R [m,c,3]\ny := map(tol[m,n-2], reduce(map(k[o], * * x[q,i+u-1], [q,u]), add, 0), [o,i])"
    generator = np.random.default_rng(1)
    program = tolang.compile(line, engine="cpu", fallback=False)
    for length in (3, 4, 7, 13, 100, 199, 200, 201):
        x, k = generator.random((5, length)), generator.random((9, 5, 3))
        cut = np.lib.stride_tricks.sliding_window_view(x, 3, axis=1)
        np.testing.assert_allclose(program(x, k), np.einsum("cnu,mcu->mn", cut, k), rtol=1e-12)
    lines = line.replace("x: R [c,n]", "x: R [b,c,n]").replace("tol[m,n-2]", "tol[b,m,n-2]")
    lines = lines.replace("x[q,i+u-1]", "x[f,q,2*i+u-2]").replace("n-2]", "n/2-1]").replace("[o,i])", "[f,o,i])")
    program = tolang.compile(lines, engine="cpu", fallback=False)
    for length in (4, 6, 14, 30, 202):
        x, k = generator.random((3, 5, length)), generator.random((9, 5, 3))
        cut = np.lib.stride_tricks.sliding_window_view(x, 3, axis=2)[:, :, ::2]
        expected = np.einsum("bcnu,mcu->bmn", cut, k)
        np.testing.assert_allclose(program(x, k), expected[:, :, : length // 2 - 1], rtol=1e-12)
    solid = (
        "tol x: R [a,b,c]\ntol k: R [m,2,3,2]\n"
        "y := map(tol[m,a-1,b-2,c-1], reduce(map(k[o], * * x[f+u-1,g+v-1,h+t-1], [u,v,t]), add, 0), [o,f,g,h])"
    )
    x, k = generator.random((6, 7, 9)), generator.random((5, 2, 3, 2))
    cut = np.lib.stride_tricks.sliding_window_view(x, (2, 3, 2))
    found = tolang.compile(solid, engine="cpu", fallback=False)(x, k)
    np.testing.assert_allclose(found, np.einsum("fghuvt,muvt->mfgh", cut, k), rtol=1e-12)


def test_equal_columns_are_equal_wherever_they_lie() -> None:
    """An image of equal rows and columns: every element away from the edge has the same bits."""
    program = tolang.compile(source(1, 1), engine="cpu", fallback=False)
    for size in (5, 7, 14, 15, 16, 17, 31, 33, 49):
        found = program(np.full((1, 37, size, size), 0.1, "f4"), np.full((9, 37, 3, 3), 0.3, "f4"))
        assert len(set(found[0, :, 1:-1, 1:-1].ravel().tolist())) == 1, size


def test_windows_of_one_element_are_packed() -> None:
    """Where a length decides, the plan has both ways; where it is known, there is one."""
    text = print_plan(optimise(lower(tolang.compile(source(1, 1)).core)))
    assert "by windows" in text
    assert "by contraction" in text
    for length, name in ((1, "by contraction"), (3, "by windows")):
        known = source(1, 1).replace("[m,c,r,s]", f"[m,c,{length},{length}]").replace("(r-1)", f"({length}-1)")
        text = print_plan(optimise(lower(tolang.compile(known.replace("(s-1)", f"({length}-1)")).core)))
        assert name in text
        assert ("by windows" in text) != ("by contraction" in text)


def test_weights_that_are_fixed_give_the_same_bits() -> None:
    """Rows that were laid out once, and rows that are packed in every call, at strides of one and two."""
    for step in (1, 2):
        text = source(step, 1).replace("[m,c,r,s]", "[13,5,3,3]").replace("[n,c,h,w]", "[n,5,h,w]")
        text = text.replace("[n, m,", "[n, 13,").replace("(r-1)", "2").replace("(s-1)", "2")
        x, k = data((2, 5, 15, 17, 13, 3, 3))
        program = tolang.compile(text)
        job = program.job((), {"x": x, "k": k})
        engine = Runner("cpu", fallback=False)
        engine.fix(job.core, {"k": job.inputs["k"]})
        assert engine.fixed_inputs(job.core) == {"k"}
        laid_out = engine.run(job.core, job.inputs, job.sizes, 0)[0].to_numpy()
        assert laid_out.tobytes() == program(x, k).tobytes()
        cut = windows(x, 3, 3, step, 1, 1)
        np.testing.assert_allclose(laid_out, np.einsum("nchwrs,mcrs->nmhw", cut, k), rtol=1e-4, atol=1e-4)
