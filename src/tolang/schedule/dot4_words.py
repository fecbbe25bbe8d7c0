"""Quads of numbers that lie one after the other are no copy of these: a contraction reads them as the words they are.

    p[i,q] = quad(a[i,4q-3], …, a[i,4q])        y[i,j] = reduce[q](s = 0 -> dot(s, p[i,q], r[q,j]))

    y[i,j] = reduce[q](s = 0 -> dot(s, quad(a[i,4q-3], …, a[i,4q]), r[q,j]))

A tile reads rows of such words where they lie.  Where it is not known whether four divides their length, and it does
not, they are copied as before.
"""

from __future__ import annotations

from typing import NamedTuple

from tolang.ground.symbolic.conditions import nonnegative
from tolang.ground.symbolic.sizes import Size, floor_division
from tolang.idioms.contraction import contraction_of
from tolang.idioms.dot4_words import FOUR, first_of_word, word_as_it_lies
from tolang.plan.access import fills
from tolang.plan.nest import Allocate, Branch, Buffer, Load, Nest, Operation, Plan, Scalar, Select, Step
from tolang.plan.printer import signature
from tolang.plan.rewriting import Rewriter, map_lists
from tolang.plan.schedule import OperandSource
from tolang.plan.target import Target
from tolang.plan.traversal import scalars_in
from tolang.plan.uses import buffers_written, uses_of
from tolang.schedule.tile import packed, supported, tile_of


class _Copy(NamedTuple):
    """What copies numbers to words: the buffer of these, the nest, and a word as four of the numbers."""

    buffer: Buffer
    nest: Nest
    word: Operation

    @property
    def source(self) -> Buffer:
        """Where the numbers are."""
        first = first_of_word(self.word)
        assert first is not None
        return first.buffer

    @property
    def length(self) -> Size:
        """How many numbers there are in a row."""
        return self.source.shape[-1]


def read_words(plan: Plan, target: Target) -> Plan:
    """Contractions that read words where their numbers lie, if nothing else reads the copy of these."""
    return plan if target.quads is None else map_lists(plan, lambda steps: _in_list(steps, target))


def _in_list(steps: tuple[Step, ...], target: Target) -> tuple[Step, ...]:
    for copy in filter(None, map(_copy, steps)):
        readers = [steps[position] for position in sorted(uses_of(steps).readers[copy.buffer.name])]
        changed = _reader(readers[0], copy, target) if len(readers) == 1 else None
        whole = nonnegative(floor_division(copy.length, Size.of(FOUR)) * FOUR - copy.length)
        if changed is None or whole.constant is False or _changes_between(steps, copy, readers[0]):
            continue
        own = [one for one in steps if isinstance(one, Allocate) and one.buffer.name == copy.buffer.name]
        copied = (*own, copy.nest, readers[0])
        instead = changed if whole.constant else Branch(whole, (), (changed,), copied)
        return _in_list(tuple(instead if one is readers[0] else one for one in steps if one not in copied[:-1]), target)
    return steps


def _changes_between(steps: tuple[Step, ...], copy: _Copy, reader: Step) -> bool:
    """Whether numbers change after they were copied, and before the words are read."""
    between = steps[steps.index(copy.nest) : steps.index(reader)]
    return copy.source.name in buffers_written(between)


def _copy(step: Step) -> _Copy | None:
    """What a step copies to words; in the last word of a row there may be fewer numbers, for which something stands."""
    if not isinstance(step, Nest) or len(step.targets) != 1:
        return None
    ((buffer, at),), (value,) = step.targets, step.values
    word = value.then if isinstance(value, Select) and value.guard is not None else value
    lying = word_as_it_lies(word)
    if lying is None or not fills(step, buffer, at) or lying.indices != at or lying.buffer.shape != buffer.shape:
        return None
    assert isinstance(word, Operation)
    return _Copy(buffer, step, word)


def _reader(step: Step, copy: _Copy, target: Target) -> Nest | None:
    """A contraction with words of a copy for its rows, which reads them where their numbers lie; None for others."""
    contraction = contraction_of(step) if isinstance(step, Nest) else None
    if contraction is None or not supported(contraction) or tile_of(contraction, target).left is not OperandSource.ROWS:
        return None
    lefts = [left for phase in contraction.phases for left in packed(phase)[0]]
    reads = {signature(one): one for value in contraction.nest.values for one in scalars_in(value) if _reads(one, copy)}
    if len(lefts) != 1 or list(reads) != [signature(lefts[0].value)]:
        return None
    (load,) = reads.values()
    assert isinstance(load, Load)
    names = dict(zip(copy.nest.iterators, load.indices, strict=True))
    word = Rewriter(names).scalar(copy.word)

    def rule(scalar: Scalar) -> Scalar | None:
        return word if _reads(scalar, copy) else None

    changed = Rewriter(rule=rule).step(step)
    assert isinstance(changed, Nest)
    again = contraction_of(changed)
    return changed if again is not None and tile_of(again, target).left is OperandSource.ROWS else None


def _reads(scalar: Scalar, copy: _Copy) -> bool:
    return isinstance(scalar, Load) and scalar.buffer.name == copy.buffer.name
