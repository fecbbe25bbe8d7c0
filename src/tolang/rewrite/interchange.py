"""Folds at neighbouring places run side by side, so that memory is walked along.

    each [c <= m]                     each [b <= blocks of m]
      repeat [i <= n]                   repeat [i <= n]
        y[i, c] = f(y[i - 1, c])          nest [l <= length of block b]
                                            y[i, c] = f(y[i - 1, c])       with c the l-th place of block b

The places of an `each` are independent, so their steps may take turns.  Each fold keeps its own order.  So are the
places of a nest: its last dimension is the one along which its folds read.
"""

from __future__ import annotations

from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.sizes import ONE, Size, extremum, floor_division
from tolang.idioms.column_folds import read_side_by_side, runs_side_by_side
from tolang.idioms.contraction import contraction_of
from tolang.plan.access import access_to
from tolang.plan.nest import Branch, Each, Nest, Plan, Repeat, Step
from tolang.plan.rewriting import Rewriter, map_lists
from tolang.plan.traversal import has_fold

BLOCK = 1024
"""How many folds run side by side: what they carry stays in the nearest cache."""


def interchange(plan: Plan) -> Plan:
    """Folds that write side by side run side by side."""
    return map_lists(plan, lambda steps: tuple(_interchanged(step) for step in steps))


def _interchanged(step: Step) -> Step:
    match step:
        case Each():
            return _turned(step)
        case Nest():
            return _read_along(step)
    return step


def _read_along(nest: Nest) -> Nest:
    """A nest of folds with another dimension last, if they read side by side along that one only."""
    if not any(has_fold(v) for v in nest.values) or contraction_of(nest) is not None or read_side_by_side(nest):
        return nest
    dimensions = list(zip(nest.iterators, nest.extents, strict=True))
    for last in dimensions[-2::-1]:
        order = [*(one for one in dimensions if one is not last), last]
        turned = replace(nest, iterators=tuple(i for i, _ in order), extents=tuple(e for _, e in order))
        if runs_side_by_side(turned):
            return turned
    return nest


def _turned(each: Each) -> Step:
    repeat = each.steps[0]
    place = each.iterators[-1]
    if len(each.steps) != 1 or not isinstance(repeat, Repeat) or not all(_suits(s, place) for s in repeat.steps):
        return each
    if any(place in e.names() for e in (*repeat.extents, *each.extents)):
        return each
    block, lane, extent = f"{place}_block", f"{place}_lane", each.extents[-1]
    before = (Size.of(block) - 1) * BLOCK
    length = extremum("min", [Size.of(BLOCK), extent - before])
    rewriter = Rewriter(sizes={place: before + Size.of(lane)})
    inner = tuple(_widened(rewriter.step(s), lane, length) for s in repeat.steps)
    blocks = floor_division(extent + (BLOCK - 1), Size.of(BLOCK))
    iterators, extents = (*each.iterators[:-1], block), (*each.extents[:-1], blocks)
    return Each(iterators, extents, (replace(repeat, steps=inner),))


def _suits(step: Step, place: str) -> bool:
    """Whether a step stores single elements, side by side for neighbouring places, or chooses among such."""
    match step:
        case Nest(iterators=(), targets=targets):
            return all(access_to(*target).step_of_last_axis(place) == ONE for target in targets)
        case Branch(guard=guard, then=then, otherwise=otherwise) if guard is not None and place not in guard.names():
            return all(_suits(s, place) for s in (*then, *otherwise))
    return False


def _widened(step: Step, lane: str, length: Size) -> Step:
    match step:
        case Nest():
            return replace(step, iterators=(lane,), extents=(length,))
        case Branch(then=then, otherwise=otherwise):
            sides = (tuple(_widened(s, lane, length) for s in side) for side in (then, otherwise))
            return replace(step, then=next(sides), otherwise=next(sides))
    return step
