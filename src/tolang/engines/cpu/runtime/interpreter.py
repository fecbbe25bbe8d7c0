"""The interpreter's own functions, for native code to call."""

from __future__ import annotations

import ctypes
from typing import Any

_TABLES: dict[tuple[str, ...], Any] = {}


def functions_and_none(*names: str) -> int:
    """The address of those of functions of the interpreter, one after the other, and of the object None.

    The table stays as long as the process lives, the same one for all threads.
    """
    if names not in _TABLES:
        addresses = [ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value for name in names]
        _TABLES.setdefault(names, (ctypes.c_void_p * (len(addresses) + 1))(*addresses, id(None)))
    return ctypes.addressof(_TABLES[names])
