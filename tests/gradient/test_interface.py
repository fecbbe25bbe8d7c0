"""Gradients as users ask for them: names, values, spaces, errors, gradients of gradients."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper
from tests.gradient.judging import numbers, slope

import tolang
from tolang.core.printer import print_program
from tolang.core.reader import read_program
from tolang.core.verifier import verify
from tolang.onnx import load

CUBES = "tol x: Q [n]\ntol c: Q\nloss := c * reduce(map(x, *^3), add, 0)\nother := x"
LOGISTIC = """
tol x: R [n,k]
tol w: R [k]
tol y: R [n]
score = map(y, reduce(map(x[i], * * w[*]), add, 0), i)
loss := reduce(map(score, log(1 + exp(-y[*] * *))), add, 0)
"""
HALVES = [Fraction(1, 2), Fraction(-3, 2)]


def test_a_gradient_is_exact_where_the_program_is() -> None:
    program = tolang.compile(CUBES).gradient("loss", by="x")
    assert program(HALVES, 2).tolist() == [6 * one**2 for one in HALVES]
    assert list(program.inputs) == ["x", "c"]
    assert {name: str(kind) for name, kind in program.outputs.items()} == {"d_x": "Q [n]"}


def test_several_are_given_by_name_in_the_order_of_the_inputs() -> None:
    found = tolang.compile(CUBES).gradient("loss", by=["c", "x"], value=True)(HALVES, 2)
    assert list(found) == ["loss", "d_x", "d_c"]
    assert found["loss"] == 2 * found["d_c"] == 2 * sum(one**3 for one in HALVES)


def test_names_can_be_chosen() -> None:
    program = tolang.compile(CUBES).pullback(["loss", "other"], by="x", names={"x": "g", "loss": "seed"})
    assert list(program.inputs) == ["x", "c", "seed", "d_other"]
    assert program(HALVES, 2, 1, [5, 7]).tolist() == [Fraction(13, 2), Fraction(41, 2)]


def test_an_input_that_does_not_matter_has_zeros() -> None:
    program = tolang.compile("tol a: R [n]\ntol b: R [n]\nloss := reduce(a, add, 0)")
    assert program.gradient("loss", by="b")([1.0, 2.0], [3.0, 4.0]).tolist() == [0.0, 0.0]


def test_storages_stay_as_they_are() -> None:
    program = tolang.compile(LOGISTIC).gradient("loss", by=["w", "x"])
    data = [numbers(3, 2).astype(np.float32), numbers(2).astype(np.float32), np.ones(3, np.float32)]
    found = program(*data)
    assert found["d_w"].dtype == found["d_x"].dtype == np.float32
    single = program(*(one.astype(np.float64) for one in data))
    np.testing.assert_allclose(found["d_w"], single["d_w"], rtol=1e-5, atol=1e-6)


def test_only_real_components_of_lists_have_cotangents() -> None:
    program = tolang.compile("tol t: [R,N,R] [n]\nloss := reduce(map(t, *[1]' * *[2]' * *[3]'), add, 0)")
    found = program.gradient("loss", by="t")([(2.0, 3, 5.0), (7.0, 1, 4.0)])
    assert found.to_list() == [(15.0, 6.0), (4.0, 7.0)]


def test_a_gradient_is_printed_and_read_as_any_program() -> None:
    core = tolang.compile(LOGISTIC).gradient("loss", by="w").core
    verify(core)
    text = print_program(core)
    assert print_program(read_program(text)) == text


@pytest.mark.parametrize(
    "loss",
    [
        "reduce(map(softmax(x), *^2), add, 0)",
        "reduce(map(cumulative_product(x), *^2), add, 0)",
        "reduce(x, (s,e) -> s*e + sin(e*s), 1)",
        "reduce(map(sort(x), *^3), add, 0)",
        "reduce(map(reduce(tol[n], (s,e,i) -> put(s, n+1-i, s[n+1-i]*x[i] + sin(s[n+1-i])), x), *^2), add, 0)",
        "reduce(map(x, e -> reduce(map(x, max(* * e, 0.5)), add, 0)), mul, 1)",
    ],
)
def test_gradients_of_gradients(loss: str) -> None:
    gradient = tolang.compile(f"tol x: R [n]\nloss := {loss}", engine="interpret").gradient("loss", by="x")
    second = gradient.pullback("d_x", by="x", names={"x": "hessian"})
    verify(second.core)
    point, way, weights = numbers(4), numbers(4, seed=1), numbers(4, seed=2)
    expected = slope(gradient, "d_x", {"x": point}, {"x": way}, weights)
    assert abs(float(np.sum(second(point, weights) * way)) - expected) < 1e-5 * (1 + abs(expected))


@pytest.mark.parametrize(
    ("of", "by", "names", "code", "words"),
    [
        ("los", "x", None, "E802", "no output los"),
        ("loss", "z", None, "E802", "no input z"),
        ("loss", [], None, "E802", "no inputs are named"),
        ("other", "x", None, "E802", "a gradient is of one numeric"),
        ("loss", "k", None, "E802", "only real numbers"),
        ("loss", "x", {"y": "g"}, "E802", "which has no cotangent"),
        ("loss", ["x", "c"], {"x": "d_c"}, "E803", "called d_c"),
    ],
)
def test_what_cannot_be_asked(of: str, by: list[str], names: dict[str, str] | None, code: str, words: str) -> None:
    program = tolang.compile("tol k: Z\n" + CUBES)
    with pytest.raises(tolang.ToLangUsageError, match=words) as caught:
        program.gradient(of, by, names=names)
    assert caught.value.code == code


def test_a_shape_that_only_running_tells_has_no_cotangent() -> None:
    with pytest.raises(tolang.ToLangUsageError, match="only running tells"):
        tolang.compile("tol x: R [n]\ny := filter(x, e -> e > 0)").pullback("y", by="x")


def test_what_has_no_derivative_is_named() -> None:
    text = "tol x: R [n]\nkept(s,e) = if e > 0 then [s, e * reduce(s,add,1)] else s\n"
    text += "loss := reduce(reduce(x,kept,[]), add, 0)"
    with pytest.raises(tolang.ToLangCheckError, match="changes its shape") as caught:
        tolang.compile(text).gradient("loss", by="x")
    assert caught.value.code == "E801"


def test_complex_numbers_are_refused() -> None:
    program = tolang.compile("tol x: R\nloss := abs(x * 2i)")
    with pytest.raises(tolang.ToLangCheckError, match="a complex number"):
        program.gradient("loss", by="x")


@pytest.mark.parametrize(
    "body", ["softmax(x)", "cumulative_product(x)", "map(x, e -> reduce(x, (s,f) -> s*e + sin(f*s), 1))", "sort(x) * x"]
)
def test_tangents(body: str) -> None:
    program = tolang.compile(f"tol x: R [n]\ny := {body}", engine="interpret")
    tangent = program.tangent("y", by="x")
    verify(tangent.core)
    assert list(tangent.inputs) == ["x", "t_x"]
    assert list(tangent.outputs) == ["t_y"]
    point, way, weights = numbers(4), numbers(4, seed=1), numbers(4, seed=2)
    expected = slope(program, "y", {"x": point}, {"x": way}, weights)
    assert abs(float(np.sum(tangent(point, way) * weights)) - expected) < 1e-6 * (1 + abs(expected))


def test_the_tangent_of_a_product_is_two_products() -> None:
    text = "tol a: Q [n,k]\ntol b: Q [k,m]\ny := map(tol[n,m], reduce(map(a[i], * * b[*,j]), add, 0), [i,j])"
    tangent = tolang.compile(text).tangent("y", by=["a", "b"], names={"y": "change"})
    assert str(tangent.cost().eops) == "m*n*(4*k + 1)"
    assert tangent([[1, 2]], [[3], [4]], [[5, 6]], [[7], [8]]).tolist() == [[5 * 3 + 6 * 4 + 1 * 7 + 2 * 8]]


def test_a_model_keeps_its_weights() -> None:
    weights = numbers(30, 20).astype(np.float32)
    graph = helper.make_graph(
        [
            helper.make_node("MatMul", ["x", "w"], ["h"]),
            helper.make_node("Sigmoid", ["h"], ["s"]),
            helper.make_node("ReduceSum", ["s"], ["loss"], keepdims=0),
        ],
        "small",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 30])],
        [helper.make_tensor_value_info("loss", TensorProto.FLOAT, [])],
        [numpy_helper.from_array(weights, "w")],
    )
    model = load(helper.make_model(graph))
    gradient = model.program.gradient("loss", by=["w", "x"])
    point = numbers(4, 30).astype(np.float32) - 1
    found = gradient(point)
    inner = 1 / (1 + np.exp(-point @ weights))
    np.testing.assert_allclose(found["d_w"], point.T @ (inner * (1 - inner)), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(found["d_x"], (inner * (1 - inner)) @ weights.T, rtol=1e-5, atol=1e-6)
