"""Models called again and again: what was found out in one call serves the next, and what differs is seen."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper, numpy_helper

import tolang
import tolang.onnx

WEIGHTS = np.arange(12, dtype=np.float32).reshape(4, 3)


def product(lengths: list[Any]) -> ModelProto:
    """x times fixed weights, of given lengths."""
    node = helper.make_node("MatMul", ["x", "w"], ["y"])
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, lengths)
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    graph = helper.make_graph([node], "product", [x], [y], [numpy_helper.from_array(WEIGHTS, "w")])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def shaped() -> ModelProto:
    """x in a shape that is an input: the program is made for its values."""
    node = helper.make_node("Reshape", ["x", "shape"], ["y"])
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n"])
    shape = helper.make_tensor_value_info("shape", TensorProto.INT64, [2])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    graph = helper.make_graph([node], "shaped", [x, shape], [y])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def test_data_of_many_forms() -> None:
    model = tolang.onnx.load(product(["n", 4]), fallback=False)
    for rows in (3, 3, 1, 5, 3):
        x = np.random.default_rng(rows).integers(0, 9, (rows, 4)).astype(np.float32)
        for given in (x, x.tolist(), np.asfortranarray(x), x[::-1], x.astype(np.float16)):
            expected = np.asarray(given, np.float32) @ WEIGHTS  # whole numbers: exact
            assert np.array_equal(model(given), expected)


def test_short_calls_give_all_outputs_of_what_they_are_given() -> None:
    node = helper.make_node("TopK", ["x", "k"], ["values", "places"])
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n"])
    outputs = [helper.make_tensor_value_info("places", TensorProto.INT64, None)]
    outputs.append(helper.make_tensor_value_info("values", TensorProto.FLOAT, None))
    graph = helper.make_graph([node], "greatest", [x], outputs, [numpy_helper.from_array(np.array([2]), "k")])
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    model, generator = tolang.onnx.load(proto, fallback=False), np.random.default_rng(1)
    for length in (5, 5, 5, 5, 7, 5, 5, 5):
        data = generator.permutation(length).astype(np.float32)
        places, values = model.run({"x": data})
        assert values.tolist() == [length - 1, length - 2]
        assert data[places].tolist() == values.tolist()
        assert (places.dtype, values.dtype) == (np.int64, np.float32)


@pytest.mark.parametrize("lengths", [["n", 4], [2, 4]])
def test_what_does_not_fit_is_told_as_in_the_first_call(lengths: list[Any]) -> None:
    model = tolang.onnx.load(product(lengths))
    x = np.ones((2, 4), np.float32)
    assert np.array_equal(model(x), x @ WEIGHTS)
    for wrong in (np.ones((2, 5), np.float32), np.ones(4, np.float32), np.ones((2, 2, 4), np.float32)):
        told = []
        for one in (model, tolang.onnx.load(product(lengths))):
            with pytest.raises(tolang.ToLangError) as error:
                one(wrong)
            told.append(str(error.value))
        assert told[0] == told[1]
    assert np.array_equal(model(x), x @ WEIGHTS)


def test_values_that_the_program_is_made_for() -> None:
    model = tolang.onnx.load(shaped())
    x = np.arange(12, dtype=np.float32)
    for shape in ((3, 4), (3, 4), (4, 3), (2, 6), (3, 4)):
        assert np.array_equal(model(x, np.array(shape)), x.reshape(shape))
    assert np.array_equal(model(x[:6], np.array((3, 2))), x[:6].reshape(3, 2))


def test_inputs_are_those_of_the_model() -> None:
    """An input that the model has not is refused, and all that are missing are named."""
    model = tolang.onnx.load(shaped())
    x, shape = np.arange(12, dtype=np.float32), np.array((3, 4))
    assert np.array_equal(model.run({"x": x, "shape": shape})[0], x.reshape(3, 4))
    with pytest.raises(tolang.ToLangError, match=r"E705: the input 'w' is none of the model's") as caught:
        model.run({"x": x, "shape": shape, "w": x})
    assert caught.value.diagnostics[0].expected == "x, shape"
    with pytest.raises(tolang.ToLangError, match=r"E705: the input 'shape' is missing"):
        model.run({"x": x})
    with pytest.raises(tolang.ToLangError, match=r"E705: the inputs 'x', 'shape' are missing"):
        model.run({})


@pytest.mark.parametrize("way", ["pickle", "deepcopy"])
def test_copies_do_what_models_do(way: str) -> None:
    def copied(one: tolang.onnx.Model) -> tolang.onnx.Model:
        found: tolang.onnx.Model = copy.deepcopy(one) if way == "deepcopy" else pickle.loads(pickle.dumps(one))
        return found

    model, x = tolang.onnx.load(product(["n", 4]), fallback=False), np.ones((2, 4), np.float32)
    before = copied(model)
    for _ in range(4):
        assert np.array_equal(model(x), x @ WEIGHTS)
    for other in (before, copied(model), copied(copied(model))):
        for rows in (2, 2, 2, 2, 3):
            given = np.full((rows, 4), 2, np.float32)
            assert np.array_equal(other(given), given @ WEIGHTS)
