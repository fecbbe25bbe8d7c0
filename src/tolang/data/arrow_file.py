"""Arrow's own files (`.arrow`, and `.feather`, which is the same), in the format of files or of streams."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow

from tolang.data.arrow_tables import held_table, table_of
from tolang.data.contents import FileContents, Form, reading, refuse_beyond_free
from tolang.data.progress import report
from tolang.data.results import Result
from tolang.data.tables import refuse_table

ROWS = 1 << 20
"""Rows written as one batch."""
_MAGIC = b"ARROW1"


def open_file(path: Path) -> FileContents:
    """The table of a file."""
    with reading(path), open(path, "rb") as opened:
        of_files = opened.read(len(_MAGIC)) == _MAGIC

    def batches(source: Any, positions: Sequence[int] | None) -> tuple[Any, list[Any]]:
        options = pyarrow.ipc.IpcReadOptions(included_fields=None if positions is None else sorted(positions))
        if not of_files:
            with pyarrow.ipc.open_stream(source, options=options) as stream:
                return stream.schema, [] if positions is None else [_held(path, one) for one in stream]
        with pyarrow.ipc.open_file(source, options=options) as reader:
            found = []
            for number in range(0 if positions is None else reader.num_record_batches):
                found.append(_held(path, reader.get_batch(number)))
                report(f"reading {path}", number + 1, reader.num_record_batches)
            return reader.schema, found

    def read(positions: Sequence[int]) -> Any:
        with pyarrow.OSFile(str(path)) as source:
            schema, found = batches(source, positions)
            table = pyarrow.Table.from_batches(found, schema)
        places = {position: place for place, position in enumerate(sorted(positions))}
        return table.select([places[position] for position in positions])

    with reading(path), pyarrow.OSFile(str(path)) as source:
        return held_table(path, batches(source, None)[0].names, read)


def _held(path: Path, batch: Any) -> Any:
    """A batch, unless there is no memory for another one as large, as the next may be."""
    refuse_beyond_free(batch.nbytes, path)
    return batch


def refuse(path: Path, forms: Mapping[str, Form]) -> None:
    """Tables fit: one ToL, its dimensions beyond the first as lists of fixed size, or vectors by name."""
    refuse_table(path, forms, 32)


def write(path: Path, file: BinaryIO, results: Mapping[str, Result]) -> None:
    table = table_of(results)
    with pyarrow.ipc.new_file(file, table.schema) as writer:
        for start in range(0, table.num_rows, ROWS):
            writer.write_table(table.slice(start, ROWS))
            report(f"writing {path}", min(start + ROWS, table.num_rows), table.num_rows)
