"""Coordinates and lengths in the small evaluator, and the members that they take.

A number is computed at once, or when it is needed where evaluation is `lazy`.  What goes wrong is noted, and leaves a hole
or stops; what stands beside it is evaluated all the same, so that all that is wrong is known.
"""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, NoReturn, TypeVar

from tests.fuzz.cells import (
    BEYOND,
    FAR,
    HOLE,
    MOST_ELEMENTS,
    MOST_STEPS,
    NEGATIVE,
    NO_NUMBER,
    OUTSIDE,
    RANGE,
    TOO_LARGE,
    Event,
    Huge,
    Stop,
    Thunk,
    Tol,
    TooLong,
    Unknown,
    Value,
)
from tests.fuzz.numbers import GREATEST, LEAST, Fault
from tests.fuzz.tree import Apply, Let, Member, Name, Node, Place, Range

Found = TypeVar("Found")
Scope = Mapping[str, Any]
HERE = "*here"
EXACT = ("add", "sub", "mul", "div", "neg", "floor", "mod", "pow", "abs", "max", "min")

COMBINED: dict[str, Callable[[Any, Any], Any]] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "mod": operator.mod, "max": max, "min": min,
    "neg": lambda one, _: -one, "abs": lambda one, _: abs(one), "floor": lambda one, _: math.floor(one),
}  # fmt: skip


class Members:
    """What an evaluation knows of numbers, coordinates and members; how nodes are evaluated is left open.

    It was `idle` where some map or fold had nothing to go over, or a part no elements whose coordinates would be asked for.
    """

    def __init__(self, lazy: bool = False) -> None:
        self.lazy = lazy
        self.faults: set[Event] = set()
        self.steps, self.idle = 0, False
        self._exact: dict[Node, bool] = {}

    def value(self, node: Node, scope: Scope) -> Value:
        raise NotImplementedError

    def bound(self, names: Sequence[str], nodes: Sequence[Node], scope: Scope) -> Mapping[str, Any]:
        """Values under names."""
        raise NotImplementedError

    def tol(self, node: Node, scope: Scope) -> Tol:
        if isinstance(node, Name) and isinstance(known := scope[node.id], Tol):
            return known
        found = self.value(node, scope)
        assert isinstance(found, Tol), node
        return found

    # Numbers

    def computed(self, compute: Callable[[], Any]) -> Any:
        """A number, now or when it is needed."""
        return Thunk(compute) if self.lazy else self.guarded(compute)

    def step(self) -> None:
        """Counts one number computed, or one evaluation of a map's or a fold's body."""
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise TooLong

    def guarded(self, compute: Callable[[], Any]) -> Any:
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise TooLong
        try:
            return compute()
        except Fault as fault:
            self.note({fault.code})
            return HOLE

    def number(self, value: Any) -> Any:
        """A number that is needed."""
        while isinstance(value, Thunk):
            if value.compute is not None:
                compute, value.compute, value.value = value.compute, None, HOLE
                value.value = self.number(self.guarded(compute))
            value = value.value
        return value

    def needed(self, node: Node, scope: Scope) -> Any:
        """The number that a numeric is; evaluation stops where there is none."""
        found = self.number(self.tol(node, scope).cells[0][0])
        if found is HOLE:
            raise Stop
        return found

    def note(self, codes: Iterable[str]) -> None:
        """Something that went wrong, by the codes that it may be told by."""
        self.faults.add(frozenset(codes))

    def fail(self, codes: Iterable[str]) -> NoReturn:
        self.note(codes)
        raise Stop

    def attempts(self, computations: Iterable[Callable[[], Found]]) -> list[Found | None]:
        """What several computations give, None where one cannot go on; the others do, so that all that is wrong is known."""
        found: list[Found | None] = []
        for one in computations:
            try:
                found.append(one())
            except Stop:
                found.append(None)
        return found

    def all_of(self, computations: Iterable[Callable[[], Found]]) -> list[Found]:
        """As `attempts`, where all are needed."""
        found = self.attempts(computations)
        known = [one for one in found if one is not None]
        if len(known) < len(found):
            raise Stop
        return known

    def tols(self, nodes: Iterable[Node], scope: Scope) -> list[Tol]:
        """The values of several nodes, as `all_of` gives them."""
        found: list[Tol] = []
        stopped = False
        for node in nodes:
            try:
                found.append(self.tol(node, scope))
            except Stop:
                stopped = True
        if stopped:
            raise Stop
        return found

    # Lengths and coordinates

    def is_exact(self, node: Node) -> bool:
        """Whether a node is a whole number, or follows from such by arithmetic; found out once."""
        known = self._exact.get(node)
        if known is None:
            whole = all(kind.family in ("B", "Z") for kind in node.type.kinds)
            body = isinstance(node, Let) and self.is_exact(node.body)
            known = self._exact[node] = whole or body or self.is_arithmetic(node)
        return known

    def is_arithmetic(self, node: Node) -> bool:
        """Whether a node is a function of whole numbers that is exact on the way to a coordinate."""
        return isinstance(node, Apply) and node.function in EXACT and all(map(self.is_exact, node.arguments))

    def exact(self, node: Node, scope: Scope) -> Fraction | int:
        """A coordinate or length before it is floored: arithmetic of whole numbers on the way is exact, in a block too."""
        if isinstance(node, Let):
            return self.exact(node.body, {**scope, **self.bound([node.id], [node.value], scope)})
        if isinstance(node, Apply) and self.is_arithmetic(node):
            given = self.all_of(partial(self.exact, argument, scope) for argument in node.arguments)
            return self._combined(node.function, *given)
        value = self.needed(node, scope)
        if isinstance(value, float):
            if math.isnan(value):
                self.fail(NO_NUMBER)
            if math.isinf(value):
                self.fail(BEYOND)
        return int(value) if isinstance(value, bool) else value if isinstance(value, int) else Fraction(value)

    def _combined(self, function: str, one: Fraction | int, two: Fraction | int = 0) -> Fraction | int:
        """A function of exact numbers.

        Nothing divided by nothing has a value if the divisor cancels, n/n or 0 % n, which this evaluator does not know; else
        that is wrong, or the coordinate that follows.  Where something is divided by nothing, it may be told as well that
        it does not fit 64 bits.
        """
        match function:
            case "pow":
                return one ** int(two) if 0 <= two <= 64 else self.fail(BEYOND)
            case "div" | "mod" if two == one == 0:
                if not self.lazy:
                    self.note(BEYOND)
                    self.note({"E506"})
                raise Unknown
            case "div" | "mod" if two == 0:
                if not LEAST <= one <= GREATEST:
                    self.note({"E505"})
                self.fail({"E506"})
            case "div":
                return Fraction(one) / two
        combined: Fraction | int = COMBINED[function](one, two)
        return combined

    def whole(self, node: Node, scope: Scope) -> int:
        return math.floor(self.exact(node, scope))

    def length(self, node: Node, scope: Scope) -> int:
        found = self.whole(node, scope)
        if found < 0:
            self.fail(NO_NUMBER if found < -FAR else NEGATIVE)
        return found

    def measured(self, node: Node, axis: int, scope: Scope) -> int:
        """A length of a value, or its volume for the axis 0; that of a range is known though others may be wrong.

        One to the end has the length that follows from its beginning, below 0 too.
        """
        try:
            found = self.tol(node, scope)
        except Stop:
            while isinstance(node, Name) and hasattr(named := scope[node.id], "node"):
                node, scope = named.node, named.scope
            items = list(enumerate(node.items)) if isinstance(node, Member) else []
            kept = [(at, one) for at, one in items if isinstance(one, Range)]
            if self.lazy or not 1 <= axis <= len(kept):
                raise
            at, item = kept[axis - 1]
            low, high = self._ends(item, scope, set())
            if item.high is not None:
                if high - low + 1 == -1:
                    self.note({"E506"})  # of one more than that length something may be left that is divided by it
                return max(high - low + 1, 0)
            assert isinstance(node, Member)
            return self.measured(node.subject, at + 1, scope) - low + 1
        return found.shape[axis - 1] if axis else math.prod(found.shape) * len(node.type.kinds)

    def zeros(self, shape: tuple[int, ...]) -> list[tuple[Any, ...]]:
        count = math.prod(shape)
        if count > MOST_ELEMENTS:
            self.fail(TOO_LARGE | {"E505"})
        return [(0,)] * count if count <= MOST_STEPS else Huge()

    def member(self, node: Node, items: list[Node], scope: Scope, capacity: int) -> Tol:
        whole: Callable[[], Any] = partial(self.tol, node, scope)
        late: set[Event] = set()
        ends: list[Callable[[], Any]] = [partial(self._ends, item, scope, late) for item in items]
        subject, *known = self.attempts([whole, *ends])
        if subject is None:
            raise Stop
        single = [one[0] for one in known if one is not None and len(one) == 1]
        if len(subject.shape) == len(items) == len(single):
            flat = _position(tuple(single), subject.shape)
            if flat is not None:
                return Tol((), [subject.cells[flat]])
        axes: list[range | None] = []
        kept: list[int] = []
        for item, found in zip(items, known, strict=True):
            if found is None:
                if self.lazy and isinstance(item, Range):
                    raise Stop
                axes.append(None)
            elif isinstance(item, Range):
                low, high = found[0], found[1] if item.high else subject.shape[len(axes)]
                kept.append(self._checked(low, high, subject.shape[len(axes)]))
                axes.append(range(low, high + 1))
            else:
                axes.extend(range(c, c + 1) for c in found)
        for axis in range(len(axes), len(subject.shape)):
            axes.append(range(1, subject.shape[axis] + 1))
            kept.append(subject.shape[axis])
        known_ranges = all(one is not None for item, one in zip(items, known, strict=True) if isinstance(item, Range))
        if known_ranges and 0 in kept:
            self.idle = True
            return Tol(tuple(kept), [])
        if not self.lazy:
            for one, n in zip(axes, subject.shape, strict=False):
                if one and not 1 <= one[0] <= n:
                    self.note(OUTSIDE if abs(one[0]) < FAR else BEYOND)
        if late:
            return Tol(tuple(kept), [(Thunk(partial(self._missed, late)),) * capacity] * math.prod(kept))
        return Tol(tuple(kept), self._cells(subject, axes, capacity))

    def _cells(self, subject: Tol, axes: list[range | None], capacity: int) -> list[tuple[Any, ...]]:
        """The cells at coordinates, holes where there are none; evaluation stops where coordinates are not known."""
        known = [one for one in axes if one is not None]
        if len(known) < len(axes):
            raise Stop
        cells = []
        for place in itertools.product(*known):
            flat = _position(place, subject.shape)
            hole = flat is None and (self.computed(partial(self._outside, place)),) * capacity
            cells.append(hole or subject.cells[flat or 0])
        return cells

    def _ends(self, item: Node, scope: Scope, late: set[Event]) -> tuple[int, ...]:
        """The coordinates of an item of an index; of a range its ends, where 1 stands for one that is not written.

        Where evaluation is lazy, a coordinate that has no value is wrong `late`: where a number there is needed.
        """
        if not isinstance(item, Range):
            noted, self.faults = self.faults, set() if self.lazy else self.faults
            try:
                return self._coordinates(item, scope)
            except Stop:
                if self.lazy:
                    late |= self.faults
                    self.faults = set()
                raise
            finally:
                self.faults |= noted
        ends = (item.low, item.high)
        return tuple(self.all_of(partial(self.whole, end, scope) if end else lambda: 1 for end in ends))

    def _missed(self, late: set[Event]) -> Any:
        """A number of a member whose coordinates have no value."""
        self.faults |= late
        return HOLE

    def _outside(self, place: tuple[int, ...]) -> Any:
        """A number of a member that is not there: a hole, which it is wrong to need."""
        self.note(OUTSIDE if all(abs(c) < FAR for c in place) else BEYOND)
        return HOLE

    def _checked(self, low: int, high: int, length: int) -> int:
        """The length of a range; one that is outside has holes in it, so that what else is wrong is known too."""
        count = high - low + 1
        near = max(abs(low), abs(high)) < FAR
        if count < 0 or count > MOST_STEPS:
            self.fail(RANGE if near else BEYOND)
        if (low < 1 or high > length) and count:
            self.note(RANGE if near else BEYOND)
            if self.lazy:
                raise Stop
        return count

    def _coordinates(self, item: Node, scope: Scope) -> tuple[int, ...]:
        if isinstance(item, Place):
            found: tuple[int, ...] = scope[HERE]
            return found
        if isinstance(item, Name) and isinstance(vector := scope[item.id], tuple):
            return vector
        return (self.whole(item, scope),)


def _position(place: tuple[int, ...], shape: tuple[int, ...]) -> int | None:
    """Where the cell at coordinates is; None where they are outside."""
    flat = 0
    for c, length in zip(place, shape, strict=True):
        if not 1 <= c <= length:
            return None
        flat = flat * length + c - 1
    return flat
