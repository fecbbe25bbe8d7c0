"""Buffers between contractions of windows lie in the order in which these write and read them.

A convolution whose windows are rows (`window_rows`) has the maps innermost: it writes t[i,j,o], and reads what windows
share, e[p,q,c], in that order.  A program says y[o,i,j], so the one would be turned before the other turned it back.
What lies between them, and no one outside sees, lies in their order instead:

    y[o,i,j] = reduce[c,a,b](w[o,c,a,b] * x[c,i+a-1,j+b-1])    becomes    y'[i,j,o] = …
    z[o,i,j] = max(y[o,i,j], 0)                                 becomes    z'[i,j,o] = max(y'[i,j,o], 0)

Such contractions ask for an order of their result and of what they read; it spreads through all nests that keep axes
apart, reading along an axis what they write along the same axis, and ends where inputs and outputs are.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import count

from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.symbolic.sizes import ONE, ZERO, Size
from tolang.idioms.column_folds import folds_of, is_window
from tolang.idioms.contraction import Contraction, contraction_of
from tolang.plan.access import Access, access_of, access_to, filling
from tolang.plan.nest import Allocate, Buffer, Load, Nest, Plan, Scalar, Step
from tolang.plan.printer import signature
from tolang.plan.rewriting import Indices, Rewriter
from tolang.plan.target import Target
from tolang.plan.traversal import dependencies, loads, used_buffers, walk
from tolang.plan.uses import allocations
from tolang.schedule.direct_convolution import fills_lanes, window_rows_of
from tolang.schedule.tile import WIDTH_OF_STORAGE, supported
from tolang.schedule.windows import windows_of

Order = tuple[int, ...]
"""The axes of a buffer, by number, in the order in which they lie in memory."""
FEWEST = 2
"""Axes longer than 1 that a buffer has at the least for their order to matter."""


def put_in_order(plan: Plan, target: Target) -> Plan:
    """Scratch buffers lie in the order that contractions of windows write and read them in."""
    if not fills_lanes(target):
        return plan
    nests = [step for step in plan.steps if isinstance(step, Nest)]
    asked = [(name, order) for nest in nests for name, order in _asked(nest, target)]
    if not asked:
        return plan
    free = _free(plan)
    orders: dict[str, Order] = {}
    for name, order in asked:
        if name in free and order != tuple(range(len(order))):
            orders.setdefault(name, order)
    _spread(nests, free, orders)
    return _Ordering(free, orders).plan(plan) if orders else plan


def _asked(nest: Nest, target: Target) -> Iterator[tuple[str, Order]]:
    """The orders that a nest asks for, if it is a contraction of windows that will have these for its rows."""
    contraction = contraction_of(nest)
    if contraction is None:
        yield from _asked_by_maps(nest, target)
    if contraction is None or not supported(contraction):
        return
    found = window_rows_of(contraction, 0, target)
    if found is None or not found.enough.constant:
        return
    windows = windows_of(contraction, single=True)
    if windows is not None:
        (buffer, at), *_ = contraction.nest.targets
        yield buffer.name, _last(access_to(buffer, at), {name for name, _ in contraction.rows})
    shared = _shared(contraction)
    if shared is not None:
        for load in (one for one in walk(shared.value) if isinstance(one, Load)):
            yield load.buffer.name, _last(access_of(load), {name for name, _ in shared.inner})


def _asked_by_maps(nest: Nest, target: Target) -> Iterator[tuple[str, Order]]:
    """The orders that windows with weights of their own in each map ask for, if maps fill vectors: the maps last."""
    if len(nest.targets) != 1 or not all(map(is_window, folds_of(nest))):
        return
    ((buffer, at),) = nest.targets
    extents = dict(zip(nest.iterators, nest.extents, strict=True))
    within, reads = {name for group in folds_of(nest) for name in group.iterators}, _read_in_folds(nest)
    weights = {name for one in reads if _is_laid_anew(one) for name in dependencies(one)}
    for load in (one for one in reads if not _is_laid_anew(one)):
        moved = {name for index in load.indices if index.names() & within for name in index.names()}
        maps = (extents.keys() & weights) - moved
        many = math.prod((extents[name] for name in maps), start=ONE).constant
        width = WIDTH_OF_STORAGE.get(load.column.storage, 0)
        if maps and moved & extents.keys() and many is not None and many * width >= target.vector_bytes:
            yield buffer.name, _last(access_to(buffer, at), maps)
            yield load.buffer.name, _last(access_of(load), maps)


def _read_in_folds(nest: Nest) -> list[Load]:
    """What the folds of a nest read, again and again."""
    return [one for group in folds_of(nest) for step in group.steps for one in walk(step) if isinstance(one, Load)]


def _is_laid_anew(load: Load) -> bool:
    """Whether an input is read by one coordinate along each axis, so that it may be copied into another order first."""
    lone = all(index == ONE or {str(index)} == index.names() for index in load.indices)
    return load.buffer.role == "input" and load.buffer.panels is None and not load.checks and lone


@dataclass(frozen=True, slots=True)
class _Shared:
    """What windows read, and the dimensions of the depth that all of them share."""

    value: Scalar
    inner: tuple[tuple[str, Size], ...]


def _shared(contraction: Contraction) -> _Shared | None:
    """What a contraction's windows share; None where its rows lie as they are read already, and are no windows."""
    windows = windows_of(contraction, single=True) or windows_of(contraction, single=True, of_rows=True)
    if windows is None:
        return None
    return _Shared(windows.value, tuple(one for one in windows.plain if one in contraction.depth))


def _last(access: Access, names: set[str]) -> Order:
    """The axes with those last whose index mentions some names."""
    behind = access.axes_with(names)
    return (*(axis for axis in range(len(access.indices)) if axis not in behind), *behind)


# Which buffers may lie otherwise


def _free(plan: Plan) -> dict[str, Buffer]:
    """The scratch buffers that nests alone use, axis by axis."""
    kept, made = plan.output_names, allocations(plan.steps)
    found = {name: buffer for name, buffer in made.items() if name not in kept and _is_ordinary(buffer)}
    for step in plan.steps:
        if not isinstance(step, Nest):
            for name in used_buffers(step):
                found.pop(name, None)
            continue
        for buffer, at in (*step.targets, *((load.buffer, load.indices) for load in loads(step))):
            if not _is_axis_by_axis(buffer, at):
                found.pop(buffer.name, None)
    return found


def _is_ordinary(buffer: Buffer) -> bool:
    long = sum(not length.is_constant(1) for length in buffer.shape)
    return buffer.role == "scratch" and buffer.panels is None and not buffer.beyond and long >= FEWEST


def _is_axis_by_axis(buffer: Buffer, at: Indices) -> bool:
    """Whether coordinates stay within their axes; flat positions, [1,1,p], run on past the end of the last one."""
    before = zip(at[:-1], buffer.shape[:-1], strict=True)
    long = [index for index, length in before if not length.is_constant(1)]
    return not long or any(index != ONE for index in long)


# How orders spread


def _spread(nests: list[Nest], free: dict[str, Buffer], orders: dict[str, Order]) -> None:
    """Gives buffers the order of those beside them, until nothing changes."""
    beside = [pair for nest in nests for pair in _beside(nest, free)]
    changed = True
    while changed:
        changed = False
        for pair in beside:
            known = [orders[name] for name in pair if name in orders]
            for name in pair:
                if known and name not in orders:
                    orders[name] = known[0]
                    changed = True


def _beside(nest: Nest, free: dict[str, Buffer]) -> Iterator[tuple[str, str]]:
    """Pairs of free buffers, one of which a nest reads along each axis where it writes the other.

    A fold that reads something else, too, goes along that as it lies, unless it is laid anew.
    """
    others = [one for one in _read_in_folds(nest) if one.buffer.name not in free and not _is_laid_anew(one)]
    if others and contraction_of(nest) is None:
        return
    for target, at in nest.targets:
        if target.name in free:
            for load in loads(nest):
                if load.buffer.name in free and _is_parallel(load, target, at, nest.iterators):
                    yield target.name, load.buffer.name


def _is_parallel(load: Load, target: Buffer, at: Indices, iterators: tuple[str, ...]) -> bool:
    """Whether a read moves along an axis with what is written along the same axis, or with nothing that is."""
    if len(load.indices) != len(at):
        return False
    own = frozenset(iterators)
    pairs = [(there.names() & own, here.names() & own) for there, here in zip(load.indices, at, strict=True)]
    return all(there <= here for there, here in pairs)


# Applying


class _Ordering:
    """Orders of buffers put into a plan, whose nests go through them as they lie."""

    def __init__(self, free: dict[str, Buffer], orders: dict[str, Order]) -> None:
        self.orders, self.numbers = orders, count(1)
        self.buffers = {
            name: replace(free[name], shape=_ordered(free[name].shape, order)) for name, order in orders.items()
        }
        self.rewriter = Rewriter(buffers=self.buffers, place=self._place)

    def _place(self, buffer: Buffer, at: Indices) -> tuple[Buffer, Indices]:
        return (buffer, _ordered(at, self.orders[buffer.name])) if buffer.name in self.orders else (buffer, at)

    def plan(self, plan: Plan) -> Plan:
        return replace(plan, steps=tuple(made for step in plan.steps for made in self._steps(step)))

    def _steps(self, step: Step) -> list[Step]:
        """A step in the new order; before it, copies of what its folds read in another order, along their windows."""
        made = self._step(step)
        if made is step or not isinstance(made, Nest) or not made.iterators or contraction_of(made) is not None:
            return [made]
        last, copies = made.iterators[-1], dict[str, tuple[Load, Nest]]()
        for load in _read_in_folds(made):
            if _is_laid_anew(load) and access_of(load).stride(last) not in (None, ZERO, ONE):
                copies.setdefault(signature(load), self._copy(load, last))

        def rule(scalar: Scalar) -> Scalar | None:
            found = copies.get(signature(scalar)) if isinstance(scalar, Load) else None
            return None if found is None else found[0]

        before = [one for _, copy in copies.values() for one in (Allocate(copy.targets[0][0]), copy)]
        return [*before, Rewriter(rule=rule).step(made)]

    def _copy(self, load: Load, last: str) -> tuple[Load, Nest]:
        """How a read reads a copy whose last axis is along an iterator, and what makes the copy."""
        order, source = _last(access_of(load), {last}), load.buffer
        name = f"{source.name.rpartition('.')[0]} in order {next(self.numbers)}_1.1"
        copy = Buffer(name, source.column, _ordered(source.shape, order))
        names = tuple(f"i{k}" for k in range(len(order)))
        places = {axis: Size.of(names[k]) for k, axis in enumerate(order)}
        at = tuple(places[axis] for axis in range(len(order)))
        value = Load(source, at, column=load.column)
        return replace(load, buffer=copy, indices=_ordered(load.indices, order)), filling(copy, names, value, "order")

    def _step(self, step: Step) -> Step:
        made = self.rewriter.step(step)
        if not isinstance(made, Nest) or not any(buffer.name in self.orders for buffer, _ in made.targets):
            return made
        _, at = made.targets[0]
        places = {name: k for k, index in enumerate(at) for name in index.names()}
        loops = sorted(zip(made.iterators, made.extents, strict=True), key=lambda one: places.get(one[0], -1))
        return replace(made, iterators=tuple(name for name, _ in loops), extents=tuple(extent for _, extent in loops))


def _ordered(lengths: Iterable[Size], order: Order) -> Indices:
    found = tuple(lengths)
    return tuple(found[k] for k in order)
