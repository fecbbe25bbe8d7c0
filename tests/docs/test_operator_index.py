"""The index of ONNX operators: every definition has an example, every row of the paper a verdict; it is up to date."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from documentation import operator_index as index
from documentation.operator_examples import EXAMPLES
from documentation.operator_paper import FIGURES, KINDS, paper_rows
from tests.onnx.microsoft_samples import ALL_SAMPLES

from tolang.check.library import LIBRARY

pytestmark = pytest.mark.sampled(3)

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def in_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def test_pages_are_up_to_date() -> None:
    for path, made in ((index.PAGE, index.page()), (index.MODELS_PAGE, index.models_page())):
        assert path.read_text("utf-8") == made, "run: python -m documentation.operator_index"


def test_every_operator_of_the_library_is_on_the_page() -> None:
    texts = [path.read_text("utf-8") for path in (LIBRARY / "onnx").glob("*.tol")]
    heads = {name for text in texts for name in re.findall(r"^((?:com_microsoft_)?[A-Z]\w*)\(", text, re.MULTILINE)}
    assert heads == set(index.definitions()) == set(EXAMPLES)


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_an_example_calls_its_operator(name: str) -> None:
    assert re.match(rf"{name}\(", EXAMPLES[name].call)


def test_the_paper_has_sixty_rows() -> None:
    rows = paper_rows()
    assert len(rows) == 60
    assert set(rows) == set(FIGURES) <= set(EXAMPLES)
    assert all(row.representation and row.flops and row.eops for row in rows.values())


@pytest.mark.parametrize("name", sorted(FIGURES))
def test_a_difference_has_a_reason_and_nothing_else_has(name: str) -> None:
    figure = FIGURES[name]
    assert index.agrees(name) == (figure.kind == "") == (figure.reason == "")
    assert index.agrees(name) or figure.kind in KINDS


SIZES = {"n": 3, "m": 5, "k": 7, "c": 2, "h": 9, "w": 8}


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("Relu", 3 * 5),
        ("Selu", 6 * 3 * 5),
        ("Conv", 3 * 5 * 9 * 8 * 2 * (2 * 3 * 3)),
        ("MatMul", 2 * 3 * 7 * 5),
        ("AveragePool", 3 * 2 * ((9 - 2) // 2 + 1) * ((8 - 2) // 2 + 1) * 4),
        ("LpPool", 3 * 2 * ((9 - 2) // 2 + 2) * ((8 - 2) // 2 + 2) * 2 * 4 + 1),
        ("Softmax", 2 * 3 * 5 + 2),
        ("Hardmax", 1),
    ],
)
def test_figures_of_the_paper_are_read_as_printed(name: str, wanted: int) -> None:
    """The paper's formula, reckoned by hand at some sizes."""
    assert index.verdict(name).paper.evaluate(SIZES) == wanted


def test_results_are_those_of_the_exclusions() -> None:
    """The tests that failed when the results were made are those with a reason why."""
    lines = (ROOT / "tests" / "onnx" / "exclusions.txt").read_text("utf-8").splitlines()
    excluded = {line.partition("\t")[0] for line in lines if line and line[0] != "#"}
    for kinds in index.results()["engines"].values():
        for kind in kinds.values():
            assert set(kind["failed"]) <= excluded
            assert kind["passed"] + len(kind["failed"]) == kind["tests"]


def test_statements_of_what_moves_are_held_against_derivations() -> None:
    """Whole families have samples, apart from operators whose cost depends on lengths that only running tells."""
    for family in ("movement", "ml", "random", "older"):
        names = {one.name for one in index.definitions().values() if one.family == family}
        assert names - set(ALL_SAMPLES) <= {"NonZero", "Unique"}
