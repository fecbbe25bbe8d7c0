"""Map windows: folds over windows at some neighbouring places at once, on vectors of neighbouring maps.

    for c in vectors: for a, b: w = w[a,b,c]; state[p] = step(state[p], w, x[i+a-1,j+p+b-1,c]) at all places p

States stay in registers through the whole window.  The last vector of maps, and the last places, go back so far that
they are whole, and compute some elements again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tolang.engines.cpu.emission.effort import folding, whole
from tolang.engines.cpu.emission.regions import parallel
from tolang.engines.cpu.emission.vector_expressions import ContiguousAxes, Travel
from tolang.engines.llvm import ir
from tolang.engines.llvm.bindings import BoundValue
from tolang.engines.llvm.sizes import ceiling, quotient_of, remainder_of
from tolang.engines.llvm.types import I32, I64, TYPES
from tolang.ground.symbolic.sizes import Size
from tolang.idioms.column_folds import folds_of, in_their_order
from tolang.plan.nest import ConstantScalar, Group, Nest
from tolang.plan.schedule import LoopSchedule, Role

if TYPE_CHECKING:
    from tolang.engines.cpu.emission.emitter import Emitter

ZERO, ONE = ir.Constant(I64, 0), ir.Constant(I64, 1)
ITEM, BLOCK, VECTOR, PLACE = "the item", "the block", "the vector", "the place"


def number(value: int) -> Any:
    return ir.Constant(I64, value)


def map_windows(emitter: Emitter, nest: Nest) -> None:
    """A nest of windows whose vectors hold neighbouring maps."""
    _MapWindows(emitter, nest).emit()


class _MapWindows:
    """The loops of one nest."""

    def __init__(self, emitter: Emitter, nest: Nest) -> None:
        assert isinstance(nest.schedule, LoopSchedule)
        self.emitter, self.nest, self.groups = emitter, nest, folds_of(nest)
        self.places, self.lanes = nest.schedule.factor(Role.UNROLL), nest.schedule.factor(Role.VECTOR)
        dimensions = list(zip(nest.iterators, nest.extents, strict=True))
        self.line, self.along = ContiguousAxes(tuple(dimensions[-1:])), dimensions[-2] if len(dimensions) > 1 else None
        self.outer = dimensions[:-2]

    def emit(self) -> None:
        """Blocks of places, for each coordinate of the dimensions before; shared out among threads."""
        emitter, builder = self.emitter, self.emitter.builder
        blocks: Any = ONE
        if self.along is not None:
            blocks = ceiling(builder, emitter.size(self.along[1]), number(self.places))
        if emitter.inside_region:
            names, extents = [name for name, _ in self.outer], [extent for _, extent in self.outer]
            emitter.loops(names, extents, lambda: emitter.loop(ZERO, blocks, BLOCK, self._bound_block))
            return
        count = blocks
        for _, extent in self.outer:
            count = builder.mul(count, emitter.size(extent))

        def region(low: Any, high: Any) -> None:
            emitter.inside_region = True
            emitter.loop(low, high, ITEM, self._one_item)
            emitter.inside_region = False

        work = whole(emitter, folding(self.nest.values, (self.line.dimensions[0][1] * Size.of(self.places),)))
        parallel(emitter, count, ONE, region, {"blocks": blocks}, work)

    def _one_item(self) -> None:
        """The block and the other coordinates that one number stands for."""
        emitter, builder = self.emitter, self.emitter.builder
        rest, blocks = builder.sub(emitter.names[ITEM].value, ONE), emitter.captured["blocks"]
        block, rest = remainder_of(builder, rest, blocks), quotient_of(builder, rest, blocks)
        for iterator, extent in reversed(self.outer):
            size = emitter.size(extent)
            emitter.names[iterator] = BoundValue.index(builder.add(remainder_of(builder, rest, size), ONE))
            rest = quotient_of(builder, rest, size)
        self._block(block)

    def _bound_block(self) -> None:
        self._block(self.emitter.builder.sub(self.emitter.names[BLOCK].value, ONE))

    def _block(self, block: Any) -> None:
        """The places of a block, vector after vector."""
        emitter, builder = self.emitter, self.emitter.builder
        first: Any = ZERO
        if self.along is not None:
            first = self._whole(block, self.places, emitter.size(self.along[1]))
        maps = emitter.size(self.line.dimensions[0][1])

        def vector() -> None:
            number_of_vector = emitter.builder.sub(emitter.names[VECTOR].value, ONE)
            self._vector(first, self._whole(number_of_vector, self.lanes, maps))

        emitter.loop(ZERO, ceiling(builder, maps, number(self.lanes)), VECTOR, vector)

    def _whole(self, which: Any, width: int, length: Any) -> Any:
        """Where a part of some width begins, moved back where it would reach over the end."""
        builder = self.emitter.builder
        start, last = builder.mul(which, number(width)), builder.sub(length, number(width))
        return builder.select(builder.icmp_signed("<", start, last), start, last)

    def _vector(self, first: Any, start: Any) -> None:
        """All places of a block at one vector of maps: the windows, then what the nest computes from them."""
        emitter = self.emitter
        emitter.names[self.line.name] = BoundValue.index(ONE)
        held = [self._fold(group, first, start) for group in self.groups]

        def store() -> None:
            place = emitter.builder.sub(emitter.names[PLACE].value, ONE)
            self._at(emitter.builder.add(first, place))
            folded = {
                id(group): [
                    emitter.builder.load(emitter.builder.gep(array, [ir.Constant(I32, 0), place])) for array in arrays
                ]
                for group, arrays in zip(self.groups, held, strict=True)
            }
            travel = Travel(emitter, self.line, start, self.lanes, folded)
            for (buffer, at), value in zip(self.nest.targets, map(travel.scalar, self.nest.values), strict=True):
                travel.store(buffer, at, value)

        emitter.loop(ZERO, number(self.places), PLACE, store, self.places, rolled=True)

    def _at(self, place: Any) -> None:
        """Has the dimension before the last stand at a place, counted from 0."""
        if self.along is not None:
            self.emitter.names[self.along[0]] = BoundValue.index(self.emitter.builder.add(place, ONE))

    def _fold(self, group: Group, first: Any, start: Any) -> list[Any]:
        """A fold at all places of a block, its last dimension written out; where its components rest afterwards."""
        emitter, (iterators, extents) = self.emitter, in_their_order(group)
        kinds = [ir.VectorType(TYPES[column.storage], self.lanes) for column in group.columns]
        slots = [[emitter.slot(kind) for kind in kinds] for _ in range(self.places)]
        travel = Travel(emitter, self.line, start, self.lanes)
        for own in slots:
            for slot, initial, column in zip(own, group.initials, group.columns, strict=True):
                assert isinstance(initial, ConstantScalar)
                emitter.builder.store(travel.number(initial.value, column.storage), slot)
        last = extents[-1].constant
        assert isinstance(last, int)

        def turn() -> None:
            states = [[emitter.builder.load(slot) for slot in own] for own in slots]
            for element in range(1, last + 1):
                emitter.names[iterators[-1]] = BoundValue.index(number(element))
                for place in range(self.places):
                    self._at(emitter.builder.add(first, number(place)))
                    travel.known = dict(zip(group.states, states[place], strict=True))
                    states[place] = [travel.scalar(step) for step in group.steps]
            for own, values in zip(slots, states, strict=True):
                for slot, value in zip(own, values, strict=True):
                    emitter.builder.store(value, slot)

        emitter.loops(iterators[:-1], extents[:-1], turn)
        held = [emitter.slot(ir.ArrayType(kind, self.places)) for kind in kinds]
        for place, own in enumerate(slots):
            for slot, array in zip(own, held, strict=True):
                goal = emitter.builder.gep(array, [ir.Constant(I32, 0), ir.Constant(I32, place)])
                emitter.builder.store(emitter.builder.load(slot), goal)
        return held
