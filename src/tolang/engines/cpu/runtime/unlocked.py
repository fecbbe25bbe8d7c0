"""LLVM's two long calls, outside llvmlite's lock, so that several modules are compiled at a time.

llvmlite lets one thread into LLVM at once, since its modules share a context by default.  Modules that have contexts
and target machines of their own may be improved and emitted side by side, which is what LLVM's contexts are for.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

from llvmlite.binding import ffi


@cache
def _library() -> ctypes.CDLL:
    """A second handle of the library that llvmlite has loaded; its calls take no lock."""
    library = ctypes.CDLL(ffi.lib._name)
    library.LLVMPY_TargetMachineEmitToMemory.restype = ctypes.c_void_p
    library.LLVMPY_GetBufferStart.restype = ctypes.c_void_p
    library.LLVMPY_GetBufferSize.restype = ctypes.c_size_t
    for name in ("GetBufferStart", "GetBufferSize", "DisposeMemoryBuffer"):
        getattr(library, f"LLVMPY_{name}").argtypes = [ctypes.c_void_p]
    library.LLVMPY_RunNewModulePassManager.restype = None
    return library


def run_passes(passes: Any, module: Any, builder: Any) -> None:
    """Runs a module's pass manager."""
    _library().LLVMPY_RunNewModulePassManager(passes, module, builder)


def emit_object(machine: Any, module: Any) -> bytes:
    """The object file of a module."""
    library, told = _library(), ctypes.c_char_p()
    emitted = library.LLVMPY_TargetMachineEmitToMemory(machine, module, 1, ctypes.byref(told))
    if not emitted:
        raise RuntimeError(f"LLVM emits no code: {(told.value or b'').decode(errors='replace')}")
    try:
        return ctypes.string_at(library.LLVMPY_GetBufferStart(emitted), library.LLVMPY_GetBufferSize(emitted))
    finally:
        library.LLVMPY_DisposeMemoryBuffer(emitted)
