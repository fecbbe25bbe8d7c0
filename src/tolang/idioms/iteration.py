"""Iterations: folds at each point of a nest that go on from their own state alone, as Newton's method does.

Such a fold is a chain that nothing can shorten, but the chains of neighbouring points run side by side in vectors, in
the order written and to the bit.
"""

from __future__ import annotations

from collections.abc import Iterator

from tolang.ground.symbolic.sizes import ONE
from tolang.ground.values.functions import functions_with
from tolang.ground.values.spaces import is_float
from tolang.plan.access import access_of, access_to, slope
from tolang.plan.fused_sums import FUSED, whole_exponent
from tolang.plan.nest import Group, Index, Load, Named, Nest, Operation, Reduction, Scalar, Select, Where
from tolang.plan.traversal import dependencies, walk

ARITHMETIC = functions_with(kind=("arithmetic", "choice"))
OF_FLOATS = functions_with(instruction=True) | {"cast", FUSED}
OF_TRUTHS = functions_with(kind=("comparison", "logic"))


def iterates(nest: Nest) -> bool:
    """Whether the folds of a nest go on from their own state alone, so that neighbouring points can share vectors."""
    groups = {id(s.group): s.group for v in nest.values for s in walk(v) if isinstance(s, Reduction)}
    if not groups or not nest.iterators or not all(_goes_on_alone(g) for g in groups.values()):
        return False
    point = nest.iterators[-1]
    lengths = [*nest.extents, *(e for v in nest.values for g in _folds(v) for e in g.extents)]
    bound = {n for v in nest.values for s in walk(v) if isinstance(s, Where) for n, _ in s.bindings}
    if any((bound | set(nest.iterators)) & extent.names() for extent in lengths):
        return False
    plain = all(
        access_to(b, at).step_of_last_axis(point) == ONE and b.column.storage != "bool" for b, at in nest.targets
    )
    return plain and all(_suits(value, point, frozenset({point})) for value in nest.values)


def _folds(scalar: Scalar) -> Iterator[Group]:
    """The folds of an expression, those inside folds too."""
    for one in walk(scalar):
        if isinstance(one, Reduction):
            yield one.group
            for inner in (*one.group.initials, *one.group.steps):
                yield from _folds(inner)


def _goes_on_alone(group: Group) -> bool:
    """Whether a fold of one dimension computes with its state, and with nothing that moves along the dimension."""
    inside = frozenset[str]().union(*(dependencies(s) for s in group.steps))
    surely_long = not any(factor < 0 for extent in group.extents for factor in extent.terms.values())
    alone = len(group.iterators) == 1 and group.iterators[0] not in inside and bool(inside & set(group.states))
    return alone and surely_long


def _suits(scalar: Scalar, point: str, varying: frozenset[str]) -> bool:
    """Whether an expression can be computed for several points at once, without a check."""
    folds = any(isinstance(s, Reduction) for s in walk(scalar))
    if not folds and not dependencies(scalar) & varying:
        return True
    match scalar:
        case Named():
            return True
        case Index(size=size):
            return slope(size, point) is not None and not (size.names() & varying) - {point}
        case Load(indices=indices, checks=checks):
            others = frozenset[str]().union(*(i.names() for i in indices)) & varying
            along = access_of(scalar).step_of_last_axis(point) == ONE
            return not checks and others == {point} and along and scalar.column.storage != "bool"
        case Operation(arguments=arguments):
            return _can_run_in_lanes(scalar) and all(_suits(a, point, varying) for a in arguments)
        case Select(guard=None, test=test, then=then, otherwise=otherwise):
            return all(_suits(s, point, varying) for s in (*test, then, otherwise))
        case Where(bindings=bindings, value=value):
            names = varying | {name for name, _ in bindings}
            return all(_suits(s, point, names) for _, s in bindings) and _suits(value, point, names)
        case Reduction(group=group):
            names = varying | set(group.states)
            starts = _goes_on_alone(group) and all(_suits(s, point, varying) for s in group.initials)
            return starts and all(_suits(s, point, names) for s in group.steps)
    return False


def _can_run_in_lanes(scalar: Operation) -> bool:
    if is_float(scalar.column.storage):
        return scalar.function in OF_FLOATS or whole_exponent(scalar) is not None
    if scalar.column.storage == "bool":
        return scalar.function in OF_TRUTHS
    return scalar.function == "cast" or (scalar.function in ARITHMETIC and scalar.column.space.is_machine)
