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


RECORDS = "list gate: [kind: N, value: R]\ntol x: gate [n]\ntol y: R [m]\nr := x[kind]' + 2*x[value]' + sum(y)"
GATE = [("kind", "i8"), ("value", "f8")]


def gates(*rows: tuple[float, ...], dtype: Any = GATE) -> np.ndarray[Any, Any]:
    return np.array(list(rows), dtype)


@pytest.mark.parametrize(
    ("data", "quick"),
    [
        (gates((1, 0.5), (2, 1.5), (0, 2.5)), True),
        (gates((0.5, 1), (1.5, 2), dtype=GATE[::-1]), True),
        (gates((1, 0.5), (9, 9), (2, 1.5))[::2], True),
        (gates((1, 0.5, 7), (2, 1.5, 8), dtype=[*GATE, ("more", "f8")])[["kind", "value"]], True),
        (gates((1, 0.5), dtype=[("kind", "i4"), ("value", "f4")]), True),
        (gates((1, 0.5), dtype=[("kind", ">i8"), ("value", "f8")]), False),
        (gates((1, 0.5), dtype=[("kind", "f8"), ("value", "f8")]), False),
        (gates((1, 0.5)).view(np.recarray), False),
    ],
    ids=[
        "as declared",
        "other order",
        "every second",
        "some fields",
        "narrow",
        "other bytes",
        "converted",
        "other class",
    ],
)
def test_records_are_bound_as_without_a_plan(data: Any, quick: bool) -> None:
    warm, others = program(RECORDS), np.array([1.0, 2.0])
    expected = data["kind"] + 2 * data["value"] + 3.0
    for _ in range(3):
        np.testing.assert_array_equal(np.asarray(warm(data, others)), np.asarray(expected))
    assert is_quick(warm, data, others) == quick


@pytest.mark.parametrize("many", [1, 1 << 19])
def test_records_that_do_not_fit_are_told_as_without_a_plan(many: int) -> None:
    warm = tolang.compile(RECORDS, engine="cpu", fallback=False)
    good = np.repeat(gates((1, 0.5), (2, 1.5)), many)
    outcomes = [np.asarray(warm(good, np.ones(2))) for _ in range(4)]
    assert all(np.array_equal(one, good["kind"] + 2 * good["value"] + 2) for one in outcomes)
    bad = good.copy()
    bad["kind"][-1] = -3
    wrong = [bad, good[["kind"]], np.ones(3), good[None], np.array([(1.0, 2.0)], [("kind", "i8"), ("other", "f8")])]
    for data in wrong:
        with pytest.raises(tolang.ToLangError) as told:
            warm(data, np.ones(2))
        with pytest.raises(tolang.ToLangError) as explained:
            tolang.compile(RECORDS, engine="cpu")(data, np.ones(2))
        assert str(told.value) == str(explained.value)
    assert warm(good[:0], np.ones(2)).shape == (0,)


def test_records_of_components_without_names_go_by_position() -> None:
    one = program("tol x: [R,R] [n]\nr := x[1]' - 2*x[2]'")
    data = np.array([(5.0, 1.0), (7.0, 2.0)], [("b", "f8"), ("a", "f8")])
    assert [one(data).tolist() for _ in range(3)] == 3 * [[3.0, 3.0]]
    assert is_quick(one, data)


LENGTHS = "tol start: N* [n+1]\ntol pairs: R [2*m]\ntol both: R [n+m]\nr := sum(start) + m + sum(pairs) - n*sum(both)"


@pytest.mark.parametrize("sizes", [(1, 1), (4, 3), (1, 7)])
def test_sizes_are_solved_for(sizes: tuple[int, int]) -> None:
    n, m = sizes
    one, given_to = program(LENGTHS), (np.ones(n + 1, int), np.ones(2 * m), np.ones(n + m))
    for _ in range(3):
        assert one(*given_to) == n + 1 + m + 2 * m - n * (n + m)
    assert is_quick(one, *given_to)


@pytest.mark.parametrize("lengths", [(1, 2, 2), (3, 3, 4), (3, 2, 4), (3, 0, 2), (2, 4, 3)])
def test_lengths_that_no_size_has_are_told_as_without_a_plan(lengths: tuple[int, int, int]) -> None:
    warm, cold = program(LENGTHS), program(LENGTHS)
    warm(np.ones(3, int), np.ones(2), np.ones(3))
    data: list[Any] = [np.ones(length, kind) for length, kind in zip(lengths, (int, float, float), strict=True)]

    def outcome(one: tolang.Program) -> Any:
        try:
            return float(one(*data))
        except tolang.ToLangError as error:
            return str(error)

    assert outcome(warm) == outcome(cold)
