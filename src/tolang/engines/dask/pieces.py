"""Pieces: the steps of a stage as a plan of their own, in coordinates that count from the first one of the piece.

    y[i] = x[i-1] + x[i+1],  i <= n      becomes      y[i] = x[i + i from - x from - 1] + x[i + i from - x from + 1],
                                                      i <= i count

Where a piece begins, how long it is, and where what it reads begins, are sizes of that plan like any other: one plan,
and one compilation, serves all pieces of all grids.  A dimension that is read and written at a coordinate itself shares
the names of that coordinate; others have names of their own, whose values follow from the regions that a piece reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from tolang.engines.dask.repetitions import stored
from tolang.engines.dask.stages import CHAIN, FOLD, LEAVES, LIGHT, WHOLE, PlanStage, is_kept_apart, light_binds
from tolang.ground.dataclasses import dataclass, field, replace
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.functions import identity_in
from tolang.plan.nest import (
    Allocate,
    Bind,
    Buffer,
    ConstantScalar,
    Each,
    Group,
    Index,
    Load,
    Named,
    Nest,
    Operation,
    Plan,
    Reduction,
    Repeat,
    RequireStep,
    Scalar,
    Select,
    Step,
)
from tolang.plan.regions import Interval, Reference, hull, length_at, lengths_at, reads_of, region_of, writes_of
from tolang.plan.rewriting import Rewriter
from tolang.plan.traversal import bound_names, used_names

Names = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class DimensionSlice:
    """A part of a dimension, by the names of what it leaves out before it and of how long it is."""

    origin: str
    count: str

    @staticmethod
    def of(what: str) -> DimensionSlice:
        return DimensionSlice(f"{what} from", f"{what} count")

    def values(self, interval: Interval) -> dict[str, int]:
        low, high = interval
        return {self.origin: low - 1, self.count: max(0, high - low + 1)}

    def interval(self, values: Names) -> Interval:
        """From where to where it goes; one without length still begins somewhere."""
        return values[self.origin] + 1, values[self.origin] + max(1, values[self.count])


JOINED = DimensionSlice.of("leaves")
"""What stretches of a fold gave, joined in the end."""
Read = tuple[Reference, int, tuple[tuple[str, DimensionSlice], ...]]
"""A read, one of its dimensions, and the stretches of coordinates that its index there follows from."""


@dataclass(frozen=True, slots=True, eq=False)
class Derived:
    """A stretch that follows from what is read in some dimensions while other stretches are known.

    It is the same for all pieces that have the same stretches of the coordinates it follows from: these `names` decide
    it, and it is `found` once for each of their values.
    """

    stretch: DimensionSlice
    reads: tuple[Read, ...]
    names: tuple[str, ...]
    found: dict[tuple[int | None, ...], Interval] = field(default_factory=dict)

    @staticmethod
    def of(stretch: DimensionSlice, reads: Iterable[Read]) -> Derived:
        single, names = [], set[str]()
        for access, axis, moving in reads:
            index, around = access.indices[axis], list[tuple[str, Size]]()
            used = index.names()
            for name, extent in reversed(access.loops):
                if name in used and name not in dict(moving):
                    around.insert(0, (name, extent))
                    used |= extent.names()
            single.append((replace(access, indices=(index,), loops=tuple(around)), axis, moving))
            names |= used | access.buffer.shape[axis].names()
            names |= {name for _, one in moving for name in (one.origin, one.count)}
        return Derived(stretch, tuple(single), tuple(sorted(names)))

    def interval(self, values: Names) -> Interval:
        """From where to where it goes; it is empty where nothing inside is read."""
        key = tuple(map(values.get, self.names))
        if key not in self.found:
            self.found[key] = self._interval(values)
        return self.found[key]

    def _interval(self, values: Names) -> Interval:
        found = []
        known = {name: (value, value) for name in self.names if (value := values.get(name)) is not None}
        for access, axis, moving in self.reads:
            ranges = known | {name: stretch.interval(values) for name, stretch in moving}
            found.append(region_of(access, ranges, lengths_at(access.buffer.shape[axis : axis + 1], values)))
        ((low, high),) = hull(found)
        return low, max(high, low - 1)


@dataclass(frozen=True, slots=True)
class Shifted:
    """A stretch that is another one, so many coordinates later."""

    stretch: DimensionSlice
    other: DimensionSlice
    by: int

    def interval(self, values: Names) -> Interval:
        low = values[self.other.origin] + 1 + self.by
        return low, low + values[self.other.count] - 1


@dataclass(frozen=True, slots=True, eq=False)
class StagePiece:
    """A stage as the plan of its pieces.

    `axes` are the coordinates that a piece has a stretch of, with their lengths in the whole; `whole` has the length
    that each count is a part of; `shapes` tells of every buffer which stretch of each dimension a piece has of it.
    `states` hold a fold's state, which one piece gives to the next, and `start` gives the first of them.  Where
    stretches may be folded by themselves, `join` joins them by `combine`, in order.  `takes` and `gives` are numerics.
    """

    plan: Plan
    axes: tuple[tuple[str, DimensionSlice, Size], ...]
    derived: tuple[Derived | Shifted, ...]
    shapes: Mapping[str, tuple[DimensionSlice | None, ...]]
    whole: Mapping[str, Size]
    reads: tuple[Buffer, ...]
    writes: tuple[Buffer, ...]
    inner: tuple[Buffer, ...]
    takes: tuple[str, ...]
    gives: tuple[str, ...]
    states: tuple[Buffer, ...] = ()
    start: StagePiece | None = None
    join: Plan | None = None
    combine: str = ""

    def values(self, box: Mapping[str, Interval], known: Names) -> dict[str, int]:
        """All sizes of the plan for the piece at a box of its axes; `known` are sizes and numerics of the program."""
        found = dict(known)
        for name, stretch, _ in self.axes:
            found |= stretch.values(box[name])
        for one in self.derived:
            found |= one.stretch.values(one.interval(found))
        return found

    def region(self, buffer: Buffer, values: Names) -> tuple[Interval, ...]:
        """Which part of a buffer a piece has."""
        found = []
        for length, stretch in zip(buffer.shape, self.shapes[buffer.name], strict=True):
            if stretch is None:
                found.append((1, length_at(length, values)))
            else:
                found.append((values[stretch.origin] + 1, values[stretch.origin] + values[stretch.count]))
        return tuple(found)


def piece_of(plan: Plan, stage: PlanStage) -> StagePiece:
    """The plan of the pieces of a stage; pieces of a fold go on from a state, and what it begins with is apart."""
    if stage.kind != FOLD:
        return _StageCutter(plan, stage).piece()
    found = _StageCutter(_from_no_state(plan, stage), stage).piece()
    return replace(found, start=_start_of(plan, stage))


def _from_no_state(plan: Plan, stage: PlanStage) -> Plan:
    """A plan whose fold of a stage reads and names nothing to begin with; its components stay those of one fold."""
    group, steps = _fold_of(plan, stage), list(plan.steps)
    nothing = tuple(ConstantScalar(0, column=one) for one in group.columns)
    bare = replace(group, initials=nothing)
    for position in stage.steps:
        step = steps[position]
        if isinstance(step, Bind) and isinstance(step.value, Reduction):
            steps[position] = replace(step, value=replace(step.value, group=bare))
    return replace(plan, steps=tuple(steps))


def _start_of(plan: Plan, stage: PlanStage) -> StagePiece:
    """The plan that gives the state before the first element of a fold, of as little as it is found in."""
    group = _fold_of(plan, stage)
    begun = tuple(Bind(f"state {k} begins", one) for k, one in enumerate(group.initials, 1))
    last = len(plan.steps)
    own = PlanStage(WHOLE, tuple(range(last, last + len(begun))), until=stage.until)
    names = frozenset(one.name for one in begun)
    return _StageCutter(replace(plan, steps=(*plan.steps, *begun)), own, names).piece()


def _fold_of(plan: Plan, stage: PlanStage) -> Group:
    """The fold that a stage leads to."""
    return next(
        one.value.group
        for p in stage.steps
        if isinstance(one := plan.steps[p], Bind) and isinstance(one.value, Reduction)
    )


def opening_of(plan: Plan, until: int, names: Iterable[str]) -> StagePiece:
    """The plan of what each piece finds for itself, for once: numerics that cost nothing, and what is demanded."""
    return _StageCutter(plan, PlanStage(WHOLE, (), until=until), frozenset(names)).piece()


@dataclass
class _StageCutter:
    """A stage on its way to local coordinates, from its lead backwards; `wanted` are light numerics that it gives."""

    plan: Plan
    stage: PlanStage
    wanted: frozenset[str] = frozenset()
    moving: dict[str, DimensionSlice] = field(default_factory=dict)
    dimensions: dict[tuple[str, int], DimensionSlice | None] = field(default_factory=dict)
    reads: dict[str, list[Reference]] = field(default_factory=dict)
    buffers: dict[str, Buffer] = field(default_factory=dict)
    derived: list[Derived] = field(default_factory=list)
    whole: dict[str, Size] = field(default_factory=dict)
    lengths: set[str] = field(default_factory=set)
    """Numerics that what a piece reads is as long as: they are sizes of its plan."""

    def piece(self) -> StagePiece:
        steps = self.plan.steps
        chosen = [p for p in self.stage.steps if not isinstance(steps[p], LIGHT)]
        lead = next((p for p in chosen if self.stage.kind == CHAIN and isinstance(steps[p], Repeat)), None)
        axes = self._axes(steps[chosen[-1] if lead is None else lead]) if chosen else []
        for position in reversed(chosen):
            self._restrict(steps[position])
            step = steps[position]
            for access in reads_of(step):
                self.reads.setdefault(access.buffer.name, []).append(access)
        light = self._light(chosen)
        for position in light:
            for access in reads_of(steps[position]):
                self.reads.setdefault(access.buffer.name, []).append(access)
        written = {access.buffer.name: access.buffer for p in chosen for access in writes_of(steps[p])}
        read = {access.buffer.name: access.buffer for all_of in self.reads.values() for access in all_of}
        for name, buffer in (written | read).items():
            for axis in range(len(buffer.shape)):
                self._dimension(buffer, axis)
            self.buffers[name] = replace(buffer, shape=self._shape(buffer))
        reads = [buffer for name, buffer in read.items() if name not in written]
        bound = {one.name for one in steps if isinstance(one, Bind)}
        self.lengths = bound & {name for one in reads for size in self.buffers[one.name].shape for name in size.names()}
        light = [p for p in light if not (isinstance(one := steps[p], Bind) and one.name in self.lengths)]
        return self._assembled(chosen, light, axes, written, reads)

    def _axes(self, lead: Step) -> list[tuple[str, DimensionSlice, Size]]:
        found = []
        lengths: dict[str, Size] = {}
        match lead:
            case Nest(values=(Reduction(group=group),)) if self.stage.kind == LEAVES:
                lengths = dict(zip(group.iterators, group.extents, strict=True))
            case Nest(iterators, extents) | Each(iterators, extents) | Repeat(iterators, extents):
                lengths = dict(zip(iterators, extents, strict=True))
            case Bind(value=Reduction(group=group)):
                lengths = dict(zip(group.iterators, group.extents, strict=True))
        for name in self.stage.axes:
            stretch = self.moving[name] = DimensionSlice.of(name)
            self.whole[stretch.count] = lengths[name]
            found.append((name, stretch, lengths[name]))
        return found

    def _restrict(self, step: Step) -> None:
        """Has a step that others of its stage read computed where they do, as far as its writes allow it."""
        places: dict[str, list[tuple[Buffer, int]]] = {}
        apart = isinstance(step, Nest | Each) and self.stage.kind != CHAIN
        for access in writes_of(step):
            for axis, index in enumerate(access.indices):
                name = index.name
                if apart and isinstance(step, Nest | Each) and name in step.iterators and is_kept_apart(step, name):
                    places.setdefault(name, []).append((access.buffer, axis))
                else:
                    self.dimensions[access.buffer.name, axis] = None
        for name, written in places.items():
            stretch = self.moving.get(name) or self._stretch(written, f"{written[0][0].name} {written[0][1] + 1}")
            for buffer, axis in written:
                self.dimensions[buffer.name, axis] = stretch
            if stretch is not None:
                self.moving[name] = stretch
                self.whole.setdefault(stretch.count, written[0][0].shape[written[0][1]])

    def _dimension(self, buffer: Buffer, axis: int) -> None:
        """Settles which stretch of a dimension that is only read a piece has."""
        key = buffer.name, axis
        if key not in self.dimensions:
            stretch = self.dimensions[key] = self._stretch([(buffer, axis)], f"{buffer.name} {axis + 1}")
            if stretch is not None:
                self.whole.setdefault(stretch.count, buffer.shape[axis])

    def _stretch(self, dimensions: list[tuple[Buffer, int]], what: str) -> DimensionSlice | None:
        """The stretch that reads of some dimensions need together; None where they need all, or nothing is known."""
        reads: list[Read] = []
        for buffer, axis in dimensions:
            if any(table.buffer.name == buffer.name for table in self.plan.tables):
                return None
            for access in self.reads.get(buffer.name, ()):
                used = tuple((name, self.moving[name]) for name in self._around(access, axis) if name in self.moving)
                reads.append((access, axis, used))
        if not any(used for _, _, used in reads) and not self._is_numeric_of(reads):
            return None
        direct = {self._directly(access, axis) for access, axis, _ in reads}
        if len(direct) == 1 and None not in direct:
            return direct.pop()
        stretch = DimensionSlice.of(what)
        self.derived.append(Derived.of(stretch, reads))
        return stretch

    def _is_numeric_of(self, reads: list[Read]) -> bool:
        """Whether a stage that gives a numeric reads elements at places that sizes tell."""
        numeric = self.stage.kind == WHOLE and all(isinstance(self.plan.steps[p], Bind) for p in self.stage.steps)
        return numeric and bool(reads) and all(one.indices[at].names() <= {*self.plan.sizes} for one, at, _ in reads)

    def _directly(self, access: Reference, axis: int) -> DimensionSlice | None:
        """The stretch of the coordinate that an index is, where it runs through all of its dimension."""
        stretch = self.moving.get(access.indices[axis].name or "")
        return stretch if stretch is not None and self.whole[stretch.count] == access.buffer.shape[axis] else None

    def _around(self, access: Reference, axis: int) -> frozenset[str]:
        """The names that an index follows from, by the lengths of loops as well."""
        names = access.indices[axis].names()
        for name, extent in reversed(access.loops):
            if name in names and name not in self.moving:
                names |= extent.names()
        return names

    def _shape(self, buffer: Buffer) -> tuple[Size, ...]:
        stretches = [self.dimensions[buffer.name, axis] for axis in range(len(buffer.shape))]
        return tuple(
            length if stretch is None else Size.of(stretch.count)
            for length, stretch in zip(buffer.shape, stretches, strict=True)
        )

    # Names

    def _light(self, chosen: list[int]) -> list[int]:
        """The steps that name numerics which the chosen ones use, and what is demanded before them."""
        steps, light = self.plan.steps, frozenset(light_binds(self.plan))
        names, found = self._used(steps[p] for p in chosen) | self.wanted, list[int]()
        for position in reversed(range(len(steps))):
            step = steps[position]
            demanded = isinstance(step, RequireStep) and position < self.stage.until
            if position not in chosen and (
                demanded or (position in light and isinstance(step, Bind) and step.name in names)
            ):
                found.insert(0, position)
                names |= self._used([step])
        return found

    def _used(self, steps: Iterable[Step]) -> set[str]:
        found: set[str] = set()
        for step in steps:
            found |= used_names(step)
            for access in (*reads_of(step), *writes_of(step)):
                found = found.union(*(length.names() for length in access.buffer.shape))
        return found

    def _assembled(
        self,
        chosen: list[int],
        light: list[int],
        axes: list[tuple[str, DimensionSlice, Size]],
        written: dict[str, Buffer],
        reads: list[Buffer],
    ) -> StagePiece:
        steps, tables = self.plan.steps, {table.buffer.name for table in self.plan.tables}
        later = self._later(chosen)
        writes = [buffer for name, buffer in written.items() if name in later]
        body: list[Step] = [self._step(steps[p]) for p in sorted((*chosen, *light))]
        bound = frozenset[str]().union(*(bound_names(one) for one in body))
        used = self._used([*body, *(steps[p] for p in chosen)]) - bound
        names = {name: one.value.column for one in steps if isinstance(one, Bind) for name in (one.name,)}
        takes = tuple(name for name in names if name in used - self.lengths)
        given = [Buffer(f"{name} value", names[name], (), "input") for name in takes]
        before: list[Step] = [Bind(n, Load(b, (), column=b.column)) for n, b in zip(takes, given, strict=True)]
        own = frozenset[str]().union(*(bound_names(steps[p]) for p in chosen)) & later
        own |= self.wanted & bound
        gives = () if self.stage.kind == FOLD else tuple(n for n in names if n in own)
        results = [Buffer(f"{name} given", names[name], (), "output") for name in gives]
        after = [part for n, b in zip(gives, results, strict=True) for part in stored(b, Named(n, column=b.column))]
        sizes = (*self.plan.sizes, *sorted(self.lengths), *self._stretches())
        inputs = [replace(self.buffers[one.name], role="input") for one in reads if one.name not in tables]
        constants = tuple(table for table in self.plan.tables if any(one.name == table.buffer.name for one in reads))
        outputs = [(self.buffers[one.name],) for one in writes] + [(one,) for one in results]
        shapes = {n: tuple(self.dimensions[n, axis] for axis in range(len(b.shape))) for n, b in self.buffers.items()}
        taken = [one for one in reads if one.name not in tables]
        made = *before, *_allocating(body, [self.buffers[name] for name in written]), *after
        found = StagePiece(
            Plan(sizes, (*inputs, *given), made, tuple(outputs)),
            tuple(axes), tuple(self.derived), shapes, self.whole, tuple(taken), tuple(writes),
            tuple(b for n, b in written.items() if n not in later), takes, gives,
        )  # fmt: skip
        if self.stage.kind == FOLD:
            found = self._chained(found, chosen)
        everything = *found.plan.inputs, *(table.buffer for table in constants)
        return replace(found, plan=replace(found.plan, inputs=everything, tables=constants))

    def _later(self, chosen: list[int]) -> set[str]:
        """The names of buffers and numerics that steps outside the stage use, or that are outputs."""
        rest = [one for position, one in enumerate(self.plan.steps) if position not in chosen]
        found = {*self.plan.output_names, *self._used(rest)}
        found = found.union(*(length.names() for b in self.plan.output_buffers for length in b.shape))
        return found | {access.buffer.name for one in rest for access in reads_of(one)}

    def _stretches(self) -> list[str]:
        found = dict.fromkeys(
            name
            for one in (*self.moving.values(), *self.dimensions.values())
            if one
            for name in (one.origin, one.count)
        )
        return list(found)

    # Steps

    def _step(self, step: Step) -> Step:
        """A step in local coordinates."""
        shifts = {name: Size.of(name) + Size.of(stretch.origin) for name, stretch in self.moving.items()}

        def rule(scalar: Scalar) -> Scalar | None:
            if isinstance(scalar, Named) and scalar.name in self.lengths:
                return Index(Size.of(scalar.name), column=scalar.column, span=scalar.span)
            return None

        made = Rewriter(shifts, rule, place=self._placed).step(step)
        if isinstance(made, Nest) and self.stage.kind == LEAVES:
            return self._from_nothing(made)
        if isinstance(made, Nest | Each | Repeat):
            extents = tuple(
                Size.of(self.moving[name].count) if name in self.moving else extent
                for name, extent in zip(made.iterators, made.extents, strict=True)
            )
            return replace(made, extents=extents)
        return made

    def _from_nothing(self, nest: Nest) -> Nest:
        """A nest of folds over a stretch of their elements, each from what leaves all others as they are."""
        (value,) = nest.values
        assert isinstance(value, Reduction)
        (column,), (step,), combine = value.group.columns, value.group.steps, value.group.combine
        assert combine is not None
        nothing = ConstantScalar(identity_in(combine, column.storage), column=column)
        if isinstance(step, Operation) and isinstance(choice := step.arguments[-1], Select):
            choice = replace(choice, otherwise=nothing)
            step = replace(step, arguments=(*step.arguments[:-1], choice))
        extents = tuple(
            Size.of(self.moving[name].count) if name in self.moving else extent
            for name, extent in zip(value.group.iterators, value.group.extents, strict=True)
        )
        group = replace(value.group, extents=extents, initials=(nothing,), steps=(step,))
        return replace(nest, values=(replace(value, group=group),))

    def _placed(self, buffer: Buffer, at: tuple[Size, ...]) -> tuple[Buffer, tuple[Size, ...]]:
        if buffer.name not in self.buffers:
            return buffer, at
        stretches = [self.dimensions[buffer.name, axis] for axis in range(len(at))]
        moved = tuple(i if s is None else i - Size.of(s.origin) for i, s in zip(at, stretches, strict=True))
        local = self.buffers[buffer.name]
        return local, moved

    def _chained(self, piece: StagePiece, chosen: list[int]) -> StagePiece:
        """The plan of a fold that goes on from the state that the piece before it gives."""
        ((axis, stretch, _),) = piece.axes
        folds = [one for p in chosen if isinstance(one := self.plan.steps[p], Bind)]
        first = folds[0].value
        assert isinstance(first, Reduction)
        group = first.group
        before = [Buffer(f"state {k}", c, (), "input") for k, c in enumerate(group.columns, 1)]
        after = [Buffer(f"next state {k}", c, (), "output") for k, c in enumerate(group.columns, 1)]
        names = [f"{one.name} before" for one in before]
        steps: list[Step] = [Bind(n, Load(b, (), column=b.column)) for n, b in zip(names, before, strict=True)]
        local: dict[int, Group] = {}
        for step in piece.plan.steps:
            if isinstance(step, Bind) and isinstance(step.value, Reduction) and step.name in {f.name for f in folds}:
                made = step.value.group
                if not local:
                    extents = tuple(
                        Size.of(stretch.count) if name == axis else extent
                        for name, extent in zip(made.iterators, made.extents, strict=True)
                    )
                    states = tuple(Named(n, column=b.column) for n, b in zip(names, before, strict=True))
                    local[0] = replace(made, extents=extents, initials=states)
                continue
            steps.append(step)
        for k, buffer in enumerate(after):
            name = f"{buffer.name} of the fold"
            steps.append(Bind(name, Reduction(local[0], k, column=buffer.column)))
            steps += stored(buffer, Named(name, column=buffer.column))
        plan = piece.plan
        chained = replace(plan, inputs=(*plan.inputs, *before), steps=tuple(steps), outputs=tuple((b,) for b in after))
        given = [(f.name, f.value.position) for f in folds if isinstance(f.value, Reduction)]
        gives = tuple(next((n for n, position in given if position == k), "") for k in range(len(after)))
        join = _join(group, before[0], after[0])
        found = replace(piece, plan=chained, gives=gives, states=tuple(before), join=join)
        return replace(found, combine=group.combine or "")


def _join(group: Group, before: Buffer, after: Buffer) -> Plan | None:
    """The plan that joins what stretches of a fold gave, one after the other, as the fold itself joins its pieces."""
    if group.combine is None or len(group.states) > 1:
        return None
    column, length = before.column, Size.of(JOINED.count)
    leaves = Buffer("leaves", column, (length,), "input")
    joined, name = Named("joined", column=column), f"{before.name} before"
    step = Operation(group.combine, (joined, Load(leaves, (Size.of("leaf"),), column=column)), column=column)
    fold = Group(("leaf",), (length,), ("joined",), (column,), (Named(name, column=column),), (step,))
    steps: list[Step] = [Bind(name, Load(before, (), column=column)), Bind("all", Reduction(fold, 0, column=column))]
    steps += stored(after, Named("all", column=column))
    return Plan((JOINED.count,), (leaves, before), tuple(steps), ((after,),))


def _allocating(body: list[Step], buffers: list[Buffer]) -> Iterator[Step]:
    """Steps with the memory for buffers taken before the first one that needs it."""
    waiting = {one.name: one for one in buffers}
    for step in body:
        for access in (*writes_of(step), *reads_of(step)):
            if access.buffer.name in waiting:
                yield Allocate(waiting.pop(access.buffer.name))
        yield step
