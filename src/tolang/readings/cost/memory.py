"""Bytes: what must be read and written, and what is held at the peak.

What must move is the inputs that the outputs reach, once, and the outputs, once.  Held are the inputs, every ToL with
a name from where it is computed to its last use, and the outputs to the end.  A map computes its elements one at a
time, each straight into its place; a fold of ToLs holds its state and the next one; a numeric is held in a register.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tolang.core.core import (
    Apply,
    Bundle,
    Call,
    Component,
    Convert,
    Core,
    Embed,
    Expr,
    If,
    Join,
    Let,
    Map,
    Part,
    Random,
    Reduce,
    Require,
    Reshape,
    Swap,
    Tile,
    Variable,
)
from tolang.core.types import Type
from tolang.ground.symbolic.conditions import choice
from tolang.ground.symbolic.sizes import ONE, ZERO, Size
from tolang.ground.values.spaces import dtype_of
from tolang.readings.cost.extremes import greatest, greatest_of
from tolang.readings.cost.names import BodyNames, UnknownNumber
from tolang.readings.cost.parts import mentioned

REFERENCE = 8
"""Bytes of a text or an exact number where it stands in a column; what it refers to is not counted."""


def bytes_of(one: Type, names: BodyNames, doubtful: bool = False) -> Size:
    """The bytes of a ToL."""
    total = Size.of(sum(_width(column.storage) for column in one.columns))
    for length in one.shape:
        total = total * names.extent(length, doubtful)
    return total


def _width(storage: str) -> int:
    return REFERENCE if storage in ("text", "rational", "integer") else dtype_of(storage).itemsize


def _sum(sizes: Iterable[Size]) -> Size:
    total = ZERO
    for size in sizes:
        total = total + size
    return total


Body = tuple[Expr, Size, Mapping[str, UnknownNumber]]
"""A body that calls share, its peak in its own sizes, and its unknowns."""


class PeakFinder:
    """Finds the peak of one body."""

    def __init__(self, names: BodyNames, bodies: dict[int, Body]) -> None:
        self.names, self.bodies = names, bodies
        self.doubtful = False

    def held(self, one: Type) -> Size:
        """The bytes that a value of its own takes; numerics take none."""
        if one.parts:
            return _sum(self.held(part) for part in one.parts)
        return bytes_of(one, self.names, self.doubtful) if one.shape else ZERO

    def peak(self, expr: Expr, is_program: bool = False) -> Size:
        """The most bytes held while an expression is evaluated, beside its result and what was there before.

        A program's results are held, too: those that have no name, such as zeros, are made at its end.
        """
        links: list[Let] = []
        while isinstance(expr, Let | Require):
            if isinstance(expr, Let):
                self.names.bind(expr)
                links.append(expr)
            expr = expr.body
        results = self._made(expr) if is_program else ZERO
        if not links:
            return results + self._node(expr)
        last = _last_uses(links, expr)
        moments: list[Size] = []
        live: dict[str, Size] = {}
        total = ZERO
        for position, let in enumerate(links):
            own = ZERO if isinstance(let.value, Variable) else self.held(let.value.type)
            moments.append(total + own + self.peak(let.value))
            live[let.names[0]] = own
            total = total + own
            for name in last.get(position, ()):
                total = total - live.pop(name)
        moments.append(total + results + self._node(expr))
        return greatest_of(moments)

    def _made(self, expr: Expr) -> Size:
        """The bytes of results that are neither held under a name nor parts of what is."""
        if isinstance(expr, Bundle):
            return _sum(self._made(part) for part in expr.parts)
        return ZERO if isinstance(expr, Variable | Part | Component) else self.held(expr.type)

    def _node(self, expr: Expr) -> Size:
        match expr:
            case Apply(arguments=parts) | Join(parts=parts) | Embed(parts=parts) | Bundle(parts=parts):
                return greatest_of(self.peak(part) for part in parts)
            case Random(limit=subject) | Reshape(subject=subject) | Tile(subject=subject):
                return self.peak(subject)
            case Map(iterators=iterators, extents=extents, body=body):
                return self._over(iterators, extents, body)
            case Reduce():
                return self._fold(expr)
            case If():
                return self._if(expr)
            case Call():
                return self._call(expr)
            case Part() | Component() | Convert() | Swap():
                return greatest_of(self._operand(child) for child in expr.children())
        return ZERO

    def _operand(self, expr: Expr) -> Size:
        """What an operand that is read from takes: nothing where it has a name already."""
        if isinstance(expr, Variable | Part | Component):
            return self.peak(expr)
        return self.held(expr.type) + self.peak(expr)

    def _over(self, iterators: tuple[str, ...], extents: tuple[Size, ...], body: Expr) -> Size:
        lengths = [self.names.extent(extent, self.doubtful) for extent in extents]
        self.names.open(iterators, lengths)
        peak = self.peak(body)
        for iterator, length in zip(iterators, lengths, strict=True):
            peak = greatest(peak, iterator, ONE, length)
        self.names.close(iterators, lengths)
        return peak

    def _fold(self, expr: Reduce) -> Size:
        """The state and the next one, each as large as any; lengths that change inside are taken at their greatest.

        One of both is the room of the result, as far as that goes.
        """
        self.names.bind_state(expr)
        start = greatest_of(self.peak(initial) for initial in expr.initials)
        final = self.held(expr.type)
        before = set(self.names.unknowns)
        largest = greatest_of([final, *self._states(expr)])
        step = self._over(expr.iterators, expr.extents, expr.step)
        inner = {name: one for name, one in self.names.unknowns.items() if name not in before}
        for _ in inner:
            ends = {n: inner[n].greatest for n in step.names() if n in inner}
            step = step.substitute({name: end for name, end in ends.items() if end is not None})
        return greatest_of([start, largest + (largest - final) + step])

    def _states(self, expr: Reduce) -> list[Size]:
        """The bytes of the first state, and of the largest one where its length follows from the step alone."""
        first = _sum(self.held(initial.type) for initial in expr.initials)
        later = _sum(self.held(one) for one in expr.state_types)
        if later.names() & self.names.unknowns.keys():
            return [first]
        for iterator, extent in zip(expr.iterators, expr.extents, strict=True):
            later = greatest(later, iterator, ONE, self.names.extent(extent, self.doubtful))
        return [first, later]

    def _if(self, expr: If) -> Size:
        guard = None if expr.guard is None else self.names.condition(expr.guard)
        if guard is not None and (guard.constant is not None or self.names.is_certain(guard)):
            return choice(guard, self.peak(expr.then), self.peak(expr.otherwise))
        before, self.doubtful = self.doubtful, True
        branches = [self.peak(expr.then), self.peak(expr.otherwise)]
        self.doubtful = before
        return greatest_of([*(self.peak(one) for one in expr.written), *branches])

    def _call(self, expr: Call) -> Size:
        own = _sum(self._operand(argument) for _, argument in expr.arguments)
        if not expr.shared:
            for name, size in expr.sizes:
                self.names.given[name] = self.names.size(size)
            for name, argument in expr.arguments:
                self.names.bind_numeric(name, argument)
            return own + self.peak(expr.body)
        if id(expr.body) not in self.bodies:
            names = BodyNames(self.names.bounds, [name for name, _ in expr.sizes], {}, calls=self.names.calls)
            self.bodies[id(expr.body)] = (expr.body, PeakFinder(names, self.bodies).peak(expr.body), names.unknowns)
        _, peak, unknowns = self.bodies[id(expr.body)]
        return own + peak.substitute(self.names.at_call(expr, unknowns))


def _last_uses(links: list[Let], result: Expr) -> dict[int, list[str]]:
    """The first names of bindings by the position after which nothing uses them; what the result uses is not listed."""
    final = mentioned(result)
    last: dict[str, int] = {}
    for position, let in enumerate(links):
        for name in mentioned(let.value):
            last[name] = position
    found: dict[int, list[str]] = {}
    for position, let in enumerate(links):
        if not any(name in final for name in let.names):
            until = max([position, *(last[name] for name in let.names if name in last)])
            found.setdefault(until, []).append(let.names[0])
    return found


def bytes_moved(program: Core, names: BodyNames) -> tuple[Size, Size]:
    """The bytes of the inputs that the outputs reach, and those of the outputs.

    The names that the outputs' lengths mention must have been seen: read the program's peak before.
    """
    reached = mentioned(program.body)
    read = _sum(bytes_of(one.type, names) for one in program.inputs if one.name in reached)
    return read, _sum(bytes_of(one.type, names) for one in program.outputs)


def read_memory(program: Core, names: BodyNames) -> tuple[Size, Size, Size]:
    """Bytes read, bytes written, and bytes held at the peak."""
    memory = PeakFinder(names, {})
    peak = memory.peak(program.body, is_program=True)
    read, written = bytes_moved(program, names)
    return read, written, read + peak
