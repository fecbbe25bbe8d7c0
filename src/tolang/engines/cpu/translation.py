"""From a checked program to its image: lowered, emitted, compiled kernel by kernel."""

from __future__ import annotations

from tolang.core.core import Program
from tolang.engines.cpu.images import Image, Refused
from tolang.engines.cpu.kernels import kernel, modules_of
from tolang.engines.cpu.loaded import Kernel
from tolang.engines.cpu.native import host_machine
from tolang.engines.cpu.tables import assemble
from tolang.nests.nest import Unsupported
from tolang.nests.passes.pipeline import optimise
from tolang.nests.steps import lower


def translate(program: Program, strict: bool) -> tuple[Image, list[Kernel]]:
    """The image of a program and its kernels, compiled as far as they are not kept; raises `Refused`."""
    try:
        plan = optimise(lower(program))
        table = assemble(plan)
        kernels = [kernel(call.shared, strict) for call in table.calls]
    except Unsupported as reason:
        raise Refused(str(reason)) from None
    names, spans = tuple(one.name for one in kernels), tuple(call.spans for call in table.calls)
    return Image(plan.sizes, table.checks, names, spans, table.registers, table.words), kernels


def refusal(program: Program, strict: bool) -> str | None:
    """Why compiled code cannot take a program; None where it can.  Nothing is compiled."""
    try:
        modules_of(assemble(optimise(lower(program))).calls, strict, host_machine())
    except Unsupported as reason:
        return str(reason)
    return None
