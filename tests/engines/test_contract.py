"""The engine contract is enough: a second engine that knows nothing else runs programs, errors and gradients included."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.engines import numpy_engine
from tests.engines.numpy_engine import NumpyEngine
from tests.fuzz.generator import program
from tests.fuzz.judges import tolang_data
from tests.gallery.headers import check_header, compiled, programs_of
from tests.programs import check_file

import tolang
from tolang.engines import registry
from tolang.ground.values.values import equal
from tolang.program.runner import engine_names

LARGE = ("large_map_in_pieces",)
"""Programs over more elements than loops in Python go through in seconds."""
LANGUAGE = [path for path in sorted((Path(__file__).parents[1] / "language").glob("*.tol")) if path.stem not in LARGE]
GALLERY = [path for group in ("dwarfs", "motifs") for path in programs_of(group)]
GENERATED = 40
NAME = "numpy"


@pytest.fixture(scope="module", autouse=True)
def engine() -> Iterator[NumpyEngine]:
    made = NumpyEngine()
    registry.register(made)
    yield made
    registry.withdraw(NAME)


def test_the_engine_is_one_of_those_that_there_are() -> None:
    assert engine_names() == ("interpret", "cpu", NAME, "auto")
    with pytest.raises(tolang.ToLangUsageError, match="interpret, cpu, numpy, auto"):
        tolang.compile("y := 1", engine="another")


def test_it_knows_nothing_of_other_engines() -> None:
    tree = ast.parse(Path(numpy_engine.__file__).read_text("utf-8"))
    imported = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name for name in imported if name.startswith("tolang.engines")} == {"tolang.engines.contract"}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("path", LANGUAGE, ids=lambda path: path.stem)
def test_programs_of_the_language(path: Path) -> None:
    check_file(path, NAME)


@pytest.mark.parametrize("path", GALLERY, ids=lambda path: path.stem)
def test_programs_of_the_gallery(path: Path) -> None:
    check_header(path, NAME)
    assert not compiled(path, NAME).runner.fallbacks


def outcome(source: str, engine: str, data: dict[str, Any]) -> Any:
    """The values of a program, or the code of its error."""
    try:
        made = tolang.compile(source, engine=engine, strict=True)
        return made.run(made.job((), data))
    except tolang.ToLangError as error:
        return error.code


def alike(one: Any, other: Any) -> bool:
    """Whether values are the same but for rounding, or codes of errors are the same."""
    if isinstance(one, str) or isinstance(other, str):
        return bool(one == other)
    return one.keys() == other.keys() and all(
        equal(a, b, 1e-12, 1e-15) for name in one for a, b in zip(parts(one[name]), parts(other[name]), strict=True)
    )


def parts(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("number", range(GENERATED))
def test_generated_programs(number: int) -> None:
    made = program(f"contract/{number}")
    for data in made.data:
        given = {**data.sizes, **tolang_data(made, data)}
        expected, found = (outcome(made.text(), engine, given) for engine in ("interpret", NAME))
        assert alike(found, expected), made.text()
