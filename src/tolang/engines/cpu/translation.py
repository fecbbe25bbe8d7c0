"""From a checked program to its image: lowered, emitted, compiled kernel by kernel.

The kernels that the beginning of a long program needs are compiled while Python plans the whole of it, which needs most
of them again.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import numpy as np

from tolang.core.core import Program
from tolang.engines.cpu.emission.kernels import Compilation, modules_of
from tolang.engines.cpu.layouts import Layouts, lay_out_fixed
from tolang.engines.cpu.plan.artifact import Image, Once, Refused, Written
from tolang.engines.cpu.plan.bytecode import Table as Assembled
from tolang.engines.cpu.plan.bytecode import assemble
from tolang.engines.cpu.runtime.loaded import Kernel
from tolang.engines.cpu.runtime.native import host_machine
from tolang.ground.spaces import dtype_of
from tolang.nests.canonical import Shared
from tolang.nests.leading_steps import beginning, without_outputs
from tolang.nests.lowering.steps import lower
from tolang.nests.nest import Buffer, Plan, Table, Unsupported
from tolang.nests.passes.pipeline import optimise
from tolang.nests.passes.reshapes import divide_folds
from tolang.nests.verifier import BrokenPlan

BEYOND = (Unsupported, BrokenPlan, RecursionError, OverflowError)
"""What tells that a program is beyond compiled code."""


def translate(
    program: Program, strict: bool, fixed: frozenset[str] = frozenset(), patient: bool = False
) -> tuple[Image, list[Kernel]]:
    """The image of a program and its kernels, compiled as far as they are not kept; raises `Refused`.

    `fixed` inputs have the same values in all calls: what can be made of them alone, is made once.  Code that is
    `patient` takes sizes of which others would not come to an end soon.
    """
    try:
        with Compilation(strict, patient) as compilation:
            plan = lower(program)
            single = {one.name for one in program.inputs if one.name in fixed and one.type.capacity == 1}
            buffers = frozenset(one.name for one in plan.inputs if _input_of(one) in single and not strict)
            start = beginning(plan)
            if start is not None:
                with suppress(*BEYOND):
                    compilation.start(_common(_tables(without_outputs(_planned(start, strict)), buffers)[1]))
            plan = _planned(plan, strict)
            layouts, tables = _tables(plan, buffers)
            written = tuple(map(_written, plan.tables))
            rare = tables[0].rare.difference(one.key for one in _calls(tables[1:]))
            found = compilation.finished(_calls(tables), rare)
    except BEYOND as reason:
        raise Refused(_told(reason)) from None
    image = replace(_image(plan.sizes, tables[0], found), written=written)
    if layouts.once is None:
        return image, found
    made = tuple((len(buffer.shape), buffer.column) for (buffer,) in layouts.once.outputs)
    reads = tuple(_input_of(one) for one in layouts.once.inputs)
    first = _image((), tables[1], found[len(tables[0].calls) :])
    return replace(image, once=Once(first, reads, made)), found


def _written(table: Table) -> Written:
    """A table of a plan as data of an image."""
    kind, shape = table.buffer.column, tuple(int(length.evaluate({})) for length in table.buffer.shape)
    return Written(kind, shape, np.array(table.elements, dtype_of(kind.storage)).tobytes())


def _planned(plan: Plan, strict: bool) -> Plan:
    """A plan after all passes; those that change the order of folds are not for strict mode."""
    found = optimise(plan)
    return found if strict else divide_folds(found)


def _tables(plan: Plan, fixed: frozenset[str]) -> tuple[Layouts, list[Assembled]]:
    """What is made of fixed buffers once, and the tables of the plan and of that."""
    layouts = lay_out_fixed(plan, fixed, host_machine())
    return layouts, [assemble(one) for one in (layouts.plan, layouts.once) if one is not None]


def _calls(tables: list[Assembled]) -> list[Shared]:
    return [call.shared for table in tables for call in table.calls]


def _common(tables: list[Assembled]) -> list[Shared]:
    """What is called whatever the sizes are."""
    return [call.shared for table in tables for call in table.calls if call.shared.key not in table.rare]


def _input_of(buffer: Buffer) -> str:
    """The input that a buffer holds a component of."""
    return buffer.name.rpartition(".")[0]


def _image(sizes: tuple[str, ...], table: Assembled, found: list[Kernel]) -> Image:
    """A table and the kernels that its calls begin with."""
    names, spans = tuple(one.name for one in found[: len(table.calls)]), tuple(call.spans for call in table.calls)
    return Image(sizes, table.checks, names, spans, table.registers, table.words)


def refusal(program: Program, strict: bool) -> str | None:
    """Why compiled code cannot take a program; None where it can.  Nothing is compiled."""
    try:
        modules_of(assemble(optimise(lower(program))).calls, strict, host_machine())
    except BEYOND as reason:
        return _told(reason)
    return None


def _told(reason: Exception) -> str:
    """Why a program is left to the interpreter, in words."""
    match reason:
        case RecursionError():
            return "expressions that nest this deep are left to the interpreter"
        case OverflowError():
            return "numbers beyond 64 bits are left to the interpreter"
        case BrokenPlan():
            return f"no sound plan was found, so it is left to the interpreter: {reason}"
    return str(reason)
