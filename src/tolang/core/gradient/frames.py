"""What stands around a place in a program, from outside in: bindings, iterators, conditions, requirements.

A cotangent is found at such a place and belongs to a name bound further outside: it is enclosed again in the frames
between the two, in which iterators become sums.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from tolang.core.core import Expr, Let, Literal, Reduce, Require, Variable
from tolang.core.gradient.building import REAL_FAMILIES, chosen, embedded, number, total
from tolang.core.gradient.names import Names, substituted
from tolang.core.tidy import free_names
from tolang.ground.conditions import Condition, negation
from tolang.ground.dataclasses import dataclass
from tolang.ground.sizes import Size


@dataclass(frozen=True, slots=True, eq=False)
class Loop:
    """An iterator of a map, or of a fold whose steps do not depend on one another."""

    iterator: str
    extent: Size


@dataclass(frozen=True, slots=True, eq=False)
class Bind:
    """Names for a value.  A `shared` one is computed once for all that use it."""

    names: tuple[str, ...]
    value: Expr
    lengths: tuple[tuple[str, int, int], ...] = ()
    shared: bool = False

    @property
    def bound(self) -> set[str]:
        return {*self.names, *(name for name, _, _ in self.lengths)}


@dataclass(frozen=True, slots=True, eq=False)
class Guard:
    """A condition on sizes, or on data, that holds or does not hold here."""

    condition: Condition | None
    written: tuple[Expr, ...]
    holds: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Demand:
    """A requirement that was seen to hold."""

    condition: Condition
    message: str


Frame = Loop | Bind | Guard | Demand


@dataclass(frozen=True, slots=True, eq=False)
class Contribution:
    """A summand of the cotangent of one component of a name, at coordinates of it, or of it as a whole."""

    component: int
    coordinates: tuple[Size, ...] | None
    frames: tuple[Frame, ...]
    value: Expr


class Scope:
    """The frames around the place where a transformation is, which grow and shrink as it goes."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.frames: list[Frame] = []
        self._kept: dict[int, tuple[object, int, Bind]] = {}

    def bind(self, base: str, value: Expr, shared: bool = False) -> Variable:
        """A new name for a value from here on."""
        name = self.names.fresh(base)
        self.frames.append(Bind((name,), value, shared=shared))
        return Variable(name, type=value.type)

    def once(self, key: object, base: str, make: Callable[[], Expr]) -> Variable:
        """A name for what an object stands for, the same as long as the place where it was bound is around."""
        known = self._kept.get(id(key))
        if known is not None and self.has(key):
            return Variable(known[2].names[0], type=known[2].value.type)
        made = self.bind(base, make())
        bound = self.frames[-1]
        assert isinstance(bound, Bind)
        self._kept[id(key)] = key, len(self.frames) - 1, bound
        return made

    def has(self, key: object) -> bool:
        """Whether there is a name here for what an object stands for."""
        known = self._kept.get(id(key))
        return known is not None and known[1] < len(self.frames) and self.frames[known[1]] is known[2]

    @contextmanager
    def inside(self, *frames: Frame) -> Iterator[None]:
        """Goes inside frames, and out again afterwards."""
        before = len(self.frames)
        self.frames.extend(frames)
        yield
        del self.frames[before:]

    def rest(self, frames: tuple[Frame, ...]) -> tuple[Frame, ...]:
        """Those of some frames that are not around this place."""
        count = 0
        while count < min(len(frames), len(self.frames)) and frames[count] is self.frames[count]:
            count += 1
        return frames[count:]

    @property
    def in_loop(self) -> bool:
        return any(isinstance(frame, Loop) for frame in self.frames)


def loops_of(frames: Iterable[Frame]) -> list[Loop]:
    return [frame for frame in frames if isinstance(frame, Loop)]


def names_of(frame: Frame) -> set[str]:
    """Names that a frame uses."""
    match frame:
        case Loop(extent=extent):
            return set(extent.names())
        case Bind(value=value):
            return free_names(value)
        case Guard(condition=condition, written=written):
            own = set() if condition is None else set(condition.names())
            return own.union(*(free_names(w) for w in written))
        case Demand(condition=condition):
            return set(condition.names())


def moved(frame: Frame, names: Names, sizes: Mapping[str, Size]) -> Frame:
    """A frame with iterators replaced by sizes."""
    match frame:
        case Loop(iterator=iterator, extent=extent):
            return Loop(iterator, extent.substitute(sizes))
        case Bind(names=own, value=value, lengths=lengths):
            return Bind(own, substituted(value, names, sizes), lengths)
        case Guard(condition=condition, written=written, holds=holds):
            inside = None if condition is None else condition.substitute(sizes)
            return Guard(inside, tuple(substituted(w, names, sizes) for w in written), holds)
        case Demand(condition=condition, message=message):
            return Demand(condition.substitute(sizes), message)


def needed(frames: Sequence[Frame], value: Expr, also: Iterable[str] = ()) -> tuple[Frame, ...]:
    """The frames without bindings that nothing inside uses, but for some names."""
    used, kept = free_names(value).union(also), []
    for frame in reversed(frames):
        if isinstance(frame, Bind):
            if not frame.bound & used:
                continue
            used -= frame.bound
        used |= names_of(frame)
        kept.append(frame)
    return tuple(reversed(kept))


def enclosed(frames: Sequence[Frame], value: Expr, names: Names) -> Expr:
    """A value inside frames: bound names are bound, what a condition excludes is zero, iterators are summed over."""
    pending: list[Loop] = []
    for frame in reversed(needed(frames, value)):
        if isinstance(frame, Loop):
            pending.insert(0, frame)
            continue
        value = _summed(pending, value, names)
        pending = []
        match frame:
            case Bind(names=own, value=bound, lengths=lengths):
                value = Let(own, bound, value, lengths, type=value.type)
            case Guard():
                value = guarded(frame, value)
            case Demand(condition=condition, message=message):
                value = Require(condition, message, value, type=value.type)
    return _summed(pending, value, names)


def guarded(guard: Guard, value: Expr) -> Expr:
    """A value where a condition is as it should be, zeros elsewhere."""
    kind = value.type
    counts = not kind.rank and not kind.parts and all(c.space.family in ("Z", *REAL_FAMILIES) for c in kind.columns)
    nothing = embedded([number(0) for _ in kind.columns]) if counts else Literal(0, type=kind)
    if guard.condition is not None and not guard.written:
        condition = guard.condition if guard.holds else negation(guard.condition)
        return chosen(condition, (), value, nothing)
    then, otherwise = (value, nothing) if guard.holds else (nothing, value)
    return chosen(guard.condition, guard.written, then, otherwise)


def _summed(loops: Sequence[Loop], value: Expr, names: Names) -> Expr:
    if not loops:
        return value
    return total([x.iterator for x in loops], [x.extent for x in loops], names.fresh("s"), value)


def loops_of_fold(fold: Reduce) -> list[Loop]:
    """The iterators of a fold, for what does not depend on the order of its steps."""
    return [Loop(i, extent) for i, extent in zip(fold.iterators, fold.extents, strict=True)]
