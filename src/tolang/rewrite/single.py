"""Folds and nests without dimensions of one coordinate, as those of a window of 1 x 1, or of an average of a picture.

    reduce[c <= 64, a <= 1, b <= 1](s -> s + w[o,c,a,b] * x[c,i+a-1,j+b-1])   becomes
    reduce[c <= 64](s -> s + w[o,c,1,1] * x[c,i,j])

so that whoever looks at a fold sees the dimensions that it goes along.  Nests keep theirs until all is fused, since
passes before that look for reads along all dimensions.
"""

from __future__ import annotations

from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.sizes import ONE
from tolang.idioms.contraction import without_single
from tolang.plan.nest import Group, Nest, Plan
from tolang.plan.rewriting import Rewriter, map_lists
from tolang.plan.traversal import has_fold


def leave_out_single(plan: Plan) -> Plan:
    """A fold over several dimensions goes along those alone that have more than one coordinate."""
    rewriter = Shorter()
    steps = rewriter.steps(plan.steps)
    return plan if steps is plan.steps else replace(plan, steps=steps)


def leave_out_dimensions(plan: Plan) -> Plan:
    """A nest goes along those dimensions alone that have more than one coordinate."""
    return map_lists(
        plan, lambda steps: tuple(without_single(step) if isinstance(step, Nest) else step for step in steps)
    )


class Shorter(Rewriter):
    """Makes of each fold, once for all of its components, one of fewer dimensions."""

    def __init__(self) -> None:
        super().__init__(only=has_fold)
        self._shorter: dict[int, tuple[Group, Group]] = {}

    def group(self, group: Group) -> Group:
        if id(group) not in self._shorter:
            self._shorter[id(group)] = group, self._without_single(super().group(group))
        return self._shorter[id(group)][1]

    def _without_single(self, group: Group) -> Group:
        pairs = list(zip(group.iterators, group.extents, strict=True))
        single = {name: ONE for name, extent in pairs if extent.is_constant(1)}
        if len(single) == len(pairs):
            del single[group.iterators[-1]]
        if not single:
            return group
        made, kept = Rewriter(single).group(group), [one for one in pairs if one[0] not in single]
        return replace(made, iterators=tuple(name for name, _ in kept), extents=tuple(extent for _, extent in kept))
