"""Contractions of a few rows or columns: each element of the other operand is used so seldom that packing does not pay.

    c[i,j] = reduce[k](a[i,k] * b[k,j])    with 3 rows or fewer reads b as it lies, all columns abreast
    c[i,j] = reduce[k](a[i,k] * b[k,j])    with 3 columns or fewer reads a as it lies, along the fold

Whether they are few is asked before the nest, unless it is known, so that each way is a kernel of its own.
"""

from __future__ import annotations

from dataclasses import replace

from tolang.ground.conditions import compare
from tolang.ground.sizes import ONE, Size
from tolang.nests.nest import Branch, Load, Nest, Plan, Step
from tolang.nests.patterns.column_folds import lie_abreast
from tolang.nests.patterns.contraction import Dimensions, Operand, Phase, classify
from tolang.nests.rewriting import map_lists

FEWEST = 4
"""From how many rows or columns on packing pays."""


def part_few_rows(plan: Plan) -> Plan:
    """Contractions that may have few rows or columns get a way of their own for that."""
    return map_lists(plan, lambda steps: tuple(_parted(step) for step in steps))


def _parted(step: Step) -> Step:
    if not isinstance(step, Nest) or step.way:
        return step
    contraction = classify(step)
    if contraction is None or any(len(phase.depth) != 1 for phase in contraction.phases):
        return step
    phases = contraction.phases
    found: Step = step
    if all(_lie_along(p.rights, p) for p in phases):
        found = _where_few(contraction.rows, "along", step, found)
    elif all(_are_read(p.rights) for p in phases) and lie_abreast(step):
        found = _where_few(contraction.rows, "abreast", step, found)
    if all(_lie_along(p.lefts, p) for p in phases):
        found = _where_few(contraction.columns, "along", step, found)
    return found


def _where_few(dimensions: Dimensions, way: str, nest: Nest, otherwise: Step) -> Step:
    """A nest in its own way where some dimensions are short, and another step where they are not."""
    few = compare("<", _count(dimensions), Size.of(FEWEST))
    if few.constant is not None:
        return replace(nest, way=way) if few.constant else otherwise
    return Branch(few, (), (replace(nest, way=way),), (otherwise,))


def _count(dimensions: Dimensions) -> Size:
    total = ONE
    for _, extent in dimensions:
        total = total * extent
    return total


def _are_read(operands: tuple[Operand, ...]) -> bool:
    """Whether nothing is computed of what is read."""
    return all(isinstance(operand.value, Load) for operand in operands)


def _lie_along(operands: tuple[Operand, ...], phase: Phase) -> bool:
    """Whether operands are read element after element as the fold goes on."""
    ((iterator, _),) = phase.depth
    for operand in operands:
        load = operand.value
        if not isinstance(load, Load) or not load.indices or load.checks:
            return False
        split = load.indices[-1].split(iterator)
        if split is None or split[0].constant != 1 or any(iterator in i.names() for i in load.indices[:-1]):
            return False
    return bool(operands)
