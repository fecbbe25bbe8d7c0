"""Rows that are divided by one number: quotients as products by its reciprocal, with the bits of divisions.

Where some quotient is in doubt, all is done by divisions.  Most rows find that out while they divide, and would be done
again; a row that is written over what it divides is looked at before anything is written.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

from tolang.engines.cpu.emission.emitter import Emitter
from tolang.engines.llvm import ir
from tolang.engines.llvm.quotients import Divisor, Doubt
from tolang.engines.llvm.types import I1, cast
from tolang.ground.values.functions import functions_with
from tolang.plan.nest import Each, Load, Nest, Operation
from tolang.plan.traversal import written_buffers

NEVER_NEGATIVE = functions_with(never_negative=True)
LONG_ROW = 32
"""From how many elements on it pays to have a reciprocal for all of them."""
Body = Callable[[], None]


def rows_above_zero(each: Each) -> dict[int, frozenset[str]]:
    """For the nests of a loop over rows, known by identity: buffers of which none is likely to have negative numbers.

    The step that wrote them last gave what a function gives that is never negative.  It may have written others of
    them, so that this is no more than likely.
    """
    found, above = dict[int, frozenset[str]](), set[str]()
    for step in each.steps:
        found[id(step)] = frozenset(above)
        above -= written_buffers(step)
        if isinstance(step, Nest):
            above |= {
                buffer.name
                for (buffer, _), value in zip(step.targets, step.values, strict=True)
                if isinstance(value, Operation) and value.function in NEVER_NEGATIVE
            }
    return found


def divided_row(
    emitter: Emitter,
    along: Callable[[Body], None],
    shared: list[Operation],
    body: Body,
    *,
    over: bool,
    above_zero: frozenset[str],
) -> None:
    """What goes `along` a row with its shared quotients; `over` says whether it is written over what is read.

    Numbers of the buffers `above_zero` are not likely to be negative.
    """
    if not shared:
        along(body)
        return
    builder, again = emitter.builder, emitter.slot(I1)
    dividends = [one.arguments[0] for one in shared]
    signed = not all(isinstance(one, Load) and one.buffer.name in above_zero for one in dividends)
    doubts = {one.column.storage: Doubt(builder, one.column.storage, emitter.slot, signed) for one in shared}
    divisors = {}
    fit: ir.Value = ir.Constant(I1, 1)
    for one in shared:
        storage, divisor = one.column.storage, one.arguments[1]
        value = cast(builder, emitter.scalar(divisor), divisor.column.storage, storage)
        divisors[id(one)] = Divisor(builder, value, storage, None if over else doubts[storage], signed)
        fit = builder.and_(fit, divisors[id(one)].is_fit(builder))

    def look() -> None:
        for one in shared:
            number, storage = one.arguments[0], one.column.storage
            doubts[storage].note(builder, cast(builder, emitter.scalar(number), number.column.storage, storage))

    def multiply() -> None:
        emitter.divisors = divisors
        along(body)
        emitter.divisors = {}

    def doubtful() -> Any:
        return reduce(builder.or_, [doubt.found(builder) for doubt in doubts.values()])

    builder.store(builder.not_(fit), again)
    with builder.if_then(fit, likely=True):
        if over:
            along(look)
            builder.store(doubtful(), again)
            with builder.if_then(builder.not_(builder.load(again)), likely=True):
                multiply()
        else:
            multiply()
            builder.store(doubtful(), again)
    with builder.if_then(builder.load(again), likely=False):
        along(body)
