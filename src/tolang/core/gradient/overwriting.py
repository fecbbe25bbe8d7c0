"""The rule of reverse mode for folds whose steps overwrite one element of their state, as a function of what it was.

Only what was overwritten is kept, a number with each step.  The cotangent of the state is gone through in the opposite
order and overwritten likewise; what arrives at each step is kept, and goes to the names around it after the fold.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

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
from tolang.core.gradient.frames import Bind, Demand, Loop, enclosed, loops_of_fold
from tolang.core.gradient.names import substituted
from tolang.core.gradient.puts import Places
from tolang.core.let_chain import Link, unwound, wound
from tolang.core.rebuild import rebuild
from tolang.core.rules import step_number
from tolang.core.tidy import free_names
from tolang.core.types import Type, bundle_type
from tolang.ground.sizes import ONE, ZERO, Size


@dataclass(frozen=True, slots=True, eq=False)
class _Overwriting:
    """A step: what it binds first, where it writes (`shown` where data tell that), and what it makes of the `old`."""

    links: tuple[Link, ...]
    place: Size
    shown: tuple[tuple[Expr, ...], tuple[Expr, ...]]
    old: Variable
    item: Expr

    def written(self, state: Expr, value: Expr) -> Expr:
        """A state with a value at the place."""
        before = Range(ONE, self.place - 1, self.shown[0])
        after = Range(self.place + 1, state.type.shape[0] - self.place, self.shown[1])
        return Join((part(state, (before,)), value, part(state, (after,))), 0, type=state.type)


def through_overwriting(adjoint: Adjoint, fold: Reduce, given: Cotangent, value: Expr | None) -> bool:
    """A fold with a vector as its state that overwrites one element with each step; False for any other."""
    single = len(fold.states) == 1 and fold.state_types[0].rank == 1 and fold.state_types[0].capacity == 1
    step = _read(adjoint, fold) if single and not fold.lengths else None
    if step is None or given[0] is None:
        return False
    final, olds = _kept(adjoint, fold, step)
    if isinstance(value, Variable):
        adjoint.ends[value.name] = final, final
    start, arrived = _run_back(adjoint, fold, step, olds, given[0])
    steps, count = steps_of(fold), step_number(fold.iterators, fold.extents)
    with adjoint.scope.inside(*loops_of_fold(fold)):
        old = adjoint.scope.bind(step.old.name, indexed(olds, [count]))
        new = substituted(wound(step.links, step.item), adjoint.names, {}, {step.old.name: old})
        adjoint.spread(new, (indexed(arrived, [steps + 1 - count]),))
    adjoint.spread(fold.initials[0], (start,))
    return True


def _read(adjoint: Adjoint, fold: Reduce) -> _Overwriting | None:
    """A step that reads the state at the place alone where it writes; None for any other."""
    places, state = Places(fold), fold.states[0]
    links, inside = unwound(fold.step)
    put = places.put(inside)
    if put is None or any(state in free_names(one.value) for one in links if isinstance(one, Let)):
        return None
    assert isinstance(inside, Join)
    shown = tuple(one.items[0].written for one in (inside.parts[0], inside.parts[2]) if isinstance(one, Part))
    old = Variable(adjoint.names.fresh("old"), type=Type((), fold.state_types[0].columns))

    def read(expr: Expr) -> Expr:
        return old if places.is_state(expr, put.at) else rebuild(expr, read)

    item = read(put.item)
    return None if state in free_names(item) else _Overwriting(tuple(links), put.place, (shown[0], shown[1]), old, item)


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
    adjoint: Adjoint, fold: Reduce, step: _Overwriting, olds: Variable, given: Expr
) -> tuple[Variable, Variable]:
    """The cotangent of the first state, and those that arrive at the last step, at the last but one, …"""
    kind, steps = cotangent_type(fold.state_types[0]), steps_of(fold)
    turn = Loop(adjoint.names.fresh("r"), steps)
    at = steps + 1 - Size.of(turn.iterator)
    state = Variable(adjoint.names.fresh("d"), type=kind)
    history, none = _history(adjoint, "d", Size.of(turn.iterator), kind.with_shape(()))
    inner = adjoint.beside()
    depth = len(inner.scope.frames)
    inner.scope.frames.append(turn)
    old = inner.scope.bind(step.old.name, indexed(olds, [at]))
    inner.active.add(old.name)
    copy = wound(step.links, step.written(state, step.item))
    links, joined = unwound(substituted(copy, adjoint.names, at_step(fold, at), {step.old.name: old}))
    inner.scope.frames.extend(_frame(link) for link in links)
    assert isinstance(joined, Join)
    before, item, after = joined.parts
    arriving = inner.scope.bind("d", indexed(state, [before.type.shape[0] + 1]))
    inner.spread(item, (arriving,))
    leaving = inner.collected(old.name, old.type)[0] or number(0)
    rows = (
        replace(joined, parts=(before, settled(leaving, kind.column), after)),
        appended(history, arriving, kind.with_shape(())),
    )
    both = enclosed(
        inner.scope.frames[depth + 1 :], Bundle(rows, type=bundle_type(r.type for r in rows)), adjoint.names
    )
    like = replace(fold, iterators=(turn.iterator,), extents=(steps,))
    start, arrived = _fold_of(adjoint, like, (state, history), (given, none), both)
    return start, arrived


def _frame(link: Link) -> Bind | Demand:
    if isinstance(link, Let):
        return Bind(link.names, link.value, link.lengths)
    return Demand(link.condition, link.message)
