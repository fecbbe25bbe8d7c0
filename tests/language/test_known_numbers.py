"""Numbers that follow from sizes stay known while checking, whatever they are reckoned by."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tolang

SHAPE = "tol x: f32 [n,m]\n"


def shape_of(expression: str) -> list[str]:
    """The shape of an expression as the checker knows it."""
    program = tolang.compile(f"{SHAPE}y := {expression}", engine="interpret")
    return [str(length) for length in program.outputs["y"].shape]


@pytest.mark.parametrize(
    ("expression", "shape"),
    [
        ("tol[map(tol[2], 2 * |x|[k], k)]", ["2*n", "2*m"]),
        ("tol[map(tol[3], k, k)]", ["1", "2", "3"]),
        ("tol[convert(|x|, [i64])]", ["n", "m"]),
        ("tol[convert(convert(|x|[1], [f32]) / 2, [f32])]", ["floor(n/2)"]),
        ("tol[convert([2,3], [i32]) + 1]", ["3", "4"]),
        ("tol[reshape(|x|[1:1], [])]", ["n"]),
        ("tol[reshape(|x|[1], [1]), 4]", ["n", "4"]),
        ("tol[reshape(|x|, [2])]", ["n", "m"]),
        ("tol[min(0, n)]", ["0"]),
        ("tol[max(n, 0), max(n, n+2)]", ["n", "n + 2"]),
        ("tol[abs(n), abs(-n)]", ["n", "n"]),
        ("if n < Inf then tol[2] else 1", ["2"]),
        ("if n == -Inf then 1 else tol[3]", ["3"]),
    ],
)
def test_lengths_are_known(expression: str, shape: list[str]) -> None:
    assert shape_of(expression) == shape


@pytest.mark.parametrize(
    ("expression", "value", "storage"),
    [
        ("convert(0.1, [f32])", np.float32(0.1), "float32"),
        ("convert(0.1, [f32]) * 3", np.float32(0.1) * np.float32(3), "float32"),
        ("convert([1,2], [i16])", [1, 2], "int16"),
        ("convert(300, [i16]) * 200", np.array(60000).astype(np.int16), "int16"),
        ("convert(|x|, [i32])", [4, 3], "int32"),
        ("convert(n, [f16]) / 3", np.float16(4) / np.float16(3), "float16"),
        ("map(tol[2], |x|[k] / 2, k)", [2.0, 1.5], "float64"),
    ],
)
def test_known_numbers_are_values_of_their_space(expression: str, value: object, storage: str) -> None:
    found = np.asarray(tolang.compile(f"{SHAPE}y := {expression}", engine="interpret")(np.zeros((4, 3), np.float32)))
    assert found.dtype == storage
    assert np.array_equal(found, np.asarray(value))


@given(st.integers(-300, 300), st.sampled_from(["i8", "u8", "i16", "i64", "f16", "f32", "f64"]))
def test_a_literal_converts_as_data_does(number: int, space: str) -> None:
    data = tolang.compile(f"tol a: i64\ny := convert(a, [{space}])", engine="interpret")
    written = f"y := convert({number}, [{space}])"
    try:
        expected = data(np.int64(number))
    except tolang.ToLangError:
        with pytest.raises(tolang.ToLangError):
            tolang.compile(written, engine="interpret")()
        return
    found = tolang.compile(written, engine="interpret")()
    assert found == expected
    assert found.dtype == expected.dtype
