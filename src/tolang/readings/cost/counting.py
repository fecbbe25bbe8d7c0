"""EOPs: how many basic elementary functions a program evaluates, by the rules of section 6 of the language.

Each evaluation counts one, except the free ones: an evaluation is free when it reads no element of a ToL and is used as
a coordinate, a length, a shape, the condition of an `if`, or by free evaluations only.  So every expression is counted
either for its value or for its use as an index, and a binding is counted after its body, once its uses are known.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tolang.core.core import (
    Apply,
    Bundle,
    Call,
    Component,
    Convert,
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
from tolang.ground.dataclasses import dataclass, field
from tolang.ground.symbolic.sizes import ONE, ZERO, Replacing, Size
from tolang.ground.values.functions import FUNCTIONS
from tolang.readings.cost.names import BodyNames, UnknownNumber
from tolang.readings.cost.parts import mentioned, only_parts
from tolang.readings.cost.products import Products, on_floats
from tolang.readings.cost.tally import Tally, either, together

Key = tuple[int, bool, frozenset[str], frozenset[str], frozenset[str]]
"""A shared body, whether its value is used, parameters that read elements, sizes only running tells, and products."""


@dataclass(frozen=True, slots=True)
class Counted:
    """A body that calls share, counted once: in its own sizes, with its unknowns and what it uses as a value."""

    body: Expr
    tally: Tally
    unknowns: dict[str, UnknownNumber]
    certain: frozenset[str]
    valued: frozenset[str]
    counted: frozenset[int]
    keys: dict[int, Key]
    calls: dict[tuple[Size, ...], Tally] = field(default_factory=dict)
    """Its counts in terms of what calls give its names, which equal layers of a model give alike."""


@dataclass(slots=True)
class CountingContext:
    """What all bodies of one program have in common.

    `bodies` were counted so far; `written` tells how functions were written; `partial` has bundles without the parts
    that nothing uses, and `values` what stands for the value of a binding of several names; `products` knows which
    sums of folds add products.
    """

    definitions: Mapping[str, str]
    auxiliary: Mapping[str, str]
    bodies: dict[Key, Counted] = field(default_factory=dict)
    written: dict[str, set[str]] = field(default_factory=dict)
    products: Products = field(default_factory=Products)
    partial: dict[tuple[int, tuple[bool, ...]], tuple[Expr, Expr]] = field(default_factory=dict)
    values: dict[int, Expr] = field(default_factory=dict)


class BodyCounter:
    """Counts one body: a program's, or one that calls share."""

    def __init__(self, names: BodyNames, shared: CountingContext, inside: str = "") -> None:
        self.names, self.shared, self.inside = names, shared, inside
        self.valued: set[str] = set()
        self.counted: set[int] = set()
        self.keys: dict[int, Key] = {}
        self.doubtful = False
        self.outermost: dict[str, list[Tally]] | None = None

    def count_program(self, body: Expr) -> tuple[Tally, dict[str, Tally]]:
        """The cost of a program, and what each of its outermost definitions contributes."""
        self.outermost = {}
        parts = self.outermost
        total = self.count(body, True)
        return total, {name: together(tallies) for name, tallies in parts.items()}

    def count(self, expr: Expr, valued: bool) -> Tally:
        """The cost of an expression, used for its value or as an index; bindings are walked without recursion."""
        links: list[Let] = []
        outermost, self.outermost = self.outermost, None
        while isinstance(expr, Let | Require):
            if isinstance(expr, Let):
                self.names.bind(expr)
                if outermost is None:
                    self.shared.products.bind(expr)
                links.append(expr)
            expr = expr.body
        tallies = [self._node(expr, valued)]
        bundles = any(len(let.names) > 1 for let in links)
        used = mentioned(expr) if bundles else set()
        for let in reversed(links):
            tallies.append(self._binding(let, used))
            if outermost is not None:
                name = let.names[0]
                definition = self.shared.definitions.get(name) or self.shared.auxiliary.get(name, name)
                outermost.setdefault(definition, []).append(tallies[-1])
            if bundles:
                used |= mentioned(let.value)
        return together(reversed(tallies)) if len(tallies) > 1 else tallies[0]

    def _binding(self, let: Let, used: set[str]) -> Tally:
        value = let.value
        if len(let.names) > 1:
            value = self._parts_used(let, used)
        tally = self.count(value, any(name in self.valued for name in let.names))
        definition = self.shared.definitions.get(let.names[0])
        made_for = definition or self.shared.auxiliary.get(let.names[0])
        if made_for is None:
            return tally
        name = f"{self.inside}.{made_for}" if self.inside else made_for
        return tally.attributed(name, ONE if definition else ZERO)

    def _parts_used(self, let: Let, used: set[str]) -> Expr:
        """A binding's value without the parts that nothing uses, made once for all bindings of one value."""
        lengths = {part for name, part, _ in let.lengths if name in used}
        wanted = tuple(name in used or part in lengths for part, name in enumerate(let.names))
        key = (id(let.value), wanted)
        if key not in self.shared.partial:
            self.shared.partial[key] = (let.value, only_parts(let.value, wanted))
        self.shared.values[id(let)] = self.shared.partial[key][1]
        return self.shared.values[id(let)]

    def _node(self, expr: Expr, valued: bool) -> Tally:
        match expr:
            case Literal() | Measure():
                return Tally()
            case Variable(name=name):
                if valued:
                    self.valued.add(name)
                return Tally()
            case Apply(function=function, arguments=arguments):
                return self._function(expr, function, arguments, valued)
            case Random(limit=limit):
                return self._function(expr, "rand", (limit,), valued)
            case Map(iterators=iterators, extents=extents, body=body):
                return self._map(iterators, extents, body, valued)
            case Reduce():
                return self._reduce(expr, valued)
            case Part(subject=subject, items=items):
                written = [one for item in items for one in item.written]
                return together([*(self.count(one, False) for one in written), self.count(subject, valued)])
            case If():
                return self._if(expr, valued)
            case Call():
                return self._call(expr, valued)
            case Swap(subject=subject, order=order):
                return together([self.count(order, False), self.count(subject, valued)])
            case Join(parts=parts) | Embed(parts=parts) | Bundle(parts=parts):
                return together(self.count(part, valued) for part in parts)
            case (
                Component(subject=subject) | Convert(subject=subject) | Reshape(subject=subject) | Tile(subject=subject)
            ):
                return self.count(subject, valued)
        raise TypeError(f"{type(expr).__name__} is no core expression")

    def _function(self, expr: Expr, function: str, arguments: tuple[Expr, ...], valued: bool) -> Tally:
        is_free = not valued and not self.names.reads(expr)
        tally = together(self.count(argument, not is_free) for argument in arguments)
        if is_free:
            return tally
        tally.add_one(function, on_floats(expr), function == "add" and self.shared.products.adds_product(arguments))
        self.counted.add(id(expr))
        self.shared.written.setdefault(function, set()).add(label(expr, function))
        return tally

    def _map(self, iterators: tuple[str, ...], extents: tuple[Size, ...], body: Expr, valued: bool) -> Tally:
        lengths = [self.names.extent(extent, self.doubtful) for extent in extents]
        self.names.open(iterators, lengths)
        tally = self.count(body, valued).summed(zip(iterators, lengths, strict=True))
        self.names.close(iterators, lengths)
        return tally

    def _reduce(self, expr: Reduce, valued: bool) -> Tally:
        lengths = [self.names.extent(extent, self.doubtful) for extent in expr.extents]
        self.names.open(expr.iterators, lengths)
        self.names.bind_state(expr)
        self.shared.products.states.update(expr.states)
        step = self.count(expr.step, valued)
        if not valued and any(state in self.valued for state in expr.states):
            valued = True
            step = self.count(expr.step, valued)
        tally = step.summed(zip(expr.iterators, lengths, strict=True))
        self.names.close(expr.iterators, lengths)
        return together([*(self.count(initial, valued) for initial in expr.initials), tally])

    def _if(self, expr: If, valued: bool) -> Tally:
        """Both branches, unless a condition on sizes alone chooses one."""
        if expr.guard is None:
            condition = together(self.count(one, False) for one in expr.written)
            return together([condition, *self._branches(expr, valued)])
        guard = self.names.condition(expr.guard)
        if guard.constant is not None or self.names.is_certain(guard):
            return either(guard, self.count(expr.then, valued), self.count(expr.otherwise, valued))
        return together(self._branches(expr, valued))

    def _branches(self, expr: If, valued: bool) -> list[Tally]:
        before, self.doubtful = self.doubtful, True
        tallies = [self.count(expr.then, valued), self.count(expr.otherwise, valued)]
        self.doubtful = before
        return tallies

    def _call(self, expr: Call, valued: bool) -> Tally:
        if expr.shared:
            return self._shared_call(expr, valued)
        for name, size in expr.sizes:
            self.names.given[name] = self.names.size(size)
        for name, argument in expr.arguments:
            self.names.bind_numeric(name, argument)
            self.shared.products.values[name] = argument
        before, self.inside = self.inside, expr.definition
        body = self.count(expr.body, valued)
        self.inside = before
        arguments = [self.count(argument, name in self.valued) for name, argument in expr.arguments]
        return together([*arguments, body.attributed(expr.definition)])

    def _shared_call(self, expr: Call, valued: bool) -> Tally:
        """A call of a body that is counted once: its counts with the call's sizes for the body's own."""
        reading = frozenset(n for n, a in expr.arguments if not a.type.shape and self.names.reads(a))
        sizes = {name: self.names.size(size) for name, size in expr.sizes}
        uncertain = frozenset(name for name, size in sizes.items() if not size.names() <= self.names.certain)
        multiplied = frozenset(n for n, a in expr.arguments if self.shared.products.is_product(a))
        key = (id(expr.body), valued, reading, uncertain, multiplied)
        if key not in self.shared.bodies:
            self.shared.bodies[key] = self._count_body(expr, key)
        self.keys[id(expr)] = key
        counted = self.shared.bodies[key]
        outer = Replacing(self.names.at_call(expr, counted.unknowns))
        given = tuple(outer.values())
        if given not in counted.calls:
            counted.calls[given] = counted.tally.changed(lambda size: size.substitute(outer))
        body = counted.calls[given]
        arguments = [self.count(argument, name in counted.valued) for name, argument in expr.arguments]
        return together([*arguments, body])

    def _count_body(self, expr: Call, key: Key) -> Counted:
        _, valued, reading, uncertain, multiplied = key
        certain = {name for name, _ in expr.sizes if name not in uncertain}
        certain |= {n for n, a in expr.arguments if a.type.is_numeric and n not in reading}
        names = body_names(expr, self.names, certain, reading)
        counter = BodyCounter(names, self.shared, expr.definition)
        with self.shared.products.among_parameters(multiplied):
            tally = counter.count(expr.body, valued).attributed(expr.definition)
        return Counted(
            expr.body, tally, names.unknowns, frozenset(certain), frozenset(counter.valued),
            frozenset(counter.counted), counter.keys,
        )  # fmt: skip


def body_names(call: Call, around: BodyNames, certain: Iterable[str], reading: frozenset[str]) -> BodyNames:
    """The names of a body that calls share, in its own sizes."""
    names = BodyNames(around.bounds, certain, {}, calls=around.calls)
    for name, argument in call.arguments:
        if not argument.type.shape:
            names.parameter(name, name in reading)
    return names


def label(expr: Expr, function: str) -> str:
    """How a function was written where it is evaluated: by its sign, or by its name."""
    sign = "-" if function == "neg" else FUNCTIONS[function].sign
    text = expr.span.text.lstrip("( \n") if expr.span is not None else function
    if sign is None or text.startswith(function):
        return function
    return sign
