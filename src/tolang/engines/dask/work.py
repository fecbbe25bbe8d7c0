"""A program with the data that it is to run on in pieces: what is in memory, and what stays in files."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from tolang.core.core import Core, Output
from tolang.core.refusal import Refused
from tolang.core.text_codes import OnCodes, on_codes
from tolang.core.types import Type
from tolang.data.binding import (
    Shaped,
    bind_sizes,
    held,
    sort_arguments,
    spaces_of,
)
from tolang.data.blocks import StoredArray, stored_array
from tolang.data.coded_text import Coded, coded
from tolang.data.dask_arrays import DaskArray, DaskTable, dask_table, is_dask_array, is_dask_frame
from tolang.data.datasets import StoredColumn, StoredTable, files_of, stored_table
from tolang.data.record_arrays import FieldArray, FieldTable, field_table
from tolang.data.zarr_arrays import ZarrArray, zarr_array
from tolang.engines.contract import Owner
from tolang.engines.dask.requests import (
    InMemory,
    RegionSource,
)
from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.reporting.diagnostics import usage
from tolang.ground.values.membership import component_name, fitting, outsiders
from tolang.ground.values.spaces import Column, storage_of
from tolang.ground.values.values import ToL

Given = ToL | StoredArray | ZarrArray | StoredTable | DaskArray | DaskTable | FieldTable
"""What an input is given as: a value in memory, or an array or table of which regions are read."""


@dataclass(frozen=True, slots=True, eq=False)
class ProgramWork:
    """A program with the data it is to run on, some of them in files, and the sizes these give.

    Some of it the program brings itself: weights, and what is fixed.  A program on text is one on codes, with the
    `texts` that these stand for, and the outputs as they are `asked` for.
    """

    core: Core
    inputs: Mapping[str, Given]
    sizes: Mapping[str, int]
    brought: frozenset[str] = frozenset()
    texts: Coded | None = None
    asked: tuple[Output, ...] = ()

    @property
    def outputs(self) -> tuple[Output, ...]:
        """The outputs as they are asked for."""
        return self.core.outputs if self.texts is None else self.asked

    def decoded(self, found: list[ToL]) -> list[ToL]:
        """Values of outputs as a program gives them."""
        return found if self.texts is None else self.texts.decoded(self.asked, found)

    @property
    def known(self) -> dict[str, int]:
        """Sizes, and the whole numbers among the inputs by the names of their buffers."""
        found = dict(self.sizes)
        for name, value in self.inputs.items():
            if isinstance(value, ToL) and not value.shape:
                kinds = enumerate(value.columns, 1)
                whole = {f"{name}.{k}": int(one[()]) for k, one in kinds if one.dtype.kind in "biu"}
                found |= whole | ({name: whole[f"{name}.1"]} if len(whole) == value.capacity == 1 else {})
        return found

    @property
    def packed(self) -> frozenset[str]:
        """The buffers of inputs that have to be unpacked to be read: columns of tables in files."""
        return frozenset(name for name, one in self.sources().items() if isinstance(one, StoredColumn))

    @property
    def unpacking(self) -> int:
        """The bytes that unpacking takes while a task reads, one column after the other."""
        return max((one.unpacking for one in self.sources().values() if isinstance(one, StoredColumn)), default=0)

    def sources(self) -> dict[str, RegionSource]:
        """The arrays of the inputs by the names of their buffers."""
        found: dict[str, RegionSource] = {}
        for name, value in self.inputs.items():
            if isinstance(value, StoredTable | DaskTable | FieldTable):
                columns: tuple[RegionSource, ...] = value.columns
                found |= {f"{name}.{k}": one for k, one in enumerate(columns, 1)}
            elif isinstance(value, ToL):
                found |= {f"{name}.{k}": InMemory(one) for k, one in enumerate(value.columns, 1)}
            else:
                found[f"{name}.1"] = value
        return found


def work_of(
    program: Owner, arguments: Sequence[Any], named: Mapping[str, Any], in_records: bool = False
) -> ProgramWork:  # fmt: skip
    """A program with its data; arrays in files stay there as far as they are as declared, and fields `in_records`."""
    brought = {**program.weights, **program.fixed}
    own = {name: kind for name, kind in program.inputs.items() if name not in brought}
    data, sizes = sort_arguments(own, program.sizes, arguments, named)
    kinds = {one.name: one.type for one in program.declared_inputs}
    inputs = {
        name: brought[name] if name in brought else _given(data[name], name, kind, in_records)
        for name, kind in kinds.items()
    }
    columns = []
    for name, kind in kinds.items():
        one = inputs[name]
        if isinstance(one, ToL):
            fixed = program.fixed_columns.get(name, one.spaces)
            own_columns = spaces_of(data[name], one, program.declared_inputs) if name in own else fixed
            columns.append((name, own_columns))
        else:
            dtypes = one.dtypes if isinstance(one, StoredTable | DaskTable | FieldTable) else (one.dtype,)
            columns.append((name, tuple(map(_stored_column, kind.columns, dtypes))))
    core = program.core if program.weights else program.core_in(tuple(columns))
    shapes: dict[str, Any] = {n: one if isinstance(one, ToL) else Shaped(one.shape) for n, one in inputs.items()}
    found = ProgramWork(core, inputs, bind_sizes(core, shapes, sizes), frozenset(brought))
    return _in_codes(found)


def on_coded(core: Core) -> OnCodes | None:
    """A program on codes, where it has text; an error where it makes new one."""
    try:
        return on_codes(core)
    except Refused as reason:
        raise usage("E618", f"the program cannot run in pieces: {reason}") from None


def _in_codes(work: ProgramWork) -> ProgramWork:
    """A program on text, all of which is read here, as one on the codes of it; any other as it is."""
    text = on_coded(work.core)
    if text is None:
        return work
    textual = {name: one for name, one in work.inputs.items() if isinstance(one, ToL)}
    found = coded(text, textual)
    inputs: dict[str, Given] = {**work.inputs, **found.inputs}
    return ProgramWork(text.core, inputs, {**work.sizes, **found.sizes}, work.brought, found, work.core.outputs)


def _stored_column(column: Column, dtype: np.dtype[Any]) -> Column:
    storage = storage_of(dtype)
    assert storage is not None
    return replace(column, storage=storage, weak=False)


def _given(data: Any, name: str, kind: Type, in_records: bool) -> Given:
    """Data as a program takes it: what is in a file, or `in_records`, stays there if nothing has to be made of it."""
    if isinstance(data, np.memmap) and isinstance(data.filename, str | os.PathLike) and data.base is not None:
        data = Path(data.filename) if data.offset and Path(data.filename).suffix == ".npy" else data
    if kind.shape:
        if (
            isinstance(data, Path)
            and (files := files_of(data))
            and (table := stored_table(files, name, kind)) is not None
        ):
            return table
        if is_dask_frame(data) and (frame := _frame(data, name, kind)) is not None:
            return frame
        if in_records and (records := _records(data, name, kind)) is not None:
            return records
        found = _stored(data) if kind.capacity == 1 else None
        if found is not None and (one := _as_declared(found, name, kind.column)) is not None:
            return one
    if is_dask_array(data) or is_dask_frame(data):
        data = data.compute()
    return ToL.of(held(data, name, kind), kind.columns, name)


Stored = StoredArray | ZarrArray | DaskArray
As = TypeVar("As", bound=StoredArray | ZarrArray | DaskArray | FieldArray)


def _stored(data: Any) -> Stored | None:
    """An array of which regions can be read; None where it is none."""
    if isinstance(data, Path) and data.suffix == ".npy":
        return stored_array(data)
    if (isinstance(data, Path) and data.suffix == ".zarr") or type(data).__module__.partition(".")[0] == "zarr":
        return zarr_array(data)
    return DaskArray(data, tuple(data.shape), np.dtype(data.dtype)) if is_dask_array(data) else None


def _as_declared(found: As, name: str, column: Column) -> As | None:
    """A stored array as an input, None where its numbers have to be converted."""
    storage, sample = storage_of(found.dtype), np.ones(1, found.dtype)
    if storage is None or fitting(sample, column.space, storage) != storage:
        return None
    asked = outsiders(sample, column.space, exactly=True) is not None
    return replace(found, name=name, column=column if asked else None)


def _frame(data: Any, name: str, kind: Type) -> DaskTable | None:
    """A frame of Dask as an input, None where numbers in it have to be converted."""
    table = dask_table(data, name, kind)
    if table is None:
        return None
    columns = [_as_declared(one, name, column) for one, column in zip(table.columns, kind.columns, strict=True)]
    left = tuple(one for one in columns if isinstance(one, DaskArray))
    return replace(table, columns=left) if len(left) == len(columns) else None


def _records(data: Any, name: str, kind: Type) -> FieldTable | None:
    """Records as an input, None where numbers in them have to be converted."""
    table = field_table(data, kind)
    if table is None:
        return None
    names = [component_name(name, position, kind.columns) or name for position in range(len(kind.columns))]
    found = [_as_declared(*one) for one in zip(table.columns, names, kind.columns, strict=True)]
    left = tuple(one for one in found if one is not None)
    return replace(table, columns=left) if len(left) == len(found) else None
