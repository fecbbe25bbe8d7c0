"""Folds that change their state at one coordinate write there, and leave the rest alone.

    repeat [i <= n]                                              repeat [i <= n]
      nest [r <= k, q <= d]                                        row = l[i]
        next[r, q] = if r == l[i] then new(r, q) else s[r, q]      if 1 <= row <= k
      nest [r <= k, q <= d]                                          nest [q <= d]
        s[r, q] = next[r, q]                                           s[row, q] = new(row, q)

What is new may read the state at its own place only, where nothing is written before it is read.  Where that is so, a
part that is computed beside the state, and then copied to its place, is computed there, and reads it by the same
coordinates: so it is seen that elements do not depend on each other.
"""

from __future__ import annotations

from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.symbolic.conditions import Condition, compare, junction
from tolang.ground.symbolic.sizes import ONE, Size
from tolang.ground.values.spaces import column
from tolang.plan.access import fills
from tolang.plan.equality import alike
from tolang.plan.nest import (
    Assign,
    Bind,
    Branch,
    Buffer,
    Index,
    Load,
    Nest,
    Operation,
    Plan,
    Repeat,
    Scalar,
    Select,
    Step,
)
from tolang.plan.rewriting import Rewriter, map_lists
from tolang.plan.traversal import buffers_in, names_in, occurrences, read_buffers, used_buffers
from tolang.plan.uses import allocations, buffers_read, buffers_written, without_allocations

WHOLE = column("i64")


def write_at_places(plan: Plan) -> Plan:
    """A fold that changes one coordinate of its state writes there only."""
    return map_lists(plan, lambda steps: tuple(_without_copies(_changed(step)) for step in steps))


@dataclass(frozen=True, slots=True)
class _Change:
    """The iterator that is held against a place, and the place."""

    iterator: str
    place: Scalar


def _changed(step: Step) -> Step:
    if not isinstance(step, Repeat) or step.exchanges or len(step.steps) < 3:
        return step
    nest, copy = step.steps[-2:]
    if not isinstance(nest, Nest) or not isinstance(copy, Nest) or len(copy.targets) != len(nest.targets):
        return step
    own = allocations(step.steps)
    beside = {buffer.name: at for buffer, at in nest.targets}
    states = _states(nest, copy)
    if states is None or not beside.keys() <= own.keys() or any(state.name in own for state in states):
        return step
    rest = tuple(without_allocations(step.steps[:-2], *beside))
    touched = frozenset(beside) | {state.name for state in states}
    if not buffers_read(rest).isdisjoint(beside) or buffers_written(rest) & touched:
        return step
    change = _change(nest, states)
    return step if change is None else replace(step, steps=(*rest, *_in_place(nest, states, change)))


def _states(nest: Nest, copy: Nest) -> list[Buffer] | None:
    """For each buffer that a nest fills, the one that all of it is then copied to; None where it is not."""
    goals: dict[str, Buffer] = {}
    for (goal, at), value in zip(copy.targets, copy.values, strict=True):
        if not fills(copy, goal, at) or not isinstance(value, Load) or value.checks or value.indices != at:
            return None
        goals[value.buffer.name] = goal
    found: list[Buffer] = []
    for buffer, at in nest.targets:
        state = goals.get(buffer.name)
        if (
            state is None
            or not fills(nest, buffer, at)
            or (state.shape, state.column.storage) != (buffer.shape, buffer.column.storage)
        ):
            return None
        found.append(state)
    return found


def _change(nest: Nest, states: list[Buffer]) -> _Change | None:
    """The one coordinate at which a nest gives something else than the old states."""
    found: _Change | None = None
    names = {state.name for state in states}
    own = tuple(Size.of(i) for i in nest.iterators)
    for value, state in zip(nest.values, states, strict=True):
        if not isinstance(value, Select) or not isinstance(value.otherwise, Load):
            return None
        kept = value.otherwise
        if kept.buffer.name != state.name or kept.indices != own or kept.checks:
            return None
        asked = _asked(value, nest.iterators)
        if asked is None or (found is not None and not _is_same(asked, found)):
            return None
        found = asked
        read = [one.scalar for one in occurrences(value.then) if isinstance(one.scalar, Load)]
        if any(load.buffer.name in names and load.indices != own for load in read):
            return None
    if found is None or names & buffers_in(found.place):
        return None
    return found


def _is_same(one: _Change, other: _Change) -> bool:
    return one.iterator == other.iterator and alike(one.place, other.place)


def _asked(value: Select, iterators: tuple[str, ...]) -> _Change | None:
    """The iterator and the whole number, the same at all coordinates, that a choice holds it against."""
    if value.guard is not None:
        return _guarded(value.guard, iterators)
    test = value.test[0]
    if not isinstance(test, Operation) or test.function != "eq":
        return None
    for index, place in (test.arguments, test.arguments[::-1]):
        whole = place.column.storage[0] in "iu"
        if isinstance(index, Index) and whole and not names_in(place) & set(iterators):
            for iterator in iterators:
                if index.size == Size.of(iterator):
                    return _Change(iterator, place)
    return None


def _guarded(guard: Condition, iterators: tuple[str, ...]) -> _Change | None:
    if guard.kind != "zero" or guard.size is None:
        return None
    for iterator in iterators:
        for place in (Size.of(iterator) - guard.size, Size.of(iterator) + guard.size):
            if not place.names() & set(iterators) and place.denominator == 1:
                return _Change(iterator, Index(place, column=WHOLE))
    return None


def _in_place(nest: Nest, states: list[Buffer], change: _Change) -> tuple[Step, ...]:
    name = f"{change.iterator} changed"
    row, extent = Size.of(name), nest.extents[nest.iterators.index(change.iterator)]
    inside = junction("and", [compare(">=", row, ONE), compare("<=", row, extent)])
    left = [(i, e) for i, e in zip(nest.iterators, nest.extents, strict=True) if i != change.iterator]
    at_row = Rewriter(sizes={change.iterator: row})
    values = tuple(at_row.scalar(value.then) for value in nest.values if isinstance(value, Select))
    targets = tuple((state, at_row.indices(at)) for state, (_, at) in zip(states, nest.targets, strict=True))
    changed = Nest(tuple(i for i, _ in left), tuple(e for _, e in left), targets, values, nest.origin)
    return Bind(name, change.place), Branch(inside, (), (changed,), ())


def _without_copies(step: Step) -> Step:
    """A repetition whose parts of states are computed at their places."""
    if not isinstance(step, Repeat):
        return step
    for branch in step.steps:
        match branch:
            case Branch(then=(Nest() as copy,), otherwise=()):
                steps = _computed_there(step.steps, branch, copy)
                if steps is not None:
                    return _without_copies(replace(step, steps=steps))
    return step


def _computed_there(steps: tuple[Step, ...], branch: Branch, copy: Nest) -> tuple[Step, ...] | None:
    """Steps of which one filled a buffer that a choice copies, without that buffer; None where it has to be."""
    read = copy.values[0]
    if len(copy.targets) != 1 or not isinstance(read, Load) or read.checks:
        return None
    beside, (state, at) = read.buffer.name, copy.targets[0]
    using = [s for s in steps if beside in used_buffers(s)]
    if beside not in allocations(steps) or len(using) != 2 or using[1] is not branch:
        return None
    nest = using[0]
    if not isinstance(nest, Nest) or len(nest.targets) != 1 or nest.targets[0][0].column != state.column:
        return None
    if nest.targets[0][1] != tuple(Size.of(i) for i in nest.iterators):
        return None
    between = steps[steps.index(nest) + 1 : steps.index(branch)]
    if buffers_written(between) & read_buffers(nest):
        return None
    value = Rewriter(sizes=dict(zip(nest.iterators, read.indices, strict=True))).scalar(nest.values[0])
    known = Rewriter(sizes=_assigned_once(steps))
    there = known.indices(at)
    loaded = [o.scalar for o in occurrences(value) if isinstance(o.scalar, Load) and o.scalar.buffer.name == state.name]
    if any(known.indices(load.indices) != there for load in loaded):
        return None
    value = Rewriter(rule=lambda one: replace(one, indices=at) if one in loaded else None).scalar(value)
    made = replace(branch, then=(replace(copy, values=(value,), origin=nest.origin),))
    left = without_allocations(steps, beside)
    return tuple(made if s is branch else s for s in left if s is not nest)


def _assigned_once(steps: tuple[Step, ...]) -> dict[str, Size]:
    """Names that steps assign whole numbers to, each one."""
    assigned = [s for s in steps if isinstance(s, Assign)]
    names = [s.name for s in assigned]
    return {s.name: s.value.size for s in assigned if isinstance(s.value, Index) and names.count(s.name) == 1}
