"""Calls of compiled code from XLA, by its foreign-function interface: `tolang_xla` in runtime/xla.c is what it calls.

A call that JAX traces is made known by a key, which is all that XLA's code has of it.  The first calls are computed by
the ordinary way, in Python; from then on compiled code is called where XLA is, with the addresses of its arrays.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from tolang.engines.contract import ArrayKind, RepeatedCalls
from tolang.engines.cpu.plan.calling import Repeated
from tolang.engines.cpu.runtime.native import MachineCode, brought
from tolang.engines.cpu.source import native_source
from tolang.ground.reporting.diagnostics import ToLangError

Array = np.ndarray[Any, Any]
_SOURCE = native_source("runtime/xla.ll")
_HANDLER, _SPEAK, _KNOWN, _PLAIN = _FUNCTIONS = (
    "tolang_xla",
    "tolang_xla_speak",
    "tolang_xla_known",
    "tolang_xla_plain",
)
_MOST_REGISTERS, MOST_ARRAYS = 4096, 512
VERSIONS = frozenset({(0, 1), (0, 2), (0, 3), (0, 4), (0, 5)})
"""The versions of XLA's interface whose structures the native code knows."""
TYPES = {
    "bool": 1, "int8": 2, "int16": 3, "int32": 4, "int64": 5, "uint8": 6, "uint16": 7, "uint32": 8, "uint64": 9,
    "float16": 10, "float32": 11, "float64": 12, "complex64": 15, "bfloat16": 16, "complex128": 18,
    "float8_e5m2": 19, "float8_e4m3fn": 20, "float8_e4m3b11fnuz": 23, "float8_e5m2fnuz": 24, "float8_e4m3fnuz": 25,
    "float8_e8m0fnu": 33,
}  # fmt: skip
"""Types of numbers as XLA numbers them."""
_CHANGES = {("float64", "float32"): 1, ("int64", "int32"): 2}
"""How native code makes numbers narrower, for a JAX that has none of 64 bits."""
_RUNS_BEFORE = 2
"""Calls in the ordinary way, after which code that was ready soon is being made fast."""


NATIVE, IN_PYTHON = "compiled code, called by XLA", "by way of Python"
"""How calls are made."""


class _XlaKindStructure(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_int64) for name in ("type", "rank", "lengths"))


class _Result(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_int64) for name in ("change", "bytes"))


class _Plain(ctypes.Structure):
    _fields_ = tuple(
        (name, ctypes.c_int64)
        for name in ("walk", "table", "kernels", "registers", "count", "places", "first", "lengths", "results")
    )


class _XlaCallStructure(ctypes.Structure):
    _fields_ = tuple(
        (name, ctypes.c_int64)
        for name in ("key", "inputs", "outputs", "kinds", "ordinary", "interrupt", "plain", "next")
    )


class _XlaFaultStructure(ctypes.Structure):
    _fields_ = ("how", ctypes.c_int64), ("text", ctypes.c_int64)


class XlaCall:
    """A call with arrays of given types and shapes.

    `compute` gives the results of arrays, and `repeated`, after some calls, what calls compiled code with such arrays,
    or why nothing does.  `way` tells how the call is made.
    """

    def __init__(
        self,
        key: int,
        inputs: Sequence[ArrayKind],
        outputs: Sequence[ArrayKind],
        compute: Callable[[list[Array]], Sequence[Array]],
        repeated: Callable[[list[Array]], RepeatedCalls | str],
    ) -> None:
        self.inputs, self.outputs, self.compute, self.repeated = tuple(inputs), tuple(outputs), compute, repeated
        self.runs, self.way = 0, f"{IN_PYTHON} at first"
        both = (*self.inputs, *self.outputs)
        lengths = [(ctypes.c_int64 * len(one.shape))(*one.shape) for one in both]
        kinds = (_XlaKindStructure * len(both))()
        for kind, one, own in zip(kinds, both, lengths, strict=True):
            kind.type, kind.rank, kind.lengths = TYPES[one.dtype.name], len(one.shape), ctypes.addressof(own)
        called = [ctypes.cast(one, ctypes.c_void_p).value for one in (_ORDINARY, ctypes.pythonapi.PyErr_SetInterrupt)]
        self.call = _XlaCallStructure(key, len(inputs), len(outputs), ctypes.addressof(kinds), *called, 0, 0)
        self._held: list[Any] = [kinds, lengths]

    def computed(self, places: Sequence[int]) -> None:
        """Computes results of arrays at addresses into others, in the ordinary way."""
        arrays = [_array(kind, place) for kind, place in zip(self.inputs, places, strict=False)]
        for one in arrays:
            one.flags.writeable = False
        results = self.compute(arrays)
        for kind, place, found in zip(self.outputs, places[len(arrays) :], results, strict=True):
            _array(kind, place)[...] = found
        self.runs += 1
        if self.runs >= _RUNS_BEFORE and self.way != NATIVE:
            repeated = self.repeated(arrays)
            reason = repeated if isinstance(repeated, str) else self._reason_against_native(repeated)
            self.way = f"{IN_PYTHON}: {reason}" if reason else NATIVE

    def _reason_against_native(self, repeated: RepeatedCalls) -> str | None:
        """Has native code make this call from now on, or tells why it cannot."""
        assert isinstance(repeated, Repeated)
        entry, registers, places = repeated.parts
        first, lengths, _ = entry.results
        changes = []
        for one, own in zip(self.outputs, entry.kinds, strict=True):
            change = 0 if one.dtype == own else _CHANGES.get((own.name, one.dtype.name))
            if change is None:
                return f"results are {own.name}, which JAX holds as {one.dtype.name}"
            changes.append(_Result(change, own.itemsize))
        if len(registers) > _MOST_REGISTERS:
            return "the program is long"
        walk, table, kernels = entry.addresses
        where, results = (ctypes.c_int64 * len(places))(*places), (_Result * len(changes))(*changes)
        plain = _Plain(
            walk, table, kernels, registers.buffer_info()[0], len(registers), ctypes.addressof(where), first, lengths,
            ctypes.addressof(results),
        )  # fmt: skip
        self._held += [repeated, where, results, plain]
        _native(_PLAIN, ctypes.c_void_p, ctypes.c_void_p)(ctypes.addressof(self.call), ctypes.addressof(plain))
        return None


_CALLS: dict[int, XlaCall] = {}
"""All calls that XLA may make, by their keys, as long as the process lives: nobody tells when XLA drops its code."""
_ADDING = threading.Lock()
_SAID = threading.local()
_FINE, _WRONG, _INTERRUPTED = 1, 2, 3


def handler(version: tuple[int, int]) -> int:
    """The address of what XLA calls, which speaks a version of its interface."""
    _native(_SPEAK, ctypes.c_int32)(version[1])
    return _loaded().addresses[_HANDLER]


def call_of(
    key: int,
    inputs: Sequence[ArrayKind],
    outputs: Sequence[ArrayKind],
    compute: Callable[[list[Array]], Sequence[Array]],
    repeated: Callable[[list[Array]], RepeatedCalls | str],
) -> XlaCall:
    """The call of a key, made when it is first asked for."""
    with _ADDING:
        if key not in _CALLS:
            made = _CALLS[key] = XlaCall(key, inputs, outputs, compute, repeated)
            _native(_KNOWN, ctypes.c_void_p)(ctypes.addressof(made.call))
        return _CALLS[key]


def _ordinary(key: int, places: Any, told: Any) -> None:
    """Computes a call in the ordinary way, and tells how that ended: nothing that is raised passes through XLA."""
    try:
        call = _CALLS[key]
        call.computed(places[: len(call.inputs) + len(call.outputs)])
        told[0].how = _FINE
    except BaseException as error:
        own = isinstance(error, ToLangError)
        _SAID.text = ctypes.create_string_buffer((str(error) if own else f"{type(error).__name__}: {error}").encode())
        told[0].text = ctypes.addressof(_SAID.text)
        told[0].how = _INTERRUPTED if isinstance(error, KeyboardInterrupt) else _WRONG


_ORDINARY = ctypes.CFUNCTYPE(None, ctypes.c_uint64, ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(_XlaFaultStructure))(
    _ordinary
)


class _Foreign(ctypes.c_char * (1 << 62)):  # type: ignore[misc]  # an array type of ctypes is made by a product
    """Memory of XLA's, as much of it as there may be."""


def _array(kind: ArrayKind, place: int) -> Array:
    """The array of XLA's at an address, which may be none where there is nothing in it."""
    if not np.prod(kind.shape):
        return np.empty(kind.shape, kind.dtype)
    return np.ndarray(kind.shape, kind.dtype, _Foreign.from_address(place))


@cache
def _loaded() -> MachineCode:
    return brought("xla", _SOURCE, *_FUNCTIONS)


def _native(name: str, *kinds: Any) -> Callable[..., None]:
    made: Callable[..., None] = ctypes.CFUNCTYPE(None, *kinds)(_loaded().addresses[name])
    return made
