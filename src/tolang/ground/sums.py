"""Sums over a name, and greatest and least values: closed where the body is simple enough, else atoms of their own.

What has no closed form stays as it is written, which is how people read it; at given sizes its value is found by
`summing` without going through the range.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tolang.ground.faulhaber import faulhaber
from tolang.ground.interning import Interned, Values
from tolang.ground.sizes import ONE, ZERO, Choice, Monomial, Rational, Size, choice

MOST_PLACES = 1 << 14
"""A range, with all ranges inside it, is gone through where nothing better is known and there are no more places."""


class Unsummed(Exception):
    """A sum, or a greatest value, that was not found with the effort that is allowed; `enclosure` has bounds of it."""


class Iterated(Interned):
    """What is made of a body for all values of a name from 1 to an upper end; the name is known inside alone."""

    __slots__ = ()
    name: str
    upper: Size
    body: Size

    def parts(self) -> tuple[Size, ...]:
        return self.upper, self.body

    def names(self) -> frozenset[str]:
        if self._names is None:
            object.__setattr__(self, "_names", self.upper.names() | (self.body.names() - {self.name}))
        return self._names  # type: ignore[return-value]  # set above

    def inside(self, values: Mapping[str, Size]) -> Mapping[str, Size]:
        """What names are replaced by in the body."""
        return {k: v for k, v in values.items() if k != self.name} if self.name in values else values

    def evaluate(self, values: Values) -> Any:
        """The number, exact; `Unsummed` where that would take too long."""
        import numpy as np

        if not self.names():
            return self.found()
        used = {name: values[name] for name in self.names()}
        if any(isinstance(value, np.ndarray) and value.ndim for value in used.values()):
            return self._at_places(used)
        return self.substitute({name: Size.of(int(value)) for name, value in used.items()}).evaluate({})

    def _at_places(self, used: Values) -> Any:
        """The numbers at many places: the bodies at all of them together, those of each place brought together."""
        import numpy as np

        rows = np.broadcast_arrays(*(np.asarray(value, dtype=object) for value in used.values()))
        flat = {name: row.ravel() for name, row in zip(used, rows, strict=True)}
        count = rows[0].size
        uppers = np.broadcast_to(np.asarray(self.upper.evaluate(flat), dtype=object), (count,))
        lengths = np.array([self.least_length(int(one)) for one in uppers], dtype=object)
        if sum(lengths) > MOST_PLACES:
            raise Unsummed
        lengths = lengths.astype(np.int64)
        total = int(lengths.sum())
        starts = np.cumsum(lengths) - lengths
        inner = (np.arange(total) - np.repeat(starts, lengths) + 1).astype(object)
        given = {name: np.repeat(row, lengths) for name, row in flat.items()}
        body = np.broadcast_to(np.asarray(self.body.evaluate({**given, self.name: inner}), dtype=object), (total,))
        ends = zip(starts.tolist(), (starts + lengths).tolist(), strict=True)
        results = np.empty(count, dtype=object)
        results[:] = [self.together(body[start:end].tolist()) for start, end in ends]
        return results.reshape(rows[0].shape)

    def least_length(self, upper: int) -> int:
        """How many values the name takes."""
        return max(0, upper)

    # Each kind says these two itself.

    def found(self) -> Rational:
        """The value where no name is free."""
        raise NotImplementedError

    def together(self, values: list[Any]) -> Any:
        """What the values of the body come to."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True, eq=False)
class Sum(Iterated):
    """The sum of `body` for a name from 1 to `upper`, kept where no closed form is known."""

    name: str
    upper: Size
    body: Size

    def substitute(self, values: Mapping[str, Size]) -> Size:
        return sum_over(self.body.substitute(self.inside(values)), self.name, self.upper.substitute(values))

    def found(self) -> Rational:
        from tolang.ground.summing import total_of

        return total_of(self)

    def together(self, values: list[Any]) -> Any:
        return sum(values)

    def written(self) -> str:
        return f"sum({self.name}=1..{self.upper}, {self.body})"


@dataclass(frozen=True, slots=True, eq=False)
class Utmost(Iterated):
    """The greatest (`max`) or least (`min`) of `body` for a name from 1 to `upper`, which is at least 1."""

    kind: str
    name: str
    upper: Size
    body: Size

    def substitute(self, values: Mapping[str, Size]) -> Size:
        return utmost(self.kind, self.body.substitute(self.inside(values)), self.name, self.upper.substitute(values))

    def found(self) -> Rational:
        from tolang.ground.summing import utmost_of

        return utmost_of(self)

    def together(self, values: list[Any]) -> Any:
        return max(values) if self.kind == "max" else min(values)

    def least_length(self, upper: int) -> int:
        return max(1, upper)

    def written(self) -> str:
        return f"{self.kind}({self.name}=1..{self.upper}, {self.body})"


def utmost(kind: str, body: Size, name: str, upper: Size) -> Size:
    """The greatest or least value of a size for a name from 1 to `upper`: a number where it is found to be one.

    What does not move stands outside.
    """
    still: dict[Monomial, Rational] = {}
    moving: dict[Monomial, Rational] = {}
    for monomial, factor in body.terms.items():
        moves = any(a == name or (not isinstance(a, str) and name in a.names()) for a in monomial)
        (moving if moves else still)[monomial] = factor
    if not moving:
        return body
    scale = Size(moving).denominator
    atom = Utmost(kind, name, upper, Size(moving) * scale)
    found = Size.atom(atom)
    if not atom.names():
        with suppress(Unsummed):
            found = Size.of(atom.found())
    return Size(still) + found * Fraction(1, scale)


def sum_over(body: Size, name: str, upper: Size) -> Size:
    """The sum of a size for a name running from 1 to `upper`: closed where polynomial in the name, else a `Sum`."""
    if name not in body.names():
        return body * upper
    total = ZERO
    for monomial, factor in body.terms.items():
        moving = tuple(a for a in monomial if a == name or (not isinstance(a, str) and name in a.names()))
        still = Size({tuple(a for a in monomial if a not in moving): factor})
        if all(a == name for a in moving):
            total = total + still * power_sum(len(moving), upper)
        else:
            total = total + still * _open_sum(moving, name, upper)
    return total


def _open_sum(moving: Monomial, name: str, upper: Size) -> Size:
    """The sum of a product that is no power of the name; a case distinction that does not depend on it goes outside."""
    for position, atom in enumerate(moving):
        if isinstance(atom, Choice) and name not in atom.condition.names():
            rest = Size({moving[:position] + moving[position + 1 :]: 1})
            branches = (sum_over(branch * rest, name, upper) for branch in (atom.then, atom.otherwise))
            return choice(atom.condition, *branches)
    return Size.atom(Sum(name, upper, Size({moving: 1})))


def power_sum(power: int, upper: Size) -> Size:
    """1^p + 2^p + … + upper^p, by Faulhaber's formula."""
    return sum((upper ** (power + 1 - k) * factor for k, factor in enumerate(faulhaber(power)) if factor), ZERO)


def range_sum(body: Size, name: str, low: Size, high: Size) -> Size:
    """The sum of a polynomial of a name from `low` to `high`, which are any sizes with low <= high + 1."""
    by_power: dict[int, dict[Monomial, Rational]] = {}
    for monomial, factor in body.terms.items():
        rest = tuple(atom for atom in monomial if atom != name)
        by_power.setdefault(len(monomial) - len(rest), {})[rest] = factor
    total = ZERO
    for power, terms in by_power.items():
        if power == 0:
            total = total + Size(terms) * (high - low + 1)
        else:
            before = ZERO if low == ONE else power_sum(power, low - 1)
            total = total + Size(terms) * (power_sum(power, high) - before)
    return total
