"""Conditions and coordinates decided where the iterators around them do: `if i >= 1` is no question of a step i."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType

from tolang.core.core import Apply, Coordinate, Expr, If, Let, Literal, Map, Part, Range, Reduce, Require, Variable
from tolang.core.gradient.building import apply
from tolang.core.rebuild import rebuild
from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.conditions import Condition, junction, negation, nonnegative
from tolang.ground.symbolic.ranges import Ranges
from tolang.ground.symbolic.sizes import ONE, Size


def undecided(condition: Condition, ranges: Ranges, targets: Mapping[str, Size] = MappingProxyType({})) -> Condition:
    """What of a condition is not known to hold; `targets` are iterators as sizes of others, of which more is known."""
    known = ranges.decide(condition.substitute(targets))
    if known is not None:
        return junction("and", [] if known else [Condition("false")])
    if condition.kind in ("and", "or"):
        return junction(condition.kind, [undecided(part, ranges, targets) for part in condition.parts])
    return condition


def _new_constant(before: Expr, after: Expr) -> bool:
    """Whether something inside an expression is a constant that was none before."""
    pairs = zip(before.children(), after.children(), strict=True)
    return any(isinstance(new, Literal) and new is not old for old, new in pairs)


def decided(expr: Expr, sizes: Iterable[str] = ()) -> Expr:
    """The same program without questions whose answer is known; its names are unique.

    What it requires of its `sizes` is required first, of loops inside which it was where these have steps.
    """
    deciding = _Deciding(frozenset(sizes))
    result = deciding.visit(expr)
    for condition, message in reversed(deciding.required.items()):
        result = Require(condition, message, result, type=result.type)
    return result


class _Deciding:
    """The walk; `reached` are the conditions on sizes under which a place is, None where data decide."""

    def __init__(self, sizes: frozenset[str]) -> None:
        self.ranges, self.sizes = Ranges(), sizes
        self.required: dict[Condition, str] = {}
        self.constants: dict[str, Fraction] = {}
        self.reached: list[Condition | None] = []

    def visit(self, expr: Expr) -> Expr:
        match expr:
            case Let() | Require():
                return self._chain(expr)
            case Map(iterators=iterators, extents=extents):
                self._declare(iterators, extents)
                return self._inside([nonnegative(extent - 1) for extent in extents], expr)
            case Reduce(iterators=iterators, extents=extents, states=states):
                self._declare(iterators, extents)
                self._unknown(states)
                return self._inside([nonnegative(extent - 1) for extent in extents], expr)
            case If():
                return self._chosen(expr)
        return self._inside([], expr)

    def _inside(self, reached: Sequence[Condition | None], expr: Expr) -> Expr:
        """What is inside an expression, where some conditions hold."""
        depth = len(self.reached)
        self.reached += reached
        made = rebuild(expr, self.visit)
        del self.reached[depth:]
        match made:
            case Apply(function="add" | "sub" | "mul", arguments=arguments) if _new_constant(expr, made):
                short = apply(made.function, *arguments)
                return short if short.type == made.type else made
            case Part(items=items):
                return replace(made, items=tuple(self._item(one) for one in items))
        return made

    def _declare(self, iterators: tuple[str, ...], extents: tuple[Size, ...]) -> None:
        for iterator, extent in zip(iterators, extents, strict=True):
            self.ranges.declare(iterator, ONE, extent)

    def _unknown(self, names: tuple[str, ...]) -> None:
        for name in names:
            self.ranges.declare(name, None, None)

    def _chain(self, expr: Expr) -> Expr:
        """A run of bindings, walked without recursion."""
        links: list[Let | Require] = []
        while isinstance(expr, Let | Require):
            if isinstance(expr, Let):
                value = self.visit(expr.value)
                links.append(replace(expr, value=value))
                self._unknown(expr.names)
                number = self._constant(value)
                if number is not None:
                    self.constants[expr.names[0]] = number
            elif not self._requires(expr):
                links.append(expr)
            expr = expr.body
        result = self.visit(expr)
        for link in reversed(links):
            result = replace(link, body=result, type=result.type)
        return result

    def _requires(self, expr: Require) -> bool:
        """Notes a requirement of sizes alone, unless it follows from another; False for any other."""
        asked = expr.condition
        if not asked.names() <= self.sizes:
            return False
        missed: list[Condition] = []
        for one in self.reached:
            if one is None or not one.names() <= self.sizes:
                return junction("or", [*missed, asked]) in self.required
            missed.append(negation(one))
        found = junction("or", [*missed, asked])
        if found.constant is not True:
            self.required.setdefault(found, expr.message)
        return True

    def _chosen(self, expr: If) -> Expr:
        left = expr.guard
        if left is None:
            left = self._compared(expr.written[0])
        elif not expr.written:
            left = undecided(left, self.ranges)
        if left is not None and left.constant is not None:
            branch = expr.then if left.constant else expr.otherwise
            if branch.type == expr.type or branch.type.is_numeric:
                return self.visit(branch)
        asked = None if expr.written else left
        then = self._branch(expr.then, asked)
        otherwise = self._branch(expr.otherwise, None if asked is None else negation(asked))
        written = tuple(self.visit(one) for one in expr.written)
        return replace(expr, guard=asked, written=written, then=then, otherwise=otherwise)

    def _branch(self, expr: Expr, asked: Condition | None) -> Expr:
        self.reached.append(asked)
        made = self.visit(expr)
        self.reached.pop()
        return made

    def _compared(self, expr: Expr) -> Condition | None:
        """What comes of comparing two constants; None for anything else."""
        match expr:
            case Apply(function="eq", arguments=(one, two)):
                first, second = self._constant(one), self._constant(two)
                if first is not None and second is not None:
                    return Condition("true" if first == second else "false")
        return None

    def _constant(self, expr: Expr) -> Fraction | None:
        """The number that a constant, or a quotient of two, is."""
        match expr:
            case Literal(value=int() as value) if not expr.type.shape:
                return Fraction(value)
            case Variable(name=name):
                return self.constants.get(name)
            case Apply(function="div", arguments=(one, two)):
                above, below = self._constant(one), self._constant(two)
                return above / below if above is not None and below else None
        return None

    def _item(self, item: Coordinate | Range) -> Coordinate | Range:
        """A coordinate without quotients, least and greatest whose outcome is known."""
        if isinstance(item, Coordinate):
            return replace(item, index=self.ranges.simplify(item.index))
        return replace(item, start=self.ranges.simplify(item.start))
