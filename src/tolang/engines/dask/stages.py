"""Stages: a lowered program in stretches that run one after the other, each of them cut into pieces or whole.

A stage is some steps of the plan, the last of them its lead.  It is cut along coordinates of the lead that every write
has in one dimension of its own; steps before the lead whose results nobody else reads belong to its stage, and a piece
computes of them what it needs.  A fold to numerics is cut along its first dimension.  A repetition that is driven turn
by turn is a stage of stages (see `repetitions`).  What else there is runs whole, and the stage says why.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import groupby

from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.functions import identity_in
from tolang.ground.values.spaces import is_narrow
from tolang.idioms.column_folds import folds_of, names_around
from tolang.idioms.segment_reduce import labels_of
from tolang.plan.nest import (
    Allocate,
    Assign,
    Bind,
    Buffer,
    ConstantScalar,
    Each,
    Free,
    Group,
    Index,
    Load,
    Named,
    Nest,
    Operation,
    Plan,
    Reduction,
    RequireStep,
    Scalar,
    Step,
    Where,
)
from tolang.plan.regions import reads_of, writes_of
from tolang.plan.rewriting import Rewriter
from tolang.plan.traversal import (
    allocated,
    dependencies,
    has_fold,
    nodes_inside,
    scalars_in,
    scalars_of,
    used_names,
    walk,
)
from tolang.rewrite.copies import merge_outer_copies

MAP, FOLD, REPEAT, CHAIN, WHOLE, LEAVES = "map", "fold", "repeat", "chain", "whole", "leaves"
FIRST, RESULTS, SCANNED = "first", "results of blocks", "scanned"
RUNS, SAMPLED, MERGED = "runs", "sampled", "merged"
COUNTED, APPENDED = "counted", "appended"
PLACES, TAKEN, SCATTERED, GROUPED = "places", "taken", "scattered", "grouped"
COUNTS, FOUND = "counts of portions", "found"
Within = tuple[int, ...]
LIGHT = (Allocate, Free, RequireStep)
"""Steps that compute nothing."""


@dataclass(frozen=True, slots=True)
class PlanStage:
    """Steps by their positions in a plan, the lead last, and the coordinates along which they may be cut.

    `reason` tells why a stage runs whole; what the plan demands before the position `until`, each piece does.  A stage
    of a turn is `within` the repetitions at these positions, from the outermost on; one of a stretch within the
    complement of the position.  It may be one of several `turns` of the innermost together, or of several levels.
    """

    kind: str
    steps: tuple[int, ...]
    axes: tuple[str, ...] = ()
    reason: str = ""
    until: int = 0
    within: Within = ()
    turns: int = 1
    level: int = 0

    @property
    def lead(self) -> int:
        return self.steps[-1]


def separated(plan: Plan) -> Plan:
    """The plan with folds to numerics, and those by label, under names of their own: what follows is another step.

    What is computed only to be copied is computed where the copy would be, so that no stage does nothing else.  Every
    buffer is written by some step.
    """
    made: list[Step] = []
    plan = merge_outer_copies(plan)
    written = {access.buffer.name for step in plan.steps for access in writes_of(step)}
    for step in plan.steps:
        if isinstance(step, Allocate) and step.buffer.name not in written:
            made += [step, _of_no_elements(step.buffer)]
            continue
        if isinstance(step, Nest) and (group := folded_by_label(step)) is not None:
            made += _sums_apart(step, group)
            continue
        plain = isinstance(step, Bind) and not step.mutable
        if (plain or (isinstance(step, Nest) and not step.iterators)) and any(map(has_fold, scalars_of(step))):
            made += _separated(step)
        else:
            made.append(step)
    return replace(plan, steps=tuple(made))


def _of_no_elements(buffer: Buffer) -> Nest:
    """What gives a buffer that no step writes to: it has no elements, and later steps may read it all the same."""
    names = tuple(f"{buffer.name} {axis}" for axis in range(len(buffer.shape)))
    nothing = ConstantScalar(False if buffer.column.storage == "bool" else 0, column=buffer.column)
    return Nest(names, buffer.shape, ((buffer, tuple(map(Size.of, names))),), (nothing,), buffer.name)


def _separated(step: Step) -> Iterator[Step]:
    """A step after the folds in it; one that is a component of a fold itself stays as it is."""
    if isinstance(step, Bind) and isinstance(step.value, Reduction):
        yield step
        return
    found: dict[tuple[int, int], Bind] = {}

    def rule(scalar: Scalar) -> Scalar | None:
        if not isinstance(scalar, Reduction):
            return None
        key = id(scalar.group), scalar.position
        if key not in found:
            found[key] = Bind(f"fold {len(found) + 1} of {_name(step)}", scalar)
        return Named(found[key].name, column=scalar.column, span=scalar.span)

    made = Rewriter(rule=rule).step(step) if not _binds_names(step) else step
    yield from found.values()
    yield made


def folded_by_label(nest: Nest) -> Group | None:
    """The fold of a nest that takes of all elements those with a label, or counts them, from nothing; None without."""
    if not nest.iterators or len(folds := folds_of(nest)) != 1:
        return None
    (group,) = folds
    if group.combine is None or len(group.states) != 1 or not isinstance(initial := group.initials[0], ConstantScalar):
        return None
    if initial.value != identity_in(group.combine, group.columns[0].storage):
        return None
    return group if labels_of(nest) is not None or _counts_labels(nest, group) else None


def _counts_labels(nest: Nest, group: Group) -> bool:
    """Whether a fold counts elements with the label that is a coordinate of the nest."""
    lengths = {name for extent in (*nest.extents, *group.extents) for name in extent.names()}
    if lengths & {*nest.iterators, *group.iterators} or group.columns[0].storage != "i64":
        return False
    match group.steps[0]:
        case Operation(
            function="add", arguments=(Named(), Operation(function="eq", arguments=(label, Index(size=at))))
        ):
            around = {*nest.iterators, *group.states, *names_around(nest)}
            plain = not any(isinstance(one, Reduction) for one in walk(label))
            return plain and at.name in nest.iterators and not dependencies(label) & around
    return False


def _sums_apart(nest: Nest, group: Group) -> Iterator[Step]:
    """A nest after the sums by label in it, which are another one."""
    if isinstance(nest.values[0], Reduction) and len(nest.values) == 1:
        yield nest
        return
    (column,), at = group.columns, tuple(map(Size.of, nest.iterators))
    head, _, _ = nest.targets[0][0].name.rpartition(".")
    sums = Buffer(f"{head} by label.1", column, nest.extents)

    def rule(scalar: Scalar) -> Scalar | None:
        return Load(sums, at, column=column, span=scalar.span) if isinstance(scalar, Reduction) else None

    yield Allocate(sums)
    yield Nest(nest.iterators, nest.extents, ((sums, at),), (Reduction(group, 0, column=column),), nest.origin)
    yield Rewriter(rule=rule).step(nest)


def _binds_names(step: Step) -> bool:
    """Whether a fold of a step may use names that are bound around it, inside the step."""
    return any(isinstance(one, Where) for scalar in scalars_of(step) for one in scalars_in(scalar))


def _name(step: Step) -> str:
    return step.name if isinstance(step, Bind) else step.targets[0][0].name if isinstance(step, Nest) else ""


@dataclass(frozen=True, slots=True)
class _Unit:
    """Steps that nothing takes apart."""

    steps: tuple[int, ...]
    kind: str
    axes: tuple[str, ...] = ()
    reason: str = ""


class Units:
    """The steps of a plan that compute, in units, and which unit needs which other."""

    def __init__(
        self,
        plan: Plan,
        strict: bool,
        undriven: Mapping[int, str] | None = None,
        span: range | None = None,
        spans: Mapping[int, tuple[int, ...]] | None = None,
    ) -> None:
        """The units of a plan; of repetitions, `undriven` tells why their turns are not driven, nothing if they are.

        Where there is a `span`, they are those of these positions alone.  Some steps, from a position on that is in
        `spans`, are one unit that is driven.
        """
        self.plan, self.strict, self.undriven, self.spans = plan, strict, undriven or {}, spans or {}
        self.span = range(len(plan.steps)) if span is None else span
        self.driven = frozenset(position for position, reason in self.undriven.items() if not reason)
        self.light = frozenset(light_binds(plan))
        self.units = tuple(self._together(self._units()))
        self.outputs = set(plan.output_names)
        self.writers: dict[str, list[int]] = {}
        for k, unit in enumerate(self.units):
            for name in self._written(unit):
                self.writers.setdefault(name, []).append(k)
        self.readers: dict[str, set[int]] = {}
        for k, unit in enumerate(self.units):
            for position in unit.steps:
                for access in reads_of(plan.steps[position]):
                    self.readers.setdefault(access.buffer.name, set()).add(k)
        for position in {*range(len(plan.steps))} - {*self.span}:
            self.outputs |= {access.buffer.name for access in reads_of(plan.steps[position])}
        for position in self.light:
            for access in reads_of(plan.steps[position]):
                self.outputs.add(access.buffer.name)

    def _written(self, unit: _Unit) -> set[str]:
        return {access.buffer.name for position in unit.steps for access in writes_of(self.plan.steps[position])}

    def change_between(self, one: int, other: int) -> bool:
        """Whether units between two change what the first of these reads, or writes."""
        return any(
            one < k < other
            for name, readers in self.readers.items()
            if one in readers or one in self.writers.get(name, ())
            for k in self.writers.get(name, ())
        )

    def _units(self) -> Iterator[_Unit]:
        """Steps one by one; those that write to one buffer, or change one name, together with all between them."""
        ends: dict[int, int] = {}
        for positions in _bound_together(self.plan, self.driven):
            ends[positions[0]] = max(ends.get(positions[0], 0), positions[-1])
        place, steps = self.span.start, self.plan.steps
        while place < self.span.stop:
            if place in self.spans:
                yield _Unit(self.spans[place], REPEAT)
                place = self.spans[place][-1] + 1
                continue
            end = at = place
            while at <= end:
                end = max(end, ends.get(at, at))
                at += 1
            inside = tuple(p for p in range(place, end + 1) if p not in self.light and not isinstance(steps[p], LIGHT))
            if len(inside) == 1:
                yield self._single(inside[0])
            elif inside:
                kept = tuple(range(place, end + 1))
                reasons = [self.undriven.get(position, "") for position in inside]
                yield _Unit(kept, WHOLE, reason=max(reasons, key=len) or "several steps change the same state")
            place = end + 1

    def _together(self, units: Iterator[_Unit]) -> Iterator[_Unit]:
        """Units, those that are components of one fold as one."""
        for key, same in groupby(units, lambda unit: self._fold_of(unit) or unit):
            members = list(same)
            steps = tuple(position for one in members for position in one.steps)
            yield members[0] if isinstance(key, _Unit) else replace(members[0], steps=steps)

    def _fold_of(self, unit: _Unit) -> int | None:
        step = self.plan.steps[unit.steps[0]]
        return id(step.value.group) if isinstance(step, Bind) and isinstance(step.value, Reduction) else None

    def _single(self, position: int) -> _Unit:
        step = self.plan.steps[position]
        if position in self.driven:
            return _Unit((position,), REPEAT)
        match step:
            case Nest(iterators=iterators) | Each(iterators=iterators) if iterators:
                axes = tuple(one for one in iterators if is_kept_apart(step, one))
                if axes:
                    return _Unit((position,), MAP, axes)
                return _Unit((position,), WHOLE, reason="no coordinate of it writes in a dimension of its own")
            case Nest():
                return _Unit((position,), WHOLE, reason="it has no coordinates")
            case Bind(value=Reduction(group=group)):
                axis = cut_dimension(group, self.strict)
                reason = _unchainable(group, axis)
                axes = () if reason else (axis,)
                return _Unit((position,), WHOLE if reason else FOLD, axes, reason)
        reason = self.undriven.get(position) or _REASONS.get(type(step).__name__, "it gives a numeric")
        return _Unit((position,), WHOLE, reason=reason)


_REASONS = {
    "Repeat": "its steps go on from the state of those before",
    "Branch": "data choose between its steps",
    "Each": "no coordinate of it writes in a dimension of its own",
}


def light_binds(plan: Plan) -> Iterator[int]:
    """The steps that name a numeric which costs next to nothing, so that every piece may compute it."""
    assigned = {one.name for step in plan.steps for one in nodes_inside(step) if isinstance(one, Assign)}
    inputs = {one.name for one in plan.inputs}
    for position, step in enumerate(plan.steps):
        if not isinstance(step, Bind) or step.mutable or step.name in assigned or has_fold(step.value):
            continue
        if all(access.buffer.name in inputs for access in reads_of(step)):
            yield position


def _bound_together(plan: Plan, driven: Container[int]) -> Iterator[list[int]]:
    """The positions of steps that write to one buffer, or that name and change one numeric, unless turns are driven."""
    found: dict[str, list[int]] = {}
    for position, step in enumerate(plan.steps):
        if position in driven:
            continue
        names = {access.buffer.name for access in writes_of(step)}
        names |= {f"the name {one.name}" for one in nodes_inside(step) if isinstance(one, Assign)}
        if isinstance(step, Bind) and step.mutable:
            names.add(f"the name {step.name}")
        for name in names:
            found.setdefault(name, []).append(position)
    return (positions for positions in found.values() if len(positions) > 1)


def known_until(plan: Plan, known: Container[str], since: int, spans: Sequence[range] = ()) -> int:
    """The first position from one on whose lengths only the steps before it tell; the end where there is none.

    Of steps in `spans`, which are one stage each, those among them tell nothing that is waited for.
    """
    told = {one.name for one in plan.steps if isinstance(one, Bind) and one.name not in known}
    own = {p: _bound_in(plan, span) for span in spans if span.start >= since for p in span}
    for position in range(since, len(plan.steps)):
        if told & lengths_of(plan.steps[position]) - own.get(position, frozenset()):
            around = [one for one in _bound_together(plan, ()) if one[0] < position <= one[-1]]
            return min((one[0] for one in around), default=position)
    return len(plan.steps)


def _bound_in(plan: Plan, span: range) -> frozenset[str]:
    return frozenset(one.name for p in span if isinstance(one := plan.steps[p], Bind))


def lengths_told(plan: Plan, since: int) -> frozenset[str]:
    """The names of numerics that lengths from a position on are made of."""
    names = {one.name for one in plan.steps if isinstance(one, Bind)}
    return frozenset(names).intersection(*[set[str]().union(*map(lengths_of, plan.steps[since:]))])


def lengths_known_at(plan: Plan, until: int) -> frozenset[str]:
    """Those of the numerics that lengths from a position on are made of which no step from there on has to tell."""
    light, later = frozenset(light_binds(plan)), set[str]()
    for position, step in enumerate(plan.steps):
        is_told = position >= until and position not in light
        if isinstance(step, Bind) and (is_told or used_names(step) & later):
            later.add(step.name)
    return lengths_told(plan, until) - later


def lengths_of(step: Step) -> set[str]:
    """The names in the lengths of a step: of its loops, and of buffers that it makes, reads or writes."""
    found: set[str] = set()
    for one in (step, *nodes_inside(step)):
        lengths = one.buffer.shape if isinstance(one, Allocate) else getattr(one, "extents", ())
        found = found.union(*(length.names() for length in lengths))
    shapes = (access.buffer.shape for access in (*reads_of(step), *writes_of(step)))
    return found.union(*(length.names() for shape in shapes for length in shape))


def is_kept_apart(step: Nest | Each, iterator: str) -> bool:
    """Whether all that a step writes at a coordinate is at that coordinate of one dimension, and nothing else is."""
    own, extents = Size.of(iterator), dict(zip(step.iterators, step.extents, strict=True))
    dimensions: dict[str, int] = {}
    lengths = (*extents.values(), *(length for buffer in allocated(step) for length in buffer.shape))
    if any(iterator in length.names() for length in lengths):
        return False
    written = {access.buffer.name for access in writes_of(step)}
    if any(access.buffer.name in written for access in reads_of(step)):
        return False
    for access in writes_of(step):
        at = [axis for axis, index in enumerate(access.indices) if iterator in index.names()]
        if len(at) != 1 or access.indices[at[0]] != own or access.buffer.shape[at[0]] != extents[iterator]:
            return False
        if dimensions.setdefault(access.buffer.name, at[0]) != at[0]:
            return False
    return bool(dimensions)


def copied(step: Step) -> tuple[Buffer, Buffer] | None:
    """The buffer that a nest copies, and its copy; None where it does more."""
    match step:
        case Nest(targets=((goal, at),), values=(Load(buffer=source, indices=place, checks=()),)):
            whole = at == place == tuple(map(Size.of, step.iterators)) and source.shape == goal.shape == step.extents
            return (source, goal) if whole and source.column == goal.column else None
    return None


def cut_dimension(group: Group, strict: bool) -> str:
    """The outermost dimension of a fold: the first as memory runs, the last where its order counts."""
    return group.iterators[0] if group.combine is not None and not strict else group.iterators[-1]


def _unchainable(group: Group, axis: str) -> str:
    """Why a fold cannot go on from the state of the stretch before it: narrow floats are added up in wider ones."""
    if any(is_narrow(column.storage) for column in group.columns):
        return "it adds up narrow floats"
    if any(axis in extent.names() for extent in group.extents):
        return "its lengths differ"
    if not any(isinstance(one, Load) for step in group.steps for one in scalars_in(step)):
        return "it reads nothing"
    return ""


def fused(units: Units, worth: Mapping[int, frozenset[int]] | None = None) -> list[PlanStage]:
    """The stages of a plan; `worth` tells for leads which earlier units are computed in their pieces, none if not told.

    Both leads and units are positions among the units.
    """
    inner = worth or {}
    gone = {one for members in inner.values() for one in members}
    found = []
    for k, unit in enumerate(units.units):
        if k not in gone:
            members = sorted((*inner.get(k, ()), k))
            steps = tuple(position for one in members for position in units.units[one].steps)
            found.append(PlanStage(unit.kind, steps, unit.axes, unit.reason, steps[-1] + 1))
    if found and found[-1].kind != FOLD:  # what is demanded of a fold is asked for after it
        found[-1] = replace(found[-1], until=units.span.stop)
    return found


def in_one(span: range, reason: str) -> list[PlanStage]:
    """Steps of a plan as one stage, which runs whole."""
    return [PlanStage(WHOLE, tuple(span), (), reason, span.stop)]


def _begins_with(units: Units, unit: _Unit) -> set[str]:
    """The buffers that the fold of a unit reads before its first element."""
    folds = (one for p in unit.steps if isinstance(one := units.plan.steps[p], Bind))
    initials = (begin for one in folds if isinstance(one.value, Reduction) for begin in one.value.group.initials)
    return {access.buffer.name for begin in initials for access in reads_of(Bind("begins", begin))}


def candidates(units: Units, lead: int, members: frozenset[int]) -> Iterator[int]:
    """Units that could be computed in the pieces of a stage, nearest first.

    Those are what only its members read, and what the lead alone of them reads, but others later as well, if each
    element is that of a coordinate of the lead: it is computed once then, and given.  What a fold begins with is read
    apart from its pieces.
    """
    begins = _begins_with(units, units.units[lead])
    for k in reversed(range(lead)):
        unit = units.units[k]
        names = {name for name, writers in units.writers.items() if k in writers}
        if unit.kind != MAP or k in members or not names or names & begins:
            continue
        readers = set[int]().union(*(units.readers.get(name, set()) for name in names))
        own = readers & {*members, lead}
        if not own or units.change_between(k, lead):
            continue
        alone = readers == own and not names & units.outputs
        if alone or (own == {lead} and min(readers) == lead and _beside(units, k, lead)):
            yield k


def _beside(units: Units, one: int, other: int) -> bool:
    """Whether a nest reads, of what another one writes, at each coordinate what is written there."""
    (first, *more), (second, *others) = (tuple(units.plan.steps[p] for p in units.units[k].steps) for k in (one, other))
    if more or others or not isinstance(first, Nest) or not isinstance(second, Nest):
        return False
    at, there = (tuple(map(Size.of, nest.iterators)) for nest in (first, second))
    written = {buffer.name for buffer, place in first.targets if place == at}
    reads = [access for access in reads_of(second) if access.buffer.name in {b.name for b, _ in first.targets}]
    return first.extents == second.extents and all(a.indices == there and a.buffer.name in written for a in reads)
