"""The spine: every definition of section 8 of the language, and a semiring product through a user's wrapper, from text
to machine code, at two ranks and three sizes without a second compilation, equal to NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tolang
from tolang.engines.cpu.runtime import loaded, native

Array = np.ndarray[Any, Any]

SECTION_8 = """
without(v, j) = [v[1:j-1], v[j+1:]]
pick(v, idx)  = map(idx, k -> v[k])
line(x, axis, c) = map(tol[|x|[axis]], x[c[1:axis-1], k, c[axis:]], k)
reduce_axis(x, f, init, axis) = map(tol[without(|x|,axis)], reduce(line(x,axis,c), f, init), *c)
softmax(x, axis) = {
  top   = reduce_axis(x, max, -Inf, axis)
  e     = map(x, exp(* - top[without(c,axis)]), *c)
  total = reduce_axis(e, add, 0, axis)
  map(e, * / total[without(c,axis)], *c)
}
convolve(x, w, strides, dilations, pads, out, groups=1) = {
  inside(p)  = reduce(map(p, (* >= 1) and (* <= |x|[2+k]), k), and, true)
  at(n,ch,p) = if inside(p) then x[n,ch,p] else 0
  channel(m) = floor((m-1) / (|w|[1]/groups)) * |w|[2]
  tap(c,q)   = at(c[1], channel(c[2]) + q[1], (c[3:]-1)*strides + (q[2:]-1)*dilations + 1 - pads)
  map(tol[|x|[1],|w|[1],out], reduce(map(w[c[2]], * * tap(c,q), *q), add, 0), *c)
}
filter(t, p)  = reduce(t, (s,x) -> if p(x) then [s,x] else s, tol[0])
scan(t, f, i) = reduce(t, (s,x) -> [s, f(s[|s|[1]], x)], [i])[2:]
argmin(t)     = reduce(map(t, (*, iter)), (s,x) -> if x[1]' < s[1]' then x else s, (+Inf,0))[2]'
sort(t)       = reduce(t, (s,x) -> { k = reduce(map(s, * <= x), add, 0); [s[1:k], x, s[k+1:]] }, tol[0])
product(a, b, times, plus, zero) = map(tol[|a|[1],|b|[2]], reduce(map(a[i], times(*, b[*,j])), plus, zero), [i,j])
min_plus(a, b) = product(a, b, add, min, +Inf)
"""


def softmax(x: Array, axis: int) -> Array:
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return np.asarray(e / e.sum(axis=axis, keepdims=True))


def convolve(x: Array, w: Array, stride: int, pad: int) -> Array:
    """Convolution by its definition, over any number of spatial dimensions."""
    rank = x.ndim - 2
    padded = np.pad(x, [(0, 0), (0, 0)] + [(pad, pad)] * rank)
    windows = np.lib.stride_tricks.sliding_window_view(padded, w.shape[2:], axis=tuple(range(2, x.ndim)))
    windows = windows[(slice(None), slice(None)) + (slice(None, None, stride),) * rank]
    subscripts = "nc" + "hij"[:rank] + "uvw"[:rank] + ",mc" + "uvw"[:rank] + "->nm" + "hij"[:rank]
    return np.asarray(np.einsum(subscripts, windows, w))


def min_plus(a: Array) -> Array:
    return np.asarray((a[:, :, None] + a[None, :, :]).min(axis=1))


def shape_of(length: int) -> tuple[int, ...]:
    return (length,)


VECTORS: list[tuple[int, ...]] = [(1,), (5,), (23,)]
MATRICES: list[tuple[int, ...]] = [(1, 4), (5, 1), (6, 7)]
CUBES: list[tuple[int, ...]] = [(2, 3, 4), (1, 5, 2), (4, 1, 6)]
SQUARES: list[tuple[int, ...]] = [(1, 1), (4, 4), (9, 9)]
Case = tuple[str, str, list[tuple[int, ...]], Callable[[Array], Any]]
CASES: list[Case] = [
    ("without, vector", "tol x: R [n]\ny := without(x, 1)", VECTORS, lambda x: x[1:]),
    ("pick", "tol x: R [n]\ny := pick(x, map(x, |x|[1] + 1 - iter))", VECTORS, lambda x: x[::-1]),
    ("reduce_axis, matrix", "tol x: R [n,m]\ny := reduce_axis(x, add, 0, 1)", MATRICES, lambda x: x.sum(axis=0)),
    ("reduce_axis, cube", "tol x: R [n,m,k]\ny := reduce_axis(x, max, -Inf, 2)", CUBES, lambda x: x.max(axis=1)),
    ("softmax, matrix", "tol x: R [n,m]\ny := softmax(x, 2)", MATRICES, lambda x: softmax(x, 1)),
    ("softmax, cube", "tol x: R [n,m,k]\ny := softmax(x, 1)", CUBES, lambda x: softmax(x, 0)),
    ("filter", "tol x: R [n]\ny := filter(x, v -> v > 0)", VECTORS, lambda x: x[x > 0]),
    ("scan", "tol x: R [n]\ny := scan(x, add, 0)", VECTORS, lambda x: x.cumsum()),
    ("argmin", "tol x: R [n]\ny := argmin(x)", VECTORS, lambda x: np.asarray(x.argmin() + 1)),
    ("argmin of rows", "tol x: R [n,m]\ny := map(tol[n], argmin(x[i]), i)", MATRICES, lambda x: x.argmin(axis=1) + 1),
    ("sort", "tol x: R [n]\ny := sort(x)", VECTORS, np.sort),
    ("sort of rows", "tol x: R [n,m]\ny := map(tol[n], sort(x[i]), i)", MATRICES, lambda x: np.sort(x, axis=1)),
    ("min-plus by a wrapper", "tol x: R [n,n]\ny := min_plus(x, x)", SQUARES, min_plus),
    ("min-plus repeated", "tol x: R [n,n]\ny := reduce(tol[2], (d, t) -> min_plus(d, d), x)", SQUARES,
     lambda x: min_plus(min_plus(x))),
]  # fmt: skip


@pytest.fixture
def compilations(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows by one whenever machine code is made."""
    made: list[int] = []
    original = native.machine_code

    def counted(module: Any, written_out: bool = False) -> bytes:
        made.append(1)
        return original(module, written_out)

    monkeypatch.setattr(native, "machine_code", counted)
    monkeypatch.setenv("TOL_CACHE_DIR", "off")
    loaded.forget()
    return made


@pytest.mark.parametrize(("source", "shapes", "expected"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_definition_compiles_once_for_all_lengths_and_is_right(
    source: str, shapes: list[tuple[int, ...]], expected: Callable[[Array], Array], compilations: list[int]
) -> None:
    generator = np.random.default_rng(1)
    compiled = tolang.compile(SECTION_8 + source, engine="cpu", fallback=False)
    interpreted = tolang.compile(SECTION_8 + source, engine="interpret")
    made = 0
    for shape in (*shapes, *[tuple(length + 1 for length in shape) for shape in shapes]):
        data = generator.normal(size=shape)
        result = compiled(data)
        made = len(compilations) if shape in shapes else made
        np.testing.assert_allclose(result, expected(data), rtol=1e-12)
        np.testing.assert_allclose(interpreted(data), expected(data), rtol=1e-12)
        assert np.asarray(result).dtype == np.asarray(interpreted(data)).dtype
    assert len(compilations) == made > 0


@pytest.mark.parametrize("rank", [1, 2])
def test_convolution_with_padding_and_stride(rank: int, compilations: list[int]) -> None:
    names = ["h", "w"][:rank]
    out = ", ".join(f"({n}+2-k{n})/2+1" for n in names)
    source = (
        SECTION_8
        + f"tol x: R [n, c, {', '.join(names)}]\ntol k: R [m, c, {', '.join('k' + n for n in names)}]\n"
        + f"y := convolve(x, k, {[2] * rank}, {[1] * rank}, {[1] * rank}, [{out}])"
    )
    compiled = tolang.compile(source, engine="cpu", fallback=False)
    interpreted = tolang.compile(source, engine="interpret")
    generator = np.random.default_rng(2)
    made = 0
    for batch, channels, maps, length, kernel in [(1, 2, 3, 5, 3), (3, 4, 1, 7, 1), (2, 1, 2, 8, 2), (2, 3, 2, 6, 1)]:
        x = generator.normal(size=(batch, channels, *[length] * rank))
        w = generator.normal(size=(maps, channels, *[kernel] * rank))
        expected = convolve(x, w, 2, 1)
        np.testing.assert_allclose(compiled(x, w), expected, rtol=1e-11, atol=1e-12)
        np.testing.assert_allclose(interpreted(x, w), expected, rtol=1e-11, atol=1e-12)
        if batch == 3:
            made = len(compilations)
    assert len(compilations) == made > 0  # windows of one element have code of their own, other lengths have none


def test_coordinate_outside_is_reported_with_its_value() -> None:
    program = tolang.compile("tol v: R [n]\ntol i: N [m]\ny := map(i, k -> v[k])", engine="cpu", fallback=False)
    with pytest.raises(tolang.ToLangRunError) as caught:
        program(np.arange(3.0), np.array([1, 7]))
    assert caught.value.code == "E513"
    assert "7" in str(caught.value)


def test_whole_numbers_overflow_is_an_error() -> None:
    program = tolang.compile("tol x: Z [n]\ny := reduce(x, add, 0)", engine="cpu", fallback=False)
    with pytest.raises(tolang.ToLangRunError) as caught:
        program(np.array([2**62, 2**62], dtype=np.int64))
    assert caught.value.code == "E505"


def test_what_cannot_be_compiled_is_interpreted_and_told() -> None:
    source = "tol x: Q [n]\ny := reduce(x, add, 0)"
    program = tolang.compile(source, engine="cpu")
    assert program([1, 2, 3]) == 6
    assert program.runner.fallbacks == ["<source>:2:6: rational values are left to the interpreter"]
    with pytest.raises(tolang.ToLangUsageError):
        tolang.compile(source, engine="cpu", fallback=False)([1, 2, 3])


@pytest.mark.parametrize("expression", ["reduce(x[7:], add, 0)", "map(x[7:], * + 1)"])
def test_backwards_slice_is_an_error(expression: str) -> None:
    program = tolang.compile(f"tol x: R [n]\ny := {expression}", engine="cpu", fallback=False)
    with pytest.raises(tolang.ToLangRunError) as caught:
        program(np.arange(3.0))
    assert caught.value.code == "E509"
