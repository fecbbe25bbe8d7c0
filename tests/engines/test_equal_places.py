"""No result depends on where its element stands: equal rows and columns have equal bits.

At odd sizes some elements are computed in vectors and some alone, some in the middle of a tile and some at its edge, by
one thread or another; at the border of a window, or inside.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

import tolang

Array = np.ndarray[Any, Any]
Data = Callable[[int], tuple[Array, ...]]
SIZES = (1, 2, 3, 7, 17, 37, 65, 129)
THREADS = (1, 2, 5)
FUNCTIONS = (
    "exp(t)", "log(abs(t))", "tanh(t)", "sin(t)", "tan(t)", "abs(t)^0.3", "t^2", "t^3", "t^4", "sqrt(abs(t))",
    "t*t - t*0.3 + t", "t % 0.7", "sgn(t)", "floor(t)", "max(t,0.1)", "asin(t/9)", "atan(t)", "cosh(t)", "asinh(t)",
    "log(abs(t),3)", "sin(t*1e30)", "if t > 0.5 then t*t - t else t/3", "1/(1 + exp(-t))", "convert(t,[f16])",
    "convert(convert(t,[bf16]),[f64])", "convert(floor(abs(t)*10),[u8])",
)  # fmt: skip
FOLDS = {
    "sum": "reduce(x[i], add, 0)",
    "product": "reduce(map(x[i], * * v[*]), add, 0)",
    "square": "reduce(map(x[i], *^2), add, 0)",
    "distance": "reduce(map(x[i], (* - v[*])^2), add, 0)",
    "greatest": "reduce(x[i], max, -Inf)",
    "of powers": "reduce(map(x[i], exp(*)), add, 0)",
    "chosen": "reduce(x[i], (s,t) -> if t > 0 then s + t*t else s, 0)",
    "of choices": "reduce(map(x[i], if * > 0 then * * v[*] else 0), add, 0)",
    "in order": "reduce(x[i], (s,t) -> s*0.3 + t, 0)",
    "of lists": "reduce(map(x[i], (*, * * *)), add, (0,0))[2]'",
    "alone": "reduce(tol[m], (s,k) -> s + x[i,1]*x[i,1], 0)",
    "iterated": "reduce(tol[10], (s,k) -> (s + abs(x[i,1])/s)/2, 1.0)",
    "running": "cumulative_sum(x[i], 1)[m]",
}  # fmt: skip


def random(*shape: int, seed: int = 0) -> Array:
    return np.random.default_rng([seed, *shape]).normal(size=shape)


def alike(array: Array, count: int, axis: int) -> Array:
    """An array with one coordinate along an axis, repeated."""
    return np.repeat(array, count, axis)


@cache
def program(source: str, threads: int) -> tolang.Program:
    return tolang.compile(source, engine="cpu", fallback=False, threads=threads)


def check(
    source: str, data: Data, axes: tuple[int, ...], kind: str = "float32", sizes: tuple[int, ...] = SIZES
) -> None:
    """Equal bits along some axes of every result, at all sizes and numbers of threads."""
    space = {"float32": "f32", "float64": "f64", "float16": "f16"}[kind]
    for size in sizes:
        inputs = [one.astype(kind) for one in data(size)]
        for threads in THREADS:
            results = program(source.replace("real", space), threads)(*inputs)
            for name, found in results.items():
                columns = found.columns if isinstance(found, tolang.ToL) else [found]
                for number, column in enumerate(columns):
                    whole = column.view(f"u{column.dtype.itemsize}")
                    for axis in axes:
                        same = whole == whole.take([0], axis)
                        assert same.all(), (name, number, size, threads, axis, np.argwhere(~same)[0])


def outputs(values: dict[str, str], form: str) -> str:
    return "\n".join(f"{name.replace(' ', '_')}_r := {form.format(value)}" for name, value in values.items())


PART = 9
LISTS = {f"f{k}": f"({', '.join(FUNCTIONS[k : k + PART])})" for k in range(0, len(FUNCTIONS), PART)}


def test_functions() -> None:
    """Of a map, and of what follows a product of matrices."""
    source = "tol x: real [n]\n" + outputs(LISTS, "map(x, t -> {})")
    for kind in ("float32", "float64"):
        check(source, lambda n: (np.full(n, 1.2345),), (0,), kind)
    source = "use linalg\ntol a: real [n,k]\ntol b: real [k,m]\n" + outputs(LISTS, "map(matmul(a,b), t -> {})")
    check(source, lambda n: (alike(random(1, 11), n, 0), alike(random(11, 1), n, 1)), (0, 1), sizes=SIZES[3:])


@pytest.mark.parametrize("length", [1, 3, 9, 33, 200])
def test_folds(length: int) -> None:
    """Of rows, some shorter than a vector and some longer than folds that run side by side; and of columns."""
    head, rows = "tol x: real [n,m]\ntol v: real [m]\n", outputs(FOLDS, "map(tol[n], {}, i)")
    check(head + rows, lambda n: (alike(random(1, length), n, 0), random(length)), (0,), sizes=SIZES[3:])
    columns = rows.replace("x[i]", "x[:,i]").replace("x[i,1]", "x[1,i]")
    source = head.replace("[n,m]", "[m,n]") + columns
    check(source, lambda n: (alike(random(length, 1), n, 1), random(length)), (0,), sizes=SIZES[3:])


ROWS = """
tol x: real [n,m]
softened := softmax(x, 2)
levelled := { middle = mean(x,2); spread = variance(x,2); map(x, (* - middle[i])/sqrt(spread[i] + 1e-5), [i,j]) }
scaled   := map(x, */sqrt(reduce(map(x[i], * * *), add, 0)), [i,j])
running  := cumulative_sum(x, 2)
sorted   := sort(x, 2)
longer   := map(x, reduce(x[i,1:j], (s,t) -> s + t*t, 0), [i,j])
"""
NEAREST = """
tol x: real [n,m]
tol c: real [q,m]
distance(i,j) = reduce(map(x[i], (* - c[j,*])^2), add, 0)
nearest := map(tol[n], argmin(map(tol[q], distance(i,j), j)), i)
least   := map(tol[n], reduce(map(tol[q], distance(i,j), j), min, Inf), i)
weights := map(tol[n], reduce(map(tol[q], exp(-distance(i,j)), j), add, 0), i)
"""


@pytest.mark.parametrize("length", [1, 8, 33])
def test_rows(length: int) -> None:
    """Normalised, scanned and sorted rows; rows held against all centres."""
    check(ROWS, lambda n: (alike(random(1, length), n, 0),), (0,), sizes=SIZES[3:])
    check(NEAREST, lambda n: (alike(random(1, length), n, 0), random(13, length)), (0,), sizes=SIZES[3:])


PRODUCTS = """
tol a: real [b,n,k]
tol w: real [k,m]
dense   := map(tol[b,n,m], tanh(reduce(map(a[p,i], * * w[*,j]), add, 0))^3, [p,i,j])
minimax := map(tol[b,n,m], reduce(map(a[p,i], max(*, w[*,j])), min, Inf)^4, [p,i,j])
gated   := map(tol[b,n,m], { z = reduce(map(a[p,i], * * w[*,j]), add, 0); z/(1 + exp(-z))*z - z*z }, [p,i,j])
"""
WINDOWS = """
tol x: real [n,m]
tol w: real [3,3]
at(i,j)  = x[1 + (i-1+n) % n, 1 + (j-1+m) % m]
round_   := map(x, reduce(map(w, * * at(i+p-2,j+q-2), [p,q]), add, 0), [i,j])
inside   := map(x, reduce(map(w, if (i+p > 2) and (i+p < n+2) then x[i+p-2,j] * * else 1.2345 * *, [p,q]), add, 0), [i,j])
relaxed  := reduce(tol[3], (s,k) -> map(s, (s[1+(i-2+n)%n,j]*w[1,1] + s[1+i%n,j]*w[1,2])/2 + *, [i,j]), x)
"""


def test_products_and_windows() -> None:
    """Products over semirings with what follows them; windows over a constant, at its border and inside."""

    def stacks(n: int) -> tuple[Array, ...]:
        return alike(alike(random(1, 1, 19), n, 1), 2, 0), alike(random(19, 1), n, 1)

    check(PRODUCTS, stacks, (0, 1, 2))
    check(WINDOWS, lambda n: (np.full((n, 33), 1.2345), random(3, 3)), (0, 1))


def test_narrow_products() -> None:
    """f16 is summed up in f32 by the kernel of products, which then rounds many at a time, or one."""
    source = "use linalg\ntol a: real [n,k]\ntol b: real [k,m]\nplain := matmul(a,b)\npower := map(matmul(a,b), *^4)"
    check(source, lambda n: (alike(random(1, 11), n, 0), alike(random(11, 1), n, 1)), (0, 1), "float16")
