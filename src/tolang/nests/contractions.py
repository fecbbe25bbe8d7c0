"""Contractions: nests whose element is a fold over products of two operands that share no parallel dimension.

A nest is a contraction by the classification of its dimensions, not by any name or pattern of source:

    rows      parallel dimensions that one operand depends on
    columns   parallel dimensions that the other depends on
    batch     parallel dimensions that both depend on
    depth     the fold's own dimensions

The operands are arbitrary scalar expressions (a padded read, a scaled one); `times`, what is done with a pair of
them, and the combine are arbitrary functions; what follows the fold is the epilogue.  Matrix products over any
semiring, convolutions, pairwise distances are all of this form.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from tolang.ground.sizes import Size
from tolang.nests.nest import (
    Checked,
    Constant,
    Draw,
    Group,
    Index,
    Load,
    Named,
    Nest,
    Operation,
    Reduction,
    Scalar,
    Select,
    Where,
)

Dimensions = tuple[tuple[str, Size], ...]


@dataclass(frozen=True, slots=True)
class Contraction:
    """A classified nest.  `left` and `right` are the operands, named `left` and `right` inside `times`."""

    nest: Nest
    group: Group
    left: Scalar
    right: Scalar
    times: Scalar
    batch: Dimensions
    rows: Dimensions
    columns: Dimensions
    depth: Dimensions


def classify(nest: Nest) -> Contraction | None:
    """The nest as a contraction; None where it is none."""
    group = _only_group(nest)
    if group is None or group.combine is None or len(nest.targets) != 1:
        return None
    step = group.steps[0]
    assert isinstance(step, Operation)
    element = _without_names(step.arguments[1])
    parallel = frozenset(nest.iterators)
    if element is None or not parallel <= dependencies(element):
        return None
    operands: dict[str, tuple[frozenset[str], Scalar]] = {}
    times = _separated(element, parallel, operands)
    if times is None or len(operands) != 2:
        return None
    return _arranged(nest, group, times, list(operands.items()), parallel)


def _arranged(
    nest: Nest,
    group: Group,
    times: Scalar,
    operands: list[tuple[str, tuple[frozenset[str], Scalar]]],
    parallel: frozenset[str],
) -> Contraction | None:
    """Operands put left and right so that the last dimension of the output runs along the columns."""
    (first, (one, one_value)), (second, (two, two_value)) = operands
    shared = one & two
    if not one - shared or not two - shared or one | two != parallel:
        return None
    last = _last_dimension(nest)
    swapped = last is not None and last in one
    left, right = (second, first) if swapped else (first, second)
    values = {first: one_value, second: two_value}
    depends = {first: one, second: two}
    names = {left: "left", right: "right"}
    extents = dict(zip(nest.iterators, nest.extents, strict=True))

    def dimensions(chosen: frozenset[str]) -> Dimensions:
        return tuple((i, extents[i]) for i in nest.iterators if i in chosen)

    return Contraction(
        nest,
        group,
        values[left],
        values[right],
        _renamed(times, names),
        dimensions(shared),
        dimensions(depends[left] - shared),
        dimensions(depends[right] - shared),
        tuple(zip(group.iterators, group.extents, strict=True)),
    )


def _last_dimension(nest: Nest) -> str | None:
    """The iterator that walks through the output's memory element by element."""
    _, at = nest.targets[0]
    if not at:
        return None
    for iterator in reversed(nest.iterators):
        split = at[-1].split(iterator)
        if split is not None and split[0].constant not in (0, None):
            return iterator
    return None


def _only_group(nest: Nest) -> Group | None:
    """The one fold of a nest, which depends on all of its dimensions together."""
    found: dict[int, Group] = {}
    for value in nest.values:
        for scalar in walk(value):
            if isinstance(scalar, Reduction):
                found[id(scalar.group)] = scalar.group
    if len(found) != 1:
        return None
    group = next(iter(found.values()))
    inner = [s for step in (*group.steps, *group.initials) for s in walk(step)]
    if any(isinstance(s, Reduction) for s in inner):
        return None
    free = any(dependencies(i) for i in group.initials)
    outer = set(nest.iterators)
    varying = any(e.names() & outer for e in group.extents) or any(e.names() & outer for e in nest.extents)
    return None if free or varying else group


def walk(scalar: Scalar) -> list[Scalar]:
    """A scalar expression and everything inside it, but not inside its folds."""
    found = [scalar]
    for child in scalar.children():
        found.extend(walk(child))
    return found


def dependencies(scalar: Scalar) -> frozenset[str]:
    """Every name in the indices, guards and values of an expression."""
    found: set[str] = set()
    for one in walk(scalar):
        match one:
            case Index(size=size):
                found |= size.names()
            case Load(indices=indices, checks=checks):
                for index in indices:
                    found |= index.names()
                for check in checks:
                    found |= check.names()
            case Draw(coordinates=coordinates):
                for coordinate in coordinates:
                    found |= coordinate.names()
            case Checked(checks=checks):
                for check in checks:
                    found |= check.names()
            case Select(guard=guard) if guard is not None:
                found |= guard.names()
            case Named(name=name):
                found.add(name)
            case Reduction(group=group):
                for inner in (*group.initials, *group.steps):
                    found |= dependencies(inner)
                found -= {*group.iterators, *group.states}
            case Where(bindings=bindings):
                found -= {name for name, _ in bindings}
    return frozenset(found)


def _without_names(scalar: Scalar) -> Scalar | None:
    """The expression with bound scalars written out, so that operands show; None where a name is an index."""

    def replaced(one: Scalar, known: dict[str, Scalar]) -> Scalar | None:
        match one:
            case Where(bindings=bindings, value=value):
                inner = dict(known)
                for name, bound in bindings:
                    written = replaced(bound, inner)
                    if written is None:
                        return None
                    inner[name] = written
                return replaced(value, inner)
            case Named(name=name):
                return known.get(name, one)
            case Operation(arguments=arguments):
                parts = [replaced(a, known) for a in arguments]
                if any(p is None for p in parts):
                    return None
                return replace(one, arguments=tuple(p for p in parts if p is not None))
        return None if dependencies(one) & known.keys() else one

    return replaced(scalar, {})


def _separated(
    scalar: Scalar, parallel: frozenset[str], operands: dict[str, tuple[frozenset[str], Scalar]]
) -> Scalar | None:
    """The expression with its largest parts that depend on fewer dimensions replaced by names of operands."""
    own = dependencies(scalar) & parallel
    if own != parallel and not isinstance(scalar, Constant):
        key = signature(scalar)
        operands[key] = (own, scalar)
        return Named(key, column=scalar.column)
    if isinstance(scalar, Constant):
        return scalar
    if not isinstance(scalar, Operation):
        return None
    parts = [_separated(a, parallel, operands) for a in scalar.arguments]
    if any(p is None for p in parts):
        return None
    return replace(scalar, arguments=tuple(p for p in parts if p is not None))


def _renamed(scalar: Scalar, names: dict[str, str]) -> Scalar:
    if isinstance(scalar, Named):
        return replace(scalar, name=names.get(scalar.name, scalar.name))
    if isinstance(scalar, Operation):
        return replace(scalar, arguments=tuple(_renamed(a, names) for a in scalar.arguments))
    return scalar


def signature(scalar: Scalar) -> str:
    """A text that is equal for equal expressions."""
    from tolang.nests.printer import scalar_text

    return f"{scalar_text(scalar)}:{scalar.column.storage}"
