"""Every definition of the library states its EOPs; here the statement is held against the derivation, as formulas.

A statement is a ToLang expression over the definition's parameters (a parameter that is a function stands for the
EOPs of one call of it, `result` for what the definition gives).  Both sides are read at symbolic sizes: each length
of a sample's data becomes a size variable, equal lengths the same one, and the polynomials must be equal for all of
them.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import numpy as np
import pytest
from tests.library.samples import SAMPLES, Function, Sample, Written

import tolang
from tolang.check.library import library_files, library_module, library_names
from tolang.check.programs import Argument, check_function
from tolang.core.core import Core
from tolang.core.types import Type
from tolang.ground.dataclasses import dataclass
from tolang.ground.reporting.diagnostics import Source
from tolang.ground.symbolic.sizes import ONE, Size
from tolang.ground.values.functions import FUNCTIONS
from tolang.ground.values.values import ToL
from tolang.readings.cost.reading import Reading
from tolang.syntax import tree
from tolang.syntax.parser import parse

STATEMENT = re.compile(r"^# EOPs: (.*(?:\n#   .*)*)\Z", re.MULTILINE)
TOLD = "told"
"""The name of a length that only running tells."""
SCALE = 24
"""Formulas are multiplied by this before they are compared, so that quotients such as n*(n+1)/2 are whole."""


@cache
def definitions(module: str) -> dict[str, tree.Definition]:
    statements = [one for file in library_module(module) for one in file.statements]
    own = [one for one in statements if isinstance(one, tree.Definition)]
    return {one.id: one for one in own if one.derived is None}


ALL = [(module, name) for module in library_names() if module != "onnx" for name in definitions(module)]


def statement(definition: tree.Definition) -> str:
    """The formula in the comment right above a definition."""
    lines = definition.span.source.text[: definition.span.start].splitlines()
    start = len(lines)
    while start and lines[start - 1].startswith("#"):
        start -= 1
    found = STATEMENT.search("\n".join(lines[start:]))
    assert found, f"{definition.id} does not state its EOPs"
    return found[1].replace("\n#  ", "")


def argument(value: Any) -> Argument:
    """An argument as the checker sees it: constants as they are, data by its type with a size for every length."""
    if isinstance(value, bool | int | str):
        return value
    if isinstance(value, tuple | list) and all(type(one) is int for one in value):
        return tuple(value)
    data = ToL.of(value)
    return Type(tuple(ONE if n == 1 else Size.of(f"n{n}") for n in data.shape), data.spaces)


def uses(module: str) -> str:
    """What a program uses that may say all that a module's statements do: the module, and those that it uses itself."""
    texts = [path.read_text("utf-8") for path in library_files(module)]
    own = {name for text in texts for name in re.findall(r"^use (\w+)$", text, re.MULTILINE)}
    return "\n".join(f"use {name}" for name in [module, *sorted(own)])


def core_of(module: str, head: str, body: str, arguments: dict[str, Argument]) -> Core:
    text = f"{uses(module)}\nprobe({head}) := {body}"
    return check_function(parse(Source("<statement>", text)), "probe", (), arguments)


@dataclass(frozen=True)
class Sides:
    """The derived EOPs and the stated ones, as formulas times `SCALE`, and the statement as a function of the data."""

    derived: Size
    stated: Size
    sizes: dict[str, int]
    program: str
    call: str
    data: dict[str, Any]

    def length_here(self) -> int:
        """How long the result is for the sample's own data; of a bundle, its first part."""
        found = tolang.compile(self.call, engine="interpret").probe(**self.data)
        return len(found[0] if isinstance(found, tuple) else found)

    def stated_here(self) -> Any:
        """The stated EOPs for the sample's own data, computed by ToLang."""
        return tolang.compile(self.program, engine="interpret").probe(**self.data)


pytestmark = [pytest.mark.xdist_group("what definitions cost"), pytest.mark.sampled(5)]  # tests share what is derived


@cache
def both_sides(module: str, name: str, position: int) -> Sides:
    return sides_of(module, name, SAMPLES[name][position])


def sides_of(module: str, name: str, sample: Sample) -> Sides:
    """What a definition is derived to cost with the arguments of a sample, and what it states."""
    definition = definitions(module)[name]
    data = {key: value for key, value in sample.items() if not isinstance(value, Function | Written)}
    kinds = {key: argument(value) for key, value in data.items()}
    texts = {key: value.text if isinstance(value, Function | Written) else key for key, value in sample.items()}
    call = definition.id
    if definition.parameters is not None:
        call += f"({', '.join(f'{key}={text}' for key, text in texts.items())})"
    head = ", ".join(data)
    derived = Reading(core_of(module, head, call, kinds)).tally.total * SCALE
    lines = [f"{key} = {value.eops}" for key, value in sample.items() if isinstance(value, Function)]
    for parameter in definition.parameters or ():
        if parameter.default is not None and parameter.id not in sample:
            text = parameter.default.span.text
            lines.append(f"{parameter.id} = {1 if text in FUNCTIONS else text}")
    lines += [f"{key} = {value.text}" for key, value in sample.items() if isinstance(value, Written)]
    formula = statement(definition)
    if re.search(r"\bresult\b", formula):
        lines.append(f"result = {_whole_result(module, head, call, kinds)}")
    inside = "; ".join([*lines, ""])
    stated = core_of(module, head, f"{{ {inside}tol[{SCALE}*({formula})] }}", kinds).outputs[0].type.shape[0]
    lengths = {f"n{n}": n for value in data.values() if not isinstance(value, int | str) for n in np.shape(value)}
    derived, stated = (_of_one_unknown(side, lengths) for side in (derived, stated))
    head = f"{uses(module)}\nprobe({head}) := "
    return Sides(derived, stated, lengths, f"{head}{{ {inside}{formula} }}", f"{head}{call}", data)


def _of_one_unknown(formula: Size, lengths: dict[str, int]) -> Size:
    """A formula in which the length that running tells, that of the result, has one name, whoever numbered it."""
    unknown = sorted(formula.names() - lengths.keys())
    return formula.substitute({unknown[0]: Size.of(TOLD)}) if len(unknown) == 1 else formula


def _whole_result(module: str, head: str, call: str, kinds: dict[str, Argument]) -> str:
    """The call whose result the formula means: of a bundle its first part."""
    return f"({call})[1]'" if core_of(module, head, call, kinds).outputs[0].group else call


def values(sizes: dict[str, int], shift: int) -> dict[str, int]:
    return {name: length + shift * (position + 1) for position, (name, length) in enumerate(sorted(sizes.items()))}


@pytest.mark.parametrize(("module", "name"), ALL)
def test_statement_is_what_is_derived(module: str, name: str) -> None:
    assert name in SAMPLES, f"{name} has no sample"
    for position, sample in enumerate(SAMPLES[name]):
        assert_equal_sides(module, name, sample, both_sides(module, name, position))


def assert_equal_sides(module: str, name: str, sample: Sample, sides: Sides) -> None:
    """The formulas are equal, or their values are at the sample's sizes and, where both are formulas, at others."""
    if sides.derived == sides.stated:
        return
    shown = f"stated {SCALE}*({statement(definitions(module)[name])}) = {sides.stated}, derived {sides.derived}"
    here = values(sides.sizes, 0)
    if TOLD in sides.derived.names():
        here[TOLD] = sides.length_here()
    assert sides.derived.evaluate(here) == SCALE * sides.stated_here(), shown
    if _is_for_all_sizes(sides, sample):
        for shift in (1, 2, 5):
            at = values(sides.sizes, shift)
            assert sides.derived.evaluate(at) == sides.stated.evaluate(at), f"{shown} at {at}"


def _is_for_all_sizes(sides: Sides, sample: Sample) -> bool:
    """Whether a statement holds at other sizes: it is a formula, and no function of the sample costs what sizes say."""
    is_formula = sides.derived.names() | sides.stated.names() <= sides.sizes.keys()
    return is_formula and not any(isinstance(value, Function) for value in sample.values())


def test_most_statements_are_equal_as_formulas() -> None:
    """Comparing at the sample's own sizes is the exception: where logarithms of lengths are stated, as of sorts and searches."""
    sides = [both_sides(module, name, 0) for module, name in ALL]
    plain = [one for one in sides if "log" not in str(one.derived)]
    assert len(plain) >= 0.8 * len(sides)
    assert sum(1 for one in plain if one.derived == one.stated) >= 0.95 * len(plain)


def test_a_wrong_statement_is_seen() -> None:
    sides = both_sides("core", "softmax", 0)
    assert sides.derived == sides.stated
    assert sides.derived != sides.stated + SCALE
    assert sides.derived.names()
