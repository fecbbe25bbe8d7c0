"""Values of other libraries as ToLs: NumPy and Arrow, each for whoever knows which of them it has."""

from __future__ import annotations

from typing import Any

from tolang.ground.values.arrays import array_columns
from tolang.ground.values.casting import Array
from tolang.ground.values.values import ToL, tol_of


def from_numpy(array: Array) -> ToL:
    """A plain array, a structured array (its fields are the components), or an array of objects."""
    return tol_of(array_columns(array))


def from_arrow(data: Any) -> ToL:
    """An Arrow array, chunked array, table, record batch or scalar, or what the Arrow C interface offers."""
    from tolang.ground.values.arrow import arrow_columns  # only where there is data of Arrow

    return tol_of(arrow_columns(data))
