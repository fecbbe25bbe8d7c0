"""Records in memory as tables of which regions are read: each field is taken out of their midst as it is needed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from tolang.core.types import Type
from tolang.ground.dataclasses import dataclass
from tolang.ground.reporting.diagnostics import ToLangError
from tolang.ground.values.casting import Array
from tolang.ground.values.membership import refuse_outsiders
from tolang.ground.values.records import FEWEST
from tolang.ground.values.spaces import Column

Interval = tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class FieldArray:
    """A field of records; values that its `column` asks something of are held against it as they are read."""

    array: np.ndarray[Any, np.dtype[Any]]
    name: str = ""
    column: Column | None = None

    is_shared: ClassVar[bool] = False

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.array.shape)

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.array.dtype

    def read(self, region: Sequence[Interval]) -> Array:
        """The elements of a region, one after the other."""
        found = np.ascontiguousarray(self.array[tuple(slice(low - 1, max(low - 1, high)) for low, high in region)])
        if self.column is not None:
            try:
                refuse_outsiders(found, self.column, self.name, exactly=True)
            except ToLangError:
                refuse_outsiders(self.array, self.column, self.name, exactly=True)  # which tells where it is in all
                raise
        return found

    def whole(self) -> Array:
        return self.read([(1, length) for length in self.shape])


@dataclass(frozen=True, slots=True)
class FieldTable:
    """Records as an input: how many, and a field for each component."""

    shape: tuple[int, ...]
    columns: tuple[FieldArray, ...]

    @property
    def dtypes(self) -> tuple[np.dtype[Any], ...]:
        return tuple(one.dtype for one in self.columns)


def field_table(data: Any, wanted: Type) -> FieldTable | None:
    """Records for an input of a type, their fields by name; None where they are few, or other than plain numbers."""
    if type(data) is not np.ndarray or not data.dtype.names or data.ndim != wanted.rank or wanted.rank != 1:
        return None
    labels, names = data.dtype.names, [one.name for one in wanted.columns]
    if len(data) < FEWEST or len(names) < 2 or not {*names} <= {*labels}:
        return None
    fields = [data[name] for name in names if name is not None]
    plain = all(one.ndim == 1 and one.dtype.kind in "biuf" and one.dtype.isnative for one in fields)
    return FieldTable(data.shape, tuple(map(FieldArray, fields))) if plain else None
