"""Repetitions that append some of their elements, as a selection of rows does, as *appending* leaves them:

    repeat [i <= n]
      q = x[i] > 0
      s[length + 1] = x[i]
      length := if q then length + 1 else length

Whether an element is kept, and what is written of it, is known without the others.  So pieces may count what they keep,
and then each write it behind what those before it have: the same elements at the same places.
"""

from __future__ import annotations

from tolang.ground.dataclasses import dataclass
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.functions import COSTLY
from tolang.plan.nest import Assign, Bind, Index, Named, Nest, Operation, Repeat, Scalar, Select
from tolang.plan.traversal import has_fold, may_fail, names_in, walk
from tolang.plan.uses import buffers_read, buffers_written


@dataclass(frozen=True, slots=True)
class Filter:
    """What tells whether an element is kept, the stores of one that is, and the name of how many there are."""

    kept: Bind
    stores: tuple[Nest, ...]
    grown: Assign

    @property
    def length(self) -> str:
        return self.grown.name


def filter_of(repeat: Repeat) -> Filter | None:
    """A repetition that appends the elements that pass a test; None where it is none."""
    if len(repeat.iterators) != 1 or repeat.exchanges or len(repeat.steps) < 3:
        return None
    kept, *stores, grown = repeat.steps
    if not isinstance(kept, Bind) or kept.mutable or not isinstance(grown, Assign):
        return None
    length, nests = Size.of(grown.name), tuple(one for one in stores if isinstance(one, Nest))
    if len(nests) != len(stores) or not _grows(grown, kept.name, length):
        return None
    if any(one.iterators or any(at != (length + 1,) for _, at in one.targets) for one in nests):
        return None
    scalars = (kept.value, *(value for one in nests for value in one.values))
    alone = all(_may_be_computed_twice(one) and grown.name not in names_in(one) for one in scalars)
    if not alone or buffers_read((kept, *nests)) & buffers_written(nests):
        return None
    return Filter(kept, nests, grown)


def _grows(grown: Assign, kept: str, length: Size) -> bool:
    """Whether a length becomes one more where a name is true, and else stays."""
    match grown.value:
        case Select(guard=None, test=(Named(name=name),), then=Index(size=more), otherwise=Index(size=same)):
            return name == kept and more == length + 1 and same == length
    return False


def _may_be_computed_twice(scalar: Scalar) -> bool:
    """Whether a number may be computed twice, and in any order: quickly, and without failing."""
    costly = any(isinstance(one, Operation) and one.function in COSTLY for one in walk(scalar))
    return not costly and not may_fail(scalar) and not has_fold(scalar)
