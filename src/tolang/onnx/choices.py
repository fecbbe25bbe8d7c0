"""What attributes may be, beyond their types: words of a choice, lengths and counts that are no zero.

Definitions of operators compare words with those they know and take any other as the last of them, and divide by steps:
so what ONNX does not allow is refused before it reaches them.
"""

from __future__ import annotations

from collections.abc import Sequence

from onnx import AttributeProto, NodeProto

from tolang.onnx.domains import LIBRARY_DOMAINS, operator_of, plain
from tolang.onnx.elements import Array
from tolang.onnx.faults import node_error
from tolang.onnx.stored import Weight, elements_of

POSITIVE = frozenset({
    "blocksize", "chunk_size", "dilations", "group", "hidden_size", "kernel_shape", "kv_num_heads", "min_gram_length",
    "n_targets", "num_groups", "num_outputs", "offset_group", "output_height", "output_width", "p", "pooled_shape",
    "q_num_heads", "sample_size", "size", "strides", "targets",
})  # fmt: skip
"""Lengths, steps and counts, which are at least 1."""
COUNTS = frozenset({"batch_dims", "block_size", "max_skip_count", "output_padding", "sampling_ratio"})
"""Lengths and counts that may be 0."""

FLAGS = frozenset({
    "align_corners", "allowzero", "antialias", "ceil_mode", "center_point_box", "count_include_pad", "detect_negative",
    "detect_positive", "exclude_outside", "exclusive", "fmod", "input_forget", "interleaved", "inverse", "is_causal",
    "is_case_sensitive", "keepdims", "largest", "layout", "linear_before_reset", "new_axis", "noop_with_empty_axes",
    "onesided", "periodic", "reverse", "saturate", "select_last_index", "sorted", "storage_order", "training_mode",
    "transA", "transB", "upper", "zeros",
})  # fmt: skip
"""Attributes that are 0 or 1."""

_REDUCTIONS = ("none", "add", "mul", "max", "min")
_LOSSES = ("none", "mean", "sum")
_DIRECTIONS = ("forward", "reverse", "bidirectional")
_ACTIVATIONS = (
    "Sigmoid", "Tanh", "Relu", "Affine", "LeakyRelu", "ThresholdedRelu", "ScaledTanh", "HardSigmoid", "Elu",
    "Softsign", "Softplus",
)  # fmt: skip
_FUSED = ("", "Relu", "Tanh", "Sigmoid", "LeakyRelu", "Clip", "HardSigmoid")
_ORDERS = ("DCR", "CRD")
_POST = ("NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT")

WORDS: dict[str, tuple[str, ...]] = {
    "activation": ("none", "silu", "swish"),
    "activations": _ACTIVATIONS,
    "aggregate_function": ("AVERAGE", "SUM", "MIN", "MAX"),
    "approximate": ("none", "tanh"),
    "auto_pad": ("NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"),
    "case_change_action": ("NONE", "LOWER", "UPPER"),
    "coordinate_transformation_mode": (
        "half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric",
        "tf_crop_and_resize", "tf_half_pixel_for_nn",
    ),
    "direction": _DIRECTIONS,
    "keep_aspect_ratio_policy": ("stretch", "not_larger", "not_smaller"),
    "kernel_type": ("LINEAR", "POLY", "RBF", "SIGMOID"),
    "nearest_mode": ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil"),
    "norm": ("MAX", "L1", "L2"),
    "padding_mode": ("zeros", "border", "reflection"),
    "pixel_format": ("RGB", "BGR", "Grayscale"),
    "post_transform": _POST,
    "reduction": _LOSSES,
    "round_mode": ("up", "down", "nearest"),
    "update_rule": ("linear", "gated", "delta", "gated_delta"),
}  # fmt: skip
"""The words that attributes of a name are one of."""

OWN_WORDS: dict[tuple[str, str], tuple[str, ...]] = {
    ("RoiAlign", "coordinate_transformation_mode"): ("half_pixel", "output_half_pixel"),
    ("BitShift", "direction"): ("LEFT", "RIGHT"),
    ("ScatterElements", "reduction"): _REDUCTIONS,
    ("ScatterND", "reduction"): _REDUCTIONS,
    ("DepthToSpace", "mode"): _ORDERS,
    ("SpaceToDepth", "mode"): _ORDERS,
    ("GridSample", "mode"): ("bilinear", "linear", "nearest", "bicubic", "cubic"),
    ("Momentum", "mode"): ("standard", "nesterov"),
    ("Pad", "mode"): ("constant", "reflect", "edge", "wrap"),
    ("Resize", "mode"): ("nearest", "linear", "cubic"),
    ("RoiAlign", "mode"): ("avg", "max"),
    ("TensorScatter", "mode"): ("linear", "circular"),
    ("TfIdfVectorizer", "mode"): ("TF", "IDF", "TFIDF"),
    ("Upsample", "mode"): ("nearest", "linear", "bilinear"),
    ("FusedConv", "activation"): _FUSED,
    ("FusedGemm", "activation"): _FUSED,
}
"""The words of attributes whose name has another meaning with an operator."""


STEPS = frozenset({("Range", 2), ("Slice", 4)})
"""Inputs, by operator and place, that are no 0."""
SCALES = frozenset({("Resize", 2), ("Upsample", 1)})
"""Inputs that are greater than 0."""
AXES = frozenset(
    {("Slice", 3), ("Pad", 3), ("Squeeze", 1), ("Unsqueeze", 1)}
    | {(f"Reduce{kind}", 1) for kind in ("Sum", "Mean", "Max", "Min", "Prod", "L1", "L2", "LogSum", "LogSumExp")}
    | {("ReduceSumSquare", 1)}
)
"""Inputs that name axes, each of them once."""
FILTERS = {"Conv": 1, "ConvTranspose": 1, "ConvInteger": 1, "DeformConv": 1, "QLinearConv": 3}
"""Operators with filters, and the place of these."""


def refuse_unfit_values(node: NodeProto, known: Sequence[Array | Weight | None]) -> None:
    """An error where inputs whose elements, or shapes, are known are nothing that the operator can take."""
    operator = operator_of(node)
    for place, one in enumerate(known):
        key = operator, place
        if one is None or one.dtype.kind not in "iuf" or not (key in STEPS or key in SCALES or key in AXES):
            continue
        found = elements_of(one).reshape(-1).tolist()
        refused = (key in STEPS and 0 in found) or (key in SCALES and not all(n > 0 for n in found))
        if refused or (key in AXES and len(set(found)) < len(found)):
            expected = "no 0" if key in STEPS else "numbers above 0" if key in SCALES else "each axis once"
            raise node_error("E703", node, f"has an impossible input {place + 1}", str(found), expected)
    filters = known[FILTERS[operator]] if operator in FILTERS else None
    if filters is not None:
        _refuse_other_filters(node, filters.shape)


def _refuse_other_filters(node: NodeProto, shape: Sequence[int]) -> None:
    """An error where filters are of another shape than the node says."""
    for one in node.attribute:
        if one.name == "kernel_shape" and tuple(one.ints) != tuple(shape[2:]):
            raise node_error("E703", node, "has filters of another kernel_shape", str(list(shape)), str(list(one.ints)))
        if one.name == "group" and shape[0] % one.i:
            raise node_error(
                "E703", node, "has filters that are no groups of one size", str(shape[0]), f"{one.i} groups"
            )


def refuse_impossible(node: NodeProto, one: AttributeProto) -> None:
    """An error where an attribute is of the right type and yet nothing that its operator can take.

    What attributes mean with operators that a user defines, the user says.
    """
    if plain(node.domain) not in LIBRARY_DOMAINS:
        return
    numbers: list[int] = [one.i] if one.type == AttributeProto.INT else list(one.ints)
    if one.name == "axes" and len(set(numbers)) < len(numbers):
        raise node_error("E703", node, "has an axis twice", found=str(numbers))
    if one.name in FLAGS and not 0 <= one.i <= 1:
        raise node_error("E703", node, f"has an impossible {one.name}", str(one.i), "0 or 1")
    least = 1 if one.name in POSITIVE else 0 if one.name in COUNTS else None
    if least is not None and any(number < least for number in numbers):
        found = ", ".join(map(str, numbers))
        raise node_error("E703", node, f"has an impossible {one.name}", found, f"{least} or more")
    words = OWN_WORDS.get((node.op_type, one.name)) or WORDS.get(one.name)
    texts: list[bytes] = [one.s] if one.type == AttributeProto.STRING else list(one.strings)
    written = (text.decode("utf-8", "backslashreplace") for text in texts)
    other = next((text for text in written if words and text not in words), None)
    if words and other is not None:
        raise node_error("E703", node, f"has an impossible {one.name}", other, ", ".join(words))
