"""Folds whose state does not fit in registers: ToLs, growing ToLs, several of them.

The state's numerics are names, its ToLs are buffers as long as they will ever get.  A step changes a ToL where it is if
its form allows that (see `updates`); any other step computes the new ToL into a second buffer, which is then copied
back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tolang.core.core import Bundle, Call, Embed, Expr, If, Join, Let, Reduce, Reshape, Variable
from tolang.core.tidy import free_names
from tolang.core.types import Type
from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.conditions import Condition, compare, junction, negation
from tolang.ground.symbolic.sizes import ONE, ZERO, Size, extremum
from tolang.lower.elements import cast
from tolang.lower.environment import Environment, LoweringState, Scalars, Stored, Virtual
from tolang.lower.interface import INDEX, Destination, Lowers
from tolang.lower.updates import (
    StatePart,
    StateUpdate,
    appending,
    at_its_place,
    change_of,
    is_state,
    placed,
    stays_in_place,
)
from tolang.plan.fused_sums import fused_steps
from tolang.plan.nest import (
    RANGE_OUTSIDE,
    Allocate,
    Assign,
    Bind,
    Branch,
    Index,
    Named,
    Repeat,
    RequireStep,
    Step,
    Unsupported,
)

Lengths = dict[tuple[int, int], Size]
SHORT = 16
"""How long a vector is up to which it is not computed by itself."""


def lower_fold(
    lowering: Lowers, expr: Reduce, env: Environment, target: Destination | None = None
) -> tuple[list[Step], tuple[Stored | Scalars, ...], Lengths]:
    """The steps of a fold, what its final state is, and its lengths; a single ToL is kept in the target, if given."""
    knowledge = lowering.knowledge
    extents = env.shape(expr.extents)
    iterators = tuple(knowledge.iterator(i, e) for i, e in zip(expr.iterators, extents, strict=True))
    inner = env.with_sizes({old: Size.of(new) for old, new in zip(expr.iterators, iterators, strict=True)})
    steps = lowering.demand_lengths(extents, expr.span, env)
    env = env.knowing(frozenset(step.condition for step in steps if isinstance(step, RequireStep)))
    held: list[StatePart] = []
    for part in range(len(expr.states)):
        more, one = _initial(lowering, expr, part, env, inner, target)
        steps.extend(more)
        held.append(one)
    for name, part, _ in expr.lengths:
        now = held[part].now
        assert now is not None
        inner = inner.with_sizes({name: now})
    if turn := _repeated(lowering, expr, held, inner):
        steps.append(Repeat(iterators, extents, tuple(turn)))
    final = tuple(_final(one) for one in held)
    lengths = {(p, one.axis): Size.of(one.name) for p, one in enumerate(held) if one.name and one.axis is not None}
    return steps, final, lengths


def _repeated(lowering: Lowers, expr: Reduce, held: list[StatePart], env: Environment) -> list[Step]:
    """One step of a fold, in an environment that knows its iterators."""
    for one in held:
        env = _see(one, env)
    return _step(lowering, expr.step, held, env)


def _initial(
    lowering: Lowers, expr: Reduce, part: int, env: Environment, inner: Environment, target: Destination | None
) -> tuple[list[Step], StatePart]:
    """A part of the state before the first step; `inner` knows the fold's iterators."""
    knowledge, kind, initial = lowering.knowledge, expr.state_types[part], expr.initials[part]
    state = expr.states[part]
    if not kind.shape:
        steps, values = lowering.scalars(initial, env)
        names = tuple(knowledge.scalar_name(state) for _ in kind.columns)
        values = cast(values, kind)
        binds = [Bind(n, v, mutable=True) for n, v in zip(names, values, strict=True)]
        return [*steps, *binds], StatePart(state, kind, names)
    axis = _changing_axis(expr, part)
    start, final = env.shape(initial.type.shape), env.shape((expr.type.parts or (expr.type,))[part].shape)
    by_choice = any(p == part for _, p, _ in expr.lengths)
    room, demands = final, list[Step]()
    if axis is not None and by_choice:
        room = (*start[:axis], _bound(lowering, expr, part, env), *start[axis + 1 :])
        demands = lowering.demand_lengths((start[axis],), initial.span, env)
    elif axis is not None:
        room = (*final[:axis], _longer(knowledge, start[axis], final[axis], env), *final[axis + 1 :])
        demands = lowering.demand_lengths((final[axis],), expr.span, env)
    whole = Type(room, kind.columns)
    if target is not None and room == final and _fits(expr, target):
        buffers, prefix = target.buffers, target.prefix
        steps = demands
    else:
        buffers, prefix = lowering.buffers(state, whole, expr.span), ()
        steps = [*demands, *(Allocate(b) for b in buffers)]
    if ZERO not in start:
        steps.extend(lowering.store(initial, Destination(buffers, prefix), env))
    if axis is None:
        return steps, StatePart(state, whole, buffers=buffers, prefix=prefix)
    if not by_choice:
        return steps, StatePart(state, whole, (), buffers, prefix, axis, inner.size(kind.shape[axis]), end=final[axis])
    length = knowledge.length_name("length", room[axis])
    steps.append(Bind(length, Index(start[axis], column=INDEX), mutable=True))
    return steps, StatePart(state, whole, (), buffers, prefix, axis, Size.of(length), length, end=Size.of(length))


def _longer(knowledge: LoweringState, start: Size, end: Size, env: Environment) -> Size:
    """The greatest length of a state that changes by as much in every step: the first, or the last."""
    if knowledge.holds(compare(">=", end, start), env):
        return end
    return start if knowledge.holds(compare(">=", start, end), env) else extremum("max", [start, end])


def _fits(expr: Reduce, target: Destination) -> bool:
    """Whether a fold's only state, where it is never longer than in the end, is what a target has room for."""
    storages = [b.column.storage for b in target.buffers]
    alone = len(expr.states) == 1 and not expr.lengths and not target.offsets
    return alone and storages == [c.storage for c in expr.state_types[0].columns]


def _changing_axis(expr: Reduce, part: int) -> int | None:
    """The axis along which a part of the state changes its length, if one does."""
    final = (expr.type.parts or (expr.type,))[part]
    for axis, (start, end) in enumerate(zip(expr.initials[part].type.shape, final.shape, strict=True)):
        if start != end:
            return axis
    return None


def _bound(lowering: Lowers, expr: Reduce, part: int, env: Environment) -> Size:
    """The greatest length of a state that grows by a choice: what each step can add, times the steps."""
    growth = _growth(expr.step, expr.states[part])
    if growth is None:
        raise Unsupported("a state of unknown length that is not appended to is left to the interpreter")
    total = ONE
    for extent in env.shape(expr.extents):
        total = total * extent
    growth = env.size(growth)
    if not growth.names() <= lowering.knowledge.ranges.ranges.keys():
        raise Unsupported("a state that grows by a length which is computed inside is left to the interpreter")
    axis = _changing_axis(expr, part) or 0
    return env.size(expr.initials[part].type.shape[axis]) + total * growth


def _growth(expr: Expr, state: str) -> Size | None:
    """The most that one step appends to a state; None where that is not plain from its form."""
    match expr:
        case Variable(name=name) if name == state:
            return ZERO
        case Join(parts=parts, axis=axis) if isinstance(parts[0], Variable) and parts[0].name == state:
            total = ZERO
            for part in parts[1:]:
                total = total + (part.type.shape[axis] if part.type.shape else ONE)
            return total
        case If(then=then, otherwise=otherwise):
            one, other = _growth(then, state), _growth(otherwise, state)
            return None if one is None or other is None else extremum("max", [one, other])
        case Let(names=(name,), value=value, body=Variable(name=last)) if name == last:
            return _growth(value, state)
        case Call(body=body):
            growth = _growth(body, state)
            return growth if growth is not None and growth.constant is not None else None
        case Let(body=body, lengths=lengths, value=If(then=then, otherwise=otherwise)) if lengths:
            growth = _growth(body, state)
            sides = [(side.type.parts or (side.type,)) for side in (then, otherwise)]
            longest = {n: extremum("max", [side[k].shape[a] for side in sides]) for n, k, a in lengths}
            return growth and growth.substitute(longest)
        case Let(body=body):
            return _growth(body, state)
    return None


def _see(one: StatePart, env: Environment) -> Environment:
    """The environment in which a part of the state can be read."""
    if one.names:
        parts = tuple(Named(n, column=c) for n, c in zip(one.names, one.kind.columns, strict=True))
        return env.with_value(one.state, Scalars(parts)).with_sizes({one.state: Size.of(one.names[0])})
    return env.with_value(one.state, Stored(one.buffers, one.shape, one.prefix))


def _final(one: StatePart) -> Stored | Scalars:
    if one.names:
        return Scalars(tuple(Named(n, column=c) for n, c in zip(one.names, one.kind.columns, strict=True)))
    shape = list(one.kind.shape)
    if one.axis is not None and one.end is not None:
        shape[one.axis] = one.end
    return Stored(one.buffers, tuple(shape), one.prefix)


def _step(lowering: Lowers, step: Expr, held: list[StatePart], env: Environment) -> list[Step]:
    """One step of the fold: all new parts are computed from the old state, then they take its place."""
    if len(held) == 1 and held[0].buffers:
        return _update(lowering, step, held[0], env)
    steps, inner, scope = lowering.open(at_its_place(_handed_on(step)), env)
    if isinstance(inner, If) and inner.type.parts:
        return [*steps, *_by_choice(lowering, inner, scope, lambda branch, known: _step(lowering, branch, held, known))]
    if isinstance(inner, Reduce) and inner.type.parts:
        if _goes_on(inner, held, scope):
            return [*steps, *_nested(lowering, inner, held, scope)]
        more, inner, scope = lowering.bundled(inner, scope)
        steps.extend(more)
    parts = inner.parts if isinstance(inner, Bundle) else (inner,)
    return [*steps, *_changed(parts, held, lowering, scope)]


def _handed_on(step: Expr) -> Expr:
    """A step without names for the parts of a bundle that it then is: `let a, b = value; bundle(a, b)`."""
    match step:
        case Let(names=names, lengths=(), value=value, body=Bundle(parts=parts)) if names == tuple(
            part.name for part in parts if isinstance(part, Variable)
        ):
            return _handed_on(value) if len(parts) == len(names) else step
        case Let(body=body) | Call(body=body):
            return replace(step, body=_handed_on(body))
    return step


def _changed(parts: Sequence[Expr], held: Sequence[StatePart], lowering: Lowers, env: Environment) -> list[Step]:
    """Parts of a state changed together: all that is new is computed, then it is written, the numerics last."""
    whole = StateUpdate()
    numerics: list[Step] = []
    for part, one in zip(parts, held, strict=True):
        if isinstance(part, Variable) and part.name == one.state:
            continue
        if one.names:
            more, values = lowering.scalars(part, env)
            fresh = [lowering.knowledge.scalar_name("next") for _ in one.names]
            values = cast(values, Type((), one.kind.columns))
            values = fused_steps(values, one.names) if len(held) == 1 else values
            whole.computed.extend([*more, *(Bind(n, v) for n, v in zip(fresh, values, strict=True))])
            named = zip(one.names, fresh, one.kind.columns, strict=True)
            numerics.extend(Assign(n, Named(f, column=c)) for n, f, c in named)
        else:
            change = change_of(lowering, part, one, env)
            whole.add(_computed_beside(lowering, part, one, env) if change is None else change)
    return [*whole.declared, *whole.computed, *whole.written, *numerics]


def _update(lowering: Lowers, expr: Expr, one: StatePart, env: Environment) -> list[Step]:
    """The one ToL of a state, changed in place where the step's form allows."""
    match expr:
        case Variable(name=name) if name == one.state:
            return []
        case Join(parts=parts, axis=axis) if axis == one.axis and is_state(parts[0], one, env) and one.now is not None:
            return _append(lowering, parts[1:], one, env)
        case Join() if stays_in_place(expr, one, env) and any(not part.type.shape for part in expr.parts):
            return _put(lowering, expr, one, env)
        case Join() | Embed():
            return _changed([expr], [one], lowering, env)
        case If():
            return _by_choice(lowering, expr, env, lambda branch, known: _update(lowering, branch, one, known))
        case Let(names=(name,), value=value, body=Variable(name=last)) if name == last and value.type.shape:
            return _update(lowering, value, one, env)
        case Let() if (moved := at_its_place(expr)) is not expr:
            return _update(lowering, moved, one, env)
        case Let():
            steps, scope = lowering.bind(expr, env)
            return [*steps, *_update(lowering, expr.body, one, scope)]
    steps, inner, scope = lowering.open(expr, env)
    if inner is not expr:
        return [*steps, *_update(lowering, inner, one, scope)]
    if isinstance(expr, Reduce) and _goes_on(expr, [one], env):
        return _nested(lowering, expr, [one], env)
    change = _computed_beside(lowering, expr, one, env)
    return [*change.computed, *change.written]


def _nested(lowering: Lowers, expr: Reduce, held: list[StatePart], env: Environment) -> list[Step]:
    """A fold that goes on with the state of the fold around it, where that is."""
    changing = {name for one in held for name in one.names}
    extents = env.shape(expr.extents)
    iterators = tuple(lowering.knowledge.iterator(i, e) for i, e in zip(expr.iterators, extents, strict=True))
    inner = env.with_sizes({old: Size.of(new) for old, new in zip(expr.iterators, iterators, strict=True)})
    inner = replace(inner, facts=frozenset(fact for fact in inner.facts if not fact.names() & changing))
    renamed = [replace(one, state=state) for one, state in zip(held, expr.states, strict=True)]
    demands = lowering.demand_lengths(extents, expr.span, env)
    turn = _repeated(lowering, expr, renamed, inner)
    return [*demands, Repeat(iterators, extents, tuple(turn))] if turn else demands


def _goes_on(expr: Reduce, held: list[StatePart], env: Environment) -> bool:
    """Whether a fold may change the state around it where it is: it begins with it, and reads it in no other way."""
    if expr.lengths or len(expr.states) != len(held) or any(one.now is not None or one.within for one in held):
        return False
    for initial, kind, one in zip(expr.initials, expr.state_types, held, strict=True):
        same = [c.storage for c in kind.columns] == [c.storage for c in one.kind.columns]
        if not is_state(initial, one, env) or not same or env.shape(kind.shape) != one.kind.shape:
            return False
    changing = {name for one in held for name in one.names}
    if any(size.names() & changing for size in env.shape(expr.extents)):
        return False
    own = {*expr.states, *expr.iterators}
    return not any(_depends(name, held, env) for name in free_names(expr.step) - own)


def _depends(name: str, held: list[StatePart], env: Environment) -> bool:
    """Whether what a name stands for is read from a state, and not yet."""
    changing = {name for one in held for name in one.names}
    buffers = {buffer.name for one in held for buffer in one.buffers}
    if name in env.sizes and env.sizes[name].names() & changing:
        return True
    match env.values.get(name):
        case Stored(buffers=found):
            return any(buffer.name in buffers for buffer in found)
        case Scalars(parts=parts):
            return any(not isinstance(part, Named) or part.name in changing for part in parts)
        case Virtual(expr=expr, environment=scope):
            return any(_depends(other, held, scope) for other in free_names(expr))
    return False


def _append(lowering: Lowers, parts: tuple[Expr, ...], one: StatePart, env: Environment) -> list[Step]:
    """New elements behind the old ones."""
    steps, end = appending(lowering, parts, one, env)
    return [*steps, Assign(one.name, Index(end, column=INDEX))] if one.name else steps


def _put(lowering: Lowers, expr: Join, one: StatePart, env: Environment) -> list[Step]:
    """New elements written over old ones, once the stretches beside them are seen to be inside the state."""
    steps: list[Step] = []
    stores: list[Step] = []
    inside: list[Condition] = []
    for part, start in placed(expr, env):
        if part.type.shape:
            inside.append(compare(">=", env.size(part.type.shape[expr.axis]), ZERO))
            continue
        more, values = lowering.scalars(part, env)
        fresh = [lowering.knowledge.scalar_name("put") for _ in one.kind.columns]
        cast_values = cast(values, Type((), one.kind.columns))
        steps.extend([*more, *(Bind(n, v) for n, v in zip(fresh, cast_values, strict=True))])
        named = tuple(Named(n, column=c) for n, c in zip(fresh, one.kind.columns, strict=True))
        place = (
            Destination(one.buffers, one.prefix).shifted(expr.axis, start, one.kind.rank).place((ONE,) * one.kind.rank)
        )
        stores.append(lowering.store_scalars(named, part.type, Destination(one.buffers, place)))
    held = junction("and", inside)
    steps.append(RequireStep(held, RANGE_OUTSIDE, expr.span))
    return [*steps, Branch(held, (), tuple(stores), ())]


def _by_choice(
    lowering: Lowers, expr: If, env: Environment, change: Callable[[Expr, Environment], list[Step]]
) -> list[Step]:
    """A choice between two changes of the state."""
    guard = None if expr.guard is None else env.condition(expr.guard)
    before, test = ([], ()) if guard is not None else lowering.test(expr, env)
    then = change(expr.then, env if guard is None else env.assuming(guard))
    otherwise = change(expr.otherwise, env if guard is None else env.assuming(negation(guard)))
    return [*before, Branch(guard, test, tuple(then), tuple(otherwise))]


def _stretches(expr: Expr, env: Environment) -> Join | None:
    """A join of vectors, none of which is known to be short, whether it is then taken for one vector of that length."""
    if isinstance(expr, Reshape) and len(expr.type.shape) == 1:
        expr = expr.subject
    if not isinstance(expr, Join) or any(len(part.type.shape) != 1 for part in expr.parts):
        return None
    lengths = [env.size(part.type.shape[0]).constant for part in expr.parts]
    return expr if all(length is None or length > SHORT for length in lengths) else None


def _computed_beside(lowering: Lowers, expr: Expr, one: StatePart, env: Environment) -> StateUpdate:
    """The new ToL in a buffer of its own, from which it is copied back."""
    shape = env.shape(expr.type.shape)
    beside = lowering.buffers("next", Type(one.kind.shape, one.kind.columns), expr.span)
    joined = _stretches(expr, env)
    goal = Destination(beside)
    stored = lowering.store(expr, goal, env) if joined is None else lowering.store_parts(joined, goal, env)
    demands = [] if one.axis is None else lowering.demand_lengths((shape[one.axis],), expr.span, env)
    computed: list[Step] = [*demands, *(Allocate(b) for b in beside), *stored]
    copied = Variable("next", type=replace(expr.type, columns=one.kind.columns))
    scope = env.with_value("next", Stored(beside, shape))
    written = lowering.store(copied, one.target, scope)
    if one.name is not None and one.axis is not None:
        written.append(Assign(one.name, Index(shape[one.axis], column=INDEX)))
    return StateUpdate(computed=computed, written=written)
