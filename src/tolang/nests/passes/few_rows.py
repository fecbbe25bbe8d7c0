"""Contractions of a few rows: where each element of the right is used so seldom that packing it does not pay.

    c[i,j] = reduce[k](a[i,k] * b[k,j])    with 3 rows or fewer reads b as it lies, all columns abreast

Whether rows are few is asked before the nest, unless it is known, so that each way is a kernel of its own.
"""

from __future__ import annotations

from dataclasses import replace

from tolang.ground.conditions import compare
from tolang.ground.sizes import ONE, Size
from tolang.nests.contractions import Contraction, classify
from tolang.nests.neighbours import lie_abreast
from tolang.nests.nest import Branch, Load, Nest, Plan, Step
from tolang.nests.rewriting import map_lists

FEWEST = 4
"""From how many rows on packing pays."""


def part_few_rows(plan: Plan) -> Plan:
    """Contractions that may have few rows get a way of their own for that."""
    return map_lists(plan, lambda steps: tuple(_parted(step) for step in steps))


def _parted(step: Step) -> Step:
    if not isinstance(step, Nest) or step.direct:
        return step
    contraction = classify(step)
    if contraction is None or not _reads_plainly(contraction) or not lie_abreast(step):
        return step
    rows = ONE
    for _, extent in contraction.rows:
        rows = rows * extent
    few = compare("<", rows, Size.of(FEWEST))
    direct = replace(step, direct=True)
    if few.constant is not None:
        return direct if few.constant else step
    return Branch(few, (), (direct,), (step,))


def _reads_plainly(contraction: Contraction) -> bool:
    """Whether the right is read element by element over one dimension, with nothing computed."""
    return all(
        len(phase.depth) == 1 and all(isinstance(operand.value, Load) for operand in phase.rights)
        for phase in contraction.phases
    )
