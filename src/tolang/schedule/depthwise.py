"""Windows of each map by itself, with the maps innermost: vectors hold neighbouring maps, folds stay in registers.

    y[i,j,c] = max(reduce[a,b](w[a,b,c] * x[i+a-1,j+b-1,c]) + bias[c], 0)

Some neighbouring places of the dimension before the last are computed together, so that they share what they read.
"""

from __future__ import annotations

from tolang.ground.values.spaces import is_float
from tolang.idioms.column_folds import folds_of, is_window, read_side_by_side
from tolang.plan.access import access_to
from tolang.plan.nest import ConstantScalar, Group, Load, Named, Nest, Operation, Reduction, Scalar, Where
from tolang.plan.target import Target
from tolang.plan.traversal import read_buffers, walk, written_buffers
from tolang.schedule.tile import WIDTH_OF_STORAGE

FUNCTIONS = frozenset({"add", "sub", "mul", "div", "fused", "min", "max", "neg", "abs", "exp", "sqrt"})
"""Those that are computed on vectors of floats with nothing to report."""


def is_of_map_windows(nest: Nest) -> bool:
    """Whether all folds of a nest are windows of floats that read and write neighbouring maps side by side."""
    groups = folds_of(nest)
    if not groups or not read_side_by_side(nest) or not all(map(is_window, groups)) or not _is_apart(nest):
        return False
    folds = all(isinstance(one, ConstantScalar) for group in groups for one in group.initials)
    return folds and all(map(_is_of_floats, (*nest.values, *(one for group in groups for one in group.steps))))


def fits_map_windows(nest: Nest, places: int, lanes: int) -> bool:
    """Whether there are as many maps and places as are taken at once: the last of them go back, and must not go far."""
    maps, length = nest.extents[-1].constant, nest.extents[-2].constant if len(nest.extents) > 1 else 1
    enough = isinstance(maps, int) and maps >= lanes
    return enough and (places == 1 or (isinstance(length, int) and length >= places)) and is_of_map_windows(nest)


def lanes_of_map_windows(nest: Nest, target: Target) -> int:
    """How many maps a vector holds."""
    return target.vector_bytes // max(WIDTH_OF_STORAGE[one.column.storage] for one in _numbers(nest))


def places_of_map_windows(nest: Nest, target: Target) -> int:
    """How many places are computed together; 0 where vectors would not be filled, as far as is known."""
    maps, lanes = nest.extents[-1].constant, lanes_of_map_windows(nest, target)
    if not isinstance(maps, int) or maps < lanes:
        return 0
    length = nest.extents[-2].constant if len(nest.extents) > 1 else 1
    if not isinstance(length, int) or length < 1 or len(folds_of(nest)) > 1:
        return 1
    most = max(1, target.registers // 4)
    parts = -(-length // most)
    return -(-length // parts)


def _is_apart(nest: Nest) -> bool:
    """Whether a nest reads nothing that it writes, and writes side by side."""
    last = nest.iterators[-1]
    beside = all(access_to(*target).unit_stride(last) for target in nest.targets)
    return beside and not read_buffers(nest) & written_buffers(nest)


def _numbers(nest: Nest) -> list[Scalar]:
    """Everything of a nest that is computed or read on vectors."""
    inside = [one for group in folds_of(nest) for step in group.steps for one in walk(step)]
    return [*inside, *(one for value in nest.values for one in walk(value) if not isinstance(one, ConstantScalar))]


def _is_of_floats(scalar: Scalar) -> bool:
    """Whether an expression is made of functions, reads and names of floats."""
    storage = scalar.column.storage
    match scalar:
        case ConstantScalar() | Named():
            return True
        case Load(checks=checks):
            return is_float(storage) and storage in WIDTH_OF_STORAGE and not checks
        case Reduction(group=Group() as group):
            return all(is_float(column.storage) for column in group.columns)
        case Operation(function=function, arguments=arguments):
            others = [one.column.storage for one in arguments if not isinstance(one, ConstantScalar)]
            floats = is_float(storage) and all(one == storage for one in others)
            return floats and function in FUNCTIONS and all(map(_is_of_floats, arguments))
        case Where():
            return all(map(_is_of_floats, scalar.children()))
    return False
