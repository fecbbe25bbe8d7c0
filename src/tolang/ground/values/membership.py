"""Membership in type spaces: checked where data enters a declared ToL, and in `convert`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, TypeVar

import numpy as np

from tolang.ground.dataclasses import replace
from tolang.ground.reporting.faults import fault, first_true, place_text
from tolang.ground.values.casting import Array, by_element, cast, python_values
from tolang.ground.values.columns import Columns
from tolang.ground.values.printing import numeric_text
from tolang.ground.values.records import fields_apart, least_of
from tolang.ground.values.spaces import (
    NARROW_FLOATS,
    Column,
    Space,
    dtype_of,
    integer_range,
    storage_family,
    storage_of,
)
from tolang.ground.values.texts import Codes, KnownText

Held = TypeVar("Held", bound=Columns)

SIGNS: dict[str, Callable[[Any], Any]] = {
    "N": lambda value: value < 0,
    "*": lambda value: value == 0,
    "+": lambda value: ~(value > 0),
    "-": lambda value: ~(value < 0),
}
"""For each sign of a space, which values it refuses.  NaN has no sign: it belongs to R and R* only."""

DESCRIPTIONS = {
    "B": "a truth value, or 0 or 1", "N": "a whole number of at least 0", "N*": "a whole number of at least 1",
    "Z": "a whole number", "Z*": "a whole number other than 0", "Z+": "a whole number above 0",
    "Z-": "a whole number below 0", "Q": "a rational number", "Q*": "a rational number other than 0",
    "Q+": "a rational number above 0", "Q-": "a rational number below 0", "R": "a real number",
    "R*": "a real number other than 0", "R+": "a real number above 0", "R-": "a real number below 0",
    "I": "an imaginary number", "C": "a complex number", "S": "text",
}  # fmt: skip
"""What each space of the paper expects, in words."""


def check_membership(value: Columns, columns: Sequence[Column], name: str | None = None) -> None:
    """Raise an error unless every component of a ToL lies in the space of its column."""
    refuse_other_capacity(value, columns, name)
    for position, (array, one) in enumerate(zip(value.columns, columns, strict=True)):
        refuse_outsiders(array, one, component_name(name, position, columns))


def component_name(name: str | None, position: int, columns: Sequence[Column]) -> str | None:
    """What to call one component: the ToL itself if it has no other, else `a[2]'` or `a[age]'`."""
    if len(columns) == 1:
        return name
    return f"{name or ''}[{columns[position].name or position + 1}]'"


def refuse_outsiders(
    array: Array, one: Column, name: str | None, exactly: bool = False, least: int | None = None
) -> None:
    """Raise the error of the first value that is not in a column's space.

    `exactly` asks that machine floats hold the value without rounding, as binding of an input does.  `least` is the
    least value, where it is known.
    """
    bound = _only_bound(array, one.space)
    if bound is not None and (least_of(array) if least is None else least) >= bound:
        return
    outside = outsiders(array, one.space, exactly)
    if outside is None or not outside.any():
        return
    index = first_true(outside)
    written = value_text(array.reshape(-1)[index])
    whose = f" of {name}" if name else ""
    raise fault(
        "E501", f"{written}{place_text(index, array.shape)}{whose} is not in {one.space}", expected=describe(one.space)
    )


def members(
    arrays: Sequence[Array],
    columns: Sequence[Column],
    watched: Collection[int],
    name: str | None,
    left: Collection[int] = (),
) -> list[Array]:
    """Components of a ToL, of which those that are `watched` must be in the spaces of their columns, exactly.

    Fields of many records are apart then, if one look at all of them was enough; if all of these are to be `left` where
    they lie, they are.  Some of them are not looked at there while others are copied: memory would be read twice.
    """
    asked = [k for k in watched if _only_bound(arrays[k], columns[k].space) is not None]
    copies, least = fields_apart(arrays, asked, look=True, left=left if all(k in left for k in asked) else ())
    found = [copies.get(k, array) for k, array in enumerate(arrays)]
    for k in watched:
        refuse_outsiders(found[k], columns[k], component_name(name, k, columns), exactly=True, least=least.get(k))
    return found


def value_text(value: Any) -> str:
    """A numeric as an error writes it."""
    return numeric_text(value)


def describe(space: Space) -> str:
    """What a space expects, in words, with its bounds."""
    if space.is_machine and space.family == "Z":
        least, greatest = integer_range(space.root)
        text = f"a whole number from {least} to {greatest}"
    else:
        text = DESCRIPTIONS.get(space.root, f"a number that {space.root} holds exactly")
    if space.lower is not None and space.root in ("N", "N*"):
        text = DESCRIPTIONS["Z"]  # the bound says what the sign would
    if space.lower is not None and space.upper is not None:
        return f"{text} from {space.lower} to {space.upper}"
    if space.lower is not None:
        text += f", at least {space.lower}"
    if space.upper is not None:
        text += f", at most {space.upper}"
    return text


def outsiders(array: Array, space: Space, exactly: bool = False) -> Array | None:
    """Which values are not in a space; None where the storage alone proves that all are."""
    if space.family == "S" and isinstance(array, KnownText) and array.codes is not None:
        return None
    textual = _is_text(array)
    if space.family == "S" or textual is not None:
        refused = np.zeros(array.shape, dtype=bool) if textual is None else textual
        return ~refused if space.family == "S" else refused
    if not array.size:
        return None
    if storage_of(array.dtype) in NARROW_FLOATS and array.dtype != dtype_of(space.storage):
        array = cast(array, "f32")
    with np.errstate(all="ignore"):
        outside = _outside_family(array, space)
        real = array.real if array.dtype.kind == "c" else array
        for test in _tests(real, space, exactly):
            outside = test if outside is None else outside | test
    return None if outside is None else np.asarray(outside, dtype=bool)


def _only_bound(array: Array, space: Space) -> int | None:
    """How large a space asks whole numbers to be, where it asks nothing else, so that one glance tells."""
    bound = {"N": 0, "N*": 1, "Z+": 1}.get(space.root)
    return bound if not space.bounded and array.dtype.kind in "iu" and array.size > 0 else None


def _is_text(array: Array) -> Array | None:
    """Which elements are text; None if the array cannot hold any, or holds none."""
    if array.dtype != object:
        return None
    mask = np.asarray(by_element(lambda value: isinstance(value, str), array), dtype=bool)
    return mask if mask.any() else None


def _outside_family(array: Array, space: Space) -> Array | None:
    """Which numbers are of the wrong kind: not whole for Z, not finite for Q, not real for R."""
    family, kind = space.family, array.dtype.kind
    if family == "C":
        return None
    if family == "I":
        return np.asarray((array.real if kind == "c" else array) != 0, dtype=bool)
    outside = array.imag != 0 if kind == "c" else None
    real = array.real if kind == "c" else array
    if family in ("B", "Z", "Q") and kind not in "biu":
        wrong = np.asarray(by_element(_not_whole, real), dtype=bool) if kind == "O" else ~np.isfinite(real)
        if family != "Q" and kind != "O":
            wrong = wrong | (np.floor(real) != real)
        if family != "Q" or kind != "O":
            outside = wrong if outside is None else outside | wrong
    return outside


def _not_whole(value: Any) -> bool:
    return bool(value.denominator != 1)


def _tests(real: Array, space: Space, exactly: bool) -> list[Array]:
    """The refusals that come from sign, truth values, machine range and bounds."""
    tests: list[Array] = []
    if space.family == "B" and real.dtype.kind != "b":
        tests.append((real != 0) & (real != 1))
    if not space.is_machine:
        if space.root[0] == "N" and real.dtype.kind not in "bu":
            tests.append(SIGNS["N"](real))
        if len(space.root) == 2:
            tests.append(SIGNS[space.root[1]](_signed(real)))
    else:
        tests.extend(_outside_machine(real, space, exactly))
    if space.bounded and space.family in ("Z", "Q", "R"):
        tests.extend(_outside_bounds(real, space))
    return tests


def _signed(real: Array) -> Array:
    """Values whose comparison with zero gives truth values that `~` negates, also for exact numbers."""
    return by_element(lambda value: (value > 0) - (value < 0), real).astype(np.int64) if real.dtype == object else real


def _outside_machine(real: Array, space: Space, exactly: bool) -> list[Array]:
    """Which values a machine number cannot be: out of range for integers, rounded for floats where that counts."""
    storage = space.root
    if real.dtype == dtype_of(storage):
        return []
    if space.family == "Z":
        least, greatest = integer_range(storage)
        if real.dtype.kind in "biu" and np.can_cast(real.dtype, dtype_of(storage)):
            return []
        if real.dtype.kind not in "iuO":
            wide = real.astype(np.float64)
            return [~(wide >= float(least)), ~(wide < float(greatest + 1))]
        return [_below(real, least), _above(real, greatest)]
    if space.family == "C" or not exactly:
        return []
    return [_rounded_away(real, storage)]


def _rounded_away(real: Array, storage: str) -> Array:
    """Which values change when held in a float storage; NaN stays NaN."""
    held = cast(real, storage)
    if real.dtype == object or real.dtype.kind in "iu":
        exact = python_values(real)
        return np.asarray(by_element(lambda a, b: a != b, exact, python_values(held)), dtype=bool)
    wide = np.float64
    return np.asarray((held.astype(wide) != real.astype(wide)) & ~np.isnan(real))


def _outside_bounds(real: Array, space: Space) -> list[Array]:
    """Which values are beyond a declared bound, or are NaN, which is between no bounds."""
    tests = []
    if space.lower is not None:
        tests.append(_below(real, space.lower))
    if space.upper is not None:
        tests.append(_above(real, space.upper))
    return tests


def _below(real: Array, bound: Any) -> Array:
    """Which values are not at least the bound; the bound is rounded as the data is, so 0.1 is within 0.1."""
    return ~np.asarray(real >= _beside(real, bound), dtype=bool)


def _above(real: Array, bound: Any) -> Array:
    return ~np.asarray(real <= _beside(real, bound), dtype=bool)


def _beside(real: Array, bound: Any) -> Any:
    """A bound in the form that compares rightly with the data: exact beside exact data, rounded beside floats."""
    if real.dtype == object:
        return bound
    if real.dtype.kind in "biu":
        return int(bound) if bound == int(bound) else float(bound)
    return real.dtype.type(float(bound))


def refuse_other_capacity(value: Columns, columns: Sequence[Column], name: str | None) -> None:
    if value.capacity != len(columns):
        raise fault(
            "E504",
            f"{name or 'the data'} has lists of {value.capacity}, declared are lists of {len(columns)}",
            found="[" + ",".join(str(one) for one in value.spaces) + "]",
            expected="[" + ",".join(str(one) for one in columns) + "]",
        )


def fit(
    value: Held, columns: Sequence[Column], name: str | None = None, rounding: bool = False, by_name: bool = True
) -> Held:
    """Data as a declared ToL holds it: what binding an input does.

    Membership is checked.  A space of the paper keeps the data's own storage where that is of its family, a bounded
    space of whole numbers takes the narrowest one, a machine space its own, which must hold the data exactly unless
    `rounding` allows to round (Python's numbers have no storage to keep).
    """
    if value.volume == 0 and value.capacity == 1 and len(columns) > 1:
        empty = [np.zeros(value.shape, dtype=dtype_of(one.space.storage)) for one in columns]
        value, by_name = type(value)(empty, columns), False
    value = ordered_by_name(value, columns, name) if by_name else value
    refuse_other_capacity(value, columns, name)
    arrays: list[Array | Codes] = []
    spaces = []
    copies, least = _looked_at(value, columns) if len(columns) > 1 else ({}, {})
    for position, (given, one) in enumerate(zip(value.held, columns, strict=True)):
        if isinstance(given, Codes):
            if one.space.family == "S" and given.size:
                arrays.append(given)
                spaces.append(replace(one, storage="text", weak=False))
                continue
            given = value.columns[position]
        array = copies.get(position, given)
        if not array.size:
            array = np.zeros(array.shape, dtype=dtype_of(one.space.storage))
        if not (one.space.family == "S" and value.spaces[position].storage == "text"):  # as which it was read
            whose = component_name(name, position, columns)
            refuse_outsiders(array, one, whose, exactly=not rounding, least=least.get(position))
        storage = fitting(array, one.space, value.spaces[position].storage)
        arrays.append(cast(array, storage))
        spaces.append(replace(one, storage=storage, weak=False))
    return type(value).holding(arrays, spaces)


def _looked_at(value: Columns, columns: Sequence[Column]) -> tuple[dict[int, Array], dict[int, int]]:
    """Fields of records whose least number tells whether they fit: copies by position, and that number of each."""
    known = {k: array for k, array in enumerate(value.held) if not isinstance(array, Codes)}
    asked = [k for k, array in known.items() if _only_bound(array, columns[k].space) is not None]
    return fields_apart(known, asked, look=True)


def fitting(array: Array, space: Space, storage: str) -> str:
    """The storage that data takes in a space, when its membership is known."""
    if space.is_machine or space.family in ("B", "Q", "S"):
        return space.storage
    own = storage_family(storage)
    if space.family == "Z":
        if space.bounded and space.storage != "i64":
            return space.storage
        if own == "Z" and storage != "integer":
            return storage
        return "i64" if _within_machine(array) else "integer"
    if space.family == "R":
        return storage if own == "R" else "f32" if storage == "c64" else "f64"
    return storage if own == "C" else "c64" if storage in ("f16", "f32", *NARROW_FLOATS) else "c128"


def _within_machine(array: Array) -> bool:
    """Whether whole values all fit 64 bits."""
    least, greatest = integer_range("i64")
    real = array.real if array.dtype.kind == "c" else array
    return not array.size or (least <= int(real.min()) and int(real.max()) <= greatest)


def ordered_by_name(value: Held, columns: Sequence[Column], name: str | None) -> Held:
    """Components taken by name where both the data and the declaration name all of theirs, else by position."""
    wanted = [one.name for one in columns]
    if not all(value.names) or not all(wanted):
        return value
    known = {name: place for place, name in reversed(list(enumerate(value.names)))}
    missing = [str(one) for one in wanted if one not in known]
    if missing:
        raise fault(
            "E504",
            f"{name or 'the data'} has no component named {', '.join(missing)}",
            found=", ".join(str(one) for one in value.names),
            expected=", ".join(str(one) for one in wanted),
        )
    places = [known[one] for one in wanted]
    return type(value).holding([value.held[place] for place in places], [value.spaces[place] for place in places])
