"""Data from outside as columns, whoever holds it: Python, NumPy, Arrow, or a library that speaks DLPack.

Arrow is imported only when its data comes.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from tolang.ground.reporting.diagnostics import ToLangError
from tolang.ground.reporting.faults import fault
from tolang.ground.values.arrays import array_columns, nested_columns
from tolang.ground.values.columns import Columns
from tolang.ground.values.libraries import library_of


def read(data: Any, name: str | None = None) -> Columns:
    """The columns of whatever holds data; the ToL is named in errors where a name is given."""
    if isinstance(data, Columns):
        return data
    if isinstance(data, np.ndarray):
        return array_columns(data)
    if isinstance(data, np.generic):
        return array_columns(np.asarray(data))
    if isinstance(data, tuple) and any(_is_array(one) for one in data):
        return Columns.list_of([read(one, name) for one in data])
    if isinstance(data, bool | int | float | complex | str | list | tuple | Fraction):
        return nested_columns(data)
    try:
        found = _exchanged(data)
    except ToLangError:
        raise
    except Exception as error:  # whatever another library raises where it is asked for its data
        raise fault("E502", f"{name or 'the data'} ({type(data).__name__}) cannot be read here: {error}") from error
    if found is not None:
        return found
    raise fault(
        "E502",
        f"{name or 'the data'} is a {type(data).__name__}, which is not data of a ToL",
        expected="a number, text, a nested list, or an array of NumPy, Arrow or DLPack",
    )


def _exchanged(data: Any) -> Columns | None:
    """Data of another library, by a protocol of exchange that it speaks; None where it speaks none."""
    if speaks_arrow(data):
        from tolang.ground.values.arrow import arrow_columns

        return arrow_columns(data)
    library = library_of(type(data))
    if library is not None:
        return array_columns(library.taken(data))
    if hasattr(data, "__dlpack__"):
        return array_columns(np.from_dlpack(data))  # shared and not copied, if it lies in the memory of this machine
    if hasattr(data, "__array__"):
        return array_columns(np.asarray(data))
    return None


def _is_array(one: Any) -> bool:
    return isinstance(one, Columns | list) or (hasattr(one, "__array__") and not isinstance(one, np.generic))


def speaks_arrow(data: Any) -> bool:
    """Whether data comes from Arrow, or from a library that gives it to Arrow."""
    kind = type(data)
    if issubclass(kind, Columns):
        return False
    own = kind.__module__.partition(".")[0] == "pyarrow"
    return own or hasattr(kind, "__arrow_c_stream__") or hasattr(kind, "__arrow_c_array__")
