"""Prepacking: what contractions would pack of fixed inputs in every call lies in panels before the first.

c[i,j] = reduce[k](a[i,k] * w[k,j])        p[k,j] = w[k,j], p in panels         once
                                           c[i,j] = reduce[k](a[i,k] * p[k,j])  in every call
"""

from __future__ import annotations

from tolang.ground.dataclasses import dataclass, field, replace
from tolang.ground.symbolic.sizes import Size
from tolang.idioms.contraction import Contraction, Dimensions, contraction_of
from tolang.plan.access import filling
from tolang.plan.dispatch import with_branches
from tolang.plan.fixed import part_fixed
from tolang.plan.grain import lanes_of_a_vector
from tolang.plan.nest import (
    Allocate,
    Branch,
    Buffer,
    Draw,
    Each,
    Load,
    Nest,
    PanelLayout,
    Plan,
    Reduction,
    Repeat,
    Scalar,
    Step,
)
from tolang.plan.printer import signature
from tolang.plan.rewriting import Rewriter
from tolang.plan.schedule import LoopSchedule, OperandSource, Prepack, Role, ScheduleAxis, Tiled
from tolang.plan.target import Target
from tolang.plan.traversal import buffers_in, count_in, dependencies, walk
from tolang.plan.uses import allocations, buffers_read
from tolang.schedule.matrix_vector import lies_along, matrix_vector_of, panel_width, together
from tolang.schedule.tile import packed, shape_of


@dataclass(frozen=True, slots=True)
class Prepacked:
    """A plan that takes further inputs, and the plan that makes them of fixed inputs."""

    plan: Plan
    once: Plan | None


def prepack(plan: Plan, fixed: frozenset[str], target: Target) -> Prepacked:
    """A plan with all that follows from its fixed buffers, the panels of contractions too, made once."""
    if not fixed:
        return Prepacked(plan, None)
    parted = part_fixed(plan, fixed)
    panels = _PanelsFound(parted.fixed, target)
    changed = replace(parted.plan, steps=tuple(panels.step(one, ()) for one in parted.plan.steps))
    if not parted.once and not panels.steps:
        return Prepacked(plan, None)
    allocated = tuple(Allocate(one) for one in panels.buffers.values())
    steps = (*parted.once, *allocated, *panels.steps)
    read, wanted = buffers_read(steps), buffers_read(changed.steps)
    made = [buffer for name, buffer in allocations(steps).items() if name in wanted]
    once = Plan((), tuple(one for one in plan.inputs if one.name in read), steps, tuple((one,) for one in made))
    changed = replace(changed, inputs=(*plan.inputs, *made))
    return Prepacked(changed, once)


@dataclass(slots=True)
class _PanelsFound:
    """The panels found so far, by what they hold."""

    fixed: frozenset[str]
    target: Target
    buffers: dict[str, Buffer] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)

    def step(self, step: Step, loops: Dimensions) -> Step:
        """A step, inside some loops, whose contractions and products read panels where they can."""
        match step:
            case Nest(cases=(_, *_)):
                return self.step(with_branches(step), loops)
            case Nest():
                return self._contraction(step) or self._product(step, loops) or step
            case Each(steps=inner) | Repeat(steps=inner):
                within = (*loops, *zip(step.iterators, step.extents, strict=True))
                return replace(step, steps=tuple(self.step(one, within) for one in inner))
            case Branch(then=then, otherwise=otherwise):
                sides = (tuple(self.step(one, loops) for one in side) for side in (then, otherwise))
                return replace(step, then=next(sides), otherwise=next(sides))
        return step

    def _contraction(self, nest: Nest) -> Nest | None:
        """A contraction that reads panels; None where it is none, or would not."""
        tile = nest.schedule
        if not isinstance(tile, Tiled) or tile.fallback is not None or nest.rare:
            return None
        contraction = contraction_of(nest)
        assert contraction is not None
        shape = shape_of(contraction)
        if len(contraction.phases) > 1 or shape is None or shape.bits:
            return None
        return self._with_panels(contraction, tile)

    def _product(self, nest: Nest, loops: Dimensions) -> Nest | None:
        """A product of a vector with a matrix in panels; None where it is none, or the matrix is not fixed.

        Rows that a fold reads along are put together by chunks, so that they are still folded in the same order.
        """
        product = matrix_vector_of(nest)
        if product is None or nest.schedule is None or nest.rare or contraction_of(nest) is not None:
            return None
        matrix, group = product.matrix, product.group
        own = (*zip(product.nest.iterators, product.nest.extents, strict=True),)
        around = tuple(one for one in (*loops, *own[:-1]) if one[0] in dependencies(matrix))
        depth = (*around, *zip(group.iterators, group.extents, strict=True))
        if not self._is_fixed(matrix, (*depth, *own[-1:])):
            return None
        chunk = lanes_of_a_vector(group.columns[0].storage) if lies_along(product) else 1
        if (group.extents[-1].constant or 0) % chunk:
            return None
        width = panel_width(product, self.target) if chunk == 1 else together(self.target)
        load = self._load(matrix, depth, own[-1:], width, chunk)
        whole = signature(matrix)

        def rule(scalar: Scalar) -> Scalar | None:
            return load if isinstance(scalar, Load) and signature(scalar) == whole else None

        changed = Rewriter(rule=rule).nest(product.nest)
        panel = ScheduleAxis(product.point, Role.VECTOR if chunk == 1 else Role.UNROLL, width)
        depth_axes = (ScheduleAxis(group.iterators[-1], Role.VECTOR, chunk),) if chunk > 1 else ()
        return replace(changed, schedule=LoopSchedule((panel, *depth_axes), prepacked=True))

    def _with_panels(self, contraction: Contraction, tile: Tiled) -> Nest | None:
        (phase,) = contraction.phases
        lefts, rights = packed(phase)
        sides = [
            (o, contraction.rows, tile.rows)
            for o in lefts
            if not (tile.splat or tile.matrices or tile.left is OperandSource.PADDED_COPY)
        ]
        sides += [(o, contraction.columns, tile.columns) for o in rights]
        found = {
            signature(operand.value): self._load(operand.value, phase.depth, own, width)
            for operand, own, width in sides
            if self._is_fixed(operand.value, (*phase.depth, *own))
        }
        if not found:
            return None

        counts = {count_in(operand.value) for operand, _, _ in sides}

        def rule(scalar: Scalar) -> Scalar | None:
            return found.get(signature(scalar)) if count_in(scalar) in counts else None

        changed = Rewriter(rule=rule, only=self._reads_fixed).nest(contraction.nest)
        in_place = tile.left in (OperandSource.ROWS, OperandSource.COLUMNS)
        if not in_place or not any(signature(left.value) in found for left in lefts):
            return replace(changed, schedule=tile)
        return replace(changed, schedule=replace(tile, left=OperandSource.PACKED))

    def _reads_fixed(self, scalar: Scalar) -> bool:
        return not self.fixed.isdisjoint(buffers_in(scalar))

    def _is_fixed(self, value: Scalar, dimensions: Dimensions) -> bool:
        """Whether an operand is made of fixed buffers alone, at coordinates of dimensions of known lengths."""
        parts = walk(value)
        loads = [one for one in parts if isinstance(one, Load)]
        odd = any(isinstance(one, Draw | Reduction) for one in parts)
        known = all(extent.constant is not None for _, extent in dimensions)
        inside = dependencies(value) <= {name for name, _ in dimensions}
        return bool(loads) and known and inside and not odd and all(one.buffer.name in self.fixed for one in loads)

    def _load(self, value: Scalar, depth: Dimensions, own: Dimensions, width: int, chunk: int = 1) -> Load:
        """An operand as a read of panels, which are made once for all contractions that need the same."""
        dimensions = (*depth, *own)
        names = {name: Size.of(f"i{k}") for k, (name, _) in enumerate(dimensions)}
        neutral = Rewriter(sizes=names).scalar(value)
        key = f"{signature(neutral)} {[str(extent) for _, extent in dimensions]} {len(own)} {width} {chunk}"
        if key not in self.buffers:
            shape = tuple(extent for _, extent in dimensions)
            buffer = Buffer(
                f"panels {len(self.buffers)}_1.1", value.column, shape, panels=PanelLayout(width, len(own), chunk)
            )
            self.buffers[key] = buffer
            panels = filling(buffer, map(str, names.values()), neutral, "panels")
            self.steps.append(replace(panels, schedule=Prepack(width, chunk)))
        return Load(self.buffers[key], tuple(Size.of(name) for name, _ in dimensions), column=value.column)
