"""What the library asks of the checker and the interpreter, each in the smallest program that shows it."""

from __future__ import annotations

import numpy as np
import pytest
from tests.library.calls import numbers, same, value

import tolang


def test_a_numeric_has_no_coordinates() -> None:
    assert value("map(x, c, *c)", x=2.5).tolist() == []
    assert value("map(x, iter)", x=2.5) == 1
    assert value("map(x, (*) + k, k)", x=2.5) == 3.5
    same(value("map(tol[[]], v[c], *c)", v=numbers(3)), numbers(3))
    assert value("reduce(x, (s,e,k) -> s + e*k, 1)", x=2.5) == 3.5


def test_a_map_over_nothing_never_evaluates_its_body() -> None:
    grown = "map(tol[|x|[2]], reduce(map(tol[|x|[1]], x[k,j], k), (s,e) -> insert(s, below(s,e) + 1, e), []), j)"
    assert value(grown, x=np.zeros((3, 0))).shape == (0, 3)
    assert value(grown, x=np.zeros((0, 3))).shape == (3, 0)


def test_what_is_folded_over_nothing_may_be_impossible() -> None:
    fold = "reduce(v, (s,e,i) -> [s, sum(map(s, * + s[k], k)) + e], [])"
    assert value(fold, v=np.array([3.0])).tolist() == [3.0]
    assert value("map(tol[|v|[1] - 1], v[k+1], k)", v=np.array([3.0])).tolist() == []


def test_a_state_that_starts_empty_may_be_read() -> None:
    fibonacci = "reduce(tol[n], (s,e,i) -> if i <= 2 then [s, 1] else [s, s[i-1] + s[i-2]], [])"
    assert value(fibonacci, n=8).tolist() == [1, 1, 2, 3, 5, 8, 13, 21]
    triangle = "reduce(tol[n], (s,e,i) -> [[s], [map(tol[n], if j == 1 then 1 else if i == 1 then 0 " \
        "else s[i-1,j-1] + s[i-1,j], j)]], tol[0,n])"  # fmt: skip
    pascal = np.array([[1, 0, 0, 0], [1, 1, 0, 0], [1, 2, 1, 0], [1, 3, 3, 1]])
    same(value(triangle, n=4), pascal)


def test_an_element_read_twice_is_one_number() -> None:
    counted = "reduce(v, (s,e) -> [s[1:e-1], s[e] + 1, s[e+1:]], tol[3])"
    assert value(counted, v=np.array([1, 3, 3])).tolist() == [1, 0, 2]


def test_a_choice_between_equals_is_none() -> None:
    program = tolang.compile("tol x: R [n]\ny := map(tol[if n == 1 then 1 else n], x[k], k)")
    assert str(program.outputs["y"]) == "R [n]"
    assert program(np.ones(1)).tolist() == [1]


def test_a_number_that_starts_a_fold_of_lists_extends() -> None:
    x = np.array([(1, 2.5), (3, 4.5)], dtype=[("a", "i8"), ("b", "f8")])
    assert value("reduce(x, add, 0)", x=x) == (4, 7.0)


def test_sizes_may_be_called_as_functions_of_the_library_are() -> None:
    program = tolang.compile("tol a: R [count, line]\nb := map(a, (*) + count)")
    same(program(np.zeros((2, 3))), np.full((2, 3), 2.0))


def test_definitions_and_inputs_may_be_called_as_functions_of_the_library_are() -> None:
    program = tolang.compile("tol sum: R [n]\nrange(x) = x + 1\nb := range(product(sum))")
    assert program(np.array([2.0, 3.0])) == 7


@pytest.mark.parametrize("n", [0, 1, 3])
def test_values_of_a_library_module_are_known_while_checking(n: int) -> None:
    assert value("reduce(map(tol[doublings(n)], k, k), add, 0)", module="linalg", n=n) == {0: 0, 1: 0, 3: 3}[n]
