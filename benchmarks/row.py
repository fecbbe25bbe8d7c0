"""One row of the benchmarks: a program in ToLang, its data, and the same computation by each peer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import tolang
from tolang.ground.dataclasses import dataclass, field

Array = np.ndarray[Any, Any]
Run = Callable[[], Any]
Competitor = Callable[..., Run]
"""Takes the data of a row and gives what is timed; conversions and, where a row allows it, compilation come before."""


@dataclass(frozen=True)
class Row:
    """A computation that several libraries can do.

    `data` makes the inputs from a generator of random numbers and the sizes; `reference` computes the result with
    NumPy and is a competitor too, unless the row is `fresh`.  Results may differ from the reference by `tolerance`,
    relative to its greatest magnitude, and altogether in a fraction `mismatches` of the elements (counts of iterations
    that a last bit decides).  The target is the speed relative to the best of `against`, all peers if it names none.
    Where `within` is given, the target is that time instead, in seconds.
    With `fixed`, places of inputs, these are the same in all calls, as the weights of a model are.
    With `by`, places of inputs, the result is the program's `loss` and its gradient by these.
    A `fresh` row times the first call of a new program: `{fresh}` in its source is a new number each time.
    """

    name: str
    source: str
    data: Callable[..., tuple[Array, ...]]
    sizes: tuple[int, ...]
    tiny: tuple[int, ...]
    reference: Callable[..., Any]
    operations: Callable[..., float]
    target: float
    peers: Mapping[str, Competitor] = field(default_factory=dict)
    against: tuple[str, ...] = ()
    tolerance: float = 1e-4
    mismatches: float = 0.0
    by: tuple[int, ...] = ()
    fixed: tuple[int, ...] = ()
    fresh: bool = False
    within: float | None = None

    def inputs(self, sizes: tuple[int, ...]) -> tuple[Array, ...]:
        """The same data for every competitor, thread count and run."""
        return self.data(np.random.default_rng(7), *sizes)

    def program(self) -> tolang.Program:
        """What is run: compiled code without falling back to the interpreter."""
        found = tolang.compile(self.source, engine="cpu", fallback=False)
        names = list(found.inputs)
        return found.gradient("loss", [names[place] for place in self.by], value=True) if self.by else found


def arrays_of(result: Any) -> list[Array]:
    """A result of any competitor as NumPy arrays, in order."""
    if isinstance(result, Mapping):
        result = tuple(result.values())
    parts = result if isinstance(result, tuple | list) else (result,)
    return [np.asarray(part) for part in parts]


def difference(result: Any, expected: Any, row: Row) -> str | None:
    """Why a result is not the expected one, or None where it is."""
    found, wanted = arrays_of(result), arrays_of(expected)
    if len(found) != len(wanted):
        return f"{len(found)} results instead of {len(wanted)}"
    for one, other in zip(found, wanted, strict=True):
        if one.shape != other.shape:
            return f"shape {one.shape} instead of {other.shape}"
        exact = other.astype(np.float64)
        allowed = row.tolerance * max(1.0, float(np.abs(exact[np.isfinite(exact)]).max(initial=0)))
        wrong = ~np.isclose(one.astype(np.float64), exact, rtol=0, atol=allowed, equal_nan=True)
        if wrong.mean() > row.mismatches:
            place = np.unravel_index(int(wrong.argmax()), wrong.shape)
            where = tuple(int(k) + 1 for k in place)
            return (
                f"{wrong.mean():.2%} of the elements differ, first at {where}: {one[place]} instead of {other[place]}"
            )
    return None
