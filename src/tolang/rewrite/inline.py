"""Producers move into the one step that reads them, so that what lies between never goes through memory.

The cost rule: a buffer stays unless inlining does not raise the number of operations.  So its producer is inlined where
one step alone reads it, at every coordinate once: the indices of each read are exactly the loops around it, or stay in
a part of these, as the parts of a concatenation do (those of a state are left to other passes).  Several reads at one
place share a bound name.  This is how bias, activation and residual become the epilogue of a contraction, and a map the
element of a fold.  Folds are not moved into folds, nor beside other folds: each keeps its own kernel.
What would have more functions inside one another than an expression of the core has stays apart, so that a long chain
of maps is some steps, and not one that no walk gets through.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping

from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.sizes import ONE, Size
from tolang.ground.system.recursion import HIGHEST
from tolang.plan.access import fills, flatten
from tolang.plan.fused_sums import with_fused_sums
from tolang.plan.nest import (
    Allocate,
    Assign,
    Bind,
    ConstantScalar,
    Each,
    Load,
    Named,
    Nest,
    Plan,
    Scalar,
    Step,
    Where,
)
from tolang.plan.rewriting import Indices, Rewriter, map_lists
from tolang.plan.traversal import (
    Loops,
    ScalarOccurrence,
    buffers_in,
    count_in,
    has_fold,
    height,
    may_fail,
    read_buffers,
    reads_of,
    scalars_of,
    used_names,
    written_buffers,
)
from tolang.plan.uses import UseCounts, Uses, allocations, length_demands, names_bound


def inline(plan: Plan) -> Plan:
    """A buffer that one step reads, each element once where it is needed, becomes part of that step."""
    kept, counts = plan.output_names, UseCounts.of(plan.steps)
    return map_lists(plan, lambda steps: tuple(_one_nest(s) for s in _inlined(steps, kept, counts)))


def _one_nest(step: Step) -> Step:
    """A nest at every coordinate is a nest over those coordinates too."""
    match step:
        case Each(iterators=outer, extents=lengths, steps=(Nest() as nest,)) if nest.iterators:
            varying = any(set(outer) & extent.names() for extent in nest.extents)
            if not varying:
                return replace(nest, iterators=(*outer, *nest.iterators), extents=(*lengths, *nest.extents))
    return step


def _inlined(steps: tuple[Step, ...], kept: frozenset[str], counts: UseCounts) -> tuple[Step, ...]:
    """Producers of one list taken in turn, until none is left; what a consumer becomes can be a producer again."""
    done: list[Step] = list(steps)
    allocated = allocations(steps)
    gone: set[str] = set()
    changed = True
    while changed:
        changed = False
        readers = Uses(done).readers
        for position, producer in enumerate(done):
            if not isinstance(producer, Nest) or not _is_producer(producer, allocated, kept, counts):
                continue
            goal = _consumer(producer, done, position, readers, counts)
            merged = None if goal is None else _merged(producer, done[goal], counts)
            if goal is not None and merged is not None:
                done[goal] = merged
                done[position] = Step()
                for name in read_buffers(producer):
                    readers[name].discard(position)
                    readers[name].add(goal)
                gone |= written_buffers(producer)
                changed = True
        done = [step for step in done if type(step) is not Step]
    return tuple(one for step in done for one in _released(step, gone))


def _is_producer(nest: Nest, allocated: Collection[str], kept: frozenset[str], counts: UseCounts) -> bool:
    """Whether a nest fills buffers of its own, all of them, element by element."""
    if not nest.iterators or any(
        b.name in kept or b.role != "scratch" or counts.writes[b.name] != 1 or b.name not in allocated
        for b, _ in nest.targets
    ):
        return False
    if all(fills(nest, *target) for target in nest.targets):
        return len(nest.targets) == 1 or not any(map(has_fold, nest.values))
    flat, whole = (_flat(_loops(nest)),), (_volume(_loops(nest)),)
    return [(at, b.shape) for b, at in nest.targets] == [(flat, whole)]


def _consumer(
    producer: Nest, steps: list[Step], position: int, readers: Mapping[str, set[int]], counts: UseCounts
) -> int | None:
    """The one step that reads the producer's buffers, where the producer may run as late as that."""
    names = written_buffers(producer)
    where = set[int]().union(*(readers.get(name, ()) for name in names))
    goal = next(iter(where)) if len(where) == 1 else -1
    if goal <= position or not isinstance(steps[goal], Nest | Bind | Assign):
        return None
    reads = sum(len(reads_of(scalar, names)) for scalar in scalars_of(steps[goal]))
    if reads != sum(counts.reads[name] for name in names):
        return None
    own = read_buffers(producer)
    if not all(written_buffers(step).isdisjoint(own) for step in steps[position + 1 : goal + 1]):
        return None
    bound = names_bound(steps[position + 1 : goal])
    return goal if not bound or bound.isdisjoint(used_names(producer)) else None


def _merged(producer: Nest, consumer: Step, counts: UseCounts) -> Step | None:
    """The consumer with the producer's value in place of each read; None where that would cost or change something."""
    values = {buffer.name: value for (buffer, _), value in zip(producer.targets, producer.values, strict=True)}
    if max(map(height, values.values())) + max(map(height, scalars_of(consumer)), default=0) > HIGHEST:
        return None
    loops = _loops(consumer) if isinstance(consumer, Nest) else ()
    names = frozenset(values)
    found = [place for scalar in scalars_of(consumer) for place in reads_of(scalar, names, loops)]
    at = {_coordinates(place, producer) for place in found}
    coordinates = next(iter(at))
    partly = (
        coordinates is None and len(found) == 1 and all(counts.writes[name] <= 1 for name in read_buffers(producer))
    )
    if partly:
        coordinates = _at_most_once(found[0], producer)
    if len(at) != 1 or coordinates is None:
        return None
    folds = any(map(has_fold, values.values()))
    if folds and (any(p.folded for p in found) or any(has_fold(s) for s in scalars_of(consumer))):
        return None
    own = sum(map(count_in, values.values()))
    if not partly and own > sum(map(count_in, scalars_of(consumer))):
        consumer, coordinates = _renamed(consumer, producer, coordinates)
    moved = _moved(producer, coordinates)
    always = not partly and all(p.always for p in found)
    safe = always or not (folds or any(map(may_fail, values.values())))
    reads = Counter(p.scalar.buffer.name for p in found if isinstance(p.scalar, Load))
    there = {n: v for n, v in moved.items() if safe and (reads[n] == 1 or isinstance(v, Load | ConstantScalar | Named))}
    if any(not reads[name] and may_fail(value) for name, value in values.items()):
        return None
    if len(there) < len(moved) and (partly or any(p.folded for p in found)):
        return None
    merged = _bound(_replaced(consumer, there), {name: v for name, v in moved.items() if name not in there})
    return with_fused_sums(merged) if any(p.folded for p in found) else merged


def _moved(producer: Nest, coordinates: Indices) -> dict[str, Scalar]:
    """What a producer computes for each of its buffers at some coordinates."""
    values = producer.values
    if coordinates != tuple(Size.of(name) for name in producer.iterators):
        values = Rewriter(dict(zip(producer.iterators, coordinates, strict=True))).scalars(values)
    return {buffer.name: value for (buffer, _), value in zip(producer.targets, values, strict=True)}


def _renamed(consumer: Step, producer: Nest, coordinates: Indices) -> tuple[Step, Indices]:
    """A consumer with the iterators of its producer in place of its own, where it reads it at these; and where it does.

    So a long chain of maps becomes one, map by map, in time that is linear in its length.
    """
    if not isinstance(consumer, Nest) or {Size.of(name) for name in consumer.iterators} != set(coordinates):
        return consumer, coordinates
    names = dict(zip(coordinates, producer.iterators, strict=True))
    iterators = tuple(names[Size.of(name)] for name in consumer.iterators)
    renaming = {old: Size.of(new) for old, new in zip(consumer.iterators, iterators, strict=True)}
    made = Rewriter(renaming).nest(consumer)
    return replace(made, iterators=iterators), tuple(Size.of(name) for name in producer.iterators)


def _coordinates(place: ScalarOccurrence, producer: Nest) -> tuple[Size, ...] | None:
    """Where a producer is read, if the loops around the read meet each of its elements once; else None.

    The read is at those loops, one index each, or at the flat position that they count through in order.
    """
    load = place.scalar
    assert isinstance(load, Load)
    if load.checks:
        return None
    plain = producer.targets[0][1] == tuple(Size.of(i) for i in producer.iterators)
    if plain and (found := _by_axes(load, place.loops)) is not None:
        return found
    if len(load.indices) != 1 or load.indices[0] != _flat(place.loops) or load.buffer.shape != (_volume(place.loops),):
        return None
    if plain:
        return load.indices
    same = tuple(extent for _, extent in place.loops) == producer.extents
    return tuple(Size.of(name) for name, _ in place.loops) if same else None


def _at_most_once(place: ScalarOccurrence, producer: Nest) -> tuple[Size, ...] | None:
    """Where a producer is read in a part of a nest, as by one side of a choice, if no element is met twice; else None.

    Each index is a loop of its own, moved by so much as the part is.
    """
    load = place.scalar
    assert isinstance(load, Load)
    around = {name for name, extent in place.loops if not extent.is_constant(1)}
    moving = [index.names() & around for index in load.indices]
    plain = producer.targets[0][1] == tuple(Size.of(i) for i in producer.iterators)
    if load.checks or place.folded or not plain or any(len(names) > 1 for names in moving):
        return None
    names = [name for one in moving for name in one]
    steps = [(index.split(name), name) for index, own in zip(load.indices, moving, strict=True) for name in own]
    apart = all(split is not None and split[0] == ONE for split, _ in steps)
    return load.indices if apart and len(names) == len(set(names)) == len(around) else None


def _by_axes(load: Load, loops: Loops) -> tuple[Size, ...] | None:
    """Where a buffer is read, if that is at one loop along each axis; an axis of length 1 needs none, nor its loop."""
    shape, all_around = load.buffer.shape, {Size.of(name): extent for name, extent in loops}
    if len(shape) == len(all_around) and dict(zip(load.indices, shape, strict=True)) == all_around:
        return load.indices
    around = {name: extent for name, extent in all_around.items() if not extent.is_constant(1)}
    indices = tuple(ONE if length.is_constant(1) else at for at, length in zip(load.indices, shape, strict=True))
    moving = [(at, length) for at, length in zip(indices, shape, strict=True) if not length.is_constant(1)]
    return indices if len(moving) == len(around) and dict(moving) == around else None


def _loops(nest: Nest) -> Loops:
    return tuple(zip(nest.iterators, nest.extents, strict=True))


def _flat(loops: Loops) -> Size:
    """The position, from 1, that loops count through, the last fastest."""
    return flatten(tuple(Size.of(i) for i, _ in loops), tuple(e for _, e in loops)) + 1


def _volume(loops: Loops) -> Size:
    total = ONE
    for _, extent in loops:
        total = total * extent
    return total


def _replaced(step: Step, values: Mapping[str, Scalar]) -> Step:
    """A step with values in place of what it reads of buffers."""
    if not values:
        return step

    def rule(scalar: Scalar) -> Scalar | None:
        return values.get(scalar.buffer.name) if isinstance(scalar, Load) else None

    return Rewriter(rule=rule, only=_reading(values)).step(step)


def _reading(values: Mapping[str, Scalar]) -> Callable[[Scalar], bool]:
    """Whether a scalar reads one of some buffers."""
    names = frozenset(values)
    return lambda scalar: not names.isdisjoint(buffers_in(scalar))


def _bound(step: Step, values: Mapping[str, Scalar]) -> Step:
    """Values under names of their own around each expression that reads the buffers that had them."""
    if not values:
        return step
    names = {name: Named(f"{name}'", column=value.column) for name, value in values.items()}

    def rule(scalar: Scalar) -> Scalar | None:
        return names.get(scalar.buffer.name) if isinstance(scalar, Load) else None

    rewriter = Rewriter(rule=rule, only=_reading(values))

    def around(scalar: Scalar) -> Scalar:
        read = buffers_in(scalar)
        bindings = tuple((names[name].name, value) for name, value in values.items() if name in read)
        inner = rewriter.scalar(scalar)
        return Where(bindings, inner, column=scalar.column, span=scalar.span) if bindings else inner

    match step:
        case Nest(values=own):
            return replace(step, values=tuple(around(v) for v in own))
        case Bind(value=value) | Assign(value=value):
            return replace(step, value=around(value))
    raise AssertionError(step)


def _released(step: Step, gone: set[str]) -> tuple[Step, ...]:
    """A step, or where it allocates a buffer that is gone, what that asked of the lengths."""
    if not isinstance(step, Allocate) or step.buffer.name not in gone:
        return (step,)
    return tuple(length_demands(step.buffer))
