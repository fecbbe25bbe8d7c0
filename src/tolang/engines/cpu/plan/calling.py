"""Calls of compiled code from Python: values to words of memory and back, as few steps as it takes.

    i64 tolang_walk(i64* table, i64* registers, i8** kernels)

Registers begin with sizes, the seed, addresses of inputs; then come addresses of outputs, and their lengths, and how
many elements the elements of some inputs are apart.  Each call has registers for itself, so threads may call at once.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from tolang.engines.cpu.plan.array_calls import ArrayArgument, array_call
from tolang.engines.cpu.plan.artifact import Artifact
from tolang.engines.cpu.runtime import guarding
from tolang.engines.cpu.runtime.columns import looked_at, records_looked_at
from tolang.engines.cpu.runtime.native import called_on_threads, runtime_address
from tolang.engines.cpu.runtime.texts import numbered_texts
from tolang.ground.values import text_numbers
from tolang.ground.values.casting import array_of_number
from tolang.ground.values.records import fields_apart, lend, step_of
from tolang.ground.values.spaces import Column, dtype_of, strong
from tolang.ground.values.values import ToL

_RETURN = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
RUN = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_void_p] * 3)
_METHOD: Any = ctypes.pythonapi.PyInstanceMethod_New
_METHOD.argtypes, _METHOD.restype = [ctypes.py_object], ctypes.py_object
lend(looked_at, records_looked_at)
text_numbers.lend(numbered_texts)


class Entry:
    """The function of a plan as Python calls it; `fixed` inputs have the same values in all calls."""

    def __init__(
        self,
        artifact: Artifact,
        inputs: Sequence[InputInfo],
        outputs: Sequence[OutputInfo],
        kernels: Sequence[int],
        walker: int,
        fixed: Mapping[str, ToL],
    ) -> None:
        self._sizes, self._outputs = artifact.sizes, tuple(outputs)
        self._block = array("q", bytes(8 * artifact.registers))
        self._fixed: list[np.ndarray[Any, Any]] = []
        self._inputs: list[tuple[int, str]] = []
        place = len(self._sizes) + 1
        places: list[tuple[int, int]] = []
        for one in inputs:
            places += [(place, component) for component in range(one.columns)]
            if one.name in fixed:
                for at, column in enumerate(fixed[one.name].columns, place):
                    self._fixed.append(_readable(column))
                    self._block[at] = address_of(self._fixed[-1])
            else:
                self._inputs.append((place, one.name))
            place += one.columns
        self._given = place
        self._lengths = self._given + sum(len(one.kinds) for one in self._outputs)
        self._strides: dict[int, list[tuple[int, tuple[int, ...]]]] = {}
        for step, together in enumerate(artifact.strides, self._lengths + sum(one.rank for one in self._outputs)):
            self._block[step] = 1
            begins, components = zip(*(places[one] for one in together), strict=True)
            if len({*begins}) == 1:  # in a part of a program every buffer is an input by itself
                self._strides.setdefault(begins[0], []).append((step, components))
        self._held = array("q", artifact.table), array("q", kernels)
        self._table, self._kernels = (one.buffer_info()[0] for one in self._held)
        self._run, self._memory_at = RUN(walker), _memory_at()

    def takes(self, names: Sequence[str]) -> bool:
        """Whether what it is called with are arrays of these names, in order, as they are."""
        return [name for _, name in self._inputs] == list(names) and not guarding.guard()

    @property
    def addresses(self) -> tuple[int, int, int]:
        """Of the function that is called, and of what it takes beside registers: its table, and the kernels."""
        return ctypes.cast(self._run, ctypes.c_void_p).value or 0, self._table, self._kernels

    @property
    def results(self) -> tuple[int, int, list[int]]:
        """The registers of the first output's address and of its first length, and the ranks of outputs."""
        return self._given, self._lengths, [one.rank for one in self._outputs]

    @property
    def kinds(self) -> list[np.dtype[Any]]:
        """The types of all components of outputs, in order."""
        return [kind for one in self._outputs for kind in one.kinds]

    def use(self, place: int, address: int) -> None:
        """Calls another kernel from now on, at this address; a run that is under way may have called the one before."""
        self._held[1][place] = address

    def __call__(self, inputs: Mapping[str, ToL], sizes: Mapping[str, int], seed: int) -> int | list[ToL]:
        """The outputs' values, or the number by which the code tells what went wrong."""
        block = self._block[:]
        for place, name in enumerate(self._sizes):
            block[place] = sizes[name]
        block[len(self._sizes)] = _signed(seed)
        held = []
        for place, name in self._inputs:
            columns = inputs[name].columns
            for at, readable in enumerate(self._brought(columns, place, block), place):
                held.append(readable)
                block[at] = address_of(readable)
        code: int = self._run(self._table, block.buffer_info()[0], self._kernels)
        return code or self._values(block)

    def _brought(
        self, columns: Sequence[np.ndarray[Any, Any]], place: int, block: array[int]
    ) -> list[np.ndarray[Any, Any]]:
        """The components of an input as compiled code reads them: fields of records where they lie, or apart."""
        if all(one.flags.c_contiguous for one in columns):
            return list(map(_readable, columns))
        left: set[int] = set()
        for register, together in self._strides.get(place, ()):
            step, *others = {step_of(columns[k]) for k in together}
            if step is not None and not others:
                block[register] = step
                left.update(together)
        copies, _ = fields_apart(columns, [k for k in range(len(columns)) if k not in left])
        return [_lying(one) if k in left else _readable(copies.get(k, one)) for k, one in enumerate(columns)]

    def _values(self, block: array[int]) -> list[ToL]:
        values: list[ToL] = []
        place, word, memory_at = self._given, self._lengths, self._memory_at
        for output in self._outputs:
            shape = tuple(block[word : word + output.rank])
            word += output.rank
            columns = []
            for kind in output.kinds:
                columns.append(_ARRAY(shape, kind, memory_at(block[place])))
                place += 1
            values.append(ToL(columns, output.spaces))
        return values


class Repeated:
    """Calls of an entry with arguments like those that it was called with before: all else is known.

    These are arrays of the same types and shapes, and numbers of the same classes.  Whatever is not as before, or goes
    wrong, is left to the ordinary call: None is returned, for code has no effects.
    """

    __slots__ = ("_block", "_entry", "_inputs", "_native", "_only", "_owner", "threads")

    def __init__(
        self,
        entry: Entry,
        sizes: Mapping[str, int],
        taken: Sequence[tuple[np.ndarray[Any, Any], type]],
        owner: object,
        threads: int | None,
    ) -> None:
        """Arguments are arrays, or what numbers were taken as, with their classes.

        The code of an entry is loaded as long as its owner lives.  It runs on as many threads as usual, or as are told.
        """
        self.threads = threads
        self._entry, self._block, self._owner = entry, entry._block[:], owner
        for place, name in enumerate(entry._sizes):
            self._block[place] = sizes[name]
        places = [place for place, _ in entry._inputs]
        self._inputs = tuple(
            [ArrayArgument(place, one.dtype, one.shape, kind) for place, (one, kind) in zip(places, taken, strict=True)]
        )
        only = entry._outputs[0] if len(entry._outputs) == 1 else None
        self._only = only if only is not None and len(only.kinds) == 1 else None
        self._native = self._from_native_code()

    def _from_native_code(self) -> Callable[..., Any] | None:
        """The same call with nothing of Python inside, where outputs are of one component each."""
        entry = self._entry
        if any(len(one.kinds) != 1 for one in entry._outputs):
            return None
        outputs = [(place, one.kinds[0], one.rank) for place, one in enumerate(entry._outputs, entry._given)]
        return array_call(
            entry.addresses, self._block, self._inputs, outputs, entry._lengths, self.threads, (entry, self._owner)
        )

    @property
    def shortest(self) -> Callable[..., Any]:
        """What calls as this does, in as few steps as it takes; it may give several outputs as arrays in a tuple."""
        return self._native or self

    def __call__(self, *arguments: Any) -> Any:
        """The array that is the only output, or the values of several; None where the ordinary call is needed."""
        inputs, block, entry = self._inputs, self._block[:], self._entry
        if len(arguments) != len(inputs):
            return None
        held = []
        for one, (place, kind, shape, own) in zip(arguments, inputs, strict=True):
            if type(one) is not own:
                return None
            array: Any = one if own is _ARRAY else array_of_number(one, kind)
            if array is None or array.dtype is not kind or array.shape != shape or not array.flags.c_contiguous:
                return None
            held.append(array)
            block[place] = address_of(array)
        given = entry._table, block.buffer_info()[0], entry._kernels
        if entry._run(*given) if self.threads is None else called_on_threads(self.threads, entry._run, given):
            return None
        only = self._only
        if only is None:
            return entry._values(block)
        shape = tuple(block[entry._lengths : entry._lengths + only.rank])
        found = _ARRAY(shape, only.kinds[0], entry._memory_at(block[entry._given]))
        return found if shape else found[()]

    @property
    def parts(self) -> tuple[Entry, array[int], list[int]]:
        """What native code needs to call as this does: the entry, registers to begin with, and where inputs are."""
        return self._entry, self._block, [one.place for one in self._inputs]

    def takes(self, arrays: Sequence[Any]) -> bool:
        """Whether arrays are of the types, shapes and layout that it was made for."""
        return len(arrays) == len(self._inputs) and all(
            one.dtype is kind and one.shape == shape and one.flags.c_contiguous
            for one, (_, kind, shape, _) in zip(arrays, self._inputs, strict=True)
        )

    def at(self, addresses: Sequence[int]) -> list[np.ndarray[Any, Any]] | None:
        """The outputs, of one component each, for data at addresses; whoever calls knows its types and shapes."""
        block, entry = self._block[:], self._entry
        for (place, *_), address in zip(self._inputs, addresses, strict=True):
            block[place] = address
        if entry._run(entry._table, block.buffer_info()[0], entry._kernels):
            return None
        found, word = [], entry._lengths
        for place, output in enumerate(entry._outputs, entry._given):
            shape = tuple(block[word : word + output.rank])
            word += output.rank
            found.append(_ARRAY(shape, output.kinds[0], entry._memory_at(block[place])))
        return found


class _Memory(ctypes.c_char * (1 << 62)):  # type: ignore[misc]  # an array type of ctypes is made by a product
    """Memory that compiled code has allocated, as much of it as there may be; given back with this object.

    No Python runs where it is: the exception of a signal's handler would be lost in a destructor.
    """


def _memory_at() -> Callable[[int], _Memory]:
    """What makes an object of memory; the runtime, which takes it back, is there."""
    if not hasattr(_Memory, "__del__"):
        give_back: Any = (
            (lambda memory: guarding.free(ctypes.addressof(memory)))
            if guarding.guard()
            else _RETURN(runtime_address("tolang_return"))
        )
        _Memory.__del__ = _METHOD(give_back)
    made: Callable[[int], _Memory] = _Memory.from_address
    return made


_ARRAY = np.ndarray


class InputInfo(NamedTuple):
    """What is known of an input before running."""

    name: str
    columns: int


class OutputInfo:
    """What is known of an output before running: its rank and its components."""

    __slots__ = ("kinds", "rank", "spaces")

    def __init__(self, rank: int, columns: Sequence[Column]) -> None:
        self.rank, self.spaces = rank, tuple(strong(one) for one in columns)
        self.kinds = tuple(dtype_of(one.storage) for one in columns)


def _readable(column: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """An array as compiled code reads it: its elements one after the other, at any address."""
    readable = column if column.flags.c_contiguous else np.ascontiguousarray(column)
    if guarding.guard() and not isinstance(readable.base, _Memory):
        return guarding.copied(readable)
    return readable


def _lying(column: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """A field of records where it lies; where memory is guarded, with all that lies between its first and its last."""
    if not guarding.guard():
        return column
    length = (len(column) - 1) * column.strides[0] + column.itemsize
    memory: Any = (ctypes.c_char * length).from_address(address_of(column))
    return guarding.copied(np.ndarray(length, np.uint8, memory))


def _signed(seed: int) -> int:
    """The low 64 bits of a seed, as a word holds them."""
    return seed if -(1 << 63) <= seed < 1 << 63 else ((seed + (1 << 63)) & 0xFFFFFFFFFFFFFFFF) - (1 << 63)


def _address_asked(array: np.ndarray[Any, Any]) -> int:
    address: int = array.ctypes.data
    return address


def _address_read(array: np.ndarray[Any, Any]) -> int:
    """Where an array's data lies: the first field of NumPy's array object, as its binary interface fixes."""
    return _WORD_AT(id(array) + _HEAD).value


_WORD_AT = ctypes.c_int64.from_address
_HEAD = object.__basicsize__
_PROBE = np.zeros(3)
address_of = _address_read if _address_read(_PROBE) == _address_asked(_PROBE) else _address_asked
