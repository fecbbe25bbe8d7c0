"""The element at coordinates: any core expression as scalars over indices.

This is where maps become substitution, parts and reshapes index arithmetic, joins choices, and folds reductions.  What
needs memory of its own (a fold whose state is a ToL, a named ToL that is dearer than it looks) raises `NeedsSteps`,
and is then lowered as steps by `steps.py`.
"""

from __future__ import annotations

from functools import lru_cache

from tolang.core.core import (
    Apply,
    Bundle,
    Call,
    Component,
    Convert,
    Coordinate,
    Embed,
    Expr,
    If,
    Join,
    Let,
    Literal,
    Map,
    Measure,
    Part,
    Random,
    Reduce,
    Require,
    Reshape,
    Swap,
    Tile,
    Variable,
)
from tolang.core.tidy import free_names, own_names
from tolang.core.types import Type
from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.conditions import Condition, compare, negation
from tolang.ground.symbolic.sizes import ONE, ZERO, Size
from tolang.ground.system.recursion import HIGHEST
from tolang.ground.values.functions import COSTLY, REORDERABLE
from tolang.ground.values.spaces import Column, is_complex
from tolang.ground.values.spaces import column as column_of
from tolang.idioms.choice_fold import choice_fold_of
from tolang.idioms.tree_fold import keeps_kinds, with_element_named
from tolang.lower.corners import Asked, lifted
from tolang.lower.environment import Environment, LoweringState, Scalars, Stored, Virtual
from tolang.lower.positions import Indices, inside, reshaped
from tolang.plan.fused_sums import fused_steps
from tolang.plan.nest import (
    BELOW_ZERO,
    Buffer,
    Checked,
    ConstantScalar,
    ConstantTable,
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
from tolang.plan.traversal import dependencies, scalars_in
from tolang.plan.value_ranges import converted

Bindings = tuple[tuple[str, Scalar], ...]
MACHINE = {"bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "bf16", "f32", "f64", "c64", "c128"}


REMEMBERED = 4096
"""Of how many expressions it is remembered what they cost: a library's are shared by all calls of it."""


EXACT = frozenset({"f32", "f64", "bool"})
"""Storages whose arithmetic has a value for every argument."""


class NeedsSteps(Exception):
    """An element needs buffers or a loop of its own before it can be computed."""


def element(knowledge: LoweringState, expr: Expr, at: Indices, env: Environment) -> tuple[Scalar, ...]:
    """The list of an expression at coordinates, one scalar for each component."""
    match expr:
        case Literal(value=value):
            return tuple(ConstantScalar(value, column=_supported(c), span=expr.span) for c in expr.type.columns)
        case Measure(size=size):
            return (Index(env.size(size), column=expr.type.column, span=expr.span),)
        case Variable():
            return _variable(knowledge, expr, at, env)
        case Apply(function=function, arguments=arguments):
            parts = tuple(element(knowledge, a, (), env)[0] for a in arguments)
            return (Operation(function, parts, column=_supported(expr.type.column), span=expr.span),)
        case Map(iterators=iterators, body=body):
            count = len(iterators)
            return element(knowledge, body, at[count:], env.with_sizes(dict(zip(iterators, at[:count], strict=True))))
        case Part():
            return _part(knowledge, expr, at, env)
        case Component(subject=subject, position=position):
            return (element(knowledge, subject, at, env)[position - 1],)
        case Embed(parts=parts):
            return tuple(s for p in parts for s in element(knowledge, p, at, env))
        case Join():
            return _join(knowledge, expr, at, env)
        case Reshape(subject=subject):
            source = tuple(knowledge.simple(s, env) for s in env.shape(subject.type.shape))
            shape = tuple(knowledge.simple(s, env) for s in env.shape(expr.type.shape))
            there = reshaped(knowledge, at, shape, source, env)
            return element(knowledge, subject, there, env.knowing(inside(there, source)))
        case Tile(subject=subject):
            length = subject.type.shape[-1].constant
            assert isinstance(length, int)
            places = [(*at, Size.of(k)) for k in range(1, length + 1)]
            return tuple(s for place in places for s in element(knowledge, subject, place, env))
        case Convert(subject=subject):
            return _convert(knowledge, expr, element(knowledge, subject, at, env))
        case Swap():
            return _swap(knowledge, expr, at, env)
        case If():
            return _if(knowledge, expr, at, env)
        case Let() | Call():
            return _scope(knowledge, expr, at, env)
        case Require(condition=condition, body=body):
            asked = env.condition(condition)
            checks = () if knowledge.holds(asked, env) else (asked,)
            return guarded(element(knowledge, body, at, env.assuming(asked)), checks, expr)
        case Reduce():
            return _reduce(knowledge, expr, at, env)
        case Random(limit=limit, site=site, coordinates=coordinates):
            column = _supported(expr.type.column)
            drawn = Draw(site, env.shape(coordinates), column=column, span=expr.span)
            bound = element(knowledge, limit, (), env)[0]
            return (Operation("mul", (drawn, bound), column=column, span=expr.span),)
        case Bundle():
            raise NeedsSteps
    raise Unsupported(f"{type(expr).__name__.lower()} is left to the interpreter")


def _supported(column: Column) -> Column:
    if column.storage not in MACHINE:
        raise Unsupported(f"{column.storage} values are left to the interpreter")
    return column


def _variable(knowledge: LoweringState, expr: Variable, at: Indices, env: Environment) -> tuple[Scalar, ...]:
    match env.values[expr.name]:
        case Stored(buffers=buffers, prefix=prefix):
            return tuple(Load(b, (*prefix, *at), column=_supported(b.column), span=expr.span) for b in buffers)
        case Virtual(expr=inner, environment=scope):
            return element(knowledge, inner, at, scope.knowing(env.facts))
        case Scalars(parts=parts):
            return parts


def _part(knowledge: LoweringState, expr: Part, at: Indices, env: Environment) -> tuple[Scalar, ...]:
    """A member read at coordinates; what cannot be proved to be inside is checked."""
    indices: list[Size] = []
    checks: list[Condition] = []
    rest = list(at)
    for item, extent in zip(expr.items, env.shape(expr.subject.type.shape), strict=True):
        index = env.size(item.index) if isinstance(item, Coordinate) else env.size(item.start) + rest.pop(0) - 1
        index = knowledge.simple(index, env)
        checks.extend(knowledge.unproved(index, extent, env))
        indices.append(index)
    return guarded(element(knowledge, expr.subject, tuple(indices), env), tuple(checks), expr)


def guarded(parts: tuple[Scalar, ...], checks: tuple[Condition, ...], expr: Expr) -> tuple[Scalar, ...]:
    """Scalars whose coordinates are checked first; a plain load carries the checks itself."""
    if not checks:
        return parts
    made: list[Scalar] = []
    for part in parts:
        if isinstance(part, Load):
            made.append(Load(part.buffer, part.indices, part.checks + checks, column=part.column, span=expr.span))
        else:
            made.append(Checked(checks, part, column=part.column, span=expr.span))
    return tuple(made)


def _join(knowledge: LoweringState, expr: Join, at: Indices, env: Environment) -> tuple[Scalar, ...]:
    """The part that the coordinate along the joined axis falls into.

    Very many numbers that are written out are data, of very many other parts each is stored at its place.
    """
    if len(expr.parts) > HIGHEST:
        if not all(isinstance(part, Literal) and not part.type.shape for part in expr.parts):
            raise NeedsSteps
        return (Load(_table(knowledge, expr).buffer, at, column=expr.type.column, span=expr.span),)
    position = at[expr.axis]
    starts: list[Size] = []
    before = ZERO
    for part in expr.parts:
        starts.append(before)
        before = before + (env.size(part.type.shape[expr.axis]) if part.type.shape else ONE)
    result: tuple[Scalar, ...] | None = None
    for part, start in reversed(list(zip(expr.parts, starts, strict=True))):
        inside = (*at[: expr.axis], position - start, *at[expr.axis + 1 :])
        scope = env
        if result is not None:
            end = start + (env.size(part.type.shape[expr.axis]) if part.type.shape else ONE)
            here = compare("<=", position, end)
            if here.constant is False:
                continue
            scope = env.assuming(here)
        if start != ZERO:
            scope = scope.assuming(compare(">", position, start))
        values = element(knowledge, part, inside if part.type.shape else (), scope)
        values = cast(values, expr.type)
        if result is None or here.constant:
            result = values
        else:
            pairs = zip(values, result, strict=True)
            result = tuple(
                b if _is_one_number(a, b) else Select(here, (), a, b, column=a.column, span=expr.span) for a, b in pairs
            )
    assert result is not None
    return guarded(result, tuple(lengths_to_check(knowledge, expr, env)), expr)


def _is_one_number(one: Scalar, other: Scalar) -> bool:
    """Whether two scalars are the same number, to its sign, so that nobody need ask which is taken."""
    if not (isinstance(one, ConstantScalar) and isinstance(other, ConstantScalar)):
        return False
    return one.column == other.column and repr(one.value) == repr(other.value)


def _table(knowledge: LoweringState, expr: Join) -> ConstantTable:
    """A vector of literals as data."""
    known = knowledge.tables.get(expr)
    if known is None:
        name = knowledge.fresh("table")
        elements = tuple(part.value for part in expr.parts if isinstance(part, Literal))
        buffer = Buffer(f"{name}.1", _supported(expr.type.column), expr.type.shape, "input")
        known = knowledge.tables[expr] = ConstantTable(buffer, elements)
    return known


def lengths_to_check(knowledge: LoweringState, expr: Join, env: Environment) -> list[Condition]:
    """What is not known to hold of the lengths in a join: that each is one, since what is joined may be a range."""
    lengths = [env.size(part.type.shape[expr.axis]) for part in expr.parts if part.type.shape]
    wanted = [compare(">=", length, ZERO) for length in lengths]
    return [condition for condition in wanted if not knowledge.holds(condition, env)]


def cast(values: tuple[Scalar, ...], goal: Type) -> tuple[Scalar, ...]:
    """Scalars in the storages of a type list; blank zeros stand for lists of any capacity."""
    if len(values) < goal.capacity:
        values = values * goal.capacity
    made: list[Scalar] = []
    for value, column in zip(values, goal.columns, strict=True):
        if value.column.storage == column.storage:
            made.append(value)
        elif isinstance(value, ConstantScalar):
            made.append(ConstantScalar(value.value, column=_supported(column), span=value.span))
        else:
            made.append(Operation("cast", (value,), column=_supported(column), span=value.span))
    return tuple(made)


def _convert(knowledge: LoweringState, expr: Convert, values: tuple[Scalar, ...]) -> tuple[Scalar, ...]:
    if len(values) < expr.type.capacity:
        values = _parts(values[0])
    elif len(values) > expr.type.capacity:
        joined = Operation("complex", values, column=_supported(expr.type.column), span=expr.span)
        return (joined,)
    pairs = list(zip(values, expr.type.columns, strict=True))
    if any(is_complex(v.column.storage) and not is_complex(c.storage) for v, c in pairs):
        raise Unsupported("complex numbers that have to be real are left to the interpreter")
    return tuple(converted(v, _supported(c), expr.span) for v, c in pairs)


def _parts(value: Scalar) -> tuple[Scalar, ...]:
    """The real and the imaginary part of a complex number."""
    kind = column_of("f32" if value.column.storage == "c64" else "R")
    return tuple(Operation(part, (value,), column=kind, span=value.span) for part in ("real part", "imaginary part"))


def _swap(knowledge: LoweringState, expr: Swap, at: Indices, env: Environment) -> tuple[Scalar, ...]:
    """One axis rearranged by an order that was seen to be a permutation while checking."""
    if not _is_written_out(expr.order, env):
        raise Unsupported("swap by an order from data is left to the interpreter")
    name = knowledge.scalar_name("d")
    order = element(knowledge, expr.order, (at[expr.axis],), env)[0]
    inside = (*at[: expr.axis], Size.of(name), *at[expr.axis + 1 :])
    checks = knowledge.unproved(Size.of(name), env.size(expr.type.shape[expr.axis]), env)
    values = guarded(element(knowledge, expr.subject, inside, env), checks, expr)
    return tuple(Where(((name, order),), v, column=v.column, span=expr.span) for v in values)


def _is_written_out(expr: Expr, env: Environment) -> bool:
    """Whether a vector consists of literals."""
    if isinstance(expr, Variable):
        value = env.values.get(expr.name)
        return isinstance(value, Virtual) and _is_written_out(value.expr, value.environment)
    return isinstance(expr, Join) and all(isinstance(part, Literal) for part in expr.parts)


def _if(knowledge: LoweringState, expr: If, at: Indices, env: Environment) -> tuple[Scalar, ...]:
    guard = None if expr.guard is None else env.condition(expr.guard)
    test: tuple[Scalar, ...] = () if guard is not None else (element(knowledge, expr.written[0], (), env)[0],)
    if guard is not None:
        known = knowledge.ranges.decide(guard)
        if guard in env.facts:
            known = True
        if known is not None:
            return cast(element(knowledge, expr.then if known else expr.otherwise, at, env), expr.type)
    then = cast(element(knowledge, expr.then, at, env if guard is None else env.assuming(guard)), expr.type)
    other = env if guard is None else env.assuming(negation(guard))
    otherwise = cast(element(knowledge, expr.otherwise, at, other), expr.type)
    if len(then) == 1 or guard is not None:
        pairs = zip(then, otherwise, strict=True)
        return tuple(Select(guard, test, a, b, column=a.column, span=expr.span) for a, b in pairs)
    name = knowledge.scalar_name("q")
    shared = Named(name, column=test[0].column)
    pairs = zip(then, otherwise, strict=True)
    chosen = (Select(None, (shared,), a, b, column=a.column, span=expr.span) for a, b in pairs)
    return tuple(Where(((name, test[0]),), c, column=c.column, span=expr.span) for c in chosen)


def _scope(knowledge: LoweringState, expr: Let | Call, at: Indices, env: Environment) -> tuple[Scalar, ...]:
    """Names bound around an element: scalars get a name, ToLs are computed where read if that costs no more."""
    if isinstance(expr, Call):
        return _called(knowledge, expr, at, env)
    if expr.lengths or len(expr.names) != 1:
        raise NeedsSteps
    name, kind = expr.names[0], expr.value.type
    if kind.shape:
        if not inlines(expr, at, env):
            raise NeedsSteps
        values = element(knowledge, expr.body, at, env.with_value(name, Virtual(expr.value, env)))
        return values if not at and reads_once(expr.body, name) else _if_there(knowledge, values, expr.value, env)
    if at and not is_cheap(expr.value, env):
        raise NeedsSteps
    bindings, scope = _bound(knowledge, name, expr.value, env)
    return _where(bindings, element(knowledge, expr.body, at, scope))


def wanted(knowledge: LoweringState, value: Expr, env: Environment) -> Asked | None:
    """What a ToL asks for as a whole that is computed where it is read, though not all of it may be; None where data
    decides that, so that it is to be computed before."""
    shape = env.shape(value.type.shape)
    with knowledge.trying():
        names = tuple(knowledge.iterator("i", extent) for extent in shape)
        found = element(knowledge, value, tuple(map(Size.of, names)), env.within(shape))
    asked, without = lifted(knowledge, found, env, tuple(zip(names, shape, strict=True)))
    left = (one for each in without for one in scalars_in(each) if isinstance(one, Checked | Load) and one.checks)
    return asked if next(left, None) is None else None


def _if_there(knowledge: LoweringState, values: tuple[Scalar, ...], read: Expr, env: Environment) -> tuple[Scalar, ...]:
    """Values that read some elements of a ToL, where it has all of them."""
    asked = wanted(knowledge, read, env)
    if asked is None:
        raise NeedsSteps
    for condition, (complaint, span) in asked.items():
        values = tuple(Checked((condition,), one, complaint, column=one.column, span=span) for one in values)
    return values


def _called(knowledge: LoweringState, expr: Call, at: Indices, env: Environment) -> tuple[Scalar, ...]:
    """A call around an element: arguments are computed where they are read, those that are coordinates get a name."""
    scope = env.with_sizes({name: env.size(size) for name, size in expr.sizes})
    bindings: Bindings = ()
    for name, argument in expr.arguments:
        if not argument.type.shape and in_sizes(expr.body, name):
            more, scope = _bound(knowledge, name, argument, scope)
            bindings = (*bindings, *more)
        else:
            scope = scope.with_value(name, Virtual(argument, scope))
    values = element(knowledge, expr.body, at, scope)
    return _where(bindings, values)


def _where(bindings: Bindings, values: tuple[Scalar, ...]) -> tuple[Scalar, ...]:
    """Values of names that stand for something, if any do."""
    return tuple(Where(bindings, v, column=v.column) for v in values) if bindings else values


def _bound(knowledge: LoweringState, name: str, value: Expr, env: Environment) -> tuple[Bindings, Environment]:
    """A scalar under a name that values and sizes may mention."""
    values = element(knowledge, value, (), env)
    exact = _coordinate(values[0])
    if exact is not None and len(values) == 1:
        return (), env.with_value(name, Scalars(values)).with_sizes({name: exact})
    names = tuple(knowledge.scalar_name(name) for _ in values)
    named = Scalars(tuple(Named(n, column=v.column) for n, v in zip(names, values, strict=True)))
    return tuple(zip(names, values, strict=True)), env.with_value(name, named).with_sizes({name: Size.of(names[0])})


def _coordinate(scalar: Scalar) -> Size | None:
    """The size or coordinate that a scalar is, if only in a storage that holds all of them."""
    match scalar:
        case Index(size=size):
            return size
        case Operation(function="cast", arguments=(Index(size=size),)) if scalar.column.storage in ("i64", "f64"):
            return size
    return None


@lru_cache(maxsize=REMEMBERED)
def in_sizes(expr: Expr, name: str) -> bool:
    """Whether coordinates or lengths in an expression mention a name."""
    waiting, seen = [expr], {id(expr)}
    while waiting:
        one = waiting.pop()
        if not isinstance(one, Variable) and name in own_names(one):
            return True
        fresh = [child for child in one.children() if id(child) not in seen]
        seen.update(id(child) for child in fresh)
        waiting.extend(fresh)
    return False


def may_inline(expr: Let, env: Environment) -> bool:
    """Whether a named ToL at the head of steps only moves elements, so that it need not be stored.

    One that computes is stored: what follows a contraction belongs into its epilogue, not into the packing of the next
    one, which reads elements many times.  Where each element is read once, the pass `inline` takes the buffer away.
    """
    return functions(expr.value, env) == 0 and not _contains_join(expr.value)


@lru_cache(maxsize=REMEMBERED)
def _contains_join(expr: Expr) -> bool:
    return isinstance(expr, Join) or any(_contains_join(child) for child in expr.children())


def inlines(expr: Let, at: Indices, env: Environment) -> bool:
    """Whether a named ToL may be computed where it is read: it moves elements only, or is read once by a fold."""
    cheap = is_cheap(expr.value, env) and not may_fail(expr.value)
    return cheap or (not at and reads_once(expr.body, expr.names[0]))


@lru_cache(maxsize=REMEMBERED)
def may_fail(expr: Expr) -> bool:
    """Whether an element nobody reads could still be an error: whole numbers overflow."""
    own = isinstance(expr, Apply) and not (expr.type.column.storage in EXACT or expr.type.column.space.is_machine)
    return own or any(may_fail(child) for child in expr.children())


def is_cheap(expr: Expr, env: Environment) -> bool:
    """At most two functions for each element, and no fold."""
    return functions(expr, env) <= 2


def functions(expr: Expr, env: Environment) -> int:
    """How many functions one element costs, what names stand for included; a fold counts as many."""
    total, names = _weight(expr)
    for name in names:
        value = env.values.get(name)
        if isinstance(value, Virtual):
            total += functions(value.expr, value.environment)
    return total


@lru_cache(maxsize=REMEMBERED)
def _weight(expr: Expr) -> tuple[int, tuple[str, ...]]:
    """What the functions of an expression cost, and the names in it, as often as they occur."""
    if isinstance(expr, Variable):
        return 0, (expr.name,)
    own = 1000 if isinstance(expr, Reduce) else 0
    if isinstance(expr, Apply):
        own = 8 if expr.function in COSTLY else 1
    own += 20 if isinstance(expr, Random) else 0
    inside = [_weight(child) for child in expr.children()]
    return own + sum(weight for weight, _ in inside), tuple(name for _, names in inside for name in names)


def reads_once(expr: Expr, name: str) -> bool:
    """Whether each element of a name is read once: by one fold over its own coordinates, outside any other loop."""
    match expr:
        case Reduce(iterators=iterators, initials=initials, step=step):
            outside = any(name in free_names(i) for i in initials)
            return not outside and _reads(step, name) == 1 and _read_at(step, name, iterators)
        case Let(value=value, body=body):
            if name in free_names(value):
                return name not in free_names(body) and reads_once(value, name)
            return reads_once(body, name)
        case Apply(arguments=arguments):
            using = [a for a in arguments if name in free_names(a)]
            return len(using) == 1 and reads_once(using[0], name)
        case Call(body=body, arguments=()):
            return reads_once(body, name)
        case Component(subject=subject):
            return reads_once(subject, name)
    return False


def _reads(expr: Expr, name: str) -> int:
    own = 1 if isinstance(expr, Variable) and expr.name == name else 0
    inner = sum(_reads(child, name) for child in expr.children())
    return own + (inner * 1000 if isinstance(expr, Map | Reduce | If) else inner)


def _read_at(expr: Expr, name: str, iterators: tuple[str, ...]) -> bool:
    """Whether the one read of a name is at a fold's own iterators."""
    if isinstance(expr, Part) and isinstance(expr.subject, Variable) and expr.subject.name == name:
        indices = [item.index for item in expr.items if isinstance(item, Coordinate)]
        return sorted(map(str, indices)) == sorted(iterators)
    return any(_read_at(child, name, iterators) for child in expr.children())


def _reduce(knowledge: LoweringState, expr: Reduce, at: Indices, env: Environment) -> tuple[Scalar, ...]:
    """A fold with a numeric or list as its state, as a reduction inside a scalar expression."""
    if at or expr.lengths or len(expr.states) != 1 or expr.state_types[0].shape or expr.type.parts:
        raise NeedsSteps
    kind = expr.state_types[0]
    extents = tuple(knowledge.simple(e, env) for e in env.shape(expr.extents))
    iterators = tuple(knowledge.iterator(i, e) for i, e in zip(expr.iterators, extents, strict=True))
    renamed = {old: Size.of(new) for old, new in zip(expr.iterators, iterators, strict=True)}
    scope = env.within(extents).with_sizes(renamed)
    states = tuple(knowledge.scalar_name(expr.states[0]) for _ in kind.columns)
    named = tuple(Named(n, column=c) for n, c in zip(states, kind.columns, strict=True))
    scope = scope.with_value(expr.states[0], Scalars(named)).with_sizes({expr.states[0]: Size.of(states[0])})
    initials = cast(element(knowledge, expr.initials[0], (), env), kind)
    loops = tuple(zip(iterators, extents, strict=True))
    asked, stepped = lifted(knowledge, element(knowledge, expr.step, (), scope), scope, loops, states)
    steps = cast(stepped, kind)
    combine, steps = _combine(steps, states), fused_steps(steps, states)
    group = Group(iterators, extents, states, kind.columns, initials, steps, combine, expr.associative)
    if group.associative and len(states) > 1 and choice_fold_of(group) is None:
        group = _merging(knowledge, expr, group, scope) or group
    folded: list[Scalar] = [Reduction(group, p, column=c, span=expr.span) for p, c in enumerate(kind.columns)]
    for condition, (complaint, span) in asked.items():
        folded = [Checked((condition,), one, complaint, column=one.column, span=span) for one in folded]
    lengths = [compare(">=", extent, ZERO) for extent in extents]
    checks = tuple(one for one in lengths if not knowledge.holds(one, env))
    if checks:
        folded = [Checked(checks, one, BELOW_ZERO, column=one.column, span=expr.span) for one in folded]
    return tuple(folded)


def _merging(knowledge: LoweringState, expr: Reduce, group: Group, scope: Environment) -> Group | None:
    """A fold by an associative function with names for its element, in the storages of the state; see `merges`."""
    kind, name = expr.state_types[0], knowledge.fresh("element")
    named = with_element_named(expr, name)
    if named is None:
        return None
    elements = cast(element(knowledge, named[0], (), scope), kind)
    names = tuple(knowledge.scalar_name("e") for _ in elements)
    parts = tuple(Named(n, column=c) for n, c in zip(names, kind.columns, strict=True))
    within = scope.with_value(name, Scalars(parts)).with_sizes({name: Size.of(names[0])})
    steps = cast(element(knowledge, named[1], (), within), kind)
    bindings = tuple(zip(names, elements, strict=True))
    merging = replace(group, steps=tuple(Where(bindings, step, column=step.column) for step in steps))
    return merging if keeps_kinds(steps) else None


def _combine(steps: tuple[Scalar, ...], states: tuple[str, ...]) -> str | None:
    """The basic function of a step f(state, element), where it is one that may be reordered."""
    if len(steps) != 1 or not isinstance(steps[0], Operation) or steps[0].function not in REORDERABLE:
        return None
    first, second = steps[0].arguments
    uses = isinstance(first, Named) and first.name == states[0]
    return steps[0].function if uses and states[0] not in dependencies(second) else None
