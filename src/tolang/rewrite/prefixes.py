"""Folds over ever longer stretches become one scan, since each goes on from the one before it.

    nest [i <= n]                                    repeat [i <= n]
      y[i] = f(reduce[k <= i](init -> step(s, k)))     if i == 1 then p[i] = step(init, 1)
                                                       else p[i] = step(p[i - 1], i)
                                                     nest [i <= n]
                                                       y[i] = f(p[i])

A fold over [k <= i - 1] begins with p[1] = init, and goes on with step(p[i - 1], i - 1).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.conditions import compare
from tolang.ground.symbolic.sizes import ONE, ZERO, Size, extremum
from tolang.plan.nest import (
    Allocate,
    Branch,
    Buffer,
    Each,
    Group,
    Load,
    Named,
    Nest,
    Plan,
    Reduction,
    Repeat,
    Scalar,
    Step,
    Where,
)
from tolang.plan.rewriting import Rewriter, map_lists
from tolang.plan.traversal import names_in, occurrences

ROUNDED_ONCE = frozenset({"f16", "bf16"})
"""Storages in which a fold is rounded at its end only, as a scan could not be."""


def scan_prefixes(plan: Plan) -> Plan:
    """Folds over ever longer stretches are one scan."""
    numbers = count(1)
    return map_lists(plan, lambda steps: tuple(made for step in steps for made in _scanned(step, numbers)))


def _scanned(step: Step, numbers: Iterator[int]) -> tuple[Step, ...]:
    if not isinstance(step, Nest) or not any(_runs_to(g, step.iterators[-1]) for g in _folds(step)):
        return (step,)
    nest = _written_out(step)
    kept = {} if nest is None else {id(g): g for g in _folds(nest) if _is_prefix(g, nest)}
    if nest is None or not kept:
        return (step,)
    iterator, extent = nest.iterators[-1], nest.extents[-1]
    below = any(factor < 0 for factor in extent.terms.values())
    room = extremum("max", [ZERO, extent]) if below else extent
    steps: list[Step] = []
    buffers: dict[int, tuple[Buffer, ...]] = {}
    for key, group in kept.items():
        name = f"prefixes of {iterator}_{next(numbers)}"
        buffers[key] = tuple(Buffer(f"{name}.{k}", c, (room,)) for k, c in enumerate(group.columns, 1))
        steps.extend(Allocate(buffer) for buffer in buffers[key])
        steps.append(_scan(group, buffers[key], iterator, extent))
    rest = _reading(nest, buffers)
    if len(nest.iterators) == 1:
        return (*steps, rest)
    inner = replace(rest, iterators=nest.iterators[-1:], extents=nest.extents[-1:])
    return (Each(nest.iterators[:-1], nest.extents[:-1], (*steps, inner)),)


def _folds(nest: Nest) -> list[Group]:
    """The folds that are computed at every coordinate of a nest, those inside folds aside."""
    inside = (place for value in nest.values for place in occurrences(value) if place.always and not place.folded)
    return [place.scalar.group for place in inside if nest.iterators and isinstance(place.scalar, Reduction)]


def _runs_to(group: Group, iterator: str) -> bool:
    """Whether a fold runs up to a coordinate, or the one before it."""
    return len(group.extents) == 1 and group.extents[0] in (Size.of(iterator), Size.of(iterator) - 1)


def _written_out(nest: Nest) -> Nest | None:
    """A nest with the names bound around its values replaced; None where an index needs one."""
    known: dict[str, Scalar] = {}
    rewriter = Rewriter(rule=lambda one: known.get(one.name) if isinstance(one, Named) else None)
    values: list[Scalar] = []
    for value in nest.values:
        while isinstance(value, Where):
            known.update({name: rewriter.scalar(inner) for name, inner in value.bindings})
            value = value.value
        values.append(rewriter.scalar(value))
    return None if any(names_in(value) & known.keys() for value in values) else replace(nest, values=tuple(values))


def _is_prefix(group: Group, nest: Nest) -> bool:
    """Whether a fold runs up to the last coordinate, and depends on it, and on names around it, in no other way."""
    iterator = nest.iterators[-1]
    if not _runs_to(group, iterator) or any(column.storage in ROUNDED_ONCE for column in group.columns):
        return False
    scalars = (*group.initials, *group.steps)
    around = (place.scalar for value in nest.values for place in occurrences(value) if not place.folded)
    bound = {name for one in around if isinstance(one, Where) for name, _ in one.bindings}
    used = frozenset[str]().union(*(names_in(one) for one in scalars))
    nested = any(isinstance(place.scalar, Reduction) for one in scalars for place in occurrences(one))
    return not used & {iterator, *bound} and not nested


def _scan(group: Group, buffers: tuple[Buffer, ...], iterator: str, extent: Size) -> Repeat:
    """The states of a fold after each of its elements, one from the other."""
    here = Size.of(iterator)
    targets = tuple((buffer, (here,)) for buffer in buffers)
    at_first = dict(zip(group.states, group.initials, strict=True))
    before = {
        state: Load(buffer, (here - 1,), column=buffer.column)
        for state, buffer in zip(group.states, buffers, strict=True)
    }
    first = _stepped(group, at_first, ONE) if group.extents[0] == here else group.initials
    then = Nest((), (), targets, first)
    otherwise = Nest((), (), targets, _stepped(group, before, group.extents[0]))
    return Repeat((iterator,), (extent,), (Branch(compare("==", here, ONE), (), (then,), (otherwise,)),))


def _stepped(group: Group, states: dict[str, Scalar] | dict[str, Load], element: Size) -> tuple[Scalar, ...]:
    def rule(scalar: Scalar) -> Scalar | None:
        return states.get(scalar.name) if isinstance(scalar, Named) else None

    rewriter = Rewriter(sizes={group.iterators[0]: element}, rule=rule)
    return tuple(rewriter.scalar(step) for step in group.steps)


def _reading(nest: Nest, buffers: dict[int, tuple[Buffer, ...]]) -> Nest:
    """A nest with its folds over stretches read from what was scanned."""
    at = (Size.of(nest.iterators[-1]),)

    def rule(scalar: Scalar) -> Scalar | None:
        if isinstance(scalar, Reduction) and id(scalar.group) in buffers:
            buffer = buffers[id(scalar.group)][scalar.position]
            return Load(buffer, at, column=scalar.column, span=scalar.span)
        return None

    rewriter = Rewriter(rule=rule)
    return replace(nest, values=tuple(rewriter.scalar(value) for value in nest.values))
