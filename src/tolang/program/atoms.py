"""A program written out in the five atomic computations, and computed by them alone."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tolang.core.core import Output
from tolang.data.binding import sort_arguments
from tolang.data.results import Result, named_results
from tolang.ground.dataclasses import dataclass, field
from tolang.ground.reporting.diagnostics import usage
from tolang.ground.values.values import ToL
from tolang.program.program import Program, compile
from tolang.program.sampling import sample_inputs
from tolang.readings.atoms.building import LIMIT
from tolang.readings.atoms.evaluation import evaluate
from tolang.readings.atoms.expansion import Expansion
from tolang.readings.atoms.notation import ASCII, PAPER, write
from tolang.readings.atoms.terms import Term, count


@dataclass(frozen=True, slots=True)
class Atoms:
    """A program as atoms: its text, how many of each it holds, the inputs it was evaluated on, and the results.

    `for_data` tells that a length depends on data, so that the composition is one for these inputs only.
    """

    text: str
    counts: Mapping[str, int]
    inputs: Mapping[str, ToL] = field(repr=False)
    values: Mapping[str, Result] = field(repr=False)
    for_data: bool = False

    def __str__(self) -> str:
        return self.text


def run_atoms(
    source: str | Path | Program,
    sizes: Mapping[str, int] | None = None,
    inputs: Mapping[str, Any] | None = None,
    ascii_only: bool = False,
    seed: int = 0,
    limit: int = LIMIT,
) -> Atoms:
    """A program as a composition of atoms at given sizes, and what that gives.

    Inputs that are not given are random data of their declared spaces, drawn with the seed; a size may also name a
    numeric input.
    """
    program = source if isinstance(source, Program) else compile(source)
    named: dict[str, Any] = {**(sizes or {}), **(inputs or {})}
    known = {name: value for name, value in named.items() if name in program.inputs}
    if len(known) < len(program.inputs):
        unknown = [name for name in named if name not in program.inputs and name not in program.sizes]
        if unknown:
            raise usage("E603", f"the program has no input {unknown[0]}", expected=", ".join(program.inputs))
        given = {name: ToL.of(value, program.inputs[name].columns, name) for name, value in known.items()}
        numbers = {name: int(value) for name, value in named.items() if name in program.sizes}
        numbers.update(_sizes_of(program, given))
        named = {**numbers, **sample_inputs(program.core, numbers, given, seed)}
    sort_arguments(program.inputs, program.sizes, (), named)
    job = program.job((), named)
    expansion = Expansion(job.core, job.sizes, job.inputs, limit, seed)
    terms = expansion.outputs()
    text = write(_labelled(job.core.outputs, terms), ASCII if ascii_only else PAPER)
    values = named_results(job.core.outputs, evaluate(terms, job.inputs, seed))
    return Atoms(text, count(terms), job.inputs, values, expansion.read_data)


def _sizes_of(program: Program, given: Mapping[str, ToL]) -> dict[str, int]:
    """The size variables that some inputs give on their own."""
    found: dict[str, int] = {}
    for name, value in given.items():
        for length, actual in zip(program.inputs[name].shape, value.shape, strict=False):
            if str(length) in program.sizes:
                found[str(length)] = actual
    return found


def _labelled(outputs: tuple[Output, ...], terms: list[Term]) -> dict[str, Term]:
    """Terms under their outputs' names; the parts of a bundle are its components."""
    labelled: dict[str, Term] = {}
    for output, term in zip(outputs, terms, strict=True):
        name = output.name
        if output.group:
            name = next(
                f"{output.name}[{k}]'" for k in range(1, output.group + 1) if f"{output.name}[{k}]'" not in labelled
            )
        labelled[name] = term
    return labelled
