"""What names stand for while a program is lowered, and what is known about them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from tolang.core.core import Expr
from tolang.ground.dataclasses import dataclass, field
from tolang.ground.symbolic.conditions import Condition, compare, negation, nonnegative, zero
from tolang.ground.symbolic.ranges import Ranges
from tolang.ground.symbolic.sizes import ONE, ZERO, Size
from tolang.lower.whole_numbers import Number
from tolang.plan.nest import Buffer, ConstantTable, Named, Scalar


@dataclass(frozen=True, slots=True)
class Stored:
    """A ToL in buffers, one for each component, seen below some leading coordinates."""

    buffers: tuple[Buffer, ...]
    shape: tuple[Size, ...]
    prefix: tuple[Size, ...] = ()


@dataclass(frozen=True, slots=True)
class Virtual:
    """A ToL that is computed where it is read."""

    expr: Expr
    environment: Environment


@dataclass(frozen=True, slots=True)
class Scalars:
    """A numeric or single list, one scalar for each component."""

    parts: tuple[Scalar, ...]


Binding = Stored | Virtual | Scalars
Place = tuple[str, tuple[Size, ...], tuple[Condition, ...]]
"""An element of a buffer, by the buffer's name, its indices and what is asked for before it is read."""


@dataclass(frozen=True, slots=True)
class Environment:
    """Sizes that names are replaced by, values that names stand for, and conditions known to hold.

    An element that was `loaded` is known by its name, so that two readers of it are seen to read one number.
    """

    sizes: Mapping[str, Size] = field(default_factory=dict)
    values: Mapping[str, Binding] = field(default_factory=dict)
    facts: frozenset[Condition] = frozenset()
    loaded: Mapping[Place | None, Named] = field(default_factory=dict)

    def with_sizes(self, more: Mapping[str, Size]) -> Environment:
        return Environment({**self.sizes, **more}, self.values, self.facts, self.loaded)

    def with_value(self, name: str, value: Binding) -> Environment:
        return Environment(self.sizes, {**self.values, name: value}, self.facts, self.loaded)

    def with_loaded(self, more: Mapping[Place | None, Named]) -> Environment:
        return Environment(self.sizes, self.values, self.facts, {**self.loaded, **more}) if more else self

    def assuming(self, condition: Condition) -> Environment:
        parts = condition.parts if condition.kind == "and" else (condition,)
        return self.knowing(frozenset(parts))

    def knowing(self, facts: frozenset[Condition]) -> Environment:
        """With what is known where a value is used, too: facts are about names that are bound once."""
        if facts <= self.facts:
            return self
        return Environment(self.sizes, self.values, self.facts | facts, self.loaded)

    def within(self, extents: tuple[Size, ...]) -> Environment:
        """Inside loops of these lengths, of which none is empty there."""
        return self.knowing(frozenset(nonnegative(e - 1) for e in extents if e.constant is None))

    def size(self, size: Size) -> Size:
        return size.substitute(self.sizes)

    def shape(self, shape: tuple[Size, ...]) -> tuple[Size, ...]:
        return tuple(s.substitute(self.sizes) for s in shape)

    def condition(self, condition: Condition) -> Condition:
        return condition.substitute(self.sizes)


class LoweringState:
    """Names given out, the ranges of iterators, and what is written out as data: one for a whole lowering."""

    def __init__(self) -> None:
        self.ranges = Ranges()
        self.tables: dict[Expr, ConstantTable] = {}
        self.asking: dict[Expr, bool] = {}
        """Bodies of calls, which many calls share, and whether anything in them is asked for beforehand."""
        self.numbers: dict[str, Number] = {}
        """What is known of names that are bound to numbers which follow from others."""
        self._serial = 0

    def fresh(self, base: str) -> str:
        self._serial += 1
        return f"{base.split('.')[0]}_{self._serial}"

    @contextmanager
    def trying(self) -> Iterator[None]:
        """Names that are given out inside are free again afterwards: nothing that has them is kept."""
        before = self._serial
        try:
            yield
        finally:
            self._serial = before

    def iterator(self, base: str, extent: Size) -> str:
        name = self.fresh(base)
        self.ranges.declare(name, ONE, extent)
        return name

    def scalar_name(self, base: str) -> str:
        name = self.fresh(base)
        self.ranges.declare(name, None, None)
        return name

    def length_name(self, base: str, greatest: Size | None = None) -> str:
        name = self.fresh(base)
        self.ranges.declare(name, ZERO, greatest)
        return name

    def unproved(self, index: Size, extent: Size, environment: Environment) -> tuple[Condition, ...]:
        """The conditions of 1 <= index <= extent that are not known to hold; none for an iterator along all of it."""
        if self.ranges.ranges.get(index.name or "") == (ONE, extent):
            return ()
        wanted = (compare(">=", index, ONE), compare("<=", index, extent))
        return tuple(c for c in wanted if not self.holds(c, environment))

    def simple(self, size: Size, environment: Environment) -> Size:
        """A size without what ranges and facts decide."""
        return self.ranges.simplify(size, environment.facts)

    def holds(self, condition: Condition, environment: Environment) -> bool:
        facts = environment.facts
        if condition in facts or self.ranges.decide(condition) is True:
            return True
        if not facts:
            return False
        if condition.kind == "nonnegative" and condition.size is not None:
            further = condition.size + 1
            if negation(zero(further)) in facts and self.ranges.decide(nonnegative(further)) is True:
                return True
        return self.ranges.decide(condition, facts) is True
