"""Gradients of models by the names of their tensors, steps of training, and the operator Gradient."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper
from tests.onnx.cases import cases
from tests.onnx.derivatives import judge
from tests.onnx.training_models import Trained, encoder, resnet

import tolang
from tolang.onnx import load
from tolang.onnx.derived import DerivedModel

RATE = 0.1
STEP = 1e-6


def trained(one: Trained) -> tuple[DerivedModel, dict[str, Any]]:
    gradient = load(one.model, engine="interpret").gradient("the loss", by=list(one.weights), value=True)
    found = gradient(**one.data)
    assert list(found) == ["the loss", *(f"d_{name}" for name in one.weights)]
    return gradient, found


LONG = pytest.mark.skipif("TOLANG_ALL" not in os.environ, reason="it takes long: make thorough runs it")


@pytest.mark.parametrize("make", [pytest.param(resnet, marks=LONG), encoder])
def test_a_step_of_training_by_differences(make: Callable[[], Trained]) -> None:
    """The gradient along a random direction of all weights, and the loss after a step down."""
    one = make()
    gradient, found = trained(one)
    random = np.random.default_rng(0)
    way = {name: random.normal(size=value.shape) for name, value in one.weights.items()}
    ends = [
        gradient(**one.data, **{name: value + sign * way[name] for name, value in one.weights.items()})["the loss"]
        for sign in (STEP, -STEP)
    ]
    slope = sum(float(np.sum(found[f"d_{name}"] * way[name])) for name in way)
    assert slope == pytest.approx(float(ends[0] - ends[1]) / (2 * STEP), rel=1e-6)
    after = {name: value - RATE * found[f"d_{name}"] for name, value in one.weights.items()}
    assert gradient(**one.data, **after)["the loss"] < found["the loss"]


@pytest.mark.parametrize("make", [resnet, encoder])
def test_a_step_of_training_as_pytorch_takes_it(make: Callable[[], Trained]) -> None:
    torch = pytest.importorskip("torch", reason="there is no PyTorch to judge a step of training by")
    one = make()
    _, found = trained(one)
    weights = {name: torch.tensor(value, requires_grad=True) for name, value in one.weights.items()}
    loss = one.loss(torch, {name: torch.tensor(value) for name, value in one.data.items()} | weights)
    loss.backward()
    assert found["the loss"] == pytest.approx(loss.item(), rel=1e-9)
    optimiser = torch.optim.SGD(weights.values(), lr=RATE)
    optimiser.step()
    for name, value in one.weights.items():
        expected = weights[name].detach().numpy()
        np.testing.assert_allclose(value - RATE * found[f"d_{name}"], expected, rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize(
    "name", ["scan9_multi_state", "softplus_example", "lstm_defaults", "convtranspose_pads", "gather_1"]
)
def test_operators_by_differences(name: str) -> None:
    """A few; `python -m tests.onnx.derivatives` judges all."""
    judge(cases("node")[f"test_{name}"])


def test_the_slope_of_softplus_where_its_formula_has_a_corner() -> None:
    node = helper.make_node("Softplus", ["x"], ["y"])
    declared = [helper.make_tensor_value_info(one, TensorProto.DOUBLE, ["n"]) for one in "xy"]
    model = load(helper.make_model(helper.make_graph([node], "g", declared[:1], declared[1:])), engine="interpret")
    found = model.pullback("y", by="x")(np.array([0.0, 1.0]), np.ones(2))
    np.testing.assert_allclose(found["d_x"] if isinstance(found, dict) else found, [0.5, 1 / (1 + np.exp(-1.0))])


WEIGHT = np.array([[0.5, -1.0], [2.0, 0.25]])
BIAS = np.array([0.5, -0.5])


def linear(*more: Any, outputs: tuple[str, ...] = ("result: 0",), element: int = TensorProto.DOUBLE) -> Any:
    """tanh(x w + b), with names that are none of ToLang, then some more nodes."""
    nodes = [
        helper.make_node("MatMul", ["input.1", "fc/weight"], ["product"]),
        helper.make_node("Add", ["product", "fc/bias"], ["sum"]),
        helper.make_node("Tanh", ["sum"], ["result: 0"]),
    ]
    graph = helper.make_graph(
        [*nodes, *more],
        "linear",
        [helper.make_tensor_value_info("input.1", element, ["n", 2])],
        [helper.make_tensor_value_info(name, element, None) for name in outputs],
        [numpy_helper.from_array(WEIGHT, "fc/weight"), numpy_helper.from_array(BIAS, "fc/bias")],
    )
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx.preview.training", 1)]
    return helper.make_model(graph, opset_imports=opsets)


def test_a_pullback_by_names_that_are_no_identifiers() -> None:
    pullback = load(linear()).pullback("result: 0", by=["fc/weight", "input.1", "fc/bias"], value=True)
    assert pullback.inputs == ("input.1", "d_result: 0", "fc/weight", "fc/bias")
    assert pullback.outputs == ("result: 0", "d_fc/weight", "d_input.1", "d_fc/bias")
    x, weights = np.array([[0.1, 0.2], [0.3, -0.4], [0.5, 0.6]]), np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    for weight in (WEIGHT, WEIGHT * 2):
        found = pullback(x, weights, **{"fc/weight": weight})
        value = np.tanh(x @ weight + BIAS)
        inner = weights * (1 - value**2)
        np.testing.assert_allclose(found["result: 0"], value, rtol=1e-12)
        np.testing.assert_allclose(found["d_fc/weight"], x.T @ inner, rtol=1e-12)
        np.testing.assert_allclose(found["d_input.1"], inner @ weight.T, rtol=1e-12)
        np.testing.assert_allclose(found["d_fc/bias"], inner.sum(0), rtol=1e-12)
    inner = weights * (1 - np.tanh(x @ WEIGHT + BIAS) ** 2)
    np.testing.assert_allclose(pullback(x, weights)["d_fc/bias"], inner.sum(0), rtol=1e-12)
    assert str(pullback.cost().eops).count("n") == 1


@pytest.mark.parametrize(
    ("of", "by", "words"),
    [
        ("result", "input.1", "the model has no output 'result'"),
        ("result: 0", "weight", "the model has no input or initializer 'weight'"),
        ("result: 0", [], "no input or initializer is named"),
    ],
)
def test_names_that_the_model_has_not(of: str, by: Any, words: str) -> None:
    with pytest.raises(tolang.ToLangUsageError, match=words) as caught:
        load(linear()).pullback(of, by)
    assert caught.value.code == "E802"


def test_what_a_derivative_is_not_given() -> None:
    pullback = load(linear()).pullback("result: 0", by="fc/bias")
    with pytest.raises(tolang.ToLangUsageError, match="the input 'd_result: 0' is missing"):
        pullback(np.ones((1, 2)))
    with pytest.raises(tolang.ToLangUsageError, match="the input 'bias' is given twice, or is none"):
        pullback(np.ones((1, 2)), np.ones((1, 2)), bias=BIAS)


@pytest.mark.parametrize("engine", ["interpret", "cpu"])
def test_the_operator_gradient(engine: str) -> None:
    """By a tensor on the way and by a weight; what is given takes the place of what the graph has."""
    node = helper.make_node(
        "Gradient",
        ["fc/bias", "fc/weight", "input.1"],
        ["by bias", "by weight"],
        domain="ai.onnx.preview.training",
        xs=["fc/bias", "fc/weight"],
        zs=["input.1"],
        y="result: 0",
    )
    x = np.array([[0.1, 0.2], [0.3, -0.4]])
    found = load(linear(node, outputs=("by bias", "by weight")), engine=engine)(x)
    inner = 1 - np.tanh(x @ WEIGHT + BIAS) ** 2
    np.testing.assert_allclose(found["by bias"], inner.sum(0), rtol=1e-12)
    np.testing.assert_allclose(found["by weight"], x.T @ inner, rtol=1e-12)


@pytest.mark.parametrize(
    ("inputs", "xs", "y", "words"),
    [
        (["fc/bias"], ["fc/bias", "fc/weight"], "result: 0", "Gradient takes the tensors xs and zs"),
        (["fc/bias"], ["fc/bias"], "product", "which does not depend on the input"),
    ],
)
def test_gradients_that_there_are_not(inputs: list[str], xs: list[str], y: str, words: str) -> None:
    domain = "ai.onnx.preview.training"
    node = helper.make_node("Gradient", inputs, ["slope"], domain=domain, xs=xs, y=y)
    with pytest.raises(tolang.ToLangUsageError, match=words) as caught:
        load(linear(node, outputs=("slope",)))(np.ones((1, 2)))
    assert caught.value.code == "E703"
