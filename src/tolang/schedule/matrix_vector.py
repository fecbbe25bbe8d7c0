"""Products of a matrix and a vector: folds at neighbouring points that share all they read but one element each.

y[i] = reduce[k](a[i,k] * x[k])        a is the matrix, i the point; any combine of sums and extrema will do
"""

from __future__ import annotations

from tolang.ground.dataclasses import dataclass
from tolang.ground.symbolic.sizes import ONE, Size
from tolang.ground.values.functions import functions_with
from tolang.ground.values.spaces import is_float
from tolang.idioms.column_folds import folds_of, names_around
from tolang.idioms.contraction import without_single
from tolang.idioms.dot4 import DOTS
from tolang.plan.access import access_of
from tolang.plan.fused_sums import FUSED
from tolang.plan.grain import LANE_BYTES, LONG_ROW, MANY_ROWS
from tolang.plan.nest import Checked, Group, Load, Named, Nest, Operation, Reduction, Scalar
from tolang.plan.printer import signature
from tolang.plan.target import Target
from tolang.plan.traversal import dependencies, guards_a_fold, walk
from tolang.schedule.tile import WIDTH_OF_STORAGE

MOST_VECTORS = 8
"""Accumulators of a panel: as many chains of sums as keep a processor busy."""
MOST_ROWS = 8
"""Rows side by side, each with a vector of states."""
STORAGES = ("f32", "f64", "i32")
ON_VECTORS = functions_with(kind=("arithmetic", "choice")) | {FUSED} | DOTS


@dataclass(frozen=True, slots=True)
class MatrixVector:
    """A nest, dimensions of one coordinate left out, whose last dimension is that of the points."""

    nest: Nest
    group: Group
    matrix: Load

    @property
    def point(self) -> str:
        return self.nest.iterators[-1]


def matrix_vector_of(nest: Nest) -> MatrixVector | None:
    """The nest as products of one matrix with vectors; None where it is something else."""
    nest = without_single(nest)
    groups = folds_of(nest)
    if not nest.iterators or len(groups) != 1 or groups[0].combine is None or groups[0].ordered:
        return None
    if any(guards_a_fold(value) for value in nest.values):
        return None
    group, point = groups[0], nest.iterators[-1]
    lengths, outside = (*nest.extents, *group.extents), set(nest.iterators)
    if any(e.names() & outside for e in lengths) or not _at_least(LONG_ROW, group.extents) or _is_few(nest.extents[-1]):
        return None
    apart = names_around(nest).keys() | {point}
    if dependencies(group.steps[0]) & (apart - {point}) or dependencies(group.initials[0]) & apart:
        return None
    inside = [one for s in (*group.steps, *group.initials) for one in walk(s)]
    if any(isinstance(one, Reduction | Checked) for one in inside):
        return None
    reads = [one for one in walk(group.steps[0]) if isinstance(one, Load)]
    own = {signature(one): one for one in reads if point in dependencies(one)}
    if len(own) != 1 or all(point in dependencies(one) for one in reads):
        return None
    matrix = next(iter(own.values()))
    storage, wraps = group.columns[0].storage, group.columns[0].space.is_machine
    plain = storage in STORAGES and matrix.column.storage == storage and not matrix.checks
    plain = plain and (is_float(storage) or wraps)
    return MatrixVector(nest, group, matrix) if plain and _runs_on_vectors(group.steps[0], group, point) else None


def _at_least(least: int, extents: tuple[Size, ...]) -> bool:
    return any(e.constant is None or e.constant >= least for e in extents)


def _is_few(extent: Size) -> bool:
    return extent.constant is not None and extent.constant < MANY_ROWS


def _runs_on_vectors(scalar: Scalar, group: Group, point: str) -> bool:
    """Whether a step can be computed for several points at once."""
    storage = group.columns[0].storage
    if not dependencies(scalar) & {point, *group.states}:
        return scalar.column.storage == storage
    match scalar:
        case Named() | Load():
            return True
        case Operation(function=function, arguments=arguments):
            alike = function in ON_VECTORS and scalar.column.storage == storage
            return alike and all(_runs_on_vectors(a, group, point) for a in arguments)
    return False


def lies_along(product: MatrixVector) -> bool:
    """Whether all reads of a product go from neighbour to neighbour as the fold goes on."""
    iterator = product.group.iterators[-1]
    loads = [one for one in walk(product.group.steps[0]) if isinstance(one, Load)]
    return all(not load.checks and access_of(load).step_of_last_axis(iterator) == ONE for load in loads)


def together(target: Target) -> int:
    """How many rows of a matrix are taken at a time: as many as leave registers for what they read."""
    return max(1, min(MOST_ROWS, target.registers // 2 * target.vector_bytes // LANE_BYTES))


def panel_width(product: MatrixVector, target: Target) -> int:
    """How many points a panel has: whole vectors, no more of them than there are points for."""
    lanes = target.vector_bytes // WIDTH_OF_STORAGE[product.group.columns[0].storage]
    points = product.nest.extents[-1].constant
    wanted = MOST_VECTORS if points is None else min(MOST_VECTORS, -(-int(points) // lanes))
    return lanes * wanted
