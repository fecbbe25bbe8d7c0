"""Shifts: what a program subtracts and gives back, so that its results are the same whatever number it is.

    t[j] = reduce[i](max, x[i,j])        s[j] = reduce[i](add, exp(x[i,j] - t[j]))        y[j] = t[j] + log(s[j])

Were t[j] greater by d, s[j] would be exp(d) times smaller, and y[j] the same.  So are quotients of powers by their
sum, as in a gradient.  What every buffer becomes if a shift is another is followed through all steps of a plan:
a number changes by a multiple of d, or by a factor that is a power of exp(d), and all that is given not at all.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.symbolic.sizes import Size
from tolang.plan.fused_sums import FUSED
from tolang.plan.nest import (
    Allocate,
    Bind,
    Branch,
    Checked,
    ConstantScalar,
    Draw,
    Each,
    Free,
    Group,
    Index,
    Load,
    Named,
    Nest,
    Operation,
    Plan,
    Reduction,
    Repeat,
    RequireStep,
    Scalar,
    Select,
    Step,
    Where,
)

COMPARED = ("eq", "ne", "lt", "le", "gt", "ge")


@dataclass(frozen=True, slots=True)
class ShiftChange:
    """By how many `times` the shift's change `at` a place a number changes, as a term or as a factor; not at all: 0."""

    times: int = 0
    at: tuple[Size, ...] = ()
    is_factor: bool = False


SAME = ShiftChange()


class _Depends(Exception):
    """A result may depend on a shift."""


def is_free(plan: Plan, shift: str) -> bool:
    """Whether no result of a plan depends on what is in a buffer, which one nest writes, as a matter of algebra.

    Where it is not finite that does not hold: what asks whether it is, is taken to find that it is.
    """
    found = _Changes(shift)
    try:
        found.steps(plan.steps, frozenset(plan.sizes))
    except _Depends:
        return False
    return plan.output_names.isdisjoint(found.buffers)


@dataclass(frozen=True, slots=True)
class _Written:
    """How elements of a buffer change, at coordinates that have names."""

    names: tuple[str, ...]
    change: ShiftChange


class _Changes:
    """What is known of buffers and names on the way through a plan."""

    def __init__(self, shift: str) -> None:
        self.shift = shift
        self.buffers: dict[str, _Written] = {}
        self.names: dict[str, ShiftChange] = {}
        self.scopes: dict[str, frozenset[str]] = {}
        self.seen: set[str] = set()

    # Steps

    def steps(self, steps: tuple[Step, ...], around: frozenset[str]) -> None:
        for step in steps:
            self._step(step, around)

    def _step(self, step: Step, around: frozenset[str]) -> None:
        match step:
            case Nest():
                self._nest(step, around)
            case Each(iterators=iterators, steps=inner):
                self.steps(inner, around.union(iterators))
            case Repeat(iterators=iterators, steps=inner, exchanges=exchanges):
                self.steps(inner, around.union(iterators))
                _expect(not any(one.name in self.buffers for pair in exchanges for one in pair))
            case Branch(test=test, then=then, otherwise=otherwise):
                _expect(all(self.change(one) == SAME for one in test))
                self.steps(then, around)
                self.steps(otherwise, around)
            case Bind(name=name, value=value, mutable=mutable):
                self.names[name] = self.change(value)
                _expect(not mutable or self.names[name] == SAME)
            case Allocate(buffer=buffer):
                self.scopes[buffer.name] = around
            case Free() | RequireStep():
                pass
            case _:
                raise _Depends

    def _nest(self, nest: Nest, around: frozenset[str]) -> None:
        changes = [self.change(value) for value in nest.values]
        for (buffer, at), change in zip(nest.targets, changes, strict=True):
            if buffer.name == self.shift:
                _expect(buffer.name not in self.buffers and change == SAME)
                change = ShiftChange(1, at)
            _expect(buffer.name not in self.buffers and (change == SAME or buffer.name not in self.seen))
            self.seen.add(buffer.name)
            if change != SAME:
                names = [next(iter(index.names()), "") for index in at]
                _expect(len(set(names)) == len(names) and all(Size.of(n) == i for n, i in zip(names, at, strict=True)))
                free = frozenset[str]().union(*(index.names() for index in change.at)).difference(names)
                _expect(buffer.name in self.scopes and free <= self.scopes[buffer.name])
                self.buffers[buffer.name] = _Written(tuple(names), change)

    # Scalars

    def change(self, scalar: Scalar) -> ShiftChange:
        """How a scalar changes with the shift; raises `_Depends` where that is not known."""
        match scalar:
            case Load(buffer=buffer, indices=indices):
                self.seen.add(buffer.name)
                known = self.buffers.get(buffer.name)
                return SAME if known is None else _at(known, indices)
            case Named(name=name):
                return self.names.get(name, SAME)
            case ConstantScalar() | Index() | Draw():
                return SAME
            case Checked(value=value):
                return self.change(value)
            case Operation():
                return self._operation(scalar)
            case Select():
                return self._select(scalar)
            case Where(bindings=bindings, value=value):
                around, self.names = self.names, dict(self.names)
                for name, bound in bindings:
                    self.names[name] = self.change(bound)
                change, self.names = self.change(value), around
                return change
            case Reduction():
                around, self.names = self.names, self.names | dict.fromkeys(scalar.group.states, SAME)
                change, self.names = self._fold(scalar.group), around
                return change
        raise _Depends

    def _operation(self, scalar: Operation) -> ShiftChange:
        function, arguments = scalar.function, scalar.arguments
        changes = [self.change(one) for one in arguments]
        if all(one == SAME for one in changes):
            return SAME
        match function:
            case "add" | "sub":
                return _sum(arguments, changes, -1 if function == "sub" else 1)
            case "mul" | "div":
                return _product(changes[0], changes[1], -1 if function == "div" else 1)
            case "neg":
                return changes[0] if changes[0].is_factor else replace(changes[0], times=-changes[0].times)
            case "exp" if not changes[0].is_factor:
                return replace(changes[0], is_factor=True)
            case "log" if changes[0].is_factor:
                return replace(changes[0], is_factor=False)
            case _ if function == FUSED:
                product = Operation("mul", arguments[1:], column=scalar.column)
                return _sum((arguments[0], product), [changes[0], _product(changes[1], changes[2], 1)], 1)
            case _ if function in COMPARED and _is_zero(arguments[1]) and changes[0].is_factor:
                return SAME
        raise _Depends

    def _select(self, scalar: Select) -> ShiftChange:
        if len(scalar.test) == 1 and (asked := asked_finite(scalar.test[0])) is not None:
            change = self.change(asked)
            if change != SAME and not change.is_factor:
                return self.change(scalar.then)
        _expect(all(self.change(one) == SAME for one in scalar.test))
        sides = scalar.then, scalar.otherwise
        return _alike(sides, [self.change(one) for one in sides])

    def _fold(self, group: Group) -> ShiftChange:
        """A fold of numbers that do not change, or a sum of numbers that change alike."""
        if len(group.steps) == 1 and group.combine == "add" and _is_zero(group.initials[0]):
            change = self._term(group.steps[0], group.states[0])
            _expect(change == SAME or change.is_factor)
            _expect(not any(set(group.iterators) & index.names() for index in change.at))
            return change
        _expect(all(self.change(one) == SAME for one in (*group.initials, *group.steps)))
        return SAME

    def _term(self, step: Scalar, state: str) -> ShiftChange:
        """How what a fold adds to its state changes."""
        match step:
            case Operation(function="add", arguments=(Named(name=name), term)) if name == state:
                return self.change(term)
            case Operation(function=function, arguments=(Named(name=name), one, two)) if name == state:
                _expect(function == FUSED)
                return _product(self.change(one), self.change(two), 1)
        raise _Depends


def _at(known: _Written, indices: tuple[Size, ...]) -> ShiftChange:
    places: Mapping[str, Size] = dict(zip(known.names, indices, strict=True))
    return replace(known.change, at=tuple(index.substitute(places) for index in known.change.at))


def _sum(terms: tuple[Scalar, ...], changes: list[ShiftChange], sign: int) -> ShiftChange:
    """The change of a sum, or of a difference."""
    return _alike(terms, changes) if any(one.is_factor for one in changes) else _joined(changes[0], changes[1], sign)


def _alike(scalars: tuple[Scalar, ...], changes: list[ShiftChange]) -> ShiftChange:
    """The change that two scalars have in common; nothing is nothing by any factor."""
    one, two = changes
    if one == two or (_is_zero(scalars[1]) and one.is_factor):
        return one
    _expect(_is_zero(scalars[0]) and two.is_factor)
    return two


def _product(one: ShiftChange, two: ShiftChange, sign: int) -> ShiftChange:
    _expect(all(change == SAME or change.is_factor for change in (one, two)))
    return _joined(one, two, sign)


def _joined(one: ShiftChange, two: ShiftChange, sign: int) -> ShiftChange:
    """Two changes together, the second added or taken away."""
    if two == SAME:
        return one
    _expect(one == SAME or one.at == two.at)
    times = one.times + sign * two.times
    return replace(two, times=times) if times else SAME


def _is_zero(scalar: Scalar) -> bool:
    return isinstance(scalar, ConstantScalar) and scalar.value == 0


def asked_finite(test: Scalar) -> Scalar | None:
    """What a test asks whether it is finite."""
    match test:
        case Operation(
            function="lt", arguments=(Operation(function="abs", arguments=(asked,)), ConstantScalar(value=limit))
        ):
            return asked if limit == math.inf else None
    return None


def _expect(held: bool) -> None:
    if not held:
        raise _Depends
