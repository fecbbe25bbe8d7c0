"""Lanes: the elements of a fold side by side, in a tree that the fold's extent and storage alone decide.

    s = reduce[k](x[k])        for k by 64: state[0..63] += x[k..k+63]; then halves are added to halves

A vector has 64 bytes of states, and there are one or several of them, whatever registers a processor has.  A row goes
through all of them in rounds; what is left goes into the first vector, a vector at a time; the last of these ends where
the row ends, and its lanes that lie before what is left stay as they are.  A row shorter than a vector is folded one
after the other.  So nothing is left to LLVM, and no result depends on how it optimises.

Where an element can be computed for neighbours at once (`vector_expressions`), at places that data tells, too
(`gathering`), that is how; else each lane by itself.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tolang.engines.cpu.emission.gathering import beside_places, gathered, is_gathered, travels_or_gathers
from tolang.engines.cpu.emission.vector_expressions import ContiguousAxes, Travel, guards, load_vector, strides
from tolang.engines.cpu.strategies.fold_blocks import FoldBlocks, JoinedBlocks
from tolang.engines.cpu.strategies.row_invariants import around_row
from tolang.engines.llvm import ir
from tolang.engines.llvm.bindings import BoundValue
from tolang.engines.llvm.functions import compute
from tolang.engines.llvm.prefetching import ask_for
from tolang.engines.llvm.sizes import quotient_of
from tolang.engines.llvm.types import I1, I32, I64, TYPES, any_lane, constant, intrinsic
from tolang.engines.llvm.vectors import shuffled, splat
from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.functions import functions_with, identity_in
from tolang.ground.values.spaces import Column
from tolang.idioms.dot4 import DOTS
from tolang.plan.fused_sums import FUSED
from tolang.plan.grain import FOLD_BLOCK, LANE_BYTES, ROUNDS, is_cut, lanes_of_a_vector
from tolang.plan.nest import Load, Named, Operation, Scalar, Where
from tolang.plan.traversal import dependencies, volume, walk
from tolang.schedule.row_invariants import RowInvariants, row_invariants_of

if TYPE_CHECKING:
    from tolang.engines.cpu.emission.emitter import Emitter

LIGHT = functions_with(instruction=True) | {"cast", FUSED} | DOTS
FEW = 6
"""Up to how many functions an element is written once for each vector; otherwise vectors take turns."""
AHEAD = 1024
"""How many bytes ahead memory is asked for."""
ZERO, ONE = ir.Constant(I64, 0), ir.Constant(I64, 1)
FOLD, ROUND, VECTOR, LANE = "the block of the fold", "the round", "the vector", "the lane"
NOWHERE: Mapping[str, BoundValue] = {}


@dataclass(frozen=True, slots=True)
class Folded:
    """What is folded: `step` computes the next `state`; dimensions from the outermost loop to the innermost."""

    iterators: tuple[str, ...]
    extents: tuple[Size, ...]
    state: str
    step: Scalar
    column: Column
    combine: str
    vectors: int
    stretch: tuple[Any, Any] | None = None
    """The bounds of the first dimension, counted from 0, where it is not all of it."""
    block: bool = False
    """Whether it is known to be no more than one block."""
    side_by_side: bool = False
    """Whether all that is read is known to lie side by side, though that follows from lengths."""
    hoist: bool = False
    """Whether what is the same along a row is looked up and checked before it."""
    before: RowInvariants | None = None
    """What that is."""
    streamed: Load | None = None
    """A read of memory that is not in a cache yet, which is asked for ahead of time."""


def fold_in_lanes(
    emitter: Emitter, folded: Folded, initial: Any, points: Sequence[Mapping[str, BoundValue]] = (NOWHERE,)
) -> list[Any]:
    """The results of a fold at some points, side by side; each point is what names stand for there."""
    if folded.hoist:
        before = row_invariants_of((folded.step,), frozenset({folded.iterators[-1], folded.state}))
        if before is not None:
            folded = replace(folded, step=before.values[0], before=before)
    line = ContiguousAxes(((folded.iterators[-1], folded.extents[-1]),))
    plain = travels_or_gathers(folded.step, line, frozenset({folded.state})) and not guards(folded.step, line)
    if not plain:
        return _ArrayLanes(emitter, folded, points).results(initial)
    unknown = {str(step): step for step in strides(folded.step, line) if step.constant is None}
    vectors = _Extremes if _is_of_extremes(emitter, folded) else _Vectors
    if not unknown:
        return vectors(emitter, folded, points).results(initial)
    near: Any = ir.Constant(I1, 1)
    for step in unknown.values():
        near = emitter.builder.and_(near, emitter.builder.icmp_signed("==", emitter.size(step), ONE))
    slots = [emitter.slot(TYPES[folded.column.storage]) for _ in points]

    def fold(one: Folded) -> None:
        for slot, result in zip(slots, vectors(emitter, one, points).results(initial), strict=True):
            emitter.builder.store(result, slot)

    emitter.choose(near, lambda: fold(replace(folded, side_by_side=True)), lambda: fold(folded))
    return [emitter.builder.load(slot) for slot in slots]


class _FoldLanes(ABC):
    """The loops of a fold, and the end in which lanes meet; how a lane's step is written is left to the two below."""

    def __init__(self, emitter: Emitter, folded: Folded, points: Sequence[Mapping[str, BoundValue]]) -> None:
        self.emitter, self.folded, self.points = emitter, folded, points
        self.iterator, self.storage = folded.iterators[-1], folded.column.storage
        self.kind = TYPES[self.storage]
        self.lanes = lanes_of_a_vector(self.storage)
        self.vector = ir.VectorType(self.kind, self.lanes)
        rounds = ir.ArrayType(self.vector, folded.vectors)
        self.states = [emitter.slot(rounds) for _ in points]
        self.singles = [emitter.slot(self.kind) for _ in points]
        self.neutral = constant(identity_in(folded.combine, self.storage), self.storage)

    def results(self, initial: Any) -> list[Any]:
        emitter, stretch = self.emitter, self.folded.stretch
        if self._is_one_block():
            self._block(initial, stretch)
        else:
            low, high = stretch or (ZERO, emitter.size(self.folded.extents[0]))
            blocks = FoldBlocks.of(emitter, self.folded.extents, low, high)
            single = emitter.builder.icmp_signed("<=", blocks.count, ONE)
            whole, cut = lambda: self._block(initial, stretch), lambda: self._by_blocks(initial, blocks)
            emitter.choose(single, whole, cut, likely=True)
        return [emitter.builder.load(single) for single in self.singles]

    def _is_one_block(self) -> bool:
        """True if a fold is short, as is known, if its rows differ in length, or if its order does not matter."""
        folded = self.folded
        elements = volume(folded.extents)
        short = folded.block or (folded.stretch is None and elements is not None and elements <= FOLD_BLOCK)
        differ = any(extent.names() & {*folded.iterators} for extent in folded.extents)
        return short or differ or not is_cut(self.storage, folded.combine)

    def _block(self, initial: Any, stretch: tuple[Any, Any] | None) -> None:
        """A block: lanes that leave its initial state as it is, which they join in the end."""
        builder = self.emitter.builder
        lanes = splat(builder, self.neutral, self.lanes)
        for states, single in zip(self.states, self.singles, strict=True):
            builder.store(initial, single)
            for number in range(self.folded.vectors):
                builder.store(lanes, self._place(states, ir.Constant(I64, number)))
        self._rows(stretch)

    def _by_blocks(self, initial: Any, blocks: FoldBlocks) -> None:
        """Several blocks by themselves, joined in order."""
        emitter = self.emitter
        joined = [JoinedBlocks(emitter, initial, self.neutral, self._combined) for _ in self.points]

        def block() -> None:
            number = emitter.builder.sub(emitter.names[FOLD].value, ONE)
            self._block(self.neutral, blocks.bounds(emitter.builder, number))
            for single, one in zip(self.singles, joined, strict=True):
                one.add(number, emitter.builder.load(single))

        emitter.loop(ZERO, blocks.count, FOLD, block)
        for single, one in zip(self.singles, joined, strict=True):
            emitter.builder.store(one.result(), single)

    def _rows(self, stretch: tuple[Any, Any] | None) -> None:
        """All rows of a block; the lanes meet at the end, unless every row was too short for them."""
        emitter, folded = self.emitter, self.folded
        outer = folded.iterators[:-1]
        extents, length = folded.extents[:-1], folded.extents[-1]
        if not outer:
            low, high = stretch or (ZERO, emitter.size(length))
            self._one_length(low, high, lambda: self._any_row(low, high))
            return

        def rows() -> None:
            if stretch is None:
                emitter.loops(outer, extents, lambda: self._any_row(ZERO, emitter.size(length)))
                return

            def inner() -> None:
                emitter.loops(outer[1:], extents[1:], lambda: self._any_row(ZERO, emitter.size(length)))

            emitter.loop(*stretch, outer[0], inner)

        if length.names().isdisjoint(outer):
            self._one_length(ZERO, emitter.size(length), rows)
        else:
            rows()
            self._meet(ir.Constant(I1, 1))

    def _one_length(self, low: Any, high: Any, rows: Callable[[], None]) -> None:
        """Rows of one length: the lanes meet after them unless they are too short for lanes."""
        builder = self.emitter.builder
        rows()
        with builder.if_then(self._is_long(low, high)):
            self._meet(self._has_rounds(builder.sub(high, low)))

    def _any_row(self, low: Any, high: Any) -> None:
        def row() -> None:
            long = self._is_long(low, high)
            self.emitter.choose(long, lambda: self._row(low, high), lambda: self._one_by_one(low, high))

        if self.folded.before is None:
            row()
        else:
            around_row(self.emitter, self.folded.before, low, high, row)

    def _is_long(self, low: Any, high: Any) -> Any:
        builder = self.emitter.builder
        return builder.icmp_signed(">=", builder.sub(high, low), ir.Constant(I64, self.lanes))

    def _row(self, low: Any, high: Any) -> None:
        """A row of at least one vector: rounds of all vectors if it is long, then vectors, then what is left."""
        emitter, builder = self.emitter, self.emitter.builder
        width, turn = ir.Constant(I64, self.lanes), ir.Constant(I64, self.lanes * self.folded.vectors)
        length = builder.sub(high, low)
        rounds = builder.select(self._has_rounds(length), quotient_of(builder, length, turn), ZERO)

        def round_of_all() -> None:
            number = emitter.builder.sub(emitter.names[ROUND].value, ONE)
            self._round(emitter.builder.add(low, emitter.builder.mul(number, turn)))

        if self.folded.vectors > 1:
            emitter.loop(ZERO, rounds, ROUND, round_of_all)
        begin = emitter.builder.add(low, emitter.builder.mul(rounds, turn)) if self.folded.vectors > 1 else low
        count = quotient_of(emitter.builder, emitter.builder.sub(high, begin), width)

        def one_vector() -> None:
            number = emitter.builder.sub(emitter.names[ROUND].value, ONE)
            self._vector(emitter.builder.add(begin, emitter.builder.mul(number, width)))

        most = ROUNDS * self.folded.vectors if self.folded.vectors > 1 else None
        emitter.loop(ZERO, count, ROUND, one_vector, most, rolled=most is not None)
        done = emitter.builder.add(begin, emitter.builder.mul(count, width))
        last = emitter.builder.sub(high, width)
        with emitter.builder.if_then(emitter.builder.icmp_signed("<", done, high)):
            self._rest(last, emitter.builder.sub(done, last))

    def _has_rounds(self, length: Any) -> Any:
        """Whether a row is so long that all vectors take part."""
        least = ROUNDS * self.lanes * self.folded.vectors
        return self.emitter.builder.icmp_signed(">=", length, ir.Constant(I64, least))

    def _one_by_one(self, low: Any, high: Any) -> None:
        """A row shorter than a vector."""

        def one() -> None:
            for single in self._at_points(self.singles):
                self._single_step(single)

        self.emitter.loop(low, high, self.iterator, one, self.lanes)

    def _single_step(self, slot: Any) -> None:
        emitter = self.emitter
        emitter.names[self.folded.state] = BoundValue(emitter.builder.load(slot), self.storage)
        emitter.builder.store(emitter.scalar(self.folded.step), slot)

    def _at_points(self, slots: list[Any]) -> Iterator[Any]:
        """The slot of each point in turn, its names bound."""
        for point, slot in zip(self.points, slots, strict=True):
            with self.emitter.scope():
                self.emitter.names.update(point)
                yield slot

    def _meet(self, rounds: Any) -> None:
        """All lanes combined: vectors with vectors, if there were `rounds`, then halves with halves."""
        builder = self.emitter.builder
        if self.folded.vectors > 1:
            with builder.if_then(rounds):
                for states in self.states:
                    self._join_vectors([self._place(states, ir.Constant(I64, n)) for n in range(self.folded.vectors)])
        totals = self._totals([builder.load(self._place(states, ZERO)) for states in self.states])
        for total, single in zip(totals, self.singles, strict=True):
            builder.store(self._combined(builder.load(single), total), single)

    def _join_vectors(self, places: list[Any]) -> None:
        """All vectors combined into the first, neighbours with neighbours."""
        builder = self.emitter.builder
        vectors = [builder.load(place) for place in places]
        while len(vectors) > 1:
            vectors = [self._combined(vectors[k], vectors[k + 1]) for k in range(0, len(vectors), 2)]
        builder.store(vectors[0], places[0])

    def _totals(self, vectors: list[Any]) -> list[Any]:
        """The lanes of each vector combined, lower half with upper half; two vectors share one once they are halved."""
        builder, count, lanes = self.emitter.builder, len(vectors), self.lanes
        if count & (count - 1):  # these share no vectors evenly
            return [total for one in vectors for total in _FoldLanes._totals(self, [one])]
        while lanes > 1:
            lanes //= 2
            pairs = [vectors[k : k + 2] for k in range(0, len(vectors), 2)] if count > 1 else [vectors]
            vectors = []
            for pair in pairs:
                starts = range(0, sum(one.type.count for one in pair), 2 * lanes)
                halves = [[p for s in starts for p in range(s + h, s + h + lanes)] for h in (0, lanes)]
                vectors.append(self._combined(*(shuffled(builder, pair[0], pair[-1], half) for half in halves)))
        numbers = [(vector, k) for vector in vectors for k in range(vector.type.count)]
        return [builder.extract_element(vector, ir.Constant(I32, k)) for vector, k in numbers[:count]]

    def _combined(self, one: Any, two: Any) -> Any:
        column, combine = self.folded.column, self.folded.combine
        return compute(self.emitter.builder, combine, [one, two], [column, column], column, lambda _, wrong: None)

    def _place(self, states: Any, number: Any) -> Any:
        """Where a vector of states is."""
        return self.emitter.builder.gep(states, [ir.Constant(I64, 0), number])

    @abstractmethod
    def _round(self, first: Any) -> None:
        """A step of all lanes, from an element on."""

    @abstractmethod
    def _vector(self, first: Any) -> None:
        """A step of the first vector, from an element on."""

    @abstractmethod
    def _rest(self, first: Any, known: Any) -> None:
        """A step of the first vector, from an element on, but for some lanes whose elements are known already."""


class _Vectors(_FoldLanes):
    """Steps on vectors: neighbours in a row are computed at once."""

    def __init__(self, emitter: Emitter, folded: Folded, points: Sequence[Mapping[str, BoundValue]]) -> None:
        super().__init__(emitter, folded, points)
        functions = [one.function for one in walk(folded.step) if isinstance(one, Operation)]
        self.light = len(functions) <= FEW and LIGHT.issuperset(functions)
        line = ContiguousAxes(((self.iterator, folded.extents[-1]),))
        self.streamed = [folded.streamed] if folded.streamed is not None else list(beside_places(folded.step, line))

    def _round(self, first: Any) -> None:
        count, emitter = self.folded.vectors, self.emitter
        if self.light or count == 1:
            for number in range(count):
                self._steps(first, ir.Constant(I64, number))
            return

        def turn() -> None:
            self._steps(first, emitter.builder.sub(emitter.names[VECTOR].value, ONE))

        emitter.loop(ZERO, ir.Constant(I64, count), VECTOR, turn, count)

    def _vector(self, first: Any) -> None:
        self._steps(first, ZERO)

    def _rest(self, first: Any, known: Any) -> None:
        self._steps(first, ZERO, self._after(known))

    def _after(self, known: Any) -> Any:
        """The lanes behind the first few, as truths, read from a table of lanes that do not and lanes that do count."""
        builder, module, lanes = self.emitter.builder, self.emitter.module, self.lanes
        kind = ir.IntType(8 * LANE_BYTES // lanes)
        name = f"lanes of {lanes}"
        table = module.globals.get(name)
        if table is None:
            table = ir.GlobalVariable(module, ir.ArrayType(kind, 2 * lanes), name)
            table.linkage, table.global_constant, table.align = "internal", True, LANE_BYTES
            table.initializer = ir.Constant(table.value_type, [0] * lanes + [-1] * lanes)
        place = builder.gep(table, [ZERO, builder.sub(ir.Constant(I64, lanes), known)])
        truths = load_vector(builder, place, ir.VectorType(kind, lanes), kind.width // 8)
        return builder.icmp_signed("!=", truths, ir.Constant(truths.type, [ir.Constant(kind, 0)] * lanes))

    def _steps(self, first: Any, number: Any, counted: Any = None) -> None:
        """A step of one vector of every point; lanes that are not `counted` stay as they are."""
        emitter, folded = self.emitter, self.folded
        line = ContiguousAxes(((self.iterator, folded.extents[-1]),))
        begin = emitter.builder.add(first, emitter.builder.mul(number, ir.Constant(I64, self.lanes)))
        for point, states in enumerate(self._at_points(self.states)):
            builder, place = emitter.builder, self._place(states, number)
            emitter.names[self.iterator] = BoundValue.index(builder.add(begin, ONE))
            travel, old = _Elements(emitter, line, ZERO, self.lanes), builder.load(place)
            travel.side_by_side = folded.side_by_side
            new = self._stepped(travel, old, point, counted)
            new = new if counted is None else emitter.builder.select(counted, new, old)
            emitter.builder.store(new, place)
            for load in self.streamed if counted is None else ():
                self._ask_for(load)

    def _stepped(self, travel: Travel, old: Any, point: int, counted: Any) -> Any:
        """The next state of a vector of lanes at a point, whether they are `counted` or not."""
        travel.known[self.folded.state] = old
        return travel.scalar(self.folded.step)

    def _ask_for(self, load: Load) -> None:
        """Asks for what comes a little later in memory; what is not memory is no error then."""
        ask_for(self.emitter.builder, self.emitter.address(load.buffer, load.indices), AHEAD)


def _is_of_extremes(emitter: Emitter, folded: Folded) -> bool:
    """Whether a fold takes the greatest or least of floats on a processor that needs several instructions for two."""
    if emitter.target.extrema or folded.combine not in ("max", "min") or folded.column.storage not in ("f32", "f64"):
        return False
    match folded.step:
        case Operation(function=folded.combine, arguments=(Named(name=folded.state), element)):
            return folded.state not in dependencies(element) and element.column == folded.column
    return False


class _Extremes(_Vectors):
    """The greatest or least of floats, by an instruction that knows neither NaN nor the sign of 0.

    Whether there was a NaN is known from all elements together, and the sign of an extreme that is 0 from theirs: a
    greatest is -0 where all have that sign, a least where any has.
    """

    def __init__(self, emitter: Emitter, folded: Folded, points: Sequence[Mapping[str, BoundValue]]) -> None:
        super().__init__(emitter, folded, points)
        self.bits = ir.IntType(8 * LANE_BYTES // self.lanes)
        self.signs = [emitter.slot(ir.VectorType(self.bits, self.lanes)) for _ in points]
        self.no_numbers = [emitter.slot(ir.VectorType(I1, self.lanes)) for _ in points]
        self.greatest = folded.combine == "max"

    def results(self, initial: Any) -> list[Any]:
        builder = self.emitter.builder
        for signs, no_numbers in zip(self.signs, self.no_numbers, strict=True):
            builder.store(self._of_all(-1 if self.greatest else 0), signs)
            builder.store(ir.Constant(no_numbers.type.pointee, None), no_numbers)
        return super().results(initial)

    def _stepped(self, travel: Travel, old: Any, point: int, counted: Any) -> Any:
        assert isinstance(self.folded.step, Operation)
        element = travel.scalar(self.folded.step.arguments[1])
        self._note(point, element, counted)
        return self._plain(old, element)

    def _note(self, point: int, element: Any, counted: Any) -> None:
        """Takes note of what is no number among some elements, and of their signs."""
        builder, signs, no_numbers = self.emitter.builder, self.signs[point], self.no_numbers[point]
        unordered = builder.fcmp_unordered("uno", element, element)
        bits = builder.bitcast(element, ir.VectorType(self.bits, self.lanes))
        if counted is not None:
            unordered = builder.and_(unordered, counted)
            bits = builder.select(counted, bits, self._of_all(-1 if self.greatest else 0))
        builder.store(builder.or_(builder.load(no_numbers), unordered), no_numbers)
        known = builder.load(signs)
        builder.store((builder.and_ if self.greatest else builder.or_)(known, bits), signs)

    def _totals(self, vectors: list[Any]) -> list[Any]:
        """The extremes of vectors, with their signs, or NaN."""
        builder, totals = self.emitter.builder, []
        for point, total in enumerate(super()._totals(vectors)):
            folded = intrinsic(builder, "vector.reduce." + ("and" if self.greatest else "or"),
                               ir.VectorType(self.bits, self.lanes), [builder.load(self.signs[point])])  # fmt: skip
            zero = constant(0.0, self.storage)
            negative = builder.icmp_signed("<", folded, ir.Constant(self.bits, 0))
            signed = builder.select(negative, constant(-0.0, self.storage), zero)
            found = builder.select(builder.fcmp_ordered("==", total, zero), signed, total)
            none = any_lane(builder, builder.load(self.no_numbers[point]))
            totals.append(builder.select(none, constant(math.nan, self.storage), found))
        return totals

    def _combined(self, one: Any, two: Any) -> Any:
        return self._plain(one, two) if isinstance(one.type, ir.VectorType) else super()._combined(one, two)

    def _plain(self, one: Any, two: Any) -> Any:
        sign = ">" if self.greatest else "<"
        return self.emitter.builder.select(self.emitter.builder.fcmp_ordered(sign, one, two), one, two)

    def _of_all(self, number: int) -> Any:
        return ir.Constant(ir.VectorType(self.bits, self.lanes), [ir.Constant(self.bits, number)] * self.lanes)


class _Elements(Travel):
    """Vectors of elements; `side_by_side` where distances that lengths decide are known to be 1."""

    side_by_side = False

    def at_hand(self, scalar: Scalar) -> Any:
        if isinstance(scalar, Where) and is_gathered(scalar, self.line):
            return gathered(self, scalar)
        return super().at_hand(scalar)

    def apart(self, start: Any, step: Size) -> Any:
        near = self.side_by_side and step.constant is None
        return self.near(start) if near else super().apart(start, step)


class _ArrayLanes(_FoldLanes):
    """Steps lane by lane, states in an array."""

    def _round(self, first: Any) -> None:
        self._steps(first, ZERO, self.lanes * self.folded.vectors)

    def _vector(self, first: Any) -> None:
        self._steps(first, ZERO, self.lanes)

    def _rest(self, first: Any, known: Any) -> None:
        self._steps(first, known, self.lanes)

    def _steps(self, first: Any, low: Any, high: int) -> None:
        emitter = self.emitter

        def one() -> None:
            lane = emitter.names[LANE].value
            emitter.names[self.iterator] = BoundValue.index(emitter.builder.add(first, lane))
            for states in self._at_points(self.states):
                row = emitter.builder.bitcast(states, self.kind.as_pointer())
                self._single_step(emitter.builder.gep(row, [emitter.builder.sub(lane, ONE)]))

        emitter.loop(low, ir.Constant(I64, high), LANE, one, high)
