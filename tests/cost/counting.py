"""A counting interpreter: a program's core evaluated element by element, every basic function counted as it happens.

It is the judge of the symbolic cost and shares no code with it.  Every numeric carries whether it was read from a ToL
(or from the state of a fold) and which *doubtful* evaluations it rests on: those that read nothing, and so are free
unless something uses them as a value.  A function of a numeric that was read counts at once, and what it uses is
demanded; what only coordinates, lengths and conditions use is never demanded, and so never counted.

Branches not taken are evaluated too, without complaint about coordinates, for an `if` that is not static counts both.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from tolang.core import core
from tolang.core.core import Expr
from tolang.ground.dataclasses import dataclass, field, fields
from tolang.ground.symbolic.conditions import Condition
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.values import ToL


class TooMuch(Exception):
    """The program is too large for an interpreter this slow."""


class Evaluation:
    """One evaluation of a function that reads nothing, or several of them that are demanded together."""

    def __init__(self, function: str | None, uses: list[Evaluation]) -> None:
        self.function, self.uses, self.demanded = function, uses, False


class Moment:
    """When a value is ready: after others, and one function later if there is one that counts."""

    def __init__(self, after: list[Moment], function: Evaluation | bool = False) -> None:
        self.after, self.function = after, function
        self.time: int | None = None

    def resolve(self) -> int:
        pending = [self]
        while pending:
            one = pending[-1]
            waiting = [other for other in one.after if other.time is None]
            if waiting:
                pending.extend(waiting)
                continue
            pending.pop()
            counts = one.function.demanded if isinstance(one.function, Evaluation) else one.function
            one.time = max((other.time or 0 for other in one.after), default=0) + int(counts)
        return self.time or 0


START = Moment([])
Cells = np.ndarray[Any, np.dtype[np.object_]]


@dataclass
class Cell:
    number: Any
    read: bool = False
    rests: list[Evaluation] = field(default_factory=list)


@dataclass
class Tensor:
    """Components, each an array of cells; `beneath` is what it rests on even where it has no elements."""

    columns: list[Cells]
    ready: Moment
    beneath: list[Evaluation] = field(default_factory=list)

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.columns[0].shape)

    def cells(self) -> Iterator[Cell]:
        for column in self.columns:
            yield from column.ravel()

    def rests(self) -> list[Evaluation]:
        """The doubtful evaluations of all elements, and of those that an empty ToL would have."""
        return [*self.beneath, *(one for cell in self.cells() for one in cell.rests)]

    def numeric(self) -> Cell:
        return at(self.columns[0], ())


def at(array: Cells, index: tuple[int, ...]) -> Cell:
    cell: Any = array[index]
    assert isinstance(cell, Cell)
    return cell


def single(cell: Cell, ready: Moment) -> Tensor:
    array = np.empty((), dtype=object)
    array[()] = cell
    return Tensor([array], ready)


def names_in(value: Any) -> Iterator[str]:
    """Every name in an expression, size or condition, found by looking at all fields."""
    if isinstance(value, Size | Condition):
        yield from value.names()
    elif isinstance(value, core.Variable):
        yield value.name
    elif isinstance(value, core.Call) and value.shared:
        yield from names_in(value.sizes)
        yield from names_in(value.arguments)
    elif isinstance(value, Expr | core.Coordinate | core.Range):
        for one in fields(value):
            if one.name not in ("span", "type") or isinstance(value, core.Literal | core.Reshape):
                yield from names_in(getattr(value, one.name))
    elif hasattr(value, "shape") and hasattr(value, "columns"):
        yield from names_in(value.shape)
    elif isinstance(value, tuple):
        for item in value:
            yield from names_in(item)


@dataclass
class Scope:
    """What names stand for: values, whole numbers, and whether those are known before running."""

    values: dict[str, Tensor] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    certain: dict[str, bool] = field(default_factory=dict)

    def name(self, name: str, value: Tensor) -> None:
        """A value under a name, which is a whole number too where something may use it as a coordinate or a length."""
        self.values[name] = value
        if value.shape == () and len(value.columns) == 1:
            cell = value.numeric()
            try:
                self.numbers[name] = math.floor(cell.number)
            except (TypeError, ValueError, OverflowError):
                self.numbers[name] = 0
            self.certain[name] = not cell.read

    def copy(self) -> Scope:
        return Scope(dict(self.values), dict(self.numbers), dict(self.certain))


class CountingInterpreter:
    def __init__(self, program: core.Core, limit: int = 200_000) -> None:
        self.program = program
        self.functions: Counter[str] = Counter()
        self.definitions: Counter[str] = Counter()
        self.lengths: dict[str, set[int]] = {}
        self.limit = limit
        self.inside: list[str] = []
        self.doubt = 0
        self.rehearsing = 0

    def run(self, inputs: Mapping[str, ToL], sizes: Mapping[str, int]) -> None:
        scope = Scope(numbers=dict(sizes), certain=dict.fromkeys(sizes, True))
        for one in self.program.inputs:
            value = inputs[one.name]
            columns = []
            for column in value.columns:
                cells = np.empty(value.shape, dtype=object)
                for index in np.ndindex(value.shape):
                    cells[index] = Cell(column[index].item() if hasattr(column[index], "item") else column[index])
                columns.append(cells)
            scope.values[one.name] = Tensor(columns, START)
            if one.type.is_numeric and one.type.column.space.family in ("B", "Z"):
                scope.numbers[one.name] = int(at(columns[0], ()).number)
                scope.certain[one.name] = True
        results = self.parts(self.program.body, scope, (True,) * len(self.program.outputs))
        for result in results:
            self.demand(result.rests())
        self.span = Moment([result.ready for result in results]).resolve()

    @property
    def eops(self) -> int:
        return self.functions.total()

    def demand(self, rests: list[Evaluation]) -> None:
        pending = list(rests)
        while pending:
            one = pending.pop()
            if not one.demanded:
                one.demanded = True
                if one.function is not None:
                    self.functions[one.function] += 1
                pending.extend(one.uses)

    def size(self, size: Size, scope: Scope) -> int:
        whole: int = math.floor(size.evaluate(_Numbers(scope)))
        return whole

    def moments(self, scope: Scope, *things: Any) -> list[Moment]:
        """When the values that sizes depend on are ready."""
        found = {name for thing in things for name in names_in(thing)}
        return [scope.values[name].ready for name in sorted(found) if name in scope.values]

    def value(self, expr: Expr, scope: Scope) -> Tensor:
        return self.parts(expr, scope, (True,))[0]

    def parts(self, expr: Expr, scope: Scope, wanted: tuple[bool, ...]) -> list[Tensor]:
        self.limit -= 1
        if self.limit < 0:
            raise TooMuch
        links: list[core.Let] = []
        while isinstance(expr, core.Let | core.Require):
            if isinstance(expr, core.Let):
                links.append(expr)
            expr = expr.body
        if links:
            scope = scope.copy()
        masks = self.masks(links, expr, wanted)
        for let in links:
            if any(masks[id(let)]):
                self.bind(let, scope, masks[id(let)])
        return self.result(expr, scope, wanted)

    def masks(self, links: list[core.Let], result: Expr, wanted: tuple[bool, ...]) -> dict[int, tuple[bool, ...]]:
        """Which parts of which bindings something uses."""
        if isinstance(result, core.Bundle):
            used = {n for part, use in zip(result.parts, wanted, strict=True) if use for n in names_in(part)}
        else:
            used = set(names_in(result))
        found = {}
        for let in reversed(links):
            lengths = {part for name, part, _ in let.lengths if name in used}
            mask = tuple(name in used or part in lengths for part, name in enumerate(let.names))
            found[id(let)] = mask
            if any(mask):
                used |= set(names_in(let.value))
        return found

    def bind(self, let: core.Let, scope: Scope, mask: tuple[bool, ...]) -> None:
        definition = self.program.definitions.get(let.names[0])
        if definition is not None and not self.rehearsing:
            self.definitions[".".join([*self.inside[-1:], definition])] += 1
        values = self.parts(let.value, scope, mask)
        for name, value in zip(let.names, values, strict=True):
            scope.name(name, self.named(value))
        for name, part, axis in let.lengths:
            length = values[part].shape[axis] if axis < len(values[part].shape) else 0
            scope.numbers[name], scope.certain[name] = length, False
            scope.values[name] = Tensor([np.empty(0, dtype=object)], values[part].ready)
            self.lengths.setdefault(name, set()).add(length)

    def named(self, value: Tensor) -> Tensor:
        """A value with a name: who uses one element of it uses it."""
        rests = value.rests()
        if not rests or value.shape == ():
            return value
        group = Evaluation(None, rests)
        columns = [_cells(column, lambda cell: Cell(cell.number, cell.read, [group])) for column in value.columns]
        return Tensor(columns, value.ready, [group])

    def result(self, expr: Expr, scope: Scope, wanted: tuple[bool, ...]) -> list[Tensor]:
        match expr:
            case core.Bundle(parts=parts):
                nothing = single(Cell(0), START)
                return [self.value(p, scope) if use else nothing for p, use in zip(parts, wanted, strict=True)]
            case core.If():
                return self.choice(expr, scope, wanted)
            case core.Reduce():
                return self.fold(expr, scope)
            case core.Call():
                return self.call(expr, scope, wanted)
        return [self.node(expr, scope)]

    def node(self, expr: Expr, scope: Scope) -> Tensor:
        match expr:
            case core.Variable(name=name):
                return scope.values[name]
            case core.Literal(value=value):
                shape = tuple(max(0, self.size(s, scope)) for s in expr.type.shape)
                columns = [_filled(shape, value) for _ in expr.type.columns]
                return Tensor(columns, Moment(self.moments(scope, expr.type.shape)))
            case core.Measure(size=size):
                return single(Cell(self.size(size, scope)), Moment(self.moments(scope, size)))
            case core.Apply(function=function, arguments=arguments):
                return self.apply(function, [self.value(a, scope) for a in arguments])
            case core.Random(limit=limit):
                return self.apply("rand", [self.value(limit, scope)])
            case core.Map():
                return self.map(expr, scope)
            case core.Part():
                return self.part(expr, scope)
            case core.Component(subject=subject, position=position):
                whole = self.value(subject, scope)
                rests, read = [Evaluation(None, whole.rests())], _reads(whole)
                chosen = whole.columns[min(position, len(whole.columns)) - 1]
                return Tensor([_chosen(chosen, read, rests)], whole.ready, rests)
            case core.Embed(parts=parts):
                values = [self.value(p, scope) for p in parts]
                columns = [c for v in values for c in v.columns]
                return Tensor(columns, Moment([v.ready for v in values]), _beneath(values))
            case core.Convert(subject=subject):
                whole = self.value(subject, scope)
                columns = whole.columns if len(whole.columns) == expr.type.capacity else whole.columns * 2
                return Tensor(columns[: expr.type.capacity], whole.ready, whole.beneath)
            case core.Reshape(subject=subject):
                whole = self.value(subject, scope)
                shape = tuple(max(0, self.size(s, scope)) for s in expr.type.shape)
                ready = Moment([whole.ready, *self.moments(scope, expr.type.shape)])
                return Tensor([_reshaped(c, shape) for c in whole.columns], ready, whole.beneath)
            case core.Tile(subject=subject):
                whole = self.value(subject, scope)
                last = expr.type.capacity // max(1, len(whole.columns))
                members = [_chosen(c, True, []) for c in whole.columns]
                return Tensor([c[..., k] for k in range(last) for c in members], whole.ready, whole.beneath)
            case core.Swap(subject=subject, axis=axis, order=order):
                whole, positions = self.value(subject, scope), self.value(order, scope)
                indices = [int(cell.number) - 1 for cell in positions.columns[0]]
                good = sorted(indices) == list(range(whole.shape[axis]))
                columns = [np.take(c, indices, axis=axis) if good else c for c in whole.columns]
                return Tensor(columns, Moment([whole.ready, positions.ready]), whole.beneath)
            case core.Join():
                return self.join(expr, scope)
        raise TypeError(type(expr).__name__)

    def apply(self, function: str, arguments: list[Tensor]) -> Tensor:
        cells = [argument.numeric() for argument in arguments]
        after = [argument.ready for argument in arguments]
        number = _computed(function, [cell.number for cell in cells])
        rests = [one for cell in cells for one in cell.rests]
        if any(cell.read for cell in cells):
            self.functions[function] += not self.rehearsing
            self.demand(rests)
            return single(Cell(number, True), Moment(after, True))
        evaluation = Evaluation(None if self.rehearsing else function, rests)
        return single(Cell(number, False, [evaluation]), Moment(after, evaluation))

    def map(self, expr: core.Map, scope: Scope) -> Tensor:
        extents = [max(0, self.size(e, scope)) for e in expr.extents]
        waits = Moment(self.moments(scope, expr.extents))
        results: dict[tuple[int, ...], Tensor] = {}
        for position in itertools.product(*(range(e) for e in extents)):
            inner = scope.copy()
            for iterator, here in zip(expr.iterators, position, strict=True):
                inner.numbers[iterator], inner.certain[iterator] = here + 1, False
            results[position] = self.value(expr.body, inner)
        if not results:
            rests = self.rehearsed(expr.iterators, expr.body, scope)
            shape = tuple(max(0, self.size(s, scope)) if not _unbound(s, scope) else 0 for s in expr.type.shape)
            return Tensor([_filled(shape, 0) for _ in expr.type.columns], waits, rests)
        own = next(iter(results.values())).shape
        columns = []
        for number in range(len(next(iter(results.values())).columns)):
            array = np.empty((*extents, *own), dtype=object)
            for position, value in results.items():
                column = value.columns[number]
                array[position] = column if column.shape == own else _reshaped(column, own)
                if own == ():
                    array[position] = column[()]
            columns.append(array)
        return Tensor(columns, Moment([waits, *(v.ready for v in results.values())]), _beneath(results.values()))

    def rehearsed(self, iterators: tuple[str, ...], body: Expr, scope: Scope) -> list[Evaluation]:
        """What the elements of a map over nothing, or the steps of a fold over nothing, would rest on.

        Nothing in them counts, but a definition that they use is evaluated all the same.
        """
        inner = scope.copy()
        for iterator in iterators:
            inner.numbers[iterator], inner.certain[iterator] = 1, False
        self.rehearsing, self.doubt = self.rehearsing + 1, self.doubt + 1
        parts = self.parts(body, inner, (True,) * max(1, len(body.type.parts)))
        self.rehearsing, self.doubt = self.rehearsing - 1, self.doubt - 1
        return [one for part in parts for one in part.rests()]

    def fold(self, expr: core.Reduce, scope: Scope) -> list[Tensor]:
        extents = [max(0, self.size(e, scope)) for e in expr.extents]
        states = [self.value(initial, scope) for initial in expr.initials]
        ready = Moment([*self.moments(scope, expr.extents), *(s.ready for s in states)])
        group = Evaluation(None, [one for s in states for one in s.rests()])
        if 0 in extents:
            inner = scope.copy()
            for name, state in zip(expr.states, states, strict=True):
                inner.name(name, _as_state(state, group, ready))
            for name, part, axis in expr.lengths:
                inner.numbers[name], inner.certain[name] = states[part].shape[axis], False
                inner.values[name] = Tensor([np.empty(0, dtype=object)], ready)
            group.uses.extend(self.rehearsed(expr.iterators, expr.step, inner))
            if group.demanded:
                self.demand(group.uses)
        for reverse in itertools.product(*(range(e) for e in reversed(extents))):
            inner = scope.copy()
            for iterator, here in zip(expr.iterators, reversed(reverse), strict=True):
                inner.numbers[iterator], inner.certain[iterator] = here + 1, False
            for name, state in zip(expr.states, states, strict=True):
                inner.name(name, _as_state(state, group, ready))
            for name, part, axis in expr.lengths:
                inner.numbers[name], inner.certain[name] = states[part].shape[axis], False
                inner.values[name] = Tensor([np.empty(0, dtype=object)], ready)
                self.lengths.setdefault(name, set()).add(states[part].shape[axis])
            states = self.parts(expr.step, inner, (True,) * len(expr.states))
            group.uses.extend(one for s in states for one in s.rests())
            if group.demanded:
                self.demand(group.uses)
            ready = Moment([s.ready for s in states])
        return [_as_state(state, group, ready) for state in states]

    def part(self, expr: core.Part, scope: Scope) -> Tensor:
        whole = self.value(expr.subject, scope)
        ready = [whole.ready]
        index: list[Any] = []
        shape: list[int] = []
        for item, length in zip(expr.items, whole.shape, strict=True):
            ready += [self.value(written, scope).ready for written in item.written]
            if isinstance(item, core.Coordinate):
                ready += self.moments(scope, item.index)
                index.append(np.array([self.size(item.index, scope) - 1]))
            else:
                ready += self.moments(scope, item.start, item.length)
                count = max(0, self.size(item.length, scope))
                index.append(np.arange(count) + self.size(item.start, scope) - 1)
                shape.append(count)
            inside = all(0 <= i < length for i in index[-1])
            assert inside or self.doubt, "a coordinate is out of range"
            if not inside:
                index[-1] = np.clip(index[-1], 0, max(0, length - 1))
        if 0 in whole.shape and 0 not in shape:
            return Tensor([_filled(tuple(shape), 0, True) for _ in whole.columns], Moment(ready), whole.beneath)
        columns = [column[np.ix_(*index)].reshape(shape) if index else column for column in whole.columns]
        read = [_cells(column, lambda cell: Cell(cell.number, True, cell.rests)) for column in columns]
        return Tensor(read, Moment(ready), whole.beneath)

    def join(self, expr: core.Join, scope: Scope) -> Tensor:
        parts = [self.value(p, scope) for p in expr.parts]
        rank = max(1, len(expr.type.shape))
        columns = []
        for number in range(expr.type.capacity):
            arrays = [p.columns[min(number, len(p.columns) - 1)] for p in parts]
            arrays = [a.reshape((1,) * (rank - a.ndim) + a.shape) if a.ndim < rank else a for a in arrays]
            columns.append(_joined(arrays, expr.axis))
        ready = Moment([*(p.ready for p in parts), *self.moments(scope, expr.type.shape)])
        return Tensor(columns, ready, _beneath(parts))

    def choice(self, expr: core.If, scope: Scope, wanted: tuple[bool, ...]) -> list[Tensor]:
        if expr.guard is not None:
            truth = bool(expr.guard.evaluate(_Numbers(scope)))
            if all(scope.certain.get(name, False) for name in expr.guard.names()):
                return self.decided(expr, truth, scope, wanted)
            ready, read = self.moments(scope, expr.guard), False
        else:
            condition = self.value(expr.written[0], scope)
            truth, ready, read = bool(condition.numeric().number), [condition.ready], condition.numeric().read
        taken = self.parts(expr.then if truth else expr.otherwise, scope, wanted)
        self.doubt += 1
        left = self.parts(expr.otherwise if truth else expr.then, scope, wanted)
        self.doubt -= 1
        results = []
        for one, two in zip(taken, left, strict=True):
            rests = two.rests()
            group = [Evaluation(None, rests)] if rests else []
            columns = [_chosen(column, read or _reads(two), group) for column in one.columns]
            results.append(Tensor(columns, Moment([*ready, one.ready, two.ready]), one.beneath + group))
        return results

    def decided(self, expr: core.If, truth: bool, scope: Scope, wanted: tuple[bool, ...]) -> list[Tensor]:
        """The branch that sizes choose.  What the other one uses is used by the program, which is one for all sizes."""
        taken = self.parts(expr.then if truth else expr.otherwise, scope, wanted)
        self.rehearsing, self.doubt = self.rehearsing + 1, self.doubt + 1
        left = self.parts(expr.otherwise if truth else expr.then, scope, wanted)
        self.rehearsing, self.doubt = self.rehearsing - 1, self.doubt - 1
        results = []
        for one, two in zip(taken, left, strict=True):
            rests = two.rests()
            columns = [_chosen(column, _reads(two), rests) for column in one.columns]
            results.append(Tensor(columns, one.ready, one.beneath + rests))
        return results

    def call(self, expr: core.Call, scope: Scope, wanted: tuple[bool, ...]) -> list[Tensor]:
        self.definitions[expr.definition] += not self.rehearsing
        inner = Scope() if expr.shared else scope.copy()
        for name, size in expr.sizes:
            inner.numbers[name] = self.size(size, scope)
            inner.certain[name] = all(scope.certain.get(n, False) for n in size.names())
            ready = self.moments(scope, size)
            if ready:
                inner.values[name] = Tensor([np.empty(0, dtype=object)], Moment(ready))
        for name, argument in expr.arguments:
            value = self.value(argument, scope)
            inner.values[name] = self.named(value)
            if argument.type.is_numeric:
                cell = value.numeric()
                if isinstance(cell.number, int | float) and math.isfinite(cell.number):
                    inner.numbers[name] = math.floor(cell.number)
                inner.certain[name] = not cell.read
        self.inside.append(expr.definition)
        results = self.parts(expr.body, inner, wanted)
        self.inside.pop()
        waits = self.moments(scope, expr.sizes)
        return [Tensor(r.columns, Moment([r.ready, *waits]), r.beneath) for r in results] if expr.shared else results


class _Numbers(Mapping[str, int]):
    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    def __getitem__(self, name: str) -> int:
        return self.scope.numbers[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.scope.numbers)

    def __len__(self) -> int:
        return len(self.scope.numbers)


def _beneath(values: Iterable[Tensor]) -> list[Evaluation]:
    return [one for value in values for one in value.beneath]


def _unbound(size: Size, scope: Scope) -> bool:
    return any(name not in scope.numbers for name in size.names())


def _reads(value: Tensor) -> bool:
    return any(cell.read for cell in value.cells())


def _filled(shape: tuple[int, ...], value: Any, read: bool = False) -> Cells:
    array = np.empty(shape, dtype=object)
    for index in np.ndindex(shape):
        array[index] = Cell(value, read)
    return array


def _cells(array: Cells, change: Any) -> Cells:
    result = np.empty(array.shape, dtype=object)
    for index in np.ndindex(array.shape):
        result[index] = change(array[index])
    return result


def _chosen(array: Cells, read: bool, rests: list[Evaluation]) -> Cells:
    """Cells of the branch taken, which rest on those of the other one, too."""
    return _cells(array, lambda cell: Cell(cell.number, cell.read or read, cell.rests + rests))


def _as_state(state: Tensor, group: Evaluation, ready: Moment) -> Tensor:
    columns = [_cells(column, lambda cell: Cell(cell.number, True, [group])) for column in state.columns]
    return Tensor(columns, ready, [group])


def _reshaped(array: Cells, shape: tuple[int, ...]) -> Cells:
    if math.prod(shape) == array.size:
        return array.reshape(shape)
    filler = array.ravel()[0] if array.size else Cell(0)
    result = np.empty(shape, dtype=object)
    for index in np.ndindex(shape):
        result[index] = filler
    return result


def _joined(arrays: list[Cells], axis: int) -> Cells:
    try:
        return np.concatenate(arrays, axis=axis)
    except ValueError:
        return arrays[0]


def _computed(function: str, numbers: list[Any]) -> Any:
    """The value of a function, by Python; where it has none, some number, for only lengths and conditions need it."""
    try:
        return _FUNCTIONS[function](*numbers)
    except (ArithmeticError, ValueError, TypeError):
        return 0


def _quotient(a: Any, b: Any) -> Any:
    return Fraction(a) / Fraction(b) if isinstance(a, Fraction) or isinstance(b, Fraction) else a / b


_FUNCTIONS: dict[str, Any] = {
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "div": _quotient,
    "mod": lambda a, b: a % b, "pow": lambda a, b: a**b if abs(b) < 64 else 0,
    "log": lambda a, *b: math.log(a, *b) if b != (2,) else math.log2(a),
    "and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b,
    "not": lambda a: not a if isinstance(a, bool) else ~a,
    "lt": lambda a, b: a < b, "gt": lambda a, b: a > b, "le": lambda a, b: a <= b, "ge": lambda a, b: a >= b,
    "eq": lambda a, b: a == b, "ineq": lambda a, b: a != b, "max": max, "min": min,
    "sgn": lambda a: (a > 0) - (a < 0), "sqrt": math.sqrt, "exp": math.exp, "abs": abs, "neg": lambda a: -a,
    "floor": math.floor, "rand": lambda a: 0 * a, "sin": math.sin, "cos": math.cos, "tan": math.tan,
    "asin": math.asin, "acos": math.acos, "atan": math.atan, "sinh": math.sinh, "cosh": math.cosh, "tanh": math.tanh,
    "asinh": math.asinh, "acosh": math.acosh, "atanh": math.atanh,
}  # fmt: skip
