"""What all rules of reverse mode share: the place, the names that matter, and the contributions to each."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Self

from tolang.core.core import Apply, Bundle, Call, Derivative, Expr, Map, Variable
from tolang.core.gradient.building import applied, indexed, is_real, is_zero
from tolang.core.gradient.frames import Contribution, FrameStack, loops_of
from tolang.core.gradient.gathering import gathered
from tolang.core.gradient.names import NameSource, substituted
from tolang.core.gradient.normal import is_free
from tolang.core.let_chain import unwound
from tolang.core.tidy import free_names
from tolang.core.types import Type
from tolang.ground.reporting.diagnostics import Diagnostic, Span, ToLangCheckError
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.spaces import Column

Cotangent = tuple[Expr | None, ...]
"""The cotangents of a value's components, of all parts of a bundle one after the other; None where there is none."""


def columns_of(kind: Type) -> tuple[Column, ...]:
    """The columns of a type, of all parts of a bundle one after the other."""
    return tuple(c for one in kind.parts or (kind,) for c in one.columns)


def passed_cotangents(own: Derivative) -> list[Expr | None]:
    """For each value of a call's own derivative the cotangent that it gives, where that is seen to be more than 0."""
    inside = unwound(own.body)[1]
    given = list(inside.parts if isinstance(inside, Bundle) else (inside,))
    real = [any(is_real(c) for c in value.type.columns) for _, value in own.values]
    found = [given.pop(0) if one else None for one in real]
    return [None if one is None or is_zero(one) else one for one in found]


def _passing(expr: Expr) -> list[Expr]:
    """The expressions inside one that its cotangent goes to."""
    own = expr.derivative if isinstance(expr, Call) else None
    if own is None:
        return expr.children()
    given = passed_cotangents(own)
    return [value for (_, value), one in zip(own.values, given, strict=True) if one is not None]


class Adjoint(ABC):
    """A walk against the direction of computing.  `active` names depend on what is differentiated by.

    Folds whose states are kept are cut into segments of `block` steps, where that is said.
    """

    def __init__(self, names: NameSource, active: set[str], block: Size | None = None) -> None:
        self.names, self.active, self.block = names, active, block
        self.scope = FrameStack(names)
        self.contributions: dict[str, list[Contribution]] = {}
        self.ends: dict[str, tuple[Variable, Expr]] = {}
        """Names of folds, each with the history of its states and what the fold gives as a part of it."""
        self.at_hand: dict[str, Expr] = {}
        """What names bound inside stand for, where that was kept: it is read and not computed again."""
        self.noted: dict[str, Expr] = {}
        """The cotangents of names at hand, as they were found."""
        self.arrived: dict[str, Expr] = {}
        """The cotangents of names where they are known already: nothing that gives to these is looked at again."""
        self.carried: dict[int, tuple[Expr, Expr]] = {}
        """Folds that append, by their identities, and what is carried on the way back through their steps."""
        self.step_loops: int | None = None
        """How many loops there are around a step of a fold that goes back, where this is the walk through one."""
        self.cut: list[Size] = []
        """How many steps the folds have that were cut into segments."""
        self._activity: dict[int, tuple[Expr, bool]] = {}

    @abstractmethod
    def spread(self, expr: Expr, cotangent: Cotangent, value: Expr | None = None) -> None:
        """Gives the cotangent of an expression on to the names in it; `value` is what it is, where that is at hand."""

    def beside(self) -> Self:
        """A walk of its own at the same place, in which nothing is active yet, and no fold is cut again."""
        other = type(self)(self.names, set())
        other.scope.frames = list(self.scope.frames)
        return other

    def carried_back(self, fold: Expr) -> Expr | None:
        """What is carried on the way back through a fold, where that is known already."""
        known = self.carried.get(id(fold))
        return None if known is None else known[1]

    @property
    def is_at_step(self) -> bool:
        """Whether no loop is between this place and the step of a fold that goes back."""
        return len(loops_of(self.scope.frames)) == self.step_loops

    def is_active(self, expr: Expr) -> bool:
        """Whether an expression depends on what is differentiated by, through real numbers."""
        if isinstance(expr, Variable):
            return expr.name in self.active
        known = self._activity.get(id(expr))
        if known is None:
            if isinstance(expr, Call) and expr.derivative is not None:
                self._refuse_hidden(expr, expr.derivative)
            real = any(is_real(c) for c in columns_of(expr.type)) or self._is_complex(expr)
            found = real and any(self.is_active(child) for child in _passing(expr))
            self._activity[id(expr)] = known = expr, found
        return known[1]

    def is_active_in(self, expr: Expr, states: Sequence[str]) -> bool:
        """Whether an expression depends on what is differentiated by, or on a state of a fold that does."""
        return bool(free_names(expr) & {*self.active, *states})

    def _refuse_hidden(self, call: Call, own: Derivative) -> None:
        """A derivative that a definition carries says nothing of names that the body uses beside its parameters."""
        hidden = (free_names(call.body) & self.active).difference(*(free_names(value) for _, value in own.values))
        if hidden:
            name = min(hidden).split(".")[0]
            raise self.refuse(f"{call.definition} by {name}, which is none of its parameters,", span=call.span)

    def _is_complex(self, expr: Expr) -> bool:
        return any(c.space.family in ("C", "I") for c in columns_of(expr.type))

    def activate(self, names: Sequence[str], value: Expr) -> None:
        """Names are active where their value is."""
        if self.is_active(value):
            self.active.update(names)

    def contribute(self, name: str, place: int, coordinates: tuple[Size, ...] | None, value: Expr) -> None:
        """Notes a summand of the cotangent of a component (from 0) of a name."""
        if name in self.active and not is_zero(value):
            one = Contribution(place, coordinates, tuple(self.scope.frames), value)
            self.contributions.setdefault(name, []).append(one)

    def collected(self, name: str, kind: Type) -> Cotangent:
        """The cotangent of a name whose uses were all seen."""
        found = self.contributions.pop(name, [])
        result: list[Expr | None] = []
        for place, column in enumerate(kind.columns):
            own = [one for one in found if one.component == place]
            result.append(gathered(self.scope, kind, column, own) if own and is_real(column) else None)
        return tuple(result)

    # Values at hand

    def atom(self, expr: Expr) -> Expr:
        """A name for what an expression is, or itself where it costs nothing."""
        if is_free(expr):
            return expr
        if isinstance(expr, Apply):
            return self.scope.once(expr, "v", lambda: self._of_atoms(expr))
        return self.scope.once(expr, "v", lambda: substituted(expr, self.names))

    def _of_atoms(self, expr: Apply) -> Expr:
        return applied(expr.function, *(self.atom(a) for a in expr.arguments))

    def named(self, expr: Expr, base: str = "d") -> Expr:
        """A cotangent that is used more than once, under a name."""
        return expr if is_free(expr) else self.scope.bind(base, expr)

    def at(self, expr: Expr, coordinates: Sequence[Size]) -> Expr:
        """What lies at coordinates of a cotangent: the body of a map there, where it is one."""
        if isinstance(expr, Map) and len(expr.iterators) <= len(coordinates):
            count = len(expr.iterators)
            sizes = dict(zip(expr.iterators, coordinates[:count], strict=True))
            return self.at(substituted(expr.body, self.names, sizes), coordinates[count:])
        return indexed(expr, coordinates)

    def refuse(self, what: str, name: str | None = None, span: Span | None = None) -> ToLangCheckError:
        """The error of something that has no derivative, or none yet."""
        within = f" in {self.names.origin[name]}" if name in self.names.origin else ""
        return ToLangCheckError(Diagnostic("E801", f"{what}{within} has no derivative", span))
