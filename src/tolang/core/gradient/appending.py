"""The rule of reverse mode for folds that put something before or after each of their states, and may read all of them.

What a state was before a step is a stretch of the result.  A fold in the opposite order adds what each step gives to
that stretch of the result's cotangent, after which the cotangent of what each step put there is complete.
"""

from __future__ import annotations

from collections.abc import Sequence

from tolang.core.core import Bundle, Coordinate, Expr, If, Join, Let, Literal, Range, Reduce, Variable
from tolang.core.gradient.adjoint import Adjoint, Cotangent
from tolang.core.gradient.backwards import Carried, Rows, at_step, bind_parts, carried, steps_of
from tolang.core.gradient.building import applied, chosen, indexed, mapped, part, settled
from tolang.core.gradient.frames import LoopFrame, enclosed, loops_of_fold
from tolang.core.gradient.names import substituted
from tolang.core.tidy import free_names
from tolang.core.types import Type, bundle_type
from tolang.ground.dataclasses import dataclass
from tolang.ground.symbolic.sizes import ONE, Size

Items = tuple[Coordinate | Range, ...]
Ends = tuple[tuple[int, bool], ...]
"""For each state the axis along which it grows, and whether behind what was there."""


@dataclass(frozen=True, slots=True, eq=False)
class Added:
    """What a step puts before or after its states."""

    items: Expr
    ends: Ends


def added(step: Expr, states: tuple[str, ...]) -> Added | None:
    """What a step puts before or after each of its states; None where it does something else."""
    match step:
        case Join() if len(states) == 1:
            return _end(step, states[0])
        case Bundle(parts=parts) if len(parts) == len(states):
            found = [added(one, (state,)) for one, state in zip(parts, states, strict=True)]
            known = [one for one in found if one is not None]
            if len(known) < len(found):
                return None
            items = Bundle(tuple(k.items for k in known), type=bundle_type(k.items.type for k in known))
            return Added(items, tuple(end for k in known for end in k.ends))
        case If(guard=guard, written=written, then=then, otherwise=otherwise):
            one, two = added(then, states), added(otherwise, states)
            if one and two and one.ends == two.ends and _shapes(one.items) == _shapes(two.items):
                return Added(chosen(guard, written, one.items, two.items), one.ends)
        case Let(names=names, value=value, body=body, lengths=lengths):
            inner = added(body, states)
            if inner:
                return Added(Let(names, value, inner.items, lengths, type=inner.items.type), inner.ends)
    return None


def _shapes(expr: Expr) -> list[tuple[Size, ...]]:
    return [kind.shape for kind in expr.type.parts or (expr.type,)]


def _end(step: Join, state: str) -> Added | None:
    """One state with something at one of its ends."""
    parts, axis = step.parts, step.axis
    for behind, own, rest in ((True, parts[0], parts[1:]), (False, parts[-1], parts[:-1])):
        if isinstance(own, Variable) and own.name == state and rest:
            if len(rest) == 1:
                return Added(rest[0], ((axis, behind),))
            shape = list(step.type.shape)
            shape[axis] = shape[axis] - own.type.shape[axis]
            return Added(Join(rest, axis, type=step.type.with_shape(tuple(shape))), ((axis, behind),))
    return None


def through_appending(adjoint: Adjoint, fold: Reduce, given: Cotangent, value: Expr | None) -> bool:
    """A fold all of whose states grow at one end; False for any other."""
    found = None if fold.lengths else added(fold.step, fold.states)
    if found is None:
        return False
    _Appending(adjoint, fold, found, given, value).spread()
    return True


class _Growing:
    """One state that grows: stretches of the result along the axis, whole in its other dimensions."""

    def __init__(self, kind: Type, stepped: Type, final: Type, item: Type, axis: int, behind: bool) -> None:
        self.kind, self.final, self.axis, self.behind = kind, final, axis, behind
        self.is_element = not item.rank
        self.length = kind.shape[axis]
        self.growth = stepped.shape[axis] - self.length
        self.last = final.shape[axis]

    def stretch(self, start: Size, length: Size) -> Items:
        items: list[Coordinate | Range] = [Range(ONE, one) for one in self.final.shape]
        items[self.axis] = Range(start, length)
        return tuple(items)

    def before(self, sizes: dict[str, Size]) -> Items:
        """Where the result has what was the state at a step."""
        length = self.length.substitute(sizes)
        return self.stretch(ONE if self.behind else self.last - length + 1, length)

    def beside(self, sizes: dict[str, Size]) -> Items:
        """Where it has all the rest."""
        length = self.length.substitute(sizes)
        return self.stretch(length + 1 if self.behind else ONE, self.last - length)

    def own(self, sizes: dict[str, Size]) -> Items:
        """Where it has what a step put there; a numeric is one element."""
        length = self.length.substitute(sizes)
        start = length + 1 if self.behind else self.last - length - self.growth + 1
        if not self.is_element:
            return self.stretch(start, self.growth)
        own: list[Coordinate | Range] = [Coordinate(ONE) for _ in self.kind.shape]
        own[self.axis] = Coordinate(start)
        return tuple(own)

    def start(self, kind: Type) -> Items:
        """Where it has what was there before the first step."""
        length = kind.shape[self.axis]
        return self.stretch(ONE if self.behind else self.last - length + 1, length)


class _Appending:
    def __init__(self, adjoint: Adjoint, fold: Reduce, new: Added, given: Cotangent, value: Expr | None) -> None:
        self.adjoint, self.fold, self.new, self.given = adjoint, fold, new, given
        finals, steps, items = (t.parts or (t,) for t in (fold.type, fold.step.type, new.items.type))
        self.states = [
            _Growing(kind, stepped, final, item, axis, behind)
            for kind, stepped, final, item, (axis, behind) in zip(
                fold.state_types, steps, finals, items, new.ends, strict=True
            )
        ]
        self.ways = carried(fold)
        wholes = [value] if value is not None else self._wholes()
        self.wholes: Sequence[Expr] = wholes

    def _wholes(self) -> Sequence[Expr]:
        names = [self.adjoint.names.fresh(name) for name in self.fold.states]
        return bind_parts(self.adjoint, names, substituted(self.fold, self.adjoint.names))

    def spread(self) -> None:
        adjoint, fold = self.adjoint, self.fold
        complete: list[Expr] = [self._given(way) for way in self.ways]
        if free_names(self.new.items) & set(fold.states):
            complete = list(self._completed(complete))
        with adjoint.scope.inside(*loops_of_fold(fold)):
            states = self._bound(adjoint, {})
            items = substituted(self.new.items, adjoint.names, values=states)
            adjoint.spread(items, self._arriving(complete, {}), self._result({}))
        place = 0
        for number, initial in enumerate(fold.initials):
            own: list[Expr | None] = [None] * initial.type.capacity
            for way, one in zip(self.ways, complete, strict=True):
                if way.part == number:
                    own[way.place - place] = part(one, self.states[number].start(initial.type))
            place += self.states[number].kind.capacity
            adjoint.spread(initial, tuple(own))

    def _given(self, way: Carried) -> Expr:
        given = self.given[way.place]
        kind = Type(self.states[way.part].final.shape, way.kind.columns)
        return Literal(0, type=kind) if given is None else settled(given, kind.column)

    def _bound(self, adjoint: Adjoint, sizes: dict[str, Size]) -> dict[str, Variable]:
        """Names for what the states were at a step."""
        return {
            name: adjoint.scope.bind(name, part(whole, state.before(sizes)))
            for name, whole, state in zip(self.fold.states, self.wholes, self.states, strict=True)
        }

    def _arriving(self, cotangents: Sequence[Expr], sizes: dict[str, Size]) -> Cotangent:
        """The cotangents of what a step put there."""
        found: list[Expr | None] = [None] * sum(state.kind.capacity for state in self.states)
        for way, one in zip(self.ways, cotangents, strict=True):
            found[way.place] = part(one, self.states[way.part].own(sizes))
        return tuple(found)

    def _result(self, sizes: dict[str, Size]) -> Expr | None:
        return part(self.wholes[0], self.states[0].own(sizes)) if len(self.states) == 1 else None

    def _completed(self, given: Sequence[Expr]) -> Sequence[Expr]:
        """The result's cotangents once each step, from the last on, has added to them what it read."""
        adjoint, fold = self.adjoint, self.fold
        row = adjoint.names.fresh("r")
        rows = Rows.of([one.type for one in given])
        held = [Variable(adjoint.names.fresh("d"), type=kind) for kind in rows.kinds]
        totals = rows.components(held)
        sizes = at_step(fold, steps_of(fold) + 1 - Size.of(row))
        inner = adjoint.beside()
        depth = len(inner.scope.frames)
        inner.scope.frames.append(LoopFrame(row, steps_of(fold)))
        states = self._bound(inner, sizes)
        inner.active.update(one.name for one in states.values())
        items = substituted(self.new.items, adjoint.names, sizes, states)
        inner.spread(items, self._arriving(totals, sizes), self._result(sizes))
        leaving = [c for one in states.values() for c in inner.collected(one.name, one.type)]
        new = [
            self._with(inner, total, leaving[way.place], self.states[way.part], sizes)
            for way, total in zip(self.ways, totals, strict=True)
        ]
        parts = rows.listed(new)
        step = parts[0] if len(parts) == 1 else Bundle(tuple(parts), type=bundle_type(p.type for p in parts))
        step = enclosed(inner.scope.frames[depth + 1 :], step, adjoint.names)
        kind = rows.kinds[0] if len(rows.kinds) == 1 else bundle_type(rows.kinds)
        names, starts = tuple(one.name for one in held), tuple(rows.listed(given))
        whole = Reduce((row,), (steps_of(fold),), names, starts, rows.kinds, step, type=kind)
        bound = bind_parts(adjoint, [adjoint.names.fresh("d") for _ in names], substituted(whole, adjoint.names))
        return rows.components(bound)

    def _with(self, inner: Adjoint, total: Expr, leaving: Expr | None, state: _Growing, sizes: dict[str, Size]) -> Expr:
        """A cotangent with something added to the stretch that was the state at a step."""
        if leaving is None:
            return total
        own = part(total, state.before(sizes))
        iterators = [inner.names.fresh("q") for _ in own.type.shape]
        places = [Size.of(i) for i in iterators]
        summed = applied("add", indexed(own, places), inner.at(leaving, places))
        stretch = mapped(iterators, own.type.shape, settled(summed, total.type.column))
        rest = part(total, state.beside(sizes))
        return Join((stretch, rest) if state.behind else (rest, stretch), state.axis, type=total.type)
