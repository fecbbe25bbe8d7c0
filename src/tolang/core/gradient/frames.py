"""What stands around a place in a program, from outside in: bindings, iterators, conditions, requirements.

A cotangent is found at such a place and belongs to a name bound further outside: it is enclosed again in the frames
between the two, in which iterators become sums.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from tolang.core.core import Expr, Let, Literal, Reduce, Require, Variable
from tolang.core.gradient.building import REAL_FAMILIES, chosen, embedded, number, total
from tolang.core.gradient.names import NameSource, substituted
from tolang.core.tidy import free_names
from tolang.ground.dataclasses import dataclass
from tolang.ground.symbolic.conditions import Condition, negation
from tolang.ground.symbolic.sizes import Size


@dataclass(frozen=True, slots=True, eq=False)
class LoopFrame:
    """An iterator of a map, or of a fold whose steps do not depend on one another."""

    iterator: str
    extent: Size


@dataclass(frozen=True, slots=True, eq=False)
class BindingFrame:
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
class RequirementFrame:
    """A requirement that was seen to hold."""

    condition: Condition
    message: str


Frame = LoopFrame | BindingFrame | Guard | RequirementFrame


@dataclass(frozen=True, slots=True, eq=False)
class Contribution:
    """A summand of the cotangent of one component of a name, at coordinates of it, or of it as a whole."""

    component: int
    coordinates: tuple[Size, ...] | None
    frames: tuple[Frame, ...]
    value: Expr


class FrameStack:
    """The frames around the place where a transformation is, which grow and shrink as it goes."""

    def __init__(self, names: NameSource) -> None:
        self.names = names
        self.frames: list[Frame] = []
        self._kept: dict[int, tuple[object, int, BindingFrame]] = {}

    def bind(self, base: str, value: Expr, shared: bool = False) -> Variable:
        """A new name for a value from here on."""
        name = self.names.fresh(base)
        self.frames.append(BindingFrame((name,), value, shared=shared))
        return Variable(name, type=value.type)

    def once(self, key: object, base: str, make: Callable[[], Expr]) -> Variable:
        """A name for what an object stands for, the same as long as the place where it was bound is around."""
        known = self._kept.get(id(key))
        if known is not None and self.has(key):
            return Variable(known[2].names[0], type=known[2].value.type)
        made = self.bind(base, make())
        bound = self.frames[-1]
        assert isinstance(bound, BindingFrame)
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
        return any(isinstance(frame, LoopFrame) for frame in self.frames)


def loops_of(frames: Iterable[Frame]) -> list[LoopFrame]:
    return [frame for frame in frames if isinstance(frame, LoopFrame)]


def names_of(frame: Frame) -> set[str]:
    """Names that a frame uses."""
    match frame:
        case LoopFrame(extent=extent):
            return set(extent.names())
        case BindingFrame(value=value):
            return free_names(value)
        case Guard(condition=condition, written=written):
            own = set() if condition is None else set(condition.names())
            return own.union(*(free_names(w) for w in written))
        case RequirementFrame(condition=condition):
            return set(condition.names())


def moved(frame: Frame, names: NameSource, sizes: Mapping[str, Size]) -> Frame:
    """A frame with iterators replaced by sizes."""
    match frame:
        case LoopFrame(iterator=iterator, extent=extent):
            return LoopFrame(iterator, extent.substitute(sizes))
        case BindingFrame(names=own, value=value, lengths=lengths):
            return BindingFrame(own, substituted(value, names, sizes), lengths)
        case Guard(condition=condition, written=written, holds=holds):
            inside = None if condition is None else condition.substitute(sizes)
            return Guard(inside, tuple(substituted(w, names, sizes) for w in written), holds)
        case RequirementFrame(condition=condition, message=message):
            return RequirementFrame(condition.substitute(sizes), message)


def needed(frames: Sequence[Frame], value: Expr, also: Iterable[str] = ()) -> tuple[Frame, ...]:
    """The frames without bindings that nothing inside uses, but for some names."""
    used, kept = free_names(value).union(also), []
    for frame in reversed(frames):
        if isinstance(frame, BindingFrame):
            if not frame.bound & used:
                continue
            used -= frame.bound
        used |= names_of(frame)
        kept.append(frame)
    return tuple(reversed(kept))


def enclosed(frames: Sequence[Frame], value: Expr, names: NameSource) -> Expr:
    """A value inside frames: bound names are bound, what a condition excludes is zero, iterators are summed over."""
    pending: list[LoopFrame] = []
    for frame in reversed(needed(frames, value)):
        if isinstance(frame, LoopFrame):
            pending.insert(0, frame)
            continue
        value = _summed(pending, value, names)
        pending = []
        match frame:
            case BindingFrame(names=own, value=bound, lengths=lengths):
                value = Let(own, bound, value, lengths, type=value.type)
            case Guard():
                value = guarded(frame, value)
            case RequirementFrame(condition=condition, message=message):
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


def _summed(loops: Sequence[LoopFrame], value: Expr, names: NameSource) -> Expr:
    if not loops:
        return value
    return total([x.iterator for x in loops], [x.extent for x in loops], names.fresh("s"), value)


def loops_of_fold(fold: Reduce) -> list[LoopFrame]:
    """The iterators of a fold, for what does not depend on the order of its steps."""
    return [LoopFrame(i, extent) for i, extent in zip(fold.iterators, fold.extents, strict=True)]
