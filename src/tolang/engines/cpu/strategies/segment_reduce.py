"""Folds by label: elements among the threads in pieces, each piece with places of its own, which are combined in order.

Pieces depend on how many elements and places there are, not on threads, so that no result does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tolang.engines.cpu.emission.effort import folding
from tolang.engines.cpu.emission.regions import parallel
from tolang.engines.cpu.emission.sharing import shared_rows
from tolang.engines.llvm import ir
from tolang.engines.llvm.bindings import BoundValue, BufferMemory
from tolang.engines.llvm.functions import compute
from tolang.engines.llvm.sizes import quotient_of
from tolang.engines.llvm.types import I64, cast, constant, memory_type
from tolang.ground.symbolic.sizes import ONE as SINGLE
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.functions import identity_in
from tolang.idioms.segment_reduce import Labels, labels_of
from tolang.plan.grain import LABEL_PIECE
from tolang.plan.nest import Nest, out_of_range
from tolang.plan.schedule import ScatterSchedule
from tolang.schedule.tile import WIDTH_OF_STORAGE

if TYPE_CHECKING:
    from tolang.engines.cpu.emission.emitter import Emitter

ZERO, ONE = ir.Constant(I64, 0), ir.Constant(I64, 1)
STATES, TOTAL, PIECES, ITEM, PLACE = "the states", "the places", "the pieces", "the piece", "the place"


def labels(emitter: Emitter, nest: Nest) -> None:
    """A nest whose places each fold the elements that are labelled with them."""
    found = labels_of(nest)
    assert found is not None
    assert isinstance(nest.schedule, ScatterSchedule)
    _Labels(emitter, nest, found, nest.schedule.copies).emit()


class _Labels:
    """The loops of one nest; the states of all pieces lie one after the other."""

    def __init__(self, emitter: Emitter, nest: Nest, found: Labels, most: int) -> None:
        self.emitter, self.nest, self.found, self.most = emitter, nest, found, most
        (self.column,) = found.group.columns
        self.kind = memory_type(self.column.storage)
        self.length = dict(zip(nest.iterators, nest.extents, strict=True))[found.place]
        dimensions = zip(nest.iterators, nest.extents, strict=True)
        self.others = [(name, extent) for name, extent in dimensions if name != found.place]

    def emit(self) -> None:
        emitter, builder = self.emitter, self.emitter.builder
        total: Any = ONE
        for extent in self.nest.extents:
            size = emitter.size(extent)
            total = builder.mul(total, builder.select(builder.icmp_signed("<", size, ZERO), ZERO, size))
        pieces = builder.select(builder.icmp_signed("==", total, ZERO), ZERO, self._pieces())  # else nobody is asked
        bytes_ = ir.Constant(I64, WIDTH_OF_STORAGE[self.column.storage])
        raw = emitter.take(builder.mul(builder.mul(total, pieces), bytes_), "a fold")
        with emitter.scope():
            emitter.memory[STATES] = BufferMemory(builder.bitcast(raw, self.kind.as_pointer()))
            emitter.names[TOTAL], emitter.names[PIECES] = BoundValue.index(total), BoundValue.index(pieces)
            self._each_piece(pieces)
            work = folding(self.nest.values, (SINGLE,))
            if emitter.inside_region:
                emitter.loops(self.nest.iterators, self.nest.extents, self._result)
            else:
                shared_rows(emitter, self.nest.iterators, self.nest.extents, work, self._result)
        emitter.give_back(raw)

    def _pieces(self) -> Any:
        """So many that each has more elements than places."""
        emitter, builder = self.emitter, self.emitter.builder
        if emitter.inside_region or self.most < 2:
            return ONE
        found: Any = ir.Constant(I64, self.most)
        count, length = emitter.size(self.found.group.extents[0]), emitter.size(self.length)
        length = builder.select(builder.icmp_signed("<", length, ONE), ONE, length)
        for one in (quotient_of(builder, count, ir.Constant(I64, LABEL_PIECE)), quotient_of(builder, count, length)):
            found = builder.select(builder.icmp_signed("<", one, found), one, found)
        return builder.select(builder.icmp_signed("<", found, ONE), ONE, found)

    def _each_piece(self, pieces: Any) -> None:
        emitter = self.emitter
        if emitter.inside_region or self.most < 2:
            emitter.loop(ZERO, pieces, ITEM, self._piece)
            return

        def region(low: Any, high: Any) -> None:
            emitter.inside_region = True
            emitter.loop(low, high, ITEM, self._piece)
            emitter.inside_region = False

        parallel(emitter, pieces, ONE, region)

    def _piece(self) -> None:
        """Elements of one piece, each to where its label says; those with no place go nowhere."""
        emitter, builder, group = self.emitter, self.emitter.builder, self.found.group
        number, total = builder.sub(emitter.names[ITEM].value, ONE), emitter.names[TOTAL].value
        state = builder.gep(emitter.memory[STATES].address, [builder.mul(number, total)])
        self._clear(state, total, builder.icmp_signed("==", number, ZERO))
        builder = emitter.builder
        count, pieces = emitter.size(group.extents[0]), emitter.names[PIECES].value
        low, high = (
            quotient_of(builder, builder.mul(one, count), pieces) for one in (number, builder.add(number, ONE))
        )

        def element() -> None:
            emitter.loops(group.iterators[1:], group.extents[1:], lambda: self._taken(state))

        emitter.loop(low, high, group.iterators[0], element)

    def _clear(self, state: Any, total: Any, is_first: Any) -> None:
        """The first piece goes on from the fold's initial state, the others from what leaves everything as it is."""
        emitter, storage = self.emitter, self.column.storage
        initial = emitter.scalar(self.found.group.initials[0])
        neutral = constant(identity_in(self.found.combine, storage), storage)
        start = emitter.builder.select(is_first, initial, neutral)

        def clear() -> None:
            place = emitter.builder.sub(emitter.names[PLACE].value, ONE)
            emitter.builder.store(start, emitter.builder.gep(state, [place]))

        emitter.loop(ZERO, total, PLACE, clear)

    def _taken(self, state: Any) -> None:
        emitter, builder = self.emitter, self.emitter.builder
        label = self.found.label
        place = cast(builder, emitter.scalar(label), label.column.storage, "i64")
        builder = emitter.builder
        inside = builder.icmp_unsigned("<", builder.sub(place, ONE), emitter.size(self.length))

        def put() -> None:
            emitter.names[self.found.place] = BoundValue.index(place)
            names, extents = [name for name, _ in self.others], [extent for _, extent in self.others]
            emitter.loops(names, extents, lambda: self._added(state))

        emitter.choose(inside, put, lambda: None)

    def _added(self, state: Any) -> None:
        emitter = self.emitter
        element = emitter.scalar(self.found.element)
        goal = emitter.builder.gep(state, [self._place()])
        emitter.builder.store(self._combined(emitter.builder.load(goal), element), goal)

    def _combined(self, old: Any, more: Any) -> Any:
        emitter, columns = self.emitter, [self.column, self.column]
        report = emitter.reporter(out_of_range(self.found.combine), None)
        return compute(emitter.builder, self.found.combine, [old, more], columns, self.column, report)

    def _place(self) -> Any:
        """The position among a piece's places of the nest's coordinates, from 0."""
        emitter = self.emitter
        offset: ir.Value = ZERO
        for name, extent in zip(self.nest.iterators, self.nest.extents, strict=True):
            offset = emitter.builder.mul(offset, emitter.size(extent))
            offset = emitter.builder.add(offset, emitter.size(Size.of(name) - 1))
        return offset

    def _result(self) -> None:
        """The states of all pieces at one place combined, and what the nest makes of that."""
        emitter = self.emitter
        place, total = self._place(), emitter.names[TOTAL].value
        states, group = emitter.memory[STATES].address, self.found.group
        sum_ = emitter.slot(self.kind)
        emitter.builder.store(emitter.builder.load(emitter.builder.gep(states, [place])), sum_)

        def one() -> None:
            number = emitter.builder.sub(emitter.names[ITEM].value, ONE)
            at = emitter.builder.add(emitter.builder.mul(number, total), place)
            more = emitter.builder.load(emitter.builder.gep(states, [at]))
            emitter.builder.store(self._combined(emitter.builder.load(sum_), more), sum_)

        emitter.loop(ONE, emitter.names[PIECES].value, ITEM, one)
        emitter.groups[id(group)] = [emitter.builder.load(sum_)]
        computed = [emitter.scalar(value) for value in self.nest.values]
        for (buffer, at), value in zip(self.nest.targets, computed, strict=True):
            emitter.store(buffer, at, value)
