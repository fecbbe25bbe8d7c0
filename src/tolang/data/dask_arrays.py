"""Arrays and frames of Dask: regions are computed by Dask where they are needed; on a cluster its own blocks are taken.

A column of a frame is an array of Dask, with a block for each of the frame's partitions.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any, ClassVar

import numpy as np

from tolang.core.types import Type
from tolang.data.tables import select
from tolang.ground.dataclasses import dataclass
from tolang.ground.reporting.diagnostics import usage
from tolang.ground.values.casting import Array
from tolang.ground.values.membership import refuse_outsiders
from tolang.ground.values.spaces import Column

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


def dask_frame(names: Sequence[str], columns: Sequence[Any]) -> Any:
    """A frame of Dask of arrays of it that have one length; its partitions are the blocks of the first."""
    from dask import delayed

    try:
        import dask.dataframe
    except ImportError:
        raise usage("E613", "frames of Dask need the package pandas", fix="pip install pandas") from None
    chunks = columns[0].chunks
    blocks = zip(*(one.rechunk(chunks).to_delayed() for one in columns), strict=True)
    starts = list(accumulate(chunks[0], initial=0))
    empty = _partition(tuple(names), 0, *(np.zeros(0, one.dtype) for one in columns))
    made = [delayed(_partition)(tuple(names), first, *parts) for first, parts in zip(starts, blocks, strict=False)]
    divisions = (*starts[:-1], starts[-1] - 1) if starts[-1] else None
    return dask.dataframe.from_delayed(made, meta=empty, divisions=divisions, verify_meta=False)


def _partition(names: tuple[str, ...], first: int, *columns: Array) -> Any:
    """Rows as a frame of pandas, numbered on from a first one."""
    import pandas

    rows = pandas.RangeIndex(first, first + len(columns[0]))
    return pandas.DataFrame(dict(zip(names, columns, strict=True)), index=rows)
