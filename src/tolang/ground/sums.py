"""Sums over a name: closed where the summand is a polynomial of the name, else an atom of its own.

A sum that is no polynomial stays as it is written, which is how people read it; at given sizes its value is found by
`summing` without going through the range.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tolang.ground.faulhaber import faulhaber
from tolang.ground.interning import Interned, Values
from tolang.ground.sizes import ONE, ZERO, Choice, Monomial, Rational, Size, choice


class Unsummed(Exception):
    """A sum whose exact value was not found with the effort that is allowed; `enclosure` has bounds of it."""


@dataclass(frozen=True, slots=True, eq=False)
class Sum(Interned):
    """The sum of `body` for a name from 1 to `upper`, kept where no closed form is known."""

    name: str
    upper: Size
    body: Size

    def parts(self) -> tuple[Size, ...]:
        return self.upper, self.body

    def names(self) -> frozenset[str]:
        if self._names is None:
            object.__setattr__(self, "_names", self.upper.names() | (self.body.names() - {self.name}))
        return self._names  # type: ignore[return-value]  # set above

    def substitute(self, values: Mapping[str, Size]) -> Size:
        inner = {k: v for k, v in values.items() if k != self.name} if self.name in values else values
        return sum_over(self.body.substitute(inner), self.name, self.upper.substitute(values))

    def evaluate(self, values: Values) -> Any:
        """The number, exact; `Unsummed` where that would take too long."""
        import numpy as np

        from tolang.ground.summing import total_of

        if not self.names():
            return total_of(self)
        used = {name: values[name] for name in self.names()}
        if any(isinstance(value, np.ndarray) and value.ndim for value in used.values()):
            rows = np.broadcast_arrays(*(np.asarray(value) for value in used.values()))
            points = zip(*(row.ravel().tolist() for row in rows), strict=True)
            results = [self.evaluate(dict(zip(used, point, strict=True))) for point in points]
            return np.array(results, dtype=object).reshape(rows[0].shape)
        return self.substitute({name: Size.of(int(value)) for name, value in used.items()}).evaluate({})

    def written(self) -> str:
        return f"sum({self.name}=1..{self.upper}, {self.body})"


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
