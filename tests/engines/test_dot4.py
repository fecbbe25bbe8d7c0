"""Sums of products of eight-bit numbers by quads, held against NumPy's whole numbers, for both kinds of instructions.

The processor here has one kind at the most: the other is computed number by number, from the same plan.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import tolang
from tolang.engines.cpu.processors import target_of
from tolang.engines.cpu.runtime.native import host_target
from tolang.ground.dataclasses import replace
from tolang.lower.steps import lower
from tolang.plan.printer import print_plan
from tolang.plan.target import Target
from tolang.schedule.planning import planned

PRODUCT = """tol a: {a} [n,k]
tol b: {b} [k,m]
tol z: {a}
tol y: {b} [m]
one(i,q) = convert(a[i,q], [i32]) - convert({z}, [i32])
two(q,j) = convert(b[q,j], [i32]) - convert({y}, [i32])
c := map(tol[n,m], reduce(map(tol[k], one(i,q)*two(q,j), q), add, convert(0, [i32])), [i,j])
"""
REAL = """tol a: {a} [n,{k}]
tol b: {b} [{k},m]
tol s: f32 [m]
one = map(a, (convert(*, [f32]) - {z}) * 0.25)
two = map(b, (convert(*, [f32]) - {y}) * s[j], [q,j])
c := map(tol[n,m], reduce(map(tol[{k}], one[i,q]*two[q,j], q), add, 0), [i,j])
"""
CONVOLUTION = """tol x: u8 [{c},h,v]
tol w: {b} [o,{c},3,3]
tol z: u8
inside(i,j) = i > 0 and i <= h and j > 0 and j <= v
at(k,i,j) = if inside(i,j) then convert(x[k,i,j], [i32]) - convert({z}, [i32]) else convert(0, [i32])
weight(p,k,a,b) = convert(w[p,k,a,b], [i32]) - {y}
term(p,i,j,k,a,b) = weight(p,k,a,b) * at(k, {s}*i+a-{t}, {s}*j+b-{t})
r := map(tol[o,h/{s},v/{s}], reduce(map(tol[{c},3,3], term(p,i,j,k,a,b), [k,a,b]), add, convert(0, [i32])), [p,i,j])
"""
RANGES = {"u8": (0, 256), "i8": (-128, 128)}
TYPES = {"u8": np.uint8, "i8": np.int8}


@pytest.fixture(params=["signed", "unsigned"])
def kind(request: pytest.FixtureRequest, plan_for: Callable[[Target], None]) -> str:
    """Plans for one kind of instruction."""
    plan_for(replace(host_target(), quads=request.param))
    return str(request.param)


def numbers(seed: int, storage: str, *shape: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(*RANGES[storage], size=shape).astype(TYPES[storage])


def plan_text(source: str, kind: str) -> str:
    return print_plan(planned(lower(tolang.compile(source).core), replace(host_target(), quads=kind), False).plan)


@pytest.mark.parametrize(
    ("kind", "a", "b", "z", "y"),
    [
        ("signed", "u8", "i8", "7", "0"),
        ("signed", "i8", "u8", "z", "y[j]"),
        ("unsigned", "u8", "u8", "z", "y[j]"),
        ("unsigned", "i8", "i8", "z", "y[j]"),
    ],
    indirect=["kind"],
)
def test_products_of_differences_are_exact(a: str, b: str, z: str, y: str, kind: str) -> None:
    source = PRODUCT.format(a=a, b=b, z=z, y=y)
    program = tolang.compile(source, fallback=False)
    assert "dot" in plan_text(source, kind)
    for n, k, m in ((9, 33, 17), (1, 70, 5), (5, 3, 40)):
        one, two, zero, zeros = (numbers(n, a, n, k), numbers(m, b, k, m), numbers(3, a)[()], numbers(4, b, m))
        less = np.int64(zero) if z == "z" else 7
        expected = (one.astype(np.int64) - less) @ (two.astype(np.int64) - (zeros.astype(np.int64) if y != "0" else 0))
        assert np.array_equal(program(one, two, zero, zeros), expected)


@pytest.mark.parametrize(("kind", "a"), [("unsigned", "u8"), ("signed", "i8")], indirect=["kind"])
@pytest.mark.parametrize("length", ["k", "64", "50"])
def test_words_of_rows_are_read_where_they_lie(length: str, a: str, kind: str) -> None:
    """Where four divides the length of a row there is no copy of it; of others, the last word has fewer numbers."""
    source = f"""tol a: {a} [n,{length}]
tol b: i8 [{length},m]
one = map(a, convert(*, [i32]))
two = map(b, convert(*, [i32]))
c := map(tol[n,m], reduce(map(tol[{length}], one[i,q]*two[q,j], q), add, convert(0, [i32])), [i,j])
"""
    folds = [line for line in plan_text(source, kind).splitlines() if "reduce" in line]
    if host_target().splat_loads:  # tiles of others read rows that are packed
        assert any("quad(a.1[" in fold for fold in folds) == (length != "50")
    for threads in (1, 3):
        program = tolang.compile(source, fallback=False, threads=threads)
        for n, k, m in (
            (9, 64, 17),
            (70, 64, 130),
            (1, 64, 5),
            (5, 64, 2),
            (33, 36, 65),
            (12, 35, 20),
            (7, 2, 9),
            (70, 50, 130),
        ):
            if length in ("k", str(k)):
                one, two = numbers(n, a, n, k), numbers(m, "i8", k, m)
                assert np.array_equal(program(one, two), one.astype(np.int64) @ two.astype(np.int64)), (n, k, m)


@pytest.mark.parametrize("kind", ["unsigned"], indirect=True)
@pytest.mark.usefixtures("kind")
def test_sums_wrap_as_they_are_written() -> None:
    """Sums of so many products go beyond 32 bits, and wrap."""
    k = 70_000
    one, two = np.full((4, k), 255, np.uint8), np.full((k, 4), 255, np.uint8)
    source = PRODUCT.format(a="u8", b="u8", z="z", y="0")
    expected = np.full((4, 4), k * 255 * 255).astype(np.int32)
    found = tolang.compile(source, fallback=False)(one, two, np.uint8(0), np.zeros(4, np.uint8))
    assert np.array_equal(found, expected)
    assert expected[0, 0] != k * 255 * 255


@pytest.mark.parametrize(
    ("kind", "a", "b", "z", "y"),
    [("unsigned", "u8", "i8", "131", "0"), ("signed", "i8", "i8", "-5", "11")],
    indirect=["kind"],
)
def test_products_of_scaled_differences_are_within_a_rounding(a: str, b: str, z: str, y: str, kind: str) -> None:
    source = REAL.format(a=a, b=b, z=z, y=y, k=50)
    assert "dot" in plan_text(source, kind)
    one, two, scale = numbers(1, a, 9, 50), numbers(2, b, 50, 13), np.linspace(0.001, 3, 13).astype(np.float32)
    expected = ((one.astype(float) - int(z)) * 0.25) @ ((two.astype(float) - int(y)) * scale.astype(float))
    found = tolang.compile(source, fallback=False)(one, two, scale)
    assert found.dtype == np.float32
    assert np.allclose(found, expected, rtol=3e-7, atol=0)  # two products and a conversion, each rounded to 24 bits


@pytest.mark.parametrize("kind", ["signed"], indirect=True)
def test_sums_of_floats_that_words_might_not_hold_stay_floats(kind: str) -> None:
    assert "dot" not in plan_text(REAL.format(a="u8", b="i8", z="131", y="0", k=40_000), kind)


@pytest.mark.parametrize(
    ("kind", "c", "channels", "z", "y", "step"),
    [("signed", "c", 6, "130", "-3", 1), ("unsigned", "3", 3, "z", "2", 2)],
    indirect=["kind"],
)
def test_windows_over_an_edge_read_what_stands_for_zero(
    c: str, channels: int, z: str, y: str, step: int, kind: str
) -> None:
    o, h, v = 5, 8, 12
    source = CONVOLUTION.format(b="i8", z=z, y=y, s=step, t=step + 1, c=c)
    assert "dot" in plan_text(source, kind)
    x, w = numbers(1, "u8", channels, h, v), numbers(2, "i8", o, channels, 3, 3)
    zero = 130 if z == "130" else 77
    padded = np.pad(x.astype(np.int64) - zero, ((0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(1, 2))[:, ::step, ::step]
    expected = np.einsum("cijab,ocab->oij", windows, w.astype(np.int64) - int(y))
    assert np.array_equal(tolang.compile(source, fallback=False)(x, w, np.uint8(zero)), expected)


@pytest.mark.parametrize(
    ("triple", "features", "found"),
    [
        ("x86_64-unknown-linux-gnu", "+avx512f,+avx512vnni", "unsigned"),
        ("x86_64-unknown-linux-gnu", "+avx512f", None),
        ("aarch64-unknown-linux-gnu", "+dotprod", "signed"),
        ("aarch64-unknown-linux-gnu", "", None),
    ],
)
def test_which_processors_have_quads(triple: str, features: str, found: str | None) -> None:
    assert target_of(triple, features).quads == found
