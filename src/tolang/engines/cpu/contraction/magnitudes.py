"""Whole numbers that must not overflow: products of them that provably do not, found by looking at the operands once.

The largest magnitudes of the operands bound every term, and so the whole fold.  Where the bound is small enough, steps
need no check, and operands are packed at half their width.
"""

from __future__ import annotations

from typing import Any

from tolang.engines.cpu.contraction.frames import KernelFrame, number
from tolang.engines.llvm import ir
from tolang.engines.llvm.types import DOUBLE, I64, cast
from tolang.idioms.contraction import Contraction, Dimensions
from tolang.plan.nest import ConstantScalar, Load, Named, Operation, Scalar
from tolang.schedule.tile import operands_of

LARGEST = 2.0**62
"""Bounds below this one, which are rounded, are bounds within the numbers of 64 bits."""
LARGEST_OPERAND = 2.0**31


def is_safe(frame: KernelFrame, contraction: Contraction) -> Any:
    """Looks at the operands, and says whether nothing can overflow."""
    builder, phase = frame.builder, contraction.phases[0]
    sides = {o.name: contraction.rows for o in phase.lefts} | {o.name: contraction.columns for o in phase.rights}
    known = {o.name: _magnitude(frame, o.value, (*contraction.batch, *sides[o.name], *phase.depth)) for o in
             operands_of(contraction)}  # fmt: skip
    bounds: list[Any] = []

    def bound(scalar: Scalar) -> Any:
        match scalar:
            case Named(name=name):
                value = known[name]
            case ConstantScalar(value=value):
                value = ir.Constant(DOUBLE, float(abs(value)))
            case Operation(function=function, arguments=arguments):
                one, two = (bound(a) for a in arguments)
                value = builder.fmul(one, two) if function == "mul" else builder.fadd(one, two)
        bounds.append(value)
        return value

    step = phase.steps[0]
    assert isinstance(step, Operation)
    term = bound(step.arguments[1])
    initial = frame.emitter.scalar(phase.initials[0])
    start = _as_bound(frame, builder.xor(initial, builder.ashr(initial, number(63))))
    times = builder.sitofp(frame.maximum(frame.count(phase.depth), number(1)), DOUBLE)
    bounds.append(builder.fadd(start, builder.fmul(times, term)))
    safe: Any = ir.Constant(ir.IntType(1), 1)
    for one in bounds:
        safe = builder.and_(safe, builder.fcmp_ordered("<", one, ir.Constant(DOUBLE, LARGEST)))
    for one in known.values():
        safe = builder.and_(safe, builder.fcmp_ordered("<", one, ir.Constant(DOUBLE, LARGEST_OPERAND)))
    return safe


def _as_bound(frame: KernelFrame, magnitude: Any) -> Any:
    return frame.builder.fadd(frame.builder.uitofp(magnitude, DOUBLE), ir.Constant(DOUBLE, 1.0))


def _magnitude(frame: KernelFrame, value: Scalar, dimensions: Dimensions) -> Any:
    """A bound of an operand's absolute values: the bits that any of them has."""
    emitter = frame.emitter
    used = [d for d in dimensions if d[0] in value_names(value)]
    found = emitter.slot(I64, ir.Constant(I64, 0))
    emitter.builder.store(ir.Constant(I64, 0), found)

    def look() -> None:
        builder = emitter.builder
        one = cast(builder, emitter.scalar(value), value.column.storage, "i64")
        bits = builder.xor(one, builder.ashr(one, number(63)))
        builder.store(builder.or_(builder.load(found), bits), found)

    emitter.loops(tuple(n for n, _ in used), tuple(e for _, e in used), look)
    return _as_bound(frame, emitter.builder.load(found))


def value_names(value: Scalar) -> frozenset[str]:
    assert isinstance(value, Load)
    return frozenset[str]().union(*(i.names() for i in value.indices))
