"""Models of one node whose operator ToLang defines and ONNX does not declare, beside onnxruntime."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import onnxruntime
from onnx import TensorProto, helper

from tolang.onnx import load
from tolang.onnx.elements import element_of

Array = np.ndarray[Any, Any]
MICROSOFT = "com.microsoft"
RANDOM = np.random.default_rng(0)


def reals(*shape: int) -> Array:
    return RANDOM.standard_normal(shape).astype(np.float32)


def bytes_of(kind: type, *shape: int) -> Array:
    return RANDOM.integers(np.iinfo(kind).min, np.iinfo(kind).max + 1, shape).astype(kind)


def weights_of(*shape: int) -> Array:
    """Weights of eight bits with a sign, or of seven where onnxruntime is not exact with those of eight."""
    most = 128 if is_exact() else 64
    return RANDOM.integers(-most, most, shape).astype(np.int8)


@cache
def is_exact() -> bool:
    """True if onnxruntime's products of bytes are exact on this processor.

    Without instructions for them (VNNI on x86-64) it adds two products in 16 bits, and what is larger is cut off.
    """
    left, right = np.full((1, 8), 255, np.uint8), np.full((8, 1), 127, np.int8)
    model = node_model("MatMulInteger", [left, right], ["y"], "")
    (found,) = onnxruntime.InferenceSession(model.SerializeToString()).run(None, {"x0": left, "x1": right})
    return int(found[0, 0]) == 8 * 255 * 127


def number(value: float, kind: type = np.float32) -> Array:
    return np.asarray(value, kind)


def node_model(
    operator: str, inputs: Sequence[Array | None], outputs: list[str], domain: str, **attributes: Any
) -> Any:
    names = ["" if one is None else f"x{place}" for place, one in enumerate(inputs)]
    node = helper.make_node(operator, names, outputs, domain=domain, **attributes)
    given = [
        helper.make_tensor_value_info(name, element_of(one), one.shape)
        for name, one in zip(names, inputs, strict=True)
        if one is not None
    ]
    graph = helper.make_graph([node], "g", given, [_output(one) for one in outputs if one])
    imports = [helper.make_opsetid("", 17), *([helper.make_opsetid(domain, 1)] if domain else [])]
    return helper.make_model(graph, opset_imports=imports, ir_version=9)


def _output(name: str) -> Any:
    """An output; onnxruntime does not know by itself of what type scores are."""
    if name == "scores":
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, None)
    return helper.make_empty_tensor_value_info(name)


def assert_as_onnxruntime(
    model: Any, inputs: Sequence[Array | None], engine: str = "interpret", within: float = 2e-5
) -> None:
    """A model gives what onnxruntime gives, of the same types and shapes."""
    data = {f"x{place}": one for place, one in enumerate(inputs) if one is not None}
    wanted = onnxruntime.InferenceSession(model.SerializeToString()).run(None, data)
    found = load(model, engine).run(data)
    assert len(found) == len(wanted)
    for one, other in zip(found, wanted, strict=True):
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        np.testing.assert_allclose(one.astype(float), other.astype(float), rtol=within, atol=within)
