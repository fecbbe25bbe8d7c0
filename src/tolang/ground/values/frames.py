"""ToLs as data frames of pandas and Polars, one column a component; neither is imported before it is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from tolang.ground.reporting.faults import fault, shape_text
from tolang.ground.values.arrays import field_names
from tolang.ground.values.casting import Array
from tolang.ground.values.columns import Columns
from tolang.ground.values.spaces import NARROW_FLOATS


def _library(name: str) -> Any:
    """A library of data frames, or an error that says what to install."""
    try:
        return import_module(name)
    except ImportError as error:
        raise fault("E512", f"a data frame of {name} needs the package {name}", fix=f"pip install {name}") from error


def pandas_frame(value: Columns) -> Any:
    """A frame of pandas; exact numbers stay Python's, narrow floats, which pandas has not, become f32."""
    pandas = _library("pandas")
    columns = {}
    for name, storage, array in _columns(value):
        column = pandas.Series(array.astype(np.float32) if storage in NARROW_FLOATS else array)
        columns[name] = column.infer_objects() if storage == "text" else column
    return pandas.DataFrame(columns)


def polars_frame(value: Columns) -> Any:
    """A frame of Polars; what it has no type for is an error."""
    polars = _library("polars")
    columns = {}
    for name, storage, array in _columns(value):
        if storage in ("rational", "integer", *NARROW_FLOATS) or array.dtype.kind == "c":
            message = f"Polars has no type for the component {name} in the storage {storage}"
            raise fault("E512", message, fix="convert it to R, or complex numbers to [R,R]")
        columns[name] = polars.Series(name, array.tolist() if storage == "text" else array,
                                      dtype=polars.String if storage == "text" else None)  # fmt: skip
    return polars.DataFrame(columns)


def _columns(value: Columns) -> list[tuple[str, str, Array]]:
    """The name, the storage and the array of each component; a frame has one dimension, and a single list is a row."""
    if value.dimension > 1:
        message = f"a data frame has one dimension, and the value has the shape {shape_text(value.shape)}"
        raise fault("E512", message, fix="take a part of it, as value[0] or value[:, 0]")
    arrays = [one.reshape(-1) for one in value.columns]
    return [(n, s.storage, a) for n, s, a in zip(field_names(value), value.spaces, arrays, strict=True)]
