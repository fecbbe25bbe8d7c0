"""Wrong calls of the library: the user's call comes first, and says which argument is wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.library.calls import linalg, numbers, value

import tolang

MATRIX = numbers(2, 3)
WRONG = [
    ("sum(x, 3)", "E303", "in the call of sum: coordinate 3 is outside a vector of 2", "1 to 2"),
    ("sum(x, 0)", "E303", "in the call of sum: coordinate 0 is outside a vector of 2", "1 to 2"),
    ("sort(x, 3)", "E303", "in the call of sort: coordinate 3 is outside a vector of 2", "1 to 2"),
    ("softmax(x, axis=5)", "E303", "in the call of softmax: coordinate 5 is outside a vector of 2", "1 to 2"),
    ("argmax(x, 3)", "E303", "in the call of argmax: coordinate 3 is outside a vector of 2", "1 to 2"),
    ("swap_axes(x, 1, 3)", "E303", "in the call of swap_axes: coordinate 3 is outside a vector of 2", "1 to 2"),
    ("permute(x, [1,1])", "E311", "in the call of permute: the order of swap must be a permutation", None),
    ("where(x, 1, 0)", "E406", "in the call of where: a condition must be in B", None),
    ("filter(x, 3)", "E406", "in the call of filter: a condition must be in B", None),
    ("take(x, [1,4])", "E513", "in the call of take: coordinate 4 is outside dimension 1 of x", "1 to 2"),
    ("concat(x, x[*,1:2])", "E515", "in the call of concat: joining blocks needs equal shapes", None),
    ("dot(x, x[1])", "E301", "in the call of dot: mul needs equal shapes", None),
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
    assert "in the call of matmul: joining blocks needs equal shapes, here [|x|[2]] and [|y|[1]]" in text
    assert "found: |x|[2] = 3, |y|[1] = 4" in text
    assert "note at linalg.tol" in text


def test_the_way_into_the_library_is_told() -> None:
    lines = _message("norm(x, 1, 3)", x=MATRIX).splitlines()
    told = [line.split(": ", 1)[1] for line in lines if line.strip().startswith("note")]
    assert told == ["it is here", "in the call of pick", "in the call of line", "in the call of reduce_axis",
                    "in the call of sum"]  # fmt: skip


def test_the_least_of_nothing_is_no_number() -> None:
    text = _message("minimum(x)", x=np.zeros(0))
    assert "in the call of minimum: coordinate 1 is outside dimension 1 of x" in text
    assert "of the shape [0]" in text


def test_a_matrix_that_does_not_broadcast() -> None:
    text = _message("broadcast_to(x, [4,3])", x=MATRIX)
    assert "in the call of broadcast_to" in text.splitlines()[0]
    assert "found: |x|[1] = 2" in text
