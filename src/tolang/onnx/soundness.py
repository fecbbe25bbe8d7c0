"""Whether a model is sound, before anything of it is used: what is not is an error that tells the node.

Texts are text, every value is given once and before it is used, every node is one of an operator that ONNX declares or
of a function of the model, and functions and subgraphs end: written out they are so many nodes, and nest only so deep.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from onnx import FunctionProto, GraphProto, ModelProto, NodeProto, ValueInfoProto

from tolang.ground.dataclasses import dataclass, field
from tolang.onnx.defined import NO_MORE, Operators
from tolang.onnx.domains import plain, shown
from tolang.onnx.faults import model_error, node_error, told
from tolang.onnx.protos import refuse_damaged, space_of
from tolang.onnx.signatures import Opsets, known_opsets, opsets_of, refuse_unfit, signature, signature_of
from tolang.onnx.tensor_types import declared_elements, space

MOST_NODES = 1 << 16
"""A model is of at most so many nodes, with functions in place of their calls."""
DEEPEST = 50
"""Subgraphs and functions nest at most so deep."""

Key = tuple[str, str, str]
"""A function by its domain, its name and, where there are several of a name, which of them."""
Functions = Mapping[Key, FunctionProto]
NO_TENSORS = ("sparse_tensor_type", "map_type", "opaque_type")


@dataclass(frozen=True, slots=True)
class Extent:
    """How many nodes something is once functions are written in place of calls, and how deep these nest."""

    nodes: int = 0
    depth: int = 0


@dataclass(frozen=True, slots=True)
class VisibleNames:
    """Names of values that are given so far; a subgraph sees those of the graph around it."""

    given: set[str] = field(default_factory=set)
    outer: VisibleNames | None = None

    def __contains__(self, name: str) -> bool:
        scope: VisibleNames | None = self
        while scope is not None:
            if name in scope.given:
                return True
            scope = scope.outer
        return False

    def add(self, name: str, giver: str | NodeProto) -> None:
        if name in self.given:
            again = giver if isinstance(giver, str) else told(giver)
            raise model_error("E702", f"the value {name!r} is given twice", found=f"{again} gives it again")
        self.given.add(name)


def function_key(one: FunctionProto) -> Key:
    """What calls find a function by."""
    return plain(one.domain), one.name, one.overload


def called(node: NodeProto) -> Key:
    """What a node finds a function of the model by."""
    return plain(node.domain), node.op_type, node.overload


def refuse_unsound(model: ModelProto, own: Operators = NO_MORE) -> None:
    """An error where a model is not sound."""
    refuse_damaged(model)
    walk = _ModelWalk(model, own)
    _refuse_large(walk.graph(model.graph, None, walk.opsets, 0))


def _refuse_large(extent: Extent) -> None:
    if extent.nodes > MOST_NODES:
        message = "the model is of too many nodes, its functions written in place of their calls"
        raise model_error("E703", message, found=str(extent.nodes), expected=f"at most {MOST_NODES}")
    if extent.depth > DEEPEST:
        message = "the subgraphs and functions of the model nest too deeply"
        raise model_error("E703", message, found=str(extent.depth), expected=f"at most {DEEPEST} in one another")


class _ModelWalk:
    """A pass over a model, node by node."""

    def __init__(self, model: ModelProto, own: Operators) -> None:
        self.opsets = opsets_of(model.opset_import, own)
        self.functions: dict[Key, FunctionProto] = {}
        for one in model.functions:
            texts((one.domain, one.name, one.overload, *one.input, *one.output, *one.attribute), "a function")
            if self.functions.setdefault(function_key(one), one) is not one:
                raise model_error("E702", f"the model has two functions {one.name!r} of the domain {one.domain!r}")
            newest = known_opsets().get(plain(one.domain))
            if newest is not None and signature(plain(one.domain), one.name, newest) is not None:
                domain = shown(plain(one.domain))
                raise model_error("E703", f"the function {one.name!r} has the name of an operator of {domain}")
        self.extents: dict[Key, Extent] = {}
        self.entered: list[Key] = []

    def graph(self, graph: GraphProto, outer: VisibleNames | None, opsets: Opsets, depth: int) -> Extent:
        """A graph or subgraph, its values and its nodes."""
        _refuse_large(Extent(0, depth))
        names = VisibleNames(outer=outer)
        texts((graph.name,), "a graph")
        for info in graph.input:
            _refuse_impossible(info)
            names.add(info.name, "an input of the graph")
        initializers = VisibleNames()
        for name in (*(one.name for one in graph.initializer), *(one.values.name for one in graph.sparse_initializer)):
            texts((name,), "a tensor")
            initializers.add(name, "an initializer")
        _refuse_other_kinds(graph)
        names.given.update(initializers.given)
        extent = self.nodes(graph.node, names, opsets, depth)
        for info in graph.output:
            texts((info.name,), "an output of the graph")
            if info.name not in names:
                raise model_error("E702", f"nothing gives {info.name!r}, which the graph is to give")
        return extent

    def nodes(self, nodes: Iterable[NodeProto], names: VisibleNames, opsets: Opsets, depth: int) -> Extent:
        """Nodes one after the other."""
        count = deepest = 0
        for node in nodes:
            texts((node.op_type, node.domain, node.name, node.overload), "a node")
            texts((*node.input, *node.output, *(one.name for one in node.attribute)), node)
            missing = next((name for name in node.input if name and name not in names), None)
            if missing is not None:
                raise node_error("E702", node, f"uses {missing!r}, which nothing before it gives")
            inner = self.operation(node, names, opsets, depth)
            count, deepest = count + 1 + inner.nodes, max(deepest, inner.depth)
            for name in filter(None, node.output):
                names.add(name, node)
        return Extent(count, deepest)

    def operation(self, node: NodeProto, names: VisibleNames, opsets: Opsets, depth: int) -> Extent:
        """What a node does: a function of the model, or an operator, with its subgraphs.

        In a function what a node is given for attributes is known with the call alone, and judged there.
        """
        function = self.functions.get(called(node))
        if function is not None:
            refuse_unfit_call(node, function)
            inside = [self.function(called(node), function, depth + 1)]
        else:
            operator = signature_of(node, opsets)
            if not self.entered:
                refuse_unfit(node, operator)
            inside = []
        for one in node.attribute:
            graphs = [*([one.g] if one.HasField("g") else []), *one.graphs]
            inside += [self.graph(inner, names, opsets, depth + 1) for inner in graphs]
        if not inside:
            return Extent()
        return Extent(sum(one.nodes for one in inside), 1 + max(one.depth for one in inside))

    def function(self, key: Key, function: FunctionProto, depth: int) -> Extent:
        """A function, looked at once."""
        if key in self.entered:
            circle = " calls ".join(name for _, name, _ in (*self.entered[self.entered.index(key) :], key))
            raise model_error("E702", f"the function {function.name!r} calls itself", found=circle)
        if key not in self.extents:
            _refuse_large(Extent(0, depth))
            self.entered.append(key)
            names = VisibleNames()
            for name in function.input:
                names.add(name, f"the function {function.name!r}")
            opsets = self.opsets.within(function.opset_import)
            self.extents[key] = self.nodes(function.node, names, opsets, depth)
            for name in function.output:
                if name not in names:
                    raise model_error(
                        "E702", f"nothing gives {name!r}, which the function {function.name!r} is to give"
                    )
            self.entered.pop()
            _refuse_large(self.extents[key])
        return self.extents[key]


def refuse_unfit_call(node: NodeProto, function: FunctionProto) -> None:
    """An error where a call of a function of the model has not what the function takes and gives."""
    for kind, found, formal in (("inputs", node.input, function.input), ("outputs", node.output, function.output)):
        if len(found) > len(formal):
            message = f"has more {kind} than its function"
            raise node_error("E703", node, message, found=str(len(found)), expected=f"at most {len(formal)}")
    known = {*function.attribute, *(one.name for one in function.attribute_proto)}
    unknown = next((one.name for one in node.attribute if one.name not in known), None)
    if unknown is not None:
        raise node_error("E703", node, f"has no attribute {unknown!r}", expected=", ".join(sorted(known)) or "none")


def texts(found: Sequence[str | bytes], where: str | NodeProto) -> None:
    """An error where something is no text: what is not UTF-8 comes as bytes."""
    for one in found:
        if not isinstance(one, str):
            place = where if isinstance(where, str) else told(where)
            raise model_error("E702", f"{place} has a name that is not UTF-8 text", found=repr(one))


def _refuse_other_kinds(graph: GraphProto) -> None:
    """An error where a tensor of the graph is declared with other elements than it has."""
    declared = declared_elements((*graph.input, *graph.value_info, *graph.output))
    for one in graph.initializer:
        if declared.get(one.name, one.data_type) != one.data_type:
            found, expected = space(one.data_type), space(declared[one.name])
            raise model_error("E703", f"the tensor {one.name!r} is declared with other elements", found, expected)


def _refuse_impossible(info: ValueInfoProto) -> None:
    """An error where an input is declared as nothing that there is."""
    texts((info.name,), "an input of the graph")
    if not info.name:
        raise model_error("E702", "an input of the graph has no name")
    kind = info.type.WhichOneof("value")
    if kind in NO_TENSORS:
        raise model_error("E704", f"the input {info.name!r} is not a tensor, sequence or optional", found=kind)
    if info.type.tensor_type.elem_type:
        space_of(info.type.tensor_type.elem_type)
    dimensions = info.type.tensor_type.shape.dim
    texts([one.dim_param for one in dimensions], f"the shape of {info.name!r}")
    lengths = [one.dim_value for one in dimensions]
    if any(one < -1 for one in lengths):
        raise model_error("E702", f"the input {info.name!r} has impossible lengths", found=str(lengths))
