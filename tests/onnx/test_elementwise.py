"""Element-wise operators at ranks and element types beyond onnx's own cases, against NumPy and onnx's evaluator."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as draw
from onnx import TensorProto, numpy_helper
from scipy import special
from tests.library.samples import Sample
from tests.onnx.operators import Array, assert_same, called, called_by, expected
from tests.onnx.statements import assert_statement

import tolang

pytestmark = pytest.mark.sampled(4)

SHAPES = [((), ()), ((3,), ()), ((2, 1), (3,)), ((2, 1, 4), (5, 1)), ((1,), (1, 1)), ((0, 3), (1, 3)), ((4,), (4,))]
WHOLE = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
REAL = ["float16", "float32", "float64"]


def data(shape: tuple[int, ...], kind: str, seed: int = 0) -> Array:
    """Numbers of both signs where there are any, none of them 0."""
    values = np.random.default_rng(seed).integers(1, 9, shape)
    signs = np.random.default_rng(seed + 9).choice([-1, 1], shape) if kind[0] != "u" else 1
    return np.asarray(values * signs / (1 if kind in WHOLE else 2)).astype(kind)


@pytest.mark.parametrize("shapes", SHAPES, ids=str)
@pytest.mark.parametrize(
    "operator", ["Add", "Sub", "Mul", "Max", "Min", "Div", "Mod", "Less", "Equal", "GreaterOrEqual"]
)
def test_broadcasting(operator: str, shapes: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
    a, b = data(shapes[0], "int32"), data(shapes[1], "int32", 1)
    assert_same(called(f"{operator}(a, b)", a=a, b=b), np.asarray(expected(operator, [a, b])))


def test_one_program_broadcasts_at_every_size() -> None:
    import tolang

    program = tolang.compile("use onnx\ntol a: f32 [n,m]\ntol b: f32 [k]\nc := Add(a, b)", engine="interpret")
    for n, m, k in ((2, 3, 3), (2, 3, 1), (4, 1, 5), (0, 2, 2)):
        a, b = data((n, m), "float32"), data((k,), "float32", 1)
        assert_same(program(a, b), a + b)


@pytest.mark.parametrize("kind", WHOLE + REAL)
@pytest.mark.parametrize("operator", ["Add", "Sub", "Mul", "Div", "Max", "Min"])
def test_arithmetic_keeps_the_element_type_and_wraps(operator: str, kind: str) -> None:
    a, b = data((3, 4), kind), data((3, 4), kind, 1)
    if kind in WHOLE and operator in ("Add", "Sub", "Mul"):
        a = a + np.array(np.iinfo(kind).max - 10, kind)
    assert_same(called(f"{operator}(a, b)", a=a, b=b), expected(operator, [a, b]))


@pytest.mark.parametrize("kind", WHOLE + REAL)
@pytest.mark.parametrize("fmod", [0, 1])
def test_mod(kind: str, fmod: int) -> None:
    a, b = data((40,), kind), data((40,), kind, 1)
    if kind in WHOLE:
        a[0] = np.iinfo(kind).min
    wanted = np.fmod(a, b) if fmod else np.mod(a, b)
    assert_same(called(f"Mod(a, b, fmod={fmod})", a=a, b=b), wanted)


@pytest.mark.parametrize(
    ("base", "exponent"),
    [("float32", "int64"), ("int32", "float32"), ("int64", "int64"), ("float16", "float32"), ("uint8", "uint8")],
)
def test_powers_are_in_the_space_of_the_base(base: str, exponent: str) -> None:
    x, y = np.array([1, 2, 3, 5], base), np.array([3, 0, 2, 1], exponent)
    assert_same(called("Pow(x, y)", x=x, y=y), expected("Pow", [x, y]))


def whole_numbers(kind: str, count: int, seed: int) -> list[int]:
    """Whole numbers of a type other than 0: of every length, its ends, and those around the powers of 2."""
    least, most, bits = int(np.iinfo(kind).min), int(np.iinfo(kind).max), np.iinfo(kind).bits
    chosen = np.random.default_rng(seed)
    sizes = [int(chosen.integers(1, 2**62)) >> int(chosen.integers(0, 62)) for _ in range(count)]
    signed = [size * (-1) ** k for k, size in enumerate(sizes)]
    near = [2**k + d for k in range(1, bits) for d in (-1, 0, 1)]
    return [
        one for one in (*signed, *near, least, least + 1, -2, -1, 1, most - 1, most) if least <= one <= most and one
    ]


@pytest.mark.parametrize("engine", ["interpret", "cpu"])
@pytest.mark.parametrize("kind", WHOLE)
def test_quotients_and_powers_of_whole_numbers_have_all_their_digits(kind: str, engine: str) -> None:
    least, bits = int(np.iinfo(kind).min), np.iinfo(kind).bits

    def held(values: list[int]) -> Array:
        """Numbers as their type has them, which wrap."""
        return np.array([(one - least) % 2**bits + least for one in values], kind)

    first, second = whole_numbers(kind, 40, 0), whole_numbers(kind, 40, 1)
    a, b = [x for x in first for _ in second], second * len(first)
    towards_zero = [abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1) for x, y in zip(a, b, strict=True)]
    found = called_by(engine, "Div(a, b)", a=held(a), b=held(b))
    np.testing.assert_array_equal(found, held(towards_zero))
    powers = [abs(one) for one in b if abs(one) <= np.iinfo(kind).max]
    bases = a[: len(powers)]
    found = called_by(engine, "Pow(x, y)", x=held(bases), y=held(powers))
    np.testing.assert_array_equal(found, held([pow(x, y, 2**bits) for x, y in zip(bases, powers, strict=True)]))


@pytest.mark.parametrize("engine", ["interpret", "cpu"])
def test_a_whole_number_has_no_quotient_by_zero_and_no_digits_below_one(engine: str) -> None:
    one, none = np.array([7, -1]), np.array([0, 0])
    with pytest.raises(tolang.ToLangRunError) as caught:
        called_by(engine, "Div(a, b)", a=one, b=none)
    assert caught.value.code == "E506"
    np.testing.assert_array_equal(called_by(engine, "Pow(x, y)", x=one, y=np.array([-2, -3])), [0, -1])


@pytest.mark.parametrize("kind", WHOLE)
def test_shifts(kind: str) -> None:
    width = np.iinfo(kind).bits
    long = np.iinfo(kind).max // 3 if kind != "int64" else 2**50 + 1
    x = np.array([1, 3, 77, long, np.iinfo(kind).min], kind)
    for n in (0, 1, 7, width - 1):
        y = np.full(x.shape, n, kind)
        assert_same(called("BitShift(x, y, direction='LEFT')", x=x, y=y), x << y)
        assert_same(called("BitShift(x, y, direction='RIGHT')", x=x, y=y), x >> y)


UNARY = {
    "Elu": np.float16, "Selu": np.float16, "Celu": np.float32, "Gelu": np.float32, "Mish": np.float32,
    "Softplus": np.float32, "Sigmoid": np.float16, "HardSwish": np.float32, "HardSigmoid": np.float32,
    "Softsign": np.float32, "Erf": np.float32, "Round": np.float64, "Ceil": np.float16, "Sign": np.int8,
    "Abs": np.int16, "Neg": np.int8, "Relu": np.int32, "Reciprocal": np.float64, "Shrink": np.int32,
    "ThresholdedRelu": np.float32, "LeakyRelu": np.float32, "IsInf": np.float16, "IsNaN": np.float64,
    "BitwiseNot": np.uint16,
}  # fmt: skip


@pytest.mark.parametrize("operator", UNARY)
@pytest.mark.parametrize("shape", [(1,), (0, 5), (2, 1, 3, 2)], ids=str)
def test_of_one_tensor(operator: str, shape: tuple[int, ...]) -> None:
    x = data(shape, np.dtype(UNARY[operator]).name)
    assert_same(
        called(f"{operator}(x)", x=x), np.asarray(expected(operator, [x])), 2e-3 if x.dtype == np.float16 else None
    )


def test_large_numbers_do_not_overflow_on_the_way() -> None:
    x = np.array([-1e4, -100, 0, 100, 1e4], np.float32)
    assert_same(called("Softplus(x)", x=x), np.logaddexp(0, x))
    assert_same(called("Mish(x)", x=x), x * np.tanh(np.logaddexp(0, x)))
    assert_same(called("Sigmoid(x)", x=x), np.array([0, 0, 0.5, 1, 1], np.float32), 1e-6)


@pytest.mark.parametrize("engine", ["interpret", "cpu"])
@pytest.mark.parametrize(("kind", "accuracy"), [("f32", 5e-7), ("f64", 1e-15)])
def test_the_error_function_is_as_exact_as_its_numbers(engine: str, kind: str, accuracy: float) -> None:
    program = tolang.compile(f"use onnx\ntol x: {kind} [n]\ny := Erf(x)", engine=engine)
    x = np.linspace(-4, 4, 4002).astype(np.dtype(kind.replace("f32", "f4").replace("f64", "f8")))
    exact = special.erf(x.astype(np.float64))
    assert np.max(np.abs(program(x) / exact - 1)) < accuracy
    ends = np.array([-np.inf, -30, -6, 6, 30, np.inf], x.dtype)
    assert program(ends).tolist() == [-1, -1, -1, 1, 1, 1]
    assert np.isnan(program(np.array([np.nan], x.dtype)))


def test_special_numbers() -> None:
    x = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0], np.float32)
    assert_same(called("Relu(x)", x=x), np.maximum(x, 0))
    assert_same(called("Clip(x, min=-1, max=1)", x=x), np.clip(x, -1, 1))
    assert_same(called("IsInf(x, detect_negative=0)", x=x), x == np.inf)
    assert_same(called("IsInf(x, detect_positive=0)", x=x), x == -np.inf)
    assert_same(called("IsInf(x, detect_positive=0, detect_negative=0)", x=x), np.zeros(5, bool))


@pytest.mark.parametrize("kind", ["int8", "uint8", "int64", "float16", "float64"])
def test_clip_with_one_end_or_none(kind: str) -> None:
    x, end = data((3, 4), kind), np.array(3, kind)
    assert_same(called("Clip(x)", x=x), x)
    assert_same(called("Clip(x, e)", x=x, e=end), np.maximum(x, end))
    assert_same(called("Clip(x, max=e)", x=x, e=end), np.minimum(x, end))


def test_where_takes_three_shapes() -> None:
    c, x, y = np.array([[True], [False]]), data((3,), "int8"), data((4, 1, 1), "int8", 1)
    assert_same(called("Where(c, x, y)", c=c, x=x, y=y), np.where(c, x, y))


def test_dropout() -> None:
    x = np.ones((40, 50), np.float32)
    y, mask = called("Dropout(x, ratio=0.25, training_mode=true)", x=x).columns
    assert_same(y, np.where(mask, np.float32(1 / 0.75), np.float32(0)))
    assert 0.7 < mask.mean() < 0.8
    y, mask = called("Dropout(x)", x=x).columns
    assert_same(y, x)
    assert mask.all()


CASTS: dict[str, Any] = {
    "f32": np.float32, "f64": np.float64, "f16": np.float16, "bf16": ml_dtypes.bfloat16, "B": np.bool_,
    **{f"{kind[0]}{np.iinfo(kind).bits}": np.dtype(kind).type for kind in WHOLE},
}  # fmt: skip


@pytest.mark.parametrize("to", CASTS)
@pytest.mark.parametrize("source", CASTS)
def test_cast(source: str, to: str) -> None:
    """As C does: without the fraction and by the last digits; what does not fit 64 bits is not defined, NaN is 0."""
    x = np.array([0, 1, 2.75, 100, 127, 200, 300, 70000, 5e9, -1, -2.75, -128, -129, -40000, -5e9])
    if np.dtype(CASTS[source]).kind == "u":
        x = np.abs(x)
    with np.errstate(all="ignore"):
        x = (
            x.astype(np.int64).astype(CASTS[source])
            if np.dtype(CASTS[source]).kind in "iu"
            else x.astype(CASTS[source])
        )
        x = x[np.isfinite(x.astype(np.float64))]
        whole = np.dtype(CASTS[to]).kind in "iu"
        wanted = (x.astype(np.int64) if whole and np.dtype(CASTS[source]).kind not in "iu" else x).astype(CASTS[to])
    assert_same(called(f"Cast(x, to='{to}')", x=x), wanted, 0)
    if whole and source == "f32":
        assert not called(f"Cast(x, to='{to}')", x=np.array([np.nan], np.float32)).any()
    if len(x):
        assert_same(called("CastLike(x, y)", x=x, y=np.zeros(2, CASTS[to])), wanted, 0)


@given(draw.lists(draw.floats(width=32), min_size=1, max_size=8), draw.sampled_from(
    [(17, "f8e4m3fn"), (18, "f8e4m3fnuz"), (19, "f8e5m2"), (20, "f8e5m2fnuz"), (23, "f4e2m1"), (16, "bf16")]
), draw.booleans())  # fmt: skip
def test_cast_to_narrow_floats(values: list[float], goal: tuple[int, str], saturate: bool) -> None:
    x = np.array(values, np.float32)
    with np.errstate(all="ignore"):
        wanted = expected("Cast", [x], to=goal[0], saturate=int(saturate))
    found = called(f"Cast(x, to='{goal[1]}', saturate={int(saturate)})", x=x)
    assert found.dtype == wanted.dtype
    np.testing.assert_array_equal(found.astype(np.float32), wanted.astype(np.float32))


@pytest.mark.parametrize("mode", ["up", "down", "nearest"])
@pytest.mark.parametrize("saturate", [0, 1])
def test_cast_to_powers_of_two(mode: str, saturate: int) -> None:
    x = np.array([0, 1.1, 1.5, 3, 2.9, 1.7e38, 2.5e38, 3.4e38, np.inf, np.nan, 6, 2**-126 * 1.5], np.float32)
    wanted = numpy_helper.to_float8e8m0(x, bool(saturate), mode)
    found = called(f"Cast(x, to='f8e8m0', round_mode='{mode}', saturate={saturate})", x=x)
    np.testing.assert_array_equal(found.astype(np.float32), wanted.astype(np.float32))


X = np.linspace(-2, 2, 12).reshape(3, 4)
K, T = np.arange(1, 13).reshape(3, 4), X > 0
ONE = "Abs Neg Floor Ceil Round IsNaN Reciprocal Sqrt Relu LeakyRelu Elu Selu Celu Gelu Softplus Mish Sigmoid Swish " \
    "HardSigmoid HardSwish ThresholdedRelu IsInf"  # fmt: skip
INPUT = "Sign Exp Log Erf Sin Cos Tan Asin Acos Atan Sinh Cosh Tanh Asinh Acosh Atanh Softsign Shrink Clip"
TWO = "Add Sub Mul Div Mod Sum Max Min Equal Greater GreaterOrEqual Less LessOrEqual"
STATEMENTS: list[tuple[str, Sample]] = [
    *((name, {"x": X}) for name in ONE.split()),
    *((name, {"input": X}) for name in INPUT.split()),
    *((name, {"a": X, "b": X[0]}) for name in TWO.split()),
    *((name, {"a": K, "b": K}) for name in ("Div", "BitwiseAnd", "BitwiseOr", "BitwiseXor", "Mod")),
    *((name, {"a": T, "b": T}) for name in ("And", "Or", "Xor")),
    *((name, {"a": kind, "b": kind, "fmod": 1}) for name in ("Mod",) for kind in (X, K)),
    ("Not", {"x": T}),
    ("BitwiseNot", {"x": K}),
    ("Pow", {"x": X, "y": X}),
    ("Pow", {"x": K, "y": X}),
    ("Pow", {"x": K, "y": K}),
    ("BitShift", {"x": K, "y": K, "direction": "LEFT"}),
    ("BitShift", {"x": K, "y": K, "direction": "RIGHT"}),
    ("Mean", {"sum": X}),
    ("Mean", {"sum": X, "n": 3}),
    ("Where", {"condition": T, "x": X, "y": X[0]}),
    ("PRelu", {"x": X, "slope": X[0]}),
    ("Gelu", {"x": X, "approximate": "tanh"}),
    ("IsInf", {"x": X, "detect_negative": 0}),
    ("Dropout", {"data": X}),
    ("Dropout", {"data": X, "training_mode": True}),
    *(("Cast", {"input": one, "to": to}) for one in (X, K, T) for to in ("i32", "u64", "B", "f32", "f8e5m2")),
    ("Cast", {"input": X, "to": "f8e8m0"}),
    ("CastLike", {"input": X, "target_type": K}),
]


@pytest.mark.parametrize(("name", "sample"), STATEMENTS, ids=[name for name, _ in STATEMENTS])
def test_stated_eops(name: str, sample: Sample) -> None:
    assert_statement(name, sample)


def test_element_types_have_onnx_numbers() -> None:
    from tolang.onnx.elements import SPACE_OF_ELEMENT

    assert SPACE_OF_ELEMENT[TensorProto.BFLOAT16] == "bf16"
    assert SPACE_OF_ELEMENT[TensorProto.FLOAT8E8M0] == "f8e8m0"
