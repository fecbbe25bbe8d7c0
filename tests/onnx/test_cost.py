"""What models cost: by node, by operator and by function, with multiply-accumulates and FLOPs beside EOPs."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
import pytest
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

import tolang.onnx
from tolang.ground.diagnostics import ToLangUsageError
from tolang.onnx.cost import ModelCost, NodeCost
from tolang.readings.cost.formula import Formula

Shape = Sequence[int | str]


def made(nodes: Sequence[NodeProto], element: int = TensorProto.FLOAT, **inputs: Shape) -> ModelProto:
    """A model of nodes whose last one gives its output."""
    given = [helper.make_tensor_value_info(name, element, list(shape)) for name, shape in inputs.items()]
    outputs = [helper.make_empty_tensor_value_info(nodes[-1].output[0])]
    graph = helper.make_graph(list(nodes), "graph", given, outputs)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)])


def cost_of(*nodes: NodeProto, element: int = TensorProto.FLOAT, **inputs: Shape) -> ModelCost:
    return tolang.onnx.load(made(nodes, element, **inputs)).cost()


def named(cost: ModelCost) -> dict[str, NodeCost]:
    return {one.name: one for one in cost.by_node()}


@pytest.fixture(scope="module")
def small() -> ModelCost:
    """A small classifier: a convolution with a border, an activation, pooling, a dense layer."""
    nodes = [
        helper.make_node("Conv", ["x", "k"], ["c"], "conv", pads=[1, 1, 1, 1], strides=[2, 2]),
        helper.make_node("Relu", ["c"], ["r"], "relu"),
        helper.make_node("GlobalAveragePool", ["r"], ["p"], "pool"),
        helper.make_node("Flatten", ["p"], ["f"], "flatten"),
        helper.make_node("Gemm", ["f", "d", "b"], ["y"], "dense"),
    ]
    return cost_of(*nodes, x=["batch", 3, "h", "w"], k=[8, 3, 3, 3], d=[8, 10], b=[10])


def test_figures_are_formulas_of_the_symbolic_dimensions(small: ModelCost) -> None:
    conv = named(small)["conv"]
    assert isinstance(conv.macs, Formula)
    for batch, h, w in ((1, 8, 8), (2, 9, 7), (5, 1, 4)):
        pixels = batch * 8 * ((h + 1) // 2) * ((w + 1) // 2)
        assert conv.macs.evaluate({"batch": batch, "h": h, "w": w}) == pixels * 27
        assert small.at(batch=batch, h=h, w=w).macs == pixels * 27 + batch * 80


def test_nodes_and_operators_and_functions_add_up(small: ModelCost) -> None:
    at = small.at(batch=2, h=9, w=7)
    assert isinstance(at, ModelCost)
    for figure in ("eops", "macs", "flops"):
        assert sum(getattr(one, figure) for one in at.by_node()) == getattr(at, figure)
        assert sum(getattr(one, figure) for one in at.by_operator()) == getattr(at, figure)
    for one in at.by_node():
        assert sum(one.by_function.values()) == one.eops
    assert [one.name for one in at.by_node()] == ["conv", "relu", "pool", "flatten", "dense"]
    assert {one.operator: one.nodes for one in at.by_operator()}["Conv"] == 1


def test_only_moving_costs_nothing(small: ModelCost) -> None:
    assert {one.operator for one in small.by_node() if one.eops == 0} == {"Flatten"}


def test_data_of_a_cost_is_plain(small: ModelCost) -> None:
    data = json.loads(json.dumps(small.as_dict()))
    assert data["by_operator"]["Gemm"] == {
        "nodes": 1, "eops": "170*batch", "macs": "80*batch", "flops": "170*batch",
        "by_function": {"mul": "80*batch", "add": "90*batch"},
    }  # fmt: skip
    assert data["by_node"][0]["operator"] == "Conv"


@pytest.mark.parametrize(
    ("node", "shapes", "macs"),
    [
        (helper.make_node("MatMul", ["a", "b"], ["y"]), {"a": [5, 2, 3], "b": [5, 3, 4]}, 5 * 2 * 3 * 4),
        (helper.make_node("Gemm", ["a", "b"], ["y"], transA=1, transB=1), {"a": [3, 2], "b": [4, 3]}, 2 * 3 * 4),
        (helper.make_node("Conv", ["a", "b"], ["y"], group=2), {"a": [1, 4, 5], "b": [6, 2, 3]}, 6 * 3 * 2 * 3),
        (helper.make_node("ReduceSumSquare", ["a"], ["y"]), {"a": [3, 4]}, 12),
        (helper.make_node("Einsum", ["a", "b"], ["y"], equation="ij,jk->ik"), {"a": [2, 3], "b": [3, 4]}, 24),
        (helper.make_node("ReduceSum", ["a"], ["y"]), {"a": [3, 4]}, 0),
        (helper.make_node("ReduceMax", ["a"], ["y"]), {"a": [3, 4]}, 0),
        (helper.make_node("Mul", ["a", "b"], ["y"]), {"a": [3], "b": [3]}, 0),
    ],
)
def test_multiply_accumulates_of_operators(node: NodeProto, shapes: dict[str, Shape], macs: int) -> None:
    assert tolang.onnx.load(made((node,), TensorProto.FLOAT, **shapes)).cost().macs == macs


def test_the_sum_of_another_node_s_products_is_no_multiply_accumulate() -> None:
    nodes = [helper.make_node("Mul", ["a", "b"], ["p"]), helper.make_node("ReduceSum", ["p"], ["y"])]
    cost = cost_of(*nodes, a=[7], b=[7])
    assert (cost.macs, cost.eops, cost.flops) == (0, 14, 14)


def test_whole_numbers_are_multiplied_and_added_but_are_no_flops() -> None:
    node = helper.make_node("MatMulInteger", ["a", "b"], ["y"])
    cost = cost_of(node, element=TensorProto.UINT8, a=[2, 3], b=[3, 4])
    assert (cost.macs, cost.flops) == (24, 0)


def test_what_an_if_chooses_while_importing_counts_by_its_own_nodes() -> None:
    then, other = (
        helper.make_graph([helper.make_node(operator, ["x"], [f"{operator}_"])], operator, [],
                          [helper.make_empty_tensor_value_info(f"{operator}_")])
        for operator in ("Exp", "Sqrt")
    )  # fmt: skip
    truth = numpy_helper.from_array(np.array(True), "truth")
    nodes = [
        helper.make_node("Constant", [], ["c"], value=truth),
        helper.make_node("If", ["c"], ["y"], then_branch=then, else_branch=other),
    ]
    assert {one.operator: one.eops for one in cost_of(*nodes, x=[6]).by_operator()}["Exp"] == 6


def test_an_operator_that_onnx_itself_spells_out_counts_as_one_node() -> None:
    node = helper.make_node("Celu", ["x"], ["y"], "celu")
    found = cost_of(node, x=["n"]).by_node()
    assert [one.operator for one in found] == ["Celu"]
    assert found[0].eops != 0


def test_values_that_the_program_is_made_for_are_given() -> None:
    info = helper.make_tensor_value_info("shape", TensorProto.INT64, [2])
    model = made([helper.make_node("Reshape", ["x", "shape"], ["r"]), helper.make_node("Exp", ["r"], ["y"])], x=["n"])
    model.graph.input.append(info)
    loaded = tolang.onnx.load(model)
    assert str(loaded.cost(shape=[2, -1]).eops) == "2*floor(n/2)"
    with pytest.raises(ToLangUsageError, match="the value of 'shape'"):
        loaded.cost()


def squeezing() -> ModelProto:
    """A model that squeezes its second axis only where it is of length 1, and takes roots of what remains."""
    branches = {
        "then_branch": helper.make_node("Squeeze", ["x", "axis"], ["squeezed"]),
        "else_branch": helper.make_node("Abs", ["x"], ["kept"]),
    }
    graphs = {
        name: helper.make_graph([node], name, [], [helper.make_empty_tensor_value_info(node.output[0])])
        for name, node in branches.items()
    }
    one, axis = (helper.make_tensor(name, TensorProto.INT64, [1], [1]) for name in ("one", "axis"))
    nodes = [
        helper.make_node("Shape", ["x"], ["shape"], start=1, end=2),
        helper.make_node("Equal", ["shape", "one"], ["is_one"]),
        helper.make_node("If", ["is_one"], ["chosen"], **graphs),
        helper.make_node("Sqrt", ["chosen"], ["y"]),
    ]
    model = made(nodes, x=["n", "m"])
    model.graph.initializer.extend([one, axis])
    return model


def test_a_model_whose_ranks_depend_on_lengths_is_made_for_those_given() -> None:
    model = tolang.onnx.load(squeezing())
    with pytest.raises(ToLangUsageError, match="ranks in the model depend on lengths"):
        model.cost()
    assert model.cost(x=(5, 1)).eops == 5
    assert model.cost(n=5, m=3).eops == 30
    assert model(np.full((4, 1), 9, np.float32)).tolist() == [3, 3, 3, 3]
    assert model(np.full((2, 2), -9, np.float32)).tolist() == [[3, 3], [3, 3]]


def test_a_deep_model_has_a_short_formula() -> None:
    nodes = [
        helper.make_node("MaxPool", [f"x{k}"], [f"x{k + 1}"], kernel_shape=[2, 2], strides=[2, 2]) for k in range(6)
    ]
    cost = cost_of(*nodes, x0=[1, 1, "h", "w"])
    assert len(str(cost.eops)) < 1000
    assert "floor(h/64)" in str(cost.eops)
