"""Folds with their state in registers, and folds whose first dimension is shared out among the threads."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tolang.engines.cpu.emission.effort import folding, whole
from tolang.engines.cpu.emission.regions import parallel
from tolang.engines.cpu.strategies.fold_blocks import FoldBlocks, JoinedBlocks
from tolang.engines.cpu.strategies.lanes import Folded, fold_in_lanes
from tolang.engines.llvm import ir
from tolang.engines.llvm.bindings import BoundValue
from tolang.engines.llvm.functions import compute
from tolang.engines.llvm.types import DOUBLE, I64
from tolang.engines.llvm.types import TYPES as STORAGE_TYPES
from tolang.ground.values.functions import identity_in
from tolang.idioms.column_folds import in_their_order
from tolang.idioms.early_exit import settled_of
from tolang.idioms.pointer_chase import is_walk
from tolang.plan.grain import lanes_of_a_vector
from tolang.plan.nest import ConstantScalar, Group, Scalar, out_of_range
from tolang.plan.schedule import LoopSchedule, Role

if TYPE_CHECKING:
    from tolang.engines.cpu.emission.emitter import Emitter

ZERO, ONE = ir.Constant(I64, 0), ir.Constant(I64, 1)
BLOCK = "the block"
TAKEN = ir.Constant(I64, 4)
"""How many blocks a thread takes at a time."""


def pieces(emitter: Emitter, group: Group) -> list[Any]:
    """A fold whose first dimension is cut into blocks, each folded by a thread, the results then joined in order."""
    builder = emitter.builder
    assert group.combine is not None
    column, combine = group.columns[0], group.combine
    kind = STORAGE_TYPES[column.storage]
    identity = ConstantScalar(identity_in(combine, column.storage), column=column)
    blocks = FoldBlocks.of(emitter, group.extents, ZERO, emitter.size(group.extents[0]))
    width = ir.Constant(I64, 8)
    raw = emitter.take(builder.add(builder.mul(blocks.count, width), width), "a fold")
    partial = builder.bitcast(raw, kind.as_pointer())

    def region(low: Any, high: Any) -> None:
        emitter.inside_region = True
        emitter.loop(low, high, BLOCK, lambda: _one_block(emitter, group, identity))
        emitter.inside_region = False

    shared = {"partial": partial, "length": blocks.length, "count": blocks.high}
    work = whole(emitter, folding(group.steps, group.extents[1:]))
    if work is not None:
        work = builder.fmul(work, builder.sitofp(blocks.length, DOUBLE))
    parallel(emitter, blocks.count, TAKEN, region, shared, work)

    def join(one: Any, two: Any) -> Any:
        report = emitter.reporter(out_of_range(combine), None)
        return compute(emitter.builder, combine, [one, two], [column, column], column, report)

    joined = JoinedBlocks(emitter, emitter.scalar(group.initials[0]), emitter.scalar(identity), join)

    def gather() -> None:
        place = emitter.builder.sub(emitter.names[BLOCK].value, ONE)
        joined.add(place, emitter.builder.load(emitter.builder.gep(partial, [place])))

    emitter.loop(ZERO, blocks.count, BLOCK, gather)
    emitter.give_back(raw)
    return [joined.result()]


def one_after_the_other(emitter: Emitter, group: Group) -> list[Any]:
    """A fold by one thread, with its state in registers."""
    return _plain(emitter, group, group.initials)


def settling(emitter: Emitter, group: Group) -> list[Any]:
    """A fold by one thread, until a step has left its state."""
    settled, extent = settled_of(group), group.extents[0]
    assert settled is not None
    state = _State(emitter, group, group.initials)

    def body() -> Any:
        with state.named():
            truth = emitter.scalar(settled.test)
            state.step()
        return emitter.builder.not_(truth) if settled.true else truth

    most = None if extent.constant is None else max(0, int(extent.constant))
    emitter.loop(ir.Constant(I64, 0), emitter.size(extent), group.iterators[0], body, most)
    return state.values()


def lanes(emitter: Emitter, group: Group) -> list[Any]:
    """A fold by one thread, its elements side by side."""
    return _by_one_thread(emitter, group, group.initials)


def _one_block(emitter: Emitter, group: Group, identity: Scalar) -> None:
    """One block of a shared fold, its result stored among the others'."""
    number = emitter.builder.sub(emitter.names[BLOCK].value, ONE)
    partial, length, count = (emitter.captured[name] for name in ("partial", "length", "count"))
    bounds = FoldBlocks(None, length, ZERO, count).bounds(emitter.builder, number)
    value = _by_one_thread(emitter, group, (identity,), bounds)[0]
    emitter.builder.store(value, emitter.builder.gep(partial, [number]))


def _by_one_thread(
    emitter: Emitter, group: Group, initials: tuple[Scalar, ...], stretch: tuple[Any, Any] | None = None
) -> list[Any]:
    """A fold whose sum may be regrouped, in as many lanes as its schedule says."""
    assert isinstance(group.schedule, LoopSchedule)
    assert group.combine is not None
    count, column = group.schedule.factor(Role.VECTOR), group.columns[0]
    if count == 1:
        return _plain(emitter, group, initials, stretch)
    vectors = count // lanes_of_a_vector(column.storage)
    iterators, extents = in_their_order(group)
    folded = Folded(
        iterators,
        extents,
        group.states[0],
        group.steps[0],
        column,
        group.combine,
        vectors,
        stretch,
        stretch is not None,
        hoist=group.schedule.hoist,
    )
    return fold_in_lanes(emitter, folded, emitter.scalar(initials[0]))


def _plain(
    emitter: Emitter, group: Group, initials: tuple[Scalar, ...], stretch: tuple[Any, Any] | None = None
) -> list[Any]:
    """A fold as loops with its state in registers; `stretch` bounds the first dimension."""
    state = _State(emitter, group, initials)

    def body() -> None:
        with state.named(), emitter.foreseeing(is_walk(group)):
            state.step()

    if stretch is not None:
        first, rest = group.iterators[0], (group.iterators[1:], group.extents[1:])
        emitter.loop(*stretch, first, lambda: emitter.loops(*rest, body))
    else:
        emitter.loops(*in_their_order(group), body)
    return state.values()


class _State:
    """The state of a fold in slots, which become registers."""

    def __init__(self, emitter: Emitter, group: Group, initials: tuple[Scalar, ...]) -> None:
        self.emitter, self.group = emitter, group
        self.slots = [emitter.slot(STORAGE_TYPES[c.storage]) for c in group.columns]
        for slot, initial in zip(self.slots, initials, strict=True):
            emitter.builder.store(emitter.scalar(initial), slot)

    @contextmanager
    def named(self) -> Iterator[None]:
        """What is computed inside knows the state by its names."""
        with self.emitter.scope():
            for name, slot, column in zip(self.group.states, self.slots, self.group.columns, strict=True):
                self.emitter.names[name] = BoundValue(slot, column.storage, True)
            yield

    def step(self) -> None:
        """The state after a step."""
        computed = [self.emitter.scalar(one) for one in self.group.steps]
        for slot, value in zip(self.slots, computed, strict=True):
            self.emitter.builder.store(value, slot)

    def values(self) -> list[Any]:
        return [self.emitter.builder.load(slot) for slot in self.slots]
