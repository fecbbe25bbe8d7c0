"""Which inputs of which operators must be known while checking: shapes, axes, paddings, counts."""

from __future__ import annotations

from collections.abc import Mapping

from onnx import GraphProto, NodeProto, TensorProto, ValueInfoProto

STATIC_INPUTS: dict[str, tuple[int, ...]] = {
    "Reshape": (1,), "Expand": (1,), "Tile": (1,), "Slice": (1, 2, 3, 4), "Pad": (1, 3), "Squeeze": (1,),
    "Unsqueeze": (1,), "Split": (1,), "TopK": (1,), "ConstantOfShape": (0,), "Resize": (1, 2, 3), "Upsample": (1,),
    "OneHot": (1,), "CumSum": (1,), "CumProd": (1,), "Trilu": (1,), "CenterCropPad": (1,), "DFT": (1, 2),
    "STFT": (1, 3), "BlackmanWindow": (0,), "HannWindow": (0,), "HammingWindow": (0,), "Col2Im": (1, 2),
    "AffineGrid": (1,), "MelWeightMatrix": (0, 1, 2, 3, 4), "MaxUnpool": (2,), "SequenceAt": (1,),
    "SequenceErase": (1,), "SequenceInsert": (2,), "SplitToSequence": (1,), "Dropout": (2,),
    "NonMaxSuppression": (2,), "If": (0,), "Loop": (0, 1),
    **{
        f"Reduce{kind}": (1,)
        for kind in ("Sum", "Mean", "Max", "Min", "Prod", "L1", "L2", "LogSum", "LogSumExp", "SumSquare")
    },
}  # fmt: skip
"""Operators and the positions of such inputs, from 0."""

SHAPE_READERS = frozenset({"Shape", "Size", "SequenceLength", "OptionalHasElement"})
"""Operators that read no element, only the shape, so that what they are given need not be known."""

COUNTERS = frozenset({"Range"})
"""Operators that make a tensor as long as a measured length: its elements are data, not lengths."""

LONGEST_STATIC = 64
"""An input of more elements than this is data, whatever it is used for."""

NUMBERS = (TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.FLOAT16, TensorProto.BFLOAT16)


def static_inputs(graph: GraphProto) -> set[str]:
    """The graph's inputs that some operator needs to know while checking, itself or by way of others."""
    inputs = {one.name: one for one in graph.input}
    found: set[str] = set()
    makers = _makers(graph)
    for node, direct in _needed(graph):
        sources = _sources(makers, direct)
        reached = [inputs[name] for name in sources if name in inputs]
        optional = node.op_type in ("If", "Loop")
        if all(_is_short(one, direct) for one in reached) or not optional:
            found.update(one.name for one in reached if _is_short(one, direct))
    return found


def _needed(graph: GraphProto) -> list[tuple[NodeProto, str]]:
    """Values that must be known, in the graph and in its subgraphs."""
    needed: list[tuple[NodeProto, str]] = []
    for node in graph.node:
        positions = STATIC_INPUTS.get(node.op_type, ()) if node.domain in ("", "ai.onnx") else ()
        needed.extend((node, node.input[k]) for k in positions if k < len(node.input) and node.input[k])
        for attribute in node.attribute:
            if attribute.HasField("g"):
                needed.extend(_needed(attribute.g))
    return needed


def _sources(makers: Mapping[str, NodeProto], name: str) -> set[str]:
    """A value's name, and the names of everything that it follows from."""
    wanted, found = [name], set()
    while wanted:
        one = wanted.pop()
        if one in found:
            continue
        found.add(one)
        node = makers.get(one)
        if node is not None and node.op_type not in SHAPE_READERS:
            wanted.extend(other for other in node.input if other)
            wanted.extend(output.name for one in node.attribute if one.HasField("g") for output in one.g.output)
    return found


def _makers(graph: GraphProto) -> dict[str, NodeProto]:
    """The node that gives each value, in the graph and in its subgraphs."""
    found: dict[str, NodeProto] = {}
    for node in graph.node:
        found.update(dict.fromkeys(filter(None, node.output), node))
        for attribute in node.attribute:
            if attribute.HasField("g"):
                found.update(_makers(attribute.g))
    return found


def _is_short(info: ValueInfoProto, direct: str) -> bool:
    """Whether an input may be a shape, axes or a count: a few whole numbers, or any numbers that are used directly."""
    kind = info.type.tensor_type
    if info.type.WhichOneof("value") != "tensor_type" or (kind.elem_type in NUMBERS and info.name != direct):
        return False
    lengths = [one.dim_value for one in kind.shape.dim]
    return len(lengths) <= 1 and all(0 <= n <= LONGEST_STATIC for n in lengths)
