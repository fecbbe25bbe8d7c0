"""LLVM's three long calls, outside llvmlite's lock, so that several modules are compiled at a time.

llvmlite lets one thread into LLVM at once, since its modules share a context by default.  Modules that have contexts
and target machines of their own may be read, improved and emitted side by side, which is what LLVM's contexts are for.

Around a long call other threads may run Python; a thread that comes back waits until they let it.  So short calls are
made without letting them in.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

from llvmlite.binding import ffi
from llvmlite.binding.module import ModuleRef


@cache
def _library() -> ctypes.CDLL:
    """A second handle of the library that llvmlite has loaded; its calls take no lock."""
    library = ctypes.CDLL(ffi.lib._name)
    library.LLVMPY_ParseAssembly.restype = ffi.LLVMModuleRef
    library.LLVMPY_TargetMachineEmitToMemory.restype = ctypes.c_void_p
    library.LLVMPY_RunNewModulePassManager.restype = None
    return library


@cache
def _short() -> ctypes.PyDLL:
    """A third handle, for calls that are over at once."""
    library = ctypes.PyDLL(ffi.lib._name)
    library.LLVMPY_GetBufferStart.restype = ctypes.c_void_p
    library.LLVMPY_GetBufferSize.restype = ctypes.c_size_t
    for name in ("GetBufferStart", "GetBufferSize", "DisposeMemoryBuffer"):
        getattr(library, f"LLVMPY_{name}").argtypes = [ctypes.c_void_p]
    return library


def parsed(text: str, context: Any) -> ModuleRef:
    """The module that a text is, in a context that no other thread uses."""
    told = ctypes.c_char_p()
    module = _library().LLVMPY_ParseAssembly(context, text.encode(), ctypes.byref(told))
    if not module:
        raise RuntimeError(f"LLVM cannot read a module: {_said(told)}")
    return ModuleRef(module, context)


def run_passes(passes: Any, module: Any, builder: Any) -> None:
    """Runs a module's pass manager."""
    _library().LLVMPY_RunNewModulePassManager(passes, module, builder)


def emit_object(machine: Any, module: Any) -> bytes:
    """The object file of a module."""
    short, told = _short(), ctypes.c_char_p()
    emitted = _library().LLVMPY_TargetMachineEmitToMemory(machine, module, 1, ctypes.byref(told))
    if not emitted:
        raise RuntimeError(f"LLVM emits no code: {_said(told)}")
    try:
        return ctypes.string_at(short.LLVMPY_GetBufferStart(emitted), short.LLVMPY_GetBufferSize(emitted))
    finally:
        short.LLVMPY_DisposeMemoryBuffer(emitted)


def _said(told: ctypes.c_char_p) -> str:
    return (told.value or b"").decode(errors="replace")
