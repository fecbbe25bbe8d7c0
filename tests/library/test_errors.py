"""Wrong calls of the library: the user's call comes first, and says which argument is wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.library.calls import linalg, numbers, value

import tolang

MATRIX = numbers(2, 3)
WRONG = [
    ("sum(x, 3)", "E303", "axis 3 of sum: x has 2", "1 to 2"),
    ("sum(x, [1,3])", "E303", "axis 3 of sum: x has 2", "1 to 2"),
    ("sum(x, 0)", "E303", "axis 0 of sum: axes count from 1", "1 to ||x||"),
    ("sort(x, -1)", "E303", "axis -1 of sort: axes count from 1", "1 to ||x||"),
    ("sort(x, 3)", "E303", "axis 3 of sort: x has 2", "1 to 2"),
    ("softmax(x, axis=5)", "E303", "axis 5 of softmax: x has 2", "1 to 2"),
    ("argmax(x, 3)", "E303", "axis 3 of argmax: x has 2", "1 to 2"),
    ("swap_axes(x, 1, 3)", "E303", "in the call of swap_axes: coordinate 3 is outside a vector of 2", "1 to 2"),
    ("permute(x, [1,1])", "E311", "in the call of permute: the order of swap must be a permutation", None),
    ("where(x, 1, 0)", "E406", "in the call of where: a condition must be in B", None),
    ("filter(x, 3)", "E406", "in the call of filter: a condition must be in B", None),
    ("take(x, [1,4])", "E513", "in the call of take: coordinate 4 is outside dimension 1 of x", "1 to 2"),
    ("concat(x, x[*,1:2])", "E515", "in the call of concat: shapes that must be equal are not", None),
    ("dot(x, x[1])", "E301", "in the call of dot: shapes that must be equal are not", None),
    ("sum(x, y=1)", "E205", "sum has no parameter named y", "sum(x, axis)"),
    ("maximun(x)", "E201", "unknown name maximun", None),
]


@pytest.mark.parametrize(("expression", "code", "message", "expected"), WRONG)
def test_wrong_calls(expression: str, code: str, message: str, expected: str | None) -> None:
    with pytest.raises(tolang.ToLangError) as caught:
        value(expression, x=MATRIX)
    text = str(caught.value)
    first = text.splitlines()[0]
    assert first.startswith("<source>:1:")
    assert f"error {code}: {message}" in first
    if expected is not None:
        assert f"expected: {expected}" in text


def _message(expression: str, **arguments: Any) -> str:
    with pytest.raises(tolang.ToLangError) as caught:
        linalg(expression, **arguments)
    return str(caught.value)


def test_sizes_that_do_not_meet_are_named_as_the_user_knows_them() -> None:
    text = _message("matmul(x, y)", x=MATRIX, y=numbers(4, 3))
    assert "<source>:2:" in text.splitlines()[0]
    assert "in the call of matmul: shapes that must be equal are not, here [|x|[2]] and [|y|[1]]" in text
    assert "found: |x|[2] = 3, |y|[1] = 4" in text
    assert ".tol" not in text


def test_sizes_that_are_known_are_told_as_numbers() -> None:
    text = _message("matmul([[1,2,5],[3,4,5]], [[1,2],[3,4]])")
    assert "shapes that must be equal are not, here [3] and [2]" in text
    assert "found" not in text


def test_sizes_are_those_of_the_call_that_goes_wrong_and_not_of_another() -> None:
    program = tolang.compile("""use linalg
tol a: R [n,k]; tol b: R [p,m]; tol c: R [u,v]; tol d: R [w,x]
first := matmul(a, b)
second := matmul(c, d)""")
    with pytest.raises(tolang.ToLangRunError) as caught:
        program(np.ones((2, 2)), np.ones((2, 2)), np.ones((2, 3)), np.ones((4, 2)))
    assert "here [v] and [w]" in str(caught.value)
    assert "found: v = 3, w = 4" in str(caught.value)
    with pytest.raises(tolang.ToLangRunError, match=r"here \[3\] and \[4\]"):
        program.cost()(n=2, k=2, p=2, m=2, u=2, v=3, w=4, x=2)


@pytest.mark.parametrize("call", ["determinant(x)", "inverse(x)", "solve(x, [1,2])", "cholesky(x)"])
def test_matrices_that_must_be_square(call: str) -> None:
    assert (
        f"in the call of {call[: call.index('(')]}: shapes that must be equal are not, here [|x|[1]] and [|x|[2]]"
        in (_message(call, x=MATRIX))
    )


@pytest.mark.parametrize("call", ["solve(x, [1,2,3])", "solve_lower(x, [1])", "solve_upper(x, [1])"])
def test_right_sides_that_are_too_long_or_short(call: str) -> None:
    assert "shapes that must be equal are not, here" in _message(call, x=numbers(2, 2))


@pytest.mark.parametrize("expression", ["swap_axes(x, 1, 3)", "permute(x, [1,1])", "take(x, [1,4])", "where(x, 1, 0)"])
def test_what_happens_inside_the_library_is_not_told(expression: str) -> None:
    text = _message(expression, x=MATRIX)
    assert text.splitlines()[0].startswith("<source>:")
    assert ".tol" not in text
    assert "note" not in text


@pytest.mark.parametrize(
    "call",
    [
        "sum(v -> v)",
        "matched('a', 3)",
        "solve(m, (1,'x'))",
        "group_sum(m, tol[0], 3)",
        "group_sum(m, [1,2,3], tol[0])",
    ],
)
def test_defaults_and_long_chains_of_calls_are_not_told(call: str) -> None:
    with pytest.raises(tolang.ToLangError) as caught:
        tolang.compile(f"use linalg\nuse tables\ntol m: R [2,3]\ny := {call}", engine="interpret")(numbers(2, 3))
    text = str(caught.value)
    assert text.splitlines()[0].startswith("<source>:4:6: error E")
    assert ".tol" not in text


def test_what_calls_share_is_told_at_the_call_that_is_wrong() -> None:
    with pytest.raises(tolang.ToLangError) as caught:
        tolang.compile("tol a: R [n]\ntol b: R [m]\nf(x, y) = dot(x, y)\ny := f(a, a)\nz := f(a, b)")(
            numbers(2), numbers(3)
        )
    text = str(caught.value)
    assert "<source>:3:11" in text.splitlines()[0]
    assert ".tol" not in text
    assert "<source>:5:6" in text
    assert "<source>:4:6" not in text


def test_calls_of_the_user_that_led_to_one_of_the_library_are_told() -> None:
    with pytest.raises(tolang.ToLangError) as caught:
        tolang.compile("f(x) = permute(x, [1,1])\ny := f([[1,2],[3,4]])")
    (problem,) = caught.value.diagnostics
    assert problem.span is not None
    assert problem.span.place == "<source>:1:8"
    assert [note.span.place for note in problem.notes if note.span] == ["<source>:2:6"]


def test_the_least_of_nothing_is_no_number() -> None:
    text = _message("minimum(x)", x=np.zeros(0))
    assert "in the call of minimum: coordinate 1 is outside dimension 1 of x" in text
    assert "of the shape [0]" in text


def test_a_matrix_that_does_not_broadcast() -> None:
    text = _message("broadcast_to(x, [4,3])", x=MATRIX)
    assert "in the call of broadcast_to" in text.splitlines()[0]
    assert "found: |x|[1] = 2" in text
