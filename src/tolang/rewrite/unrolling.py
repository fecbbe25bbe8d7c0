"""Folds of very few elements are written out, so that what is around them can run on vectors.

    reduce[j <= n](s -> s + f(reduce[k <= 3](t = 0 -> t + x[j,k]^2)))
    reduce[j <= n](s -> s + f({t1 = 0 + x[j,1]^2; t2 = t1 + x[j,2]^2; t3 = t2 + x[j,3]^2; t3}))

Inside a fold all of them are; in a nest those that read where data says, as a picture of another size is the sum of few
neighbours, and those of a list whose elements are said one by one: others are contractions, or windows, and have ways
of their own.  The elements are taken in the same order as before.
"""

from __future__ import annotations

from itertools import product

from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.functions import FUNCTIONS
from tolang.plan.nest import (
    ConstantScalar,
    Group,
    Load,
    Named,
    Nest,
    Operation,
    Plan,
    Reduction,
    Scalar,
    Select,
    Step,
    Where,
)
from tolang.plan.rewriting import Rewriter, map_lists
from tolang.plan.traversal import dependencies, has_fold, scalars_in, scalars_of, volume

MOST = 4
"""Up to how many elements a fold is written out."""
LARGEST = 24
"""Up to how many parts the step of such a fold has."""


def write_out_short_folds(plan: Plan) -> Plan:
    """Folds of very few elements are written out inside other folds, at places that data says, and of lists."""
    return map_lists(plan, lambda steps: tuple(_written_out(_without_gathers(step)) for step in steps))


def _without_gathers(step: Step) -> Step:
    """A nest whose short folds that read where data says, or go through a list, are written out."""
    if not isinstance(step, Nest):
        return step
    gathering = any(isinstance(one, Reduction) and _reads_at_places_read(one.group) for one in step.values)
    every = [one for value in step.values for one in scalars_in(value) if isinstance(one, Reduction)]
    listing = any(_goes_through_list(one.group) for one in every)
    if not gathering and not listing:
        return step

    def rule(scalar: Scalar) -> Scalar | None:
        if not isinstance(scalar, Reduction):
            return None
        wanted = (gathering and _reads_at_places_read(scalar.group)) or _goes_through_list(scalar.group)
        return _short_written_out(scalar) if wanted else None

    return replace(step, values=tuple(map(Rewriter(rule=rule).scalar, step.values)))


def _goes_through_list(group: Group) -> bool:
    """Whether which element a step reads is a choice by its place alone."""
    own = set(group.iterators)
    guards = [one.guard for step in group.steps for one in scalars_in(step) if isinstance(one, Select)]
    return any(guard is not None and guard.names() and own.issuperset(guard.names()) for guard in guards)


def _reads_at_places_read(group: Group) -> bool:
    """Whether the step of a fold reads at a place that it has read before."""
    parts = [one for step in group.steps for one in scalars_in(step)]
    given = {
        name
        for one in parts
        if isinstance(one, Where)
        for name, value in one.bindings
        if any(isinstance(inner, Load) for inner in scalars_in(value))
    }
    return any(index.names() & given for one in parts if isinstance(one, Load) for index in one.indices)


def _written_out(step: Step) -> Step:
    parts = [one for scalar in scalars_of(step) for one in scalars_in(scalar) if isinstance(one, Reduction)]
    if not any(_is_short(inner.group) for one in parts for inner in _inside(one.group)):
        return step
    made: dict[int, tuple[Group, Group]] = {}

    def outer(scalar: Scalar) -> Scalar | None:
        if not isinstance(scalar, Reduction) or not any(_is_short(one.group) for one in _inside(scalar.group)):
            return None
        if id(scalar.group) not in made:
            steps = tuple(map(without_short_folds, scalar.group.steps))
            made[id(scalar.group)] = scalar.group, replace(scalar.group, steps=steps)
        return replace(scalar, group=made[id(scalar.group)][1])

    return Rewriter(rule=outer).step(step)


def without_short_folds(scalar: Scalar) -> Scalar:
    """A scalar whose folds of very few elements are written out."""
    return Rewriter(rule=_short_written_out).scalar(scalar)


def _short_written_out(scalar: Scalar) -> Scalar | None:
    return _as_bindings(scalar.group) if isinstance(scalar, Reduction) and _is_short(scalar.group) else None


def _inside(group: Group) -> list[Reduction]:
    return [one for step in group.steps for one in scalars_in(step) if isinstance(one, Reduction)]


def _is_short(group: Group) -> bool:
    """Whether a fold has few elements, known before, one number as its state, and no fold inside."""
    elements = volume(group.extents)
    if elements is None or not 1 <= elements <= MOST or len(group.states) != 1:
        return False
    parts = scalars_in(group.steps[0])
    return len(parts) <= LARGEST and not any(map(has_fold, (*group.steps, *group.initials)))


def _as_bindings(group: Group) -> Scalar:
    """The elements of a fold one after the other, each state under a name of its own."""
    (state,), (column,), (step,) = group.states, group.columns, group.steps
    first = _first_term(group)
    bindings: list[tuple[str, Scalar]] = [] if first is not None else [(f"{state} at first", group.initials[0])]
    lengths = [range(1, int(extent.constant or 0) + 1) for extent in reversed(group.extents)]
    for number, places in enumerate(product(*lengths), start=1):
        before = Named(bindings[-1][0] if bindings else state, column=column)
        coordinates = {name: Size.of(k) for name, k in zip(reversed(group.iterators), places, strict=True)}

        def earlier(scalar: Scalar, before: Named = before) -> Scalar | None:
            return before if isinstance(scalar, Named) and scalar.name == state else None

        renamed = Rewriter(sizes=coordinates, rule=earlier).scalar(
            _with_own_names(first if first is not None and not bindings else step, number)
        )
        bindings.append((f"{state} after {number}", renamed))
    return Where(tuple(bindings), Named(bindings[-1][0], column=column), column=column)


def _first_term(group: Group) -> Scalar | None:
    """What the first step of a fold gives where it begins with what changes nothing: the term itself; else None.

    A sum from 0 has no negative zero, which its first term may be.
    """
    match group.steps[0], group.initials[0]:
        case Operation(function="max" | "min" | "mul" as function, arguments=(Named(name=name), term)), ConstantScalar(
            value=start
        ):
            alike = {term.column.storage, group.columns[0].storage} == {group.steps[0].column.storage}
            if alike and name == group.states[0] and start == FUNCTIONS[function].identity:
                return None if name in dependencies(term) else term
    return None


def _with_own_names(step: Scalar, number: int) -> Scalar:
    """A step whose bound names are its own."""
    names = {name for one in scalars_in(step) if isinstance(one, Where) for name, _ in one.bindings}
    if not names:
        return step

    def rule(scalar: Scalar) -> Scalar | None:
        match scalar:
            case Named(name=name) if name in names:
                return replace(scalar, name=f"{name} {number}")
            case Where(bindings=bindings, value=value):
                own = tuple((f"{name} {number}", rewriter.scalar(one)) for name, one in bindings)
                return replace(scalar, bindings=own, value=rewriter.scalar(value))
        return None

    rewriter = Rewriter(sizes={name: Size.of(f"{name} {number}") for name in names}, rule=rule)
    return rewriter.scalar(step)
