"""Tree folds, lists folded by an associative function: blocks as trees, whose levels are vectors, in order.

    e1 e2 e3 e4 e5 e6 e7 e8   →   e1·e2  e3·e4  e5·e6  e7·e8   →   e1·e2·e3·e4  e5·e6·e7·e8   →   …

Neighbours are merged, so no element changes its place among the others, and the merges of a level are independent of
each other.  Blocks and pieces have fixed lengths: no result depends on how many threads there are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tolang.engines.cpu.emission.effort import folding, whole
from tolang.engines.cpu.emission.regions import parallel
from tolang.engines.llvm import ir
from tolang.engines.llvm.bindings import BoundValue
from tolang.engines.llvm.sizes import quotient_of
from tolang.engines.llvm.types import I32, I64, TYPES
from tolang.ground.symbolic.sizes import Size
from tolang.idioms.tree_fold import TreeFold, tree_fold_of
from tolang.plan.grain import TREE_BLOCK, TREE_PIECE
from tolang.plan.nest import Group

if TYPE_CHECKING:
    from tolang.engines.cpu.emission.emitter import Emitter

ZERO, ONE, TWO, BLOCK = (ir.Constant(I64, number) for number in (0, 1, 2, TREE_BLOCK))
HALF = TREE_BLOCK // 2
"""How many states the first level of a block gives."""
ITEM, LEVEL, NUMBER, PLACE = "the piece", "the level", "the block", "the place"
Values = list[Any]


def tree_fold(emitter: Emitter, group: Group) -> Values:
    """The final state of a fold of lists by an associative function."""
    merge = tree_fold_of(group)
    assert merge is not None
    return _TreeFold(emitter, group, merge).emit()


class _TreeFold:
    """One fold, emitted."""

    def __init__(self, emitter: Emitter, group: Group, merge: TreeFold) -> None:
        self.emitter, self.group, self.merge = emitter, group, merge
        self.iterator = group.iterators[0]
        self.kinds = [TYPES[column.storage] for column in group.columns]

    def emit(self) -> Values:
        """The components of the state after the last element."""
        emitter = self.emitter
        count = emitter.size(self.group.extents[0])
        slots = self._slots()
        self._store([emitter.scalar(initial) for initial in self.group.initials], slots)
        done = ZERO if emitter.inside_region else self._pieces(count, slots)
        self._stretch(done, count, slots)
        return [emitter.builder.load(slot) for slot in slots]

    def _slots(self) -> Values:
        return [self.emitter.slot(kind) for kind in self.kinds]

    def _store(self, values: Values, places: Values) -> None:
        for value, place in zip(values, places, strict=True):
            self.emitter.builder.store(value, place)

    def _load(self, places: Values) -> Values:
        return [self.emitter.builder.load(place) for place in places]

    def _merged(self, first: Values, second: Values) -> Values:
        """A state and a later one, merged."""
        emitter, columns = self.emitter, self.group.columns
        with emitter.scope():
            for names, values in ((self.group.states, first), (self.merge.others, second)):
                for name, value, column in zip(names, values, columns, strict=True):
                    emitter.names[name] = BoundValue(value, column.storage)
            return [emitter.scalar(step) for step in self.merge.steps]

    def _element(self, number: Any) -> Values:
        """An element, counted from 0, as a state of its own."""
        emitter = self.emitter
        with emitter.scope():
            emitter.names[self.iterator] = BoundValue.index(emitter.builder.add(number, ONE))
            return [emitter.scalar(element) for element in self.merge.elements]

    def _pieces(self, count: Any, slots: Values) -> Any:
        """Whole pieces shared out among the threads, their results then merged in order; how many elements they are."""
        emitter, builder = self.emitter, self.emitter.builder
        size = ir.Constant(I64, TREE_PIECE)
        count = builder.select(builder.icmp_signed("<", count, ZERO), ZERO, count)
        pieces = quotient_of(builder, count, size)
        room = builder.mul(builder.add(pieces, ONE), ir.Constant(I64, 8 * len(self.kinds)))
        raw = emitter.take(room, "a fold")
        partial = emitter.builder.bitcast(raw, I64.as_pointer())

        def one() -> None:
            piece = emitter.builder.sub(emitter.names[ITEM].value, ONE)
            low = emitter.builder.mul(piece, size)
            own = self._slots()
            self._store(self._element(low), own)
            self._stretch(emitter.builder.add(low, ONE), emitter.builder.add(low, size), own)
            self._store(self._load(own), self._places(emitter.captured["partial"], piece))

        def region(low: Any, high: Any) -> None:
            emitter.inside_region = True
            emitter.loop(low, high, ITEM, one)
            emitter.inside_region = False

        def gather() -> None:
            piece = emitter.builder.sub(emitter.names[ITEM].value, ONE)
            second = self._load(self._places(partial, piece))
            self._store(self._merged(self._load(slots), second), slots)

        work = whole(emitter, folding([*self.merge.elements, *self.merge.steps], (Size.of(TREE_PIECE),)))
        parallel(emitter, pieces, ONE, region, {"partial": partial}, work)
        emitter.loop(ZERO, pieces, ITEM, gather)
        emitter.give_back(raw)
        return emitter.builder.mul(pieces, size)

    def _places(self, partial: Any, piece: Any) -> Values:
        """Where the state of a piece is kept: a word for each component."""
        builder, width = self.emitter.builder, len(self.kinds)
        first = builder.mul(piece, ir.Constant(I64, width))
        words = [builder.gep(partial, [builder.add(first, ir.Constant(I64, k))]) for k in range(width)]
        return [builder.bitcast(word, kind.as_pointer()) for word, kind in zip(words, self.kinds, strict=True)]

    def _stretch(self, low: Any, high: Any, slots: Values) -> None:
        """Elements from low on and before high, after what the slots hold: blocks as trees, the rest one by one."""
        emitter, builder = self.emitter, self.emitter.builder
        blocks = quotient_of(builder, builder.sub(high, low), BLOCK)
        blocks = builder.select(builder.icmp_signed("<", blocks, ZERO), ZERO, blocks)
        levels = [[emitter.slot(ir.ArrayType(kind, HALF)) for kind in self.kinds] for _ in range(2)]

        def block() -> None:
            number = emitter.builder.sub(emitter.names[NUMBER].value, ONE)
            self._block(emitter.builder.add(low, emitter.builder.mul(number, BLOCK)), levels)
            tree = self._load(self._at(levels[0], ZERO))
            self._store(self._merged(self._load(slots), tree), slots)

        def single() -> None:
            element = self._element(emitter.builder.sub(emitter.names[PLACE].value, ONE))
            self._store(self._merged(self._load(slots), element), slots)

        emitter.loop(ZERO, blocks, NUMBER, block)
        done = emitter.builder.add(low, emitter.builder.mul(blocks, BLOCK))
        emitter.loop(done, high, PLACE, single)

    def _block(self, low: Any, levels: list[Values]) -> None:
        """One block of elements as one state, which is the first of the first level."""
        emitter = self.emitter

        def elements(place: Any) -> tuple[Values, Values]:
            first = emitter.builder.add(low, emitter.builder.mul(place, TWO))
            return self._element(first), self._element(emitter.builder.add(first, ONE))

        self._level(ir.Constant(I64, HALF), elements, levels[0])

        def two_levels() -> None:
            number = emitter.builder.sub(emitter.names[LEVEL].value, ONE)
            shift = emitter.builder.mul(number, TWO)
            size = emitter.builder.lshr(ir.Constant(I64, HALF // 2), shift)
            self._level(size, lambda place: self._neighbours(levels[0], place), levels[1])
            half = emitter.builder.lshr(ir.Constant(I64, HALF // 4), shift)
            self._level(half, lambda place: self._neighbours(levels[1], place), levels[0])

        pairs = (HALF.bit_length() - 1) // 2
        emitter.loop(ZERO, ir.Constant(I64, pairs), LEVEL, two_levels, pairs)

    def _neighbours(self, level: Values, place: Any) -> tuple[Values, Values]:
        first = self.emitter.builder.mul(place, TWO)
        second = self.emitter.builder.add(first, ONE)
        return self._load(self._at(level, first)), self._load(self._at(level, second))

    def _level(self, size: Any, pair: Callable[[Any], tuple[Values, Values]], goal: Values) -> None:
        emitter = self.emitter

        def one() -> None:
            place = emitter.builder.sub(emitter.names[PLACE].value, ONE)
            self._store(self._merged(*pair(place)), self._at(goal, place))

        emitter.loop(ZERO, size, PLACE, one, HALF)

    def _at(self, arrays: Values, place: Any) -> Values:
        return [self.emitter.builder.gep(array, [ir.Constant(I32, 0), place]) for array in arrays]
