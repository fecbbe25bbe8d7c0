"""Subgraphs of nodes: written in place or as blocks; and what of a condition or count is known while importing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from onnx import GraphProto, NodeProto, helper

from tolang.ground.dataclasses import dataclass
from tolang.onnx.elements import Array, vector
from tolang.onnx.faults import model_error
from tolang.onnx.importer import GraphScope, Importer
from tolang.onnx.tensor_types import element_in
from tolang.onnx.values import TensorValue, Value
from tolang.syntax import making, tree


@dataclass(frozen=True, slots=True)
class SubgraphBlock:
    """A subgraph as an expression, and the element types of what it gives, where they are known."""

    expression: tree.BlockExpression
    elements: tuple[int | None, ...]


def body_of(node: NodeProto, name: str, inputs: int, outputs: int) -> GraphProto:
    """A subgraph of a node, which takes and gives so many values."""
    found: GraphProto = next(one.g for one in node.attribute if one.name == name)
    for kind, values, wanted in (("inputs", found.input, inputs), ("outputs", found.output, outputs)):
        if len(values) != wanted:
            message = f"the subgraph {name} has another number of {kind} than its node"
            raise model_error("E703", message, found=str(len(values)), expected=str(wanted))
    return found


def loop_body(node: NodeProto) -> GraphProto:
    """The body of a loop: of the number of the step, the condition and the states; of these again, and of rows."""
    return body_of(node, "body", len(node.input), 1 + len(node.output))


def run_body(importer: Importer, body: GraphProto, inputs: Sequence[Value], scope: GraphScope) -> list[Value]:
    """The nodes of a subgraph, written in place, and its outputs."""
    inner = GraphScope({info.name: value for info, value in zip(body.input, inputs, strict=False)}, scope)
    importer.graph(body, inner)
    found = [inner.find(info.name) for info in body.output]
    results = [one for one in found if one is not None]
    if len(results) < len(found):
        raise model_error("E703", "a subgraph gives an input of a function that the call leaves out")
    return results


def block(
    importer: Importer,
    body: GraphProto,
    inputs: Sequence[Value],
    scope: GraphScope,
    assumed: Mapping[str, tree.Expression] = MappingProxyType({}),
) -> SubgraphBlock:
    """A subgraph as a ToLang block that gives its outputs; its inputs are assumed to be as some expressions."""
    with importer.definitions.block(assumed):
        results = run_body(importer, body, inputs, scope)
        inside = importer.definitions.in_block()
    if not all(isinstance(one, TensorValue) for one in results):
        raise model_error("E703", "sequences and optionals in a branch or loop need a condition known while importing")
    result = making.bundle([one.expression for one in results if isinstance(one, TensorValue)])
    return SubgraphBlock(making.block(inside, result), tuple(map(element_in, results)))


def known_truth(importer: Importer, value: Value | None) -> bool | None:
    """What a condition is, where it is known while importing; a condition left out holds."""
    if value is None:
        return True
    elements = importer.elements(value)
    return None if elements is None else bool(only(elements))


def known_count(importer: Importer, value: Value | None) -> int | None:
    """A whole number that is known while importing."""
    elements = importer.elements(value)
    return None if elements is None else int(only(elements))


def only(elements: Array) -> Any:
    """The one element of a condition, a count or a position."""
    if elements.size != 1 or elements.dtype.kind not in "biuf":
        shape = f"{elements.dtype} {list(elements.shape)}"
        raise model_error("E703", "a condition, count or position is one number or truth value", found=shape)
    return elements.reshape(-1)[0]


def stacked(importer: Importer, rows: list[Value]) -> Value:
    """Values of one shape along a new first axis."""
    where = TensorValue(vector([0]))
    made = [importer.call(helper.make_node("Unsqueeze", ["", ""], ["row"]), [one, where])[0] for one in rows]
    joined = made[0]
    for other in made[1:]:
        joined = importer.call(helper.make_node("Concat", ["", ""], ["rows"], axis=0), [joined, other])[0]
    return joined
