"""Folds that choose one of their elements: many independent states side by side, which LLVM then computes as vectors.

A fold that carries a list never becomes vector code by itself.  Written as a loop over a fixed number of lanes inside
the loop over blocks of elements, each lane with a state of its own in memory that stays in the nearest cache, its
body is plain element-by-element code, whatever it computes.  Where the first of equal elements is chosen, lanes hold
extremes alone, and their places are looked for where some blocks have a better one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tolang.engines.cpu.emission.effort import folding, whole
from tolang.engines.cpu.emission.regions import parallel
from tolang.engines.llvm import ir
from tolang.engines.llvm.bindings import BoundValue
from tolang.engines.llvm.sizes import ceiling, quotient_of
from tolang.engines.llvm.types import I32, I64, TYPES, to_computing
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.functions import FUNCTIONS
from tolang.ground.values.spaces import is_real, is_unsigned
from tolang.idioms.choice_fold import ChoiceFold, choice_fold_of
from tolang.plan.nest import Group

if TYPE_CHECKING:
    from tolang.engines.cpu.emission.emitter import Emitter

LANES = 64
"""States side by side; enough to hide every latency, few enough for the nearest cache."""
WORTHWHILE = 4 * LANES
"""Fewer elements than this are folded one after the other."""
PIECE = 1 << 18
"""How many elements a thread takes at a time."""
ZERO, ONE = ir.Constant(I64, 0), ir.Constant(I64, 1)
NONE = ir.Constant(I64, -1)
"""The place of the initial state, before every element's."""
STRICT = {"le": "lt", "ge": "gt"}
TOGETHER = 16
"""Blocks of lanes whose extreme is found first, and its place only where it is better than what came before."""
IN_REGISTERS = 4
"""Blocks after which the extremes of lanes are written: what is written and read at once is waited for."""


def choice_fold(emitter: Emitter, group: Group) -> list[Any]:
    """The final state of a fold that chooses one of its elements."""
    choice = choice_fold_of(group)
    assert choice is not None
    return _ChoiceFold(emitter, group, choice).emit()


class _ChoiceFold:
    """A fold that chooses one of its elements, emitted: lanes hold the compared component and the chosen block."""

    def __init__(self, emitter: Emitter, group: Group, choice: ChoiceFold) -> None:
        self.emitter, self.group, self.choice = emitter, group, choice
        self.storage = group.columns[choice.key].storage
        self.kind = TYPES[self.storage]
        self.iterator = group.iterators[0]
        self.places = I64 if self.storage in ("f64", "i64", "u64") else I32

    def emit(self) -> list[Any]:
        """The components of the state after the last element."""
        emitter, builder = self.emitter, self.emitter.builder
        count = emitter.size(self.group.extents[0])
        initial = emitter.scalar(self.group.initials[self.choice.key])
        best, place = emitter.slot(self.kind), emitter.slot(I64)
        builder.store(initial, best)
        builder.store(NONE, place)
        if emitter.inside_region:
            self._stretch(ZERO, count, best, place)
        else:
            self._pieces(count, initial, best, place)
        return self._components(best, place)

    def _components(self, best: Any, place: Any) -> list[Any]:
        """The chosen element's components, computed again at its place; the compared one is there already."""
        emitter, builder = self.emitter, self.emitter.builder
        where = builder.load(place)
        slots = [emitter.slot(TYPES[c.storage]) for c in self.group.columns]
        for position, (slot, initial) in enumerate(zip(slots, self.group.initials, strict=True)):
            builder.store(builder.load(best) if position == self.choice.key else emitter.scalar(initial), slot)

        def chosen() -> None:
            emitter.names[self.iterator] = BoundValue.index(emitter.builder.add(where, ONE))
            for position, (slot, element) in enumerate(zip(slots, self.choice.elements, strict=True)):
                if position != self.choice.key:
                    emitter.builder.store(emitter.scalar(element), slot)

        emitter.choose(builder.icmp_signed("!=", where, NONE), chosen, lambda: None)
        return [emitter.builder.load(slot) for slot in slots]

    def _pieces(self, count: Any, initial: Any, best: Any, place: Any) -> None:
        """The elements shared out among the threads, whose choices are then compared in order."""
        emitter, builder = self.emitter, self.emitter.builder
        grain = ir.Constant(I64, PIECE)
        pieces = ceiling(builder, count, grain)
        pieces = builder.select(builder.icmp_signed("<", pieces, ZERO), ZERO, pieces)
        size = builder.add(builder.mul(pieces, ir.Constant(I64, 16)), ir.Constant(I64, 16))
        raw = emitter.take(size, "a fold")
        shared = {"choices": builder.bitcast(raw, I64.as_pointer()), "count": count, "initial": initial}
        keys = "the key of a piece"

        def region(low: Any, high: Any) -> None:
            emitter.inside_region = True
            own_best, own_place = emitter.slot(self.kind), emitter.slot(I64)

            def one() -> None:
                inner = emitter.builder
                piece = inner.sub(emitter.names[keys].value, ONE)
                inner.store(emitter.captured["initial"], own_best)
                inner.store(NONE, own_place)
                first = inner.mul(piece, grain)
                last = inner.add(first, grain)
                total = emitter.captured["count"]
                last = inner.select(inner.icmp_signed("<", last, total), last, total)
                self._stretch(first, last, own_best, own_place)
                slot = emitter.builder.gep(
                    emitter.captured["choices"], [emitter.builder.mul(piece, ir.Constant(I64, 2))]
                )
                emitter.builder.store(emitter.builder.load(own_place), slot)
                value = emitter.builder.gep(slot, [ONE])
                value = emitter.builder.bitcast(value, self.kind.as_pointer())
                emitter.builder.store(emitter.builder.load(own_best), value)

            emitter.loop(low, high, keys, one)
            emitter.inside_region = False

        work = whole(emitter, folding([self.choice.elements[self.choice.key]], (Size.of(PIECE),)))
        parallel(emitter, pieces, ONE, region, shared, work)

        def gather() -> None:
            inner = emitter.builder
            piece = inner.sub(emitter.names[keys].value, ONE)
            slot = inner.gep(shared["choices"], [inner.mul(piece, ir.Constant(I64, 2))])
            where = inner.load(slot)
            value = inner.load(inner.bitcast(inner.gep(slot, [ONE]), self.kind.as_pointer()))
            better = self._compare(self.choice.relation, value, inner.load(best))
            self._take(inner.and_(inner.icmp_signed("!=", where, NONE), better), value, where, best, place)

        emitter.loop(ZERO, pieces, keys, gather)
        emitter.give_back(raw)

    def _stretch(self, low: Any, high: Any, best: Any, place: Any) -> None:
        """The elements from low on and before high: in lanes as far as whole blocks of them go."""
        emitter, builder = self.emitter, self.emitter.builder
        done = emitter.slot(I64)
        builder.store(low, done)
        many = builder.icmp_signed(">=", builder.sub(high, low), ir.Constant(I64, WORTHWHILE))
        in_lanes = self._by_extremes if self.choice.strict else self._in_lanes
        emitter.choose(many, lambda: in_lanes(low, high, best, place, done), lambda: None)

        def one() -> None:
            value = emitter.scalar(self.choice.elements[self.choice.key])
            inner = emitter.builder
            where = inner.sub(emitter.names[self.iterator].value, ONE)
            self._take(self._compare(self.choice.relation, value, inner.load(best)), value, where, best, place)

        emitter.loop(emitter.builder.load(done), high, self.iterator, one)

    def _in_lanes(self, low: Any, high: Any, best: Any, place: Any, done: Any) -> None:
        emitter, builder = self.emitter, self.emitter.builder
        width = ir.Constant(I64, LANES)
        blocks = quotient_of(builder, builder.sub(high, low), width)
        keys = emitter.slot(ir.ArrayType(self.kind, LANES))
        chosen = emitter.slot(ir.ArrayType(self.places, LANES))
        block, lane = "the block", "the lane"

        def slots() -> tuple[Any, Any]:
            number = emitter.builder.sub(emitter.names[lane].value, ONE)
            key, place = (emitter.builder.gep(array, [ir.Constant(I32, 0), number]) for array in (keys, chosen))
            return key, place

        def begin() -> None:
            key, where = slots()
            emitter.builder.store(emitter.builder.load(best), key)
            emitter.builder.store(ir.Constant(self.places, -1), where)

        def one() -> None:
            key, where = slots()
            inner = emitter.builder
            number = inner.sub(emitter.names[block].value, ONE)
            value = self._at(low, block, lane)
            narrow = emitter.builder.trunc(number, I32) if self.places is I32 else number
            old = emitter.builder.load(key)
            self._take(self._compare(self.choice.relation, value, old), value, narrow, key, where)

        def gather() -> None:
            key, where = slots()
            inner = emitter.builder
            value, number = inner.load(key), inner.load(where)
            wide = inner.sext(number, I64) if self.places is I32 else number
            lane_number = inner.sub(emitter.names[lane].value, ONE)
            at = inner.add(inner.add(low, inner.mul(wide, width)), lane_number)
            old, old_at = inner.load(best), inner.load(place)
            relation = self.choice.relation
            extreme = self._compare(STRICT.get(relation, relation), value, old)
            sign = "<" if self.choice.strict else ">"
            tie = inner.and_(self._compare("eq", value, old), inner.icmp_signed(sign, at, old_at))
            taken = inner.icmp_signed("!=", wide, NONE)
            self._take(inner.and_(taken, inner.or_(extreme, tie)), value, at, best, place)

        emitter.loop(ZERO, width, lane, begin, LANES)
        emitter.loop(ZERO, blocks, block, lambda: emitter.loop(ZERO, width, lane, one, LANES))
        emitter.loop(ZERO, width, lane, gather, LANES)
        emitter.builder.store(emitter.builder.add(low, emitter.builder.mul(blocks, width)), done)

    def _by_extremes(self, low: Any, high: Any, best: Any, place: Any, done: Any) -> None:
        """The extremes of a few blocks at a time; few are better than those before, and only these are looked for."""
        emitter, builder = self.emitter, self.emitter.builder
        width, group, lane = ir.Constant(I64, LANES), "the blocks together", "the lane"
        blocks = quotient_of(builder, builder.sub(high, low), width)
        keys, better = emitter.slot(ir.ArrayType(self.kind, LANES)), emitter.slot(I32)

        def start() -> None:
            emitter.builder.store(emitter.builder.load(best), self._key(keys, lane))

        def ask() -> None:
            inner = emitter.builder
            truth = self._compare(self.choice.relation, inner.load(self._key(keys, lane)), inner.load(best))
            inner.store(inner.or_(inner.load(better), inner.zext(truth, I32)), better)

        def together() -> None:
            inner = emitter.builder
            begin = inner.mul(inner.sub(emitter.names[group].value, ONE), ir.Constant(I64, TOGETHER))
            end = inner.add(begin, ir.Constant(I64, TOGETHER))
            end = inner.select(inner.icmp_signed("<", end, blocks), end, blocks)
            inner.store(ir.Constant(I32, 0), better)
            emitter.loop(ZERO, width, lane, start, LANES)
            rest = emitter.builder.and_(emitter.builder.sub(end, begin), ir.Constant(I64, IN_REGISTERS - 1))
            whole = emitter.builder.sub(end, rest)
            self._keep(low, begin, whole, keys, IN_REGISTERS)
            self._keep(low, whole, end, keys, 1)
            emitter.loop(ZERO, width, lane, ask, LANES)
            some = emitter.builder.icmp_signed("!=", emitter.builder.load(better), ir.Constant(I32, 0))
            emitter.choose(some, lambda: self._find(low, begin, end, keys, best, place), lambda: None)

        emitter.loop(ZERO, ceiling(builder, blocks, ir.Constant(I64, TOGETHER)), group, together)
        emitter.builder.store(emitter.builder.add(low, emitter.builder.mul(blocks, width)), done)

    def _key(self, keys: Any, lane: str) -> Any:
        """Where the extreme of a lane is."""
        number = self.emitter.builder.sub(self.emitter.names[lane].value, ONE)
        return self.emitter.builder.gep(keys, [ir.Constant(I32, 0), number])

    def _keep(self, low: Any, begin: Any, end: Any, keys: Any, number: int) -> None:
        """The extremes of lanes after blocks from one to another, which are as many as go in turns of a `number`."""
        emitter, turn, block, lane = self.emitter, "the turn", "the block", "the lane"

        def one() -> None:
            slot, first = self._key(keys, lane), emitter.names[block].value
            extreme: ir.Value = emitter.builder.load(slot)
            for further in range(number):
                emitter.names[block] = BoundValue.index(emitter.builder.add(first, ir.Constant(I64, further)))
                value = self._at(low, block, lane)
                taken = self._compare(self.choice.relation, value, extreme)
                extreme = emitter.builder.select(taken, value, extreme)
            emitter.builder.store(extreme, slot)

        def some() -> None:
            inner = emitter.builder
            before = inner.mul(inner.sub(emitter.names[turn].value, ONE), ir.Constant(I64, number))
            emitter.names[block] = BoundValue.index(inner.add(inner.add(begin, before), ONE))
            emitter.loop(ZERO, ir.Constant(I64, LANES), lane, one, LANES)

        turns = quotient_of(emitter.builder, emitter.builder.sub(end, begin), ir.Constant(I64, number))
        emitter.loop(ZERO, turns, turn, some)

    def _find(self, low: Any, begin: Any, end: Any, keys: Any, best: Any, place: Any) -> None:
        """The first element among some blocks that is the extreme of lanes."""
        emitter, block, lane = self.emitter, "the block", "the lane"
        half = LANES

        def of_lane(number: Any) -> Any:
            return emitter.builder.gep(keys, [ir.Constant(I32, 0), number])

        def better_half() -> None:
            inner = emitter.builder
            number = inner.sub(emitter.names[lane].value, ONE)
            slot, other = of_lane(number), inner.load(of_lane(inner.add(number, ir.Constant(I64, half))))
            old = inner.load(slot)
            inner.store(inner.select(self._compare(self.choice.relation, other, old), other, old), slot)

        while half > 1:
            half //= 2
            emitter.loop(ZERO, ir.Constant(I64, half), lane, better_half, half)
        extreme = emitter.builder.load(of_lane(ZERO))
        first, lane_of_it = emitter.slot(I64), emitter.slot(I32)
        emitter.builder.store(ZERO, first)

        def lane_is_it() -> None:
            is_it = self._compare("eq", self._at(low, block, lane), extreme)
            inner = emitter.builder
            number = inner.trunc(inner.sub(emitter.names[lane].value, ONE), I32)
            here = inner.select(is_it, number, ir.Constant(I32, LANES))
            old = inner.load(lane_of_it)
            inner.store(inner.select(inner.icmp_signed("<", here, old), here, old), lane_of_it)

        def look() -> Any:
            """Goes on as long as it is not there."""
            emitter.builder.store(ir.Constant(I32, LANES), lane_of_it)
            emitter.loop(ZERO, ir.Constant(I64, LANES), lane, lane_is_it, LANES)
            inner = emitter.builder
            number = inner.sext(inner.load(lane_of_it), I64)
            start = inner.mul(inner.sub(emitter.names[block].value, ONE), ir.Constant(I64, LANES))
            at = inner.add(inner.add(low, start), number)
            inner.store(at, first)
            return inner.icmp_signed("==", number, ir.Constant(I64, LANES))

        emitter.loop(begin, end, block, look)
        found = emitter.builder.load(first)
        emitter.builder.store(found, place)
        with emitter.scope():
            emitter.names[self.iterator] = BoundValue.index(emitter.builder.add(found, ONE))
            emitter.builder.store(emitter.scalar(self.choice.elements[self.choice.key]), best)

    def _at(self, low: Any, block: str, lane: str) -> Any:
        """The compared component of the element at a lane of a block."""
        emitter, inner = self.emitter, self.emitter.builder
        number = inner.sub(emitter.names[block].value, ONE)
        first = inner.add(low, inner.mul(number, ir.Constant(I64, LANES)))
        emitter.names[self.iterator] = BoundValue.index(inner.add(first, emitter.names[lane].value))
        return emitter.scalar(self.choice.elements[self.choice.key])

    def _take(self, truth: Any, value: Any, where: Any, best: Any, place: Any) -> None:
        builder = self.emitter.builder
        builder.store(builder.select(truth, value, builder.load(best)), best)
        builder.store(builder.select(truth, where, builder.load(place)), place)

    def _compare(self, relation: str, one: Any, two: Any) -> Any:
        builder, sign = self.emitter.builder, FUNCTIONS[relation].sign
        one, two = (to_computing(builder, value, self.storage)[0] for value in (one, two))
        if is_real(self.storage):
            return builder.fcmp_ordered(sign, one, two)
        return (builder.icmp_unsigned if is_unsigned(self.storage) else builder.icmp_signed)(sign, one, two)
