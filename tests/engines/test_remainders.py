"""Remainders of coordinates, which go through reciprocals, and of numbers that go round, which are not divided."""

from __future__ import annotations

import numpy as np
import pytest

import tolang

DIVISORS = [
    1,
    2,
    7,
    -1,
    -2,
    -7,
    2**31,
    2**51,
    2**51 + 2**21,
    2**51 + 2**21 + 1,
    -(2**52),
    2**63 - 1,
    -(2**63),
    1 - 2**63,
]


@pytest.fixture(scope="module")
def of_coordinates() -> tolang.Program:
    return tolang.compile("tol d: Z\ny := map(tol[19], (i-10) % d, i)", engine="cpu", fallback=False)


@pytest.mark.parametrize("divisor", DIVISORS)
def test_remainders_of_coordinates_have_the_sign_of_the_divisor(of_coordinates: tolang.Program, divisor: int) -> None:
    assert of_coordinates(np.array(divisor)).tolist() == [k % divisor for k in range(-9, 10)]


def test_there_is_no_remainder_by_zero(of_coordinates: tolang.Program) -> None:
    with pytest.raises(tolang.ToLangRunError, match="E506"):
        of_coordinates(np.array(0))


def test_numbers_go_round_both_ways_and_by_any_step() -> None:
    source = "tol by: Z [n]\ntol m: Z\ny := reduce(by, (s,e) -> [s, (s[|s|[1]] + e) % m], [0])"
    program = tolang.compile(source, engine="cpu", fallback=False)
    steps = np.array([1, 1, 1, -2, -2, 5, 70, -70, 0])
    for modulus in (4, -4, 1, 2**62):
        place, expected = 0, [0]
        for step in steps.tolist():
            place = (place + step) % modulus
            expected.append(place)
        assert program(steps, np.array(modulus)).tolist() == expected


def test_rows_that_data_names_are_looked_for_once_and_only_where_they_have_elements() -> None:
    source = "tol t: R [n,m]\ntol k: Z [r]\ny := map(tol[r,m], t[k[i],j] + t[k[1],j], [i,j])"
    program = tolang.compile(source, engine="cpu", fallback=False)
    table, rows = np.arange(12.0).reshape(3, 4), np.array([2, 3, 1, 1])
    np.testing.assert_array_equal(program(table, rows), table[rows - 1] + table[1])
    for wrong in (0, 4, -(2**62)):
        with pytest.raises(tolang.ToLangRunError, match="E513"):
            program(table, np.array([2, wrong]))
    assert program(table[:, :0], np.array([2, 7])).shape == (2, 0)
