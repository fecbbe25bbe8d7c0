"""Phases: where a few coordinates say how long folds are, each of them has a nest of its own, which is a contraction.

    t[p,r,c] = reduce[m, k <= (4-r)/2](d[m,p-k+1] * w[m,c,r+2*k-2])    with r <= 2    becomes

    t[p,1,c] = reduce[m, k <= 2](d[m,p-k+1] * w[m,c,2*k-1])        t[p,2,c] = reduce[m](d[m,p] * w[m,c,2])

So are the gradients of convolutions with a stride.  All phases read windows of the same, so that one copy with an edge
around it, and what windows share of the depth innermost, is there for all (see `window_rows`).  They write a buffer in
that order, too, which is then put in its own: neighbouring places and phases lie together in both.  Where that was only
to be copied, as far as a result reaches, the copy is put in order at once.  Phases whose rows are read as they lie are
one nest of several folds, so that threads meet once for all of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import count, product

from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.conditions import nonnegative
from tolang.ground.symbolic.sizes import ONE, Size
from tolang.idioms.column_folds import folds_of
from tolang.idioms.contraction import Contraction, Dimensions, contraction_of, fold_apart
from tolang.plan.nest import Allocate, Branch, Group, Nest, Plan, Reduction, Scalar, Step
from tolang.plan.rewriting import Rewriter, map_lists
from tolang.plan.target import Target
from tolang.rewrite.peeling import filled_first
from tolang.rewrite.single import Shorter
from tolang.schedule.direct_convolution import copied_windows, fills_lanes, lie_apart, row_read
from tolang.schedule.polyphase_copies import copied_after, copy_in_order
from tolang.schedule.tile import supported, tile_of
from tolang.schedule.windows import SlidingAxis, Windows, windows_of

MOST_PARTS = 64
"""Into how many nests one is split at the most."""
Place = Mapping[str, Size]
"""One coordinate for each of the dimensions that lengths depend on."""


def split_phases(plan: Plan, target: Target) -> Plan:
    """Nests whose folds have lengths that a few coordinates say are split at these."""
    numbers = count(1)
    kept = plan.output_names

    def split(steps: tuple[Step, ...]) -> tuple[Step, ...]:
        for position, step in enumerate(steps):
            places = _places(step) if isinstance(step, Nest) else None
            if isinstance(step, Nest) and places is not None:
                copied = copied_after(steps, position, kept)
                made = None if copied is None else _split(step, places, copied.copy, numbers, target)
                if copied is not None and made is not None:
                    return (*copied.before, *made, *split(copied.behind))
                made = _split(step, places, None, numbers, target)
                if made is not None:
                    return (*steps[:position], *made, *split(steps[position + 1 :]))
        return steps

    return map_lists(plan, split)


def _split(
    step: Nest, places: list[Place], copy: Nest | None, numbers: Iterator[int], target: Target
) -> list[Step] | None:
    """The steps for the phases of a nest, and for a `copy` of it; None where it has none, or that is not copied so."""
    parts = [_at(step, place) for place in places]
    if not all(contraction_of(part) is not None or not folds_of(part) for part in parts):
        return None
    by_rows = _by_rows(step, places, copy, numbers, target)
    if by_rows is None:
        return None if copy is not None else list[Step](parts)
    steps, columns, lanes = by_rows
    otherwise: list[Step] = [*parts] if copy is None else [Allocate(step.targets[0][0]), *parts, copy]
    enough = nonnegative(columns - lanes)
    if enough.constant is not None:
        return steps if enough.constant else otherwise
    return [Branch(enough, (), tuple(steps), tuple(otherwise), seldom=True)]


def _places(nest: Nest) -> list[Place] | None:
    """The coordinates at each of which folds have lengths of their own; None where there are none, or too many."""
    lengths = {name for group in folds_of(nest) for extent in group.extents for name in extent.names()}
    own = [(i, extent.constant) for i, extent in zip(nest.iterators, nest.extents, strict=True) if i in lengths]
    ranges = [range(1, extent + 1) for _, extent in own if isinstance(extent, int)]
    if not own or len(ranges) < len(own) or math.prod(map(len, ranges)) > MOST_PARTS:
        return None
    return [dict(zip((i for i, _ in own), map(Size.of, place), strict=True)) for place in product(*ranges)]


def _at(nest: Nest, place: Place) -> Nest:
    """A nest at a coordinate of some of its dimensions; a fold of nothing is what it starts from."""
    kept = [(i, extent) for i, extent in zip(nest.iterators, nest.extents, strict=True) if i not in place]
    smaller = replace(nest, iterators=tuple(i for i, _ in kept), extents=tuple(extent for _, extent in kept))

    def rule(scalar: Scalar) -> Scalar | None:
        if not isinstance(scalar, Reduction) or not any(extent.is_constant(0) for extent in scalar.group.extents):
            return None
        return scalar.group.initials[scalar.position]

    return Shorter().nest(Rewriter(rule=rule).nest(Rewriter(place).nest(smaller)))


# All phases by one copy of what their windows read


def _by_rows(
    nest: Nest, places: list[Place], copy: Nest | None, numbers: Iterator[int], target: Target
) -> tuple[list[Step], Size, int] | None:
    """The steps of a nest whose windows are rows of contractions, how many columns these have, and lanes of vectors.

    None where it has no windows, or more than one fold, or where a `copy` of it does not read what these write.
    """
    groups = folds_of(nest)
    whole = _with_longest_folds(nest, groups[0], places) if fills_lanes(target) and len(groups) == 1 else None
    contraction = None if whole is None else contraction_of(whole)
    if contraction is None or not supported(contraction) or len(nest.values) != 1:
        return None
    phases = tuple(one for one in zip(nest.iterators, nest.extents, strict=True) if one[0] in places[0])
    windows = windows_of(contraction, single=True, of_rows=True, among=phases)
    others = contraction.columns
    if windows is None:
        windows, others = windows_of(contraction, single=True, among=phases), contraction.rows
    windows = None if windows is None else _as_far_as_read(windows, groups[0], places)
    columns = tuple(one for one in others if one[0] not in places[0])
    apart = (
        None
        if windows is None
        else fold_apart(contraction, _order(contraction, columns), f"phases {next(numbers)}_1.1")
    )
    if windows is None or apart is None or not columns:
        return None
    raw, rest = apart
    if copy is not None:
        found = copy_in_order(copy, nest, rest, raw)
        if found is None:
            return None
        rest = found
    read, raw = _with_copy(raw, windows, contraction, next(numbers))
    parts = [_at(_with_lengths(raw, groups[0]), place) for place in places]
    again = [contraction_of(part) for part in parts if folds_of(part)]
    if any(one is None or row_read(one) is None for one in again):
        return None
    (copied, _), (result, _) = read.targets[0], raw.targets[0]
    in_order = _by_lines(rest, raw, windows, columns) if copy is None else rest
    steps = [Allocate(copied), *filled_first(read, numbers), Allocate(result), *_joined(parts, target), in_order]
    return steps, math.prod((extent for _, extent in columns), start=ONE), tile_of(contraction, target).lanes


def _joined(parts: list[Nest], target: Target) -> list[Nest]:
    """Phases as one nest where that reads rows as they lie; those without folds are left apart."""
    folds, others = [part for part in parts if folds_of(part)], [part for part in parts if not folds_of(part)]
    targets = tuple(target for part in folds for target in part.targets)
    together = replace(folds[0], targets=targets, values=tuple(value for part in folds for value in part.values))
    found = contraction_of(together)
    return [*others, together] if found is not None and lie_apart(found, target) else parts


def _as_far_as_read(windows: Windows, group: Group, places: list[Place]) -> Windows | None:
    """Windows of all phases together without what none of them reads; None where that is not known."""
    lengths = dict(zip(group.iterators, group.extents, strict=True))
    axes: list[SlidingAxis] = []
    for axis in windows.axes:
        whole, ends = axis.reach.constant, [_ends(axis, lengths, place) for place in places]
        known = [one for one in ends if one is not None]
        if isinstance(whole, int) and len(known) == len(ends):
            first, last = min(low for low, _ in known), max(high for _, high in known)
            axes.append(replace(axis, before=first, behind=whole - last))
        elif any(name in places[0] for name, _, _ in axis.inside):
            return None
        else:
            axes.append(axis)
    return replace(windows, axes=tuple(axes))


def _ends(axis: SlidingAxis, lengths: Mapping[str, Size], place: Place) -> tuple[int, int] | None:
    """The first and the last element of a window, from the first of all, that is read at a place."""
    low = high = 0
    for name, extent, slope in axis.inside:
        first, last = (place[name], place[name]) if name in place else (ONE, lengths[name].substitute(place))
        counts = [one.constant for one in (first, last, extent)]
        start, end, all_of = (one if isinstance(one, int) else 0 for one in counts)
        if not (start and end and all_of):
            return None
        near, far = sorted((one - 1 if slope > 0 else all_of - one) * abs(slope) for one in (start, end))
        low, high = low + near, high + far
    return low, high


def _with_longest_folds(nest: Nest, group: Group, places: list[Place]) -> Nest | None:
    """A nest whose fold is as long everywhere as it is where it is longest."""
    extents: list[Size] = []
    for extent in group.extents:
        lengths = [extent.substitute(place).constant for place in places]
        known = [length for length in lengths if isinstance(length, int)]
        if extent.names().isdisjoint(places[0]):
            extents.append(extent)
        elif len(known) == len(places):
            extents.append(Size.of(max(known)))
        else:
            return None
    return _with_lengths(nest, replace(group, extents=tuple(extents)))


def _with_lengths(nest: Nest, other: Group) -> Nest:
    """A nest whose fold has the lengths of another."""

    def rule(scalar: Scalar) -> Scalar | None:
        if not isinstance(scalar, Reduction):
            return None
        return replace(scalar, group=replace(scalar.group, extents=other.extents))

    return Rewriter(rule=rule).nest(nest)


def _order(contraction: Contraction, columns: Dimensions) -> Dimensions:
    """The dimensions as the result has them, but for the columns, which are last."""
    nest = contraction.nest
    _, at = nest.targets[0]
    extents = dict(zip(nest.iterators, nest.extents, strict=True))
    names = sorted(nest.iterators, key=lambda one: next(k for k, index in enumerate(at) if one in index.names()))
    return (*((one, extents[one]) for one in names if (one, extents[one]) not in columns), *columns)


def _with_copy(nest: Nest, windows: Windows, contraction: Contraction, number: int) -> tuple[Nest, Nest]:
    """What copies windows, and a nest that reads the copy instead of them."""
    copy, load = copied_windows(windows, f"windows of phases {number}_1.1", contraction.depth)
    return copy, windows.reading(load, nest)


def _by_lines(rest: Nest, raw: Nest, windows: Windows, columns: Dimensions) -> Nest:
    """What puts a result in its own order, line by line of the windows."""
    dimensions = list(zip(raw.iterators, raw.extents, strict=True))
    places = [one for one in dimensions if one not in columns]
    last = next(k for k, (name, _) in enumerate(places) if name == windows.axes[-1].name)
    order = (*places[:last], *columns, *places[last:])
    return replace(rest, iterators=tuple(n for n, _ in order), extents=tuple(e for _, e in order))
