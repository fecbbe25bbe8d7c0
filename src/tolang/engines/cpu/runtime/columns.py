"""Columns of words, looked at by all threads: the least of each, and copies of those that lie apart (`columns.ll`)."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Sequence
from typing import Any

import numpy as np

from tolang.engines.cpu.runtime.native import Code, brought, raise_pending
from tolang.engines.cpu.source import native_source

_CALL = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, *[ctypes.c_int64] * 3, ctypes.c_void_p)
_LOADED: list[tuple[Code, Any]] = []
GREATEST = (1 << 63) - 1


def looked_at(
    columns: Sequence[np.ndarray[Any, Any]], copies: Sequence[np.ndarray[Any, Any] | None], block: int
) -> list[int] | None:
    """The least word of each column of so many bytes a row, where its bytes are a number with a sign.

    Columns of one length are copied to where there is a place for that, `block` rows of all at a time.  None where the
    code was stopped before its end.
    """
    if not _LOADED:
        source = native_source("runtime/columns.ll")
        code = brought("columns", source, "tolang_columns", written_out=True)
        _LOADED.append((code, _CALL(code.address)))
    table, fault = array("q"), array("q", [0])
    for column, copy in zip(columns, copies, strict=True):
        assert column.ndim == 1
        assert column.itemsize == 8
        assert copy is not None or column.flags.c_contiguous
        table.extend((column.ctypes.data, column.strides[0], 0 if copy is None else copy.ctypes.data, GREATEST))
    _, call = _LOADED[0]
    call(table.buffer_info()[0], len(columns), columns[0].size, block, fault.buffer_info()[0])
    if fault[0]:
        raise_pending()
        return None
    return table.tolist()[3::4]
