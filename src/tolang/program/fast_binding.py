"""Calls with arrays that fit their declarations as they are, bound by a plan that is made once for their kinds.

A plan holds for NumPy arrays of given types and ranks, of numbers or of records, and for numbers beside them.  It says
which dimension gives which size, which lengths to compare, and which values to hold against their spaces; whatever it
finds amiss is left to the binding that explains.
Inputs that a program brings itself, as the weights of a model or what is fixed, are held against their declarations
once, and give sizes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from tolang.core.core import Core, Input
from tolang.data.binding import Job
from tolang.ground.dataclasses import dataclass
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.casting import array_of_number
from tolang.ground.values.membership import fitting, members, outsiders, refuse_outsiders
from tolang.ground.values.spaces import Column, Space, dtype_of, storage_of
from tolang.ground.values.values import ToL

Array = np.ndarray[Any, Any]
Kinds = tuple[tuple[np.dtype[Any] | type, int], ...]
"""Types and ranks of arrays; a number of Python's own, or of NumPy's, has its class and no dimensions."""
NUMBERS = (float, int, np.float64, np.float32, np.int64)
"""Classes of numbers that are bound by a plan, too."""
WORD = 1 << 63
"""Where whole numbers end that a machine word holds."""
ROUNDING = ("f32", "f64")
"""Storages of floats that numbers are rounded to, where a ToL is declared to hold such, or numbers of R."""
REALS = Space("R")
NO_FIELDS: frozenset[int] = frozenset()
NOWHERE: Mapping[str, frozenset[int]] = MappingProxyType({})
Named = tuple[tuple[str, int, int], ...]
"""Sizes by name, each with the place of a dimension."""
Giving = tuple[tuple[str, int, int, int, int], ...]
"""The same, where the dimension is so many times as long as the size, and a number longer."""
Fixed = tuple[tuple[int, int, int], ...]
"""Lengths that are numbers, each with the place of a dimension."""
Compared = tuple[tuple[Size, int, int], ...]
"""Other lengths as declared, each with the place of a dimension."""


@dataclass(frozen=True, slots=True)
class RecordFields:
    """How records are lists: their fields in order, what is declared of each, and which are held against that."""

    fields: tuple[str, ...]
    columns: tuple[Column, ...]
    watched: tuple[int, ...]

    def components(self, array: Array, name: str, left: frozenset[int]) -> list[Array]:
        """The fields of records, if they are in their spaces; those to be `left` among the others are so."""
        return members([array[field] for field in self.fields], self.columns, self.watched, name, left)


@dataclass(frozen=True, slots=True, eq=False)
class Quick:
    """How arrays of some types and ranks become the inputs of a program."""

    core: Core
    inputs: tuple[tuple[str, tuple[Column, ...]], ...]
    giving: Giving
    same: Named
    fixed: Fixed
    equal: Compared
    watched: tuple[tuple[int, Column | RecordFields], ...]
    brought: Mapping[str, ToL]
    known: Mapping[str, int]
    numbers: tuple[tuple[int, np.dtype[Any]], ...]

    def job(self, arguments: Sequence[Any], in_records: Mapping[str, frozenset[int]] = NOWHERE) -> Job | None:
        """The job of these arrays; None where a length is not as declared, or there is nothing in one of them.

        Fields that are read `in_records`, by input, stay where they lie.
        """
        arrays: Sequence[Any] = arguments
        if self.numbers:
            taken = {one: array_of_number(arguments[one], kind) for one, kind in self.numbers}
            if any(one is None for one in taken.values()):
                return None
            arrays = [taken.get(one, array) for one, array in enumerate(arguments)]
        sizes = dict(self.known)
        for name, one, axis, times, more in self.giving:
            sizes[name], left = divmod(arrays[one].shape[axis] - more, times)
            if left or sizes[name] < 1:
                return None
        for name, one, axis in self.same:
            if sizes[name] != arrays[one].shape[axis]:
                return None
        for length, one, axis in self.fixed:
            if length != arrays[one].shape[axis]:
                return None
        for size, one, axis in self.equal:
            if size.evaluate(sizes) != arrays[one].shape[axis]:
                return None
        if not all(array.size for array in arrays):
            return None
        found: dict[str, ToL] = {}
        for one, what in self.watched:
            name, spaces = self.inputs[one]
            if isinstance(what, RecordFields):
                found[name] = ToL(what.components(arrays[one], name, in_records.get(name, NO_FIELDS)), spaces)
            else:
                refuse_outsiders(arrays[one], what, name, exactly=True)
        inputs = dict(self.brought)
        for (name, spaces), array in zip(self.inputs, arrays, strict=True):
            inputs[name] = found[name] if name in found else ToL((array,), spaces)
        return Job(self.core, inputs, sizes)


def kinds_of(arguments: Sequence[Any]) -> Kinds | None:
    """The types and ranks of arguments that are all NumPy's own arrays, or numbers; None where one is anything else."""
    kinds: list[tuple[np.dtype[Any] | type, int]] = []
    for one in arguments:
        if type(one) is np.ndarray:
            kinds.append((one.dtype, one.ndim))
        elif type(one) in NUMBERS and (type(one) is not int or -WORD <= one < WORD):
            kinds.append((type(one), 0))
        else:
            return None
    return tuple(kinds)


def are_arrays(kinds: Kinds) -> bool:
    """Whether there is no number among them."""
    return all(isinstance(dtype, np.dtype) for dtype, _ in kinds)


def quick_plan(
    core: Core, declared: Sequence[tuple[Column, ...]], kinds: Kinds, brought: Mapping[str, ToL]
) -> Quick | None:
    """The plan for arrays of these kinds; None where they have to be converted, or sizes have to be solved for.

    The arrays are those of all inputs, in order, that the program does not bring itself.
    """
    given = [(one, columns) for one, columns in zip(core.inputs, declared, strict=True) if one.name not in brought]
    if len(kinds) != len(given):
        return None
    watched: list[tuple[int, Column | RecordFields]] = []
    numbers: list[tuple[int, np.dtype[Any]]] = []
    for position, ((one, columns), (own, rank)) in enumerate(zip(given, kinds, strict=True)):
        dtype = np.dtype(own)
        if not isinstance(own, np.dtype):
            dtype = (None if own is np.int64 else _rounded(columns, one)) or dtype
            numbers.append((position, dtype))
        found = _records(dtype, columns, one) if len(columns) > 1 else _is_watched(dtype, columns[0], one.type.column)
        if found is None or one.type.rank != rank:
            return None
        if found:
            watched.append((position, found if isinstance(found, RecordFields) else columns[0]))
    known = _known([(one, brought[one.name]) for one in core.inputs if one.name in brought])
    lengths = None if known is None else _lengths([one for one, _ in given], core.sizes, known)
    if known is None or lengths is None:
        return None
    inputs = tuple((one.name, one.type.columns) for one, _ in given)
    return Quick(core, inputs, *lengths, tuple(watched), brought, known, tuple(numbers))


def _rounded(columns: tuple[Column, ...], one: Input) -> np.dtype[Any] | None:
    """The type of floats that numbers are rounded to, unless they are NumPy's own whole ones; None for other inputs."""
    storage = one.type.column.storage
    plain = columns[0].space.is_machine or columns[0].space == REALS
    return dtype_of(storage) if len(columns) == 1 and plain and storage in ROUNDING else None


def _is_watched(dtype: np.dtype[Any], declared: Column, own: Column) -> bool | None:
    """Whether numbers are to be held against their space; None where they have to be converted."""
    sample = np.ones(1, dtype) if dtype.kind in "biufc" and dtype.isnative else None
    storage = storage_of(dtype)
    if sample is None or storage is None or fitting(sample, declared.space, storage) != storage:
        return None
    return outsiders(sample, declared.space, exactly=True) is not None if own.storage == storage else None


def _records(dtype: np.dtype[Any], columns: tuple[Column, ...], one: Input) -> RecordFields | None:
    """How records of a type are the lists of an input; None where one of their fields has to be converted."""
    names = dtype.names or ()
    wanted = tuple(column.name for column in columns if column.name)
    fields = wanted if len(wanted) == len(columns) else names
    if len(names) != len(columns) or not {*fields} <= {*names}:
        return None
    kinds = [dtype[field] for field in fields]
    found = [_is_watched(*each) for each in zip(kinds, columns, one.type.columns, strict=True)]
    return None if None in found else RecordFields(fields, columns, tuple(k for k, each in enumerate(found) if each))


def _known(brought: Sequence[tuple[Input, ToL]]) -> dict[str, int] | None:
    """The sizes that values a program brings give; None where one of these is not as its input declares it."""
    known: dict[str, int] = {}
    for one, value in brought:
        if value.spaces != one.type.columns or len(one.type.shape) != len(value.shape):
            return None
        for length, found in zip(one.type.shape, value.shape, strict=True):
            name = next(iter(length.names()), "")
            plain = bool(name) and length == Size.of(name)
            if not plain and length.constant != found:
                return None
            if plain and known.setdefault(name, found) != found:
                return None
    return known


def _lengths(
    inputs: Sequence[Input], sizes: Sequence[str], known: Mapping[str, int]
) -> tuple[Giving, Named, Fixed, Compared] | None:
    """Dimensions that give a size each, those of a size so given, and others; None where some size is not so given."""
    giving: dict[str, tuple[int, int, int, int]] = {}
    same: list[tuple[str, int, int]] = []
    fixed: list[tuple[int, int, int]] = []
    equal: list[tuple[Size, int, int]] = []
    for position, one in enumerate(inputs):
        for axis, length in enumerate(one.type.shape):
            name = next(iter(length.names()), "")
            line = _line(length, name) if name in sizes and name not in known and name not in giving else None
            if isinstance(length.constant, int):
                fixed.append((length.constant, position, axis))
            elif length == Size.of(name) and name in known:
                fixed.append((known[name], position, axis))
            elif line is not None:
                giving[name] = position, axis, *line
            elif length == Size.of(name) and name in giving:
                same.append((name, position, axis))
            else:
                equal.append((length, position, axis))
    if {*sizes} - giving.keys() - known.keys() or any(not length.names() <= {*sizes} for length, _, _ in equal):
        return None
    return tuple((name, *place) for name, place in giving.items()), tuple(same), tuple(fixed), tuple(equal)


def _line(length: Size, name: str) -> tuple[int, int] | None:
    """How many times a size a length is, and how much longer; None where it is something else, or less than once."""
    split = length.split(name)
    if split is None or not all(isinstance(one.constant, int) for one in split):
        return None
    times, more = (int(one.constant or 0) for one in split)
    return (times, more) if times > 0 else None
