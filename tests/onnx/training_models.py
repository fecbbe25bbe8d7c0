"""Models to train, made with random weights: a ResNet-18 of few channels, and a small transformer encoder.

Each comes with the same computation in PyTorch, on a dictionary of tensors, to be judged by where there is PyTorch.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from onnx import ModelProto, TensorProto, helper, numpy_helper

from tolang.ground.dataclasses import dataclass, field

Array = np.ndarray[Any, Any]
Tensors = dict[str, Any]
CLASSES, WIDTH, HEADS, LAYERS, LENGTH, WORDS = 5, 8, 2, 2, 6, 11
"""Of the models; the heads, layers and words are those of the encoder."""


@dataclass(slots=True)
class Builder:
    """A graph that grows node by node."""

    seed: int
    nodes: list[Any] = field(default_factory=list)
    weights: dict[str, Array] = field(default_factory=dict)
    constants: dict[str, Array] = field(default_factory=dict)

    def weight(self, name: str, *shape: int, scale: float = 0.4, offset: float = 0.0) -> str:
        random = np.random.default_rng([self.seed, len(self.weights)])
        self.weights[name] = offset + scale * random.normal(size=shape)
        return name

    def constant(self, name: str, value: Any) -> str:
        self.constants[name] = np.asarray(value)
        return name

    def node(self, operator: str, *inputs: str, outputs: int = 1, **attributes: Any) -> str:
        names = [f"/{operator}/{len(self.nodes)}.{place}" for place in range(outputs)]
        self.nodes.append(helper.make_node(operator, list(inputs), names, **attributes))
        return names[0]

    def model(self, takes: list[Any], logits: str) -> ModelProto:
        """The graph with the loss of its logits, and these beside it."""
        loss = helper.make_node("SoftmaxCrossEntropyLoss", [logits, "labels"], ["the loss"], reduction="mean")
        given = {**self.weights, **self.constants}
        graph = helper.make_graph(
            [*self.nodes, loss],
            "trained",
            [*takes, helper.make_tensor_value_info("labels", TensorProto.INT64, ["batch"])],
            [helper.make_tensor_value_info("the loss", TensorProto.DOUBLE, [])],
            [numpy_helper.from_array(value, name) for name, value in given.items()],
        )
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])


@dataclass(frozen=True, slots=True)
class Trained:
    """A model, data for it, the names of its weights, and its loss in PyTorch."""

    model: ModelProto
    data: dict[str, Array]
    weights: dict[str, Array]
    loss: Callable[[Any, Tensors], Any]


def resnet() -> Trained:
    """ResNet-18: a stem, four stages of two basic blocks, a mean over places, and a classifier."""
    made = Builder(1)

    def convolution(x: str, name: str, outputs: int, inputs: int, size: int, stride: int) -> str:
        weight = made.weight(f"{name}.weight", outputs, inputs, size, size, scale=1 / (size * inputs**0.5))
        padding = [size // 2] * 4
        return made.node("Conv", x, weight, kernel_shape=[size] * 2, strides=[stride] * 2, pads=padding)

    def normalised(x: str, name: str, channels: int) -> str:
        given = [made.weight(f"{name}.weight", channels, offset=1.0), made.weight(f"{name}.bias", channels)]
        statistics = [
            made.constant(f"{name}.mean", np.zeros(channels)),
            made.constant(f"{name}.var", np.ones(channels)),
        ]
        return made.node("BatchNormalization", x, *given, *statistics, outputs=3, training_mode=1)

    def block(x: str, name: str, inputs: int, outputs: int, stride: int) -> str:
        first = normalised(convolution(x, f"{name}.conv1", outputs, inputs, 3, stride), f"{name}.bn1", outputs)
        second = convolution(made.node("Relu", first), f"{name}.conv2", outputs, outputs, 3, 1)
        second = normalised(second, f"{name}.bn2", outputs)
        if stride > 1:
            x = normalised(convolution(x, f"{name}.down", outputs, inputs, 1, stride), f"{name}.down_bn", outputs)
        return made.node("Relu", made.node("Add", second, x))

    channels = [3, 3, 4, 5, 6]
    x = made.node("Relu", normalised(convolution("image", "conv1", channels[0], 3, 3, 1), "bn1", channels[0]))
    x = made.node("MaxPool", x, kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
    for stage in range(1, 5):
        x = block(x, f"layer{stage}.0", channels[stage - 1], channels[stage], 1 if stage == 1 else 2)
        x = block(x, f"layer{stage}.1", channels[stage], channels[stage], 1)
    x = made.node("Flatten", made.node("GlobalAveragePool", x))
    given = [made.weight("fc.weight", CLASSES, channels[-1]), made.weight("fc.bias", CLASSES)]
    logits = made.node("Gemm", x, *given, transB=1)
    random = np.random.default_rng(2)
    data = {"image": random.normal(size=(2, 3, 16, 16)), "labels": random.integers(0, CLASSES, 2)}
    takes = [helper.make_tensor_value_info("image", TensorProto.DOUBLE, ["batch", 3, 16, 16])]
    return Trained(made.model(takes, logits), data, made.weights, _resnet_loss)


def _resnet_loss(torch: Any, given: Tensors) -> Any:
    functional = torch.nn.functional

    def normalised(x: Any, name: str) -> Any:
        return functional.batch_norm(x, None, None, given[f"{name}.weight"], given[f"{name}.bias"], training=True)

    def convolution(x: Any, name: str, stride: int) -> Any:
        weight = given[f"{name}.weight"]
        return functional.conv2d(x, weight, stride=stride, padding=weight.shape[-1] // 2)

    def block(x: Any, name: str, stride: int) -> Any:
        first = functional.relu(normalised(convolution(x, f"{name}.conv1", stride), f"{name}.bn1"))
        second = normalised(convolution(first, f"{name}.conv2", 1), f"{name}.bn2")
        if stride > 1:
            x = normalised(convolution(x, f"{name}.down", stride), f"{name}.down_bn")
        return functional.relu(second + x)

    x = functional.relu(normalised(convolution(given["image"], "conv1", 1), "bn1"))
    x = functional.max_pool2d(x, 3, 2, 1)
    for stage in range(1, 5):
        x = block(block(x, f"layer{stage}.0", 1 if stage == 1 else 2), f"layer{stage}.1", 1)
    logits = x.mean((2, 3)) @ given["fc.weight"].T + given["fc.bias"]
    return functional.cross_entropy(logits, given["labels"])


def encoder() -> Trained:
    """An encoder of words: embeddings, layers of attention and of two products, a classifier of the mean."""
    made = Builder(3)
    split = made.constant("split", [0, 0, HEADS, WIDTH // HEADS])
    joined = made.constant("joined", [0, 0, WIDTH])
    scale = made.constant("scale", (WIDTH / HEADS) ** -0.5)

    def linear(x: str, name: str, inputs: int, outputs: int) -> str:
        product = made.node("MatMul", x, made.weight(f"{name}.weight", inputs, outputs))
        return made.node("Add", product, made.weight(f"{name}.bias", outputs))

    def normalised(x: str, name: str) -> str:
        given = [made.weight(f"{name}.weight", WIDTH, offset=1.0), made.weight(f"{name}.bias", WIDTH)]
        return made.node("LayerNormalization", x, *given, axis=-1)

    def heads(x: str, name: str, order: list[int]) -> str:
        return made.node("Transpose", made.node("Reshape", linear(x, name, WIDTH, WIDTH), split), perm=order)

    def attention(x: str, name: str) -> str:
        query, key = heads(x, f"{name}.query", [0, 2, 1, 3]), heads(x, f"{name}.key", [0, 2, 3, 1])
        scores = made.node("Mul", made.node("MatMul", query, key), scale)
        mixed = made.node("MatMul", made.node("Softmax", scores, axis=-1), heads(x, f"{name}.value", [0, 2, 1, 3]))
        rows = made.node("Reshape", made.node("Transpose", mixed, perm=[0, 2, 1, 3]), joined)
        return linear(rows, f"{name}.output", WIDTH, WIDTH)

    embedded = made.node("Gather", made.weight("embedding", WORDS, WIDTH), "words")
    x = made.node("Add", embedded, made.weight("positions", LENGTH, WIDTH))
    for layer in range(LAYERS):
        x = normalised(made.node("Add", x, attention(x, f"{layer}.attention")), f"{layer}.norm1")
        inner = linear(x, f"{layer}.first", WIDTH, 2 * WIDTH)
        half, root = made.constant("half", 0.5), made.constant("root", 0.5**0.5)
        normal = made.node("Mul", made.node("Add", made.node("Erf", made.node("Mul", inner, root)), "one"), half)
        second = linear(made.node("Mul", inner, normal), f"{layer}.second", 2 * WIDTH, WIDTH)
        x = normalised(made.node("Add", x, second), f"{layer}.norm2")
    made.constant("one", 1.0)
    logits = linear(made.node("ReduceMean", x, axes=[1], keepdims=0), "classifier", WIDTH, CLASSES)
    random = np.random.default_rng(4)
    data = {"words": random.integers(0, WORDS, (2, LENGTH)), "labels": random.integers(0, CLASSES, 2)}
    takes = [helper.make_tensor_value_info("words", TensorProto.INT64, ["batch", LENGTH])]
    return Trained(made.model(takes, logits), data, made.weights, _encoder_loss)


def _encoder_loss(torch: Any, given: Tensors) -> Any:
    functional = torch.nn.functional

    def linear(x: Any, name: str) -> Any:
        return x @ given[f"{name}.weight"] + given[f"{name}.bias"]

    def normalised(x: Any, name: str) -> Any:
        return functional.layer_norm(x, (WIDTH,), given[f"{name}.weight"], given[f"{name}.bias"])

    def heads(x: Any, name: str) -> Any:
        return linear(x, name).reshape(len(x), LENGTH, HEADS, -1).transpose(1, 2)

    x = given["embedding"][given["words"]] + given["positions"]
    for layer in range(LAYERS):
        query, key, value = (heads(x, f"{layer}.attention.{one}") for one in ("query", "key", "value"))
        mixed = functional.scaled_dot_product_attention(query, key, value).transpose(1, 2).reshape(x.shape)
        x = normalised(x + linear(mixed, f"{layer}.attention.output"), f"{layer}.norm1")
        x = normalised(x + linear(functional.gelu(linear(x, f"{layer}.first")), f"{layer}.second"), f"{layer}.norm2")
    return functional.cross_entropy(linear(x.mean(1), "classifier"), given["labels"])
