"""Every basic elementary function, held against Python's integers and Fractions, against NumPy and against mpmath."""

from __future__ import annotations

import itertools
import math
import operator
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import ml_dtypes
import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tolang.ground.reporting.diagnostics import ToLangRunError
from tolang.ground.values.elementary import apply
from tolang.ground.values.functions import BY_SIGN, FUNCTIONS, SpaceMismatch, derivatives_of, result_column
from tolang.ground.values.membership import outsiders
from tolang.ground.values.spaces import FAMILIES, Column, Space, column, dtype_of
from tolang.ground.values.values import ToL, equal

pytestmark = [pytest.mark.filterwarnings("error"), pytest.mark.sampled(4)]

I64 = st.integers(-(2**63), 2**63 - 1)
EDGES = st.one_of(I64, st.integers(-5, 5), st.sampled_from([2**63 - 1, -(2**63), 2**31, -(2**31), 2**32, 3037000500]))
WIDE = st.integers(-(10**30), 10**30)
FRACTIONS = st.fractions(max_denominator=10**6)


def evaluate(name: str, *arguments: tuple[Any, Column]) -> np.ndarray[Any, Any]:
    """Apply a function as an engine does: the result's column follows from the arguments' columns."""
    columns = tuple(one for _, one in arguments)
    return apply(name, [np.asarray(value) for value, _ in arguments], result_column(name, columns), columns)


def on(storage: str, *values: Any) -> tuple[np.ndarray[Any, Any], Column]:
    """An argument in a declared machine space."""
    return np.array(values, dtype=dtype_of(storage)), column(storage)


def whole(*values: int) -> tuple[np.ndarray[Any, Any], Column]:
    return np.array(values, dtype=np.int64), column("Z")


def natural(*values: int) -> tuple[np.ndarray[Any, Any], Column]:
    return np.array(values, dtype=np.int64), column("N")


def exact(*values: Any, space: str = "Q") -> tuple[np.ndarray[Any, Any], Column]:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array, column(space, "rational" if space == "Q" else "integer")


def literal(value: Any, space: str) -> tuple[np.ndarray[Any, Any], Column]:
    return np.asarray(value), column(space, weak=True)


@pytest.mark.parametrize("name", sorted(set(FUNCTIONS) - {"rand"}))
def test_every_function_evaluates(name: str) -> None:
    for arity in FUNCTIONS[name].arity:
        logic = name in ("and", "or", "xor", "not")
        arguments = [(np.array([True, False]), column("B")) if logic else (np.array([0.25, 0.5]), column("R"))] * arity
        if name in ("length", "code", "uppercase", "lowercase", "substring", "append_text", "to_number"):
            text = (np.array(["12", "3"], object), column("S"))
            place = (np.array([2, 1]), column("N"))
            arguments = [text, text if name == "append_text" else place, place][:arity]
        outcome = evaluate(name, *arguments)
        assert outcome.shape == (2,)
        assert outcome.dtype == dtype_of(result_column(name, tuple(c for _, c in arguments)).storage)


def test_rand_is_not_a_function_of_values_alone() -> None:
    with pytest.raises(ValueError, match="rand"):
        evaluate("rand", on("f64", 1.0))


CHECKED: list[tuple[str, Callable[[int, int], int]]] = [
    ("add", operator.add),
    ("sub", operator.sub),
    ("mul", operator.mul),
    ("max", max),
    ("min", min),
]


MEMBERS: dict[str, list[Any]] = {
    "B": [0, 1], "N": [0, 1, 5], "N*": [1, 5], "Z": [-2, 0, 3], "Z*": [-2, 3], "Z+": [1, 3], "Z-": [-3, -1],
    "Q": [Fraction(-1, 2), Fraction(0), Fraction(5, 3)], "Q+": [Fraction(1, 2)], "Q-": [Fraction(-1, 2)],
    "Q*": [Fraction(-1, 2)], "R": [-1.5, 0.0, 2.0], "R*": [-1.5], "R+": [0.5], "R-": [-0.5], "I": [2j, 0j],
    "C": [1 + 2j], "S": ["abcde", "bcdef"],
}  # fmt: skip


def members(one: Column) -> np.ndarray[Any, Any]:
    """Some values of a column, as it stores them."""
    space = one.space
    root = "N" if one.storage[0] == "u" or space.lower == 0 else space.family if space.is_machine else space.root
    if root in MEMBERS and one.storage == "rational":
        values = [Fraction(value) for value in MEMBERS[root]]
        return np.array([*values, None], dtype=object)[:-1]
    return np.array(MEMBERS[root], dtype=dtype_of(one.storage))


COLUMNS = [
    *(column(root) for root in FAMILIES), column("Z", weak=True), column("R", weak=True), column("C", weak=True),
    column("Z", "u64"), column("Z", "i32"), column("R", "f32"), column("Z", "integer"), column("B", weak=True),
    Column(Space("N", 0, 5), "u8"), Column(Space("Z", -2, 3), "i8"),
]  # fmt: skip


def attempted(
    name: str, arguments: list[np.ndarray[Any, Any]], result: Column, columns: tuple[Column, ...]
) -> tuple[np.ndarray[Any, Any] | None, str | None]:
    """The result, or the code of the error."""
    try:
        return apply(name, arguments, result, columns), None
    except ToLangRunError as error:
        return None, error.code


@pytest.mark.parametrize("name", sorted(set(FUNCTIONS) - {"rand"}))
def test_results_lie_in_the_space_and_storage_promised(name: str) -> None:
    """Every function on every pair of spaces: the table's promise holds, or the error is the language's own."""
    for arity in FUNCTIONS[name].arity:
        for columns in itertools.product(COLUMNS, repeat=min(arity, 2)):
            columns = columns + columns[1:] * (arity - 2)
            try:
                promised = result_column(name, columns)
            except SpaceMismatch:
                continue
            arguments = [members(one) for one in columns]
            if arity > 1:
                arguments[0] = arguments[0][:, None]
            outcome, code = attempted(name, arguments, promised, columns)
            if outcome is None:
                expected = {"code": "E513", "substring": "E513", "to_number": "E501"}
                assert code in ("E505", "E506") or expected.get(name) == code, columns
                continue
            assert outcome.dtype == dtype_of(promised.storage), columns
            assert outcome.shape == np.broadcast_shapes(*(one.shape for one in arguments))
            outside = outsiders(outcome, promised.space)
            assert outside is None or not outside.any(), (columns, promised, outcome)
            numeric = [one.reshape(-1)[:1].reshape(()) for one in arguments]
            alone = apply(name, numeric, promised, columns)
            assert alone.shape == ()
            assert equal(alone, outcome.reshape(-1)[0] if promised.storage != "text" else str(alone))


def test_results_beyond_memory_are_refused() -> None:
    row, large = np.zeros((1, 2**20)), np.broadcast_to(np.zeros(1), (2**30, 2**20))
    real = column("R")
    with pytest.raises(ToLangRunError, match="not enough memory for the result of add"):
        apply("add", [row, large], real, (real, real))


@pytest.mark.parametrize(("name", "python"), CHECKED)
@given(pairs=st.lists(st.tuples(EDGES, EDGES), min_size=1, max_size=6))
def test_whole_numbers_are_right_or_an_error(
    name: str, python: Callable[[int, int], int], pairs: list[tuple[int, int]]
) -> None:
    expected = [python(a, b) for a, b in pairs]
    first, second = whole(*(a for a, _ in pairs)), whole(*(b for _, b in pairs))
    if all(-(2**63) <= one < 2**63 for one in expected):
        assert evaluate(name, first, second).tolist() == expected
    else:
        with pytest.raises(ToLangRunError) as caught:
            evaluate(name, first, second)
        index = next(i for i, one in enumerate(expected) if not -(2**63) <= one < 2**63)
        assert caught.value.code == "E505"
        assert f"at [{index + 1}] does not fit the 64-bit integers" in str(caught.value)


@given(st.lists(st.tuples(st.one_of(st.integers(-70, 70), EDGES), st.integers(0, 70)), min_size=1, max_size=5))
def test_whole_powers_are_right_or_an_error(pairs: list[tuple[int, int]]) -> None:
    expected = [a**b for a, b in pairs]
    first, second = whole(*(a for a, _ in pairs)), natural(*(b for _, b in pairs))
    if all(-(2**63) <= one < 2**63 for one in expected):
        assert evaluate("pow", first, second).tolist() == expected
    else:
        with pytest.raises(ToLangRunError, match="E505"):
            evaluate("pow", first, second)


@pytest.mark.parametrize("storage", ["f16", "bf16", "f32", "f64"])
def test_a_square_is_the_product_wherever_its_exponent_lies(storage: str) -> None:
    """Powers that are chains of products are rounded as these are, beside other exponents, too."""
    numbers = np.random.default_rng(5).normal(size=5000)
    base = on(storage, *numbers)
    square = evaluate("mul", base, base)
    for exponent in (on(storage, 2), on(storage, *np.full(5000, 2))):
        assert np.array_equal(evaluate("pow", base, exponent), square)
    several = evaluate("pow", base, on(storage, *np.tile([1, 2, 0.5, -1, 2], 1000)))
    assert np.array_equal(several[1::5], square[1::5])
    assert np.array_equal(several[::5], base[0][::5])
    assert np.array_equal(several[4::5], square[4::5])
    wide = "f32" if storage in ("f16", "bf16") else storage
    two, x = evaluate("mul", on(wide, *base[0]), on(wide, *base[0])), on(wide, *base[0])[0]
    assert np.array_equal(evaluate("pow", base, on(storage, 3)), (two * x).astype(base[0].dtype))
    assert np.array_equal(evaluate("pow", base, on(storage, 4)), (two * two).astype(base[0].dtype))


def test_the_least_integer_has_no_opposite() -> None:
    for name in ("neg", "abs"):
        with pytest.raises(ToLangRunError, match=r"-9223372036854775808\) at \[2\]"):
            evaluate(name, whole(1, -(2**63)))
    assert evaluate("neg", natural(3)).tolist() == [-3]
    assert result_column("neg", (column("N"),)).space == Space("Z")


MACHINE_INTEGERS = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"]


@pytest.mark.parametrize("storage", MACHINE_INTEGERS)
@pytest.mark.parametrize(("name", "python"), [*CHECKED[:3], ("and", operator.and_), ("xor", operator.xor)])
@given(st.data())
def test_machine_integers_wrap(storage: str, name: str, python: Callable[[int, int], int], data: st.DataObject) -> None:
    bits = int(storage[1:])
    low, high = (0, 2**bits - 1) if storage[0] == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    a, b = data.draw(st.integers(low, high)), data.draw(st.integers(low, high))
    outcome = evaluate(name, on(storage, a), on(storage, b))
    assert outcome.dtype == dtype_of(storage)
    assert outcome.tolist() == [(python(a, b) - low) % 2**bits + low]


@pytest.mark.parametrize("storage", MACHINE_INTEGERS)
def test_machine_powers_wrap_and_their_exponents_do_not(storage: str) -> None:
    bits = int(storage[1:])
    outcome = int(evaluate("pow", on(storage, 3), (np.asarray(301), column("N", weak=True)))[0])
    assert outcome % 2**bits == 3**301 % 2**bits


def test_numerics_wrap_without_a_warning() -> None:
    largest = (np.asarray(np.int32(2**31 - 1)), column("i32"))
    assert int(evaluate("add", largest, literal(1, "N"))) == -(2**31)


EXACT_PAIRS: list[tuple[str, Callable[[Any, Any], Any]]] = [
    ("add", operator.add), ("sub", operator.sub), ("mul", operator.mul), ("div", operator.truediv),
    ("mod", operator.mod), ("max", max), ("min", min),
]  # fmt: skip


@pytest.mark.parametrize(("name", "python"), EXACT_PAIRS)
@given(a=FRACTIONS, b=FRACTIONS)
def test_rationals_are_exact(name: str, python: Callable[[Any, Any], Any], a: Fraction, b: Fraction) -> None:
    if name in ("div", "mod") and b == 0:
        with pytest.raises(ToLangRunError, match="E506"):
            evaluate(name, exact(a), exact(b))
        return
    outcome = evaluate(name, exact(a), exact(b))
    assert outcome.tolist() == [python(a, b)]
    assert type(outcome[0]) is Fraction


@given(FRACTIONS, st.integers(-12, 12))
def test_rationals_to_whole_powers_are_exact(base: Fraction, exponent: int) -> None:
    if base == 0 and exponent < 0:
        with pytest.raises(ToLangRunError, match="E506"):
            evaluate("pow", exact(base), whole(exponent))
    else:
        assert evaluate("pow", exact(base), whole(exponent)).tolist() == [base**exponent]


@given(FRACTIONS)
def test_rationals_alone(value: Fraction) -> None:
    assert evaluate("neg", exact(value)).tolist() == [-value]
    assert evaluate("abs", exact(value)).tolist() == [abs(value)]
    assert evaluate("sgn", exact(value)).tolist() == [(value > 0) - (value < 0)]
    assert evaluate("floor", exact(value)).tolist() == [math.floor(value)]
    assert evaluate("tanh", exact(value)).tolist() == [np.tanh(float(value))]
    assert result_column("floor", (column("Q"),)) == column("Z", "integer")


@given(FRACTIONS, st.floats(allow_nan=False))
def test_rationals_compare_exactly(one: Fraction, other: float) -> None:
    for name, python in [("lt", operator.lt), ("ge", operator.ge), ("eq", operator.eq), ("ineq", operator.ne)]:
        assert evaluate(name, exact(one), on("f64", other)).tolist() == [python(one, other)]


@pytest.mark.parametrize(("name", "python"), [*CHECKED, ("mod", operator.mod), ("and", operator.and_)])
@given(a=WIDE, b=WIDE)
def test_long_integers_are_exact(name: str, python: Callable[[int, int], int], a: int, b: int) -> None:
    if name == "mod" and b == 0:
        with pytest.raises(ToLangRunError, match="E506"):
            evaluate(name, exact(a, space="Z"), exact(b, space="Z"))
    else:
        assert evaluate(name, exact(a, space="Z"), exact(b, space="Z")).tolist() == [python(a, b)]


def test_long_integers_divide_and_round_once() -> None:
    outcome = evaluate("div", exact(10**400, 1, 0, -1, space="Z"), exact(10**399, 0, 0, 0, space="Z"))
    assert np.array_equal(outcome, [10.0, math.inf, math.nan, -math.inf], equal_nan=True)


def test_absurd_powers_are_refused() -> None:
    with pytest.raises(ToLangRunError, match="binary digits"):
        evaluate("pow", exact(10, space="Z"), natural(10**15))


def test_division_of_whole_numbers_is_real() -> None:
    outcome = evaluate("div", whole(1, 1, 0, -1), whole(2, 0, 0, 0))
    assert outcome.dtype == np.float64
    assert np.array_equal(outcome, [0.5, math.inf, math.nan, -math.inf], equal_nan=True)


@given(st.lists(st.tuples(EDGES, EDGES.filter(bool)), min_size=1, max_size=5))
def test_the_remainder_is_of_floor_division(pairs: list[tuple[int, int]]) -> None:
    outcome = evaluate("mod", whole(*(a for a, _ in pairs)), whole(*(b for _, b in pairs)))
    assert outcome.tolist() == [a % b for a, b in pairs]


@pytest.mark.parametrize("storage", ["i64", "u8"])
def test_no_remainder_by_a_whole_zero(storage: str) -> None:
    with pytest.raises(ToLangRunError, match=r"5%0 at \[2\]"):
        evaluate("mod", on(storage, 4, 5), on(storage, 3, 0))
    assert np.isnan(evaluate("mod", on("f64", 5.0), on("f64", 0.0)))[0]


def test_nothing_by_nothing() -> None:
    assert evaluate("mod", whole(), whole(0)).shape == (0,)
    assert evaluate("add", whole(), whole(1)).shape == (0,)


REAL_BY_MPMATH = {
    "sin": mpmath.sin, "cos": mpmath.cos, "tan": mpmath.tan, "asin": mpmath.asin, "acos": mpmath.acos,
    "atan": mpmath.atan, "sinh": mpmath.sinh, "cosh": mpmath.cosh, "tanh": mpmath.tanh, "asinh": mpmath.asinh,
    "acosh": mpmath.acosh, "atanh": mpmath.atanh, "sqrt": mpmath.sqrt, "exp": mpmath.exp, "log": mpmath.log,
}  # fmt: skip
DOMAINS = {
    "asin": (-1, 1),
    "acos": (-1, 1),
    "atanh": (-0.999, 0.999),
    "acosh": (1, 100),
    "sqrt": (0, 100),
    "log": (1e-3, 100),
}


@pytest.mark.parametrize("name", sorted(REAL_BY_MPMATH))
@given(part=st.floats(0, 1))
def test_real_functions_agree_with_mpmath(name: str, part: float) -> None:
    low, high = DOMAINS.get(name, (-6, 6))
    x = low + (high - low) * part
    expected = float(REAL_BY_MPMATH[name](mpmath.mpf(x)))
    for storage, tolerance in (("f64", 4e-15), ("f32", 2e-6), ("f16", 4e-3)):
        held = float(np.asarray(x, dtype=dtype_of(storage)))
        if not low <= held <= high:
            continue
        expected = float(REAL_BY_MPMATH[name](mpmath.mpf(held)))
        outcome = evaluate(name, on(storage, held))
        assert outcome.dtype == dtype_of(storage)
        assert math.isclose(float(outcome[0]), expected, rel_tol=tolerance, abs_tol=tolerance)


def test_outside_their_domain_reals_are_undefined() -> None:
    for name, value in [("log", -1.0), ("sqrt", -1.0), ("asin", 2.0), ("acosh", 0.0), ("atanh", 2.0)]:
        assert np.isnan(evaluate(name, on("f64", value)))[0]
    assert evaluate("log", on("f64", 0.0)).tolist() == [-math.inf]


@given(st.complex_numbers(min_magnitude=0.1, max_magnitude=3))
def test_complex_functions_agree_with_mpmath(z: complex) -> None:
    for name in ("sin", "cos", "exp", "sqrt", "log", "tanh", "sinh"):
        expected = complex(REAL_BY_MPMATH[name](mpmath.mpc(z)))
        outcome = complex(evaluate(name, on("c128", z))[0])
        if name in ("sqrt", "log") and z.real < 0 and abs(z.imag) < 1e-9:
            continue  # on the cut the sign of a zero decides, and mpmath has none
        assert abs(outcome - expected) <= 1e-12 * max(1.0, abs(expected))
    assert evaluate("abs", on("c64", z)).dtype == np.float32
    assert evaluate("mul", on("c128", z), on("c128", z)).tolist() == np.multiply([z], [z]).tolist()


def test_products_of_imaginary_numbers_are_complex() -> None:
    imaginary = column("I")
    assert result_column("mul", (imaginary, imaginary)).space == Space("C")
    assert result_column("add", (imaginary, imaginary)).space == Space("I")
    assert result_column("exp", (imaginary,)).space == Space("C")


@given(st.integers(2, 40), st.data())
def test_logarithms_of_exact_powers_are_exact(base: int, data: st.DataObject) -> None:
    most = int(math.log(2**63 - 1) / math.log(base) + 1e-9)
    exponent = data.draw(st.integers(0, most))
    if base**exponent < 2**63:
        assert evaluate("log", whole(base**exponent), whole(base)).tolist() == [exponent]
    assert evaluate("log", exact(base ** (exponent + 50), space="Z"), whole(base)).tolist() == [exponent + 50]
    assert evaluate("log", exact(Fraction(1, base**exponent)), whole(base)).tolist() == [-exponent]


def test_logarithms_of_the_paper() -> None:
    cases = [(8.0, 2.0, 3.0), (1000.0, 10.0, 3.0), (243.0, 3.0, 5.0), (0.001, 10.0, -3.0), (0.125, 2.0, -3.0)]
    for storage in ("f64", "f32"):
        for x, base, expected in cases:
            if storage == "f32" and x == 0.001:
                continue  # 0.001 in f32 is no power of 10
            assert evaluate("log", on(storage, x), on(storage, base)).tolist() == [expected]
    assert evaluate("log", whole(8, 9), literal(2, "N")).tolist() == [3.0, pytest.approx(math.log2(9))]
    assert evaluate("log", exact(10**400, space="Z"), whole(10)).tolist() == [400.0]


@given(st.floats(1e-300, 1e300), st.floats(1.5, 1e3))
def test_logarithms_agree_with_mpmath(x: float, base: float) -> None:
    expected = float(mpmath.log(mpmath.mpf(x), mpmath.mpf(base)))
    assert math.isclose(
        float(evaluate("log", on("f64", x), on("f64", base))[0]), expected, rel_tol=1e-14, abs_tol=1e-15
    )


def test_truth_values_count_in_arithmetic() -> None:
    truth = (np.array([True, True, False]), column("B"))
    outcome = evaluate("add", truth, truth)
    assert (outcome.dtype, outcome.tolist()) == (np.int64, [2, 2, 0])
    assert evaluate("sub", truth, truth).tolist() == [0, 0, 0]
    assert evaluate("neg", truth).tolist() == [-1, -1, 0]
    assert evaluate("mul", truth, on("f32", 2.5)).dtype == np.float32
    assert evaluate("div", truth, truth).dtype == np.float64
    assert evaluate("max", truth, truth).dtype == bool


@pytest.mark.parametrize("name", ["and", "or", "xor"])
def test_logic_on_truth_values(name: str) -> None:
    python = {"and": operator.and_, "or": operator.or_, "xor": operator.xor}[name]
    first, second = np.array([True, True, False, False]), np.array([True, False, True, False])
    outcome = evaluate(name, (first, column("B")), (second, column("B")))
    assert outcome.tolist() == [python(a, b) for a, b in zip(first.tolist(), second.tolist(), strict=True)]
    assert evaluate("not", (first, column("B"))).tolist() == [False, False, True, True]


def test_logic_on_binary_digits() -> None:
    space = Space("N", 0, 200)
    held = Column(space, space.storage)
    values = (np.array([5, 200], dtype=np.uint8), held)
    assert evaluate("not", values).tolist() == [250, 55]
    assert result_column("not", (held,)).space == Space("N", 0, 255)
    assert evaluate("or", values, (np.array([1, 55], dtype=np.uint8), held)).tolist() == [5, 255]
    assert evaluate("and", values, literal(65535, "N")).tolist() == [5, 200]
    with pytest.raises(ToLangRunError, match="E505"):
        evaluate("or", values, literal(256, "N"))
    nibble = Column(Space("N", 0, 15), "u8")
    assert evaluate("not", (np.array([5], dtype=np.uint8), nibble)).tolist() == [10]
    assert evaluate("not", whole(5)).tolist() == [-6]
    assert evaluate("not", natural(5)).tolist() == [-6]
    assert evaluate("not", on("u8", 5)).tolist() == [250]
    largest = Column(Space("N", 0, 2**64 - 1), "u64")
    assert evaluate("not", (np.array([0], dtype=np.uint64), largest)).tolist() == [2**64 - 1]
    with pytest.raises(SpaceMismatch):
        result_column("and", (column("R"), column("R")))


@given(st.integers(0, 2**64 - 1), I64)
def test_signed_and_unsigned_compare_rightly(unsigned: int, signed: int) -> None:
    for name, python in [("lt", operator.lt), ("le", operator.le), ("gt", operator.gt), ("eq", operator.eq)]:
        assert evaluate(name, on("u64", unsigned), on("i64", signed)).tolist() == [python(unsigned, signed)]


def test_literals_take_the_storage_they_meet() -> None:
    tenth = on("f32", 0.1)
    assert evaluate("eq", tenth, literal(0.1, "R")).tolist() == [True]
    assert evaluate("mul", tenth, literal(2, "N")).dtype == np.float32
    assert evaluate("add", on("u8", 255), literal(1, "N")).tolist() == [0]
    assert evaluate("lt", on("u8", 255), literal(300, "N")).tolist() == [True]
    assert evaluate("eq", tenth, literal(1j, "C")).tolist() == [False]
    assert evaluate("add", tenth, literal(1j, "C")).dtype == np.complex64


def test_text_compares() -> None:
    first, second = ToL.of(["a", "b", "c"]), ToL.of(["b", "b", "b"])
    arguments = [(value.columns[0], value.spaces[0]) for value in (first, second)]
    assert evaluate("lt", *arguments).tolist() == [True, False, False]
    assert evaluate("eq", *arguments).tolist() == [False, True, False]
    assert evaluate("max", *arguments).tolist() == ["b", "b", "c"]
    with pytest.raises(SpaceMismatch, match="text"):
        result_column("lt", (column("S"), column("R")))


def test_order_propagates_what_is_undefined() -> None:
    for name in ("max", "min"):
        assert np.isnan(evaluate(name, on("f64", math.nan, 1.0), on("f64", 1.0, math.nan))).all()
        assert np.isnan(evaluate(name, on("bf16", math.nan), on("bf16", 1.0)).astype(float)).all()


def test_order_keeps_a_bounded_space() -> None:
    byte = Column(Space("N", 0, 255), "u8")
    assert result_column("max", (byte, byte)) == byte
    assert result_column("add", (byte, byte)) == column("N")


@given(st.floats(-100, 100, width=16), st.floats(-100, 100, width=16))
def test_bfloat_is_computed_in_single_and_rounded_once(a: float, b: float) -> None:
    first, second = on("bf16", a), on("bf16", b)
    for name, python in [("add", operator.add), ("mul", operator.mul)]:
        expected = np.float32(python(np.float32(first[0][0]), np.float32(second[0][0]))).astype(ml_dtypes.bfloat16)
        outcome = evaluate(name, first, second)
        assert outcome.dtype == ml_dtypes.bfloat16
        assert float(outcome[0]) == float(expected)
    assert evaluate("sin", first).dtype == ml_dtypes.bfloat16
    assert evaluate("lt", first, second).tolist() == [float(first[0][0]) < float(second[0][0])]


@pytest.mark.parametrize(("storage", "least"), [("f16", 0x7C01), ("f32", 0x7F800001), ("f64", 0x7FF0000000000001)])
def test_powers_of_one_kind_of_nan(storage: str, least: int) -> None:
    """C's `pow` tells signalling NaN from others, which no other function does."""
    nan = (np.array([least], dtype=f"u{dtype_of(storage).itemsize}").view(dtype_of(storage)), column(storage))
    assert evaluate("pow", on(storage, 1), nan).tolist() == [1.0]
    assert evaluate("pow", nan, on(storage, 0)).tolist() == [1.0]
    assert np.isnan(evaluate("pow", nan, on(storage, 2))).all()


def test_powers_leave_the_integers_only_where_they_must() -> None:
    assert result_column("pow", (column("Z"), column("N"))).space == Space("Z")
    assert result_column("pow", (column("Z"), column("Z"))) == column("R")
    assert result_column("pow", (column("i32"), column("N", weak=True))) == column("i32")
    assert result_column("pow", (column("i32"), column("u8"))) == column("i32")
    assert evaluate("pow", whole(2), whole(-1)).tolist() == [0.5]
    assert result_column("pow", (column("Q"), column("Z"))) == column("Q")
    assert result_column("pow", (column("Q"), column("Q"))) == column("R")
    assert evaluate("pow", on("f32", 3.0), literal(2, "N")).dtype == np.float32


def test_every_sign_names_a_function() -> None:
    assert BY_SIGN["<"] == "lt"
    assert BY_SIGN[">"] == "gt"
    assert set(BY_SIGN.values()) <= set(FUNCTIONS)


def _mathematical(text: str, x: Any, y: Any, z: Any) -> Any:
    """A derivative of the table, written in ToLang, computed by mpmath."""
    known = {
        "sin": mpmath.sin, "cos": mpmath.cos, "sinh": mpmath.sinh, "cosh": mpmath.cosh, "tanh": mpmath.tanh,
        "sqrt": mpmath.sqrt, "exp": mpmath.exp, "log": mpmath.log, "floor": mpmath.floor, "sgn": mpmath.sign,
        "x": x, "y": y, "z": z,
    }  # fmt: skip
    python = re.sub(r"if (.*) then (.*) else (.*)", r"(\2) if \1 else (\3)", text.replace("^", "**"))
    return mpmath.mpf(eval(python, {"__builtins__": {}}, known))


MATHEMATICS: dict[str, Callable[..., Any]] = {
    **REAL_BY_MPMATH,
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": operator.truediv,
    "mod": lambda x, y: x - y * mpmath.floor(x / y), "pow": operator.pow, "max": max, "min": min,
    "sgn": mpmath.sign, "abs": abs, "neg": operator.neg, "floor": mpmath.floor,
}  # fmt: skip


@pytest.mark.parametrize("name", [name for name, row in FUNCTIONS.items() if row.derivatives])
def test_derivatives_agree_with_finite_differences(name: str) -> None:
    points = {"acosh": (1.7, 2.3), "asin": (0.3, 0.6), "acos": (0.3, 0.6), "atanh": (0.3, 0.6)}.get(name, (1.3, 0.7))
    step = mpmath.mpf(10) ** -20
    with mpmath.workdps(60):
        for first, second in (points, points[::-1]):
            if name == "acosh" or not (name == "log" and second == 1):
                for arity in FUNCTIONS[name].arity:
                    point = [mpmath.mpf(first), mpmath.mpf(second)][:arity]
                    for position, text in enumerate(derivatives_of(name, arity)):
                        above, below = list(point), list(point)
                        above[position] += step
                        below[position] -= step
                        function = MATHEMATICS[name]
                        slope = (function(*above) - function(*below)) / (2 * step)
                        stated = _mathematical(text, point[0], point[-1], function(*point))
                        assert abs(slope - stated) < mpmath.mpf(10) ** -15
