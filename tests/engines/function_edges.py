"""The edges of every storage, and which functions take which: what the table of functions is tested on."""

from __future__ import annotations

import math
from typing import Any

import ml_dtypes
import numpy as np
from tests.engines.functions_judge import KINDS, REFUSED, TRANSCENDENT, is_whole, judged

from tolang.ground.values.functions import FUNCTIONS, SpaceMismatch, result_column
from tolang.ground.values.spaces import Column, column, dtype_of

Array = np.ndarray[Any, Any]
Kinds = tuple[str, ...]
NAMES = {count: [f for f, row in FUNCTIONS.items() if count in row.arity and f != "rand"] for count in (1, 2)}
UNITS = 3
"""How far a transcendent function may be from another, in units of the last place: two each way, less what is shared."""
FEW = (0, 1, 2, 3, 7, 2**53 + 1, 2**63 - 1, 2**63, 2**64 - 1)


def space_of(kind: str) -> str:
    return "B" if kind == "bool" else kind


def columns_of(kinds: Kinds) -> tuple[Column, ...]:
    return tuple(column(space_of(kind)) for kind in kinds)


def result_of(function: str, kinds: Kinds) -> Column | None:
    """The column of a function's result on some kinds; None where it does not take them."""
    try:
        return result_column(function, columns_of(kinds))
    except SpaceMismatch:
        return None


def functions_on(kinds: Kinds) -> list[str]:
    """The functions of some kinds whose results are numbers."""
    numbers = [f for f in NAMES[len(kinds)] if FUNCTIONS[f].kind != "text"]
    return [f for f in numbers if result_of(f, kinds) is not None]


def edges(kind: str, few: bool = False) -> Array:
    """Numbers of a kind at which functions go wrong, all of them or a few."""
    made = KINDS[kind]
    if kind == "bool":
        return np.array([False, True])
    if is_whole(kind):
        info = np.iinfo(made)
        more = () if few else (-7, -2, 100, info.min // 2, info.max // 2, info.max - 1, 2**31, 2**32 - 1, 2**53, 2**62)
        wanted = {info.min, info.min + 1, -1, info.max, *FEW, *more}
        return np.array(sorted(one for one in wanted if info.min <= one <= info.max), dtype=made)
    real: Any = ml_dtypes.finfo(made)  # type: ignore[no-untyped-call]
    most, normal, least = float(real.max), float(real.smallest_normal), float(real.smallest_subnormal)
    ends = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, -3.0, most, -most, least, math.inf, -math.inf, math.nan]
    if not few:
        ends += [-0.5, -2.0, 3.0, 2.5, -2.5, 7.0, 1 / 3, 0.3, 1e-3, 10.0, 1000.0, 4.0, 8.0, 0.25, 2.0**53 - 1, 2.0**53,
                   2.0**63, 2.0**64, 1e30, 1e300, normal, -normal, normal - least, -least]  # fmt: skip
    with np.errstate(all="ignore"):
        return np.array(ends).astype(made)


def grid(kinds: Kinds, few: bool = False) -> list[Array]:
    """All edges of one kind, or all pairs of those of two."""
    ends = [edges(kind, few) for kind in kinds]
    return [one.ravel().copy() for one in np.meshgrid(*ends, indexing="ij")]


def python_numbers(array: Array) -> list[Any]:
    values: list[Any] = (array.astype(np.float64) if array.dtype == ml_dtypes.bfloat16 else array).tolist()
    return values


def expected(function: str, arrays: list[Array], kinds: Kinds, result: Column) -> tuple[Array, Array]:
    """What the judge says at every place, and where it refuses."""
    points = list(zip(*(python_numbers(one) for one in arrays), strict=True))
    found = [judged(function, point, kinds, result) for point in points]
    refused = np.array([isinstance(one, str) and one == REFUSED for one in found])
    values = np.zeros(len(found), dtype=dtype_of(result.storage))
    for place, one in enumerate(found):
        if not refused[place]:
            values[place] = one
    return values, refused


def bits(array: Array) -> Array:
    """The bits of floats in the order of numbers, all NaN alike; other numbers as they are."""
    if array.dtype.kind not in "fV":
        return array
    width = 8 * array.dtype.itemsize
    whole = array.view(f"i{array.dtype.itemsize}").astype(object)
    turned = np.where(whole < 0, -(whole + 2 ** (width - 1)) - 1, whole)
    return np.where(np.isnan(array), 2**width, turned)


def differing(function: str, found: Array, wanted: Array) -> Array:
    """Places at which two results are not the same, or not near enough for a function that is rounded freely."""
    assert found.dtype == wanted.dtype, (function, found.dtype, wanted.dtype)
    one, two = bits(found), bits(wanted)
    if function not in TRANSCENDENT or found.dtype.kind not in "fV":
        return np.flatnonzero(one != two)
    signs = np.signbit(found) == np.signbit(wanted)
    near = (np.abs(one - two) <= UNITS) & (signs | np.isnan(wanted))
    return np.flatnonzero(~near.astype(bool))


def told(function: str, arrays: list[Array], found: Array, wanted: Array, places: Array) -> str:
    """The first places that differ, in words."""
    shown = [f"{function}({', '.join(str(a[p]) for a in arrays)}) = {found[p]}, not {wanted[p]}" for p in places[:5]]
    return f"{len(places)} differ: " + "; ".join(shown)
