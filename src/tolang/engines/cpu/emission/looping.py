"""Loops of one thread, in strips: between two of them it looks whether the run is to end.

    for k in low..high:          for each strip of low..high:
      body                         for k in the strip:
                                     body
                                   look

A run ends early where the handler of a signal has raised an exception, or a check has failed, on this thread or on
another.  The innermost loop stays as it is, so that it runs on vectors as before, and every element keeps its place in
the order of a fold.  Loops around others take what each turn costs from an allowance, and look when that is spent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tolang.engines.cpu.emission.function import CpuFunction
from tolang.engines.cpu.plan.artifact import IMPATIENT, MOMENT
from tolang.engines.llvm import ir
from tolang.engines.llvm.bindings import BoundValue
from tolang.engines.llvm.callees import declared
from tolang.engines.llvm.interleaving import hint_chains, keep_rolled
from tolang.engines.llvm.types import DOUBLE, I8, I64
from tolang.ground.symbolic.sizes import Size

ALLOWANCE = 1 << 20
"""How many instructions, roughly, a thread executes between two looks: less than a millisecond of them."""
CALL = 32
"""How many instructions a call of another function counts for."""
REGION = ALLOWANCE // 64
"""How many a parallel region counts for, which looks between its pieces, but not after the last of them."""
POINTER = I8.as_pointer()
ZERO, ONE = ir.Constant(I64, 0), ir.Constant(I64, 1)


def loop(
    emitter: CpuFunction,
    low: Any,
    high: Any,
    iterator: str,
    body: Callable[[], Any],
    most: int | None = None,
    rolled: bool = False,
) -> None:
    """A loop over items low to high, counted from 0; the iterator counts from 1.

    The body may give a truth, without which the loop ends; `most` is how often it turns, where that is known; one
    that is `rolled` is not to be unrolled.
    """
    written = _Loop(emitter, low, high)
    with emitter.scope():
        following = emitter.builder.add(written.counter, ONE, flags=("nsw",))
        emitter.names[iterator] = BoundValue.index(following)
        written.close(following, body(), most, rolled)


def loops(emitter: CpuFunction, iterators: Sequence[str], extents: Sequence[Size], body: Callable[[], None]) -> None:
    """Nested loops, the first iterator outermost, each from 1 to its extent."""
    with emitter.scope():
        if not iterators:
            body()
            return
        most = extents[0].constant
        written = _Loop(emitter, ZERO, emitter.size(extents[0]), ONE)
        emitter.names[iterators[0]] = BoundValue.index(written.counter)
        loops(emitter, iterators[1:], extents[1:], body)
        following = emitter.builder.add(written.counter, ONE, flags=("nsw",))
        rolled = any(extent.constant is None for extent in extents[1:])
        written.close(following, None, None if most is None else max(0, int(most)), rolled)


class _Loop:
    """A loop over places low to high: what is written until it is closed is its body.

    The counter is the place, counted from `base`: where the coordinate itself is what counts, from 1.
    """

    def __init__(self, emitter: CpuFunction, low: Any, high: Any, base: Any = ZERO) -> None:
        self.emitter, self.low, self.high, self.base = emitter, low, high, base
        pace, builder = emitter.pace, emitter.builder
        self.outside = pace.repeated, pace.long
        pace.repeated, pace.long, pace.around = 0, False, pace.around + 1
        self.before, self.blocks = builder.block, len(emitter.function.blocks)
        self.head = emitter.function.append_basic_block("loop")
        builder.position_at_end(self.head)
        self.counter = builder.phi(I64)

    def close(self, following: Any, going: Any, most: int | None, rolled: bool = False) -> None:
        """Ends the body, which is done again while there is a place that follows, and it is `going` on if that is told.

        `most` is how often it turns, where that is known; a loop that is `rolled` is not to be unrolled.
        """
        emitter, builder, pace = self.emitter, self.emitter.builder, self.emitter.pace
        pace.around -= 1
        cost = instructions(emitter.function.blocks[self.blocks :]) + pace.repeated
        short = most is not None and most * cost <= ALLOWANCE and not pace.long
        if pace.patient and pace.long:
            spend(emitter, ir.Constant(I64, cost))
        after = emitter.function.append_basic_block("done")
        if pace.patient and not pace.long and not short:
            strips = _Strips(self, cost, after)
            self._repeat(following, strips.end, going, strips.between, rolled)
            strips.close(going)
            self._enter(strips.block, after)
        else:
            self._repeat(following, self.high, going, after, rolled)
            self.counter.add_incoming(self.low if self.base is ZERO else self.base, self.before)
            self._enter(self.head, after)
        builder.position_at_end(after)
        pace.repeated = self.outside[0] + (cost * ((most or 1) - 1) if short else 0)
        pace.long = self.outside[1] or not short

    def _repeat(self, following: Any, end: Any, going: Any, after: ir.Block, rolled: bool) -> None:
        """The end of the body."""
        emitter, builder = self.emitter, self.emitter.builder
        again = builder.icmp_signed("<" if self.base is ZERO else "<=", following, end)
        self.counter.add_incoming(following, builder.block)
        branch = builder.cbranch(_and(builder, again, going), self.head, after)
        if rolled:
            keep_rolled(emitter.module, branch)
        hint_chains(emitter.module, branch)

    def _enter(self, first: ir.Block, after: ir.Block) -> None:
        """The beginning of the loop, which is passed by where there is no place."""
        builder = self.emitter.builder
        builder.position_at_end(self.before)
        builder.cbranch(builder.icmp_signed("<", self.low, self.high), first, after)


class _Strips:
    """The loop over the strips of another, each of a cost that makes it as long as the allowance."""

    def __init__(self, inner: _Loop, cost: int, after: ir.Block) -> None:
        self.inner, self.emitter, self.after = inner, inner.emitter, after
        self.shift = max(1, cost - 1).bit_length()
        length = ir.Constant(I64, max(1, ALLOWANCE >> self.shift))
        self.block, self.between = (self.emitter.function.append_basic_block(name) for name in ("strip", "between"))
        builder = ir.IRBuilder(self.block)
        self.begin = builder.phi(I64)
        self.begin.add_incoming(inner.low, inner.before)
        end = builder.add(self.begin, length, flags=("nsw",))
        self.end = builder.select(builder.icmp_signed("<", end, inner.high), end, inner.high)
        inner.counter.add_incoming(builder.add(self.begin, inner.base, flags=("nsw",)), self.block)
        builder.branch(inner.head)

    def close(self, going: Any) -> None:
        """What comes between two strips, and after the last."""
        builder, pace = self.emitter.builder, self.emitter.pace
        builder.position_at_end(self.between)
        if pace.around:
            allowance = _allowance(self.emitter)
            spent = builder.shl(builder.sub(self.end, self.begin), ir.Constant(I64, self.shift))
            builder.store(builder.sub(builder.load(allowance), spent), allowance)
        more = _and(builder, builder.icmp_signed("<", self.end, self.inner.high), going)
        with builder.if_then(more, likely=False):
            look(self.emitter)
            self.begin.add_incoming(self.end, builder.block)
            builder.branch(self.block)
        builder.branch(self.after)


def _and(builder: ir.IRBuilder, truth: Any, other: Any) -> Any:
    return truth if other is None else builder.and_(truth, other)


def instructions(blocks: Sequence[ir.Block]) -> int:
    """How many instructions some blocks have, roughly, those of functions they call counted, too."""
    return sum(len(block.lines) + sum(_beyond_a_line(name) for name in block.calls) for block in blocks)


def _beyond_a_line(name: str) -> int:
    """How much more than one instruction a call of a function is."""
    return REGION - 1 if name == "tolang_parallel" else 0 if name.startswith("llvm.") else CALL - 1


def _allowance(emitter: CpuFunction) -> Any:
    """Where the function being written keeps how much it may execute until it looks."""
    if emitter.pace.allowance is None:
        emitter.pace.allowance = emitter.slot(I64, ir.Constant(I64, ALLOWANCE))
    return emitter.pace.allowance


def refuse_long(emitter: CpuFunction, work: Any) -> None:
    """Leaves the function where so many instructions take longer than anybody waits for an answer."""
    builder = emitter.builder
    long = builder.fcmp_ordered(">", work, ir.Constant(DOUBLE, MOMENT))
    with builder.if_then(long, likely=False):
        builder.store(ir.Constant(I64, IMPATIENT), emitter.fault)
        emitter.leave()


def spend(emitter: CpuFunction, cost: Any) -> None:
    """Takes a cost from the allowance, and looks if it is spent."""
    builder, allowance = emitter.builder, _allowance(emitter)
    left = builder.sub(builder.load(allowance), cost)
    builder.store(left, allowance)
    with builder.if_then(builder.icmp_signed("<", left, ZERO), likely=False):
        builder.store(ir.Constant(I64, ALLOWANCE), allowance)
        look(emitter)


def look(emitter: CpuFunction) -> None:
    """Leaves the function if the run is to end; the main thread lets signals be handled before."""
    builder = emitter.builder
    effects = "nounwind", "cold", "memory(argmem: readwrite, inaccessiblemem: readwrite)"
    known = declared(emitter.module, "tolang_look", I64, [I64.as_pointer()], effects)
    found = builder.call(known, [emitter.fault])
    emitter.leave_if(builder.or_(builder.icmp_signed("!=", found, ZERO), emitter.flagged()))
