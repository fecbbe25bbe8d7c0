"""The form of the library's source, and the EOPs each definition states against those derived from its core."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import numpy as np
import pytest
from tests.library.samples import SAMPLES, Function, Sample, Written

import tolang
from tolang.check.forms import FORMS
from tolang.check.library import LIBRARY, library_module, library_names
from tolang.ground.values.functions import FUNCTIONS
from tolang.readings.cost.reading import Reading
from tolang.syntax import tree
from tolang.syntax.formatter import format_text

pytestmark = pytest.mark.sampled(4)

PRIMITIVES = {"map", "reduce", "convert", *FORMS, *FUNCTIONS}
STATED = re.compile(r"^# EOPs: (.*(?:\n#   .*)*)\Z", re.MULTILINE)
MODULES = ["core", "linalg", "tables", "fourier", "nn", "optim"]


@cache
def definitions(module: str) -> dict[str, tree.Definition]:
    statements = [s for file in library_module(module) for s in file.statements]
    own = [s for s in statements if isinstance(s, tree.Definition)]
    return {s.id: s for s in own if s.derived is None}


def comment_above(definition: tree.Definition) -> str:
    """The comment lines right above a definition."""
    lines = definition.span.source.text[: definition.span.start].splitlines()
    start = len(lines)
    while start > 0 and lines[start - 1].startswith("#"):
        start -= 1
    return "\n".join(lines[start:])


def stated(definition: tree.Definition) -> str:
    found = STATED.search(comment_above(definition))
    assert found, f"{definition.id} does not state its EOPs"
    return found[1].replace("\n#  ", "")


ALL = [(module, name) for module in MODULES for name in definitions(module)]


def test_these_are_the_modules() -> None:
    assert set(MODULES) <= set(library_names())


@pytest.mark.parametrize("module", MODULES)
def test_source_is_formatted(module: str) -> None:
    text = (LIBRARY / f"{module}.tol").read_text(encoding="utf-8")
    assert format_text(text) == text
    assert max(len(line) for line in text.splitlines()) <= 120


@pytest.mark.parametrize(("module", "name"), ALL)
def test_definition_says_what_it_computes_and_costs(module: str, name: str) -> None:
    comment = comment_above(definitions(module)[name])
    said, _, _ = comment.partition("# EOPs: ")
    assert re.match(r"# \S", said), f"{name} does not say what it computes"
    assert stated(definitions(module)[name])


def test_no_definition_hides_another() -> None:
    assert not PRIMITIVES & {name for _, name in ALL}
    assert len({name for _, name in ALL}) == len(ALL)


def test_every_definition_has_a_sample() -> None:
    assert SAMPLES.keys() == {name for _, name in ALL}


def _data(sample: Sample) -> dict[str, Any]:
    return {name: value for name, value in sample.items() if not isinstance(value, Function | Written)}


def _call(definition: tree.Definition, module: str, sample: Sample) -> tolang.Program:
    """A program that calls a definition with a sample."""
    written = definition.id
    if definition.parameters is not None:
        shown = {n: v.text if isinstance(v, Function | Written) else n for n, v in sample.items()}
        written += f"({', '.join(f'{n}={v}' for n, v in shown.items())})"
    return tolang.compile(f"use {module}\ncalled({', '.join(_data(sample))}) := {written}", engine="interpret")


def _formula(definition: tree.Definition, module: str, sample: Sample, result: Any) -> Any:
    """The stated EOPs at a sample, computed by ToLang itself."""
    given = {name: value.eops for name, value in sample.items() if isinstance(value, Function)} | _data(sample)
    defaults = {}
    for parameter in definition.parameters or ():
        if parameter.default is not None and parameter.id not in given:
            text = parameter.default.span.text
            defaults[parameter.id] = "1" if text in FUNCTIONS else text
    head = ", ".join(["result", *given, *(f"{name}={text}" for name, text in defaults.items())])
    program = tolang.compile(f"use {module}\nstated({head}) := {stated(definition)}", engine="interpret")
    return program.stated(result=result, **given)


@pytest.mark.parametrize(("module", "name"), ALL)
def test_stated_eops_are_those_derived(module: str, name: str) -> None:
    definition = definitions(module)[name]
    for sample in SAMPLES[name]:
        program, data = _call(definition, module, sample), _data(sample)
        job = program.called.job((), data)
        result = program.called(**data)
        first = result[0] if isinstance(result, tuple) else result
        total = Reading(job.core, dict(job.sizes)).tally.total
        derived = total.evaluate({length: np.shape(first)[0] for length in total.names()})
        expected = _formula(definition, module, sample, np.asarray(first))
        assert derived == expected, f"{stated(definition)} at {[np.shape(v) for v in sample.values()]}"
