"""Whole ToLs as steps: buffers, nests over coordinates, folds with state in memory.

`store` computes an expression into buffers at given leading coordinates.  It tries the element form first, so that a
map becomes one nest however deep its expression; only what needs memory of its own becomes several steps.
"""

from __future__ import annotations

from functools import lru_cache

from tolang.core.core import Apply, Bundle, Call, Core, Expr, If, Join, Let, Map, Random, Reduce, Require, Variable
from tolang.core.invariants import with_invariants_first
from tolang.core.rebuild import rebuild
from tolang.core.types import Type
from tolang.ground.reporting.diagnostics import Span
from tolang.ground.symbolic.conditions import compare, negation
from tolang.ground.symbolic.sizes import ONE, ZERO, Size, extremum
from tolang.ground.system.recursion import HIGHEST
from tolang.ground.values.spaces import is_complex
from tolang.lower.aliases import made_by, name_inside, ready
from tolang.lower.corners import demanded
from tolang.lower.elements import (
    MACHINE,
    REMEMBERED,
    NeedsSteps,
    cast,
    element,
    functions,
    in_sizes,
    lengths_to_check,
    may_fail,
    may_inline,
    wanted,
)
from tolang.lower.environment import Binding, Environment, LoweringState, Place, Scalars, Stored, Virtual
from tolang.lower.interface import INDEX, Destination
from tolang.lower.preconditions import asked, tells_length
from tolang.lower.read_once import MOST, Reads, is_plain
from tolang.lower.scalars_together import together
from tolang.lower.updates import placed
from tolang.lower.whole_numbers import number_of
from tolang.plan.nest import (
    BELOW_ZERO,
    RANGE_OUTSIDE,
    Allocate,
    Assign,
    Bind,
    Branch,
    Buffer,
    ConstantScalar,
    Each,
    Index,
    Load,
    Named,
    Nest,
    Plan,
    RequireStep,
    Scalar,
    Step,
    Unsupported,
    unmet,
)
from tolang.plan.rewriting import map_lists


def lower(program: Core) -> Plan:
    """A checked program as a plan.  Raises `Unsupported` where something in it is beyond nests."""
    program = with_invariants_first(program)
    knowledge = LoweringState()
    values: dict[str, Stored | Scalars] = {}
    inputs: list[Buffer] = []
    sizes: dict[str, Size] = {}
    steps: list[Step] = []
    for name in program.sizes:
        knowledge.ranges.declare(name, ZERO, None)
    for one in program.inputs:
        buffers = tuple(
            Buffer(f"{one.name}.{k}", c, one.type.shape, "input") for k, c in enumerate(one.type.columns, 1)
        )
        inputs.extend(buffers)
        if one.type.shape:
            values[one.name] = Stored(buffers, one.type.shape)
            continue
        if any(b.column.storage not in MACHINE or is_complex(b.column.storage) for b in buffers):
            if in_sizes(program.body, one.name):
                raise Unsupported(f"a length or coordinate in {buffers[0].column.storage} is left to the interpreter")
            values[one.name] = Stored(buffers, ())
            continue
        names = [knowledge.scalar_name(one.name) for _ in buffers]
        steps.extend(Bind(n, Load(b, (), column=b.column)) for n, b in zip(names, buffers, strict=True))
        values[one.name] = Scalars(tuple(Named(n, column=b.column) for n, b in zip(names, buffers, strict=True)))
        sizes[one.name] = Size.of(names[0])
    lowering = Lowering(knowledge, Reads(program.body))
    env = Environment(sizes, values)
    outputs: list[tuple[Buffer, ...]] = []
    body_steps = lowering.outputs(program, env, outputs)
    tables = tuple(knowledge.tables.values())
    taken = *inputs, *(table.buffer for table in tables)
    plan = Plan(program.sizes, taken, (*steps, *body_steps), tuple(outputs), tables)
    return map_lists(plan, _asking_first)


def _asking_first(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Steps that ask for something before memory is taken for what they ask it for."""
    found: list[Step] = []
    for step in steps:
        place = len(found)
        while isinstance(step, RequireStep) and place and isinstance(found[place - 1], Allocate):
            place -= 1
        found.insert(place, step)
    return tuple(found)


class Lowering:
    """One program on its way to a plan; `around` counts the maps and folds around what is lowered."""

    def __init__(self, knowledge: LoweringState, reads: Reads) -> None:
        self.knowledge, self.reads = knowledge, reads
        self.around = 0
        self._called: dict[str, str] = {}
        """Names whose values are those of others around them, which are known better."""

    def outputs(self, program: Core, env: Environment, outputs: list[tuple[Buffer, ...]]) -> list[Step]:
        """The steps of the program's body, whose bundle is stored in output buffers."""
        steps, body, env = self.open(program.body, env)
        assert isinstance(body, Bundle)
        taken: set[str] = set()
        for part, output in zip(body.parts, program.outputs, strict=True):
            held = ready(part, output.type, env, taken)
            if held is not None:
                outputs.append(held)
                continue
            steps.extend(asked(self.knowledge, part, env))
            shape = env.shape(part.type.shape)
            buffers = self.buffers(output.name, Type(shape, output.type.columns), part.span, "output")
            steps.extend(Allocate(b) for b in buffers)
            steps.extend(self.store(part, Destination(buffers), env))
            outputs.append(buffers)
        return steps

    def buffers(self, base: str, kind: Type, span: Span | None, role: str = "scratch") -> tuple[Buffer, ...]:
        """A buffer for each component of a ToL, which the source gives a name, or describes, at a span."""
        name = self.knowledge.fresh(base)
        for one in kind.columns:
            if one.storage not in MACHINE:
                raise Unsupported(f"{one.storage} values are left to the interpreter")
        return tuple(Buffer(f"{name}.{k}", c, kind.shape, role, span=span) for k, c in enumerate(kind.columns, 1))

    def open(self, expr: Expr, env: Environment) -> tuple[list[Step], Expr, Environment]:
        """The bindings around an expression as steps, and what is left inside."""
        steps: list[Step] = []
        while True:
            match expr:
                case Let():
                    more, env = self.bind(expr, env)
                    steps.extend(more)
                    expr = expr.body
                case Require(condition=condition, message=message, span=span, body=body):
                    steps.append(RequireStep(env.condition(condition), unmet(message), span))
                    expr = body
                case Call(sizes=sizes, arguments=arguments, body=body):
                    env = env.with_sizes({name: env.size(size) for name, size in sizes})
                    for name, argument in arguments:
                        more, env = self.bind_value(name, argument, env)
                        steps.extend(more)
                    expr = body
                case _:
                    return steps, expr, env

    def bind(self, expr: Let, env: Environment) -> tuple[list[Step], Environment]:
        """A named value: a scalar, a buffer, or nothing yet where it only moves elements."""
        demands: list[Step] = [] if self.around else [*asked(self.knowledge, expr.value, env)]
        if len(expr.names) == 1 and not expr.lengths and not expr.value.type.parts:
            if expr.value.type.shape and may_inline(expr, env):
                before = self._wanted(expr.value, env)
                if before is not None:
                    return [*demands, *before], env.with_value(expr.names[0], Virtual(expr.value, env))
                bound, env = self._bind_stored(expr.names[0], expr.value, env)
            else:
                bound, env = self.bind_value(expr.names[0], expr.value, env)
            return [*demands, *bound], env
        steps, value, scope = self.open(expr.value, env)
        stored: tuple[Binding, ...]
        match value:
            case Reduce():
                more, stored, lengths = self.fold(value, scope)
            case If():
                more, stored, lengths = self.branch(value, expr, scope)
            case Bundle(parts=parts):
                more, stored, lengths = self._bundle(parts, scope)
            case _ if not value.type.parts:
                more, stored, lengths = self._bundle((value,), scope)
            case _:
                raise Unsupported("this bundle is left to the interpreter")
        for name, part in zip(expr.names, stored, strict=True):
            env = env.with_value(name, part)
            if isinstance(part, Scalars):
                env = env.with_sizes({name: _size_of(part.parts[0])})
        env = env.with_sizes({name: lengths[part, axis] for name, part, axis in expr.lengths})
        return [*demands, *steps, *more], env

    def _wanted(self, value: Expr, env: Environment) -> list[Step] | None:
        """What a ToL asks for that is computed where it is read; None where it is to be computed before."""
        try:
            found = wanted(self.knowledge, value, env)
        except NeedsSteps:
            return None
        return None if found is None else [RequireStep(condition, *told) for condition, told in found.items()]

    def bundled(self, expr: Reduce, env: Environment) -> tuple[list[Step], Bundle, Environment]:
        """A fold of several values, and a bundle of names for what they are in the end."""
        steps, stored, _ = self.fold(expr, env)
        parts: list[Expr] = []
        for kind, part in zip(expr.type.parts, stored, strict=True):
            name = self.knowledge.fresh("part")
            parts.append(Variable(name, type=kind, span=expr.span))
            env = env.with_value(name, part)
            if isinstance(part, Scalars):
                env = env.with_sizes({name: _size_of(part.parts[0])})
        return steps, Bundle(tuple(parts), type=expr.type, span=expr.span), env

    def _bundle(
        self, parts: tuple[Expr, ...], env: Environment
    ) -> tuple[list[Step], tuple[Binding, ...], dict[tuple[int, int], Size]]:
        """Several values held together, each bound by itself."""
        steps: list[Step] = []
        bound: list[Binding] = []
        lengths: dict[tuple[int, int], Size] = {}
        for position, part in enumerate(parts):
            name = self.knowledge.fresh("part")
            more, scope = self.bind_value(name, part, env)
            steps.extend(more)
            bound.append(scope.values[name])
            lengths.update({(position, axis): length for axis, length in enumerate(env.shape(part.type.shape))})
        return steps, tuple(bound), lengths

    def bind_value(self, name: str, value: Expr, env: Environment) -> tuple[list[Step], Environment]:
        kind = value.type
        if kind.shape:
            moves = _moves_only(value)
            return ([], env.with_value(name, Virtual(value, env))) if moves else self._bind_stored(name, value, env)
        if any(is_complex(column.storage) for column in kind.columns):  # which are wider than what names are held in
            buffers = self.buffers(name, kind, value.span)
            made = [*map(Allocate, buffers), *self.store(value, Destination(buffers), env)]
            return made, env.with_value(name, Stored(buffers, ()))
        steps, parts = self.scalars(value, env)
        number = number_of(parts[0], self.knowledge.numbers) if len(parts) == 1 else None
        if isinstance(number, int):
            same = Scalars((ConstantScalar(number, column=parts[0].column),))
            return steps, env.with_value(name, same).with_sizes({name: Size.of(number)})
        known = [env.loaded.get(_place(part)) for part in parts]
        named = tuple(
            k or Named(self.knowledge.scalar_name(name), column=p.column) for k, p in zip(known, parts, strict=True)
        )
        steps.extend(Bind(n.name, p) for n, p, k in zip(named, parts, known, strict=True) if k is None)
        if number is not None:
            self.knowledge.numbers[named[0].name] = number
        env = env.with_loaded({_place(p): n for n, p in zip(named, parts, strict=True) if isinstance(p, Load)})
        return steps, env.with_value(name, Scalars(named)).with_sizes({name: Size.of(named[0].name)})

    def _bind_stored(self, name: str, value: Expr, env: Environment) -> tuple[list[Step], Environment]:
        """A ToL in buffers, under a name."""
        kind, called = value.type, self._called.pop(name, name)
        inner, outer = name_inside(value), self._called
        if inner is not None:
            self._called = {**outer, inner: called}
        steps, value, scope = self.open(value, env)
        self._called = outer
        if isinstance(value, Reduce):
            more, stored, _ = self.fold(value, scope)
            return [*steps, *more], env.with_value(name, stored[0])
        shape = scope.shape(kind.shape)
        own = made_by(steps, value, shape, scope)
        if own is not None:
            return steps, env.with_value(name, own)
        if self.reads.extents(name) == kind.shape and self._may_wait(value, scope):
            return steps, env.with_value(name, Virtual(value, scope))
        buffers = self.buffers(called, Type(shape, kind.columns), value.span)
        steps.extend(Allocate(b) for b in buffers)
        steps.extend(self.store(value, Destination(buffers), scope))
        return steps, env.with_value(name, Stored(buffers, shape))

    def _may_wait(self, value: Expr, env: Environment) -> bool:
        """Whether a ToL is a map of few functions, none of which can fail: it may be computed where it is read."""
        plain = isinstance(value, Map) and is_plain(value.body) and not may_fail(value)
        return plain and functions(value, env) <= MOST

    def scalars(self, expr: Expr, env: Environment) -> tuple[list[Step], tuple[Scalar, ...]]:
        """A numeric or single list: steps it needs first, and its scalars."""
        try:
            return [], element(self.knowledge, expr, (), env)
        except NeedsSteps:
            pass
        steps, inner, scope = self.open(expr, env)
        if isinstance(inner, Reduce):
            more, stored, _ = self.fold(inner, scope)
            part = stored[0]
            assert isinstance(part, Scalars)
            return [*steps, *more], part.parts
        if inner is not expr:
            more, parts = self.scalars(inner, scope)
            return [*steps, *more], parts
        return self._scalars_of_parts(expr, env)

    def _scalars_of_parts(self, expr: Expr, env: Environment) -> tuple[list[Step], tuple[Scalar, ...]]:
        """An expression one of whose direct parts needs steps: those parts are bound first."""
        if isinstance(expr, If):
            return self._scalar_branch(expr, env)
        steps, settled, scope = self._settled(expr, env)
        try:
            return steps, element(self.knowledge, settled, (), scope)
        except NeedsSteps:
            raise Unsupported(f"{type(expr).__name__.lower()} is left to the interpreter") from None

    def _settled(self, expr: Expr, env: Environment) -> tuple[list[Step], Expr, Environment]:
        """An expression with every direct part that needs steps bound to a name."""
        steps: list[Step] = []
        scope = env

        def settle(child: Expr) -> Expr:
            nonlocal scope
            if self._is_plain(child, env):
                return child
            name = self.knowledge.fresh("part")
            more, scope = self.bind_value(name, child, scope)
            steps.extend(more)
            return Variable(name, type=child.type, span=child.span)

        settled = rebuild(expr, settle)
        if settled is expr:
            raise Unsupported(f"{type(expr).__name__.lower()} is left to the interpreter")
        return steps, settled, scope

    def _is_plain(self, expr: Expr, env: Environment) -> bool:
        """Whether an expression can be read element by element as it stands."""
        if expr.type.shape:
            return _moves_only(expr)
        try:
            element(self.knowledge, expr, (), env)
        except NeedsSteps:
            return False
        return True

    def _scalar_branch(self, expr: If, env: Environment) -> tuple[list[Step], tuple[Scalar, ...]]:
        names = [self.knowledge.scalar_name("b") for _ in expr.type.columns]
        steps: list[Step] = [
            Bind(n, ConstantScalar(0, column=c), mutable=True) for n, c in zip(names, expr.type.columns, strict=True)
        ]
        guard = None if expr.guard is None else env.condition(expr.guard)
        before, test = ([], ()) if guard is not None else self.test(expr, env)
        branches: list[tuple[Step, ...]] = []
        for positive, body in ((True, expr.then), (False, expr.otherwise)):
            known = env if guard is None else env.assuming(guard if positive else negation(guard))
            more, parts = self.scalars(body, known)
            parts = cast(parts, expr.type)
            branches.append((*more, *(Assign(n, p) for n, p in zip(names, parts, strict=True))))
        steps = [*before, *steps, Branch(guard, test, branches[0], branches[1])]
        return steps, tuple(Named(n, column=c) for n, c in zip(names, expr.type.columns, strict=True))

    def test(self, expr: If, env: Environment) -> tuple[list[Step], tuple[Scalar, ...]]:
        steps, parts = self.scalars(expr.written[0], env)
        return steps, (parts[0],)

    def store(self, expr: Expr, target: Destination, env: Environment) -> list[Step]:
        """Computes an expression into buffers."""
        if isinstance(expr, Join):
            demands, known = self._lengths_demanded(expr, env)
            if demands:
                return [*demands, *self.store(expr, target, known)]
        shape = env.shape(expr.type.shape)
        try:
            return self._nest(expr, shape, target, env)
        except NeedsSteps:
            pass
        steps, inner, scope = self.open(expr, env)
        if inner is not expr:
            return [*steps, *self.store(inner, target, scope)]
        match expr:
            case Map(iterators=iterators, body=body):
                return [self._each(iterators, shape, body, target, env)]
            case Join():
                return self.store_parts(expr, target, env)
            case If():
                return self._store_branch(expr, target, env)
        if not shape:
            more, values = self.scalars(expr, env)
            return [*more, self.store_scalars(values, expr.type, target)]
        if isinstance(expr, Reduce):
            more, stored, _ = self.fold(expr, env, target)
            if isinstance(stored[0], Stored) and stored[0].buffers is target.buffers:
                return more
            return [*more, *self.store(Variable("state", type=expr.type), target, env.with_value("state", stored[0]))]
        steps, settled, scope = self._settled(expr, env)
        try:
            return [*steps, *self._nest(settled, shape, target, scope)]
        except NeedsSteps:
            raise Unsupported(f"{type(expr).__name__.lower()} is left to the interpreter") from None

    def _lengths_demanded(self, expr: Join, env: Environment) -> tuple[list[Step], Environment]:
        """What is asked of the lengths in a join, and what is known then."""
        wanted = lengths_to_check(self.knowledge, expr, env)
        for one in wanted:
            env = env.assuming(one)
        return [RequireStep(one, RANGE_OUTSIDE, expr.span) for one in wanted], env

    def _nest(self, expr: Expr, shape: tuple[Size, ...], target: Destination, env: Environment) -> list[Step]:
        """One nest over all coordinates, where the element needs no memory of its own, and what it asks for."""
        base = _iterator_names(expr, len(shape))
        iterators = tuple(self.knowledge.iterator(b, e) for b, e in zip(base, shape, strict=True))
        at = tuple(Size.of(i) for i in iterators)
        scope = env.within(shape)
        demands, values = demanded(self.knowledge, element(self.knowledge, expr, at, scope), scope, iterators, shape)
        kind = Type((), tuple(b.column for b in target.buffers))
        targets = tuple((b, target.place(at)) for b in target.buffers)
        return [*demands, Nest(iterators, shape, targets, cast(values, kind), _origin(target))]

    def store_scalars(self, values: tuple[Scalar, ...], kind: Type, target: Destination) -> Nest:
        goal = Type((), tuple(b.column for b in target.buffers))
        return Nest((), (), tuple((b, target.place(())) for b in target.buffers), cast(values, goal), _origin(target))

    def _each(
        self, iterators: tuple[str, ...], shape: tuple[Size, ...], body: Expr, target: Destination, env: Environment
    ) -> Each:
        """A map whose body needs steps of its own at every coordinate."""
        count = len(iterators)
        fresh = tuple(self.knowledge.iterator(i, e) for i, e in zip(iterators, shape[:count], strict=True))
        at = tuple(Size.of(i) for i in fresh)
        scope = env.within(shape[:count]).with_sizes(dict(zip(iterators, at, strict=True)))
        self.around += 1
        steps = self.store(body, target.below(at), scope)
        self.around -= 1
        return Each(fresh, shape[:count], tuple(steps))

    def store_parts(self, expr: Join, target: Destination, env: Environment) -> list[Step]:
        """Computes the parts of a join, each where it goes."""
        steps, env = self._lengths_demanded(expr, env)
        for part, before in placed(expr, env):
            shifted = target.shifted(expr.axis, before, expr.type.rank)
            if part.type.shape:
                steps.extend(self.store(part, shifted, env))
            else:
                more, values = self.scalars(part, env)
                single = Destination(target.buffers, shifted.place((ONE,) * expr.type.rank))
                steps.extend([*more, self.store_scalars(values, part.type, single)])
        return together(steps, self.knowledge) if len(expr.parts) > HIGHEST else steps

    def _store_branch(self, expr: If, target: Destination, env: Environment) -> list[Step]:
        guard = None if expr.guard is None else env.condition(expr.guard)
        if guard is not None and guard.constant is not None:
            return self.store(expr.then if guard.constant else expr.otherwise, target, env)
        before, test = ([], ()) if guard is not None else self.test(expr, env)
        then = self.store(expr.then, target, env if guard is None else env.assuming(guard))
        otherwise = self.store(expr.otherwise, target, env if guard is None else env.assuming(negation(guard)))
        return [*before, Branch(guard, test, tuple(then), tuple(otherwise))]

    def branch(
        self, expr: If, let: Let, env: Environment
    ) -> tuple[list[Step], tuple[Stored | Scalars, ...], dict[tuple[int, int], Size]]:
        """A choice of ToLs one of whose lengths differs, kept in buffers long enough for either."""
        if expr.type.parts and let.lengths:
            raise Unsupported("a choice of bundles whose lengths differ is left to the interpreter")
        if expr.type.parts:
            return self._choice_of_bundles(expr, env)
        guard = None if expr.guard is None else env.condition(expr.guard)
        before, test = ([], ()) if guard is not None else self.test(expr, env)
        scopes = (env, env) if guard is None else (env.assuming(guard), env.assuming(negation(guard)))
        opened = [self.open(b, scope) for b, scope in zip((expr.then, expr.otherwise), scopes, strict=True)]
        ((_, _, axis),) = let.lengths
        shapes = [scope.shape(inner.type.shape) for _, inner, scope in opened]
        rooms = [self._room(shape, steps) for shape, (steps, _, _) in zip(shapes, opened, strict=True)]
        longest = [*rooms[0]]
        longest[axis] = extremum("max", [rooms[0][axis], rooms[1][axis]])
        name = self.knowledge.length_name("length", longest[axis])
        buffers = self.buffers(let.names[0], Type(tuple(longest), expr.type.columns), expr.span)
        branches = []
        for (first, inner, scope), shape in zip(opened, shapes, strict=True):
            demands = self._demands_of_side(inner, shape[axis], scope)
            stored = self.store(inner, Destination(buffers), scope)
            branches.append((*first, *demands, *stored, Assign(name, Index(shape[axis], column=INDEX))))
        steps = [
            *before,
            Bind(name, Index(ZERO, column=INDEX), mutable=True),
            *(Allocate(b) for b in buffers),
            Branch(guard, test, branches[0], branches[1]),
        ]
        shape = (*longest[:axis], Size.of(name), *longest[axis + 1 :])
        return steps, (Stored(buffers, shape),), {(0, axis): Size.of(name)}

    def _demands_of_side(self, expr: Expr, length: Size, env: Environment) -> list[Step]:
        """What one side of a choice demands before its length is bound: the name of a length is never below zero."""
        ranges = [] if self.around else asked(self.knowledge, expr, env)
        told = any(tells_length(self.knowledge, demand.condition, length) for demand in ranges)
        return [*ranges, *([] if told else self.demand_lengths((length,), expr.span, env))]

    def _room(self, shape: tuple[Size, ...], steps: list[Step]) -> tuple[Size, ...]:
        """A shape at its longest, as it is known before the steps that bind lengths of it."""
        bound = {step.name for step in steps if isinstance(step, Bind)}
        room = []
        for length in shape:
            while length.names() & bound:
                name = min(length.names() & bound)
                _, greatest = self.knowledge.ranges.ranges.get(name, (None, None))
                split = length.split(name)
                if greatest is None or split is None or not self.knowledge.ranges.proves_nonnegative(split[0]):
                    raise Unsupported("a choice of lengths that are computed inside is left to the interpreter")
                length = split[0] * greatest + split[1]
            room.append(length)
        return tuple(room)

    def _choice_of_bundles(
        self, expr: If, env: Environment
    ) -> tuple[list[Step], tuple[Stored | Scalars, ...], dict[tuple[int, int], Size]]:
        """A choice of several values together, each kept in buffers or in names that may change."""
        steps: list[Step] = []
        kept: list[Stored | Scalars] = []
        for kind in expr.type.parts:
            if kind.shape:
                buffers = self.buffers("chosen", Type(env.shape(kind.shape), kind.columns), expr.span)
                steps.extend(Allocate(b) for b in buffers)
                kept.append(Stored(buffers, env.shape(kind.shape)))
            else:
                names = [Named(self.knowledge.scalar_name("chosen"), column=c) for c in kind.columns]
                steps.extend(Bind(n.name, ConstantScalar(0, column=n.column), mutable=True) for n in names)
                kept.append(Scalars(tuple(names)))
        return [*steps, *self._keep(expr, tuple(kept), env)], tuple(kept), {}

    def _keep(self, expr: Expr, kept: tuple[Stored | Scalars, ...], env: Environment) -> list[Step]:
        """The parts of a bundle, or of the one that is chosen, put where they are kept."""
        steps, inner, scope = self.open(expr, env)
        if isinstance(inner, If):
            guard = None if inner.guard is None else scope.condition(inner.guard)
            if guard is not None and guard.constant is not None:
                return [*steps, *self._keep(inner.then if guard.constant else inner.otherwise, kept, scope)]
            before, test = ([], ()) if guard is not None else self.test(inner, scope)
            then = self._keep(inner.then, kept, scope if guard is None else scope.assuming(guard))
            otherwise = self._keep(inner.otherwise, kept, scope if guard is None else scope.assuming(negation(guard)))
            return [*steps, *before, Branch(guard, test, tuple(then), tuple(otherwise))]
        if not isinstance(inner, Bundle):
            raise Unsupported("this bundle is left to the interpreter")
        for part, goal in zip(inner.parts, kept, strict=True):
            if isinstance(goal, Stored):
                steps.extend(self.store(part, Destination(goal.buffers), scope))
            else:
                more, values = self.scalars(part, scope)
                named = zip(goal.parts, cast(values, Type((), tuple(n.column for n in goal.parts))), strict=True)
                steps.extend([*more, *(Assign(_name(n), v) for n, v in named)])
        return steps

    def demand_lengths(self, lengths: tuple[Size, ...], span: Span | None, env: Environment) -> list[Step]:
        """Steps that ask for what is not known: that no length is below zero."""
        wanted = [compare(">=", length, ZERO) for length in lengths]
        return [RequireStep(one, BELOW_ZERO, span) for one in wanted if not self.knowledge.holds(one, env)]

    def fold(
        self, expr: Reduce, env: Environment, target: Destination | None = None
    ) -> tuple[list[Step], tuple[Stored | Scalars, ...], dict[tuple[int, int], Size]]:
        """A fold with its state in names and buffers, those of a target where it fits."""
        from tolang.lower.folds import lower_fold

        self.around += 1
        lowered = lower_fold(self, expr, env, target)
        self.around -= 1
        return lowered


def _place(scalar: Scalar) -> Place | None:
    """What an element that is read is known by: who asks for more before it reads the same element reads it again."""
    return (scalar.buffer.name, scalar.indices, scalar.checks) if isinstance(scalar, Load) else None


def _size_of(scalar: Scalar) -> Size:
    """A scalar that is known by a name, or a number, as a size."""
    return Size.of(scalar.value if isinstance(scalar, ConstantScalar) else _name(scalar))


def _name(scalar: Scalar) -> str:
    assert isinstance(scalar, Named)
    return scalar.name


@lru_cache(maxsize=REMEMBERED)
def _moves_only(expr: Expr) -> bool:
    """Whether an element costs nothing, so that reading it through is as good as a copy."""
    if isinstance(expr, Apply | Random | Reduce | If | Let | Join):
        return False
    return all(_moves_only(child) for child in expr.children())


def _iterator_names(expr: Expr, count: int) -> list[str]:
    names: list[str] = []
    while isinstance(expr, Map | Call):
        if isinstance(expr, Map):
            names.extend(expr.iterators)
        expr = expr.body
    return (names + ["i"] * count)[:count]


def _origin(target: Destination) -> str:
    return target.buffers[0].name.rsplit(".", 1)[0]
