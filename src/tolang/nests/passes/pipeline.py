"""The passes by name, in order: each makes of a sound plan another that computes the same, and is verified."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass

from tolang.nests.nest import Nest, Plan
from tolang.nests.passes.borders import split_borders
from tolang.nests.passes.collapse import collapse
from tolang.nests.passes.copies import merge_copies
from tolang.nests.passes.counting import count_freely
from tolang.nests.passes.double_buffering import exchange_states
from tolang.nests.passes.edges import copy_edges
from tolang.nests.passes.few_rows import part_few_rows
from tolang.nests.passes.hoist import hoist
from tolang.nests.passes.inline import inline
from tolang.nests.passes.interchange import interchange
from tolang.nests.passes.lifetimes import free_early, in_place
from tolang.nests.passes.places import write_at_places
from tolang.nests.passes.prefixes import scan_prefixes
from tolang.nests.passes.reshapes import divide_loops
from tolang.nests.passes.rows import fuse_rows
from tolang.nests.passes.sorting import merge_sorts
from tolang.nests.passes.split_folds import fold_apart
from tolang.nests.passes.spread import spread
from tolang.nests.verifier import Needs, verify


@dataclass(frozen=True, slots=True)
class Pass:
    """A named rewriting of plans with its contract in one line."""

    name: str
    contract: str
    run: Callable[[Plan], Plan]


PASSES = (
    Pass("reshapes", "loops are split, or positions flat, so that no read divides where it need not", divide_loops),
    Pass("hoist", "a fold that depends on few of a nest's coordinates is computed once for each of those", hoist),
    Pass("prefixes", "folds over ever longer stretches are one scan", scan_prefixes),
    Pass("copies", "a buffer that is computed to be copied is computed where the copy would be", merge_copies),
    Pass("interchange", "folds that write side by side run side by side", interchange),
    Pass("spread", "a contraction inside a loop over rows is computed for many rows at a time", spread),
    Pass("inline", "a buffer that one step reads, each element once, becomes part of that step", inline),
    Pass("apart", "a fold whose state never mixes some few coordinates is a fold at each of them", fold_apart),
    Pass("rows", "steps that hand rows to each other run row by row, and keep rows, not whole buffers", fuse_rows),
    Pass("sorting", "a fold that sorts by insertion sorts by merging", merge_sorts),
    Pass("places", "a fold that changes its state at one coordinate writes there only", write_at_places),
    Pass("exchange", "a fold exchanges old and new state where it would copy one over the other", exchange_states),
    Pass("edges", "a window that reaches over an edge reads a copy with the edge around it", copy_edges),
    Pass("borders", "the interior of a nest has no guard, check or remainder that its border needs", split_borders),
    Pass("in place", "a map writes over a buffer of its own shape that nothing reads after it", in_place),
    Pass("collapse", "neighbouring dimensions that walk through memory as one are one loop", collapse),
    Pass("counting", "sums that count by small steps are not checked for overflow", count_freely),
    Pass("few rows", "a contraction of a few rows is told apart, since packing would not pay there", part_few_rows),
    Pass("free early", "every buffer is given back after the last step that uses it", free_early),
)


def optimise(plan: Plan) -> Plan:
    """A plan after all passes."""
    sound: dict[Nest, Needs] = {}
    verify(plan, sound)
    for one in PASSES:
        before, plan = plan, one.run(plan)
        if not _is_same(before, plan):
            verify(plan, sound)
    return plan


def _is_same(one: Plan, other: Plan) -> bool:
    """Whether a pass has left every step as it was."""
    return len(one.steps) == len(other.steps) and all(map(operator.is_, one.steps, other.steps))


def changes(plan: Plan) -> list[Pass]:
    """The passes that change something in a plan."""
    found: list[Pass] = []
    for one in PASSES:
        following = one.run(plan)
        if repr(following) != repr(plan):
            found.append(one)
        plan = following
    return found
