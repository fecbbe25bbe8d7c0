"""Arrays of Dask: regions are computed by Dask where they are needed; on a cluster its own blocks are taken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

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
