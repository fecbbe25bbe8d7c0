"""Tables in many files, Parquet or Arrow: rows are read where they are needed, a batch at a time, column by column.

The files of a folder, in order of their names, are one table.  What is in a column is what it would be if the table
were read as a whole, by the same rules.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from tolang.core.types import Type
from tolang.data.contents import damaged, reading
from tolang.data.tables import select
from tolang.ground.dataclasses import dataclass, field, replace
from tolang.ground.reporting.diagnostics import usage
from tolang.ground.values.casting import Array
from tolang.ground.values.membership import outsiders, refuse_outsiders
from tolang.ground.values.spaces import Column, storage_of
from tolang.ground.values.values import ToL

EXTENSIONS = frozenset({".parquet", ".arrow", ".feather"})
BATCH = 1 << 18
"""How many rows are unpacked at a time, of groups that are too large to be unpacked as a whole."""
LARGEST_GROUP = 1 << 21
"""How many rows a group has at the most that is unpacked as a whole, which takes half the time."""
LEVELS = 4
"""Bytes beside each value that tell, while it is unpacked, whether it is there."""
PAGES = 16 << 20
"""Bytes that pages of a larger group take at the most, and what is read of them before."""
BUFFER = 1 << 16
"""How many bytes are read at a time: few enough to be unpacked from a cache."""
Interval = tuple[int, int]


@dataclass(frozen=True, slots=True)
class TableFile:
    """One of the files of a table: how many rows each of its groups has, and when it was written."""

    path: str
    groups: tuple[int, ...]
    written: int
    schema: Any = field(repr=False, default=None)
    metadata: Any = field(repr=False, default=None)

    @property
    def rows(self) -> int:
        return sum(self.groups)

    @property
    def is_parquet(self) -> bool:
        return Path(self.path).suffix.lower() == ".parquet"

    def batches(self, column: str, first: int, last: int) -> Iterator[Any]:
        """The rows of a column, from the first to before the last, in batches of Arrow."""
        begin, groups = 0, []
        before = 0
        for number, count in enumerate(self.groups):
            if begin < last and begin + count > first:
                groups.append(number)
            elif begin + count <= first:
                before = begin + count
            begin += count
        place = before
        for array in self._arrays(column, groups, LARGEST_GROUP if last - first > BATCH else 0):
            low, high = max(first, place), min(last, place + len(array))
            if low < high:
                yield array.slice(low - place, high - low)
            place += len(array)
            if place >= last:
                return

    def _arrays(self, column: str, groups: list[int], largest: int) -> Iterator[Any]:
        """The rows of groups, of those that are not too large as a whole."""
        import pyarrow
        import pyarrow.parquet

        if self.is_parquet:
            whole = all(self.groups[number] <= largest for number in groups)
            with pyarrow.parquet.ParquetFile(self.path, pre_buffer=False, buffer_size=BUFFER) as file:
                for number in groups:
                    if whole:
                        yield from file.read_row_group(number, [column], use_threads=False).column(0).chunks
                        continue
                    batches = file.iter_batches(BATCH, row_groups=[number], columns=[column], use_threads=False)
                    yield from (batch.column(0) for batch in batches)
            return
        with pyarrow.memory_map(self.path) as source, pyarrow.ipc.open_file(source) as reader:
            for number in groups:
                yield reader.get_batch(number).column(column)


@dataclass(frozen=True, slots=True)
class StoredColumn:
    """A column of a table in files; `asked` is what its values are held against as they are read."""

    files: tuple[TableFile, ...]
    label: str
    want: Column | None
    dtype: np.dtype[Any]
    name: str
    asked: Column | None = None
    unpacking: int = 0
    """The bytes that unpacking takes, beside the values that are read."""

    is_shared: ClassVar[bool] = True

    def read(self, region: Sequence[Interval]) -> Array:
        """The values of some rows."""
        ((low, high),) = region
        found = np.empty(max(0, high - low + 1), self.dtype)
        begin = 0
        for file in self.files:
            first, last = max(low - 1, begin) - begin, min(high, begin + file.rows) - begin
            if first < last:
                self._fill(found[begin + first - low + 1 : begin + last - low + 1], file, first, last)
            begin += file.rows
        if self.asked is not None:
            refuse_outsiders(found, self.asked, self.name, exactly=True)
        return found

    def _fill(self, goal: Array, file: TableFile, first: int, last: int) -> None:
        from tolang.data.arrow_tables import column_of

        path, done = Path(file.path), 0
        with reading(path):
            if path.stat().st_mtime_ns != file.written:
                raise damaged(path, "it was changed while a program was running on it")
            for batch in file.batches(self.label, first, last):
                batch.validate(full=True)
                values = column_of(path, self.label, batch, self.want, first + done).columns[0]
                if values.dtype != self.dtype:
                    raise damaged(path, f"its column {self.label} is of another type than that of the files before")
                goal[done : done + len(values)] = values
                done += len(values)
            if done != last - first:
                raise damaged(path, "it was cut short while a program was running on it")


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table in files as an input: its length, and a column for each component."""

    shape: tuple[int, ...]
    columns: tuple[StoredColumn, ...]

    @property
    def dtypes(self) -> tuple[np.dtype[Any], ...]:
        return tuple(one.dtype for one in self.columns)


def files_of(path: Path) -> list[Path]:
    """The files of a table: the path itself, or what is in a folder, in order of names; none where it is neither."""
    if path.suffix.lower() in EXTENSIONS and path.is_file():
        return [path]
    if not path.is_dir() or path.suffix.lower() == ".zarr":
        return []
    inside = sorted(one for one in path.iterdir() if not one.name.startswith((".", "_")))
    return inside if inside and all(one.suffix.lower() in EXTENSIONS for one in inside) else []


def stored_table(paths: Sequence[Path], name: str, wanted: Type) -> StoredTable | None:
    """Files as one table for an input of a type, of which no row is read yet; None where it is not made of vectors."""
    if wanted.rank != 1:
        return None
    files = [_opened(path) for path in paths]
    names = files[0].schema.names
    for file in files:
        if file.schema.names != names or file.schema.types != files[0].schema.types:
            raise usage("E608", f"{file.path} has other columns than {files[0].path}")
    rows = sum(file.rows for file in files)
    if not rows or len(set(names)) < len(names):
        return None
    first = next(file for file in files if file.rows)
    selection = select(paths[0], names, len(names), wanted, name)
    plain = tuple(replace(file, schema=None, metadata=None) for file in files)
    columns = []
    for position, want, column in zip(selection.positions, selection.wants, wanted.columns, strict=True):
        one = _column(plain, first, names[position], want, column, name)
        if one is None:
            return None
        unpacking = max(_unpacking(file, one.label, one.dtype.itemsize) for file in files)
        columns.append(replace(one, unpacking=unpacking))
    return StoredTable((rows,), tuple(columns))


def _unpacking(file: TableFile, label: str, width: int) -> int:
    """The bytes that unpacking a column takes: as it is in the file, pages, values, which may move once, and levels."""
    if file.metadata is None:
        return 0
    most, groups = 0, [file.metadata.row_group(k) for k in range(file.metadata.num_row_groups)]
    place = next((k for one in groups for k in range(one.num_columns) if one.column(k).path_in_schema == label), 0)
    for one in groups:
        packed, whole = one.column(place), one.num_rows <= LARGEST_GROUP
        pages = packed.total_compressed_size + packed.total_uncompressed_size
        rows = one.num_rows if whole else BATCH
        most = max(most, (pages if whole else min(pages, PAGES)) + rows * (2 * width + LEVELS))
    return most


def _column(
    files: tuple[TableFile, ...], first: TableFile, label: str, want: Column | None, column: Column, name: str
) -> StoredColumn | None:
    """A column in files; None where it is not one of plain numbers."""
    from tolang.data.arrow_tables import column_of

    with reading(first.path):
        (batch,) = first.batches(label, 0, 1)
        value = column_of(Path(first.path), label, batch, want, 0)
    dtype = value.columns[0].dtype
    if value.capacity > 1 or value.columns[0].ndim != 1 or dtype.kind not in "biuf" or storage_of(dtype) is None:
        return None
    asked = outsiders(np.ones(1, dtype), column.space, exactly=True) is not None
    return StoredColumn(files, label, want, dtype, name, column if asked else None)


def _opened(path: Path) -> TableFile:
    """A file of a table; what is wrong with it is told with its name."""
    from tolang.data.formats import format_of

    found = format_of(path)
    assert found is not None
    found.home(path)  # or an error that says what to install
    import pyarrow
    import pyarrow.parquet

    with reading(path):
        written = os.stat(path).st_mtime_ns
        if path.suffix.lower() == ".parquet":
            with pyarrow.parquet.ParquetFile(path) as file:
                counts = tuple(file.metadata.row_group(k).num_rows for k in range(file.metadata.num_row_groups))
                return TableFile(str(path.resolve()), counts, written, file.schema_arrow, file.metadata)
        with pyarrow.memory_map(str(path)) as source, pyarrow.ipc.open_file(source) as reader:
            counts = tuple(reader.get_batch(k).num_rows for k in range(reader.num_record_batches))
            return TableFile(str(path.resolve()), counts, written, reader.schema)


class WrittenTable:
    """A table that is written to a folder, a file of Parquet for each stretch of rows whose columns are all there.

    Numbers are written as they are: to look for those that come again takes several times the memory, and the time.
    """

    def __init__(self, folder: Path, name: str, columns: Sequence[Column]) -> None:
        self.folder, self.name, self.spaces = folder, name, tuple(columns)
        self._waiting: dict[int, dict[int, Array]] = {}
        folder.mkdir()

    def goal(self, number: int) -> WrittenColumn:
        """One of the columns, as something that stretches are written to."""
        return WrittenColumn(self, number)

    def add(self, number: int, first: int, block: Array) -> None:
        """Takes a stretch of a column; the last one of its rows has them written."""
        import pyarrow.parquet

        from tolang.data.arrow_tables import table_of

        found = self._waiting.setdefault(first, {})
        found[number] = block
        if len(found) < len(self.spaces):
            return
        del self._waiting[first]
        value = ToL([np.ascontiguousarray(found[k]) for k in range(len(self.spaces))], list(self.spaces))
        path = self.folder / f"part-{first:015d}.parquet"
        try:
            pyarrow.parquet.write_table(table_of({self.name: value}), path, use_dictionary=False)
        except OSError as error:
            raise usage("E609", f"cannot write a block of a result: {error.strerror or error}") from None
        finally:
            pyarrow.default_memory_pool().release_unused()


@dataclass(frozen=True, slots=True)
class WrittenColumn:
    """A column of a table that is written, which is not read back."""

    table: WrittenTable
    number: int

    is_shared: ClassVar[bool] = False

    def write(self, region: Sequence[Interval], block: Array) -> None:
        ((low, _),) = region
        self.table.add(self.number, low, block)

    def read(self, region: Sequence[Interval]) -> Array:
        raise AssertionError("what is written to a table is not read back")

    def regions(self) -> Iterator[tuple[Interval, ...]]:
        raise AssertionError("what is written to a table is not read back")
