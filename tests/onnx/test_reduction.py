"""Reductions, running results and softmax at ranks and element types beyond onnx's own cases."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.library.samples import Sample
from tests.onnx.operators import Array, assert_same, called, expected
from tests.onnx.statements import assert_statement

pytestmark = pytest.mark.sampled(3)

REDUCTIONS = [
    "ReduceSum", "ReduceMean", "ReduceProd", "ReduceMax", "ReduceMin", "ReduceL1", "ReduceL2", "ReduceSumSquare",
    "ReduceLogSum", "ReduceLogSumExp",
]  # fmt: skip
AXES: list[list[int]] = [[], [0], [-1], [1, -1], [0, 1, 2]]


def data(*shape: int, kind: str = "float32") -> Array:
    return np.random.default_rng(3).integers(1, 5, shape).astype(kind)


@pytest.mark.parametrize("keepdims", [0, 1])
@pytest.mark.parametrize("axes", AXES, ids=str)
@pytest.mark.parametrize("operator", REDUCTIONS)
def test_axes(operator: str, axes: list[int], keepdims: int) -> None:
    x = data(2, 3, 4, kind="float64")
    wanted = expected(operator, [x, np.array(axes, np.int64)], keepdims=keepdims)
    assert_same(called(f"{operator}(x, {axes}, keepdims={keepdims})", x=x), np.asarray(wanted))


@pytest.mark.parametrize("operator", REDUCTIONS)
def test_without_axes_nothing_is_reduced_where_that_is_asked_for(operator: str) -> None:
    x = data(2, 3)
    steps: dict[str, Callable[[Array], Array]] = {
        "ReduceL1": np.abs, "ReduceL2": np.abs, "ReduceSumSquare": np.square, "ReduceLogSum": np.log,
    }  # fmt: skip
    wanted = steps[operator](x) if operator in steps else x
    assert_same(called(f"{operator}(x, noop_with_empty_axes=1)", x=x), wanted)


@pytest.mark.parametrize("kind", ["int8", "int32", "int64", "uint8", "uint64", "float16"])
@pytest.mark.parametrize("operator", ["ReduceMax", "ReduceMin", "ReduceSum", "ReduceMean"])
def test_element_types(operator: str, kind: str) -> None:
    x = data(3, 4, kind=kind)
    whole: Any = {"ReduceMax": np.max, "ReduceMin": np.min, "ReduceSum": np.sum, "ReduceMean": np.mean}[operator]
    assert_same(
        called(f"{operator}(x, [1], keepdims=0)", x=x),
        np.trunc(whole(x, axis=1)).astype(kind) if kind != "float16" else whole(x, axis=1),
    )


def test_of_whole_numbers_without_the_fraction() -> None:
    x = np.array([[1, 2, 3], [4, 5, 7]], np.int32)
    assert_same(called("ReduceLogSumExp(x, [1], keepdims=0)", x=x), np.array([3, 7], np.int32))
    assert_same(called("ReduceL2(x, [1], keepdims=0)", x=x), np.array([3, 9], np.int32))


def test_of_nothing() -> None:
    real, whole, truth = np.zeros((2, 0), np.float32), np.zeros((2, 0), np.int8), np.zeros((2, 0), bool)
    for operator, value in (("Max", -np.inf), ("Min", np.inf), ("Sum", 0), ("Prod", 1), ("LogSumExp", -np.inf)):
        assert_same(called(f"Reduce{operator}(x, [1])", x=real), np.full((2, 1), value, np.float32))
    assert_same(called("ReduceMax(x, [1], keepdims=0)", x=whole), np.array([-128, -128], np.int8))
    assert_same(called("ReduceMin(x, [1], keepdims=0)", x=whole), np.array([127, 127], np.int8))
    assert_same(called("ReduceMax(x, [1], keepdims=0)", x=truth), np.array([False, False]))


def test_half_floats_are_summed_in_32_bits() -> None:
    x = np.full((4, 1000), 100, np.float16)
    assert_same(called("ReduceMean(x, [1], keepdims=0)", x=x), np.full(4, 100, np.float16))
    assert_same(called("ReduceL2(x, [1], keepdims=0)", x=x), np.full(4, np.sqrt(1e7), np.float16))


@pytest.mark.parametrize("last", [0, 1])
@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("operator", ["ArgMax", "ArgMin"])
def test_places(operator: str, axis: int, last: int) -> None:
    x = data(3, 5, 4, kind="int32")
    wanted = expected(operator, [x], axis=axis, select_last_index=last, keepdims=0)
    assert_same(called(f"{operator}(x, axis={axis}, select_last_index={last}, keepdims=0)", x=x), wanted)


@pytest.mark.parametrize("reverse", [0, 1])
@pytest.mark.parametrize("exclusive", [0, 1])
@pytest.mark.parametrize("axis", [0, -1])
@pytest.mark.parametrize("operator", ["CumSum", "CumProd"])
def test_running(operator: str, axis: int, exclusive: int, reverse: int) -> None:
    x = data(3, 1, 4, kind="int32")
    given: dict[str, Any] = {"exclusive": exclusive, "reverse": reverse}
    wanted = expected(operator, [x, np.array(axis, np.int64)], **given)
    assert_same(called(f"{operator}(x, {axis}, exclusive={exclusive}, reverse={reverse})", x=x), wanted)


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("operator", ["Softmax", "LogSoftmax", "Hardmax"])
def test_along_an_axis(operator: str, axis: int) -> None:
    x = data(3, 4, 2) * np.float32(300)
    wide = x.astype(np.float64)
    logarithms = (wide - np.logaddexp.reduce(wide, axis, keepdims=True)).astype(np.float32)
    wanted = logarithms if operator == "LogSoftmax" else expected(operator, [x], axis=axis)
    assert_same(called(f"{operator}(x, axis={axis})", x=x), wanted)


def test_up_to_opset_12_the_axes_from_one_on_are_one() -> None:
    x = data(2, 3, 4)
    flat = np.exp(x.reshape(2, 12))
    shares = flat / flat.sum(axis=1, keepdims=True)
    assert_same(called("Softmax_12(x)", x=x), shares.reshape(2, 3, 4))
    assert_same(called("LogSoftmax_12(x)", x=x), np.log(shares).reshape(2, 3, 4))
    assert_same(called("Hardmax_12(x, axis=0)", x=x).sum(), np.float32(1))


X = np.linspace(-2, 2, 24).reshape(2, 3, 4)
K = np.arange(24).reshape(2, 3, 4)
STATEMENTS: list[tuple[str, Sample]] = [
    *(
        (name, {"data": one, "axes": (1,), **more})
        for name in REDUCTIONS
        for one in (X, K)
        for more in ({}, {"keepdims": 0})
    ),
    *(
        (name, {"data": X, **more})
        for name in ("ArgMax", "ArgMin")
        for more in ({}, {"axis": 2, "select_last_index": 1})
    ),
    *((name, {"x": X, "axis": 1, **more}) for name in ("CumSum", "CumProd") for more in ({}, {"exclusive": 1})),
    *(
        (name, {"input": X, "axis": 1})
        for name in ("Softmax", "Softmax_12", "LogSoftmax", "LogSoftmax_12", "Hardmax", "Hardmax_12")
    ),
]


@pytest.mark.parametrize(("name", "sample"), STATEMENTS, ids=[name for name, _ in STATEMENTS])
def test_stated_eops(name: str, sample: Sample) -> None:
    assert_statement(name, sample)
