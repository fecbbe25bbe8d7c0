"""Models in files: large data stays in its file, odd files are read as onnx reads them, other weights give other results.

The judge of what a file holds is onnx itself, which reads the whole message.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from google.protobuf.message import DecodeError
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import ModelProto, TensorProto, helper, numpy_helper
from tests.onnx.test_import import FLOAT, Array, info, model_of, node

from tolang.engines.cpu.plan import calling
from tolang.faces.given import model_from
from tolang.ground.reporting.diagnostics import ToLangError
from tolang.onnx import imported, load, protos, wire
from tolang.onnx.elements import SPACE_OF_ELEMENT
from tolang.onnx.files import ModelFile

ERROR = 1e-5
"""Sums of a few products in 32 bits, in another order than NumPy's."""
X = np.arange(6, dtype=np.float32).reshape(2, 3)


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own, and data that counts as large from 16 bytes on."""
    monkeypatch.setenv("TOL_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(wire, "LARGE", 16)
    return tmp_path


def saved(model: ModelProto, path: Path) -> Path:
    path.write_bytes(model.SerializeToString())
    return path


def all_tensors(model: ModelProto) -> list[TensorProto]:
    inside = [one.t for function in model.functions for n in function.node for one in n.attribute if one.HasField("t")]
    return [*protos.tensors_of(model.graph), *inside]


def contents(model: ModelProto, read: Callable[[TensorProto], Any]) -> list[tuple[str, bytes]]:
    """The data of every tensor; the name of the error where there is none to read."""
    found = []
    for tensor in all_tensors(model):
        try:
            found.append((tensor.name, np.asarray(read(tensor)).tobytes()))
        except (ToLangError, ValueError, TypeError, KeyError):
            found.append((tensor.name, b"unreadable"))
    return found


def same_as_onnx(path: Path) -> bool:
    """Whether a file is read as onnx reads its message: not at all, or every tensor the same."""
    try:
        expected = ModelProto.FromString(path.read_bytes())
    except DecodeError:
        expected = None
    if expected is None or not expected.HasField("graph") or not expected.opset_import:
        with pytest.raises(ToLangError, match="E702"):
            _ = ModelFile(path).proto
        return True
    found = ModelFile(path)
    return contents(found.proto, protos.to_array) == contents(expected, protos.to_array)


def in_all_places(large: int = 40) -> ModelProto:
    """Tensors as initializers, constants, in a subgraph and in a function."""

    def data(k: int) -> TensorProto:
        return numpy_helper.from_array(np.arange(k, k + large, dtype=np.float32), f"t{k}")

    inner = helper.make_graph(
        [node("Constant", [], ["c"], value=data(1)), node("Add", ["c", "i"], ["r"])],
        "inner", [], [helper.make_empty_tensor_value_info("r")], [data(2)],
    )  # fmt: skip
    inner.initializer[0].name = "i"
    function = helper.make_function(
        "own", "Add3", ["a"], ["b"],
        [node("Constant", [], ["c"], value=data(3)), node("Add", ["a", "c"], ["b"])], [helper.make_opsetid("", 20)],
    )  # fmt: skip
    nodes = [
        node("Constant", [], ["k"], value=data(4)),
        node("If", ["yes"], ["s"], then_branch=inner, else_branch=inner),
        node("Add", ["k", "s"], ["m"]),
        node("Add", ["m", "w"], ["n"]),
        helper.make_node("Add3", ["n"], ["o"], domain="own"),
        node("Add", ["o", "x"], ["y"]),
    ]
    constants = {"w": np.arange(large, dtype=np.float32), "yes": np.array(True)}
    return model_of(nodes, [info("x", FLOAT, [large])], ["y"], constants, functions=[function])


def test_data_stays_in_the_file_wherever_the_tensor_stands(kept: Path) -> None:
    path = saved(in_all_places(), kept / "m.onnx")
    proto = (file := ModelFile(path)).proto
    outside = [one for one in all_tensors(proto) if one.data_location == TensorProto.EXTERNAL]
    assert len(outside) == 7
    assert len(file.files) == 1
    assert contents(proto, protos.to_array) == contents(onnx.load(path), numpy_helper.to_array)
    x = np.ones(40, np.float32)
    expected = 1 + np.sum([np.arange(k, k + 40) for k in (0, 1, 2, 3, 4)], axis=0)
    assert load(path)(x).tolist() == expected.tolist()


@pytest.mark.parametrize("element", sorted(SPACE_OF_ELEMENT))
def test_every_element_type_is_as_onnx_has_it(kept: Path, element: int) -> None:
    random = np.random.default_rng(element)
    if element == TensorProto.STRING:
        tensor = numpy_helper.from_array(np.array([f"text {k}" for k in range(40)], dtype=object), "t")
    else:
        kind = helper.tensor_dtype_to_np_dtype(element)
        tensor = numpy_helper.from_array(random.integers(0, 2, (5, 8)).astype(kind), "t")
    model = model_of([node("Identity", ["t"], ["y"])], [], ["y"])
    model.graph.initializer.append(tensor)
    path = saved(model, kept / "m.onnx")
    file = ModelFile(path)
    found = protos.to_array(file.proto.graph.initializer[0])
    expected = protos.to_array(tensor)
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    assert found.tobytes() == expected.tobytes() or found.tolist() == expected.tolist()
    assert bool(file.files) == (element in wire_types())


def wire_types() -> set[int]:
    """Element types of which raw data is what an array holds: any byte but 0 is a truth value that holds."""
    others = {TensorProto.STRING, TensorProto.UINT4, TensorProto.INT4, TensorProto.FLOAT4E2M1, TensorProto.BOOL}
    return {k for k in SPACE_OF_ELEMENT if k not in others and not SPACE_OF_ELEMENT[k].endswith(("u2", "i2"))}


def test_file_cut_short_anywhere_is_the_error_it_was(kept: Path) -> None:
    whole = in_all_places(8).SerializeToString()
    for length in range(len(whole) + 1):
        path = kept / "m.onnx"
        path.write_bytes(whole[:length])
        assert same_as_onnx(path), length


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_damaged_bytes_are_read_as_onnx_reads_them(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    content = bytearray(in_all_places(8).SerializeToString())
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.mktemp("damaged") / "m.onnx"
    path.write_bytes(content)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wire, "LARGE", 16)
        assert same_as_onnx(path)


def tensor_bytes(*fields: bytes) -> bytes:
    """A model whose one initializer has these fields after its lengths and type."""
    head = b"\x08\x08\x10\x01" + b"\x42\x01t"
    tensor = head + b"".join(fields)
    graph = b"\x2a" + wire.varint(len(tensor)) + tensor
    return b"\x42\x02\x10\x14" + b"\x3a" + wire.varint(len(graph)) + graph


RAW = b"\x4a\x20" + np.arange(8, dtype=np.float32).tobytes()
MORE = b"\x4a\x20" + np.arange(8, 16, dtype=np.float32).tobytes()


@pytest.mark.parametrize(
    "fields",
    [
        (RAW, b"\xa2\x06\x03abc"),  # a field that nobody knows
        (RAW, MORE),  # data twice: the last counts
        (RAW, b"\x08\x02"),  # one length more, which does not fit
        (RAW, b"\x22\x04" + np.float32(3).tobytes()),  # numbers beside raw data
        (RAW, b"\xa3\x06\xa4\x06"),  # a group
        (RAW[:10],),
        (b"\x4a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f",),  # a length beyond everything
    ],
)
def test_unusual_tensors_are_read_as_onnx_reads_them(kept: Path, fields: tuple[bytes, ...]) -> None:
    path = kept / "m.onnx"
    path.write_bytes(tensor_bytes(*fields))
    assert same_as_onnx(path)


def test_attribute_with_two_tensors_is_read_as_onnx_reads_it(kept: Path) -> None:
    tensors = [numpy_helper.from_array(np.arange(k, k + 8.0), "t").SerializeToString() for k in (0, 8)]
    fields = b"".join(b"\x2a" + wire.varint(len(one)) + one for one in tensors)
    attribute = b"\x0a\x05value" + fields + b"\xa0\x01\x04"
    constant = b"\x22\x08Constant\x12\x01y\x2a" + wire.varint(len(attribute)) + attribute
    graph = b"\x0a" + wire.varint(len(constant)) + constant
    path = kept / "m.onnx"
    path.write_bytes(b"\x42\x02\x10\x14\x3a" + wire.varint(len(graph)) + graph)
    assert len(list(protos.tensors_of(onnx.load(path).graph))) == 1
    assert same_as_onnx(path)


def sums(w: Array, shape: Array) -> ModelProto:
    """A large weight that is only computed with, and a shape that importing looks at."""
    nodes = [node("MatMul", ["x", "w"], ["m"]), node("Reshape", ["m", "shape"], ["y"])]
    return model_of(nodes, [info("x", FLOAT, ["n", 3])], ["y"], {"w": w, "shape": shape})


def test_other_weights_give_other_results_with_everything_kept(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shapes = [np.array(one) for one in ([1, 2, 4], [4, 1, 2], [1, 2, 4])]
    weights = [np.random.default_rng(k).standard_normal((3, 4)).astype(np.float32) for k in range(3)]
    for k, (w, shape) in enumerate(zip(weights, shapes, strict=True)):
        found = load(saved(sums(w, shape), kept / f"{k}.onnx"))(X)
        np.testing.assert_allclose(found, (X @ w).reshape(shape), rtol=ERROR)
    monkeypatch.setattr(imported, "imported", never)
    path = saved(sums(weights[1], shapes[2]), kept / "again.onnx")
    np.testing.assert_allclose(load(path)(X), (X @ weights[1]).reshape(shapes[2]), rtol=ERROR)
    with pytest.raises(AssertionError, match="done again"):
        load(saved(sums(weights[1], shapes[1]), kept / "again.onnx"))(X)


def never(*_: Any, **__: Any) -> Any:
    raise AssertionError("done again")


def apart(folder: Path, model: ModelProto) -> Path:
    """A model with all its data in one file beside it."""
    folder.mkdir(exist_ok=True)
    (folder / "data.bin").unlink(missing_ok=True)
    onnx.save_model(
        model, folder / "m.onnx", save_as_external_data=True, location="data.bin", size_threshold=0
    )  # fmt: skip
    return folder / "m.onnx"


def test_data_beside_the_model_stays_in_its_file(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    w = np.random.default_rng(0).standard_normal((3, 4)).astype(np.float32)
    for scale, shape in ((1, [1, 2, 4]), (2, [1, 2, 4]), (1, [2, 1, 4])):
        path = apart(kept / "model", sums(w * scale, np.array(shape)))
        assert [one.path.name for one in load(path).records.files] == ["data.bin"]  # type: ignore[union-attr]
        np.testing.assert_allclose(load(path)(X), (X @ (w * scale)).reshape(shape), rtol=ERROR)
    monkeypatch.setattr(imported, "imported", never)
    path = apart(kept / "model", sums(w * 3, np.array([2, 1, 4])))
    np.testing.assert_allclose(load(path)(X), (X @ (w * 3)).reshape(2, 1, 4), rtol=ERROR)


def test_weights_are_never_copied(kept: Path) -> None:
    """Neither by importing nor by what compiled code is given, at whatever address they lie in the file."""
    model = load(saved(sums(np.ones((3, 4), np.float32), np.array([2, 4])), kept / "m.onnx"))
    program = model.variant({"x": X}).program
    assert program is not None
    assert model.records is not None
    weight = program.weights["w"].columns[0]
    assert np.shares_memory(weight, np.frombuffer(model.records.files[0].content, np.uint8))
    assert calling._readable(weight) is weight


def test_ranks_that_depend_on_lengths_are_remembered(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    squeezed = model_of([node("Squeeze", ["x"], ["y"])], [info("x", FLOAT, ["n", 3])], ["y"])
    path = saved(squeezed, kept / "m.onnx")
    assert load(path)(X).shape == (2, 3)
    monkeypatch.setattr(imported, "imported", never)
    assert load(path)(X).shape == (2, 3)


def test_file_that_is_written_to_is_noticed_and_one_that_is_replaced_does_no_harm(kept: Path) -> None:
    w = np.ones((3, 4), np.float32)
    path = saved(sums(w, np.array([2, 4])), kept / "m.onnx")
    model = load(path)
    expected = model(X).tolist()
    saved(sums(w * 2, np.array([2, 4])), kept / "other.onnx").replace(path)
    assert model(X).tolist() == expected
    model = load(path)
    model(X)
    path.write_bytes(b"")
    with pytest.raises(ToLangError, match="has changed since"):
        model(X)


def test_without_onnx_a_command_says_what_is_missing(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = saved(in_all_places(), kept / "m.onnx")
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ToLangError, match="needs the package onnx"):
        model_from(str(path))


def test_warm_load_needs_no_onnx(tmp_path: Path) -> None:
    """Nothing of a model that was run before is parsed, imported or checked again.

    What Python itself loads as it begins, and NumPy, is not counted: that differs with the packages that are there.
    """
    random = np.random.default_rng(0)
    w = random.standard_normal((300, 400)).astype(np.float32)
    nodes = [node("MatMul", ["x", "w"], ["y"])]
    path = saved(model_of(nodes, [info("x", FLOAT, ["n", 300])], ["y"], {"w": w}), tmp_path / "m.onnx")
    needless = {"onnx", "google.protobuf", "tolang.check", "tolang.lower"}
    program = (
        "import sys, numpy as np\nbefore = set(sys.modules)\nimport tolang.onnx\n"
        f"y = tolang.onnx.load({str(path)!r})(np.ones((2, 300), np.float32))\n"
        f"print(float(y.sum()), *sorted({needless} & (set(sys.modules) - before)))"
    )
    own = {name: text for name, text in os.environ.items() if not name.startswith("TOL_")}
    paths = {"TOL_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": os.pathsep.join(sys.path), "PATH": ""}
    outputs = [
        subprocess.run(
            [sys.executable, "-c", program], env={**own, **paths}, capture_output=True, text=True, check=True
        )
        for _ in range(2)
    ]
    first, second = (one.stdout.split() for one in outputs)
    assert set(first[1:]) == needless
    assert second[1:] == []
    for one in (first, second):
        assert float(one[0]) == pytest.approx(2 * float(w.sum(dtype=np.float64)), rel=1e-3, abs=1e-2)
