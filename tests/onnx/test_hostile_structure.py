"""Models whose structure is hostile, broken or out of the ordinary: each is an error that tells the node, and soon.

What a node of each operator may have is what onnx's own schemas say.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper
from tests.onnx.hostile import X, function, in_time, of, own, refused, with_opsets
from tests.onnx.test_import import BOOL, FLOAT, INT64, Array, info, model_of, node

from tolang.ground.reporting.diagnostics import ToLangError
from tolang.ground.system.gc_pause import collector_paused
from tolang.onnx import backend, load
from tolang.onnx.importer import MOST_REPEATED
from tolang.onnx.soundness import DEEPEST, MOST_NODES


def calling(levels: int, times: int) -> ModelProto:
    """Functions that call the one before, so many times each."""
    made = [function("f0", [node("Neg", ["a"], ["b"])])]
    for level in range(1, levels):
        names = ["a", *(f"c{k}" for k in range(1, times)), "b"]
        calls = [own(f"f{level - 1}", [names[k]], [names[k + 1]]) for k in range(times)]
        made.append(function(f"f{level}", calls))
    return of([own(f"f{levels - 1}", ["x"], ["y"])], made)


def test_functions_that_call_each_other_twice() -> None:
    assert load(calling(8, 2))(X).tolist() == X.tolist()
    error = refused(calling(30, 2))
    assert error.code == "E703"
    assert str(MOST_NODES) in str(error)
    assert refused(calling(DEEPEST + 10, 2)).code == "E703"


def test_functions_that_call_themselves() -> None:
    alone = of([own("f", ["x"], ["y"])], [function("f", [own("f", ["a"], ["b"])])])
    both = of(
        [own("f", ["x"], ["y"])], [function("f", [own("g", ["a"], ["b"])]), function("g", [own("f", ["a"], ["b"])])]
    )
    for model, circle in ((alone, "f calls f"), (both, "f calls g calls f")):
        error = refused(model)
        assert error.code == "E702"
        assert circle in str(error)


def test_functions_that_call_on_and_on() -> None:
    assert load(calling(DEEPEST - 5, 1))(X).tolist() == (X if DEEPEST % 2 else -X).tolist()
    assert refused(calling(3000, 1)).code == "E703"


def nested_loops(depth: int, steps: int) -> ModelProto:
    """A loop in a loop in a loop that adds a number to itself."""
    body = None
    for k in range(depth):
        again = node("Add", [f"v{k}", f"v{k}"], [f"w{k}"])
        inner = again if body is None else node("Loop", ["steps", "yes", f"v{k}"], [f"w{k}"], body=body)
        body = helper.make_graph(
            [inner, node("Identity", [f"c{k}"], [f"d{k}"])],
            f"b{k}",
            [info(f"i{k}", INT64, []), info(f"c{k}", BOOL, []), info(f"v{k}", FLOAT, [2])],
            [info(f"d{k}", BOOL, []), info(f"w{k}", FLOAT, [2])],
        )
    loop = node("Loop", ["steps", "yes", "x"], ["y"], body=body)
    constants = {"steps": np.array(steps), "yes": np.array(True)}
    return model_of([loop], [info("x", FLOAT, [2])], ["y"], constants)


def test_loops_in_loops() -> None:
    assert load(nested_loops(3, 2))(X).tolist() == (X * 256).tolist()
    assert load(nested_loops(2, 9))(X).tolist() == (X * np.float32(2.0**81)).tolist()
    error = refused(nested_loops(30, 3))
    assert error.code == "E703"
    assert str(MOST_REPEATED) in str(error)


def test_loops_in_loops_of_many_steps_are_folds() -> None:
    """They are imported and counted in time that grows with how deep they nest, not with the steps they would make."""
    with in_time():
        assert load(nested_loops(25, 100), engine="interpret").cost().eops == 2 * 100**25


def test_many_loops_take_time_in_proportion() -> None:
    """Each is asked whether its state keeps its shape, which must not go back to the first of them."""
    nodes, before = [], "x"
    for k in range(60):
        body = helper.make_graph(
            [node("Add", ["v", "v"], ["w"]), node("Identity", ["c"], ["d"])],
            "body",
            [info("i", INT64, []), info("c", BOOL, []), info("v", FLOAT, ["n"])],
            [info("d", BOOL, []), info("w", FLOAT, ["n"])],
        )
        nodes.append(node("Loop", ["steps", "yes", before], [f"v{k}"], body=body))
        before = f"v{k}"
    nodes.append(node("Identity", [before], ["y"]))
    model = of(nodes, steps=np.array(9), yes=np.array(True))
    with in_time():
        _ = load(model).program


def branches(depth: int) -> ModelProto:
    """A choice in a choice, all by data."""
    inner = helper.make_graph([node("Neg", ["x"], ["n"])], "leaf", [], [info("n", FLOAT, ["n"])])
    other = helper.make_graph([node("Relu", ["x"], ["r"])], "other", [], [info("r", FLOAT, ["n"])])
    for k in range(depth):
        choice = node("If", ["p"], [f"o{k}"], then_branch=inner, else_branch=other)
        inner = helper.make_graph([choice], f"g{k}", [], [info(f"o{k}", FLOAT, ["n"])])
    nodes = [node("ReduceSum", ["x"], ["s"], keepdims=0), node("Greater", ["s", "zero"], ["p"])]
    nodes.append(node("If", ["p"], ["y"], then_branch=inner, else_branch=other))
    return of(nodes, zero=np.array(0, np.float32))


def test_choices_in_choices() -> None:
    with in_time():
        assert load(branches(25), engine="interpret")(X).tolist() == [1, -2]


RELU = node("Relu", ["x"], ["y"])


@pytest.mark.parametrize(
    ("nodes", "code"),
    [
        ([node("Relu", ["x"], ["y"]), node("Neg", ["x"], ["y"])], "E702"),
        ([node("Relu", ["x"], ["x"])], "E702"),
        ([node("Split", ["x"], ["y", "y"], num_outputs=2)], "E702"),
        ([node("Relu", ["t"], ["y"]), node("Neg", ["x"], ["t"])], "E702"),
        ([node("Relu", ["u"], ["t"]), node("Neg", ["t"], ["u"]), RELU], "E702"),
        ([node("Relu", [], ["y"])], "E703"),
        ([node("Relu", [""], ["y"])], "E703"),
        ([node("Relu", ["x", "x"], ["y"])], "E703"),
        ([node("Relu", ["x"], ["y", "z"])], "E703"),
        ([node("Relu", ["x"], []), RELU], "E703"),
        ([node("Add", ["x"], ["y"])], "E703"),
        ([node("Concat", ["x", "x"], ["y"])], "E703"),
        ([node("Concat", ["x", "x"], ["y"], axis=0.0)], "E703"),
        ([node("Concat", ["x", "x"], ["y"], axis="0")], "E703"),
        ([node("Concat", ["x", "x"], ["y"], axis=1)], "E703"),
        ([node("Cast", ["x"], ["y"], to=99)], "E704"),
        ([node("Cast", ["x"], ["y"])], "E703"),
        ([node("Constant", [], ["y"])], "E703"),
        ([node("Constant", [], ["y"], value_int=1, value_float=1.0)], "E703"),
        ([node("If", ["x"], ["y"])], "E703"),
        ([node("And", ["x", "x"], ["y"])], "E703"),
        ([node("Shape", ["x"], ["s"]), node("Add", ["x", "s"], ["y"])], "E703"),
        ([node("Transpose", ["x"], ["t"], perm=[0, 0]), RELU], "E000"),
        ([node("Gather", ["x", "x"], ["y"])], "E703"),
        ([node("SequenceLength", ["x"], ["y"])], "E703"),
        ([node("SequenceConstruct", ["x"], ["q"]), node("Relu", ["q"], ["y"])], "E703"),
        ([node("SequenceEmpty", [], ["q"]), node("ConcatFromSequence", ["q"], ["y"], axis=0)], "E703"),
        ([node("Einsum", ["x", "x"], ["y"], equation="a,b,c->a")], "E703"),
        ([node("Einsum", ["x"], ["y"], equation="ab->a")], "E703"),
        ([node("Einsum", ["x"], ["y"], equation="a->aa")], "E703"),
        ([node("Einsum", ["x"], ["y"], equation="a->b")], "E703"),
        ([node("Gelu", ["x"], ["y"], approximate="TANH")], "E703"),
        ([node("ArgMax", ["x"], ["y"], keepdims=2)], "E703"),
        ([node("ArgMax", ["x"], ["y"], axis=1)], "E703"),
        ([node("ArgMax", ["x"], ["y"], axis=-2)], "E703"),
        ([node("ArgMax", ["x"], ["y"], axis=2**62)], "E703"),
        ([node("LayerNormalization", ["x", "x"], ["y"], axis=1)], "E703"),
    ],
)
def test_nodes_that_do_not_fit(nodes: list[NodeProto], code: str) -> None:
    if code == "E000":  # the node is not needed, so that what it has is nobody's affair
        assert load(of(nodes))(X).tolist() == [0, 2]
        return
    error = refused(of(nodes))
    assert error.code == code
    assert nodes[0].op_type in str(error) or nodes[-1].op_type in str(error) or "given twice" in str(error)


IMAGE = np.arange(32, dtype=np.float32).reshape(1, 2, 4, 4)
FILTERS = np.ones((2, 2, 3, 3), np.float32)


@pytest.mark.parametrize(
    ("operator", "attributes"),
    [
        ("Conv", {"group": 0}), ("Conv", {"group": -1}), ("Conv", {"group": 3}), ("Conv", {"strides": [0, 1]}),
        ("Conv", {"strides": [-1, 1]}), ("Conv", {"dilations": [0, 0]}), ("Conv", {"kernel_shape": [0, 0]}),
        ("Conv", {"kernel_shape": [2, 2]}), ("Conv", {"pads": [2**40] * 4}), ("Conv", {"pads": [-9] * 4}),
        ("Conv", {"pads": [1, 1]}), ("Conv", {"auto_pad": "WHAT"}), ("Conv", {"strides": [1]}),
        ("MaxPool", {"kernel_shape": [0, 0]}), ("MaxPool", {"kernel_shape": [2, 2], "strides": [0, 1]}),
        ("MaxPool", {"kernel_shape": [2, 2], "dilations": [0, 1]}), ("MaxPool", {"kernel_shape": [-1, 2]}),
        ("MaxPool", {"kernel_shape": [2**33, 2]}), ("MaxPool", {}), ("MaxPool", {"kernel_shape": [2]}),
        ("AveragePool", {"kernel_shape": [2, 2], "ceil_mode": 7}), ("LpPool", {"kernel_shape": [2, 2], "p": 0}),
        ("Transpose", {"perm": [0, 0, 1, 2]}), ("Transpose", {"perm": [0, 1]}), ("Transpose", {"perm": [0, 1, 2, 4]}),
        ("DepthToSpace", {"blocksize": 0}), ("SpaceToDepth", {"blocksize": 0}), ("SpaceToDepth", {"blocksize": 3}),
        ("LRN", {"size": 0}), ("Flatten", {"axis": 5}), ("Softmax", {"axis": 4}), ("Split", {"num_outputs": 0}),
    ],
)  # fmt: skip
def test_attributes_that_are_impossible(operator: str, attributes: dict[str, Any]) -> None:
    given = ["x", "w"] if operator == "Conv" else ["x"]
    made = helper.make_node(operator, given, ["y"], name="the_node", **attributes)
    error = refused(model_of([made], [info("x", FLOAT, list(IMAGE.shape))], ["y"], {"w": FILTERS}), IMAGE)
    assert error.code == "E703"
    assert f"the node 'the_node' ({operator})" in str(error)


@pytest.mark.parametrize(
    ("operator", "inputs"),
    [
        ("Range", [np.array(0), np.array(5), np.array(0)]),
        ("Range", [np.array(0.0), np.array(5.0), np.array(0.0)]),
        ("Slice", [IMAGE, np.array([0]), np.array([9]), np.array([3]), np.array([0])]),
        ("Slice", [IMAGE, np.array([0, 0]), np.array([9, 9]), np.array([3, 3])]),
        ("Squeeze", [IMAGE, np.array([4])]),
        ("Squeeze", [IMAGE, np.array([1])]),
        ("Squeeze", [IMAGE, np.array([-(2**63)])]),
        ("Unsqueeze", [IMAGE, np.array([0, 0])]),
        ("Reshape", [IMAGE, np.array([-1, -1])]),
        ("Reshape", [IMAGE, np.array([3, 3])]),
        ("Reshape", [IMAGE, np.array([-2, -16])]),
        ("Reshape", [IMAGE, np.array([[32]])]),
        ("Reshape", [IMAGE, np.array([32], np.int32)]),
        ("Expand", [IMAGE, np.array([2**40, 2**40, 1, 1])]),
        ("Tile", [IMAGE, np.array([-1, 1, 1, 1])]),
        ("Pad", [IMAGE, np.array([-9] * 8)]),
        ("Pad", [IMAGE, np.array([1, 1])]),
        ("ConstantOfShape", [np.array([-1])]),
        ("ReduceSum", [IMAGE, np.array([4])]),
        ("ReduceSum", [IMAGE, np.array([0, 0])]),
        ("Resize", [IMAGE, None, np.array([1, 1, 0, 1], np.float32)]),
        ("Resize", [IMAGE, None, np.array([1, 1, np.nan, 1], np.float32)]),
        ("SplitToSequence", [IMAGE, np.array(0)]),
        ("MatMul", [IMAGE, np.ones((3, 3), np.float32)]),
    ],
)
def test_values_that_are_impossible(operator: str, inputs: list[Array | None]) -> None:
    names = ["" if one is None else f"i{k}" for k, one in enumerate(inputs)]
    made = helper.make_node(operator, names, ["y"], name="the_node")
    constants = {name: one for name, one in zip(names, inputs, strict=True) if one is not None}
    error = refused(model_of([made], [info("x", FLOAT, ["n"])], ["y"], constants))
    assert error.code == "E703"
    assert f"the node 'the_node' ({operator})" in str(error)


def test_what_fails_while_running_tells_the_node() -> None:
    made = helper.make_node("Gather", ["x", "i"], ["y"], name="the_node")
    model = model_of([made], [info("x", FLOAT, ["n"]), info("i", INT64, ["m"])], ["y"])
    error = refused(model, X, np.array([0, 7]))
    assert error.code == "E513"
    assert "it is in the node 'the_node' (Gather)" in str(error)


def tensor_model(tensor: TensorProto) -> ModelProto:
    model = model_of([node("Identity", ["t"], ["y"])], [], ["y"])
    tensor.name = "t"
    model.graph.initializer.append(tensor)
    return model


@pytest.mark.parametrize("dims", [[2**40], [2**62, 2**62], [2**32, 2**32, 4], [-1], [-2, -1], [3], [1], [2, 2**63 - 1]])
@pytest.mark.parametrize("element", [TensorProto.FLOAT, TensorProto.INT4, TensorProto.BOOL, TensorProto.STRING])
def test_tensors_that_claim_other_data_than_they_have(dims: list[int], element: TensorProto.DataType) -> None:
    raw = TensorProto(data_type=element, dims=dims, raw_data=bytes(8))
    listed = TensorProto(data_type=element, dims=dims, int32_data=[0, 0], float_data=[0, 0], string_data=[b"", b""])
    for tensor in (raw, listed):
        exact = {TensorProto.FLOAT: 2, TensorProto.INT4: 16, TensorProto.BOOL: 8, TensorProto.STRING: 0}[element]
        if tensor is raw and dims == [exact]:
            continue
        if element == TensorProto.INT4 and dims in ([1], [3]):
            continue  # onnx itself takes what is left over for filling
        assert refused(tensor_model(tensor), X[:0]).code in ("E702", "E705")


def test_truth_values_of_any_byte() -> None:
    tensor = TensorProto(data_type=TensorProto.BOOL, dims=[4], raw_data=bytes([0, 1, 2, 255]))
    model = tensor_model(tensor)
    model.graph.node[0].CopyFrom(node("Cast", ["t"], ["y"], to=TensorProto.INT32))
    for engine in ("interpret", "cpu"):
        assert load(model, engine=engine)().tolist() == [0, 1, 1, 1]


@pytest.mark.parametrize(
    ("dims", "indices", "shape"),
    [([5], [5], [1]), ([5], [-1], [1]), ([2, 2], [0, 2], [1, 2]), ([2, 2], [0], [1, 1]), ([2**40], [0], [1]),
     ([-5], [0], [1]), ([5], [0, 1], [2]), ([2**40, 2**40], [0, 0], [1, 2])],
)  # fmt: skip
def test_sparse_tensors_that_do_not_fit(dims: list[int], indices: list[int], shape: list[int]) -> None:
    model = model_of([node("Identity", ["t"], ["y"])], [], ["y"])
    sparse = model.graph.sparse_initializer.add(dims=dims)
    sparse.values.CopyFrom(numpy_helper.from_array(np.array([3.0], np.float32), "t"))
    sparse.indices.CopyFrom(numpy_helper.from_array(np.array(indices).reshape(shape), "i"))
    with in_time(), pytest.raises(ToLangError, match="E702"):
        load(model)()


def test_inputs_that_are_declared_as_nothing_there_is() -> None:
    for shape in ([-2], [2, -5]):
        assert refused(model_of([RELU], [info("x", FLOAT, shape)], ["y"])).code == "E702"
    assert refused(model_of([RELU], [info("x", FLOAT, [2]), info("x", FLOAT, [2])], ["y"])).code == "E702"
    sparse = onnx.ValueInfoProto(name="x")
    sparse.type.sparse_tensor_type.elem_type = FLOAT
    assert refused(model_of([RELU], [sparse], ["y"])).code == "E704"
    large = model_of([RELU], [info("x", FLOAT, [2**62, 2**62])], ["y"])
    assert refused(large, np.ones((2, 2), np.float32)).code in ("E516", "E703", "E507")


@pytest.mark.parametrize("location", ["a\0b", "x" * 5000, "loop", "..", ".", "sub/../../secret", "\\..\\secret"])
def test_locations_that_are_no_files_of_the_model(tmp_path: Path, location: str) -> None:
    (tmp_path / "secret").write_bytes(bytes(8))
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "loop").symlink_to(folder / "loop")
    tensor = TensorProto(data_type=FLOAT, dims=[2], data_location=TensorProto.EXTERNAL)
    tensor.external_data.add(key="location", value=location)
    (folder / "m.onnx").write_bytes(tensor_model(tensor).SerializeToString())
    with pytest.raises(ToLangError, match="E706"):
        load(folder / "m.onnx")


@pytest.mark.parametrize("place", ["graph", "subgraph", "function"])
def test_data_elsewhere_is_refused_wherever_the_tensor_stands(tmp_path: Path, place: str) -> None:
    tensor = TensorProto(data_type=FLOAT, dims=[2], data_location=TensorProto.EXTERNAL)
    tensor.external_data.add(key="location", value="/etc/passwd")
    constant = node("Constant", [], ["b"], value=tensor)
    inner = helper.make_graph([constant], "inner", [], [info("b", FLOAT, [2])])
    choice = node("If", ["yes"], ["y"], then_branch=inner, else_branch=inner)
    model = {
        "graph": lambda: of([node("Constant", [], ["y"], value=tensor)]),
        "subgraph": lambda: of([choice], yes=np.array(True)),
        "function": lambda: of([own("f", ["x"], ["y"])], [function("f", [constant])]),
    }[place]()
    (tmp_path / "m.onnx").write_bytes(model.SerializeToString())
    with pytest.raises(ToLangError, match="E706"):
        load(tmp_path / "m.onnx")(X)
    assert refused(model).code == "E706"


def test_data_of_another_length_than_asked_for_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "large.bin").open("wb") as file:
        file.truncate(1 << 40)  # a sparse file: reading it would take hours
    tensor = TensorProto(data_type=TensorProto.BOOL, dims=[2], data_location=TensorProto.EXTERNAL)
    for key, value in (("location", "large.bin"), ("length", str(1 << 40))):
        tensor.external_data.add(key=key, value=value)
    (tmp_path / "m.onnx").write_bytes(tensor_model(tensor).SerializeToString())
    with in_time(), pytest.raises(ToLangError, match="E702"):
        load(tmp_path / "m.onnx")


def test_paths_and_things_that_are_no_model(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing.onnx", "a\0b.onnx"):
        with pytest.raises(ToLangError, match="E702"):
            load(path)
    for thing in (b"bytes", 3, None, of([RELU]).graph):
        with pytest.raises(ToLangError, match="E705"):
            load(thing)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "data",
    [np.ma.masked_array([1, 2], [True, False]), [[1], [2, 3]], np.array([1, None], object), np.array(["a"], "M8[s]"[:0] or "U1"),
     np.array(["2020-01-01"], "M8[D]"), object(), np.array([1, 2], np.longdouble), {"a": 1}, "text"],
)  # fmt: skip
def test_data_that_is_no_tensor(data: Any) -> None:
    model = load(of([RELU]))
    open_rank = load(model_of([RELU], [helper.make_tensor_value_info("x", FLOAT, None)], ["y"]))
    for one in (model, open_rank):
        with pytest.raises(ToLangError):
            one(data)


def test_wrong_calls_of_the_backend() -> None:
    relu = helper.make_node("Relu", ["x"], ["y"])
    for wrong in (lambda: backend.run_node(relu, []), lambda: backend.run_node(relu, [X, X]),
                  lambda: backend.run_node(own("Relu", ["x"], ["y"]), [X]), lambda: backend.prepare(of([RELU]), "TPU"),
                  lambda: backend.run_node(relu, [X], opset_version=-3)):  # fmt: skip
        with pytest.raises(ToLangError):
            wrong()
    scaler = helper.make_node("Scaler", ["x"], ["y"], domain="ai.onnx.ml", offset=[1.0], scale=[2.0])
    assert backend.run_node(scaler, [X[None]])[0].tolist() == [[-4, 2]]


@pytest.mark.parametrize("operator", ["StringSplit", "StringConcat", "RegexFullMatch"])
@pytest.mark.parametrize("element", [FLOAT, BOOL, TensorProto.COMPLEX64])
def test_operators_on_text_take_what_is_declared(operator: str, element: int) -> None:
    """Declared as numbers it is a node that does not fit, declared as text it is numbers that do not fit the text."""
    pattern = {"pattern": "a"} if operator == "RegexFullMatch" else {}
    outputs = ["y", "z"] if operator == "StringSplit" else ["y"]
    made = node(operator, ["x", "x"] if operator == "StringConcat" else ["x"], outputs, **pattern)
    numbers = np.ones(2, helper.tensor_dtype_to_np_dtype(element))
    assert refused(model_of([made], [info("x", element, [2])], ["y"]), numbers).code == "E703"
    text = model_of([made], [info("x", TensorProto.STRING, [2])], ["y"])
    assert refused(text, numbers).code in ("E501", "E502")


def test_an_operator_after_names_takes_tensors() -> None:
    """No sequence, as ZipMap gives."""
    zipped = own("ZipMap", ["x"], ["z"], "ai.onnx.ml", classlabels_int64s=[1, 2])
    model = model_of([zipped, node("RegexFullMatch", ["z"], ["y"], pattern="a")], [info("x", FLOAT, [1, 2])], ["y"])
    error = refused(with_opsets(model, ("", 20), ("ai.onnx.ml", 3)), X[None])
    assert error.code == "E703"
    assert "takes tensors, no sequence" in str(error)


def test_labels_are_of_numbers_as_declared() -> None:
    encoder = own("LabelEncoder", ["x"], ["y"], "ai.onnx.ml", keys_floats=[0.5, 2.0], values_int64s=[7, 9])
    model = with_opsets(of([encoder]), ("", 20), ("ai.onnx.ml", 2))
    for data in ([0.5, 2.0], np.array([0.5, 2.0]), np.array([0.5, 2.0], np.float16)):
        assert load(model)(data).tolist() == [7, 9]


def test_patterns_take_time_in_proportion_to_the_text() -> None:
    text = np.array(["a" * 3000, "aaab"], object)
    for pattern in ("(a+)+b", "(a|a)*b", "(a*)*b", "(.*)(.*)(.*)(.*)b"):
        made = node("RegexFullMatch", ["x"], ["y"], pattern=pattern)
        with in_time():
            assert load(model_of([made], [info("x", 8, [2])], ["y"]))(text).tolist() == [False, True]
    for pattern in ("(a)\\1", "(?=a)b", "(", "a{99999}{99999}"):
        made = node("RegexFullMatch", ["x"], ["y"], pattern=pattern)
        assert refused(model_of([made], [info("x", 8, [2])], ["y"]), text).code == "E703"


@pytest.mark.parametrize("kind", ["chain", "wide", "shapes"])
def test_many_nodes_take_time_in_proportion(kind: str) -> None:
    """Four times as many nodes take about four times as long, and not sixteen times.

    The first model is there to warm up; it is another one, as a program that was seen before is not checked again.
    """
    times = []
    for count in (100, 300, 1200):
        nodes: list[NodeProto] = []
        for k in range(count):
            before = f"v{k - 1}" if k and kind != "wide" else "x"
            if kind == "shapes":
                shape = node("Shape", [before], [f"s{k}"])
                nodes += [shape, node("Reshape", [before, f"s{k}"], [f"v{k}"])]
            else:
                nodes.append(node("Relu", [before], [f"v{k}"]))
        outputs = [f"v{k}" for k in range(count)] if kind == "wide" else [f"v{count - 1}"]
        model = model_of(nodes, [info("x", FLOAT, ["n"])], outputs)
        with collector_paused():  # what other tests have left is not gone through meanwhile
            begun = time.thread_time()
            _ = load(model, engine="interpret").program
            times.append(time.thread_time() - begun)
    assert times[2] < 9 * max(times[1], 0.05)


@pytest.mark.parametrize("rank", [31, 33, 50, 70])
def test_tensors_of_many_dimensions(rank: int) -> None:
    """A ToL has at most 32."""
    nodes = [
        node("Reshape", ["x", "many"], ["t"]),
        node("Add", ["t", "t"], ["u"]),
        node("Reshape", ["u", "flat"], ["y"]),
    ]
    constants = {"many": np.array([1] * (rank - 1) + [2]), "flat": np.array([2])}
    model = model_of(nodes, [info("x", FLOAT, [2])], ["y"], constants)
    if rank > 32:
        assert refused(model).code == "E703"
    else:
        assert load(model, engine="interpret")(X).tolist() == [-2, 4]


def _cast_branch(to: int) -> onnx.GraphProto:
    return helper.make_graph(
        [node("Cast", ["x"], ["o"], to=to)], "branch", [], [helper.make_empty_tensor_value_info("o")]
    )


def _cast_loop(to: int) -> NodeProto:
    nodes = [node("Cast", ["v"], ["w"], to=to), node("Identity", ["c"], ["go"])]
    inputs = [info("i", INT64, []), info("c", BOOL, []), info("v", FLOAT, [2])]
    return node(
        "Loop",
        ["many", "", "x"],
        ["y"],
        body=helper.make_graph(nodes, "body", inputs, [info("go", BOOL, []), info("w", to, [2])]),
    )


def test_ill_typed_models() -> None:
    """What is declared, what branches give and what a step of a loop gives is of one type each."""
    outputs = model_of([node("Relu", ["x"], ["y"])], [info("x", FLOAT, [2])], ["y"])
    outputs.graph.output[0].CopyFrom(info("y", INT64, [2]))
    between = model_of([node("Relu", ["x"], ["a"]), node("Neg", ["a"], ["y"])], [info("x", FLOAT, [2])], ["y"])
    between.graph.value_info.append(info("a", INT64, [2]))
    weights = model_of(
        [node("Add", ["x", "w"], ["y"])], [info("x", FLOAT, [2]), info("w", INT64, [2])], ["y"], {"w": X}
    )
    branches = [node("ReduceSum", ["x"], ["s"], keepdims=0), node("Cast", ["s"], ["c"], to=BOOL)]
    branches.append(node("If", ["c"], ["y"], then_branch=_cast_branch(FLOAT), else_branch=_cast_branch(INT64)))
    choice = model_of(branches, [info("x", FLOAT, [2])], ["y"])
    for model in (outputs, between, weights, choice):
        assert refused(model).code == "E703"
    for steps in (2, 12):
        loop = model_of([_cast_loop(INT64)], [info("x", FLOAT, [2])], ["y"], {"many": np.array(steps)})
        error = refused(loop)
        assert error.code == "E703"
        assert "a state of another type" in str(error)
        same = model_of([_cast_loop(FLOAT)], [info("x", FLOAT, [2])], ["y"], {"many": np.array(steps)})
        assert load(same, engine="interpret")(X).tolist() == X.tolist()
