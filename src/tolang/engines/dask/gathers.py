"""Gathers: elements of vectors at places that data tell, for which a piece does not read all of a vector.

    y[i] = x[k[i]]      becomes      place[i] = k[i],  then  y[i] = taken[i],  where taken[i] is x[place[i]]

The places of a stretch are computed first, as any piece is; then what is at them is picked from the vector, a portion
of it after the other, and is what a piece reads.  Places that need elements at other places follow these, level by
level.  Checks of places stay where they were: what is picked for a place outside the vector is never used.
"""

from __future__ import annotations

from tolang.engines.dask.pieces import StagePiece, piece_of
from tolang.engines.dask.stages import MAP, PlanStage
from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.spaces import column
from tolang.plan.equality import alike
from tolang.plan.nest import Buffer, Index, Load, Nest, Operation, Plan, Scalar, Where
from tolang.plan.traversal import dependencies, scalars_in

Bound = tuple[tuple[str, Scalar], ...]
"""Names and their values, each of which may use those before it."""


@dataclass(frozen=True, slots=True)
class Gather:
    """Elements of a vector, those `taken`, as a vector of their own, by the places at which they are."""

    source: Buffer
    places: Buffer
    taken: Buffer


@dataclass(frozen=True, slots=True)
class GatherLevel:
    """Gathers whose places need no other gather but those of levels before: what gives the places, and they."""

    places: Nest
    gathers: tuple[Gather, ...]


@dataclass(frozen=True, slots=True)
class Gathered:
    """A nest over one coordinate in levels of gathers, then what it computes of all that was taken."""

    levels: tuple[GatherLevel, ...]
    nest: Nest


def gathered(nest: Nest) -> Gathered | None:
    """A nest whose gathers are apart from it; None where it has none that are always computed."""
    if len(nest.iterators) != 1:
        return None
    levels: list[GatherLevel] = []
    while True:
        lifting = _GatherLifting(nest, len(levels) + 1)
        made = replace(nest, values=tuple(lifting.scalar(one, ()) for one in nest.values))
        if not lifting.gathers:
            return Gathered(tuple(levels), nest) if levels else None
        levels.append(GatherLevel(lifting.nest(), tuple(lifting.gathers)))
        nest = made


def _is_gather(scalar: Scalar, bound: Bound) -> bool:
    """Whether something is an element at a place that names bound around it tell."""
    return isinstance(scalar, Load) and any(name in at.names() for at in scalar.indices for name, _ in bound)


class _GatherLifting:
    """The gathers of a nest whose places need no gather, each replaced by what is taken."""

    def __init__(self, nest: Nest, level: int) -> None:
        self.around, self.level = nest, level
        self.places: list[tuple[Buffer, Scalar]] = []
        self.gathers: list[Gather] = []

    def nest(self) -> Nest:
        """What gives the places."""
        at = (Size.of(self.around.iterators[0]),)
        targets = tuple((buffer, at) for buffer, _ in self.places)
        values = tuple(value for _, value in self.places)
        return replace(self.around, targets=targets, values=values, schedule=None)

    def scalar(self, scalar: Scalar, bound: Bound) -> Scalar:
        """A scalar that is always computed, names bound around it."""
        match scalar:
            case Where(bindings=bindings, value=value):
                made = list[tuple[str, Scalar]]()
                for name, one in bindings:
                    made.append((name, self.scalar(one, (*bound, *made))))
                return replace(scalar, bindings=tuple(made), value=self.scalar(value, (*bound, *made)))
            case Operation(arguments=arguments):
                return replace(scalar, arguments=tuple(self.scalar(one, bound) for one in arguments))
            case Load(indices=(_,)) if _is_gather(scalar, bound):
                return self._taken(scalar, bound)
        return scalar

    def _taken(self, load: Load, bound: Bound) -> Scalar:
        value = closed(Index(load.indices[0], column=column("i64")), bound)
        if any(_is_gather(one, bound) or self._is_taken(one) for one in scalars_in(value)):
            return load  # until these are taken
        places = self._places(value)
        known = (one for one in self.gathers if one.source.name == load.buffer.name and one.places is places)
        found = next(known, None)
        if found is None:
            number = f"{self.level}.{len(self.gathers) + 1}"
            taken = Buffer(f"{load.buffer.name} at {places.name} {number}", load.buffer.column, self.around.extents)
            found = Gather(load.buffer, places, taken)
            self.gathers.append(found)
        return replace(load, buffer=found.taken, indices=(Size.of(self.around.iterators[0]),))

    def _is_taken(self, scalar: Scalar) -> bool:
        return isinstance(scalar, Load) and any(one.taken.name == scalar.buffer.name for one in self.gathers)

    def _places(self, value: Scalar) -> Buffer:
        for buffer, known in self.places:
            if alike(known, value):
                return buffer
        head = self.around.targets[0][0].name
        name = f"places {self.level} of {head} {len(self.places) + 1}.1"
        made = Buffer(name, value.column, self.around.extents)
        self.places.append((made, value))
        return made


def closed(value: Scalar, bound: Bound) -> Scalar:
    """A scalar with those of the names bound around it that it needs."""
    needed, names = list[tuple[str, Scalar]](), set(dependencies(value))
    for name, one in reversed(bound):
        if name in names:
            needed.insert(0, (name, one))
            names |= dependencies(one)
    return Where(tuple(needed), value, column=value.column) if needed else value


# Pieces


def places_of(plan: Plan, stage: PlanStage) -> StagePiece:
    """The places of the gathers of a level."""
    made = _gathered(plan, stage).levels[stage.level - 1].places
    outputs = tuple((buffer,) for buffer, _ in made.targets)
    return _piece(replace(plan, outputs=(*plan.outputs, *outputs)), stage, made)


def taken_of(plan: Plan, stage: PlanStage) -> StagePiece:
    """What a nest computes of all that was taken."""
    return _piece(plan, stage, _gathered(plan, stage).nest)


def _gathered(plan: Plan, stage: PlanStage) -> Gathered:
    nest = plan.steps[stage.lead]
    assert isinstance(nest, Nest)
    found = gathered(nest)
    assert found is not None
    return found


def _piece(plan: Plan, stage: PlanStage, nest: Nest) -> StagePiece:
    steps = (*plan.steps[: stage.lead], nest, *plan.steps[stage.lead + 1 :])
    return piece_of(replace(plan, steps=steps), replace(stage, kind=MAP, level=0))
