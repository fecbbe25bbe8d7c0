"""Where nodes stand: layers from top to bottom, few crossings, straight arrows.

Layers are longest paths.  An arrow over several layers passes a bend in each, and all arrows from one node share their
bends, so that a value read in many places is one trunk with branches.  Within layers, nodes are ordered by the mean
place of their neighbours, and then moved towards it as far as the order and the gaps between them allow.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from tolang.ground.dataclasses import dataclass, field

GAP = 26.0
LAYER_GAP = 34.0
BEND = 10.0
SWEEPS = 8
PORTS = 36.0
NEAR = 8.0
"""Nodes that are lower than their layer by less than this are met by the curve itself."""


@dataclass(frozen=True, slots=True)
class GraphLayout:
    """The middle of each node, the pieces of all arrows, and the size of the whole."""

    centres: tuple[tuple[float, float], ...]
    lines: tuple[ArrowSegment, ...]
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class ArrowSegment:
    """A piece of an arrow between two layers; one that ends in a node has a head, and belongs to the arrow `edge`."""

    start: tuple[float, float]
    end: tuple[float, float]
    has_head: bool
    edge: int | None


Pieces = dict[tuple[int, int], int | None]
"""Pieces of arrows from a node or bend to one in the next layer, and the arrow that ends with each."""


@dataclass(slots=True)
class _Grid:
    """Nodes and bends by layer.  A bend is a number from the number of nodes on."""

    sizes: list[tuple[float, float]]
    layer: list[int]
    above: list[list[int]]
    below: list[list[int]]
    rows: list[list[int]] = field(default_factory=list)
    x: list[float] = field(default_factory=list)


def layout(sizes: Sequence[tuple[float, float]], edges: Sequence[tuple[int, int]]) -> GraphLayout:
    """Places nodes of given widths and heights; arrows must not form circles."""
    if not sizes:
        return GraphLayout((), (), 0.0, 0.0)
    grid, pieces = _grid(list(sizes), edges)
    _order(grid)
    _place(grid)
    return _result(grid, pieces, len(sizes))


def layers_of(count: int, edges: Sequence[tuple[int, int]]) -> list[int]:
    """The layer of each node: the longest path to it.  What is made from nothing else stands right above its use."""
    goals: list[list[int]] = [[] for _ in range(count)]
    sources: list[list[int]] = [[] for _ in range(count)]
    for source, goal in edges:
        goals[source].append(goal)
        sources[goal].append(source)
    waiting = [len(one) for one in sources]
    ready = [node for node in range(count) if not waiting[node]]
    layer = [0] * count
    for node in ready:
        for goal in goals[node]:
            layer[goal] = max(layer[goal], layer[node] + 1)
            waiting[goal] -= 1
            if waiting[goal] == 0:
                ready.append(goal)
    loose = [False] * count
    for node in ready:
        loose[node] = all(loose[one] and len(goals[one]) == 1 for one in sources[node])
    for node in reversed(ready):
        if loose[node] and goals[node]:
            layer[node] = min(layer[goal] for goal in goals[node]) - 1
    return layer


def _grid(sizes: list[tuple[float, float]], edges: Sequence[tuple[int, int]]) -> tuple[_Grid, Pieces]:
    """Nodes and bends, and the pieces of arrows between them with the arrow that ends in each."""
    count = len(sizes)
    layer = layers_of(count, edges)
    grid = _Grid(sizes, layer, [[] for _ in sizes], [[] for _ in sizes])
    bends: dict[tuple[int, int], int] = {}
    pieces: Pieces = {}
    for number, (source, goal) in enumerate(edges):
        below: int = goal
        edge: int | None = number
        for row in range(layer[goal] - 1, layer[source], -1):
            is_new = (source, row) not in bends
            if is_new:
                bends[source, row] = _bend(grid, row)
            _join(grid, pieces, bends[source, row], below, edge)
            below, edge = bends[source, row], None
            if not is_new:
                break
        else:
            _join(grid, pieces, source, below, edge)
    grid.rows = [[] for _ in range(max(grid.layer) + 1)]
    for node, row in enumerate(grid.layer):
        grid.rows[row].append(node)
    return grid, pieces


def _bend(grid: _Grid, row: int) -> int:
    """A new bend in a layer."""
    grid.sizes.append((BEND, 0.0))
    grid.layer.append(row)
    grid.above.append([])
    grid.below.append([])
    return len(grid.sizes) - 1


def _join(grid: _Grid, pieces: Pieces, top: int, bottom: int, edge: int | None) -> None:
    if (top, bottom) not in pieces:
        pieces[top, bottom] = edge
        grid.below[top].append(bottom)
        grid.above[bottom].append(top)


def _order(grid: _Grid) -> None:
    """Orders each layer by the mean place of neighbours, down and up in turn; the order of fewest crossings stays."""
    best, fewest = [list(row) for row in grid.rows], _crossings(grid)
    for sweep in range(SWEEPS):
        down = sweep % 2 == 0
        numbers = range(1, len(grid.rows)) if down else range(len(grid.rows) - 2, -1, -1)
        neighbours = grid.above if down else grid.below
        for number in numbers:
            beside = grid.rows[number - 1 if down else number + 1]
            place = {node: index for index, node in enumerate(beside)}
            row = grid.rows[number]
            wanted = {}
            for index, node in enumerate(row):
                near = [place[one] for one in neighbours[node]]
                wanted[node] = sum(near) / len(near) if near else float(index)
            row.sort(key=wanted.__getitem__)
        crossings = _crossings(grid)
        if crossings < fewest:
            best, fewest = [list(row) for row in grid.rows], crossings
        if fewest == 0:
            break
    grid.rows = best


def _crossings(grid: _Grid) -> int:
    """How many pairs of pieces cross: those out of order at their lower ends, counted in a tree of sums."""
    total = 0
    for upper, lower in pairwise(grid.rows):
        place = {node: index for index, node in enumerate(lower)}
        ends = [end for node in upper for end in sorted(place[one] for one in grid.below[node])]
        sums = [0] * (len(lower) + 1)
        for seen, end in enumerate(ends):
            at, smaller = end + 1, 0
            while at > 0:
                smaller += sums[at]
                at -= at & -at
            total += seen - smaller
            at = end + 1
            while at <= len(lower):
                sums[at] += 1
                at += at & -at
    return total


def _place(grid: _Grid) -> None:
    """Gives each node its horizontal place: near the mean of its neighbours, in order and apart.

    What stands alone in its layer stands in the middle, so that long graphs go straight down.
    """
    grid.x = [0.0] * len(grid.sizes)
    for row in grid.rows:
        at = 0.0
        for node in row:
            grid.x[node] = at + grid.sizes[node][0] / 2
            at += grid.sizes[node][0] + GAP
    for sweep in range(SWEEPS + 1):
        down = sweep % 2 == 0
        for row in grid.rows if down else reversed(grid.rows):
            if len(row) == 1:
                grid.x[row[0]] = 0.0
                continue
            neighbours = grid.above if down else grid.below
            wanted = [_wanted(grid, node, neighbours[node]) for node in row]
            apart = [(grid.sizes[a][0] + grid.sizes[b][0]) / 2 + GAP for a, b in pairwise(row)]
            weights = [_weight(grid, node, neighbours[node]) for node in row]
            for node, x in zip(row, _in_order(wanted, apart, weights), strict=True):
                grid.x[node] = x


def _wanted(grid: _Grid, node: int, neighbours: list[int]) -> float:
    """The mean place of neighbours: of nodes where there are some, so that nodes in line are straight beside trunks."""
    nodes = [one for one in neighbours if grid.sizes[one][1] > 0]
    near = [grid.x[one] for one in nodes or neighbours]
    return sum(near) / len(near) if near else grid.x[node]


def _weight(grid: _Grid, node: int, neighbours: list[int]) -> float:
    """How much a place matters: a trunk stays straight, and where it begins or ends it gives way to nodes."""
    if not neighbours:
        return 0.05
    is_bend = grid.sizes[node][1] == 0
    beside_node = any(grid.sizes[one][1] > 0 for one in neighbours)
    return (0.05 if beside_node else 4.0) if is_bend else (1.0 if beside_node else 0.2)


def _in_order(wanted: list[float], apart: list[float], weights: list[float]) -> list[float]:
    """The places nearest to those wanted, by least squares, that keep the order and the distances."""
    shift, shifts = 0.0, [0.0]
    for distance in apart:
        shift += distance
        shifts.append(shift)
    blocks: list[tuple[float, float, int]] = []
    for value, offset, weight in zip(wanted, shifts, weights, strict=True):
        mean, heavy, number = value - offset, weight, 1
        while blocks and blocks[-1][0] > mean:
            before, other, more = blocks.pop()
            mean = (before * other + mean * heavy) / (other + heavy)
            heavy, number = other + heavy, number + more
        blocks.append((mean, heavy, number))
    level = [mean for mean, _, number in blocks for _ in range(number)]
    return [mean + offset for mean, offset in zip(level, shifts, strict=True)]


def _result(grid: _Grid, pieces: Pieces, count: int) -> GraphLayout:
    left = min(grid.x[node] - grid.sizes[node][0] / 2 for node in range(len(grid.sizes)))
    heights = [max((grid.sizes[node][1] for node in row), default=0.0) for row in grid.rows]
    tops, at = [], 0.0
    for height in heights:
        tops.append(at)
        at += height + LAYER_GAP
    x = [value - left for value in grid.x]
    middle = [tops[row] + heights[row] / 2 for row in grid.layer]
    lines: list[ArrowSegment] = []
    for (top, bottom), edge in pieces.items():
        leave = tops[grid.layer[top]] + heights[grid.layer[top]]
        enter = tops[grid.layer[bottom]]
        port = _port(grid, x, top, bottom, count)
        if top < count:
            lines += _straight(x[top], middle[top] + grid.sizes[top][1] / 2, leave)
        end = middle[bottom] - grid.sizes[bottom][1] / 2 if bottom < count else enter + heights[grid.layer[bottom]]
        is_last = bottom < count and end - enter < NEAR
        lines.append(
            ArrowSegment((x[top], leave), (port, end if is_last else enter), is_last, edge if is_last else None)
        )
        if not is_last:
            lines.append(ArrowSegment((port, enter), (port, end), bottom < count, edge if bottom < count else None))
    width = max(x[node] + grid.sizes[node][0] / 2 for node in range(len(grid.sizes)))
    centres = tuple((x[node], middle[node]) for node in range(count))
    return GraphLayout(centres, tuple(lines), width, at - LAYER_GAP)


def _straight(x: float, top: float, bottom: float) -> list[ArrowSegment]:
    return [ArrowSegment((x, top), (x, bottom), False, None)] if bottom > top else []


def _port(grid: _Grid, x: list[float], top: int, bottom: int, count: int) -> float:
    """Where a piece ends: arrows into one node end beside each other, as they come."""
    into = grid.above[bottom]
    if bottom >= count or len(into) < 2:
        return x[bottom]
    arriving = sorted(into, key=lambda one: x[one])
    room = min(grid.sizes[bottom][0] * 0.75, PORTS * (len(into) - 1))
    return x[bottom] + room * (arriving.index(top) / (len(into) - 1) - 0.5)
