"""Pictures of programs: what is drawn, where it stands, and files that any viewer of SVG reads."""

from __future__ import annotations

import random
import time
import xml.etree.ElementTree as ET
from pathlib import Path

import onnx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.faces.conftest import Tol
from tests.faces.test_report import HOSTILE, model_of

import tolang
from tolang.faces.drawing.graph import Graph, GraphNode, Look, Subgraph
from tolang.faces.drawing.layout import layers_of, layout
from tolang.faces.drawing.models import level_of_model
from tolang.faces.drawing.outline import outline_of
from tolang.faces.drawing.programs import levels_of
from tolang.faces.drawing.svg import svg_of
from tolang.onnx import load

ROOT = Path(__file__).resolve().parents[2]
SVG = "{http://www.w3.org/2000/svg}"


def levels(text: str) -> list[Subgraph]:
    return levels_of(tolang.compile(text).core, "program")


def test_a_program_is_its_tols_and_what_lies_between() -> None:
    (level,) = levels(
        "tol a: R [n,k]\ntol b: R [k,m]\nr := map(tol[n,m], reduce(map(a[i], * * b[*,j]), add, 0), [i,j])\n"
    )
    nodes = level.graph.nodes
    assert [(node.look, node.lines) for node in nodes] == [
        (Look.tol, ("a", "R [n, k]")),
        (Look.tol, ("b", "R [k, m]")),
        (Look.frame, ("map i ≤ n, j ≤ m",)),
        (Look.output, ("r", "R [n, m]")),
    ]
    assert [(edge.source, edge.goal) for edge in level.graph.edges] == [(0, 2), (1, 2), (2, 3)]
    body = nodes[2].inside
    assert body is not None
    inner = body.nodes[0].inside
    assert inner is not None
    assert [node.lines[0] for node in inner.nodes] == ["a[i, l]", "b[l, j]", "mul"]
    assert [node.lines[0] for node in body.nodes] == ["map l ≤ k", "reduce add from 0"]


def test_iterators_of_loops_in_each_other_have_different_names() -> None:
    text = outline_of(levels("tol a: R [n]\nr := map(a, reduce(map(a, sub(*, a[i])), add, 0), i)\n"))
    assert "a[j]" in text
    assert "a[i]" in text


def test_each_definition_is_drawn_once_and_the_library_is_not() -> None:
    found = levels("use linalg\ntol a: R [n,n]\ntwice(x) := map(x, * * 2)\nr := twice(twice(matmul(a, a)))\n")
    assert [level.title for level in found] == ["program", "twice(x)"]
    assert [(node.look, node.lines[0]) for node in found[0].graph.nodes] == [
        (Look.tol, "a"), (Look.call, "matmul"), (Look.call, "twice"), (Look.call, "twice"), (Look.output, "r"),
    ]  # fmt: skip


def test_folds_and_choices_are_labelled() -> None:
    (level,) = levels("tol v: R [n]\nr := reduce(v, f, 3)\nf(x, y) = if x > y then x else y * 2\n")
    text = outline_of([level])
    for part in ("reduce i ≤ n", "if: gt", "then: ", "else: mul(*, 2)"):
        assert part in text


def test_a_model_is_drawn_by_node() -> None:
    level = level_of_model(load(model_of(("one", "two", "three"))).program, "model.onnx")
    assert [node.lines for node in level.graph.nodes] == [
        ("x", "f32 [batch, 4]"),
        ("MatMul", "one", "f32 [batch, 5]"),
        ("Add", "two", "f32 [batch, 5]"),
        ("Relu", "three", "f32 [batch, 5]"),
        ("y", "f32 [batch, 5]"),
    ]
    assert [(edge.source, edge.goal) for edge in level.graph.edges] == [(0, 1), (1, 2), (2, 3), (3, 4)]
    assert "reads w" in level.graph.nodes[1].hint


@pytest.mark.parametrize("path", sorted((ROOT / "examples" / "paper").glob("*.tol")), ids=lambda path: path.stem)
def test_examples_are_drawn(path: Path) -> None:
    found = levels_of(tolang.compile(str(path)).core, path.name)
    picture = ET.fromstring(svg_of(found))
    titles = [one.text for one in picture.iter(f"{SVG}text") if one.get("class") == "title"]
    assert titles == [level.title for level in found]
    for output in tolang.compile(str(path)).core.outputs:
        assert f"\n  {output.name}: " in outline_of(found)


def test_the_picture_in_the_documentation_is_what_is_drawn() -> None:
    text = (ROOT / "docs" / "reports.md").read_text("utf-8").partition("```tol product.tol\n")[2].partition("```")[0]
    found = levels_of(tolang.compile(text).core, "product.tol")
    assert (ROOT / "docs" / "product.svg").read_text("utf-8") == svg_of(found)


def test_names_are_text_in_the_picture() -> None:
    level = level_of_model(load(model_of((HOSTILE, "\x00\x1b[31m", "]]>"))).program, '"<&>')
    picture = ET.fromstring(svg_of([level]))
    assert picture.get("aria-label") == '"<&>'
    assert not list(picture.iter(f"{SVG}script"))
    assert r"\x00\x1b[31m" in [one.text for one in picture.iter(f"{SVG}text")]


def chains(count: int, seed: int) -> list[tuple[int, int]]:
    """The arrows of a model of blocks: a long line with skips, as residual networks have them, and a few far ones."""
    numbers = random.Random(seed)
    edges = [(place - 1, place) for place in range(1, count)]
    edges += [(place - 6, place) for place in range(6, count, 7)]
    return edges + [(numbers.randrange(0, place), place) for place in range(50, count, 97)]


def test_a_thousand_nodes_are_quick_and_go_straight_down() -> None:
    start = time.perf_counter()
    placed = layout([(140.0, 46.0)] * 1000, chains(1000, 1))
    assert time.perf_counter() - start < 20, "about one second; far more means that something is no longer linear"
    assert placed.width < 12 * 140
    graph = Graph([GraphNode(Look.call, (f"node {place}",)) for place in range(300)])
    for source, goal in chains(300, 2):
        graph.connect(source, goal)
    ET.fromstring(svg_of([Subgraph("blocks", graph)]))
    assert len(outline_of([Subgraph("blocks", graph)]).splitlines()) > 300


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[tuple[float, float]], list[tuple[int, int]]]:
    count = draw(st.integers(1, 14))
    sizes = draw(st.lists(st.tuples(st.floats(10, 200), st.floats(10, 90)), min_size=count, max_size=count))
    pairs = [(low, high) for high in range(count) for low in range(high)]
    return sizes, draw(st.lists(st.sampled_from(pairs), max_size=20)) if pairs else []


@settings(max_examples=60, deadline=None)
@given(graphs())
def test_nodes_do_not_overlap_and_arrows_lead_down(
    case: tuple[list[tuple[float, float]], list[tuple[int, int]]],
) -> None:
    sizes, edges = case
    placed = layout(sizes, edges)
    boxes = [
        (x - width / 2, y - height / 2, x + width / 2, y + height / 2)
        for (x, y), (width, height) in zip(placed.centres, sizes, strict=True)
    ]
    near = 1e-6
    for place, (left, top, right, bottom) in enumerate(boxes):
        assert left >= -near
        assert right <= placed.width + near
        assert bottom <= placed.height + near
        for other in boxes[:place]:
            assert (
                right <= other[0] + near
                or left >= other[2] - near
                or bottom <= other[1] + near
                or top >= other[3] - near
            )
    layer = layers_of(len(sizes), edges)
    assert all(layer[source] < layer[goal] for source, goal in edges)
    assert all(line.start[1] <= line.end[1] + near for line in placed.lines)
    assert {line.edge for line in placed.lines if line.has_head} <= set(range(len(edges)))
    assert len([line for line in placed.lines if line.has_head]) == len(set(edges))


def test_command(tol: Tol, folder: Path) -> None:
    (folder / "functions.tol").write_text("f(x) := x + 1\n")
    assert "E602" in tol("draw", "functions.tol").output
    assert "result: R [n, m]" in tol("draw", "product.tol").output
    done = tol("draw", "product.tol", "-o", "product.svg")
    assert done.exit_code == 0, done.output
    ET.parse(folder / "product.svg")
    onnx.save(model_of(("one", "two", "three")), "small.onnx")
    assert tol("draw", "small.onnx", "-o", "small.svg").exit_code == 0
    for words, code in (
        (("product.tol", "-o", "p.png"), "E607"),
        (("product.tol", "n=3"), "E603"),
        (("product.tol", "-o", "no/p.svg"), "E609"),
    ):
        done = tol("draw", *words)
        assert done.exit_code == 2
        assert code in done.output
