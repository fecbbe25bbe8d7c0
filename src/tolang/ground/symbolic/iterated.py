"""What is made of a size for all values of a name: the ground of sums, and of greatest and least values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tolang.ground.interning import Values
from tolang.ground.symbolic.sizes import Interned, Rational, Size

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

    @property
    def extreme(self) -> str | None:
        """`max` or `min` where it is the greatest or least value; None where it is the sum."""
        return None

    # Each kind says these two itself.

    def found(self) -> Rational:
        """The value where no name is free."""
        raise NotImplementedError

    def together(self, values: list[Any]) -> Any:
        """What the values of the body come to."""
        raise NotImplementedError
