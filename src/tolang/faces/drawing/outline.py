"""Levels as text for a terminal: what each named ToL is made from, as a tree."""

from __future__ import annotations

from collections.abc import Iterator

from tolang.faces.drawing.graph import Graph, GraphNode, Look, Subgraph

NAMED = (Look.tol, Look.output)


def outline_of(levels: list[Subgraph]) -> str:
    """Each level under its title."""
    return "\n\n".join("\n".join([level.title, *_level(level.graph)]) for level in levels)


def _level(graph: Graph) -> Iterator[str]:
    """Inputs in a line each, then every ToL with a name, and every end without one, as a tree of what makes it."""
    into = _arrows(graph)
    read = {edge.source for edge in graph.edges}
    for place, node in enumerate(graph.nodes):
        if node.look in NAMED and not into[place]:
            yield f"  {_label(node)}"
    is_root = [node.look in NAMED or place not in read for place, node in enumerate(graph.nodes)]
    several = _read_often(graph)
    for place, node in enumerate(graph.nodes):
        if into[place] or node.inside is not None:
            if is_root[place] or place in several:
                yield from _tree(graph, place, into, several, "  ", "  ")
        elif is_root[place] and node.look not in NAMED:
            yield f"  {_label(node)}"


def _read_often(graph: Graph) -> set[int]:
    """Calls and frames that several nodes read: each is shown once, and named where it is read."""
    counts: dict[int, int] = {}
    for edge in graph.edges:
        counts[edge.source] = counts.get(edge.source, 0) + 1
    return {place for place, count in counts.items() if count > 1 and graph.nodes[place].look is Look.call}


def _arrows(graph: Graph) -> list[list[tuple[int, str]]]:
    into: list[list[tuple[int, str]]] = [[] for _ in graph.nodes]
    for edge in graph.edges:
        into[edge.goal].append((edge.source, edge.label))
    return into


def _tree(
    graph: Graph, root: int, into: list[list[tuple[int, str]]], several: set[int], first: str, rest: str
) -> Iterator[str]:
    """A node and below it what it is made from, down to what has a name of its own; walked without recursion."""
    pending: list[tuple[int, str, str, str]] = [(root, first, rest, "")]
    while pending:
        place, first, rest, label = pending.pop()
        node = graph.nodes[place]
        is_end = place != root and (node.look in NAMED or place in several)
        text = node.lines[0] if is_end and node.look in NAMED else _label(node)
        yield f"{first}{f'{label}: ' if label else ''}{text}"
        below = [] if is_end else into[place]
        if node.inside is not None:
            below = [(source, name) for source, name in below if name or graph.nodes[source].look not in NAMED]
        inner = node.inside
        if inner is not None and not is_end:
            yield from _inside(inner, rest, not below)
        branches = []
        for number, (source, name) in enumerate(below):
            last = number == len(below) - 1
            branches.append((source, f"{rest}{'└─ ' if last else '├─ '}", f"{rest}{'   ' if last else '│  '}", name))
        pending += reversed(branches)


def _inside(graph: Graph, margin: str, is_last: bool) -> Iterator[str]:
    """What a frame holds: the tree of what it gives, which is made last, after trees of what has a name in it."""
    into, several = _arrows(graph), _read_often(graph)
    read = {edge.source for edge in graph.edges}
    named = [place for place, node in enumerate(graph.nodes) if node.look in NAMED and into[place]]
    roots = [*named, *(place for place in range(len(graph.nodes)) if place not in read and place not in named)]
    for number, place in enumerate(roots):
        last = is_last and number == len(roots) - 1
        yield from _tree(
            graph, place, into, several, f"{margin}{'└╴' if last else '├╴'}", f"{margin}{'  ' if last else '│ '}"
        )


def _label(node: GraphNode) -> str:
    name, *more = node.lines
    return name if not more else f"{name}: {' '.join(more)}" if node.look in NAMED else f"{name}  {'  '.join(more)}"
