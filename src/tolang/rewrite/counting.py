"""Counting that cannot overflow is not checked: a count of iterations, of true values, of small numbers.

A whole number of 64 bits that starts small and grows by at most `LARGEST` a turn takes more than 2^52 turns to
overflow, more than any program makes.  Its sums wrap like a machine integer's, need no check, and run on vectors.
"""

from __future__ import annotations

from tolang.ground.dataclasses import replace
from tolang.ground.values.spaces import column
from tolang.plan.nest import (
    Bind,
    ConstantScalar,
    Group,
    Named,
    Operation,
    Plan,
    Reduction,
    Scalar,
    Select,
    Step,
    Where,
)
from tolang.plan.rewriting import Rewriter, map_lists
from tolang.plan.traversal import has_fold, inner_steps, occurrences, scalars_of

LARGEST = 1 << 10
SMALL = frozenset({"bool", "i8", "u8"})
"""Storages whose values are all small."""
WRAPPING = column("i64")


def count_freely(plan: Plan) -> Plan:
    """Sums that count by small steps are not checked for overflow."""
    small: set[str] = set()
    _note_small(plan.steps, small)
    return map_lists(plan, lambda steps: tuple(_counted(step, small) for step in steps))


def _note_small(steps: tuple[Step, ...], small: set[str]) -> None:
    """Collects the names that are bound to small constants."""
    for step in steps:
        if (
            isinstance(step, Bind)
            and not step.mutable
            and isinstance(step.value, ConstantScalar)
            and _is_small(step.value)
        ):
            small.add(step.name)
        for scalar in scalars_of(step):
            for one in occurrences(scalar):
                for name, value in one.scalar.bindings if isinstance(one.scalar, Where) else ():
                    if isinstance(value, ConstantScalar) and _is_small(value):
                        small.add(name)
        _note_small(inner_steps(step), small)


def _counted(step: Step, small: set[str]) -> Step:
    if not any(map(has_fold, scalars_of(step))):  # steps inside others were looked at before these
        return step
    changed = False
    groups: dict[int, Group] = {}

    def rule(scalar: Scalar) -> Scalar | None:
        nonlocal changed
        if not isinstance(scalar, Reduction):
            return None
        made = groups.get(id(scalar.group))
        if made is None:
            inner = rewriter.group(scalar.group)
            made = groups[id(scalar.group)] = _freed(inner, small)
            changed = changed or made is not inner
        return replace(scalar, group=made)

    rewriter = Rewriter(rule=rule, only=has_fold)
    made = rewriter.step(step)
    return made if changed else step


def _freed(group: Group, small: set[str]) -> Group:
    """A fold with its counters unchecked."""

    def starts_small(initial: Scalar) -> bool:
        return _is_small(initial) or (isinstance(initial, Named) and initial.name in small)

    steps = [
        _unchecked(step, state) if _counts(step, state) and starts_small(initial) and _is_checked(step) else step
        for state, initial, step in zip(group.states, group.initials, group.steps, strict=True)
    ]
    return group if all(a is b for a, b in zip(steps, group.steps, strict=True)) else replace(group, steps=tuple(steps))


def _is_checked(step: Scalar) -> bool:
    return step.column.storage == "i64" and not step.column.space.is_machine


def _counts(step: Scalar, state: str) -> bool:
    """Whether a new state is the old one, or that and something small."""
    match step:
        case Named(name=name):
            return name == state
        case Operation(function="add", arguments=(first, second)):
            return (_counts(first, state) and _is_small(second)) or (_is_small(first) and _counts(second, state))
        case Select(then=then, otherwise=otherwise):
            return _counts(then, state) and _counts(otherwise, state)
        case Where(value=value):
            return _counts(value, state)
    return False


def _is_small(scalar: Scalar) -> bool:
    match scalar:
        case ConstantScalar(value=value):
            return isinstance(value, int) and abs(value) <= LARGEST
        case Operation(function="cast" | "convert", arguments=(inner,)):
            return _is_small(inner)
        case Select(then=then, otherwise=otherwise):
            return _is_small(then) and _is_small(otherwise)
        case Where(value=value):
            return _is_small(value)
    return scalar.column.storage in SMALL


def _unchecked(step: Scalar, state: str) -> Scalar:
    """The same sums as those of a machine integer."""
    match step:
        case Operation(arguments=arguments):
            parts = tuple(_unchecked(a, state) if _counts(a, state) else a for a in arguments)
            return replace(step, arguments=parts, column=WRAPPING)
        case Select(then=then, otherwise=otherwise):
            return replace(step, then=_unchecked(then, state), otherwise=_unchecked(otherwise, state))
        case Where(value=value):
            return replace(step, value=_unchecked(value, state))
    return step
