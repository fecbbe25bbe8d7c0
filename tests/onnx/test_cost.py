"""What models cost: by node, by operator and by function, with multiply-accumulates and FLOPs beside EOPs."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
import pytest
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

import tolang.onnx
from tolang.ground.reporting.diagnostics import ToLangUsageError
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


def test_dimensions_have_the_names_that_the_model_has() -> None:
    """Sums are sums; what says nothing is a length of its own; what hides a definition of the library does not matter."""
    nodes = [helper.make_node("Concat", ["past", "x"], ["c"], axis=0), helper.make_node("Mul", ["c", "mask"], ["y"])]
    names: dict[str, Shape] = {
        "mask": ["past_length + sequence_length"], "past": ["past_length"], "x": ["sequence_length"],
    }  # fmt: skip
    model = tolang.onnx.load(made(nodes, TensorProto.FLOAT, **names), "interpret")
    assert str(model.cost().eops) == "past_length + sequence_length"
    assert str(model.cost(past_length=4).eops) == "sequence_length + 4"
    assert model.cost(past=(4,), x=(2,)).eops == model.cost(mask=(6,), x=(2,)).eops == 6
    assert model(np.ones(3), np.ones(1), np.ones(2)).tolist() == [1, 1, 1]
    with pytest.raises(tolang.ToLangError, match=r"dimension 1 of mask has length 4"):
        model(np.ones(4), np.ones(1), np.ones(2))
    alone = tolang.onnx.load(made([helper.make_node("Exp", ["a"], ["y"])], a=["n + m", "2*n", "?", "-1"]))
    assert str(alone.cost().eops).count("*") == 3
    factors = tolang.onnx.load(made([helper.make_node("Exp", ["a"], ["y"])], a=["n", "3*n - 2", 1]))
    assert factors.cost(n=2).eops == 2 * 4
    lstm = helper.make_node("LSTM", ["x", "w", "r"], ["y"])
    hidden = tolang.onnx.load(made([lstm], x=["sequence_length", "heads", 2], w=[1, 12, 2], r=[1, 12, 3]))
    assert str(hidden.cost().macs) == str(12 * (2 + 3)) + "*heads*sequence_length"


def test_costs_by_shapes_of_inputs_with_any_names() -> None:
    shapes: dict[str, Shape] = {"input.1": ["batch size", 8]}
    model = tolang.onnx.load(made([helper.make_node("Exp", ["input.1"], ["y"])], TensorProto.FLOAT, **shapes))
    assert repr(model) == "<tolang.onnx model: (input.1: f32 [batch size, 8]) -> y>"
    assert model.cost({"input.1": (3, 8)}).eops == model.cost({"batch size": 3}).eops == 24
    image = tolang.onnx.load(made([helper.make_node("Exp", ["x"], ["y"])], x=["n", 3, "h", "w"]))
    assert image.cost(x=(1, 3, 224, 224)).eops == 3 * 224 * 224
    assert image.cost(x=(1, 3, 224, 224), n=1).eops == 3 * 224 * 224
    with pytest.raises(tolang.ToLangError):
        image.cost(depth=3)


def test_a_dimension_and_an_input_of_one_name() -> None:
    """Formulas have the dimension's name, messages both as the model has them, and `explain` says what is what."""
    nodes = [helper.make_node("MatMul", ["past", "w/1"], ["y"])]
    model = tolang.onnx.load(made(nodes, TensorProto.FLOAT, **{"past": ["past", "k dim"], "w/1": ["k dim", "m"]}))
    assert str(model.cost().macs) == "k_dim*m*past"
    assert model.cost({"past": (2, 3), "w/1": (3, 5)}).macs == model.cost({"past": 2, "k dim": 3, "m": 5}).macs == 30
    for call in (lambda: model(np.ones((2, 3)), np.ones((4, 5))), lambda: model.cost({"past": (2, 3), "w/1": (4, 5)})):
        with pytest.raises(tolang.ToLangError, match=r"dimension 1 of w/1 has length 4, declared is k dim") as caught:
            call()
        assert "(k dim = 3 from dimension 2 of past)" in str(caught.value)
    assert "past_2 is 'past' of the model\n" in model.program.explain().full


def test_quotients_of_lengths_are_known() -> None:
    """What exporters write for strided convolutions, which is the whole part and not the next number below."""
    nodes = [helper.make_node("Shape", ["x"], ["s"]), helper.make_node("Gather", ["s", "zero"], ["n0"], axis=0)]
    for k in range(4):
        nodes += [
            helper.make_node("Sub", [f"n{k}", "one"], [f"a{k}"]), helper.make_node("Div", [f"a{k}", "two"], [f"b{k}"]),
            helper.make_node("Add", [f"b{k}", "one"], [f"n{k + 1}"]),
        ]  # fmt: skip
    nodes += [helper.make_node("Unsqueeze", ["n4", "first"], ["length"])]
    nodes += [helper.make_node("ConstantOfShape", ["length"], ["zeros"]), helper.make_node("Exp", ["zeros"], ["y"])]
    model = made(nodes, x=["h"])
    known = {"zero": np.array(0), "one": np.array(1), "two": np.array(2), "first": np.array([0])}
    model.graph.initializer.extend(numpy_helper.from_array(one, name) for name, one in known.items())
    loaded = tolang.onnx.load(model, "interpret")
    assert str(loaded.cost().eops) == "floor((h + 15)/16)"
    for length, wanted in ((33, 3), (1, 1), (0, 1), (16, 1)):
        assert loaded(np.ones(length)).shape == (wanted,)
        assert loaded.cost(h=length).eops == loaded.cost(x=(length,)).eops == wanted


def test_lengths_are_not_negative() -> None:
    """A shape in which -1 leaves a length as it is, among lengths that convolutions make: what it says is known."""
    nodes = [
        helper.make_node("Conv", ["x", "k"], ["c"], strides=[4]),
        helper.make_node("Shape", ["c"], ["length"], start=2),
        helper.make_node("Concat", ["length", "open", "length"], ["wanted"], axis=0),
        helper.make_node("Equal", ["wanted", "open"], ["is_open"]),
        helper.make_node("Where", ["is_open", "one", "wanted"], ["shape"]),
        helper.make_node("Expand", ["m", "shape"], ["mask"]),
        helper.make_node("Exp", ["mask"], ["y"], "powers"),
    ]
    model = made(nodes, x=[1, 3, "n"], k=[5, 3, 8], m=[1])
    known = {"open": np.array([-1]), "one": np.array([1])}
    model.graph.initializer.extend(numpy_helper.from_array(one, name) for name, one in known.items())
    powers = named(tolang.onnx.load(model, "interpret").cost())["powers"].eops
    assert isinstance(powers, Formula)
    for n in (8, 12, 35):
        assert powers.evaluate({"n": n}) == ((n - 8) // 4 + 1) ** 2


def test_quotients_that_may_be_negative() -> None:
    for less, divisor in ((3, 2), (5, 2), (1, 4)):
        nodes = [
            helper.make_node("Shape", ["x"], ["s"]), helper.make_node("Sub", ["s", "less"], ["a"]),
            helper.make_node("Div", ["a", "divisor"], ["q"]), helper.make_node("Add", ["q", "many"], ["length"]),
            helper.make_node("ConstantOfShape", ["length"], ["zeros"]), helper.make_node("Exp", ["zeros"], ["y"]),
        ]  # fmt: skip
        model = made(nodes, x=["h", "w"])
        known = {"less": np.array([less, 0]), "divisor": np.array([divisor, 3]), "many": np.array([9, 0])}
        model.graph.initializer.extend(numpy_helper.from_array(one, name) for name, one in known.items())
        loaded = tolang.onnx.load(model, "interpret")
        for length in range(7):
            wanted = int((length - less) / divisor) + 9
            assert loaded(np.ones((length, 7))).shape == (wanted, 2)
            assert loaded.cost(h=length, w=7).eops == 2 * wanted
        assert "max" not in str(loaded.cost().eops)  # which is for lengths of which something is left


def test_a_value_of_two_names_is_given_by_each() -> None:
    nodes = [helper.make_node("Relu", ["x"], ["hidden"]), helper.make_node("Identity", ["hidden"], ["logits"])]
    model = tolang.onnx.load(_with_outputs(nodes, ["logits", "hidden"]))
    assert set(model.program.outputs) == {"logits", "hidden"}


def _with_outputs(nodes: list[NodeProto], names: list[str]) -> ModelProto:
    model = made(nodes, x=["n"])
    del model.graph.output[:]
    model.graph.output.extend(helper.make_empty_tensor_value_info(name) for name in names)
    return model
