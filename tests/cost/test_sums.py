"""The arithmetic under the costs: sums over iterators, greatest values, factors."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from tests.cost.formulas import formula

from tolang.ground.symbolic.conditions import choice, compare
from tolang.ground.symbolic.sizes import Size, extremum, floor_division
from tolang.ground.symbolic.sums import sum_over
from tolang.readings.cost.extremes import greatest, greatest_of, least, never_negative
from tolang.readings.cost.formula import Formula, divided, with_choices_merged

HERE, THERE, N, M = (Size.of(name) for name in "ijnm")


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=6), st.integers(0, 30))
def test_sums_of_polynomials_are_closed(factors: list[int], upper: int) -> None:
    body = Size.of(0)
    for power, factor in enumerate(factors):
        body = body + HERE**power * factor
    total = sum_over(body, "i", N)
    assert total.names() <= {"n"}
    expected = sum(factor * i**power for i in range(1, upper + 1) for power, factor in enumerate(factors))
    assert total.evaluate({"n": upper}) == expected


@given(st.integers(1, 9), st.integers(0, 40), st.integers(-9, 9))
def test_sums_without_closed_form_are_exact(divisor: int, upper: int, shift: int) -> None:
    body = floor_division(HERE * 3 + shift, Size.of(divisor)) * N + HERE
    expected = sum((3 * i + shift) // divisor * upper + i for i in range(1, upper + 1))
    assert sum_over(body, "i", N).evaluate({"n": upper}) == expected


def test_sums_nest() -> None:
    inner = sum_over(extremum("min", [HERE, floor_division(THERE, Size.of(2))]), "j", HERE)
    total = sum_over(inner, "i", N)
    expected = sum(min(i, j // 2) for i in range(1, 21) for j in range(1, i + 1))
    assert total.evaluate({"n": 20}) == expected


def test_sums_are_exact_beyond_machine_numbers() -> None:
    body = floor_division(HERE * 10**30, Size.of(7))
    assert sum_over(body, "i", N).evaluate({"n": 5}) == sum(i * 10**30 // 7 for i in range(1, 6))


def test_factors_that_do_not_vary_stand_outside_a_sum() -> None:
    assert str(sum_over(floor_division(HERE, Size.of(2)) * M * 3, "i", N)) == "3*m*sum(i=1..n, floor(i/2))"


def test_a_case_distinction_that_does_not_vary_stands_outside_a_sum() -> None:
    body = choice(compare(">=", N, Size.of(3)), HERE * 2, HERE * HERE) * HERE
    total = sum_over(body, "i", N)
    for n in range(6):
        assert total.evaluate({"n": n}) == sum((2 * i if n >= 3 else i * i) * i for i in range(1, n + 1))
    assert "sum(" not in str(total)


BOUNDED: list[tuple[Size, str, str]] = [
    (HERE * 2 + 1, "2*n + 1", "3"),
    (N - HERE, "n - 1", "0"),
    (floor_division(HERE, Size.of(2)) + HERE, "", ""),
    (HERE * HERE - HERE * 4, "", ""),
    (extremum("max", [HERE, N - HERE]), "", ""),
    (HERE * (N - HERE), "", ""),
]


@pytest.mark.parametrize(("size", "high", "low"), BOUNDED, ids=lambda value: str(value) or "-")
def test_greatest_and_least_bound_all_values(size: Size, high: str, low: str) -> None:
    above, below = greatest(size, "i", Size.of(1), N), least(size, "i", Size.of(1), N)
    if high:
        assert above == formula(high)
        assert below == formula(low)
    for n in range(1, 12):
        values = [size.evaluate({"i": i, "n": n}) for i in range(1, n + 1)]
        assert below.evaluate({"n": n}) <= min(values)
        assert above.evaluate({"n": n}) >= max(values)
        found = greatest(size.substitute({"n": Size.of(n)}), "i", Size.of(1), Size.of(n))
        assert found.constant == max(values), "at given sizes it is exact"


def test_greatest_of_drops_what_is_never_greatest() -> None:
    assert greatest_of([N, N * 2, N * 2 + M]) == N * 2 + M
    assert str(greatest_of([N * M + N, N * M + M])) == "m*n + max(m, n)"
    assert greatest_of([]) == Size.of(0)
    assert never_negative(N * M - 1)
    assert not never_negative(N - M)


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3), st.integers(-3, 3)), min_size=1, max_size=3))
def test_written_as_a_product_it_is_the_same(factors: list[tuple[int, int, int]]) -> None:
    product = Size.of(1)
    for a, b, c in factors:
        product = product * (N * a + M * b + c)
    text = str(Formula(product)).replace("^", "**")
    assert eval(text, {"n": 17, "m": 23}) == product.evaluate({"n": 17, "m": 23})
    expected: Any = product.evaluate({"n": 5, "m": 7})
    assert Formula(product).sympy().subs({"n": 5, "m": 7}) == expected


def test_products_are_found() -> None:
    assert str(Formula((N - 1) * (M + 2) * N * 6)) == "6*n*(m + 2)*(n - 1)"
    assert str(Formula(sum_over(HERE, "i", N))) == "n*(n + 1)/2"
    assert str(Formula((N * 3 + 2) * (M + 1))) == "(3*n + 2)*(m + 1)"
    assert divided((N - 1) * (M + 2), M + 2) == N - 1
    assert divided(N * M, M + 2) is None


def test_formulas_in_sympy() -> None:
    n, m = sympy.symbols("n m")
    assert Formula(floor_division(N, M)).sympy() == sympy.floor(n / m)
    assert Formula(extremum("max", [N, M])).sympy() == sympy.Max(n, m)
    summed = Formula(sum_over(floor_division(HERE, Size.of(2)), "i", N)).sympy()
    assert summed.subs(n, 5).doit() == 6
    chosen = Formula(choice(compare(">", N, Size.of(3)), N, M)).sympy()
    assert chosen.subs({n: 4, m: 9}) == 4
    assert chosen.subs({n: 3, m: 9}) == 9


def test_case_distinctions_on_one_condition_are_one() -> None:
    condition = compare(">", N, Size.of(3))
    split = choice(condition, N, Size.of(0)) + choice(condition, Size.of(0), N) * 2
    assert str(with_choices_merged(split)) == "(if n >= 4 then n else 2*n)"


def test_a_fraction_times_a_sum() -> None:
    assert str(Formula((N * N + N) * Fraction(3, 2))) == "3*n*(n + 1)/2"
