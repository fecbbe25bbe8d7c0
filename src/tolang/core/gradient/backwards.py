"""The rule of reverse mode for folds whose steps depend on one another: states are kept, and steps taken backwards.

The state before every step is kept in a history.  A fold in the opposite order carries the cotangent of the state
alone, and keeps it too.  What a step gives to the names around it is then a sum over all steps, in no order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tolang.core.core import Apply, Bundle, Embed, Expr, If, Join, Let, Literal, Reduce, Reshape, Variable
from tolang.core.gradient.adjoint import Adjoint, Cotangent, columns_of
from tolang.core.gradient.apart import with_folds_apart
from tolang.core.gradient.building import (
    component,
    cotangent_column,
    cotangent_type,
    embedded,
    indexed,
    is_real,
    settled,
)
from tolang.core.gradient.frames import BindingFrame, Frame, LoopFrame, enclosed, loops_of, loops_of_fold
from tolang.core.gradient.names import substituted
from tolang.core.gradient.normal import has_fold, is_free, simplified
from tolang.core.let_chain import unwound, wound
from tolang.core.rules import step_number
from tolang.core.tidy import free_names
from tolang.core.types import Type, bundle_type
from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.symbolic.sizes import ONE, ZERO, Size, floor_division
from tolang.ground.values.spaces import strong

STRAIGHT = ("add", "sub", "neg")
"""Functions whose derivatives are numbers."""
INSIDE = -1
"""The place of what stands inside all bindings of a step."""


@dataclass(frozen=True, slots=True, eq=False)
class Carried:
    """One real component of a state: its part (from 0), its place among all components, and its cotangent's type."""

    part: int
    place: int
    kind: Type


def carried(fold: Reduce) -> list[Carried]:
    found: list[Carried] = []
    place = 0
    for number, kind in enumerate(fold.state_types):
        for column in kind.columns:
            if is_real(column):
                found.append(Carried(number, place, Type(kind.shape, (cotangent_column(column),))))
            place += 1
    return found


def through_states(adjoint: Adjoint, fold: Reduce, given: Cotangent, value: Expr | None) -> None:
    """A fold whose state keeps its shape."""
    fold, steps = with_folds_apart(fold, adjoint.names), steps_of(fold)
    places = products_needed(adjoint, fold)
    histories = kept_states(adjoint, fold, places)
    before, products = histories[: len(fold.states)], dict(zip(places, histories[len(fold.states) :], strict=True))
    if isinstance(value, Variable) and len(before) == 1:
        adjoint.ends[value.name] = before[0], indexed(before[0], [steps + 1])
    ways = carried(fold)
    starts = [given[one.place] or _zeros(one.kind) for one in ways]
    after, arrived = _run_back(adjoint, fold, before, products, ways, starts)
    number = step_number(fold.iterators, fold.extents)
    with adjoint.scope.inside(*loops_of_fold(fold)):
        states = {
            name: adjoint.scope.bind(name, indexed(history, [number]))
            for name, history in zip(fold.states, before, strict=True)
        }
        arriving: list[Expr | None] = [None] * len(columns_of(fold.step.type))
        for one, history in zip(ways, after, strict=True):
            arriving[one.place] = indexed(history, [steps + 1 - number])
        result = indexed(before[0], [number + 1]) if len(before) == 1 else None
        step = with_states(adjoint, fold, {}, states)
        adjoint.at_hand |= _in_state(step, before, number + 1) | _at_hand(step, products, number)
        if (inside := arrived.pop(INSIDE, None)) is not None:
            within = unwound(step)[1]
            adjoint.carried[id(within)] = within, indexed(inside, [steps + 1 - number])
        adjoint.arrived |= _at_hand(step, arrived, steps + 1 - number)
        adjoint.spread(step, tuple(arriving), result)
    place = 0
    for initial in fold.initials:
        own: list[Expr | None] = [None] * initial.type.capacity
        for one, history in zip(ways, after, strict=True):
            if place <= one.place < place + initial.type.capacity:
                own[one.place - place] = indexed(history, [steps + 1])
        place += initial.type.capacity
        adjoint.spread(initial, tuple(own))


def products_needed(adjoint: Adjoint, fold: Reduce) -> list[int]:
    """Which bindings of a step are kept beside its states: of folds, as products are, that its derivative reads."""
    links, inside = unwound(fold.step)
    if len(fold.states) > 1 and not isinstance(inside, Bundle):
        return []
    own = {*fold.iterators, *(name for link in links if isinstance(link, Let) for name in _bound(link))}
    found: list[int] = []
    dear = set[str]()
    for place, link in enumerate(links):
        if not isinstance(link, Let) or len(link.names) > 1 or not link.value.type.rank:
            continue
        if link.value.type.capacity > 1 or not is_real(link.value.type.column):
            continue
        if not (has_fold(link.value) or free_names(link.value) & dear):
            continue
        rest = [inside, *(later.value for later in links[place + 1 :] if isinstance(later, Let))]
        fixed = not any(length.names() & own for length in link.value.type.shape)
        if (
            fixed
            and adjoint.is_active_in(link.value, fold.states)
            and any(_bends(e, frozenset(link.names)) for e in rest)
        ):
            found.append(place)
        else:
            dear.update(link.names)
    return found


def _bound(link: Let) -> set[str]:
    return {*link.names, *(name for name, _, _ in link.lengths)}


def _bends(expr: Expr, names: frozenset[str]) -> bool:
    """Whether a function in an expression has a derivative that depends on what names stand for."""
    if isinstance(expr, Apply) and expr.function not in STRAIGHT and names & free_names(expr):
        return True
    if isinstance(expr, Let):
        inner = names.union(expr.names) if names & free_names(expr.value) else names
        return _bends(expr.value, names) or _bends(expr.body, inner)
    return any(_bends(child, names) for child in expr.children())


def _at_hand(step: Expr, products: Mapping[int, Variable], number: Size) -> dict[str, Expr]:
    """What names in a copy of a step stand for, where that was kept, at a step."""
    links = unwound(step)[0]
    found: dict[str, Expr] = {}
    for place, history in products.items():
        link = links[place]
        assert isinstance(link, Let)
        found[link.names[0]] = indexed(history, [number])
    return found


def _in_state(step: Expr, before: Sequence[Variable], following: Size) -> dict[str, Expr]:
    """What names in a copy of a step stand for that are parts of the state that follows, which is kept."""
    links, inside = unwound(step)
    parts = inside.parts if isinstance(inside, Bundle) and len(before) > 1 else (inside,)
    bound = {link.names[0]: link.value for link in links if isinstance(link, Let) and len(link.names) == 1}
    found: dict[str, Expr] = {}
    for part, history in zip(parts, before, strict=True):
        for position, one in enumerate(part.parts if isinstance(part, Embed) else (part,), 1):
            if isinstance(one, Variable) and one.name in bound and not is_free(bound[one.name]):
                kept = component(indexed(history, [following]), position)
                if kept.type == one.type and (not isinstance(part, Embed) or _is_single(part)):
                    found[one.name] = kept
    return found


def _is_single(listed: Embed) -> bool:
    return all(one.type.capacity == 1 for one in listed.parts)


def _zeros(kind: Type) -> Expr:
    return Literal(0, type=kind)


def steps_of(fold: Reduce) -> Size:
    """How many steps a fold takes."""
    total = ONE
    for extent in fold.extents:
        total = total * extent
    return total


def with_states(adjoint: Adjoint, fold: Reduce, sizes: dict[str, Size], states: dict[str, Variable]) -> Expr:
    """A copy of a fold's step, at other iterators and states."""
    numbers = {name: Size.of(state.name) for name, state in states.items()}
    return substituted(fold.step, adjoint.names, {**sizes, **numbers}, states)


def at_step(fold: Reduce, number: Size) -> dict[str, Size]:
    """The iterators of a fold at a step, the first fastest."""
    found: dict[str, Size] = {}
    left = number - 1
    for iterator, extent in zip(fold.iterators[:-1], fold.extents[:-1], strict=True):
        whole = floor_division(left, extent)
        found[iterator] = left - whole * extent + 1
        left = whole
    found[fold.iterators[-1]] = left + 1
    return found


def block(expr: Expr, kind: Type) -> Expr:
    """A state as one row of a history."""
    if not kind.rank:
        return expr
    shape = (ONE, *kind.shape)
    if isinstance(expr, Literal):
        return Literal(expr.value, type=expr.type.with_shape(shape))
    return Reshape(expr, type=expr.type.with_shape(shape))


def appended(history: Expr, expr: Expr, kind: Type) -> Expr:
    """A history with one more row."""
    shape = (history.type.shape[0] + 1, *kind.shape)
    return Join((history, block(expr, kind)), 0, type=history.type.with_shape(shape))


def first_row(expr: Expr, kind: Type) -> Expr:
    row = block(expr, kind)
    return row if kind.rank else Join((row,), 0, type=Type((ONE,), expr.type.columns, expr.type.blank))


def bind_parts(adjoint: Adjoint, names: Sequence[str], fold: Expr) -> list[Variable]:
    """Names for all parts that a fold gives."""
    kinds = fold.type.parts or (fold.type,)
    adjoint.scope.frames.append(BindingFrame(tuple(names), fold, shared=True))
    return [Variable(name, type=kind) for name, kind in zip(names, kinds, strict=True)]


def kept_states(adjoint: Adjoint, fold: Reduce, products: Sequence[int] = ()) -> list[Variable]:
    """The states before every step, and after the last: rows of one history for each part.

    After them come histories of `products`, what bindings of the step at these places were at each step.
    """
    count, last = step_number(fold.iterators, fold.extents), steps_of(fold) + 1
    histories = [
        Variable(adjoint.names.fresh(name), type=Type((count, *kind.shape), kind.columns))
        for name, kind in zip(fold.states, fold.state_types, strict=True)
    ]
    starts = [first_row(initial, kind) for initial, kind in zip(fold.initials, fold.state_types, strict=True)]
    links, inside = unwound(fold.step)
    if products:
        news = list(inside.parts) if isinstance(inside, Bundle) else [inside]
    elif len(histories) == 1:
        links, news = [], [fold.step]
    else:
        names = tuple(adjoint.names.fresh(name) for name in fold.states)
        links, news = [Let(names, fold.step, fold.step, type=fold.step.type)], []
        news += [Variable(name, type=kind) for name, kind in zip(names, fold.step.type.parts, strict=True)]
    rows = [appended(h, new, kind) for h, new, kind in zip(histories, news, fold.state_types, strict=True)]
    for place in products:
        link = links[place]
        assert isinstance(link, Let)
        kind = Type(link.value.type.shape, tuple(strong(c) for c in link.value.type.columns))
        own = Variable(adjoint.names.fresh(link.names[0]), type=kind.with_shape((count - 1, *kind.shape)))
        starts.append(Literal(0, type=kind.with_shape((ZERO, *kind.shape))))
        rows.append(appended(own, Variable(link.names[0], type=link.value.type), kind))
        histories.append(own)
    joined = rows[0] if len(rows) == 1 else Bundle(tuple(rows), type=bundle_type(r.type for r in rows))
    step = wound(links, joined)
    for name, history in reversed(list(zip(fold.states, histories, strict=False))):
        step = Let((name,), indexed(history, [count]), step, type=step.type)
    ends = [last - (place >= len(fold.states)) for place in range(len(histories))]
    whole = _fold(fold.iterators, fold.extents, histories, starts, step, ends)
    names_of_all = [adjoint.names.fresh(history.name) for history in histories]
    return bind_parts(adjoint, names_of_all, substituted(whole, adjoint.names))


def with_histories(adjoint: Adjoint, fold: Reduce, growing: Sequence[bool]) -> Expr:
    """A fold of which some states grow, written with histories for the others: all its states grow."""
    count, last = step_number(fold.iterators, fold.extents), steps_of(fold) + 1
    names, fresh = adjoint.names, adjoint.names.fresh
    rows = list(zip(fold.states, fold.state_types, fold.initials, growing, strict=True))
    states = [
        Variable(fresh(name), type=kind if grows else Type((count, *kind.shape), kind.columns))
        for name, kind, _, grows in rows
    ]
    step = _joined(fold.step, states, rows)
    for state, (name, _, _, grows) in zip(states, rows, strict=True):
        before = state if grows else indexed(state, [count])
        step = Let((name,), before, step, type=step.type)
    ends = fold.type.parts
    kinds = [
        end if grows else Type((last, *kind.shape), kind.columns)
        for end, (_, kind, _, grows) in zip(ends, rows, strict=True)
    ]
    starts = tuple(initial if grows else first_row(initial, kind) for _, kind, initial, grows in rows)
    whole = Reduce(
        fold.iterators, fold.extents, tuple(s.name for s in states), starts, tuple(s.type for s in states), step,
        type=bundle_type(kinds),
    )  # fmt: skip
    results = [Variable(fresh(name), type=kind) for (name, *_), kind in zip(rows, kinds, strict=True)]
    parts = tuple(r if grows else indexed(r, [last]) for r, (*_, grows) in zip(results, rows, strict=True))
    body = Bundle(parts, type=bundle_type(p.type for p in parts))
    value = simplified(substituted(whole, names), names)
    return Let(tuple(r.name for r in results), value, body, type=body.type)


def _joined(step: Expr, states: Sequence[Variable], rows: Sequence[tuple[str, Type, Expr, bool]]) -> Expr:
    """A step that appends to histories what it gave for the states."""
    match step:
        case Bundle(parts=parts):
            new = tuple(
                one if grows else appended(state, one, kind)
                for one, state, (_, kind, _, grows) in zip(parts, states, rows, strict=True)
            )
            return Bundle(new, type=bundle_type(n.type for n in new))
        case Let(body=body):
            inner = _joined(body, states, rows)
            return replace(step, body=inner, type=inner.type)
        case If(then=then, otherwise=otherwise):
            one, two = _joined(then, states, rows), _joined(otherwise, states, rows)
            return replace(step, then=one, otherwise=two, type=one.type)
    raise TypeError(f"a step ends in {type(step).__name__}")


def _fold(
    iterators: Sequence[str],
    extents: Sequence[Size],
    histories: Sequence[Variable],
    starts: Sequence[Expr],
    step: Expr,
    last: Sequence[Size],
) -> Reduce:
    """A fold whose states are histories that get a row with each step."""
    kinds = tuple(history.type for history in histories)
    ends = [kind.with_shape((rows, *kind.shape[1:])) for kind, rows in zip(kinds, last, strict=True)]
    kind = ends[0] if len(ends) == 1 else bundle_type(ends)
    states = tuple(history.name for history in histories)
    return Reduce(tuple(iterators), tuple(extents), states, tuple(starts), kinds, step, type=kind)


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """How cotangents are carried by a fold, or kept with each of its steps.

    Those of one shape are components of one ToL of lists, as they are written, too; of several, each is one of its own.
    """

    own: Sequence[Type]
    kinds: tuple[Type, ...]

    @staticmethod
    def of(own: Sequence[Type]) -> Rows:
        """How cotangents of these types are carried."""
        if len({one.shape for one in own}) > 1:
            return Rows(own, tuple(own))
        return Rows(own, (Type(own[0].shape, tuple(one.column for one in own)),))

    def components(self, held: Sequence[Variable]) -> list[Expr]:
        """The cotangents, one by one."""
        if len(held) == len(self.own):
            return list(held)
        return [component(held[0], position) for position in range(1, len(self.own) + 1)]

    def listed(self, values: Sequence[Expr]) -> Sequence[Expr]:
        """Cotangents, each in its column, as they are carried."""
        own = [settled(value, one.column) for value, one in zip(values, self.own, strict=True)]
        return own if len(self.kinds) == len(own) else [embedded(own)]


def _run_back(
    adjoint: Adjoint,
    fold: Reduce,
    before: Sequence[Variable],
    products: Mapping[int, Variable],
    ways: Sequence[Carried],
    starts: Sequence[Expr],
) -> tuple[list[Expr], dict[int, Variable]]:
    """The cotangents of the state after the last step, after the last but one, …, and before the first.

    With them come those of the products that were kept, of the last step, of the last but one, …; and what was carried
    back through the fold that a step is itself.
    """
    steps, rows = steps_of(fold), Rows.of([one.kind for one in ways])
    number = adjoint.names.fresh("r")
    histories = [
        Variable(adjoint.names.fresh("d"), type=Type((Size.of(number), *kind.shape), kind.columns))
        for kind in rows.kinds
    ]
    turn = steps + 1 - Size.of(number)
    inner = adjoint.beside()
    depth = len(inner.scope.frames)
    inner.scope.frames.append(LoopFrame(number, steps))
    inner.step_loops = len(loops_of(inner.scope.frames))
    states = {
        name: inner.scope.bind(name, indexed(history, [turn]))
        for name, history in zip(fold.states, before, strict=True)
    }
    inner.active.update(state.name for state in states.values())
    arriving: list[Expr | None] = [None] * len(columns_of(fold.step.type))
    for one, history in zip(ways, rows.components(histories), strict=True):
        arriving[one.place] = indexed(history, [Size.of(number)])
    result = indexed(before[0], [turn + 1]) if len(before) == 1 else None
    copy = with_states(adjoint, fold, at_step(fold, turn), states)
    inner.at_hand |= _in_state(copy, before, turn + 1) | _at_hand(copy, products, turn)
    inner.spread(copy, tuple(arriving), result)
    leaving = [c for state in states.values() for c in inner.collected(state.name, state.type)]
    news = rows.listed([leaving[one.place] or _zeros(one.kind) for one in ways])
    joined = [appended(history, new, kind) for history, new, kind in zip(histories, news, rows.kinds, strict=True)]
    first = [first_row(start, kind) for start, kind in zip(rows.listed(starts), rows.kinds, strict=True)]
    found = _noted(inner, copy, products)
    carried_inside = inner.carried_back(unwound(copy)[1])
    if carried_inside is not None and _is_fixed(carried_inside, inner.scope.frames[depth:]):
        found[INSIDE] = carried_inside
    for product in found.values():
        kind = cotangent_type(product.type)
        own = Variable(adjoint.names.fresh("d"), type=kind.with_shape((Size.of(number) - 1, *kind.shape)))
        joined.append(appended(own, settled(product, kind.column), kind))
        first.append(Literal(0, type=kind.with_shape((ZERO, *kind.shape))))
        histories.append(own)
    step = joined[0] if len(joined) == 1 else Bundle(tuple(joined), type=bundle_type(j.type for j in joined))
    step = enclosed(inner.scope.frames[depth + 1 :], step, adjoint.names)
    ends = [steps + (place < len(rows.kinds)) for place in range(len(histories))]
    whole = _fold((number,), (steps,), histories, first, step, ends)
    bound = bind_parts(adjoint, [adjoint.names.fresh("d") for _ in histories], substituted(whole, adjoint.names))
    count = len(rows.kinds)
    return rows.components(bound[:count]), dict(zip(found, bound[count:], strict=True))


def _is_fixed(expr: Expr, frames: Iterable[Frame]) -> bool:
    """Whether an expression is as long in all steps of a fold, whose frames bind what differs between them."""
    own = {name for frame in frames for name in _bound_by(frame)}
    return not any(length.names() & own for length in expr.type.shape)


def _bound_by(frame: Frame) -> set[str]:
    match frame:
        case LoopFrame(iterator=iterator):
            return {iterator}
        case BindingFrame():
            return frame.bound
    return set()


def _noted(adjoint: Adjoint, step: Expr, products: Iterable[int]) -> dict[int, Expr]:
    """The cotangents of bindings at some places of a step, where they have one."""
    links, found = unwound(step)[0], dict[int, Expr]()
    for place in products:
        link = links[place]
        assert isinstance(link, Let)
        if link.names[0] in adjoint.noted:
            found[place] = adjoint.noted[link.names[0]]
    return found
