"""How a nest, a repetition or a fold runs, as typed data.

A schedule is chosen once (`choosing`), printed and verified with the plan, part of a kernel's canonical form, and never
derived again.  Its parameters are fields with types; what it is called, in tables of engines and in words for people,
follows from them (`kinds`).

    LoopSchedule     loops as they are written, some axes with roles: vectors, unrolled, interleaved, in blocks
    Tiled            a contraction by a tile of accumulators in registers; operands packed, in place, or copied
    ScatterSchedule  elements that go to places which data names: every thread has a copy, or places of its own
    ScanSchedule     prefix results, what was computed last in a register
    DoubleBuffered   a repetition whose old and new states change places after every step
    Compaction       elements that pass a test, one behind the other
    ArgReduce        the place of an extreme element
    TreeReduce       neighbours merged, level by level
    PrefixReuse      the first part of a buffer, with the memory of the whole
    Prepack          an operand laid out once for all runs

A nest may have several schedules: each `ScheduleCase` has a condition on lengths, and the first that holds is taken
(`dispatch`).
"""

from __future__ import annotations

from enum import Enum
from typing import Any

from tolang.ground.dataclasses import dataclass, fields
from tolang.ground.symbolic.conditions import Condition


class Role(Enum):
    """What an axis of loops is besides one coordinate after the other."""

    PARALLEL = "parallel"
    VECTOR = "vector"
    UNROLL = "unroll"
    INTERLEAVE = "interleave"
    BLOCK = "block"


class States(Enum):
    """Where the states of folds are while they run: in registers, or as an array in the nearest cache."""

    REGISTERS = "registers"
    CACHE = "cache"


class OperandSource(Enum):
    """Where a tile's operand is read from.

    `ROWS`: in place, its rows along the depth; `COLUMNS`: in place, its rows side by side for each step of the depth;
    `PADDED_COPY`: from a copy with what is beyond its edges, windows of it in place.
    """

    PACKED = "packed"
    ROWS = "rows in place"
    COLUMNS = "columns in place"
    PADDED_COPY = "padded copy"


@dataclass(frozen=True, slots=True)
class ScheduleAxis:
    """A dimension of a nest or of its fold by its iterator, and how `factor` coordinates of it are taken at a time."""

    name: str
    role: Role
    factor: int = 1

    def __str__(self) -> str:
        return f"{self.name} {self.role.value}" + (f" {self.factor}" if self.factor > 1 else "")


@dataclass(frozen=True, slots=True)
class Schedule:
    """How something runs."""

    def __str__(self) -> str:
        parts = [text for field in fields(self) for text in _told(field.name, getattr(self, field.name))]
        return ", ".join(parts)


def _told(name: str, value: Any) -> list[str]:
    """A field as text; nothing where it says nothing."""
    match value:
        case None | False | 0 | ():
            return []
        case True:
            return [name.replace("_", " ")]
        case tuple():
            return [str(axis) for axis in value]
        case Enum():
            return [] if value in (States.REGISTERS, OperandSource.PACKED) else [f"{name} {value.value}"]
        case Schedule():
            return []
    return [f"{name} {value}"]


@dataclass(frozen=True, slots=True)
class LoopSchedule(Schedule):
    """Loops over the dimensions of a nest and of its folds, or over those of one fold.

    `early_exit`: a fold ends when a step can no longer change its state; `prepacked`: an operand lies in panels; the
    others are of loops over rows (`rows`).
    """

    axes: tuple[ScheduleAxis, ...] = ()
    states: States = States.REGISTERS
    early_exit: bool = False
    prepacked: bool = False
    hoist: bool = False
    alternate: bool = False
    reciprocal: bool = False
    prefetch: bool = False

    def axis(self, role: Role) -> ScheduleAxis | None:
        """The axis that has a role."""
        return next((axis for axis in self.axes if axis.role is role), None)

    def factor(self, role: Role) -> int:
        """How many coordinates are taken at a time of the axis that has a role; 1 where none has."""
        return next((axis.factor for axis in self.axes if axis.role is role), 1)


@dataclass(frozen=True, slots=True)
class Tiled(Schedule):
    """A contraction: `rows` by `vectors` accumulators of `lanes` each, which stay in registers.

    `splat`: rows are packed with every value repeated in all lanes; `lane_rows`: they are loaded as vectors, whose
    lanes are factors; `streams`: columns come from the second cache; `unroll`: steps in one turn of the loop; `narrow`:
    the last columns have a tile of so many vectors where they need no more, if any; `inspects`: operands are looked at
    while they are packed, and where all are ordinary numbers, the smaller and greater of two are one instruction;
    `matrices`: accumulators are in registers that hold small matrices, and steps are taken 16 at a time.  The `left`
    operand has the rows, the `right` one the columns.  Arithmetic of whole numbers is not checked; where that might go
    unseen, as the operands' magnitudes tell when the program runs, the `fallback` is taken.
    """

    rows: int
    vectors: int
    lanes: int
    splat: bool = False
    lane_rows: bool = False
    streams: bool = False
    unroll: int = 4
    narrow: int = 0
    inspects: bool = False
    matrices: bool = False
    left: OperandSource = OperandSource.PACKED
    right: OperandSource = OperandSource.PACKED
    fallback: LoopSchedule | None = None

    @property
    def columns(self) -> int:
        return self.vectors * self.lanes


class Ownership(Enum):
    """Which threads write where: a copy of the state for each, or a part of it that is its own."""

    PRIVATISED = "privatised"
    PARTITIONED = "partitioned"


@dataclass(frozen=True, slots=True)
class ScatterSchedule(Schedule):
    """Elements go to places that data names; of privatised states there are at most `copies`, 0 for the engine's."""

    ownership: Ownership
    copies: int = 0


@dataclass(frozen=True, slots=True)
class ScanSchedule(Schedule):
    """Prefix results: by one thread, or in blocks of a length on all threads, elements in lanes."""

    block: int = 0
    lanes: int = 0


@dataclass(frozen=True, slots=True)
class DoubleBuffered(Schedule):
    """Step after step, old and new states changing places; until a step changes nothing where there is an `early_exit`.

    States that are `left` stay in whichever memory they are in after the last step: the caller looks there.
    """

    early_exit: bool = False
    left: bool = False


@dataclass(frozen=True, slots=True)
class Compaction(Schedule):
    """Elements that pass a test, one behind the other: counted in pieces on all threads, then written."""


@dataclass(frozen=True, slots=True)
class ArgReduce(Schedule):
    """The place of one element, elements in lanes."""


@dataclass(frozen=True, slots=True)
class TreeReduce(Schedule):
    """Neighbours merged, level by level."""


@dataclass(frozen=True, slots=True)
class PrefixReuse(Schedule):
    """The first part of a buffer, whose memory is taken over, or copied where that is less than a quarter of it."""


@dataclass(frozen=True, slots=True)
class Prepack(Schedule):
    """An operand in panels of a `width`, for all runs; of each neighbour `chunk` coordinates together."""

    width: int
    chunk: int = 1


@dataclass(frozen=True, slots=True)
class ScheduleCase:
    """A schedule for some lengths; a `rare` one is for lengths that are not the rule, and may be compiled later."""

    condition: Condition
    schedule: Schedule
    rare: bool = False


IN_ORDER = LoopSchedule()
"""One coordinate after the other."""


def shares_steps(schedule: Schedule | None) -> bool:
    """Whether the steps of a repetition are shared out among threads."""
    if isinstance(schedule, ScanSchedule):
        return schedule.block > 0
    return isinstance(schedule, ScatterSchedule | Compaction)
