"""An ONNX model as one level: its inputs, its nodes and its outputs; weights are named in the hints of their nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tolang.core.core import Bundle, Expr, Let, Require, Variable
from tolang.faces.drawing.graph import Graph, GraphNode, Look, Subgraph
from tolang.faces.drawing.texts import cut, type_text
from tolang.ground.system.recursion import room_to_nest
from tolang.readings.cost.parts import mentioned

if TYPE_CHECKING:
    from tolang.onnx.model_program import ModelProgram


@room_to_nest()
def level_of_model(program: ModelProgram, title: str) -> Subgraph:
    """The model's nodes; each stands where its definitions are bound, and reads what these mention."""
    core = program.core
    graph = Graph()
    maker: dict[str, int] = {}
    for one in core.inputs:
        if one.name not in program.weights:
            maker[one.name] = graph.add(GraphNode(Look.tol, (cut(one.name), cut(type_text(one.type)))))
    owner = {definition: node for node in program.nodes for definition in node.definitions}
    places: dict[int, int] = {}
    expr: Expr = core.body
    while isinstance(expr, Let | Require):
        if isinstance(expr, Let):
            first = expr.names[0]
            definition = core.definitions.get(first) or core.auxiliary.get(first, first)
            node = owner.get(definition)
            label = (definition, "") if node is None else (node.operator, node.name)
            key = id(expr) if node is None else id(node)
            if key not in places:
                places[key] = graph.add(GraphNode(Look.call, ()))
            place = places[key]
            read = sorted(mentioned(expr.value))
            for name in read:
                if name in maker and maker[name] != place:
                    graph.connect(maker[name], place)
            _describe(graph.nodes[place], label, expr, [name for name in read if name in program.weights])
            maker.update(dict.fromkeys(expr.names, place))
        expr = expr.body
    values = expr.parts if isinstance(expr, Bundle) else (expr,)
    for output, value in zip(core.outputs, values, strict=False):
        goal = graph.add(GraphNode(Look.output, (cut(output.name), cut(type_text(output.type)))))
        if isinstance(value, Variable) and value.name in maker:
            graph.connect(maker[value.name], goal)
    return Subgraph(title, graph)


def _describe(node: GraphNode, label: tuple[str, str], let: Let, weights: list[str]) -> None:
    """A node's lines: its operator, its own name, and the type of what it gives."""
    operator, name = label
    node.lines = tuple(cut(line) for line in (operator, name, type_text(let.value.type)) if line)
    read = [f"reads {', '.join(weights)}"] if weights else []
    node.hint = "\n".join([operator, name, type_text(let.value.type), *([node.hint] if node.hint else []), *read])
