"""What the library's definitions cost against what a person counts: searches, orders and running folds."""

from __future__ import annotations

from functools import cache

import pytest

import tolang

LENGTHS = [1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 33, 1000, 1024, 1025]


@cache
def program(expression: str) -> tolang.Program:
    return tolang.compile(f"tol x: R [n]\ntol items: R [m]\nr := {expression}")


def eops(expression: str, n: int) -> object:
    return program(expression).cost(n=n).eops


def searching(n: int) -> int:
    """Among n elements a search halves what is left until nothing is: as often as n has binary digits.

    Each time there are a sum and a comparison; then whether the item is a NaN, and one more.
    """
    return 2 * n.bit_length() + 2


def ordering(n: int) -> int:
    """Each element is searched for among those before it; where the stretch in front of it ends costs one more."""
    return sum(searching(before) + 1 for before in range(n))


@pytest.mark.parametrize("n", [0, *LENGTHS, 10**6, 2**40 - 1, 2**40])
def test_a_search_takes_the_logarithm(n: int) -> None:
    assert program("map(items, searchsorted(x, *))").cost(n=n, m=7).eops == 7 * searching(n)


@pytest.mark.parametrize("expression", ["sort(x)", "argsort(x)", "sort(x, 1, true)", "argsort(x)[1:1]"])
@pytest.mark.parametrize("n", LENGTHS)
def test_an_order_takes_n_searches(expression: str, n: int) -> None:
    assert eops(expression, n) == ordering(n)


@pytest.mark.parametrize("n", [0, *LENGTHS])
def test_the_stated_cost_of_an_order(n: int) -> None:
    assert tolang.compile(f"r := sorting({n})")() == ordering(n)


def test_a_million_are_ordered_in_n_log_n() -> None:
    """The sum has a closed form, so that it is exact at any length, and a reader sees n log n in it."""
    cost = program("sort(x)").cost(n=10**6)
    assert not cost.at_most
    assert cost.eops == ordering(10**6)
    digits = "ceil(log(max(1, n), 2))"
    assert str(program("sort(x)").cost().eops) == f"2*n*{digits} + 3*n - 2*2^{digits} + 2"


@pytest.mark.parametrize("name", ["sum", "product", "maximum", "minimum"])
@pytest.mark.parametrize("n", [1, 8, 10**9])
def test_running_folds_are_linear(name: str, n: int) -> None:
    assert eops(f"cumulative_{name}(x)", n) == n


@pytest.mark.parametrize(("n", "k"), [(1, 1), (10, 3), (1000, 8), (10**6, 10)])
def test_the_first_k_take_n_searches_among_k(n: int, k: int) -> None:
    """Whether an element is among the first k is one more than for those that are put in order."""
    assert eops(f"top_k(x, {k})", n) == ordering(k) + (n - k) * (searching(k) + 2)
