"""What gradients cost, as formulas, and by which strategies they run."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from benchmarks.rows import gradients as rows

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
    assert eops(program.pullback("y", ["a", "b"])) == "2*m*n*(k + 4)"


def test_a_convolution_costs_three_with_its_gradient() -> None:
    program = tolang.compile(CONVOLUTION)
    assert eops(program) == "2*b*c*k*m*(h - k + 1)"
    assert eops(program.pullback("y", ["w"])) == "2*b*c*k*m*(h - k + 1)"
    assert eops(program.pullback("y", ["x"])) == "2*b*c*h*k*m"


@pytest.mark.parametrize(
    ("body", "cost"), [("exp(*)", "2*n"), ("* * *", "2*n"), ("tanh(*)", "4*n"), ("sin(* * 3)", "4*n"), ("* + 1", "0")]
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
    return program.explain().full.partition("== schedules ==")[2]


def test_the_gradients_of_a_product_and_a_convolution_are_contractions() -> None:
    for program, by in ((product("mul", "add, 0"), ["a", "b"]), (tolang.compile(CONVOLUTION), ["x", "w"])):
        for one in by:
            found = strategies(program.pullback("y", one))
            assert "contraction" in found
            assert "in order" not in found


def test_all_phases_of_a_stride_are_one_contraction() -> None:
    program = tolang.compile(CONVOLUTION.replace("[1], [1], [0], [h-k+1]", "[2], [1], [0], [(h-k)/2 + 1]"))
    found = strategies(program.pullback("y", "x"))
    assert "rows [2, c] x columns [b" in found
    assert "batch" not in found


def test_rows_at_places_of_data_are_added_as_rows() -> None:
    text = "tol x: f32 [v,d]\ntol at: N* [n]\nloss := sum(map(tol[n,d], x[at[i],j]^2, [i,j]))"
    gradient = tolang.compile(text).gradient("loss", "x")
    assert eops(gradient) == "2*n*(d + 1)"
    plan = gradient.explain().full.partition("== plan ==")[2]
    assert re.search(r"repeat \[i_\d+ <= n\]", plan)
    assert re.search(r"nest \[i_\d+ <= d\]   by elementwise\n +\S+\[place_\d+, i_\d+\] = add", plan)


def test_the_gradient_of_added_rows_reads_rows() -> None:
    """What is read at rows is added to rows, and the gradient of that reads again: nothing depends on all rows."""
    text = "tol x: R [v,d]\ntol at: N* [n]\nloss := sum(map(tol[n,d], x[at[i],j]^3, [i,j]))"
    second = tolang.compile(text).gradient("loss", "x").pullback("d_x", "x", names={"x": "h"})
    assert "v" not in eops(second)
    few, many = (second.cost(v=1000, d=8, n=n).memory for n in (10, 1010))
    assert isinstance(few, int)
    assert isinstance(many, int)
    assert many - few <= 8 * 1000 * 8


def test_only_what_is_overwritten_is_kept() -> None:
    """Beside the state and its cotangent two numbers of each step, and no state of any."""
    text = "tol v: R [n]\ntol c: N [n]\ntol w: R [m]\ny := reduce(tol[n], (s,e,i) -> put(s, c[i], s[c[i]]*v[i]), w)"
    program = tolang.compile(text)
    both = program.pullback("y", ["v", "w"], value=True)
    value, found = program.cost(n=100, m=1000), both.cost(n=100, m=1000)
    assert isinstance(value.eops, int)
    assert isinstance(found.eops, int)
    assert isinstance(found.memory, int)
    assert found.eops <= 3 * value.eops
    assert found.memory <= 8 * (6 * 1000 + 10 * 100)
    second = both.pullback("d_v", "v", names={"v": "h", "d_v": "weights"})
    few, many = (second.cost(n=n, m=1000).eops for n in (100, 1100))
    assert isinstance(few, int)
    assert isinstance(many, int)
    assert many <= 11 * few


@pytest.mark.parametrize(
    ("text", "steps", "contractions"),
    [
        (rows.ATTENTION, {}, 6),
        (rows.LSTM, {"t": 2}, 6),
        (rows.CRF, {"n - 1": 2}, 1),
        (rows.SOFT_DTW, {"n + p + 1": 2}, 0),
    ],
)
def test_steps_in_order_are_those_that_depend_on_one_another(
    text: str, steps: dict[str, int], contractions: int
) -> None:
    """Once forward and once back, along diagonals where elements depend on their neighbours.

    All products are contractions, and so are the sums over all steps for the weights of a CRF.
    """
    program = tolang.compile(text)
    by = [name for name, kind in program.inputs.items() if kind.columns[0].space.family == "R" and name != "target"]
    found = strategies(program.gradient("loss", by, value=True))
    assert dict(Counter(re.findall(r"repeat \[(.*?)\]", found))) == steps
    by_tiles, nest = set[str](), ""
    for line in found.splitlines():
        name, _, how = line.strip().partition(": ")
        nest = nest if name == "otherwise" or name.startswith("where ") else name
        by_tiles |= {nest} if how.startswith("contraction,") else set()
    assert len(by_tiles) == contractions  # each in tiles of several widths, or one


def test_a_fold_in_each_element_of_a_state_is_computed_once() -> None:
    """The powers of a CRF: in its steps, for the cotangents of states, and for those of its weights."""
    program = tolang.compile(rows.CRF)
    value = program.cost(n=10, k=1000).eops
    found = program.gradient("loss", ["scores", "moves"], value=True).cost(n=10, k=1000)
    assert isinstance(value, int)
    assert isinstance(found.eops, int)
    assert found.eops <= 3.3 * value
    assert isinstance(found.memory, int)
    assert found.memory <= 8 * (4 * 1000**2 + 20 * 10 * 1000)


CELL = """
tol x: R [t,b]
tol w: R [b,b]
next(y, c, s) = {
  gate = map(tol[b], x[s,i] + reduce(map(y, * * w[i,*]), add, 0), i)
  cell = map(c, tanh(gate[i]) + *, i)
  (map(cell, tanh(*), i), cell)
}
last = reduce(tol[t], (state,e,s) -> next(state[1]', state[2]', s), (x[1],x[1]))
loss := sum(last[1]'^2)
"""


def test_a_fold_runs_once_forward_and_once_back() -> None:
    """The value is the last of the states that are kept, and components of states are read where they are.

    Products are kept beside the states, and so are their cotangents: there are three in all, that of the step and two.
    Each tangent is computed once more on the way back, of what was kept.
    """
    gradient = tolang.compile(CELL).gradient("loss", "w", value=True)
    assert strategies(gradient).count("repeat [t]") == 2
    assert eops(tolang.compile(CELL)) == "2*b*(b*t + 2*t + 1)"
    b, t = 1000, 10
    found = gradient.cost(b=b, t=t).eops
    assert isinstance(found, int)
    assert 3 * 2 * b * b * t < found <= 3 * 2 * b * b * t + 6 * 4 * b * t
    assert gradient.cost(b=b, t=t).by_function["tanh"] == 4 * b * t


def test_slopes_of_a_table_are_computed_once() -> None:
    """Three powers for each element forward; back three in a sum, and three that are divided by it."""
    program = tolang.compile(rows.SOFT_DTW)
    both = program.gradient("loss", ["x", "z"], value=True).cost(n=100, p=50)
    value = program.cost(n=100, p=50).eops
    assert isinstance(value, int)
    assert isinstance(both.eops, int)
    assert both.eops <= 3 * value
    assert both.by_function["exp"] == 9 * 100 * 50


@pytest.mark.parametrize("function", ["max(0, P)", "P^2", "1 / (1 + exp(-P))", "sin(P)"])
def test_a_layer_costs_three_with_its_gradient(function: str) -> None:
    """The product inside is computed once, for the value and for the derivative."""
    body = function.replace("P", "reduce(map(a[i], * * b[*,j]), add, 0)")
    text = f"tol a: R [n,k]\ntol b: R [k,m]\nloss := sum(map(map(tol[n,m], {body}, [i,j]), * * *))"
    program = tolang.compile(text)
    both = program.gradient("loss", ["a", "b"], value=True)
    for one, each in ((program, 2), (both, 6)):
        few, many = (one.cost(n=1, m=1, k=k).eops for k in (1, 101))
        assert isinstance(few, int)
        assert isinstance(many, int)
        assert many - few == 100 * each


def test_factors_are_outside_sums_and_sums_apart() -> None:
    scaled = tolang.compile("tol x: R [n,k]\ntol s: R [n]\nloss := sum(map(x, * / s[i], [i,j]))")
    assert eops(scaled.gradient("loss", "s")) == "n*(k + 3)"
    chain = tolang.compile(
        "tol a: R [n,k]\ntol b: R [k,m]\ntol c: R [m]\n"
        "y := map(a, reduce(map(tol[m], b[j,l] * (* - c[l]), l), add, 0), [i,j])"
    )
    assert eops(chain.pullback("y", "c")) == "2*k*m + k*n + m"


def test_the_winners_of_min_plus_are_found_by_a_contraction() -> None:
    assert "contraction" in strategies(product("add", "min, Inf").pullback("y", "a"))
