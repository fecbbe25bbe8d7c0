"""Calls of compiled code with NumPy's arrays and numbers from native code, as a function of Python."""

from __future__ import annotations

import ctypes
import sys
from array import array
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from tolang.engines.cpu.runtime.interpreter import functions_and_none
from tolang.engines.cpu.runtime.native import MachineCode, brought, threads_by
from tolang.engines.cpu.source import native_source

_FUNCTION, _BEGIN = "tolang_arrays", "tolang_arrays_by"
_SOURCE = native_source("runtime/arrays.ll")
_OF_PYTHON = (
    "PyCapsule_GetPointer", "PyCapsule_New", "PyEval_SaveThread", "PyEval_RestoreThread", "Py_IncRef", "Py_DecRef",
    "PyErr_Clear", "PyTuple_New", "PyTuple_SetItem", "PyFloat_AsDouble", "PyLong_AsLongLong", "PyErr_Occurred",
)  # fmt: skip
_OF_NUMPY = (94, 282, 76)
"""Places in the table of NumPy's functions: `PyArray_NewFromDescr`, `PyArray_SetBaseObject`, `PyArray_Return`."""
_MOST_REGISTERS, _MOST_INPUTS = 4096, 64
_WAYS = {
    (np.ndarray, None): 0, (float, "f8"): 1, (np.float64, "f8"): 1, (np.float32, "f8"): 1, (float, "f4"): 2,
    (np.float64, "f4"): 2, (np.float32, "f4"): 2, (int, "i8"): 3, (np.int64, "i8"): 3, (int, "f8"): 4, (int, "f4"): 5,
}  # fmt: skip
"""How arguments of a class are taken, numbers as a type; native code numbers them so."""
_WITHOUT_NAMES = 0x80
"""How the interpreter calls a function that takes arguments by position alone, as they lie."""
_HEAD = object.__basicsize__
_WORD = ctypes.c_int64


class _ArrayStructure(ctypes.Structure):
    """What the native code reads of an array."""

    _fields_ = (
        ("data", _WORD), ("rank", ctypes.c_int32), ("lengths", ctypes.c_void_p), ("strides", ctypes.c_void_p),
        ("owner", ctypes.c_void_p), ("kind", _WORD), ("flags", ctypes.c_int32),
    )  # fmt: skip


class ArrayArgument(NamedTuple):
    """What is known of an argument: the register that its address goes to, its type, its shape, and its class."""

    place: int
    kind: np.dtype[Any]
    shape: tuple[int, ...]
    own: type

    @property
    def way(self) -> int | None:
        """How native code takes it, which may know none."""
        return _WAYS.get((self.own, None if self.own is np.ndarray else self.kind.str[1:]))


class _Input(ctypes.Structure):
    _fields_ = tuple((name, _WORD) for name in ("place", "way", "kind", "rank", "lengths"))


class _Output(ctypes.Structure):
    _fields_ = tuple((name, _WORD) for name in ("place", "rank", "kind"))


class _ArrayCallStructure(ctypes.Structure):
    _fields_ = tuple(
        (name, _WORD)
        for name in (
            *("numpy", "walk", "table", "kernels", "registers", "count", "inputs", "input", "outputs", "output"),
            *("lengths", "threads", "set_threads", "usual_threads"),
        )
    )


class _Method(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p), ("address", ctypes.c_void_p), ("way", ctypes.c_int), ("told", ctypes.c_char_p),
    )  # fmt: skip


def array_call(
    walk: tuple[int, int, int],
    registers: array[int],
    inputs: Sequence[ArrayArgument],
    outputs: Sequence[tuple[int, np.dtype[Any], int]],
    lengths: int,
    threads: int | None,
    owner: object,
) -> Callable[..., Any] | None:
    """A function of arrays, which has them live as long as itself that own the code; None where there cannot be one.

    It gives the result, several as a tuple, or None where the ordinary call is needed.  `walk` are the addresses of
    what runs the plan, of its table and its kernels, `registers` those that it begins with; outputs are places among
    these, types and ranks, and the `lengths` of all of them begin at a place, too.  It runs on so many `threads`, where
    these are told.
    """
    large = len(registers) > _MOST_REGISTERS or len(inputs) > _MOST_INPUTS
    if large or any(one.way is None for one in inputs) or not _knows_arrays():
        return None
    shapes = [(_WORD * len(one.shape))(*one.shape) for one in inputs]
    expected, given = (_Input * len(inputs))(), (_Output * len(outputs))()
    for taken, one, shape in zip(expected, inputs, shapes, strict=True):
        taken.place, taken.way = one.place, one.way
        taken.kind = id(one.kind if one.own is np.ndarray else one.own)
        taken.rank, taken.lengths = len(one.shape), ctypes.addressof(shape)
    for made, (place, kind, rank) in zip(given, outputs, strict=True):
        made.place, made.kind, made.rank = place, id(kind), rank
    numpy, method = _numpy(), _method()
    call = _ArrayCallStructure(
        ctypes.addressof(numpy), *walk, registers.buffer_info()[0], len(registers), len(inputs),
        ctypes.addressof(expected), len(outputs), ctypes.addressof(given), lengths,
        threads or 0, *threads_by(),
    )  # fmt: skip
    held = call, numpy, method, expected, given, shapes, registers, inputs, outputs, owner
    found: Callable[..., Any] = _function()(ctypes.byref(method), _capsule()(ctypes.addressof(call), None, None), held)
    return found


@cache
def _knows_arrays() -> bool:
    """Whether arrays lie in memory as the native code takes them to."""
    if sys.implementation.name != "cpython" or ctypes.sizeof(ctypes.c_void_p) != ctypes.sizeof(_WORD):
        return False
    whole = np.zeros((3, 4), np.float32)
    several: list[np.ndarray[Any, Any]] = [whole, whole.T, whole[1:, ::2], np.arange(5), np.zeros((), np.bool_)]
    return all(map(_lies_as_known, several))


def _lies_as_known(one: np.ndarray[Any, Any]) -> bool:
    told = _ArrayStructure.from_address(id(one) + _HEAD)
    kind = ctypes.c_void_p.from_address(id(one) + _HEAD - ctypes.sizeof(_WORD)).value
    known = (told.data, told.rank, told.kind, bool(told.flags & 1), kind)
    if known != (one.ctypes.data, one.ndim, id(one.dtype), one.flags.c_contiguous, id(type(one))):
        return False  # nor is anything followed that may be no address
    return one.ndim == 0 or tuple((_WORD * one.ndim).from_address(told.lengths)) == one.shape


@cache
def _numpy() -> Any:
    """The functions of NumPy that native code calls, the class of arrays, and how long the head of an object is."""
    import numpy._core._multiarray_umath as own  # type: ignore[import-not-found]  # a module that is compiled

    pointer: Any = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
        ("PyCapsule_GetPointer", ctypes.pythonapi)
    )
    table = (ctypes.c_void_p * (max(_OF_NUMPY) + 1)).from_address(pointer(own._ARRAY_API, None))
    return (ctypes.c_void_p * 5)(*[table[place] for place in _OF_NUMPY], id(np.ndarray), _HEAD)


@cache
def _loaded() -> MachineCode:
    found = brought("arrays", _SOURCE, _FUNCTION, _BEGIN)
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(found.addresses[_BEGIN])(functions_and_none(*_OF_PYTHON))
    return found


@cache
def _method() -> _Method:
    """How the interpreter is told of the native function."""
    return _Method(b"call", _loaded().addresses[_FUNCTION], _WITHOUT_NAMES, None)


@cache
def _function() -> Any:
    """What makes a function of Python of a native one, of an object that it gets, and of what it only holds.

    That is a module elsewhere: a thread may be inside while another one lets go of everything else.
    """
    kind = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.py_object)
    return kind(("PyCFunction_NewEx", ctypes.pythonapi))


@cache
def _capsule() -> Any:
    """What makes an object of an address."""
    kind = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    return kind(("PyCapsule_New", ctypes.pythonapi))
