"""Attention with attributes and inputs combined beyond onnx's own cases, against onnx's evaluator."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as draw
from tests.onnx.operators import Array, assert_same, called, expected
from tests.onnx.samples import floats

ERROR = 1e-4
"""Two sums of products and a softmax in 32 bits."""


def text(attributes: dict[str, Any]) -> str:
    return "".join(f", {name}={value!r}" for name, value in attributes.items())


@settings(max_examples=6, deadline=None)
@given(draw.data())
def test_attention(data: draw.DataObject) -> None:
    shared = data.draw(draw.sampled_from([1, 2, 3]))
    q, k, v = floats(2, 2 * shared, 3, 4), floats(2, 2, 5, 4, seed=1), floats(2, 2, 5, 6, seed=2)
    inputs: dict[str, Array] = {"q": q, "k": k, "v": v}
    keys = 5
    if data.draw(draw.booleans()):
        inputs["past_key"], inputs["past_value"] = floats(2, 2, 3, 4, seed=3), floats(2, 2, 3, 6, seed=4)
        keys += 3
    mask = data.draw(draw.sampled_from(["none", "bool", "float", "batch"]))
    if mask != "none":
        shape = (2, 1, 3, keys) if mask == "batch" else (3, keys)
        inputs["attn_mask"] = floats(*shape, seed=5) > -0.5 if mask == "bool" else floats(*shape, seed=5)
    elif "past_key" not in inputs and data.draw(draw.booleans()):
        inputs["nonpad_kv_seqlen"] = np.array([3, 5])
    attributes = {
        "is_causal": data.draw(draw.integers(0, 1)),
        "softcap": data.draw(draw.sampled_from([0.0, 2.0])),
        "scale": data.draw(draw.sampled_from([0.25, 1.5])),
        "left_window_size": data.draw(draw.sampled_from([-1, 1])),
        "right_window_size": data.draw(draw.sampled_from([-1, 0, 2])),
        "qk_matmul_output_mode": data.draw(draw.sampled_from([1, 2, 3])),
    }
    order = ("q", "k", "v", "attn_mask", "past_key", "past_value", "nonpad_kv_seqlen")
    wanted = expected("Attention", [inputs.get(name) for name in order], 4, **attributes)
    named = ", ".join(f"{name}={name}" for name in inputs)
    for place, one in enumerate(wanted, 1):
        assert_same(called(f"Attention({named}{text(attributes)})[{place}]'", **inputs), one, ERROR)


@pytest.mark.parametrize("interleaved", [0, 1])
def test_turning_keeps_lengths(interleaved: int) -> None:
    x, angles = floats(2, 3, 5, 8), floats(2, 5, 4, seed=1)
    y = called(f"RotaryEmbedding(x, c, s, interleaved={interleaved})", x=x, c=np.cos(angles), s=np.sin(angles))
    np.testing.assert_allclose(np.linalg.norm(y, axis=-1), np.linalg.norm(x, axis=-1), rtol=1e-5)
    back = called(f"RotaryEmbedding(x, c, s, interleaved={interleaved})", x=y, c=np.cos(angles), s=-np.sin(angles))
    np.testing.assert_allclose(back, x, rtol=1e-4, atol=1e-5)


def test_linear_attention_without_decay_is_attention_without_softmax() -> None:
    q, k, v = floats(2, 6, 8), floats(2, 6, 8, seed=1), floats(2, 6, 8, seed=2)
    call = "LinearAttention(q, k, v, kv_num_heads=2, q_num_heads=2, update_rule='linear', scale=1.0)"
    heads = [one.reshape(2, 6, 2, 4).swapaxes(1, 2) for one in (q, k, v)]
    products = np.tril(heads[0] @ heads[1].swapaxes(2, 3)) @ heads[2]
    assert_same(called(f"{call}[1]'", q=q, k=k, v=v), products.swapaxes(1, 2).reshape(2, 6, 8), ERROR)
