"""Rows shared out: every thread goes through all steps of a repetition, and takes those that change its own rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tolang.engines.cpu.emission.regions import parallel, word_of_run
from tolang.engines.llvm import ir
from tolang.engines.llvm.bindings import BoundValue
from tolang.engines.llvm.sizes import quotient_of
from tolang.engines.llvm.types import I64
from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.conditions import junction, nonnegative
from tolang.ground.symbolic.sizes import Size
from tolang.idioms.owned_rows import OwnedRows, owned_rows_of
from tolang.plan.nest import Branch, Repeat, Step

if TYPE_CHECKING:
    from tolang.engines.cpu.emission.emitter import Emitter

LITTLE = 1 << 15
"""Elements below which one thread changes all rows."""
ZERO, ONE = ir.Constant(I64, 0), ir.Constant(I64, 1)
SHARE, FIRST, LAST = "the share", "before the first row", "the last row"


def owned_rows(emitter: Emitter, repeat: Repeat) -> None:
    """A repetition that changes one row a step."""
    found = owned_rows_of(repeat)
    assert found is not None
    builder = emitter.builder
    guard = junction("and", [nonnegative(found.row - Size.of(FIRST) - 1), nonnegative(Size.of(LAST) - found.row)])
    steps = tuple(_guarded(step, found, Branch(guard, (), (found.nest,), ())) for step in repeat.steps)
    rows = emitter.size(found.buffer.shape[0])
    elements = emitter.size(repeat.extents[0])
    for extent in found.nest.extents:
        elements = builder.mul(elements, emitter.size(extent))
    little = builder.icmp_signed("<", elements, ir.Constant(I64, LITTLE))
    shares = builder.select(little, ONE, word_of_run(builder, "tolang_width"))

    def share() -> None:
        builder, own = emitter.builder, emitter.names[SHARE].value
        count, total = emitter.captured["shares"], emitter.captured["rows"]
        before = [quotient_of(builder, builder.mul(one, total), count) for one in (builder.sub(own, ONE), own)]
        emitter.names[FIRST], emitter.names[LAST] = (BoundValue.index(one) for one in before)
        emitter.loop(ZERO, emitter.size(repeat.extents[0]), repeat.iterators[0], lambda: emitter.own_memory(steps))

    def region(low: Any, high: Any) -> None:
        emitter.inside_region = True
        emitter.loop(low, high, SHARE, share)
        emitter.inside_region = False

    parallel(emitter, shares, ONE, region, {"shares": shares, "rows": rows})


def _guarded(step: Step, found: OwnedRows, guarded: Branch) -> Step:
    """A step in which the nest is taken for rows of one's own only."""
    if step is found.nest:
        return guarded
    if not isinstance(step, Branch):
        return step
    sides = (tuple(_guarded(one, found, guarded) for one in side) for side in (step.then, step.otherwise))
    then, otherwise = sides
    return replace(step, then=then, otherwise=otherwise)
