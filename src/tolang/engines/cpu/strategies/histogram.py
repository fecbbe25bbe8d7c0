"""Histograms on all threads: each piece of the elements adds to a state of its own, and these are combined in order.

Where there are not many more steps than places, all add to one state, whose places are shared out (`owned_places`).
Pieces depend on the number of elements only, so that no result depends on how many threads there are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tolang.engines.cpu.emission.regions import parallel
from tolang.engines.cpu.strategies.owned_places import owned_places, shares_of
from tolang.engines.llvm import ir
from tolang.engines.llvm.bindings import BoundValue, BufferMemory
from tolang.engines.llvm.functions import compute
from tolang.engines.llvm.sizes import ceiling, quotient_of
from tolang.engines.llvm.types import I1, I32, I64, constant, memory_type
from tolang.ground.symbolic.conditions import Condition
from tolang.ground.symbolic.sizes import Size, extremum
from tolang.ground.values.functions import identity_in
from tolang.ground.values.spaces import Column, column, is_float
from tolang.idioms.histogram import Histogram, histogram_of
from tolang.plan.grain import HISTOGRAM_PIECE, HISTOGRAM_PIECES, HISTOGRAM_PLACES
from tolang.plan.nest import (
    Bind,
    Branch,
    ConstantScalar,
    Nest,
    Operation,
    Repeat,
    RequireStep,
    Scalar,
    Step,
    out_of_range,
)
from tolang.plan.schedule import ScatterSchedule
from tolang.plan.traversal import may_fail, names_in, occurrences

if TYPE_CHECKING:
    from tolang.engines.cpu.emission.emitter import Emitter

ZERO, ONE = ir.Constant(I64, 0), ir.Constant(I64, 1)
BLOCK = 1024
"""How many steps are prepared at a time."""
GATHERED = 1 << 12
"""How many places of all states a thread combines at a time."""
EXTREMES = frozenset({"max", "min"})
WRAPPING = column("i64")
ITEM, PLACE, OUTER, LANE = "the piece", "the place", "the block", "the lane"


def histogram(emitter: Emitter, repeat: Repeat) -> None:
    """A repetition that adds to places of its state."""
    found = histogram_of(repeat)
    assert found is not None
    assert isinstance(repeat.schedule, ScatterSchedule)
    _Histogram(emitter, repeat, found, repeat.schedule.copies).emit()


class _Histogram:
    """The loops of one histogram."""

    def __init__(self, emitter: Emitter, repeat: Repeat, found: Histogram, most: int) -> None:
        self.emitter, self.repeat, self.found, self.most = emitter, repeat, found, most
        self.buffer, self.combine = found.buffer, found.combine
        self.kind = memory_type(self.buffer.column.storage)

    def emit(self) -> None:
        """States of their own where there are many more steps than elements of the state."""
        emitter, builder = self.emitter, self.emitter.builder
        count = emitter.size(self.repeat.extents[0])
        total: Any = ONE
        for length in self.buffer.shape:
            total = builder.mul(total, emitter.size(length))
        pieces = quotient_of(builder, count, ir.Constant(I64, HISTOGRAM_PIECE))
        pieces = builder.select(
            builder.icmp_signed("<", pieces, ir.Constant(I64, self.most)), pieces, ir.Constant(I64, self.most)
        )
        room = builder.icmp_signed("<=", builder.mul(total, ir.Constant(I64, 8 * HISTOGRAM_PIECES)), count)
        many = builder.and_(builder.icmp_signed(">=", pieces, ir.Constant(I64, min(2, self.most))), room)
        many = builder.and_(many, builder.icmp_signed("<=", total, ir.Constant(I64, HISTOGRAM_PLACES)))
        emitter.choose(many, lambda: self._shared(count, total, pieces), lambda: self._in_order(count))

    def _in_order(self, count: Any) -> None:
        """All steps change one state: on one thread, or on several that share out its rows."""
        emitter, row = self.emitter, self.found.row
        if row is None:
            self._steps(ZERO, count)
            return
        rows = emitter.size(self.buffer.shape[0])
        shares = shares_of(emitter, count, rows)

        def several() -> None:
            with emitter.stopping(True):
                owned_places(emitter, self.repeat.iterators[0], row, (count, rows, shares), self._whole_step)

        alone = emitter.builder.icmp_signed("<=", shares, ONE)
        emitter.choose(alone, lambda: self._steps(ZERO, count), several)

    def _steps(self, low: Any, high: Any) -> None:
        with self.emitter.stopping(True):
            self.emitter.loop(low, high, self.repeat.iterators[0], self._whole_step)

    def _whole_step(self) -> None:
        """A step of the fold, which ends where a check fails: what the old element was asked for holds after it."""
        steps, emitter, storage = self.repeat.steps, self.emitter, self.buffer.column.storage
        change = next((k for k, one in enumerate(steps) if self._is_change(one)), None)
        if change is None or not self._may_be_neutral(steps[change:]):
            self._steps_of_one(steps)
            return
        self._steps_of_one(steps[:change])
        self._inside()
        element, neutral = emitter.scalar(self.found.element), constant(identity_in(self.combine, storage), storage)
        compared = emitter.builder.fcmp_unordered if is_float(storage) else emitter.builder.icmp_signed
        with emitter.builder.if_then(compared("!=", element, neutral)), emitter.scope():
            self._steps_of_one(steps[change:])

    def _is_change(self, step: Step) -> bool:
        return isinstance(step, Bind) and self._reads_old(step.value)

    def _may_be_neutral(self, steps: tuple[Step, ...]) -> bool:
        """Whether what these steps combine with an old element may leave it, so that nothing of them need be done.

        The greatest or least of what is known and of nothing, as a walk over a graph finds, is what is known.
        """
        bound = {one.name for one in steps if isinstance(one, Bind)}
        ready = self.combine in EXTREMES and names_in(self.found.element).isdisjoint(bound)
        return self.emitter.ends_at_once and ready and all(map(self._asks_no_more, steps))

    def _asks_no_more(self, step: Step) -> bool:
        """Whether nothing can go wrong in a step but what the checks of the old element and the new one tell."""
        match step:
            case RequireStep(condition=condition):
                return self.found.is_asked(condition)
            case Bind(value=value):
                return self._is_change(step) or not may_fail(value)
            case Branch(guard=Condition() as guard, then=then, otherwise=()):
                return self.found.is_asked(guard) and all(map(self._asks_no_more, then))
            case Nest(values=values):
                return not any(map(may_fail, values))
        return False

    def _steps_of_one(self, steps: tuple[Step, ...]) -> None:
        emitter, asked = self.emitter, False
        for step in steps:
            match step:
                case RequireStep(condition=condition) if asked and self.found.is_asked(condition):
                    continue
                case Branch(guard=Condition() as guard, then=then) if asked and self.found.is_asked(guard):
                    with emitter.reading(self.buffer, self.found.old.indices, self.found.old.checks):
                        emitter.own_memory(then)
                case _:
                    self._step(step)
            asked = asked or (emitter.ends_at_once and self._is_change(step))

    def _reads_old(self, scalar: Scalar) -> bool:
        """Whether a number is the old element, or what it becomes."""
        return scalar is self.found.old or (isinstance(scalar, Operation) and scalar.arguments[0] is self.found.old)

    def _step(self, step: Step) -> None:
        """A step of the fold; what is demanded is noted only, since it is also what guards the store."""
        emitter = self.emitter
        if isinstance(step, RequireStep):
            wrong = emitter.builder.not_(emitter.condition(step.condition))
            emitter.reporter(step.complaint, step.span)(emitter.builder, wrong)
        else:
            emitter.step(step)

    def _shared(self, count: Any, total: Any, pieces: Any) -> None:
        emitter, builder = self.emitter, self.emitter.builder
        item = ir.Constant(I64, self._bytes())
        stride = builder.add(total, ONE)
        raw = emitter.take(builder.mul(builder.mul(stride, pieces), item), "a fold")
        states = emitter.builder.bitcast(raw, self.kind.as_pointer())
        shared = {"states": states, "count": count, "total": total, "pieces": pieces}

        def region(low: Any, high: Any) -> None:
            emitter.inside_region = True
            emitter.loop(low, high, ITEM, self._piece)
            emitter.inside_region = False

        def gathered(low: Any, high: Any) -> None:
            emitter.inside_region = True
            emitter.loop(ZERO, emitter.captured["pieces"], ITEM, lambda: self._gather(low, high))
            emitter.inside_region = False

        parallel(emitter, pieces, ONE, region, shared)
        parallel(emitter, total, ir.Constant(I64, GATHERED), gathered, shared)
        emitter.give_back(raw)

    def _bytes(self) -> int:
        return {"float": 4, "double": 8}.get(str(self.kind)) or self.kind.width // 8

    def _piece(self) -> None:
        """One piece of the steps, on a state of neutral elements."""
        emitter, builder = self.emitter, self.emitter.builder
        number, total = builder.sub(emitter.names[ITEM].value, ONE), emitter.captured["total"]
        state = builder.gep(emitter.captured["states"], [builder.mul(number, builder.add(total, ONE))])
        neutral = constant(identity_in(self.combine, self.buffer.column.storage), self.buffer.column.storage)

        def clear() -> None:
            place = emitter.builder.sub(emitter.names[PLACE].value, ONE)
            emitter.builder.store(neutral, emitter.builder.gep(state, [place]))

        emitter.loop(ZERO, builder.add(total, ONE), PLACE, clear)
        builder = emitter.builder
        count, pieces = emitter.captured["count"], emitter.captured["pieces"]
        low = quotient_of(builder, builder.mul(number, count), pieces)
        high = quotient_of(builder, builder.mul(builder.add(number, ONE), count), pieces)
        with emitter.scope():
            emitter.memory[self.buffer.name] = BufferMemory(state)
            if self.found.free:
                self._blocks(low, high, state)
            else:
                self._steps(low, high)

    def _blocks(self, low: Any, high: Any, state: Any) -> None:
        """Places and elements of a block of steps first, as vectors where possible; then the additions."""
        emitter, builder = self.emitter, self.emitter.builder
        width = ir.Constant(I64, BLOCK)
        places = emitter.slot(ir.ArrayType(I32, BLOCK))
        elements = emitter.slot(ir.ArrayType(self.kind, BLOCK))
        blocks = ceiling(builder, builder.sub(high, low), width)

        def block() -> None:
            first = emitter.builder.sub(emitter.names[OUTER].value, ONE)
            first = emitter.builder.add(low, emitter.builder.mul(first, width))
            rest = emitter.builder.sub(high, first)
            length = emitter.builder.select(emitter.builder.icmp_signed("<", rest, width), rest, width)
            self._found_all(first, length, places, elements)
            emitter.loop(ZERO, length, LANE, lambda: self._added(places, elements, state), BLOCK)

        emitter.loop(ZERO, blocks, OUTER, block)

    def _found_all(self, first: Any, length: Any, places: Any, elements: Any) -> None:
        """The places and elements of a block; where reals tell the places and one is outside, all checks tell why."""
        emitter = self.emitter

        def with_checks() -> None:
            emitter.loop(ZERO, length, LANE, lambda: self._found(first, places, elements), BLOCK)

        level, limit = self.found.level, self.found.limit
        if level is None or limit is None:
            with_checks()
            return
        last = emitter.size(extremum("min", [limit, self.buffer.shape[0]]))
        outside = emitter.slot(I32)
        emitter.builder.store(ir.Constant(I32, 0), outside)
        arrays = places, elements
        emitter.loop(ZERO, length, LANE, lambda: self._levelled(level, last, first, arrays, outside), BLOCK)
        any_outside = emitter.builder.icmp_signed("!=", emitter.builder.load(outside), ir.Constant(I32, 0))
        emitter.choose(any_outside, with_checks, lambda: None)

    def _levelled(self, level: Scalar, last: Any, first: Any, arrays: tuple[Any, Any], outside: Any) -> None:
        """The place of one step by the real that it is, if that is inside the state: then no check can fail."""
        emitter, builder = self.emitter, self.emitter.builder
        lane = emitter.names[LANE].value
        emitter.names[self.repeat.iterators[0]] = BoundValue.index(builder.add(first, lane))
        number, total = builder.sub(lane, ONE), emitter.captured["total"]
        value = emitter.scalar(level)
        builder = emitter.builder
        least = ir.Constant(value.type, 1 - self.found.shift)
        greatest = builder.sitofp(builder.sub(last, ir.Constant(I64, self.found.shift)), value.type)
        inside = builder.and_(builder.fcmp_ordered(">=", value, least), builder.fcmp_ordered("<=", value, greatest))
        place = builder.fptosi(builder.select(inside, value, least), I32)
        place = builder.add(place, ir.Constant(I32, self.found.shift - 1))
        builder.store(builder.select(inside, place, builder.trunc(total, I32)), self._lane(arrays[0], number))
        wrong = builder.zext(builder.not_(inside), I32)
        builder.store(builder.or_(builder.load(outside), wrong), outside)
        if not isinstance(self.found.element, ConstantScalar):
            emitter.builder.store(emitter.scalar(self.found.element), self._lane(arrays[1], number))

    def _found(self, first: Any, places: Any, elements: Any) -> None:
        """The place that one step adds to, the one behind all others where it adds nothing, and the element."""
        emitter = self.emitter
        lane = emitter.names[LANE].value
        emitter.names[self.repeat.iterators[0]] = BoundValue.index(emitter.builder.add(first, lane))
        number = emitter.builder.sub(lane, ONE)
        slots = self._lane(places, number), self._lane(elements, number)
        emitter.builder.store(emitter.builder.trunc(emitter.captured["total"], I32), slots[0])
        self._walk(self.repeat.steps, ir.Constant(I1, 1), None, slots)

    def _walk(self, steps: tuple[Step, ...], truth: Any, inside: Any, slots: tuple[Any, Any]) -> None:
        """Steps taken where `truth` holds, all of them computed; `inside` tells whether the old element is there."""
        emitter = self.emitter
        before, emitter.taken = emitter.taken, truth
        for step in steps:
            match step:
                case Bind(name=name, value=value) if name in self.found.derived:
                    if any(place.scalar is self.found.old for place in occurrences(value)):
                        inside = self._inside()
                case Bind(name=name) if self.found.same.get(name) in emitter.names:
                    emitter.names[name] = emitter.names[self.found.same[name]]
                case RequireStep(condition=condition) if self.found.is_asked(condition):
                    continue
                case Branch(guard=guard, test=test, then=then, otherwise=otherwise):
                    held = emitter.scalar(test[0]) if guard is None else self._guard(guard)
                    self._walk(then, emitter.builder.and_(truth, held), inside, slots)
                    self._walk(otherwise, emitter.builder.and_(truth, emitter.builder.not_(held)), inside, slots)
                case Nest(targets=targets):
                    if inside is None:
                        inside = self._inside()
                    inside = emitter.builder.and_(truth, inside)
                    with emitter.reading(self.buffer, targets[0][1], self.found.old.checks):
                        place = emitter.builder.trunc(self._offset(targets[0][1]), I32)
                    place = emitter.builder.select(inside, place, emitter.builder.load(slots[0]))
                    emitter.builder.store(place, slots[0])
                    emitter.builder.store(emitter.scalar(self.found.element), slots[1])
                case _:
                    self._step(step)
        emitter.taken = before

    def _guard(self, guard: Condition) -> Any:
        """Whether a step is taken; one that asks what the change itself asks needs no other bound for its names."""
        if guard.kind != "and" or not set(guard.parts) <= set(self.found.old.checks):
            return self.emitter.condition(guard)
        with self.emitter.reading(self.buffer, self.found.old.indices, self.found.old.checks):
            return self.emitter.condition(guard)

    def _inside(self) -> Any:
        """Whether the element that a step changes is there; a fault where it is not."""
        old = self.found.old
        with self.emitter.reading(self.buffer, old.indices, old.checks):
            return self.emitter.checks(old.checks, old.span)

    def _lane(self, array: Any, number: Any) -> Any:
        return self.emitter.builder.gep(array, [ir.Constant(I32, 0), number])

    def _offset(self, at: tuple[Size, ...]) -> Any:
        """The position of an element, from 0."""
        emitter = self.emitter
        offset: Any = ZERO
        for index, length in zip(at, self.buffer.shape, strict=True):
            offset = emitter.builder.mul(offset, emitter.size(length))
            offset = emitter.builder.add(offset, emitter.size(index - 1))
        return offset

    def _added(self, places: Any, elements: Any, state: Any) -> None:
        emitter = self.emitter
        number = emitter.builder.sub(emitter.names[LANE].value, ONE)
        place = emitter.builder.zext(emitter.builder.load(self._lane(places, number)), I64)
        goal = emitter.builder.gep(state, [place])
        element = emitter.builder.load(self._lane(elements, number))
        if isinstance(self.found.element, ConstantScalar):
            element = constant(self.found.element.value, self.buffer.column.storage)
        self._add(goal, element, WRAPPING if self.found.counts else self.buffer.column)

    def _add(self, goal: Any, more: Any, column: Column) -> None:
        """An element of a state combined with another."""
        emitter = self.emitter
        report = emitter.reporter(out_of_range(self.combine or ""), None)
        old = emitter.builder.load(goal)
        new = compute(emitter.builder, self.combine, [old, more], [column, column], column, report)
        emitter.builder.store(new, goal)

    def _gather(self, low: Any, high: Any) -> None:
        """Some places of the state of one piece combined into the fold's own."""
        emitter, builder = self.emitter, self.emitter.builder
        number, total = builder.sub(emitter.names[ITEM].value, ONE), emitter.captured["total"]
        state = builder.gep(emitter.captured["states"], [builder.mul(number, builder.add(total, ONE))])

        def one() -> None:
            builder = emitter.builder
            place = builder.sub(emitter.names[PLACE].value, ONE)
            goal = builder.gep(emitter.memory[self.buffer.name].address, [place])
            self._add(goal, builder.load(builder.gep(state, [place])), self.buffer.column)

        emitter.loop(low, high, PLACE, one)
