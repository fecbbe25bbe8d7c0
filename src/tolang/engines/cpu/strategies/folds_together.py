"""Folds at all coordinates of a short last dimension together: what they share is computed once, as LLVM sees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tolang.engines.cpu.emission.effort import folding
from tolang.engines.cpu.emission.sharing import shared_rows
from tolang.engines.cpu.strategies.lanes import Folded, fold_in_lanes
from tolang.engines.llvm import ir
from tolang.engines.llvm.bindings import BoundValue
from tolang.engines.llvm.types import I64
from tolang.ground.symbolic.sizes import Size
from tolang.idioms.column_folds import in_their_order
from tolang.plan.grain import lanes_of_a_vector
from tolang.plan.nest import Nest
from tolang.plan.schedule import LoopSchedule, Role
from tolang.schedule.folds_together import folds_together_of

if TYPE_CHECKING:
    from tolang.engines.cpu.emission.emitter import Emitter


def folds_together(emitter: Emitter, nest: Nest) -> None:
    """A nest whose folds, each in the lanes it would have alone, are taken at all last coordinates at once."""
    found = folds_together_of(nest)
    assert found is not None
    group, count = found
    assert group.combine is not None
    last = nest.iterators[-1]
    iterators, extents = in_their_order(group)
    assert isinstance(group.schedule, LoopSchedule)
    vectors = group.schedule.factor(Role.VECTOR) // lanes_of_a_vector(group.columns[0].storage)
    folded = Folded(iterators, extents, group.states[0], group.steps[0], group.columns[0], group.combine, vectors)

    def row() -> None:
        points = [{last: BoundValue.index(ir.Constant(I64, k))} for k in range(1, count + 1)]
        results = fold_in_lanes(emitter, folded, emitter.scalar(group.initials[0]), points)
        for point, result in zip(points, results, strict=True):
            with emitter.scope():
                emitter.names.update(point)
                emitter.groups[id(group)] = [result]
                computed = [emitter.scalar(value) for value in nest.values]
                for (buffer, at), value in zip(nest.targets, computed, strict=True):
                    emitter.store(buffer, at, value)

    outer = nest.iterators[:-1], nest.extents[:-1]
    if emitter.inside_region:
        emitter.loops(*outer, row)
    else:
        shared_rows(emitter, *outer, folding(nest.values, (Size.of(count),)), row)
