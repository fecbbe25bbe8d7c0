"""Models with operators outside ToLang: parts that are programs, and between them what Python computes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import onnx
from onnx import GraphProto, ModelProto, NodeProto, TensorProto, helper

from tolang.onnx.forests import Computed
from tolang.onnx.outside import is_outside, ready


class OutsideNode:
    """A node that Python computes, made ready when it runs first."""

    def __init__(self, node: NodeProto) -> None:
        self.node, self.op_type = node, node.op_type

    @cached_property
    def _computed(self) -> Computed:
        return ready(self.node)

    def run(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Its outputs, by name."""
        results = self._computed([values[name] for name in self.node.input if name])
        return dict(zip(self.node.output, results, strict=False))


@dataclass(frozen=True, slots=True)
class Stage:
    """Nodes that run together: a model of their own, or one node outside ToLang."""

    model: ModelProto | None
    node: OutsideNode | None = None


def stages(model: ModelProto) -> list[Stage]:
    """A model in stages; empty where it is one program."""
    outside = _outside(model)
    if not any(outside):
        return []
    groups: list[list[NodeProto]] = [[]]
    for node, apart in zip(model.graph.node, outside, strict=True):
        if apart:
            groups.extend([[node], []])
        else:
            groups[-1].append(node)
    apart_ids = {id(node) for node, apart in zip(model.graph.node, outside, strict=True) if apart}
    results: list[Stage] = []
    for place, group in enumerate(groups):
        if group and id(group[0]) in apart_ids:
            results.append(Stage(None, OutsideNode(group[0])))
        elif group or place == len(groups) - 1:
            later = {name for other in groups[place + 1 :] for node in other for name in node.input}
            results.append(Stage(_part(model, group, later)))
    return results


def has_outside(model: ModelProto) -> bool:
    """Whether a model has an operator outside ToLang."""
    return any(_outside(model))


def _outside(model: ModelProto) -> list[bool]:
    """Of each node whether it is outside ToLang."""
    elements = _elements(model) if _has_text(model) else {}
    return [is_outside(node, elements) for node in model.graph.node]


def _has_text(model: ModelProto) -> bool:
    goals = [one.i for node in model.graph.node if node.op_type == "Cast" for one in node.attribute]
    infos = [one.type.tensor_type.elem_type for one in model.graph.input]
    return TensorProto.STRING in (*goals, *infos)


def _elements(model: ModelProto) -> dict[str, int]:
    """Element types of values, as far as ONNX infers them."""
    inferred = onnx.shape_inference.infer_shapes(model).graph
    infos = (*inferred.input, *inferred.value_info, *inferred.output)
    return {one.name: one.type.tensor_type.elem_type for one in infos}


def _part(model: ModelProto, nodes: Sequence[NodeProto], later: set[str]) -> ModelProto:
    """Some nodes as a model: its inputs are what they use, its outputs what is used later."""
    made = {name for node in nodes for name in node.output if name}
    used = _used(nodes)
    given = {one.name: one for one in model.graph.input}
    kept = [one for one in model.graph.initializer if one.name in used]
    outputs = [one.name for one in model.graph.output]
    wanted = [name for name in sorted(made) if name in later or name in outputs]
    own = {one.name for one in kept}
    names = sorted(name for name in used - made - own if name)
    inputs = [given.get(name, helper.make_empty_tensor_value_info(name)) for name in names]
    graph = helper.make_graph(
        nodes, "part", inputs, [helper.make_empty_tensor_value_info(name) for name in wanted], kept
    )
    part = helper.make_model(graph, opset_imports=model.opset_import, functions=model.functions)
    return part


def _used(nodes: Sequence[NodeProto]) -> set[str]:
    found: set[str] = set()
    for node in nodes:
        found.update(node.input)
        for attribute in node.attribute:
            if attribute.HasField("g"):
                found |= _used(attribute.g.node) | {one.name for one in attribute.g.output}
                found -= _inner(attribute.g)
    return found


def _inner(graph: GraphProto) -> set[str]:
    made = {name for node in graph.node for name in node.output}
    return made | {one.name for one in graph.input} | {one.name for one in graph.initializer}
