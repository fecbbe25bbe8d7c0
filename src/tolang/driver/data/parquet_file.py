"""Parquet: a table, of which only the columns that are asked for are read, row group by row group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow
import pyarrow.parquet

from tolang.driver.data.arrow_tables import held_table, table_of
from tolang.driver.data.contents import Form, Held, reading, refuse_beyond_free
from tolang.driver.data.progress import report
from tolang.driver.data.tables import refuse_table
from tolang.driver.results import Result

ROWS = 1 << 20
"""Rows written as one group."""


def open_file(path: Path) -> Held:
    """The table of a file."""

    def read(positions: Sequence[int]) -> Any:
        with pyarrow.parquet.ParquetFile(path) as file:
            schema = file.schema_arrow
            wanted = [schema.names[position] for position in positions]
            rows = file.metadata.num_rows
            refuse_beyond_free(8 * rows * len(wanted), path)
            batches, done = [], 0
            for batch in file.iter_batches(1 << 18, columns=wanted):
                batches.append(batch)
                done += batch.num_rows
                report(f"reading {path}", done, rows)
            fields = pyarrow.schema([schema.field(position) for position in positions])
            table = pyarrow.Table.from_batches(batches) if batches else fields.empty_table()
        return table.select(wanted)

    with reading(path), open(path, "rb"), pyarrow.parquet.ParquetFile(path) as file:
        return held_table(path, file.schema_arrow.names, read)


def refuse(path: Path, forms: Mapping[str, Form]) -> None:
    """Tables fit: one ToL, its dimensions beyond the first as lists of fixed size, or vectors by name."""
    refuse_table(path, forms, 32)


def write(path: Path, file: BinaryIO, results: Mapping[str, Result]) -> None:
    table = table_of(results)
    with pyarrow.parquet.ParquetWriter(file, table.schema) as writer:
        for start in range(0, table.num_rows, ROWS):
            writer.write_table(table.slice(start, ROWS))
            report(f"writing {path}", min(start + ROWS, table.num_rows), table.num_rows)
