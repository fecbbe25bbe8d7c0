"""What is drawn: levels of nodes and arrows; a node may hold a level of its own, as a map holds its body."""

from __future__ import annotations

from enum import StrEnum

from tolang.ground.dataclasses import dataclass, field


class Look(StrEnum):
    """What a node stands for, which decides how it looks."""

    tol = "tol"
    output = "output"
    read = "read"
    constant = "constant"
    function = "function"
    primitive = "primitive"
    call = "call"
    frame = "frame"
    group = "group"


@dataclass(slots=True)
class GraphNode:
    """A node: its lines of text, the first of which is its name, and what it holds; `hint` is shown on demand."""

    look: Look
    lines: tuple[str, ...]
    hint: str = ""
    inside: Graph | None = None


@dataclass(frozen=True, slots=True)
class Edge:
    """An arrow between two nodes of one graph, by their places."""

    source: int
    goal: int
    label: str = ""


@dataclass(slots=True)
class Graph:
    """Nodes in the order they were made, and arrows, those into a node in the order of its arguments."""

    nodes: list[GraphNode] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)

    def add(self, node: GraphNode) -> int:
        self.nodes.append(node)
        return len(self.nodes) - 1

    def connect(self, source: int, goal: int, label: str = "") -> None:
        edge = Edge(source, goal, label)
        if source != goal and edge not in self.edges[-8:]:
            self.edges.append(edge)


@dataclass(frozen=True, slots=True)
class Subgraph:
    """One definition, or the program: a title and what it does."""

    title: str
    graph: Graph
