"""Arrays that fit their declarations as they are: bound by a plan, with the results and the errors of the other binding."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tolang
from tolang.program.fast_binding import kinds_of

PRODUCT = "tol a: R [n,k]\ntol b: R [k,m]\nc := map(tol[n,m], reduce(map(a[i], * * b[*,j]), add, 0), [i,j])"


def program(source: str) -> tolang.Program:
    return tolang.compile(source, engine="interpret")


def is_quick(one: tolang.Program, *arguments: Any) -> bool:
    """Whether a second call with such arguments goes by a plan."""
    kinds = kinds_of(arguments)
    return kinds is not None and one._quick.get(kinds) is not None


def test_second_call_is_quick_and_equal() -> None:
    product = program(PRODUCT)
    for shape in ((4, 5, 3), (1, 2, 7)):
        a, b = np.random.rand(shape[0], shape[1]), np.random.rand(shape[1], shape[2])
        assert np.allclose(product(a, b), a @ b, rtol=1e-13)  # sums of at most five products
        assert is_quick(product, a, b)


def test_storages_have_plans_of_their_own() -> None:
    product = program(PRODUCT)
    for kind in (np.float64, np.float32, np.float64):
        a = np.eye(3, dtype=kind)
        assert product(a, a).dtype == kind
        assert product(a, a).dtype == kind


@given(
    rows=st.integers(0, 3), inner=st.integers(0, 3), other=st.integers(0, 3), columns=st.integers(0, 3),
    first=st.sampled_from([np.float64, np.float32, np.int32, np.bool_]),
)  # fmt: skip
def test_every_call_is_as_without_a_plan(rows: int, inner: int, other: int, columns: int, first: Any) -> None:
    warm, cold = program(PRODUCT), program(PRODUCT)
    warm(np.ones((2, 2), first), np.ones((2, 2)))
    a, b = np.ones((rows, inner), first), np.ones((other, columns))

    def outcome(one: tolang.Program) -> Any:
        try:
            found = one(a, b)
        except tolang.ToLangError as error:
            return str(error)
        return found.dtype, found.tolist()

    assert outcome(warm) == outcome(cold)


@pytest.mark.parametrize(
    ("declared", "good", "bad"),
    [
        ("N [n]", np.array([1, 2]), np.array([1, -2])),
        ("R+ [n]", np.array([1.0, 2.0]), np.array([1.0, np.nan])),
        ("unit [n]", np.array([0.5, 1.0]), np.array([0.5, 1.5])),
        ("Z* [n]", np.array([3, -1]), np.array([3, 0])),
    ],
)
def test_membership_is_checked_every_time(declared: str, good: Any, bad: Any) -> None:
    source = f"space unit: R [0,1]\ntol x: {declared}\ny := x"
    one = program(source)
    for _ in range(3):
        assert one(good).tolist() == good.tolist()
    assert is_quick(one, good)
    with pytest.raises(tolang.ToLangRunError) as quick:
        one(bad)
    with pytest.raises(tolang.ToLangRunError) as explained:
        program(source)(bad)
    assert quick.value.code == "E501"
    assert str(quick.value) == str(explained.value)


def test_lengths_that_are_expressions() -> None:
    one = program("tol x: R [n]\ntol y: R [n+1]\nz := map(x, * + y[iter])")
    for n in (2, 3, 4):
        assert one(np.zeros(n), np.arange(n + 1.0)).tolist() == np.arange(float(n)).tolist()
    with pytest.raises(tolang.ToLangRunError, match="dimension 1 of y has length 4, declared is n \\+ 1"):
        one(np.zeros(4), np.zeros(4))


def test_sizes_that_have_to_be_solved_for() -> None:
    one = program("tol x: R [2*n]\ny := map(tol[n], x[2*i], i)")
    for n in (1, 2, 3):
        assert one(np.arange(2.0 * n)).tolist() == [2.0 * i + 1 for i in range(n)]
    with pytest.raises(tolang.ToLangRunError, match="a length that some whole n gives"):
        one(np.zeros(5))


def test_views_and_other_byte_orders() -> None:
    one = program("tol x: R [n,m]\ny := map(x, * + 1)")
    x = np.arange(6.0).reshape(2, 3)
    for view in (x, x.T, x[:, ::2], x.astype(">f8"), np.asfortranarray(x)):
        assert one(view).tolist() == (view + 1).tolist()
        assert one(view).tolist() == (view + 1).tolist()


def test_an_input_of_a_length() -> None:
    one = program("tol k: N\ntol x: R [k]\ny := map(x, * * 2)")
    for k in (1, 3):
        assert one(np.array(k), np.ones(k)).tolist() == [2.0] * k
    with pytest.raises(tolang.ToLangRunError, match="declared is k"):
        one(np.array(2), np.ones(3))


@pytest.mark.parametrize(
    ("declared", "numbers"),
    [
        ("R", (2.5, np.float64(2.5), 3, np.inf)),
        ("N", (3, np.int64(2), -1, 1 << 70, 2.0)),
        ("f32", (0.1, 2)),
        ("u8", (7, 300)),
    ],
)
def test_numbers_beside_arrays_are_bound_as_in_the_first_call(declared: str, numbers: tuple[Any, ...]) -> None:
    """By a plan from the second call on: the same result, of the same type, or the same error."""
    source = f"tol a: {declared}\ntol x: R [n]\ny := map(x, * * a)"
    program = tolang.compile(source)

    def found(one: Any, number: Any, array: Any) -> Any:
        try:
            result = one(number, array)
        except tolang.ToLangError as error:
            return str(error)
        return result.dtype, result.tolist()

    for number in numbers:
        for array in (np.ones(2), np.ones(2, np.float32)):
            first = found(tolang.compile(source), number, array)
            assert [found(program, number, array) for _ in range(3)] == [first] * 3
