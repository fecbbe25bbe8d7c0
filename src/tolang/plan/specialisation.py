"""Which numbers stay in a kernel's code, since it is better for knowing them; all others are parameters of the kernel.

Strides, windows, and what is near in memory are known well: loops over them are unrolled, and neighbours are read
together.  Of loops over elements around longer ones, of dimensions of a buffer around longer ones, and of the depth of
a product, it does not help to know how long they are, nor of an element how far it is moved.  The loops of a
contraction are one for rows and one for columns, which is divided by their lengths: where no rows are packed, once for
many steps of the depth.  What is done once before all runs is the same code for all lengths.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.spaces import integer_range
from tolang.plan.kinds import BY_TILES, DEPTHWISE, ELEMENTWISE, FOLDS, POINTER_CHASE, PREPACKING, kind_of
from tolang.plan.nest import ConstantScalar, Each, Group, Nest, Operation, Repeat, Scalar
from tolang.plan.schedule import OperandSource, ScanSchedule, Schedule, Tiled

LARGEST_KEPT = 8
"""Constants up to this may stay in the code."""
PLAIN = frozenset({"add", "sub", "mul", "max", "min", "div"})
"""Functions whose code is the same whatever number they are given, but for the simplest ones."""
MOVING = frozenset({"add", "sub"})
"""Those of them that even the simplest numbers do not make shorter, as floats are rounded."""
SIMPLEST = (-2, -1, 0, 1, 2)
EXACT = 2**24
"""Whole numbers below this are floats of any storage without being rounded."""
FLOATS = ("f32", "f64")
WHOLE = ("i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64")
FILLED = (0, -1)
"""Numbers that memory is filled with byte by byte."""
BY_ELEMENTS = frozenset({ELEMENTWISE, DEPTHWISE})
"""Kinds whose loops are as they stand, the last one on vectors."""


def is_small(size: Size) -> bool:
    """Whether a size is a constant that may stay."""
    value = size.constant
    return value is not None and -LARGEST_KEPT <= value <= LARGEST_KEPT


@dataclass(frozen=True, slots=True)
class NumberContext:
    """What numbers are for where they stand: whether in a contraction by tiles, in loops over elements, or elsewhere.

    What is done `once` need not be the fastest.  Of elements some functions take `numbers` as parameters, `whole` ones
    too, and coordinates `offsets`.  In a scan `constants` stay, however large: that an element is the one after another
    must be seen.
    """

    tiles: bool = False
    once: bool = False
    elements: bool = False
    numbers: bool = False
    whole: bool = False
    offsets: bool = False
    repeated: bool = False
    constants: bool = False

    def keeps(self, size: Size) -> bool:
        """Whether a size is a constant that stays where coordinates are computed."""
        return is_small(size) or (self.constants and size.constant is not None)

    def kept_extents(self, node: Nest | Group | Each | Repeat) -> Sequence[bool] | None:
        """Which lengths of loops stay, if they are small; None for all."""
        if self.once or (self.tiles and isinstance(node, Group) and len(node.extents) == 1):
            return [_is_trivial(one) for one in node.extents]
        freely = self.elements or (self.tiles and _reads_in_place(node))
        return _near(node.extents) if freely and isinstance(node, Nest) else None

    def kept_shape(self, shape: tuple[Size, ...]) -> Sequence[bool]:
        """Which lengths of a buffer stay, if they are small."""
        return [_is_trivial(one) for one in shape] if self.tiles or self.once else _near(shape)

    def schedule_of(self, node: Any) -> Schedule | None:
        """A node's schedule; a tile adds as it does, whatever a fold by itself would have."""
        chosen: Schedule | None = node.schedule
        return None if self.tiles and isinstance(node, Group) else chosen

    def is_free(self, offset: Size) -> bool:
        """Whether a constant that is added to a coordinate is a parameter."""
        return self.offsets and offset.constant is not None and offset.constant > 0

    def argument_of(self, scalar: Scalar, operation: Operation) -> ConstantScalar | None:
        """A number in the storage of a function that it is given to; None where code is better for knowing it.

        That are the simplest numbers, powers of two that floats are multiplied or divided by, and whatever may be
        checked.
        """
        function, result = operation.function, operation.column
        if function not in PLAIN or not isinstance(scalar, ConstantScalar) or not _is_plain(scalar.value):
            return None
        value, own = scalar.value, scalar.column
        if value in SIMPLEST and function not in MOVING:
            return None
        if result.storage in FLOATS:
            exact = own.storage == result.storage or (own.space.is_machine and value == int(value))
            scaled = function in ("mul", "div") and abs(math.frexp(value)[0]) == 0.5
            return ConstantScalar(float(value), column=result) if exact and abs(value) < EXACT and not scaled else None
        alike = result.space.is_machine and value not in SIMPLEST and _holds(result.storage, value)
        return ConstantScalar(value, column=result) if self.whole and alike and function != "div" else None

    def value_of(self, scalar: Scalar) -> ConstantScalar | None:
        """A number that elements are filled with, in their storage; None where it is none, or better known."""
        cast = isinstance(scalar, Operation) and scalar.function == "cast"
        inner = scalar.arguments[0] if cast and isinstance(scalar, Operation) else scalar
        if not self.elements or self.repeated or not isinstance(inner, ConstantScalar) or not _is_plain(inner.value):
            return None
        value, storage = inner.value, scalar.column.storage
        if value in FILLED or storage != inner.column.storage:
            return None
        return ConstantScalar(value, column=scalar.column) if storage in WHOLE or storage in FLOATS else None


EVERYWHERE = NumberContext()


def surroundings_in(node: Nest | Group | Repeat, before: NumberContext) -> NumberContext:
    """What numbers are for inside a node; folds and repetitions are told by numbers that stand in them."""
    if isinstance(node, Group):
        return replace(before, numbers=False, offsets=False)
    if isinstance(node, Repeat):
        return NumberContext(repeated=True, constants=isinstance(node.schedule, ScanSchedule))
    name, chosen = kind_of(node), node.schedule
    alone = chosen is not None and not (isinstance(chosen, Tiled) and chosen.fallback) and not before.repeated
    by_tiles, by_elements = name in BY_TILES, name in BY_ELEMENTS
    return NumberContext(
        tiles=by_tiles and alone,
        once=name == PREPACKING,
        elements=by_elements and alone,
        numbers=by_tiles or (alone and (by_elements or name in (FOLDS, POINTER_CHASE))),
        whole=by_tiles or name == POINTER_CHASE,
        offsets=alone and (by_tiles or by_elements),
        repeated=before.repeated,
        constants=before.constants,
    )


def _is_plain(value: Any) -> bool:
    return not isinstance(value, bool | str | complex) and math.isfinite(value)


def _reads_in_place(node: Nest | Group | Each | Repeat) -> bool:
    """Whether the rows of a contraction are read as they lie: none is packed, which divides for each element of it."""
    tile = node.schedule if isinstance(node, Nest) else None
    return isinstance(tile, Tiled) and tile.left in (OperandSource.ROWS, OperandSource.PADDED_COPY)


def _holds(storage: str, value: Any) -> bool:
    """Whether a whole number is one of a storage of whole numbers."""
    least, greatest = integer_range(storage) if storage in WHOLE else (0, -1)
    return isinstance(value, int) and least <= value <= greatest


def _is_trivial(size: Size) -> bool:
    """Whether a length leaves a dimension out."""
    return size.constant in (0, 1)


def _near(lengths: tuple[Size, ...]) -> list[bool]:
    """Which lengths stay of some around each other: those of one, and small ones that nothing longer is inside of."""
    longest = max((place for place, one in enumerate(lengths) if not is_small(one)), default=-1)
    return [place > longest or _is_trivial(one) for place, one in enumerate(lengths)]
