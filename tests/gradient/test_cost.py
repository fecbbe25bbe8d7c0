"""What gradients cost, as formulas, and by which strategies they run."""

from __future__ import annotations

import pytest

import tolang

PRODUCT = """
tol a: R [n,k]
tol b: R [k,m]
y := map(tol[n,m], reduce(map(a[i], TIMES(*, b[*,j])), PLUS), [i,j])
"""
CONVOLUTION = """
tol x: R [b,c,h]
tol w: R [m,c,k]
y := convolve(x, w, [1], [1], [0], [h-k+1])
"""


def product(times: str, plus: str) -> tolang.Program:
    return tolang.compile(PRODUCT.replace("TIMES", times).replace("PLUS", plus))


def eops(program: tolang.Program) -> str:
    return str(program.cost().eops)


def test_a_product_costs_three_with_its_gradient() -> None:
    program = product("mul", "add, 0")
    assert eops(program) == "2*k*m*n"
    assert eops(program.pullback("y", ["a"])) == "2*k*m*n"
    assert eops(program.pullback("y", ["a", "b"])) == "4*k*m*n"


def test_min_plus_costs_one_with_its_gradient() -> None:
    program = product("add", "min, Inf")
    assert eops(program) == "2*k*m*n"
    assert eops(program.pullback("y", ["a", "b"])) == "2*m*n*(k + 3)"


def test_a_convolution_costs_three_with_its_gradient() -> None:
    program = tolang.compile(CONVOLUTION)
    assert eops(program) == "2*b*c*k*m*(h - k + 1)"
    assert eops(program.pullback("y", ["w"])) == "2*b*c*k*m*(h - k + 1)"
    assert eops(program.pullback("y", ["x"])) == "2*b*c*h*k*m"


@pytest.mark.parametrize(
    ("body", "cost"), [("exp(*)", "2*n"), ("* * *", "3*n"), ("tanh(*)", "4*n"), ("sin(* * 3)", "4*n"), ("* + 1", "0")]
)
def test_functions_of_elements_cost_little(body: str, cost: str) -> None:
    program = tolang.compile(f"tol x: R [n]\ny := map(x, {body})")
    assert eops(program.pullback("y", "x")) == cost


def test_weights_in_one_vector_cost_what_they_cost_apart() -> None:
    """Each part of the vector has sums of its own: they are not computed, and left out, for the other part."""
    text = "tol x: R [n,k]\ntol w: R [k+m]\ny := map(tol[n,m], reduce(map(x[i], * * w[*]), add, 0) + w[k+j], [i,j])"
    n, k, m = 10, 100, 2
    found = tolang.compile(text).pullback("y", "w").cost(n=n, k=k, m=m).eops
    assert isinstance(found, int)
    assert found <= 2 * n * m * k + n * m + 3 * (k + m)


def test_an_output_that_is_given_is_computed_once() -> None:
    program = tolang.compile("tol x: R [n]\ny := map(x, tanh(*))")
    assert eops(program.pullback("y", "x", value=True)) == eops(program.pullback("y", "x")) == "4*n"


def test_sums_cost_nothing() -> None:
    program = tolang.compile("tol x: R [n]\nloss := reduce(x, add, 0)")
    assert eops(program.gradient("loss", "x")) == "0"


def strategies(program: tolang.Program) -> str:
    return program.explain().partition("== strategies ==")[2]


def test_the_gradients_of_a_product_and_a_convolution_are_contractions() -> None:
    for program, by in ((product("mul", "add, 0"), ["a", "b"]), (tolang.compile(CONVOLUTION), ["x", "w"])):
        for one in by:
            found = strategies(program.pullback("y", one))
            assert "contraction" in found
            assert "in order" not in found


def test_the_winners_of_min_plus_are_found_by_a_contraction() -> None:
    assert "contraction" in strategies(product("add", "min, Inf").pullback("y", "a"))
