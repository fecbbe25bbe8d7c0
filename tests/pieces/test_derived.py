"""Gradients, models and programs with fixed inputs in pieces: the same bits as in one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from tests.pieces.programs import PRODUCT, bits, normal, placed

import tolang.onnx
from tolang.engines.dask.parts import all_cuts
from tolang.program.program import compile

LOSS = """
tol x: R[n,m]
tol w: R[m]
tol y: R[n]
fit = map(tol[n], reduce(map(x[i], * * w[j], j), add, 0), i)
loss := reduce(map(fit, (* - y[i])^2, i), add, 0) / n
"""


def test_a_gradient(monkeypatch: pytest.MonkeyPatch) -> None:
    gradient = compile(LOSS).gradient(of="loss", by=["x", "w"], value=True)
    data = normal(2000, 30), normal(30), normal(2000)
    found, values = placed(gradient, data, 300_000, monkeypatch)
    assert max(cut.tasks for cut in all_cuts(found.cuts)) > 1
    assert bits(values) == bits(gradient(*data))
    assert set(values) == {"loss", "d_x", "d_w"}


def test_a_model_over_a_batch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    weights = normal(8, 3, 3, 3).astype("f4"), normal(8, 10).astype("f4")
    nodes = [
        helper.make_node("Conv", ["x", "filters"], ["c"], pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["c"], ["r"]),
        helper.make_node("GlobalAveragePool", ["r"], ["g"]),
        helper.make_node("Flatten", ["g"], ["f"]),
        helper.make_node("MatMul", ["f", "weights"], ["m"]),
        helper.make_node("Softmax", ["m"], ["y"], axis=1),
    ]
    given = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", 3, 16, 16])
    gives = helper.make_tensor_value_info("y", TensorProto.FLOAT, ["batch", 10])
    brought = [numpy_helper.from_array(one, name) for one, name in zip(weights, ("filters", "weights"), strict=True)]
    graph = helper.make_graph(nodes, "net", [given], [gives], brought)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), tmp_path / "net.onnx")
    model, images = tolang.onnx.load(tmp_path / "net.onnx"), normal(40, 3, 16, 16).astype("f4")
    found, values = placed(model.program, (images,), 200_000, monkeypatch)
    assert max(cut.tasks for cut in all_cuts(found.cuts)) > 1
    assert np.asarray(values).tobytes() == np.asarray(model(images)).tobytes()


def test_fixed_inputs(monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = normal(130, 70), normal(70, 90)
    program = compile(PRODUCT).fix(b=b)
    found, values = placed(program, (a,), 60_000, monkeypatch)
    assert max(cut.tasks for cut in all_cuts(found.cuts)) > 1
    assert bits(values) == bits(program(a))
