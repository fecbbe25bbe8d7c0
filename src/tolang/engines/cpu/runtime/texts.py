"""Texts numbered by all threads (`texts.c`).

    i64 tolang_texts(i64* given)

Given are where the characters lie and how many bytes they have, where the offsets lie and whether each has 8 bytes, how
many texts there are, what hashes begin with, and where numbers, firsts and what is wrong go.
"""

from __future__ import annotations

import ctypes
import os
from array import array
from typing import Any

import numpy as np

from tolang.engines.cpu.runtime.native import Code, brought, raise_pending
from tolang.engines.cpu.source import native_source

_CALL = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)
_LOADED: list[tuple[Code, Any]] = []
MOST = (1 << 31) - 2
"""Texts beyond which numbers of 32 bits do not tell them."""


def numbered_texts(
    characters: np.ndarray[Any, Any], offsets: np.ndarray[Any, Any]
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]] | None:
    """The number of each text in a dictionary, and for each that is there, in order, the place of a text that has it.

    Numbers follow the order of bytes; 0 is that of the empty text, whether it is there or not.  None where some texts
    lie outside the characters or are no UTF-8, where there are too many or too little memory, or the code was stopped.
    """
    count = len(offsets) - 1
    if not 0 < count <= MOST:
        return None
    assert offsets.flags.c_contiguous
    assert characters.flags.c_contiguous
    if not _LOADED:
        code = brought("texts", native_source("runtime/texts.ll"), "tolang_texts", written_out=True)
        _LOADED.append((code, _CALL(code.address)))
    numbers, firsts, fault = np.empty(count, np.int32), np.empty(count, np.int64), array("q", [0])
    seed = int.from_bytes(os.urandom(8), "little", signed=True)
    given = array("q", [
        characters.ctypes.data, characters.nbytes, offsets.ctypes.data, offsets.itemsize == 8, count, seed,
        numbers.ctypes.data, firsts.ctypes.data, fault.buffer_info()[0],
    ])  # fmt: skip
    found = _LOADED[0][1](given.buffer_info()[0])
    if fault[0]:
        raise_pending()
    return (numbers, firsts[:found].copy()) if found > 0 else None
