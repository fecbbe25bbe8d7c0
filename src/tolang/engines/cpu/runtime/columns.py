"""Columns of words, looked at by all threads: the least of each, and copies of those that lie apart (`columns.ll`).

So are words of records where they lie.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Sequence
from typing import Any

import numpy as np

from tolang.engines.cpu.runtime.native import MachineCode, brought, raise_pending
from tolang.engines.cpu.source import native_source

_CALL = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, *[ctypes.c_int64] * 3, ctypes.c_void_p)
_CALL_OF_RECORDS = ctypes.CFUNCTYPE(
    ctypes.c_int64, ctypes.c_void_p, *[ctypes.c_int64] * 3, ctypes.c_void_p, ctypes.c_void_p
)
_LOADED: list[tuple[MachineCode, Any, Any]] = []
GREATEST = (1 << 63) - 1
MOST_WORDS = 32
"""How many words records have at the most that are looked at where they lie."""


def _functions() -> tuple[Any, Any]:
    """The functions for columns and for records."""
    if not _LOADED:
        source = native_source("runtime/columns.ll")
        code = brought("columns", source, "tolang_columns", "tolang_records", written_out=True)
        columns, records = (code.addresses[name] for name in ("tolang_columns", "tolang_records"))
        _LOADED.append((code, _CALL(columns), _CALL_OF_RECORDS(records)))
    return _LOADED[0][1:]


def looked_at(
    columns: Sequence[np.ndarray[Any, Any]], copies: Sequence[np.ndarray[Any, Any] | None], block: int
) -> list[int] | None:
    """The least word of each column of so many bytes a row, where its bytes are a number with a sign.

    Columns of one length are copied to where there is a place for that, `block` rows of all at a time.  None where the
    code was stopped before its end.
    """
    call, _ = _functions()
    table, fault = array("q"), array("q", [0])
    for column, copy in zip(columns, copies, strict=True):
        assert column.ndim == 1
        assert column.itemsize == 8
        assert copy is not None or column.flags.c_contiguous
        table.extend((column.ctypes.data, column.strides[0], 0 if copy is None else copy.ctypes.data, GREATEST))
    call(table.buffer_info()[0], len(columns), columns[0].size, block, fault.buffer_info()[0])
    if fault[0]:
        raise_pending()
        return None
    return table.tolist()[3::4]


def records_looked_at(fields: Sequence[np.ndarray[Any, Any]], block: int) -> list[int] | None:
    """The least word of each of some fields of the same records, looked at where they lie, `block` records at a time.

    None where the code was stopped before its end, or the fields are no words of records that it takes.
    """
    first, stride, rows = fields[0], fields[0].strides[0], fields[0].size
    words, over = divmod(stride, 8)
    begin = min(one.ctypes.data for one in fields)
    places = [one.ctypes.data - begin for one in fields]
    if over or not 0 < words <= MOST_WORDS or any(place % 8 or place >= stride for place in places):
        return None
    assert all(one.ndim == 1 and one.itemsize == 8 and one.strides == first.strides for one in fields)
    assert all(one.size == rows for one in fields)
    _, call = _functions()
    least, fault = array("q", [GREATEST]) * words, array("q", [0])
    call(begin, words, rows - 1, block, least.buffer_info()[0], fault.buffer_info()[0])  # the last may end before
    if fault[0]:
        raise_pending()
        return None
    return [min(least[place // 8], int(one[-1])) for place, one in zip(places, fields, strict=True)]
