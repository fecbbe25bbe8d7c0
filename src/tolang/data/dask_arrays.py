"""Arrays and frames of Dask: regions are computed by Dask where they are needed; on a cluster its own blocks are taken.

A column of a frame is an array of Dask, with a block for each of the frame's partitions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from tolang.core.types import Type
from tolang.data.tables import select
from tolang.ground.casting import Array
from tolang.ground.membership import refuse_outsiders
from tolang.ground.spaces import Column

Interval = tuple[int, int]


def is_dask_array(data: Any) -> bool:
    """Whether something is an array of Dask; nothing of it is imported for that."""
    return type(data).__module__.startswith("dask.array") and hasattr(data, "chunks")


@dataclass(frozen=True, slots=True)
class DaskArray:
    """An array of Dask; values that its `column` asks something of are held against it as they are read."""

    array: Any
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    name: str = ""
    column: Column | None = None

    is_shared: ClassVar[bool] = False

    def read(self, region: Sequence[Interval]) -> Array:
        return self.checked(self.array[tuple(slice(low - 1, max(low - 1, high)) for low, high in region)].compute())

    def checked(self, block: Array) -> Array:
        """A block that is held against what is asked of it."""
        found = np.ascontiguousarray(block)
        if self.column is not None:
            refuse_outsiders(found, self.column, self.name, exactly=True)
        return found.astype(self.dtype, copy=False)


@dataclass(frozen=True, slots=True)
class DaskTable:
    """A frame of Dask as an input: its length, and a column for each component."""

    shape: tuple[int, ...]
    columns: tuple[DaskArray, ...]

    @property
    def dtypes(self) -> tuple[np.dtype[Any], ...]:
        return tuple(one.dtype for one in self.columns)


def is_dask_frame(data: Any) -> bool:
    """Whether something is a frame of Dask, or a column of one."""
    return type(data).__module__.startswith("dask.dataframe") and hasattr(data, "npartitions")


def dask_table(data: Any, name: str, wanted: Type) -> DaskTable | None:
    """A frame for an input of a type; columns go to components by name.  None where it is not of plain numbers."""
    if wanted.rank != 1:
        return None
    frame = data if data.ndim == 2 else data.to_frame(name=data.name or name)
    labels = [str(one) for one in frame.columns]
    selection = select("the frame", labels, len(labels), wanted, name)
    kinds = [frame.dtypes.iloc[position] for position in selection.positions]
    if not all(isinstance(kind, np.dtype) and kind.kind in "biuf" for kind in kinds):
        return None
    lengths = tuple(int(one) for one in frame.map_partitions(len).compute())
    columns = [
        DaskArray(frame.iloc[:, [position]].to_dask_array(lengths=lengths)[:, 0], (sum(lengths),), kind)
        for position, kind in zip(selection.positions, kinds, strict=True)
    ]
    return DaskTable((sum(lengths),), tuple(columns))
