"""Whether a program is well-formed core: names bound before use and once on every path, types that follow from parts.

The verifier runs after the checker and between passes.  What it refuses is an error of ours, never of the user.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from tolang.core.core import (
    Apply,
    Bundle,
    Call,
    Component,
    Convert,
    Coordinate,
    Core,
    Derivative,
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
from tolang.core.gradient.building import cotangent_type
from tolang.core.notation import show_condition, show_size, show_type
from tolang.core.rules import block_shapes, inferred_type, step_number, variable_types
from tolang.core.types import Type, join_type_lists
from tolang.ground.dataclasses import dataclass, field, replace
from tolang.ground.symbolic.conditions import Condition, choice, compare
from tolang.ground.symbolic.sizes import ONE, Size
from tolang.ground.system.recursion import room_to_nest
from tolang.ground.values.functions import FUNCTIONS
from tolang.ground.values.spaces import STORAGES, strong

NOTHING: frozenset[str] = frozenset()
Lengths = tuple[tuple[str, int, int], ...]


class InvalidCore(Exception):
    """A program that is no well-formed core: why, and the path from the program to the place."""

    def __init__(self, reason: str, path: Sequence[str]) -> None:
        self.reason, self.path = reason, tuple(path)
        super().__init__(f"{reason} (in {' > '.join(path) or 'the program'})")


@room_to_nest()
def verify(program: Core) -> None:
    """Raises `InvalidCore` where a program breaks a rule of the core."""
    Verifier().program(program)


@dataclass(slots=True)
class VerifierScope:
    """What is known at a place: values with their types, numbers (sizes, iterators, lengths), conditions that hold."""

    values: dict[str, Type] = field(default_factory=dict)
    numbers: set[str] = field(default_factory=set)
    facts: set[Condition] = field(default_factory=set)
    added: list[tuple[str, str | Condition]] = field(default_factory=list)


class Verifier:
    """One walk over a program."""

    def __init__(self) -> None:
        self.path: list[str] = []
        self.scope = VerifierScope()
        self.parameters: dict[int, dict[str, Type]] = {}

    def fail(self, reason: str) -> InvalidCore:
        return InvalidCore(reason, self.path)

    def demand(self, holds: bool, reason: str) -> None:
        if not holds:
            raise self.fail(reason)

    @contextmanager
    def at(self, *labels: str) -> Iterator[None]:
        """Goes a step down the path to report; what is bound there is forgotten afterwards."""
        self.path.extend(labels)
        before = len(self.scope.added)
        yield
        del self.path[len(self.path) - len(labels) :]
        while len(self.scope.added) > before:
            kind, key = self.scope.added.pop()
            if kind == "value":
                del self.scope.values[str(key)]
            elif kind == "number":
                self.scope.numbers.discard(str(key))
            elif isinstance(key, Condition):
                self.scope.facts.discard(key)

    # Names

    def bind_value(self, name: str, kind: Type) -> None:
        self._bind("value", name)
        self.scope.values[name] = kind

    def bind_number(self, name: str) -> None:
        self._bind("number", name)
        self.scope.numbers.add(name)

    def _bind(self, kind: str, name: str) -> None:
        self.demand(bool(name), "a name is empty")
        taken = name in self.scope.values or name in self.scope.numbers
        self.demand(not taken, f"{name} is bound twice on one path")
        self.scope.added.append((kind, name))

    def assume(self, condition: Condition) -> None:
        for one in condition.parts if condition.kind == "and" else (condition,):
            if one not in self.scope.facts:
                self.scope.facts.add(one)
                self.scope.added.append(("fact", one))

    def names(self, used: frozenset[str], what: str, fresh: frozenset[str] = NOTHING) -> None:
        """Every name in a size is a number, or a variable that is a numeric."""
        for name in sorted(used - fresh - self.scope.numbers):
            kind = self.scope.values.get(name)
            self.demand(kind is not None, f"{what} uses {name}, which nothing binds")
            self.demand(kind is not None and kind.is_numeric, f"{what} uses {name}, which is no numeric")

    def size(self, size: Size, what: str, fresh: frozenset[str] = NOTHING) -> None:
        self.names(size.names(), f"{what} {show_size(size)}", fresh)

    def agree(self, one: Size, two: Size) -> bool:
        """Whether two sizes are equal, by themselves or because a requirement around says so."""
        return one == two or compare("==", one, two) in self.scope.facts

    # Types

    def type(self, kind: Type, fresh: frozenset[str] = NOTHING) -> None:
        for part in kind.parts:
            self.demand(not part.parts, "a bundle lies in a bundle")
            self.type(part, fresh)
        self.demand(not kind.parts or not (kind.shape or kind.columns or kind.blank), "a bundle has a shape or columns")
        for length in kind.shape:
            self.size(length, "the length", fresh)
        for column in kind.columns:
            fits = column.storage in STORAGES and (column.storage == "text") == (column.space.family == "S")
            self.demand(fits, f"{column.storage} is no storage of {column.space}")

    def follows(self, expr: Expr) -> None:
        """The type of an expression is the one that its parts give it."""
        expected = inferred_type(expr)
        if expected is None:
            raise self.fail("its parts give it no type")
        shown = f"its type is {show_type(expr.type)}, but {show_type(expected)} follows from its parts"
        self.demand(expected == expr.type, shown)

    def holds(self, kind: Type, part: Type, what: str) -> None:
        """The columns of one type hold the lists of another."""
        joined = join_type_lists(kind, part)
        self.demand(joined == kind.columns, f"{show_type(kind)} does not hold {what}, which is {show_type(part)}")

    # Programs

    def program(self, program: Core) -> None:
        for name in program.sizes:
            self.bind_number(name)
        for one in program.inputs:
            self.bind_value(one.name, one.type)
        for one in program.inputs:
            with self.at(f"input {one.name}"):
                self.demand(bool(one.type.columns), "an input has no columns")
                self.type(one.type)
        with self.at():
            result = self.bindings(program.body)
            self.demand(isinstance(result, Bundle), "a program ends in a bundle of its outputs")
            with self.at("outputs"):
                self.node(result, NOTHING)
                self._outputs(program, result.type.parts)

    def _outputs(self, program: Core, parts: tuple[Type, ...]) -> None:
        count = f"{len(program.outputs)} outputs for {len(parts)} values"
        self.demand(len(program.outputs) == len(parts), count)
        for output, part in zip(program.outputs, parts, strict=True):
            data = replace(part, columns=tuple(strong(c) for c in part.columns), blank=False)
            self.demand(output.type == data, f"output {output.name} is {show_type(output.type)} of {show_type(data)}")
        position, seen = 0, set()
        while position < len(program.outputs):
            first = program.outputs[position]
            run = program.outputs[position : position + max(1, first.group)]
            whole = all((o.name, o.group) == (first.name, first.group) for o in run)
            self.demand(whole and len(run) == max(1, first.group), f"the group of output {first.name} is not whole")
            self.demand(first.name not in seen, f"two outputs are called {first.name}")
            seen.add(first.name)
            position += len(run)

    # Expressions

    def expr(self, expr: Expr, label: str, fresh: frozenset[str] = NOTHING) -> None:
        """An expression, with bindings or without; `fresh` are the names of lengths that its binding gives it."""
        with self.at(label):
            self.node(self.bindings(expr), fresh)

    def operand(self, expr: Expr, label: str) -> None:
        """An expression that is one ToL, no bundle."""
        self.expr(expr, label)
        with self.at(label):
            self.demand(not expr.type.parts and bool(expr.type.columns), "a bundle stands where a ToL is expected")

    def numeric(self, expr: Expr, label: str) -> None:
        self.operand(expr, label)
        with self.at(label):
            self.demand(expr.type.is_numeric, f"{show_type(expr.type)} is no numeric")

    def bindings(self, expr: Expr) -> Expr:
        """Checks and binds a run of bindings and requirements; gives the expression behind them."""
        while isinstance(expr, Let | Require):
            if isinstance(expr, Require):
                shown = f"the requirement {show_condition(expr.condition)}"
                self.names(expr.condition.names(), shown)
                self.assume(expr.condition)
            else:
                self._let(expr)
            same = expr.type is expr.body.type or expr.type == expr.body.type
            self.demand(same, f"a binding is {show_type(expr.type)} around {show_type(expr.body.type)}")
            expr = expr.body
        return expr

    def _let(self, expr: Let) -> None:
        label = f"let {', '.join(expr.names)}"
        self.expr(expr.value, label, frozenset(name for name, _, _ in expr.lengths))
        types = expr.value.type.parts or (expr.value.type,)
        self.demand(len(types) == len(expr.names), f"{label} names {len(types)} value(s)")
        self._lengths(expr.lengths, types)
        for name, kind in zip(expr.names, types, strict=True):
            self.bind_value(name, kind)

    def _lengths(self, lengths: Lengths, types: tuple[Type, ...]) -> None:
        """Binds lengths that running tells, each where the type has its name."""
        for name, part, axis in lengths:
            inside = 0 <= part < len(types) and 0 <= axis < types[part].rank
            self.demand(inside, f"the length {name} is of part {part}, axis {axis}, which is not there")
            self.demand(types[part].shape[axis] == Size.of(name), f"the type does not have {name} as its length {axis}")
            self.bind_number(name)

    def node(self, expr: Expr, fresh: frozenset[str]) -> None:
        """An expression that binds nothing around itself."""
        self.type(expr.type, fresh if isinstance(expr, If | Reduce | Call) else NOTHING)
        match expr:
            case Call():
                self._call(expr, fresh)
            case If():
                self._if(expr, fresh)
            case Reduce():
                self._reduce(expr, fresh)
            case Map():
                self._map(expr)
            case Part():
                self._part(expr)
            case Join():
                self._join(expr)
            case Literal():
                self._literal(expr)
            case _:
                self._plain(expr)

    def _plain(self, expr: Expr) -> None:
        """Expressions whose type follows from their parts, after some look at these."""
        match expr:
            case Variable(name=name):
                bound = self.scope.values.get(name)
                if bound is None:
                    raise self.fail(f"nothing binds {name}")
                shown = f"{name} is bound to {show_type(bound)}, but used as {show_type(expr.type)}"
                self.demand(bound == expr.type, shown)
                return
            case Measure(size=size):
                self.size(size, "the number")
            case Apply():
                self._apply(expr)
            case Random(limit=limit, coordinates=coordinates):
                self.numeric(limit, "random")
                for coordinate in coordinates:
                    self.size(coordinate, "the coordinate")
            case Component(subject=subject) | Tile(subject=subject):
                self.operand(subject, type(expr).__name__.lower())
            case Convert():
                self._convert(expr)
            case Reshape():
                self._reshape(expr)
            case Swap():
                self._swap(expr)
            case Embed(parts=parts):
                self._embed(parts)
            case Bundle(parts=parts):
                for position, part in enumerate(parts, 1):
                    self.operand(part, f"part {position}")
            case _:
                raise self.fail(f"{type(expr).__name__} is no core expression")
        self.follows(expr)

    def _literal(self, expr: Literal) -> None:
        text = isinstance(expr.value, str)
        for column in expr.type.columns:
            fits = (column.space.family == "S") == text or (expr.type.blank and not text)
            self.demand(fits, f"the literal {expr.value!r} is in {column.space}")
        self.demand(bool(expr.type.columns), "a literal has no columns")

    def _apply(self, expr: Apply) -> None:
        function = FUNCTIONS.get(expr.function)
        if function is None or expr.function == "rand":
            raise self.fail(f"{expr.function} is no basic function of numerics")
        wanted = " or ".join(str(n) for n in function.arity)
        count = len(expr.arguments)
        self.demand(count in function.arity, f"{expr.function} has {count} argument(s) and takes {wanted}")
        for position, argument in enumerate(expr.arguments, 1):
            self.numeric(argument, f"{expr.function} {position}")

    def _embed(self, parts: tuple[Expr, ...]) -> None:
        self.demand(bool(parts), "a list has no parts")
        for position, part in enumerate(parts, 1):
            self.operand(part, f"list {position}")
            first, shape = parts[0].type.shape, part.type.shape
            one = len(first) == len(shape) and all(self.agree(a, b) for a, b in zip(first, shape, strict=True))
            self.demand(one, f"a list has parts {show_type(parts[0].type)} and {show_type(part.type)}")

    def _convert(self, expr: Convert) -> None:
        self.operand(expr.subject, "convert")
        before, after = ([c.space.family for c in t.columns] for t in (expr.subject.type, expr.type))
        pair = (before in (["C"], ["I"]) and after == ["R", "R"]) or (before == ["R", "R"] and after == ["C"])
        self.demand(len(before) == len(after) or pair, f"convert goes from {before} to {after}")
        text = pair or all((a == "S") == (b == "S") for a, b in zip(before, after, strict=True))
        self.demand(text or expr.subject.type.blank, "text and numbers do not convert into each other")

    def _reshape(self, expr: Reshape) -> None:
        self.operand(expr.subject, "reshape")
        before, after = expr.subject.type.volume(), expr.type.volume()
        self.demand(self.agree(before, after), f"reshape of {show_size(before)} elements into {show_size(after)}")

    def _swap(self, expr: Swap) -> None:
        self.operand(expr.subject, "swap")
        self.operand(expr.order, "swap order")
        subject, order = expr.subject.type, expr.order.type
        self.demand(0 <= expr.axis < subject.rank, f"swap along axis {expr.axis} of {show_type(subject)}")
        vector = order.rank == 1 and order.capacity == 1
        self.demand(vector, f"the order of a swap is {show_type(order)}")
        self.demand(self.agree(subject.shape[expr.axis], order.shape[0]), "the order of a swap has another length")

    def _map(self, expr: Map) -> None:
        with self.at(f"map {', '.join(expr.iterators)}"):
            self._loops(expr)
            self.operand(expr.body, "body")
        self.follows(expr)

    def _loops(self, expr: Map | Reduce) -> None:
        loops = 0 < len(expr.iterators) == len(expr.extents)
        self.demand(loops, f"{len(expr.iterators)} iterators for {len(expr.extents)} extents")
        for extent in expr.extents:
            self.size(extent, "the extent")
        for iterator in expr.iterators:
            self.bind_number(iterator)

    def _part(self, expr: Part) -> None:
        self.operand(expr.subject, "part")
        rank = expr.subject.type.rank
        self.demand(len(expr.items) == rank, f"{len(expr.items)} coordinates for {rank} dimension(s)")
        for position, item in enumerate(expr.items, 1):
            if isinstance(item, Coordinate):
                self.size(item.index, "the coordinate")
            else:
                self.size(item.start, "the start")
                self.size(item.length, "the length")
            for one in item.written:
                self.numeric(one, f"coordinate {position} as written")
        self.follows(expr)

    def _join(self, expr: Join) -> None:
        for position, part in enumerate(expr.parts, 1):
            self.operand(part, f"join {position}")
        expected = inferred_type(expr)
        if expected is None:
            raise self.fail("the parts of a join do not fit together")
        shown = f"its type is {show_type(expr.type)}, but {show_type(expected)} follows from its parts"
        self.demand(replace(expected, columns=expr.type.columns) == expr.type, shown)
        shapes = block_shapes([p.type for p in expr.parts], expr.axis)
        for part, shape in zip(expr.parts, shapes, strict=True):
            beside = [self.agree(a, b) for k, (a, b) in enumerate(zip(shapes[0], shape, strict=True)) if k != expr.axis]
            self.demand(all(beside), f"a join has parts {show_type(expr.parts[0].type)} and {show_type(part.type)}")
            self.holds(expr.type, part.type, "a part")

    def _if(self, expr: If, fresh: frozenset[str]) -> None:
        if expr.guard is not None:
            self.names(expr.guard.names(), f"the condition {show_condition(expr.guard)}")
        self.demand(expr.guard is not None or len(expr.written) == 1, "a choice by data has one condition")
        for one in expr.written:
            self.numeric(one, "condition")
            self.demand(one.type.column.space.family == "B", f"a condition is {show_type(one.type)}")
        self.expr(expr.then, "then")
        self.expr(expr.otherwise, "else")
        branches = [t.parts or (t,) for t in (expr.type, expr.then.type, expr.otherwise.type)]
        self.demand(len({len(b) for b in branches}) == 1, "the branches of a choice give different numbers of ToLs")
        for kind, then, otherwise in zip(*branches, strict=True):
            self._chosen(expr.guard, kind, then, otherwise, fresh)

    def _chosen(self, guard: Condition | None, kind: Type, then: Type, otherwise: Type, fresh: frozenset[str]) -> None:
        """The type of a choice: joined columns, and lengths that are equal, chosen by the guard, or left to running."""
        shown = f"a choice is {show_type(kind)} of {show_type(then)} and {show_type(otherwise)}"
        self.demand(kind.rank == then.rank == otherwise.rank, shown)
        self.demand(join_type_lists(then, otherwise) == kind.columns, shown)
        self.demand(kind.blank == (then.blank and otherwise.blank), shown)
        for length, one, two in zip(kind.shape, then.shape, otherwise.shape, strict=True):
            decided = length == (one if guard is None or one == two else choice(guard, one, two))
            known = decided and (guard is not None or one == two)
            self.demand(known or length in [Size.of(name) for name in fresh], shown)

    def _reduce(self, expr: Reduce, fresh: frozenset[str]) -> None:
        for position, initial in enumerate(expr.initials, 1):
            self.operand(initial, f"initial {position}")
        counts = {len(expr.states), len(expr.initials), len(expr.state_types)}
        self.demand(len(counts) == 1 and 0 not in counts, "a fold has other numbers of states, initials and types")
        with self.at(f"reduce {', '.join(expr.iterators)}"):
            self._loops(expr)
            self._lengths(expr.lengths, expr.state_types)
            for name, kind in zip(expr.states, expr.state_types, strict=True):
                self.type(kind)
                self.bind_value(name, kind)
            self.expr(expr.step, "step")
            stepped, final = (t.parts or (t,) for t in (expr.step.type, expr.type))
            self.demand(len(stepped) == len(final) == len(expr.states), "a step gives another number of parts")
        changing = {(part, axis) for _, part, axis in expr.lengths}
        for part, (after, end) in enumerate(zip(stepped, final, strict=True)):
            places = frozenset(axis for place, axis in changing if place == part)
            self._state(expr, part, after, end, places, fresh)

    def _state(
        self, expr: Reduce, part: int, after: Type, end: Type, changing: frozenset[int], fresh: frozenset[str]
    ) -> None:
        """One part of a fold's state: its columns hold start and step, its lengths stay, grow evenly, or are named."""
        kind, start = expr.state_types[part], expr.initials[part].type
        self.demand(kind.rank == start.rank == after.rank == end.rank, f"state {part + 1} changes its rank")
        self.holds(kind, start, f"the start of state {part + 1}")
        self.holds(kind, after, f"the step's state {part + 1}")
        same = (end.columns, end.blank) == (kind.columns, kind.blank)
        self.demand(same, f"a fold ends as {show_type(end)} with a state {show_type(kind)}")
        total = ONE
        for extent in expr.extents:
            total = total * extent
        before = step_number(expr.iterators, expr.extents) - 1
        for axis in range(kind.rank):
            if axis in changing:
                named = end.shape[axis] in [Size.of(name) for name in fresh]
                self.demand(named, f"length {axis + 1} of state {part + 1} has no name once the fold has ended")
                continue
            growth = after.shape[axis] - kind.shape[axis]
            self.size(growth, f"the growth of state {part + 1}")
            even = kind.shape[axis] == start.shape[axis] + growth * before
            reached = end.shape[axis] == start.shape[axis] + growth * total
            self.demand(even and reached, f"length {axis + 1} of state {part + 1} does not grow evenly")

    # Calls

    def _call(self, expr: Call, fresh: frozenset[str]) -> None:
        for name, size in expr.sizes:
            self.size(size, f"the size {name}")
        for name, argument in expr.arguments:
            self.operand(argument, f"argument {name}")
        if id(expr.body) not in self.parameters or not expr.shared:
            found = variable_types(expr.body)
            own = {name: found.get(name, argument.type) for name, argument in expr.arguments}
            with self.at(f"call {expr.definition}"):
                self._called(expr, own, fresh)
            self.parameters[id(expr.body)] = own
        outside = dict(expr.sizes)
        own = self.parameters[id(expr.body)]
        self.demand(own.keys() == {name for name, _ in expr.arguments}, "calls of one body differ in their parameters")
        for name, argument in expr.arguments:
            inside = own[name].substitute(outside)
            shown = f"the argument {name} is {show_type(argument.type)}, and {show_type(inside)} inside"
            self.demand(inside == argument.type, shown)
        if expr.derivative is not None:
            with self.at(f"derivative of {expr.definition}"):
                self._derivative(expr, expr.derivative)
        self.follows(expr)

    def _derivative(self, expr: Call, own: Derivative) -> None:
        """A call's own derivative: it sees its own values and cotangents only, and numbers."""
        for name, value in own.values:
            self.operand(value, f"value {name}")
        goals = [kind for _, value in own.values if (kind := cotangent_type(value.type)).columns]
        seeds = [kind for part in expr.type.parts or (expr.type,) if (kind := cotangent_type(part)).columns]
        self.demand(seeds == [kind for _, kind in own.cotangents], "the cotangents are not those of the call")
        around, self.scope = self.scope, VerifierScope(numbers=set(self.scope.numbers))
        for name, kind in around.values.items():
            if kind.is_numeric:
                self.scope.numbers.add(name)
        for name, value in own.values:
            self.bind_value(name, value.type)
        for name, kind in own.cotangents:
            self.bind_value(name, kind)
        self.expr(own.body, "body")
        self.scope = around
        found = own.body.type.parts or (own.body.type,)
        shown = f"it gives {', '.join(map(show_type, found))}, not {', '.join(map(show_type, goals))}"
        self.demand(list(found) == goals, shown)

    def _called(self, expr: Call, parameters: dict[str, Type], fresh: frozenset[str]) -> None:
        """The body of a call; a shared one sees nothing but its own sizes and parameters."""
        around = self.scope
        if expr.shared:
            self.scope = VerifierScope()
        for name, _ in expr.sizes:
            self.bind_number(name)
        for name, kind in parameters.items():
            self.bind_value(name, kind)
        self.expr(expr.body, "body", fresh)
        self.scope = around if expr.shared else self.scope


__all__ = ["InvalidCore", "verify"]
