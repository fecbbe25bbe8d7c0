"""`convert`: the same values in another space.

Conversion rounds to inexact storages, needs whole values for whole numbers, never wraps, and checks membership of the
target: an error names the value, its coordinates and the space.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tolang.ground.dataclasses import replace
from tolang.ground.reporting.faults import fault
from tolang.ground.values.casting import Array, cast
from tolang.ground.values.membership import component_name, refuse_other_capacity, refuse_outsiders
from tolang.ground.values.spaces import Column, column
from tolang.ground.values.values import ToL


def convert(array: Array, source: Column, target: Column, name: str | None = None) -> Array:
    """One component in the space and storage of `target`; `name` is what an error calls the ToL."""
    if (source.space.family == "S") != (target.space.family == "S"):
        raise fault("E402", f"{source.space} does not convert to {target.space}: text and numbers share no space")
    array = np.asarray(array)
    refuse_outsiders(array, target, name)
    return cast(array, target.storage)


def convert_lists(value: ToL, columns: Sequence[Column], name: str | None = None) -> ToL:
    """Every component in the space of its column; `[C]` splits into `[R,R]`, and these join into `[C]`."""
    arrays, spaces = list(value.columns), list(value.spaces)
    if value.capacity == 1 and len(columns) == 2 and spaces[0].space.family in ("C", "I"):
        part = column("R", "f32" if spaces[0].storage == "c64" else "f64")
        arrays, spaces = [arrays[0].real, arrays[0].imag], [part, part]
    elif value.capacity == 2 and len(columns) == 1 and columns[0].space.family in ("C", "I"):
        arrays, spaces = [_complex_of(value, columns[0], name)], [columns[0]]
    else:
        refuse_other_capacity(value, columns, name)
    converted = [
        convert(array, source, target, component_name(name, position, columns))
        for position, (array, source, target) in enumerate(zip(arrays, spaces, columns, strict=True))
    ]
    return ToL(converted, [replace(one, weak=False) for one in columns])


def _complex_of(value: ToL, target: Column, name: str | None) -> Array:
    """Complex numbers from a real and an imaginary part; infinite parts keep to themselves."""
    half = column("R", "f32" if target.storage == "c64" else "f64")
    parts = [
        convert(array, source, half, component_name(name, position, value.spaces))
        for position, (array, source) in enumerate(zip(value.columns, value.spaces, strict=True))
    ]
    joined = np.empty(value.shape, dtype=np.complex64 if target.storage == "c64" else np.complex128)
    joined.real, joined.imag = parts
    return joined
