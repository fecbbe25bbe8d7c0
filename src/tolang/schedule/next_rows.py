"""What the next row of a loop over rows will read and write, known while a row is computed.

    each [i <= n]
      t = reduce[j](s -> max(s, x[i,j]))
      y[i,j] = exp(x[i,j] - t)               the next row: x[i+1,j] is read, y[i+1,j] written

A row that several steps go through comes from memory in the first of them alone.  The one of the others that computes
most for an element leaves memory the most time, and is asked what it will have in the next row.  What lies where data
says is not known before.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeGuard

from tolang.ground.symbolic.sizes import ONE, Size
from tolang.ground.values.functions import functions_with
from tolang.plan.access import access_to
from tolang.plan.kinds import ELEMENTWISE, kind_of
from tolang.plan.nest import Buffer, Each, Nest, Operation, Step
from tolang.plan.traversal import has_fold, loads, occurrences
from tolang.plan.uses import allocations, buffers_read

INSTRUCTIONS = functions_with(instruction=True) | {"cast"}


class NextRow(NamedTuple):
    """A row of a buffer: where its elements lie, and whether they are written."""

    buffer: Buffer
    at: tuple[Size, ...]
    written: bool


def next_rows(each: Each) -> tuple[Nest, list[NextRow]] | None:
    """The step of a loop over rows that computes most for an element, and what it will have in the next row.

    None where it goes through no row that a step before it has had from memory.
    """
    along = [step for step in each.steps if _goes_along_a_row(step)]
    if not along or not each.iterators:
        return None
    nest = max(along, key=_chains)
    before, own = buffers_read(each.steps[: each.steps.index(nest)]), allocations(each.steps)
    rows = {row.buffer.name: row for row in _rows_of(nest, each) if row.buffer.name not in own}
    return (nest, list(rows.values())) if rows.keys() & before else None


def _goes_along_a_row(step: Step) -> TypeGuard[Nest]:
    if not isinstance(step, Nest) or len(step.iterators) != 1 or any(has_fold(value) for value in step.values):
        return False
    return kind_of(step) == ELEMENTWISE


def _chains(nest: Nest) -> int:
    """How many functions of a nest are more than an instruction."""
    functions = [one.scalar for value in nest.values for one in occurrences(value) if isinstance(one.scalar, Operation)]
    return sum(one.function not in INSTRUCTIONS for one in functions)


def _rows_of(nest: Nest, each: Each) -> Iterator[NextRow]:
    """What a nest will have of memory when it is at the next row."""
    row, known = each.iterators[-1], {*each.iterators, *nest.iterators}
    following = {row: Size.of(row) + ONE}
    read = [(load.buffer, load.indices, False) for load in loads(nest) if not load.checks]
    for buffer, at, written in (*read, *((*target, True) for target in nest.targets)):
        foretold = buffer.panels is None and all(index.names() <= known for index in at)
        if foretold and access_to(buffer, at).unit_stride(nest.iterators[0]):
            far = access_to(buffer, at).stride(row)
            if far is not None and far.constant != 0:
                yield NextRow(buffer, tuple(index.substitute(following) for index in at), written)
