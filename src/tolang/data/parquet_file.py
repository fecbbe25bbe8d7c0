"""Parquet: a table, of which only the columns that are asked for are read, row group by row group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow
import pyarrow.parquet

from tolang.data.arrow_tables import held_table, table_of
from tolang.data.contents import FileContents, Form, reading, refuse_beyond_free
from tolang.data.progress import report
from tolang.data.results import Result
from tolang.data.tables import refuse_table

ROWS = 1 << 20
"""Rows written as one group."""


def open_file(path: Path) -> FileContents:
    """The table of a file; text stays in the dictionary it has there, for one text may stand in any number of rows."""

    def read(positions: Sequence[int]) -> Any:
        with pyarrow.parquet.ParquetFile(path, read_dictionary=texts) as file:
            schema, rows = file.schema_arrow, file.metadata.num_rows
            wanted = None if len(positions) == len(names) else [names[position] for position in positions]
            refuse_beyond_free(8 * rows * len(positions), path)
            batches, done = [], 0
            for batch in file.iter_batches(1 << 18, columns=wanted):
                batches.append(batch)
                done += batch.num_rows
                refuse_beyond_free(batch.nbytes, path)  # of the next one, which may be as large
                report(f"reading {path}", done, rows)
            if not batches:
                return pyarrow.schema([schema.field(position) for position in positions]).empty_table()
            table = pyarrow.Table.from_batches(batches)
            places = {name: place for place, name in enumerate(table.schema.names)}
        return table.select(list(positions) if wanted is None else [places[name] for name in wanted])

    with reading(path), open(path, "rb"), pyarrow.parquet.ParquetFile(path) as file:
        names = file.schema_arrow.names
        texts = [one.name for one in file.schema_arrow if pyarrow.types.is_string(one.type)]
        return held_table(path, names, read)


def refuse(path: Path, forms: Mapping[str, Form]) -> None:
    """Tables fit: one ToL, its dimensions beyond the first as lists of fixed size, or vectors by name."""
    refuse_table(path, forms, 32)


def write(path: Path, file: BinaryIO, results: Mapping[str, Result]) -> None:
    table = table_of(results)
    with pyarrow.parquet.ParquetWriter(file, table.schema) as writer:
        for start in range(0, table.num_rows, ROWS):
            writer.write_table(table.slice(start, ROWS))
            report(f"writing {path}", min(start + ROWS, table.num_rows), table.num_rows)
