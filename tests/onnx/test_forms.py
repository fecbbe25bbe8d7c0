"""Nodes as exporters write them, and as onnxruntime takes them: older versions, scalars for vectors, open sizes."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import onnxruntime
import pytest
from onnx import helper, numpy_helper
from onnx.reference import ReferenceEvaluator
from tests.onnx.operators import Array

from tolang.onnx import Model, load

RANDOM = np.random.default_rng(0)


def floats(*shape: int) -> Array:
    return RANDOM.normal(size=shape).astype(np.float32)


def agrees(opset: int, nodes: list[Any], data: dict[str, Array], known: dict[str, Array] | None = None) -> Model:
    """The last node's result is what onnxruntime gives, of inputs all of whose lengths are open."""
    infos = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(x.dtype), [f"{name}_{k}" for k in range(x.ndim)])
        for name, x in data.items()
    ]  # fmt: skip
    initial = [numpy_helper.from_array(x, name) for name, x in (known or {}).items()]
    outputs = [helper.make_empty_tensor_value_info(nodes[-1].output[0])]
    graph = helper.make_graph(nodes, "graph", infos, outputs, initial)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    (expected,) = session.run(None, data)
    ours = load(model, fallback=False)
    found = ours(**data)
    assert found.dtype == expected.dtype
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)  # sums of floats of 32 bits in another order
    return ours


def test_regions_before_opset_16_are_not_aligned() -> None:
    data = {"x": floats(2, 3, 9, 8), "rois": np.array([[1, 2, 5, 6], [0, 0, 3, 8]], np.float32), "b": np.array([0, 1])}
    agrees(10, [helper.make_node("RoiAlign", [*data], ["y"], output_height=2, output_width=3, sampling_ratio=2)], data)


@pytest.mark.parametrize("depth", [np.array(4), np.array([4])])
def test_depths_are_numbers_or_vectors_of_one(depth: Array) -> None:
    node = helper.make_node("OneHot", ["i", "depth", "values"], ["y"])
    agrees(11, [node], {"i": np.array([1, -1, 3])}, {"depth": depth, "values": np.array([0, 2], np.float32)})


def test_real_signals_need_no_axis_of_parts() -> None:
    node = helper.make_node("STFT", ["s", "step", "window"], ["y"])
    agrees(17, [node], {"s": floats(2, 64)}, {"step": np.array(8), "window": np.hanning(16).astype(np.float32)})


@pytest.mark.parametrize("mode", ["linear", "cubic"])
def test_images_are_made_as_large_as_others(mode: str) -> None:
    """The size of the result is that of the other image, whether or not an axis stays as it is."""
    nodes = [
        helper.make_node("Shape", ["other"], ["lengths"]),
        helper.make_node("Resize", ["x", "", "", "lengths"], ["large"], mode=mode),
        helper.make_node("Concat", ["large", "other"], ["y"], axis=1),
    ]
    ours = agrees(13, nodes, {"x": floats(1, 2, 3, 4), "other": floats(1, 2, 7, 4)})
    assert ours.program.outputs["y"].shape[2:] == ours.program.inputs["other"].shape[2:]


def test_short_floats_are_summed_in_32_bits() -> None:
    data = {"x": floats(1, 40, 5, 5).astype(np.float16), "w": floats(40, 6, 3, 3).astype(np.float16)}
    node = helper.make_node("ConvTranspose", ["x", "w"], ["y"], strides=[2, 2])
    infos = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(x.dtype), x.shape)
        for name, x in data.items()
    ]
    graph = helper.make_graph([node], "graph", infos, [helper.make_empty_tensor_value_info("y")])
    found = load(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)]), fallback=False)(**data)
    wide = {name: one.astype(np.float64) for name, one in data.items()}
    results: Any = ReferenceEvaluator(node).run(None, wide)
    np.testing.assert_allclose(found, results[0], rtol=1e-3, atol=1e-3)  # one rounding to 11 binary digits


def test_many_parts_are_joined_by_halves() -> None:
    """So that whoever looks for an element of one of them asks few questions."""
    data = {f"x{k}": floats(2, 1 + k % 3) for k in range(40)}
    model = agrees(17, [helper.make_node("Concat", list(data), ["y"], axis=1)], data)
    depths = dict.fromkeys(data, 0)
    for line in model.variant(data).text.splitlines():
        if "Concat(" in line:
            inside = re.findall(r"\w+", line.split("(", 1)[1])
            depths[line.split()[0]] = 1 + max(depths[one] for one in inside if one in depths)
    assert max(depths.values()) < 12
