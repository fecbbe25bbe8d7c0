"""Choices that data tell while a program runs in pieces: once one is known, its steps take the place of the choice.

So a table of keys is made, or a sort, in pieces like all else.  It is so for choices by numbers that lengths inside of
them are made of: nothing of these is planned before the numbers are told, and then the choice is known, too.  What is
chosen follows from what is known alone: who performs a task finds the plan it is a piece of by the sizes that it gets.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping

from tolang.engines.dask.stages import lengths_of
from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.sizes import Size
from tolang.plan.nest import Allocate, Branch, Buffer, Load, Nest, Plan, Step
from tolang.plan.regions import reads_of
from tolang.plan.rewriting import Rewriter
from tolang.plan.traversal import read_buffers
from tolang.rewrite.copies import merge_outer_copies
from tolang.rewrite.ranks import rank_by_table
from tolang.rewrite.search_tables import search_by_table

MOST_DOUBLINGS = 48
"""How often a number that a choice asks for may double: more often than memory has room for."""
FEWEST = 2
"""How many steps read an input at the least for it to be unpacked before."""
Choices = tuple[bool | None, ...]
"""For every choice of a plan, in the order in which they are met: whether its first side is taken; None if unknown."""


def with_choices(lowered: Plan, packed: Container[str] = ()) -> Plan:
    """A lowered plan with the choices that it is cut with; what is computed to be copied is where the copy would be.

    Inputs that are `packed`, so that reading them takes its time, are unpacked once where several steps read them, or
    where each piece of one would read all of them.
    """
    return _unpacked_once(search_by_table(rank_by_table(merge_outer_copies(lowered))), packed)


def _unpacked_once(plan: Plan, packed: Container[str]) -> Plan:
    steps = list(plan.steps)
    for source in plan.inputs:
        readers = [position for position, step in enumerate(steps) if source.name in read_buffers(step)]
        once = len(readers) < FEWEST and not any(
            _reads_at_computed_places(steps[position], source) for position in readers
        )
        if source.name not in packed or once:
            continue
        head, _, component = source.name.rpartition(".")
        copy = replace(source, name=f"{head} unpacked_1.{component}", role="scratch")
        at = tuple(f"{copy.name} {axis}" for axis in range(len(copy.shape)))
        indices, first = tuple(map(Size.of, at)), readers[0]
        filled = Nest(at, copy.shape, ((copy, indices),), (Load(source, indices, column=copy.column),), "unpacked")
        later = Rewriter(buffers={source.name: copy})
        steps[first:] = [Allocate(copy), filled, *(later.step(step) for step in steps[first:])]
    return replace(plan, steps=tuple(steps))


def _reads_at_computed_places(step: Step, source: Buffer) -> bool:
    """Whether a step reads an input at places that it computes, of data or else: not at its own coordinates."""
    for access in reads_of(step):
        around = {name for name, _ in access.loops} | {n for length in source.shape for n in length.names()}
        if access.buffer.name == source.name and any(index.names() - around for index in access.indices):
            return True
    return False


def choices_in(plan: Plan, known: Mapping[str, int]) -> Choices:
    """What is known of a plan's choices."""
    return tuple(_choices(plan, plan.steps, known))


def _choices(plan: Plan, steps: tuple[Step, ...], known: Mapping[str, int]) -> Iterator[bool | None]:
    for step in steps:
        if isinstance(step, Branch):
            taken = _taken(plan, step, known)
            yield taken
            if taken is not None:
                yield from _choices(plan, step.then if taken else step.otherwise, known)


def _taken(plan: Plan, step: Branch, known: Mapping[str, int]) -> bool | None:
    asked = frozenset[str]() if step.guard is None else step.guard.names().difference(plan.sizes)
    if step.guard is None or not asked or not asked <= lengths_of(step) or not asked <= known.keys():
        return None
    return bool(step.guard.evaluate(known))


def chosen(plan: Plan, choices: Choices) -> Plan:
    """A plan with the steps of all choices that are known."""
    return replace(plan, steps=tuple(_chosen(plan.steps, iter(choices))))


def _chosen(steps: tuple[Step, ...], choices: Iterator[bool | None]) -> Iterator[Step]:
    for step in steps:
        taken = next(choices) if isinstance(step, Branch) else None
        if isinstance(step, Branch) and taken is not None:
            yield from _chosen(step.then if taken else step.otherwise, choices)
        else:
            yield step


def both_sides(plan: Plan, until: int, known: Mapping[str, int]) -> Iterator[dict[str, int]]:
    """What would be known on each side of the choice at a position, the one that it waits for: the most on its first.

    Nothing where there is no choice, or where it asks for more than one number.
    """
    step = plan.steps[until] if until < len(plan.steps) else None
    if not isinstance(step, Branch) or step.guard is None:
        return
    asked = step.guard.names() - known.keys()
    if len(asked) != 1:
        return
    found = [{**known, name: 1 << k} for name in asked for k in range(MOST_DOUBLINGS)]
    yield from [one for one in found if step.guard.evaluate(one)][-1:]
    yield from [one for one in found if not step.guard.evaluate(one)][:1]
