"""States of folds that are changed where they are: what a step puts into them, appends to them, or leaves alone.

    [s[1:j-1], v, s[j+1:]]                                       one element
    [[s[1:i-1]], [row], [s[i+1:]]]                               one part along the first axis
    [[s[1:i-1]], [[s[i][1:j-1], v, s[i][j+1:]]], [s[i+1:]]]      one element of such a part

A step may change several ToLs, each by what all of them were before it.  So a change has two halves: first everything
new is computed, for all of them, then it is written.  Between the halves what is new is in names that may change,
declared before either, and in buffers.
"""

from __future__ import annotations

from tolang.core.core import (
    Bundle,
    Call,
    Component,
    Coordinate,
    Embed,
    Expr,
    If,
    Join,
    Let,
    Part,
    Range,
    Reshape,
    Variable,
)
from tolang.core.rebuild import rebuild
from tolang.core.tidy import own_names
from tolang.core.types import Type
from tolang.ground.dataclasses import dataclass, field, replace
from tolang.ground.symbolic.conditions import compare, junction, negation
from tolang.ground.symbolic.sizes import ONE, ZERO, Size
from tolang.ground.values.spaces import column
from tolang.lower.elements import cast
from tolang.lower.environment import Environment, Stored
from tolang.lower.interface import INDEX, Destination, Lowers
from tolang.plan.nest import (
    RANGE_OUTSIDE,
    Allocate,
    Assign,
    Bind,
    Branch,
    Buffer,
    ConstantScalar,
    Index,
    Named,
    RequireStep,
    Scalar,
    Select,
    Step,
)

TRUTH = column("B")


@dataclass(frozen=True, slots=True)
class StatePart:
    """One part of a fold's state: names of numerics, or buffers below some leading coordinates.

    The length that changes is `now`: an expression in the fold's iterators where every step adds as much, else a name;
    after the last step it is `end`.  The kind has the greatest length there is in between.
    Only a part of the state may be meant: a `component` of its lists, what lies `within` at some coordinates, or both.
    """

    state: str
    kind: Type
    names: tuple[str, ...] = ()
    buffers: tuple[Buffer, ...] = ()
    prefix: tuple[Size, ...] = ()
    axis: int | None = None
    now: Size | None = None
    name: str | None = None
    within: tuple[Size, ...] = ()
    component: int | None = None
    end: Size | None = None

    @property
    def shape(self) -> tuple[Size, ...]:
        """The shape before a step, in terms of the fold's iterators."""
        if self.now is None or self.axis is None:
            return self.kind.shape
        return (*self.kind.shape[: self.axis], self.now, *self.kind.shape[self.axis + 1 :])

    @property
    def target(self) -> Destination:
        return Destination(self.buffers, self.prefix)

    def below(self, place: Size, kept: Size) -> StatePart:
        """The part at a place along the first axis, which the second half of a change knows as `kept`."""
        kind, prefix = Type(self.shape[1:], self.kind.columns), (*self.prefix, kept)
        return replace(self, kind=kind, prefix=prefix, axis=None, now=None, within=(*self.within, place))

    def only(self, component: int) -> StatePart:
        """One component of the lists, by its position."""
        kind = Type(self.kind.shape, self.kind.columns[component - 1 : component])
        return replace(self, kind=kind, buffers=self.buffers[component - 1 : component], component=component)


@dataclass(slots=True)
class StateUpdate:
    """The two halves of a change, and the names that pass from one to the other."""

    declared: list[Step] = field(default_factory=list)
    computed: list[Step] = field(default_factory=list)
    written: list[Step] = field(default_factory=list)

    def keep(self, lowering: Lowers, values: tuple[Scalar, ...], kind: Type) -> tuple[Named, ...]:
        """Scalars computed in the first half, by names that the second half can read."""
        names = [Named(lowering.knowledge.scalar_name("put"), column=c) for c in kind.columns]
        self.declared.extend(Bind(n.name, ConstantScalar(0, column=n.column), mutable=True) for n in names)
        self.computed.extend(Assign(n.name, v) for n, v in zip(names, cast(values, kind), strict=True))
        return tuple(names)

    def keep_size(self, lowering: Lowers, size: Size) -> Size:
        """A whole number computed in the first half, for the second."""
        name = lowering.knowledge.scalar_name("place")
        self.declared.append(Bind(name, Index(ZERO, column=INDEX), mutable=True))
        self.computed.append(Assign(name, Index(size, column=INDEX)))
        return Size.of(name)

    def add(self, other: StateUpdate) -> None:
        self.declared.extend(other.declared)
        self.computed.extend(other.computed)
        self.written.extend(other.written)


def change_of(lowering: Lowers, expr: Expr, one: StatePart, env: Environment) -> StateUpdate | None:
    """How a ToL of a state is changed where it is; None where it has to be computed beside it."""
    match expr:
        case _ if is_state(expr, one, env):
            return StateUpdate()
        case Join(parts=parts, axis=axis) if axis == one.axis and is_state(parts[0], one, env):
            return _appended(lowering, parts[1:], one, env)
        case Join() if stays_in_place(expr, one, env):
            return _put(lowering, expr, one, env)
        case If():
            return _chosen(lowering, expr, one, env)
        case Embed(parts=parts) if len(parts) == len(one.buffers) and one.axis is None:
            return _each_component(lowering, parts, one, env)
    steps, inner, scope = lowering.open(at_its_place(expr), env)
    if inner is expr:
        return None
    change = change_of(lowering, inner, one, scope)
    return change and StateUpdate(change.declared, [*steps, *change.computed], change.written)


def at_its_place(expr: Expr) -> Expr:
    """An expression without names for ToLs that are then a whole part of what it gives, and nothing else."""
    match expr:
        case Let(names=(name,), lengths=(), value=value, body=body) if (
            value.type.shape and _occurrences(body, name) == 1
        ):
            moved = _substituted(body, name, value)
            return _around(expr, body, at_its_place(body)) if moved is body else at_its_place(moved)
        case Let(body=body) | Call(body=body):
            return _around(expr, body, at_its_place(body))
    return expr


def _around(expr: Let | Call, body: Expr, changed: Expr) -> Expr:
    """An expression with its body changed; the same one where it was not."""
    return expr if changed is body else replace(expr, body=changed)


def _occurrences(expr: Expr, name: str) -> int:
    return (name in own_names(expr)) + sum(_occurrences(child, name) for child in expr.children())


def _substituted(expr: Expr, name: str, value: Expr) -> Expr:
    """A value in place of its name where that stands for a whole part."""
    match expr:
        case Variable(name=found) if found == name:
            return value
        case Let(body=body) | Call(body=body):
            return _around(expr, body, _substituted(body, name, value))
        case Join() | Embed() | Reshape() | Bundle():
            return rebuild(expr, lambda part: _substituted(part, name, value))
    return expr


def is_state(expr: Expr, one: StatePart, env: Environment) -> bool:
    """Whether an expression is the old state, or the part of it that is meant."""
    if one.component is not None and isinstance(expr, Component):
        return expr.position == one.component and is_state(expr.subject, replace(one, component=None), env)
    if not one.within:
        return isinstance(expr, Variable) and expr.name == one.state and one.component is None
    if not isinstance(expr, Part) or not is_state(expr.subject, replace(one, within=()), env):
        return False
    leading, rest = expr.items[: len(one.within)], expr.items[len(one.within) :]
    placed = all(
        isinstance(item, Coordinate) and env.size(item.index) == place
        for item, place in zip(leading, one.within, strict=True)
    )
    return placed and all(_is_whole(item, extent, env) for item, extent in zip(rest, one.shape, strict=True))


def _is_whole(item: Coordinate | Range, extent: Size, env: Environment) -> bool:
    return isinstance(item, Range) and env.size(item.start) == ONE and env.size(item.length) == extent


def stays_in_place(expr: Join, one: StatePart, env: Environment) -> bool:
    """Whether a join gives a state of its own length, most of it the old one where it was: `[s[1:j-1], v, s[j+1:]]`."""
    moved = [part for part, start in placed(expr, env) if not _is_unmoved(part, start, expr.axis, one, env)]
    if env.size(expr.type.shape[expr.axis]) != one.shape[expr.axis] or len(moved) == len(expr.parts):
        return False
    return all(not part.type.shape or (expr.axis == 0 and part.type.shape[0] == ONE) for part in moved)


def placed(expr: Join, env: Environment) -> list[tuple[Expr, Size]]:
    """The parts of a join, each with the length before it."""
    found: list[tuple[Expr, Size]] = []
    before = ZERO
    for part in expr.parts:
        found.append((part, before))
        before = before + (env.size(part.type.shape[expr.axis]) if part.type.shape else ONE)
    return found


def _is_unmoved(part: Expr, start: Size, axis: int, one: StatePart, env: Environment) -> bool:
    """Whether a part of a join is a stretch of the old state at the place where it was, or nothing at all."""
    if part.type.shape and env.size(part.type.shape[axis]) == ZERO:
        return True
    if not isinstance(part, Part) or not is_state(part.subject, one, env):
        return False
    for position, (item, extent) in enumerate(zip(part.items, one.shape, strict=True)):
        if position == axis and not (isinstance(item, Range) and env.size(item.start) == start + 1):
            return False
        if position != axis and not _is_whole(item, extent, env):
            return False
    return True


def _appended(lowering: Lowers, parts: tuple[Expr, ...], one: StatePart, env: Environment) -> StateUpdate:
    """New elements behind the old ones, where nobody reads before the state is longer."""
    steps, end = appending(lowering, parts, one, env)
    change = StateUpdate(computed=steps)
    if one.name:
        length = change.keep_size(lowering, end)
        change.written.append(Assign(one.name, Index(length, column=INDEX)))
    return change


def appending(lowering: Lowers, parts: tuple[Expr, ...], one: StatePart, env: Environment) -> tuple[list[Step], Size]:
    """The steps that write new elements behind the old ones, and the length with them."""
    assert one.axis is not None
    assert one.now is not None
    rank = one.kind.rank
    steps: list[Step] = []
    end = one.now
    for part in parts:
        target = one.target.shifted(one.axis, end, rank)
        if part.type.shape:
            length = env.size(part.type.shape[one.axis])
            steps.extend([*lowering.demand_lengths((length,), part.span, env), *lowering.store(part, target, env)])
            end = end + length
        else:
            more, values = lowering.scalars(part, env)
            single = Destination(one.buffers, target.place((ONE,) * rank))
            steps.extend([*more, lowering.store_scalars(values, part.type, single)])
            end = end + 1
    return steps, end


def _put(lowering: Lowers, expr: Join, one: StatePart, env: Environment) -> StateUpdate:
    """New elements over old ones, once the stretches beside them are seen to be inside the state."""
    change = StateUpdate()
    stretches = [part for part in expr.parts if part.type.shape]
    held = junction("and", [compare(">=", env.size(p.type.shape[expr.axis]), ZERO) for p in stretches])
    change.computed.append(RequireStep(held, RANGE_OUTSIDE, expr.span))
    for part, start in placed(expr, env):
        if _is_unmoved(part, start, expr.axis, one, env):
            continue
        place = change.keep_size(lowering, start + 1)
        inside = junction("and", [compare(">=", place, ONE), compare("<=", place, one.shape[expr.axis])])
        if part.type.shape:
            new = _put_part(lowering, part, one.below(start + 1, place), env)
        else:
            new = _put_element(lowering, part, expr.axis, one, place, env)
        change.add(StateUpdate(new.declared, new.computed, [Branch(inside, (), tuple(new.written), ())]))
    return change


def _put_element(lowering: Lowers, part: Expr, axis: int, one: StatePart, place: Size, env: Environment) -> StateUpdate:
    more, values = lowering.scalars(part, env)
    change = StateUpdate(computed=more)
    kept = change.keep(lowering, values, Type((), one.kind.columns))
    at = one.target.place(tuple(place if position == axis else ONE for position in range(one.kind.rank)))
    change.written.append(lowering.store_scalars(kept, part.type, Destination(one.buffers, at)))
    return change


def _put_part(lowering: Lowers, part: Expr, one: StatePart, env: Environment) -> StateUpdate:
    """A part along the first axis: changed where it is, or computed beside the state and copied there."""
    if isinstance(part, Reshape) and env.shape(part.subject.type.shape) == one.shape:
        change = change_of(lowering, part.subject, one, env)
        if change is not None:
            return change
    beside = lowering.buffers("part", Type((ONE, *one.shape), one.kind.columns), part.span)
    computed = lowering.store(part, Destination(beside), env)
    copied = Variable("part", type=Type(one.shape, one.kind.columns))
    scope = env.with_value("part", Stored(beside, one.shape, (ONE,)))
    return StateUpdate([Allocate(b) for b in beside], computed, lowering.store(copied, one.target, scope))


def _each_component(lowering: Lowers, parts: tuple[Expr, ...], one: StatePart, env: Environment) -> StateUpdate | None:
    """A change of each component of the lists, by itself."""
    whole = StateUpdate()
    for position, part in enumerate(parts, 1):
        change = change_of(lowering, part, one.only(position), env)
        if change is None:
            return None
        whole.add(change)
    return whole


def _chosen(lowering: Lowers, expr: If, one: StatePart, env: Environment) -> StateUpdate | None:
    """One of two changes, by a test that is made before either."""
    guard = None if expr.guard is None else env.condition(expr.guard)
    before, test = ([], ()) if guard is not None else lowering.test(expr, env)
    then = change_of(lowering, expr.then, one, env if guard is None else env.assuming(guard))
    otherwise = change_of(lowering, expr.otherwise, one, env if guard is None else env.assuming(negation(guard)))
    if then is None or otherwise is None:
        return None
    change = StateUpdate(computed=before)
    yes, no = (ConstantScalar(truth, column=TRUTH) for truth in (True, False))
    asked = test if guard is None else (Select(guard, (), yes, no, column=TRUTH),)
    kept = change.keep(lowering, asked, Type((), (TRUTH,)))
    change.declared.extend([*then.declared, *otherwise.declared])
    change.computed.append(Branch(None, kept, tuple(then.computed), tuple(otherwise.computed)))
    change.written.append(Branch(None, kept, tuple(then.written), tuple(otherwise.written)))
    return change
