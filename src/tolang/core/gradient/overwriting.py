"""The rule of reverse mode for folds whose steps overwrite one element of their state, as a function of what it was.

Only what was overwritten is kept, a number with each step.  The cotangent of the state is gone through in the opposite
order and overwritten likewise; what arrives at each step is kept, and goes to the names around it after the fold.
"""

from __future__ import annotations

from collections.abc import Sequence

from tolang.core.core import Bundle, Expr, Join, Let, Literal, Part, Range, Reduce, Variable
from tolang.core.gradient.adjoint import Adjoint, Cotangent
from tolang.core.gradient.backwards import appended, at_step, bind_parts, steps_of
from tolang.core.gradient.building import (
    cotangent_type,
    indexed,
    number,
    part,
    settled,
)
from tolang.core.gradient.frames import BindingFrame, LoopFrame, RequirementFrame, enclosed, loops_of_fold
from tolang.core.gradient.names import substituted
from tolang.core.gradient.puts import PutPlaces
from tolang.core.let_chain import Link, unwound, wound
from tolang.core.rebuild import rebuild
from tolang.core.rules import step_number
from tolang.core.tidy import free_names
from tolang.core.types import Type, bundle_type
from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.symbolic.sizes import ONE, ZERO, Size


@dataclass(frozen=True, slots=True, eq=False)
class _Overwriting:
    """A step: what it binds first, where it writes (`shown` where data tell that), and what it makes of the `old`.

    `brought` is what it appends to histories beside the state, of the old one, too.
    """

    links: tuple[Link, ...]
    place: Size
    shown: tuple[tuple[Expr, ...], tuple[Expr, ...]]
    old: Variable
    item: Expr
    brought: tuple[Expr, ...]

    def around(self, first: Expr) -> Expr:
        """A bundle of something and of what is brought, inside what is bound."""
        parts = first, *self.brought
        return wound(self.links, Bundle(parts, type=bundle_type(one.type for one in parts)))

    def written(self, state: Expr, value: Expr) -> Expr:
        """A state with a value at the place."""
        before = Range(ONE, self.place - 1, self.shown[0])
        after = Range(self.place + 1, state.type.shape[0] - self.place, self.shown[1])
        return Join((part(state, (before,)), value, part(state, (after,))), 0, type=state.type)


def through_overwriting(adjoint: Adjoint, fold: Reduce, given: Cotangent, value: Expr | None) -> bool:
    """A fold with a vector as its state that overwrites one element with each step; False for any other.

    Beside it there may be histories, to which steps append and which none reads, as in the folds that are made here.
    """
    step = None if fold.lengths else _read(adjoint, fold)
    if step is None:
        return False
    final, olds = _kept(adjoint, fold, step)
    if isinstance(value, Variable) and not step.brought:
        adjoint.ends[value.name] = final, final
    start, arrived = _run_back(adjoint, fold, step, olds, given)
    steps, count = steps_of(fold), step_number(fold.iterators, fold.extents)
    with adjoint.scope.inside(*loops_of_fold(fold)):
        old = adjoint.scope.bind(step.old.name, indexed(olds, [count]))
        new = substituted(step.around(step.item), adjoint.names, {}, {step.old.name: old})
        adjoint.spread(new, (indexed(arrived, [steps + 1 - count]), *_at(given[1:], count)))
    adjoint.spread(fold.initials[0], (start,))
    return True


def _at(given: Cotangent, number: Size) -> Cotangent:
    return tuple(None if one is None else indexed(one, [number]) for one in given)


def _read(adjoint: Adjoint, fold: Reduce) -> _Overwriting | None:
    """A step that reads the state at the place alone where it writes; None for any other."""
    if any(kind.rank != 1 or kind.capacity != 1 for kind in fold.state_types):
        return None
    places, states = PutPlaces(fold), set(fold.states)
    links, inside = unwound(fold.step)
    parts = inside.parts if isinstance(inside, Bundle) else (inside,)
    if len(parts) != len(fold.states) or any(states & free_names(o.value) for o in links if isinstance(o, Let)):
        return None
    put, brought = places.put(parts[0]), _brought(fold, parts)
    if put is None or brought is None:
        return None
    assert isinstance(parts[0], Join)
    shown = tuple(one.items[0].written for one in (parts[0].parts[0], parts[0].parts[2]) if isinstance(one, Part))
    old = Variable(adjoint.names.fresh("old"), type=Type((), fold.state_types[0].columns))

    def read(expr: Expr) -> Expr:
        return old if places.is_state(expr, put.at) else rebuild(expr, read)

    item, *rest = (read(one) for one in (put.item, *brought))
    if any(states & free_names(one) for one in (item, *rest)):
        return None
    return _Overwriting(tuple(links), put.place, (shown[0], shown[1]), old, item, tuple(rest))


def _brought(fold: Reduce, parts: Sequence[Expr]) -> list[Expr] | None:
    """The numbers that a step appends to all states but the first, which begin with none; None where it does not."""
    count = step_number(fold.iterators, fold.extents)
    found: list[Expr] = []
    for name, kind, new in zip(fold.states[1:], fold.state_types[1:], parts[1:], strict=True):
        match new:
            case Join(parts=(Variable(name=own), one), axis=0) if own == name and one.type.is_numeric:
                found.append(one)
        if kind.shape != (count - 1,):
            return None
    return found if len(found) == len(parts) - 1 else None


def _fold_of(
    adjoint: Adjoint, like: Reduce, states: tuple[Variable, Variable], starts: tuple[Expr, Expr], step: Expr
) -> list[Variable]:
    """What a fold gives of a state that is overwritten, and of a history that gets a number with each step."""
    kinds = tuple(one.type for one in states)
    whole = bundle_type([kinds[0], kinds[1].with_shape((steps_of(like),))])
    made = replace(
        like, states=tuple(one.name for one in states), initials=starts, state_types=kinds, step=step, type=whole,
        associative=False,
    )  # fmt: skip
    names = [adjoint.names.fresh(one.name) for one in states]
    return bind_parts(adjoint, names, substituted(made, adjoint.names))


def _history(adjoint: Adjoint, name: str, number: Size, kind: Type) -> tuple[Variable, Expr]:
    """Numbers of the steps before one, and how there are none."""
    own = kind.with_shape((number - 1,))
    return Variable(adjoint.names.fresh(name), type=own), Literal(0, type=own.with_shape((ZERO,)))


def _kept(adjoint: Adjoint, fold: Reduce, step: _Overwriting) -> tuple[Variable, Variable]:
    """The last state, and what each step has overwritten."""
    count = step_number(fold.iterators, fold.extents)
    state = Variable(adjoint.names.fresh(fold.states[0]), type=fold.state_types[0])
    history, none = _history(adjoint, step.old.name, count, step.old.type)
    rows = step.written(state, settled(step.item, state.type.column)), appended(history, step.old, step.old.type)
    both: Expr = Bundle(rows, type=bundle_type(one.type for one in rows))
    both = Let((step.old.name,), indexed(state, [step.place]), both, type=both.type)
    final, olds = _fold_of(adjoint, fold, (state, history), (fold.initials[0], none), wound(step.links, both))
    return final, olds


def _run_back(
    adjoint: Adjoint, fold: Reduce, step: _Overwriting, olds: Variable, given: Cotangent
) -> tuple[Variable, Variable]:
    """The cotangent of the first state, and those that arrive at the last step, at the last but one, …"""
    kind, steps = cotangent_type(fold.state_types[0]), steps_of(fold)
    turn = LoopFrame(adjoint.names.fresh("r"), steps)
    at = steps + 1 - Size.of(turn.iterator)
    state = Variable(adjoint.names.fresh("d"), type=kind)
    history, none = _history(adjoint, "d", Size.of(turn.iterator), kind.with_shape(()))
    inner = adjoint.beside()
    depth = len(inner.scope.frames)
    inner.scope.frames.append(turn)
    old = inner.scope.bind(step.old.name, indexed(olds, [at]))
    inner.active.add(old.name)
    copy = step.around(step.written(state, step.item))
    links, parts = unwound(substituted(copy, adjoint.names, at_step(fold, at), {step.old.name: old}))
    inner.scope.frames.extend(_frame(link) for link in links)
    assert isinstance(parts, Bundle)
    joined, *brought = parts.parts
    assert isinstance(joined, Join)
    before, item, after = joined.parts
    arriving = inner.scope.bind("d", indexed(state, [before.type.shape[0] + 1]))
    for one, cotangent in zip((item, *brought), (arriving, *_at(given[1:], at)), strict=True):
        inner.spread(one, (cotangent,))
    leaving = inner.collected(old.name, old.type)[0] or number(0)
    rows = (
        replace(joined, parts=(before, settled(leaving, kind.column), after)),
        appended(history, arriving, kind.with_shape(())),
    )
    both = enclosed(
        inner.scope.frames[depth + 1 :], Bundle(rows, type=bundle_type(r.type for r in rows)), adjoint.names
    )
    like = replace(fold, iterators=(turn.iterator,), extents=(steps,))
    start, arrived = _fold_of(adjoint, like, (state, history), (given[0] or Literal(0, type=kind), none), both)
    return start, arrived


def _frame(link: Link) -> BindingFrame | RequirementFrame:
    if isinstance(link, Let):
        return BindingFrame(link.names, link.value, link.lengths)
    return RequirementFrame(link.condition, link.message)
