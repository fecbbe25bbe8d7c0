"""Loops that count: folds whose number of steps follows from shapes, held against onnx's own evaluator."""

from __future__ import annotations

import numpy as np
import onnx
import onnxruntime
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


def doubled(greatest: int | None, rows: bool) -> onnx.ModelProto:
    """A number that is doubled until it passes a limit, and maybe what it was in between."""
    node = helper.make_node
    made = [info("go", BOOL, []), info("after", FLOAT, []), *([info("row", FLOAT, [])] if rows else [])]
    nodes = [node("Mul", ["v", "two"], ["after"]), node("Less", ["after", "limit"], ["go"])]
    body = helper.make_graph(
        nodes + ([node("Identity", ["after"], ["row"])] if rows else []),
        "body",
        [info("i", INT64, []), info("c", BOOL, []), info("v", FLOAT, [])],
        made,
    )
    known = {"two": np.array(2, np.float32), "yes": np.array(True)}
    known |= {} if greatest is None else {"greatest": np.array(greatest)}
    outputs = ["y", "rows"] if rows else ["y"]
    looped = node("Loop", ["" if greatest is None else "greatest", "yes", "x"], outputs, body=body)
    graph = helper.make_graph(
        [looped], "graph", [info("x", FLOAT, []), info("limit", FLOAT, [])], [info(one, FLOAT, None) for one in outputs],
        [numpy_helper.from_array(array, name) for name, array in known.items()],
    )  # fmt: skip
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)])


@pytest.mark.parametrize(("greatest", "engine"), [(None, "interpret"), (2**31 - 1, "cpu")])
def test_a_loop_that_data_ends(greatest: int | None, engine: str) -> None:
    model = load(doubled(greatest, rows=True), engine)
    for start, limit in ((1.5, 100), (1, 3000), (5, 5)):
        found = model(np.float32(start), np.float32(limit))
        steps = max(1, int(np.ceil(np.log2(limit / start))))
        np.testing.assert_array_equal(found["rows"], start * 2.0 ** np.arange(1, steps + 1))
        assert found["y"] == start * 2.0**steps
    assert load(doubled(greatest, rows=False), engine)(np.float32(1), np.float32(2.0**40)) == 2.0**40


def test_more_steps_than_one_fold_has() -> None:
    """A counter in the body goes on from one fold to the next."""
    node = helper.make_node
    body = helper.make_graph(
        [
            node("Cast", ["i"], ["step"], to=FLOAT),
            node("Add", ["v", "step"], ["after"]),
            node("Less", ["step", "limit"], ["go"]),
        ],
        "body",
        [info("i", INT64, []), info("c", BOOL, []), info("v", FLOAT, [])],
        [info("go", BOOL, []), info("after", FLOAT, [])],
    )
    looped = node("Loop", ["", "yes", "x"], ["y"], body=body)
    graph = helper.make_graph(
        [looped], "graph", [info("x", FLOAT, []), info("limit", FLOAT, [])], [info("y", FLOAT, None)],
        [numpy_helper.from_array(np.array(True), "yes")],
    )  # fmt: skip
    model = load(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)]), "cpu")
    assert model(np.float32(0), np.float32(3000)) == sum(range(3001))


@pytest.mark.parametrize("both", [False, True])
@pytest.mark.parametrize("swapped", [False, True])
def test_branches_of_a_numeric_and_of_a_vector_of_one(both: bool, swapped: bool) -> None:
    """What data decides between has the elements of either; it is a vector of one."""
    node, kinds = helper.make_node, ["y", "z"] if both else ["y"]
    outputs = [[info(name, FLOAT, None) for name in names[: len(kinds)]] for names in (("s", "p"), ("m", "q"))]
    total = [node("ReduceSum", ["x"], ["s"], keepdims=0), node("Identity", ["x"], ["p"])]
    most = [node("ReduceMax", ["x"], ["m"], keepdims=1), node("Neg", ["x"], ["q"])]
    graphs = [helper.make_graph(total, "a", [], outputs[0]), helper.make_graph(most, "b", [], outputs[1])]
    first, second = graphs[::-1] if swapped else graphs
    nodes = [
        node("ReduceSum", ["u"], ["v"], keepdims=0), node("Cast", ["v"], ["c"], to=BOOL),
        node("If", ["c"], kinds, then_branch=first, else_branch=second), node("Mul", ["y", "x"], ["w"]),
    ]  # fmt: skip
    graph = helper.make_graph(
        nodes,
        "graph",
        [info("u", FLOAT, [2]), info("x", FLOAT, [3])],
        [info(one, FLOAT, None) for one in (*kinds, "w")],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model, x = load(made, "interpret"), np.array([1, 2, 4], np.float32)
    for condition in (True, False):
        u = np.array([condition, 0], np.float32)
        expected = ReferenceEvaluator(made).run(None, {"u": u, "x": x})
        for one, other in zip(model(u, x).values(), expected, strict=True):
            np.testing.assert_array_equal(one, np.reshape(other, one.shape))
        assert model(u, x)["y"].shape == (1,)


def test_a_merged_decoder_whose_past_is_not_used() -> None:
    """What a first step has no use for is of any lengths: another batch, a past that the mask does not tell."""
    node = helper.make_node
    past: list[int | str] = ["batch", "past", 2]
    cached = [node("Concat", ["past.key", "new"], ["c"], axis=1), node("Mul", ["c", "mask"], ["m"])]
    plain = [node("Mul", ["new", "mask"], ["p"])]
    branches = [
        helper.make_graph(cached, "a", [], [info("m", FLOAT, None)]),
        helper.make_graph(plain, "b", [], [info("p", FLOAT, None)]),
    ]
    chosen = node("If", ["use_cache"], ["present"], then_branch=branches[0], else_branch=branches[1])
    inputs = [
        info("new", FLOAT, ["batch", "new", 2]), info("mask", FLOAT, ["batch", "past + new", 1]),
        info("past.key", FLOAT, past), info("past.value", FLOAT, past), info("use_cache", BOOL, [1]),
    ]  # fmt: skip
    graph = helper.make_graph([chosen], "decoder", inputs, [info("present", FLOAT, None)])
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4  # of lengths that are none of those declared
    session = onnxruntime.InferenceSession(made.SerializeToString(), options)
    model = load(made, "interpret")
    for use, batch, length in ((False, 1, 1), (False, 0, 7), (True, 3, 4), (True, 3, 0)):
        keys = np.ones((batch, length, 2), np.float32)
        given = {"new": np.full((3, 2, 2), 2, np.float32), "past.key": keys, "past.value": keys}
        given |= {"mask": np.ones((3, 2 + use * length, 1), np.float32), "use_cache": np.array([use])}
        np.testing.assert_array_equal(model.run(given)[0], session.run(None, given)[0], strict=True)
    assert str(model.cost(use_cache=np.array([True])).eops) == "2*batch*(new + past)"
    assert model.cost(use_cache=np.array([False]), new=(3, 2, 2), mask=(3, 2, 1)).eops == 12


PASTE = """<ir_version: 9, opset_import: ["" : 17]>
paste (float[n, 1, r, c] masks, int64[n, 2] spans, float[height, c] image) => (float[m, h, w] pasted)
  <int64[1] zero = {0}, int64[1] one = {1}, bool yes = {1}> {
  shape = Shape(image)
  height = Gather<axis = 0>(shape, zero)
  width = Gather<axis = 0>(shape, one)
  empty = Concat<axis = 0>(zero, height, width)
  begun = ConstantOfShape(empty)
  count = Shape<start = 0, end = 1>(masks)
  steps = Squeeze(count)
  pasted = Loop(steps, yes, begun) <body = step (int64 i, bool go, float[a, b, d] before) => (bool on, float[a2, b2, d2] after) {
    on = Identity(go)
    mask = Gather<axis = 0>(masks, i)
    span = Gather<axis = 0>(spans, i)
    top = Gather<axis = 0>(span, zero)
    bottom = Gather<axis = 0>(span, one)
    last = Add(bottom, one)
    between = Sub(last, top)
    tall = Max(between, one)
    wide = Shape<start = 2>(mask)
    size = Concat<axis = 0>(one, one, tall, wide)
    batch = Unsqueeze(mask, zero)
    resized = Resize<mode = "linear", coordinate_transformation_mode = "half_pixel">(batch, , , size)
    plain = Squeeze(resized, zero)
    rows = Squeeze(plain, zero)
    from = Max(top, zero)
    to = Min(last, height)
    skipped = Sub(from, top)
    end = Sub(to, top)
    seen = Slice(rows, skipped, end, zero)
    left = Sub(height, to)
    above = Concat<axis = 0>(from, width)
    below = Concat<axis = 0>(left, width)
    zeros = ConstantOfShape(above)
    more = ConstantOfShape(below)
    joined = Concat<axis = 0>(zeros, seen, more)
    cut = Slice(joined, zero, height, zero)
    row = Unsqueeze(cut, zero)
    after = Concat<axis = 0>(before, row)
  }>
}"""


def test_masks_pasted_into_an_image() -> None:
    """As Mask R-CNN's exports do it: each step resizes to lengths of data, and cuts and fills up to those of the image."""
    made = onnx.parser.parse_model(PASTE)
    model, session = load(made, "interpret"), onnxruntime.InferenceSession(made.SerializeToString())
    random = np.random.default_rng(0)
    for spans in ([[1, 6], [-2, 3], [4, 14]], np.zeros((0, 2), np.int64)):
        masks = random.random((len(spans), 1, 5, 4), np.float32)
        given = {"masks": masks, "spans": np.array(spans), "image": np.zeros((9, 4), np.float32)}
        found, wanted = model.run(given)[0], session.run(None, given)[0]
        np.testing.assert_allclose(found, wanted, rtol=1e-5, strict=True)
