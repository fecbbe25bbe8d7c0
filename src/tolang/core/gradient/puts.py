"""The recogniser of `put` in a step of a fold: a state that is as it was but at one place of its first dimension."""

from __future__ import annotations

from tolang.core.core import Coordinate, Expr, Join, Let, Map, Part, Range, Reduce, Reshape, Variable
from tolang.ground.dataclasses import dataclass
from tolang.ground.symbolic.sizes import ONE, Size


@dataclass(frozen=True, slots=True, eq=False)
class Put:
    """Where a step puts something, and what: a numeric, or for `row` iterators the element of a row."""

    place: Size
    item: Expr
    row: tuple[str, ...] = ()
    extents: tuple[Size, ...] = ()

    @property
    def at(self) -> tuple[Size, ...]:
        """The coordinates of an element that is put."""
        return self.place, *(Size.of(one) for one in self.row)


class PutPlaces:
    """The coordinates in the steps of a fold with one state, which may be names of the same data."""

    def __init__(self, fold: Reduce) -> None:
        self.state, self.whole = fold.states[0], fold.state_types[0].shape
        self._values: dict[str, Expr] = {}
        pending: list[Expr] = [fold.step]
        while pending:
            one = pending.pop()
            if isinstance(one, Let) and len(one.names) == 1:
                self._values[one.names[0]] = one.value
            pending.extend(one.children())

    def put(self, step: Expr) -> Put | None:
        """What is put, and where: `[s[1:d-1], item, s[d+1:]]`, with rows `[[s[1:d-1,:]], [row], [s[d+1:,:]]]`."""
        match step:
            case Join(parts=(Part() as before, item, Part() as after), axis=0):
                first, last = before.items[0], after.items[0]
            case _:
                return None
        if not (isinstance(first, Range) and isinstance(last, Range) and self._is_rows(before, after)):
            return None
        place = first.length + 1
        if first.start != ONE or last.start != place + 1 or last.length != self.whole[0] - place:
            return None
        match item:
            case Reshape(subject=Map(iterators=row, extents=extents, body=body)) if body.type.is_numeric:
                own = item.type.shape == (ONE, *self.whole[1:]) and extents == self.whole[1:]
                return Put(place, body, row, extents) if own else None
        return Put(place, item) if item.type.is_numeric and len(self.whole) == 1 else None

    def _is_rows(self, *parts: Part) -> bool:
        """Whether parts are of the state, with whole rows."""
        return all(
            isinstance(one.subject, Variable)
            and one.subject.name == self.state
            and all(
                isinstance(item, Range) and item.start == ONE and item.length == length
                for item, length in zip(one.items[1:], self.whole[1:], strict=True)
            )
            for one in parts
        )

    def is_state(self, expr: Expr, at: tuple[Size, ...]) -> bool:
        """Whether an expression is the state, or its element at coordinates."""
        match expr:
            case Variable(name=name):
                return name == self.state and not at
            case Part(subject=Variable(name=name), items=items) if name == self.state and len(items) == len(at):
                return all(
                    isinstance(item, Coordinate) and self._same(item.index, own)
                    for item, own in zip(items, at, strict=True)
                )
        return False

    def _same(self, index: Size, place: Size) -> bool:
        """Whether two coordinates are equal: as sizes, or as names of the same value."""
        if index == place:
            return True
        one, two = (self._values.get(str(size.name)) for size in (index, place))
        return isinstance(one, Part) and isinstance(two, Part) and _same_part(one, two)


def _same_part(one: Part, two: Part) -> bool:
    match one.subject, two.subject:
        case Variable(name=first), Variable(name=second):
            return first == second and one.items == two.items
    return False
