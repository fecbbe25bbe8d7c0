"""Texts numbered by all threads (`texts.c`).

    i64 tolang_texts(i64* given)

Given are where it is told in which places texts lie, in how many bytes each, where buffers of characters lie and how
many there are, how many texts, what hashes begin with, and where numbers, firsts and what is wrong go.
"""

from __future__ import annotations

import ctypes
import os
from array import array
from collections.abc import Sequence
from typing import Any

import numpy as np

from tolang.engines.cpu.runtime.native import MachineCode, brought, raise_pending
from tolang.engines.cpu.source import native_source

_CALL = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)
_LOADED: list[tuple[MachineCode, Any]] = []
VIEW = 16
"""Bytes of a view."""
MOST = (1 << 31) - 2
"""Texts beyond which numbers of 32 bits do not tell them."""


def numbered_texts(
    places: np.ndarray[Any, Any], buffers: Sequence[np.ndarray[Any, Any]]
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]] | None:
    """The number of each text in a dictionary, and for each that is there, in order, the place of a text that has it.

    Places are where each text begins in the one buffer, and the last ends, or views of 16 bytes, as Arrow has them.
    Numbers follow the order of bytes; 0 is that of the empty text, whether it is there or not.  None where some texts
    lie outside the buffers or are no UTF-8, where there are too many or too little memory, or the code was stopped.
    """
    width = places.itemsize
    count = len(places) - (width != VIEW)
    if not 0 < count <= MOST:
        return None
    assert width in (4, 8, VIEW)
    assert all(one.flags.c_contiguous for one in (places, *buffers))
    if not _LOADED:
        code = brought("texts", native_source("runtime/texts.ll"), "tolang_texts", written_out=True)
        _LOADED.append((code, _CALL(code.address)))
    numbers, firsts, fault = np.empty(count, np.int32), np.empty(count, np.int64), array("q", [0])
    seed = int.from_bytes(os.urandom(8), "little", signed=True)
    lie = array("q", [word for one in buffers for word in (one.ctypes.data, one.nbytes)] or [0])
    given = array("q", [
        places.ctypes.data, width, lie.buffer_info()[0], len(buffers), count, seed,
        numbers.ctypes.data, firsts.ctypes.data, fault.buffer_info()[0],
    ])  # fmt: skip
    found = _LOADED[0][1](given.buffer_info()[0])
    if fault[0]:
        raise_pending()
    return (numbers, firsts[:found].copy()) if found > 0 else None
