"""The register tile of a contraction, chosen from the target's vectors and from what one step needs.

How the numbers of a contraction's steps are held is decided here as well, since it says what they need: a component of
the state that only ever takes the coordinate of the depth, as the place of a smallest term does, is held as the number
of the step within the cut, as wide as the other components.  Truth values are held as bits, many columns to a byte.
"""

from __future__ import annotations

import math
from fractions import Fraction

from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.symbolic import sizes
from tolang.ground.symbolic.conditions import Condition, nonnegative
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.functions import functions_with
from tolang.ground.values.spaces import is_float
from tolang.idioms.contraction import Contraction, Dimensions, Operand, Phase
from tolang.idioms.dot4 import DOTS
from tolang.idioms.dot4_words import word_as_it_lies
from tolang.idioms.ordinary import can_be_ordinary
from tolang.plan.access import Access, access_of
from tolang.plan.fused_sums import FUSED, whole_exponent
from tolang.plan.nest import DOT_UNSIGNED, ConstantScalar, Index, Load, Named, Operation, Scalar, Select
from tolang.plan.schedule import OperandSource, Tiled
from tolang.plan.target import Target
from tolang.plan.traversal import walk
from tolang.plan.value_ranges import may_refuse

HELD = frozenset({"bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "bf16", "f32", "f64"})
"""Storages whose numbers compiled code computes with."""
WIDTH_OF_STORAGE = {
    "bool": 1, "f32": 4, "f64": 8, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "u8": 1, "u16": 2, "u32": 4, "u64": 8,
}  # fmt: skip


MOST_VECTORS = 5
"""How many vectors wide a tile is at the most."""
SNUG = Fraction(26, 25)
"""By so much a slimmer tile computes fewer columns at the least, where it is taken."""
MATRIX_SIDE = 16
"""Rows, columns and quads that a processor multiplies at once which multiplies matrices."""
NARROW_COST = 1.3
"""What a vector of a narrow tile costs, in those of a wide one: it has fewer sums to wait for."""


@dataclass(frozen=True, slots=True)
class RegisterDemand:
    """What a step of the depth needs: bytes of the widest number, accumulators and temporaries for an element.

    `fused`: the step is one fused product and sum; `heavy`: it is so long that loads do not matter.
    """

    width: int
    accumulators: int = 1
    temporaries: int = 1
    fused: bool = True
    heavy: bool = False


def tile_for(target: Target, storage: str, demand: RegisterDemand | None = None, widest: int = MOST_VECTORS) -> Tiled:
    """The tile with the fewest loads for its arithmetic of those whose values fit the registers.

    It is no wider than so many vectors.
    """
    need = demand or RegisterDemand(WIDTH_OF_STORAGE[storage])
    lanes = max(1, target.vector_bytes // need.width)
    by_lane = target.lane_operands and need.fused
    more = 2 if target.splat_loads and not need.fused else 0  # there, the smaller of two takes several instructions
    room = target.registers - 1 - need.temporaries - more
    choices = [
        (((rows // lanes if by_lane else rows) + vectors) / (rows * vectors), -rows * vectors, -vectors, rows, vectors)
        for rows in (1, 2, 4, 6, 8)
        for vectors in range(1, min(widest, MOST_VECTORS) + 1)
        if rows * vectors * need.accumulators + vectors <= room and (not by_lane or rows % lanes == 0)
    ]
    *_, rows, vectors = (0, 0, 0, 2, min(2, widest)) if need.heavy else min(choices, default=(0, 0, 0, 1, 1))
    splat = not target.splat_loads and not by_lane
    return Tiled(rows, vectors, lanes, splat, by_lane, target.streams, 2 if need.fused else 1)


PLAIN = functions_with(kind="arithmetic")
WHOLE = functions_with(kind=("arithmetic", "choice", "comparison", "logic"), arity=(2,)) | {"cast"} | DOTS
"""Functions of whole numbers that are computed on vectors, where the numbers wrap."""
LOGIC = functions_with(kind=("logic", "choice"))
"""Functions of truth values that can be computed on bits."""
LIGHT = functions_with(kind=("arithmetic", "choice", "comparison", "logic")) | {FUSED, "abs", "neg"} | DOTS
"""Functions of one instruction, or a few."""
BOUNDED = functions_with(kind=("arithmetic", "choice"))
COMBINES = functions_with(kind="choice") | {"add"}


@dataclass(frozen=True, slots=True)
class Shape:
    """How the numbers of a contraction's steps are held."""

    bits: bool
    width: int

    def storage(self, storage: str) -> str:
        return "u8" if self.bits else storage

    @property
    def marker(self) -> str:
        """The storage of a step's number."""
        return "i64" if self.width == 8 else "i32"


def shape_of(contraction: Contraction) -> Shape | None:
    """How to hold a contraction's numbers; None where some cannot be held."""
    scalars = [s for phase in contraction.phases for step in phase.steps for s in walk(step)]
    if all(s.column.storage == "bool" for s in scalars):
        plain = all(not isinstance(s, Operation) or s.function in LOGIC for s in scalars)
        chosen = any(isinstance(s, Select) for s in scalars)
        return Shape(True, 1) if plain and not chosen and len(contraction.phases) == 1 else None
    if any(not _holds(s) for s in scalars):
        return None
    kept = [s for phase in contraction.phases for c, step in enumerate(phase.steps) if not is_place(phase, c)
            for s in walk(step) if s.column.storage != "bool" and not isinstance(s, ConstantScalar)]  # fmt: skip
    held = [
        c.storage for phase in contraction.phases for k, c in enumerate(phase.group.columns) if not is_place(phase, k)
    ]
    places = any(is_place(p, k) for p in contraction.phases for k in range(len(p.steps)))
    storages = [*(k.column.storage for k in kept), *held, *(["f32"] if places else [])]
    if "bool" in held or any(storage not in WIDTH_OF_STORAGE for storage in storages):
        return None
    return Shape(False, max(WIDTH_OF_STORAGE[storage] for storage in storages))


def _holds(scalar: Scalar) -> bool:
    match scalar:
        case Operation(function="convert") if may_refuse(scalar.column):
            return False
        case Operation(function=function, arguments=arguments):
            if all(is_float(a.column.storage) or isinstance(a, ConstantScalar) for a in arguments):
                return is_float(scalar.column.storage) or scalar.column.storage == "bool"
            return function in WHOLE or function in LOGIC
    return isinstance(scalar, Named | ConstantScalar | Select)


def is_place(phase: Phase, component: int) -> bool:
    """Whether a component of the state is only ever given the coordinate of the only dimension of the depth."""
    if len(phase.depth) != 1 or phase.group.columns[component].storage != "i64":
        return False
    leaves = list(_leaves(phase.steps[component]))
    indices = {leaf for leaf in leaves if leaf in coordinates(phase)}
    return bool(indices) and all(leaf in indices or leaf == phase.group.states[component] for leaf in leaves)


def _leaves(scalar: Scalar) -> list[str]:
    """The names that choices end in; an empty name for anything else."""
    match scalar:
        case Select(guard=None, then=then, otherwise=otherwise):
            return _leaves(then) + _leaves(otherwise)
        case Named(name=name):
            return [name]
    return [""]


def coordinates(phase: Phase) -> set[str]:
    """The operands that are the coordinate of the depth itself."""
    name = phase.depth[0][0]
    return {
        o.name
        for o in phase.lefts
        if isinstance(o.value, Index) and str(o.value.size) == name and len(phase.depth) == 1
    }


def packed(phase: Phase) -> tuple[list[Operand], list[Operand]]:
    """The operands that are packed: all but coordinates that only places take."""
    used: set[str] = set()
    for component, step in enumerate(phase.steps):
        scalars = _tests(step) if is_place(phase, component) else [step]
        used |= {s.name for one in scalars for s in walk(one) if isinstance(s, Named)}
    return [o for o in phase.lefts if o.name in used], [o for o in phase.rights if o.name in used]


def _tests(scalar: Scalar) -> list[Scalar]:
    if not isinstance(scalar, Select):
        return []
    return [*scalar.test, *_tests(scalar.then), *_tests(scalar.otherwise)]


def is_fused(phase: Phase) -> bool:
    """Whether a step is a sum of products, of floats or of quads, which machines compute in one instruction."""
    step = phase.steps[0]
    match step:
        case Operation(function=function, arguments=(Named(), Named(), Named())) if len(phase.steps) == 1:
            return function in DOTS or (function == FUSED and is_float(step.column.storage))
    return False


def demand_of(contraction: Contraction, shape: Shape) -> RegisterDemand:
    """What the steps of a contraction need of a tile."""
    fused = all(is_fused(p) for p in contraction.phases)
    scalars = [s for p in contraction.phases for step in p.steps for s in walk(step)]
    heavy = any(isinstance(s, Operation) and s.function not in LIGHT and whole_exponent(s) is None for s in scalars)
    heavy = heavy or any(p.extras for p in contraction.phases)
    accumulators = max(len(p.steps) for p in contraction.phases)
    return RegisterDemand(shape.width, accumulators, 1 if fused else 2 + accumulators, fused, heavy)


def can_overflow(contraction: Contraction) -> bool:
    """Whether a step has arithmetic of whole numbers that is an error where it overflows."""
    return any(
        isinstance(s, Operation) and s.function in PLAIN and not is_float(s.column.storage)
        and s.column.storage != "bool" and not s.column.space.is_machine
        for phase in contraction.phases for step in phase.steps for s in walk(step)
    )  # fmt: skip


def boundable(contraction: Contraction) -> bool:
    """Whether such overflow can be ruled out by the magnitudes of the operands."""
    phase = contraction.phases[0]
    if len(contraction.phases) != 1 or phase.group.combine not in COMBINES or phase.extras or len(phase.steps) != 1:
        return False
    step = phase.steps[0]
    assert isinstance(step, Operation)
    parts = walk(step.arguments[1])
    plain = all(
        isinstance(p, Named | ConstantScalar) or (isinstance(p, Operation) and p.function in BOUNDED) for p in parts
    )
    whole = all(p.column.storage == "i64" for p in (step, *parts))
    return plain and whole and all(isinstance(o.value, Load) and not o.value.checks for o in operands_of(contraction))


def operands_of(contraction: Contraction) -> tuple[Operand, ...]:
    return (*contraction.phases[0].lefts, *contraction.phases[0].rights)


def supported(contraction: Contraction) -> bool:
    """Whether a kernel on vectors computes this contraction: machine numbers, no overflow that goes unseen."""
    scalars = [s for phase in contraction.phases for step in phase.steps for s in walk(step)]
    storages = [s.column.storage for s in scalars]
    storages += [c.storage for phase in contraction.phases for c in phase.group.columns]
    if any(s not in HELD for s in storages) or shape_of(contraction) is None:
        return False
    return not can_overflow(contraction) or boundable(contraction)


def tile_of(contraction: Contraction, target: Target, widest: int = MOST_VECTORS) -> Tiled:
    """The register tile that a contraction gets: no more vectors wide than it has columns, if their number is known.

    Nor is it wider than so many vectors.  Products of a batch may be small: if nobody knows, they have a
    narrow one, too.
    """
    shape = shape_of(contraction)
    assert shape is not None
    demand = demand_of(contraction, shape)
    count = math.prod((extent for _, extent in contraction.columns), start=sizes.ONE).constant
    columns = count if isinstance(count, int) and not shape.bits else None
    widest = widest if columns is None else max(1, min(widest, -(-columns * demand.width // target.vector_bytes)))
    tile = tile_for(target, "u8" if shape.bits else "f32", demand, widest)
    if columns is not None and tile.vectors > 2:
        slimmer = tile_for(target, "f32", demand, tile.vectors - 1)
        tile = slimmer if _taken(columns, tile) >= SNUG * _taken(columns, slimmer) else tile
    if not target.extrema and not shape.bits:
        tile = replace(tile, inspects=can_be_ordinary(contraction))
    if target.splat_loads and not shape.bits and not tile.inspects and not can_overflow(contraction):
        lefts = [(left, phase.depth) for phase in contraction.phases for left in packed(phase)[0]]
        along = all(lies_in_rows(left.value, contraction.rows, depth) for left, depth in lefts)
        beside = len(lefts) == 1 and lies_side_by_side(lefts[0][0].value, contraction.rows, lefts[0][1])
        in_place = OperandSource.ROWS if along else OperandSource.COLUMNS if beside else OperandSource.PACKED
        tile = replace(tile, left=in_place)
    if columns is not None:
        return narrowed(tile) if 0 < columns % tile.columns <= tile.lanes else tile
    small = contraction.batch and target.splat_loads and not shape.bits
    return narrowed(tile, tile.vectors // 2) if small else tile


def matrix_tile_of(contraction: Contraction, tile: Tiled) -> Tiled | None:
    """The tile of small matrices instead of one of vectors: for sums of products of quads whose rows are not packed.

    There are to be enough columns and quads, as far as their numbers are known.
    """
    phase = contraction.phases[0]
    if tile.left is not OperandSource.ROWS or len(contraction.phases) != 1 or phase.extras or not is_fused(phase):
        return None
    step = phase.steps[0]
    counts = [math.prod((extent for _, extent in d), start=sizes.ONE) for d in (contraction.columns, phase.depth)]
    few = any(isinstance(one.constant, int) and one.constant < MATRIX_SIDE for one in counts)
    if few or not isinstance(step, Operation) or step.function != DOT_UNSIGNED:
        return None
    return replace(tile, rows=2 * MATRIX_SIDE, vectors=2, unroll=1, narrow=0, matrices=True)


def _taken(columns: int, tile: Tiled) -> float:
    """How many columns a tile computes for so many, those of a narrow one being dearer."""
    rest = columns % tile.columns
    own = NARROW_COST * tile.lanes if rest <= tile.lanes and tile.vectors > 2 else tile.columns
    return columns - rest + (own if rest else 0)


def computes_less(slim: Tiled, wide: Tiled, rows: Size, columns: Size) -> Condition:
    """Whether a slimmer tile computes markedly fewer elements for so many rows and columns than a wider one."""
    share = SNUG * (slim.rows * slim.columns) / (wide.rows * wide.columns)
    return nonnegative(_tiles(wide, rows, columns) - _tiles(slim, rows, columns) * share)


def _tiles(tile: Tiled, rows: Size, columns: Size) -> Size:
    """How many tiles so many rows and columns take."""
    whole = [(rows, tile.rows), (columns, tile.columns)]
    return math.prod((sizes.floor_division(length + (own - 1), Size.of(own)) for length, own in whole), start=sizes.ONE)


def lies_in_rows(value: Scalar, rows: Dimensions, depth: Dimensions) -> bool:
    """Whether an operand is read from rows that lie one after the other, each of them all along the depth.

    It may be words of what lies there.
    """
    access = _in_order(word_as_it_lies(value) or value, (*rows, *depth))
    return access is not None and access.contiguous((*rows, *depth))


def lies_side_by_side(value: Scalar, rows: Dimensions, depth: Dimensions) -> bool:
    """Whether an operand is read from rows that lie side by side, at equal distances for each step of the depth."""
    access = _in_order(value, (*depth, *rows))
    return access is not None and access.contiguous(rows) and access.contiguous(depth, access.stride(depth[-1][0]))


def _in_order(value: Scalar, dimensions: Dimensions) -> Access | None:
    """How an operand is read that has an axis for each dimension, in their order; None for other operands."""
    if not isinstance(value, Load) or value.checks or value.buffer.panels is not None:
        return None
    if value.buffer.column.storage != value.column.storage or value.column.storage not in WIDTH_OF_STORAGE:
        return None
    access = access_of(value)
    return access if access.axes_of([name for name, _ in dimensions]) is not None else None


def narrowed(tile: Tiled, vectors: int = 1) -> Tiled:
    """A tile with a narrow one of so many vectors for the last columns, unless it is hardly wider itself."""
    return replace(tile, narrow=vectors if tile.vectors > 2 else 0)
