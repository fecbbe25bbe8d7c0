"""NumPy arrays and nested Python lists as columns of ToLs, and columns as NumPy arrays.

A list may hold arrays, and an array of objects nested lists; so both are read here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tolang.ground.reporting.diagnostics import ToLangRunError
from tolang.ground.reporting.faults import check_shape, coordinates_text, fault, first_true, place_text
from tolang.ground.values.casting import Array
from tolang.ground.values.columns import Columns, column_of_array, default_column
from tolang.ground.values.nested import missing_fault, read_column, read_lists, unnest
from tolang.ground.values.spaces import NARROW_FLOATS, Column, dtype_of


def array_columns(array: Array) -> Columns:
    """A plain array, a structured array (its fields are the components), or an array of objects."""
    refuse_masked(array)
    check_shape(array.shape)
    if array.dtype.names is not None:
        return Columns.list_of([_field(array, label) for label in array.dtype.names])
    native = _native(array)
    found = column_of_array(native)
    if found is None:
        return _from_objects(native)
    if found.storage == "text":
        return Columns((_texts(native),), (found,))
    return Columns((native,), (found,))


def refuse_masked(data: Any) -> None:
    """Raise the error of an array that has a mask, which nothing but NumPy's own functions would look at."""
    if type(data) is not np.ndarray and isinstance(data, np.ma.MaskedArray):  # of which NumPy learns when asked
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
    if array.dtype.kind == "T" and array.size and set(map(type, texts.reshape(-1).tolist())) != {str}:
        missing = np.fromiter((not isinstance(one, str) for one in texts.reshape(-1)), bool, texts.size)
        raise missing_fault(place_text(first_true(missing), array.shape))
    return texts


def _field(array: Array, label: str) -> Columns:
    """One field of a structured array, named by it: a view, where its bytes are in this machine's order."""
    part = array[label]
    if part.ndim != array.ndim or part.dtype.names is not None:
        raise fault("E502", f"the field {label} is itself structured or an array", expected="fields of single numerics")
    value = array_columns(part)
    return Columns(value.columns, (_named(value.spaces[0], label),))


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


def _from_objects(array: Array) -> Columns:
    """Objects are read as a nested list's elements are; other types hold no numerics."""
    if array.dtype != object:
        raise _no_storage(array)
    values = array.reshape(-1).tolist()
    types = set(map(type, values))
    if types == {str}:
        return Columns((array,), (default_column("text"),))
    if any(issubclass(one, tuple | list) for one in types):
        return nested_columns(array.tolist())
    column_array, one = read_column(values, array.shape, types=types)
    return Columns((column_array,), (one,))


def _no_storage(array: Array) -> ToLangRunError:
    return fault(
        "E502",
        f"an array of {array.dtype} holds no numerics of ToLang",
        expected="truth values, integers and floats of up to 64 bits, complex numbers or text",
        fix="seconds since 1970: a.astype('datetime64[s]').astype('int64')"
        if array.dtype.kind == "M"
        else "convert it first, for instance to float64",
    )


def to_numpy(value: Columns, named_by_numpy: bool = False) -> Array:
    """The array of a ToL of capacity 1; a structured array otherwise, fields named as the components are.

    If asked to, narrow floats become f32: NumPy itself has no names for their types.
    """
    if value.capacity == 1:
        return np.asarray(value.columns[0])
    labels = field_names(value)
    storages = ["f32" if named_by_numpy and s.storage in NARROW_FLOATS else s.storage for s in value.spaces]
    records = np.empty(value.shape, dtype=[(n, dtype_of(s)) for n, s in zip(labels, storages, strict=True)])
    for label, array in zip(labels, value.columns, strict=True):
        records[label] = array
    return records


def field_names(value: Columns) -> list[str]:
    """A name for each component: its own, or `f1`, `f2` and so on, as far as these are free."""
    labels = [one or f"f{position}" for position, one in enumerate(value.names, start=1)]
    if len(set(labels)) != len(labels):
        return [f"f{position}" for position in range(1, len(labels) + 1)]
    return labels


def nested_columns(data: Any) -> Columns:
    """A value from a Python numeric, a tuple, or nested lists of them."""
    level, shape, types = unnest(data)
    if types and all(issubclass(one, np.ndarray | Columns) for one in types):
        return _stacked(level, shape)
    if any(issubclass(one, tuple) for one in types):
        return read_lists(level, shape, types)
    array, one = read_column(level, shape, types=types)
    return Columns((array,), (one,))


def _stacked(level: list[Any], shape: tuple[int, ...]) -> Columns:
    """Lists of arrays: all of one shape, stacked below the shape of the brackets."""
    parts = [array_columns(one) if isinstance(one, np.ndarray) else one for one in level]
    first = parts[0]
    for index, part in enumerate(parts):
        if part.shape != first.shape or part.capacity != first.capacity:
            where, start = coordinates_text(index, shape), coordinates_text(0, shape)
            raise fault("E503", f"the data is ragged: the arrays {where} and {start} differ in shape or capacity")
    arrays = [np.stack(group).reshape(shape + first.shape) for group in zip(*(p.columns for p in parts), strict=True)]
    columns = [column_of_array(array, one.name) or one for array, one in zip(arrays, first.spaces, strict=True)]
    return Columns(arrays, columns)
