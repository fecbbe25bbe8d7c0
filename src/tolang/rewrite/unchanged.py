"""States that most steps leave as they are are written in the others only, as a list of the least so far is.

    k = how many of s are at most x                     k = …
    t = [s[1:k], x, s[k+1:]]                            if k < m
    s = t[1:m]                                            t = …;  s = …

With k as large as it may be, every element of the new state is that of the old one.
"""

from __future__ import annotations

from tolang.ground.symbolic.conditions import nonnegative
from tolang.ground.symbolic.sizes import Size
from tolang.plan.nest import Allocate, Bind, Branch, Load, Nest, Plan, RequireStep, Scalar, Select, Step
from tolang.plan.rewriting import Rewriter, map_lists
from tolang.plan.traversal import may_fail, used_buffers

MOST_BEYOND = 4
"""How many elements of a new state may be dropped again."""


def keep_unchanged(plan: Plan) -> Plan:
    """States are written only where a step changes them."""
    return map_lists(plan, _kept)


def _kept(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    for position in range(len(steps) - 2):
        match steps[position : position + 3]:
            case (Allocate() as room, Nest() as made, Nest() as written):
                name = _place_of_change(room, made, written)
                rest = (*steps[:position], *steps[position + 3 :])
                if name is None or not _is_at_most(name, written.extents[0], steps[:position]):
                    continue
                if _uses(rest, room.buffer.name) or not _is_sure(made, name, written.extents[0]):
                    continue
                guard = nonnegative(written.extents[0] - 1 - Size.of(name))
                changed = Branch(guard, (), (room, made, written), ())
                return (*steps[:position], changed, *steps[position + 3 :])
    return steps


def _place_of_change(room: Allocate, made: Nest, written: Nest) -> str | None:
    """The name of how many of a state's first elements stay, where a buffer is made and then copied over the state."""
    if len(made.iterators) != 1 or len(written.iterators) != 1 or len(made.targets) != 1 or len(written.targets) != 1:
        return None
    (inner,), (outer,) = made.iterators, written.iterators
    (target, at), (state, place), value = made.targets[0], written.targets[0], written.values[0]
    if target.name != room.buffer.name or at != (Size.of(inner),) or not isinstance(value, Load) or value.checks:
        return None
    if value.buffer.name != target.name or value.indices != (Size.of(outer),):
        return None
    match made.values[0]:
        case Select(guard=guard, then=Load() as old) if guard is not None and guard.size is not None:
            same = Rewriter(sizes={inner: Size.of(outer)}).indices(old.indices)
            stays = guard.size + Size.of(inner)
            if guard.kind != "nonnegative" or old.buffer.name != state.name or same != place:
                return None
            names = stays.names()
            return next(iter(names)) if len(names) == 1 and stays == Size.of(*names) else None
    return None


def _is_at_most(name: str, length: Size, steps: tuple[Step, ...]) -> bool:
    """Whether steps bind a name, and demand that it is at most a length."""
    bound = any(isinstance(step, Bind) and step.name == name and not step.mutable for step in steps)
    limit = nonnegative(length - Size.of(name))
    return bound and any(isinstance(step, RequireStep) and step.condition == limit for step in steps)


def _is_sure(made: Nest, name: str, length: Size) -> bool:
    """Whether no element fails that is made in vain: those of the old state are there, the others are looked at."""
    beyond = (made.extents[0] - length).constant
    if not isinstance(beyond, int) or not 0 <= beyond <= MOST_BEYOND or made.iterators[0] in length.names():
        return False
    sizes = [{name: length, made.iterators[0]: length + k} for k in range(1, beyond + 1)]
    return all(not may_fail(_decided(Rewriter(sizes=one).scalar(made.values[0]))) for one in sizes)


def _decided(scalar: Scalar) -> Scalar:
    """A scalar without the choices around it that are made already."""
    while isinstance(scalar, Select) and scalar.guard is not None and scalar.guard.constant is not None:
        scalar = scalar.then if scalar.guard.constant else scalar.otherwise
    return scalar


def _uses(steps: tuple[Step, ...], buffer: str) -> bool:
    return any(buffer in used_buffers(step) for step in steps)
