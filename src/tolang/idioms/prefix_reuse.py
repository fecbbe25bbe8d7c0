"""Copies of the beginnings of buffers that nothing reads any more, as of the rows that a selection has left:

    y[i,j] = s[i,j]         for all rows of y, of which s has as many or more

What is copied lies in its memory as it would in the copy's.
"""

from __future__ import annotations

from collections.abc import Collection

from tolang.ground.symbolic.sizes import Size
from tolang.plan.access import fills
from tolang.plan.nest import Buffer, Load, Nest, Scalar, Step
from tolang.plan.uses import uses_of

Pairs = tuple[tuple[Buffer, Buffer], ...]
"""Buffers, each with the one that gets its beginning."""


def beginnings_of(nest: Nest) -> Pairs | None:
    """The buffers whose beginnings a nest copies, with those that it fills; None where it does something else.

    All of them have as many rows, and all else in a pair is as long.
    """
    own = tuple(Size.of(name) for name in nest.iterators)
    found = []
    for (new, at), value in zip(nest.targets, nest.values, strict=True):
        old = _source(value, new, own)
        if old is None or not fills(nest, new, at):
            return None
        found.append((old, new))
    lengths = {old.shape[0] for old, _ in found}
    different = len({one.name for pair in found for one in pair}) == 2 * len(found)
    return tuple(found) if own and different and len(lengths) == 1 else None


def _source(value: Scalar, new: Buffer, own: tuple[Size, ...]) -> Buffer | None:
    """The buffer that is read at a nest's own coordinates, if another one may have its memory."""
    if not isinstance(value, Load) or value.checks or value.indices != own or not own:
        return None
    old = value.buffer
    plain = all(one.role != "input" and one.panels is None and not one.beyond for one in (old, new))
    alike = old.column.storage == new.column.storage and old.shape[1:] == new.shape[1:]
    return old if plain and alike else None


def is_all_that_is_left(steps: tuple[Step, ...], position: int, kept: Collection[str]) -> bool:
    """Whether a step copies the beginnings of buffers that no other reads after it, to such that nobody had before.

    All are made by steps of the list, and what others need of it is `kept`.
    """
    step = steps[position]
    found = beginnings_of(step) if isinstance(step, Nest) else None
    if found is None:
        return False
    old, new = ({one.name for one in side} for side in zip(*found, strict=True))
    uses = uses_of(tuple(steps))
    made = all(uses.is_made_before(name, position) for name in old | new)
    first, last = (uses.users(name)[0] >= position for name in new), (uses.users(name)[-1] <= position for name in old)
    return made and old.isdisjoint(kept) and all(first) and all(last)
