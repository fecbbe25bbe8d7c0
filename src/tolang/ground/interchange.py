"""Values of other libraries as ToLs, and ToLs as theirs: NumPy, Arrow, DLPack.

Arrow is imported only when its data comes or is asked for.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tolang.ground.casting import Array
from tolang.ground.diagnostics import ToLangError, ToLangRunError
from tolang.ground.faults import check_shape, fault, first_true, place_text
from tolang.ground.nested import missing_fault, read_column, read_nested
from tolang.ground.spaces import Column, dtype_of
from tolang.ground.values import ToL, column_of_array


def read(data: Any, name: str | None = None) -> ToL:
    """A ToL from whatever holds data; the ToL is named in errors where a name is given."""
    if isinstance(data, ToL):
        return data
    if isinstance(data, np.ndarray):
        return from_numpy(data)
    if isinstance(data, np.generic):
        return from_numpy(np.asarray(data))
    if isinstance(data, tuple) and any(_is_array(one) for one in data):
        return ToL.list_of([read(one, name) for one in data])
    if isinstance(data, bool | int | float | complex | str | list | tuple) or _is_fraction(data):
        return read_nested(data)
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
        f"{name or 'the data'} is a {type(data).__name__}, which is no data of a ToL",
        expected="a number, text, a nested list, or an array of NumPy, Arrow or DLPack",
    )


def _exchanged(data: Any) -> ToL | None:
    """Data of another library, by a protocol of exchange that it speaks; None where it speaks none."""
    if _speaks_arrow(data):
        from tolang.ground.arrow import from_arrow

        return from_arrow(data)
    if hasattr(data, "__dlpack__"):
        return from_numpy(np.from_dlpack(data))  # shared and not copied, if it lies in the memory of this machine
    if hasattr(data, "__array__"):
        return from_numpy(np.asarray(data))
    return None


def _is_array(one: Any) -> bool:
    return isinstance(one, ToL | list) or (hasattr(one, "__array__") and not isinstance(one, np.generic))


def _is_fraction(data: Any) -> bool:
    from fractions import Fraction

    return isinstance(data, Fraction)


def _speaks_arrow(data: Any) -> bool:
    own = type(data).__module__.split(".")[0] == "pyarrow"
    return own or hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__")


def from_numpy(array: Array) -> ToL:
    """A plain array, a structured array (its fields are the components), or an array of objects."""
    refuse_masked(array)
    check_shape(array.shape)
    if array.dtype.names is not None:
        return ToL.list_of([_field(array, label) for label in array.dtype.names])
    native = _native(array)
    found = column_of_array(native)
    if found is None:
        return _from_objects(native)
    if found.storage == "text":
        return ToL((_texts(native),), (found,))
    return ToL((native,), (found,))


def refuse_masked(data: Any) -> None:
    """Raise the error of an array that has a mask, which nothing but NumPy's own functions would look at."""
    if isinstance(data, np.ma.MaskedArray):
        fix = "fill it, as in x.filled(0), or pass a truth value beside each element"
        raise fault("E511", "the array has a mask, and a ToL misses no values", fix=fix)


LAST_CHARACTER = 0x10FFFF


def _texts(array: Array) -> Array:
    """Text as Python has it; what stands for a missing one, or is a character that Unicode has not, is an error."""
    if array.dtype.kind == "U" and array.size and array.itemsize:
        codes = np.ascontiguousarray(array).reshape(-1).view(np.uint32).reshape(array.size, -1)
        beyond = np.asarray((codes > LAST_CHARACTER).any(axis=1))
        if beyond.any():
            place = place_text(first_true(beyond), array.shape)
            raise fault("E502", f"the text{place} has a character that Unicode has not")
    texts = array.astype(object)
    if array.dtype.kind == "T":
        missing = np.fromiter((not isinstance(one, str) for one in texts.reshape(-1)), bool, texts.size)
        if missing.any():
            raise missing_fault(place_text(first_true(missing), array.shape))
    return texts


def _field(array: Array, label: str) -> ToL:
    """One field of a structured array, named by it: a view, where its bytes are in this machine's order."""
    part = array[label]
    if part.ndim != array.ndim or part.dtype.names is not None:
        raise fault("E502", f"the field {label} is itself structured or an array", expected="fields of single numerics")
    value = from_numpy(part)
    return ToL(value.columns, (_named(value.spaces[0], label),))


def _named(one: Column, name: str | None) -> Column:
    return Column(one.space, one.storage, one.weak, name)


SHORT_INTEGERS = {"int2": np.int8, "int4": np.int8, "uint2": np.uint8, "uint4": np.uint8}
"""The integers of ml_dtypes that are shorter than a byte, and what holds their values."""


def _native(array: Array) -> Array:
    """The array as NumPy's own class, in this machine's byte order, integers in 8 bits at least; copied only if not."""
    plain = np.asarray(array)
    if plain.dtype.name in SHORT_INTEGERS:
        return plain.astype(SHORT_INTEGERS[plain.dtype.name])
    return plain if plain.dtype.isnative else plain.astype(plain.dtype.newbyteorder("="))


def _from_objects(array: Array) -> ToL:
    """Objects are read as a nested list's elements are; other types hold no numerics."""
    if array.dtype != object:
        raise _no_storage(array)
    values = array.reshape(-1).tolist()
    if any(isinstance(one, tuple | list) for one in values):
        return read_nested(array.tolist())
    column_array, one = read_column(values, array.shape)
    return ToL((column_array,), (one,))


def _no_storage(array: Array) -> ToLangRunError:
    return fault(
        "E502",
        f"an array of {array.dtype} holds no numerics of ToLang",
        expected="truth values, integers and floats of up to 64 bits, complex numbers or text",
        fix="convert it first, for instance to float64",
    )


def to_numpy(value: ToL) -> Array:
    """The array of a ToL of capacity 1; a structured array otherwise, fields named as the components are."""
    if value.capacity == 1:
        return value.columns[0]
    labels = field_names(value)
    records = np.empty(value.shape, dtype=[(n, dtype_of(s.storage)) for n, s in zip(labels, value.spaces, strict=True)])
    for label, array in zip(labels, value.columns, strict=True):
        records[label] = array
    return records


def field_names(value: ToL) -> list[str]:
    """A name for each component: its own, or `f1`, `f2` and so on, as far as these are free."""
    labels = [one or f"f{position}" for position, one in enumerate(value.names, start=1)]
    if len(set(labels)) != len(labels):
        return [f"f{position}" for position in range(1, len(labels) + 1)]
    return labels


def to_arrow(value: ToL) -> Any:
    """An Arrow array, or a table for lists; see `arrow.py`."""
    from tolang.ground.arrow import to_arrow as written

    return written(value)
