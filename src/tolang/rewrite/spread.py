"""Contractions leave the loop around them: the distances of one point to all centres become those of a block of points.

    each [i <= n]                          repeat over blocks of rows
      buffer t [k]                           buffer t [rows, k]
      nest [j <= k]                          nest [r <= rows, j <= k]
        t[j] = reduce[q](x[i,q], c[j,q])       t[r, j] = reduce[q](x[i,q], c[j,q])
      … t[j] …                               each [r <= rows]
                                               … t[r, j] …            with i the r-th row of the block

Each element is computed once, as before; together they are a contraction, whose kernel is many times as fast.
"""

from __future__ import annotations

from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.sizes import Size, extremum, floor_division
from tolang.ground.values.spaces import column
from tolang.idioms.contraction import contraction_of
from tolang.plan.nest import Allocate, Bind, Buffer, Each, Index, Nest, Plan, Repeat, Step
from tolang.plan.rewriting import Rewriter
from tolang.plan.traversal import loads, used_names
from tolang.plan.uses import allocations, names_bound, uses_of, without_allocations

INDEX = column("Z")
ROOM = 1 << 22
"""How many elements a block has, as far as rows can be divided."""
LEAST_ROWS = 16


def spread(plan: Plan) -> Plan:
    """A contraction inside a loop over rows is computed for many rows at a time, in each turn of a repetition, too."""
    return replace(plan, steps=_spread(plan.steps))


def _spread(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    made: list[Step] = []
    for step in steps:
        if isinstance(step, Repeat):
            inner = _spread(step.steps)
            made.append(step if inner == step.steps else replace(step, steps=inner))
        elif isinstance(step, Each) and (found := _contraction(step)) is not None:
            made.extend(_blocks(step, *found))
        else:
            made.append(step)
    return tuple(made)


def _contraction(each: Each) -> tuple[int, int] | None:
    """Which step of a loop, and which of its targets, is a contraction over the loop's rows and its own dimensions."""
    if len(each.iterators) != 1:
        return None
    made, bound, writers = allocations(each.steps), names_bound(each.steps), uses_of(each.steps).writers
    for position, step in enumerate(each.steps):
        if not isinstance(step, Nest) or not step.iterators or used_names(step) & bound:
            continue
        if any(load.buffer.name in made for load in loads(step)):
            continue
        for which, (buffer, _) in enumerate(step.targets):
            alone = buffer.name in made and len(writers[buffer.name]) == 1
            if alone and contraction_of(_whole(each, step, which)) is not None:
                return position, which
    return None


def _whole(each: Each, nest: Nest, which: int) -> Nest:
    """One target of a nest, over the rows of the loop around it as well."""
    buffer, at = nest.targets[which]
    goal = replace(buffer, shape=(each.extents[0], *buffer.shape))
    place = (Size.of(each.iterators[0]), *at)
    return Nest((*each.iterators, *nest.iterators), (*each.extents, *nest.extents), ((goal, place),),
                (nest.values[which],), nest.origin)  # fmt: skip


def _blocks(each: Each, position: int, which: int) -> list[Step]:
    """The loop by blocks of rows, the contraction of a block before it."""
    row, count = each.iterators[0], each.extents[0]
    nest = each.steps[position]
    assert isinstance(nest, Nest)
    rows, block, lane = f"{row} rows", f"{row} block", f"{row} of block"
    old = nest.targets[which][0]
    volume = Size.of(1)
    for length in old.shape:
        volume = volume * length
    most = extremum("max", [Size.of(LEAST_ROWS), floor_division(Size.of(ROOM), volume + 1)])
    most = extremum("max", [Size.of(1), extremum("min", [most, count])])
    before = (Size.of(block) - 1) * Size.of(rows)
    length = extremum("min", [Size.of(rows), count - before])
    new = replace(old, shape=(Size.of(rows), *old.shape))
    moved = _moved(old, new, row, before + Size.of(lane), Size.of(lane))
    first = _whole(each, nest, which)
    contraction = moved.nest(replace(first, targets=((old, first.targets[0][1][1:]),)))
    contraction = replace(contraction, iterators=(lane, *nest.iterators), extents=(length, *nest.extents))
    rest = [s for k, s in enumerate(each.steps) if k != position or len(nest.targets) > 1]
    rest = [_without(s, which) if s is nest else s for s in rest]
    inner = tuple(moved.step(s) for s in without_allocations(rest, old.name))
    blocks = floor_division(count + Size.of(rows) - 1, Size.of(rows))
    body = (Allocate(new), contraction, Each((lane,), (length,), inner))
    return [Bind(rows, Index(most, column=INDEX)), Repeat((block,), (blocks,), body)]


def _without(step: Step, which: int) -> Step:
    assert isinstance(step, Nest)
    targets = step.targets[:which] + step.targets[which + 1 :]
    return replace(step, targets=targets, values=step.values[:which] + step.values[which + 1 :])


def _moved(old: Buffer, new: Buffer, row: str, place: Size, lane: Size) -> Rewriter:
    """Rewrites steps of one row: its coordinate is replaced, and a row's buffer is a row of a block's."""
    return Rewriter(
        {row: place}, place=lambda buffer, at: (new, (lane, *at)) if buffer.name == old.name else (buffer, at)
    )
