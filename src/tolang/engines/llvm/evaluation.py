"""The one walk over scalar expressions, for every kind of value that code computes with.

A domain says what a number is in it: one value at one place, a vector of the values at neighbouring places, many truth
values as bits.  It says how constants, names, coordinates and reads become such values, and what a function of them
is; which part of an expression is computed from which is decided here alone, so that no element depends on the way it
is computed in.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

from tolang.ground.symbolic.sizes import Size
from tolang.plan.nest import (
    Checked,
    ConstantScalar,
    Draw,
    Group,
    Index,
    Load,
    Named,
    Operation,
    Reduction,
    Scalar,
    Select,
    Unsupported,
    Where,
)


class Evaluator:
    """Values of scalar expressions; a domain is a class that says what is asked for below."""

    def scalar(self, scalar: Scalar) -> Any:
        """The value of an expression."""
        found = self.at_hand(scalar)
        if found is not None:
            return found
        match scalar:
            case ConstantScalar(value=value):
                return self.number(value, scalar.column.storage)
            case Named(name=name):
                return self.named(name, scalar.column.storage)
            case Index(size=size):
                return self.index(size, scalar.column.storage)
            case Load():
                return self.load(scalar)
            case Draw():
                return self.draw(scalar)
            case Checked():
                return self.checked(scalar)
            case Operation(arguments=arguments):
                return self.operation(scalar, [self.scalar(a) for a in arguments])
            case Select(guard=None):
                return self.chosen(scalar)
            case Select():
                return self.guarded(scalar)
            case Where(bindings=bindings, value=value):
                with self.binding():
                    for name, inner in bindings:
                        self.bind(name, self.scalar(inner), inner.column.storage)
                    return self.scalar(value)
            case Reduction(group=group, position=position):
                return self.fold(group)[position]
        raise _beyond(scalar)

    # What a domain says

    def _unsaid(self) -> AssertionError:
        """What a domain leaves out is nothing that its expressions have: whoever chose the domain has seen to that."""
        return AssertionError(f"{type(self).__name__} says nothing of this")

    def at_hand(self, scalar: Scalar) -> Any:
        """The value of an expression that need not be computed here; None where it is to be."""
        return None

    def number(self, value: Any, storage: str) -> Any:
        """A constant."""
        raise self._unsaid()

    def named(self, name: str, storage: str) -> Any:
        """What a name is bound to."""
        raise self._unsaid()

    def binding(self) -> AbstractContextManager[None]:
        """Names bound inside are forgotten outside."""
        raise self._unsaid()

    def bind(self, name: str, value: Any, storage: str) -> None:
        """Gives a value a name."""
        raise self._unsaid()

    def index(self, size: Size, storage: str) -> Any:
        """A size or coordinate as a value."""
        raise self._unsaid()

    def load(self, load: Load) -> Any:
        """An element of a buffer."""
        raise _beyond(load)

    def operation(self, scalar: Operation, values: list[Any]) -> Any:
        """A basic function of values that are there already."""
        raise self._unsaid()

    def chosen(self, select: Select) -> Any:
        """One of two expressions, by a test on data."""
        raise _beyond(select)

    def guarded(self, select: Select) -> Any:
        """One of two expressions, by a condition on coordinates."""
        raise _beyond(select)

    def fold(self, group: Group) -> list[Any]:
        """The final state of a fold, computed once for all of its components."""
        raise self._unsaid()

    def checked(self, checked: Checked) -> Any:
        """A value that is computed where conditions hold."""
        raise _beyond(checked)

    def draw(self, draw: Draw) -> Any:
        """A random number."""
        raise _beyond(draw)


def _beyond(scalar: Scalar) -> Unsupported:
    return Unsupported(f"{type(scalar).__name__} is left to the interpreter")
