"""Memory: buffers are given back after their last use, and a map may write over what it is the last to read.

A chain of a hundred layers then needs the memory of two or three buffers.  A nest writes in place where it reads a
dying buffer of the same shape and storage at its own coordinates only, and no fold reads it.  Inside a loop over rows
the row that dies is the result's own from the beginning: the memory of the result is had while what comes before is
computed, not all of it at the end.

    each [i <= n]                                      each [i <= n]
      p[j] = exp(x[i,j])                                 y[i,j] = exp(x[i,j])
      t = reduce[j](s -> s + p[j])                       t = reduce[j](s -> s + y[i,j])
      y[i,j] = p[j] / t                                  y[i,j] = y[i,j] / t
"""

from __future__ import annotations

from tolang.ground.dataclasses import replace
from tolang.ground.sizes import Size
from tolang.nests.nest import Allocate, Bind, Branch, Buffer, Each, Free, Load, Nest, Plan, Repeat, Scalar, Step
from tolang.nests.rewriting import Rewriter
from tolang.nests.rewriting import kept as same_if_kept
from tolang.nests.traversal import has_fold, loads, read_buffers, used_buffers


def in_place(plan: Plan) -> Plan:
    """A map writes over a buffer of its own shape that nothing reads after it."""
    kept = {b.name for buffers in plan.outputs for b in buffers}
    renamed: dict[str, Buffer] = {}
    steps = _reused(plan.steps, kept, renamed)
    rewriter = Rewriter(buffers=renamed)
    outputs = tuple(tuple(rewriter.buffer(b) for b in buffers) for buffers in plan.outputs)
    return replace(plan, steps=steps, outputs=outputs)


def _reused(steps: tuple[Step, ...], kept: set[str], renamed: dict[str, Buffer]) -> tuple[Step, ...]:
    done = [_inside(step, kept, renamed) for step in steps]
    position = 0
    while position < len(done):
        step = done[position]
        found = _dying(step, done, position, kept) if isinstance(step, Nest) else None
        if found is not None:
            old, new = found
            place = replace(new, name=old.name)
            renamed.update({n: place for n, b in renamed.items() if b.name == new.name} | {new.name: place})
            kept.update({old.name} if new.name in kept else ())
            rest = [s for s in done if not (isinstance(s, Allocate) and s.buffer.name == new.name)]
            moved = Rewriter(buffers={new.name: place})
            done = [moved.step(s) if new.name in used_buffers(s) else s for s in rest]
            continue
        position += 1
    return same_if_kept(steps, tuple(done))


def _inside(step: Step, kept: set[str], renamed: dict[str, Buffer]) -> Step:
    match step:
        case Repeat(steps=inner):
            made = _reused(inner, kept, renamed)
            return step if made is inner else replace(step, steps=made)
        case Branch(then=then, otherwise=otherwise):
            sides = _reused(then, kept, renamed), _reused(otherwise, kept, renamed)
            same = sides[0] is then and sides[1] is otherwise
            return step if same else replace(step, then=sides[0], otherwise=sides[1])
        case Each():
            return _rows_in_place(step)
    return step


def _rows_in_place(each: Each) -> Each:
    """A loop over rows in which a row that becomes one of a result, element by element, lies there."""
    for position, step in enumerate(each.steps):
        found = _row_that_dies(step, each, position) if isinstance(step, Nest) else None
        if found is not None:
            return _rows_in_place(_moved(each, *found))
    return each


def _row_that_dies(nest: Nest, each: Each, position: int) -> tuple[Buffer, Buffer] | None:
    """A row that a nest is the last to read, and the buffer whose row it fills, which nothing else in the loop has.

    Rows of states, which steps inside may exchange, keep their memory.
    """
    if len(nest.targets) != 1 or any(has_fold(v) for v in nest.values):
        return None
    goal, at = nest.targets[0]
    lead, row = (tuple(Size.of(i) for i in names) for names in (each.iterators, nest.iterators))
    if at != lead + row or goal.shape != each.extents + nest.extents:
        return None
    if sum(goal.name in used_buffers(step) for step in each.steps) != 1 or goal.name in read_buffers(nest):
        return None
    later = each.steps[position + 1 :]
    steps = [step for step in each.steps if not isinstance(step, Nest | Bind)]
    read = {load.buffer.name for load in loads(nest)}.difference(*(used_buffers(step) for step in (*later, *steps)))
    for step in each.steps:
        if isinstance(step, Allocate) and step.buffer.name in read and _may_lie_in(step.buffer, goal, nest, row):
            return step.buffer, goal
    return None


def _may_lie_in(own: Buffer, goal: Buffer, nest: Nest, row: tuple[Size, ...]) -> bool:
    if own.panels is not None or goal.panels is not None or own.beyond:
        return False
    fits = own.shape == nest.extents and own.column.storage == goal.column.storage
    return fits and all(load.indices == row for load in loads(nest) if load.buffer.name == own.name)


def _moved(each: Each, own: Buffer, goal: Buffer) -> Each:
    """The loop with a buffer of its own as the row of another."""
    lead = tuple(Size.of(i) for i in each.iterators)

    def rule(scalar: Scalar) -> Scalar | None:
        if not isinstance(scalar, Load) or scalar.buffer.name != own.name:
            return None
        return replace(scalar, buffer=goal, indices=lead + scalar.indices)

    def target(buffer: Buffer, at: tuple[Size, ...]) -> tuple[Buffer, tuple[Size, ...]]:
        return (goal, lead + at) if buffer.name == own.name else (buffer, at)

    left = [s for s in each.steps if not (isinstance(s, Allocate) and s.buffer.name == own.name)]
    return replace(each, steps=Rewriter(rule=rule, target=target).steps(tuple(left)))


def _dying(nest: Nest, steps: list[Step], position: int, kept: set[str]) -> tuple[Buffer, Buffer] | None:
    """A buffer that the nest is the last to read, and the one it fills, where the second may lie over the first."""
    if len(nest.targets) != 1 or any(has_fold(v) for v in nest.values):
        return None
    new, at = nest.targets[0]
    whole = at == tuple(Size.of(i) for i in nest.iterators) and nest.extents == new.shape
    if not whole:
        return None
    read = {load.buffer.name: load.buffer for load in loads(nest)}
    fitting = [
        old
        for old in read.values()
        if old.shape == new.shape
        and old.column.storage == new.column.storage
        and old.name not in kept
        and old.name != new.name
        and all(load.indices == at for load in loads(nest) if load.buffer.name == old.name)
    ]
    if not fitting or any(new.name in used_buffers(s) for s in steps[:position]):
        return None
    own = {s.buffer.name for s in steps[:position] if isinstance(s, Allocate)}
    dying = [b for b in fitting if b.name in own and not any(b.name in used_buffers(s) for s in steps[position + 1 :])]
    return (dying[0], new) if dying and new.name in own else None


def free_early(plan: Plan) -> Plan:
    """Every buffer is given back after the last step that uses it."""
    kept = frozenset(b.name for buffers in plan.outputs for b in buffers)
    return replace(plan, steps=_freed(plan.steps, kept))


def _freed(steps: tuple[Step, ...], kept: frozenset[str]) -> tuple[Step, ...]:
    own = {s.buffer.name: s.buffer for s in steps if isinstance(s, Allocate) and s.buffer.name not in kept}
    last = {name: p for p, step in enumerate(steps) for name in used_buffers(step) if name in own}
    dying: dict[int, list[Buffer]] = {}
    for name in own:
        dying.setdefault(last.get(name, -1), []).append(own[name])
    done: list[Step] = []
    for position, step in enumerate(steps):
        match step:
            case Repeat(steps=inner):
                made = _freed(inner, kept)
                done.append(step if made is inner else replace(step, steps=made))
            case Branch(then=then, otherwise=otherwise):
                sides = _freed(then, kept), _freed(otherwise, kept)
                same = sides[0] is then and sides[1] is otherwise
                done.append(step if same else replace(step, then=sides[0], otherwise=sides[1]))
            case _:
                done.append(step)
        if position + 1 < len(steps):
            done.extend(Free(buffer) for buffer in dying.get(position, ()))
    return same_if_kept(steps, tuple(done))
