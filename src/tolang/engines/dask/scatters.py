"""Scatters: repetitions that change their state at places that data tell, in pieces that have a stretch of the state.

    s[k[i]] = v[i]      becomes      if k[i] is inside the stretch then  s[k[i] - from] = v[i]

A piece goes through a stretch of the steps and leaves out what belongs to other stretches of the state, so that neither
the steps nor the state have to fit into memory.  What is asked of places is asked in every piece.
"""

from __future__ import annotations

from collections.abc import Sequence

from tolang.engines.dask.pieces import DimensionSlice, StagePiece, piece_of
from tolang.engines.dask.repetitions import Undriven
from tolang.engines.dask.stages import CHAIN, PlanStage
from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.symbolic.conditions import Condition, compare, junction
from tolang.ground.symbolic.sizes import ONE, Size
from tolang.plan.nest import Allocate, Assign, Bind, Branch, Buffer, Load, Nest, Plan, Repeat, Scalar, Step
from tolang.plan.regions import reads_of, writes_of
from tolang.plan.rewriting import Rewriter
from tolang.plan.traversal import nodes_inside, used_names

PLACES = "place in the state"
"""The coordinate of the state, of which a piece has a stretch."""
INSIDE = DimensionSlice.of("state")


@dataclass(frozen=True, slots=True)
class Scatter:
    """The vectors that a repetition changes, and the one place at which a step reads and writes them."""

    buffers: tuple[Buffer, ...]
    place: Size


def scatter_of(step: Repeat) -> Scatter:
    """A repetition whose steps change vectors of one length at one place each; raises where they do not."""
    written = {access.buffer.name: access.buffer for access in writes_of(step)}
    touched = [one for one in (*reads_of(step), *writes_of(step)) if one.buffer.name in written]
    places = {one.indices for one in touched}
    shapes = {one.buffer.shape for one in touched}
    if len(places) != 1 or len(shapes) != 1:
        raise Undriven("its steps change the state at several places")
    ((place, *more),) = places
    if more or any(isinstance(one, Assign) for one in nodes_inside(step)):
        raise Undriven("its state is not a vector alone")
    if set(step.iterators) & place.names():
        raise Undriven("its steps tell where they change the state")
    return Scatter(tuple(written.values()), place)


def piece_of_scatter(plan: Plan, stage: PlanStage) -> StagePiece:
    """A stretch of the steps of a repetition, as `stretched` has it, on a stretch of its state."""
    piece = piece_of(plan, replace(stage, kind=CHAIN))
    repeat = next(one for one in piece.plan.steps if isinstance(one, Repeat))
    found = scatter_of(repeat)
    states = {one.name for one in found.buffers}
    copied = {access.buffer.name for one in piece.plan.steps if _begins(one, states) for access in reads_of(one)}
    (length,) = found.buffers[0].shape

    def local(buffer: Buffer) -> Buffer:
        return replace(buffer, shape=(Size.of(INSIDE.count),)) if buffer.name in states | copied else buffer

    steps = tuple(_local(one, found, states) for one in piece.plan.steps)
    made = replace(
        piece.plan,
        sizes=(*piece.plan.sizes, INSIDE.origin, INSIDE.count),
        inputs=tuple(map(local, piece.plan.inputs)),
        steps=steps,
        outputs=tuple(tuple(map(local, one)) for one in piece.plan.outputs),
    )
    shapes = {**piece.shapes, **dict.fromkeys(states | copied, (INSIDE,))}
    axes = (*piece.axes, (PLACES, INSIDE, length))
    return replace(piece, plan=made, shapes=shapes, axes=axes, whole={**piece.whole, INSIDE.count: length})


def _begins(step: Step, states: set[str]) -> bool:
    """Whether a step is the copy that a state begins with."""
    return isinstance(step, Nest) and any(buffer.name in states for buffer, _ in step.targets)


def _local(step: Step, scatter: Scatter, states: set[str]) -> Step:
    count = Size.of(INSIDE.count)
    match step:
        case Allocate(buffer=buffer) if buffer.name in states:
            return Allocate(replace(buffer, shape=(count,)))
        case Nest() if _begins(step, states):
            both = {one.name: replace(one, shape=(count,)) for one, _ in step.targets}
            both |= {one.buffer.name: replace(one.buffer, shape=(count,)) for one in reads_of(step)}
            return Rewriter(buffers=both).step(replace(step, extents=(count,)))
        case Repeat(steps=steps):
            return replace(step, steps=_guarded(steps, scatter, states))
    return step


def _guarded(steps: Sequence[Step], scatter: Scatter, states: set[str]) -> tuple[Step, ...]:
    """Steps of which those that need the state are taken only where its place is inside the stretch."""
    touching = [one for one in steps if _touches(one, states)]
    match touching:
        case [Branch(then=then, otherwise=()) as branch] if scatter.place.names() & _named_inside(branch):
            inner = replace(branch, then=_guarded(then, scatter, states))
            return tuple(inner if one is branch else one for one in steps)
    if any(scatter.place.names() & _named_inside(one) for one in touching):
        raise Undriven("its state tells where it is changed")
    before, inside, names = list[Step](), list[Step](), set[str]()
    for one in steps:
        if _touches(one, states) or used_names(one) & names:
            inside.append(one)
            names |= {one.name} if isinstance(one, Bind) else set()
        else:
            before.append(one)
    moved = _moved(scatter, states)
    return (*before, Branch(junction("and", _inside(scatter)), (), tuple(map(moved.step, inside)), ()))


def _named_inside(step: Step) -> set[str]:
    return {one.name for one in (step, *nodes_inside(step)) if isinstance(one, Bind)}


def _inside(scatter: Scatter) -> tuple[Condition, ...]:
    place = scatter.place - Size.of(INSIDE.origin)
    return compare(">=", place, ONE), compare(">=", Size.of(INSIDE.count), place)


def _moved(scatter: Scatter, states: set[str]) -> Rewriter:
    """What has steps read and write a stretch of the state."""
    at, count = (scatter.place - Size.of(INSIDE.origin),), Size.of(INSIDE.count)

    def target(buffer: Buffer, place: tuple[Size, ...]) -> tuple[Buffer, tuple[Size, ...]]:
        return (replace(buffer, shape=(count,)), at) if buffer.name in states else (buffer, place)

    def rule(scalar: Scalar) -> Scalar | None:
        if not isinstance(scalar, Load) or scalar.buffer.name not in states:
            return None
        return replace(scalar, buffer=replace(scalar.buffer, shape=(count,)), indices=at, checks=_inside(scatter))

    return Rewriter(rule=rule, place=target)


def _touches(step: Step, states: set[str]) -> bool:
    return any(access.buffer.name in states for access in (*reads_of(step), *writes_of(step)))
