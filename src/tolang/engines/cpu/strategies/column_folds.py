"""Column folds: folds at neighbouring places, side by side, as the sums of columns run along rows.

    y[j] = reduce[i](x[i,j])        for i: for j in a block: state[j] = step(state[j], x[i,j])

Where what a fold reads lies side by side along the last dimension outside it, that dimension is made the innermost
loop, over a block of states that stays in the nearest cache.  Every fold keeps its own order, so that this needs no
law of its step and holds in strict mode as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from tolang.engines.cpu.emission.effort import folding, whole
from tolang.engines.cpu.emission.regions import parallel, word_of_run
from tolang.engines.llvm import ir
from tolang.engines.llvm.bindings import BoundValue
from tolang.engines.llvm.sizes import ceiling, quotient_of, remainder_of
from tolang.engines.llvm.types import I1, I32, I64, TYPES, constant
from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.sizes import Size
from tolang.idioms.column_folds import FEWEST_PLACES, folds_of, in_their_order, names_around, needed_names
from tolang.plan.nest import ConstantScalar, Group, Named, Nest, Operation, Scalar
from tolang.plan.schedule import LoopSchedule, Role
from tolang.plan.traversal import dependencies

if TYPE_CHECKING:
    from tolang.engines.cpu.emission.emitter import Emitter

ZERO, ONE = ir.Constant(I64, 0), ir.Constant(I64, 1)
TOGETHER = 8
"""How many elements of every fold are taken at a time."""
LANE, BLOCK, ITEM, SUM = "the lane", "the block", "the item", "the sum"

Following = Callable[[list[Any]], list[Any]]
"""What states become at an element."""


def column_folds(emitter: Emitter, nest: Nest) -> None:
    """A nest whose folds read along its last dimension."""
    _ColumnFolds(emitter, nest, folds_of(nest), names_around(nest)).emit()


class _ColumnFolds:
    """The loops of one nest, its folds side by side."""

    def __init__(self, emitter: Emitter, nest: Nest, groups: list[Group], bound: Mapping[str, Scalar]) -> None:
        self.emitter, self.nest, self.groups, self.bound = emitter, nest, groups, bound
        assert isinstance(nest.schedule, LoopSchedule)
        self.places = nest.schedule.factor(Role.BLOCK)

    def emit(self) -> None:
        """Blocks of the last dimension, for each coordinate of the others; shared out among threads."""
        emitter, builder = self.emitter, self.emitter.builder
        length = emitter.size(self.nest.extents[-1])
        if emitter.inside_region:
            width = ir.Constant(I64, self.places)
            blocks = ceiling(builder, length, width)
            emitter.loops(self.nest.iterators[:-1], self.nest.extents[:-1], lambda: self._blocks(blocks, width, length))
            return
        count: Any = ONE
        for extent in self.nest.extents[:-1]:
            count = builder.mul(count, emitter.size(extent))
        width = self._width(count, length)
        blocks = ceiling(builder, length, width)
        count = builder.mul(count, blocks)

        def region(low: Any, high: Any) -> None:
            emitter.inside_region = True
            emitter.loop(low, high, ITEM, self._one_item)
            emitter.inside_region = False

        work = whole(emitter, folding(self.nest.values, (Size.of(self.places),)))
        parallel(emitter, count, ONE, region, {"blocks": blocks, "width": width, "length": length}, work)

    def _width(self, others: Any, length: Any) -> Any:
        """How many folds run side by side: so few that there are as many blocks for every thread, one at the least."""
        builder = self.emitter.builder
        others = builder.select(builder.icmp_signed("<", others, ONE), ONE, others)
        each = ceiling(builder, word_of_run(builder, "tolang_width"), others)
        turns = ceiling(builder, length, builder.mul(each, ir.Constant(I64, self.places)))
        blocks = builder.mul(each, builder.select(builder.icmp_signed("<", turns, ONE), ONE, turns))
        unit = ir.Constant(I64, FEWEST_PLACES)
        width = builder.mul(ceiling(builder, ceiling(builder, length, blocks), unit), unit)
        for sign, end in (("<", FEWEST_PLACES), (">", self.places)):
            beyond = builder.icmp_signed(sign, width, ir.Constant(I64, end))
            width = builder.select(beyond, ir.Constant(I64, end), width)
        return width

    def _one_item(self) -> None:
        """The block and the other coordinates that one number stands for."""
        emitter, builder = self.emitter, self.emitter.builder
        rest = builder.sub(emitter.names[ITEM].value, ONE)
        blocks, width, length = (emitter.captured[name] for name in ("blocks", "width", "length"))
        block, rest = remainder_of(builder, rest, blocks), quotient_of(builder, rest, blocks)
        outer = list(zip(self.nest.iterators, self.nest.extents, strict=True))[:-1]
        for iterator, extent in reversed(outer):
            size = emitter.size(extent)
            emitter.names[iterator] = BoundValue.index(builder.add(remainder_of(builder, rest, size), ONE))
            rest = quotient_of(builder, rest, size)
        self._block(block, width, length)

    def _blocks(self, blocks: Any, width: Any, length: Any) -> None:
        def one() -> None:
            self._block(self.emitter.builder.sub(self.emitter.names[BLOCK].value, ONE), width, length)

        self.emitter.loop(ZERO, blocks, BLOCK, one)

    def _block(self, block: Any, most: Any, length: Any) -> None:
        """The folds at the places of one block, then what the nest computes from them."""
        emitter, builder = self.emitter, self.emitter.builder
        first = builder.mul(block, most)
        rest = builder.sub(length, first)
        width = builder.select(builder.icmp_signed("<", rest, most), rest, most)
        arrays = [[emitter.slot(ir.ArrayType(TYPES[c.storage], self.places)) for c in g.columns] for g in self.groups]
        for group, states in zip(self.groups, arrays, strict=True):
            self._fold(group, states, first, width)

        def store() -> None:
            for group, states in zip(self.groups, arrays, strict=True):
                emitter.groups[id(group)] = [emitter.builder.load(slot) for slot in self._slots(states)]
            computed = [emitter.scalar(v) for v in self.nest.values]
            for (buffer, at), value in zip(self.nest.targets, computed, strict=True):
                emitter.store(buffer, at, value)

        self._lanes(first, width, store)

    def _fold(self, group: Group, states: list[Any], first: Any, width: Any) -> None:
        element = _element_of_extreme(self.emitter, group)
        if element is None:
            self._in_order(group, states, first, width)
            return
        doubtful = self._by_comparing(group, states, element, first, width)
        with self.emitter.builder.if_then(doubtful, likely=False):
            self._in_order(group, states, first, width)

    def _by_comparing(self, group: Group, states: list[Any], element: Scalar, first: Any, width: Any) -> Any:
        """The greatest or least of floats by a comparison, and whether that does not tell: of NaN, or the sign of 0.

        A sum of all elements is NaN if one of them is, and costs less than to look at each.
        """
        emitter, storage = self.emitter, group.columns[0].storage
        sums, doubt = emitter.slot(ir.ArrayType(TYPES[storage], self.places)), emitter.slot(I1)
        emitter.builder.store(ir.Constant(I1, 0), doubt)
        sign, zero = ">" if group.combine == "max" else "<", constant(0.0, storage)
        both = replace(
            group, states=(*group.states, SUM), columns=group.columns * 2,
            initials=(*group.initials, ConstantScalar(0.0, column=group.columns[0])),
        )  # fmt: skip

        def step(names: list[Any]) -> list[Any]:
            builder, (old, total), value = emitter.builder, names, emitter.scalar(element)
            return [builder.select(builder.fcmp_ordered(sign, value, old), value, old), builder.fadd(total, value)]

        def look() -> None:
            found, total = (emitter.builder.load(slot) for slot in self._slots([*states, sums]))
            builder = emitter.builder
            unsure = builder.fcmp_unordered("uno", total, total)
            unsure = builder.or_(unsure, builder.fcmp_ordered("==", found, zero))
            builder.store(builder.or_(builder.load(doubt), unsure), doubt)

        self._in_order(both, [*states, sums], first, width, step)
        self._lanes(first, width, look)
        return emitter.builder.load(doubt)

    def _in_order(
        self, group: Group, states: list[Any], first: Any, width: Any, following: Following | None = None
    ) -> None:
        """The elements of a fold in their order; states that are `following` others, or those of its steps."""
        emitter = self.emitter

        def step(elements: list[Any]) -> None:
            self._lanes(first, width, lambda: self._steps(group, states, iterators[-1], elements, following))

        def begin() -> None:
            for name, value in needed_names(group, self.bound).items():
                emitter.names[name] = BoundValue(emitter.scalar(value), value.column.storage)
            for slot, initial in zip(self._slots(states), group.initials, strict=True):
                emitter.builder.store(emitter.scalar(initial), slot)

        self._lanes(first, width, begin)
        iterators, extents = in_their_order(group)
        emitter.loops(iterators[:-1], extents[:-1], lambda: self._along(group, iterators[-1], extents[-1], step))

    def _along(self, group: Group, iterator: str, extent: Size, step: Callable[[list[Any]], None]) -> None:
        """The innermost dimension of a fold, several of its elements at a time, so that states move less."""
        emitter, builder = self.emitter, self.emitter.builder
        count = emitter.size(extent)
        count = builder.select(builder.icmp_signed("<", count, ZERO), ZERO, count)
        whole = quotient_of(builder, count, ir.Constant(I64, TOGETHER))

        def several() -> None:
            before = emitter.builder.mul(emitter.names[iterator].value, ir.Constant(I64, TOGETHER))
            step([emitter.builder.sub(before, ir.Constant(I64, TOGETHER - 1 - k)) for k in range(TOGETHER)])

        emitter.loop(ZERO, whole, iterator, several)
        done = emitter.builder.mul(whole, ir.Constant(I64, TOGETHER))
        emitter.loop(done, count, iterator, lambda: step([emitter.names[iterator].value]))

    def _steps(
        self, group: Group, states: list[Any], iterator: str, elements: list[Any], following: Following | None
    ) -> None:
        """Some elements of a fold, one after the other, at one place."""
        emitter = self.emitter
        slots = list(self._slots(states))
        values = [emitter.builder.load(slot) for slot in slots]
        for element in elements:
            emitter.names[iterator] = BoundValue.index(element)
            for name, value, column in zip(group.states, values, group.columns, strict=True):
                emitter.names[name] = BoundValue(value, column.storage)
            values = following(values) if following is not None else [emitter.scalar(s) for s in group.steps]
        for slot, value in zip(slots, values, strict=True):
            emitter.builder.store(value, slot)

    def _slots(self, states: list[Any]) -> Iterator[Any]:
        number = self.emitter.builder.sub(self.emitter.names[LANE].value, ONE)
        for array in states:
            yield self.emitter.builder.gep(array, [ir.Constant(I32, 0), number])

    def _lanes(self, first: Any, width: Any, body: Callable[[], None]) -> None:
        """A loop over the places of a block."""
        emitter = self.emitter

        def one() -> None:
            place = emitter.builder.add(first, emitter.names[LANE].value)
            emitter.names[self.nest.iterators[-1]] = BoundValue.index(place)
            body()

        emitter.loop(ZERO, width, LANE, one, self.places)


def _element_of_extreme(emitter: Emitter, group: Group) -> Scalar | None:
    """What a fold takes the greatest or least of, if these are floats, which take several instructions to compare."""
    if emitter.target.extrema or group.combine not in ("max", "min") or group.columns[0].storage not in ("f32", "f64"):
        return None
    match group.steps:
        case (Operation(function=function, arguments=(Named(name=name), element)),) if (name,) == group.states:
            same = function == group.combine and element.column == group.columns[0]
            return element if same and name not in dependencies(element) else None
    return None
