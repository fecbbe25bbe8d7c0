"""From a checked program to its image: lowered, emitted, compiled kernel by kernel."""

from __future__ import annotations

from tolang.core.core import Program
from tolang.engines.cpu.images import Image, Refused
from tolang.engines.cpu.kernels import kernels, modules_of
from tolang.engines.cpu.loaded import Kernel
from tolang.engines.cpu.native import host_machine
from tolang.engines.cpu.tables import assemble
from tolang.nests.nest import Unsupported
from tolang.nests.passes.pipeline import optimise
from tolang.nests.steps import lower
from tolang.nests.verifier import BrokenPlan

BEYOND = (Unsupported, BrokenPlan, RecursionError, OverflowError)
"""What tells that a program is beyond compiled code."""


def translate(program: Program, strict: bool) -> tuple[Image, list[Kernel]]:
    """The image of a program and its kernels, compiled as far as they are not kept; raises `Refused`."""
    try:
        plan = optimise(lower(program))
        table = assemble(plan)
        found = kernels([call.shared for call in table.calls], strict)
    except BEYOND as reason:
        raise Refused(_told(reason)) from None
    names, spans = tuple(one.name for one in found), tuple(call.spans for call in table.calls)
    return Image(plan.sizes, table.checks, names, spans, table.registers, table.words), found


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
