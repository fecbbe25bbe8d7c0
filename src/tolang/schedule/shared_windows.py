"""Copies of windows that several contractions read are made once.

    if A:  e = windows of x;  y = contraction of e         e = windows of x, if A or B
    …                                               becomes   if A:  y = contraction of e
    if B:  f = windows of x;  d = contraction of f         if B:  d = contraction of e

as of a convolution and its gradient by its weights.  What a copy holds is told by its elements alone, wherever axes of
one coordinate are.  It is kept from the first of these steps to the last.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.symbolic.conditions import Condition, junction, negation
from tolang.ground.symbolic.sizes import ONE, Size
from tolang.plan.nest import Allocate, Branch, Buffer, Free, Nest, Step
from tolang.plan.printer import signature
from tolang.plan.rewriting import Indices, Rewriter
from tolang.plan.traversal import bound_names, buffers_in, read_buffers, written_buffers

ALWAYS = Condition("true")


@dataclass(frozen=True, slots=True)
class WindowCopy:
    """What a buffer of windows holds: the same text where it is the same, and the buffers that it is copied from."""

    holds: str
    sources: frozenset[str]


def copy_of(nest: Nest) -> WindowCopy:
    """What a nest copies, whose target has one of its iterators, or of those around it, for each axis."""
    (buffer, at), value = nest.targets[0], nest.values[0]
    long = [name for name, length in zip(at, buffer.shape, strict=True) if not length.is_constant(1)]
    places = {str(name): ONE for name in at} | {str(name): Size.of(f"axis {k}") for k, name in enumerate(long)}
    lengths = [str(length) for length in buffer.shape if not length.is_constant(1)]
    text = f"{lengths} of {signature(Rewriter(sizes=places).scalar(value))}"
    return WindowCopy(text, buffers_in(value))


@dataclass(frozen=True, slots=True)
class _CopyUse:
    """A copy in a list of steps: where that list is taken, its buffer, what fills it, and where it is given back."""

    where: Condition
    buffer: Buffer
    filling: tuple[Step, ...]
    end: int


def share_windows(steps: tuple[Step, ...], copies: dict[str, WindowCopy]) -> tuple[Step, ...]:
    """A list of steps in which copies of some buffers that hold the same are made once."""
    alike: defaultdict[WindowCopy, set[str]] = defaultdict(set)
    for name, copy in copies.items():
        alike[copy].add(name)
    for copy, names in alike.items():
        if len(names) > 1:
            steps = _shared(steps, copy, names)
    return steps


def _shared(steps: tuple[Step, ...], copy: WindowCopy, names: set[str]) -> tuple[Step, ...]:
    """The same of buffers that hold a copy, some of which are used one after the other."""
    placed = [
        (position, position if isinstance(step, Branch) else use.end, use)
        for position, step in enumerate(steps)
        for use in _uses(steps, position, ALWAYS, names)
    ]
    uses = [use for _, _, use in placed]
    first, last = min((one for one, _, _ in placed), default=0), max((one for _, one, _ in placed), default=0)
    if len({one for one, _, _ in placed}) < 2 or not _may_be_made_before(steps[first : last + 1], copy, uses):
        return steps
    buffer = replace(uses[0].buffer, beyond=max(use.buffer.beyond for use in uses))
    own = {use.buffer.name for use in uses}
    inside = _without(steps[first : last + 1], own, _reading(buffer, own))
    return (*steps[:first], Allocate(buffer), *_filled(buffer, uses), *inside, Free(buffer), *steps[last + 1 :])


def _may_be_made_before(steps: tuple[Step, ...], copy: WindowCopy, uses: list[_CopyUse]) -> bool:
    """Whether steps change nothing that is copied, and name nothing that tells whether a copy is used."""
    asked = frozenset[str]().union(*(use.where.names() for use in uses))
    return all(copy.sources.isdisjoint(written_buffers(step)) and asked.isdisjoint(bound_names(step)) for step in steps)


def _uses(steps: tuple[Step, ...], position: int, where: Condition, names: set[str]) -> Iterator[_CopyUse]:
    """The use of a buffer that begins at a step, or those inside it, if it is a branch by sizes."""
    match steps[position]:
        case Branch(guard=Condition() as guard, then=then, otherwise=otherwise):
            for side, holds in ((then, guard), (otherwise, negation(guard))):
                for inner in range(len(side)):
                    yield from _uses(side, inner, junction("and", [where, holds]), names)
        case Allocate(buffer=buffer) if buffer.name in names:
            end = next(k for k, one in enumerate(steps) if isinstance(one, Free) and one.buffer.name == buffer.name)
            yield _CopyUse(where, buffer, _filling(steps[position + 1 :], buffer), end)


def _filling(steps: tuple[Step, ...], buffer: Buffer) -> tuple[Step, ...]:
    """The steps that fill a buffer, the first ones, with names for the ends of what they write."""
    count = next((k for k, step in enumerate(steps) if buffer.name in read_buffers(step)), len(steps))
    writers = [k for k, step in enumerate(steps[:count]) if buffer.name in written_buffers(step)]
    return steps[: writers[-1] + 1]


def _filled(buffer: Buffer, uses: list[_CopyUse]) -> list[Step]:
    """What fills the buffer of a first use where any of them is there."""
    rewriter = Rewriter(buffers={buffer.name: buffer})
    steps = tuple(rewriter.step(step) for step in uses[0].filling)
    needed = junction("or", [use.where for use in uses])
    return list(steps) if needed.constant else [Branch(needed, (), steps, ())]


def _reading(buffer: Buffer, names: set[str]) -> Rewriter:
    """Has steps read a buffer in place of some that hold the same."""

    def at(own: Buffer, indices: Indices) -> Indices:
        long = iter([index for index, length in zip(indices, own.shape, strict=True) if not length.is_constant(1)])
        return tuple(ONE if length.is_constant(1) else next(long) for length in buffer.shape)

    return Rewriter(place=lambda own, indices: (buffer, at(own, indices)) if own.name in names else (own, indices))


def _without(steps: tuple[Step, ...], names: set[str], rewriter: Rewriter) -> tuple[Step, ...]:
    """Steps that make no copies of their own, and read as a rewriter says."""
    made, skipped = list[Step](), 0
    for position, step in enumerate(steps):
        match step:
            case _ if skipped:
                skipped -= 1
            case Allocate(buffer=buffer) if buffer.name in names:
                skipped = len(_filling(steps[position + 1 :], buffer))
            case Free(buffer=buffer) if buffer.name in names:
                continue
            case Branch(guard=Condition(), then=then, otherwise=otherwise):
                sides = _without(then, names, rewriter), _without(otherwise, names, rewriter)
                made.append(replace(step, then=sides[0], otherwise=sides[1]))
            case _:
                made.append(rewriter.step(step))
    return tuple(made)
