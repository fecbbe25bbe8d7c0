"""Span: the longest chain of functions each of which needs the result of the one before.

A ToL is ready when all its elements are, a fold's state when all its parts are.  What a value waits for is a `Delay`:
for each source (the start, or the state of a fold around it) how many functions lie between the source and the value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tolang.core.core import (
    Bundle,
    Call,
    Coordinate,
    Core,
    Expr,
    If,
    Let,
    Map,
    Measure,
    Part,
    Reduce,
    Require,
    Variable,
)
from tolang.ground.dataclasses import dataclass
from tolang.ground.symbolic.conditions import Condition, choice
from tolang.ground.symbolic.sizes import ONE, ZERO, Size
from tolang.ground.symbolic.sums import sum_over
from tolang.readings.cost.counting import BodyCounter, CountingContext, Key, body_names
from tolang.readings.cost.extremes import greatest, greatest_of, never_negative_in_any_case
from tolang.readings.cost.names import BodyNames, UnknownNumber

START = ""
Delay = dict[str, Size]
AT_ONCE: Delay = {START: ZERO}


def latest(delays: Iterable[Delay]) -> Delay:
    """The delay of what waits for several values."""
    by_source: dict[str, list[Size]] = {}
    for delay in delays:
        for source, length in delay.items():
            lengths = by_source.setdefault(source, [])
            if length not in lengths:
                lengths.append(length)
    return {source: greatest_of(found) if len(found) > 1 else found[0] for source, found in by_source.items()}


def later(delay: Delay, by: Size) -> Delay:
    return {source: length + by for source, length in delay.items()}


@dataclass(frozen=True, slots=True)
class Context:
    """Which functions count in one body, and in which way the bodies it calls were counted."""

    counted: frozenset[int]
    keys: Mapping[int, Key]


Body = tuple[list[Delay], Mapping[str, UnknownNumber]]
"""The delays of a body that calls share, its parameters being the sources, and its unknowns."""


class SpanFinder:
    """Finds the delays of one body."""

    def __init__(self, names: BodyNames, context: Context, shared: CountingContext, bodies: dict[Key, Body]) -> None:
        self.names, self.context, self.shared, self.bodies = names, context, shared, bodies
        self.delays: dict[str, Delay] = {}

    def of(self, expr: Expr) -> Delay:
        return latest(self.parts(expr))

    def parts(self, expr: Expr) -> list[Delay]:
        """The delays of a bundle's parts, or the one of anything else; bindings are walked without recursion."""
        while isinstance(expr, Let | Require):
            if isinstance(expr, Let):
                self.names.bind(expr)
                self._bind(expr)
            expr = expr.body
        match expr:
            case Bundle(parts=parts):
                return [self.of(part) for part in parts]
            case If():
                return self._if(expr)
            case Reduce():
                return [self._fold(expr)] * max(1, len(expr.type.parts))
            case Call():
                return self._call(expr)
        return [self._node(expr)]

    def _bind(self, let: Let) -> None:
        parts = self.parts(self.shared.values.get(id(let), let.value))
        if len(parts) < len(let.names):
            parts = parts * len(let.names)
        self.delays.update(zip(let.names, parts, strict=True))
        for name, part, _ in let.lengths:
            self.delays[name] = parts[part]

    def _sizes(self, sizes: Iterable[Size]) -> Delay:
        """The delay of sizes: that of the numerics and lengths in them which running tells."""
        names = {name for size in sizes for name in size.names()}
        return latest([AT_ONCE, *(self.delays[name] for name in sorted(names) if name in self.delays)])

    def _node(self, expr: Expr) -> Delay:
        match expr:
            case Variable(name=name):
                return self.delays.get(name, AT_ONCE)
            case Measure(size=size):
                return self._sizes([size])
            case Map(iterators=iterators, extents=extents, body=body):
                return self._map(iterators, extents, body)
            case Part(subject=subject, items=items):
                sizes = [s for i in items for s in ((i.index,) if isinstance(i, Coordinate) else (i.start, i.length))]
                written = [self.of(one) for item in items for one in item.written]
                return latest([self.of(subject), self._sizes(sizes), *written])
        inner = latest([self._sizes(expr.type.shape), *(self.of(child) for child in expr.children())])
        return later(inner, ONE) if id(expr) in self.context.counted else inner

    def _if(self, expr: If) -> list[Delay]:
        """A choice waits for its condition and for both branches, unless sizes alone decide it."""
        if expr.guard is None:
            condition = latest(self.of(one) for one in expr.written)
        else:
            guard = self.names.condition(expr.guard)
            if guard.constant is not None:
                return self.parts(expr.then if guard.constant else expr.otherwise)
            names = sorted(expr.guard.names())
            condition = latest([AT_ONCE, *(self.delays[name] for name in names if name in self.delays)])
            if self.names.is_certain(guard):
                pairs = zip(self.parts(expr.then), self.parts(expr.otherwise), strict=True)
                return [latest([condition, _chosen(guard, one, two)]) for one, two in pairs]
        pairs = zip(self.parts(expr.then), self.parts(expr.otherwise), strict=True)
        return [latest([condition, one, two]) for one, two in pairs]

    def _lengths(self, extents: Sequence[Size]) -> list[Size]:
        return [self.names.extent(extent, False) for extent in extents]

    def _map(self, iterators: tuple[str, ...], extents: tuple[Size, ...], body: Expr) -> Delay:
        lengths = self._lengths(extents)
        waits = self._sizes(extents)
        if any(length.is_constant(0) for length in lengths):
            return waits
        self.names.open(iterators, lengths)
        inner = self.of(body)
        self.names.close(iterators, lengths)
        return latest([waits, _for_all(inner, iterators, lengths)])

    def _fold(self, expr: Reduce) -> Delay:
        """A state that is d after its own start and c after other things: after N steps d*N, or c + d*(N-1)."""
        lengths = self._lengths(expr.extents)
        start = latest([self._sizes(expr.extents), *(self.of(initial) for initial in expr.initials)])
        if any(length.is_constant(0) for length in lengths):
            return start
        self.names.open(expr.iterators, lengths)
        self.names.bind_state(expr)
        source = expr.states[0]
        for name in (*expr.states, *(length for length, _, _ in expr.lengths)):
            self.delays[name] = {source: ZERO}
        stepped = self.of(expr.step)
        self.names.close(expr.iterators, lengths)
        step = stepped.pop(source, None)
        if step is None:
            return latest([start, _for_all(stepped, expr.iterators, lengths)])
        whole = step
        for iterator, length in reversed(list(zip(expr.iterators, lengths, strict=True))):
            whole = sum_over(whole, iterator, length)
        first = {origin: _after(length, step, whole, expr.iterators, lengths) for origin, length in stepped.items()}
        return latest([later(start, whole), first])

    def _call(self, expr: Call) -> list[Delay]:
        arguments = {name: self.of(argument) for name, argument in expr.arguments}
        if not expr.shared:
            self.delays.update(arguments)
            for name, size in expr.sizes:
                self.names.given[name] = self.names.size(size)
            for name, argument in expr.arguments:
                self.names.bind_numeric(name, argument)
            return self.parts(expr.body)
        inner, unknowns = self._body(expr)
        outer = self.names.at_call(expr, unknowns)
        waits = self._sizes(size for _, size in expr.sizes)
        found: list[Delay] = []
        for part in inner:
            after = [later(arguments.get(origin, AT_ONCE), by.substitute(outer)) for origin, by in part.items()]
            found.append(latest([waits, *after]))
        return found

    def _body(self, expr: Call) -> Body:
        key = self.context.keys[id(expr)]
        if key not in self.bodies:
            counted = self.shared.bodies[key]
            names = body_names(expr, self.names, counted.certain, key[2])
            span = SpanFinder(names, Context(counted.counted, counted.keys), self.shared, self.bodies)
            span.delays = {name: {name: ZERO} for name, _ in expr.arguments}
            self.bodies[key] = (span.parts(expr.body), names.unknowns)
        return self.bodies[key]


def _chosen(guard: Condition, then: Delay, otherwise: Delay) -> Delay:
    """The delay of one branch where a condition on sizes holds, and of the other where it does not."""
    both = then.keys() & otherwise.keys()
    chosen = {source: choice(guard, then[source], otherwise[source]) for source in both}
    return {**then, **otherwise, **chosen}


def _for_all(delay: Delay, iterators: Sequence[str], lengths: Sequence[Size]) -> Delay:
    """The greatest delay over all values of iterators."""
    result: Delay = {}
    for source, size in delay.items():
        for iterator, length in zip(iterators, lengths, strict=True):
            size = greatest(size, iterator, ONE, length)
        result[source] = size
    return result


def _after(other: Size, step: Size, whole: Size, iterators: Sequence[str], lengths: Sequence[Size]) -> Size:
    """The delay after all steps of what enters the state at some step: that step's, and all of the steps after it.

    Where no later step takes longer to be entered than the steps up to it take, what enters at the first is the latest.
    """
    if len(iterators) == 1 and iterators[0] in other.names() | step.names():
        iterator, length = iterators[0], lengths[0]
        first, following = {iterator: ONE}, {iterator: Size.of(iterator) + 1}
        if never_negative_in_any_case(other + (step - other).substitute(following)):
            return (other - step).substitute(first) + whole
        before = sum_over(step, iterator, Size.of(iterator))
        return greatest(other + whole - before, iterator, ONE, length)
    change = other - step
    for iterator, length in zip(iterators, lengths, strict=True):
        change = greatest(change, iterator, ONE, length)
    return change + whole


def read_span(program: Core, names: BodyNames, counter: BodyCounter) -> Size:
    """The span of a program whose EOPs were counted before."""
    span = SpanFinder(names, Context(frozenset(counter.counted), counter.keys), counter.shared, {})
    return latest([AT_ONCE, *span.parts(program.body)])[START]
