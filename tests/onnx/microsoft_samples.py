"""Arguments at which the definitions of operators of com.microsoft are held against the EOPs that they state."""

from __future__ import annotations

import numpy as np
from tests.library.samples import Function, Sample, Written
from tests.onnx import samples
from tests.onnx.samples import BIAS, GRID, INDICES, LENGTHS, MATRIX, ONE, QUANTISED, SMALL, WHOLE, K, Q, V, W, X, floats

PAIR: Sample = {
    "a": WHOLE.astype(np.uint8), "a_scale": ONE, "a_zero_point": np.uint8(1), "b": WHOLE.astype(np.uint8), "b_scale": ONE,
    "b_zero_point": np.uint8(2), "c_scale": ONE, "c_zero_point": np.uint8(3),
}  # fmt: skip
ALONE: Sample = {
    "x": WHOLE.astype(np.uint8), "x_scale": ONE, "x_zero_point": np.uint8(1), "y_scale": ONE, "y_zero_point": np.uint8(3),
}  # fmt: skip
TOKENS, WIDTH = floats(2, 3, 8), floats(8)
FUSED_ACTIVATIONS = ("", "Relu", "Tanh", "Sigmoid", "LeakyRelu", "Clip", "HardSigmoid")
MICROSOFT: dict[str, list[Sample]] = {
    "length_quotient": LENGTHS,
    "com_microsoft_Gelu": [{"x": MATRIX}, {"x": MATRIX.astype(np.float64)}],
    "com_microsoft_BiasGelu": [{"a": TOKENS, "b": WIDTH}],
    "com_microsoft_FastGelu": [{"x": TOKENS}, {"x": TOKENS, "bias": WIDTH}],
    "com_microsoft_QuickGelu": [{"x": TOKENS}],
    "with_activation": [{"x": TOKENS, "name": one, "first": 0.1, "second": 0.5} for one in FUSED_ACTIVATIONS],
    "com_microsoft_FusedMatMul": [
        {"a": floats(2, 3, 5), "b": floats(2, 5, 7)},
        {"a": floats(2, 5, 3), "b": floats(2, 5, 7), "transA": 1, "alpha": 2},
        {"a": floats(5, 2, 3), "b": floats(2, 5, 7), "transA": 1, "transBatchA": 1},
        {"a": floats(3, 2, 5), "b": floats(2, 7, 5), "transB": 1, "transBatchA": 1},
    ],
    "com_microsoft_FusedGemm": [
        {"a": floats(3, 5), "b": floats(5, 7), "c": floats(7), "activation": one} for one in FUSED_ACTIVATIONS
    ] + [{"a": floats(5, 3), "b": floats(5, 7), "alpha": 2, "beta": 3, "transA": 1, "activation": "Relu"}],
    "com_microsoft_FusedConv": [
        {"x": X, "w": W, "activation": one} for one in FUSED_ACTIVATIONS
    ] + [{"x": X, "w": W, "b": BIAS, "z": floats(2, 6, 3, 5), "activation": "Relu"}],
    "over_roots": [{"x": TOKENS, "scale": WIDTH, "axis": -1, "epsilon": 1e-5}],
    "SimplifiedLayerNormalization": [{"x": TOKENS, "scale": WIDTH}],
    "with_skip": [{"x": TOKENS, "skip": TOKENS, "bias": 0}, {"x": TOKENS, "skip": TOKENS, "bias": WIDTH}],
    "com_microsoft_SkipLayerNormalization": [
        {"x": TOKENS, "skip": TOKENS, "gamma": WIDTH},
        {"x": TOKENS, "skip": TOKENS, "gamma": WIDTH, "beta": WIDTH, "bias": WIDTH, "outputs": 1},
    ],
    "com_microsoft_SkipSimplifiedLayerNormalization": [
        {"x": TOKENS, "skip": TOKENS, "gamma": WIDTH}, {"x": TOKENS, "skip": TOKENS, "gamma": WIDTH, "bias": WIDTH, "outputs": 1},
    ],
    "dequantised": [{"q": np.uint8(7), "scale": ONE, "zero_point": np.uint8(3)}],
    "with_quantised": [{**PAIR, "f": Function("add", 1)}],
    "com_microsoft_QLinearAdd": [PAIR],
    "com_microsoft_QLinearMul": [PAIR],
    "com_microsoft_QLinearSigmoid": [ALONE],
    "com_microsoft_QLinearLeakyRelu": [ALONE],
    "com_microsoft_MatMulIntegerToFloat": [
        {"a": WHOLE.astype(np.uint8), "b": WHOLE.T.astype(np.uint8), "a_scale": ONE, "b_scale": ONE},
        {"a": WHOLE.astype(np.uint8), "b": WHOLE.T.astype(np.uint8), "a_scale": ONE, "b_scale": ONE, "bias": floats(WHOLE.shape[0])},
    ],
    "com_microsoft_DynamicQuantizeMatMul": [{"a": MATRIX, "b": MATRIX.T.astype(np.int8), "b_scale": ONE}],
}  # fmt: skip

PACKED: Sample = {
    "x": floats(2, 3, 24),
    "past": 0,
    "bias": 0,
    "num_heads": 2,
    "values": 8,
    "scale": 0,
    "unidirectional": 0,
}
SELF: Sample = {"x": TOKENS, "weights": floats(8, 24), "num_heads": 2}
KEYS: Sample = {"q": Q, "k": K, "mask": 0, "bias": 0, "scale": 0, "causal": 0, "filter": -9}
INTEGERS: Sample = {
    "x": np.zeros((2, 3, 8), np.uint8), "weights": np.zeros((8, 24), np.int8), "b": floats(24), "x_scale": ONE, "weight_scale": ONE,
    "num_heads": 2,
}  # fmt: skip
MANY: Sample = {"query": floats(2, 3, 8), "key": floats(2, 5, 8), "value": floats(2, 5, 6), "num_heads": 2}
GROUPS: Sample = {
    "query": floats(2, 1, 32), "key": floats(2, 1, 16), "value": floats(2, 1, 16), "past_key": floats(2, 2, 4, 8),
    "past_value": floats(2, 2, 4, 8), "seqlens_k": np.array([4, 4]), "total_sequence_length": Written("[5]"), "num_heads": 4,
    "kv_num_heads": 2,
}  # fmt: skip
CACHES: Sample = {"cos_cache": floats(9, 4), "sin_cache": floats(9, 4)}
ENDING, SHOWN, RANGES = np.array([2, 3]), np.ones((2, 3), int), np.array([2, 3, 0, 1])
WORDS: Sample = {
    "input_ids": np.array([[1, 2, 0], [3, 3, 1]]), "word_embedding": floats(7, 8), "position_embedding": floats(5, 8), "gamma": WIDTH,
    "beta": WIDTH,
}  # fmt: skip
MICROSOFT_ATTENTION: dict[str, list[Sample]] = {
    "is_there": [
        {"mask": one, "batch": 2, "b": 1, "i": 1, "j": 1} for one in (ENDING, RANGES, SHOWN, np.ones((2, 3, 3), int))
    ],
    "attention_scores": [
        KEYS, {**KEYS, "mask": ENDING, "scale": 2, "causal": 1}, {**KEYS, "mask": RANGES}, {**KEYS, "bias": floats(1, 4, 5, 6)},
    ],
    "attention_means": [{"weights": floats(2, 4, 5, 6), "v": V}],
    "self_attention": [
        {**PACKED, "mask": 0, "filter": -9, "outputs": 2}, {**PACKED, "mask": ENDING, "filter": -9, "outputs": 1, "unidirectional": 1},
    ],
    "com_microsoft_Attention": [
        SELF, {**SELF, "b": floats(24), "mask_index": ENDING, "scale": 2, "outputs": 1}, {**SELF, "mask_index": RANGES},
        {**SELF, "past": floats(2, 2, 2, 5, 4), "attention_bias": floats(1, 2, 3, 8), "unidirectional": 1},
        {"x": TOKENS, "weights": floats(8, 20), "num_heads": 2, "qkv_hidden_sizes": (8, 8, 4)},
    ],
    "com_microsoft_QAttention": [INTEGERS, {**INTEGERS, "mask_index": ENDING, "past": floats(2, 2, 2, 5, 4), "unidirectional": 1}],
    "biased_heads": [
        {"x": TOKENS, "n": 2, "place": 1, "bias": 0, "first": 0}, {"x": TOKENS, "n": 2, "place": 1, "bias": floats(24), "first": 8},
        {"x": floats(2, 3, 2, 3, 4), "n": 2, "place": 2, "bias": floats(24), "first": 8},
    ],
    "com_microsoft_MultiHeadAttention": [
        MANY, {**MANY, "bias": floats(22), "key_padding_mask": np.ones((2, 5), int), "scale": 2, "outputs": 1},
        {**MANY, "key": floats(2, 2, 5, 4), "value": floats(2, 2, 5, 4), "bias": floats(24)},
        {**MANY, "past_key": floats(2, 2, 4, 4), "past_value": floats(2, 2, 4, 3), "unidirectional": 1},
        {"query": floats(2, 5, 2, 3, 4), "num_heads": 2, "bias": floats(24), "attention_bias": floats(2, 1, 5, 5)},
        {"query": TOKENS, "key": floats(2, 5, 2, 2, 4), "num_heads": 2},
    ],
    "com_microsoft_RotaryEmbedding": [
        {"x": floats(2, 2, 3, 8), "position_ids": np.array([2]), **CACHES},
        {"x": floats(2, 3, 16), "position_ids": np.zeros((2, 3), int), **CACHES},
    ],
    "com_microsoft_EmbedLayerNormalization": [
        WORDS, {**WORDS, "segment_ids": np.zeros((2, 3), int), "segment_embedding": floats(2, 8), "mask": SHOWN},
        {**WORDS, "position_ids": np.array([[2, 1, 0]]), "outputs": 1},
    ],
    "softmax_beside": [{"scores": floats(2, 4, 3, 5), "sink": Function("h -> 0", 0)}],
    "com_microsoft_GroupQueryAttention": [
        GROUPS, {**GROUPS, **CACHES, "do_rotary": 1, "outputs": 1}, {**GROUPS, "softcap": 2, "local_window_size": 3, "scale": 2},
        {**GROUPS, "attention_bias": floats(2, 1, 1, 5), "smooth_softmax": 1}, {**GROUPS, "head_sink": floats(4), "causal": 0},
        {**GROUPS, "qk_output": 2},
    ],
}  # fmt: skip

STEPS: Sample = {
    "x": floats(5, 2, 3), "w": np.zeros((1, 3, 16), np.int8), "r": np.zeros((1, 4, 16), np.int8), "w_scale": floats(1),
    "r_scale": floats(1, 16), "w_zero_point": np.zeros(1, np.int8), "r_zero_point": np.zeros((1, 16), np.int8),
}  # fmt: skip
GATES: Sample = {"h": floats(1, 2, 4), "rows": np.zeros((1, 16, 4), np.int32), "scales": floats(1)}
QUANTISED_STEPS: dict[str, list[Sample]] = {
    "gate_rows": [{"w": STEPS["w"], "zero_point": STEPS["w_zero_point"]}],
    "quantised_states": [{**GATES, "b": 0}, {**GATES, "b": floats(1, 32)}],
    "com_microsoft_DynamicQuantizeLSTM": [STEPS, {**STEPS, "b": floats(1, 32), "p": floats(1, 12)}],
}
EXPERTS: Sample = {
    "input": TOKENS, "router_probs": floats(6, 4), "fc1_experts_weights": floats(4, 5, 8), "fc2_experts_weights": floats(4, 8, 5),
}  # fmt: skip
PAIRS: Sample = {**EXPERTS, "fc1_experts_weights": floats(4, 10, 8), "activation_type": "swiglu", "swiglu_fusion": 1}
MIXTURES: dict[str, list[Sample]] = {
    "expert_activation": [{"name": one, "x": ONE} for one in ("relu", "gelu", "silu", "identity")],
    "expert_shares": [{"logits": floats(6, 4), "k": 2, "normalised": one} for one in (0, 1)],
    "com_microsoft_MoE": [
        EXPERTS, {**EXPERTS, "k": 2, "activation_type": "gelu", "normalize_routing_weights": 1},
        {**EXPERTS, "fc1_experts_bias": floats(4, 5), "fc2_experts_bias": floats(4, 8)},
        {**PAIRS, "fc1_experts_bias": floats(4, 10), "k": 2},
    ],
}  # fmt: skip

BYTES: Sample = {**ALONE, "x": np.zeros((2, 4, 5, 6), np.uint8)}
GEMM: Sample = {
    "a": WHOLE.astype(np.uint8), "a_scale": ONE, "a_zero_point": np.uint8(1), "b": WHOLE.T.astype(np.int8), "b_scale": ONE,
    "b_zero_point": np.int8(2),
}  # fmt: skip
BLOCKS: Sample = {"a": floats(2, 3, 48), "b": np.zeros((6, 3, 8), np.uint8), "scales": floats(18), "block_size": 16}
GATHERED: Sample = {
    "data": Written("convert(tol[7,32], [u8])"), "indices": np.array([[1, 5, 2], [0, 3, 6]]), "scales": floats(7, 4), "block_size": 16,
}  # fmt: skip
MICROSOFT_QUANTISED: dict[str, list[Sample]] = {
    "com_microsoft_QLinearConcat": [
        {**ALONE, "axis": 0}, {**ALONE, "axis": 0, "before": WHOLE.astype(np.uint8)},
    ],
    "through_reals": [{**ALONE, "f": Function("r -> r + 1", WHOLE.size)}],
    "channels_second": [{"x": X, "last": one, "f": Function("r -> r + 1", X.size)} for one in (0, 1)],
    "com_microsoft_QLinearSoftmax": [ALONE, {**ALONE, "opset": 12, "axis": 0}],
    "com_microsoft_QLinearAveragePool": [
        {**BYTES, "kernel_shape": (2, 2)}, {**BYTES, "kernel_shape": (2, 2), "pads": (1, 1, 1, 1), "channels_last": 1},
        {**BYTES, "kernel_shape": (2, 2), "pads": (1, 1, 1, 1), "count_include_pad": 1},
    ],
    "com_microsoft_QLinearGlobalAveragePool": [BYTES, {**BYTES, "channels_last": 1}],
    "com_microsoft_QLinearWhere": [{
        "condition": WHOLE > 0, "x": WHOLE.astype(np.uint8), "x_scale": ONE, "x_zero_point": np.uint8(1),
        "y": WHOLE.astype(np.uint8), "y_scale": ONE, "y_zero_point": np.uint8(2), "z_scale": ONE, "z_zero_point": np.uint8(2),
    }],
    "com_microsoft_QGemm": [
        GEMM, {**GEMM, "c": np.zeros(WHOLE.shape[0], np.int32), "y_scale": ONE, "y_zero_point": np.uint8(3), "alpha": 2},
        {**GEMM, "b": WHOLE.astype(np.int8), "transB": 1, "b_scale": np.abs(floats(WHOLE.shape[0]))},
    ],
    "com_microsoft_QLinearConv": [
        {**QUANTISED["QLinearConv"][0], "channels_last": one, "x": np.zeros((1, 5, 6, 2) if one else (1, 2, 5, 6), np.uint8)}
        for one in (0, 1)
    ],
    "com_microsoft_NhwcMaxPool": [{"x": np.zeros((1, 5, 6, 2), np.uint8), "kernel_shape": (2, 2)}],
    "com_microsoft_QuantizeLinear": [{"x": MATRIX, "y_scale": ONE, "y_zero_point": np.uint8(3)}],
    "com_microsoft_DequantizeLinear": [{"x": WHOLE.astype(np.uint8), "x_scale": ONE}],
    "unpacked": [{"byte": Function("k -> convert(200, [u8])", 0), "k": 3, "bits": one} for one in (2, 4, 8)],
    "com_microsoft_MatMulNBits": [
        BLOCKS, {**BLOCKS, "zero_points": Written("convert(tol[12], [u8])"), "bias": floats(6)}, {**BLOCKS, "zero_points": floats(18)},
        {**BLOCKS, "b": np.zeros((6, 3, 16), np.uint8), "bits": 8, "zero_points": Written("convert(tol[18], [u8])")},
        {**BLOCKS, "g_idx": np.zeros(48, np.int32)},
    ],
    "com_microsoft_GatherBlockQuantized": [
        GATHERED, {**GATHERED, "zero_points": Written("convert(tol[7,2], [u8])")}, {**GATHERED, "bits": 8, "scales": floats(7, 2)},
    ],
}  # fmt: skip

MICROSOFT_FURTHER: dict[str, list[Sample]] = {
    "com_microsoft_ExpandDims": [{"x": MATRIX, "axis": Written("[1]")}],
    "com_microsoft_Pad": [{"data": MATRIX, "pads": (1, 0, 0, 1)}],
    "com_microsoft_GatherND": [{"data": MATRIX, "indices": INDICES[:, :1]}],
    "com_microsoft_Trilu": [{"x": MATRIX, "k": 1}],
    "com_microsoft_Range": [{"start": 1, "limit": 9, "delta": 2}],
    "com_microsoft_TransposeMatMul": [{"a": floats(5, 3), "b": floats(5, 7), "transA": 1, "alpha": 2}, {"a": floats(3, 5), "b": floats(5, 7)}],
    "com_microsoft_Inverse": [{"x": floats(2, 3, 3)}],
    "com_microsoft_GridSample": [{"x": SMALL, "grid": GRID, "mode": one} for one in ("bilinear", "nearest")],
    "com_microsoft_UnfoldTensor": [{"x": floats(2, 7), "size": 3, "step": 2}],
    "com_microsoft_CDist": [{"a": floats(4, 3), "b": floats(5, 3), "metric": one} for one in ("sqeuclidean", "euclidean")],
    "com_microsoft_MatMulInteger16": [{"a": WHOLE.astype(np.int16), "b": WHOLE.T.astype(np.int16)}],
}  # fmt: skip

ALL_SAMPLES = {
    **samples.SAMPLES, **MICROSOFT, **MICROSOFT_ATTENTION, **MICROSOFT_QUANTISED, **MICROSOFT_FURTHER,
    **QUANTISED_STEPS, **MIXTURES,
}  # fmt: skip
"""Those of all domains."""
