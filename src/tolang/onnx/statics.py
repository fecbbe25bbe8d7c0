"""Which inputs of which operators must be known while checking: shapes, axes, paddings, counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from onnx import GraphProto, NodeProto, TensorProto, ValueInfoProto

from tolang.onnx.domains import operator_of

STATIC_INPUTS: dict[str, tuple[int, ...]] = {
    "Reshape": (1,), "Expand": (1,), "Tile": (1,), "Slice": (1, 2, 3, 4), "Pad": (1, 3), "Squeeze": (1,),
    "Unsqueeze": (1,), "Split": (1,), "TopK": (1,), "ConstantOfShape": (0,), "Resize": (1, 2, 3), "Upsample": (1,),
    "OneHot": (1,), "CumSum": (1,), "CumProd": (1,), "Trilu": (1,), "CenterCropPad": (1,), "DFT": (1, 2),
    "STFT": (1, 3), "BlackmanWindow": (0,), "HannWindow": (0,), "HammingWindow": (0,), "Col2Im": (1, 2),
    "AffineGrid": (1,), "MelWeightMatrix": (0, 1, 2, 3, 4), "MaxUnpool": (2,), "SequenceAt": (1,),
    "SequenceErase": (1,), "SequenceInsert": (2,), "SplitToSequence": (1,), "Dropout": (2,),
    "NonMaxSuppression": (2,), "If": (0,), "Loop": (0, 1), "com.microsoft.ExpandDims": (1,),
    "com.microsoft.GroupQueryAttention": (6,), "com.microsoft.Pad": (1,), "com.microsoft.Trilu": (1,),
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
    """The graph's inputs that some operator needs to know while checking, itself or by way of others.

    Branches and loops do without, so that they ask for what they follow from only where all of it may be known.
    """
    inputs = {one.name: one for one in graph.input}
    makers = _makers(graph)
    needed = _needed(graph)
    long = _follow_from(makers, {name for name, one in inputs.items() if not _is_short(one)})
    firm = {direct for node, direct in needed if node.op_type not in ("If", "Loop")}
    firm |= {direct for _, direct in needed if direct not in long}
    reached = _sources(makers, firm)
    return {
        name
        for name, one in inputs.items()
        if name in reached and (_is_short(one) or (name in firm and _is_short(one, of_floats=True)))
    }


def _needed(graph: GraphProto) -> list[tuple[NodeProto, str]]:
    """Values that must be known, in the graph and in its subgraphs."""
    needed: list[tuple[NodeProto, str]] = []
    for node in graph.node:
        positions = STATIC_INPUTS.get(operator_of(node), ())
        needed.extend((node, node.input[k]) for k in positions if k < len(node.input) and node.input[k])
        for attribute in node.attribute:
            if attribute.HasField("g"):
                needed.extend(_needed(attribute.g))
    return needed


def _sources(makers: Mapping[str, NodeProto], names: Iterable[str]) -> set[str]:
    """Names of values, and of everything that they follow from."""
    wanted, found = [*names], set()
    while wanted:
        one = wanted.pop()
        if one not in found:
            found.add(one)
            wanted.extend(_parents(makers, one))
    return found


def _parents(makers: Mapping[str, NodeProto], name: str) -> list[str]:
    """The names of what a value follows from directly."""
    node = makers.get(name)
    if node is None or operator_of(node) in SHAPE_READERS:
        return []
    inner = (output.name for one in node.attribute if one.HasField("g") for output in one.g.output)
    return [other for other in (*node.input, *inner) if other]


def _follow_from(makers: Mapping[str, NodeProto], names: set[str]) -> set[str]:
    """Names of values, and of everything that follows from them."""
    children: dict[str, list[str]] = {}
    for name in makers:
        for parent in _parents(makers, name):
            children.setdefault(parent, []).append(name)
    wanted, found = [*names], set()
    while wanted:
        one = wanted.pop()
        if one not in found:
            found.add(one)
            wanted.extend(children.get(one, ()))
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


def _is_short(info: ValueInfoProto, of_floats: bool = False) -> bool:
    """Whether an input may be a shape, axes or a count: a few whole numbers, or any where floats may be, too."""
    kind = info.type.tensor_type
    if info.type.WhichOneof("value") != "tensor_type" or (kind.elem_type in NUMBERS and not of_floats):
        return False
    lengths = [one.dim_value for one in kind.shape.dim]
    return len(lengths) <= 1 and all(0 <= n <= LONGEST_STATIC for n in lengths)
