"""Attention, quantised arithmetic and further operators of com.microsoft, and the models that onnxruntime saves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper
from tests.onnx.defined import (
    MICROSOFT,
    RANDOM,
    Array,
    assert_as_onnxruntime,
    bytes_of,
    node_model,
    number,
    reals,
    weights_of,
)

import tolang
from tolang.onnx import load

Given = list[Array | None]
Case = tuple[str, Given, list[str], dict[str, Any]]
FIRST, PAST, CACHE = ["y"], ["y", "present"], ["y", "keys", "values"]
HEADS: dict[str, Any] = {"num_heads": 2}


@pytest.fixture(autouse=True)
def the_same_numbers_in_any_order() -> None:
    """What is quantised may lie between two whole numbers, and be rounded to either: data do not depend on the order."""
    RANDOM.bit_generator.state = np.random.default_rng(1).bit_generator.state


def whole(*items: Any) -> Array:
    return np.array(items, np.int32)


def places(*items: Any) -> Array:
    return np.array(items, np.int64)


def short(value: int) -> Array:
    return number(value, np.uint8)


X, W, B = reals(2, 3, 8), reals(8, 24), reals(24)
Q, K, V = reals(2, 3, 8), reals(2, 5, 8), reals(2, 5, 6)
BYTES, SMALL = bytes_of(np.uint8, 2, 3, 8), weights_of(8, 24)
COSINES, SINES = reals(10, 2), reals(10, 2)
IDS, SEGMENTS = RANDOM.integers(0, 7, (2, 3)).astype(np.int32), RANDOM.integers(0, 2, (2, 3)).astype(np.int32)
EMBEDDED: Given = [IDS, SEGMENTS, reals(7, 8), reals(5, 8), reals(2, 8), reals(8), reals(8)]

ATTENTION: list[Case] = [
    ("Attention", [X, W, B], PAST, HEADS),
    ("Attention", [X, W, B, whole(2, 3)], FIRST, HEADS),
    ("Attention", [X, W, B, whole(2, 3, 0, 1)], FIRST, HEADS),
    ("Attention", [X, W, B, whole([0, 0, 0], [1, 0, 1])], FIRST, {**HEADS, "scale": 0.3}),
    ("Attention", [X, W, B, (reals(2, 3, 3) > 0).astype(np.int32)], FIRST, HEADS),
    ("Attention", [X, W, B, None, None, reals(1, 2, 3, 3)], FIRST, {**HEADS, "unidirectional": 1}),
    ("Attention", [X, W, B, None, reals(2, 2, 2, 5, 4)], PAST, {**HEADS, "unidirectional": 1}),
    ("Attention", [X, reals(8, 20), reals(20)], FIRST, {**HEADS, "qkv_hidden_sizes": [8, 8, 4]}),
    ("MultiHeadAttention", [Q, K, V, reals(22)], FIRST, HEADS),
    ("MultiHeadAttention", [Q, K, V, None, whole([1, 1, 0, 1, 1], [1, 0, 1, 0, 0])], ["y", "", "", "scores"], HEADS),
    ("MultiHeadAttention", [Q, K, V, None, None, reals(2, 1, 3, 5)], FIRST, {**HEADS, "scale": 0.4}),
    ("MultiHeadAttention", [Q, Q, Q, None, None, None, reals(2, 2, 4, 4), reals(2, 2, 4, 4)], CACHE, {**HEADS, "unidirectional": 1}),
    ("MultiHeadAttention", [Q, reals(2, 2, 5, 4), reals(2, 2, 5, 4), reals(24)], FIRST, HEADS),
    ("QAttention", [BYTES, SMALL, B, number(0.01), number(0.02), None, short(120), number(3, np.int8), reals(2, 2, 2, 5, 4)], PAST, HEADS),
    (
        "QAttention", [BYTES, SMALL, B, number(0.01), np.abs(reals(24)), whole(2, 3), short(120), np.zeros(24, np.int8)], FIRST,
        {**HEADS, "unidirectional": 1},
    ),
    ("RotaryEmbedding", [Q, places([3, 4, 5], [0, 1, 2]), COSINES, SINES], FIRST, {}),
    ("RotaryEmbedding", [Q, places(2), COSINES, SINES], FIRST, {}),
    ("RotaryEmbedding", [reals(2, 2, 3, 4), places([3, 4, 5], [0, 1, 2]), COSINES, SINES], FIRST, {"interleaved": 1}),
    ("RotaryEmbedding", [reals(2, 3, 16), places([3, 4, 5], [0, 1, 2]), COSINES, SINES], FIRST, {**HEADS, "rotary_embedding_dim": 4}),
    ("EmbedLayerNormalization", [*EMBEDDED, whole([1, 1, 0], [1, 0, 0])], ["y", "counts", "sums"], {}),
    ("EmbedLayerNormalization", [*EMBEDDED, None, whole([2, 1, 0])], ["y", "counts"], {"epsilon": 1e-6}),
    ("EmbedLayerNormalization", [IDS, None, reals(7, 8), reals(5, 8), None, reals(8), reals(8)], ["y", "counts"], {}),
]  # fmt: skip


def grouped(batch: int, steps: int, past: int, total: int, ends: list[int], *more: Array | None) -> Given:
    """Inputs of four heads of queries and two of keys, of 16 elements each, with room for a past in a cache."""
    cache = [reals(batch, 2, past, 16), reals(batch, 2, past, 16)]
    new = [reals(batch, steps, 64), reals(batch, steps, 32), reals(batch, steps, 32)]
    return [*new, *cache, whole(*ends), whole(total), *more]


def packed(given: Given) -> Given:
    """The same with queries, keys and values side by side in one tensor."""
    return [np.concatenate([one for one in given[:3] if one is not None], 2), None, None, *given[3:]]


GROUPS: dict[str, Any] = {"num_heads": 4, "kv_num_heads": 2}
TURNS = [reals(20, 8), reals(20, 8)]
WAYS: list[tuple[Given, dict[str, Any]]] = [
    (grouped(2, 1, 4, 5, [4, 4]), {}),
    (grouped(2, 1, 8, 6, [5, 3]), {"scale": 0.2}),
    (grouped(2, 3, 0, 3, [2, 2]), {"local_window_size": 2}),
    (grouped(1, 3, 4, 7, [6]), {"softcap": 1.5}),
    (packed(grouped(2, 1, 8, 6, [5, 3], *TURNS)), {"do_rotary": 1}),
    (packed(grouped(1, 2, 4, 6, [5], *TURNS)), {"do_rotary": 1, "rotary_interleaved": 1}),
    (grouped(1, 2, 4, 6, [5], *TURNS, places([3, 4])), {"do_rotary": 1}),
    (grouped(1, 2, 4, 6, [5]), {"smooth_softmax": 1, "local_window_size": 3}),
    (grouped(1, 2, 4, 6, [5], None, None, None, reals(1, 1, 2, 6)), {"softcap": 1.5}),
    (grouped(1, 2, 4, 6, [5], None, None, None, None, reals(4)), {"causal": 0}),
]  # fmt: skip
GROUPED: list[Case] = [("GroupQueryAttention", given, CACHE, GROUPS | more) for given, more in WAYS]
GROUPED += [
    ("GroupQueryAttention", grouped(1, 2, 4, 6, [5]), [*CACHE, "scores"], {**GROUPS, "qk_output": 1}),
    ("GroupQueryAttention", grouped(1, 2, 4, 6, [5]), [*CACHE, "scores"], {**GROUPS, "qk_output": 2}),
    ("GroupQueryAttention", [reals(2, 3, 64), reals(2, 3, 32), reals(2, 3, 32), None, None, whole(2, 2), whole(3)], CACHE, GROUPS),
]  # fmt: skip

STEPS: Given = [
    reals(3, 1, 5),
    weights_of(2, 5, 16),
    weights_of(2, 4, 16),
    reals(2, 32),
    None,
    reals(2, 1, 4),
    reals(2, 1, 4),
    None,
]


def stepped(*shape: int) -> Case:
    """A quantised LSTM in both directions, with one scale for each direction or for each gate.

    Of several rows onnxruntime quantises those together that one thread has.
    """
    scales: Given = [0.01 * np.abs(reals(*shape)), np.zeros(shape, np.int8)]
    return (
        "DynamicQuantizeLSTM",
        [*STEPS, *scales, *scales],
        ["y", "h", "c"],
        {"hidden_size": 4, "direction": "bidirectional"},
    )


def experts(width: int, biased: bool, **settings: Any) -> Case:
    """A mixture of four experts, whose first layer has a width."""
    first, second = (reals(4, width), reals(4, 8)) if biased else (None, None)
    given: Given = [reals(2, 3, 8), reals(6, 4), reals(4, width, 8), first, reals(4, 8, 6), second]
    return "MoE", given, FIRST, settings


MIXED: list[Case] = [
    stepped(2), stepped(2, 16), experts(6, True, k=1, activation_type="relu"),
    experts(6, False, k=2, activation_type="gelu", normalize_routing_weights=1), experts(6, True, k=2, activation_type="silu"),
    experts(12, True, k=2, activation_type="swiglu", swiglu_fusion=1, activation_alpha=1.7, activation_beta=1.0, swiglu_limit=0.7),
]  # fmt: skip

PLANE, CUBE = bytes_of(np.uint8, 1, 3, 6, 7), bytes_of(np.uint8, 2, 3, 4)
SCALES: Given = [number(0.1), short(120), number(0.12), short(110)]
LEFT, RIGHT, BIAS = bytes_of(np.uint8, 3, 5), weights_of(5, 4), RANDOM.integers(-1000, 1000, 4).astype(np.int32)
SHARES: Given = [number(0.05), short(120), number(1 / 256), short(0)]
SIGNED: Given = [number(0.05), number(3, np.int8), number(1 / 256), number(-128, np.int8)]


def last(array: Array) -> Array:
    """The channels, which are the second axis, as the last."""
    return np.ascontiguousarray(np.moveaxis(array, 1, -1))


def blocked(depth: int, bits: int, *more: Array | None, width: int = 6) -> Case:
    """A product with a matrix of weights of few binary digits, in blocks of 16."""
    blocks = -(-depth // 16)
    weights = bytes_of(np.uint8, width, blocks, 2 * bits)
    given: Given = [reals(2, 3, depth), weights, np.abs(reals(width * blocks)), *more]
    return "MatMulNBits", given, FIRST, {"K": depth, "N": width, "bits": bits, "block_size": 16}


QUANTISED: list[Case] = [
    (
        "QLinearConcat", [
            number(0.2), short(100), CUBE, number(0.1), short(120), bytes_of(np.uint8, 2, 5, 4), number(0.3), short(3), CUBE,
            number(0.2), short(100),
        ], FIRST, {"axis": 1},
    ),
    ("QLinearSoftmax", [CUBE, *SHARES], FIRST, {"axis": -1, "opset": 13}),
    ("QLinearSoftmax", [CUBE, *SHARES], FIRST, {"axis": 1, "opset": 12}),
    ("QLinearSoftmax", [CUBE.astype(np.int8), *SIGNED], FIRST, {"axis": 1, "opset": 13}),
    ("QLinearAveragePool", [PLANE, *SCALES], FIRST, {"kernel_shape": [2, 2], "pads": [1, 1, 0, 0], "strides": [2, 2]}),
    ("QLinearAveragePool", [last(PLANE), *SCALES], FIRST, {"kernel_shape": [3, 2], "channels_last": 1}),
    ("QLinearGlobalAveragePool", [PLANE, *SCALES], FIRST, {}),
    ("QLinearGlobalAveragePool", [last(PLANE), *SCALES], FIRST, {"channels_last": 1}),
    (
        "QLinearWhere", [
            reals(3, 5) > 0, LEFT, number(0.1), short(10), LEFT[:1], number(0.2), short(20), number(0.25), short(30),
        ], FIRST, {},
    ),
    ("QGemm", [LEFT, number(0.1), short(120), RIGHT, number(0.02), number(3, np.int8), BIAS], FIRST, {"alpha": 0.5}),
    ("QGemm", [LEFT, number(0.1), short(120), RIGHT, number(0.02), number(3, np.int8), BIAS, number(0.3), short(100)], FIRST, {}),
    (
        "QGemm", [
            LEFT.T.copy(), number(0.1), short(120), RIGHT.T.copy(), np.abs(reals(4)), np.zeros(4, np.int8), None, number(3.0), short(100),
        ], FIRST, {"transA": 1, "transB": 1},
    ),
    (
        "QLinearConv", [
            last(PLANE), number(0.1), short(120), weights_of(4, 3, 3, 3), number(0.02), number(0, np.int8), number(0.9), short(100),
            BIAS,
        ], FIRST, {"channels_last": 1, "pads": [1, 1, 1, 1]},
    ),
    ("NhwcMaxPool", [PLANE.astype(np.int8)], FIRST, {"kernel_shape": [2, 3], "pads": [1, 1, 0, 1]}),
    ("QuantizeLinear", [100 * reals(3, 5), number(0.01), number(3, np.uint16)], FIRST, {}),
    ("DequantizeLinear", [bytes_of(np.int16, 3, 5), number(0.01), number(3, np.int16)], FIRST, {}),
    blocked(40, 4),
    blocked(48, 4, bytes_of(np.uint8, 12), None, reals(6)),
    blocked(48, 4, reals(18)),
    blocked(48, 8, bytes_of(np.uint8, 18)),
    blocked(48, 2),
    blocked(32, 4, None, RANDOM.integers(0, 2, 32).astype(np.int32)),
    ("GatherBlockQuantized", [bytes_of(np.uint8, 7, 32), places([1, 5, 2], [0, -4, 6]), np.abs(reals(7, 2))], FIRST, {"bits": 8, "block_size": 16}),
    (
        "GatherBlockQuantized", [bytes_of(np.uint8, 7, 32), places(1, 5), np.abs(reals(7, 4)), bytes_of(np.uint8, 7, 2)], FIRST,
        {"bits": 4, "block_size": 16},
    ),
]  # fmt: skip

FURTHER: list[Case] = [
    ("ExpandDims", [X, whole(-1)], FIRST, {}),
    ("Pad", [X, places(0, 1, 0, 2, 0, 1), number(2.0)], FIRST, {}),
    ("Pad", [X, places(0, 1, 0, 0, 1, 1)], FIRST, {"mode": "reflect"}),
    ("GatherND", [X, places([0, 1], [1, 2])], FIRST, {}),
    ("Trilu", [X, number(1, np.int64)], FIRST, {"upper": 0}),
    ("Range", [number(1.0), number(9.0), number(2.0)], FIRST, {}),
    ("Range", [number(1, np.int32), number(9, np.int32)], FIRST, {}),
    ("TransposeMatMul", [X, reals(2, 3, 5)], FIRST, {"transA": 1, "alpha": 0.5}),
    ("Inverse", [reals(2, 3, 3) + 3 * np.eye(3, dtype=np.float32)], FIRST, {}),
    ("GridSample", [reals(1, 2, 4, 5), reals(1, 3, 3, 2) / 2], FIRST, {"mode": "bicubic"}),
    ("UnfoldTensor", [reals(2, 7, 3)], FIRST, {"dim": 1, "size": 3, "step": 2}),
    ("CDist", [reals(4, 3), reals(5, 3)], FIRST, {"metric": "euclidean"}),
    ("MatMulInteger16", [bytes_of(np.int16, 3, 5), bytes_of(np.int16, 5, 4)], FIRST, {}),
    ("Unique", [np.array([2, 1, 1, 3, 4, 3], np.float32)], ["y", "which", "counts"], {}),
]  # fmt: skip


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("operator", "inputs", "outputs", "attributes"), [*ATTENTION, *GROUPED, *QUANTISED, *FURTHER, *MIXED]
)
def test_as_onnxruntime(operator: str, inputs: Given, outputs: list[str], attributes: dict[str, Any]) -> None:
    assert_as_onnxruntime(node_model(operator, inputs, outputs, MICROSOFT, **attributes), inputs)


@pytest.mark.parametrize(("operator", "inputs", "outputs", "attributes"), [ATTENTION[6], GROUPED[4], QUANTISED[17]])
def test_compiled_as_onnxruntime(operator: str, inputs: Given, outputs: list[str], attributes: dict[str, Any]) -> None:
    assert_as_onnxruntime(node_model(operator, inputs, outputs, MICROSOFT, **attributes), inputs, "cpu")


WORDS = np.array(["red green  blue", "a-b c", "", "one,two;three é"], object)


@pytest.mark.parametrize(
    "settings",
    [
        {"tokenexp": "[a-zA-Z0-9_]+"},
        {"tokenexp": "[a-z]+|[a-z]+-[a-z]", "mark": 1},
        {"tokenexp": "[a-z]{2,}", "mincharnum": 4},
        {"separators": [" ", ",", ";"], "mark": 1},
        {"separators": [" +", "[,;]"], "mincharnum": 3},
        {"separators": [""], "mark": 1},
    ],
    ids=str,
)
def test_tokenizer(settings: dict[str, Any]) -> None:
    """Words that a pattern finds, each as long as it can be, that separators leave, or letters."""
    given = {"mark": 0, "mincharnum": 1, "pad_value": "#", **settings}
    model = node_model("Tokenizer", [WORDS], FIRST, MICROSOFT, **given)
    wanted = onnxruntime.InferenceSession(model.SerializeToString()).run(None, {"x0": WORDS})[0]
    assert np.array_equal(load(model, "interpret")(WORDS), wanted)


def test_heads_in_one_tensor() -> None:
    """Queries, keys and values that lie in one tensor, which onnxruntime has no code for on a processor."""
    parts = [reals(2, 3, 2, 4) for _ in range(3)]
    apart = [one.reshape(2, 3, 8) for one in parts]
    separate = load(node_model("MultiHeadAttention", apart, FIRST, MICROSOFT, num_heads=2), "interpret")
    whole_one, two = np.stack(parts, 3), [apart[0], np.stack(parts[1:], 3)]
    together = load(node_model("MultiHeadAttention", [whole_one], FIRST, MICROSOFT, num_heads=2), "interpret")
    halves = load(node_model("MultiHeadAttention", two, FIRST, MICROSOFT, num_heads=2), "interpret")
    np.testing.assert_array_equal(together(whole_one), separate(*apart))
    np.testing.assert_array_equal(halves(*two), separate(*apart))


def test_a_concatenation_of_parts_that_are_none() -> None:
    inputs = [number(0.2), short(100), CUBE, number(0.1)]
    with pytest.raises(tolang.ToLangError, match=r"E703.*for each part"):
        load(node_model("QLinearConcat", inputs, FIRST, MICROSOFT, axis=1))(*inputs)


def test_a_decoder_is_counted_by_its_lengths() -> None:
    """The length of a cache that follows from shapes stays a formula."""
    nodes = [
        helper.make_node("Shape", ["mask"], ["lengths"]),
        helper.make_node("Gather", ["lengths", "one"], ["length"], axis=0),
        helper.make_node("Cast", ["length"], ["total"], to=TensorProto.INT32),
        helper.make_node(
            "GroupQueryAttention", ["q", "k", "v", "past_k", "past_v", "ends", "total"], ["y", "keys", "values"],
            domain=MICROSOFT, **GROUPS,
        ),
    ]  # fmt: skip
    kinds: list[tuple[str, int, list[int | str]]] = [
        ("q", TensorProto.FLOAT, [1, 1, 64]), ("k", TensorProto.FLOAT, [1, 1, 32]), ("v", TensorProto.FLOAT, [1, 1, 32]),
        ("past_k", TensorProto.FLOAT, [1, 2, "past", 16]), ("past_v", TensorProto.FLOAT, [1, 2, "past", 16]),
        ("ends", TensorProto.INT32, [1]), ("mask", TensorProto.INT64, [1, "total"]),
    ]  # fmt: skip
    infos = [helper.make_tensor_value_info(*one) for one in kinds]
    graph = helper.make_graph(
        nodes, "g", infos, [helper.make_empty_tensor_value_info("y")], [numpy_helper.from_array(places(1), "one")]
    )
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(MICROSOFT, 1)]
    model = load(helper.make_model(graph, opset_imports=opsets, ir_version=9), "interpret")
    shorter, longer = (model.cost(past=length, total=length + 1).macs for length in (10, 20))
    assert longer - shorter == 10 * 4 * 2 * 16


def net(nodes: list[Any], inputs: dict[str, list[int | str]], weights: dict[str, Array]) -> Any:
    """A model of floats that gives `y`."""
    graph = helper.make_graph(
        nodes, "net", [helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in inputs.items()],
        [helper.make_empty_tensor_value_info("y")], [numpy_helper.from_array(one, n) for n, one in weights.items()],
    )  # fmt: skip
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)


def convolutions() -> Any:
    """Two convolutions with a normalisation, a sum and a matrix."""
    node = helper.make_node
    nodes = [
        node("Conv", ["x", "w"], ["a"], pads=[1, 1, 1, 1]), node("BatchNormalization", ["a", "s", "b", "m", "v"], ["c"]),
        node("Relu", ["c"], ["d"]), node("Conv", ["d", "u"], ["e"], pads=[1, 1, 1, 1]), node("Add", ["e", "d"], ["f"]),
        node("Relu", ["f"], ["g"]), node("MaxPool", ["g"], ["h"], kernel_shape=[2, 2], strides=[2, 2]),
        node("GlobalAveragePool", ["h"], ["i"]), node("Flatten", ["i"], ["j"]), node("Gemm", ["j", "k"], ["l"]),
        node("LeakyRelu", ["l"], ["y"]),
    ]  # fmt: skip
    weights = {"w": reals(8, 4, 3, 3), "u": reals(8, 8, 3, 3), "k": reals(8, 5), "v": np.abs(reals(8))}
    return net(nodes, {"x": ["batch", 4, 6, 6]}, weights | {name: reals(8) for name in "sbm"})


def encoder() -> Any:
    """Attention, a skipped normalisation and a layer with Gelu."""
    node = helper.make_node
    nodes = []
    for one, order in (("q", [0, 2, 1, 3]), ("k", [0, 2, 3, 1]), ("v", [0, 2, 1, 3])):
        nodes += [
            node("MatMul", ["x", f"w{one}"], [f"{one}0"]), node("Add", [f"b{one}", f"{one}0"], [f"{one}1"]),
            node("Reshape", [f"{one}1", "split"], [f"{one}2"]), node("Transpose", [f"{one}2"], [one], perm=order),
        ]  # fmt: skip
    nodes += [
        node("MatMul", ["q", "k"], ["s0"]), node("Div", ["s0", "two"], ["s1"]), node("Softmax", ["s1"], ["p"], axis=-1),
        node("MatMul", ["p", "v"], ["o0"]), node("Transpose", ["o0"], ["o1"], perm=[0, 2, 1, 3]),
        node("Reshape", ["o1", "joined"], ["o2"]), node("MatMul", ["o2", "wo"], ["o3"]), node("Add", ["bo", "o3"], ["o4"]),
        node("Add", ["o4", "x"], ["r"]), node("LayerNormalization", ["r", "bq", "bk"], ["l"], axis=-1),
        node("MatMul", ["l", "w1"], ["f0"]), node("Add", ["f0", "b1"], ["f1"]), node("Div", ["f1", "root"], ["e0"]),
        node("Erf", ["e0"], ["e1"]), node("Add", ["e1", "one"], ["e2"]), node("Mul", ["f1", "e2"], ["e3"]),
        node("Mul", ["e3", "half"], ["e4"]), node("MatMul", ["e4", "w2"], ["y"]),
    ]  # fmt: skip
    weights = {f"w{one}": reals(16, 16) for one in "qkvo"} | {f"b{one}": reals(16) for one in "qkvo"}
    weights |= {"split": places(0, 0, 4, 4), "joined": places(0, 0, 16), "w1": reals(16, 32), "b1": reals(32)}
    weights |= {"w2": reals(32, 16), "two": number(2), "root": number(2**0.5), "one": number(1), "half": number(0.5)}
    return net(nodes, {"x": ["batch", "length", 16]}, weights)


def quantised() -> Any:
    """A network in which each result is quantised and taken as real numbers again."""
    node = helper.make_node
    nodes: list[Any] = [node("DequantizeLinear", [f"{one}q", "ws", "wz"], [one]) for one in "wuk"]
    steps: list[tuple[str, list[str], dict[str, Any]]] = [
        ("Identity", ["x"], {}), ("Conv", ["@0", "w"], {"pads": [1, 1, 1, 1]}), ("Conv", ["@1", "u"], {"pads": [1, 1, 1, 1]}),
        ("Add", ["@2", "@1"], {}), ("Concat", ["@3", "@1"], {"axis": 1}), ("Sigmoid", ["@4"], {}), ("Mul", ["@4", "@5"], {}),
        ("LeakyRelu", ["@6"], {}), ("AveragePool", ["@7"], {"kernel_shape": [2, 2]}), ("GlobalAveragePool", ["@8"], {}),
        ("Flatten", ["@9"], {}), ("Gemm", ["@10", "k"], {}), ("Softmax", ["@11"], {"axis": -1}),
    ]  # fmt: skip
    for place, (operator, given, attributes) in enumerate(steps):
        scale = ["ss", "sz"] if operator in ("Sigmoid", "Softmax") else ["s", "z"]
        result = "y" if place == len(steps) - 1 else f"@{place}"
        nodes.append(node(operator, given, [f"r{place}"], **attributes))
        nodes.append(node("QuantizeLinear", [f"r{place}", *scale], [f"q{place}"]))
        nodes.append(node("DequantizeLinear", [f"q{place}", *scale], [result]))
    weights = {"wq": weights_of(8, 4, 3, 3), "uq": weights_of(8, 8, 3, 3), "kq": weights_of(16, 5)}
    weights |= {"s": number(0.05), "z": short(120), "ws": number(0.02), "wz": number(0, np.int8)}
    return net(nodes, {"x": [1, 4, 6, 6]}, weights | {"ss": number(1 / 256), "sz": short(0)})


SAVED = [
    (convolutions, (2, 4, 6, 6), {"FusedConv", "FusedGemm"}),
    (encoder, (2, 3, 16), {"FusedMatMul", "SkipLayerNormalization", "BiasGelu"}),
    (
        quantised, (1, 4, 6, 6), {
            "QLinearAdd", "QLinearConcat", "QLinearSigmoid", "QLinearMul", "QLinearLeakyRelu", "QLinearAveragePool",
            "QLinearGlobalAveragePool", "QGemm", "QLinearSoftmax",
        },
    ),
]  # fmt: skip


@pytest.mark.parametrize(("make", "shape", "fused"), SAVED, ids=lambda one: getattr(one, "__name__", ""))
@pytest.mark.parametrize("level", ["ORT_ENABLE_EXTENDED", "ORT_ENABLE_LAYOUT"])
def test_models_that_onnxruntime_saves(
    make: Any, shape: tuple[int, ...], fused: set[str], level: str, tmp_path: Path
) -> None:
    """Where it lays channels out in blocks, as on x86-64, its model is for that processor alone, and refused by name."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = getattr(onnxruntime.GraphOptimizationLevel, level)
    options.optimized_model_filepath = str(tmp_path / "saved.onnx")
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(make().SerializeToString(), options, providers=["CPUExecutionProvider"])
    saved = onnx.load(options.optimized_model_filepath)
    data = {"x": reals(*shape)}
    if any(one.domain == "com.microsoft.nchwc" for one in saved.graph.node):
        with pytest.raises(tolang.ToLangError, match=r"com\.microsoft\.nchwc"):
            load(saved, "interpret").run(data)
        return
    assert fused <= {one.op_type for one in saved.graph.node if one.domain == MICROSOFT}
    np.testing.assert_allclose(load(saved, "interpret").run(data)[0], session.run(None, data)[0], rtol=1e-4, atol=1e-4)
