"""From a checked program to its artifact: planned, emitted, compiled kernel by kernel.

The kernels that the beginning of a long program needs are compiled while Python plans the whole of it, which needs most
of them again.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import numpy as np

from tolang.core.core import Program
from tolang.engines.cpu.emission.kernels import Compilation, write
from tolang.engines.cpu.plan.artifact import Artifact, Once, Written
from tolang.engines.cpu.plan.bytecode import Table as Assembled
from tolang.engines.cpu.plan.bytecode import assemble
from tolang.engines.cpu.runtime.loaded import Kernel
from tolang.engines.cpu.runtime.native import host_target
from tolang.engines.interface import Refused
from tolang.ground.spaces import dtype_of
from tolang.nests.canonical import Shared
from tolang.nests.leading_steps import beginning, without_outputs
from tolang.nests.lowering.steps import lower
from tolang.nests.nest import Table, Unsupported
from tolang.nests.planning import Planned, fixed_buffers, input_of, plan, planned

BEYOND = (Unsupported, RecursionError, OverflowError)
"""What tells that a program is beyond compiled code."""


def translate(
    program: Program, strict: bool, fixed: frozenset[str] = frozenset(), patient: bool = False
) -> tuple[Artifact, list[Kernel]]:
    """The artifact of a program and its kernels, compiled as far as they are not kept; raises `Refused`.

    `fixed` inputs have the same values in all calls: what can be made of them alone, is made once.  Code that is
    `patient` takes sizes of which others would not come to an end soon.
    """
    target = host_target()
    try:
        with Compilation(target, patient) as compilation:
            lowered = lower(program)
            buffers = frozenset[str]() if strict else fixed_buffers(program, fixed)
            start = beginning(lowered)
            if start is not None:
                with suppress(*BEYOND):
                    compilation.start(_common(_tables(_of_outputs(planned(start, target, strict, buffers)))))
            made = planned(lowered, target, strict, buffers)
            tables = _tables(made)
            written = tuple(map(_written, made.plan.tables))
            rare = tables[0].rare.difference(one.key for one in _calls(tables[1:]))
            found = compilation.finished(_calls(tables), rare)
    except BEYOND as reason:
        raise Refused(_told(reason)) from None
    artifact = replace(_artifact(made.plan.sizes, tables[0], found), written=written)
    if made.once is None:
        return artifact, found
    gives = tuple((len(buffer.shape), buffer.column) for (buffer,) in made.once.outputs)
    reads = tuple(input_of(one) for one in made.once.inputs)
    first = _artifact((), tables[1], found[len(tables[0].calls) :])
    return replace(artifact, once=Once(first, reads, gives)), found


def _of_outputs(part: Planned) -> Planned:
    """The beginning of a plan, whose outputs nobody asks for."""
    return replace(part, plan=without_outputs(part.plan))


def _written(table: Table) -> Written:
    """A table of a plan as data of an artifact."""
    kind, shape = table.buffer.column, tuple(int(length.evaluate({})) for length in table.buffer.shape)
    return Written(kind, shape, np.array(table.elements, dtype_of(kind.storage)).tobytes())


def _tables(made: Planned) -> list[Assembled]:
    """The tables of a plan and of what is done once before it."""
    return [assemble(one) for one in (made.plan, made.once) if one is not None]


def _calls(tables: list[Assembled]) -> list[Shared]:
    return [call.shared for table in tables for call in table.calls]


def _common(tables: list[Assembled]) -> list[Shared]:
    """What is called whatever the sizes are."""
    return [call.shared for table in tables for call in table.calls if call.shared.key not in table.rare]


def _artifact(sizes: tuple[str, ...], table: Assembled, found: list[Kernel]) -> Artifact:
    """A table and the kernels that its calls begin with."""
    names, spans = tuple(one.name for one in found[: len(table.calls)]), tuple(call.spans for call in table.calls)
    return Artifact(sizes, table.checks, names, spans, table.registers, table.words)


def plan_of(program: Program, strict: bool, fixed: frozenset[str] = frozenset()) -> Planned:
    """The plan that a program is compiled from, its code written, not compiled; raises `Refused`."""
    target = host_target()
    try:
        made = plan(program, target, strict, fixed)
        for table in _tables(made):
            write(table.calls, target)
    except BEYOND as reason:
        raise Refused(_told(reason)) from None
    return made


def refusal(program: Program, strict: bool) -> str | None:
    """Why compiled code cannot take a program; None where it can."""
    try:
        plan_of(program, strict)
    except Refused as reason:
        return str(reason)
    return None


def _told(reason: Exception) -> str:
    """Why a program is left to the interpreter, in words."""
    match reason:
        case RecursionError():
            return "expressions that nest this deep are left to the interpreter"
        case OverflowError():
            return "numbers beyond 64 bits are left to the interpreter"
    return str(reason)
