"""Walks, several points at a time: their folds take turns step by step, so that they wait for memory together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tolang.engines.cpu.emission.blocks import VectorBlock, in_blocks
from tolang.engines.cpu.emission.looping import ZERO
from tolang.engines.llvm import ir
from tolang.engines.llvm.bindings import BoundValue
from tolang.engines.llvm.types import I64, TYPES
from tolang.idioms.pointer_chase import walks_of
from tolang.plan.nest import Group, Nest
from tolang.plan.schedule import LoopSchedule, Role

if TYPE_CHECKING:
    from tolang.engines.cpu.emission.emitter import Emitter


def walks(emitter: Emitter, nest: Nest) -> None:
    """A nest whose folds read where their state says."""
    found = walks_of(nest)
    assert found is not None
    assert isinstance(nest.schedule, LoopSchedule)
    abreast, point = nest.schedule.factor(Role.INTERLEAVE), found.point

    def together(first: Any) -> None:
        """One block: all steps of the folds, then what is computed of their last states at each point."""
        points = [BoundValue.index(emitter.builder.add(first, ir.Constant(I64, k + 1))) for k in range(abreast)]
        folded = [(id(group), _in_turns(emitter, group, point, points)) for group in found.groups]
        for k, place in enumerate(points):
            with emitter.scope():
                emitter.names[point] = place
                emitter.groups.update({group: states[k] for group, states in folded})
                emitter.store_all(nest)

    in_blocks(emitter, nest, VectorBlock(point, abreast), together)


def _in_turns(emitter: Emitter, group: Group, point: str, points: list[BoundValue]) -> list[list[Any]]:
    """The last states of a fold at some points."""
    slots = [[emitter.slot(TYPES[column.storage]) for column in group.columns] for _ in points]
    for own, place in zip(slots, points, strict=True):
        with emitter.scope():
            emitter.names[point] = place
            for slot, initial in zip(own, group.initials, strict=True):
                emitter.builder.store(emitter.scalar(initial), slot)

    def turn() -> None:
        for own, place in zip(slots, points, strict=True):
            with emitter.scope():
                emitter.names[point] = place
                for name, slot, column in zip(group.states, own, group.columns, strict=True):
                    emitter.names[name] = BoundValue(slot, column.storage, True)
                computed = [emitter.scalar(step) for step in group.steps]
                for slot, value in zip(own, computed, strict=True):
                    emitter.builder.store(value, slot)

    most = group.extents[0].constant
    times = None if most is None else max(0, int(most))
    with emitter.foreseeing():
        emitter.loop(ZERO, emitter.size(group.extents[0]), group.iterators[0], turn, times, rolled=True)
    return [[emitter.builder.load(slot) for slot in own] for own in slots]
