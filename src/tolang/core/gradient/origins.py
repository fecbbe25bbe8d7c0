"""The rule of reverse mode for folds that only place elements: filters, sorting by insertion, and their kin.

Beside each element its origin is kept, the number of the step that brought it.  The cotangent of what a step brought
is that of the place where it is in the end.
"""

from __future__ import annotations

from tolang.core.core import Coordinate, Expr, If, Join, Let, Literal, Part, Range, Reduce, Variable
from tolang.core.gradient.adjoint import Adjoint
from tolang.core.gradient.backwards import at_step
from tolang.core.gradient.building import applied, are_same, component, embedded, indexed, measure, number
from tolang.core.gradient.frames import BindingFrame, Guard, LoopFrame
from tolang.core.gradient.names import substituted
from tolang.core.rebuild import rebuild
from tolang.core.rules import step_number
from tolang.core.types import Type
from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.spaces import column


def through_origins(adjoint: Adjoint, fold: Reduce, given: Expr | None) -> bool:
    """A fold whose state is a vector of elements that steps brought, in whatever order; False for any other."""
    single = len(fold.states) == 1 and fold.state_types[0].rank == 1 and fold.state_types[0].capacity == 1
    if not single or given is None or adjoint.is_active(fold.initials[0]):
        return False
    placing = _OriginPlacing(adjoint, fold)
    step = placing.step(fold.step)
    if step is None or not placing.items:
        return False
    item = placing.items[0]
    if not all(are_same(item, other) for other in placing.items[1:]) or placing.state in _names(item):
        return False
    placing.spread(item, step, given)
    return True


def _names(expr: Expr) -> set[str]:
    found = {expr.name} if isinstance(expr, Variable) else set[str]()
    return found.union(*(_names(child) for child in expr.children()))


class _OriginPlacing:
    def __init__(self, adjoint: Adjoint, fold: Reduce) -> None:
        self.adjoint, self.fold, self.state = adjoint, fold, fold.states[0]
        kind = fold.state_types[0]
        self.kind = Type(kind.shape, (kind.column, column("Z", weak=True)))
        self.listed = Variable(adjoint.names.fresh(self.state), type=self.kind)
        self.placed = {self.state: self.listed}
        self.items: list[Expr] = []

    def step(self, step: Expr) -> Expr | None:
        """A step on lists of elements and their origins; None where it does more than to place."""
        match step:
            case Variable(name=name) if name in self.placed:
                return self.placed[name]
            case Part(subject=Variable(name=name), items=items) if name in self.placed and step.type.rank:
                kind = replace(self.kind, shape=step.type.shape)
                return Part(self.placed[name], tuple(self._item(i) for i in items), type=kind)
            case Join(parts=parts, axis=0):
                placed = [self.step(one) for one in parts]
                if any(one is None for one in placed):
                    return None
                return Join(tuple(p for p in placed if p), 0, type=replace(self.kind, shape=step.type.shape))
            case If(written=written, then=then, otherwise=otherwise):
                one, two = self.step(then), self.step(otherwise)
                if one is None or two is None:
                    return None
                kind = replace(self.kind, shape=step.type.shape)
                return replace(step, written=tuple(self._read(w) for w in written), then=one, otherwise=two, type=kind)
            case Let():
                return self._let(step)
        if step.type.is_numeric:
            self.items.append(step)
            return embedded([step, measure(step_number(self.fold.iterators, self.fold.extents))])
        return None

    def _let(self, step: Let) -> Expr | None:
        """A binding inside a step: of something placed, or of what decides where."""
        value: Expr | None = self._read(step.value)
        if self.adjoint.is_active(step.value):
            value = self.step(step.value) if step.type.rank and len(step.names) == 1 else None
            if value is not None:
                self.placed[step.names[0]] = Variable(step.names[0], type=value.type)
        inner = None if value is None else self.step(step.body)
        return None if inner is None or value is None else replace(step, value=value, body=inner, type=inner.type)

    def _item(self, item: Coordinate | Range) -> Coordinate | Range:
        return replace(item, written=tuple(self._read(w) for w in item.written))

    def _read(self, expr: Expr) -> Expr:
        """An expression that reads elements of the state, of which there are lists now."""
        if isinstance(expr, Variable) and expr.name in self.placed:
            return component(self.placed[expr.name], 1)
        if isinstance(expr, Part) and isinstance(expr.subject, Variable) and expr.subject.name in self.placed:
            kind = replace(self.kind, shape=expr.type.shape)
            return component(
                Part(self.placed[expr.subject.name], tuple(self._item(i) for i in expr.items), type=kind), 1
            )
        return rebuild(expr, self._read)

    def spread(self, item: Expr, step: Expr, given: Expr) -> None:
        """Each place of the result gives its cotangent to what was brought there."""
        adjoint, fold = self.adjoint, self.fold
        start = fold.initials[0]
        zeros = Literal(0, type=Type(start.type.shape, (column("Z", weak=True),)))
        first = embedded([zeros if isinstance(start, Literal) else start, zeros])
        shape = (Size.of(adjoint.names.fresh(str(fold.type.shape[0]))),) if fold.lengths else fold.type.shape
        kind = replace(self.kind, shape=shape)
        listed = replace(
            fold, states=(self.listed.name,), initials=(first,), state_types=(self.kind,), step=step, type=kind
        )
        name = adjoint.names.fresh(self.state)
        lengths = ((str(shape[0]), 0, 0),) if fold.lengths else ()
        adjoint.scope.frames.append(BindingFrame((name,), substituted(listed, adjoint.names), lengths, shared=True))
        origins = component(Variable(name, type=kind), 2)
        place = LoopFrame(adjoint.names.fresh("p"), fold.type.shape[0])
        with adjoint.scope.inside(place):
            origin = adjoint.scope.bind("origin", indexed(origins, [Size.of(place.iterator)]))
            with adjoint.scope.inside(Guard(None, (applied("ge", origin, number(1)),))):
                brought = substituted(item, adjoint.names, at_step(fold, Size.of(origin.name)))
                adjoint.spread(brought, (indexed(given, [Size.of(place.iterator)]),))
