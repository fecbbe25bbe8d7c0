"""A small evaluator of ToLang, written from the language's definition: slow, direct, and nothing of tolang in it.

It walks the trees of `tree.py`, and computes with what is in `cells.py`; coordinates are in `members.py`.  What goes wrong
is noted by the codes of its error and leaves a hole, so that all that can go wrong is known; `lazy` computes only what
the results need, and so tells what must go wrong, however a program is evaluated.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from tests.fuzz.cells import HOLE, UNEQUAL, Event, Stop, Thunk, Tol, Unknown, Value, numeric, places
from tests.fuzz.kinds import Kind
from tests.fuzz.members import HERE, Members, Scope
from tests.fuzz.numbers import apply, brought, converted
from tests.fuzz.totals import added_up, total
from tests.fuzz.tree import (
    Apply,
    Blocks,
    Call,
    Component,
    Convert,
    Fold,
    If,
    Length,
    Let,
    Listing,
    Literal,
    Map,
    Member,
    Name,
    Node,
    Random,
    Reshape,
    Star,
    Swap,
    Tile,
    Type,
    Types,
    Zeros,
)
from tests.fuzz.typed import ELEMENT, depth


class Evaluation(Members):
    """One evaluation of one program on its data.

    The `largest` magnitude is that of the inexact numbers that states of folds have been.

    Where it is `thorough`, values under names that nothing needs are evaluated too.
    """

    def __init__(self, lazy: bool = False, totals: bool = False, thorough: bool = False) -> None:
        super().__init__(lazy)
        self.totals, self.thorough = totals, thorough
        self.largest = 0.0

    # Values

    def value(self, node: Node, scope: Scope) -> Value:
        match node:
            case Literal(value=value):
                return numeric(value)
            case Name(id=name):
                return self.named(scope[name])
            case Star():
                return self.named(scope[ELEMENT])
            case Apply():
                return self.applied(node, scope)
            case Random():
                raise Unknown
            case Member(subject=subject, items=items):
                return self.member(subject, items, scope, len(node.type.kinds))
            case Component(subject=subject, position=position):
                whole = self.value(subject, scope)
                if isinstance(whole, Tol):
                    return Tol(whole.shape, [(cell[position - 1],) for cell in whole.cells])
                return whole[position - 1]
            case Length(subject=Zeros(items=items), axis=axis) if self.lazy and axis:
                return numeric(self.whole(items[axis - 1], scope))
            case Length(subject=subject, axis=axis):
                return numeric(self.measured(subject, axis, scope))
            case Zeros(items=items):
                shape = tuple(self.all_of(partial(self.length, item, scope) for item in items))
                return Tol(shape, self.zeros(shape))
            case Blocks():
                return self.block(node, scope)
            case Listing(items=items, bundle=bundle):
                parts = self.components(items, scope)
                return tuple(parts) if bundle else self.listed(parts)
            case Map():
                return self.mapped(node, scope)
            case Fold() if self.lazy and _is_numeric(node):
                return self.waiting(partial(self.folded, node, scope), node)
            case Fold():
                return self.folded(node, scope)
            case If() if self.lazy and _is_numeric(node):
                return self.waiting(partial(self.chosen, node, scope), node)
        return self.value_of_others(node, scope)

    def value_of_others(self, node: Node, scope: Scope) -> Value:
        match node:
            case If():
                return self.chosen(node, scope)
            case Let(id=name, value=value, body=body):
                return self.value(body, {**scope, **self.bound([name], [value], scope)})
            case Call(parameters=parameters, arguments=arguments, body=body):
                return self.value(body, {**scope, **self.bound(parameters, arguments, scope)})
            case Convert(subject=subject):
                found = self.tol(subject, scope)
                goals = list(zip(subject.type.kinds, node.type.kinds, strict=True))
                return Tol(found.shape, [self.each(cell, goals, converted) for cell in found.cells])
            case Swap(subject=subject, dimension=dimension, order=order):
                return self.swapped(self.tol(subject, scope), dimension, order)
            case Reshape(subject=subject, items=items):
                found = self.tol(subject, scope)
                try:
                    shape = tuple(self.length(item, scope) for item in items)
                except Stop:
                    self.fail(UNEQUAL)
                if math.prod(shape) != len(found.cells):
                    self.fail(UNEQUAL)
                return Tol(shape, found.cells)
            case Tile(subject=subject, length=length):
                found = self.tol(subject, scope)
                if found.shape[-1] != length:
                    self.fail(UNEQUAL)
                rows = [found.cells[k * length : (k + 1) * length] for k in range(math.prod(found.shape[:-1]))]
                return Tol(found.shape[:-1], [tuple(v for cell in row for v in cell) for row in rows])
        raise AssertionError(node)

    def bound(self, names: Sequence[str], nodes: Sequence[Node], scope: Scope) -> dict[str, Once]:
        """Values under names, each evaluated once at the most."""
        given = {name: Once(self, node, scope) for name, node in zip(names, nodes, strict=True)}
        for one in given.values() if self.thorough else ():
            with suppress(Stop, Unknown):
                one.value()
        return given

    def chosen(self, node: If, scope: Scope) -> Value:
        """The branch that is taken, in the kinds that hold both."""
        faults = set(self.faults)
        try:
            taken = node.then if self.needed(node.condition, scope) else node.otherwise
        except Stop:
            if not self.lazy:
                raise
            return self.either(node, scope, faults)
        return self.cast(self.value(taken, scope), taken.type, node.type)

    def either(self, node: If, scope: Scope, before: set[Event]) -> Value:
        """What both branches are, where nothing tells which is taken: nobody then needs the condition.

        Where they are not the same, evaluation stops.  `before` is what had gone wrong before the condition.
        """
        noted, self.faults = self.faults, set(before)
        try:
            sides = [self.cast(self.value(one, scope), one.type, node.type) for one in (node.then, node.otherwise)]
            forced = [self.forced(one) for one in sides]
            if forced[0] == forced[1] and not self.faults - before:
                return sides[0]
        except Stop:
            pass
        self.faults = noted | self.faults
        raise Stop

    def forced(self, value: Value) -> list[tuple[tuple[int, ...], list[tuple[Any, ...]]]]:
        """All the numbers of a value."""
        parts = (value,) if isinstance(value, Tol) else value
        return [(one.shape, [tuple(map(self.number, cell)) for cell in one.cells]) for one in parts]

    def named(self, found: Any) -> Value:
        value: Value = found.value() if isinstance(found, Once) else found
        return value

    def each(self, cell: tuple[Any, ...], goals: list[tuple[Any, ...]], change: Callable[..., Any]) -> tuple[Any, ...]:
        """The components of a cell, each changed by what stands beside it."""
        made = []
        for value, given in zip(cell, goals, strict=True):
            made.append(self.computed(partial(self._changed, value, given, change)))
        return tuple(made)

    def _changed(self, value: Any, given: tuple[Any, ...], change: Callable[..., Any]) -> Any:
        found = self.number(value)
        return HOLE if found is HOLE else change(found, *given)

    def cast(self, value: Value, source: Types, goal: Types) -> Value:
        """A value in the kinds of a type that holds its own."""
        if not isinstance(value, Tol):
            assert not isinstance(source, Type)
            assert not isinstance(goal, Type)
            parts = zip(value, source, goal, strict=True)
            return tuple(self._cast_one(part, own, new) for part, own, new in parts)
        assert isinstance(source, Type)
        assert isinstance(goal, Type)
        return self._cast_one(value, source, goal)

    def _cast_one(self, value: Tol, source: Type, goal: Type) -> Tol:
        if source.kinds == goal.kinds:
            return value
        cells = value.cells
        if len(source.kinds) < len(goal.kinds):
            cells = [cell * len(goal.kinds) for cell in cells]
        goals = [(kind,) for kind in goal.kinds]
        return Tol(value.shape, [self.each(cell, goals, _held) for cell in cells])

    def applied(self, node: Apply, scope: Scope) -> Tol:
        """A basic function at every element, by component."""
        found = self.tols(node.arguments, scope)
        kinds = [argument.type.kinds for argument in node.arguments]
        goals = node.type.kinds
        shape = next((one.shape for one in found if one.shape), ())
        if not shape and len(goals) == 1:
            values, own = [one.cells[0][0] for one in found], [one[0] for one in kinds]
            return Tol((), [(self.computed(partial(self._function, node.function, values, own, goals[0])),)])
        if any(one.shape not in ((), shape) for one in found):
            self.fail(UNEQUAL)
        cells = []
        for place in range(math.prod(shape)):
            row = [one.cells[place if one.shape else 0] for one in found]
            cells.append(tuple(self._component(node, row, kinds, k) for k in range(len(goals))))
        return Tol(shape, cells)

    def _component(self, node: Apply, row: list[tuple[Any, ...]], kinds: list[Any], k: int) -> Any:
        values = [cell[k if len(cell) > 1 else 0] for cell in row]
        own = [one[k if len(one) > 1 else 0] for one in kinds]
        return self.computed(partial(self._function, node.function, values, own, node.type.kinds[k]))

    def _function(self, function: str, values: list[Any], kinds: list[Kind], goal: Kind) -> Any:
        known = [self.number(value) if isinstance(value, Thunk) else value for value in values]
        return HOLE if any(one is HOLE for one in known) else apply(function, known, kinds, goal)

    # Movement

    def components(self, items: list[Node], scope: Scope) -> list[Tol]:
        """What stands in a list or bundle: a numeric that has no value leaves a hole, beside which a fold goes on."""
        if self.lazy or any(item.type.rank for item in items):
            return self.tols(items, scope)
        found = self.attempts(partial(self.tol, item, scope) for item in items)
        holes = [Tol((), [(HOLE,) * len(item.type.kinds)]) for item in items]
        return [one or hole for one, hole in zip(found, holes, strict=True)]

    def listed(self, parts: list[Tol]) -> Tol:
        shape = parts[0].shape
        if any(part.shape != shape for part in parts):
            self.fail({"E301", "E515", "E306"})
        rows = zip(*(part.cells for part in parts), strict=True)
        return Tol(shape, [tuple(v for cell in row for v in cell) for row in rows])

    def block(self, node: Blocks, scope: Scope) -> Tol:
        """The innermost brackets join along the last dimension, the next along the one before."""
        rank = node.type.rank

        def joined(blocks: Blocks, level: int) -> Tol:
            return self._joined(self.all_of(partial(one_block, item, level) for item in blocks.items), rank - level)

        def one_block(item: Node, level: int) -> Tol:
            if isinstance(item, Blocks):
                return joined(item, level - 1)
            own = self.cast(self.tol(item, scope), item.type, Type(item.type.rank, node.type.kinds))
            assert isinstance(own, Tol)
            return Tol((1,) * (rank - len(own.shape)) + own.shape, own.cells)

        return joined(node, depth(node.items))

    def _joined(self, parts: list[Tol], axis: int) -> Tol:
        first = parts[0].shape
        for part in parts[1:]:
            if (*first[:axis], *first[axis + 1 :]) != (*part.shape[:axis], *part.shape[axis + 1 :]):
                self.fail(UNEQUAL)
        outer, inner = math.prod(first[:axis]), math.prod(first[axis + 1 :])
        cells: list[tuple[Any, ...]] = []
        for k in range(outer):
            for part in parts:
                stretch = part.shape[axis] * inner
                cells.extend(part.cells[k * stretch : (k + 1) * stretch])
        return Tol((*first[:axis], sum(part.shape[axis] for part in parts), *first[axis + 1 :]), cells)

    def swapped(self, subject: Tol, dimension: int, order: tuple[int, ...]) -> Tol:
        axis = len(subject.shape) - dimension
        if subject.shape[axis] != len(order):
            self.fail({"E301", "E311", "E515", "E514"})
        table = dict(zip(places(subject.shape), subject.cells, strict=True))
        moved = [(*place[:axis], order[place[axis] - 1], *place[axis + 1 :]) for place in places(subject.shape)]
        return Tol(subject.shape, [table[place] for place in moved])

    # Maps and folds

    def mapped(self, node: Map, scope: Scope) -> Tol:
        subject = self.tol(node.subject, scope)
        found: list[Tol] = []
        stopped = False
        for place, cell in zip(places(subject.shape), subject.cells, strict=True):
            self.step()
            inner = {**scope, ELEMENT: Tol((), [cell]), HERE: place}
            inner.update({name: numeric(c) for name, c in zip(node.iterators, place, strict=False)})
            if node.vector is not None:
                inner[node.vector] = place
            if node.element is not None:
                inner[node.element] = Tol((), [cell])
            try:
                found.append(self._at(node.body, inner))
            except Stop:  # what is wrong at other elements is to be known too
                stopped = True
        if stopped:
            raise Stop
        if not found:
            self.idle = True
            return Tol(subject.shape + self._empty(node.body), [])
        if any(one.shape != found[0].shape for one in found):
            self.fail({"E307", "E515"})
        return Tol(subject.shape + found[0].shape, [cell for one in found for cell in one.cells])

    def _at(self, body: Node, scope: Scope) -> Tol:
        """The body at one element: a numeric may wait until it is needed."""
        if not self.lazy or body.type.rank:
            return self.tol(body, scope)
        return self.waiting(partial(self.tol, body, scope), body)

    def waiting(self, compute: Callable[[], Value], node: Node) -> Tol:
        """A numeric, or one list, that is computed when one of its components is needed."""

        def cell() -> Any:
            found = compute()
            assert isinstance(found, Tol)
            return found.cells[0]

        whole = Thunk(cell)

        def component(k: int) -> Any:
            known = self.number(whole)
            return HOLE if known is HOLE else self.number(known[k])

        return Tol((), [tuple(Thunk(partial(component, k)) for k in range(len(node.type.kinds)))])

    def _empty(self, body: Node) -> tuple[int, ...]:
        """The shape of a body that is never evaluated; it is known of a numeric, and of numerics in brackets."""
        if isinstance(body, Blocks) and not any(isinstance(one, Blocks) or one.type.rank for one in body.items):
            return (len(body.items),)
        if body.type.rank:
            raise Unknown
        return ()

    def folded(self, node: Fold, scope: Scope) -> Value:
        begun: list[Value] = self.all_of(partial(self.value, one, scope) for one in (node.subject, node.start))
        subject, state = begun[0], self.cast(begun[1], node.start.type, node.type)
        assert isinstance(subject, Tol)
        added = added_up(node) if self.totals else None
        self.idle = self.idle or not subject.cells
        totals = [state.cells[0][0]] if added and isinstance(state, Tol) else []
        table = dict(zip(places(subject.shape), subject.cells, strict=True))
        for reversed_place in places(subject.shape[::-1]):
            self.step()
            place = reversed_place[::-1]
            inner = {**scope, node.state: state, node.element: Tol((), [table[place]])}
            if node.place is not None:
                inner[node.place] = numeric(place[0])
            if added:
                totals.append(self.tol(added[1], inner).cells[0][0])
                continue
            state = self.cast(self.value(node.body, inner), node.body.type, node.type)
            self._measure(state)
        return self._total(added[0], totals, node.type.kinds[0]) if added else state

    def _measure(self, state: Value) -> None:
        """Notes how large the inexact numbers of a fold's state are."""
        for part in (state,) if isinstance(state, Tol) else state:
            for cell in part.cells:
                sizes = [abs(one) for one in cell if isinstance(one, float | complex)]
                self.largest = max([self.largest, *(size for size in sizes if math.isfinite(size))])

    def _total(self, function: str, numbers: list[Any], kind: Any) -> Tol:
        return numeric(HOLE if HOLE in numbers else self.computed(lambda: total(function, numbers, kind)))


class Once:
    """A value that is evaluated when it is first needed, and then known."""

    def __init__(self, evaluation: Evaluation, node: Node, scope: Scope) -> None:
        self.evaluation, self.node, self.scope = evaluation, node, scope
        self.found: Value | None = None

    def value(self) -> Value:
        if self.found is None:
            self.found = self.evaluation.value(self.node, self.scope)
        return self.found


def _is_numeric(node: Node) -> bool:
    """Whether a node is a numeric or one list, and no bundle."""
    return isinstance(node.type, Type) and not node.type.rank


def _held(value: Any, kind: Any) -> Any:
    if kind.storage == "text":
        return value if isinstance(value, str) else ""
    return brought(value, kind)
