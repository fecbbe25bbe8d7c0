"""Calls of compiled code with objects of a library that speaks DLPack's exchange interface, from native code."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from tolang.engines import contract
from tolang.engines.contract import NumberKind, RepeatedCalls
from tolang.engines.cpu.plan.calling import Repeated
from tolang.engines.cpu.runtime.interpreter import functions_and_none
from tolang.engines.cpu.runtime.native import MachineCode, brought
from tolang.engines.cpu.source import native_source

_FUNCTION = "tolang_tensors"
_SOURCE = native_source("runtime/tensors.ll")
_CALLED = (
    "PyTuple_GetItem", "PyEval_SaveThread", "PyEval_RestoreThread", "PyTuple_New", "PyTuple_SetItem", "PyErr_Clear",
    "Py_IncRef",
)  # fmt: skip
_MOST_REGISTERS, _MOST_OUTPUTS = 4096, 16
_MAJOR = 1
"""The version of DLPack whose structures the native code knows."""


class _DLPackTypeStructure(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_int64) for name in ("place", "code", "bits", "rank", "shape"))


class _DLPackCallStructure(ctypes.Structure):
    _fields_ = tuple(
        (name, ctypes.c_int64)
        for name in (
            *("python", "exchange", "walk", "table", "kernels", "registers", "count", "inputs", "outputs", "lengths"),
            "kinds",
        )
    )


class Exchanged:
    """Calls as those before, with a tuple of objects: what they give is None where the ordinary call is needed."""

    def __init__(
        self,
        repeated: Repeated,
        exchange: int,
        inputs: Sequence[tuple[NumberKind, Sequence[int]]],
        outputs: Sequence[NumberKind],
    ) -> None:
        entry, registers, places = repeated.parts
        given, first, ranks = entry.results
        kinds = (_DLPackTypeStructure * (len(inputs) + len(outputs)))()
        shapes = [(ctypes.c_int64 * len(shape))(*shape) for _, shape in inputs]
        for own, place, (kind, shape), lengths in zip(kinds, places, inputs, shapes, strict=False):
            own.place, own.code, own.bits, own.rank = place, *kind, len(shape)
            own.shape = ctypes.addressof(lengths)
        for at, (kind, rank) in enumerate(zip(outputs, ranks, strict=True)):
            own = kinds[len(inputs) + at]
            own.place, own.code, own.bits, own.rank = given + at, *kind, rank
        walk, table, kernels = entry.addresses
        made = _DLPackCallStructure(
            functions_and_none(*_CALLED), exchange, walk, table, kernels, registers.buffer_info()[0],
            len(registers), len(inputs), len(outputs), first, ctypes.addressof(kinds),
        )  # fmt: skip
        self._held = made, kinds, shapes, repeated
        self._address, self._run, self._inputs = ctypes.addressof(made), _native(), len(inputs)

    def __call__(self, objects: tuple[Any, ...]) -> Any:
        return self._run(self._address, objects) if len(objects) == self._inputs else None


def exchanged(
    repeated: RepeatedCalls,
    kind: type,
    inputs: Sequence[tuple[NumberKind, Sequence[int]]],
    outputs: Sequence[NumberKind],
) -> contract.Exchanged | None:
    """Calls with objects of a class that has the exchange interface; None where native code has no room for them."""
    exchange = _exchange_of(kind)
    assert isinstance(repeated, Repeated)
    if exchange is None or len(repeated.parts[1]) > _MOST_REGISTERS or len(outputs) > _MOST_OUTPUTS:
        return None
    return Exchanged(repeated, exchange, inputs, outputs)


@cache
def _exchange_of(kind: type) -> int | None:
    """The address of a library's exchange interface, where objects of a type have the one that is known here."""
    capsule = getattr(kind, "__dlpack_c_exchange_api__", None)
    if capsule is None:
        return None
    pointer: Any = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.argtypes, pointer.restype = [ctypes.py_object, ctypes.c_char_p], ctypes.c_void_p
    address: int = pointer(capsule, b"dlpack_exchange_api")
    return address if ctypes.c_uint32.from_address(address).value == _MAJOR else None


@cache
def _loaded() -> MachineCode:
    return brought("tensors", _SOURCE, _FUNCTION)


@cache
def _native() -> Callable[[int, tuple[Any, ...]], Any]:
    """The native function, called with the interpreter's lock."""
    kind = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.py_object)
    made: Callable[[int, tuple[Any, ...]], Any] = kind(_loaded().address)
    return made
