"""Vector functions: within two units in the last place, right at the ends of the number line, and really in vectors.

In 64 bits mpmath is the judge, at some hundred points for each function.  In 32 bits NumPy's functions of 64 bits are,
whose own errors are a billionth of a unit here, at 200,000 bit patterns.
"""

from __future__ import annotations

import itertools
import re
from functools import cache
from typing import Any

import mpmath
import numpy as np
import pytest

import tolang
from tolang.engines.cpu.runtime.native import assembly
from tolang.engines.llvm import ir
from tolang.engines.llvm.mathematics import VECTOR_FUNCTIONS
from tolang.engines.llvm.powers import power
from tolang.engines.llvm.special import remainder
from tolang.engines.llvm.types import I64, TYPES, VectorModule

Array = np.ndarray[Any, Any]
STORAGES: dict[str, Any] = {"f32": np.float32, "f64": np.float64}
NUMPY = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "asinh": "arcsinh", "acosh": "arccosh",
         "atanh": "arctanh"}  # fmt: skip
SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 3.0, -3.0, np.inf, -np.inf, np.nan, 5e-324, -1e-310, 1e-40, 1e38,
           1e300, -1e300, 2.0**53, 2.0**53 + 2, -(2.0**53), 0.9999999, 1.0000001, 4.0, 2.0**30, 2.0**17, 88.7228, 88.73,
           -103.97, 709.782, 709.79, -745.13, -745.14, 710.475, 710.48, 89.415, 89.42]  # fmt: skip


@cache
def functions(storage: str) -> tolang.Program:
    """All functions of one argument in one program."""
    outputs = "\n".join(f"{name}_x := map(x, {name}(*))" for name in VECTOR_FUNCTIONS)
    return tolang.compile(f"tol x: {storage} [n]\n{outputs}", engine="cpu", fallback=False)


@cache
def powers(storage: str) -> tolang.Program:
    return tolang.compile(
        f"tol x: {storage} [n]\ntol y: {storage} [n]\nz := map(tol[n], x[i]^y[i], i)", engine="cpu", fallback=False
    )


def patterns(kind: Any, count: int, seed: int) -> Array:
    """Numbers of every magnitude: random bit patterns, and as many where functions do something."""
    generator = np.random.default_rng(seed)
    whole = np.uint32 if kind is np.float32 else np.uint64
    bits = generator.integers(0, np.iinfo(whole).max, count, dtype=whole, endpoint=True).view(kind)
    limit = float(np.log(np.finfo(kind).max)) * 1.05
    near = [
        generator.normal(size=count),
        generator.uniform(-1, 1, count),
        generator.uniform(-limit, limit, count),
        1 + generator.normal(size=count) * 1e-3,
        generator.integers(1, 10**5, count) * (np.pi / 4),
    ]
    with np.errstate(all="ignore"):
        return np.concatenate([bits, *near]).astype(kind)


def reference(name: str, *arguments: Array) -> Array:
    with np.errstate(all="ignore"):
        return np.asarray(getattr(np, NUMPY.get(name, name))(*arguments))


def units_off(found: Array, exact: Array, kind: Any) -> Array:
    """How many units in the last place results are off, exact ones given in more digits."""
    info = np.finfo(kind)
    exponent = np.frexp(exact)[1] - 1
    unit = np.ldexp(1.0, np.maximum(exponent, info.minexp) - info.nmant)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.abs(found.astype(np.float64) - exact) / unit)


def check_single(name: str, found: Array, exact: Array) -> None:
    """32-bit results against 64-bit ones."""
    assert np.array_equal(np.isnan(found), np.isnan(exact)), name
    largest = float(np.finfo(np.float32).max)
    held = np.abs(exact) <= largest
    assert np.all(np.isinf(found[np.abs(exact) > largest * (1 + 2.0**-24)])), name
    assert units_off(found[held], exact[held], np.float32).max() <= 2, name


def test_single_functions_within_two_units() -> None:
    x = patterns(np.float32, 1 << 15, 1)
    results = functions("f32")(x)
    for name in VECTOR_FUNCTIONS:
        check_single(name, results[f"{name}_x"], reference(name, x.astype(np.float64)))


def arguments_of_powers(kind: Any, count: int) -> tuple[Array, Array]:
    """Any bases and exponents, and such whose power is a number that can be held."""
    generator = np.random.default_rng(2)
    base = np.abs(generator.normal(size=count)) + 0.01
    exponent = generator.uniform(-1, 1, count) * np.log(float(np.finfo(kind).max)) / np.log(base)
    x, y = patterns(kind, count // 6, 3), generator.permutation(patterns(kind, count // 6, 4))
    with np.errstate(over="ignore"):
        return np.concatenate([x, base]).astype(kind), np.concatenate([y, exponent]).astype(kind)


def test_single_powers_within_two_units() -> None:
    x, y = arguments_of_powers(np.float32, 100_000)
    check_single("pow", powers("f32")(x, y), reference("power", x.astype(np.float64), y.astype(np.float64)))


def units_of(found: float, exact: Any) -> float:
    """How many units in the last place a 64-bit result is off from one of mpmath."""
    if exact == 0:
        return abs(found) / 2.0**-1074
    exponent = int(mpmath.floor(mpmath.log(abs(exact), 2)))
    return float(abs(mpmath.mpf(found) - exact) / mpmath.ldexp(1, max(exponent, -1022) - 52))


def check_double(name: str, function: Any, found: Array, *arguments: Array) -> None:
    """64-bit results against mpmath; what is complex is NaN here, what is too large infinite."""
    largest = mpmath.mpf(float(np.finfo(np.float64).max))
    with mpmath.workprec(140):
        for got, *given in zip(found, *arguments, strict=True):
            if not np.all(np.isfinite(given)):
                continue
            exact = function(*(mpmath.mpf(float(v)) for v in given))
            if isinstance(exact, mpmath.mpc):
                assert np.isnan(got), (name, given)
            elif abs(exact) > largest:
                assert np.isinf(got), (name, given)
            else:
                assert units_of(float(got), exact) <= 2, (name, given, got)


def test_double_functions_within_two_units() -> None:
    x = patterns(np.float64, 60, 5)
    results = functions("f64")(x)
    for name in VECTOR_FUNCTIONS:
        outside = (x <= 0) if name == "log" else (np.abs(x) == 1) if name == "atanh" else np.zeros(x.shape, dtype=bool)
        check_double(name, getattr(mpmath, name), results[f"{name}_x"][~outside], x[~outside])


def test_double_powers_within_two_units() -> None:
    x, y = arguments_of_powers(np.float64, 600)
    x, y = x[-600:], y[-600:]
    check_double("pow", mpmath.power, powers("f64")(x, y), x, y)


@pytest.mark.parametrize("storage", list(STORAGES))
def test_ends_of_the_number_line(storage: str) -> None:
    """Infinities, NaN, zeros with their signs, what is too small to be normal: as NumPy has them."""
    kind = STORAGES[storage]
    with np.errstate(over="ignore"):
        x = np.array(SPECIAL).astype(kind)
    results = functions(storage)(x)
    for name in VECTOR_FUNCTIONS:
        _same(results[f"{name}_x"], reference(name, x), name)
    first, second = (np.array(side) for side in zip(*itertools.product(x, x), strict=True))
    _same(powers(storage)(first, second), reference("power", first, second), "pow")


def _same(found: Array, expected: Array, name: str) -> None:
    """Equal to the sign of a zero; finite numbers within the two units of either side."""
    assert np.array_equal(np.isnan(found), np.isnan(expected)), name
    number = ~np.isnan(expected)
    assert np.array_equal(np.signbit(found[number]), np.signbit(expected[number])), name
    finite = np.isfinite(expected)
    assert np.array_equal(found[number & ~finite], expected[number & ~finite]), name
    assert units_off(found[finite], expected[finite].astype(np.float64), found.dtype.type).max() <= 4, name


TARGETS = {
    "avx2": (32, ("x86_64-unknown-linux-gnu", "haswell", "+avx2,+fma"), r"%ymm"),
    "avx512": (64, ("x86_64-unknown-linux-gnu", "skylake-avx512", "+avx512f,+avx2,+fma"), r"%[yz]mm"),
    "neon": (16, ("aarch64-unknown-linux-gnu", "neoverse-n1", "+neon"), r"v\d+\.(4s|2d)"),
}
RARE = {"sin", "cos", "tan", "mod"}


def loop_over(name: str, storage: str, vector_bytes: int) -> VectorModule:
    """z[i] = f(x[i]), or f(x[i], y[i]), as a plain loop over elements."""
    module, kind = VectorModule(vector_bytes), TYPES[storage]
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [kind.as_pointer()] * 3 + [I64]), "run")
    for pointer in function.args[:3]:
        pointer.add_attribute("noalias")
    entry, head, done = (function.append_basic_block(n) for n in ("entry", "head", "done"))
    ir.IRBuilder(entry).branch(head)
    builder = ir.IRBuilder(head)
    place = builder.phi(I64)
    place.add_incoming(ir.Constant(I64, 0), entry)
    x, y = (builder.load(builder.gep(p, [place])) for p in function.args[:2])
    two = {"pow": power, "mod": remainder}.get(name)
    value = VECTOR_FUNCTIONS[name](builder, x, storage) if two is None else two(builder, x, y, storage)
    builder.store(value, builder.gep(function.args[2], [place]))
    following = builder.add(place, ir.Constant(I64, 1), flags=("nsw",))
    place.add_incoming(following, builder.block)
    builder.cbranch(builder.icmp_signed("<", following, function.args[3]), head, done)
    ir.IRBuilder(done).ret_void()
    return module


@pytest.mark.parametrize("target", list(TARGETS))
def test_loops_are_over_vectors(target: str) -> None:
    """Every function in a loop becomes vectors of the processor: no call in it but of a vector function."""
    vector_bytes, processor, registers = TARGETS[target]
    for name, storage in itertools.product([*VECTOR_FUNCTIONS, "pow", "mod"], STORAGES):
        text = assembly(loop_over(name, storage, vector_bytes), *processor)
        loop = re.split(r"^run:", text, flags=re.MULTILINE)[1].split(".Lfunc_end")[0]
        if name in RARE:
            assert re.search(rf"tolang_{'fmod' if name == 'mod' else name}_{storage}_\d", loop), name
        else:
            assert not re.search(r"\s(bl|callq)\s", loop), name
            assert len(re.findall(registers, loop)) > 20, name


def test_rare_lanes_go_to_the_library() -> None:
    """One huge argument in a vector leaves its neighbours as they are."""
    x = np.linspace(-3, 3, 37)
    for place, huge in itertools.product((0, 5, 36), (1e22, -3e15, 2.0**31)):
        held = x.copy()
        held[place] = huge
        results = functions("f64")(held)
        for name in ("sin", "cos", "tan"):
            np.testing.assert_allclose(results[f"{name}_x"], reference(name, held), rtol=4e-16)
