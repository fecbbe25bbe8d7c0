"""Folds of the basic combines along dimensions."""

from __future__ import annotations

import functools
import itertools
import math
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tolang.ground.reporting.diagnostics import ToLangRunError
from tolang.ground.values.elementary import accumulate, reduce_along
from tolang.ground.values.functions import REORDERABLE
from tolang.ground.values.reduction import COMBINES
from tolang.ground.values.spaces import column
from tolang.ground.values.values import ToL

pytestmark = pytest.mark.filterwarnings("error")

PYTHON: dict[str, Callable[[Any, Any], Any]] = {
    "add": operator.add, "mul": operator.mul, "max": max, "min": min,
    "and": operator.and_, "or": operator.or_, "xor": operator.xor,
}  # fmt: skip
NUMBERS = st.one_of(st.integers(-3, 3), st.integers(-(2**62), 2**62), st.sampled_from([2**63 - 1, -(2**63), -1]))


def fits(value: int) -> bool:
    return -(2**63) <= value < 2**63


def test_every_combine_that_may_be_reordered_folds() -> None:
    assert set(COMBINES) == REORDERABLE == set(PYTHON)


@pytest.mark.parametrize("name", sorted(PYTHON))
@given(values=st.lists(NUMBERS, max_size=7), initial=NUMBERS)
def test_whole_numbers_fold_right_or_not_at_all(name: str, values: list[int], initial: int) -> None:
    array = np.array(values, dtype=np.int64)
    running = list(itertools.accumulate(values, PYTHON[name], initial=initial))
    if fits(running[-1]):
        assert int(reduce_along(name, array, (0,), column("Z"), initial)) == running[-1]
    else:
        with pytest.raises(ToLangRunError, match="E505"):
            reduce_along(name, array, (0,), column("Z"), initial)
    if all(map(fits, running)):
        assert int(reduce_along(name, array, (0,), column("Z"), initial, strict=True)) == running[-1]
        assert accumulate(name, array, 0, column("Z"), initial).tolist() == running[1:]
    else:
        with pytest.raises(ToLangRunError, match="E505"):
            reduce_along(name, array, (0,), column("Z"), initial, strict=True)


@pytest.mark.parametrize("name", sorted(PYTHON))
@pytest.mark.parametrize("axes", [(), (0,), (1,), (2,), (0, 1), (0, 2), (2, 1), (0, 1, 2)])
@pytest.mark.parametrize("strict", [False, True])
def test_folds_along_any_axes(name: str, axes: tuple[int, ...], strict: bool) -> None:
    array = np.random.default_rng(1).integers(-4, 5, (2, 3, 4))
    kept = [axis for axis in range(3) if axis not in axes]
    expected = np.empty([array.shape[axis] for axis in kept], dtype=np.int64)
    for place in np.ndindex(*expected.shape):
        index: list[Any] = [slice(None)] * 3
        for axis, coordinate in zip(kept, place, strict=True):
            index[axis] = coordinate
        expected[place] = functools.reduce(PYTHON[name], np.asarray(array[tuple(index)]).reshape(-1).tolist(), 1)
    outcome = reduce_along(name, array, axes, column("Z"), 1, strict)
    assert outcome.dtype == np.int64
    assert np.array_equal(outcome, expected)
    assert np.array_equal(reduce_along(name, array, axes, column("i64"), 1, strict), expected)


def test_strict_order_is_first_coordinate_fastest() -> None:
    array = np.random.default_rng(2).normal(size=(5, 7, 3)) * 10.0 ** np.random.default_rng(3).integers(
        -9, 9, (5, 7, 3)
    )
    total = 0.0
    for value in array.transpose().reshape(-1):
        total += value
    assert float(reduce_along("add", array, (0, 1, 2), column("R"), 0, strict=True)) == total
    partial = np.zeros(7)
    for k in range(3):
        for i in range(5):
            partial += array[i, :, k]
    assert np.array_equal(reduce_along("add", array, (0, 2), column("R"), 0, strict=True), partial)


def test_long_strict_folds_continue_across_stretches() -> None:
    array = np.random.default_rng(4).normal(size=200_001).astype(np.float32)
    expected = np.add.accumulate(np.concatenate([np.zeros(1, np.float32), array]))[-1]
    assert reduce_along("add", array, (0,), column("R", "f32"), 0, strict=True) == expected


def test_the_fold_of_nothing_is_its_initial_value() -> None:
    nothing = np.zeros((0, 2))
    assert reduce_along("max", nothing, (0,), column("R"), -math.inf).tolist() == [-math.inf] * 2
    assert reduce_along("add", nothing, (0, 1), column("R"), 3).tolist() == 3
    assert reduce_along("add", nothing, (1,), column("R"), 3).shape == (0,)
    assert reduce_along("mul", nothing.astype(int), (0,), column("Z"), 1, strict=True).tolist() == [1, 1]


def test_machine_integers_wrap_in_folds() -> None:
    array = np.full(3, 200, dtype=np.uint8)
    for strict in (False, True):
        assert int(reduce_along("add", array, (0,), column("u8"), 0, strict)) == 600 % 256
        assert (
            int(reduce_along("mul", np.full(70, 3), (0,), column("i64"), 1, strict)) == (3**70 + 2**63) % 2**64 - 2**63
        )


def test_truth_values_fold() -> None:
    truth = np.array([True, False, True])
    assert int(reduce_along("add", truth, (0,), column("Z"), 0)) == 2
    assert bool(reduce_along("and", truth, (0,), column("B"), True)) is False
    assert bool(reduce_along("or", truth, (0,), column("B"), False, strict=True)) is True
    assert bool(reduce_along("xor", truth, (0,), column("B"), False)) is False


def test_exact_numbers_and_text_fold() -> None:
    rational = ToL.of([[Fraction(1, 3), Fraction(1, 6)], [Fraction(1, 2), 1]]).columns[0]
    assert reduce_along("add", rational, (0, 1), column("Q"), 0).item() == 2
    assert reduce_along("mul", rational, (1,), column("Q"), 1).tolist() == [Fraction(1, 18), Fraction(1, 2)]
    assert accumulate("add", rational, 1, column("Q")).tolist() == [[Fraction(1, 3), HALF], [HALF, Fraction(3, 2)]]
    words = ToL.of(["pear", "apple", "quince"]).columns[0]
    assert reduce_along("max", words, (0,), column("S"), "").item() == "quince"


HALF = Fraction(1, 2)


def test_what_is_undefined_stays_so() -> None:
    array = np.array([1.0, math.nan, 3.0])
    for strict in (False, True):
        assert math.isnan(reduce_along("max", array, (0,), column("R"), -math.inf, strict))


def test_bfloat_sums_in_single() -> None:
    ones = np.ones(1000, dtype=ml_dtypes.bfloat16)
    assert float(reduce_along("add", ones, (0,), column("bf16"), 0)) == 1000
    assert float(reduce_along("add", ones, (0,), column("bf16"), 0, strict=True)) == 256


def test_initial_values_may_differ_by_line() -> None:
    array = np.arange(6).reshape(2, 3)
    assert reduce_along("add", array, (1,), column("Z"), np.array([10, 20])).tolist() == [13, 32]


def test_floats_sum_accurately() -> None:
    array = np.random.default_rng(5).normal(size=10_000)
    assert math.isclose(float(reduce_along("add", array, (0,), column("R"), 0)), math.fsum(array), rel_tol=1e-12)
