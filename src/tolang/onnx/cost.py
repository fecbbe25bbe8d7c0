"""What a model costs, by its nodes and by their operators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tolang.core.core import Core
from tolang.ground.dataclasses import dataclass
from tolang.onnx.nodes import ProgramNode
from tolang.program.amounts import Amount
from tolang.program.cost import Cost, CostContribution, data_of
from tolang.readings.cost.formula import AtMost


@dataclass(frozen=True, slots=True)
class NodeCost:
    """What one node costs."""

    name: str
    operator: str
    eops: Amount
    macs: Amount
    flops: Amount
    by_function: dict[str, Amount]


@dataclass(frozen=True, slots=True)
class OperatorCost:
    """What all nodes of one operator cost together."""

    operator: str
    nodes: int
    eops: Amount
    macs: Amount
    flops: Amount
    by_function: dict[str, Amount]


class ModelCost(Cost):
    """The cost of a model: that of its program, which is known by node and by operator, too."""

    def __init__(
        self,
        core: Core,
        title: str | None = None,
        given: Mapping[str, int] | None = None,
        nodes: Sequence[ProgramNode] = (),
    ) -> None:
        super().__init__(core, title, given)
        self.nodes = tuple(nodes)

    def _again(self, given: Mapping[str, int]) -> Cost:
        return ModelCost(self.core, self.title, given, self.nodes)

    def by_node(self) -> list[NodeCost]:
        """What each node costs, in the order of the model; nodes that no output needs are left out."""
        found = [(node, self.contribution(node.definitions)) for node in self.nodes]
        return [NodeCost(node.name, node.operator, *_figures(one)) for node, one in found]

    def by_operator(self) -> list[OperatorCost]:
        """What all nodes of each operator cost together, in the order of their first nodes."""
        groups: dict[str, list[ProgramNode]] = {}
        for node in self.nodes:
            groups.setdefault(node.operator, []).append(node)
        return [
            OperatorCost(operator, len(nodes), *_figures(self.contribution([d for n in nodes for d in n.definitions])))
            for operator, nodes in groups.items()
        ]

    @property
    def at_most(self) -> tuple[str, ...]:
        """The figures that are upper bounds, those of operators and nodes among them."""
        parts: list[tuple[str, NodeCost | OperatorCost]] = []
        parts += [(f"by_operator.{one.operator}", one) for one in self.by_operator()]
        parts += [(f"by_node.{one.name}", one) for one in self.by_node()]
        figures = ((f"{name}.{what}", getattr(one, what)) for name, one in parts for what in ("eops", "macs", "flops"))
        return (*super().at_most, *(name for name, figure in figures if isinstance(figure, AtMost)))

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain data, formulas as text."""
        nodes = [{"name": one.name, "operator": one.operator, **_plain(one)} for one in self.by_node()]
        operators = {one.operator: {"nodes": one.nodes, **_plain(one)} for one in self.by_operator()}
        return {**super().as_dict(), "by_operator": operators, "by_node": nodes}


def _figures(one: CostContribution) -> tuple[Amount, Amount, Amount, dict[str, Amount]]:
    return one.eops, one.macs, one.flops, one.by_function


def _plain(one: NodeCost | OperatorCost) -> dict[str, Any]:
    functions = {name: data_of(count) for name, count in one.by_function.items()}
    return {"eops": data_of(one.eops), "macs": data_of(one.macs), "flops": data_of(one.flops), "by_function": functions}
