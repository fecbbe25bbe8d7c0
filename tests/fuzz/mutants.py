"""Models to begin with, and models mutated from them: byte by byte, and message by message."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import onnx
from google.protobuf.message import DecodeError, Message
from onnx import ModelProto, TensorProto, helper, numpy_helper
from tests.onnx.cases import cases
from tests.onnx.test_files import in_all_places
from tests.onnx.test_import import BOOL, FLOAT, INT64, attention, counting_loop, info, model_of, node

NUMBERS = (0, 1, -1, 2, 3, 5, 7, 64, 255, 2**31 - 1, 2**31, -(2**31), 2**32, 2**40, 2**61, 2**62, 2**63 - 1, -(2**63))
FLOATS = (0.0, -0.0, 1.0, -1.0, 0.5, 1e-30, 1e30, 3.4e38, float("inf"), float("-inf"), float("nan"))
TEXTS = ("", "x", "y", "0", "if", "map", "s", "k", "a b", "a\nb", "'", "]", "\x00", "é", "Relu", "Constant", "Identity",
         "ai.onnx", "ai.onnx.ml", "ai.onnx.preview.training", "com.microsoft", "own", "../../etc/passwd", "/dev/zero",
         "n" * 5000)  # fmt: skip
CONTENTS = (b"", b"\x00", b"\xff\xfe", b"NOTSET", b"linear", b"none", b"ij,jk->ik", b"\x00" * 64)
LARGEST = 200_000
"""Bytes of a message to begin with."""


@dataclass(frozen=True, slots=True)
class Start:
    """A model to begin with, and data for it."""

    name: str
    model: ModelProto
    inputs: list[Any]


def _functions(levels: int) -> ModelProto:
    """Functions that call each other twice."""
    opsets = [helper.make_opsetid("", 20), helper.make_opsetid("own", 1)]
    made = [helper.make_function("own", "f0", ["a"], ["b"], [node("Relu", ["a"], ["b"])], opsets)]
    for k in range(1, levels):
        calls = [helper.make_node(f"f{k - 1}", [one], [two], domain="own") for one, two in ("ab", "bc")]
        made.append(helper.make_function("own", f"f{k}", ["a"], ["c"], calls, opsets))
    call = helper.make_node(f"f{levels - 1}", ["x"], ["y"], domain="own")
    return model_of([call], [info("x", FLOAT, ["n"])], ["y"], functions=made)


def _choice() -> ModelProto:
    """A function with an attribute and a branch that data decides."""
    branches = {}
    for name, operator in (("then_branch", "Neg"), ("else_branch", "Exp")):
        branches[name] = helper.make_graph(
            [node(operator, ["a"], [operator])], name, [], [info(operator, FLOAT, ["n"])]
        )
    leaky = helper.make_node("LeakyRelu", ["c"], ["d"])
    leaky.attribute.add(name="alpha", ref_attr_name="slope", type=onnx.AttributeProto.FLOAT)
    inner = [
        node("ReduceSum", ["a"], ["t"], keepdims=0),
        node("Greater", ["t", "z"], ["p"]),
        node("If", ["p"], ["c"], **branches),
        leaky,
    ]
    opsets = [helper.make_opsetid("", 20)]
    function = helper.make_function("own", "Chosen", ["a", "z"], ["d"], inner, opsets, ["slope"])
    call = helper.make_node("Chosen", ["x", "zero"], ["y"], domain="own", slope=0.25)
    zero = {"zero": np.array(0, np.float32)}
    return model_of([call], [info("x", FLOAT, ["n"])], ["y"], zero, functions=[function])


def _text() -> ModelProto:
    """Text between programs, a cast of numbers to text, and a table."""
    nodes = [
        node("StringConcat", ["a", "b"], ["c"]),
        node("Gather", ["c", "k"], ["d"]),
        node("Relu", ["x"], ["r"]),
        node("Cast", ["r"], ["t"], to=TensorProto.STRING),
        node("StringConcat", ["d", "t"], ["e"]),
    ]
    given = [info("a", 8, [2]), info("b", 8, [1]), info("x", FLOAT, [1])]
    return model_of(nodes, given, ["e", "r"], {"k": np.array([1])})


def _layers() -> ModelProto:
    """Layers with weights that are large enough to be left in a file, sparse ones, and shapes that are reckoned."""
    random_numbers = np.random.default_rng(0)
    constants = {
        "w": random_numbers.normal(size=(4, 2, 3, 3)).astype(np.float32),
        "m": random_numbers.normal(size=(4, 6)).astype(np.float32),
        "shape": np.array([-1, 4]),
        "where": np.array([0, 2, 1, 0]),
        "axes": np.array([1]),
    }
    nodes = [
        node("Conv", ["x", "w"], ["c"], pads=[1, 1, 1, 1], strides=[2, 2], name="conv"),
        node("MaxPool", ["c"], ["p"], kernel_shape=[2, 2], name="pool"),
        node("Reshape", ["p", "shape"], ["f"]),
        node("MatMul", ["f", "m"], ["g"]),
        node("Add", ["g", "sparse"], ["h"]),
        node("Gather", ["h", "where"], ["i"], axis=1),
        node("Softmax", ["i"], ["j"], axis=-1),
        node("ReduceMean", ["j", "axes"], ["y"]),
    ]
    model = model_of(nodes, [info("x", FLOAT, ["batch", 2, 4, 4])], ["y"], constants)
    sparse = model.graph.sparse_initializer.add(dims=[6])
    sparse.values.CopyFrom(numpy_helper.from_array(np.array([2.0, 3.0], np.float32), "sparse"))
    sparse.indices.CopyFrom(numpy_helper.from_array(np.array([1, 4]), "places"))
    return model


def _nested_loops() -> ModelProto:
    """A loop in a loop, and a sequence that grows."""
    inner = helper.make_graph(
        [node("Add", ["w", "w"], ["u"]), node("Identity", ["d"], ["e"])],
        "inner",
        [info("j", INT64, []), info("d", BOOL, []), info("w", FLOAT, [2])],
        [info("e", BOOL, []), info("u", FLOAT, [2])],
    )
    outer = helper.make_graph(
        [
            node("Loop", ["two", "c", "v"], ["t"], body=inner),
            node("SequenceConstruct", ["t", "v"], ["seq"]),
            node("ConcatFromSequence", ["seq"], ["row"], axis=0),
            node("Identity", ["c"], ["go"]),
        ],
        "outer",
        [info("i", INT64, []), info("c", BOOL, []), info("v", FLOAT, [2])],
        [info("go", BOOL, []), info("t", FLOAT, [2]), info("row", FLOAT, [4])],
    )
    loop = node("Loop", ["three", "yes", "x"], ["last", "rows"], body=outer)
    constants = {"three": np.array(3), "two": np.array(2), "yes": np.array(True)}
    return model_of([loop], [info("x", FLOAT, [2])], ["last", "rows"], constants)


def _own() -> Iterator[Start]:
    numbers = np.random.default_rng(1)
    vector, text = numbers.normal(size=3).astype(np.float32), np.array(["x", "y"], object)
    yield Start("functions", _functions(4), [vector])
    yield Start("choice", _choice(), [vector])
    yield Start("text", _text(), [text, text[:1], vector[:1]])
    yield Start("layers", _layers(), [numbers.normal(size=(1, 2, 4, 4)).astype(np.float32)])
    yield Start("loops", _nested_loops(), [vector[:2]])
    yield Start("loop", counting_loop(), [vector[:1]])
    yield Start("attention", attention(), [numbers.normal(size=(2, 3, 8)).astype(np.float32)])
    yield Start("everywhere", in_all_places(), [numbers.normal(size=40).astype(np.float32)])


@cache
def starts() -> tuple[Start, ...]:
    """Models to begin with: some of our own, and those of the official tests that are small."""
    found = list(_own())
    for kind in ("node", "simple"):
        for name, case in sorted(cases(kind).items()):
            if case.data_sets and case.model.ByteSize() < LARGEST:
                found.append(Start(name, case.model, case.data_sets[0][0]))
    return tuple(found)


def mutated(start: Start, other: Start, generator: random.Random) -> bytes:
    """The bytes of a model that one or several changes made of another; some are no model any more."""
    if generator.random() < 0.15:
        return _of_bytes(start.model.SerializeToString(), generator)
    model = ModelProto()
    model.CopyFrom(start.model)
    change = _change if generator.random() < 0.4 else _vary
    for _ in range(generator.choice((1, 1, 1, 2, 3, 5))):
        change(model, other.model, generator)
    content: bytes = model.SerializeToString()
    return content


def _of_bytes(content: bytes, generator: random.Random) -> bytes:
    """Bytes with a few changed, dropped, doubled, or all from some place on left out."""
    found = bytearray(content)
    for _ in range(generator.choice((1, 1, 2, 4))):
        place = generator.randrange(len(found) + 1)
        match generator.randrange(5):
            case 0:
                found[place : place + 1] = bytes([generator.randrange(256)])
            case 1:
                del found[place : place + generator.choice((1, 1, 2, 9))]
            case 2:
                found[place:place] = found[place : place + generator.choice((1, 2, 9, 40))]
            case 3:
                found[place:place] = generator.randbytes(generator.choice((1, 2, 8)))
            case 4:
                del found[place:]
    return bytes(found)


def messages(whole: Message) -> list[Message]:
    """A message and all in it."""
    found, waiting = [], [whole]
    while waiting:
        one = waiting.pop()
        found.append(one)
        for field, value in one.ListFields():
            if field.message_type is not None:
                waiting.extend(value if field.is_repeated else [value])
    return found


def _change(model: ModelProto, other: ModelProto, generator: random.Random) -> None:
    """One change of one field of one message, or of messages among their like."""
    message = generator.choice(messages(model))
    fields = [field for field in message.DESCRIPTOR.fields if field.name not in ("doc_string", "metadata_props")]
    given = [field for field, _ in message.ListFields() if field in fields]
    field = generator.choice(given if given and generator.random() < 0.85 else fields)
    if generator.random() < 0.12:
        message.ClearField(field.name)
    elif field.message_type is not None:
        _change_messages(message, field, model if generator.random() < 0.6 else other, generator)
    elif field.is_repeated:
        _change_list(getattr(message, field.name), field, model, generator)
    else:
        _assign(message, field, model, generator)


def _vary(model: ModelProto, other: ModelProto, generator: random.Random) -> None:
    """One change that leaves a model sound more often than not: of a value, an operator, a type or a name in use."""
    found = messages(model)
    match generator.randrange(6):
        case 0 | 1:
            _vary_attribute(
                generator.choice([one for one in found if isinstance(one, onnx.AttributeProto)] or [None]), generator
            )
        case 2:
            _vary_tensor(generator.choice([one for one in found if isinstance(one, TensorProto)] or [None]), generator)
        case 3:
            nodes = [one for one in found if isinstance(one, onnx.NodeProto)]
            foreign = [one for one in messages(other) if isinstance(one, onnx.NodeProto)]
            if nodes and foreign:
                one, two = generator.choice(nodes), generator.choice(foreign)
                one.op_type, one.domain = two.op_type, two.domain
                if generator.random() < 0.7:
                    del one.attribute[:]
                    one.attribute.extend(two.attribute)
        case 4:
            nodes = [one for one in found if isinstance(one, onnx.NodeProto) and one.input]
            if nodes:
                one = generator.choice(nodes)
                names = [name for other in nodes for name in (*other.input, *other.output)]
                one.input[generator.randrange(len(one.input))] = generator.choice(names)
        case 5:
            dimensions = [one for one in found if isinstance(one, onnx.TensorShapeProto.Dimension)]
            kinds = [one for one in found if isinstance(one, onnx.TypeProto.Tensor)]
            if dimensions and generator.random() < 0.6:
                generator.choice(dimensions).dim_value = generator.choice((0, 1, 2, 3, 4, 7))
            elif kinds:
                generator.choice(kinds).elem_type = generator.choice((1, 1, 6, 7, 9, 10, 11, 2, 3, 16, 8, 14))


SMALL = (0, 0, 1, 1, 2, 3, 4, -1, -2, -3, 5, 9, 100, 2**20, 2**31, 2**40, 2**62, -(2**63))


def _vary_attribute(one: onnx.AttributeProto | None, generator: random.Random) -> None:
    """Another value of an attribute, of the same type."""
    if one is None:
        return
    if one.type == onnx.AttributeProto.INT:
        one.i = generator.choice(SMALL)
    elif one.type == onnx.AttributeProto.INTS and one.ints:
        one.ints[generator.randrange(len(one.ints))] = generator.choice(SMALL)
        if generator.random() < 0.2:
            one.ints.append(generator.choice(SMALL))
    elif one.type == onnx.AttributeProto.FLOAT:
        one.f = generator.choice(FLOATS)
    elif one.type == onnx.AttributeProto.FLOATS and one.floats:
        one.floats[generator.randrange(len(one.floats))] = generator.choice(FLOATS)
    elif one.type == onnx.AttributeProto.STRING:
        one.s = generator.choice(
            (*CONTENTS, b"SAME_UPPER", b"VALID", b"constant", b"reflect", b"bidirectional", b"sum")
        )


def _vary_tensor(one: TensorProto | None, generator: random.Random) -> None:
    """Other elements of a tensor, or another shape of them."""
    if one is None or one.data_location == TensorProto.EXTERNAL:
        return
    name, array = one.name, numpy_helper.to_array(one)
    if generator.random() < 0.3:
        shape = generator.choice(((-1,), (1, -1), (-1, 1), (*array.shape[::-1],), (*array.shape, 1)))
        array = array.reshape(shape)
    elif generator.random() < 0.15:
        array = array.reshape(-1)[: generator.randrange(3)]
    elif array.size and array.dtype.kind in "iuf":
        array = array.copy()
        value = generator.choice(SMALL if array.dtype.kind in "iu" else FLOATS)
        with np.errstate(all="ignore"):
            array.reshape(-1)[generator.randrange(array.size)] = np.array(value).astype(array.dtype)
    one.CopyFrom(numpy_helper.from_array(array, name))


def _change_messages(message: Message, field: Any, source: ModelProto, generator: random.Random) -> None:
    """Drops, doubles, exchanges or takes over messages."""
    alike = [one for one in messages(source) if one.DESCRIPTOR is field.message_type]
    foreign = generator.choice(alike) if alike else None
    copy = type(foreign).FromString(foreign.SerializePartialToString()) if foreign is not None else None
    if not field.is_repeated:
        if copy is not None and copy.ByteSize() < LARGEST:
            getattr(message, field.name).CopyFrom(copy)
        return
    held = getattr(message, field.name)
    match generator.randrange(5):
        case 0 if held:
            del held[generator.randrange(len(held))]
        case 1 if held:
            held.add().CopyFrom(generator.choice(held))
        case 2 if len(held) > 1:
            one, two = (type(held[k])() for k in (0, 0))
            place, second = (generator.randrange(len(held)) for _ in range(2))
            one.CopyFrom(held[place])
            two.CopyFrom(held[second])
            held[place].CopyFrom(two)
            held[second].CopyFrom(one)
        case 3 if held and copy is not None:
            held[generator.randrange(len(held))].CopyFrom(copy)
        case _:
            if copy is not None and copy.ByteSize() < LARGEST:
                held.add().CopyFrom(copy)


def _change_list(held: Any, field: Any, model: ModelProto, generator: random.Random) -> None:
    """Changes, drops, doubles or exchanges numbers or texts of a list."""
    match generator.randrange(5):
        case 0 if held:
            del held[generator.randrange(len(held))]
        case 1 if held:
            held.append(generator.choice(held))
        case 2:
            held.append(_value(field, model, generator))
        case 3 if len(held) > 1:
            place, second = (generator.randrange(len(held)) for _ in range(2))
            held[place], held[second] = held[second], held[place]
        case _:
            if held:
                held[generator.randrange(len(held))] = _value(field, model, generator)


def _assign(message: Message, field: Any, model: ModelProto, generator: random.Random) -> None:
    value = _value(field, model, generator)
    if field.name in ("i", "dim_value", "version") and generator.random() < 0.4:
        value = getattr(message, field.name) + generator.choice((-1, 1))
        value = min(max(value, -(2**63)), 2**63 - 1)
    if field.name == "raw_data" and generator.random() < 0.8:
        value = _of_bytes(getattr(message, field.name), generator)
    setattr(message, field.name, value)


def _value(field: Any, model: ModelProto, generator: random.Random) -> Any:
    """Some value that a field can hold, an edge or one that the model has elsewhere."""
    if field.enum_type is not None:
        return generator.choice([one.number for one in field.enum_type.values])
    match field.cpp_type:
        case field.CPPTYPE_STRING if field.type == field.TYPE_BYTES:
            return generator.choice(CONTENTS)
        case field.CPPTYPE_STRING:
            return generator.choice(TEXTS if generator.random() < 0.4 else _names(model) or TEXTS)
        case field.CPPTYPE_FLOAT | field.CPPTYPE_DOUBLE:
            return generator.choice(FLOATS)
        case field.CPPTYPE_INT32:
            return generator.choice([one for one in NUMBERS if abs(one) < 2**31] + list(range(30)))
        case field.CPPTYPE_UINT64:
            return generator.choice([one for one in NUMBERS if one >= 0])
    return generator.choice(NUMBERS)


def _names(model: ModelProto) -> list[str]:
    """Names in a model: of values, operators, attributes."""
    found: set[Any] = set()
    for one in messages(model):
        if isinstance(one, onnx.NodeProto):
            found.update((*one.input, *one.output, one.op_type, one.domain))
        elif isinstance(one, onnx.AttributeProto):
            found.add(one.name)
    return sorted(one for one in found if isinstance(one, str))


def parsed(content: bytes) -> ModelProto | None:
    """The model of some bytes, where they are one's."""
    model = ModelProto()
    try:
        model.ParseFromString(content)
    except DecodeError:
        return None
    return model
