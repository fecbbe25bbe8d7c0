"""Arguments at which the definitions of ONNX operators are held against the EOPs that they state."""

from __future__ import annotations

from typing import Any

import numpy as np
from tests.library.samples import Function, Sample, Written

Array = np.ndarray[Any, Any]


def floats(*shape: int, seed: int = 0) -> Array:
    """Numbers of both signs in 32 bits."""
    return np.asarray(np.random.default_rng(seed).normal(size=shape)).astype(np.float32)


X, SERIES, W, BIAS, CHANNELS = floats(2, 4, 5, 6), floats(2, 4, 9), floats(6, 4, 3, 2), floats(6), floats(4)
SPREAD = np.abs(CHANNELS)
ONE = np.float32(0.5)
Q, K, V = floats(2, 4, 5, 8), floats(2, 4, 6, 8), floats(2, 4, 6, 7)
QKV: Sample = {"q": Q, "k": K, "v": V}
ENDS = np.array([3, 4])
ROIS: Sample = {"x": floats(1, 2, 5, 5), "rois": np.abs(floats(3, 4)), "batch_indices": np.zeros(3, int)}
BINS: Sample = {**ROIS, "output_height": 2, "output_width": 3}
SMALL, GRID = floats(1, 2, 4, 5), floats(1, 3, 6, 2)
SQUARE = floats(1, 2, 4, 4)
DOUBLED = (1, 1, 2, 2)
STEPS = floats(5, 2, 3)
TRIANGLE = Function("t -> max(0, 1 - abs(t))", 3)
MEMORY: Sample = {"query": floats(2, 3, 8), "key": floats(2, 3, 8), "value": floats(2, 3, 8)}
HEADS: Sample = {**MEMORY, "kv_num_heads": 2, "q_num_heads": 2}
ACTIVATIONS = (
    "Sigmoid", "Tanh", "Relu", "Affine", "LeakyRelu", "ThresholdedRelu", "ScaledTanh", "HardSigmoid", "Elu",
    "Softsign", "Softplus",
)  # fmt: skip
TRANSFORMS = (
    "align_corners", "asymmetric", "tf_half_pixel_for_nn", "tf_crop_and_resize", "half_pixel_symmetric",
    "pytorch_half_pixel", "half_pixel",
)  # fmt: skip
USUAL: Sample = {
    "names": Written("[]"), "usual": Written("['Sigmoid','Tanh']"), "alphas": Written("[]"), "betas": Written("[]"),
    "d": 1, "x": ONE,
}  # fmt: skip
ALONG: Sample = {
    "x": floats(3, 4), "axis": 2, "places": np.abs(floats(6)), "weight": TRIANGLE, "stride": 1, "exclude": 0,
    "normal": Written("false"), "crop": Written("false"), "outside": 0,
}  # fmt: skip
STEP: Sample = {"r": ONE, "t": ONE, "x": floats(3), "g": floats(3)}
MEL: Sample = {"sample_rate": 8192, "lower_edge_hertz": 0, "upper_edge_hertz": 4096}

LINEAR: dict[str, list[Sample]] = {
    "MatMul": [{"a": floats(3, 5), "b": floats(5, 7)}],
    "Gemm": [
        {"a": floats(3, 5), "b": floats(5, 7)},
        {"a": floats(3, 5), "b": floats(5, 7), "c": floats(7), "alpha": 2, "beta": 3},
        {"a": floats(5, 3), "b": floats(7, 5), "c": floats(7), "transA": 1, "transB": 1},
    ],
    "Gemm_6": [{"a": floats(3, 5), "b": floats(5, 7), "c": floats(3, 7)}],
    "Einsum": [
        {"a": floats(3, 5), "b": floats(5, 7), "left": (1, 3), "right": (3, 2), "output": (1, 2), "summed": (3,)},
        {"a": floats(3, 5), "left": (2, 1), "output": (1,), "summed": (2,)},
    ],
    "index_lengths": [{"a": floats(3, 5), "b": floats(5, 7), "left": (1, 3), "right": (3, 2), "indices": (1, 2)}],
    "Det": [{"x": floats(4, 3, 3)}],
}

CONVOLUTION: dict[str, list[Sample]] = {
    "Conv": [
        {"x": X, "w": W},
        {"x": X, "w": W, "b": BIAS, "pads": (1, 1, 1, 1)},
        {"x": SERIES, "w": floats(4, 2, 3), "group": 2},
    ],
    "ConvTranspose": [
        {"x": X, "w": floats(4, 6, 3, 2)},
        {"x": X, "w": floats(4, 3, 3, 2), "b": BIAS, "group": 2, "strides": (2, 2)},
    ],
    "DeformConv": [
        {"x": X, "w": W, "offset": floats(2, 12, 3, 5)},
        {"x": X, "w": W, "offset": floats(2, 12, 3, 5), "b": BIAS, "mask": floats(2, 6, 3, 5)},
    ],
    "Col2Im": [{"input": floats(2, 12, 10), "image_shape": (6, 3), "block_shape": (2, 2)}],
    "CausalConvWithState": [
        {"input": floats(2, 4, 8), "weight": floats(4, 1, 3)},
        {"input": floats(3, 4, 8), "weight": floats(4, 1, 3), "bias": CHANNELS, "activation": "silu"},
    ],
    "biased": [{"x": X, "bias": 0}, {"x": X, "bias": CHANNELS}],
    "for_each": [{"items": (1, 2), "v": (3, 4), "value": 1}],
    "sampled": [
        {"value": Function("p -> p[1] * 2", 1), "p": floats(2), "shape": (4, 4), "weight": TRIANGLE, "reach": 1}
    ],
}

POOLING: dict[str, list[Sample]] = {
    "MaxPool": [
        {"x": X, "kernel_shape": (3, 2)},
        {"x": SERIES, "kernel_shape": (3,), "pads": (1, 1)},
        {"x": floats(2, 4, 5, 6, 7), "kernel_shape": (3, 2, 2)},
    ],
    "coordinates": [{"k": np.array(5), "shape": (2, 3)}],
    "AveragePool": [
        {"x": X, "kernel_shape": (3, 2)},
        {"x": SERIES, "kernel_shape": (3,), "pads": (1, 1)},
        {"x": X, "kernel_shape": (3, 2), "pads": (1, 1, 1, 1), "count_include_pad": 1},
        {"x": X, "kernel_shape": (3, 2), "pads": (1, 1, 1, 1), "dilations": (2, 2), "strides": (2, 2)},
        {"x": X, "kernel_shape": (3, 2), "ceil_mode": 1},
    ],
    "LpPool": [{"x": X, "kernel_shape": (3, 2)}, {"x": SERIES, "kernel_shape": (3,), "p": 3}],
    "global_shape": [{"x": X}],
    "GlobalAveragePool": [{"x": X}],
    "GlobalMaxPool": [{"x": X}],
    "GlobalLpPool": [{"x": X}],
    "MaxUnpool": [
        {"x": floats(1, 1, 2, 2), "i": np.array([[[[5, 7], [13, 15]]]]), "kernel_shape": (2, 2), "strides": (2, 2)}
    ],
    "RoiAlign": [
        {**BINS, "sampling_ratio": 2},
        {**BINS, "sampling_ratio": 1, "mode": "max"},
        {**BINS, "sampling_ratio": 2, "coordinate_transformation_mode": "output_half_pixel"},
    ],
    "MaxRoiPool": [{"x": floats(1, 2, 5, 5), "rois": np.array([[0, 1, 1, 3, 4.0]]), "pooled_shape": (2, 2)}],
    "linear_share": [{"p": ONE, "k": 1}],
    "round_up": [{"x": floats(3, 4)}],
}

NORMALISATION: dict[str, list[Sample]] = {
    "standardised": [{"x": X, "axis": (3, 4), "epsilon": ONE}, {"x": X, "axis": 2, "epsilon": ONE}],
    "rescaled": [{"x": X, "scale": CHANNELS, "bias": CHANNELS}],
    "BatchNormalization": [
        {"x": X, "scale": CHANNELS, "b": CHANNELS, "input_mean": CHANNELS, "input_var": SPREAD, "training_mode": mode}
        for mode in (0, 1)
    ],
    "BatchNormalization_13": [{"x": X, "scale": CHANNELS, "b": CHANNELS, "mean": CHANNELS, "var": SPREAD}],
    "InstanceNormalization": [{"input": X, "scale": CHANNELS, "b": CHANNELS}],
    "GroupNormalization": [{"x": X, "scale": CHANNELS, "bias": CHANNELS, "num_groups": 2}],
    "GroupNormalization_20": [{"x": X, "scale": floats(2), "bias": floats(2), "num_groups": 2}],
    "LayerNormalization": [
        {"x": floats(3, 4, 5), "scale": floats(5)},
        {"x": floats(3, 4, 5), "scale": floats(4, 5), "b": floats(5), "axis": 1},
    ],
    "RMSNormalization": [
        {"x": floats(3, 4, 5), "scale": floats(5)},
        {"x": floats(3, 4, 5), "scale": floats(4, 5), "axis": 1},
    ],
    "LRN": [{"x": X, "size": 3}],
    "LpNormalization": [{"x": floats(3, 4, 5)}, {"x": floats(3, 4, 5), "axis": 1, "p": 1}],
    "MeanVarianceNormalization": [{"x": X}, {"x": X, "axes": (2,)}],
}

ATTENTION: dict[str, list[Sample]] = {
    "Attention": [
        QKV,
        {**QKV, "is_causal": 1},
        {**QKV, "attn_mask": floats(5, 6)},
        {**QKV, "attn_mask": floats(5, 6) > 0, "softcap": 2},
        {**QKV, "nonpad_kv_seqlen": ENDS},
        {**QKV, "nonpad_kv_seqlen": ENDS, "is_causal": 1, "left_window_size": 2},
        {**QKV, "past_key": floats(2, 4, 3, 8), "past_value": floats(2, 4, 3, 7), "scale": 2},
        {"q": floats(2, 5, 8), "k": floats(2, 6, 8), "v": floats(2, 6, 8), "q_num_heads": 2, "kv_num_heads": 2},
    ],
    "FlexAttention": [QKV],
    "heads": [{"x": floats(2, 3, 8), "n": 2}],
    "RotaryEmbedding": [{"x": floats(2, 3, 5, 8), "cos_cache": floats(2, 5, 4), "sin_cache": floats(2, 5, 4)}],
    "LinearAttention": [
        {**HEADS, "update_rule": "linear"},
        {**HEADS, "decay": floats(2, 3, 8), "beta": floats(2, 3, 2)},
    ],
}

RECURRENT: dict[str, list[Sample]] = {
    "gate_inputs": [{"x": STEPS, "w": floats(1, 8, 3), "b": b} for b in (0, floats(1, 16))],
    "gate_states": [{"h": floats(1, 2, 3), "r": floats(1, 12, 3), "b": b} for b in (0, floats(1, 24))],
    "RNN": [{"x": STEPS, "w": floats(1, 4, 3), "r": floats(1, 4, 4)}],
    "GRU": [
        {"x": STEPS, "w": floats(1, 12, 3), "r": floats(1, 12, 4), "linear_before_reset": linear} for linear in (0, 1)
    ],
    "LSTM": [{"x": STEPS, "w": floats(1, 16, 3), "r": floats(1, 16, 4), "p": p} for p in (0, floats(1, 12))],
    "activated": [{"name": name, "x": ONE, "alpha": ONE, "beta": ONE} for name in ACTIVATIONS],
    "activation": [{**USUAL, "clip": 0, "j": 1}, {**USUAL, "clip": 3, "j": 2}],
    "going_on": [{"new": floats(1, 2, 3), "old": floats(1, 2, 3), "lens": np.array([1, 2]), "t": 1}],
}

IMAGE: dict[str, list[Sample]] = {
    "linear_weight": [{"t": ONE}],
    "cubic_weight": [{"t": ONE, "a": Written("-0.75")}],
    "source_place": [
        {"transform": one, "k": ONE, "n": ONE, "scale": ONE, "whole": ONE, "first": ONE, "last": ONE}
        for one in TRANSFORMS
    ],
    "nearest_place": [{"mode": one, "p": ONE} for one in ("floor", "ceil", "round_prefer_ceil", "round_prefer_floor")],
    "interpolated": [{**ALONG, "reach": 1}, {**ALONG, "reach": 2}],
    "Resize": [{"x": SQUARE, "scales": DOUBLED, "mode": mode} for mode in ("nearest", "linear", "cubic")],
    "Resize_10": [{"x": SQUARE, "scales": DOUBLED, "mode": "linear"}],
    "Upsample": [{"x": SQUARE, "scales": DOUBLED, "mode": "bilinear"}],
    "Upsample_6": [{"x": SQUARE, "height_scale": 2, "width_scale": 2}],
    "like_rounded": [{"x": floats(3, 4), "other": other} for other in (floats(3), np.array([1], np.uint8))],
    "between_ends": [{"v": ONE, "low": ONE, "high": ONE}],
    "GridSample": [
        *({"x": SMALL, "grid": GRID, "mode": mode} for mode in ("nearest", "linear", "cubic")),
        {"x": SMALL, "grid": GRID, "mode": "nearest", "padding_mode": "border"},
        {"x": SMALL, "grid": GRID, "padding_mode": "reflection"},
        {"x": floats(1, 2, 4, 5, 6), "grid": floats(1, 3, 6, 7, 3)},
    ],
    "AffineGrid": [
        {"theta": floats(2, 2, 3), "size": (2, 3, 4, 5)},
        {"theta": floats(2, 3, 4), "size": (2, 3, 4, 5, 6), "align_corners": 1},
    ],
}

SIGNAL: dict[str, list[Sample]] = {
    "DFT": [
        {"input": floats(2, 10, 1), "axis": 1},
        {"input": floats(2, 10, 2), "axis": 1, "inverse": 1},
        {"input": floats(2, 6, 2), "axis": 1, "inverse": 1, "onesided": 1},
    ],
    "DFT_19": [{"input": floats(2, 10, 1)}],
    "STFT": [
        {"signal": floats(1, 32, 1), "frame_step": 8, "frame_length": 16},
        {"signal": floats(1, 32, 2), "frame_step": 8, "window": floats(16), "onesided": 0},
    ],
    "cosine_window": [
        {"size": 9, "periodic": 0, "a": Written("0.5"), "b": Written("0.5"), "c": Written(c)} for c in ("0", "0.1")
    ],
    "HannWindow": [{"size": 9}],
    "HammingWindow": [{"size": 9, "periodic": 0}],
    "BlackmanWindow": [{"size": 9}],
    "MelWeightMatrix": [{**MEL, "num_mel_bins": 8, "dft_length": 16}, {**MEL, "num_mel_bins": 4, "dft_length": 32}],
}

TRAINING: dict[str, list[Sample]] = {
    "regularised": [{"x": floats(3), "g": floats(3), "norm_coefficient": ONE}],
    "Adagrad": [{**STEP, "h": np.abs(floats(3))}],
    "Adam": [{**STEP, "v": floats(3), "h": np.abs(floats(3))}],
    "Momentum": [{**STEP, "v": floats(3), "mode": mode} for mode in ("standard", "nesterov")],
}

SAMPLES = {
    **LINEAR, **CONVOLUTION, **POOLING, **NORMALISATION, **ATTENTION, **RECURRENT, **IMAGE, **SIGNAL, **TRAINING,
}  # fmt: skip
