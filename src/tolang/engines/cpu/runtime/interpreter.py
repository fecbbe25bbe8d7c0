"""The interpreter's own functions, for native code to call."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any


@cache
def functions_and_none(*names: str) -> Any:
    """The addresses of functions of the interpreter, one after the other, and that of the object None."""
    addresses = [ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value for name in names]
    return (ctypes.c_void_p * (len(addresses) + 1))(*addresses, id(None))
