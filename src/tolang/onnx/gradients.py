"""The operator Gradient: the nodes between some tensors and another, as a function of ToLang that is differentiated."""

from __future__ import annotations

from collections.abc import Sequence

from onnx import GraphProto, NodeProto, ValueInfoProto

from tolang.onnx.faults import model_error
from tolang.onnx.folds import step_function, tensors_of
from tolang.onnx.importer import GraphScope, Importer
from tolang.onnx.protos import attributes
from tolang.onnx.values import Value, named
from tolang.syntax import making


def gradient(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: GraphScope) -> list[Value]:
    """The derivatives of a tensor, whose elements are summed, by others, at the values that the node is given."""
    given = attributes(node)
    xs, zs, y = given.get("xs", []), given.get("zs", []), given.get("y", "")
    if len(inputs) != len(xs) + len(zs) or len(node.output) != len(xs):
        found = f"{len(inputs)} inputs and {len(node.output)} outputs"
        raise model_error("E703", "Gradient takes the tensors xs and zs, and gives derivatives by xs", found)
    values = tensors_of(inputs, node)
    names = [importer.names.fresh(one) for one in (*xs, *zs)]
    body = _between(importer.model.graph, [*xs, *zs], y)
    function = step_function(importer, node, body, names, scope, values)
    results: list[Value] = []
    for place, name in enumerate(node.output):
        passed = [making.name(names[place]) if k == place else one for k, one in enumerate(values)]
        loss = making.function([names[place]], making.call("sum", making.call(function, *passed)))
        results.append(named(importer.define(name or "unused", making.call("gradient", loss, values[place]))))
    return results


def _between(graph: GraphProto, given: Sequence[str], wanted: str) -> GraphProto:
    """The nodes of a graph that a tensor needs and that need given ones, as a graph of their own."""
    reached, needed = set(given), {wanted}
    after = []
    for node in graph.node:
        if reached.intersection(node.input) and not reached.issuperset(node.output):
            reached.update(node.output)
            after.append(node)
    if wanted not in reached:
        raise model_error("E703", f"Gradient is of {wanted!r}, which does not depend on the input")
    kept = []
    for node in reversed(after):
        if needed.intersection(node.output):
            needed.update(one for one in node.input if one not in given)
            kept.append(node)
    inputs = [ValueInfoProto(name=one) for one in given]
    return GraphProto(name="differentiated", node=kept[::-1], input=inputs, output=[ValueInfoProto(name=wanted)])
