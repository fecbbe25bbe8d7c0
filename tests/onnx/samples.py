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
        {"x": X, "kernel_shape": (3, 2), "outputs": 1},
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
    "RoiAlign_15": [{**BINS, "sampling_ratio": 2}],
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

STATES = Function("h -> map(tol[1,2,16], h[d,n,1] + 1, [d,n,k])", 32)
STEPPED: Sample = {
    "xs": STEPS, "r": floats(1, 16, 4), "inputs": floats(5, 1, 2, 16), "of_states": STATES, "initial_h": 0, "initial_c": 0,
    "activation_alpha": Written("[]"), "activation_beta": Written("[]"), "activations": Written("[]"), "clip": 0,
    "direction": "forward", "input_forget": 0, "layout": 0,
}  # fmt: skip
RECURRENT: dict[str, list[Sample]] = {
    "gate_inputs": [{"x": STEPS, "w": floats(1, 8, 3), "b": b} for b in (0, floats(1, 16))],
    "gate_states": [{"h": floats(1, 2, 3), "r": floats(1, 12, 3), "b": b} for b in (0, floats(1, 24))],
    "RNN": [{"x": STEPS, "w": floats(1, 4, 3), "r": floats(1, 4, 4)}],
    "GRU": [
        {"x": STEPS, "w": floats(1, 12, 3), "r": floats(1, 12, 4), "linear_before_reset": linear} for linear in (0, 1)
    ],
    "lstm_steps": [
        {**STEPPED, "sequence_lens": 0, "p": 0},
        {**STEPPED, "sequence_lens": np.array([1, 2]), "p": floats(1, 12)},
    ],
    "LSTM": [{"x": STEPS, "w": floats(1, 16, 3), "r": floats(1, 16, 4), "p": p} for p in (0, floats(1, 12))],
    "with_activation": [{"name": name, "x": ONE, "alpha": ONE, "beta": ONE} for name in ACTIVATIONS],
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

MATRIX, CUBE, WHOLE = floats(3, 4), floats(2, 3, 4), np.arange(12).reshape(3, 4)
SHARES, KERNELS = ("NONE", "LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO"), ("LINEAR", "POLY", "RBF", "SIGMOID")
PAIRS = np.array([[1, 2], [1, 3], [2, 3]])
VECTORS: Sample = {
    "x": MATRIX, "coefficients": floats(1, 5), "rho": floats(1), "support_vectors": floats(5, 4),
    "kernel_params": floats(3),
}  # fmt: skip
INDICES = np.array([[0, 2], [1, 0]])
REDUCTIONS = ("none", "add", "mul", "max", "min")

MOVEMENT: dict[str, list[Sample]] = {
    "Identity": [{"input": MATRIX}],
    "Shape": [{"data": CUBE}, {"data": CUBE, "start": 1, "end": -1}],
    "Size": [{"data": CUBE}],
    "Reshape": [{"data": CUBE, "shape": (0, -1)}],
    "Reshape_4": [{"data": CUBE, "shape": (0, -1)}],
    "Flatten": [{"input": CUBE}, {"input": CUBE, "axis": -1}],
    "Squeeze": [{"data": floats(1, 3, 1), "axes": (0,)}],
    "Unsqueeze": [{"data": MATRIX, "axes": (0, -1)}],
    "Transpose": [{"data": CUBE}, {"data": CUBE, "perm": (2, 0, 1)}],
    "Expand": [{"input": MATRIX, "shape": (2, 1, 1)}],
    "Tile": [{"input": MATRIX, "repeats": (2, 3)}],
    "DepthToSpace": [{"input": floats(1, 8, 2, 3), "blocksize": 2, "mode": mode} for mode in ("DCR", "CRD")],
    "SpaceToDepth": [{"input": floats(1, 2, 4, 6), "blocksize": 2}],
    "Concat": [{"a": CUBE, "b": CUBE, "axis": axis} for axis in (0, -1)],
    "Split": [{"input": MATRIX, "split": (1, 2), "part": 2}, {"input": MATRIX, "axis": 1, "num_outputs": 2}],
    "cut": [{"x": MATRIX, "axis": 2, "before": 1, "length": 2}, {"x": floats(5), "axis": 1, "before": 1, "length": 2}],
    "Slice": [
        {"data": MATRIX, "starts": (0,), "ends": (-1,)},
        {"data": MATRIX, "starts": (3, 0), "ends": (0, 2), "axes": (1, 0), "steps": (-1, 1)},
        {"data": floats(7), "starts": (1,), "ends": (6,), "steps": (2,)},
    ],
    "axes_told": [{"v": (5, 7)}],
    "Pad": [{"data": MATRIX, "pads": (1, 0, 0, 2), "mode": mode} for mode in ("constant", "edge", "wrap", "reflect")],
    "CenterCropPad": [{"input_data": MATRIX, "shape": (5, 2)}],
    "zero_of": [{"x": MATRIX}, {"x": MATRIX > 0}],
    "Gather": [{"data": CUBE, "indices": INDICES, "axis": axis} for axis in (0, 1)] + [{"data": CUBE, "indices": 1}],
    "GatherElements": [{"data": MATRIX, "indices": INDICES, "axis": 1}],
    "GatherND": [{"data": MATRIX, "indices": INDICES[:, :1]}, {"data": CUBE, "indices": INDICES[:, :1], "batch_dims": 1}],
    "offset": [{"c": (2, 3), "shape": (4, 5)}],
    "combined": [{"old": ONE, "new": ONE, "reduction": reduction} for reduction in REDUCTIONS],
    "scattered": [
        {"data": MATRIX, "updates": MATRIX, "target": Written("c -> c"), "reduction": reduction}
        for reduction in REDUCTIONS
    ],
    "ScatterElements": [
        {"data": MATRIX, "indices": INDICES, "updates": floats(2, 2), "axis": 1, "reduction": reduction}
        for reduction in REDUCTIONS
    ],
    "Scatter": [{"data": MATRIX, "indices": INDICES, "updates": floats(2, 2)}],
    "ScatterND": [
        {"data": MATRIX, "indices": INDICES[:, :1], "updates": floats(2, 4), "reduction": reduction} for reduction in REDUCTIONS
    ],
    "TensorScatter": [
        {"past_cache": floats(2, 5, 3), "update": CUBE[:, :2, :3]},
        *(
            {"past_cache": floats(2, 5, 3), "update": CUBE[:, :2, :3], "write_indices": np.array([0, 3]), "mode": mode}
            for mode in ("linear", "circular")
        ),
    ],
    "ConstantOfShape": [{"input": (2, 3)}],
    "Range": [{"start": 2, "limit": 11, "delta": 3}],
    "EyeLike": [{"input": MATRIX, "k": 1}],
    "OneHot": [{"indices": np.array([0, 2, 1]), "depth": 3, "values": floats(2)}],
    "Trilu": [{"input": CUBE, "upper": upper} for upper in (0, 1)],
    "is_set": [{"e": ONE}],
    "Compress": [
        {"input": MATRIX, "condition": np.array([True, False, True]), "axis": 0},
        {"input": MATRIX, "condition": np.array([True, False, True])},
    ],
    "TopK": [{"x": MATRIX, "k": (2,)}, {"x": CUBE, "k": (1,), "axis": 1, "largest": 0}],
    "ReverseSequence": [{"input": MATRIX, "sequence_lens": np.array([1, 2, 3, 2])}],
    "BitCast": [{"input": np.arange(3), "to": to} for to in ("f64", "u64", "i64")],
    "signed_of": [{"name": "f32"}],
    "fraction_digits": [{"name": "f32"}],
    "exponent_digits": [{"name": "f32"}],
    "rows_like": [{"x": MATRIX}],
    "with_row": [{"rows": CUBE, "x": MATRIX}],
}  # fmt: skip

THREE: Sample = {"coefficients": floats(3, 5), "rho": floats(3), "pairs": PAIRS, "labels": np.array([5, 6, 7])}
ML: dict[str, list[Sample]] = {
    "ArrayFeatureExtractor": [{"x": MATRIX, "y": np.array([2, 0])}, {"x": floats(5), "y": np.array([2, 0])}],
    "Binarizer": [{"x": MATRIX}],
    "of_feature": [{"v": floats(4), "place": 2}],
    "Scaler": [{"x": MATRIX, "offset": floats(4), "scale": floats(1)}],
    "Imputer": [
        {"x": MATRIX, "imputed_value": floats(4)},
        {"x": MATRIX, "imputed_value": floats(1), "replaced_value": Written("NaN")},
    ],
    "Normalizer": [{"x": MATRIX, "norm": one} for one in ("MAX", "L1", "L2")],
    "OneHotEncoder": [{"x": WHOLE, "cats": np.array([0, 2])}],
    "weighted": [{"x": MATRIX, "coefficients": floats(2, 4), "intercepts": floats(2)}],
    "transformed": [{"scores": MATRIX, "post_transform": one} for one in SHARES],
    "LinearRegressor": [
        {"x": MATRIX, "coefficients": floats(2, 4), "intercepts": floats(2), "post_transform": one} for one in SHARES
    ],
    "LinearClassifier": [
        {
            "x": MATRIX,
            "coefficients": floats(n, 4),
            "intercepts": floats(n),
            "labels": np.array([5, 6, 7])[-max(n, 2) :],
            "post_transform": one,
        }
        for n in (1, 3)
        for one in SHARES
    ],
    "nearness": [{"x": MATRIX, "vectors": floats(5, 4), "kernel": one, "params": floats(3)} for one in KERNELS],
    "SVMRegressor": [{**VECTORS, "kernel_type": one} for one in KERNELS] + [{**VECTORS, "one_class": 1}],
    "coupled": [{"r": np.full((3, 3), 0.5, np.float32)}],
    "likelier": [{"scores": MATRIX, "slopes": floats(4), "offsets": floats(4)}],
    "SVMClassifier": [
        {**VECTORS, **THREE},
        {**VECTORS, **THREE, "prob_a": floats(3), "prob_b": floats(3)},
        {**VECTORS, "pairs": PAIRS[:1], "labels": np.array([5, 6]), "kernel_type": "RBF"},
    ],
}

RANDOM: dict[str, list[Sample]] = {
    "told_space": [{"dtype": "", "x": MATRIX}, {"dtype": "f16", "x": MATRIX}],
    "uniform": [{"low": ONE, "high": ONE}],
    "normal": [{"mean": ONE, "scale": ONE}],
    "RandomUniform": [{"shape": (3, 4)}],
    "RandomUniformLike": [{"input": MATRIX}],
    "RandomNormal": [{"shape": (3, 4)}],
    "RandomNormalLike": [{"input": MATRIX}],
    "Bernoulli": [{"input": MATRIX}],
    "Multinomial": [{"input": MATRIX, "sample_size": size} for size in (1, 5)],
}

OLDER: dict[str, list[Sample]] = {
    "aligned": [{"b": CHANNELS, "x": X, "axis": 1}],
    "Pad_10": [{"data": MATRIX, "pads": (1, 0, 0, 2)}],
    "PRelu_6": [{"x": X, "slope": floats(1)}],
}

SHARED: dict[str, list[Sample]] = {
    "wide": [{"x": MATRIX}, {"x": MATRIX.astype(np.float16)}],
    "axes_from": [{"x": X, "first": 3}],
    "kept": [{"x": floats(3), "shape": (3, 4), "axis": 2}],
    "spread": [{"x": floats(1, 4), "c": (3, 2)}],
    "broadcasted": [{"a": MATRIX, "b": floats(4), "f": Function("(p,q) -> p*q + 1", 2)}],
    "whole_place": [{"name": "i32"}],
    **{name: [{"name": "i32"}] for name in ("digits", "least_of", "greatest_of", "count_of")},
    "greatest_float": [{"name": "f8e5m2"}],
    "like": [{"x": MATRIX, "other": WHOLE.astype(np.float64)}],
    "toward_zero": [{"x": MATRIX}],
    "into": [{"x": MATRIX, "name": "i32"}, {"x": MATRIX, "name": "f64"}, {"x": WHOLE, "name": "i32"}],
    "quotient": [{"a": MATRIX, "b": MATRIX}, {"a": WHOLE, "b": WHOLE + 1}],
    "remainder": [{"a": WHOLE, "b": WHOLE + 1}],
    "whole_quotient": [{"a": WHOLE, "b": WHOLE + 1}],
    "whole_power": [{"a": WHOLE, "n": WHOLE}],
    "limited": [{"x": MATRIX, "low": ONE, "high": ONE}],
    "wrapped": [{"x": x, "name": name} for x in (MATRIX, WHOLE) for name in ("i32", "u64", "i64")],
    "cast": [{"x": x, "name": name} for x in (MATRIX, WHOLE) for name in ("i32", "u64", "B", "f32", "f8e5m2")],
    "side_by_side": [{"x": Q}],
    "prolonged": [{"past": K, "new": K}, {"past": 0, "new": K}],
    "softplus": [{"x": MATRIX}],
    "as_power": [{"x": MATRIX, "round_mode": mode, "saturate": 1} for mode in ("up", "down", "nearest")],
    "found_along": [{"x": MATRIX, "find": Written("argmax"), "axis": 1, "keepdims": 1, "last": one} for one in (0, 1)],
    "running": [
        {"x": MATRIX, "f": Function("add", 1), "unit": 0, "axis": 1, "exclusive": one, "reverse": 1} for one in (0, 1)
    ],
    "hardmax": [{"x": MATRIX, "d": 2}],
}

QUANTISED: dict[str, list[Sample]] = {
    "parameter": [{"t": floats(4), "c": (2, 3), "axis": 2}, {"t": ONE, "c": (2, 3), "axis": 2}],
    "saturated": [{"x": MATRIX, "zero_point": 3, "name": "u8"}],
    "centred": [{"x": WHOLE, "zero_point": 3, "axis": 1}],
    "QLinearMatMul": [
        {
            "a": WHOLE.astype(np.uint8), "a_scale": ONE, "a_zero_point": np.uint8(1), "b": WHOLE.T.astype(np.uint8),
            "b_scale": ONE, "b_zero_point": np.uint8(2), "y_scale": ONE, "y_zero_point": np.uint8(3),
        }
    ],
    "QLinearConv": [
        {
            "x": np.zeros((1, 2, 5, 6), np.uint8), "x_scale": ONE, "x_zero_point": np.uint8(1),
            "w": np.zeros((3, 2, 2, 2), np.uint8), "w_scale": ONE, "w_zero_point": np.uint8(2), "y_scale": ONE,
            "y_zero_point": np.uint8(3), "b": np.zeros(3, np.int32),
        }
    ],
}  # fmt: skip

LENGTHS: list[Sample] = [{"a": np.array([7, 9]), "b": np.array([2, 4]), "positive": one} for one in (0, 1)]
QUESTIONS: Sample = {
    "roots": np.array([1, 3]), "features": np.ones(8, int), "splits": floats(8), "ways": np.ones((8, 2), int),
    "mode": 0, "depth": 2,
}  # fmt: skip
PLAIN: Sample = {**QUESTIONS, "x": floats(6, 4), "said": floats(5, 3)}
MIXED: Sample = {"mode": -1, "modes": np.zeros(8, int), "missing": np.zeros(8, int)}
TREES: dict[str, list[Sample]] = {
    "is_so": [
        {"v": ONE, "s": 1, "modes": MIXED["modes"], "splits": floats(8), "missing": 0, "mode": mode} for mode in range(-1, 6)
    ],
    "tree_leaves": [
        {**QUESTIONS, "x": floats(6, 4), "count": 3, "modes": 0, "missing": 0}, {**QUESTIONS, **MIXED, "x": floats(6, 4), "count": 3},
    ],
    "together": [
        {"leaves": np.ones((6, 2), int), "said": floats(5, 3), "aggregate": one} for one in ("SUM", "AVERAGE", "MIN", "MAX")
    ],
    "with_base": [{"scores": floats(6, 3), "base": 0}, {"scores": floats(6, 3), "base": floats(3)}],
    "TreeEnsembleRegressor": [
        PLAIN, *({**PLAIN, "aggregate": one} for one in ("AVERAGE", "MIN", "MAX")), {**PLAIN, **MIXED, "base": floats(3), "share": "SOFTMAX"},
    ],
    "TreeEnsemble": [PLAIN, {**PLAIN, **MIXED, "aggregate": "MIN", "share": "LOGISTIC"}],
    "TreeEnsembleClassifier": [
        {**PLAIN, "labels": np.arange(3)}, {**PLAIN, "labels": np.arange(3), "base": floats(3), "share": "LOGISTIC"},
        {**PLAIN, "labels": np.arange(3), "way": "SPOKEN", "spoken": floats(5, 3) > 0},
        {**PLAIN, **MIXED, "labels": np.arange(2), "way": "POSITIVE", "said": floats(5, 1)},
        {**PLAIN, "labels": np.arange(2), "way": "SIGNED", "said": floats(5, 1), "share": "LOGISTIC"},
    ],
}  # fmt: skip

_GRAMS: Sample = {
    "words": np.arange(5),
    "single": np.ones(6, int),
    "keys": np.array([1, 3, 8, 99]),
    "places": np.array([0, 2, 1, 0]),
}
_PATTERN: Sample = {"starts": np.ones(3, int), "moves": np.ones((2, 3), int), "ends": np.ones((2, 3), bool)}
TABLES: dict[str, list[Sample]] = {
    "StringConcat": [{"a": np.array(["a", "b"], object), "b": np.array([["c", "d"]], object)}],
    "in_longest_matches": [{"c": np.ones((2, 4), int), **_PATTERN}],
    "in_matches": [{"found": np.ones((2, 4), int)}],
    "is_space": [{"c": np.array(32)}],
    "between_spaces": [{"x": np.array(["a b", "c"], object), "width": np.array(4), "most": 4}],
    "StringNormalizer": [
        {"x": np.array(["a", "B", "c"], object), "case_change_action": case, "is_case_sensitive": exact}
        for case, exact in (("NONE", 0), ("LOWER", 1), ("UPPER", 0))
    ],
    "numbered": [{"x": np.ones((2, 3), int), "words": np.arange(5)}],
    "ngrams": [{"x": np.ones((2, 3), int), **_GRAMS, "size": 4, "least": 1, "most": 3, "gaps": 2}],
    "TfIdfVectorizer": [
        {
            "x": x,
            **_GRAMS,
            "scale": floats(4),
            "min_gram_length": 1,
            "max_gram_length": 2,
            "max_skip_count": skip,
            "mode": mode,
        }
        for x, skip, mode in (
            (np.ones((2, 3), int), 0, "TF"),
            (np.ones(5, int), 3, "IDF"),
            (np.ones((2, 3), int), 1, "TFIDF"),
        )
    ],
    "LabelEncoder": [
        {"x": one, "keys": keys, "values": floats(5), "other": floats(1), "missing": floats(1)}
        for one, keys in ((floats(2, 3), floats(5)), (np.array([3, 1, 4]), np.arange(5)))
    ],
}
SAMPLES = {
    **LINEAR, **CONVOLUTION, **POOLING, **NORMALISATION, **ATTENTION, **RECURRENT, **IMAGE, **SIGNAL, **TRAINING,
    **MOVEMENT, **ML, **RANDOM, **OLDER, **SHARED, **QUANTISED, **TREES, **TABLES,
}  # fmt: skip
