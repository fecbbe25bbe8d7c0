"""What a reader sees first: README and the first page of the site keep what they promise, with figures that are measured."""

from __future__ import annotations

import re
import statistics
from pathlib import Path

import numpy as np
import pytest
from tests.docs.pages import snippets

import tolang

ROOT = Path(__file__).resolve().parents[2]
FIRST = [ROOT / "README.md", ROOT / "docs" / "index.md"]
SCREEN = 40
"""Lines of a page that a reader sees before scrolling."""


def seconds(text: str) -> float:
    """A time of a table."""
    number, unit = text.split()
    return float(number) * {"s": 1, "ms": 1e-3, "µs": 1e-6}[unit]


def rows(text: str) -> list[list[str]]:
    """The cells of all tables of a text."""
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:1] == "|"]


def program(path: Path, name: str) -> str:
    """The source that a page writes to a file of this name."""
    (source,) = (block.text for block in snippets(path.read_text("utf-8")) if block.file == name)
    return source


@pytest.mark.parametrize("path", FIRST, ids=lambda path: path.name)
def test_first_screen_has_a_familiar_example(path: Path) -> None:
    example = next(block for block in snippets(path.read_text("utf-8")) if block.language == "tol")
    assert example.line < SCREEN
    result = tolang.compile(example.text, engine="interpret")([[1.0, 2.0], [3.0, 4.0]], [[5.0], [6.0]])
    assert result.tolist() == [[17.0], [39.0]]


def test_first_screen_says_what_it_is_for_whom_and_how_to_install() -> None:
    screen = " ".join(FIRST[0].read_text("utf-8").splitlines()[:SCREEN])
    for phrase in ("small array language that you call from Python", "It is for you if", "pip install", "EOPs** are"):
        assert phrase in screen


@pytest.mark.parametrize("path", FIRST, ids=lambda path: path.name)
def test_first_pages_have_a_tensor_of_lists(path: Path) -> None:
    source = program(path, "routes.tol")
    assert "records of fixed length" in path.read_text("utf-8").partition(source)[0]
    (output,) = tolang.compile(source).core.outputs
    assert output.name == "best"
    result = tolang.compile(source, engine="interpret")([[1.0, 2.0]], [[4.0], [2.0]])
    assert result.capacity == 2
    assert result.to_list() == [[(4.0, 2)]]


def test_sinkhorn_has_nine_lines_a_gradient_and_the_count_of_its_picture() -> None:
    source = program(FIRST[0], "sinkhorn.tol")
    assert len(source.splitlines()) == 9
    sinkhorn = tolang.compile(source)
    random = np.random.default_rng(0)
    start, goal = random.random((5, 2)), random.random((6, 2))
    costs = ((start[:, None] - goal) ** 2).sum(axis=-1)
    mass, wanted = np.full(5, 1 / 5), np.full(6, 1 / 6)
    plan = np.exp(-20 * costs)
    for _ in range(100):
        plan *= (mass / plan.sum(axis=1))[:, None]
        plan *= wanted / plan.sum(axis=0)
    plan *= (mass / plan.sum(axis=1))[:, None]
    assert sinkhorn(mass, wanted, costs) == pytest.approx((costs * plan).sum())
    slope = sinkhorn.gradient(of="distance", by="c")(mass, wanted, costs)
    step = np.zeros_like(costs)
    step[2, 3] = 1e-6
    change = sinkhorn(mass, wanted, costs + step) - sinkhorn(mass, wanted, costs - step)
    assert slope[2, 3] == pytest.approx(change / 2e-6, rel=1e-4)
    counted = int(str(sinkhorn.cost(n=1000, m=1000).eops))
    assert f"A report: {counted // 10**6} million EOPs" in FIRST[0].read_text("utf-8")


def test_both_first_pages_show_one_example_and_a_picture() -> None:
    for name in ("product.tol", "routes.tol"):
        assert program(FIRST[0], name) == program(FIRST[1], name)
    for path in FIRST:
        pictures = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", path.read_text("utf-8"))
        assert pictures
        assert all((path.parent / picture).is_file() for picture in pictures)


def test_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) < 200


def test_neighbours_are_compared_row_by_row() -> None:
    """Both tables have the same columns, none an empty cell, and notes are those that the table refers to."""
    page = (ROOT / "docs" / "neighbours.md").read_text("utf-8")
    tables = [
        rows(text.partition("| | ToLang | JAX")[2].partition("\n\n")[0]) for text in (page, FIRST[0].read_text("utf-8"))
    ]
    for table in tables:
        assert len(table) > 8
        assert {len(row) for row in table[1:]} == {6}
        assert all(cell for row in table[1:] for cell in row)
    assert page.count("| | ToLang | JAX | Numba | Futhark | einops |") == 1
    referred = re.findall(r"\[(\d+)\](?!\()", page.partition("## Limits")[0])
    assert sorted(map(int, referred)) == [int(number) for number in re.findall(r"^(\d+)\. ", page, re.MULTILINE)]


def test_figures_of_models_are_those_of_their_table() -> None:
    table = rows(
        (ROOT / "docs" / "onnx.md").read_text("utf-8").partition("<!-- models -->")[2].partition("<!-- end")[0]
    )
    found = [dict(zip(table[0], row, strict=True)) for row in table[2:]]
    ratios = [float(row["ratio"]) for row in found]
    readme = " ".join((ROOT / "README.md").read_text("utf-8").split())
    assert all(row["agrees"] == "yes" for row in found)
    assert f"All {len(found)} ONNX models" in readme
    assert f"the median runs at {statistics.median(ratios):.2f} of its speed" in readme


def test_figures_of_limits_are_those_of_the_measurement() -> None:
    page = " ".join((ROOT / "docs" / "neighbours.md").read_text("utf-8").split())
    text = (ROOT / "docs" / "performance.md").read_text("utf-8")
    measured = text.partition("## On eight cores of x86-64")[2].partition("\n## ")[0]
    met, targets = re.findall(r"(\d+) of (\d+) targets are met", measured)[0]
    assert f"{met} of the {targets} targets that we set" in page
    table = rows(measured)
    times = {row[0]: dict(zip(table[0], row, strict=True)) for row in table[2:]}
    circuit = times["arithmetic circuit of 1 million gates"]
    assert "(numba)" in circuit["ratio to best"]
    slower = seconds(circuit["ours"]) / seconds(circuit["numba"])
    assert f"takes {slower:.1f} times as long as Numba's loop" in page
    for name, peer, told in (
        (
            "pairwise distances 2048 x 2048 x 64",
            "torch",
            "distances of all pairs of 2,048 points take {} times as long as PyTorch's",
        ),
        ("sigmoid 4M", "onnxruntime", "a sigmoid {} times as long as onnxruntime's"),
        ("product 100 f32", "numpy", "a product of 100 rows and columns {} times as long as NumPy's"),
    ):
        (ratio,) = re.findall(rf"^\| {name} \| [^|]*, ([\d.]+) \({peer}\)", text, re.MULTILINE)
        assert told.format(f"{1 / float(ratio):.1f}") in page
