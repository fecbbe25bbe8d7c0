"""Appending: folds that keep some of their elements, as filters do.

    repeat [i <= n]
      if x[i] > 0
        s[length + 1] = x[i]
        length := length + 1

What is kept, and whether it is, has nothing to do with what was kept before.
"""

from __future__ import annotations

from tolang.ground.dataclasses import dataclass
from tolang.ground.symbolic.sizes import Size
from tolang.plan.nest import Assign, Bind, Branch, Buffer, Index, Nest, Repeat, Scalar, Where
from tolang.plan.traversal import buffers_in, dependencies


@dataclass(frozen=True, slots=True)
class Appending:
    """The name of the length, the test of an element and what is kept of it, in these buffers, after some names."""

    length: str
    bindings: tuple[tuple[str, Scalar], ...]
    test: Scalar
    buffers: tuple[Buffer, ...]
    values: tuple[Scalar, ...]

    def bound(self, scalar: Scalar) -> Scalar:
        """A scalar with the names that it needs around it."""
        return Where(self.bindings, scalar, column=scalar.column) if self.bindings else scalar


def appending_of(repeat: Repeat) -> Appending | None:
    """A repetition as one that appends; None where it does something else."""
    if len(repeat.iterators) != 1 or not repeat.steps:
        return None
    *before, last = repeat.steps
    if not all(isinstance(one, Bind) and not one.mutable for one in before):
        return None
    match last:
        case Branch(guard=None, test=(test,), then=(Nest(iterators=()) as nest, Assign() as grown), otherwise=()):
            pass
        case _:
            return None
    behind = Size.of(grown.name) + 1
    if not isinstance(grown.value, Index) or grown.value.size != behind:
        return None
    if any(at != (behind,) for _, at in nest.targets):
        return None
    bindings = tuple((one.name, one.value) for one in before if isinstance(one, Bind))
    buffers = tuple(buffer for buffer, _ in nest.targets)
    parts = (test, *nest.values, *(value for _, value in bindings))
    own = {buffer.name for buffer in buffers}
    if any(grown.name in dependencies(one) or not own.isdisjoint(buffers_in(one)) for one in parts):
        return None
    return Appending(grown.name, bindings, test, buffers, nest.values)
