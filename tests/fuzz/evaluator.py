"""A small evaluator of ToLang, written from the language's definition: slow, direct, and nothing of tolang in it.

It walks the trees of `tree.py`.  A ToL is its shape and a list of cells, last coordinate fastest; a cell is a tuple of
components.  What goes wrong is noted by the code of its error and leaves a hole, so that all that can go wrong is known;
`lazy` computes only what the results need, and so tells what must go wrong, however a program is evaluated.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, NoReturn, TypeVar

from tests.fuzz.numbers import Fault, apply, brought, converted
from tests.fuzz.totals import added_up, total
from tests.fuzz.tree import (
    Apply,
    Blocks,
    Call,
    Component,
    Convert,
    Fold,
    If,
    Length,
    Let,
    Listing,
    Literal,
    Map,
    Member,
    Name,
    Node,
    Place,
    Random,
    Range,
    Reshape,
    Star,
    Swap,
    Tile,
    Type,
    Types,
    Zeros,
)
from tests.fuzz.typed import ELEMENT, depth

Found = TypeVar("Found")
HOLE = object()
"""Stands for a number that is not there."""

HERE = "*here"
MOST_STEPS = 50_000
MOST_ELEMENTS = 2**63 - 1
NEGATIVE = ("E509", "E305")
UNEQUAL = ("E301", "E515")
BEYOND = ("E513", "E303", "E509", "E305", "E505", "E507", "E508", "E312")
"""What may be said of a length or coordinate that is negative, no number, or beyond all memory."""

TOO_LARGE = ("E507", "E508", "E312")
EXACT = ("add", "sub", "mul", "div", "neg", "floor", "mod", "pow")


class Stop(Exception):
    """Evaluation cannot go on; what went wrong is noted."""


class TooLong(Exception):
    """A program that takes more steps than are worth it."""


class Unknown(Exception):
    """A value that this evaluator does not know: random numbers."""


@dataclass(frozen=True)
class Tol:
    shape: tuple[int, ...]
    cells: list[tuple[Any, ...]]


Value = Tol | tuple[Tol, ...]
"""A ToL, or a bundle of them."""


class Huge(list[Any]):
    """Cells that nobody can go through; only their number is of use."""

    def __iter__(self) -> Iterator[Any]:
        raise TooLong

    def __len__(self) -> int:
        raise TooLong

    def __getitem__(self, place: Any) -> Any:
        raise TooLong


class Thunk:
    """A number that is computed when it is needed."""

    __slots__ = ("compute", "value")

    def __init__(self, compute: Callable[[], Any]) -> None:
        self.compute: Callable[[], Any] | None = compute
        self.value: Any = None


def numeric(value: Any) -> Tol:
    return Tol((), [(value,)])


def places(shape: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """All coordinates, from 1, last fastest."""
    if math.prod(shape) > MOST_STEPS:
        raise TooLong
    return itertools.product(*(range(1, length + 1) for length in shape))


class Evaluation:
    """One evaluation of one program on its data; `idle` tells that some map or fold had nothing to go over."""

    def __init__(self, lazy: bool = False, totals: bool = False) -> None:
        self.lazy, self.totals = lazy, totals
        self.faults: set[str] = set()
        self.steps = 0
        self.idle = False

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
        self.step()
        try:
            return compute()
        except Fault as fault:
            self.faults.add(fault.code)
            return HOLE

    def number(self, value: Any) -> Any:
        """A number that is needed."""
        while isinstance(value, Thunk):
            if value.compute is not None:
                compute, value.compute, value.value = value.compute, None, HOLE
                value.value = self.number(self.guarded(compute))
            value = value.value
        return value

    def needed(self, node: Node, scope: Mapping[str, Any]) -> Any:
        """The number that a numeric is; evaluation stops where there is none."""
        found = self.number(self.tol(node, scope).cells[0][0])
        if found is HOLE:
            raise Stop
        return found

    def fail(self, *codes: str) -> NoReturn:
        self.faults.update(codes)
        raise Stop

    def all_of(self, computations: Iterable[Callable[[], Found]]) -> list[Found]:
        """What several computations give; where one cannot go on the others do, so that all that is wrong is known."""
        found: list[Found] = []
        stopped = False
        for one in computations:
            try:
                found.append(one())
            except Stop:
                stopped = True
        if stopped:
            raise Stop
        return found

    def tols(self, nodes: Iterable[Node], scope: Mapping[str, Any]) -> list[Tol]:
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

    # Values

    def tol(self, node: Node, scope: Mapping[str, Any]) -> Tol:
        found = self.value(node, scope)
        assert isinstance(found, Tol), node
        return found

    def value(self, node: Node, scope: Mapping[str, Any]) -> Value:
        match node:
            case Literal(value=value):
                return numeric(value)
            case Name(id=name):
                return self.named(scope[name])
            case Star():
                return self.named(scope[ELEMENT])
            case Apply():
                return self.applied(node, scope)
            case Random():
                raise Unknown
            case Member(subject=subject, items=items):
                return self.member(subject, items, scope, len(node.type.kinds))
            case Component(subject=subject, position=position):
                whole = self.value(subject, scope)
                if isinstance(whole, Tol):
                    return Tol(whole.shape, [(cell[position - 1],) for cell in whole.cells])
                return whole[position - 1]
            case Length(subject=Zeros(items=items), axis=axis) if self.lazy and axis:
                return numeric(self.whole(items[axis - 1], scope))
            case Length(subject=subject, axis=axis):
                found = self.tol(subject, scope)
                return numeric(found.shape[axis - 1] if axis else math.prod(found.shape) * len(subject.type.kinds))
            case Zeros(items=items):
                shape = tuple(self.all_of(partial(self.length, item, scope) for item in items))
                return Tol(shape, self.zeros(shape))
            case Blocks():
                return self.block(node, scope)
            case Listing(items=items, bundle=bundle):
                parts = self.tols(items, scope)
                return tuple(parts) if bundle else self.listed(parts)
            case Map():
                return self.mapped(node, scope)
            case Fold():
                return self.folded(node, scope)
        return self.value_of_others(node, scope)

    def value_of_others(self, node: Node, scope: Mapping[str, Any]) -> Value:
        match node:
            case If(condition=condition, then=then, otherwise=otherwise):
                faults = set(self.faults)
                try:
                    taken = then if self.needed(condition, scope) else otherwise
                except Stop:
                    if not self.lazy:
                        raise
                    return self.either(node, scope, faults)
                return self.cast(self.value(taken, scope), taken.type, node.type)
            case Let(id=name, value=value, body=body):
                return self.value(body, {**scope, name: Once(self, value, scope)})
            case Call(parameters=parameters, arguments=arguments, body=body):
                given = {name: Once(self, a, scope) for name, a in zip(parameters, arguments, strict=True)}
                return self.value(body, {**scope, **given})
            case Convert(subject=subject):
                found = self.tol(subject, scope)
                goals = list(zip(subject.type.kinds, node.type.kinds, strict=True))
                return Tol(found.shape, [self.each(cell, goals, converted) for cell in found.cells])
            case Swap(subject=subject, dimension=dimension, order=order):
                return self.swapped(self.tol(subject, scope), dimension, order)
            case Reshape(subject=subject, items=items):
                found = self.tol(subject, scope)
                try:
                    shape = tuple(self.length(item, scope) for item in items)
                except Stop:
                    self.fail(*UNEQUAL)
                if math.prod(shape) != len(found.cells):
                    self.fail(*UNEQUAL)
                return Tol(shape, found.cells)
            case Tile(subject=subject, length=length):
                found = self.tol(subject, scope)
                if found.shape[-1] != length:
                    self.fail(*UNEQUAL)
                rows = [found.cells[k * length : (k + 1) * length] for k in range(math.prod(found.shape[:-1]))]
                return Tol(found.shape[:-1], [tuple(v for cell in row for v in cell) for row in rows])
        raise AssertionError(node)

    def either(self, node: If, scope: Mapping[str, Any], before: set[str]) -> Value:
        """What both branches are, where nothing tells which is taken: nobody then needs the condition.

        Where they are not the same, evaluation stops.  `before` is what had gone wrong before the condition.
        """
        noted, self.faults = self.faults, set(before)
        try:
            sides = [self.cast(self.value(one, scope), one.type, node.type) for one in (node.then, node.otherwise)]
            forced = [self.forced(one) for one in sides]
            if forced[0] == forced[1] and not self.faults - before:
                return sides[0]
        except Stop:
            pass
        self.faults = noted | self.faults
        raise Stop

    def forced(self, value: Value) -> list[tuple[tuple[int, ...], list[tuple[Any, ...]]]]:
        """All the numbers of a value."""
        parts = (value,) if isinstance(value, Tol) else value
        return [(one.shape, [tuple(map(self.number, cell)) for cell in one.cells]) for one in parts]

    def named(self, found: Any) -> Value:
        value: Value = found.value() if isinstance(found, Once) else found
        return value

    def each(self, cell: tuple[Any, ...], goals: list[tuple[Any, ...]], change: Callable[..., Any]) -> tuple[Any, ...]:
        """The components of a cell, each changed by what stands beside it."""
        made = []
        for value, given in zip(cell, goals, strict=True):
            made.append(self.computed(partial(self._changed, value, given, change)))
        return tuple(made)

    def _changed(self, value: Any, given: tuple[Any, ...], change: Callable[..., Any]) -> Any:
        found = self.number(value)
        return HOLE if found is HOLE else change(found, *given)

    def cast(self, value: Value, source: Types, goal: Types) -> Value:
        """A value in the kinds of a type that holds its own."""
        if not isinstance(value, Tol):
            assert not isinstance(source, Type)
            assert not isinstance(goal, Type)
            parts = zip(value, source, goal, strict=True)
            return tuple(self._cast_one(part, own, new) for part, own, new in parts)
        assert isinstance(source, Type)
        assert isinstance(goal, Type)
        return self._cast_one(value, source, goal)

    def _cast_one(self, value: Tol, source: Type, goal: Type) -> Tol:
        if source.kinds == goal.kinds:
            return value
        cells = value.cells
        if len(source.kinds) < len(goal.kinds):
            cells = [cell * len(goal.kinds) for cell in cells]
        goals = [(kind,) for kind in goal.kinds]
        return Tol(value.shape, [self.each(cell, goals, _held) for cell in cells])

    def applied(self, node: Apply, scope: Mapping[str, Any]) -> Tol:
        """A basic function at every element, by component."""
        found = self.tols(node.arguments, scope)
        kinds = [argument.type.kinds for argument in node.arguments]
        shape = next((one.shape for one in found if one.shape), ())
        if any(one.shape not in ((), shape) for one in found):
            self.fail(*UNEQUAL)
        cells = []
        for place in range(math.prod(shape)):
            row = [one.cells[place if one.shape else 0] for one in found]
            cells.append(tuple(self._component(node, row, kinds, k) for k in range(len(node.type.kinds))))
        return Tol(shape, cells)

    def _component(self, node: Apply, row: list[tuple[Any, ...]], kinds: list[Any], k: int) -> Any:
        values = [cell[k if len(cell) > 1 else 0] for cell in row]
        own = [one[k if len(one) > 1 else 0] for one in kinds]

        def compute() -> Any:
            known = [self.number(value) for value in values]
            return HOLE if HOLE in known else apply(node.function, known, own, node.type.kinds[k])

        return self.computed(compute)

    # Lengths and coordinates

    def exact(self, node: Node, scope: Mapping[str, Any]) -> Fraction:
        """A coordinate or length before it is floored: arithmetic of whole numbers on the way is exact."""
        if isinstance(node, Apply) and node.function in EXACT and all(map(_is_exact, node.arguments)):
            given = self.all_of(partial(self.exact, argument, scope) for argument in node.arguments)
            match node.function:
                case "add":
                    return given[0] + given[1]
                case "sub":
                    return given[0] - given[1]
                case "mul":
                    return given[0] * given[1]
                case "neg":
                    return -given[0]
                case "floor":
                    return Fraction(math.floor(given[0]))
                case "pow" if 0 <= given[1] <= 64:
                    return given[0] ** int(given[1])
                case "div" if given[1] != 0:
                    return given[0] / given[1]
                case "mod" if given[1] != 0:
                    return given[0] % given[1]
                case _:
                    self.fail(*BEYOND, "E506")
        value = self.needed(node, scope)
        if isinstance(value, float) and (math.isnan(value) or math.isinf(value)):
            self.fail(*BEYOND)
        return Fraction(value)

    def whole(self, node: Node, scope: Mapping[str, Any]) -> int:
        return math.floor(self.exact(node, scope))

    def length(self, node: Node, scope: Mapping[str, Any]) -> int:
        found = self.whole(node, scope)
        if found < 0:
            self.fail(*(BEYOND if found < -(2**40) else NEGATIVE))
        return found

    def zeros(self, shape: tuple[int, ...]) -> list[tuple[Any, ...]]:
        count = math.prod(shape)
        if count > MOST_ELEMENTS:
            self.fail(*BEYOND)
        return [(0,)] * count if count <= MOST_STEPS else Huge()

    def member(self, node: Node, items: list[Node], scope: Mapping[str, Any], capacity: int) -> Tol:
        axes: list[range] = []
        kept: list[int] = []
        ends: list[Callable[[], Any]] = [partial(self._ends, item, scope) for item in items]
        whole: Callable[[], Any] = partial(self.tol, node, scope)
        subject, *known = self.all_of([whole, *ends])
        for item, found in zip(items, known, strict=True):
            if isinstance(item, Range):
                low, high = found[0], found[1] if item.high else subject.shape[len(axes)]
                kept.append(self._checked(low, high, subject.shape[len(axes)]))
                axes.append(range(low, high + 1))
            else:
                axes.extend(range(c, c + 1) for c in found)
        if any(not 1 <= one[0] <= n for one, n in zip(axes, subject.shape, strict=False) if len(one)) and not self.lazy:
            self.faults.update(BEYOND)
        for axis in range(len(axes), len(subject.shape)):
            axes.append(range(1, subject.shape[axis] + 1))
            kept.append(subject.shape[axis])
        cells = []
        for place in itertools.product(*axes):
            flat = 0
            inside = True
            for c, length in zip(place, subject.shape, strict=True):
                inside = inside and 1 <= c <= length
                flat = flat * length + c - 1
            cells.append(subject.cells[flat] if inside else self._outside(capacity))
        return Tol(tuple(kept), cells)

    def _ends(self, item: Node, scope: Mapping[str, Any]) -> tuple[int, ...]:
        """The coordinates of an item of an index; of a range its ends, where 1 stands for one that is not written."""
        if not isinstance(item, Range):
            return self._coordinates(item, scope)
        ends = (item.low, item.high)
        return tuple(self.all_of(partial(self.whole, end, scope) if end else lambda: 1 for end in ends))

    def _outside(self, capacity: int) -> tuple[Any, ...]:
        """A member that is not there: its numbers are holes, which it is wrong to need."""
        return (self.computed(self._refused),) * capacity

    def _refused(self) -> Any:
        self.faults.update(BEYOND)
        return HOLE

    def _checked(self, low: int, high: int, length: int) -> int:
        if high - low + 1 < 0:
            self.fail(*BEYOND)
        if high - low + 1 > MOST_STEPS or ((low < 1 or high > length) and high >= low):
            self.fail(*BEYOND)
        return high - low + 1

    def _coordinates(self, item: Node, scope: Mapping[str, Any]) -> tuple[int, ...]:
        if isinstance(item, Place):
            found: tuple[int, ...] = scope[HERE]
            return found
        if isinstance(item, Name) and isinstance(vector := scope[item.id], tuple) and not isinstance(vector, Tol):
            return vector
        return (self.whole(item, scope),)

    # Movement

    def listed(self, parts: list[Tol]) -> Tol:
        shape = parts[0].shape
        if any(part.shape != shape for part in parts):
            self.fail("E301", "E515", "E306")
        rows = zip(*(part.cells for part in parts), strict=True)
        return Tol(shape, [tuple(v for cell in row for v in cell) for row in rows])

    def block(self, node: Blocks, scope: Mapping[str, Any]) -> Tol:
        """The innermost brackets join along the last dimension, the next along the one before."""
        rank = node.type.rank

        def joined(blocks: Blocks, level: int) -> Tol:
            return self._joined(self.all_of(partial(one_block, item, level) for item in blocks.items), rank - level)

        def one_block(item: Node, level: int) -> Tol:
            if isinstance(item, Blocks):
                return joined(item, level - 1)
            own = self.cast(self.tol(item, scope), item.type, Type(item.type.rank, node.type.kinds))
            assert isinstance(own, Tol)
            return Tol((1,) * (rank - len(own.shape)) + own.shape, own.cells)

        return joined(node, depth(node.items))

    def _joined(self, parts: list[Tol], axis: int) -> Tol:
        first = parts[0].shape
        for part in parts[1:]:
            if (*first[:axis], *first[axis + 1 :]) != (*part.shape[:axis], *part.shape[axis + 1 :]):
                self.fail(*UNEQUAL)
        outer, inner = math.prod(first[:axis]), math.prod(first[axis + 1 :])
        cells: list[tuple[Any, ...]] = []
        for k in range(outer):
            for part in parts:
                stretch = part.shape[axis] * inner
                cells.extend(part.cells[k * stretch : (k + 1) * stretch])
        return Tol((*first[:axis], sum(part.shape[axis] for part in parts), *first[axis + 1 :]), cells)

    def swapped(self, subject: Tol, dimension: int, order: tuple[int, ...]) -> Tol:
        axis = len(subject.shape) - dimension
        if subject.shape[axis] != len(order):
            self.fail("E301", "E311", "E515", "E514")
        table = dict(zip(places(subject.shape), subject.cells, strict=True))
        moved = [(*place[:axis], order[place[axis] - 1], *place[axis + 1 :]) for place in places(subject.shape)]
        return Tol(subject.shape, [table[place] for place in moved])

    # Maps and folds

    def mapped(self, node: Map, scope: Mapping[str, Any]) -> Tol:
        subject = self.tol(node.subject, scope)
        found: list[Tol] = []
        stopped = False
        for place, cell in zip(places(subject.shape), subject.cells, strict=True):
            self.step()
            inner = {**scope, ELEMENT: Tol((), [cell]), HERE: place}
            inner.update({name: numeric(c) for name, c in zip(node.iterators, place, strict=False)})
            if node.vector is not None:
                inner[node.vector] = place
            if node.element is not None:
                inner[node.element] = Tol((), [cell])
            try:
                found.append(self._at(node.body, inner))
            except Stop:  # what is wrong at other elements is to be known too
                stopped = True
        if stopped:
            raise Stop
        if not found:
            self.idle = True
            return Tol(subject.shape + self._empty(node.body), [])
        if any(one.shape != found[0].shape for one in found):
            self.fail("E307", "E515")
        return Tol(subject.shape + found[0].shape, [cell for one in found for cell in one.cells])

    def _at(self, body: Node, scope: Mapping[str, Any]) -> Tol:
        """The body at one element: a numeric may wait until it is needed."""
        if not self.lazy or body.type.rank:
            return self.tol(body, scope)
        whole = Thunk(lambda: self.tol(body, scope).cells[0])

        def component(k: int) -> Any:
            cell = self.number(whole)
            return HOLE if cell is HOLE else self.number(cell[k])

        return Tol((), [tuple(Thunk(partial(component, k)) for k in range(len(body.type.kinds)))])

    def _empty(self, body: Node) -> tuple[int, ...]:
        """The shape of a body that is never evaluated; it is known of a numeric, and of numerics in brackets."""
        if isinstance(body, Blocks) and not any(isinstance(one, Blocks) or one.type.rank for one in body.items):
            return (len(body.items),)
        if body.type.rank:
            raise Unknown
        return ()

    def folded(self, node: Fold, scope: Mapping[str, Any]) -> Value:
        begun: list[Value] = self.all_of(partial(self.value, one, scope) for one in (node.subject, node.start))
        subject, state = begun[0], self.cast(begun[1], node.start.type, node.type)
        assert isinstance(subject, Tol)
        added = added_up(node) if self.totals else None
        self.idle = self.idle or not subject.cells
        totals = [state.cells[0][0]] if added and isinstance(state, Tol) else []
        table = dict(zip(places(subject.shape), subject.cells, strict=True))
        for reversed_place in places(subject.shape[::-1]):
            self.step()
            place = reversed_place[::-1]
            inner = {**scope, node.state: state, node.element: Tol((), [table[place]])}
            if node.place is not None:
                inner[node.place] = numeric(place[0])
            if added:
                totals.append(self.tol(added[1], inner).cells[0][0])
                continue
            state = self.cast(self.value(node.body, inner), node.body.type, node.type)
        return self._total(added[0], totals, node.type.kinds[0]) if added else state

    def _total(self, function: str, numbers: list[Any], kind: Any) -> Tol:
        return numeric(HOLE if HOLE in numbers else self.computed(lambda: total(function, numbers, kind)))


class Once:
    """A value that is evaluated when it is first needed, and then known."""

    def __init__(self, evaluation: Evaluation, node: Node, scope: Mapping[str, Any]) -> None:
        self.evaluation, self.node, self.scope = evaluation, node, scope
        self.found: Value | None = None

    def value(self) -> Value:
        if self.found is None:
            self.found = self.evaluation.value(self.node, self.scope)
        return self.found


def _held(value: Any, kind: Any) -> Any:
    if kind.storage == "text":
        return value if isinstance(value, str) else ""
    return brought(value, kind)


def _is_exact(node: Node) -> bool:
    """Whether a node is a whole number, or follows from such by arithmetic."""
    if all(kind.family in ("B", "Z") for kind in node.type.kinds):
        return True
    return isinstance(node, Apply) and node.function in EXACT and all(map(_is_exact, node.arguments))
