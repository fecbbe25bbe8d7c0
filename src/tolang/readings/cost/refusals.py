"""Sizes at which a program is refused: where a length would be below zero, or a condition on sizes does not hold.

A run would say so when it comes there, and nothing is counted at such sizes.  The program is walked in the order of its
evaluation; what depends on data, or stands in a branch that data decides, is left to the run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from tolang.core.core import (
    Call,
    Core,
    Expr,
    If,
    Input,
    Let,
    Literal,
    Map,
    Part,
    Range,
    Reduce,
    Require,
)
from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.reporting.diagnostics import Diagnostic, Note, ToLangRunError
from tolang.ground.symbolic.closing import Closing
from tolang.ground.symbolic.conditions import Condition, choice, junction, negation, nonnegative
from tolang.ground.symbolic.iterated import Unsummed
from tolang.ground.symbolic.sizes import ONE, ZERO, Rational, Size
from tolang.ground.symbolic.summing import extreme_over
from tolang.readings.cost.extremes import greatest_between
from tolang.readings.cost.names import BodyNames
from tolang.readings.interpret.gather import range_message
from tolang.readings.interpret.machine import MOST_NOTES

MOST_CHECKS = 200
"""Of a body with more lengths that are not surely above zero, these are looked at."""
Numbers = Mapping[str, int]
Wrong = Callable[[Numbers, Rational], Diagnostic]
"""What is wrong at some sizes and places, where a size is below zero by so much."""


@dataclass(frozen=True, slots=True)
class CountedLoop:
    """An iterator, its number of steps, and whether there surely is one."""

    iterator: str
    extent: Size
    runs: bool

    def substitute(self, values: Mapping[str, Size]) -> CountedLoop:
        return replace(self, extent=self.extent.substitute(values))


@dataclass(frozen=True, slots=True)
class Check:
    """A size that must not be below zero wherever loops and conditions on sizes lead, and what is wrong if it is."""

    size: Size
    loops: tuple[CountedLoop, ...]
    guard: Condition
    wrong: Wrong
    notes: tuple[Note, ...] = ()

    @property
    def asked(self) -> tuple[Size, tuple[CountedLoop, ...], Condition]:
        return self.size, self.loops, self.guard

    def at_call(self, values: Mapping[str, Size], loops: Sequence[CountedLoop], guards: Sequence[Condition]) -> Check:
        """A check of a shared body where it is called."""
        wrong = self.wrong

        def outside(numbers: Numbers, value: Rational) -> Diagnostic:
            inner = {name: size.evaluate(numbers) for name, size in values.items() if size.names() <= numbers.keys()}
            return wrong({**numbers, **inner}, value).in_words_of(values)

        inside = (loop.substitute(values) for loop in self.loops)
        guard = junction("and", [*guards, self.guard.substitute(values)])
        return Check(self.size.substitute(values), (*loops, *inside), guard, outside, self.notes)

    def refusal(self, numbers: Numbers) -> ToLangRunError | None:
        """The error at given sizes, if there is one that is seen."""
        known = {name: Size.of(value) for name, value in numbers.items()}
        if self.guard.substitute(known).constant is not True:
            return None
        try:
            found = _least_place(self.size.substitute(known), [loop.substitute(known) for loop in self.loops])
        except Unsummed:
            return None
        if found is None or found[0] >= 0:
            return None
        value, place = found
        return ToLangRunError(replace(self.wrong({**numbers, **place}, value), notes=self.notes))


def _least_place(size: Size, loops: Sequence[CountedLoop]) -> tuple[Rational, dict[str, int]] | None:
    """The least value of a size over loops, and where it is; None where there is no place, or none is seen.

    The iterators inside are done away with first, by the least value over each; that leaves a size of the outermost
    one, and where that is least, the same is asked of those inside.
    """
    if not loops:
        return None if size.constant is None else (size.constant, {})
    outer, *inner = loops
    least = least_over(size, inner)
    steps = outer.extent.constant
    if least is None or (steps is not None and steps < 1):
        return None
    if steps is None or not least.names() <= {outer.iterator}:
        whole = least_over(size, loops)
        return None if whole is None or whole.constant is None else (whole.constant, {})
    value, place = extreme_over(least, outer.iterator, 1, int(steps), False)
    here = {outer.iterator: Size.of(place)}
    further = _least_place(size.substitute(here), [loop.substitute(here) for loop in inner])
    return value, {outer.iterator: place, **(further[1] if further is not None else {})}


def least_over(size: Size, loops: Sequence[CountedLoop]) -> Size | None:
    """The least value of a size over loops, 0 where one of them has no step; None where that is not seen."""
    closing = Closing()
    for loop in loops:
        closing.ranges.declare(loop.iterator, ONE, loop.extent)
    conditions: list[Condition] = []
    for loop in reversed(loops):
        if any(loop.iterator in condition.names() for condition in conditions):
            return None
        if loop.iterator in size.names():
            size = closing.utmost("min", size, loop.iterator, ONE, loop.extent)
        if not loop.runs:
            conditions.append(nonnegative(loop.extent - 1))
    return choice(junction("and", conditions), size, ZERO)


class Refusals:
    """Gathers the checks of one body: a program's, or one that calls share."""

    def __init__(self, names: BodyNames, bodies: dict[int, tuple[Expr, list[Check]]]) -> None:
        self.names, self.bodies = names, bodies
        self.loops: list[CountedLoop] = []
        self.guards: list[Condition] = []
        self.calls: list[Note] = []
        self.found: list[Check] = []

    def _add(self, size: Size, wrong: Wrong) -> None:
        """Notes what is asked of a size, unless that surely holds or nobody can tell before the run."""
        known = self.names.size(size)
        if len(self.found) == MOST_CHECKS or self.names.ranges.proves_nonnegative(known):
            return
        known = self._greatest(known)
        if known.names() <= self.names.certain | {loop.iterator for loop in self.loops}:
            guard = junction("and", self.guards)
            self.found.append(Check(known, tuple(self.loops), guard, wrong, self._notes))

    @property
    def _notes(self) -> tuple[Note, ...]:
        return tuple(reversed(self.calls))[:MOST_NOTES]

    def _greatest(self, size: Size) -> Size:
        """A size with what only running tells at its bounds: if that is below zero, the size is."""
        unknowns = self.names.unknowns
        for _ in unknowns:
            for name in size.names() & unknowns.keys():
                one = unknowns[name]
                if one.greatest is not None:
                    size = greatest_between(size, name, one.least, one.greatest)
        return size

    def _length(self, size: Size, expr: Expr) -> None:
        self._add(size, lambda _, value: Diagnostic("E509", "a length is below zero", expr.span, found=str(value)))

    def walk(self, expr: Expr) -> None:
        """The checks of an expression; bindings are walked without recursion."""
        while isinstance(expr, Let | Require):
            if isinstance(expr, Let):
                self.walk(expr.value)
                self.names.bind(expr)
            else:
                self._requirement(expr)
            expr = expr.body
        match expr:
            case Map(iterators=iterators, extents=extents, body=body):
                self._over(expr, iterators, extents, body)
            case Reduce(iterators=iterators, extents=extents, step=step):
                for initial in expr.initials:
                    self.walk(initial)
                self.names.bind_state(expr)
                self._over(expr, iterators, extents, step)
            case If():
                self._if(expr)
            case Call():
                self._call(expr)
            case _:
                for child in expr.children():
                    self.walk(child)
                self._own(expr)

    def walk_input(self, one: Input) -> None:
        """The declared lengths of an input, which no data could have if one is below zero."""

        def wrong(numbers: Numbers, _: Rational) -> Diagnostic:
            shape = (self.names.size(length) for length in one.type.shape)
            known = (length.evaluate(numbers) if length.names() <= numbers.keys() else length for length in shape)
            text = ",".join(str(length) for length in known)
            return Diagnostic("E509", f"{one.name} cannot have the shape [{text}]: a length is below zero")

        for length in one.type.shape:
            self._add(length, wrong)

    def _own(self, expr: Expr) -> None:
        """What an expression without a scope of its own asks of sizes."""
        if isinstance(expr, Literal):
            for length in expr.type.shape:
                self._length(length, expr)
        elif isinstance(expr, Part):
            for axis, item in enumerate(expr.items):
                if isinstance(item, Range):
                    self._range(expr, axis, item)

    def _range(self, expr: Part, axis: int, item: Range) -> None:
        start, length = self.names.size(item.start), self.names.size(item.length)
        shape = [self.names.size(one) for one in expr.subject.type.shape]

        def wrong(numbers: Numbers, _: Rational) -> Diagnostic:
            sizes = (start, length, *shape)
            first, count, *lengths = (
                int(size.evaluate(numbers)) if size.names() <= numbers.keys() else 0 for size in sizes
            )
            return range_message(expr, axis, first, first + count - 1, lengths)

        self._add(item.length, wrong)

    def _requirement(self, expr: Require) -> None:
        condition = self.names.condition(expr.condition)
        shown = sorted(expr.condition.names())

        def wrong(numbers: Numbers, _: Rational) -> Diagnostic:
            sizes = [(name, self.names.size(Size.of(name))) for name in shown]
            values = [f"{name} = {size.evaluate(numbers)}" for name, size in sizes if size.names() <= numbers.keys()]
            return Diagnostic("E515", expr.message, expr.span, found=", ".join(values))

        self._add(choice(condition, ZERO, Size.of(-1)), wrong)

    def _over(self, expr: Expr, iterators: tuple[str, ...], extents: tuple[Size, ...], body: Expr) -> None:
        for extent in extents:
            self._length(extent, expr)
        lengths = [self.names.size(extent) for extent in extents]
        runs = [self.names.ranges.proves_nonnegative(length - 1) for length in lengths]
        self.names.open(iterators, lengths)
        self.loops += map(CountedLoop, iterators, lengths, runs)
        self.walk(body)
        del self.loops[len(self.loops) - len(iterators) :]
        self.names.close(iterators, lengths)

    def _if(self, expr: If) -> None:
        """The branches that sizes decide on, each where it is taken; of others nothing is known."""
        for one in expr.written:
            self.walk(one)
        guard = None if expr.guard is None else self.names.condition(expr.guard)
        if guard is None or not self.names.is_certain(guard):
            return
        for branch, condition in ((expr.then, guard), (expr.otherwise, negation(guard))):
            self.guards.append(condition)
            self.walk(branch)
            self.guards.pop()

    def _call(self, expr: Call) -> None:
        for _, argument in expr.arguments:
            self.walk(argument)
        if not expr.shared:
            for name, size in expr.sizes:
                self.names.given[name] = self.names.size(size)
            for name, argument in expr.arguments:
                self.names.bind_numeric(name, argument)
        told = expr.span is not None and not expr.span.source.library
        notes = [Note(f"in the call of {expr.definition}", expr.span)] if told else []
        self.calls += notes
        if expr.shared:
            self._shared_body(expr)
        else:
            self.walk(expr.body)
        del self.calls[len(self.calls) - len(notes) :]

    def _shared_body(self, expr: Call) -> None:
        """The checks of a body that is walked once, with what a call gives its names; equal ones are made once."""
        if id(expr.body) not in self.bodies:
            numerics = [name for name, argument in expr.arguments if argument.type.is_numeric]
            names = BodyNames(
                self.names.bounds, [*(name for name, _ in expr.sizes), *numerics], {}, calls=self.names.calls
            )
            for name in numerics:
                names.ranges.declare(name, None, None)
            inner = Refusals(names, self.bodies)
            inner.walk(expr.body)
            self.bodies[id(expr.body)] = (expr.body, inner.found)
        outer = self.names.at_call(expr, {})
        asked = {one.asked for one in self.found}
        for check in self.bodies[id(expr.body)][1]:
            one = check.at_call(outer, self.loops, self.guards)
            known = self.names.certain | {loop.iterator for loop in one.loops}
            if one.size.names() <= known and one.asked not in asked and len(self.found) < MOST_CHECKS:
                asked.add(one.asked)
                self.found.append(replace(one, notes=(*one.notes, *self._notes)[:MOST_NOTES]))


def refusals(program: Core, names: BodyNames) -> list[Check]:
    """What a program asks of its sizes, in the order in which a run would ask it."""
    reading = Refusals(names, {})
    for one in program.inputs:
        reading.walk_input(one)
    reading.walk(program.body)
    return reading.found
