"""Searches: how many of the keys that a sort has left in order come before an item, a portion of the keys at a time.

    y[i] = f(how many of v are less than x[i])      becomes      found[i] = found[i] + how many of a portion are less,
                                                                 for one portion of v after the other, then
                                                                 y[i] = f(found[i])

So neither items nor keys have to fit into memory.  Only of keys in order is the sum over portions what a search finds.
What is searched for may be what others found, or search among other keys: such searches follow these, level by level.
"""

from __future__ import annotations

from collections.abc import Mapping

from tolang.engines.dask.gathers import Bound, closed
from tolang.engines.dask.pieces import DimensionSlice, StagePiece, piece_of
from tolang.engines.dask.stages import MAP, PlanStage
from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.symbolic.sizes import Size
from tolang.idioms.ordered_keys import OrderedKeys, Sought, bound_in, ordered_keys, sought
from tolang.idioms.search import unwrapped
from tolang.plan.nest import Buffer, Load, Nest, Operation, Plan, Scalar, Where
from tolang.plan.rewriting import Rewriter
from tolang.plan.traversal import dependencies, scalars_in

KEYS = "key in order"
"""The coordinate of the keys, of which a piece has a portion."""
PORTION = DimensionSlice.of("portion")


@dataclass(frozen=True, slots=True)
class Counts:
    """Searches among the same keys that wait for none but those of levels before.

    `counting` adds to all `before` what a portion of the keys has, which gives all `after`.
    """

    keys: OrderedKeys
    counting: Nest
    before: tuple[Buffer, ...]
    after: tuple[Buffer, ...]


@dataclass(frozen=True, slots=True)
class Searched:
    """A nest as what it searches for, level by level, and what it computes of that."""

    levels: tuple[Counts, ...]
    nest: Nest


def searched(plan: Plan, position: int) -> Searched | None:
    """The nest at a position apart from its searches among keys in order; None where it has none."""
    nest, levels = plan.steps[position], list[Counts]()
    assert isinstance(nest, Nest)
    sorted_before = [one for place, one in ordered_keys(plan.steps) if place < position and one.extent.name is not None]
    while True:
        for keys in sorted_before:
            lifting = _SearchLifting(nest, keys, len(levels) + 1)
            made = replace(nest, values=tuple(lifting.scalar(one, ()) for one in nest.values))
            if lifting.counts:
                levels.append(lifting.level())
                nest = made
                break
        else:
            return Searched(tuple(levels), nest) if levels else None


class _SearchLifting:
    """The searches of a nest among keys, each replaced by what it finds."""

    def __init__(self, nest: Nest, keys: OrderedKeys, number: int) -> None:
        self.around, self.keys, self.number = nest, keys, number
        self.bound: Mapping[str, Scalar] = bound_in(nest)
        self.at = tuple(map(Size.of, nest.iterators))
        self.counts: list[tuple[Buffer, Scalar]] = []

    def level(self) -> Counts:
        """All that was lifted."""
        before = tuple(buffer for buffer, _ in self.counts)
        after = tuple(replace(one, name=f"{one.name.removesuffix('.1')} and more.1") for one in before)
        sums = (
            Operation("add", (Load(one, self.at, column=one.column), count), column=one.column)
            for one, count in self.counts
        )
        targets = tuple((one, self.at) for one in after)
        counting = replace(self.around, targets=targets, values=tuple(sums), schedule=None)
        return Counts(self.keys, counting, before, after)

    def scalar(self, scalar: Scalar, bound: Bound) -> Scalar:
        """A scalar that is always computed, names bound around it."""
        found = sought(scalar, self.bound, self.keys)
        count = None if found is None else self._count(scalar, found, bound)
        if count is not None:
            name = f"found {self.number}.{len(self.counts) + 1} of {self.around.targets[0][0].name}"
            buffer = Buffer(name, scalar.column, self.around.extents)
            self.counts.append((buffer, count))
            return Load(buffer, self.at, column=scalar.column, span=scalar.span)
        match scalar:
            case Where(bindings=bindings, value=value):
                made = list[tuple[str, Scalar]]()
                for name, one in bindings:
                    made.append((name, self.scalar(one, (*bound, *made))))
                return replace(scalar, bindings=tuple(made), value=self.scalar(value, (*bound, *made)))
            case Operation(arguments=arguments):
                return replace(scalar, arguments=tuple(self.scalar(one, bound) for one in arguments))
        return scalar

    def _count(self, scalar: Scalar, found: Sought, bound: Bound) -> Scalar | None:
        """The search among a portion of the keys: as it is, but for how many there are.

        None where its steps bind names that the item needs, or where it needs what another search finds.
        """
        _, own = unwrapped(found.search.group.steps[0])
        if dependencies(found.item) & own.keys():
            return None
        length, steps = self.keys.extent.name, found.search.group.extents[0].name
        assert length is not None
        assert steps is not None
        local = Rewriter(
            sizes={length: Size.of(PORTION.count)},
            rule=lambda one: one if one is found.item else None,
            buffers={self.keys.buffer.name: replace(self.keys.buffer, shape=(Size.of(PORTION.count),))},
        )
        inner = Where(((steps, local.scalar(self.bound[steps])),), local.scalar(scalar), column=scalar.column)
        count = closed(inner, tuple((name, one) for name, one in bound if name != steps))
        known = {buffer.name for buffer, _ in self.counts}
        waits = any(isinstance(one, Load) and one.buffer.name in known for one in scalars_in(count))
        return None if waits else count


# Pieces


def piece_of_counts(plan: Plan, stage: PlanStage) -> StagePiece:
    """What a portion of the keys adds to what was found before, for a stretch of the items."""
    found = _searched(plan, stage).levels[stage.level - 1]
    outputs = (*plan.outputs, *((one,) for one in found.after))
    piece = _piece(replace(plan, outputs=outputs), stage, found.counting)
    axes = ((KEYS, PORTION, found.keys.extent), *piece.axes)
    return replace(
        piece,
        plan=replace(piece.plan, sizes=(*piece.plan.sizes, PORTION.count)),
        shapes={**piece.shapes, found.keys.buffer.name: (PORTION,)},
        axes=axes,
        whole={**piece.whole, PORTION.count: found.keys.extent},
    )


def piece_of_found(plan: Plan, stage: PlanStage) -> StagePiece:
    """What a nest computes of what was found."""
    return _piece(plan, stage, _searched(plan, stage).nest)


def _searched(plan: Plan, stage: PlanStage) -> Searched:
    found = searched(plan, stage.lead)
    assert found is not None
    return found


def _piece(plan: Plan, stage: PlanStage, nest: Nest) -> StagePiece:
    steps = (*plan.steps[: stage.lead], nest, *plan.steps[stage.lead + 1 :])
    return piece_of(replace(plan, steps=steps), replace(stage, kind=MAP, level=0))
