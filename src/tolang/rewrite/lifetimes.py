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

from collections import defaultdict

from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.sizes import Size
from tolang.plan.access import fills
from tolang.plan.nest import Bind, Branch, Buffer, Each, Free, Nest, Plan, Repeat, Step
from tolang.plan.rewriting import Rewriter
from tolang.plan.rewriting import kept as same_if_kept
from tolang.plan.traversal import has_fold, loads, read_buffers, used_buffers
from tolang.plan.uses import Uses, allocations, uses_of, without_allocations


def in_place(plan: Plan) -> Plan:
    """A map writes over a buffer of its own shape that nothing reads after it."""
    kept = set(plan.output_names)
    renamed: dict[str, Buffer] = {}
    steps = _reused(plan.steps, kept, renamed)
    rewriter = Rewriter(buffers=renamed)
    outputs = tuple(tuple(rewriter.buffer(b) for b in buffers) for buffers in plan.outputs)
    return replace(plan, steps=steps, outputs=outputs)


def _reused(steps: tuple[Step, ...], kept: set[str], renamed: dict[str, Buffer]) -> tuple[Step, ...]:
    done = [_inside(step, kept, renamed) for step in steps]
    position, uses = 0, Uses(done)
    while position < len(done):
        step = done[position]
        found = _dying(step, position, uses, kept) if isinstance(step, Nest) else None
        if found is not None:
            old, new = found
            place = replace(new, name=old.name)
            renamed.update({n: place for n, b in renamed.items() if b.name == new.name} | {new.name: place})
            kept.update({old.name} if new.name in kept else ())
            moved = Rewriter(buffers={new.name: place})
            done = [moved.step(s) if new.name in used_buffers(s) else s for s in without_allocations(done, new.name)]
            uses = Uses(done)
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
    uses = uses_of(each.steps)
    if uses.users(goal.name) != [position] or goal.name in read_buffers(nest):
        return None
    for name, own in allocations(each.steps).items():
        users = uses.users(name)
        dies = position in uses.readers[name] and users[-1] == position
        plain = dies and all(isinstance(each.steps[user], Nest | Bind) for user in users)
        if plain and _may_lie_in(own, goal, nest, row):
            return own, goal
    return None


def _may_lie_in(own: Buffer, goal: Buffer, nest: Nest, row: tuple[Size, ...]) -> bool:
    if own.panels is not None or goal.panels is not None or own.beyond:
        return False
    fits = own.shape == nest.extents and own.column.storage == goal.column.storage
    return fits and all(load.indices == row for load in loads(nest) if load.buffer.name == own.name)


def _moved(each: Each, own: Buffer, goal: Buffer) -> Each:
    """The loop with a buffer of its own as the row of another."""
    lead = tuple(Size.of(i) for i in each.iterators)
    rewriter = Rewriter(place=lambda buffer, at: (goal, lead + at) if buffer.name == own.name else (buffer, at))
    return replace(each, steps=rewriter.steps(tuple(without_allocations(each.steps, own.name))))


def _dying(nest: Nest, position: int, uses: Uses, kept: set[str]) -> tuple[Buffer, Buffer] | None:
    """A buffer that the nest is the last to read, and the one it fills, where the second may lie over the first."""
    if len(nest.targets) != 1 or any(has_fold(v) for v in nest.values):
        return None
    new, at = nest.targets[0]
    if not fills(nest, new, at):
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
    if not fitting or uses.users(new.name)[0] < position or not uses.is_made_before(new.name, position):
        return None
    dying = (b for b in fitting if uses.is_made_before(b.name, position) and uses.users(b.name)[-1] == position)
    old = next(dying, None)
    return None if old is None else (old, new)


def free_early(plan: Plan) -> Plan:
    """Every buffer is given back after the last step that uses it."""
    return replace(plan, steps=_freed(plan.steps, plan.output_names))


def _freed(steps: tuple[Step, ...], kept: frozenset[str]) -> tuple[Step, ...]:
    uses, dying = uses_of(steps), defaultdict[int, list[Buffer]](list)
    for name, buffer in allocations(steps).items():
        if name not in kept:
            dying[max(uses.users(name), default=-1)].append(buffer)
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
