"""Every definition of an ONNX operator says what it gives and its EOPs, which are those derived, as formulas in sizes."""

from __future__ import annotations

import re

import pytest
from tests.cost.test_library_statements import definitions, statement
from tests.library.test_definitions import comment_above
from tests.onnx.microsoft_samples import ALL_SAMPLES
from tests.onnx.statements import assert_statement

from tolang.check.library import library_files
from tolang.syntax.formatter import format_text

pytestmark = pytest.mark.sampled(6)

FILES = {path.stem: path for path in library_files("onnx")}


@pytest.mark.parametrize("name", ALL_SAMPLES)
def test_statement(name: str) -> None:
    for sample in ALL_SAMPLES[name]:
        assert_statement(name, sample)


@pytest.mark.parametrize("family", FILES)
def test_source_is_formatted(family: str) -> None:
    text = FILES[family].read_text(encoding="utf-8")
    assert format_text(text) == text
    assert max(len(line) for line in text.splitlines()) <= 120


@pytest.mark.parametrize("family", FILES)
def test_every_definition_says_what_it_gives_and_costs(family: str) -> None:
    for name, definition in definitions("onnx").items():
        own = definition.span.source.name == f"onnx/{family}.tol"
        if own and not name.endswith("'"):  # a derivative stands below what it is of
            assert re.match(r"# (?!EOPs)\S", comment_above(definition)), f"{name} does not say what it gives"
            assert statement(definition)


def test_no_operator_is_defined_twice() -> None:
    heads = [name for path in FILES.values() for name in re.findall(r"^(\w+)\(", path.read_text("utf-8"), re.MULTILINE)]
    assert len(heads) == len(set(heads))
