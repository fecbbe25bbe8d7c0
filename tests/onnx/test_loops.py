"""Loops that count: folds whose number of steps follows from shapes, held against onnx's own evaluator."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

from tolang.onnx import load

FLOAT, INT32, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT32, TensorProto.INT64, TensorProto.BOOL


def info(name: str, element: int, shape: list[int | str] | None) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, element, shape)


def while_loop(start: int, step: int, comparison: str, greatest: int | None, length: int | str) -> onnx.ModelProto:
    """What exporters of `while` write: a counter among the states, a condition on it, and weights given on as they are."""
    swapped = comparison.startswith("Greater")
    node, counter = helper.make_node, ["next", "bound"]
    body = helper.make_graph(
        [
            node("Add", ["count", "step"], ["next"]),
            node("Gather", ["rows", "count"], ["row"]),
            node("MatMul", ["state", "w"], ["product"]),
            node("Add", ["product", "row"], ["after"]),
            node("Cast", ["limit"], ["bound"], to=INT32),
            node(comparison, counter[::-1] if swapped else counter, ["go"]),
            node("Identity", ["w"], ["same"]),
        ],
        "body",
        [info("i", INT64, []), info("c", BOOL, []), info("count", INT32, []), info("state", FLOAT, None), info("w", FLOAT, None)],
        [info("go", BOOL, []), info("next", INT32, []), info("after", FLOAT, None), info("same", FLOAT, None), info("row", FLOAT, None)],
    )  # fmt: skip
    first = ["start", "rows_now"]
    nodes = [
        node("Shape", ["rows"], ["lengths"], end=1),
        node("Squeeze", ["lengths"], ["limit"]),
        node("Cast", ["limit"], ["rows_now"], to=INT32),
        node(comparison, first[::-1] if swapped else first, ["begin"]),
        node(
            "Loop",
            ["" if greatest is None else "greatest", "begin", "start", "zero", "weights"],
            ["last", "total", "kept", "all"],
            body=body,
        ),
    ]
    weights = np.arange(4, dtype=np.float32).reshape(2, 2) / 4
    known = {"start": np.array(start, np.int32), "step": np.array(step, np.int32), "zero": np.ones(2, np.float32)}
    known |= {"weights": weights} | ({} if greatest is None else {"greatest": np.array(greatest)})
    outputs = [
        info(name, kind, None) for name, kind in (("last", INT32), ("total", FLOAT), ("kept", FLOAT), ("all", FLOAT))
    ]
    initial = [numpy_helper.from_array(array, name) for name, array in known.items()]
    graph = helper.make_graph(nodes, "graph", [info("rows", FLOAT, [length, 2])], outputs, initial)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)])


@pytest.mark.parametrize("length", ["n", 9])
@pytest.mark.parametrize(("start", "step", "comparison"), [(0, 1, "Less"), (1, 1, "Greater"), (1, 3, "Less")])
@pytest.mark.parametrize("greatest", [None, 2**63 - 1])
def test_a_counter_below_a_length(
    start: int, step: int, comparison: str, greatest: int | None, length: int | str
) -> None:
    model = while_loop(start, step, comparison, greatest, length)
    rows = np.random.default_rng(0).normal(size=(9, 2)).astype(np.float32)
    ours = load(model)
    found = ours(rows)
    expected = ReferenceEvaluator(while_loop(start, step, comparison, 100, length)).run(None, {"rows": rows})
    for one, other in zip(found.values(), expected, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_allclose(one, other, rtol=1e-5)  # sums of floats of 32 bits in another order
    if isinstance(length, str):
        assert ours(rows[:1])["all"].shape == (1 - start, 2)
        assert "n" in str(ours.cost().macs)
