"""Nests: a program as loops over coordinates.  The whole grammar is on this page.

Every ToL is a shape and a way to compute the element at given coordinates.  What a program materialises is a buffer,
one for each component; everything else is index arithmetic inside scalar expressions.  A plan is a list of steps:

    Nest      stores a scalar expression at every coordinate of its (parallel) dimensions
    Each      runs steps, with buffers of their own, at every coordinate of parallel dimensions
    Repeat    a fold whose state is held in names and buffers; its dimensions run in order, first fastest
    Branch    one of two lists of steps
    Bind      gives a scalar, or an index, a name;  Assign changes one that a Repeat or Branch keeps
    Allocate  makes a buffer;  Free gives its memory back early;  Demand asks for a condition on sizes

A reduction inside a scalar expression has dimensions, initial values and a combine.  Coordinates count from 1, as in
the core; indices are symbolic sizes whose names are size variables, iterators and bound scalars.
"""

from __future__ import annotations

import math
from typing import Any

from tolang.ground.dataclasses import dataclass, field
from tolang.ground.reporting.diagnostics import Span
from tolang.ground.symbolic.conditions import Condition
from tolang.ground.symbolic.sizes import ONE, Size, floor_division
from tolang.ground.values.functions import FUNCTIONS
from tolang.ground.values.spaces import Column
from tolang.plan.schedule import LoopSchedule, Schedule, ScheduleCase


@dataclass(frozen=True, slots=True)
class PanelLayout:
    """A layout of memory: the last axes, `across` of them, run as one that is cut into stretches of `width`.

    Each stretch holds all coordinates of the other axes one after the other, at each `width` neighbours; the last one
    is filled up with zeros.  Or so many of these coordinates as a `chunk` has come together, for one neighbour after
    the other; then the last of the other axes has whole chunks, and nothing is filled up.
    """

    width: int
    across: int
    chunk: int = 1


@dataclass(frozen=True, slots=True)
class SourcePlaceholder:
    """Stands for a span of the source in code that several places share."""

    number: int


@dataclass(frozen=True, slots=True, eq=False)
class Buffer:
    """One component of a materialised ToL: contiguous, last coordinate fastest, unless it lies in panels.

    A buffer in panels is filled and read as a whole: by nests whose dimensions are its axes, at their own coordinates.
    Its span is where the source says what is in it; `beyond` its end may be so many elements that are read, whatever
    they are.
    """

    name: str
    column: Column
    shape: tuple[Size, ...]
    role: str = "scratch"
    panels: PanelLayout | None = None
    span: Span | SourcePlaceholder | None = field(default=None, repr=False)
    beyond: int = 0

    @property
    def room(self) -> tuple[Size, ...]:
        """Lengths whose product is the number of elements that its memory holds."""
        if self.beyond:
            return (math.prod(self.shape, start=ONE) + self.beyond,)
        if self.panels is None:
            return self.shape
        along, across = self.shape[: -self.panels.across], self.shape[-self.panels.across :]
        places = ONE
        for length in across:
            places = places * length
        width = Size.of(self.panels.width)
        return (*along, floor_division(places + width - 1, width) * width)


@dataclass(frozen=True, slots=True)
class FaultInfo:
    """What a failed check is told as: the code of the error, and what it is about."""

    code: str
    about: str


OUTSIDE = FaultInfo("E513", "a coordinate is outside its ToL")
RANGE_OUTSIDE = FaultInfo("E513", "a range is outside its ToL")
BELOW_ZERO = FaultInfo("E509", "a length is below zero")
BEYOND = FaultInfo("", "a coordinate or length is beyond what words of 64 bits are sure to hold")
"""The check that fails where an index might wrap around has no code: such a run is left to the interpreter."""
UNREAD = FaultInfo("", "a numeric is computed though there is no element to compute it for")


def no_memory(what: str) -> FaultInfo:
    """There is no memory for something."""
    return FaultInfo("E508", what)


def unmet(requirement: str) -> FaultInfo:
    """A requirement that a library's source writes is not met."""
    return FaultInfo("E515", requirement)


def out_of_range(function: str) -> FaultInfo:
    """A function has no value in its storage: a whole number is too large, divided by zero, or refused by a space."""
    overflows = function == "cast" or (function in FUNCTIONS and FUNCTIONS[function].overflows)
    code = "E505" if overflows else "E519"
    return FaultInfo(code, f"{function} is outside its range")


APART = ("column", "span")
"""Fields of nodes in which no others are."""

# Scalar expressions


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Scalar:
    """A numeric computed at the current coordinates, in the storage of its column."""

    column: Column
    span: Span | SourcePlaceholder | None = field(default=None, repr=False)

    def children(self) -> tuple[Scalar, ...]:
        """The scalars that this one is computed of; those of a fold are its group's."""
        return ()


@dataclass(frozen=True, slots=True, eq=False)
class ConstantScalar(Scalar):
    value: Any


@dataclass(frozen=True, slots=True, eq=False)
class Index(Scalar):
    """A size or coordinate used as a value."""

    size: Size


@dataclass(frozen=True, slots=True, eq=False)
class Named(Scalar):
    """A bound scalar, or one component of a fold's state."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Load(Scalar):
    """A buffer's element.  `checks` are conditions that could not be proved; where one fails nothing is read."""

    buffer: Buffer
    indices: tuple[Size, ...]
    checks: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Checked(Scalar):
    """A value that is computed where conditions hold: coordinates inside a ToL that was never materialised, lengths."""

    checks: tuple[Condition, ...]
    value: Scalar
    complaint: FaultInfo = OUTSIDE

    def children(self) -> tuple[Scalar, ...]:
        return (self.value,)


QUAD, DOT, DOT_UNSIGNED = "quad", "dot", "dot_unsigned"
"""Functions of plans alone: four numbers of eight bits as a word; four products of two such words added to a number."""
OF_QUADS = frozenset({QUAD, DOT, DOT_UNSIGNED})


@dataclass(frozen=True, slots=True, eq=False)
class Operation(Scalar):
    """A basic elementary function, or `convert`, of scalars."""

    function: str
    arguments: tuple[Scalar, ...]

    def children(self) -> tuple[Scalar, ...]:
        return self.arguments


@dataclass(frozen=True, slots=True, eq=False)
class Draw(Scalar):
    """A random number in [0,1): a pure function of the seed, the call site and the coordinates."""

    site: int
    coordinates: tuple[Size, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Select(Scalar):
    """One of two scalars; only the one taken is computed.  The test is a guard on indices, or a scalar in B."""

    guard: Condition | None
    test: tuple[Scalar, ...]
    then: Scalar
    otherwise: Scalar

    def children(self) -> tuple[Scalar, ...]:
        return (*self.test, self.then, self.otherwise)


@dataclass(frozen=True, slots=True, eq=False)
class Where(Scalar):
    """A scalar with names bound around it."""

    bindings: tuple[tuple[str, Scalar], ...]
    value: Scalar

    def children(self) -> tuple[Scalar, ...]:
        return (*(bound for _, bound in self.bindings), self.value)


@dataclass(frozen=True, slots=True, eq=False)
class Reduction(Scalar):
    """Component `position` of a fold over dimensions, whose state is a list of numerics.

    Components of one fold share the `group`, an object they have in common, so that the fold runs once.
    """

    group: Group
    position: int


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """A fold over dimensions with scalar state: `states` are combined by `steps`, starting from `initials`.

    A `combine` may be regrouped, unless the fold is `ordered`: such a fold is computed by several pieces of code, at
    the border of a nest and inside, all of which have to round alike.
    """

    iterators: tuple[str, ...]
    extents: tuple[Size, ...]
    states: tuple[str, ...]
    columns: tuple[Column, ...]
    initials: tuple[Scalar, ...]
    steps: tuple[Scalar, ...]
    combine: str | None = None
    associative: bool = False
    ordered: bool = False
    schedule: Schedule | None = None


# Steps


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    pass


@dataclass(frozen=True, slots=True, eq=False)
class Nest(Step):
    """At every coordinate, each target's element is its value.

    How that is done is its `schedule`, once one was chosen, or that of the first of its `cases` whose condition holds.
    A `rare` nest is run at sizes that are not the rule, and may be compiled later.
    """

    iterators: tuple[str, ...]
    extents: tuple[Size, ...]
    targets: tuple[tuple[Buffer, tuple[Size, ...]], ...]
    values: tuple[Scalar, ...]
    origin: str = ""
    schedule: Schedule | None = None
    cases: tuple[ScheduleCase, ...] = ()
    rare: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Each(Step):
    """Steps at every coordinate, in any order.

    Code is `compact` where unrolling it and guessing at its choices would not pay: where few coordinates are expected,
    as at a border, or where steps go on by choices that nothing foretells.
    """

    iterators: tuple[str, ...]
    extents: tuple[Size, ...]
    steps: tuple[Step, ...]
    compact: bool = False
    schedule: LoopSchedule | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Repeat(Step):
    """Steps in order, once for each coordinate; what they keep is in names that `Assign` changes, and in buffers.

    The two buffers of each pair in `exchanges` change their memory after every step, so that what the steps wrote to
    the second is what they find in the first; after the last step it is in the first's own memory.
    """

    iterators: tuple[str, ...]
    extents: tuple[Size, ...]
    steps: tuple[Step, ...]
    exchanges: tuple[tuple[Buffer, Buffer], ...] = ()
    schedule: Schedule | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Branch(Step):
    """Steps where a guard or a test holds, and others where it does not: at sizes that are not the rule if `seldom`."""

    guard: Condition | None
    test: tuple[Scalar, ...]
    then: tuple[Step, ...]
    otherwise: tuple[Step, ...]
    seldom: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Bind(Step):
    """A name for a value; `index` where it is a whole number from indices alone.  Mutable if assigned later."""

    name: str
    value: Scalar
    mutable: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Assign(Step):
    name: str
    value: Scalar


@dataclass(frozen=True, slots=True, eq=False)
class Allocate(Step):
    buffer: Buffer


@dataclass(frozen=True, slots=True, eq=False)
class Free(Step):
    """A buffer that nothing reads any more; it was allocated in the same list of steps."""

    buffer: Buffer


@dataclass(frozen=True, slots=True, eq=False)
class RequireStep(Step):
    condition: Condition
    complaint: FaultInfo
    span: Span | SourcePlaceholder | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ConstantTable:
    """A ToL that a program writes out, as data: the buffer that it is read from, and its elements in their order."""

    buffer: Buffer
    elements: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Stride:
    """Inputs that are read where they lie, as fields of records: how many elements are from one to the next.

    Their buffers are as long as all that they lie among.  The `step` is the name of a size that a call tells, 1 for
    arrays of their own.
    """

    step: str
    buffers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """A lowered program: sizes and input buffers in, steps, output buffers out.

    `numerics` are scalar inputs that sizes may name; `outputs` holds the buffers of each output, and its lengths.
    The buffers of `tables` come after the program's own inputs, and hold the same in all runs.
    """

    sizes: tuple[str, ...]
    inputs: tuple[Buffer, ...]
    steps: tuple[Step, ...]
    outputs: tuple[tuple[Buffer, ...], ...]
    tables: tuple[ConstantTable, ...] = ()
    strides: tuple[Stride, ...] = ()

    @property
    def output_buffers(self) -> tuple[Buffer, ...]:
        """The buffers of all outputs, in their order."""
        return tuple(buffer for buffers in self.outputs for buffer in buffers)

    @property
    def output_names(self) -> frozenset[str]:
        """The names of the buffers of all outputs."""
        return frozenset(buffer.name for buffer in self.output_buffers)


class Unsupported(Exception):
    """Something that nests cannot express, so that the interpreter has to run it; the message says what."""
