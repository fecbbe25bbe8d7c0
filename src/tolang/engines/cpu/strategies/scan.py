"""Scans in machine code: what was computed last stays in a register, and blocks are shared out among threads.

The results of the blocks come first, each computed by itself, then what comes before each block, then its elements.
Blocks have a fixed length, so that no result depends on how many threads there are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tolang.engines.cpu.emission.effort import folding, whole
from tolang.engines.cpu.emission.regions import parallel
from tolang.engines.cpu.strategies.lanes import Folded, fold_in_lanes
from tolang.engines.llvm import ir
from tolang.engines.llvm.bindings import BoundValue
from tolang.engines.llvm.functions import compute
from tolang.engines.llvm.sizes import ceiling
from tolang.engines.llvm.types import I64, TYPES, constant
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.functions import identity_in
from tolang.idioms.scan import Scan, scan_of
from tolang.plan.grain import lanes_of_a_vector
from tolang.plan.nest import Load, Repeat, out_of_range
from tolang.plan.schedule import ScanSchedule

if TYPE_CHECKING:
    from tolang.engines.cpu.emission.emitter import Emitter

ZERO, ONE = ir.Constant(I64, 0), ir.Constant(I64, 1)
ITEM = "the block"


def scan(emitter: Emitter, repeat: Repeat) -> None:
    """A repetition that is a scan."""
    found = scan_of(repeat)
    assert found is not None
    schedule = repeat.schedule
    assert isinstance(schedule, ScanSchedule)
    _Scan(emitter, found, schedule.block or None, schedule.lanes or 1).emit()


class _Scan:
    """The loops of one scan."""

    def __init__(self, emitter: Emitter, scan: Scan, block: int | None, lanes: int) -> None:
        self.emitter, self.scan, self.block, self.lanes = emitter, scan, block, lanes
        self.length = ir.Constant(I64, block or 0)
        self.storages = [buffer.column.storage for buffer, _ in scan.targets]

    def emit(self) -> None:
        """The first element, or the one before it, then all others."""
        emitter = self.emitter
        count = emitter.size(self.scan.extent)
        slots = [emitter.slot(TYPES[storage]) for storage in self.storages]

        def begin() -> None:
            if self.scan.first is not None:
                emitter.names[self.scan.iterator] = BoundValue.index(ONE)
                self._store([emitter.scalar(v) for v in self.scan.first], slots)
            else:
                emitter.names[self.scan.iterator] = BoundValue.index(ZERO)
                for (buffer, at), slot in zip(self.scan.targets, slots, strict=True):
                    emitter.builder.store(emitter.load(Load(buffer, at, column=buffer.column)), slot)
            start = ONE if self.scan.first is not None else ZERO
            if self.block is not None:
                self._blocks(start, count, slots)
            else:
                self._stretch(start, count, slots)

        emitter.choose(emitter.builder.icmp_signed(">=", count, ONE), begin, lambda: None)

    def _store(self, values: list[Any], slots: list[Any]) -> None:
        for (buffer, at), value, slot in zip(self.scan.targets, values, slots, strict=True):
            self.emitter.builder.store(value, slot)
            self.emitter.store(buffer, at, value)

    def _stretch(self, low: Any, high: Any, slots: list[Any]) -> None:
        """Elements from low on and before high, one after the other."""
        emitter = self.emitter

        def one() -> None:
            for name, slot, storage in zip(self.scan.carried, slots, self.storages, strict=True):
                emitter.names[name] = BoundValue(emitter.builder.load(slot), storage)
            self._store([emitter.scalar(s) for s in self.scan.steps], slots)

        emitter.loop(low, high, self.scan.iterator, one)

    def _blocks(self, start: Any, count: Any, slots: list[Any]) -> None:
        """The results of the blocks, each by itself; then what comes before each of them; then their elements."""
        emitter, builder = self.emitter, self.emitter.builder
        kind = TYPES[self.storages[0]]
        rest = builder.sub(count, start)
        blocks = ceiling(builder, rest, self.length)
        raw = emitter.take(builder.mul(builder.add(blocks, ONE), ir.Constant(I64, 8)), "a scan")
        results = emitter.builder.bitcast(raw, kind.as_pointer())
        shared = {"results": results, "count": count, "start": start}
        work = whole(emitter, folding(self.scan.steps, (Size.of(self.block or 0),)))
        parallel(emitter, emitter.builder.sub(blocks, ONE), ONE, self._region(self._own_result), shared, work)

        def gather() -> None:
            inner = emitter.builder
            place = inner.gep(results, [inner.sub(emitter.names[ITEM].value, ONE)])
            before = inner.load(slots[0])
            inner.store(self._combine(before, inner.load(place)), slots[0])
            emitter.builder.store(before, place)

        emitter.loop(ZERO, emitter.builder.sub(blocks, ONE), ITEM, gather)
        last = emitter.builder.gep(results, [emitter.builder.sub(blocks, ONE)])
        with emitter.builder.if_then(emitter.builder.icmp_signed(">=", blocks, ONE)):
            emitter.builder.store(emitter.builder.load(slots[0]), last)
        parallel(emitter, blocks, ONE, self._region(self._elements), shared, work)
        emitter.give_back(raw)

    def _region(self, block: Callable[[Any, Any, Any, Any], None]) -> Callable[[Any, Any], None]:
        """Work on blocks in one thread: `block` is given its bounds, a slot, and where its result is."""
        emitter = self.emitter

        def region(low: Any, high: Any) -> None:
            emitter.inside_region = True
            slot = emitter.slot(TYPES[self.storages[0]])

            def one() -> None:
                builder = emitter.builder
                number = builder.sub(emitter.names[ITEM].value, ONE)
                first = builder.add(emitter.captured["start"], builder.mul(number, self.length))
                end, count = builder.add(first, self.length), emitter.captured["count"]
                end = builder.select(builder.icmp_signed("<", end, count), end, count)
                block(first, end, slot, builder.gep(emitter.captured["results"], [number]))

            emitter.loop(low, high, ITEM, one)
            emitter.inside_region = False

        return region

    def _elements(self, low: Any, high: Any, slot: Any, place: Any) -> None:
        """The elements of a block, continuing what comes before it."""
        self.emitter.builder.store(self.emitter.builder.load(place), slot)
        self._stretch(low, high, [slot])

    def _own_result(self, low: Any, high: Any, slot: Any, place: Any) -> None:
        """The elements of a block combined with nothing before them."""
        emitter, scan = self.emitter, self.scan
        column, state, step = scan.targets[0][0].column, scan.carried[0], scan.steps[0]
        combine = scan.combine or ""
        identity = constant(identity_in(combine, column.storage), column.storage)
        if self.lanes > 1:
            vectors = self.lanes // lanes_of_a_vector(column.storage)
            row = Folded((scan.iterator,), (scan.extent,), state, step, column, combine, vectors, (low, high))
            emitter.builder.store(fold_in_lanes(emitter, row, identity)[0], place)
            return
        emitter.builder.store(identity, slot)

        def one() -> None:
            emitter.names[state] = BoundValue(emitter.builder.load(slot), column.storage)
            emitter.builder.store(emitter.scalar(step), slot)

        emitter.loop(low, high, scan.iterator, one)
        emitter.builder.store(emitter.builder.load(slot), place)

    def _combine(self, one: Any, two: Any) -> Any:
        emitter, buffer = self.emitter, self.scan.targets[0][0]
        report = emitter.reporter(out_of_range(self.scan.combine or ""), None)
        columns = [buffer.column, buffer.column]
        return compute(emitter.builder, self.scan.combine or "", [one, two], columns, buffer.column, report)
