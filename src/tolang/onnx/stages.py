"""Models with operators outside ToLang: parts that are programs, and between them what Python computes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from onnx import GraphProto, ModelProto, NodeProto, helper

from tolang.ground.dataclasses import dataclass
from tolang.onnx.defined import Operators
from tolang.onnx.domains import OWN_DOMAINS, plain
from tolang.onnx.elements import element_of
from tolang.onnx.faults import model_error, node_error
from tolang.onnx.outside import Computed, is_outside, ready
from tolang.onnx.signatures import OperatorSignature, opsets_of, signature_of
from tolang.onnx.soundness import called, function_key
from tolang.onnx.tensor_types import given_elements

MOST_OUTSIDE = 1000
"""A model has at most so many nodes outside ToLang, between which it is taken to pieces."""


class OutsideNode:
    """A node that Python computes, made ready when it runs first."""

    def __init__(self, node: NodeProto, operator: OperatorSignature) -> None:
        self.node, self.op_type, self.operator = node, node.op_type, operator

    @cached_property
    def _computed(self) -> Computed:
        return ready(self.node)

    def run(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Its outputs, by name; an error where attributes and data do not go together, which computing finds out."""
        inputs = [values[name] if name else None for name in self.node.input]
        self._refuse_unfit(inputs)
        try:
            results = self._computed([one for one in inputs if one is not None])
        except MemoryError:
            raise node_error("E508", self.node, "needs more memory than there is") from None
        except (ValueError, TypeError, LookupError, ArithmeticError) as error:
            message = "has attributes that do not fit one another, or its inputs"
            raise node_error("E703", self.node, message, found=f"{type(error).__name__}: {error}") from error
        return dict(zip(self.node.output, results, strict=False))

    def _refuse_unfit(self, inputs: Sequence[Any]) -> None:
        """An error where inputs are not what the operator takes: no tensors, or of other elements."""
        for place, (name, one) in enumerate(zip(self.node.input, inputs, strict=True), 1):
            if name and not isinstance(one, np.ndarray):
                raise node_error("E703", self.node, f"takes a tensor as its input {place}", found=type(one).__name__)
        given_elements(self.node, self.operator, [None if one is None else element_of(one) for one in inputs])


@dataclass(frozen=True, slots=True)
class ModelStage:
    """Nodes that run together: a model of their own, or one node outside ToLang."""

    model: ModelProto | None
    node: OutsideNode | None = None


def stages(model: ModelProto, own: Operators) -> list[ModelStage]:
    """A model in stages; empty where it is one program."""
    outside = _outside(model, own)
    if not any(outside):
        return []
    if sum(outside) > MOST_OUTSIDE:
        message = "the model has too many nodes outside ToLang"
        raise model_error("E703", message, found=str(sum(outside)), expected=f"at most {MOST_OUTSIDE}")
    groups: list[tuple[bool, list[NodeProto]]] = [(False, [])]
    for node, apart in zip(model.graph.node, outside, strict=True):
        if apart:
            groups.extend([(True, [node]), (False, [])])
        else:
            groups[-1][1].append(node)
    whole, results, opsets = _Whole(model), list[ModelStage](), opsets_of(model.opset_import, own)
    wanted = {one.name for one in model.graph.output}
    for place, (apart, nodes) in reversed(list(enumerate(groups))):
        if apart:
            results.append(ModelStage(None, OutsideNode(nodes[0], signature_of(nodes[0], opsets))))
        elif nodes or place == len(groups) - 1:
            results.append(ModelStage(whole.part(nodes, wanted)))
        wanted |= _used(nodes)
    return results[::-1]


def has_outside(model: ModelProto, own: Operators) -> bool:
    """Whether a model has an operator outside ToLang."""
    return any(_outside(model, own))


def _outside(model: ModelProto, own: Operators) -> list[bool]:
    """Of each node whether it is outside ToLang."""
    functions = {function_key(one) for one in model.functions}
    return [
        called(node) not in functions and is_outside(node) and not _is_defined(node, own) for node in model.graph.node
    ]


def _is_defined(node: NodeProto, own: Operators) -> bool:
    """Whether somebody says in ToLang what an operator is that ONNX does not declare."""
    return plain(node.domain) not in OWN_DOMAINS and own.head(node.domain, node.op_type) is not None


class _Whole:
    """A model of which parts are made."""

    def __init__(self, model: ModelProto) -> None:
        self.model, graph = model, model.graph
        self.inputs = {one.name: one for one in graph.input}
        self.initializers = {one.name: one for one in graph.initializer}
        self.sparse = {one.values.name: one for one in graph.sparse_initializer}

    def part(self, nodes: Sequence[NodeProto], later: set[str]) -> ModelProto:
        """Some nodes as a model: its inputs are what they use, its outputs what is used later."""
        made = {name for node in nodes for name in node.output if name}
        used = sorted(name for name in _used(nodes) - made if name)
        kept = [self.initializers[name] for name in used if name in self.initializers]
        sparse = [self.sparse[name] for name in used if name in self.sparse]
        given = [
            self.inputs.get(name, helper.make_empty_tensor_value_info(name))
            for name in used
            if name not in self.initializers and name not in self.sparse
        ]
        wanted = [helper.make_empty_tensor_value_info(name) for name in sorted(made & later)]
        graph = helper.make_graph(nodes, "part", given, wanted, kept, sparse_initializer=sparse)
        return helper.make_model(graph, opset_imports=self.model.opset_import, functions=self.model.functions)


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
