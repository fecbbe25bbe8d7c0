"""ToLs of terms: what an expression of the core is while it is written out, and how joins and embeddings make it whole.

A `Grid` holds one array of numeric terms for each component of its lists, as a ToL holds one array of numbers.  Taking
parts, reshaping and joining rearrange these arrays and make no terms; `whole` is the one composition that stands for
all of it, built as Theorem Two does: lists by ⋈̄, then along the first dimension by ⋈, then Ξ and along the next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import numpy as np

from tolang.ground.dataclasses import dataclass, field
from tolang.ground.reporting.diagnostics import Diagnostic, Span, ToLangUsageError
from tolang.ground.values.casting import cast
from tolang.ground.values.spaces import Column, dtype_of
from tolang.ground.values.values import ToL, allocate
from tolang.readings.atoms.terms import ConstantTerm, EmbedTerm, JoinList, JoinTerm, MemberPrime, MemberTerm, Term

Cells = np.ndarray[Any, Any]
"""An array of numeric terms."""

LIMIT = 200_000
"""How many terms a composition may have."""


@dataclass(slots=True)
class Grid:
    """A ToL of terms.  `term` is the composition of all of it, where it is known."""

    arrays: list[Cells]
    term: Term | None = field(default=None, repr=False)

    @property
    def shape(self) -> tuple[int, ...]:
        shape: tuple[int, ...] = self.arrays[0].shape
        return shape

    def spread(self, capacity: int) -> list[Cells]:
        """The components; blank zeros of one component stand for lists of any capacity."""
        return self.arrays if len(self.arrays) == capacity else self.arrays * capacity

    def numeric(self) -> Term:
        """The term of a ToL that is a numeric."""
        return term_at(self.arrays[0], ())


def term_at(cells: Cells, index: tuple[int, ...]) -> Term:
    """The term at an index (from 0)."""
    term: Any = cells[index]
    assert isinstance(term, Term)
    return term


def indices(shape: tuple[int, ...]) -> Iterable[tuple[int, ...]]:
    """All indices (from 0) of a shape, the last running fastest."""
    return () if 0 in shape else np.ndindex(shape)


def cells_of(shape: tuple[int, ...], make: Callable[[tuple[int, ...]], Term]) -> Cells:
    """An array of terms, each made from its coordinates (from 1)."""
    array = np.empty(shape, dtype=object)
    for index in indices(shape):
        array[index] = make(tuple(one + 1 for one in index))
    return array


def filled(term: Term, shape: tuple[int, ...]) -> Cells:
    """An array that holds one term everywhere, in the memory of one."""
    single = np.empty((), dtype=object)
    single[()] = term
    return np.broadcast_to(single, shape)


class Workshop:
    """Makes terms, counts them, and refuses to make more than a bound."""

    def __init__(self, limit: int = LIMIT) -> None:
        self.limit, self.made = limit, 0
        self._constants: dict[tuple[str, str, Column], ConstantTerm] = {}
        self._casts: dict[tuple[int, str], tuple[Term, Term]] = {}

    def refuse(self, number: int, span: Span | None = None) -> None:
        """Raise the error of a composition that is too large, before it is made."""
        if number > self.limit:
            raise ToLangUsageError(
                Diagnostic(
                    "E620",
                    "the program is too large to be written out in atomic computations",
                    span,
                    found=f"more than {number} terms" if number < 10**30 else "more terms than can be counted",
                    expected=f"at most {self.limit}",
                    fix="choose smaller sizes",
                )
            )

    def keep(self, term: Any) -> Any:
        """Counts a term that was made."""
        self.made += 1
        if self.made > self.limit:
            self.refuse(self.made)
        return term

    def constant(self, value: Any, kind: Column) -> Term:
        """A constant numeric in the storage of its column."""
        key = (type(value).__name__, repr(value), kind)
        if key not in self._constants:
            array = np.empty((), dtype=dtype_of(kind.storage))
            given = np.asarray(value, dtype=object if isinstance(value, str) else None)
            array[()] = cast(given, kind.storage)[()]
            self._constants[key] = self.keep(ConstantTerm(ToL([array], [kind])))
        return self._constants[key]

    def in_column(self, term: Term, kind: Column) -> Term:
        """A numeric in another storage: a constant is changed itself, another term is read as a member of the space."""
        if term.columns[0].storage == kind.storage:
            return term
        key = (id(term), str(kind))
        if key not in self._casts:
            if isinstance(term, ConstantTerm):
                changed = cast(term.value.columns[0], kind.storage, True)
                made: Term = self.keep(ConstantTerm(ToL([np.asarray(changed, dtype=dtype_of(kind.storage))], [kind])))
            else:
                made = self.keep(MemberTerm(term, (), (kind,)))
            self._casts[key] = (term, made)
        return self._casts[key][1]

    def in_columns(self, grid: Grid, columns: Sequence[Column]) -> Grid:
        """All numerics of a grid in the storages of a type list."""
        arrays = []
        for one, kind in zip(grid.spread(len(columns)), columns, strict=True):
            arrays.append(self.each(one, partial(self.in_column, kind=kind)))
        same = len(arrays) == len(grid.arrays) and all(a is b for a, b in zip(arrays, grid.arrays, strict=True))
        if 0 in grid.shape and grid.term is not None:
            same = [one.storage for one in grid.term.columns] == [one.storage for one in columns]
        return grid if same else Grid(arrays)

    def each(self, array: Cells, change: Callable[[Term], Term]) -> Cells:
        """An array with every term changed; the same array where none was."""
        if array.size and not any(array.strides):
            first = term_at(array, (0,) * array.ndim)
            changed = change(first)
            return array if changed is first else filled(changed, array.shape)
        result = np.empty(array.shape, dtype=object)
        same = True
        for index in indices(array.shape):
            result[index] = change(term_at(array, index))
            same = same and result[index] is array[index]
        return array if same else result

    def whole(self, grid: Grid, columns: Sequence[Column]) -> Term:
        """The one term that stands for a grid: lists by ⋈̄, then dimension after dimension by ⋈ and Ξ."""
        if grid.term is None:
            arrays = self.in_columns(grid, columns).arrays
            if 0 in grid.shape:
                empty = [allocate(grid.shape, c.storage) for c in columns]
                grid.term = self.keep(ConstantTerm(ToL(empty, columns)))
            else:
                self.refuse(self.made + arrays[0].size)
                grid.term = self._assembled(self.lists(arrays))
        return grid.term

    def lists(self, arrays: list[Cells]) -> Cells:
        """Components at the same coordinates joined to lists."""
        if len(arrays) == 1:
            return arrays[0]
        lists = np.empty(arrays[0].shape, dtype=object)
        for index in indices(lists.shape):
            lists[index] = self.keep(JoinList(tuple(term_at(one, index) for one in arrays)))
        return lists

    def _assembled(self, cells: Cells) -> Term:
        """Joined along the first dimension, embedded, joined along the next, to the last."""
        first = True
        while cells.ndim:
            joined = np.empty(cells.shape[1:], dtype=object)
            for index in indices(joined.shape):
                parts = [term_at(cells, (k, *index)) for k in range(cells.shape[0])]
                if not first:
                    parts = [self.keep(EmbedTerm(one)) for one in parts]
                elif len(parts) == 1:
                    parts = [self.keep(EmbedTerm(parts[0]))]
                joined[index] = parts[0] if len(parts) == 1 else self.keep(JoinTerm(tuple(parts)))
            cells, first = joined, False
        return term_at(cells, ())

    def components(self, term: Term) -> list[Term]:
        """The components of a list."""
        if len(term.columns) == 1:
            return [term]
        return [self.keep(MemberPrime(term, position)) for position in range(1, len(term.columns) + 1)]
