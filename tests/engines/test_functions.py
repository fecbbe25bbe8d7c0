"""The basic functions in compiled code against the interpreter, over storages, spaces and the ends of their ranges.

A program holds several functions at once, so that the whole needs few compilations.
"""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import tolang

pytestmark = pytest.mark.sampled(3)

Array = np.ndarray[Any, Any]
KINDS: dict[str, Any] = {
    "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "u8": np.uint8, "u16": np.uint16,
    "u32": np.uint32, "u64": np.uint64, "f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32,
    "f64": np.float64,
}  # fmt: skip
WHOLE = [s for s in KINDS if s[0] in "iu"]
ENDS = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 3.0, -2.5, 1e-8, 100.0, 7e4, -7e4, np.inf, -np.inf, np.nan]


UNITS = {
    "float16": (2.0**-10, 2.0**-14),
    "bfloat16": (2.0**-7, 2.0**-126),
    "float32": (2.0**-23, 2.0**-126),
    "float64": (2.0**-52, 2.0**-1022),
}
"""The unit in the last place of 1, and the least normal number."""


def both(source: str, *data: Any) -> tuple[dict[str, Array], dict[str, Array]]:
    """The results of the cpu engine, which may not fall back, and of the interpreter."""
    results = []
    for engine in ("cpu", "interpret"):
        found: Any = tolang.compile(source, engine=engine, fallback=False)(*data)
        results.append({"y": found} if not isinstance(found, dict) else dict(found))
    return results[0], results[1]


def agree(source: str, *data: Any, units: int = 0) -> None:
    """Equal results in equal storages, within so many units in the last place."""
    compiled, interpreted = both(source, *data)
    for name, expected in interpreted.items():
        found, expected = np.asarray(compiled[name]), np.asarray(expected)
        assert found.dtype == expected.dtype, name
        if units and expected.dtype.kind not in "biu":
            assert np.array_equal(np.isnan(found), np.isnan(expected)), name
            one, two = (a.astype(np.float64) for a in (found, expected))
            unit, least = UNITS[expected.dtype.name]
            bound = units * unit * np.maximum(np.abs(two), least)
            with np.errstate(invalid="ignore"):
                assert np.all((one == two) | np.isnan(two) | (np.abs(one - two) <= bound)), name
        else:
            np.testing.assert_array_equal(found.astype(np.float64), expected.astype(np.float64), err_msg=name)


def with_space(space: str, text: str) -> str:
    """A program in which the word `goal` is a space, declared first where it has bounds."""
    if "[" not in space:
        return text.replace("goal", space)
    return f"space goal: {space.replace('[', ' [')}\n{text}"


def code_of(source: str, *data: Any) -> str | None:
    """The error that the cpu engine reports; None where it gives a result."""
    try:
        tolang.compile(source, engine="cpu", fallback=False)(*data)
    except tolang.ToLangRunError as error:
        return error.diagnostics[0].code
    return None


def pairs(storage: str) -> tuple[Array, Array]:
    """All pairs of the ends of a storage's range."""
    if storage[0] in "iu":
        info = np.iinfo(KINDS[storage])
        ends = np.array([info.min, info.min + 1, 0, 1, 2, 5, 7, info.max - 1, info.max], dtype=KINDS[storage])
    else:
        with np.errstate(over="ignore"):
            ends = np.array(ENDS).astype(KINDS[storage])
    first, second = np.meshgrid(ends, ends)
    return first.ravel().copy(), second.ravel().copy()


ARITHMETIC = {"a": "x[i] + y[i]", "s": "x[i] - y[i]", "m": "x[i] * y[i]", "h": "max(x[i],y[i])", "l": "min(x[i],y[i])"}
COMPARISONS = {"c": "x[i] < y[i]", "d": "x[i] <= y[i]", "e": "x[i] == y[i]", "f": "x[i] != y[i]"}


def program(kinds: tuple[str, str], expressions: dict[str, str]) -> str:
    head = f"tol x: {kinds[0]} [n]\ntol y: {kinds[1]} [n]\n"
    return head + "\n".join(f"{name} := map(tol[n], {text}, i)" for name, text in expressions.items())


@pytest.mark.parametrize("storage", list(KINDS))
def test_arithmetic_of_machine_numbers(storage: str) -> None:
    """Machine integers wrap, floats follow IEEE 754, narrow floats are rounded after every function."""
    more = {"b": "-x[i]", "v": "abs(x[i])", "g": "sgn(x[i])", "o": "floor(x[i])", "k": "x[i] * 3 + 1"}
    if storage[0] not in "iu":
        more |= {"q": "x[i] / y[i]", "r": "x[i] % y[i]", "w": "sqrt(x[i])", "z": "x[i] > 0.1"}
    agree(program((storage, storage), ARITHMETIC | COMPARISONS | more), *pairs(storage))


@pytest.mark.parametrize("storage", ["f16", "bf16"])
def test_functions_of_narrow_floats(storage: str) -> None:
    """exp and its like in f32, rounded once: where f32 differs by a unit, the rounding may."""
    functions = {"a": "exp(x[i])", "b": "log(abs(x[i]))", "c": "tanh(x[i])", "d": "abs(x[i])^y[i]", "e": "sin(x[i])"}
    agree(program((storage, storage), functions), *pairs(storage), units=1)


@pytest.mark.parametrize("kinds", [("i64", "u64"), ("u64", "i64"), ("i8", "u64"), ("f32", "i64"), ("f16", "f64")])
def test_comparison_of_different_storages(kinds: tuple[str, str]) -> None:
    first, second = pairs(kinds[0])[0], pairs(kinds[1])[1]
    count = min(first.size, second.size)
    agree(program(kinds, COMPARISONS), first[:count], second[:count])


@pytest.mark.parametrize("goal", list(KINDS))
def test_conversion_of_what_fits(goal: str) -> None:
    """From every storage into one: small whole numbers fit all, floats are rounded."""
    for source in ("i64", "u8", "f16", "bf16", "f32", "f64"):
        data: Array = np.array([0, 1, 2, 77, 100]).astype(KINDS[source])
        if goal[0] not in "iu" and source[0] not in "iu":
            with np.errstate(over="ignore"):
                near = [1 + 2.0**-8, 1 + 2.0**-11, 1 + 2.0**-11 + 2.0**-30, 1 / 3, 65519.99, 65520.0, 1e-7, 3e38]
                data = np.array([*ENDS, *near]).astype(KINDS[source])
        agree(f"tol x: {source} [n]\ny := map(x, convert(*, [{goal}]))", data)


REFUSED = [
    ("u8", 256.0), ("u8", -1.0), ("i8", 128.0), ("i64", 2.0**63), ("u64", 2.0**64), ("i32", np.nan), ("i16", 1.5),
    ("Z", np.inf), ("N", -1.0), ("N*", 0.0), ("Z*", 0.0), ("Z+", 0.0), ("Z-", 1.0), ("B", 2.0), ("R*", 0.0),
    ("R+", np.nan), ("R-", 1.0), ("Z[0,9]", 10.0), ("Z[-3,3]", -4.0), ("R[0,1]", 1.5), ("R[0,1]", np.nan),
]  # fmt: skip


@pytest.mark.parametrize(("space", "value"), REFUSED)
def test_conversion_that_does_not_fit_is_an_error(space: str, value: float) -> None:
    source = with_space(space, "tol x: f64 [n]\ny := map(x, convert(*, [goal]))")
    assert code_of(source, np.array([value])) in ("E501", "E505")
    fitting = {"N*": 3.0, "Z+": 3.0, "Z-": -2.0, "R-": -2.0, "R[0,1]": 0.5, "B": 1.0}.get(space, 2.0)
    agree(source, np.array([fitting]))


@pytest.mark.parametrize(("source", "goal", "value"), [("i64", "u8", 256), ("i64", "N", -1), ("u64", "i64", 2**63),
                                                       ("i32", "Z[0,9]", 10), ("u8", "B", 2), ("i64", "u64", -1)])  # fmt: skip
def test_conversion_of_whole_numbers(source: str, goal: str, value: int) -> None:
    text = with_space(goal, f"tol x: {source} [n]\ny := map(x, convert(*, [goal]))")
    assert code_of(text, np.array([value], dtype=KINDS[source])) in ("E501", "E505")
    agree(text, np.array([1, 0], dtype=KINDS[source]))


def test_whole_powers() -> None:
    base = np.array([0, 1, -1, 2, -2, 3, 10, 7, -3, 2, -2, 3037000499], dtype=np.int64)
    exponent = np.array([0, 2**40, 2**40 + 1, 62, 63, 39, 18, 5, 3, 0, 1, 2], dtype=np.int64)
    agree(
        "tol x: Z [n]\ntol k: N [n]\ny := map(tol[n], x[i]^k[i], i)\nz := map(x, *^2)\nw := map(x, *^1)", base, exponent
    )
    for x, k in ((2, 63), (-2, 64), (3037000500, 2), (10, 19)):
        power = "tol x: Z [n]\ntol k: N [n]\ny := map(tol[n], x[i]^k[i], i)"
        assert code_of(power, np.array([x]), np.array([k])) == "E505"
    assert code_of("tol x: Z [n]\ny := map(x, *^3)", np.array([2**21])) == "E505"


def test_powers_of_machine_integers_wrap() -> None:
    for storage in ("i8", "u8", "i32", "u64"):
        base = np.array([0, 1, 2, 3, 7, 100], dtype=KINDS[storage])
        exponent = np.array([0, 127, 9, 70, 5, 4], dtype=KINDS[storage])
        if storage[0] == "i":
            agree(f"tol x: {storage} [n]\ny := map(x, *^9)", base)
            continue
        agree(f"tol x: {storage} [n]\ntol k: {storage} [n]\ny := map(tol[n], x[i]^k[i], i)", base, exponent)


def test_overflow_of_whole_numbers_is_an_error() -> None:
    large = np.array([2**62])
    for text in ("* + * + *", "-* - * - *", "* * *", "*^2"):
        assert code_of(f"tol x: Z [n]\ny := map(x, {text})", large) == "E505", text
    assert code_of("tol x: Z [n]\ny := map(x, abs(*))", np.array([-(2**63)])) == "E505"
    assert code_of("tol x: Z [n]\ny := map(x, * + 1)", np.array([2**63], dtype=np.uint64)) == "E505"


def test_complements() -> None:
    small = np.array([0, 1, 5], dtype=np.int64)
    for space in ("Z", "N", "i8", "u8", "Z[0,9]", "N[0,100]"):
        kind = KINDS.get(space, np.int64)
        text = "tol x: goal [n]\ny := map(x, not *)\nz := map(x, * and 3)\nw := map(x, * xor 1)"
        agree(with_space(space, text), small.astype(kind))


def test_logarithm_to_a_base_is_exact_on_powers() -> None:
    x = np.array([8, 1000, 0.001, 3.0**20, 1 / 8, 5.5, 0, -1, np.inf, np.nan, 2.0**1000, 1])
    base = np.array([2, 10, 10, 3, 2, 2, 2, 2, 2, 2, 2, 2.0])
    agree("tol x: R [n]\ntol b: R [n]\ny := map(tol[n], log(x[i],b[i]), i)", x, base, units=2)
    compiled, _ = both("tol x: R [n]\ntol b: R [n]\ny := map(tol[n], log(x[i],b[i]), i)", x[:4], base[:4])
    assert compiled["y"].tolist() == [3, 3, -3, 20]
    whole = np.array([3**39, 7**22, 10**18, 3**39 - 1], dtype=np.int64)
    agree("tol x: Z [n]\ntol b: Z [n]\ny := map(tol[n], log(x[i],b[i]), i)", whole, np.array([3, 7, 10, 3]), units=2)
    single = np.array([8, 81, 0.5, 10], dtype=np.float32)
    agree("tol x: f32 [n]\ny := map(x, log(*,3))", single, units=2)


@pytest.mark.parametrize("storage", ["f32", "f64"])
def test_remainders_have_the_divisors_sign(storage: str) -> None:
    generator = np.random.default_rng(5)
    first = np.concatenate([pairs(storage)[0], generator.normal(size=500) * 10.0 ** generator.integers(-9, 20, 500)])
    second = np.concatenate([pairs(storage)[1], generator.normal(size=500) * 10.0 ** generator.integers(-9, 20, 500)])
    data = [a.astype(KINDS[storage]) for a in (first, second)]
    source = program((storage, storage), {"r": "x[i] % y[i]"})
    agree(source, *data)
    compiled, interpreted = both(source, *data)
    assert np.array_equal(np.signbit(compiled["y"]), np.signbit(interpreted["y"]))


def test_conversion_of_products_is_checked_in_vectors() -> None:
    """The conversion is done where the kernel of the product stores a whole row of its tile."""
    source = "tol a: f32 [n,k]\ntol b: f32 [k,m]\nc := map(matmul(a,b), convert(*, [R+]))"
    ones = np.ones((9, 17), dtype=np.float32)
    agree(f"use linalg\n{source}", ones, ones.T.copy())
    ones[4] = -1
    assert code_of(f"use linalg\n{source}", ones, np.ones((17, 9), dtype=np.float32)) == "E501"


def test_checks_count_only_where_a_branch_is_taken() -> None:
    x = np.array([1.0, -1.0, 2.5])
    agree("tol x: R [n]\ny := map(x, if * > 0 then convert(*, [R+]) else 0)", x)
    agree("tol x: R [n]\ny := map(x, if * > 0 then convert(floor(*), [N]) else 0)", x)
    agree("tol k: N [n]\ny := map(k, if * < 10 then 10^* else 0)", np.array([1, 3, 30]))


@pytest.mark.parametrize("storage", ["f16", "bf16"])
def test_folds_of_narrow_floats(storage: str) -> None:
    """Sums are rounded once unless they are strict; what picks, moves or draws elements is exact."""
    x = np.random.default_rng(6).normal(size=(7, 33)).astype(KINDS[storage])
    picked = {"a": "reduce(x, max, -Inf)", "b": "argmin(x,2)", "c": "sort(x,2)", "d": "cumulative_sum(x,2)",
              "e": "map(x, x[1 + floor(abs(*)) % 7, 1])", "f": "map(x, rand(*))", "g": "[x,x]"}  # fmt: skip
    agree("\n".join([f"tol x: {storage} [n,m]", *(f"{name} := {text}" for name, text in picked.items())]), x)
    agree(f"tol x: {storage} [n,m]\na := sum(x,1)\nb := mean(x)\nc := softmax(x,2)", x, units=1)
    ones = np.ones((2, 4096), dtype=KINDS[storage])
    for strict, total in ((False, 4096), (True, 2048 if storage == "f16" else 256)):
        program = tolang.compile(f"tol x: {storage} [n,m]\ny := sum(x,2)", engine="cpu", strict=strict, fallback=False)
        assert np.asarray(program(ones)).astype(float).tolist() == [total, total]


def test_whole_powers_of_two_are_exact() -> None:
    exponents = np.array([*range(-1100, 1100), -(2**62), 2**62, -(2**63), 2**63 - 1])
    found = tolang.compile("tol k: Z [n]\ny := map(k, 2^*)", fallback=False)(k=exponents)
    wanted = [0.0 if k < -1074 else np.inf if k > 1023 else np.ldexp(1.0, int(k)) for k in exponents]
    np.testing.assert_array_equal(found, wanted)
