"""Importing models: names, symbolic sizes, subgraphs, functions, values known while importing, damaged and hostile files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import ModelProto, TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

from tolang.check.library import library_module, library_names
from tolang.ground.reporting.diagnostics import ToLangError
from tolang.onnx import load
from tolang.onnx.names import Head, library_heads
from tolang.syntax import tree

FLOAT, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL
Array = np.ndarray[Any, Any]


def info(name: str, element: int, shape: list[Any]) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, element, shape)


def model_of(
    nodes: list[onnx.NodeProto],
    inputs: list[onnx.ValueInfoProto],
    outputs: list[str],
    constants: dict[str, Array] | None = None,
    opset: int = 20,
    functions: list[onnx.FunctionProto] | None = None,
) -> ModelProto:
    initializers = [numpy_helper.from_array(array, name) for name, array in (constants or {}).items()]
    results = [helper.make_empty_tensor_value_info(name) for name in outputs]
    graph = helper.make_graph(nodes, "graph", inputs, results, initializers)
    opsets = [helper.make_opsetid("", opset), helper.make_opsetid("own", 1)]
    return helper.make_model(graph, opset_imports=opsets, functions=functions or [])


def node(operator: str, inputs: list[str], outputs: list[str], **attributes: Any) -> onnx.NodeProto:
    return helper.make_node(operator, inputs, outputs, **attributes)


def agrees(model: ModelProto, *inputs: Array) -> None:
    """Our results are those of onnx's own evaluator."""
    names = [one.name for one in model.graph.input]
    expected = ReferenceEvaluator(model).run(None, dict(zip(names, inputs, strict=True)))
    ours = load(model)
    found = ours.run(ours.arguments(inputs, {}))
    for one, two in zip(expected, found, strict=True):
        assert one.dtype == two.dtype
        np.testing.assert_allclose(two, one, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("module", library_names())
def test_heads_are_those_of_the_definitions(module: str) -> None:
    statements = [one for file in library_module(module) for one in file.statements]
    named = [one for one in statements if isinstance(one, tree.Definition)]
    definitions = [one for one in named if not one.id.endswith("'")]  # derivatives are nothing to call
    assert library_heads(module) == {
        one.id: Head(
            tuple(p.id for p in one.parameters or ()), tuple(p.default is not None for p in one.parameters or ())
        )
        for one in definitions
    }


def attention() -> ModelProto:
    """Heads split off by a shape that is reckoned from the input's, as exporters write it."""
    constants = {
        "first": np.array(0), "second": np.array(1), "axis": np.array([0]), "heads": np.array([4]),
        "head": np.array([2]), "scale": np.array(0.5, np.float32), "half": np.array(0.5, np.float32),
        "start": np.array([0]), "along": np.array([1]),
        "w": np.linspace(-1, 1, 64, dtype=np.float32).reshape(8, 8),
    }  # fmt: skip
    nodes = [
        node("MatMul", ["x", "w"], ["q"]),
        node("Shape", ["x"], ["shape"]),
        node("Gather", ["shape", "first"], ["b0"]),
        node("Gather", ["shape", "second"], ["s0"]),
        node("Unsqueeze", ["b0", "axis"], ["b"]),
        node("Unsqueeze", ["s0", "axis"], ["s"]),
        node("Concat", ["b", "s", "heads", "head"], ["split"], axis=0),
        node("Reshape", ["q", "split"], ["qs"]),
        node("Transpose", ["qs"], ["qt"], perm=[0, 2, 1, 3]),
        node("Transpose", ["qs"], ["kt"], perm=[0, 2, 3, 1]),
        node("MatMul", ["qt", "kt"], ["raw"]),
        node("Mul", ["raw", "scale"], ["scaled"]),
        node("Softmax", ["scaled"], ["weights"], axis=-1),
        node("MatMul", ["weights", "qt"], ["mixed"]),
        node("Transpose", ["mixed"], ["back"], perm=[0, 2, 1, 3]),
        node("Reshape", ["back", "shape"], ["y"]),
        node("Cast", ["s0"], ["sf"], to=FLOAT),
        node("Mul", ["sf", "half"], ["sh"]),
        node("Floor", ["sh"], ["sl"]),
        node("Cast", ["sl"], ["si"], to=INT64),
        node("Unsqueeze", ["si", "axis"], ["end"]),
        node("Slice", ["y", "start", "end", "along"], ["front"]),
    ]
    return model_of(nodes, [info("x", FLOAT, ["batch", "seq", 8])], ["y", "front"], constants)


def test_symbolic_dimensions_stay_symbols() -> None:
    program = load(attention()).program
    assert set(program.sizes) == {"batch", "seq"}
    kinds = {name: [str(length) for length in kind.shape] for name, kind in program.outputs.items()}
    assert kinds["y"] == ["batch", "seq", "8"]
    assert not any("." in length for length in kinds["front"]), "every length follows from the sizes"


@pytest.mark.parametrize(("batch", "length"), [(1, 2), (2, 5), (3, 4)])
def test_one_import_serves_every_size(batch: int, length: int) -> None:
    agrees(attention(), np.random.default_rng(length).normal(size=(batch, length, 8)).astype(np.float32))


def test_cost_is_a_formula_of_the_sizes() -> None:
    cost = load(attention()).cost()
    assert set(cost.eops.names()) == {"batch", "seq"}  # type: ignore[union-attr]  # sizes are open, so it is a formula


def test_names_may_be_any_text() -> None:
    nodes = [
        node("Relu", ["if"], ["1/Add:0"]),
        node("Add", ["1/Add:0", "if"], ["1_Add_0"]),
        node("Neg", ["1_Add_0"], ["Relu"]),
    ]
    model = model_of(nodes, [info("if", FLOAT, ["n"])], ["1/Add:0", "Relu"])
    agrees(model, np.array([-1, 2], np.float32))
    results = load(model)(np.array([-1, 2], np.float32))
    assert list(results) == ["1/Add:0", "Relu"]


def test_input_as_output_and_one_value_twice() -> None:
    model = model_of(
        [node("Identity", ["x"], ["y"]), node("Neg", ["x"], ["z"])], [info("x", FLOAT, [2])], ["x", "y", "z", "z"]
    )
    found = load(model).run({"x": np.array([1, 2], np.float32)})
    assert [one.tolist() for one in found] == [[1, 2], [1, 2], [-1, -2], [-1, -2]]


def test_shape_that_is_an_input_makes_programs_of_its_own() -> None:
    model = model_of([node("Reshape", ["x", "s"], ["y"])], [info("x", FLOAT, [6]), info("s", INT64, [2])], ["y"])
    ours, x = load(model), np.arange(6, dtype=np.float32)
    assert ours(x, np.array([2, 3])).shape == (2, 3)
    assert ours(x, np.array([3, -1])).shape == (3, 2)
    assert ours(x, np.array([2, 3])).shape == (2, 3)
    with pytest.raises(ToLangError, match="E705"):
        _ = ours.program


def test_a_shape_of_measured_lengths_stays_a_formula() -> None:
    """Rows are split and put together again, as exporters write a layer of each place of a sequence."""
    nodes = [
        node("Shape", ["x"], ["shape"]),
        node("Gather", ["shape", "first"], ["batch"]),
        node("Gather", ["shape", "second"], ["length"]),
        node("Concat", ["minus", "length", "width"], ["whole"], axis=0),
        node("Reshape", ["x", "whole"], ["same"]),
        node("Concat", ["batch", "length", "halves"], ["split"], axis=0),
        node("Reshape", ["same", "flat"], ["rows"]),
        node("Reshape", ["rows", "split"], ["y"]),
    ]
    known = {"first": [0], "second": [1], "minus": [-1], "width": [6], "flat": [-1, 6], "halves": [2, 3]}
    constants = {name: np.array(one) for name, one in known.items()}
    model = model_of(nodes, [info("x", FLOAT, ["b", "n", 6])], ["y"], constants)
    assert str(next(iter(load(model).program.outputs.values()))) == "f32 [b, n, 2, 3]"
    for lengths in ((2, 5), (3, 1), (0, 4)):
        x = np.arange(6 * lengths[0] * lengths[1], dtype=np.float32).reshape(*lengths, 6)
        assert np.array_equal(load(model)(x), x.reshape(*lengths, 2, 3))


def test_numbers_counted_to_a_measured_length_are_data() -> None:
    """The logarithm of 0 among them becomes a whole number as any other infinite one does."""
    nodes = [
        node("Shape", ["x"], ["shape"]),
        node("Squeeze", ["shape"], ["n"]),
        node("Range", ["zero", "n", "one"], ["places"]),
        node("Cast", ["places"], ["real"], to=FLOAT),
        node("Log", ["real"], ["logarithms"]),
        node("Cast", ["logarithms"], ["whole"], to=INT64),
        node("Max", ["whole", "zero"], ["y"]),
    ]
    constants = {"zero": np.array(0), "one": np.array(1)}
    model = model_of(nodes, [info("x", FLOAT, ["n"])], ["y"], constants)
    assert load(model)(np.zeros(9, np.float32)).tolist() == [0, 0, 0, 1, 1, 1, 1, 1, 2]


def branch(name: str, operator: str) -> onnx.GraphProto:
    return helper.make_graph([node(operator, ["x"], [name])], name, [], [info(name, FLOAT, None)])  # type: ignore[arg-type]


def test_branch_chosen_by_data_sees_values_outside() -> None:
    choice = node("If", ["positive"], ["y"], then_branch=branch("a", "Sqrt"), else_branch=branch("b", "Neg"))
    nodes = [node("ReduceSum", ["x"], ["total"], keepdims=0), node("Greater", ["total", "zero"], ["positive"]), choice]
    model = model_of(nodes, [info("x", FLOAT, ["n"])], ["y"], {"zero": np.array(0, np.float32)})
    agrees(model, np.array([4, 9], np.float32))
    agrees(model, np.array([-4, -9], np.float32))
    assert "if first(" in load(model).text


def counting_loop() -> ModelProto:
    body = helper.make_graph(
        [
            node("Add", ["v", "v"], ["w"]),
            node("Less", ["w", "limit"], ["go"]),
            node("Identity", ["w"], ["row"]),
        ],
        "body",
        [info("i", INT64, []), info("c", BOOL, []), info("v", FLOAT, [1])],
        [info("go", BOOL, [1]), info("w", FLOAT, [1]), info("row", FLOAT, [1])],
    )
    loop = node("Loop", ["steps", "go_on", "x"], ["last", "rows"], body=body)
    constants = {"steps": np.array(9), "go_on": np.array(True), "limit": np.array([100], np.float32)}
    return model_of([loop], [info("x", FLOAT, [1])], ["last", "rows"], constants)


def test_loop_that_ends_by_data() -> None:
    agrees(counting_loop(), np.array([3], np.float32))
    agrees(counting_loop(), np.array([300], np.float32))


def test_scan_is_a_fold() -> None:
    body = helper.make_graph(
        [node("Add", ["s", "e"], ["t"]), node("Mul", ["t", "e"], ["o"])],
        "step",
        [info("s", FLOAT, [2]), info("e", FLOAT, [2])],
        [info("t", FLOAT, [2]), info("o", FLOAT, [2])],
    )
    scan = node("Scan", ["zero", "x"], ["total", "all"], body=body, num_scan_inputs=1)
    model = model_of([scan], [info("x", FLOAT, ["n", 2])], ["total", "all"], {"zero": np.zeros(2, np.float32)})
    agrees(model, np.arange(8, dtype=np.float32).reshape(4, 2))
    assert "reduce(" in load(model).text


def test_functions_of_a_model_are_written_in_place() -> None:
    alpha = helper.make_node("LeakyRelu", ["a"], ["b"])
    alpha.attribute.add(name="alpha", ref_attr_name="slope", type=onnx.AttributeProto.FLOAT)
    function = helper.make_function(
        "own", "Twice", ["a"], ["c"], [alpha, node("Add", ["b", "b"], ["c"])], [helper.make_opsetid("", 20)], ["slope"]
    )
    call = helper.make_node("Twice", ["x"], ["y"], domain="own", slope=0.25)
    model = model_of([call], [info("x", FLOAT, ["n"])], ["y"], functions=[function])
    assert load(model)(np.array([-4, 8], np.float32)).tolist() == [-2, 16]


def test_lengths_chosen_by_one_hot_stay_formulas() -> None:
    """As exporters write `repeat_interleave`: how often each axis is repeated is a row with one length in it."""
    nodes = [
        node("Shape", ["p"], ["s"]), node("Gather", ["s", "zero"], ["n"]), node("Concat", ["one", "n"], ["v"], axis=0),
        node("OneHot", ["zero", "two", "v"], ["hot"]), node("Reshape", ["hot", "all"], ["repeats"]),
        node("Tile", ["x", "repeats"], ["t"]), node("MatMul", ["t", "w"], ["y"]),
    ]  # fmt: skip
    known = {"zero": np.array([0]), "one": np.array([1]), "two": np.array(2), "all": np.array([-1])}
    model = model_of(
        nodes, [info("x", FLOAT, [3, 4]), info("p", FLOAT, ["n"])], ["y"], {**known, "w": np.ones((4, 5), np.float32)}
    )
    assert str(load(model).cost().macs) == "60*n"
    agrees(model, np.ones((3, 4), np.float32), np.ones(2, np.float32))


def test_text_is_joined_between_programs() -> None:
    nodes = [
        node("StringConcat", ["a", "b"], ["c"]),
        node("Gather", ["c", "k"], ["d"]),
        node("StringConcat", ["d", "b"], ["e"]),
    ]
    model = model_of(nodes, [info("a", 8, [2]), info("b", 8, [1])], ["e"], {"k": np.array([1])})
    assert load(model)(np.array(["x", "y"]), np.array(["z"])).tolist() == ["yzz"]


def test_large_constants_are_data_and_small_ones_text() -> None:
    model = model_of(
        [node("Add", ["x", "large"], ["y"]), node("Mul", ["y", "small"], ["z"])],
        [info("x", FLOAT, [100])], ["z"], {"large": np.arange(100, dtype=np.float32), "small": np.array(2, np.float32)},
    )  # fmt: skip
    text = load(model).text
    assert "tol large: f32 [100]" in text
    assert "small = convert(2.0, [f32])" in text
    agrees(model, np.ones(100, np.float32))
    places = {"w": np.arange(20, dtype=np.int32)}
    assert (
        "tol w: i32 [20]" in load(model_of([node("Add", ["x", "w"], ["y"])], [info("x", 6, [20])], ["y"], places)).text
    )


def stored(tmp_path: Path, **where: str) -> Path:
    """A model whose weights are said to lie in another file."""
    model = model_of([node("Add", ["x", "w"], ["y"])], [info("x", FLOAT, [2])], ["y"], {"w": np.ones(2, np.float32)})
    tensor = model.graph.initializer[0]
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    for key, value in where.items():
        tensor.external_data.add(key=key, value=value)
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "model.onnx").write_bytes(model.SerializeToString())
    (folder / "weights.bin").write_bytes(np.array([0, 5, 7], np.float32).tobytes())
    (tmp_path / "secret.bin").write_bytes(bytes(8))
    (folder / "link.bin").symlink_to(tmp_path / "secret.bin")
    return folder / "model.onnx"


def test_data_beside_the_model_is_read(tmp_path: Path) -> None:
    path = stored(tmp_path, location="weights.bin", offset="4", length="8")
    assert load(path)(np.zeros(2, np.float32)).tolist() == [5, 7]


@pytest.mark.parametrize(
    "location", ["../secret.bin", "/etc/passwd", "link.bin", "", "missing.bin", "../model/../secret.bin"]
)
def test_data_elsewhere_is_refused(tmp_path: Path, location: str) -> None:
    with pytest.raises(ToLangError, match="E706"):
        load(stored(tmp_path, location=location))


@pytest.mark.parametrize(("offset", "length"), [("8", "8"), ("-4", "8"), ("0", "x"), ("0", "9999999999999999")])
def test_data_beyond_the_file_is_refused(tmp_path: Path, offset: str, length: str) -> None:
    with pytest.raises(ToLangError, match="E702"):
        load(stored(tmp_path, location="weights.bin", offset=offset, length=length))


@pytest.mark.parametrize("content", [b"", b"no model at all", b"\x08\x07\x12", bytes(1000)])
def test_files_that_are_no_models(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "model.onnx"
    path.write_bytes(content)
    with pytest.raises(ToLangError, match="E702"):
        load(path)


@pytest.mark.parametrize(
    ("model", "code"),
    [
        (model_of([node("NoSuchOperator", ["x"], ["y"])], [info("x", FLOAT, [2])], ["y"]), "E701"),
        (model_of([node("Neg", ["nothing"], ["y"])], [info("x", FLOAT, [2])], ["y"]), "E702"),
        (model_of([node("Neg", ["x"], ["y"])], [info("x", FLOAT, [2])], ["missing"]), "E702"),
        (model_of([node("Relu", ["x"], ["y"], colour=3)], [info("x", FLOAT, [2])], ["y"]), "E703"),
        (model_of([node("Neg", ["x"], ["y"])], [info("x", 77, [2])], ["y"]), "E704"),
    ],
)
def test_models_that_cannot_be_imported(model: ModelProto, code: str) -> None:
    with pytest.raises(ToLangError, match=code):
        load(model).run({"x": np.zeros(2, np.float32)})


def test_tensor_whose_data_does_not_fit_its_lengths() -> None:
    model = model_of([node("Add", ["x", "w"], ["y"])], [info("x", FLOAT, [2])], ["y"], {"w": np.ones(2, np.float32)})
    model.graph.initializer[0].dims[0] = 2**40
    with pytest.raises(ToLangError, match="E702"):
        load(model)(np.zeros(2, np.float32))


@pytest.mark.parametrize("arguments", [(), (np.zeros(2, np.float32),) * 2, (np.zeros((2, 2), np.float32),)])
def test_data_that_does_not_fit(arguments: tuple[Array, ...]) -> None:
    model = model_of([node("Neg", ["x"], ["y"])], [info("x", FLOAT, [2])], ["y"])
    with pytest.raises(ToLangError, match="E705"):
        load(model)(*arguments)


def test_what_is_wrong_on_the_way_to_a_shape_is_told_of_its_node() -> None:
    """Shapes are asked for while importing, of a program without a text; what goes wrong has its place even so."""
    nodes = [
        node("MatMul", ["x", "y"], ["m"], name="unfit"),
        node("Shape", ["m"], ["s"]),
        node("Div", ["s", "two"], ["d"], name="half"),
    ]
    model = model_of(
        nodes, [info("x", FLOAT, ["a", 3]), info("y", FLOAT, [4, "b"])], ["d"], {"two": np.array([2], np.int64)}
    )
    with pytest.raises(ToLangError, match=r"(?s)the node 'unfit'.*m = MatMul\(x, y\)"):
        load(model).run({"x": np.zeros((2, 3), np.float32), "y": np.zeros((4, 5), np.float32)})
