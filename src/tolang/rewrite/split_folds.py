"""Folds that keep the coordinates of their state apart: each coordinate is folded by itself, and they run side by side.

    repeat [t]                                   each [d <= 2]
      nest [d <= 2, j]                             repeat [t]
        new[d, j] = … s[d, …] …                      nest [j]
      nest [d <= 2, j]                                 new[j] = … own[…] …
        s[d, j] = new[d, j]                          nest [j]
                                                       own[j] = new[j]

The two directions of a recurrent network are such a fold.  Threads share the coordinates out once, not in every step,
and what one coordinate reads again and again, such as weights, stays in the cache.

The cost rule: coordinates are few, and a step at one of them is enough work to be worth a thread of its own, but not so
much that all threads should share it.
"""

from __future__ import annotations

from collections.abc import Iterator

from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.sizes import ONE, Size
from tolang.idioms.contraction import without_single
from tolang.plan.nest import Allocate, Buffer, Each, Load, Nest, Plan, Reduction, Repeat, Step
from tolang.plan.rewriting import Indices, Rewriter, map_lists
from tolang.plan.traversal import loads, scalars_in, volume
from tolang.plan.uses import allocations, buffers_written

MOST_COORDINATES = 64
LEAST_WORK, MOST_WORK = 1 << 12, 1 << 21
"""How many elements a step computes or reads at one coordinate."""


def fold_apart(plan: Plan) -> Plan:
    """A fold whose state never mixes some few coordinates is a fold at each of them."""
    return map_lists(plan, lambda steps: tuple(_apart(step) for step in steps))


def _apart(step: Step) -> Step:
    if not isinstance(step, Repeat) or step.exchanges or not all(isinstance(s, Allocate | Nest) for s in step.steps):
        return step
    nests = [without_single(s) for s in step.steps if isinstance(s, Nest)]
    if not nests or not all(nest.iterators for nest in nests):
        return step
    extent = nests[0].extents[0]
    few = isinstance(extent.constant, int) and 1 < extent.constant <= MOST_COORDINATES
    if not few or any(nest.extents[0] != extent for nest in nests):
        return step
    work = sum(_work(nest) for nest in nests) // (extent.constant or 1)
    written = buffers_written(nests)
    if not LEAST_WORK <= work <= MOST_WORK or not all(_keeps_apart(nest, written, extent) for nest in nests):
        return step
    return _FoldSplit(step, nests).each()


def _work(nest: Nest) -> int:
    """How many elements a nest computes, those that its folds read among them; 0 where that is not known."""
    folds = {id(one.group): one.group for v in nest.values for one in scalars_in(v) if isinstance(one, Reduction)}
    return volume((*nest.extents, *(e for group in folds.values() for e in group.extents))) or 0


def _keeps_apart(nest: Nest, written: frozenset[str], extent: Size) -> bool:
    """Whether a nest reads and writes all that the fold writes at its own first coordinate, which comes first there."""
    own = Size.of(nest.iterators[0])
    places = [(load.buffer, load.indices) for load in loads(nest) if load.buffer.name in written]
    return all(
        len(at) > 1 and at[0] == own and buffer.shape[0] == extent for buffer, at in (*places, *nest.targets)
    ) and not any(own.names() & e.names() for e in nest.extents)


class _FoldSplit:
    """A fold on its way to be one at each coordinate."""

    def __init__(self, repeat: Repeat, nests: list[Nest]) -> None:
        self.repeat, self.nests = repeat, nests
        self.lead, self.extent = nests[0].iterators[0], nests[0].extents[0]
        inside = allocations(repeat.steps)
        self.states = dict(self._replaced(frozenset(inside)))
        self.own = {
            name: replace(buffer, name=f"own {name}" if name in self.states else name, shape=buffer.shape[1:])
            for name, buffer in (inside | self.states).items()
        }

    def _replaced(self, inside: frozenset[str]) -> Iterator[tuple[str, Buffer]]:
        """States that each step replaces by what it has computed beside them."""
        for nest in self.nests:
            for (buffer, at), value in zip(nest.targets, nest.values, strict=True):
                whole = at[0] == Size.of(nest.iterators[0]) and nest.extents == _without_ones(buffer.shape)
                copied = isinstance(value, Load) and value.buffer.name in inside and value.indices == at
                if whole and copied and buffer.name not in inside:
                    yield buffer.name, buffer

    def each(self) -> Each:
        steps: list[Step] = []
        rest = iter(self.nests)
        for step in self.repeat.steps:
            if isinstance(step, Allocate):
                steps.append(Allocate(self.own[step.buffer.name]))
            else:
                steps.append(self._at_one(next(rest)))
        before: list[Step] = [Allocate(self.own[name]) for name in self.states]
        before += [self._copy(name, True) for name in self.states]
        after = [self._copy(name, False) for name in self.states]
        return Each((self.lead,), (self.extent,), (*before, replace(self.repeat, steps=tuple(steps)), *after))

    def _at_one(self, nest: Nest) -> Step:
        """A nest at the coordinate of the loop around it."""

        def place(buffer: Buffer, at: Indices) -> tuple[Buffer, Indices]:
            return (self.own[buffer.name], at[1:]) if buffer.name in self.own else (buffer, at)

        shorter = replace(nest, iterators=nest.iterators[1:], extents=nest.extents[1:])
        return Rewriter({nest.iterators[0]: Size.of(self.lead)}, place=place).step(shorter)

    def _copy(self, name: str, to_own: bool) -> Nest:
        """A state's values at one coordinate, from where they are kept for all of them, or back there."""
        whole, own = self.states[name], self.own[name]
        iterators = tuple(f"{name} {'in' if to_own else 'out'} {axis}" for axis in range(1, len(whole.shape)))
        at = tuple(Size.of(one) for one in iterators)
        all_of_it = whole, (Size.of(self.lead), *at)
        (goal, to), (source, place) = ((own, at), all_of_it) if to_own else (all_of_it, (own, at))
        return Nest(iterators, own.shape, ((goal, to),), (Load(source, place, column=source.column),), name)


def _without_ones(shape: tuple[Size, ...]) -> tuple[Size, ...]:
    return tuple(length for length in shape if length != ONE)
