"""Levels as one SVG picture, in light and dark, which needs nothing beside it."""

from __future__ import annotations

from importlib.resources import files
from xml.sax.saxutils import escape

from tolang.faces.drawing.graph import Graph, GraphNode, Look, Subgraph
from tolang.faces.drawing.layout import PORTS, ArrowSegment, GraphLayout, layout
from tolang.ground.dataclasses import dataclass
from tolang.ground.reporting.escaping import visible_lines

LETTER = 7.85
"""The width of a letter of the text's size, 13, in a face of equal widths."""
LINE = 17.0
MARGIN = 16.0
TITLE = 26.0
WIDEST = 1500.0
"""Levels stand side by side up to this width."""
PADDING = {Look.function: 9.0, Look.primitive: 10.0, Look.read: 6.0, Look.constant: 6.0}
CORNERS = {Look.function: 15.0, Look.primitive: 15.0, Look.call: 8.0, Look.frame: 8.0, Look.group: 8.0, Look.read: 4.0}


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A graph with places: its nodes' sizes, and what is drawn inside them."""

    graph: Graph
    placed: GraphLayout
    sizes: tuple[tuple[float, float], ...]
    insides: tuple[_Drawn | None, ...]

    @property
    def width(self) -> float:
        return self.placed.width

    @property
    def height(self) -> float:
        return self.placed.height


def svg_of(levels: list[Subgraph]) -> str:
    """The picture: levels from left to right and from top to bottom, each under its title."""
    drawn = [(level, _drawn(level.graph)) for level in levels]
    x = y = MARGIN
    tall = wide = 0.0
    parts: list[str] = []
    for level, one in drawn:
        width = max(one.width, len(level.title) * LETTER * 1.1) + 2 * MARGIN
        height = one.height + TITLE + 2 * MARGIN
        if x > MARGIN and x + width > WIDEST:
            x, y, tall = MARGIN, y + tall + MARGIN, 0.0
        parts.append(f'<g class="level" transform="translate({_n(x)},{_n(y)})">')
        parts.append(f'<rect class="panel" width="{_n(width)}" height="{_n(height)}" rx="10"/>')
        parts.append(f'<text class="title" x="{_n(MARGIN)}" y="{_n(MARGIN + 8)}">{_text(level.title)}</text>')
        inset = (width - one.width) / 2
        parts += [f'<g transform="translate({_n(inset)},{_n(MARGIN + TITLE)})">', *_graph(one), "</g></g>"]
        x += width + MARGIN
        tall, wide = max(tall, height), max(wide, x)
    width, height = max(wide, 2 * MARGIN), y + tall + MARGIN
    style = files("tolang.faces.drawing").joinpath("picture.css").read_text("utf-8")
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_n(width)}" height="{_n(height)}" '
        f'viewBox="0 0 {_n(width)} {_n(height)}" role="img" aria-label="{_text(levels[0].title, quoted=True)}">'
    )
    tip = '<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
    marker = f'<defs>{tip}<path class="tip" d="M0,0.8L7.5,4L0,7.2z"/></marker></defs>'
    return "\n".join([head, f"<style>{style}</style>", marker, *parts, "</svg>", ""])


def _drawn(graph: Graph) -> _Drawn:
    insides = tuple(None if node.inside is None else _drawn(node.inside) for node in graph.nodes)
    labels = [0] * len(graph.nodes)
    for edge in graph.edges:
        labels[edge.goal] += bool(edge.label)
    sizes = tuple(_size(*one) for one in zip(graph.nodes, insides, labels, strict=True))
    placed = layout(sizes, [(edge.source, edge.goal) for edge in graph.edges])
    return _Drawn(graph, placed, sizes, insides)


def _size(node: GraphNode, inside: _Drawn | None, labels: int) -> tuple[float, float]:
    """Room for a node's lines, for what it holds, and for the labels of arrows into it."""
    widest = max(max((len(line) for line in node.lines), default=0) * LETTER, PORTS * (labels - 1) / 0.75)
    if inside is not None:
        return max(widest, inside.width) + 2 * MARGIN, inside.height + TITLE + 1.5 * MARGIN
    padding = PADDING.get(node.look, 12.0)
    high = 12.0 if node.look in (Look.tol, Look.output, Look.call) else 8.0
    return max(widest + 2 * padding, 30.0), LINE * len(node.lines) + high


def _graph(drawn: _Drawn) -> list[str]:
    parts = [_line(line, drawn.graph) for line in drawn.placed.lines]
    nodes = zip(drawn.graph.nodes, drawn.placed.centres, drawn.sizes, drawn.insides, strict=True)
    for node, (x, y), (width, height), inside in nodes:
        hint = f"<title>{_text(node.hint)}</title>" if node.hint else ""
        corner = CORNERS.get(node.look, 2.0)
        parts.append(f'<g class="{node.look}" transform="translate({_n(x - width / 2)},{_n(y - height / 2)})">{hint}')
        parts.append(f'<rect width="{_n(width)}" height="{_n(height)}" rx="{_n(corner)}"/>')
        if inside is not None:
            parts.append(f'<text class="name" x="{_n(MARGIN * 0.75)}" y="18">{_text(node.lines[0])}</text>')
            inset = (width - inside.width) / 2
            parts += [f'<g transform="translate({_n(inset)},{_n(TITLE + MARGIN / 2)})">', *_graph(inside), "</g>"]
        else:
            parts += _lines(node, width, height)
        parts.append("</g>")
    return parts


def _lines(node: GraphNode, width: float, height: float) -> list[str]:
    top = (height - LINE * len(node.lines)) / 2 + 13
    return [
        f'<text class="{"name" if place == 0 else "more"}" x="{_n(width / 2)}" y="{_n(top + place * LINE)}" '
        f'text-anchor="middle">{_text(line)}</text>'
        for place, line in enumerate(node.lines)
    ]


def _line(line: ArrowSegment, graph: Graph) -> str:
    (x1, y1), (x2, y2) = line.start, line.end
    half = _n((y1 + y2) / 2)
    path = f"M{_n(x1)},{_n(y1)}"
    path += f"V{_n(y2)}" if abs(x1 - x2) < 0.5 else f"C{_n(x1)},{half} {_n(x2)},{half} {_n(x2)},{_n(y2)}"
    head = ' marker-end="url(#tip)"' if line.has_head else ""
    drawn = f'<path class="arrow" d="{path}"{head}/>'
    label = graph.edges[line.edge].label if line.edge is not None else ""
    if label:
        drawn += f'<text class="label" x="{_n(x2 + 5)}" y="{_n(y2 - 8)}">{_text(label)}</text>'
    return drawn


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _text(text: str, quoted: bool = False) -> str:
    """Text that XML can hold, whatever stood in a name."""
    return escape(visible_lines(text), {'"': "&quot;"} if quoted else {})
