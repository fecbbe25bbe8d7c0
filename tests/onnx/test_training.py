"""Steps of training as models, several tensors at once, against PyTorch's rules written out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from onnx import TensorProto, helper
from tests.onnx.samples import floats

from tolang.onnx import load

DOMAIN = "ai.onnx.preview.training"


def stepped(operator: str, count: int, kinds: int, time: int, **attributes: Any) -> tuple[list[Any], list[Any]]:
    """The inputs after rate and time, and the results of one node for several tensors."""
    names = [f"{kind}{place}" for kind in range(kinds) for place in range(count)]
    arrays = [np.abs(floats(2 + place % count, seed=place)) for place in range(len(names))]
    infos = [
        helper.make_tensor_value_info("r", TensorProto.FLOAT, []),
        helper.make_tensor_value_info("t", TensorProto.INT64, []),
        *(helper.make_tensor_value_info(n, TensorProto.FLOAT, a.shape) for n, a in zip(names, arrays, strict=True)),
    ]
    outputs = [f"o{place}" for place in range(count * (kinds - 1))]
    node = helper.make_node(operator, ["r", "t", *names], outputs, domain=DOMAIN, **attributes)
    wanted = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs]
    model = helper.make_model(
        helper.make_graph([node], "g", infos, wanted), opset_imports=[helper.make_opsetid(DOMAIN, 1)]
    )
    found = load(model, engine="interpret")(np.float32(0.1), np.int64(time), *arrays)
    return arrays, [found[name] for name in outputs]


@pytest.mark.parametrize("time", [0, 3])
def test_adam(time: int) -> None:
    arrays, found = stepped("Adam", 2, 4, time, alpha=0.9, beta=0.99, epsilon=1e-3, norm_coefficient=0.1)
    for place in range(2):
        x, g, v, h = (one.astype(np.float64) for one in arrays[place::2])
        slope = 0.1 * x + g
        v, h = 0.9 * v + 0.1 * slope, 0.99 * h + 0.01 * slope**2
        rate = 0.1 * np.sqrt(1 - 0.99**time) / (1 - 0.9**time) if time else 0.1
        wanted = (x - rate * v / (np.sqrt(h) + 1e-3), v, h)
        for one, two in zip(found[place::2], wanted, strict=True):
            np.testing.assert_allclose(one, two, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("mode", ["standard", "nesterov"])
@pytest.mark.parametrize("time", [0, 3])
def test_momentum(mode: str, time: int) -> None:
    arrays, found = stepped("Momentum", 2, 3, time, alpha=0.9, beta=0.5, mode=mode, norm_coefficient=0.1)
    for place in range(2):
        x, g, v = (one.astype(np.float64) for one in arrays[place::2])
        slope = 0.1 * x + g
        v = 0.9 * v + (0.5 if time else 1) * slope
        along = slope + 0.9 * v if mode == "nesterov" else v
        for one, two in zip(found[place::2], (x - 0.1 * along, v), strict=True):
            np.testing.assert_allclose(one, two, rtol=1e-5, atol=1e-6)


def test_adagrad() -> None:
    arrays, found = stepped("Adagrad", 3, 3, 2, decay_factor=0.5, epsilon=1e-3, norm_coefficient=0.1)
    for place in range(3):
        x, g, h = (one.astype(np.float64) for one in arrays[place::3])
        slope = 0.1 * x + g
        h = h + slope**2
        for one, two in zip(found[place::3], (x - 0.1 / 2 * slope / (np.sqrt(h) + 1e-3), h), strict=True):
            np.testing.assert_allclose(one, two, rtol=1e-5, atol=1e-6)
