"""Parts: a program as it is placed, in stages with their grids, repetitions and steps in waves."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from tolang.engines.dask.grids import Cut, Values, bytes_of
from tolang.engines.dask.multipass import GROUP, Waves
from tolang.engines.dask.pieces import StagePiece, opening_of
from tolang.engines.dask.repetitions import Repetition
from tolang.engines.dask.stages import PlanStage, lengths_known_at
from tolang.ground.dataclasses import dataclass, field, replace
from tolang.plan.nest import Buffer, Plan


@dataclass(frozen=True, eq=False)
class Driven:
    """A repetition whose turns are driven one after the other, each in stages of its own; `opening` comes before.

    One that goes `in_stretches` has one turn, whose stage has its pieces one after the other, each from the state that
    the one before it left.  Turns go `leap` at a time, in the stages of `leaping`, as long as there are so many left.
    The first turn has the content of other buffers for those of the state that are in `begins`, as it is.  Where turns
    go `among_workers`, these meet after each stage, and nobody else has to do with it.
    """

    stage: PlanStage
    repetition: Repetition
    opening: StagePiece
    lengths: tuple[int, ...]
    cuts: tuple[Part, ...]
    known: Values
    in_stretches: bool = False
    leap: int = 1
    leaping: tuple[Part, ...] = ()
    begins: Mapping[str, str] = field(default_factory=dict)
    among_workers: bool = False

    @property
    def turns(self) -> int:
        return math.prod(self.lengths)

    @property
    def portions(self) -> list[tuple[int, tuple[Part, ...]]]:
        """How many times which stages are computed: several turns together first, then those that are left."""
        if not self.leaping:
            return [(self.turns, self.cuts)]
        times, rest = divmod(self.turns, self.leap)
        return [(times, self.leaping), (rest, self.cuts)]

    @property
    def parts(self) -> tuple[Part, ...]:
        """The stages of turns, several together and one."""
        return tuple(cut for times, cuts in self.portions if times or not self.turns for cut in cuts)

    @cached_property
    def tasks(self) -> int:
        return sum(times * cut.tasks for times, cuts in self.portions for cut in cuts)

    @property
    def bytes(self) -> int:
        return max((cut.bytes for cut in self.parts), default=0)

    @property
    def moved(self) -> int:
        return sum(times * cut.moved for times, cuts in self.portions for cut in cuts)

    @property
    def work(self) -> int:
        return sum(times * cut.work for times, cuts in self.portions for cut in cuts)

    def coordinates(self) -> Iterator[dict[str, int]]:
        """The coordinates of the turns, the first of each fastest."""
        names = self.repetition.step.iterators
        for turn in range(self.turns):
            found = {}
            for name, length in zip(names, self.lengths, strict=True):
                found[name] = turn % length + 1
                turn //= length
            yield found


_NUMBER = re.compile(r"_\d+( after)?(?=$| )")
Part = Cut | Driven | Waves
"""A stage in its grid, a repetition, or a step in waves."""


@dataclass(frozen=True, eq=False)
class PlacedProgram:
    """A program in stages with their grids; `peak` is the most bytes that a process holds while it runs.

    Where it is `kept`, values between stages stay with the workers that computed them; where all workers are `near`,
    on the machine that planned it, all large values are in memory that they share.

    Stages are those of steps up to a position: where that is not the end, lengths of later ones are told by running
    these, and then they are placed, too, with the `baseline` of what a process held before any of it ran.  Inputs that
    are `packed` are unpacked once.  Where rows are `grouped` piece by piece, it is seen then how many groups there are.
    """

    plan: Plan
    cuts: tuple[Part, ...]
    known: Values
    strict: bool
    peak: int
    until: int
    baseline: int = 0
    kept: bool = False
    near: bool = False
    packed: frozenset[str] = frozenset()
    grouped: bool = True

    @property
    def is_all(self) -> bool:
        return self.until == len(self.plan.steps) and not self.groups_told

    @property
    def groups_told(self) -> tuple[str, ...]:
        """How many groups there are, by its names, where rows are grouped piece by piece: running these tells it."""
        return tuple(one.gives for one in self.cuts if isinstance(one, Waves) and one.kind == GROUP)

    @cached_property
    def opening(self) -> StagePiece | None:
        """What finds the numerics that cost nothing and that lengths of later steps are made of; None at the end."""
        return None if self.is_all else opening_of(self.plan, self.until, lengths_known_at(self.plan, self.until))


def all_cuts(parts: Iterable[Part]) -> Iterator[Cut]:
    """Stages in their grids, those of turns as well."""
    for part in parts:
        match part:
            case Driven():
                yield from all_cuts(part.parts)
            case Waves():
                yield from part.cuts
            case Cut():
                yield part


def compared(parts: Iterable[Part]) -> Iterator[StagePiece]:
    """The pieces whose plans have the folds of the whole: of what goes in waves, all of it in one."""
    for part in parts:
        match part:
            case Driven():
                yield from compared(part.parts)
            case Waves():
                yield part.whole
            case Cut():
                yield part.piece


def name_of(part: Part) -> str:
    """What a stage computes, by the names of the program."""
    if isinstance(part, Driven):
        names = [_named(now.name) for now, _ in part.repetition.states]
        names += [plain_name(name) for name, _ in part.repetition.left]
    elif isinstance(part, Waves):
        names = [_named(one.name) for one in part.writes]
    else:
        names = [_named(one.name) for one in part.piece.writes]
        names += [plain_name(name.rpartition(" of ")[2]) for name in part.piece.gives if name]
    return ", ".join(dict.fromkeys(names)) or "nothing"


def _named(buffer: str) -> str:
    return plain_name(buffer.rpartition(".")[0] or buffer)


def plain_name(name: str) -> str:
    """A name of a plan without what tells it from others of that name: a number, and whether a turn leaves it."""
    return _NUMBER.sub("", name)


def written_by(part: Part) -> tuple[Buffer, ...]:
    """The buffers that a stage writes to."""
    if isinstance(part, Driven):
        return tuple(now for now, _ in part.repetition.states)
    return part.writes if isinstance(part, Waves) else part.piece.writes


def read_by(part: Part) -> set[str]:
    """The names of the buffers that a stage reads."""
    if isinstance(part, Waves):
        return part.reads
    if isinstance(part, Cut):
        begins = () if part.piece.start is None else part.piece.start.reads
        return {one.name for one in (*part.piece.reads, *begins)}
    inside = {one.name for cut in part.cuts for one in written_by(cut)} | {name for _, name in part.repetition.names}
    read = set[str]().union(*(read_by(cut) for cut in part.cuts)) - inside
    states = {now.name for now, _ in part.repetition.states}
    begun = {part.begins.get(name, name) for name in states}
    return (read - states) | {one.name for one in part.opening.reads} | begun


def between(plan: Plan, cuts: tuple[Part, ...], known: Values) -> dict[str, int]:
    """The values that stages give to each other, and how many bytes each has."""
    outputs = plan.output_names
    found: dict[str, int] = {}
    for cut in cuts:
        if isinstance(cut, Driven):
            found |= between(replace(plan, outputs=()), cut.cuts, cut.known)
        if isinstance(cut, Waves):
            found |= {one.name: bytes_of(one, cut.known) for one in cut.between}
        found |= {name: size for name, size in bytes_given(cut, known).items() if name not in outputs}
    return found


def bytes_given(part: Part, known: Values) -> dict[str, int]:
    """The values that a stage gives, and how many bytes each has, at the most where only running tells it."""
    return {one.name: bytes_of(one, part.known if isinstance(part, Waves) else known) for one in written_by(part)}
