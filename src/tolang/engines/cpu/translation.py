"""From a checked program to its artifact: planned, emitted, compiled kernel by kernel."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from math import inf
from typing import NamedTuple

import numpy as np

from tolang.core.core import Core
from tolang.core.refusal import Refused
from tolang.core.text_codes import on_codes
from tolang.engines.contract import PlanSection
from tolang.engines.cpu.emission.kernels import Compilation, write
from tolang.engines.cpu.plan.artifact import Artifact, Once, WrittenTensor, expected
from tolang.engines.cpu.plan.bytecode import AssembledPlan, assemble
from tolang.engines.cpu.runtime import native
from tolang.engines.cpu.runtime.loaded import LoadedKernel
from tolang.engines.cpu.runtime.native import host_target
from tolang.ground.dataclasses import replace
from tolang.ground.values.spaces import dtype_of
from tolang.lower.steps import lower
from tolang.plan.canonical import Outlined
from tolang.plan.fixed import with_lengths
from tolang.plan.nest import ConstantTable, Unsupported
from tolang.plan.target import Target
from tolang.plan.work import PlanWork
from tolang.schedule.planning import (
    ALL_THERE_IS,
    NO_LENGTHS,
    Planned,
    fixed_buffers,
    input_of,
    is_sound,
    one_by_one,
    plan,
    unverified,
)

BEYOND = (Unsupported, RecursionError, OverflowError)
"""What tells that a program is beyond compiled code."""


class Translation(NamedTuple):
    """A program's artifact, its kernels, and how the rest of them is compiled when other sizes need it."""

    artifact: Artifact
    kernels: list[LoadedKernel]
    rest: Callable[[Mapping[str, int]], list[LoadedKernel]]


def translate(
    program: Core | PlanSection,
    strict: bool,
    fixed: frozenset[str] = frozenset(),
    patient: frozenset[str] = frozenset(),
    sizes: Mapping[str, int] | None = None,
    lengths: Mapping[str, int] = NO_LENGTHS,
) -> Translation:
    """The artifact of a program and its kernels, compiled as far as they are not kept; raises `Refused`.

    `fixed` inputs have the same values in all calls: what can be made of them alone, is made once; some `lengths` are
    the same in all calls.  In the place of
    kernels that are named as `patient` there are such that take sizes of which these would not come to an end soon.
    Kernels that compute little at the `sizes` of the first call are compiled to code that is ready soon.
    """
    target = host_target()
    try:
        lowered, whole = (
            (program.plan, program.whole) if isinstance(program, PlanSection) else (lower(program), ALL_THERE_IS)
        )
        lowered = with_lengths(lowered, lengths)
        buffers = frozenset[str]() if strict or isinstance(program, PlanSection) else fixed_buffers(program, fixed)
        planning = lowered, target, strict, buffers, whole
        made = unverified(*planning)
        found = None if made is None else _compiled(made, target, patient, sizes, partial(is_sound, made))
        if found is None:
            found = _compiled(one_by_one(*planning), target, patient, sizes, lambda: True)
            assert found is not None
    except BEYOND as reason:
        raise Refused(_told(reason)) from None
    return found


def _compiled(
    made: Planned,
    target: Target,
    patient: frozenset[str],
    sizes: Mapping[str, int] | None,
    is_sound: Callable[[], bool],
) -> Translation | None:
    """The artifact of a plan and its kernels; None where it is not sound, which is asked while LLVM is at work."""
    try:
        with Compilation(target, patient) as compilation:
            tables, works = _tables(made), [PlanWork(one) for one in (made.plan, made.once) if one is not None]
            written = tuple(map(_written, made.plan.tables))
            once = frozenset(one.shared.key for table in tables[1:] for one in table.calls)
            wanted = tables[0].called(sizes, rarely=False) | once
            for table, work in zip(tables, works, strict=True):
                compilation.start([one for one in table.calls if one.shared.key in wanted], _amounts(work, sizes))
            if not is_sound():
                return None
            found = [compilation.finished(table.calls) for table in tables]
    except Exception:
        if not is_sound():  # then it may lead to anything
            return None
        raise
    names = zip(tables[0].calls, found[0], strict=True)
    later = frozenset(kernel.name for call, kernel in names if call.shared.key not in wanted)
    places = {buffer.name: place for place, buffer in enumerate(made.plan.inputs)}
    strides = tuple(tuple(places[name] for name in one.buffers) for one in made.plan.strides)
    artifact = _artifact(made.plan.sizes, tables[0], found[0], works[0])
    artifact = replace(artifact, written=written, rare=later, strides=strides)
    rest = partial(_rest, tables[0], wanted, works[0], target, patient)
    if made.once is None:
        return Translation(artifact, found[0], rest)
    gives = tuple((len(buffer.shape), buffer.column) for (buffer,) in made.once.outputs)
    reads = tuple(input_of(one) for one in made.once.inputs)
    first = _artifact((), tables[1], found[1], works[1])
    return Translation(replace(artifact, once=Once(first, reads, gives)), [*found[0], *found[1]], rest)


def _rest(
    table: AssembledPlan,
    before: frozenset[str],
    work: PlanWork,
    target: Target,
    patient: frozenset[str],
    sizes: Mapping[str, int],
) -> list[LoadedKernel]:
    """The kernels of calls that sizes need and were not compiled before."""
    wanted = table.called(sizes, rarely=True) - before
    calls = [call for call in table.calls if call.shared.key in wanted]
    with Compilation(target, patient) as compilation:
        compilation.start(calls, _amounts(work, sizes))
        return compilation.finished(calls)


def _amounts(work: PlanWork, sizes: Mapping[str, int] | None) -> Callable[[Outlined], float]:
    """How much each call of a plan computes: without end where it is to be fast anyway."""
    if sizes is None or native.level() in ("full", "quick"):
        return lambda call: inf
    return lambda call: expected(work.of(call), sizes)


def _written(table: ConstantTable) -> WrittenTensor:
    """A table of a plan as data of an artifact."""
    kind, shape = table.buffer.column, tuple(int(length.evaluate({})) for length in table.buffer.shape)
    return WrittenTensor(kind, shape, np.array(table.elements, dtype_of(kind.storage)).tobytes())


def _tables(made: Planned) -> list[AssembledPlan]:
    """The tables of a plan and of what is done once before it."""
    return [assemble(one) for one in (made.plan, made.once) if one is not None]


def _artifact(sizes: tuple[str, ...], table: AssembledPlan, found: list[LoadedKernel], work: PlanWork) -> Artifact:
    """A table and the kernels of its calls."""
    names, spans = tuple(one.name for one in found), tuple(call.spans for call in table.calls)
    return Artifact(
        sizes, table.checks, names, spans, table.registers, table.words, work=tuple(map(work.of, table.calls))
    )


def plan_of(
    program: Core, strict: bool, fixed: frozenset[str] = frozenset(), lengths: Mapping[str, int] = NO_LENGTHS
) -> Planned:
    """The plan that a program is compiled from, its code written, not compiled; raises `Refused`."""
    target, text = host_target(), on_codes(program)
    if text is not None:
        program, fixed = text.core, fixed - text.textual
    try:
        made = plan(program, target, strict, fixed, lengths)
        for table in _tables(made):
            write(table.calls, target)
    except BEYOND as reason:
        raise Refused(_told(reason)) from None
    return made


def _told(reason: Exception) -> str:
    """Why a program is left to the interpreter, in words."""
    match reason:
        case RecursionError():
            return "expressions that nest this deep are left to the interpreter"
        case OverflowError():
            return "numbers beyond 64 bits are left to the interpreter"
    return str(reason)
